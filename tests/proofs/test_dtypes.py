"""Runs that prove what pages say of every value or every dtype: tests/proved.toml names them."""

from __future__ import annotations

import numpy as np
import torch

NARROW = ["float8_e4m3fn", "float8_e5m2"]


def test_float32_holds_every_value_of_narrow_floats() -> None:
    """All bit patterns of ``bfloat16`` and ``float8`` survive the way to ``float32`` and back, NaN aside."""
    patterns = torch.from_numpy(np.arange(2**16).astype(np.int16)).view(torch.bfloat16)
    narrow = [torch.from_numpy(np.arange(2**8).astype(np.int8)).view(getattr(torch, name)) for name in NARROW]
    for values in [patterns, *narrow]:
        wide = values.float()
        back = wide.to(values.dtype).float()
        assert torch.equal(wide.isnan(), back.isnan())
        assert torch.equal(wide[~wide.isnan()], back[~wide.isnan()])
        assert len(set(wide[~wide.isnan()].tolist())) == (~wide.isnan()).sum() - 1  # one more: minus zero


def test_torch_dtype_equals_no_dtype_of_numpy() -> None:
    """On either side of ``==``, nor the class or the name of one."""
    dtypes = [np.dtype(code) for code in np.typecodes["All"]]
    theirs = [other for dtype in dtypes for other in (dtype, dtype.type, dtype.name)]
    ours = [dtype for dtype in vars(torch).values() if isinstance(dtype, torch.dtype)]
    assert len(ours) > 20
    assert [(mine, other) for mine in ours for other in theirs if mine == other or other == mine] == []
