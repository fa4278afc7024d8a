"""The data export: its form, and that it says what the records say and nothing else."""

from __future__ import annotations

import copy
import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import pytest
from committed import committed_evidence, committed_examples, committed_records
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from samples import CPU, GPU, OLDER, ROOT, example, observed, ran

from tensor_atlas import __version__
from tensor_atlas.compare.deviations import Deviation, parse_deviations
from tensor_atlas.compare.export import (
    DATA,
    EXPORT_SCHEMA,
    RECORDS_FORM,
    build_export,
    render_export,
    render_schema,
)
from tensor_atlas.compare.forms import ExportedRecords, encode_part
from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.parse import Example
from tensor_atlas.model.runs import (
    JSON,
    Buffer,
    Environment,
    Observation,
    Raised,
    Run,
    Snapshot,
    Status,
    Value,
    Warned,
)
from tensor_atlas.records.decode import convert_json
from tensor_atlas.records.fold import Record
from tensor_atlas.records.store import Store

SCHEMA = json.loads(render_schema())
PAGE = ROOT / "docs" / "reference" / "data.md"

# --- a small export that uses every field ----------------------------------------------------------

A = example("first()\n\n# %%\n# Head\n# ----\n\nsecond()\nthird()\n# => 3\n")
B = example("f()\n", "examples/02_y/b.py")
FIRST, SECOND, THIRD = (statement.code for statement in A.statements)
ARRAY = Value("a", "ndarray", "float32", (2,), (4,), "cpu", True, None, 0, 0, 8)  # noqa: FBT003
META = Value("m", "Tensor", "torch.float32", (), None, "meta", None, False, None, None, None)  # noqa: FBT003
ALIVE = Snapshot((ARRAY, replace(ARRAY, name="b"), META), (Buffer("cpu", 8),), (("a", "b"),))
REFUSED = Observation(
    FIRST, "no", "[W]", (Warned("UserWarning", "careful"),), (Raised("TypeError", "no", printed="no"),)
)
FULL = replace(
    observed(A, REFUSED, Observation(SECOND), Observation(THIRD, "3")), snapshots=(ALIVE, Snapshot())
)
RAISED = replace(
    observed(
        A,
        REFUSED,
        Observation(SECOND, raised=Raised("KeyError", "'k'", ("Traceback", "KeyError: 'k'"))),
        status=Status.RAISED,
        reason="KeyError",
    ),
    snapshots=(replace(ALIVE, shares=()),),
)
CRASHED = observed(A, Observation(FIRST), status=Status.CRASHED, reason="SIGSEGV")
STALE = replace(ran(A, "of older code", "of older code"), digest="0123456789abcdef")
NOT_RUN = Run(A.name, A.digest, Status.NOT_RUN, "needs 1 CUDA device, found 0")

PRE_RELEASE = replace(CPU, torch="2.14.0.dev1+cpu", date="2026-03-03")
ALL = (OLDER, CPU, GPU, PRE_RELEASE)
DEVIATIONS = parse_deviations(
    """
[[deviation]]
example = "01_x/a"
statement = "second()"
environments = ["torch < 2.3", "cuda"]
reason = "It was so."
link = "https://example.org"
ends = "KeyError"

[[deviation]]
at = ["01_x/a: third()", "02_y/*: *"]
environments = ["torch < 2"]
reason = "It was otherwise."
output = ["three"]
""",
    "docs/deviations.toml",
)


def kept(runs: Mapping[Environment, Run], *others: Environment) -> Store:
    """Store of these runs of one example, and of environments that did not run it."""
    by_id = {environment.id: run for environment, run in runs.items()}
    dates = {environment.id: environment.date for environment in runs}
    known = {environment.id: environment for environment in (*runs, *others)}
    return Store(known, {A.name: Record(A.name, by_id, dates)} if runs else {})


STORE = kept({CPU: FULL, OLDER: RAISED, GPU: STALE}, PRE_RELEASE)
EXAMPLES = {example.name: example for example in (B, A)}
Exported: TypeAlias = dict[str, Any]
"""One example of an export."""
SMALL = build_export(EXAMPLES, STORE, DEVIATIONS)
READ = json.loads(json.dumps(SMALL))
"""The small export as a reader parses it."""


