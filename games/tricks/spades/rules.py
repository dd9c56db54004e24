"""The rules of Spades: the deal, bids, tricks, and points."""

from __future__ import annotations

from typing import cast

from mypy_extensions import i64

from tag import AnyAction, Event, ForwardModel, GameType, Rng, Vocabulary, bit_count, bit_place, interned
from tag.engine.rules.hidden_deals import deal_hidden
from tag.engine.rules.trick_state import PlayCard, actions_for
from tag.engine.rules.tricks import ALL_CARDS, N_CARDS, N_RANKS, SPADES, card_names, owner, taker
from tag.games.tricks.spades.actions import Bid, BidBlind, vocabulary
from tag.games.tricks.spades.data import (
    BIDDING,
    BLIND,
    N_PLAYERS,
    N_SIDES,
    NO_BID,
    PLAYING,
    SpadesParameters,
    side_points,
)
from tag.games.tricks.spades.state import SpadesState
from tag.games.tricks.spades.values import SpadesFeatures, SpadesHeuristic, SpadesMetric


class Spades(ForwardModel[SpadesState]):
    """The rules.

    >>> from tag import Rng, make_game
    >>> model = make_game("spades")
    >>> state = model.setup(4, Rng(1))
    >>> [str(action) for action in model.available_actions(state)][:3]
    ['bid nil', 'bid 1', 'bid 2']
    """

    game_type = GameType(
        "Spades",
        N_PLAYERS,
        N_PLAYERS,
        SpadesParameters,
        categories=("cards", "partnerships"),
        mechanics=("trick taking", "betting and bluffing", "hand management", "hidden information"),
        check_parameters="ranks=4,lowest=100,goal=100,hands=2",
        heuristic=SpadesHeuristic,
        features=SpadesFeatures,
        metric=SpadesMetric,
    )

    def __init__(self, parameters: SpadesParameters | None = None) -> None:
        """Make the actions once."""
        super().__init__(parameters)
        self.rules = cast("SpadesParameters", self.parameters)
        self.deck: i64 = self.rules.deck()
        self.max_rounds = self.rules.hands
        self.bids: list[AnyAction] = [interned(Bid(tricks)) for tricks in range(N_RANKS + 1)]
        self.plays: list[AnyAction] = [interned(PlayCard(card)) for card in range(N_CARDS)]
        self.blind: list[AnyAction] = [interned(BidBlind(False)), interned(BidBlind(True))]

    def vocabulary(self, n_players: i64) -> Vocabulary:
        return vocabulary(self.rules)

    def _setup(self, n_players: i64, rng: Rng) -> SpadesState:
        state = SpadesState(self.rules, [0] * N_PLAYERS, [0] * N_PLAYERS)
        state.deck = self.deck
        self._begin(state, rng)
        return state

    def announce_setup(self, state: SpadesState) -> None:
        """Announce the hands, each to its player."""
        self._announce_hands(state)

    def _announce_hands(self, state: SpadesState) -> None:
        for seat in range(N_PLAYERS):
            places = (f"hand of {seat}", "gone")
            state.announce(Event("dealt", seat, 0.0, card_names(state.hands[seat]), places, seen_by=1 << seat))

    def _begin(self, state: SpadesState, rng: Rng) -> None:
        """Begin a hand: ask who may bid blind, or deal."""
        zeros = (0,) * N_PLAYERS
        state.hands = list(zeros)
        state.begin_hand()
        state.bids = (NO_BID,) * N_PLAYERS
        state.won = zeros
        state.blind = 0
        state.phase = BLIND
        first = state.round % N_PLAYERS
        state.turn_player = first
        state.current_player = first
        self._ask_blind(state, 0, rng)

    def _ask_blind(self, state: SpadesState, asked: i64, rng: Rng) -> None:
        """Ask the next player who may bid blind after so many have been asked; then deal."""
        first = state.round % N_PLAYERS
        while self.rules.blind_nil and asked < N_PLAYERS:
            player = (first + asked) % N_PLAYERS
            if state.may_bid_blind(player):
                state.current_player = player
                state.turn_player = player
                return
            asked += 1
        state.hands = deal_hidden(state.deck, [self.rules.ranks] * N_PLAYERS, [ALL_CARDS] * N_PLAYERS, rng)
        if state.recording:
            self._announce_hands(state)
        state.phase = BIDDING
        state.current_player = first
        state.turn_player = first
        if state.bids[first] != NO_BID:
            self._ask_bid(state)

    def _ask_bid(self, state: SpadesState) -> None:
        """Ask the next player who has not bid; once all have, begin the first trick."""
        seat = state.current_player
        for _seat in range(N_PLAYERS - 1):
            seat = (seat + 1) % N_PLAYERS
            if state.bids[seat] == NO_BID:
                self.give_turn(state, seat)
                return
        state.phase = PLAYING
        leader: i64 = state.round % N_PLAYERS
        if self.rules.first_lead == "club":
            leader = owner(state.hands, state.opening())
        self.give_turn(state, leader)

    def _available_actions(self, state: SpadesState) -> list[AnyAction]:
        if state.phase == BLIND:
            return self.blind[:]
        if state.phase == BIDDING:
            return self.bids[: state.most() + 1]
        return actions_for(state.legal(), self.plays)

    def random_action(self, state: SpadesState, rng: Rng) -> AnyAction:
        """Choose without a list."""
        if state.phase == BLIND:
            return self.blind[rng.below(2)]
        if state.phase == BIDDING:
            return self.bids[rng.below(state.most() + 1)]
        legal = state.legal()
        return self.plays[bit_place(legal, rng.below(bit_count(legal)), 1)]

    def _after_action(self, state: SpadesState, action: AnyAction, rng: Rng) -> None:
        if state.phase == PLAYING:
            if bit_count(state.trick) < N_PLAYERS:
                self.end_player_turn(state)
            else:
                self._take_trick(state, rng)
        elif state.phase == BIDDING:
            self._ask_bid(state)
        else:
            state.turn += 1
            self._ask_blind(state, (state.current_player - state.round) % N_PLAYERS + 1, rng)

    def _take_trick(self, state: SpadesState, rng: Rng) -> None:
        """Give the trick to who takes it, and go on with the next one or the next hand."""
        trick = state.trick
        winner = owner(state.played, taker(trick, state.led, SPADES))
        won = state.won
        state.won = (*won[:winner], won[winner] + 1, *won[winner + 1 :])
        state.end_trick()
        if state.recording:
            places = ("trick", "gone", f"tricks of {winner}")
            words = "{player} takes the trick: {items}"
            state.announce(Event("trick taken", winner, float(state.tricks), card_names(trick), places, words=words))
        if state.hands[winner]:
            self.give_turn(state, winner)
        else:
            self._end_hand(state, rng)

    def _end_hand(self, state: SpadesState, rng: Rng) -> None:
        """Count the points of a hand; the game is over, or another hand begins."""
        points, bags = list(state.points), list(state.bags)
        for side in range(N_SIDES):
            blind = [bool(state.blind >> side & 1), bool(state.blind >> side + 2 & 1)]
            bids = [state.bids[side], state.bids[side + 2]]
            found, more = side_points(self.rules, bids, [state.won[side], state.won[side + 2]], blind)
            bags[side] += more
            penalty = bags[side] // self.rules.bags * self.rules.bag_penalty
            bags[side] %= self.rules.bags
            points[side] += found - penalty
            if state.recording:
                self._announce_points(state, side, found, penalty, points[side])
        state.points, state.bags = tuple(points), tuple(bags)
        high, low = max(points), min(points)
        if high != low and (high >= self.rules.goal or low <= -self.rules.lowest):
            state.round += 1
            state.end_by_score()
            return
        self.end_round(state, self._next_player(state), rng)
        if not state.is_terminal:
            if state.recording:
                places = tuple([f"{what} of {seat}" for what in ("bid", "tricks") for seat in range(N_PLAYERS)])
                state.announce(Event("round begun", places=("gone", *places), words=f"hand {state.round + 1} begins"))
            self._begin(state, rng)

    def _announce_points(self, state: SpadesState, side: i64, found: i64, penalty: i64, total: i64) -> None:
        places = (f"points of side {side}", f"bags of side {side}")
        for seat in (side, side + 2):
            bid, tricks = state.bids[seat], state.won[seat]
            name = "nil" if bid == 0 else "contract"
            state.announce(Event(name, seat, float(tricks - bid), told_to=0))
        words = f"player {side} and player {side + 2} score {found}"
        reason = f"{penalty} points off for bags, {total} in all" if penalty else f"{total} in all"
        state.announce(Event("scored by a side", side, float(found - penalty), (), places, reason, words))
