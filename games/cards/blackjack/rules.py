"""The rules of Blackjack."""

from __future__ import annotations

from mypy_extensions import i64

from tag import Actions, AnyAction, Event, ForwardModel, GameType, Rng, Vocabulary, interned
from tag.engine.state import NOBODY
from tag.games.cards.blackjack.actions import (
    Bet,
    Deal,
    Decline,
    DoubleDown,
    Hit,
    Insure,
    SplitPair,
    Stand,
    Surrender,
)
from tag.games.cards.blackjack.data import (
    ACE,
    ACES_SPLIT,
    BETTING,
    CARD,
    DECK,
    DONE,
    DOUBLED,
    INSURING,
    MOST_PLAYERS,
    NAMES,
    NO_CARD,
    OWNER,
    PLAYING,
    SPLIT,
    SURRENDERED,
    TEN,
    UNIT,
    BlackjackParameters,
    full_shoe,
    is_21_on_two,
    is_soft,
    owner_of,
    pair_of,
    points_of,
    size_of,
    total_of,
)
from tag.games.cards.blackjack.state import BlackjackState
from tag.games.cards.blackjack.values import BlackjackFeatures, BlackjackHeuristic, BlackjackMetric

_PAYS = {"3to2": 15, "6to5": 12, "even": 10, "none": 0}
#: The hard totals that may be doubled.
_DOUBLES = {"any": (0, 21), "9-11": (9, 11), "10-11": (10, 11), "none": (1, 0)}
#: What can be done with a hand beside standing and hitting, as bits.
_DOUBLE = 1
_SPLIT = 2
_SURRENDER = 4
#: A deck has 340 points, with aces as 1; a hand of a player has at most 30, the dealer's at most 26.
_DECK_POINTS = 340
_HAND_POINTS = 30
_DEALER_POINTS = 26


