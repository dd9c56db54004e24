"""``tag verify``: whether what is in a folder is what was played."""

from __future__ import annotations

from pathlib import Path

import click

from tag.catalogue.trust import typed
from tag.cli.numbers import Number
from tag.cli.process import print_json
from tag.tuning.commands import verification

_FAULTY = 1


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--replay",
    "size",
    type=Number(int, 0),
    default=10,
    show_default=True,
    metavar="GAMES",
    help="How many games of each ledger to play again.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def verify(folder: Path, size: int, as_json: bool) -> int:
    """Check that the games in FOLDER are those of its tournament, experiment or study, and come out the same again.

    Every file and row is compared with the definition; nothing is changed. A sample of the games is played again: from their
    recorded actions, or by their agents unless these go by the clock. The exit code is 0 where nothing is wrong, 1 where
    something is.

    Example: tag verify runs/first --replay 100
    """
    found = list(verification.verified(folder, size, trust=typed() is None))
    is_sound = all(one.is_sound for one in found)
    if as_json:
        print_json({"sound": is_sound, "ledgers": [one.to_json() for one in found]})
    else:
        click.echo("\n\n".join(map(verification.verification_text, found)))
    return 0 if is_sound else _FAULTY
