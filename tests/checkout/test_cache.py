"""Cache keys: everything that a run, a report or the site rests on changes its key, and nothing else does."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from samples import HEAD, ROOT, project, python

from tensor_atlas import cli
from tensor_atlas.checkout import cache
from tensor_atlas.checkout.project import Project, examples_of

EXAMPLE = HEAD + "print(1)\n# => 1\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Checkout with two examples in a chapter."""
    made = project(tmp_path / "checkout")
    for name in ("a", "b"):
        write(f"examples/01_x/{name}.py", EXAMPLE)(made)
    return made


def write(name: str, text: str) -> Callable[[Path], object]:
    """What writes a file of the checkout."""

    def change(root: Path) -> None:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")

    return change


def changed_keys(root: Path, change: Callable[[Path], object]) -> list[str]:
    """Names of the examples whose key is another after a change."""
    before = cache.example_keys(root, examples_of(Project(root)))
    change(root)
    after = cache.example_keys(root, examples_of(Project(root)))
    return [name for name in after if after[name] != before.get(name)]


@pytest.mark.parametrize(
    ("change", "changed"),
    [
        pytest.param(lambda _: None, [], id="nothing"),
        pytest.param(write("examples/01_x/a.py", EXAMPLE.replace("=> 1", "=> 2")), ["01_x/a"], id="a claim"),
        pytest.param(
            write("examples/01_x/a.py", EXAMPLE.replace("Title", "Tital")), ["01_x/a"], id="docstring"
        ),
        pytest.param(
            write("examples/01_x/a.py", EXAMPLE + "print('x ')\n"), ["01_x/a"], id="trailing blanks"
        ),
        pytest.param(write("examples/01_x/data.csv", "1"), ["01_x/a", "01_x/b"], id="a file beside it"),
        pytest.param(write("examples/01_x/sub/data.csv", "1"), ["01_x/a", "01_x/b"], id="a file below it"),
        pytest.param(
            lambda root: (root / "examples/01_x/sub").mkdir(), ["01_x/a", "01_x/b"], id="an empty folder"
        ),
        pytest.param(write("examples/02_y/data.csv", "1"), [], id="a file elsewhere"),
        pytest.param(write("docs/deviations.toml", "# none"), [], id="the deviations"),
    ],
)
def test_key_of_an_example_is_what_its_run_could_see(
    root: Path, change: Callable[[Path], object], changed: list[str]
) -> None:
    """Its whole text and the files beside it, not what it is compared with."""
    assert changed_keys(root, change) == changed


@pytest.mark.parametrize(
    "code",
    [
        "import helper\n",
        "if True:\n    from helper import x\n",
        "print(open('helper.py'))\n",
        'run("helper")\n',
    ],
)
def test_script_that_an_example_imports_is_part_of_its_key(root: Path, code: str) -> None:
    """Or that it names in quotes; one that it only speaks of is not."""
    write("examples/01_x/helper.py", EXAMPLE)(root)
    write("examples/01_x/a.py", EXAMPLE + code)(root)
    write("examples/01_x/b.py", EXAMPLE + "# See helper, which has helper.py.\ntorch.helper(1)\n")(root)
    change = write("examples/01_x/helper.py", EXAMPLE.replace("print(1)", "print(2)"))
    assert changed_keys(root, change) == ["01_x/a", "01_x/helper"]


def test_script_that_an_imported_script_imports_is_part_of_the_key(root: Path) -> None:
    """Also where its name holds a dash, and where they import each other."""
    write("examples/01_x/near.py", EXAMPLE + "import runpy\n\nrunpy.run_path('far-away.py')\n")(root)
    write("examples/01_x/far-away.py", EXAMPLE + "import near\n")(root)
    write("examples/01_x/a.py", EXAMPLE + "import near\n")(root)
    change = write("examples/01_x/far-away.py", EXAMPLE + "import near\n\nprint(2)\n# => 2\n")
    assert changed_keys(root, change) == ["01_x/a", "01_x/far-away", "01_x/near"]


LOOKING = [
    'import importlib\n\nimportlib.import_module("help" + "er")\n',
    '__import__("help" + "er")\n',
    "import os\n\nprint(os.listdir(os.path.dirname(__file__)))\n",
    'import sys\n\nprint(open(sys.path[0] + "/../../no" + "tes.txt").read())\n',
    'import sys\n\nprint(open(sys.argv[0] + "/../../02_y/da" + "ta.csv").read())\n',
]


