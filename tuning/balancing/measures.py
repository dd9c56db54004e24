"""The measures of a game: how it ends and how long it lasts, seats, luck, skill, match-ups and restricted play."""

from __future__ import annotations

import csv
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import isfinite
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from tag.agents.restricted import RestrictedParameters, WithoutActions
from tag.catalogue.registry import canonical, make_agent, make_game
from tag.engine.parameters import Choice, Dimension, Flag, Integer, Parameters, Real, Spec, parse_spec
from tag.engine.results import DISQUALIFIED, ONGOING, TIMEOUT, result_name
from tag.engine.state import AnyAction, GameState
from tag.engine.text_files import read_text
from tag.errors import DataError, PlayersError, UnknownNameError, nearest
from tag.playing.agent import Agent
from tag.playing.decorators import meant
from tag.playing.game import Game
from tag.playing.listener import Listener
from tag.tournaments.statistics.clustered_means import ClusteredMean
from tag.tournaments.statistics.intervals import HALF_WIDTH, Bools, Floats
from tag.tournaments.statistics.ratings.pairwise import Meetings
from tag.tournaments.statistics.ratings.ranked_games import RankedGames
from tag.tuning.balancing.estimation import (
    ROOT_MEAN_SQUARE,
    SPREAD,
    BlockMeans,
    CandidateGames,
    Estimate,
    by_block,
    mean_estimate,
    share_estimate,
    size_estimate,
)
from tag.tuning.space.configurations import to_unit
from tag.tuning.space.ranges import NumberRange, whole_range

# Measurements in the course of games: drama, lead changes, choices, and the counts of a game's own metric.


def measured(candidate: CandidateGames, name: str, *, is_share: bool, is_share_of_games: bool) -> Estimate:
    """Return the mean over games of a game's mean of a measure, each game counting once, however long it was.

    Values of a share lie between 0 and 1; those of a share of games are 0 or 1 in each game.
    """
    rows = candidate.measures[(candidate.measures["measure"] == name).to_numpy(dtype=bool)]
    of_game = rows.astype({"game_id": str}).groupby("game_id")["value"].mean()
    values = of_game.reindex(candidate.game_ids).to_numpy(dtype=np.float64)
    has_value = np.isfinite(values)
    mean = by_block(candidate.blocks[has_value], values[has_value])
    n_games = int(has_value.sum())
    if is_share_of_games:
        return share_estimate(mean, n_games)
    return mean_estimate(mean, *((0.0, 1.0) if is_share else (-np.inf, np.inf)), n_games)


_LONG: Final = 0.95
_SECONDS: Final = 60.0


def game_lengths(candidate: CandidateGames, unit: str, pace: float = 0.0) -> Floats:
    """Return the length of each game that counts, of shape (games,).

    The unit is a column of games (``ticks``, ``turns``, ``rounds``), ``decisions`` of all seats together, or
    ``minutes`` with a ``pace`` of so many seconds per decision.
    """
    if unit in ("decisions", "minutes"):
        decisions: Floats = candidate.column("decisions").astype(np.float64).sum(axis=1)
        return decisions * (pace / _SECONDS) if unit == "minutes" else decisions
    of_game = candidate.games.set_index("game_id")[unit]
    lengths: Floats = of_game.reindex(candidate.game_ids).to_numpy(dtype=np.float64)
    return lengths


def mean_length(candidate: CandidateGames, lengths: Floats) -> Estimate:
    """Return the mean length."""
    return mean_estimate(by_block(candidate.blocks, lengths), 0.0, np.inf, len(lengths))


def long_length(candidate: CandidateGames, lengths: Floats) -> Estimate:
    """Return the length below which 95 % of games stay, with Woodruff's interval.

    It goes between the quantiles at the ends of the interval of the share below (Woodruff, Journal of the American
    Statistical Association 47, 1952). It has no upper end where there are too few games to see one.
    """
    if not len(lengths):
        return Estimate.unknown(0.0)
    value = float(np.quantile(lengths, _LONG, method="higher"))
    below = by_block(candidate.blocks, lengths <= value)
    share = ClusteredMean(_LONG, _LONG * (1.0 - _LONG) / below.effective_games(), below.clusters)
    least, greatest = share.interval(0.0, 1.0)
    low = float(np.quantile(lengths, least, method="lower"))
    is_seen = greatest < 1.0 - 1.0 / (len(lengths) + 1.0)
    high = float(np.quantile(lengths, greatest, method="higher")) if is_seen else np.inf
    return Estimate(value, (high - low) / (2.0 * HALF_WIDTH), low, high, len(lengths))


