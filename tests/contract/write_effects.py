"""Writes docs/reference/effects.md: which values of agents' and games' parameters change play, and where.

``python tests/contract/write_effects.py`` takes some minutes; run it outside of the checkout with ``python -P`` for the
installed, compiled package.
"""

from __future__ import annotations

import signal
import sys
from multiprocessing import Pool
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import test_effects_of_agent_parameters as of_agents  # noqa: E402  after the path has been set
import test_effects_of_game_parameters as of_games  # noqa: E402
from parameter_effects import IMPOSSIBLE, Inert, first_effect, has_effect  # noqa: E402

from tag.catalogue.registry import agent_names, game_names  # noqa: E402
from tag.engine.parameters import Dimension, Value, parse_spec  # noqa: E402

#: The CPU time for the comparison of one value in one game: some search for hours, as the largest budget.
SECONDS = 2.0
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
        "A cell has the number of values that change the choices of the agent against random players, of those that "
        f"could be compared within {SECONDS:g} s of CPU time; a dash where there are none. "
        f"Games: {', '.join(f'`{game}` ({players})' for game, players in of_agents.GAMES)}.",
        "",
    ]
    names = [parse_spec(game).name for game, _players in of_agents.GAMES]
    with Pool() as pool:
        rows_of = dict(
            zip(of_agents.PARAMETERS, pool.map(_agent_row, range(len(of_agents.PARAMETERS)), 1), strict=True)
        )
    for name in agent_names():
        rows = [row for (one, _dimension), row in rows_of.items() if one == name and row]
        if rows:
            lines += [f"### {name}", "", _line(["parameter", *names]), _line(["---"] * (len(names) + 1)), *rows, ""]
    lines += ["## Games", "", "Values that change the course of games between random players.", ""]
    for name in game_names():
        rows = [_game_row(name, dimension) for one, dimension in of_games.PARAMETERS if one == name]
        lines += [f"### {name}", "", _line(["parameter", "values with an effect"]), _line(["---", "---"]), *rows, ""]
    reasons = [
        _line([f"`{name}:{parameter}`", _texts(inert.values) or "all", inert.reason])
        for inert_of in (of_agents.INERT, of_games.INERT)
        for (name, parameter), inert in inert_of.items()
    ]
    lines += ["## Values without an effect", "", _line(["parameter", "values", "reason"]), _line(["---"] * 3), *reasons]
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _agent_row(number: int) -> str:
    """Return the row of the parameter with this number; empty where nothing can be compared."""
    name, dimension = of_agents.PARAMETERS[number]
    inert = of_agents.INERT.get((name, dimension.name), Inert("", (None,)))  # type: ignore[arg-type]
    values = [value for value in of_agents.values_of(name, dimension) if not inert.covers(value)]
    if not values:
        return ""
    cells = []
    for game in of_agents.GAMES:
        found = [found for value in values if (found := _effect(name, dimension, value, game)) != IMPOSSIBLE]
        cells.append(f"{sum(map(has_effect, found))} of {len(found)}" if found else "–")  # noqa: RUF001  a dash
    return _line([f"`{dimension.name}`", *cells])


def _effect(name: str, dimension: Dimension, value: Value, game: tuple[str, int]) -> str:
    """Return where a value of an agent's parameter changes choices in a game; `IMPOSSIBLE` also if it takes too long."""
    former = signal.signal(signal.SIGVTALRM, lambda *_: sys.exit())
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        bases = of_agents.bases_of(name, dimension)
        return first_effect(bases, dimension, value, lambda spec: of_agents.traces(spec, [game]))
    except SystemExit:
        return IMPOSSIBLE
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, former)


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
