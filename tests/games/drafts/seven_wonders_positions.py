"""Positions of 7 Wonders with given wonders, cities and hands, and play by short words."""

from tag import Rng
from tag.games.drafts.seven_wonders import SevenWonders, SevenWondersParameters
from tag.games.drafts.seven_wonders.data import (
    BASE,
    HOME_MADE,
    LATE,
    MADE,
    NAMES,
    NO_CHOICE,
    TOUCHED,
    UNITS,
    WONDER_NAMES,
    age_deck,
    hand_size,
    kinds_in,
)

WONDERS = ("Giza A", "Rhodes A", "Ephesus A", "Alexandria A", "Babylon A", "Olympia A", "Halicarnassus A")


def kind(name):
    return NAMES.index(name)


def hand(age, *names):
    """Return a hand of an age, numbered from 0."""
    return sum(UNITS[kind(name) - BASE[age]] for name in names)


def names_in(state, seat):
    return sorted(NAMES[one] for one in kinds_in(state.age, state.hands[seat]))


def built(state, seat):
    return {name for name in NAMES if state.has_built(seat, kind(name))}


def give(state, seat, *names):
    """Add structures to a city."""
    for name in names:
        one = kind(name)
        if one >= LATE:
            state.late[seat] |= 1 << (one - LATE)
        else:
            state.early[seat] |= 1 << one
            state.made[seat] += MADE[one]
            state.touched[seat] += TOUCHED[one]


def position(*cities, wonders=WONDERS, hands=(), age=0, cards=None, stages=(), coins=3, n_players=3, **rules):
    """Return rules, and a position with these structures; other cards of the age fill the hands, as far as they are given.

    Args:
        cities: the structures of each seat, by name.
        wonders: the wonder of each seat.
        hands: hands by name; the other cards are dealt from what is left of the age.
        age: the age, from 0.
        cards: how many cards each hand has; if omitted: as many as the first of ``hands``, or 7.
        stages: how many stages each seat has built.
        coins: the coins of all, or of each.
        n_players: the number of players.
        rules: other parameters.
    """
    model = SevenWonders(SevenWondersParameters(**rules))
    state = model.setup(n_players, Rng(1))
    state.wonders = tuple(WONDER_NAMES.index(wonder) for wonder in wonders[:n_players])
    state.digger = next((seat for seat, one in enumerate(state.wonders) if one >= 12), -1)
    state.made = [HOME_MADE[wonder] for wonder in state.wonders]
    state.stages = [*stages, *[0] * n_players][:n_players]
    state.coins = list(coins) if isinstance(coins, tuple) else [coins] * n_players
    for seat, names in enumerate(cities):
        give(state, seat, *names)
    state.age = age
    state.round = age
    size = cards or (len(hands[0]) if hands else 7)
    state.cards = size
    state.step = 7 - size
    left = age_deck(age, n_players) - sum(hand(age, *names) for names in hands)
    rest = kinds_in(age, left)
    state.hands = []
    for seat in range(n_players):
        held = (
            hand(age, *hands[seat]) if seat < len(hands) else hand(age, *[NAMES[rest.pop()] for _card in range(size)])
        )
        assert hand_size(held) == size
        state.hands.append(held)
    deck = age_deck(age, n_players) - sum(state.hands)
    state.decks = tuple(deck if one == age else 0 if one < age else state.decks[one] for one in range(3))
    state.chosen = [NO_CHOICE] * n_players
    return model, state


def offered(model, state, *texts):
    """Return the actions of the player to move whose words begin with one of ``texts``, as the player reads them."""
    player = int(state.current_player)
    found = [action.text(state, player) for action in model.available_actions(state)]
    return sorted(text for text in found if text.startswith(texts or ("",)))


def act(model, state, text):
    """Have the player to move take the action with these words."""
    player = int(state.current_player)
    by_text = {action.text(state, player): action for action in model.available_actions(state)}
    assert text in by_text, f"{text!r} is not among {sorted(by_text)}"
    model.next(state, by_text[text], Rng(1))


def turn(model, state, *texts):
    """Have all players choose: these words by seat, else discard the first card."""
    for _seat in range(state.n_players):
        seat = int(state.current_player)
        text = texts[seat] if seat < len(texts) and texts[seat] else f"discard {names_in(state, seat)[0]}"
        act(model, state, text)
