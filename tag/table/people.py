"""Games in which people play: who decides, and to which decisions undo and redo lead."""

from __future__ import annotations

from tag.engine.rng import Rng, derive_seed
from tag.playing.inspection import InspectedDecision
from tag.table.game import TableGame, is_human
from tag.table.tree import SavedGame


class GameWithPeople:
    """A game in which people sit in some seats.

    Attributes:
        saved: the game as it can be saved at any time, with all positions that were visited.
        table: the game in its present position.
        people: the seats of people.
    """

    def __init__(self, saved: SavedGame) -> None:
        """Go to the present position of a saved game.

        Raises:
            TagError: its game type does not exist, or an action on the way there.
        """
        self.saved = saved
        self.table = TableGame(saved.start, saved.line)
        self.people = [seat for seat, spec in enumerate(saved.seats) if is_human(spec)]

    @property
    def player(self) -> int:
        """The player to move."""
        return int(self.table.state.current_player)

    @property
    def is_over(self) -> bool:
        """True at the end."""
        return bool(self.table.state.is_terminal)

    @property
    def asks_person(self) -> bool:
        """True if a person has a choice."""
        return self.player in self.people and len(self.table.actions) > 1

    def play(self, number: int) -> None:
        """Play an available action.

        Raises:
            ParameterError: there is no action of this number.
        """
        self.table.play(number)
        self.saved.position = self.saved.tree.play(self.saved.position, number)

    def follow(self, decision: InspectedDecision) -> None:
        """Play the choice of an agent; where it failed, an action drawn at random."""
        number = decision.choice
        if number is None:
            drawing = Rng(derive_seed(self.saved.start.seed, "substitute", len(self.table.line)))
            number = int(drawing.below(len(self.table.actions)))
        self.play(number)

    def undo(self) -> bool:
        """Go back to the last choice of a person; say whether there was one."""
        taken = self.table.taken
        chosen = [ply for ply, one in enumerate(taken) if one.player in self.people and not one.is_forced]
        if chosen:
            self.saved.position = self.saved.tree.path(self.saved.position)[chosen[-1]]
            self.table.go(self.saved.line)
            self.begin_anew()
        return bool(chosen)

    def redo(self) -> bool:
        """Go to the next choice of a person, or as far as the game was played; say whether there was anything to redo.

        Raises:
            ParameterError: the saved game has an action here that is not available.
        """
        saved = self.saved
        begun = saved.position
        while (following := saved.tree.redo(saved.position)) != saved.position:
            self.table.play(saved.tree.choices[following])
            saved.position = following
            self.begin_anew()
            if self.asks_person:
                break
        return saved.position != begun

    def begin_anew(self) -> None:
        """Have agents forget what they thought before this position."""
        self.saved.since = len(self.table.line)
