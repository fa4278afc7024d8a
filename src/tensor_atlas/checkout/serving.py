"""Serves a built site on this machine, and watches the files that it is made of."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

PAUSE = 0.2
"""Seconds between two looks at the files."""
WATCHED = ("docs", "examples", "src")
BUILT = ("docs/_build", "docs/gallery")
"""Folders in which the build itself writes."""
KINDS = (".css", ".html", ".js", ".json", ".md", ".png", ".py", ".rst", ".svg", ".toml")
"""Files that pages are made of; editors keep others beside them."""
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
