"""``tag games``, ``tag agents``, ``tag heuristics``: what there is, told from the declarations."""

from __future__ import annotations

import json
import sys
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from tag.agent import Agent
from tag.forward_model import ForwardModel, players_text
from tag.heuristics import HEURISTICS, StateHeuristic
from tag.parameters import Parameters
from tag.registry import agent_class, agent_names, game_class, game_names, heuristic_class
from tag.source_docs import class_doc, file_doc

_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command()
@click.argument("name", required=False)
@click.option("--category", help="Only games of this category, e.g. cooperative.")
@click.option("--mechanic", help="Only games with this mechanic, e.g. 'hand management'.")
@_JSON
def games(name: str | None, category: str | None, mechanic: str | None, as_json: bool) -> None:
    """List the games, or explain the game NAME."""
    if name is not None:
        _explain_game(name, game_class(name), as_json)
        return
    found = [
        _game_facts(known, game_class(known))
        for known in game_names()
        if _matches(game_class(known).game_type.categories, category)
        and _matches(game_class(known).game_type.mechanics, mechanic)
    ]
    _show(found, ["name", "title", "players", "categories", "mechanics"], as_json)


@click.command()
@click.argument("name", required=False)
@_JSON
def agents(name: str | None, as_json: bool) -> None:
    """List the agents, or explain the agent NAME with its parameters."""
    if name is not None:
        _explain(name, agent_class(name), agent_class(name).parameters_class, as_json)
        return
    _show([_facts(known, agent_class(known)) for known in agent_names()], ["name", "what it does"], as_json)


@click.command()
@click.argument("name", required=False)
@_JSON
def heuristics(name: str | None, as_json: bool) -> None:
    """List the state heuristics that any agent can use, or explain the heuristic NAME."""
    if name is not None:
        _explain(name, heuristic_class(name), heuristic_class(name).parameters_class, as_json)
        return
    _show([_facts(known, HEURISTICS[known]) for known in HEURISTICS], ["name", "what it does"], as_json)


def _matches(has: tuple[str, ...], wanted: str | None) -> bool:
    return wanted is None or wanted.lower() in [word.lower() for word in has]


def _game_facts(name: str, cls: type[ForwardModel[Any]]) -> dict[str, Any]:
    kind = cls.game_type
    return {
        "name": name,
        "title": kind.title,
        "players": players_text(kind),
        "categories": list(kind.categories),
        "mechanics": list(kind.mechanics),
        "version": kind.version,
    }


def _facts(name: str, cls: type) -> dict[str, Any]:
    return {"name": name, "what it does": _doc(cls).split("\n\n")[0].replace("\n", " ")}


def _doc(cls: type) -> str:
    """Return what explains a game, an agent (their files are about nothing else) or a heuristic."""
    return class_doc(cls) if issubclass(cls, StateHeuristic) else file_doc(cls)


def _explain_game(name: str, cls: type[ForwardModel[Any]], as_json: bool) -> None:
    facts = _game_facts(name, cls)
    _explain(name, cls, cls.game_type.parameters, as_json, facts)


def _explain(
    name: str,
    cls: type[ForwardModel[Any]] | type[Agent] | type[StateHeuristic],
    parameters: type[Parameters],
    as_json: bool,
    facts: dict[str, Any] | None = None,
) -> None:
    dimensions = [
        {
            "parameter": d.name,
            "default": d.default,
            "range": d.range_text(),
            "meaning": d.text,
            "only with": _condition(d.active_if),
        }
        for d in parameters.dimensions()
    ]
    described = {"name": name, **(facts or {}), "description": _doc(cls), "parameters": dimensions}
    if as_json:
        click.echo(json.dumps(described, indent=2))
        return
    click.echo(f"{described['description']}\n")
    if facts:
        click.echo(f"players: {facts['players']}; categories: {', '.join(facts['categories'])}\n")
    if dimensions:
        _show(dimensions, ["parameter", "default", "range", "meaning", "only with"], as_json=False)
        example = dimensions[0]
        click.echo(f"\nset them in the spec: {name}:{example['parameter']}={example['default']}")
    else:
        click.echo("no parameters")


def _condition(active_if: tuple[str, tuple[Any, ...]] | None) -> str:
    return "" if active_if is None else f"{active_if[0]} = {' | '.join(str(value) for value in active_if[1])}"


def _show(rows: list[dict[str, Any]], columns: list[str], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(rows, indent=2))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    used = [column for column in columns if any(row[column] not in ("", []) for row in rows)]
    for column in used:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*[_cell(row[column]) for column in used])
    width = None if sys.stdout.isatty() else 160
    Console(width=width, highlight=False).print(table)


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)
