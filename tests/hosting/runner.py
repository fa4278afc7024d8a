"""Runs every `run:` step of a workflow in order, each job in a clone of its own, as GitHub's runners do.

Artifacts are folders, `gh` and `python` are stand-ins, and a job's rights are what its `permissions` say.
Not tried are what a job's image has installed, caches, and services.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import yaml

from hosting.expressions import evaluate, fill, spell

HERE = Path(__file__).parent
STATUS = ("success", "failure", "cancelled", "always")
"""Functions without which a condition holds only where all went well."""
NO_PUSH = "file:///no/right/to/push"

Document = Mapping[str, Any]


@dataclass(frozen=True)
class Step:
    """A step that was run."""

    job: str
    """Its job, with the values of the matrix."""
    command: str
    code: int
    said: str
    """Standard output and standard error."""


@dataclass
class Host:
    """A repository, and everything that its host keeps."""

    folder: Path
    """Holds `origin.git`, and what the stand-ins keep."""
    variables: dict[str, str] = field(default_factory=dict)
    """Variables of the repository."""
    steps: list[Step] = field(default_factory=list)
    """Of all runs so far."""

    def start(self, workflow: str, event: str = "workflow_dispatch", **inputs: str) -> dict[str, str]:
        """Run a workflow of the default branch; the result of each job."""
        shutil.rmtree(self.folder / "artifacts", ignore_errors=True)
        text = self.show(f".github/workflows/{workflow}")
        document = yaml.load(text, yaml.BaseLoader)
        names = {"inputs": inputs, "vars": self.variables, "github": self.describe(event)}
        return Workflow(self, document, names).run()

    def describe(self, event: str) -> dict[str, Any]:
        """The context `github`."""
        repository = {"default_branch": "main", "name": "atlas"}
        return {
            "event_name": event,
            "event": {"repository": repository, "pull_request": {"head": {"repo": {"fork": True}}}},
            "ref_name": "main",
            "ref": "refs/heads/main",
            "sha": self.git("rev-parse", "main"),
            "repository": "somebody/atlas",
            "repository_owner": "somebody",
            "workflow": "",
        }

    def git(self, *words: str) -> str:
        """What git prints of the repository."""
        command = ["git", "--git-dir", str(self.folder / "origin.git"), *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def show(self, path: str, branch: str = "main") -> str:
        """Text of a file of a branch."""
        return self.git("show", f"{branch}:{path}")

    def kept(self, thing: str) -> list[dict[str, Any]]:
        """What `gh` keeps of pull requests, `prs`, or `issues`."""
        path = self.folder / f"{thing}.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []

    def keep(self, thing: str, entries: list[dict[str, Any]]) -> None:
        """Have `gh` keep these."""
        (self.folder / f"{thing}.json").write_text(json.dumps(entries), encoding="utf-8")

    def failures(self) -> list[Step]:
        """Steps that failed so far."""
        return [step for step in self.steps if step.code]


@dataclass
class Workflow:
    """One run of a workflow."""

    host: Host
    document: Document
    names: dict[str, Any]
    """Contexts of all its jobs."""
    results: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)

    def run(self) -> dict[str, str]:
        """Result of each job: success, failure or skipped."""
        due = dict(self.document["jobs"])
        while due:
            for name, job in list(due.items()):
                if set(self.list_needs(job)) <= set(self.results):
                    self.results[name] = self.run_job(name, due.pop(name))
        return self.results

    @staticmethod
    def list_needs(job: Document) -> list[str]:
        """Jobs that a job waits for."""
        needs = job.get("needs", [])
        return [needs] if isinstance(needs, str) else needs

    def find_before(self, job: Document) -> set[str]:
        """All jobs before a job, however far back."""
        found = set(self.list_needs(job))
        for name in self.list_needs(job):
            found |= self.find_before(self.document["jobs"][name])
        return found

    def run_job(self, name: str, job: Document) -> str:
        """Result of all jobs that a matrix makes of one."""
        before = {self.results[needed] for needed in self.find_before(job)}
        needs = {
            one: {"result": self.results[one], "outputs": self.outputs.get(one, {})} for one in self.results
        }
        names = {**self.names, "needs": needs}
        if not self.holds(job.get("if"), names, went_well=before <= {"success"}):
            return "skipped"
        codes = []
        for index, values in enumerate(list_matrix(job, names)):
            place = {**names, "matrix": values, "strategy": {"job-index": index}}
            codes.append(Job(self, name, job, place).run())
        return "success" if all(codes) else "failure"

    @staticmethod
    def holds(condition: str | None, names: Mapping[str, Any], *, went_well: bool) -> bool:
        """Whether a job or a step runs."""
        text = (condition or "success()").strip().removeprefix("${{").removesuffix("}}").strip()
        if not any(f"{function}(" in text for function in STATUS):
            text = f"success() && ({text})"
        functions = {
            "success": lambda: went_well,
            "failure": lambda: not went_well,
            "cancelled": lambda: False,
            "always": lambda: True,
        }
        return bool(evaluate(text, {**names, **functions}))


def list_matrix(job: Document, names: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Values of each job of a matrix; none for a job without one."""
    matrix = job.get("strategy", {}).get("matrix", {})
    if isinstance(matrix, str):
        matrix = fill(matrix, names)
    lists = {
        key: fill(values, names) if isinstance(values, str) else values for key, values in matrix.items()
    }
    included = lists.pop("include", [])
    products = [dict(zip(lists, values, strict=True)) for values in product(*lists.values())]
    yield from (products if lists or not included else [])
    yield from included


