"""
NumPy data in and out of a CUDA graph
=====================================

Copy new data into the captured tensor with ``copy_`` before each replay of a CUDA graph, and take
results with ``cpu().numpy()`` after it: the graph knows memory addresses, not names.
"""

# sphinx_gallery_tags = ["cuda", "cuda-graphs", "copy", "silent", "error"]

import subprocess
import sys

import numpy as np
import torch

# %%
# A graph records what a block of code asks of the GPU, and replays that without Python. The line
# before the capture runs once so that everything is loaded.

data = torch.from_numpy(np.array([1.0, 2.0, 3.0])).to("cuda")
scale = np.float64(10)
result = data * scale
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    result = data * scale

# %%
# The capture computes nothing: ``result`` has memory and no values before the first replay.

graph.replay()
print(result)
# => tensor([10., 20., 30.], device='cuda:0', dtype=torch.float64)

# %%
# The graph knows addresses, not names. New data has to be copied to where the old data was.

array = np.array([4.0, 5.0, 6.0])
data.copy_(torch.from_numpy(array))
graph.replay()
print(result)
# => tensor([40., 50., 60.], device='cuda:0', dtype=torch.float64)

# %%
# Giving the name to a new tensor leaves the graph with the old memory. The replay succeeds, and the
# numbers are those of the last batch. ``previous`` keeps that memory; without it others could get
# it.

previous = data
data = torch.from_numpy(np.array([7.0, 8.0, 9.0])).to("cuda")
graph.replay()
print(result)
# => tensor([40., 50., 60.], device='cuda:0', dtype=torch.float64)

# %%
# NumPy's part of the work is done once, while capturing. The scalar is in the graph as the number
# that it was, and changing it has no effect either.

scale = np.float64(1000)
graph.replay()
print(result)
# => tensor([40., 50., 60.], device='cuda:0', dtype=torch.float64)

# %%
# Each replay writes to the same result. An array from ``cpu()`` is a snapshot, so results that are
# kept are copied in time.

kept = result.cpu().numpy()
previous.zero_()
graph.replay()
print(kept, result.cpu().numpy())
# => [40. 50. 60.] [0. 0. 0.]

# %%
# A way to NumPy inside of the block would have to wait for the GPU, which a `capture does not allow
# <https://docs.pytorch.org/docs/stable/notes/cuda.html#cuda-graphs>`__. It is tried in a process of
# its own, so that the failed capture leaves nothing behind in this one.

code = """
import torch
data = torch.ones(3, device="cuda")
with torch.cuda.graph(torch.cuda.CUDAGraph()):
    data.cpu().numpy()
"""
child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
print(child.returncode == 0)
# => False
