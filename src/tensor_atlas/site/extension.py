"""Registers the extension's settings, events, directives and roles; holds no behaviour of its own."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from sphinx import builders

from tensor_atlas import __version__
from tensor_atlas.site import (
    chooser_page,
    coverage,
    directives,
    downloads,
    example_pages,
    freshness,
    guide_cache,
    landing,
    matrix_counts,
    matrix_overview,
    matrix_pages,
    memory_figures,
    navigation,
    nodes,
    picker,
    processes,
    published,
    questions,
    release_pages,
    removed_examples,
    search_box,
    spared,
    tag_filter,
    tasks,
    unfinished,
)
from tensor_atlas.site.execution import begin, finish

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


def register(app: Sphinx) -> ExtensionMetadata:
    """Connect everything to ``app``."""
    app.add_config_value("tensor_atlas_root", "..", "env", str, "Checkout's folder, from the source folder.")
    app.add_config_value("tensor_atlas_gallery", "gallery", "env", str, "sphinx-gallery's folder of pages.")
    app.add_config_value(
        "tensor_atlas_repository", "", "env", str, "Address, such as https://github.com/OWNER/NAME."
    )
    app.add_config_value("tensor_atlas_branch", "main", "env", str, "Branch whose examples a reader edits.")
    app.add_config_value(
        "tensor_atlas_site_branch", "", "env", str, "Branch the built site is in, if it is in any."
    )
    app.add_config_value(
        "tensor_atlas_jobs", 0, "", int, "Examples at a time; 0: as many as the probe finds best."
    )

    vars(builders)["ParallelTasks"] = tasks.Tasks  # for which there is no setting

    # What a build reads, it keeps until it ends: the collector would walk through millions of objects in vain.
    gc.set_threshold(50_000, 20, 100)
    app.connect("build-finished", lambda *_: gc.unfreeze(), priority=900)

    # sphinx-gallery's own handler, which the first and the last stand around, has priority 10.
    app.connect("config-inited", spared.ask, priority=8)
    app.connect("config-inited", spared.without_matplotlib, priority=9)
    app.connect("config-inited", spared.with_matplotlib, priority=11)
    app.connect("builder-inited", spared.keep_templates)
    app.connect("builder-inited", spared.recall, priority=490)

    # Examples run while sphinx-gallery's own handler makes its pages.
    app.connect("config-inited", begin)
    app.connect("builder-inited", finish, priority=600)
    app.connect("builder-inited", removed_examples.remove, priority=601)
    app.connect("builder-inited", spared.remember, priority=602)
    app.connect("builder-inited", picker.provide, priority=601)
    app.connect("builder-inited", chooser_page.provide, priority=601)
    app.connect("builder-inited", published.write_build_facts, priority=601)
    app.connect("builder-inited", release_pages.generate, priority=601)
    app.connect("builder-inited", lambda _: gc.freeze(), priority=602)
    app.connect("env-before-read-docs", matrix_pages.prepare)
    app.connect("env-before-read-docs", processes.spread)
    app.connect("env-before-read-docs", processes.one_for_few)
    app.connect("env-updated", processes.as_many_as_asked)
    app.connect("env-updated", processes.begin, priority=900)
    app.connect("env-updated", unfinished.begin)
    app.connect("write-started", processes.one_more)
    app.connect("env-get-outdated", freshness.outdated)
    app.connect("env-get-outdated", chooser_page.outdated)
    app.connect("env-get-outdated", guide_cache.outdated)
    app.connect("env-get-outdated", published.find_outdated)
    app.connect("env-purge-doc", freshness.purge)
    app.connect("env-merge-info", freshness.merge)
    # Before Sphinx collects what a page offers for download.
    app.connect("doctree-read", downloads.replace, priority=400)
    app.connect("doctree-read", example_pages.attach)
    app.connect("doctree-read", memory_figures.illustrate)
    app.connect("html-page-context", chooser_page.load)
    app.connect("html-page-context", landing.load)
    app.connect("html-page-context", memory_figures.load)
    app.connect("html-page-context", tag_filter.load)
    app.connect("html-page-context", published.describe_page)
    app.connect("html-page-context", navigation.name, priority=900)
    app.connect("html-collect-pages", matrix_pages.collect_pages)
    app.connect("build-finished", processes.put)
    app.connect("build-finished", published.write_files)
    app.connect("build-finished", unfinished.end, priority=901)

    nodes.register(app)
    memory_figures.register(app)
    app.add_role("verdict", directives.VerdictRole())
    app.add_role("example", directives.ExampleRole())
    app.add_directive("decisions", directives.Decisions)
    app.add_directive("error-index", directives.ErrorIndex)
    app.add_directive("environments", directives.Environments)
    app.add_directive("corrections", directives.Corrections)
    app.add_directive("waiting", directives.Waiting)
    app.add_directive("stamp", directives.Stamp)
    app.add_directive("census", coverage.Census)
    app.add_directive("devices", coverage.Devices)
    app.add_directive("chooser", chooser_page.Chooser)
    app.add_directive("finder", search_box.Finder)
    app.add_directive("citation", published.Citation)
    app.add_directive("landing", landing.Landing)
    app.add_directive("chapters", landing.Chapters)
    app.add_role("cells", matrix_counts.CellsRole())
    app.add_directive("cells", matrix_counts.Cells)
    app.add_directive("matrix-overview", matrix_overview.MatrixOverview)
    app.add_directive("topics", questions.Topics)
    app.add_directive("release-changes", release_pages.ReleaseChanges)
    app.add_directive("release-table", release_pages.ReleaseTable)
    app.add_directive("release-tree", release_pages.ReleaseTree)
    return {"version": __version__, "env_version": 2, "parallel_read_safe": True, "parallel_write_safe": True}
