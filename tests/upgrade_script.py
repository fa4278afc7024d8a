"""Runs the script of the upgrade page without a browser, for tests that ask it for many pairs."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

import msgspec
from chooser_script import OUTCOMES, find_node
from samples import ROOT

from tensor_atlas.compare.upgrade import UpgradeTable
from tensor_atlas.pages.release_view import list_upgrade_facts

SCRIPT = ROOT / "src" / "tensor_atlas" / "site" / "releases" / "static" / "atlas-upgrade.js"
ASK = """
const { readFileSync } = require("node:fs");
const [outcomes, script, input] = process.argv.slice(2);
const { data, pairs } = JSON.parse(readFileSync(input, "utf-8"));
// Whatever the script does with its page, nothing comes of it.
const page = new Proxy(() => page, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => "" : name === "then" ? undefined : page),
  set: () => true,
});
const root = { dataset: {}, replaceChildren() {} };
const atlasSite = { make: () => page, loadScript: async () => {} };
globalThis.window = { atlasSite, atlasUpgrade: data, addEventListener() {} };
globalThis.document = { querySelector: () => root };
globalThis.location = { hash: "", search: "" };
globalThis.history = { replaceState() {} };
eval(readFileSync(outcomes, "utf-8"));
eval(readFileSync(script, "utf-8"));
(async () => {
  const said = [];
  for (const pair of pairs) said.push(await root.atlasMarkdown(...pair));
  process.stdout.write(JSON.stringify(said));
})();
"""


def ask_upgrade(folder: Path, table: UpgradeTable, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """What the script says in Markdown of pairs of environments, by name."""
    script, asked = folder / "ask.js", folder / "asked.json"
    script.write_text(ASK, encoding="utf-8")
    data = {**list_upgrade_facts(table, table), "all": msgspec.to_builtins(table)}
    asked.write_text(json.dumps({"data": data, "pairs": pairs}), encoding="utf-8")
    command = [find_node(), str(script), str(OUTCOMES), str(SCRIPT), str(asked)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    said: list[str] = json.loads(done.stdout)
    return said
