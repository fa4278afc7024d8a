"""What was answered for names, as it is captured, folded and kept."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import CPU, OLDER, captured

from tensor_atlas.errors import AtlasError
from tensor_atlas.model.capture import encode_capture, merge_captures
from tensor_atlas.model.names import NameAnswer
from tensor_atlas.model.runs import Raised, Warned
from tensor_atlas.records.decode import FormError, decode_capture
from tensor_atlas.records.names import NameRecord, fold_names, unfold_names
from tensor_atlas.records.store import Store, add_capture, find_unsealed, read_records, write_records

THERE = NameAnswer()
GONE = NameAnswer(error=Raised("AttributeError", "module 'numpy' has no attribute '{name}'"))
WARNS = NameAnswer((Warned("DeprecationWarning", "`np.{name}` is deprecated"),))
ANSWERS = {"numpy": {"abs": THERE, "float_": GONE, "trapz": WARNS}, "numpy.strings": {}}

environments = st.sampled_from([CPU.id, OLDER.id, "2.0.1/1.26.4/cpu"])
answers = st.dictionaries(st.text(min_size=1, max_size=3), st.sampled_from([THERE, GONE, WARNS]))
records = st.dictionaries(environments, answers).map(
    lambda found: NameRecord("numpy", found, dict.fromkeys(found, "2026-01-31"))
)


def captured_names(**changes: object) -> bytes:
    """A capture of names as its file holds it."""
    capture = replace(captured(), names=ANSWERS)
    return json.dumps({**encode_capture(capture), **changes}).encode()


def test_capture_keeps_the_answers() -> None:
    """Also of a namespace that is not there; a capture without names has no field of them."""
    assert decode_capture(captured_names()).names == ANSWERS
    assert "names" not in encode_capture(captured())


@pytest.mark.parametrize(
    "names",
    [
        {"answers": [], "namespaces": {"numpy": {"abs": 0}}},
        {"answers": [{}], "namespaces": {"numpy": {"abs": -1}}},
        {"answers": [{}], "namespaces": {"numpy": ["abs"]}},
        {"answers": [{"made_up": 1}], "namespaces": {}},
    ],
)
def test_capture_of_another_form_is_refused(names: object) -> None:
    """With the field that is wrong."""
    with pytest.raises(FormError, match="names"):
        decode_capture(captured_names(names=names))


@given(records)
def test_folded_record_is_unfolded(record: NameRecord) -> None:
    """Whatever was asked where."""
    assert unfold_names(json.dumps(fold_names(record)).encode()) == record


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("names", {"abs": 9}),
        ("patterns", [[0]]),
        ("patterns", [[0, 9]]),
        ("dates", {CPU.id: "today", OLDER.id: "2026-01-31"}),
    ],
)
def test_record_of_another_form_is_refused(field: str, value: object) -> None:
    """A record that was cut or merged must not become other answers."""
    days = dict.fromkeys((CPU.id, OLDER.id), "2026-01-31")
    record = NameRecord("numpy", {environment: {"abs": THERE} for environment in days}, days)
    document = fold_names(record)
    assert isinstance(document, dict)
    with pytest.raises(FormError):
        unfold_names(json.dumps({**document, field: value}).encode())


def test_names_are_kept_beside_runs_and_cells(tmp_path: Path) -> None:
    """An environment that is asked again has its new answers; the others stay."""
    found = add_capture(Store(), replace(captured(), names=ANSWERS))
    found = add_capture(found, replace(captured(environment=OLDER), names=ANSWERS))
    found = add_capture(found, replace(captured(), names={"numpy": {"abs": WARNS}}))
    write_records(found, tmp_path)
    assert read_records(tmp_path) == found
    assert find_unsealed(tmp_path) == []
    kept = read_records(tmp_path).names["numpy"].answers
    assert kept == {CPU.id: {"abs": WARNS}, OLDER.id: ANSWERS["numpy"]}
    assert write_records(found, tmp_path) == []


def test_record_of_an_unknown_environment_is_refused(tmp_path: Path) -> None:
    """It is evidence for nothing."""
    found = add_capture(Store(), replace(captured(), names=ANSWERS))
    write_records(found, tmp_path)
    path = tmp_path / "names" / "numpy.json"
    path.write_text(path.read_text(encoding="utf-8").replace(CPU.id, "9.9/9.9/cpu"), encoding="utf-8")
    with pytest.raises(AtlasError, match="names environments that"):
        read_records(tmp_path)


def test_shards_join_their_names() -> None:
    """One of them has asked."""
    parts = {"a": captured(), "b": replace(captured(), names=ANSWERS)}
    (merged,) = merge_captures(parts)
    assert merged.capture.names == ANSWERS
