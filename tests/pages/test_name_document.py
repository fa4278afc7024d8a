"""Names as a document for programs, and as the search box reads them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from jsonschema import Draft202012Validator
from samples import CPU

from tensor_atlas.model.names import NameAnswer
from tensor_atlas.model.runs import Raised
from tensor_atlas.pages.name_document import (
    ADDED,
    EVERYWHERE,
    REMOVED,
    build_name_facts,
    build_names,
    build_names_schema,
)
from tensor_atlas.pages.name_history import KnownNames, ReviewedName, trace_names

THERE = NameAnswer()
GONE = NameAnswer(error=Raised("AttributeError", "module 'numpy' has no attribute '{name}'"))
TOLD = NameAnswer(error=Raised("AttributeError", "`np.{name}` was removed. Use `np.x`."))
BEFORE, AFTER = replace(CPU, numpy="1.26.4"), replace(CPU, numpy="2.1.0")
RECORDED = {
    "numpy": {
        BEFORE.id: {"abs": THERE, "concat": GONE, "in1d": THERE, "Inf": THERE, "infty": THERE},
        AFTER.id: {"abs": THERE, "concat": THERE, "in1d": GONE, "Inf": TOLD, "infty": TOLD},
    },
    "numpy.lib": {BEFORE.id: {"abs": THERE}, AFTER.id: {"abs": GONE}},
}
KNOWN = KnownNames(
    trace_names(RECORDED, {environment.id: environment for environment in (BEFORE, AFTER)}),
    {"numpy.in1d": ReviewedName("numpy.in1d", "np.isin", note="It keeps the shape.")},
)


def test_document_has_each_changed_name_with_its_remedy() -> None:
    """A line that names share is written for each; NumPy's message has the name in it."""
    data: Any = build_names(KNOWN)
    Draft202012Validator(build_names_schema()).validate(data)
    assert data["asked"] == {"NumPy": ["1.26", "2.1"]}
    (step,) = data["releases"]
    assert (step["before"], step["after"], step["exact"]) == ("1.26", "2.1", False)
    removed = {one["name"]: one for one in step["removed"]}
    assert list(removed) == ["numpy.Inf", "numpy.infty", "numpy.in1d", "numpy.lib.abs"]
    assert removed["numpy.infty"]["message"] == "`np.infty` was removed. Use `np.x`."
    assert removed["numpy.in1d"] | {"message": ""} == {
        "name": "numpy.in1d", "message": "", "write": "np.isin", "note": "It keeps the shape.", "moved": "",
    }  # fmt: skip
    assert removed["numpy.lib.abs"]["moved"] == "np.abs"
    assert [one["name"] for one in step["added"]] == ["numpy.concat"]


def test_facts_tell_what_became_of_a_name() -> None:
    """By module and fate; where a name is looked for first comes first."""
    facts: Any = build_name_facts(KNOWN)
    assert list(facts["names"]) == ["numpy", "numpy.lib"]
    fates = {
        f"{namespace}.{name}": facts["fates"][fate]
        for namespace, lines in facts["names"].items()
        for fate, names in lines
        for name in names.split()
    }
    assert {path: kind for path, (kind, *_) in fates.items()} == {
        "numpy.abs": EVERYWHERE, "numpy.concat": ADDED, "numpy.in1d": REMOVED, "numpy.Inf": REMOVED,
        "numpy.infty": REMOVED, "numpy.lib.abs": REMOVED,
    }  # fmt: skip
    assert fates["numpy.in1d"] == [REMOVED, "NumPy 1.26 has `{name}`; 2.1 does not.", ""]
    assert fates["numpy.Inf"][2] == "`np.{name}` was removed. Use `np.x`."
    assert facts["reviewed"] == {"numpy.in1d": ["np.isin", "It keeps the shape."]}
    assert facts["roots"]["numpy"]["nowhere"].startswith("NumPy 1.26 and 2.1 were asked")
