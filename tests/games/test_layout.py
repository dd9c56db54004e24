"""All games have the same few files and one state class each, as they are what newcomers read and copy."""

import re
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import grimp
import pytest

from tag import GameState, Rng, make_game, make_heuristic
from tag.catalogue.registry import game_names
from tag.catalogue.version import is_compiled
from tag.engine.rules.trick_state import TrickState
from tag.orders import GameOrder, new_game

GAMES = Path(__file__).parents[2] / "games"
#: In the order in which they are read, and import each other.
FILES = ["data", "telling", "state", "actions", "values", "rules", "bots"]
#: The events of games of which there is much to tell; others announce them where they happen.
OPTIONAL = {"telling"}
#: Modules of rules that have a second idea.
MORE = {"dominion": ["attacks_and_decks"], "stratego": ["plans"]}
#: Modules of what states compute.
COMPUTED = {"seven_wonders": ["trade"]}
#: The folder of bots beside games of one module.
BOTS = "bots"
FAMILY = {
    path.parent.name: path.parents[1].name for path in sorted(GAMES.glob("*/*/__init__.py")) if path.parent.name != BOTS
}
PACKAGES = list(FAMILY)


@pytest.fixture(scope="module")
def modules():
    """Return for each module of the package those that it imports, also lazily or for types only."""
    if is_compiled():
        pytest.skip("imports are read from sources")
    graph = grimp.build_graph("tag", cache_dir=None, exclude_type_checking_imports=False)
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


@pytest.mark.parametrize("game", PACKAGES)
def test_a_package_has_only_the_files_that_games_have(game):
    names = {source.stem for source in (GAMES / FAMILY[game] / game).glob("*.py")}
    assert names | OPTIONAL == {"__init__", *FILES, *MORE.get(game, []), *COMPUTED.get(game, [])}


def test_no_modules_import_each_other(modules):
    assert len(modules) > 300
    TopologicalSorter(modules).prepare()  # a CycleError names the circle


@pytest.mark.parametrize("game", PACKAGES)
def test_files_of_a_game_import_only_those_that_are_read_before(game, modules):
    order = [FILES[0], *COMPUTED.get(game, []), *FILES[1:4], *MORE.get(game, []), *FILES[4:]]
    home = f"tag.games.{FAMILY[game]}.{game}"
    for place, name in enumerate(order):
        if name in OPTIONAL and f"{home}.{name}" not in modules:
            continue
        own = {module for module in modules[f"{home}.{name}"] if module.startswith(f"{home}.")}
        assert own <= {f"{home}.{earlier}" for earlier in order[:place]}


@pytest.mark.parametrize("game", PACKAGES)
def test_a_package_offers_the_game_and_what_goes_with_it(game):
    name = type(make_game(game)).__name__
    parts = ["", "Features", "Heuristic", "HeuristicParameters", "Metric", "Parameters", "State"]
    assert import_module(f"tag.games.{FAMILY[game]}.{game}").__all__ == [f"{name}{part}" for part in parts]


@pytest.mark.parametrize("game", PACKAGES)
def test_a_game_has_one_state_class(game):
    states = {GameState}
    for source in (GAMES / FAMILY[game] / game).glob("*.py"):
        module = import_module(f"tag.games.{FAMILY[game]}.{game}.{source.stem}")
        states |= {cls for cls in vars(module).values() if isinstance(cls, type) and issubclass(cls, GameState)}
    own = [cls for cls in states if cls.__module__.startswith("tag.games.")]
    assert [cls.__mro__[1:-1] for cls in own] in ([(GameState,)], [(TrickState, GameState)])


@pytest.mark.parametrize("game", PACKAGES)
def test_agents_value_states_by_the_games_heuristic(game):
    model = make_game(game)
    kind = model.game_type
    own, by_default = make_heuristic(game), make_heuristic("game").of(model)
    spec = f"{game}:{kind.check_parameters}" if kind.check_parameters else game
    played = new_game(GameOrder("", spec, ("random",) * kind.max_players, 3))
    states = [played.state.copy()]
    played.play()
    states.append(played.state)
    values = [[own.value(state, player) for player in range(kind.max_players)] for state in states]
    assert values == [[by_default.value(state, player) for player in range(kind.max_players)] for state in states]
    assert values[0] != values[1]


@pytest.mark.parametrize("game", game_names())
def test_games_declare_as_many_names_as_features(game):
    model = make_game(game)
    features = model.features()
    for players in range(model.game_type.min_players, model.game_type.max_players + 1):
        state = model.setup(players, Rng(1))
        for player in range(players):
            named = features.named(state, player)
            assert len(named) == len(features.values(state, player))


@pytest.mark.parametrize("game", sorted(set(game_names()) - set(PACKAGES)))
def test_a_module_of_one_file_has_its_classes_in_the_same_order(game):
    (file,) = GAMES.glob(f"*/{game}.py")
    name = type(make_game(game)).__name__
    classes = re.findall(r"^class (\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    wanted = [f"{name}{part}" for part in ("Parameters", "State", "Features", "Heuristic", "")]
    assert [cls for cls in classes if cls in wanted] == wanted
    assert classes[-1] == name
