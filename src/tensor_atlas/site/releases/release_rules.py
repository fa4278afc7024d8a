"""What each release changed in the matrix, as rules: computed once a build, for several kinds of pages.

The pages of releases list all of them, those of conversions and sources the ones that readers may meet.
"""

from __future__ import annotations

from functools import lru_cache

from sphinx.application import Sphinx

from tensor_atlas.compare.upgrade import UpgradeTable, build_upgrade_table
from tensor_atlas.compare.upgrade_report import (
    ReleaseRules,
    list_release_rules,
)
from tensor_atlas.site.build.execution import evidence_of


@lru_cache(maxsize=1)
def rules_of(app: Sphinx) -> tuple[UpgradeTable, list[ReleaseRules]]:
    """The table of changes between environments, and the rules of each release that it gives."""
    table = build_upgrade_table(evidence_of(app))
    return table, list_release_rules(table)
