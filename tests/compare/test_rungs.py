"""Rungs of evidence: each claim shows the highest that it has, and none that it has not."""

from __future__ import annotations

import pytest
from samples import CPU, GPU, OLDER, captured, example, ran

from tensor_atlas.compare.evidence import ExampleEvidence, add_support, evidence_from_records
from tensor_atlas.compare.rungs import (
    Report,
    Rung,
    describe_rungs,
    describe_shipped,
    describe_twin,
    find_support,
    find_twins,
    parse_reports,
)
from tensor_atlas.errors import AtlasError
from tensor_atlas.model.cells import Cell, Outcome
from tensor_atlas.model.runs import Raised
from tensor_atlas.records.matrix_rows import Row
from tensor_atlas.records.shipped import Shipped
from tensor_atlas.records.store import Store, add_capture

CAUGHT = "try:\n    {}\nexcept TypeError as error:\n    print(error)\n# => {}\n"
SHIPPED_WORDS, OTHER_WORDS = "it cannot be done here", "nobody has ever said this"
CODE = (
    '# sphinx_gallery_tags = ["cuda"]\n'
    + CAUGHT.format("f()", SHIPPED_WORDS)
    + CAUGHT.format("g()", OTHER_WORDS)
    + "print(1)\n# => 1\n"
)
PAGE = example(CODE)
WHEEL, MAC = "torch-2.15.0-cp311-cp311-manylinux_2_28_x86_64", "torch-2.13.0-cp311-none-macosx_14_0_arm64"
SHIPPED: Shipped = {WHEEL: {SHIPPED_WORDS: "torch/lib/libtorch_python.so", OTHER_WORDS: None}}
ENTRY = f'[[report]]\nexamples = ["01_x/a"]\ntext = "{OTHER_WORDS}"\nurl = "https://example.org/1"\n'
PATH = "docs/reported.toml"


def reports(text: str) -> tuple[Report, ...]:
    """Reports about PAGE."""
    return parse_reports(text, PATH, {PAGE.name: PAGE})


def assess(store: Store, *found: Report) -> ExampleEvidence:
    """What is known of PAGE."""
    return add_support(evidence_from_records({PAGE.name: PAGE}, store), found).pages[PAGE.name]


def test_each_claim_has_its_own_rung() -> None:
    """Shipped words are no run, an expectation is not shipped, and the page has the highest of its claims."""
    shown = assess(Store(shipped=SHIPPED))
    assert shown.rungs == [Rung.SHIPPED, Rung.EXPECTED, Rung.EXPECTED]
    assert shown.highest_rung is Rung.SHIPPED
    assert assess(Store(shipped=SHIPPED), *reports(ENTRY)).rungs == [
        Rung.SHIPPED,
        Rung.REPORTED,
        Rung.EXPECTED,
    ]
    assert assess(Store()).highest_rung is Rung.EXPECTED


def test_a_run_is_the_highest_rung() -> None:
    """Whatever else there is; what an older version of the example did is no run of this one."""
    environment = {"environment": GPU}
    recorded = add_capture(Store(shipped=SHIPPED), captured(ran(PAGE, "x", "y", "1"), **environment))
    assert assess(recorded).rungs == [Rung.RECORDED] * 3
    older = ran(example(CODE + "print(2)\n"), "x", "y", "1", "2")
    stale = add_capture(Store(shipped=SHIPPED), captured(older, **environment))
    assert assess(stale).rungs == [Rung.SHIPPED, Rung.EXPECTED, Rung.EXPECTED]
    assert recorded.shipped == SHIPPED


MESSAGE = "can't convert {} device type tensor to numpy."


def on_lazy(kind: str, message: str) -> Store:
    """A store with one cell that raised on the lazy device, with torch 2.13.0 and an older release."""
    cell = Cell(Outcome.RAISES, error=Raised(kind, message))
    ids = {environment.id: environment for environment in (CPU, OLDER)}
    cells = {name: {"tensor-lazy": cell} for name in ids}
    return Store(ids, rows={"x-numpy": Row("x-numpy", cells)}, shipped=SHIPPED)


