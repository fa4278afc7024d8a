"""
DataLoader workers use all cores: limit torch and NumPy threads
===============================================================

A worker sets torch to one thread, but not NumPy's BLAS or OpenCV. Set ``OMP_NUM_THREADS=1`` and
``OPENBLAS_NUM_THREADS=1`` before the start, and call ``cv2.setNumThreads(0)`` in ``worker_init_fn``.
"""

# sphinx_gallery_tags = ["workers", "threads", "cpu", "oversubscription", "openblas", "mkl", "opencv", "omp_num_threads"]

import cv2
import torch
from torch.utils.data import DataLoader, Dataset

# %%
# The main process may use several threads for one operation. A worker starts with one thread for torch.

torch.set_num_threads(2)


class Threads(Dataset):
    def __len__(self):
        return 1

    def __getitem__(self, index):
        return torch.get_num_threads()


print(next(iter(DataLoader(Threads()))), next(iter(DataLoader(Threads(), num_workers=1))))
# => tensor([2]) tensor([1])

# %%
# ``torch.set_num_threads`` does not reach the BLAS library that NumPy brings, whose matrix products may take as
# many threads as there are cores, in each worker. It reads its limit from the environment when NumPy is
# imported: set the variables in the shell, or at the top of the script in front of ``import numpy``.
#
# .. code-block:: bash
#
#    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 python train.py
#
# ``OMP_NUM_THREADS=1`` also limits torch in the main process to one thread; ``torch.set_num_threads`` raises
# it again. In a program that runs already, ``threadpoolctl.threadpool_limits(1)`` limits BLAS and OpenMP.

# %%
# The OpenCV of PyPI ignores these variables and has a setting of its own. ``0`` runs its functions in the
# thread that calls them.


def limit(_worker):
    cv2.setNumThreads(0)


class OpenCVThreads(Dataset):
    def __len__(self):
        return 1

    def __getitem__(self, index):
        return cv2.getNumThreads()


print(next(iter(DataLoader(OpenCVThreads(), num_workers=1, worker_init_fn=limit))))
# => tensor([1])

# %%
# Workers times threads should not exceed the cores. The costs of a worker:
# :doc:`/gallery/11_data/worker_start`.

torch.set_num_threads(1)
print(torch.get_num_threads())
# => 1
