"""Coordinate ascent of the mean of a Gaussian process, at a cost that grows with the parameters and not with their square.

The kernel of two points follows from sums over parameters (`tag.tuning.samplers.gaussian_process.GaussianProcess.terms`). A
change of one parameter exchanges one term of each sum. So the means of all changes of one parameter are known from one table
with a row per level, and only the best ones have to be made and checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from tag.tournaments.statistics.intervals import Floats
from tag.tuning.samplers.gaussian_process import GaussianProcess
from tag.tuning.samplers.levels import Levels
from tag.tuning.space.configurations import Configuration, Configurations

#: With more parameters, several change in one step, so that the steps do not grow in number with them.
_MOST_SINGLE: Final = 32


class Ascent:
    """Steps from configuration to configuration, each to the valid neighbour with the greatest mean."""

    def __init__(
        self, process: GaussianProcess, configurations: Configurations, levels: Levels, rows: Sequence[Floats]
    ) -> None:
        """Take the levels that parameters may have, and the features of each level and of no effect, by parameter."""
        self._process = process
        self._configurations = configurations
        self._names = list(configurations.distributions)
        self._values = levels.values
        self._middle = {name: values[len(values) // 2] for name, values in zip(self._names, levels.values, strict=True)}
        self._parents = {parent for parent, _wanted in configurations.conditions.values()}
        self._rows = rows
        self._begins = np.cumsum([0, *(len(values) for values in rows)])
        self._group = np.repeat(np.arange(len(rows)), [len(values) for values in rows])
        self._terms = np.concatenate([process.terms(group, values) for group, values in enumerate(rows)], axis=1)

    def climb(self, start: Configuration, features: Floats) -> Configuration:
        """Return the configuration that is reached from ``start``, which has these features, shape (features,)."""
        best = start
        own = np.stack(
            [
                self._process.terms(group, features[None, self._process.columns(group)])[:, 0]
                for group in range(len(self._names))
            ],
            axis=1,
        )
        while True:
            step = self._step(best, own)
            if step is None:
                return best
            best, changed = step
            for row in changed:
                own[:, self._group[row]] = self._terms[:, row]

    def _step(self, best: Configuration, own: Floats) -> tuple[Configuration, list[int]] | None:
        """Return the best valid neighbour with the rows of its new levels; None where none has a greater mean.

        ``own`` has the terms of ``best``, shape (terms, parameters, observations).
        """
        total = own.sum(axis=1)
        least = self._process.mean_of_terms(total[:, None])[0]
        changes = self._changes(best)
        means = np.array(self._process.mean_of_terms(total[:, None] - own[:, self._group] + self._terms))
        single = [rows[0] for rows in changes]
        found = means[single] if single else np.zeros(0)
        for place, rows in enumerate(changes):
            if len(rows) > 1:
                found[place] = self._process.mean_of_terms(self._changed(total, own, rows)[:, None])[0]
        order = np.argsort(-found, kind="stable")
        better = [changes[place] for place in order.tolist() if found[place] > least]
        several = self._several(better)
        if several and self._process.mean_of_terms(self._changed(total, own, several)[:, None])[0] > found[order[0]]:
            better = [several, *better]
        for rows in better:
            after = self._after(best, rows)
            if self._configurations.is_valid(after):
                return after, rows
        return None

    def _changes(self, best: Configuration) -> list[list[int]]:
        """Return the rows of the new levels of each neighbour, in the order of parameters and levels."""
        found = []
        for group, name in enumerate(self._names):
            if name in best:
                begin = int(self._begins[group])
                for level, value in enumerate(self._values[group]):
                    if value != best[name]:
                        rows = self._with_children(best, name, value) if name in self._parents else []
                        found.append([begin + level, *rows])
        return found

    def _with_children(self, best: Configuration, name: str, value: object) -> list[int]:
        """Return the rows of parameters that have an effect, or none any more, once ``name`` has another value."""
        after = self._configurations.active({**self._middle, **best, name: value})
        rows = []
        for group, other in enumerate(self._names):
            if other != name and (other in after) != (other in best):
                values = self._values[group]
                level = values.index(after[other]) if other in after else len(values)
                rows.append(int(self._begins[group]) + level)
        return rows

    def _several(self, better: Sequence[list[int]]) -> list[int]:
        """Return the best changes of several parameters together, where there are many; none of those with conditions."""
        most = -(-len(self._names) // _MOST_SINGLE)
        chosen: dict[int, int] = {}
        for rows in better:
            if len(chosen) < most and len(rows) == 1:
                chosen.setdefault(int(self._group[rows[0]]), rows[0])
        return list(chosen.values()) if len(chosen) > 1 else []

    def _changed(self, total: Floats, own: Floats, rows: Sequence[int]) -> Floats:
        found: Floats = total - own[:, self._group[rows]].sum(axis=1) + self._terms[:, rows].sum(axis=1)
        return found

    def _after(self, best: Configuration, rows: Sequence[int]) -> Configuration:
        values = {**self._middle, **best}
        for row in rows:
            group = int(self._group[row])
            level = row - int(self._begins[group])
            if level < len(self._values[group]):
                values[self._names[group]] = self._values[group][level]
        return self._configurations.active(values)
