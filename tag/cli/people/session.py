"""Sessions of `tag play` with people: what each sees, and what they can say."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, Protocol

from tag.catalogue.registry import agents_of, check_game, make_agent
from tag.catalogue.trust import vouch
from tag.cli.people.hints import hint_lines
from tag.cli.screens.layout import result_lines
from tag.cli.terminal import Console, beginning, in_columns
from tag.engine.parameters import parse_spec
from tag.engine.state import Event
from tag.errors import DataError, TagError, nearest, one_line
from tag.playing.inspection import InspectedDecision
from tag.table.events import event_texts
from tag.table.game import EVERYTHING, is_human
from tag.table.people import GameWithPeople
from tag.table.tree import SavedGame
from tag.table.view import group_of, seen_by

_COMMANDS: Final = {
    "undo": "take back your last choice, and all that followed",
    "redo": "play again what was taken back",
    "hint": "what an agent would play: hint, or hint osla",
    "show": "the position again; show log: all that happened",
    "save": "save FILE: store the game",
    "quit": "save the game and end; so do Ctrl-D and Ctrl-C",
    "help": "this list",
}
#: The agent that gives hints unless another is named.
_ADVISER: Final = "mcts"
#: A number of an action; longer ones are no numbers of any.
_NUMBER: Final = re.compile(r"[0-9]{1,9}")


class Thinking(Protocol):
    """Agents at the table (`tag.table.seats.Thinkers`)."""

    def choose(self, line: tuple[int, ...], since: int) -> InspectedDecision:
        """Return the decision of the agent to move."""

    def advise(self, spec: str, line: tuple[int, ...]) -> InspectedDecision:
        """Return the decision of an agent in place of the person to move."""


class Session:
    """People at a terminal, who play with each other and with agents.

    Attributes:
        game: the game.
    """

    def __init__(self, saved: SavedGame, thinking: Thinking, console: Console, file: Path | None = None) -> None:
        """Begin in the present position.

        Args:
            saved: the game.
            thinking: its agents.
            console: where people read and write.
            file: where the game is saved when people quit; by default a new file, named after game and seed.
        """
        self.game = GameWithPeople(saved)
        self._thinking = thinking
        self._console = console
        self._file = file
        self._names = [_name(spec, len(self.game.people) == 1) for spec in saved.seats]
        #: How many actions each player has been told.
        self._told = [self._own_choice(seat) for seat in range(len(saved.seats))]
        self._last_person = -1
        self._is_left = False
        self._commands: dict[str, Callable[[str], None]] = {
            "undo": self._undo,
            "redo": self._redo,
            "hint": self._hint,
            "show": self._show,
            "save": self._save,
            "quit": self._quit,
            "help": self._help,
        }

    def run(self) -> None:
        """Play until the game is over or the people leave.

        Raises:
            DataError: they left where the game could not be saved.
        """
        try:
            self._greet()
            while not self.game.is_over and not self._is_left:
                if self.game.asks_person:
                    self._ask_person()
                else:
                    self._go_on()
            if self.game.is_over:
                self._end()
        except (EOFError, KeyboardInterrupt):
            file = self._stored()  # before a word is said: the terminal may be gone
            self._console.say(self._farewell(file))
        except OSError:  # the terminal is gone, or what read the output
            self._stored()
            raise

    def _greet(self) -> None:
        for seat in range(len(self._names)):
            self._console.say(self._called(seat))
        self._console.say("Type the number of an action, or its beginning; or help.")

    def _go_on(self) -> None:
        """Play a forced move of a person, or an agent's."""
        game = self.game
        if game.player in game.people:
            game.play(0)
        else:
            self._console.wait(f"{self._called(game.player)} is thinking …")
            try:
                decision = self._thinking.choose(game.table.line, game.saved.since)
            except KeyboardInterrupt:
                self._pause("was interrupted")
                return
            except TagError as error:
                self._pause(f"cannot play: {error}")
                return
            if decision.choice is None:
                self._console.say(f"{self._called(game.player)} failed ({decision.fault}); a random action follows")
            game.follow(decision)
        if len(game.people) == 1:
            self._tell(game.people[0])

    def _pause(self, reason: str) -> None:
        """Ask a person for the next step after an agent did not answer."""
        game = self.game
        player, line = game.player, game.table.line
        game.begin_anew()
        self._console.say(f"{self._called(player)} {reason}")
        while game.table.line == line and not self._is_left:
            said = self._console.ask("Enter lets it think again, quit saves and ends: ", list(_COMMANDS))
            if not said.strip():
                return
            if not self._obeyed(said):
                self._console.say(f"{_quoted(said)} can be said when it is your turn; press Enter, or type help")

    def _ask_person(self) -> None:
        """Have the person to move play or give commands."""
        game = self.game
        line = game.table.line
        if not self._has_seat_taken() or game.table.line != line:
            return
        self._show_turn()
        while game.table.line == line and not self._is_left:
            texts = self._texts()
            said = self._console.ask("> ", [*texts, *self._words()])
            if said.strip() in texts or not self._obeyed(said):
                self._play(said.strip(), texts)

    def _has_seat_taken(self) -> bool:
        """Wait until the person to move sits at the terminal, if another saw a hand there; False if they leave."""
        game = self.game
        player, line = game.player, game.table.line
        has_secrets = len(game.people) > 1 and game.table.model.game_type.hidden_information
        while has_secrets and self._last_person != player and not self._is_left:
            self._console.hide()
            said = self._console.ask(f"{self._called(player)}, press Enter: ", [])
            if said.strip() == "quit":
                self._quit("")
            if game.table.line == line and not self._is_left:
                self._last_person = player
        self._last_person = player
        return not self._is_left

    def _end(self) -> None:
        for seat in self.game.people[:1]:
            self._tell(seat)
        state = self.game.table.state
        self._console.say(f"\n{state.text(EVERYTHING)}\n")
        for line in result_lines(state, [self._called(seat) for seat in range(state.n_players)]):
            self._console.say(line)

    def _called(self, seat: int) -> str:
        return f"player {seat} ({self._names[seat]})"

    def _show_turn(self) -> None:
        player = self.game.player
        self._tell(player)
        self._console.say()
        self._console.say(seen_by(self.game.table.state, player).text(player))
        self._console.say()
        self._console.say(f"{self._called(player)}, your choice:", is_heading=True)
        self._show_actions()

    def _show_actions(self) -> None:
        """List the actions by kind, with their numbers."""
        texts = self._texts()
        groups: dict[str, list[str]] = {}
        width = len(str(len(texts) - 1))
        for number, (action, text) in enumerate(zip(self.game.table.actions, texts, strict=True)):
            groups.setdefault(group_of(action), []).append(f"{number:>{width}} {text}")
        for group, cells in groups.items():
            if len(groups) > 1:
                self._console.say(f"{group}:")
            for row in in_columns(cells, self._console.columns):
                self._console.say(row)

    def _texts(self) -> list[str]:
        """Return the available actions in the words of the player to move."""
        table = self.game.table
        return [one_line(action.text(table.state, table.state.current_player)) for action in table.actions]

    def _words(self) -> list[str]:
        """Return commands as completion offers them."""
        names = agents_of(parse_spec(self.game.saved.start.game).name)
        return [*_COMMANDS, "show log", *(f"hint {name}" for name in names if not is_human(name))]

    def _tell(self, seat: int) -> None:
        """Tell a person what happened since they were last told."""
        begin = min(self._told[seat], len(self.game.table.taken))
        for row in self._log(seat, begin):
            self._console.say(row)
        self._told[seat] = len(self.game.table.taken)

    def _own_choice(self, seat: int) -> int:
        """Return the number of actions before the player's last choice; 0 without one."""
        taken = self.game.table.taken
        return max((ply for ply, one in enumerate(taken) if one.player == seat and not one.is_forced), default=0)

    def _log(self, seat: int, begin: int = 0) -> list[str]:
        """Return the events from an action on, in the words of a player."""
        rows = []
        for number, taken in enumerate(self.game.table.taken[begin:], begin + 1):
            alone = " (nothing else possible)" if taken.is_forced else ""
            rows.append(f"{number:>4}. {self._called(taken.player)}: {one_line(taken.texts[seat])}{alone}")
            rows += self._followed(taken.events, seat)
        return rows

    def _followed(self, events: Sequence[Event], seat: int) -> list[str]:
        """Return events in words, as a player is told of them."""
        names = [self._called(player) for player in range(len(self._names))]
        return [f"      {one_line(text)}" for text in event_texts(events, seat, names)]

    def _play(self, said: str, texts: Sequence[str]) -> None:
        """Play the action of this number, text or beginning, or say why not."""
        numbers = found_actions(said, texts)
        if len(numbers) == 1:
            self.game.play(numbers[0])
            self._tell(self.game.table.taken[-1].player)
        elif not said:
            self._console.say("type the number of an action, or help")
        elif _NUMBER.fullmatch(said):
            self._console.say(f"there is no action {int(said)}; they are 0 to {len(texts) - 1}")
        elif numbers:
            few = ", ".join(str(number) for number in numbers[:8]) + (", …" if len(numbers) > 8 else "")
            self._console.say(f"{_quoted(said)} can be any of the actions {few}; type the number of one")
        else:
            near = nearest(said, [*texts, *_COMMANDS])
            few = near if near.startswith("; did") else f"; type a number from 0 to {len(texts) - 1}, or help"
            self._console.say(f"there is no action {_quoted(said)}{few}")

    def _obeyed(self, said: str) -> bool:
        """Follow a command; say whether it was one."""
        name, _, rest = said.strip().partition(" ")
        command = self._commands.get(name.lower())
        if command is None:
            return False
        command(rest.strip())
        return True

    def _undo(self, _rest: str) -> None:
        if self.game.undo():
            self._moved("back")
        else:
            self._console.say("no choice of yours can be taken back")

    def _redo(self, _rest: str) -> None:
        try:
            moved = self.game.redo()
        except TagError as error:
            self._console.say(f"this cannot be played again: {error}")
            return
        if moved:
            self._moved("forward")
        else:
            self._console.say("nothing was taken back that can be played again")

    def _moved(self, direction: str) -> None:
        count = len(self.game.table.taken)
        self._told = [min(told, count) for told in self._told]
        self._console.say(f"{direction} to where {count} action{'' if count == 1 else 's'} had been played")

    def _hint(self, rest: str) -> None:
        """Ask an agent, and show what it thinks of its best actions."""
        game = self.game
        if not game.asks_person:
            self._console.say("a hint can be had when it is your turn")
            return
        spec = rest or _ADVISER
        try:
            vouch(spec)
            check_game(spec, game.table.model, game.saved.start.players)
            self._console.wait(f"{spec} is thinking …")
            decision = self._thinking.advise(spec, game.table.line)
        except KeyboardInterrupt:
            self._console.say(f"{spec} was interrupted")
        except TagError as error:
            self._console.say(str(error))
        else:
            for row in hint_lines(spec, decision, self._texts()):
                self._console.say(row)

    def _show(self, rest: str) -> None:
        people = self.game.people
        if not self.game.asks_person and len(people) > 1:
            self._console.say("the position is shown to the player to move")
        elif rest == "log":
            rows = [*self._followed(self.game.table.set_up, self._viewer()), *self._log(self._viewer())]
            for row in rows or ["nothing has happened yet"]:
                self._console.say(row)
        elif self.game.asks_person:
            self._show_turn()
        else:
            self._console.say(seen_by(self.game.table.state, people[0]).text(people[0]))

    def _viewer(self) -> int:
        """Return the person who is shown something: the one to move, or the only one."""
        return self.game.player if self.game.asks_person else self.game.people[0]

    def _help(self, _rest: str) -> None:
        self._console.say("a number, an action, or the beginning of one: play it (Tab completes)")
        for name, purpose in _COMMANDS.items():
            self._console.say(f"{name}  {purpose}")

    def _save(self, rest: str) -> None:
        if not rest:
            self._console.say("save needs the name of a file")
            return
        file = Path(rest)
        try:
            if file != self._file and _exists(file):
                raise DataError(f"{_quoted(rest)} exists; name another file")
            self._write(file)
        except DataError as error:
            self._console.say(str(error))
        else:
            self._file = file
            self._console.say(self._farewell(file))

    def _quit(self, _rest: str) -> None:
        try:
            file = self._stored()
        except DataError as error:
            self._console.say(str(error))
        else:
            self._is_left = True
            self._console.say(self._farewell(file))

    def _stored(self) -> Path:
        """Save the game where it was saved before, or in a new file; return which."""
        file = self._file
        if file is None:
            start = self.game.saved.start
            stem = f"{re.split(r'[:/.]', parse_spec(start.game).name)[-1]}-{start.seed}"
            file = _unused(Path(f"{stem}{part}.json") for part in ("", *(f"-{n}" for n in range(2, 10_000))))
        self._write(file)
        return file

    def _write(self, file: Path) -> None:
        """Write the game to a file.

        Raises:
            DataError: it cannot be written.
        """
        try:
            self.game.saved.save(file)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise DataError(f"{_quoted(str(file))} cannot be written: {reason}") from None

    def _farewell(self, file: Path) -> str:
        return f"The game is saved; go on with: tag play --continue {shlex.quote(str(file))}"


