"""Games at a table: any action can be played, and any position be gone back to.

A position is named by what the game starts from and the numbers of the actions that were played, its *line*. All else
follows, so that a position can be made again at any time and in any process.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from tag.catalogue.registry import make_agent, make_game
from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import parse_spec
from tag.engine.rng import Rng
from tag.engine.state import AnyAction, Event, GameState
from tag.errors import ContractError, ParameterError
from tag.orders import with_game_budget
from tag.playing.agent import Agent
from tag.playing.decorators import PositionForwardModel
from tag.playing.inspection import InspectedDecision, InspectedGame
from tag.playing.listener import Listener
from tag.table.events import Narrator

#: The viewer who may see everything.
EVERYTHING: Final = -1

#: An action in words for watchers, where not all players see the same one.
UNSEEN: Final = "a choice that not all players see"

#: The name in specs of a person.
HUMAN: Final = "human"


@dataclass(frozen=True)
class Start:
    """Definition of a game at a table, which decides its set-up and all its chance.

    Attributes:
        game: the spec of the game type.
        players: the number of seats.
        seed: the random seed.
        cells: the values of the cells of a position that was set up by hand (`GameState.cell_values`); the game's own set-up
            if empty.
        to_move: the player who decides first in such a position.
        chance_seeds: sources of chance with seeds of their own (`tag.playing.game.Game`).
    """

    game: str
    players: int
    seed: int = 1
    cells: tuple[int, ...] = ()
    to_move: int = 0
    chance_seeds: tuple[tuple[str, int], ...] = ()

    def model(self) -> ForwardModel[Any]:
        """Return the rules.

        Raises:
            TagError: there is no such game type, it cannot seat so many, or it has no such position.
        """
        model = make_game(self.game)
        model.check_players(self.players)
        if not self.cells:
            return model
        if not all(0 <= value < 256 for value in self.cells):
            raise ParameterError(f"the cells of a position hold 0 to 255, not {list(self.cells)}")
        placed = PositionForwardModel(model, bytes(self.cells), self.to_move)
        placed.setup(self.players, Rng(0))
        return placed

    def new_game(
        self, model: ForwardModel[Any], agent: str | None = None, listeners: Sequence[Listener] = ()
    ) -> InspectedGame:
        """Return the game at its start, with a new agent of this spec in every seat; without one, no seat can decide."""
        spec = None if agent is None else with_game_budget(agent, self.game)
        agents = [Agent() if spec is None else make_agent(spec) for _seat in range(self.players)]
        return InspectedGame(model, agents, self.seed, dict(self.chance_seeds), listeners)


@dataclass(frozen=True)
class TakenAction:
    """An action that was played.

    Attributes:
        player: the player who took it.
        texts: the action in words for each player, and last for one who may see everything (index -1).
        is_forced: whether no other action was available.
        events: what followed from it.
        public: the action in words for watchers (`tag.table.public`).
    """

    player: int
    texts: tuple[str, ...]
    is_forced: bool
    events: tuple[Event, ...] = ()
    public: str = UNSEEN


class TableGame:
    """A game at a table, in the position after a line of actions.

    Examples:
        >>> game = TableGame(Start("tic_tac_toe", 2))
        >>> game.play(4)
        >>> game.play(0)
        >>> print(game.state)
        O . .
        . X .
        . . .
        >>> game.line
        (4, 0)

    Attributes:
        start: the definition.
        model: the rules.
    """

    def __init__(self, start: Start, line: Sequence[int] = ()) -> None:
        """Play the actions with these numbers.

        Raises:
            TagError: the definition is wrong, or an action is not available.
        """
        self.start = start
        self.model = start.model()
        self._restart()
        self.go(line)

    def _restart(self) -> None:
        self._narrator = Narrator()
        self._game = self.start.new_game(self.model, listeners=[self._narrator])
        self._set_up = self._narrator.take(self.state)
        self._line: tuple[int, ...] = ()
        self._taken: list[TakenAction] = []

    @property
    def state(self) -> GameState:
        """The position."""
        return self._game.state

    @property
    def line(self) -> tuple[int, ...]:
        """The numbers of the actions that were played, each among those that were available, from 0."""
        return self._line

    @property
    def taken(self) -> Sequence[TakenAction]:
        """The actions that were played."""
        return self._taken

    @property
    def set_up(self) -> tuple[Event, ...]:
        """The events of the set-up."""
        return self._set_up

    @property
    def actions(self) -> list[AnyAction]:
        """The available actions; none at the end."""
        return self.model.available_actions(self.state)

    def play(self, number: int) -> None:
        """Play an available action.

        Raises:
            ParameterError: there is no action of this number.
        """
        state, actions = self.state, self.actions
        if not 0 <= number < len(actions):
            raise ParameterError(_no_action(len(self._line) + 1, number, len(actions)))
        player, action = int(state.current_player), actions[number]
        texts, public = action_texts(action, state), public_text(action, state)
        self._game.take(number)
        self._line = (*self._line, number)
        self._taken.append(TakenAction(player, texts, len(actions) == 1, self._narrator.take(self.state), public))

    def go(self, line: Sequence[int]) -> None:
        """Go to the position after these actions; back to one before it by playing the game again.

        Raises:
            ParameterError: an action is not available.
        """
        if tuple(line[: len(self._line)]) != self._line:
            self._restart()
        for number in line[len(self._line) :]:
            self.play(number)


def action_texts(action: AnyAction, state: GameState) -> tuple[str, ...]:
    """Return an available action in words for each player, and last for one who may see everything."""
    return tuple([action.text(state, viewer) for viewer in (*range(state.n_players), EVERYTHING)])


def public_text(action: AnyAction, state: GameState) -> str:
    """Return an available action in words for watchers: what all players and a guest who is not in the game read alike."""
    try:
        guests = action.text(state, state.n_players)
    except Exception:  # noqa: BLE001  a user's game may look the viewer up among its players
        return UNSEEN
    return guests if all(action.text(state, player) == guests for player in range(state.n_players)) else UNSEEN


def _no_action(place: int, number: int, available: int) -> str:
    if available == 0:
        return f"action {place} cannot be number {number}; the game is over after {place - 1} actions"
    return f"action {place} cannot be number {number}; there are 0 to {available - 1}"


class Adviser:
    """An agent that is asked along a line of actions, as one with a seat at the table.

    It is asked at every decision from a position on, and its choice need not be played. So what it thinks of a position
    follows from the actions that led there, and not from others that were looked at before.

    Attributes:
        spec: the agent's.
    """

    def __init__(
        self,
        start: Start,
        spec: str,
        since: int = 0,
        model: ForwardModel[Any] | None = None,
        *,
        seat: int | None = None,
        with_trees: bool = False,
    ) -> None:
        """Take the spec, and when to ask it.

        Args:
            start: the definition of the game.
            spec: the agent's.
            since: the number of actions after which it is first asked.
            model: the rules, if they are there.
            seat: the seat for which it decides; None for all.
            with_trees: whether to ask for its search trees.
        """
        self.spec = spec
        self._seat = seat
        self._start = start
        self._model = start.model() if model is None else model
        self._since = since
        self._with_trees = with_trees
        self._decisions: dict[tuple[int, ...], InspectedDecision] = {}
        self._game: InspectedGame | None = None
        self._line: tuple[int, ...] = ()
        self._asked_after = -1

    def has_decided(self, line: tuple[int, ...]) -> bool:
        """Say whether the decision after the actions with these numbers is known."""
        return line in self._decisions

    def goes_on_to(self, line: tuple[int, ...]) -> bool:
        """Say whether ``line`` goes on from the one after which the agent was asked last, so that nothing is asked again."""
        return line[: len(self._line)] == self._line

    def decision(self, line: tuple[int, ...]) -> InspectedDecision:
        """Return the decision in the position after the actions with these numbers."""
        if line not in self._decisions:
            game = self._game
            if game is None or not self.goes_on_to(line):
                game = self._game = self._start.new_game(self._model, self.spec)
                self._line = ()
                self._asked_after = -1
            for number in line[len(self._line) :]:
                if len(self._line) >= self._since:
                    self._ask(game)
                game.take(number)
                self._line = (*self._line, number)
            self._ask(game)
            if len(line) < self._since:
                self._game = None  # in later positions it was not asked here
        return self._decisions[line]

    def choice(self, line: tuple[int, ...]) -> int:
        """Return the number of the action that the agent chooses.

        Raises:
            ContractError: the agent failed.
        """
        decision = self.decision(line)
        if decision.choice is None:
            raise ContractError(f"{self.spec} cannot play action {len(line) + 1}: {decision.fault}")
        return decision.choice

    def _ask(self, game: InspectedGame) -> None:
        is_asked = self._seat in (None, int(game.state.current_player))
        if is_asked and self._asked_after < len(self._line):
            self._decisions.setdefault(self._line, game.decide(with_tree=self._with_trees))
            self._asked_after = len(self._line)


def is_human(spec: str) -> bool:
    """Say whether a person decides for a seat with this spec."""
    return parse_spec(spec).name == HUMAN


def cells_of(text: str) -> tuple[int, ...]:
    """Return the values of cells, written as digits, with letters from 10 on, or as numbers with commas between.

    Spaces and slashes may stand anywhere, for instance between rows.

    Examples:
        >>> cells_of("120/00a"), cells_of("40, 2")
        ((1, 2, 0, 0, 0, 10), (40, 2))

    Raises:
        ParameterError: a cell is neither.
    """
    found = "".join(text.replace("/", " ").split())
    cells = found.rstrip(",").split(",") if "," in found else list(found)
    for cell in cells:
        if not (cell.isascii() and cell.isalnum()) or ("," in found and not (cell.isdigit() and len(cell) <= 3)):
            raise ParameterError(f"a cell cannot be {cell[:20]!r}; it is a digit, or a letter for values from 10")
    return tuple([int(cell) if "," in found else int(cell, 36) for cell in cells])
