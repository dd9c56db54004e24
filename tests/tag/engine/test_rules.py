"""Rule graphs: a co-operative toy in the shape of Pandemic, and graphs that are wrong."""

import pickle

import pytest

from tag.agents.random import Random
from tag.engine.forward_model import GameType
from tag.engine.results import LOSE, WIN
from tag.engine.rng import Rng
from tag.engine.rules import (
    MAX_RULES,
    Branch,
    Condition,
    EndRound,
    EndTurn,
    GameOverCondition,
    Node,
    PlayerAction,
    ReactionSequence,
    Rule,
    RuleGraph,
    RuleGraphForwardModel,
)
from tag.engine.state import DO_NOTHING, Action, ExtendedSequence, GameState, interned
from tag.errors import ContractError
from tag.playing.agent import Agent
from tag.playing.game import Game

HAND_LIMIT = 3
ACTIONS = 2


class OutbreakState(GameState):
    """Hands of numbered cards, a deck (0 is an epidemic), the disease on four cities."""

    __slots__ = ("actions_left", "cities", "cured", "deck", "drawn", "hands", "log")

    def __init__(self, n_players):
        super().__init__(n_players)
        self.deck = []
        self.hands = [[] for _player in range(n_players)]
        self.cities = [0] * 4
        self.actions_left = ACTIONS
        self.drawn = 0
        self.cured = 0
        self.log = ()

    def copy(self):
        other = OutbreakState(self.n_players)
        self.copy_to(other)
        other.deck = self.deck[:]
        other.hands = [hand[:] for hand in self.hands]
        other.cities = self.cities[:]
        other.actions_left = self.actions_left
        other.drawn = self.drawn
        other.cured = self.cured
        other.log = self.log
        return other


class Rest(Action):
    __slots__ = ()

    def execute(self, state, rng):
        state.actions_left -= 1


REST = interned(Rest())


class Treat(Action):
    __slots__ = ("city",)

    def __init__(self, city):
        self.city = city

    def key(self):
        return (self.city,)

    def execute(self, state, rng):
        state.cities[self.city] = max(0, state.cities[self.city] - 1)
        state.actions_left -= 1
        state.cured += 1


class CallForHelp(Action):
    """Asks everybody else for a card."""

    __slots__ = ()

    def execute(self, state, rng):
        state.actions_left -= 1
        others = [p for p in range(state.n_players) if p != state.current_player]
        state.start_sequence(Help(tuple(others)))


class Give(Action):
    __slots__ = ("card",)

    def __init__(self, card):
        self.card = card

    def key(self):
        return (self.card,)

    def execute(self, state, rng):
        state.hands[state.current_player].remove(self.card)
        state.hands[state.turn_player].append(self.card)


class Discard(Action):
    __slots__ = ("card",)

    def __init__(self, card):
        self.card = card

    def key(self):
        return (self.card,)

    def execute(self, state, rng):
        state.hands[state.current_player].remove(self.card)
        state.log = (*state.log, ("discard", int(state.current_player)))


class Help(ReactionSequence):
    __slots__ = ()

    def copy(self):
        other = Help(self.players)
        self.copy_to(other)
        return other

    def reactions(self, state, player):
        return [interned(Give(card)) for card in sorted(set(state.hands[player]))]


class Vaccinate(ExtendedSequence):
    """After an epidemic each player may treat a city."""

    __slots__ = ("left",)

    def __init__(self, left):
        self.left = left

    def copy(self):
        return Vaccinate(self.left)

    def current_player(self, state):
        return self.left - 1

    def available_actions(self, state):
        return [interned(Treat(city)) for city in range(4)]

    def after_action(self, state, action, rng):
        self.left -= 1
        state.actions_left += 1

    def is_complete(self, state):
        return self.left == 0


class ChooseAction(PlayerAction):
    def available_actions(self, state):
        return [REST, interned(CallForHelp()), *[interned(Treat(c)) for c in range(4) if state.cities[c]]]


