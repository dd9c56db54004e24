"""Files that people write, as their editors store them: with or without a mark of the encoding, with any line ends."""

from __future__ import annotations

import codecs
import json
from pathlib import Path
from typing import Any, Final

from tag.errors import DataError, printable

#: Encodings by the mark at the beginning of a file. That of UTF-32 begins with that of UTF-16.
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

#: The key under which manifests hold the text of users' files.
_SOURCES: Final = "sources"


def read_text(path: Path | str, kind: str = "") -> str:
    r"""Return the text of a file with ``\n`` as line ends: UTF-8, or UTF-16 and UTF-32 with a mark.

    Args:
        path: the file.
        kind: its kind for errors, such as ``agent file``.

    Raises:
        DataError: it cannot be read, or is in another encoding.
    """
    what = f"the {kind} {str(path)!r}" if kind else repr(str(path))
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise DataError(f"cannot read {what}: {error.strerror}") from None
    except ValueError as error:  # a NUL in the name
        raise DataError(f"cannot read {what}: {error}") from None
    encoding = next((name for mark, name in _MARKS if content.startswith(mark)), "utf-8")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise DataError(
            f"{what} is not {encoding.removesuffix('-sig').upper()}: byte {content[error.start]:#04x} in line {line}; "
            "save it as UTF-8"
        ) from None
    if "\0" in text:
        raise DataError(f"{what} has a NUL in line {text[: text.index(chr(0))].count(chr(10)) + 1}; save it as UTF-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_json(path: Path | str, kind: str = "") -> Any:
    """Return the value in a JSON file; for the arguments see `read_text`.

    Raises:
        DataError: it cannot be read, is not JSON, or has a key twice in one object.
    """
    text = read_text(path, kind)
    what = f"the {kind} {str(path)!r}" if kind else repr(str(path))
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_refused)
    except RecursionError:
        raise DataError(f"{what} is nested too deeply; no file needs more than a few levels") from None
    except ValueError as error:
        raise DataError(f"{what} is not JSON: {error}") from None


def printable_values(value: Any) -> Any:
    """Return plain values as JSON has them, with their texts as `tag.errors.printable`; those of users' files stay."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list):
        return [printable_values(one) for one in value]
    if isinstance(value, dict):
        return {printable(key): one if key == _SOURCES else printable_values(one) for key, one in value.items()}
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _value in pairs]
        twice = next(key for key in found if keys.count(key) > 1)
        raise ValueError(f"an object has the key {twice!r} twice")
    return found


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is no number of JSON")
