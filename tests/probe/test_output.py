"""What may vary between two runs without being drift."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tensor_atlas.probe import output
from tensor_atlas.probe.output import OutputFile, normalise, normalise_output


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<object at 0x7f3a5c0d1e50>", "<object at 0x…>"),
        ("<function f at 0x7f3A5C0D1E50>", "<function f at 0x…>"),
        ("<weakref at 0x7f3a5c0d1e50; to 'A' at 0x7f3a5c0d1e51>", "<weakref at 0x…; to 'A' at 0x…>"),
        ("0x3f800000 at last, of 0xDEADBEEF", "0x3f800000 at last, of 0xDEADBEEF"),
        ("that0x123456789 at 0x1f", "that0x123456789 at 0x1f"),
        ("not writable. (Triggered internally at /pytorch/torch/csrc/a.cpp:212.)", "not writable."),
        ("registered at /pytorch/build/aten/CPU_1.cpp:25 [kernel]", "registered at …/CPU_1.cpp:25 [kernel]"),
        (
            'ASSERT FAILED at "/__w/pytorch/c10/Options.h":663, please',
            'ASSERT FAILED at "…/Options.h":663, please',
        ),
        ("object </torch_12646_65_56> in", "object </torch_…> in"),
        ("torch_1_2_3, /torch_cpu_2", "torch_1_2_3, /torch_cpu_2"),
        ("2026-11-26 02:10:22.951938: F ./a.h:20] Non-OK", "F ./a.h:20] Non-OK"),
        ("one\nF0000 00:00:1795660530.775574    1052 a.h:21] Non-OK", "one\nF a.h:21] Non-OK"),
        ("2026-11-26 02:10:22.951938: 3, at F0000", "2026-11-26 02:10:22.951938: 3, at F0000"),
        (
            "79.18 GiB of which 77.10 GiB is free. Process 33 has 632.00 MiB memory in use. 1 MiB allowed",
            "79.18 GiB of which … is free. 1 MiB allowed",
        ),
        ("Process 3 has 2 workers, of which 1 is free", "Process 3 has 2 workers, of which 1 is free"),
        ("one \t\n  two  \n", "one\n  two"),
        ("a\n\n\n", "a\n\n"),
        ("a\n  \n", "a\n"),
        ("\n", ""),
        ("\n\nvalue", "\n\nvalue"),
    ],
)
def test_what_varies_goes(text: str, expected: str) -> None:
    """Addresses, C++ locations, shared memory, log times, blanks at line ends, the last line end go."""
    assert normalise(text, {}) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("\n", "\n"), ("\n\n", "\n\n"), (" \n", "\n"), ("", ""), (" ", ""), ("a\n", "a"), ("\na\n\n", "\na\n")],
)
def test_blank_lines_alone_keep_their_last_line_end(text: str, expected: str) -> None:
    """A lone newline is output; normalising it once more leaves it."""
    assert normalise_output(text, {}) == expected
    assert normalise_output(expected, {}).strip("\n") == expected.strip("\n")


def test_inner_place_keeps_its_own_word() -> None:
    """The longest directory is replaced first."""
    places = {"/opt/python": "prefix", "/opt/python/lib/site-packages": "site-packages"}
    text = "/opt/python/lib/site-packages/numpy and /opt/python/bin"
    assert normalise(text, places) == "site-packages/numpy and prefix/bin"


def test_place_is_replaced_as_a_whole_only() -> None:
    """A directory is not looked for inside the names of others."""
    assert normalise("/var/tmp /tmp-old /tmp/x '/tmp' /tmp.", {"/tmp": "T"}) == "/var/tmp /tmp-old T/x 'T' T."


def test_word_and_place_are_plain_text() -> None:
    """Neither is a pattern: Windows paths hold backslashes."""
    assert normalise(r"C:\a.b\x C:\aXb", {r"C:\a.b": r"\1"}) == r"\1\x C:\aXb"


def test_normalising_twice_changes_nothing_more() -> None:
    """What a record holds is stable."""
    text = normalise("<a at 0x7f3a5c0d1e50> /home/me/x  \n", {"/home/me": "~"})
    assert text == "<a at 0x…> ~/x"
    assert normalise(text, {"/home/me": "~"}) == text


FOLDER = str(Path(output.__file__).parent)
OURS = f'  File "{FOLDER}/observe.py", line 77, in _execute\n    exec(code, namespace)\n'
"""A frame of the probe."""
LIBRARY = '  File "lib/multiprocessing/process.py", line 108, in run\n    self._target()\n'
REST = '  File "examples/01_x/a.py", line 3, in <module>\n    print(1)\nValueError: no'


@pytest.mark.parametrize(
    "head",
    [
        "Traceback (most recent call last):\n",
        "Traceback (most recent call last):",
        "Error detected in MulBackward0. Traceback of forward call that caused the error:\n",
    ],
)
def test_traceback_that_a_library_prints_begins_at_the_example(head: str) -> None:
    """Frames of the probe and those that led to it go, glued to the head or not; others stay."""
    frames = f'  File "<string>", line 1, in <module>\n{LIBRARY}{OURS}'
    assert normalise(f"before\n{head}{frames}{REST}", {}) == f"before\n{head}{REST}"
    foreign = f"{head}{LIBRARY}{REST}"
    assert normalise(foreign, {}) == foreign


BEGIN = '  File "<string>", line 1, in <module>\n'
"""The first frame of an example's process."""
ESCAPED = str(FOLDER).encode("ascii", "backslashreplace").decode()
DUMPED = f'  File "{ESCAPED}/observe.py", line 77 in _execute\n'
"""A frame of the probe as faulthandler writes it, in ASCII; it begins with the newest."""


