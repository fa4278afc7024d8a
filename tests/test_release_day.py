"""Each workflow is tried, step by step, on days that go well and days that do not; nothing is installed.

A release is a relabelled copy of what is recorded of the newest one, in part.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from committed import committed_records
from hosting.runner import Host, make_host
from samples import ROOT

from tensor_atlas.compare.proposals import MOST_CHARACTERS
from tensor_atlas.history.releases import newest_environment, torch_release
from tensor_atlas.model.capture import Capture, Shard, encode_capture
from tensor_atlas.model.runs import Environment, Run, Status

pytestmark = pytest.mark.slow

NEXT = "2.99.0"
"""A release that is not recorded."""
RUNNERS = {"ubuntu-latest": "linux-x86_64", "ubuntu-24.04-arm": "linux-aarch64", "macos-15": "darwin-arm64"}
"""Platform of each runner."""
PYTHONS = {"3.11": ("3.11.7", "2.4.6"), "3.14": ("3.14.10", "2.5.5")}
"""Release of Python and of NumPy with each minor release of Python."""
SHARDS = 3
TAKEN = 60
"""Examples of a capture: enough for three shards, and for a report."""


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Host:
    """Host of this checkout."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    made = make_host(tmp_path / "host", ROOT, {})
    offer(made, NEXT)
    return made


def offer(host: Host, torch: str) -> None:
    """Have pip offer a release of torch."""
    found = {
        "torch": {minor: [torch] for minor in PYTHONS},
        "numpy": {minor: [numpy] for minor, (_, numpy) in PYTHONS.items()},
    }
    (host.folder / "offered.json").write_text(json.dumps(found), encoding="utf-8")


def newest() -> Environment:
    """The environment whose record is relabelled."""
    found = newest_environment(committed_records().environments.values())
    assert found is not None
    return found


def list_runs(*, drift: bool) -> list[Run]:
    """What a capture holds: recorded runs, as they are or with other output."""
    runs = [run for run in committed_records().runs(newest().id).values() if run.status is Status.COMPLETED]
    taken = sorted(runs, key=lambda run: run.example)[:TAKEN]
    return [change_output(run) for run in taken] if drift else taken


def change_output(run: Run) -> Run:
    """The run of a release that prints something else wherever it prints."""
    seen = [replace(one, stdout=f"{one.stdout} now") if one.stdout else one for one in run.observations]
    return replace(run, observations=tuple(seen))


def put_captures(host: Host, torch: str, *, drift: bool) -> None:
    """Have every shard of every Python and runner find a capture."""
    runs = list_runs(drift=drift)
    for runner, platform in RUNNERS.items():
        for minor, (python, numpy) in PYTHONS.items():
            where = replace(newest(), torch=torch, numpy=numpy, python=python, platform=platform, engines=())
            for number in range(1, SHARDS + 1):
                shard = Shard(number, SHARDS, "0123456789abcdef")
                part = tuple(shard.select(runs))
                write_capture(host, f"{runner} {minor} {number}", Capture(where, part, {}, shard=shard))


def write_capture(host: Host, name: str, capture: Capture) -> None:
    path = host.folder / "captures" / f"{name}.json"
    path.write_text(json.dumps(encode_capture(capture)), encoding="utf-8")


def test_new_release_is_proposed(host: Host) -> None:
    """One pull request with the records of six environments, short enough, and nothing else changed."""
    put_captures(host, f"{NEXT}+cpu", drift=True)
    host.variables["GPU_RUNNER"] = "true"
    results = host.start("release.yml", "schedule")
    failed = [step.job for step in host.failures()]
    assert failed
    assert [job for job in failed if "windows-latest" not in job] == []  # for which there is no capture here
    assert {name for name, result in results.items() if result != "success"} == {"probe"}
    assert host.kept("runs") == [{"workflow": "gpu.yml", "ref": "main", "status": "queued"}]
    (pull,) = host.kept("prs")
    assert pull["title"].startswith(f"Record torch {NEXT}")
    assert 1_000 < len(pull["body"]) <= MOST_CHARACTERS
    changed = host.git("diff", "--name-only", "main", pull["head"]).split("\n")
    assert len(changed) > TAKEN // 2
    assert [name for name in changed if not name.startswith("docs/records/")] == []
    recorded = json.loads(host.show("docs/records/environments.json", pull["head"]))["environments"]
    assert sum(one["torch"].startswith(NEXT) for one in recorded) == len(RUNNERS) * len(PYTHONS)
    # The next day finds its branch, and has nothing to do.
    assert set(host.start("release.yml", "schedule").values()) == {"success", "skipped"}
    assert len(host.kept("prs")) == 1


def keep_one_environment(host: Host, runner: str = "ubuntu-latest", minor: str = "3.11") -> list[Path]:
    """Files of one environment's shards; those of the others are gone, as where their machines failed."""
    kept = [host.folder / "captures" / f"{runner} {minor} {number}.json" for number in range(1, SHARDS + 1)]
    for path in (host.folder / "captures").glob("* *.json"):
        if path not in kept:
            path.unlink()
    return kept


