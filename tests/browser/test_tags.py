"""The filter on a chapter's page: by words, by mouse, by keyboard, by address, and without a script."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, Page, expect

CHAPTER = "gallery/02_tensor_to_numpy/index.html"
TAGS = ".sphx-glr-tag-list button.sphx-glr-tag"
CARDS = "[data-sgtags]"
STATUS = ".atlas-tag-status"


def cards(page: Page) -> list[set[str]]:
    """Tags of each card that is shown."""
    shown = page.locator(f"{CARDS}:visible").evaluate_all("nodes => nodes.map(n => n.dataset.sgtags)")
    return [set(json.loads(tags)) for tags in shown]


def names(page: Page) -> list[str]:
    """Every tag there is a button for."""
    return page.locator(TAGS).all_text_contents()


def button(tag: str) -> str:
    """Selector of a tag's button."""
    return f"{TAGS}:text-is('{tag}')"


def test_pressed_tags_leave_the_cards_that_have_them_all(reader: Page, origin: str) -> None:
    """One narrows, another narrows more, pressed again it widens; the count is said."""
    reader.goto(f"{origin}/{CHAPTER}")
    every = cards(reader)
    assert sorted(names(reader)) == sorted(set().union(*every))
    reader.locator(".sphx-glr-tag-list summary").click()
    reader.locator(button("sharing")).click()
    first = cards(reader)
    assert first == [tags for tags in every if "sharing" in tags]
    assert 0 < len(first) < len(every)
    expect(reader.locator(STATUS)).to_have_text(f"{len(first)} of {len(every)} examples")
    second = next(
        tag for tag in sorted(set().union(*first)) if tag != "sharing" and not all(tag in t for t in first)
    )
    reader.locator(button(second)).click()
    assert cards(reader) == [tags for tags in first if second in tags]
    reader.locator(button(second)).click()
    assert cards(reader) == first
    reader.get_by_role("button", name="Show all").click()
    assert cards(reader) == every
    expect(reader.locator(STATUS)).to_have_text("")


def test_no_press_leaves_nothing(reader: Page, site: str) -> None:
    """A tag that no card left has cannot be pressed; one that is pressed always can."""
    reader.goto(f"{site}/{CHAPTER}")
    reader.locator(button("sharing")).click()
    left = set().union(*cards(reader))
    for tag in names(reader):
        assert reader.locator(button(tag)).is_enabled() == (tag in left)


def test_keyboard_alone_filters(reader: Page, site: str) -> None:
    """Each tag is reached with Tab and pressed with Space or Enter; whoever shows all is not lost."""
    reader.goto(f"{site}/{CHAPTER}")
    every = cards(reader)
    first, second = reader.locator(f"{TAGS}:visible").all_inner_texts()[:2]
    reader.locator(button(first)).focus()
    reader.keyboard.press("Tab")
    assert reader.evaluate("document.activeElement.textContent") == second
    reader.keyboard.press("Space")
    assert cards(reader) == [tags for tags in every if second in tags]
    assert reader.locator(button(second)).get_attribute("aria-pressed") == "true"
    reader.keyboard.press("Enter")
    assert cards(reader) == every
    reader.keyboard.press("Enter")
    reader.locator(".atlas-tag-clear").focus()
    reader.keyboard.press("Enter")
    assert cards(reader) == every
    assert reader.evaluate("document.activeElement.type") == "search"


def test_tags_in_view_are_those_of_the_most_cards(reader: Page, origin: str) -> None:
    """A few; the others wait in a fold, which is open where the address names one of them."""
    reader.goto(f"{origin}/gallery/12_files/index.html")
    every = cards(reader)
    counts = {tag: sum(tag in tags for tags in every) for tag in names(reader)}
    shown = reader.locator(f"{TAGS}:visible").all_inner_texts()
    folded = [tag for tag in counts if tag not in shown]
    assert len(shown) == 8
    assert min(counts[tag] for tag in shown) >= max(counts[tag] for tag in folded)
    expect(reader.locator(".sphx-glr-tag-list summary")).to_have_text(f"{len(folded)} more tags")
    first = reader.locator(CARDS).first.bounding_box()
    assert first is not None
    assert first["y"] < 700
    reader.goto(f"{origin}/gallery/12_files/index.html?tags={folded[0]}")
    assert reader.locator(button(folded[0])).is_visible()


def test_words_leave_the_cards_that_have_them_all(reader: Page, origin: str) -> None:
    """In title or lead, with the pressed tags; all are back with a press."""
    reader.goto(f"{origin}/{CHAPTER}")
    every = len(cards(reader))
    reader.get_by_label("Filter by name, call or message").fill("DETACH gradient")
    found = [text.lower() for text in reader.locator(f"{CARDS}:visible").all_inner_texts()]
    assert 0 < len(found) < every
    assert all("detach" in text and "gradient" in text for text in found)
    expect(reader.locator(STATUS)).to_have_text(f"{len(found)} of {every} examples")
    reader.get_by_role("button", name="Show all").click()
    assert len(cards(reader)) == every


def test_nothing_is_drawn_over_a_card(reader: Page, site: str) -> None:
    """Its lead is text below its title, with the mouse on it, too."""
    reader.goto(f"{site}/{CHAPTER}")
    card = reader.locator(CARDS).first
    card.hover()
    drawn = "n => ['::before', '::after'].map(part => getComputedStyle(n, part).content)"
    assert card.evaluate(drawn) == ["none", "none"]
    title, lead = card.locator(".sphx-glr-thumbnail-title"), card.locator(".atlas-card-lead")
    above, below = title.bounding_box(), lead.bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] + above["height"] <= below["y"]


def test_pressed_is_told_without_colour(reader: Page, site: str) -> None:
    """By a sign before the tag."""
    reader.goto(f"{site}/{CHAPTER}")
    pressed = reader.locator(button("sharing"))
    sign = "node => getComputedStyle(node, '::before').content"
    assert "✓" not in pressed.evaluate(sign)
    pressed.click()
    assert "✓" in pressed.evaluate(sign)


def test_address_names_the_tags(reader: Page, site: str) -> None:
    """It can be sent to others; a tag that is no longer there is passed over."""
    reader.goto(f"{site}/{CHAPTER}")
    reader.locator(button("sharing")).click()
    found = cards(reader)
    assert reader.url.endswith("?tags=sharing")
    reader.goto(f"{site}/{CHAPTER}?tags=sharing,long-gone")
    reader.locator(TAGS).first.wait_for()
    assert cards(reader) == found
    reader.locator(button("sharing")).click()
    assert "tags" not in reader.url


def test_without_a_script_all_is_shown(browser: Browser, origin: str) -> None:
    """And no button that does nothing."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{origin}/{CHAPTER}")
    assert page.locator(f"{CARDS}:visible").count() == page.locator(CARDS).count() > 0
    assert page.locator(f"{TAGS}:visible, .sphx-glr-tag-list input:visible").count() == 0
    context.close()


@pytest.mark.parametrize("name", ["index.html", CHAPTER, "gallery/02_tensor_to_numpy/two_views.html"])
def test_only_a_chapter_loads_the_filter_and_none_the_other(reader: Page, site: str, name: str) -> None:
    """sphinx-gallery's own is on no page: keys do not reach it, and it writes to the console."""
    reader.goto(f"{site}/{name}")
    loaded = reader.evaluate("[...document.scripts].map(script => script.src)")
    assert not [address for address in loaded if "sg-tags.js" in address]
    assert len([address for address in loaded if "atlas-tags.js" in address]) == (name == CHAPTER)
