"""The state of 7 Wonders: hands on their way round, secret choices, and cards that lie face down."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from mypy_extensions import i64, mypyc_attr

from tag import Event, Rng
from tag.components import HIDDEN_TO_ALL, UNBOUNDED, Card, Component, Counter, Deck, PartiallyObservableDeck, shared
from tag.games.drafts.seven_wonders.cities import CitiesState
from tag.games.drafts.seven_wonders.data import (
    AGES,
    BASE,
    CARDS,
    GUILD_CARDS,
    N_GUILDS,
    N_KINDS,
    N_STAGES,
    NAMES,
    NO_CHOICE,
    ROMAN,
    UNITS,
    WONDER_NAMES,
    SevenWondersParameters,
    choice_text,
    drawn_card,
    hand_size,
    kinds_in,
)

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
#: Classes of face-down cards (`SevenWondersState.class_of`): eight for each hand of an age.
_AGE_CLASSES: Final = 64
_KNOWN: Final = -1
_BOARDS: Final[dict[str, Card]] = {name: shared(Card(name)) for name in WONDER_NAMES}


@mypyc_attr(allow_interpreted_subclasses=True)
class SevenWondersState(CitiesState):
    """One position. Hands and sets of structures are numbers (`tag.games.drafts.seven_wonders.data`).

    `GameState.phase` says what is due, `GameState.round` is the number of ages that are over. A chosen card stays in the
    hand until all have chosen. A hand is named after the seat to which it was dealt.

    Attributes:
        digger: the seat with Halicarnassus, -1 for none.
        step: how often the hands have been passed in this age.
        cards: the cards of each hand now.
        is_digging: whether the stage of Halicarnassus that looks through the discards was built in this turn.
        chosen: the choice of each seat, `NO_CHOICE` before.
        decks: the cards of each age that are not dealt.
        face_down: all cards discarded, or under a wonder, in order.
    """

    def __init__(self, rules: SevenWondersParameters, wonders: tuple[int, ...]) -> None:
        """Start with empty lists, which are replaced."""
        super().__init__(rules, wonders)
        self.digger: i64 = -1
        self.step: i64 = 0
        self.cards: i64 = 0
        self.is_digging = False
        self.chosen: list[int] = []
        self.decks: tuple[int, ...] = ()
        self.face_down: tuple[int, ...] = ()

    def copy(self) -> SevenWondersState:
        other = SevenWondersState(self.rules, self.wonders)
        self.copy_cities(other)
        other.digger = self.digger
        other.step = self.step
        other.cards = self.cards
        other.is_digging = self.is_digging
        other.chosen = self.chosen[:]
        other.decks = self.decks
        other.face_down = self.face_down
        return other

    def is_unresolved(self) -> bool:
        """Say whether a choice is not shown yet."""
        for choice in self.chosen:  # noqa: SIM110  compiled code makes a generator for `any`
            if choice != NO_CHOICE:
                return True
        return False

    def discarded(self) -> list[int]:
        """Return the kinds of all discards, in order."""
        return [entry & _KIND_MASK for entry in self.face_down if not entry & _UNDER]

    def recoverable(self, seat: i64) -> list[int]:
        """Return the kinds among the discards that a player has not built, in order."""
        found: list[int] = []
        for card in self.face_down:
            entry: i64 = card
            kind = entry & _KIND_MASK
            if entry & _UNDER == 0 and not self.has_built(seat, kind) and int(kind) not in found:
                found.append(int(kind))
        found.sort()
        return found

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

    def _sight(self, player: i64, hand: i64, age: i64) -> i64:
        """Return the turn in which a player gets a hand for the first time."""
        return (player - hand) * self.direction(age) % self.n_players

    def class_of(self, entry: i64, player: i64) -> i64:
        """Return the class of a face-down card for a player: -1 if the player knows the card.

        Cards of a class can have changed places as far as the player knows: those that were taken from a hand before the
        player saw it, or between the same two times that the player saw it.
        """
        if entry >> _SEAT & _THREE == player or (entry & _LOOKED_AT and player == self.digger):
            return _KNOWN
        age = entry >> _AGE & 3
        hand = entry >> _HAND & _THREE
        since = (entry >> _TURN & _THREE) - self._sight(player, hand, age)
        return age * _AGE_CLASSES if since < 0 else _class(age, hand, since // self.n_players)

    def class_at(self, seat: i64, player: i64) -> i64:
        """Return the class of the cards of the hand at ``seat``; -1 for the own hand."""
        if seat == player:
            return _KNOWN
        if player >= self.n_players:
            return self.age * _AGE_CLASSES
        hand = self.hand_at(seat)
        since = self.step - self._sight(player, hand, self.age)
        return self.age * _AGE_CLASSES if since < 0 else _class(self.age, hand, since // self.n_players)

    def classes(self, player: i64) -> list[int]:
        """Return the classes of all cards that lie face down; a guest, who has no seat, knows none of them."""
        if player >= self.n_players:
            return [int(_AGE_CLASSES * (entry >> _AGE & 3)) for entry in self.face_down]
        return [int(self.class_of(entry, player)) for entry in self.face_down]

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal all cards again that may have changed places as far as ``player`` knows, then the choices of others.

        All deals of the cards are as likely, and so are all choices of a player in a position.
        """
        classes = self.classes(player)
        entries = list(self.face_down)
        for age in range(self.age + 1):
            self._redeal_unseen(age, player, classes, entries, rng)
        for seat in range(self.n_players):
            which = self.class_at(seat, player)
            if is_of_seen(which) and int(which) in classes:
                pool = self.hands[seat] + _pool_of(which, classes, entries)
                size = self.cards + classes.count(int(which))
                self.hands[seat] = int(_redraw(which, classes, entries, pool, size, rng))
        for place in range(len(classes)):
            which = classes[place]
            if is_of_seen(which):
                size = classes.count(int(which))
                if size > 1:
                    _redraw(which, classes, entries, _pool_of(which, classes, entries), size, rng)
        self.face_down = tuple(entries)
        chosen = self.chosen
        for seat in range(self.n_players):
            if chosen[seat] != NO_CHOICE and seat != player:
                options = self.options(seat)
                chosen[seat] = options[rng.below(len(options))]

    def _redeal_unseen(self, age: i64, player: i64, classes: list[int], entries: list[int], rng: Rng) -> None:
        """Deal the cards of an age again that were in no hand when the player saw it.

        Guilds that are not in the game come first; all that is left over was not dealt.
        """
        which = age * _AGE_CLASSES
        deck: i64 = self.decks[age]
        unseen: list[int] = []
        if age == self.age:
            unseen = [seat for seat in range(self.n_players) if self.class_at(seat, player) == which]
        n_laid: i64 = classes.count(int(which))
        number = n_laid + len(unseen)
        if number == 0 or (number == 1 and deck == 0):
            return
        pool = deck + _pool_of(which, classes, entries)
        for seat in unseen:
            pool += self.hands[seat]
        size = hand_size(deck) + n_laid + len(unseen) * self.cards
        aside: i64 = 0
        if age == AGES - 1:
            for _guild in range(N_GUILDS - self.rules.n_guilds(int(self.n_players))):
                guilds = pool & GUILD_CARDS
                one: i64 = UNITS[drawn_card(guilds, hand_size(guilds), rng)]
                aside += one
                pool -= one
                size -= 1
        pool = _redraw(which, classes, entries, pool, size, rng)
        size -= n_laid
        for seat in unseen:
            hand = draw_cards(pool, size, self.cards, rng)
            self.hands[seat] = int(hand)
            pool -= hand
            size -= self.cards
        if deck:
            decks = self.decks
            self.decks = (*decks[:age], int(pool + aside), *decks[age + 1 :])

    def knows_hand(self, viewer: i64, seat: i64) -> bool:
        """Say whether ``viewer`` (-1: sees all) knows all cards of the hand at ``seat``; a guest knows none."""
        if viewer < 0 or viewer == seat:
            return True
        if viewer >= self.n_players:
            return False
        which = self.class_at(seat, viewer)
        return is_of_seen(which) and int(which) not in self.classes(viewer)

    def knowledge(self, player: i64) -> Hashable:
        """Return all that ``player`` knows: own cards and choice, the cards of hands seen, and what is public."""
        have_chosen = tuple([choice != NO_CHOICE for choice in self.chosen])
        classes = self.classes(player)
        entries = list(self.face_down)
        known: list[int] = [int(self.age), int(self.step), int(self.cards), self.chosen[player], self.hands[player]]
        seen: list[int] = []
        for seat in range(self.n_players):
            which = self.class_at(seat, player)
            if is_of_seen(which):
                seen.append(int(which))
                known.append(int(self.hands[seat] + _pool_of(which, classes, entries)))
        for place, card in enumerate(entries):
            which = classes[place]
            known.append(int(which))
            known.append(card if which == _KNOWN else card & ~_KIND_MASK)
            if is_of_seen(which) and int(which) not in seen:
                known.append(int(_pool_of(which, classes, entries)))
        for age in range(self.age + 1):
            known.append(int(hand_size(self.decks[age])))
        lists = [self.coins, self.early, self.late, self.stages, self.victories, self.defeats]
        for numbers in lists:
            known += numbers
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
            hand = _names(kinds_in(self.age, self.hands[seat])) if self.knows_hand(viewer, seat) else "?"
            text = f"player {seat}  {WONDER_NAMES[wonder]} stage {self.stages[seat]} of {N_STAGES[wonder]}"
            text += (
                f"  coins {self.coins[seat]}  shields {self.shields(seat)}  points {self.score(seat):.0f}  hand {hand}"
            )
            if self.chosen[seat] != NO_CHOICE:
                is_open = viewer < 0 or viewer == seat
                text += f" (chosen: {choice_text(self.chosen[seat])})" if is_open else " (has chosen)"
            city = _names([kind for kind in range(N_KINDS) if self.has_built(seat, kind)])
            lines.append(f"{text}  city {city}")
        pile = self.discarded()
        is_open = viewer < 0 or (viewer == self.digger and self.phase == RECOVER)
        names = _names(pile) if is_open else str(len(pile))
        lines.append(f"discards: {names}")
        return "\n".join(lines)


