"""Backgammon, broken in one way each.

The class attribute ``caught_by`` names the check that must see it.
"""

from __future__ import annotations

from dataclasses import replace

from broken_shipped import Copied, Remade

from tag.games.boards.backgammon.rules import Backgammon
from tag.games.boards.backgammon.state import BackgammonState


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
