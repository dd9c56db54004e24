"""Positions of Uno, laid out by hand."""

from play.random_play import positions_of
from tag.engine.rng import Rng
from tag.games.cards.uno import Uno, UnoParameters
from tag.games.cards.uno.data import NAMES, WILD, card_set

COLOURS = {"r": 0, "y": 1, "g": 2, "b": 3}
SYMBOLS = {"s": 10, "r": 11, "d": 12}


def card(short):
    """Return the card written ``r7``, ``gs`` (skip), ``gr`` (reverse), ``gd`` (draw two), ``w`` or ``f``."""
    if short in ("w", "f"):
        return WILD if short == "w" else WILD + 1
    symbol = short[1]
    return 13 * COLOURS[short[0]] + (SYMBOLS[symbol] if symbol in SYMBOLS else int(symbol))


def cards(text):
    """Return the cards of ``text``, separated by blanks."""
    return [card(short) for short in text.split()]


def cards_of(text):
    """Return the cards of ``text`` as a set."""
    return card_set(cards(text))


def position(hands, top="r5", *, deck="y1 y2 " * 10, under="", player=0, **parameters):
    """Return the position in which ``player`` begins a turn, with ``hands`` as text by player and a pile all alike."""
    n_players = len(hands)
    model = Uno(UnoParameters(**parameters))
    state = model.setup(n_players, Rng(1))
    state.hands = [cards_of(hand) for hand in hands]
    state.deck = cards_of(deck)
    state.discards = cards_of(under)
    state.turn_up(card(top), card(top) // 13 % 4)
    state.phase = 0
    state.direction = 1
    state.dealer = n_players - 1
    state.first_player = state.turn_player = state.current_player = player
    return state


def play(state, *actions, **parameters):
    """Take the actions, written as their text, which must be available."""
    model = Uno(UnoParameters(**parameters))
    for text in actions:
        by_text = {str(action): action for action in model.available_actions(state)}
        assert text in by_text, f"{text} is not among {sorted(by_text)}"
        model.next(state, by_text[text], Rng(2))
    return state


def available(state, **parameters):
    """Return the available actions as text."""
    return {str(action) for action in Uno(UnoParameters(**parameters)).available_actions(state)}


def hand(state, player):
    """Return the names of the cards in a hand."""
    return [NAMES[kind] for kind in state.hands[player].cards()]


def sizes(state):
    """Return how many cards each player has."""
    return [hand.size for hand in state.hands]


def all_cards(state):
    """Return all cards of the round, in order."""
    return sorted(kind for place in (state.deck, state.discards, *state.hands) for kind in place.cards())


def dealt_with(top, n_players=3, **parameters):
    """Return a position just dealt in which ``top`` was turned up."""
    model = Uno(UnoParameters(**parameters))
    for seed in range(20_000):
        state = model.setup(n_players, Rng(seed))
        if state.top == card(top):
            return state
    raise AssertionError(f"{top} was never turned up")


def full_deck():
    """Return the printed deck, in order."""
    return [kind for kind, count in enumerate(UnoParameters().deck()) for _copy in range(count)]


def random_positions(n_players, seed, games=1, **parameters):
    """Return all positions of random games, as independent copies, the final ones included."""
    return positions_of(Uno(UnoParameters(**parameters)), n_players, seed, games)