def _class(age: i64, hand: i64, sight: i64) -> i64:
    """Return the class of cards that left a hand after a player had seen it for the ``sight``-th time."""
    return age * _AGE_CLASSES + 1 + 4 * hand + sight


def is_of_seen(which: i64) -> bool:
    """Say whether a class is of cards that were in a hand when the player saw it."""
    return which > 0 and which & (_AGE_CLASSES - 1) != 0


def _pool_of(which: i64, classes: list[int], entries: list[int]) -> i64:
    """Return the face-down cards of a class, as a hand."""
    base: i64 = BASE[which // _AGE_CLASSES]
    pool: i64 = 0
    for place in range(len(classes)):
        if classes[place] == which:
            kind: i64 = entries[place] & _KIND_MASK
            pool += UNITS[kind - base]
    return pool


def _redraw(which: i64, classes: list[int], entries: list[int], pool: i64, size: i64, rng: Rng) -> i64:
    """Draw the face-down cards of a class again out of a pool, mark them as done, and return the rest of the pool."""
    base: i64 = BASE[which // _AGE_CLASSES]
    for index in range(len(classes)):
        if classes[index] == which:
            place = drawn_card(pool, size, rng)
            pool -= UNITS[place]
            size -= 1
            entry: i64 = entries[index]
            entries[index] = int(entry & ~_KIND_MASK | base + place)
            classes[index] = _KNOWN
    return pool


def draw_cards(pool: i64, size: i64, number: i64, rng: Rng) -> i64:
    """Draw so many of ``size`` cards, each as likely."""
    drawn: i64 = 0
    for _card in range(number):
        one: i64 = UNITS[drawn_card(pool, size, rng)]
        pool -= one
        drawn += one
        size -= 1
    return drawn


def _names(kinds: list[int]) -> str:
    return ", ".join([NAMES[kind] for kind in kinds]) if kinds else "none"
