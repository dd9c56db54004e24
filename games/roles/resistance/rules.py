"""The rules of The Resistance: roles, teams, votes, missions, and the Assassin."""

from __future__ import annotations

from typing import Final, cast

from mypy_extensions import i64

from tag import AnyAction, Event, ForwardModel, GameType, Rng, Vocabulary, bit_count, bit_place, interned
from tag.engine.forward_model.game_type import SIMULTANEOUS
from tag.errors import ParameterError
from tag.games.roles.resistance.actions import Assassinate, PlayMissionCard, Propose, Vote, vocabulary
from tag.games.roles.resistance.data import (
    ASSASSIN,
    ASSASSINATE,
    MAX_PLAYERS,
    MERLIN,
    MIN_PLAYERS,
    MISSION,
    PERCIVAL,
    PROPOSE,
    RESISTANCE,
    ROLE_NAMES,
    SIDE_NAMES,
    SPIES,
    SPY,
    SUBSETS,
    VOTE,
    ResistanceParameters,
    bits_of,
    seat_names,
    seats_in,
)
from tag.games.roles.resistance.state import ResistanceState
from tag.games.roles.resistance.values import ResistanceFeatures, ResistanceHeuristic, ResistanceMetric

#: By number of players and size: all teams that can be proposed, each as an action.
_PROPOSALS: Final[list[list[list[AnyAction]]]] = [
    [[interned(Propose(team)) for team in teams] for teams in by_size] for by_size in SUBSETS
]
_VOTES: Final[list[AnyAction]] = [interned(Vote(False)), interned(Vote(True))]
_CARDS: Final[list[AnyAction]] = [interned(PlayMissionCard(False)), interned(PlayMissionCard(True))]
_TARGETS: Final[list[AnyAction]] = [interned(Assassinate(seat)) for seat in range(MAX_PLAYERS)]


