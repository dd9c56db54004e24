"""``tag games``, ``agents``, ``heuristics`` and ``learners``: lists and descriptions from `tag.catalogue.describe`."""

from __future__ import annotations

import sys
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from tag.adapters.java import file_in_spec
from tag.catalogue.describe import (
    Description,
    GameDescription,
    describe_agent,
    describe_game,
    describe_heuristic,
    describe_learner,
    text_table,
)
from tag.catalogue.presets import Preset, presets_of
from tag.catalogue.registry import (
    agent_names,
    bot_names,
    game_class,
    game_names,
    heuristic_names,
    learner_names,
)
from tag.cli.process import print_json
from tag.errors import UnknownNameError
from tag.orders import Cost, costs_of
from tag.orders.budgets import provenance

_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command()
@click.argument("name", required=False)
@click.option("--category", help="Only games of this category, e.g. cooperative.")
@click.option("--mechanic", help="Only games with this mechanic, e.g. 'hand management'.")
@_JSON
def games(name: str | None, category: str | None, mechanic: str | None, as_json: bool) -> None:
    """List the games, or explain the game NAME.

    NAME may also be a file with parameters of a game of TAG's, the framework in Java: what its entries have become.
    """
    if name is not None:
        if not _explained_file(name, as_json):
            _explain_game(describe_game(name), as_json)
        return
    found = [{"name": known, **describe_game(known).facts()} for known in game_names()]
    _check_word("category", category, [word for row in found for word in row["categories"]])
    _check_word("mechanic", mechanic, [word for row in found for word in row["mechanics"]])
    rows = [row for row in found if _has(row["categories"], category) and _has(row["mechanics"], mechanic)]
    _show(rows, ["name", "title", "players", "hidden information", "chance", "categories", "mechanics"], as_json)


@click.command()
@click.argument("name", required=False)
@click.option(
    "--game",
    help="The bots of this game, with the sources of their strategies, the parameters and budgets that agents have in it by "
    "default, and the milliseconds that a decision takes; with NAME those of the agent.",
)
@_JSON
def agents(name: str | None, game: str | None, as_json: bool) -> None:
    """List the agents of any game, or the bots and presets of one, or explain the agent NAME with its parameters.

    NAME may also be a file of TAG's, the framework in Java: what its entries have become.
    """
    if name is not None:
        if not _explained_file(name, as_json):
            preset = None if game is None else presets_of(game).get(name)
            _explain(describe_agent(name), as_json, preset, None if game is None else costs_of(game).get(name))
    elif game is not None:
        _list_of_game(game, as_json)
    else:
        _list([describe_agent(known) for known in agent_names()], as_json)


@click.command()
@click.argument("name", required=False)
@_JSON
def heuristics(name: str | None, as_json: bool) -> None:
    """List the state heuristics, the games' own ones last, or explain the heuristic NAME."""
    if name is not None:
        _explain(describe_heuristic(name), as_json)
    else:
        _list([describe_heuristic(known) for known in heuristic_names()], as_json)


@click.command()
@click.argument("name", required=False)
@_JSON
def learners(name: str | None, as_json: bool) -> None:
    """List the learners for `tag train`, or explain the learner NAME with its parameters."""
    if name is not None:
        _explain(describe_learner(name), as_json)
    else:
        _list([describe_learner(known) for known in learner_names()], as_json)


def _explained_file(name: str, as_json: bool) -> bool:
    """Show the entries of a file of TAG's and their counterparts, and say whether it is one."""
    found = file_in_spec(name)
    if found is None:
        return False
    rows = [
        {
            "entry in TAG": entry.name,
            "value": entry.value,
            "here": entry.ours,
            "kind": entry.kind,
            "what differs": entry.note,
        }
        for entry in found.entries
    ]
    if as_json:
        print_json({"spec": str(found.spec), "entries": rows})
        return True
    click.echo(f"{found.spec}\n")
    _show(rows, ["entry in TAG", "value", "here", "kind", "what differs"], as_json)
    return True


def _check_word(kind: str, wanted: str | None, known: list[str]) -> None:
    if wanted is not None and not _has(known, wanted):
        raise UnknownNameError.of(kind, wanted, set(known))


def _has(words: list[str], wanted: str | None) -> bool:
    return wanted is None or wanted.lower() in [word.lower() for word in words]


