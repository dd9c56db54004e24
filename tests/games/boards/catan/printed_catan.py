"""Catan again, from the printed rules and without the package's code: slow, with sets, and chance told from outside.

A hex is a pair (q, r), the sea included. A path is the pair of hexes on its two sides, a corner the three hexes around it.
"""

from collections import Counter
from itertools import combinations

KINDS = ("lumber", "brick", "wool", "grain", "ore")
COSTS = {
    "road": Counter(lumber=1, brick=1),
    "settlement": Counter(lumber=1, brick=1, wool=1, grain=1),
    "city": Counter(grain=2, ore=3),
    "card": Counter(wool=1, grain=1, ore=1),
}
ROUND = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
LAND = frozenset((q, r) for q in range(-2, 3) for r in range(-2, 3) if -2 <= q + r <= 2)
HARBOURS = (
    ((2, 0), (3, 0)),
    ((2, -1), (3, -2)),
    ((1, -2), (2, -3)),
    ((0, -2), (0, -3)),
    ((-1, -1), (-2, -1)),
    ((-2, 1), (-3, 1)),
    ((-2, 2), (-3, 3)),
    ((-1, 2), (-1, 3)),
    ((1, 1), (1, 2)),
)


def beside(place):
    return [(place[0] + q, place[1] + r) for q, r in ROUND]


def corners_of(place):
    around = beside(place)
    return [frozenset((place, around[side], around[(side + 1) % 6])) for side in range(6)]


def paths_of(place):
    return [frozenset((place, other)) for other in beside(place)]


CORNERS = frozenset(corner for place in LAND for corner in corners_of(place))
PATHS = frozenset(path for place in LAND for path in paths_of(place))


def ends(path):
    return [corner for corner in CORNERS if path < corner]


ENDS = {path: ends(path) for path in PATHS}
AT = {corner: [path for path in PATHS if path < corner] for corner in CORNERS}


def next_corners(corner):
    return [end for path in AT[corner] for end in ENDS[path] if end != corner]


