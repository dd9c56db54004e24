"""Typed vectors as arrays of `tag.Knowledge`, and read from them; copies and pickles of vectors, which librt has not."""

from __future__ import annotations

import copyreg
from array import array
from collections.abc import Mapping
from math import isfinite
from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from tag.errors import DataError


def floats_to_array(values: vec[float]) -> array[Any]:
    """Return the numbers as an array of type ``d``."""
    found = array("d")
    for place in range(len(values)):
        found.append(values[place])
    return found


def integers_to_array(values: vec[i64]) -> array[Any]:
    """Return the numbers as an array of type ``q``."""
    found = array("q")
    for place in range(len(values)):
        found.append(int(values[place]))
    return found


def floats_in(arrays: Mapping[str, array[Any]], name: str) -> vec[float]:
    """Return the numbers of the array ``name``.

    Raises:
        DataError: it is missing, of another type, or has numbers that are not finite.
    """
    found = _array_in(arrays, name, "d")
    if not all([isfinite(value) for value in found]):
        raise DataError(f"the model has numbers among {name} that are not finite")
    return vec[float](found)


def integers_in(arrays: Mapping[str, array[Any]], name: str, limit: int) -> vec[i64]:
    """Return the numbers of the array ``name``, which are from 0 to less than ``limit``.

    Raises:
        DataError: it is missing, of another type, or has other numbers.
    """
    found = _array_in(arrays, name, "q")
    for number in found:
        if not 0 <= number < limit:
            raise DataError(f"the model has the number {number} among {name}, which are from 0 to {limit - 1}")
    return vec[i64](found)


def _array_in(arrays: Mapping[str, array[Any]], name: str, typecode: str) -> array[Any]:
    found = arrays.get(name)
    if found is None or found.typecode != typecode:
        raise DataError(f"the model has no array {name} of type {typecode!r}")
    return found


def _floats(values: Any) -> tuple[Any, ...]:
    return (_of_floats, (floats_to_array(values),))


def _of_floats(values: array[Any]) -> vec[float]:
    return vec[float](values)


def _integers(values: Any) -> tuple[Any, ...]:
    return (_of_integers, (integers_to_array(values),))


def _of_integers(values: array[Any]) -> vec[i64]:
    return vec[i64](values)


_TYPES: Any = (type(vec[float]()), type(vec[i64]()))
copyreg.pickle(_TYPES[0], _floats)
copyreg.pickle(_TYPES[1], _integers)
