"""A column of the standings is declared once, and every medium has it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tag.tournaments import define, read_results, run_tournament
from tag.tournaments.reports.html.page import page_html
from tag.tournaments.reports.sections import standings
from tag.tournaments.reports.sections.section import Column
from tag.tournaments.reports.sections.tournament import tournament_page
from tag.tournaments.reports.text import results_text, standings_markdown
from tag.tournaments.tracking.tournaments import TournamentContents
from tag.tournaments.web.live.tournament import LiveTournament
from tag.tournaments.web.server import fragment

pytestmark = pytest.mark.flow

GAMES = {"versus": ("tic_tac_toe", ("osla", "random")), "together": ("pandemic", ("random", "osla"))}


@pytest.fixture(scope="module", params=GAMES)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    game, agents = GAMES[request.param]
    folder = tmp_path_factory.mktemp("columns") / request.param
    run_tournament(define(game, agents, 2, seed=1), folder, tracking=False)
    return folder


#: Fields of standings without a column.
FIELDS = sorted({"blocks", "decisions", "effective_games"} - set(standings.COLUMNS))


def test_there_are_fields_without_a_column() -> None:
    assert FIELDS


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("name", FIELDS)
def test_a_new_column_is_in_every_medium(
    name: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meaning = "what nothing else says"
    column = Column("a new column", form=".1f", meaning=meaning, metric="result")
    results, contents, work = read_results(folder), TournamentContents(folder), LiveTournament(folder, "")

    def media(scratch: Path) -> dict[str, str]:
        scratch.mkdir()
        contents.read()
        live: list[Any] = list(work.parts()[0]())
        return {
            "terminal": results_text(results, 200),
            "Markdown": standings_markdown(results.standings),
            "page": page_html(tournament_page(folder)),
            "live": "".join(fragment("section.html.jinja", section=one, address="/") for one in live),
            "metrics": " ".join(contents.results(scratch).metrics),
        }

    before = media(tmp_path / "before")
    monkeypatch.setitem(standings.COLUMNS, name, column)
    after = media(tmp_path / "after")
    for medium in ("terminal", "Markdown", "page", "live"):
        assert ("a new column" in before[medium], "a new column" in after[medium]) == (False, True), medium
    assert f'title="{meaning}"' in after["live"]
    assert f"{name}/osla" not in before["metrics"]
    assert f"{name}/osla" in after["metrics"]
    values = {f"{getattr(one, name):.1f}" for one in results.standings}
    assert all(value in after["terminal"] and value in after["Markdown"] for value in values)
