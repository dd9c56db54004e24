"""Copies and pickles: every public object has them, in both builds, and a game goes on from a copy as from the original."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from typing import Any, Final

import cloudpickle
import pytest

import tag
from tag import (
    Actions,
    Agent,
    Cells,
    Clock,
    Event,
    Features,
    Game,
    GameState,
    JointHeuristic,
    Learner,
    Listener,
    Metric,
    MoreThan,
    OtherThan,
    Parameters,
    Rng,
    SearchNode,
    SearchParameters,
    StateHeuristic,
    make_agent,
    make_game,
    make_heuristic,
)
from tag.catalogue.registry import agent_class, agent_names, game_names, learner_names, make_learner
from tag.check.agents import agents_of_any_game
from tag.engine.parameters import Spec
from tag.engine.snapshot import state_hash
from tag.orders import GameOrder, Speed, play_order
from tag.playing.faults import Fault, FaultPolicy

pytestmark = pytest.mark.flow

WAYS: Final[dict[str, Callable[[Any], Any]]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
    "cloudpickle": lambda thing: pickle.loads(cloudpickle.dumps(thing)),
}
APART: Final = [way for way in WAYS if way != "copy"]

#: Agents with settings that keep other objects between decisions.
AGENTS: Final = [
    *[name for name in agents_of_any_game() if name != "learned"],
    "mcts:budget=60,reuse_tree=true,solver=true,information=chance_nodes",
    "mcts:budget=60,reuse_tree=true,rollout_policy=mast,tree_policy=puct,priors=game",
    "mcts:budget=60,tree_policy=exp3,trees=by_player",
    "mcts:budget=60,tree_policy=ucb_tuned,heuristic=win",
    "mcts:budget=2,budget_type=cpu_ms",
    "rhea:budget=60,shift_buffer=true,opponent=(mcts:budget=10)",
    "rhea:budget=60,crossover=n_point,selection=tournament",
    "restricted:agent=(mcts:budget=60),without=nothing",
]
#: Games without chance, with dice, hidden cards, simultaneous choices, and actions of many steps.
GAMES: Final = ["tic_tac_toe", "cant_stop", "love_letter", "sushi_go", "dominion"]


class Remembers(Agent):
    """An agent of a user: interpreted, with a field of its own, and a cycle."""

    def __init__(self, parameters=None):
        super().__init__(parameters)
        self.asked = []
        self.itself = self

    def act(self, observation, actions):
        self.asked.append(len(actions))
        return actions[(len(self.asked) * 7 + self.sim.rng.below(3)) % len(actions)]


class Counts(Listener):
    """A listener of a user."""

    def __init__(self):
        self.seen = 0

    def on_action_taken(self, state, player, action):
        self.seen += 1


def begun(game: str, agents: list[Agent], actions: int) -> Game:
    """Return a game after some actions."""
    found = Game(make_game(game), agents, 11, listeners=[Counts()])
    found.start()
    for _action in range(actions):
        if not found.state.is_terminal:
            found.step()
    return found


def played_on(game: Game) -> tuple[object, ...]:
    """Return what is seen of the rest of a game, up to some more actions."""
    for _action in range(12):
        if not game.state.is_terminal:
            game.step()
    assert not [fault for fault in game.faults if fault.kind != "over budget"]
    return (state_hash(game.state), game.actions_digest, game.decisions, game.listeners[0].seen)


@pytest.mark.parametrize("way", APART)
@pytest.mark.parametrize("agent", AGENTS)
def test_a_game_goes_on_alike_from_a_copy(agent, way):
    budget = (
        "" if ":" in agent or not issubclass(agent_class(agent).parameters_class, SearchParameters) else ":budget=60"
    )
    for game in GAMES:
        original = begun(game, [make_agent(agent + budget), Remembers()], 5)
        found = WAYS[way](original)
        assert type(found) is Game
        if "_ms" not in agent:
            assert played_on(found) == played_on(original)
        else:
            assert played_on(found)
        assert found.state is not original.state


@pytest.mark.parametrize("way", APART)
@pytest.mark.parametrize("game", game_names())
def test_every_game_goes_on_alike_from_a_copy(game, way):
    players = make_game(game).game_type.min_players
    for seated in (Remembers, lambda: make_agent("mcts:budget=20")):
        original = begun(game, [seated() for _seat in range(players)], 9)
        assert played_on(WAYS[way](original)) == played_on(original)


def taught(name: str, episodes: int) -> Learner:
    """Return a learner after some games of tic-tac-toe."""
    learner = make_learner(name, make_game("tic_tac_toe"), 2, 100)
    for _episode in range(episodes):
        learner.play_episode()
    return learner


def examples() -> dict[type, Any]:
    """Return an object of each public class, of a subclass where the class is abstract, in the middle of its life."""
    model = make_game("love_letter")
    game = begun("love_letter", [make_agent("mcts:budget=40"), Remembers()], 4)
    searcher = game.agents[0]
    vocabulary = model.vocabulary(2)
    learner = taught("td_ntuple", 5)
    found: dict[type, Any] = {
        tag.Action: vocabulary.action(3),
        Actions: vocabulary.groups[0],
        Agent: searcher,
        tag.Budget: searcher.sim.budget,
        Cells: make_game("tic_tac_toe").cells(2),
        Clock: Clock(3.0, 0.5),
        Event: Event("a", 1, 2.0),
        tag.ForwardModel: model,
        Game: game,
        GameState: game.state,
        tag.GameType: model.game_type,
        JointHeuristic: make_heuristic("dominion"),
        tag.Knowledge: learner.knowledge(True),
        tag.LearnedValues: learner.values(),
        Learner: learner,
        Listener: Counts(),
        MoreThan: MoreThan(3.0),
        OtherThan: OtherThan("null"),
        Parameters: model.parameters,
        Rng: game.agents[1].sim.rng,
        tag.RuleBot: begun("love_letter", [make_agent("love_letter:priest_and_baron"), Remembers()], 4).agents[0],
        SearchNode: searcher.search_tree(),
        SearchParameters: searcher.parameters,
        tag.Simulator: searcher.sim,
        StateHeuristic: make_heuristic("game"),
        Features: make_game("nim").features(),
        tag.Vocabulary: vocabulary,
        tag.ParameterError: tag.ParameterError("no"),
        tag.TagError: tag.TagError("no"),
    }
    return found


def test_every_public_object_has_copies():
    found = examples()
    public = {thing for name in tag.__all__ if inspect.isclass(thing := getattr(tag, name))}
    missing = public - set(found) - {tag.ExtendedSequence, Metric}
    assert not missing, "give an example of each"
    for cls, thing in found.items():
        assert isinstance(thing, cls)
    others = [Spec("a", {"b": 1}), Speed(3.0, 1.0), Fault("crash", 1, 2, "no"), FaultPolicy()]
    others += [dimension for name in agent_names() for dimension in agent_class(name).parameters_class.dimensions()]
    failed = []
    for thing in [*found.values(), *others]:
        for way, made in WAYS.items():
            try:
                twin = made(thing)
                assert type(twin) is type(thing)
            except Exception as error:  # noqa: BLE001  all are told
                failed.append(f"{type(thing).__name__} {way}: {type(error).__name__}: {error}")
    assert failed == []


@pytest.mark.parametrize("way", APART)
@pytest.mark.parametrize("name", learner_names())
def test_a_learner_goes_on_alike_from_a_copy(name, way):
    original = taught(name, 6)
    found = WAYS[way](original)
    for learner in (original, found):
        for _episode in range(6):
            learner.play_episode()
    assert repr(found.knowledge(True)) == repr(original.knowledge(True))


@pytest.mark.parametrize("way", APART)
def test_generators_and_clocks_go_on_alike(way):
    rng = Rng(5)
    rng.next32()
    twin = WAYS[way](rng)
    assert [twin.next32() for _draw in range(9)] == [rng.next32() for _draw in range(9)]
    clock = Clock(3.0, 0.5)
    assert WAYS[way](clock).spend(1.0)
    budget = make_agent("mcts:budget=500,budget_type=wall_ms").new_budget()
    budget.start()
    assert 0.0 < WAYS[way](budget).seconds_left <= 0.5


@pytest.mark.parametrize("way", WAYS)
def test_orders_and_records_have_copies(way):
    order = GameOrder("t", "uno", ("random", "osla"), 3)
    assert WAYS[way](order) == order
    record = play_order(order)
    assert WAYS[way](record) == record