def test_day_without_news_ends_after_the_look(host: Host) -> None:
    """No machine is asked for, and no pull request."""
    offer(host, str(torch_release(newest())))
    results = host.start("release.yml", "schedule")
    assert results.pop("look") == "success"
    assert set(results.values()) == {"skipped"}
    assert not (host.folder / "gh.txt").exists()


def test_failed_shard_is_named_and_the_others_are_proposed(host: Host) -> None:
    """Of a machine that was lost the pull request says which part it had."""
    put_captures(host, f"{NEXT}+cpu", drift=False)
    keep_one_environment(host)[1].unlink()
    results = host.start("release.yml", "schedule")
    assert results == {
        "look": "success",
        "start": "skipped",
        "probe": "failure",
        "record": "success",
        "propose": "success",
    }
    (pull,) = host.kept("prs")
    assert "**Not a whole run of " in pull["body"]
    assert "2/3" in pull["body"]


def test_broken_capture_is_named_and_the_others_are_proposed(host: Host) -> None:
    """A file that was cut short counts as a shard that is missing."""
    put_captures(host, f"{NEXT}+cpu", drift=False)
    broken = keep_one_environment(host)[2]
    broken.write_text(broken.read_text(encoding="utf-8")[:1000], encoding="utf-8")
    results = host.start("release.yml", "schedule")
    assert results["propose"] == "success"
    (pull,) = host.kept("prs")
    assert "3/3" in pull["body"]
    assert any("left out: captures/capture-2/capture.json  " in step.said for step in host.steps)


def test_second_day_leaves_an_open_pull_request_alone(host: Host) -> None:
    """What a maintainer has pushed to its branch stays, and no second one is opened."""
    put_captures(host, f"{NEXT}+cpu", drift=False)
    keep_one_environment(host)
    host.start("release.yml", "schedule")
    (pull,) = host.kept("prs")
    before = host.git("rev-parse", pull["head"])
    host.start("release.yml", "schedule")
    assert len(host.kept("prs")) == 1
    assert any("has an open pull request" in step.said for step in host.steps)
    assert host.git("rev-parse", pull["head"]) == before


def test_gpu_is_recorded_and_proposed(host: Host) -> None:
    """Records of the card and its measurement, with nothing but reading on the machine itself."""
    runs = list_runs(drift=False)
    where = replace(newest(), torch=f"{NEXT}+cu132", device="NVIDIA H300", device_count=1, engines=())
    write_capture(host, "gpu", Capture(where, tuple(runs), {}))
    results = host.start("gpu.yml", measure="")
    assert (set(results.values()), host.failures()) == ({"success"}, [])
    (pull,) = host.kept("prs")
    assert "NVIDIA H300" in pull["title"]


def test_site_is_published_once(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the default branch, or from a commit that is named; a pull request publishes nothing."""
    monkeypatch.setenv("ATLAS_PATIENCE", "0")
    host.variables["SITE_URL"] = "http://127.0.0.1:9/"  # where nothing answers
    results = host.start("publish.yml", "pull_request")
    skipped = {name for name, result in results.items() if result == "skipped"}
    assert skipped == {"deploy", "answer", "watch"}
    assert host.git("branch", "--list", "gh-pages") == ""
    first = host.git("rev-parse", "main")
    results = host.start("publish.yml", "push")
    assert {name for name, result in results.items() if result == "failure"} == {"answer"}
    assert host.git("ls-tree", "--name-only", "gh-pages").split() == [".nojekyll", "_static", "index.html"]
    host.git("update-ref", "refs/heads/main", commit_nothing(host))
    for wanted, commit in (("", host.git("rev-parse", "main")), (first, first)):
        host.start("publish.yml", "workflow_dispatch", commit=wanted)
        assert host.git("log", "--format=%s", "gh-pages") == f"Publish {commit}"
        assert commit[:12] in host.show("_static/atlas-build.js", "gh-pages")
    (issue,) = host.kept("issues")
    assert issue["title"].startswith("No look for new releases")


def commit_nothing(host: Host) -> str:
    """A commit after the newest one of the default branch, with the same files."""
    who = ["-c", "user.name=n", "-c", "user.email=e"]
    return host.git(*who, "commit-tree", "main^{tree}", "-p", "main", "-m", "Next")


@pytest.mark.parametrize("workflow", ["ci.yml", "replay.yml"])
def test_checks_run_all_their_sessions(host: Host, workflow: str) -> None:
    """In a clone, in order, each."""
    assert set(host.start(workflow, "push").values()) == {"success"}
    document = host.show(f".github/workflows/{workflow}")
    assert {step.command for step in host.steps} == set(re.findall(r"run: (.*)", document))
