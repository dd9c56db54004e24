"""The tables and the HTML report of an analysis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pandas as pd
from rich.table import Table as TerminalTable

from tag.catalogue.registry import game_class
from tag.engine.forward_model import GameType
from tag.engine.parameters import parse_spec
from tag.playing.metrics import METRICS, is_share, is_share_of_games
from tag.tournaments.ledger.storage import write_whole
from tag.tournaments.reports.figures import distribution_figure, estimate_figure, measure_course_figure, speed_figure
from tag.tournaments.reports.html.figures import Figure, series_colour, series_variable
from tag.tournaments.reports.html.page import page_html
from tag.tournaments.reports.sections.section import (
    Block,
    Cell,
    Column,
    Definitions,
    Figures,
    Folded,
    Heading,
    Key,
    Page,
    Paragraph,
    Section,
    TableData,
    begun_text,
    number,
    table,
)
from tag.tournaments.reports.terminal import table_text
from tag.tournaments.results.analysis.definition import AnalysedGame, AnalysisResults
from tag.tournaments.results.analysis.heuristics import POINTS_WITH
from tag.tournaments.results.analysis.luck import LUCK, OF_SOURCE, POINTS
from tag.tournaments.results.analysis.skill import GAIN_AT, SKILL
from tag.tournaments.results.measures import SPEEDS, describe
from tag.tournaments.statistics.intervals import ends_text

_SPEED: Final = "speed:"
_PER_SECOND: Final = "k/s"
#: The tables: title, then columns by measure; a speed by its function.
_TABLES: Final[dict[str, dict[str, Column]]] = {
    "What players choose from, what is on the table, and how fast it is": {
        "actions": Column("actions"),
        "branching": Column("branching"),
        "components": Column("components"),
        "hidden": Column("hidden", "%"),
        "speed:setup": Column("setup", _PER_SECOND),
        "speed:next": Column("next", _PER_SECOND),
        "speed:actions": Column("actions", _PER_SECOND),
        "speed:copy": Column("copy", _PER_SECOND),
    },
    "How long it takes, and what rewards there are on the way": {
        "decisions": Column("decisions"),
        "ticks": Column("ticks"),
        "rounds": Column("rounds"),
        "actions_per_turn": Column("actions/turn"),
        "heuristic": Column("heuristic"),
        "single_actions": Column("no choice", "%"),
    },
    "Who wins, and when": {
        "score": Column("score"),
        "decided": Column("won", "%"),
        "first_seat": Column("first seat", "%"),
        "lead_changes": Column("lead changes"),
        "decided_at": Column("decided at", "%"),
        "drama": Column("drama"),
        "skill": Column("skill", "%"),
        "team_skill": Column("team skill", "%"),
        "team_points": Column("team points"),
    },
    "Skill trace: what an agent gains as its budget doubles": {
        "skill_trace": Column("trace"),
        "skill_trace_decay": Column("with decay"),
        "skill_kept": Column("kept"),
    },
    "How much the deal decides": {
        "luck": Column("luck", "%"),
        "luck_outside": Column("seeds outside", "%"),
        "seed_span": Column("span"),
        "seed_span_90": Column("90 % span"),
        "seed_entropy": Column("entropy"),
        "variance_games": Column("variance"),
        "variance_pairs": Column("of pairs"),
        "variance_blocks": Column("of blocks"),
    },
}
#: Measures with a name in them, each shown with its interval: the title of their table, and what they are.
_NAMED: Final = {
    GAIN_AT: (
        "Gain from half of each budget to the whole",
        "share of what can be gained: the points, beyond an equal share, of one player with a budget of {} against others "
        "with half of it",
    ),
    OF_SOURCE: (
        "How much each source of chance decides alone",
        "share of the variance of results that is decided by the {} alone",
    ),
    POINTS_WITH: (
        "Points per game with each heuristic",
        "share of the points of a game, 1 for a win and shared in a draw, with the heuristic {}",
    ),
}
#: Measures shown with their 95 % intervals; all others have the range of nine tenths of the values.
_ESTIMATES: Final = frozenset(["decided", "first_seat", "luck", "luck_outside", *SKILL])
#: Measures of luck that are figures alone, without an interval or a spread.
_ALONE: Final = frozenset(LUCK) - _ESTIMATES - {POINTS}
#: Explanation of the tables.
NOTE: Final = (
    "Means, each game counting once, with the range of nine tenths of all values, or in brackets the 95 % interval where "
    "a rate is estimated. Speeds are medians in thousand calls per second of CPU time, with the range of nine tenths of "
    "the samples."
)


def summary_tables(results: AnalysisResults) -> Iterator[TableData]:
    """Yield the tables, each with one row per event, without empty columns."""
    measured = _by_event(results.summary) | _by_event(_speeds(results.speed))
    measures = [str(name) for name in results.summary["measure"].unique()]
    named = {
        title: {name: Column(name.removeprefix(prefix), "%") for name in measures if name.startswith(prefix)}
        for prefix, (title, _about) in _NAMED.items()
    }
    for title, columns in {**_TABLES, **named}.items():
        frame = _frame(results, columns, measured)
        shown = {name: column for name, column in columns.items() if frame[name].notna().any()}
        if shown:
            yield table(frame, title, ("game", "players"), shown)
    if not results.heuristics.empty:
        yield from _heuristic_tables(results)


def _heuristic_tables(results: AnalysisResults) -> Iterator[TableData]:
    """Yield the comparison of heuristics over all events, and how often each is placed above each other."""
    found = results.heuristics
    ranks = [
        Cell(f"{row['mean_rank']:.2f}", f"[{row['low']:.2f}, {row['high']:.2f}]") for row in found.to_dict("records")
    ]
    shares = [
        Cell("yes" if row["on_front"] else "no", f"{100.0 * row['front_share']:.0f} %")
        for row in found.to_dict("records")
    ]
    shown = found.assign(rank=pd.Series(ranks, found.index), front=pd.Series(shares, found.index))
    columns = {"rank": Column("mean rank"), "best": Column("best in"), "front": Column("on the Pareto front")}
    events = len(results.manifest.definition.compared_events)
    yield table(shown, f"Heuristics over {events} events", ("heuristic",), columns)
    pairs = results.heuristic_pairs
    cells = [
        Cell(f"{100.0 * row['share']:.0f}", f"[{100.0 * row['low']:.0f}, {100.0 * row['high']:.0f}]")
        for row in pairs.to_dict("records")
    ]
    matrix = pairs.assign(cell=pd.Series(cells, pairs.index)).pivot(index="heuristic", columns="other", values="cell")
    order = found["heuristic"].tolist()
    against = {name: Column(name, "%") for name in order}
    matrix = matrix.loc[order, order].astype(object)
    yield table(
        matrix.where(matrix.notna(), None).reset_index(), "Games above each other heuristic", ("heuristic",), against
    )


def progress_text(results: AnalysisResults) -> str:
    """Return how many games have been played, in a sentence."""
    games = f"{results.games:,} of {results.total:,} games have been played"
    return f"{games}." if results.complete else f"{games}; the figures follow when all have been."


def analysis_text(results: AnalysisResults, width: int | None = None) -> str:
    """Return how far an analysis is, and the tables of one that is complete."""
    return "\n\n".join([progress_text(results), *([tables_text(results, width)] if results.complete else [])])


def tables_text(results: AnalysisResults, width: int | None = None) -> str:
    """Return all tables as plain text without control codes, ``width`` columns at most."""
    return "\n\n".join(table_text(_for_terminal(found), width) for found in summary_tables(results))


def _frame(
    results: AnalysisResults, columns: Mapping[str, Column], measured: Mapping[tuple[Any, Any, Any], Any]
) -> pd.DataFrame:
    """Return a table's cells, None where an event has no such measure."""
    rows = []
    for event in results.manifest.definition.events:
        found = {name: measured.get((event.game, event.players, name)) for name in columns}
        cells = {name: row and _cell(name, row, columns[name].unit) for name, row in found.items()}
        rows.append({"game": event.game, "players": event.players, **cells})
    return pd.DataFrame(rows)


