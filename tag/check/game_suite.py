"""The suite for games: random games, with the checks looking at their positions."""

from __future__ import annotations

from collections.abc import Sequence

from tag.action import AnyAction
from tag.check.actions import (
    ActionsDistinct,
    ActionsInterned,
    ActionsPlayable,
    ActionsRepeatable,
    ActionsWhileItLasts,
)
from tag.check.copies import CopyEqual, CopyIndependent, CopyPlayable
from tag.check.dealing import ObservationBlind, ObservationVaries
from tag.check.declared import ChanceDeclared, InformationDeclared
from tag.check.game_check import GameCheck, GameSubject, Position
from tag.check.observations import (
    ObservationActions,
    ObservationEnd,
    ObservationKnowledge,
    ViewsBlind,
    ViewsSteady,
)
from tag.check.parameters import ParametersDeclared, ParametersPlayable
from tag.check.pickles import PickleOtherProcess, PickleState
from tag.check.plays import Plays
from tag.check.report import Finding, Report, Where, chosen
from tag.check.results import HeuristicInRange, ResultsFinal, ResultsOrdered
from tag.check.seeds import SeedOtherProcess, SeedRepeats, SeedUndisturbed
from tag.check.traces import LONGEST
from tag.errors import ContractError
from tag.game import Game
from tag.listener import Listener
from tag.registry import make_agent, make_game
from tag.rng import Rng, derive_seed
from tag.state import GameState

#: All checks of a game; `Plays` comes first and also takes what goes wrong while the others look on.
GAME_CHECKS: tuple[type[GameCheck], ...] = (
    Plays,
    ActionsWhileItLasts,
    ActionsDistinct,
    ActionsInterned,
    ActionsRepeatable,
    CopyEqual,
    CopyIndependent,
    CopyPlayable,
    ActionsPlayable,
    SeedRepeats,
    SeedUndisturbed,
    SeedOtherProcess,
    ObservationKnowledge,
    ObservationActions,
    ObservationEnd,
    ObservationVaries,
    ObservationBlind,
    ViewsBlind,
    ViewsSteady,
    ResultsFinal,
    ResultsOrdered,
    HeuristicInRange,
    PickleState,
    PickleOtherProcess,
    InformationDeclared,
    ChanceDeclared,
    ParametersDeclared,
    ParametersPlayable,
)

#: Up to here every position is looked at, later ones ever more rarely.
_DENSE = 20


def check_game(
    spec: str, players: int | None = None, games: int = 5, seed: int = 1, only: Sequence[str] = ()
) -> Report:
    """Check a game against the engine's contract.

    Args:
        spec: the game, by name or path, with parameters.
        players: the number of players, or None for all that the game seats.
        games: how many random games to play with each number of players.
        seed: decides the games.
        only: the names of the checks to make; none given means all. That the game can be played is always checked.

    Returns:
        A finding per check, in the order of `GAME_CHECKS`.

    Raises:
        TagError: there is no such game or check, or the game does not seat so many.
    """
    model = make_game(spec)
    kind = model.game_type
    if players is not None:
        model.check_players(players)
    counts = list(range(kind.min_players, kind.max_players + 1)) if players is None else [players]
    subject = GameSubject(spec, model, counts, games, seed)
    names = {Plays.name, *chosen(only, [cls.name for cls in GAME_CHECKS])}
    runs = [_Run(cls()) for cls in GAME_CHECKS if cls.name in names]
    for n_players in counts:
        for number in range(games):
            _watch(subject, runs, n_players, seed + number)
    for run in runs:
        run.finish(subject)
    return Report(spec, games * len(counts), [run.finding for run in runs])


class _Run:
    """One check at work: it stops at its first failure."""

    def __init__(self, check: GameCheck) -> None:
        self.check = check
        self.finding = Finding(check.name, check.text)

    def at(self, position: Position) -> None:
        if self.finding.ok:
            try:
                self.check.where = position.where
                self.check.at(position)
            except Exception as error:  # noqa: BLE001  whatever the game raises is what is to be found
                self.finding.fail(error, self.check.where)

    def finish(self, subject: GameSubject) -> None:
        if self.finding.ok:
            try:
                self.check.where = None
                self.check.finish(subject)
            except Exception as error:  # noqa: BLE001  likewise
                self.finding.fail(error, self.check.where)


class _Visitor(Listener):
    """Shows the positions of a game to the checks."""

    def __init__(self, subject: GameSubject, runs: list[_Run], where: Where) -> None:
        self.subject = subject
        self.runs = runs
        self.where = where
        self.rng = Rng(derive_seed(where.seed, "visits"))

    def on_start(self, state: GameState) -> None:
        """Show the set-up."""
        self._visit(state)

    def on_action_taken(self, state: GameState, player: int, action: AnyAction) -> None:
        """Show the position, if its turn comes; the last one is shown by `on_end`."""
        self.where.tick = int(state.tick)
        if state.tick > LONGEST:
            raise ContractError(f"the game is not over after {LONGEST} actions")
        if not state.is_terminal and self.rng.below(1 + state.tick // _DENSE) == 0:
            self._visit(state)

    def on_end(self, state: GameState) -> None:
        """Show the final position."""
        self._visit(state)

    def _visit(self, state: GameState) -> None:
        where = self.where
        shown = Position(self.subject.model, state, Where(where.game, where.agents, where.seed, int(state.tick)))
        for run in self.runs:
            run.at(shown)


def _watch(subject: GameSubject, runs: list[_Run], n_players: int, seed: int) -> None:
    """Play a random game in which the checks look at the positions."""
    where = subject.where(n_players, seed)
    agents = [make_agent("random") for _seat in range(n_players)]
    try:
        Game(subject.model, agents, seed, listeners=[_Visitor(subject, runs, where)]).play()
    except Exception as error:  # noqa: BLE001  whatever the game raises is what is to be found
        runs[0].finding.fail(error, where)
