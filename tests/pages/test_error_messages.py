"""Errors and warnings that the examples met, gathered by message."""

from __future__ import annotations

import re
from dataclasses import replace

from samples import CPU, GPU, HEAD, OLDER, captured, example, observed

from tensor_atlas.compare.evidence import Evidence, ExampleEvidence, Origin, add_support, assess_capture
from tensor_atlas.compare.rungs import Rung
from tensor_atlas.examples.parse import parse_example
from tensor_atlas.model.runs import Environment, Observation, Raised, Run, Status, Warned
from tensor_atlas.pages import error_messages
from tensor_atlas.pages.error_messages import Message, collect_messages, find_fix, view_errors
from tensor_atlas.records.store import Store, add_capture

REFUSED = Raised("RuntimeError", "Can't call numpy() on Tensor that requires grad.")
PAGE = parse_example(
    HEAD
    + "# %%\n# The error\n# ---------\n\ntry:\n    f()\nexcept RuntimeError as error:\n    print(error)\n"
    "\n# %%\n# The fix\n# -------\n\ng()\nh()\n",
    "examples/13_errors/page.py",
)
CHAPTER = parse_example(HEAD + "f()\nwarn()\n", "examples/01_x/a.py")
UNSEEN = parse_example(
    HEAD + "try:\n    f()\nexcept TypeError as error:\n    print(error)\n# => it needs a device\n"
    "warn()\n# => UserWarning: slow\nprint(1)\n# => 1\n",
    "examples/07_cuda/unseen.py",
)


def evidence() -> Evidence:
    """A page about an error, a chapter that meets it and warns twice, and an example nobody ran."""
    page = observed(
        PAGE, *(Observation(s.code, caught=(REFUSED,) * s.code.startswith("try")) for s in PAGE.statements)
    )
    warned = (Warned("UserWarning", "careful"), Warned("UserWarning", "careful"))
    chapter = observed(CHAPTER, Observation("f()", caught=(REFUSED,)), Observation("warn()", warnings=warned))
    unseen = Run(UNSEEN.name, UNSEEN.digest, Status.NOT_RUN, "needs 1 CUDA device, found 0")
    examples = {example.name: example for example in (PAGE, CHAPTER, UNSEEN)}
    return assess_capture(examples, captured(page, chapter, unseen), Store(), ())


def found(text: str) -> Message:
    """The message with this text."""
    (message,) = (message for message in collect_messages(evidence()) if message.text == text)
    return message


def test_one_message_is_listed_once_with_all_who_met_it() -> None:
    """The page about it comes first, though its chapter comes later."""
    message = found(REFUSED.message)
    assert (message.type, message.is_warning, message.confirmed) == ("RuntimeError", False, True)
    assert [sighting.evidence.example.name for sighting in message.sightings] == ["13_errors/page", "01_x/a"]


def test_one_block_is_one_sighting() -> None:
    """A warning that came twice in a block is seen there once."""
    message = found("careful")
    assert message.is_warning
    assert len(message.sightings) == 1


def test_claims_of_an_example_nobody_ran_are_expectations() -> None:
    """A line of an ``except`` clause is an error of its class, a warning a warning; output is neither."""
    texts = [(m.type, m.text, m.is_warning) for m in collect_messages(evidence()) if not m.confirmed]
    assert texts == [("TypeError", "it needs a device", False), ("UserWarning", "slow", True)]


def test_fix_is_the_first_statement_under_its_heading() -> None:
    """On the page about the error; an example without the heading has none."""
    shown = evidence().pages
    place = find_fix(shown["13_errors/page"])
    assert place is not None
    assert shown["13_errors/page"].example.statements[place.statement_index].code == "g()"
    assert find_fix(shown["01_x/a"]) is None
    assert [s.evidence.example.name for s in found(REFUSED.message).fixes] == ["13_errors/page"]
    assert found("careful").fixes == ()


def test_slug_is_a_class_and_a_digest() -> None:
    """Short, for a link: the page that lists all of them repeats no message in it."""
    assert re.fullmatch("runtimeerror-[0-9a-f]{6}", found(REFUSED.message).slug)
    long = Message("", "a very long message " * 9, is_warning=False, sightings=(), confirmed=True)
    assert re.fullmatch("error-[0-9a-f]{6}", long.slug)


