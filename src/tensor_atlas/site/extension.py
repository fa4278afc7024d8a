"""Registers the extension's settings, events, directives and roles; holds no behaviour of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tensor_atlas import __version__
from tensor_atlas.checkout import cache
from tensor_atlas.site import (
    conversion_chooser,
    coverage,
    directives,
    documents,
    downloads,
    error_index,
    example_pages,
    execution,
    fix_box,
    gallery_quirks,
    guide_cache,
    landing,
    machine_data,
    markdown_files,
    matrix_directives,
    matrix_pages,
    memory_figures,
    metadata,
    nodes,
    page_scripts,
    probe_file,
    release_pages,
    search_box,
    upgrade_page,
)

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


def register(app: Sphinx) -> ExtensionMetadata:
    """Connect everything to ``app``."""
    app.add_config_value(
        "tensor_atlas_repository", "", "env", str, "Address, such as https://github.com/OWNER/NAME."
    )
    app.add_config_value(
        "tensor_atlas_site_branch", "", "env", str, "Branch the built site is in, if it is in any."
    )

    # Examples run while sphinx-gallery's own handler makes its pages.
    app.connect("config-inited", execution.begin_execution)
    app.connect("builder-inited", execution.finish_execution, priority=600)
    app.connect("builder-inited", execution.write_evidence, priority=601)
    app.connect("builder-inited", gallery_quirks.remove_pages_of_renamed_examples, priority=601)
    app.connect("builder-inited", page_scripts.add_scripts, priority=601)
    app.connect("builder-inited", conversion_chooser.write_data, priority=601)
    app.connect("builder-inited", machine_data.write_data, priority=601)
    app.connect("builder-inited", upgrade_page.write_data, priority=601)
    app.connect("builder-inited", release_pages.write_pages, priority=601)
    app.connect("env-before-read-docs", matrix_pages.prepare)
    app.connect("env-before-read-docs", gallery_quirks.mark_pages_as_outdated)
    app.connect("env-updated", gallery_quirks.find_pages_with_old_layout)
    app.connect("source-read", guide_cache.note_mark)
    # Before Sphinx collects what a page offers for download, its title and its images.
    app.connect("doctree-read", downloads.replace_offers, priority=400)
    app.connect("doctree-read", fix_box.keep_title, priority=400)
    app.connect("doctree-read", memory_figures.draw_maps_on_cards, priority=400)
    app.connect("doctree-read", example_pages.add_captured_output)
    app.connect("doctree-read", gallery_quirks.escape_cards)
    app.connect("doctree-resolved", gallery_quirks.mark_page_as_outdated)
    app.connect("html-page-context", page_scripts.add_files_of_page)
    app.connect("html-page-context", gallery_quirks.replace_tag_filter)
    app.connect("html-page-context", metadata.describe_page)
    app.connect("html-page-context", gallery_quirks.name_side_bar_arrows, priority=900)
    app.connect("html-page-context", markdown_files.write_page)
    app.connect("html-collect-pages", matrix_pages.collect_pages)
    # First: nothing is put beside pages that are not there.
    app.connect("build-finished", gallery_quirks.check_pages, priority=400)
    app.connect("build-finished", documents.write)
    app.connect("build-finished", downloads.write_files)
    app.connect("build-finished", probe_file.write_file)
    app.connect("build-finished", search_box.write)
    app.connect("build-finished", metadata.write_files)
    app.connect("build-finished", markdown_files.finish)

    nodes.register(app)
    app.add_role("verdict", directives.VerdictRole())
    app.add_role("example", directives.ExampleRole())
    app.add_directive("decisions", directives.DecisionTable)
    app.add_directive("error-index", error_index.ErrorIndex)
    app.add_directive("fix", fix_box.FixDirective)
    app.add_directive("environments", coverage.EnvironmentTable)
    app.add_directive("corrections", directives.Corrections)
    app.add_directive("waiting", coverage.UnconfirmedExamples)
    app.add_directive("stamp", coverage.EvidenceSummary)
    app.add_directive("coverage", coverage.CoverageTable)
    app.add_directive("devices", coverage.DeviceCoverage)
    app.add_directive("chooser", conversion_chooser.Chooser)
    app.add_directive("finder", search_box.Finder)
    app.add_directive("citation", metadata.Citation)
    app.add_directive("landing", landing.Landing)
    app.add_directive("chapters", landing.Chapters)
    app.add_role("cells", matrix_directives.CellsRole())
    app.add_directive("cells", matrix_directives.Cells)
    app.add_directive("matrix-overview", matrix_directives.MatrixOverview)
    app.add_directive("topics", directives.Topics)
    app.add_directive("upgrade", upgrade_page.UpgradePage)
    app.add_directive("release-changes", release_pages.ReleaseChanges)
    app.add_directive("release-table", release_pages.ReleaseTable)
    app.add_directive("release-tree", release_pages.ReleaseTree)
    return {
        "version": __version__,
        # Other code makes other pages: Sphinx reads every page again.
        "env_version": int(cache.package_key()[:8], 16),
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