def luck(candidate: CandidateGames) -> Estimate:
    """Return the share of the variance of a seat's points that the chance seed explains: 0 for none, 1 for all.

    The games of a block have one seed and other agents in a seat. Beyond what its agents and the seat itself have in
    all blocks, the points of a seat share only the deal. Luck is their covariance between games of a block, over their
    variance (the intraclass correlation of a random effect). Differences within a block do not inflate covariances, so
    seating and the agents' own noise drop out, and the value can be below 0 by chance. The interval is Student's for a
    ratio of sums over blocks.

    The measure needs games that either side can win: with nearly certain results, few blocks inform the covariances,
    and 95 % intervals hold rather 92 %. Blocks with one game tell nothing. Agents of one spec that sit together play
    equal games in all seatings, which looks like luck, unless their streams differ (``streams = "agent"``).
    """
    left = _left(candidate)
    block, n_blocks = candidate.block_numbers
    games = np.bincount(block, minlength=n_blocks).astype(np.float64)
    sums = np.stack([np.bincount(block, column, n_blocks) for column in left.T], axis=1)
    squares = np.bincount(block, (left**2).sum(axis=1), n_blocks)
    pairs = np.maximum(games * (games - 1.0), 1.0)
    has_pairs = games > 1.0
    common = np.where(has_pairs, ((sums**2).sum(axis=1) - squares) / pairs, 0.0)
    whole = np.where(has_pairs, squares / np.maximum(games, 1.0), 0.0)
    if not common.any():  # no two games of a block differ from the expected points
        return Estimate.unknown(-1.0, 1.0, len(candidate.blocks))
    share = ClusteredMean.of(common[has_pairs], whole[has_pairs])
    return mean_estimate(share, -1.0, 1.0, int(games[has_pairs].sum()))


def _left(candidate: CandidateGames) -> Floats:
    """Return the points of each seat, of shape (games, seats), less the mean of its agents and seat."""
    n_agents = len(candidate.labels)
    table = np.zeros(len(candidate.blocks), dtype=np.int64)
    for agents in candidate.agents.T:
        table = pd.factorize(table * n_agents + agents)[0]
    counts = np.bincount(table)
    means = np.stack([np.bincount(table, column) / counts for column in candidate.points.T], axis=1)
    left: Floats = candidate.points - means[table]
    return left


#: The wanted score of the first agent of a pair against the second, from 0 to 1; a shared place is a half.
WantedScores = Mapping[tuple[str, str], float]


def match_up_distance(candidate: CandidateGames, wanted: WantedScores) -> Estimate:
    """Return the root of the mean squared difference between the scores of pairs of agents and the wanted scores.

    Scores are those of the pairwise table (`tag.tournaments.statistics.ratings.pairwise`): how often the one is placed
    above the other, half for a shared place. The bias of noise is removed (`tag.tuning.balancing.estimation`).

    Raises:
        UnknownNameError: an agent does not take part.
        DataError: two agents have not met, or nothing is wanted.
    """
    pairs = [(candidate.agent(one), candidate.agent(other)) for one, other in wanted]
    if not pairs:
        raise DataError("no scores between agents are wanted; name one at least")
    found = _scores(candidate, pairs)
    offset = found.means - np.array(list(wanted.values()))
    return size_estimate(BlockMeans(offset, found.covariance, found.blocks, found.games), ROOT_MEAN_SQUARE, 1.0)


