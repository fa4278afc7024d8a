"""Sessions of nox run as commands: what they record, and what they leave behind when something goes wrong."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from samples import GPU, OLDER, ROOT, captured, example, project, python, ran

from tensor_atlas.checkout import releases
from tensor_atlas.errors import BAD_INPUT
from tensor_atlas.history.releases import age_key, summarize_environment
from tensor_atlas.probe.capture import write_capture
from tensor_atlas.records import store

# --- on a GPU ------------------------------------------------------------------------------------


def test_probe_of_a_gpu_builder_is_found_from_any_folder(tmp_path: Path) -> None:
    """The CUDA tests run it in a folder of their own."""
    done = python(tmp_path, "-m", "tensor_atlas.probe", "--help", **releases.BUILDER)
    assert done.returncode == 0, done.stderr
    assert releases.BUILDER["PYTHONPATH"] == str(ROOT / "src")


def test_machine_without_a_gpu_is_told_so_with_exit_code_2(checkout: Path) -> None:
    """One line; nothing is run, installed or recorded."""
    before = {path: path.read_bytes() for path in (checkout / "docs").rglob("*.json")}
    done = python(checkout, "-m", "nox", "-s", "gpu", "--", "--python", sys.executable)
    assert done.returncode == BAD_INPUT
    assert (
        len(
            re.findall(
                r"^nox -s gpu: torch .* finds no CUDA device: nothing recorded$", done.stderr, re.MULTILINE
            )
        )
        == 1
    )
    assert "Traceback" not in done.stderr
    assert {path: path.read_bytes() for path in (checkout / "docs").rglob("*.json")} == before
    assert not (checkout / ".nox" / "site").exists()


# --- what it does --------------------------------------------------------------------------------

SPECS = [importlib.util.find_spec(name) for name in ("torch", "numpy")]
HERE = {
    str(Path(spec.origin).parents[1]): None for spec in SPECS if spec is not None and spec.origin is not None
}
"""Folders that hold the installed torch and NumPy."""
PLANTING = (ROOT / "tests" / "next_release" / "sitecustomize.py").read_text(encoding="utf-8")
FAKES: Mapping[tuple[str, str], Mapping[str, str]] = {
    # The installed torch: one calls itself 2.99.0 and has planted changes, the other is as it is.
    ("torch", "2.99.0"): {
        "next.pth": "\n".join([*HERE, "import planting_torch"]),
        "planting_torch.py": PLANTING,
    },
    ("torch", "2.96.0"): {"same.pth": "\n".join(HERE)},
    ("torch", "2.98.0"): {
        "numpy/__init__.py": "",
        "torch/__init__.py": "raise ImportError('libcudart.so.99: cannot open shared object file')",
    },
    ("torch", "2.97.0"): {"torch/__init__.py": "import time\nprint('it hangs', flush=True)\ntime.sleep(60)"},
    ("numpy", "2.4.6"): {},
    ("cupy", "3.0"): {"cupy.py": "TOLD = 'a library of the tests'\n"},
}
"""Releases that pip finds in the tests, with the files of each."""


@dataclass(frozen=True)
class Done:
    """A nox session that has ended."""

    exit_code: int
    """Its exit code."""
    output: str
    """What it wrote, standard error included."""
    records: Mapping[str, str]
    """Text of each file below docs/records."""
    left: list[str]
    """What is in the folder of nox's environments."""
    report: str | None
    """Text of report.md; None where there is none."""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Checkout with one example, recorded with an older release, in which pip finds the fakes and has no
    network.
    """
    root = project(tmp_path / "checkout")
    for name in ("noxfile.py", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, root / name)
    settings = (root / "pyproject.toml").read_text(encoding="utf-8")
    ours = re.sub(
        r"^dynamo = \[.*?^\]\n", "", settings, flags=re.MULTILINE | re.DOTALL
    )  # examples of the gallery
    (root / "pyproject.toml").write_text(ours, encoding="utf-8")
    (root / "src").symlink_to(ROOT / "src")
    what = example("import torch\n\nprint(torch.arange(2).dtype)\n# => torch.int64\n")
    path = root / what.path
    path.parent.mkdir(parents=True)
    path.write_text(what.source, encoding="utf-8")
    older = captured(ran(what, "", "torch.int64"), environment=OLDER)
    store.write_records(store.add_capture(store.Store(), older), root / "docs" / "records")
    for (name, release), files in FAKES.items():
        wheel(tmp_path / "wheels", name, release, files)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")  # what a GPU recorded has other neighbours
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    return root


def wheel(folder: Path, name: str, release: str, files: Mapping[str, str]) -> None:
    """Write a wheel that pip installs."""
    folder.mkdir(exist_ok=True)
    about = f"{name}-{release}.dist-info"
    texts = {
        **files,
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {release}\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},,\n" for path in (*texts, f"{about}/RECORD"))
    with zipfile.ZipFile(folder / f"{name}-{release}-py3-none-any.whl", "w") as archive:
        for path, text in {**texts, f"{about}/RECORD": record}.items():
            archive.writestr(path, text)


LISTENING = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("nox", run_name="__main__", alter_sys=True)
"""
"""nox, to which Ctrl-C comes even where a shell started the tests in the background, deaf to it."""


