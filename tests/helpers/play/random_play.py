"""Positions of random games of any game."""

from tag import Rng


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