@dataclass
class Job:
    """One job on a machine of its own."""

    workflow: Workflow
    name: str
    document: Document
    names: dict[str, Any]

    def run(self) -> bool:
        """Whether all steps that must went well."""
        self.names["github"] = {**self.names["github"], "token": " ".join(self.rights)}
        host = self.workflow.host
        self.home = host.folder / "work" / f"{len(list((host.folder / 'work').glob('*')))}"
        self.home.mkdir(parents=True)
        runner = fill(spell(self.document["runs-on"]), self.names)
        self.env = {
            **os.environ,
            "PATH": f"{host.folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "HOSTED": str(host.folder),
            "HOME": str(self.home),
            "GITHUB_OUTPUT": str(self.home.with_suffix(".output")),
            "GITHUB_STEP_SUMMARY": str(self.home.with_suffix(".summary")),
            "GITHUB_SERVER_URL": "https://example.org",
            "GITHUB_REPOSITORY": "somebody/atlas",
            "RUNNER_NAME": runner,
            **self.fill_all(self.document.get("env", {})),
        }
        went_well = True
        values = ", ".join(map(spell, self.names["matrix"].values()))
        outputs: dict[str, dict[str, str]] = {}
        for step in self.document["steps"]:
            names = {**self.names, "steps": {name: {"outputs": found} for name, found in outputs.items()}}
            if self.workflow.holds(step.get("if"), names, went_well=went_well):
                self.names = names
                is_done = self.use(step) if "uses" in step else self.run_step(step, f"{self.name} {values}")
                went_well = went_well and (is_done or step.get("continue-on-error") == "true")
                outputs[step.get("id", "")] = self.read_outputs()
        self.names["steps"] = {name: {"outputs": found} for name, found in outputs.items()}
        self.workflow.outputs.setdefault(self.name, {}).update(
            self.fill_all(self.document.get("outputs", {}))
        )
        return went_well or self.document.get("continue-on-error") == "true"

    def read_outputs(self) -> dict[str, str]:
        """What the steps so far have written to $GITHUB_OUTPUT."""
        path = Path(self.env["GITHUB_OUTPUT"])
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        return dict(line.split("=", 1) for line in lines)

    def fill_all(self, given: Mapping[str, str]) -> dict[str, str]:
        """Values with their expressions replaced."""
        return {name: spell(fill(value, self.names)) for name, value in given.items()}

    @property
    def rights(self) -> list[str]:
        """Rights of the job's token."""
        given = self.document.get("permissions", self.workflow.document.get("permissions", {}))
        return [f"{thing}:{right}" for thing, right in given.items()]

    def run_step(self, step: Document, job: str) -> bool:
        """Run a step in bash, as GitHub does; keep what it says."""
        env = {**self.env, **self.fill_all(step.get("env", {}))}
        command = fill(step["run"], self.names)
        words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", command]
        where = self.home / step.get("working-directory", "")
        done = subprocess.run(words, cwd=where, env=env, capture_output=True, text=True, check=False)
        self.workflow.host.steps.append(Step(job, command, done.returncode, done.stdout + done.stderr))
        return done.returncode == 0

    def use(self, step: Document) -> bool:
        """Do what an action does."""
        action = step["uses"].partition("@")[0]
        given = {name: fill(value, self.names) for name, value in step.get("with", {}).items()}
        if action == "actions/checkout":
            self.check_out(given)
        elif action == "actions/setup-python":
            self.env["HOSTED_PYTHON"] = given["python-version"]
        elif action == "actions/upload-artifact":
            return self.upload(given)
        elif action == "actions/download-artifact":
            return self.download(given)
        elif action != "actions/cache":
            raise ValueError(f"{action} is not known here")
        return True

    def check_out(self, given: Mapping[str, str]) -> None:
        """Clone the repository; who may not write cannot push."""
        origin = self.workflow.host.folder / "origin.git"
        place = self.home / given.get("path", "")
        git = ["git", "-C", str(place)]
        subprocess.run(["git", "clone", "--quiet", str(origin), str(place)], check=True)
        if ref := given.get("ref"):
            subprocess.run([*git, "checkout", "--quiet", "--detach", ref], check=True)
        is_kept = given.get("persist-credentials") != "false"
        if not is_kept or "contents:write" not in self.rights:
            subprocess.run([*git, "remote", "set-url", "--push", "origin", NO_PUSH], check=True)

    def upload(self, given: Mapping[str, str]) -> bool:
        """Keep files below their common folder; hidden ones are left out."""
        named = [path for line in given["path"].split() for path in sorted(self.home.glob(line))]
        files = [file for path in named for file in ([path] if path.is_file() else sorted(path.rglob("*")))]
        files = [file for file in files if file.is_file() and not is_hidden(file.relative_to(self.home))]
        if not files:
            return given.get("if-no-files-found", "warn") != "error"
        is_single = len(given["path"].split()) == 1 and len(named) == 1
        above = (
            [named[0] if named[0].is_dir() else named[0].parent]
            if is_single
            else [path if path.is_dir() else path.parent for path in named]
        )
        common = Path(os.path.commonpath(above))
        artifact = self.workflow.host.folder / "artifacts" / given["name"]
        if artifact.exists():
            raise ValueError(f"an artifact {given['name']} exists already")
        for file in files:
            copy = artifact / file.relative_to(common)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
        return True

    def download(self, given: Mapping[str, str]) -> bool:
        """Unpack one artifact, or each of a pattern into a folder of its name."""
        artifacts = self.workflow.host.folder / "artifacts"
        place = self.home / given.get("path", "")
        if "name" in given:
            if not (artifacts / given["name"]).is_dir():
                return False
            shutil.copytree(artifacts / given["name"], place, dirs_exist_ok=True)
        else:
            for artifact in artifacts.glob(given["pattern"]):
                shutil.copytree(artifact, place / artifact.name, dirs_exist_ok=True)
        return True


