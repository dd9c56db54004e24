"""Generic actions, and a game made of nothing else."""

import pickle

import pytest

from tag.agents.random import Random
from tag.components import (
    HIDDEN_TO_ALL,
    VISIBLE_TO_OWNER,
    Card,
    Counter,
    Deck,
    Die,
    GridBoard,
    PartiallyObservableDeck,
    PartiallyObservableGridBoard,
    Token,
    shared,
)
from tag.components.actions import (
    DrawCards,
    ModifyCounter,
    MoveAll,
    MoveCard,
    PlaceToken,
    Rearrange,
    RollDie,
    SetCell,
    Shuffle,
    rearrangements,
)
from tag.components.state import ComponentState
from tag.engine.forward_model import ForwardModel, GameType
from tag.engine.rng import Rng
from tag.engine.state import DO_NOTHING, interned
from tag.errors import ContractError, UnknownNameError
from tag.playing.agent import Agent
from tag.playing.game import Game

CARDS = [shared(Card(name)) for name in ("one", "two", "three", "four")]
STONE = shared(Token("stone"))

ALL = [
    DrawCards("draw", "hand"),
    DrawCards("draw", "hand", 2),
    MoveCard("hand", 0, "pile"),
    MoveAll("draw", "pile"),
    Shuffle("draw"),
    Rearrange("draw", (2, 0, 1), 1),
    SetCell("grid", 1, 7),
    PlaceToken("stones", "board", 2),
    ModifyCounter("score", -2),
    RollDie("d6"),
]


def state():
    made = ComponentState(2)
    for component in (
        PartiallyObservableDeck("draw", CARDS[:], 2, visibility=HIDDEN_TO_ALL),
        Deck("hand", [CARDS[0]], 1, VISIBLE_TO_OWNER),
        Deck("pile", []),
        Deck("stones", [STONE], back="token"),
        GridBoard("grid", 2, 2, [0] * 4),
        GridBoard("board", 2, 2, [None] * 4),
        Counter("score", 5),
        Die.sided("d6", 6),
    ):
        made.area.put(component)
    return made


def done(action, rng=None):
    made = state()
    action.execute(made, rng or Rng(1))
    return made.area


def names(deck):
    return [str(card) for card in deck.items]


def test_drawing():
    area = done(DrawCards("draw", "hand", 2))
    assert names(area.deck("draw")) == ["one", "two"]
    assert names(area.deck("hand")) == ["one", "four", "three"]
    with pytest.raises(ContractError, match="'draw' has no item"):
        done(DrawCards("draw", "hand", 5))


def test_moving():
    area = done(MoveCard("hand", 0, "pile"))
    assert names(area.deck("pile")) == ["one"]
    area = done(MoveAll("draw", "pile"))
    assert names(area.deck("pile")) == ["one", "two", "three", "four"]
    assert len(area.deck("draw")) == 0


def test_shuffling_draws_from_the_stream_given():
    assert names(done(Shuffle("draw"), Rng(3)).deck("draw")) == names(done(Shuffle("draw"), Rng(3)).deck("draw"))
    assert len({tuple(names(done(Shuffle("draw"), Rng(seed)).deck("draw"))) for seed in range(200)}) == 24


def test_rearranging():
    assert names(done(Rearrange("draw", (2, 0, 1), 0)).deck("draw")) == ["one", "three", "four", "two"]
    ways = rearrangements("draw", 3, 1)
    assert len(set(ways)) == 6
    assert len({tuple(names(done(way).deck("draw"))) for way in ways}) == 6
    assert names(done(ways[0]).deck("draw")) == ["one", "two", "three", "four"]
    assert rearrangements("draw", 3, 1) == ways


def test_boards_counters_and_dice():
    assert done(SetCell("grid", 1, 7)).board("grid").cells == [0, 7, 0, 0]
    area = done(PlaceToken("stones", "board", 2))
    assert area.board("board").cells == [None, None, STONE, None]
    assert len(area.deck("stones")) == 0
    assert done(ModifyCounter("score", -2)).counter("score").value == 3
    assert {done(RollDie("d6"), Rng(seed)).die("d6").value for seed in range(60)} == {1, 2, 3, 4, 5, 6}


def test_names_that_are_not_there():
    with pytest.raises(UnknownNameError, match="did you mean 'draw'"):
        done(Shuffle("drew"))
    with pytest.raises(UnknownNameError, match="no deck"):
        done(Shuffle("grid"))


