"""The features, the heuristic and the metric of Love Letter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, cast

from mypy_extensions import i64

from tag import Agent, AnyAction, Features, GameState, Parameters, PlayerHeuristic, real
from tag.games.cards.love_letter.actions import NO_TARGET, Play
from tag.games.cards.love_letter.data import COUNTESS, GUARD, N_KINDS, NAMES, NO_CARD, PRINCESS
from tag.games.cards.love_letter.state import LoveLetterState
from tag.playing.metrics import Metric, share

_KINDS: Final = range(1, N_KINDS + 1)
#: Bits for a number of cards of one kind.
_BITS: Final = 4
_COUNT: Final = 15
#: One card of a kind in a packed number of cards of each kind.
_UNITS: Final[list[int]] = [1 << (_BITS * card) for card in range(N_KINDS + 1)]


class LoveLetterFeatures(Features):
    """The cards that a player knows, and how they compare."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return the names of the features; of players 0 is oneself, 1 the next seat, and so on."""
        found = ["deck", "my_turn"]
        for card in _KINDS:
            found += [f"hand_{NAMES[card].lower()}", f"gone_{NAMES[card].lower()}"]
        for offset in range(n_players):
            found += [f"tokens_{offset}", f"alive_{offset}", f"protected_{offset}", f"discarded_{offset}"]
            if offset:
                found += [f"known_{offset}", f"knows_me_{offset}", f"beaten_{offset}"]
        return (*found, "highest", "higher_unseen", "lower_unseen", "guess")

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features.

        Among them are the share of unseen cards above and below the own highest one, and the chance to guess a rival's card,
        if a Guard is held.
        """
        table = cast("LoveLetterState", state)
        n = table.n_players
        first: i64 = table.hands[player]
        second = table.drawn if table.current_player == player else NO_CARD
        highest = max(first, second)
        gone: i64 = 0
        for card in table.face_up:
            gone += _UNITS[card]
        discarded = [0] * n
        for discard in table.discards:
            laid: i64 = discard
            gone += _UNITS[laid & _COUNT]
            discarded[laid >> _BITS] += int(laid & _COUNT)
        found = [float(len(table.deck)), 1.0 if table.current_player == player else 0.0]
        for kind in range(1, N_KINDS + 1):
            found.append(float((first == kind) + (second == kind)))
            found.append(float(gone >> _BITS * kind & _COUNT))
        certain = False
        goal = float(table.goal)
        for offset in range(n):
            seat = (player + offset) % n
            found.append(float(table.tokens[seat]) / goal)
            found.append(float(table.alive >> seat & 1))
            found.append(float(table.protected >> seat & 1))
            found.append(float(discarded[seat]))
            if offset:
                known: i64 = table.seen_hand(seat, player)
                found.append(float(known))
                found.append(1.0 if table.knows(seat, player) else 0.0)
                found.append(1.0 if NO_CARD < known < highest else 0.0)
                if known > GUARD and table.alive >> seat & 1:
                    certain = True
        _add_comparisons(found, _unseen(table, player), highest, certain, first == GUARD or second == GUARD)
        return found


def _add_comparisons(found: list[float], unseen: i64, highest: i64, certain: bool, has_guard: bool) -> None:
    """Add the own highest card, the shares of ``unseen`` cards above and below it, and the chance of a Guard's guess."""
    cards: i64 = 0
    lower: i64 = 0
    higher: i64 = 0
    most: i64 = 0
    for kind in range(1, N_KINDS + 1):
        left = unseen >> _BITS * kind & _COUNT
        cards += left
        if kind < highest:
            lower += left
        elif kind > highest:
            higher += left
        if kind != GUARD and left > most:
            most = left
    total = float(max(cards, 1))
    found.append(float(highest))
    found.append(float(higher) / total)
    found.append(float(lower) / total)
    found.append(0.0 if not has_guard else 1.0 if certain else float(most) / total)


def _unseen(state: LoveLetterState, player: i64) -> i64:
    """Return how many cards of each kind ``player`` has not seen, packed."""
    found: i64 = 0
    for card in state.deck:
        found += _UNITS[card]
    for holder in range(state.n_players):
        held: i64 = state.hands[holder]
        if held != NO_CARD and not state.knows(player, holder):
            found += _UNITS[held]
    if state.drawn != NO_CARD and state.current_player != player:
        found += _UNITS[state.drawn]
    if state.removed != NO_CARD:
        found += _UNITS[state.removed]
    return found


_TOP_VALUE: Final = float(PRINCESS)


@dataclass
class LoveLetterHeuristicParameters(Parameters):
    """The weights of `LoveLetterHeuristic`.

    Those from ``cards`` to ``rivals_out`` weigh the round against each other; all of it is worth less than the token.
    """

    affection: float = real(0.3, -1.0, 1.0, "weight of the tokens, as a share of those that win")
    advantage: float = real(
        0.4, -1.0, 1.0, "weight of the lead in tokens over the best rival, as a share of those that win"
    )
    cards: float = real(0.3, -1.0, 1.0, "weight of the value in hand, as a share of the highest")
    countess_doubt: float = real(0.1, 0.0, 1.0, "share of the Countess's value that does not count")
    guard: float = real(0.0, -1.0, 1.0, "what a Guard in hand adds")
    priest: float = real(0.0, -1.0, 1.0, "what a Priest in hand adds")
    baron: float = real(0.0, -1.0, 1.0, "what a Baron in hand adds")
    handmaid: float = real(0.0, -1.0, 1.0, "what a Handmaid in hand adds")
    prince: float = real(0.0, -1.0, 1.0, "what a Prince in hand adds")
    king: float = real(0.0, -1.0, 1.0, "what a King in hand adds")
    countess: float = real(0.0, -1.0, 1.0, "what a Countess in hand adds")
    princess: float = real(0.0, -1.0, 1.0, "what a Princess in hand adds")
    hidden: float = real(0.0, -1.0, 1.0, "weight of the share of rivals who have not seen the hand")
    known: float = real(0.0, -1.0, 1.0, "weight of the share of rivals whose hands are known")
    protected: float = real(0.0, -1.0, 1.0, "what the protection of a Handmaid adds")
    rivals_out: float = real(0.5, -1.0, 1.0, "weight of the share of rivals who are out of the round")


