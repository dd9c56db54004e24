"""Positions of Love Letter, laid out by hand."""

from play.random_play import positions_of

from tag.engine.rng import Rng
from tag.engine.state import interned
from tag.games.cards.love_letter import LoveLetter, LoveLetterParameters

GUARD, PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS = range(1, 9)


def position(hands, drawn, *, deck=(GUARD, GUARD, GUARD), removed=GUARD, discards=None, tokens=None, first=0):
    """Return the position of a round in which player 0 plays next, ``hands`` (0: out of the round) by player.

    The top of the ``deck`` is its last card.
    """
    n_players = len(hands)
    state = LoveLetter().setup(n_players, Rng(1))
    state.hands = list(hands)
    state.drawn = drawn
    state.deck = list(deck)
    state.removed = removed
    state.face_up = ()
    state.discards = [16 * player + card for player, cards in enumerate(discards or ()) for card in cards]
    state.alive = sum(1 << player for player in range(n_players) if hands[player])
    state.tokens = (0,) * n_players if tokens is None else tuple(tokens)
    state.first_player = first
    return state


def play(state, action, **parameters):
    """Play ``action``, which must be available."""
    model = LoveLetter(LoveLetterParameters(**parameters))
    chosen = interned(action)
    assert chosen in model.available_actions(state), f"{action} is not available"
    model.next(state, chosen, Rng(2))
    return state


def available(state):
    """Return the available actions as text."""
    return [str(action) for action in LoveLetter().available_actions(state)]


def known(state, viewer):
    """Return what ``viewer`` knows of each hand, 0 for nothing."""
    return [state.seen_hand(player, viewer) for player in range(state.n_players)]


def knowers(state, holder):
    """Return who knows the hand of ``holder``, beside the holder."""
    return {viewer for viewer in range(state.n_players) if viewer != holder and state.knows(viewer, holder)}


def random_positions(n_players, seed, games=1):
    """Return all positions of random games, as independent copies, the final ones included."""
    return positions_of(LoveLetter(), n_players, seed, games)
