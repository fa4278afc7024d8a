"""
Single values
=============

Decide how to get at the elements of a tensor one by one.
"""

# sphinx_gallery_tags = ["performance", "item", "tolist"]

import json
from pathlib import Path

import matplotlib.pyplot as plt

# %%
# The measurement names its environment. Each case was timed in turn, round after round; the line is
# the median, the band holds the middle half of the rounds.

folders = [Path.cwd(), *Path.cwd().parents]
name = Path("docs", "measurements", "cpu.json")
measured = json.loads(next(f / name for f in folders if (f / name).is_file()).read_text("utf-8"))
where = measured["environment"]
print(f"torch {where['torch']}, NumPy {where['numpy']}, {where['platform']}, {where['date']}")
print(f"{measured['threads']} threads, {measured['rounds']} rounds")

# %%
# A loop over a tensor makes a tensor of each element first, and :meth:`torch.Tensor.item` takes it
# apart again. :meth:`torch.Tensor.tolist` does the whole in one call.


def draw(axes, series, base, label):
    """Draw every case of a series as a multiple of one of them."""
    cases = [case for case in measured["cases"] if case["series"] == series]
    unit = {case["size"]: case["median"] for case in cases if case["name"] == base}
    for name in dict.fromkeys(case["name"] for case in cases):
        mine = [case for case in cases if case["name"] == name]
        sizes = [case["size"] for case in mine]
        low, middle, high = (
            [case[key] / unit[case["size"]] for case in mine] for key in ("low", "median", "high")
        )
        axes.plot(sizes, middle, marker="o", label=name)
        axes.fill_between(sizes, low, high, alpha=0.2)
    axes.set(
        xscale="log", yscale="log", xlabel=label, ylabel=f"time, multiple of {base}", title=series
    )
    axes.grid(alpha=0.3)
    axes.legend()


figure, axes = plt.subplots(figsize=(9, 5), layout="constrained")
draw(axes, "single values", "tensor.tolist()", "elements")

# %%
# What each of these gives back is in :doc:`/gallery/02_tensor_to_numpy/single_value`.
