"""Seven questions from the landing page to a whole answer: at most two clicks, little scrolling, by mouse.

To choose a value is no click. The answer counts as seen when its last part is in the window.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Locator, Page, expect

SCREENS = ((1280, 800), (390, 844))
KILLED = "RuntimeError: DataLoader worker (pid 18342) is killed by signal: Killed."
MOST_CLICKS, MOST_SCROLL = 2, 1000
"""Clicks, and pixels of scrolling on all pages together."""


@dataclass
class Journey:
    """What a reader does with the mouse, counted."""

    page: Page
    site: str
    clicks: int = 0
    scrolled: float = 0.0
    log: list[str] = field(default_factory=list)

    def see(self, place: Locator) -> Locator:
        """Scroll, down or up, until a place is in the window; of one that is higher, its lower edge."""
        expect(place).to_be_visible()
        box = place.bounding_box()
        height = self.page.viewport_size["height"] if self.page.viewport_size else 0
        assert box is not None
        distance = max(0.0, box["y"] + box["height"] - height) + min(0.0, box["y"])
        if distance:
            self.page.evaluate(
                "distance => window.scrollBy({ top: distance, behavior: 'instant' })", distance
            )
        self.scrolled += abs(distance)
        self.log.append(f"{self.page.url.rpartition('/')[2]}: {distance:.0f} px")
        return place

    def click(self, place: Locator) -> None:
        """Scroll to a place and click on it."""
        self.see(place).click()
        self.clicks += 1


def convert(journey: Journey, have: str, want: str) -> Locator:
    """The line of the first door that answers."""
    door = journey.page.locator("#choose-a-conversion")
    door.get_by_label("I have").select_option(have)
    door.get_by_label("I want").select_option(want)
    return door.locator(".atlas-pick-row:visible")


def cuda_to_numpy(journey: Journey) -> None:
    """The error page: why, the call, and what else is needed for a tensor that requires grad."""
    journey.click(journey.page.get_by_role("link", name="can't convert cuda:0 device type tensor"))
    article = journey.page.locator("article")
    expect(journey.see(article.locator(".atlas-fix-box"))).to_contain_text("scores.detach().cpu().numpy()")
    journey.see(article.get_by_text("is for tensors that require grad"))


def from_numpy_copies(journey: Journey) -> None:
    """In place: the call, and that it shares."""
    row = journey.see(convert(journey, "an array", "a tensor on the same memory"))
    expect(row).to_contain_text("torch.from_numpy(array)")
    expect(row).to_contain_text("shares memory")


def both_upgraded(journey: Journey) -> None:
    """What most programs meet, whole; the rest is counted behind one fold."""
    door = journey.page.locator("#compare-an-upgrade")
    door.get_by_label("From torch").select_option("2.6.0")
    door.get_by_label("From NumPy").select_option("1.26.4")
    door.get_by_label("To torch").select_option("2.15.0")
    door.get_by_label("To NumPy").select_option("2.4.6")
    journey.click(door.get_by_role("link", name="Show what changes"))
    items = journey.page.locator(".atlas-upgrade-met > ul .atlas-upgrade-item")
    expect(items.first).to_contain_text("np.array(tensor, copy=False)")
    assert items.count() > 4
    journey.see(items.last)
    rest = journey.page.locator(".atlas-upgrade-rest > summary")
    expect(rest).to_contain_text(re.compile(r"\d+ other changes"))
    releases = items.locator(".atlas-upgrade-release").all_inner_texts()
    assert all(any(name in text for text in releases) for name in ("torch", "NumPy"))


def map_to_gpu(journey: Journey) -> None:
    """The call on the landing page; the recipe says which step copies, warns and waits."""
    row = convert(journey, "a read-only float64 memory map", "a float32 tensor on a GPU")
    expect(row).to_contain_text('torch.tensor(array, dtype=torch.float32).to("cuda")')
    journey.click(row.locator(".atlas-verdict:visible"))
    table = journey.page.locator("article table")
    expect(table.locator("th")).to_have_text(["Step", "Copies", "Warns", "Waits"])
    assert table.evaluate("node => node.getBoundingClientRect().top") >= 0
    journey.see(table)


def bfloat16_that_requires_grad(journey: Journey) -> None:
    """In place the call for both obstacles at once; on its page both errors, one after the other."""
    row = journey.see(convert(journey, "a bfloat16 tensor that requires grad", "an array"))
    expect(row).to_contain_text("tensor.detach().float().numpy()")
    journey.click(row.locator(".atlas-verdict:visible"))
    article = journey.page.locator("article")
    expect(article.locator("h1")).to_contain_text("np.asarray of a bfloat16 tensor that requires grad")
    journey.see(article.get_by_text("tensor.detach().float().numpy()").first)
    journey.see(article.get_by_text("Can't call numpy() on Tensor that requires grad").first)
    journey.see(article.get_by_text("Got unsupported ScalarType BFloat16").first)


def killed_worker(journey: Journey) -> None:
    """The message is pasted; the page names the reason and what to change."""
    journey.page.locator("article textarea").fill(KILLED)
    finding = journey.page.locator("article .atlas-finding").first
    expect(finding).to_contain_text("is killed by signal: Killed")
    journey.click(finding.locator("a").first)
    article = journey.page.locator("article")
    lead = journey.see(article.locator("p", has_text="The kernel killed the worker"))
    expect(lead).to_contain_text("use fewer workers, or let fewer and smaller batches wait")
    expect(lead).to_contain_text("Bus error")


def numpy_beside_torch(journey: Journey) -> None:
    """In place: the release that works, and one that does not."""
    door = journey.page.locator("#check-compatibility")
    door.get_by_label("torch").select_option("2.2")
    door.get_by_label("Python").select_option("3.11")
    verdicts = door.locator(".atlas-verdict:visible")
    expect(verdicts).to_have_text(["✓ works with NumPy 1.26", "× does not work with NumPy 2.4"])
    line = journey.see(door.locator(".atlas-pick-range:visible"))
    expect(line).to_have_text('NumPy 1 fits, NumPy 2 does not: pip install "torch==2.2.*" "numpy<2"')


JOURNEYS: tuple[Callable[[Journey], None], ...] = (
    cuda_to_numpy,
    from_numpy_copies,
    both_upgraded,
    map_to_gpu,
    bfloat16_that_requires_grad,
    killed_worker,
    numpy_beside_torch,
)


@pytest.mark.parametrize(("width", "height"), SCREENS)
@pytest.mark.parametrize("follow", JOURNEYS, ids=lambda follow: follow.__name__)
def test_question_is_answered_in_two_clicks(
    reader: Page, site: str, follow: Callable[[Journey], None], width: int, height: int
) -> None:
    """And within 1,000 px of scrolling on all pages together."""
    reader.set_viewport_size({"width": width, "height": height})
    reader.goto(f"{site}/index.html")
    journey = Journey(reader, site)
    follow(journey)
    print(f"{follow.__name__} {width}: {journey.clicks} clicks, {journey.scrolled:.0f} px", *journey.log)
    assert journey.clicks <= MOST_CLICKS
    assert journey.scrolled <= MOST_SCROLL, journey.log
