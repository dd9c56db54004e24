"""Papers that are played again: what their scripts share, from the command line to the tables."""

from __future__ import annotations

import argparse
import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tag.cluster import Workers, make_workers
from tag.errors import TagError, UnknownNameError
from tag.tournaments.commands.analysis import run_analysis
from tag.tournaments.reports.displays import make_progress
from tag.tournaments.results.analysis.definition import AnalysisDefinition, AnalysisResults
from tag.tournaments.results.analysis.effort import SearchEffort, effort_table, search_effort

#: How a script ends that was interrupted.
_INTERRUPTED = 130
#: Games that an agent plays against itself so that its search is known.
_EFFORT_GAMES = 3


@dataclass
class Paper:
    """A paper played again in one size, in a folder.

    Attributes:
        plan: the contents of the TOML file, with those of the size.
        out: the folder.
        workers: play the games.
        efforts: how much agents search, by game, number of players and agent.
    """

    plan: Mapping[str, Any]
    out: Path
    workers: Workers
    efforts: dict[tuple[str, int, str], SearchEffort] = field(default_factory=dict, kw_only=True)

    def play(self, game: str) -> bool:
        """Play the missing parts of a game, and say whether all has been played."""
        raise NotImplementedError

    def text(self) -> str:
        """Return the tables and the claims in Markdown, as far as they have come."""
        raise NotImplementedError

    def analyse(self, definition: AnalysisDefinition, folder: str) -> AnalysisResults:
        """Return an analysis in a folder within that of the paper; it goes on where it was interrupted."""
        players = ", ".join(str(event.players) for event in definition.events)
        print(f"\n{folder}: {players} players", flush=True)  # noqa: T201  a script's progress
        out = self.out / folder
        return run_analysis(definition, out, workers=self.workers, progress=make_progress(quiet=False))

    def measure_effort(self, game: str, players: int, agent: str, folder: str) -> SearchEffort:
        """Return how much ``agent`` searches in a game; it is measured unless it stands in a folder within the paper's."""
        file = self.out / folder / "efforts.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        name = f"{players} {agent}"
        if name not in known:
            known[name] = asdict(search_effort(game, players, agent, games=_EFFORT_GAMES, seed=self.plan["seed"]))
            file.write_text(json.dumps(known), encoding="utf-8")
        effort = SearchEffort(**known[name])
        self.efforts[game.partition(":")[0], players, agent] = effort
        return effort

    def efforts_in(self, game: str, players: int | None = None) -> list[SearchEffort]:
        """Return how much agents search in a game, with all numbers of players or one."""
        return [
            effort
            for (name, number, _agent), effort in self.efforts.items()
            if name == game.partition(":")[0] and players in (None, number)
        ]

    def effort_lines(self) -> list[str]:
        """Return the section on search for the tables."""
        named = {f"{game}, {players} players, `{agent}`": one for (game, players, agent), one in self.efforts.items()}
        return effort_section(named)

    def run(self, games: Iterable[str]) -> bool:
        """Play the missing parts of the games, write the tables after each, and say whether all has been played."""
        self.out.mkdir(parents=True, exist_ok=True)
        for game in games:
            if not self.play(game):
                return False
            (self.out / "tables.md").write_text(self.text(), encoding="utf-8")
        return True


def effort_section(named: Mapping[str, SearchEffort]) -> list[str]:
    """Return the section on search for the tables, in Markdown, a row per name."""
    return ["## Search", "", f"{_EFFORT_GAMES} games of each agent against itself.", "", *effort_table(named), ""]


def play_paper(paper: type[Paper], plan_file: Path, about: str | None, flags: Mapping[str, str] | None = None) -> int:
    """Play a paper as the command line says, print its tables, and return the exit code.

    Args:
        paper: its class.
        plan_file: a TOML file in a folder with the name of the paper; it has ``games``, a table of games, and ``sizes``, a
            table each for small, medium and full. A size may have ``chosen``, the games that it plays, by default all.
        about: the docstring of the script, for its help.
        flags: more flags of the command line and their help; the plan has them under their names.
    """
    plan = tomllib.loads(plan_file.read_text(encoding="utf-8"))
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("size", choices=tuple(plan["sizes"]))
    parser.add_argument("--out", type=Path, default=Path("studies") / plan_file.parent.name)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--games", help="those that are played, with commas: virus,diamant")
    for flag, meaning in (flags or {}).items():
        parser.add_argument(f"--{flag.replace('_', '-')}", action="store_true", help=meaning)
    options = parser.parse_args()
    plan |= plan["sizes"][options.size] | {flag: getattr(options, flag) for flag in flags or ()}
    by_name = {game.partition(":")[0]: game for game in plan["games"]}
    chosen = options.games.split(",") if options.games else plan.get("chosen", list(by_name))
    try:
        for name in chosen:
            if name not in by_name:
                raise UnknownNameError.of("game of the paper", name, by_name)
        with make_workers(options.workers) as workers:
            played = paper(plan, options.out, workers)
            complete = played.run([by_name[name] for name in chosen])
    except TagError as error:
        parser.error(str(error))
    print(played.text())  # noqa: T201  what the script is for
    return 0 if complete else _INTERRUPTED
