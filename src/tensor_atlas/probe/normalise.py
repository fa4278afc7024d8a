"""The named normalisations: what may vary between two runs without being drift; pure.

Everything observed passes through here before it is stored, so that a record holds no address, user name or path of
the machine that made it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_ADDRESS = re.compile(r"(?<= at )0x[0-9a-fA-F]{6,16}\b")
_ORIGIN = re.compile(r" ?\(Triggered internally at [^)]*\)")
_FRAME = r'  File "[^"\n]*", line \d+, in .*\n(?:    .*\n)*'
_OURS = r'  File "[^"\n]*/tensor_atlas/probe/[^"\n]*", line \d+, in .*\n(?:    .*\n)*'
_FRAMES = re.compile(rf"(?:^|(?<=last\):))(?:{_FRAME})*{_OURS}", re.MULTILINE)
_TRAILING = re.compile(r"(?<![^\S\n])[^\S\n]+$", re.MULTILINE)
"""From where blanks begin alone: from each of many that end in no line end, it would take their number squared."""


def normalise(text: str, places: Mapping[str, str]) -> str:
    """Text without object addresses, C++ source locations, the probe's frames, machine paths and trailing blanks.

    ``places`` maps a directory of this machine to the word that stands for it, such as ``/home/me`` to ``~``.

    Most text has nothing of it, which is seen faster than any pattern is tried: each lies cold in a new process.
    """
    if not text:  # as most are
        return text
    text = without_surrogates(text)
    text = without_addresses(text)
    text = without_origins(text)
    text = without_frames(text)
    text = without_places(text, places)
    return without_trailing_blanks(text)


def without_surrogates(text: str) -> str:
    """Half a character, as in the name of a file that is not UTF-8, could not be written to a record."""
    return text if text.isascii() else text.encode("utf-8", errors="backslashreplace").decode("utf-8")


def without_addresses(text: str) -> str:
    """``<object at 0x7f3a…>`` differs in every process; a hexadecimal number elsewhere may be the bits of a value."""
    return _ADDRESS.sub("0x…", text) if " at 0x" in text else text


def without_origins(text: str) -> str:
    """torch's C++ warnings end in the file and line that raised them, which each release moves."""
    return _ORIGIN.sub("", text) if "(Triggered internally at " in text else text


def without_frames(text: str) -> str:
    """Tracebacks that a library prints begin at the example, as they do when it is run as a script."""
    return _FRAMES.sub("", text) if "/tensor_atlas/probe/" in text else text


def without_places(text: str, places: Mapping[str, str]) -> str:
    """Longest directory first, so that a folder inside another keeps its own word; ``/var/tmp`` is not in ``/tmp``."""
    for place in sorted(places, key=len, reverse=True):
        if (
            place not in text
        ):  # most text names no place, and each pattern would have to be compiled in each process
            continue
        word = places[place].replace("\\", r"\\")  # a backslash means something in what re.sub puts in
        text = re.sub(rf"(?<![\w.~-]){re.escape(place)}(?![\w-])", word, text)
    return text


def without_trailing_blanks(text: str) -> str:
    """Text without blanks at the ends of lines and without its last line end; empty lines before that are output."""
    return _TRAILING.sub("", text).removesuffix("\n")
