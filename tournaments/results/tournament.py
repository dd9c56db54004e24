"""The results of a tournament, read from its folder alone: standings, ratings, faults and pauses."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa

from tag.catalogue.registry import dealt_sides
from tag.errors import DataError
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.designs.best_agent import BestAgentDesign
from tag.tournaments.designs.games import GameFaults, Pairing, PlayedGames
from tag.tournaments.designs.matchups import Grid
from tag.tournaments.designs.parts import Part
from tag.tournaments.designs.rounds.design import RoundDesign
from tag.tournaments.designs.rounds.results import RoundsResult
from tag.tournaments.designs.schedule import Schedule
from tag.tournaments.designs.stopping.in_order import InOrderStopping
from tag.tournaments.designs.stopping.pausing import AgentPauses, Pause, pauses_after
from tag.tournaments.designs.stopping.rules import StoppingResult
from tag.tournaments.ledger import rows
from tag.tournaments.ledger.feedback import Feedback, read_feedback
from tag.tournaments.ledger.folder import Folder, FolderOrPath
from tag.tournaments.ledger.reading import COMPARED, LedgerGames, frames_of_table, keys_in, with_keys
from tag.tournaments.ledger.rows import TimedSeats, lengths, seat_columns
from tag.tournaments.statistics.intervals import Bools, Floats, Interval, IntervalEstimate
from tag.tournaments.statistics.numerics import one_thread
from tag.tournaments.statistics.plain_records import flat, plain, plain_record
from tag.tournaments.statistics.ratings.alpha_rank import alpha_rank
from tag.tournaments.statistics.ratings.intransitivity import Intransitivity, intransitivity
from tag.tournaments.statistics.ratings.nash_average import nash_average
from tag.tournaments.statistics.ratings.pairwise import PairwiseTable, groups, holm, log_odds, pairwise
from tag.tournaments.statistics.ratings.ranked_games import RankedGames
from tag.tournaments.statistics.ratings.rating_errors import RatedAgents, rate_agents
from tag.tournaments.statistics.repeats import RepeatedGames, are_independent, repeated_games
from tag.tournaments.statistics.standings import (
    STANDINGS_COLUMNS,
    BlockSums,
    SeatColumns,
    Standing,
    TeamStanding,
    WholeMatchUps,
    mean_milliseconds,
    peak_mb_by_agent,
    ranked_standings,
    team_standings,
    teams_of_one_agent,
)

_LETTERS: Final = string.ascii_uppercase + string.ascii_lowercase


@dataclass(frozen=True, slots=True)
class AgentRating:
    """One agent's strength.

    Attributes:
        interval: nan with fewer than two blocks, or without a game against another agent.
        p_best: the probability that no other agent of its component is stronger; nan where the interval is.
        groups: letters, perhaps numbered; two agents share one just if games compare them and their ratings cannot be
            told apart.
        component: the number of its component, from 1: games compare agents, directly or through others, only within
            one.
        nash: its weight in the equilibrium of greatest entropy; nan unless games have two players and all have met.
    """

    agent: str
    rating: float
    interval: Interval
    p_best: float
    groups: str
    component: int
    nash: float
    alpha_rank: float


@dataclass(frozen=True, slots=True, eq=False)
class RatingDifferences:
    """The row's rating minus the column's; arrays of shape (agents, agents), nan where no games compare the two.

    Attributes:
        low: the lower end of the interval at 95 %.
        corrected: how likely so great a difference is between equals, after Holm's correction for all pairs that games
            compare; nan with fewer than two blocks.
    """

    labels: tuple[str, ...]
    low: Floats
    high: Floats
    corrected: Floats

    @classmethod
    def of(cls, fit: RatedAgents) -> RatingDifferences:
        """Return the differences of rated agents."""
        corrected, p_values = np.full(fit.are_connected.shape, np.nan), fit.p_values()
        one, other = np.nonzero(np.triu(np.isfinite(p_values), 1))
        corrected[one, other] = corrected[other, one] = holm(p_values[one, other])
        return cls(fit.fit.labels, *fit.difference_intervals(), corrected)

    def is_different(self, level: float = 0.05) -> Bools:
        """Return which agents can be told apart: their p value, corrected, is below ``level``."""
        return self.corrected < level

    def to_json(self) -> dict[str, Any]:
        """Return all attributes as plain values, nan as None."""
        arrays = {name: getattr(self, name) for name in ("low", "high", "corrected")}
        return dict(plain({"labels": list(self.labels), **arrays}))


@dataclass(frozen=True, slots=True, eq=False)
class RatingSummary:
    """The strengths of a tournament's agents; only whole match-ups count, as in the standings.

    Attributes:
        agents: by component, the best of each first.
        seats: by number of players, the advantage of each seat in rating points.
        intransitivity: the deviation from an order on one scale; None if some agents have not met.
        repeats: how many games of the tournament repeat others; None where no games can be compared.
    """

    agents: list[AgentRating]
    seats: dict[int, list[IntervalEstimate]]
    pairs: PairwiseTable
    differences: RatingDifferences
    intransitivity: Intransitivity | None
    games: int
    repeats: RepeatedGames | None = None

    @property
    def components(self) -> list[list[str]]:
        """The agents of each component, the best first; those of different ones have no common order."""
        found: dict[int, list[str]] = {}
        for agent in self.agents:
            found.setdefault(agent.component, []).append(agent.agent)
        return list(found.values())

    @property
    def frame(self) -> pd.DataFrame:
        """The agents by label, one row each; the ends of a rating's interval are ``low`` and ``high``."""
        return pd.DataFrame([flat(agent) for agent in self.agents]).set_index("agent")

    def to_json(self) -> dict[str, Any]:
        """Return all attributes as plain values, nan and infinity as None."""
        seats = {
            str(players): [(value, *interval) for value, interval in terms] for players, terms in self.seats.items()
        }
        return {
            "agents": [plain_record(agent) for agent in self.agents],
            "seats": plain(seats),
            "pairs": self.pairs.to_json(),
            "differences": self.differences.to_json(),
            "intransitivity": plain_record(self.intransitivity) if self.intransitivity else None,
            "games": self.games,
            "repeats": plain_record(self.repeats) if self.repeats else None,
        }


