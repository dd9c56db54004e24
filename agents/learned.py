"""Play by learned values: an agent, and a heuristic for every search, that use what a learner has learned.

``learned:file=models/hex/1.safetensors`` takes the values from a file of ``tag train``;
``learned:learner=(td_ntuple:alpha=2),episodes=20000`` learns them before its first game.
``mcts:heuristic=learned`` uses those that come with the game that is played.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from mypy_extensions import i64

from tag.catalogue.models import Model, check_fits, read_model, rules_of
from tag.catalogue.models.shipped import check_evidence, shipped_counts, shipped_file
from tag.catalogue.registry import learner_class, make_game, make_learner
from tag.catalogue.user_code import sources_in_use
from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import Parameters, file_name, integer, names_program, parse_spec, spec_of
from tag.engine.rng import Greatest
from tag.engine.state import AnyAction, GameState
from tag.engine.values import StateHeuristic
from tag.errors import ContractError, DataError, ParameterError, PlayersError, SpecError, UnknownNameError
from tag.playing.agent import Agent
from tag.playing.learning import LearnedValues
from tag.playing.search_tree import SearchNode, valued_actions


@dataclass
class LearnedHeuristicParameters(Parameters):
    """The source of learned values."""

    file: str = file_name("file of `tag train` with the values; without one, those that come with the game")
    learner: str = spec_of(
        "learner", "td_ntuple", "what has learned them; needed only for a learner in a file of your own"
    )


@dataclass
class LearnedParameters(Parameters):
    """Parameters of play by learned values."""

    file: str = file_name("file of `tag train` with the values; without one, they are learned before the first game")
    learner: str = spec_of(
        "learner", "td_ntuple", "what learns, without a file; else as for the heuristic of this name"
    )
    episodes: int = integer(0, 0, 1_000_000_000, "games that it learns from, without a file")
    seed: int = integer(1, 0, 1_000_000_000, "seed of the learner, without a file")
    determinisations: int = integer(10, 1, 1000, "deals of the hidden information to average over", log=True)

    def check(self) -> None:
        """Refuse two sources of values."""
        if not self.file:
            return
        for name in ("episodes", "seed"):
            value = self.changes().get(name)
            if value is not None:
                raise ParameterError(f"{name} cannot be {value} beside a file, which has its own; leave one out")


#: The values from files, with the model that each file had, and those that were learned here.
_FROM_FILES: Final[dict[str, tuple[Model, LearnedValues]]] = {}
_LEARNED: Final[dict[tuple[object, ...], LearnedValues]] = {}
#: The values that come with games and whose evidence has been checked, and the class of the rules, by file.
_CHECKED: Final[dict[str, tuple[LearnedValues, type]]] = {}
#: Users' files in a spec: a model cannot have one imported that the user has not named.
_PATHS: Final = re.compile(r"[^=(,]+?\.(?:py|json)")
#: Not more than this many of each are kept.
_MOST_KEPT: Final = 8


def values_in(file: str) -> LearnedValues:
    """Return the values in a file of ``tag train``; they are made once, until the file changes.

    Raises:
        TagError: the file cannot be read, or its game or learner cannot be made.
    """
    model = read_model(file)
    known = _FROM_FILES.get(file)
    if known is not None and known[0] is model:
        return known[1]
    if names_program(f"{model.game},{model.learner}"):
        raise DataError(f"the model {file!r} names a program, which no model may have run")
    try:
        for path in _code_in(f"{model.game},{model.learner}"):
            if path not in sources_in_use():
                raise DataError(
                    f"the model {file!r} needs the code in {path!r}; name it in the spec of the game or learner, too"
                )
        learner = make_learner(model.learner, make_game(model.game), model.players, model.episodes, model.seed)
        learner.restore(model.knowledge)
    except (ParameterError, PlayersError, SpecError, UnknownNameError) as error:
        raise DataError(f"the model {file!r} cannot be used: {error}") from None
    values = learner.values()
    _keep(_FROM_FILES, file)
    _FROM_FILES[file] = (model, values)
    return values


def _code_in(text: str) -> list[str]:
    """Return the users' files that specs in ``text`` name, also in the JSON files of agents."""
    found: list[str] = []
    for path in _PATHS.findall(text):
        found += _code_in(str(parse_spec(path))) if path.endswith(".json") else [path]
    return found


