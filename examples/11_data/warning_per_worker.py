"""
Read-only array warning once per DataLoader worker
==================================================

Each worker process warns once that the array is not writable; copy the rows with ``torch.tensor``
in the dataset, and the warning no longer appears.
"""

# sphinx_gallery_tags = ["dataloader", "read-only", "workers", "warning"]

import subprocess
import sys

# %%
# A dataset hands out rows of a read-only array, which makes torch warn. Workers write the warning
# to the standard error output, so the script runs in a child, and the warnings of each part are
# counted.

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
# The warning promises to be suppressed for the rest of the program. A worker is a process, and each
# one keeps that promise for itself: two workers, made anew for each of three epochs.

print(new_workers)
# => 6

# %%
# With ``persistent_workers=True`` the same two serve all epochs.

print(same_workers)
# => 2

# %%
# After a conversion in the main process only that one warns. A forked worker inherits the record
# that the warning was given. The `issue about the repetition
# <https://github.com/pytorch/pytorch/issues/37581>`__ puts it down to multiprocessing, not to the
# loader.

print(warned_before)
# => 1

# %%
# The right fix ends the sharing instead of the message. :func:`torch.tensor` copies a row, which is
# small next to the copy that stacking a batch makes anyway;
# :doc:`/gallery/13_errors/read_only_array` shows what the warning is about.

print(copied)
# => 0
