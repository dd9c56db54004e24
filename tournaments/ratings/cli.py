"""``tag ratings``."""

from __future__ import annotations

from pathlib import Path

import click

from tag.cli._output import print_json
from tag.errors import ParameterError
from tournaments.cli import table_width
from tournaments.ratings.summary import rate
from tournaments.ratings.tables import ratings_text


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--anchor", "anchors", multiple=True, metavar="AGENT=RATING", help="An agent that keeps this rating.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def ratings(folder: Path, anchors: tuple[str, ...], as_json: bool) -> None:
    """Rate the agents of the tournament in FOLDER on one scale, with intervals, pairs and groups.

    One Plackett-Luce fit to all games, with terms for the seats; 400 points are odds of 10 to 1, and the mean is 0 unless an
    agent is anchored. Intervals are from a bootstrap over blocks.
    """
    summary = rate(folder, dict(_anchor(text) for text in anchors))
    if as_json:
        print_json(summary.to_json())
    else:
        click.echo(ratings_text(summary, table_width()))


def _anchor(text: str) -> tuple[str, float]:
    """Read ``mcts:budget=400=1500``: the rating follows the last equals sign."""
    agent, _equals, rating = text.rpartition("=")
    try:
        return agent, float(rating)
    except ValueError:
        raise ParameterError(f"--anchor cannot be {text!r}; it is an agent of the tournament and a number") from None
