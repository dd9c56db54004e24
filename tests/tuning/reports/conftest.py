"""Tests of pages and figures draw them."""

import pytest


@pytest.fixture(autouse=True)
def _figures() -> None:
    """Draw, unlike the other tests of studies."""
