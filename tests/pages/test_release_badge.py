"""On which releases an example does the same, from runs alone."""

from __future__ import annotations

from dataclasses import replace

from samples import CPU, GPU, OLDER, example, ran

from tensor_atlas.compare.evidence import ExampleEvidence, Origin
from tensor_atlas.history.timeline import Agreement
from tensor_atlas.model.runs import Environment, Run
from tensor_atlas.pages.release_badge import ReleaseBadge, describe_answer, find_answer_block, rate_releases

EXAMPLE = example("print(1)\nprint(2)\n# => 2\n")
LONG = example("a = 1\n\n# %%\n\nprint(a)\n# => 1\n\n# %%\n\nprint(2)\n# => 2\n")
"""Its second block has the first output."""
MIDDLE = replace(CPU, torch="2.9.1+cpu")
HERE = ran(EXAMPLE, "1", "2")
THREE = ran(LONG, "", "1", "2")


def shown(*runs: tuple[Environment, Run], **fields: object) -> ExampleEvidence:
    """Evidence of an example that ran in these environments, which shows the run of CPU."""
    found = ExampleEvidence(EXAMPLE, Origin.EXECUTED, HERE, CPU, runs=(*runs, (CPU, HERE)), executed=CPU)
    return replace(found, **fields)  # type: ignore[arg-type]


def shown_long(*runs: tuple[Environment, Run]) -> ExampleEvidence:
    """The same of an example with several blocks."""
    return ExampleEvidence(LONG, Origin.EXECUTED, THREE, CPU, runs=(*runs, (CPU, THREE)), executed=CPU)


def badge(of: ExampleEvidence) -> ReleaseBadge:
    """The badge, which there is."""
    found = rate_releases(of)
    assert found is not None
    return found


def test_badge_counts_releases_that_did_the_same() -> None:
    """And says how the others differ, one by one too."""
    found = badge(shown((OLDER, ran(EXAMPLE, "1", "3")), (MIDDLE, HERE)))
    assert found.words == "Same on 2 of 3 releases (2.9–2.13); different behaviour on 2.2"
    assert found.whole == ""
    assert found.releases == (
        (OLDER, Agreement.BEHAVIOUR),
        (MIDDLE, Agreement.SAME),
        (CPU, Agreement.SAME),
    )


def test_badge_leaves_other_devices_out() -> None:
    """What a GPU printed is no release of the CPU's page."""
    gpu = replace(GPU, torch="2.11.0+cu128")
    assert rate_releases(shown((gpu, HERE))) is None
    assert badge(shown((OLDER, HERE), (gpu, HERE))).words == "Same on all 2 releases (2.2–2.13)"


def test_badge_counts_releases_that_recorded_other_code() -> None:
    """They say nothing about the present one, and are not counted as tried."""
    found = badge(shown((OLDER, HERE), unmeasured=(MIDDLE,)))
    assert found.words == "Same on all 2 releases tried (2.2, 2.13)"
    assert found.releases[1] == (MIDDLE, Agreement.NOT_MEASURED)


def test_one_release_has_no_badge() -> None:
    """Nor has a page that nobody ran."""
    assert rate_releases(shown()) is None
    assert rate_releases(shown((OLDER, HERE), run=None)) is None


def test_one_release_of_several_known_says_that_others_wait() -> None:
    """Instead of a count of one."""
    assert badge(shown(unmeasured=(MIDDLE,))).words == "Ran with torch 2.13, not yet with 1 other release"


def test_badge_speaks_of_the_first_block_with_output() -> None:
    """A later block that differs is counted behind it, and told apart in the fold."""
    assert find_answer_block(LONG) == 1
    later = badge(shown_long((OLDER, ran(LONG, "", "1", "3")), (MIDDLE, THREE)))
    words = "First code block: same on all 3 releases (2.2–2.13); later blocks differ on 1 release"
    assert later.words == words
    assert later.whole == "All blocks: same on 2 of 3 releases (2.9–2.13); different behaviour on 2.2"
    assert dict(later.releases)[OLDER] is Agreement.SAME


def test_badge_names_releases_where_the_first_output_differs() -> None:
    """Though later blocks differ on others."""
    runs = (OLDER, ran(LONG, "", "7", "2")), (MIDDLE, ran(LONG, "", "1", "3"))
    found = badge(shown_long(*runs))
    first = "First code block: same on 2 of 3 releases (2.9–2.13); different behaviour on 2.2"
    assert found.words == f"{first}; later blocks differ on 1 release"


def test_words_alone_are_told_from_behaviour() -> None:
    """In blocks after the first, where nothing else differs."""
    same = [(one, Agreement.SAME) for one in (OLDER, MIDDLE, CPU)]
    whole = [(OLDER, Agreement.WORDING), *same[1:]]
    assert describe_answer(same, whole).endswith("; later messages are worded differently on 1 release")
    assert describe_answer(same, [(OLDER, Agreement.CLASS), *whole[1:]]).endswith(
        "; later blocks differ on 1 release"
    )


def test_first_block_that_a_run_did_not_reach_is_not_measured() -> None:
    """A run that ended before it says nothing of the answer; one that reached it does."""
    found = dict(badge(shown_long((OLDER, replace(THREE, observations=())), (MIDDLE, THREE))).releases)
    assert found[OLDER] is Agreement.NOT_MEASURED
    assert found[MIDDLE] is Agreement.SAME
