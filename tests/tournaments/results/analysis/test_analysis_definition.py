"""What an analysis plays."""

from __future__ import annotations

import pytest

from tag.catalogue.registry import game_names
from tag.errors import TagError
from tag.tournaments.results.analysis.definition import AnalysedGame, analysis, halved


def test_all_stands_for_every_game_at_every_number_of_players() -> None:
    events = analysis(("all",)).events
    assert {event.game for event in events} == set(game_names())
    assert [event.players for event in events if event.game == "love_letter"] == [2, 3, 4]


def test_a_game_is_analysed_once() -> None:
    assert len(analysis(("tic_tac_toe", "tic_tac_toe:size=3")).events) == 1


def test_games_are_played_by_one_agent_in_all_seats() -> None:
    definition = analysis(("love_letter",), (4,), n_games=7)
    games = definition.play(definition.events[0])
    assert len(games.schedule()) == 7
    assert {pairing.agents for pairing in games.schedule()} == {(0, 0, 0, 0)}
    assert "lead" in games.metrics


def test_skill_is_a_tournament_between_budgets() -> None:
    definition = analysis(("love_letter",), (4,), skill_agent="mcts:budget=64", skill_games=10)
    ((name, tournament),) = definition.skill(definition.events[0])
    assert name == "both"
    assert tournament.agents == ("mcts:budget=64", "mcts:budget=32")
    assert len(tournament.schedule()) == 10


def test_skill_of_a_team_is_two_tournaments() -> None:
    definition = analysis(("pandemic",), (2,), skill_agent="mcts:budget=64", skill_games=10)
    assert [(name, t.agents) for name, t in definition.skill(definition.events[0])] == [
        ("full", ("mcts:budget=64",)),
        ("half", ("mcts:budget=32",)),
    ]


def test_without_a_skill_agent_there_is_none() -> None:
    definition = analysis(("tic_tac_toe",))
    assert list(definition.skill(definition.events[0])) == []


def test_folders_have_names_that_shells_like() -> None:
    assert AnalysedGame("tic_tac_toe:size=4", 2).name == "tic_tac_toe_size=4-2p"
    assert AnalysedGame("./my games/g.py:Game", 3).name == "my_games_g.py_Game-3p"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"games": ("unno",)}, "no game named 'unno'; did you mean 'uno'?"),
        ({"games": ("love_letter",), "players": (7,)}, "none of these games is for 7 players"),
        ({"games": ("love_letter", "tic_tac_toe"), "players": (2, 7)}, "none of these games is for 7 players"),
        ({"games": ("tic_tac_toe",), "n_games": 0}, "games cannot be 0; the least is 1"),
        ({"games": ("tic_tac_toe",), "agent": "rendom"}, "no agent named 'rendom'; did you mean 'random'?"),
        (
            {"games": ("tic_tac_toe",), "skill_agent": "random"},
            "skill depth needs an agent with a budget, and random has none; try mcts",
        ),
    ],
)
def test_a_mistake_is_one_sentence(arguments: dict[str, object], sentence: str) -> None:
    with pytest.raises(TagError) as error:
        analysis(**arguments)  # type: ignore[arg-type]
    assert str(error.value) == sentence


def test_half_of_one_is_refused() -> None:
    with pytest.raises(TagError, match="budget cannot be 0"):
        halved("mcts:budget=1")


def test_openings_are_those_of_all_games_but_those_that_measure_luck() -> None:
    definition = analysis(("nim",), (2,), opening="random:2", skill_agent="mcts:budget=64", skill_games=10, seeds=3)
    (event,) = definition.events
    assert definition.play(event).opening == "random:2"
    assert [tournament.opening for _name, tournament in definition.skill(event)] == ["random:2"]
    assert [tournament.opening for _source, tournament in definition.luck(event)] == [""]
    with pytest.raises(TagError, match="opening cannot be 'random:9' in tic_tac_toe"):
        analysis(("tic_tac_toe",), opening="random:9")
