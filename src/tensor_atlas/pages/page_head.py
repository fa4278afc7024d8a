"""What the head of a page says to search engines and browsers: title, description, address, what may run."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode

from tensor_atlas.history.releases import minor_release
from tensor_atlas.model.runs import Environment
from tensor_atlas.pages.matrix_places import CONVERSION, SOURCE

WHAT = "executed, recorded and compared examples of PyTorch tensors meeting NumPy arrays"
SITE = "Tensor Atlas"
LONGEST_DESCRIPTION = 200
"""Characters."""
POLICY = (
    "default-src 'self' file: data:; style-src 'self' file: 'unsafe-inline'; "
    "base-uri 'none'; object-src 'none'; form-action 'self';"
)
"""What a page may load beside scripts. Bars of counts have their widths as styles."""
_INLINE = re.compile(r"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL)
_SENTENCE = re.compile(r".*?[.!?](?=\s+[A-Z`]|\s*$)", re.DOTALL)
_ADDRESS = re.compile(r'\b(href|src|data-content_root)="(?![a-z]+:|[#/])(?:\./)?([^"]*)"')


def describe_policy(html: str) -> str:
    """What a page may run and load: scripts of its own folder, and those written into ``html``."""
    scripts = map(str.encode, _INLINE.findall(html))
    hashes = [f"'sha256-{b64encode(hashlib.sha256(script).digest()).decode()}'" for script in scripts]
    # A page opened as a file loads its scripts from files; its own address is none to a browser.
    return f"{POLICY} script-src 'self' file: {' '.join(dict.fromkeys(hashes))}"


def expand_title(page: str, title: str) -> str:
    """The title as a list of results shows it: that of a page of the matrix says what the page answers."""
    if page.startswith(f"{CONVERSION}/"):
        return f"{title}: shares memory, copies or raises?"
    if page.startswith(f"{SOURCE}/"):
        return f"{title}: which conversions share, copy or raise"
    return title


def first_sentence(text: str) -> str:
    """The first sentence of a paragraph on one line, cut at a word where it is long."""
    flat = " ".join(text.split())
    match = _SENTENCE.match(flat)
    sentence = match[0] if match else flat
    if len(sentence) <= LONGEST_DESCRIPTION:
        return sentence
    return f"{sentence[:LONGEST_DESCRIPTION].rpartition(' ')[0]} …"


def read_release(environment: Environment, package: str) -> str:
    """Minor release of torch or NumPy in an environment; empty for another package."""
    versions = {"torch": environment.torch, "numpy": environment.numpy}
    return minor_release(versions[package]) if package in versions else ""


def page_address(base: str, path: str) -> str:
    """Full address of a page; ``base`` ends in a slash, and is the address of the landing page."""
    return base if path == "index.html" else f"{base}{path}"


def root_links(html: str, base: str) -> str:
    """A page of the site's top folder with links that work at whatever address it is shown."""
    root = "/" + base.split("/", 3)[3]
    return _ADDRESS.sub(lambda match: f'{match[1]}="{root}{match[2]}"', html)


def render_bibtex(version: str, date: str, base: str) -> str:
    """Entry for a bibliography; ``date`` is that of the newest record."""
    fields = {
        "author": "{{The Tensor Atlas maintainers}}",
        "title": f"{{{SITE}: {WHAT}}}",
        "version": f"{{{version}}}",
        "year": f"{{{date[:4]}}}",
    }
    if base:
        fields["url"] = f"{{{base}}}"
    lines = ",\n".join(f"  {name} = {value}" for name, value in fields.items())
    return f"@software{{tensor_atlas,\n{lines}\n}}"