class CountedGames:
    """The games of a tournament with the faults that were judged, read in parts, and which of them count.

    Attributes:
        folder: of the tournament.
        games: all in the ledger.
        repeats: how many of them repeat others; None where no games can be compared.
    """

    def __init__(self, folder: Folder, columns: Sequence[str] | None = None, every: int = 1) -> None:
        """Read the ledger of a tournament, or some columns of it, of ``every`` so many-th block.

        Raises:
            DataError: the ledger is damaged.
        """
        self.folder = folder
        self.definition = definition = folder.definition
        self.games = folder.games(None if columns is None else [*_JUDGED, *COMPARED, *columns], every)
        self._keys, agents = keys_in(self.games.table, self.games.actions_digests())
        self._independent = are_independent(self._keys, agents)
        self.repeats = repeated_games(self._keys, agents, len(definition.agents)) if self._keys.any() else None
        self.schedule = definition.schedule()
        self.pauses, self.faults_by_game = judged(self.games, self.schedule)
        uncounted = self.pauses.uncounted()
        self._whole = WholeMatchUps(self.games.table, self.schedule.design.n_seatings)
        if uncounted:
            for _games, seats in self.games.frames():
                self._whole.leave_out(seats, uncounted)

    def independent_share(self) -> float:
        """Return the share of the games that are not void which repeat no earlier one; 1 without games."""
        is_played = ~self.games.column("void")
        return float(self._independent[is_played].mean()) if is_played.any() else 1.0

    def tables(self) -> Iterator[tuple[Any, Bools]]:
        """Yield some thousand games at a time as an Arrow table, and which of them count; at least once."""
        begin = 0
        for table in self.games.tables():
            part = slice(begin, begin + len(table))
            yield with_keys(table, self._keys[part], self._independent[part]), self._whole.count(table)
            begin = part.stop

    def frames(self) -> Iterator[tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]]:
        """Yield games, seats and the seats that count, of some thousand games at a time; at least once."""
        for table, _is_counted in self.tables():
            games, seats = frames_of_table(table)
            yield games, seats, self._whole.of(seats)

    def seats(self) -> Iterator[pd.DataFrame]:
        """Yield the seats that count, of some thousand games at a time; at least once."""
        return (counted for _games, _seats, counted in self.frames())

    def ranked(self) -> RankedGames | None:
        """Return the games that count, for ratings; None if no agents can be compared."""
        if self.games.is_cooperative:
            if self.schedule.design.n_players == 1:
                can_compare = len(self.games.labels) > 1
            else:
                can_compare = len({int(agent) for team in self._teams() for agent in team["agent_index"].unique()}) > 1
            if not can_compare:
                return None
        return self.compared()

    def compared(self) -> RankedGames:
        """Return the games that count, by place.

        Where all players are one team, as in games for one player, the teams of one agent alone are compared by score in
        each block.
        """
        if self.games.is_cooperative:
            return RankedGames.by_score(self._teams())
        return RankedGames.of_parts(self.seats())

    def _teams(self) -> Iterator[pd.DataFrame]:
        """Yield the seats of teams of one agent alone, of some thousand games at a time."""
        return (teams_of_one_agent(seats, self.schedule.design.n_players) for seats in self.seats())


