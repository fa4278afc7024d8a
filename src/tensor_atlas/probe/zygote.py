"""The process that all others are forked from: what it has made, they need not make."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import contextlib
import ctypes
import errno
import gc
import importlib
import logging
import os
import pickle
import re
import select
import signal
import socket
import sys
import threading
import traceback
import types
import warnings
from collections.abc import Iterator
from multiprocessing.connection import Connection
from weakref import WeakSet

from tensor_atlas.probe.forking import IMPORT, NUMBER, descriptors, fork
from tensor_atlas.probe.interpreters import LAZY, OPENED

PRELOADED = ("numpy", "torch", "tensor_atlas.probe.observe", "tensor_atlas.probe.environment")
"""What a fresh process finds imported; what is missing here, each would import anew."""
LATER = ("tensor_atlas.probe.observe_cell", "tensor_atlas.probe.run_cells")
"""What it finds beside after many forks: no cell of the matrix is tried where one example has changed."""
MOST_ENDS = 4
"""Descriptors that come with a request: where to tell of the process, and what is its own."""
MANY_FORKS = 3
"""One fork is for the environment, one for an example that has changed; whoever forks again may fork many times.

Then it is worth to settle.
"""
FORKS_A_STEP = 2
"""Forks for each step of settling: what runs meanwhile was forked before, and keeps the memory that a step moves."""
ROUNDS = 3
"""How often a rehearsal observes: more takes longer, and was not seen to help."""
_COLLAPSE = 25
"""``MADV_COLLAPSE`` of Linux 6.1 and later (madvise(2)); an older kernel refuses it, and nothing is lost."""
_HUGE = 2**21
"""Bytes of a huge page, where small ones have 4096; any other size is refused, and nothing is lost."""
_CUT = socket.MSG_CTRUNC
"""Whether descriptors were sent that this process has no room for."""
_FULL = 0.5
"""Part of a mapping that must be in memory: a huge page takes its memory whole."""
_RENEWS_THREADS = getattr(threading, "_after_fork", None) if sys.version_info < (3, 13) else None
"""What looks after each fork which threads are left, makes their locks anew, and finds the one that has forked.

