"""Component base (to be completed)."""

from __future__ import annotations

from mypy_extensions import mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class Component:
    """Something on the table."""

    def __init__(self, name: str) -> None:
        """Name it."""
        self.name = name
