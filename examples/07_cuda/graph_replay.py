"""
NumPy data in and out of a CUDA graph
=====================================

Before each replay of a CUDA graph, copy new data into the captured tensor with ``copy_``; after it,
read results with ``cpu().numpy()``. The graph stores memory addresses, not names.
"""

# sphinx_gallery_tags = ["cuda", "cuda-graphs", "copy", "silent", "error"]

import subprocess
import sys

import numpy as np
import torch

# %%
# A CUDA graph records the GPU work of a block of code and replays it without Python. The line
# before the capture runs the operation once, so that its code is loaded.

data = torch.from_numpy(np.array([1.0, 2.0, 3.0])).to("cuda")
scale = np.float64(10)
result = data * scale
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    result = data * scale

# %%
# The capture does not compute: before the first replay, ``result`` has memory but no values.

graph.replay()
print(result)
# => tensor([10., 20., 30.], device='cuda:0', dtype=torch.float64)

# %%
# The graph stores addresses, not names, so copy new data into the tensor that was captured.

array = np.array([4.0, 5.0, 6.0])
data.copy_(torch.from_numpy(array))
graph.replay()
print(result)
# => tensor([40., 50., 60.], device='cuda:0', dtype=torch.float64)

# %%
# If you assign a new tensor to the name, the graph still uses the old memory. The replay succeeds,
# but the result is that of the previous batch. ``previous`` keeps the old memory alive, so that
# another tensor does not get it.

previous = data
data = torch.from_numpy(np.array([7.0, 8.0, 9.0])).to("cuda")
graph.replay()
print(result)
# => tensor([40., 50., 60.], device='cuda:0', dtype=torch.float64)

# %%
# NumPy's part of the work is done once, during the capture. The graph contains the scalar's value
# at that time, so a replay does not see a new value of the scalar either.

scale = np.float64(1000)
graph.replay()
print(result)
# => tensor([40., 50., 60.], device='cuda:0', dtype=torch.float64)

# %%
# Each replay overwrites the same result. An array from ``cpu()`` is a copy, so make it before the
# next replay.

kept = result.cpu().numpy()
previous.zero_()
graph.replay()
print(kept, result.cpu().numpy())
# => [40. 50. 60.] [0. 0. 0.]

# %%
# Converting to NumPy inside the block would have to wait for the GPU, which a
# `capture does not allow <https://docs.pytorch.org/docs/stable/notes/cuda.html#cuda-graphs>`__. The
# code tries it in a separate process, so that the failed capture does not affect this one.

code = """
import torch
data = torch.ones(3, device="cuda")
with torch.cuda.graph(torch.cuda.CUDAGraph()):
    data.cpu().numpy()
"""
child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
print(child.returncode == 0)
# => False
