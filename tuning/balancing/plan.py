"""Match-ups of a candidate: they follow from the targets.

Most measures are about the game itself (its length, its seats, its draws): for these each agent of the panel plays
itself, one game per chance seed. Others compare agents. These meet as the target needs: all pairs, neighbours on a
ladder of budgets, or an agent and its copy without an action. Games that several targets need are played once, and all
with the same chance seeds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import pandas as pd

from tag.engine.parameters import parse_spec
from tag.engine.rng import derive_seed
from tag.errors import PlayersError, TagError
from tag.tournaments.designs.games import Pairing, Seats, game_id_of
from tag.tournaments.designs.matchups import FixedMatchups, Ladder, RoundRobin, round_robin
from tag.tournaments.ledger import reading as readers
from tag.tuning.balancing.estimation import CandidateGames, Estimate
from tag.tuning.balancing.measures import ladder, read_wanted, restricted
from tag.tuning.balancing.targets import Target, estimates, needed_metrics

if TYPE_CHECKING:
    from tag.tournaments.ledger.rows import PlayedGame


_MEETINGS: Final = ("win_rate", "match_ups", "luck")
_LADDERS: Final = ("skill_area", "skill_slope")
_RESTRICTIONS: Final = ("restriction", "restriction_spread")
_RESTRICTED: Final = "restricted"


class Mirror(FixedMatchups):
    """Each agent in all seats of a game."""

    about = "each agent against copies of itself only"

    def _matchups(self) -> list[Seats]:
        return [(agent,) * self.n_players for agent in range(self.n_agents)]


class FirstAgainstEach(FixedMatchups):
    """The first agent against each of the others alone, who share the seats as evenly as can be."""

    about = "the first agent against each of the others alone"

    def _matchups(self) -> list[Seats]:
        shared = round_robin(2, self.n_players)
        return [tuple(other * which for which in seats) for other in range(1, self.n_agents) for seats in shared]


@dataclass(frozen=True)
class Group:
    """Agents that meet by a design, and the numbers of the targets that their games measure."""

    agents: tuple[str, ...]
    design: FixedMatchups
    targets: tuple[int, ...]


@dataclass(frozen=True)
class _Group:
    """The roster of one candidate's games of a group, as estimators look at them."""

    entries: tuple[str, ...]
    game: str

    def game_of(self, _pairing: Pairing) -> str:
        return self.game


class Plan:
    """Plan of the games of a candidate; the same for all candidates.

    Attributes:
        game: the name of the game type.
        players: the seats of each game.
        agents: the specs of all agents that play, by number.
        targets: the targets to estimate.
        block_games: how many games a candidate plays with each chance seed.
        metrics: the names of the metrics that measure each game.
    """

    def __init__(self, game: str, players: int, agents: Sequence[str], targets: Sequence[Target]) -> None:
        """Plan for a panel of ``agents``; `TagError` where a target is about agents that are missing, or too few."""
        self.game = parse_spec(game).name
        self.players = players
        self.targets = tuple(targets)
        self.groups = _groups(players, tuple(agents), self.targets)
        self.agents = tuple(dict.fromkeys(agent for group in self.groups for agent in group.agents))
        self.block_games = sum(group.design.n_matchups * group.design.n_seatings for group in self.groups)
        self.metrics = needed_metrics(self.targets, game)
        self._numbers = {agent: number for number, agent in enumerate(self.agents)}
        #: Of each match-up its group and its number in that.
        self._matchups = [(group, number) for group in self.groups for number in range(group.design.n_matchups)]
        self._check()

    @property
    def width(self) -> int:
        """Number of match-ups of a candidate."""
        return len(self._matchups)

    def games(self, candidate: int, blocks: range, seed: int) -> list[Pairing]:
        """Return the games of a candidate by number, in some blocks of the stream of ``seed``, in order."""
        found = []
        for block in blocks:
            chance = derive_seed(seed, "block", block)
            for matchup, (group, _own) in enumerate(self._matchups, candidate * self.width):
                for seating in range(group.design.n_seatings):
                    seats = self.seats(block, matchup, seating) or ()
                    found.append(Pairing(game_id_of(block, matchup, seating), block, matchup, seating, seats, chance))
        return found

    def seats(self, block: int, matchup: int, seating: int) -> tuple[int, ...] | None:
        """Return the number of the agent in each seat of a game of any candidate; None where there is no such game."""
        group, own = self._matchups[matchup % self.width]
        if seating >= group.design.n_seatings:
            return None
        return tuple(self._numbers[group.agents[one]] for one in group.design.agents(block, own, seating))

    def estimates(self, game: str, games: Sequence[PlayedGame]) -> tuple[Estimate, ...]:
        """Return the estimates from the games of the candidate ``game``, by target."""
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
        frames = readers.frames_of(mine, _Group(group.agents, game))
        return CandidateGames(*frames, pd.DataFrame(measures, columns=["game_id", "measure", "value"]))

    def _local(self, pairing: Pairing) -> Pairing:
        group, own = self._matchups[pairing.matchup % self.width]
        return pairing._replace(matchup=own, agents=group.design.agents(pairing.block, own, pairing.seating))

    def _check(self) -> None:
        for group in self.groups:
            nobody = _nothing_played(group.agents)
            for target in (self.targets[number] for number in group.targets):
                for agent in _named(target):
                    nobody.agent(agent)


