"""The state of Diamant: the cards turned up in the current cave, and what the players have brought home."""

from __future__ import annotations

from collections.abc import Hashable

from mypy_extensions import i64, mypyc_attr

from tag import GameState, Rng
from tag.components import HIDDEN_TO_ALL, Component, Counter, Deck
from tag.games.cards.diamant.data import (
    ALL_RELICS,
    ALL_TREASURES,
    BIT,
    COUNT,
    COUNT_BITS,
    HAZARDS,
    HOW_MANY,
    LYING,
    LYING_BITS,
    MOST_PLAYERS,
    N_HAZARDS,
    N_RELICS,
    RELICS,
    cards_of,
    size_of,
)


@mypyc_attr(allow_interpreted_subclasses=True)
class DiamantState(GameState):
    """The cards turned up in the current cave, and what the players have brought home.

    Players in a cave have been in it from its beginning, so all of them carry the same number of rubies. Sets of players are
    bit masks. Players are asked in the order of seats; those in the cave before the current one have chosen.

    Attributes:
        values: the rubies of each treasure card.
        prizes: the rubies for relics: by number if they are numbered, else in the order in which they are taken.
        is_numbered: whether the relics are numbered.
        shares_path: whether players who leave share all rubies on the way together.
        fatal: the hazards of one kind that end a cave.
        deck: the set of cards to be turned up.
        left: the number of cards in it.
        path: the set of cards turned up in this cave.
        gone: the set of cards removed from the game, and of relics not yet in it.
        lying: the rubies that lie on each treasure card of the path, three bits for each card.
        carried: the rubies that each player in the cave carries.
        inside: who is in the cave.
        leaving: who has chosen to leave since the last card.
        chests: the rubies that each player has brought home, those for relics included.
        relics: the relics that each player has taken, five bits for each.
    """

    def __init__(self, n_players: i64, values: tuple[int, ...], prizes: tuple[int, ...]) -> None:
        """Start before the first card, with an empty deck."""
        super().__init__(n_players)
        self.values = values
        self.prizes = prizes
        self.is_numbered = False
        self.shares_path = False
        self.fatal: i64 = 2
        self.deck: i64 = 0
        self.left: i64 = 0
        self.path: i64 = 0
        self.gone: i64 = 0
        self.lying: i64 = 0
        self.carried: i64 = 0
        self.inside: i64 = 0
        self.leaving: i64 = 0
        self.chests: tuple[int, ...] = ()
        self.relics: i64 = 0

    def copy(self) -> DiamantState:
        other = DiamantState(self.n_players, self.values, self.prizes)
        self.copy_to(other)
        other.is_numbered = self.is_numbered
        other.shares_path = self.shares_path
        other.fatal = self.fatal
        other.deck = self.deck
        other.left = self.left
        other.path = self.path
        other.gone = self.gone
        other.lying = self.lying
        other.carried = self.carried
        other.inside = self.inside
        other.leaving = self.leaving
        other.chests = self.chests
        other.relics = self.relics
        return other

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal the choices of other players again that are not shown yet."""
        hidden = self.inside & (BIT[self.current_player] - 1) & ~BIT[player]
        if hidden:
            self.leaving = self.leaving & ~hidden | rng.below(1 << MOST_PLAYERS) & hidden

    def knowledge(self, player: i64) -> Hashable:
        """Return all that is open, and the player's own choice."""
        return (
            self.basic_knowledge(player),
            int(self.deck),
            int(self.path),
            int(self.gone),
            int(self.lying),
            int(self.carried),
            int(self.inside),
            self.leaving >> player & 1 == 1,
            self.chests,
            int(self.relics),
        )

    def is_unresolved(self) -> bool:
        """Say whether a player in the cave has chosen since the last card."""
        return self.inside & (BIT[self.current_player] - 1) != 0

    def n_inside(self) -> i64:
        """Return the number of players in the cave."""
        return size_of(self.inside)

    def met(self, kind: i64) -> i64:
        """Return how many hazards of ``kind`` lie on the path."""
        return self.path >> HAZARDS + COUNT_BITS * kind & COUNT

    def n_fatal(self) -> i64:
        """Return the number of cards in the deck that would end the cave."""
        found: i64 = 0
        hazards = self.deck >> HAZARDS
        met = self.path >> HAZARDS
        for _kind in range(N_HAZARDS):
            if met & COUNT == self.fatal - 1:
                found += hazards & COUNT
            hazards >>= COUNT_BITS
            met >>= COUNT_BITS
        return found

    def risk(self) -> float:
        """Return the probability that the next card ends the cave."""
        return float(self.n_fatal()) / float(self.left) if self.left else 0.0

    def mean_share(self, players: i64) -> float:
        """Return the mean number of rubies that each of ``players`` in the cave gets for the next card."""
        if self.left == 0 or players == 0:
            return 0.0
        rubies: i64 = 0
        rest = self.deck & ALL_TREASURES
        card: i64 = 0
        while rest:
            if rest & 1:
                value: i64 = self.values[card]
                rubies += value // players
            rest >>= 1
            card += 1
        return float(rubies) / float(self.left)

    def rubies_lying(self) -> i64:
        """Return the number of rubies on the way."""
        found: i64 = 0
        rest = self.lying
        while rest:
            found += rest & LYING
            rest >>= LYING_BITS
        return found

    def part_of_path(self, players: i64) -> i64:
        """Return the number of rubies on the way that each of ``players`` takes who leave together."""
        if self.shares_path or players == 1:
            return self.rubies_lying() // players
        found: i64 = 0
        rest = self.lying
        while rest:
            found += (rest & LYING) // players
            rest >>= LYING_BITS
        return found

    def relics_on_path(self) -> i64:
        """Return the set of relics that lie on the path."""
        return self.path >> RELICS & ALL_RELICS

    def worth_of_relics(self, relics: i64) -> i64:
        """Return the rubies for a set of relics, if they are taken next."""
        found: i64 = 0
        if self.is_numbered:
            number: i64 = 0
            while relics:
                if relics & 1:
                    found += self.prizes[number]
                relics >>= 1
                number += 1
            return found
        taken = self.n_taken()
        for place in range(taken, taken + HOW_MANY[relics]):
            found += self.prizes[place]
        return found

    def n_taken(self) -> i64:
        """Return the number of relics that players have taken."""
        found: i64 = 0
        for player in range(self.n_players):
            found += self.n_relics(player)
        return found

    def n_relics(self, player: i64) -> i64:
        """Return the number of relics that ``player`` has taken."""
        return HOW_MANY[self.relics >> N_RELICS * player & ALL_RELICS]

    def score(self, player: i64) -> float:
        """Return the rubies brought home, those for relics included."""
        return float(self.chests[player])

    def tiebreak(self, player: i64, tier: i64) -> float:
        """Prefer the player with more relics."""
        return float(self.n_relics(player))

    def tiebreak_tiers(self) -> i64:
        return 1

    def components(self) -> list[Component]:
        """Return the cards as decks without order, the relics of each player, and the rubies."""
        found: list[Component] = [
            Deck("deck", cards_of(self.deck, self.values), visibility=HIDDEN_TO_ALL),
            Deck("path", cards_of(self.path, self.values)),
            Deck("removed", cards_of(self.gone, self.values)),
            Counter("rubies on the way", self.rubies_lying()),
        ]
        for player in range(self.n_players):
            carried = self.carried if self.inside >> player & 1 else 0
            relics = self.relics >> N_RELICS * player & ALL_RELICS
            found.append(Deck(f"relics of {player}", cards_of(relics << RELICS, self.values), owner=player))
            found.append(Counter(f"chest of {player}", self.chests[player], owner=player))
            found.append(Counter(f"rubies carried by {player}", carried, owner=player))
        return found

    def text(self, viewer: i64) -> str:
        """Show the cave and the players; choices that are not shown yet are the viewer's own only."""
        shown = "All caves are over"
        if not self.is_terminal:
            shown = f"Cave {self.round + 1}, player {self.current_player} to decide"
        path = ", ".join([card.name for card in cards_of(self.path, self.values)])
        lines = [
            f"{shown}; {self.left} cards in the deck, {self.n_fatal()} of them fatal",
            f"path: {path or 'none'}; {self.rubies_lying()} rubies on the way",
        ]
        for player in range(self.n_players):
            relics = self.n_relics(player)
            text = f"player {player}  chest {self.chests[player]}{f', relics {relics}' if relics else ''}"
            if self.inside >> player & 1:
                text += f"  in the cave with {self.carried}"
                if player < self.current_player:
                    is_seen = viewer < 0 or viewer == player
                    text += f", {'leaves' if self.leaving >> player & 1 else 'goes on'}" if is_seen else ", has chosen"
            lines.append(text)
        return "\n".join(lines)
