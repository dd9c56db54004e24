"""Files of learned models: made by ``tag train``, named in specs (``learned:file=models/hex/1.safetensors``).

The format is safetensors: the length of a header, the header as JSON, and plain arrays. Nothing in a file is executed. A
file is known by its digest: a tournament that began with one content refuses another, and workers on other machines get the
content from the driver, into a folder of the user where it lies under its digest.
"""

from __future__ import annotations

import json
import os
import sys
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from hashlib import blake2b
from math import prod
from pathlib import Path
from typing import Any, Final

from tag.catalogue.user_code import provided, source_of
from tag.engine.forward_model import ForwardModel
from tag.errors import DataError, ParameterError
from tag.playing.learning import Knowledge

SUFFIX: Final = ".safetensors"

#: The types of arrays, by the format's names, and their sizes in bytes.
_TYPES: Final = {"F64": "d", "I64": "q", "U8": "B"}
_NAMES: Final = {code: name for name, code in _TYPES.items()}
_LENGTH: Final = 8
#: The longest header, as in the format's reference implementation, in bytes.
_LONGEST_HEADER: Final = 100_000_000
#: The key of our own part of the header, whose values are texts by the format's rules.
_OURS: Final = "tag"
_META: Final = "__metadata__"

#: The beginning of a digest, which tells it from the text of a user's file.
_DIGEST: Final = "blake2b "
#: The beginning of the same of other files, which are no models and stay where they are.
_PART: Final = "file with "


@dataclass
class Model:
    """The knowledge of a learner, with all that is needed to make the learner again.

    Attributes:
        learner: the spec of the learner.
        game: the spec of the game.
        rules: the game's title, version and all of its parameters, as `rules_of` returns them.
        players: the number of players.
        episodes: the games to be played in all.
        played: the games played so far.
        moves: the moves of these games.
        seed: the seed of the learner.
        version: the version of tag that learned it.
        knowledge: what the learner knows.
    """

    learner: str
    game: str
    rules: dict[str, Any]
    players: int
    episodes: int
    played: int
    moves: int
    seed: int
    version: str
    knowledge: Knowledge = field(default_factory=Knowledge)


def rules_of(model: ForwardModel[Any]) -> dict[str, Any]:
    """Return the facts of a game on which a learned model depends: its title, version and parameters."""
    kind = model.game_type
    return {"title": kind.title, "version": kind.version, "parameters": dict(model.parameters.values())}


def check_fits(file: str, model: Model, rules: ForwardModel[Any], n_players: int) -> None:
    """Raise `ParameterError` if the model from ``file`` was not learned by these rules with as many players."""
    theirs, ours = model.rules, rules_of(rules)
    reason = ""
    if theirs.get("title") != ours["title"]:
        reason = f"it has learned {theirs.get('title')}, not {ours['title']}"
    elif theirs.get("version") != ours["version"]:
        reason = f"it has learned version {theirs.get('version')} of {ours['title']}, and this is {ours['version']}"
    elif theirs.get("parameters") != ours["parameters"]:
        reason = f"it has learned {model.game}, whose parameters differ"
    elif model.players != n_players:
        reason = f"it has learned {ours['title']} for {model.players} players, not {n_players}"
    if reason:
        raise ParameterError(f"file cannot be {file!r} here; {reason}")


# --- reading and writing --------------------------------------------------------------------------------------------------


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
    path = _found(name)
    try:
        about = path.stat()
    except OSError as error:
        raise DataError(f"cannot read the model {name!r}: {error.strerror}") from None
    return _read(name, str(path), provided(name), about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=8)
def _read(name: str, path: str, digest: str, _changed: int, _size: int) -> Model:
    content = _content(name, Path(path))
    if digest and digest_of(content) != digest:
        raise DataError(f"the model {name!r} has changed since the tournament began with it; restore it")
    return from_bytes(content, name)


# --- on other machines ----------------------------------------------------------------------------------------------------


def digest_of(content: bytes) -> str:
    """Return the digest of a file's content."""
    return f"{_DIGEST}{blake2b(content, digest_size=16).hexdigest()}"


def model_source(name: str) -> tuple[str, str]:
    """Return the file ``name`` and its digest, for `tag.catalogue.user_code.provide_source` elsewhere.

    Raises:
        DataError: it cannot be read.
    """
    return name, provided(name) or digest_of(_content(name, Path(name)))


def part_source(name: str) -> tuple[str, str]:
    """Return a file that an agent consists of and what it is known by: of Python its text, else a digest.

    Raises:
        TagError: it cannot be read.
    """
    if name.endswith(".py"):
        return source_of(name)
    if name.endswith(SUFFIX):
        return model_source(name)
    return name, provided(name) or f"{_PART}{digest_of(_content(name, Path(name), 'file'))}"


def models_in(sources: Mapping[str, str]) -> dict[str, str]:
    """Return the models among ``sources``, which has texts and digests by name."""
    return {name: text for name, text in sources.items() if text.startswith(_DIGEST)}


def is_here(name: str, digest: str) -> bool:
    """Say whether the file ``name`` has the content of this digest here, or the content was kept."""
    try:
        return _kept(digest).is_file() or digest_of(Path(name).read_bytes()) == digest
    except OSError:
        return False


def content_of(name: str) -> bytes:
    """Return the content of the file ``name``, for `keep` elsewhere.

    Raises:
        DataError: it cannot be read.
    """
    return _content(name, _found(name))


def keep(digest: str, content: bytes) -> None:
    """Store a content by its digest, for all processes of this user and machine."""
    path = _kept(digest)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}")
    draft.write_bytes(content)
    draft.replace(path)


def drop(digest: str) -> None:
    """Remove a content that `keep` has stored."""
    _kept(digest).unlink(missing_ok=True)


def _found(name: str) -> Path:
    """Return where a file is: the place itself, or the folder of contents by digest."""
    digest = provided(name)
    kept = _kept(digest) if digest else None
    return kept if kept is not None and kept.is_file() else Path(name)


def _kept(digest: str) -> Path:
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / "tag-games" / "models" / f"{digest.removeprefix(_DIGEST)}{SUFFIX}"


def _content(name: str, path: Path, what: str = "model") -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"cannot read the {what} {name!r}: {error.strerror}") from None
