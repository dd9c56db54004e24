"""Playing a tournament again: as a command, and as a TOML file for ``tag tournament``."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final

from tag.catalogue.options import options_in
from tag.tournaments.definition import Rules, TournamentDefinition, TournamentOptions
from tag.tournaments.reports.sections.data import ReportContext
from tag.tournaments.reports.sections.section import Block, Code, Definitions, Folded, Heading, Paragraph, Section

#: The flags of options that are not called as the settings are.
_FLAGS: Final = {
    "agents": "--agent",
    **{one.name: about.flag for one, about in options_in(TournamentOptions) if about.flag},
}


def as_command(definition: TournamentDefinition) -> str:
    """Return the command that plays the same tournament, an option per line."""
    said = dict(_said(definition))
    lines = [f"tag tournament {shlex.quote(said.pop('game'))}"]
    for name, value in said.items():
        option = _FLAGS.get(name, f"--{name.replace('_', '-')}")
        values = value if isinstance(value, list) else [value]
        lines += [f"  {option}" if one is True else f"  {option} {shlex.quote(str(one))}" for one in values]
    return " \\\n".join(lines)


def as_toml(definition: TournamentDefinition) -> str:
    """Return a TOML file of the same tournament; the keys are those of `tag.tournaments.commands.settings`."""
    return "\n".join(f"{name} = {_toml_value(value)}" for name, value in _said(definition))


def _said(definition: TournamentDefinition) -> Iterator[tuple[str, Any]]:
    """Yield the settings of a definition, rare ones only where they are set."""
    defaults = {**asdict(TournamentOptions()), **asdict(Rules())}
    del defaults["design"]
    for name, value in definition.to_json().items():
        if name not in defaults or (tuple(value) if isinstance(value, list) else value) != defaults[name]:
            yield name, value


def _toml_value(value: Any) -> str:
    if isinstance(value, list):
        return "[\n" + "".join(f"    {_toml_value(one)},\n" for one in value) + "]"
    return json.dumps(value, ensure_ascii=False)  # TOML's texts and numbers are written as JSON's


def again_section(context: ReportContext) -> Section | None:
    """Return the command and the TOML file that play the same again; None where only results are known."""
    data = context.data
    if data is None:
        return None
    manifest = data.manifest
    blocks: list[Block] = [
        Code(as_command(manifest.definition)),
        Heading("The same as a file for tag tournament"),
        Code(as_toml(manifest.definition)),
    ]
    if manifest.sources:
        names = ", ".join(sorted(manifest.sources))
        text = (
            f"It uses files of its own, whose text or digest is in tournament.json: {names}. To run them from the folder, "
            "add --trust."
        )
        blocks.append(Paragraph(text))
    versions = [
        *manifest.versions.items(),
        ("tournament", manifest.id),
        ("ledger", context.results.content_hash),
    ]
    blocks += [Folded("Versions", [Definitions(versions)])]
    about = (
        "With deterministic budgets the same versions play the same games, and the ledger has the same hash. A single "
        "game: tag replay DIR b0-m0-s0, with the tournament's folder for DIR."
    )
    return context.section("again", "Play it again", about, blocks)
