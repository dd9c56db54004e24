"""The report of a study: true to what is stored, for every kind of study, the same for the same, in a real browser."""

from __future__ import annotations

import re
import shlex
import shutil
import signal
from dataclasses import replace
from math import isnan

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from browsers.pages import check_shown
from click.testing import CliRunner

from tag.cli import main as tag
from tag.tournaments.reports.progress import Progress
from tag.tournaments.reports.sections.section import number
from tag.tuning import define_study
from tag.tuning.reports.findings.changes import one_steps, path
from tag.tuning.reports.findings.estimates import maps, slices, text_of, waterfall
from tag.tuning.reports.report import report_html, write_report
from tag.tuning.reports.results import COMPARISONS, NEVER_PLAYED, read_study
from tag.tuning.run import run_study
from tag.tuning.space.ranges import shown
from tag.tuning.validation import ValidationPlan, win_rate_deviation

pytestmark = pytest.mark.flow

SEARCH = ["Course", "Trials side by side", "Parameters", "Changes", "Configurations", "What it took"]
SECTIONS = {
    "complete": ["Recommendation", "Validation", *SEARCH],
    "interrupted": ["Recommendation", *SEARCH],
    "begun": ["Recommendation", "What it took"],
    "keep": ["Recommendation", *SEARCH],
    "not validated": ["Recommendation", *SEARCH],
    "minimised": ["Recommendation", "Validation", *SEARCH],
    "two objectives": ["Recommendation", "Validation", *SEARCH],
    "one parameter": ["Recommendation", "Validation", *SEARCH],
    "agents": ["Recommendation", "Validation", *SEARCH],
    "self-play": ["Recommendation", "Validation", *SEARCH],
    "team": ["Recommendation", "Validation", *SEARCH],
}

SMALL = define_study(
    "rhea:budget=10",
    "tic_tac_toe",
    games=60,
    games_per_trial=10,
    search=("horizon",),
    versus=("random",),
    validation=20,
    sampler="random",
)

#: What a share of games can be.
RATE = (0.0, 1.0)


@pytest.fixture(scope="module")
def page_of(made_up, reading_of):
    """What returns the report of a kind of study, read."""
    found = {}

    def read(kind):
        if kind not in found:
            found[kind] = reading_of(report_html(made_up(kind)))
        return found[kind]

    return read


@pytest.fixture(scope="module")
def findings(made_up):
    return made_up("complete").findings


class TestPages:
    @pytest.mark.parametrize("kind", SECTIONS)
    def test_every_kind_of_study_has_its_sections(self, page_of, kind):
        page = page_of(kind)
        page.check()
        assert page.words["h2"] == SECTIONS[kind]
        assert len(page.text) < 1_000_000
        assert not {"nan", "None"}.intersection(" ".join(page.words.get("td", [])).split())
        assert page.words["p"][0].startswith("Not complete" if kind in ("begun", "interrupted") else "Complete")

    def test_equal_studies_give_equal_bytes_whatever_was_drawn_before(self, made_up, tmp_path):
        before = report_html(made_up("complete"))
        shutil.copytree(made_up("complete").folder, tmp_path / "copy")
        with mpl.rc_context({"font.size": 31.0, "svg.fonttype": "path", "axes.grid": True}):
            assert report_html(read_study(tmp_path / "copy")) == before

    def test_a_great_study_has_a_small_page(self, made_up):
        results = made_up("complete")
        rng = np.random.default_rng(3)
        space = results.manifest.definition.space
        specs = [space.spec(space.configurations.draw(rng)) for _ in range(1_200)]
        many = pd.DataFrame({
            "number": range(1_200), "spec": specs, "games": 1, "value": rng.integers(0, 2, 1_200) * 1.0,
            "error": None, "state": "complete", "spared": 0,
        })  # fmt: skip
        text = report_html(replace(results, trials=many))
        assert len(text) < 2_000_000
        assert "300 of 1,200 trials" in text
        assert "knows 1,000 of them" in text

    @pytest.mark.system
    @pytest.mark.parametrize(
        ("kind", "scheme", "width"),
        [("complete", "light", 1280), ("two objectives", "dark", 500)],
        ids=["light, wide", "dark, narrow"],
    )
    def test_a_browser_shows_it(self, made_up, tmp_path, browser, kind, scheme, width):
        check_shown(browser, write_report(made_up(kind), tmp_path / "shown.html"), scheme, width)

    def test_a_study_writes_it_in_the_end(self, tmp_path, reading_of):
        results = run_study(SMALL, tmp_path / "s")
        assert (tmp_path / "s" / "report.html").read_text("utf-8") == report_html(results)
        page = reading_of(report_html(results))
        page.check()
        assert page.words["h2"][0] == "Recommendation"

    def test_one_that_is_interrupted_writes_it_of_what_there_is(self, tmp_path, reading_of):
        class Impatient(Progress):
            """Ends the study after two trials."""

            def show_note(self, name, note):
                if note.counts["trials"] == 2:
                    signal.raise_signal(signal.SIGINT)

        results = run_study(SMALL, tmp_path / "s", tracking=False, progress=Impatient())
        assert len(results.trials) == 2
        page = reading_of((tmp_path / "s" / "report.html").read_text("utf-8"))
        assert page.words["h2"] == SECTIONS["interrupted"]
        assert len(page.rows("Trials")) == 2