class Resistance(ForwardModel[ResistanceState]):
    """The rules.

    >>> from tag import Rng, make_game
    >>> model = make_game("resistance")
    >>> state = model.setup(5, Rng(1))
    >>> [str(action) for action in model.available_actions(state)][:2]
    ['propose player 0 and player 1', 'propose player 0 and player 2']
    """

    game_type = GameType(
        "The Resistance",
        MIN_PLAYERS,
        MAX_PLAYERS,
        ResistanceParameters,
        categories=("deduction", "hidden roles", "partnerships"),
        mechanics=("voting", SIMULTANEOUS, "betting and bluffing", "hidden information"),
        chance=False,
        check_parameters="goal=2,rejections=2",
        heuristic=ResistanceHeuristic,
        features=ResistanceFeatures,
        metric=ResistanceMetric,
        sides=SIDE_NAMES,
    )

    def __init__(self, parameters: ResistanceParameters | None = None) -> None:
        super().__init__(parameters)
        self.rules = cast("ResistanceParameters", self.parameters)
        self.sizes: list[list[int]] = [
            self.rules.sizes(max(players, MIN_PLAYERS)) for players in range(MAX_PLAYERS + 1)
        ]
        self.goal: i64 = self.rules.goal
        self.limit: i64 = self.rules.rejections
        self.has_merlin = self.rules.merlin

    def vocabulary(self, n_players: i64) -> Vocabulary:
        return vocabulary(self.rules, n_players)

    def check_players(self, n_players: i64) -> None:
        """Reject numbers of players with which there are not seats for all roles.

        Raises:
            PlayersError: the game cannot seat so many.
            ParameterError: there are more spies with a name than spies, or no two players are left for the resistance.
        """
        super().check_players(n_players)
        spies = self.rules.n_spies(int(n_players))
        evil = len(self.rules.evil())
        if evil > spies:
            names = ", ".join([ROLE_NAMES[role] for role in self.rules.evil()])
            raise ParameterError(
                f"{names} cannot all be among {spies} spies, the number with {n_players} players; see spies={evil}"
            )
        most = n_players - 2
        if spies > most:
            raise ParameterError(f"spies cannot be {spies} with {n_players} players; the nearest number is {most}")

    def _setup(self, n_players: i64, rng: Rng) -> ResistanceState:
        roles = self.rules.roles(int(n_players))
        rng.shuffle(roles)
        state = ResistanceState(self.rules, tuple(roles), bits_of([role >= SPY for role in roles]))
        state.leader = rng.below(n_players)
        state.first_player = state.leader
        state.turn_player = state.leader
        state.current_player = state.leader
        return state

    def announce_setup(self, state: ResistanceState) -> None:
        """Announce each role to its player, and what the role is told."""
        for seat in range(state.n_players):
            role = state.roles[seat]
            only: i64 = 1 << seat
            places = (f"role of {seat}", f"side of {seat}")
            state.announce(Event("dealt", seat, 0.0, (ROLE_NAMES[role],), places, back="role", seen_by=only))
            told = state.told_of(seat) & ~only
            if told:
                names = tuple([f"player {one}" for one in seats_in(told)])
                who = "Merlin" if not self.rules.morgana else "Merlin or Morgana"
                words = "{player} is told of " + (f"{who}: " if role == PERCIVAL else "spies: ") + "{items}"
                sides = () if role == PERCIVAL else tuple([f"side of {one}" for one in seats_in(told)])
                state.announce(Event("told", seat, 0.0, names, sides, words=words, told_to=only))

    def _available_actions(self, state: ResistanceState) -> list[AnyAction]:
        if state.phase == VOTE:
            return _VOTES[:]
        if state.phase == PROPOSE:
            return self._proposals(state)[:]
        if state.phase == MISSION:
            return _CARDS[:] if state.spies >> state.current_player & 1 else _CARDS[:1]
        known = state.told_of(state.current_player)
        return [_TARGETS[seat] for seat in range(state.n_players) if known >> seat & 1 == 0]

    def random_action(self, state: ResistanceState, rng: Rng) -> AnyAction:
        """Choose without a list."""
        if state.phase == VOTE:
            return _VOTES[rng.below(2)]
        if state.phase == PROPOSE:
            teams = self._proposals(state)
            return teams[rng.below(len(teams))]
        if state.phase == MISSION:
            return _CARDS[rng.below(2 if state.spies >> state.current_player & 1 else 1)]
        actions = self._available_actions(state)
        return actions[rng.below(len(actions))]

    def _proposals(self, state: ResistanceState) -> list[AnyAction]:
        """Return all teams of the size that this mission needs."""
        return _PROPOSALS[state.n_players][self.sizes[state.n_players][state.round]]

    def _after_action(self, state: ResistanceState, action: AnyAction, rng: Rng) -> None:
        if state.phase == PROPOSE:
            state.phase = VOTE
            self.give_turn(state, state.leader)
        elif state.phase == VOTE:
            if bit_count(state.asked) < state.n_players:
                self.end_player_turn(state)
            else:
                self._count_votes(state)
        elif state.phase == MISSION:
            left = state.proposed & ~state.asked
            if left:
                self.give_turn(state, bit_place(left, 0, 1))
            else:
                self._end_mission(state, rng)
        else:
            self._end_by_assassin(state, cast("Assassinate", action).target)

    def _count_votes(self, state: ResistanceState) -> None:
        """Show the votes; the team goes on its mission if more than half approve. The next player leads."""
        approvals = state.choices
        is_approved = 2 * bit_count(approvals) > state.n_players
        state.leaders = (*state.leaders, int(state.leader))
        state.teams = (*state.teams, int(state.proposed))
        state.approvals = (*state.approvals, int(approvals))
        state.vote_missions = (*state.vote_missions, int(state.round))
        state.asked = 0
        state.choices = 0
        state.leader = (state.leader + 1) % state.n_players
        state.rejected = 0 if is_approved else state.rejected + 1
        if state.recording:
            self._announce_votes(state, approvals, is_approved)
        if is_approved:
            state.phase = MISSION
            self.give_turn(state, bit_place(state.proposed, 0, 1))
            return
        state.proposed = 0
        if state.rejected == self.limit:
            self._end(state, SPIES, f"{state.rejected} teams were rejected")
        else:
            state.phase = PROPOSE
            self.give_turn(state, state.leader)

    def _announce_votes(self, state: ResistanceState, approvals: i64, is_approved: bool) -> None:
        cards = tuple([f"card of {seat}" for seat in range(state.n_players)])
        places = (*cards, "rejected", "leader", "team")
        items = tuple([f"player {seat}" for seat in seats_in(approvals)])
        words = f"the team is {'approved' if is_approved else 'rejected'}, with votes for it by {seat_names(approvals)}"
        state.announce(Event("team approved" if is_approved else "team rejected", -1, 0.0, items, places, words=words))

    def _end_mission(self, state: ResistanceState, rng: Rng) -> None:
        """Count the fails; a side wins, the Assassin names a player, or the next mission begins."""
        fails = bit_count(state.choices)
        needed = state.fails_needed()
        bit: i64 = 1 << state.round
        if fails >= needed:
            state.lost |= bit
        if state.recording:
            self._announce_mission(state, fails, fails >= needed)
        state.missions = (*state.missions, int(state.proposed))
        state.fails = (*state.fails, int(fails))
        state.failers = (*state.failers, int(state.choices))
        state.proposed = 0
        state.asked = 0
        state.choices = 0
        state.phase = PROPOSE
        self.end_round(state, state.leader, rng)
        lost = bit_count(state.lost)
        if lost == self.goal:
            self._end(state, SPIES, f"{lost} missions have failed")
        elif state.round - lost == self.goal:
            if self.has_merlin:
                state.phase = ASSASSINATE
                self.give_turn(state, bit_place(state.seats_of(ASSASSIN), 0, 1))
            else:
                self._end(state, RESISTANCE, f"{state.round - lost} missions have succeeded")

    def _announce_mission(self, state: ResistanceState, fails: i64, has_failed: bool) -> None:
        number = state.round + 1
        cards = tuple([f"card of {seat}" for seat in seats_in(state.proposed)])
        places = (*cards, "team", f"mission {number}", f"fails of mission {number}")
        words = f"mission {number} {'fails' if has_failed else 'succeeds'}"
        reason = f"{fails} fail{'s' if fails != 1 else ''}"
        state.announce(Event("mission", -1, float(fails), (), places, reason, words))

    def _end_by_assassin(self, state: ResistanceState, target: i64) -> None:
        """End the game by the player whom the Assassin has named."""
        is_merlin = state.roles[target] == MERLIN
        self._end(state, SPIES if is_merlin else RESISTANCE, f"player {target} is {'' if is_merlin else 'not '}Merlin")

    def _end(self, state: ResistanceState, side: i64, reason: str) -> None:
        """Have a side win, and show all roles."""
        winners = state.spies if side == SPIES else ~state.spies
        state.end_with_winner(bit_place(winners, 0, 1))
        if state.recording:
            for seat in range(state.n_players):
                items = (ROLE_NAMES[state.roles[seat]],)
                places = (f"role of {seat}", f"side of {seat}")
                state.announce(Event("revealed", seat, 0.0, items, places, words="{player} was {items}"))
            words = f"the {'spies win' if side == SPIES else 'resistance wins'}"
            state.announce(Event("won", -1, float(side), (), (), reason, words))
