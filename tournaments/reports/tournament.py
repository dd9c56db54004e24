"""The report of a tournament as a page."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from tag.errors import UnknownNameError
from tag.registry import game_class
from tag.spec import parse_spec
from tag.user_code import is_path
from tournaments.html.page import Page, Section
from tournaments.reports.games import again_part, course_part, faults_part, lengths_part, measures_part, times_part
from tournaments.reports.machines import process_parts
from tournaments.reports.parts import Part, Subject
from tournaments.reports.reading import Reading, read_tournament
from tournaments.reports.stopping import stopping_part
from tournaments.reports.strength import pairs_part, ratings_part, seats_part, standings_part, teams_part
from tournaments.reports.variants import variants_part


def tournament_page(folder: Path) -> Page:
    """Return the report of the tournament in ``folder``, complete or not.

    Raises:
        DataError: there is no tournament, or its ledger is damaged.
    """
    return page_of(read_tournament(folder))


def page_of(reading: Reading) -> Page:
    """Return the report of a tournament that has been read."""
    sections = [Section(part.name, part.title, part.blocks, part.about) for part in tournament_parts(Subject(reading))]
    title = f"Tournament of {title_of(reading.definition.game)}"
    return Page(title, _state(reading), facts_of(reading), sections)


def tournament_parts(subject: Subject) -> Iterator[Part]:
    """Yield all parts for which there is anything to say."""
    reading = subject.reading
    yield standings_part(subject)
    if reading.results.teams:
        yield teams_part(subject)
    if reading.results.stopping is not None:
        yield stopping_part(subject, reading.results.stopping)
    if reading.ratings is not None:
        yield ratings_part(subject, reading.ratings)
        yield pairs_part(subject, reading.ratings.pairs)
    if len(reading.counted):
        if not reading.is_shared:
            yield seats_part(subject)
        yield course_part(subject)
        if reading.results.variants:
            yield variants_part(subject)
    yield from times_part(subject)
    if len(reading.played_games()):
        yield lengths_part(subject)
    yield from measures_part(subject)
    if len(reading.faults):
        yield faults_part(subject)
    yield from process_parts(subject, reading.machines, reading.memory)
    yield again_part(subject)


def facts_of(reading: Reading) -> list[tuple[str, str]]:
    """Return what is played, and how far it has come, as pairs of a word and a value."""
    definition, versions = reading.definition, reading.manifest.versions
    facts = [
        ("Game", f"{definition.game}, version {versions.get('game', '?')} of the rules"),
        ("Players", str(definition.players)),
        ("Agents", str(len(definition.agents))),
        ("Design", definition.design.replace("_", " ")),
        ("Blocks", _blocks(reading)),
        *(("Drawn for each block", draw) for draw in definition.draw),
        ("Games", _games(reading)),
        ("Seed", str(definition.seed)),
        ("Played with", f"tag {versions.get('tag', '?')}, Python {versions.get('python', '?')}"),
        ("Begun", f"{datetime.fromisoformat(reading.manifest.created):%d %B %Y, %H:%M} UTC"),
    ]
    void = int(reading.games["void"].sum())
    return [*facts, ("Void games", f"{void:,}")] if void else facts


def _blocks(reading: Reading) -> str:
    design, blocks = reading.schedule.design, reading.definition.blocks
    rounds = f" in each of {design.n_rounds} rounds" if design.in_rounds else ""
    most = "at most " if reading.results.stopping else ""
    matchups = design.n_matchups
    of = "" if design.in_rounds or design.learns else f"of {matchups:,} match-up{'s' if matchups != 1 else ''} "
    seatings = f"{design.n_seatings} seating{'s' if design.n_seatings != 1 else ''}"
    return f"{most}{blocks:,}{rounds}, each {of}in {seatings}"


def _games(reading: Reading) -> str:
    results = reading.results
    return f"{results.total:,}, complete" if results.complete else f"{results.games:,} of {results.total_text}"


def _state(reading: Reading) -> str:
    """Return what kind of tournament it is, in a sentence or two."""
    about = f"{len(reading.definition.agents)} agents: {reading.schedule.design.about}."
    if reading.results.complete:
        return about
    return f"{about} Not complete: {_games(reading)} games, and all that follows is of these."


def title_of(game: str) -> str:
    """Return the title of a game type, and its spec where that is a user's own or no longer there."""
    spec = parse_spec(game)
    if is_path(spec.name):
        return game
    try:
        title = game_class(spec.name).game_type.title
    except UnknownNameError:
        return game
    return ", ".join([title, *(f"{name} {value}" for name, value in spec.values.items())])