def _groups(players: int, agents: tuple[str, ...], targets: tuple[Target, ...]) -> tuple[Group, ...]:
    kinds: dict[tuple[str, str], list[int]] = {}
    for number, target in enumerate(targets):
        kinds.setdefault(_kind(target), []).append(number)
    without = [target.argument for target in targets if target.measure == _RESTRICTIONS[0]]
    return tuple(
        _group(kind, argument, players, _those(kind, argument, agents, without), tuple(numbers))
        for (kind, argument), numbers in kinds.items()
    )


def _kind(target: Target) -> tuple[str, str]:
    """Return the design by which agents meet for a target, and the agents if not all."""
    if target.measure in _LADDERS:
        return "ladder", target.argument
    for kind, measures in (("meetings", _MEETINGS), ("comparison", _RESTRICTIONS)):
        if target.measure in measures:
            return kind, ""
    return "mirror", ""


def _those(kind: str, name: str, agents: tuple[str, ...], without: list[str]) -> tuple[str, ...]:
    if kind == "ladder":
        return ladder(_nothing_played(agents), name)
    if kind == "comparison":
        full = next((one for one in agents if parse_spec(one).name != _RESTRICTED), agents[0])
        mine = [one for one in agents if parse_spec(one).name == _RESTRICTED]
        return tuple(dict.fromkeys([full, *(restricted(full, words) for words in without), *mine]))
    return agents


def _nothing_played(agents: tuple[str, ...]) -> CandidateGames:
    return CandidateGames(pd.DataFrame(), pd.DataFrame({"agent": pd.Categorical([], categories=list(agents))}))


def _group(kind: str, name: str, players: int, agents: tuple[str, ...], targets: tuple[int, ...]) -> Group:
    least = 1 if kind == "mirror" else 2
    if len(agents) < least:
        of = f" named {name}" if name else ""
        raise PlayersError(f"this target needs {least} agents{of} that meet, not {len(agents)}; name each with --agent")
    design = {"mirror": Mirror, "meetings": RoundRobin, "ladder": Ladder, "comparison": FirstAgainstEach}[kind]
    return Group(agents, design(len(agents), players, 0), targets)


def _named(target: Target) -> list[str]:
    if target.measure == "match_ups":
        return sorted({agent for pair in read_wanted(target.argument) for agent in pair})
    return [target.argument] if target.measure in ("win_rate", "success", "score") and target.argument else []


def playable(game: str, players: int, agents: Sequence[str], targets: Sequence[Target]) -> Plan | None:
    """Return a plan for the targets that agents outside the panel can measure too; None if there are none."""
    found = []
    for target in targets:
        try:
            Plan(game, players, agents, [target])
        except TagError:
            continue
        found.append(target)
    return Plan(game, players, agents, found) if found else None
