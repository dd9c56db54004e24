"""Win rates, points, ranks, ratings, groups, circles and sequential tests of games whose law is known."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import numpy.typing as npt
from scipy.special import expit, ndtr

from benchmarks.coverage.table import Settings, Shares, Table
from tag.tournaments.designs.games import Pairing
from tag.tournaments.designs.schedule import Schedule
from tag.tournaments.results.tournament import RatingDifferences
from tag.tournaments.statistics.clustered_means import ClusteredMeans
from tag.tournaments.statistics.ratings.intransitivity import intransitivity
from tag.tournaments.statistics.ratings.plackett_luce import POINTS
from tag.tournaments.statistics.ratings.ranked_games import RankedGames
from tag.tournaments.statistics.ratings.rating_errors import RatedAgents, rate_agents
from tag.tournaments.statistics.stopping.elo_scales import EloScale, LogisticElo, NormalizedElo
from tag.tournaments.statistics.stopping.gsprt import Decision, Gsprt
from tag.tournaments.statistics.stopping.outcomes import Outcome

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# --- games ------------------------------------------------------------------------------------------------------------
#
# Two agents draw a share of all games. The expected score is logistic in the difference of strengths, so that ratings have
# a true value in every design. The *lead* of the best agent over the last is its share of their decisive games, less that of
# the other: 0 of equal agents. More than two agents play by Plackett and Luce's law, without draws. *Luck* is the
# share of the variance that the chance seed of a block decides for each seat, in all games of the block.


def strengths(n: int, lead: float, draws: float) -> Floats:
    """Return log strengths of agents at equal distances, the best first; the first leads the last as is said."""
    distance = 2.0 * np.arctanh(lead * (1.0 - draws))
    return np.linspace(distance / 2.0, -distance / 2.0, n)


def places(rng: np.random.Generator, eta: Floats, block: Ints, draws: float, luck: float) -> Ints:
    """Return the places of games between seats with log strengths η, of shape (games, seats)."""
    seats = eta.shape[1]
    shared = rng.normal(size=(block.max() + 1, seats))[block]
    normal = np.sqrt(luck) * shared + np.sqrt(1.0 - luck) * rng.normal(size=eta.shape)
    if seats > 2:
        utility = eta - np.log(-np.log(ndtr(normal)))
        return np.argsort(np.argsort(-utility, axis=1), axis=1) + 1
    level = ndtr((normal[:, 0] - normal[:, 1]) / np.sqrt(2.0))
    won = expit(eta[:, 0] - eta[:, 1]) - draws / 2.0
    first, second = level < won, level >= won + draws
    return np.stack([np.where(second, 2, 1), np.where(first, 2, 1)], axis=1)


def tournament(rng: np.random.Generator, schedule: Schedule, theta: Floats, draws: float, luck: float) -> RankedGames:
    """Return a tournament; designs that learn are told the results of each block."""
    found: list[tuple[Ints, Ints, Ints]] = []
    for pairings in _blocks(schedule):
        agents, block = np.array([p.agents for p in pairings]), np.array([p.block for p in pairings])
        found.append((agents, places(rng, theta[agents], block, draws, luck), block))
        if schedule.design.learns:
            schedule.learn([_outcome(*game) for game in zip(agents.tolist(), found[-1][1].tolist(), strict=True)])
    agents, ranks, block = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return RankedGames(tuple(f"agent{number}" for number in range(len(theta))), agents, ranks, block)


def _blocks(schedule: Schedule) -> Iterator[list[Pairing]]:
    """Yield the games that can be played at a time: all, or those of one block where the design learns."""
    if not schedule.design.learns:
        yield list(schedule)
        return
    block = 0
    while block < schedule.known:
        yield list(schedule.games(range(block, block + 1)))
        block += 1


def _outcome(agents: list[int], ranks: list[int]) -> Outcome:
    first = ranks.count(1)
    return Outcome(tuple(agents), tuple((rank == 1) / first for rank in ranks), tuple(ranks), False)


# --- rates, points and ranks ------------------------------------------------------------------------------------------


def rates(settings: Settings, simulations: int, rng: np.random.Generator) -> Shares:
    """Return how often the intervals of the first agent's win rate, points and mean rank hold their truth."""
    players, blocks, draws, lead, luck = settings
    theta = strengths(players, lead, draws)
    seatings = (np.arange(players) + np.arange(players)[:, None]) % players  # the agent in each seat
    ranks = _ranks(rng, theta[seatings], blocks * simulations, draws, luck)
    own = np.take_along_axis(ranks, (seatings == 0).argmax(axis=1)[None, :, None], axis=2)[:, :, 0]
    shared = (ranks == 1).sum(axis=2)
    values = {
        "win rate": (own == 1) & (shared == 1),
        "points": (own == 1) / shared,
        "mean rank": (own - 1) / (players - 1),
    }
    truths = _truths(rng, theta, draws)
    begins, sizes = np.arange(simulations) * blocks, np.full(blocks * simulations, float(players))
    found = {}
    for name, value in values.items():
        low, high = ClusteredMeans.of_runs(value.sum(axis=1).astype(float), sizes, begins).proportion_intervals()
        found[name] = np.mean((low <= truths[name] + 1e-12) & (truths[name] <= high + 1e-12))
    return found


