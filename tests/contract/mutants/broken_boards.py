"""Backgammon, Catan and Stratego, broken in one way each.

The class attribute ``caught_by`` names the check that must see it.
"""

from __future__ import annotations

from dataclasses import replace

from broken_shipped import Copied, Remade

from tag import Event
from tag.games.boards.backgammon.rules import Backgammon
from tag.games.boards.backgammon.state import BackgammonState
from tag.games.boards.catan.rules import Catan
from tag.games.boards.catan.state import CatanState
from tag.games.boards.stratego.data import KIND, MOVED, NAMES, SETUP, SHOWN
from tag.games.boards.stratego.rules import Stratego
from tag.games.boards.stratego.state import StrategoState


class _State(Copied, BackgammonState):
    """One that is not broken."""


class _Backgammon(Remade, Backgammon):
    game_type = replace(Backgammon.game_type, check_parameters="cube=true,match=3")
    state_class = _State


class IntactBackgammon(_Backgammon):
    caught_by = ""


class _SharedState(_State):
    def copy(self):
        other = super().copy()
        other.black = self.black
        return other


class CopiesShareMen(_Backgammon):
    caught_by = "copy_independent"
    state_class = _SharedState


class AfterstatesForgetTheCube(_Backgammon):
    caught_by = "afterstates_equal"

    def afterstate(self, state, action):
        other = super().afterstate(state, action)
        other.cube = 1 if other.cube == 2 else other.cube
        return other


class RandomPlayersNeverDouble(_Backgammon):
    caught_by = "actions_random"

    def random_action(self, state, rng):
        if state.phase == 0:
            rng.below(2)
            return self.offers[0]
        return super().random_action(state, rng)


class OffersAPlayTwice(_Backgammon):
    caught_by = "actions_distinct"

    def _available_actions(self, state):
        actions = super()._available_actions(state)
        return [*actions, actions[0]] if len(actions) > 3 else actions


class _SilentState(_State):
    def announce(self, event):
        if event.name != "hit":
            super().announce(event)


class HitsAreNotAnnounced(_Backgammon):
    caught_by = "events_complete"
    state_class = _SilentState


class _FullState(_State):
    def cell_values(self):
        return bytes([*super().cell_values()[:-1], 16])


class CellsOverflow(_Backgammon):
    caught_by = "cells_in_range"
    state_class = _FullState


class _IslandState(Copied, CatanState):
    """One that is not broken."""


class _Catan(Remade, Catan):
    state_class = _IslandState


class IntactCatan(_Catan):
    caught_by = ""


class _SharingState(_IslandState):
    def copy(self):
        other = super().copy()
        other.roads = self.roads
        return other


class CopiesShareRoads(_Catan):
    caught_by = "copy_independent"
    state_class = _SharingState


class _OpenHandsState(_IslandState):
    def _deal_hands(self, player, rng):
        """Leave all hands as they are."""


class HandsAreNotDealtAgain(_Catan):
    caught_by = "observation_varies"
    game_type = replace(Catan.game_type, check_parameters="max_rounds=6,hand_limit=3,trading=none")
    state_class = _OpenHandsState


class _ForgottenHandState(_IslandState):
    def _deal_hands(self, player, rng):
        world = self.worlds[rng.below(len(self.worlds))]
        self.hands = [base + part for base, part in zip(self.base, world, strict=True)]


class ForgetsTheOwnHand(_Catan):
    caught_by = "observation_knowledge"
    state_class = _ForgottenHandState


class _OpenTheftState(_IslandState):
    def announce(self, event):
        if event.name == "stolen":
            super().announce(Event(event.name, event.player, 0.0, event.items, event.places, words=event.words))
        else:
            super().announce(event)


class AllSeeWhatIsStolen(_Catan):
    caught_by = "events_blind"
    state_class = _OpenTheftState


class _SilentIslandState(_IslandState):
    def announce(self, event):
        if event.name != "paid for":
            super().announce(event)


class CostsAreNotAnnounced(_Catan):
    caught_by = "events_complete"
    state_class = _SilentIslandState


class _OpenTextState(_IslandState):
    def _hand_text(self, seat, is_seen):
        return super()._hand_text(seat, True)


class TextsShowHands(_Catan):
    caught_by = "views_blind"
    state_class = _OpenTextState


class _StrategoIntactState(Copied, StrategoState):
    """One that is not broken."""


class _StrategoPlanned(Remade, Stratego):
    state_class = _StrategoIntactState


class _Stratego(_StrategoPlanned):
    """With a set-up by chance: from such the suite learns which pieces can change places."""

    game_type = replace(Stratego.game_type, check_parameters="variant=small,setup=drawn,max_moves=80")


class IntactStratego(_StrategoPlanned):
    caught_by = ""


class _StrategoKeptState(_StrategoIntactState):
    def _deal(self, owner, rng):
        """Leave all pieces as they are."""


class PiecesAreNotDealtAgain(_Stratego):
    caught_by = "observation_blind"
    state_class = _StrategoKeptState


class _StrategoWalkingBombsState(_StrategoIntactState):
    def _deal(self, owner, rng):
        moved = [place for place, cell in enumerate(self.board) if cell & MOVED]
        for place in moved:
            self.board[place] &= ~MOVED
        super()._deal(owner, rng)
        for place in moved:
            self.board[place] |= MOVED


class DealsBombsToWhatHasMoved(_Stratego):
    caught_by = "observation_knowledge"
    state_class = _StrategoWalkingBombsState


class _StrategoOpenPlansState(_StrategoIntactState):
    def _choose_again(self, owner, rng):
        """Leave the choices as they are."""


class PlansAreSeenWhenChosen(_StrategoPlanned):
    caught_by = "observation_blind"
    state_class = _StrategoOpenPlansState


class _StrategoOpenTextState(_StrategoIntactState):
    def _drawn(self, square, viewer):
        return super()._drawn(square, -1 if self.phase != SETUP else viewer)


class ShowsHiddenPieces(_Stratego):
    caught_by = "views_blind"
    state_class = _StrategoOpenTextState


class _StrategoForgottenFightState(_StrategoIntactState):
    def knowledge(self, player):
        known = self.board
        self.board = [cell & ~SHOWN if cell & KIND else cell for cell in known]
        found = super().knowledge(player)
        self.board = known
        return found


class ForgetsWhatWasShown(_Stratego):
    caught_by = "observation_blind"
    state_class = _StrategoForgottenFightState


class TellsWhatMoves(_Stratego):
    caught_by = "events_blind"

    def _after_action(self, state, action, rng):
        super()._after_action(state, action, rng)
        if state.phase != SETUP and hasattr(action, "target"):
            state.announce(Event("stepped", -1, 0.0, (NAMES[state.board[action.target] & KIND],)))


class SharesTheBoard(_Stratego):
    caught_by = "copy_independent"

    class _SharedState(_StrategoIntactState):
        def copy(self):
            other = super().copy()
            other.board = self.board
            return other

    state_class = _SharedState


class SetsUpBySeat(_StrategoPlanned):
    caught_by = "observation_actions"
    game_type = replace(Stratego.game_type, check_parameters="variant=tiny,setup=pieces")

    def _available_actions(self, state):
        found = super()._available_actions(state)
        if state.phase == SETUP and state.current_player == 1:
            others = [place for place in state.field().home(0) if state.board[place]]
            return found[sum(others) % 2 :] if len(found) > 1 else found
        return found