#: The columns for judging games, and for telling which count.
_JUDGED: Final = ["game_id", "agents", "faults", "void", "results"]
#: Those for ratings.
_RANKED: Final = ["ordinals", "teams", "scores"]


def judged(games: LedgerGames, schedule: Schedule) -> tuple[AgentPauses, dict[str, GameFaults]]:
    """Return the pauses of agents after some games, and the faults of these, by id."""
    faults_by_game = rows.faults_by_game([games.table])
    played = PlayedGames([games.table]) if faults_by_game else ()
    return pauses_after(schedule, faults_by_game, played), faults_by_game


def counted_seats(folder: FolderOrPath) -> pd.DataFrame:
    """Return the seats of the games that count in the tournament in ``folder``, as `tournaments.read_ledger` has them.

    Raises:
        DataError: there is no tournament, or its ledger is damaged.
    """
    counted = CountedGames(Folder.of(folder))
    return pd.concat(list(counted.seats()), ignore_index=False)


class UnratedError(DataError):
    """A tournament whose games rate no agents, with the reason as a clause."""

    def __init__(self, sentence: str, reason: str) -> None:
        """Take the sentence for people, and the ``reason`` for one on several tournaments."""
        super().__init__(sentence)
        self.reason = reason


def rate(folder: FolderOrPath, anchors: Mapping[str, float] | None = None) -> RatingSummary:
    """Return the strengths of the agents of the tournament in ``folder``.

    >>> from tempfile import TemporaryDirectory
    >>> from tag.tournaments import define, run_tournament
    >>> with TemporaryDirectory() as folder:
    ...     results = run_tournament(define("nim", ("osla", "random"), 5), Path(folder), tracking=False)
    ...     strengths = rate(Path(folder))
    >>> [(one.agent, round(one.rating)) for one in strengths.agents]
    [('osla', 41), ('random', -41)]

    Args:
        folder: the tournament's.
        anchors: agents' labels with fixed ratings; without any, the mean is 0.

    Raises:
        TagError: there is no tournament, no whole match-up yet, an anchor is not among the agents, or all win or lose
            together.
    """
    opened = Folder.of(folder)
    counted = CountedGames(opened, _RANKED)
    ranked = counted.ranked()
    if ranked is None:
        is_alone = counted.schedule.design.n_players == 1
        why = "one agent plays alone" if is_alone else "all players win or lose together"
        raise UnratedError(f"{str(opened.path)!r} has nothing to rate: {why}; see tag results", f"where {why}")
    if not len(ranked):
        why = "no whole match-up yet"
        raise UnratedError(f"{str(opened.path)!r} has {why}; ratings need one", f"which has {why}")
    repeats = counted.repeats
    del counted
    return rate_games(ranked, anchors, repeats)


