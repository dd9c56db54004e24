"""Tournaments from Python: the same as the command line plays, and what notebooks show of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import run_tag

from tag.catalogue.options import options_in
from tag.cli import main
from tag.cluster.workers import InProcess
from tag.errors import DataError, UnknownNameError
from tag.tournaments import TournamentRun, open_experiment, open_tournament, play, play_experiment
from tag.tournaments.commands.settings import Settings
from tag.tournaments.definition import Rules, TournamentOptions
from tag.tournaments.reports.progress import Progress

pytestmark = [pytest.mark.usefixtures("undrawn"), pytest.mark.flow]

QUIET = {"tracking": False, "workers": 1, "progress": Progress()}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> TournamentRun:
    folder = tmp_path_factory.mktemp("runs") / "<b>"
    return play("love_letter", ["osla", "random"], players=2, blocks=20, seed=3, out=folder, **QUIET)  # type: ignore[arg-type]


def test_it_is_what_the_command_line_plays(played: TournamentRun, tmp_path: Path) -> None:
    words = ["tournament", "love_letter", "--agent=osla", "--agent=random", "--players=2", "--blocks=20", "--seed=3"]
    more = [f"--out={tmp_path / 't'}", "--workers=1", "--no-tracking", "--quiet"]
    assert run_tag(*words, *more).exit_code == 0
    assert open_tournament(tmp_path / "t").results.content_hash == played.results.content_hash
    assert open_tournament(played.folder).results == played.results


def test_data_frames_have_a_row_per_agent_game_and_seat(played: TournamentRun) -> None:
    assert list(played.standings.index) == ["osla", "random"]
    assert (played.standings["win_rate_low"] <= played.standings["win_rate"]).all()
    games, seats = played.ledger
    assert (len(games), len(seats)) == (40, 80)
    assert {agent.agent for agent in played.ratings().agents} == {"osla", "random"}
    assert played.complete


def test_a_notebook_shows_the_standings(played: TournamentRun) -> None:
    shown = played._repr_html_()
    assert shown.partition("<tbody>")[2].count("<tr") == 2
    assert "<b>" not in shown
    assert "40 of 40 games" in shown
    assert "osla" in repr(played)
    (axes,) = played.figure().axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["random", "osla"]
    assert "<!DOCTYPE html>" in played.report().read_text()


def test_an_experiment_is_what_the_command_line_plays(tmp_path: Path) -> None:
    words = ["tournament", "nim", "tic_tac_toe", "--agent=osla", "--agent=random", "--blocks=3", "--seed=3"]
    more = [f"--out={tmp_path / 'words'}", "--workers=1", "--no-tracking", "--quiet"]
    assert run_tag(*words, *more).exit_code == 0
    how = {**QUIET, "blocks": 3, "seed": 3, "out": tmp_path / "python"}
    run = play_experiment(["nim", {"game": "tic_tac_toe"}], ["osla", "random"], **how)  # type: ignore[arg-type]
    again = open_experiment(tmp_path / "words")
    assert run.results.overall == again.results.overall
    assert run.standings.groupby("event").size().to_dict() == {"nim-2p": 2, "tic_tac_toe-2p": 2}
    games, seats = run.ledger
    assert games.groupby("event").size().to_dict() == {"nim-2p": 6, "tic_tac_toe-2p": 6}
    assert (len(seats), run.complete, list(run.events)) == (24, True, ["nim-2p", "tic_tac_toe-2p"])
    assert run.overall.loc["osla", ["nim-2p", "tic_tac_toe-2p"]].mean() == pytest.approx(
        run.overall.loc["osla", "strength"]
    )
    assert {one.agent for one in run.ratings().overall} == {"osla", "random"}
    assert "<!DOCTYPE html>" in run.report().read_text()
    assert repr(run) == run_tag("results", run.folder).stdout.rstrip("\n")
    assert "tic_tac_toe-2p" in run._repr_html_()
    with pytest.raises(UnknownNameError, match="block"):
        play_experiment(["nim"], ["osla", "random"], block=3)
    with pytest.raises(DataError, match="holds no experiment"):
        open_experiment(tmp_path)


def test_wrong_words_and_values_are_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"no argument of play\(\) named 'blcks'; did you mean 'blocks'\?"):
        play("love_letter", ["osla", "random"], blcks=3)
    with pytest.raises(UnknownNameError, match=r"no argument of play\(\) named 'address'"):
        play("love_letter", ["osla", "random"], address="10.0.0.1:6379")
    with pytest.raises(DataError, match=r"blocks in play\(\) cannot be 'many'; it is a whole number"):
        play("love_letter", ["osla", "random"], blocks="many")
    assert not list(tmp_path.iterdir())


def test_given_workers_stay_open_and_others_are_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[InProcess] = []
    monkeypatch.setattr(InProcess, "close", lambda self: closed.append(self))  # noqa: PLW0108  a method, not a function
    with InProcess() as workers:
        for name in ("one", "other"):
            play(
                "tic_tac_toe",
                ["random", "random"],
                blocks=1,
                seed=1,
                out=tmp_path / name,
                tracking=False,
                workers=workers,
            )
        assert not closed
    assert closed == [workers]
    play("tic_tac_toe", ["random", "random"], blocks=2, out=tmp_path / "one", seed=1, tracking=False, workers=1)
    assert len(closed) == 2


def test_an_option_is_declared_in_one_place() -> None:
    """A flag, a key and an argument follow from each field of the definition's options and rules."""
    flags = {name for parameter in main.get_command(None, "tournament").params for name in parameter.opts}  # type: ignore[arg-type, union-attr]
    for cls in (TournamentOptions, Rules):
        for field, option in options_in(cls):
            assert (option.flag or f"--{field.name.replace('_', '-')}") in flags
            assert field.name in Settings.__dataclass_fields__


def test_an_edited_agent_is_read_anew(tmp_path: Path) -> None:
    """As in a notebook, where the process lives on."""
    file = tmp_path / "mine.py"
    head = "from tag import Agent\n\n\nclass Mine(Agent):\n    def act(self, observation, actions):\n"
    hashes = []
    for number, which in enumerate(("0", "-1", "0")):
        file.write_text(f"{head}        return actions[{which}]\n")
        folder = tmp_path / str(number)
        run = play("tic_tac_toe", [f"{file}:Mine", "random"], blocks=2, seed=1, out=folder, **QUIET)  # type: ignore[arg-type]
        hashes.append(run.results.content_hash)
    assert hashes[0] == hashes[2] != hashes[1]
