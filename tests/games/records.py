"""Records of what is certain, kept by the rules alone while games are played, independently of the games' own knowledge."""

from collections import Counter
from itertools import product

from tag.engine.rng import Rng
from tag.games.cards.love_letter import LoveLetterParameters
from tag.games.cards.uno.actions import Play as UnoPlay
from tag.games.cards.virus.data import cards_in

GUARD, PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS = range(1, 9)


class LoveLetterRecord:
    """All hands that a player of Love Letter cannot exclude, from the own cards and from what happens in the open.

    A world is the tuple of all hands, 0 for a player who is out.
    """

    def __init__(self, viewer, state):
        self.viewer = viewer
        self.full = Counter(LoveLetterParameters().deck())
        self.says_something = True
        self.start(state)

    def start(self, state):
        """Begin the record of a round that has just been dealt."""
        self.unseen = self.full - Counter(state.face_up)
        cards = [[state.hands[seat]] if seat == self.viewer else range(1, 9) for seat in range(state.n_players)]
        self.worlds = {hands for hands in product(*cards) if not Counter(hands) - self.unseen}

    def left(self, world):
        """Return the cards that are neither in hands nor laid down."""
        return self.unseen - Counter(card for card in world if card)

    def is_possible(self, state):
        """Say whether all hidden cards of ``state`` are where they can be."""
        world = tuple(state.hands)
        drawn = int(state.drawn)
        return world in self.worlds and self.left(world)[drawn] > 0

    def deals(self, state):
        """Return all possible hands and cards just drawn, with the number of ways to deal each if equal cards differ."""
        found = Counter()
        hides_drawn = state.current_player != self.viewer
        own = Counter([state.hands[self.viewer]] if hides_drawn else [state.hands[self.viewer], int(state.drawn)])
        for world in self.worlds:
            hidden = [card for seat, card in enumerate(world) if card and seat != self.viewer]
            for drawn in self.left(world) if hides_drawn else [int(state.drawn)]:
                left, ways = self.unseen - own, 1
                for card in [*hidden, drawn] if hides_drawn else hidden:
                    ways *= left[card]
                    left[card] -= 1
                found[(*world, drawn)] = ways
        return +found

    def update(self, before, action, after):
        """Follow an action, of which the viewer sees the own cards and the discards of ``after``."""
        if after.round != before.round:
            if not after.is_terminal:
                self.start(after)
            return
        player, card, target = int(before.current_player), int(action.card), int(action.target)
        laid = {seat: after.discards_of(seat)[len(before.discards_of(seat)) :] for seat in range(before.n_players)}
        worlds = set()
        for world in self.worlds:
            drawn = [int(before.drawn)] if player == self.viewer else list(self.left(world))
            for second in drawn:
                for kept in self.kept(world[player], second, card):
                    after_play = (*world[:player], kept, *world[player + 1 :])
                    worlds |= set(self.effects(after_play, player, action, target, laid, after))
        self.unseen -= Counter(sum(laid.values(), ()))
        self.worlds = {world for world in worlds if not Counter(card for card in world if card) - self.unseen}
        assert tuple(after.hands) in self.worlds, "the record excludes the truth"

    def kept(self, first, second, card):
        """Return the cards that may be kept when ``card`` is laid down from a hand of two."""
        pair = [first, second]
        if card not in pair or (COUNTESS in pair and card in (PRINCE, KING)):
            return []
        pair.remove(card)
        return pair

    def effects(self, world, player, action, target, laid, after):  # noqa: C901, PLR0912  the eight cards
        """Yield what ``world`` may become, or nothing where the discards ``laid`` or a hand that is seen contradict it."""
        hands = list(world)
        lost = {seat: list(cards) for seat, cards in laid.items()}
        lost[player] = lost[player][1:]
        out = {seat for seat in range(len(hands)) if hands[seat] and not after.alive >> seat & 1}
        expected_out, card = set(), int(action.card)
        drawing = -1
        shown = []
        if card == PRINCESS:
            expected_out = {player}
        elif target < 0:
            pass
        elif card == GUARD:
            expected_out = {target} if hands[target] == action.guess else set()
        elif card == PRIEST:
            shown = [target] if player == self.viewer else []
        elif card == BARON:
            shown = [player, target] if self.viewer in (player, target) else []
            if hands[player] != hands[target]:
                expected_out = {player if hands[player] < hands[target] else target}
        elif card == PRINCE:
            if hands[target] == PRINCESS:
                expected_out = {target}
            else:
                if lost[target] != [hands[target]]:
                    return
                lost[target] = []
                drawing = target
        elif card == KING:
            hands[player], hands[target] = hands[target], hands[player]
            shown = [player, target] if self.viewer in (player, target) else []
        if expected_out != out:
            return
        for seat in out:
            if lost[seat] != [hands[seat]]:
                return
            lost[seat] = []
            hands[seat] = 0
        if any(lost.values()):
            return
        if any(after.hands[seat] and hands[seat] != after.hands[seat] for seat in shown):
            return
        if drawing < 0:
            yield self.seen(hands, after)
            return
        left = self.unseen - Counter(card for card in hands if card) - Counter({card: 1})
        for new in left:
            yield self.seen([*hands[:drawing], new, *hands[drawing + 1 :]], after)

    def seen(self, hands, after):
        """Return ``hands`` as a world, or one that is impossible if the viewer holds another card."""
        return tuple(hands) if hands[self.viewer] == after.hands[self.viewer] else (99,) * len(hands)


