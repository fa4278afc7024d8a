"""What the gallery's pages get that sphinx-gallery and the theme leave out."""

from __future__ import annotations

from bs4 import BeautifulSoup

from tensor_atlas.site.gallery import gallery_quirks
from tensor_atlas.site.gallery.gallery_quirks import name_arrows


def test_each_tag_is_a_button_that_narrows_the_cards() -> None:
    """With its text as text."""
    buttons = BeautifulSoup(gallery_quirks._build_buttons(["sharing", "a<b"]), "html.parser").find_all(
        "button"
    )
    assert [button.get_text() for button in buttons] == ["sharing", "a<b"]
    assert [button["class"] for button in buttons] == [["sphx-glr-tag"]] * 2


def test_arrow_without_words_is_named_after_its_link() -> None:
    """Blanks are no words; a summary with words needs no other name."""
    fold = '<li><a href="x"> Guides </a><details><summary>{}</summary></details></li>'
    tree = name_arrows(BeautifulSoup(fold.format(" <i></i>\n") + fold.format("More"), "html.parser"))
    assert [summary.get("aria-label") for summary in tree.find_all("summary")] == ["Pages of Guides", None]