def _ranks(rng: np.random.Generator, eta: Floats, blocks: int, draws: float, luck: float) -> Ints:
    """Return the places in all seatings of so many blocks, of shape (blocks, seatings, seats)."""
    games = np.tile(eta, (blocks, 1))
    return places(rng, games, np.repeat(np.arange(blocks), len(eta)), draws, luck).reshape(blocks, *eta.shape)


def _truths(rng: np.random.Generator, theta: Floats, draws: float) -> Shares:
    """Return the expectations for the first agent; of more than two agents, the mean rank follows from all pairs."""
    score = expit(theta[0] - theta[1:])
    if len(theta) == 2:
        won = float(score[0]) - draws / 2.0
        return {"win rate": won, "points": float(score[0]), "mean rank": 1.0 - won - draws}
    first = float(np.exp(theta[0]) / np.exp(theta).sum())
    return {"win rate": first, "points": first, "mean rank": float((1.0 - score).mean())}


RATES = Table(
    "Win rates, points and ranks",
    "Coverage of the intervals in standings, for the better of two agents or the best of four, in all seatings of each "
    "block. Draws are a share of all games. The lead is the share of decisive games that the best agent wins against the "
    "last, less the share that it loses. Luck is the share of the variance that the chance seed of a block decides.",
    ("players", "blocks", "draws", "lead", "luck"),
    [
        *(
            ((2, blocks, draws, lead, 0.5), 1000)
            for blocks, draws, lead in product((2, 5, 20, 100, 400, 2000), (0.0, 0.6, 0.9, 0.99), (0.0, 0.94))
        ),
        *(((4, blocks, 0.0, 0.5, luck), 1000) for blocks, luck in product((2, 5, 20, 100), (0.0, 0.75))),
    ],
    rates,
)

# --- ratings ----------------------------------------------------------------------------------------------------------


def _rated(settings: Settings, simulations: int, rng: np.random.Generator) -> Iterator[tuple[Floats, RatedAgents]]:
    """Yield the true log strengths and the rated agents of tournaments; the strengths are shuffled for each."""
    design, agents, players, blocks, draws, lead, luck = settings
    for _ in range(simulations):
        theta = rng.permutation(strengths(agents, lead, draws))
        schedule = Schedule(agents, players, blocks, int(rng.integers(2**31)), design)
        yield theta, rate_agents(tournament(rng, schedule, theta, draws, luck))


