"""``tag tune show``: what it prints is what is stored and what the model makes of it."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from commands import run_tag
from rich.cells import cell_len

from tag.tuning import tune
from tag.tuning.agent.warm_start import write_known_trials
from tag.tuning.reports.findings.differences import differences
from tag.tuning.reports.findings.effects import effects_of
from tag.tuning.reports.findings.posterior import ConfigurationModel, tried_in
from tag.tuning.reports.results import posterior_of
from tag.tuning.reports.text import study_json, study_text
from tag.tuning.samplers import make_sampler
from tag.tuning.samplers.bgp import BgpSampler
from tag.tuning.samplers.model_sampler import ModelSampler
from tag.tuning.search.trials import KnownTrial
from tag.tuning.space.ranges import shown

pytestmark = pytest.mark.flow


class TestText:
    def test_it_says_all_of_a_complete_study(self, made_up):
        results = made_up("complete")
        text, findings = study_text(results), results.findings
        lines = [line.split() for line in text.splitlines()]
        candidate = results.recommendation["candidate"]["spec"]
        for one in differences("rhea:budget=20", candidate):
            assert [one.parameter, one.default, one.recommended] in lines
        (model,) = [line for line in lines if line[:4] == ["win_rate", "by", "the", "model"]]
        assert " ".join(model[4:]) == f"{findings.default.text} {findings.estimate.text}"
        trials = results.trials
        assert f"60 trials of {trials['spec'].nunique()} configurations, 8 of them pruned; 2,200 games" in text
        assert "40 games per trial" in text
        assert text.endswith(results.recommendation["sentence"])

    def test_the_best_are_in_the_models_order_with_their_errors_and_games(self, made_up):
        results = made_up("complete")
        posterior = posterior_of(results)
        tried = tried_in(results.trials)
        means, deviations = posterior.values([posterior.space.configuration(one.spec) for one in tried])
        listed = [line for line in study_text(results, 300).splitlines() if " ± " in line and line.startswith("rhea:")]
        assert len(listed) == 10
        for line, place in zip(listed, np.argsort(-means, kind="stable"), strict=False):
            spec, value, _sign, error, games = line.rsplit(None, 4)
            assert (spec, int(games)) == (shown(tried[place].spec), tried[place].games)
            assert (value, error) == (f"{means[place]:.3f}", f"{1.96 * deviations[place]:.3f}")

    def test_a_spec_is_no_wider_than_it_must_be(self):
        spec = "mcts:k=0.1668100537200059,heuristic=(score_win:bonus=5),mast_temperature=0.010000000000000004,fpu=1e-05"
        text = "mcts:k=0.1668, heuristic=(score_win:bonus=5), mast_temperature=0.01, fpu=1e-05"
        assert shown(spec) == text
        assert shown("rhea:budget=123456.78901") == "rhea:budget=123457"
        rows = {one.parameter: one.recommended for one in differences("mcts", "mcts:k=0.1668100537200059")}
        assert rows == {"k": "0.1668"}
        assert differences("mcts:k=0.16680", "mcts:k=0.16681")  # all digits count

    def test_bars_are_as_long_as_the_shares(self, made_up):
        results = made_up("complete")
        posterior = posterior_of(results)
        effects = effects_of(posterior.means, posterior.space.configurations)
        lines = study_text(results).splitlines()
        begin = next(number for number, line in enumerate(lines) if "share of the variance" in line) + 1
        for one, line in zip(effects.parameters, lines[begin:], strict=False):
            assert line.split()[:2] == [one.parameter, f"{100.0 * one.main:.0f}"]
            assert line.count("█") == round(30 * one.main)
        assert effects.parameters[0].parameter == "horizon"

    @pytest.mark.parametrize("width", [60, 100])
    def test_it_is_no_wider_than_the_terminal(self, made_up, width):
        tables = study_text(made_up("complete"), width).split("\n\n")[1:-1]
        assert max(cell_len(line) for table in tables for line in table.splitlines()) <= width

    @pytest.mark.parametrize(
        ("kind", "said"),
        [
            ("begun", "no configuration has been played to its end yet"),
            ("interrupted", "not complete"),
            ("keep", "keep the default"),
            ("minimised", "ordinal by the model"),
            ("two objectives", "win_rate by the model"),
            ("agents", "rhea.horizon"),
            ("ntbea", "what is recommended is ntbea's choice"),
        ],
    )
    def test_it_shows_studies_of_every_kind(self, made_up, kind, said):
        assert said in study_text(made_up(kind))

    def test_the_default_has_no_value_where_it_is_not_searched(self, made_up, tmp_path):
        results = made_up("complete")
        assert results.findings.default is not None
        from tag.tuning import define_study

        narrow = define_study(
            "rhea:budget=20", "tic_tac_toe", games=100, search=("horizon=6..9", "population_size"), versus=("random",)
        )
        space = narrow.space
        inside = results.trials.iloc[:1].assign(spec=space.spec({"horizon": 7, "population_size": 12}))
        found = replace(results, manifest=replace(results.manifest, definition=narrow), trials=inside)
        findings = replace(found, incumbents=results.incumbents[:0]).findings
        assert findings.default is None
        assert findings.candidate == inside["spec"].iloc[0]


@pytest.mark.parametrize("name", ["ntbea", "bgp", "tpe", "nsgaii", "random", "qmc"])
def test_it_says_so_where_another_model_recommends_than_the_values_are_of(made_up, name):
    results = made_up("complete")
    definition = replace(results.manifest.definition, sampler=name)
    sampler = make_sampler(name, definition.space.configurations, definition.games, seed=1).sampler
    remark = replace(results, manifest=replace(results.manifest, definition=definition)).findings.remark
    assert bool(remark) is (isinstance(sampler, ModelSampler) and not isinstance(sampler, BgpSampler))


class TestMeaning:
    def test_only_the_last_search_counts_in_self_play(self, made_up):
        results = made_up("self-play")
        last = results.trials[results.trials["generation"] == 1]
        tried = tried_in(results.trials)
        assert sum(one.games for one in tried) == last["games"].sum() < results.trials["games"].sum()

    def test_games_of_a_configuration_are_added_up_with_those_of_earlier_studies(self, made_up):
        results = made_up("complete")
        first = results.trials.iloc[0]
        known = [KnownTrial(first["spec"], 60, 1.0)]
        tried = tried_in(results.trials, known)
        assert tried[0].spec == first["spec"]
        assert tried[0].games == first["games"] + 60
        assert tried[0].value == pytest.approx((60.0 + first["value"] * first["games"]) / (60 + first["games"]))

    def test_of_very_many_those_with_the_most_games_are_known_and_of_equals_the_last(self, made_up, monkeypatch):
        results = made_up("complete")
        monkeypatch.setattr("tag.tuning.reports.findings.posterior.MOST_CONFIGURATIONS", 20)
        tried = tried_in(results.trials)
        whole = results.trials[results.trials["games"] == 40]
        assert [one.spec for one in tried] == list(whole["spec"][-20:])

    def test_earlier_studies_are_read_from_the_folder(self, made_up, tmp_path):
        from dataclasses import replace

        results = replace(made_up("complete"), folder=tmp_path)
        before = posterior_of(results)
        write_known_trials(tmp_path, [KnownTrial("rhea:budget=20", 1_000, 0.05)])
        default = results.manifest.definition.space.default
        assert posterior_of(results).means([default])[0] < 0.2 < before.means([default])[0]

    def test_less_is_better_of_places(self, made_up):
        findings = made_up("minimised").findings
        values = [one.estimate.value for one in findings.top]
        assert values == sorted(values)
        assert findings.estimate.value < findings.default.value


class TestCommands:
    def test_show_prints_the_text_and_json_the_same(self, made_up):
        results = made_up("interrupted")
        assert run_tag("tune", "show", results.folder).stdout.strip() == study_text(results)
        said = json.loads(run_tag("tune", "show", results.folder, "--json").stdout)
        assert said == json.loads(json.dumps(study_json(results)))
        findings = results.findings
        assert said["findings"]["candidate"]["spec"] == findings.candidate == results.incumbents["spec"].iloc[-1]
        assert [row["spec"] for row in said["findings"]["top"]] == [one.spec for one in findings.top]
        assert [row["main"] for row in said["findings"]["importance"]] == [
            one.main for one in findings.effects.parameters
        ]
        assert not said["complete"]
        assert said["sampler_reason"].startswith("ntbea_bgp: 2,400 games are enough")

    def test_report_writes_a_file_and_names_it(self, made_up, tmp_path):
        folder = made_up("one parameter").folder
        assert run_tag("tune", "report", folder).stdout.split() == [str(folder / "report.html")]
        assert run_tag("tune", "report", folder, "--out", tmp_path / "mine.html").exit_code == 0
        assert (tmp_path / "mine.html").read_text("utf-8") == (folder / "report.html").read_text("utf-8")

    @pytest.mark.parametrize("command", ["show", "report"])
    def test_what_is_no_study_is_refused_in_a_sentence(self, tmp_path, command):
        done = run_tag("tune", command, tmp_path)
        assert done.exit_code == 2
        assert "holds no study" in done.stderr
        assert done.stderr.count("\n") == 1

    def test_a_report_that_cannot_be_written_says_what_to_do(self, made_up, tmp_path):
        done = run_tag("tune", "report", made_up("one parameter").folder, "--out", tmp_path / "no" / "such.html")
        assert done.exit_code == 2
        assert done.stderr.strip().endswith("name a file with --out")


def test_a_run_fits_the_model_of_its_findings_once(tmp_path, monkeypatch):
    """The report, the text and the JSON of a study are of the same findings."""
    fitted, fit = [], ConfigurationModel.__init__

    def counted(model, *arguments):
        fitted.append(model)
        fit(model, *arguments)

    monkeypatch.setattr(ConfigurationModel, "__init__", counted)
    options = {"versus": ["random"], "search": ["horizon"], "games": 120, "validation": 0, "sampler": "random"}
    run = tune("rmhc:budget=10", "tic_tac_toe", **options, out=tmp_path / "s", tracking=False, progress=False)
    assert "horizon" in run.text()
    assert run.to_json()["findings"]
    assert (tmp_path / "s" / "report.html").is_file()
    assert len(fitted) == 1
    run.report(tmp_path / "again.html")
    assert len(fitted) == 1
    assert (tmp_path / "again.html").read_bytes() == (tmp_path / "s" / "report.html").read_bytes()
