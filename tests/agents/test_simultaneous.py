"""Seats that choose at the same time are exchangeable: agents decide alike, whether they are asked first or last.

In one position, seen from each seat, an agent is asked many times. The counts of its actions must come from one
distribution. Each test of two counts has an error probability of 1e-5, and there are fewer than 100.
"""

from functools import cache
from typing import cast

import pytest
from mypy_extensions import i64
from play.planning_games import seated
from scipy.stats import chi2_contingency

from tag import (
    Action,
    AnyAction,
    ForwardModel,
    GameState,
    GameType,
    Rng,
    StateHeuristic,
    interned,
    make_game,
)
from tag.adapters.episode import Episode
from tag.adapters.parallel import TagParallelEnv
from tag.catalogue.registry import game_class, game_names
from tag.engine.forward_model import SIMULTANEOUS
from tag.engine.rules import SimultaneousSequence
from tag.games.cards.diamant.state import DiamantState
from tag.games.cards.sushi_go.state import SushiGoState

pytestmark = pytest.mark.flow

# --- a game of our own ----------------------------------------------------------------------------------------------


class BidState(GameState):
    """Points, and the bids of the round."""

    def __init__(self, n_players: i64) -> None:
        super().__init__(n_players)
        self.points = [0] * n_players
        self.bids = [0] * n_players

    def copy(self) -> "BidState":
        other = BidState(self.n_players)
        self.copy_to(other)
        other.points, other.bids = self.points[:], self.bids[:]
        return other

    def score(self, player: i64) -> float:
        return float(self.points[player])


class BidHeuristic(StateHeuristic):
    """How far a player is behind the leader."""

    def value(self, state: GameState, player: i64) -> float:
        bids = cast("BidState", state)
        return bids.result_value(player) if bids.is_terminal else (bids.points[player] - max(bids.points)) / 50.0


class Bid(Action[BidState]):
    """Offer some points."""

    def __init__(self, amount: int) -> None:
        self.amount = amount

    def execute(self, state: BidState, rng: Rng) -> None:
        state.bids[state.current_player] = self.amount

    def __str__(self) -> str:
        return f"bid {self.amount}"


BIDS: list[AnyAction] = [interned(Bid(amount)) for amount in range(4)]


class Bids(SimultaneousSequence):
    """All bid at once."""

    def copy(self) -> "Bids":
        other = Bids(self.players)
        self.copy_to(other)
        return other

    def options(self, state: GameState, player: i64) -> list[AnyAction]:
        return BIDS


class Auction(ForwardModel[BidState]):
    """The highest bid wins a prize of chance, less the bid; equal bids win nothing. Three rounds."""

    game_type = GameType("Auction", 2, 4, mechanics=(SIMULTANEOUS,), heuristic=BidHeuristic)

    def _setup(self, n_players: i64, rng: Rng) -> BidState:
        state = BidState(n_players)
        self._ask(state)
        return state

    def _ask(self, state: BidState) -> None:
        state.start_sequence(Bids(tuple(range(int(state.n_players)))))

    def _available_actions(self, state: BidState) -> list[AnyAction]:
        raise AssertionError("the sequence asks")

    def _after_action(self, state: BidState, action: AnyAction, rng: Rng) -> None:
        best = max(state.bids)
        winners = [player for player, bid in enumerate(state.bids) if bid == best]
        if len(winners) == 1:
            state.points[winners[0]] += 1 + int(rng.below(4)) - best
        self.end_round(state, 0, rng)
        if state.round == 3:
            state.end_by_score()
        else:
            self._ask(state)


# --- positions, each from two seats ---------------------------------------------------------------------------------


def auction(seat: int) -> tuple[ForwardModel, GameState]:
    """Return the first round of an auction, with ``seat`` to choose."""
    model = Auction()
    state = model.setup(2, Rng(1))
    for _earlier in range(seat):
        model.next(state, model.available_actions(state)[0], Rng(1))
    return model, state


def diamant(seat: int, carried: int = 6) -> tuple[ForwardModel, GameState]:
    """Return a cave of Diamant in which both players have to choose, with ``seat`` to choose."""
    model = make_game("diamant")
    state = model.setup(2, Rng(3))
    for _choice in range(6):
        if not state.is_unresolved() and state.carried >= carried:
            break
        model.next(state, model.available_actions(state)[0], Rng(4))
    assert isinstance(state, DiamantState)
    assert state.inside == 3
    for _earlier in range(seat):
        model.next(state, model.available_actions(state)[0], Rng(1))
    return model, state


def sushi_go(seat: int) -> tuple[ForwardModel, GameState]:
    """Return a late turn of Sushi Go! in which the hand of ``seat``, who chooses, is that of the other seat otherwise."""
    model = make_game("sushi_go")
    state = model.setup(2, Rng(5))
    while state.cards > 4 or state.is_unresolved():
        model.next(state, model.available_actions(state)[0], Rng(6))
    assert isinstance(state, SushiGoState)
    first = int(state.current_player)
    if seat == 1:
        for values in (state.hands, state.tables, state.points):
            values.reverse()
        state.puddings = state.puddings[::-1]
        state.put_back = state.put_back[::-1]
        model.next(state, model.available_actions(state)[0], Rng(1))
        assert state.current_player != first
    return model, state


