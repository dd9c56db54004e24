"""Attacks on the other players, and cards that look at the deck: Vassal, Harbinger, Library and Sentry.

Functions that return a bool say whether a player has something to decide now. Where not, the card is done, and the forward
model goes on.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tag import Event, Rng
from tag.engine.state import EVERYBODY, NOBODY
from tag.games.cards.dominion.data import (
    BANDIT,
    BUREAUCRAT,
    CURSE,
    DISCARD_FOR_MILITIA,
    DISCARD_FOR_SENTRY,
    DISCARDS,
    FROM_HAND,
    FROM_PILE,
    GOLD,
    HAND,
    KNOWN,
    N_BASIC,
    NAMES,
    OPEN,
    PLAY_FOR_VASSAL,
    PUT_FOR_BUREAUCRAT,
    PUT_FOR_HARBINGER,
    PUT_FOR_SENTRY,
    SET_ASIDE_FOR_LIBRARY,
    SILVER,
    SPAN,
    TRASH_FOR_BANDIT,
    TRASH_FOR_SENTRY,
    UNIT,
    WAY,
    WAY_BITS,
    WITCH,
    listed,
)
from tag.games.cards.dominion.state import DominionState

_HAND_AFTER_MILITIA: Final = 3
_HAND_AFTER_LIBRARY: Final = 7
_LOOKED_AT: Final = 2


def ask(state: DominionState, phase: i64, reason: i64) -> bool:
    """Begin a decision if there is a reason, which is not 0."""
    if reason:
        state.phase = phase
    return reason != 0


def attack(state: DominionState, kind: i64, victim: i64, rng: Rng) -> bool:
    """Give the attacker what the card says, and let it affect the others in turn, ``victim`` first."""
    player = state.turn_player
    if kind == BANDIT:
        _gain(state, player, GOLD)
    elif kind == BUREAUCRAT and state.gain(player, SILVER):
        state.put_on_deck(player, SILVER, OPEN)
        if state.recording:
            state.announce(Event("gained", player, words="{player} gains Silver and puts it on the deck"))
    return _attack_from(state, victim, rng)


def answer_attack(state: DominionState, slot: i64, rng: Rng) -> bool:
    """Carry out the decision of a player who is attacked, and go on with the attack."""
    victim = state.current_player
    phase = state.phase
    if phase == PUT_FOR_BUREAUCRAT:
        if slot < 0:
            state.show_hand(victim)
            if state.recording:
                at = SPAN * victim + HAND
                cards = _names(listed(state.kinds, state.cards[at], state.cards[at + 1]))
                state.announce(Event("revealed", victim, 0.0, cards, (f"hand of {victim}",)))
        else:
            state.take(victim, HAND, slot)
            state.show(victim, slot)
            state.put_on_deck(victim, slot, OPEN)
    elif phase == DISCARD_FOR_MILITIA:
        state.discard(victim, slot)
        state.floor = slot
        state.left -= 1
        if state.left > 0:
            return True
    else:
        _settle_bandit(state, victim, slot)
    return _attack_from(state, (victim + 1) % state.n_players, rng)


def _attack_from(state: DominionState, victim: i64, rng: Rng) -> bool:
    """Let the attack affect all players from ``victim`` on, until one has something to decide."""
    kind: i64 = state.kinds[state.card]
    while victim != state.turn_player:
        is_immune = state.immune >> victim & 1 == 1
        if state.recording:
            told_to: i64 = EVERYBODY if is_immune else NOBODY
            words = "the attack does not affect {player}"
            state.announce(Event("attack", victim, 1.0 if is_immune else 0.0, words=words, told_to=told_to))
        if not is_immune and _affects(state, kind, victim, rng):
            state.current_player = victim
            return True
        victim = (victim + 1) % state.n_players
    return False


def _gain(state: DominionState, player: i64, slot: i64) -> None:
    """Let a card make ``player`` gain another one, if there is any left."""
    is_left = state.in_supply(slot) > 0
    state.gain_to_discards(player, slot)
    if state.recording:
        name = NAMES[state.kinds[slot]]
        words = f"{{player}} gains {name}" if is_left else f"no {name} is left for {{player}}"
        state.announce(Event("gained", player, 1.0 if is_left else 0.0, words=words))


def _names(kinds: list[int]) -> tuple[str, ...]:
    return tuple([NAMES[kind] for kind in kinds])


def _affects(state: DominionState, kind: i64, victim: i64, rng: Rng) -> bool:
    """Let an attack affect a player."""
    if kind == WITCH:
        _gain(state, victim, CURSE)
        return False
    if kind == BANDIT:
        return _reveals_choice(state, victim, rng)
    in_hand = state.hand_count(victim)
    if kind == BUREAUCRAT:
        return ask(state, PUT_FOR_BUREAUCRAT, in_hand)
    state.left = in_hand - _HAND_AFTER_MILITIA
    state.floor = 0
    return state.left > 0 and ask(state, DISCARD_FOR_MILITIA, state.left)


def _reveals_choice(state: DominionState, victim: i64, rng: Rng) -> bool:
    """Reveal two cards for a Bandit; trash a Silver or Gold and discard the rest, unless there is one of each."""
    dearer: i64 = -1
    looked: list[int] = []
    for _card in range(_LOOKED_AT):
        entry = state.look(victim, rng)
        if entry >= 0:
            slot = entry >> WAY_BITS
            looked.append(int(slot << WAY_BITS | OPEN))
            if slot == SILVER or slot == GOLD:
                dearer = slot
    state.looked = tuple(looked)
    if state.recording and looked:
        _announce_looked(state, victim, EVERYBODY, "{player} reveals {items}")
    if len(looked) == 2 and looked[0] + looked[1] == (SILVER + GOLD) << WAY_BITS and dearer >= 0:
        state.phase = TRASH_FOR_BANDIT
        return True
    _settle_bandit(state, victim, dearer)
    if state.recording and dearer >= 0:
        state.announce(Event("removed", victim, 0.0, (NAMES[state.kinds[dearer]],), ("trash",)))
    return False


def _settle_bandit(state: DominionState, victim: i64, slot: i64) -> None:
    """Trash the card of ``slot`` (-1: none) of those revealed, and discard the others."""
    if slot >= 0:
        _looked_at(state, slot)
        state.trash(victim, slot)
    for entry in state.looked:
        state.add(victim, DISCARDS, entry >> WAY_BITS)
    if state.recording:
        state.announce(
            Event("placed", victim, places=("looked at", f"discards of {victim}", *state.deck_places(victim)))
        )
    state.looked = ()


def _announce_looked(state: DominionState, player: i64, seen_by: i64, words: str) -> None:
    """Announce the cards looked at on the deck of ``player``."""
    cards = tuple([NAMES[state.kinds[entry >> WAY_BITS]] for entry in state.looked])
    places = ("looked at", *state.deck_places(player))
    state.announce(Event("looked", player, 0.0, cards, places, "", words, seen_by=seen_by))


def choose_of_deck(state: DominionState, slot: i64, rng: Rng) -> bool:
    """Carry out the decision about a card of the discard pile or about cards looked at, but not that to play a card."""
    phase = state.phase
    if phase == SET_ASIDE_FOR_LIBRARY:
        return _settle_library(state, slot, rng)
    if phase == PUT_FOR_HARBINGER:
        if slot >= 0:
            state.take(state.turn_player, DISCARDS, slot)
            if state.recording:
                state.announce_moved(state.turn_player, slot, "discards")
            state.put_on_deck(state.turn_player, slot, OPEN)
        return False
    if phase == PUT_FOR_SENTRY:
        _put_back(state, slot)
        return False
    if phase == PLAY_FOR_VASSAL:
        return False
    if slot < 0:
        state.floor = 0
        return _go_on_with_sentry(state, phase + 1)
    _dispose(state, slot, phase == TRASH_FOR_SENTRY)
    state.floor = slot
    return _go_on_with_sentry(state, phase)


def discard_top(state: DominionState, rng: Rng) -> bool:
    """Discard the top card for a Vassal, and ask whether to play it if it is an action."""
    player = state.turn_player
    entry = state.look(player, rng)
    if entry < 0:
        return False
    slot = entry >> WAY_BITS
    if entry & WAY == FROM_HAND:
        state.show(player, slot)
    state.add(player, DISCARDS, slot)
    if state.recording:
        places = (f"discards of {player}", *state.deck_places(player))
        state.announce(Event("discarded", player, 0.0, (NAMES[state.kinds[slot]],), places, "the top of the deck"))
    state.floor = slot
    if slot < N_BASIC or slot == state.gardens:
        return False
    state.phase = PLAY_FOR_VASSAL
    return True


def fill_hand(state: DominionState, rng: Rng) -> bool:
    """Draw a card for a Library, and ask what becomes of it; with seven cards in hand discard those set aside.

    The player is asked about every card: others do not learn which of those kept are actions.
    """
    player = state.turn_player
    state.phase = SET_ASIDE_FOR_LIBRARY
    if state.hand_count(player) < _HAND_AFTER_LIBRARY:
        entry = state.look(player, rng)
        if entry >= 0:
            state.looked = (int(entry),)
            if state.recording:
                _announce_looked(state, player, 1 << player, "{player} draws {items}")
            return True
    if state.recording and state.aside:
        cards = _names(listed(state.kinds, 0, state.aside))
        state.announce(Event("discarded", player, 0.0, cards, ("set aside", f"discards of {player}")))
    state.cards[SPAN * player + DISCARDS + 1] += int(state.aside)
    state.aside = 0
    return False


def _settle_library(state: DominionState, slot: i64, rng: Rng) -> bool:
    player = state.turn_player
    entry: i64 = state.looked[0]
    state.looked = ()
    if slot >= 0:
        if entry & WAY == FROM_HAND:
            state.show(player, slot)
        state.aside += UNIT[slot]
    else:
        state.add(player, HAND, entry >> WAY_BITS)
        if entry & WAY == OPEN:
            state.add(player, KNOWN, entry >> WAY_BITS)
    if state.recording:
        state.announce(Event("placed", player, places=("looked at", "set aside", f"hand of {player}")))
    return fill_hand(state, rng)


def look_at_two(state: DominionState, rng: Rng) -> bool:
    """Look at two cards for a Sentry."""
    for _card in range(_LOOKED_AT):
        entry = state.look(state.turn_player, rng)
        if entry >= 0:
            state.looked = (*state.looked, int(entry))
    if state.recording and state.looked:
        _announce_looked(state, state.turn_player, 1 << state.turn_player, "{player} looks at {items}")
    state.floor = 0
    return _go_on_with_sentry(state, TRASH_FOR_SENTRY)


def _go_on_with_sentry(state: DominionState, phase: i64) -> bool:
    """Ask for cards to trash, then for cards to discard, then for the order of two cards."""
    looked = state.looked
    last: i64 = max([entry >> WAY_BITS for entry in looked], default=-1)
    if phase < PUT_FOR_SENTRY and last >= state.floor:
        state.phase = phase
        return True
    if phase == TRASH_FOR_SENTRY and looked:
        state.floor = 0
        state.phase = DISCARD_FOR_SENTRY
        return True
    if len(looked) == 2 and looked[0] >> WAY_BITS != looked[1] >> WAY_BITS:
        state.phase = PUT_FOR_SENTRY
        return True
    if looked:
        _put_back(state, looked[0] >> WAY_BITS)
    return False


def _dispose(state: DominionState, slot: i64, trashes: bool) -> None:
    """Trash or discard one of the cards that a Sentry looks at."""
    player = state.turn_player
    entry = _looked_at(state, slot)
    if entry & WAY == FROM_HAND:
        state.show(player, slot)
    if trashes:
        state.trash(player, slot)
    else:
        state.add(player, DISCARDS, slot)
    if state.recording:
        state.announce_moved(player, slot, "looked at", "discards", "hand")


def _put_back(state: DominionState, slot: i64) -> None:
    """Put the card of ``slot`` back on the deck, and the other card that a Sentry looks at on top of it.

    Of two cards put back others do not know the order, unless they know them to be equal.
    """
    player = state.turn_player
    if state.recording:
        state.announce(Event("placed", player, places=("looked at",)))
    first = _looked_at(state, slot)
    if not state.looked:
        state.put_on_deck(player, slot, first & WAY)
        return
    second: i64 = state.looked[0]
    state.looked = ()
    way = first & WAY
    if first != second or way != OPEN:
        way = FROM_HAND if FROM_HAND in {way, second & WAY} else FROM_PILE
    state.put_on_deck(player, slot, way)
    state.put_on_deck(player, second >> WAY_BITS, way)


def _looked_at(state: DominionState, slot: i64) -> i64:
    """Take a card of ``slot`` from those looked at; of equal ones one that others know."""
    found: i64 = min([entry for entry in state.looked if entry >> WAY_BITS == slot])
    looked = list(state.looked)
    looked.remove(int(found))
    state.looked = tuple(looked)
    return found