def _by_event(summary: pd.DataFrame) -> dict[tuple[Any, Any, Any], Any]:
    """Return the rows of a summary by game, players and measure."""
    return {(row["game"], row["players"], row["measure"]): row for row in summary.to_dict("records")}


def _speeds(speed: pd.DataFrame) -> pd.DataFrame:
    """Return the speed of each function as rows of a summary."""
    by = speed.groupby(["game", "players", "function"], sort=False)["per_second"]
    frame = pd.DataFrame({"mean": by.median(), "p5": by.quantile(0.05), "p95": by.quantile(0.95)}).reset_index()
    return frame.assign(measure=_SPEED + frame["function"])


def _prefix(measure: str) -> str:
    """Return the beginning of a measure with a name in it, empty for others."""
    return next((prefix for prefix in _NAMED if measure.startswith(prefix)), "")


def _cell(name: str, row: Mapping[Any, Any], unit: str) -> Cell | None:
    """Return the figure of a measure with its spread."""
    scale = {"%": 100.0, _PER_SECOND: 0.001}.get(unit, 1.0)
    if name in _ALONE:
        return Cell(f"{row['mean']:.3f}")
    is_estimate = name in _ESTIMATES or bool(_prefix(name))
    mean, low, high = (row.get(key) for key in (("mean", "low", "high") if is_estimate else ("mean", "p5", "p95")))
    if mean is None or low is None or high is None or pd.isna(mean):
        return None
    if is_estimate:
        form = ".1f" if unit else ".3f"
        return Cell(f"{scale * mean:{form}}", f"[{ends_text(scale * low, scale * high, form).replace(' … ', ', ')}]")
    return Cell(number(scale * mean), f"{number(scale * low)} … {number(scale * high)}")


