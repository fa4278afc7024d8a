"""
Read-only array warning repeated by every DataLoader worker
===========================================================

Each new worker process can warn that the array is not writable, so you see multiple warnings; copy
the rows with ``torch.tensor`` in the dataset, and this warning is gone.
"""

# sphinx_gallery_tags = ["dataloader", "read-only", "workers", "warning"]

import subprocess
import sys

# %%
# This dataset returns rows of a read-only array, for which torch warns. Workers write the warning
# to standard error, so the script runs in a child process, and this page counts the warnings of
# each part.

script = """
import sys
import numpy as np
import torch
from torch.utils.data import DataLoader

rows = np.ones((8, 2))
rows.setflags(write=False)

class Rows(torch.utils.data.Dataset):
    def __init__(self, convert):
        self.convert = convert
    def __len__(self):
        return len(rows)
    def __getitem__(self, index):
        return self.convert(rows[index])

def three_epochs(convert, **options):
    loader = DataLoader(
        Rows(convert), num_workers=2, multiprocessing_context="fork", **options
    )
    for epoch in range(3):
        for batch in loader:
            pass
    print("next part", file=sys.stderr, flush=True)

three_epochs(torch.from_numpy)
three_epochs(torch.from_numpy, persistent_workers=True)
three_epochs(torch.tensor)
torch.from_numpy(rows)
three_epochs(torch.from_numpy)
"""
child = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
print(child.returncode)
# => 0
parts = child.stderr.split("next part")
new_workers, same_workers, copied, warned_before = [
    part.count("array is not writable") for part in parts[:4]
]

# %%
# The warning is shown once per *process*. Each epoch starts new worker processes: two workers in
# three epochs give six warnings.

print(new_workers)
# => 6

# %%
# With ``persistent_workers=True`` the same two workers serve all three epochs.

print(same_workers)
# => 2

# %%
# If the main process has already shown the warning, its forked workers do not repeat it. The `issue
# about the repetition <https://github.com/pytorch/pytorch/issues/37581>`__ says that it comes from
# multiprocessing, not from the loader.

print(warned_before)
# => 1

# %%
# The right fix is to copy, not to hide the warning. :func:`torch.tensor` copies each row once;
# stacking the batch copies it again. :doc:`/gallery/13_errors/read_only_array` explains the warning.

print(copied)
# => 0
