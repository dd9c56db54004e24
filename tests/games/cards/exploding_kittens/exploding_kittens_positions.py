"""Positions of Exploding Kittens, laid out by hand."""

from play.random_play import positions_of

from tag.engine.rng import Rng
from tag.engine.state import DO_NOTHING, interned
from tag.games.cards.exploding_kittens import ExplodingKittens, ExplodingKittensParameters
from tag.games.cards.exploding_kittens.data import N_KINDS, count, packed

KITTEN, DEFUSE, ATTACK, SKIP, FAVOR, SHUFFLE, SEE, NOPE, TACO, MELON, POTATO, BEARD, RAINBOW = range(N_KINDS)


def position(hands, deck=(TACO, MELON, TACO, KITTEN, TACO, MELON), discards=(), **parameters):
    """Return a position in which player 0 plays next and nobody knows anything; the top of the ``deck`` comes first."""
    n_players = len(hands)
    state = ExplodingKittens(ExplodingKittensParameters(**parameters)).setup(n_players, Rng(1))
    state.deck = list(reversed(deck))
    state.unseen = 0
    for player, hand in enumerate(hands):
        state.set_hand(player, packed(hand))
    state.known = [0] * (n_players * n_players)
    state.discards = packed(discards)
    return state


def play(state, *actions, seed=2, **parameters):
    """Play ``actions``, each of which must be available."""
    model = ExplodingKittens(ExplodingKittensParameters(**parameters))
    rng = Rng(seed)
    for action in actions:
        chosen = interned(action)
        assert chosen in model.available_actions(state), f"{action} is not available"
        model.next(state, chosen, rng)
    return state


def passes(state, **parameters):
    """Let everybody pass until somebody has something else to decide."""
    model = ExplodingKittens(ExplodingKittensParameters(**parameters))
    while not state.is_terminal and DO_NOTHING in model.available_actions(state):
        model.next(state, DO_NOTHING, Rng(3))
    return state


def played(state, *actions, seed=2, **parameters):
    """Play each of ``actions``, and let nobody nope it."""
    for action in actions:
        passes(play(state, action, seed=seed, **parameters), **parameters)
    return state


def available(state, **parameters):
    """Return the available actions as text."""
    return [str(a) for a in ExplodingKittens(ExplodingKittensParameters(**parameters)).available_actions(state)]


def hand(state, player):
    """Return the cards of ``player``, in order."""
    return state.known_cards(player, -1)


def sizes(state):
    """Return how many cards each player holds."""
    return [state.size(player) for player in range(state.n_players)]


def discarded(state, kind):
    """Return how many cards of ``kind`` are in the discard pile."""
    return count(state.discards, kind)


def pile(state):
    """Return the draw pile, the top first."""
    return shown(state.copy(), Rng(4)).deck[::-1]


def shown(state, rng):
    """Return ``state`` with a card at every place of the pile that no player has seen."""
    for place in range(len(state.deck)):
        state.reveal(place, rng)
    return state


def seen_pile(state, viewer):
    """Return what ``viewer`` is certain of in the draw pile, the top first, -1 for unknown cards."""
    return [state.seen_card(place, viewer) for place in range(len(state.deck) - 1, -1, -1)]


def observations(state, player, count=60, seed=1):
    """Return observations of ``player``, with all cards of the pile."""
    rng = Rng(seed)
    return [shown(state.observation(player, rng), rng) for _each in range(count)]


def random_positions(n_players, seed, games=1):
    """Return all positions of random games, as independent copies, the final ones included."""
    return positions_of(ExplodingKittens(), n_players, seed, games)
