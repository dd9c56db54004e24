"""Cities: what they make, what their players can do with a card, what resources cost, and points."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import GameState, bit_count, bit_place
from tag.games.drafts.seven_wonders.data import (
    ANY,
    ARENA,
    BASE,
    BAZAR,
    BROWN,
    BUILD,
    BUILDERS,
    BUILT_POINTS,
    BUILT_POWERS,
    BUILT_SHIELDS,
    CARAVANSERY,
    CHAMBER,
    CHEAP,
    COIN_COST,
    COPY,
    COST,
    COUNT_BITS,
    COUNT_MASK,
    CRAFTSMENS,
    EARLY_OF,
    EARLY_POINTS,
    EARLY_SHIELDS,
    EARLY_SYMBOLS,
    EAST,
    FIRST_GUILD,
    FORUM,
    FREE,
    GOODS,
    GREY,
    GUILD_COLOUR,
    HAVEN,
    LATE,
    LATE_OF,
    LATE_POINTS,
    LATE_SHIELDS,
    LATE_SYMBOLS,
    LEFT_SHIFT,
    LIGHTHOUSE,
    MARKETPLACE,
    MOST_POINTS,
    N_STAGES,
    PARENTS,
    PAY_MASK,
    PURPLE,
    RAW,
    RIGHT_SHIFT,
    SCIENCE,
    SCIENTISTS,
    SELL,
    SHIPOWNERS,
    STAGE,
    STAGE_COST,
    STRATEGISTS,
    SYMBOLS,
    TAVERN,
    USE_BITS,
    VINEYARD,
    WEST,
    WITH_POWER,
    YELLOW,
    SevenWondersParameters,
    choice_of,
    stage_of,
)
from tag.games.drafts.seven_wonders.trade import Market, has_way, paid_left, paid_right

WAYS: Final = 3
_USE_MASK: Final = 7


@mypyc_attr(allow_interpreted_subclasses=True)
class CitiesState(GameState):
    """The public part of a position, and hands. The left neighbour is the next seat.

    Attributes:
        rules: the parameters.
        wonders: the wonder of each seat.
        age: the age, from 0.
        is_free_used: whether Olympia's free structure of this age has been built.
        hands: the hand at each seat.
        coins: each player's coins.
        early: each player's structures of Ages I and II.
        late: those of Age III.
        stages: how many stages of the wonder each player has built.
        made: the resources that each city makes in every turn, and sells.
        touched: its cards that make one of two materials, by subset of the materials.
        victories: each player's points for conflicts won.
        defeats: each player's conflicts lost.
    """

    def __init__(self, rules: SevenWondersParameters, wonders: tuple[int, ...]) -> None:
        """Start with empty lists, which are replaced."""
        super().__init__(len(wonders))
        self.rules = rules
        self.wonders = wonders
        self.age: i64 = 0
        self.is_free_used = False
        self.hands: list[int] = []
        self.coins: list[int] = []
        self.early: list[int] = []
        self.late: list[int] = []
        self.stages: list[int] = []
        self.made: list[int] = []
        self.touched: list[int] = []
        self.victories: list[int] = []
        self.defeats: list[int] = []

    def copy_cities(self, other: CitiesState) -> None:
        """Copy the lists of numbers to ``other``."""
        self.copy_to(other)
        other.age = self.age
        other.is_free_used = self.is_free_used
        other.hands = self.hands[:]
        other.coins = self.coins[:]
        other.early = self.early[:]
        other.late = self.late[:]
        other.stages = self.stages[:]
        other.made = self.made[:]
        other.touched = self.touched[:]
        other.victories = self.victories[:]
        other.defeats = self.defeats[:]

    def left_of(self, seat: i64) -> i64:
        """Return the left neighbour, the next seat."""
        return seat + 1 if seat + 1 < self.n_players else 0

    def right_of(self, seat: i64) -> i64:
        """Return the right neighbour."""
        return seat - 1 if seat > 0 else self.n_players - 1

    def has_built(self, seat: i64, kind: i64) -> bool:
        """Say whether a city has a structure."""
        if kind < LATE:
            early: i64 = self.early[seat]
            return early >> kind & 1 == 1
        late: i64 = self.late[seat]
        return late >> (kind - LATE) & 1 == 1

    def is_free_by_chain(self, seat: i64, kind: i64) -> bool:
        """Say whether a structure of the city makes another one free."""
        early: i64 = self.early[seat]
        return early & PARENTS[kind] != 0

    def structures(self, seat: i64, colour: i64) -> i64:
        """Return how many structures of a colour a city has."""
        early: i64 = self.early[seat]
        late: i64 = self.late[seat]
        return bit_count(early & EARLY_OF[colour]) + bit_count(late & LATE_OF[colour])

    def around(self, seat: i64, colour: i64) -> i64:
        """Return how many structures of a colour a city and its neighbours have."""
        neighbours = self.structures(self.left_of(seat), colour) + self.structures(self.right_of(seat), colour)
        return self.structures(seat, colour) + neighbours

    def powers(self, seat: i64) -> i64:
        """Return the powers of the stages that a player has built, as bits."""
        return BUILT_POWERS[stage_of(self.wonders[seat], self.stages[seat])]

    def market(self, seat: i64) -> Market:
        """Return what a player and the neighbours make, and the prices."""
        left, right = self.left_of(seat), self.right_of(seat)
        early: i64 = self.early[seat]
        powers = self.powers(seat)
        rules = self.rules
        found = Market()
        found.set_choice(rules.splits)
        found.purse = self.coins[seat]
        found.made = self.made[seat]
        found.made_left = self.made[left]
        found.made_right = self.made[right]
        found.touched_left = self.touched[left]
        found.touched_right = self.touched[right]
        wild = (early >> CARAVANSERY & 1) + (1 if powers & RAW else 0)
        found.touched = self.touched[seat] + wild * ANY
        found.goods = (early >> FORUM & 1) + (1 if powers & GOODS else 0)
        is_cheap = powers & CHEAP != 0
        found.raw_left = rules.low_price if is_cheap or early >> WEST & 1 else rules.price
        found.raw_right = rules.low_price if is_cheap or early >> EAST & 1 else rules.price
        found.goods_price = rules.low_price if early >> MARKETPLACE & 1 else rules.price
        return found

    def options(self, seat: i64) -> list[int]:
        """Return all choices of a player: the ways to use each kind of card in hand."""
        hand: i64 = self.hands[seat]
        market = self.market(seat)
        wonder: i64 = self.wonders[seat]
        stages: i64 = self.stages[seat]
        stage_ways: i64 = 0
        if stages < N_STAGES[wonder]:
            stage_ways = market.ways(STAGE_COST[stage_of(wonder, stages)], 0)
        base: i64 = BASE[self.age]
        found: list[int] = []
        kind = base
        while hand:
            if hand & COUNT_MASK:
                if not self.has_built(seat, kind):
                    self._add_builds(seat, kind, market, found)
                if stage_ways:
                    _add_ways(found, kind, STAGE, stage_ways)
                found.append(int(choice_of(kind, SELL, 0, 0)))
            hand >>= COUNT_BITS
            kind += 1
        return found

    def _add_builds(self, seat: i64, kind: i64, market: Market, found: list[int]) -> None:
        """Add the ways to build a structure."""
        early: i64 = self.early[seat]
        cost: i64 = COST[kind]
        coins: i64 = COIN_COST[kind]
        if early & PARENTS[kind] or (cost == 0 and coins == 0):
            found.append(int(choice_of(kind, BUILD, 0, 0)))
            return
        ways = market.ways(cost, coins)
        if ways:
            _add_ways(found, kind, BUILD, ways)
        if self.powers(seat) & FREE and not self.is_free_used:
            found.append(int(choice_of(kind, WITH_POWER, 0, 0)))

    def choice(self, seat: i64, number: i64) -> i64:
        """Return the choice of an action, with what is paid."""
        kind = number >> USE_BITS
        use = number & _USE_MASK
        if use == SELL or use == WITH_POWER or (use == BUILD and self.early[seat] & PARENTS[kind]):
            return number
        market = self.market(seat)
        if use >= STAGE:
            ways = market.ways(STAGE_COST[stage_of(self.wonders[seat], self.stages[seat])], 0)
            return choice_of(kind, use, paid_left(ways, use - STAGE), paid_right(ways, use - STAGE))
        ways = market.ways(COST[kind], COIN_COST[kind])
        return choice_of(kind, use, paid_left(ways, use), paid_right(ways, use))

    def price_of(self, seat: i64, number: i64) -> i64:
        """Return the coins that an action of a card costs, to the bank and to the neighbours."""
        choice = self.choice(seat, number)
        use = number & _USE_MASK
        kind = number >> USE_BITS
        bank: i64 = COIN_COST[kind] if use < WITH_POWER else 0
        return bank + (choice >> LEFT_SHIFT & PAY_MASK) + (choice >> RIGHT_SHIFT & PAY_MASK)

    def coins_for(self, seat: i64, kind: i64) -> i64:
        """Return the coins that a structure brings once it is built."""
        if kind == TAVERN:
            return self.rules.tavern
        if kind == VINEYARD:
            return self.around(seat, BROWN)
        if kind == BAZAR:
            return 2 * self.around(seat, GREY)
        if kind == HAVEN:
            return self.structures(seat, BROWN)
        if kind == LIGHTHOUSE:
            return self.structures(seat, YELLOW)
        if kind == CHAMBER:
            return 2 * self.structures(seat, GREY)
        if kind == ARENA:
            return 3 * self.stages[seat]
        return 0

    def shields(self, seat: i64) -> i64:
        """Return the shields of a city."""
        early: i64 = self.early[seat]
        late: i64 = self.late[seat]
        found: i64 = BUILT_SHIELDS[stage_of(self.wonders[seat], self.stages[seat])]
        found += bit_count(early & EARLY_SHIELDS[1]) + 2 * bit_count(early & EARLY_SHIELDS[2])
        return found + 3 * bit_count(late & LATE_SHIELDS)

    def conflict_points(self, seat: i64) -> i64:
        """Return the points of conflicts, which may be negative."""
        return self.victories[seat] - self.rules.defeat * self.defeats[seat]

    def blue_points(self, seat: i64) -> i64:
        """Return the points of civilian structures."""
        early: i64 = self.early[seat]
        late: i64 = self.late[seat]
        found: i64 = 0
        for points in range(2, MOST_POINTS + 1):
            number = bit_count(early & EARLY_POINTS[points]) + bit_count(late & LATE_POINTS[points])
            found += points * number
        return found

    def yellow_points(self, seat: i64) -> i64:
        """Return the points of the commercial structures of Age III."""
        found: i64 = 0
        for kind in range(HAVEN, ARENA + 1):
            if self.has_built(seat, kind):
                found += self.yellow_gain(seat, kind)
        return found

    def yellow_gain(self, seat: i64, kind: i64) -> i64:
        """Return the points of a commercial structure once it is built; only those of Age III have any."""
        if kind < LATE:
            return 0
        return self.stages[seat] if kind == ARENA else self.coins_for(seat, kind)

    def symbols(self, seat: i64, symbol: i64) -> i64:
        """Return how many structures have one of the three symbols of science."""
        early: i64 = self.early[seat]
        late: i64 = self.late[seat]
        return bit_count(early & EARLY_SYMBOLS[symbol]) + bit_count(late & LATE_SYMBOLS[symbol])

    def free_symbols(self, seat: i64) -> i64:
        """Return how many symbols a player may choose."""
        return (1 if self.powers(seat) & SCIENCE else 0) + (1 if self.has_built(seat, SCIENTISTS) else 0)

    def science_points(self, seat: i64, free: i64) -> i64:
        """Return the points of science with ``free`` symbols chosen in the best way."""
        return best_science(
            self.symbols(seat, 0), self.symbols(seat, 1), self.symbols(seat, 2), free, self.rules.science_set
        )

    def science_gain(self, seat: i64, symbol: i64) -> float:
        """Return the points that another symbol adds."""
        numbers = [self.symbols(seat, place) for place in range(len(SYMBOLS))]
        free, per_set = self.free_symbols(seat), self.rules.science_set
        before = best_science(numbers[0], numbers[1], numbers[2], free, per_set)
        numbers[symbol] += 1
        return float(best_science(numbers[0], numbers[1], numbers[2], free, per_set) - before)

    def guild_points(self, seat: i64, guild: i64) -> i64:
        """Return the points that a guild is worth to a player; a symbol of science is not counted."""
        left, right = self.left_of(seat), self.right_of(seat)
        colour: i64 = GUILD_COLOUR[guild - FIRST_GUILD]
        if colour >= 0:
            number = self.structures(left, colour) + self.structures(right, colour)
            return 2 * number if guild == CRAFTSMENS else number
        if guild == STRATEGISTS:
            return self.defeats[left] + self.defeats[right]
        if guild == SHIPOWNERS:
            return self.structures(seat, BROWN) + self.structures(seat, GREY) + self.structures(seat, PURPLE)
        if guild == BUILDERS:
            return self.stages[seat] + self.stages[left] + self.stages[right]
        return 0

    def purple_points(self, seat: i64) -> i64:
        """Return the points of guilds, without symbols of science and without the copied one."""
        guilds: i64 = self.late[seat] & LATE_OF[PURPLE]
        found: i64 = 0
        while guilds:
            found += self.guild_points(seat, LATE + bit_place(guilds, 0, 1))
            guilds &= guilds - 1
        return found

    def copied_points(self, seat: i64) -> i64:
        """Return the points of the neighbours' guild that is worth most to a player who may copy one."""
        if self.powers(seat) & COPY == 0:
            return 0
        guilds: i64 = (self.late[self.left_of(seat)] | self.late[self.right_of(seat)]) & LATE_OF[PURPLE]
        free = self.free_symbols(seat)
        most: i64 = 0
        while guilds:
            guild = LATE + bit_place(guilds, 0, 1)
            points = self.guild_points(seat, guild)
            if guild == SCIENTISTS:
                points = self.science_points(seat, free + 1) - self.science_points(seat, free)
            most = max(most, points)
            guilds &= guilds - 1
        return most

    def points(self, seat: i64) -> list[int]:
        """Return the points of a player by category, in the order of `CATEGORIES`, as if the game ended now."""
        return [
            int(self.conflict_points(seat)),
            int(self.coins[seat] // self.rules.treasury),
            BUILT_POINTS[stage_of(self.wonders[seat], self.stages[seat])],
            int(self.blue_points(seat)),
            int(self.yellow_points(seat)),
            int(self.purple_points(seat) + self.copied_points(seat)),
            int(self.science_points(seat, self.free_symbols(seat))),
        ]

    def score(self, player: i64) -> float:
        """Return the points that the player would have if the game ended now; all of them are public."""
        points: i64 = BUILT_POINTS[stage_of(self.wonders[player], self.stages[player])]
        points += self.conflict_points(player) + self.coins[player] // self.rules.treasury
        points += self.blue_points(player) + self.science_points(player, self.free_symbols(player))
        if self.late[player]:
            points += self.yellow_points(player) + self.purple_points(player)
        return float(points + self.copied_points(player))

    def tiebreak(self, player: i64, tier: i64) -> float:
        """Return the coins."""
        return float(self.coins[player])

    def tiebreak_tiers(self) -> i64:
        return 1


def _add_ways(found: list[int], kind: i64, use: i64, ways: i64) -> None:
    """Add a choice for each way to pay."""
    for way in range(WAYS):
        if has_way(ways, way):
            found.append(int(choice_of(kind, use + way, paid_left(ways, way), paid_right(ways, way))))


def best_science(first: i64, second: i64, third: i64, free: i64, per_set: i64) -> i64:
    """Return the most points of symbols of science, ``free`` of them chosen: squares, and points for each set of three.

    Examples:
        >>> best_science(2, 2, 1, 0, 7), best_science(2, 2, 1, 1, 7), best_science(4, 0, 0, 1, 7)
        (16, 26, 25)
    """
    if free > 0:
        most = best_science(first + 1, second, third, free - 1, per_set)
        most = max(most, best_science(first, second + 1, third, free - 1, per_set))
        return max(most, best_science(first, second, third + 1, free - 1, per_set))
    sets = min(min(first, second), third)
    return first * first + second * second + third * third + per_set * sets
