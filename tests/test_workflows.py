"""The workflows do what a person does, without rights they do not need; and the proposal of records they end
in.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.version import Version
from samples import ROOT

import noxfile
from tensor_atlas.checkout import cache, execution, offers
from tensor_atlas.checkout.requests import parse_recorded, parse_request
from tensor_atlas.history.releases import USUAL_PYTHON
from tensor_atlas.model.capture import missing_shards, parse_shard

WORKFLOWS = {path.name: path.read_text("utf-8") for path in (ROOT / ".github" / "workflows").glob("*.yml")}
"""Text of each workflow, by name."""
of_each = pytest.mark.parametrize("workflow", sorted(WORKFLOWS))
EXPRESSION = re.compile(r"\$\{\{")
WRITERS = {
    "propose": ["contents: write", "pull-requests: write"],
    "deploy": ["contents: write"],
    "start": ["actions: write"],
    "watch": ["issues: write"],
}
"""Jobs that may write, with what they may write."""
ASKERS = {"warn": "    permissions:\n      actions: read\n      contents: read\n"}
"""Jobs that ask GitHub, with all that they may read."""
VALUE = re.compile(r"^ +(?!run:)[\w-]+: [\w-]*\$\{\{[^}]*\}\}$")
"""A line that gives an expression to something that is no shell."""


def jobs(workflow: str) -> dict[str, str]:
    """Text of each job of a workflow; under an empty name what stands before them."""
    head, _, body = workflow.partition("\njobs:\n")
    names = re.findall(r"^  (\w+):$", body, re.MULTILINE)
    return {"": head, **dict(zip(names, re.split(r"^  \w+:$", body, flags=re.MULTILINE)[1:], strict=True))}


def test_workflows_were_found() -> None:
    """An empty list would pass everything below."""
    assert sorted(WORKFLOWS) == ["ci.yml", "gpu.yml", "publish.yml", "release.yml", "replay.yml"]
    assert list(jobs(WORKFLOWS["gpu.yml"])) == ["", "probe", "record", "propose"]


WRITE = {
    "propose": ["checkout/.ci/accept.py artifact", 'checkout/.ci/propose checkout/report.md "$BASE"'],
    "deploy": ['.ci/publish site gh-pages "$COMMIT"'],
    "start": ['gh workflow run gpu.yml --ref "$BASE"'],
    "watch": [".ci/watch issue"],
    "warn": [".ci/watch warning"],
}
"""Jobs that may write or ask GitHub, and all that they run."""


@of_each
def test_expressions_never_stand_in_a_command(workflow: str) -> None:
    """What someone typed into a form reaches the shell in a variable, as data."""
    lines = [line for line in WORKFLOWS[workflow].split("\n") if EXPRESSION.search(line)]
    assert [line for line in lines if not VALUE.match(line)] == []
    assert not VALUE.match("        run: echo ${{ inputs.release }}")
    assert not VALUE.match("          echo release: ${{ inputs.release }}")


@of_each
def test_only_a_job_that_hands_on_may_write(workflow: str) -> None:
    """It runs its own script on files and nothing of what it downloads; every other job reads, and keeps no
    token.
    """
    parts = jobs(WORKFLOWS[workflow])
    head = parts.pop("")
    assert re.findall(r"^permissions:\n((?:  .*\n)+)", head, re.MULTILINE) == ["  contents: read\n"]
    for name, text in parts.items():
        assert ("permissions:" in text) == (name in {**WRITERS, **ASKERS})
        if name in WRITERS:
            assert re.findall(r"run: (.*)", text) == WRITE[name]
            assert re.findall(r"^      (.*: write)$", text, re.MULTILINE) == WRITERS[name]
            assert not re.search(r"pip|nox|python", text)
        elif name in ASKERS:
            assert ASKERS[name] in text
            assert re.findall(r"run: (.*)", text) == WRITE[name]
            assert ": write" not in text
        else:
            assert ": write" not in text
            assert "token" not in text
            assert "persist-credentials: false" in text


@of_each
def test_a_fork_never_meets_a_right_or_a_secret(workflow: str) -> None:
    """Pull requests run by the trigger that gives a fork's code nothing, and where nothing else runs it."""
    text = WORKFLOWS[workflow]
    for word in ("pull_request_target", "workflow_run", "issue_comment", "secrets", "write-all", "id-token"):
        assert not re.search(rf"(?<![\w-]){word}(?![\w-])", text), word
    if re.search(r"^  pull_request:", text, re.MULTILINE):
        for name, job in jobs(text).items():
            kept_out = re.search(r"^    if: github\.event_name != 'pull_request' && ", job, re.MULTILINE)
            assert ": write" not in job or kept_out, name
        assert set(re.findall(r"runs-on: (.*)", text)) == {"ubuntu-latest"}


