"""Preview of the site for whoever writes it: ``python -m tensor_atlas.site.build.preview``.

The first process serves what is built. A second one builds, and keeps the loaded application: a page whose
prose has changed is there within a second. Whatever else changes, a new process builds everything again.
The search, downloads and pages that list others follow with the next whole build.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import multiprocessing
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import SphinxError
from sphinx.util.docutils import docutils_namespace, patch_docutils
from sphinx_gallery.gen_rst import generate_file_rst

from tensor_atlas.checkout.project import find
from tensor_atlas.errors import AtlasError
from tensor_atlas.pages import GALLERY
from tensor_atlas.site.build.execution import BuildStoppedError, replace_prose

PAUSE = 0.2
"""Seconds between two looks at the files."""
WATCHED = ("docs", "examples", "src")
BUILT = ("docs/_build", f"docs/{GALLERY}")
"""Folders in which the build itself writes."""
KINDS = (".css", ".html", ".js", ".json", ".md", ".png", ".py", ".rst", ".svg", ".toml")
"""Files that pages are made of; editors keep others beside them."""
FILE_ERRORS = (AtlasError, BuildStoppedError, SphinxError)
"""What is wrong with a file, not with this program."""
RELOAD = b"""<script>
{
  let seen;
  setInterval(async () => {
    const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" });
    const date = answer.headers.get("last-modified");
    if (seen && date !== seen) location.reload();
    seen = date;
  }, 500);
}
</script>
"""
"""Shows a page again once it has been written again."""

Times = dict[Path, int]
"""When each watched file was written, in nanoseconds."""


class PageHandler(SimpleHTTPRequestHandler):
    """Sends files of the site, each page with a script that reloads it."""

    def do_GET(self) -> None:
        """Answer a request for a file."""
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if path.suffix != ".html" or not path.is_file():
            super().do_GET()
            return
        body = path.read_bytes() + RELOAD
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing of each request."""


def read_times(root: Path) -> Times:
    """When each file was written that pages are made of."""
    built = [root / name for name in BUILT]
    times: Times = {}
    for path in (path for name in WATCHED for path in (root / name).rglob("*")):
        if path.suffix in KINDS and path.is_file() and not any(map(path.is_relative_to, built)):
            times[path] = path.stat().st_mtime_ns
    return times


def wait_for_changes(root: Path, before: Times) -> Iterator[list[Path]]:
    """Files that were written, added or removed, each time; ends when nobody serves them."""
    parent = multiprocessing.parent_process()
    while parent is None or parent.is_alive():
        time.sleep(PAUSE)
        after = read_times(root)
        changed = {path for path, _ in before.items() ^ after.items()}
        before = after
        if changed:
            yield sorted(changed)


def show_prose(app: Sphinx, root: Path, changed: Iterable[Path]) -> bool:
    """Write the pages of files in which prose alone has changed; False where anything else has."""
    for path in changed:
        is_page = path.is_relative_to(app.srcdir) and path.suffix in app.config.source_suffix
        if not path.is_file() or not (is_page or _show_example(app, root, path)):
            return False
    app.builder.build_update()
    return True


def _show_example(app: Sphinx, root: Path, path: Path) -> bool:
    if path.suffix != ".py" or path.parent.parent != root / "examples" or not replace_prose(app, path):
        return False
    pages = Path(app.srcdir, GALLERY, path.parent.name)
    generate_file_rst(path.name, pages, path.parent, app.config.sphinx_gallery_conf)
    return True


def build_and_follow(root: Path) -> None:
    """Build everything, then show each change of prose; returns when something else has changed."""
    changes = wait_for_changes(root, read_times(root))
    docs, built = root / "docs", root / "docs" / "_build"
    with contextlib.suppress(KeyboardInterrupt), patch_docutils(docs), docutils_namespace():
        print("Building the site, which takes minutes the first time.", flush=True)
        try:
            app = Sphinx(docs, docs, built / "html", built / "doctrees", "html", status=None)
            app.build()
        except FILE_ERRORS as error:
            print(error, file=sys.stderr, flush=True)
            next(changes, None)
            return
        print("The preview is up to date.", flush=True)
        for changed in changes:
            try:
                if not show_prose(app, root, changed):
                    return
            except FILE_ERRORS as error:
                print(error, file=sys.stderr, flush=True)
            else:
                print(f"Written again: {', '.join(path.name for path in changed)}", flush=True)


def main() -> None:
    """Serve the site of this checkout until it is interrupted."""
    parser = argparse.ArgumentParser(description="Serve the site on this machine, and follow every change.")
    parser.add_argument("--port", type=int, default=8000, help="where (default: %(default)s)")
    port = parser.parse_args().port
    try:
        root = find(Path.cwd()).root
    except AtlasError as error:
        parser.error(str(error))
    site = root / "docs" / "_build" / "html"
    site.mkdir(parents=True, exist_ok=True)
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), functools.partial(PageHandler, directory=str(site)))
    except (OSError, OverflowError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        parser.error(f"cannot listen on port {port}: {why}; name another one: --port 8001")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"The site is at http://127.0.0.1:{server.server_port}; Ctrl-C ends.", flush=True)
    while True:
        builder = multiprocessing.get_context("spawn").Process(target=build_and_follow, args=(root,))
        builder.start()
        builder.join()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
