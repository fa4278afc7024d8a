"""The header of an error page: on which releases its error and its fix are the same."""

from __future__ import annotations

from dataclasses import replace

import pytest
from samples import CPU, example

from tensor_atlas.compare.evidence import ExampleEvidence, Origin
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.parse import Example, parse_example
from tensor_atlas.model.runs import Environment, Observation, Raised, Run, Status, Warned
from tensor_atlas.pages.fix_view import describe_fix_releases, find_message, view_fix

TEXT = '''"""
TypeError: no lists
===================

Lead.

.. fix::

   - f([])
   + g([])
"""

# %%
# The error
# ---------

print(1)
try:
    f([])
except TypeError as error:
    print(error)

# %%
# The fix
# -------

print(g([]))
'''
PAGE = parse_example(TEXT, "examples/13_errors/a.py")
RELEASES = [replace(CPU, torch=f"2.{minor}.0+cpu") for minor in range(5)]


def observed(*observations: Observation) -> Run:
    """Run of the page with these observations."""
    return Run(PAGE.name, PAGE.digest, Status.COMPLETED, "", observations)


def did(message: str = "no lists here", type_: str = "TypeError", fixed: str = "2", aside: str = "1") -> Run:
    """Run with an error and a fix; without a message the error is not raised."""
    caught = (Raised(type_, message, printed=message),) if message else ()
    return observed(
        Observation("print(1)", aside),
        Observation("try", message, caught=caught),
        Observation("print", fixed),
    )


def described(*runs: Run | None) -> str:
    """Header of the page whose releases did this; None has no record, and the last is shown."""
    pairs = list(zip(RELEASES, runs, strict=False))
    there: list[tuple[Environment, Run]] = [(where, run) for where, run in pairs if run is not None]
    shown = ExampleEvidence(PAGE, Origin.RECORDED, there[-1][1], there[-1][0], runs=tuple(there))
    return describe_fix_releases(shown, [where for where, _ in pairs])


def test_header_speaks_of_the_error_and_its_fix_alone() -> None:
    """What else a page shows may differ."""
    assert described(did(aside="0"), did(), did()) == "Same on all 3 releases (2.0–2.2)"


def test_releases_that_differ_are_named() -> None:
    """Neighbours as a range; what the error did there in words."""
    same = "The fix is the same on all 4 releases (2.0–2.3); "
    assert described(did("no, lists"), did("no, lists"), did(), did()) == (
        f"{same}the message is worded differently on 2.0–2.1"
    )
    assert described(did(""), did(), did("no"), did()) == (
        f"{same}no error on 2.0; the message is worded differently on 2.2"
    )


def test_release_without_the_error_is_named_where_the_fix_is_no_code() -> None:
    """Then nothing else could say that it has no record."""
    page = parse_example(TEXT.replace(".. fix::\n\n   - f([])\n   + g([])\n", ""), PAGE.path)
    run = replace(did(), digest=page.digest, observations=did().observations[:2])
    shown = ExampleEvidence(page, Origin.RECORDED, run, RELEASES[1], runs=((RELEASES[1], run),))
    assert describe_fix_releases(shown, RELEASES[:2]) == "Not run on 2.0"


def test_change_of_class_is_called_that() -> None:
    """By the name that the class has there."""
    assert described(did(type_="ValueError"), did()).endswith("; ValueError instead on 2.0")


def test_fix_that_differs_counts() -> None:
    """It may raise, warn or do something else; a release may have no record, or a run that ended before."""
    same = "The fix is the same on 1 of 2 releases (2.1); "
    assert described(did(fixed="3"), did()) == f"{same}it does something else on 2.0"
    assert described(None, did()) == f"{same}not run on 2.0"
    short = replace(did(), observations=did().observations[:2])
    assert described(short, did()) == f"{same}not reached on 2.0"
    raised = replace(did(), status=Status.RAISED, reason="KeyError")
    last = replace(did().observations[2], stdout="", raised=Raised("KeyError", "no"))
    raised = replace(raised, observations=(*did().observations[:2], last))
    assert described(raised, did()) == f"{same}it raises KeyError on 2.0"
    warned = replace(did().observations[2], warnings=(Warned("UserWarning", "old"),))
    warns = replace(did(), observations=(*did().observations[:2], warned))
    assert described(warns, did()) == f"{same}it also warns on 2.0"


def test_error_and_fix_that_warn_are_one_difference() -> None:
    """A release that warns of both does nothing else than the others."""
    old = (Warned("FutureWarning", "old"),)
    same, *both = did().observations
    warns = observed(same, *(replace(observation, warnings=old) for observation in both))
    assert described(warns, did()) == ("The fix is the same on 1 of 2 releases (2.1); it also warns on 2.0")


def test_message_is_that_of_the_title() -> None:
    """From the first statement that shows it; a title that nothing shows ends the build."""
    shown = ExampleEvidence(PAGE, Origin.RECORDED, did(), CPU)
    index, box = find_message(shown)
    assert (index, box.kind, box.text) == (1, "error", "no lists here")
    other: Example = replace(PAGE, title="TypeError: no tuples")
    with pytest.raises(AtlasError, match="no tuples"):
        find_message(replace(shown, example=other))


def test_message_that_the_shown_run_lacks_is_the_claimed_one() -> None:
    """Such as that of builds with CUDA, on a machine that has a build without and no record of the others."""
    claimed = parse_example(TEXT.replace("print(error)\n", "print(error)\n# => no lists\n"), PAGE.path)
    shown = ExampleEvidence(claimed, Origin.EXECUTED, did("nothing at all"), CPU)
    index, box = find_message(shown)
    assert (index, box.kind, box.text) == (1, "expected", "no lists")


def test_view_holds_the_message_and_the_output_of_the_fix() -> None:
    """The output of whole statements alone, of the run that the page shows; without one the claim's."""
    whole = f"{TEXT}# => 2\n".replace("   + g([])", "   + print(g([]))")
    for text, output in ((TEXT, []), (whole, ["2"])):
        shown = ExampleEvidence(parse_example(text, PAGE.path), Origin.RECORDED, did(), CPU)
        view = view_fix(shown)
        assert view is not None
        assert (view.before, view.statement, view.message.text) == ("f([])", 1, "no lists here")
        assert [box.text for own in view.outputs for box in own.boxes] == output
    assert view_fix(replace(shown, example=example("print(1)"))) is None