def of(whole: object, name: str = A.name) -> Exported:
    """One example of an export, as a reader parses it."""
    (found,) = (e for e in json.loads(json.dumps(whole))["examples"] if e["name"] == name)
    example: Exported = found
    return example


def run_in(exported: Exported, environment: str) -> Run:
    """Run of one environment, put together again from an export."""
    (way,) = (way for way in exported["runs"] if environment in way["environments"])
    statements = [statement for block in exported["blocks"] for statement in block["statements"]]
    run = {
        "example": exported["name"],
        "digest": exported["digest"],
        **way,
        "observations": [
            {"code": statement["code"], **outcome}
            for statement in statements
            for outcome in statement["outcomes"]
            if environment in outcome["environments"]
        ],
        "snapshots": [
            state
            for block in exported["blocks"]
            for state in block["snapshots"]
            if environment in state["environments"]
        ],
    }
    found = convert_json(run, Run, exported["name"])
    assert way["reached"] >= len(found.observations)
    assert way["finished"] >= len(found.snapshots)
    return found


def without_unmade(run: Run) -> Run:
    """The run as an export holds it: statements that lacked a name, and blocks with them, show nothing."""
    observations = [seen for index in range(len(run.observations)) if (seen := run.observation(index))]
    snapshots = [alive for index in range(len(run.snapshots)) if (alive := run.snapshot(index))]
    return replace(run, observations=tuple(observations), snapshots=tuple(snapshots))


def mentioned(exported: Exported) -> dict[str, list[str]]:
    """Environments by the list of an example in which they stand, each as often as it stands there."""
    return {
        "runs": [name for way in exported["runs"] for name in way["environments"]],
        "not_run": [name for way in exported["not_run"] for name in way["environments"]],
        "stale": exported["stale"],
        "not_measured": exported["not_measured"],
    }


def with_outcomes(exported: Exported) -> set[str]:
    """Environments that a statement's outcome or a block's snapshot names."""
    blocks = exported["blocks"]
    outcomes = [o for block in blocks for s in block["statements"] for o in s["outcomes"]]
    facts = [*outcomes, *(snapshot for block in blocks for snapshot in block["snapshots"])]
    return {name for fact in facts for name in fact["environments"]}


# --- what it says ----------------------------------------------------------------------------------


def test_head_names_form_version_and_generator() -> None:
    """So that a tool knows what it reads, and with what to check it."""
    assert (SMALL["$schema"], SMALL["schema"]) == (RECORDS_FORM, EXPORT_SCHEMA)
    assert SMALL["generator"] == {"name": "tensor-atlas", "version": __version__}


def test_environments_are_listed_with_every_field_the_oldest_release_first() -> None:
    """With the id that everything else uses, and the kind of device."""
    listed = READ["environments"]
    assert [environment["id"] for environment in listed] == [environment.id for environment in ALL]
    assert listed[2] == {
        "id": GPU.id,
        "kind": "cuda",
        **{field.name: getattr(GPU, field.name) for field in fields(Environment)},
        "engines": [],
    }


def test_example_says_what_it_is_and_where_its_page_is() -> None:
    """Examples by name; the page's address is relative to the document."""
    first, second = READ["examples"]
    head = {key: first[key] for key in ("name", "title", "summary", "path", "page", "tags", "digest")}
    assert head == {
        "name": "01_x/a",
        "title": "Title",
        "summary": "Decide something.",
        "path": "examples/01_x/a.py",
        "page": "gallery/01_x/a.html",
        "tags": [],
        "digest": A.digest,
    }
    assert second["name"] == "02_y/b"