def ratings(settings: Settings, simulations: int, rng: np.random.Generator) -> Shares:
    """Return how often intervals of ratings and of differences hold the truth, over all agents and pairs."""
    held: dict[str, list[float]] = {"ratings": [], "differences": []}
    for theta, found in _rated(settings, simulations, rng):
        truth = POINTS * (theta - theta.mean())
        low, high = found.intervals()
        held["ratings"].append(np.mean((low <= truth) & (truth <= high)))
        low, high = found.difference_intervals()
        differences = truth[:, None] - truth
        is_held = (low <= differences) & (differences <= high)
        held["differences"].append(np.mean(is_held[np.triu_indices(len(theta), 1)]))
    return {name: float(np.mean(shares)) for name, shares in held.items()}


def equals(settings: Settings, simulations: int, rng: np.random.Generator) -> Shares:
    """Return how often equal agents are told apart, and how often one is called the best."""
    design, agents, players, blocks, draws, luck = settings
    apart, best = [], []
    for _theta, found in _rated((design, agents, players, blocks, draws, 0.0, luck), simulations, rng):
        apart.append(RatingDifferences.of(found).is_different().any())
        best.append(np.nanmax(found.best()) > 0.995)
    return {"any two told apart": float(np.mean(apart)), "P(best) above 0.995": float(np.mean(best))}


def _cells(design: str, agents: int, players: int, blocks: tuple[int, ...], luck: float) -> list[tuple[Settings, int]]:
    """Return rows of a design; two players draw none or most of their games."""
    draws = (0.0, 0.9) if players == 2 else (0.0,)
    cells = product(blocks, draws, (0.94 if players == 2 else 0.5,))
    return [((design, agents, players, *cell, luck), 60) for cell in cells]


RATINGS = Table(
    "Ratings and differences of ratings",
    "Coverage over all agents and all pairs, also those that have not met. Blocks are those of each round in swiss and "
    "knockout. In `fixed` the games cannot tell an agent from its seat.",
    ("design", "agents", "players", "blocks", "draws", "lead", "luck"),
    [
        *(
            (("round_robin", 2, 2, blocks, draws, 0.94, 0.5), 100 if blocks > 1000 else 150)
            for blocks, draws in product((2, 20, 100, 400, 2000), (0.0, 0.6, 0.99))
        ),
        *_cells("round_robin", 5, 2, (2, 5, 20, 100), 0.5),
        *_cells("ladder", 5, 2, (2, 5, 20, 100), 0.5),
        *_cells("gauntlet", 5, 2, (2, 20), 0.5),
        *_cells("swiss", 8, 2, (2, 10), 0.5),
        *_cells("knockout", 8, 2, (2, 10), 0.5),
        *_cells("best_agent", 6, 2, (20, 100), 0.5),
        *_cells("balanced", 6, 2, (5, 20), 0.5),
        *_cells("fixed", 2, 2, (20,), 0.0),
        *_cells("round_robin", 4, 4, (2, 20, 100), 0.75),
        *_cells("balanced", 8, 4, (5, 20), 0.75),
        *_cells("swiss", 8, 4, (5,), 0.75),
    ],
    ratings,
)
EQUALS = Table(
    "Equal agents",
    "Tournaments in which any two of the agents, all equal, share no letter (5 % are asked for), and in which P(best) of "
    "one is above 0.995.",
    ("design", "agents", "players", "blocks", "draws", "luck"),
    [
        *((("round_robin", 2, 2, blocks, draws, 0.0), 200) for blocks, draws in product((2, 5, 10, 50), (0.0, 0.6))),
        *((("round_robin", 6, 2, blocks, draws, 0.5), 60) for blocks, draws in product((2, 10, 50), (0.0, 0.9))),
        *((("ladder", 6, 2, blocks, draws, 0.5), 60) for blocks, draws in product((2, 10, 50), (0.0, 0.9))),
        (("knockout", 8, 2, 5, 0.0, 0.5), 60),
        (("balanced", 8, 4, 10, 0.0, 0.75), 60),
    ],
    equals,
)

# --- circles ----------------------------------------------------------------------------------------------------------


