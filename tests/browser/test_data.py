"""The page of the data export in a browser: what it offers can be had."""

from __future__ import annotations

from playwright.sync_api import Browser


def test_download_is_where_the_page_says(browser: Browser, site: str) -> None:
    """The document names the schema beside it, and the snippet on the page has answered for every release."""
    page = browser.new_page()
    page.goto(f"{site}/reference/data.html")
    links = page.locator("article a[href$='.json']").evaluate_all("nodes => nodes.map(node => node.href)")
    assert links == [f"{site}/records.json", f"{site}/records.schema.json"]
    data, form = (page.request.get(link).json() for link in links)
    assert data["$schema"] == form["$id"] == "records.schema.json"
    answer = page.locator("article .cell_output").inner_text()
    for environment in data["environments"]:
        if environment["kind"] == "cpu":
            assert f"  {environment['torch']}  {environment['numpy']}  cpu" in answer
    assert page.request.get(f"{site}/{data['examples'][0]['page']}").ok
    page.close()