class PrintedCatan:
    """The game, with the moves of players and the outcomes of chance told by `move`."""

    def __init__(self, terrain, discs, harbours, first, n_players, *, limit=7, goal=10, bank=19, offers=2):
        self.terrain, self.discs = terrain, discs
        self.harbours = [(frozenset(pair), kind) for pair, kind in zip(HARBOURS, harbours, strict=True)]
        self.robber = next(place for place in LAND if terrain[place] == "desert")
        self.n, self.first, self.limit, self.goal, self.most_offers = n_players, first, limit, goal, offers
        self.seats = range(n_players)
        self.bank = Counter(dict.fromkeys(KINDS, bank))
        self.hands = [Counter() for _ in self.seats]
        self.cards = [Counter() for _ in self.seats]
        self.new = Counter()
        self.deck = 25
        self.roads, self.settlements, self.cities = {}, {}, {}
        self.knights = [0] * n_players
        self.longest = self.army = None
        order = [(first + i) % n_players for i in self.seats]
        self.setup = order + order[::-1]
        self.turn = self.setup[0]
        self.mover = self.turn
        self.stage = "settle"
        self.last = None
        self.winner = None

    # What is built

    def buildings(self, seat):
        return {c for c, s in self.settlements.items() if s == seat} | {c for c, s in self.cities.items() if s == seat}

    def foreign(self, corner, seat):
        return self.settlements.get(corner, self.cities.get(corner, seat)) != seat

    def is_far(self, corner):
        return not any(c in self.settlements or c in self.cities for c in (corner, *next_corners(corner)))

    def can_pave(self, path, seat):
        if path in self.roads or sum(owner == seat for owner in self.roads.values()) == 15:
            return False
        for end in ENDS[path]:
            if end in self.buildings(seat):
                return True
            if not self.foreign(end, seat) and any(self.roads.get(other) == seat for other in AT[end] if other != path):
                return True
        return False

    def road_length(self, seat):
        own = {path for path, owner in self.roads.items() if owner == seat}

        def walk(corner, used):
            if used and self.foreign(corner, seat):
                return len(used)
            steps = [path for path in AT[corner] if path in own and path not in used]
            far = [walk(next(end for end in ENDS[path] if end != corner), used | {path}) for path in steps]
            return max([len(used), *far])

        return max((walk(end, frozenset()) for path in own for end in ENDS[path]), default=0)

    def points(self, seat):
        return (
            sum(s == seat for s in self.settlements.values())
            + 2 * sum(s == seat for s in self.cities.values())
            + 2 * (self.longest == seat)
            + 2 * (self.army == seat)
            + self.cards[seat]["victory point"]
        )

    def award_road(self):
        lengths = [self.road_length(seat) for seat in self.seats]
        most = max(lengths)
        if most < 5:
            self.longest = None
        elif self.longest is None or lengths[self.longest] < most:
            best = [seat for seat in self.seats if lengths[seat] == most]
            self.longest = best[0] if len(best) == 1 else None

    def rate(self, seat, kind):
        rates = [4]
        for pair, what in self.harbours:
            if any(pair < corner for corner in self.buildings(seat)):
                rates += [2] if what == kind else [3] if what == "any" else []
        return min(rates)

    # Moves

    def legal(self):
        """Return the moves, in words."""
        if self.winner is not None:
            return set()
        return getattr(self, f"_legal_{self.stage}")(self.mover)

    def _legal_settle(self, _seat):
        return {("settlement", corner) for corner in CORNERS if self.is_far(corner)}

    def _legal_pave(self, _seat):
        return {("road", path) for path in AT[self.last] if path not in self.roads}

    def _legal_free(self, seat):
        return {("road", path) for path in PATHS if self.can_pave(path, seat)}

    def _legal_before(self, seat):
        return {("roll",)} | self._legal_cards(seat)

    def _legal_discard(self, seat):
        return {("discard", kind) for kind in KINDS if self.hands[seat][kind]}

    def _legal_answer(self, seat):
        return {("decline",)} | ({("accept",)} if self.hands[seat][self.offer[2]] else set())

    def _legal_choose(self, _seat):
        return {("withdraw",)} | {("partner", seat) for seat in self.willing}

    def _legal_robber(self, seat):
        found = set()
        for place in LAND - {self.robber}:
            there = {
                self.settlements.get(c, self.cities.get(c))
                for c in corners_of(place)
                if c in self.settlements or c in self.cities
            }
            victims = {other for other in there - {seat} if self.hands[other].total()}
            found |= {("robber", place, victim) for victim in victims or {None}}
        return found

    def _legal_cards(self, seat):
        found = set()
        if self.played:
            return found
        cards = self.cards[seat] - self.new
        if cards["knight"]:
            found.add(("knight",))
        if cards["road building"] and any(self.can_pave(path, seat) for path in PATHS):
            found.add(("road building",))
        if cards["year of plenty"]:
            pairs = [*combinations(KINDS, 2), *[(kind, kind) for kind in KINDS]]
            found |= {("plenty", frozenset(Counter(pair).items())) for pair in pairs if Counter(pair) <= self.bank}
            if self.bank.total() == 1:
                found |= {("plenty", frozenset({(kind, 1)})) for kind in KINDS if self.bank[kind]}
        if cards["monopoly"]:
            found |= {("monopoly", kind) for kind in KINDS}
        return found

    def _legal_main(self, seat):
        hand = self.hands[seat]
        own = [c for c, s in self.settlements.items() if s == seat]
        found = {("end",)} | self._legal_cards(seat)
        if COSTS["road"] <= hand:
            found |= {("road", path) for path in PATHS if self.can_pave(path, seat)}
        if COSTS["settlement"] <= hand and len(own) < 5:
            reached = {end for path, owner in self.roads.items() if owner == seat for end in ENDS[path]}
            found |= {("settlement", corner) for corner in reached if self.is_far(corner)}
        if COSTS["city"] <= hand and sum(s == seat for s in self.cities.values()) < 4:
            found |= {("city", corner) for corner in own}
        if COSTS["card"] <= hand and self.deck:
            found.add(("buy",))
        for kind in KINDS:
            for other in set(KINDS) - {kind}:
                if hand[kind] >= self.rate(seat, kind) and self.bank[other]:
                    found.add(("bank", kind, other))
                if self.offered < self.most_offers:
                    found |= {("offer", kind, n, other) for n in (1, 2) if hand[kind] >= n}
        return found

    def move(self, what, *rest, chance=None, asked=()):
        """Make a move.

        Args:
            what: the kind of move.
            rest: what it is about.
            chance: the card drawn or stolen, and the dice if they are rolled after the move; a mapping.
            asked: the players who are asked for an answer to an offer, in order.
        """
        self.chance = chance or {}
        if what == "offer":
            self.asked = list(asked)
        getattr(self, f"_{what.replace(' ', '_')}")(self.mover, *rest)
        if self.winner is None and self.stage not in ("settle", "pave") and self.points(self.turn) >= self.goal:
            self.winner = self.turn

    def _pay(self, seat, cost):
        assert cost <= self.hands[seat]
        self.hands[seat] = self.hands[seat] - cost
        self.bank += cost

    def _take(self, seat, cards):
        assert cards <= self.bank
        self.hands[seat] = self.hands[seat] + cards
        self.bank = self.bank - cards

    def _settlement(self, seat, corner):
        if self.stage == "main":
            self._pay(seat, COSTS["settlement"])
        self.settlements[corner] = seat
        self.award_road()
        if self.stage == "settle":
            self.last, self.stage = corner, "pave"
            if len(self.setup) <= self.n:
                self._take(seat, Counter(self.terrain[place] for place in corner & LAND if self.discs[place]))

    def _road(self, seat, path):
        if self.stage == "main":
            self._pay(seat, COSTS["road"])
        self.roads[path] = seat
        self.award_road()
        if self.stage == "pave":
            self.setup.pop(0)
            if self.setup:
                self.turn = self.mover = self.setup[0]
                self.stage = "settle"
            else:
                self._begin(self.first)
        elif self.stage == "free":
            self.free -= 1
            if not self.free or not self._legal_free(seat):
                self._go_on()

    def _city(self, seat, corner):
        self._pay(seat, COSTS["city"])
        del self.settlements[corner]
        self.cities[corner] = seat

    def _buy(self, seat):
        self._pay(seat, COSTS["card"])
        self.deck -= 1
        self.cards[seat][self.chance["card"]] += 1
        self.new[self.chance["card"]] += 1

    def _play(self, seat, card):
        self.cards[seat] -= Counter([card])
        self.played = True

    def _knight(self, seat):
        self._play(seat, "knight")
        self.knights[seat] += 1
        if self.knights[seat] >= 3 and (self.army is None or self.knights[seat] > self.knights[self.army]):
            self.army = seat
        self.stage = "robber"

    def _road_building(self, seat):
        self._play(seat, "road building")
        self.free = min(2, 15 - sum(owner == seat for owner in self.roads.values()))
        self.stage = "free"

    def _plenty(self, seat, pairs):
        self._play(seat, "year of plenty")
        self._take(seat, Counter(dict(pairs)))
        self._go_on()

    def _monopoly(self, seat, kind):
        self._play(seat, "monopoly")
        for other in self.seats:
            if other != seat:
                self.hands[seat][kind] += self.hands[other].pop(kind, 0)
        self._go_on()

    def _robber(self, seat, place, victim):
        self.robber = place
        if victim is not None:
            card = Counter([self.chance["stolen"]])
            assert card <= self.hands[victim]
            self.hands[victim] = self.hands[victim] - card
            self.hands[seat] = self.hands[seat] + card
        self._go_on()

    def _go_on(self):
        self.mover = self.turn
        if self.rolled or self.points(self.turn) >= self.goal:
            self.stage = "main"
        else:
            self._roll(self.turn)

    def _begin(self, seat):
        self.turn = self.mover = seat
        self.played = self.rolled = False
        self.offered = 0
        self.new = Counter()
        if self.points(seat) >= self.goal:
            self.winner = seat
        elif self.cards[seat].total():
            self.stage = "before"
        else:
            self._roll(seat)

    def _roll(self, seat):
        self.rolled, self.stage = True, "main"
        total = self.chance["dice"]
        if total == 7:
            self.loads = [other for other in self._from(seat) if self.hands[other].total() > self.limit]
            self._next_load()
            return
        self._produce(total)

    def _produce(self, total):
        due = [Counter() for _ in self.seats]
        for place in LAND - {self.robber}:
            for corner in corners_of(place) if self.discs[place] == total else ():
                if corner in self.settlements:
                    due[self.settlements[corner]][self.terrain[place]] += 1
                if corner in self.cities:
                    due[self.cities[corner]][self.terrain[place]] += 2
        for kind in KINDS:
            owed = [other for other in self.seats if due[other][kind]]
            if sum(due[other][kind] for other in owed) > self.bank[kind]:
                for other in owed:
                    due[other][kind] = self.bank[kind] if len(owed) == 1 else 0
        for other in self.seats:
            self._take(other, +due[other])

    def _from(self, seat):
        return [(seat + i) % self.n for i in self.seats]

    def _next_load(self):
        if self.loads:
            self.mover, self.stage = self.loads.pop(0), "discard"
            self.load = self.hands[self.mover].total() // 2
        else:
            self.mover, self.stage = self.turn, "robber"

    def _discard(self, seat, kind):
        self._pay(seat, Counter([kind]))
        self.load -= 1
        if not self.load:
            self._next_load()

    def _end(self, seat):
        self._begin((seat + 1) % self.n)

    def _bank(self, seat, kind, other):
        self._pay(seat, Counter({kind: self.rate(seat, kind)}))
        self._take(seat, Counter([other]))

    def _offer(self, _seat, kind, number, other):
        self.offered += 1
        self.offer, self.willing = (kind, number, other), []
        self._next_answer()

    def _next_answer(self):
        if self.asked:
            self.mover, self.stage = self.asked.pop(0), "answer"
        else:
            self.mover, self.stage = self.turn, "choose" if self.willing else "main"

    def _accept(self, seat):
        self.willing.append(seat)
        self._next_answer()

    def _decline(self, _seat):
        self._next_answer()

    def _partner(self, seat, other):
        kind, number, wanted = self.offer
        for giver, taker, cards in ((seat, other, Counter({kind: number})), (other, seat, Counter([wanted]))):
            assert cards <= self.hands[giver]
            self.hands[giver] = self.hands[giver] - cards
            self.hands[taker] = self.hands[taker] + cards
        self.stage = "main"

    def _withdraw(self, _seat):
        self.stage = "main"
