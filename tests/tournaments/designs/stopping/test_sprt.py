"""A tournament with a sequential test ends when it is decided, at the same block whoever plays."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from commands import run_tag

from tag.errors import ParameterError, PlayersError, TagError
from tag.tournaments import define, read_ledger, read_results, run_tournament
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.designs.by_name import make_design
from tag.tournaments.designs.stopping.sprt import Sprt, SprtBounds, SprtResult
from tag.tournaments.ledger.games import content_hash
from tag.tournaments.statistics.stopping.elo_scales import LogisticElo
from tag.tournaments.statistics.stopping.gsprt import Gsprt
from tag.tournaments.statistics.stopping.outcomes import Outcome

pytestmark = pytest.mark.flow


def duel(first: str = "osla", second: str = "random", blocks: int = 400, **options: object) -> TournamentDefinition:
    return define("connect_four:width=5,height=4", (first, second), blocks, sprt="0,60", **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "t"
    assert run_tournament(duel(), folder, tracking=False).complete
    return folder


def test_it_ends_when_it_is_decided(folder: Path) -> None:
    results = read_results(folder)
    assert isinstance(results.stopping, SprtResult)
    assert results.stopping.decision == "accept H1"
    assert results.games == results.total == 2 * results.stopping.blocks < 800
    assert results.stopping.llr > results.stopping.upper
    assert results.stopping.elo_interval.low is not None
    assert results.stopping.elo_interval.low > 60


def test_it_is_the_test_on_the_blocks_of_the_ledger(folder: Path) -> None:
    games, seats = read_ledger(folder)
    found = read_results(folder).stopping
    assert isinstance(found, SprtResult)
    by_hand = Gsprt(LogisticElo(0.5), 0.0, 60.0)
    first = seats[seats["agent_index"] == 0]
    for block in range(int(games["block"].max()) + 1):
        by_hand.add([float(first[first["block"] == block]["points"].mean())])
    assert by_hand.llr == found.llr
    assert by_hand.decision.value == found.decision


def test_later_blocks_are_dropped_so_that_all_end_with_the_same_ledger(folder: Path, tmp_path: Path) -> None:
    from tag.cluster.workers import InProcess

    class Eager(InProcess):
        """Ten batches at once, of which the last comes back first."""

        slots = 10

        def __init__(self) -> None:
            super().__init__()
            self.queue: dict[int, list] = {}

        def submit(self, number: int, orders: list) -> None:
            self.queue[number] = orders

        def completed(self, timeout: float) -> list:
            if not self.queue:
                return []
            number = max(self.queue)
            super().submit(number, self.queue.pop(number))
            return super().completed(60.0)

    results = run_tournament(duel(), tmp_path, tracking=False, workers=Eager())
    assert results.complete
    assert content_hash(tmp_path) == content_hash(folder)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "ledger").iterdir()}
    assert run_tournament(duel(), tmp_path, tracking=False).complete
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "ledger").iterdir()} == before


def test_the_weaker_one_is_found_out(tmp_path: Path) -> None:
    results = run_tournament(duel("random", "osla"), tmp_path, tracking=False)
    assert isinstance(results.stopping, SprtResult)
    assert results.stopping.decision == "accept H0"


def test_without_a_decision_all_blocks_are_played(tmp_path: Path) -> None:
    results = run_tournament(duel("random", "random", blocks=5), tmp_path, tracking=False)
    assert isinstance(results.stopping, SprtResult)
    assert results.complete
    assert (results.games, results.stopping.decision, results.stopping.blocks) == (10, "go on", 5)


def test_the_par_is_the_first_agents_share_of_the_seats() -> None:
    gauntlet = define("love_letter", ("osla", "random"), 3, players=4, design="gauntlet", sprt="0,30")
    test = gauntlet.stopping_rule(gauntlet.schedule())
    assert isinstance(test, Sprt)
    assert test._test.scale.par == 0.25


def won_by(winner: int, agents: tuple[int, ...]) -> Outcome:
    points = tuple(float(seat == winner) for seat in range(len(agents)))
    return Outcome(agents, points, tuple(2 - (seat == winner) for seat in range(len(agents))), void=False)


@pytest.mark.parametrize("players", [2, 3])
def test_games_of_an_agent_with_itself_decide_nothing(players: int) -> None:
    """The test is the same as on the games between the two alone."""
    rng, bounds = np.random.default_rng(1), SprtBounds.read("150,250")
    design = make_design("self_play", 2, players, 1)
    numbers = product(range(design.n_matchups), range(design.n_seatings))
    block = [design.agents(0, matchup, seating) for matchup, seating in numbers]
    between = [agents for agents in block if len(set(agents)) == 2]
    assert len(between) < len(block)
    whole, alone = Sprt(bounds, design, block), Sprt(bounds, design, between)
    while not alone.is_decided:
        odds = [np.where(np.array(agents) == 0, 8.0, 1.0) for agents in block]
        winners = [rng.choice(players, p=each / each.sum()) for each in odds]
        games = [won_by(winner, agents) for winner, agents in zip(winners, block, strict=True)]
        whole.look(games)
        alone.look([game for game in games if len(set(game.agents)) == 2])
        assert whole.result() == alone.result()
    assert alone.result().decision == "accept H1"


def test_the_command_says_how_it_ended(tmp_path: Path) -> None:
    agents = ("--agent", "osla", "--agent", "random", "--no-ray", "--no-tracking")
    result = run_tag("tournament", "tic_tac_toe", *agents, "--blocks", 500, "--sprt", "0,50", "--out", tmp_path / "t")
    assert result.exit_code == 0, result.output
    assert "SPRT [0, 50] Elo: accept H1 after " in result.stdout
    assert json.loads(run_tag("results", tmp_path / "t", "--json").stdout)["stopping"]["decision"] == "accept H1"


@pytest.mark.parametrize(
    ("agents", "options", "error", "sentence"),
    [
        (("random",) * 3, {}, PlayersError, "an SPRT is between 2 agents in the same match-ups throughout, not 3"),
        (("random",) * 2, {"sprt": "10,0"}, ParameterError, "elo1 cannot be 0; it is greater than elo0, 10"),
        (("random",) * 2, {"sprt": "6500,9000"}, ParameterError, "elo0 cannot be 6500; the greatest is 4000"),
        (("random",) * 2, {"sprt": "-1e308,0"}, ParameterError, "elo0 cannot be -1e+308; the least is -4000"),
        (("random",) * 2, {"sprt": "0,7000"}, ParameterError, "elo1 cannot be 7000; the greatest is 4000"),
        (("random",) * 2, {"sprt": "10,10.000001"}, ParameterError,
         "elo1 cannot be 10.000001; the least above elo0, 10, is 10.01"),
        (("random",) * 2, {"sprt": "ten"}, ParameterError,
         "sprt cannot be 'ten'; it is elo0,elo1 or elo0,elo1,alpha,beta"),
        (("random",) * 2, {"sprt": "0,10,0.6,0.6"}, ParameterError,
         "alpha and beta cannot be 0.6 and 0.6; both are positive, their sum is below 1"),
    ],
)  # fmt: skip
def test_what_cannot_be_tested_is_refused(
    agents: tuple[str, ...], options: dict[str, str], error: type[TagError], sentence: str
) -> None:
    with pytest.raises(error) as raised:
        define("tic_tac_toe", agents, 5, **{"sprt": "0,10", **options})
    assert str(raised.value) == sentence