def is_hidden(path: Path) -> bool:
    """Whether a part of a path begins with a dot."""
    return any(part.startswith(".") for part in path.parts)


def put_programs(folder: Path) -> None:
    """Put stand-ins for gh and Python into a folder `bin`."""
    (folder / "bin").mkdir(parents=True)
    for program, script in (("gh", "gh.py"), ("python", "python.py"), ("python3", "python.py")):
        path = folder / "bin" / program
        path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{HERE / script}" "$@"\n', encoding="utf-8")
        path.chmod(0o755)


def make_host(folder: Path, checkout: Path, variables: Mapping[str, str]) -> Host:
    """Host of a repository that holds a checkout's files as they are, with the stand-ins beside it."""
    put_programs(folder)
    (folder / "captures").mkdir()
    first = folder / "first"
    ignored = shutil.ignore_patterns(".git", ".nox", "_build", "__pycache__", ".*_cache", ".hypothesis")
    shutil.copytree(checkout, first, ignore=ignored, symlinks=True)
    git = ["git", "-C", str(first), "-c", "user.name=n", "-c", "user.email=e"]
    for words in (
        ["init", "--quiet", "--initial-branch", "main"],
        ["add", "--all"],
        ["commit", "--quiet", "-m", "Begin"],
        ["clone", "--quiet", "--bare", str(first), str(folder / "origin.git")],
    ):
        subprocess.run([*git, *words], check=True)
    shutil.rmtree(first)
    return Host(folder, dict(variables))
