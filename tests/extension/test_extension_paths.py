"""A checkout may lie in any folder."""

from __future__ import annotations

import re
from pathlib import Path

from samples import ROOT
from tiny_project import CONF, html, tiny


def test_path_with_blanks_gives_no_warning(tmp_path: Path, executed: Path) -> None:
    """With the setting of docs/conf.py: sphinx-gallery warns of each, and warnings are errors there."""
    (setting,) = re.findall(
        "^suppress_warnings = .*$", (ROOT / "docs" / "conf.py").read_text(encoding="utf-8"), re.MULTILINE
    )
    made = tiny(tmp_path / "a folder of Zoë", executed)
    made.write("docs/conf.py", f"{CONF}\n{setting}\n")
    app = made.build()
    assert "spaces" not in app.warning.getvalue()
    assert "[5. 0.]" in html(app, "gallery/01_x/shares")
