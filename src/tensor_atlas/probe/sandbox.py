"""Bounds an example's process (variables, file sizes, session), and kills orphan processes."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

try:
    import resource
except ImportError:  # Windows, which has no such bounds
    resource = None  # type: ignore[assignment]

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
"""The signal that no process can refuse; Windows has one name for all of them."""
MAX_FILE_BYTES = 2**28
"""Bytes that an example may write to one file, its output included: one that prints without end fills no
disk."""
ROUNDS = 100
"""How often orphan processes are looked for: one that is killed may have started another."""
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
"""Numbers of prctl(2)."""
_PLACES = """
PATH HOME TMP TEMP TMPDIR VIRTUAL_ENV XDG_CACHE_HOME PYTHONDONTWRITEBYTECODE PYTHONHOME PYTHONNOUSERSITE
PYTHONPATH PYTHONPYCACHEPREFIX PYTHONSAFEPATH PYTHONUSERBASE LD_LIBRARY_PATH LD_PRELOAD
DYLD_FALLBACK_LIBRARY_PATH DYLD_LIBRARY_PATH CUDA_CACHE_PATH CUDA_HOME CUDA_PATH NUMBA_CACHE_DIR
TORCHINDUCTOR_CACHE_DIR TORCH_HOME TRITON_CACHE_DIR
"""
_LANGUAGE = """
LANG LANGUAGE LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME TZ TERM COLUMNS PYTHONUTF8
"""
_THREADS = """
OMP_NUM_THREADS OMP_THREAD_LIMIT OMP_PLACES OMP_PROC_BIND GOMP_CPU_AFFINITY KMP_AFFINITY KMP_DUPLICATE_LIB_OK
MKL_NUM_THREADS MKL_THREADING_LAYER NUMBA_NUM_THREADS OPENBLAS_NUM_THREADS BLIS_NUM_THREADS
"""
_DEVICES = """
ATEN_CPU_CAPABILITY NPY_DISABLE_CPU_FEATURES OPENBLAS_CORETYPE CUDA_DEVICE_ORDER CUDA_VISIBLE_DEVICES
CUDA_MPS_PIPE_DIRECTORY CUBLAS_WORKSPACE_CONFIG HIP_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES
NVIDIA_DRIVER_CAPABILITIES NVIDIA_VISIBLE_DEVICES PYTORCH_ALLOC_CONF PYTORCH_CUDA_ALLOC_CONF
PYTORCH_ENABLE_MPS_FALLBACK JAX_PLATFORMS XLA_PYTHON_CLIENT_PREALLOCATE
"""
_WINDOWS = "SYSTEMROOT COMSPEC PATHEXT USERPROFILE LOCALAPPDATA PROCESSOR_ARCHITECTURE"
"""Without the first, Python does not start there."""
KEPT_VARIABLES = frozenset(f"{_PLACES} {_LANGUAGE} {_THREADS} {_DEVICES} {_WINDOWS}".split())
"""Allow-list of variables, by name: none holds a secret, none lets Python or torch log what it does."""


def kept_variables() -> dict[str, str]:
    """The variables that an example sees, by name: this process's allowed ones, and a seed for hashes."""
    kept = {name: value for name, value in os.environ.items() if name in KEPT_VARIABLES}
    # A message may quote a set of strings: its order must not differ from run to run.
    return {**kept, "PYTHONHASHSEED": "0"}


def enter_sandbox() -> None:
    """Bound this process for one example: its own session, no input, no core dump.

    It dies with the process that started it, and is the first to go where memory is short.
    """
    end_with_parent()
    if resource is not None:
        _limit_files()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    # Not as text: the first text file that a process writes costs a millisecond.
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "wb", buffering=0) as score:
        score.write(b"1000")
    if hasattr(os, "setsid"):
        os.setsid()


def _limit_files() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    limits = [limit for limit in resource.getrlimit(resource.RLIMIT_FSIZE) if limit != resource.RLIM_INFINITY]
    bytes_allowed = min([MAX_FILE_BYTES, *limits])
    resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_allowed, bytes_allowed))


def end_with_parent() -> None:
    """Let this process be killed when the one that started it ends, however that ends; Linux only."""
    _prctl(_PR_SET_PDEATHSIG, KILL)


def adopt_orphans() -> None:
    """Make this process the parent of all that its descendants leave behind; Linux only."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def kill_orphans() -> None:
    """Kill children of this process in other sessions: only examples have sessions of their own."""
    if sys.platform != "linux":
        return
    for _ in range(ROUNDS):
        orphans = list(_children_in_other_sessions())
        for pid in orphans:
            with contextlib.suppress(OSError):
                os.kill(pid, KILL)
                os.waitpid(pid, 0)
        if not orphans:
            return


def _children_in_other_sessions() -> Iterator[int]:
    here, session = os.getpid(), os.getsid(0)
    for pid, parent, its_session in _list_processes():
        if parent == here and its_session != session:
            yield pid


def kill_descendants() -> None:
    """Kill all that this process has started, and all that those have: before it ends itself; Linux only."""
    family, processes = {os.getpid()}, list(_list_processes())
    while more := {pid for pid, parent, _ in processes if parent in family} - family:
        family |= more
    for pid in family - {os.getpid()}:
        with contextlib.suppress(OSError):
            os.kill(pid, KILL)


def has_ended(pid: int) -> bool:
    """Whether a process has ended, even if its parent has not asked how; False where no /proc says so."""
    try:
        text = Path("/proc", str(pid), "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] in ("Z", "X")


def _list_processes() -> Iterator[tuple[int, int, int]]:
    """Number, parent and session of each process of this machine; none where there is no /proc."""
    names: list[str] = []
    with contextlib.suppress(OSError):  # where no more files may be open
        names = [entry.name for entry in os.scandir("/proc")]
    for name in filter(str.isdecimal, names):
        with contextlib.suppress(OSError):  # it has just ended
            # The name in parentheses may hold anything; what follows are state, parent, group and session.
            text = Path("/proc", name, "stat").read_text(encoding="utf-8", errors="replace")
            _, parent, _, session = text.rpartition(")")[2].split()[:4]
            yield int(name), int(parent), int(session)
