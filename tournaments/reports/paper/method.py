"""How a tournament was played and judged, in the sentences of a paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isnan

from tag.tournaments.reports.sections.data import TournamentData
from tag.tournaments.reports.sections.section import number, sentence
from tag.tournaments.reports.sections.standings import clock_of
from tag.tournaments.reports.sections.tournament import title_of


def method_text(tournaments: Iterable[TournamentData]) -> str:
    """Return the sentences on some tournaments, a paragraph for each."""
    return "\n\n".join(" ".join(method_sentences(data)) for data in tournaments)


def method_sentences(data: TournamentData) -> Iterator[str]:
    """Yield sentences on a tournament: design, games, test, correction, time per decision, versions and seed."""
    definition, results = data.definition, data.results
    n = len(definition.agents)
    players = f"{definition.players} player{'s' if definition.players != 1 else ''}"
    played = f"{results.games:,} games" if results.complete else f"{results.games:,} of {results.total_text} games"
    yield f"{n} agent{'s' if n != 1 else ''} played {played} of {title_of(definition.game)} with {players}."
    design = definition.design.replace("_", " ")
    yield f"The design is {design}: {data.schedule.design.about}, in {definition.blocks:,} blocks."
    if data.schedule.part:
        yield f"These are the games of part {data.schedule.part.text}, {data.schedule.blocks:,} of the blocks."
    yield "The games of a block share their seed, and only blocks in which all seatings were played count."
    void = int(data.games.column("void").sum())
    if void:
        yield f"{void:,} games are void and do not count."
    yield (
        "Intervals are at 95 % and come from the means of blocks: Wilson's for rates, with Student's quantiles and the "
        "effective number of games."
    )
    if data.ratings is not None:
        n_pairs = int((data.ratings.pairs.games > 0).sum()) // 2
        yield (
            "Two agents are compared by how often one is placed above the other, with a two-sided score test on the "
            f"means of blocks; p values are after Holm's correction for all {n_pairs:,} pair{'s' if n_pairs != 1 else ''}."
        )
    if results.repeats is not None and results.repeats.text:
        yield f"{sentence(results.repeats.text)}."
    yield from _times(data)
    versions = data.manifest.versions
    yield (
        f"It was played with tag {versions.get('tag', '?')} on Python {versions.get('python', '?')}, version "
        f"{versions.get('game', '?')} of the game's rules, seed {definition.seed}; the content hash of its ledger is "
        f"{results.content_hash}."
    )


def _times(data: TournamentData) -> Iterator[str]:
    """Yield a sentence on the mean time of the agents' decisions."""
    standings = data.results.standings
    clock = clock_of(standings)
    field = "decision_cpu_ms" if clock == "CPU" else "decision_ms"
    known = [(one.agent, getattr(one, field)) for one in standings]
    times = ", ".join(f"{number(ms)} ms for {agent}" for agent, ms in known if not isnan(ms))
    if times:
        yield f"The mean {'CPU' if clock == 'CPU' else 'wall'} time per decision was {times}."
