"""The report of a tournament: true to the ledger, for every kind of tournament, the same for the same, in a real browser."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import tomllib
from dataclasses import replace
from functools import cache
from itertools import islice
from math import isnan
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from browsers.pages import check_shown
from commands import run_tag
from copied import RANDOM

from tag.orders import play_order
from tag.playing.faults import CRASH, Fault
from tag.tournaments import (
    PlayedGame,
    TournamentDefinition,
    define,
    read_faults,
    read_ledger,
    read_results,
    run_tournament,
)
from tag.tournaments.commands.settings import Settings
from tag.tournaments.commands.tournament import report_html, write_report
from tag.tournaments.definition import Rules
from tag.tournaments.designs.stopping.best_agent import BestAgentResult
from tag.tournaments.designs.stopping.precision import PrecisionResult
from tag.tournaments.ledger.experiment import Experiment
from tag.tournaments.ledger.folder import Folder
from tag.tournaments.ledger.games import read_measures
from tag.tournaments.ledger.writing import Ledger
from tag.tournaments.reports.figures import Style, apart
from tag.tournaments.reports.sections.again import as_command, as_toml
from tag.tournaments.reports.sections.data import SeatSums, read_tournament
from tag.tournaments.reports.sections.games import courses, decision_times
from tag.tournaments.results.tournament import counted_seats, rate
from tag.tournaments.run import run_experiment
from tag.tournaments.statistics.standings import seat_points

pytestmark = pytest.mark.flow

FAULTY = (
    RANDOM
    + '''


class Faulty(Random):
    """Raises now and then, else chooses what is not there."""

    def act(self, observation, actions):
        if len(actions) % 2:
            raise ValueError("a <b>bold</b> & odd number")
        return None
'''
)
STRENGTH = ["Standings", "Ratings", "Pairs", "Seats", "Convergence"]
GAMES = ["Time per decision", "Length of games"]
#: The sections of each kind of tournament.
SECTIONS = {
    "contest": [*STRENGTH, *GAMES, "Play it again"],
    "measured": [*STRENGTH, *GAMES, "Measures of the games", "Play it again"],
    "alone": ["Standings", "Seats", "Convergence", *GAMES, "Play it again"],
    "coop": ["Standings", "Teams", "Convergence", *GAMES, "Play it again"],
    "many": [*STRENGTH, *GAMES, "Play it again"],
    "knockout": ["Standings", "Rounds", *STRENGTH[1:], *GAMES, "Play it again"],
    "incomplete": [*STRENGTH, *GAMES, "Play it again"],
    "one game": ["Standings", *GAMES, "Play it again"],
    "begun": ["Standings", "Play it again"],
    "faulty": [*STRENGTH, *GAMES, "Faults", "Play it again"],
    "paused": [*STRENGTH, *GAMES, "Faults", "Play it again"],
    "sprt": ["Standings", "Sequential test", *STRENGTH[1:], *GAMES, "Play it again"],
    "precision": ["Standings", "Precision", *STRENGTH[1:], *GAMES, "Play it again"],
    "best agent": ["Standings", "Best agent", *STRENGTH[1:], *GAMES, "Play it again"],
    "void": ["Standings", "Time per decision", "Faults", "Play it again"],
}


def play_some(definition: TournamentDefinition, folder: Path, games: int, crashing: int | None = None) -> None:
    """Play the first games of a tournament; the agent of number ``crashing`` is said to have crashed in each of its."""
    with Folder.locked(folder, definition):
        rows = []
        for pairing in islice(definition.schedule(), games):
            record = play_order(definition.order(pairing))
            seats = [seat for seat, agent in enumerate(pairing.agents) if agent == crashing]
            rows.append(PlayedGame(pairing, replace(record, faults=[Fault(CRASH, seat, 1, "gone") for seat in seats])))
        Ledger(folder, definition).append(rows)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A tournament of each kind, by name."""
    runs = tmp_path_factory.mktemp("runs")
    (runs / "faulty.py").write_text(FAULTY)
    faulty = (f"{runs}/faulty.py:Faulty", "random")
    trio = define("love_letter", ("random", "osla", "random"), 4, players=3)
    whole = {
        "contest": trio,
        "measured": define("tic_tac_toe", ("random", "osla"), 3, metrics=("lead", "turns")),
        "alone": define("tic_tac_toe", ("random",), 3),
        "coop": define("pandemic:cards_for_cure=2", ("random", "osla"), 3),
        "many": define("tic_tac_toe", ("random",) * 14, 2, design="balanced"),
        "knockout": define("tic_tac_toe", ("random",) * 4, 3, design="knockout"),
        "faulty": define("tic_tac_toe", faulty, 3),
        "sprt": define("tic_tac_toe", ("osla", "random"), 40, sprt="0,300"),
        "precision": define("tic_tac_toe", ("random", "osla", "random"), 20, precision=0.2, compare=("osla",)),
        "best agent": define("tic_tac_toe", ("random", "osla", "random"), 24, design="best_agent:batch=4"),
        "void": define("tic_tac_toe", faulty, 1, rules=Rules(on_illegal="void", on_exception="void")),
    }
    for name, definition in whole.items():
        run_tournament(definition, runs / name, tracking=False)
    play_some(trio, runs / "paused", 24, crashing=1)
    for name, games in {"incomplete": 7, "one game": 1, "begun": 0}.items():
        play_some(trio, runs / name, games)
    return {name: runs / name for name in SECTIONS}


