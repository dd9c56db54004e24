"""Tournaments in TAG's JSON, the files of RunGames, as the keys of a definition in TOML.

    {"game": "CantStop", "nPlayers": 3, "playerDirectory": "agents", "mode": "random", "matchups": 1000, …}

What is left out has TAG's default. Several games or numbers of players are ``events``, as in TOML.

Source: TAG as of May 2026, evaluation/RunArg.java, RunGames.java and tournaments/RoundRobinTournament.java.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil, perm
from pathlib import Path
from typing import Any, Final

from tag.adapters.java.arguments import JavaDefinition, folder_of, is_of, seed_of
from tag.adapters.java.entries import LOST, Entries, Entry
from tag.adapters.java.games import GAMES, game_named, read_game
from tag.adapters.java.listeners import listener_of
from tag.adapters.java.paths import file_beside
from tag.adapters.java.rosters import Roster, RosterReader, has_budget
from tag.catalogue.registry import agent_names, game_class
from tag.engine.parameters import Spec
from tag.engine.text_files import read_json
from tag.errors import DataError, UnknownNameError

_LISTENER: Final = "metrics/MetricsGameListener.json"
_ALL: Final = "all"
#: The most seats in TAG where it is given no players.
_MOST_WITHOUT_PLAYERS: Final = 4
#: The fewest and most seats in TAG that are not 2 and 4.
_SEATS: Final = {
    "Battlelore": (2, 2),
    "Blackjack": (2, 7),
    "ColtExpress": (2, 6),
    "Connect4": (2, 2),
    "Diamant": (2, 6),
    "DotsAndBoxes": (2, 6),
    "ExplodingKittens": (2, 5),
    "Poker": (2, 14),
    "SushiGo": (2, 5),
    "TicTacToe": (2, 2),
    "Uno": (2, 10),
    "Virus": (2, 6),
}
#: Arguments that change no result, or that mean nothing in a file.
_SILENT: Final = ("config", "evalMethod", "reportPeriod", "verbose")
#: All arguments of RunGames.
ARGUMENTS: Final = (
    *("addTimeStamp", "budget", "byTeam", "destDir", "distinctRandomSeeds", "focusPlayer", "game", "gameParams"),
    *("listener", "matchups", "mode", "nPlayers", "playerDirectory", "playerRange", "randomGameParams", "seed"),
    *("seedFile", *_SILENT),
)
#: TAG's modes and the designs here.
_DESIGNS: Final = {
    "exhaustive": "exhaustive",
    "exhaustivesp": "self_play",
    "fixed": "fixed",
    "onevsall": "gauntlet",
    "sequential": "grid",
}
#: The longest name of an agent here.
_LONGEST: Final = 40

#: Returns the games of a block of a design for so many agents and seats.
GamesOfBlock = Callable[[str, int, int], int]


def read_run_games(
    path: Path, games_of_block: GamesOfBlock, *, agents: Sequence[str] = (), n_budgets: int = 0
) -> JavaDefinition | None:
    """Read a RunGames file of TAG's; None where the file is none.

    Args:
        path: the file. Files that it names are sought beside it, in the folders above, and in the working directory.
        games_of_block: the games of a block of a design, for so many agents and seats.
        agents: those that take the place of the file's, if there are some.
        n_budgets: how many budgets the caller gives to agents, which then have none from the file; 0 for none.

    Raises:
        TagError: a file cannot be read, or no game or no player of it is here.
    """
    content = read_json(path, "tournament of TAG's")
    if not is_of(content, ARGUMENTS):
        return None
    reader = _Reader(path, content, games_of_block)
    reader.read_agents(agents, n_budgets)
    return JavaDefinition(reader.values(), tuple(reader.entries.read))


class _Reader:
    """Reads the arguments in a file of TAG's."""

    def __init__(self, path: Path, content: Mapping[str, Any], games_of_block: GamesOfBlock) -> None:
        self.entries = Entries(content, of=repr(str(path)))
        self._path = path
        self._games_of_block = games_of_block
        self._mode = self.entries.text("mode", "random")
        self._agents: list[str] = []
        self._n_agents = 0

    def values(self) -> dict[str, Any]:
        """Return the keys of the definition."""
        entries = self.entries
        found: dict[str, Any] = {"agents": self._agents} if self._agents else {}
        if entries.text("seedFile", ""):
            entries.lost("seedFile", "seeds of games follow from the seed of the tournament")
        found |= seed_of(entries) | self._listeners() | folder_of(entries)
        events = [event | self._amount(event["players"]) for event in self._games()]
        for name in ("byTeam", "randomGameParams"):
            if entries.take(name, name == "byTeam") != (name == "byTeam"):
                note = (
                    "agents sit anywhere, and results show each side"
                    if name == "byTeam"
                    else "name its parameters with --draw"
                )
                entries.lost(name, note)
        entries.silent(*_SILENT)
        entries.close()
        return found | events[0] if len(events) == 1 else found | {"events": events}

    def read_agents(self, agents: Sequence[str], n_budgets: int) -> None:
        """Read the agents, the one in the focus first, unless there are ``agents`` that take their place."""
        entries = self.entries
        focus, name = entries.text("focusPlayer", ""), entries.text("playerDirectory", "")
        budget = max(entries.whole("budget", 0), 0)
        if focus:
            self._mode = "onevsall"
        if agents:
            self._n_agents = len(agents)
            return
        reader = RosterReader(self._path, budget, n_budgets > 0)
        roster = reader.named("playerDirectory", name) if name else reader.usual()
        if focus:
            roster = reader.named("focusPlayer", focus) + roster
        entries.include(roster.entries)
        if not roster.specs:
            why = "; ".join(map(str, roster.entries))
            raise DataError(f"no player of {str(self._path)!r} is here: {why}")
        if len(roster.specs) == 1:
            entries.near("playerDirectory", "TAG seats its one player everywhere; here are two of it")
            roster = Roster(roster.names * 2, roster.specs * 2)
        self._agents = list(_named(roster))
        self._n_agents = sum(max(n_budgets, 1) if has_budget(spec) else 1 for spec in roster.specs)

    def _games(self) -> Iterator[dict[str, Any]]:
        """Yield the games with their numbers of players."""
        entries = self.entries
        named, rules = entries.text("game", _ALL), entries.text("gameParams", "")
        seats = self._seats()
        known = {name: GAMES[name] for name in self._names(named)}
        if rules and len(known) > 1:
            raise DataError(f"gameParams in {str(self._path)!r} are for one game, not for {len(known)}")
        numbers = dict(zip(known, seats * len(known) if len(seats) == 1 else seats, strict=False))
        if len(numbers) < len(known):
            raise DataError(f"playerRange in {str(self._path)!r} has {len(seats)} parts for {len(known)} games")
        found = 0
        for name, (low, high) in numbers.items():
            for players in self._players(name, low, high):
                found += 1
                yield {"game": str(self._rules(name, rules, players)), "players": players}
        if not found:
            raise DataError(f"no game of {str(self._path)!r} has the number of players that it asks for")

    def _names(self, text: str) -> list[str]:
        """Return TAG's names of the games that are here."""
        names = text.split("|")
        if names[0] == _ALL:
            without = {name.removeprefix("-") for name in names[1:]}
            self.entries.lost("game", "those games of TAG's that are not here are left out")
            return [name for name in GAMES if name not in without]
        here = list(dict.fromkeys(name for name in names if name in GAMES))
        for name in names:
            if name not in GAMES and here:
                self.entries.lost("game", f"{name} is not here and left out")
        if not here:
            raise UnknownNameError.of("counterpart of TAG's game", names[0], GAMES)
        return here

    def _seats(self) -> list[tuple[int, int]]:
        """Return the fewest and most players that are asked for, of all games or of each; -1 for those of the game."""
        players = self.entries.whole("nPlayers", -1)
        text = self.entries.text("playerRange", _ALL)
        if players > 0:
            return [(players, players)]
        found = []
        for part in text.split("|"):
            match = re.fullmatch(r"(\d+)(?:-(\d+))?", part, re.ASCII)
            if part != _ALL and match is None:
                raise DataError(f"playerRange in {str(self._path)!r} cannot be {text!r}; it is such as 2-4, or all")
            found.append((int(match[1]), int(match[2] or match[1])) if match else (-1, -1))
        return found

    def _players(self, name: str, low: int, high: int) -> Iterator[int]:
        """Yield the numbers of players of a game that TAG plays and that are possible here."""
        fewest, most = _SEATS.get(name, (2, 4))
        if not self.entries.text("playerDirectory", ""):
            most = min(most, _MOST_WITHOUT_PLAYERS)
        kind = game_class(GAMES[name].game).game_type
        for players in range(max(low, fewest), (most if high < 0 else min(high, most)) + 1):
            if kind.min_players <= players <= kind.max_players:
                yield players
            else:
                self.entries.lost("nPlayers", f"{name} is for {kind.max_players} players at most here, not {players}")

    def _rules(self, name: str, rules: str, players: int) -> Spec:
        """Return the game with its parameters."""
        if not rules:
            return game_named(name, players).spec
        file = file_beside(self._path, rules)
        if file is None:
            raise DataError(f"gameParams in {str(self._path)!r} cannot be {rules!r}; there is no such file beside it")
        game = read_game(file, players)
        if game.spec.name != GAMES[name].game:
            raise DataError(f"gameParams in {str(self._path)!r} are of {game.spec.name}, not of {GAMES[name].game}")
        self.entries.include(game.differences)
        return game.spec

    def _amount(self, players: int) -> dict[str, Any]:
        """Return the design and the blocks of a game."""
        mode, agents = self._mode, self._n_agents
        matchups, seeds = self.entries.whole("matchups", 100), self.entries.whole("distinctRandomSeeds", 0)
        kind = mode.lower()
        design = _DESIGNS.get(kind, "balanced" if agents >= players else "round_robin")
        if kind not in (*_DESIGNS, "random"):
            self.entries.near("mode", "is unknown to TAG, too, which takes random", design=design)
        elif kind in ("exhaustive", "fixed") and agents < players:
            raise DataError(f"{mode} in {str(self._path)!r} needs {players} players, not {agents}; TAG refuses it, too")
        elif kind == "exhaustivesp":
            self.entries.near("mode", "each match-up counts alike here, each seating in TAG", design=design)
        elif kind == "sequential" and players > 2:
            self.entries.near("mode", "two share the seats evenly here; in TAG one is alone", design=design)
        wanted = self._wanted(kind, agents, players, matchups)
        size = self._games_of_block(design, agents, players)
        blocks = max(ceil(wanted / size), 1)
        if seeds > 0:
            note = f"each of {seeds} seeds is played once in each seating; TAG plays {matchups} games with each"
            self.entries.near("distinctRandomSeeds", note, blocks=seeds)
            blocks = seeds
        elif blocks * size != wanted:
            self.entries.near("matchups", f"{blocks} blocks of {size} games; TAG plays {wanted} games", blocks=blocks)
        self.entries.values.clear()
        return {"design": design, "blocks": blocks}

    def _wanted(self, kind: str, agents: int, players: int, matchups: int) -> int:
        """Return how many games TAG plays."""
        if kind in ("exhaustive", "exhaustivesp"):
            seatings = agents**players if kind == "exhaustivesp" else perm(agents, players)
            if matchups < seatings:
                raise DataError(
                    f"matchups in {str(self._path)!r} cannot be {matchups}; {agents} players have {seatings} seatings, and "
                    "TAG refuses fewer games"
                )
            return matchups // seatings * seatings
        if kind == "onevsall" or kind == "sequential":
            pairs = agents * (agents - 1) // 2 if kind == "sequential" else 1
            return pairs * (matchups // players) * players
        return matchups

    def _listeners(self) -> dict[str, Any]:
        """Return the metrics that listeners want."""
        metrics: dict[str, None] = {}
        keeps_actions = False
        for name in self.entries.text("listener", _LISTENER).split("|"):
            if name == _LISTENER:
                continue  # what it records is in every ledger
            file = file_beside(self._path, name)
            if file is None and name.endswith(".json"):
                self.entries.include([Entry("listener", name, "", LOST, "there is no such file")])
                continue
            found = listener_of(name if file is None else read_json(file, "listener of TAG's"))
            self.entries.include(found.entries)
            metrics |= dict.fromkeys(found.metrics)
            keeps_actions = keeps_actions or found.record_actions
        return {
            **({"metrics": list(metrics)} if metrics else {}),
            **({"record_actions": True} if keeps_actions else {}),
        }


def _named(roster: Roster) -> Iterator[str]:
    """Yield the agents with the names that TAG gives them, as far as these are names here."""
    taken: list[str] = []
    plain = [str(spec) for spec in roster.specs]
    for given, spec in zip(roster.names, plain, strict=True):
        if given == spec:
            yield spec
            continue
        name = re.sub(r"[^\w +-]+", "_", given).strip(" +-")[: _LONGEST - 4].strip() or "agent"
        if name in agent_names():
            name = f"TAG {name}"
        number = sum(one == name for one in taken)
        taken.append(name)
        yield f"{name} {number + 1}={spec}" if number else f"{name}={spec}"
