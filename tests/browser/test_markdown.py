"""Pages as Markdown in a browser: the button copies the file, which holds what the page shows."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from bs4 import BeautifulSoup
from markdown_it import MarkdownIt
from playwright.sync_api import Browser, Page, expect

PAGES = (
    "index",
    "choose",
    "gallery/13_errors/index",
    "gallery/13_errors/bfloat16",
    "gallery/01_numpy_to_tensor/from_numpy",
    "gallery/07_cuda/numpy_error",
    "guides/memory_model",
    "history/torch-2.9",
    "matrix/index",
    "reference/errors",
    "reference/names",
    "reference/data",
)
"""One of each kind that is made from a document; pages of the matrix are tables of their own."""
TABLES = ("matrix/conversion/torch-from-numpy-x", "matrix/source/tensor-bfloat16")
BUTTON, LINK = "Copy page as Markdown", "This page as Markdown"


def texts(html: str, name: str) -> list[str]:
    """Text in each element of a name, in order, without what other releases show: the file has none."""
    page = BeautifulSoup(html, "html.parser")
    for other in page.select(".atlas-incompatible"):
        other.decompose()
    return [tag.get_text().strip("\n") for tag in page.find_all(name)]


# --- the file --------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES)
def test_code_and_output_are_kept(folder: Path, page: str) -> None:
    """Every box of the page, in order, to the letter: code, output, errors, warnings and claims."""
    html = (folder / f"{page}.html").read_text(encoding="utf-8")
    article = html[html.index("<article") : html.index("</article>")]
    markdown = (folder / f"{page}.md").read_text(encoding="utf-8")
    read = MarkdownIt("gfm-like", {"linkify": False}).render(markdown)
    assert texts(read, "pre") == texts(article, "pre")
    headings = [re.sub(r"#$", "", text) for level in "123" for text in texts(article, f"h{level}")]
    assert [" ".join(text.split()) for level in "123" for text in texts(read, f"h{level}")] == headings


def test_every_page_has_its_file(folder: Path) -> None:
    """But the one for what is not there, and two that list words."""
    pages = [path for path in folder.rglob("*.html") if not path.relative_to(folder).parts[0].startswith("_")]
    without = {path.stem for path in pages if not path.with_suffix(".md").is_file()}
    assert without == {"404", "genindex", "search"}


def test_links_lead_to_files(folder: Path) -> None:
    """Of every file, and of the list of all pages."""
    broken = set()
    for path in (*folder.rglob("*.md"), folder / "llms.txt"):
        text = re.sub(r"(`+).*?\1", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)  # code is no link
        for link in re.findall(r"\]\(([^)#<\s]+)", text):
            if not urlsplit(link).scheme and not (path.parent / link).is_file():
                broken.add((path.relative_to(folder).as_posix(), link))
    assert broken == set()


def test_list_names_every_document(folder: Path) -> None:
    """Each once; pages of conversions and sources are listed by the page of the matrix."""
    listed = re.findall(r"^- \[.*\]\(([^)]+)\.md\)", (folder / "llms.txt").read_text("utf-8"), re.MULTILINE)
    files = {path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.md")}
    assert sorted(listed) == sorted(n for n in files if not re.match("matrix/(conversion|source)/", n))


@pytest.mark.parametrize("name", ["errors.json", "chooser.json"])
def test_addresses_in_a_document_lead_to_pages(folder: Path, name: str) -> None:
    """And to parts of them; an id is a place in the error index."""
    data = json.loads((folder / name).read_text(encoding="utf-8"))
    pages = [entry["page"] for part in ("sources", "conversions") for entry in data.get(part, [])]
    for error in data.get("errors", []):
        pages += [*(page["page"] for page in error["pages"]), *error["fixes"]]
        pages.append(f"reference/errors.html#m-{error['id']}")
    contents: dict[str, str] = {}
    for page in pages:
        address, _, place = page.partition("#")
        if address not in contents:
            contents[address] = (folder / address).read_text(encoding="utf-8")
        assert not place or f'id="{place}"' in contents[address], page
    assert len(pages) > 100


# --- the button ------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", [*PAGES[3:8], *TABLES])
def test_button_copies_the_file(reader: Page, site: str, folder: Path, page: str) -> None:
    """To the letter; the button says so, and so does the status."""
    reader.goto(f"{site}/{page}.html")
    button = reader.get_by_role("button", name=BUTTON)
    button.click()
    expect(reader.get_by_role("button", name="Copied")).to_be_visible()
    assert reader.locator("main > [role=status]").inner_text() == "The page is copied as Markdown."
    held = (folder / f"{page}.md").read_text(encoding="utf-8")
    assert reader.evaluate("navigator.clipboard.readText()") == held
    expect(button).to_be_visible()


def test_page_opened_as_a_file_links_to_it(reader: Page, folder: Path) -> None:
    """No script may read another file there."""
    reader.goto(f"{folder.as_uri()}/{PAGES[3]}.html")
    assert reader.get_by_role("button", name=BUTTON).count() == 0
    reader.get_by_role("link", name=LINK).click()
    reader.wait_for_url("**/bfloat16.md")


def test_reader_without_scripts_has_the_link(browser: Browser, site: str) -> None:
    """It leads to the same file."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/{PAGES[3]}.html")
    assert page.get_by_role("link", name=LINK).get_attribute("href") == "bfloat16.md"
    context.close()


def test_refused_copy_leads_to_the_file(browser: Browser, site: str) -> None:
    """A browser may have no clipboard, or refuse it."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script("navigator.clipboard.write = () => Promise.reject(new Error('refused'))")
    page.goto(f"{site}/{PAGES[3]}.html")
    page.get_by_role("button", name=BUTTON).click()
    page.wait_for_url("**/bfloat16.md")
    context.close()
