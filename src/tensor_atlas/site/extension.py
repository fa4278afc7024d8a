"""Registers settings, directives and roles, and says what happens in which step of a build."""

from __future__ import annotations

import hashlib
from functools import partial
from pathlib import Path
from typing import Any

from docutils.nodes import Node
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from tensor_atlas import __version__
from tensor_atlas.checkout import cache
from tensor_atlas.site.build import (
    directives,
    documents,
    execution,
    markdown_files,
    metadata,
    moved_pages,
    nodes,
    page_scripts,
)
from tensor_atlas.site.build.workers import write_in_processes
from tensor_atlas.site.gallery import (
    downloads,
    example_pages,
    fix_box,
    gallery_quirks,
    stride_figures,
)
from tensor_atlas.site.matrix import conversion_chooser, matrix_directives, matrix_pages
from tensor_atlas.site.releases import coverage, name_pages, release_pages, timing_charts
from tensor_atlas.site.search import error_index, landing, search_index


def _digest_inventories(docs: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(docs.glob("inventories/*.inv")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def register(app: Sphinx) -> ExtensionMetadata:
    """Connect everything to ``app``."""
    app.add_config_value(
        "tensor_atlas_repository", "", "env", str, "Address, such as https://github.com/OWNER/NAME."
    )
    app.add_config_value(
        "tensor_atlas_site_branch", "", "env", str, "Branch the built site is in, if it is in any."
    )

    about = "Pages are read again when an inventory changes, which Sphinx does not notice by itself."
    app.add_config_value("inventory_digest", _digest_inventories(Path(app.confdir)), "env", str, about)

    app.connect("config-inited", page_scripts.offer_static_files)
    # Examples run while sphinx-gallery's own handler makes its pages.
    app.connect("config-inited", execution.begin_execution)
    app.connect("builder-inited", execution.finish_execution, priority=600)
    app.connect("builder-inited", write_inputs, priority=601)
    app.connect("env-before-read-docs", matrix_pages.prepare)
    app.connect("source-read", execution.note_mark)
    # Before Sphinx collects what a page offers for download, its title and its images.
    app.connect("doctree-read", downloads.replace_offers, priority=400)
    app.connect("doctree-read", fix_box.keep_title, priority=400)
    app.connect("doctree-read", gallery_quirks.drop_pictures, priority=400)
    app.connect("doctree-read", example_pages.add_captured_output)
    app.connect("doctree-read", example_pages.dress_cells)
    app.connect("doctree-read", gallery_quirks.dress_cards)
    app.connect("doctree-read", gallery_quirks.list_tags)
    app.connect("env-updated", gallery_quirks.find_outdated_pages)
    app.connect("doctree-resolved", gallery_quirks.mark_page_as_outdated)
    app.connect("html-page-context", finish_page)
    app.connect("html-page-context", gallery_quirks.name_side_bar_arrows, priority=900)
    app.connect("html-page-context", page_scripts.drop_unused_scripts, priority=900)
    app.connect("html-collect-pages", matrix_pages.write_pages)
    app.connect("build-finished", write_files)

    nodes.register(app)
    app.add_role("verdict", directives.VerdictRole())
    app.add_role("example", directives.ExampleRole())
    app.add_directive("decisions", directives.DecisionTable)
    app.add_directive("error-index", error_index.ErrorIndex)
    app.add_directive("fix", fix_box.FixDirective)
    app.add_directive("compatibility", coverage.CompatibilityTable)
    app.add_directive("environments", coverage.EnvironmentTable)
    app.add_directive("corrections", directives.Corrections)
    app.add_directive("waiting", coverage.UnconfirmedExamples)
    app.add_directive("stamp", coverage.EvidenceSummary)
    app.add_directive("coverage", coverage.CoverageTable)
    app.add_directive("replays", coverage.ReplayTable)
    app.add_directive("devices", coverage.DeviceCoverage)
    app.add_directive("chooser", conversion_chooser.Chooser)
    app.add_directive("finder", search_index.Finder)
    app.add_directive("citation", metadata.Citation)
    app.add_directive("facts", landing.Facts)
    app.add_directive("block", landing.ExampleBlock)
    app.add_directive("landing", landing.Landing)
    app.add_role("cells", matrix_directives.CellsRole())
    app.add_directive("cells", matrix_directives.Cells)
    app.add_directive("dtype-grid", matrix_directives.DtypeGrid)
    app.add_directive("strides", stride_figures.StrideFigure)
    app.add_directive("matrix-overview", matrix_directives.MatrixOverview)
    app.add_directive("timings", timing_charts.Timings)
    app.add_directive("measured", timing_charts.Measured)
    app.add_directive("topics", directives.Topics)
    app.add_directive("upgrade", release_pages.UpgradePage)
    app.add_directive("names", name_pages.NameChanges)
    app.add_directive("release-changes", release_pages.ReleaseChanges)
    app.add_directive("release-table", release_pages.ReleaseTable)
    app.add_directive("release-tree", release_pages.ReleaseTree)
    return {
        "version": __version__,
        # Other code makes other pages: Sphinx reads every page again.
        "env_version": int(cache.package_key(scripts=False)[:8], 16),
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }


def write_inputs(app: Sphinx) -> None:
    """Handler of ``builder-inited``, after the execution: pages that are generated, data that pages load."""
    execution.write_evidence(app)
    gallery_quirks.remove_pages_of_renamed_examples(app)
    release_pages.write_pages(app)
    if app.builder.format == "html":
        page_scripts.add_scripts(app)
        patterns = page_scripts.begin_patterns(app)
        conversion_chooser.write_data(app, patterns)
        error_index.messages_of(app)  # before the processes that read pages part from this one
        matrix_directives.write_data(app, patterns)
        release_pages.write_upgrade_data(app)
        page_scripts.write_patterns(app, patterns)
        page_scripts.drop_old_scripts(app)


def finish_page(
    app: Sphinx, pagename: str, _template: str, context: dict[str, Any], doctree: Node | None
) -> None:
    """Handler of ``html-page-context``: what a page loads and says of itself; its Markdown."""
    page_scripts.add_files_of_page(app, doctree)
    page_scripts.drop_unused_styles(pagename, context)
    gallery_quirks.replace_tag_filter(app, pagename, context)
    metadata.describe_page(app, pagename, context, doctree)
    markdown_files.write_page(app, pagename, context)


def write_files(app: Sphinx, exception: Exception | None) -> None:
    """Handler of ``build-finished``: what lies beside the pages; nothing where pages are missing."""
    if exception is not None or app.builder.name != "html":
        return
    gallery_quirks.check_pages(app)
    writers = [
        documents.write_documents,
        downloads.write_downloads,
        search_index.write_index,
        moved_pages.write_rows,
    ]
    write_in_processes(app, [partial(write, app) for write in writers])
    page_scripts.drop_icons(app)
    page_scripts.drop_old_copies(app, (search_index.FILE, search_index.NAMES_FILE))
    metadata.write_addresses(app)
    moved_pages.write_moved_pages(app)
    markdown_files.write_index(app)
