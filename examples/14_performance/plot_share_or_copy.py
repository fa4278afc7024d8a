"""
What sharing saves
==================

Decide from which size on a copy matters.
"""

# sphinx_gallery_tags = ["performance", "sharing", "copy"]

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
# Sharing takes the same time whatever the size, so its own line is flat. A copy pays for the call as
# well, and for every byte: while the data are small the first counts, then only the second.


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


figure, both = plt.subplots(1, 2, figsize=(12, 5), layout="constrained")
draw(both[0], "to a tensor", "torch.from_numpy(array)", "bytes")
draw(both[1], "to an array", "tensor.numpy()", "bytes")

# %%
# So the choice between sharing and copying is about correctness first. :doc:`/gallery/01_numpy_to_tensor/from_numpy`
# and :doc:`/gallery/02_tensor_to_numpy/two_views` show what sharing means for later writes.
