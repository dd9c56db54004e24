"""Our games as games of OpenSpiel: ``pyspiel.load_game("tag_love_letter(players=4)")``.

Importing this module registers them all. Actions are those of the game's vocabulary, and tensors its features.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, ClassVar, Final

import numpy as np
import pyspiel

from tag.adapters.rewards import final_rewards
from tag.catalogue.registry import game_class, game_names, make_game
from tag.engine.forward_model import ForwardModel
from tag.engine.rng import Rng
from tag.engine.snapshot import state_hash
from tag.engine.state import AnyAction, GameState
from tag.engine.values import Features
from tag.errors import ParameterError

#: Longer than any game: rules have limits of rounds, and no game of ours says how many actions these take.
_LONGEST: Final = 1_000_000
#: Set-ups that are compared to find out whether chance decides them.
_SETUPS: Final = 8
_UNKNOWN_SEED: Final = -1
#: A stream that shows whether an action draws from it.
_PROBE: Final = 1


class PositionWithChance:
    """A position of a game with the stream that all chance of the game is drawn from; copies draw from the same stream.

    Attributes:
        model: the rules.
        state: the position itself; None before it has been dealt.
        waiting: an action whose outcome chance has to decide; None as a rule.
        chance: the stream.
    """

    __slots__ = ("chance", "model", "state", "waiting")

    def __init__(self, model: ForwardModel[Any], chance: Rng) -> None:
        """Deal nothing yet."""
        self.model = model
        self.chance = chance
        self.state: GameState | None = None
        self.waiting: AnyAction | None = None

    def play(self, state: GameState, action: AnyAction) -> None:
        """Play an action in ``state``, or have it wait for chance if its outcome is drawn."""
        after, draws = state.copy(), Rng(_PROBE)
        self.model.next(after, action, draws)
        if draws.snapshot() == Rng(_PROBE).snapshot():  # nothing was drawn
            self.state = after
        else:
            self.waiting = action

    def draw(self, n_players: int) -> None:
        """Have chance decide: deal, or play the action that waits."""
        if self.state is None:
            self.state = self.model.setup(n_players, self.chance)
        elif self.waiting is not None:
            self.model.next(self.state, self.waiting, self.chance)
            self.waiting = None

    def __deepcopy__(self, _known: object) -> PositionWithChance:
        """Return a copy, as OpenSpiel makes it for `clone`."""
        other = PositionWithChance(self.model, self.chance)
        other.state = None if self.state is None else self.state.copy()
        other.waiting = self.waiting
        return other


class TagGame(pyspiel.Game):  # type: ignore[misc]  # mypy does not know pyspiel
    """A game of ours; each has a subclass with its facts.

    Parameters, as OpenSpiel takes them: ``players``; ``parameters``, those of the game as in a spec (``size=4``); ``seed``,
    which decides all chance from the first deal on, -1 for a secret one.
    """

    name: ClassVar[str] = ""
    facts: ClassVar[Any] = None

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Set the rules up.

        Raises:
            TagError: the game cannot seat so many, or has no such parameters.
        """
        said = params or {}
        own = str(said.get("parameters", ""))
        self.model = make_game(f"{self.name}:{own}" if own else self.name)
        kind = self.model.game_type
        self.n_players = int(said.get("players", kind.min_players))
        seed = int(said.get("seed", _UNKNOWN_SEED))
        self.chance = Rng(secrets.randbelow(1 << 62) if seed == _UNKNOWN_SEED else seed)
        self.vocabulary = self.model.vocabulary(self.n_players)
        self.model.check_players(self.n_players)
        self.features = self.model.features()
        self.n_features = 0 if self.features is None else len(self.features.names(self.n_players))
        is_zero_sum = self.facts.utility == pyspiel.GameType.Utility.ZERO_SUM
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.vocabulary),
            max_chance_outcomes=1 if self.has_chance else 0,
            num_players=self.n_players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if is_zero_sum else None,
            max_game_length=_LONGEST,
        )
        super().__init__(self.facts, info, said)

    @property
    def has_chance(self) -> bool:
        """Say whether chance decides anything, at least the set-up."""
        return bool(self.facts.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC)

    def new_initial_state(self) -> TagState:
        """Return a game that has not been dealt yet."""
        return TagState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return the observer of positions.

        Raises:
            ParameterError: parameters, or a view that never forgets, are asked for.
        """
        if params or (iig_obs_type is not None and iig_obs_type.perfect_recall):
            raise ParameterError(f"{self.name} has observations only, without parameters and without perfect recall")
        return Observer(self.features, self.n_features)


class TagState(pyspiel.State):  # type: ignore[misc]  # as above
    """A position of a game of ours. Chance deals in one step, and again decides in one step what an action draws."""

    def __init__(self, game: TagGame) -> None:
        """Begin before the deal."""
        super().__init__(game)
        self.position = PositionWithChance(game.model, game.chance)
        if not game.has_chance:
            self.position.state = game.model.setup(game.n_players, Rng(0))

    def current_player(self) -> int:
        """Return who decides: before the deal, and where an outcome is drawn, chance does."""
        state = self.position.state
        if state is None or self.position.waiting is not None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if state.is_terminal else int(state.current_player)

    def _legal_actions(self, player: int) -> list[int]:
        state = self.position.state
        if state is None or self.position.waiting is not None or player != state.current_player:
            return []
        vocabulary = self.get_game().vocabulary
        return sorted([int(vocabulary.index(action)) for action in self.position.model.available_actions(state)])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the only outcome, which is drawn when it is applied."""
        return [(0, 1.0)]

    def _apply_action(self, action: int) -> None:
        position = self.position
        if position.state is None or position.waiting is not None:
            position.draw(self.num_players())
        else:
            position.play(position.state, self.get_game().vocabulary.action(action))

    def _action_to_string(self, player: int, action: int) -> str:
        return "chance" if player == pyspiel.PlayerId.CHANCE else str(self.get_game().vocabulary.action(action))

    def is_terminal(self) -> bool:
        """Say whether the game is over."""
        return self.position.state is not None and bool(self.position.state.is_terminal)

    def returns(self) -> list[float]:
        """Return 1 to -1 for each player at the end, and 0 before."""
        state = self.position.state
        return final_rewards(state, True) if state is not None and state.is_terminal else [0.0] * self.num_players()

    def __str__(self) -> str:
        """Return the position as one sees it who may see everything."""
        position = self.position
        if position.state is None:
            return "not dealt yet"
        waiting = "" if position.waiting is None else f"\n{position.waiting}, to be decided by chance"
        return position.state.text(-1) + waiting


