"""Restricted play: the agent never takes what it is to do without, unless nothing else is left, and plans for that."""

from __future__ import annotations

import pytest

from tag import Agent, AnyAction, Game, GameState, Listener, Rng, make_agent, make_game
from tag.agents.restricted import RestrictedParameters, WithoutActions
from tag.catalogue.registry import canonical, dimensions_of
from tag.catalogue.user_code import source_of
from tag.engine.parameters import Spec, parse_spec
from tag.errors import ParameterError, UnknownNameError
from tag.games.cards.love_letter import LoveLetter
from tag.orders import GameOrder, play_order
from tag.tournaments import define
from tag.tournaments.definition import timed, user_sources

SEARCHES = ["osla", "mcts:budget=60", "rhea:budget=60", "rmhc:budget=60", "random"]


class Choices(Listener):
    """Notes what a player chose of what."""

    def __init__(self, player: int) -> None:
        self.player = player
        self.chosen: list[tuple[str, set[str]]] = []
        self.withheld: list[int] = []

    def on_action_chosen(
        self, state: GameState, player: int, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        if player == self.player and agent is not None:
            self.chosen.append((type(action).__name__, {type(one).__name__ for one in actions}))
            self.withheld.append(int(str(agent.statistics()["withheld"])))


def choices(agent: str, other: str, game: str = "love_letter", seed: int = 1) -> Choices:
    found = Choices(0)
    played = Game(make_game(game), [make_agent(agent), make_agent(other)], seed, listeners=[found])
    played.play()
    assert played.faults == []
    return found


@pytest.mark.parametrize("inner", SEARCHES)
def test_it_never_takes_what_it_is_to_do_without(inner: str) -> None:
    could = 0
    for seed in range(3):
        found = choices(f"restricted:agent=({inner}),without=Guard", "random", seed=seed)
        for (taken, available), withheld in zip(found.chosen, found.withheld, strict=True):
            assert taken != "Guard" or available == {"Guard"}
            assert (withheld > 0) == ("Guard" in available and len(available) > 1)
            could += "Guard" in available
    assert could > 5


def test_without_words_it_plays_as_the_other_agent_does() -> None:
    for inner in ("random", "mcts:budget=60", "mcts:budget=300,beliefs=greedy"):
        orders = [
            GameOrder("g", "love_letter", (agent, "random"), 5) for agent in (inner, f"restricted:agent=({inner})")
        ]
        plain, restricted = map(play_order, orders)
        assert restricted.state_hash == plain.state_hash
        assert restricted.decisions == plain.decisions


@pytest.mark.parametrize("game", ["connect_four", "tic_tac_toe", "love_letter"])
def test_the_search_is_of_the_same_kind_as_without_a_restriction(game: str) -> None:
    """What is said of the rules (open, no chance) holds for the restricted ones, and decides how MCTS searches."""
    orders = [
        GameOrder("g", game, (agent, "random"), 3)
        for agent in ("mcts:budget=200", "restricted:agent=(mcts:budget=200),without=(nothing is called this)")
    ]
    plain, restricted = map(play_order, orders)
    assert restricted.state_hash == plain.state_hash


class Spy(Agent):
    """Notes what its player and others can do when it looks ahead."""

    seen: list[tuple[bool, set[str]]]

    def start_game(self, observation: GameState) -> None:
        Spy.seen = []

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        sim = self.sim
        state = sim.observation(observation, self.player)
        while not state.is_terminal and state.round == observation.round:
            available = sim.available_actions(state)
            Spy.seen.append((state.current_player == self.player, {type(one).__name__ for one in available}))
            sim.next(state, available[sim.rng.below(len(available))])
        return actions[0]


def test_it_looks_ahead_without_them_and_the_others_have_them() -> None:
    file = f"{__file__}:Spy"
    agent = make_agent(Spec("restricted", {"agent": file, "without": "Guard"}))
    inner = agent._agent
    Game(make_game("love_letter"), [agent, make_agent("random")], 4).play()
    seen = type(inner).seen
    mine = [names for is_mine, names in seen if is_mine]
    theirs = [names for is_mine, names in seen if not is_mine]
    assert all("Guard" not in names or names == {"Guard"} for names in mine)
    assert any("Guard" in names and len(names) > 1 for names in theirs)


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("Prince", {"Guard", "Princess"}),
        ("prince on player 1", {"Guard", "Princess"}),
        ("prince on player 2", {"Guard", "Prince", "Princess"}),
        ("*Priest", {"Prince", "Princess"}),
        ("princess", {"Guard", "Prince"}),
        ("Priest", {"Guard", "Prince", "Princess"}),
        ("Prin", {"Guard", "Prince", "Princess"}),
        ("", {"Guard", "Prince", "Princess"}),
    ],
)
def test_names_are_classes_or_begin_texts_in_whole_words(words: str, kept: set[str]) -> None:
    from tag.games.cards.love_letter.actions import Guard, Prince, Princess

    model = LoveLetter()
    state = model.setup(2, Rng(1))
    actions: list[AnyAction] = [Guard(1, 2), Prince(1), Princess()]
    assert {type(one).__name__ for one in WithoutActions(words).kept(state, actions)} == kept


