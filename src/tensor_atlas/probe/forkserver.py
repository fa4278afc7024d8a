"""Fork server: one process imports torch, then forks a fresh process for each example or batch of cells.

multiprocessing's own fork server takes 2 to 20 percent longer over the gallery, and there is one of it in a
process. Examples that use ``torch._dynamo`` need a second one, which has imported that too: one second each
for some twenty.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import importlib
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any, NoReturn

from tensor_atlas.probe.output import machine_words
from tensor_atlas.probe.sandbox import KILL, kept_variables, kill_descendants

PRELOAD = ("numpy", "torch", "tensor_atlas.probe.observe", "tensor_atlas.probe.environment")
"""Modules that every process finds imported."""
LOST = 255
"""Exit code of a process whose fork server has died."""
START_TIMEOUT = 600.0
"""Seconds in which a new server must have imported torch: as many as finding a machine's devices may take."""
ANSWER_TIMEOUT = 60.0
"""Seconds in which a server that has answered before must answer: forking takes a millisecond."""
_FILE_DESCRIPTOR = b"\0"
"""The byte that goes with a file descriptor: a socket sends none alone."""
_SERVER = (
    "import sys; sys.path[:] = {path!a}; "
    "from tensor_atlas.probe.ending import register_last; register_last(); "
    "from tensor_atlas.probe.forkserver import main; main({fileno}, {names!r})"
)


@contextlib.contextmanager
def fork_server(*more: str) -> Iterator[ForkServer]:
    """A fork server that has imported the modules PRELOAD and ``more``, until it is left."""
    server = ForkServer((*PRELOAD, *more))
    try:
        yield server
    finally:
        server.stop()


class ServerLostError(OSError):
    """The fork server ended, or does not answer."""


class ForkServer:
    """Starts the server with the first process, and ends it with ``stop``."""

    def __init__(self, preload: Sequence[str]) -> None:
        self._preload = tuple(preload)
        self._server: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._has_answered = False

    def spawn(self, target: Callable[..., None], *arguments: object) -> ForkedProcess:
        """A process that calls ``target(*arguments)``, all of which can be pickled.

        ServerLostError where the server ended or does not answer: the next call starts another, but a
        process may have been forked. OSError where the system has no more processes or files.
        """
        try:
            connection = self._connect()
            connection.send((target, arguments))
            pid = self._receive(connection)
        except (EOFError, ConnectionError, TimeoutError) as error:
            self.stop()
            raise ServerLostError(errno.EAGAIN, str(error) or "the fork server ended") from None
        if pid < 0:
            raise OSError(-pid, os.strerror(-pid))
        self._has_answered = True
        return ForkedProcess(pid, connection)

    def _receive(self, connection: Connection) -> int:
        """What the server answers; TimeoutError where it says nothing, although it is made to go on."""
        limit = ANSWER_TIMEOUT if self._has_answered else START_TIMEOUT
        end = time.monotonic() + limit
        while not connection.poll(min(1.0, limit)):
            if time.monotonic() >= end:
                raise TimeoutError(f"the fork server did not answer in {limit:g} s")
            self.resume()
        return int(connection.recv())

    def resume(self) -> None:
        """Let the server go on where an example has stopped it."""
        if self._server is not None:
            self._server.send_signal(signal.SIGCONT)

    def _connect(self) -> Connection:
        """A connection to the server, which forks one process for it."""
        if self._server is None or self._server.poll() is not None:
            self._start()
        assert self._control is not None
        ours, theirs = socket.socketpair()
        with ours, theirs:
            socket.send_fds(self._control, [_FILE_DESCRIPTOR], [theirs.fileno()])
            return Connection(ours.detach())

    def _start(self) -> None:
        """Start the server, which imports for a second; processes begin in the present working directory."""
        self.stop()
        self._has_answered = False
        self._control, theirs = socket.socketpair()
        with theirs:
            code = _SERVER.format(path=sys.path, fileno=theirs.fileno(), names=self._preload)
            command = [sys.executable, "-c", code]
            self._server = subprocess.Popen(
                command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, env=kept_variables()
            )

    def stop(self) -> None:
        """End the server; processes that it has forked run on."""
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._server is not None:
            self._server.kill()  # it may be importing torch
            self._server.wait()
            self._server = None


