"""Openings in one game: what agents, listeners, records and recordings make of actions that no agent decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from mypy_extensions import i64

from tag.catalogue.registry import game_names, make_agent, make_game
from tag.engine.state import AnyAction, GameState
from tag.errors import DataError, ParameterError
from tag.orders import GameOrder, Opening, Openings, new_game, opening_choices, play_order, play_recording
from tag.orders.opening import UnattendedGame, choices_of, most_decisions
from tag.playing.agent import Agent, Clock
from tag.playing.game import Game
from tag.playing.listener import Listener
from tag.playing.recording import Recording


class Heard(Listener):
    """Notes the actions that it hears of, who decided, and the tick at its start."""

    def __init__(self, hears: bool = True) -> None:
        self.hears = hears
        self.began: list[int] = []
        self.deciders: list[Agent | None] = []
        self.texts: list[str] = []

    def hears_openings(self) -> bool:
        return self.hears

    def on_start(self, state: GameState) -> None:
        self.began.append(int(state.tick))

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        self.texts.append(action.text(state, -1))
        self.deciders.append(agent)


class Watcher(Agent):
    """Notes the ticks of what it sees between its decisions and in them."""

    def __init__(self) -> None:
        super().__init__()
        self.ticks: list[list[int]] = []

    def watches(self) -> bool:
        return True

    def act(self, observation: Any, actions: list[AnyAction]) -> AnyAction:
        self.ticks.append([int(one.tick) for one in self.watched] + [int(observation.tick)])
        return actions[0]


def game_of(name: str, opening: Sequence[int], agents: Sequence[Agent] = (), **options: Any) -> Game:
    seats = list(agents) or [make_agent("random"), make_agent("random")]
    return Game(make_game(name), seats, 3, opening=opening, **options)


def test_no_agent_decides_and_agents_that_watch_see_every_position() -> None:
    first, second = Watcher(), Watcher()
    game = game_of("connect_four", (3, 3, 2), [first, second])
    game.start()
    for _action in range(5):
        game.step()
    assert game.decisions == [1, 1]
    assert second.ticks == [[0, 1, 2, 3]]
    assert first.ticks == [[0, 1, 2, 3, 4]]


@pytest.mark.parametrize("hears", [True, False])
def test_listeners_hear_openings_without_an_agent_or_start_after_them(hears: bool) -> None:
    heard = Heard(hears)
    game = game_of("connect_four", (3, 3, 2), listeners=[heard])
    state = game.play()
    assert heard.began == [0 if hears else 3]
    assert len(heard.texts) == state.tick - (0 if hears else 3)
    assert heard.deciders[:3].count(None) == (3 if hears else 0)
    assert None not in heard.deciders[3 if hears else 0 :]


def test_measures_are_those_of_play_after_the_opening() -> None:
    order = GameOrder("g", "connect_four", ("random", "random"), 5, metrics=("action_space",), opening=Opening(6, 5))
    record = play_order(order)
    ((_name, sizes), *_rest) = record.measures
    assert len(sizes) == record.ticks - 6
    assert sum(record.decisions) <= record.ticks - 6


def test_clocks_start_after_the_opening() -> None:
    game = game_of("connect_four", (3, 3, 2), clock=Clock(5.0, per_turn=1.0))
    game.start()
    for _action in range(3):
        game.step()
    assert [clock.remaining for clock in game.clocks] == [5.0, 5.0]


@pytest.mark.parametrize("name", game_names())
def test_random_openings_leave_a_decision_and_are_played_again(name: str) -> None:
    """In every game the record of a game with an opening leads to the same end, by its recording and by its agents."""
    players = make_game(name).game_type.min_players
    order = GameOrder("g", name, ("random",) * players, 7, opening=Opening(2, 7), record_actions=True)
    choices = opening_choices(order)
    opened = UnattendedGame(make_game(name), players, 7)
    for choice in choices:
        opened.take(choice)
    assert opened.decided == 2
    assert len(opened.model.available_actions(opened.state)) > 1
    record = play_order(order)
    assert record.choices[: len(choices)] == choices
    recording = Recording("g", name, players, 7, record.choices, record.forfeits, opening=len(choices))
    assert play_recording(recording).state_hash == record.state_hash
    assert play_order(order).state_hash == record.state_hash


def test_the_opening_follows_from_its_seed_and_not_from_the_agents() -> None:
    def drawn(seed: int, *agents: str) -> tuple[int, ...]:
        order = GameOrder("g", "love_letter", agents, 11, opening=Opening(3, seed), record_actions=True)
        return play_order(order).choices[: len(opening_choices(order))]

    assert drawn(1, "random", "osla") == drawn(1, "osla", "random") == drawn(1, "rmhc:budget=20", "osla")
    assert len({drawn(seed, "osla", "osla") for seed in range(20)}) > 5


def test_every_decision_is_drawn_uniformly() -> None:
    first = [choices_of(Opening(1, seed), make_game("tic_tac_toe"), 2, 1)[0] for seed in range(900)]
    assert max(abs(first.count(cell) - 100) for cell in range(9)) < 40  # four standard errors


def test_games_that_are_over_too_early_get_shorter_openings() -> None:
    model = make_game("tic_tac_toe")
    assert [most_decisions(model, 2, 1, wanted) for wanted in (4, 7, 8, 40)] == [4, 7, 7, 7]
    assert len(choices_of(Opening(40, 3), model, 2, 3)) == 7


def test_a_deal_of_its_own_changes_the_opening_and_not_the_luck_after_it() -> None:
    """The deal is that of the opening's seed; what chance does later follows from the seed of the game."""
    dealt = [game_of("love_letter", (0,), opening_seed=9).state for _number in range(2)]
    assert (
        str(dealt[0])
        == str(dealt[1])
        == str(
            game_of("love_letter", ()).model.setup(
                2, UnattendedGame(make_game("love_letter"), 2, 9)._chance_after_opening()
            )
        )
    )
    ends = {
        play_order(GameOrder("g", "love_letter", ("osla", "osla"), seed, opening=Opening(0, 9, (0, 1)))).state_hash
        for seed in range(6)
    }
    assert len(ends) == 6


def test_recordings_with_a_deal_of_their_own_are_played_again() -> None:
    order = GameOrder("g", "uno", ("osla", "random"), 4, opening=Opening(0, 9, (0, 0, 0)), record_actions=True)
    record = play_order(order)
    recording = Recording("g", "uno", 2, 4, record.choices, opening=3, opening_seed=9)
    assert play_recording(recording).state_hash == record.state_hash


def test_numbers_without_an_action_are_refused() -> None:
    with pytest.raises(DataError, match="action 2 of the opening cannot be number 7; there are 0 to 6"):
        new_game(GameOrder("g", "connect_four", ("random", "random"), 1, opening=Opening(0, -1, (3, 7)))).play()


@pytest.mark.parametrize("text", ["", "random:4", "moves:3,3;2,4,4", "moves:7@1,0;2"])
def test_texts_of_openings_are_read_as_written(text: str) -> None:
    assert str(Openings.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["random:", "random:0", "random:1001", "random:x", "moves:", "moves:1,,2", "moves:-1", "moves:1@"]
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ParameterError, match="opening cannot be "):
        Openings.parse(text)