def read_wanted(path: Path | str) -> dict[tuple[str, str], float]:
    """Read a matrix of scores from CSV: agents as the header and first column, the row's score in the cell, some empty.

    It is the form of `tag export … pairs` laid out as a table. Of two agents, one cell is enough; where both are there
    they sum to 1.

    Raises:
        DataError: it is no such file.
    """
    try:
        header, *rows = [row for row in csv.reader(read_text(path, "wanted scores").splitlines()) if row]
    except (csv.Error, ValueError) as error:
        raise DataError(f"cannot read the wanted scores in {str(path)!r}: {error}") from None
    cells = {
        (row[0].strip(), other.strip()): _score(text, path)
        for row in rows
        for other, text in zip(header[1:], row[1:], strict=False)
        if text.strip() and other.strip() != row[0].strip()
    }
    for (one, other), score in cells.items():
        if abs(score + cells.get((other, one), 1.0 - score) - 1.0) > 1e-9:
            raise DataError(f"the wanted scores of {one!r} and {other!r} in {str(path)!r} do not sum to 1")
    agents = list(dict.fromkeys(agent for pair in cells for agent in pair))
    found = {}
    for pair in combinations(agents, 2):
        if pair in cells:
            found[pair] = cells[pair]
        elif pair[::-1] in cells:
            found[pair] = 1.0 - cells[pair[::-1]]
    if not found:
        raise DataError(f"{str(path)!r} has no scores; its first row and column name agents")
    return found


def _score(text: str, path: Path | str) -> float:
    try:
        score = float(text)
    except ValueError:
        score = float("nan")
    if not isfinite(score) or not 0.0 <= score <= 1.0:
        raise DataError(f"a wanted score in {str(path)!r} cannot be {text.strip()!r}; it lies between 0 and 1")
    return score


def _scores(candidate: CandidateGames, pairs: list[tuple[int, int]]) -> BlockMeans:
    meetings = Meetings.of(RankedGames.of(candidate.counted))
    scores, games = meetings.by_group(np.arange(meetings.n_blocks), meetings.n_blocks)
    rows, columns = np.array(pairs).T
    met = games[:, rows, columns]
    for (one, other), count in zip(pairs, met.sum(axis=0), strict=True):
        if not count:
            labels = candidate.labels
            raise DataError(f"{labels[one]!r} and {labels[other]!r} have not met in these games")
    return BlockMeans.of(scores[:, rows, columns], met, len(candidate.blocks))


#: The results of a game that was not played to the end of the rules.
_CUT_SHORT = tuple(map(result_name, (ONGOING, TIMEOUT, DISQUALIFIED)))


def draws(candidate: CandidateGames) -> Estimate:
    """Return the share of games without a winner."""
    return _share(candidate, ~_any(candidate.is_won))


def success(candidate: CandidateGames, agent: str = "") -> Estimate:
    """Return how often teams succeed in a co-operative game: all, or the one of an agent alone."""
    is_meant = ~_any(candidate.agents != candidate.agent(agent)) if agent else None
    return _share(candidate, _any(candidate.is_won), is_meant)


def win_rate(candidate: CandidateGames, agent: str) -> Estimate:
    """Return the share of its games that an agent wins, once per seat."""
    block, n_blocks = candidate.block_numbers
    sits = candidate.agents == candidate.agent(agent)
    wins = (sits & candidate.is_won).sum(axis=1)
    totals, sizes = (np.bincount(block, what, n_blocks).astype(np.float64) for what in (wins, sits.sum(axis=1)))
    return share_estimate(ClusteredMean.of(totals, sizes), int(_any(sits).sum()))


def mean_score(candidate: CandidateGames, agent: str = "") -> Estimate:
    """Return the mean score of all seats, or of those of an agent."""
    block, n_blocks = candidate.block_numbers
    scores = candidate.column("score").astype(np.float64)
    sits = candidate.agents == candidate.agent(agent) if agent else np.ones(scores.shape, dtype=np.bool_)
    totals, sizes = (
        np.bincount(block, what, n_blocks).astype(np.float64)
        for what in ((scores * sits).sum(axis=1), sits.sum(axis=1))
    )
    return mean_estimate(ClusteredMean.of(totals, sizes), -np.inf, np.inf, int(_any(sits).sum()))


