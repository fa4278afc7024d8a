"""Line numbers of an example in what it prints: prose and comments move them, so that they count as equal.

Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from tensor_atlas.model.runs import Observation, Raised


def hide_own_lines(text: str, example: str) -> str:
    """Text with ``…`` for each line number of the example's own script, in the forms that Python prints.

    A number without the name of the script stays: it is a value like others.
    """
    if f"{example.rpartition('/')[2]}.py" not in text:
        return text
    return _own_line(example).sub(r"\1…", text)


def hide_in_lines(lines: Iterable[str], example: str) -> tuple[str, ...]:
    """Each line as ``hide_own_lines`` gives it."""
    return tuple(hide_own_lines(line, example) for line in lines)


@cache
def _own_line(example: str) -> re.Pattern[str]:
    """Matches the script, under its path or its bare name, and the line number behind it."""
    chapter, _, stem = map(re.escape, example.rpartition("/"))
    script = rf"(?:(?<![\w.~-]){chapter}/|(?<![\w./~-])){stem}\.py"
    in_words = r"""["']?, line(?:no)? """  # of tracebacks, faulthandler, code, frames and syntax errors
    in_parentheses = r"\((?=\d+\))"  # of pdb and trace
    return re.compile(rf"({script}(?:{in_words}|:|{in_parentheses}))\d+(?!\.?\d)")


def without_own_lines(observation: Observation, example: str) -> Observation:
    """An observation in whose texts each line number of the example's own script is hidden."""
    warned = (replace(one, message=hide_own_lines(one.message, example)) for one in observation.warnings)
    raised = observation.raised
    return replace(
        observation,
        stdout=hide_own_lines(observation.stdout, example),
        stderr=hide_own_lines(observation.stderr, example),
        warnings=tuple(warned),
        caught=tuple(_hide_in_error(error, example) for error in observation.caught),
        raised=None if raised is None else _hide_in_error(raised, example),
    )


def _hide_in_error(error: Raised, example: str) -> Raised:
    return replace(
        error,
        message=hide_own_lines(error.message, example),
        traceback=hide_in_lines(error.traceback, example),
        printed=hide_own_lines(error.printed, example),
    )