class Blackjack(ForwardModel[BlackjackState]):
    """The rules.

    >>> from tag import Rng, make_game
    >>> model = make_game("blackjack")
    >>> state = model.setup(2, Rng(1))
    >>> for _player in range(2):
    ...     model.next(state, model.available_actions(state)[0], Rng(1))
    >>> print(state.text(0))
    Round 1, player 1 to play; 306 cards in the shoe
    dealer    3 (3), face down ?
    player 0  money 0  bet 1  2 3 (5)
    player 1  money 0  bet 1  2 2 (4) <
    """

    game_type = GameType(
        "Blackjack",
        1,
        MOST_PLAYERS,
        BlackjackParameters,
        categories=("cards", "casino"),
        mechanics=("push your luck", "betting", "hidden information"),
        chance_sources=("shoe",),
        check_parameters="rounds=2,decks=1,penetration=50,surrender=true,resplit_aces=true,largest_bet=2",
        heuristic=BlackjackHeuristic,
        features=BlackjackFeatures,
        metric=BlackjackMetric,
    )

    def __init__(self, parameters: BlackjackParameters | None = None) -> None:
        """Make the lists of actions once."""
        chosen = BlackjackParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.max_rounds = chosen.rounds
        self.decks: i64 = chosen.decks
        self.penetration: i64 = chosen.penetration
        self.hits_soft_17 = chosen.hits_soft_17
        self.has_hole_card = chosen.hole_card
        self.pays: i64 = _PAYS[chosen.blackjack]
        self.fewest_to_double: i64 = _DOUBLES[chosen.double][0]
        self.most_to_double: i64 = _DOUBLES[chosen.double][1]
        self.doubles_soft = chosen.double == "any"
        self.doubles_split = chosen.double_after_split
        self.hands: i64 = chosen.hands
        self.hands_at_table: i64 = (_DECK_POINTS * chosen.decks - _DEALER_POINTS - 1) // _HAND_POINTS
        self.hits_aces = chosen.hit_split_aces
        self.resplits_aces = chosen.resplit_aces
        self.insures = chosen.insurance and self.pays > 0
        self.surrenders = chosen.surrender
        self.largest_bet: i64 = chosen.largest_bet
        self.is_race = chosen.goal == "most"
        #: Without a choice of bets, one player asks for the cards.
        self.betting: list[AnyAction] = [interned(Deal())]
        if chosen.largest_bet > 1:
            self.betting = [interned(Bet(units)) for units in range(1, chosen.largest_bet + 1)]
        self.insuring: list[AnyAction] = [interned(Insure()), interned(Decline())]
        self.playing: list[list[AnyAction]] = []
        more: list[AnyAction] = [interned(DoubleDown()), interned(SplitPair()), interned(Surrender())]
        for options in range(8):
            found: list[AnyAction] = [interned(Stand()), interned(Hit())]
            self.playing.append(found + [more[bit] for bit in range(3) if options >> bit & 1])
        #: For split aces, which get no further card.
        self.resplitting: list[AnyAction] = [interned(Stand()), interned(SplitPair())]

    def vocabulary(self, n_players: i64) -> Vocabulary:
        """Return all actions; the bets as far as the largest one."""
        bets = Actions(Deal) if self.largest_bet == 1 else Actions(Bet, units=range(1, int(self.largest_bet) + 1))
        others = (Insure, Decline, Stand, Hit, DoubleDown, SplitPair, Surrender)
        return Vocabulary(bets, *[Actions(kind) for kind in others])

    def _setup(self, n_players: i64, rng: Rng) -> BlackjackState:
        state = BlackjackState(n_players)
        state.decks = self.decks
        state.hits_soft_17 = self.hits_soft_17
        state.pays = self.pays
        state.is_race = self.is_race
        state.bets = state.money = (0,) * int(n_players)
        _shuffle(state)
        return state

    def _available_actions(self, state: BlackjackState) -> list[AnyAction]:
        return self._choices(state)[:]

    def random_action(self, state: BlackjackState, rng: Rng) -> AnyAction:
        """Choose without copying the list."""
        choices = self._choices(state)
        return choices[rng.below(len(choices))]

    def _choices(self, state: BlackjackState) -> list[AnyAction]:
        if state.phase == BETTING:
            return self.betting
        if state.phase == INSURING:
            return self.insuring
        hand: i64 = state.hands[state.at]
        if hand & ACES_SPLIT and not self.hits_aces:
            return self.resplitting
        options: i64 = 0
        if size_of(hand) == 2:
            if self._may_double(hand):
                options = _DOUBLE
            if self._may_split(state, hand):
                options |= _SPLIT
            if self.surrenders and hand & SPLIT == 0:
                options |= _SURRENDER
        return self.playing[options]

    def _may_double(self, hand: i64) -> bool:
        if (hand & SPLIT and not self.doubles_split) or (is_soft(hand) and not self.doubles_soft):
            return False
        return self.fewest_to_double <= points_of(hand) <= self.most_to_double

    def _may_split(self, state: BlackjackState, hand: i64) -> bool:
        """Say whether a hand is a pair, and the player and the table may have another hand."""
        if pair_of(hand) == NO_CARD or (hand & ACES_SPLIT and not self.resplits_aces):
            return False
        return len(state.hands) < self.hands_at_table and state.hands_of(owner_of(hand)) < self.hands

    def _after_action(self, state: BlackjackState, action: AnyAction, rng: Rng) -> None:
        """Go on to the next decision: of the same hand, the next hand, the next player or the next round."""
        if state.phase == PLAYING:
            self._go_on(state, rng)
            return
        if state.phase == INSURING or self.largest_bet > 1:
            following = self._next_player(state)
            if following != state.first_player:
                self.give_turn(state, following)
                return
        if state.phase == INSURING:
            self._look_at_hole_card(state, rng)
        else:
            self._deal(state, rng)

    def _deal(self, state: BlackjackState, rng: Rng) -> None:
        """Deal two cards to each player and the dealer's, from a new shoe if the old one is used up."""
        n = state.n_players
        if self.largest_bet == 1:
            state.bets = (UNIT,) * int(n)
        names = _places(state) if state.recording else []
        state.hands = []
        state.dealer = 0
        cards = self.decks * DECK
        is_shuffled = (cards - state.left) * 100 >= cards * self.penetration
        if is_shuffled:
            _shuffle(state)
        if state.recording:
            _announce_round(state, names, is_shuffled)
        seat = state.first_player
        for _seat in range(n):
            kind = state.draw(rng)
            hand: i64 = OWNER[seat] + CARD[kind]
            state.at = len(state.hands)
            state.hands.append(hand)  # before the second card: if the shoe runs out, what is on the table stays there
            if state.recording:
                state.announce_card(state.at, kind)
            state.take_card(rng)
            seat = seat + 1 if seat + 1 < n else 0
        kind = state.draw(rng)
        state.dealer = CARD[kind]
        if state.recording:
            state.announce_dealer(kind, "the dealer shows {items}", "shoe")
        if self.has_hole_card:
            state.hole = state.draw(rng)
            if state.recording:
                words = "the dealer takes {items} face down"
                state.announce(
                    Event("hole card", -1, 0.0, (NAMES[state.hole],), ("shoe", "hole card"), "", words, seen_by=NOBODY)
                )
        self._open(state, rng)

    def _open(self, state: BlackjackState, rng: Rng) -> None:
        """Begin a round whose cards are dealt: with insurance if the dealer shows an ace."""
        if self.insures and state.up_card() == ACE:
            state.phase = INSURING
            self.give_turn(state, state.first_player)
        else:
            self._look_at_hole_card(state, rng)

    def _look_at_hole_card(self, state: BlackjackState, rng: Rng) -> None:
        """End the round if the dealer has a blackjack, else let the first hand be played."""
        state.phase = PLAYING
        state.at = 0
        if state.hole != NO_CARD and state.hole == state.never_hole():
            self._end_hands(state, rng)
        else:
            if state.recording and state.hole != NO_CARD and state.never_hole() != NO_CARD:
                words = "the dealer looks at the face-down card: no blackjack"
                state.announce(Event("no blackjack", words=words))
            self._go_on(state, rng)

    def _go_on(self, state: BlackjackState, rng: Rng) -> None:
        """Ask for the first hand that is not done; hands from a split get their second card when they are reached."""
        while state.at < len(state.hands):
            hand: i64 = state.hands[state.at]
            if size_of(hand) == 1:
                state.take_card(rng)
                hand = state.hands[state.at]
                if hand & ACES_SPLIT and not self.hits_aces and not self._may_split(state, hand):
                    hand |= DONE
                    state.hands[state.at] = hand
            if hand & DONE == 0:
                owner = owner_of(hand)
                if owner != state.turn_player:
                    self.give_turn(state, owner)
                return
            state.at += 1
        self._end_hands(state, rng)

    def _end_hands(self, state: BlackjackState, rng: Rng) -> None:
        """Let the dealer play, pay all bets, and end the round."""
        self._play_dealer(state, rng)
        is_blackjack = self.pays > 0 and is_21_on_two(state.dealer)
        money = list(state.money)
        for hand in state.hands:
            owner = owner_of(hand)
            won = _won(hand, state.bets[owner], state.dealer, is_blackjack, self.pays)
            money[owner] += int(won)
            if state.recording:
                _announce(state, hand, won)
        for player in range(state.n_players):
            if state.insured >> player & 1:
                half: i64 = state.bets[player] // 2
                won = 2 * half if is_blackjack else -half
                money[player] += int(won)
                if state.recording:
                    reason = "the dealer has a blackjack" if is_blackjack else "the dealer has no blackjack"
                    words = f"{{player}} {'wins' if won > 0 else 'loses'} {abs(int(won)) / UNIT:g} by the insurance"
                    places = (f"money of {player}",)
                    state.announce(Event("insurance", player, float(won) / UNIT, (), places, reason, words))
        state.money = tuple(money)
        if state.recording:
            state.announce(Event("dealer", -1, float(total_of(state.dealer)), told_to=NOBODY))
            state.announce(Event("round over", words=f"round {state.round + 1} is over"))
        state.phase = BETTING
        state.bets = (0,) * int(state.n_players)
        state.insured = 0
        first = state.first_player + 1
        self.end_round(state, first if first < state.n_players else 0, rng)

    def _play_dealer(self, state: BlackjackState, rng: Rng) -> None:
        """Turn the hole card up, and take cards as far as a bet depends on them."""
        if state.hole != NO_CARD:
            hole = state.hole
            state.dealer += CARD[hole]
            state.hole = NO_CARD
            state.is_hole_certain = False
            if state.recording:
                state.announce_dealer(hole, "the dealer turns {items} up", "hole card")
        up = points_of(state.dealer) - 1
        must_play = False
        needs_second = state.insured != 0
        for hand in state.hands:
            if hand & SURRENDERED or (self.pays and is_21_on_two(hand)):
                needs_second = True
            elif total_of(hand) <= 21:
                must_play = True
        if size_of(state.dealer) == 1 and (must_play or (needs_second and (up == ACE or up == TEN))):
            _draw_for_dealer(state, rng)
        while must_play and self._takes_card(state.dealer):
            _draw_for_dealer(state, rng)

    def _takes_card(self, dealer: i64) -> bool:
        total = total_of(dealer)
        return total < 17 or (total == 17 and self.hits_soft_17 and is_soft(dealer))

    def _on_round_limit(self, state: BlackjackState, rng: Rng) -> None:
        state.end_by_money()


