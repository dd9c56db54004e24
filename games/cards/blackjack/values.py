"""The features, the heuristic and the metric of Blackjack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, cast, final

from mypy_extensions import i64

from tag import (
    Agent,
    AnyAction,
    Event,
    Features,
    GameState,
    JointHeuristic,
    Parameters,
    best_other,
    best_two,
    real,
)
from tag.games.cards.blackjack.actions import Insure
from tag.games.cards.blackjack.data import (
    ACE,
    ACES_SPLIT,
    BETTING,
    CARD,
    DONE,
    DOUBLED,
    IN_DECK,
    INSURING,
    N_KINDS,
    NAMES,
    NO_CARD,
    PLAYING,
    SURRENDERED,
    TEN,
    UNIT,
    count_of,
    is_21_on_two,
    is_soft,
    owner_of,
    pair_of,
    points_of,
    size_of,
    total_of,
)
from tag.games.cards.blackjack.state import BlackjackState
from tag.playing.metrics import Metric, share


class BlackjackFeatures(Features):
    """The hand that is played, the dealer's card, the cards not seen, and money."""

    def names(self, n_players: i64) -> tuple[str, ...]:
        """Return the names of the features; of players 0 is oneself, 1 the next seat, and so on."""
        found = ["round", "phase", "up_card", "total", "soft", "cards", "pair", "others", "bet", "insured"]
        found += [f"unseen_{name}" for name in NAMES]
        return (*found, "unseen", *[f"money_{offset}" for offset in range(n_players)], "lead")

    def values(self, state: GameState, player: i64) -> list[float]:
        """Return the features: a hand of the player, the one being played if it is; shares of each kind among cards unseen.

        ``pair`` is the points of one card of a pair, ``others`` the number of further hands.
        """
        table = cast("BlackjackState", state)
        mine = _hand_of(table, player)
        pair = pair_of(mine)
        is_dealt = table.phase != BETTING
        found = [
            float(table.round),
            float(table.phase),
            float(table.up_card() + 1) if is_dealt else 0.0,
            float(total_of(mine)),
            1.0 if is_soft(mine) else 0.0,
            float(size_of(mine)),
            0.0 if pair == NO_CARD else float(pair + 1),
            float(max(table.hands_of(player) - 1, 0)) if is_dealt else 0.0,
            float(table.bets[player]) / UNIT,
            float(table.insured >> player & 1),
        ]
        unseen = table.unseen()
        size = table.left if table.hole == NO_CARD else table.left + 1
        for kind in range(N_KINDS):
            found.append(float(count_of(unseen, kind)) / float(size) if size else 0.0)
        found.append(float(size))
        best: i64 = 0
        for offset in range(table.n_players):
            seat = (player + offset) % table.n_players
            money: i64 = table.money[seat]
            found.append(float(money) / UNIT)
            if offset == 1 or (offset and money > best):
                best = money
        found.append(float(table.money[player] - best) / UNIT)
        return found


def _hand_of(state: BlackjackState, player: i64) -> i64:
    """Return the hand that the player plays, or else its first one; 0 before the cards are dealt."""
    if state.phase == BETTING:
        return 0
    if state.phase == PLAYING and state.current_player == player:
        hand: i64 = state.hands[state.at]
        return hand
    for other in state.hands:
        if owner_of(other) == player:
            found: i64 = other
            return found
    return 0


_CHANCE: Final[list[float]] = [number / 52 for number in IN_DECK]
#: Hands by the dealer's card, whether they have an ace, and their points with aces as 1.
_PER_CARD: Final = 64
_WITH_ACE: Final = 32
_MOST_POINTS: Final = 30


@dataclass
class BlackjackHeuristicParameters(Parameters):
    """The weights of `BlackjackHeuristic`."""

    hands: float = real(1.0, 0.0, 1.5, "weight of what the hands on the table are expected to win")
    rivals: float = real(0.5, 0.0, 1.0, "weight of the best rival's money, subtracted where the most money wins")
    scale: float = real(20.0, 2.0, 200.0, "units of money that are worth one half", log=True)


