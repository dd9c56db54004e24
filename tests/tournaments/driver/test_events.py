"""Events of play: all listeners hear all of them in order, and one that fails changes nothing but what it hears."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tag.cluster.workers import InProcess
from tag.tournaments import TournamentResults, define, read_results, run_tournament
from tag.tournaments.driver import driver, tournament
from tag.tournaments.driver.events import Listeners, PlayListener
from tag.tournaments.reports.progress import Progress
from tag.tournaments.results import live
from tag.tournaments.run import run_all
from tag.tournaments.statistics.standings import Standing

pytestmark = pytest.mark.flow

METHODS = [name for name, _method in inspect.getmembers(PlayListener, inspect.isfunction)]
#: Calls of each method with arguments that no listener looks at.
ARGUMENTS: dict[str, Sequence[Any]] = {
    name: [f"{name} {parameter}" for parameter in list(inspect.signature(getattr(PlayListener, name)).parameters)[1:]]
    for name in METHODS
}


def hearing(heard: list[tuple[str, ...]], name: str, fails_in: str = "") -> PlayListener:
    """Return a listener that notes all calls under its name, and raises in one method."""

    def method(called: str) -> Callable[..., None]:
        def hear(_self: PlayListener, *arguments: Any) -> None:
            heard.append((name, called, *map(str, arguments)))
            if called == fails_in:
                raise RuntimeError("of mine")

        return hear

    return type("Hearing", (PlayListener,), {called: method(called) for called in METHODS})()


def test_all_hear_all_in_order() -> None:
    heard: list[tuple[str, ...]] = []
    events = Listeners(hearing(heard, "one"), hearing(heard, "two"))
    for name in METHODS:
        getattr(events, name)(*ARGUMENTS[name])
    assert heard == [(who, name, *ARGUMENTS[name]) for name in METHODS for who in ("one", "two")]


@pytest.mark.parametrize("fails_in", METHODS)
def test_one_that_fails_is_named_once_and_hears_no_more(fails_in: str, capsys: pytest.CaptureFixture[str]) -> None:
    heard: list[tuple[str, ...]] = []
    events = Listeners(hearing(heard, "bad", fails_in), hearing(heard, "good"))
    for _time in range(2):
        for name in METHODS:
            getattr(events, name)(*ARGUMENTS[name])
    calls = Counter((who, name) for who, name, *_arguments in heard)
    named = [arguments[0] for who, name, *arguments in heard if who == "good" and "Hearing" in "".join(arguments)]
    assert named == ["Hearing hears no more of play, which goes on: RuntimeError: of mine"]
    assert calls["bad", fails_in] == 1
    assert all(calls["good", name] == 2 + (name == "say") for name in METHODS)
    assert capsys.readouterr().err == ""


def test_where_nobody_is_left_to_say_it_standard_error_does(capsys: pytest.CaptureFixture[str]) -> None:
    heard: list[tuple[str, ...]] = []
    events = Listeners(hearing(heard, "bad", "say"), PlayListener())
    events.say("well")
    events.say("well")
    assert capsys.readouterr().err == "tag: Hearing hears no more of play, which goes on: RuntimeError: of mine\n"


def test_a_shared_listener_hears_the_games_and_sentences_of_all() -> None:
    heard: list[tuple[str, ...]] = []
    events = Listeners(hearing(heard, "own"), shared=hearing(heard, "shared"))
    events.start(9, 4, "3 x 3")
    events.played([])
    events.say("well")
    events.close()
    events.conclude([])
    assert [call for call in heard if call[0] == "shared"] == [
        ("shared", "skip", "4"),
        ("shared", "played", "[]"),
        ("shared", "say", "well"),
    ]


class Bad(Progress):
    """Raises in one method, after it has done what it should."""

    wants_standings = True

    def __init__(self, fails_in: str) -> None:
        super().__init__()
        self.said: list[str] = []
        real = getattr(self, fails_in)

        def fail(*arguments: Any) -> None:
            real(*arguments)
            raise RuntimeError("of mine")

        setattr(self, fails_in, fail)

    def say(self, sentence: str) -> None:
        self.said.append(sentence)


def decided(results: TournamentResults) -> tuple[object, ...]:
    return results.content_hash, results.games, results.total, results.stopping, results.complete


@pytest.mark.parametrize("fails_in", [*METHODS, "show_standings"])
def test_whatever_fails_the_same_is_played(fails_in: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a listener fails together with a stopping rule, and during an experiment."""
    monkeypatch.setattr(driver, "_FLUSH_SECONDS", 0.0)
    monkeypatch.setattr(live, "_STANDINGS_SECONDS", 0.0)
    definition = define("tic_tac_toe", ("random", "osla"), 4, seed=1, sprt="0,300")
    expected = run_tournament(definition, tmp_path / "expected", tracking=False)
    found = run_tournament(
        definition, tmp_path / "t", tracking=False, progress=Bad(fails_in), listeners=[Bad(fails_in)]
    )
    assert decided(found) == decided(expected)
    parts = {tmp_path / "experiment" / name: definition for name in ("a", "b")}
    played = run_all(parts, InProcess(), progress=Bad(fails_in))
    assert [decided(results) for results in played] == [decided(expected)] * 2


@pytest.mark.parametrize(
    ("game", "agents", "options"),
    [
        ("tic_tac_toe", ("random", "osla"), {}),
        ("love_letter", ("random", "osla", "random"), {"players": 3}),
        ("tic_tac_toe", ("random", "osla", "random", "random"), {"design": "swiss"}),
        ("pandemic", ("random",) * 2, {"players": 2, "design": "self_play"}),
    ],
)
def test_live_standings_are_those_of_the_ledger(
    game: str, agents: tuple[str, ...], options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also after an interruption, whose games are read once."""

    class Shown(Progress):
        wants_standings = True

        def show_standings(self, standings: Sequence[Standing], is_cooperative: bool) -> None:
            now = read_results(tmp_path / "t")
            shown.append([one.to_json() for one in standings] == [one.to_json() for one in now.standings])

    shown: list[bool] = []
    failed: list[str] = []
    monkeypatch.setattr(Listeners, "_name", lambda _self, sentence: failed.append(sentence))
    monkeypatch.setattr(tournament, "LARGEST_BATCH", 3)
    monkeypatch.setattr(driver, "_AGENTS_PER_SECOND", float("inf"))
    monkeypatch.setattr(live, "_STANDINGS_SHARE", float("inf"))
    monkeypatch.setattr(driver, "_FLUSH_SECONDS", 0.0)
    monkeypatch.setattr(live, "_STANDINGS_SECONDS", 0.0)
    for blocks in (2, 4) if "design" not in options else (3,):
        definition = define(game, agents, blocks, seed=3, **options)
        run_tournament(definition, tmp_path / "t", tracking=False, progress=Shown())
    assert failed == []
    assert len(shown) > 2
    assert all(shown)