def rate_games(
    ranked: RankedGames, anchors: Mapping[str, float] | None = None, repeats: RepeatedGames | None = None
) -> RatingSummary:
    """Return the agents' strengths from one or more games, of which some may repeat others.

    Raises:
        UnknownNameError: an anchor is not among the agents.
        ParameterError: an anchor is no rating.
    """
    with one_thread():
        return _rated(ranked, anchors, repeats)


def _rated(ranked: RankedGames, anchors: Mapping[str, float] | None, repeats: RepeatedGames | None) -> RatingSummary:
    fit = rate_agents(ranked, anchors)
    pairs, differences = pairwise(ranked), RatingDifferences.of(fit)
    have_met = bool(np.isfinite(pairs.score[~np.eye(len(pairs.labels), dtype=bool)]).all())
    nash = alpha = np.full(len(pairs.labels), np.nan)
    if have_met and ranked.agents.shape[1] == 2:
        nash, alpha = nash_average(log_odds(ranked)).weights, alpha_rank(pairs.score)
    return RatingSummary(
        agents=_agents(fit, differences.is_different(), nash, alpha),
        seats=_seats(fit) if ranked.has_seats else {},
        pairs=pairs,
        differences=differences,
        intransitivity=intransitivity(ranked) if have_met and len(pairs.labels) > 2 else None,
        games=len(ranked),
        repeats=repeats,
    )


def _agents(fit: RatedAgents, is_different: Bools, nash: Floats, alpha: Floats) -> list[AgentRating]:
    """Return the agents by component, the best of each first; groups do not extend over components."""
    labels, ratings = fit.fit.labels, fit.fit.ratings
    order = sorted(range(len(labels)), key=lambda agent: (fit.components[agent], -ratings[agent], labels[agent]))
    place = np.empty(len(order))
    place[order] = np.arange(len(order))
    letters = [""] * len(order)
    for number, group in enumerate(groups(is_different | ~fit.are_connected, -place)):
        for agent in group:
            letters[agent] += group_name(number)
    (low, high), best = fit.intervals(), fit.best()
    return [
        AgentRating(
            agent=labels[agent],
            rating=float(ratings[agent]),
            interval=Interval(float(low[agent]), float(high[agent])),
            p_best=float(best[agent]),
            groups=letters[agent],
            component=int(fit.components[agent]) + 1,
            nash=float(nash[agent]),
            alpha_rank=float(alpha[agent]),
        )
        for agent in order
    ]


def group_name(number: int) -> str:
    """Return the letter of a group; many agents may need more groups than there are letters.

    >>> group_name(0), group_name(51), group_name(52), group_name(104)
    ('A', 'z', 'A2', 'A3')
    """
    turn, letter = divmod(number, len(_LETTERS))
    return _LETTERS[letter] + (str(turn + 1) if turn else "")


def _seats(fit: RatedAgents) -> dict[int, list[IntervalEstimate]]:
    intervals = fit.seat_intervals()
    return {
        players: [
            IntervalEstimate(value, Interval(low, high))
            for value, low, high in zip(terms.tolist(), *(ends.tolist() for ends in intervals[players]), strict=True)
        ]
        for players, terms in fit.fit.seats.items()
    }


@dataclass(frozen=True)
class FaultCount:
    """The number of an agent's faults of one kind."""

    agent: str
    kind: str
    faults: int
    games: int


