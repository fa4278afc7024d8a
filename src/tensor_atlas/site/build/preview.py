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
from collections.abc import Iterable
from http.server import ThreadingHTTPServer
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import SphinxError
from sphinx.util.docutils import docutils_namespace, patch_docutils
from sphinx_gallery.gen_rst import generate_file_rst

from tensor_atlas.checkout.project import find
from tensor_atlas.checkout.serving import PageHandler, read_times, wait_for_changes
from tensor_atlas.errors import AtlasError
from tensor_atlas.pages import GALLERY
from tensor_atlas.site.build.execution import BuildStoppedError, replace_prose

FILE_ERRORS = (AtlasError, BuildStoppedError, SphinxError)
"""What is wrong with a file, not with this program."""


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
