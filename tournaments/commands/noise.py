"""``tag noise``: the tournaments of an A/A test, between copies of each agent."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from tag.cli.numbers import SEED, Number
from tag.cli.process import print_json
from tag.cluster import Workers
from tag.cluster.workers import at_work
from tag.errors import DataError, ParameterError
from tag.tournaments import run as running
from tag.tournaments.commands.settings import (
    ResumableCommand,
    Settings,
    declared_options,
    given_options,
    read_toml,
    shown_options,
    stopped,
    table_width,
)
from tag.tournaments.definition import TournamentDefinition, canonical_agent
from tag.tournaments.ledger.experiment import EXPERIMENT
from tag.tournaments.ledger.folder import MANIFEST, read_manifest
from tag.tournaments.ledger.storage import check_is_ours, write_whole
from tag.tournaments.reports import displays
from tag.tournaments.reports.progress import Progress
from tag.tournaments.reports.text import noise_text
from tag.tournaments.results.copies.noise import (
    NOISE_MANIFEST,
    NoiseDefinition,
    NoiseResults,
    noise_of,
    read_definition,
    read_noise,
)

_BLOCKS: Final = 100


def run_noise(
    definition: NoiseDefinition,
    out: Path,
    *,
    workers: Workers | int = 1,
    progress: Progress | None = None,
) -> NoiseResults:
    """Play the missing games of an A/A test and return the results.

    The arguments are those of `tournaments.run_tournament`.

    Raises:
        TagError: the folder or a file of the user's does not fit, or a game breaks its contract.
    """
    parts = dict(definition.folders(out))
    _check(definition, out)
    with at_work(workers) as processes:
        running.check_all(parts, out, processes)
        out.mkdir(parents=True, exist_ok=True)
        write_whole(out / NOISE_MANIFEST, json.dumps(definition.to_json(), indent=2))
        running.run_all(parts, processes, progress=progress or Progress())
    return read_noise(out)


def _check(definition: NoiseDefinition, out: Path) -> None:
    """Raise `DataError` unless ``out`` is new, empty, or holds this test, perhaps with fewer blocks."""
    check_is_ours(out, NOISE_MANIFEST, "A/A test")
    if not (out / NOISE_MANIFEST).exists():
        return
    old = read_definition(out)
    reason = old.tournament.difference(definition.tournament)
    if old.agents != definition.agents:
        reason = f"agents is {', '.join(old.agents)} there, not {', '.join(definition.agents)}"
    if reason:
        raise DataError(f"{str(out)!r} holds another A/A test: {reason}; name a new folder with --out")


@click.command(cls=ResumableCommand)
@click.argument("game")
@click.option("--agent", "agents", multiple=True, metavar="SPEC", help="An agent; of a folder, only these are copied.")
@click.option("--blocks", type=Number(int, 1), help="Chance seeds; 100, or the folder's, by default.")
@click.option("--seed", type=SEED, help="Random seed; 1, or that of the folder, by default.")
@click.option("--out", metavar="DIR", help="The folder.  [default: runs/noise]")
@declared_options(Settings, "players", "design", "workers", "ray", "address")
@shown_options
def noise(game: str, progress: str, quiet: bool, as_json: bool, **options: Any) -> int:
    """Measure what differences a set-up shows between identical agents, and whether it favours one (an A/A test).

    GAME is the spec of a game or a TOML file, as for ``tag tournament``, or the folder of a tournament. For each agent, the
    same tournament is played between copies of it that draw numbers of their own. GAME may also be the folder of such a
    test, to go on with it or to show it again; --blocks makes it longer. The exit code is 1 if something is off.

    Example: tag noise love_letter --players 4 --agent osla --blocks 100
    """
    definition, where = _definition(game, given_options(options))
    folder = Path(where.out or "runs/noise")
    with where.make_workers() as workers:
        found = run_noise(definition, folder, workers=workers, progress=displays.make_progress(quiet, progress))
    if as_json:
        print_json(found.to_json())
    else:
        click.echo(noise_text(found, table_width()))
    if not found.complete:
        return stopped(found.games, f"{found.total:,}")
    return 1 if found.alarms else 0


def _definition(game: str, given: dict[str, Any]) -> tuple[NoiseDefinition, Settings]:
    """Return the requested test, and the settings of its run."""
    folder = Path(game)
    if (folder / NOISE_MANIFEST).is_file():
        test = read_definition(folder)
        longer = replace(test, tournament=_changed(test.tournament, given, ("blocks",)))
        return longer, Settings.from_values({**given, "out": game}, game)
    if (folder / MANIFEST).is_file() or (folder / EXPERIMENT).is_file():
        agents = [canonical_agent(agent) for agent in given.pop("agents", ())]
        tournament = _changed(read_manifest(folder).definition, given, ("blocks", "seed"))
        return noise_of(tournament, agents), Settings.from_values(given, game)
    described = read_toml(folder) if folder.suffix == ".toml" else {"game": game}
    settings = Settings.from_values({"blocks": _BLOCKS, **described, **given}, repr(game))
    alone = len(settings.agents) == 1
    return noise_of(replace(settings, agents=settings.agents * 2 if alone else settings.agents).definition()), settings


def _changed(
    tournament: TournamentDefinition, given: dict[str, Any], changeable: Sequence[str]
) -> TournamentDefinition:
    """Return a folder's tournament with the changes of the options, which are removed from ``given``."""
    fixed = sorted(set(given).intersection(tournament.to_json()).difference(changeable))
    if fixed:
        raise ParameterError(f"the folder holds a tournament already; its {fixed[0]} cannot be changed")
    new = {name: given.pop(name) for name in changeable if name in given}
    return replace(tournament, **new)
