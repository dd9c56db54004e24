"""A tournament that ends when intervals are narrow enough, at the same block whoever plays."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from commands import run_tag
from play.made_up_pool import AGENTS, MadeUp, OneByOne
from scipy.stats import t as student

from tag.errors import ParameterError, PlayersError, TagError, UnknownNameError
from tag.tournaments import define, read_ledger, read_results, run_tournament
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.designs.stopping.precision import PrecisionResult
from tag.tournaments.ledger.folder import extended
from tag.tournaments.ledger.games import content_hash
from tag.tournaments.reports.sections.again import as_command
from tag.tournaments.statistics.stopping.fixed_width import FixedWidth

pytestmark = pytest.mark.flow


def tournament(blocks: int = 400, precision: float = 0.05, **options: object) -> TournamentDefinition:
    return define("love_letter", AGENTS[:4], blocks, players=2, precision=precision, **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "t"
    assert run_tournament(tournament(), folder, tracking=False, workers=OneByOne()).complete
    return folder


def stopping(folder: Path) -> PrecisionResult:
    found = read_results(folder).stopping
    assert isinstance(found, PrecisionResult)
    return found


def block_means(folder: Path) -> pd.DataFrame:
    """Return the mean points of each agent in each block, one column per agent."""
    _games, seats = read_ledger(folder)
    return seats.groupby(["block", "agent_index"])["points"].mean().unstack()


def half_widths(values: pd.DataFrame, comparisons: int) -> np.ndarray:
    """Return Chow and Robbins' half widths by the textbook."""
    n = len(values)
    quantile = student.ppf(1.0 - 0.05 / (2.0 * comparisons), n - 1)
    return quantile * np.sqrt((values.var(ddof=1).to_numpy() + 1.0 / n) / n)


def test_it_ends_at_the_first_block_at_which_all_intervals_are_narrow(folder: Path) -> None:
    found, values = stopping(folder), block_means(folder)
    assert found.is_decided
    assert read_results(folder).games == 12 * found.blocks == 12 * len(values) < 12 * 400
    assert [estimate.half_width for estimate in found.estimates] == pytest.approx(half_widths(values, 4))
    assert [estimate.mean for estimate in found.estimates] == pytest.approx(values.mean().tolist())
    assert half_widths(values, 4).max() <= 0.05 < half_widths(values.iloc[:-1], 4).max()
    assert found.widest.half_width == pytest.approx(half_widths(values, 4).max())


def test_it_ends_with_the_same_ledger_whatever_the_order_of_the_games(folder: Path, tmp_path: Path) -> None:
    assert run_tournament(tournament(), tmp_path, tracking=False, workers=MadeUp()).complete
    assert content_hash(tmp_path) == content_hash(folder)
    assert stopping(tmp_path) == stopping(folder)


def test_a_resumption_comes_to_the_same(folder: Path, tmp_path: Path) -> None:
    run_tournament(tournament(blocks=20), tmp_path, tracking=False, workers=MadeUp())
    assert not stopping(tmp_path).is_decided
    run_tournament(extended(tournament(20), 400, ()), tmp_path, tracking=False, workers=MadeUp())
    assert content_hash(tmp_path) == content_hash(folder)


@pytest.mark.parametrize(
    ("compare", "pairs"), [(AGENTS[1:2], [(1, 0), (1, 2), (1, 3)]), (AGENTS[0:4:3], [(0, 3)])], ids=["one", "two"]
)
def test_differences_can_be_what_is_to_be_known(
    compare: tuple[str, ...], pairs: list[tuple[int, int]], tmp_path: Path
) -> None:
    run_tournament(tournament(compare=compare), tmp_path, tracking=False, workers=MadeUp())
    found, values = stopping(tmp_path), block_means(tmp_path)
    differences = pd.DataFrame({pair: values[pair[0]] - values[pair[1]] for pair in pairs})
    assert [estimate.name for estimate in found.estimates] == [f"{AGENTS[a]} - {AGENTS[b]}" for a, b in pairs]
    assert [estimate.mean for estimate in found.estimates] == pytest.approx(differences.mean().tolist())
    assert [estimate.half_width for estimate in found.estimates] == pytest.approx(half_widths(differences, len(pairs)))