def test_what_writes_or_serves_runs_from_the_default_branch() -> None:
    """A GPU's machine is started by the release workflow, which no pull request starts."""
    text = WORKFLOWS["release.yml"]
    triggers = text.split("\non:\n")[1].split("\npermissions:")[0]
    assert re.findall(r"^  (\w+):", triggers, re.MULTILINE) == ["schedule", "workflow_dispatch"]
    start = jobs(text)["start"]
    assert "vars.GPU_RUNNER == 'true'" in start
    assert "BASE: ${{ github.event.repository.default_branch }}" in start


@of_each
def test_what_a_workflow_installs_has_its_digest(workflow: str) -> None:
    """A release that somebody else has put in its place is refused; torch is what the sessions install."""
    installed = re.findall(r"pip install (.*)", WORKFLOWS[workflow])
    assert set(installed) <= {"--require-hashes -r .github/tools.txt"}


def test_tools_of_workflows_are_what_the_sessions_use() -> None:
    """The releases that constraints.txt names, each with a digest."""
    lines = (ROOT / ".github" / "tools.txt").read_text("utf-8").split("\n")
    pinned = [line.removesuffix(" \\") for line in lines if "==" in line]
    assert "nox" in {line.partition("==")[0] for line in pinned}
    assert set(pinned) <= set((ROOT / "constraints.txt").read_text("utf-8").split("\n"))
    assert sum("--hash=sha256:" in line for line in lines) >= len(pinned)


@of_each
def test_every_job_ends(workflow: str) -> None:
    """A hostile or a broken example holds no machine for ever."""
    for name, text in jobs(WORKFLOWS[workflow]).items():
        assert not name or re.search(r"^    timeout-minutes: \d+$", text, re.MULTILINE), name


@of_each
def test_every_session_that_a_workflow_runs_exists(workflow: str) -> None:
    """Workflows run what a person runs."""
    named = re.findall(r"nox -s (\w+)", WORKFLOWS[workflow])
    assert named
    assert [name for name in named if not callable(getattr(noxfile, name, None))] == []


def test_shards_of_a_release_are_complete() -> None:
    """Every shard of an environment is a job, and one that fails stops no other."""
    text = WORKFLOWS["release.yml"]
    wanted = [offers.Wanted(machine, "3.11", "2.99.0", "2.4.6") for machine in offers.MACHINES]
    values = offers.list_jobs(wanted)
    shards = [parse_shard(job["shard"]) for job in values]
    assert len(shards) == len(wanted) * shards[0].count
    assert missing_shards(shards) == []
    assert "fail-fast: false" in text
    assert set(re.findall(r"\$\{\{ matrix\.(\w+)", text)) == set(values[0])
    command = re.search(
        r'nox -s capture -- "\$RELEASE" .* (--matrix) --shard "\$SHARD" -o capture.json\n', text
    )
    assert command is not None
    parse_request("capture", ["2.99.0", command[1], "--shard", str(shards[0]), "-o", "capture.json"])
    (given,) = re.findall(r"nox -s record -- (.*)\n", text)
    assert parse_request("record", given.split()).captures == ("captures/*/capture.json",)


