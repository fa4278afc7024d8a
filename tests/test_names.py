"""Each entry of docs/names.toml, executed: its name is absent or there as recorded, and its code runs."""

from __future__ import annotations

import functools
import importlib
import io
import warnings
from typing import Any

import numpy as np
import pytest
import torch
from samples import ROOT

from tensor_atlas.errors import AtlasError
from tensor_atlas.history.releases import minor_release
from tensor_atlas.pages.name_history import (
    KnownNames,
    NameHistory,
    ReviewedName,
    check_reviewed,
    list_steps,
    trace_names,
)
from tensor_atlas.probe.observe_names import OBJECTS
from tensor_atlas.records.store import read_records
from tensor_atlas.toml_tables import read_tables

PATH = "docs/names.toml"
INSTALLED = {"NumPy": minor_release(np.__version__), "torch": minor_release(torch.__version__)}
"""Minor release of each package here."""


@functools.cache
def histories() -> dict[str, NameHistory]:
    """Every recorded name."""
    store = read_records(ROOT / "docs" / "records", matrix=False, only=())
    recorded = {namespace: record.answers for namespace, record in store.names.items()}
    return trace_names(recorded, store.environments)


def values() -> dict[str, Any]:
    """What code of the table may name."""
    array = np.array([[3.0, 1.0, 2.0], [6.0, 5.0, 4.0]])
    tensor = torch.from_numpy(array.copy())
    known = {"np": np, "torch": torch, "device": "cpu", "file": io.BytesIO()}
    return {**known, "array": array, "tensor": tensor}


def reviewed(text: str) -> dict[str, ReviewedName]:
    """The table, checked against the records."""
    return check_reviewed(read_tables(text, "names", PATH, ReviewedName), histories())


def run(code: str) -> Any:
    """Value of code of the table, with values of its own."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return eval(code, values())


def are_equal(given: Any, wanted: Any) -> bool:
    """Whether two values have the same elements, whatever library they are of."""
    if isinstance(wanted, (list, tuple)):
        pairs = zip(given, wanted, strict=True)
        return all(are_equal(*pair) for pair in pairs)
    if isinstance(wanted, bytes):
        return bool(given == wanted)
    some, others = np.asarray(given), np.asarray(wanted)
    return some.shape == others.shape and np.allclose(some, others)


def owner_of(path: str) -> Any:
    """The module or object that is asked for a name of the table."""
    namespace = path.rpartition(".")[0]
    return OBJECTS[namespace]() if namespace in OBJECTS else importlib.import_module(namespace)


TEXT = (ROOT / PATH).read_text("utf-8")
ENTRIES = [pytest.param(entry, id=entry.name) for entry, _ in read_tables(TEXT, "names", PATH, ReviewedName)]


@pytest.mark.parametrize("entry", ENTRIES)
def test_reviewed_code_runs(entry: ReviewedName) -> None:
    """Without a warning; with the values of the other library's call where the entry names that."""
    given = run(entry.write)
    assert not entry.call or are_equal(given, run(entry.call))


@pytest.mark.parametrize("entry", ENTRIES)
def test_reviewed_name_is_there_as_recorded(entry: ReviewedName) -> None:
    """In the releases that are installed here; a name of the other library is not."""
    history = histories().get(entry.name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        is_there = hasattr(owner_of(entry.name), entry.name.rpartition(".")[2])
    if history is None:
        assert not is_there
    elif (release := INSTALLED[history.package]) in [*history.there, *history.absent]:
        assert is_there == (release in history.there)


def test_table_is_about_names_of_the_records() -> None:
    """A wrong name in it ends the build."""
    assert len(reviewed(TEXT)) == len(ENTRIES)
    with pytest.raises(AtlasError, match=r"no recorded release has numpy\.in1dd"):
        reviewed(TEXT.replace('"numpy.in1d"', '"numpy.in1dd"'))


# --- what release notes say -----------------------------------------------------------------------

NOTES = {
    "2.0": """
        cast source lookfor who fastCopyAndTranspose set_numeric_ops NINF PINF NZERO PZERO add_newdoc
        add_docstring add_newdoc_ufunc compat safe_eval float_ complex_ longfloat singlecomplex cfloat
        longcomplex clongfloat string_ unicode_ Inf Infinity NaN infty issctype maximum_sctype obj2sctype
        sctype2char sctypes issubsctype issubclass_ set_string_function asfarray tracemalloc_domain mat
        recfromcsv recfromtxt deprecate deprecate_with_doc disp find_common_type round_ get_array_wrap
        DataSource nbytes byte_bounds compare_chararrays format_parser alltrue sometrue cumproduct product
        geterrobj seterrobj msort kernel_version AxisError ComplexWarning ModuleDeprecationWarning
        RankWarning TooHardError VisibleDeprecationWarning ndarray.newbyteorder ndarray.itemset ndarray.ptp
    """,
    "2.3": "ndarray.tostring",
    "2.4": "in1d trapz linalg.linalg fft.helper generic.tostring",
    "2.5": "row_stack chararray",
}
"""Names that the release notes of NumPy say are gone, below ``numpy``."""
ALONE = ["kernel_version"]
"""Of these, the one for which NumPy names nothing to write instead."""


def test_names_that_release_notes_call_removed_have_their_remedy() -> None:
    """In the release that removed them."""
    known = KnownNames(histories(), reviewed(TEXT))
    steps = {step.title: step for step in list_steps(known)}
    lost: list[str] = []
    for release, names in NOTES.items():
        remedies = {
            f"{group.namespace}.{name}": group.remedy
            for group in steps[f"NumPy {release}"].removed
            for name in group.names
        }
        for name in names.split():
            remedy = remedies[f"numpy.{name}"]
            if not (remedy.write or remedy.moved or remedy.message):
                lost.append(name)
    assert lost == ALONE
