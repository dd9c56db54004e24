"""Studies in TAG's JSON, the files of ParameterSearch, as the keys of a definition in TOML.

    {"game": "LoveLetter", "nPlayers": 4, "searchSpace": "rhea.json", "iterations": 1000, "opponent": "random", …}

What is left out has TAG's default. Source: TAG as of May 2026, evaluation/RunArg.java and evaluation/optimisation/.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tag.adapters.java.arguments import JavaDefinition, folder_of, is_of, seed_of
from tag.adapters.java.entries import LOST, NEAR, Entries, Entry
from tag.adapters.java.games import game_named, read_game
from tag.adapters.java.paths import file_beside
from tag.adapters.java.rosters import RosterReader
from tag.catalogue.registry import game_class
from tag.engine.parameters import parse_spec
from tag.engine.text_files import read_json
from tag.errors import DataError
from tag.orders.set_up import is_cooperative_game
from tag.tuning.space.tag_json import read_tag_json
from tag.tuning.study.definition import FEWEST_BLOCKS, FEWEST_SCORES

#: Arguments that change no result here, or that only listeners of TAG's have.
_SILENT: Final = ("byTeam", "config", "discretisation", "function", "listener", "matchups", "verbose")
#: All arguments of ParameterSearch.
ARGUMENTS: Final = (
    *("NTBEAMode", "OSDBudget", "OSDConfidence", "OSDTournament", "budget", "destDir", "evalGames", "evalMethod"),
    *("evalsPerTrial", "game", "gameParams", "iterations", "kExplore", "nPlayers", "neighbourhood", "noiseCombination"),
    *("opponent", "quantile", "repeats", "searchSpace", "seed", "simpleRegret", "tuneGame", "useNTuples"),
    *("useThreeTuples", "useTwoTuples", *_SILENT),
)
_BUDGET: Final = "budget"
_COOPERATIVE: Final = "CoopNTBEA"
_STABLE: Final = "StableNTBEA"
_PART_OF_EVALUATION: Final = 5


def read_parameter_search(path: Path) -> JavaDefinition | None:
    """Read a ParameterSearch file of TAG's; None where the file is none.

    Raises:
        TagError: a file cannot be read, or its game or its agent is not here.
    """
    content = read_json(path, "study of TAG's")
    if not is_of(content, ARGUMENTS):
        return None
    reader = _Reader(path, content)
    return JavaDefinition(reader.values(), tuple(reader.entries.read))


class _Reader:
    """Reads the arguments in a file of TAG's."""

    def __init__(self, path: Path, content: Mapping[str, Any]) -> None:
        self.entries = Entries(content, of=repr(str(path)))
        self._path = path
        self._budget = max(self.entries.whole(_BUDGET, 0), 0)
        self._mode = self.entries.text("NTBEAMode", "NTBEA")

    def values(self) -> dict[str, Any]:
        """Return the keys of the definition."""
        entries = self.entries
        if entries.take("tuneGame", False):
            raise DataError(f"tuneGame in {str(self._path)!r} has no counterpart in tag tune; use tag balance")
        game, players = self._game()
        is_team = is_cooperative_game(game, players, 1)
        found: dict[str, Any] = {"game": game, "players": players, "sampler": "ntbea", "race": False}
        found |= self._space() | self._opponents(players, is_team)
        found |= self._objective(players, is_team) | self._amount(players)
        fewest = FEWEST_SCORES if found["objective"] == "score" else FEWEST_BLOCKS
        found |= self._validation(fewest * players * max(len(found["versus"]), 1))
        found |= seed_of(entries) | folder_of(entries)
        self._sampler()
        entries.silent(*_SILENT)
        entries.close()
        return found

    def _game(self) -> tuple[str, int]:
        """Return the game and the players."""
        entries = self.entries
        name, rules = entries.text("game", "all"), entries.text("gameParams", "")
        known = game_named(name)
        players = entries.whole("nPlayers", -1)
        if players < 1:
            players = game_class(known.spec.name).game_type.min_players
            entries.near("nPlayers", "TAG refuses a file without it", players=players)
        if not rules:
            return str(game_named(name, players).spec), players
        file = file_beside(self._path, rules)
        if file is None:
            raise DataError(f"gameParams in {str(self._path)!r} cannot be {rules!r}; there is no such file beside it")
        game = read_game(file, players)
        if game.spec.name != known.spec.name:
            raise DataError(f"gameParams in {str(self._path)!r} are of {game.spec.name}, not of {known.spec.name}")
        entries.include(game.differences)
        return str(game.spec), players

    def _space(self) -> dict[str, Any]:
        """Return the agent and what is searched."""
        name = self.entries.text("searchSpace", "")
        file = file_beside(self._path, name)
        if file is None or not file.is_file():
            raise DataError(
                f"searchSpace in {str(self._path)!r} cannot be {name!r}; it is a JSON file beside it or in the folders above"
            )
        space = read_tag_json(file)
        base, search, lost = parse_spec(space.base), list(space.search), list(space.left_out)
        if self._budget and base.name in ("mcts", "rhea"):
            base = base.with_value(_BUDGET, self._budget)
            search = [one for one in search if not one.startswith(f"{_BUDGET}=")]
            lost = [one for one in lost if not one.startswith(f"{_BUDGET}=")]
        elif (
            _BUDGET not in base.values and base.name != "osla" and not any(one.startswith("budget=") for one in search)
        ):
            raise DataError(
                f"the budget in {str(file)!r} is -999, which the caller sets; add a budget to {str(self._path)!r}"
            )
        told = [*((LOST, one) for one in lost), *((NEAR, one) for one in space.changed)]
        self.entries.include(Entry("searchSpace", file.name, "", kind, one) for kind, one in told)
        return {"agents": [str(base)], "search": search}

    def _opponents(self, players: int, is_team: bool) -> dict[str, Any]:
        """Return the opponents, or the other players of a team."""
        name = self.entries.text("opponent", "random")
        if self._mode == _COOPERATIVE:
            if not is_team:
                self.entries.lost("NTBEAMode", "the opponent is the agent as it is before tuning")
            return {"versus": []}
        roster = RosterReader(self._path, self._budget).named("opponent", name)
        self.entries.include(roster.entries)
        versus = list(dict.fromkeys(map(str, roster.specs)))
        if not versus:
            raise DataError(f"no opponent of {str(self._path)!r} is here: {'; '.join(map(str, roster.entries))}")
        if len(versus) > 1 and players > 2:
            self.entries.near("opponent", "one of them has all other seats in a game; TAG draws one for each")
        return {"versus": versus}

    def _objective(self, players: int, is_team: bool) -> dict[str, Any]:
        """Return the objective: TAG counts a win as 1 and a draw as 0.5."""
        method = self.entries.text("evalMethod", "Win")
        ours = {"Score": "score", "Ordinal": "ordinal"}.get(method, "success" if is_team else "points")
        if method == "Win" and players > 2 and not is_team:
            self.entries.near("evalMethod", "a draw of k players counts 1/k here, 0.5 in TAG", objective=ours)
        elif method not in ("Win", "Score", "Ordinal"):
            self.entries.lost("evalMethod", objective=ours)
        return {"objective": ours}

    def _amount(self, players: int) -> dict[str, Any]:
        """Return the games of the search and of a trial."""
        iterations, evaluations = self.entries.whole("iterations", 1000), self.entries.whole("evalsPerTrial", 1)
        if self._mode not in ("NTBEA", _STABLE, _COOPERATIVE):
            self.entries.lost("NTBEAMode", "is refused by TAG, too; NTBEA is taken")
        per_trial = max(evaluations, 1) * (players if self._mode == _STABLE else 1)
        if self.entries.whole("repeats", 1) > 1:
            self.entries.lost("repeats", "is one study here; run it again with another --seed")
        return {"games": max(iterations, 1) * per_trial, "games_per_trial": per_trial}

    def _validation(self, least: int) -> dict[str, Any]:
        """Return the games of the validation, at least so many where there is one."""
        iterations, games = self.entries.whole("iterations", 1000), self.entries.whole("evalGames", -1)
        wanted = iterations // _PART_OF_EVALUATION if games < 0 else games
        validation = max(wanted, least) if wanted else 0
        if validation != wanted:
            self.entries.near("evalGames", f"TAG plays {wanted}; the least here is {least}", validation=validation)
        return {"validation": validation, "equal_time_games": 0}

    def _sampler(self) -> None:
        """Name the settings of NTBEA that differ."""
        entries = self.entries
        entries.take("kExplore", 1.0)
        entries.near("kExplore", "is 0.3 here, or 0.1 below 1,500 games")
        if entries.take("useNTuples", True):
            entries.lost("useNTuples", "single parameters and pairs are counted")
        entries.only(
            useTwoTuples=True, useThreeTuples=False, neighbourhood=50, simpleRegret=False, noiseCombination=1.0
        )
        entries.only(quantile=-1)
        if entries.whole("OSDBudget", 0):
            entries.lost("OSDBudget", "play them after the study, with tag tune deviations")
        entries.silent("OSDTournament", "OSDConfidence")