def test_stack_that_an_example_prints_begins_at_the_example() -> None:
    """From the beginning of the process to the probe's last frame, in either order."""
    head = "Stack (most recent call last):\n"
    assert normalise(f"{head}{BEGIN}{OURS}{LIBRARY}{OURS}{REST}", {}) == f"{head}{REST}"
    example = '  File "examples/01_x/a.py", line 3 in <module>\n'
    thread = "Current thread 0x00007f6d2e5ff640 (most recent call first):\n"
    begin = '  File "<string>", line 1 in <module>\n'
    shown = normalise(f"{thread}{example}{DUMPED}{DUMPED}{begin}after", {})
    assert shown == f"{thread.replace('0x00007f6d2e5ff640', '0x…')}{example}after"


@pytest.mark.parametrize(
    "text",
    [
        f"{LIBRARY}{OURS}{REST}",
        f"{BEGIN}{LIBRARY}{OURS}{REST}",
        f"{DUMPED}words",
        f"last):{OURS}{REST}",
        f"Traceback (most recent call last):\nwords\n{OURS}{REST}",
        "Traceback (most recent call last):\n" + OURS.replace(FOLDER, "/tensor_atlas/probe"),
        '  File "checkout/src/tensor_atlas/probe/observe.py", line 1, in f',
    ],
)
def test_lines_that_look_like_frames_stay(text: str) -> None:
    """What an example prints is output, unless it stands in a traceback and names the probe's own folder."""
    assert normalise(text, {}) == text.removesuffix("\n")


def test_output_file_never_shrinks(tmp_path: Path) -> None:
    """What another process appends while it is read cannot be cut away with what was read."""
    file = OutputFile(str(tmp_path), "stdout")
    os.write(file.handle, b"first\n")
    assert file.take() == "first\n"
    file.mark()
    os.write(file.handle, b"second\n")
    assert file.take() == "second\n"
    assert os.fstat(file.handle).st_size == len("first\nsecond\n")
    file.close()


def test_last_words_are_what_came_after_the_mark(tmp_path: Path) -> None:
    """Whoever reads the file when its process has died begins where that process had counted it as read."""
    file, other = (OutputFile(str(tmp_path), "stdout") for _ in range(2))
    os.write(file.handle, b"shown\n")
    assert file.take() == "shown\n"
    file.mark()
    os.write(file.handle, b"taken and ")
    assert file.peek() == "taken and "
    os.write(file.handle, b"not emitted\n")
    assert file.take() == other.take() == "taken and not emitted\n"
    file.close()
    other.close()


def test_files_of_output_are_for_their_user_alone(tmp_path: Path) -> None:
    """What an example prints is nobody else's, and can be read and written."""
    OutputFile(str(tmp_path), "stdout").close()
    assert [path.stat().st_mode & 0o777 for path in sorted(tmp_path.iterdir())] == [0o600] * 2