class ActionsLeft(Condition):
    def holds(self, state):
        return state.actions_left > 0


class Draw(Rule):
    def apply(self, state, rng):
        state.drawn = state.deck.pop() if state.deck else -1
        state.log = (*state.log, ("draw", int(state.turn_player), state.drawn))


class WhatWasDrawn(Branch):
    """Epidemic, nothing, or a card."""

    def choose(self, state, rng):
        if state.drawn > 0:
            state.hands[state.turn_player].append(state.drawn)
            return 2
        return 0 if state.drawn == 0 else 1


class Epidemic(Rule):
    def apply(self, state, rng):
        state.cities[rng.below(4)] += 2
        state.start_sequence(Vaccinate(state.n_players))


class TooManyCards(Condition):
    def holds(self, state):
        return any(len(hand) > HAND_LIMIT for hand in state.hands)


class DiscardOne(PlayerAction):
    """The first player with too many cards, whose turn it need not be."""

    def player(self, state):
        return [len(hand) > HAND_LIMIT for hand in state.hands].index(True)

    def available_actions(self, state):
        return [interned(Discard(card)) for card in sorted(set(state.hands[self.player(state)]))]


class Infect(Rule):
    def apply(self, state, rng):
        state.actions_left = ACTIONS
        state.cities[rng.below(4)] += 1
        state.log = (*state.log, ("infect",))


class Lost(GameOverCondition):
    def holds(self, state):
        return max(state.cities) > 6 or state.drawn < 0

    def finish(self, state):
        state.end_for_all(LOSE)


class Won(GameOverCondition):
    def holds(self, state):
        return state.cured >= 20

    def finish(self, state):
        state.end_for_all(WIN)


class Outbreak(RuleGraphForwardModel):
    game_type = GameType("Outbreak", 2, 4)

    def _graph(self):
        return RuleGraph(
            [
                ChooseAction("action", "won"),
                Won("won", "actions left"),
                ActionsLeft("actions left", "action", "draw"),
                Draw("draw", "what was drawn"),
                WhatWasDrawn("what was drawn", ("epidemic", "lost", "limit"), ("epidemic", "nothing", "card")),
                Epidemic("epidemic", "limit"),
                TooManyCards("limit", "discard", "infect"),
                DiscardOne("discard", "limit"),
                Infect("infect", "lost"),
                Lost("lost", "end turn"),
                EndTurn("end turn", "action"),
            ]
        )

    def _setup(self, n_players, rng):
        state = OutbreakState(n_players)
        state.deck = [0] * 4 + [card for card in range(1, 6) for _copy in range(4)]
        rng.shuffle(state.deck)
        state.cities = [2, 1, 0, 0]
        return state


def due(model, state):
    return model.graph.nodes[state.phase].name


def test_whole_games_are_decided_by_the_seed():
    results = set()
    for seed in range(100):
        finals = [Game(Outbreak(), [Random() for _seat in range(3)], seed).play() for _again in range(2)]
        assert finals[0].snapshot() == finals[1].snapshot()
        results.add(int(finals[0].result(0)))
        assert len({finals[0].result(p) for p in range(3)}) == 1
    assert results == {WIN, LOSE}


def test_the_graph_waits_at_decisions_only():
    model, rng = Outbreak(), Rng(1)
    for seed in range(20):
        state = model.setup(2, Rng(seed))
        assert due(model, state) == "action"
        while not state.is_terminal:
            if not state.sequences:
                node = model.graph.nodes[state.phase]
                assert node.waits
                assert state.current_player == node.player(state)
            model.next(state, rng.choice(model.available_actions(state)), rng)


def test_a_turn_goes_through_the_rules_in_order():
    model, rng = Outbreak(), Rng(1)
    state = model.setup(2, Rng(1))
    state.deck = [2, 2, 2, 1]
    for _action in range(ACTIONS):
        assert state.turn == 0
        model.next(state, REST, rng)
    assert state.log == (("draw", 0, 1), ("infect",))
    assert state.hands == [[1], []]
    assert state.actions_left == ACTIONS
    assert (state.turn, state.current_player) == (1, 1)
    assert due(model, state) == "action"