def completion(candidate: CandidateGames, actions: float | None = None) -> Estimate:
    """Return the share of games that end by the rules, none by a fault, within so many actions if that is asked for.

    All games count here, those that are void above all.
    """
    is_cut = np.isin(candidate.seats["result"].to_numpy(dtype=str), _CUT_SHORT)
    is_over = ~_any(is_cut.reshape(-1, max(candidate.n_players, 1)))
    if actions is not None:
        is_over &= candidate.games["ticks"].to_numpy() <= actions
    blocks = candidate.games["block"].to_numpy(dtype=np.int64)
    return share_estimate(by_block(blocks, is_over), len(is_over))


def _share(candidate: CandidateGames, is_so: Bools, is_meant: Bools | None = None) -> Estimate:
    meant = np.ones(len(is_so), dtype=np.bool_) if is_meant is None else is_meant
    return share_estimate(by_block(candidate.blocks[meant], is_so[meant]), int(meant.sum()))


def _any(rows: Bools) -> Bools:
    return np.asarray(rows.any(axis=1), dtype=np.bool_)


def seat_points(candidate: CandidateGames) -> BlockMeans:
    """Return the mean points of each seat; with whole match-ups every agent has sat in every seat."""
    block, n_blocks = candidate.block_numbers
    seats = candidate.n_players
    totals = np.zeros((n_blocks, seats))
    np.add.at(totals, block, candidate.points)
    games = np.bincount(block, minlength=n_blocks).astype(np.float64)
    return BlockMeans.of(totals, np.repeat(games[:, None], seats, axis=1), len(block))


def first_seat(candidate: CandidateGames) -> Estimate:
    """Return the points of the first seat beyond an equal share of those of all seats."""
    means = seat_points(candidate)
    seats = max(len(means.means), 1)
    share = 1.0 / seats
    weights = np.full(len(means.means), -share)
    weights[:1] += 1.0
    return means.combined(weights, -share, 1.0 - share)


def seat_spread(candidate: CandidateGames) -> Estimate:
    """Return the points of the best seat less those of the worst, without the bias of noise."""
    return size_estimate(seat_points(candidate), SPREAD, 1.0)


# After Ludii's metric of that name: an agent meets itself with half its budget, at doubling budgets. A step's gain is
# twice the stronger agent's share of the points less one: 0 where the budget makes no difference, 1 where the stronger
# always wins. Seats are paired by blocks, and all steps share their seeds, so that errors of steps depend on each other;
# area and slope take that into account.


@dataclass(frozen=True)
class SkillTrace:
    """Gains from doubling the budget of agents, the weakest first, each against the one before.

    Attributes:
        area: the mean of the gains: how much skill the game rewards.
        slope: how much the gain changes from step to step, by least squares: below 0 where the game is soon played out.
    """

    agents: tuple[str, ...]
    gains: tuple[Estimate, ...]
    area: Estimate
    slope: Estimate


def skill_trace(candidate: CandidateGames, agents: Sequence[str] = ()) -> SkillTrace:
    """Return the skill trace of agents that have met their neighbours, the weakest first; by default of all in their order.

    Raises:
        UnknownNameError: an agent does not take part.
        PlayersError: there are fewer than two.
        DataError: two neighbours have not met.
    """
    labels = tuple(agents) or candidate.labels
    if len(labels) < 2:
        raise PlayersError(f"a skill trace needs 2 agents at growing budgets, not {len(labels)}")
    numbers = [candidate.agent(label) for label in labels]
    gains = _gains(candidate, numbers)
    k = len(numbers) - 1
    steps = np.arange(k) - (k - 1) / 2.0
    slope = np.divide(steps, steps @ steps) if k > 1 else None
    return SkillTrace(
        labels,
        tuple(gains.combined(row, -1.0, 1.0) for row in np.eye(k)),
        gains.combined(np.full(k, 1.0 / k), -1.0, 1.0),
        Estimate.unknown(games=gains.games) if slope is None else gains.combined(slope, *_range(slope)),
    )


