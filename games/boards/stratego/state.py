"""The position: pieces on the board, plans that are chosen, and what the rules against endless play need."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import GameState, Rng
from tag.components import VISIBLE_TO_OWNER, Card, Component, Counter, Deck, PartiallyObservableGridBoard
from tag.games.boards.stratego import telling
from tag.games.boards.stratego.data import (
    BOMB,
    FIELDS,
    FLAG,
    KIND,
    LAKE,
    LETTERS,
    MARSHAL,
    MOVED,
    NAMES,
    PLANS,
    PLAY,
    SCOUT,
    SETUP,
    SHOWN,
    SIDE,
    SQUARE_NAMES,
    STRIDE,
    Field,
    StrategoParameters,
    beats,
    direction,
    pieces_of,
)

#: Stands for the kind of a hidden piece.
_UNKNOWN: Final = 256
#: A move is one number: its source times this, and its target.
_SOURCE: Final = 128
_TARGETS: Final = 127
#: Moves of a chase before which no position can be repeated.
_SHORTEST: Final = 4
_PLANS: Final[dict[str, Card]] = {name: Card(name) for names in PLANS for name in names}
EVERYBODY: Final = 3


@mypyc_attr(allow_interpreted_subclasses=True)
class StrategoState(GameState):
    """The pieces, the plans, and the latest moves as far as rules ask for them.

    Attributes:
        rules: the parameters of the game.
        variant: the number of the board.
        army: the pieces of each kind at the beginning.
        board: what is on each square (`tag.games.boards.stratego.data`).
        plans: the choices of each player at the set-up.
        paths: for each player the squares of a piece that has moved to and fro in the latest turns, the present one last.
        chases: for each player the moves of both since the player began to chase; empty while there is no chase.
    """

    def __init__(self, rules: StrategoParameters, variant: i64, army: tuple[int, ...], board: list[int]) -> None:
        """Start with what stands on the board."""
        super().__init__(2)
        self.rules = rules
        self.variant = variant
        self.army = army
        self.board = board
        self.plans: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
        self.path_0: tuple[int, ...] = ()
        self.path_1: tuple[int, ...] = ()
        self.chase_0: tuple[int, ...] = ()
        self.chase_1: tuple[int, ...] = ()
        self.phase = SETUP

    def copy(self) -> StrategoState:
        other = StrategoState(self.rules, self.variant, self.army, self.board[:])
        self.copy_to(other)
        other.plans = self.plans
        other.path_0 = self.path_0
        other.path_1 = self.path_1
        other.chase_0 = self.chase_0
        other.chase_1 = self.chase_1
        return other

    def field(self) -> Field:
        """Return the board without pieces."""
        return FIELDS[self.variant]

    def is_unresolved(self) -> bool:
        """Say whether a player has made a choice of the set-up, and not all have been made."""
        return self.phase == SETUP and self.tick > 0

    def path(self, player: i64) -> tuple[int, ...]:
        """Return the squares of the piece of a player that has moved to and fro."""
        return self.path_1 if player else self.path_0

    def chase(self, player: i64) -> tuple[int, ...]:
        """Return the moves since a player began to chase."""
        return self.chase_1 if player else self.chase_0

    def choose(self, player: i64, choice: int) -> None:
        """Add a choice to the plan of a player."""
        first, second = self.plans
        self.plans = (first, (*second, choice)) if player else ((*first, choice), second)

    # What moves.

    def may_be_barred(self, player: i64) -> bool:
        """Say whether there may be moves that the rules against endless play forbid a player."""
        limit = self.rules.two_squares
        return (limit > 0 and len(self.path(player)) > limit) or len(self.chase(player)) >= _SHORTEST

    def is_barred(self, player: i64, source: i64, target: i64) -> bool:
        """Say whether the two-squares rule or the rule about chases forbids a move."""
        limit = self.rules.two_squares
        path = self.path(player)
        if limit and len(path) > limit and path[-1] == source and self._crosses(path, target):
            return True
        chase = self.chase(player)
        return len(chase) >= _SHORTEST and self.board[target] == 0 and self._repeats(chase, player, source, target)

    def _crosses(self, path: tuple[int, ...], target: i64) -> bool:
        """Say whether a move to ``target`` goes back, over a border between squares that all moves of the path cross."""
        here: i64 = path[-1]
        before: i64 = path[-2]
        if direction(here, target) != direction(here, before):
            return False
        low: i64 = min(here, target)
        high: i64 = max(here, target)
        for place in range(1, len(path)):
            one: i64 = path[place - 1]
            other: i64 = path[place]
            low = max(low, min(one, other))
            high = min(high, max(one, other))
        return low < high

    def _repeats(self, chase: tuple[int, ...], player: i64, source: i64, target: i64) -> bool:
        """Say whether a move threatens a piece that has fled, and leads to a position of the chase again.

        A piece may always go back to where it has just come from.
        """
        last: i64 = chase[-2]
        if last == target * _SOURCE + source or not self._threatens_again(chase, target):
            return False
        ends = [int(target)]
        starts = [int(source)]
        wrong: i64 = 1
        for place in range(len(chase) - 1, 0, -1):
            code: i64 = chase[place]
            start: i64 = code // _SOURCE
            end: i64 = code & _TARGETS
            found: i64 = -1
            for piece in range(len(starts)):
                if starts[piece] == end:
                    found = piece
            if found < 0:
                ends.append(int(end))
                starts.append(int(start))
                wrong += 1
            else:
                wrong += (1 if ends[found] != start else 0) - (1 if ends[found] != end else 0)
                starts[found] = int(start)
            if wrong == 0 and place & 1:
                return True
        return False

    def _threatens_again(self, chase: tuple[int, ...], target: i64) -> bool:
        """Say whether a piece that has fled in this chase stands beside a square."""
        fled: list[int] = []
        for place in range(1, len(chase), 2):
            code: i64 = chase[place]
            start = int(code // _SOURCE)
            if start in fled:
                fled.remove(start)
            fled.append(int(code & _TARGETS))
        for square in self.field().near[target]:  # noqa: SIM110  compiled code makes a generator for `any`
            if square in fled:
                return True
        return False

    def can_move(self, player: i64) -> bool:
        """Say whether a player has a move."""
        board, near = self.board, self.field().near
        side: i64 = player * SIDE
        may_be_barred = self.may_be_barred(player)
        last: i64 = len(board) - 1
        for place in range(last + 1):
            source = place if player else last - place  # pieces that have gone farthest first, as most of them can move
            cell: i64 = board[source]
            kind = cell & KIND
            if kind == 0 or kind >= BOMB or cell & SIDE != side:
                continue
            for target in near[source]:
                there: i64 = board[target]
                is_open = there == 0 or there & SIDE != side
                if is_open and not (may_be_barred and self.is_barred(player, source, target)):
                    return True
            if may_be_barred and kind == SCOUT and self._can_run(player, source):
                return True
        return False

    def _can_run(self, player: i64, source: i64) -> bool:
        """Say whether a scout has a move of several squares."""
        for ray in self.field().rays[source]:
            for place in range(len(ray)):
                there: i64 = self.board[ray[place]]
                is_free = there == 0
                attacks = not is_free and there & SIDE != player * SIDE and self.rules.scout_attacks
                if place and (is_free or attacks) and not self.is_barred(player, source, ray[place]):
                    return True
                if not is_free:
                    break
        return False

    def move(self, source: i64, target: i64) -> None:
        """Move a piece of the current player, and let it fight where an enemy stands."""
        player = self.current_player
        board = self.board
        piece = board[source] | MOVED
        there: i64 = board[target]
        board[source] = 0
        if there:
            self._fight(player, source, target, piece, there)
            return
        step = direction(source, target)
        is_run = target != source + step
        if is_run:
            piece |= SHOWN
        board[target] = int(piece)
        self._note_path(player, source, target)
        if self.rules.chase:
            self._note_chases(player, source, target)
        if self.recording:
            self.announce(telling.moved(player, SQUARE_NAMES[source], SQUARE_NAMES[target]))
            if is_run:
                self.announce(telling.ran(player, SQUARE_NAMES[target]))

    def _fight(self, player: i64, source: i64, target: i64, piece: i64, there: i64) -> None:
        """Turn two pieces over and take away what is beaten; the winner stands on the square of the attacked piece."""
        outcome = beats(piece & KIND, there & KIND)
        self.board[target] = int(piece | SHOWN) if outcome > 0 else 0 if outcome == 0 else int(there | SHOWN)
        self.chase_0 = self.chase_1 = ()
        if outcome > 0:
            self._note_path(player, source, target)
        elif player:
            self.path_1 = ()
        else:
            self.path_0 = ()
        if self.recording:
            squares = [SQUARE_NAMES[source], SQUARE_NAMES[target]]
            self.announce(telling.fought(player, piece, there, outcome, squares))
        if there & KIND == FLAG:
            self.finish(player, "the flag is taken")

    def _note_path(self, player: i64, source: i64, target: i64) -> None:
        """Keep the squares of a piece that moves to and fro, as many as the two-squares rule asks for."""
        limit = self.rules.two_squares
        if limit == 0:
            return
        path = self.path(player)
        number: i64 = len(path)
        kept: tuple[int, ...] = (int(source),)
        if number and path[-1] == source and direction(source, path[-2]) == direction(source, target):
            kept = path[number - limit if number > limit else 0 :]
        path = (*kept, int(target))
        if player:
            self.path_1 = path
        else:
            self.path_0 = path

    def _note_chases(self, player: i64, source: i64, target: i64) -> None:
        """Go on with the chases of both players, begin one, or end them."""
        code = int(source * _SOURCE + target)
        near = self.field().near
        own, other = self.chase(player), self.chase(1 - player)
        if other:
            last: i64 = other[-1]
            other = (*other, code) if int(source) in near[last & _TARGETS] else ()
        threatens = False
        for square in near[target]:
            there: i64 = self.board[square]
            if there and there & SIDE != player * SIDE:
                threatens = True
        if not threatens:
            own = ()
        elif own and self._threatens_again(own, target):
            own = (*own, code)
        else:
            own = (code,)
        self.chase_0, self.chase_1 = (other, own) if player else (own, other)

    def finish(self, winner: i64, reason: str) -> None:
        """End the game with a winner, or a draw for -1, and turn all pieces over."""
        if winner < 0:
            self.end_with_draw()
        else:
            self.end_with_winner(winner)
        board = self.board
        for square in range(len(board)):
            if board[square] & KIND:
                board[square] |= SHOWN
        if self.recording:
            self.announce(telling.shown(self.field().squares, reason))

    # What is known.

    def hidden_kinds(self, owner: i64) -> tuple[list[int], i64]:
        """Return how many pieces of each kind the other player does not know, and how many of them have not moved."""
        counts = [0] * (FLAG + 1)
        still: i64 = 0
        side: i64 = owner * SIDE
        for value in self.board:
            cell: i64 = value
            if cell & KIND and cell & (SIDE | SHOWN) == side:
                counts[cell & KIND] += 1
                still += 0 if cell & MOVED else 1
        return counts, still

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal the enemy's hidden pieces again, each deal as likely that fits; in the set-up, the enemy's choices.

        Pieces that have moved are neither bombs nor flags. A player whose turn it is has a move.
        """
        if self.is_terminal:
            return
        other = 1 - player
        if self.phase == SETUP:
            self._choose_again(other, rng)
            return
        self._deal(other, rng)
        while self.current_player == other and not self.can_move(other):
            self._deal(other, rng)

    def _choose_again(self, owner: i64, rng: Rng) -> None:
        """Draw the choices of a player in the set-up again."""
        first, second = self.plans
        drawn = tuple([int(rng.below(len(PLANS[step]))) for step in range(len(second if owner else first))])
        self.plans = (first, drawn) if owner else (drawn, second)
        home = self.field().home(owner)
        number = 0
        for square in home:
            number += self.board[square] > 0
            self.board[square] = 0
        if number:
            rng.shuffle(home)
            pieces = pieces_of(self.army)
            for place in range(number):
                self.board[home[place]] = int(pieces[place] | owner * SIDE)

    def _deal(self, owner: i64, rng: Rng) -> None:
        """Deal the hidden pieces of a player: bombs and flag to squares from which none has moved."""
        board = self.board
        counts = [0] * (FLAG + 1)
        still: list[int] = []
        places: list[int] = []
        side: i64 = owner * SIDE
        for square in range(len(board)):
            cell: i64 = board[square]
            kind = cell & KIND
            if kind and cell & (SIDE | SHOWN) == side:
                counts[kind] = int(counts[kind] + 1)
                if cell & MOVED:
                    places.append(square)
                else:
                    still.append(square)
        self._spread(still, BOMB, counts[BOMB], side, rng)
        self._spread(still, FLAG, counts[FLAG], side, rng)
        places += still
        common: i64 = 1
        for kind in range(2, BOMB):
            if counts[kind] > counts[common]:
                common = kind
        for kind in range(1, BOMB):
            if kind != common:
                self._spread(places, kind, counts[kind], side, rng)
        for place in range(len(places)):
            square = places[place]
            board[square] = int(board[square] & MOVED | side | common)

    def _spread(self, places: list[int], kind: i64, number: i64, side: i64, rng: Rng) -> None:
        """Put so many pieces of a kind on random ones of these squares, and take the squares out of the list."""
        board = self.board
        for _piece in range(number):
            drawn = rng.below(len(places))
            square = places[drawn]
            places[drawn] = places[-1]
            places.pop()
            board[square] = int(board[square] & MOVED | side | kind)

    def knowledge(self, player: i64) -> Hashable:
        """Return the own pieces, what is known of the others, the latest moves, and whether the deal is possible."""
        side: i64 = player * SIDE
        plans = self.plans
        if self.is_terminal:
            known = self.board
            chosen: tuple[object, ...] = plans
        else:
            known = [self._known(cell, side) for cell in self.board]
            chosen = (plans[player], len(plans[1 - player]))
        others = 1 - player
        hidden: tuple[object, ...] = ()
        if self.phase == PLAY and not self.is_terminal:
            fits = self.current_player == player or self.can_move(others)
            hidden = (tuple(self.hidden_kinds(others)[0]), self._has_moved_right(), fits)
        elif self.phase == SETUP:
            pieces = sum([1 for cell in self.board if cell & KIND and cell & SIDE != side])
            known = [cell if cell & SIDE == side or cell == LAKE else 0 for cell in self.board]
            hidden = (pieces,)
        moves = (self.path_0, self.path_1, self.chase_0, self.chase_1)
        return (self.basic_knowledge(player), tuple(known), chosen, hidden, moves)

    def _known(self, cell: int, side: i64) -> int:
        """Return a square as the player of a side knows it: a hidden enemy is of no kind."""
        return cell if cell & KIND == 0 or cell & SHOWN or cell & SIDE == side else cell & ~KIND | _UNKNOWN

    def _has_moved_right(self) -> bool:
        """Say whether only pieces have moved that can."""
        return not any([cell & MOVED and cell & KIND > MARSHAL for cell in self.board])

    def _cells(self) -> list[int]:
        """Return the contents of all squares, without those off a small board."""
        return [self.board[square] for square in self.field().squares]

    def pieces_left(self, player: i64) -> list[int]:
        """Return how many pieces of each kind a player has."""
        if self.phase == SETUP:
            return list(self.army)
        counts = [0] * (FLAG + 1)
        side: i64 = player * SIDE
        for value in self.board:
            if value & KIND and value & SIDE == side:
                counts[value & KIND] += 1
        return counts

    def components(self) -> list[Component]:
        """Return the kinds of pieces, the sides with what has moved, the pieces left of each kind, and the plans.

        On the board of sides, 0 and 1 are pieces of these players, 2 and 3 those that have moved, 4 is a lake.
        """
        field = self.field()
        width, height = field.width, field.height
        cells = self._cells()
        kinds = [cell & KIND for cell in cells]
        sides = [_side(cell) for cell in cells]
        pieces = PartiallyObservableGridBoard("pieces", width, height, kinds, 2)
        owners = PartiallyObservableGridBoard("sides", width, height, sides, 2)
        for place, square in enumerate(field.squares):
            pieces.seen[place] = self._seen_by(cells[place], square, True)
            owners.seen[place] = self._seen_by(cells[place], square, False)
        found: list[Component] = [pieces, owners]
        for player in range(2):
            counts = self.pieces_left(player)
            for kind in range(FLAG, 0, -1):
                if self.army[kind]:
                    name = telling.left_name(kind, player)
                    found.append(Counter(name, counts[kind], high=self.army[kind], owner=player))
            cards: list[Card] = []
            if self.phase == SETUP:
                cards = [_PLANS[PLANS[step][choice]] for step, choice in enumerate(self.plans[player])]
            found.append(Deck(f"plan of {player}", cards, player, VISIBLE_TO_OWNER))
        return found

    def _seen_by(self, cell: i64, square: int, is_kind: bool) -> int:
        """Return the set of players who see the kind of what is on a square, or its side."""
        if self.phase == SETUP:
            row = square // STRIDE
            return 1 if row < self.field().rows else 2 if row >= self.field().height - self.field().rows else EVERYBODY
        if not is_kind or cell & KIND == 0 or cell & SHOWN:
            return EVERYBODY
        return 2 if cell & SIDE else 1

    def text(self, viewer: i64) -> str:
        """Draw the board, ``+`` for player 0 and ``-`` for player 1; hidden pieces are ``?``, ``!`` if they have moved."""
        due = "to set up" if self.phase == SETUP else "to move"
        turn = "The game is over" if self.is_terminal else f"Move {self.turn + 1}, player {self.current_player} {due}"
        lines = [turn]
        width = int(self.field().width)
        for row in range(self.field().height - 1, -1, -1):
            squares = range(row * STRIDE, row * STRIDE + width)
            lines.append(f"{row + 1:2} {' '.join([self._drawn(square, viewer) for square in squares])}")
        lines.append("   " + "  ".join([name[0] for name in SQUARE_NAMES[:width]]))
        for player in range(2):
            counts = self.pieces_left(player)
            left = ", ".join([f"{counts[kind]} {NAMES[kind]}" for kind in range(FLAG, 0, -1) if counts[kind]])
            lines.append(f"player {player}  {left}{self._plan_text(player, viewer)}")
        return "\n".join(lines)

    def _drawn(self, square: int, viewer: i64) -> str:
        cell: i64 = self.board[square]
        if cell == LAKE:
            return "~~"
        seen = viewer < 0 or self._seen_by(cell, square, True) >> viewer & 1
        if cell == 0 or (self.phase == SETUP and not seen):
            return " ."
        sign = "-" if cell & SIDE else "+"
        return sign + (LETTERS[cell & KIND] if seen else "!" if cell & MOVED else "?")

    def _plan_text(self, player: i64, viewer: i64) -> str:
        plan = self.plans[player]
        if self.phase != SETUP or not plan or 0 <= viewer != player:
            return ""
        return "; plan: " + ", ".join([PLANS[step][choice] for step, choice in enumerate(plan)])


def _side(cell: i64) -> int:
    """Return the value of a square on the board of sides."""
    if cell == LAKE:
        return 4
    if cell & KIND == 0:
        return -1
    return (1 if cell & SIDE else 0) + (2 if cell & MOVED else 0)
