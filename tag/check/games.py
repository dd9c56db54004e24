"""The suite for games: random games, whose positions the checks examine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from tag.catalogue.registry import game_class, make_agent, make_game
from tag.check import events, information, learning, play, rules, variants
from tag.check.evidence.traces import LONGEST
from tag.check.report import Finding, Report, Where, chosen
from tag.check.subject import GameCheck, GameSubject, Position
from tag.engine.parameters import Spec, parse_spec
from tag.engine.rng import Rng, derive_seed
from tag.engine.state import AnyAction, GameState
from tag.errors import ContractError, ParameterError
from tag.playing.game import Game
from tag.playing.listener import Listener

#: All checks of a game; `Plays` comes first and also records errors of the game in the games of all checks.
GAME_CHECKS: tuple[type[GameCheck], ...] = (
    rules.Plays,
    rules.ActionsWhileItLasts,
    rules.ActionsDistinct,
    rules.ActionsNumbered,
    rules.ActionsRandom,
    rules.RolloutsEqual,
    rules.ActionsInterned,
    rules.ActionsRepeatable,
    rules.CopyEqual,
    rules.CopyIndependent,
    rules.CopyPlayable,
    rules.ActionsPlayable,
    rules.CardsKept,
    rules.SeedRepeats,
    rules.SeedUndisturbed,
    rules.SeedOtherProcess,
    information.ObservationKnowledge,
    information.ObservationDetached,
    information.ObservationActions,
    information.ObservationEnd,
    information.ObservationVaries,
    information.ObservationBlind,
    information.ObservationFair,
    play.ObservationFairInPlay,
    information.ObservationPossible,
    play.MarksKept,
    play.SecretsKept,
    play.ObservationRemembers,
    information.ViewsBlind,
    information.ViewsSteady,
    events.EventsComplete,
    events.EventsBlind,
    rules.ResultsFinal,
    rules.ResultsOrdered,
    rules.HeuristicInRange,
    rules.PickleState,
    rules.PickleOtherProcess,
    information.InformationDeclared,
    rules.ChanceDeclared,
    learning.OutcomesPossible,
    learning.AfterstatesEqual,
    learning.ChanceFromSources,
    learning.CellsInRange,
    learning.SymmetriesKept,
    learning.LearnedValuesFit,
    variants.ParametersDeclared,
    variants.ParametersPlayable,
    variants.ParametersSwept,
)

#: Up to here every position is examined, later ones ever more rarely.
_DENSE: Final = 20

#: Positions kept of the random games with each number of players, of one game, and after how many actions at most.
_KEPT: Final = 12
_KEPT_OF_A_GAME: Final = 3
_LAST_KEPT: Final = 80

#: One in so many of the examined positions is kept.
_RARELY: Final = 8


def check_game(
    spec: str, players: int | None = None, games: int = 5, seed: int = 1, only: Sequence[str] = ()
) -> Report:
    """Check a game against the engine's contract.

    Args:
        spec: the game, by name or path, with parameters; those that it declares for checks apply unless they are given.
        players: the number of players, or None for all that the game seats.
        games: how many random games to play with the fewest and with the most players; one with each number between.
        seed: the random seed of the games.
        only: the names of the checks to make; none given means all. The check `Plays` is always made.

    Returns:
        A finding per check, in the order of `GAME_CHECKS`.

    Raises:
        TagError: there is no such game or check, or the game does not seat so many.
    """
    spec = with_check_parameters(spec)
    model = make_game(spec)
    kind = model.game_type
    if not kind.determinises:
        raise ParameterError(
            f"{spec} cannot be checked; its hidden information cannot be dealt again, as most checks do"
        )
    if players is not None:
        model.check_players(players)
    counts = list(range(kind.min_players, kind.max_players + 1)) if players is None else [players]
    subject = GameSubject(spec, model, counts, games, seed)
    names = {rules.Plays.name, *chosen(only, [cls.name for cls in GAME_CHECKS])}
    checks = [cls() for cls in GAME_CHECKS if cls.name in names]
    findings = [Finding(check.name, check.text) for check in checks]
    played = 0
    for n_players in counts:
        for number in range(games if n_players in (counts[0], counts[-1]) else 1):
            _watch(subject, list(zip(checks, findings, strict=True)), n_players, seed + number)
            played += 1
    for check, finding in zip(checks, findings, strict=True):
        check.where = None
        finding.attempt(check, partial(check.finish, subject))
    return Report(spec, played, findings)


def with_check_parameters(spec: str) -> str:
    """Return the spec of a game with the parameters that its game type declares for checks, unless it sets them itself.

    Those that do not fit what the spec sets are left out.
    """
    given = parse_spec(spec)
    text = game_class(given.name).game_type.check_parameters
    declared = parse_spec(f"game:{text}").values if text else {}
    values = dict(given.values)
    for name, value in declared.items():
        if name not in values and _is_possible(Spec(given.name, {**values, name: value})):
            values[name] = value
    return str(Spec(given.name, {name: values[name] for name in [*declared, *given.values] if name in values}))


def _is_possible(spec: Spec) -> bool:
    """Say whether a game takes parameters that are in range, each by itself, together."""
    try:
        make_game(spec)
    except ParameterError:
        return False
    return True


class _Visitor(Listener):
    """Shows the positions of a game to the checks."""

    def __init__(self, subject: GameSubject, runs: list[tuple[GameCheck, Finding]], where: Where) -> None:
        self.subject = subject
        self.runs = runs
        self.where = where
        self.rng = Rng(derive_seed(where.seed, "visits"))
        self.kept = 0
        self.is_due = False

    def on_start(self, state: GameState) -> None:
        self._visit(state)

    def on_action_taken(self, state: GameState, player: int, action: AnyAction) -> None:
        """Show the position, if its turn comes; the last one is shown by `on_end`."""
        self.where.tick = int(state.tick)
        if state.tick > LONGEST:
            raise ContractError(f"the game is not over after {LONGEST} actions")
        if not state.is_terminal and self.rng.below(1 + state.tick // _DENSE) == 0:
            self._visit(state)
            self._keep(state)

    def on_end(self, state: GameState) -> None:
        self._visit(state)

    def _visit(self, state: GameState) -> None:
        where = self.where
        shown = Position(self.subject.model, state, Where(where.game, where.agents, where.seed, int(state.tick)))
        for check, finding in self.runs:
            check.where = shown.where
            finding.attempt(check, partial(check.at, shown))

    def _keep(self, state: GameState) -> None:
        """Keep the position for the checks that compare some in the end, if its turn comes."""
        kept = self.subject.kept.setdefault(int(state.n_players), [])
        is_full = self.kept == _KEPT_OF_A_GAME or len(kept) == _KEPT
        self.is_due = self.is_due or self.rng.below(_RARELY) == 0
        if state.tick <= _LAST_KEPT and self.is_due and not is_full and self._hides(state):
            where = self.where
            self.is_due = False
            self.kept += 1
            kept.append((state.copy(), Where(where.game, where.agents, where.seed, int(state.tick))))

    def _hides(self, state: GameState) -> bool:
        """Say whether a player's observation differs from the position, so that checks can compare them."""
        player = self.rng.below(state.n_players)
        return state.observation(player, self.rng).snapshot() != state.snapshot()


def _watch(subject: GameSubject, runs: list[tuple[GameCheck, Finding]], n_players: int, seed: int) -> None:
    """Play a random game whose positions the checks examine."""
    where = subject.where(n_players, seed)
    agents = [make_agent("random") for _seat in range(n_players)]
    try:
        Game(subject.model, agents, seed, listeners=[_Visitor(subject, runs, where)]).play()
    except Exception as error:  # noqa: BLE001  any error of the game is a failure
        runs[0][1].fail(error, where)
