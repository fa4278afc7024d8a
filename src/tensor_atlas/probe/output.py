"""What a run writes: in files, so that last words outlive their process, and normalised before it is stored.

What may vary between two runs without being drift is removed by name, so that a record holds no address, user
name or path of the machine that made it.
"""

from __future__ import annotations

import contextlib
import functools
import os
import platform
import re
import site
import sys
import sysconfig
import tempfile
from collections.abc import Mapping
from typing import TextIO

try:
    import pwd
except ImportError:  # Windows, which has no such list
    pwd = None  # type: ignore[assignment]

DESCRIPTORS = {1: "stdout", 2: "stderr"}
"""Standard output and standard error, with the name of the file that stands for each."""
MAX_OUTPUT = 65_536
"""Bytes kept of what one statement writes to one descriptor; the rest is counted."""
NOTE = 100
"""Characters by which a text that says how much of it is left out may be longer."""


class OutputFile:
    """The file behind one descriptor, which grows alone: writers append, and a mark says what has been read.

    The mark outlives the process, for whoever reads its last words.
    """

    def __init__(self, directory: str, name: str) -> None:
        path = os.path.join(directory, name)
        # Appending: two writers of one file must not overwrite each other.
        self.handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | _BINARY, 0o600)
        # Not appending: Linux lets one that appends write at the end alone.
        self._writer = os.open(path, os.O_WRONLY | _BINARY)
        self._mark = os.open(f"{path}.read", os.O_RDWR | os.O_CREAT | _BINARY, 0o600)
        self._taken = self._peeked = 0

    def take(self) -> str:
        """Text written since the mark, cut after MAX_OUTPUT bytes."""
        start = self._find_start()
        self._taken = self._peeked = self._size()
        return self._read(start, self._taken)

    def peek(self) -> str:
        """Text written since the last call, or since it was last taken; ``take`` gives it again."""
        start, self._peeked = self._peeked, self._size()
        return self._read(start, self._peeked)

    def mark(self) -> None:
        """Let the next text begin where the last one taken ended."""
        _write_at_start(self._mark, self._taken.to_bytes(8))
        if self._taken:
            _write_at_start(self._writer, _USED)

    def close(self) -> None:
        """Close the file, which keeps what it holds."""
        for handle in (self.handle, self._writer, self._mark):
            os.close(handle)

    def _size(self) -> int:
        return os.fstat(self.handle).st_size

    def _find_start(self) -> int:
        """Offset of the mark; 0 where a program opened /dev/stdout and so emptied the file."""
        offset = int.from_bytes(_read_at(self._mark, 8, 0))
        return offset if _read_at(self.handle, 1, 0) == _USED and offset <= self._size() else 0

    def _read(self, start: int, stop: int) -> str:
        data = _read_at(self.handle, max(0, min(stop - start, MAX_OUTPUT)), start)
        text = data.decode("utf-8", errors="backslashreplace").replace(os.linesep, "\n")
        left = stop - start - len(data)
        return text if left <= 0 else f"{text}\n[{left} more bytes]"


_USED = b"\0"
"""First byte of a file that has been read to its mark: a file that was emptied since begins with another."""
_BINARY = getattr(os, "O_BINARY", 0)
"""What keeps Windows from changing line ends."""


def _read_at(handle: int, count: int, offset: int) -> bytes:
    if hasattr(os, "pread"):
        return os.pread(handle, count, offset)
    os.lseek(handle, offset, os.SEEK_SET)  # whoever appends goes to the end first
    return os.read(handle, count)


def _write_at_start(handle: int, data: bytes) -> None:
    if hasattr(os, "pwrite"):
        os.pwrite(handle, data, 0)
    else:
        os.lseek(handle, 0, os.SEEK_SET)
        os.write(handle, data)


def open_output(directory: str) -> dict[int, OutputFile]:
    """The files in a ``directory``, by the descriptor that each stands for."""
    return {descriptor: OutputFile(directory, name) for descriptor, name in DESCRIPTORS.items()}


