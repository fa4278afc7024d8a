"""Runs examples, each in a fresh process, and makes a Run of what each process left behind."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence

from tensor_atlas.examples.instrument import Program
from tensor_atlas.examples.parse import Example
from tensor_atlas.model.runs import Environment, Observation, Run, Snapshot, Status
from tensor_atlas.probe.forkserver import ForkServer
from tensor_atlas.probe.normalise import normalise, path_words
from tensor_atlas.probe.processes import Emit, Ended, Task, run_processes

DETECT_TIMEOUT = 600.0
"""Seconds in which torch must have been imported and have found its devices."""


def detect_environment(server: ForkServer) -> Environment:
    """Environment of this machine, found out in a child: asking for the GPU would spoil the parent for forking.

    Raises RuntimeError when the child dies, as it does where torch cannot be imported; ProcessError where
    there is none.
    """
    tasks = deque([Task(_emit_environment, (), DETECT_TIMEOUT)])
    ended = next(run_processes(tasks, 1, server))
    for event in ended.events:
        if isinstance(event, Environment):
            return event
    last_words = ended.output[2].strip().split("\n")[-1]
    status, reason = ended.describe()
    raise RuntimeError(f"finding out about this machine {status}: {last_words or reason}")


def run_examples(
    examples: Iterable[Example], at_a_time: int, timeout: Callable[[Example], float], server: ForkServer
) -> Iterator[tuple[Run, float]]:
    """Runs and their wall time in seconds, in order of completion; ``timeout`` gives seconds by example."""
    by_path = {example.path: example for example in examples}
    tasks = deque(
        Task(_run_example, (program_of(example),), timeout(example)) for example in by_path.values()
    )
    for ended in run_processes(tasks, at_a_time, server):
        yield _run_of(by_path[ended.task.arguments[0].path], ended), ended.seconds


def program_of(example: Example) -> Program:
    """What the process that runs an example is given of it."""
    blocks = tuple(tuple(statement.code for statement in block.statements) for block in example.blocks)
    return Program(example.path, example.source, blocks)


def _run_of(example: Example, ended: Ended) -> Run:
    observations = [event for event in ended.events if isinstance(event, Observation)]
    snapshots = [event for event in ended.events if isinstance(event, Snapshot)]
    end = _end_of(ended.events)
    if end is None or ended.is_late:
        observations += _last_observation(example, ended, len(observations))
        end = ended.describe()
    status, reason = end
    return Run(
        example=example.name,
        digest=example.digest,
        status=status,
        reason=reason,
        observations=tuple(observations),
        snapshots=tuple(snapshots),
    )


def _end_of(events: Sequence[object]) -> tuple[Status, str] | None:
    """How an example said that it ended; None where it did not come to that."""
    match events[-1:]:
        case [(Status() as status, str(reason))]:
            return status, reason
    return None


def _last_observation(example: Example, ended: Ended, reached: int) -> list[Observation]:
    """The statement at which a process fell silent, with what it had written until then."""
    if reached >= len(example.statements):
        return []
    words = path_words(ended.directory)
    stdout, stderr = (normalise(ended.output[descriptor], words) for descriptor in (1, 2))
    return [Observation(example.statements[reached].code, stdout, stderr)]


# --- in the process: the parent must not import what imports torch ----------------------------------------


def _run_example(program: Program, directory: str, emit: Emit) -> None:
    from tensor_atlas.probe.observe import observe

    observe(program, directory, emit)


def _emit_environment(directory: str, emit: Emit) -> None:  # noqa: ARG001
    from tensor_atlas.probe.environment import detect

    emit(detect())
