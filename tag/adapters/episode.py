"""One game that is played from outside, action by action, with the chance of a ledger's game of the same seed."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from gymnasium import spaces

from tag.adapters.observing import known_game, make_vector
from tag.adapters.rewards import Rewards
from tag.engine.rng import Rng, derive_seed
from tag.engine.state import AnyAction, GameState
from tag.errors import ContractError, ParameterError
from tag.table.events import Narrator, event_views

#: The most available actions that the refusal of another one lists.
_LISTED: Final = 12
#: The largest seed that is drawn for a reset without one.
_SEEDS: Final = 2**31 - 1


def game_seed(seed: int | None, draws: np.random.Generator) -> int:
    """Return the seed of a game: the one that was given, or a drawn one."""
    return int(draws.integers(_SEEDS)) if seed is None else int(seed)


class Episode:
    """A game type with its vocabulary and vector, and the game of it that is being played.

    Attributes:
        model: the rules.
        n_players: the number of seats.
        vocabulary: all actions, numbered.
        vector: the form of observations.
        rewards: the rewards.
        state: the position.
        choices: the available actions by their number in the vocabulary.
    """

    state: GameState

    def __init__(
        self, game: str, n_players: int | None, observation: str, reward: str, *, events: bool = False
    ) -> None:
        """Prepare a game; with ``events``, what seats are told is kept for `news`.

        Raises:
            TagError: there is no such game, it cannot seat so many, or it declares no vocabulary or vector.
        """
        self.model = known_game(game)
        self.n_players = int(self.model.game_type.min_players) if n_players is None else n_players
        self.model.check_players(self.n_players)
        self.vocabulary = self.model.vocabulary(self.n_players)
        if not self.vocabulary.is_declared:
            title = self.model.game_type.title
            raise ContractError(f"{title} declares no actions; add the method `vocabulary` to its forward model")
        self.vector = make_vector(self.model, self.n_players, observation)
        self.rewards = Rewards(reward)
        self.choices: dict[int, AnyAction] = {}
        self._chance = Rng(0)
        self._round = 0
        self._narrator = Narrator() if events else None
        self._told: list[list[dict[str, Any]]] = []

    def start(self, seed: int) -> None:
        """Set up the game that ``tag play GAME --seed`` plays."""
        self._chance = Rng(derive_seed(seed, "game"))
        self._round = 0
        self.follow(self.model.setup(self.n_players, self._chance))
        if self._narrator is not None:
            self._narrator = Narrator()
            self._narrator.on_start(self.state)
            self._told = [[] for _seat in range(self.n_players)]
            self.state.recording = True
            self.model.announce_setup(self.state)
            self._tell(self._narrator)

    def follow(self, state: GameState) -> None:
        """Begin with a game in its first position, which is played here or elsewhere."""
        self.state = state
        self.rewards.start(state)
        self.find_choices()

    def find_choices(self) -> None:
        """Look up the available actions."""
        index = self.vocabulary.index
        self.choices = {index(action): action for action in self.model.available_actions(self.state)}

    def play(self, number: int) -> None:
        """Play an available action, by its number in the vocabulary.

        Raises:
            ParameterError: it is not available.
        """
        action = self.chosen(number)
        state = self.state
        if state.round != self._round:
            self._round = int(state.round)
            self._chance.select(self._round)
        self.model.next(state, action, self._chance)
        if self._narrator is not None:
            self._tell(self._narrator)
        self.find_choices()

    def news(self, seat: int) -> dict[str, Any]:
        """Return entries of an ``info``: ``events`` that a seat was told of since the last call; none without events."""
        if self._narrator is None:
            return {}
        told, self._told[seat] = self._told[seat], []
        return {"events": told}

    def _tell(self, narrator: Narrator) -> None:
        """Keep for each seat what it may know of the latest events."""
        events, self.state.announced = self.state.announced, ()
        for event in events:
            narrator.on_game_event(self.state, event)
        latest = narrator.take(self.state)
        for seat in range(self.n_players):
            self._told[seat] += event_views(latest, seat)

    def chosen(self, number: int) -> AnyAction:
        """Return an available action by its number in the vocabulary.

        Raises:
            ParameterError: it is not available.
        """
        action = self.choices.get(number)
        if action is None:
            raise ParameterError(self._refusal(number))
        return action

    def seen_space(self, n_actions: int) -> spaces.Dict:
        """Return a new space of a seat's observations with masks of so many actions."""
        mask = spaces.Box(0, 1, (n_actions,), np.int8)
        return spaces.Dict({"observation": self.vector.space, "action_mask": mask})

    def _refusal(self, number: int) -> str:
        shown = [str(choice) for choice in list(self.choices)[:_LISTED]]
        more = ", …" if len(self.choices) > _LISTED else ""
        words = repr(number)
        if 0 <= number < len(self.vocabulary):
            words = f"{number} ({self.vocabulary.action(number)})"
        return f"action {words} is not available to player {self.state.current_player}; there are: {', '.join(shown)}{more}"
