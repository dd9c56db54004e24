"""The gains of a recommendation in several games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import pandas as pd

from tag.tournaments.reports.figures import ranges_figure
from tag.tournaments.reports.html.figures import Figure
from tag.tournaments.reports.sections.section import Block, Column, Figures, Section, TableData, sentence
from tag.tuning.agent.comparisons.comparison import SIDES
from tag.tuning.agent.objectives import WORST
from tag.tuning.reports.figures import RECOMMENDED
from tag.tuning.reports.results import LEAST_GAIN, MEAN_GAIN, StudyResults, time_text
from tag.tuning.space.ranges import shown

#: The comparisons on unseen seeds, in this order, and their captions.
_PARTS: Final = {"validation": "Gain by game, on unseen seeds", "held_out": "Gain by game held out from the search"}
_COLUMNS: Final = {
    "gain": Column("gain", "", "+.3f", "ends", "points per game over the default on the same seeds"),
    "recommended": Column("recommended", form=".3f", meaning="points per game"),
    "default": Column("default", form=".3f", meaning="points per game"),
    "weight": Column("weight", form="g", omitted=2),
    "blocks": Column("seeds", form=",", omitted=3),
    "games": Column("games", form=",", omitted=4),
    "ms": Column("CPU ms", "per decision", omitted=1, meaning="of the recommendation"),
    "default_ms": Column("default", "ms", omitted=1),
}


def games_tables(recommendation: Mapping[str, Any] | None) -> list[TableData]:
    """Return the gain in each game and over all, of the games of the search and of those held out; none without any."""
    found = (recommendation or {}).get("games") or {}
    times = (recommendation or {}).get("decision_cpu_ms", {})
    return [_table(found[part], times.get(part, {}), caption) for part, caption in _PARTS.items() if part in found]


def _table(comparison: Mapping[str, Any], times: Mapping[str, Any], caption: str) -> TableData:
    rows = [{**one, **_ms(times.get(one["event"], {}))} for one in comparison["games"]]
    overall = {name: comparison[name] for name in ("gain", "low", "high")}
    sums = {name: sum(one[name] for one in comparison["games"]) for name in ("blocks", "games")}
    name = LEAST_GAIN if comparison["across"] == WORST else MEAN_GAIN
    nothing = dict.fromkeys(("recommended", "default", "weight", "ms", "default_ms"))
    return TableData([*rows, {"event": name, **nothing, **overall, **sums}], caption, ("event",), _COLUMNS)


def _ms(times: Mapping[str, float | None]) -> dict[str, str]:
    ours, theirs = (time_text(times.get(side)) for side in SIDES)
    return {"ms": ours, "default_ms": theirs}


_OF_PORTFOLIOS: Final = {
    "spec": Column("configuration"),
    "gain": Column("gain", "", "+.3f", "ends", "points per game over the default on the same seeds"),
    "blocks": Column("seeds", form=",", omitted=1),
}


def portfolio_tables(recommendation: Mapping[str, Any] | None) -> list[TableData]:
    """Return which configuration of each portfolio a game gets, and its gain there; none without any."""
    found = (recommendation or {}).get("portfolios") or []
    return [_portfolio_table(portfolio) for portfolio in found]


def _portfolio_table(portfolio: Mapping[str, Any]) -> TableData:
    size = len(portfolio["specs"])
    overall = {name: portfolio[name] for name in ("gain", "low", "high")}
    rows = [{**one, "spec": shown(one["spec"])} for one in portfolio["games"]]
    blocks = sum(one["blocks"] for one in portfolio["games"])
    caption = f"Portfolio of {size} configuration{'' if size == 1 else 's'}, on unseen seeds"
    return TableData(
        [*rows, {"event": MEAN_GAIN, "spec": "", **overall, "blocks": blocks}], caption, ("event",), _OF_PORTFOLIOS
    )


def portfolio_section(results: StudyResults) -> Section | None:
    """Return the portfolios and what they gain; None without any."""
    tables = portfolio_tables(results.recommendation)
    about = (
        "The configurations that are best together by the models of the games, each in the games where it is best. They and "
        "the default play seeds that the search has not seen, by which nothing was chosen. Intervals of the games in all "
        "tables hold together in 95 % of cases, and so do those of the means."
    )
    return Section("portfolio", "Portfolio", tables, about) if tables else None


def games_section(results: StudyResults) -> Section | None:
    """Return the gains in several games on unseen seeds; None without any."""
    tables = games_tables(results.recommendation)
    if not tables:
        return None
    figures = [_figure(f"figure-gains-{place}", one) for place, one in enumerate(tables)]
    blocks: list[Block] = [Figures(figures, "own"), *tables]
    over_all = (
        "The least gain has an interval of its own, as the least of several is too low by luck."
        if results.definition.across == WORST
        else "The mean over games has an interval of its own, from the blocks within games: games are fixed, seeds random."
    )
    about = (
        "Recommendation and default play the same seeds, which the search has not seen, all that were planned. A gain is in "
        f"points per game. The intervals of the games of a table hold together in 95 % of cases. {over_all}"
    )
    return Section("games", "Games", blocks, about)


def _figure(name: str, data: TableData) -> Figure:
    rows = pd.DataFrame([
        {"name": one["event"], "colour": RECOMMENDED, "mean": one["gain"], "low": one["low"], "high": one["high"]}
        for one in data.records
    ])  # fmt: skip
    about = "Points per game over the default, with intervals; the last line is over all games."
    return ranges_figure(name, sentence(data.caption), about, rows, reference=0.0)
