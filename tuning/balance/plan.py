"""The games of a candidate: who meets whom follows from what the targets are about.

Most measures are about the game itself (its length, its seats, its draws): for these each agent of the panel plays itself,
one game per chance seed. Others compare agents, and these meet as it takes: everybody everybody, each its neighbour on a
ladder of budgets, or the one that may take an action the one that may not. What several targets need is played once, and
all with the same chance seeds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import pandas as pd

from tag.errors import PlayersError, TagError
from tag.rng import derive_seed
from tag.spec import parse_spec
from tournaments import Pairing, PlayedGame
from tournaments.designs import FixedMatchups, Ladder, RoundRobin, Seats, round_robin
from tournaments.ledger import frames_of
from tournaments.schedule import game_id_of
from tuning.balance.candidate import CandidateGames
from tuning.balance.estimate import Estimate
from tuning.balance.match_ups import read_wanted
from tuning.balance.restrictions import restricted
from tuning.balance.skill import ladder
from tuning.balance.targets import Target, estimates, needed_metrics

_MEETINGS: Final = ("win_rate", "match_ups", "luck")
_LADDERS: Final = ("skill_area", "skill_slope")
_RESTRICTIONS: Final = ("restriction", "restriction_spread")
_RESTRICTED: Final = "restricted"


class Mirror(FixedMatchups):
    """Each agent in all seats of a game."""

    about = "each agent against copies of itself only"

    def _matchups(self) -> list[Seats]:
        return [(agent,) * self.n_players for agent in range(self.n_agents)]


class Comparison(FixedMatchups):
    """The first agent against each of the others alone, who share the seats as evenly as can be."""

    about = "the first agent against each of the others alone"

    def _matchups(self) -> list[Seats]:
        shared = round_robin(2, self.n_players)
        return [tuple(other * which for which in seats) for other in range(1, self.n_agents) for seats in shared]


@dataclass(frozen=True)
class Group:
    """Agents that meet by some design, and the targets that their games tell about.

    Attributes:
        agents: their specs.
        design: who meets whom.
        targets: the numbers of the targets.
    """

    agents: tuple[str, ...]
    design: FixedMatchups
    targets: tuple[int, ...]


@dataclass(frozen=True)
class _Group:
    """The roster of one candidate's games of a group, as estimators look at them."""

    entries: tuple[str, ...]
    game: str
    record_actions: bool = False

    def game_of(self, _pairing: Pairing) -> str:
        return self.game


class Plan:
    """What every candidate plays.

    Attributes:
        agents: the specs of all who play, by number.
        targets: what is to be estimated.
        block_games: how many games a candidate plays with each chance seed.
        metrics: the names of what has to measure each game.
    """

    def __init__(self, game: str, players: int, agents: Sequence[str], targets: Sequence[Target]) -> None:
        """Plan for a panel of ``agents``.

        Raises:
            TagError: a target is about agents that are not there, or not enough of them.
        """
        self.targets = tuple(targets)
        self.groups = _groups(players, tuple(agents), self.targets)
        self.agents = tuple(dict.fromkeys(agent for group in self.groups for agent in group.agents))
        self.block_games = sum(group.design.n_matchups * group.design.n_seatings for group in self.groups)
        self.metrics = needed_metrics(self.targets, game)
        #: Of each match-up its group and its number in that.
        self._matchups = [(group, number) for group in self.groups for number in range(group.design.n_matchups)]
        self._check()

    @property
    def width(self) -> int:
        """How many match-ups a candidate has."""
        return len(self._matchups)

    def games(self, candidate: int, blocks: range, seed: int) -> list[Pairing]:
        """Return the games of a candidate by number, in some blocks of the stream of ``seed``, in order."""
        number_of = {agent: number for number, agent in enumerate(self.agents)}
        found = []
        for block in blocks:
            chance = derive_seed(seed, "block", block)
            for matchup, (group, own) in enumerate(self._matchups, candidate * self.width):
                for seating in range(group.design.n_seatings):
                    seats = tuple(number_of[group.agents[one]] for one in group.design.agents(block, own, seating))
                    found.append(Pairing(game_id_of(block, matchup, seating), block, matchup, seating, seats, chance))
        return found

    def estimates(self, game: str, games: Sequence[PlayedGame]) -> tuple[Estimate, ...]:
        """Return what the games of the candidate ``game`` tell, by target."""
        found: dict[int, Estimate] = {}
        for group, view in self.views(game, games):
            mine = [self.targets[number] for number in group.targets]
            found |= zip(group.targets, estimates(mine, view, game), strict=True)
        return tuple(found[number] for number in range(len(self.targets)))

    def views(self, game: str, games: Sequence[PlayedGame]) -> Iterator[tuple[Group, CandidateGames]]:
        """Yield each group with its part of the games of the candidate ``game``, as estimators look at them."""
        for group in self.groups:
            yield group, self._view(game, group, games)

    def _view(self, game: str, group: Group, games: Iterable[PlayedGame]) -> CandidateGames:
        """Return the games of a group with match-ups and agents numbered as if there were no others."""
        mine = [
            played._replace(pairing=self._local(played.pairing))
            for played in games
            if self._matchups[played.pairing.matchup % self.width][0] is group
        ]
        measures = [
            (played.pairing.game_id, measure, value)
            for played in mine
            for measure, values in played.record.measures
            for value in values
        ]
        frames = frames_of(mine, _Group(group.agents, game))
        return CandidateGames(*frames, pd.DataFrame(measures, columns=["game_id", "measure", "value"]))

    def _local(self, pairing: Pairing) -> Pairing:
        group, own = self._matchups[pairing.matchup % self.width]
        return replace(pairing, matchup=own, agents=group.design.agents(pairing.block, own, pairing.seating))

    def _check(self) -> None:
        """Raise `UnknownNameError` where a target names an agent that does not play."""
        for group in self.groups:
            nobody = _nothing_played(group.agents)
            for target in (self.targets[number] for number in group.targets):
                for agent in _named(target):
                    nobody.agent(agent)


