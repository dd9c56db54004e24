"""Addresses of clusters: ``host:port``, where the head listens."""

from __future__ import annotations

import socket
from typing import Final

from tag.errors import ClusterError

#: First bytes of an HTTP/2 connection (RFC 9113, 3.4), as of Ray's gRPC: a settings frame from each side.
HELLO: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"
_FRAME_HEADER: Final = 9
_SETTINGS: Final = b"\4"


def split_address(address: str) -> tuple[str, int]:
    """Return host and port of ``host:port``.

    Raises:
        ClusterError: the text is no such address.
    """
    host, _colon, port = address.rpartition(":")
    if not (host and port.isdigit()) or "/" in host:
        raise ClusterError(f"{address!r} is no address of a cluster; write host:port, as 127.0.0.1:6379")
    return host.strip("[]"), int(port)


class NoAnswerError(ClusterError):
    """No Ray answers at an address."""


class NobodyListensError(NoAnswerError):
    """There is no process at an address."""


def knock(address: str, seconds: float) -> None:
    """Check whether a cluster may be at ``host:port``, for so many seconds per step.

    Raises:
        NobodyListensError: the machine answers that no process listens there.
        NoAnswerError: there is no answer, or the answer is not from Ray.
    """
    try:
        with socket.create_connection(split_address(address), seconds) as connection:
            connection.sendall(HELLO)
            answer = connection.recv(_FRAME_HEADER)
    except (OSError, OverflowError) as error:
        raise no_answer(address, error) from None
    if answer[3:4] != _SETTINGS:
        raise NoAnswerError(f"no Ray cluster answers at {address!r}: something else listens there")


def no_answer(address: str, error: Exception) -> NoAnswerError:
    """Return the error for a connection that failed."""
    reason = getattr(error, "strerror", None) or str(error)
    kind = NobodyListensError if isinstance(error, ConnectionRefusedError) else NoAnswerError
    return kind(f"no Ray cluster answers at {address!r}: {reason}")


def is_loopback(address: str) -> bool:
    """Say whether a host, or the host of ``host:port``, is this machine to itself."""
    return address.startswith(("127.", "localhost", "::1", "[::1]"))