class Observer:
    """A player's view of a position, for `pyspiel`: the features, and the position in words.

    Attributes:
        tensor: the features, as last set.
        dict: the same by name, as OpenSpiel wants it.
    """

    def __init__(self, features: Features | None, n_features: int) -> None:
        """Make room for the features; there are none of a game that declares none."""
        self._features = features
        self.tensor = np.zeros(n_features, np.float32)
        self.dict = {"features": self.tensor}

    def set_from(self, state: TagState, player: int) -> None:
        """Write the features for ``player``; zeros before the deal."""
        known, features = state.position.state, self._features
        self.tensor[:] = 0.0 if known is None or features is None else features.values(known, player)

    def string_from(self, state: TagState, player: int) -> str:
        """Return the position in words, as ``player`` sees it."""
        known = state.position.state
        return "" if known is None else known.text(player)


def openspiel_name(name: str) -> str:
    """Return the name that OpenSpiel knows a game by.

    Examples:
        >>> openspiel_name("love_letter")
        'tag_love_letter'
    """
    return f"tag_{name}"


def _facts_of(name: str) -> Any:
    """Return a game's type, as OpenSpiel describes games."""
    kind = game_class(name).game_type
    model = make_game(name)
    setups = [model.setup(kind.min_players, Rng(seed)) for seed in range(_SETUPS)]
    has_chance = kind.chance or len({state_hash(state) for state in setups}) > 1
    teams = {setups[0].team(player) for player in range(kind.min_players)}
    # Sides that are dealt may have any sizes, so that their results need not sum to zero.
    utility = "GENERAL_SUM" if kind.sides else "IDENTICAL" if len(teams) == 1 else "ZERO_SUM"
    return pyspiel.GameType(
        short_name=openspiel_name(name),
        long_name=kind.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=getattr(pyspiel.GameType.ChanceMode, "SAMPLED_STOCHASTIC" if has_chance else "DETERMINISTIC"),
        information=getattr(
            pyspiel.GameType.Information,
            "IMPERFECT_INFORMATION" if kind.hidden_information else "PERFECT_INFORMATION",
        ),
        utility=getattr(pyspiel.GameType.Utility, utility),
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=kind.max_players,
        min_num_players=kind.min_players,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": kind.min_players, "parameters": "", "seed": _UNKNOWN_SEED},
    )


def _register(names: Sequence[str]) -> None:
    for name in names:
        facts = _facts_of(name)
        pyspiel.register_game(
            facts, type(f"{game_class(name).__name__}Game", (TagGame,), {"name": name, "facts": facts})
        )


_register(game_names())
