"""Dominion by the texts of its cards, with lists of names: slow, and written apart from the game.

A game is a generator: it yields who decides and what can be chosen, as text, and is sent what was chosen. Cards that nobody
knows are drawn as the game under test has drawn them: `follow` shows its position after the choice that is being sent.
"""

from collections import Counter

COST = {
    "Copper": 0,
    "Silver": 3,
    "Gold": 6,
    "Estate": 2,
    "Duchy": 5,
    "Province": 8,
    "Curse": 0,
    "Cellar": 2,
    "Chapel": 2,
    "Moat": 2,
    "Harbinger": 3,
    "Merchant": 3,
    "Vassal": 3,
    "Village": 3,
    "Workshop": 3,
    "Bureaucrat": 4,
    "Gardens": 4,
    "Militia": 4,
    "Moneylender": 4,
    "Poacher": 4,
    "Remodel": 4,
    "Smithy": 4,
    "Throne Room": 4,
    "Bandit": 5,
    "Council Room": 5,
    "Festival": 5,
    "Laboratory": 5,
    "Library": 5,
    "Market": 5,
    "Mine": 5,
    "Sentry": 5,
    "Witch": 5,
    "Artisan": 6,
}
ORDER = list(COST)
COINS = {"Copper": 1, "Silver": 2, "Gold": 3}
VICTORY = ("Estate", "Duchy", "Province", "Gardens")
ACTIONS = [name for name in ORDER[7:] if name != "Gardens"]


def in_order(cards):
    return sorted(cards, key=ORDER.index)


class Unseen(str):
    """A card on a deck that only its owner knows."""

    __slots__ = ()


class Player:
    """Cards of a player; those that all others know to be in the hand, or to have been put back from it, are ``sure``."""

    def __init__(self):
        self.hand = []
        self.deck = ["Copper"] * 7 + ["Estate"] * 3
        self.top = []
        self.discards = []
        self.sure = []
        self.turns = 0

    def lose(self, card):
        """Take a card from the hand that all see."""
        self.hand.remove(card)
        if card in self.sure:
            self.sure.remove(card)

    def take(self, card):
        """Take a card into the hand that all see."""
        self.hand.append(card)
        self.sure.append(card)


