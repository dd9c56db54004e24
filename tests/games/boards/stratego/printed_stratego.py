"""A second implementation of Stratego, by coordinates, piece by piece, with all positions of a chase kept whole."""

from itertools import pairwise

STRENGTH = {
    "spy": 1,
    **dict(zip(["scout", "miner", "sergeant", "lieutenant", "captain", "major"], range(2, 8), strict=True)),
    "colonel": 8,
    "general": 9,
    "marshal": 10,
}
STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0))


def wins(attacker, defender):
    """Return the pieces that fall when one attacks another."""
    if defender == "flag":
        return {"defender"}
    if defender == "bomb":
        return {"defender"} if attacker == "miner" else {"attacker"}
    if attacker == "spy" and defender == "marshal":
        return {"defender"}
    if STRENGTH[attacker] == STRENGTH[defender]:
        return {"attacker", "defender"}
    return {"defender"} if STRENGTH[attacker] > STRENGTH[defender] else {"attacker"}


def way(start, end):
    """Return the squares from one to another in a straight line, both included."""
    (x, y), (to_x, to_y) = start, end
    dx, dy = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
    found = [start]
    while found[-1] != end:
        found.append((found[-1][0] + dx, found[-1][1] + dy))
    return found


def borders(start, end):
    return {frozenset(pair) for pair in pairwise(way(start, end))}


class Chase:
    """A chase: the pieces that fled, the positions after moves of the chaser, and where the last one came from."""

    def __init__(self):
        self.fled = set()
        self.positions = []
        self.is_fled = False


class PrintedStratego:
    """A game after the set-up: ``pieces`` is a dictionary from squares to (player, name)."""

    def __init__(self, size, lakes, pieces, limit=3, chase=True, scout_attacks=True):
        self.width, self.height = size
        self.lakes = set(lakes)
        self.where = {}
        self.who = {}
        for number, (square, piece) in enumerate(sorted(pieces.items())):
            self.where[number], self.who[number] = square, piece
        self.limit, self.chase_rule, self.scout_attacks = limit, chase, scout_attacks
        self.player = 0
        self.turns = {0: [], 1: []}
        self.chases = {0: None, 1: None}
        self.winner = None
        self.barred = set()
        self.look_for_end()

    def piece_at(self, square):
        return next((number for number, place in self.where.items() if place == square), None)

    def is_land(self, square):
        return 0 <= square[0] < self.width and 0 <= square[1] < self.height and square not in self.lakes

    def reach(self, number):
        """Return the squares that a piece can go to but for the rules against endless play."""
        player, name = self.who[number]
        if name in ("bomb", "flag"):
            return set()
        found = set()
        for dx, dy in STEPS:
            x, y = self.where[number]
            steps = 0
            while name == "scout" or steps == 0:
                x, y, steps = x + dx, y + dy, steps + 1
                if not self.is_land((x, y)):
                    break
                other = self.piece_at((x, y))
                if other is None:
                    found.add((x, y))
                    continue
                if self.who[other][0] != player and (steps == 1 or self.scout_attacks):
                    found.add((x, y))
                break
        return found

    def legal(self, player=None):
        """Return the moves of a player, that to move if omitted."""
        player = self.player if player is None else player
        found = set()
        if self.winner is not None:
            return found
        for number, start in self.where.items():
            if self.who[number][0] == player:
                for end in self.reach(number):
                    if self.goes_to_and_fro(player, number, start, end):
                        self.barred.add("two squares")
                    elif self.repeats(player, number, start, end):
                        self.barred.add("chase")
                    else:
                        found.add((start, end))
        return found

    def goes_to_and_fro(self, player, number, start, end):
        if self.limit == 0:
            return False
        for border in borders(start, end):
            count = 0
            for mover, before, after in reversed(self.turns[player]):
                if mover != number or border not in borders(before, after):
                    break
                count += 1
            if count >= self.limit:
                return True
        return False

    def near(self, square, player):
        """Return the pieces of a player beside a square."""
        found = [self.piece_at((square[0] + dx, square[1] + dy)) for dx, dy in STEPS]
        return {number for number in found if number is not None and self.who[number][0] == player}

    def repeats(self, player, number, start, end):
        chase = self.chases[player]
        if not self.chase_rule or chase is None or not chase.is_fled or self.piece_at(end) is not None:
            return False
        mover, before, after = self.turns[player][-1]
        if (mover, before, after) == (number, end, start):
            return False
        position = {**self.where, number: end}
        return bool(self.near(end, 1 - player) & chase.fled) and position in chase.positions

    def move(self, start, end):
        """Play a move."""
        player, number, other = self.player, self.piece_at(start), self.piece_at(end)
        self.turns[player].append((number, start, end))
        if other is None:
            self.flee(1 - player, number, start)
            self.where[number] = end
            self.follow(player, end)
        else:
            self.chases = {0: None, 1: None}
            fallen = wins(self.who[number][1], self.who[other][1])
            if "defender" in fallen:
                del self.where[other]
            if "attacker" in fallen:
                del self.where[number]
            else:
                self.where[number] = end
            if self.who[other][1] == "flag":
                self.winner = player
        self.player = 1 - player
        self.look_for_end()

    def flee(self, chaser, number, start):
        """See whether a move takes a threatened piece away."""
        chase = self.chases[chaser]
        if chase is None:
            return
        _mover, _before, square = self.turns[chaser][-1]
        if abs(square[0] - start[0]) + abs(square[1] - start[1]) == 1:
            chase.fled.add(number)
            chase.is_fled = True
        else:
            self.chases[chaser] = None

    def follow(self, player, end):
        """See whether a move threatens, and whom."""
        threatened = self.near(end, 1 - player)
        chase = self.chases[player]
        if not threatened:
            self.chases[player] = None
            return
        if chase is None or not (chase.is_fled and threatened & chase.fled):
            chase = self.chases[player] = Chase()
        chase.is_fled = False
        chase.positions.append(dict(self.where))

    def look_for_end(self):
        if self.winner is None and not self.legal():
            self.winner = 1 - self.player if self.legal(1 - self.player) else "draw"
