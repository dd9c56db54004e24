"""How far a candidate is from the printed rules: the defaults of a game type."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from tag.dimensions import Choice, Dimension, Flag, Integer, Real
from tag.errors import DataError, UnknownNameError
from tag.parameters import Parameters
from tag.registry import make_game
from tuning.balance.candidate import CandidateGames
from tuning.balance.estimate import Estimate
from tuning.configurations import to_unit
from tuning.ranges import Interval, whole_range


def rules_distance(
    parameters: type[Parameters], values: Mapping[str, Any], searched: Collection[str] | None = None
) -> Estimate:
    """Return the mean distance of parameters from their defaults, each from 0 (as printed) to 1 (across its range).

    Numbers go by their declared range, on a logarithmic scale where it is one; ordered choices by their places; others are
    as printed or not. Parameters without an effect beside the others are as printed. No game is needed.

    Args:
        parameters: what the game type declares.
        values: what is changed, by name.
        searched: the parameters to average over; by default all that can be searched.

    Raises:
        UnknownNameError: there is no such parameter, or it cannot be searched.
    """
    known = {one.name: one for one in _searchable(parameters)}
    names = list(known if searched is None else searched)
    for name in (*names, *values):
        if name not in known:
            raise UnknownNameError.of("parameter", name, known)
    printed = parameters()
    whole = {**printed.values(), **values}
    changed = [_distance(known[name], whole[name]) for name in names if known[name].is_active(whole)]
    return Estimate.exactly(sum(changed) / len(names) if names else 0.0)


def candidate_distance(candidate: CandidateGames) -> Estimate:
    """Return the distance of the game type that was played, over all parameters that can be searched.

    Raises:
        DataError: the games are not all of one game type with the same parameters, or it is not known which.
    """
    played = [spec for spec in candidate.games["game"].astype(str).unique() if spec]
    if len(played) != 1:
        raise DataError(f"a distance from the printed rules is that of one game, not of {len(played)}")
    parameters = make_game(played[0]).parameters
    tunable = {one.name for one in _searchable(type(parameters))}
    return rules_distance(type(parameters), {name: parameters.values()[name] for name in tunable})


def _searchable(parameters: type[Parameters]) -> list[Dimension]:
    return [one for one in parameters.dimensions() if isinstance(one, Integer | Real | Choice | Flag)]


def _distance(dimension: Dimension, value: Any) -> float:
    scale = whole_range(dimension)
    if isinstance(scale, Interval):
        here, printed = (to_unit(scale.distribution, scale.encoded(one)) for one in (value, dimension.default))
        return abs(here - printed)
    if isinstance(dimension, Choice) and dimension.ordered and len(dimension.options) > 1:
        place = dimension.options.index
        return abs(place(value) - place(dimension.default)) / (len(dimension.options) - 1)
    return float(value != dimension.default)
