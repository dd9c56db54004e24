"""Names of agents: one way to read each text, and short labels that are distinct for every set of agents."""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time

import pytest
from commands import run_tag
from hypothesis import given
from hypothesis import strategies as st

from tag.engine.parameters import Spec
from tag.errors import ParameterError, TagError
from tag.tournaments import define, read_ledger, read_results, run_tournament
from tag.tournaments.commands.settings import Settings
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.designs.agents import numbered, short_labels
from tag.tournaments.designs.games import split_name, with_name
from tag.tournaments.ledger.folder import extended
from tag.tournaments.ledger.games import content_hash
from tag.tournaments.results.tournament import rate

pytestmark = [pytest.mark.usefixtures("undrawn"), pytest.mark.flow]

NAMES = st.sampled_from(["mcts", "rhea", "random", "./mine.py:Mine", "./yours.py:Mine", "other/mine.py"])
VALUES = st.sampled_from([1, 2, 400, "osla", "mcts:budget=3,k=1", "a#2"])
SPECS = st.builds(Spec, NAMES, st.dictionaries(st.sampled_from(["budget", "k", "opponent"]), VALUES, max_size=3))
LABELS = st.lists(SPECS.map(str), max_size=8).map(numbered)
GIVEN = st.lists(st.sampled_from(["strong", "Mine", "mine py", "rhea 2", "é-1"]), unique=True, max_size=3)


def play(folder: Path, *agents: str, blocks: int = 2) -> TournamentDefinition:
    definition = define("tic_tac_toe", agents, blocks)
    run_tournament(definition, folder, tracking=False)
    return definition


class TestShortLabels:
    @given(LABELS, GIVEN)
    def test_are_distinct_and_no_longer_than_the_labels(self, labels: list[str], names: list[str]) -> None:
        everyone = [*labels, *names]
        short = short_labels(everyone)
        assert list(short) == everyone
        assert len(set(short.values())) == len(everyone)
        assert all(len(form) <= len(label) for label, form in short.items())
        assert all(short[name] == name for name in names)

    @given(LABELS)
    def test_do_not_depend_on_the_order(self, labels: list[str]) -> None:
        assert short_labels(labels) == short_labels(labels[::-1])

    def test_cost_as_much_for_each_of_many_agents_as_of_few(self) -> None:
        def seconds(agents: int) -> float:
            labels = numbered(["random"] * agents)
            begin = process_time()
            short_labels(labels)
            return process_time() - begin

        few = min(seconds(10_000) for _measurement in range(5))
        assert min(seconds(80_000) for _measurement in range(5)) < 32 * few  # 8 times, and 64 if each looked at all

    @given(SPECS.map(str))
    def test_an_agent_alone_goes_by_its_name(self, label: str) -> None:
        assert ":" not in short_labels([label])[label]

    def test_only_what_differs_is_shown(self) -> None:
        labels = ["rhea:budget=400,horizon=12,population_size=8", "rhea:budget=400,horizon=6,population_size=8", "osla"]
        assert list(short_labels(labels).values()) == ["rhea:horizon=12", "rhea:horizon=6", "osla"]


class TestTexts:
    @given(st.text(st.characters(categories=["L", "N"]), min_size=1), SPECS.map(str))
    def test_a_name_before_a_spec_is_read_back(self, name: str, spec: str) -> None:
        assert split_name(with_name(name, spec)) == (name, spec)

    @given(SPECS.map(str))
    def test_a_spec_has_no_name(self, spec: str) -> None:
        assert split_name(spec) == ("", spec)

    @pytest.mark.parametrize("name", ["random", "a\nb", "a=b\x1b", "x" * 41, "a.json", "-a", "a#2"])
    def test_other_names_are_refused_in_one_line(self, name: str) -> None:
        with pytest.raises(TagError) as raised:
            define("tic_tac_toe", (f"{name}=osla", "random"), 1)
        assert "\n" not in str(raised.value)
        assert str(raised.value).isprintable()

    def test_two_agents_have_two_names(self) -> None:
        with pytest.raises(ParameterError, match="two agents cannot both be called 'a'; call one of them 'a 2'"):
            define("tic_tac_toe", ("a=random", "a=osla"), 1)

    def test_budgets_follow_the_name(self) -> None:
        settings = Settings(game="tic_tac_toe", agents=("strong=mcts", "random"), budgets="10,20")
        assert settings.definition().labels == ("strong 10", "strong 20", "random")


class TestTournaments:
    def test_names_are_in_all_that_is_read_and_in_no_hash(self, tmp_path: Path) -> None:
        play(tmp_path / "plain", "random", "osla", "random")
        definition = play(tmp_path / "named", "weak=random", "strong=osla", "random")
        assert content_hash(tmp_path / "named") == content_hash(tmp_path / "plain")
        assert definition.labels == ("weak", "strong", "random#2")
        assert TournamentDefinition.from_json(json.loads(json.dumps(definition.to_json()))) == definition
        _games, seats = read_ledger(tmp_path / "named")
        assert list(seats["agent"].cat.categories) == list(definition.labels)
        assert {standing.agent for standing in read_results(tmp_path / "named").standings} == set(definition.labels)
        assert {agent.agent for agent in rate(tmp_path / "named").agents} == set(definition.labels)

    def test_a_tournament_with_names_goes_on_and_grows(self, tmp_path: Path) -> None:
        folder = tmp_path / "named"
        definition = play(folder, "weak=random", "osla")
        longer = extended(definition, 3, ("new=random",))
        run_tournament(longer, folder, tracking=False)
        assert read_results(folder).complete
        assert longer.labels == ("weak", "osla", "new")
        renamed = define("tic_tac_toe", ("strong=random", "osla", "new=random"), 3)
        assert "agents is weak=random" in longer.difference(renamed)

    def test_the_command_takes_names_and_compares_by_them(self, tmp_path: Path) -> None:
        out = str(tmp_path / "out")
        command = [
            "tournament", "tic_tac_toe", "--agent", "weak=random", "--agent", "osla", "--precision", "0.3",
            "--compare", "weak", "--no-ray", "--no-tracking", "--quiet", "--out", out,
        ]  # fmt: skip
        done = run_tag(*command)
        assert done.exit_code == 0, done.output
        assert "weak" in done.output
        report = run_tag("report", out)
        assert report.exit_code == 0, report.output
        assert "--agent weak=random" in (tmp_path / "out" / "report.html").read_text()
