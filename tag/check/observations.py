"""Checks of observations: what they keep."""

from __future__ import annotations

from math import isfinite

from tag.check.game_check import GameCheck, Position
from tag.check.leaves import difference
from tag.check.report import shorten
from tag.errors import ContractError
from tag.state import GameState

#: How many observations each player draws at a position.
_DRAWN = 2


def observations(position: Position, player: int) -> list[GameState]:
    """Return a few observations of ``player``."""
    rng = position.rng(f"observation {player}")
    return [position.state.observation(player, rng) for _drawn in range(_DRAWN)]


class ObservationKnowledge(GameCheck):
    """Nothing that a player knows gets lost or becomes false."""

    name = "observation_knowledge"
    text = "an observation keeps all that its player knows"

    def at(self, position: Position) -> None:
        """Compare the knowledge."""
        state = position.state
        for player in range(state.n_players):
            known = state.knowledge(player)
            for seen in observations(position, player):
                if seen.knowledge(player) != known:
                    raise ContractError(f"knowledge({player}) changes: {_first_change(state, seen, player)}")


def _first_change(state: GameState, seen: GameState, player: int) -> str:
    before, after = state.knowledge(player), seen.knowledge(player)
    if before == state.snapshot():
        return f"it is the whole position, and {difference(state, seen)}; implement knowledge for what is hidden"
    return f"{shorten(before)} becomes {shorten(after)}"


class ObservationActions(GameCheck):
    """An agent chooses in an observation, and the choice is played in the game."""

    name = "observation_actions"
    text = "the available actions of the player to move depend on nothing hidden from that player"

    def at(self, position: Position) -> None:
        """Compare the actions."""
        model, state = position.model, position.state
        player = state.current_player
        actions = model.available_actions(state)
        for seen in observations(position, player):
            found = model.available_actions(seen)
            if found != actions:
                raise ContractError(
                    f"player {player} can choose between {shorten(actions)}, in an observation {shorten(found)}"
                )


class ObservationEnd(GameCheck):
    """Redeterminising deals cards, it decides no games."""

    name = "observation_end"
    text = "an observation keeps turn, end, results, scores and places, and drops the history"

    def at(self, position: Position) -> None:
        """Compare them one by one."""
        state = position.state
        before = _standing(state)
        for player in range(state.n_players):
            for seen in observations(position, player):
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


class ViewsBlind(GameCheck):
    """A learner or a person sees no more than the player."""

    name = "views_blind"
    text = "text, features and observation vector of a player depend on nothing hidden from that player"

    def at(self, position: Position) -> None:
        """Compare them between the position and observations of it."""
        state = position.state
        for player in range(state.n_players):
            text, features = state.text(player), state.features(player)
            vector = state.observation_vector(player)
            for seen in observations(position, player):
                if seen.text(player) != text:
                    raise ContractError(f"text({player}) shows what is hidden: {shorten(text)}")
                if seen.features(player) != features:
                    raise ContractError(f"features({player}) tell what is hidden: {_changed(features, seen, player)}")
                if seen.observation_vector(player) != vector:
                    raise ContractError(f"observation_vector({player}) tells what is hidden: {shorten(vector)}")


def _changed(features: dict[str, float], seen: GameState, player: int) -> str:
    after = seen.features(player)
    return ", ".join([name for name, value in features.items() if after.get(name) != value])


class ViewsSteady(GameCheck):
    """A learner needs the same numbers in the same places; a person needs words; nobody's look may change anything."""

    name = "views_steady"
    text = "features and vectors keep their names and length, are finite, and looking changes nothing"

    def __init__(self) -> None:
        super().__init__()
        self.shapes: dict[int, tuple[list[str], int]] = {}

    def at(self, position: Position) -> None:
        """Compare the shape with that of the first position with as many players."""
        state = position.state
        before = state.snapshot()
        for player in range(state.n_players):
            features, vector = state.features(player), state.observation_vector(player)
            shape = (list(features), len(vector))
            first = self.shapes.setdefault(int(state.n_players), shape)
            if shape != first:
                raise ContractError(
                    f"names and length are {shorten(shape)}, those of the first position {shorten(first)}"
                )
            if not all([isfinite(number) for number in [*features.values(), *vector]]):
                raise ContractError(f"features or vector of player {player} are not finite numbers")
        self._look(position)
        if state.snapshot() != before:
            raise ContractError("computing features, texts or components changes the state")

    def _look(self, position: Position) -> None:
        """Ask for everything that is made for people and analysis."""
        state = position.state
        state.components()
        actions = position.model.available_actions(state)
        for viewer in range(-1, state.n_players):
            if not isinstance(state.text(viewer), str):
                raise ContractError(f"text({viewer}) is {shorten(state.text(viewer))}, not text")
            for action in actions:
                if not action.text(state, viewer):
                    raise ContractError(f"the text of {action!r} for viewer {viewer} is empty")
