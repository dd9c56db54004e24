"""The features of Colt Express: the round, the own cards, and where each bandit is and what it has."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from mypy_extensions import i64

from tag import bit_count
from tag.games.boards.colt_express.data import (
    BULLET,
    CARD_NAMES,
    COVER,
    KIND_BITS,
    N_ACTIONS,
    NOWHERE,
    PLAN,
    PLAYER_SHIFT,
    RESERVE,
    STEAL,
    TURN_NAMES,
    count,
    size,
)

if TYPE_CHECKING:
    from tag.games.boards.colt_express.state import ColtExpressState


@cache
def feature_names(n_players: int, per: int, cars: int) -> tuple[str, ...]:
    """Return the names of the features; of players and bandits 0 are the own ones, and others follow by seat."""
    found = ["round", "phase", "event", "slot", "slots", "my_turn", "marshal", "neutral", "pile", "deck"]
    found += [name.replace(" ", "_") for name in TURN_NAMES]
    cards = [CARD_NAMES[kind].lower().replace(" ", "_") for kind in range(N_ACTIONS * per)]
    found += [f"hand_{name}" for name in (*cards, "bullet")]
    for offset in range(n_players):
        found += [f"{name}_{offset}" for name in ("loot", "wounds", "shots", "cards")]
    for offset in range(n_players * per):
        found += [
            f"{name}_{offset}" for name in ("car", "roof", "character", "bullets", "pieces", "acting", "with_marshal")
        ]
    for spot in range(2 * cars):
        found += [f"purses_{spot}", f"valuables_{spot}"]
    found += [f"planned_{name}" for name in cards]
    return (*found, "planned_by_others", "loot_here", "lead")


def feature_values(state: ColtExpressState, player: i64) -> list[float]:
    """Return the features.

    Among them are the own cards in the pile that are still to be played, the known value of the loot where the own bandits
    are, and the lead in loot over the richest rival.
    """
    found = [
        float(state.round),
        float(state.phase),
        float(state.event),
        float(state.slot),
        float(len(state.turns)),
        1.0 if state.current_player == player else 0.0,
        float(state.marshal),
        float(state.neutral),
        float(len(state.pile)),
        float(size(state.cards[player].deck)),
    ]
    is_planning = state.phase == PLAN or state.phase == COVER
    turn: i64 = state.turns[state.slot] if is_planning else -1
    for kind in range(len(TURN_NAMES)):
        found.append(1.0 if kind == turn else 0.0)
    hand = state.cards[player].hand
    for kind in range(N_ACTIONS * state.per):
        found.append(float(count(hand, kind)))
    found.append(float(count(hand, BULLET)))
    lead = _add_players(found, state, player)
    here: i64 = 0
    bandits: i64 = len(state.spots)
    for offset in range(bandits):
        bandit = (player * state.per + offset) % bandits
        spot: i64 = state.seen_spot(bandit, player)
        _add_bandit(found, state, bandit, spot)
        if offset < state.per and spot != NOWHERE:
            here |= state.floor[spot]
    for place in range(len(state.floor)):
        loot: i64 = state.floor[place]
        found.append(float(bit_count(loot & state.purses)))
        found.append(float(bit_count(loot & ~state.purses)))
    _add_plans(found, state, player)
    found.append(state.with_loot(0.0, here, state.known[player]))
    found.append(lead)
    return found


def _add_players(found: list[float], state: ColtExpressState, player: i64) -> float:
    """Add what each player has, and return the lead in loot over the richest rival."""
    n = state.n_players
    known: i64 = state.known[player]
    mine = 0.0
    best = 0.0
    for offset in range(n):
        seat = (player + offset) % n
        loot = state.loot_of(seat, known)
        if offset == 0:
            mine = loot
        elif loot > best:
            best = loot
        found.append(loot)
        found.append(float(state.wounds[seat]))
        found.append(float(state.shots[seat]))
        found.append(float(size(state.cards[seat].hand)) if state.phase >= RESERVE else 0.0)
    return mine - best


def _add_bandit(found: list[float], state: ColtExpressState, bandit: i64, spot: i64) -> None:
    is_there = spot != NOWHERE
    found.append(float(spot >> 1) if is_there else -1.0)
    found.append(float(spot & 1) if is_there else 0.0)
    found.append(float(state.characters[bandit]))
    found.append(float(state.bullets[bandit]))
    found.append(float(bit_count(state.held[bandit])))
    found.append(1.0 if state.phase >= STEAL and state.acting == bandit else 0.0)
    found.append(1.0 if is_there and spot >> 1 == state.marshal else 0.0)


def _add_plans(found: list[float], state: ColtExpressState, player: i64) -> None:
    """Add the own cards of each kind that are still to be played, and how many those of other players are."""
    planned = [0] * (N_ACTIONS * state.per)
    others: i64 = 0
    for index in range(max(0, state.done), len(state.pile)):
        card: i64 = state.pile[index]
        if card >> PLAYER_SHIFT == player:
            planned[card & KIND_BITS] += 1
        else:
            others += 1
    for number in planned:
        found.append(float(number))
    found.append(float(others))
