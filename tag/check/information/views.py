"""Checks of views for people and learners, and of what the game type declares of information."""

from __future__ import annotations

from math import isfinite

from tag.check.evidence.values import difference, value_difference
from tag.check.report import shorten
from tag.check.subject import GameCheck, Position
from tag.engine.state import GameState
from tag.engine.values import Features
from tag.errors import ContractError


class ViewsBlind(GameCheck):
    """A learner or a person sees no more than the player."""

    text = "text, features and known teams of a player depend on nothing hidden from that player"

    def at(self, position: Position) -> None:
        state = position.state
        features = position.model.features()
        for player in position.players:
            views = _views(state, features, player)
            for seen in position.drawn(player)[:1]:
                self.cases += 1
                for name, view in _views(seen, features, player).items():
                    if view != views[name]:
                        text = value_difference(name, views[name], view)
                        raise ContractError(f"{name} shows player {player} what is hidden: in an observation {text}")


def _views(state: GameState, features: Features | None, player: int) -> dict[str, object]:
    found: dict[str, object] = {
        f"text({player})": tuple(state.text(player).splitlines()),
        f"known_team(…, {player})": tuple([int(state.known_team(other, player)) for other in range(state.n_players)]),
    }
    if features is not None:
        found[f"features({player})"] = tuple(
            zip(features.names(state.n_players), features.values(state, player), strict=False)
        )
    return found


class ViewsSteady(GameCheck):
    """Views have the same numbers in the same places for learners and words for people, and change nothing."""

    text = "features keep their names and length, are finite, and looking changes nothing"

    def __init__(self) -> None:
        super().__init__()
        self.names: dict[int, tuple[str, ...]] = {}

    def at(self, position: Position) -> None:
        state = position.state
        before = state.snapshot()
        self.cases += 1
        features = position.model.features()
        if features is not None:
            for player in position.players:
                self._check_features(features, state, player)
        self._look(position)
        if state.snapshot() != before:
            raise ContractError("computing features, texts or components changes the state")

    def _check_features(self, features: Features, state: GameState, player: int) -> None:
        names, values = tuple(features.names(state.n_players)), features.values(state, player)
        first = self.names.setdefault(int(state.n_players), names)
        if len(values) != len(names):
            raise ContractError(f"player {player} has {len(values)} values of {len(names)} features")
        if names != first or len(set(names)) < len(names):
            odd = sorted(set(names) ^ set(first)) or [name for name in names if names.count(name) > 1] or list(names)
            raise ContractError(f"the features have other names than at first, or some twice: {shorten(odd)}")
        if not all([isfinite(number) for number in values]):
            raise ContractError(f"features of player {player} are not finite numbers")

    def _look(self, position: Position) -> None:
        """Ask for all views for people and analysis."""
        state = position.state
        state.components()
        actions = position.model.available_actions(state)
        for viewer in (-1, *position.players):
            if not isinstance(state.text(viewer), str):
                raise ContractError(f"text({viewer}) is {shorten(state.text(viewer))}, not text")
            for action in actions:
                if not action.text(state, viewer):
                    raise ContractError(f"the text of {action!r} for viewer {viewer} is empty")


class InformationDeclared(GameCheck):
    """Games declared without hidden information have exact observations: search then never redeterminises."""

    text = "if the game type declares that nothing is hidden, observations are exact copies"
    untested = "the game type declares hidden information"

    def at(self, position: Position) -> None:
        if position.model.game_type.hidden_information:
            return
        state = position.state
        for player in position.players:
            self.cases += 1
            found = difference(state, state.observation(player, position.rng("declared")))
            if found:
                raise ContractError(f"hidden_information is declared False, but in an observation {found}")
