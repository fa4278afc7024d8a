"""Executes one example and observes it: the only ``exec``, the only broad ``except``.

Runs in a process of its own and takes it over: descriptors, warnings, working directory and ``__main__`` stay
changed.
"""

from __future__ import annotations

import builtins
import contextlib
import ctypes
import dis
import gc
import linecache
import os
import re
import sys
import traceback
import types
import warnings
from collections.abc import Callable, Container, Iterator, Mapping, Sized
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import torch

from tensor_atlas.examples.instrument import CAUGHT, HANDLED, Program, compile_program
from tensor_atlas.model.runs import AFTER, Observation, Raised, Snapshot, Status, Unmade, Warned
from tensor_atlas.probe.ending import call_last
from tensor_atlas.probe.memory import snapshot
from tensor_atlas.probe.output import (
    POISONED,
    OutputFile,
    normalise,
    normalise_output,
    open_output,
    own_stream,
    path_words,
    shorten,
    work_folder,
)

Event: TypeAlias = "Observation | Snapshot | tuple[Status, str]"
Emit: TypeAlias = Callable[[Event], None]

MAX_KEPT = 1000
"""Warnings, and caught exceptions, kept of one statement; the rest is counted."""


def observe(program: Program, directory: str, emit: Emit) -> int:
    """Run ``program`` as ``__main__`` and emit each observation as it is made; the exit code to end with.

    Emits an Observation per statement reached, a Snapshot per block, how the statements ended, and, when the
    interpreter has ended its threads and run its exit handlers, an Observation of what was written since.
    Behind an uncaught error it goes on with the next statement, as a reader in a notebook would.
    A process that the example forks runs the rest as well, and emits nothing.
    An example that kills its process emits no end: whoever listens finds the silence, and in the output files
    in ``directory`` what the process had written. The example works in the work folder of ``directory``.
    """
    watch = _Watch(directory)
    watch.install()
    namespace, codes = _main_module(program)
    os.chdir(work_folder(directory))
    end = _observe_blocks(program, codes, _Outdated(namespace), watch, emit)
    if watch.is_in_child:
        call_last(partial(_observe_end, watch, emit, int(end[1] or 0)))
        return 0
    emit(end)
    if end[0] is Status.CRASHED:  # what is left might wait for the device
        os._exit(0)
    watch.hide_leaks()
    call_last(partial(_observe_end, watch, emit, 0))
    return 0


def _observe_blocks(
    program: Program, codes: Iterator[types.CodeType], outdated: _Outdated, watch: _Watch, emit: Emit
) -> tuple[Status, str]:
    """How the statements end; in a process that the example forked, with which exit code."""
    for number, block in enumerate(program.blocks, 1):
        outdated.is_broken = False
        for text in block:
            ended = _observe_statement(text, next(codes), outdated, watch, emit)
            if ended is not None:
                return ended
        if watch.is_in_child:
            continue
        if not outdated.is_broken:
            alive = outdated.namespace.items()
            emit(snapshot({name: value for name, value in alive if name not in outdated.names}))
        elif number < len(program.blocks):
            emit(Snapshot(broken=True))
    return Status.COMPLETED, ""


def _observe_statement(
    text: str, code: types.CodeType, outdated: _Outdated, watch: _Watch, emit: Emit
) -> tuple[Status, str] | None:
    """How the process ends at a statement; None when it goes on."""
    before = outdated.note_bindings(code)
    raised = execute(code, outdated.namespace)
    if watch.is_in_child:
        return None if raised is None else (Status.EXITED, str(_show_end(raised)))
    if isinstance(raised, SystemExit) or (raised is not None and _has_own_hook()):
        _show_end(raised)  # which writes a text of sys.exit, or what the hook does
    observation = outdated.judge(watch.collect(text, raised), code, before)
    emit(observation)
    watch.mark()
    if isinstance(raised, SystemExit):
        return Status.EXITED, f"sys.exit({raised.code!r})"
    if observation.raised is not None and POISONED in observation.raised.message:
        return Status.CRASHED, "no device works after this error"
    return None


