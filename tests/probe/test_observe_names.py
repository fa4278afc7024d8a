"""Asking modules and objects for names."""

from __future__ import annotations

import sys
import types
import warnings
from collections.abc import Iterator

import pytest

from tensor_atlas.catalogue import CALLS, AskedCall
from tensor_atlas.model.names import NameAnswer, is_there
from tensor_atlas.model.runs import Raised, Warned
from tensor_atlas.probe.observe_names import observe_names

WORDS: dict[str, str] = {}


def removed(name: str) -> object:
    """What a package says of names that it has no more, or will not have for long."""
    if name == "old":
        warnings.warn("`np.old` is deprecated: use `np.new`.", DeprecationWarning, stacklevel=2)
        return 1
    if name == "needy":
        raise RuntimeError("no GPU found")
    raise AttributeError(f"module 'planted' has no attribute {name!r}; `np.{name}` was removed.")


@pytest.fixture
def planted() -> Iterator[types.ModuleType]:
    """A module with a function, a private name, what it imports from elsewhere, names that it explains."""
    module = types.ModuleType("planted")
    exec("def here(): pass\n_private = 1\nimport json\nfrom pathlib import Path\nnumber = 3", vars(module))
    module.__getattr__ = removed  # type: ignore[method-assign]
    sys.modules["planted"] = module
    yield module
    del sys.modules["planted"]


def test_what_a_module_lists_is_there(planted: types.ModuleType) -> None:
    """Without private names, and without modules and classes of other packages."""
    assert observe_names("planted", (), WORDS) == {"here": NameAnswer(), "number": NameAnswer()}
    planted.__all__ = ["Path"]  # type: ignore[attr-defined]
    assert set(observe_names("planted", (), WORDS)) == {"Path", "here", "number"}


def test_name_that_is_asked_for_is_answered(planted: types.ModuleType) -> None:
    """With what the module warns of and raises; the name itself is replaced, so that answers are alike."""
    assert planted.number == 3
    answers = observe_names("planted", ("old", "gone", "lost", "needy"), WORDS)
    said = "module 'planted' has no attribute '{name}'; `np.{name}` was removed."
    gone = NameAnswer(error=Raised("AttributeError", said))
    assert answers["gone"] == answers["lost"] == gone
    assert not is_there("gone", gone)
    warned = Warned("DeprecationWarning", "`np.{name}` is deprecated: use `np.new`.")
    assert answers["old"] == NameAnswer((warned,))
    assert answers["needy"] == NameAnswer(error=Raised("RuntimeError", "no GPU found"))
    assert is_there("needy", answers["needy"]), "it needs a device"


def test_namespace_that_is_not_there_has_no_answers() -> None:
    """As numpy.strings in NumPy 1.26."""
    assert observe_names("numpy.made_up", ("a",), WORDS) == {}
    assert observe_names("numpy.emath", ("sqrt",), WORDS)["sqrt"] == NameAnswer()


def test_object_is_asked_as_a_reader_s_code_asks_it() -> None:
    """The message is that of an object, not that of its class."""
    error = observe_names("torch.Tensor", ("made_up",), WORDS)["made_up"].error
    assert error == Raised("AttributeError", "'Tensor' object has no attribute '{name}'")
    error = observe_names("numpy.ndarray", ("made_up",), WORDS)["made_up"].error
    assert error == Raised("AttributeError", "'numpy.ndarray' object has no attribute '{name}'")


def test_call_is_tried_with_each_keyword(planted: types.ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the one that it does not know is absent; what the first call of all warns of is not its doing."""

    def here(*, old: int = 0, needy: int = 0, plain: int = 0) -> None:
        if not (called or plain):
            warnings.warn("imported", UserWarning, stacklevel=2)
        called.append(1)
        if old:
            warnings.warn("'old' is deprecated", DeprecationWarning, stacklevel=2)
        if needy:
            raise RuntimeError("no GPU found")

    called: list[int] = []
    planted.here = here  # type: ignore[attr-defined]
    keywords = {f"{name}=": f"{name}=1" for name in ("plain", "old", "needy", "lost")}
    code = "__import__('planted').here(KEYWORD)"
    monkeypatch.setitem(CALLS, "planted.here", AskedCall(code, keywords))
    answers = observe_names("planted.here", (), WORDS)
    assert answers["plain="] == NameAnswer()
    assert answers["old="] == NameAnswer((Warned("DeprecationWarning", "'{name}' is deprecated"),))
    assert [name for name, answer in answers.items() if not is_there(name, answer)] == ["lost="]
    assert answers["lost="].error is not None
    assert answers["lost="].error.message.endswith("here() got an unexpected keyword argument '{name}'")
    monkeypatch.setitem(CALLS, "planted.gone", AskedCall("planted.gone(KEYWORD)", keywords))
    assert observe_names("planted.gone", (), WORDS) == {}


@pytest.mark.parametrize("path", CALLS)
def test_keyword_is_taken_by_some_release_or_is_the_other_librarys(path: str) -> None:
    """Values of the catalogue fit: what raises here is the lack of the keyword, of a device, or nothing."""
    errors = [answer.error for answer in observe_names(path, (), WORDS).values() if answer.error is not None]
    assert {error.type for error in errors} <= {"TypeError", "RuntimeError", "AssertionError"}
    refused = [error.message for error in errors if error.type == "TypeError"]
    assert [message for message in refused if "unexpected keyword argument '{name}'" not in message] == []