@final
class Odds:
    """Expected winnings of hands for each unit bet if cards never run out and the dealer has no blackjack.

    Attributes:
        stand: with no more cards.
        last: with exactly one more card.
        hit: with one more card, and then as many as are best.
        play: with as many cards as are best.
    """

    def __init__(self, hits_soft_17: bool, has_blackjack: bool) -> None:
        """Find the odds against a dealer who has looked for a blackjack, or has none by the rules."""
        size = N_KINDS * _PER_CARD
        self.stand: list[float] = [0.0] * size
        self.last: list[float] = [0.0] * size
        self.hit: list[float] = [0.0] * size
        self.play: list[float] = [0.0] * size
        known: dict[int, list[float]] = {}
        for card in range(N_KINDS):
            never = (TEN if card == ACE else ACE if card == TEN else NO_CARD) if has_blackjack else NO_CARD
            ends = [0.0] * (_MOST_POINTS + 1)
            possible = 1.0 if never == NO_CARD else 1.0 - _CHANCE[never]
            for kind in range(N_KINDS):
                if kind != never:
                    rest = _ends(CARD[card] + CARD[kind], hits_soft_17, known)
                    for total in range(_MOST_POINTS + 1):
                        ends[total] += _CHANCE[kind] / possible * rest[total]
            for points in range(_MOST_POINTS, 0, -1):
                self._add(card, points, 0, ends)
                self._add(card, points, 1, ends)

    def _add(self, card: i64, points: i64, ace: i64, ends: list[float]) -> None:
        """Find the odds of a hand; those of hands with more points are known."""
        at = card * _PER_CARD + ace * _WITH_ACE + points
        total = points + 10 if ace and points <= 11 else points
        self.stand[at] = _against(total, ends)
        if total >= 21:
            self.play[at] = self.last[at] = self.hit[at] = self.stand[at]
            return
        for kind in range(N_KINDS):
            after = card * _PER_CARD + (_WITH_ACE if ace or kind == ACE else 0) + points + kind + 1
            self.last[at] += _CHANCE[kind] * self.stand[after]
            self.hit[at] += _CHANCE[kind] * self.play[after]
        self.play[at] = max(self.stand[at], self.hit[at])


def _ends(hand: int, hits_soft_17: bool, known: dict[int, list[float]]) -> list[float]:
    """Return the probability of each total with which the dealer ends."""
    if hand in known:
        return known[hand]
    total = total_of(hand)
    found = [0.0] * (_MOST_POINTS + 1)
    if total > 17 or (total == 17 and not (hits_soft_17 and is_soft(hand))):
        found[total] = 1.0
    else:
        for kind in range(N_KINDS):
            rest = _ends(hand + CARD[kind], hits_soft_17, known)
            for number in range(_MOST_POINTS + 1):
                found[number] += _CHANCE[kind] * rest[number]
    known[hand] = found
    return found


def _against(total: i64, ends: list[float]) -> float:
    """Return the expected win of a unit on a total."""
    if total > 21:
        return -1.0
    found = 0.0
    for other in range(_MOST_POINTS + 1):
        if other > 21 or other < total:
            found += ends[other]
        elif other > total:
            found -= ends[other]
    return found


_ODDS: Final[dict[tuple[bool, bool], Odds]] = {}


def odds(hits_soft_17: bool, has_blackjack: bool) -> Odds:
    """Return the odds under these rules, found when they are first needed."""
    found = _ODDS.get((hits_soft_17, has_blackjack))
    if found is None:
        found = _ODDS[hits_soft_17, has_blackjack] = Odds(hits_soft_17, has_blackjack)
    return found


class BlackjackHeuristic(JointHeuristic):
    """The money won and what hands should win, less the best rival's in a race; 1 for a win and -1 for a loss.

    Hands that can still take cards count as with the best play without doubling and splitting, by the odds of a shoe that
    never runs out. The chance that the dealer has a blackjack is counted from the cards not seen. Any more money is
    worth more, also in long games. With seven players, one-step look-ahead takes 0.187 ± 0.007 points with it and 0.099 with
    the score. MCTS of 200 calls with rollouts is as strong with either: it sees rounds to their end.
    """

    parameters_class = BlackjackHeuristicParameters

    def __init__(self, parameters: BlackjackHeuristicParameters | None = None) -> None:
        super().__init__(parameters)
        weights = cast("BlackjackHeuristicParameters", self.parameters)
        self.hands = weights.hands
        self.rivals = weights.rivals
        self.scale = weights.scale * UNIT

    def value_all(self, state: GameState, values: list[float]) -> None:
        """Value one player alone by money also at the end."""
        if state.n_players > 1:
            super().value_all(state, values)
        else:
            self._value_players(state, values)

    def _value_players(self, state: GameState, values: list[float]) -> None:
        table = cast("BlackjackState", state)
        n = table.n_players
        for player in range(n):
            money: i64 = table.money[player]
            values[player] = float(money)
        if table.phase != BETTING:
            self._add_hands(table, values)
        two = best_two(values)
        for player in range(n):
            found = values[player]
            if table.is_race and n > 1:
                found -= self.rivals * best_other(found, two)
            values[player] = found / (self.scale + abs(found))

    def _add_hands(self, table: BlackjackState, values: list[float]) -> None:
        """Add the expected wins of each hand and each insurance."""
        against = odds(table.hits_soft_17, table.pays > 0)
        risk = chance_of_blackjack(table)
        offset = table.up_card() * _PER_CARD
        for hand in table.hands:
            owner = owner_of(hand)
            bet: i64 = table.bets[owner]
            values[owner] += self.hands * float(bet) * _worth(hand, table.pays, risk, offset, against)
        if table.insured:
            for player in range(table.n_players):
                if table.insured >> player & 1:
                    half: i64 = table.bets[player] // 2
                    values[player] += self.hands * float(half) * (3.0 * risk - 1.0)


