"""What a built site has beside its pages, with an address and without one."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from sphinx.testing.util import SphinxTestApp
from tiny_project import CONF, Tiny, tiny

from tensor_atlas import __version__
from tensor_atlas.checkout import cache
from tensor_atlas.site.build.execution import BuildStoppedError
from tensor_atlas.site.build.metadata import CARD, FEED, ROBOTS, SITEMAP
from tensor_atlas.site.build.page_scripts import BUILD

BASE = "https://example.org/atlas/"
CITE = ":orphan:\n\nCite\n====\n\n.. citation::\n"
MISSING = ":orphan:\n\nNot here\n========\n\nGo :doc:`home <index>`.\n"
OLD_PAGE = "gallery/00_old/shares.html"
MOVES = """[[moved]]
from = "gallery/00_old/shares"
to = "gallery/01_x/shares"
"""
LOCATION = re.compile(r"<loc>(.*?)</loc>")


def build(made: Tiny, address: str) -> SphinxTestApp:
    """The site, for an address."""
    app = SphinxTestApp(
        "html", srcdir=made.root / "docs", freshenv=False, confoverrides={"html_baseurl": address}
    )
    app.build()
    return app


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, executed: Path) -> Tiny:
    """The tiny checkout, with a page to cite and one for what is not there."""
    found = tiny(tmp_path_factory.mktemp("published"), executed)
    found.write("docs/cite.rst", CITE)
    found.write("docs/404.rst", MISSING)
    found.write("docs/moved.toml", MOVES)
    return found


@pytest.fixture(scope="module")
def files(made: Tiny) -> dict[str, bytes]:
    """Every file of the site with an address."""
    return written(build(made, BASE))


@pytest.fixture(scope="module")
def published(files: dict[str, bytes]) -> dict[str, str]:
    """Those that hold text."""
    return texts(files)


@pytest.fixture(scope="module")
def local(made: Tiny, published: dict[str, str]) -> dict[str, str]:
    """The same, built again in the same folder without an address."""
    assert SITEMAP in published
    return texts(written(build(made, "")))


def written(app: SphinxTestApp) -> dict[str, bytes]:
    """Files of a built site by path."""
    folder = Path(app.outdir)
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def texts(files: dict[str, bytes]) -> dict[str, str]:
    """Text of pages, scripts and the sitemap."""
    return {name: data.decode() for name, data in files.items() if name.endswith((".html", ".xml", ".js"))}


def test_page_has_one_address_a_card_and_its_first_sentence(published: dict[str, str]) -> None:
    """Of an example the sentence under its title."""
    page = published["gallery/01_x/shares.html"]
    assert f'<link rel="canonical" href="{BASE}gallery/01_x/shares.html" />' in page
    assert f'<meta property="og:url" content="{BASE}gallery/01_x/shares.html" />' in page
    assert '<meta name="description" content="Decide something." />' in page
    assert '<meta property="og:title" content="Shares" />' in page
    assert f'<meta property="og:image" content="{BASE}{CARD}" />' in page
    assert f'<link rel="canonical" href="{BASE}" />' in published["index.html"]


def test_sitemap_lists_every_page_that_may_be_listed(published: dict[str, str]) -> None:
    """Under the address that the page itself names; the others say that they are not to be listed."""
    listed = LOCATION.findall(published[SITEMAP])
    pages = {name: text for name, text in published.items() if name.endswith(".html")}
    moved = pages.pop(OLD_PAGE)
    assert "noindex" in moved
    named = {
        found for text in pages.values() for found in re.findall(r'rel="canonical" href="([^"]+)"', text)
    }
    assert set(listed) == named
    assert len(listed) == len(set(listed)) > 5
    unlisted = {name for name, text in pages.items() if "noindex" in text}
    assert unlisted == {"404.html", "search.html", "genindex.html"}
    assert not [address for address in listed if address.removeprefix(BASE) in unlisted]


def test_search_engines_and_feed_readers_find_the_lists(files: dict[str, bytes]) -> None:
    """Under full addresses; the page of the releases names the feed."""
    assert f"Sitemap: {BASE}{SITEMAP}\n" in files[ROBOTS].decode()
    assert f"<id>{BASE}{FEED}</id>" in files[FEED].decode()


def test_old_address_leads_to_the_page_with_its_anchor(
    published: dict[str, str], local: dict[str, str]
) -> None:
    """By a relative link, which works wherever the site is; search engines are told the one address."""
    for page, has_address in (
        (published[OLD_PAGE], True),
        (local[OLD_PAGE], False),
    ):
        assert 'location.replace("../01_x/shares.html" + location.search + location.hash)' in page
        assert '<a href="../01_x/shares.html">' in page
        assert (f'<link rel="canonical" href="{BASE}gallery/01_x/shares.html">' in page) is has_address


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ('from = "gallery/00_old/a"\nto = "gallery/01_x/none"', "moved.toml:1  no page gallery/01_x/none"),
        ('from = "gallery/01_x/shares"\nto = "index"', "moved.toml:1  gallery/01_x/shares is a page"),
    ],
)
def test_entry_that_leads_nowhere_ends_the_build(entry: str, message: str, fresh: Tiny) -> None:
    """A page that is there is no old address either."""
    fresh.write("docs/moved.toml", f"[[moved]]\n{entry}\n")
    with pytest.raises(BuildStoppedError, match=message):
        fresh.build()


def test_page_for_what_is_not_there_links_from_the_root(published: dict[str, str]) -> None:
    """A server shows it at any address."""
    page = published["404.html"]
    assert 'href="/atlas/index.html"' in page
    assert re.findall(r'(?:href|src)="(?!https?:|/atlas/|#)[^"]*"', page) == []
    assert 'href="index.html"' in published["cite.html"]


def test_without_an_address_nothing_names_one(local: dict[str, str]) -> None:
    """No sitemap is left of an earlier build; a page still has its description."""
    assert {SITEMAP, ROBOTS, FEED}.isdisjoint(local)
    assert [name for name, text in local.items() if name.endswith(".html") and "canonical" in text] == []
    assert [name for name, text in local.items() if BASE in text] == []
    assert 'content="Decide something."' in local["gallery/01_x/shares.html"]
    assert 'href="index.html"' in local["404.html"]


def test_citation_has_the_version_and_the_address(published: dict[str, str], local: dict[str, str]) -> None:
    """As an entry for a bibliography."""
    for text, has_address in ((published["cite.html"], True), (local["cite.html"], False)):
        words = re.sub(r"<[^>]+>", "", text)
        assert f"version = {{{__version__}}}" in words
        assert (f"url = {{{BASE}}}" in words) is has_address


def test_facts_of_the_build_are_a_script_that_every_page_loads(local: dict[str, str]) -> None:
    """So that a new commit writes no page anew."""
    facts = json.loads(local[f"_static/{BUILD}"].removeprefix("window.atlasBuild = ").rstrip(";\n"))
    assert re.fullmatch(r"torch \d\S+, NumPy \d\S+", facts[0])
    assert re.fullmatch(r"records of \d{4}-\d\d-\d\d", facts[1])
    assert len(facts) == 2, "a folder outside of git has no commit"
    pages = {name for name in local if name.endswith(".html") and name != OLD_PAGE}
    assert all(BUILD in local[name] for name in pages)


def test_new_commit_writes_no_page_anew_but_new_code_of_the_package_does(
    fresh: Tiny, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The script alone is another; what an older version of the code has made of a page is not kept."""
    # Sphinx's own defaults are lists that all sites of a process share.
    fresh.write("docs/conf.py", f"{CONF}\nhtml_static_path = []\ntemplates_path = []\n")
    fresh.build()
    page = fresh.root / "docs/_build/html/gallery/01_x/shares.html"
    before = page.stat().st_mtime_ns
    for command in (
        ["init", "--quiet"],
        ["-c", "user.name=n", "-c", "user.email=e", "commit", "--quiet", "--allow-empty", "-m", "a"],
    ):
        subprocess.run(["git", *command], cwd=fresh.root, check=True)
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=fresh.root, check=True, capture_output=True, text=True
    )
    app = fresh.build()
    assert page.stat().st_mtime_ns == before
    assert f"commit {head.stdout[:12]}" in (Path(app.outdir) / "_static" / BUILD).read_text(encoding="utf-8")
    assert "targets for 0 source files" in app.status.getvalue()
    monkeypatch.setattr(cache, "package_key", lambda **_: "f" * 64)
    fresh.build()
    assert page.stat().st_mtime_ns > before