@dataclass(frozen=True)
class PausedAgent:
    """An agent that is paused.

    Attributes:
        after: the id of the last game that was judged.
        from_block: the block from which on its games do not count.
        not_played: how many of its games are not played because of it.
    """

    agent: str
    reason: str
    after: str
    from_block: int
    not_played: int

    @property
    def text(self) -> str:
        """The state of the games, in a line."""
        return (
            f"{self.agent} is paused after game {self.after} ({self.reason}): {self.not_played:,} of its games are not "
            f"played, and none from block {self.from_block} on counts"
        )


@dataclass(frozen=True)
class VariantStandings:
    """The standings in the blocks in which a drawn parameter of the game had one value, or on one side of a game.

    Attributes:
        parameter: its name, or ``side``.
        value: as in a spec, or the name of the side.
        standings: of these games alone, one per agent, best first, without times.
    """

    parameter: str
    value: str
    standings: list[Standing]

    def to_json(self) -> dict[str, Any]:
        """Return all attributes as plain values."""
        agents = [standing.to_json() for standing in self.standings]
        return {"parameter": self.parameter, "value": self.value, "agents": agents}


@dataclass(frozen=True)
class TournamentResults:
    """The results of a tournament so far.

    Attributes:
        total: the games of the whole tournament, without those that paused agents do not play. While a stopping rule is
            undecided, it is the most there can be; once it is decided, the games that have been played.
        content_hash: the same for ledgers of the same games with the same results, in any order and division into
            files.
        stopping: the state of its stopping rule, if it has one.
        faults: counts by agent and kind, in the agents' order.
        grid: how often each agent is placed above each other, in their order, if the design is a grid and the game is
            not co-operative.
        is_cooperative: whether all players win or lose together, as in co-operative games and those for one player.
        is_alone: whether the games are for one player.
        teams: the score and success of each team of a co-operative game, best first.
        variants: the standings by each value of each parameter that is drawn anew for each block.
        sides: the standings on each side, where games deal who is on which (`GameType.sides`).
        rounds: the rounds of a Swiss tournament or a knockout, and its winner.
        repeats: how many games repeat others, where chance decides nothing.
        part: the share of the tournament that is played in the folder, such as ``3/8``; empty for all.
        feedback: what people said of games in which they played.
    """

    folder: Path
    standings: list[Standing]
    games: int
    total: int
    content_hash: str
    stopping: StoppingResult | None = None
    faults: list[FaultCount] = field(default_factory=list)
    paused: list[PausedAgent] = field(default_factory=list)
    grid: PairwiseTable | None = None
    is_cooperative: bool = False
    is_alone: bool = False
    teams: list[TeamStanding] = field(default_factory=list)
    variants: list[VariantStandings] = field(default_factory=list)
    sides: list[VariantStandings] = field(default_factory=list)
    rounds: RoundsResult | None = None
    repeats: RepeatedGames | None = None
    part: str = ""
    feedback: list[Feedback] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """True if all games of the tournament, or of its part, have been played."""
        return self.games == self.total

    @property
    def by_score(self) -> bool:
        """True if agents are compared by score: in games that count points and in which all players are one team."""
        is_one_team = self.is_alone or self.is_cooperative
        return is_one_team and any(one.score != one.win_rate for one in self.standings if one.games)

    @property
    def at_most(self) -> bool:
        """True if the total is only the most that may be played."""
        return not self.complete and self.stopping is not None and not self.stopping.is_decided

    @property
    def total_text(self) -> str:
        """The total in words."""
        return f"{'at most ' if self.at_most else ''}{self.total:,}"

    @property
    def part_text(self) -> str:
        """The part in words; empty where the tournament is whole."""
        return f"part {Part.read(self.part).text}" if self.part else ""

    def to_json(self) -> dict[str, Any]:
        """Return all attributes but the folder as plain values."""
        return {
            "agents": [standing.to_json() for standing in self.standings],
            "games": self.games,
            "total": self.total,
            "at_most": self.at_most,
            "complete": self.complete,
            "faults": [asdict(count) for count in self.faults],
            "paused": [asdict(agent) for agent in self.paused],
            "content_hash": self.content_hash,
            "stopping": self.stopping.to_json() if self.stopping else None,
            "grid": self.grid.to_json() if self.grid else None,
            "cooperative": self.is_cooperative,
            "teams": [team.to_json() for team in self.teams],
            "variants": [variant.to_json() for variant in self.variants],
            **({"sides": [side.to_json() for side in self.sides]} if self.sides else {}),
            "rounds": self.rounds.to_json() if self.rounds else None,
            "repeats": plain_record(self.repeats) if self.repeats else None,
            **({"part": self.part} if self.part else {}),
            **({"feedback": [said.to_json() for said in self.feedback]} if self.feedback else {}),
        }