@of_each
def test_what_follows_a_failure_that_is_forgiven_says_when_it_runs(workflow: str) -> None:
    """GitHub skips a job without a condition where any before it failed, however far back."""
    parts = jobs(WORKFLOWS[workflow])
    needs = re.compile(r"^    needs: (\w+)$", re.MULTILINE)
    needed = {name: before for name, text in parts.items() for before in needs.findall(text)}
    assert len(needed) == WORKFLOWS[workflow].count("needs: ")
    forgiven = re.compile(r"\n    if: \$\{\{ !cancelled\(\) && needs\.\w+\.result != 'skipped' \}\}\n")
    forgiving = {name for name, text in parts.items() if forgiven.search(text)}
    assert forgiving == ({"record"} if workflow == "release.yml" else set())
    for name, before in needed.items():
        if before in forgiving:
            assert (
                f"\n    if: ${{{{ !cancelled() && needs.{before}.result == 'success' }}}}\n" in parts[name]
            ), name
            forgiving.add(name)


def test_releases_that_are_replayed_are_recorded() -> None:
    """With the Python that the workflow names, on a machine without an accelerator."""
    text = WORKFLOWS["replay.yml"]
    (listed,) = re.findall(r"^ +release: \[(.*)\]$", text, re.MULTILINE)
    document = (ROOT / "docs" / "records" / "environments.json").read_text(encoding="utf-8")
    known = {install.split()[0] for install in parse_recorded(document)[USUAL_PYTHON]}
    assert {f"torch=={part.strip(chr(34))}" for part in listed.split(", ")} <= known
    assert f'python-version: "{USUAL_PYTHON}"' in text
    (given,) = re.findall(r"run: python -m nox -s replay -- (.*)\n", text)
    parse_request("replay", given.replace('"$SAMPLE"', "2000").replace('"$RELEASE"', "2.6.0").split())


def test_release_is_recorded_on_several_platforms() -> None:
    """The usual one and arm64, on Linux, macOS and Windows; the runner's name says which."""
    runners = [machine.runner for machine in offers.MACHINES]
    assert {name.partition("-")[0] for name in runners} == {"ubuntu", "macos", "windows"}
    assert any(name.endswith("-arm") for name in runners)
    assert "runs-on: ${{ matrix.runner }}" in jobs(WORKFLOWS["release.yml"])["probe"]
    assert "\ndefaults:\n  run:\n    shell: bash\n" in WORKFLOWS["release.yml"]


def test_oldest_python_and_a_newer_one_are_tried() -> None:
    """The one that the project asks for at least, which is the usual one of the records, and one with a newer
    NumPy.
    """
    (listed,) = re.findall(r"^ +python: \[(.*)\]$", WORKFLOWS["ci.yml"], re.MULTILINE)
    assert tuple(part.strip('"') for part in listed.split(", ")) == offers.PYTHONS
    oldest, newer = map(Version, offers.PYTHONS)
    assert oldest == Version(USUAL_PYTHON) < newer
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    least, _, _ = project["requires-python"].partition(", ")
    assert least == f">={oldest}"
    for name in ("ci.yml", "release.yml"):
        assert "python-version: ${{ matrix.python }}" in WORKFLOWS[name]


def test_ci_keeps_the_capture_that_the_gate_made() -> None:
    """Under the path that the gate writes to: a missing file is no error there."""
    kept = ROOT / cache.FOLDER / execution.CAPTURE
    assert f"path: {kept.relative_to(ROOT)}\n" in WORKFLOWS["ci.yml"]


def test_a_pull_request_is_built_and_never_published() -> None:
    """Its build knows no secret and no address; only a push to the default branch, or a person, publishes."""
    text = WORKFLOWS["publish.yml"]
    assert "pull_request:\n" in text
    assert not re.search(r"pull_request_target|workflow_run|secrets", text)
    parts = jobs(text)
    assert list(parts) == ["", "build", "deploy", "answer", "watch", "warn"]
    assert (
        "\n    if: github.event_name != 'pull_request' && "
        "github.ref_name == github.event.repository.default_branch\n    needs: build\n"
    ) in parts["deploy"]
    page = (ROOT / "docs" / "contributing" / "publish.md").read_text(encoding="utf-8")
    (kept,) = re.findall(r"          name: (\w+)\n          path: docs/_build/html", parts["build"])
    assert f"--name {kept} " in page


