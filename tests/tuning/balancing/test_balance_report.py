"""The report of a balancing study: true to what is stored, for every kind of study, the same for the same, in a browser."""

from __future__ import annotations

import re
import shutil
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from browsers.pages import check_shown
from commands import run_tag
from studies.komi_studies import komi, untracked

from tag.tournaments import read_ledger
from tag.tournaments.reports.progress import Progress
from tag.tournaments.reports.sections.section import number
from tag.tuning.balancing.report.figures import CHOICE, PRINTED, Trace, band_figure, trace_figure, trials_figure
from tag.tuning.balancing.report.report import report_html, write_report
from tag.tuning.balancing.results.results import FRONT, read_balance
from tag.tuning.balancing.results.text import changes_words

pytestmark = pytest.mark.flow

SEARCH = ["Candidates", "Course", "Trials side by side", "What it took"]
SECTIONS = {
    "complete": ["Verdict", "Targets", *SEARCH],
    "interrupted": ["Verdict", *SEARCH],
    "begun": ["Verdict", "What it took"],
    "met": ["Verdict", "Targets", "Match-ups", "Skill", *SEARCH],
}


@pytest.fixture(autouse=True)
def _figures():
    """Draw, unlike the other tests of studies."""


@pytest.fixture(scope="module")
def studies(small, met, tmp_path_factory):
    """Studies of each kind."""
    folder = tmp_path_factory.mktemp("kinds")
    interrupted, begun = (Path(shutil.copytree(small.folder, folder / name)) for name in ("interrupted", "begun"))
    for name in ("balance.json", FRONT):
        (interrupted / name).unlink()
    for name in ("balance.json", FRONT, "trials.parquet", "incumbents.parquet"):
        (begun / name).unlink()
    return {"complete": small, "met": met, "interrupted": read_balance(interrupted), "begun": read_balance(begun)}


@pytest.fixture(scope="module")
def page_of(studies, reading_of):
    """What returns the report of a kind of study, read."""
    found = {}

    def read(kind):
        if kind not in found:
            found[kind] = reading_of(report_html(studies[kind]))
        return found[kind]

    return read


def told(measured):
    """How a measurement of ``balance.json`` is written."""
    return f"{measured['value']:.4g} {measured['low']:.4g} … {measured['high']:.4g}, {measured['state']}"


class TestPages:
    @pytest.mark.parametrize("kind", SECTIONS)
    def test_every_kind_of_study_has_its_sections(self, page_of, kind):
        page = page_of(kind)
        page.check()
        assert page.words["h2"] == SECTIONS[kind]
        assert len(page.text) < 1_000_000
        assert not {"nan", "None", "inf"}.intersection(" ".join(page.words.get("td", [])).split())
        assert page.words["p"][0].startswith("Not complete" if kind in ("begun", "interrupted") else "Complete")

    def test_equal_studies_give_equal_bytes(self, small, tmp_path):
        shutil.copytree(small.folder, tmp_path / "copy")
        assert report_html(read_balance(tmp_path / "copy")) == report_html(small)

    @pytest.mark.system
    @pytest.mark.parametrize(
        ("kind", "scheme", "width"),
        [("complete", "light", 1280), ("met", "dark", 500)],
        ids=["light, wide", "dark, narrow"],
    )
    def test_a_browser_shows_it(self, studies, tmp_path, browser, kind, scheme, width):
        check_shown(browser, write_report(studies[kind], tmp_path / "shown.html"), scheme, width)

    def test_a_study_writes_it_in_the_end_and_the_command_anew(self, small, tmp_path):
        pages = [(small.folder / "report.html").read_text("utf-8"), report_html(small)]
        first, again = (re.sub("(?s)<svg.*?</svg>", "", page) for page in pages)  # the study may have drawn nothing
        assert first == again
        file = tmp_path / "mine.html"
        done = run_tag("balance", "report", small.folder, "--out", file, "--trust")
        assert (done.exit_code, done.stdout) == (0, f"{file}\n")
        assert file.read_text("utf-8") == report_html(small)

    def test_one_that_is_interrupted_writes_it_of_what_there_is(self, tmp_path, reading_of):
        class Impatient(Progress):
            """Ends the study after three trials."""

            def show_note(self, name, note):
                assert name == "search"
                if note.counts["trials"] == 3:
                    signal.raise_signal(signal.SIGINT)

        results = untracked(komi(), tmp_path / "study", progress=Impatient())
        assert len(results.trials) == 3
        page = reading_of((tmp_path / "study" / "report.html").read_text("utf-8"))
        assert page.words["h2"] == SECTIONS["interrupted"]
        assert len(page.rows("Trials")) == 3
        assert any(results.incumbents["spec"].iloc[-1] in text for text in page.words["p"])


