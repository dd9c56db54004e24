"""Forward models: the rules of games, as functions that change a state."""

from __future__ import annotations

from copy import deepcopy
from typing import ClassVar, Final, Generic

from mypy_extensions import i64, mypyc_attr

from tag.engine.encoding import Cells, Vocabulary
from tag.engine.forward_model.game_type import GameType, players_text
from tag.engine.forward_model.outcomes import Outcomes
from tag.engine.parameters import Parameters
from tag.engine.rng import Draws, Rng
from tag.engine.snapshot import Copyable, field_values, restored
from tag.engine.state import AnyAction, History, S
from tag.engine.values import Features, StateHeuristic
from tag.errors import ParameterError, PlayersError

#: For games that draw nothing.
_NO_CHANCE: Final = Rng(0)


@mypyc_attr(allow_interpreted_subclasses=True)
class ForwardModel(Copyable, Generic[S]):
    """The rules: set-up, available actions, and the effects of an action.

    A forward model holds parameters and nothing else, so that one serves any number of games and searches at once. A game
    implements ``_setup``, ``_available_actions`` and, as a rule, ``_after_action``; agents and the game loop call
    `setup`, `available_actions` and `next`; rules call `end_player_turn`, `give_turn` and `end_round`.

    Examples:
        >>> from tag import Rng, make_game
        >>> model, rng = make_game("nim"), Rng(1)
        >>> state = model.setup(2, rng)
        >>> while actions := model.available_actions(state):
        ...     model.next(state, actions[-1], rng)
        >>> [state.ordinal(player) for player in range(2)]
        [1, 2]

    Attributes:
        game_type: the description of the rules.
        parameters: the values of this game's parameters; a game with parameters re-declares the type.
        max_rounds: the round limit, 0 for none; when it is reached ``_on_round_limit`` is called.
    """

    game_type: ClassVar[GameType] = GameType("", 1, 10)

    def __init__(self, parameters: Parameters | None = None) -> None:
        """Take the parameters, or the defaults; their fields are as fast to read as the model's own."""
        self.parameters: Parameters = self.game_type.parameters() if parameters is None else parameters
        self.max_rounds: i64 = 0

    def setup(self, n_players: i64, rng: Rng) -> S:
        """Return the position in which a game of ``n_players`` starts.

        Examples:
            >>> from tag import Rng, make_game
            >>> print(make_game("connect_four:width=5,height=4").setup(2, Rng(1)))
            . . . . .
            . . . . .
            . . . . .
            . . . . .
            a b c d e
            >>> make_game("connect_four").setup(3, Rng(1))
            Traceback (most recent call last):
                ...
            tag.errors.PlayersError: Connect Four is for 2 players, not 3; the nearest number is 2

        Raises:
            PlayersError: the game cannot seat so many.
        """
        self.check_players(n_players)
        return self._setup(n_players, rng)

    def announce_setup(self, state: S) -> None:
        """Announce the deal of the set-up ``state``; nothing by default. Called once, if there are listeners."""

    def check_players(self, n_players: i64) -> None:
        """Raise `PlayersError` where the game cannot seat ``n_players``."""
        kind = self.game_type
        if not kind.min_players <= n_players <= kind.max_players:
            near = min(max(n_players, kind.min_players), kind.max_players)
            raise PlayersError(
                f"{kind.title} is for {players_text(kind)} player{'s' if kind.max_players > 1 else ''}, not {n_players}; "
                f"the nearest number is {near}"
            )

    def available_actions(self, state: S) -> list[AnyAction]:
        """Return the actions of the current player: distinct, in a fixed order, none once the game is over.

        Depends on nothing that the current player does not know.

        Examples:
            >>> from tag import Rng, make_game
            >>> model = make_game("poker")
            >>> [str(action) for action in model.available_actions(model.setup(2, Rng(1)))]
            ['fold', 'call', 'smallest raise', 'raise by 100 % of the pot', 'all-in']
        """
        if state.is_terminal:
            return []
        sequences = state.sequences
        if sequences:
            return sequences[-1].available_actions(state)
        return self._available_actions(state)

    def random_action(self, state: S, rng: Rng) -> AnyAction:
        """Return ``rng.choice`` of the available actions; the game is not over.

        A game may override it to find the same action without the list of all: random play is most of the work of search.
        It then leaves the actions of extended sequences to them, as here. A model that changes `available_actions`, such as
        one that filters them, overrides this, too.
        """
        sequences = state.sequences
        if sequences:
            return sequences[-1].random_action(state, rng)
        actions = self.available_actions(state)
        return actions[rng.below(len(actions))]

    def rollout(self, state: S, depth: i64, rng: Rng) -> i64:
        """Play ``state`` on at random, in place, for ``depth`` actions at most, and return how many were played.

        A game may override it to reach the same position by the same random numbers, without actions: `tag check`
        compares. A subclass with other rules must override it again; those of this package's games are played in this way.

        Examples:
            >>> from tag import Rng, make_game
            >>> model = make_game("connect_four")
            >>> state = model.setup(2, Rng(1))
            >>> model.rollout(state, 5, Rng(1)), state.tick
            (5, 5)
        """
        played: i64 = 0
        while played < depth and not state.is_terminal:
            self.next(state, self.random_action(state, rng), rng)
            played += 1
        return played

    def next(self, state: S, action: AnyAction, rng: Rng) -> None:
        """Apply ``action``, which must be available, to ``state`` in place, with all its automatic consequences.

        In this order: ``_before_action``; the action; the sequence on top of the stack (if one offered the action); and,
        once no sequence is in progress, ``_after_action``.
        """
        if state.recording:
            state.history = History(state.history, state.current_player, action)
        state.tick += 1
        self._before_action(state, action, rng)
        sequences = state.sequences
        action.execute(state, rng)
        if sequences:
            sequences[-1].after_action(state, action, rng)
        if state.sequences:
            self._settle_sequences(state)
            if state.sequences:
                return
        if not state.is_terminal:
            self._after_action(state, action, rng)
            if state.sequences:
                self._settle_sequences(state)

    def vocabulary(self, n_players: i64) -> Vocabulary:
        """Return all actions that can occur in a game of ``n_players``, numbered.

        A game declares them; without a declaration, the vocabulary grows with play, and is not the same in two processes.
        """
        return Vocabulary(is_declared=False)

    def cells(self, n_players: i64) -> Cells | None:
        """Return the cells that hold a position's `GameState.cell_values`; None unless the game declares them."""
        return None

    def position(self, n_players: i64, cells: bytes, player: i64) -> S:
        """Return the position in which the cells that `cells` declares hold these values, and ``player`` decides.

        A game that declares its cells implements ``_set_cells``. Counts of turns and rounds begin anew.

        Examples:
            >>> from tag import make_game
            >>> model = make_game("tic_tac_toe")
            >>> state = model.position(2, bytes([1, 2, 0, 0, 1, 0, 0, 0, 0]), player=1)
            >>> print(state)
            X O .
            . X .
            . . .
            >>> state.current_player
            1

        Raises:
            ParameterError: the game has no such position, or it would be over; so by default.
        """
        declared = self.cells(n_players)
        title = self.game_type.title
        if declared is None:
            raise ParameterError(f"positions of {title} cannot be set up by hand, as it declares no cells")
        if len(cells) != declared.number:
            raise ParameterError(f"a position of {title} has {declared.number} cells here, not {len(cells)}")
        wrong = [value for value in cells if value >= declared.n_values]
        if wrong:
            raise ParameterError(f"a cell of {title} cannot be {wrong[0]}; it is 0 to {declared.n_values - 1}")
        if not 0 <= player < n_players:
            raise ParameterError(f"player {player} cannot be to move; the players are 0 to {n_players - 1}")
        state = self._setup(n_players, _NO_CHANCE)
        state.current_player = player
        state.turn_player = player
        self._set_cells(state, cells)
        if state.is_terminal or not self.available_actions(state):
            raise ParameterError(f"the game of {title} would be over in this position")
        return state

    def afterstate(self, state: S, action: AnyAction) -> S | None:
        """Return a new position: ``state`` after the player's part of ``action``, before its chance part.

        Without chance it is the next position. A game with chance implements it and `resolve_chance`, whose outcomes depend
        on the afterstate only, and both together do what `next` does; by default None: the parts cannot be told apart.

        Examples:
            >>> from tag import Rng, make_game
            >>> model = make_game("twenty_forty_eight")
            >>> state = model.setup(1, Rng(1))
            >>> after = model.afterstate(state, model.available_actions(state)[0])
            >>> print(after)
            . 2 . 2
            . . . .
            . . . .
            . . . .
            score 0
        """
        if self.game_type.chance:
            return None
        other: S = state.copy()  # type: ignore[assignment]  # the class is the same
        self.next(other, action, _NO_CHANCE)
        return other

    def resolve_chance(self, afterstate: S, rng: Rng) -> None:
        """Apply the chance part of a move to its `afterstate`, in place; nothing without chance."""

    def outcomes(self, state: S, action: AnyAction, limit: i64 = 1000) -> Outcomes[S]:
        """Return all positions that ``action`` can lead to, each once with its probability.

        Chance is gone through draw by draw, so that it works for any game. There are none if more than ``limit`` sequences
        of draws are possible, or seem to be by the first one, or a draw is of 32 bits.

        Examples:
            >>> from tag import Rng, make_game
            >>> model = make_game("twenty_forty_eight")
            >>> state = model.setup(1, Rng(1))
            >>> found = model.outcomes(state, model.available_actions(state)[0])
            >>> len(found.all()), round(sum(probability for probability, _state in found.all()), 6)
            (28, 1.0)
        """
        found = Outcomes[S]()
        after = self.afterstate(state, action)
        if after is not None and not self.game_type.chance:
            found.add(1.0, after)
            return found
        draws = Draws()
        while found.calls < limit:
            other: S
            if after is None:
                other = state.copy()  # type: ignore[assignment]
                self.next(other, action, draws.rng())
            else:
                other = after.copy()  # type: ignore[assignment]
                self.resolve_chance(other, draws.rng())
            found.add(draws.probability(), other)
            if not draws.is_exact or draws.exceed(limit):
                break
            if not draws.advance():
                return found
        found.give_up()
        return found

    def heuristic(self) -> StateHeuristic:
        """Return a new heuristic of the class that the game declares, with its default weights."""
        return self.game_type.heuristic()

    def features(self) -> Features | None:
        """Return the features that the game declares, None without.

        Examples:
            >>> from tag import Rng, make_game
            >>> model = make_game("nim")
            >>> features = model.features()
            >>> features.names(2), features.values(model.setup(2, Rng(1)), 0)
            (('heap_0', 'heap_1', 'heap_2', 'to_move'), [5.0, 5.0, 5.0, 1.0])
        """
        declared = self.game_type.features
        return None if declared is None else declared(self.parameters)

    def search_model(self) -> ForwardModel[S]:
        """Return the rules with which agents look ahead; by default these ones.

        The game loop gives each agent a copy of them.
        """
        return self

    def undecorated(self) -> ForwardModel[S]:
        """Return the rules without wrappers: by default these."""
        return self

    def copy(self) -> ForwardModel[S]:
        """Return the same rules with parameters of their own.

        They are made anew from the parameters, or field by field if a user's constructor takes other arguments.
        """
        parameters = deepcopy(self.parameters)
        other: ForwardModel[S] | None = None
        try:
            other = type(self)(parameters)
        except Exception:  # noqa: BLE001  a user's own constructor may fail in any way
            other = None
        if other is None or other.parameters is not parameters:
            made: ForwardModel[S] = restored(type(self), {**field_values(self), "parameters": parameters})
            return made
        other.max_rounds = self.max_rounds
        return other

    def _settle_sequences(self, state: S) -> None:
        """Drop the sequences that are complete and give the turn to the player asked by the top one."""
        sequences = state.sequences
        while sequences:
            top = sequences[-1]
            if not top.is_complete(state):
                state.sequences = sequences
                state.current_player = top.current_player(state)
                return
            sequences = sequences[:-1] if len(sequences) > 1 else ()
        state.sequences = ()
        state.current_player = state.turn_player

    def _setup(self, n_players: i64, rng: Rng) -> S:
        """Return the position in which a game starts."""
        raise NotImplementedError

    def _set_cells(self, state: S, cells: bytes) -> None:
        """Change ``state``, a set-up with the right player to move, so that its cells hold these values.

        Raises:
            ParameterError: there is no such position; so by default.
        """
        raise ParameterError(f"positions of {self.game_type.title} cannot be set up by hand")

    def _available_actions(self, state: S) -> list[AnyAction]:
        """Return the actions of the player whose turn it is; called while the game lasts and no sequence is open."""
        raise NotImplementedError

    def _before_action(self, state: S, action: AnyAction, rng: Rng) -> None:
        """Apply the effects before every action; nothing by default."""

    def _after_action(self, state: S, action: AnyAction, rng: Rng) -> None:
        """Apply the consequences of an action once it and its sequences are complete; by default the turn ends."""
        self.give_turn(state, self._next_player(state))

    def _next_player(self, state: S) -> i64:
        """Return the player of the next turn; by default the next seat."""
        player = state.turn_player + 1
        return player if player < state.n_players else 0

    def _on_round_limit(self, state: S, rng: Rng) -> None:
        """End the game when ``max_rounds`` have been played; by default by score."""
        state.end_by_score()

    def end_player_turn(self, state: S) -> None:
        """Give the turn to the next player."""
        self.give_turn(state, self._next_player(state))

    def give_turn(self, state: S, player: i64) -> None:
        """End the turn and give the next one to ``player``."""
        state.turn += 1
        state.turn_player = player
        state.current_player = player

    def end_round(self, state: S, first_player: i64, rng: Rng) -> None:
        """End the round (and the turn); ``first_player`` starts the next one unless the round limit is reached."""
        state.round += 1
        state.first_player = first_player
        self.give_turn(state, first_player)
        if self.max_rounds and state.round >= self.max_rounds:
            self._on_round_limit(state, rng)
