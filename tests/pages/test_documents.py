"""Documents for other programs: their form, and that they say what the pages say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields, replace
from functools import cache
from types import CodeType
from typing import Any

import pytest
from committed import committed_records
from jsonschema import Draft202012Validator
from samples import CPU, HEAD, OLDER, ROOT, captured, observed

from tensor_atlas.compare.evidence import Evidence, assess_capture
from tensor_atlas.compare.forms import Part
from tensor_atlas.examples.parse import parse_example
from tensor_atlas.history.patterns import read_pattern
from tensor_atlas.matrix.chooser import CellSummary, ChooserTable, build_chooser_table, select_present_rows
from tensor_atlas.model.cells import Cell, Outcome, Proof
from tensor_atlas.model.runs import JSON, Observation, Raised, Warned
from tensor_atlas.pages.chooser_document import CHOOSER_FORM, build_chooser, build_chooser_schema
from tensor_atlas.pages.error_document import ERRORS_FORM, build_errors, build_errors_schema
from tensor_atlas.pages.error_messages import collect_messages
from tensor_atlas.records.matrix_rows import Row
from tensor_atlas.records.store import Store, add_capture, lay_out_json

FORMS: dict[str, Any] = {ERRORS_FORM: build_errors_schema(), CHOOSER_FORM: build_chooser_schema()}
PAGE = parse_example(
    HEAD + "# %%\n# The error\n# ---------\n\ntry:\n    f()\nexcept TypeError as error:\n    print(error)\n"
    "\n# %%\n# The fix\n# -------\n\ng()\n",
    "examples/13_errors/page.py",
)
CHAPTER = parse_example(HEAD + "warn()\n", "examples/01_x/a.py")
CAUGHT, FIXED = (statement.code for statement in PAGE.statements)
SHARES = Cell(Outcome.SHARES, Proof.WRITE, "Tensor", "torch.float32", (3,), (4,), "cpu")
COPIES = replace(SHARES, outcome=Outcome.COPIES)
RAISES = Cell(Outcome.RAISES, error=Raised("TypeError", "no"))
FROM_NUMPY, TENSOR = "torch-from-numpy-x", "torch-tensor-x"


def evidence(message: str = "new words") -> Evidence:
    """An error page whose error had other words on an older release, and a chapter that warns."""
    caught = {
        word: observed(PAGE, Observation(CAUGHT, caught=(Raised("TypeError", word),)), Observation(FIXED))
        for word in ("old words", message)
    }
    warns = observed(CHAPTER, Observation("warn()", warnings=(Warned("UserWarning", "careful"),)))
    older = add_capture(Store(), captured(caught["old words"], environment=OLDER))
    examples = {example.name: example for example in (PAGE, CHAPTER)}
    return assess_capture(examples, captured(caught[message], warns), older, ())


def list_parts(part: type[Part]) -> Iterator[type[Part]]:
    """A part of documents, and all that are made of it."""
    yield part
    for one in part.__subclasses__():
        yield from list_parts(one)


def test_no_part_of_a_document_changes() -> None:
    """It is shared by all that a build writes."""
    found = list(list_parts(Part))
    assert len(found) > 10
    assert [one for one in found if not one.__struct_config__.frozen] == []


def read_errors(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Messages by text."""
    return {entry["message"]: entry for entry in document["errors"]}


def table() -> ChooserTable:
    """Two conversions on two sources, one of which one release has not tried."""
    now = {
        FROM_NUMPY: {"array-float32": SHARES, "sequence-floats": RAISES},
        TENSOR: {"array-float32": COPIES},
    }
    then = {FROM_NUMPY: {"array-float32": RAISES}}
    rows = {
        name: Row(name, {CPU.id: now[name]} | ({OLDER.id: then[name]} if name in then else {}))
        for name in now
    }
    return build_chooser_table(rows, {CPU.id: CPU, OLDER.id: OLDER})


def check(document: dict[str, JSON]) -> dict[str, Any]:
    """A document as a reader has it, found to be valid."""
    read: dict[str, Any] = json.loads(lay_out_json(document, 2))
    Draft202012Validator(FORMS[read["$schema"]]).validate(read)
    return read


# --- the error index -----------------------------------------------------------------------------


def test_error_has_its_page_and_its_fix() -> None:
    """Addresses from the site's folder, with the block that met it."""
    entry = read_errors(check(build_errors(collect_messages(evidence()))))["new words"]
    assert (entry["class"], entry["kind"], entry["confirmed"], entry["current"]) == (
        "TypeError",
        "error",
        True,
        True,
    )
    assert entry["pages"] == [
        {"title": PAGE.title, "page": "gallery/13_errors/page.html#block-1", "code": CAUGHT}
    ]
    assert entry["fixes"] == ["gallery/13_errors/page.html#the-fix"]
    assert entry["environments"] == [CPU.id]


