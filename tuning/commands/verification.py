"""Verification of the ledgers of tournaments, experiments and studies."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from tag.catalogue.user_code import provide_source
from tag.errors import DataError, TrustError
from tag.orders import GameOrder
from tag.tournaments.designs.games import Pairing
from tag.tournaments.ledger import rows, storage
from tag.tournaments.ledger.experiment import EXPERIMENT, begun_events
from tag.tournaments.ledger.folder import FOLDER, MANIFEST
from tag.tournaments.ledger.identity import Binding
from tag.tournaments.ledger.rows import GAMES
from tag.tournaments.results.verification import (
    FAULT,
    NOTE,
    OK,
    LedgerFinding,
    ReplaySample,
    Verification,
    code_to_run,
    verify_stage,
    verify_tournament,
)
from tag.tuning.agent.definition import StudyDefinition
from tag.tuning.agent.schedule import schedule_of
from tag.tuning.balancing import problem as balancing
from tag.tuning.balancing.definition import BalanceDefinition
from tag.tuning.balancing.plan import playable
from tag.tuning.study.folder import STUDY, Manifest, read_manifest_of, study_kind
from tag.tuning.study.schedule import GameSchedule

#: How people read the states of checks.
_MARKS: Final = {OK: "ok", NOTE: "note", FAULT: "FAULT"}


def verified(folder: Path, size: int, *, trust: bool) -> Iterator[Verification]:
    """Yield what was found in each ledger of a tournament, experiment or study.

    Args:
        folder: of one of them.
        size: how many games of each ledger are played again.
        trust: whether code that the folder names may run.

    Raises:
        DataError: the folder is none.
    """
    sample = ReplaySample(size, trust=trust)
    if (folder / STUDY).is_file():
        yield from _study(folder, sample)
    elif (folder / EXPERIMENT).is_file():
        for event in begun_events(folder).values():
            yield verify_tournament(event, sample)
    elif (folder / MANIFEST).is_file():
        yield verify_tournament(folder, sample)
    else:
        raise DataError(f"{str(folder)!r} holds no tournament, experiment or study; name the folder of one")


def verification_text(found: Verification) -> str:
    """Return what was found in a ledger: the verdict in a line, and a line for each check."""
    width = max(len(check.of) for check in found.checks)
    lines = [f"  {_MARKS[check.state]:<5}  {check.of:<{width}}  {check.text}" for check in found.checks]
    verdict = "nothing is wrong" if found.is_sound else "something is wrong"
    end = f", content hash {found.content_hash}" if found.content_hash else ""
    return "\n".join([f"{found.folder}: {verdict}{end}", *lines])


def _study(folder: Path, sample: ReplaySample) -> Iterator[Verification]:
    """Yield what was found in the ledger of each stage, also of studies within this one."""
    kinds: dict[str, type[Any]] = {StudyDefinition.kind: StudyDefinition, BalanceDefinition.kind: BalanceDefinition}
    kind = study_kind(folder)
    if kind not in kinds:
        raise DataError(
            f"{str(folder / STUDY)!r} is of no study that can be verified; it is of tag tune or tag balance"
        )
    manifest: Manifest[Any] = read_manifest_of(kinds[kind], folder)
    for stage in sorted(path.parent for path in folder.rglob(FOLDER) if path.is_dir()):
        within = [above for above in stage.parents if above != folder and folder in above.parents]
        if not any((above / STUDY).is_file() for above in within):
            try:
                yield _stage(folder, stage, manifest, sample)
            except TrustError as error:
                yield Verification(stage, (LedgerFinding("shards", NOTE, f"nothing was compared: {error}"),))
    for inner in sorted(path.parent for path in folder.glob(f"*/{STUDY}")):
        yield from _study(inner, sample)


def _stage(folder: Path, stage: Path, manifest: Manifest[Any], sample: ReplaySample) -> Verification:
    """Return what was found in the ledger of a stage."""
    name = stage.relative_to(folder).parts[0]
    entries, opponents = _named_in(stage)
    definition = manifest.definition
    stream = name.replace("_", " ")
    code = code_to_run((*definition.everywhere, *entries), manifest.played_sources)
    if code and not sample.trust and (opponents is None or isinstance(definition, BalanceDefinition)):
        text = f"nothing was compared: that would run {', '.join(code)}; if you trust {str(folder)!r}, add --trust"
        return Verification(stage, (LedgerFinding("shards", NOTE, text),))
    if sample.trust:
        for file, content in manifest.sources.items():
            provide_source(file, content)
    schedule: GameSchedule
    if isinstance(definition, BalanceDefinition):
        plan = definition.plan
        if name not in ("search", "validation"):
            plan = playable(definition.game, definition.players, entries, definition.bands) or plan
        schedule = balancing.schedule_of(definition, plan, definition.stream(stream))
    else:
        tuned = schedule_of(
            definition, stream, entries[: len(definition.measuring) if opponents is None else opponents]
        )
        tuned.labels += entries[tuned.opponents :]
        schedule = tuned
    binding = Binding(schedule, manifest.versions, manifest.played_sources)
    return verify_stage(stage, binding, _orders(schedule), sample, code)


def _orders(schedule: GameSchedule) -> Callable[[Pairing, str], GameOrder]:
    def order(pairing: Pairing, game: str) -> GameOrder:
        if isinstance(schedule, balancing.CandidateSchedule):
            schedule.candidates[pairing.matchup // schedule.plan.width] = game
        return replace(schedule.order(pairing), metrics=())

    return order


def _named_in(stage: Path) -> tuple[list[str], int | None]:
    """Return the agents of a stage by its shards, and how many of them are opponents; None where that is not said.

    Their ends say it, so that each is read once, by the checks. These report those that are damaged.
    """
    entries: list[str] = []
    opponents = None
    for path in storage.list_shards(stage / FOLDER)[GAMES]:
        try:
            schema = storage.schema_of(path)
            named = rows.entries_of(schema)
            identity = json.loads(rows.identity_of(schema))
            opponents = identity.get("definition", {}).get("opponents", opponents)
        except (DataError, ValueError, TypeError, AttributeError, FileNotFoundError):
            continue
        entries = max(entries, named, key=len)
    return entries, opponents
