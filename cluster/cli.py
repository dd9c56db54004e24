"""``tag cluster``: start, join, show and stop a Ray cluster."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

import click
from rich.console import Console
from rich.table import Table

from tag.catalogue.describe import text_table
from tag.cli.numbers import Number
from tag.cli.process import interrupted_by, print_json
from tag.cluster.authentication import token_file
from tag.cluster.connection import AUTO, connected, found_address
from tag.cluster.machine.node import DEFAULT_PORT, HERE, LocalNode, join_cluster, nodes_here, start_head
from tag.cluster.network.addresses import is_loopback
from tag.cluster.sharing import RunStatus, running
from tag.cluster.status import NodeStatus, cluster_status
from tag.errors import ClusterError

_CPUS: Final = click.option(
    "--cpus", type=Number(int, 0), help="Workers that this machine has room for; one per core by default."
)
_BLOCK: Final = click.option("--block", is_flag=True, help="Stay until interrupted, then stop it; for a batch system.")
_PLAY: Final = "tag tournament GAME --agent SPEC --agent SPEC --address"
_LOOK_SECONDS: Final = 1.0
#: Characters in a line where the width of the terminal is unknown.
_WIDTH: Final = 160
_LONGEST_COMMAND: Final = 60
_RUN_COLUMNS: Final = ["driver", "since", "workers", "state", "command"]
_COLUMNS: Final = ["address", "host", "role", "CPUs", "processor", "tag", "build", "python", "Ray", "trouble"]


@click.group()
def cluster() -> None:
    """Start, join, show or stop a cluster of machines that play tournaments together."""


@cluster.command()
@click.option("--listen", metavar="ADDRESS", default=HERE, help="This machine's address for other machines to join.")
@click.option("--port", type=Number(int, 1, 65535), default=DEFAULT_PORT, show_default=True, help="The head's port.")
@_CPUS
@click.option("--dashboard", is_flag=True, help="Serve Ray's dashboard, to this machine only (needs ray[default]).")
@_BLOCK
def start(listen: str, port: int, cpus: int | None, dashboard: bool, block: bool) -> None:
    """Start a cluster with this machine as its head, for this machine alone unless --listen says otherwise.

    Whoever has the token may run code on it. The token is made if there is none.
    """
    node = start_head(listen, port, cpus, dashboard)
    click.echo(f"a cluster is at {node.address}; whoever has the token in {token_file()} can use it\n")
    if is_loopback(listen):
        click.echo("It listens to this machine alone; for others, stop it and start it with --listen ADDRESS.")
    else:
        click.echo(f"On every other machine, with a copy of that file:\n  tag cluster join {node.address}")
    click.echo(f"Then, here:\n  {_PLAY} {node.address}\n  tag cluster status\n  tag cluster stop")
    if block:
        _stay(node)


@cluster.command()
@click.argument("address")
@click.option("--listen", metavar="ADDRESS", help="This machine's address for the others; found out by default.")
@_CPUS
@_BLOCK
def join(address: str, listen: str | None, cpus: int | None, block: bool) -> None:
    """Make this machine a part of the cluster whose head is at ADDRESS (host:port).

    The head's token file has to be here too. A machine with --cpus 0 plays no games but can run tournaments there.
    """
    node = join_cluster(address, listen, cpus)
    click.echo(f"this machine is a part of the cluster at {node.address}\n")
    click.echo(f"Then, here or at the head:\n  {_PLAY} {node.address}\n  tag cluster status")
    click.echo("To leave it:\n  tag cluster stop")
    if block:
        _stay(node)


@cluster.command()
@click.argument("address", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def status(address: str | None, as_json: bool) -> None:
    """Show nodes and runs of the cluster at ADDRESS, by default of the one that this machine is a part of."""
    where = found_address(address or AUTO)
    with connected(where):
        nodes, runs = cluster_status(where), running()
    if as_json:
        print_json(
            {"address": where, "nodes": [node.to_json() for node in nodes], "runs": [run.to_json() for run in runs]}
        )
        return
    _print_table(f"the cluster at {where}", map(_row, nodes), _COLUMNS)
    living = [node for node in nodes if node.alive]
    click.echo(f"{len(living)} nodes, {sum(node.cpus for node in living)} CPUs")
    if runs:
        _print_table("its runs", map(_row_of_run, runs), _RUN_COLUMNS)


@cluster.command()
@click.argument("address", required=False)
def stop(address: str | None) -> None:
    """Stop what was started or joined on this machine, at ADDRESS or at all; nothing else."""
    nodes = [node for node in nodes_here() if address in (None, node.address)]
    if not nodes:
        click.echo("nothing to stop: no node of a cluster was started here")
    for node in nodes:
        ended = node.stop()
        click.echo(f"stopped {node.title}" if ended else f"{node.title} had ended; cleared what it left")


def _stay(node: LocalNode) -> None:
    """Wait until this process is interrupted or terminated, or the node ends; then stop the node's remaining processes."""
    with interrupted_by(signal.SIGTERM):
        try:
            while node.alive:
                time.sleep(_LOOK_SECONDS)
        finally:
            node.stop()
    raise ClusterError(f"{node.title} has ended")


def _print_table(title: str, rows: Iterable[dict[str, object]], columns: list[str]) -> None:
    header, *lines = text_table(rows, columns)
    table = Table(title=title, title_justify="left")
    for name in header:
        table.add_column(name, no_wrap=name == header[0])
    for line in lines:
        table.add_row(*line)
    Console(width=None if sys.stdout.isatty() else _WIDTH).print(table)


def _row_of_run(run: RunStatus) -> dict[str, object]:
    return {
        "driver": run.driver,
        "since": f"{datetime.fromtimestamp(run.since, UTC).astimezone():%Y-%m-%d %H:%M:%S}",
        "workers": f"{run.workers} of {run.wanted}",
        "state": "plays" if run.workers else "waits",
        "command": run.command[:_LONGEST_COMMAND],
    }


def _row(node: NodeStatus) -> dict[str, object]:
    role = ("head" if node.head else "node") if node.alive else "lost"
    return {
        "address": node.address,
        "host": node.host,
        "role": role,
        "CPUs": node.cpus,
        "processor": node.processor,
        "tag": node.installed.get("tag", ""),
        "build": node.installed.get("build", ""),
        "python": node.installed.get("python", ""),
        "Ray": node.ray,
        "trouble": node.trouble,
    }
