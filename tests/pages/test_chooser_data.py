"""What the chooser's script knows whatever a reader has."""

from __future__ import annotations

from tensor_atlas.catalogue import SOURCES, Source
from tensor_atlas.matrix.chooser_cells import PLACES
from tensor_atlas.matrix.traits import list_dtypes
from tensor_atlas.pages import chooser_data


def source(name: str) -> Source:
    """A source by name."""
    return next(source for source in SOURCES if source.name == name)


def test_script_learns_what_a_source_is_a_combination_of() -> None:
    """By the places of layout, flag and device; a trait has its dtypes, and a list of numbers has neither."""
    cuda, trait = source("tensor-cuda-requires-grad"), source("tensor-requires-grad")
    *facts, traits, dtypes = chooser_data._encode_source(cuda)
    assert facts[0] == cuda.name
    assert facts[4:] == [cuda.dtype, cuda.layout, cuda.device, [*cuda.flags]]
    assert (traits, dtypes) == ([-1, PLACES["tensor-requires-grad"], PLACES["tensor-cuda"]], [])
    assert chooser_data._encode_source(trait)[-1] == [*list_dtypes(trait)]
    assert len(chooser_data._encode_source(source("sequence-floats"))) == len(facts)
