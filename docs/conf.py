"""How the site is built."""

from __future__ import annotations

import os
from pathlib import Path

from tensor_atlas import __version__
from tensor_atlas.checkout import guide_cache

HERE = Path(__file__).parent

project = "Tensor Atlas"
author = "the Tensor Atlas maintainers"
copyright = "2026, the Tensor Atlas maintainers"  # noqa: A001
version = release = __version__

extensions = [
    "myst_nb",
    "sphinx.ext.intersphinx",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "tensor_atlas.site",
]
# sphinx-gallery's notebooks are downloads: myst-nb would take them for pages. Jupyter leaves checkpoints.
exclude_patterns = [
    "_build",
    "_jupyter",
    "gallery/**/*.ipynb",
    "gallery/*.ipynb",
    "**.ipynb_checkpoints",
    "measurements",
    "records",
]
nitpicky = True
# Titles hold code and messages, which are looked for letter by letter.
smartquotes = False

# --- gallery -----------------------------------------------------------------------------------
sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    # tensor_atlas.site executes the examples, and draws the charts of measurements.
    "plot_gallery": False,
    "image_scrapers": (),
    "reset_modules": (),
    "within_subsection_order": "tensor_atlas.site.gallery.example_order.MostWantedFirst",
    "backreferences_dir": "gallery/backreferences",
    "doc_module": ("torch", "numpy"),
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_signature": False,
    # The page of running times loads scripts from other hosts.
    "write_computation_times": False,
    "default_thumb_file": str(HERE / "_static" / "thumb.svg"),
}
# sphinx-gallery looks for blanks in the path of the checkout, too; no script's name has one.
suppress_warnings = ["sphinx_gallery.space_in_filename"]

# --- guides ------------------------------------------------------------------------------------
nb_execution_mode = "cache"
# The kernel of guides is declared here: the default one warns at each start that loopback traffic is not
# encrypted.
os.environ["JUPYTER_PATH"] = os.pathsep.join(
    filter(None, [str(HERE / "_jupyter"), os.environ.get("JUPYTER_PATH")])
)
# A cache whose path named what it rests on would be another setting, and Sphinx would read every page again.
_cache = HERE / "_build" / "notebooks"
guide_cache.refresh(HERE, _cache)
nb_execution_cache_path = str(_cache)
nb_execution_show_tb = True
# Seconds for a cell: one that imports torch takes more than the usual 30 on a busy machine.
nb_execution_timeout = 300
nb_merge_streams = True
nb_render_markdown_format = "myst"
myst_enable_extensions = ["colon_fence", "deflist", "fieldlist", "substitution"]
myst_heading_anchors = 3

# --- links: inventories are kept in the repository, so that no build needs the network -----------
intersphinx_mapping = {
    "torch": ("https://docs.pytorch.org/docs/stable/", ("inventories/torch.inv", None)),
    "numpy": ("https://numpy.org/doc/stable/", ("inventories/numpy.inv", None)),
    "python": ("https://docs.python.org/3/", ("inventories/python.inv", None)),
}

# The one place that says where the site will be; without it nothing is written that needs an address.
_address = os.environ.get("SITE_URL", "").rstrip("/")
html_baseurl = f"{_address}/" if _address else ""

# --- where the examples are edited, and the built site is kept: without an address, no page links there ----
tensor_atlas_repository = os.environ.get("ATLAS_REPOSITORY", "")  # such as https://github.com/OWNER/NAME
tensor_atlas_site_branch = os.environ.get(
    "ATLAS_SITE_BRANCH", ""
)  # such as gh-pages, where Colab finds notebooks

# What {{ open_in_colab }} stands for: Colab opens a notebook that a repository on GitHub holds, or an upload.
_github = tensor_atlas_repository.rstrip("/").removeprefix("https://github.com/")
_notebook = (
    f"https://colab.research.google.com/github/{_github}/blob/{tensor_atlas_site_branch}/atlas-probe.ipynb"
)
_upload = "In Colab: *File*, *Upload notebook*."
_opens = tensor_atlas_repository.startswith("https://github.com/") and tensor_atlas_site_branch
# What {{ fetch_probe }} stands for, where the address is known; a served page adds it by script.
_fetch = f"On a machine without a browser, fetch it first: `curl -O {html_baseurl}atlas-probe.pyz`."
myst_substitutions = {
    "open_in_colab": f"[Open it in Colab]({_notebook})." if _opens else _upload,
    "fetch_probe": _fetch if _address else "",
}

# --- appearance --------------------------------------------------------------------------------
html_theme = "pydata_sphinx_theme"
html_title = "Tensor Atlas"
# Each page is there as Markdown, which readers can use; its source is in the repository.
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["atlas-icons.css", "atlas.css", ("atlas-print.css", {"media": "print"})]
html_js_files = [
    ("atlas-machine.js", {"defer": "defer"}),
    ("atlas-picker.js", {"defer": "defer"}),
    ("atlas-copy.js", {"defer": "defer"}),
    ("atlas-finder.js", {"defer": "defer"}),
]
templates_path = ["_templates"]
html_favicon = "_static/favicon.svg"
html_theme_options = {
    "logo": {
        "text": "Tensor Atlas",
        "image_light": "_static/favicon.svg",
        "image_dark": "_static/favicon.svg",
    },
    "navbar_align": "left",
    # As many as stand in the bar: nothing hides behind a menu that fits beside it.
    "header_links_before_dropdown": 7,
    "navbar_persistent": ["atlas-picker.html", "atlas-finder.html"],
    # The site has its own box for it, with its own shortcut.
    "disable_search": True,
    "navigation_depth": 2,
    "collapse_navigation": True,
    "show_toc_level": 2,
    "show_prev_next": True,
    # Without headings there is nothing to list: a page then gives the room to code and output.
    "secondary_sidebar_items": ["page-toc"],
    "article_header_end": ["atlas-markdown"],
    "article_footer_items": ["atlas-markdown-foot"],
    "footer_start": ["copyright", "atlas-build"],
    "footer_end": ["sphinx-version"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
# A page without pages below or beside it has nothing to navigate in, so its text has that room too.
# The coverage table has a column for each environment, and needs all of it.
html_sidebars = {
    "choose": [],
    "upgrade": [],
    "matrix/**": [],
    "reference/coverage": [],
    "reference/environments": [],
    "reference/errors": [],
}
html_context = {"default_mode": "light"}
# Code has a copy button, captured output has none: what is copied runs.
copybutton_selector = (
    "div.highlight-python pre, div.highlight-ipython3 pre, div.highlight-bash pre, div.highlight-toml pre, "
    "div.highlight-bibtex pre"
)
copybutton_exclude = ".linenos, .gp, .go"
