"""Interpreters that an example starts, forked from one that has imported torch; used where a record can tell.

A program such as ``[sys.executable, "-c", "import torch; ..."]`` imports torch for a second, and does the rest in
milliseconds. What imports torch before it does anything else finds in a forked process what it would have made itself.
All else starts as it was asked for.
"""

from __future__ import annotations

import ast
import atexit
import contextlib
import ctypes
import gc
import io
import linecache
import os
import pickle
import re
import signal
import socket
import subprocess
import sys
import threading
import types
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, TextIO

from tensor_atlas.probe.forking import NUMBER, descriptors, fork
from tensor_atlas.probe.orphans import adopt, tie

START = "sys.executable"
"""What the text of an example has in it that starts an interpreter."""
LAZY = "torch._dynamo"
"""Part of torch that torch imports at the first use of many functions, and for longer than most examples take."""
LACKED = 77
"""Exit code of a process that had to import ``LAZY``: several of them, and what they are forked from imports it."""
OPENED: set[int] = set()
"""Descriptors that libraries keep open, as they do in every interpreter that imports them."""
_INHERITED = re.compile(r"^(?:Umask|Uid|Gid|SigBlk|SigIgn|Cpus_allowed):.*$", re.MULTILINE)
"""Lines of /proc/self/status that tell what a process hands down to those that it starts."""
_USUAL = (True, True, False, -1, None, None, None, -1, None)
"""``close_fds``, and ``restore_signals`` to ``preexec_fn``, as ``fork_exec`` gets them where nothing was asked for."""
_FEWEST = 21
"""What ``fork_exec`` gets after the command, at least."""
_HARMLESS = {"-B"}
"""Options of this interpreter that one started anew need not have: whether it keeps what it has compiled, none sees."""
_STREAMS = 3


@dataclass(frozen=True)
class Asked:
    """A program, as the process that runs it gets it."""

    code: str
    """What follows ``-c``."""
    arguments: tuple[str, ...]
    """What follows the code."""
    folder: str
    """Working directory."""


def offer() -> None:
    """Let interpreters that this process starts from now on be forked from it as it is now, where that is the same.

    Where the system or the interpreter is another than this was made for, they start as ever.
    """
    options = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]  # noqa: SLF001
    if sys.platform != "linux" or not _HARMLESS.issuperset(options):
        return
    ours, theirs = socket.socketpair()
    if fork() == 0:
        ours.close()
        tie()
        _serve(theirs)
    theirs.close()
    adopt()  # a process belongs to the one that waits for it, and that is the one that will have asked
    start, handed_down = subprocess._fork_exec, inherited()  # type: ignore[attr-defined]  # noqa: SLF001
    own, one_by_one = os.getpid(), threading.Lock()

    def started(command: Iterable[str | bytes], *given: Any) -> int:
        number = 0
        with contextlib.suppress(OSError), one_by_one:
            asked = as_asked([os.fsdecode(word) for word in command], given)
            # What this process forks may not wait for children of this one, and shares its end of the line.
            if asked is not None and os.getpid() == own and inherited() == handed_down:
                number = _number(ours, asked, streams(given))
        return number or int(start(command, *given))

    subprocess._fork_exec = started  # type: ignore[attr-defined]  # noqa: SLF001
    # From Python 3.13 on, what asks for little is started by posix_spawn, unless this documented switch is off.
    setattr(subprocess, "_USE_POSIX_SPAWN", False)  # noqa: B010 - which is final where it is not set


def inherited() -> tuple[object, ...]:
    """What this process hands down to those that it starts: variables, limits, signals, rights, processors."""
    with (
        open("/proc/self/status", encoding="utf-8") as status,
        open("/proc/self/limits", encoding="utf-8") as limits,
    ):
        return dict(os.environb), _INHERITED.findall(status.read()), limits.read()


def as_asked(command: list[str], given: tuple[Any, ...]) -> Asked | None:
    """The program to run; None where a forked process would not be what was asked for.

    ``given``: what ``fork_exec`` of Python 3.11 and later gets after ``command``.
    """
    if len(given) < _FEWEST:
        return None
    files, close, kept, folder, variables = given[:5]
    this = (os.fsencode(sys.executable),)
    if (tuple(files), tuple(kept), variables, (close, *given[13:21])) != (this, (given[12],), None, _USUAL):
        return None
    match command:
        case [_, "-c", code, *arguments] if begins_with_torch(code):
            return Asked(code, tuple(arguments), os.fsdecode(folder or os.getcwd()))
        case _:
            return None


