"""A `python` that records in no time: captures are files that the test has put into $HOSTED.

`pip install` installs nothing, and sessions of nox that run no workflow's own work succeed. Folding captures
is what it is: `tensor-atlas record --from`. All else is Python.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

HOSTED = Path(os.environ["HOSTED"])


def main(arguments: list[str]) -> int:
    """Exit code of what Python would do."""
    if arguments[:1] == ["-m"]:
        with (HOSTED / "python.txt").open("a", encoding="utf-8") as calls:
            calls.write(" ".join(arguments[1:]) + "\n")
    if arguments[:3] == ["-m", "pip", "install"]:
        return 0
    if arguments[:3] == ["-m", "nox", "-s"]:
        return run_session(arguments[3], arguments[5:])
    if arguments[:1] == ["-m"] and arguments[1].startswith("tensor_atlas.") and "-o" in arguments:
        return bring("gpu.json", arguments)
    return subprocess.run([sys.executable, *arguments], check=False).returncode


def run_session(session: str, given: list[str]) -> int:
    """Exit code of a session of nox."""
    if session == "record":
        command = [sys.executable, "-m", "tensor_atlas.cli", "record", *given]
        return subprocess.run(command, env={**os.environ, "PYTHONPATH": "src"}, check=False).returncode
    if session == "capture":
        number = given[given.index("--shard") + 1].partition("/")[0]
        return bring(f"{os.environ['RUNNER_NAME']} {os.environ['HOSTED_PYTHON']} {number}.json", given)
    if session == "look":
        paths = os.pathsep.join([str(Path(__file__).parent / "index"), "src"])
        command = [sys.executable, "-m", "tensor_atlas.checkout.offers", *given]
        return subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, check=False).returncode
    if session == "docs":
        build_site(Path("docs/_build/html"))
    return 0


def build_site(folder: Path) -> None:
    """Write the least that is a site, with the commit that it was built from."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout
    (folder / "_static").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>\n", encoding="utf-8")
    facts = f'window.atlasBuild=["commit {commit[:12]}"];\n'
    (folder / "_static" / "atlas-build.js").write_text(facts, encoding="utf-8")


def bring(name: str, given: list[str]) -> int:
    """Copy what was recorded; 1 where nothing was."""
    recorded = HOSTED / "captures" / name
    if not recorded.is_file():
        print(f"no capture {name}", file=sys.stderr)
        return 1
    shutil.copyfile(recorded, given[given.index("-o") + 1])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
