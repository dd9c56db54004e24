"""Programs in any language, which answer questions as JSON.

The protocol is described in the guide "An agent in your language".
"""

from __future__ import annotations

import shlex
import shutil
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tag.agents._dialogues import Dialogue, HttpDialogue, ProgramDialogue, check_url, greeted, started
from tag.catalogue.registry import module_of
from tag.catalogue.trust import check_program
from tag.engine.forward_model import ForwardModel
from tag.engine.parameters import Parameters, choice, flag, free_text, integer, real
from tag.engine.results import result_name
from tag.engine.state import AnyAction, GameState
from tag.errors import ParameterError
from tag.playing.agent import BUDGET_TYPES, Limits, RemoteAgent
from tag.playing.faults import AgentGone

_LONGEST_COMMAND: Final = 8000
_NUMBERS: Final = 1 << 31
_TIMES: Final = ("wall_ms", "cpu_ms")


@dataclass
class ProcessParameters(Parameters):
    """The program, and what it is told."""

    command: str = free_text("", "the program and its arguments; no shell reads them")
    url: str = free_text("", "where a server on this machine answers instead, as http://127.0.0.1:8000/")
    legal: bool = flag(True, "whether it is told the available actions; if not, it has to know the rules")
    budget: int = integer(1000, 1, 1_000_000_000, "what it is told to spend per decision", log=True)
    budget_type: str = choice("wall_ms", BUDGET_TYPES, "unit of the budget; times are in milliseconds")
    parts: str = free_text("", "other files that the program consists of, besides those that the command names")
    hang_seconds: float = real(60.0, 0.01, 100_000.0, "seconds without an answer after which it is ended", log=True)

    def check(self) -> None:
        """Check that the command can be split into words, and that the server is on this machine."""
        for name, text in (("command", self.command), ("parts", self.parts)):
            try:
                shlex.split(text)
            except ValueError:
                raise ParameterError(f"{name} cannot be {text!r}; its quotation marks do not match") from None
        if len(self.command) > _LONGEST_COMMAND:
            raise ParameterError(f"command cannot have {len(self.command)} letters; it has {_LONGEST_COMMAND} at most")
        if self.command and self.url:
            raise ParameterError("process has a command and a url; give one of them")
        if self.url:
            check_url(self.url)

    def own_files(self) -> list[str]:
        """Return the files that the program consists of: those that words of its command name, and those declared.

        A program that is found by its name alone, such as ``java``, belongs to the machine.
        """
        words = shlex.split(self.command)
        named = [part for word in words for part in (word, word.partition("=")[2]) if part and Path(part).is_file()]
        return list(dict.fromkeys([*named, *shlex.split(self.parts)]))


