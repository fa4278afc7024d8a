"""Which examples and cells belong to which shard, how one is spelled, and what is missing of a whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import HEAD, example

from tensor_atlas.catalogue import list_pairs
from tensor_atlas.model.capture import Shard, digest_plan, missing_shards, parse_shard
from tensor_atlas.probe.__main__ import main, of_shard
from tensor_atlas.probe.capture import cells_of
from tensor_atlas.probe.runner import batches


@given(st.lists(st.integers()), st.integers(1, 12))
def test_every_thing_belongs_to_one_shard(things: list[int], count: int) -> None:
    """None is lost, none runs twice, and no shard has much more than another."""
    parts = [Shard(number, count).select(things) for number in range(1, count + 1)]
    assert sorted(thing for part in parts for thing in part) == sorted(things)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_examples_are_shared_out_by_name() -> None:
    """Whatever order a machine finds them in."""
    found = [example("value = 1\n", f"examples/01_x/{stem}.py") for stem in "cabd"]
    assert [e.name for e in of_shard(found, parse_shard("2/2"))] == ["01_x/b", "01_x/d"]
    assert [e.name for e in of_shard(found[::-1], None)] == ["01_x/a", "01_x/b", "01_x/c", "01_x/d"]


def test_shards_of_the_matrix_make_the_whole() -> None:
    """Each cell belongs to one, and the cells that one process tries stay together."""
    whole = [tuple(batch) for batch in batches(list_pairs())]
    parts = [cells_of(Shard(number, 8)) for number in range(1, 9)]
    assert {tuple(batch) for part in parts for batch in batches(part)} == set(whole)
    assert sum(map(len, parts)) == len(set(cells_of(None))) == len(list(list_pairs()))


@pytest.mark.parametrize("text", ["1/1", "2/8", "8/8", "10/12"])
def test_spelling_is_read_back(text: str) -> None:
    """As a capture keeps it."""
    assert str(parse_shard(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2",
        "0/8",
        "9/8",
        "-1/8",
        "2/0",
        "2/8/1",
        "2 / 8",
        "a/b",
        "1.5/8",
        "２/８",
        "02/8",
        "2/8\n",
        "1/" + "9" * 9,
    ],
)
def test_bad_spelling_is_exit_code_2_and_one_line(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is run; the line says what to write."""
    (tmp_path / "01_x").mkdir()
    (tmp_path / "01_x" / "a.py").write_text(HEAD + "value = 1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["01_x", "-o", "capture.json", f"--shard={text}"]) == 2
    assert capsys.readouterr().err == (
        f"tensor-atlas probe: --shard {text!r} is no shard: write 2/8 for the second of eight\n"
    )
    assert not Path("capture.json").exists()


def test_missing_shards_are_named() -> None:
    """Of every whole that some are of; shards of another plan fill no gap."""
    assert missing_shards([]) == []
    assert missing_shards([Shard(number, 3, "p") for number in (3, 1, 2)]) == []
    assert missing_shards([Shard(1, 3, "p"), Shard(3, 3, "p")]) == ["2/3"]
    assert missing_shards([Shard(1, 2, "p"), Shard(2, 2, "q")]) == ["2/2", "1/2"]
    assert missing_shards([Shard(1, 2, "p"), Shard(2, 3, "p")]) == ["2/2", "1/3", "3/3"]


def test_plan_knows_code_and_matrix() -> None:
    """Shards of another checkout, or without the matrix, are of another whole; the order found is not."""
    one, two = ("01_x/a", "d1"), ("01_x/b", "d2")
    assert digest_plan([one, two], matrix=True) == digest_plan([two, one], matrix=True)
    others = [
        digest_plan([one, two], matrix=True),
        digest_plan([one, two], matrix=False),
        digest_plan([one, ("01_x/b", "d3")], matrix=True),
    ]
    assert len({*others, digest_plan([one], matrix=True)}) == 4