def test_messages_of_a_class_stand_in_the_order_of_their_words() -> None:
    """Not in that of their links, which are digests."""
    texts = [f"{word} is not a number" for word in ("cherry", "apple", "date", "'banana'")]
    view = view_errors([replace(found(REFUSED.message), text=text) for text in texts])
    ((name, lines),) = view.classes
    assert name == "RuntimeError"
    assert [line.words.split()[0] for line in lines] == ["apple", "'banana'", "cherry", "date"]


def test_messages_that_begin_alike_have_links_of_their_own() -> None:
    """Two texts that differ after the sixtieth character do not share an anchor."""
    texts = [f"{'the same beginning ' * 5}{end}" for end in ("one", "two")]
    slugs = {
        Message("ValueError", text, is_warning=False, sightings=(), confirmed=True).slug for text in texts
    }
    assert len(slugs) == 2


# --- in other environments -----------------------------------------------------------------------

MIDDLE = replace(CPU, torch="2.9.1+cpu")


def met(*texts: str, digest: str = CHAPTER.digest) -> Run:
    """Run of the chapter that caught an error in each of these words at its first statement."""
    errors = tuple(Raised("TypeError", text) for text in texts)
    return replace(observed(CHAPTER, Observation("f()", caught=errors)), digest=digest)


def gathered(*recorded: tuple[Environment, Run], here: Run) -> dict[str, Message]:
    """Messages of the chapter, by text, in their order."""
    store = Store()
    for environment, run in recorded:
        store = add_capture(store, captured(run, environment=environment))
    return {
        m.text: m
        for m in collect_messages(assess_capture({CHAPTER.name: CHAPTER}, captured(here), store, ()))
    }


def test_message_names_who_has_shown_it_and_who_has_not() -> None:
    """Of those that ran the example as it is, the oldest release first."""
    bc = met("c", "b")
    found = gathered((MIDDLE, met("a", "b")), (OLDER, bc), (GPU, met("a", digest="older")), here=met("a"))
    assert (found["a"].environments, found["a"].others) == ((MIDDLE, CPU), (OLDER,))
    assert (found["b"].environments, found["b"].others) == ((OLDER, MIDDLE), (CPU,))


def test_message_that_all_have_shown_has_no_others() -> None:
    """Whoever did not run the example is none of them."""
    absent = Run(CHAPTER.name, CHAPTER.digest, Status.NOT_RUN, "needs cupy")
    found = gathered((OLDER, met("a")), (MIDDLE, absent), here=met("a"))
    assert (found["a"].environments, found["a"].others) == ((OLDER, CPU), ())


def test_message_is_current_where_a_page_shows_it() -> None:
    """What only releases say that no page shows comes after what pages show, whatever its text."""
    found = gathered((OLDER, met("m", "z", "a")), here=met("m", "z"))
    assert [(text, message.current) for text, message in found.items()] == [
        ("m", True),
        ("z", True),
        ("a", False),
    ]
    newer = replace(CPU, torch="2.15.0+cpu")
    assert not gathered((newer, met("new")), here=met("new", "old"))["old"].current


def test_message_of_another_environment_is_seen_where_it_was_met() -> None:
    """Each of its blocks once, though the page's own run shows nothing there."""
    found = gathered((OLDER, met("a")), (MIDDLE, met("a")), here=met())
    assert [(s.evidence.example.name, s.location.statement_index) for s in found["a"].sightings] == [
        (CHAPTER.name, 0)
    ]


def test_others_are_those_of_every_example_that_met_it() -> None:
    """An environment that ran another of them and did not show it is one."""
    page = observed(
        PAGE, *(Observation(s.code, caught=(REFUSED,) * s.code.startswith("try")) for s in PAGE.statements)
    )
    silent = observed(PAGE, *(Observation(s.code) for s in PAGE.statements))
    chapter = observed(CHAPTER, Observation("f()", caught=(REFUSED,)), Observation("warn()"))
    store = add_capture(Store(), captured(chapter, environment=OLDER))
    store = add_capture(store, captured(silent, environment=MIDDLE))
    store = add_capture(store, captured(met("another"), environment=replace(CPU, torch="2.8.0")))
    examples = {example.name: example for example in (PAGE, CHAPTER)}
    message = collect_messages(assess_capture(examples, captured(page, chapter), store, ()))[0]
    assert (message.text, message.environments) == (REFUSED.message, (OLDER, CPU))
    assert message.others == (replace(CPU, torch="2.8.0"), MIDDLE)


