"""Which releases have a name, what the others say of it, and what to write instead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from samples import CPU, GPU

from tensor_atlas.errors import AtlasError
from tensor_atlas.model.names import NameAnswer
from tensor_atlas.model.runs import Environment, Raised, Warned
from tensor_atlas.pages.name_history import (
    KnownNames,
    NameHistory,
    Remedy,
    ReviewedName,
    check_reviewed,
    describe_history,
    describe_releases,
    fill_message,
    list_asked,
    list_steps,
    trace_names,
)
from tensor_atlas.toml_tables import read_tables

THERE = NameAnswer()
GONE = NameAnswer(error=Raised("AttributeError", "module 'numpy' has no attribute '{name}'"))
TOLD = NameAnswer(
    error=Raised("AttributeError", "`np.{name}` was removed in the NumPy 2.0 release. Use `np.x`.")
)
TWICE = NameAnswer(error=Raised("AttributeError", "module 'numpy.{name}' has no attribute '{name}'"))
NEEDY = NameAnswer(error=Raised("RuntimeError", "imag is not implemented for real tensors"))
WARNS = NameAnswer((Warned("DeprecationWarning", "`np.{name}` is deprecated"),))
FORMER = NameAnswer(
    error=Raised("AttributeError", "module 'numpy' has no attribute '{name}'.\n`{name}` was an alias.")
)


def numpy(release: str, torch: str = CPU.torch) -> Environment:
    """An environment with a release of NumPy."""
    return replace(CPU, numpy=release, torch=torch)


def trace(
    answers: Mapping[Environment, Mapping[str, NameAnswer]], namespace: str = "numpy"
) -> dict[str, NameHistory]:
    """Histories of the names of one module."""
    given = {environment.id: of for environment, of in answers.items()}
    return trace_names({namespace: given}, {environment.id: environment for environment in answers})


OLD, MIDDLE, NEW = numpy("1.26.4"), numpy("2.0.2"), numpy("2.2.6")


def test_history_has_the_releases_of_its_own_package() -> None:
    """In the order of NumPy's releases for its names, whatever torch is beside them."""
    histories = trace(
        {NEW: {"in1d": GONE}, OLD: {"in1d": THERE}, numpy("2.0.1", torch="2.11.0"): {"in1d": TOLD}}
    )
    found = histories["numpy.in1d"]
    assert (found.package, found.path, found.there, found.absent) == (
        "NumPy",
        "numpy.in1d",
        ["1.26"],
        ["2.0", "2.2"],
    )
    assert describe_history(found) == "NumPy 1.26 has `in1d`; 2.0 and 2.2 do not."
    torch = trace({CPU: {"in1d": THERE}, replace(CPU, torch="2.2.2"): {"in1d": GONE}}, "torch")["torch.in1d"]
    assert (torch.there, torch.absent) == (["2.13"], ["2.2"])


def test_name_that_needs_something_is_there() -> None:
    """Only AttributeError says that there is none."""
    assert trace({OLD: {"imag": NEEDY}})["numpy.imag"].there == ["1.26"]


def test_name_that_no_release_has_has_no_history() -> None:
    """It is in the list of names to ask for; no record holds it."""
    assert trace({OLD: {"typo": GONE}, NEW: {"typo": GONE}}) == {}


def test_release_without_the_module_lacks_its_names_and_one_that_was_not_asked_is_left_out() -> None:
    """An environment that was asked for other names alone says nothing of this one."""
    histories = trace({OLD: {}, MIDDLE: {"find": THERE}, NEW: {"other": THERE}}, "numpy.strings")
    assert histories["numpy.strings.find"].absent == ["1.26"]
    assert histories["numpy.strings.find"].there == ["2.0"]
    assert list_asked(histories.values()) == {"NumPy": ["1.26", "2.0", "2.2"]}


