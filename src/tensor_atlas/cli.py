"""The command ``tensor-atlas``: answers from the cache where nothing has changed, else asks ``commands``."""

from __future__ import annotations

import gc
import hashlib
import json
import os
import re
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from tensor_atlas import streams
from tensor_atlas.checkout import cache
from tensor_atlas.errors import BAD_INPUT, INTERRUPTED, AtlasError
from tensor_atlas.files import describe_unreadable, lock_folder, read_regular, replace_file
from tensor_atlas.probe.sandbox import end_with_parent

READER_LEFT = 141
"""As a shell reports a program that nobody reads from any more."""
BUILD = Path("docs", "_build")
"""Folder of all that a build makes, inside a checkout."""
SITE = BUILD / "html"
"""Folder of the built site."""
WAITING = "tensor-atlas: another build is running in this checkout: waiting for its end"
SITE_KEY = "site.json"
DOCTREES = SITE.parent / "doctrees"
"""Folder of the pages as Sphinx has read them."""
WARNINGS = SITE.parent / "warnings.txt"
"""What the last build warned of."""
_WARNED_PAGE = re.compile(r"(.+?\.(?:rst|md))(?::\d+)?: (?:WARNING|ERROR|CRITICAL)")
STRICT = ("-W", "--keep-going", "--jobs", "auto")
"""Every warning is an error, and all of them are shown."""
SITE_VARIABLES = ("SITE_URL", "ATLAS_REPOSITORY", "ATLAS_SITE_BRANCH")
"""Variables that docs/conf.py reads."""
GENERATED = ("_build", "gallery", "history")
"""Folders of docs/ that a build makes."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code: 0 when all is well, 1 for drift, 2 for bad input."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if arguments is None:
        streams.protect_streams()
        streams.stop_in_order()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # who ignores it sees no exit code
    try:
        return _check_output(_answer(given))
    except SystemExit as error:  # of a parser, which has printed something as well
        if _check_output(0):
            return BAD_INPUT
        raise error from None
    except BrokenPipeError:
        # The reader has read enough, as head does. What is left in the buffer must not be written at exit
        # either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_LEFT
    except KeyboardInterrupt:
        print("tensor-atlas: interrupted", file=sys.stderr)
        return INTERRUPTED


def _check_output(code: int) -> int:
    """``code`` if standard output took all that was printed, BAD_INPUT otherwise."""
    sys.stdout.flush()
    if not (loss := streams.describe_loss()):
        return code
    print(f"tensor-atlas: {loss}", file=sys.stderr)
    return BAD_INPUT


def _answer(given: list[str]) -> int:
    """Exit code of a command; BAD_INPUT, and a message, where it cannot be done."""
    words: object = "out of memory\n    end other programs, or raise ulimit -v"
    try:
        return _run(given)
    except MemoryError:
        pass
    except AtlasError as error:
        words = error
    except OSError as error:
        if error.filename is None:
            raise
        words = describe_unreadable(error)
    print(f"tensor-atlas: {words}", file=sys.stderr)
    return BAD_INPUT


def _run(given: list[str]) -> int:
    try:
        root = cache.find_checkout(Path.cwd())
    except FileNotFoundError:
        remedy = "change to the folder that holds examples/"
        raise AtlasError(f"the working directory has been removed: {remedy}") from None
    if given[:1] == ["site"]:
        return build_site(root, given[1:])
    if given == ["drift"] and root is not None and (report := cache.read_report(root)) is not None:
        print("tensor-atlas: nothing has changed since this report", file=sys.stderr)
        print(report)
        return 0
    from tensor_atlas import commands  # noqa: PLC0415 - takes longer to import than the cache to answer

    return commands.main(given)


# --- the site ------------------------------------------------------------------------------------------


def build_site(root: Path | None, options: Sequence[str]) -> int:
    """Build the site with Sphinx unless nothing has changed; Sphinx's exit code."""
    if root is None:
        raise AtlasError("not inside a checkout: change to the folder that holds examples/")
    if not (root / "docs").is_dir():
        raise AtlasError(str(root / "docs"), "no such folder", "take it from the repository")
    with lock_folder(root / BUILD, WAITING):
        return _build_alone(root, options)


def _build_alone(root: Path, options: Sequence[str]) -> int:
    """Exit code of the build, while no other ``tensor-atlas site`` builds in this checkout."""
    key_file = root / cache.FOLDER / SITE_KEY
    key = site_key(root, options)
    if _read_key(key_file) == [key, _modified(root / SITE)]:
        print("tensor-atlas: the site is up to date", file=sys.stderr)
        return 0
    os.chdir(root)
    from sphinx.cmd.build import main as sphinx_build  # noqa: PLC0415 - takes seconds to import

    os.register_at_fork(after_in_child=_end_with_build)
    # Next to nothing is garbage, and to look for it takes a fifth of a cold build: 111 s, 90 s without. All
    # processes together stay below 1.3 GB.
    gc.disable()
    where = ["-d", str(DOCTREES), "-w", str(WARNINGS)]
    WARNINGS.parent.mkdir(parents=True, exist_ok=True)
    code = sphinx_build([*STRICT, "-b", "html", *where, *options, "docs", str(SITE)])
    if code != 0:
        _forget_pages_with_warnings()
    else:
        try:
            replace_file(key_file, json.dumps([key, _modified(root / SITE)]))
        except AtlasError as error:
            print(f"tensor-atlas: {error}", file=sys.stderr)
    return code


def _forget_pages_with_warnings() -> None:
    """Have the next build read these pages again: Sphinx says of an unchanged page nothing a second time."""
    for line in WARNINGS.read_text(encoding="utf-8").splitlines() if WARNINGS.is_file() else ():
        if found := _WARNED_PAGE.match(line):
            page = Path(os.path.relpath(found[1], "docs"))
            (DOCTREES / page).with_suffix(".doctree").unlink(missing_ok=True)


def _end_with_build() -> None:
    """Let a process of Sphinx end with the build: it would wait for ever for somebody to read its pages."""
    end_with_parent()
    streams.stop_at_once()


def site_key(root: Path, options: Sequence[str]) -> str:
    """Digest of everything that the site is made of, how it is asked for, and the commit that it names."""
    variables = [os.environ.get(name) for name in SITE_VARIABLES]
    facts = [list(options), variables, cache.read_commit(root), cache.report_key(root)]
    digest = hashlib.sha256(json.dumps(facts).encode(errors="surrogatepass"))
    cache.add_files(digest, (path for path in root.iterdir() if not path.is_dir()), root)
    for path in (root / "docs").iterdir():
        if path.name not in GENERATED:
            cache.add_files(digest, path.rglob("*") if path.is_dir() else [path], root)
    return digest.hexdigest()


def _modified(site: Path) -> int:
    """When a build last wrote the site's first page, in nanoseconds; 0 where there is none."""
    try:
        return (site / "index.html").stat().st_mtime_ns
    except OSError:
        return 0


def _read_key(path: Path) -> object:
    try:
        return json.loads(read_regular(path))
    except (OSError, ValueError):
        return None


if __name__ == "__main__":
    sys.exit(main())