def test_the_command_says_how_it_ended(tmp_path: Path) -> None:
    agents = ("--agent", "osla", "--agent", "random", "--compare", "random", "--no-ray", "--no-tracking")
    folder = tmp_path / "t"
    result = run_tag(
        "tournament", "tic_tac_toe", *agents, "--blocks", 500, "--precision", 0.2, "--seed", 1, "--out", folder
    )
    assert result.exit_code == 0, result.output
    assert f"precision ± 0.2 points: reached after {stopping(folder).blocks} blocks, the widest" in result.stdout
    assert json.loads(run_tag("results", folder, "--json").stdout)["stopping"]["rule"] == "precision"


def test_the_recipe_says_it() -> None:
    definition = tournament(compare=(AGENTS[1],))
    assert "--precision 0.05" in as_command(definition)
    assert "--compare mcts:budget=20" in as_command(definition)
    assert TournamentDefinition.from_json(json.loads(json.dumps(definition.to_json()))) == definition


def test_agents_to_compare_are_named_as_they_like() -> None:
    agents = ("mcts:k=1.5,budget=20", "osla", "osla")
    definition = define("tic_tac_toe", agents, 5, precision=0.1, compare=("mcts:k=1.5,budget=20", "osla#2"))
    assert definition.compare == (definition.labels[0], "osla#2")


def test_blocks_with_a_void_game_do_not_count() -> None:
    from tag.tournaments.statistics.stopping.outcomes import Outcome

    definition = define("tic_tac_toe", ("osla", "random"), 5, precision=0.1)
    rule = definition.stopping_rule(definition.schedule())
    games = [Outcome((0, 1), (1.0, 0.0), (1, 2), False), Outcome((1, 0), (0.0, 0.0), (1, 1), True)]
    rule.look(games)
    assert (rule.result().blocks, rule.result().to_json()["estimates"][0]["half_width"]) == (0, None)
    rule.look(games[:1] * 2)
    assert [estimate.mean for estimate in rule.result().estimates] == [1.0, 0.0]


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"precision": 0.5}, ParameterError, "precision cannot be 0.5; it lies between 0 and 0.5"),
        ({"precision": -0.1}, ParameterError, "precision cannot be -0.1; the least is 1e-06"),
        ({"sprt": "0,10"}, ParameterError, "sprt and precision cannot both end a tournament; leave one out"),
        ({"design": "swiss"}, PlayersError, "a precision needs a design in which all agents play in every block"),
        ({"compare": ("osl",)}, UnknownNameError, "no agent named 'osl'; did you mean 'osla'?"),
        ({"compare": ("rmhc",)}, UnknownNameError, "no agent to compare named 'rmhc'; there are: osla, random"),
        ({"compare": ("osla", "osla")}, ParameterError, "compare cannot be osla, osla; name each agent once"),
        ({"precision": 0.0, "compare": ("osla",)}, ParameterError,
         "compare cannot be osla without a precision; add --precision"),
    ],
)  # fmt: skip
def test_what_cannot_be_had_is_refused(options: dict[str, object], error: type[TagError], sentence: str) -> None:
    said: dict[str, object] = {"precision": 0.1, **options}
    with pytest.raises(error) as raised:
        define("tic_tac_toe", ("osla", "random"), 5, **said)  # type: ignore[arg-type]
    assert str(raised.value) == sentence


def test_the_rule_is_the_librarys(folder: Path) -> None:
    by_hand = FixedWidth(0.05, 4)
    looks = [by_hand.add(row) for row in block_means(folder).to_numpy()]
    assert looks.index(True) + 1 == stopping(folder).blocks