Where the zygote has one thread alone, which holds no lock, it leaves all as it was. Later ones note another number of
that thread.
"""
_LOCKED = "_at_fork_reinit_lock_weakset"
"""Name that logging has for the handlers that get a new lock in a new process; by any other, nothing is spared."""
_HANDLERS: list[WeakSet[logging.Handler]] = []
"""Handlers of logging whose locks are spared, in one set or none."""
_CODE: list[types.CodeType] = []
"""What ``_RENEWS_THREADS`` does where it is spared, in one piece or none."""
_MAPPING = re.compile(
    r"^([0-9a-f]+)-([0-9a-f]+) rw-p \S+ \S+ 0 *(?:\[heap\])?$(?:\n[A-Z].*)*?\nAnonymous: +(\d+) kB",
    re.MULTILINE,
)


def main(descriptor: int, folder: str, given: frozenset[int]) -> None:
    """Fork for whoever has the other end of the socket ``descriptor``, as ``forking.Forks`` asks; never returns.

    Processes begin in ``folder``, which stands for the checkout in what they write. ``given``: descriptors that were
    open before anything was imported.
    """
    os.chdir(folder)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever is interrupted closes the socket
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    prepare(given)
    serve(socket.socket(fileno=descriptor))


def prepare(given: frozenset[int] = frozenset()) -> None:
    """Import what all need, and let it lie. Descriptors that are open then and were not ``given`` are of libraries."""
    # The collector would look at all of it again and again, a tenth of the time that torch takes to be imported.
    gc.disable()
    _import(PRELOADED)
    OPENED.update(descriptors() - given)
    from tensor_atlas.probe.output import usual  # noqa: PLC0415
    from tensor_atlas.probe.runner import bound  # noqa: PLC0415 - not before the collector is off

    usual(os.getcwd())
    bound()
    spare_locks()
    with contextlib.suppress(ImportError):
        from tensor_atlas.probe import observe  # noqa: PLC0415

        observe.prepare()
    # A collection in a child writes to the header of every object it looks at, and so copies the pages they lie on.
    # What is here now is never looked at again.
    gc.freeze()
    gc.enable()
    gc.collect(0)  # what was not counted while it was off: a child must not begin with it


def _import(names: tuple[str, ...]) -> None:
    for name in names:
        with contextlib.suppress(ImportError, OSError):  # whoever needs it tells
            importlib.import_module(name)


def _import_lazy() -> None:
    """Import what several examples had to import. Should it warn, they heard that, and nobody hears it here."""
    gc.disable()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _import((LAZY,))
    gc.freeze()
    gc.enable()


def spare_locks() -> None:
    """Keep logging and threading from making new locks in each process: whoever forks alone holds none of them.

    The process itself has them again, for those that it forks.
    """
    if isinstance(_RENEWS_THREADS, types.FunctionType) and not _CODE:
        _CODE.append(_RENEWS_THREADS.__code__)
        _RENEWS_THREADS.__code__ = _nothing.__code__
    handlers = getattr(logging, _LOCKED, None)
    if isinstance(handlers, WeakSet) and not _HANDLERS:
        _HANDLERS.append(handlers)
        setattr(logging, _LOCKED, WeakSet())


def _nothing() -> None:
    pass


def serve(line: socket.socket) -> None:
    """Fork for each request on ``line``; tell of each process its number at once, and its exit code when it ended.

    Ends this process when the other end is closed.
    """
    woken, waker = _pipe(line)
    for end in (woken, waker):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)  # a full one wakes as well
    signal.signal(signal.SIGCHLD, lambda *_: None)  # a signal that is ignored wakes nobody
    heard = select.poll()
    for end in (line.fileno(), woken):
        heard.register(end, select.POLLIN)
    tellers: dict[int, int] = {}
    forks = 0
    request = line.fileno()
    settling: Iterator[None] = iter(())
    while True:
        ready = [end for end, _ in heard.poll()]
        if woken in ready:
            os.read(woken, select.PIPE_BUF)
            _bury(tellers)
        if request in ready:
            forks += 1
            has_imported = _answer(line, tellers, (woken, waker))
            if forks == MANY_FORKS or (has_imported and forks > MANY_FORKS):
                settling = settle()
            if forks % FORKS_A_STEP == 0:
                next(settling, None)


def _pipe(line: socket.socket) -> tuple[int, int]:
    """As ``os.pipe``; where that cannot be had, tell so whoever asks on ``line``, until it is closed."""
    try:
        return os.pipe()
    except OSError as error:
        while True:
            _answer(line, {}, (), -(error.errno or errno.EMFILE))


def _answer(line: socket.socket, tellers: dict[int, int], ends: tuple[int, ...], refusal: int = 0) -> bool:
    """Fork as asked, or import; whether it was to import.

    ``tellers``: where to tell of each process; ``ends``: what a new one must not keep either; ``refusal``: what to
    answer instead where this process lacks what it needs to fork.
    """
    payload, flags = b"", 0
    descriptors: list[int] = []
    with contextlib.suppress(ConnectionError):  # whoever goes before it has read an answer resets the line
        asked, descriptors, flags, _ = socket.recv_fds(line, NUMBER.size, MOST_ENDS)
        if asked == IMPORT:
            _import_lazy()
            return True
        payload = _received(line, NUMBER.unpack(asked)[0]) if asked else b""
    if not payload:  # whoever asked has gone
        os._exit(0)
    try:
        number = refusal or (-errno.EMFILE if flags & _CUT else fork())
    except OSError as error:
        number = -(error.errno or errno.EAGAIN)
    if number == 0:
        _work(payload, (line.detach(), *ends, *tellers.values()), *descriptors)
    if number > 0:
        tellers[number] = descriptors.pop(0)
    for end in descriptors:
        os.close(end)
    with contextlib.suppress(OSError):  # it has gone just now: the next turn ends
        line.sendall(NUMBER.pack(number))
    return False


def _received(line: socket.socket, size: int) -> bytes:
    """So many bytes; none where the other end is closed before they came. A signal may cut each piece short."""
    payload = bytearray()
    while len(payload) < size:
        piece = line.recv(size - len(payload))
        if not piece:
            return b""
        payload += piece
    return bytes(payload)


def _bury(tellers: dict[int, int]) -> None:
    """Tell the exit code of every process that has ended."""
    with contextlib.suppress(ChildProcessError):
        while tellers and (found := os.waitpid(-1, os.WNOHANG)) != (0, 0):
            teller = tellers.pop(found[0])
            code = NUMBER.pack(os.waitstatus_to_exitcode(found[1]))
            with contextlib.suppress(OSError):  # nobody listens any more
                os.write(teller, NUMBER.pack(len(code)) + code)
            os.close(teller)


def _begin(ends: tuple[int, ...]) -> None:
    """Leave what is the zygote's to it."""
    signal.set_wakeup_fd(-1)
    # Those of the module signal do the same, and look for the name of the handler that was there before.
    _signal.signal(signal.SIGCHLD, _signal.SIG_DFL)
    _signal.signal(signal.SIGINT, signal.default_int_handler)
    for end in ends:
        os.close(end)
    if _HANDLERS:
        setattr(logging, _LOCKED, _HANDLERS[0])
    if _RENEWS_THREADS is not None and _CODE:
        _RENEWS_THREADS.__code__ = _CODE[0]
        if (
            threading.active_count() > 1
        ):  # what has been imported since has started some, which no fork takes along
            _RENEWS_THREADS()


