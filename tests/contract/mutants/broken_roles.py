"""The Resistance, broken in one way each.

The class attribute ``caught_by`` names the check that must see it.
"""

from __future__ import annotations

from broken_shipped import Copied, Remade

from tag import Event
from tag.games.roles.resistance.data import MISSION
from tag.games.roles.resistance.rules import Resistance
from tag.games.roles.resistance.state import ResistanceState


class _IntactState(Copied, ResistanceState):
    """One that is not broken."""


class _Resistance(Remade, Resistance):
    state_class = _IntactState


class IntactResistance(_Resistance):
    caught_by = ""


class _KeptState(_IntactState):
    def redeterminise(self, player, rng):
        """Leave all roles as they are."""


class RolesAreNotDealtAgain(_Resistance):
    caught_by = "observation_blind"
    state_class = _KeptState


class _ForgetfulState(_IntactState):
    def explains(self, spies, own):
        return True

    def knowledge(self, player):
        return (super().knowledge(player), ResistanceState.explains(self, self.spies, 1 << player))

    def _dealt_failers(self, place, spies, own, rng):
        return self.failers[place]


class DealsRolesAgainstTheFails(_Resistance):
    caught_by = "observation_knowledge"
    state_class = _ForgetfulState


class _OpenTeamsState(_IntactState):
    def known_team(self, player, viewer):
        return self.team(player)

    def _known(self, seat, viewer):
        return "unknown"


class ShowsTheTeamsDealt(_Resistance):
    caught_by = "views_blind"
    state_class = _OpenTeamsState


class _OpenVotesState(_IntactState):
    def redeterminise(self, player, rng):
        choices = self.choices
        super().redeterminise(player, rng)
        if self.phase != MISSION:
            self.choices = choices


class VotesAreSeenWhenCast(_Resistance):
    caught_by = "observation_blind"
    state_class = _OpenVotesState


class _LoyalFailsState(_IntactState):
    def redeterminise(self, player, rng):
        super().redeterminise(player, rng)
        if self.phase == MISSION:
            own = 1 << player
            self.choices = self.choices & own | self.asked & ~own & rng.below(1 << self.n_players)


class DealsFailsToTheResistance(_Resistance):
    caught_by = "observation_knowledge"
    state_class = _LoyalFailsState


class _FirstSpiesState(_IntactState):
    def possible(self, viewer):
        sets = super().possible(viewer)
        return [*sets, *sets[:1], *sets[:1]]


class DealsSomeSpiesMoreOften(_Resistance):
    caught_by = "observation_fair"
    state_class = _FirstSpiesState


class TellsTheSpiesInATeam(_Resistance):
    caught_by = "events_blind"

    def _announce_votes(self, state, approvals, is_approved):
        super()._announce_votes(state, approvals, is_approved)
        state.announce(Event("spies", -1, float(state.proposed & state.spies)))
