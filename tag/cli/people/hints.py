"""Hints: what an agent thinks of each action, in lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tag.playing.inspection import InspectedDecision

#: So many actions are in a hint.
_MOST_HINTS: Final = 5


def hint_lines(spec: str, decision: InspectedDecision, texts: Sequence[str]) -> list[str]:
    """Return the choice of an agent, with value and visits of the best actions where it has them."""
    if decision.choice is None:
        return [f"{spec} failed: {decision.fault}"]
    rows = [f"{spec} would play {decision.choice} {texts[decision.choice]} ({_duration(decision.seconds)})"]
    numbers = [number for number, row in enumerate(decision.by_action) if row.get("value") is not None]
    numbers.sort(key=lambda number: _worth(decision, number), reverse=True)
    for number in numbers[:_MOST_HINTS]:
        figures = decision.by_action[number]
        bound = "at most " if figures.get("is_bound") else ""
        visits = f", {figures['visits']:,} visits" if "visits" in figures else ""
        rows.append(f"    {number} {texts[number]}: value {bound}{figures['value']:.3f}{visits}")
    return rows


def _duration(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1.0 else f"{1000.0 * seconds:.0f} ms"


def _worth(decision: InspectedDecision, number: int) -> tuple[bool, float, float]:
    """Return the key that sorts the actions of a hint: the choice first, then visits, then value."""
    figures = decision.by_action[number]
    visits, value = figures.get("visits", 0), figures.get("value")
    return (
        number == decision.choice,
        float(visits) if isinstance(visits, int | float) else 0.0,
        float(value) if isinstance(value, int | float) else 0.0,
    )