def _for_terminal(found: TableData) -> TerminalTable:
    shown = TerminalTable(
        box=None, pad_edge=False, header_style="bold", title=found.caption, title_justify="left", title_style="bold"
    )
    for position, label in enumerate(found.labels):
        shown.add_column(label, justify="right" if position else "left", overflow="fold")
    for column in found.columns:
        heading = f"{column.heading}, {column.unit}" if column.unit else column.heading
        shown.add_column(heading, justify="right", overflow="fold")
    for first, rows in found.groups:
        for labels, cells in rows:
            shown.add_row(first, *labels, *map(_plain, found.columns, cells))
    return shown


def _plain(column: Column, cell: Cell) -> str:
    """Return a cell in a line; there is no room for the ranges of speeds."""
    if not cell.note or column.unit == _PER_SECOND:
        return cell.text
    return f"{cell.text} {cell.note}" if cell.note.startswith("[") else f"{cell.text} ({cell.note})"


#: Name of the file in the folder of the analysis.
REPORT: Final = "report.html"

#: The measures of winners, drawn with their intervals, and the reference of each, in percent.
_WHO_WINS: Final[dict[str, float | None]] = {
    "decided": None,
    "first_seat": 0.0,
    "skill": 50.0,
    "team_skill": 0.0,
    "luck": None,
    "luck_outside": 1.0,
}
#: Columns of distributions and summaries in the unit of the measure.
_VALUES: Final = ("low", "high", "mean", "sd", "min", "p5", "p25", "median", "p75", "p95", "max")

#: Measures of all games.
_ANY_GAME: Final = {**describe(METRICS), **SKILL, **LUCK}

_HOW_TO_READ: Final = (
    "Rows are numbers of players. Each distribution is scaled to its own peak; its outermost hundredth is left out. Below "
    "it: a dot for the median, a thick line for the middle half of the values, a thin one for nine tenths of them."
)
_STATISTICS: Final = (
    ("mean", "each game counts once, however many values it has"),
    ("95 % interval", "of the mean; games are independent of each other"),
    ("sd, min, 5 %, median, 95 %, max", "of all values of all games"),
)


def write_report(results: AnalysisResults, file: Path | None = None) -> Path:
    """Write the report of an analysis to a file, by default `REPORT` in its folder, and return its path.

    Raises:
        DataError: the file cannot be written.
    """
    path = file or results.folder / REPORT
    write_whole(path, report_html(results), "name a file with --out")
    return path


def report_html(results: AnalysisResults) -> str:
    """Return the report of an analysis; equal results give equal texts."""
    return page_html(report_page(results))


def report_page(results: AnalysisResults) -> Page:
    """Return the report of an analysis."""
    games = list(dict.fromkeys(event.game for event in results.manifest.definition.events))
    title = f"Analysis of {_game_type(games[0]).title}" if len(games) == 1 else f"Analysis of {len(games)} games"
    subtitle = "How large, long, fast, fair and dramatic they are, measured while they are played."
    return Page(title, subtitle, _facts(results), list(_sections(results, games)))


def _sections(results: AnalysisResults, games: Sequence[str]) -> Iterator[Section]:
    """Yield the sections of a report: figures of a complete analysis, and how far it is of another."""
    if not results.complete:
        yield Section("overview", "Overview", [Paragraph(progress_text(results))])
        return
    own = {event.game: _own_measures(results, event) for event in results.manifest.definition.events}
    yield Section("overview", "Overview", list(summary_tables(results)), NOTE)
    for at, game in enumerate(games):
        yield _GameReport(results, own[game], game, f"game-{at}").section()
    yield _legend(set(results.summary["measure"]), own)