def record(root: Path, *arguments: str, interrupt_at: str = "\0") -> Done:
    """Result of ``nox -s record -- ARGUMENTS``; interrupted, as by Ctrl-C, once it has written
    ``interrupt_at``.
    """
    output = root / "output.txt"
    with output.open("wb") as file:
        session = subprocess.Popen(
            [sys.executable, "-c", LISTENING, "-s", "record", "--", *arguments],
            cwd=root,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    interrupted = False
    while session.poll() is None:
        if not interrupted and interrupt_at in output.read_text(encoding="utf-8"):
            os.killpg(session.pid, signal.SIGINT)
            interrupted = True
        time.sleep(0.05)
    report = root / "report.md"
    return Done(
        session.returncode,
        output.read_text(encoding="utf-8"),
        records(root),
        [path.name for path in (root / ".nox").glob("*") if path.name.startswith("record")],
        report.read_text(encoding="utf-8") if report.is_file() else None,
    )


def records(root: Path) -> dict[str, str]:
    """Text of each file below docs/records."""
    folder = root / "docs" / "records"
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*.json")}


@pytest.mark.slow
def test_all_is_of_the_python_that_runs_nox(checkout: Path) -> None:
    """The commands for the others are named; where there are only others, nothing is installed."""
    path = checkout / "docs" / "records" / "environments.json"
    text = path.read_text(encoding="utf-8")
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    path.write_text(re.sub(r'"python": "[^"]*"', '"python": "3.99.1"', text), encoding="utf-8")
    done = record(checkout, "all")
    assert done.exit_code == 1
    assert (
        f"no environments with Python {own}, which runs nox: python3.99 -m nox -s record -- all"
        in done.output
    )
    assert "virtualenv" not in done.output
    both = json.loads(re.sub(r'"python": "[^"]*"', f'"python": "{own}.1"', text))
    both["environments"] += json.loads(path.read_text(encoding="utf-8"))["environments"]
    path.write_text(json.dumps(both), encoding="utf-8")
    done = record(checkout, "all")
    assert (
        "what was recorded with another Python takes that: python3.99 -m nox -s record -- all" in done.output
    )


@pytest.mark.slow
def test_failure_is_told_and_leaves_the_records_as_they_were(checkout: Path) -> None:
    """All that failed is named at the end, in one line.

    A capture that was made is kept, an environment is not. One release does not exist, with one the probe
    dies, and the capture of one meets a broken project.
    """
    before = records(checkout)
    deviations = checkout / "docs" / "deviations.toml"
    deviations.write_text("[[deviation", encoding="utf-8")
    done = record(checkout, "2.95.0", "2.98.0", "2.99.0")
    assert done.exit_code == 1
    assert (
        "Session record aborted: not recorded: "
        "torch==2.95.0 numpy (pip could not install it, docs/records is as it was: see above), "
        "torch==2.98.0 numpy (the probe could not run, docs/records is as it was: see above), "
        "torch==2.99.0 numpy (could not be folded in, try again: "
        "nox -s record -- --from .nox/record-torch-2.99.0-numpy.json: see above)"
    ) in done.output
    assert "libcudart.so.99: cannot open shared object file" in done.output
    assert done.records == before
    assert done.left == ["record-torch-2.99.0-numpy.json"]

    deviations.unlink()
    again = record(checkout, "--from", ".nox/record-torch-2.99.0-numpy.json")
    assert again.exit_code == 0, again.output
    assert "torch-2.99.0+cpu" in again.records["01_x/a.json"]


@pytest.mark.slow
def test_interrupting_loses_nothing_that_was_finished(checkout: Path) -> None:
    """The releases before are folded in and in the report; of the one that was running nothing is left."""
    done = record(
        checkout, "2.96.0", "newest", "2.97.0", "2.98.0", "--report", "report.md", interrupt_at="it hangs"
    )
    assert done.exit_code == 130
    older, here, later = sorted(
        store.read_records(checkout / "docs" / "records").environments.values(), key=age_key
    )
    assert (older.torch, later.torch) == (OLDER.torch, "2.99.0+cpu")
    change = "examples/01_x/a.py:10  value, dtype or device changed"
    assert done.output.count(change) == 1
    assert done.report is not None
    assert [line for line in done.report.split("\n") if line.startswith("## ")] == [
        f"## {summarize_environment(here)}",
        f"## {summarize_environment(later)}",
    ]
    whole = (checkout / "report-whole.md").read_text(encoding="utf-8")
    heads = [line for line in whole.split("\n") if line.startswith(("## ", "### ", "examples/"))]
    assert heads == [
        f"## {summarize_environment(here)}",
        f"### {summarize_environment(older)}  →  {summarize_environment(here)}",
        f"## {summarize_environment(later)}",
        f"examples/01_x/a.py:11  claim differs ({summarize_environment(later)})",
        f"### {summarize_environment(here)}  →  {summarize_environment(later)}",
        change,
    ]
    assert done.left == []


@pytest.mark.slow
def test_library_is_installed_for_the_examples_that_need_it(checkout: Path) -> None:
    """One that pip does not find is named, and the release is recorded without it."""
    source = example("import cupy\n\nprint(cupy.TOLD)\n# => a library of the tests\n").source
    tagged = source.replace("import cupy", '# sphinx_gallery_tags = ["cupy"]\n\nimport cupy')
    (checkout / "examples" / "01_x" / "b.py").write_text(tagged, encoding="utf-8")
    done = record(checkout, "2.96.0", "--with", "cupy", "no-such-library")
    assert done.exit_code == 0, done.output
    assert "no-such-library does not fit" in done.output
    assert "a library of the tests" in done.records["01_x/b.json"]


@pytest.mark.slow
def test_named_examples_alone_are_recorded(checkout: Path) -> None:
    """In each environment that is asked for; the records of all others stay to the byte."""
    other = example('print("other")\n# => other\n', "examples/02_y/b.py")
    (checkout / "examples" / "02_y").mkdir()
    (checkout / other.path).write_text(other.source, encoding="utf-8")
    done = record(checkout, "2.96.0")
    assert done.exit_code == 0, done.output
    before = done.records
    for path in (checkout / "examples").glob("*/*.py"):
        path.write_text(path.read_text(encoding="utf-8") + "value = 1\n", encoding="utf-8")
    done = record(checkout, "2.96.0", "2.99.0", "--only", "01_x/a")
    assert done.exit_code == 0, done.output
    assert done.output.count("1 example executed") == 2
    assert {name for name in before if done.records[name] != before[name]} == {
        "environments.json",
        "01_x/a.json",
    }
    assert "value = 1" in done.records["01_x/a.json"]


def test_example_that_does_not_exist_is_refused_before_anything_is_installed(checkout: Path) -> None:
    """With the nearest name that there is, and exit code 2."""
    before = records(checkout)
    done = record(checkout, "all", "--only", "01_x/a", "01_x/aa")
    assert done.exit_code == 2
    assert "nox -s record: no example 01_x/aa: did you mean 01_x/a?\n" in done.output
    assert "Traceback" not in done.output
    assert "virtualenv" not in done.output
    assert done.records == before


def test_capture_from_elsewhere_is_folded_in(checkout: Path) -> None:
    """Nothing is installed for it, and nothing is run."""
    what = example("import torch\n\nprint(torch.arange(2).dtype)\n# => torch.int64\n")
    write_capture(captured(ran(what, "", "torch.int64"), environment=GPU), checkout / "capture.json")
    done = record(checkout, "--from", "capture.json", "--report", "report.md")
    assert done.exit_code == 0, done.output
    assert GPU.id in done.records["01_x/a.json"]
    assert done.report is not None
    title = "torch 2.13.0+cu130, NumPy 2.4.6, NVIDIA H200"
    assert done.report.startswith(f"## {title}\n\n| Environment |")
    whole = (checkout / "report-whole.md").read_text(encoding="utf-8")
    assert whole.startswith(f"## {title}\n\nEverything is explained.\n")
    assert not (checkout / ".nox" / "site").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["2.99.0", "--report", "docs"], "Session record aborted: docs cannot be written (Is a directory)"),
        (["all"], "Session record aborted: docs/records/environments.json names no environments"),
    ],
)
def test_what_cannot_be_done_is_told_before_anything_is_installed(
    checkout: Path, arguments: list[str], words: str
) -> None:
    """In one line, without a traceback."""
    (checkout / "docs" / "records" / "environments.json").write_text("[]", encoding="utf-8")
    done = record(checkout, *arguments)
    assert done.exit_code == 1
    assert words in done.output
    assert "Traceback" not in done.output
    assert "virtualenv" not in done.output
