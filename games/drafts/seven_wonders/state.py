"""The state of 7 Wonders: cities, hands on their way round, secret choices, and cards that lie face down."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import Event, GameState, Rng, bit_count, bit_place
from tag.components import HIDDEN_TO_ALL, UNBOUNDED, Card, Component, Counter, Deck, PartiallyObservableDeck, shared
from tag.games.drafts.seven_wonders.data import (
    AGES,
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
    CARDS,
    CHAMBER,
    CHEAP,
    COIN_COST,
    COPY,
    COST,
    COUNT_BITS,
    COUNT_MASK,
    CRAFTSMENS,
    EARLY_OF,
    EARLY_SHIELDS,
    EARLY_SYMBOLS,
    EAST,
    FIRST_GUILD,
    FORUM,
    FREE,
    GOODS,
    GREY,
    GUILD_CARDS,
    GUILD_COLOUR,
    HAVEN,
    LATE,
    LATE_OF,
    LATE_SHIELDS,
    LATE_SYMBOLS,
    LIGHTHOUSE,
    MARKETPLACE,
    N_GUILDS,
    N_KINDS,
    N_STAGES,
    NAMES,
    NO_CHOICE,
    PARENTS,
    PURPLE,
    RAW,
    ROMAN,
    SCIENCE,
    SCIENTISTS,
    SELL,
    SHIPOWNERS,
    STAGE,
    STAGE_COST,
    STRATEGISTS,
    TAVERN,
    UNITS,
    USE_BITS,
    VINEYARD,
    WEST,
    WITH_POWER,
    WONDER_NAMES,
    YELLOW,
    SevenWondersParameters,
    best_science,
    blue_points,
    choice_of,
    choice_text,
    draw_cards,
    drawn_card,
    hand_size,
    kinds_in,
    names_text,
    stage_of,
)
from tag.games.drafts.seven_wonders.trade import NOTHING_PAID, Market, add_ways, has_way, paid_left, paid_right

#: Phases: all choose, a player with Babylon plays the last card, one with Halicarnassus builds a discarded card.
CHOOSE: Final = 0
LAST_CARD: Final = 1
RECOVER: Final = 2

# Cards that lie face down, as numbers: kind, age, hand, turn, player, and two flags.
_KIND_MASK: Final = 127
_AGE: Final = 7
_HAND: Final = 9
_TURN: Final = 12
_SEAT: Final = 15
_UNDER: Final = 1 << 18
_LOOKED_AT: Final = 1 << 19
_THREE: Final = 7
#: Classes of hidden cards (`SevenWondersState.class_of`), by age: the first is of cards in no hand that was seen.
_CLASS_BITS: Final = 5
_CLASS_MASK: Final = 31
_N_CLASSES: Final = AGES << _CLASS_BITS
_KNOWN: Final = -1
#: The lower bit of the count of each kind of card.
_LOW_BITS: Final = sum(UNITS)
_BOARDS: Final[dict[str, Card]] = {name: shared(Card(name)) for name in WONDER_NAMES}


@mypyc_attr(allow_interpreted_subclasses=True)
class SevenWondersState(GameState):
    """One position. Hands and sets of structures are numbers (`tag.games.drafts.seven_wonders.data`).

    `GameState.phase` says what is due, `GameState.round` is the number of ages that are over. A chosen card stays in the
    hand until all have chosen. The left neighbour is the next seat. A hand is named after the seat to which it was dealt.

    Attributes:
        rules: the parameters.
        wonders: the wonder of each seat.
        digger: the seat with Halicarnassus, -1 for none.
        age: the age, from 0.
        step: how often the hands have been passed in this age.
        cards: the cards of each hand now.
        is_free_used: whether Olympia's free structure of this age has been built.
        is_digging: whether the stage of Halicarnassus that looks through the discards was built in this turn.
        hands: the hand at each seat.
        chosen: the choice of each seat, `NO_CHOICE` before.
        coins: each player's coins.
        early: each player's structures of Ages I and II.
        late: those of Age III.
        stages: how many stages of the wonder each player has built.
        made: the resources that each city makes in every turn, and sells.
        touched: its cards that make one of two materials, by subset of the materials.
        victories: each player's points for conflicts won.
        defeats: each player's conflicts lost.
        decks: the cards of each age that are not dealt.
        face_down: all cards discarded, or under a wonder, in order.
    """

    def __init__(self, rules: SevenWondersParameters, wonders: tuple[int, ...]) -> None:
        """Start with empty cities; `copy` replaces the lists."""
        super().__init__(len(wonders))
        self.rules = rules
        self.wonders = wonders
        self.digger: i64 = -1
        self.age: i64 = 0
        self.step: i64 = 0
        self.cards: i64 = 0
        self.is_free_used = False
        self.is_digging = False
        self.hands: list[int] = []
        self.chosen: list[int] = []
        self.coins: list[int] = []
        self.early: list[int] = []
        self.late: list[int] = []
        self.stages: list[int] = []
        self.made: list[int] = []
        self.touched: list[int] = []
        self.victories: list[int] = []
        self.defeats: list[int] = []
        self.decks: tuple[int, ...] = ()
        self.face_down: tuple[int, ...] = ()

    def copy(self) -> SevenWondersState:
        """Copy the lists of numbers."""
        other = SevenWondersState(self.rules, self.wonders)
        self.copy_to(other)
        other.digger = self.digger
        other.age = self.age
        other.step = self.step
        other.cards = self.cards
        other.is_free_used = self.is_free_used
        other.is_digging = self.is_digging
        other.hands = self.hands[:]
        other.chosen = self.chosen[:]
        other.coins = self.coins[:]
        other.early = self.early[:]
        other.late = self.late[:]
        other.stages = self.stages[:]
        other.made = self.made[:]
        other.touched = self.touched[:]
        other.victories = self.victories[:]
        other.defeats = self.defeats[:]
        other.decks = self.decks
        other.face_down = self.face_down
        return other

    def is_unresolved(self) -> bool:
        """Say whether a choice is not shown yet."""
        for choice in self.chosen:  # noqa: SIM110  compiled code makes a generator for `any`
            if choice != NO_CHOICE:
                return True
        return False

    # Cities.
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
        """Return the resources that a player and the neighbours make, and the prices."""
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
                    add_ways(found, kind, STAGE, stage_ways)
                found.append(int(choice_of(kind, SELL, 0, 0)))
            hand >>= COUNT_BITS
            kind += 1
        return found

    def _add_builds(self, seat: i64, kind: i64, market: Market, found: list[int]) -> None:
        """Add the ways to build a structure."""
        cost: i64 = COST[kind]
        coins: i64 = COIN_COST[kind]
        if self.is_free_by_chain(seat, kind) or (cost == 0 and coins == 0):
            found.append(int(choice_of(kind, BUILD, 0, 0)))
            return
        ways = market.ways(cost, coins)
        if ways:
            add_ways(found, kind, BUILD, ways)
        if self.powers(seat) & FREE and not self.is_free_used:
            found.append(int(choice_of(kind, WITH_POWER, 0, 0)))

    def choice(self, seat: i64, number: i64) -> i64:
        """Return the choice of an action, with what is paid."""
        kind = number >> USE_BITS
        use = number & _THREE
        if use == SELL or use == WITH_POWER or (use == BUILD and self.is_free_by_chain(seat, kind)):
            return number
        market = self.market(seat)
        if use >= STAGE:
            ways = market.ways(STAGE_COST[stage_of(self.wonders[seat], self.stages[seat])], 0)
            return choice_of(kind, use, paid_left(ways, use - STAGE), paid_right(ways, use - STAGE))
        ways = market.ways(COST[kind], COIN_COST[kind])
        return choice_of(kind, use, paid_left(ways, use), paid_right(ways, use))

    def discarded(self) -> list[int]:
        """Return the kinds of all discards, in order."""
        return [entry & _KIND_MASK for entry in self.face_down if not entry & _UNDER]

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

    def recoverable(self, seat: i64) -> list[int]:
        """Return the kinds among the discards that a player has not built, in order."""
        return [kind for kind in sorted(set(self.discarded())) if not self.has_built(seat, kind)]

    # Cards that lie face down.
    def direction(self, age: i64) -> i64:
        """Return 1 where hands are passed to the left, in Ages I and III, else -1."""
        return -1 if age == 1 else 1

    def hand_at(self, seat: i64) -> i64:
        """Return the seat to which the hand that is now at ``seat`` was dealt."""
        return (seat - self.step * self.direction(self.age)) % self.n_players

    def lay_down(self, seat: i64, kind: i64, is_under: bool) -> None:
        """Discard a card of the hand, or lay it under the wonder."""
        entry = kind | self.age << _AGE | self.hand_at(seat) << _HAND | self.step << _TURN | seat << _SEAT
        if is_under:
            entry |= _UNDER
        self.face_down = (*self.face_down, int(entry))

    def look_through(self) -> None:
        """Show all discards to the player who may build one."""
        self.face_down = tuple([entry if entry & _UNDER else entry | _LOOKED_AT for entry in self.face_down])

    def take_discard(self, kind: i64) -> i64:
        """Take the first card of a kind out of the discards, and return who discarded it."""
        for place in range(len(self.face_down)):
            entry: i64 = self.face_down[place]
            if entry & _KIND_MASK == kind and entry & _UNDER == 0:
                self.face_down = self.face_down[:place] + self.face_down[place + 1 :]
                return entry >> _SEAT & _THREE
        return -1

    def class_of(self, entry: i64, player: i64) -> i64:
        """Return the class of a face-down card for a player: -1 if the player knows the card.

        Cards of a class can have changed places as far as the player knows: those that were taken from a hand before the
        player saw it, or between the same two times that the player saw it.
        """
        seat = entry >> _SEAT & _THREE
        if seat == player or (entry & _LOOKED_AT and player == self.digger):
            return _KNOWN
        return self._class(entry >> _AGE & 3, entry >> _HAND & _THREE, entry >> _TURN & _THREE, player)

    def class_at(self, seat: i64, player: i64) -> i64:
        """Return the class of the cards of the hand at ``seat``; -1 for the own hand."""
        return _KNOWN if seat == player else self._class(self.age, self.hand_at(seat), self.step, player)

    def _class(self, age: i64, hand: i64, turn: i64, player: i64) -> i64:
        """Return the class of cards that were in a hand, or taken from it, in a turn; a guest has seen no hand."""
        n = self.n_players
        sight = player - hand if age != 1 else hand - player
        since = turn - (sight if sight >= 0 else sight + n)
        if since < 0 or player >= n:
            return age << _CLASS_BITS
        return (age << _CLASS_BITS) + 1 + 4 * hand + (1 if since >= n else 0)

    def _gather(self, player: i64, pools: list[int], sizes: list[int]) -> list[int]:
        """Return the classes of all cards that lie face down, and count the cards of each class."""
        classes: list[int] = []
        for card in self.face_down:
            entry: i64 = card
            which = self.class_of(entry, player)
            classes.append(int(which))
            if which >= 0:
                pool: i64 = pools[which]
                pools[which] = int(pool + UNITS[(entry & _KIND_MASK) - BASE[which >> _CLASS_BITS]])
                size: i64 = sizes[which]
                sizes[which] = int(size + 1)
        return classes

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal all cards again that may have changed places as far as ``player`` knows, then the choices of others.

        All deals of the cards are as likely, and so are all choices of a player in a position.
        """
        pools = [0] * _N_CLASSES
        sizes = [0] * _N_CLASSES
        classes = self._gather(player, pools, sizes)
        hidden = self._add_hands(player, pools, sizes)
        asides = self._add_decks(pools, sizes, rng)
        entries: list[int] = []
        for place in range(len(classes)):
            entry: i64 = self.face_down[place]
            which: i64 = classes[place]
            if which >= 0:
                pool: i64 = pools[which]
                size: i64 = sizes[which]
                drawn = drawn_card(pool, size, rng)
                pools[which] = int(pool - UNITS[drawn])
                sizes[which] = int(size - 1)
                entry = entry & ~_KIND_MASK | BASE[which >> _CLASS_BITS] + drawn
            entries.append(int(entry))
        self.face_down = tuple(entries)
        for seat in range(self.n_players):
            if hidden >> seat & 1:
                which = self.class_at(seat, player)
                pool = pools[which]
                size = sizes[which]
                hand = draw_cards(pool, size, self.cards, rng) if size > self.cards else pool
                self.hands[seat] = int(hand)
                pools[which] = int(pool - hand)
                sizes[which] = int(size - self.cards)
        for age in range(self.age + 1):
            aside: i64 = asides[age]
            if aside >= 0:
                pool = pools[age << _CLASS_BITS]
                self.decks = (*self.decks[:age], int(pool + aside), *self.decks[age + 1 :])
        chosen = self.chosen
        for seat in range(self.n_players):
            if chosen[seat] != NO_CHOICE and seat != player:
                chosen[seat] = int(self.random_choice(seat, rng))

    def _add_hands(self, player: i64, pools: list[int], sizes: list[int]) -> i64:
        """Add the hands to the classes of their cards, and return the set of seats whose hands are not known."""
        hidden: i64 = 0
        unseen = self.age << _CLASS_BITS
        one: i64 = 1
        for seat in range(self.n_players):
            which = self.class_at(seat, player)
            if which == unseen or (which >= 0 and sizes[which]):
                pool: i64 = pools[which]
                size: i64 = sizes[which]
                pools[which] = int(pool + self.hands[seat])
                sizes[which] = int(size + self.cards)
                hidden |= one << seat
        return hidden

    def _add_decks(self, pools: list[int], sizes: list[int], rng: Rng) -> list[int]:
        """Add cards that are not dealt to those that were not seen; return by age those that are set aside at once.

        These are guilds that are not in the game; -1 for ages whose cards are all known, or dealt.
        """
        asides: list[int] = []
        for age in range(self.age + 1):
            deck: i64 = self.decks[age]
            which = age << _CLASS_BITS
            if deck == 0 or sizes[which] == 0:
                asides.append(-1)
                continue
            pool = pools[which] + deck
            size = sizes[which] + hand_size(deck)
            aside: i64 = 0
            if age == AGES - 1:
                number = N_GUILDS - self.rules.n_guilds(int(self.n_players))
                guilds = pool & GUILD_CARDS
                aside = draw_cards(guilds, hand_size(guilds), number, rng)
                size -= number
            pools[which] = int(pool - aside)
            sizes[which] = int(size)
            asides.append(int(aside))
        return asides

    def random_choice(self, seat: i64, rng: Rng) -> i64:
        """Return one of the `options`, each as likely, by trying uses of cards until one is possible."""
        hand: i64 = self.hands[seat]
        kinds = (hand | hand >> 1) & _LOW_BITS
        number = bit_count(kinds)
        market = self.market(seat)
        stage = stage_of(self.wonders[seat], self.stages[seat])
        base: i64 = BASE[self.age]
        while True:
            kind = base + bit_place(kinds, rng.below(number), COUNT_BITS)
            use = rng.below(SELL + 1)
            if use == SELL:
                return choice_of(kind, use, 0, 0)
            if use >= STAGE:
                ways = market.ways(STAGE_COST[stage], 0) if STAGE_COST[stage] else 0
                way = use - STAGE
            elif self.has_built(seat, kind):
                continue
            else:
                is_free = self.is_free_by_chain(seat, kind) or (COST[kind] == 0 and COIN_COST[kind] == 0)
                if use == WITH_POWER:
                    if not is_free and self.powers(seat) & FREE and not self.is_free_used:
                        return choice_of(kind, use, 0, 0)
                    continue
                ways = NOTHING_PAID if is_free else market.ways(COST[kind], COIN_COST[kind])
                way = use
            if has_way(ways, way):
                return choice_of(kind, use, paid_left(ways, way), paid_right(ways, way))

    def knows_hand(self, viewer: i64, seat: i64) -> bool:
        """Say whether ``viewer`` (-1: sees all) knows all cards of the hand at ``seat``; a guest knows none."""
        if viewer < 0 or viewer == seat:
            return True
        hand = self.class_at(seat, viewer)
        if hand & _CLASS_MASK == 0:
            return False
        for entry in self.face_down:  # noqa: SIM110  compiled code makes a generator for `all`
            if self.class_of(entry, viewer) == hand:
                return False
        return True

    def knowledge(self, player: i64) -> Hashable:
        """Return all that ``player`` knows: own cards and choice, the cards of hands seen, and what is public."""
        pools = [0] * _N_CLASSES
        classes = self._gather(player, pools, [0] * _N_CLASSES)
        known: list[int] = [int(self.age), int(self.step), int(self.cards), self.chosen[player], self.hands[player]]
        for seat in range(self.n_players):
            which = self.class_at(seat, player)
            if which >= 0:
                pools[which] += self.hands[seat]
        for which in range(_N_CLASSES):
            if which & _CLASS_MASK:
                known.append(pools[which])
        for place in range(len(classes)):
            card = self.face_down[place]
            known.append(classes[place])
            known.append(card if classes[place] == _KNOWN else card & ~_KIND_MASK)
        for age in range(self.age + 1):
            known.append(int(hand_size(self.decks[age])))
        lists = [self.coins, self.early, self.late, self.stages, self.victories, self.defeats]
        for numbers in lists:
            known += numbers
        have_chosen = tuple([choice != NO_CHOICE for choice in self.chosen])
        flags = (self.is_free_used, self.is_digging, *have_chosen)
        return (self.basic_knowledge(player), tuple(known), flags, self.wonders, self.decks[self.age + 1 :])

    def deal(self, rng: Rng) -> None:
        """Deal a hand of the age to each player; in Age III guilds that are not in the game are taken out first."""
        deck: i64 = self.decks[self.age]
        aside: i64 = 0
        if self.age == AGES - 1:
            number = N_GUILDS - self.rules.n_guilds(int(self.n_players))
            aside = draw_cards(deck & GUILD_CARDS, N_GUILDS, number, rng)
            deck -= aside
        size = hand_size(deck)
        self.cards = self.rules.hand
        self.step = 0
        for seat in range(self.n_players):
            hand = draw_cards(deck, size, self.cards, rng)
            deck -= hand
            size -= self.cards
            self.hands[seat] = int(hand)
        self.decks = (*self.decks[: self.age], int(deck + aside), *self.decks[self.age + 1 :])

    def pass_hands(self) -> None:
        """Pass all hands to the next player of the age's direction."""
        hands = self.hands
        if self.age == 1:
            hands.append(hands.pop(0))
        else:
            hands.insert(0, hands.pop())
        self.step += 1

    # Points.
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
            int(blue_points(self.early[seat], self.late[seat])),
            int(self.yellow_points(seat)),
            int(self.purple_points(seat) + self.copied_points(seat)),
            int(self.science_points(seat, self.free_symbols(seat))),
        ]

    def score(self, player: i64) -> float:
        """Return the points that the player would have if the game ended now; all of them are public."""
        return float(sum(self.points(player)))

    def tiebreak(self, player: i64, tier: i64) -> float:
        """Return the coins."""
        return float(self.coins[player])

    def tiebreak_tiers(self) -> i64:
        return 1

    # For people.
    def announce_hands(self) -> None:
        """Announce the hands that have been dealt, each to its player."""
        for seat in range(self.n_players):
            cards = tuple([NAMES[kind] for kind in kinds_in(self.age, self.hands[seat])])
            places = (f"hand of {seat}", f"cards of Age {ROMAN[self.age]}")
            self.announce(Event("dealt", seat, 0.0, cards, places, seen_by=1 << seat))

    def components(self) -> list[Component]:
        found: list[Component] = []
        for age in range(AGES):
            cards = [CARDS[kind] for kind in kinds_in(age, self.decks[age])]
            found.append(Deck(f"cards of Age {ROMAN[age]}", cards, visibility=HIDDEN_TO_ALL))
        found.append(self._pile("discards", -1))
        for seat in range(self.n_players):
            hand = [CARDS[kind] for kind in kinds_in(self.age, self.hands[seat])]
            knowers = sum([1 << viewer for viewer in range(int(self.n_players)) if self.knows_hand(viewer, seat)])
            seen = [knowers] * len(hand)
            found.append(PartiallyObservableDeck(f"hand of {seat}", hand, self.n_players, seat, seen=seen))
            built = [CARDS[kind] for kind in range(N_KINDS) if self.has_built(seat, kind)]
            found.append(Deck(f"board of {seat}", [_BOARDS[WONDER_NAMES[self.wonders[seat]]]], seat))
            found.append(Deck(f"city of {seat}", built, seat))
            found.append(self._pile(f"wonder of {seat}", seat))
            counters = (("coins", self.coins), ("victories", self.victories), ("defeats", self.defeats))
            for name, numbers in counters:
                found.append(Counter(f"{name} of {seat}", numbers[seat], 0, UNBOUNDED, owner=seat))
        return found

    def _pile(self, name: str, seat: i64) -> Component:
        """Return the discards, or the cards under the wonder of ``seat``; players know some of them."""
        cards: list[Card] = []
        seen: list[int] = []
        for card in self.face_down:
            entry: i64 = card
            is_here = entry & _UNDER == 0 if seat < 0 else entry & _UNDER and entry >> _SEAT & _THREE == seat
            if is_here:
                cards.append(CARDS[entry & _KIND_MASK])
                knowers = [v for v in range(int(self.n_players)) if self.class_of(entry, v) == _KNOWN]
                seen.append(sum([1 << viewer for viewer in knowers]))
        return PartiallyObservableDeck(name, cards, self.n_players, seat, seen=seen)

    def text(self, viewer: i64) -> str:
        """Return the position as ``viewer`` (-1: sees all) knows it."""
        due = ("to choose", "to play the last card", "to build a discarded card")[self.phase]
        shown = "over" if self.is_terminal else f"player {self.current_player} {due}"
        to = "left" if self.direction(self.age) > 0 else "right"
        lines = [
            f"Age {ROMAN[self.age]}, turn {self.step + 1}, {shown}; {self.cards} cards in each hand, passed to the {to}"
        ]
        for seat in range(self.n_players):
            wonder = self.wonders[seat]
            hand = names_text(kinds_in(self.age, self.hands[seat])) if self.knows_hand(viewer, seat) else "?"
            text = f"player {seat}  {WONDER_NAMES[wonder]} stage {self.stages[seat]} of {N_STAGES[wonder]}"
            text += (
                f"  coins {self.coins[seat]}  shields {self.shields(seat)}  points {self.score(seat):.0f}  hand {hand}"
            )
            if self.chosen[seat] != NO_CHOICE:
                is_open = viewer < 0 or viewer == seat
                text += f" (chosen: {choice_text(self.chosen[seat])})" if is_open else " (has chosen)"
            city = names_text([kind for kind in range(N_KINDS) if self.has_built(seat, kind)])
            lines.append(f"{text}  city {city}")
        pile = self.discarded()
        is_open = viewer < 0 or (viewer == self.digger and self.phase == RECOVER)
        names = names_text(pile) if is_open else str(len(pile))
        lines.append(f"discards: {names}")
        return "\n".join(lines)