def ladder(candidate: CandidateGames, name: str) -> tuple[str, ...]:
    """Return the agents of that name in the order of the tournament, all of them for no name."""
    return tuple(label for label in candidate.labels if name in ("", parse_spec(label).name.partition("#")[0]))


def _range(weights: Floats) -> tuple[float, float]:
    reach = float(np.abs(weights).sum())
    return -reach, reach


def _gains(candidate: CandidateGames, agents: list[int]) -> BlockMeans:
    """Return twice the share of the points of each agent against the one before, less one."""
    block, n_blocks = candidate.block_numbers
    totals, sizes = np.zeros((n_blocks, len(agents) - 1)), np.zeros((n_blocks, len(agents) - 1))
    is_used = np.zeros(len(block), dtype=bool)
    for step, (weak, strong) in enumerate(pairwise(agents)):
        of_weak, of_strong = candidate.agents == weak, candidate.agents == strong
        meets = of_weak.any(axis=1) & of_strong.any(axis=1)
        if not meets.any():
            raise DataError(f"{candidate.labels[weak]!r} and {candidate.labels[strong]!r} have not met in these games")
        is_used |= meets
        won, lost = ((candidate.points * sits).sum(axis=1) * meets for sits in (of_strong, of_weak))
        totals[:, step] = np.bincount(block, won - lost, n_blocks)
        sizes[:, step] = np.bincount(block, won + lost, n_blocks)
    return BlockMeans.of(totals, sizes, int(is_used.sum()))


# Restricted play: the value of actions, by agents that never take them (Jaffe et al., 2012; `tag.agents.restricted`).


_NAME: Final = "restricted"
#: Random games in which names of actions are looked up.
_LOOKED_AT: Final = 20


def restricted(agent: str, without: str) -> str:
    """Return the spec of an agent that never takes the actions of that name.

    >>> restricted("mcts:budget=100", "Guard")
    'restricted:agent=(mcts:budget=100),without=Guard'
    """
    return canonical(Spec(_NAME, {"agent": agent, "without": without}), RestrictedParameters)


def restriction(candidate: CandidateGames, without: str) -> Estimate:
    """Return how many points more per game an agent has that never takes some actions than the agent that may.

    Below 0, the actions are worth having. Games in which both sit count.

    Raises:
        UnknownNameError: no agent plays without these actions, or there is no agent to compare with.
    """
    found = _compared(candidate, [_pair(candidate, without)])
    return found.combined(np.ones(1), -1.0, 1.0)


def restriction_spread(candidate: CandidateGames) -> Estimate:
    """Return how far apart the best and the worst restriction are, in points per game, with the bias of noise removed.

    Raises:
        UnknownNameError: fewer than two restrictions are played.
    """
    names = restrictions(candidate)
    if len(names) < 2:
        raise UnknownNameError(
            f"a spread needs 2 restrictions in these games, and there are {len(names)}; add agents {_NAME}:…"
        )
    return size_estimate(_compared(candidate, [_pair(candidate, name) for name in names]), SPREAD, 2.0)


def restrictions(candidate: CandidateGames) -> list[str]:
    """Return the actions that the restricted agents of these games play without, in their order."""
    found = (parse_spec(label) for label in candidate.labels)
    return [str(spec.values.get("without", "")) for spec in found if spec.name == _NAME]


def unseen(game: str, n_players: int, names: list[str]) -> list[str]:
    """Return a sentence for each name by which no action is called in some random games: it may be misspelt.

    The name may also be right: random players seldom reach some actions.
    """
    model = make_game(game)
    seen = _Seen(names)
    for seed in range(_LOOKED_AT):
        players: list[Agent] = [make_agent("random") for _seat in range(n_players)]
        Game(model, players, seed, listeners=[seen]).play()
    return [
        f"no action in {_LOOKED_AT} random games of {game} is called {name!r}{nearest(name, seen.classes)}"
        for name in seen.missing
    ]


def _pair(candidate: CandidateGames, without: str) -> tuple[int, int]:
    for number, label in enumerate(candidate.labels):
        spec = parse_spec(label)
        if spec.name == _NAME and spec.values.get("without") == without:
            full = str(spec.values.get("agent", RestrictedParameters().agent))
            return number, candidate.agent(full)
    raise UnknownNameError.of("restriction in these games", without, restrictions(candidate))


