"""A second implementation of 7 Wonders, from the printed rules, with tables of its own: slow, with names instead of numbers.

It is given the deal, and is told what players choose. Payments are found by going through all ways to get each resource.
"""

from functools import lru_cache

#: Name, colour, cost, gift, the cards that it makes free, and how many there are with 3, 4, 5, 6 and 7 players.
AGES = (
    """
    Clay Pit|brown|1|C/O||11111
    Clay Pool|brown||C||11222
    Excavation|brown|1|C/S||01111
    Forest Cave|brown|1|O/W||00111
    Lumber Yard|brown||W||12222
    Mine|brown|1|O/S||00011
    Ore Vein|brown||O||12222
    Stone Pit|brown||S||11222
    Timber Yard|brown|1|S/W||11111
    Tree Farm|brown|1|C/W||00011
    Glassworks|grey||G||11122
    Loom|grey||L||11122
    Press|grey||P||11122
    East Trading Post|yellow||cheap right|Forum|11112
    West Trading Post|yellow||cheap left|Forum|11112
    Marketplace|yellow||cheap goods|Caravansery|11122
    Tavern|yellow||5 coins||01223
    Altar|blue||2|Temple|11222
    Baths|blue|S|3|Aqueduct|11112
    Pawnshop|blue||3||01112
    Theater|blue||2|Statue|11122
    Apothecary|green|L|compass|Stables, Dispensary|11222
    Scriptorium|green|P|tablet|Courthouse, Library|12222
    Workshop|green|G|gear|Archery Range, Laboratory|11112
    Barracks|red|O|1||11222
    Guard Tower|red|C|1||12222
    Stockade|red|W|1||11112
    """,
    """
    Brickyard|brown|1|CC||12222
    Foundry|brown|1|OO||12222
    Quarry|brown|1|SS||12222
    Sawmill|brown|1|WW||12222
    Glassworks|grey||G||11222
    Loom|grey||L||11222
    Press|grey||P||11222
    Bazar|yellow||2 coins grey around||01112
    Caravansery|yellow|WW|C/O/S/W|Lighthouse|11233
    Forum|yellow|CC|G/L/P|Haven|11123
    Vineyard|yellow||1 coins brown around||11122
    Aqueduct|blue|SSS|5||11112
    Courthouse|blue|CCL|4||11222
    Statue|blue|OOW|4|Gardens|11112
    Temple|blue|CGW|3|Pantheon|11122
    Dispensary|green|GOO|compass|Arena, Lodge|12222
    Laboratory|green|CCP|gear|Siege Workshop, Observatory|11222
    Library|green|LSS|tablet|Senate, University|11122
    School|green|PW|tablet|Academy, Study|11112
    Archery Range|red|OWW|2||11122
    Stables|red|COW|2||11222
    Training Ground|red|OOW|2|Circus|01123
    Walls|red|SSS|2|Fortifications|11112
    """,
    """
    Arena|yellow|OSS|3 coins stages own||11223
    Chamber of Commerce|yellow|CCP|2 coins grey own||01122
    Haven|yellow|LOW|1 coins brown own||12222
    Lighthouse|yellow|GS|1 coins yellow own||11122
    Gardens|blue|CCW|5||12222
    Palace|blue|CGLOPSW|8||11112
    Pantheon|blue|CCGLOP|7||11122
    Senate|blue|OSWW|6||11222
    Town Hall|blue|GOSS|6||11233
    Academy|green|GSSS|compass||11112
    Lodge|green|CCLP|compass||11122
    Observatory|green|GLOO|gear||11112
    Study|green|LPW|gear||11222
    University|green|GPWW|tablet||12222
    Arsenal|red|LOWW|3||12223
    Circus|red|OSSS|3||01233
    Fortifications|red|OOOS|3||11112
    Siege Workshop|red|CCCW|3||11222
    Builders Guild|purple|CCGSS|||guild
    Craftsmens Guild|purple|OOSS|||guild
    Magistrates Guild|purple|LSWWW|||guild
    Philosophers Guild|purple|CCCLP|||guild
    Scientists Guild|purple|OOPWW|||guild
    Shipowners Guild|purple|GPWWW|||guild
    Spies Guild|purple|CCCG|||guild
    Strategists Guild|purple|LOOS|||guild
    Traders Guild|purple|GLP|||guild
    Workers Guild|purple|COOSW|||guild
    """,
)
#: The resource of each board, and the stages of each side: cost and gifts.
WONDERS = {
    "Giza": ("S", "SS 3; WWW 5; SSSS 7", "WW 3; SSS 5; CCC 5; PSSSS 7"),
    "Rhodes": ("O", "WW 3; CCC shield shield; OOOO 7", "SSS shield 3 $3; OOOO shield 4 $4"),
    "Alexandria": ("G", "SS 3; OO C/O/S/W; GG 7", "CC C/O/S/W; WW G/L/P; SSS 7"),
    "Ephesus": ("P", "SS 3; WW $9; PP 7", "SS 2 $4; WW 3 $4; GLP 5 $4"),
    "Babylon": ("C", "CC 3; WWW symbol; CCCC 7", "CL 3; GWW last; CCCP symbol"),
    "Olympia": ("W", "WW 3; SS free; OO 7", "WW cheap; SS 5; LOO copy"),
    "Halicarnassus": ("L", "CC 3; OOO dig; LL 7", "OO 2 dig; CCC 1 dig; GLP dig"),
}
GUILD_OF = {"Workers": "brown", "Traders": "yellow", "Philosophers": "green", "Spies": "red", "Magistrates": "blue"}
SYMBOLS = ("compass", "gear", "tablet")
RAW, GOODS = "CSOW", "GLP"


