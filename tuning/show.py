"""What a study has come to, for people and for machines."""

from __future__ import annotations

from typing import Any

import pandas as pd

from tournaments.plain import plain
from tuning.results import StudyResults

_MOST_ROWS = 10


def study_text(results: StudyResults) -> str:
    """Return the verdict, what is recommended beside the default, and the trials with the most games."""
    definition = results.manifest.definition
    lines = [
        f"{', '.join(definition.agents)} in {definition.game}, {definition.players} players, "
        f"versus {', '.join(definition.versus) or 'nobody'}: {definition.objective} by {definition.sampler}, "
        f"{definition.games_per_trial:,} games per configuration"
    ]
    trials = results.trials
    if trials.empty:
        return "\n".join([*lines, "nothing has been played yet"])
    games, dropped = int(trials["games"].sum()), int((trials["state"] == "dropped").sum())
    lines.append(f"{len(trials):,} configurations, {dropped:,} of them dropped, {games:,} games")
    if results.recommendation is None:
        last = results.incumbents.iloc[-1] if len(results.incumbents) else None
        if last is not None:
            lines.append(
                f"best by the model so far: {last['spec']}  {last['value']:.3f} ± {1.96 * last['deviation']:.3f}"
            )
        return "\n".join([*lines, "not complete"])
    return "\n".join([*lines, "", *_changes(results.recommendation), "", str(results.recommendation["sentence"])])


def study_json(results: StudyResults) -> dict[str, Any]:
    """Return the same and all trials as plain values."""
    return {
        "folder": str(results.folder),
        "complete": results.complete,
        "definition": results.manifest.definition.to_json(),
        "recommendation": results.recommendation,
        "incumbents": _rows(results.incumbents),
        "trials": _rows(results.trials),
    }


def _changes(recommendation: dict[str, Any]) -> list[str]:
    """Return the parameters in which the candidate of the search differs from the default, side by side."""
    candidate = recommendation["candidate"]
    return [f"default    {recommendation['default']}", f"candidate  {candidate['spec']}"]


def _rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [dict(plain({str(name): value for name, value in row.items()})) for row in rows]