class TestVerdict:
    def test_it_is_that_of_the_study_in_words(self, small, page_of):
        page = page_of("complete")
        assert f"{small.verdict['sentence']}." in page.words["p"]
        rows = page.rows("What is changed")
        assert rows == [[name, str(old), str(new)] for name, (old, new) in small.verdict["changes"].items()]
        assert page.words["code"] == ["tag play balance.json --players 2"]

    def test_agents_held_out_have_their_word(self, small, page_of):
        (said,) = [
            text for text in page_of("complete").words["p"] if text.startswith("Played by agents held out (osla)")
        ]
        choice = small.verdict["held_out"]["choice"]
        for name, one in choice["targets"].items():
            verb = {"met": "meets", "missed": "misses", "open": "leaves open"}[one["state"]]
            assert re.search(rf"{verb} [^,]*{name}", said)
        assert said.endswith(f"on {choice['games']:,} games.")

    def test_every_measurement_is_beside_its_band(self, small, page_of):
        page, found = page_of("complete"), small.verdict
        for name in ("first_seat", "length"):
            label = page.label(name)
            for row, pair, side in (
                ("default rules", found, "printed"),
                ("choice", found, "choice"),
                ("default rules, held out", found["held_out"], "printed"),
                ("choice, held out", found["held_out"], "choice"),
            ):
                one = pair[side]["targets"][name]
                ends = f"{number(one['low'])} to {number(one['high'])}"
                assert f"{row}: {number(one['value'])}, {ends}, {one['state']}" in label

    def test_all_that_was_measured_is_listed(self, small, page_of):
        rows = {row[0]: row[1:] for row in page_of("complete").rows("Measured on unseen seeds")}
        measured = [small.verdict["printed"], *small.verdict["measured"]]
        assert set(rows) == {one["spec"] for one in measured}
        for one in measured:
            assert rows[one["spec"]][1:] == [f"{one['games']:,}", *map(told, one["targets"].values())]
        assert rows[small.verdict["printed"]["spec"]][0] == "default rules"
        assert rows[small.verdict["spec"]][0] == "choice"