GAMES = {"auction": auction, "diamant": diamant, "sushi_go": sushi_go}
AGENTS = [
    "random",
    "osla",
    "osla:samples=4",
    "flat_mc:budget=60,rollout_length=0",
    "flat_mc:budget=60,rollout_length=1",
    "flat_mc:budget=60",
    "rhea:budget=80,horizon=2,population_size=6",
    "rhea:budget=80,horizon=3,population_size=6,fitness=final",
    "rhea:budget=60,horizon=1,population_size=6,determinisation=each",
    "rhea:budget=60,horizon=2,population_size=6,opponent=osla",
    "rmhc:budget=60,horizon=2",
    "max_n:depth=1,determinisations=3",
    "max_n:depth=2,determinisations=2",
    "expectimax:depth=1,determinisations=2",
    "mcts:budget=40,rollout_length=0",
    "mcts:budget=60",
]
#: Decisions in each seat.
DECISIONS = 120


def counts(agent: str, game: str, seat: int) -> dict[str, int]:
    """Return how often an agent takes each action in the position of a seat."""
    model, state = GAMES[game](seat)
    found: dict[str, int] = {}
    for number in range(DECISIONS):
        one = seated(agent, model, state, seed=1 + number)
        observation = state.observation(state.current_player, Rng(10_000 + number))
        one.sim.budget.start()
        action = one.act(observation, model.available_actions(observation))
        words = action.text(state, state.current_player)
        found[words] = found.get(words, 0) + 1
    return found


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("agent", AGENTS)
def test_agents_decide_alike_in_all_seats(agent, game):
    first, last = (counts(agent, game, seat) for seat in range(2))
    names = sorted({*first, *last})
    table = [[found.get(name, 0) for name in names] for found in (first, last)]
    if len(names) > 1:
        assert chi2_contingency(table).pvalue > 1e-5, table


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "agent",
    [
        "flat_mc:budget=60,rollout_length=0",
        "osla:budget=60,samples=100",
        "max_n:depth=1",
        "max_n:depth=1,budget_type=iterations,budget=50",
        "mcts:budget=60,rollout_length=0,max_tree_depth=1",
    ],
)
def test_who_is_asked_first_pays_no_more_for_the_same_look(agent, game):
    """Choices of others that are dealt cost nothing, so that a budget buys as many looks in all seats."""
    looks = []
    for seat in range(2):
        model, state = GAMES[game](seat)
        one = seated(agent, model, state, seed=1)
        observation = state.observation(state.current_player, Rng(1))
        one.sim.budget.start()
        one.act(observation, model.available_actions(observation))
        looks.append(int(one.sim.budget.iterations))
    assert looks[0] == looks[1]
    assert looks[0] > 0 or (game == "auction" and agent.startswith("max_n"))  # whose bids happen below depth 1


def only(bid: int) -> str:
    """Return an agent that always bids as much."""
    spec = "random"
    for other in range(4):
        if other != bid:
            spec = f"restricted:agent=({spec}),without=bid {other}"
    return spec


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("bid", "best"), [(0, "bid 1"), (1, "bid 2")])
def test_agents_that_play_for_others_choose_at_the_same_time(seat, bid, best):
    """The best reply to a bid is the next one."""
    spec = "mcts:max_tree_depth=1,rollout_length=0,heuristic=score,budget=2000,opponents="
    model, state = auction(seat)
    one = seated(f"{spec}agent,opponent_agent=({only(bid)})", model, state, seed=1)
    assert one.watches()
    one.watched = [model.setup(2, Rng(1)).observation(1, Rng(2))] if seat else []
    one.sim.budget.start()
    assert best in str(one.act(state.observation(seat, Rng(3)), model.available_actions(state)))


def test_the_test_finds_seats_that_differ_by_a_third_and_has_cases():
    third = DECISIONS // 3
    assert chi2_contingency([[DECISIONS - third, third], [third, DECISIONS - third]]).pvalue < 1e-5
    for game in GAMES:
        assert len(counts("random", game, 0)) > 1


# --- what the engine tells ------------------------------------------------------------------------------------------


@cache
def simultaneous_games() -> tuple[str, ...]:
    """Return the games that declare simultaneous choices."""
    return tuple(name for name in game_names() if SIMULTANEOUS in game_class(name).game_type.mechanics)


def test_there_are_games_with_simultaneous_choices():
    assert simultaneous_games() == ("diamant", "goofspiel", "resistance", "seven_wonders", "sushi_go")


@pytest.mark.parametrize(
    ("name", "players"),
    [
        (name, players)
        for name in simultaneous_games()
        for players in (2, 3, 5)
        if players >= game_class(name).game_type.min_players
    ],
)
def test_positions_are_unresolved_between_the_first_choice_and_the_last(name, players):
    """Choices are simultaneous where their text is the same for others, as the environments have it."""
    env = TagParallelEnv(Episode(name, players, "features", "win"), name)
    rng = Rng(7)
    checked = 0
    for seed in range(3):
        env.reset(seed=seed)
        while env.agents:
            state, model = env.episode.state, env.episode.model
            assert not state.is_unresolved()
            trial = state.copy()
            for _seat in range(len(env._choices) - 1):
                model.next(trial, model.random_action(trial, rng), rng)
                assert trial.is_unresolved()
                assert trial.copy().is_unresolved()
                assert trial.observation(0, rng).is_unresolved()
                checked += 1
            choices = {agent: [env.wait] for agent in env.possible_agents}
            choices |= {env.possible_agents[seat]: found for seat, found in env._choices.items()}
            env.step({agent: found[rng.below(len(found))] for agent, found in choices.items()})
    assert checked > 10


def test_sequences_are_unresolved_from_the_first_choice_to_the_last_that_happens():
    model = Auction()
    state = model.setup(3, Rng(1))
    told = []
    while state.round == 0:
        told.append(state.is_unresolved())
        model.next(state, model.available_actions(state)[0], Rng(1))
    assert told == [False, True, True, True, True, True]
    assert not state.is_unresolved()
