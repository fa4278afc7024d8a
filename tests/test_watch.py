"""`.ci/watch` tells where nobody looks for releases any more; `.ci/answer` waits for a published site."""

from __future__ import annotations

import datetime as dt
import functools
import json
import os
import subprocess
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from hosting.runner import put_programs
from samples import ROOT

COMMIT = "0123456789abcdef0123"


class Silent(SimpleHTTPRequestHandler):
    """Serves a folder and says nothing."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Address of a site built from COMMIT."""
    (tmp_path / "_static").mkdir()
    facts = f'window.atlasBuild=["commit {COMMIT[:12]}"]'
    (tmp_path / "_static" / "atlas-build.js").write_text(facts, encoding="utf-8")
    (tmp_path / "index.html").write_text("<!doctype html>", encoding="utf-8")
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=tmp_path)) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


def answer(address: str, commit: str) -> subprocess.CompletedProcess[str]:
    """What `.ci/answer` says when it waits no longer than one question takes."""
    command = [str(ROOT / ".ci/answer"), address, commit]
    env = {**os.environ, "ATLAS_PATIENCE": "0", "no_proxy": "127.0.0.1"}
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def test_site_that_names_its_commit_answers(address: str) -> None:
    """Another commit, or a site that is not there, does not."""
    assert answer(address, COMMIT).returncode == 0
    other = answer(address, "f" * 40)
    assert (other.returncode, "answers 200, and names: window" in other.stderr) == (1, True)
    assert answer(f"{address}absent", COMMIT).returncode == 1


def watch(folder: Path, mode: str, days: int | None) -> tuple[str, list[dict[str, Any]]]:
    """What `.ci/watch` prints some days after the last look, and the issues that there are then."""
    if not (folder / "bin").is_dir():
        put_programs(folder)
    day = dt.datetime.now(dt.UTC) - dt.timedelta(days=days or 0, hours=1)
    look = {"workflow": "release.yml", "status": "success", "createdAt": f"{day:%Y-%m-%dT%H:%M:%SZ}"}
    failed = {**look, "status": "failure", "createdAt": "2020-01-01T00:00:00Z"}
    (folder / "runs.json").write_text(json.dumps([failed] if days is None else [failed, look]), "utf-8")
    rights = "actions:read contents:read" + (" issues:write" if mode == "issue" else "")
    env = {**os.environ, "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    env |= {"HOSTED": str(folder), "GH_TOKEN": rights}
    command = [str(ROOT / ".ci/watch"), mode]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    kept = folder / "issues.json"
    return done.stdout, json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else []


def test_issue_is_opened_after_three_days_once(tmp_path: Path) -> None:
    """It is closed after a newer look, and opened anew the next time."""
    assert watch(tmp_path, "issue", 3) == ("the last look was 3 days ago\n", [])
    for _ in range(2):
        _, (issue,) = watch(tmp_path, "issue", 4)
        assert issue["state"] == "open"
    _, (issue,) = watch(tmp_path, "issue", 0)
    assert issue["state"] == "closed"
    _, issues = watch(tmp_path, "issue", None)
    assert [issue["state"] for issue in issues] == ["closed", "open"]


def test_pull_request_is_warned(tmp_path: Path) -> None:
    """By a line that GitHub shows in its checks: it may open no issue."""
    said, issues = watch(tmp_path, "warning", 9)
    assert said.split("\n")[1].startswith(
        "::warning::No look for new releases of torch and NumPy in 3 days: "
    )
    assert issues == []
    assert "::" not in watch(tmp_path, "warning", 1)[0]
