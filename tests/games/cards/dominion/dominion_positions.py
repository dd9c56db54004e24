"""Positions of Dominion laid out by hand: cards as text, ``2 Copper, Throne Room``."""

from tag.engine.rng import Rng
from tag.games.cards.dominion import Dominion, DominionParameters
from tag.games.cards.dominion.data import (
    DISCARDS,
    HAND,
    KNOWN,
    MOAT,
    N_BASIC,
    N_KINDS,
    NAMES,
    OPEN,
    OWNED,
    PILE,
    SPAN,
    UNIT,
    WAY_BITS,
    WORD,
    key_of,
    named,
)

ZONES = {"hand": HAND, "deck": PILE, "discards": DISCARDS}


def names_of(text):
    """Return the names of all cards in a text."""
    found = []
    for part in filter(None, text.split(", ")):
        number, _, name = part.partition(" ")
        found += [name] * int(number) if number.isdigit() else [part]
    return found


def position(*players, supply=None, seat=0, **parameters):
    """Return the rules and a position at the beginning of the turn of ``seat``.

    Each player is a dictionary of texts: ``hand``, ``deck`` (in unknown order), ``discards``, and ``top`` of the deck,
    open to all, the top card last. The kingdom has all cards that are mentioned, and others but the Moat. ``supply`` sets
    piles.
    """
    mentioned = {NAMES.index(name) for player in players for text in player.values() for name in names_of(text)}
    mentioned |= {NAMES.index(name) for name in supply or {}}
    others = [kind for kind in range(N_BASIC, N_KINDS) if kind not in mentioned and kind != MOAT]
    kingdom = sorted([*(kind for kind in mentioned if kind >= N_BASIC), *others][:10])
    cards = "+".join(key_of(kind) for kind in kingdom)
    model = Dominion(DominionParameters(kingdom="listed", cards=cards, **parameters))
    state = model.setup(len(players), Rng(1))
    state.cards = [0] * (SPAN * len(players))
    for player, texts in enumerate(players):
        for zone, text in texts.items():
            for name in names_of(text):
                slot = slot_of(state, name)
                state.add(player, OWNED, slot)
                if zone == "top":
                    state.put_on_deck(player, slot, OPEN)
                else:
                    state.add(player, ZONES[zone], slot)
    for name, number in (supply or {}).items():
        set_pile(state, name, number)
    state.play_basic = 0
    state.turn = state.turn_player = state.current_player = seat
    model._begin_turn(state)
    return model, state


def slot_of(state, name):
    return state.slots[NAMES.index(name)]


def set_pile(state, name, number):
    """Put so many cards into a pile of the supply."""
    slot = slot_of(state, name)
    change = (number - state.in_supply(slot)) * UNIT[slot]
    if WORD[slot]:
        state.supply_kingdom += change
    else:
        state.supply_basic += change


def pile(state, name):
    """Return how many cards a pile of the supply has."""
    return state.in_supply(slot_of(state, name))


def play(model, state, *texts, seed=5):
    """Carry out the actions with these texts, one after the other."""
    rng = Rng(seed)
    for text in texts:
        by_text = {str(action): action for action in model.available_actions(state)}
        assert text in by_text, f"{text!r} is not among {list(by_text)}"
        model.next(state, by_text[text], rng)
    return state


def offered(model, state):
    """Return what the player to move can choose, as text."""
    return [str(action) for action in model.available_actions(state)]


def cards(state, seat, zone):
    """Return the cards of a set in words."""
    at = SPAN * seat + zone
    return named(state.kinds, state.cards[at], state.cards[at + 1])


def hand(state, seat=0):
    return cards(state, seat, HAND)


def discards(state, seat=0):
    return cards(state, seat, DISCARDS)


def deck(state, seat=0):
    return cards(state, seat, PILE)


def known(state, seat=0):
    return cards(state, seat, KNOWN)


def owned(state, seat=0):
    return cards(state, seat, OWNED)


def trash(state):
    return named(state.kinds, state.trash_basic, state.trash_kingdom)


def in_play(state):
    return named(state.kinds, state.play_basic, state.play_kingdom)


def top(state, seat=0):
    """Return the cards on the deck that some player knows, the top one last."""
    return ", ".join(NAMES[state.kinds[entry >> WAY_BITS]] for entry in state.tops[seat])


def money(state):
    return (state.actions, state.buys, state.coins)
