"""Token authentication: a process that knows a cluster's token may run code on it, any other may not.

Ray reads the token from ``RAY_AUTH_TOKEN``, or else the file ``RAY_AUTH_TOKEN_PATH``, or else ``~/.ray/auth_token``, and
asks for it where ``RAY_AUTH_MODE`` is ``token``. No command line and no log holds it. Only ``tag cluster start`` makes the
file, as its presence decides what Ray asks of every later cluster of the user; a Ray of this machine alone has a token
in the environment of its processes.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import MutableMapping
from pathlib import Path
from typing import Final

from tag.errors import ClusterError

#: Ray's message for a missing or wrong token.
REFUSAL: Final = "InvalidAuthToken"
MODE: Final = "RAY_AUTH_MODE"

_TOKEN: Final = "RAY_AUTH_TOKEN"  # noqa: S105  the name of a variable
_PATH: Final = "RAY_AUTH_TOKEN_PATH"
_PRIVATE: Final = 0o600
_BYTES: Final = 32
#: The variables that this process has set itself; those of the user come first.
_set_here: Final[dict[str, str]] = {}


def token_file() -> Path:
    """Return the file in which Ray looks for the token."""
    said = os.environ.get(_PATH)
    return Path(said) if said else Path.home() / ".ray" / "auth_token"


def token() -> str:
    """Return the user's token, from the environment or the file; empty if there is none."""
    said = os.environ.get(_TOKEN, "")
    if said and said != _set_here.get(_TOKEN):
        return said
    try:
        return token_file().read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ClusterError(f"cannot read the token in {str(token_file())!r}: {reason}") from None


def chosen_mode() -> str:
    """Return the authentication mode that the user has set; empty for none."""
    said = os.environ.get(MODE, "").lower()
    return "" if said == _set_here.get(MODE) else said


def described_token() -> str:
    """Describe the place of our token, without telling the token."""
    if os.environ.get(_TOKEN, "") not in ("", _set_here.get(_TOKEN)):
        return f"that of {_TOKEN}"
    return f"that in {str(token_file())!r}" if token() else f"none in {str(token_file())!r}"


def ensure_token() -> None:
    """Make a token if there is none, and make the file readable by its owner only.

    Raises:
        ClusterError: the file cannot be written.
    """
    path = token_file()
    try:
        if not token():
            _write(path)
        elif path.exists() and stat.S_IMODE(path.stat().st_mode) & ~_PRIVATE:
            path.chmod(_PRIVATE)  # Ray itself writes it readable by all
    except OSError as error:
        raise ClusterError(
            f"cannot make a token in {str(path)!r}: {error.strerror}; name another file with {_PATH}"
        ) from None


def refused(address: str = "") -> str:
    """Return that a cluster, at ``address``, wants another token than ours."""
    cluster = f"the cluster at {address!r}" if address else "the cluster"
    if not token():
        return f"{cluster} wants a token, and there is {described_token()}; copy the file from its head"
    return f"{cluster} wants another token than {described_token()}; copy the file from its head"


def demand_tokens(environment: MutableMapping[str, str]) -> None:
    """Have the node that is started with this environment ask for the user's token.

    Raises:
        ClusterError: the user has switched that off.
    """
    mode = chosen_mode()
    if mode not in ("", "token"):
        raise ClusterError(f"without a token anybody could run code on a cluster; unset {MODE}, which is {mode!r}")
    environment[MODE] = "token"
    if environment.get(_TOKEN) == _set_here.get(_TOKEN):
        environment.pop(_TOKEN, None)


def adopt(wants_token: bool) -> bool:
    """Have this process show the user's token to a cluster that wants one, and none to another; say if that is new.

    Ray by itself asks for tokens as soon as there is a token file, also those who call it back.
    """
    former = dict(_set_here)
    _withdraw()
    _put(MODE, "token" if wants_token else "disabled")
    return _set_here != former


def adopt_private() -> bool:
    """Have a Ray of this machine alone ask for a token, the user's or else one of this process; say if that is new."""
    former = dict(_set_here)
    _withdraw()
    _put(MODE, "token")
    if os.environ[MODE].lower() == "token" and not token():
        _put(_TOKEN, former.get(_TOKEN) or secrets.token_hex(_BYTES))
    return _set_here != former


def _put(name: str, value: str) -> None:
    if name not in os.environ:
        os.environ[name] = _set_here[name] = value


def _withdraw() -> None:
    """Undo the settings of this process."""
    for name, value in _set_here.items():
        if os.environ.get(name) == value:
            del os.environ[name]
    _set_here.clear()


def _write(path: Path) -> None:
    """Write a new token whole or not at all; leave one that another process has written at the same time."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _PRIVATE)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_hex(_BYTES))
        if path.exists():
            draft.replace(path)  # an empty one
        else:
            path.hardlink_to(draft)
    except FileExistsError:
        pass
    finally:
        draft.unlink(missing_ok=True)
