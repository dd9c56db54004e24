"""Checks of observations at a position: what they keep, and what they share with it."""

from __future__ import annotations

from tag.check.evidence.mutable import Truth
from tag.check.evidence.places import places, put, value_at
from tag.check.evidence.values import difference, value_difference
from tag.check.report import shorten
from tag.check.subject import GameCheck, Position
from tag.engine.state import GameState
from tag.errors import ContractError


class ObservationKnowledge(GameCheck):
    """Nothing that a player knows gets lost or becomes false."""

    text = "an observation keeps all that its player knows, as a hashable value"

    def at(self, position: Position) -> None:
        state = position.state
        for player in position.players:
            known = state.knowledge(player)
            self.cases += 1
            try:
                hash(known)
            except TypeError as error:
                raise ContractError(f"knowledge({player}) cannot be hashed: {error}; make it of tuples") from None
            for seen in position.drawn(player):
                if seen.knowledge(player) != known:
                    raise ContractError(_lost(state, seen, player))


def _lost(state: GameState, seen: GameState, player: int) -> str:
    """Return the part of a player's knowledge that an observation changed: the field, if it is one value."""
    before, after = state.knowledge(player), seen.knowledge(player)
    if before == state.snapshot():
        return (
            f"knowledge({player}) is the whole position, and in an observation {difference(state, seen)}; "
            "implement knowledge for what is hidden"
        )
    text = f"in an observation of player {player}, {value_difference(f'knowledge({player})', before, after)}"
    culprit = _culprit(state, seen, player)
    return f"{text}, because {culprit}" if culprit else text


def _culprit(state: GameState, seen: GameState, player: int) -> str:
    """Return the first difference that changes the player's knowledge by itself, as text, or nothing."""
    theirs = places(seen)
    named = [text for text in [difference(state, seen)] if text]
    for path, value in places(state).items():
        if path in theirs and theirs[path] != value:
            try:
                changed = state.copy()
                put(changed, path, value_at(seen, path))
                if changed.knowledge(player) != state.knowledge(player):
                    return difference(state, changed)
            except Exception:  # noqa: BLE001  half of a change may be nonsense to the game
                return named[0]
    return named[0] if named else ""


class ObservationDetached(GameCheck):
    """An agent may change its observation in any way; the true game must not change by it."""

    text = "an observation reaches no mutable object of the true game: state, rules, parameters, tables"

    def __init__(self) -> None:
        super().__init__()
        self.truth: Truth | None = None

    def at(self, position: Position) -> None:
        state = position.state
        self.truth = self.truth or Truth(state, position.model)
        rng = position.rng("detached")
        player = rng.below(state.n_players)
        self.cases += 1
        found = self.truth.held_by(state.observation(player, rng), state)
        if found:
            raise ContractError(f"an observation of player {player} holds {found}")


class ObservationActions(GameCheck):
    """An agent chooses in an observation, and the choice is played in the game."""

    text = "the available actions of the player to move depend on nothing hidden from that player"

    def at(self, position: Position) -> None:
        model, state = position.model, position.state
        player = state.current_player
        actions = model.available_actions(state)
        for seen in position.drawn(player):
            found = model.available_actions(seen)
            self.cases += 1
            if found != actions:
                text = value_difference("available_actions", tuple(actions), tuple(found))
                if len(found) != len(actions):
                    odd = [action for action in [*actions, *found] if (action in actions) != (action in found)]
                    text = f"there are {len(found)} actions instead of {len(actions)}; {shorten(odd, 80)} differ"
                raise ContractError(f"in an observation of player {player}, who is to move, {text}")


class ObservationEnd(GameCheck):
    """Redeterminising deals cards, it decides no games."""

    text = "an observation keeps turn, end, results, scores and places, and drops the history"

    def at(self, position: Position) -> None:
        state = position.state
        before = _standing(state)
        for player in position.players:
            for seen in position.drawn(player):
                self.cases += 1
                after = _standing(seen)
                for name, value in before.items():
                    if after[name] != value:
                        raise ContractError(f"{name}: {value} becomes {after[name]} in an observation of {player}")
                if seen.history is not None:
                    raise ContractError(f"an observation of player {player} holds the history, with hidden actions")
                if seen.recording:
                    raise ContractError(f"an observation of player {player} goes on recording")


def _standing(state: GameState) -> dict[str, object]:
    players = range(state.n_players)
    return {
        "n_players": state.n_players,
        "current_player": state.current_player,
        "turn_player": state.turn_player,
        "tick": state.tick,
        "turn": state.turn,
        "round": state.round,
        "is_terminal": state.is_terminal,
        "results": [state.result(player) for player in players],
        "scores": [state.score(player) for player in players],
        "ordinals": [state.ordinal(player) for player in players],
    }
