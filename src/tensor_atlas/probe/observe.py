"""Executes one example and observes it: the only ``exec``, the only broad ``except``.

Runs in a process of its own and takes it over: descriptors, warnings, working directory and ``__main__`` stay changed.
"""

from __future__ import annotations

import builtins
import contextlib
import ctypes
import functools
import linecache
import marshal
import os
import pickle
import sys
import tempfile
import traceback
import types
import warnings
from collections.abc import Callable, Iterator, Sized
from dataclasses import replace
from typing import Any, TextIO, TypeAlias

import numpy as np
import torch

from tensor_atlas.examples.instrument import CAUGHT, HANDLED, Program
from tensor_atlas.model.runs import Observation, Raised, Snapshot, Status, Warned
from tensor_atlas.probe.memory import snapshot
from tensor_atlas.probe.normalise import normalise
from tensor_atlas.probe.output import Tail, places, shortened, tails_in, work_in

Event: TypeAlias = "Observation | Snapshot | tuple[Status, str]"
Emit: TypeAlias = Callable[[Event], None]

MOST_TOLD = 1000
"""Warnings, and caught exceptions, kept of one statement; the rest is counted."""
_USUAL = warnings.catch_warnings()
"""Keeps what Python does of itself with warnings."""


def prepare() -> None:
    """Make once what every process would have to make for itself: whoever is forked from this one has it."""
    _flush()
    _hear_all()
    with contextlib.suppress(OSError), _plain_files():
        _writers()
    torch.ones(1)  # asks the processor what it can do, for which a virtual machine asks its host each time


def rehearse(rounds: int) -> None:
    """Observe ``rounds`` times a statement that does nothing, an array and a tensor, and leave no trace of it."""
    made = marshal.dumps([compile("", "", "exec")])
    asked = pickle.dumps(Program(path="", source="", blocks=(("",),), ahead=(None, made)))
    live = {"array": np.zeros(2), "tensor": torch.ones(2)}
    with tempfile.TemporaryDirectory(prefix="tensor-atlas-", ignore_cleanup_errors=True) as directory:
        watch = _Watch(directory, tails_in(directory))
        for _ in range(rounds):
            (code,) = pickle.loads(asked).load()[1]  # noqa: S301 - of three lines above
            pickle.dumps(watch.collect("", execute(code, {})))
            pickle.dumps(snapshot(live))
        watch.close()


def observe(program: Program, directory: str, tails: dict[int, Tail], emit: Emit) -> None:
    """Run ``program`` as ``__main__`` and emit each observation as it is made.

    Emits an Observation per statement reached, a Snapshot per block completed, and at last how the run ended. An
    example that kills its process emits no end: whoever listens finds the silence, and in the files of ``tails``, by
    descriptor, what the process had written. The example works in the folder ``WORK`` of ``directory``.
    """
    watch = _Watch(directory, tails)
    watch.install()
    work = work_in(directory)
    namespace, codes = _main_module(program)
    os.chdir(work)
    for block in program.blocks:
        ended = _observe_block(block, codes, namespace, watch, emit)
        if ended is not None:
            emit(ended)
            return
        emit(snapshot(namespace))
    emit((Status.COMPLETED, ""))


def _observe_block(
    block: tuple[str, ...],
    codes: Iterator[types.CodeType],
    namespace: dict[str, Any],
    watch: _Watch,
    emit: Emit,
) -> tuple[Status, str] | None:
    """How the run ended inside the block; None when it goes on."""
    for text in block:
        raised = execute(next(codes), namespace)
        observation = watch.collect(text, raised)
        emit(observation)
        if isinstance(raised, SystemExit):
            return Status.EXITED, f"sys.exit({raised.code!r})"
        if observation.raised is not None:
            return Status.RAISED, observation.raised.type
    return None


def execute(code: types.CodeType, namespace: dict[str, Any]) -> BaseException | None:
    """What executing ``code`` in ``namespace`` raised, at once or late on a device; None where it ended well."""
    try:
        exec(code, namespace)
        _settle_devices()
    except BaseException as error:  # whatever an example raises is an observation
        return error
    return None


def _settle_devices() -> None:
    # CUDA reports a kernel's error late: synchronise, so that this statement gets the blame.
    if torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
        torch.cuda.synchronize()