def test_a_node_can_ask_a_player_whose_turn_it_is_not():
    model, rng = Outbreak(), Rng(1)
    state = model.setup(2, Rng(1))
    state.hands[1] = [1, 2, 3, 4, 5]
    model.next(state, REST, rng)
    state.deck.append(1)
    model.next(state, REST, rng)
    for left in (4, 3):
        assert due(model, state) == "discard"
        assert (state.turn_player, state.current_player) == (0, 1)
        model.next(state, model.available_actions(state)[0], rng)
        assert len(state.hands[1]) == left
    assert due(model, state) == "action"
    assert state.log[1:] == (("discard", 1), ("discard", 1), ("infect",))


def test_a_sequence_started_by_a_decision_comes_before_the_rules_behind_it():
    model, rng = Outbreak(), Rng(1)
    state = model.setup(3, Rng(1))
    state.hands[2] = [4]
    model.next(state, REST, rng)
    state.deck.append(1)
    model.next(state, interned(CallForHelp()), rng)
    assert (state.turn, state.log, state.current_player) == (0, (), 1)
    model.next(state, DO_NOTHING, rng)
    assert state.log == ()
    model.next(state, interned(Give(4)), rng)
    assert state.hands[0] == [4, 1]
    assert state.log == (("draw", 0, 1), ("infect",))
    assert state.current_player == 1


def test_a_sequence_started_by_a_rule_comes_before_the_rules_behind_it():
    model, rng = Outbreak(), Rng(1)
    state = model.setup(3, Rng(1))
    model.next(state, REST, rng)
    state.deck.append(0)
    model.next(state, REST, rng)
    for player in (2, 1, 0):
        assert due(model, state) == "limit"
        assert state.log == (("draw", 0, 0),)
        assert (state.turn, state.current_player) == (0, player)
        model.next(state, interned(Treat(0)), rng)
    assert state.log == (("draw", 0, 0), ("infect",))
    assert (state.turn, state.current_player) == (1, 1)


def test_a_sequence_with_nothing_to_decide_does_not_stop_the_graph():
    class Nothing(Epidemic):
        def apply(self, state, rng):
            state.start_sequence(Vaccinate(0))

    class Quiet(Outbreak):
        def _graph(self):
            nodes = super()._graph().nodes
            return RuleGraph([Nothing(n.name, n.exits[0]) if n.name == "epidemic" else n for n in nodes])

    model, rng = Quiet(), Rng(1)
    state = model.setup(2, Rng(1))
    state.deck = [0, 0]
    for _action in range(ACTIONS):
        model.next(state, REST, rng)
    assert (state.turn, due(model, state)) == (1, "action")


def test_the_position_in_the_graph_is_part_of_the_state():
    """From any copy or pickle, with any other forward model, the game goes on in the same way."""
    model, rng = Outbreak(), Rng(7)
    for seed in range(8):
        state = model.setup(3, Rng(seed))
        while not state.is_terminal:
            others = [state.copy(), pickle.loads(pickle.dumps(state))]
            before = state.snapshot()
            fresh = Outbreak()
            step = rng.below(1000)
            actions = model.available_actions(state)
            choice = actions[rng.below(len(actions))]
            for other in others:
                assert fresh.available_actions(other) == actions
                fresh.next(other, choice, Rng(step))
            assert state.snapshot() == before
            model.next(state, choice, Rng(step))
            for other in others:
                assert other.snapshot() == state.snapshot()


class Ahead(Agent):
    """Looks ahead from every observation before it plays at random."""

    def act(self, observation, actions):
        copied = self.sim.copy(observation)
        self.sim.rollout(copied, 12)
        return self.sim.rng.choice(self.sim.available_actions(observation))