class TestVerdict:
    def test_the_sentence_and_what_differs_are_those_of_the_recommendation(self, made_up, page_of, findings):
        recommendation = made_up("complete").recommendation
        page = page_of("complete")
        assert any(text.lower() == f"{recommendation['sentence']}.".lower() for text in page.words["p"])
        rows = page.rows("The parameters that differ")
        differ = [[one.parameter, one.default, one.recommended] for one in findings.differences]
        values = [findings.default, findings.estimate]
        played = f"{findings.played:,}" if findings.played else NEVER_PLAYED
        by_the_model = ["win rate by the model", *(estimate.text for estimate in values)]
        assert rows == [*differ, by_the_model, ["games in the search", "-", played]]

    @pytest.mark.parametrize(("kind", "is_said"), [("complete", False), ("ntbea", True)])
    def test_it_says_where_another_model_recommends_than_the_values_are_of(self, page_of, kind, is_said):
        said = [text for text in page_of(kind).words["p"] if text.startswith("What is recommended is ntbea's choice")]
        assert bool(said) is is_said

    def test_the_command_plays_with_it(self, page_of):
        assert page_of("complete").words["code"] == [
            "tag tournament tic_tac_toe --players=2 --agent=recommendation.json --agent=random"
        ]

    @pytest.mark.parametrize("kind", ["complete", "team"])
    def test_the_command_can_be_run_in_the_folder(self, page_of, made_up, monkeypatch, kind):
        (command,) = page_of(kind).words["code"]
        monkeypatch.chdir(made_up(kind).folder)
        done = CliRunner().invoke(tag, [*shlex.split(command)[1:], "--blocks=1", "--dry-run"])
        assert done.exit_code == 0
        assert "of 2 agents" in done.stdout

    def test_the_validation_is_that_of_the_recommendation(self, made_up, page_of):
        recommendation = made_up("complete").recommendation
        rows = page_of("complete").rows("Recommended and default")
        for row, (name, opponent) in zip(rows, (("validation", "random"), ("held_out", "osla")), strict=True):
            found = recommendation[name]
            result, sides = found["result"], [found["recommended"], found["default"]]
            assert row[:3] == [COMPARISONS[name], opponent, result["decision"]]
            for cell, side in zip(row[3:5], sides, strict=True):
                assert cell == f"{side['value']:.3f} {side['low']:.3f} … {side['high']:.3f}"
            assert row[5] == f"{result['difference']:+.3f} {result['low']:+.3f} … {result['high']:+.3f}"
            assert row[6] == f"{number(result['p_value'])} {sum(side['games'] for side in sides):,} games"
        label = page_of("complete").label("Win rate on unseen seeds")
        ours = recommendation["validation"]["recommended"]
        assert (
            f"recommended, validation: {number(ours['value'])}, {number(ours['low'])} to {number(ours['high'])}"
            in label
        )

    def test_its_power_was_known_beforehand(self, page_of, findings):
        plan = ValidationPlan(100)
        deviation = win_rate_deviation(findings.default.value, 2, correlation=0.0)
        (said,) = [text for text in page_of("complete").words["p"] if "known beforehand" in text]
        assert f"{plan.blocks} blocks of 2 games" in said
        assert f"advantage of {number(plan.detectable(deviation, 0.8))} in 80 %" in said
        assert f"one of 0.05 in {100 * plan.power(0.05, deviation):.0f} %" in said

    def test_no_power_is_told_where_the_noise_is_not_known(self, page_of):
        assert not any("known beforehand" in text for text in page_of("minimised").words["p"])