def test_older_wording_names_the_newer_one() -> None:
    """Behind it in the list, with the releases that have it."""
    document = check(build_errors(collect_messages(evidence())))
    found = read_errors(document)
    assert found["old words"]["instead"] == [found["new words"]["id"]]
    assert found["old words"]["environments"] == [OLDER.id]
    assert found["old words"]["without"] == [CPU.id]
    assert found["old words"]["condition"]
    assert [*found][:2] == ["new words", "old words"]
    assert [environment["id"] for environment in document["environments"]] == [OLDER.id, CPU.id]


def test_id_stays_while_the_wording_does() -> None:
    """It is the name of the place in the error index; other words are another message."""
    ids = {message.text: message.slug for message in collect_messages(evidence())}
    now, later = (
        read_errors(check(build_errors(collect_messages(evidence(words)))))
        for words in ("new words", "newer words")
    )
    assert now["new words"]["id"] == ids["new words"]
    assert later["old words"]["id"] == now["old words"]["id"]
    assert later["newer words"]["id"] not in {entry["id"] for entry in now.values()}


def test_warning_is_called_one() -> None:
    """It has no page about it, hence no fix."""
    entry = read_errors(check(build_errors(collect_messages(evidence()))))["careful"]
    assert (entry["kind"], entry["fixes"]) == ("warning", [])
    assert entry["pages"][0]["page"] == "gallery/01_x/a.html#block-1"


# --- what the chooser knows ------------------------------------------------------------------------


def test_cell_leads_to_the_answer_of_each_environment() -> None:
    """By the ids of a conversion and a source, as the page on the data says; a blank was not tried."""
    data = check(build_chooser(table()))
    assert [environment["id"] for environment in data["environments"]] == [CPU.id, OLDER.id]

    def read(conversion: str, source: str) -> list[str | None]:
        pattern, *answers = data["mappings"][data["cells"][conversion][source]]
        numbers = read_pattern(data["patterns"][pattern])
        return [None if n is None else data["answers"][answers[n]]["outcome"] for n in numbers]

    assert read(FROM_NUMPY, "array-float32") == ["shares memory", "raises"]
    assert read(FROM_NUMPY, "sequence-floats") == ["raises", None]
    assert read(TENSOR, "array-float32") == ["copies", None]


def test_only_what_was_tried_is_listed() -> None:
    """With the code that ran, and the address of its page."""
    data = check(build_chooser(table()))
    assert {source["id"] for source in data["sources"]} == {"array-float32", "sequence-floats"}
    assert {conversion["id"]: conversion["page"] for conversion in data["conversions"]} == {
        name: f"matrix/conversion/{name}.html" for name in (FROM_NUMPY, TENSOR)
    }
    assert data["conversions"][0]["code"] == "y = torch.from_numpy(x)"


def read_as_described(data: dict[str, Any], conversion: str, source: str, index: int) -> Any:
    """The result of a cell in one environment, by the code of the page on the data."""
    text = (ROOT / "docs" / "reference" / "data.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(pattern, .*?)```", text, re.DOTALL)
    names: dict[str, Any] = {"data": data, "conversion": conversion, "source": source, "index": index}
    exec(_compile(code), names)
    return names["result"]


@cache
def _compile(code: str) -> CodeType:
    return compile(code, "data.md", "exec")


def test_committed_matrix_is_valid_and_whole() -> None:
    """Every cell of every environment, again the same."""
    committed = committed_records()
    made = build_chooser_table(select_present_rows(committed.rows, committed.sources), committed.environments)
    data = check(build_chooser(made))
    for index, environment in enumerate(made.environments):
        for conversion, row in made.cells[environment.id].items():
            for source, place in row.items():
                assert read_as_described(data, conversion, source, index) is data["answers"][place]
    assert build_chooser(made) == build_chooser(made)


# --- the page about them ---------------------------------------------------------------------------


def list_properties(form: Any) -> Iterator[str]:
    """Names of all fields that a schema knows."""
    if isinstance(form, dict):
        yield from form.get("properties", ())
        for part in form.values():
            yield from list_properties(part)


@pytest.mark.parametrize("name", FORMS)
def test_page_names_every_field(name: str) -> None:
    """Who reads a document finds each field on the page."""
    text = (ROOT / "docs" / "reference" / "data.md").read_text(encoding="utf-8")
    assert set(list_properties(FORMS[name])) - set(re.findall(r"`([\w$]+)`", text)) == set()


@pytest.mark.parametrize("name", FORMS)
def test_schema_is_one(name: str) -> None:
    """And has its own name."""
    Draft202012Validator.check_schema(FORMS[name])
    assert FORMS[name]["$id"] == name


def test_answer_is_described_by_the_type_that_the_chooser_uses() -> None:
    """Each of its fields is always there, though the type has defaults; null is what Python calls None."""
    answer = FORMS[CHOOSER_FORM]["$defs"]["CellSummary"]
    assert answer["required"] == list(answer["properties"]) == [each.name for each in fields(CellSummary)]
    assert answer["additionalProperties"] is False
    assert answer["properties"]["kind"]["description"].startswith("What came out; null for failures")
    assert "default" not in answer["properties"]["type"]