def read_results(folder: FolderOrPath) -> TournamentResults:
    """Return the results of the tournament in ``folder``.

    >>> from tempfile import TemporaryDirectory
    >>> from tag.tournaments import define, run_tournament
    >>> with TemporaryDirectory() as folder:
    ...     results = run_tournament(define("nim", ("osla", "random"), 4), Path(folder), tracking=False)
    ...     again = read_results(Path(folder))
    >>> again.games, again.total, again.content_hash == results.content_hash
    (8, 8, True)
    >>> [(one.agent, one.win_rate) for one in again.standings]
    [('osla', 0.625), ('random', 0.375)]

    Raises:
        DataError: there is no tournament.
    """
    opened = Folder.of(folder)
    return results_of(CountedGames(opened))


#: Columns that only the content hash needs.
_NOT_SUMMED: Final = ("game", "seed", "ticks", "turns", "rounds", "state_hash")


def results_of(counted: CountedGames, not_summed: Sequence[str] = _NOT_SUMMED) -> TournamentResults:
    """Return the results of a tournament whose games have been read; columns that are not summed are dropped."""
    definition, games, schedule, pauses = counted.definition, counted.games, counted.schedule, counted.pauses
    tally = StandingSums(games.labels, definition.players, games.is_cooperative, dealt_sides(definition.game))
    for timed in games.timed_seats():
        tally.add_times(timed)
    content_hash = games.content_hash()
    games.drop(not_summed)
    n_games, is_shared, skipped = len(games), games.is_cooperative, pauses.skipped()
    n_games -= int(np.isin(games.table["game_id"], list(skipped)).sum()) if skipped else 0
    knows = counted.folder.knows_tables(schedule.design)
    rule = definition.stopping_rule(schedule) if knows else None
    needs_seats = is_shared or isinstance(schedule.design, Grid)
    in_rounds = schedule.design.in_rounds and knows
    is_over = isinstance(schedule.design, BestAgentDesign) and not knows  # it ended by older rules, or does not go on
    for table, is_counted in counted.tables():
        tally.add(table, table, is_counted)
    stopping, kept = InOrderStopping(schedule, rule) if rule is not None or in_rounds else None, list[pd.DataFrame]()
    for played, seats, of_whole in counted.frames() if needs_seats or stopping else ():
        if needs_seats:
            kept.append(of_whole)
        if stopping:
            stopping.add_ledger(*pauses.before_pauses(played, seats))
    return TournamentResults(
        folder=counted.folder.path,
        standings=tally.standings(),
        games=n_games,
        total=n_games if is_over or (rule is not None and rule.is_decided) else len(schedule) - len(skipped),
        content_hash=content_hash,
        stopping=rule.result() if rule else None,
        faults=fault_counts(counted.faults_by_game, definition.labels),
        paused=[_paused(pause, skipped, definition.labels) for _agent, pause in sorted(pauses.by_agent.items())],
        grid=pairwise(RankedGames.of_parts(kept)) if needs_seats and not is_shared else None,
        is_cooperative=is_shared,
        is_alone=definition.players == 1,
        teams=team_standings(pd.concat(kept), definition.players) if is_shared and definition.players > 1 else [],
        variants=list(variant_standings(definition, tally)),
        sides=tally.by_side(),
        rounds=rounds_of(schedule, definition.labels) if in_rounds else None,
        repeats=counted.repeats,
        part=definition.part,
        feedback=read_feedback(counted.folder.path),
    )


