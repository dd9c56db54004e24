"""Bots of The Resistance: one that reasons about fails only, and one that also reads votes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from mypy_extensions import i64, mypyc_attr

from tag import AnyAction, Parameters, RuleBot, bit_count, real
from tag.games.roles.resistance.actions import Assassinate, PlayMissionCard, Propose, Vote
from tag.games.roles.resistance.data import RESISTANCE
from tag.games.roles.resistance.state import ResistanceState
from tag.games.roles.resistance.values import FAIL_RATE, suspicions


@mypyc_attr(allow_interpreted_subclasses=True)
class Logical(RuleBot[ResistanceState]):
    """Rules out sets of spies by the fails of missions.

    In the resistance it proposes the team least likely to have a spy, with itself. It approves a team if none of its size is
    better, and the last one before the spies win. As a spy it proposes itself with others who are not spies, approves teams
    with spies, and always plays a fail. The Assassin names who has voted most rightly.

    Source: the bot LogicBot of J. Serrino and others, "Finding Friend and Foe in Multi-Agent Games" (2019), as described
    there, recalled: deduction by elimination. The choice of teams and the play of spies are our own.
    """

    def prepare(self, state: ResistanceState) -> None:
        """Compute who is suspected."""
        self.suspected = self.suspicions_of(state)
        self.is_spy = state.team(self.player) != RESISTANCE
        self.fellows: i64 = state.told_of(self.player) | 1 << self.player if self.is_spy else 0

    def suspicions_of(self, state: ResistanceState) -> list[float]:
        """Return how likely each player is a spy."""
        return suspicions(state, self.player, FAIL_RATE, 0.5)

    def worth(self, state: ResistanceState, action: AnyAction) -> float:
        """Weigh teams, votes, cards and targets."""
        if isinstance(action, Propose):
            return self._team(state, action.team)
        if isinstance(action, Vote):
            return 1.0 if action.approves == self._approves(state) else 0.0
        if isinstance(action, PlayMissionCard):
            return 1.0 if action.fails == self.plays_fail(state) else 0.0
        return self._insight(state, cast("Assassinate", action).target)

    def _team(self, state: ResistanceState, team: i64) -> float:
        """Prefer oneself and players who are not suspected; as a spy, no other spies."""
        own = 1.0 if team >> self.player & 1 else 0.0
        if self.is_spy:
            return 10.0 * own - float(bit_count(team & self.fellows)) - 0.01 * self._risk(state, team)
        return 0.5 * own - self._risk(state, team)

    def _risk(self, state: ResistanceState, team: i64) -> float:
        """Return how many spies are expected in a team."""
        risk = 0.0
        for seat in range(state.n_players):
            if team >> seat & 1:
                risk += self.suspected[seat]
        return risk

    def _approves(self, state: ResistanceState) -> bool:
        """Say whether the team is good enough."""
        if self.is_spy and self.votes_openly(state):
            return state.proposed & self.fellows != 0
        if state.rejected + 1 >= state.rules.rejections:
            return True
        size = bit_count(state.proposed)
        others = sorted([self.suspected[seat] for seat in range(state.n_players)])
        best = sum(others[:size])
        return self._risk(state, state.proposed) <= best + self.slack(state)

    def slack(self, state: ResistanceState) -> float:
        """Return by how many spies the team may be worse than the best one."""
        return 0.01

    def votes_openly(self, state: ResistanceState) -> bool:
        """Say whether the player, a spy, votes by who is a spy."""
        return True

    def plays_fail(self, state: ResistanceState) -> bool:
        """Say whether the player, a spy, makes the mission fail."""
        return True

    def _insight(self, state: ResistanceState, target: i64) -> float:
        """Return how often a player has approved teams without spies, and rejected others."""
        rightly = 0.0
        for place in range(len(state.teams)):
            is_clean = state.teams[place] & self.fellows == 0
            if (state.approvals[place] >> target & 1 == 1) == is_clean:
                rightly += 1.0
        return rightly


@dataclass
class SuspiciousParameters(Parameters):
    """How the bot reads votes, and bluffs."""

    fail_rate: float = real(0.9, 0.1, 0.95, "how often spies are taken to play fails")
    spy_vote: float = real(0.7, 0.5, 0.95, "how often spies outside a team are taken to vote for it by its spies")
    slack: float = real(0.1, 0.0, 1.0, "by how many spies more than in the best team a team is approved")


@mypyc_attr(allow_interpreted_subclasses=True)
class Suspicious(Logical):
    """Weighs votes, too: who outside a team approves it although it has spies is suspected.

    As a spy it votes as one would who knows nothing, but for teams with itself. Of several spies in a team the first one
    plays a fail, and the next ones only where more are needed. All else is as in ``logical``.

    Source: our own; to infer from votes by Bayes' rule is what DeepRole does (J. Serrino and others, 2019, recalled).
    """

    parameters_class = SuspiciousParameters

    def suspicions_of(self, state: ResistanceState) -> list[float]:
        """Return how likely each player is a spy, by fails and votes; as a spy, to one who knows nothing."""
        chosen = cast("SuspiciousParameters", self.parameters)
        viewer = state.n_players if state.team(self.player) != RESISTANCE else self.player
        return suspicions(state, viewer, chosen.fail_rate, chosen.spy_vote)

    def slack(self, state: ResistanceState) -> float:
        """Return by how many spies the team may be worse than the best one."""
        return cast("SuspiciousParameters", self.parameters).slack

    def votes_openly(self, state: ResistanceState) -> bool:
        """Say whether the player, a spy, is in the team."""
        return state.proposed >> self.player & 1 == 1

    def plays_fail(self, state: ResistanceState) -> bool:
        """Say whether too few spies with earlier seats are in the team."""
        earlier = state.proposed & self.fellows & ((1 << self.player) - 1)
        return bit_count(earlier) < state.fails_needed()
