"""The state of Colt Express: places of bandits and loot, changes to them, and the knowledge of each player."""

from __future__ import annotations

from collections.abc import Hashable

from mypy_extensions import i64, mypyc_attr

from tag import Event, GameState, Rng
from tag.components import (
    HIDDEN_TO_ALL,
    VISIBLE_TO_ALL,
    VISIBLE_TO_OWNER,
    Component,
    Counter,
    Deck,
    PartiallyObservableDeck,
    Token,
    shared,
)
from tag.games.boards.colt_express import telling
from tag.games.boards.colt_express.data import (
    ACTION_CARDS,
    ACTION_NAMES,
    BANDIT_NAMES,
    BELLE,
    BITS,
    BULLET,
    CARD_NAMES,
    CARDS,
    CHEYENNE,
    CHOOSE,
    DJANGO,
    DOWN,
    EVENT_NAMES,
    KIND_BITS,
    MARSHAL,
    N_ACTIONS,
    NO_EVENT,
    NOWHERE,
    OUTLAW,
    PLACE,
    PLAYER_SHIFT,
    TUCO,
    TURN_NAMES,
    UNCHOSEN,
    Cards,
    car_name,
    draw,
    listed,
    size,
    unit,
)


@mypyc_attr(allow_interpreted_subclasses=True)
class ColtExpressState(GameState):
    """One position.

    Cars are numbered from the caboose, 0, to the locomotive; a spot is twice the car, plus one for its roof. Bandits have
    numbers; with teams, player p has the bandits 2p and 2p + 1. Pieces of loot have numbers: first the purses (one per
    bandit to begin with, then those on the train, then those left in the box), then jewels, then strongboxes; sets of them
    are bit masks. Sets of cards are single integers (`tag.games.boards.colt_express.data`). Decks have no order: no player
    knows it, and cards are drawn at random from the set.

    Attributes:
        cars: the cars, the locomotive included.
        per: bandits of each player.
        marshal: the Marshal's car.
        neutral: the neutral Bullet cards left.
        slot: which turn of the round card is planned.
        step: how many plays of it are done.
        done: which card of the pile is due in stealing, -1 while planning; in pickpocketing, which bandit's turn it is.
        acting: the bandit who acts in stealing and pickpocketing.
        event: the event at the end of the round.
        left: the regular round cards that can still come, as a mask.
        purses: all purses, as a mask.
        jewels: all jewels, as a mask.
        boxed: the strongboxes still in the box, as a mask.
        covers: whether a Fire may be covered.
        reserves: whether every hand had a card of choice.
        purse_mean: what a purse of unknown value counts.
        title: the name of the round card.
        turns: its turns, a byte for each.
        offers: the bandits, or teams, that can be chosen, as a mask of numbers: the bandit, plus eight times a second one.
        characters: which ability each bandit has.
        values: the value of each piece of loot, 0 for unopened purses.
        unopened: the purses into which no player has looked, as a mask; their values are drawn when one does.
        contents: the values that these can have, in order.
        known: for each player, the loot whose value the player knows.
        bullets: for each bandit, the Bullet cards not fired.
        wounds: for each player, the Bullet cards received.
        shots: for each player, the Bullet cards that count for the Gunslinger.
        money: for each player, what was won beside loot.
        pile: the cards planned.
        spots: for each bandit, where it is.
        floor: for each spot, the loot there.
        held: for each bandit, the loot it has.
        cards: for each player, the cards in hand and deck.
    """

    def __init__(
        self,
        n_players: i64,
        spots: list[int],
        floor: list[int],
        held: list[int],
        pile: list[int],
        cards: list[Cards],
        characters: list[int],
    ) -> None:
        super().__init__(n_players)
        self.cars: i64 = 0
        self.per: i64 = 1
        self.marshal: i64 = 0
        self.neutral: i64 = 0
        self.slot: i64 = 0
        self.step: i64 = 0
        self.done: i64 = -1
        self.acting: i64 = -1
        self.event: i64 = 0
        self.left: i64 = 0
        self.purses: i64 = 0
        self.jewels: i64 = 0
        self.boxed: i64 = 0
        self.covers = False
        self.reserves = False
        self.purse_mean = 0.0
        self.title: str = ""
        self.turns: bytes = b""
        self.offers: i64 = 0
        self.characters = characters
        self.values: tuple[int, ...] = ()
        self.unopened: i64 = 0
        self.contents: tuple[int, ...] = ()
        self.known: tuple[int, ...] = ()
        self.bullets: tuple[int, ...] = ()
        self.wounds: tuple[int, ...] = ()
        self.shots: tuple[int, ...] = ()
        self.money: tuple[int, ...] = ()
        self.pile = pile
        self.spots = spots
        self.floor = floor
        self.held = held
        self.cards = cards

    def copy(self) -> ColtExpressState:
        """Copy the lists; the rest is immutable."""
        other = ColtExpressState(
            self.n_players,
            self.spots[:],
            self.floor[:],
            self.held[:],
            self.pile[:],
            [cards.copy() for cards in self.cards],
            self.characters[:],
        )
        self.copy_to(other)
        other.cars = self.cars
        other.per = self.per
        other.marshal = self.marshal
        other.neutral = self.neutral
        other.slot = self.slot
        other.step = self.step
        other.done = self.done
        other.acting = self.acting
        other.event = self.event
        other.left = self.left
        other.purses = self.purses
        other.jewels = self.jewels
        other.boxed = self.boxed
        other.covers = self.covers
        other.reserves = self.reserves
        other.purse_mean = self.purse_mean
        other.title = self.title
        other.turns = self.turns
        other.offers = self.offers
        other.values = self.values
        other.unopened = self.unopened
        other.contents = self.contents
        other.known = self.known
        other.bullets = self.bullets
        other.wounds = self.wounds
        other.shots = self.shots
        other.money = self.money
        return other

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal again the hands and face-down cards of others, and the values of purses opened by others only."""
        if self.is_terminal:
            return
        self._redeal_purses(player, rng)
        pile = self.pile
        hidden: list[int] = []
        for index in range(len(pile)):
            card = pile[index]
            if card & DOWN and index > self.done and card >> PLAYER_SHIFT != player:
                hidden.append(index)
        if hidden:
            self._redeal_pile(hidden, rng)
        for other in range(self.n_players):
            if other != player and self.cards[other].hand:
                self._redeal_hand(other, rng)
        if self.phase == PLACE and self.per == 2:
            first = 2 * (1 - player)  # a coin is tossed for where the bandits of a team have been placed in secret
            if self.spots[first] != NOWHERE and rng.below(2):
                self.spots[first], self.spots[first + 1] = self.spots[first + 1], self.spots[first]

    def _redeal_purses(self, player: i64, rng: Rng) -> None:
        """Draw the values of purses that ``player`` has not opened, but others have, again."""
        hidden = self.purses & ~self.known[player] & ~self.unopened
        if hidden:
            contents = list(self.contents)
            for token in _tokens(hidden):
                contents.append(self.values[token])
            contents.sort()
            self.contents = tuple(contents)
            self.unopened |= hidden
            self.open_purses(hidden, rng)

    def _redeal_pile(self, hidden: list[int], rng: Rng) -> None:
        """Deal the cards at the indices ``hidden`` of the pile again, out of hand and deck together.

        A deck may be short of a card then that is still in the hand; dealing the hand again settles that.
        """
        pile = self.pile
        for index in hidden:
            self.cards[pile[index] >> PLAYER_SHIFT].deck += unit(pile[index] & KIND_BITS)
        for index in hidden:
            owner = pile[index] >> PLAYER_SHIFT
            cards = self.cards[owner]
            kind = draw((cards.deck + cards.hand) & ACTION_CARDS, rng)
            cards.deck -= unit(kind)
            pile[index] = owner << PLAYER_SHIFT | DOWN | int(kind)

    def _redeal_hand(self, other: i64, rng: Rng) -> None:
        """Deal the hand of ``other`` again; one of a team that has not played yet holds the action card reserved."""
        cards = self.cards[other]
        number = size(cards.hand)
        cards.deck += cards.hand
        cards.hand = 0
        if self.reserves and not any([card >> PLAYER_SHIFT == other for card in self.pile]):
            cards.hand = unit(draw(cards.deck & ACTION_CARDS, rng))
            cards.deck -= cards.hand
            number -= 1
        cards.draw(number, rng)

    def is_hidden(self, index: i64) -> bool:
        """Say whether a card of the pile lies face down and has not been turned up."""
        return index > self.done and self.pile[index] & DOWN != 0

    def knowledge(self, player: i64) -> Hashable:
        """Return all that ``player`` knows: what is public, the own cards, and the value of purses held once."""
        known = self.known[player]
        pile = self.pile
        return (
            self.basic_knowledge(player),
            (int(self.slot), int(self.step), int(self.done), int(self.acting), int(self.event)),
            (int(self.cars), int(self.marshal), int(self.neutral), int(self.left), int(self.boxed)),
            (self.title, self.turns, int(self.offers), tuple(self.characters)),
            (self.known, self.bullets, self.wounds, self.shots, self.money, tuple(self.floor), tuple(self.held)),
            tuple([self.values[token] if known & BITS[token] else 0 for token in range(len(self.values))]),
            tuple([self.seen_card(index, player) for index in range(len(pile))]),
            tuple([self.seen_spot(bandit, player) for bandit in range(len(self.spots))]),
            (int(self.cards[player].hand), int(self.cards[player].deck)),
            tuple([self.unseen_cards(other) for other in range(self.n_players)]),
            tuple([int(size(cards.hand)) for cards in self.cards]),
        )

    def seen_card(self, index: i64, viewer: i64) -> int:
        """Return a card of the pile, without its kind if ``viewer`` (-1: sees all) cannot see it."""
        card = self.pile[index]
        if viewer < 0 or card >> PLAYER_SHIFT == viewer or not self.is_hidden(index):
            return card
        return card | KIND_BITS

    def seen_spot(self, bandit: i64, viewer: i64) -> int:
        """Return where a bandit is, `NOWHERE` while that is secret."""
        is_secret = self.phase == PLACE and viewer >= 0 and bandit // self.per != viewer
        return NOWHERE if is_secret else self.spots[bandit]

    def unseen_cards(self, player: i64) -> int:
        """Return the cards of ``player`` in places that others cannot see: hand, deck, face down in the pile."""
        found = self.cards[player].deck + self.cards[player].hand
        for index in range(len(self.pile)):
            if self.is_hidden(index) and self.pile[index] >> PLAYER_SHIFT == player:
                found += unit(self.pile[index] & KIND_BITS)
        return int(found)

    def score(self, player: i64) -> float:
        """Return the money; purses whose value is not known to all count their average until the end."""
        public: i64 = -1
        for other in range(self.n_players):
            public &= self.known[other]
        return self.loot_of(player, public)

    def loot(self, known: i64) -> list[float]:
        """Return `loot_of` each player."""
        return [self.loot_of(player, known) for player in range(self.n_players)]

    def loot_of(self, player: i64, known: i64) -> float:
        """Return the money of ``player``; purses that are not in the mask ``known`` count their average."""
        total = float(self.money[player])
        first = player * self.per
        for bandit in range(first, first + self.per):
            total = self.with_loot(total, self.held[bandit], known)
        return total

    def with_loot(self, total: float, loot: i64, known: i64) -> float:
        """Return ``total`` and the value of ``loot``; purses that are not in the mask ``known`` count their average."""
        token: i64 = 0
        while loot:
            if loot & 1:
                total += float(self.values[token]) if known & 1 else self.purse_mean
            loot >>= 1
            known >>= 1
            token += 1
        return total

    def tiebreak(self, player: i64, tier: i64) -> float:
        return -float(self.wounds[player])

    def tiebreak_tiers(self) -> i64:
        return 1

    def plays(self, player: i64, character: i64) -> bool:
        """Say whether a bandit of ``player`` is ``character``."""
        first = player * self.per
        return self.characters[first] == character or (self.per == 2 and self.characters[first + 1] == character)

    def fire_targets(self, bandit: i64) -> list[int]:
        """Return whom ``bandit`` sees: inside, those in the next cars; on a roof, the nearest ones either way."""
        spot: i64 = self.spots[bandit]
        behind: i64 = -1
        ahead: i64 = 1 << 30
        if spot & 1:
            for there in self.spots:
                if there & 1 and there < spot:
                    behind = max(behind, there)
                elif there & 1 and there > spot:
                    ahead = min(ahead, there)
        else:
            behind, ahead = spot - 2, spot + 2
        through: i64 = spot ^ 1 if self.characters[bandit] == TUCO else -2
        found: list[int] = []
        for other in range(len(self.spots)):
            there = self.spots[other]
            if there >= 0 and (there == behind or there == ahead or there == through):
                found.append(other)
        return self._without_belle(found) if len(found) > 1 else found

    def punch_targets(self, bandit: i64) -> list[int]:
        """Return who is at the same spot."""
        spot = self.spots[bandit]
        found = [other for other in range(len(self.spots)) if self.spots[other] == spot and other != bandit]
        return self._without_belle(found) if len(found) > 1 else found

    def _without_belle(self, found: list[int]) -> list[int]:
        """Leave Belle out, since another bandit can be the target."""
        return [bandit for bandit in found if self.characters[bandit] != BELLE]

    def distinct_loot(self, loot: i64, player: i64) -> list[int]:
        """Return one of each pieces of ``loot`` that look the same to ``player``: equal kind, value and former owners."""
        found: list[int] = []
        looks: list[int] = []
        token: i64 = 0
        while loot:
            if loot & 1:
                look = self._look(token, player)
                if look not in looks:
                    looks.append(look)
                    found.append(int(token))
            loot >>= 1
            token += 1
        return found

    def _look(self, token: i64, player: i64) -> int:
        bit = BITS[token]
        if not self.purses & bit:
            return -1 if self.jewels & bit else -2
        knowers: i64 = 0
        for other in range(self.n_players):
            if self.known[other] & bit:
                knowers |= 1 << other
        value: i64 = self.values[token] if self.known[player] & bit else 0
        return int(value * 64 + knowers)

    def go_to(self, bandit: i64, car: i64, how: str = "") -> None:
        """Put ``bandit`` into or onto another car, on the same floor; ``how`` it gets there, if not by its own move."""
        self.put(bandit, 2 * car + (self.spots[bandit] & 1), how)
        self.meet_marshal(bandit)

    def put(self, bandit: i64, spot: i64, how: str) -> None:
        """Put ``bandit`` at a spot; ``how`` it gets there is told, empty if the action says it."""
        self.spots[bandit] = int(spot)
        if self.recording:
            where = telling.goal_text(spot, self.cars)
            self.announce(telling.moved(who_text(self, bandit), bandit // self.per, bandit, how, where))

    def meet_marshal(self, bandit: i64) -> None:
        """Let a bandit inside the Marshal's car get a neutral bullet and flee to the roof."""
        if self.spots[bandit] == 2 * self.marshal:
            self.put(bandit, 2 * self.marshal + 1, "flees from the Marshal")
            self.hand_out([int(bandit)])

    def move_marshal(self, car: i64) -> None:
        """Move the Marshal, from whom all bandits in the car flee."""
        self.marshal = car
        found = [bandit for bandit in range(len(self.spots)) if self.spots[bandit] == 2 * car]
        for bandit in found:
            self.put(bandit, 2 * car + 1, "flees from the Marshal")
        self.hand_out(found)

    def hand_out(self, bandits: list[int]) -> None:
        """Give a neutral Bullet card to each of ``bandits``, to none of them if there are not enough."""
        if len(bandits) > self.neutral:
            if self.recording:
                self.announce(telling.no_bullets(self.neutral, len(bandits)))
            return
        self.neutral -= len(bandits)
        for bandit in bandits:
            self.wound(bandit // self.per)
            if self.recording:
                self.announce(telling.hit(who_text(self, bandit), bandit // self.per, ""))

    def wound(self, player: i64) -> None:
        """Put a Bullet card into the deck of ``player``."""
        self.cards[player].deck += unit(BULLET)
        self.wounds = plus(self.wounds, player, 1)

    def take(self, bandit: i64, token: i64) -> None:
        """Give a piece of loot to ``bandit``, whose player looks at it."""
        bit = BITS[token]
        player = bandit // self.per
        self.held[bandit] |= bit
        if not self.known[player] & bit:
            self.known = plus(self.known, player, bit)
            if self.recording:
                self.announce(telling.opened(player, self.values[token]))

    def open_purses(self, purses: i64, rng: Rng) -> None:
        """Draw the values of those among ``purses`` that are unopened."""
        purses &= self.unopened
        if purses:
            values, contents = list(self.values), list(self.contents)
            for token in _tokens(purses):
                values[token] = contents.pop(rng.below(len(contents)))
            self.values, self.contents = tuple(values), tuple(contents)
            self.unopened ^= purses

    def shoot(self, bandit: i64, victim: i64) -> None:
        """Fire a bullet; Django's pushes the victim on."""
        player, target = bandit // self.per, victim // self.per
        self.bullets = plus(self.bullets, bandit, -1)
        if target != player:
            self.shots = plus(self.shots, player, 1)
        self.wound(target)
        if self.recording:
            self.announce(telling.fired(player, bandit))
            self.announce(telling.hit(who_text(self, victim), target, who_text(self, bandit)))
        if self.characters[bandit] == DJANGO:
            here, there = self.spots[bandit] >> 1, self.spots[victim] >> 1
            car = there + 1 if there > here else there - 1
            if 0 <= car < self.cars:
                self.go_to(victim, car, "is pushed")

    def punch(self, bandit: i64, victim: i64, token: i64, car: i64) -> None:
        """Make ``victim`` lose a piece of loot (-1: has none) and go to ``car``; Cheyenne takes a purse herself."""
        if token >= 0:
            bit = BITS[token]
            if self.purses & bit and self.characters[bandit] == CHEYENNE:
                self.held[victim] &= ~bit
                if self.recording:
                    self.announce(_robbed(self, bandit, victim, token))
                self.take(bandit, token)
            else:
                self.drop(victim, token)
        self.go_to(victim, car, "is punched")

    def drop(self, bandit: i64, token: i64) -> None:
        """Make ``bandit`` lose a piece of loot, which stays at the spot."""
        spot: i64 = self.spots[bandit]
        self.held[bandit] &= ~BITS[token]
        self.floor[spot] |= BITS[token]
        if self.recording:
            who, loot, seen = who_text(self, bandit), loot_text(self, token, -1), _knowers(self, token)
            where = (telling.floor_place(spot), telling.spot_text(spot, self.cars))
            self.announce(telling.lost(who, bandit // self.per, bandit, loot, seen, where))

    def components(self) -> list[Component]:
        found: list[Component] = [
            Counter("round", self.round),
            Counter("marshal", self.marshal),
            Counter("neutral bullets", self.neutral),
            _pile(self),
        ]
        for spot in range(len(self.floor)):
            found.append(_loot(self, telling.floor_place(spot), self.floor[spot], -1))
        for bandit in range(len(self.spots)):
            owner = bandit // self.per
            seen = VISIBLE_TO_OWNER if self.phase == PLACE else VISIBLE_TO_ALL
            found.append(Counter(telling.spot_place(bandit), self.spots[bandit], NOWHERE, owner=owner, visibility=seen))
            found.append(Counter(f"bullets of bandit {bandit}", self.bullets[bandit], owner=owner))
            found.append(_loot(self, telling.loot_place(bandit), self.held[bandit], owner))
        for player in range(self.n_players):
            hand = [CARDS[kind] for kind in listed(self.cards[player].hand)]
            deck = [CARDS[kind] for kind in listed(self.cards[player].deck)]
            found.append(Deck(f"hand of {player}", hand, player, VISIBLE_TO_OWNER))
            found.append(Deck(f"deck of {player}", deck, player, HIDDEN_TO_ALL))
        return found

    def text(self, viewer: i64) -> str:
        lines = [_round_text(self)]
        if self.phase != CHOOSE:
            lines += [_car_text(self, car, viewer) for car in range(self.cars)]
        for player in range(self.n_players):
            lines.append(_player_text(self, player, viewer))
        if self.pile:
            lines.append(f"pile: {_pile_text(self, viewer)}")
        return "\n".join(lines)


def plus(numbers: tuple[int, ...], index: i64, change: i64) -> tuple[int, ...]:
    """Return ``numbers`` with ``change`` added to one of them."""
    found = list(numbers)
    found[index] += int(change)
    return tuple(found)


def loot_kind(state: ColtExpressState, token: i64) -> str:
    """Return the kind of a piece of loot."""
    if state.purses & BITS[token]:
        return "purse"
    return "jewel" if state.jewels & BITS[token] else "strongbox"


def loot_text(state: ColtExpressState, token: i64, viewer: i64) -> str:
    """Return a piece of loot, with its value where ``viewer`` (-1: sees all) knows it."""
    kind = loot_kind(state, token)
    is_known = state.values[token] > 0 and (viewer < 0 or state.known[viewer] & BITS[token])
    return f"{kind} ${state.values[token]}" if is_known else kind


def card_text(state: ColtExpressState, player: i64, kind: i64) -> str:
    """Return a card of ``player``, with the bandit's name where there are two."""
    if kind == BULLET:
        return CARD_NAMES[kind]
    action = kind % N_ACTIONS
    if state.per == 1 or action == MARSHAL:
        return ACTION_NAMES[action]
    bandit = player * 2 + kind // N_ACTIONS
    return f"{ACTION_NAMES[action]} ({bandit_name(state, bandit)})"


def bandit_name(state: ColtExpressState, bandit: i64) -> str:
    """Return the name of a bandit."""
    character = state.characters[bandit]
    return f"bandit {bandit}" if character == UNCHOSEN else BANDIT_NAMES[character]


def who_text(state: ColtExpressState, bandit: i64) -> str:
    """Return a bandit with its player, as sentences call it."""
    player = bandit // state.per
    if state.characters[bandit] == OUTLAW:
        return f"player {player}" if state.per == 1 else f"bandit {bandit} (player {player})"
    return f"{bandit_name(state, bandit)} (player {player})"


def owned_text(state: ColtExpressState, player: i64) -> tuple[str, ...]:
    """Return the loot of a player, with its value."""
    first = player * state.per
    return tuple(
        [
            loot_text(state, token, -1)
            for bandit in range(first, first + state.per)
            for token in _tokens(state.held[bandit])
        ]
    )


def cards_text(state: ColtExpressState, player: i64, cards: i64) -> tuple[str, ...]:
    """Return a set of cards of ``player``."""
    return tuple([card_text(state, player, kind) for kind in listed(cards)])


def _round_text(state: ColtExpressState) -> str:
    shown = "over" if state.is_terminal else f"player {state.current_player} to decide"
    if not state.turns:
        return f"Before the first round, {shown}"
    event = "" if state.event == NO_EVENT else f", then {EVENT_NAMES[state.event]}"
    turns = ", ".join([TURN_NAMES[turn] for turn in state.turns])
    number = state.round if state.is_terminal else state.round + 1
    return f"Round {number} ({state.title}: {turns}{event}), {shown}"


def _car_text(state: ColtExpressState, car: i64, viewer: i64) -> str:
    name = car_name(car, state.cars)
    parts = []
    for spot, place in ((2 * car + 1, "roof"), (2 * car, "inside")):
        there = [bandit_name(state, b) for b in range(len(state.spots)) if state.seen_spot(b, viewer) == spot]
        if spot == 2 * state.marshal:
            there.append("the Marshal")
        there += [loot_text(state, token, viewer) for token in _tokens(state.floor[spot])]
        if there:
            parts.append(f"{place}: {', '.join(there)}")
    return f"{name}  {'; '.join(parts)}".rstrip()


def _player_text(state: ColtExpressState, player: i64, viewer: i64) -> str:
    parts = []
    for bandit in range(player * state.per, (player + 1) * state.per):
        loot = ", ".join([loot_text(state, token, viewer) for token in _tokens(state.held[bandit])]) or "no loot"
        parts.append(f"{bandit_name(state, bandit)}: {loot}, {state.bullets[bandit]} bullets")
    hand = state.cards[player].hand
    if viewer < 0 or viewer == player:
        cards = ", ".join([card_text(state, player, kind) for kind in listed(hand)]) or "none"
    else:
        cards = f"{size(hand)} cards"
    parts.append(f"hand {cards}, deck {size(state.cards[player].deck)}, hit {state.wounds[player]} times")
    if state.money[player]:
        parts.append(f"${state.money[player]} beside")
    return f"player {player}  {'; '.join(parts)}"


def _pile_text(state: ColtExpressState, viewer: i64) -> str:
    shown = []
    for index in range(len(state.pile)):
        card = state.seen_card(index, viewer)
        player, kind = card >> PLAYER_SHIFT, card & KIND_BITS
        text = "?" if kind == KIND_BITS else card_text(state, player, kind)
        marks = (" face down" if card & DOWN else "") + (" (due)" if index == state.done else "")
        shown.append(f"{player} {text}{marks}")
    return ", ".join(shown)


def _tokens(loot: i64) -> list[int]:
    found: list[int] = []
    token: i64 = 0
    while loot:
        if loot & 1:
            found.append(int(token))
        loot >>= 1
        token += 1
    return found


def _loot(state: ColtExpressState, name: str, loot: i64, owner: i64) -> Component:
    tokens = _tokens(loot)
    found = [shared(Token(loot_kind(state, token), (("value", state.values[token]),))) for token in tokens]
    seen = [_knowers(state, token) for token in tokens]
    return PartiallyObservableDeck(name, found, state.n_players, owner, seen=seen)


def _knowers(state: ColtExpressState, token: i64) -> int:
    """Return the players who know the value of a piece of loot, as a mask."""
    return sum([BITS[seat] for seat in range(state.n_players) if state.known[seat] & BITS[token]])


def _robbed(state: ColtExpressState, bandit: i64, victim: i64, token: i64) -> Event:
    """Return that ``bandit`` gets a purse of ``victim``."""
    who, by = who_text(state, victim), who_text(state, bandit)
    places = (telling.loot_place(victim), telling.loot_place(bandit))
    loot, seen = loot_text(state, token, -1), _knowers(state, token)
    return telling.robbed(who, victim // state.per, loot, seen, by, places)


def _pile(state: ColtExpressState) -> Component:
    """Return the planned cards that have still to be played, each with who sees it; the others are back in the decks."""
    left = range(max(0, int(state.done)), len(state.pile))
    cards = [CARDS[state.pile[index] & KIND_BITS] for index in left]
    everyone = sum(BITS[: state.n_players])
    seen = [BITS[state.pile[index] >> PLAYER_SHIFT] if state.is_hidden(index) else everyone for index in left]
    return PartiallyObservableDeck("pile", cards, state.n_players, seen=seen)
