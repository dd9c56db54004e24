"""Games as Gymnasium environments: one seat against agents, ``gymnasium.make("tag/LoveLetter-v4", opponents=["osla"])``.

Importing this module registers an id for each game; its version is the game's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

import gymnasium
import numpy as np
from numpy.typing import NDArray

from tag.adapters.choosing import FlatActions
from tag.adapters.episode import Episode, game_seed
from tag.adapters.observing import known_game
from tag.catalogue.registry import check_game, game_class, game_names, make_agent
from tag.engine.state import AnyAction, GameState
from tag.errors import ContractError, ParameterError, PlayersError, UnknownNameError
from tag.orders import with_game_budget
from tag.playing.agent import Agent
from tag.playing.game import Game
from tag.table.events import Narrator, event_views

#: What can happen to actions that are not available.
ILLEGAL: Final = ("refuse", "random")


class _Learner(Agent):
    """The seat of the learner in the game loop: plays what the environment was told."""

    def __init__(self) -> None:
        super().__init__()
        self.choice: AnyAction | None = None

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Return the choice of the learner."""
        if self.choice is None:
            raise ContractError("the learner has chosen nothing")
        return self.choice


class SeatEnv(gymnasium.Env):  # type: ignore[misc]  # mypy does not follow Gymnasium, which need not be there
    """One seat of a game; agents named by specs have the others.

    A step plays an action, and the game on to the seat's next decision. A decision with one possible action is none: it
    is played, as for agents. `Game` plays, so that opponents draw and spend as in a tournament.

    Attributes:
        episode: the game that is being played.
        names: the meaning of each entry of the observation.
        seat: the seat of the learner in this game.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: str,
        opponents: Sequence[str] = (),
        *,
        seat: int | None = None,
        observation: str = "features",
        reward: str = "win",
        illegal: str = "refuse",
        events: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Prepare a game.

        Args:
            game: the spec of the game type, also a path to a user's own file.
            opponents: specs of agents, in the order of the other seats; random ones in the fewest seats if omitted.
            seat: the seat of the learner; if omitted, the remainder of the game's seed by the number of players.
            observation: ``features`` or ``cells`` (`tag.adapters.observing`).
            reward: ``win``, ``points``, ``score`` or ``lead`` (`tag.adapters.rewards`).
            illegal: what happens to actions that are not available: ``refuse`` raises an error, ``random`` plays another one
                that is drawn from the environment's stream, for learners without masks.
            events: whether ``info`` has ``events``: all that the seat has been told since its last decision, as
                `tag.table.events.event_views` has it.
            render_mode: ``ansi`` for a text as the seat sees it, or None.

        Raises:
            TagError: one of the arguments is wrong; the message says how.
        """
        if isinstance(opponents, str):
            raise ParameterError(f"opponents cannot be the text {opponents!r}; give a list: [{opponents!r}]")
        if render_mode not in (None, "ansi"):
            raise ParameterError(f"render_mode cannot be {render_mode!r}; it is ansi or None")
        if illegal not in ILLEGAL:
            raise UnknownNameError.of("way with illegal actions", illegal, ILLEGAL)
        fewest = int(known_game(game).game_type.min_players)
        self.opponents = list(opponents) or ["random"] * (fewest - 1)
        n_players = 1 + len(self.opponents)
        self.episode = Episode(game, n_players, observation, reward)
        for spec in self.opponents:
            check_game(spec, self.episode.model, n_players)
        if seat is not None and not 0 <= seat < n_players:
            raise PlayersError(f"seat cannot be {seat}; the seats are 0 to {n_players - 1}")
        self.names = self.episode.vector.names
        self.render_mode = render_mode
        self.observation_space = self.episode.vector.space
        self._actions = FlatActions(self.episode.vocabulary)
        self.action_space = self._actions.space
        self.seat = seat or 0
        self._fixed_seat = seat
        self._replaces = illegal == "random"
        self._learner = _Learner()
        self._specs = [with_game_budget(spec, game) for spec in self.opponents]
        self._game: Game | None = None
        self._narrator = Narrator() if events else None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Play the game of ``tag play --seed`` on to the first decision; without a seed, that of a drawn one.

        A game that is over before the learner decides is followed by that of the next drawn seed.
        """
        super().reset(seed=seed)
        self._start(game_seed(seed, self.np_random))
        while self.episode.state.is_terminal:
            self._start(game_seed(None, self.np_random))
        return self._observation(), self._info()

    def _start(self, seed: int) -> None:
        self.seat = seed % (1 + len(self.opponents)) if self._fixed_seat is None else self._fixed_seat
        agents: list[Agent] = [make_agent(spec) for spec in self._specs]
        self._learner = _Learner()
        agents.insert(self.seat, self._learner)
        if self._narrator is not None:
            self._narrator = Narrator()
        listeners = [] if self._narrator is None else [self._narrator]
        self._game = Game(self.episode.model, agents, seed, listeners=listeners)
        self._game.start()
        self.episode.follow(self._game.state)
        self._play_on(self._game)

    def _play_on(self, game: Game) -> None:
        """Play to the next decision of the learner, or to the end."""
        state, seat, model = game.state, self.seat, self.episode.model
        while not state.is_terminal and (state.current_player != seat or len(model.available_actions(state)) < 2):
            game.step()
        if state.is_terminal:
            game.end()
        self.episode.find_choices()

    def step(self, action: int) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Play an action, by its number in the vocabulary.

        Raises:
            ParameterError: it is not available, if such actions are refused, or the game is over or has not begun.
        """
        game = self._game
        if game is None or game.state.is_terminal:
            raise ParameterError("no game is in progress; call reset")
        choices = self.episode.choices
        if self._replaces and int(action) not in choices:
            action = list(choices)[int(self.np_random.integers(len(choices)))]
        self._learner.choice = self.episode.chosen(int(action))
        game.step()
        self._play_on(game)
        gained = self.episode.rewards.after(game.state)
        reward = float(gained[self.seat]) if gained else 0.0
        return self._observation(), reward, bool(game.state.is_terminal), False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions of the vocabulary are available, as sb3-contrib's MaskablePPO asks for them."""
        return self._actions.mask(self.episode.choices).astype(np.bool_)

    def _observation(self) -> NDArray[Any]:
        return self.episode.vector.values(self.episode.state, self.seat)

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self._actions.mask(self.episode.choices), "seat": self.seat}
        if self._narrator is not None:
            info["events"] = event_views(self._narrator.take(self.episode.state), self.seat)
        return info

    def render(self) -> str | None:
        """Return the position as text, as the seat sees it."""
        return self.episode.state.text(self.seat) if self.render_mode == "ansi" else None


def environment_id(name: str) -> str:
    """Return the id of the environment of a game.

    Examples:
        >>> environment_id("tic_tac_toe")
        'tag/TicTacToe-v1'
    """
    kind = game_class(name)
    return f"tag/{kind.__name__}-v{kind.game_type.version}"


def _register() -> None:
    for name in game_names():
        gymnasium.register(environment_id(name), entry_point=f"{__name__}:{SeatEnv.__name__}", kwargs={"game": name})


_register()