def rounds_of(schedule: Schedule, labels: Sequence[str]) -> RoundsResult | None:
    """Return the rounds of a ``schedule`` that has learnt from the ledger, None where it has none."""
    return schedule.design.result(labels) if isinstance(schedule.design, RoundDesign) else None


#: Sums of so many parts of a ledger are joined, as a ledger that is followed comes in thousands of parts.
_MOST_PARTS: Final = 16


class StandingSums:
    """Sums over the seats of a ledger, for standings.

    Attributes:
        n_blocks: one more than the greatest number of a block.
    """

    def __init__(
        self, labels: Sequence[str], n_players: int, is_one_team: bool = False, sides: Sequence[str] = ()
    ) -> None:
        """Begin without seats; ``is_one_team`` says whether all players win or lose together.

        ``sides`` are the names of the teams, by number, of each of which there are standings as well.
        """
        self.n_blocks = 0
        self._labels = labels
        self._n_players = n_players
        self._is_one_team = is_one_team
        self._counted = [BlockSums.none(len(labels))]
        self._sides = {side: [BlockSums.none(len(labels))] for side in sides}
        self._faults = [BlockSums.none(len(labels), ["faults"])]
        self._seconds, self._decided = np.zeros((2, 2, len(labels)))
        self._peak_mb = np.full(len(labels), np.nan)

    def add(self, new: Any, games: Any, is_counted: Bools) -> None:
        """Add ``new`` games, and those that count of ``games``, which are new ones and earlier ones, as Arrow tables."""
        self.n_blocks = max(self.n_blocks, int(new["block"].to_numpy().max(initial=-1)) + 1)
        if lengths(new["faults"]).any():
            self.add_faults(seat_columns(new, ["block", "agent_index", "faults"]))
        counted = games if is_counted.all() else games.filter(pa.array(is_counted))
        seats = seat_columns(counted, (*STANDINGS_COLUMNS, "team") if self._sides else STANDINGS_COLUMNS)
        self.add_counted(seats)
        for number, parts in enumerate(self._sides.values()):
            is_there = seats["team"] == number
            of_side = {name: values[is_there] for name, values in seats.items() if name != "team"}
            _add_part(parts, BlockSums.over(of_side, len(self._labels)))

    def add_faults(self, seats: SeatColumns) -> None:
        """Add the faults of some seats."""
        _add_part(self._faults, BlockSums.over(seats, len(self._labels), ["faults"]))

    def add_counted(self, seats: SeatColumns) -> None:
        """Add seats that count."""
        _add_part(self._counted, BlockSums.over(seats, len(self._labels)))

    @property
    def _by_block(self) -> dict[str, list[BlockSums]]:
        """The parts of all sums by block, by name."""
        sides = {f"side {number}": parts for number, parts in enumerate(self._sides.values())}
        return {"counted": self._counted, "faults": self._faults, **sides}

    def arrays(self) -> dict[str, Any]:
        """Return all sums as arrays, for `take`."""
        found = {"seconds": self._seconds.copy(), "decided": self._decided.copy(), "peak_mb": self._peak_mb}
        for name, parts in self._by_block.items():
            sums = BlockSums.joined(parts)
            found |= {f"{name}/": sums.blocks, **{f"{name}/{column}": sums.all(column) for column in sums.sums}}
        return found

    def take(self, arrays: Mapping[str, Any]) -> None:
        """Begin with the sums of `arrays`, of the same agents or the first of them."""
        n = arrays["peak_mb"].shape[0]
        self._seconds[:, :n], self._decided[:, :n] = arrays["seconds"], arrays["decided"]
        self._peak_mb[:n] = arrays["peak_mb"]
        for name, parts in self._by_block.items():
            blocks = arrays[f"{name}/"]
            sums = {column: arrays[f"{name}/{column}"] for column in parts[0].sums}
            further = ((0, len(self._labels) - n), (0, 0))
            more = {column: np.pad(values, further) for column, values in sums.items()}
            parts[:] = [BlockSums(blocks, more)]
            self.n_blocks = max(self.n_blocks, int(blocks.max(initial=-1)) + 1)

    def add_times(self, timed: TimedSeats) -> None:
        """Add the times of some seats, of wall and of CPU, and their memory."""
        n = len(self._labels)
        for clock, seconds in enumerate((timed.seconds, timed.cpu_seconds)):
            agents, decisions, known = timed.agents, timed.decisions, seconds
            is_known = ~np.isnan(seconds)
            if not is_known.all():
                agents, decisions, known = agents[is_known], decisions[is_known], seconds[is_known]
            self._seconds[clock] += np.bincount(agents, known, n)
            self._decided[clock] += np.bincount(agents, decisions, n)
        self._peak_mb = np.fmax(self._peak_mb, peak_mb_by_agent(timed.agents, timed.peak_mb, n))

    def standings(self, chosen: Bools | None = None) -> list[Standing]:
        """Return the standings, with wider intervals where games repeat others.

        Those in some blocks have no times; ``chosen`` is a mask by the number of the block.
        """
        counted, faults = BlockSums.joined(self._counted), BlockSums.joined(self._faults)
        known = np.vstack([mean_milliseconds(self._seconds, self._decided), self._peak_mb])
        costs = known if chosen is None else None
        if chosen is not None:
            counted, faults = (sums.where(chosen[sums.blocks]) for sums in (counted, faults))
        n_faults = faults.all("faults").sum(axis=1)
        return ranked_standings(self._labels, counted, self._n_players, n_faults, costs, self._is_one_team)

    def by_side(self) -> list[VariantStandings]:
        """Return the standings on each side, without faults and times."""
        return [
            VariantStandings("side", side, ranked_standings(self._labels, BlockSums.joined(parts), self._n_players))
            for side, parts in self._sides.items()
        ]


