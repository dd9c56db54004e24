"""Foreign and edited shards: of another tournament, or with rows that are not those of the schedule. None ever counts."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from commands import run_tag
from written_shards import write_shard

from tag.catalogue.user_code import forget_changed_files
from tag.errors import DataError
from tag.orders import forget_user_code, play_order
from tag.tournaments import PlayedGame, content_hash, define, read_ledger
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.ledger.folder import Folder
from tag.tournaments.ledger.writing import Ledger
from tag.tournaments.results.tournament import read_results

pytestmark = pytest.mark.flow

BOT = """
from tag.playing.agent import Agent

class Bot(Agent):
    def act(self, observation, actions):
        return actions[{place}]
"""

#: Tournaments of several games, players and designs.
TOURNAMENTS: dict[str, TournamentDefinition] = {
    "tic_tac_toe": define("tic_tac_toe:size=4", ("random", "osla"), 3, seed=3),
    "love_letter": define("love_letter", ("random", "osla", "flat_mc:budget=20"), 2, players=3, seed=5),
    "drawn variants": define("tic_tac_toe", ("random", "osla"), 4, seed=2, draw=("size=3,4",)),
    "exhaustive": define("cant_stop", ("random", "random"), 2, players=2, seed=1, design="exhaustive"),
    "balanced": define("love_letter", ("random",) * 5, 2, players=2, seed=7, design="balanced"),
    "swiss": define("tic_tac_toe", ("random", "osla", "random", "random"), 2, seed=4, design="swiss"),
}


def played(definition: TournamentDefinition, folder: Path) -> Path:
    """Play the known games of a tournament into one shard of each kind, and return its folder."""
    with Folder.locked(folder, definition):
        ledger = Ledger(folder, definition)
        ledger.append([PlayedGame(pairing, play_order(definition.order(pairing))) for pairing in definition.schedule()])
        ledger.merge()
    return folder


def shard(folder: Path, kind: str = "games") -> Path:
    (found,) = (folder / "ledger").glob(f"{kind}-*.parquet")
    return found


def is_counted(folder: Path) -> bool:
    """Say whether any command counts what is in the ledger; refusals are sentences that name the shard."""
    found = run_tag("results", folder)
    assert found.exit_code in (0, 2), found.output
    if found.exit_code == 2:
        assert "run the tournament again to set it aside" in found.stderr
        assert ".parquet" in found.stderr
    return found.exit_code == 0


def check_mended(folder: Path, definition: TournamentDefinition, expected: str) -> None:
    """Check that going on sets the shard aside, names it once and plays the games again."""
    with Folder.locked(folder, definition):
        ledger = Ledger(folder, definition)
        (sentence,) = ledger.quarantined
        assert sentence.endswith("nothing in it counts")
        there, _faults = ledger.history()
        missing = [pairing for pairing in definition.schedule() if pairing not in there]
        assert missing
        ledger.append([PlayedGame(pairing, play_order(definition.order(pairing))) for pairing in missing])
    assert content_hash(folder) == expected


# --- shards of another tournament ---------------------------------------------------------------------------------------


def others_of(definition: TournamentDefinition) -> Iterator[tuple[str, TournamentDefinition]]:
    """Yield tournaments that differ from one in a single respect."""
    agents = definition.agents
    options: dict[str, Any] = {**definition.options, "players": definition.players, "rules": definition.rules}
    same = {"game": definition.game, "agents": agents, "blocks": definition.blocks, "seed": definition.seed, **options}

    def other(**changes: Any) -> TournamentDefinition:
        return define(**{**same, **changes})

    yield "seed", other(seed=definition.seed + 1)
    if agents[0] != agents[1]:
        yield "agents swapped", other(agents=(agents[1], agents[0], *agents[2:]))
    yield "another agent", other(agents=("rmhc:budget=30", *agents[1:]))
    yield "another parameter of an agent", other(agents=(*agents[:-1], "osla:heuristic=score"))
    yield "rules", other(rules=replace(definition.rules, on_illegal="forfeit"))
    yield "design", other(design="self_play")
    if not definition.draw:
        yield "game", other(game="connect_four" if definition.players == 2 else "cant_stop")
    if definition.game.startswith("love_letter"):
        yield "players", other(players=5 - definition.players, design="round_robin")


@pytest.mark.system
def test_no_shard_of_another_tournament_counts(tmp_path: Path) -> None:
    cases, counted = 0, []
    for name, definition in TOURNAMENTS.items():
        own = played(definition, tmp_path / name)
        expected = content_hash(own)
        for what, other in others_of(definition):
            theirs = played(other, tmp_path / f"{name}, other {what}")
            folder = tmp_path / f"{name}, {what}"
            shutil.copytree(own, folder)
            shard(folder).unlink()
            shutil.copy(shard(theirs), folder / "ledger")
            cases += 1
            if is_counted(folder):
                counted.append((name, what))
            else:
                check_mended(folder, definition, expected)
    assert cases > 30
    assert not counted


def test_another_text_of_a_users_file_is_another_tournament(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    folders = []
    for place in (0, -1):
        bot.write_text(BOT.format(place=place))
        forget_changed_files()
        forget_user_code()
        definition = define("tic_tac_toe", (str(bot), "random"), 2, seed=1)
        folders.append(played(definition, tmp_path / f"t{place}"))
    expected = content_hash(folders[1])
    assert content_hash(folders[0]) != expected
    shard(folders[1]).unlink()
    shutil.copy(shard(folders[0]), folders[1] / "ledger")
    assert not is_counted(folders[1])
    check_mended(folders[1], definition, expected)


def test_an_edited_definition_does_not_mix_games(tmp_path: Path) -> None:
    folder = played(TOURNAMENTS["tic_tac_toe"], tmp_path / "t")
    path = folder / "tournament.json"
    content = json.loads(path.read_text())
    for name, value in {"seed": 4, "players": 3, "game": "tic_tac_toe", "on_illegal": "forfeit"}.items():
        path.write_text(json.dumps({**content, "definition": {**content["definition"], name: value}}))
        found = run_tag("results", folder)
        assert found.exit_code == 2, name
        assert f"its {name} is " in found.stderr


@pytest.mark.parametrize("added", [{"blocks": 4}, {"agents": ("random", "osla", "random")}])
def test_an_extended_tournament_keeps_its_shards(tmp_path: Path, added: dict[str, Any]) -> None:
    definition = TOURNAMENTS["tic_tac_toe"]
    longer = replace(definition, **added)
    folder = played(definition, tmp_path / "t")
    before = len(read_ledger(folder)[0])
    with Folder.locked(folder, longer):
        ledger = Ledger(folder, longer)
        assert ledger.quarantined == []
        rest = [pairing for pairing in longer.schedule() if pairing not in ledger.history()[0]]
        assert len(rest) == len(longer.schedule()) - before
        ledger.append([PlayedGame(pairing, play_order(longer.order(pairing))) for pairing in rest])
        assert ledger.compact(len(longer.schedule()))
    at_once = played(longer, tmp_path / "at_once")
    assert shard(folder).name == shard(at_once).name


@pytest.mark.parametrize("text", ["", "{}", "[]", "3", "null", '{"definition": 3}', "[" * 100_000, "\udcff"])
@pytest.mark.parametrize("key", [b"tournament", b"agents"])
def test_odd_metadata_are_refused(tmp_path: Path, key: bytes, text: str) -> None:
    folder = played(TOURNAMENTS["tic_tac_toe"], tmp_path / "t")
    table = pq.read_table(shard(folder))
    shard(folder).unlink()
    odd = text.encode("utf-8", "surrogateescape")
    write_shard(folder, table.replace_schema_metadata({**table.schema.metadata, key: odd}))
    assert not is_counted(folder)
    alone = tmp_path / "alone"
    shutil.copytree(folder / "ledger", alone / "ledger")
    write_shard(alone, table, number=3)
    if key == b"tournament":
        with pytest.raises(DataError, match="several tournaments"):
            read_ledger(alone / "ledger")


# --- edited rows --------------------------------------------------------------------------------------------------------

Row = dict[str, Any]


def set_in(row: Row, name: str, value: Any) -> None:
    row[name] = value


#: Edits of a row of a game.
EDITS: dict[str, Callable[[Row], None]] = {
    "seed": lambda row: set_in(row, "seed", row["seed"] ^ 1),
    "agents": lambda row: set_in(row, "agents", row["agents"][::-1]),
    "an agent that there is not": lambda row: set_in(row, "agents", [99, *row["agents"][1:]]),
    "a negative agent": lambda row: set_in(row, "agents", [-1, *row["agents"][1:]]),
    "game": lambda row: set_in(row, "game", "connect_four"),
    "no game": lambda row: set_in(row, "game", ""),
    "parameters": lambda row: set_in(row, "game", f"{row['game']}:size=5"),
    "block": lambda row: set_in(row, "block", row["block"] + 1),
    "block beyond the last": lambda row: set_in(row, "block", 10_000),
    "negative block": lambda row: set_in(row, "block", -1),
    "match-up": lambda row: set_in(row, "matchup", row["matchup"] + 1),
    "seating": lambda row: set_in(row, "seating", row["seating"] + 1),
    "id": lambda row: set_in(row, "game_id", f"{row['game_id']}0"),
    "id of another spelling": lambda row: set_in(row, "game_id", row["game_id"].replace("b", "b0")),
    "one player more": lambda row: row.update({name: [*row[name], row[name][-1]] for name in SEATED}),
    "no players": lambda row: row.update({name: [] for name in SEATED}),
    "one place less": lambda row: set_in(row, "ordinals", row["ordinals"][1:]),
    "a result that there is not": lambda row: set_in(row, "results", [7, *row["results"][1:]]),
    "a fault of no player": lambda row: set_in(row, "faults", [{"kind": "hang", "seat": 9, "tick": 1}]),
}
SEATED = ("agents", "results", "ordinals", "teams", "scores", "decisions")
#: In designs that depend on results, only `tag verify` compares who sits where.
LATER = {"swiss": ("agents",)}


def test_no_edited_row_counts(tmp_path: Path) -> None:
    cases, counted = 0, []
    for name, definition in TOURNAMENTS.items():
        own = played(definition, tmp_path / name)
        table = pq.read_table(shard(own))
        for what, edit in EDITS.items():
            rows = table.to_pylist()
            row = rows[len(rows) * cases // 7 % len(rows)]
            former = dict(row)
            edit(row)
            if row == former or len({*row["agents"]}) < len(row["agents"]) == definition.players:
                continue  # the same agent in all seats
            folder = tmp_path / f"{name}, {what}"
            shutil.copytree(own, folder)
            shard(folder).unlink()
            edited = pa.Table.from_pylist(rows, table.schema)
            write_shard(folder, edited)
            cases += 1
            if is_counted(folder):
                counted.append((name, what))
    assert cases > 90
    assert all(what in LATER.get(name, ()) for name, what in counted), counted


def test_edited_seats_of_random_tables_are_found_when_the_tournament_goes_on(tmp_path: Path) -> None:
    definition = TOURNAMENTS["balanced"]
    folder = played(definition, tmp_path / "t")
    expected = content_hash(folder)
    table = pq.read_table(shard(folder))
    rows = table.to_pylist()
    of_a_matchup = [row for row in rows if row["block"] == rows[3]["block"] and row["matchup"] == rows[3]["matchup"]]
    assert len(of_a_matchup) == definition.players
    for row in of_a_matchup:
        EDITS["agents"](row)
    assert of_a_matchup[0]["agents"] != table["agents"].to_pylist()[rows.index(of_a_matchup[0])]
    shard(folder).unlink()
    write_shard(folder, pa.Table.from_pylist(rows, table.schema))
    check_mended(folder, definition, expected)


@pytest.mark.parametrize("kind", ["timings", "measures", "actions"])
def test_other_kinds_of_foreign_shards_are_set_aside_too(tmp_path: Path, kind: str) -> None:
    definition = define("love_letter", ("random", "osla"), 2, seed=1, metrics=("lead",), record_actions=True)
    folder = played(definition, tmp_path / "t")
    other = played(replace(definition, seed=2), tmp_path / "other")
    shutil.copy(shard(other, kind), folder / "ledger")
    with Folder.locked(folder, definition):
        (sentence,) = Ledger(folder, definition).quarantined
    assert sentence.startswith(f"{kind}-000000-")
    assert "is not of this tournament (its seed is 2, not 1)" in sentence


# --- what is no harm ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_doubled_rows_and_renumbered_shards_count_once(tmp_path: Path, name: str) -> None:
    definition = TOURNAMENTS[name]
    folder = played(definition, tmp_path / "t")
    expected, games = content_hash(folder), read_results(folder).games
    table = pq.read_table(shard(folder))
    write_shard(folder, pa.concat_tables([table, table.slice(1, 3)]), number=4)
    write_shard(folder, table.slice(2), number=2)
    assert content_hash(folder) == expected
    assert read_results(folder).games == games
    with Folder.locked(folder, definition):
        assert Ledger(folder, definition).quarantined == []


def test_a_shard_under_the_name_of_another_kind_is_refused(tmp_path: Path) -> None:
    folder = played(TOURNAMENTS["tic_tac_toe"], tmp_path / "t")
    timings = shard(folder, "timings")
    shard(folder).unlink()
    timings.rename(timings.with_name(timings.name.replace("timings", "games")))
    assert not is_counted(folder)
