"""What clusters are tested with: listeners that stand for a head, and machines with `tag` and a Ray of their own.

The machines are network namespaces on one bridge (Linux, root).
"""

import json
import os
import platform
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from commands import PACKAGE_HOME

from tag.cluster.machine import processes

RAY, PYTHON = version("ray"), platform.python_version()
PREFIX = f"tag{os.getpid() % 10_000}"
NETWORK = "10.213.77"


# --- on this machine --------------------------------------------------------------------------------------------------


#: What a gRPC server says first: an empty frame of settings.
SETTINGS = b"\0\0\0\4\0\0\0\0\0"


def head_answer(request, token="", ray=RAY, python=PYTHON):
    """Return what the head of a cluster with a token, or none, answers to a request about its versions."""
    shown = request.partition(b"Bearer ")[2].partition(b"\0")[0]
    if token and shown != token.encode():
        return SETTINGS + _frame(1, 5, b"\x88\0\x0bgrpc-status\x0216\0\x0cgrpc-message\x10InvalidAuthToken")
    text = json.dumps({"ray_version": ray, "python_version": python, "ray_init_cluster": False}).encode()
    data = _frame(0, 0, b"\0" + (len(text) + 4).to_bytes(4, "big") + b"\x0a\0\x12" + bytes([len(text)]) + text)
    return SETTINGS + _frame(1, 4, b"\x88") + data + _frame(1, 5, b"@\x0bgrpc-status\x010")


def liveness_answer(is_alive):
    """Return what a head answers to the question whether a node is alive."""
    text = b"\x0a\0\x12\x062.60.0\x1a\1" + bytes([is_alive])
    data = _frame(0, 0, b"\0" + len(text).to_bytes(4, "big") + text)
    return SETTINGS + _frame(1, 4, b"\x88") + data + _frame(1, 5, b"@\x0bgrpc-status\x010")


def _frame(kind, flags, body):
    return len(body).to_bytes(3, "big") + bytes([kind, flags, 0, 0, 0, 1]) + body


@contextmanager
def listener(answer):
    """Listen on a port of this machine, answer the first bytes of each connection so, and yield the address.

    The answer is bytes, or a function that returns some for the request.
    """
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()

        def serve():
            while True:
                try:
                    connection, _address = server.accept()
                except OSError:
                    return
                with connection:
                    request = connection.recv(1000)
                    connection.sendall(answer(request) if callable(answer) else answer)

        threading.Thread(target=serve, daemon=True).start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)


def tag(home, *arguments):
    """Run ``tag`` in a process of its own: Ray reads the environment once."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "tag", *arguments],
        env={**os.environ, "PYTHONPATH": python_path()},
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )


# --- in network namespaces --------------------------------------------------------------------------------------------


def why_not():
    """Return why there can be no namespaces here, nothing if there can."""
    if shutil.which("ip") is None:
        return "needs ip (iproute2)"
    done = subprocess.run(["ip", "netns", "add", f"{PREFIX}t"], capture_output=True, text=True, check=False)
    if done.returncode:
        return f"needs the right to make network namespaces: {done.stderr.strip()}"
    ip("netns", "del", f"{PREFIX}t")
    return ""


def python_path():
    """Return where this process looks for imports, the package first, for a process elsewhere."""
    return os.pathsep.join(os.path.abspath(entry) for entry in [str(PACKAGE_HOME), *sys.path])  # noqa: PTH100


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


class Machine:
    """A namespace with one address, on the bridge of all.

    Attributes:
        hides: a folder of the host that is empty there; none if None.
        swaps: files of the host that have the text of others there.
        caches: its own folder of caches.
    """

    def __init__(self, number, home):
        self.address = f"{NETWORK}.{number}"
        self._name = f"{PREFIX}n{number}"
        self._home = home
        self.hides = None
        self.swaps = {}
        self._folder = Path(tempfile.mkdtemp(prefix="t", dir="/tmp"))  # short: Unix sockets are in there
        self.caches = self._folder / "caches"
        ip("netns", "add", self._name)
        ip("link", "add", f"{PREFIX}v{number}", "type", "veth", "peer", "name", "eth0", "netns", self._name)
        ip("link", "set", f"{PREFIX}v{number}", "master", PREFIX, "up")
        ip("-n", self._name, "addr", "add", f"{self.address}/24", "dev", "eth0")
        ip("-n", self._name, "link", "set", "lo", "up")
        self.set_link("up")

    def set_link(self, state):
        ip("-n", self._name, "link", "set", "eth0", state)

    def start(self, *arguments, more=None, **options):
        """Start ``tag`` there, with more environment variables, and return the process."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
        environment |= {"PYTHONPATH": python_path(), "HOME": str(self._home), "RAY_TMPDIR": str(self._folder)}
        environment |= {"XDG_CACHE_HOME": str(self.caches), **(more or {})}
        mounts = [["-t", "tmpfs", "none", str(self.hides)]] if self.hides else []
        mounts += [["--bind", str(other), str(file)] for file, other in self.swaps.items()]
        script = " && ".join([*(shlex.join(["mount", *mount]) for mount in mounts), 'exec "$@"'])
        return subprocess.Popen(
            ["ip", "netns", "exec", self._name, "sh", "-c", script, "", sys.executable, "-P", "-m", "tag", *arguments],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **options,
        )

    def run(self, *arguments):
        """Run ``tag`` there and return what it prints; it must succeed."""
        process = self.start(*arguments)
        output, errors = process.communicate(timeout=240)
        assert process.returncode == 0, errors
        return output

    def processes(self, program=""):
        """Return the processes of the nodes there whose command line has ``program``."""
        found = []
        for record in self._folder.glob("*/*/node.json"):
            session = json.loads(record.read_text())["session"]
            found += processes.members(session, record.parent)
        return [pid for pid in found if program in Path(f"/proc/{pid}/cmdline").read_text()]

    def kill(self, program=""):
        for pid in self.processes(program):
            os.kill(pid, signal.SIGKILL)

    def close(self):
        self.start("cluster", "stop").communicate(timeout=60)
        self.kill()
        ip("netns", "del", self._name)
        shutil.rmtree(self._folder)


class Network:
    """Several machines that reach one another."""

    def __init__(self, count, home):
        ip("link", "add", PREFIX, "type", "bridge")
        ip("link", "set", PREFIX, "up")
        self.machines = [Machine(number + 1, home) for number in range(count)]

    def close(self):
        for machine in reversed(self.machines):
            machine.close()
        ip("link", "del", PREFIX)