class Book:
    """One game."""

    def __init__(self, n_players, kingdom):
        self.players = [Player() for _seat in range(n_players)]
        victory = 8 if n_players == 2 else 12
        self.supply = {"Copper": 60 - 7 * n_players, "Silver": 40, "Gold": 30, "Curse": 10 * (n_players - 1)}
        self.supply |= {name: victory for name in ("Estate", "Duchy", "Province")}
        self.supply |= {name: victory if name == "Gardens" else 10 for name in kingdom}
        self.trash = []
        self.winners = None
        self.follow = None
        self.is_peeking = False
        self.play_area = []
        self.aside = []
        self.looked = []
        self.seat = self.looker = 0
        self.coins = self.buys = self.actions = self.silver_bonus = 0

    # --- moving cards

    def take_top(self, seat, wanted=None):
        """Take the top card of a deck: of the unknown part one that leaves it and is wanted, as far as there is any.

        A card that leaves it can be like one that is shuffled into it later, so that it seems to stay.
        """
        player = self.players[seat]
        if player.top:
            return player.top.pop()
        if not player.deck:
            player.deck, player.discards = player.discards, []
            if player.deck and not self.is_peeking:  # all other cards must be in the hand
                player.sure = player.hand[:]
        if not player.deck:
            return None
        leaving = Counter(player.deck) - Counter(self.follow.pile(seat))
        wanted = Counter(player.deck) & wanted if wanted else Counter()
        card = next(iter(leaving & wanted or wanted or leaving or player.deck))
        player.deck.remove(card)
        return card

    def is_top_open(self, player):
        return bool(player.top) and not isinstance(player.top[-1], Unseen)

    def peek(self, number):
        """Take cards of the own deck that only the player sees, unless all know what lies on top."""
        found = []
        for _card in range(number):
            is_open = self.is_top_open(self.players[self.seat])
            self.is_peeking = any(isinstance(card, Unseen) for card in found)
            card = self.take_top(self.seat)
            if card is not None:
                found.append(card if is_open else Unseen(card))
        self.is_peeking = False
        return found

    def see(self, player, card):
        """Follow a card that is shown, and may have been put back from the hand."""
        if card in player.sure:
            player.sure.remove(card)

    def draw(self, seat, number):
        for _card in range(number):
            player = self.players[seat]
            is_open = self.is_top_open(player)
            card = self.take_top(seat, self.follow.drawn(seat) - Counter(player.hand))
            if card is not None:
                (player.take if is_open else player.hand.append)(card)

    def gain(self, seat, card, put=None):
        if self.supply[card]:
            self.supply[card] -= 1
            (put or self.players[seat].discards.append)(card)

    def choose(self, seat, verb, cards, refusal=None):
        """Ask for one of the cards, and return it, or None for the refusal."""
        template = {"put": "put {} on the deck", "set": "set {} aside"}.get(verb, verb + " {}")
        options = {template.format(card): card for card in in_order(set(cards))}
        if refusal:
            options[refusal] = None
        chosen = yield seat, list(options)
        return options[chosen]

    def choose_many(self, seat, verb, least, most):
        """Ask for cards of the hand in order; remove and return them."""
        player = self.players[seat]
        chosen = []
        while len(chosen) < most:
            start = ORDER.index(chosen[-1]) if chosen else 0
            later = [card for card in player.hand if ORDER.index(card) >= start]
            if least:
                needed = least - len(chosen)
                later = [c for c in later if sum(ORDER.index(d) >= ORDER.index(c) for d in later) >= needed]
            if not later:
                break
            card = yield from self.choose(seat, verb, later, None if least else "choose no card")
            if card is None:
                break
            player.lose(card)
            (self.trash if verb == "trash" else player.discards).append(card)
            chosen.append(card)
        return chosen

    def up_to(self, cost, only=tuple(COST)):
        return [card for card in self.supply if card in only and self.supply[card] and COST[card] <= cost]

    def empties(self):
        return sum(left == 0 for left in self.supply.values())

    # --- the game

    def game(self):
        for seat in range(len(self.players)):
            self.draw(seat, 5)
        while True:
            yield from self.turn()
            self.players[self.seat].turns += 1
            if self.supply["Province"] == 0 or self.empties() >= 3:
                break
            self.draw(self.seat, 5)
            self.seat = (self.seat + 1) % len(self.players)
        standing = [(self.points(player), -player.turns) for player in self.players]
        self.winners = [seat for seat, value in enumerate(standing) if value == max(standing)]

    def cards_of(self, player):
        """Return all cards of a player, wherever they are."""
        cards = player.hand + player.deck + player.top + player.discards
        if player is self.players[self.seat]:
            cards = cards + self.play_area + self.aside
        return cards + (self.looked if player is self.players[self.looker] else [])

    def points(self, player):
        cards = self.cards_of(player)
        worth = {"Estate": 1, "Duchy": 3, "Province": 6, "Curse": -1, "Gardens": len(cards) // 10}
        return sum(worth.get(card, 0) for card in cards)

    def turn(self):
        player = self.players[self.seat]
        self.actions = self.buys = 1
        self.coins = self.silver_bonus = 0
        while self.actions and any(card in ACTIONS for card in player.hand):
            hand_actions = [card for card in player.hand if card in ACTIONS]
            card = yield from self.choose(self.seat, "play", hand_actions, "end the action phase")
            if card is None:
                break
            self.actions -= 1
            player.lose(card)
            self.play_area.append(card)
            yield from self.play(card)
        treasures = [card for card in player.hand if card in COINS]
        self.coins += sum(COINS[card] for card in treasures) + ("Silver" in treasures) * self.silver_bonus
        for card in treasures:
            player.lose(card)
        self.play_area += treasures
        while self.buys:
            card = yield from self.choose(self.seat, "buy", self.up_to(self.coins), "end the turn")
            if card is None:
                break
            self.coins -= COST[card]
            self.buys -= 1
            self.gain(self.seat, card)
        player.discards += player.hand + self.play_area
        for card in player.hand[:]:
            player.lose(card)
        self.play_area = []

    def play(self, card):
        immune = set()
        if card in ("Bureaucrat", "Militia", "Bandit", "Witch") and "Moat" in self.supply:
            for seat in self.others():
                moats = [held for held in self.players[seat].hand if held == "Moat"]
                if (yield from self.choose(seat, "reveal", moats, "choose no card")):
                    immune.add(seat)
                    if "Moat" not in self.players[seat].sure:
                        self.players[seat].sure.append("Moat")
        self.immune = immune
        effect = getattr(self, card.lower().replace(" ", "_"))(self.players[self.seat])
        if effect is not None:
            yield from effect

    def others(self):
        n = len(self.players)
        return [(self.seat + step) % n for step in range(1, n)]

    def victims(self):
        return [seat for seat in self.others() if seat not in self.immune]

    def plus(self, cards=0, actions=0, buys=0, coins=0):
        self.actions += actions
        self.buys += buys
        self.coins += coins
        self.draw(self.seat, cards)

    # --- cards that only give something

    def village(self, player):
        self.plus(cards=1, actions=2)

    def smithy(self, player):
        self.plus(cards=3)

    def moat(self, player):
        self.plus(cards=2)

    def market(self, player):
        self.plus(1, 1, 1, 1)

    def festival(self, player):
        self.plus(actions=2, buys=1, coins=2)

    def laboratory(self, player):
        self.plus(cards=2, actions=1)

    def merchant(self, player):
        self.plus(cards=1, actions=1)
        self.silver_bonus += 1

    def council_room(self, player):
        self.plus(cards=4, buys=1)
        for seat in self.others():
            self.draw(seat, 1)

    # --- cards with choices

    def cellar(self, player):
        self.plus(actions=1)
        discarded = yield from self.choose_many(self.seat, "discard", 0, len(player.hand))
        self.draw(self.seat, len(discarded))

    def chapel(self, player):
        yield from self.choose_many(self.seat, "trash", 0, 4)

    def harbinger(self, player):
        self.plus(cards=1, actions=1)
        if player.discards:
            card = yield from self.choose(self.seat, "put", player.discards, "choose no card")
            if card:
                player.discards.remove(card)
                player.top.append(str(card))

    def vassal(self, player):
        self.plus(coins=2)
        leaving = Counter(player.deck) - Counter(self.follow.pile(self.seat))
        # an action asks before a Throne Room lets the next card follow, so that one is the last to leave
        card = self.take_top(self.seat, Counter({card: n for card, n in leaving.items() if card not in ACTIONS}))
        if card is None:
            return
        player.discards.append(card)
        if isinstance(card, Unseen):
            self.see(player, card)
        if card in ACTIONS and (yield from self.choose(self.seat, "play", [card], "choose no card")):
            player.discards.remove(card)
            self.play_area.append(card)
            yield from self.play(card)

    def workshop(self, player):
        if self.up_to(4):
            self.gain(self.seat, (yield from self.choose(self.seat, "gain", self.up_to(4))))

    def moneylender(self, player):
        if "Copper" in player.hand and (yield from self.choose(self.seat, "trash", ["Copper"], "choose no card")):
            player.lose("Copper")
            self.trash.append("Copper")
            self.plus(coins=3)

    def poacher(self, player):
        self.plus(1, 1, 0, 1)
        number = min(self.empties(), len(player.hand))
        yield from self.choose_many(self.seat, "discard", number, number)

    def remodel(self, player):
        if player.hand:
            card = yield from self.choose(self.seat, "trash", player.hand)
            player.lose(card)
            self.trash.append(card)
            if self.up_to(COST[card] + 2):
                self.gain(self.seat, (yield from self.choose(self.seat, "gain", self.up_to(COST[card] + 2))))

    def throne_room(self, player):
        held = [card for card in player.hand if card in ACTIONS]
        card = (yield from self.choose(self.seat, "play", held, "choose no card")) if held else None
        if card:
            player.lose(card)
            self.play_area.append(card)
            yield from self.play(card)
            yield from self.play(card)

    def library(self, player):
        while len(player.hand) < 7:
            is_open = self.is_top_open(player)
            card = self.take_top(self.seat)
            if card is None:
                break
            self.looked, self.looker = [card], self.seat
            asked = [card] if card in ACTIONS else []
            chosen = yield from self.choose(self.seat, "set", asked, "keep the card")
            self.looked = []
            if chosen:
                self.aside.append(card)
                self.see(player, card)
            else:
                (player.take if is_open else player.hand.append)(card)
        player.discards += self.aside
        self.aside = []

    def mine(self, player):
        held = [card for card in player.hand if card in COINS]
        card = (yield from self.choose(self.seat, "trash", held, "choose no card")) if held else None
        if card:
            player.lose(card)
            self.trash.append(card)
            found = self.up_to(COST[card] + 3, COINS)
            if found:
                self.gain(self.seat, (yield from self.choose(self.seat, "gain", found)), player.take)

    def sentry(self, player):
        self.plus(cards=1, actions=1)
        self.looked = sorted(self.peek(2), key=lambda card: (ORDER.index(card), isinstance(card, Unseen)))
        self.looker = self.seat
        for verb, pile in (("trash", self.trash), ("discard", player.discards)):
            least = 0
            while [card for card in self.looked if ORDER.index(card) >= least]:
                later = [card for card in self.looked if ORDER.index(card) >= least]
                card = yield from self.choose(self.seat, verb, later, "choose no card")
                if card is None:
                    break
                self.looked.remove(card)
                pile.append(card)
                self.see(player, card)
                least = ORDER.index(card)
        if len(set(self.looked)) == 2:
            first = yield from self.choose(self.seat, "put", self.looked)
            self.looked.remove(first)
            self.looked.insert(0, first)
        if len(self.looked) == 2 and (self.looked[0] != self.looked[1] or isinstance(self.looked[1], Unseen)):
            self.looked = [Unseen(card) for card in self.looked]
        player.top += self.looked
        self.looked = []

    def artisan(self, player):
        if self.up_to(5):
            self.gain(self.seat, (yield from self.choose(self.seat, "gain", self.up_to(5))), player.take)
        if player.hand:
            card = yield from self.choose(self.seat, "put", player.hand)
            player.hand.remove(card)
            player.top.append(Unseen(card))

    # --- attacks

    def militia(self, player):
        self.plus(coins=2)
        for seat in self.victims():
            excess = len(self.players[seat].hand) - 3
            if excess > 0:
                yield from self.choose_many(seat, "discard", excess, excess)

    def witch(self, player):
        self.plus(cards=2)
        for seat in self.victims():
            self.gain(seat, "Curse")

    def bureaucrat(self, player):
        self.gain(self.seat, "Silver", player.top.append)
        for seat in self.victims():
            victim = self.players[seat]
            if victim.hand:
                held = [card for card in victim.hand if card in VICTORY]
                refusal = None if held else "show a hand without victory cards"
                card = yield from self.choose(seat, "put", held, refusal)
                if card:
                    victim.lose(card)
                    victim.top.append(card)
                else:
                    victim.sure = victim.hand[:]

    def bandit(self, player):
        self.gain(self.seat, "Gold")
        for seat in self.victims():
            revealed = [card for card in (self.take_top(seat), self.take_top(seat)) if card]
            good = sorted({card for card in revealed if card in ("Silver", "Gold")})
            if len(good) == 2:
                self.looked, self.looker = revealed, seat
                good = [(yield from self.choose(seat, "trash", good))]
                self.looked = []
            if good:
                revealed.remove(good[0])
                self.trash.append(good[0])
            self.players[seat].discards += revealed
