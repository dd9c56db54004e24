"""`help` on the compiled build: the text of the sources, and signatures."""

from __future__ import annotations

from inspect import getdoc, isclass, isroutine, signature

import pytest

import tag
from tag.catalogue.describe import class_doc

CLASSES = [
    name for name in tag.__all__ if isclass(getattr(tag, name)) and getattr(tag, name).__module__.startswith("tag.")
]


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_has_the_text_of_its_source(name: str) -> None:
    cls = getattr(tag, name)
    assert (getdoc(cls) or "").strip() == class_doc(cls).strip()
    assert class_doc(cls)


@pytest.mark.parametrize("name", ["GameState", "ForwardModel", "Action", "Agent", "Rng", "ExtendedSequence"])
def test_methods_have_text_and_signatures(name: str) -> None:
    methods = {key: value for key, value in vars(getattr(tag, name)).items() if isroutine(value)}
    public = {key: value for key, value in methods.items() if not key.startswith("_")}
    assert len(public) >= 3
    for key, value in public.items():
        assert getdoc(value), key
        assert signature(value), key
    assert (
        getdoc(tag.Rng.below)
        == "Return an integer in [0, n), n <= 2**31, by Lemire's multiply-shift; its bias is below n / 2**32."
    )
    assert str(signature(tag.Rng.below)) in ("(self, /, n)", "(self, n: 'i64') -> 'i64'")