def test_expectation_is_current_and_seen_by_nobody() -> None:
    """An example that no run has confirmed has no environments to name."""
    (expected, _) = (message for message in collect_messages(evidence()) if not message.confirmed)
    assert (expected.current, expected.environments, expected.others) == (True, (), ())
    assert expected.rung is Rung.EXPECTED


def test_message_has_the_best_rung_of_its_statements() -> None:
    """Words that a release ships bear a message out, and only a run records it."""
    wheel = {"torch-2.13.0-cp311-cp311-linux_x86_64": {"it needs a device": "torch/lib/a.so"}}
    known = evidence()
    shipped = add_support(replace(known, store=replace(known.store, shipped=wheel)), ())
    rungs = {message.text: message.rung for message in collect_messages(shipped)}
    assert (rungs["it needs a device"], rungs["slow"]) == (Rung.SHIPPED, Rung.EXPECTED)
    assert rungs[REFUSED.message] is Rung.RECORDED


def test_old_messages_come_before_expectations() -> None:
    """What pages show, then what other releases said, then what nobody ran."""
    store = add_capture(Store(), captured(met("a", "z"), environment=OLDER))
    absent = Run(UNSEEN.name, UNSEEN.digest, Status.NOT_RUN, "needs 1 CUDA device, found 0")
    examples = {example.name: example for example in (CHAPTER, UNSEEN)}
    found = collect_messages(assess_capture(examples, captured(met("a"), absent), store, ()))
    assert [m.text for m in found] == ["a", "z", "it needs a device", "slow"]


def test_older_wording_is_found_in_the_newest() -> None:
    """What another release says at the same moment of the same statement; it is no entry of its own."""
    found = gathered((OLDER, met("a", "old")), (MIDDLE, met("a", "older")), here=met("a", "new"))
    assert list(found) == ["a", "new"]
    assert found["a"].elsewhere == ()
    assert [m.text for m in found["new"].elsewhere] == ["old", "older"]
    assert [m.environments for m in found["new"].elsewhere] == [(OLDER,), (MIDDLE,)]


def test_older_wording_of_two_messages_is_found_in_both() -> None:
    """Whoever searches either of them must meet it."""
    found = gathered((OLDER, met("old", "old")), here=met("new", "newer"))
    assert {text: [m.text for m in message.elsewhere] for text, message in found.items()} == {
        "new": ["old"],
        "newer": ["old"],
    }


def test_error_of_another_class_is_no_older_wording() -> None:
    """Nor is what a torch says that cannot use its NumPy: both stand for themselves."""
    other = observed(CHAPTER, Observation("f()", caught=(Raised("AttributeError", "no such thing"),)))
    assert list(gathered((OLDER, other), here=met("new"))) == ["new", "no such thing"]
    incompatible = replace(OLDER, numpy="2.4.6")
    assert list(gathered((incompatible, met("Numpy is not available")), here=met("new"))) == [
        "new",
        "Numpy is not available",
    ]


def test_warnings_are_counted_apart_from_errors() -> None:
    """A warning that came first does not move the error it came with."""

    def warned(*words: str, error: str) -> Run:
        warnings = tuple(Warned("UserWarning", word) for word in words)
        return observed(CHAPTER, Observation("f()", warnings=warnings, caught=(Raised("TypeError", error),)))

    found = gathered((OLDER, warned("careful", error="old")), here=warned(error="new"))
    assert {text: [m.text for m in message.elsewhere] for text, message in found.items()} == {
        "new": ["old"],
        "careful": [],
    }


# --- on the page ---------------------------------------------------------------------------------


def test_filter_by_library_knows_the_libraries_alone() -> None:
    """Of an example's tags: neither a subject nor a device is one."""
    tags = '# sphinx_gallery_tags = ["sharing", "pandas", "cuda", "h5py"]\n'
    shown = ExampleEvidence(example(f"{tags}f()\n"), Origin.EXPECTED, None, None)
    assert error_messages.name_libraries(shown) == "pandas h5py"
    assert error_messages.name_libraries(replace(shown, example=CHAPTER)) == ""