@cache
def page_of(folder: Path) -> str:
    """Return the report of one of the folders, which no test changes."""
    return report_html(folder)


class TestPages:
    @pytest.mark.parametrize("kind", SECTIONS)
    def test_every_kind_of_tournament_has_its_sections(
        self, kind: str, folders: dict[str, Path], reading_of: Any
    ) -> None:
        page = reading_of(page_of(folders[kind]))
        page.check()
        assert page.words["h2"] == SECTIONS[kind]
        results = read_results(folders[kind])
        state = f"{results.total}, complete" if results.complete else f"{results.games} of {results.total}"
        assert state in page.words["dd"]
        assert ("Not complete" in page.words["p"][0]) == (not results.complete)
        assert not {"nan", "None"}.intersection(" ".join(page.words.get("td", [])).split())

    def test_the_table_is_that_of_the_results(self, folders: dict[str, Path], reading_of: Any) -> None:
        page = reading_of(page_of(folders["contest"]))
        rows = page.words["tr"][1:4]
        for place, (standing, row) in enumerate(zip(read_results(folders["contest"]).standings, rows, strict=True), 1):
            words = row.split()
            assert words[:6] == [
                str(place), standing.agent, f"{100 * standing.win_rate:.1f}",
                f"{100 * standing.win_rate_interval.low:.1f}", "…", f"{100 * standing.win_rate_interval.high:.1f}",
            ]  # fmt: skip
            assert f"{standing.mean_ordinal:.2f}" in words
            assert (f"{standing.points:.3f}" in words) == any(
                one.points != one.win_rate for one in read_results(folders["contest"]).standings
            )

    @pytest.mark.parametrize("kind", ["contest", "sprt", "best agent"])
    def test_no_column_of_the_standings_has_the_numbers_of_another(
        self, kind: str, folders: dict[str, Path], reading_of: Any
    ) -> None:
        rows = reading_of(page_of(folders[kind])).rows("Standings")
        columns = [column for column in zip(*rows, strict=True) if any(cell.strip("0.-") for cell in column)]
        assert len(set(columns)) == len(columns) >= 4

    def test_totals_are_the_product_of_what_is_said(self, folders: dict[str, Path], reading_of: Any) -> None:
        words = reading_of(page_of(folders["incomplete"])).words
        facts = dict(zip(words["dt"], words["dd"], strict=False))
        blocks, matchups, seatings = (int(number) for number in re.findall(r"\d+", facts["Blocks"]))
        assert facts["Games"] == f"7 of {blocks * matchups * seatings}"

    def test_agents_that_meet_themselves_are_not_compared_with_an_equal_share(self, tmp_path: Path) -> None:
        play_some(define("tic_tac_toe", ("random", "osla"), 2, design="self_play"), tmp_path, 6)
        assert "dashed line" not in report_html(tmp_path)

    def test_short_labels_have_the_full_spec_beside_them(self, tmp_path: Path, reading_of: Any) -> None:
        agents = ("mcts:budget=5,rollout_length=2", "mcts:budget=5,rollout_length=3", "strong=rmhc:budget=5")
        play_some(define("tic_tac_toe", agents, 2), tmp_path, 12)
        page = reading_of(report_html(tmp_path))
        page.check()
        shown = {row[1] for row in page.rows("Standings")}
        assert shown == {"mcts:rollout_length=2", "mcts:rollout_length=3", "strong"}
        assert {attributes["title"] for attributes in page.all("abbr")} == set(agents[:2])
        assert set(agents[:2]) <= set(page.words["dd"])

    def test_figures_say_the_ratings_and_pairs_in_words(self, folders: dict[str, Path], reading_of: Any) -> None:
        labels = reading_of(page_of(folders["contest"])).labels
        summary, standings = rate(folders["contest"]), read_results(folders["contest"]).standings
        place = {standing.agent: number for number, standing in enumerate(standings, 1)}
        (ratings,) = [label for label in labels if label.startswith("Ratings and groups.")]
        for agent in summary.agents:
            assert f"{place[agent.agent]}. {agent.agent}: {agent.rating:.3g}, " in ratings
        (pairs,) = [label for label in labels if label.startswith("Rows against columns;")]
        pair = summary.pairs
        one, other = pair.labels.index("osla"), pair.labels.index("random")
        row = pairs.partition(f"{place['osla']}. osla against ")[2].partition(";")[0]
        assert f"{place['random']} {100 * pair.score[one, other]:.0f}" in row

    def test_pairs_that_have_not_met_are_left_out(self, folders: dict[str, Path], reading_of: Any) -> None:
        page = reading_of(page_of(folders["knockout"]))
        scores = rate(folders["knockout"]).pairs.score
        met = int(np.isfinite(scores[np.triu_indices(4, 1)]).sum())
        assert 0 < met < 6
        (listed,) = [text for text in page.words["table"] if text.strip().startswith("All pairs")]
        assert listed.count("…") == met

    def test_more_agents_than_colours_have_a_figure_each(self, folders: dict[str, Path], reading_of: Any) -> None:
        page = reading_of(page_of(folders["many"]))
        titles = [text for text in page.words["b"] if re.match(r"\d+\. random", text)]
        assert len(titles) == 14
        assert "var(--agent-2)" not in page.text

    def test_a_cooperative_game_has_scores_and_a_success_rate(self, folders: dict[str, Path]) -> None:
        text = page_of(folders["coop"])
        assert "Score over games" in text
        assert "success rate" in text
        assert "win rate" not in text.lower()
        assert "mean place" not in text

    def test_what_metrics_measured_is_in_it(self, folders: dict[str, Path], reading_of: Any) -> None:
        values = read_measures(folders["measured"])
        rows = {row[0]: row for row in reading_of(page_of(folders["measured"])).rows("Measures of the games")}
        assert rows.keys() == set(values["measure"].unique())
        for name, of_one in values.groupby("measure", observed=True):
            mean = of_one.groupby("game_id", observed=True)["value"].mean().mean()
            assert float(rows[name][1]) == pytest.approx(mean, rel=0.01, abs=0.001)

    def test_faults_are_counted_by_agent_and_kind(self, folders: dict[str, Path], reading_of: Any) -> None:
        page = reading_of(page_of(folders["faulty"]))
        (listed,) = [text for text in page.words["table"] if text.strip().startswith("Faults by agent and kind")]
        faults = read_faults(folders["faulty"])
        assert set(faults["kind"]) == {"exception", "illegal action"}
        for kind, rows in faults.groupby("kind"):
            assert [str(len(rows)), str(rows["game_id"].nunique())] == listed.partition(str(kind))[2].split()[:2]
        assert "a <b>bold</b> & odd number" in " ".join(page.words["dd"])
        assert "<b>bold" not in page.text

    def test_a_paused_agent_is_named_and_does_not_count(self, folders: dict[str, Path], reading_of: Any) -> None:
        page = reading_of(page_of(folders["paused"]))
        (paused,) = read_results(folders["paused"]).paused
        (said,) = [text for text in page.words["p"] if "is paused after game" in text]
        assert said.startswith(f"{paused.agent} is paused after game {paused.after}")
        reading = read_tournament(folders["paused"])
        counted = counted_seats(folders["paused"])
        for seats, counts in ((read_ledger(folders["paused"])[1], False), (counted, True)):
            own = seats[seats["agent"] == paused.agent]
            assert (own["block"] < paused.from_block).all() == counts
        assert len(reading.counted) == len(counted)
        assert counted.groupby("agent", observed=True)["game_id"].nunique().to_dict() == {
            standing.agent: standing.games for standing in reading.results.standings if standing.games
        }

    def test_a_sequential_test_says_how_it_ended(self, folders: dict[str, Path]) -> None:
        found = read_results(folders["sprt"])
        assert found.stopping is not None
        assert found.games < 80
        assert found.stopping.text in page_of(folders["sprt"]).replace("&#39;", "'")

    def test_a_search_says_who_may_be_the_best(self, folders: dict[str, Path], reading_of: Any) -> None:
        found = read_results(folders["best agent"]).stopping
        assert isinstance(found, BestAgentResult)
        page = reading_of(page_of(folders["best agent"]))
        (table,) = [text for text in page.words["table"] if text.strip().startswith("Contenders")]
        for contender in found.contenders:
            assert f"{contender.p_best:.3f}" in table
            assert str(contender.games) in table
        (label,) = [label for label in page.labels if label.startswith("P(best) over blocks")]
        assert found.contenders[0].agent in label

    def test_a_precision_says_what_is_known(self, folders: dict[str, Path], reading_of: Any) -> None:
        found = read_results(folders["precision"]).stopping
        assert isinstance(found, PrecisionResult)
        page = reading_of(page_of(folders["precision"]))
        (table,) = [text for text in page.words["table"] if text.strip().startswith("Points per game")]
        for estimate in found.estimates:
            assert estimate.name in table
            assert f"± {estimate.half_width:.4f}" in table

    def test_equal_ledgers_give_equal_bytes_whatever_was_drawn_before(
        self, folders: dict[str, Path], tmp_path: Path
    ) -> None:
        before = report_html(folders["contest"])
        shutil.copytree(folders["contest"], tmp_path / "copy")
        with mpl.rc_context({"font.size": 31.0, "svg.fonttype": "path", "axes.grid": True}):
            assert report_html(tmp_path / "copy") == before

    @pytest.mark.system
    @pytest.mark.parametrize(
        ("kind", "scheme", "width"),
        [("contest", "light", 1280), ("many", "dark", 500), ("best agent", "light", 800)],
        ids=["wide", "narrow", "middle"],
    )
    def test_a_browser_shows_it(
        self, folders: dict[str, Path], tmp_path: Path, browser: Any, kind: str, scheme: str, width: int
    ) -> None:
        check_shown(browser, write_report(folders[kind], tmp_path / "shown.html"), scheme, width)


