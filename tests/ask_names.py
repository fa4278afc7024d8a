"""Pastes names drawn at random into the search box of the built site, and counts right answers.

    python tests/ask_names.py [SEED]

Names that came or went, that each release has, that only the other library has, and made-up ones, each as the
message that Python prints. Ends with 1 if a made-up name is called certain.
"""

from __future__ import annotations

import random
import shutil
import sys
from collections.abc import Iterator, Mapping

from playwright.sync_api import Page, sync_playwright
from samples import ROOT

from tensor_atlas.pages.name_history import (
    COUNTERPARTS,
    NameHistory,
    describe_history,
    shorten_path,
    trace_names,
)
from tensor_atlas.records.store import read_records

SITE = ROOT / "docs" / "_build" / "html"
COUNTS = {"went": 60, "came": 40, "everywhere": 50, "other library": 50, "made up": 50}
OBJECTS = {
    "numpy.ndarray": "numpy.ndarray",
    "numpy.generic": "numpy.float32",
    "numpy.dtype": "numpy.dtype[float32]",
    "torch.Tensor": "Tensor",
    "torch.dtype": "torch.dtype",
}
"""Classes as a message names them."""
LETTERS = "abcdefghiklmnoprstuvwz"
ASK = """
async (text) => {
  await window.atlasNames.load(text);
  const { state, found } = window.atlasNames.find(text);
  const said = ({ page, wording }) => [page.title, page.lead, wording?.text ?? ""].join("|");
  return [state, ...found.slice(0, 2).map(said)];
}
"""


def read_histories() -> dict[str, NameHistory]:
    """Recorded names of modules, and of classes that a message names."""
    store = read_records(ROOT / "docs" / "records", matrix=False, only=())
    recorded = {namespace: record.answers for namespace, record in store.names.items()}
    return trace_names(recorded, store.environments)


def draw(histories: Mapping[str, NameHistory], chance: random.Random) -> Iterator[tuple[str, str]]:
    """Kinds with paths of names."""
    unnamed = ("numpy.random.Generator", "torch.device", "torch.nn.Module")
    paths = [path for path, one in histories.items() if one.namespace not in unnamed]
    others = []
    for path in paths:
        namespace, _, name = path.rpartition(".")
        twin = f"{COUNTERPARTS.get(namespace, '')}.{name}"
        if namespace in COUNTERPARTS and twin not in histories:
            others.append(twin)
    namespaces = sorted({path.rpartition(".")[0] for path in paths})
    made_up: list[str] = []
    while len(made_up) < COUNTS["made up"]:
        namespace = chance.choice(namespaces)
        path = f"{namespace}.{''.join(chance.choices(LETTERS, k=chance.randint(4, 9)))}"
        twin = f"{COUNTERPARTS.get(namespace, '')}.{path.rpartition('.')[2]}"
        made_up += [path] if path not in histories and twin not in histories else []
    changed = [path for path in paths if histories[path].is_changed]
    kinds = {
        "went": [path for path in changed if not histories[path].answers[-1].is_there],
        "came": [path for path in changed if histories[path].answers[-1].is_there],
        "everywhere": [path for path in paths if not histories[path].is_changed],
        "other library": others,
        "made up": made_up,
    }
    for kind, known in kinds.items():
        for path in chance.sample(known, min(COUNTS[kind], len(known))):
            yield kind, path


def spell_message(path: str) -> str:
    """What Python prints."""
    namespace, _, name = path.rpartition(".")
    owner = f"'{OBJECTS[namespace]}' object" if namespace in OBJECTS else f"module '{namespace}'"
    return f"AttributeError: {owner} has no attribute '{name}'"


def judge(kind: str, path: str, answer: list[str], histories: Mapping[str, NameHistory]) -> tuple[bool, bool]:
    """Whether the answer is right, and whether it says what to write instead, or where the name is."""
    state, *found = answer
    own = next((one for one in found if one.startswith(f"{path}|")), "")
    namespace, _, name = path.rpartition(".")
    history = histories.get(path)
    words = describe_history(history) if history else f"have no `{shorten_path(path)}`"
    if kind == "other library":
        words = shorten_path(f"{COUNTERPARTS.get(namespace, '')}.{name}")
    is_sure = kind not in ("everywhere", "made up")
    is_right = words in own and (state == "sure") == is_sure
    _, lead, message = own.split("|", 2) if own else ("", "", "")
    return is_right, "Write `" in lead or "There is `" in lead or "Convert the " in lead or bool(message)


def ask_all(asked: list[tuple[str, str]]) -> list[list[str]]:
    """What the box answers for each name."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page: Page = browser.new_context(offline=True).new_page()
        page.goto((SITE / "index.html").as_uri())
        page.keyboard.press("Control+k")
        page.wait_for_function("window.atlasNames !== undefined")
        answers = [page.evaluate(ASK, spell_message(path)) for _, path in asked]
        browser.close()
    return answers


def main(seed: str) -> int:
    """Print the figures, and each wrong answer; 1 where a made-up name is called certain."""
    histories = read_histories()
    asked = list(draw(histories, random.Random(seed)))
    answers = ask_all(asked)
    judged = [judge(*pair, answer, histories) for pair, answer in zip(asked, answers, strict=True)]
    for kind in COUNTS:
        rows = [one for (of, _), one in zip(asked, judged, strict=True) if of == kind]
        right, instead = (sum(one[part] for one in rows) for part in (0, 1))
        print(f"{kind:15} {right:3} of {len(rows):3} right, {instead:3} say what takes its place")
    for (kind, path), answer, (is_right, _) in zip(asked, answers, judged, strict=True):
        if not is_right:
            print(f"  {kind}: {path}: {' / '.join(answer)[:220]}")
    sure = [
        path
        for (kind, path), answer in zip(asked, answers, strict=True)
        if kind == "made up" and answer[0] == "sure"
    ]
    print(f"made up and called certain: {len(sure)}")
    return 1 if sure else 0


if __name__ == "__main__":
    sys.exit(main(*(sys.argv[1:] or ["1"])))
