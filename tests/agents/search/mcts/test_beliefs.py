"""Beliefs: deals in proportion to how well they explain what others have done, by public things only."""

from typing import cast

import pytest
from mypy_extensions import i64

from tag import (
    Action,
    Agent,
    AnyAction,
    ForwardModel,
    Game,
    GameState,
    GameType,
    Rng,
    Simulator,
    StateHeuristic,
    interned,
    make_agent,
    make_game,
)
from tag.agents.search.mcts.beliefs import Beliefs
from tag.playing.agent import Budget
from tag.playing.listener import Listener

pytestmark = pytest.mark.flow


class Say(Action[GameState]):
    """A word; the forward model says what it does."""

    def __init__(self, word: str) -> None:
        self.word = word

    def key(self) -> tuple[object, ...]:
        return (self.word,)

    def execute(self, state: GameState, rng: Rng) -> None:
        table = cast("NonLocalState", state)
        table.words = (*table.words, self.word)

    def __str__(self) -> str:
        return self.word


WORDS = {word: interned(Say(word)) for word in ("high", "low", "stake", "pass")}


class NonLocalState(GameState):
    """A card that the first player alone sees, and what was said."""

    def __init__(self, n_players: i64) -> None:
        super().__init__(n_players)
        self.card = 0
        self.words: tuple[str, ...] = ()

    def copy(self) -> "NonLocalState":
        other = NonLocalState(self.n_players)
        self.copy_to(other)
        other.card, other.words = self.card, self.words
        return other

    def redeterminise(self, player: i64, rng: Rng) -> None:
        if player != 0:
            self.card = int(rng.below(2))

    def knowledge(self, player: i64) -> tuple[object, ...]:
        return (self.basic_knowledge(player), self.words, self.card if player == 0 else -1)

    def score(self, player: i64) -> float:
        truth = len(self.words) > 0 and self.words[0] == ("low", "high")[self.card]
        if player == 0:
            return 0.3 if truth else 0.0
        if len(self.words) < 2 or self.words[1] == "pass":
            return 0.0
        return 1.0 if self.card == 1 else -1.2


class ScoreOfPlayer(StateHeuristic):
    """The own points."""

    def value(self, state: GameState, player: i64) -> float:
        return state.score(player)


class NonLocal(ForwardModel[NonLocalState]):
    """Player 0 sees a high or a low card and gains by naming it; then player 1 stakes a point on a high one, or passes.

    Within the subgame of player 1 both cards are as likely, and to stake loses on average: only the word of player 0 tells.
    """

    game_type = GameType("Non-local", 2, 2, heuristic=ScoreOfPlayer)

    def _setup(self, n_players: i64, rng: Rng) -> NonLocalState:
        state = NonLocalState(n_players)
        state.card = int(rng.below(2))
        return state

    def _available_actions(self, state: NonLocalState) -> list[AnyAction]:
        return [WORDS["high"], WORDS["low"]] if not state.words else [WORDS["pass"], WORDS["stake"]]

    def _after_action(self, state: NonLocalState, action: AnyAction, rng: Rng) -> None:
        self.end_player_turn(state)
        if len(state.words) == 2:
            state.end_by_score()


def right(agent: str, games: int) -> int:
    """Return in how many games the agent stakes on a high card that was named, and passes at a low one."""
    found = 0
    for seed in range(games):
        state = Game(NonLocal(), [make_agent("osla"), make_agent(agent)], seed).play()
        table = cast("NonLocalState", state)
        found += table.words[1] == ("pass", "stake")[table.card]
    return found


def test_beliefs_find_what_an_earlier_choice_reveals():
    plain = right("mcts:budget=300,rollout_length=0", 100)
    assert right("mcts:budget=300,rollout_length=0,beliefs=greedy", 100) >= 95
    assert plain <= 65, "the game needs no beliefs"


# --- what the game loop shows -------------------------------------------------------------------------------------------

HIDDEN_GAMES = [
    ("love_letter", 2),
    ("love_letter", 4),
    ("poker", 2),
    ("poker", 3),
    ("virus", 3),
    ("exploding_kittens", 3),
]


class Positions(Listener):
    """Keeps a copy of each position of a game."""

    def __init__(self) -> None:
        self.states: list[GameState] = []

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        self.states.append(state.copy())


def course(game: str, players: int, seed: int, length: int) -> list[GameState]:
    """Return the first positions of a random game."""
    seen = Positions()
    agents = [make_agent("random") for _player in range(players)]
    playing = Game(make_game(game), agents, seed, listeners=[seen])
    playing.start()
    while len(seen.states) < length and not playing.state.is_terminal:
        playing.step()
    return seen.states