def test_no_pull_request_runs_on_a_machine_of_ours() -> None:
    """A self-hosted runner is for what somebody starts by hand, and for the default branch only."""
    own = [name for name, text in WORKFLOWS.items() if "self-hosted" in text]
    assert own == ["gpu.yml"]
    parts = jobs(WORKFLOWS["gpu.yml"])
    triggers = re.findall(
        r"^  (\w+):", parts[""].split("\non:\n")[1].split("\npermissions:")[0], re.MULTILINE
    )
    assert triggers == ["workflow_dispatch"]
    (job,) = (text for text in parts.values() if "self-hosted" in text)
    assert "\n    if: github.ref_name == github.event.repository.default_branch\n" in job
    assert "secrets" not in WORKFLOWS["gpu.yml"]


def test_bare_machine_installs_nothing() -> None:
    """Its commands need a checkout, torch and NumPy: those that the page for its owner names."""
    probe = jobs(WORKFLOWS["gpu.yml"])["probe"]
    page = (ROOT / "docs" / "contributing" / "gpu_builder.md").read_text(encoding="utf-8")
    first, second = re.findall(r"run: (.*)", probe)
    assert f"\n{first}\n" in page
    assert f"\n{second.replace('-o cuda.json', '-o docs/measurements/cuda.json')}\n" in page
    assert not re.search(r"pip|nox", probe)


@of_each
def test_actions_are_pinned_by_digest(workflow: str) -> None:
    """A tag can be moved to other code; the version stands beside the digest for reviewers of an update."""
    used = re.findall(r"uses: (.*)", WORKFLOWS[workflow])
    assert used
    assert [
        action for action in used if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action)
    ] == []


# --- .ci/propose ---------------------------------------------------------------------------------

