"""Errors and warnings that the examples met, gathered by message."""

from __future__ import annotations

from samples import HEAD, captured, observed

from tensor_atlas.evidence import Evidence, assess
from tensor_atlas.messages import Message, collect, fix_of
from tensor_atlas.probe.record import Observation, Raised, Run, Status, Warned
from tensor_atlas.probe.script import parse
from tensor_atlas.store import Store

REFUSED = Raised("RuntimeError", "Can't call numpy() on Tensor that requires grad.")
PAGE = parse(
    HEAD + "# %%\n# The error\n# ---------\n\ntry:\n    f()\nexcept RuntimeError as error:\n    print(error)\n"
    "\n# %%\n# The fix\n# -------\n\ng()\nh()\n",
    "examples/13_errors/page.py",
)
CHAPTER = parse(HEAD + "f()\nwarn()\n", "examples/01_x/a.py")
UNSEEN = parse(
    HEAD + "try:\n    f()\nexcept TypeError as error:\n    print(error)\n# => no cuda here\n"
    "warn()\n# => UserWarning: slow\nprint(1)\n# => 1\n",
    "examples/07_cuda/unseen.py",
)


def evidence() -> Evidence:
    """A page about an error, a chapter that meets it and warns twice, and an example nobody ran."""
    page = observed(PAGE, *(Observation(s.code, caught=(REFUSED,) * s.code.startswith("try")) for s in PAGE.statements))
    warned = (Warned("UserWarning", "careful"), Warned("UserWarning", "careful"))
    chapter = observed(CHAPTER, Observation("f()", caught=(REFUSED,)), Observation("warn()", warnings=warned))
    unseen = Run(UNSEEN.name, UNSEEN.digest, Status.NOT_RUN, "needs 1 CUDA device, found 0")
    examples = {example.name: example for example in (PAGE, CHAPTER, UNSEEN)}
    return assess(examples, captured(page, chapter, unseen), Store(), (), "d")


def found(text: str) -> Message:
    """The message with this text."""
    (message,) = (message for message in collect(evidence()) if message.text == text)
    return message


def test_one_message_is_listed_once_with_all_who_met_it() -> None:
    """The page about it comes first, though its chapter comes later."""
    message = found(REFUSED.message)
    assert (message.type, message.is_warning, message.confirmed) == ("RuntimeError", False, True)
    assert [sighting.shown.example.name for sighting in message.sightings] == ["13_errors/page", "01_x/a"]


def test_one_block_is_one_sighting() -> None:
    """A warning that came twice in a block is seen there once."""
    message = found("careful")
    assert message.is_warning
    assert len(message.sightings) == 1


def test_confirmed_messages_come_first() -> None:
    """Then by class and text; what nobody ran is marked."""
    assert [(message.type, message.confirmed) for message in collect(evidence())] == [
        ("RuntimeError", True),
        ("UserWarning", True),
        ("TypeError", False),
        ("UserWarning", False),
    ]


def test_claims_of_an_example_nobody_ran_are_expectations() -> None:
    """The line of an ``except`` clause is an error of its class, a warning line a warning; other output is neither."""
    texts = [(m.type, m.text, m.is_warning) for m in collect(evidence()) if not m.confirmed]
    assert texts == [("TypeError", "no cuda here", False), ("UserWarning", "slow", True)]


def test_fix_is_the_first_statement_under_its_heading() -> None:
    """On the page about the error; an example without the heading has none."""
    shown = evidence().shown
    place = fix_of(shown["13_errors/page"])
    assert place is not None
    assert shown["13_errors/page"].example.statements[place.statement_index].code == "g()"
    assert fix_of(shown["01_x/a"]) is None
    assert [s.shown.example.name for s in found(REFUSED.message).fixes] == ["13_errors/page"]
    assert found("careful").fixes == ()


def test_slug_is_made_of_words() -> None:
    """Letters and digits, short, for a link."""
    slug = found(REFUSED.message).slug
    assert slug.startswith("runtimeerror-can-t-call-numpy-on-tensor-that-req-")
    long = Message("ValueError", "a very long message " * 9, is_warning=False, sightings=(), confirmed=True)
    assert len(long.slug) <= 60
    assert not long.slug.endswith("-")


def test_messages_that_begin_alike_have_links_of_their_own() -> None:
    """Two texts that differ after the sixtieth character do not share an anchor."""
    texts = [f"{'the same beginning ' * 5}{end}" for end in ("one", "two")]
    slugs = {Message("ValueError", text, is_warning=False, sightings=(), confirmed=True).slug for text in texts}
    assert len(slugs) == 2
