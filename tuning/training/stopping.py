"""Stopping rules of trainings, decided on evaluations in the order of checkpoints, whenever these became known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median

from tag.tuning.training.definition import MEDIAN, TrainingDefinition

#: The value of the first evaluator by seed and episode.
Values = Mapping[int, Mapping[int, float]]


def decisions(definition: TrainingDefinition, values: Values) -> dict[tuple[int, int], str]:
    """Return by seed and episode whether a learner stops there: the reason, or an empty text if it goes on.

    What is not decided yet is left out. There is no decision after all episodes, and none after a learner has stopped.
    """
    if not definition.has_rule:
        return {}
    if definition.target_by == MEDIAN:
        return dict(_decided_together(definition, values))
    return {
        (seed, episode): reason
        for seed in definition.all_seeds
        for episode, reason in _decided_alone(definition, values.get(seed, {}))
    }


def _decided_alone(definition: TrainingDefinition, values: Mapping[int, float]) -> Iterator[tuple[int, str]]:
    known: list[float] = []
    for episode in definition.checkpoints[:-1]:
        if episode not in values:
            return
        known.append(values[episode])
        reason = ""
        if _reaches(definition, known[-1]):
            reason = f"it has reached {definition.target:g} by {definition.evaluate[0]}"
        reason = reason or _without_improvement(definition, known)
        yield episode, reason
        if reason:
            return


def _decided_together(definition: TrainingDefinition, values: Values) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield decisions with a target for the median: learners wait for each other, and stopped ones keep their value."""
    known: dict[int, list[float]] = {seed: [] for seed in definition.all_seeds}
    active = set(definition.all_seeds)
    for episode in definition.checkpoints[:-1]:
        if any(episode not in values.get(seed, {}) for seed in active):
            return
        for seed in active:
            known[seed].append(values[seed][episode])
        together = ""
        if _reaches(definition, median(some[-1] for some in known.values())):
            together = f"the median has reached {definition.target:g} by {definition.evaluate[0]}"
        for seed in sorted(active):
            reason = together or _without_improvement(definition, known[seed])
            yield (seed, episode), reason
            if reason:
                active.discard(seed)
        if not active:
            return


def _reaches(definition: TrainingDefinition, value: float) -> bool:
    if definition.target is None:
        return False
    return value <= definition.target if definition.evaluators[0].is_better_if_less else value >= definition.target


def _without_improvement(definition: TrainingDefinition, known: list[float]) -> str:
    """Return why a learner with these values stops; empty if one of the last ones is the best so far."""
    n = definition.patience
    if not n or len(known) <= n:
        return ""
    sign = -1.0 if definition.evaluators[0].is_better_if_less else 1.0
    before, after = ([sign * value for value in some if value == value] for some in (known[:-n], known[-n:]))
    if after and (not before or max(after) > max(before)):
        return ""
    return f"{n} evaluations by {definition.evaluate[0]} were not better than the best before"
