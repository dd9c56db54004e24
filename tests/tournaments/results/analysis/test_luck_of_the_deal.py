"""Shares that chance decides: known ones are found again, in simulations and in a made-up game played by the command."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from commands import run_tag

from tag.engine.state import GameState
from tag.errors import PlayersError, TagError
from tag.orders import GameOrder, new_game
from tag.tournaments import define, read_ledger, run_tournament
from tag.tournaments.ledger.replay import replays_of
from tag.tournaments.results.analysis.definition import analysis
from tag.tournaments.results.analysis.luck import SeedResults, read_seed_results

pytestmark = [pytest.mark.usefixtures("undrawn"), pytest.mark.flow]

#: A deal and a die shift the share of games that the first seat wins, from .3 to .7; the numbers of the agents decide.
GAME = """
from dataclasses import dataclass
from tag import Action, ForwardModel, GameState, GameType, interned


class TableState(GameState):
    def __init__(self, n_players):
        super().__init__(n_players)
        self.deal = self.die = self.sum = 0

    def copy(self):
        other = TableState(self.n_players)
        self.copy_to(other)
        other.deal, other.die, other.sum = self.deal, self.die, self.sum
        return other

    def redeterminise(self, player, rng):
        pass

    def __str__(self):
        return f"{self.deal} {self.die} {self.sum}"


@dataclass(frozen=True)
class Say(Action[TableState]):
    number: int

    def execute(self, state, rng):
        state.sum += self.number


class Table(ForwardModel[TableState]):
    game_type = GameType("Table", 2, 2, hidden_information=False, chance_sources=("deal", "die"))

    def _setup(self, n_players, rng):
        state = TableState(n_players)
        state.deal = rng.source("deal").below(2)
        return state

    def _available_actions(self, state):
        return [interned(Say(number)) for number in range(10)]

    def _after_action(self, state, action, rng):
        if state.tick < 2:
            self.end_player_turn(state)
            return
        state.die = rng.source("die").below(2)
        state.end_with_winner(0 if state.sum % 10 < 3 + 2 * state.deal + 2 * state.die else 1)
