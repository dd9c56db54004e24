"""The set-up of Colt Express: cards, loot and bandits."""

from __future__ import annotations

from games.colt_express.bandits import FIRST_OF_TEAMS, N_BANDITS, SECOND_OF_TEAMS
from games.colt_express.cards import MARSHAL, N_ACTIONS, UNITS
from games.colt_express.data import Train
from games.colt_express.table import ColtExpressTable
from tag.rng import Rng


def new_deck(counts: list[int], per: int) -> int:
    """Return the cards of a player: all of one bandit, or one of each kind of both and one Marshal."""
    if per == 1:
        return sum([counts[action] * UNITS[action] for action in range(N_ACTIONS)])
    deck = 0
    for action in range(N_ACTIONS):
        one = min(counts[action], 1)
        deck += one * UNITS[action]
        if action != MARSHAL:
            deck += one * UNITS[N_ACTIONS + action]
    return deck


def deal_loot(state: ColtExpressTable, train: Train, rng: Rng) -> None:
    """Give a purse to each bandit, choose the cars and lay their loot down, the purses at random."""
    n_bandits = len(state.spots)
    purses = train.purses[:]
    for _bandit in range(n_bandits):
        purses.remove(train.first_purse)
    state.purse_mean = sum(purses) / len(purses)
    rng.shuffle(purses)
    n_purses = n_bandits + len(purses)
    valuables = [train.jewel] * train.jewels + [train.strongbox] * train.strongboxes
    state.values = [train.first_purse] * n_bandits + purses + valuables
    state.purses = (1 << n_purses) - 1
    state.jewels = ((1 << train.jewels) - 1) << n_purses
    everything = (1 << len(state.values)) - 1
    state.known = (everything ^ state.purses | (1 << n_bandits) - 1,) * int(state.n_players)
    for bandit in range(n_bandits):
        state.held[bandit] = 1 << bandit
    cars = train.cars[:]
    rng.shuffle(cars)
    purse, jewel = n_bandits, n_purses
    for car in range(int(state.cars) - 1):
        more_purses, more_jewels = cars[car]
        state.floor[2 * car] = (((1 << more_purses) - 1) << purse) | (((1 << more_jewels) - 1) << jewel)
        purse += more_purses
        jewel += more_jewels
    strongbox = 1 << (n_purses + train.jewels)
    state.floor[2 * (int(state.cars) - 1)] = strongbox
    state.boxed = everything ^ (strongbox * 2 - 1)


def deal_bandits(state: ColtExpressTable, is_dealt: bool, rng: Rng) -> None:
    """Lay out the bandits or teams that can be chosen, or deal them."""
    if state.per == 2:
        seconds = list(SECOND_OF_TEAMS)
        rng.shuffle(seconds)
        offers = [first | second << 3 for first, second in zip(FIRST_OF_TEAMS, seconds, strict=True)]
    else:
        offers = list(range(N_BANDITS))
    state.offers = tuple(offers)
    if is_dealt:
        rng.shuffle(offers)
        dealt: list[int] = []
        for offer in offers[: state.n_players]:
            dealt += [offer & 7, offer >> 3] if state.per == 2 else [offer]
        state.characters = tuple(dealt)
