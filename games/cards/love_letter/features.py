"""The features of Love Letter: what a player knows of the cards, and how they compare."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from tag.games.cards.love_letter.data import GUARD, N_KINDS, NAMES, NO_CARD

if TYPE_CHECKING:
    from tag.games.cards.love_letter.state import LoveLetterState

_KINDS: Final = range(1, N_KINDS + 1)
#: Bits for a number of cards of one kind.
_BITS: Final = 4
_COUNT: Final = 15
#: One card of a kind in a packed number of cards of each kind.
_UNITS: Final[list[int]] = [1 << (_BITS * card) for card in range(N_KINDS + 1)]


@cache
def feature_names(n_players: int) -> tuple[str, ...]:
    """Return the names of the features; of players 0 is oneself, 1 the next seat, and so on."""
    found = ["deck", "my_turn"]
    for card in _KINDS:
        found += [f"hand_{NAMES[card].lower()}", f"gone_{NAMES[card].lower()}"]
    for offset in range(n_players):
        found += [f"tokens_{offset}", f"alive_{offset}", f"protected_{offset}", f"discarded_{offset}"]
        if offset:
            found += [f"known_{offset}", f"knows_me_{offset}", f"beaten_{offset}"]
    return (*found, "highest", "higher_unseen", "lower_unseen", "guess")


def feature_values(state: LoveLetterState, player: i64) -> list[float]:
    """Return the features.

    Among them are the share of unseen cards above and below the own highest one, and the chance to guess a rival's card,
    if a Guard is held.
    """
    n = state.n_players
    first: i64 = state.hands[player]
    second = state.drawn if state.current_player == player else NO_CARD
    highest = max(first, second)
    gone: i64 = 0
    for card in state.face_up:
        gone += _UNITS[card]
    discarded = [0] * n
    for discard in state.discards:
        laid: i64 = discard
        gone += _UNITS[laid & _COUNT]
        discarded[laid >> _BITS] += int(laid & _COUNT)
    found = [float(len(state.deck)), 1.0 if state.current_player == player else 0.0]
    for kind in range(1, N_KINDS + 1):
        found.append(float((first == kind) + (second == kind)))
        found.append(float(gone >> _BITS * kind & _COUNT))
    certain = False
    goal = float(state.goal)
    for offset in range(n):
        seat = (player + offset) % n
        found.append(float(state.tokens[seat]) / goal)
        found.append(float(state.alive >> seat & 1))
        found.append(float(state.protected >> seat & 1))
        found.append(float(discarded[seat]))
        if offset:
            known: i64 = state.seen_hand(seat, player)
            found.append(float(known))
            found.append(1.0 if state.knows(seat, player) else 0.0)
            found.append(1.0 if NO_CARD < known < highest else 0.0)
            if known > GUARD and state.alive >> seat & 1:
                certain = True
    _add_comparisons(found, _unseen(state, player), highest, certain, first == GUARD or second == GUARD)
    return found


def _add_comparisons(found: list[float], unseen: i64, highest: i64, certain: bool, has_guard: bool) -> None:
    """Add the own highest card, the shares of ``unseen`` cards above and below it, and the chance of a Guard's guess."""
    cards: i64 = 0
    lower: i64 = 0
    higher: i64 = 0
    most: i64 = 0
    for kind in range(1, N_KINDS + 1):
        left = unseen >> _BITS * kind & _COUNT
        cards += left
        if kind < highest:
            lower += left
        elif kind > highest:
            higher += left
        if kind != GUARD and left > most:
            most = left
    total = float(max(cards, 1))
    found.append(float(highest))
    found.append(float(higher) / total)
    found.append(float(lower) / total)
    found.append(0.0 if not has_guard else 1.0 if certain else float(most) / total)


def _unseen(state: LoveLetterState, player: i64) -> i64:
    """Return how many cards of each kind ``player`` has not seen, packed."""
    found: i64 = 0
    for card in state.deck:
        found += _UNITS[card]
    for holder in range(state.n_players):
        held: i64 = state.hands[holder]
        if held != NO_CARD and not state.knows(player, holder):
            found += _UNITS[held]
    if state.drawn != NO_CARD and state.current_player != player:
        found += _UNITS[state.drawn]
    if state.removed != NO_CARD:
        found += _UNITS[state.removed]
    return found