def _compared(candidate: CandidateGames, pairs: list[tuple[int, int]]) -> BlockMeans:
    """Return by how many points per game the first of each pair is better where both sit, a seat like any other."""
    block, n_blocks = candidate.block_numbers
    shape = (n_blocks, 2 * len(pairs))
    totals, sizes = np.zeros(shape), np.zeros(shape)
    is_used = np.zeros(len(block), dtype=bool)
    for number, pair in enumerate(pairs):
        sits = [candidate.agents == agent for agent in pair]
        both = sits[0].any(axis=1) & sits[1].any(axis=1)
        is_used |= both
        for column, seats in enumerate(sits, 2 * number):
            points = np.where(seats, candidate.points, 0.0).sum(axis=1)
            totals[:, column] = np.bincount(block, points * both, n_blocks)
            sizes[:, column] = np.bincount(block, seats.sum(axis=1) * both, n_blocks)
    differences = np.kron(np.eye(len(pairs)), np.array([1.0, -1.0]))
    return BlockMeans.of(totals, sizes, int(is_used.sum())).contrasted(differences)


class _Seen(Listener):
    """Looks for actions by name: those by which none was ``missing`` yet, and the names of the ``classes`` of all."""

    def __init__(self, names: list[str]) -> None:
        self.missing = list(names)
        self.classes: set[str] = set()
        self._filters = {name: WithoutActions(name) for name in names}

    def on_action_chosen(
        self, state: GameState, player: int, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        self.classes.update(type(meant(one)).__name__ for one in actions)
        self.missing = [name for name in self.missing if len(self._filters[name].kept(state, actions)) == len(actions)]


def rules_distance(
    parameters: type[Parameters], values: Mapping[str, Any], searched: Collection[str] | None = None
) -> Estimate:
    """Return the mean distance of parameters from their defaults, each from 0 (as printed) to 1 (across its range).

    Numbers go by their declared range, on a logarithmic scale where it is one; ordered choices by their places; others
    are as printed or not. Parameters without an effect beside the others are as printed. No game is needed. The mean is
    over those ``searched``, by default over all that can be.

    Raises:
        UnknownNameError: there is no such parameter, or it cannot be searched.
    """
    known = {one.name: one for one in _searchable(parameters)}
    names = list(known if searched is None else searched)
    for name in (*names, *values):
        if name not in known:
            raise UnknownNameError.of("parameter", name, known)
    printed = parameters()
    whole = {**printed.values(), **values}
    changed = [_distance(known[name], whole[name]) for name in names if known[name].is_active(whole)]
    return Estimate.exactly(sum(changed) / len(names) if names else 0.0)


def candidate_distance(candidate: CandidateGames) -> Estimate:
    """Return the distance of the game type that was played, over all parameters that can be searched.

    Raises:
        DataError: the games are not all of one game type with the same parameters, or it is not known which.
    """
    played = [spec for spec in candidate.games["game"].astype(str).unique() if spec]
    if len(played) != 1:
        raise DataError(f"a distance from the default rules is that of one game, not of {len(played)}")
    parameters = make_game(played[0]).parameters
    tunable = {one.name for one in _searchable(type(parameters))}
    return rules_distance(type(parameters), {name: parameters.values()[name] for name in tunable})


def _searchable(parameters: type[Parameters]) -> list[Dimension]:
    return [one for one in parameters.dimensions() if isinstance(one, Integer | Real | Choice | Flag)]


def _distance(dimension: Dimension, value: Any) -> float:
    scale = whole_range(dimension)
    if isinstance(scale, NumberRange):
        here, printed = (to_unit(scale.distribution, scale.encoded(one)) for one in (value, dimension.default))
        return abs(here - printed)
    if isinstance(dimension, Choice) and dimension.ordered and len(dimension.options) > 1:
        place = dimension.options.index
        return abs(place(value) - place(dimension.default)) / (len(dimension.options) - 1)
    return float(value != dimension.default)