def chance_of_blackjack(table: BlackjackState) -> float:
    """Return the probability that the dealer has or gets a blackjack, by the cards not seen."""
    if table.pays == 0 or (table.phase == PLAYING and table.hole != NO_CARD):
        return 0.0
    up = table.up_card()
    if up != ACE and up != TEN:
        return 0.0
    size = table.left if table.hole == NO_CARD else table.left + 1
    return float(count_of(table.unseen(), TEN if up == ACE else ACE)) / float(size) if size else 0.0


def _worth(hand: i64, pays: i64, risk: float, offset: i64, against: Odds) -> float:
    """Return the expected win of a hand for each unit bet, if the dealer has a blackjack with probability ``risk``."""
    if pays and is_21_on_two(hand):
        return (1.0 - risk) * float(pays) / UNIT
    stake = 2.0 if hand & DOUBLED else 1.0
    if total_of(hand) > 21:
        return -stake
    if hand & SURRENDERED:
        return -risk - (1.0 - risk) / 2.0
    points = points_of(hand)
    at = offset + points
    if is_soft(hand):
        at += _WITH_ACE
    if hand & DONE:
        found = against.stand[at]
    elif size_of(hand) == 1:
        found = against.last[at] if hand & ACES_SPLIT else against.hit[at]
    else:
        found = against.play[at]
    return stake * ((1.0 - risk) * found - risk)


#: The events that are counted.
_COUNTED: Final = ("hand", "bust", "blackjack", "double", "split", "surrender")


class BlackjackMetric(Metric):
    """Measures the ends of hands, and the wins of players from the dealer."""

    measures: ClassVar[dict[str, str]] = {
        "blackjacks": "share of the hands dealt that are an ace and a ten",
        "busts": "share of the hands played, after splits, that go over 21",
        "doubles": "share of the hands played that are doubled",
        "splits": "splits for each hand dealt",
        "surrenders": "share of the hands dealt that are given up",
        "insured": "share of the offers of insurance that are taken",
        "dealer_busts": "share of a game's rounds in which the dealer goes over 21",
        "won": "units that a hand dealt wins, all its splits and insurance together",
    }

    def on_action_chosen(
        self, state: GameState, player: i64, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Count the offers of insurance, and those taken."""
        if cast("BlackjackState", state).phase == INSURING:
            self.counts["offers"] += 1
            self.counts["taken"] += 1 if isinstance(action, Insure) else 0

    def on_game_event(self, state: GameState, event: Event) -> None:
        if event.name == "dealer":
            self.counts["dealer busts"] += 1 if event.value > 21 else 0
        elif event.name in _COUNTED:
            self.counts[event.name] += 1

    def on_end(self, state: GameState) -> None:
        table = cast("BlackjackState", state)
        self.counts["rounds"] = int(table.round)
        self.counts["dealt"] = int(table.round * table.n_players)
        self.won = [table.score(player) for player in range(table.n_players)]

    def values(self) -> dict[str, list[float]]:
        counts = self.counts
        dealt = counts["dealt"]
        return {
            "blackjacks": share(counts["blackjack"], dealt),
            "busts": share(counts["bust"], counts["hand"]),
            "doubles": share(counts["double"], counts["hand"]),
            "splits": share(counts["split"], dealt),
            "surrenders": share(counts["surrender"], dealt),
            "insured": share(counts["taken"], counts["offers"]),
            "dealer_busts": share(counts["dealer busts"], counts["rounds"]),
            "won": [sum(self.won) / dealt] if dealt else [],
        }
