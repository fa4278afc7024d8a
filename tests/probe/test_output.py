"""What may vary between two runs without being drift."""

from __future__ import annotations

import pytest

from tensor_atlas.probe.output import normalise


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<object at 0x7f3a5c0d1e50>", "<object at 0x…>"),
        ("<function f at 0x7f3A5C0D1E50>", "<function f at 0x…>"),
        ("<weakref at 0x7f3a5c0d1e50; to 'A' at 0x7f3a5c0d1e51>", "<weakref at 0x…; to 'A' at 0x…>"),
        ("0x3f800000 at last, of 0xDEADBEEF", "0x3f800000 at last, of 0xDEADBEEF"),
        ("that0x123456789 at 0x1f", "that0x123456789 at 0x1f"),
        ("not writable. (Triggered internally at /pytorch/torch/csrc/a.cpp:212.)", "not writable."),
        ("object </torch_12646_65_56> in", "object </torch_…> in"),
        ("torch_1_2_3, /torch_cpu_2", "torch_1_2_3, /torch_cpu_2"),
        ("one \t\n  two  \n", "one\n  two"),
        ("a\n\n\n", "a\n\n"),
        ("a\n  \n", "a\n"),
        ("\n", ""),
        ("\n\nvalue", "\n\nvalue"),
    ],
)
def test_what_varies_goes(text: str, expected: str) -> None:
    """Addresses, C++ locations, shared memory, blanks at line ends, the last line end; the rest stays."""
    assert normalise(text, {}) == expected


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


def test_traceback_that_a_library_prints_begins_at_the_example() -> None:
    """Frames of the probe and those that led to it go, glued to the head or not; others stay."""
    frames = (
        '  File "<string>", line 1, in <module>\n'
        '  File "lib/multiprocessing/process.py", line 108, in run\n    self._target()\n'
        '  File "checkout/src/tensor_atlas/probe/observe.py", line 77, in _execute\n'
        "    exec(code, namespace)\n"
    )
    rest = '  File "examples/01_x/a.py", line 3, in <module>\n    print(1)\nValueError: no\n'
    for head in ("Traceback (most recent call last):", "Traceback (most recent call last):\n"):
        assert normalise(f"before\n{head}{frames}{rest}", {}) == f"before\n{head}{rest}".rstrip()
    foreign = (
        f"Traceback (most recent call last):\n{frames.splitlines(keepends=True)[1]}    self._target()\n{rest}"
    )
    assert normalise(foreign, {}) == foreign.rstrip()
