"""The chooser: which call the script names first, which as a miss, what it puts together, and its data."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from chooser_script import ask_chooser, encode_all, recorded_data
from samples import CPU, OLDER

from tensor_atlas.catalogue import CONVERSIONS, SOURCES, Form, Group, Source, code_digests
from tensor_atlas.compare.evidence import evidence_from_records
from tensor_atlas.history.patterns import NEXT, read_pattern
from tensor_atlas.matrix.chooser import (
    LONGEST_MESSAGE,
    SCOPE,
    ChooserTable,
    build_chooser_table,
    list_sources,
    select_present_rows,
)
from tensor_atlas.model.cells import Cell, Outcome, Proof
from tensor_atlas.model.runs import JSON, Environment, Raised, Warned
from tensor_atlas.pages.combinations import Combinations
from tensor_atlas.records.matrix_rows import Row
from tensor_atlas.records.store import Store
from tensor_atlas.site.matrix.conversion_chooser import parse_preferences

LIMIT = 200_000
"""Bytes, compressed, that one page may cost its reader."""

SHARES = Cell(
    Outcome.SHARES,
    Proof.WRITE,
    "Tensor",
    "torch.float32",
    (3,),
    (4,),
    "cpu",
    requires_grad=False,
    value="[1.0, 2.0]",
)
COPIES = replace(SHARES, outcome=Outcome.COPIES)
LOST = replace(SHARES, outcome=Outcome.NO_BYTES, proof=None)
RAISES = Cell(Outcome.RAISES, error=Raised("TypeError", "no"))
WARNED = (Warned("UserWarning", "careful\nsecond line"),)

FROM_NUMPY, AS_TENSOR, AS_ARRAY, TENSOR = (
    "torch-from-numpy-x",
    "torch-as-tensor-x",
    "torch-asarray-x",
    "torch-tensor-x",
)
TITLES = {FROM_NUMPY: "torch.from_numpy(x)", AS_TENSOR: "torch.as_tensor(x)", TENSOR: "torch.tensor(x)"}
PAGE = "https://docs.pytorch.org/docs/stable/tensors.html"
PREFERRED = "".join(
    f'[[preferences]]\nof = "array"\nto = "TENSOR"\ncall = "{title}"\nsource = "{PAGE}"\n'
    for title in TITLES.values()
).replace('from_numpy(x)"', 'from_numpy(x)"\nstrict = true')

Cells = Mapping[str, Mapping[str, Cell]]


def source(name: str = "array-float32") -> Source:
    """A source by name."""
    return next(source for source in SOURCES if source.name == name)


def chooser_table(cells: Cells, **others: Cells) -> ChooserTable:
    """Board of one environment, or of several: the torch release as a name, with dots as underscores."""
    environments = {CPU.id: CPU}
    tried = {CPU.id: cells}
    for torch, there in others.items():
        environment = replace(OLDER, torch=torch.strip("_").replace("_", "."))
        environments[environment.id] = environment
        tried[environment.id] = there
    names = {name for there in tried.values() for name in there}
    rows = {}
    for name in names:
        rows[name] = Row(name, {e: there[name] for e, there in tried.items() if name in there})
    return build_chooser_table(rows, environments)


def encode(table: ChooserTable, preferences: str = PREFERRED) -> dict[str, JSON]:
    """The page's data, with no example to prove a preference."""
    evidence = evidence_from_records({}, Store())
    calls = frozenset(conversion.title for conversion in SCOPE) | {"x.detach().numpy()"}
    known = Combinations({environment.id: calls for environment in table.environments})
    return encode_all(table, parse_preferences(preferences, "docs/p.toml"), evidence, known)


Answer = dict[str, list[dict[str, Any]]]