def test_search_changes_nothing_in_the_game():
    for seed in range(5):
        game = Game(Outbreak(), [Ahead(), Ahead(), Ahead()], seed)
        game.play()
        assert game.faults == []


# --- rounds ------------------------------------------------------------------------------------------------------------


class Pass(PlayerAction):
    def available_actions(self, state):
        return [DO_NOTHING]


class EverybodyHadATurn(Condition):
    def holds(self, state):
        return (state.turn_player + 1) % state.n_players == state.first_player


class Rounds(RuleGraphForwardModel):
    game_type = GameType("Rounds", 2, 4)

    def __init__(self):
        super().__init__()
        self.max_rounds = 3

    def _graph(self):
        nodes = [
            EverybodyHadATurn("all", "end round", "end turn"),
            EndTurn("end turn", "pass"),
            EndRound("end round", "pass"),
        ]
        return RuleGraph([Pass("pass", "all"), *nodes])

    def _setup(self, n_players, rng):
        return OutbreakState(n_players)


def test_rounds_end_and_so_does_the_game_at_the_limit():
    starters = []

    class Note(Agent):
        wants_single_actions = True

        def act(self, observation, actions):
            starters.append((int(observation.round), int(observation.current_player)))
            return actions[0]

    final = Game(Rounds(), [Note() for _seat in range(3)], 1).play()
    assert starters == [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (1, 0), (2, 2), (2, 0), (2, 1)]
    assert (final.round, final.is_terminal) == (3, True)


# --- graphs that are wrong ---------------------------------------------------------------------------------------------


class Act(PlayerAction):
    def available_actions(self, state):
        return [DO_NOTHING]


class Skip(Rule):
    def apply(self, state, rng):
        pass


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ([], "needs a node"),
        (
            [Act("a", "b"), Skip("b", "actt"), Act("act", "b")],
            "node 'b' .* leads to no node 'actt'; did you mean 'act'",
        ),
        ([Act("a", "a"), Skip("b", "a")], "node 'b' .* cannot be reached from 'a'"),
        ([Act("a", "b"), Skip("b", "c"), Skip("c", "b")], "node '[bc]' .* is a dead end: no decision"),
        ([Act("a", "b"), Node("b", ())], "node 'b' .* is a dead end: nothing follows"),
        ([Act("a", "a"), Skip("a", "a")], "two nodes .* named 'a'"),
    ],
)
def test_wrong_graphs(nodes, message):
    with pytest.raises(ContractError, match=message):
        RuleGraph(nodes)


def test_a_loop_without_a_decision_is_found_when_it_is_run():
    class Never(Condition):
        def holds(self, state):
            return False

    class Loop(Rounds):
        def _graph(self):
            return RuleGraph([Skip("skip", "test"), Never("test", "act", "skip"), Act("act", "skip")])

    with pytest.raises(ContractError, match=f"no decision after {MAX_RULES} rules, last '(skip|test)'"):
        Loop().setup(2, Rng(1))


def test_a_phase_that_takes_no_decision_is_refused():
    model = Outbreak()
    state = model.setup(2, Rng(1))
    state.phase = model.graph.number("draw")
    with pytest.raises(ContractError, match="'draw' .* takes no decision"):
        model.available_actions(state)
    with pytest.raises(ContractError, match="no node .* named 'drew'; did you mean 'draw'"):
        model.graph.number("drew")


def test_the_drawing():
    lines = Outbreak().graph.describe().splitlines()
    assert lines[0] == "flowchart TD"
    assert '    n0(["action"])' in lines
    assert '    n2{"actions left"}' in lines
    assert '    n3["draw"]' in lines
    assert '    n9{{"lost"}}' in lines
    assert "    n2 -->|yes| n0" in lines
    assert "    n2 -->|no| n3" in lines
    assert "    n4 -->|nothing| n9" in lines
    assert "    n9 -->|over| over(((end of the game)))" in lines
    assert len(lines) == 1 + 11 + 15 + 2
