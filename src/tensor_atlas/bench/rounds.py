"""Runs the systems in rounds, one after the other, and keeps what each run took; what is kept is not run again."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

from tensor_atlas.bench import forms
from tensor_atlas.bench.systems import START, System, Work, emptied, place, with_fault
from tensor_atlas.bench.workload import Document, answered, documents, drafted, write

MEMORY = (-1, -2, -3)
"""Rounds in which memory is measured and time does not count: a peak depends on which processes meet."""
LIMIT = 3600.0
"""Seconds a run may take."""
LONG = 20.0
"""Seconds that a system takes in all its states above which it is run twice, and its memory sampled in the second."""
OFTEN, SELDOM = 0.02, 0.25
"""Seconds between two samples of memory, in a run whose time does not count and in one whose time does."""


@dataclass(frozen=True)
class Size:
    """How much there is to do."""

    count: int
    """Examples."""
    per_file: int = 1
    """Examples in one file."""

    def __str__(self) -> str:
        return f"{self.count} examples, {self.per_file} a file"


@dataclass(frozen=True)
class Taken:
    """What one run took."""

    count: int
    per_file: int
    round: int
    system: str
    state: str
    wall: float
    """Seconds until the command had ended."""
    cpu: float
    """Seconds of processor time, of all its processes."""
    largest: int
    """Peak memory of the largest of its processes, in bytes."""
    memory: int | None
    """Peak memory of all together, in bytes; None where it was not asked for."""
    page: float | None
    """Bytes of the median page; None where there are none."""


class NotDoneError(Exception):
    """A run that failed, or did not do its work: nothing is measured then."""


@dataclass(frozen=True)
class Bench:
    """A size and what belongs to it, in a folder of its own."""

    size: Size
    folder: Path

    @cached_property
    def documents(self) -> list[Document]:
        """The workload, with what its statements print here."""
        return documents(answered([drafted(number) for number in range(self.size.count)]), self.size.per_file)

    @cached_property
    def others(self) -> list[Document]:
        """The document in the middle, twice over: with other numbers."""
        first, which = self.middle * self.size.per_file, (1, 2)
        drafts = [
            drafted(first + k, variant) for variant in which for k in range(len(self.documents[self.middle]))
        ]
        return documents(answered(drafts), len(self.documents[self.middle]))

    @property
    def middle(self) -> int:
        """Index of the document that changes."""
        return len(self.documents) // 2

    def work(self, system: System) -> Work:
        """The workload written for a system."""
        return place(system, self.documents, self.folder / system.name)

    def changed(self, work: Work, system: System) -> Work:
        """The workload with another document in the middle, written."""
        now = list(work.documents)
        now[self.middle] = self.others[now[self.middle] == self.others[0]]
        path = forms.script_path(self.middle)
        write({path: system.form(now)[path]}, work.folder)
        return Work(work.folder, tuple(now))


class Runs:
    """What has been taken so far, kept in a file; whoever is interrupted goes on where it was."""

    def __init__(self, path: Path, key: str) -> None:
        """Read what was kept in ``path`` under the same ``key``; forget what was kept under another."""
        self._path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        self.taken: list[Taken] = []
        if lines[:1] == [json.dumps(key)]:
            self.taken = [Taken(**json.loads(line)) for line in lines[1:]]
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{json.dumps(key)}\n", encoding="utf-8")

    def add(self, found: Sequence[Taken]) -> None:
        """Keep what one system took, in all its states at once: a half of them cannot be gone on with."""
        self.taken += found
        with self._path.open("a", encoding="utf-8") as file:
            file.write("".join(f"{json.dumps(asdict(one))}\n" for one in found))

    def of(self, size: Size, round_: int, system: System) -> list[Taken]:
        """What a system took in a round."""
        wanted = (size.count, size.per_file, round_, system.name)
        return [t for t in self.taken if (t.count, t.per_file, t.round, t.system) == wanted]

    def sampling(self, size: Size, round_: int, system: System) -> float | None:
        """Pause between samples of memory in a round of a system; 0 for none, and None where the round is not run."""
        if system.slow:
            return SELDOM if round_ == 0 else None
        if sum(one.wall for one in self.of(size, 0, system)) > LONG:
            return {0: 0.0, 1: SELDOM}.get(round_)
        return OFTEN if round_ in MEMORY else 0.0


def measure(
    size: Size, systems: Sequence[System], rounds: int, kept: Runs, folder: Path, tell: Callable[[str], None]
) -> None:
    """Take what is missing of a size. Every round begins and ends with the floor, which is the first of ``systems``."""
    bench = Bench(size, folder / f"{size.count}-{size.per_file}")
    floor, *others = systems
    works: dict[str, Work] = {}
    for round_ in [*range(rounds), *MEMORY]:
        due = [
            s for s in others if kept.sampling(size, round_, s) is not None and not kept.of(size, round_, s)
        ]
        ends = 1 if round_ in MEMORY else 2
        if not due and len(kept.of(size, round_, floor)) >= ends:
            continue
        cut = round_ % max(1, len(due))
        for system in [floor, *due[cut:], *due[:cut], floor][: len(due) + ends]:
            if system.name not in works:
                works[system.name] = bench.work(system)
                if system is floor:
                    run(
                        floor, works[floor.name], "cold"
                    )  # whoever is the first to read torch waits for the disk
            pause = kept.sampling(size, round_, system) or 0.0
            found, works[system.name] = take(bench, system, works[system.name], round_, pause)
            kept.add(found)
            shown = ", ".join(f"{one.state} {one.wall:.2f} s" for one in found)
            tell(f"{size}, {'memory' if round_ in MEMORY else f'round {round_ + 1}'}: {system.name} {shown}")


def take(bench: Bench, system: System, work: Work, round_: int, pause: float) -> tuple[list[Taken], Work]:
    """What a system takes in each of its states, and the workload as it then is; ``pause`` is that of sampling."""
    found = []
    size = bench.size
    emptied(system, work)
    for state in system.states:
        if state == "changed":
            work = bench.changed(work, system)
        spent = run(system, work, state, pause)
        found.append(
            Taken(
                size.count,
                size.per_file,
                round_,
                system.name,
                state,
                spent["wall"],
                spent["cpu"],
                int(spent["largest"]),
                None if spent["memory"] is None else int(spent["memory"]),
                _page(system, work),
            )
        )
    return found, work


def _page(system: System, work: Work) -> float | None:
    """Bytes of the median page."""
    sizes = [path.stat().st_size for path in work.folder.glob(system.pages)] if system.pages else []
    return statistics.median(sizes) if sizes else None


def run(system: System, work: Work, state: str, pause: float = 0.0) -> dict[str, float]:
    """What a run took, by the names of ``clock``; NotDoneError when it failed or did not do its work."""
    code, said, spent = _run(system.command(work), work.folder, pause)
    if code != 0 or not system.sees(work, state, said):
        reason = f"ended with exit code {code}" if code else "did not do its work"
        raise NotDoneError(f"{system.name}, {state}: {reason}, in {work.folder}:\n{said[-3000:]}")
    return spent


def _run(arguments: Sequence[str], folder: Path, pause: float = 0.0) -> tuple[int, str, dict[str, float]]:
    """Exit code of Python with these arguments, what it said, and what that took."""
    clock = [sys.executable, "-m", "tensor_atlas.bench.clock", *(["--memory", str(pause)] if pause else [])]
    log = folder / "bench.log"
    with log.open("w", encoding="utf-8") as file:
        done = subprocess.run(
            [*clock, "--", sys.executable, *arguments],
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=file,
            check=True,
            timeout=LIMIT,
        )
    spent = json.loads(done.stdout)
    return spent.pop("code"), log.read_text(encoding="utf-8", errors="replace"), spent


def _environment() -> dict[str, str]:
    """Environment of every run: pytest loads the plugin that is named to it, not all that are installed here."""
    dropped = {"PYTHONDONTWRITEBYTECODE", "PYTEST_ADDOPTS", "PYTHONPATH"}
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    source = Path(__file__).parents[2]
    return {**kept, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "NO_COLOR": "1", "PYTHONPATH": str(source)}


def start(folder: Path, rounds: int) -> float:
    """Median seconds of starting Python and importing NumPy and torch."""
    folder.mkdir(parents=True, exist_ok=True)
    return statistics.median(_run(START, folder)[2]["wall"] for _ in range(rounds))


def tried(system: System, folder: Path, count: int = 3) -> tuple[bool, bool]:
    """Whether a system ends well on a small workload, and whether it fails on the same with one fault in its end."""
    bench = Bench(Size(count), folder)
    well = run_well(system, place(system, bench.documents, folder / system.name))
    wrong = place(system, with_fault(system, bench.documents), folder / f"{system.name}-fault")
    return well, _run(system.command(wrong), wrong.folder)[0] != 0


def run_well(system: System, work: Work) -> bool:
    """Whether a run from nothing does its work."""
    try:
        run(system, work, "cold")
    except NotDoneError:
        return False
    return True


def trials(systems: Sequence[System], folder: Path) -> Iterator[str]:
    """Complaints about systems whose numbers would mean nothing: they fail without a fault, or pass with one."""
    for system in systems:
        well, caught = tried(system, folder / "trial")
        if not well:
            yield f"{system.name} fails on a workload without a fault: see {folder / 'trial' / system.name}"
        if not caught and system.name not in BLIND:
            yield f"{system.name} passes a workload with a fault: see {folder / 'trial' / f'{system.name}-fault'}"


BLIND = ("gallery-plain",)
"""Systems that execute nothing, and so cannot fail."""
