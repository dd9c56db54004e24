"""``tag version``."""

from __future__ import annotations

import json
import platform

import click

from tag.version import is_compiled, tag_version, version_text


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def version(as_json: bool) -> None:
    """Say which version this is and whether it runs compiled."""
    if as_json:
        facts = {"version": tag_version(), "compiled": is_compiled(), "python": platform.python_version()}
        click.echo(json.dumps(facts))
    else:
        click.echo(version_text())