REPORT = "## torch 2.15.0+cu130, NumPy 2.4.6, NVIDIA H200\n\nEverything is explained.\n"
BRANCH = "records/torch-2.15.0+cu130-NumPy-2.4.6-NVIDIA-H200"
GH = """#!/bin/sh
echo "$@" >> "$(dirname "$0")/calls.txt"
[ "$2" = list ] && cat "$(dirname "$0")/open.txt"
exit 0
"""
"""A ``gh`` that keeps what it was asked, and answers with what is in open.txt."""


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Clone of a repository with a record and ``.ci/propose``, with a report, and with ``gh`` on the path."""
    gh = tmp_path / "bin" / "gh"
    gh.parent.mkdir()
    gh.write_text(GH, encoding="utf-8")
    gh.chmod(0o755)
    (gh.parent / "open.txt").touch()
    (gh.parent / "calls.txt").touch()
    monkeypatch.setenv("PATH", f"{gh.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    root = tmp_path / "clone"
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch", "main", "origin.git")
    git(tmp_path, "init", "--quiet", "--initial-branch", "main", str(root))
    git(root, "remote", "add", "origin", str(tmp_path / "origin.git"))
    (root / "docs" / "records" / "01_x").mkdir(parents=True)
    (root / "docs" / "records" / "01_x" / "a.json").write_text("{}", encoding="utf-8")
    shutil.copytree(ROOT / ".ci", root / ".ci")
    git(root, "add", ".")
    git(root, "-c", "user.name=n", "-c", "user.email=e", "commit", "--quiet", "--message", "Begin")
    git(root, "push", "--quiet", "origin", "main")
    (root / "report.md").write_text(REPORT, encoding="utf-8")
    return root


def git(folder: Path, *arguments: str) -> str:
    """What git prints."""
    done = subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def propose(root: Path) -> tuple[str, list[str]]:
    """What ``.ci/propose`` prints, and what it has asked of ``gh`` so far."""
    done = subprocess.run(
        [root / ".ci/propose", "report.md", "main"], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, (root.parent / "bin" / "calls.txt").read_text(encoding="utf-8").splitlines()


def test_new_records_are_proposed(clone: Path) -> None:
    """On a branch named for the environment: the records, and nothing else that lies about."""
    (clone / "docs" / "records" / "01_x" / "b.json").write_text("{}", encoding="utf-8")
    (clone / "docs" / "records" / "01_x" / "a.json").unlink()
    _, calls = propose(clone)
    name = REPORT.split("\n", maxsplit=1)[0].removeprefix("## ")
    assert calls[1:] == [
        f"pr create --base main --head {BRANCH} --title Record {name} --body-file {clone / 'report.md'}"
    ]
    origin = clone.parent / "origin.git"
    changed = git(origin, "diff", "--name-status", "--no-renames", "main", BRANCH).split("\n")
    assert changed == ["D\tdocs/records/01_x/a.json", "A\tdocs/records/01_x/b.json"]
    assert git(origin, "log", "-1", "--format=%an: %s", BRANCH) == f"github-actions[bot]: Record {name}"


def test_nothing_is_proposed_when_nothing_changed(clone: Path) -> None:
    """GitHub is not even asked."""
    printed, calls = propose(clone)
    assert printed == "docs/records is as it was: nothing to propose\n"
    assert calls == []


def test_what_is_open_is_not_proposed_again(clone: Path) -> None:
    """What someone has added to its branch stays."""
    (clone / "docs" / "records" / "01_x" / "b.json").write_text("{}", encoding="utf-8")
    (clone.parent / "bin" / "open.txt").write_text("12\n", encoding="utf-8")
    printed, calls = propose(clone)
    assert printed.startswith(f"{BRANCH} has an open pull request")
    assert calls == [f"pr list --head {BRANCH} --state open --json number --jq .[].number"]
    assert git(clone.parent / "origin.git", "branch", "--format", "%(refname:short)") == "main"


def test_branch_of_a_closed_proposal_is_replaced(clone: Path) -> None:
    """A year later the same environment is proposed anew, from what is there now."""
    (clone / "docs" / "records" / "01_x" / "b.json").write_text("{}", encoding="utf-8")
    propose(clone)
    git(clone, "switch", "--quiet", "main")
    (clone / "docs" / "records" / "01_x" / "c.json").write_text("{}", encoding="utf-8")
    propose(clone)
    assert (
        git(clone.parent / "origin.git", "diff", "--name-only", "main", BRANCH) == "docs/records/01_x/c.json"
    )


# --- .ci/accept.py -------------------------------------------------------------------------------


@pytest.fixture
def artifact(tmp_path: Path) -> Path:
    """An unpacked artifact beside the clone: a new record, a measurement and a report."""
    folder = tmp_path / "artifact"
    for name in ("records/environments.json", "records/01_x/b.json", "measurements/cuda.json"):
        (folder / "docs" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "docs" / name).write_text("{}", encoding="utf-8")
    (folder / "report.md").write_text(REPORT, encoding="utf-8")
    return folder


def accept(clone: Path, artifact: Path) -> tuple[int, str, list[str]]:
    """Exit code of ``.ci/accept.py``, what it says of a refusal, and what git then finds changed."""
    (clone / "report.md").unlink()
    command = [clone / ".ci" / "accept.py", artifact]
    done = subprocess.run(command, cwd=clone.parent, capture_output=True, text=True, check=False)
    changed = git(clone, "status", "--porcelain", "--untracked-files=all", "--ignored")
    return done.returncode, done.stderr, sorted(line.split()[-1] for line in changed.splitlines())


@pytest.mark.parametrize("workflow", ["gpu.yml", "release.yml"])
def test_artifact_is_unpacked_beside_the_checkout(workflow: str) -> None:
    """No file of it can replace a script that the job with the right to write then runs."""
    job = jobs(WORKFLOWS[workflow])["propose"]
    steps = re.split(r"^      - ", job, flags=re.MULTILINE)[1:]
    assert [re.findall(r"^ +path: (.*)$", step, re.MULTILINE) for step in steps] == [
        ["checkout"],
        ["artifact"],
        [],
        [],
    ]


@pytest.mark.parametrize("workflow", ["gpu.yml", "release.yml"])
def test_artifact_holds_what_is_accepted(workflow: str) -> None:
    """The job before hands on records, measurements as JSON, and the report."""
    (listed,) = re.findall(r"^          path: \|\n((?: {12}.*\n)+)", WORKFLOWS[workflow], re.MULTILINE)
    assert set(listed.split()) <= {"docs/records", "docs/measurements/*.json", "report.md"}


def test_evidence_of_an_artifact_is_accepted(clone: Path, artifact: Path) -> None:
    """Records are replaced as a whole, so one that was removed goes; measurements are added."""
    (artifact / "docs" / "records" / "01_x" / "b.json").chmod(0o777)
    code, said, changed = accept(clone, artifact)
    assert (code, said) == (0, "")
    assert changed == [
        "docs/measurements/cuda.json",
        "docs/records/01_x/a.json",
        "docs/records/01_x/b.json",
        "docs/records/environments.json",
        "report.md",
    ]
    assert not os.access(clone / "docs" / "records" / "01_x" / "b.json", os.X_OK)
    assert not (clone / "docs" / "records" / "01_x" / "a.json").exists()


def test_every_committed_record_is_accepted(clone: Path, artifact: Path) -> None:
    """Whatever its name: a module's names are in a file that is called after the module, dots included."""
    shutil.rmtree(artifact / "docs")
    shutil.copytree(ROOT / "docs" / "records", artifact / "docs" / "records")
    code, said, _ = accept(clone, artifact)
    assert (code, said) == (0, "")
    copied = {path.relative_to(clone) for path in (clone / "docs" / "records").rglob("*.json")}
    assert copied == {path.relative_to(ROOT) for path in (ROOT / "docs" / "records").rglob("*.json")}