class CountingRecord:
    """What a player can count: when the discards became the draw pile, all cards not among them lay in the hands.

    A card laid down since was in hand then, or drawn later. What is certain is that it can be told so that it fits.
    """

    def __init__(self, viewer, state):
        self.viewer = viewer
        self.full = Counter(self.pile(state)) + self.open_cards(state)
        for seat in range(state.n_players):
            self.full += Counter(self.hand(state, seat))
        self.counted = None

    @property
    def says_something(self):
        """Say whether anything is certain yet."""
        return self.counted is not None

    def is_possible(self, state):
        """Say whether all hidden cards of ``state`` are where they can be."""
        if self.counted is None:
            return True
        had = {seat: Counter(self.hand(state, seat)) - self.just_drawn(state, seat) for seat in self.sizes}
        return can_be_split(self.counted, self.sizes, {seat: had[seat] + self.laid[seat] for seat in had})

    def update(self, before, action, after):
        """Follow an action; only the own cards, sizes and cards laid down in the open are looked at."""
        if after.is_terminal or self.is_dealt_anew(before, after):
            self.counted = None
            return
        laid = self.laid_down(before, action, after)
        hands = {}
        for seat in range(before.n_players):
            cards = laid.get(seat, Counter())
            hands[seat] = Counter(self.hand(before, seat)) - cards
            if self.counted is not None and seat != self.viewer:
                self.laid[seat] += cards - self.just_drawn(before, seat)
            if self.is_pile_new(before, after) and Counter(self.hand(after, seat)).total() > hands[seat].total():
                hands[seat] += Counter(self.pile(before))  # all of it was drawn
        if self.is_pile_new(before, after):
            self.counted = sum((hands[seat] for seat in hands if seat != self.viewer), Counter())
            self.sizes = {seat: hand.total() for seat, hand in hands.items() if seat != self.viewer}
            self.laid = {seat: Counter() for seat in self.sizes}
        assert self.is_possible(after), "the record excludes the truth"

    def is_dealt_anew(self, before, after):
        """Say whether the action has ended a round and begun another."""
        return False

    def just_drawn(self, state, seat):
        """Return the card of ``seat`` that everybody knows to be new."""
        return Counter()


class UnoRecord(CountingRecord):
    """The record of Uno, where a card just drawn can be played at once."""

    def is_dealt_anew(self, before, after):
        return after.round != before.round

    def pile(self, state):
        return state.deck.cards()

    def hand(self, state, seat):
        return state.hands[seat].cards()

    def open_cards(self, state):
        return Counter(state.discards.cards())

    def just_drawn(self, state, seat):
        return Counter([int(state.drawn)] if state.drawn >= 0 and seat == state.current_player else [])

    def laid_down(self, before, action, after):
        return {int(before.current_player): Counter([int(action.card)])} if isinstance(action, UnoPlay) else {}

    def is_pile_new(self, before, after):
        return after.deck.size > before.deck.size or (after.discards.size == 1 < before.discards.size)


class VirusRecord(CountingRecord):
    """The record of Virus!."""

    def pile(self, state):
        return [card for card, count in enumerate(state.deck) for _copy in range(count)]

    def hand(self, state, seat):
        return state.hand(seat)

    def open_cards(self, state):
        found = Counter({card: count for card, count in enumerate(state.discards) if count})
        return sum((Counter(cards_in(body)) for body in state.bodies), found)

    def laid_down(self, before, action, after):
        laid = before.copy()
        action.execute(laid, Rng(0))
        return {seat: Counter(before.hand(seat)) - Counter(laid.hand(seat)) for seat in range(before.n_players)}

    def is_pile_new(self, before, after):
        return after.deck_size > before.deck_size


def can_be_split(cards, sizes, room):
    """Say whether ``cards`` can be dealt to seats in these ``sizes``, no seat getting more of a kind than its ``room``."""
    given = {seat: Counter() for seat in sizes}

    def find_seat(card, tried):
        for seat in sizes:
            if seat not in tried and given[seat][card] < room[seat][card]:
                tried.add(seat)
                if given[seat].total() < sizes[seat]:
                    given[seat][card] += 1
                    return True
                for other in list(+given[seat]):
                    given[seat][other] -= 1
                    given[seat][card] += 1
                    if other != card and find_seat(other, tried):
                        return True
                    given[seat][other] += 1
                    given[seat][card] -= 1
        return False

    return all(find_seat(card, set()) for card in cards.elements())


def recorded_positions(model, record_class, n_players, seed, count):
    """Yield ``count`` positions of random games, each with the players' records, which are kept up to date."""
    rng = Rng(seed)
    while True:
        state = model.setup(n_players, rng)
        records = [record_class(viewer, state) for viewer in range(n_players)]
        while not state.is_terminal:
            yield state, records
            count -= 1
            if count == 0:
                return
            before, action = state.copy(), rng.choice(model.available_actions(state))
            model.next(state, action, rng)
            for record in records:
                record.update(before, action, state)


def contradictions(model, record_class, n_players, seed, count):
    """Return how many observations in ``count`` positions contradict the records, and how many could have."""
    rng = Rng(seed + 1)
    wrong = total = 0
    for state, records in recorded_positions(model, record_class, n_players, seed, count):
        for record in records:
            if record.says_something:
                total += 1
                wrong += not record.is_possible(state.observation(record.viewer, rng))
    return wrong, total