def _facts(results: AnalysisResults) -> list[tuple[str, str]]:
    """Return the subject and conditions of the analysis."""
    definition = results.manifest.definition
    facts = [
        ("Players", f"{definition.agent}, in all seats"),
        ("Games", f"{definition.n_games:,} of each game and number of players"),
        ("Seed", str(definition.seed)),
        ("Measured by", results.manifest.version),
        ("Begun", begun_text(results.manifest.created)),
    ]
    if definition.seeds:
        luck = f"{definition.seeds:,} chance seeds, {definition.games_per_seed:,} games with each"
        facts.insert(2, ("Luck", luck))
    if definition.skill_agent:
        against = f"{definition.skill_agent} against half of its budget, about {definition.skill_games:,} games each"
        facts.insert(2, ("Skill depth", against))
    if definition.trace_agent:
        trace = f"{definition.doublings} doublings of the budget up to {definition.trace_agent}"
        facts.insert(2, ("Skill trace", f"{trace}, about {definition.skill_games:,} games each"))
    if definition.heuristic_agent:
        facts.insert(2, ("Heuristics", f"those of {definition.heuristic_agent}"))
    return facts


def _legend(measured: set[str], own: Mapping[str, Mapping[str, str]]) -> Section:
    """Return the section that explains all measures."""
    general = {name: text for name, text in _ANY_GAME.items() if name in measured}
    blocks: list[Block] = [Definitions(_defined(general))]
    for game, about in own.items():
        blocks += [Heading(f"Of {_heading(game)} alone"), Definitions(_defined(about))] if about else []
    blocks += [
        Heading("Speed"),
        Paragraph("Calls per second of CPU time, by one process, on positions of random games."),
        Definitions(list(SPEEDS.items())),
        Heading("Figures"),
        Definitions(_STATISTICS),
    ]
    return Section("measures", "Measures", blocks, "What is measured, and how the figures come about.")


def _defined(about: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(_title(name), text) for name, text in about.items()]


def _own_measures(results: AnalysisResults, event: AnalysedGame) -> dict[str, str]:
    """Return the measures of the metrics beside the game, and those with a name in them, with descriptions."""
    about = describe(results.manifest.definition.play(event).metrics)
    measured = results.summary[results.summary["game"] == event.game]["measure"].unique()
    for name in [str(name) for name in measured if _prefix(str(name))]:
        prefix = _prefix(name)
        about[name] = _NAMED[prefix][1].format(name.removeprefix(prefix))
    return {name: text for name, text in about.items() if name not in _ANY_GAME}


