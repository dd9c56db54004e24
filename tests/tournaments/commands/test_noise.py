"""A/A tests, played: copies that differ in what they draw, set-ups that are sound, and set-ups that are not."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from commands import run_tag

from tag.cluster.workers import InProcess
from tag.errors import TagError
from tag.orders import GameOrder, play_order
from tag.tournaments import read_results
from tag.tournaments.commands.noise import run_noise
from tag.tournaments.commands.settings import Settings
from tag.tournaments.commands.tournament import report_html
from tag.tournaments.definition import Rules, define
from tag.tournaments.ledger.folder import extended
from tag.tournaments.ledger.games import content_hash, read_ledger
from tag.tournaments.reports.sections.again import as_command, as_toml
from tag.tournaments.results.copies.noise import (
    NoiseDefinition,
    NoiseResults,
    noise_of,
    own_folder,
    read_noise,
    same_folder,
)
from tag.tournaments.run import run_tournament

pytestmark = pytest.mark.flow

AGENTS = """
from itertools import count
from time import sleep

from tag import Agent

GAMES = count()

class First(Agent):
    def act(self, observation, actions):
        return actions[0]

class Late(Agent):
    def act(self, observation, actions):
        sleep(0.002)
        return actions[0]

class Moody(Agent):
    def start_game(self, observation):
        self.last = next(GAMES) % 3 - 1

    def act(self, observation, actions):
        return actions[self.last]