def found_actions(said: str, texts: Sequence[str]) -> list[int]:
    """Return the numbers of the actions that a person may mean: of this number, or text, or beginning so.

    >>> found_actions("pass", ["pass", "pass on", "bet"])
    [0]
    >>> found_actions("p", ["pass", "pass on", "bet"])
    [0, 1]
    """
    wanted = said.casefold()
    if not wanted:
        return []
    for numbers in (
        [int(said)] if _NUMBER.fullmatch(said) and int(said) < len(texts) else [],
        [number for number, text in enumerate(texts) if text.casefold() == wanted],
        [number for number, text in enumerate(texts) if beginning(said, [text])],
    ):
        if numbers:
            return numbers
    return []


def _name(spec: str, is_alone: bool) -> str:
    """Return the name of the player with this spec."""
    if not is_human(spec):
        return spec
    name = str(make_agent(spec).parameters.values()["name"])
    return one_line(name, 40) or ("you" if is_alone else "human")


def _unused(files: Iterable[Path]) -> Path:
    """Return the first file that does not exist."""
    return next(file for file in files if not file.exists())


def _exists(file: Path) -> bool:
    try:
        return file.exists()
    except (OSError, ValueError):  # a name that no file can have: writing it says so
        return False


def _quoted(text: str) -> str:
    return repr(one_line(text, 60))
