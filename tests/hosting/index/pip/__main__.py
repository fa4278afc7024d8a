"""A `pip` that names the releases in $HOSTED/offered.json: `python -m pip index versions torch`."""

import json
import os
import sys
from pathlib import Path

ARGUMENTS = sys.argv[1:]
if ARGUMENTS[:2] == ["index", "versions"]:
    offered = json.loads(Path(os.environ["HOSTED"], "offered.json").read_text(encoding="utf-8"))
    python = ARGUMENTS[ARGUMENTS.index("--python-version") + 1]
    found = offered[ARGUMENTS[2]][python]
    print(f"{ARGUMENTS[2]} ({found[0]})\nAvailable versions: {', '.join(found)}")