def _learned(parameters: LearnedParameters, model: ForwardModel[Any], n_players: int) -> LearnedValues:
    """Return the values that the parameters' learner learns of a game; it learns once in a process."""
    rules = json.dumps(rules_of(model))
    key = (parameters.learner, parameters.episodes, parameters.seed, rules, n_players)
    known = _LEARNED.get(key)
    if known is None:
        learner = make_learner(parameters.learner, model, n_players, parameters.episodes, parameters.seed)
        for _episode in range(parameters.episodes):
            learner.play_episode()
        known = learner.values()
        _keep(_LEARNED, key)
        _LEARNED[key] = known
    return known


def _keep(known: dict[Any, Any], key: object) -> None:
    """Make room for ``key`` by dropping the oldest."""
    known.pop(key, None)
    while len(known) >= _MOST_KEPT:
        del known[next(iter(known))]


def shipped_values(model: ForwardModel[Any], n_players: int) -> LearnedValues:
    """Return the learned values that come with a game.

    Raises:
        ParameterError: there are none for this game with so many players, or they were not learned by these rules.
    """
    file = shipped_file(model, n_players)
    values = values_in(file)
    rules = type(model.undecorated())
    known = _CHECKED.get(file)
    if known is None or known[0] is not values or known[1] is not rules:
        check_evidence(file, values, model, n_players)
        _CHECKED[file] = (values, rules)
    return values


class _ShippedHeuristic(StateHeuristic):
    """The learned values that come with a game, for each number of players."""

    def __init__(self, model: ForwardModel[Any]) -> None:
        """Read the values; raise `ParameterError` if there are none, or they were not learned by these rules."""
        super().__init__()
        counts = shipped_counts(type(model.undecorated())) or [int(model.game_type.min_players)]
        self._by_players = {count: shipped_values(model, count) for count in counts}
        self._first = self._by_players[counts[0]]

    def is_of_afterstates(self) -> bool:
        """Say whether the values are of afterstates, as those for any number of players are."""
        return self._first.is_of_afterstates()

    def value(self, state: GameState, player: i64) -> float:
        """Return the learned value."""
        return self._of(state).value(state, player)

    def value_all(self, state: GameState, values: list[float]) -> None:
        """Return the learned values."""
        self._of(state).value_all(state, values)

    def _of(self, state: GameState) -> LearnedValues:
        """Return the values for the number of players of ``state``."""
        found = self._by_players.get(int(state.n_players))
        if found is None:
            raise ParameterError(f"the learned values are for {list(self._by_players)} players, not {state.n_players}")
        return found


class LearnedHeuristic(StateHeuristic):
    """The values that a learner has learned, by default those that come with the game; finished games have their result."""

    parameters_class = LearnedHeuristicParameters

    def __init__(self, parameters: LearnedHeuristicParameters | None = None) -> None:
        """Read the file, if one is named."""
        chosen = LearnedHeuristicParameters() if parameters is None else parameters
        super().__init__(chosen)
        self._file = chosen.file
        learner_class(parse_spec(chosen.learner).name)
        self._values: LearnedValues | None = values_in(chosen.file) if chosen.file else None

    def check_game(self, model: ForwardModel[Any], n_players: int) -> None:
        """Refuse another game than the one that was learned, and one with which no values come."""
        if self._file:
            check_fits(self._file, read_model(self._file), model, n_players)
        else:
            shipped_values(model, n_players)

    def of(self, model: Any) -> StateHeuristic:
        """Return the values in the file, else those that come with the game of a forward model."""
        return self if self._file else _ShippedHeuristic(model)

    def is_of_afterstates(self) -> bool:
        """Say whether the values are of afterstates."""
        return self._known().is_of_afterstates()

    def value(self, state: GameState, player: i64) -> float:
        """Return the learned value."""
        return self._known().value(state, player)

    def value_all(self, state: GameState, values: list[float]) -> None:
        """Return the learned values."""
        self._known().value_all(state, values)

    def _known(self) -> LearnedValues:
        """Return the values in the file; raise `ContractError` without one."""
        if self._values is None:
            raise ContractError("the heuristic 'learned' without a file values no position itself; ask `of(model)`")
        return self._values