def _show_end(raised: BaseException) -> int:
    """Exit code of a script that ends by an exception, which is written as Python does."""
    if isinstance(raised, SystemExit):
        code = raised.code or 0
        if isinstance(code, int):
            return code & 0xFF
        print(code, file=sys.stderr)
    elif not _has_own_hook():
        _print_error(raised)  # Python's own hook would look for the source in a file
    else:
        _call_hook(raised)
    return 1


def _has_own_hook() -> bool:
    """Whether the example shows its uncaught errors itself."""
    return sys.excepthook is not sys.__excepthook__


def _call_hook(raised: BaseException) -> None:
    """Let the example show an error; where that fails, write both errors as Python does."""
    try:
        sys.excepthook(type(raised), raised, _own_frames(raised))
    except BaseException as error:  # the hook, too, is the example's
        print("Error in sys.excepthook:", file=sys.stderr)
        _print_error(error)
        print("\nOriginal exception was:", file=sys.stderr)
        _print_error(raised)


def _print_error(error: BaseException) -> None:
    traceback.print_exception(type(error), error, _own_frames(error))


def _observe_end(watch: _Watch, emit: Emit, code: int) -> None:
    """Let go of the example's names, as Python does: ``__del__`` methods run, and generators are closed.

    Then emit what has been written since the last statement; a process that the example forked ends by
    ``code``.
    """
    watch.restore_streams()
    if sys.unraisablehook is sys.__unraisablehook__:
        sys.unraisablehook = _show_unraisable
    sys.modules.pop("__main__", None)
    gc.collect()
    if watch.is_in_child:
        _flush()
        os._exit(code)
    emit(watch.collect(AFTER, None))
    os._exit(0)


def _show_unraisable(unraisable: sys.UnraisableHookArgs) -> None:
    """Write an error of a ``__del__`` method as Python does at its end, when it quotes no source any more."""
    error = traceback.TracebackException(
        unraisable.exc_type,
        unraisable.exc_value,  # type: ignore[arg-type]  # the stubs are stricter than the class
        unraisable.exc_traceback,
    )
    frames = [traceback.FrameSummary(one.filename, one.lineno, one.name, line="") for one in error.stack]
    error.stack = traceback.StackSummary.from_list(frames)
    print(f"{unraisable.err_msg or 'Exception ignored in'}: {unraisable.object!r}", file=sys.stderr)
    print("".join(error.format()), end="", file=sys.stderr)


_UNDEFINED = re.compile(r"\bname '(\w+)' is not defined")