@pytest.mark.parametrize("device", ["cuda:0", "mps:0"])
def test_message_of_another_accelerator_bears_a_claim_out(device: str) -> None:
    """Above words in a file, below a run: the same class and message, but for the device's name."""
    page = example(CAUGHT.format("x.numpy()", MESSAGE.format(device)))
    (support,) = find_support(page, SHIPPED, (), find_twins(on_lazy("TypeError", MESSAGE.format("lazy:0"))))
    assert support.rung is Rung.EXECUTED
    assert describe_twin(support) == (
        "Captured with lazy:0 as the device: torch 2.13.0, and 1 older release back to 2.2.2."
    )
    assert list(Rung).index(Rung.RECORDED) < list(Rung).index(Rung.EXECUTED) < list(Rung).index(Rung.SHIPPED)


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("RuntimeError", MESSAGE.format("lazy:0")),  # another class
        ("TypeError", MESSAGE.format("lazy:0") + " Use cpu()."),  # other words
        ("TypeError", MESSAGE.format("cpu")),  # no accelerator in it
        ("TypeError", MESSAGE.format("cuda:0")),  # CUDA itself, which would be a record
    ],
)
def test_other_message_bears_nothing_out(kind: str, message: str) -> None:
    """A claim is no higher than what was seen word for word."""
    page = example(CAUGHT.format("x.numpy()", MESSAGE.format("cuda:0")))
    assert find_support(page, {}, (), find_twins(on_lazy(kind, message)))[0].rung is Rung.EXPECTED


def test_one_of_two_messages_bears_out_no_statement() -> None:
    """A statement that claims two messages needs a run for each."""
    page = example(CAUGHT.format("f()", f"{MESSAGE.format('cuda:0')}\n# => {OTHER_WORDS}"))
    store = on_lazy("TypeError", MESSAGE.format("lazy:0"))
    assert find_support(page, {}, (), find_twins(store))[0].rung is Rung.EXPECTED


def test_words_in_no_file_or_not_looked_for_are_expected() -> None:
    """One message of two that is shipped bears out no statement that claims both."""
    both = example(CAUGHT.format("f()", f"{SHIPPED_WORDS}\n# => {OTHER_WORDS}"))
    (support,) = find_support(both, SHIPPED, (), {})
    assert support.rung is Rung.EXPECTED
    (unknown,) = find_support(both, {WHEEL: {}}, (), {})
    assert unknown.rung is Rung.EXPECTED


def test_only_wheels_that_can_have_the_device_count() -> None:
    """A wheel for macOS bears out MPS alone, and no other wheel does."""
    words = {SHIPPED_WORDS: "torch/lib/libtorch_cpu.dylib"}
    apple = example('# sphinx_gallery_tags = ["mps"]\n' + CAUGHT.format("f()", SHIPPED_WORDS))
    assert find_support(apple, {MAC: words}, (), {})[0].rung is Rung.SHIPPED
    assert find_support(apple, SHIPPED, (), {})[0].rung is Rung.EXPECTED
    assert find_support(PAGE, {MAC: words}, (), {})[0].rung is Rung.EXPECTED


def test_words_say_what_is_known() -> None:
    """Where the words stand, and how many claims of a page have which rung."""
    shown = assess(Store(shipped=SHIPPED))
    assert describe_shipped(shown.support(0)) == ("Its text is in torch 2.15.0 (libtorch_python.so).")
    assert describe_shipped(shown.support(1)) == ""
    assert describe_twin(shown.support(0)) == ""
    assert describe_rungs(shown.rungs) == (
        "None of its 3 outputs was captured: 1 shipped in a release's files, 2 expected."
    )
    assert describe_rungs([Rung.EXPECTED]) == "Its output is expected, not captured."


def test_report_may_name_a_statement() -> None:
    """Whose output the thread shows; one without a claim has nothing to bear out."""
    entry = ENTRY.replace(f'text = "{OTHER_WORDS}"', 'statement = "print(1)"')
    assert assess(Store(), *reports(entry)).rungs == [Rung.EXPECTED, Rung.EXPECTED, Rung.REPORTED]
    with pytest.raises(AtlasError, match="no statement of 01_x/a claims"):
        reports(entry.replace("print(1)", "print(2)"))


def test_report_keeps_what_the_thread_names() -> None:
    """Release and device are optional."""
    (report,) = reports(f'{ENTRY}torch = "2.1.0"\ndevice = "an A100"\n')
    assert str(report) == "with torch 2.1.0 on an A100"
    assert (str(reports(ENTRY)[0]), report.line) == ("", 1)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("01_x/a", "01_x/none", "no example 01_x/none"),
        (OTHER_WORDS, "what no statement claims", "no statement of 01_x/a claims"),
        (OTHER_WORDS, "nobody has", "too short"),
        ("https://", "", "no public address"),
        ("url", "link", "unknown field link"),
        ("text =", "torch =", "either text or statement"),
        ("url =", 'statement = "print(1)"\nurl =', "either text or statement"),
    ],
)
def test_entry_that_bears_nothing_out_is_refused(old: str, new: str, what: str) -> None:
    """With the file and the line of the entry."""
    with pytest.raises(AtlasError, match=what) as caught:
        reports("# A comment.\n\n" + ENTRY.replace(old, new))
    assert str(caught.value).startswith(f"{PATH}:3  ")


def test_cpu_record_of_a_gpu_example_is_not_invented() -> None:
    """An environment that lacks the device says nothing about its claims."""
    assert assess(add_capture(Store(), captured(environment=CPU))).highest_rung is Rung.EXPECTED
