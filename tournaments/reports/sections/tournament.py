"""The reports of tournaments, experiments and A/A tests: all sections, and the page of them.

Terminals show some of the same tables: `tag.tournaments.reports.text`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from tag.catalogue.registry import game_class
from tag.catalogue.user_code import is_path
from tag.engine.parameters import parse_spec
from tag.errors import UnknownNameError
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.ledger.experiment import EXPERIMENT, read_experiment
from tag.tournaments.reports.sections.again import again_section
from tag.tournaments.reports.sections.copies import checks_section, copies_blocks, copies_section
from tag.tournaments.reports.sections.data import ReportContext, TournamentData, read_tournament
from tag.tournaments.reports.sections.experiment import overall_pairs_section, overall_ratings_section, overall_section
from tag.tournaments.reports.sections.games import (
    course_section,
    feedback_section,
    lengths_section,
    measures_section,
    times_section,
)
from tag.tournaments.reports.sections.machines import machines_section, memory_section
from tag.tournaments.reports.sections.ratings import pairs_section, ratings_section, seats_section
from tag.tournaments.reports.sections.section import Block, Heading, Page, Paragraph, Section, begun_text, sentence
from tag.tournaments.reports.sections.standings import (
    faults_section,
    sides_section,
    standings_section,
    teams_section,
    variants_section,
)
from tag.tournaments.reports.sections.stopping import rounds_section, stopping_section
from tag.tournaments.results.copies.noise import NOISE_MANIFEST, read_noise
from tag.tournaments.results.experiment import read_experiment_results
from tag.tournaments.results.overall_ratings import combined_ratings

#: The sections of a report by name, in their order; each is None where there is nothing to say.
TOURNAMENT: Final[Mapping[str, Callable[[ReportContext], Section | None]]] = {
    "standings": standings_section,
    "teams": teams_section,
    "rounds": rounds_section,
    "stopping": stopping_section,
    "ratings": ratings_section,
    "pairs": pairs_section,
    "seats": seats_section,
    "copies": copies_section,
    "convergence": course_section,
    "sides": sides_section,
    "variants": variants_section,
    "times": times_section,
    "lengths": lengths_section,
    "measures": measures_section,
    "feedback": feedback_section,
    "faults": faults_section,
    "machines": machines_section,
    "memory": memory_section,
    "again": again_section,
}


def tournament_sections(context: ReportContext, *names: str) -> Iterator[Section]:
    """Yield the sections of those names that are not empty, by default of all."""
    for name in names or TOURNAMENT:
        section = TOURNAMENT[name](context)
        if section is not None:
            yield section


def folder_page(folder: Path) -> Page:
    """Return the report of the tournament, experiment or A/A test in ``folder``.

    Raises:
        DataError: there is none, or a ledger is damaged.
    """
    if (folder / EXPERIMENT).is_file():
        return experiment_page(folder)
    return noise_page(folder) if (folder / NOISE_MANIFEST).is_file() else tournament_page(folder)


def tournament_page(folder: Path) -> Page:
    """Return the report of the tournament in ``folder``, complete or not.

    Raises:
        DataError: there is no tournament, or its ledger is damaged.
    """
    return page_of(read_tournament(folder))


def page_of(data: TournamentData) -> Page:
    """Return the report of a tournament that has been read."""
    title = f"Tournament of {title_of(data.definition.game)}"
    return Page(title, _state(data), facts_of(data), list(tournament_sections(_context(data))))


def noise_page(folder: Path) -> Page:
    """Return the report of the A/A test in ``folder``, complete or not."""
    results = read_noise(folder)
    tournament = results.definition.tournament
    facts = [
        ("Game", tournament.game),
        ("Players", str(tournament.players)),
        ("Design", tournament.design.replace("_", " ")),
        ("Copies", str(len(tournament.agents))),
        ("Games", f"{results.total:,}, complete" if results.complete else f"{results.games:,} of {results.total:,}"),
    ]
    sections = [
        Section(f"agent-{at}", agent.agent, copies_blocks(agent, f"agent-{at}-copies"))
        for at, agent in enumerate(results.agents)
    ]
    title = f"Noise of {title_of(tournament.game)}"
    return Page(title, f"{sentence(results.verdict)}.", facts, [checks_section(results), *sections])


def experiment_page(folder: Path) -> Page:
    """Return the report of the experiment in ``folder``, complete or not."""
    results, experiment = read_experiment_results(folder), read_experiment(folder)
    events = experiment.events_in(folder)
    sections: list[Section] = []
    ratings, why = {}, {}
    for at, (name, event) in enumerate(events.items()):
        reading = read_tournament(folder / name) if name in results.events else None
        sections.append(_event_section(f"event-{at}", event, reading))
        if reading is not None and reading.ratings is not None:
            ratings[name] = reading.ratings
        elif reading is not None:
            why[name] = "which has none"
    rated = combined_ratings(folder, ratings, why)
    labels = next(iter(events.values())).labels
    joint = [overall_section(results, events), overall_ratings_section(rated), overall_pairs_section(rated, labels)]
    sections = [*(section for section in joint if section), *sections]
    played = f"{results.total:,}, complete" if results.complete else f"{results.games:,} of {results.total_text}"
    facts = [("Events", str(len(events))), ("Agents", str(len(next(iter(events.values())).agents))), ("Games", played)]
    return Page(f"Experiment of {len(events)} events", f"{sentence(results.weighing)}.", facts, sections)


def event_title(event: TournamentDefinition) -> str:
    """Return the title of an event: its game and the number of players."""
    return f"{title_of(event.game)}, {event.players} player{'s' if event.players != 1 else ''}"


def _event_section(name: str, event: TournamentDefinition, data: TournamentData | None) -> Section:
    """Return the section of an experiment on one of its events, with all sections; ``data`` is None before it begins."""
    title = event_title(event)
    if data is None:
        return Section(name, title, [Paragraph("Not begun yet.")])
    blocks: list[Block] = []
    for section in tournament_sections(_context(data, f"{name}-")):
        blocks += [Heading(section.title), Paragraph(section.about), *section.blocks]
    return Section(name, title, blocks, " · ".join(f"{word.lower()} {value}" for word, value in facts_of(data)))


def _context(data: TournamentData, prefix: str = "") -> ReportContext:
    labels = data.definition.labels
    return ReportContext(data.results, labels, data=data, ratings=data.ratings, prefix=prefix)


def facts_of(data: TournamentData) -> list[tuple[str, str]]:
    """Return the subject and progress of the tournament, as pairs of a word and a value."""
    definition, versions, part = data.definition, data.manifest.versions, data.schedule.part
    facts = [
        ("Game", f"{definition.game}, version {versions.get('game', '?')} of the rules"),
        ("Players", str(definition.players)),
        ("Agents", str(len(definition.agents))),
        ("Design", definition.design.replace("_", " ")),
        ("Blocks", _blocks(data)),
        *([("Part", f"{part.text}: {data.schedule.blocks:,} of these blocks")] if part else []),
        *(("Drawn for each block", draw) for draw in definition.draw),
        *([("Openings", definition.openings.title)] if definition.opening else []),
        ("Games", _games(data)),
        ("Seed", str(definition.seed)),
        ("Played with", f"tag {versions.get('tag', '?')}, Python {versions.get('python', '?')}"),
        ("Begun", begun_text(data.manifest.created)),
    ]
    void = int(data.games.column("void").sum())
    return [*facts, ("Void games", f"{void:,}")] if void else facts


def _blocks(data: TournamentData) -> str:
    design, blocks = data.schedule.design, data.definition.blocks
    rounds = f" in each of {design.n_rounds} round{'s' if design.n_rounds != 1 else ''}" if design.in_rounds else ""
    most = "at most " if data.results.stopping else ""
    matchups = design.n_matchups
    of = "" if design.in_rounds or design.learns else f"of {matchups:,} match-up{'s' if matchups != 1 else ''} "
    seatings = f"{design.n_seatings} seating{'s' if design.n_seatings != 1 else ''}"
    return f"{most}{blocks:,}{rounds}, each {of}in {seatings}"


def _games(data: TournamentData) -> str:
    results = data.results
    return f"{results.total:,}, complete" if results.complete else f"{results.games:,} of {results.total_text}"


def _state(data: TournamentData) -> str:
    """Return the kind of the tournament, in a sentence or two."""
    about = f"{len(data.definition.agents)} agents: {data.schedule.design.about}."
    if data.results.complete:
        return about
    return f"{about} Not complete: {_games(data)} games, and all that follows is of these."


def title_of(game: str) -> str:
    """Return the title of a game type; of a user's own or a missing one, also its spec."""
    spec = parse_spec(game)
    if is_path(spec.name):
        return game
    try:
        title = game_class(spec.name).game_type.title
    except UnknownNameError:
        return game
    return ", ".join([title, *(f"{name} {value}" for name, value in spec.values.items())])
