"""All games have the same few files and one state class each, as they are what newcomers read and copy."""

from importlib import import_module
from pathlib import Path

import pytest

from tag import GameState, make_game, make_heuristic
from tag.orders import GameOrder, new_game

GAMES = Path(__file__).parents[2] / "games"
FILES = {"__init__", "actions", "data", "features", "forward_model", "heuristic", "metric", "parameters", "state"}
#: Modules of rules that have a second idea.
MORE = {"dominion": {"attacks_and_decks"}}
FAMILY = {path.parent.name: path.parents[1].name for path in sorted(GAMES.glob("*/*/__init__.py"))}
PACKAGES = list(FAMILY)


def test_a_folder_has_twelve_entries_at_most():
    for folder in [GAMES, *[path for path in GAMES.rglob("*") if (path / "__init__.py").exists()]]:
        assert len([path for path in folder.iterdir() if path.name != "__pycache__"]) <= 12, folder


@pytest.mark.parametrize("game", PACKAGES)
def test_a_package_has_only_the_files_that_games_have(game):
    assert {source.stem for source in (GAMES / FAMILY[game] / game).glob("*.py")} <= FILES | MORE.get(game, set())


@pytest.mark.parametrize("game", PACKAGES)
def test_a_package_offers_the_game_and_what_goes_with_it(game):
    name = type(make_game(game)).__name__
    parts = ["", "Heuristic", "HeuristicParameters", "Metric", "Parameters", "State"]
    assert import_module(f"tag.games.{FAMILY[game]}.{game}").__all__ == [f"{name}{part}" for part in parts]


@pytest.mark.parametrize("game", PACKAGES)
def test_a_game_has_one_state_class(game):
    states = {GameState}
    for source in (GAMES / FAMILY[game] / game).glob("*.py"):
        module = import_module(f"tag.games.{FAMILY[game]}.{game}.{source.stem}")
        states |= {cls for cls in vars(module).values() if isinstance(cls, type) and issubclass(cls, GameState)}
    assert [cls.__mro__[1:-1] for cls in states - {GameState}] == [(GameState,)]


@pytest.mark.parametrize("game", PACKAGES)
def test_a_state_is_valued_by_the_games_heuristic(game):
    kind = make_game(game).game_type
    heuristic = make_heuristic(game)
    spec = f"{game}:{kind.check_parameters}" if kind.check_parameters else game
    played = new_game(GameOrder("", spec, ("random",) * kind.max_players, 3))
    states = [played.state.copy()]
    played.play()
    states.append(played.state)
    values = [[heuristic.value(state, player) for player in range(kind.max_players)] for state in states]
    assert values == [[state.heuristic(player) for player in range(kind.max_players)] for state in states]
    assert values[0] != values[1]
