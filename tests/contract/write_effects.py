"""Writes docs/reference/effects.md: which values of agents' and games' parameters change play, and where.

``python tests/contract/write_effects.py`` takes some minutes; run it outside of the checkout with ``python -P`` for the
installed, compiled package.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import test_effects_of_agent_parameters as of_agents  # noqa: E402  after the path has been set
import test_effects_of_game_parameters as of_games  # noqa: E402
from parameter_effects import Inert, first_effect, has_effect  # noqa: E402

from tag.catalogue.registry import agent_names, game_names  # noqa: E402
from tag.engine.parameters import Dimension, Value, parse_spec  # noqa: E402

PAGE = HERE.parents[1] / "docs" / "reference" / "effects.md"
INTRODUCTION = """# Effects of parameters

Each value of each declared parameter is tried beside the default, in games on the same seeds, until the course of a game
differs; `tests/contract` does so for every change of the package. Compared are the default and all values of a choice, or
the ends of a range, the default's neighbours and values between. This page is written by
`python tests/contract/write_effects.py`.

Parameters of learners, and options of tournaments, studies and trainings, have such tests as well: `tests/agents/learners`,
`tests/tournaments`, `tests/tuning`.
"""


def main() -> None:
    """Write the page."""
    lines = [INTRODUCTION, "## Agents", ""]
    lines += [
        "A cell has the number of values that change the choices of the agent against random players, of those compared. "
        f"Games: {', '.join(f'`{game}` ({players})' for game, players in of_agents.GAMES)}.",
        "",
    ]
    names = [parse_spec(game).name for game, _players in of_agents.GAMES]
    for name in agent_names():
        rows = [row for one, dimension in of_agents.PARAMETERS if one == name and (row := _agent_row(name, dimension))]
        if rows:
            lines += [f"### {name}", "", _line(["parameter", *names]), _line(["---"] * (len(names) + 1)), *rows, ""]
            print(name, flush=True)  # noqa: T201  it takes a while
    lines += ["## Games", "", "Values that change the course of games between random players.", ""]
    for name in game_names():
        rows = [_game_row(name, dimension) for one, dimension in of_games.PARAMETERS if one == name]
        lines += [f"### {name}", "", _line(["parameter", "values with an effect"]), _line(["---", "---"]), *rows, ""]
        print(name, flush=True)  # noqa: T201
    reasons = [
        _line([f"`{name}:{parameter}`", _texts(inert.values) or "all", inert.reason])
        for inert_of in (of_agents.INERT, of_games.INERT)
        for (name, parameter), inert in inert_of.items()
    ]
    lines += ["## Values without an effect", "", _line(["parameter", "values", "reason"]), _line(["---"] * 3), *reasons]
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _agent_row(name: str, dimension: Dimension) -> str:
    """Return the row of a parameter; empty where nothing can be compared."""
    inert = of_agents.INERT.get((name, dimension.name), Inert("", (None,)))  # type: ignore[arg-type]
    values = [value for value in of_agents.values_of(name, dimension) if not inert.covers(value)]
    if not values:
        return ""
    bases = of_agents.bases_of(name, dimension)
    cells = [
        sum(
            has_effect(first_effect(bases, dimension, value, lambda spec, one=game: of_agents.traces(spec, [one])))
            for value in values
        )
        for game in of_agents.GAMES
    ]
    return _line([f"`{dimension.name}`", *[f"{cell} of {len(values)}" for cell in cells]])


def _game_row(name: str, dimension: Dimension) -> str:
    """Return the row of a parameter."""
    values = [
        value for value in of_games.values_of(name, dimension) if has_effect(of_games.effect_of(name, dimension, value))
    ]
    return _line([f"`{dimension.name}`", _texts(values) or "none"])


def _texts(values: list[Value] | tuple[Value, ...]) -> str:
    return ", ".join(f"{value:g}" if isinstance(value, float) else str(value) for value in values)


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
