"""Files that games follow from, such as models: known by a digest, so that other machines have the same content.

A tournament that began with one content refuses another. Workers on other machines get the content from the driver, into a
folder of the user where it lies under its digest.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Final

from tag.catalogue.user_code import provided, source_of
from tag.errors import DataError

SUFFIX: Final = ".safetensors"

#: The beginning of a digest, which tells it from the text of a user's file.
_DIGEST: Final = "blake2b "
#: The beginning of the same of other files, which are no models and stay where they are.
_PART: Final = "file with "


def digest_of(content: bytes) -> str:
    """Return the digest of a file's content."""
    return f"{_DIGEST}{blake2b(content, digest_size=16).hexdigest()}"


def model_source(name: str) -> tuple[str, str]:
    """Return the file ``name`` and its digest, for `tag.catalogue.user_code.provide_source` elsewhere.

    Raises:
        DataError: it cannot be read.
    """
    return name, provided(name) or digest_of(content_at(name, Path(name)))


def part_source(name: str) -> tuple[str, str]:
    """Return a file that an agent consists of and what it is known by: of Python its text, else a digest.

    Raises:
        TagError: it cannot be read.
    """
    if name.endswith(".py"):
        return source_of(name)
    if name.endswith(SUFFIX):
        return model_source(name)
    return name, provided(name) or f"{_PART}{digest_of(content_at(name, Path(name), 'file'))}"


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
    return content_at(name, found_file(name))


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


def found_file(name: str) -> Path:
    """Return where a file is: the place itself, or the folder of contents by digest."""
    digest = provided(name)
    kept = _kept(digest) if digest else None
    return kept if kept is not None and kept.is_file() else Path(name)


def _kept(digest: str) -> Path:
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / "tag-games" / "models" / f"{digest.removeprefix(_DIGEST)}{SUFFIX}"


def content_at(name: str, path: Path, what: str = "model") -> bytes:
    """Return the content of ``path``, where the file ``name`` is; ``what`` is its kind for errors."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"cannot read the {what} {name!r}: {error.strerror}") from None
