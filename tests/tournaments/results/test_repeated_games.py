"""Games that repeat are found where nothing is left to chance, and nowhere else; intervals count each once."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from commands import run_tag
from copied import TIC_TAC_TOE

from tag.catalogue.registry import game_class, game_names
from tag.orders import GameOrder, play_order
from tag.tournaments import Rules, define, read_results, run_tournament
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.ledger.folder import Folder
from tag.tournaments.results.live import GrowingResults
from tag.tournaments.statistics.clustered_means import ClusteredMean
from tag.tournaments.statistics.intervals import Ints
from tag.tournaments.statistics.repeats import IndependentBlocks, Keys, Repeats, are_independent, keys_of
from tag.tournaments.statistics.standings import Standing

pytestmark = pytest.mark.flow


def keys_of_digests(digests: Ints, agents: Ints) -> Keys:
    hashes = [f"{digest:016x}" for digest in digests]
    return keys_of(["x"] * len(digests), hashes, digests, agents, np.zeros(len(digests), np.int64))


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


def test_games_that_the_design_plays_twice_in_a_block_do_not_repeat(same: tuple[str, str], tmp_path: Path) -> None:
    """Copies of an agent in both seats: one block tells as much as without the second game, and others tell more."""
    definition = define("tic_tac_toe", ("random", "osla"), 12, design="self_play", opening="random:6", sprt="0,5")
    assert set(played(definition, tmp_path / "t")) == {"random", "osla"}
    results = read_results(tmp_path / "t")
    hashes = Folder.open(tmp_path / "t").games().table["state_hash"].to_pylist()
    assert hashes[0::6] == hashes[1::6]
    assert results.repeats is not None
    assert (results.repeats.different, results.repeats.text) == (72, "")
    assert results.stopping is not None
    assert results.stopping.independent == 12
    played(define("tic_tac_toe", same, 5, design="self_play"), tmp_path / "same")
    repeats = read_results(tmp_path / "same").repeats
    assert repeats is not None
    assert (repeats.games, repeats.different, repeats.shares) == (30, 6, (0.2, 0.2))


def test_text_json_and_report_say_so(same: tuple[str, str], tmp_path: Path) -> None:
    run_tournament(define("tic_tac_toe", same, 5), tmp_path / "t", tracking=False)
    sentence = "games repeat: of 10, 2 are different"
    shown = run_tag("results", tmp_path / "t").stdout
    assert sentence in shown
    repeats = json.loads(run_tag("results", tmp_path / "t", "--json").stdout)["repeats"]
    assert repeats == {"games": 10, "different": 2, "shares": [0.2, 0.2]}
    run_tag("report", tmp_path / "t")
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
    table = Folder.open(tmp_path).games().table
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
    again = run_tournament(define(game, agents, blocks, seed=4), tmp_path, tracking=False).standings
    assert [one.to_json() for one in again] == [one.to_json() for one in standings.values()]


def test_chance_alone_is_not_taken_for_repetition() -> None:
    """Agents that draw one of 20,000 games repeat hardly, those that draw one of three much; at any number of games."""
    for n in (20, 300, 5_000):
        for kinds, is_found in ((20_000, False), (3, True)):
            rng = np.random.default_rng([n, kinds])
            repeats = Repeats(2)
            drawn = rng.integers(1, kinds + 1, n)
            agents = np.tile([0, 1], (n, 1))
            for part in np.array_split(np.arange(n), 3):
                repeats.add(keys_of_digests(drawn[part], agents[part]), agents[part])
            found = repeats.result()
            expected = len(set(drawn.tolist())) / n if is_found else 1.0
            assert found.shares == pytest.approx((expected, expected))
            assert (found.different < found.games) == is_found
            blocks, keys = IndependentBlocks(), keys_of_digests(drawn, agents)
            for key in keys.tolist():
                blocks.add([(key, (0, 1))])
            assert blocks.share() == blocks.share([0]) == blocks.share_between([1, 0]) == pytest.approx(expected)
            assert are_independent(keys, agents).mean() == pytest.approx(expected)


def test_only_the_agents_that_repeat_have_wider_intervals() -> None:
    """Of three agents two play each other the same every time, and the third plays something else each time."""
    repeats, rng = Repeats(3), np.random.default_rng(1)
    for _block in range(12):
        for pair, digest in (((0, 1), 7), ((0, 2), int(rng.integers(1 << 60))), ((1, 2), int(rng.integers(1 << 60)))):
            agents = np.array([pair])
            repeats.add(keys_of_digests(np.array([digest]), agents), agents)
    assert repeats.result().shares == pytest.approx(((12 + 1) / 24, (12 + 1) / 24, 1.0))
    assert repeats.result() == repeats.result()


def test_void_games_and_unknown_actions_repeat_nothing(same: tuple[str, str], tmp_path: Path) -> None:
    repeats = Repeats(2)
    agents = np.tile([0, 1], (9, 1))
    repeats.add(keys_of_digests(np.zeros(9, np.int64), agents), agents)
    assert (repeats.result().games, repeats.result().shares) == (0, (1.0, 1.0))
    file = Path(same[0].removeprefix("first=").removesuffix(":First"))
    file.write_text(
        file.read_text() + "\n\nclass Bad(Agent):\n    def act(self, observation, actions):\n        raise ValueError\n"
    )
    definition = define("tic_tac_toe", (f"bad={file}:Bad", "random"), 4, rules=Rules(on_exception="void"))
    run_tournament(definition, tmp_path / "t", tracking=False)
    assert read_results(tmp_path / "t").repeats is None


def test_a_mean_known_from_fewer_clusters_is_wider_and_the_same() -> None:
    mean = ClusteredMean.of(np.array([1.0, 0.0, 2.0, 1.0]), np.full(4, 2.0))
    assert mean.known_from(1.0) is mean
    half = mean.known_from(0.5)
    assert (half.mean, half.clusters) == (mean.mean, 2)
    assert half.variance == pytest.approx(3.0 * mean.variance)
    assert half.proportion_interval().half > mean.proportion_interval().half
    assert mean.known_from(0.1).proportion_interval() == (0.0, 1.0)


@pytest.mark.parametrize("game", ["tic_tac_toe", "connect_four", "othello", "dots_and_boxes"])
def test_digests_tell_the_sequence_of_actions(game: str) -> None:
    """Equal just where the recorded actions are."""
    found = {}
    for seed in range(40):
        for agents in (("random", "random"), ("osla", "osla")):
            record = play_order(GameOrder("g", game, agents, seed, record_actions=True))
            assert found.setdefault(record.choices, record.actions_digest) == record.actions_digest > 0
    assert len(set(found.values())) == len(found)


@pytest.mark.parametrize("game", game_names())
def test_only_games_that_chance_does_not_decide_have_digests(game: str) -> None:
    kind = game_class(game).game_type
    agents = ("random",) * kind.min_players
    digests = [play_order(GameOrder("g", game, agents, seed)).actions_digest for seed in range(2)]
    assert [digest == 0 for digest in digests] == [kind.chance] * 2


#: Games of users: one that says that it has no chance, one that says nothing, and one with a die.
USERS = (
    TIC_TAC_TOE
    + """
from dataclasses import replace
from tag import GameType

class Said(TicTacToe):
    game_type = replace(TicTacToe.game_type, title="Said")

class Unsaid(TicTacToe):
    game_type = GameType(title="Unsaid", min_players=2, max_players=2, parameters=TicTacToe.game_type.parameters)

class Die(Unsaid):
    def next(self, state, action, rng):
        rng.below(6)
        super().next(state, action, rng)
"""
)


@pytest.mark.parametrize(("name", "repeats"), [("Said", True), ("Unsaid", True), ("Die", False)])
def test_games_of_users_are_compared_where_no_chance_was_drawn(
    name: str, repeats: bool, same: tuple[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(USERS)
    run_tournament(define(f"{file}:{name}", same, 5), tmp_path / "t", tracking=False)
    found = read_results(tmp_path / "t").repeats
    assert (found.games, found.different) == (10, 2) if repeats and found else not repeats and found is None