def _add_part(parts: list[BlockSums], sums: BlockSums) -> None:
    """Add sums to others, which are joined where they become many."""
    parts.append(sums)
    if len(parts) > _MOST_PARTS:
        parts[:] = [BlockSums.joined(parts)]


def variant_standings(definition: TournamentDefinition, tally: StandingSums) -> Iterator[VariantStandings]:
    """Yield the standings by each value of each parameter that is drawn."""
    for draw in definition.variants.draws if definition.draw else ():
        numbers = np.array([draw.number(definition.seed, block) for block in range(tally.n_blocks)], dtype=np.int64)
        for number, value in enumerate(draw.values):
            yield VariantStandings(draw.parameter, value, tally.standings(numbers == number))


def fault_counts(faults_by_game: Mapping[str, GameFaults], labels: Sequence[str]) -> list[FaultCount]:
    """Count the faults of each kind of each agent, in the agents' order."""
    faults = Counter(fault for of_game in faults_by_game.values() for fault in of_game)
    games = Counter(fault for of_game in faults_by_game.values() for fault in set(of_game))
    return [FaultCount(labels[agent], kind, faults[agent, kind], games[agent, kind]) for agent, kind in sorted(faults)]


def _paused(pause: Pause, skipped: Mapping[str, Pairing], labels: Sequence[str]) -> PausedAgent:
    """Return the pause of an agent; a game of two paused agents is missing because of both."""
    not_played = sum(pause.agent in pairing.agents for pairing in skipped.values())
    return PausedAgent(labels[pause.agent], pause.reason, pause.after.game_id, pause.after.block, not_played)