def _list(found: list[Description], as_json: bool) -> None:
    rows = [{"name": description.name, "what it does": description.summary} for description in found]
    _show(rows, ["name", "what it does"], as_json)


def _list_of_game(game: str, as_json: bool) -> None:
    game_class(game)  # or an error with the nearest name
    costs = costs_of(game)
    presets = presets_of(game)
    names = [*bot_names(game), *[name for name in agent_names() if name in presets or name in costs]]
    rows = [_row_in_game(describe_agent(name), presets.get(name), costs.get(name)) for name in names]
    if rows or as_json:
        _show(rows, ["name", "what it does", "ms", "source"], as_json)
    else:
        click.echo(f"{game} has no bots or presets; the agents of 'tag agents' play it")
    if costs and not as_json:
        click.echo(f"\nms: CPU time per decision with default parameters, measured {provenance()}")


def _row_in_game(agent: Description, preset: Preset | None, cost: Cost | None) -> dict[str, Any]:
    """Return the row of an agent: its preset, default budget and time in a game."""
    does, source = agent.summary, agent.sections().get("Source", "").replace("\n", " ")
    if preset is not None:
        does, source = f"Plays as {preset.spec}.", preset.measured
    if cost is not None and cost.budget:
        does = f"{does} {cost.budget:,} forward-model calls, unless a budget is given."
    return {"name": agent.name, "what it does": does, "ms": "" if cost is None else cost.ms, "source": source}


def _explain_game(game: GameDescription, as_json: bool) -> None:
    facts = game.facts()
    own = game.heuristic
    if as_json:
        print_json(
            {**facts, **_record(game), "heuristic": None if own is None else _record(own), "learned": game.learned}
        )
        return
    click.echo(f"{game.text or 'no description'}\n")
    _show([facts], ["players", "hidden information", "chance", "categories", "mechanics", "version"], as_json=False)
    click.echo()
    _print_parameters(game)
    if bots := bot_names(game.name):
        click.echo(f"its bots are {', '.join(bots)}: tag agents --game {game.name}")
    if own is not None:
        click.echo(f"its heuristic has weights: tag heuristics {own.name}")
    if game.learned:
        counts = ", ".join(map(str, game.learned))
        click.echo(f"learned values come with it, for {counts} players: heuristic=learned")


def _explain(description: Description, as_json: bool, preset: Preset | None = None, cost: Cost | None = None) -> None:
    if as_json:
        tuned: dict[str, Any] = {}
        if preset is not None:
            tuned = {
                "preset": dict(preset.values),
                "measured": preset.measured,
                "gain": preset.gain,
                "unit": preset.unit,
            }
        if cost is not None:
            tuned |= {"budget": cost.budget or None, "ms": cost.ms, "ms_measured": provenance()}
        print_json({**_record(description), **tuned})
        return
    click.echo(f"{description.text or 'no description'}\n")
    _print_parameters(description)
    if preset is not None:
        gain, low, high = preset.gain
        click.echo(f"\nwithout parameters it plays this game as {preset.spec}\nmeasured: {preset.measured}")
        click.echo(f"gain: {gain:.2f} {preset.unit} ({low:.2f} to {high:.2f})")
    if cost is not None:
        budget = f"without a budget it has {cost.budget:,} forward-model calls for a decision, " if cost.budget else ""
        click.echo(f"\n{budget}{cost.ms:g} ms of CPU time per decision\nmeasured: {provenance()}")


def _record(description: Description) -> dict[str, Any]:
    """Return the description as plain values."""
    return {
        "name": description.name,
        "description": description.text,
        "parameters": description.parameter_rows(),
    }


def _print_parameters(description: Description) -> None:
    if not description.parameters:
        click.echo("no parameters")
        return
    click.echo(f"{description.parameters_text}\n")
    columns = ["parameter", "default", "range", "meaning", "only with"]
    _show(description.parameter_rows(), columns, as_json=False)
    click.echo(f"\nset them in the spec: {description.example()}")


def _show(rows: list[dict[str, Any]], columns: list[str], as_json: bool) -> None:
    if as_json:
        print_json(rows)
        return
    header, *cells = text_table(rows, columns)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in header:
        table.add_column(column, overflow="fold")
    for row in cells:
        table.add_row(*row)
    width = None if sys.stdout.isatty() else 160
    Console(width=width, highlight=False).print(table)