def test_environments_of_a_release_that_disagree_are_named() -> None:
    """CPU builds decide; without any, the others do."""
    histories = trace({CPU: {"gds": GONE}, GPU: {"gds": THERE}, numpy("2.5.0"): {"gds": THERE}})
    found = histories["numpy.gds"]
    assert [(one.release, one.is_there) for one in found.answers] == [("2.4", False), ("2.5", True)]
    assert "in 2.4 it is otherwise with cuda" in describe_history(found)
    assert trace({GPU: {"gds": THERE}})["numpy.gds"].there == ["2.4"]


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ((THERE, TOLD, GONE), "`np.{name}` was removed in the NumPy 2.0 release. Use `np.x`."),
        ((THERE, GONE, GONE), ""),
        ((THERE, TWICE, TWICE), ""),
        ((FORMER, THERE, THERE), "`{name}` was an alias."),
    ],
)
def test_message_is_the_newest_that_says_more_than_absence(
    answers: tuple[NameAnswer, ...], message: str
) -> None:
    """A later release may say less, as 2.5 does of ``np.disp``."""
    given = {
        environment: {"disp": answer} for environment, answer in zip((OLD, MIDDLE, NEW), answers, strict=True)
    }
    assert trace(given)["numpy.disp"].message == message


def test_message_has_the_name_of_one_and_dots_for_several() -> None:
    """As it was captured for the one."""
    assert fill_message("`np.{name}` is gone", ["a"]) == "`np.a` is gone"
    assert fill_message("`np.{name}` is gone", ["a", "b"]) == "`np.…` is gone"


def test_range_of_releases_names_no_release_that_was_not_asked() -> None:
    """It ends where one is missing; 2.0 comes behind 1.26."""
    assert describe_releases("NumPy", ["1.26", "2.0", "2.1", "2.3"]) == "1.26 to 2.1 and 2.3"
    assert describe_releases("torch", ["1.13", "2.0", "2.11", "2.13"]) == "1.13, 2.0, 2.11 and 2.13"
    assert describe_releases("torch", ["2.11"]) == "2.11"


# --- what to write instead ------------------------------------------------------------------------

REVIEWED = '[[names]]\nname = "numpy.{}"\nwrite = "np.isin"\n'


def know(answers: Mapping[Environment, Mapping[str, NameAnswer]], reviewed: str = "") -> KnownNames:
    """Names with a reviewed table."""
    histories = trace(answers)
    entries = read_tables(reviewed, "names", "docs/names.toml", ReviewedName)
    return KnownNames(histories, check_reviewed(entries, histories))


def test_remedy_is_what_the_package_says_and_what_was_reviewed() -> None:
    """The name's own warning where the release that took it away says nothing."""
    known = know(
        {OLD: {"in1d": WARNS, "inf": THERE}, NEW: {"in1d": GONE, "inf": TOLD}}, REVIEWED.format("in1d")
    )
    assert known.find_remedy("numpy.in1d") == Remedy(
        "DeprecationWarning: `np.{name}` is deprecated", "np.isin"
    )
    assert known.find_remedy("numpy.inf").message.endswith("Use `np.x`.")
    assert known.find_remedy("numpy.zebra") == Remedy()


def test_remedy_is_the_other_librarys_name() -> None:
    """And none where the module itself has had it."""
    tensors = trace({CPU: {"unsqueeze": THERE, "copy": THERE}}, "torch.Tensor")
    arrays = trace({CPU: {"copy": THERE}}, "numpy.ndarray")
    known = KnownNames({**tensors, **arrays}, {})
    assert known.find_remedy("numpy.ndarray.unsqueeze").twin == "torch.Tensor.unsqueeze"
    assert known.find_remedy("numpy.ndarray.copy").twin == ""


def test_remedy_is_where_the_name_has_moved() -> None:
    """To the package itself, or to the module of exceptions; a name of a class alone has not moved."""
    lib = trace({OLD: {"append": THERE}, NEW: {"append": GONE}}, "numpy.lib")
    histories = {
        **lib,
        **trace({NEW: {"append": THERE}}),
        **trace({NEW: {"AxisError": THERE}}, "numpy.exceptions"),
    }
    known = KnownNames(histories, {})
    assert known.find_remedy("numpy.lib.append").moved == "np.append"
    assert known.find_remedy("numpy.AxisError").moved == "np.exceptions.AxisError"
    assert known.find_remedy("torch.append").moved == ""


