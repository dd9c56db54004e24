"""Made-up games for the tests of ratings."""

from functools import cache

import numpy as np
from scipy.special import ndtr
from stores.frames import ledger_frames, results_of_winners

from tag.tournaments.designs.schedule import Schedule
from tag.tournaments.statistics.ratings.plackett_luce import POINTS
from tag.tournaments.statistics.ratings.ranked_games import RankedGames


def labels(n):
    return tuple(f"agent{number}" for number in range(n))


def ranked(n_agents, *games):
    """Games given as (agents, places) or (agents, places, block), all with equally many seats; a block each by default."""
    agents = np.array([game[0] for game in games], dtype=np.int64)
    places = np.array([game[1] for game in games], dtype=np.int64)
    blocks = np.array([game[2] if len(game) > 2 else number for number, game in enumerate(games)], dtype=np.int64)
    return RankedGames(labels(n_agents), agents, places, blocks)


def duel(wins, draws, losses):
    """Games of agent 0 against agent 1 in which seats do not matter: each result comes once from either seat."""
    games = []
    for places, times in (((1, 2), wins), ((1, 1), draws), ((2, 1), losses)):
        for _ in range(times):
            games += [((0, 1), places, len(games)), ((1, 0), places[::-1], len(games))]
    return ranked(2, *games)


def chosen(games, which):
    """The games at these indices, in this order."""
    return RankedGames(games.labels, games.agents[which], games.places[which], games.blocks[which])


def relabelled(games, order):
    """The same games among the same agents, where number i is now the one that was order[i]."""
    names = tuple(games.labels[number] for number in order)
    return RankedGames(names, np.argsort(order)[games.agents], games.places, games.blocks)


def random_games(rng, n_agents, n_seats, n_games, n_blocks=7):
    """Any agents, also with themselves; any places, also shared ones."""
    agents = rng.integers(n_agents, size=(n_games, n_seats))
    places = rng.integers(1, n_seats + 1, size=(n_games, n_seats))
    return RankedGames(labels(n_agents), agents, places, rng.integers(n_blocks, size=n_games))


def plackett_luce_games(rng, strengths, n_seats, n_games):
    """Independent games between random agents with these log strengths."""
    agents = np.argsort(rng.random((n_games, len(strengths))), axis=1)[:, :n_seats]
    utility = strengths[agents] + rng.gumbel(size=agents.shape)
    return RankedGames(labels(len(strengths)), agents, places_of(utility), np.arange(n_games))


@cache
def round_robin(n_agents, n_players, blocks):
    """The agents and the block of every game of a schedule."""
    schedule = list(Schedule(n_agents, n_players, blocks, seed=1))
    return np.array([pairing.agents for pairing in schedule]), np.array([pairing.block for pairing in schedule])


def lucky_places(rng, agents, blocks, ratings, seats, luck):
    """Places under Plackett and Luce's model, exactly, with luck that the seats of a block's games have in common.

    A utility is the strength and a Gumbel number made of two normal ones: the seat's in the block, with a share
    ``luck`` of the variance, and the game's own.
    """
    shared = rng.normal(size=(blocks.max() + 1, agents.shape[1]))[blocks]
    normal = np.sqrt(luck) * shared + np.sqrt(1.0 - luck) * rng.normal(size=agents.shape)
    return places_of(ratings[agents] / POINTS + seats / POINTS - np.log(-np.log(ndtr(normal))))


def places_of(utility):
    return np.argsort(np.argsort(-utility, axis=1), axis=1) + 1


def seats_frame(games, void=()):
    """The games as `read_ledger` gives their seats; those of ``void`` have no result."""
    is_void = np.isin(np.arange(len(games)), list(void))
    there = games.agents >= 0
    rows = [
        (agents[seats].tolist(), places[seats].tolist())
        for agents, places, seats in zip(games.agents, games.places, there, strict=True)
    ]
    _games, seats = ledger_frames(
        games.labels,
        [agents for agents, _places in rows],
        game_id=[f"game{number}" for number in range(len(games))],
        block=games.blocks,
        ordinals=[places for _agents, places in rows],
        results=results_of_winners([[place == 1 for place in places] for _agents, places in rows], is_void),
    )
    return seats
