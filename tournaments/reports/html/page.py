"""Pages of reports: sections, rendered as one HTML file."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tag.tournaments.reports.sections.section import Page

_TEMPLATE: Final = "page.html.jinja"
_STYLE: Final = "page.css"


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
    style = files(__package__).joinpath(_STYLE).read_text("utf-8")
    return environment.get_template(_TEMPLATE).render(page=page, style=style)
