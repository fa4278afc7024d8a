"""A server for the built site and a browser that opens it."""

from __future__ import annotations

import functools
import shutil
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

expect.set_options(timeout=30_000)  # three browsers share two processors, beside whatever else runs there

SITE = Path(__file__).parents[2] / "docs" / "_build" / "html"


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a line per request."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
        """Keep the test output readable."""


@pytest.fixture(scope="session")
def folder() -> Path:
    """Folder of the built site."""
    if not (SITE / "index.html").is_file():
        pytest.fail("there is no site yet: nox -s docs")
    return SITE


Serve = Callable[[type[SimpleHTTPRequestHandler]], str]
"""Serves the built site by a class of handlers, and gives its address on this machine."""


@pytest.fixture(scope="session")
def serve(folder: Path) -> Iterator[Serve]:
    """Starts servers; all of them end with the session."""
    servers: list[ThreadingHTTPServer] = []

    def started(handler: type[SimpleHTTPRequestHandler]) -> str:
        servers.append(
            ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=str(folder)))
        )
        threading.Thread(target=servers[-1].serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{servers[-1].server_port}"

    yield started
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="session")
def site(serve: Serve) -> str:
    """Address of the built site on this machine."""
    return serve(Quiet)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without its own traffic."""
    executable = next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    if executable is None:
        pytest.fail("chromium is not installed: apt-get install chromium")
    arguments = [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
    ]
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=executable, args=arguments)
        yield opened
        opened.close()


@pytest.fixture(params=["file", "server"])
def origin(request: pytest.FixtureRequest, site: str, folder: Path) -> str:
    """Where the site is opened from."""
    return folder.as_uri() if request.param == "file" else site


WINDOW: ViewportSize = {"width": 1280, "height": 900}


@pytest.fixture(scope="session")
def window(browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    """A page, and what its console says."""
    context = browser.new_context(viewport=WINDOW, permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda m: said.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page, said
    context.close()


FORGET = """() => new Promise((resolve) => {
    const deleting = indexedDB.deleteDatabase("tensor-atlas");
    for (const end of ["success", "error", "blocked"]) deleting.addEventListener(end, resolve);
})"""
"""Deletes a capture that a test has given; one that is blocked is deleted when the page is left."""


@pytest.fixture
def reader(window: tuple[Page, list[str]]) -> Iterator[Page]:
    """A reader who has chosen nothing yet; whatever the console says fails the test.

    Tests share a window, since opening one takes as long as two pages do: it is left as it was found.
    """
    page, said = window
    yield page
    for other in page.context.pages:
        if other is not page:
            other.close()
    if page.url.startswith(("http:", "file:")):
        page.evaluate("localStorage.clear(), sessionStorage.clear()")
        page.evaluate(FORGET)
    page.emulate_media(media="null", color_scheme="null")
    page.set_viewport_size(WINDOW)
    page.mouse.move(0, 0)
    page.goto("about:blank")
    found = [*said]
    said.clear()
    assert found == []