def test_block_has_statements_outcomes_and_snapshots() -> None:
    """What environments share is listed once, the oldest first; a silent outcome is not the same as none."""
    first, second = READ["examples"][0]["blocks"]
    assert (first["line"], first["section"], len(first["statements"])) == (8, "", 1)
    assert (second["line"], second["section"]) == (14, "Head")
    assert first["statements"][0]["outcomes"][0]["environments"] == [OLDER.id, CPU.id]
    silent, last = second["statements"]
    assert (silent["line"], silent["code"], silent["claim"]) == (14, "second()", [])
    assert [o["environments"] for o in silent["outcomes"]] == [[OLDER.id], [CPU.id]]
    assert [o["raised"] and o["raised"]["type"] for o in silent["outcomes"]] == ["KeyError", None]
    assert (last["line"], last["code"], last["claim"]) == (15, "third()", ["3"])
    assert last["outcomes"] == [
        {"environments": [CPU.id], "stdout": "3", "stderr": "", "warnings": [], "caught": [], "raised": None}
    ]
    shares = [(snapshot["environments"], snapshot["shares"]) for snapshot in first["snapshots"]]
    assert shares == [([OLDER.id], []), ([CPU.id], [["a", "b"]])]
    nothing: dict[str, list[str]] = {"values": [], "buffers": [], "shares": [], "left_out": []}
    assert second["snapshots"] == [{"environments": [CPU.id], **nothing}]


def test_ways_of_ending_are_told_by_environment() -> None:
    """Status, reason, and how far it came; days stand apart, also those of stale runs."""
    here = READ["examples"][0]
    raised = {
        "status": "raised",
        "reason": "KeyError",
        "reached": 2,
        "finished": 1,
        "stopped": "",
        "depth": 1,
    }
    completed = {"status": "completed", "reason": "", "reached": 3, "finished": 2, "stopped": "", "depth": 1}
    assert here["runs"] == [
        {"environments": [OLDER.id], **raised},
        {"environments": [CPU.id], **completed},
    ]
    assert here["dates"] == {OLDER.id: "2025-12-01", CPU.id: "2026-01-02", GPU.id: "2026-02-03"}


def test_what_did_not_run_is_told_with_its_reason() -> None:
    """Each reason once; whether the code has changed since does not matter to it."""
    other = replace(NOT_RUN, reason="needs mps", digest="0123456789abcdef")
    exported = of(build_export(EXAMPLES, kept({CPU: NOT_RUN, OLDER: other, PRE_RELEASE: NOT_RUN}), ()))
    told = [(way["environments"], way["reason"]) for way in exported["not_run"]]
    assert told == [([OLDER.id], "needs mps"), ([CPU.id, PRE_RELEASE.id], NOT_RUN.reason)]
    assert mentioned(exported)["stale"] == []
    assert with_outcomes(exported) == set()


def test_nothing_is_filled_forward() -> None:
    """An example that nobody ran is measured nowhere; a record without its example is not exported."""
    exported = of(SMALL, B.name)
    assert mentioned(exported) == {
        "runs": [],
        "not_run": [],
        "stale": [],
        "not_measured": [e.id for e in ALL],
    }
    assert with_outcomes(exported) == set()
    assert build_export({}, STORE, ())["examples"] == []


def test_deviation_has_every_field_and_the_environments_it_speaks_of() -> None:
    """Those that are recorded; no other tool need read its conditions."""
    first, second = READ["deviations"]
    assert first == {
        "targets": [{"example": "01_x/a", "statement": "second()"}],
        "environments": ["torch < 2.3", "cuda"],
        "reason": "It was so.",
        "link": "https://example.org",
        "output": None,
        "ends": "KeyError",
        "line": 2,
        "holds_in": [OLDER.id, GPU.id],
    }
    assert set(first) == {field.name for field in fields(Deviation)} | {"holds_in"}
    assert (second["output"], second["holds_in"]) == (["three"], [])


# --- any records -----------------------------------------------------------------------------------

OUTCOMES = st.sampled_from(
    [FULL, RAISED, CRASHED, STALE, NOT_RUN, replace(NOT_RUN, digest=STALE.digest), None]
)


@given(st.fixed_dictionaries(dict.fromkeys(ALL, OUTCOMES)))
def test_runs_of_present_code_are_found_back_and_no_others(chosen: dict[Environment, Run | None]) -> None:
    """Exactly as recorded; each environment is in one list, and in outcomes only with such a run."""
    runs = {environment: run for environment, run in chosen.items() if run is not None}
    exported = of(build_export(EXAMPLES, kept(runs, *ALL), ()))
    expected = {environment: expected_list(run) for environment, run in chosen.items()}
    lists = mentioned(exported)
    for name, members in lists.items():
        assert sorted(members) == sorted(e.id for e, listed in expected.items() if listed == name)
    current = {environment.id: run for environment, run in runs.items() if expected[environment] == "runs"}
    assert {name: run_in(exported, name) for name in current} == current
    assert with_outcomes(exported) == set(current)