def circles(settings: Settings, simulations: int, rng: np.random.Generator) -> Shares:
    """Return how often results are said to go round in circles (p < 0.05)."""
    kind, agents, blocks, draws, lead = settings
    alarms = []
    schedule = Schedule(agents, 2, blocks, 1)
    seats = np.array([pairing.agents for pairing in schedule])
    block = np.array([pairing.block for pairing in schedule])
    theta = strengths(agents, lead, draws)
    eta = theta[seats]
    if kind == "circle":
        ahead = np.where((seats[:, 1] - seats[:, 0]) % 3 == 1, 1.0, -1.0)
        eta = np.stack([ahead, -ahead], axis=1) * np.arctanh(lead * (1.0 - draws))
    for _ in range(simulations):
        games = RankedGames(tuple(map(str, range(agents))), seats, places(rng, eta, block, draws, 0.0), block)
        alarms.append(intransitivity(games).p_value < 0.05)
    return {"alarms": float(np.mean(alarms))}


CIRCLES = Table(
    "Circles",
    "Round robins in which results are said to go round in circles (p < 0.05). Of agents in order these are false alarms. "
    "In a circle of three each wins 60 % against the next; this is the power.",
    ("agents are", "agents", "blocks", "draws", "lead"),
    [
        (("in a circle", 3, 40, 0.0, 0.2), 2000),
        *((("in order", 3, 40, draws, lead), 500) for draws, lead in product((0.0, 0.6, 0.9), (0.0, 0.3, 0.94))),
        *((("in order", 8, 40, draws, lead), 200) for draws, lead in product((0.0, 0.6, 0.9), (0.0, 0.3, 0.94))),
        *((("in order", 4, blocks, 0.6, 0.94), 300) for blocks in (3, 10, 400)),
    ],
    lambda settings, simulations, rng: circles((settings[0].split()[-1], *settings[1:]), simulations, rng),
)

# --- sequential tests -------------------------------------------------------------------------------------------------


def sequential(settings: Settings, simulations: int, rng: np.random.Generator) -> Shares:
    """Return the errors of either kind of sequential tests with errors of 5 %, on blocks of two games."""
    scale_name, elo0, elo1, draws = settings
    scale: EloScale = LogisticElo() if scale_name == "logistic" else NormalizedElo()
    found = {}
    for name, elo, wrong in (("false H1", elo0, Decision.ACCEPT_H1), ("false H0", elo1, Decision.ACCEPT_H0)):
        sigma = np.sqrt((1.0 - draws) / 8.0)
        score = scale.score(elo, sigma)
        shared = min(draws, 1.8 * min(score, 1.0 - score))
        results = [score - shared / 2.0, shared, 1.0 - score - shared / 2.0]
        errors = 0
        for _ in range(simulations):
            test = Gsprt(scale, elo0, elo1)
            while test.decision is Decision.GO_ON:
                test.add([float(rng.choice([1.0, 0.5, 0.0], size=2, p=results).mean())])
            errors += test.decision is wrong
        found[name] = errors / simulations
    return found


SEQUENTIAL = Table(
    "Sequential tests",
    "Errors of `--sprt` where 5 % of either kind are asked for, on blocks of two games. Below a hundred blocks a test may "
    "err in one percentage point more. Scores far from one half leave room for fewer draws.",
    ("scale", "elo0", "elo1", "draws"),
    [
        *((("logistic", *bounds), 3000) for bounds in ((-800, -300, 0.0), (0, 200, 0.0), (0, 200, 0.5), (0, 400, 0.0))),
        *((("logistic", *bounds), 1000) for bounds in ((-400, -100, 0.0), (0, 100, 0.0), (0, 100, 0.9))),
        (("logistic", 0, 60, 0.1), 400),
        (("normalised", 0, 200, 0.1), 1000),
    ],
    sequential,
)

TABLES = [RATES, RATINGS, EQUALS, CIRCLES, SEQUENTIAL]
