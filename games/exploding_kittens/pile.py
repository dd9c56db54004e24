"""The draw pile, and who knows what is where in it.

Between two shuffles three things can happen to the pile, and everybody notices each: the top card is drawn, somebody
looks at the top cards, and somebody puts a kitten back in secret. So all that anybody knows follows from the order of
the pile and three public facts, and nothing else is kept:

* who has put back the first, second … kitten since the shuffle,
* how deep each player's last look went,
* how many kittens had been put back by then.

To another player a kitten put back *floats*: it can be anywhere, but not among cards that this player has looked at
since. All other cards keep their order.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from mypy_extensions import i64, mypyc_attr

from games.exploding_kittens.cards import EXPLODING_KITTEN, changed
from tag.rng import Rng
from tag.state import GameState

#: The place of a kitten that has been put back and drawn again.
DRAWN: Final = -1

#: The depth of a look that nobody has taken, or of which nothing is left: above every card.
NO_LOOK: Final = 1000


@mypyc_attr(allow_interpreted_subclasses=True)
class PileState(GameState):
    """A state with the draw pile.

    A card's *level* at some time is the number of cards under it that were in the pile at that time: it does not
    change when cards are drawn.

    Attributes:
        deck: the cards to draw, the top one last.
        inserters: who has put back the first, second … kitten since the shuffle.
        places: where in the deck these kittens are now, `DRAWN` for those that have been drawn again.
        look_level: for each player, the lowest level, at the time of the last look, of the cards seen; else `NO_LOOK`.
        look_time: for each player, how many kittens had been put back before that look.
    """

    def __init__(self, n_players: i64, deck: list[int]) -> None:
        """Take the list; nobody knows anything."""
        super().__init__(n_players)
        self.deck = deck
        self.inserters: tuple[int, ...] = ()
        self.places: tuple[int, ...] = ()
        self.look_level: tuple[int, ...] = ()
        self.look_time: tuple[int, ...] = ()

    # --- what happens to the pile ----------------------------------------------------------------------------------

    def shuffle_deck(self, rng: Rng) -> None:
        """Shuffle; nobody knows anything any more."""
        rng.shuffle(self.deck)
        self.inserters = ()
        self.places = ()
        self.forget_looks()

    def forget_looks(self) -> None:
        """Let nobody know of any look."""
        self.look_level = (NO_LOOK,) * self.n_players
        self.look_time = (0,) * self.n_players

    def look(self, player: i64, n_cards: i64) -> None:
        """Let ``player`` look at the top ``n_cards``."""
        level: i64 = len(self.deck) - n_cards
        self.look_level = changed(self.look_level, player, max(0, level))
        self.look_time = changed(self.look_time, player, len(self.inserters))

    def put_back(self, player: i64, depth: i64) -> None:
        """Put a kitten back in secret, under ``depth`` cards."""
        here: i64 = len(self.deck) - depth
        self.deck.insert(int(here), EXPLODING_KITTEN)
        self.places = (*[place if place < here else place + 1 for place in self.places], int(here))
        self.inserters = (*self.inserters, int(player))

    def take_top(self) -> i64:
        """Take the top card and return, as a mask, who knew it from a look (everybody can tell who that is)."""
        self.deck.pop()
        place: i64 = len(self.deck)
        number = self.number_at(place)
        if number:
            self.places = changed(self.places, number - 1, DRAWN)
        knowers: i64 = 0
        for player in range(self.n_players):
            lowest: i64 = self.look_level[player]
            if lowest == NO_LOOK:
                continue
            time: i64 = self.look_time[player]
            if number <= time:
                level = self.level(place, time)
                if level >= lowest:
                    knowers |= 1 << player
                if level <= lowest:
                    self.look_level = changed(self.look_level, player, NO_LOOK)
                    self.look_time = changed(self.look_time, player, 0)
        return knowers

    # --- who knows what --------------------------------------------------------------------------------------------

    def number_at(self, place: i64) -> i64:
        """Return the number (from 1) of the kitten at ``place`` if it was put back since the shuffle, else 0."""
        places = self.places
        for index in range(len(places)):
            if places[index] == place:
                return index + 1
        return 0

    def level(self, place: i64, time: i64) -> i64:
        """Return how many of the cards under ``place`` were there before kitten number ``time`` + 1 was put back."""
        places = self.places
        level = place
        for index in range(time, len(places)):
            if DRAWN < places[index] < place:
                level -= 1
        return level

    def is_placed(self, place: i64, viewer: i64) -> bool:
        """Say whether ``viewer`` knows the card at ``place``, be it only between which others it is."""
        number = self.number_at(place)
        if number and self.inserters[number - 1] == viewer:
            return True
        return self.is_looked_at(place, viewer)

    def is_looked_at(self, place: i64, viewer: i64) -> bool:
        """Say whether the card at ``place`` is one that ``viewer`` saw in the last look."""
        lowest: i64 = self.look_level[viewer]
        if lowest == NO_LOOK:
            return False
        time: i64 = self.look_time[viewer]
        number = self.number_at(place)
        return number <= time and self.level(place, time) >= lowest

    def last_floating(self, viewer: i64) -> i64:
        """Return the number of the last kitten put back of which ``viewer`` does not know the place, 0 if there is none."""
        last: i64 = 0
        for index in range(len(self.places)):
            place: i64 = self.places[index]
            if place != DRAWN and not self.is_placed(place, viewer):
                last = index + 1
        return last

    def seen_card(self, place: i64, viewer: i64) -> int:
        """Return the card at ``place`` if ``viewer`` (-1: anybody) is certain that it is there, else -1."""
        if viewer < 0:
            return self.deck[place]
        floating = self.last_floating(viewer)
        number = self.number_at(place)
        if number > floating and self.inserters[number - 1] == viewer:
            return self.deck[place]
        if self.is_looked_at(place, viewer) and floating <= self.look_time[viewer]:
            return self.deck[place]
        return -1

    def deck_knowledge(self, viewer: i64) -> Hashable:
        """Return all that ``viewer`` knows of the pile.

        That is its size, the public facts, the cards looked at, and for each kitten put back its level when that
        happened, if it is known.
        """
        looked: list[tuple[int, int]] = []
        kittens: list[tuple[int, int]] = []
        for place in range(len(self.deck)):
            number = self.number_at(place)
            if self.is_looked_at(place, viewer):
                looked.append((self.deck[place], number))
            elif number:
                known = self.is_placed(place, viewer)
                kittens.append((number, int(self.level(place, number - 1)) if known else -1))
        return (
            len(self.deck),
            self.inserters,
            self.look_level,
            self.look_time,
            tuple(looked),
            tuple(sorted(kittens)),
        )

    # --- dealing it again ------------------------------------------------------------------------------------------

    def hidden_places(self, viewer: i64) -> list[int]:
        """Return the places whose cards ``viewer`` knows nothing of; a kitten put back is a kitten to everybody."""
        lowest: i64 = self.look_level[viewer]
        time: i64 = self.look_time[viewer]
        hidden: list[int] = []
        level: i64 = 0
        for place in range(len(self.deck)):
            number = self.number_at(place)
            if number == 0 and level < lowest:
                hidden.append(place)
            if number <= time:
                level += 1
        return hidden

    def float_kittens(self, viewer: i64, rng: Rng) -> None:
        """Put the kittens that float for ``viewer`` elsewhere, each place being as likely."""
        if not self.last_floating(viewer):
            return
        time: i64 = self.look_time[viewer]
        order: list[int] = []
        seen: list[int] = []
        lowest: i64 = self.look_level[viewer]
        level: i64 = 0
        for place in range(len(self.deck)):
            number = self.number_at(place)
            if number <= time:
                if level >= lowest:
                    seen.append(place)
                elif number == 0:
                    order.append(place)
                level += 1
        # In the order in which they were put back; what was there at the last look, under the cards then seen.
        self._insert_kittens(order, viewer, 1, time, rng)
        order.extend(seen)
        self._insert_kittens(order, viewer, time + 1, len(self.places), rng)
        deck = self.deck
        self.deck = [deck[place] for place in order]
        self.places = tuple([order.index(place) if place != DRAWN else DRAWN for place in self.places])

    def _insert_kittens(self, order: list[int], viewer: i64, first: i64, last: i64, rng: Rng) -> None:
        """Insert the kittens numbered ``first`` to ``last`` that ``viewer`` has not looked at into ``order``."""
        for number in range(first, last + 1):
            place: i64 = self.places[number - 1]
            if place == DRAWN or self.is_looked_at(place, viewer):
                continue
            level = self.level(place, number - 1)
            if self.inserters[number - 1] != viewer:
                level = rng.below(len(order) + 1)
            order.insert(int(level), int(place))
