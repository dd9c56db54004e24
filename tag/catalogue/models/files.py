"""Files of learned models: made by ``tag train``, named in specs (``learned:file=models/hex/1.safetensors``).

The format is safetensors: the length of a header, the header as JSON, and plain arrays. Nothing in a file is executed.
"""

from __future__ import annotations

import json
import sys
from array import array
from dataclasses import fields
from functools import lru_cache
from math import prod
from pathlib import Path
from typing import Any, Final

from tag.catalogue.models.model import Model
from tag.catalogue.models.sharing import content_at, digest_of, found_file
from tag.catalogue.user_code import provided
from tag.errors import DataError
from tag.playing.learning import Knowledge

#: The types of arrays, by the format's names, and their sizes in bytes.
_TYPES: Final = {"F64": "d", "I64": "q", "U8": "B"}
_NAMES: Final = {code: name for name, code in _TYPES.items()}
_LENGTH: Final = 8
#: The longest header, as in the format's reference implementation, in bytes.
_LONGEST_HEADER: Final = 100_000_000
#: The key of our own part of the header, whose values are texts by the format's rules.
_OURS: Final = "tag"
_META: Final = "__metadata__"


def to_bytes(model: Model) -> bytes:
    """Return the content of the file of a model; the same model gives the same bytes."""
    arrays = model.knowledge.arrays
    about = {one.name: getattr(model, one.name) for one in fields(Model) if one.name != "knowledge"}
    header: dict[str, Any] = {_META: {_OURS: json.dumps({**about, "facts": model.knowledge.facts})}}
    parts: list[bytes] = []
    end = 0
    for name, values in sorted(arrays.items()):
        content = _little_endian(values).tobytes()
        header[name] = {
            "dtype": _NAMES[values.typecode],
            "shape": [len(values)],
            "data_offsets": [end, end + len(content)],
        }
        parts.append(content)
        end += len(content)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % _LENGTH)  # so that the arrays are aligned
    return b"".join([len(text).to_bytes(_LENGTH, "little"), text, *parts])


def _little_endian(values: array[Any]) -> array[Any]:
    if sys.byteorder == "little":
        return values
    swapped = values[:]
    swapped.byteswap()
    return swapped


def from_bytes(content: bytes, name: str) -> Model:
    """Read the content of the file called ``name``.

    Raises:
        DataError: it is damaged, or was not written by `to_bytes`.
    """
    try:
        header, data = _parts(content)
        ours = json.loads(header.pop(_META)[_OURS])
        facts = ours.pop("facts")
        arrays = {array_name: _array(about, data) for array_name, about in header.items()}
        model = Model(**ours, knowledge=Knowledge(facts, arrays))
        _check_types(model)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, OverflowError) as error:
        reason = f": {error}" if isinstance(error, ValueError) and not isinstance(error, UnicodeError) else ""
        raise DataError(f"{name!r} is no model that tag has trained, or it is damaged{reason}") from None
    return model


def _parts(content: bytes) -> tuple[dict[str, Any], memoryview]:
    length = int.from_bytes(content[:_LENGTH], "little")
    if len(content) < _LENGTH or not 2 <= length <= min(_LONGEST_HEADER, len(content) - _LENGTH):
        raise ValueError("it does not begin with a header")
    header = json.loads(content[_LENGTH : _LENGTH + length])
    data = memoryview(content)[_LENGTH + length :]
    if sum(about["data_offsets"][1] - about["data_offsets"][0] for key, about in header.items() if key != _META) != len(
        data
    ):
        raise ValueError("its length is not what its header says")
    return header, data


def _array(about: dict[str, Any], data: memoryview) -> array[Any]:
    begin, end = about["data_offsets"]
    values = array(_TYPES[about["dtype"]])
    if not 0 <= begin <= end <= len(data) or prod(about["shape"]) * values.itemsize != end - begin:
        raise ValueError("an array is not as long as its header says")
    values.frombytes(data[begin:end])
    return _little_endian(values)


def _check_types(model: Model) -> None:
    texts = (model.learner, model.game, model.version)
    numbers = (model.players, model.episodes, model.played, model.moves, model.seed)
    if not all(isinstance(text, str) for text in texts) or not all(type(number) is int for number in numbers):
        raise ValueError("its header has values of other types")
    facts: object = model.knowledge.facts
    rules: object = model.rules
    if not isinstance(rules, dict) or not isinstance(facts, dict):
        raise ValueError("its header has values of other types")


def read_model(name: str) -> Model:
    """Return the model in the file ``name``; the last ones are kept, until the file changes.

    Raises:
        DataError: there is no such file, it is damaged, or it has changed since a tournament began with it.
    """
    path = found_file(name)
    try:
        about = path.stat()
    except OSError as error:
        raise DataError(f"cannot read the model {name!r}: {error.strerror}") from None
    return _read(name, str(path), provided(name), about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=8)
def _read(name: str, path: str, digest: str, _changed: int, _size: int) -> Model:
    content = content_at(name, Path(path))
    if digest and digest_of(content) != digest:
        raise DataError(f"the model {name!r} has changed since the tournament began with it; restore it")
    return from_bytes(content, name)
