"""Which examples ran where: signs of the coverage table, rows of environments and devices, what waits."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from packaging.version import Version

from tensor_atlas.compare.evidence import Evidence, ExampleEvidence, Origin
from tensor_atlas.compare.upgrade import list_places
from tensor_atlas.history.releases import (
    age_key,
    is_compatible,
    minor_release,
    name_environment,
    python_minor,
    torch_release,
)
from tensor_atlas.history.timeline import main_environments, rate_agreement
from tensor_atlas.model.runs import Environment, Status
from tensor_atlas.pages.release_badge import SIGNS

STATES = {
    "Runs on": (("=≈", ""),),
    "Differs on": (("≠", ""), ("×", "ends early on ")),
    "Not run on": (("–·", ""), ("s", "an older version ran on ")),
}
"""Columns of the coverage table: signs of find_sign, and what stands before the releases that have them."""
SILENT = ("–", "0")
"""What a table says where there is nothing to say."""
COUNTED = ("current", "stale", "not run")
"""States of an example in an environment, in the order in which pages list them."""


def find_columns(evidence: Evidence) -> Iterator[Environment]:
    """One environment for each release without an accelerator, then those of each accelerator."""
    known = {e.id: e for e in evidence.store.environments.values()}
    if evidence.capture is not None:
        known[evidence.capture.environment.id] = evidence.capture.environment
    devices = {environment.device for environment in known.values()}
    for device in sorted(devices, key=lambda device: (device != "cpu", device)):
        yield from main_environments([e for e in known.values() if e.device == device])


DeviceStates = Mapping[str, tuple[str, ...]]
"""Of accelerators by name what each release of torch there did, a sign for each."""


def find_usual_states(rows: Sequence[Mapping[Environment, str]]) -> DeviceStates:
    """What each accelerator did with more than half of some examples; no device without such a majority."""
    counts: defaultdict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    for signs in rows:
        for device, states in _read_devices(signs).items():
            counts[device][states] += 1
    most = {device: count.most_common(1)[0] for device, count in counts.items()}
    return {device: states for device, (states, count) in most.items() if 1 < count > len(rows) / 2}


def _read_devices(signs: Mapping[Environment, str]) -> DeviceStates:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for environment, sign in signs.items():
        if environment.device != "cpu":
            found[environment.device].append(sign.replace("≈", "=").replace("–", "·"))
    return {device: tuple(states) for device, states in found.items()}


def describe_usual_states(rows: Sequence[Mapping[Environment, str]]) -> str:
    """The same in words: ``Runs on NVIDIA H100 with 2.11. Not run on XLA CPU with 2.1–2.9.``."""
    usual = find_usual_states(rows)
    for signs in rows:
        devices = _read_devices(signs)
        if all(devices[device] == states for device, states in usual.items()):
            known = {each: sign for each, sign in signs.items() if each.device in usual}
            cells = zip(STATES, describe_states(known), strict=True)
            return " ".join(f"{head} {words}." for head, words in cells if words)
    return ""


def describe_states(signs: Mapping[Environment, str], usual: DeviceStates | None = None) -> list[str]:
    """Cells of an example's row below STATES, from its sign in every column; without what is usual."""
    devices = _read_devices(signs)
    same = {device for device, states in (usual or {}).items() if devices.get(device) == states}
    own = {environment: sign for environment, sign in signs.items() if environment.device not in same}
    return ["; ".join(_describe_parts(own, parts)) for parts in STATES.values()]


def _describe_parts(signs: Mapping[Environment, str], parts: Iterable[tuple[str, str]]) -> Iterator[str]:
    for wanted, before in parts:
        releases = [each for each, sign in signs.items() if sign in wanted]
        if releases:
            yield before + name_columns(releases, list(signs))


def name_columns(some: Sequence[Environment], every: Sequence[Environment]) -> str:
    """``torch 1.13–2.2, 2.5, NVIDIA H100 with 2.13``: releases of the processor, then of each accelerator."""
    parts: list[str] = []
    for device in dict.fromkeys(each.device for each in some):
        words = _join_runs(some, [each for each in every if each.device == device])
        parts.append(f"torch {words}" if device == "cpu" else f"{device} with {words}")
    return ", ".join(parts)


def _join_runs(some: Sequence[Environment], line: Sequence[Environment]) -> str:
    """Releases of a line that are among ``some``; neighbours from the first to the last."""
    runs = [list(run) for is_in, run in groupby(line, lambda each: each in some) if is_in]
    return ", ".join(map(_name_run, runs))


def _name_run(run: Sequence[Environment]) -> str:
    first, last = (minor_release(each.torch) for each in (run[0], run[-1]))
    return first if first == last else f"{first}–{last}"


def find_sign(page: ExampleEvidence, evidence: Evidence, environment: Environment) -> str:
    """Sign among STATES for one example in one environment."""
    runs = {e.id: run for e, run in page.runs}
    run = runs.get(environment.id)
    if run is None or page.run is None:
        if environment.id in {e.id for e, _ in page.not_run}:
            return "–"
        return "s" if environment.id in {e.id for e in page.stale} else "·"
    if run.status is not Status.COMPLETED:
        return "×"
    return SIGNS[rate_agreement(evidence.examples[page.example.name], run, page.run)]


def find_signs(
    page: ExampleEvidence, evidence: Evidence, environments: Iterable[Environment]
) -> dict[Environment, str]:
    """Sign of an example in each environment."""
    return {environment: find_sign(page, evidence, environment) for environment in environments}


