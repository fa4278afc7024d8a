"""Which file of a released wheel holds the words of a message, and what the record of it may say."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from tensor_atlas.errors import AtlasError
from tensor_atlas.records.decode import FormError
from tensor_atlas.records.shipped import (
    Shipped,
    decode_shipped,
    find_shipping_files,
    parse_wheel,
    search_wheel,
)
from tensor_atlas.records.store import Store, read_records, write_records

OLD, NEW = "torch-2.6.0-cp311-cp311-manylinux1_x86_64", "torch-2.15.0-cp311-cp311-manylinux_2_28_x86_64"
CPU, MAC = "torch-2.16.0+cpu-cp311-cp311-linux_x86_64", "torch-2.13.0-cp311-none-macosx_14_0_arm64"
WORDS = "can't convert … device type tensor to numpy."


def build_wheel(folder: Path, files: dict[str, bytes]) -> Path:
    """A wheel with these files."""
    path = folder / f"{NEW}.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for name, data in files.items():
            wheel.writestr(name, data)
    return path


@pytest.mark.parametrize(
    ("name", "data", "found"),
    [
        ("torch/lib/a.so", b"\0can't convert %s device type tensor to numpy.\0", True),
        ("torch/lib/a.so", b"\0tensor to numpy.\0 device type\0", False),
        ("torch/lib/a.so", b"\0tensor to numpy now\0 device type tensor\0", False),
        ("torch/a.py", b'raise E("device type tensor " "to numpy.")', True),
        ("torch/a.py", b'raise E(f"{x} device type tensor to numpy.")', True),
        ("torch/a.py", b"# device type tensor to numpy.\n", False),
        ("torch/a.py", b'"""device type tensor to numpy."""', False),
        ("torch/a.py", b"device type tensor to numpy. (", False),
        ("torch/testing/a.py", b'expect("device type tensor to numpy.")', False),
        ("torch/README.md", b"device type tensor to numpy.", False),
    ],
)
def test_words_count_where_code_can_raise_them(tmp_path: Path, name: str, data: bytes, found: bool) -> None:
    """In libraries and in strings of Python; not in comments, docstrings, tests or other files."""
    wheel = build_wheel(tmp_path, {name: data})
    assert search_wheel(wheel, [WORDS]) == {WORDS: name if found else None}


def test_a_string_that_the_source_splits_is_found(tmp_path: Path) -> None:
    """As two of at least three words; every part of the message must stand in one file."""
    message = "these are the first words and these the others"
    split = {"torch/a.so": b"and these the others\0these are the first words \0"}
    assert search_wheel(build_wheel(tmp_path, split), [message]) == {message: "torch/a.so"}
    apart = {"torch/a.so": b"these are the first", "torch/b.so": b"and these the others"}
    both = "these are the first … and these the others"
    assert search_wheel(build_wheel(tmp_path, apart), [both]) == {both: None}


def test_message_of_words_with_hyphens_is_looked_for(tmp_path: Path) -> None:
    """What counts as three words may be two between blanks."""
    message = "device-side assert"
    assert search_wheel(build_wheel(tmp_path, {"torch/a.so": b"a device-side assert"}), [message]) == {
        message: "torch/a.so"
    }
    assert search_wheel(build_wheel(tmp_path, {"torch/a.so": b"device-side"}), [message]) == {message: None}


def test_what_is_no_wheel_is_refused(tmp_path: Path) -> None:
    """By its name, or as no archive."""
    (tmp_path / "torch.zip").write_bytes(b"")
    (tmp_path / f"{NEW}.whl").write_bytes(b"not a zip file")
    for name in ("torch.zip", f"{NEW}.whl"):
        with pytest.raises(AtlasError, match="pip download") as caught:
            search_wheel(tmp_path / name, [WORDS])
        assert str(caught.value).startswith(f"{tmp_path / name}  ")


def test_a_wheel_says_release_build_and_system() -> None:
    """As pages name it."""
    assert [str(parse_wheel(name)) for name in (OLD, CPU, MAC)] == [
        "torch 2.6.0",
        "torch 2.16.0+cpu",
        "torch 2.13.0 for macOS",
    ]


def test_the_newest_release_decides() -> None:
    """Words that it has no more bear nothing out; a build without CUDA does not speak for one with it."""
    held = {WORDS: "torch/a.so"}
    both = find_shipping_files({OLD: held, NEW: held}, WORDS)
    assert [str(release) for release, _ in both] == ["torch 2.15.0", "torch 2.6.0"]
    assert find_shipping_files({OLD: held, NEW: {WORDS: None}}, WORDS) == []
    assert find_shipping_files({OLD: held, NEW: {}}, WORDS)
    assert find_shipping_files({NEW: held, CPU: {WORDS: None}}, WORDS)
    assert find_shipping_files({}, WORDS) == []


@pytest.mark.parametrize(
    ("wheel", "words", "file", "what"),
    [
        ("torch-2.6", WORDS, "torch/a.so", "wheels: "),
        ("msgspec-0.19.0-cp311-cp311-linux_x86_64", WORDS, "a.so", "no wheel of torch or NumPy"),
        (NEW, "TypeError", "torch/a.so", "no fixed words"),
        (NEW, "on device cuda:0 or else", "torch/a.so", "no fixed words"),
        (NEW, WORDS, "torch/testing/a.py", "no library and no Python file"),
        (NEW, WORDS, "", "no library and no Python file"),
    ],
)
def test_record_that_cannot_be_is_refused(wheel: str, words: str, file: str, what: str) -> None:
    """It names what is wrong."""
    with pytest.raises(FormError, match=what):
        decode_shipped(json.dumps({"schema": 1, "wheels": {wheel: {words: file}}}).encode())


def test_record_is_kept_and_read(tmp_path: Path) -> None:
    """Beside the other records, which leave it as it is."""
    shipped: Shipped = {NEW: {WORDS: "torch/lib/libtorch_python.so"}, OLD: {WORDS: None}}
    write_records(Store(shipped=shipped), tmp_path)
    assert read_records(tmp_path) == Store(shipped=shipped)
    assert write_records(read_records(tmp_path), tmp_path) == []