class ForkedProcess:
    """A process forked by the server, used as ``multiprocessing.Process`` is."""

    def __init__(self, pid: int, sentinel: Connection) -> None:
        self.pid = pid
        self.sentinel = sentinel
        """Connection for ``multiprocessing.connection.wait``, ready when the process has ended."""
        self.ready_at: float | None = time.monotonic()
        """When it had imported what it needs, by the monotonic clock; None until then."""
        self._exitcode: int | None = None

    @property
    def exitcode(self) -> int | None:
        """None while it runs; negative for a signal; LOST where the server died before it."""
        if self._exitcode is None and self.sentinel.poll():
            try:
                self._exitcode = int(self.sentinel.recv())
            except (EOFError, ConnectionError):
                self._exitcode = LOST
        return self._exitcode

    def join(self, timeout: float) -> None:
        """Wait for its end, ``timeout`` seconds at most."""
        if self.exitcode is None:
            wait([self.sentinel], timeout)

    def kill(self) -> None:
        """Kill it if it runs."""
        if self.exitcode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, KILL)


# --- in the server -----------------------------------------------------------------------------------


def main(fileno: int, preload: Sequence[str]) -> NoReturn:
    """Import ``preload``, then fork for each connection on the socket ``fileno``; ends with its peer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever is interrupted closes the socket
    prepare(preload)
    with socket.socket(fileno=fileno) as control:
        try:
            _serve(control)
        except Exception as error:  # noqa: BLE001 - where memory runs out, anything may be raised
            print(f"fork server: {type(error).__name__}: {error}", file=sys.stderr)
    kill_descendants()  # the probe may have been killed: an example can start what does not end with it
    os._exit(0)


def prepare(names: Sequence[str]) -> None:
    """Import modules, for processes to be forked, or for this one alone."""
    # No collection looks at what is here before the fork: it would write to each object, and so copy its page
    # in every child. Most of what the preparation gains over the gallery.
    gc.disable()
    for name in names:
        with contextlib.suppress(Exception):  # the example that needs it reports the error
            importlib.import_module(name)
    machine_words()  # cached: no child needs to find them again
    gc.freeze()


def _serve(control: socket.socket) -> None:
    children: dict[int, Connection] = {}
    woken, waker = socket.socketpair()
    for end in (woken, waker):
        end.setblocking(False)  # noqa: FBT003 - it takes no name
    signal.signal(signal.SIGCHLD, lambda *_: None)  # an ignored signal wakes nobody
    signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)
    with selectors.DefaultSelector() as selector:
        for source in (control, woken):
            selector.register(source, selectors.EVENT_READ)
        while True:
            ready = {key.fileobj for key, _ in selector.select()}
            if woken in ready:
                woken.recv(4096)
                _report_exit_codes(children)
            if control in ready and not _fork_for_next(control, children, (woken, waker)):
                return


def _fork_for_next(
    control: socket.socket, children: dict[int, Connection], own: Sequence[socket.socket]
) -> bool:
    """Fork for the connection that waits on ``control``; False when the other end has been closed."""
    data, descriptors, _, _ = socket.recv_fds(control, 1, 1)
    if not data:
        return False
    if not descriptors:  # this process has no room for another file: the other end reads an end of file
        return True
    connection = Connection(descriptors[0])
    try:
        target, args = connection.recv()
        pid = _fork()
    except (EOFError, ConnectionError):
        connection.close()
        return True
    except OSError as error:
        connection.send(-(error.errno or 1))
        connection.close()
        return True
    if pid == 0:
        _run_child(target, args, [control, *own, connection, *children.values()])
    children[pid] = connection
    with contextlib.suppress(OSError):
        connection.send(pid)
    return True


def _fork() -> int:
    """``os.fork`` without Python 3.12's warning of threads: those of libraries stay behind."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _report_exit_codes(children: dict[int, Connection]) -> None:
    while children:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        with contextlib.suppress(OSError), children.pop(pid) as connection:
            connection.send(os.waitstatus_to_exitcode(status))


def _run_child(
    target: Callable[..., None], args: tuple[Any, ...], inherited: Sequence[socket.socket | Connection]
) -> NoReturn:
    """Give back what belongs to the server, call ``target`` and exit."""

    def call() -> None:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for each in inherited:
            each.close()
        target(*args)

    call_and_exit(call)


def call_and_exit(function: Callable[[], None]) -> NoReturn:
    """Call ``function`` in a process that is prepared, and exit: with 1 where it raised.

    SystemExit, which ends the interpreter as usual, goes on.
    """
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        gc.enable()
        function()
        code = 0
    except SystemExit:
        raise
    except (ImportError, MemoryError) as error:  # of torch, which is broken or finds no room
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
    except BaseException:  # noqa: BLE001 - there is nobody to catch it
        traceback.print_exc()
    os._exit(code)