class Asker:
    """Asks the script about cells that a test makes up."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, cells: Cells, preferences: str = PREFERRED, **question: str) -> Answer:
        """Answer about a float32 array, unless the question says otherwise."""
        asked = {"have": "array-float32", **question}
        return ask_chooser(self.folder, encode(chooser_table(cells), preferences), [asked])[0]


@pytest.fixture
def ask(tmp_path: Path) -> Asker:
    """The script, to be asked."""
    return Asker(tmp_path)


def calls(answers: list[dict[str, Any]]) -> list[str]:
    """Calls of answers, in order."""
    return [answer["call"] for answer in answers]


def fits(answer: Answer) -> dict[str, str]:
    """How well each call does it, by conversion, in order."""
    found = answer["best"] + answer["more"] + answer["rest"]
    return {one["conversion"]: one["fit"] for one in found}


# --- what comes first --------------------------------------------------------------------------


def test_recommended_calls_come_in_the_order_of_the_table(ask: Asker) -> None:
    """Whatever the order of the matrix; a call that is not in the table comes after, apart from them."""
    cells = {name: {"array-float32": COPIES} for name in (TENSOR, AS_ARRAY, AS_TENSOR, FROM_NUMPY)}
    answer = ask(cells)
    assert calls(answer["best"]) == list(TITLES.values())
    assert calls(answer["more"]) == ["torch.asarray(x)"]


def test_call_that_the_records_refuse_is_not_recommended(ask: Asker) -> None:
    """Though the table names it first; what was not tried is not named at all."""
    answer = ask({FROM_NUMPY: {"array-float32": RAISES}, TENSOR: {"array-float32": COPIES}})
    assert calls(answer["best"]) == ["torch.tensor(x)"]
    assert calls(answer["rest"]) == ["torch.from_numpy(x)"]
    assert calls(answer["more"]) == []


@pytest.mark.parametrize(
    "spoilt",
    [
        replace(SHARES, warnings=WARNED),
        replace(SHARES, writes=True),
        replace(SHARES, requires_grad=True),
        replace(SHARES, type="Parameter"),
    ],
)
def test_whatever_spoils_a_result_puts_it_behind(ask: Asker, spoilt: Cell) -> None:
    """A warning, a changed source, a new gradient, another class: the next call of the table comes first."""
    cells = {FROM_NUMPY: {"array-float32": spoilt}, TENSOR: {"array-float32": COPIES}}
    assert calls(ask(cells)["best"]) == ["torch.tensor(x)", "torch.from_numpy(x)"]


def test_call_that_changes_the_dtype_is_recommended_where_all_do(ask: Asker) -> None:
    """Or where that dtype is asked for; else it comes with the others."""
    other = replace(COPIES, dtype="torch.float64")
    cells = {FROM_NUMPY: {"array-float32": other}, TENSOR: {"array-float32": COPIES}}
    answer = ask(cells)
    assert (calls(answer["best"]), calls(answer["more"])) == (["torch.tensor(x)"], ["torch.from_numpy(x)"])
    assert calls(ask(cells, dtype="torch.float64")["best"]) == ["torch.from_numpy(x)"]
    found = ask({FROM_NUMPY: {"array-float32": other}})["best"]
    assert "dtype changed: float32 to torch.float64" in found[0]["cost"]


def test_copy_comes_before_opened_read_only_memory(ask: Asker) -> None:
    """Who does not care about memory is not led to write where nobody may; who shares is told."""
    cells = {FROM_NUMPY: {"array-read-only": SHARES}, TENSOR: {"array-read-only": COPIES}}
    found = ask(cells, have="array-read-only")["best"]
    assert calls(found) == ["torch.tensor(x)", "torch.from_numpy(x)"]
    assert found[1]["cautions"] == ["can write to x, which is read-only"]


# --- memory --------------------------------------------------------------------------------------


def test_memory_that_is_asked_for_is_held_to(ask: Asker) -> None:
    """What shares is a miss for who wants a copy, and the other way round."""
    cells = {TENSOR: {"array-float32": COPIES}, FROM_NUMPY: {"array-float32": SHARES}}
    assert fits(ask(cells, memory="COPY")) == {TENSOR: "DOES", FROM_NUMPY: "SHARES"}
    assert fits(ask(cells, memory="SHARE")) == {FROM_NUMPY: "DOES", TENSOR: "COPIES"}
    assert set(fits(ask(cells)).values()) == {"DOES"}


def test_strict_call_shares_or_raises(ask: Asker) -> None:
    """Only what the table calls strict; its error is the answer where nothing shares, a crash is none."""
    cells = {FROM_NUMPY: {"array-float32": SHARES}, AS_TENSOR: {"array-float32": SHARES}}
    assert fits(ask(cells, memory="STRICT")) == {FROM_NUMPY: "DOES", AS_TENSOR: "SILENT"}
    cells = {FROM_NUMPY: {"array-float32": RAISES}, TENSOR: {"array-float32": COPIES}}
    assert fits(ask(cells, memory="STRICT")) == {FROM_NUMPY: "REFUSES", TENSOR: "COPIES"}
    crash = {FROM_NUMPY: {"array-float32": Cell(Outcome.CRASHES)}}
    assert fits(ask(crash, memory="STRICT")) == {FROM_NUMPY: "RAISES"}


def test_empty_source_has_nothing_to_share(ask: Asker) -> None:
    """Every call then does, if none can tell; beside a call that shares, no bytes are a miss."""
    assert fits(ask({TENSOR: {"array-float32": LOST}}, memory="SHARE")) == {TENSOR: "DOES"}
    cells = {TENSOR: {"array-float32": LOST}, FROM_NUMPY: {"array-float32": SHARES}}
    assert fits(ask(cells, memory="SHARE")) == {FROM_NUMPY: "DOES", TENSOR: "EMPTY"}


# --- misses --------------------------------------------------------------------------------------


def test_other_elements_are_no_conversion(ask: Asker) -> None:
    """Most conversions of a source say what it holds; with a dtype that was asked for, others are meant."""
    other = replace(COPIES, value="[9.0, 2.0]", dtype="torch.int64")
    same = {name: {"array-float32": COPIES} for name in (TENSOR, AS_TENSOR)}
    cells = {**same, FROM_NUMPY: {"array-float32": other}}
    answer = ask(cells)
    assert fits(answer)[FROM_NUMPY] == "CHANGED"
    assert answer["rest"][-1]["cautions"] == ["different elements: [9.0, 2.0]"]
    assert fits(ask(cells, dtype="torch.int64"))[FROM_NUMPY] == "DOES"


def test_rounding_is_no_other_element(ask: Asker) -> None:
    """A narrow dtype keeps the elements as well as it can, a bool spells them otherwise."""
    texts = {
        TENSOR: "[1.0, 0.1]",
        AS_TENSOR: "[1.0, 0.1]",
        FROM_NUMPY: "[1.0, 0.1001]",
        AS_ARRAY: "[True, 0.1]",
    }
    cells = {name: {"array-float32": replace(COPIES, value=text)} for name, text in texts.items()}
    assert set(fits(ask(cells)).values()) == {"DOES"}


def test_another_shape_dtype_device_or_kind_is_a_miss(ask: Asker) -> None:
    """Each for its own reason."""
    same = {name: {"array-float32": COPIES} for name in (TENSOR, AS_TENSOR)}
    misses = {
        "CHANGED": replace(COPIES, shape=(1, 3)),
        "DEVICE": replace(LOST, device="meta"),
        "KIND": Cell(Outcome.VALUE, type="float", value="1.5"),
    }
    for fit, cell in misses.items():
        assert fits(ask({**same, FROM_NUMPY: {"array-float32": cell}}))[FROM_NUMPY] == fit
    assert fits(ask(same, dtype="torch.int8"))[TENSOR] == "ELEMENT"
    meta = {TENSOR: {"array-float32": COPIES}, AS_TENSOR: {"array-float32": misses["DEVICE"]}}
    assert fits(ask(meta, device="meta")) == {AS_TENSOR: "DOES", TENSOR: "DEVICE"}


def test_bytes_may_mean_anything(ask: Asker) -> None:
    """A buffer has no elements of its own that a call could change."""
    other = replace(COPIES, shape=(12,), value="[7]")
    cells = {name: {"buffer-bytes": COPIES} for name in (TENSOR, AS_TENSOR)}
    assert fits(ask({**cells, AS_ARRAY: {"buffer-bytes": other}}, have="buffer-bytes"))[AS_ARRAY] == "DOES"


# --- what is put together --------------------------------------------------------------------------


BOTH = "array-float64,array-read-only"
DOUBLE = replace(COPIES, dtype="torch.float64")


def test_combination_takes_the_worst_of_its_parts(ask: Asker) -> None:
    """It copies if a part copies, raises if one raises, warns as any does, and gives the dtype's dtype."""
    warned = replace(SHARES, warnings=WARNED)
    cells = {
        TENSOR: {"array-float64": DOUBLE, "array-read-only": COPIES},
        AS_TENSOR: {"array-float64": DOUBLE, "array-read-only": warned},
        FROM_NUMPY: {"array-float64": RAISES, "array-read-only": SHARES},
    }
    answer = ask(cells, have=BOTH)
    first, second = answer["best"]
    assert (first["call"], second["call"]) == ("torch.tensor(x)", "torch.as_tensor(x)")
    assert first["cost"] == ["one copy", "dtype kept: torch.float64", "stays on cpu"]
    assert second["warnings"] == ["UserWarning: careful"]
    assert calls(answer["rest"]) == ["torch.from_numpy(x)"]
    assert first["isComposed"] is True
    assert first["cells"] == [[TENSOR, "array-float64"], [TENSOR, "array-read-only"]]


