"""Teams that are hidden: no view, log or message prints the side that was drawn for a player as if it were known."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from tag import make_agent
from tag.engine.parameters import Spec
from tag.engine.rng import Rng
from tag.games.roles.resistance import Resistance, ResistanceState
from tag.games.roles.resistance.data import ROLE_NAMES, SPY
from tag.isolation import close_processes
from tag.orders import GameOrder, play_order
from tag.playing.agent import Simulator
from tag.table.game import EVERYTHING, Start, TableGame
from tag.table.log import seat_log
from tag.table.public import public_view
from tag.table.view import position_view, view

GAMES = ("resistance", "resistance:merlin=true,percival=true,morgana=true")

#: Answers at random, and writes what it is told to a file.
PROGRAM = """
import json, sys
with open(sys.argv[1], "w") as file:
    for line in sys.stdin:
        asked = json.loads(line)
        file.write(line)
        file.flush()
        answer = {"id": asked["id"], "protocol": 1}
        if asked["type"] == "act":
            answer = {"id": asked["id"], "index": asked["observation"]["turn"] % len(asked["actions"])}
        print(json.dumps(answer), flush=True)
"""


def twin_of(state: ResistanceState, player: int, rng: Rng) -> ResistanceState:
    """Return another position that the player cannot tell apart, with other spies if there are any."""
    for _draw in range(40):
        other = state.observation(player, rng)
        assert isinstance(other, ResistanceState)
        if other.spies != state.spies:
            break
    return other


def teams(shown: dict[str, Any]) -> list[int | None]:
    return [player["team"] for player in shown["players"]]


def random_games(game: str, n_players: int, games: int) -> list[TableGame]:
    """Return random games, each stopped at another point."""
    found = []
    for seed in range(games):
        rng, played = Rng(seed), TableGame(Start(game, n_players, seed))
        for _action in range(1 + 6 * seed):
            if played.actions:
                played.play(int(rng.below(len(played.actions))))
        found.append(played)
    return found


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("n_players", [5, 7])
def test_twins_look_the_same_to_who_cannot_tell_them_apart(game: str, n_players: int) -> None:
    differ = 0
    for played in random_games(game, n_players, 10):
        state = played.state
        for viewer in range(n_players if not state.is_terminal else 0):
            other = twin_of(state, viewer, Rng(viewer))  # type: ignore[arg-type]
            differ += other.spies != state.spies  # type: ignore[attr-defined]
            assert position_view(state, viewer) == position_view(other, viewer)
    assert differ > 10


@pytest.mark.parametrize("game", GAMES)
def test_a_team_that_is_shown_is_the_true_one_and_certain(game: str) -> None:
    unknown = known = 0
    for played in random_games(game, 5, 12):
        state = played.state
        for viewer in range(5):
            shown = teams(view(played, viewer))
            for seat, team in enumerate(shown):
                unknown += team is None
                known += team is not None and seat != viewer
                assert team in (None, state.team(seat))
                if team is None:
                    drawn = {state.observation(viewer, Rng(seed)).team(seat) for seed in range(60)}
                    assert drawn == {0, 1}, "what is unknown can be both"
    assert unknown > 40
    assert known > 40


def test_spies_see_teams_that_others_do_not_and_watchers_see_none() -> None:
    played = TableGame(Start("resistance", 5, 3))
    spies = [seat for seat in range(5) if played.state.team(seat)]
    for viewer in range(5):
        wanted = [int(seat in spies) if viewer in spies or seat == viewer else None for seat in range(5)]
        assert teams(view(played, viewer)) == wanted
    assert teams(view(played, EVERYTHING)) == [int(seat in spies) for seat in range(5)]
    assert teams(public_view(played)) == [None] * 5


def test_watchers_learn_no_team_that_all_players_know() -> None:
    """With a spy each beside two who know each other by their roles, all players know all teams; a guest does not."""
    played = TableGame(Start("resistance:spies=3,merlin=true,percival=true", 5, 1))
    assert played.state.known_team(0, 5) == -1
    assert teams(public_view(played)) == [None] * 5


def test_watchers_see_all_teams_at_the_end() -> None:
    played = TableGame(Start("resistance:rejections=1", 5, 3))
    played.play(0)
    for _vote in range(5):
        played.play(0)
    assert played.state.is_terminal
    assert teams(public_view(played)) == [int(played.state.team(seat)) for seat in range(5)]


def test_other_games_show_their_teams() -> None:
    assert teams(view(TableGame(Start("spades", 4)), 1)) == [0, 1, 0, 1]
    assert teams(public_view(TableGame(Start("love_letter", 3)))) == [0, 1, 2]


@pytest.mark.parametrize("viewer", range(5))
def test_no_view_of_a_player_names_a_role_that_the_player_does_not_know(viewer: int) -> None:
    """Whatever is drawn for others, the words for roles are in a view only where the player knows them."""
    played = TableGame(Start("resistance", 5, 3))
    if played.state.team(viewer):
        assert json.dumps(view(played, viewer)).count('"spy"') > 0
        return
    text = json.dumps(view(played, viewer))
    assert '"spy"' not in text
    assert "  spy" not in text


def test_the_log_of_a_seat_has_no_team_drawn() -> None:
    logs = []
    for spies in ((1, 2), (2, 3)):
        model = Resistance()
        state = model.setup(5, Rng(1))
        state.roles = tuple(SPY if seat in spies else 0 for seat in range(5))
        state.spies = sum(1 << seat for seat in spies)
        logs.append([position_view(state, 0), [event.known_to(0) is None for event in _set_up(model, state)][:1]])
    assert logs[0] == logs[1]
    entries = list(seat_log(Start("resistance", 5, 3), [0, 0, 1, 1, 1, 1], 0))
    text = json.dumps(entries)
    assert ROLE_NAMES[SPY] in text or "resistance" in text
    assert text.count("is told of spies") == int(TableGame(Start("resistance", 5, 3)).state.team(0))


def _set_up(model: Resistance, state: ResistanceState) -> list[Any]:
    state.recording = True
    model.announce_setup(state)
    return list(state.announced)


@pytest.mark.flow
def test_a_program_in_another_language_is_told_no_team_drawn(tmp_path: Path) -> None:
    script, log = tmp_path / "player.py", tmp_path / "told.txt"
    script.write_text(PROGRAM, encoding="utf-8")
    command = shlex.join([sys.executable, "-S", str(script), str(log)])
    unknown = 0
    for seed in range(4):
        record = play_order(
            GameOrder("one", "resistance", (str(Spec("process", {"command": command})), *["random"] * 4), seed)
        )
        close_processes()
        assert not record.faults
        for line in log.read_text(encoding="utf-8").splitlines():
            asked = json.loads(line)
            if asked["type"] == "act":
                shown = teams(asked["observation"])
                assert shown[0] == record.teams[0]
                assert all(team in (None, true) for team, true in zip(shown, record.teams, strict=True))
                unknown += None in shown
                if record.teams[0] == 0:
                    assert '"spy"' not in line or None not in shown
    assert unknown > 10


def test_a_search_tree_takes_nobody_for_a_partner_because_of_a_drawn_role() -> None:
    """The tree of a paranoid search has the same signs of values, whatever sides were drawn when the game began."""
    signs = set()
    for seed in range(12):
        agent = make_agent("mcts:budget=60,opponents=paranoid")
        model = Resistance()
        state = model.setup(5, Rng(1))
        player = next(seat for seat in range(5) if state.team(seat) == 0)
        state.leader = state.current_player = state.turn_player = player
        agent.player = player
        agent.sim = Simulator(model, Rng(seed), agent.new_budget())
        agent.start_game(state.observation(player, Rng(seed)))
        signs.add(tuple(agent._teams))
    assert signs == {tuple(0 if seat == player else -1 for seat in range(5))}
