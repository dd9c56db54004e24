"""The reference of tuning: its code runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import run_tag

from tag.errors import TagError
from tag.tuning import agent_space, read_study
from tag.tuning.commands.cli import run_tune as run

pytestmark = pytest.mark.flow

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "tuning.md").read_text(encoding="utf-8")


#: The table of what can be searched.
ENTRIES = re.findall(
    r"^\| `([^`]+)` \|", PAGE.partition("| `--search` | searches |")[2].partition("\n\n")[0], re.MULTILINE
)


@pytest.mark.parametrize("entry", ENTRIES)
def test_what_can_be_searched(entry):
    agents = ["mcts", "rhea"] if "mcts" in entry or entry == "agent" else ["rhea:heuristic=love_letter"]
    assert agent_space(agents, [entry]).ranges


def test_the_sentences_are_those_of_spaces():
    (told,) = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    sentences = [agent_space(["rhea"], ["horizon=2..12"]).difference(agent_space(["rhea"], ["horizon"]))]
    for agent, entry in (("rhea", "selection=rank,tournement"), ("rhea:selection=rank", "tournament_size")):
        with pytest.raises(TagError) as caught:
            agent_space([agent], [entry])
        sentences.append(str(caught.value))
    assert told.splitlines() == sentences


SPACES, OBJECTIVE, OBJECTS, _OPTUNA = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_an_objective_of_ones_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("quick.py").write_text(OBJECTIVE, encoding="utf-8")
    (command,) = re.findall(r"^tag (tune .* --objective \S+:\S+)$", PAGE.replace("\\\n", ""), re.MULTILINE)
    words = ["--search", "horizon", "--games-per-trial", "20", "--validation", "0"]
    words += ["--out", "study", "--no-ray", "--no-tracking", "--quiet"]
    result = run_tag(*command.split(), *words)
    assert result.exit_code == 0, result.output
    values = read_study(Path("study")).trials["value"]
    assert (values > 1 / 10).any()  # both seats together have less: one of them wins, after five moves at least
    assert values.between(0.0, 1 / 5).all()


def test_the_study_with_objects_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    exec(OBJECTS, {})  # noqa: S102  our own page
    assert len(capsys.readouterr().out.splitlines()) == len(read_study(Path("studies/own")).trials)


def test_the_options_are_those_of_the_command():
    named = set(re.findall(r"`(--[a-z-]+)", PAGE.partition("## Options")[2].partition("## Folder")[0]))
    known = {name for parameter in run.params for name in (*parameter.opts, *parameter.secondary_opts)}
    assert named
    assert named <= known


def test_the_code_of_spaces_runs_and_recommends_what_was_played():
    names: dict[str, object] = {}
    exec(SPACES, names)  # noqa: S102  our own page
    assert names["choice"].sampler.recommend(names["study"]) == names["configuration"]
