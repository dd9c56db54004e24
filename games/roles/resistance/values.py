"""The features, the heuristic and the metric of The Resistance, and how likely each player is a spy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, cast

from mypy_extensions import i64

from tag import Features, GameState, JointHeuristic, Metric, Parameters, bit_count, real
from tag.engine.results import WIN
from tag.games.roles.resistance.data import ASSASSINATE, MISSION, PROPOSE, ROLE_NAMES, VOTE, seats_in
from tag.games.roles.resistance.state import ResistanceState
from tag.playing.metrics import share

#: How often a spy in a team is taken to play a fail, and to approve a team with a spy rather than another.
FAIL_RATE: Final = 0.75
SPY_VOTE: Final = 0.6
#: The viewer who has no seat and no role.
_NOBODY: Final = 10


def suspicions(table: ResistanceState, viewer: i64, fail_rate: float, spy_vote: float) -> list[float]:
    """Return how likely each player is a spy, as far as ``viewer`` can tell, by Bayes' rule.

    Each set of spies that fits what the viewer is certain of (`ResistanceState.possible`) is weighed by how likely it makes
    the fails and the votes that all have seen. The members of a team are left out of its votes, as most approve it.

    Args:
        table: the position.
        viewer: a player, or one without a seat.
        fail_rate: the probability that a spy in a team plays a fail.
        spy_vote: the probability that a spy approves a team with spies, and rejects one without; 0.5 ignores votes.
    """
    found = [0.0] * int(table.n_players)
    total = 0.0
    for candidate in table.possible(viewer):
        spies: i64 = candidate
        weight = likelihood(table, spies, fail_rate, spy_vote)
        total += weight
        for seat in range(table.n_players):
            if spies >> seat & 1:
                found[seat] += weight
    return [part / total if total > 0.0 else 0.0 for part in found]


def likelihood(table: ResistanceState, spies: i64, fail_rate: float, spy_vote: float) -> float:
    """Return how likely these spies make the fails and votes so far, up to a factor."""
    weight = 1.0
    for place in range(len(table.missions)):
        mission: i64 = table.missions[place]
        fails: i64 = table.fails[place]
        there = bit_count(spies & mission)
        for fail in range(there):
            if fail < fails:
                weight *= fail_rate * float(there - fail) / float(fail + 1)
            else:
                weight *= 1.0 - fail_rate
    if spy_vote != 0.5:
        for place in range(len(table.teams)):
            team: i64 = table.teams[place]
            approvals: i64 = table.approvals[place]
            voters = spies & ~team
            with_spy = approvals if spies & team else ~approvals
            for _vote in range(bit_count(voters & with_spy)):
                weight *= 2.0 * spy_vote
            for _vote in range(bit_count(voters & ~with_spy)):
                weight *= 2.0 * (1.0 - spy_vote)
    return weight


class ResistanceFeatures(Features):
    """The own role, missions and votes, the proposed team, and what the player knows and suspects of each other player."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return the names of the features; of players 0 is oneself, 1 the next seat, and so on."""
        found = ["mission", "won", "lost", "rejected", "needed", "proposing", "voting", "on_mission", "assassinating"]
        found += [f"role_{name.lower()}" for name in ROLE_NAMES]
        for offset in range(n_players):
            found += [f"{what}_{offset}" for what in ("leads", "in_team", "suspicion", "told", "sent", "failed")]
            found += [f"approved_{offset}", f"approved_lost_{offset}"]
        return (*found, "chosen")

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features; ``sent`` and ``failed`` count missions, and those lost, on which a player was."""
        table = cast("ResistanceState", state)
        lost = bit_count(table.lost)
        found = [float(table.round), float(table.round - lost), float(lost), float(table.rejected)]
        found.append(float(table.rules.sizes(int(table.n_players))[min(table.round, 4)]))
        for phase in (PROPOSE, VOTE, MISSION, ASSASSINATE):
            found.append(float(table.phase == phase))
        for role in range(len(ROLE_NAMES)):
            found.append(float(table.roles[player] == role))
        suspected = suspicions(table, player, FAIL_RATE, 0.5)
        told = table.told_of(player)
        for offset in range(table.n_players):
            seat = (player + offset) % table.n_players
            found += [float(seat == table.leader), float(table.proposed >> seat & 1), suspected[seat]]
            found.append(float(told >> seat & 1))
            sent, failed = 0, 0
            for place, mission in enumerate(table.missions):
                if mission >> seat & 1:
                    sent += 1
                    failed += bool(table.lost >> place & 1)
            approved, wrong = 0, 0
            for place, approvals in enumerate(table.approvals):
                if approvals >> seat & 1:
                    approved += 1
                    wrong += self._is_lost(table, place)
            found += [float(sent), float(failed), float(approved), float(wrong)]
        own: i64 = 1 << player
        chosen = 1.0 if table.choices & own else -1.0
        return [*found, chosen if table.asked & own else 0.0]

    def _is_lost(self, table: ResistanceState, place: i64) -> bool:
        """Say whether the team of a vote was sent, and its mission failed."""
        mission = table.vote_missions[place]
        return (
            mission < len(table.missions)
            and table.missions[mission] == table.teams[place]
            and (table.lost >> mission & 1 == 1)
        )


@dataclass
class ResistanceHeuristicParameters(Parameters):
    """The weights of `ResistanceHeuristic`."""

    missions: float = real(0.6, 0.0, 1.0, "weight of the missions won less those lost, per mission needed")
    suspicion: float = real(0.3, 0.0, 1.0, "weight of how far the spies are suspected by one without a role")
    rejections: float = real(0.1, 0.0, 1.0, "weight of the teams rejected in a row, of all that the spies need")
    fail_rate: float = real(FAIL_RATE, 0.05, 0.95, "how often spies are taken to play fails")
    spy_vote: float = real(
        SPY_VOTE, 0.5, 0.95, "how often spies are taken to vote for teams with spies; 0.5 ignores votes"
    )


class ResistanceHeuristic(JointHeuristic):
    """Missions won and lost, rejected teams, and how far all suspect the spies rather than others.

    Suspicion is the mean probability of a true spy to be one, by what is open (`suspicions`), less that of all players.
    """

    parameters_class = ResistanceHeuristicParameters

    def __init__(self, parameters: ResistanceHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        weights = cast("ResistanceHeuristicParameters", self.parameters)
        self.missions = weights.missions
        self.suspicion = weights.suspicion
        self.rejections = weights.rejections
        self.fail_rate = weights.fail_rate
        self.spy_vote = weights.spy_vote

    def _value_players(self, state: GameState, values: list[float]) -> None:
        table = cast("ResistanceState", state)
        lost = bit_count(table.lost)
        ahead = self.missions * float(table.round - 2 * lost) / float(table.rules.goal)
        ahead -= self.rejections * float(table.rejected) / float(table.rules.rejections)
        if self.suspicion > 0.0 and table.phase != ASSASSINATE:
            suspected = suspicions(table, _NOBODY, self.fail_rate, self.spy_vote)
            number = bit_count(table.spies)
            for seat in range(table.n_players):
                if table.spies >> seat & 1:
                    ahead += self.suspicion * suspected[seat] / float(number)
            ahead -= self.suspicion * float(number) / float(table.n_players)
        for player in range(table.n_players):
            values[player] = -ahead if table.spies >> player & 1 else ahead


class ResistanceMetric(Metric):
    """Measures which side wins and how, votes, and missions."""

    measures: ClassVar[dict[str, str]] = {
        "spies_win": "share of games that the spies win",
        "by_rejections": "share of games that the spies win by rejected teams",
        "by_assassin": "share of games in which the Assassin finds Merlin",
        "missions": "missions of a game",
        "approved": "share of proposed teams that are approved",
        "clean_teams": "share of teams on missions that have no spy",
        "fails": "fails in a mission with spies, mean",
    }

    def on_end(self, state: GameState) -> None:
        """Look back at the whole game: it is all in the last position."""
        table = cast("ResistanceState", state)
        counts = self.counts
        spies = table.spies
        spy = seats_in(spies)[0]
        counts["spies win"] = int(table.result(spy) == WIN)
        counts["rejections"] = int(table.rejected >= table.rules.rejections)
        counts["assassin"] = int(counts["spies win"] and table.phase == ASSASSINATE)
        counts["votes"] = len(table.teams)
        counts["missions"] = len(table.missions)
        counts["clean"] = sum([spies & mission == 0 for mission in table.missions])
        counts["fails"] = sum(table.fails)
        counts["sent"] = counts["missions"] + int(table.phase == MISSION)

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        return {
            "spies_win": [float(counts["spies win"])],
            "by_rejections": [float(counts["rejections"])],
            "by_assassin": [float(counts["assassin"])],
            "missions": [float(counts["missions"])],
            "approved": share(counts["sent"], counts["votes"]),
            "clean_teams": share(counts["clean"], counts["missions"]),
            "fails": share(counts["fails"], counts["missions"] - counts["clean"]),
        }