def count_runs(evidence: Evidence, environment: Environment) -> Counter[str]:
    """Examples by their state in an environment: current, stale (it ran an older version), not run."""
    if evidence.capture is not None and evidence.capture.environment.id == environment.id:
        runs = list(evidence.capture.runs)
    else:
        records = evidence.store.records.values()
        runs = [record.runs[environment.id] for record in records if environment.id in record.runs]
    counts: Counter[str] = Counter()
    for run in runs:
        example = evidence.examples.get(run.example)
        if example is None:
            continue
        if run.status is Status.NOT_RUN:
            counts["not run"] += 1
        else:
            counts["current" if run.digest == example.digest else "stale"] += 1
    return counts


def find_common(rows: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Columns in which every row says the same, or nothing; releases have columns whatever they say."""
    others = [head for head in rows[0] if head not in ("torch", "NumPy", "Python")]
    same = {head: rows[0][head] for head in others if len(set(map(itemgetter(head), rows))) == 1}
    return {head: text for head, text in same.items() if len(rows) > 1 or text in SILENT}


def describe_environment_row(evidence: Evidence, environment: Environment) -> dict[str, str]:
    """Text by column of the row of an environment."""
    is_here = evidence.capture is not None and evidence.capture.environment.id == environment.id
    counts = count_runs(evidence, environment)
    columns = {
        "torch": environment.torch,
        "NumPy": environment.numpy,
        "Python": environment.python,
        "Platform": environment.platform,
        "Device": environment.device,
        "Driver": environment.driver or "–",
        "Date": f"{environment.date} (this build)" if is_here else environment.date,
    }
    return columns | {word.capitalize(): str(counts[word]) for word in COUNTED}


@dataclass(frozen=True)
class Pairing:
    """The releases of NumPy that ran beside a torch on one Python; minor releases, the oldest first."""

    torch: str
    python: str
    working: tuple[str, ...]
    """Releases of NumPy that this torch can use."""
    failing: tuple[str, ...]
    """Releases of NumPy that it cannot use."""


def list_pairings(evidence: Evidence) -> list[Pairing]:
    """Which NumPy ran beside which torch on which Python: the newest torch first, then the newest Python."""
    working: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    failing: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for environment in evidence.environments:
        side = working if is_compatible(environment) else failing
        pair = minor_release(environment.torch), python_minor(environment)
        side[pair].add(minor_release(environment.numpy))
    ordered = sorted({*working, *failing}, key=lambda pair: tuple(map(Version, pair)), reverse=True)
    return [Pairing(*pair, sort_releases(working[pair]), sort_releases(failing[pair])) for pair in ordered]


def describe_range(one: Pairing) -> tuple[str, str]:
    """Which NumPy fits a torch, in words, and as pip asks for both."""
    if one.failing:
        major = Version(one.failing[0]).major
        return f"NumPy {major - 1} fits, NumPy {major} does not", f"numpy<{major}"
    first, last = Version(one.working[0]), Version(one.working[-1])
    words = f"Tried: NumPy {first}" + (f" to {last}" if last > first else "")
    return words, f"numpy>={first},<{last.major}.{last.minor + 1}"


def sort_releases(releases: Iterable[str]) -> tuple[str, ...]:
    """Releases, each once, the oldest first."""
    return tuple(sorted(set(releases), key=Version))


def describe_device_row(evidence: Evidence, environment: Environment) -> list[str]:
    """Row of one accelerator with one release."""
    counts = count_runs(evidence, environment)
    texts = [environment.device, environment.torch, environment.cuda or "none", environment.driver or "–"]
    texts.append(environment.date)
    texts.append(", ".join(f"{counts[word]} {word}" for word in COUNTED if counts[word]))
    return texts


def name_releases(environment: Environment) -> str:
    """``torch 2.15.0 and NumPy 2.5.5 on 2026-11-23``."""
    return f"torch {torch_release(environment)} and NumPy {environment.numpy} on {environment.date}"


def find_unconfirmed_examples(evidence: Evidence) -> list[ExampleEvidence]:
    """Examples that no run has confirmed as they are."""
    return [shown for shown in evidence.pages.values() if shown.origin is Origin.EXPECTED]


def find_stale_examples(evidence: Evidence, environment: Environment) -> list[ExampleEvidence]:
    """Examples of which a device has run older versions only, with any release; by name."""
    stale: list[ExampleEvidence] = []
    for _, page in sorted(evidence.pages.items()):
        current = {e.device for e, _ in page.runs}
        if environment.id in {e.id for e in page.stale} and environment.device not in current:
            stale.append(page)
    return stale


def group_waiting_examples(evidence: Evidence) -> dict[str, list[ExampleEvidence]]:
    """Examples that no run has confirmed as they are, by what was missing, each group by name."""
    groups: dict[str, list[ExampleEvidence]] = {}
    for page in sorted(find_unconfirmed_examples(evidence), key=lambda page: page.example.name):
        groups.setdefault(page.missing or "no run has been recorded", []).append(page)
    return groups


def list_releases(evidence: Evidence) -> list[str]:
    """Minor releases of torch that ran an example with a NumPy that fits, the oldest first."""
    compatible = filter(is_compatible, evidence.environments)
    return list(dict.fromkeys(minor_release(environment.torch) for environment in compatible))


def list_upgrade_ends(evidence: Evidence) -> list[str]:
    """Environments without an accelerator that *Upgrade* compares, by the names it gives them, newest first.

    Releases that do not work together are left to that page.
    """
    places = sorted(filter(is_compatible, list_places(evidence)), key=age_key, reverse=True)
    names = dict.fromkeys(map(name_environment, places))
    return [name for name in names if name.split("/")[2] == "cpu"]