class LoveLetterHeuristic(PlayerHeuristic):
    """Tokens, and the prospects in the round; 1 for a win and -1 for a loss.

    The prospects are a sum of weights, pressed into less than half a token's worth up or down, and at the bottom for a
    player who is out of the round. So no hand is worth a round that can be won, nor makes up for one that is lost.

    The TAG report weighs hand and tokens alone, so that a Princess in hand is worth more than two tokens. It counts the
    Countess, who may have to be played at any time, with a chance of nine in ten; here she counts for nine tenths, so that
    equal positions have equal values.
    """

    parameters_class = LoveLetterHeuristicParameters

    def __init__(self, parameters: LoveLetterHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        weights = cast("LoveLetterHeuristicParameters", self.parameters)
        self.weights = weights
        # What each card in hand adds; index 0 is no card.
        self.holding = [
            0.0,
            weights.guard,
            weights.priest,
            weights.baron,
            weights.handmaid,
            weights.prince,
            weights.king,
            weights.countess,
            weights.princess,
        ]
        # By both cards, the one drawn last (0 for none): each position takes one number from here instead of two divisions.
        self.in_hand = [self._in_hand(card, drawn) for card in range(N_KINDS + 1) for drawn in range(N_KINDS + 1)]

    def _in_hand(self, card: int, drawn: int) -> float:
        """Return the worth of the cards in hand: of holding each, and of the share that their values are of the highest."""
        doubt = self.weights.countess_doubt
        values = [float(held) * (1.0 - doubt if held == COUNTESS else 1.0) for held in (card, drawn)]
        highest = 1.0 + _TOP_VALUE * float((card != NO_CARD) + (drawn != NO_CARD))
        return self.holding[card] + self.holding[drawn] + self.weights.cards * (values[0] + values[1]) / highest

    def _value_player(self, state: GameState, player: i64) -> float:
        """Weigh tokens and round; what is hidden from ``player`` does not count."""
        table = cast("LoveLetterState", state)
        weights = self.weights
        best: i64 = 0
        for rival in range(table.n_players):
            if rival != player:
                best = max(best, table.tokens[rival])
        tokens = weights.affection * float(table.tokens[player])
        tokens += weights.advantage * float(table.tokens[player] - best)
        prospects = -0.5
        if table.alive >> player & 1:
            round_value = self._round(table, player)
            prospects = round_value / (1.0 + 2.0 * abs(round_value))
        worth = min(weights.advantage, 0.5 * (weights.affection + weights.advantage))
        return (tokens + max(worth, 0.0) * prospects) / float(table.goal)

    def _round(self, table: LoveLetterState, player: i64) -> float:
        """Weigh the hand of ``player``, who is in the round, and what players know of each other."""
        weights = self.weights
        cards = (N_KINDS + 1) * table.hands[player]
        if table.current_player == player:
            cards += table.drawn
        value = self.in_hand[cards]
        unaware: i64 = 0
        known: i64 = 0
        out: i64 = 0
        for rival in range(table.n_players):
            if rival == player:
                continue
            if not table.knows(rival, player):
                unaware += 1
            if not table.alive >> rival & 1:
                out += 1
            elif table.knows(player, rival):
                known += 1
        if table.protected >> player & 1:
            value += weights.protected
        rivals = float(table.n_players - 1)
        value += weights.hidden * float(unaware) / rivals + weights.known * float(known) / rivals
        return value + weights.rivals_out * float(out) / rivals


class LoveLetterMetric(Metric):
    """Counts the ends of rounds, and the cards that put players out of them."""

    measures: ClassVar[dict[str, str]] = {
        "showdowns": "share of a game's rounds in which the deck ran out and the hands decided",
        "guard_hits": "share of the Guards played on somebody that named the card",
        "guard_outs": "share of the players put out of a round who were by a Guard",
        "baron_outs": "share of the players put out of a round who were by a Baron, their own or another's",
        "prince_outs": "share of the players put out of a round who had to discard the Princess for a Prince",
        "princess_outs": "share of the players put out of a round who played the Princess",
    }

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Try the card on a copy: the state itself may have been dealt anew once the card has been played."""
        if not isinstance(action, Play):
            return
        before = cast("LoveLetterState", state)
        after = before.copy()
        action.execute(after, self.rng)
        self.counts["left"] = int(after.alive).bit_count()
        if after.alive != before.alive:
            self.counts["outs"] += 1
            self.counts[f"outs by {NAMES[action.card]}"] += 1
        if action.card == GUARD and action.target != NO_TARGET:
            self.counts["guards"] += 1

    def on_round_over(self, state: GameState) -> None:
        self.counts["rounds"] += 1
        if self.counts["left"] > 1:
            self.counts["showdowns"] += 1

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        return {
            "showdowns": share(counts["showdowns"], counts["rounds"]),
            "guard_hits": share(counts["outs by Guard"], counts["guards"]),
            "guard_outs": share(counts["outs by Guard"], counts["outs"]),
            "baron_outs": share(counts["outs by Baron"], counts["outs"]),
            "prince_outs": share(counts["outs by Prince"], counts["outs"]),
            "princess_outs": share(counts["outs by Princess"], counts["outs"]),
        }