class TestSearch:
    def test_the_curves_end_at_the_last_incumbent(self, made_up, page_of):
        last = made_up("complete").incumbents.iloc[-1]
        half = 1.96 * last["deviation"]
        label = page_of("complete").label("Win rate of what is recommended")
        band = f"{number(last['value'] - half)} to {number(last['value'] + half)}"
        assert f"recommended: {number(last['value'])}, {band}; surely reached: {number(last['pessimistic'])}" in label
        distance = number(abs(last["value"] - last["pessimistic"]))
        assert page_of("complete").label("Convergence").endswith(f"distance: {distance}")

    def test_bands_of_win_rates_end_where_win_rates_do(self, made_up, reading_of):
        """Nearly all games of six trials are won, so that the model does not rule out more."""
        complete = made_up("complete")
        best = complete.trials.iloc[:6].assign(value=[0.9, 0.95, 1.0, 1.0, 0.85, 1.0])
        unsure = complete.incumbents.assign(value=0.9, deviation=0.2, pessimistic=-0.1)
        page = reading_of(report_html(replace(complete, trials=best, incumbents=unsure)))
        assert "recommended: 0.9, 0.508 to 1; surely reached: 0" in page.label("Win rate of what is recommended")
        assert page.label("Convergence").endswith("distance: 0.9")
        bands = [
            end for label in page.labels if "95 % bands" in label for end in re.findall(r"(\S+) to (\S+?);", label)
        ]
        highest = max(float(high) for _low, high in bands)
        assert highest == 1.0

    def test_bands_of_other_objectives_do_not(self, made_up, reading_of):
        last = made_up("minimised").incumbents.iloc[-1]
        unsure = made_up("minimised").incumbents.assign(deviation=1.0)
        label = reading_of(report_html(replace(made_up("minimised"), incumbents=unsure))).label(
            "Ordinal of what is recommended"
        )
        assert f"{number(last['value'] - 1.96)} to {number(last['value'] + 1.96)}" in label

    def test_the_distance_is_none_the_less_where_less_is_better(self, made_up, page_of):
        last = made_up("minimised").incumbents.iloc[-1]
        assert last["pessimistic"] > last["value"]
        distance = number(last["pessimistic"] - last["value"])
        assert page_of("minimised").label("Convergence").endswith(f"distance: {distance}")

    def test_all_trials_are_listed(self, made_up, page_of):
        trials = made_up("complete").trials
        rows = {row[0]: row[1:] for row in page_of("complete").rows("Trials")}
        assert len(rows) == len(trials)
        for trial in trials.to_dict("records"):
            value = "-" if isnan(trial["value"]) else f"{trial['value']:.3f} ± {trial['error']:.3f}"
            assert rows[str(trial["number"])] == [shown(trial["spec"]), trial["state"], str(trial["games"]), value]

    def test_what_it_took_is_what_the_trials_say(self, made_up, page_of):
        trials = made_up("complete").trials
        said = dict(zip(page_of("complete").words["dt"][-8:], page_of("complete").words["dd"][-8:], strict=True))
        assert said["Sampler"] == "ntbea_bgp: 2,400 games are enough to play 3 for each of 800 configurations."
        assert said["Search"] == f"{trials['games'].sum():,} games of 2,400, 60 trials."
        assert said["Racing"].startswith("8 trials were pruned")
        assert f"spared {trials['spared'].sum()} games" in said["Racing"]
        validation = made_up("complete").recommendation["validation"]
        assert said["Validation"] == f"{validation['recommended']['games'] + validation['default']['games']} games."

    def test_the_front_is_that_of_the_trials(self, made_up, page_of):
        trials = made_up("two objectives").trials.dropna(subset=["value"])
        label = page_of("two objectives").label("Both objectives")
        for trial in trials.to_dict("records"):
            beaten = (
                (trials["value"] >= trial["value"])
                & (trials["value_2"] <= trial["value_2"])
                & ((trials["value"] > trial["value"]) | (trials["value_2"] < trial["value_2"]))
            )
            named = f"{trial['spec']}: {number(trial['value'])} and {number(trial['value_2'])}"
            assert (named in label) == (not beaten.any())


def beside(findings, **values):
    """Return the recommendation with other values, and the default's of what has an effect only then."""
    space = findings.space
    return space.configurations.active({**space.nearest, **findings.configuration, **values})