class Watcher(Agent):
    """Plays at random, and notes what it was shown at each of its decisions."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[list[GameState]] = []

    def watches(self) -> bool:
        return True

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        self.shown.append([*self.watched, observation])
        return self.sim.rng.choice(actions)


@pytest.mark.parametrize(("game", "players"), HIDDEN_GAMES)
def test_watchers_see_every_position_once_and_no_more_than_at_the_table(game: str, players: int) -> None:
    watcher, seen = Watcher(), Positions()
    agents: list[Agent] = [watcher, *[make_agent("random") for _other in range(players - 1)]]
    playing = Game(make_game(game), agents, 3, listeners=[seen])
    playing.start()
    while len(seen.states) < 150 and not playing.state.is_terminal:
        playing.step()
    shown = [state for states in watcher.shown for state in states]
    assert len(shown) > players
    assert [state.tick for state in shown] == list(range(len(shown)))
    for state, truth in zip(shown, seen.states, strict=False):
        assert state.knowledge(0) == truth.knowledge(0)
    assert any(state.snapshot() != truth.snapshot() for state, truth in zip(shown, seen.states, strict=False))


# --- beliefs by public things -------------------------------------------------------------------------------------------


def searched(game: str, positions: list[GameState], player: int, budget: Budget) -> tuple[Beliefs, Simulator]:
    """Return beliefs of ``player`` after ``positions``, the last of which is the decision, and what they have cost."""
    model = make_game(game)
    sim = Simulator(model, Rng(1), budget)
    budget.start()
    beliefs = Beliefs(12, 0.3, sim, model.heuristic(), player)
    beliefs.update(positions[:-1], positions[-1])
    return beliefs, sim


def observed(positions: list[GameState], player: int) -> list[GameState]:
    rng = Rng(5)
    return [state.observation(player, rng) for state in positions]


@pytest.mark.parametrize(("game", "players"), HIDDEN_GAMES)
def test_deals_fit_what_is_seen_and_follow_from_it_alone(game: str, players: int) -> None:
    """Positions that a player cannot tell apart, with other cards in others' hands, give the very same deals."""
    n_others = 0
    for seed in range(4):
        states = course(game, players, seed, 12)
        for player in range(players):
            twins = [state.observation(player, Rng(seed, index)) for index, state in enumerate(states)]
            n_others += [one.snapshot() for one in twins] != [one.snapshot() for one in states]
            found = []
            for world in (states, twins):
                seen = observed(world, player)
                beliefs, _sim = searched(game, seen, player, Budget(20_000))
                deals = [beliefs.deal(seen[-1]) for _deal in range(20)]
                assert {deal.knowledge(player) for deal in deals} == {states[-1].knowledge(player)}
                found.append([deal.snapshot() for deal in deals])
            assert found[0] == found[1]
    assert n_others > 0, "no position hides anything"


@pytest.mark.parametrize(("game", "players"), HIDDEN_GAMES)
@pytest.mark.parametrize("kind", ["forward_model_calls", "copies", "iterations"])
def test_beliefs_cost_at_most_a_quarter_of_the_budget(game: str, players: int, kind: str) -> None:
    costs = []
    for limit in (10, 200, 20_000):
        seen = observed(course(game, players, 1, 8), 0)
        budget = Budget(limit, kind)
        _beliefs, sim = searched(game, seen, 0, budget)
        assert budget.left >= 0.75 * limit
        costs.append((int(sim.calls), int(budget.forward_model_calls)))
    assert all(calls == counted for calls, counted in costs)
    assert costs[-1][0] > 0


@pytest.mark.parametrize(("game", "least"), [("love_letter", 0.35), ("poker", 0.95)])
def test_deals_outlast_cards_that_are_turned_up_or_drawn(game: str, least: float) -> None:
    """Where the game can match chance, what was learned before it stays: few deals fit otherwise, mostly none."""
    kept = tried = 0
    for seed in range(20):
        states = course(game, 2, seed, 14)
        for index in range(1, len(states)):
            before, after = states[index - 1 : index + 1]
            if before.round != after.round or after.knowledge(0) == before.knowledge(0):
                continue
            beliefs, _sim = searched(game, observed([before, after], 0), 0, Budget(20_000))
            if before.current_player == 1:
                tried += 1
                kept += beliefs.has_deals
    assert tried > 20
    assert kept >= least * tried
