"""Loads the HTML templates that this package ships; they escape every value that they are given."""

from __future__ import annotations

import jinja2


def load_templates(**words: object) -> jinja2.Environment:
    """The templates beside this module, in which ``words`` can be called and read everywhere.

    A name that a template does not know raises jinja2.UndefinedError.
    """
    templates = jinja2.Environment(
        loader=jinja2.PackageLoader("tensor_atlas.site"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals |= words
    return templates
