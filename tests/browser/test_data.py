"""The page of the data export in a browser: what it offers can be had."""

from __future__ import annotations

from playwright.sync_api import Browser


def test_download_is_where_the_page_says(browser: Browser, site: str) -> None:
    """Each document names the schema beside it; the page's snippet answers for every release."""
    page = browser.new_page()
    page.goto(f"{site}/reference/data.html")
    links = page.locator("article a[href$='.json']").evaluate_all("nodes => nodes.map(node => node.href)")
    names = ("records", "errors", "chooser", "names")
    assert links == [f"{site}/{name}.{end}" for name in names for end in ("json", "schema.json")]
    documents = [page.request.get(link).json() for link in links]
    for name, data, form in zip(names, documents[::2], documents[1::2], strict=True):
        assert data["$schema"] == form["$id"] == f"{name}.schema.json"
    data = documents[0]
    answer = page.locator("article .highlight-none").first.inner_text()
    for environment in data["environments"]:
        if environment["kind"] == "cpu":
            assert f"  {environment['torch']}  {environment['numpy']}  cpu" in answer
    assert page.request.get(f"{site}/{data['examples'][0]['page']}").ok
    page.close()
