"""Labels of received files: whatever is in them, outputs have no character that acts on a terminal or a page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from commands import run_tag
from hypothesis import given
from hypothesis import strategies as st

from tag.engine.text_files import printable_values
from tag.errors import printable
from tag.table.game import Start
from tag.table.tree import SavedGame
from tag.tournaments import define, run_tournament
from tag.tournaments.ledger import storage

pytestmark = pytest.mark.flow

#: A terminal sequence, a mark of direction, line ends, a NUL, a lone surrogate, and a script.
ODD = "\x1b[2J\u202eevil\u2066\r\n\x00\x9b31m\ud800<script>alert(1)</script>"
COMMANDS = (
    *("results", "results --by-machine", "results --json", "ratings", "ratings --json", "status", "status --json"),
    *(
        "export:crosstable",
        "export:standings",
        "export:pairs",
        "export:games",
        "export:seats",
        "export:json",
        "export:pgn",
    ),
    *("export:actions", "replay:b0-m0-s0"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament whose agents, workers and messages were renamed by whoever sent it."""
    folder = tmp_path_factory.mktemp("received") / "odd"
    definition = define("tic_tac_toe", ("random", "osla"), 2, seed=1, record_actions=True)
    run_tournament(definition, folder, tracking=False)
    manifest = folder / "tournament.json"
    content = json.loads(manifest.read_text())
    content["definition"]["agents"][0] += ODD
    content["versions"]["tag"] += ODD
    manifest.write_text(json.dumps(content))
    for shard in sorted((folder / "ledger").glob("*.parquet")):
        _rename(shard)
    return folder


def _rename(shard: Path) -> None:
    """Rename the agents and workers in a shard, whose name has the digest of its bytes."""
    table = pq.read_table(shard)
    metadata = table.schema.metadata
    agents = json.loads(metadata.get(b"agents", b"[]"))
    if agents:
        agents[0] += ODD
        binding = json.loads(metadata[b"tournament"])
        binding["versions"]["tag"] += printable(ODD)
        words = {b"agents": json.dumps(agents).encode(), b"tournament": json.dumps(binding).encode()}
        table = table.replace_schema_metadata({**metadata, **words})
    if "worker" in table.column_names:
        odd = pa.array([ODD.replace("\ud800", "")] * len(table), pa.string())
        table = table.set_column(table.schema.get_field_index("worker"), table.schema.field("worker"), odd)
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink)
    data = sink.getvalue()
    kind, number, _digest = shard.name.split("-")
    shard.unlink()
    shard.with_name(f"{kind}-{number}-{storage._digest(data)}.parquet").write_bytes(data)


def _check(text: str) -> None:
    """Check that all lines of an output can be shown anywhere."""
    odd = {letter for line in text.split("\n") for letter in line if not letter.isprintable()}
    assert not odd, sorted(map(ascii, odd))


@pytest.mark.parametrize("command", COMMANDS)
def test_outputs_have_no_control_characters(folder, command):
    name, _, what = command.partition(":")
    words = name.split()
    result = run_tag(words[0], folder, *([what] if what else []), *words[1:])
    assert result.exit_code in (0, 2), result.output
    assert result.exit_code == 0 or "tag's own" not in result.output
    _check(result.output)
    if result.exit_code == 0:
        assert "evil" in result.output or what in ("games", "actions")


def test_reports_show_labels_as_text(folder, tmp_path):
    page = tmp_path / "report.html"
    done = run_tag("report", folder, "--out", page)
    assert done.exit_code == 0, done.output
    text = page.read_text()
    assert "evil" in text
    assert "alert(1)</script>" not in text
    assert "<script>alert" not in text
    _check(text)


def test_saved_games_and_logs_are_read_as_text(folder, tmp_path):
    saved = tmp_path / "saved.json"
    SavedGame(Start("tic_tac_toe", 2, 1), ("human", "random")).save(saved)
    content: dict[str, Any] = {**json.loads(saved.read_text()), "seats": ["human", f"random{ODD}"]}
    saved.write_text(json.dumps(content))
    _check("".join(SavedGame.load(saved).seats))
    log = tmp_path / "log.jsonl"
    done = run_tag("export", folder, "actions", "--games", "b0-m0-s0")
    assert done.exit_code == 0, done.output
    line = json.loads(done.stdout.splitlines()[0])
    log.write_text(json.dumps({**line, "agents": [f"random{ODD}", "osla"]}) + "\n")
    result = run_tag("replay", log, "b0-m0-s0")
    assert result.exit_code == 0
    assert "evil" in result.output
    _check(result.output)


@given(st.text() | st.text(alphabet=st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zp", "Co", "Cn"])))
def test_printable_text_is_printable_encodable_and_stays(text):
    shown = printable(text)
    assert shown.isprintable()
    shown.encode()
    assert printable(shown) == shown
    if text.isprintable():
        assert shown == text
    if not re.search(r"\\", text):
        assert shown.encode("ascii", "backslashreplace").decode("unicode_escape") == text or not text.isascii()


def test_values_are_escaped_at_any_depth_but_the_text_of_files_stays():
    odd = {"a\n": [{"b": "\x1b"}, 1, None, True], "sources": {"x.py": "def f():\n    pass\n"}}
    assert printable_values(odd) == {r"a\n": [{"b": r"\x1b"}, 1, None, True], "sources": odd["sources"]}