def test_combination_needs_every_part(ask: Asker) -> None:
    """A part that was not tried leaves the call unknown."""
    assert fits(ask({TENSOR: {"array-float64": DOUBLE}}, have=BOTH)) == {}


def test_combination_that_was_run_is_that_run(ask: Asker) -> None:
    """A reversed float64 array is a source of its own."""
    reverse = {"array-float64-reversed": COPIES, "array-float64": DOUBLE, "array-reversed": RAISES}
    found = ask({TENSOR: reverse}, have="array-float64,array-reversed")["best"]
    assert found[0]["cells"] == [[TENSOR, "array-float64-reversed"]]
    assert found[0]["isComposed"] is False


STEPS = f"""
[[preferences]]
of = "tensor"
to = "ARRAY"
call = "x.detach().numpy()"
cells = ["x-detach", "x-numpy @ plain"]
only = ["requires grad"]
source = "{PAGE}"
"""


def test_call_of_several_steps_is_proved_step_by_step(ask: Asker) -> None:
    """Each copy is counted, the gradient is that of the source, and a step that fails refuses the call."""
    array = replace(COPIES, type="ndarray", dtype="float32", requires_grad=None, writable=True)
    cells = {"x-detach": {"tensor-requires-grad": COPIES}, "x-numpy": {"tensor-float32": array}}
    question = {"have": "tensor-requires-grad", "want": "ARRAY"}
    (found,) = ask(cells, STEPS, **question)["best"]
    assert found["cost"] == ["two copies", "dtype kept: float32", "gradient lost", "stays on cpu"]
    assert found["cells"] == [["x-detach", "tensor-requires-grad"], ["x-numpy", "tensor-float32"]]
    assert found["isComposed"] is True
    assert ask({**cells, "x-detach": {"tensor-requires-grad": RAISES}}, STEPS, **question)["best"] == []
    assert calls(ask(cells, STEPS, have="tensor-float32", want="ARRAY")["more"]) == ["x.numpy()"]


