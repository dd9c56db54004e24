"""A request to a cluster before Ray is started: who answers there, does it take our token, and which Ray it has.

Ray itself tries again and again where any of that does not fit: 181 s with a wrong token, 44 s with another version, and
for ever where one side asks for tokens and the other has none. One request of gRPC tells all of it in 10 ms.
"""

from __future__ import annotations

import json
import platform
import re
import socket
from collections.abc import Iterator
from importlib.metadata import version
from itertools import islice
from typing import Final

from tag.cluster.authentication import MODE, chosen_mode, refused, token
from tag.cluster.network.addresses import HELLO, NoAnswerError, no_answer, split_address
from tag.errors import ClusterError

#: How long the machine may take to accept a connection, and Ray to answer, in seconds.
_SECONDS: Final = 4.0
#: The method that returns Ray's own description of a cluster, and its arguments as protocol buffers.
_METHOD: Final = "/ray.rpc.InternalKVGcsService/InternalKVGet"
_ARGUMENTS: Final = b"\x0a\x10CLUSTER_METADATA\x12\x07cluster"
#: The method that says whether nodes are alive, the head of its argument, a node's number, and its answer for a lost one.
_LIVENESS: Final = "/ray.rpc.NodeInfoGcsService/CheckAlive"
_NODE: Final = b"\x0a\x1c"
_LOST: Final = b"\x1a\x01\x00"
_DESCRIPTION: Final = re.compile(rb'\{"ray_version".*?\}', re.DOTALL)
#: Types and flags of HTTP/2 frames (RFC 9113, 6).
_DATA: Final = 0
_HEADERS: Final = 1
_END_STREAM: Final = 1
_END_HEADERS: Final = 4
_FRAME_HEADER: Final = 9
#: Ten are usual.
_MOST_FRAMES: Final = 100
#: The outcome of a call of gRPC, a literal field of the last headers, and two of its values.
_STATUS: Final = re.compile(rb"grpc-status.(\d+)", re.DOTALL)
_OK: Final = 0
_UNAUTHENTICATED: Final = 16


def check_fit(address: str) -> bool:
    """Check that the cluster at ``address`` takes this process, and return whether it wants a token.

    Raises:
        NobodyListensError: the machine answers that no process listens there.
        NoAnswerError: no cluster answers.
        ClusterError: token, authentication mode, or versions of Ray and Python do not fit.
    """
    status, answer = _ask(address, "")
    wants_token = status == _UNAUTHENTICATED
    mode = chosen_mode()
    if mode not in ("", "token" if wants_token else "disabled"):
        wants = "wants a token" if wants_token else "takes no token"
        raise ClusterError(f"the cluster at {address!r} {wants}, and {MODE} is {mode!r}; unset it")
    if wants_token:
        status, answer = _ask(address, token()) if token() else (status, answer)
        if status == _UNAUTHENTICATED:
            raise ClusterError(refused(address))
    if status != _OK:
        raise NoAnswerError(f"no Ray cluster answers at {address!r}: something else listens there")
    _check_versions(address, answer)
    return wants_token


def counts_as_alive(address: str, node: str) -> bool:
    """Return False if the cluster at ``address`` says that a node, by Ray's number of it, is lost.

    Raises:
        NobodyListensError: the machine answers that no process listens there.
        NoAnswerError: no cluster answers.
    """
    arguments = _NODE + bytes.fromhex(node) if node else b""
    status, answer = _ask(address, token(), _LIVENESS, arguments)
    return not (status == _OK and _LOST in answer)


def _check_versions(address: str, answer: bytes) -> None:
    found = _DESCRIPTION.search(answer)
    if found is None:  # it is just starting
        return
    theirs = json.loads(found[0])
    ours = {"Ray": version("ray"), "Python": platform.python_version()}
    for name, here in ours.items():
        there = theirs.get(f"{name.lower()}_version", here)
        if there != here:
            raise ClusterError(
                f"the cluster at {address!r} has {name} {there}, and this machine {here}; install the same on all machines"
            )


def _ask(address: str, shown: str, method: str = _METHOD, arguments: bytes = _ARGUMENTS) -> tuple[int, bytes]:
    """Call a method with a token, or none if empty, and return its status and its answer, or -1 for no such server."""
    try:
        with socket.create_connection(split_address(address), _SECONDS) as connection:
            connection.settimeout(_SECONDS)
            connection.sendall(HELLO + _request(address, shown, method, arguments))
            frames = list(islice(_frames(connection), _MOST_FRAMES))
    except (OSError, OverflowError) as error:
        raise no_answer(address, error) from None
    status = [int(found[1]) for kind, body in frames if kind == _HEADERS and (found := _STATUS.search(body))]
    answer = b"".join(body for kind, body in frames if kind == _DATA)
    return (status or [_OK if _DESCRIPTION.search(answer) else -1])[-1], answer


def _request(address: str, shown: str, method: str, arguments: bytes) -> bytes:
    fields = {
        ":method": "POST",
        ":scheme": "http",
        ":path": method,
        ":authority": address,
        "te": "trailers",
        "content-type": "application/grpc",
    }
    if shown:
        fields["authorization"] = f"Bearer {shown}"
    headers = b"".join(b"\0" + _text(name) + _text(value) for name, value in fields.items())
    message = b"\0" + len(arguments).to_bytes(4, "big") + arguments
    return _frame(_HEADERS, _END_HEADERS, headers) + _frame(_DATA, _END_STREAM, message)


def _frame(kind: int, flags: int, body: bytes) -> bytes:
    return len(body).to_bytes(3, "big") + bytes([kind, flags, 0, 0, 0, 1]) + body


def _text(value: str) -> bytes:
    """Return a text of headers, after its length with seven bits in the first byte (RFC 7541, 5.1)."""
    raw = value.encode()
    if len(raw) < 127:
        return bytes([len(raw)]) + raw
    rest, length = len(raw) - 127, [127]
    while rest >= 128:
        length.append(rest % 128 + 128)
        rest //= 128
    return bytes([*length, rest]) + raw


def _frames(connection: socket.socket) -> Iterator[tuple[int, bytes]]:
    """Yield type and body of each frame until the call, or the connection, ends."""
    with connection.makefile("rb") as stream:
        while len(header := stream.read(_FRAME_HEADER)) == _FRAME_HEADER:
            body = stream.read(int.from_bytes(header[:3], "big"))
            yield header[3], body
            if header[3] == _HEADERS and header[4] & _END_STREAM:
                return
