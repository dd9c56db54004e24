"""Series: several games between the same agents, each weighing the same."""

from __future__ import annotations

import json
from math import sqrt
from pathlib import Path

import pytest
from commands import run_tag

from tag.errors import DataError
from tag.tournaments import define, read_results
from tag.tournaments.commands.series import run_series
from tag.tournaments.ledger.games import content_hash
from tag.tournaments.results.series import read_series

pytestmark = pytest.mark.flow

AGENTS = ("random", "osla", "random")
EVENTS = [define("tic_tac_toe", AGENTS, 3), define("love_letter", AGENTS, 4, players=3)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "series"
    assert run_series(EVENTS, folder, tracking=False).complete
    return folder


def test_every_event_weighs_the_same(folder: Path) -> None:
    results = read_series(folder)
    assert list(results.events) == ["tic_tac_toe-2p", "love_letter-3p"]
    for standing in results.overall:
        parts = []
        for name, players in (("tic_tac_toe-2p", 2), ("love_letter-3p", 3)):
            by_label = {one.agent: one for one in results.events[name].standings}
            parts.append((players * by_label[standing.agent].points, players * by_label[standing.agent].points_error))
        assert standing.by_event == tuple(mean for mean, _error in parts)
        assert standing.strength == pytest.approx(sum(mean for mean, _error in parts) / 2)
        error = sqrt(sum(error**2 for _mean, error in parts)) / 2
        half = 4.302653 * error  # Student's t at 97.5 %, with one degree of freedom fewer than the three blocks
        assert standing.interval.high == pytest.approx(standing.strength + half, rel=1e-6)
    strengths = [standing.strength for standing in results.overall]
    assert strengths == sorted(strengths, reverse=True)
    assert sum(strengths) == pytest.approx(3.0)


def test_each_event_is_a_tournament_like_any_other(folder: Path) -> None:
    assert read_results(folder / "love_letter-3p").complete
    assert run_tag("replay", folder / "tic_tac_toe-2p", "b0-m0-s1", "--quiet").exit_code == 0


def test_results_show_it_again(folder: Path) -> None:
    shown = run_tag("results", folder)
    assert shown.exit_code == 0, shown.output
    assert shown.stdout.split("\n")[1].startswith("osla")
    assert json.loads(run_tag("results", folder, "--json").stdout)["complete"] is True


def test_a_file_gives_an_event_agents_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(
        f'agents = ["random", "rmhc:budget=8"]\nblocks = 2\nout = "{tmp_path}/s"\nray = false\ntracking = false\n'
        '[[events]]\ngame = "tic_tac_toe"\n'
        '[[events]]\ngame = "love_letter"\nplayers = 4\nblocks = 1\nagents = ["random", "rmhc:budget=16"]\n'
    )
    result = run_tag("series", file, "--quiet", "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert [event["total"] for event in found["events"].values()] == [4, 2]
    labels = [sorted(agent["agent"] for agent in event["agents"]) for event in found["events"].values()]
    assert labels == [["random", "rmhc:budget=8"], ["random", "rmhc:budget=16"]]
    assert [standing["agent"] for standing in found["overall"]][-1] in ("random", "rmhc:budget=8")


@pytest.mark.system
@pytest.mark.usefixtures("local_ray")
def test_workers_play_the_same(folder: Path, tmp_path: Path) -> None:
    run_series(EVENTS, tmp_path, workers=2, tracking=False)
    for name in ("tic_tac_toe-2p", "love_letter-3p"):
        assert content_hash(tmp_path / name) == content_hash(folder / name)


def test_one_that_was_interrupted_goes_on(tmp_path: Path) -> None:
    run_series(EVENTS[:1], tmp_path, tracking=False)
    results = run_series(EVENTS, tmp_path, tracking=False)
    assert results.complete
    assert results.games == results.total == 18 + 12


def test_events_with_other_agents_are_named_and_not_averaged(tmp_path: Path) -> None:
    """Each event in turn is given one more agent, until all have it; the table is of equal fields at any time."""
    run_series(EVENTS, tmp_path, tracking=False)
    before = {one.agent: one.by_event for one in read_series(tmp_path).overall}
    names = list(read_series(tmp_path).events)
    assert (
        run_tag(
            "tournament", tmp_path / names[0], "--extend", "--agent", "strong=osla", "--no-tracking", "--no-ray"
        ).exit_code
        == 0
    )
    found = read_series(tmp_path)
    assert found.apart == {names[0]: ("strong=osla",)}
    assert found.compared == names[1:]
    assert {one.agent: one.by_event for one in found.overall} == {agent: both[1:] for agent, both in before.items()}
    assert sum(one.strength for one in found.overall) == pytest.approx(len(AGENTS))
    shown = run_tag("results", tmp_path)
    assert f"{names[0]} also has strong=osla" in shown.stdout
    assert json.loads(run_tag("results", tmp_path, "--json").stdout)["apart"] == {names[0]: ["strong=osla"]}
    assert run_tag("report", tmp_path).exit_code == 0
    assert "fields differ" in (tmp_path / "report.html").read_text()
    assert run_series(EVENTS, tmp_path, tracking=False).complete  # goes on, and leaves the longer event as it is
    assert read_series(tmp_path) == found
    assert (
        run_tag(
            "tournament", tmp_path / names[1], "--extend", "--agent", "strong=osla", "--no-tracking", "--no-ray"
        ).exit_code
        == 0
    )
    whole = read_series(tmp_path)
    assert (whole.apart, whole.compared) == ({}, names)
    assert {one.agent for one in whole.overall} == {*before, "strong"}
    assert sum(one.strength for one in whole.overall) == pytest.approx(len(AGENTS) + 1)


def test_where_every_event_has_another_field_there_is_no_overall_table(tmp_path: Path) -> None:
    run_series(EVENTS, tmp_path, tracking=False)
    for name, agent in zip(list(read_series(tmp_path).events), ("a=osla", "b=random"), strict=True):
        assert (
            run_tag("tournament", tmp_path / name, "--extend", "--agent", agent, "--no-tracking", "--no-ray").exit_code
            == 0
        )
    found = read_series(tmp_path)
    assert (found.overall, len(found.apart)) == ([], 2)
    assert found.notice in run_tag("results", tmp_path).stdout.replace("\n", " ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["uno", "--players", "11"], "Uno is not for 11 players; leave it out"),
        (["unno"], "no game named 'unno'; did you mean 'uno'?"),
        (["tic_tac_toe", "--players", "x"], "--players cannot be 'x'; it is a list of numbers such as 2,3,4"),
    ],
)
def test_a_mistake_is_one_sentence(arguments: list[str], sentence: str, tmp_path: Path) -> None:
    agents = ["--agent", "random", "--agent", "osla", "--out", str(tmp_path / "s"), "--no-ray"]
    result = run_tag("series", *arguments, *agents)
    assert result.exit_code == 2
    assert result.stderr.strip() == f"tag: {sentence}"
    assert not (tmp_path / "s").exists()


def test_what_a_file_must_not_say_per_event(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text('agents = ["random", "osla"]\n[[events]]\ngame = "uno"\nseed = 3\n')
    assert "is the same for all events; move it above [[events]]" in run_tag("series", file).stderr
    file.write_text('agents = ["random", "osla"]\n')
    assert "has no events; add [[events]] with a game each" in run_tag("series", file).stderr


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(DataError, match="is not empty and holds no series"):
        run_series(EVENTS, tmp_path)