class TestEstimates:
    def test_a_course_ends_at_the_standing(self, folders: dict[str, Path]) -> None:
        reading = read_tournament(folders["contest"])
        course = courses(reading.counted)
        labels = reading.definition.labels
        assert len(course) == 3 * 3  # agents, and ends of 2, 3 and 4 blocks
        last = course.groupby("agent_index").last()
        for standing in reading.results.standings:
            row = last.loc[labels.index(standing.agent)]
            assert row["games"] == len(reading.games)
            assert (row["mean"], row["low"], row["high"]) == pytest.approx(
                (standing.win_rate, standing.win_rate_interval.low, standing.win_rate_interval.high)
            )

    def test_a_course_is_of_the_blocks_so_far(self, folders: dict[str, Path]) -> None:
        reading = read_tournament(folders["contest"])
        counted = counted_seats(folders["contest"])
        first = SeatSums.over([counted[counted["block"] < 2]], 3, 3)
        course = courses(reading.counted)
        start = course[course["games"] == course["games"].min()].reset_index(drop=True)
        pd.testing.assert_frame_equal(start, courses(first))

    def test_seats_share_the_points(self, folders: dict[str, Path]) -> None:
        reading = read_tournament(folders["contest"])
        points = reading.counted.seat_points()
        assert list(points["seat"]) == [0, 1, 2]
        assert points["mean"].sum() == pytest.approx(1.0)
        counted = counted_seats(folders["contest"])
        pd.testing.assert_frame_equal(points, seat_points(counted))
        by_agent = reading.counted.seat_points_by_agent()
        for agent, own in counted.groupby("agent_index"):
            found = by_agent[by_agent["agent"] == agent].drop(columns="agent").reset_index(drop=True)
            pd.testing.assert_frame_equal(found, seat_points(own), check_dtype=False)
        direct = counted.groupby("seat")["points"].mean()
        assert list(points["mean"]) == pytest.approx(list(direct))
        assert (points["low"] <= points["mean"]).all()
        assert (points["mean"] <= points["high"]).all()

    def test_times_are_of_games_that_were_timed(self) -> None:
        times = decision_times(pd.DataFrame({"agent_index": [1, 1, 1, 0], "ms": [1.0, 3.0, 2.0, 5.0]}))
        assert list(times["agent_index"]) == [0, 1]
        assert list(times["median"]) == [5.0, 2.0]
        assert list(times["games"]) == [1, 3]