"""
#: What all chance decides of it, and each source alone: variances .02, .01 and .01 of .25.
SHARES = {"luck": 0.08, "luck_of_deal": 0.04, "luck_of_die": 0.04}


@pytest.fixture
def game(tmp_path: Path) -> str:
    (tmp_path / "table.py").write_text(GAME, encoding="utf-8")
    return f"{tmp_path / 'table.py'}:Table"


def results(shares: np.ndarray, games: int, rng: np.random.Generator) -> SeedResults:
    """Play games with a winner in which the first seat wins these shares."""
    first = rng.binomial(games, shares) / games
    means = np.column_stack([first, 1.0 - first])
    sizes = np.full(len(shares), float(games))
    return SeedResults(np.arange(len(shares)), sizes, means, games * means * (1.0 - means), is_share=True)


@pytest.mark.parametrize(
    ("name", "values", "chances"),
    [
        ("none", [0.5], [1.0]),
        ("little", [0.45, 0.55], [0.5, 0.5]),
        ("three levels", [0.3, 0.5, 0.7], [0.25, 0.5, 0.25]),
        ("much", [0.02, 0.98], [0.5, 0.5]),
        ("skewed", [0.9, 0.4], [0.2, 0.8]),
    ],
)
def test_intervals_hold_the_share_that_the_deal_decides(name: str, values: list[float], chances: list[float]) -> None:
    mean = np.dot(values, chances)
    truth = np.dot(np.square(values), chances) - mean**2
    share = truth / (mean * (1.0 - mean))
    rng = np.random.default_rng(7)
    held = []
    for _run in range(200):
        found = results(rng.choice(values, 60, p=chances), 100, rng).luck()
        assert found.interval.low <= found.value <= found.interval.high
        held.append(found.interval.low <= share + 1e-12 and share <= found.interval.high)
    assert np.mean(held) >= 0.93, name


def test_two_seeds_tell_no_interval() -> None:
    """They are the fewest that a command takes."""
    measured = dict(results(np.array([0.2, 0.8]), 100, np.random.default_rng(2)).measures())
    assert 0.0 < measured["luck"].value < 1.0
    assert measured["luck"].interval == (0.0, 1.0)


def test_seeds_are_outside_as_seldom_as_stated_where_the_deal_decides_nothing() -> None:
    rng = np.random.default_rng(4)
    runs = [dict(results(np.full(200, 0.4), 500, rng).measures()) for _run in range(20)]
    assert np.mean([run["luck_outside"].value for run in runs]) == pytest.approx(0.01, abs=0.005)
    assert np.mean([run["luck_outside"].interval.low < 0.01 < run["luck_outside"].interval.high for run in runs]) > 0.8
    assert max(run["luck"].value for run in runs) < 0.002


def test_mirrored_pairs_cancel_what_the_deal_decides() -> None:
    rng = np.random.default_rng(5)
    measured = dict(results(rng.choice([0.2, 0.8], 400), 200, rng).measures())
    assert measured["variance_games"].value == pytest.approx(0.25, abs=0.005)
    assert measured["variance_pairs"].value == pytest.approx(0.16, abs=0.005)
    assert measured["variance_blocks"].value == pytest.approx(0.16, abs=0.005)
    assert measured["seed_entropy"].value == pytest.approx(3.0, abs=1.0)
    assert measured["seed_span"].value > measured["seed_span_90"].value > 0.55


def test_certain_deals_decide_all() -> None:
    rng = np.random.default_rng(1)
    found = results(np.repeat([0.0, 1.0], 20), 50, rng).luck()
    assert found.value == 1.0
    assert found.interval.low > 0.8
    same = results(np.ones(20), 50, rng).luck()
    assert same.value == 0.0
    assert same.interval.low == 0.0


@pytest.mark.system
def test_the_command_finds_what_chance_and_each_source_decide(game: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ["analyse", game, "--games", "10", "--seeds", "50", "--games-per-seed", "50", "--sources"]
    arguments += ["--out", str(out), "--workers", "1", "--seed", "4", "--quiet", "--no-tracking"]
    done = run_tag(*arguments, "--json")
    assert done.exit_code == 0, done.output
    found = {row["measure"]: row for row in json.loads(done.stdout)["summary"]}
    for name, share in SHARES.items():
        assert found[name]["low"] <= share <= found[name]["high"], name
        assert found[name]["high"] - found[name]["low"] < 0.2
    assert found["seed_points"]["games"] == 50
    again = run_tag(*arguments)
    assert "How much the deal decides" in again.stdout
    assert "How much each source of chance decides alone" in again.stdout
    assert (out / "luck").is_dir()
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "50 chance seeds, 50 games with each" in page
    assert "decided by the die alone" in page


def test_games_of_a_seed_share_chance_and_nothing_else(game: str) -> None:
    definition = define(game, ("random",), 20, design="repeated:games=30")
    orders = [definition.order(pairing) for pairing in definition.schedule()]
    assert len(orders) == 600
    shown = pd.DataFrame(
        [(order.seed, *str(final_state(order)).split()) for order in orders], columns=["seed", "deal", "die", "sum"]
    )
    assert shown.groupby("seed")[["deal", "die"]].nunique().max().max() == 1
    assert shown.groupby("seed")["sum"].nunique().min() > 5


def test_a_source_that_is_held_is_the_same_and_the_others_vary(game: str) -> None:
    definition = define(game, ("random",), 20, design="repeated:games=30", hold=("deal",))
    orders = [definition.order(pairing) for pairing in definition.schedule()]
    blocks = [pairing.block for pairing in definition.schedule()]
    shown = pd.DataFrame([str(final_state(order)).split() for order in orders], columns=["deal", "die", "sum"])
    by_block = shown.groupby(blocks)
    assert by_block["deal"].nunique().max() == 1
    assert by_block["die"].nunique().min() == 2
    assert shown["deal"].nunique() == 2


@pytest.mark.system
@pytest.mark.usefixtures("local_ray")
def test_held_games_are_replayed_and_played_on_any_number_of_workers_alike(game: str, tmp_path: Path) -> None:
    definition = define(game, ("random",), 4, design="repeated:games=5", hold=("die",), record_actions=True)
    for workers in (1, 2):
        run_tournament(definition, tmp_path / str(workers), workers=workers, tracking=False)
    one, two = (read_ledger(tmp_path / str(workers))[0] for workers in (1, 2))
    pd.testing.assert_frame_equal(one, two)
    replays = list(replays_of(tmp_path / "1"))
    assert len(replays) == 20
    for replay in replays:
        assert replay.play() == []
        assert replay.recording is not None
        assert replay.play_recorded() == []
    assert read_seed_results(tmp_path / "1").games.tolist() == [5.0] * 4


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"seeds": 1}, "seeds cannot be 1; the least is 2, or 0 to leave luck out"),
        ({"by_source": True}, "say how many with --seeds"),
        ({"seeds": 5, "games_per_seed": 1}, "games"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, int], sentence: str) -> None:
    with pytest.raises(TagError, match=sentence):
        analysis(("tic_tac_toe",), **options)  # type: ignore[arg-type]


def test_unknown_sources_and_two_agents_are_refused() -> None:
    with pytest.raises(TagError, match="no source of chance in colt_express named 'round'; did you mean 'rounds'"):
        define("colt_express", ("random",), 2, hold=("round",))
    with pytest.raises(PlayersError, match="design repeated is for 1 agent"):
        define("colt_express", ("random", "osla"), 2, design="repeated")


def final_state(order: GameOrder) -> GameState:
    """Play, and return the final position."""
    return new_game(order).play()