PLANTED = (
    ".ci/propose",
    ".ci/accept.py",
    ".git/hooks/pre-commit",
    ".gitattributes",
    ".github/workflows/ci.yml",
    "docs/conf.py",
    "docs/measurements/bench.svg",
    "docs/measurements/cuda/a.json",
    "docs/records/.gitattributes",
    "docs/records/.hidden.json",
    "docs/records/01_x/a.py",
    "docs/records/01_x/deep/a.json",
    "docs/records/01_x/-a.json",
    "docs/records/01_x/a\n::error::.json",
    "docs/records/.../a.json",
    "docs/records/01_x/a..b.json",
    "docs/records/01_x/a.-b.json",
    "src/tensor_atlas/cli.py",
)
"""Files that a hostile artifact may hold beside its evidence."""


@pytest.mark.parametrize("name", PLANTED)
def test_planted_file_never_arrives(clone: Path, artifact: Path, name: str) -> None:
    """The artifact is refused and the file named, on one line."""
    path = artifact / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}", encoding="utf-8")
    code, said, changed = accept(clone, artifact)
    assert (code, changed) == (1, [])
    lines = said.splitlines()
    assert lines[0] == "the artifact is refused, nothing was copied:"
    assert f"  {name!a}: no record, measurement or report" in lines
    assert not [line for line in lines[1:] if not line.startswith("  '")]


@pytest.mark.parametrize(
    "link", ["docs/records/01_x/b.json", "docs/records/01_x", "docs/records", "report.md"]
)
def test_link_never_arrives(clone: Path, artifact: Path, link: str) -> None:
    """Neither a file nor a folder is read through one."""
    secret = clone.parent / "secret"
    secret.mkdir()
    (secret / "environments.json").write_text('"secret"', encoding="utf-8")
    path = artifact / link
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    path.symlink_to(secret if not path.suffix else secret / "environments.json")
    code, said, changed = accept(clone, artifact)
    assert (code, changed) == (1, [])
    assert f"  {link!r}: a link\n" in said


def test_folder_above_the_artifact_is_not_copied(clone: Path, artifact: Path) -> None:
    """What ``..`` puts beside the artifact is not read; with backslashes it is a name, and refused."""
    (artifact / "docs" / "records" / ".." / ".." / ".." / "outside.json").write_text("{}", encoding="utf-8")
    code, _, changed = accept(clone, artifact)
    assert (code, [name for name in changed if "outside" in name]) == (0, [])
    backwards = artifact / "docs" / "records" / "..\\..\\..\\outside.json"
    backwards.write_text("{}", encoding="utf-8")
    assert accept(clone, artifact)[0] == 1


