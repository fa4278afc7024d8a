"""``python -m tensor_atlas.probe examples -o capture.json``: run examples wherever torch and NumPy are."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tensor_atlas import streams
from tensor_atlas.errors import BAD_INPUT, INTERRUPTED, AtlasError
from tensor_atlas.examples.files import read_examples
from tensor_atlas.examples.parse import Example
from tensor_atlas.examples.requirements import wants_gpu
from tensor_atlas.files import describe_unreadable, refuse_unwritable
from tensor_atlas.model.capture import Capture, Shard, digest_plan, parse_shard
from tensor_atlas.probe.capture import (
    Sample,
    capture_cells,
    capture_examples,
    capture_names,
    read_settings,
    summarise,
    write_capture,
)
from tensor_atlas.probe.sandbox import end_with_parent

PARTS = (
    ("1-examples-gpu", True, True),
    ("2-cells-gpu", True, False),
    ("3-examples", False, True),
    ("4-cells", False, False),
)
"""Files of ``--parts`` in their order: name, whether it needs a GPU, whether it holds examples or cells."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0 when every example has an outcome, 2 when something asked for cannot be done."""
    if arguments is None:
        streams.protect_streams()
        streams.stop_in_order()
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.end_with_parent:
        end_with_parent()
    if not options.paths and not options.matrix and not options.names:
        parser.error("nothing to run: name a folder of examples, --matrix or --names")
    try:
        write = _write_parts if options.parts else _write_whole
        write(options)
    except AtlasError as error:
        print(f"tensor-atlas probe: {error}", file=sys.stderr)
        return BAD_INPUT
    except OSError as error:
        if error.filename is None:
            raise
        print(f"tensor-atlas probe: {describe_unreadable(error)}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("tensor-atlas probe: interrupted, nothing written", file=sys.stderr)
        return INTERRUPTED
    return 0


def _write_whole(options: argparse.Namespace) -> None:
    """Write one capture when all has run."""
    capture = _capture(options)
    write_capture(capture, options.output)
    print(summarise(capture), file=sys.stderr)


def _capture(options: argparse.Namespace) -> Capture:
    root = working_directory()
    part = _shard(options.shard)
    refuse_unwritable(options.output)
    examples = read_examples(options.paths, root) if options.paths else []
    settings = read_settings(root / "pyproject.toml")
    sample = None if options.sample is None else Sample(options.sample, options.seed)
    chosen = of_shard(examples, part)
    chosen = chosen if sample is None else sample.draw_examples(chosen)
    capture = capture_examples(chosen, options.jobs, settings)
    if options.matrix:
        cells = capture_cells(capture.environment, options.jobs, part, sample)
        capture = replace(capture, cells=cells)
    if options.names and (part is None or part.number == 1):
        capture = replace(capture, names=capture_names(options.jobs))
    if part is not None:
        code = [(example.name, example.digest) for example in examples]
        capture = replace(capture, shard=replace(part, plan=digest_plan(code, matrix=options.matrix)))
    return capture


def _write_parts(options: argparse.Namespace) -> None:
    """Write each part into the folder as soon as it has run; parts that are there stay as they are.

    Parts are captures like others: whoever is stopped folds in what is there.
    """
    if options.shard or options.sample:
        raise AtlasError("--parts", "runs everything", "leave out --shard and --sample")
    root = working_directory()
    examples = read_examples(options.paths, root) if options.paths else []
    settings = read_settings(root / "pyproject.toml")
    for name, needs_gpu, has_examples in PARTS:
        path = options.output / f"{name}.json"
        if path.exists():
            print(f"{path}  is there already", file=sys.stderr)
            continue
        refuse_unwritable(path)
        chosen = [example for example in examples if wants_gpu(example.tags) is needs_gpu] * has_examples
        capture = capture_examples(chosen, options.jobs, settings)
        if options.names and has_examples and not needs_gpu:
            capture = replace(capture, names=capture_names(options.jobs))
        if options.matrix and not has_examples:
            cells = capture_cells(capture.environment, options.jobs, needs_gpu=needs_gpu)
            capture = replace(capture, cells=cells)
        write_capture(capture, path)
        print(f"{path}\n{summarise(capture)}", file=sys.stderr)


def working_directory() -> Path:
    """The folder that examples are named from; AtlasError where it has been removed."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        remedy = "change to the folder that holds examples/"
        raise AtlasError("the working directory", "has been removed", remedy) from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tensor_atlas.probe", description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, help="example scripts, or folders of chapters")
    parser.add_argument("--matrix", action="store_true", help="also try every conversion on every source")
    names = "also ask modules and objects for each name that a recorded release has"
    parser.add_argument("--names", action="store_true", help=names)
    parser.add_argument(
        "-o", "--output", type=Path, required=True, help="capture file to write (JSON); with --parts a folder"
    )
    parser.add_argument("-j", "--jobs", type=parse_jobs, default=default_jobs(), help="examples at a time")
    parts = "write a folder of captures, each when it is done, what needs a GPU first; go on with one begun"
    parser.add_argument("--parts", action="store_true", help=parts)
    parser.add_argument("--shard", metavar="K/N", help="run only the K-th of N parts, such as 2/8")
    sample = "run a random sample: N cells, and examples with N statements in all"
    parser.add_argument("--sample", type=parse_jobs, metavar="N", help=sample)
    parser.add_argument("--seed", type=int, default=0, help="the same sample for the same seed")
    parser.add_argument("--end-with-parent", action="store_true", help=argparse.SUPPRESS)
    return parser


def _shard(text: str | None) -> Shard | None:
    try:
        return None if text is None else parse_shard(text)
    except ValueError as error:
        raise AtlasError(f"--shard {error}") from None


def of_shard(examples: Sequence[Example], part: Shard | None) -> list[Example]:
    """Examples of one part, by order of name; all of them without one."""
    ordered = sorted(examples, key=lambda example: example.name)
    return ordered if part is None else part.select(ordered)


def default_jobs() -> int:
    """Examples at a time: one more than processors, which has work for them while another begins or ends."""
    return (os.cpu_count() or 1) + 1


def parse_jobs(text: str) -> int:
    """A number on a command line, such as that of jobs; ArgumentTypeError for what is none."""
    if not re.fullmatch(r"[1-9]\d{0,8}", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"invalid number {text!r}: expected an integer of 1 or more")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