class _Outdated:
    """Names that an uncaught error kept from being made, or from being made anew."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self.namespace = namespace
        self.names: dict[str, int] = {}
        """Index of the statement that raised, by name."""
        self.is_broken = False
        """Whether a statement of the present block raised, or lacked a name."""
        self._index = -1

    def note_bindings(self, code: types.CodeType) -> dict[str, int]:
        """Identity of what the names that ``code`` mentions are bound to; holding it would keep it alive."""
        return {name: id(self.namespace[name]) for name in code.co_names if name in self.namespace}

    def judge(self, observation: Observation, code: types.CodeType, before: Mapping[str, int]) -> Observation:
        """The observation; for a statement that lacks a name that was never made, one that says only that."""
        self._index += 1
        unmade = self._find_unmade(observation) if self.names else None
        if unmade is None and observation.raised is None:
            for name in _list_bound(code) if self.names else ():
                self.names.pop(name, None)
            return observation
        self.is_broken = True
        cause = self._index if unmade is None else unmade.statement
        for name in _list_bound(code):
            is_made = name in self.namespace and id(self.namespace[name]) != before.get(name)
            if unmade is None and is_made:
                self.names.pop(name, None)  # the statement came so far before it raised
            else:
                self.names[name] = cause
        return observation if unmade is None else Observation(observation.code, unmade=unmade)

    def _find_unmade(self, observation: Observation) -> Unmade | None:
        """The unmade name that anything raised, caught or written misses, in whatever thread or process."""
        raised = observation.raised.traceback if observation.raised else ()
        caught = (error.message for error in observation.caught)
        for name in _UNDEFINED.findall("\n".join([*raised, *caught, observation.stdout, observation.stderr])):
            if name in self.names and name not in self.namespace:
                return Unmade(name, self.names[name])
        return None


def _list_bound(code: types.CodeType, kinds: Container[str] = ("STORE_NAME", "STORE_GLOBAL")) -> set[str]:
    """Global names that code may bind, also those that functions in it declare global."""
    bound = {one.argval for one in dis.get_instructions(code) if one.opname in kinds}
    for inner in code.co_consts:
        bound |= _list_bound(inner, ("STORE_GLOBAL",)) if isinstance(inner, types.CodeType) else set()
    return bound


def execute(code: types.CodeType, namespace: dict[str, Any]) -> BaseException | None:
    """What executing ``code`` in ``namespace`` raised, at once or late on a device; None for nothing."""
    try:
        exec(code, namespace)
        _synchronise()
    except BaseException as error:  # whatever an example raises is an observation
        return error
    return None


def _synchronise() -> None:
    # CUDA reports a kernel's error late: synchronise, so that this statement gets the blame.
    if torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
        torch.cuda.synchronize()


class _Watch:
    """What the statement that is running has written, warned and caught so far."""

    def __init__(self, directory: str) -> None:
        self._process = os.getpid()
        self._words = path_words(directory)
        self._files: dict[int, OutputFile] = open_output(directory)
        self._warned: list[Warned] = []
        self._caught: list[Raised] = []
        self._open: list[int | None] = []
        self._uncounted = 0
        self._show_warning = warnings.showwarning
        self._format_warning = warnings.formatwarning
        self._streams = sys.stdout, sys.stderr
        self._filters = list(warnings.filters)

    @property
    def is_in_child(self) -> bool:
        """Whether this process is one that the example forked: it writes for itself, and reports nothing."""
        return os.getpid() != self._process

    def install(self) -> None:
        """Send descriptors 1 and 2, warnings and caught exceptions here."""
        for descriptor, file in self._files.items():
            os.dup2(file.handle, descriptor)
        sys.stdout, sys.stderr = (own_stream(descriptor) for descriptor in self._files)
        _buffer_c_by_line()
        self._streams = sys.stdout, sys.stderr
        _show_every_warning()
        self._filters = list(warnings.filters)
        warnings.showwarning = self._on_warning
        setattr(builtins, CAUGHT, self._on_caught)
        setattr(builtins, HANDLED, self._on_handled)

    def hide_leaks(self) -> None:
        """Ignore files that are left open from now on, as Python does unless the script asks for more.

        Libraries add filters of their own when they are imported, for other warnings. What one appends has no
        effect: the last of the filters from before takes every warning.
        """
        own, filters = self._filters, warnings.filters
        places = (place for place in range(len(filters)) if filters[place : place + len(own)] == own)
        place = next(places, None)
        if place is not None and not any(map(_shows_leaks, filters[:place])):
            warnings.simplefilter("ignore", ResourceWarning)

    def restore_streams(self) -> None:
        """Put back the streams that the example replaced, as Python does behind its exit handlers."""
        sys.stdout, sys.stderr = self._streams

    def _on_warning(self, message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
        if self.is_in_child or self._is_shown_otherwise():
            self._show_warning(message, category, *where, **more)
        elif self._has_room(self._warned):
            self._warned.append(Warned(category.__name__, self._clean(str(message))))

    def _is_shown_otherwise(self) -> bool:
        """Whether the example sends warnings elsewhere, or words them itself, as Python's function does."""
        return sys.stderr is not self._streams[1] or warnings.formatwarning is not self._format_warning

    def _has_room(self, kept: Sized) -> bool:
        """Whether one more is kept; else it is counted."""
        self._uncounted += len(kept) >= MAX_KEPT
        return len(kept) < MAX_KEPT

    def _on_caught(self) -> None:
        if self.is_in_child:
            return
        error = sys.exc_info()[1]
        if error is not None and not self._has_room(self._caught):
            self._open.append(None)
        elif error is not None:
            self._peek()
            self._caught.append(Raised(type(error).__name__, self._clean(_message(error))))
            self._open.append(len(self._caught) - 1)

    def _on_handled(self) -> None:
        """What was printed since belongs to the handler that is being left, and to no handler around it."""
        if self.is_in_child:
            return
        printed = self._clean(self._peek())
        index = self._open.pop() if self._open else None
        if index is not None:
            self._caught[index] = replace(self._caught[index], printed=printed)

    def _peek(self) -> str:
        """What was printed since the last call."""
        _flush()
        return self._files[1].peek()

    def _clean(self, text: str) -> str:
        return normalise(shorten(text), self._words)

    def collect(self, code: str, raised: BaseException | None) -> Observation:
        """Observation of everything since the last call: what the statement spelled ``code`` did."""
        _flush()
        stdout, stderr = (self._files[descriptor].take() for descriptor in (1, 2))
        if self._uncounted:
            note = f"[{self._uncounted} more warnings or caught exceptions]"
            stderr = "\n".join([*filter(None, [stderr.removesuffix("\n")]), note])
        observation = Observation(
            code=code,
            stdout=normalise_output(shorten(stdout), self._words),
            stderr=normalise_output(shorten(stderr), self._words),
            warnings=tuple(self._warned),
            caught=tuple(self._caught),
            raised=None if raised is None or isinstance(raised, SystemExit) else self._uncaught(raised),
        )
        self._warned, self._caught, self._open, self._uncounted = [], [], [], 0
        return observation

    def mark(self) -> None:
        """Count what was collected as read, once it has been emitted."""
        for file in self._files.values():
            file.mark()

    def _uncaught(self, error: BaseException) -> Raised:
        """The error; without a traceback where a hook of the example has shown it."""
        if _has_own_hook():
            return Raised(type(error).__name__, self._clean(_message(error)))
        lines = traceback.format_exception(type(error), error, _own_frames(error))
        lines = shorten("".join(lines)).splitlines()
        return Raised(
            type=type(error).__name__,
            message=self._clean(_message(error)),
            traceback=tuple(self._clean(line) for line in lines),
        )


