"""The rules of Stratego: set-up, moves, and the end."""

from __future__ import annotations

from typing import Final, cast

from mypy_extensions import i64

from tag import AnyAction, ForwardModel, GameType, Rng, Vocabulary, interned
from tag.games.boards.stratego import telling
from tag.games.boards.stratego.actions import ChoosePlan, MovePiece, PlacePiece, vocabulary
from tag.games.boards.stratego.data import (
    BOMB,
    FIELDS,
    KIND,
    NAMES,
    PLANS,
    PLAY,
    SCOUT,
    SETUP,
    SIDE,
    SQUARE_NAMES,
    STEPS,
    VARIANTS,
    StrategoParameters,
)
from tag.games.boards.stratego.plans import set_up
from tag.games.boards.stratego.state import StrategoState
from tag.games.boards.stratego.values import StrategoFeatures, StrategoHeuristic, StrategoMetric

_ANY: Final = (2, 2, 2)


class Stratego(ForwardModel[StrategoState]):
    """The rules.

    >>> from tag import make_game
    >>> model = make_game("stratego:variant=tiny")
    >>> state = model.setup(2, Rng(1))
    >>> [str(action) for action in model.available_actions(state)]
    ['flag at the back left', 'flag at the back right', 'flag anywhere']
    """

    game_type = GameType(
        "Stratego",
        2,
        2,
        StrategoParameters,
        categories=("deduction", "abstract"),
        mechanics=("grid movement", "betting and bluffing", "hidden information"),
        forgets="how likely players set up by each plan",
        check_parameters="variant=small,max_moves=160",
        heuristic=StrategoHeuristic,
        features=StrategoFeatures,
        metric=StrategoMetric,
    )

    def __init__(self, parameters: StrategoParameters | None = None) -> None:
        """Make the actions once."""
        super().__init__(parameters)
        rules = cast("StrategoParameters", self.parameters)
        self.setup_by: str = rules.setup
        self.max_moves: i64 = rules.max_moves
        self.variant: i64 = VARIANTS.index(rules.variant)
        self.field = FIELDS[self.variant]
        self.army = tuple(rules.army())
        self.rules = rules
        self.scout_attacks = rules.scout_attacks
        #: By source and direction: the moves to the squares of `Field.rays`.
        self.moves: list[list[list[AnyAction]]] = [
            [[interned(MovePiece(source, target)) for target in ray] for ray in rays]
            for source, rays in enumerate(self.field.rays)
        ]
        #: By source and direction: the first of these moves.
        self.steps: list[list[AnyAction]] = [[ways[0] for ways in of_source] for of_source in self.moves]
        #: By step: the choices.
        self.choices: list[list[AnyAction]] = [
            [interned(ChoosePlan(step, choice)) for choice in range(len(PLANS[step]))] for step in range(STEPS)
        ]
        self.places: list[AnyAction] = [interned(PlacePiece(square)) for square in range(len(self.field.empty))]

    def vocabulary(self, n_players: i64) -> Vocabulary:
        return vocabulary(self.field, self.setup_by)

    def _setup(self, n_players: i64, rng: Rng) -> StrategoState:
        state = StrategoState(self.rules, self.variant, self.army, list(self.field.empty))
        if self.setup_by == "drawn":
            self._deploy(state, rng)
            while not state.can_move(0):
                state.board = list(self.field.empty)
                self._deploy(state, rng)
        return state

    def announce_setup(self, state: StrategoState) -> None:
        """Announce the pieces that chance has set up."""
        if state.phase == PLAY:
            self._announce_pieces(state)

    def _deploy(self, state: StrategoState, rng: Rng) -> None:
        """Set up both armies by their plans, or in any way without; a piece that has been placed stays."""
        for player in range(2):
            if self.setup_by != "pieces":
                plan = state.plans[player] or _ANY
                home = self.field.home(player)
                for square, piece in zip(home, set_up(self.field, self.army, plan, rng), strict=True):
                    state.board[square] = int(piece | player * SIDE) if piece else 0
        state.plans = ((), ())
        state.phase = PLAY

    def _announce_pieces(self, state: StrategoState) -> None:
        for player in range(2):
            squares = [square for square in self.field.home(player) if state.board[square]]
            pieces = [NAMES[state.board[square] & KIND] for square in squares]
            state.announce(telling.set_up(player, pieces, [SQUARE_NAMES[square] for square in squares]))

    def _available_actions(self, state: StrategoState) -> list[AnyAction]:
        player = state.current_player
        if state.phase == SETUP:
            if self.setup_by == "plans":
                return self.choices[len(state.plans[player])][:]
            return [self.places[square] for square in self.field.home(player) if state.board[square] == 0]
        found: list[AnyAction] = []
        board, steps, all_near = state.board, self.steps, self.field.near
        side: i64 = player * SIDE
        for source in range(len(board)):
            cell: i64 = board[source]
            kind = cell & KIND
            if kind == 0 or kind >= BOMB or cell & SIDE != side:
                continue
            near = all_near[source]
            for way in range(len(near)):
                there: i64 = board[near[way]]
                if there == 0 or there & SIDE != side:
                    found.append(steps[source][way])
                    if there == 0 and kind == SCOUT:
                        self._add_run(found, board, self.field.rays[source][way], self.moves[source][way], side)
        if state.may_be_barred(player):
            return self._allowed(state, found)
        return found

    def _add_run(
        self, found: list[AnyAction], board: list[int], ray: tuple[int, ...], ways: list[AnyAction], side: i64
    ) -> None:
        """Add the moves of a scout by more than one square in a direction."""
        for place in range(1, len(ray)):
            there: i64 = board[ray[place]]
            if there == 0:
                found.append(ways[place])
                continue
            if self.scout_attacks and there & SIDE != side:
                found.append(ways[place])
            return

    def _allowed(self, state: StrategoState, actions: list[AnyAction]) -> list[AnyAction]:
        """Leave out moves that the rules against endless play forbid."""
        player = state.current_player
        found: list[AnyAction] = []
        for action in actions:
            move = cast("MovePiece", action)
            if not state.is_barred(player, move.source, move.target):
                found.append(action)
        return found

    def _after_action(self, state: StrategoState, action: AnyAction, rng: Rng) -> None:
        player = state.current_player
        if state.phase == SETUP:
            state.turn_player = state.current_player = 1 - player
            if player == 0 or not self._is_set_up(state):
                return
            self._deploy(state, rng)
            if state.recording:
                self._announce_pieces(state)
        else:
            self.give_turn(state, 1 - player)
        self._end(state)

    def _is_set_up(self, state: StrategoState) -> bool:
        """Say whether player 1, who is asked last, has made all choices."""
        if self.setup_by == "plans":
            return len(state.plans[1]) == STEPS
        number = sum([1 for square in self.field.home(1) if state.board[square]])
        return number == sum(self.army)

    def _end(self, state: StrategoState) -> None:
        """End the game if the player to move has no move, or after the last one."""
        player = state.current_player
        if not state.can_move(player):
            if state.can_move(1 - player):
                state.finish(1 - player, f"player {player} has no move")
            else:
                state.finish(-1, "no player has a move")
        elif state.turn >= self.max_moves:
            state.finish(-1, f"{state.turn} moves have been made")