def _shuffle(state: BlackjackState) -> None:
    """Put all cards back into the shoe."""
    state.shoe = full_shoe(state.decks)
    state.left = state.decks * DECK


def _won(hand: i64, bet: i64, dealer: i64, is_blackjack: bool, pays: i64) -> i64:
    """Return the win of a hand from the dealer, in tenths of the unit."""
    if pays and is_21_on_two(hand):
        return 0 if is_blackjack else bet * pays // UNIT
    if hand & DOUBLED:
        bet *= 2
    total = total_of(hand)
    if total > 21 or is_blackjack:
        return -bet
    if hand & SURRENDERED:
        return -(bet // 2)
    other = total_of(dealer)
    if other > 21 or total > other:
        return bet
    return 0 if total == other else -bet


def _draw_for_dealer(state: BlackjackState, rng: Rng) -> None:
    """Let the dealer take a card."""
    kind = state.draw(rng)
    state.dealer += CARD[kind]
    if state.recording:
        state.announce_dealer(kind, "the dealer draws {items}", "shoe")


def _places(state: BlackjackState) -> list[str]:
    """Return the names of the cards that lie on the table and in the shoe."""
    return ["shoe", "discards", "dealer", *[f"hand {number}" for number in range(len(state.hands))]]


def _announce_round(state: BlackjackState, places: list[str], is_shuffled: bool) -> None:
    """Announce that the cards on ``places`` are put away, and whether all are shuffled."""
    words = f"round {state.round + 1} begins" + (" with a new shoe" if is_shuffled else "")
    state.announce(Event("round begun", -1, float(state.round + 1), (), tuple(places), "", words))


def _announce(state: BlackjackState, hand: i64, won: i64) -> None:
    """Announce the win of a hand, and to metrics whether it is bust or a blackjack."""
    owner = owner_of(hand)
    total, dealer = total_of(hand), total_of(state.dealer)
    reason = f"{total} against {'bust' if dealer > 21 else dealer}"
    if total > 21:
        reason = f"bust with {total}"
    elif hand & SURRENDERED:
        reason = "given up"
    elif is_21_on_two(hand) and state.pays:
        reason = "blackjack"
    if is_21_on_two(state.dealer) and state.pays:
        reason = f"{reason}, the dealer has a blackjack"
    words = f"{{player}} {'wins' if won > 0 else 'loses'} {abs(int(won)) / UNIT:g}" if won else "{player} keeps the bet"
    state.announce(Event("hand", owner, float(won) / UNIT, (), (f"money of {owner}",), reason, words))
    if total > 21:
        state.announce(Event("bust", owner, told_to=NOBODY))
    elif is_21_on_two(hand):
        state.announce(Event("blackjack", owner, told_to=NOBODY))