def test_it_tells_the_other_agents_figures_only_where_that_was_asked() -> None:
    agent = make_agent("restricted:agent=osla,without=Guard")
    assert set(agent.statistics()) == {"withheld", "withheld_in_game"}
    found = []

    class Figures(Listener):
        def on_action_chosen(
            self, state: GameState, player: int, action: AnyAction, actions: list[AnyAction], agent: Agent | None
        ) -> None:
            if player == 0 and agent is not None:
                left = [one for one in actions if type(one).__name__ != "Guard"] or actions
                found.append((len(left) > 1, "evaluations" in agent.statistics()))

    Game(make_game("love_letter"), [agent, make_agent("random")], 1, listeners=[Figures()]).play()
    assert {is_asked for is_asked, _told in found} == {True, False}
    assert all(is_asked == told for is_asked, told in found)


def test_several_restrictions_are_nested_and_survive_the_text() -> None:
    inner = str(Spec("restricted", {"agent": "osla", "without": "Guard"}))
    both = canonical(Spec("restricted", {"agent": inner, "without": "Baron (3), or so"}), RestrictedParameters)
    assert both == "restricted:agent=(restricted:agent=osla,without=Guard),without=(Baron (3), or so)"
    assert parse_spec(both).values == {"agent": inner, "without": "Baron (3), or so"}
    found = choices(str(Spec("restricted", {"agent": inner, "without": "Baron"})), "random", seed=2)
    assert all(taken not in ("Guard", "Baron") or available <= {"Guard", "Baron"} for taken, available in found.chosen)


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'mcts'"):
        make_agent("restricted:agent=mtcs,without=Guard")
    with pytest.raises(ParameterError, match="without cannot be 'a\\)b'; its parentheses do not match"):
        RestrictedParameters(without="a)b")


def test_its_budget_is_the_other_agents() -> None:
    assert make_agent("restricted:agent=(mcts:budget=70,budget_type=copies)").new_budget().kind == "copies"
    names = [dimension.name for dimension in dimensions_of("restricted:agent=mcts", RestrictedParameters)]
    assert "agent.budget" in names
    definition = define("love_letter", ("restricted:agent=(mcts:budget_type=wall_ms)", "random"), 1)
    assert timed(definition) == ["restricted:agent=(mcts:budget_type=wall_ms)"]


def test_users_agents_within_travel_to_workers() -> None:
    file = f"{__file__}:Spy"
    definition = define("love_letter", (f"restricted:agent=({file}),without=Guard", "random"), 1)
    assert source_of(file)[0] in user_sources(definition)
