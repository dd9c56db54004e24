"""``tag noise``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from tag.cli._output import print_json
from tag.errors import ParameterError
from tournaments.cli import said_options, stopped, table_width
from tournaments.definition import TournamentDefinition, canonical_agent
from tournaments.folder import MANIFEST as TOURNAMENT
from tournaments.folder import read_manifest
from tournaments.noise.definition import MANIFEST, NoiseDefinition, noise_of, read_definition
from tournaments.noise.run import run_noise
from tournaments.noise.tables import noise_text
from tournaments.options import shown_options, worker_options
from tournaments.progress import make_progress
from tournaments.settings import Settings, read_toml

_BLOCKS: Final = 100


@click.command()
@click.argument("game")
@click.option("--agent", "agents", multiple=True, metavar="SPEC", help="An agent; of a folder, only these are copied.")
@click.option("--players", type=int, help="Seats of each game; the game's fewest by default.")
@click.option("--design", metavar="SPEC", help="Who meets whom; round_robin by default.")
@click.option("--blocks", type=int, help="Chance seeds; 100, or the folder's, by default.")
@click.option("--seed", type=int, help="Decides everything; 1 or that of the folder by default.")
@click.option("--out", metavar="DIR", help="The folder.  [default: runs/noise]")
@worker_options
@shown_options
def noise(game: str, progress: str, quiet: bool, as_json: bool, **options: Any) -> int:
    """Measure what differences a set-up shows between identical agents, and whether it favours one (an A/A test).

    GAME is the spec of a game or a TOML file, as for ``tag tournament``, or the folder of a tournament. For each agent, the
    same tournament is played between copies of it that draw numbers of their own. GAME may also be the folder of such a
    test, to go on with it or to show it again; --blocks makes it longer. The exit code is 1 if something is off.

    Example: tag noise love_letter --players 4 --agent osla --blocks 100
    """
    definition, where = _definition(game, said_options(options))
    found = run_noise(
        definition,
        Path(where.out or "runs/noise"),
        workers=where.worker_count(),
        uses_ray=where.uses_ray(),
        address=where.address,
        progress=make_progress(quiet, progress),
    )
    if as_json:
        print_json(found.to_json())
    else:
        click.echo(noise_text(found, table_width()))
    if not found.complete:
        return stopped(found.games, f"{found.total:,}")
    return 1 if found.alarms else 0


def _definition(game: str, said: dict[str, Any]) -> tuple[NoiseDefinition, Settings]:
    """Return the test that was asked for, and the settings that say where to play it."""
    folder = Path(game)
    if (folder / MANIFEST).is_file():
        test = read_definition(folder)
        longer = replace(test, tournament=_changed(test.tournament, said, ("blocks",)))
        return longer, Settings.from_values({**said, "out": game}, game)
    if (folder / TOURNAMENT).is_file():
        agents = [canonical_agent(agent) for agent in said.pop("agents", ())]
        tournament = _changed(read_manifest(folder).definition, said, ("blocks", "seed"))
        return noise_of(tournament, agents), Settings.from_values(said, game)
    described = read_toml(folder) if folder.suffix == ".toml" else {"game": game}
    settings = Settings.from_values({"blocks": _BLOCKS, **described, **said}, repr(game))
    alone = len(settings.agents) == 1
    return noise_of(replace(settings, agents=settings.agents * 2 if alone else settings.agents).definition()), settings


def _changed(tournament: TournamentDefinition, said: dict[str, Any], changeable: Sequence[str]) -> TournamentDefinition:
    """Return the tournament of a folder with what the options say of it taken out of ``said``.

    Raises:
        ParameterError: they say what cannot be changed.
    """
    fixed = sorted(set(said).intersection(tournament.to_json()).difference(changeable))
    if fixed:
        raise ParameterError(f"the folder holds a tournament already; its {fixed[0]} cannot be changed")
    new = {name: said.pop(name) for name in changeable if name in said}
    if new.get("blocks", 1) < 1:
        raise ParameterError(f"blocks cannot be {new['blocks']}; the least is 1")
    return replace(tournament, **new)