class _GameReport:
    """The section of one game type."""

    def __init__(self, results: AnalysisResults, own: Mapping[str, str], game: str, name: str) -> None:
        """Take the results of ``game``."""
        self._own = own
        self._about = {**_ANY_GAME, **own}
        self._game = game
        self._name = name
        self._summary = self._of_game(results.summary)
        self._courses = self._of_game(results.courses)
        self._bins = self._of_game(results.distributions)
        self._speed = self._of_game(results.speed)

        counts = sorted(int(players) for players in self._summary["players"].unique())
        self._colours = {players: series_colour(at, len(counts)) for at, players in enumerate(counts)}
        self._key = Key("players", [(series_variable(at, len(counts)), str(n)) for at, n in enumerate(counts)])

    def section(self) -> Section:
        """Return the section."""
        blocks: list[Block] = [self._key, Figures(list(self._wide_figures()), "wide")]
        blocks += [Heading("Who wins"), Figures(list(self._measures(_WHO_WINS)))]
        others = [measure for measure in _ANY_GAME if measure not in _WHO_WINS]
        blocks += [Heading("Distributions"), Paragraph(_HOW_TO_READ), Figures(list(self._measures(others)))]
        if self._own:
            blocks += [Heading(f"Of {_heading(self._game)} alone"), Figures(list(self._measures(self._own)))]
        blocks += [*self._constants(), Folded("All figures", [self._all_figures()])]
        return Section(self._name, _heading(self._game), blocks, _about_game(self._game))

    def _of_game(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the rows of this game, by number of players, with shares in percent."""
        found = frame[frame["game"] == self._game].sort_values("players", kind="stable")
        if "measure" in found:
            percent = found["measure"].map(self._unit) == "%"
            values = [column for column in _VALUES if column in found]
            found[values] = found[values].where(~percent, 100.0 * found[values])
        return found

    def _unit(self, measure: str) -> str:
        return "%" if is_share(self._about[measure]) or measure in _WHO_WINS else ""

    def _wide_figures(self) -> Iterator[Figure]:
        for measure, course in self._courses.groupby("measure", sort=False):
            text = f"{self._about[str(measure)]}; a line for the mean, a band for the middle half of the values"
            title = f"{_title(str(measure))} over the course of a game"
            yield measure_course_figure(
                self._figure(f"course-{measure}"), title, text, course, self._unit(str(measure)), self._colours
            )
        text = (
            "calls per second of CPU time; a dot for the median of the samples, a line from the slowest to the fastest"
        )
        yield speed_figure(self._figure("speed"), "Speed", text, self._speed, self._colours)

    def _measures(self, measures: Iterable[str]) -> Iterator[Figure]:
        """Yield a figure of each measure of the game that varies."""
        for measure in measures:
            rows = self._rows(measure)
            if measure in _ALONE:
                continue
            if self._is_estimate(measure) and not rows.empty:
                yield self._estimate(measure, rows)
            elif not rows.empty and not _is_constant(rows):
                yield self._distribution(measure, rows)

    def _estimate(self, measure: str, rows: pd.DataFrame) -> Figure:
        name, title, about, unit = self._words(measure)
        return estimate_figure(name, title, about, rows, unit, self._colours, _WHO_WINS.get(measure))

    def _distribution(self, measure: str, rows: pd.DataFrame) -> Figure:
        name, title, about, unit = self._words(measure)
        bins = self._bins[self._bins["measure"] == measure]
        return distribution_figure(name, title, about, bins, rows, unit, self._colours)

    def _words(self, measure: str) -> tuple[str, str, str, str]:
        """Return the name of a measure's figure, its title, its explanation, and the unit."""
        return self._figure(measure), _title(measure), self._about[measure], self._unit(measure)

    def _constants(self) -> list[Block]:
        """Return the text on measures whose values are all the same."""
        found = {measure: self._rows(measure) for measure in self._about if not self._is_estimate(measure)}
        words = [
            f"{_title(measure)}: {number(rows['median'].iloc[0])}{self._unit(measure) and ' %'}."
            for measure, rows in found.items()
            if not rows.empty and _is_constant(rows)
        ]
        return [Paragraph(f"Always the same: {' '.join(words)}")] if words else []

    def _is_estimate(self, measure: str) -> bool:
        return measure in _ESTIMATES or bool(_prefix(measure)) or is_share_of_games(self._about[measure])

    def _rows(self, measure: str) -> pd.DataFrame:
        return self._summary[self._summary["measure"] == measure]

    def _all_figures(self) -> Block:
        """Return the summary of all measures."""
        order = {measure: position for position, measure in enumerate(self._about)}
        rows = self._summary.sort_values(
            ["measure", "players"], key=lambda c: c.map(order) if c.name == "measure" else c
        )
        units = [f"{_title(measure)}{self._unit(measure) and ', %'}" for measure in rows["measure"]]
        intervals = [Cell(f"{number(row['low'])} … {number(row['high'])}") for row in rows.to_dict("records")]
        shown = rows.assign(measure=units, interval=pd.Series(intervals, rows.index))
        columns = {
            "games": Column("games"),
            "values": Column("values"),
            "mean": Column("mean"),
            "interval": Column("95 % interval"),
            "sd": Column("sd"),
            "min": Column("min"),
            "p5": Column("5 %"),
            "median": Column("median"),
            "p95": Column("95 %"),
            "max": Column("max"),
        }
        return table(shown, f"All figures of {_heading(self._game)}", ("measure", "players"), columns)

    def _figure(self, what: str) -> str:
        return f"{self._name}-{what}"


def _is_constant(rows: pd.DataFrame) -> bool:
    return bool(rows["min"].min() == rows["max"].max())


def _game_type(game: str) -> GameType:
    return game_class(parse_spec(game).name).game_type


def _heading(game: str) -> str:
    """Return the title of a game type, with its parameters if they are not the defaults."""
    values = parse_spec(game).values
    return ", ".join([_game_type(game).title, *(f"{name} {value}" for name, value in values.items())])


def _about_game(game: str) -> str:
    """Return the properties of a game type that are known without playing, in a line."""
    kind = _game_type(game)
    most = f" to {kind.max_players}" if kind.max_players > kind.min_players else ""
    players = f"{kind.min_players}{most} player{'s' if kind.max_players > 1 else ''}"
    return " · ".join([game, players, *kind.categories, *kind.mechanics, f"version {kind.version} of the rules"])


def _title(measure: str) -> str:
    """Return the name of a measure for people."""
    return measure.replace("_", " ").capitalize()
