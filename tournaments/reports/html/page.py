"""Pages of reports: sections, rendered as one HTML file."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tag.tournaments.reports.sections.section import Page

_TEMPLATE: Final = "page.html.jinja"
_STYLE: Final = "page.css"
_SCRIPT: Final = "tables.js"


def page_html(page: Page) -> str:
    """Return the page as the text of an HTML file; equal pages give equal texts."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415  only who writes a report waits for it

    environment = Environment(
        loader=PackageLoader(__package__, ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(_TEMPLATE).render(
        page=page, style=style_text(), script=script_text(), digest=script_digest()
    )


@cache
def style_text() -> str:
    """Return the style sheet of reports, which pages in the browser share."""
    return files(__package__).joinpath(_STYLE).read_text("utf-8")


@cache
def script_text() -> str:
    """Return the script that sorts and filters tables, as a module."""
    return files(__package__).joinpath(_SCRIPT).read_text("utf-8")


@cache
def script_digest() -> str:
    """Return the digest by which a content security policy allows this script alone."""
    return f"sha256-{b64encode(sha256(script_text().encode()).digest()).decode()}"
