"""The state of The Resistance: roles, the proposed team, secret votes and mission cards, and what all have seen."""

from __future__ import annotations

from collections.abc import Hashable

from mypy_extensions import i64, mypyc_attr

from tag import GameState, Rng, bit_count, bit_place
from tag.components import VISIBLE_TO_OWNER, Card, Component, Counter, Deck, PartiallyObservableDeck
from tag.games.roles.resistance.data import (
    ASSASSINATE,
    CARDS,
    HARD_MISSION,
    MERLIN,
    MISSION,
    MISSION_NAMES,
    MORDRED,
    MORGANA,
    OBERON,
    PERCIVAL,
    PROPOSE,
    RESISTANCE,
    ROLE_NAMES,
    SIDE_NAMES,
    SPIES,
    SPY,
    SUBSETS,
    UNKNOWN,
    VOTE,
    VOTE_NAMES,
    ResistanceParameters,
    bits_of,
    seat_names,
    seats_in,
)


@mypyc_attr(allow_interpreted_subclasses=True)
class ResistanceState(GameState):
    """One position. Sets of seats are numbers with a bit for each.

    `GameState.phase` says what is due, `GameState.round` is the number of missions that are over. Teams, votes and numbers
    of fails stay for all to see; of the mission cards each player knows the own ones only.

    Attributes:
        rules: the parameters.
        roles: the role of each player.
        spies: the spies.
        leader: the player who proposes the next team.
        proposed: the team that is proposed, or on its mission.
        asked: the players who have voted, or played a mission card, in secret.
        choices: those of them who approve, or have played a fail.
        rejected: the teams rejected in a row in this mission.
        leaders: the leaders of all votes so far.
        teams: the teams proposed in them.
        approvals: the players who approved each.
        vote_missions: the mission of each, from 0.
        missions: the team of each mission that is over.
        fails: how many fails were in it.
        failers: the players who have played them, which only these know.
        lost: the missions that failed.
    """

    def __init__(self, rules: ResistanceParameters, roles: tuple[int, ...], spies: i64) -> None:
        """Start with the first player as leader."""
        super().__init__(len(roles))
        self.rules = rules
        self.roles = roles
        self.spies: i64 = spies
        self.leader: i64 = 0
        self.proposed: i64 = 0
        self.asked: i64 = 0
        self.choices: i64 = 0
        self.rejected: i64 = 0
        self.leaders: tuple[int, ...] = ()
        self.teams: tuple[int, ...] = ()
        self.approvals: tuple[int, ...] = ()
        self.vote_missions: tuple[int, ...] = ()
        self.missions: tuple[int, ...] = ()
        self.fails: tuple[int, ...] = ()
        self.failers: tuple[int, ...] = ()
        self.lost: i64 = 0

    def copy(self) -> ResistanceState:
        other = ResistanceState(self.rules, self.roles, self.spies)
        self.copy_to(other)
        other.leader = self.leader
        other.proposed = self.proposed
        other.asked = self.asked
        other.choices = self.choices
        other.rejected = self.rejected
        other.leaders = self.leaders
        other.teams = self.teams
        other.approvals = self.approvals
        other.vote_missions = self.vote_missions
        other.missions = self.missions
        other.fails = self.fails
        other.failers = self.failers
        other.lost = self.lost
        return other

    def team(self, player: i64) -> i64:
        """Return the side, which others may not know (`known_team`)."""
        return SPIES if self.spies >> player & 1 else RESISTANCE

    def known_team(self, player: i64, viewer: i64) -> i64:
        """Return the side where ``viewer`` is sure of it, by role or as no other deal fits; else `UNKNOWN`."""
        if viewer < 0 or self.is_terminal:
            return self.team(player)
        bit: i64 = 1 << player
        every, some = self.sure(viewer)
        return SPIES if every & bit else UNKNOWN if some & bit else RESISTANCE

    def sure(self, viewer: i64) -> tuple[i64, i64]:
        """Return who is certainly a spy, and who may be one, as far as ``viewer`` can tell."""
        every: i64 = -1
        some: i64 = 0
        for found in self.possible(viewer):
            spies: i64 = found
            every &= spies
            some |= spies
        return every, some

    def is_unresolved(self) -> bool:
        """Say whether a player has voted, or played a mission card, and others have not."""
        return self.asked != 0

    def fails_needed(self) -> i64:
        """Return how many fails make the mission that is due fail."""
        return 2 if self.round == HARD_MISSION and self.n_players >= self.rules.two_fails else 1

    def seats_of(self, role: i64) -> i64:
        """Return the set of the players with a role: one, or none."""
        found: i64 = 0
        for seat in range(self.n_players):
            if self.roles[seat] == role:
                found |= 1 << seat
        return found

    def told_of(self, viewer: i64) -> i64:
        """Return the spies of whom the role of ``viewer`` is told, or for Percival, who of them may be Merlin."""
        role: i64 = self.roles[viewer]
        if role == PERCIVAL:
            return self.seats_of(MERLIN) | self.seats_of(MORGANA)
        if role == MERLIN:
            return self.spies & ~self.seats_of(MORDRED)
        if role >= SPY and role != OBERON:
            return self.spies & ~self.seats_of(OBERON)
        return 0

    def possible(self, viewer: i64) -> list[int]:
        """Return all sets of spies that fit what ``viewer`` is certain of; one who has no seat knows what all know."""
        certain: i64 = 1 << self.current_player if self.phase == ASSASSINATE else 0
        own: i64 = 0
        pair: i64 = 0
        excluded: i64 = 0
        if 0 <= viewer < self.n_players:
            own = 1 << viewer
            if self.spies & own:
                certain |= own
            else:
                excluded = own
            if self.roles[viewer] != PERCIVAL:
                certain |= self.told_of(viewer)
            else:
                pair = self.told_of(viewer)
                if pair & self.spies == 0:
                    excluded |= pair
                    pair = 0
        number = bit_count(self.spies)
        if bit_count(certain) == number:
            return [int(certain)]
        found: list[int] = []
        for candidate in SUBSETS[self.n_players][number]:
            spies: i64 = candidate
            if spies & certain != certain or spies & excluded:
                continue
            if pair and bit_count(spies & pair) != 1:
                continue
            if self.explains(spies, own):
                found.append(candidate)
        return found

    def explains(self, spies: i64, own: i64) -> bool:
        """Say whether a set of spies can have played all fails; who is in ``own`` has played those noted."""
        for place in range(len(self.fails)):
            fails: i64 = self.fails[place]
            if fails:
                mission: i64 = self.missions[place]
                failers: i64 = self.failers[place]
                if bit_count(spies & mission & ~own) + bit_count(failers & own) < fails:
                    return False
        return True

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal the roles again, all sets of spies that fit being as likely; then votes and cards that are hidden."""
        if self.is_terminal:
            return
        sets = self.possible(player)
        spies: i64 = sets[rng.below(len(sets))]
        self._deal_roles(player, spies, rng)
        own: i64 = 1 << player
        if any(self.fails):
            self.failers = tuple([self._dealt_failers(place, spies, own, rng) for place in range(len(self.fails))])
        others = self.asked & ~own
        if others:
            drawn = others & rng.below(1 << self.n_players)
            if self.phase == MISSION:
                drawn &= spies
            self.choices = self.choices & own | drawn

    def _deal_roles(self, player: i64, spies: i64, rng: Rng) -> None:
        """Deal the roles to these spies and to the others, but for those that ``player`` can tell."""
        rules = self.rules
        fixed = self._fixed_roles(player, spies)
        evil: list[int] = []
        good: list[int] = []
        left = list(self.roles)
        for role in fixed:
            if role != UNKNOWN:
                left.remove(role)
        for role in left:
            (evil if role >= SPY else good).append(role)
        if rules.merlin or rules.oberon:
            rng.shuffle(evil)
            rng.shuffle(good)
        for seat in range(self.n_players):
            if fixed[seat] == UNKNOWN:
                fixed[seat] = (evil if spies >> seat & 1 else good).pop()
        self.roles = tuple(fixed)
        self.spies = spies

    def _fixed_roles(self, player: i64, spies: i64) -> list[int]:
        """Return the roles that ``player`` can tell if these are the spies; the others are `UNKNOWN`."""
        fixed = [UNKNOWN] * int(self.n_players)
        fixed[player] = self.roles[player]
        if self.phase == ASSASSINATE:
            fixed[self.current_player] = self.roles[self.current_player]
        role: i64 = self.roles[player]
        told = self.told_of(player)
        rest = spies & ~told
        if role == PERCIVAL:
            for seat in seats_in(told):
                fixed[seat] = MORGANA if spies >> seat & 1 else MERLIN
        elif rest and (role == MERLIN or (role >= SPY and role != OBERON)):
            fixed[bit_place(rest, 0, 1)] = MORDRED if role == MERLIN else OBERON
        return fixed

    def _dealt_failers(self, place: i64, spies: i64, own: i64, rng: Rng) -> int:
        """Return who has played the fails of a mission: who knows it, and any others among these spies."""
        before: i64 = self.failers[place]
        fails: i64 = self.fails[place]
        drawn = before & own
        left = spies & self.missions[place] & ~own
        for _fail in range(fails - bit_count(drawn)):
            one: i64 = 1 << bit_place(left, rng.below(bit_count(left)), 1)
            drawn |= one
            left &= ~one
        return int(drawn)

    def knowledge(self, player: i64) -> Hashable:
        """Return the own role, what it is told, own mission cards, all that is open, and whether the roles fit the fails."""
        own: i64 = 1 << player
        if self.is_terminal:
            secrets: tuple[object, ...] = (self.roles, self.failers, int(self.choices))
        else:
            cards = tuple([int(failers & own) for failers in self.failers])
            fits = self.explains(self.spies, own) and self._are_cards_possible()
            secrets = (self.roles[player], int(self.told_of(player)), cards, int(self.choices & own), fits)
        return (
            self.basic_knowledge(player),
            secrets,
            (int(self.leader), int(self.proposed), int(self.asked), int(self.rejected), int(self.lost)),
            (self.leaders, self.teams, self.approvals, self.vote_missions),
            (self.missions, self.fails),
        )

    def _are_cards_possible(self) -> bool:
        """Say whether only spies have played fails, as many as were seen, and the spies have the roles of spies."""
        good = ~self.spies
        if self.phase == MISSION and self.choices & good:
            return False
        for place in range(len(self.fails)):
            failers: i64 = self.failers[place]
            fails: i64 = self.fails[place]
            if failers & (good | ~self.missions[place]) or bit_count(failers) != fails:
                return False
        return self.spies == bits_of([role >= SPY for role in self.roles])

    def components(self) -> list[Component]:
        """Return roles and sides, the leader, the team, cards that are not shown yet, and the missions that are over."""
        found: list[Component] = [
            Counter("leader", self.leader, 0, self.n_players - 1),
            Counter("rejected", self.rejected, 0, self.rules.rejections),
            Deck("team", [CARDS[f"player {seat}"] for seat in seats_in(self.proposed)]),
        ]
        for place in range(len(self.missions)):
            result = MISSION_NAMES[1 if self.lost >> place & 1 else 0]
            found.append(Deck(f"mission {place + 1}", [CARDS[result]]))
            found.append(Counter(f"fails of mission {place + 1}", self.fails[place], 0, self.n_players))
        everybody = (1 << int(self.n_players)) - 1
        names = MISSION_NAMES if self.phase == MISSION else VOTE_NAMES
        for seat in range(self.n_players):
            role = [CARDS[ROLE_NAMES[self.roles[seat]]]]
            side = [CARDS[SIDE_NAMES[self.team(seat)]]]
            seen = everybody if self.is_terminal else 1 << int(seat)
            told = bits_of([self.is_told(viewer, seat) for viewer in range(self.n_players)])
            found.append(self._shown(f"role of {seat}", role, seat, seen))
            found.append(self._shown(f"side of {seat}", side, seat, seen | told))
            cards = [CARDS[names[self.choices >> seat & 1]]] if self.asked >> seat & 1 else []
            found.append(Deck(f"card of {seat}", cards, seat, VISIBLE_TO_OWNER))
        return found

    def is_told(self, viewer: i64, seat: i64) -> bool:
        """Say whether the role of ``viewer`` is told that ``seat`` is a spy."""
        return self.roles[viewer] != PERCIVAL and self.told_of(viewer) >> seat & 1 == 1

    def _shown(self, name: str, cards: list[Card], owner: i64, seen: int) -> Component:
        return PartiallyObservableDeck(name, cards, self.n_players, owner, VISIBLE_TO_OWNER, seen=[seen])

    def text(self, viewer: i64) -> str:
        """Show missions, votes, and the roles and sides that the viewer (-1: sees all) knows."""
        due = {PROPOSE: "to propose a team", VOTE: "to vote", MISSION: "to play a mission card"}
        what = f"player {self.current_player} {due.get(int(self.phase), 'to name Merlin')}"
        size = (
            ""
            if self.phase == ASSASSINATE
            else f", team of {self.rules.sizes(int(self.n_players))[min(self.round, 4)]}"
        )
        shown = f"Mission {self.round + 1}{size}, {what}; {self.rejected} of {self.rules.rejections} rejected"
        lines = ["The game is over" if self.is_terminal else shown]
        if self.phase in (VOTE, MISSION) and not self.is_terminal:
            lines.append(f"team: {seat_names(self.proposed)}")
        for seat in range(self.n_players):
            leads = "  leads" if seat == self.leader else ""
            lines.append(f"player {seat}  {self._known(seat, viewer)}{leads}{self._chosen(seat, viewer)}")
        for place in range(len(self.missions)):
            result = MISSION_NAMES[1 if self.lost >> place & 1 else 0]
            lines.append(
                f"mission {place + 1}: {result}, {self.fails[place]} fails of {seat_names(self.missions[place])}"
            )
        for place in range(len(self.teams)):
            names = f"player {self.leaders[place]} proposes {seat_names(self.teams[place])}"
            approved = seat_names(self.approvals[place])
            lines.append(f"mission {self.vote_missions[place] + 1}, {names}; approved by {approved}")
        return "\n".join(lines)

    def _known(self, seat: i64, viewer: i64) -> str:
        """Return the role of a seat as ``viewer`` knows it, or the side."""
        if viewer < 0 or viewer == seat or self.is_terminal:
            return ROLE_NAMES[self.roles[seat]]
        if viewer >= self.n_players:
            return "unknown"
        if self.roles[viewer] == PERCIVAL and self.told_of(viewer) >> seat & 1:
            return "Merlin or Morgana" if self.rules.morgana else "Merlin"
        side = self.known_team(seat, viewer)
        return "unknown" if side == UNKNOWN else SIDE_NAMES[side]

    def _chosen(self, seat: i64, viewer: i64) -> str:
        if self.asked >> seat & 1 == 0:
            return ""
        names = MISSION_NAMES if self.phase == MISSION else VOTE_NAMES
        own = viewer < 0 or viewer == seat
        return f"  chooses {names[self.choices >> seat & 1]}" if own else "  has chosen"