class TestNames:
    def test_long_names_keep_both_ends_and_the_place(self) -> None:
        name = Style(3, "", "mcts:budget=400,k=1.4,rollout_length=12,discount=0.99", "#000000").name
        assert name.startswith("3. mcts:budget=40")
        assert name.endswith("discount=0.99")
        assert len(name) < 40

    def test_names_at_the_ends_of_lines_are_apart_in_their_order(self) -> None:
        moved = apart([0.5, 0.1, 0.11, 0.105], 0.05)
        assert moved[1] == 0.1
        assert moved == pytest.approx([0.5, 0.1, 0.2, 0.15])


class TestAgain:
    DEFINITION = define(
        "love_letter:max_rounds=3",
        ("random", "osla", "random"),
        2,
        players=3,
        seed=7,
        rules=Rules(on_illegal="forfeit", decision_seconds=2.5, isolate=True, on_crash="void"),
        metrics=("lead",),
        design="gauntlet",
    )

    def test_the_file_is_the_same_tournament(self) -> None:
        values = tomllib.loads(as_toml(self.DEFINITION))
        assert Settings.from_values(values, "the file").definition() == self.DEFINITION

    def test_the_command_plays_the_same_games(self, folders: dict[str, Path], tmp_path: Path) -> None:
        definition = read_tournament(folders["contest"]).definition
        program, *arguments = shlex.split(as_command(definition).replace("\\\n", " "))
        assert program == "tag"
        done = run_tag(*arguments, "--out", tmp_path / "again", "--no-ray", "--no-tracking", "--quiet", "--json")
        assert done.exit_code == 0, done.output
        assert json.loads(done.stdout)["content_hash"] == read_results(folders["contest"]).content_hash

    def test_the_command_says_everything(self) -> None:
        words = shlex.split(as_command(self.DEFINITION).replace("\\\n", " "))
        for option, value in {
            "--players": "3", "--seed": "7", "--blocks": "2", "--design": "gauntlet", "--on-illegal": "forfeit",
            "--decision-seconds": "2.5", "--on-crash": "void", "--metric": "lead",
        }.items():  # fmt: skip
            assert words[words.index(option) + 1] == value
        assert words.count("--agent") == 3
        assert words[words.index("--isolate") + 1].startswith("--")

    def test_a_sequential_test_is_played_again(self) -> None:
        definition = define("tic_tac_toe", ("osla", "random"), 40, sprt="0,300")
        assert Settings.from_values(tomllib.loads(as_toml(definition)), "the file").definition() == definition
        assert "--sprt 0,300" in as_command(definition)


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "experiment"
    agents = ("random", "osla")
    events = [define("tic_tac_toe", agents, 2), define("love_letter", agents, 2)]
    run_experiment(Experiment.of(events), folder, tracking=False)
    return folder


