"""The state of Catan: the island and its pieces, hands with all that players know of them, and development cards."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import Event, GameState, Rng, bit_count
from tag.components import (
    HIDDEN_TO_ALL,
    VISIBLE_TO_ALL,
    VISIBLE_TO_OWNER,
    Board,
    Component,
    Counter,
    Deck,
    Die,
    GraphBoard,
    HexBoard,
)
from tag.games.boards.catan.data import (
    ALONE,
    ANSWER,
    ANY,
    BESIDE,
    BIT,
    CARD_COUNTS,
    CARD_NAMES,
    CERTAIN,
    CHOOSE,
    CORNER_GRAPH,
    DESERT,
    ENDS,
    GRID,
    HARBOUR_SETS,
    HEX_SETS,
    ISLAND,
    KINDS,
    MASK,
    MOST_WORLDS,
    N_CORNERS,
    N_HEXES,
    N_KINDS,
    N_PATHS,
    N_ROADS,
    NO_HEX,
    NO_PLAYER,
    ONE,
    OVER,
    PHASE_TEXTS,
    PIPS,
    RESOURCES,
    ROW,
    STARTS,
    VICTORY,
    CatanParameters,
    after_theft,
    cards_text,
    extreme,
    has,
    kind_at,
    names_of,
    pack,
    places_with,
    size_of,
)

FACES: Final = (1, 2, 3, 4, 5, 6)


@mypyc_attr(allow_interpreted_subclasses=True)
class CatanState(GameState):
    """One position. Sets of corners have a bit for each; sets of cards count each kind in six bits (`data.pack`).

    Attributes:
        rules: the parameters.
        terrain: the resource of each hex, or `data.DESERT`.
        discs: the number on each hex, 0 for the desert.
        harbours: the resource of each harbour, or `data.ANY`.
        robber: the hex of the robber.
        roads: the owner of the road on each path, -1 for none.
        settlements: the corners with a settlement of each player.
        cities: the corners with a city of each player.
        reach: the corners at roads of each player.
        taken: the corners that are built upon, and those next to them.
        rates: for each player the harbours, a bit for each resource and one for those for any.
        lengths: the length of each player's longest road.
        road_holder: who has the longest road, -1 for none.
        army_holder: who has the largest army, -1 for none.
        knights: the knights that each player has played.
        hands: the resource cards of each player.
        base: for each player the hand from which worlds differ.
        worlds: all hands that are possible by what every player has seen, as differences from it (`worlds`).
        weights: how likely each of them is.
        bank: the resource cards in the bank.
        cards: the development cards in each player's hand.
        fresh: those of them that the player whose turn it is has bought in this turn.
        deck: the development cards that are left; they have no order, as they are drawn by chance.
        shown: the points without cards of each player at the end of the own last turn.
        has_played: whether a development card was played in this turn.
        was_seen: whether all have seen the last card that was stolen.
        has_rolled: whether the dice were rolled in this turn.
        first_die: the first die of the last roll, 0 before any.
        second_die: the second die.
        last_corner: the settlement that the next road of the set-up starts at.
        left: cards that the player still has to discard, or free roads that are left.
        due: the players who are still to discard, or to answer an offer.
        offers: the offers made in this turn.
        gives: the resource offered.
        number: how many cards of it.
        gets: the resource that is asked for, one card.
        accepted: the players who accept the offer.
    """

    def __init__(self, n_players: i64, rules: CatanParameters) -> None:
        """Start before the set-up, on an island without terrain."""
        super().__init__(n_players)
        number = int(n_players)
        self.rules = rules
        self.terrain: tuple[int, ...] = ()
        self.discs: tuple[int, ...] = ()
        self.harbours: tuple[int, ...] = ()
        self.robber: i64 = NO_HEX
        self.roads = [NO_PLAYER] * N_PATHS
        self.settlements = [0] * number
        self.cities = [0] * number
        self.reach = [0] * number
        self.taken: i64 = 0
        self.rates = [0] * number
        self.lengths = [0] * number
        self.road_holder: i64 = NO_PLAYER
        self.army_holder: i64 = NO_PLAYER
        self.knights = [0] * number
        self.hands = [0] * number
        self.base = [0] * number
        self.worlds: tuple[tuple[int, ...], ...] = CERTAIN[number]
        self.weights: tuple[float, ...] = ALONE
        self.bank: i64 = rules.bank * pack([1] * N_KINDS)
        self.cards = [0] * number
        self.fresh: i64 = 0
        self.deck: i64 = pack(CARD_COUNTS)
        self.shown = [0] * number
        self.has_played = False
        self.has_rolled = False
        self.was_seen = False
        self.first_die: i64 = 0
        self.second_die: i64 = 0
        self.last_corner: i64 = 0
        self.left: i64 = 0
        self.due: i64 = 0
        self.offers: i64 = 0
        self.gives: i64 = 0
        self.number: i64 = 0
        self.gets: i64 = 0
        self.accepted: i64 = 0

    def copy(self) -> CatanState:
        other = CatanState(self.n_players, self.rules)
        self.copy_to(other)
        other.terrain = self.terrain
        other.discs = self.discs
        other.harbours = self.harbours
        other.robber = self.robber
        other.roads = self.roads[:]
        other.settlements = self.settlements[:]
        other.cities = self.cities[:]
        other.reach = self.reach[:]
        other.taken = self.taken
        other.rates = self.rates[:]
        other.lengths = self.lengths[:]
        other.road_holder = self.road_holder
        other.army_holder = self.army_holder
        other.knights = self.knights[:]
        other.hands = self.hands[:]
        other.base = self.base[:]
        other.worlds = self.worlds
        other.weights = self.weights
        other.bank = self.bank
        other.cards = self.cards[:]
        other.fresh = self.fresh
        other.deck = self.deck
        other.shown = self.shown[:]
        other.has_played = self.has_played
        other.has_rolled = self.has_rolled
        other.was_seen = self.was_seen
        other.first_die = self.first_die
        other.second_die = self.second_die
        other.last_corner = self.last_corner
        other.left = self.left
        other.due = self.due
        other.offers = self.offers
        other.gives = self.gives
        other.number = self.number
        other.gets = self.gets
        other.accepted = self.accepted
        return other

    # Points, buildings and roads

    def open_points(self, player: i64) -> i64:
        """Return the points of a player without those of cards in hand."""
        points = bit_count(self.settlements[player]) + 2 * bit_count(self.cities[player])
        if self.road_holder == player:
            points += 2
        if self.army_holder == player:
            points += 2
        return points

    def points(self, player: i64) -> i64:
        """Return all points of a player."""
        return self.open_points(player) + (self.cards[player] >> ROW * VICTORY & MASK)

    def score(self, player: i64) -> float:
        """Return the points that all see; at the end these are all."""
        return float(self.points(player) if self.phase == OVER else self.open_points(player))

    def built(self, player: i64) -> i64:
        """Return the corners with settlements and cities of a player."""
        settlements: i64 = self.settlements[player]
        return settlements | self.cities[player]

    def blocked(self, player: i64) -> i64:
        """Return the corners with settlements and cities of other players."""
        found: i64 = 0
        for other in range(self.n_players):
            if other != player:
                found |= self.built(other)
        return found

    def roads_left(self, player: i64) -> i64:
        """Return how many roads a player has not built."""
        left: i64 = N_ROADS
        for owner in self.roads:
            if owner == player:
                left -= 1
        return left

    def road_paths(self, player: i64) -> list[int]:
        """Return the paths on which a player can build a road: next to own pieces, and not beyond buildings of others."""
        roads = self.roads
        ends = (self.reach[player] | self.built(player)) & ~self.blocked(player)
        found: list[int] = []
        for path in range(N_PATHS):
            if roads[path] < 0 and (ends >> STARTS[path] | ends >> ENDS[path]) & 1:
                found.append(path)
        return found

    def build_road(self, player: i64, path: i64) -> None:
        """Build a road, and find out who has the longest."""
        self.roads[path] = int(player)
        start: i64 = STARTS[path]
        end: i64 = ENDS[path]
        self.reach[player] = int(self.reach[player] | BIT[start] | BIT[end])
        self.lengths[player] = int(ISLAND.longest_way(self.roads, player, self.blocked(player)))
        self.award_road()

    def settle(self, player: i64, corner: i64) -> None:
        """Build a settlement, which opens harbours, and breaks roads of others that go on beyond it."""
        self.settlements[player] = int(self.settlements[player] | BIT[corner])
        self.taken |= BIT[corner] | BESIDE[corner]
        for harbour in range(len(HARBOUR_SETS)):
            if HARBOUR_SETS[harbour] >> corner & 1:
                self.rates[player] = int(self.rates[player] | BIT[self.harbours[harbour]])
        for other in range(self.n_players):
            if other != player and self.reach[other] >> corner & 1:
                self.lengths[other] = int(ISLAND.longest_way(self.roads, other, self.blocked(other)))
        self.award_road()

    def award_road(self) -> None:
        """Give the longest road to its player: who has it keeps it in a tie; in a tie of others it is set aside."""
        longest: i64 = 0
        leader: i64 = NO_PLAYER
        for player in range(self.n_players):
            length: i64 = self.lengths[player]
            if length > longest:
                longest = length
                leader = player
            elif length == longest:
                leader = NO_PLAYER
        before = self.road_holder
        if longest < self.rules.longest_road:
            self.road_holder = NO_PLAYER
        elif before < 0 or self.lengths[before] < longest:
            self.road_holder = leader
        if self.recording and self.road_holder != before:
            self._announce_award("longest road", self.road_holder, longest)

    def award_army(self, player: i64) -> None:
        """Give the largest army to a player who has just played a knight, if it is the larger one."""
        army: i64 = self.knights[player]
        holder = self.army_holder
        if army >= self.rules.largest_army and (holder < 0 or army > self.knights[holder]):
            self.army_holder = player
            if self.recording and holder != player:
                self._announce_award("largest army", player, army)

    def _announce_award(self, name: str, player: i64, value: i64) -> None:
        words = "{player} has the " + name + ", {value}" if player >= 0 else f"the {name} is set aside"
        points = tuple([f"points of {seat}" for seat in range(self.n_players)])
        self.announce(Event(name, player, float(value), (), (name, *points), words=words))

    def has_harbour(self, corner: i64) -> bool:
        """Say whether there is a harbour at a corner."""
        for harbour in HARBOUR_SETS:  # noqa: SIM110  compiled code makes a generator for `any`
            if harbour >> corner & 1:
                return True
        return False

    def rate(self, player: i64, kind: i64) -> i64:
        """Return how many cards of a kind the bank takes for one."""
        harbours: i64 = self.rates[player]
        return 2 if harbours >> kind & 1 else 3 if harbours >> ANY & 1 else 4

    def production(self, player: i64, number: i64) -> i64:
        """Return the cards that a player is due by a roll; the robber's hex yields none."""
        settlements: i64 = self.settlements[player]
        cities: i64 = self.cities[player]
        found: i64 = 0
        for place in range(N_HEXES):
            if self.discs[place] == number and place != self.robber:
                there: i64 = HEX_SETS[place]
                cards = bit_count(there & settlements) + 2 * bit_count(there & cities)
                if cards:
                    found += cards * ONE[self.terrain[place]]
        return found

    def pips(self, player: i64, kind: i64) -> i64:
        """Return the ways of 36 in which a player is due a card of a kind; those by cities count twice."""
        settlements: i64 = self.settlements[player]
        cities: i64 = self.cities[player]
        found: i64 = 0
        for place in range(N_HEXES):
            if self.terrain[place] == kind and place != self.robber:
                there: i64 = HEX_SETS[place]
                found += PIPS[self.discs[place]] * (bit_count(there & settlements) + 2 * bit_count(there & cities))
        return found

    # Resource cards, and what all know of them

    def gain(self, player: i64, cards: i64) -> None:
        """Take cards from the bank, for all to see."""
        self.bank -= cards
        self._change(player, cards)

    def _change(self, player: i64, cards: i64) -> None:
        self.hands[player] = int(self.hands[player] + cards)
        self.base[player] = int(self.base[player] + cards)

    def pay(self, player: i64, cards: i64) -> None:
        """Put cards into the bank, for all to see."""
        self.show(player, cards)
        self.bank += cards
        self._change(player, -cards)

    def give(self, player: i64, other: i64, cards: i64) -> None:
        """Give cards to another player, for all to see."""
        self.show(player, cards)
        self._change(player, -cards)
        self._change(other, cards)

    def show(self, player: i64, cards: i64) -> None:
        """Let all know that a player has at least these cards."""
        if len(self.worlds) > 1:
            self._keep(places_with(self.base[player], self.worlds, player, cards))

    def monopolise(self, player: i64, kind: i64) -> i64:
        """Take all cards of a kind from the others, for all to see, and return how many they are."""
        found: i64 = 0
        for other in range(self.n_players):
            if other != player:
                cards: i64 = (self.hands[other] >> ROW * kind & MASK) * ONE[kind]
                self.show(other, cards)
                self._change(other, -cards)
                found += cards
                if len(self.worlds) > 1:
                    base = self.base[other]
                    rest = [place for place, world in enumerate(self.worlds) if not has(base + world[other], ONE[kind])]
                    self._keep(rest)
        self._change(player, found)
        return found >> ROW * kind

    def steal(self, player: i64, victim: i64, rng: Rng) -> i64:
        """Take a random card, which only both players see unless too much would be uncertain, and return its kind."""
        hand: i64 = self.hands[victim]
        kind = kind_at(hand, rng.below(size_of(hand)))
        card: i64 = ONE[kind]
        found = after_theft(self.base, self.worlds, self.weights, player, victim)
        self.was_seen = len(found) > MOST_WORLDS
        if self.was_seen:
            self.show(victim, card)
            self._change(victim, -card)
            self._change(player, card)
            return kind
        self.hands[victim] = int(hand - card)
        self.hands[player] = int(self.hands[player] + card)
        self.worlds, self.weights = tuple(found.keys()), tuple(found.values())
        if len(found) == 1:
            self._settle_worlds()
        return kind

    def _keep(self, places: list[int]) -> None:
        """Rule out all other worlds."""
        if len(places) == len(self.worlds):
            return
        total = 0.0
        for place in places:
            total += self.weights[place]
        self.weights = tuple([self.weights[place] / total for place in places])
        self.worlds = tuple([self.worlds[place] for place in places])
        if len(places) == 1:
            self._settle_worlds()

    def _settle_worlds(self) -> None:
        """Make the one world that is left that of the hands which stand for all."""
        world = self.worlds[0]
        for player in range(self.n_players):
            self.base[player] = int(self.base[player] + world[player])
        self.worlds, self.weights = CERTAIN[self.n_players], ALONE

    def least_of(self, player: i64) -> i64:
        """Return the least number of each kind that a player has, by what all have seen."""
        return self.base[player] if len(self.worlds) == 1 else extreme(self.base[player], self.worlds, player, True)

    def most_of(self, player: i64) -> i64:
        """Return the greatest number of each kind that a player may have, by what all have seen."""
        return self.base[player] if len(self.worlds) == 1 else extreme(self.base[player], self.worlds, player, False)

    # Hidden information

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal the resource and development cards of the others again; all are shown at the end."""
        if self.phase == OVER:
            return
        if len(self.worlds) > 1:
            self._deal_hands(player, rng)
        if self._cards_of_others(player):
            self._deal_cards(player, rng)

    def _deal_hands(self, player: i64, rng: Rng) -> None:
        """Draw one of the worlds in which the own hand is as it is, by how likely they are."""
        own: i64 = self.hands[player] - self.base[player]
        places = [place for place in range(len(self.worlds)) if self.worlds[place][player] == own]
        total = 0.0
        for place in places:
            total += self.weights[place]
        chosen = places[-1]
        left = rng.uniform() * total
        for place in places:
            left -= self.weights[place]
            if left < 0.0:
                chosen = place
                break
        world = self.worlds[chosen]
        for other in range(self.n_players):
            self.hands[other] = int(self.base[other] + world[other])

    def _cards_of_others(self, player: i64) -> i64:
        found: i64 = 0
        for other in range(self.n_players):
            if other != player:
                found += self.cards[other]
        return found

    def _deal_cards(self, player: i64, rng: Rng) -> None:
        """Deal development cards until no player has as many points as would have won the game."""
        cards = self.deck + self._cards_of_others(player)
        fresh = size_of(self.fresh) if self.turn_player != player else 0
        while True:
            self.deck = cards
            fits = True
            for other in range(self.n_players):
                number = size_of(self.cards[other])
                if other != player and number:
                    if other == self.turn_player:
                        self.fresh = self._draw(fresh, rng)
                        dealt = self.fresh + self._draw(number - fresh, rng)
                    else:
                        dealt = self._draw(number, rng)
                    self.cards[other] = int(dealt)
                    fits = fits and self.may_hold(other, dealt)
            if fits:
                return

    def _draw(self, number: i64, rng: Rng) -> i64:
        """Take so many random cards from the deck."""
        found: i64 = 0
        left = size_of(self.deck)
        for taken in range(number):
            card: i64 = ONE[kind_at(self.deck, rng.below(left - taken))]
            self.deck -= card
            found += card
        return found

    def played(self) -> i64:
        """Return the development cards that were played."""
        found: i64 = pack(CARD_COUNTS)
        found -= self.deck
        for cards in self.cards:
            found -= cards
        return found

    def may_hold(self, player: i64, cards: i64) -> bool:
        """Say whether a player with these development cards would not have won in the own last turn."""
        shown = self.open_points(player) if player == self.turn_player else self.shown[player]
        return shown + (cards >> ROW * VICTORY & MASK) < self.rules.points

    def knowledge(self, player: i64) -> Hashable:
        """Return all that is open, the own cards, and whether those of others are possible."""
        if self.phase == OVER:
            secrets: tuple[object, ...] = (tuple(self.hands), tuple(self.cards))
        else:
            fresh = self.fresh if player == self.turn_player else size_of(self.fresh)
            secrets = (self.hands[player], self.cards[player], int(fresh), self._are_possible())
        return (
            self.basic_knowledge(player),
            secrets,
            (tuple(self.base), self.worlds, self.weights, int(self.bank)),
            (tuple([int(size_of(cards)) for cards in self.cards]), int(size_of(self.deck)), tuple(self.knights)),
            (self.terrain, self.discs, self.harbours, int(self.robber), tuple(self.roads)),
            (tuple(self.settlements), tuple(self.cities), int(self.road_holder), int(self.army_holder)),
            (tuple(self.shown), self.has_played, self.has_rolled, int(self.first_die), int(self.second_die)),
            (int(self.last_corner), int(self.left), int(self.due), int(self.offers)),
            (int(self.gives), int(self.number), int(self.gets), int(self.accepted)),
        )

    def _are_possible(self) -> bool:
        """Say whether the hands are those of a world, and no player would have won by development cards."""
        for player in range(self.n_players):
            if not self.may_hold(player, self.cards[player]):
                return False
        hands = tuple([self.hands[player] - self.base[player] for player in range(self.n_players)])
        return hands in self.worlds

    # For people

    def components(self) -> list[Component]:
        """Return the island with all that stands on it, the cards, and what each player has."""
        names = (*RESOURCES, "desert")
        pairs = zip(self.terrain, self.discs, strict=True)
        hexes = [f"{names[kind]} {disc}" if disc else names[kind] for kind, disc in pairs]
        corners = [NO_PLAYER] * N_CORNERS
        for player in range(self.n_players):
            for corner in range(N_CORNERS):
                if self.built(player) >> corner & 1:
                    corners[corner] = int(2 * player + (self.cities[player] >> corner & 1))
        found: list[Component] = [
            HexBoard("island", GRID, hexes),
            Counter("robber", self.robber, 0, N_HEXES - 1),
            GraphBoard("corners", CORNER_GRAPH, corners),
            Board("roads", self.roads[:]),
            Board("harbours", [(*RESOURCES, "any")[kind] for kind in self.harbours]),
            Counter("longest road", self.road_holder, NO_PLAYER, self.n_players - 1),
            Counter("largest army", self.army_holder, NO_PLAYER, self.n_players - 1),
            Deck("bank", [KINDS[name] for name in names_of(self.bank)]),
            Deck("deck", [KINDS[name] for name in names_of(self.deck, CARD_NAMES)], visibility=HIDDEN_TO_ALL),
            Deck("played", [KINDS[name] for name in names_of(self.played(), CARD_NAMES)]),
        ]
        visibility = VISIBLE_TO_ALL if self.phase == OVER else VISIBLE_TO_OWNER
        for seat in range(self.n_players):
            hand = [KINDS[name] for name in names_of(self.hands[seat])]
            found.append(Deck(f"hand of {seat}", hand, seat, visibility))
            cards = [KINDS[name] for name in names_of(self.cards[seat], CARD_NAMES)]
            found.append(Deck(f"cards of {seat}", cards, seat, visibility))
            found.append(Counter(f"points of {seat}", self.open_points(seat), 0, owner=seat))
            found.append(Counter(f"road of {seat}", self.lengths[seat], 0, owner=seat))
            found.append(Counter(f"knights of {seat}", self.knights[seat], 0, owner=seat))
        for name, value in (("die 1", self.first_die), ("die 2", self.second_die)):
            if value:
                die = Die(name, FACES)
                die.value = value
                found.append(die)
        return found

    def text(self, viewer: i64) -> str:
        """Show the phase, the island, each player's pieces, and the cards that the viewer (-1: sees all) sees."""
        lines = [self._due_text(), f"island: {' '.join(self._hex_texts())}"]
        names = (*RESOURCES, "any")
        harbours = [f"{names[kind]} {_corners_text(HARBOUR_SETS[at])}" for at, kind in enumerate(self.harbours)]
        lines.append(f"harbours: {', '.join(harbours)}")
        lines.append(f"bank: {cards_text(self.bank)}; {size_of(self.deck)} development cards")
        for seat in range(self.n_players):
            lines.append(f"player {seat}  {self._piece_text(seat)}")
            is_seen = viewer < 0 or viewer == seat or self.phase == OVER
            lines.append(f"  hand {self._hand_text(seat, is_seen)}; cards {self._card_text(seat, is_seen)}")
        return "\n".join(lines)

    def _due_text(self) -> str:
        if self.phase == OVER:
            return "The game is over"
        due = f"Round {self.round + 1}, player {self.current_player} {PHASE_TEXTS[self.phase]}"
        if self.first_die:
            due += f"; dice {self.first_die} {self.second_die}"
        if self.phase in (ANSWER, CHOOSE):
            due += f"; offer: {self.number} {RESOURCES[self.gives]} for 1 {RESOURCES[self.gets]}"
            for seat in range(self.n_players):
                due += f", accepted by player {seat}" if self.accepted >> seat & 1 else ""
        return due

    def _hex_texts(self) -> list[str]:
        found: list[str] = []
        for place in range(N_HEXES):
            kind = self.terrain[place]
            name = "desert" if kind == DESERT else f"{RESOURCES[kind]}-{self.discs[place]}"
            found.append(f"h{place + 1}:{name}{'(robber)' if place == self.robber else ''}")
        return found

    def _piece_text(self, seat: i64) -> str:
        longest = ", longest road" if self.road_holder == seat else ""
        largest = ", largest army" if self.army_holder == seat else ""
        paths = " ".join([f"p{path + 1}" for path in range(N_PATHS) if self.roads[path] == seat])
        return (
            f"points {self.open_points(seat)}{longest}{largest}; settlements {_corners_text(self.settlements[seat])}; "
            f"cities {_corners_text(self.cities[seat])}; knights {self.knights[seat]}; "
            f"road {self.lengths[seat]}, {paths or 'none'}"
        )

    def _hand_text(self, seat: i64, is_seen: bool) -> str:
        """Return a hand, or how many cards it has, and which of them are certain."""
        if is_seen:
            return cards_text(self.hands[seat])
        return f"{size_of(self.hands[seat])}, certain: {cards_text(self.least_of(seat))}"

    def _card_text(self, seat: i64, is_seen: bool) -> str:
        fresh = f" ({size_of(self.fresh)} bought in this turn)" if seat == self.turn_player and self.fresh else ""
        cards = self.cards[seat]
        return f"{cards_text(cards, CARD_NAMES) if is_seen else size_of(cards)}{fresh}"


def _corners_text(corners: i64) -> str:
    """Return a set of corners in words."""
    return " ".join([f"c{corner + 1}" for corner in range(N_CORNERS) if corners >> corner & 1]) or "none"
