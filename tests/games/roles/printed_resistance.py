"""The Resistance once more, from the printed rules alone, in sets and words: an oracle for games played side by side.

It shares no code and no numbers with the package.
"""

from itertools import combinations

TEAMS = {5: "23233", 6: "23434", 7: "23344", 8: "34455", 9: "34455", 10: "34455"}


class PrintedResistance:
    """One game; moves are ``("team", frozenset)``, ``("vote", bool)``, ``("card", bool)`` and ``("name", seat)``."""

    def __init__(self, roles, leader):
        """Take the role of each seat in words, and the first leader."""
        self.roles = roles
        self.seats = len(roles)
        self.evil = {seat for seat, role in enumerate(roles) if role not in ("resistance", "Merlin", "Percival")}
        self.leader = leader
        self.successes = self.failures = self.rejections = 0
        self.team = None
        self.votes, self.cards = {}, {}
        self.stage = "team"
        self.winner = None

    def mover(self):
        """Return who has to move; players who choose at the same time are asked by seats, voters from the leader on."""
        if self.stage == "team":
            return self.leader
        if self.stage == "vote":
            return (self.leader + len(self.votes)) % self.seats
        if self.stage == "cards":
            return min(self.team - set(self.cards))
        return self.roles.index("Assassin")

    def legal(self):
        """Return all moves of the player to move; none at the end."""
        if self.winner:
            return set()
        if self.stage == "team":
            size = int(TEAMS[self.seats][self.successes + self.failures])
            return {("team", frozenset(team)) for team in combinations(range(self.seats), size)}
        if self.stage == "vote":
            return {("vote", True), ("vote", False)}
        if self.stage == "cards":
            return {("card", True)} | ({("card", False)} if self.mover() in self.evil else set())
        mates = {seat for seat in self.evil if self.roles[seat] != "Oberon"}
        return {("name", seat) for seat in range(self.seats) if seat not in mates}

    def move(self, kind, what):
        """Make a move of the player to move."""
        if kind == "team":
            self.team, self.stage = what, "vote"
        elif kind == "vote":
            self.votes[self.mover()] = what
            if len(self.votes) == self.seats:
                self._tally()
        elif kind == "card":
            self.cards[self.mover()] = what
            if self.team == set(self.cards):
                self._reveal()
        else:
            self.winner = "evil" if self.roles[what] == "Merlin" else "good"

    def _tally(self):
        yes = sum(self.votes.values())
        self.votes = {}
        self.leader = (self.leader + 1) % self.seats
        if yes > self.seats - yes:
            self.stage, self.rejections = "cards", 0
            return
        self.stage = "team"
        self.rejections += 1
        if self.rejections == 5:
            self.winner = "evil"

    def _reveal(self):
        fails = list(self.cards.values()).count(False)
        is_fourth = self.successes + self.failures == 3
        if fails >= (2 if is_fourth and self.seats >= 7 else 1):
            self.failures += 1
        else:
            self.successes += 1
        self.cards, self.stage = {}, "team"
        if self.failures == 3:
            self.winner = "evil"
        elif self.successes == 3:
            if "Merlin" in self.roles:
                self.stage = "name"
            else:
                self.winner = "good"
