"""Try a game of OpenSpiel in a process of its own: FOLDER GAME [resample]; prints what goes wrong, and exits with 1."""

from __future__ import annotations

import sys
from random import Random  # noqa: TID251  this process cannot import tag everywhere

_DECISIONS = 60
_PLIES = 2000
_MEMORY = 8 << 30
#: What the names of OpenSpiel's games begin with that are written in Python.
PYTHON_GAMES = "python_"


def main(folder: str, text: str, resample: str) -> None:
    """Play at random."""
    sys.path.append(folder)
    import pyspiel

    if PYTHON_GAMES in text:
        import open_spiel.python.games  # type: ignore[import-untyped]  # noqa: F401  they register when imported

    game = pyspiel.load_game(text)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    state = game.new_initial_state()
    draws = Random(1)
    decisions = 0
    for _ply in range(_PLIES):
        if state.is_terminal() or decisions == _DECISIONS:
            break
        actions = state.legal_actions()
        if not actions:
            raise ValueError("it offers no action although it is not over")
        player = state.current_player()
        if player >= 0:
            decisions += 1
            if resample:
                state.resample_from_infostate(player, draws.random)
        state = state.clone()
        state.apply_action(draws.choice(actions))


if __name__ == "__main__":
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    except (ImportError, ValueError, OSError):
        resource = None  # type: ignore[assignment]
    try:
        main(*sys.argv[1:])
    except Exception as error:  # noqa: BLE001  OpenSpiel raises errors of many kinds
        print(error)  # noqa: T201
        sys.exit(1)
