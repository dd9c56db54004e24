"""Positions of Blackjack from texts, draws in a given order, and a naive implementation of the rules."""

from fractions import Fraction
from functools import cache
from itertools import count

from tag import Rng
from tag.games.cards.blackjack import Blackjack, BlackjackParameters
from tag.games.cards.blackjack.data import ACE, CARD, DONE, N_KINDS, NAMES, ONE, OWNER, TEN, UNIT, cards_of, total_of

#: As cards lie in the shoe: the tens come first.
ORDER = [TEN, *range(TEN)]


def kinds(text):
    """Return the kinds of cards: ``A 10`` is 0 and 9."""
    return [NAMES.index(name) for name in text.split()]


def shoe_of(cards):
    """Return a shoe of these kinds."""
    return sum(ONE[kind] for kind in cards)


def drawn(cards, rng):
    """Return the order in which a shoe of these cards is drawn."""
    rest = sorted(cards, key=ORDER.index)
    return [rest.pop(rng.below(len(rest))) for _card in cards]


@cache
def _seed_of(cards):
    return next(seed for seed in count() if drawn(cards, Rng(seed)) == list(cards))


def stacked(state, text):
    """Let the shoe have only these cards, and return a stream that draws them in this order."""
    cards = kinds(text)
    state.shoe, state.left = shoe_of(cards), len(cards)
    return Rng(_seed_of(tuple(cards)))


def hand_of(text, player=0):
    """Return a hand of a player; one with 21 points is done."""
    hand = OWNER[player] + sum(CARD[kind] for kind in kinds(text))
    return hand | DONE if total_of(hand) == 21 else hand


def table(*hands, dealer, cards="", bet=1, **rules):
    """Return the model and a position after the deal, with one hand for each player.

    ``dealer`` is the open card and the hole card, if there is one; ``cards`` are those that follow if no decision is left.
    """
    model = Blackjack(BlackjackParameters(**rules))
    state = model.setup(len(hands), Rng(0))
    state.hands = [hand_of(text, player) for player, text in enumerate(hands)]
    state.bets = (bet * UNIT,) * len(hands)
    up, *hole = kinds(dealer)
    state.dealer = CARD[up]
    if hole:
        state.hole = hole[0]
    model._open(state, stacked(state, cards))
    return model, state


def play(model, state, *steps):
    """Take actions, each with the cards that it draws: ``hit 5 10``."""
    for step in steps:
        name, *cards = step.split(" / ")
        action = next(action for action in model.available_actions(state) if str(action) == name)
        model.next(state, action, stacked(state, cards[0] if cards else ""))


def choices(model, state):
    """Return the texts of the available actions."""
    return [str(action) for action in model.available_actions(state)]


def money(state):
    """Return the money of all, in units."""
    return [state.score(player) for player in range(state.n_players)]


# --- a naive implementation ------------------------------------------------------------------------------------------------


def best(cards):
    """Return the points of a list of kinds, and whether an ace counts 11."""
    points = sum(kind + 1 for kind in cards)
    return (points + 10, True) if ACE in cards and points + 10 <= 21 else (points, False)


class Hand:
    """Cards in a list, the bet, and what has become of it."""

    def __init__(self, owner, cards, bet):
        self.owner, self.cards, self.bet = owner, cards, bet
        self.doubled = self.split = self.aces = self.done = self.given_up = False

    def is_blackjack(self):
        return not self.split and sorted(self.cards) == [ACE, TEN]


