"""Stratego, broken in one way each.

The class attribute ``caught_by`` names the check that must see it.
"""

from __future__ import annotations

from dataclasses import replace

from broken_shipped import Copied, Remade

from tag import Event
from tag.games.boards.stratego.data import KIND, MOVED, NAMES, SETUP, SHOWN
from tag.games.boards.stratego.rules import Stratego
from tag.games.boards.stratego.state import StrategoState


class _IntactState(Copied, StrategoState):
    """One that is not broken."""


class _Planned(Remade, Stratego):
    state_class = _IntactState


class _Stratego(_Planned):
    """With a set-up by chance: from such the suite learns which pieces can change places."""

    game_type = replace(Stratego.game_type, check_parameters="variant=small,setup=drawn,max_moves=80")


class IntactStratego(_Planned):
    caught_by = ""


class _KeptState(_IntactState):
    def _deal(self, owner, rng):
        """Leave all pieces as they are."""


class PiecesAreNotDealtAgain(_Stratego):
    caught_by = "observation_blind"
    state_class = _KeptState


class _WalkingBombsState(_IntactState):
    def _deal(self, owner, rng):
        moved = [place for place, cell in enumerate(self.board) if cell & MOVED]
        for place in moved:
            self.board[place] &= ~MOVED
        super()._deal(owner, rng)
        for place in moved:
            self.board[place] |= MOVED


class DealsBombsToWhatHasMoved(_Stratego):
    caught_by = "observation_knowledge"
    state_class = _WalkingBombsState


class _OpenPlansState(_IntactState):
    def _choose_again(self, owner, rng):
        """Leave the choices as they are."""


class PlansAreSeenWhenChosen(_Planned):
    caught_by = "observation_blind"
    state_class = _OpenPlansState


class _OpenTextState(_IntactState):
    def _drawn(self, square, viewer):
        return super()._drawn(square, -1 if self.phase != SETUP else viewer)


class ShowsHiddenPieces(_Stratego):
    caught_by = "views_blind"
    state_class = _OpenTextState


class _ForgottenFightState(_IntactState):
    def knowledge(self, player):
        known = self.board
        self.board = [cell & ~SHOWN if cell & KIND else cell for cell in known]
        found = super().knowledge(player)
        self.board = known
        return found


class ForgetsWhatWasShown(_Stratego):
    caught_by = "observation_blind"
    state_class = _ForgottenFightState


class TellsWhatMoves(_Stratego):
    caught_by = "events_blind"

    def _after_action(self, state, action, rng):
        super()._after_action(state, action, rng)
        if state.phase != SETUP and hasattr(action, "target"):
            state.announce(Event("stepped", -1, 0.0, (NAMES[state.board[action.target] & KIND],)))


class SharesTheBoard(_Stratego):
    caught_by = "copy_independent"

    class _SharedState(_IntactState):
        def copy(self):
            other = super().copy()
            other.board = self.board
            return other

    state_class = _SharedState


class SetsUpBySeat(_Planned):
    caught_by = "observation_actions"
    game_type = replace(Stratego.game_type, check_parameters="variant=tiny,setup=pieces")

    def _available_actions(self, state):
        found = super()._available_actions(state)
        if state.phase == SETUP and state.current_player == 1:
            others = [place for place in state.field().home(0) if state.board[place]]
            return found[sum(others) % 2 :] if len(found) > 1 else found
        return found
