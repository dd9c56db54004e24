"""If all games of a tournament are played again, no interval, p value or decision changes; rules that wait for more end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tag.tournaments import define, read_results, run_tournament
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.designs.games import game_id_of
from tag.tournaments.ledger import rows, storage
from tag.tournaments.ledger.folder import FOLDER, Folder, read_manifest
from tag.tournaments.ledger.identity import Binding
from tag.tournaments.ledger.rows import PLACE
from tag.tournaments.results.analysis.claims import points_difference
from tag.tournaments.results.analysis.heuristics import read_comparison
from tag.tournaments.results.copies.agents import read_copies
from tag.tournaments.results.measures import read_event
from tag.tournaments.results.tournament import counted_seats, rate
from tag.tournaments.statistics.standings import seat_points

pytestmark = pytest.mark.flow


def play(definition: TournamentDefinition, folder: Path) -> Path:
    run_tournament(definition, folder, tracking=False)
    return folder


def again(folder: Path, times: int, to: Path) -> Path:
    """Write a tournament in which all blocks of ``folder`` have been played so often, one round after the other.

    Its games have the seeds of their places, and went as those of ``folder`` did.
    """
    manifest = read_manifest(folder)
    blocks = manifest.definition.blocks
    longer = replace(manifest.definition, blocks=times * blocks)
    (to / FOLDER).mkdir(parents=True)
    replace(manifest, definition=longer).write(to)
    seeds = {pairing.game_id: longer.order(pairing).seed for pairing in longer.schedule()}
    opened = Folder.open(folder)
    binding = Binding(longer, manifest.versions, manifest.sources)
    for number in range(times):
        for kind in ("timings", "measures", "games"):
            table = opened.shards.table(kind)
            if not len(table):
                continue
            places = [table[name].to_numpy().astype(np.int64) for name in PLACE]
            places[0] = places[0] + number * blocks
            ids = [game_id_of(*place) for place in zip(*(values.tolist() for values in places), strict=True)]
            columns: dict[str, Any] = {"block": places[0], "game_id": ids}
            if kind == "games":
                columns["seed"] = [seeds[game_id] for game_id in ids]
            for name, values in columns.items():
                field = table.schema.field(name)
                table = table.set_column(table.schema.names.index(name), field, pa.array(values, field.type))
            described = rows.described(table.schema, rows.entries_of(table.schema), binding.text)
            storage.write_shard(to / FOLDER, kind, number + 1, table.replace_schema_metadata(described.metadata))
    return to


#: What counts games and blocks, or is a sum over them.
COUNTS = {
    "games",
    "blocks",
    "wins",
    "decisions",
    "faults",
    "independent",
    "values",
    "different",
    "total",
    "design_effect",
}
COUNTS |= {"correlation", "content_hash", "effective_blocks", "repeats", "complete", "at_most", "text", "is_decided"}
COUNTS |= {"decision_ms", "decision_cpu_ms", "is_exhausted"}


def numbers(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield all that is no count, with its name."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key not in COUNTS:
                yield from numbers(part, f"{name}.{key}")
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from numbers(part, f"{name}[{place}]")
    else:
        yield name, value


def claims(folder: Path) -> dict[str, Any]:
    """Return all that claims an error in a tournament, by name."""
    results = read_results(folder)
    labels = read_manifest(folder).definition.labels
    found = dict(numbers(results.to_json(), "results"))
    found |= numbers(rate(folder).to_json(), "ratings")
    seats = counted_seats(folder)
    found |= numbers(seat_points(seats)[["mean", "low", "high"]].to_numpy().tolist(), "seats")
    difference = points_difference(seats, labels[0], labels[1])
    found |= numbers([difference.value, *difference.interval], "difference")
    for name, measure in read_event(folder).items():
        found |= numbers({key: measure.summary()[key] for key in ("mean", "low", "high")}, f"measures.{name}")
    for number, (_games, estimate) in enumerate(read_comparison([folder], labels).events[0].estimates()):
        found |= numbers([estimate.value, *estimate.interval], f"heuristics[{number}]")
    return found


CASES = [
    ("tic_tac_toe", ("random", "osla", "mcts:budget=8"), {}),
    ("connect_four", ("random", "mcts:budget=8", "osla", "rmhc:budget=8"), {}),
    ("nim", ("random", "osla"), {"sprt": "0,20"}),
    ("tic_tac_toe", ("random", "osla"), {"sprt": "-400,-395"}),
    ("othello", ("random", "osla"), {"sprt": "0,60", "metrics": ("turns",)}),
    ("tic_tac_toe", ("random", "osla", "mcts:budget=8"), {"precision": 0.05}),
    ("tic_tac_toe", ("random", "osla", "mcts:budget=8"), {"precision": 0.1, "compare": ("random",)}),
    ("dots_and_boxes", ("random", "osla", "rmhc:budget=8"), {"design": "ladder"}),
]


@pytest.mark.parametrize(("game", "agents", "options"), CASES)
@pytest.mark.parametrize("times", [2, 5])
def test_nothing_is_claimed_from_games_that_repeat(
    game: str, agents: tuple[str, ...], options: dict[str, Any], times: int, tmp_path: Path
) -> None:
    definition = define(game, agents, 8, seed=3, **options)
    once = play(definition, tmp_path / "once")
    assert read_results(once).games == len(definition.schedule())  # not decided before all blocks are played
    before, after = claims(once), claims(again(once, times, tmp_path / "again"))
    assert before.keys() == after.keys()
    assert len(before) > 30
    # Of five rounds a rule sees two and a quarter, until no game is new any more.
    is_cut = times == 5 and {"sprt", "precision"} & options.keys()
    for name, value in before.items():
        if is_cut and name.startswith("results.stopping.") and not name.endswith(".decision"):
            continue
        assert after[name] == (pytest.approx(value, rel=1e-6, abs=1e-9) if isinstance(value, float) else value), name


@pytest.mark.parametrize(("game", "agent"), [("connect_four", "mcts:budget=6"), ("tic_tac_toe", "random")])
def test_the_noise_between_copies_is_that_of_different_games(game: str, agent: str, tmp_path: Path) -> None:
    definition = define(game, (agent, agent), 9, seed=2)
    once = play(definition, tmp_path / "once")
    found = []
    for folder in (once, again(once, 3, tmp_path / "again")):
        noise = read_copies(read_results(folder), read_manifest(folder).definition)
        assert noise is not None
        found.append(
            (
                [noise.points.sd, noise.points.relative_error, noise.points.blocks, noise.ratings.sd],
                [[*copy.interval, *copy.rating_interval] for copy in noise.copies],
                [[seat.value, *seat.interval] for seat in noise.seats],
            )
        )
    for before, after in zip(*found, strict=True):
        assert np.array(after) == pytest.approx(np.array(before), rel=1e-6, nan_ok=True)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"sprt": "0,10"}, "SPRT [0, 10] Elo: undecided, as no game is new any more, after 11 blocks (1 independent"),
        ({"precision": 0.02}, "precision ± 0.02 points: undecided, as no game is new any more, after 11 blocks (1 in"),
        ({"design": "best_agent"}, "best agent: undecided, as no game is new any more, after"),
    ],
)
@pytest.mark.parametrize("game", ["tic_tac_toe", "connect_four"])
def test_a_tournament_ends_where_no_game_is_new_any_more(
    game: str, options: dict[str, Any], sentence: str, same: tuple[str, str], tmp_path: Path
) -> None:
    results = run_tournament(define(game, same, 100_000, seed=1, **options), tmp_path / "t", tracking=False)
    assert results.complete
    assert results.games < 100
    assert results.stopping is not None
    assert results.stopping.is_exhausted
    assert results.stopping.text.startswith(sentence)
    at_once = results.stopping
    resumed = run_tournament(define(game, same, 100_000, seed=1, **options), tmp_path / "t", tracking=False)
    assert (resumed.games, resumed.stopping) == (results.games, at_once)


def test_different_games_between_the_repeated_ones_are_waited_for(same: tuple[str, str], tmp_path: Path) -> None:
    """Random agents never run out of games, and are not stopped as if they did."""
    results = run_tournament(define("tic_tac_toe", ("random", "osla"), 40, sprt="-5,5"), tmp_path / "t", tracking=False)
    assert results.stopping is not None
    assert not results.stopping.is_exhausted
    assert results.stopping.blocks == results.stopping.independent
