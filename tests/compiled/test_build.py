"""The installed package: that it is the installed one, and compiled where compiling was insisted on."""

import os
from pathlib import Path

import tag
from tag.catalogue.version import is_compiled, version_text

CHECKOUT = Path(__file__).parents[2]


def test_this_is_the_installed_package():
    assert CHECKOUT / "tag" not in Path(tag.__file__).parents


def test_it_is_compiled_where_that_was_insisted_on():
    if os.environ.get("TAG_COMPILE") == "1":
        assert is_compiled()
    assert ("compiled" in version_text()) == is_compiled()


def test_sources_are_installed_beside_the_libraries():
    folder = Path(tag.__file__).parent
    assert (folder / "playing" / "game.py").exists()
    assert (folder / "py.typed").exists()