def rows(age):
    return [line.strip().split("|") for line in AGES[age].strip().splitlines()]


CARDS = {row[0]: row for age in range(3) for row in rows(age)}


def deck(age, players):
    """Return the names of an age's cards; of guilds all that there are."""
    return sorted(
        name
        for name, _colour, _cost, _gift, _frees, copies in rows(age)
        for _copy in range(1 if copies == "guild" else int(copies[players - 3]))
    )


class City:
    def __init__(self, wonder, coins=3):
        place, side = wonder.split()
        self.home, *sides = WONDERS[place]
        self.stages = [stage.split() for stage in sides["AB".index(side)].split("; ")]
        self.done, self.coins, self.cards, self.won, self.lost, self.free = 0, coins, [], 0, 0, True

    def gifts(self):
        return [gift for stage in self.stages[: self.done] for gift in stage[1:]]

    def colour(self, *colours):
        return sum(CARDS[name][1] in colours for name in self.cards)

    def for_sale(self):
        """Return what makes resources for all: each a text of the resources of which it makes one."""
        made = [CARDS[name][3] for name in self.cards if CARDS[name][1] in ("brown", "grey")]
        return [self.home, *(one for gift in made for one in ([gift] if "/" in gift else gift))]

    def own(self):
        """Return what makes resources for the city only."""
        made = [CARDS[name][3] for name in self.cards if CARDS[name][1] == "yellow"]
        return [gift for gift in [*made, *self.gifts()] if "/" in gift]

    def shields(self):
        return self.gifts().count("shield") + sum(int(CARDS[n][3]) for n in self.cards if CARDS[n][1] == "red")


@lru_cache(maxsize=100_000)
def purchases(need, own, left, right, prices):
    """Return all pairs of coins with which ``need`` can be got, by trying each source for each resource."""
    if not need:
        return frozenset([(0, 0)])
    first, rest = need[0], need[1:]
    kind = "raw" if first in RAW else "goods"
    found = set()
    for place, sources in enumerate((own, left, right)):
        for index, source in enumerate(sources):
            if first not in source or source in sources[:index]:
                continue
            used = [own, left, right]
            used[place] = sources[:index] + sources[index + 1 :]
            price = (0, prices[f"left {kind}"], prices[f"right {kind}"])[place] if place else 0
            for one, other in purchases(rest, *used, prices):
                found.add((one + price * (place == 1), other + price * (place == 2)))
    return frozenset(found)


class Prices(dict):
    def __hash__(self):
        return hash(tuple(sorted(self.items())))