class Naive:
    """The rules with lists of cards; draws are those of the shoe with the tens first."""

    def __init__(self, rules, n_players, rng):
        self.rules, self.n, self.rng = rules, n_players, rng
        self.deck = [kind for kind in range(N_KINDS) for _card in range(rules.decks * (16 if kind == TEN else 4))]
        self.shoe, self.discards = self.deck[:], []
        self.money, self.bets, self.insured = [0.0] * n_players, [0] * n_players, set()
        self.hands, self.dealer, self.hole = [], [], None
        self.round, self.first, self.phase, self.asked = 0, 0, "betting", 0
        self.counts_blackjack = rules.blackjack != "none"

    def draw(self):
        if not self.shoe:
            self.shoe, self.discards = self.discards, []
        self.shoe.sort(key=ORDER.index)
        return self.shoe.pop(self.rng.below(len(self.shoe)))

    def seat(self):
        """Return the player to decide."""
        if self.phase == "playing":
            return self.current().owner
        return (self.first + self.asked) % self.n

    def current(self):
        return next(hand for hand in self.hands if not hand.done)

    def actions(self):
        if self.phase == "betting":
            most = self.rules.largest_bet
            return ["deal"] if most == 1 else [f"bet {units}" for units in range(1, most + 1)]
        if self.phase == "insuring":
            return ["insure", "no insurance"]
        hand = self.current()
        two = len(hand.cards) == 2
        splits = self.may_split(hand)
        if hand.aces and not self.rules.hit_split_aces:
            return ["stand", "split"]
        found = ["stand", "hit"]
        points, soft = best(hand.cards)
        ranges = {"any": range(22), "9-11": range(9, 12), "10-11": range(10, 12), "none": []}
        allowed = points in ranges[self.rules.double] and not (soft and self.rules.double != "any")
        if two and allowed and (self.rules.double_after_split or not hand.split):
            found.append("double down")
        if splits:
            found.append("split")
        if two and self.rules.surrender and not hand.split:
            found.append("surrender")
        return found

    def may_split(self, hand):
        if len(hand.cards) != 2 or hand.cards[0] != hand.cards[1]:
            return False
        most = {1: 10, 2: 21}.get(self.rules.decks, 99)
        mine = sum(other.owner == hand.owner for other in self.hands)
        return mine < self.rules.hands and len(self.hands) < most and (self.rules.resplit_aces or not hand.aces)

    def apply(self, name):
        if self.phase == "betting":
            self.bet(name)
        elif self.phase == "insuring":
            if name == "insure":
                self.insured.add(self.seat())
            self.asked += 1
            if self.asked == self.n:
                self.look()
        else:
            self.act(self.current(), name)
            self.go_on()

    def bet(self, name):
        if name == "deal":
            self.bets, self.asked = [1] * self.n, self.n
        else:
            self.bets[self.seat()] = int(name.split()[1])
            self.asked += 1
        if self.asked < self.n:
            return
        self.discards += self.dealer + [kind for hand in self.hands for kind in hand.cards]
        if 1 - Fraction(len(self.shoe), len(self.deck)) >= Fraction(self.rules.penetration, 100):
            self.shoe, self.discards = self.deck[:], []
        seats = [(self.first + offset) % self.n for offset in range(self.n)]
        self.hands = [Hand(seat, [self.draw(), self.draw()], self.bets[seat]) for seat in seats]
        self.dealer = [self.draw()]
        self.hole = self.draw() if self.rules.hole_card else None
        if self.dealer == [ACE] and self.rules.insurance and self.counts_blackjack:
            self.phase, self.asked = "insuring", 0
        else:
            self.look()

    def look(self):
        if self.counts_blackjack and self.hole is not None and sorted([*self.dealer, self.hole]) == [ACE, TEN]:
            self.finish()
        else:
            self.phase = "playing"
            self.go_on()

    def act(self, hand, name):
        if name == "hit":
            hand.cards.append(self.draw())
        elif name == "double down":
            hand.doubled = hand.done = True
            hand.cards.append(self.draw())
        elif name == "split":
            kind = hand.cards.pop()
            other = Hand(hand.owner, [kind], hand.bet)
            for each in (hand, other):
                each.split, each.aces = True, kind == ACE
            self.hands.insert(self.hands.index(hand) + 1, other)
        else:
            hand.done = True
            hand.given_up = name == "surrender"

    def go_on(self):
        for hand in self.hands:
            if len(hand.cards) == 1:
                hand.cards.append(self.draw())
                if hand.aces and not self.rules.hit_split_aces and not self.may_split(hand):
                    hand.done = True
            if best(hand.cards)[0] >= 21:
                hand.done = True
            if not hand.done:
                return
        self.finish()

    def finish(self):
        if self.hole is not None:
            self.dealer.append(self.hole)
            self.hole = None
        natural = [hand for hand in self.hands if self.counts_blackjack and hand.is_blackjack()]
        alive = [h for h in self.hands if h not in natural and not h.given_up and best(h.cards)[0] <= 21]
        given_up = [hand for hand in self.hands if hand.given_up]
        if len(self.dealer) == 1 and (
            alive or ((natural or given_up or self.insured) and self.dealer[0] in (ACE, TEN))
        ):
            self.dealer.append(self.draw())
        while alive and (best(self.dealer)[0] < 17 or (self.rules.hits_soft_17 and best(self.dealer) == (17, True))):
            self.dealer.append(self.draw())
        has_blackjack = self.counts_blackjack and sorted(self.dealer) == [ACE, TEN]
        for hand in self.hands:
            self.money[hand.owner] += self.won(hand, hand in natural, has_blackjack)
        for player in self.insured:
            self.money[player] += self.bets[player] if has_blackjack else -self.bets[player] / 2
        self.round += 1
        self.first = (self.first + 1) % self.n
        self.phase, self.asked, self.insured = "betting", 0, set()

    def won(self, hand, is_natural, has_blackjack):
        if is_natural:
            return 0 if has_blackjack else hand.bet * {"3to2": 1.5, "6to5": 1.2, "even": 1}[self.rules.blackjack]
        stake = hand.bet * (2 if hand.doubled else 1)
        mine, other = best(hand.cards)[0], best(self.dealer)[0]
        if mine > 21 or has_blackjack:
            return -stake
        if hand.given_up:
            return -stake / 2
        return stake if other > 21 or mine > other else -stake if mine < other else 0


def names_of(shoe):
    """Return the names of the cards of a shoe."""
    return [card.name for card in cards_of(shoe)]
