"""Positions of random games of any game."""

from contextlib import suppress

from tag import Rng
from tag.errors import ParameterError


def positions_of(model, n_players, seed, games=1):
    """Return all positions of random games, as independent copies, the final ones included."""
    rng = Rng(seed)
    found = []
    for _game in range(games):
        state = model.setup(n_players, rng)
        found.append(state.copy())
        while not state.is_terminal:
            model.next(state, rng.choice(model.available_actions(state)), rng)
            found.append(state.copy())
    return found


def players_for(model, rng):
    """Return one of the numbers of players with which the parameters of ``model`` can be played, each as likely."""
    kind, fitting = model.game_type, []
    for n_players in range(kind.min_players, kind.max_players + 1):
        with suppress(ParameterError):
            model.check_players(n_players)
            fitting.append(n_players)
    return rng.choice(fitting)