class PrintedSevenWonders:
    def __init__(self, wonders, hands):
        self.cities = [City(wonder) for wonder in wonders]
        self.seats = len(wonders)
        self.age, self.discards, self.chosen, self.stage = 0, [], {}, "choose"
        self.digger = None
        self.deal(hands)

    def deal(self, hands):
        self.hands = [sorted(hand) for hand in hands]
        for city in self.cities:
            city.free = True

    def sides(self, seat):
        return self.cities[(seat + 1) % self.seats], self.cities[(seat - 1) % self.seats]

    def payments(self, seat, cost, coins=0):
        """Return the payments to choose from: the cheapest and most even, the least to the right, the least to the left."""
        city, (left, right) = self.cities[seat], self.sides(seat)
        gifts = [CARDS[name][3] for name in city.cards] + city.gifts()
        goods = 1 if "cheap goods" in gifts else 2
        raw = {side: 1 if f"cheap {side}" in gifts or "cheap" in gifts else 2 for side in ("left", "right")}
        prices = {"left raw": raw["left"], "right raw": raw["right"], "left goods": goods, "right goods": goods}
        sources = [tuple(sorted(made)) for made in (city.for_sale() + city.own(), left.for_sale(), right.for_sale())]
        pairs = [p for p in purchases("".join(sorted(cost)), *sources, Prices(prices)) if sum(p) + coins <= city.coins]
        if not pairs:
            return []
        even = min(pairs, key=lambda pair: (sum(pair), abs(pair[0] - pair[1]), pair[1]))
        if even == (0, 0):
            return [even]
        return list(dict.fromkeys([even, min(pairs, key=lambda p: (p[1], p[0])), min(pairs)]))

    def legal(self):
        """Return what the players who are to move can do, by seat."""
        if self.stage == "dig":
            city = self.cities[self.digger]
            names = {name for name in self.discards if name not in city.cards}
            return {self.digger: {("dig", None), *[("dig", name) for name in names]}}
        seats = [self.last_seat()] if self.stage == "last" else range(self.seats)
        return {seat: self.uses(seat) for seat in seats if seat not in self.chosen}

    def uses(self, seat):
        city, found = self.cities[seat], set()
        for name in self.hands[seat]:
            found.add(("sell", name))
            if city.done < len(city.stages):
                found |= {("stage", name, *pair) for pair in self.payments(seat, city.stages[city.done][0])}
            if name not in city.cards:
                cost = CARDS[name][2]
                chain = any(name in CARDS[one][4].split(", ") for one in city.cards)
                if chain or not cost:
                    found.add(("build", name, 0, 0))
                    continue
                coins = int(cost) if cost.isdigit() else 0
                found |= {("build", name, *pair) for pair in self.payments(seat, "" if coins else cost, coins)}
                if "free" in city.gifts() and city.free:
                    found.add(("olympia", name))
        return found

    def last_seat(self):
        return next((seat for seat, city in enumerate(self.cities) if "last" in city.gifts()), None)

    def choose(self, seat, *words):
        if self.stage == "dig":
            self.recover(words[1])
            return
        self.chosen[seat] = words
        if self.stage == "last" or len(self.chosen) == self.seats:
            self.happen()

    def happen(self):
        received = [0] * self.seats
        for seat, words in self.chosen.items():
            if words[0] in ("build", "stage"):
                self.pay(seat, words, received)
        for seat, coins in enumerate(received):
            self.cities[seat].coins += coins
        digs = any([self.place(seat, words) for seat, words in self.chosen.items()])
        for seat, words in self.chosen.items():
            self.cities[seat].coins += self.income(seat, words)
        self.chosen = {}
        if digs:
            self.digger = next(seat for seat, city in enumerate(self.cities) if "dig" in city.gifts())
        if self.stage == "choose" and max(map(len, self.hands)) == 1 and self.last_seat() is not None:
            self.stage = "last"
            return
        if max(map(len, self.hands)) <= 1:
            self.discards += [name for hand in self.hands for name in hand]
            self.hands = [[] for _hand in self.hands]
        self.stage = "choose"
        if self.digger is not None and set(self.discards) - set(self.cities[self.digger].cards):
            self.stage = "dig"
        else:
            self.go_on()

    def pay(self, seat, words, received):
        """Pay neighbours and the bank."""
        left, right = words[2:]
        cost = CARDS[words[1]][2]
        chain = any(words[1] in CARDS[one][4].split(", ") for one in self.cities[seat].cards)
        bank = int(cost) if words[0] == "build" and cost.isdigit() and not chain else 0
        self.cities[seat].coins -= left + right + bank
        assert self.cities[seat].coins >= 0
        received[(seat + 1) % self.seats] += left
        received[(seat - 1) % self.seats] += right

    def place(self, seat, words):
        """Put a card where it goes, and say whether discards may be looked through."""
        city = self.cities[seat]
        self.hands[seat].remove(words[1])
        if words[0] == "sell":
            self.discards.append(words[1])
            return False
        if words[0] == "stage":
            city.done += 1
            return "dig" in city.stages[city.done - 1]
        city.cards.append(words[1])
        city.free = city.free and words[0] != "olympia"
        return False

    def income(self, seat, words):
        """Return the coins that a choice brings at once."""
        if words[0] == "sell":
            return 3
        city = self.cities[seat]
        if words[0] == "stage":
            return sum(int(gift[1:]) for gift in city.stages[city.done - 1] if gift[0] == "$")
        gift = CARDS[words[1]][3].split()
        if "coins" not in gift:
            return 0
        if len(gift) == 2:
            return int(gift[0])
        cities = [city] if gift[3] == "own" else [city, *self.sides(seat)]
        return int(gift[0]) * sum(one.done if gift[2] == "stages" else one.colour(gift[2]) for one in cities)

    def recover(self, name):
        seat = self.digger
        if name is not None:
            self.discards.remove(name)
            self.cities[seat].cards.append(name)
            self.cities[seat].coins += self.income(seat, ("build", name))
        self.stage = "choose"
        self.go_on()

    def go_on(self):
        self.digger = None
        if any(self.hands):
            step = -1 if self.age == 1 else 1
            self.hands = [self.hands[(seat - step) % self.seats] for seat in range(self.seats)]
            return
        armies = [city.shields() for city in self.cities]
        for seat, city in enumerate(self.cities):
            for other in ((seat + 1) % self.seats, (seat - 1) % self.seats):
                city.won += (1, 3, 5)[self.age] * (armies[seat] > armies[other])
                city.lost += armies[seat] < armies[other]
        self.age += 1
        self.stage = "deal" if self.age < 3 else "over"

    def guild(self, seat, name):
        city, sides = self.cities[seat], self.sides(seat)
        kind = name.split()[0]
        if kind in GUILD_OF:
            return sum(one.colour(GUILD_OF[kind]) for one in sides)
        if kind == "Craftsmens":
            return 2 * sum(one.colour("grey") for one in sides)
        if kind == "Strategists":
            return sum(one.lost for one in sides)
        if kind == "Builders":
            return city.done + sum(one.done for one in sides)
        return city.colour("brown", "grey", "purple") if kind == "Shipowners" else 0

    def science(self, seat, extra=0):
        city = self.cities[seat]
        free = city.gifts().count("symbol") + city.cards.count("Scientists Guild") + extra
        counts = [sum(CARDS[name][3] == symbol for name in city.cards) for symbol in SYMBOLS]
        best = 0
        for code in range(3**free):
            more = counts[:]
            for place in range(free):
                more[code // 3**place % 3] += 1
            best = max(best, sum(number**2 for number in more) + 7 * min(more))
        return best

    def points(self, seat):
        """Return the points by category: conflicts, coins, wonder, blue, yellow, guilds, science."""
        city, sides = self.cities[seat], self.sides(seat)
        guilds = [name for name in city.cards if CARDS[name][1] == "purple"]
        copied = [0]
        if "copy" in city.gifts():
            for name in {name for one in sides for name in one.cards if CARDS[name][1] == "purple"}:
                gain = self.science(seat, 1) - self.science(seat)
                copied.append(gain if name == "Scientists Guild" else self.guild(seat, name))
        yellow = {
            "Arena": city.done,
            "Haven": city.colour("brown"),
            "Lighthouse": city.colour("yellow"),
            "Chamber of Commerce": 2 * city.colour("grey"),
        }
        return [
            city.won - city.lost,
            city.coins // 3,
            sum(int(gift) for gift in city.gifts() if gift.isdigit()),
            sum(int(CARDS[name][3]) for name in city.cards if CARDS[name][1] == "blue"),
            sum(points for name, points in yellow.items() if name in city.cards),
            sum(self.guild(seat, name) for name in guilds) + max(copied),
            self.science(seat),
        ]
