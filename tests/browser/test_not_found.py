"""The page for what is not there, as a server shows it at any depth of a site that has an address."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tensor_atlas.pages.page_head import root_links

ROOT = "/atlas/"


class Published(SimpleHTTPRequestHandler):
    """Serves the site below ``/atlas/``, and its own page for what is not there, as GitHub does."""

    def translate_path(self, path: str) -> str:
        """File of an address."""
        return (
            super().translate_path(path.removeprefix(ROOT.rstrip("/")))
            if path.startswith(ROOT)
            else "/nowhere"
        )

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
        """Keep the test output readable."""

    def send_error(self, *_: object) -> None:
        """The page, made to lead back from anywhere."""
        page = (Path(self.directory) / "404.html").read_text(encoding="utf-8")
        body = root_links(page, f"https://example.org{ROOT}").encode()
        self.send_response(HTTPStatus.NOT_FOUND)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="module")
def published(serve: Callable[[type[SimpleHTTPRequestHandler]], str]) -> str:
    """Address of the published site on this machine."""
    return serve(Published) + ROOT


@pytest.mark.parametrize("path", ["gone.html", "gallery/02_tensor_to_numpy/deep/gone.html"])
def test_page_is_whole_and_leads_back_from_any_depth(browser: Browser, published: str, path: str) -> None:
    """With its styles and scripts; the box finds pages, and the links arrive."""
    failed: list[str] = []
    context = browser.new_context()
    page = context.new_page()
    page.on(
        "response",
        lambda r: failed.append(r.url) if r.status >= 400 and not r.url.endswith("gone.html") else None,
    )
    page.goto(published + path)
    assert page.locator("h1").inner_text().startswith("Page not found")
    page.locator(".atlas-finder-place textarea").fill("from_numpy")
    found = page.locator(".atlas-finding-link").first
    found.wait_for()
    assert (found.get_attribute("href") or "").startswith(f"{ROOT}gallery/")
    page.get_by_role("article").get_by_role("link", name="Home", exact=True).click()
    expect(page).to_have_url(f"{published}index.html")
    expect(page.locator(".atlas-panels")).to_be_visible()
    assert failed == []
    context.close()