class Process(RemoteAgent):
    """Lets a program in any language decide, which reads questions from its standard input and writes its answers.

    The program is told what its player may see: the position in words, its components, and the available actions. Its
    budget and the clock are only told; `--decision-seconds` and `--clock-seconds` of a tournament enforce them. It is
    stopped between questions. One process serves all games that the same worker plays one after another, unless agents are
    isolated: then each game has a new one.

    A program that ends, does not answer, or answers with anything else than a line for each question is a fault of its
    seat, and is ended.

    With ``url`` the questions go to a server on this machine, as HTTP requests. It is never ended, and its CPU time is not
    known (0).
    """

    parameters_class = ProcessParameters

    def __init__(self, parameters: ProcessParameters | None = None) -> None:
        """Start nothing yet."""
        chosen = ProcessParameters() if parameters is None else parameters
        super().__init__(chosen)
        self._chosen = chosen
        self._dialogue: Dialogue | None = None
        self._is_isolated = False
        self._limits = Limits(hang_seconds=chosen.hang_seconds)
        self._before = 0.0
        self._peak_mb = 0.0
        #: When this object is dropped in the middle of a game, the program is ended. A set can be watched, this cannot.
        self._watched: set[int] = set()
        self._watch: Any = None

    def check_game(self, model: ForwardModel[Any], n_players: int) -> None:
        """Refuse to play without a program, or with one that the user has not vouched for."""
        check_program(self._chosen.url or self._chosen.command)
        if self._chosen.url:
            return
        words = shlex.split(self._chosen.command)
        if not words:
            raise ParameterError("process has no program; name one: process:command=java Bot.java")
        if shutil.which(words[0]) is None:
            raise ParameterError(f"process cannot run {words[0]!r}; there is no such program, or it is not executable")

    def isolate(self, limits: Limits) -> None:
        """Start a new program for the next game, with these limits; of a server, only that of time holds."""
        self._is_isolated = not self._chosen.url
        self._limits = limits

    def peak_mb(self) -> float:
        """Return the most memory that its program has had resident in the game, where it is isolated."""
        if self._is_isolated and self._dialogue is not None and self._dialogue.is_alive():
            self._peak_mb = self._dialogue.peak_mb()
        return self._peak_mb

    def close(self) -> None:
        """End the program."""
        if self._dialogue is not None:
            self._dialogue.close()

    def start_game(self, observation: GameState) -> None:
        """Have the program make ready."""
        self._forget()
        self._peak_mb = 0.0
        dialogue = self._dialogue = self._new_dialogue()
        self._watched = set()
        self._watch = weakref.finalize(self._watched, dialogue.close)
        self._watch.atexit = False  # at exit, all programs are ended
        self._before = dialogue.cpu_seconds()
        dialogue.ask("game", self._game(observation), self._limits.hang_seconds)

    def act(self, observation: GameState, actions: list[AnyAction]) -> AnyAction:
        """Have the program choose."""
        dialogue = self._open_dialogue()
        player = int(self.player)
        texts = [action.text(observation, player) for action in actions]
        answer = dialogue.ask("act", self._decision(observation, texts), self._limits.hang_seconds)
        self.cpu_seconds = dialogue.cpu_seconds() - self._before
        if self._chosen.legal:
            index = answer.get("index")
            if type(index) is int and 0 <= index < len(actions):
                return actions[index]
            return _unavailable(f"index {index!r}")
        text = answer.get("action")
        return actions[texts.index(text)] if text in texts else _unavailable(f"action {text!r}")

    def end_game(self, state: GameState) -> None:
        """Have the program learn how the game ended."""
        dialogue = self._open_dialogue()
        content = {"result": result_name(state.result(self.player)), "observation": self._view(state)}
        dialogue.ask("result", content, self._limits.hang_seconds)
        self._forget()

    def _new_dialogue(self) -> Dialogue:
        command, url = self._chosen.command, self._chosen.url
        check_program(url or command)
        if self._is_isolated:
            return greeted(ProgramDialogue(command, self._limits), self._limits.hang_seconds)
        return (
            started(url, HttpDialogue, self._limits.hang_seconds)
            if url
            else started(command, ProgramDialogue, self._limits.hang_seconds)
        )

    def _open_dialogue(self) -> Dialogue:
        """Return the dialogue, if the program is still there."""
        if self._dialogue is None or not self._dialogue.is_alive():
            raise AgentGone
        return self._dialogue

    def _forget(self) -> None:
        """Let the program of the game before wait for another."""
        self.peak_mb()
        dialogue, self._dialogue = self._dialogue, None
        if dialogue is not None:
            self._watch.detach()
            if self._is_isolated:
                dialogue.close()
            else:
                dialogue.release()

    def _game(self, observation: GameState) -> dict[str, Any]:
        """Return the definition of the game."""
        model = self.sim.model.undecorated()
        parameters, budget = self._chosen, self.sim.budget
        factor = budget.time_factor if parameters.budget_type in _TIMES else 1.0
        return {
            "game": module_of(type(model)).rpartition(".")[2],
            "title": model.game_type.title,
            "parameters": model.parameters.values(),
            "players": int(observation.n_players),
            "player": int(self.player),
            "legal": parameters.legal,
            "budget": {"limit": int(parameters.budget * factor), "unit": parameters.budget_type},
            "seed": int(self.sim.rng.below(_NUMBERS)),
        }

    def _decision(self, observation: GameState, texts: list[str]) -> dict[str, Any]:
        """Return the question in a position."""
        clock = self.sim.budget.clock
        content: dict[str, Any] = {
            "clock": None if clock is None else {"remaining": clock.remaining, "per_action": clock.per_action},
            "random": int(self.sim.rng.below(_NUMBERS)),
            "observation": self._view(observation),
        }
        if self._chosen.legal:
            content["actions"] = [{"index": index, "text": text} for index, text in enumerate(texts)]
        return content

    def _view(self, observation: GameState) -> dict[str, Any]:
        """Return the position as the player sees it."""
        from tag.table.view import position_view  # noqa: PLC0415  most games need no views

        found: dict[str, Any] = position_view(observation, int(self.player))
        if self.sim.model.cells(observation.n_players) is not None:
            found["cells"] = list(observation.cell_values())
        return found


def _unavailable(text: str) -> AnyAction:
    """Return an action that is never available."""
    from tag.isolation import ToldAction  # noqa: PLC0415  as above

    return ToldAction(text)
