"""The report of a training as one HTML file: the result, the curves of evaluations, the learners and the cost."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pandas as pd

from tag.engine.parameters import parse_spec
from tag.tournaments.reports.html.page import page_html
from tag.tournaments.reports.sections.section import (
    NOTHING,
    Block,
    Cell,
    Code,
    Column,
    Definitions,
    Figures,
    Folded,
    Page,
    Paragraph,
    Section,
    begun_text,
    sentence,
    table,
)
from tag.tournaments.reports.sections.tournament import title_of
from tag.tournaments.statistics.intervals import ends_text
from tag.tuning.reports.figures import RECOMMENDED, Curve, curves_figure
from tag.tuning.reports.page import write_page
from tag.tuning.training.definition import TrainingDefinition
from tag.tuning.training.evaluators import AGREEMENT, SCORE, VALUE_ERROR
from tag.tuning.training.results import (
    TrainingResults,
    last_evaluations,
    over_learners,
    recorded_where,
    seat_text,
    state_of,
    without_cases,
)

#: More evaluations than this are not listed.
_MOST_ROWS: Final = 500

_MEANINGS: Final = {
    SCORE: "mean score of the greedy choice",
    AGREEMENT: "share of positions in which the greedy choice is among the best ones of perfect play",
    VALUE_ERROR: "mean absolute error of learned values, from -1 to 1, against perfect play; less is better",
}


def write_training_report(results: TrainingResults, file: Path | None = None) -> Path:
    """Write the report of a training to a file, by default `REPORT` in its folder, and return its path.

    Raises:
        DataError: the file cannot be written.
    """
    return write_page(results.folder, training_html(results), file)


def training_html(results: TrainingResults) -> str:
    """Return the report of a training; equal results give equal texts."""
    return page_html(training_page(results))


def training_page(results: TrainingResults) -> Page:
    """Return the report of a training."""
    manifest, definition = results.manifest, results.manifest.definition
    facts = {
        "Game": definition.game,
        "Players": str(definition.players),
        "Learner": definition.learner,
        "Learners": f"{definition.seeds:,}, of {definition.episodes:,} games each{recorded_where(definition)}",
        "Evaluated by": ", ".join(definition.evaluate) or "nothing",
        "Begun": begun_text(manifest.created),
    }
    state = "Complete." if results.complete else "Not complete: all that follows is of the games so far."
    title = f"Learning {title_of(definition.game)}"
    return Page(title, state, list(facts.items()), list(_sections(results)))


def command_of(definition: TrainingDefinition, out: str) -> str:
    """Return the command that trains the same."""
    words = ["tag", "train", definition.learner, "--game", definition.game, "--players", str(definition.players)]
    words += ["--ledger", definition.ledger] if definition.ledger else []
    words += ["--episodes", str(definition.episodes), "--seeds", str(definition.seeds), "--seed", str(definition.seed)]
    for text in definition.evaluate:
        words += ["--evaluate", text]
    words += ["--evaluations", str(definition.evaluations if definition.evaluate else 0)]
    words += ["--evaluation-games", str(definition.evaluation_games), "--openings", str(definition.openings)]
    if definition.target is not None:
        words += ["--target", f"{definition.target:g}", "--target-by", definition.target_by]
    if definition.patience:
        words += ["--patience", str(definition.patience)]
    return shlex.join([*words, "--out", out])


def _sections(results: TrainingResults) -> Iterator[Section]:
    if len(results.curves):
        yield result_section(results)
        yield curves_section(results)
    yield learners_section(results)
    yield cost_section(results)


def result_section(results: TrainingResults) -> Section:
    """Return the last evaluations; there is one at least."""
    rows = pd.DataFrame([
        {
            "evaluated by": str(row["evaluator"]),
            "seat": seat_text(int(row["seat"])),
            "median": _of_learners(row),
            "half": Cell(f"{row['half']:.3f}" if row["learners"] else NOTHING),
            "games": Cell(f"{row['games']:,.0f}"),
        }
        for row in last_evaluations(results.curves).to_dict("records")
    ])  # fmt: skip
    columns = {
        "median": Column("median", "least … greatest"),
        "half": Column("±", "of one learner, 95 %"),
        "games": Column("games", "of each"),
    }
    blocks: list[Block] = [table(rows, "The last evaluation of the learners", ("evaluated by", "seat"), columns)]
    blocks += [Paragraph(sentence(f"{text}.")) for text in without_cases(results)]
    if results.models:
        blocks.append(Code(results.spec()))
    openings = results.manifest.definition.openings
    about = (
        "Learners play greedily by what they have learned. Points are 1 for a win and 0.5 for a draw of two players."
    )
    about += f" Games begin with {openings} random moves." if openings else ""
    return Section("result", "Result", blocks, about)


def _of_learners(row: dict[object, object]) -> Cell:
    if not row["learners"]:
        return Cell(NOTHING)
    return Cell(f"{row['value']:.3f}", ends_text(float(str(row["least"])), float(str(row["greatest"])), ".3f"))


def curves_section(results: TrainingResults) -> Section:
    """Return the course of the evaluations, drawn and as a table; there is one at least."""
    definition = results.manifest.definition
    figures = []
    for number, text in enumerate(definition.evaluate):
        points = over_learners(results.curves, text)
        if len(points):
            name = parse_spec(text).name
            about = sentence(_MEANINGS.get(name, f"mean points against {text}, over the seats") + ".")
            curve = Curve("median", RECOMMENDED, points)
            across = "recorded games" if definition.ledger else "games of a learner with itself"
            figures.append(curves_figure(f"figure-curve-{number}", text, about, [curve], across=across))
    blocks: list[Block] = [Figures(figures, "wide")] if figures else []
    blocks.append(Folded("All evaluations", [_curves_table(results.curves)]))
    band = "from the least to the greatest learner" if definition.seeds > 1 else "the 95 % interval of its games"
    return Section("curves", "Curves", blocks, f"The line is the median of the learners, the band is {band}.")


def _curves_table(curves: pd.DataFrame) -> Block:
    shown = curves.tail(_MOST_ROWS)
    rows = pd.DataFrame({
        "learner": shown["seed"].astype(str),
        "games": [f"{episode:,}" for episode in shown["episode"]],
        "evaluated by": shown["evaluator"],
        "seat": [seat_text(int(seat)) for seat in shown["seat"]],
        "points": [
            Cell(f"{row['points']:.3f}", ends_text(row["low"], row["high"], ".3f")) if row["games"] else Cell(NOTHING)
            for row in shown.to_dict("records")
        ],
        "speed": [Cell(f"{speed:,.0f}") for speed in shown["moves_per_second"]],
    })  # fmt: skip
    columns = {"points": Column("mean", "95 % interval"), "speed": Column("moves", "per CPU second")}
    title = "All evaluations" if len(curves) <= _MOST_ROWS else f"The last {_MOST_ROWS} of {len(curves):,} rows"
    return table(rows, title, ("learner", "games", "evaluated by", "seat"), columns)


def learners_section(results: TrainingResults) -> Section:
    """Return the progress of each learner."""
    rows = pd.DataFrame([
        {
            "learner": str(seed),
            "state": state_of(course),
            "games": Cell(f"{course.episodes:,}"),
            "moves": Cell(f"{course.moves:,}"),
            "seconds": Cell(f"{course.cpu_seconds:,.1f}"),
        }
        for seed, course in results.courses.items()
    ])  # fmt: skip
    columns = {"games": Column("games"), "moves": Column("moves"), "seconds": Column("CPU s")}
    block = table(rows, "Learners", ("learner", "state"), columns)
    return Section("learners", "Learners", [block], "They differ in their seeds only.")


def cost_section(results: TrainingResults) -> Section:
    """Return games, CPU time, versions, and the command that trains the same."""
    manifest, courses = results.manifest, results.courses.values()
    seconds, moves = sum(one.cpu_seconds for one in courses), sum(one.moves for one in courses)
    kind = "recorded ones" if manifest.definition.ledger else "of self-play"
    entries = [
        ("Games", f"{results.episodes:,} {kind}, {moves:,} moves."),
        ("CPU time", f"{seconds:,.1f} s, {moves / seconds if seconds else 0.0:,.0f} moves per second."),
        ("Trained with", ", ".join(f"{name} {version}" for name, version in manifest.versions.items())),
    ]
    blocks: list[Block] = [Definitions(entries), Code(command_of(manifest.definition, results.folder.name))]
    return Section("cost", "What it took", blocks, "The command trains the same again, byte for byte.")
