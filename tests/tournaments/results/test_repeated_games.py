"""Games that repeat are found where nothing is left to chance, and nowhere else; intervals count each once."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from tag.catalogue.registry import make_game
from tag.cli import main
from tag.orders import GameOrder, play_order
from tournaments import Rules, define, read_results, run_tournament
from tournaments.definition import TournamentDefinition
from tournaments.ledger.games import LedgerGames
from tournaments.results.growing import GrowingResults
from tournaments.statistics.intervals import ClusteredMean
from tournaments.statistics.repeats import Repeats
from tournaments.statistics.standings import Standing

#: Plays the same in the same position, whatever its random numbers are.
SAME = """
from tag.playing.agent import Agent

class First(Agent):
    def act(self, observation, actions):
        return actions[0]

class Last(Agent):
    def act(self, observation, actions):
        return actions[-1]
"""


@pytest.fixture
def same(tmp_path: Path) -> tuple[str, str]:
    file = tmp_path / "same.py"
    file.write_text(SAME)
    return f"first={file}:First", f"last={file}:Last"


def played(definition: TournamentDefinition, folder: Path) -> dict[str, Standing]:
    results = run_tournament(definition, folder, tracking=False)
    growing = GrowingResults(folder)
    while growing.read():
        pass
    assert growing.results().repeats == results.repeats
    return {one.agent: one for one in results.standings}


@pytest.mark.parametrize("game", ["tic_tac_toe", "connect_four", "othello", "nim"])
@pytest.mark.parametrize("blocks", [2, 12])
def test_games_without_any_chance_count_once(game: str, blocks: int, same: tuple[str, str], tmp_path: Path) -> None:
    standings = played(define(game, same, blocks), tmp_path / "t")
    found = read_results(tmp_path / "t").repeats
    assert found is not None
    assert (found.games, found.different) == (2 * blocks, 2)
    for standing in standings.values():
        assert standing.blocks == blocks
        assert standing.win_rate_interval == (0.0, 1.0)  # that of one block: nothing is known of others
        assert standing.points_interval == (0.0, 1.0)


def test_text_json_and_report_say_so(same: tuple[str, str], tmp_path: Path) -> None:
    run_tournament(define("tic_tac_toe", same, 5), tmp_path / "t", tracking=False)
    sentence = "games repeat: of 10, 2 are different"
    shown = CliRunner().invoke(main, ["results", str(tmp_path / "t")]).stdout
    assert sentence in shown
    repeats = json.loads(CliRunner().invoke(main, ["results", str(tmp_path / "t"), "--json"]).stdout)["repeats"]
    assert repeats == {"games": 10, "different": 2, "shares": [0.2, 0.2]}
    CliRunner().invoke(main, ["report", str(tmp_path / "t")])
    assert sentence[1:] in (tmp_path / "t" / "report.html").read_text()


@pytest.mark.parametrize(
    ("game", "agents", "blocks"),
    [
        ("tic_tac_toe", ("random", "osla", "random"), 60),
        ("connect_four", ("random", "mcts:budget=20"), 10),
        ("love_letter", ("random", "osla"), 10),
    ],
)
def test_nothing_changes_where_games_differ(game: str, agents: tuple[str, ...], blocks: int, tmp_path: Path) -> None:
    """Random games of tic-tac-toe end alike and by the same number of actions, but by other ways."""
    standings = played(define(game, agents, blocks, seed=4), tmp_path)
    table = LedgerGames(tmp_path).table
    if game == "tic_tac_toe":
        ends = Counter(zip(*(table[name].to_pylist() for name in ("matchup", "seating", "state_hash")), strict=True))
        assert max(ends.values()) > 1
    found = read_results(tmp_path).repeats
    assert found is None if game == "love_letter" else found is not None and set(found.shares) == {1.0}
    assert found is None or found.text in ("", f"games repeat: of {found.games:,}, {found.different:,} are different")
    for number, standing in enumerate(standings[label] for label in sorted(standings)):
        assert number >= 0
        block = table["block"].to_numpy()
        assert standing.blocks == len(set(block.tolist()))
    assert run_tournament(define(game, agents, blocks, seed=4), tmp_path, tracking=False).standings == list(
        standings.values()
    )


def test_chance_alone_is_not_taken_for_repetition() -> None:
    """Agents that draw one of 20,000 games repeat hardly, those that draw one of three much; at any number of games."""
    for n in (20, 300, 5_000):
        for kinds, is_found in ((20_000, False), (3, True)):
            rng = np.random.default_rng([n, kinds])
            repeats = Repeats(2)
            drawn = rng.integers(1, kinds + 1, n)
            agents = np.tile([0, 1], (n, 1))
            for part in np.array_split(np.arange(n), 3):
                repeats.add(agents[part], ["x"] * len(part), [f"{d:016x}" for d in drawn[part]], drawn[part])
            found = repeats.result()
            expected = len(set(drawn.tolist())) / n if is_found else 1.0
            assert found.shares == pytest.approx((expected, expected))
            assert (found.different < found.games) == is_found


def test_only_the_agents_that_repeat_have_wider_intervals() -> None:
    """Of three agents two play each other the same every time, and the third plays something else each time."""
    repeats, rng = Repeats(3), np.random.default_rng(1)
    for _block in range(12):
        for pair, digest in (((0, 1), 7), ((0, 2), int(rng.integers(1 << 60))), ((1, 2), int(rng.integers(1 << 60)))):
            repeats.add(np.array([pair]), ["x"], [f"{digest:016x}"], np.array([digest]))
    assert repeats.result().shares == pytest.approx(((12 + 1) / 24, (12 + 1) / 24, 1.0))
    assert repeats.result() == repeats.result()


def test_void_games_and_unknown_actions_repeat_nothing(same: tuple[str, str], tmp_path: Path) -> None:
    repeats = Repeats(2)
    repeats.add(np.tile([0, 1], (9, 1)), ["x"] * 9, ["0" * 16] * 9, np.zeros(9, np.int64))
    assert (repeats.result().games, repeats.result().shares) == (0, (1.0, 1.0))
    file = Path(same[0].removeprefix("first=").removesuffix(":First"))
    file.write_text(
        SAME + "\n\nclass Bad(Agent):\n    def act(self, observation, actions):\n        raise ValueError\n"
    )
    definition = define("tic_tac_toe", (f"bad={file}:Bad", "random"), 4, rules=Rules(on_exception="void"))
    run_tournament(definition, tmp_path / "t", tracking=False)
    found = read_results(tmp_path / "t").repeats
    assert found is not None
    assert (found.games, found.different) == (0, 0)


def test_a_mean_known_from_fewer_clusters_is_wider_and_the_same() -> None:
    mean = ClusteredMean.of(np.array([1.0, 0.0, 2.0, 1.0]), np.full(4, 2.0))
    assert mean.known_from(1.0) is mean
    half = mean.known_from(0.5)
    assert (half.mean, half.clusters) == (mean.mean, 2)
    assert half.variance == pytest.approx(2.0 * mean.variance)
    assert half.proportion_interval().half > mean.proportion_interval().half
    assert mean.known_from(0.1).proportion_interval() == (0.0, 1.0)


@pytest.mark.parametrize("game", ["tic_tac_toe", "connect_four", "love_letter", "uno"])
def test_digests_tell_the_sequence_of_actions(game: str) -> None:
    """Equal just where the recorded actions are."""
    make_game(game)
    found = {}
    for seed in range(40):
        for agents in (("random", "random"), ("osla", "osla")):
            record = play_order(GameOrder("g", game, agents, seed, record_actions=True))
            assert found.setdefault(record.choices, record.actions_digest) == record.actions_digest > 0
    assert len(set(found.values())) == len(found)