def begins_with_torch(code: str) -> bool:
    """Whether a program imports torch, and has done nothing before but import."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "error"
            )  # the interpreter would tell of it, and whoever starts it would not
            tree = ast.parse(code)
            compile(code, "<string>", "exec", dont_inherit=True)
    except (Warning, SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    for node in tree.body:
        match node:
            case ast.Import(names):
                if any(_is_torch(name.name) for name in names):
                    return True
            case ast.ImportFrom(module, level=0) if module:
                if _is_torch(module):
                    return True
            case _:
                return False
    return False


def _is_torch(module: str) -> bool:
    return module.partition(".")[0] == "torch"


def streams(given: tuple[Any, ...]) -> tuple[int, ...]:
    """Descriptors for standard input, output and error: those that were asked for, or our own."""
    return tuple(own if asked == -1 else asked for own, asked in enumerate((given[5], given[8], given[10])))


def _number(line: socket.socket, asked: Asked, given: tuple[int, ...]) -> int:
    """Number of the process that runs a program, a child of this one; 0 where there is none. May raise OSError."""
    payload = pickle.dumps(asked)
    socket.send_fds(line, [NUMBER.pack(len(payload))], given)
    line.sendall(payload)
    answer = line.recv(NUMBER.size, socket.MSG_WAITALL)
    return int(NUMBER.unpack(answer)[0]) if len(answer) == NUMBER.size else 0


def _serve(line: socket.socket) -> None:
    """Fork for each request on ``line``, and end with it; never returns."""
    from tensor_atlas.probe.observe import hear_as_usual  # noqa: PLC0415 - torch, which whoever is forked has

    try:
        hear_as_usual()
        while True:
            asked, given, *_ = socket.recv_fds(line, NUMBER.size, _STREAMS)
            if not asked:
                break
            payload = line.recv(NUMBER.unpack(asked)[0], socket.MSG_WAITALL)
            number = _handed_over(partial(_become, payload, given))
            for descriptor in given:
                os.close(descriptor)
            line.sendall(NUMBER.pack(number))
    finally:
        os._exit(0)


def _handed_over(work: Callable[[], None]) -> int:
    """Number of a new process that does ``work``, and that the next one above which adopts has got as a child."""
    reader, writer = os.pipe()
    between = fork()
    if between == 0:
        number = fork()
        if number == 0:
            work()
        os.write(writer, NUMBER.pack(number))
        os._exit(0)
    os.waitpid(between, 0)  # now it has been handed over
    number = int(NUMBER.unpack(os.read(reader, NUMBER.size))[0])
    os.close(reader)
    os.close(writer)
    return number


def _become(payload: bytes, given: list[int]) -> None:
    """Be the interpreter that was asked for, as far as its program can tell, and end as it would; never returns."""
    code = 1
    try:
        asked = pickle.loads(payload)  # noqa: S301 - from the process that this one will belong to
        for own, descriptor in enumerate(given):
            os.dup2(descriptor, own)
        for descriptor in descriptors() - OPENED - set(range(_STREAMS)):
            os.close(descriptor)
        os.chdir(asked.folder)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.argv, sys.path = ["-c", *asked.arguments], ["", *sys.path]
        sys.stdin, sys.stdout, sys.stderr = _streams()
        vars(sys).update(__stdin__=sys.stdin, __stdout__=sys.stdout, __stderr__=sys.stderr)
        code = _result(asked.code)
    finally:
        os._exit(code)


def _streams() -> tuple[TextIO, TextIO, TextIO]:
    """Standard streams as an interpreter makes them: output by block where nobody looks at it, errors by line."""
    read, written, told = (stream or sys.stderr for stream in (sys.__stdin__, sys.__stdout__, sys.__stderr__))
    reader = open(0, encoding=read.encoding, errors=read.errors, closefd=False)  # noqa: SIM115 - as long
    return reader, _writer(1, written, by_line=os.isatty(1)), _writer(2, told, by_line=True)


def _writer(descriptor: int, like: TextIO, *, by_line: bool) -> TextIO:
    at_once = bool(getattr(like, "write_through", False))
    raw = open(descriptor, "wb", 0 if at_once else -1, closefd=False)  # noqa: SIM115 - open as long as the process
    return io.TextIOWrapper(raw, like.encoding, like.errors, line_buffering=by_line, write_through=at_once)


def _result(code: str) -> int:
    """Exit code of a program, after all that Python does at the end of one."""
    from tensor_atlas.probe.observe import execute  # noqa: PLC0415 - torch

    module = types.ModuleType("__main__")
    given = vars(sys.modules["__main__"])  # what all is forked from was started with -c, too
    module.__dict__.update({name: value for name, value in given.items() if name.startswith("__")})
    sys.modules["__main__"] = module
    made = compile(code, "<string>", "exec", dont_inherit=True)
    if hasattr(linecache, "_register_code"):  # from Python 3.13 on, tracebacks quote what follows -c
        linecache._register_code(made, code, "<string>")  # noqa: SLF001
    ended = _exit_code(execute(made, module.__dict__))
    threading._shutdown()  # type: ignore[attr-defined]  # noqa: SLF001
    atexit._run_exitfuncs()  # noqa: SLF001
    _flush()
    module.__dict__.clear()
    gc.collect()
    _flush()
    return ended


def _exit_code(raised: BaseException | None) -> int:
    """Exit code after what a program raised, which is told as an interpreter tells it."""
    match raised:
        case None | SystemExit(code=None):
            return 0
        case SystemExit(code=int(number)):
            return number & 0xFF
        case SystemExit(code=words):
            print(words, file=sys.stderr)
        case _:
            own = raised.with_traceback(
                raised.__traceback__ and raised.__traceback__.tb_next
            )  # the first frame is ours
            sys.excepthook(type(own), own, own.__traceback__)
    return 1


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(ValueError, OSError, AttributeError):
            stream.flush()
    ctypes.CDLL(None).fflush(None)