# --- what can be asked -------------------------------------------------------------------------


def test_code_that_has_changed_says_nothing() -> None:
    """A row of another conversion's code, and a cell of another source's, are left out."""
    conversion = next(c for c in CONVERSIONS if c.name == TENSOR)
    now = {s.name: code_digests(conversion, s)[1] for s in SOURCES}
    row = Row(
        TENSOR,
        {CPU.id: {"array-float32": COPIES, "array-int8": COPIES}},
        {},
        code_digests(conversion, source())[0],
    )
    kept = select_present_rows(
        {TENSOR: row, AS_TENSOR: Row(AS_TENSOR, row.cells, {}, "old")}, {**now, "array-int8": "old"}
    )
    assert {name: row.cells for name, row in kept.items()} == {TENSOR: {CPU.id: {"array-float32": COPIES}}}


def test_mixed_expressions_and_parts_are_no_conversions() -> None:
    """A sum or an element is not what anybody converts to."""
    names = {conversion.name for conversion in SCOPE}
    assert {"x-numpy", TENSOR, "x-to-float32"} & names
    assert not {"x-0", "np-sin-x"} & names
    assert not [c for c in SCOPE if c.group is Group.MIXED]


# --- what a browser is given -------------------------------------------------------------------


def some_board() -> ChooserTable:
    """Three environments that differ here and there, drawn at random but always alike."""
    draw = random.Random(5)
    kept = [SHARES, COPIES, RAISES, replace(COPIES, warnings=WARNED), LOST]
    first = {c.name: {s.name: draw.choice(kept) for s in list_sources(c.group)} for c in SCOPE[:9]}
    tables = [first]
    for _ in range(2):
        last = {name: dict(cells) for name, cells in tables[-1].items()}
        for cells in last.values():
            for name in draw.sample(sorted(cells), 3):
                cells[name] = draw.choice(kept)
            del cells[draw.choice(sorted(cells))]
        tables.append(last)
    return chooser_table(first, _2_3_0=tables[1], _2_2_0=tables[2])