@pytest.mark.parametrize("code", LOOKING)
@pytest.mark.parametrize(
    "name", ["examples/01_x/helper.py", "examples/02_y/data.csv", "examples/02_y/b.py", "notes.txt"]
)
def test_example_that_can_look_around_sees_every_example_and_the_root(
    root: Path, code: str, name: str
) -> None:
    """It may import a module whose name it puts together, list a folder, read what another chapter reads."""
    write("examples/01_x/a.py", EXAMPLE + code)(root)
    write(name, EXAMPLE)(root)
    change = write(name, EXAMPLE.replace("print(1)", "print(2)"))
    new = name.removeprefix("examples/").removesuffix(".py")
    assert set(changed_keys(root, change)) - {new} == {"01_x/a"}


@pytest.mark.parametrize(
    "code", ["import numpy\n\nprint(numpy.__file__)\n", "import sys\n\nsys.path.append('x')\n"]
)
def test_example_that_names_another_place_looks_nowhere_else(root: Path, code: str) -> None:
    """A library's folder, or one that it adds to the path."""
    write("examples/01_x/a.py", EXAMPLE + code)(root)
    assert changed_keys(root, write("notes.txt", "1")) == []


def test_script_that_looks_around_makes_those_that_import_it_do_so(root: Path) -> None:
    """What it reads, they show."""
    write("examples/01_x/near.py", EXAMPLE + "place = __file__\n")(root)
    write("examples/01_x/a.py", EXAMPLE + "import near\n")(root)
    assert changed_keys(root, write("notes.txt", "1")) == ["01_x/a", "01_x/near"]


def test_mode_of_a_file_is_part_of_the_key(root: Path) -> None:
    """An example may ask whether it could run a file, or write to it."""
    write("examples/01_x/tool.sh", "exit")(root)
    tool, script = root / "examples/01_x/tool.sh", root / "examples/01_x/a.py"
    tool.chmod(0o644)
    assert changed_keys(root, lambda _: tool.chmod(0o755)) == ["01_x/a", "01_x/b"]
    assert changed_keys(root, lambda _: script.chmod(0o400)) == ["01_x/a"]


def test_line_ends_of_a_script_are_part_of_its_key(root: Path) -> None:
    """An example that reads its own file sees them, although its text has lost them."""
    script = root / "examples/01_x/a.py"
    change = script.read_bytes().replace(b"\n", b"\r\n")
    assert changed_keys(root, lambda _: script.write_bytes(change)) == ["01_x/a"]


def test_variables_and_installed_releases_are_part_of_every_key(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that an example gets: how many threads, which devices, which libraries; no others."""
    both = ["01_x/a", "01_x/b"]
    assert changed_keys(root, lambda _: monkeypatch.setenv("OMP_NUM_THREADS", "3")) == both
    assert changed_keys(root, lambda _: monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")) == both
    assert changed_keys(root, lambda _: monkeypatch.setenv("UNRELATED", "3")) == []
    packages = tmp_path / "packages"
    (packages / "pandas-1.0.dist-info").mkdir(parents=True)
    assert changed_keys(root, lambda _: monkeypatch.syspath_prepend(str(packages))) == both
    (packages / "pandas-1.0.dist-info").rmdir()
    assert changed_keys(root, lambda _: (packages / "pandas-2.0.dist-info").mkdir()) == both


def test_engine_is_part_of_every_key(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rooms that decide what a run gives; not those that show it."""
    for room in ("probe", "site"):
        (tmp_path / "package" / room).mkdir(parents=True)
    monkeypatch.setattr(cache, "_PACKAGE", tmp_path / "package")
    engine, page = tmp_path / "package/probe/new.py", tmp_path / "package/site/new.py"
    assert changed_keys(root, lambda _: page.write_text("1")) == []
    assert changed_keys(root, lambda _: engine.write_text("1")) == ["01_x/a", "01_x/b"]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(write("examples/01_x/a.py", EXAMPLE + "print(2)\n"), id="an example"),
        pytest.param(write("examples/02_y/b.py", EXAMPLE), id="another example"),
        pytest.param(lambda root: (root / "examples/01_x/a.py").unlink(), id="one less"),
        pytest.param(write("docs/records/environments.json", "{}"), id="the environments"),
        pytest.param(write("docs/records/01_x/a.json", "{}"), id="a record"),
        pytest.param(write("docs/deviations.toml", "# none"), id="the deviations"),
        pytest.param(write("pyproject.toml", "[tool.tensor-atlas]\ntimeout = 1\n"), id="the settings"),
        pytest.param(lambda root: os.mkfifo(root / "examples/01_x/f.py"), id="a named pipe"),
        pytest.param(lambda root: (root / "examples/01_x/l.py").symlink_to("nowhere"), id="a dangling link"),
        pytest.param(lambda root: (root / "examples/01_x/d.py").mkdir(), id="a folder named as a script"),
        pytest.param(lambda root: os.mkfifo(root / "docs/gaps.toml"), id="a named pipe for gaps"),
        pytest.param(write("docs/_build/cache/report.json", "{"), id="a cache cut short"),
        pytest.param(write("docs/_build/cache/report.json", "[]"), id="a cache of another form"),
    ],
)
def test_report_is_not_repeated_after_a_change(root: Path, change: Callable[[Path], object]) -> None:
    """Of anything that drift reads; unchanged, it is."""
    cache.write_report(root, cache.report_key(root), "no drift")
    assert cache.read_report(root) == "no drift"
    change(root)
    assert cache.read_report(root) is None


