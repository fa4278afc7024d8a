"""Finds example scripts and reads them; bad ones are reported all together."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Sequence
from pathlib import Path

from tensor_atlas.errors import AtlasError
from tensor_atlas.examples.parse import Example, ScriptError, parse_example
from tensor_atlas.examples.requirements import list_undeclared_imports


def read_examples(paths: Sequence[Path], root: Path) -> list[Example]:
    """Examples at and below ``paths``, in order of name, with paths from ``root`` where they lie below it.

    AtlasError names every script that cannot be read, is broken, or has the name of another.
    """
    examples: dict[str, Example] = {}
    errors = []
    for path in find_scripts(paths):
        shown = _shown_path(path.resolve() if path.is_file() else path.absolute(), root.resolve())
        try:
            example = parse_example(_read_text(path, shown), shown)
        except ScriptError as error:
            errors.append(str(error))
            continue
        errors += _describe_undeclared(example, path.parent)
        if example.name in examples:
            errors.append(
                f"{shown}  has the name of {examples[example.name].path}\n    rename one of the two"
            )
        examples[example.name] = example
    if errors:
        raise AtlasError("\n".join(errors))
    return list(examples.values())


def find_unknown_name(names: Sequence[str], known: Collection[str]) -> tuple[str, str] | None:
    """The first of the names that is that of no example, with a remedy: the nearest name that there is."""
    nearest = {name.partition("/")[2]: name for name in known} | {name: name for name in known}
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, nearest, 1)
            return name, f"did you mean {nearest[near[0]]}?" if near else "name it <chapter>/<stem>"
    return None


def _describe_undeclared(example: Example, folder: Path) -> list[str]:
    """A message for each library that an example imports and no tag declares; scripts beside it are none."""
    return [
        f"{example.path}:{line}  imports {module}, which no tag declares\n    {remedy}"
        for line, module, remedy in list_undeclared_imports(example.source, example.tags)
        if not (folder / f"{module}.py").is_file()
    ]


def find_scripts(paths: Sequence[Path]) -> list[Path]:
    """Scripts at and below ``paths``, each once.

    ``plot_*.py`` are pages with charts of a measurement, which nobody executes; hidden files are left out.

    AtlasError names every script that is not ``<chapter>/<stem>.py`` or begins with an underscore.
    """
    scripts: dict[Path, Path] = {}
    errors: list[str] = []
    for path in paths:
        if not path.exists():
            raise AtlasError(
                str(path), "no such file or folder", "name an example script or a folder of them"
            )
        for script in _scripts_in(path) if path.is_dir() else [path]:
            problem = _problem_with_name(script, path)
            errors += [problem] if problem else []
            scripts[script.resolve()] = script
    if not scripts:
        raise AtlasError(", ".join(map(str, paths)), "no example", "name a folder that holds example scripts")
    if errors:
        raise AtlasError("\n".join(dict.fromkeys(errors)))
    return list(scripts.values())


def _scripts_in(folder: Path) -> list[Path]:
    scripts = []
    for path in sorted(folder.rglob("*.py")):
        is_hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if not is_hidden and not path.name.startswith("plot_"):
            scripts.append(path)
    return scripts


def _problem_with_name(script: Path, given: Path) -> str:
    """What is wrong with folder or name of a script found at or below ``given``; empty if nothing."""
    if not str(script).isprintable():
        return f"{str(script)!r}  a name that cannot be printed\n    rename it"
    if given.is_dir() and len(script.relative_to(given).parts) > 2:
        return f"{script}  a script below a chapter's folder\n    put it in examples/<chapter>/"
    if script.resolve().parent.name == "examples":
        return f"{script}  a script outside a chapter\n    put it in examples/<chapter>/"
    if script.name.startswith("_"):
        what = "a name that begins with an underscore, which sphinx-gallery publishes all the same"
        return f"{script}  {what}\n    rename it"
    return ""


def _shown_path(script: Path, root: Path) -> str:
    """Path from ``root`` where it lies below it and keeps its chapter, else the whole; forward slashes."""
    short = script.relative_to(root) if script.is_relative_to(root) else script
    return (short if len(short.parts) > 1 else script).as_posix()


def _read_text(path: Path, shown: str) -> str:
    if not path.is_file():
        raise ScriptError(shown, 1, "not a regular file", "put the script itself there")
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ScriptError(shown, 1, f"not UTF-8: {error.reason}", "save the file as UTF-8 text") from None
    except OSError as error:
        raise ScriptError(shown, 1, f"cannot be read: {error.strerror}", "make it readable") from None