def test_remedy_of_a_name_that_says_nothing_is_that_of_the_packages_own() -> None:
    """``numpy.lib.in1d`` went before ``numpy.in1d`` did, without a word."""
    histories = {
        **trace({OLD: {"in1d": THERE, "inf": THERE}, NEW: {"in1d": GONE, "inf": TOLD}}),
        **trace({OLD: {"in1d": THERE, "inf": THERE}, NEW: {"in1d": GONE, "inf": GONE}}, "numpy.lib"),
    }
    known = KnownNames(histories, {"numpy.in1d": ReviewedName("numpy.in1d", "np.isin")})
    assert known.find_remedy("numpy.lib.in1d").write == "np.isin"
    assert known.find_remedy("numpy.lib.inf").message.endswith("Use `np.x`.")
    assert known.find_remedy("numpy.lib.zebra") == Remedy()


def test_step_groups_names_that_changed_alike() -> None:
    """With the message of the release that took them away; releases that are no neighbours are both named."""
    known = know(
        {
            OLD: {"a": THERE, "b": THERE, "c": THERE, "d": GONE, "e": THERE},
            MIDDLE: {"a": TOLD, "b": TOLD, "c": THERE, "d": THERE, "e": WARNS},
            NEW: {"a": GONE, "b": GONE, "c": GONE, "d": THERE, "e": WARNS},
        }
    )
    later, first = list_steps(known)
    assert (first.title, later.title) == ("NumPy 2.0", "Between NumPy 2.0 and 2.2")
    assert [(group.names, group.remedy.message[-11:]) for group in first.removed] == [
        (("a", "b"), "Use `np.x`.")
    ]
    assert [group.names for group in first.added] == [("d",)]
    assert [(group.names, group.remedy.message[:18]) for group in first.warned] == [
        (("e",), "DeprecationWarning")
    ]
    assert [group.names for group in later.removed] == [("c",)]
    assert (later.added, later.warned) == ((), ())


# --- the reviewed table ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (REVIEWED.format("inld"), "no recorded release has numpy.inld"),
        (REVIEWED.format("abs"), "NumPy 2.2 has numpy.abs, and does not warn of it"),
        (REVIEWED.format("in1d") * 2, "a second entry for numpy.in1d"),
        (REVIEWED.format("in1d") + 'wrote = "x"\n', "unknown field wrote"),
    ],
)
def test_table_about_a_wrong_name_is_refused(table: str, words: str) -> None:
    """With its line: a slip would never be found by a reader."""
    with pytest.raises(AtlasError, match=rf"docs/names.toml:\d+  {words}"):
        know({OLD: {"in1d": THERE, "abs": THERE}, NEW: {"in1d": GONE, "abs": THERE}}, table)


def test_table_may_speak_of_a_name_that_is_going() -> None:
    """The newest release has it, and warns."""
    known = know({OLD: {"in1d": THERE}, NEW: {"in1d": WARNS}}, REVIEWED.format("in1d"))
    assert known.reviewed == {"numpy.in1d": ReviewedName("numpy.in1d", "np.isin")}


# --- keywords -------------------------------------------------------------------------------------

REFUSED = NameAnswer(error=Raised("TypeError", "asarray() got an unexpected keyword argument '{name}'"))
BAD_VALUE = NameAnswer(error=Raised("ValueError", "no such device"))


def test_keyword_is_absent_where_the_call_refuses_it() -> None:
    """It is spelled as code has it, and the refusal itself says no more than that."""
    answers = {OLD: {"copy=": REFUSED}, MIDDLE: {"copy=": BAD_VALUE}, NEW: {"copy=": THERE}}
    (history,) = trace(answers, "numpy.asarray").values()
    assert (history.there, history.absent, history.message) == (["2.0", "2.2"], ["1.26"], "")
    words = "NumPy 2.0 and 2.2 take `np.asarray(copy=)`; 1.26 does not."
    assert describe_history(history) == words


def test_name_that_raises_type_error_is_there() -> None:
    """As `imag` of a real tensor did: no keyword, and no lack of the name."""
    histories = trace({OLD: {"imag": REFUSED}, NEW: {"imag": THERE}}, "numpy.ndarray")
    assert not histories["numpy.ndarray.imag"].is_changed


def test_step_names_the_keywords_that_a_release_added() -> None:
    """By call."""
    answers = {OLD: {"copy=": REFUSED, "order=": THERE}, MIDDLE: {"copy=": THERE, "order=": THERE}}
    (step,) = list_steps(KnownNames(trace(answers, "numpy.asarray"), {}))
    (group,) = step.added
    assert (group.namespace, group.names, step.removed) == ("numpy.asarray", ("copy=",), ())