def test_thousands_of_files_never_arrive(clone: Path, artifact: Path) -> None:
    """Ten thousand records of good names are too many."""
    for number in range(10_000):
        (artifact / "docs" / "records" / "01_x" / f"r{number}.json").write_text("{}", encoding="utf-8")
    code, said, changed = accept(clone, artifact)
    assert (code, changed) == (1, [])
    assert "more than 5,000 files and folders" in said


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("docs/records/01_x/b.json", b"import os", "no JSON in UTF-8"),
        ("docs/records/01_x/b.json", b'"\xff"', "no JSON in UTF-8"),
        ("docs/records/01_x/b.json", b"[" * 100_000, "no JSON in UTF-8"),
        ("docs/records/01_x/b.json", b" " * (8 * 2**20 + 1), "more than 8,388,608 bytes"),
        ("report.md", b"\xff", "no text in UTF-8"),
    ],
)
def test_content_of_another_form_never_arrives(
    clone: Path, artifact: Path, name: str, content: bytes, fault: str
) -> None:
    """A good name makes no record of a file."""
    (artifact / name).write_bytes(content)
    code, said, changed = accept(clone, artifact)
    assert (code, changed) == (1, [])
    assert f"  {name}: {fault}\n" in said


@pytest.mark.parametrize("name", ["docs/records/environments.json", "report.md"])
def test_artifact_without_its_main_files_is_refused(clone: Path, artifact: Path, name: str) -> None:
    """An empty artifact would otherwise remove the records."""
    (artifact / name).unlink()
    code, said, changed = accept(clone, artifact)
    assert (code, changed) == (1, [])
    assert f"  {name}: missing\n" in said


# --- .ci/publish ---------------------------------------------------------------------------------


def publish(root: Path, folder: str) -> subprocess.CompletedProcess[str]:
    """What ``.ci/publish`` does with a folder."""
    command = [str(root / ".ci/publish"), folder, "gh-pages", "0123abcd"]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


@pytest.fixture
def site(clone: Path) -> Path:
    """A built site in the clone, with a file that git would ignore."""
    (clone / "site" / "_static").mkdir(parents=True)
    (clone / "site" / "index.html").write_text("first", encoding="utf-8")
    (clone / "site" / "_static" / "a.css").write_text("", encoding="utf-8")
    (clone / ".gitignore").write_text("*.css\nsite\n", encoding="utf-8")
    return clone / "site"


def test_site_becomes_the_one_commit_of_its_branch(clone: Path, site: Path) -> None:
    """With all its files and the mark that GitHub asks for; an older site is gone, and the clone is as it
    was.
    """
    origin = clone.parent / "origin.git"
    before = git(clone, "status", "--porcelain"), git(clone, "rev-parse", "HEAD")
    for text in ("first", "second"):
        (site / "index.html").write_text(text, encoding="utf-8")
        done = publish(clone, "site")
        assert done.returncode == 0, done.stderr
    assert git(origin, "ls-tree", "-r", "--name-only", "gh-pages").split() == [
        ".nojekyll",
        "_static/a.css",
        "index.html",
    ]
    assert git(origin, "show", "gh-pages:index.html") == "second"
    assert git(origin, "log", "--format=%s", "gh-pages") == "Publish 0123abcd"
    assert (git(clone, "status", "--porcelain"), git(clone, "rev-parse", "HEAD")) == before


def test_site_that_is_there_is_not_published_again(clone: Path, site: Path) -> None:
    """The branch keeps its commit."""
    publish(clone, "site")
    (site / ".nojekyll").touch()
    assert publish(clone, "site").stdout == "gh-pages holds this site already\n"


def test_folder_without_a_site_is_refused(clone: Path) -> None:
    """A build that failed must not empty what is published."""
    (clone / "site").mkdir()
    done = publish(clone, "site")
    assert done.returncode == 1
    assert done.stderr == f"{clone / 'site'} holds no site\n"
    assert git(clone.parent / "origin.git", "branch", "--format", "%(refname:short)") == "main"
