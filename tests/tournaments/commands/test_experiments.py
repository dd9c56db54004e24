"""Experiments: several games between the same agents, extended without a game again, with one table over all."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import sqrt
from pathlib import Path

import pytest
from commands import run_tag
from scipy.special import stdtrit

from tag.errors import DataError
from tag.tournaments import PlayedGame, define, read_ledger, read_results
from tag.tournaments.ledger.experiment import Experiment, read_experiment
from tag.tournaments.ledger.games import content_hash
from tag.tournaments.reports.progress import Progress
from tag.tournaments.results.experiment import read_experiment_results
from tag.tournaments.run import run_experiment

pytestmark = [pytest.mark.usefixtures("undrawn"), pytest.mark.flow]

AGENTS = ("random", "osla", "random")
EVENTS = [define("tic_tac_toe", AGENTS, 3), define("love_letter", AGENTS, 4, players=3)]
WHOLE = Experiment.of(EVENTS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "experiment"
    assert run_experiment(WHOLE, folder, tracking=False).complete
    return folder


def half_width(errors: Sequence[float], blocks: Sequence[int]) -> float:
    """Half the interval of a sum of independent means, by Banerjee."""
    return sqrt(sum((float(stdtrit(n - 1, 0.975)) * error) ** 2 for error, n in zip(errors, blocks, strict=True)))


def test_every_event_weighs_the_same(folder: Path) -> None:
    results = read_experiment_results(folder)
    assert list(results.events) == ["tic_tac_toe-2p", "love_letter-3p"]
    for standing in results.overall:
        parts = []
        for name, players in (("tic_tac_toe-2p", 2), ("love_letter-3p", 3)):
            by_label = {one.agent: one for one in results.events[name].standings}
            parts.append((players * by_label[standing.agent].points, players * by_label[standing.agent].points_error))
        assert standing.by_event == tuple(mean for mean, _error in parts)
        assert standing.strength == pytest.approx(sum(mean for mean, _error in parts) / 2)
        half = half_width([error / 2 for _mean, error in parts], [3, 4])
        assert standing.interval.high == pytest.approx(standing.strength + half, rel=1e-6)
    strengths = [standing.strength for standing in results.overall]
    assert strengths == sorted(strengths, reverse=True)
    assert sum(strengths) == pytest.approx(3.0)


def test_each_event_is_a_tournament_like_any_other(folder: Path) -> None:
    assert read_results(folder / "love_letter-3p").complete
    assert run_tag("replay", folder / "tic_tac_toe-2p", "b0-m0-s1", "--quiet").exit_code == 0


@pytest.mark.parametrize(
    "words", [("replay", "{}", "b0-m0-s0"), ("train", "regression", "--ledger", "{}", "--no-ray"), ("noise", "{}")]
)
def test_what_is_of_one_tournament_names_an_event(words: tuple[str, ...], folder: Path) -> None:
    refused = run_tag(*(word.format(folder) for word in words))
    assert refused.exit_code == 2
    event = str(folder / "love_letter-3p")
    assert refused.stderr == f"tag: {str(folder)!r} holds no tournament of its own; name one in it, such as {event!r}\n"


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
    result = run_tag("tournament", file, "--quiet", "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert [event["total"] for event in found["events"].values()] == [4, 2]
    labels = [sorted(agent["agent"] for agent in event["agents"]) for event in found["events"].values()]
    assert labels == [["random", "rmhc:budget=8"], ["random", "rmhc:budget=16"]]
    assert [standing["agent"] for standing in found["overall"]][-1] in ("random", "rmhc:budget=8")


@pytest.mark.system
@pytest.mark.usefixtures("local_ray")
def test_workers_play_the_same(folder: Path, tmp_path: Path) -> None:
    run_experiment(WHOLE, tmp_path, workers=2, tracking=False)
    for name in ("tic_tac_toe-2p", "love_letter-3p"):
        assert content_hash(tmp_path / name) == content_hash(folder / name)


def test_one_that_was_interrupted_goes_on(tmp_path: Path) -> None:
    run_experiment(Experiment.of(EVENTS[:1]), tmp_path, tracking=False)
    results = run_experiment(WHOLE, tmp_path, tracking=False)
    assert results.complete
    assert results.games == results.total == 18 + 12


def test_events_with_other_agents_are_named_and_not_averaged(tmp_path: Path) -> None:
    """Each event in turn is given one more agent, until all have it; the table is of equal fields at any time."""
    run_experiment(WHOLE, tmp_path, tracking=False)
    before = {one.agent: one.by_event for one in read_experiment_results(tmp_path).overall}
    names = list(read_experiment_results(tmp_path).events)
    assert (
        run_tag(
            "tournament", tmp_path / names[0], "--extend", "--agent", "strong=osla", "--no-tracking", "--no-ray"
        ).exit_code
        == 0
    )
    found = read_experiment_results(tmp_path)
    assert found.apart == {names[0]: ("strong=osla",)}
    assert found.compared == names[1:]
    assert {one.agent: one.by_event for one in found.overall} == {agent: both[1:] for agent, both in before.items()}
    assert sum(one.strength for one in found.overall) == pytest.approx(len(AGENTS))
    shown = run_tag("results", tmp_path)
    assert f"{names[0]} also has strong=osla" in shown.stdout
    assert json.loads(run_tag("results", tmp_path, "--json").stdout)["apart"] == {names[0]: ["strong=osla"]}
    assert run_tag("report", tmp_path).exit_code == 0
    assert "fields differ" in (tmp_path / "report.html").read_text()
    assert run_experiment(WHOLE, tmp_path, tracking=False).complete  # goes on, and leaves the longer event as it is
    assert read_experiment_results(tmp_path) == found
    assert (
        run_tag(
            "tournament", tmp_path / names[1], "--extend", "--agent", "strong=osla", "--no-tracking", "--no-ray"
        ).exit_code
        == 0
    )
    whole = read_experiment_results(tmp_path)
    assert (whole.apart, whole.compared) == ({}, names)
    assert {one.agent for one in whole.overall} == {*before, "strong"}
    assert sum(one.strength for one in whole.overall) == pytest.approx(len(AGENTS) + 1)


class Counted(Progress):
    """Counts the games that are played, not those that were there before."""

    games = 0

    def played(self, games: Sequence[PlayedGame]) -> None:
        self.games += len(games)


ALONE = ("--no-ray", "--no-tracking", "--quiet")
TWO = ("--agent", "random", "--agent", "osla")
GAMES = ("tic_tac_toe", "love_letter", "--players", "2,3,4", "--blocks", 2, "--seed", 5)


def hashes(folder: Path) -> dict[str, str]:
    return {name: content_hash(folder / name) for name in read_experiment(folder).events}


def test_a_third_variant_replays_nothing_and_ranks_as_a_new_run(tmp_path: Path) -> None:
    """Also where agents share tables: two at tables for three and four."""
    third, grown, new = ("--agent", "rmhc:budget=4"), tmp_path / "grown", tmp_path / "new"
    assert run_tag("tournament", *GAMES, *TWO, *ALONE, "--out", grown).exit_code == 0
    before = {name: read_ledger(grown / name)[0].set_index("game_id")["state_hash"] for name in hashes(grown)}
    assert len(before) == 1 + 3
    planned = json.loads(run_tag("tournament", grown, *third, "--extend", "--dry-run", "--json", *ALONE[:1]).stdout)
    assert run_tag("tournament", grown, *third, "--extend", *ALONE).exit_code == 0
    assert run_tag("tournament", *GAMES, *TWO, *third, *ALONE, "--out", new).exit_code == 0
    assert hashes(grown) == hashes(new)
    for name, games in before.items():
        after = read_ledger(grown / name)[0].set_index("game_id")["state_hash"]
        assert (after[games.index] == games).all()
    found, expected = read_experiment_results(grown), read_experiment_results(new)
    assert found.overall == expected.overall
    assert (found.games, found.complete) == (planned["games"], True)
    assert planned["played"] == sum(map(len, before.values()))


def test_what_is_added_is_all_that_is_played(tmp_path: Path) -> None:
    definitions = [define("love_letter", ("random", "osla"), 2, players=n, design="grid") for n in (2, 3)]
    experiment, counted = Experiment.of(definitions), Counted()
    before = run_experiment(experiment, tmp_path, tracking=False).games
    longer = experiment.extended(3, ["random"]).with_events({"nim-2p": define("nim", ("random", "osla", "random"), 3)})
    after = run_experiment(longer, tmp_path, tracking=False, progress=counted)
    assert counted.games == after.games - before
    assert after.complete
    shorter, again = experiment.with_events({"nim-2p": define("nim", ("random", "osla"), 2)}), Counted()
    assert run_experiment(shorter, tmp_path, tracking=False, progress=again).overall == after.overall
    assert again.games == 0


def test_further_games_have_the_settings_of_the_first(tmp_path: Path) -> None:
    assert run_tag("tournament", "tic_tac_toe", "nim", *TWO, *ALONE, "--blocks", 2, "--out", tmp_path).exit_code == 0
    assert run_tag("tournament", tmp_path, "love_letter", "--players", "2,3", "--extend", *ALONE).exit_code == 0
    events = read_experiment(tmp_path).events
    assert list(events) == ["tic_tac_toe-2p", "nim-2p", "love_letter-2p", "love_letter-3p"]
    assert {event.seed for event in events.values()} == {events["nim-2p"].seed}
    assert {(event.agents, event.blocks) for event in events.values()} == {(("random", "osla"), 2)}
    assert [event.design for event in events.values()] == ["round_robin"] * 3 + ["grid"]
    assert read_experiment_results(tmp_path).complete


def test_series_is_the_former_name(tmp_path: Path) -> None:
    done = run_tag("series", "tic_tac_toe", "nim", *TWO, *ALONE, "--blocks", 1, "--out", tmp_path)
    assert done.exit_code == 0
    assert done.stderr == "tag: tag series is now tag tournament, with the same words\n"
    assert list(read_experiment(tmp_path).events) == ["tic_tac_toe-2p", "nim-2p"]


def test_a_dry_run_sums_the_events_and_writes_nothing(tmp_path: Path) -> None:
    words = (
        "tournament",
        "tic_tac_toe",
        "nim",
        *TWO,
        "--blocks",
        3,
        "--out",
        tmp_path / "new",
        "--dry-run",
        "--no-ray",
    )
    shown = run_tag(*words).stdout
    assert "nim, 2 players, round_robin of 2 agents:\n  3 blocks of 1 match-ups in 2 seatings: 6 games\n" in shown
    assert "in all 12 games of 2 events, about" in shown
    plain = json.loads(run_tag(*words, "--json").stdout)
    assert plain["games"] == sum(event["games"] for event in plain["events"].values()) == 12
    grown = ("love_letter", "--players", "2,3", "--agent", "mcts", "--budgets", "2,4", "--dry-run", "--no-ray")
    assert (
        "love_letter, 3 players, grid of 2 agents:" in run_tag("tournament", *grown, "--out", tmp_path / "new").stdout
    )
    assert not (tmp_path / "new").exists()


def test_declared_weights_count_in_the_table_over_all(tmp_path: Path) -> None:
    file = tmp_path / "weighted.toml"
    file.write_text(
        'agents = ["random", "osla"]\nblocks = 4\nseed = 1\n[[events]]\ngame = "nim"\nweight = 3\nname = "heavy"\n'
        '[[events]]\ngame = "love_letter"\n'
    )
    done = run_tag("tournament", file, *ALONE, "--out", tmp_path / "w")
    assert done.exit_code == 0, done.output
    assert "in the overall table the events have weights: heavy 3, love_letter-2p 1" in done.stdout
    found = read_experiment_results(tmp_path / "w")
    for one in found.overall:
        assert one.strength == pytest.approx((3 * one.by_event[0] + one.by_event[1]) / 4)
    errors = [found.events[name].standings[0].points_error * 2 for name in ("heavy", "love_letter-2p")]
    half = half_width([3 * errors[0] / 4, errors[1] / 4], [4, 4])
    assert found.overall[0].interval.high - found.overall[0].strength == pytest.approx(half, rel=1e-6)
    assert run_tag("report", tmp_path / "w").exit_code == 0
    assert "weights: heavy 3" in (tmp_path / "w" / "report.html").read_text()
    latex = run_tag("export", tmp_path / "w", "latex", "--table", "overall").stdout
    assert "in the overall table the events have weights: heavy 3, love\\_letter-2p 1" in latex


def test_ratings_over_all_are_means_of_those_of_the_events(folder: Path) -> None:
    plain = json.loads(run_tag("ratings", folder, "--json").stdout)
    assert list(plain["events"]) == list(plain["weights"]) == list(WHOLE.events)
    by_event = [{one["agent"]: one for one in each["agents"]} for each in plain["events"].values()]
    for one in plain["overall"]:
        mine = [agents[one["agent"]] for agents in by_event]
        assert one["by_event"] == [each["rating"] for each in mine]
        assert one["rating"] == pytest.approx(sum(each["rating"] for each in mine) / 2)
        half = sqrt(sum(((each["high"] - each["low"]) / 2) ** 2 for each in mine)) / 2
        assert (one["high"] - one["low"]) / 2 == pytest.approx(half)
    assert [one["rating"] for one in plain["overall"]] == sorted(
        (one["rating"] for one in plain["overall"]), reverse=True
    )
    tables = [event["pairs"] for event in plain["events"].values()]
    one, other = (plain["pairs"]["labels"].index(agent) for agent in ("osla", "random"))
    cells = [[each["labels"].index(agent) for agent in ("osla", "random")] for each in tables]
    for name, total in (("score", 0.5), ("games", 1.0)):
        values = [each[name][row][column] for each, (row, column) in zip(tables, cells, strict=True)]
        assert plain["pairs"][name][one][other] == pytest.approx(total * sum(values))
    shown = run_tag("ratings", folder).stdout
    assert shown.startswith("agent")
    assert shown.index("how often the row is placed above") < shown.index("\n\ntic_tac_toe-2p\n")
    assert "\n\nlove_letter-3p\n" in shown
    anchored = json.loads(run_tag("ratings", folder, "--anchor", "osla=1500", "--json").stdout)
    assert next(one["rating"] for one in anchored["overall"] if one["agent"] == "osla") == pytest.approx(1500)
    assert run_tag("report", folder, "--out", folder.parent / "page.html").exit_code == 0
    page = (folder.parent / "page.html").read_text()
    assert "Ratings over all" in page
    assert "Pairs over all" in page
    latex = run_tag("export", folder, "latex", "--table", "overall-crosstable").stdout
    assert "Cross-table over all events" in latex


def test_an_event_without_ratings_is_named(tmp_path: Path) -> None:
    together = define("pandemic", ("random", "osla"), 1, players=2)  # teams of both agents rate neither
    run_experiment(Experiment.of([together]), tmp_path / "alone", tracking=False)
    refused = run_tag("ratings", tmp_path / "alone")
    assert refused.stderr == (
        f"tag: {str(tmp_path / 'alone')!r} has nothing to rate: pandemic-2p, where all players win or lose together\n"
    )
    run_experiment(Experiment.of([define("nim", ("random", "osla"), 2), together]), tmp_path / "two", tracking=False)
    shown = run_tag("ratings", tmp_path / "two").stdout
    assert "not in the ratings over all: pandemic-2p, where all players win or lose together" in shown


def test_where_every_event_has_another_field_there_is_no_overall_table(tmp_path: Path) -> None:
    run_experiment(WHOLE, tmp_path, tracking=False)
    for name, agent in zip(list(read_experiment_results(tmp_path).events), ("a=osla", "b=random"), strict=True):
        assert (
            run_tag("tournament", tmp_path / name, "--extend", "--agent", agent, "--no-tracking", "--no-ray").exit_code
            == 0
        )
    found = read_experiment_results(tmp_path)
    assert (found.overall, len(found.apart)) == ([], 2)
    assert found.notice in run_tag("results", tmp_path).stdout.replace("\n", " ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["uno", "--players", "11,12"], "Uno is not for 11, 12 players; leave it out"),
        (["unno"], "no game named 'unno'; did you mean 'uno'?"),
        (["tic_tac_toe", "--players", "x"], "--players cannot be 'x'; it is a list of numbers such as 2,3,4"),
    ],
)
def test_a_mistake_is_one_sentence(arguments: list[str], sentence: str, tmp_path: Path) -> None:
    agents = ["--agent", "random", "--agent", "osla", "--out", str(tmp_path / "s"), "--no-ray"]
    result = run_tag("tournament", *arguments, *agents)
    assert result.exit_code == 2
    assert result.stderr.strip() == f"tag: {sentence}"
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize(
    ("events", "sentence"),
    [
        ('game = "nim"\nweight = 0', "weight of nim-2p cannot be 0; it has to be more than 0"),
        ('game = "nim"\nweight = "much"', "cannot be 'much'; it is a number"),
        ('game = "nim"\n[[events]]\ngame = "nim"\nopening = "random:2"', "two events are named 'nim-2p'"),
        ('game = "nim"\nname = "../out"', "name of an event cannot be '../out'"),
        (
            'game = "nim"\n[[events]]\ngame = "sim"\nagents = ["random", "osla", "rhea"]',
            "all events of an experiment are between the same number of agents",
        ),
    ],
)
def test_a_mistake_in_a_file_is_one_sentence(events: str, sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(f'agents = ["random", "osla"]\n[[events]]\n{events}\n')
    result = run_tag("tournament", file, "--out", tmp_path / "new", *ALONE)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert sentence in result.stderr
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--agent", "osla"), "holds an experiment already; for more agents, add --extend"),
        (("uno",), "holds an experiment already; for more games, add --extend"),
        (("--extend", "--seed", 3), "holds an experiment already; its seed cannot be changed"),
        (("--extend", "--players", "3"), "holds an experiment already; its players cannot be changed"),
        (("--extend", "--blocks", 1), "tic_tac_toe-2p: this tournament cannot be extended: blocks is"),
    ],
)
def test_what_cannot_change_is_refused_and_nothing_is(words: tuple[object, ...], sentence: str, folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    result = run_tag("tournament", folder, *words, *ALONE)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert sentence in result.stderr
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_what_a_file_must_not_say_per_event(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text('agents = ["random", "osla"]\n[[events]]\ngame = "uno"\nseed = 3\n')
    assert "is the same for all events; move it above [[events]]" in run_tag("tournament", file).stderr
    file.write_text('agents = ["random", "osla"]\nevents = []\n')
    assert "has no events; add [[events]] with a game each" in run_tag("tournament", file).stderr


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(DataError, match="is not empty and holds no experiment"):
        run_experiment(WHOLE, tmp_path)
