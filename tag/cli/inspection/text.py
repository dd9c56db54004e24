"""The text of an inspection: the position, a table of its actions, and search trees."""

from __future__ import annotations

import re
from numbers import Real

from tag.cli.inspection.inspection import Inspection
from tag.cli.inspection.trees import line_of_play, tree_lines
from tag.cli.screens.layout import result_lines
from tag.engine.parameters import parse_spec
from tag.errors import one_line
from tag.playing.inspection import InspectedDecision


def headline(inspection: Inspection) -> str:
    """Return how far the game is, and who is to move."""
    state, n = inspection.state, len(inspection.line)
    where = f"after {n} action{'' if n == 1 else 's'}"
    return f"{where}, the game is over" if state.is_terminal else f"{where}, player {state.current_player} to move"


def position_lines(inspection: Inspection) -> list[str]:
    """Return the last action, if there is one, what followed, and the position."""
    played = inspection.played()[-1:]
    return [
        *(f"last: player {player}: {text}" for player, text in played),
        *(f"      {text}" for text in inspection.followed()),
        "",
        inspection.state.text(inspection.looks_from),
        "",
    ]


def table_lines(inspection: Inspection) -> list[str]:
    """Return a heading and a row for each action, with the figures of each agent; ► marks choices."""
    texts = inspection.texts()
    columns = [["", *(str(number) for number in range(len(texts)))], ["action", *texts]]
    for label, _spec, decision in _labelled(inspection):
        marks = ["►" if number == decision.choice else "" for number in range(len(texts))]
        columns += [[label, *marks], *_figure_columns(decision)]
    widths = [max(len(cell) for cell in column) for column in columns]
    return [
        "  ".join(
            cell.ljust(width) if place == 1 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in zip(*columns, strict=True)
    ]


def _figure_columns(decision: InspectedDecision) -> list[list[str]]:
    """Return a column, headed by its name, for each figure that an action has; the value first."""
    names = dict.fromkeys(name for row in decision.by_action for name in ("value", *row) if row)
    return [
        [_words(name), *(_bound(row) * (name == "value") + _cell(row.get(name)) for row in decision.by_action)]
        for name in names
        if name != "is_bound"
    ]


def _bound(row: dict[str, object]) -> str:
    return "≤ " if row.get("is_bound") else ""


def _labelled(inspection: Inspection) -> list[tuple[str, str, InspectedDecision]]:
    """Return each agent's short name, numbered where several have the same, its spec, and its decision."""
    decisions = inspection.decisions()
    names = [re.split(r"[:/]", parse_spec(spec).name)[-1] for spec, _decision in decisions]
    labels = [
        f"{name} {names[: place + 1].count(name)}" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    ]
    return [(label, spec, decision) for label, (spec, decision) in zip(labels, decisions, strict=True)]


def agent_lines(inspection: Inspection) -> list[str]:
    """Return for each agent its choice and the figures of its whole decision."""
    texts = inspection.texts()
    lines = []
    for label, spec, decision in _labelled(inspection):
        name = spec if label == parse_spec(spec).name else f"{label}, {spec}"
        if decision.choice is None:
            lines.append(f"{name}: {decision.fault}")
            continue
        parts = [f"{_words(one)} {_cell(value)}" for one, value in decision.figures.items()]
        parts += [f"{1000.0 * decision.seconds:.1f} ms"] if decision.seconds else []
        parts += [decision.fault] if decision.fault else []
        lines.append(f"{name}: {texts[decision.choice]}" + (f" ({'; '.join(parts)})" if parts else ""))
    return lines


def _words(name: str) -> str:
    return name.replace("_", " ")


def _cell(value: object) -> str:
    """Return a figure as people read it."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(_cell(one) for one in value)
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, Real):
        number = float(value)
        return f"{number:.3f}" if abs(number) < 1000.0 else f"{number:.4g}"
    return one_line(str(value))


def hidden_line(inspection: Inspection) -> str:
    """Return why no actions are shown."""
    return f"player {inspection.looks_from} does not see the actions of player {inspection.state.current_player}"


def end_lines(inspection: Inspection) -> list[str]:
    """Return the results of a final position."""
    state = inspection.state
    return result_lines(state, [f"player {player}" for player in range(state.n_players)])


def search_lines(inspection: Inspection) -> list[str]:
    """Return the expected line of play and the search tree of each agent that has one."""
    texts = inspection.action_texts()
    lines: list[str] = []
    for label, _spec, decision in _labelled(inspection):
        if decision.tree is not None:
            lines += ["", f"{label} expects: {line_of_play(decision.tree, texts)}", ""]
            lines += tree_lines(decision.tree, texts, inspection.tree_depth)
        elif inspection.tree_depth:
            lines += ["", f"{label} has no search tree"]
    return lines


def inspection_text(inspection: Inspection) -> str:
    """Return the position with all actions and agents."""
    lines = [headline(inspection), *position_lines(inspection)]
    if inspection.state.is_terminal:
        lines += end_lines(inspection)
    elif inspection.shows_actions:
        lines += [*table_lines(inspection), "", *agent_lines(inspection), *search_lines(inspection)]
    else:
        lines.append(hidden_line(inspection))
    return "\n".join(lines)