class TestExperiments:
    def test_it_has_a_table_over_all_and_every_event(self, experiment: Path, reading_of: Any) -> None:
        page = reading_of(report_html(experiment))
        page.check()
        assert page.words["h2"] == [
            "Overall",
            "Ratings over all",
            "Pairs over all",
            "Tic-tac-toe, 2 players",
            "Love Letter, 2 players",
        ]
        parts = [title for title in page.words["h3"] if title in SECTIONS["contest"]]
        assert parts == 2 * SECTIONS["contest"]

    def test_an_event_that_is_not_begun_says_so(self, experiment: Path, tmp_path: Path, reading_of: Any) -> None:
        shutil.copytree(experiment, tmp_path / "experiment")
        shutil.rmtree(tmp_path / "experiment" / "love_letter-2p")
        page = reading_of(report_html(tmp_path / "experiment"))
        page.check()
        assert "Not begun yet." in page.words["p"]


class TestCommand:
    def test_it_writes_a_file_and_names_it(self, folders: dict[str, Path], tmp_path: Path) -> None:
        done = run_tag("report", folders["contest"])
        assert done.stdout.split() == [str(folders["contest"] / "report.html")]
        assert (folders["contest"] / "report.html").read_text("utf-8") == page_of(folders["contest"])
        assert run_tag("report", folders["contest"], "--out", tmp_path / "mine.html").exit_code == 0
        assert (tmp_path / "mine.html").stat().st_size > 10_000

    def test_what_cannot_be_is_said_in_a_sentence(self, folders: dict[str, Path], tmp_path: Path) -> None:
        done = run_tag("report", tmp_path)
        assert done.exit_code == 2
        assert "holds no tournament" in done.stderr
        done = run_tag("report", folders["contest"], "--out", tmp_path / "no" / "such.html")
        assert done.exit_code == 2
        assert done.stderr.strip().endswith("name a file with --out")
        assert done.stderr.count("\n") == 1


def test_an_agent_alone_is_in_all_seats(folders: dict[str, Path]) -> None:
    games, seats = read_ledger(folders["alone"])
    assert len(seats) == 2 * len(games)
    reading = read_tournament(folders["alone"])
    assert reading.ratings is None
    assert not any(isnan(standing.win_rate) for standing in reading.results.standings)
