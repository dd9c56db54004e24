"""``tag verify``: whether what is in a folder is what was played."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from tag.catalogue.user_code import provide_source
from tag.cli.numbers import Number
from tag.cli.process import print_json
from tag.engine.trust import typed
from tag.errors import DataError, TrustError
from tag.orders import GameOrder
from tournaments.designs.schedule import Pairing
from tournaments.ledger import rows, storage
from tournaments.ledger.folder import MANIFEST, SERIES, read_events
from tournaments.ledger.games import FOLDER
from tournaments.ledger.identity import Binding, ForeignShardError
from tournaments.ledger.rows import GAMES
from tournaments.ledger.verification import (
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
from tuning.balancing.definition import BalanceDefinition, playable
from tuning.balancing.search import CandidateSchedule
from tuning.definition import StudyDefinition
from tuning.search.games import GameSchedule
from tuning.search.judge import schedule_of
from tuning.study import STUDY, Manifest, read_manifest_of, study_kind

_MARKS: Final = {OK: "ok", NOTE: "note", FAULT: "FAULT"}
_FAULTY: Final = 1


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--replay",
    "size",
    type=Number(int, 0),
    default=10,
    show_default=True,
    metavar="GAMES",
    help="How many games of each ledger to play again.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def verify(folder: Path, size: int, as_json: bool) -> int:
    """Check that the games in FOLDER are those of its tournament, series or study, and that they come out the same again.

    Every file and row is compared with the definition; nothing is changed. A sample of the games is played again: from their
    recorded actions, or by their agents unless these go by the clock. The exit code is 0 where nothing is wrong, 1 where
    something is.

    Example: tag verify runs/first --replay 100
    """
    found = list(verified(folder, ReplaySample(size, trust=typed() is None)))
    is_sound = all(one.is_sound for one in found)
    if as_json:
        print_json({"sound": is_sound, "ledgers": [one.to_json() for one in found]})
    else:
        click.echo("\n\n".join(map(_text, found)))
    return 0 if is_sound else _FAULTY


def verified(folder: Path, sample: ReplaySample) -> Iterator[Verification]:
    """Yield what was found in each ledger of a tournament, series or study.

    Raises:
        DataError: the folder is none.
    """
    if (folder / STUDY).is_file():
        yield from _study(folder, sample)
    elif (folder / SERIES).is_file():
        for name in read_events(folder):
            yield verify_tournament(folder / name, sample)
    elif (folder / MANIFEST).is_file():
        yield verify_tournament(folder, sample)
    else:
        raise DataError(f"{str(folder)!r} holds no tournament, series or study; name the folder of one")


def _text(found: Verification) -> str:
    width = max(len(check.of) for check in found.checks)
    lines = [f"  {_MARKS[check.state]:<5}  {check.of:<{width}}  {check.text}" for check in found.checks]
    verdict = "nothing is wrong" if found.is_sound else "something is wrong"
    end = f", content hash {found.content_hash}" if found.content_hash else ""
    return "\n".join([f"{found.folder}: {verdict}{end}", *lines])


# --- the stages of a study ------------------------------------------------------------------------------------------------


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
    code = code_to_run((definition.game, *entries), manifest.played_sources)
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
        schedule = CandidateSchedule(plan, definition.stream(stream), definition.rules.conditions())
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
        if isinstance(schedule, CandidateSchedule):
            schedule.candidates[pairing.matchup // schedule.plan.width] = game
        return replace(schedule.order(pairing), metrics=())

    return order


def _named_in(stage: Path) -> tuple[list[str], int | None]:
    """Return the agents of a stage by its shards, and how many of them are opponents; None where that is not said.

    Shards that cannot be read are reported later.
    """
    entries: list[str] = []
    opponents = None
    for path in storage.list_shards(stage / FOLDER, GAMES):
        try:
            schema = storage.read_shard(path, []).schema
            identity = json.loads(rows.identity_of(schema) or "{}")
            opponents = identity.get("definition", {}).get("opponents", opponents)
        except (DataError, ForeignShardError, ValueError, AttributeError, FileNotFoundError):
            continue
        entries = max(entries, rows.entries_of(schema), key=len)
    return entries, opponents