class TestModel:
    def test_slices_are_the_models_and_pass_through_the_recommendation(self, findings):
        found = dict(slices(findings, RATE))
        assert set(found) == set(findings.configuration)
        order = [one.parameter for one in findings.effects.parameters if one.parameter in found]
        assert list(found) == order
        for name, points in found.items():
            (here,) = points[points["is_recommended"]].to_dict("records")
            assert here["value"] == pytest.approx(findings.estimate.value)
            assert here["high"] - here["low"] == pytest.approx(2 * 1.96 * findings.estimate.deviation)
            assert here["text"] == text_of(findings.space, name, findings.configuration[name])
            assert list(points["place"]) == sorted(points["place"])
            assert points["is_ordered"].all() == (name not in ("crossover", "selection"))
        for row in found["horizon"].to_dict("records"):
            changed = beside(findings, horizon=int(row["text"]))
            assert row["value"] == pytest.approx(findings.posterior.means([changed])[0])

    def test_what_is_not_valid_is_left_out(self, findings):
        size = findings.configuration.get("tournament_size")
        points = dict(slices(findings, RATE))["population_size"]
        if size is not None:
            assert min(map(int, points["text"])) >= size
        one = {**findings.configuration, "selection": "tournament", "tournament_size": 15, "population_size": 18}
        changed = dict(slices(replace(findings, configuration=one), RATE))
        assert min(map(int, changed["population_size"]["text"])) == 15
        assert max(map(int, changed["tournament_size"]["text"])) == 18

    def test_maps_are_the_models(self, findings):
        found = list(maps(findings, 3, 0.0))
        assert [share for share, _map in found] == sorted((share for share, _map in found), reverse=True)
        for _share, one in found:
            assert one.values.shape == tuple(map(len, one.texts))
            row, column = one.recommended
            shown = one.texts[0][row], one.texts[1][column]
            exact = tuple(text_of(findings.space, name, findings.configuration[name]) for name in one.parameters)
            assert np.isfinite(one.values[row, column]) or shown != exact  # the nearest cell may be none that is valid
        assert not list(maps(findings, 3, 1.1))
        assert len(list(maps(findings, 1, 0.0))) == 1

    def test_a_cell_is_the_value_of_its_configuration(self, findings):
        (found,) = [one for _share, one in maps(findings, 15, 0.0) if one.parameters == ("horizon", "population_size")]
        row, column = 3, 10
        changed = beside(findings, horizon=int(found.texts[0][row]), population_size=int(found.texts[1][column]))
        assert found.values[row, column] == pytest.approx(findings.posterior.means([changed])[0])

    def test_where_a_parameter_has_no_effect_a_map_is_empty(self, findings):
        one = {**findings.configuration, "selection": "tournament", "tournament_size": 5, "population_size": 20}
        changed = replace(findings, configuration=one)
        found = [each for _share, each in maps(changed, 15, 0.0) if "tournament_size" in each.parameters]
        by_selection = [each for each in found if "selection" in each.parameters]
        for each in by_selection:
            assert min(np.isfinite(each.values).any(axis=0).sum(), np.isfinite(each.values).any(axis=1).sum()) > 1
        assert not by_selection  # only one selection has sizes: nothing to compare

    def test_importance_is_told_as_it_is(self, page_of, findings):
        label = page_of("complete").label("Parameter importance")
        for one in findings.effects.parameters:
            assert f"{one.parameter}: {100 * one.main:.1f} % by itself" in label

    def test_single_changes_are_told_as_they_are(self, page_of, findings):
        steps = one_steps(findings.posterior, findings.configuration, findings.space.nearest)
        rows = page_of("complete").rows("The best other value of each parameter")
        assert len(rows) == len({step.parameter for step in steps})
        for row in rows:
            name, _equals, value = row[0].split()
            best = max((step for step in steps if step.parameter == name), key=lambda step: step.gain)
            assert value == text_of(findings.space, name, best.value)
            assert row[1:] == [
                best.verdict,
                f"{best.gain:+.3f} ± {1.96 * best.error:.3f}",
                number(best.better),
                number(best.p_value),
            ]

    def test_the_path_leads_from_the_default_to_the_recommendation(self, page_of, findings):
        space = findings.space
        steps = path(findings.posterior, space.default, findings.configuration, space.nearest)
        rows = page_of("complete").rows("The changes, which gain")
        assert [row[2] for row in rows] == [f"{step.gain:+.3f} ± {1.96 * step.error:.3f}" for step in steps]
        label = page_of("complete").label("Win rate on the way")
        assert f": {number(findings.default.value)} to " in label
        assert label.endswith(f" to {number(findings.estimate.value)}")

    def test_a_path_goes_down_where_less_is_better(self, made_up):
        findings = made_up("minimised").findings
        space = findings.space
        steps = path(findings.posterior, space.default, findings.configuration, space.nearest)
        fall = waterfall(steps, findings.default.value, -1.0, space)
        assert fall["after"].iloc[-1] == pytest.approx(findings.estimate.value)
        assert list(fall["after"] <= fall["before"]) == list(fall["is_better"])

    def test_the_default_as_recommendation_has_no_path(self, made_up, page_of):
        results = made_up("complete")
        spec = results.manifest.definition.default
        same = replace(results, incumbents=results.incumbents.assign(spec=spec))
        assert "The recommendation is the default." in report_html(same)
