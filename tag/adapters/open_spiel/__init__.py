"""Games of OpenSpiel as game types: ``open_spiel:kuhn_poker(players=3)``.

OpenSpiel keeps the rules; chance is drawn from the game's own streams, and hidden information is dealt again by OpenSpiel's
``resample_from_infostate``. In a game without it, agents that look ahead are refused, and others see what OpenSpiel tells
their player. Simultaneous choices are made one after the other, hidden from those who choose later.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from tag.adapters.open_spiel._chance import CHANCE, settled
from tag.adapters.open_spiel._facts import Facts, facts_of, installed_version
from tag.engine.encoding import Actions, Vocabulary
from tag.engine.forward_model import ForwardModel, GameType
from tag.engine.parameters import OPEN_SPIEL, Parameters
from tag.engine.results import DRAW, LOSE, WIN
from tag.engine.rng import Rng
from tag.engine.state import Action, AnyAction, GameState, interned
from tag.errors import ContractError

#: Vocabularies of more actions are not declared.
_MOST_ACTIONS: Final = 1_000_000


class OpenSpielPosition:
    """A state of OpenSpiel with an identity: its history and its text.

    The history alone is none: states that gin rummy deals again keep it.
    """

    __slots__ = ("facts", "spiel")

    def __init__(self, facts: Facts, spiel: Any) -> None:
        """Take a state of the game."""
        self.facts = facts
        self.spiel = spiel

    def key(self) -> tuple[object, ...]:
        """Return the position as plain values."""
        return (tuple(self.spiel.history()), tuple(str(self.spiel).splitlines()))

    def known_to(self, player: int) -> str:
        """Return the name of the information set of ``player``."""
        spiel = self.spiel
        named = spiel.information_state_string if self.facts.has_information_state else spiel.observation_string
        return str(named(int(player)))

    def copy(self) -> OpenSpielPosition:
        """Return an exact copy."""
        return OpenSpielPosition(self.facts, self.spiel.clone())

    def seen_by(self, player: int, rng: Rng) -> OpenSpielPosition | SeenPosition:
        """Return the position with all dealt again that ``player`` cannot know, or else what the player knows of it."""
        spiel = self.spiel
        if self.facts.determinises:
            return OpenSpielPosition(self.facts, spiel.resample_from_infostate(int(player), rng.uniform))
        numbers = spiel.legal_actions() if spiel.current_player() == player else []
        actions = {number: self.action_text(player, number) for number in numbers}
        return SeenPosition(self.facts.text, self.known_to(player), actions, [0.0] * self.facts.game.num_players())

    def returns(self) -> list[float]:
        """Return the returns of all players so far."""
        found: list[float] = self.spiel.returns()
        return found

    def legal_actions(self) -> list[int]:
        """Return the numbers of the available actions."""
        found: list[int] = self.spiel.legal_actions()
        return found

    def action_text(self, player: int, number: int) -> str:
        """Return an action of ``player`` in words."""
        return str(self.spiel.action_to_string(int(player), number))

    def __reduce__(self) -> Any:
        """Pickle by OpenSpiel's text of the state, unless that loses what was dealt again."""
        facts, text = self.facts, self.spiel.serialize()
        if facts.hides and _read(facts.text, text).key() != self.key():
            raise ContractError(
                f"OpenSpiel cannot store this position of {facts.text}: its text stands for another deal"
            )
        return (_read, (facts.text, text))


@dataclass
class SeenPosition:
    """A player's knowledge of a position whose hidden information cannot be dealt again; the rules do not apply to it.

    Attributes:
        game: OpenSpiel's game string.
        known: the name of the information set.
        actions: the available actions in words, by number; none for a player who does not decide.
        scores: zeros, as returns may tell what is hidden.
    """

    game: str
    known: str
    actions: dict[int, str]
    scores: list[float]

    def key(self) -> tuple[object, ...]:
        """Return the knowledge as plain values."""
        return (self.known,)

    def known_to(self, _player: int) -> str:
        """Return the name of the information set."""
        return self.known

    def copy(self) -> SeenPosition:
        """Return the same object, which never changes."""
        return self

    def seen_by(self, _player: int, _rng: Rng) -> SeenPosition:
        """Return the same object."""
        return self

    def returns(self) -> list[float]:
        """Return zeros."""
        return self.scores

    def legal_actions(self) -> list[int]:
        """Return the numbers of the available actions."""
        return list(self.actions)

    def action_text(self, _player: int, number: int) -> str:
        """Return an available action in words."""
        return self.actions[number]

    @property
    def spiel(self) -> Any:
        """Refuse to be played on.

        Raises:
            ContractError: always.
        """
        raise ContractError(
            f"an observation of open_spiel:{self.game} cannot be played on; its hidden information cannot be dealt again"
        )


def _read(text: str, state: str) -> OpenSpielPosition:
    facts = facts_of(text)
    return OpenSpielPosition(facts, facts.game.deserialize_state(state))


class OpenSpielState(GameState):
    """A position of a game without hidden information."""

    __slots__ = ("is_team", "position")

    def __init__(self, n_players: int, position: OpenSpielPosition | SeenPosition, is_team: bool) -> None:
        """Take the position, and whether all players have the same returns."""
        super().__init__(n_players)
        self.position = position
        self.is_team = is_team

    def copy(self) -> OpenSpielState:
        other = type(self)(int(self.n_players), self.position.copy(), self.is_team)
        self.copy_to(other)
        return other

    def score(self, player: int) -> float:
        """Return OpenSpiel's return of ``player`` so far."""
        return float(self.position.returns()[player])

    def team(self, player: int) -> int:
        """Return the same team for all if they always have the same returns."""
        return 0 if self.is_team else int(player)

    def end(self) -> None:
        """End the game by returns; alone or as one team, players win if these are positive and lose if negative."""
        returns = self.position.returns()
        if len(returns) == 1 or self.is_team:
            self.end_for_all(WIN if returns[0] > 0 else LOSE if returns[0] < 0 else DRAW)
            return
        best = max(returns)
        first = WIN if returns.count(best) == 1 else DRAW
        self._end([first if value == best else LOSE for value in returns])

    def text(self, viewer: int) -> str:
        return str(self.position.spiel) or "(empty)"


