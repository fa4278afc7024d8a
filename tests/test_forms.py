"""Forms for issues, the template of pull requests, and the bot that updates actions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from samples import ROOT

FOLDER = ROOT / ".github" / "ISSUE_TEMPLATE"
FORMS = sorted(path for path in FOLDER.glob("*.yml") if path.name != "config.yml")
of_each = pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
TOP = {"name", "description", "body", "title", "labels", "assignees", "projects", "type"}
"""Keys of a form; the first three are required."""
ATTRIBUTES = {
    "markdown": {"value"},
    "input": {"label", "description", "placeholder", "value"},
    "textarea": {"label", "description", "placeholder", "value", "render"},
    "dropdown": {"label", "description", "multiple", "options", "default"},
    "checkboxes": {"label", "description", "options"},
}
"""Attributes of each type of field."""


def read(path: Path) -> Any:
    """What a file of YAML holds."""
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_forms_are_those_that_readers_need() -> None:
    """For another result, a message without a page, and a page that is wrong."""
    assert [path.stem for path in FORMS] == ["missing_error", "wrong_on_my_machine", "wrong_page"]
    assert set(read(FOLDER / "config.yml")) <= {"blank_issues_enabled", "contact_links"}


@of_each
def test_form_has_the_keys_that_github_documents(path: Path) -> None:
    """GitHub shows no form with another one, and says so to nobody."""
    form = read(path)
    assert set(form) <= TOP
    assert {"name", "description", "body"} <= set(form)
    assert len(form["name"]) > 3
    assert any(field["type"] != "markdown" for field in form["body"])
    for field in form["body"]:
        assert set(field) <= {"type", "id", "attributes", "validations"}
        assert set(field["attributes"]) <= ATTRIBUTES[field["type"]]
        assert set(field.get("validations", {})) <= {"required"}
        assert field["type"] == "markdown" or field["attributes"]["label"]


@of_each
def test_fields_of_a_form_have_names_of_their_own(path: Path) -> None:
    """Letters, digits, hyphens and underscores alone; no two fields share an id or a label."""
    fields = [field for field in read(path)["body"] if field["type"] != "markdown"]
    names = [field["id"] for field in fields]
    assert all(name.replace("-", "").replace("_", "").isalnum() for name in names)
    labels = [field["attributes"]["label"] for field in fields]
    assert (len(set(names)), len(set(labels))) == (len(fields), len(fields))


def test_form_takes_a_capture() -> None:
    """As an attachment, which a text area takes and one with `render` does not."""
    fields = {field.get("id"): field for field in read(FOLDER / "wrong_on_my_machine.yml")["body"]}
    assert fields["capture"]["type"] == "textarea"
    assert "render" not in fields["capture"]["attributes"]
    assert "atlas-probe.pyz" in fields["capture"]["attributes"]["description"]


def test_bot_keeps_actions_up_to_date() -> None:
    """Each week, and no release before it is some days old."""
    (entry,) = read(ROOT / ".github" / "dependabot.yml")["updates"]
    assert entry["package-ecosystem"] == "github-actions"
    assert entry["schedule"] == {"interval": "weekly"}
    assert entry["cooldown"]["default-days"] >= 5


def test_commands_of_the_pull_request_template_exist() -> None:
    """It asks for what CONTRIBUTING.md asks for."""
    text = (ROOT / ".github" / "pull_request_template.md").read_text(encoding="utf-8")
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for command in ("python -m nox", "tensor-atlas record"):
        assert command in text
        assert command in contributing