def _work(payload: bytes, ends: tuple[int, ...], teller: int, *given: int) -> None:
    """Leave the zygote's ``ends`` to it, do what this process was made for, and end: with 1 where that failed."""
    code = 1
    try:
        _begin((*ends, teller))
        target, args = pickle.loads(payload)  # noqa: S301 - from the process that has started this one
        target(*args, *(Connection(end, readable=False) for end in given))
        code = 0
    except BaseException:  # noqa: BLE001 - there is nobody to catch it
        traceback.print_exc()
    finally:
        os._exit(code)


def rehearse() -> None:
    """Observe a statement that does nothing, and let what Python learns from it lie as well.

    It notes where a type keeps an attribute, and what an instruction meets: each process would note it for itself, in
    pages that it had to copy first. No example runs here.
    """
    with contextlib.suppress(ImportError, OSError):
        from tensor_atlas.probe import observe  # noqa: PLC0415

        observe.rehearse(ROUNDS)
        gc.freeze()


def settle() -> Iterator[None]:
    """Do what is worth its time for many forks, in steps after which whoever asks for a process is answered.

    That is to import what is needed later, to rehearse, and to move what fills memory by small pages, Python's own
    arenas above all, to huge ones. Most of a fork, and of the end of what was forked, is to walk the table of pages: a
    huge one is one entry of it instead of 512. glibc's heap has them from the first, see HUGE_PAGES.
    """
    _import(LATER)
    yield
    rehearse()  # after what is imported: that, too, changes what Python has learnt
    yield
    try:
        with open("/proc/self/smaps", encoding="ascii", errors="replace") as file:
            mappings = file.read()
        advise = ctypes.CDLL(None).madvise
    except (OSError, AttributeError, TypeError):  # not Linux
        return
    for first in pieces(mappings):
        advise(ctypes.c_void_p(first), ctypes.c_size_t(_HUGE), _COLLAPSE)
        yield


def pieces(mappings: str) -> list[int]:
    """Addresses of what can be a huge page each, in ``mappings`` as proc_pid_smaps(5) has them."""
    found: list[int] = []
    for start, end, anonymous in _MAPPING.findall(mappings):
        first, last = int(start, 16), int(end, 16)
        if int(anonymous) * 1024 > (last - first) * _FULL:
            found += range(-(-first // _HUGE) * _HUGE, last - _HUGE + 1, _HUGE)
    return found