class _Watch:
    """What the statement that is running has written, warned and caught so far."""

    def __init__(self, directory: str, tails: dict[int, Tail]) -> None:
        self._places = places(directory)
        self._warned: list[Warned] = []
        self._caught: list[Raised] = []
        self._open: list[int | None] = []
        self._uncounted = 0
        self._stdout = ""
        self._tails = tails

    def close(self) -> None:
        """Listen no more; only where it has not been installed."""
        for tail in self._tails.values():
            tail.close()

    def install(self) -> None:
        """Send descriptors 1 and 2, warnings and caught exceptions here."""
        for descriptor, tail in self._tails.items():
            os.dup2(tail.handle, descriptor)
        sys.stdout, sys.stderr = _writers()
        _hear_all()
        warnings.showwarning = self._on_warning
        setattr(builtins, CAUGHT, self._on_caught)
        setattr(builtins, HANDLED, self._on_handled)

    def _on_warning(self, message: Warning | str, category: type[Warning], *_: object, **__: object) -> None:
        if self._has_room(self._warned):
            self._warned.append(Warned(category.__name__, self._clean(str(message))))

    def _has_room(self, told: Sized) -> bool:
        """Whether one more is kept; else it is counted."""
        self._uncounted += len(told) >= MOST_TOLD
        return len(told) < MOST_TOLD

    def _on_caught(self) -> None:
        error = sys.exc_info()[1]
        if error is not None and not self._has_room(self._caught):
            self._open.append(None)
        elif error is not None:
            self._take_stdout()
            self._caught.append(Raised(type(error).__name__, self._clean(_message(error))))
            self._open.append(len(self._caught) - 1)

    def _on_handled(self) -> None:
        """What was printed since belongs to the handler that is being left, and to no handler around it."""
        printed = self._clean(self._take_stdout())
        index = self._open.pop() if self._open else None
        if index is not None:
            self._caught[index] = replace(self._caught[index], printed=printed)

    def _take_stdout(self) -> str:
        _flush()
        piece = self._tails[1].take()
        self._stdout += piece
        return piece

    def _clean(self, text: str) -> str:
        return normalise(shortened(text), self._places)

    def collect(self, code: str, raised: BaseException | None) -> Observation:
        """Observation of everything since the last call: what the statement spelled ``code`` did."""
        self._take_stdout()
        stderr = self._tails[2].take()
        if self._uncounted:
            note = f"[{self._uncounted} more warnings or caught exceptions]"
            stderr = "\n".join([*filter(None, [stderr.removesuffix("\n")]), note])
        observation = Observation(
            code=code,
            stdout=self._clean(self._stdout),
            stderr=self._clean(stderr),
            warnings=tuple(self._warned),
            caught=tuple(self._caught),
            raised=None if raised is None or isinstance(raised, SystemExit) else self._uncaught(raised),
        )
        self._warned, self._caught, self._open, self._stdout, self._uncounted = [], [], [], "", 0
        return observation

    def _uncaught(self, error: BaseException) -> Raised:
        # The first two frames are ours: execute and its exec.
        own = error.__traceback__.tb_next if error.__traceback__ else None
        lines = shortened("".join(traceback.format_exception(type(error), error, own))).splitlines()
        return Raised(
            type=type(error).__name__,
            message=self._clean(_message(error)),
            traceback=tuple(self._clean(line) for line in lines),
        )


@functools.cache
def _hear_all() -> None:
    """Let torch and Python warn of everything, however often."""
    _USUAL.__enter__()
    torch.set_warn_always(True)
    warnings.resetwarnings()
    warnings.simplefilter("always")
    # From Python 3.12 on, a fork tells of the threads that libraries and queues run at that moment: another number each
    # time, with a process number, and nothing of it is seen where Python's own filters are left as they are.
    warnings.filterwarnings("ignore", module=r"multiprocessing\.popen_fork$", category=DeprecationWarning)


def hear_as_usual() -> None:
    """Let torch and Python warn again as they do of themselves; once, where all is heard."""
    torch.set_warn_always(False)
    _USUAL.__exit__(None, None, None)


@functools.cache
def _writers() -> tuple[TextIO, TextIO]:
    """Standard output and error of an example: whatever descriptors 1 and 2 are when it writes."""
    return _writer(1), _writer(2)


def _writer(descriptor: int) -> TextIO:
    # By line, as on a terminal: what was printed before a crash must not die in a buffer.
    return open(descriptor, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)


@contextlib.contextmanager
def _plain_files() -> Iterator[None]:
    """Descriptors 1 and 2 are files meanwhile, as they are of every example: a stream asks once what it writes to."""
    with tempfile.TemporaryFile() as file:
        kept = {descriptor: os.dup(descriptor) for descriptor in (1, 2)}
        try:
            for descriptor in kept:
                os.dup2(file.fileno(), descriptor)
            yield
        finally:
            for descriptor, old in kept.items():
                os.dup2(old, descriptor)
                os.close(old)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(
            ValueError, OSError, AttributeError
        ):  # the example may have closed or replaced it
            stream.flush()
    with contextlib.suppress(OSError, TypeError):  # C's own buffers: printf and std::cout of torch
        _c_library().fflush(None)


@functools.cache
def _c_library() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as second:  # the example's own __str__ may fail
        return f"<unprintable: {type(second).__name__}>"


def _main_module(program: Program) -> tuple[dict[str, Any], Iterator[types.CodeType]]:
    """Namespace of a fresh ``__main__``, registered as such: pickling and dataclasses look it up; and what runs there.

    The folder it lies in is looked for now, before the example works in another.
    """
    docstring, codes = program.load()
    module = types.ModuleType("__main__", docstring)
    module.__file__ = os.path.abspath(program.path)
    sys.modules["__main__"] = module
    sys.argv = [program.path]
    sys.path.insert(0, os.path.dirname(module.__file__))
    # Tracebacks quote source lines: under the short name there is no file to read them from.
    lines = program.source.splitlines(keepends=True)
    linecache.cache[program.path] = (len(program.source), None, lines, program.path)
    return module.__dict__, iter(codes)