"""


def small(blocks: int = 60, agents: tuple[str, ...] = ("random", "osla")) -> NoiseDefinition:
    return noise_of(define("tic_tac_toe", agents, blocks, seed=3))


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> NoiseResults:
    return run_noise(small(), tmp_path_factory.mktemp("runs") / "noise")


@pytest.fixture
def agents(tmp_path: Path) -> Path:
    file = tmp_path / "agents.py"
    file.write_text(AGENTS)
    return file


class TestStreams:
    def test_salts_change_what_an_agent_draws_and_no_card(self) -> None:
        seats = ("random", "random", "random", "random")
        orders = [GameOrder("g", "love_letter", seats, 5, salts=salts) for salts in ((), (0, 0, 0, 0), (1, 0, 0, 0))]
        games = [play_order(order).state_hash for order in orders]
        assert len(set(games)) == 3
        assert play_order(orders[1]).state_hash == games[1]

    def test_chance_is_the_same_whatever_the_salts(self, agents: Path) -> None:
        seats = (f"{agents}:First",) * 3
        hashes = {
            play_order(GameOrder("g", "exploding_kittens", seats, 5, salts=salts)).state_hash
            for salts in ((), (0, 1, 2), (2, 2, 1))
        }
        assert len(hashes) == 1

    def test_are_keyed_by_seat_unless_asked_for(self) -> None:
        by_seat = define("tic_tac_toe", ("osla", "osla"), 2)
        by_agent = define("tic_tac_toe", ("osla", "osla"), 2, streams="agent")
        pairings = list(by_seat.schedule())
        assert {by_seat.order(pairing).salts for pairing in pairings} == {()}
        assert [by_agent.order(pairing).salts for pairing in pairings] == [pairing.agents for pairing in pairings]

    def test_are_part_of_what_is_played_again_and_extended(self) -> None:
        definition = define("tic_tac_toe", ("osla", "osla"), 2, streams="agent")
        assert Settings.from_values(tomllib.loads(as_toml(definition)), "the file").definition() == definition
        assert "--streams agent" in as_command(definition)
        assert extended(definition, 3, ("random",)).streams == "agent"

    def test_a_word_for_them_that_is_none(self) -> None:
        with pytest.raises(TagError, match="^no streams named 'agents'; did you mean 'agent'"):
            define("tic_tac_toe", ("osla", "osla"), 2, streams="agents")


class TestASoundSetUp:
    def test_favours_nobody(self, sound: NoiseResults) -> None:
        assert sound.complete
        assert sound.alarms == []
        assert sound.verdict.startswith("the set-up favours nobody: differences of up to ±0.1")
        assert [agent.agent for agent in sound.agents] == ["random", "osla"]
        for agent in sound.agents:
            assert agent.blocks == 60
            assert not agent.is_exact
            assert all(copy.interval.low <= 0.0 <= copy.interval.high for copy in agent.copies)
            assert all(copy.rating_interval.low <= 0.0 <= copy.rating_interval.high for copy in agent.copies)

    def test_copies_play_different_games_with_the_same_luck(self, sound: NoiseResults) -> None:
        games, _seats = read_ledger(own_folder(sound.folder, sound.definition, "osla"))
        by_block = games.groupby("block")
        assert (by_block["seed"].nunique() == 1).all()
        assert (by_block["state_hash"].nunique() == 2).mean() > 0.5

    def test_identical_agents_on_the_same_draws_are_exactly_equal(self, sound: NoiseResults) -> None:
        checks = [check for agent in sound.agents for check in agent.checks if check.name == "same draws"]
        assert [check.finding for check in checks] == ["identical in 5 blocks"] * 2

    def test_numbers_are_those_of_the_ledger(self, sound: NoiseResults) -> None:
        agent = sound.agents[0]
        standings = {
            one.agent: one for one in read_results(own_folder(sound.folder, sound.definition, "random")).standings
        }
        for copy in agent.copies:
            assert copy.points == pytest.approx(standings[copy.agent].points, abs=1e-12)
        assert agent.copies[0].difference == pytest.approx(agent.copies[0].points - agent.copies[1].points)
        first, *_rest, last = agent.precisions()
        assert first.blocks * 8 == last.blocks
        assert first.noise == pytest.approx(agent.copies[0].interval.high - agent.copies[0].difference)
        assert first.noise / last.noise == pytest.approx(8**0.5, rel=0.02)

    def test_it_goes_on_where_it_was_and_may_grow(self, sound: NoiseResults, tmp_path: Path) -> None:
        run_noise(small(20), tmp_path)
        assert run_noise(small(), tmp_path).complete
        for name in [path.name for path, _part in sound.definition.folders(sound.folder)]:
            assert content_hash(tmp_path / name) == content_hash(sound.folder / name)

    def test_its_report_is_a_page(self, sound: NoiseResults, reading_of: Any) -> None:
        page = reading_of(report_html(sound.folder))
        page.check()
        assert page.words["h1"] == ["Noise of Tic-tac-toe"]
        assert page.words["h2"] == ["Checks", "random", "osla"]
        assert f"{sound.verdict[1:]}." in page.words["p"][0]
        assert "osla#2" in page.labels[1]
        assert f"{sound.agents[1].precisions()[3].noise:.3f}" in " ".join(page.words["td"])

    def test_the_report_of_each_tournament_has_its_copies(self, sound: NoiseResults, reading_of: Any) -> None:
        for agent in ("osla", "random"):
            folder = own_folder(sound.folder, sound.definition, agent)
            assert "Copies" in reading_of(report_html(folder)).words["h2"]
        same = same_folder(sound.folder, sound.definition, "osla")
        assert "Copies" not in reading_of(report_html(same)).words["h2"]

    @pytest.mark.system
    @pytest.mark.usefixtures("local_ray")
    def test_workers_play_the_same(self, sound: NoiseResults, tmp_path: Path) -> None:
        run_noise(small(), tmp_path, workers=2)
        for name in [path.name for path, _part in sound.definition.folders(sound.folder)]:
            assert content_hash(tmp_path / name) == content_hash(sound.folder / name)

    def test_games_are_replayed(self, sound: NoiseResults) -> None:
        folder = own_folder(sound.folder, sound.definition, "random")
        assert run_tag("replay", folder, "b3-m0-s1", "--quiet").exit_code == 0

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("game", "agents", "players"),
        [("tic_tac_toe", ("random", "osla"), 2), ("love_letter", ("random", "osla", "random", "osla"), 4)],
    )
    def test_alarms_are_false_in_at_most_one_of_20_seeds(
        self, game: str, agents: tuple[str, ...], players: int, tmp_path: Path
    ) -> None:
        runs = [
            run_noise(noise_of(define(game, agents, 40, players=players, seed=seed)), tmp_path / str(seed))
            for seed in range(20)
        ]
        assert sum(bool(run.alarms) for run in runs) <= 1
        held = [
            copy.interval.low <= 0.0 <= copy.interval.high
            for run in runs
            for agent in run.agents
            for copy in agent.copies[::2]
        ]
        assert sum(held) >= 0.85 * len(held)


class Harming(InProcess):
    """A machine on which the second copy plays at random."""

    def submit(self, number: int, orders: list[GameOrder]) -> None:
        for order in orders:
            order.agents = tuple(
                "random" if order.salts and salt == 1 else agent
                for agent, salt in zip(order.agents, order.salts or (0,) * len(order.agents), strict=True)
            )
        super().submit(number, orders)


class TestAnUnfairSetUp:
    def test_one_that_harms_a_copy(self, tmp_path: Path) -> None:
        found = run_noise(small(agents=("osla", "osla")), tmp_path, workers=Harming())
        assert found.alarms[0].startswith("osla has 0.")
        assert "points more (± " in found.alarms[0]
        assert found.verdict == f"something is off with this set-up: {'; '.join(found.alarms)}"

    def test_one_in_which_nobody_changes_seats(self, tmp_path: Path) -> None:
        test = noise_of(define("tic_tac_toe", ("random", "random"), 300, design="fixed"))
        assert test.same("random") is None
        found = run_noise(test, tmp_path)
        assert found.alarms[0].endswith("than its copies; they do not sit in each seat equally often")

    def test_agents_that_do_not_play_the_same_again(self, agents: Path, tmp_path: Path) -> None:
        moody = f"{agents}:Moody"
        found = run_noise(small(6, (moody, moody)), tmp_path / "noise")
        assert found.alarms == [f"{moody} does not play the same when it sees and draws the same"]

    def test_agents_that_draw_nothing_tell_nothing(self, agents: Path, tmp_path: Path) -> None:
        first = f"{agents}:First"
        found = run_noise(small(25, (first, first)), tmp_path / "noise")
        assert found.agents[0].is_exact
        assert (
            found.verdict == "the set-up favours nobody: all copies score the same, to the last point, in every block"
        )
        assert "draws nothing" in run_tag("noise", tmp_path / "noise", "--quiet", "--trust").stdout

    def test_agents_that_are_paused_get_no_verdict(self, agents: Path, tmp_path: Path) -> None:
        rules = Rules(decision_seconds=0.001)
        tournament = define("tic_tac_toe", (f"{agents}:Late",) * 3, 15, rules=rules)
        found = run_noise(noise_of(tournament), tmp_path / "noise")
        assert found.complete
        assert found.verdict.startswith("no verdict: ")
        assert " is paused after game " in run_tag("noise", tmp_path / "noise", "--quiet", "--no-ray", "--trust").stdout

    def test_time_limits_are_watched(self, tmp_path: Path) -> None:
        agents = ("mcts:budget=1,budget_type=wall_ms",) * 2
        found = run_noise(small(20, agents), tmp_path)
        checks = {check.name: check for check in found.agents[0].checks}
        assert "ms per decision" in checks["clock"].finding
        assert checks["same draws"].finding == "with time limits no two games are the same"
        assert found.alarms == []


class TestCommand:
    def test_of_a_game(self, tmp_path: Path) -> None:
        options = ["--blocks", "5", "--out", tmp_path / "n", "--no-ray", "--quiet"]
        shown = run_tag("noise", "tic_tac_toe", "--agent", "random", *options)
        assert shown.exit_code == 0, shown.output
        assert "random#2" in shown.stdout
        assert shown.stdout.strip().endswith("5 blocks are too few for a verdict; 20 are the least")

    def test_of_a_tournament_and_again(self, tmp_path: Path) -> None:
        run_tournament(
            define("love_letter", ("random", "osla", "rmhc:budget=8"), 2, players=3), tmp_path / "t", tracking=False
        )
        options = ["--agent", "osla", "--blocks", "20", "--no-ray", "--quiet", "--json"]
        shown = run_tag("noise", tmp_path / "t", "--out", tmp_path / "n", *options)
        assert shown.exit_code == 0, shown.output
        found = json.loads(shown.stdout)
        (agent,) = found["agents"]
        assert [copy["agent"] for copy in agent["copies"]] == ["osla", "osla#2", "osla#3"]
        assert (agent["blocks"], agent["games"], len(agent["seats"])) == (20, 60, 3)
        assert agent["precisions"][0]["detectable"] > agent["precisions"][0]["noise"] > 0.0
        assert json.loads(run_tag("noise", tmp_path / "n", "--json", "--quiet", "--no-ray").stdout) == found

    def test_the_exit_code_says_that_something_is_off(self, tmp_path: Path) -> None:
        options = [
            "--design",
            "fixed",
            "--blocks",
            "300",
            "--seed",
            "1",
            "--out",
            tmp_path / "n",
            "--no-ray",
            "--quiet",
        ]
        shown = run_tag("noise", "tic_tac_toe", "--agent", "random", *options)
        assert shown.exit_code == 1
        assert "ALARM: random has 0." in shown.stdout
        assert "300 games of 300 blocks" in shown.stdout

    def test_incomplete_tests_tell_what_they_can(self, sound: NoiseResults, tmp_path: Path) -> None:
        assert read_noise(sound.folder).to_json() == sound.to_json()
        with pytest.raises(TagError, match="holds no A/A test: it has no noise.json"):
            read_noise(tmp_path)

    def test_a_rule_that_ends_the_tournament_ends_no_test_of_it(self) -> None:
        test = noise_of(define("tic_tac_toe", ("random", "osla"), 30, precision=0.1, compare=("random",)))
        own = test.own("osla")
        assert own == define("tic_tac_toe", ("osla", "osla"), 30, streams="agent")

    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            (["tic_tac_toe"], "a tournament needs agents; name each with --agent"),
            (
                ["pandemic", "--agent", "random"],
                "game cannot be 'pandemic', where all win or lose together: copies cannot differ",
            ),
            (
                ["tic_tac_toe", "--agent", "random", "--design", "best_agent"],
                "design cannot be 'best_agent', where who meets follows from the games before; try 'round_robin'",
            ),
        ],
    )
    def test_a_mistake_is_one_sentence(self, arguments: list[str], sentence: str, tmp_path: Path) -> None:
        shown = run_tag("noise", *arguments, "--out", tmp_path / "n", "--no-ray")
        assert shown.exit_code == 2
        assert shown.stderr.strip() == f"tag: {sentence}"
        assert not (tmp_path / "n").exists()

    @pytest.mark.parametrize(
        ("options", "sentence"),
        [
            (["--players", "3"], "the folder holds a tournament already; its players cannot be changed"),
            (["--agent", "rhea"], "the folder holds a tournament already; its agents cannot be changed"),
            (["--blocks", "0"], "blocks cannot be 0; the least is 1"),
            (["--blocks", "30"], "blocks is 60 there and can only grow, not shrink to 30"),
        ],
    )
    def test_what_cannot_be_changed(self, sound: NoiseResults, options: list[str], sentence: str) -> None:
        shown = run_tag("noise", sound.folder, "--no-ray", *options)
        assert shown.exit_code == 2
        assert sentence in shown.stderr

    def test_an_agent_that_is_not_of_the_tournament(self, sound: NoiseResults, tmp_path: Path) -> None:
        folder = same_folder(sound.folder, sound.definition, "osla")
        shown = run_tag("noise", folder, "--agent", "random", "--out", tmp_path / "n", "--no-ray")
        assert shown.stderr.strip() == "tag: no agent of the tournament named 'random'; there are: osla"