class TestSearch:
    def test_the_front_is_that_of_the_study(self, small, page_of):
        rows = page_of("complete").rows("What candidates change and gain")
        assert len(rows) == len(small.front)
        for row, one in zip(rows, small.front.to_dict("records"), strict=True):
            assert row[0] == changes_words(small.manifest.definition.space.base, one["spec"])
            assert row[1] == ("choice" if one["spec"] == small.verdict["spec"] else "")
            assert row[2] == number(one["distance"])
            for cell, name in zip(row[3:], ("first_seat", "length"), strict=True):
                excess = one[f"excess.{name}"]
                assert cell.startswith(f"{one[f'mean.{name}']:.4g} ± ")
                assert cell.endswith(f", {excess:.2g} outside" if excess > 0 else ", in the band")

    def test_a_choice_that_is_not_on_the_front_is_told_of(self, small, page_of, reading_of):
        others = small.front[small.front["spec"] != small.verdict["spec"]]
        told = [
            any(text.startswith("The choice is not among them") for text in page.words["p"])
            for page in (page_of("complete"), reading_of(report_html(replace(small, front=others))))
        ]
        assert told == [len(others) == len(small.front), True]

    def test_trials_are_listed_with_how_far_they_are_from_all_targets(self, small, page_of):
        rows = page_of("complete").rows("Trials")
        assert len(rows) == len(small.trials)
        for row, trial in zip(rows, small.trials.to_dict("records"), strict=True):
            seat = max(abs(trial["measure.first_seat"]) - 0.15, 0.0) / 0.15
            length = max(abs(trial["measure.length"] - 12.0) - 1.0, 0.0)
            assert row[:3] == [str(trial["number"]), trial["spec"], str(trial["games"])]
            assert row[-1] == number((seat**2 + length**2) ** 0.5)

    def test_the_scatter_has_the_printed_rules_and_the_choice(self, small, page_of):
        label = page_of("complete").label("Distance from the targets, trial by trial")
        rows = {row[0]: row[-1] for row in page_of("complete").rows("Trials")}
        first = rows["0"]  # as printed
        assert label.endswith(f"default rules missed by {first}; choice missed by {chosen(small, rows)}")
        assert f"{len(rows)} trials" in label

    def test_the_curves_end_at_what_the_model_takes_for_the_best(self, small, page_of):
        last = small.incumbents.iloc[-1]
        assert last["games"] == small.trials["games"].sum()
        for name in ("first_seat", "length"):
            half = 1.96 * last[f"deviation.{name}"]
            ends = f"{number(last[f'mean.{name}'] - half)} to {number(last[f'mean.{name}'] + half)}"
            label = page_of("complete").label(f"{name} of the best by the model")
            assert label.endswith(f"best by the model: {number(last[f'mean.{name}'])}, {ends}")

    def test_bands_end_where_the_measure_does(self, small, reading_of):
        unsure = small.incumbents.assign(**{"deviation.first_seat": 1.0, "deviation.length": 100.0})
        last, page = unsure.iloc[-1], reading_of(report_html(replace(small, incumbents=unsure)))
        assert page.label("first_seat of the best by the model").endswith(", -1 to 1")
        assert page.label("length of the best by the model").endswith(f", 0 to {number(last['mean.length'] + 196.0)}")

    def test_what_it_took_is_what_was_played(self, small, page_of):
        said = dict(zip(page_of("complete").words["dt"], page_of("complete").words["dd"], strict=True))
        candidates = small.trials["spec"].nunique()
        assert said["Search"] == f"800 games of 800, {len(small.trials)} trials of {candidates} candidates."
        for title, stage in (("Validation", "validation"), ("Agents held out", "held_out")):
            assert said[title] == f"{len(read_ledger(small.folder / stage)[0]):,} games."


def chosen(small, rows):
    mine = small.trials["spec"] == small.verdict["spec"]
    return ", ".join(rows[str(trial)] for trial in small.trials.loc[mine, "number"])