def _own_frames(error: BaseException) -> types.TracebackType | None:
    """The traceback without the first frame, which is that of ``execute``."""
    return error.__traceback__.tb_next if error.__traceback__ else None


def _shows_leaks(added: tuple[Any, ...]) -> bool:
    """Whether a filter shows files that are left open."""
    action, _, category, *_ = added
    return action != "ignore" and issubclass(ResourceWarning, category)


def _show_every_warning() -> None:
    """Let torch and Python warn of everything, however often."""
    torch.set_warn_always(True)
    warnings.resetwarnings()
    warnings.simplefilter("always")
    # From Python 3.12 on, a fork tells of the threads that libraries and queues run at that moment: another
    # number each time, with a process number, and nothing of it is seen where Python's own filters are left
    # as they are.
    warnings.filterwarnings("ignore", module=r"multiprocessing\.popen_fork$", category=DeprecationWarning)


def _buffer_c_by_line() -> None:
    """Let C write each line as it ends, as on a terminal: printf in its turn with print."""
    name = "__stdoutp" if sys.platform == "darwin" else "stdout"
    with contextlib.suppress(OSError, TypeError, ValueError):
        libc = ctypes.CDLL(None)
        libc.setvbuf(ctypes.c_void_p.in_dll(libc, name), None, _LINE_BUFFERED, 0)


_LINE_BUFFERED = 1
"""``_IOLBF`` of C, on Linux and macOS."""


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(
            ValueError, OSError, AttributeError
        ):  # the example may have closed or replaced it
            stream.flush()
    with contextlib.suppress(OSError, TypeError):  # C's own buffers: printf and std::cout of torch
        ctypes.CDLL(None).fflush(None)


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as second:  # the example's own __str__ may fail
        return f"<unprintable: {type(second).__name__}>"


def _main_module(program: Program) -> tuple[dict[str, Any], Iterator[types.CodeType]]:
    """Namespace of a fresh ``__main__``, registered where pickling looks for it, and its code."""
    docstring, codes = compile_program(program)
    module = types.ModuleType("__main__", docstring)
    module.__file__ = os.path.abspath(program.path)
    sys.modules["__main__"] = module
    sys.argv = [program.path]
    sys.path.insert(0, os.path.dirname(module.__file__))
    # Tracebacks quote source lines: under the short name there is no file to read them from.
    lines = program.source.splitlines(keepends=True)
    linecache.cache[program.path] = (len(program.source), None, lines, program.path)
    return module.__dict__, iter(codes)