def _groups(players: int, agents: tuple[str, ...], targets: tuple[Target, ...]) -> tuple[Group, ...]:
    """Return who meets whom for which targets."""
    kinds: dict[tuple[str, str], list[int]] = {}
    for number, target in enumerate(targets):
        kinds.setdefault(_kind(target), []).append(number)
    without = [target.argument for target in targets if target.measure == _RESTRICTIONS[0]]
    return tuple(
        _group(kind, argument, players, _those(kind, argument, agents, without), tuple(numbers))
        for (kind, argument), numbers in kinds.items()
    )


def _kind(target: Target) -> tuple[str, str]:
    """Return by what design agents meet for a target, and which of them if not all."""
    if target.measure in _LADDERS:
        return "ladder", target.argument
    for kind, measures in (("meetings", _MEETINGS), ("comparison", _RESTRICTIONS)):
        if target.measure in measures:
            return kind, ""
    return "mirror", ""


def _those(kind: str, name: str, agents: tuple[str, ...], without: list[str]) -> tuple[str, ...]:
    """Return the agents that meet by a design."""
    if kind == "ladder":
        return ladder(_nothing_played(agents), name)
    if kind == "comparison":
        full = next((one for one in agents if parse_spec(one).name != _RESTRICTED), agents[0])
        mine = [one for one in agents if parse_spec(one).name == _RESTRICTED]
        return tuple(dict.fromkeys([full, *(restricted(full, words) for words in without), *mine]))
    return agents


def _nothing_played(agents: tuple[str, ...]) -> CandidateGames:
    """Return no games of agents, which know who they are nevertheless."""
    return CandidateGames(pd.DataFrame(), pd.DataFrame({"agent": pd.Categorical([], categories=list(agents))}))


def _group(kind: str, name: str, players: int, agents: tuple[str, ...], targets: tuple[int, ...]) -> Group:
    least = 1 if kind == "mirror" else 2
    if len(agents) < least:
        of = f" named {name}" if name else ""
        raise PlayersError(f"this target needs {least} agents{of} that meet, not {len(agents)}; name each with --agent")
    design = {"mirror": Mirror, "meetings": RoundRobin, "ladder": Ladder, "comparison": Comparison}[kind]
    return Group(agents, design(len(agents), players, 0), targets)


def _named(target: Target) -> list[str]:
    """Return the agents that a target names."""
    if target.measure == "match_ups":
        return sorted({agent for pair in read_wanted(target.argument) for agent in pair})
    return [target.argument] if target.measure in ("win_rate", "success") and target.argument else []


def playable(game: str, players: int, agents: Sequence[str], targets: Sequence[Target]) -> Plan | None:
    """Return a plan for the targets that other agents than the panel's can tell about as well; None where these are none."""
    found = []
    for target in targets:
        try:
            Plan(game, players, agents, [target])
        except TagError:
            continue
        found.append(target)
    return Plan(game, players, agents, found) if found else None