class TestMeetings:
    def scores(self, met):
        """By hand, from the ledger: how often random was placed above osla, with each of the rules."""
        games, seats = read_ledger(met.folder / "validation")
        blocks = {side: met.verdict[side]["games"] // 6 for side in ("printed", "choice")}
        for side, most in blocks.items():
            mine = games[(games["game"].astype(str) == met.verdict[side]["spec"]) & (games["block"] < most)]
            matchup = mine["matchup"].min()  # the first group's
            own = seats.merge(mine.loc[mine["matchup"] == matchup, ["game_id"]])
            yield float(own.loc[own["agent"] == "random", "win"].mean())

    def test_scores_are_those_of_the_ledger_beside_those_wanted(self, met, page_of):
        (row,) = page_of("met").rows("Scores between agents")
        assert row[:2] == ["random", "osla"]
        assert [cell.split()[0] for cell in row[2:4]] == [f"{score:.3f}" for score in self.scores(met)]
        assert row[4] == "0.500"
        assert page_of("met").label("Rows against columns, choice")

    def test_gains_are_those_that_were_measured(self, met, page_of):
        (row,) = page_of("met").rows("Gains")
        assert row[0] == "osla over random"
        for cell, side in zip(row[1:], ("printed", "choice"), strict=True):
            area = met.verdict[side]["targets"]["skill_area"]  # of one step
            assert cell.startswith(f"{area['value']:.3f} ")
            low, high = (float(end) for end in cell.split()[1::2])
            assert area["low"] - 1e-3 <= low <= high <= area["high"] + 1e-3  # at 95 %, within that of the verdict
        label = page_of("met").label("random to osla")
        assert f"choice, step 1: {number(met.verdict['choice']['targets']['skill_area']['value'])}" in label


class TestFigures:
    ROWS = pd.DataFrame({
        "name": ["a", "b"], "colour": [PRINTED, CHOICE], "state": ["missed", "open"],
        "mean": [0.1, 0.4], "low": [0.05, 0.3], "high": [0.2, 0.5],
    })  # fmt: skip

    def test_other_data_give_other_drawings(self):
        trials = pd.DataFrame({"games": [10, 20, 30], "miss": [2.0, 1.0, 0.0], "colour": [PRINTED, "#010204", CHOICE]})
        steps = pd.DataFrame({"mean": [0.2, 0.1], "low": [0.1, 0.0], "high": [0.3, 0.2]})

        def drawn(change):
            rows, band = self.ROWS.assign(mean=self.ROWS["mean"] + change), (0.3, 0.6)
            return [
                band_figure("f", "T", "", rows, band),
                band_figure("f", "T", "", self.ROWS, (0.3, 0.6 - change)),
                trials_figure("f", "T", "", trials.assign(miss=trials["miss"] + change * np.arange(3))),
                trace_figure("f", "T", "", [Trace("a", PRINTED, steps), Trace("b", CHOICE, steps + change)]),
            ]

        for same, again, other in zip(drawn(0.0), drawn(0.0), drawn(0.05), strict=True):
            assert same.svg == again.svg
            assert re.sub("aria-label=.*", "", same.svg) != re.sub("aria-label=.*", "", other.svg)

    def test_intervals_and_bands_without_an_end_reach_the_margin(self):
        rows = self.ROWS.assign(high=[0.2, np.inf])
        figure = band_figure("f", "T", "", rows, (0.3, np.inf))
        assert "0.3 to inf, open" in figure.svg
        drawn = re.sub("<title>.*?</title>", "", figure.svg.partition("\n")[2])
        assert not {"nan", "inf"}.intersection(re.findall("[a-z]+", drawn))

    def test_what_is_unknown_has_no_dot(self):
        known = band_figure("f", "T", "", self.ROWS, (0.3, 0.6))
        unknown = band_figure("f", "T", "", self.ROWS.assign(mean=[0.1, np.nan]), (0.3, 0.6))
        assert known.svg.count("<use") == unknown.svg.count("<use") + 1


def test_a_front_and_a_verdict_from_before_more_games_are_not_of_now(small, tmp_path):
    """Given a larger budget, a study that is stopped at once is not complete any more, and shows no old verdict."""

    class Impatient(Progress):
        """Ends the study at once."""

        def show_note(self, name, note):
            signal.raise_signal(signal.SIGINT)

    folder = Path(shutil.copytree(small.folder, tmp_path / "study"))
    results = untracked(replace(small.manifest.definition, games=1_200), folder, progress=Impatient())
    assert (folder / "balance.json").exists()
    assert not results.complete
    assert results.front.empty
    assert "Targets" not in (folder / "report.html").read_text("utf-8").partition("<main>")[2]
    goes_on = untracked(results.manifest.definition, folder)
    assert goes_on.complete
    assert goes_on.trials["games"].sum() == 1_200
    assert goes_on.incumbents["spec"].iloc[: len(small.incumbents) - 1].tolist() == (
        small.incumbents["spec"].iloc[:-1].tolist()
    )
