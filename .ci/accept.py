#!/usr/bin/env -S python3 -I
"""Copies evidence from an unpacked artifact into the checkout, for a job that may write.

Call it as .ci/accept.py ARTIFACT. The artifact comes from a job that ran examples: it is refused as a whole,
with exit code 1, if it holds anything but plain files of the names below. Needs the standard library alone.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
RECORDS = Path("docs", "records")
REQUIRED = ("docs/records/environments.json", "report.md")
STEM = r"[A-Za-z0-9_][A-Za-z0-9_-]{0,199}"
FOLDER = re.compile(rf"docs(/measurements|/records(/{STEM})?)?", re.ASCII)
# The file of a module's names is called after the module: docs/records/names/numpy.lib.scimath.json.
JSON_FILE = re.compile(rf"docs/(records/({STEM}/)?|measurements/){STEM}(\.{STEM})*\.json", re.ASCII)
REPORT = "report.md"
# Some six times what there is now.
MAX_FILES = 5_000
MAX_BYTES = 8 * 2**20
MAX_TOTAL_BYTES = 128 * 2**20
# A refusal names so many files and counts the rest.
NAMED = 20


def main(arguments: list[str]) -> int:
    """Exit code: 0 if everything was copied, 1 if the artifact was refused, 2 for a wrong call."""
    if len(arguments) != 1 or not Path(arguments[0]).is_dir():
        print("write .ci/accept.py ARTIFACT, a folder", file=sys.stderr)
        return 2
    artifact = Path(arguments[0])
    names, faults = list_files(artifact)
    faults = faults or [f"{name}: missing" for name in REQUIRED if name not in names]
    faults = faults or [fault for fault in find_faults(artifact, names) if fault]
    if faults:
        print("\n".join(["the artifact is refused, nothing was copied:", *shorten(faults)]), file=sys.stderr)
        return 1
    copy(artifact, names)
    print(f"copied {len(names)} files")
    return 0


def shorten(faults: list[str]) -> list[str]:
    """Lines that name the first faults and count the others."""
    rest = len(faults) - NAMED
    return [f"  {fault}" for fault in faults[:NAMED]] + ([f"  … and {rest} more"] if rest > 0 else [])


def list_files(artifact: Path) -> tuple[list[str], list[str]]:
    """Names of expected plain files, sorted, and what is wrong with everything else."""
    names: list[str] = []
    faults: list[str] = []
    for count, entry in enumerate(walk(artifact)):
        if count == MAX_FILES:
            return names, [f"more than {MAX_FILES:,} files and folders"]
        name = Path(entry.path).relative_to(artifact).as_posix()
        if entry.is_symlink():
            faults.append(f"{name!a}: a link")
        elif entry.is_dir(follow_symlinks=False):
            if FOLDER.fullmatch(name) is None:
                faults.append(f"{name!a}: no folder of records or measurements")
        elif not entry.is_file(follow_symlinks=False):
            faults.append(f"{name!a}: no plain file")
        elif name != REPORT and JSON_FILE.fullmatch(name) is None:
            faults.append(f"{name!a}: no record, measurement or report")
        else:
            names.append(name)
    return sorted(names), faults


def walk(folder: Path) -> Iterator[os.DirEntry[str]]:
    """Everything below a folder; links are not followed."""
    with os.scandir(folder) as entries:
        for entry in entries:
            yield entry
            if entry.is_dir(follow_symlinks=False):
                yield from walk(Path(entry.path))


def find_faults(artifact: Path, names: list[str]) -> Iterator[str]:
    """What is wrong with the size or the content of files."""
    total = 0
    for name in names:
        size = (artifact / name).lstat().st_size
        total += size
        if size > MAX_BYTES:
            yield f"{name}: more than {MAX_BYTES:,} bytes"
        elif total > MAX_TOTAL_BYTES:
            yield f"more than {MAX_TOTAL_BYTES:,} bytes together"
            return
        else:
            yield find_fault(name, (artifact / name).read_bytes())


def find_fault(name: str, content: bytes) -> str:
    """What is wrong with the content of a file; empty if nothing is."""
    try:
        text = content.decode("utf-8")
        if name != REPORT:
            json.loads(text)
    except (ValueError, RecursionError):
        return f"{name}: no {'text' if name == REPORT else 'JSON'} in UTF-8"
    return ""


def copy(artifact: Path, names: list[str]) -> None:
    """Replace the records of the checkout, add measurements, and put the report beside them."""
    shutil.rmtree(CHECKOUT / RECORDS)
    for name in names:
        path = CHECKOUT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        # Only the content: no mode, no owner, no time.
        path.write_bytes((artifact / name).read_bytes())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
