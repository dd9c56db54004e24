"""Dealing again what a player of Uno cannot know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from games.uno.cards import N_SYMBOLS, N_WORDS, NO_CARD, UNITS, cards_in, words_of
from games.uno.sightings import FEWEST, HOLDER, MOST, SEEN, VIEWER, seen_by

if TYPE_CHECKING:
    from games.uno.state import UnoState
    from tag.rng import Rng

#: Where the hands start in the state's words, as in `games.uno.state`.
_HANDS: Final = 2 * N_WORDS
_NOTHING: Final[list[int]] = [0] * N_WORDS

#: The copies of the cards of each deck met so far.
_COPIES: Final[dict[tuple[int, ...], list[int]]] = {}


def deal_again(state: UnoState, player: i64, rng: Rng) -> None:
    """Deal the draw pile and the hands of the others again, but for the cards that ``player`` has seen in them."""
    words = state.words
    _gather(state, player)
    copies = _copies(state.cards)
    for holder in range(state.n_players):
        if holder == player:
            continue
        start = _HANDS + N_WORDS * holder
        count: i64 = state.sizes[holder]
        if state.sightings:
            for word in range(N_WORDS):
                count -= _count(words[start + word])
        last = _deal_hand(words, start, copies, count, rng)
        if state.drawn != NO_CARD and holder == state.current_player:
            state.drawn = last
    if state.sightings:
        _doubt(state, player, rng)


def _deal_hand(words: list[int], start: i64, copies: list[int], count: i64, rng: Rng) -> i64:
    """Move ``count`` cards at random from the draw pile to the hand that starts at ``start``; return the last one.

    Any copy of any card of the deck is picked, and picked again unless as many copies are still there.
    """
    left_0: i64 = words[0]
    left_1: i64 = words[1]
    left_2: i64 = words[2]
    left_3: i64 = words[3]
    left_4: i64 = words[4]
    n_copies: i64 = len(copies)
    code: i64 = 0
    while count:
        code = copies[rng.below(n_copies)]
        word = code >> 8
        left = (
            left_0 if word == 0 else left_1 if word == 1 else left_2 if word == 2 else left_3 if word == 3 else left_4
        )
        if (left >> (4 * (code & 15))) & 15 > (code >> 4) & 15:
            count -= 1
            one: i64 = UNITS[code & 15]
            left_0 -= one if word == 0 else 0
            left_1 -= one if word == 1 else 0
            left_2 -= one if word == 2 else 0
            left_3 -= one if word == 3 else 0
            left_4 -= one if word == 4 else 0
    _move(words, 0, start, left_0)
    _move(words, 1, start, left_1)
    _move(words, 2, start, left_2)
    _move(words, 3, start, left_3)
    _move(words, 4, start, left_4)
    return N_SYMBOLS * (code >> 8) + (code & 15)


def _gather(state: UnoState, player: i64) -> None:
    """Put all cards that ``player`` does not know into the draw pile; what was seen in the other hands stays there."""
    words = state.words
    for holder in range(state.n_players):
        if holder == player:
            continue
        start = _HANDS + N_WORDS * holder
        known = seen_by(state.sightings, player, holder) if state.sightings else ()
        for word in range(N_WORDS):
            stays = known[SEEN + word] if known else 0
            words[word] += words[start + word] - stays
            words[start + word] = stays


def _copies(deck: tuple[int, ...]) -> list[int]:
    """Return all copies of all cards of a deck, each as 256 times its word, 16 times its number and its symbol."""
    found = _COPIES.get(deck)
    if found is None:
        found = []
        for word in range(N_WORDS):
            for symbol in range(N_SYMBOLS):
                for copy in range((deck[word] >> (4 * symbol)) & 15):
                    found.append(256 * word + 16 * copy + symbol)
        _COPIES[deck] = found
    return found


def _count(word: i64) -> i64:
    """Return how many cards are in a word."""
    total: i64 = 0
    while word:
        total += word & 15
        word >>= 4
    return total


def _move(words: list[int], word: i64, start: i64, left: i64) -> None:
    """Leave ``left`` in a word of the draw pile and move what else was there to the hand that starts at ``start``."""
    pile: i64 = words[word]
    if pile != left:
        words[start + word] += int(pile - left)
        words[word] = int(left)


def _doubt(state: UnoState, player: i64, rng: Rng) -> None:
    """Draw again which cards others have seen in the hands of third players, and still know.

    Of a hand that ``player`` has seen earlier they have seen what ``player`` still knows of it.
    """
    found: list[tuple[int, ...]] = []
    known: list[list[int]] = [_NOTHING for _holder in range(state.n_players)]
    for seen in state.sightings:
        holder = seen[HOLDER]
        if seen[VIEWER] == player:
            known[holder] = list(seen[SEEN:])
        if seen[VIEWER] == player or holder == player:
            found.append(seen)
        else:
            found.append((*seen[:SEEN], *_seen_again(state, seen, known[holder], rng)))
    state.sightings = tuple(found)


def _seen_again(state: UnoState, seen: tuple[int, ...], certain: list[int], rng: Rng) -> list[int]:
    """Return a set of cards that may be what is still known of a sighting, ``certain`` ones among them."""
    holder = seen[HOLDER]
    start = _HANDS + N_WORDS * holder
    others = [state.words[start + word] - certain[word] for word in range(N_WORDS)]
    if state.drawn != NO_CARD and holder == state.current_player:
        others[state.drawn // N_SYMBOLS] -= words_of([int(state.drawn)])[state.drawn // N_SYMBOLS]
    pool = cards_in(others, 0)
    rng.shuffle(pool)
    sure = len(cards_in(certain, 0))
    fewest = max(seen[FEWEST], sure)
    count = fewest + int(rng.below(seen[MOST] - fewest + 1))
    drawn = words_of(pool[: count - sure])
    return [certain[word] + drawn[word] for word in range(N_WORDS)]
