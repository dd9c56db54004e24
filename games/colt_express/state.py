"""The state of Colt Express: places of bandits and loot, changes to them, and the knowledge of each player."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from mypy_extensions import i64, mypyc_attr

from games.colt_express.data import (
    ACTION_CARDS,
    BELLE,
    BITS,
    BULLET,
    CHEYENNE,
    DJANGO,
    DOWN,
    KIND_BITS,
    NOWHERE,
    PLACE,
    PLAYER_SHIFT,
    TUCO,
    UNITS,
    draw,
    draw_set,
    size,
)
from games.colt_express.heuristic import DEFAULT_HEURISTIC
from games.colt_express.view import components_of, features_of, text_of
from tag import GameState, Rng
from tag.components import Component


@mypyc_attr(allow_interpreted_subclasses=True)
class ColtExpressState(GameState):
    """One position.

    Cars are numbered from the caboose, 0, to the locomotive; a spot is twice the car, plus one for its roof. Bandits have
    numbers; with teams, player p has the bandits 2p and 2p + 1. Pieces of loot have numbers: first the purses (one per
    bandit to begin with, then those on the train, then those left in the box), then jewels, then strongboxes; sets of them
    are bit masks. Sets of cards are single integers (`games.colt_express.data`). Decks have no order: no player knows it,
    and cards are drawn at random from the set.

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
        turns: its turns.
        offers: the teams, or bandits, that can be chosen: a bandit, and eight times the second one of a team.
        characters: which ability each bandit has.
        values: the value of each piece of loot.
        known: for each player, the loot whose value the player knows.
        bullets: for each bandit, the Bullet cards not fired.
        wounds: for each player, the Bullet cards received.
        shots: for each player, the Bullet cards that count for the Gunslinger.
        money: for each player, what was won beside loot.
        pile: the cards planned.
        spots: for each bandit, where it is.
        floor: for each spot, the loot there.
        held: for each bandit, the loot it has.
        hands: for each player, the cards in hand.
        decks: for each player, the cards in the deck.
    """

    def __init__(
        self,
        n_players: i64,
        spots: list[int],
        floor: list[int],
        held: list[int],
        hands: list[int],
        decks: list[int],
        values: list[int],
    ) -> None:
        """Take the lists; the rest is set by the set-up."""
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
        self.turns: tuple[int, ...] = ()
        self.offers: tuple[int, ...] = ()
        self.characters: tuple[int, ...] = ()
        self.values = values
        self.known: tuple[int, ...] = ()
        self.bullets: tuple[int, ...] = ()
        self.wounds: tuple[int, ...] = ()
        self.shots: tuple[int, ...] = ()
        self.money: tuple[int, ...] = ()
        self.pile: tuple[int, ...] = ()
        self.spots = spots
        self.floor = floor
        self.held = held
        self.hands = hands
        self.decks = decks

    # --- copies and observations -------------------------------------------------------------------------------------

    def copy(self) -> ColtExpressState:
        """Copy the lists; the rest is immutable."""
        other = ColtExpressState(
            self.n_players,
            self.spots[:],
            self.floor[:],
            self.held[:],
            self.hands[:],
            self.decks[:],
            self.values[:],
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
        other.characters = self.characters
        other.known = self.known
        other.bullets = self.bullets
        other.wounds = self.wounds
        other.shots = self.shots
        other.money = self.money
        other.pile = self.pile
        return other

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal again the hands and face-down cards of others, and the values of purses that ``player`` never held."""
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
            if other != player and self.hands[other]:
                self._redeal_hand(other, rng)
        if self.phase == PLACE and self.per == 2:
            self._replace_team(1 - player, rng)

    def _redeal_purses(self, player: i64, rng: Rng) -> None:
        """Deal the values of purses unknown to ``player`` again, those left in the box among them."""
        unknown = self.purses & ~self.known[player]
        places: list[int] = []
        token: i64 = 0
        while unknown:
            if unknown & 1:
                places.append(int(token))
            unknown >>= 1
            token += 1
        values: list[Any] = self.values  # swapped as they are, without a look at the numbers
        last: i64 = len(places) - 1
        while last > 0:
            one: i64 = places[last]
            other: i64 = places[rng.below(last + 1)]
            value = values[one]
            values[one] = values[other]
            values[other] = value
            last -= 1

    def _redeal_pile(self, hidden: list[int], rng: Rng) -> None:
        """Deal the cards at the indices ``hidden`` of the pile again, out of hand and deck together.

        A deck may be short of a card then that is still in the hand; dealing the hand again settles that.
        """
        dealt = list(self.pile)
        decks = self.decks
        for index in hidden:
            decks[dealt[index] >> PLAYER_SHIFT] += UNITS[dealt[index] & KIND_BITS]
        for index in hidden:
            owner = dealt[index] >> PLAYER_SHIFT
            kind = draw((decks[owner] + self.hands[owner]) & ACTION_CARDS, rng)
            decks[owner] -= UNITS[kind]
            dealt[index] = owner << PLAYER_SHIFT | DOWN | int(kind)
        self.pile = tuple(dealt)

    def _redeal_hand(self, other: i64, rng: Rng) -> None:
        """Deal the hand of ``other`` again; one of a team that has not played yet holds the action card reserved."""
        cards: i64 = self.decks[other]
        cards += self.hands[other]
        number = size(self.hands[other])
        hand: i64 = 0
        if self.reserves and not self.has_played(other):
            hand = UNITS[draw(cards & ACTION_CARDS, rng)]
            number -= 1
        hand += draw_set(cards - hand, number, rng)
        self.hands[other] = int(hand)
        self.decks[other] = int(cards - hand)

    def has_played(self, player: i64) -> bool:
        """Say whether ``player`` has a card in the pile."""
        return any([card >> PLAYER_SHIFT == player for card in self.pile])

    def _replace_team(self, other: i64, rng: Rng) -> None:
        """Toss a coin for where the bandits of a team have been placed in secret."""
        first = 2 * other
        if self.spots[first] != NOWHERE and rng.below(2):
            self.spots[first], self.spots[first + 1] = self.spots[first + 1], self.spots[first]

    def is_hidden(self, index: i64) -> bool:
        """Say whether a card of the pile lies face down and has not been turned up."""
        return index > self.done and self.pile[index] & DOWN != 0

    def knowledge(self, player: i64) -> Hashable:
        """Return all that ``player`` knows: what is public, the own cards, and the value of purses held once."""
        known = self.known[player]
        pile = self.pile
        return (
            (int(player), int(self.current_player), int(self.turn_player), int(self.first_player), int(self.phase)),
            (int(self.round), int(self.turn), self.is_terminal, self.results, int(self.slot), int(self.step)),
            (int(self.cars), int(self.marshal), int(self.neutral), int(self.done), int(self.acting), int(self.event)),
            (int(self.left), int(self.boxed), self.title, self.turns, self.offers, self.characters),
            (self.known, self.bullets, self.wounds, self.shots, self.money, tuple(self.floor), tuple(self.held)),
            tuple([self.values[token] if known & BITS[token] else 0 for token in range(len(self.values))]),
            tuple([self.seen_card(index, player) for index in range(len(pile))]),
            tuple([self.seen_spot(bandit, player) for bandit in range(len(self.spots))]),
            (self.hands[player], self.decks[player]),
            tuple([self.unseen_cards(other) for other in range(self.n_players)]),
            tuple([int(size(self.hands[other])) for other in range(self.n_players)]),
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
        cards = self.decks[player] + self.hands[player]
        for index in range(len(self.pile)):
            if self.is_hidden(index) and self.pile[index] >> PLAYER_SHIFT == player:
                cards += UNITS[self.pile[index] & KIND_BITS]
        return cards

    # --- values ------------------------------------------------------------------------------------------------------

    def score(self, player: i64) -> float:
        """Return the money; purses whose value is not known to all count their average until the end."""
        public: i64 = -1
        for other in range(self.n_players):
            public &= self.known[other]
        return self.loot_of(player, public)

    def loot_of(self, player: i64, known: i64) -> float:
        """Return the money of ``player``; purses that are not in the mask ``known`` count their average."""
        total = float(self.money[player])
        first = player * self.per
        for bandit in range(first, first + self.per):
            loot: i64 = self.held[bandit]
            token: i64 = 0
            while loot:
                if loot & 1:
                    total += float(self.values[token]) if known & BITS[token] else self.purse_mean
                loot >>= 1
                token += 1
        return total

    def tiebreak(self, player: i64, tier: i64) -> float:
        """Return the Bullet cards received, the fewest being best."""
        return -float(self.wounds[player])

    def tiebreak_tiers(self) -> i64:
        """Return that there is one."""
        return 1

    def heuristic(self, player: i64) -> float:
        """Return the TAG report's heuristic."""
        return DEFAULT_HEURISTIC.value(self, player)

    def shots_fired(self) -> i64:
        """Return how many Bullet cards all bandits have fired, at their partners excepted."""
        total: i64 = 0
        for shots in self.shots:
            total += shots
        return total

    # --- abilities and targets ---------------------------------------------------------------------------------------

    def has(self, bandit: i64, character: i64) -> bool:
        """Say whether ``bandit`` is ``character``."""
        return self.characters[bandit] == character

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
        through: i64 = spot ^ 1 if self.has(bandit, TUCO) else -2
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

    # --- what happens ------------------------------------------------------------------------------------------------

    def go_to(self, bandit: i64, car: i64) -> None:
        """Put ``bandit`` into or onto another car, on the same floor."""
        self.spots[bandit] = int(2 * car + (self.spots[bandit] & 1))
        self.meet_marshal(bandit)

    def change_floor(self, bandit: i64) -> None:
        """Climb out or in."""
        self.spots[bandit] ^= 1
        self.meet_marshal(bandit)

    def meet_marshal(self, bandit: i64) -> None:
        """Let a bandit inside the Marshal's car get a neutral bullet and flee to the roof."""
        if self.spots[bandit] == 2 * self.marshal:
            self.spots[bandit] += 1
            self.hand_out([int(bandit)])

    def move_marshal(self, car: i64) -> None:
        """Move the Marshal, from whom all bandits in the car flee."""
        self.marshal = car
        found = [bandit for bandit in range(len(self.spots)) if self.spots[bandit] == 2 * car]
        for bandit in found:
            self.spots[bandit] += 1
        self.hand_out(found)

    def hand_out(self, bandits: list[int]) -> None:
        """Give a neutral Bullet card to each of ``bandits``, to none of them if there are not enough."""
        if len(bandits) > self.neutral:
            return
        self.neutral -= len(bandits)
        for bandit in bandits:
            self.wound(bandit // self.per)

    def wound(self, player: i64) -> None:
        """Put a Bullet card into the deck of ``player``."""
        self.decks[player] += UNITS[BULLET]
        self.wounds = plus(self.wounds, player, 1)

    def take(self, bandit: i64, token: i64) -> None:
        """Give a piece of loot to ``bandit``, whose player looks at it."""
        bit = BITS[token]
        player = bandit // self.per
        self.held[bandit] |= bit
        if not self.known[player] & bit:
            self.known = plus(self.known, player, bit)

    def shoot(self, bandit: i64, victim: i64) -> None:
        """Fire a bullet; Django's pushes the victim on."""
        player, target = bandit // self.per, victim // self.per
        self.bullets = plus(self.bullets, bandit, -1)
        if target != player:
            self.shots = plus(self.shots, player, 1)
        self.wound(target)
        if self.has(bandit, DJANGO):
            here, there = self.spots[bandit] >> 1, self.spots[victim] >> 1
            car = there + 1 if there > here else there - 1
            if 0 <= car < self.cars:
                self.go_to(victim, car)

    def punch(self, bandit: i64, victim: i64, token: i64, car: i64) -> None:
        """Make ``victim`` lose a piece of loot (-1: has none) and go to ``car``; Cheyenne takes a purse herself."""
        if token >= 0:
            bit = BITS[token]
            self.held[victim] &= ~bit
            if self.purses & bit and self.has(bandit, CHEYENNE):
                self.take(bandit, token)
            else:
                self.floor[self.spots[victim]] |= bit
        self.go_to(victim, car)

    # --- for people and analysis -------------------------------------------------------------------------------------

    def features(self, player: i64) -> dict[str, float]:
        """Return the round, the own cards, and of each bandit (from the own ones on) where it is and what it has."""
        return features_of(self, player)

    def components(self) -> list[Component]:
        """Return the train, the bandits, the loot and the cards."""
        return components_of(self)

    def text(self, viewer: i64) -> str:
        """Return the table as ``viewer`` sees it."""
        return text_of(self, viewer)

    def __str__(self) -> str:
        return self.text(-1)


def plus(numbers: tuple[int, ...], index: i64, change: i64) -> tuple[int, ...]:
    """Return ``numbers`` with ``change`` added to one of them."""
    found = list(numbers)
    found[index] += int(change)
    return tuple(found)
