"""Token authentication: a process that knows a cluster's token may run code on it, any other may not.

Ray reads the token from ``RAY_AUTH_TOKEN``, or else the file ``RAY_AUTH_TOKEN_PATH``, or else ``~/.ray/auth_token``, and
asks for it where ``RAY_AUTH_MODE`` is ``token``. Here it goes through the file: no command line and no log holds it.
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

_MODE: Final = "RAY_AUTH_MODE"
_TOKEN: Final = "RAY_AUTH_TOKEN"  # noqa: S105  the name of a variable
_PATH: Final = "RAY_AUTH_TOKEN_PATH"
_PRIVATE: Final = 0o600
_BYTES: Final = 32


def token_file() -> Path:
    """Return the file in which Ray looks for the token."""
    said = os.environ.get(_PATH)
    return Path(said) if said else Path.home() / ".ray" / "auth_token"


def has_token() -> bool:
    """Say whether there is a token, in the environment or in the file."""
    if os.environ.get(_TOKEN):
        return True
    try:
        return bool(token_file().read_text(encoding="utf-8").strip())
    except FileNotFoundError:
        return False
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ClusterError(f"cannot read the token in {str(token_file())!r}: {reason}") from None


def described_token() -> str:
    """Describe the place of our token, without telling the token."""
    if os.environ.get(_TOKEN):
        return f"that of {_TOKEN}"
    return f"that in {str(token_file())!r}" if has_token() else f"none in {str(token_file())!r}"


def ensure_token() -> None:
    """Make a token if there is none, and make the file readable by its owner only.

    Raises:
        ClusterError: the file cannot be written.
    """
    path = token_file()
    try:
        if not has_token():
            _write(path)
        elif path.exists() and stat.S_IMODE(path.stat().st_mode) & ~_PRIVATE:
            path.chmod(_PRIVATE)  # Ray itself writes it readable by all
    except OSError as error:
        raise ClusterError(
            f"cannot make a token in {str(path)!r}: {error.strerror}; name another file with {_PATH}"
        ) from None


def require_token() -> None:
    """Raise `ClusterError` where there is no token for a cluster that others have started."""
    if not has_token():
        raise ClusterError(f"no token in {str(token_file())!r}; copy the file from the cluster's head, with mode 600")


def check_token(address: str) -> None:
    """Ask the cluster at ``address`` once whether it takes our token; Ray itself asks again and again, for a minute.

    Raises:
        ClusterError: it requires a token, and ours is missing or wrong.
    """
    from ray._raylet import GcsClient  # type: ignore[attr-defined]  # noqa: PLC0415  Ray reads its settings then

    try:
        GcsClient(address=address)
    except Exception as error:  # noqa: BLE001  everything else that is wrong is told by what follows
        if REFUSAL in str(error):
            raise ClusterError(refused(address)) from None


def refused(address: str = "") -> str:
    """Return that a cluster, at ``address``, wants another token than ours."""
    cluster = f"the cluster at {address!r}" if address else "the cluster"
    if not has_token():
        return f"{cluster} wants a token, and there is {described_token()}; copy the file from its head"
    return f"{cluster} wants another token than {described_token()}; copy the file from its head"


def demand_tokens(environment: MutableMapping[str, str]) -> None:
    """Have Ray ask for tokens.

    Raises:
        ClusterError: the user has switched that off.
    """
    mode = environment.setdefault(_MODE, "token")
    if mode.lower() != "token":
        raise ClusterError(f"without a token anybody could run code on a cluster; unset {_MODE}, which is {mode!r}")


def offer_token(environment: MutableMapping[str, str]) -> None:
    """Have Ray show the token, if there is one, to a cluster that may want it."""
    if has_token():
        environment.setdefault(_MODE, "token")


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