def own_stream(descriptor: int) -> TextIO:
    """Python's own stream on standard output or standard error, as it is on a terminal.

    By line: what was printed before a crash must not die in a buffer.
    """
    stream = {1: sys.__stdout__, 2: sys.__stderr__}[descriptor]
    if stream is None:  # Python began with the descriptor closed
        stream = open(descriptor, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    errors = "strict" if descriptor == 1 else "backslashreplace"
    stream.reconfigure(encoding="utf-8", errors=errors, line_buffering=True)
    return stream


def shorten(text: str) -> str:
    """Text up to MAX_OUTPUT characters, then how many are left out: a message, too, may be of any length."""
    left = len(text) - MAX_OUTPUT
    return text if left <= NOTE else f"{text[:MAX_OUTPUT]}\n[{left} more characters]"


_ADDRESS = re.compile(r"(?:(?<= at )|(?<=hread ))0x[0-9a-fA-F]{6,16}\b")
"""Address of an object, or of a thread in a dump; a number like it elsewhere may be the bits of a value."""
_ORIGIN = re.compile(r" ?\(Triggered internally at [^)]*\)")
"""File and line that raised one of torch's C++ warnings, which each release moves."""
_BUILD_FOLDERS = re.compile(r'(?<= at )("?)/(?:[\w.+-]+/)+(?=[\w.+-]+"?:\d+)')
"""Folders of the machine that built torch, before the name and line of a C++ file."""
_SHARED_MEMORY = re.compile(r"(?<=/torch_)\d+_\d+_\d+")
"""Process, random number and count in the name of a file that torch makes in shared memory."""
_LOG_STAMP = re.compile(
    r"^(?:\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+: ([EFIW])|([EFIW])\d{4} \d\d:\d\d:\d+\.\d+ +\d+) ", re.MULTILINE
)
"""Day, time and thread before a line that XLA logs; the letter of its severity stays."""
_HEAD = r"^.*Traceback (?:\(most recent call last\)|of forward call that caused the error):\n?"
_FRAME = r'  File "[^"\n]*", line \d+, in .*\n(?:    .*\n)*'
_OURS = _FRAME.replace(r"[^", re.escape(os.path.dirname(__file__)) + r"/[^", 1)
_FRAMES = re.compile(rf"(?P<head>{_HEAD})(?:{_FRAME})*{_OURS}", re.MULTILINE)
"""The probe's frames in a traceback that a library prints; it begins at the example, as in a script."""
_BEGIN = r'  File "<string>", line 1, in <module>\n(?:    .*\n)*'
_STACK = re.compile(rf"^{_BEGIN}{_OURS}(?:{_FRAME})*{_OURS}", re.MULTILINE)
"""The probe's frames in a printed stack, which begins where the process does."""
_DUMPED = r'  File "[^"\n]*", line \d+ in .*\n'
# faulthandler writes in ASCII, whatever the path holds.
_ASCII_FOLDER = os.path.dirname(__file__).encode("ascii", "backslashreplace").decode()
_OURS_DUMPED = _DUMPED.replace(r"[^", re.escape(_ASCII_FOLDER) + r"/[^", 1)
_DUMP = re.compile(rf'^{_OURS_DUMPED}(?:{_DUMPED})*?  File "<string>", line 1 in <module>\n?', re.MULTILINE)
"""The probe's frames in what faulthandler writes, where the newest stands first."""
_OTHER_PROCESSES = re.compile(r" Process \d+ has [\d.]+ [KMG]iB memory in use\.")
"""What torch says of other programs on a GPU that has run out of memory."""
_FREE_MEMORY = re.compile(r"(of which )[\d.]+ [KMG]iB( is free)")
"""What those programs leave."""
_TRAILING = re.compile(r"(?<![^\S\n])[^\S\n]+$", re.MULTILINE)
"""From where blanks begin alone: from each of many that end in no line end, it takes their number squared."""
POISONED = "CUDA error:"
"""In the message of an error after which nothing on the device works in that process."""
WORK = "work"
"""Name of the folder that an example works in, inside the folder of its run."""


def work_folder(directory: str) -> str:
    """The folder that the example of a run works in; ``directory`` is the folder of the run."""
    return os.path.join(directory, WORK)


def path_words(directory: str) -> dict[str, str]:
    """Directories of this machine, and of the run in ``directory``, with the word that stands for each."""
    work = work_folder(directory)
    return {**machine_words(), os.path.realpath(work): ".", work: "."}  # TMPDIR may be a link


@functools.cache
def machine_words() -> dict[str, str]:
    """Directories of this machine, with the word that stands for each."""
    words = {platform.node(): "host"} if re.search(r"\d|-", platform.node()) else {}  # not what may be a word
    words |= {os.path.expanduser("~"): "~", os.getcwd(): "checkout", tempfile.gettempdir(): "tmp"}
    with contextlib.suppress(KeyError, AttributeError):  # a container whose user is on no list, and Windows
        words.setdefault(pwd.getpwuid(os.getuid()).pw_dir, "~")
    words |= {sys.executable: "python", sys.prefix: "prefix", sys.base_prefix: "prefix"}
    installed = sysconfig.get_paths()
    words[installed["stdlib"]] = "lib"
    for folder in (installed["purelib"], installed["platlib"], *site.getsitepackages()):
        words[folder] = "site-packages"
    words = {os.path.realpath(path): word for path, word in words.items()} | words
    return {path: word for path, word in words.items() if len(path) > 1}


def normalise_output(text: str, words: Mapping[str, str]) -> str:
    """What a statement wrote, normalised; blank lines alone keep their last line end: one is no silence."""
    written = _drop_varying(text, words)
    return written.removesuffix("\n") if written.strip("\n") else written


def normalise(text: str, words: Mapping[str, str]) -> str:
    """Text without addresses, numbers and places that vary, without trailing blanks and the last line end.

    ``words`` maps a directory of this machine to the word that stands for it, such as ``/home/me`` to ``~``.
    """
    return _drop_varying(text, words).removesuffix("\n")


def _drop_varying(text: str, words: Mapping[str, str]) -> str:
    """Normalised text, its line ends as they were."""
    text = text.encode("utf-8", errors="backslashreplace").decode("utf-8")  # records hold no half character
    text = _ADDRESS.sub("0x…", text)
    text = _ORIGIN.sub("", text)
    text = _SHARED_MEMORY.sub("…", text)
    text = _LOG_STAMP.sub(r"\1\2 ", text)
    text = _OTHER_PROCESSES.sub("", text)
    text = _FREE_MEMORY.sub(r"\1…\2", text)
    text = _FRAMES.sub(r"\g<head>", text)
    text = _DUMP.sub("", _STACK.sub("", text))
    for path in sorted(words, key=len, reverse=True):  # a folder inside another keeps its own word
        if path not in text:
            continue
        replacement = words[path].replace("\\", r"\\")  # a backslash means something in what re.sub puts in
        text = re.sub(rf"(?<![\w.~-]){re.escape(path)}(?![\w-])", replacement, text)
    text = _BUILD_FOLDERS.sub(r"\1…/", text)
    return _TRAILING.sub("", text)
