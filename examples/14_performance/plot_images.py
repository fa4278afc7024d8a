"""
From image to batch
===================

Decide in which order to cast and to move the channels of an image.
"""

# sphinx_gallery_tags = ["performance", "layout", "image"]

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
# A loaded image is height × width × channel in bytes, a network wants channel × height × width in
# floats. Four orders of the same steps give the same values; the last leaves the elements where they
# are, in the layout that torch calls channels last.


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
draw(axes, "an image", "permute, float, left as channels last", "pixels of a side")

# %%
# Whether code after it minds that layout is shown in the chapter on layout.