def spell_out(numbers: Iterable[int]) -> list[int]:
    """Numbers with 0 for the first NEXT, 1 for the second, as the script does it."""
    count = 0
    plain = []
    for number in numbers:
        plain.append(count if number == NEXT else number)
        count += number == NEXT
    return plain


def read(document: Mapping[str, Any], form: str) -> dict[tuple[str, str, str], list[str]]:
    """What a form's payload says of each cell, put together as the script does it."""
    payload, patterns = document["cells"][form], document["patterns"]
    plain = iter(spell_out(outcome for _, *outcomes in payload["mappings"] for outcome in outcomes))
    mappings = [[patterns["patterns"][one[0]], *islice(plain, len(one) - 1)] for one in payload["mappings"]]
    names = {place: document["sources"][place][0] for place in payload["sources"]}
    groups = [{names[place] for place in tried if place in names} for _, tried in document["groups"]]
    pairs = [(c[0], name) for c in document["conversions"] for name in names.values() if name in groups[c[2]]]
    found: dict[tuple[str, str, str], list[str]] = {}
    for pair, number in zip(pairs, spell_out(payload["cells"]), strict=True):
        pattern, *summaries = mappings[number]
        for environment, own in zip(patterns["environments"], read_pattern(pattern), strict=True):
            if own is not None:
                outcome, _, *texts = payload["summaries"][summaries[own]]
                said = [payload["words"][text] for text in (*texts[:4], *texts[5:])]
                found[environment, *pair] = [document["outcomes"][outcome][0], *said]
    return found


@pytest.mark.parametrize("form", list(Form))
def test_payload_of_a_form_holds_all_its_cells_of_every_environment(form: Form) -> None:
    """Patterns and mappings give the board again, what was not tried and other forms left out."""
    of = some_board()
    document = json.loads(json.dumps(encode(of)))
    expected = {}
    for environment, calls in of.cells.items():
        for call, row in calls.items():
            for name, place in row.items():
                one = of.summaries[place]
                said = [one.type, one.element, one.device, one.shape, one.value, one.error, *one.warnings]
                if source(name).form is form:
                    expected[environment, call, name] = [one.outcome.name, *said]
    assert read(document, form) == expected
    assert expected or form not in (Form.ARRAY, Form.TENSOR)


def test_cells_that_prove_a_call_come_with_its_form() -> None:
    """Though their source is of another: a list is stacked to a tensor, and that is what NumPy gets."""
    proved = f'''
        [[preferences]]
        of = "sequence"
        to = "ARRAY"
        call = "torch.stack(x).numpy()"
        source = "{PAGE}"
        cells = ["x-numpy @ tensor-float32"]
    '''
    document: dict[str, Any] = encode(some_board(), proved)
    place = [source[0] for source in document["sources"]].index("tensor-float32")
    assert place in document["cells"]["sequence"]["sources"]
    assert place not in document["cells"]["array"]["sources"]


def test_payload_holds_every_text_once() -> None:
    """And only first lines of messages."""
    document: dict[str, Any] = encode(some_board())
    found: list[str] = []
    for payload in document["cells"].values():
        assert len(set(payload["words"])) == len(payload["words"])
        found += payload["words"]
    assert "UserWarning: careful" in found


def test_long_messages_are_cut() -> None:
    """A page that names sixty calls shows no walls of text."""
    long = replace(COPIES, warnings=(Warned("W", "long " * 99),))
    (summary,) = chooser_table({TENSOR: {"array-float32": long}}).summaries
    (warning,) = summary.warnings
    assert len(warning) == LONGEST_MESSAGE
    assert warning.endswith("…")


def test_recorded_matrix_fits_a_reader() -> None:
    """What the page can load of the committed rows, of all forms, is below the limit, compressed."""
    text = json.dumps(recorded_data(), separators=(",", ":"))
    assert len(gzip.compress(text.encode(), 6)) < LIMIT


def test_first_environment_is_the_one_shown() -> None:
    """The newest release, a processor before a card."""
    card: Environment = replace(CPU, device="Some Card", cuda="13.0")
    cells = {TENSOR: {"array-float32": COPIES}}
    rows = {TENSOR: Row(TENSOR, {CPU.id: cells[TENSOR], card.id: cells[TENSOR], OLDER.id: cells[TENSOR]})}
    found = build_chooser_table(rows, {e.id: e for e in (OLDER, card, CPU)}).environments
    assert [environment.id for environment in found] == [CPU.id, card.id, OLDER.id]
