"""Parameters of agents that are tuned for a game, its presets: the file that has them, and when an agent takes them.

    # games/cards/diamant/presets.toml; beside a game of one module, presets/<game>.toml in its family
    [osla]
    parameters = {samples = 100}
    measured = "26 November 2026, 2 players: 200 games each against …"
    gain = [0.137, 0.088, 0.187]

``gain`` is in points beside the agent's defaults in the same games, with the ends of its 95 % interval. Where players win
together, or alone, points may tell nothing: then it is in the game's score, and ``unit = "diseases cured"`` names that.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Self

from mypy_extensions import mypyc_attr

from tag.catalogue.registry import agent_class, game_class, game_file, parameters_of
from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import Spec, choice
from tag.engine.text_files import read_text
from tag.errors import DataError, ParameterError, TagError, UnknownNameError
from tag.playing.agent import SearchParameters

NONE: Final = "none"
GAME: Final = "game"
AUTO: Final = "auto"

#: The parameters that a preset leaves alone: what a decision may cost, and what positions are worth.
_NOT_TUNED: Final = ("budget", "budget_type", "heuristic", "preset")
_KEYS: Final = ("parameters", "measured", "gain", "unit")
_POINTS: Final = "points"


@dataclass(frozen=True)
class Preset:
    """The parameters of an agent that are tuned for a game, and how they were measured.

    Attributes:
        agent: the agent's name.
        values: the parameters that differ from its defaults.
        measured: date, budget, seeds, opponents and games.
        gain: what it is better than the defaults in the same games, and the ends of the 95 % interval.
        unit: of the gain: points, or what the game's score counts.
    """

    agent: str
    values: Mapping[str, object]
    measured: str
    gain: tuple[float, float, float]
    unit: str = _POINTS

    def __reduce__(self) -> Any:
        """Pickle by the arguments of the constructor: fields of a frozen class cannot be set."""
        return (Preset, (self.agent, self.values, self.measured, self.gain, self.unit))

    @property
    def spec(self) -> str:
        """The agent with these parameters."""
        return str(Spec(self.agent, dict(self.values)))


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass
class PresetParameters(SearchParameters):
    """Parameters of agents for which games may have presets."""

    preset: str = choice(
        AUTO,
        (AUTO, GAME, NONE),
        "defaults of the other parameters: those tuned for the game where it has some and only the budget is given (auto), "
        "also where others are given, which stay if they differ from the agent's own (game), or the agent's own (none)",
    )

    @classmethod
    def from_values(cls, values: Mapping[str, object]) -> Self:
        """Make the parameters as `Parameters.from_values` does; with others than the budget given, `AUTO` becomes `NONE`.

        That is said only where values do not show it: where those given are the agent's own defaults, and `preset` is not
        given, as it is where all parameters are written out.

        Examples:
            >>> from tag.catalogue.registry import canonical, make_agent
            >>> cls = make_agent("mcts").parameters_class
            >>> [canonical(f"mcts:{text}", cls) for text in ("k=1", "k=0.5", "budget=500")]
            ['mcts:preset=none', 'mcts:k=0.5', 'mcts:budget=500']
        """
        made = cls._from_values(values)
        is_given = any(_is_choice(name.partition(".")[0]) for name in values)
        if "preset" not in values and made.preset == AUTO and is_given and not made.is_configured():
            return cls._from_values({**values, "preset": NONE})
        return made

    def is_configured(self) -> bool:
        """Say whether a parameter beside the budget differs from the agent's own default."""
        return any(_is_choice(name) for name in self.changes())

    def in_game(self, model: ForwardModel[Any]) -> Self:
        """Return the parameters with which the agent plays by the rules ``model``.

        Raises:
            ParameterError: those that were given do not fit the preset's.
        """
        if self.preset == NONE or (self.preset == AUTO and self.is_configured()):
            return self
        for preset in presets_of(type(model.undecorated())).values():
            if agent_class(preset.agent).parameters_class is type(self):
                return type(self).from_values({**preset.values, **self.changes()})
        return self


def _is_choice(name: str) -> bool:
    """Say whether a parameter turns presets off: all but the budget do, as they are measured with the game's heuristic."""
    return name == "heuristic" or name not in _NOT_TUNED


def written_out(spec: Spec, model: ForwardModel[Any]) -> Spec:
    """Return the spec of an agent with the parameters of the preset that it takes in a game, itself where it takes none.

    Raises:
        TagError: there is no such agent, or a value is out of range.

    Examples:
        >>> from tag.catalogue.registry import make_game
        >>> str(written_out(Spec("osla", {"budget": 50}), make_game("blackjack")))
        'osla:budget=50,samples=100,preset=none'
        >>> str(written_out(Spec("osla", {"budget": 50}), make_game("tic_tac_toe")))
        'osla:budget=50'
    """
    given = parameters_of(spec, agent_class(spec.name).parameters_class)
    taken = given.in_game(model) if isinstance(given, PresetParameters) else given
    return spec if taken is given else Spec(spec.name, {**taken.changes(), "preset": NONE})


def presets_of(game: type[ForwardModel[Any]] | str) -> Mapping[str, Preset]:
    """Return the presets of a game, a class or name, by agent; none for one without a file, or a user's.

    Raises:
        TagError: there is no such game, or its file is wrong; the message says how.
    """
    file = game_file(game_class(game) if isinstance(game, str) else game, "presets.toml")
    return read_presets(file) if file is not None and file.is_file() else {}


@cache
def read_presets(file: Path) -> Mapping[str, Preset]:
    """Return the presets in a file by agent.

    Raises:
        TagError: it is no such file, or names an agent or parameter that is not there; the message says how.
    """
    where = f"the preset file {str(file)!r}"
    try:
        tables = tomllib.loads(read_text(file, "preset file"))
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{where} is not TOML: {error}") from None
    return {agent: _preset(agent, table, where) for agent, table in tables.items()}


def _preset(agent: str, table: Any, where: str) -> Preset:
    if not isinstance(table, dict) or not isinstance(table.get("parameters"), dict):
        raise DataError(f"[{agent}] in {where} has no table 'parameters'; it is parameters = {{k = 0.5}}")
    for key in table:
        if key not in _KEYS:
            raise UnknownNameError.of(f"key of [{agent}] in {where}", key, _KEYS)
    values: dict[str, object] = table["parameters"]
    try:
        cls = agent_class(agent).parameters_class
        if not issubclass(cls, PresetParameters):
            raise ParameterError(f"{agent} takes no presets; mcts is an agent that does")
        changes = parameters_of(Spec(agent, values), cls).changes()
        for name, value in values.items():
            if name in _NOT_TUNED or name not in changes:
                why = "is not tuned for a game" if name in _NOT_TUNED else "is the default of the agent"
                raise ParameterError(f"{agent}: {name} = {value} {why}; leave it out")
    except TagError as error:
        raise type(error)(f"{where}: {error}") from None
    gain = table.get("gain")
    if not isinstance(gain, list) or len(gain) != 3 or not isinstance(table.get("measured"), str):
        raise DataError(f"[{agent}] in {where} has no text 'measured' and gain = [mean, low, high]")
    unit = table.get("unit", _POINTS)
    if not isinstance(unit, str) or not unit:
        raise DataError(f"[{agent}] in {where} has unit = {unit!r}; it is a text such as 'diseases cured'")
    return Preset(agent, changes, table["measured"], (float(gain[0]), float(gain[1]), float(gain[2])), unit)