class Learned(Agent):
    """Plays the action with the greatest learned value, with ties drawn at random.

    Values are of the positions after each action, or of the actions. Where chance follows an action, its outcomes are
    averaged. Hidden information is dealt some times, and the values of an action are averaged.
    """

    parameters_class = LearnedParameters
    _values: LearnedValues

    def __init__(self, parameters: LearnedParameters | None = None) -> None:
        """Read the file, if there is one; raise `ParameterError` if nothing was or will be learned."""
        chosen = LearnedParameters() if parameters is None else parameters
        if not chosen.file and chosen.episodes == 0:
            raise ParameterError(
                "learned has not learned anything; give the file of a model that `tag train` has made, "
                "or the number of episodes to learn from before the first game"
            )
        super().__init__(chosen)
        self._settings = chosen
        self._deals: i64 = chosen.determinisations
        self._actions: list[AnyAction] = []
        self._action_values: list[float] = []
        self._choice: AnyAction | None = None
        learner_class(parse_spec(chosen.learner).name)
        if chosen.file:
            self._values = values_in(chosen.file)

    def check_game(self, model: ForwardModel[Any], n_players: int) -> None:
        """Refuse another game than the one that was learned."""
        file = self._settings.file
        if file:
            check_fits(file, read_model(file), model, n_players)
        else:
            make_learner(self._settings.learner, model, n_players, self._settings.episodes)

    def start_game(self, observation: GameState) -> None:
        """Learn, if there is no file."""
        if not self._settings.file:
            self._values = _learned(self._settings, self.sim.model.undecorated(), int(observation.n_players))

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Return the action with the greatest value.

        >>> from tag import Game, make_agent, make_game
        >>> agents = [make_agent("learned:learner=td,episodes=20"), make_agent("random")]
        >>> state = Game(make_game("tic_tac_toe"), agents, seed=1).play()
        >>> [int(state.ordinal(player)) for player in range(2)]
        [1, 2]
        """
        worlds = [observation]
        if self.sim.model.game_type.hidden_information:
            while len(worlds) < self._deals:
                worlds.append(self.sim.observation(observation, self.player))
        best = actions[0]
        greatest = Greatest(self.sim.rng)
        values: list[float] = []
        for action in actions:
            total = 0.0
            for world in worlds:
                total += self._value_of(world, action)
            values.append(total / float(len(worlds)))
            if greatest.takes(values[-1]):
                best = action
        self._actions = actions
        self._action_values = values
        self._choice = best
        return best

    def _value_of(self, world: GameState, action: AnyAction) -> float:
        sim = self.sim
        values = self._values
        if values.is_of_actions():
            return values.action_value(world, self.player, action)
        after = sim.afterstate(world, action) if values.is_of_afterstates() else None
        if after is not None:
            return values.after(after, self.player)
        mean = 0.0
        for probability, outcome in sim.outcomes(world, action):
            mean += probability * values.after(outcome, self.player)
        return mean

    def statistics(self) -> Mapping[str, object]:
        """Return ``actions``, a dictionary for each available action, with ``action`` and ``value``."""
        return {
            "actions": [
                {"action": str(action), "value": value}
                for action, value in zip(self._actions, self._action_values, strict=False)
            ]
        }

    def search_tree(self, least_visits: int = 1, most_nodes: int = 2000) -> SearchNode | None:
        """Return the actions of the last decision, with their values."""
        if self._choice is None:
            return None
        values: list[float | None] = list(self._action_values)
        return valued_actions(self.player, self._choice, self._actions, values, [None] * len(values))