def test_cached_report_needs_no_torch(root: Path) -> None:
    """Nor anything else that takes long to import."""
    remember = "from pathlib import Path; from tensor_atlas.checkout import cache; root = Path.cwd(); "
    remember += "cache.write_report(root, cache.report_key(root), 'no drift')"
    ask = (
        "import sys; from tensor_atlas import cli; cli.main(['drift']); print(*sys.modules, file=sys.stderr)"
    )
    assert python(root, "-c", remember).returncode == 0
    done = python(root, "-c", ask)
    assert done.stdout == "no drift\n"
    assert not {"torch", "numpy", "sphinx", "tensor_atlas.commands"} & set(done.stderr.split())


def make_commit(root: Path) -> None:
    """Commit something, in a repository that is made if there is none."""
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "Change"]):
        subprocess.run([*git, *command], cwd=root, check=True)


def test_site_of_a_worktree_has_its_commit_in_the_key(root: Path) -> None:
    """There ``.git`` is a file."""
    make_commit(root)
    other = root.parent / "other"
    subprocess.run(["git", "worktree", "add", "-q", str(other)], cwd=root, check=True)
    (other / "docs").mkdir()
    before = cli.site_key(other, [])
    make_commit(other)
    assert cli.site_key(other, []) != before


def test_site_key_covers_pages_settings_and_commit(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not what a build makes."""
    keys = [cli.site_key(root, [])]
    changes: list[Callable[[Path], object]] = [
        write("docs/guides/new.md", "# New"),
        write("README.md", "# Readme"),
        make_commit,
        make_commit,
        lambda _: monkeypatch.setenv("SITE_URL", "https://example.org"),
    ]
    for change in changes:
        change(root)
        keys.append(cli.site_key(root, []))
    keys.append(cli.site_key(root, ["-q"]))
    assert len(set(keys)) == len(keys)
    write("docs/_build/html/index.html", "built")(root)
    write("docs/gallery/index.rst", "made")(root)
    assert cli.site_key(root, ["-q"]) == keys[-1]


EDITED = """
import pathlib, tensor_atlas.checkout.cache as cache
before = cache.package_key()
(pathlib.Path(cache.__file__).parents[1] / "guides.py").write_text("")
print(before == cache.package_key())
"""


def test_key_of_the_package_is_that_of_the_code_that_runs(tmp_path: Path) -> None:
    """What is edited during a build counts from the next process on."""
    shutil.copytree(ROOT / "src" / "tensor_atlas", tmp_path / "tensor_atlas")
    done = python(tmp_path, "-c", EDITED, PYTHONPATH=str(tmp_path))
    assert done.stdout == "True\n", done.stderr
    key = "import tensor_atlas.checkout.cache as cache; print(cache.package_key())"
    assert python(tmp_path, "-c", key, PYTHONPATH=str(tmp_path)).stdout.strip() != cache.package_key()


def test_no_page_is_read_again_for_a_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new site is built for one; a template is what pages are made of."""
    package = tmp_path / "package"
    for folder in ("static", "templates"):
        (package / "site" / "search" / folder).mkdir(parents=True)
    monkeypatch.setattr(cache, "_PACKAGE", package)

    def keys() -> tuple[str, str]:
        cache.package_key.cache_clear()
        return cache.package_key(), cache.package_key(scripts=False)

    whole, read = keys()
    (package / "site" / "search" / "static" / "box.js").write_text("1")
    assert keys()[0] != whole
    assert keys()[1] == read
    (package / "site" / "search" / "templates" / "box.html").write_text("1")
    assert keys()[1] != read
    cache.package_key.cache_clear()