class HiddenState(OpenSpielState):
    """A position of a game with hidden information; all is open once the game is over."""

    __slots__ = ()

    def knowledge(self, player: int) -> tuple[object, ...]:
        """Return the name of the information set; the turn is not counted twice."""
        if self.is_terminal:
            return self.snapshot()
        return (*self.basic_knowledge(player), self.position.known_to(player))

    def redeterminise(self, player: int, rng: Rng) -> None:
        """Let OpenSpiel deal again, or keep what the player knows."""
        if not self.is_terminal:
            self.position = self.position.seen_by(player, rng)

    def text(self, viewer: int) -> str:
        if viewer < 0 or self.is_terminal:
            return super().text(viewer)
        return self.position.known_to(viewer) or "(empty)"


class OpenSpielMove(Action[OpenSpielState]):
    """An action of OpenSpiel, by its number."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        """Take the number."""
        self.number = number

    def execute(self, state: OpenSpielState, rng: Rng) -> None:
        state.position.spiel.apply_action(self.number)

    def text(self, state: OpenSpielState, viewer: int) -> str:
        """Return OpenSpiel's text; in a game with hidden information only to the player who chooses."""
        player = int(state.current_player)
        if isinstance(state, HiddenState) and viewer not in (-1, player):
            return "a hidden choice"
        return state.position.action_text(player, self.number) or str(self)


class _OpenSpielMoves(dict[int, AnyAction]):
    """Moves by number, made when they are first asked for."""

    def __missing__(self, number: int) -> AnyAction:
        move = self[number] = interned(OpenSpielMove(number))
        return move


_MOVES: Final = _OpenSpielMoves()


class OpenSpielGame(ForwardModel[OpenSpielState]):
    """The rules of a game of OpenSpiel; a subclass for each game has its facts and type."""

    facts: Facts

    def __init__(self, parameters: Parameters | None = None) -> None:
        """Take no parameters: they are in OpenSpiel's game string."""
        super().__init__(parameters)
        self._state_class = HiddenState if self.facts.hides else OpenSpielState

    def vocabulary(self, n_players: int) -> Vocabulary:
        size = self.facts.game.num_distinct_actions()
        if size > _MOST_ACTIONS:
            return Vocabulary(is_declared=False)
        return Vocabulary(Actions(OpenSpielMove, number=range(size)))

    def _setup(self, n_players: int, rng: Rng) -> OpenSpielState:
        spiel = self.facts.game.new_initial_state()
        player = settled(spiel, rng)
        state = self._state_class(n_players, OpenSpielPosition(self.facts, spiel), self.facts.is_team)
        if player < 0:
            state.end()
        else:
            state.current_player = state.turn_player = state.first_player = player
        return state

    def _available_actions(self, state: OpenSpielState) -> list[AnyAction]:
        return [_MOVES[number] for number in state.position.legal_actions()]

    def random_action(self, state: OpenSpielState, rng: Rng) -> AnyAction:
        """Draw a number, without the objects of the others."""
        numbers = state.position.spiel.legal_actions()
        return _MOVES[numbers[rng.below(len(numbers))]]

    def rollout(self, state: OpenSpielState, depth: int, rng: Rng) -> int:
        """Play on in OpenSpiel's state alone."""
        if state.recording or state.is_terminal or depth <= 0:
            return int(super().rollout(state, depth, rng))
        spiel = state.position.spiel
        player = actor = int(state.current_player)
        played = 0
        while played < depth and player >= 0:
            numbers = spiel.legal_actions()
            actor = player
            spiel.apply_action(numbers[rng.below(len(numbers))])
            played += 1
            player = spiel.current_player()
            if player == CHANCE:
                player = settled(spiel, rng)
        if player >= 0:
            state.count_turns(played + 1, player)
            state.tick -= 1
        else:
            state.count_turns(played, actor)
            state.end()
        return played

    def _after_action(self, state: OpenSpielState, action: AnyAction, rng: Rng) -> None:
        spiel = state.position.spiel
        player = spiel.current_player()
        if player == CHANCE:
            player = settled(spiel, rng)
        if player < 0:
            state.end()
        else:
            self.give_turn(state, player)


@cache
def game_class_of(name: str) -> type[ForwardModel[Any]]:
    """Return the class of the rules of the spec ``open_spiel:NAME(parameters)``.

    Raises:
        UnknownNameError: OpenSpiel has no such game.
        ParameterError: its parameters are wrong, or the wrapper cannot play it.
    """
    facts = facts_of(name.removeprefix(OPEN_SPIEL))
    kind = facts.game.get_type()
    count = facts.game.num_players()
    declared = GameType(
        kind.long_name,
        count,
        count,
        categories=("cooperative",) if facts.is_team else (),
        version=installed_version(),
        hidden_information=facts.hides,
        determinises=facts.determinises,
        chance=facts.has_chance,
    )
    title = "".join([part.capitalize() for part in kind.short_name.split("_")])
    return type(title, (OpenSpielGame,), {"facts": facts, "game_type": declared, "__module__": __name__})