@pytest.mark.parametrize("action", ALL, ids=repr)
def test_an_action_is_one_object_with_words_for_people(action):
    one = interned(action)
    assert interned(type(action)(*action.key())) is one
    assert pickle.loads(pickle.dumps(one)) is one
    assert str(one)
    assert "<" not in str(one)
    made = state()
    before = made.snapshot()
    for viewer in (-1, 0, 1):
        assert one.text(made, viewer)
    assert made.snapshot() == before


def test_text_hides_what_the_viewer_must_not_see():
    made = state()
    made.area.deck("draw").show(3, 1)
    draw, move = DrawCards("draw", "hand", 2), MoveCard("hand", 0, "pile")
    assert draw.text(made, -1) == "draw four, three from draw to hand"
    assert draw.text(made, 1) == "draw four, a card from draw to hand"
    assert draw.text(made, 0) == "draw a card, a card from draw to hand"
    assert move.text(made, 1) == "move one from hand to pile"
    assert move.text(made, 0) == "move a card from hand to pile"
    rearrange = Rearrange("draw", (1, 0), 1)
    assert rearrange.text(made, 0) == "rearrange the top 2 of draw"
    assert rearrange.text(made, 1) == "rearrange the top 2 of draw to 2, 1"
    assert PlaceToken("stones", "board", 2).text(made, 0) == "place stone on a2 of board"
    assert SetCell("grid", 1, 7).text(made, 0) == "set b1 of grid to 7"
    made.area.put(PartiallyObservableGridBoard("field", 2, 1, [0, 0], 2, 0, VISIBLE_TO_OWNER))
    assert SetCell("field", 0, 7).text(made, 1) == "set a1 of field to ?"
    assert str(ModifyCounter("score", -2)) == "score -2"
    assert str(ModifyCounter("score", 2)) == "score +2"


# --- a game that is made of components only ----------------------------------------------------------------------------


class HighCard(ForwardModel):
    """Draw a card, then play one of two for as many points as its number; after the last card the most points win."""

    game_type = GameType("High card", 2, 4)

    def _setup(self, n_players, rng):
        made = PointsState(n_players)
        cards = [shared(Card(f"c{value}", (("value", value),))) for value in range(1, 13)]
        made.area.put(Deck("stock", cards, visibility=HIDDEN_TO_ALL))
        made.area.put(Deck("pile", []))
        made.area.deck("stock").shuffle(rng)
        for player in range(n_players):
            made.area.put(Deck(f"hand_{player}", [made.area.deck("stock").draw()], player, VISIBLE_TO_OWNER))
            made.area.put(Counter(f"points_{player}"))
        return made

    def _available_actions(self, state):
        hand = f"hand_{state.current_player}"
        if len(state.area.deck(hand)) == 1 and len(state.area.deck("stock")) > 0:
            return [interned(DrawCards("stock", hand))]
        return [interned(MoveCard(hand, index, "pile")) for index in range(len(state.area.deck(hand)))]

    def _after_action(self, state, action, rng):
        if isinstance(action, DrawCards):
            return
        played = state.area.deck("pile").items[-1]
        ModifyCounter(f"points_{state.turn_player}", played.property("value")).execute(state, rng)
        if sum(len(state.area.deck(f"hand_{p}")) for p in range(state.n_players)) == 0:
            state.end_by_score()
        else:
            self.end_player_turn(state)


class PointsState(ComponentState):
    __slots__ = ()

    def copy(self):
        other = PointsState(self.n_players)
        self.copy_to(other)
        return other

    def score(self, player):
        return float(self.area.counter(f"points_{player}").value)


class Looker(Agent):
    """Plays at random and looks ahead on the way."""

    def act(self, observation, actions):
        copied = self.sim.copy(observation)
        self.sim.rollout(copied, 5)
        assert self.sim.available_actions(observation) == actions
        assert len(observation.area.deck("pile")) == observation.tick // 2 or len(observation.area.deck("stock")) == 0
        return self.sim.rng.choice(actions)


def test_a_game_of_components_plays():
    finals = [Game(HighCard(), [Looker() for _seat in range(3)], seed=5).play() for _again in range(2)]
    assert finals[0].snapshot() == finals[1].snapshot()
    assert sum(finals[0].score(p) for p in range(3)) == 78
    assert len(finals[0].area.deck("pile")) == 12
    assert finals[0].is_terminal
    assert len({Game(HighCard(), [Random(), Random()], seed).play().ordinal(0) for seed in range(20)}) == 2


def test_doing_nothing():
    made = state()
    before = made.snapshot()
    DO_NOTHING.execute(made, Rng(1))
    assert made.snapshot() == before
