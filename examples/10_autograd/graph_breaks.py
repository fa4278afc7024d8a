"""
Graph breaks of NumPy code in torch.compile: how to see them
============================================================

Run the script with ``TORCH_LOGS=graph_breaks``, or compile with ``fullgraph=True``, which raises at
the first break. ``len(array)`` is traced without a break.
"""

# sphinx_gallery_tags = ["compile", "graph break", "functions"]

import os
import subprocess
import sys

import numpy as np
import torch

# %%
# The compiler translates NumPy calls into torch calls. ``len()`` of an array is its first size,
# as is ``x.shape[0]``: both end up in the same graph. ``fullgraph=True`` would raise otherwise.


def mean(x):
    return x.sum() / len(x)


compiled = torch.compile(mean, backend="eager", fullgraph=True)
print(compiled(np.arange(4.0)))
# => 1.5

# %%
# Here ``print`` breaks the graph: what comes before and after it is compiled, ``print`` itself runs
# as plain Python.

script = """
import numpy as np, torch

@torch.compile(backend="eager")
def scaled(x):
    y = x * 2
    print("in between")
    return y.sum()

scaled(np.arange(4.0))
"""
environment = os.environ | {"TORCH_LOGS": "graph_breaks"}
child = subprocess.run(
    [sys.executable, "-c", script], capture_output=True, text=True, env=environment
)
print(child.stdout.strip(), "|", "Graph break" in child.stderr, "|", "scaled" in child.stderr)
# => in between | True | True

# %%
# The log on standard error names the line of the break and its reason. ``TORCH_LOGS=recompiles``
# does the same for shapes or dtypes that make the function compile again.
#
# ``torch._dynamo.explain`` counts the graphs of one call, without a log.


def branching(x):
    if x.sum() > 0:
        return x * 2
    return x * 3


explained = torch._dynamo.explain(branching)(torch.ones(3))
print(explained.graph_count, explained.graph_break_count)
# => 2 1

# %%
# For NumPy code that the compiler leaves to Python, see
# :doc:`/gallery/10_autograd/untranslated_numpy`.
