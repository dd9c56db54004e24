"""The state of Goofspiel: the hands, the bids and the prizes."""

from __future__ import annotations

from collections.abc import Hashable
from typing import cast

from mypy_extensions import i64, mypyc_attr

from tag import GameState, Rng, bit_count
from tag.components import HIDDEN_TO_ALL, VISIBLE_TO_ALL, VISIBLE_TO_OWNER, Component, Deck
from tag.games.cards.goofspiel.data import (
    BID_CARDS,
    BIT,
    EQUAL,
    HIGHER,
    LOWER,
    PRIZE_CARDS,
    card_of,
    deal_bids,
    highest,
    listed,
    sum_of,
)


@mypyc_attr(allow_interpreted_subclasses=True)
class GoofspielState(GameState):
    """The hands, the bids and the prizes; sets of cards have a bit for each.

    Players are asked in the order of seats. A bid stays in the hand until all have chosen.

    Attributes:
        n_cards: the number of cards of each player.
        hides: whether bids are not shown.
        hands: the set of cards of each player.
        bids: the card that each player has chosen in this round, 0 for none.
        past: the bids of earlier rounds, if they are hidden.
        prizes: the set of prizes to be turned up.
        offer: the set of prizes on offer.
        won: the set of prizes of each player.
        points: their sum for each player.
    """

    def __init__(self, n_players: i64, n_cards: i64, hides: bool) -> None:
        """Start with full hands, and no prize turned up."""
        super().__init__(n_players)
        everything = 2 * (BIT[n_cards] - 1)
        self.n_cards = n_cards
        self.hides = hides
        self.hands: tuple[int, ...] = (everything,) * int(n_players)
        self.bids: tuple[int, ...] = (0,) * int(n_players)
        self.past: tuple[tuple[int, ...], ...] = ()
        self.prizes: i64 = everything
        self.offer: i64 = 0
        self.won: tuple[int, ...] = (0,) * int(n_players)
        self.points: tuple[int, ...] = (0,) * int(n_players)

    def copy(self) -> GoofspielState:
        other = GoofspielState(self.n_players, self.n_cards, self.hides)
        self.copy_to(other)
        other.hands = self.hands
        other.bids = self.bids
        other.past = self.past
        other.prizes = self.prizes
        other.offer = self.offer
        other.won = self.won
        other.points = self.points
        return other

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal the bids of others again that the player has not seen."""
        if self.hides and self.past:
            self._deal_past(player, rng)
        if self.is_unresolved():
            bids = list(self.bids)
            for seat in range(self.n_players):
                if bids[seat] and seat != player:
                    hand: i64 = self.hands[seat]
                    bids[seat] = int(card_of(hand, rng.below(bit_count(hand))))
            self.bids = tuple(bids)

    def _deal_past(self, player: i64, rng: Rng) -> None:
        """Deal the bids of earlier rounds again, as they agree with what the player was told."""
        hands = list(self.hands)
        columns = [[bids[seat] for bids in self.past] for seat in range(self.n_players)]
        shown = [self.shown(bids) for bids in self.past]
        for seat in range(self.n_players):
            if seat == player:
                continue
            kinds: list[int] = []
            known: list[int] = []
            for bids, (best, players) in zip(self.past, shown, strict=True):
                is_highest = players >> seat & 1 == 1
                bounded = best or bids[player]
                is_equal = is_highest and (best > 0 or players >> player & 1 == 1)
                kinds.append(EQUAL if is_equal else HIGHER if is_highest else LOWER)
                known.append(bounded)
            columns[seat] = deal_bids(self.n_cards, kinds, known, rng)
            hands[seat] = 2 * (BIT[self.n_cards] - 1) - sum([BIT[bid] for bid in columns[seat]])
        self.hands = tuple(hands)
        self.past = tuple([tuple([column[place] for column in columns]) for place in range(len(self.past))])

    def shown(self, bids: tuple[int, ...]) -> tuple[int, int]:
        """Return the open part of hidden bids: the highest one, 0 with two players, and the set of players who made it."""
        best, players = highest(bids)
        return (best if self.n_players > 2 else 0, players)

    def told(self, bids: tuple[int, ...]) -> str:
        """Return the open part of hidden bids in words."""
        best, players = self.shown(bids)
        names = " and ".join([f"player {seat}" for seat in range(self.n_players) if players >> seat & 1])
        return f"{best} of {names}" if best else names

    def match_chance(self, seen: GameState, player: i64) -> float:
        """Turn up the prize that was turned up in ``seen``."""
        other = cast("GoofspielState", seen)
        if self.offer | self.prizes == other.offer | other.prizes:
            self.offer = other.offer
            self.prizes = other.prizes
        return 1.0

    def knowledge(self, player: i64) -> Hashable:
        """Return all that is open, and the player's own cards and bids."""
        return (
            self.basic_knowledge(player),
            self.hands[player] if self.hides else self.hands,
            (self.bids[player], tuple([bid > 0 for bid in self.bids])),
            tuple([(bids[player], self.shown(bids)) for bids in self.past]),
            (int(self.prizes), int(self.offer), self.won),
        )

    def is_unresolved(self) -> bool:
        """Say whether a player has bid whose bid is not shown yet."""
        return self.bids[0] > 0

    def stake(self) -> i64:
        """Return the points on offer."""
        return sum_of(self.offer)

    def score(self, player: i64) -> float:
        """Return the points of the prizes won."""
        return float(self.points[player])

    def components(self) -> list[Component]:
        """Return the prizes, and each player's hand, bids laid aside, and prizes won, each in ascending order."""
        everything = 2 * (BIT[self.n_cards] - 1)
        gone = everything - self.prizes - self.offer - sum(self.won)
        found: list[Component] = [
            Deck("prizes", [PRIZE_CARDS[card] for card in listed(self.prizes)], visibility=HIDDEN_TO_ALL),
            Deck("on offer", [PRIZE_CARDS[card] for card in listed(self.offer)]),
            Deck("thrown away", [PRIZE_CARDS[card] for card in listed(gone)]),
        ]
        visibility = VISIBLE_TO_OWNER if self.hides else VISIBLE_TO_ALL
        for player in range(self.n_players):
            hand = self.hands[player]
            used = [BID_CARDS[card] for card in listed(everything - hand)]
            found.append(Deck(f"hand of {player}", [BID_CARDS[card] for card in listed(hand)], player, visibility))
            found.append(Deck(f"bids of {player}", used, player, visibility))
            found.append(Deck(f"won by {player}", [PRIZE_CARDS[card] for card in listed(self.won[player])], player))
        return found

    def text(self, viewer: i64) -> str:
        """Show the prizes and the hands; a bid is shown to its player only."""
        shown = f"Round {self.round + 1}, player {self.current_player} to bid"
        if self.is_terminal:
            shown = "All rounds are over"
        offered = ", ".join([str(card) for card in listed(self.offer)]) or "none"
        lines = [f"{shown}; on offer: {offered}; {bit_count(self.prizes)} prizes to come"]
        for player in range(self.n_players):
            is_own = viewer < 0 or viewer == player
            hand = " ".join([str(card) for card in listed(self.hands[player])])
            if self.hides and not is_own:
                hand = "?" if hand else ""
            text = f"player {player}  points {self.points[player]}  hand {hand or 'empty'}"
            if self.bids[player]:
                text += f" (bids {self.bids[player]})" if is_own else " (has bid)"
            lines.append(text)
        if self.past:
            lines.append(f"highest bids: {', '.join([self.told(bids) for bids in self.past])}")
        return "\n".join(lines)
