"""A `gh` that keeps pull requests, issues and runs in a folder, with GitHub's limits and a token's rights.

The folder is $HOSTED; $GH_TOKEN holds the rights of the job, one a word, such as `issues:write`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

MOST_BODY = 65_536
"""Characters that the body of a pull request or an issue may have."""
MOST_TITLE = 256
RIGHTS = {"pr": "pull-requests", "issue": "issues", "workflow": "actions", "run": "actions"}
"""What a command needs the right to."""
OPTIONS = """
--base --head --title --body --body-file --state --json --jq --label --search --comment --reason --ref
--workflow --event --status --limit
"""
WRITING = ("create", "close", "run", "comment", "reopen")


def main(arguments: list[str]) -> None:
    """Do one command; exit code 1 with a reason where GitHub refuses it."""
    folder = Path(os.environ["HOSTED"])
    with (folder / "gh.txt").open("a", encoding="utf-8") as calls:
        calls.write(" ".join(arguments[:2]) + "\n")
    thing, verb = arguments[:2]
    check_rights(thing, verb)
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("names", nargs="*")
    for option in OPTIONS.split():
        parser.add_argument(option)
    given = parser.parse_args(arguments[2:])
    if thing == "workflow":
        thing = "run"  # one is started, and is a run then
    path = folder / f"{thing}s.json"
    kept: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    if verb == "list":
        show(kept, given)
    elif verb == "create":
        create(thing, kept, given)
    elif verb == "close":
        for one in kept:
            one["state"] = "closed" if str(one["number"]) in given.names else one["state"]
    elif verb == "run":
        kept.append({"workflow": given.names[0], "ref": given.ref, "status": "queued"})
    else:
        refuse(f"unknown command {verb}")
    path.write_text(json.dumps(kept, indent=1), encoding="utf-8")


def check_rights(thing: str, verb: str) -> None:
    """Refuse what the token may not do."""
    need = "write" if verb in WRITING and thing != "run" else "read"
    rights = os.environ.get("GH_TOKEN", "").split()
    if not {f"{RIGHTS[thing]}:{need}", f"{RIGHTS[thing]}:write"} & set(rights):
        refuse(f"Resource not accessible by integration: {thing} {verb} needs {RIGHTS[thing]}: {need}")


def refuse(why: str) -> NoReturn:
    """End as gh does where something is refused."""
    raise SystemExit(f"gh: {why}")


def show(kept: list[dict[str, Any]], given: argparse.Namespace) -> None:
    """Print what is asked for, one a line."""
    found = kept
    for name in ("head", "state", "title", "workflow", "event", "status"):
        wanted = getattr(given, name)
        if wanted not in (None, "all"):
            found = [one for one in found if one.get(name) == wanted]
    if given.search:
        found = [one for one in found if given.search == f'in:title "{one["title"]}"']
    fields = [name for name in given.json.split(",") if given.jq in (f".[].{name}", f".[0].{name} // empty")]
    if not fields:
        refuse(f"jq cannot be run here: {given.jq}")
    for one in found[: 1 if given.jq.startswith(".[0]") else None]:
        print(one[fields[0]])


def create(thing: str, kept: list[dict[str, Any]], given: argparse.Namespace) -> None:
    """Keep a new pull request or issue."""
    body = Path(given.body_file).read_text(encoding="utf-8") if given.body_file else given.body
    if len(body) > MOST_BODY:
        refuse(f"GraphQL: Body is too long (maximum is {MOST_BODY} characters)")
    if not 0 < len(given.title) <= MOST_TITLE:
        refuse(f"GraphQL: Title is too long (maximum is {MOST_TITLE} characters)")
    if thing == "pr":
        listed = subprocess.run(
            ["git", "ls-remote", "--exit-code", "origin", f"refs/heads/{given.head}"], check=False
        )
        if listed.returncode:
            refuse(f"GraphQL: Head sha can't be blank, no branch {given.head}")
        if any(one["head"] == given.head and one["state"] == "open" for one in kept):
            refuse(f"a pull request for branch {given.head} already exists")
    new = {"number": len(kept) + 1, "state": "open", "title": given.title, "body": body, "head": given.head}
    kept.append(new)
    print(f"https://example.org/{thing}/{new['number']}")


if __name__ == "__main__":
    main(sys.argv[1:])