def expected_list(run: Run | None) -> str:
    """List in which a run's environment must stand."""
    if run is None:
        return "not_measured"
    if run.status is Status.NOT_RUN:
        return "not_run"
    return "runs" if run.digest == A.digest else "stale"


@given(st.randoms(use_true_random=False))
def test_same_evidence_gives_the_same_bytes(chance: random.Random) -> None:
    """In whatever order it was read."""
    environments, runs = list(STORE.environments.items()), list(STORE.records[A.name].runs.items())
    chance.shuffle(environments)
    chance.shuffle(runs)
    record = replace(STORE.records[A.name], runs=dict(runs))
    text = render_export(EXAMPLES, STORE, DEVIATIONS)
    assert json.loads(text) == SMALL
    shuffled = Store(dict(environments), {A.name: record})
    assert render_export(dict(reversed(EXAMPLES.items())), shuffled, DEVIATIONS) == text


# --- its form --------------------------------------------------------------------------------------


def faults(value: JSON) -> list[str]:
    """What the schema says against a document."""
    return [error.message for error in Draft202012Validator(SCHEMA).iter_errors(value)]


def test_schema_is_one_and_names_itself_relatively() -> None:
    """It is found beside the document, wherever both lie."""
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$id"] == RECORDS_FORM
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert SCHEMA["properties"]["$schema"]["const"] == RECORDS_FORM
    assert SCHEMA["properties"]["schema"]["const"] == EXPORT_SCHEMA
    assert f"Version {EXPORT_SCHEMA}." in SCHEMA["description"]


def test_schema_describes_fields_with_the_texts_under_them() -> None:
    """Of a part of its own, and of what every document has."""
    assert SCHEMA["properties"]["schema"]["description"] == "Version of the document's form."
    value = SCHEMA["$defs"]["ExportedValue"]["properties"]
    assert value["strides"]["description"] == "Bytes per axis; null if the layout has no strides."
    assert SCHEMA["$defs"]["ExportedBlock"]["description"] == "The code between two lines of prose."


def test_document_is_read_as_the_type_that_declares_it() -> None:
    """The schema is made of this type: it accepts what its builders write, and writes it again."""
    read = msgspec.json.decode(render_export(EXAMPLES, STORE, DEVIATIONS), type=ExportedRecords)
    assert encode_part(read) == SMALL


def test_schema_leaves_nothing_open() -> None:
    """Every object lists its fields and wants all of them; ids are the only keys that are data."""
    objects = [part for part in parts(SCHEMA) if isinstance(part, dict) and part.get("type") == "object"]
    closed = [part for part in objects if "propertyNames" not in part]
    assert len(objects) == len(closed) + 1
    for part in closed:
        assert part["additionalProperties"] is False
        assert part["required"] == list(part["properties"])


def parts(value: Any) -> Iterator[Any]:
    """A value and everything in it."""
    yield value
    inside = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    for item in inside:
        yield from parts(item)


def test_small_export_is_valid() -> None:
    """It uses every field of every object, so that what is planted below meets each."""
    assert faults(SMALL) == []
    used = {key for part in parts(SMALL) if isinstance(part, dict) for key in part}
    properties = [
        part["properties"] for part in parts(SCHEMA) if isinstance(part, dict) and "properties" in part
    ]
    assert {name for found in properties for name in found} <= used


def objects_in(value: JSON) -> list[dict[str, JSON]]:
    """Every object of a document whose keys are fields."""
    days = [part["dates"] for part in parts(value) if isinstance(part, dict) and "dates" in part]
    return [
        part for part in parts(value) if isinstance(part, dict) and not any(part is other for other in days)
    ]


