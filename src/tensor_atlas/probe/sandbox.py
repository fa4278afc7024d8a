"""What of its surroundings an example may see: the variables it needs to run, and none that could hold a secret."""

from __future__ import annotations

import os
import re

KEPT = re.compile(
    r"PATH|HOME|LANG|LANGUAGE|LC_\w+|TZ|TMP|TEMP|TMPDIR|TERM|COLUMNS|VIRTUAL_ENV|XDG_CACHE_HOME|SYSTEMROOT|COMSPEC|PATHEXT"
    r"|WINDIR|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAMDATA|NUMBER_OF_PROCESSORS"
    r"|(?:PYTHON|LD_|DYLD_|CUDA|NVIDIA|HIP|ROCR|PYTORCH_|TORCH|OMP_|GOMP_|KMP_|MKL_|OPENBLAS_|BLIS_|NPY_|NUMPY_|NUMBA_"
    r"|CUPY_|JAX_|XLA_|CUBLAS|CUDNN|NCCL|MPS_)\w*",
    re.IGNORECASE,
)
"""Names of the variables that stay: places, language, and how many threads and which devices to use."""


def forget() -> None:
    """Take every other variable out of this process's environment, and so out of that of those it starts."""
    for name in [name for name in os.environ if not KEPT.fullmatch(name)]:
        del os.environ[name]
