"""``tag version``."""

from __future__ import annotations

import platform

import click

from tag.catalogue.version import is_compiled, tag_version, version_text
from tag.cli.process import print_json


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def version(as_json: bool) -> None:
    """Print the version, and whether it runs compiled."""
    if as_json:
        facts = {"version": tag_version(), "compiled": is_compiled(), "python": platform.python_version()}
        print_json(facts, indent=None)
    else:
        click.echo(version_text())