def test_unknown_or_missing_field_is_refused_everywhere() -> None:
    """One after the other, of every object."""
    whole = copy.deepcopy(SMALL)
    for found in objects_in(whole):
        found["unknown"] = 1
        assert faults(whole)
        del found["unknown"]
        for key in list(found):
            value = found.pop(key)
            assert faults(whole), key
            found[key] = value
    assert faults(whole) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"schema": 1', '"schema": 2'),
        ('"status": "raised"', '"status": "not run"'),
        ('"stdout": "3"', '"stdout": null'),
        ('"kind": "cuda"', '"kind": "tpu"'),
        ('"date": "2026-02-03"', '"date": "yesterday"'),
        (f'"environments": ["{CPU.id}"]', '"environments": []'),
        (f'"environments": ["{CPU.id}"]', f'"environments": ["{CPU.id}", "{CPU.id}"]'),
        ('"strides": null', '"strides": "none"'),
        ('"shares": [["a", "b"]]', '"shares": [["a"]]'),
        ('"page": "gallery/01_x/a.html"', '"page": "gallery/01_x/a"'),
        ('"reached": 2', '"reached": -1'),
    ],
)
def test_wrong_value_is_refused(old: str, new: str) -> None:
    """Versions, kinds and places are checked, not only names of fields."""
    text = json.dumps(SMALL)
    assert old in text
    assert faults(json.loads(text.replace(old, new, 1)))


# --- this checkout ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def checkout() -> tuple[dict[str, Example], Store, str]:
    """Examples and records of this checkout, and their export."""
    examples, committed = committed_examples(), committed_records()
    return examples, committed, render_export(examples, committed, committed_evidence().deviations)


@pytest.mark.slow
def test_export_of_this_checkout_is_valid(checkout: tuple[dict[str, Example], Store, str]) -> None:
    """What the site offers keeps its promise."""
    assert faults(json.loads(checkout[2])) == []


@pytest.mark.slow
def test_every_run_of_this_checkout_is_found_back(checkout: tuple[dict[str, Example], Store, str]) -> None:
    """Exactly, and nothing that no record holds."""
    examples, committed, text = checkout
    current = {
        (name, environment): run
        for name, record in committed.records.items()
        for environment, run in record.runs.items()
        if run.status is not Status.NOT_RUN and run.digest == examples[name].digest
    }
    exported = {example["name"]: example for example in json.loads(text)["examples"]}
    assert list(exported) == sorted(examples)
    found = {(name, environment) for name in exported for environment in mentioned(exported[name])["runs"]}
    assert found == set(current)
    assert {place: run_in(exported[place[0]], place[1]) for place in current} == {
        place: without_unmade(run) for place, run in current.items()
    }
    assert len(current) > 0


# --- the page about it -----------------------------------------------------------------------------


def snippet() -> str:
    """The cells of the page that a reader copies: those that the page does not fold."""
    cells = re.findall(
        r"^```\{code-cell\}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    return "\n".join(cell for cell in cells if not cell.startswith(":tags:"))


def test_snippet_on_the_page_answers_its_question(tmp_path: Path) -> None:
    """As it stands there, with nothing but Python and the file."""
    other = replace(FULL, observations=(*FULL.observations[:2], Observation(THIRD, "three")))
    both = kept({CPU: FULL, OLDER: RAISED, PRE_RELEASE: other, GPU: NOT_RUN})
    (tmp_path / DATA).write_text(render_export(EXAMPLES, both, DEVIATIONS), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", snippet()],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split("\n") == [
        "    1 of     2  2.2.2+cpu  1.26.4  cpu",
        "    1 of     3  2.13.0+cpu  2.4.6  cpu",
        "    0 of     3  2.14.0.dev1+cpu  2.4.6  cpu",
        "",
    ]


def test_record_that_no_document_holds_is_bad_input() -> None:
    """Somebody may seal what nobody recorded: one message, no report of a crash."""
    strange = replace(CPU, device_count=-1)
    with pytest.raises(AtlasError, match="has a device_count that no document holds: Expected `int` >= 0"):
        render_export(EXAMPLES, kept({strange: FULL}), DEVIATIONS)


def test_page_names_every_field() -> None:
    """And the schema's names are all there is to name."""
    text = PAGE.read_text(encoding="utf-8")
    told = set(re.findall(r"`([\w$]+)`", text))
    properties = [
        part["properties"] for part in parts(SCHEMA) if isinstance(part, dict) and "properties" in part
    ]
    assert {name for found in properties for name in found} - told == set()
