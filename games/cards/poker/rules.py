"""The rules of Poker: blinds, rounds of betting, pots, and the end of a game."""

from __future__ import annotations

from typing import Any, Final, cast

from mypy_extensions import i64

from tag import AnyAction, Event, ForwardModel, GameType, Rng, Vocabulary, bit_count, bit_place, interned
from tag.engine.results import LOSE
from tag.engine.state import NOBODY
from tag.games.cards.poker.actions import AllIn, Call, Check, Fold, Raise, vocabulary
from tag.games.cards.poker.data import (
    BIT,
    BOARD_CARDS,
    CATEGORIES,
    CATEGORY_BIT,
    HOLE_CARDS,
    MOST_PLAYERS,
    NAMES,
    ON_BOARD,
    PREFLOP,
    RIVER,
    SIZES,
    STREETS,
    PokerParameters,
    deal,
    strength,
)
from tag.games.cards.poker.state import PokerState
from tag.games.cards.poker.values import PokerFeatures, PokerHeuristic, PokerMetric

#: In `PokerState.busts`, the bits below the number of the hand: for the chips at its start.
_CHIP_BITS: Final = 32


class Poker(ForwardModel[PokerState]):
    """The rules.

    >>> from tag import Rng, make_game
    >>> print(make_game("poker").setup(2, Rng(1)).text(0))
    Hand 1 of 10, preflop, player 0 to act; board no cards, pot 15, blinds 5 and 10
    player 0  stack 995  put in 5  cards Kd Jd  button
    player 1  stack 990  put in 10  cards ? ?
    """

    game_type = GameType(
        "Poker",
        2,
        MOST_PLAYERS,
        PokerParameters,
        categories=("cards", "classic"),
        mechanics=("betting", "bluffing", "hidden information", "player elimination", "push your luck"),
        chance_sources=("cards",),
        check_parameters="hands=2,stack=60",
        heuristic=PokerHeuristic,
        features=PokerFeatures,
        metric=PokerMetric,
    )

    def __init__(self, parameters: PokerParameters | None = None) -> None:
        """Make the actions once."""
        chosen = PokerParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.max_rounds = chosen.hands
        self.stack: i64 = chosen.stack
        self.small_blind: i64 = chosen.small_blind
        self.big_blind: i64 = chosen.big_blind
        self.blinds_up_every: i64 = chosen.blinds_up_every
        self.target: i64 = chosen.target
        self.sizes = chosen.raises
        self.percents: list[int] = list(SIZES[chosen.raises])
        self.always_all_in = chosen.raises != "minimum"
        self.fold: AnyAction = interned(Fold())
        self.check: AnyAction = interned(Check())
        self.call: AnyAction = interned(Call())
        #: The raises, and all-in.
        self.bets: list[Any] = [*[interned(Raise(percent)) for percent in self.percents], interned(AllIn())]

    def vocabulary(self, n_players: i64) -> Vocabulary:
        return vocabulary(self.sizes)

    def _setup(self, n_players: i64, rng: Rng) -> PokerState:
        seats = int(n_players)
        cards = [0] * (int(HOLE_CARDS) * seats + int(BOARD_CARDS))
        state = PokerState(n_players, [int(self.stack)] * seats, [0] * seats, cards)
        state.busts = (0,) * seats
        state.hands = self.max_rounds
        state.button = n_players - 1
        self._start_hand(state, rng)
        self._go_on(state, state.big_blind_seat, rng)
        return state

    def announce_setup(self, state: PokerState) -> None:
        """Announce the cards dealt for a hand, and the blinds."""
        places = [component.name for component in state.components()]
        words = f"hand {state.round + 1} begins, player {state.button} has the button"
        state.announce(Event("round begun", state.button, float(state.round + 1), (), tuple(places), "", words))
        for seat in range(state.n_players):
            if state.dealt >> seat & 1:
                cards = _names(state.cards[HOLE_CARDS * seat : HOLE_CARDS * seat + HOLE_CARDS])
                state.announce(Event("dealt", seat, 0.0, cards, (f"hand of {seat}",), seen_by=1 << seat))
        for blind in ("small", "big"):
            for seat in range(state.n_players):
                if state.paid[seat] > 0 and (seat == state.big_blind_seat) == (blind == "big"):
                    state.announce_payment(seat, f"{{player}} posts the {blind} blind, {{value}}")

    def _available_actions(self, state: PokerState) -> list[AnyAction]:
        owed = state.owed(state.current_player)
        found: list[Any] = [self.fold, self.call] if owed > 0 else [self.check]
        bets = self._bets(state, owed)
        for number in range(len(self.bets)):
            if bets >> number & 1:
                found.append(self.bets[number])
        return found

    def random_action(self, state: PokerState, rng: Rng) -> AnyAction:
        """Draw the place of an action, and make no list of all."""
        owed = state.owed(state.current_player)
        n_others: i64 = 2 if owed > 0 else 1
        bets = self._bets(state, owed)
        place = rng.below(n_others + bit_count(bets))
        if place >= n_others:
            return cast("AnyAction", self.bets[bit_place(bets, place - n_others, 1)])
        if owed > 0:
            return self.fold if place == 0 else self.call
        return self.check

    def _bets(self, state: PokerState, owed: i64) -> i64:
        """Return the bets that the player to act may make, as a set of their numbers.

        These are the raises that go as high as they must and less high than all-in, each amount once, and all-in.
        """
        player = state.current_player
        to_match = state.to_match
        most = state.most(player)
        if most <= to_match or (state.acted >> player & 1 and owed < state.step):
            return 0
        pot = state.pot + owed
        too_low = to_match + state.step - 1
        bets: i64 = 0
        percents = self.percents
        for number in range(len(percents)):
            percent: i64 = percents[number]
            total = to_match + (pot * percent // 100 if percent else state.step)
            if too_low < total < most:
                bets |= BIT[number]
                too_low = total
        return bets | BIT[len(percents)] if self.always_all_in or bets == 0 else bets

    def _after_action(self, state: PokerState, action: AnyAction, rng: Rng) -> None:
        player = state.current_player
        state.acted |= BIT[player]
        self._go_on(state, player, rng)

    def _start_hand(self, state: PokerState, rng: Rng) -> None:
        """Move the button, deal a hand, and post the blinds."""
        stacks, paid = state.stacks, state.paid
        dealt: i64 = 0
        for seat in range(state.n_players):
            paid[seat] = 0
            if stacks[seat] > 0:
                dealt |= BIT[seat]
        state.dealt = state.live = state.able = dealt
        state.pot = 0
        deal(state.cards, [], rng.source("cards"))
        state.button = _next_seat(state, state.button, state.dealt)
        small_seat = state.button
        big_seat = _next_seat(state, small_seat, state.dealt)
        if _next_seat(state, big_seat, state.dealt) != small_seat:
            small_seat = big_seat
            big_seat = _next_seat(state, small_seat, state.dealt)
        elif big_seat == state.big_blind_seat:  # two players: none has the big blind twice in a row
            state.button = big_seat
            small_seat, big_seat = big_seat, small_seat
        state.big_blind_seat = big_seat
        self._set_blinds(state)
        state.pay(small_seat, state.small_blind)
        state.pay(big_seat, state.big_blind)
        _start_street(state, PREFLOP, state.big_blind)
        state.matched = 0

    def _set_blinds(self, state: PokerState) -> None:
        """Double the blinds as often as they have risen by now; the big blind stays within all chips of the game."""
        factor: i64 = 1
        if self.blinds_up_every:
            total = self.stack * state.n_players
            for _rise in range(state.round // self.blinds_up_every):
                if 2 * factor * self.big_blind <= total:
                    factor *= 2
        state.small_blind = factor * self.small_blind
        state.big_blind = factor * self.big_blind

    def _go_on(self, state: PokerState, after: i64, rng: Rng) -> None:
        """Ask the next player after seat ``after``; where there is none, deal cards, settle the hand and start a new one."""
        while not state.is_terminal:
            if state.live & (state.live - 1) == 0:
                _pay_pot(state, state.pot, state.live, "all others have folded")
            else:
                player = _next_to_act(state, after)
                if player >= 0:
                    self._ask(state, player)
                    return
                if state.phase < RIVER:
                    _start_street(state, state.phase + 1, state.to_match)
                    if state.recording:
                        _announce_street(state)
                    after = state.button
                    continue
                _show_down(state)
            self._end_hand(state, rng)
            after = state.big_blind_seat

    def _ask(self, state: PokerState, player: i64) -> None:
        """Give the turn to ``player``, who starts the round if none has acted in this hand."""
        if state.phase == PREFLOP and state.acted == 0:
            state.first_player = state.turn_player = state.current_player = player
        else:
            self.give_turn(state, player)

    def _end_hand(self, state: PokerState, rng: Rng) -> None:
        """Take out players without chips, and end the game or start the next hand."""
        if state.recording:
            self._announce(state)
        richest: i64 = 0
        players: i64 = 0
        for seat in range(state.n_players):
            chips: i64 = state.stacks[seat]
            if chips > 0:
                players += 1
            elif state.dealt >> seat & 1:
                _take_out(state, seat)
                if state.recording:
                    words = "{player} is out of the game"
                    state.announce(Event("eliminated", seat, 0.0, (), (f"hand of {seat}",), "no chips are left", words))
            if chips > richest:
                richest = chips
        if players == 1 or 0 < self.target <= richest:
            state.round += 1
            state.end_by_score()
        else:
            self.end_round(state, state.current_player, rng)
        if not state.is_terminal:
            state.shown = 0
            self._start_hand(state, rng)
            if state.recording:
                self.announce_setup(state)

    def _announce(self, state: PokerState) -> None:
        """Announce to metrics how many had a hand and showed it, and the pot in big blinds without what no one called."""
        chips = sorted(state.paid)
        uncalled = chips[-1] - chips[-2]
        state.announce(Event("players", -1, float(int(state.dealt).bit_count()), told_to=NOBODY))
        state.announce(Event("shown", -1, float(int(state.shown).bit_count()), told_to=NOBODY))
        state.announce(Event("pot", -1, float(state.pot - uncalled) / float(state.big_blind), told_to=NOBODY))


def _next_seat(state: PokerState, after: i64, seats: i64) -> i64:
    """Return the first of ``seats`` to the left of seat ``after``."""
    n_players = state.n_players
    seat = after
    while True:
        seat = seat + 1 if seat + 1 < n_players else 0
        if seats >> seat & 1:
            return seat


def _next_to_act(state: PokerState, after: i64) -> i64:
    """Return the next player who has to act in this round of betting, -1 if there is none."""
    able = state.able
    acted = state.acted
    paid = state.paid
    seat = after
    for _seat in range(state.n_players):
        seat = seat + 1 if seat + 1 < state.n_players else 0
        if able >> seat & 1 and (acted >> seat & 1 == 0 or paid[seat] < state.to_match):
            is_alone = able & (able - 1) == 0
            return -1 if is_alone and paid[seat] >= _most_paid(state, state.live) else seat
    return -1


def _most_paid(state: PokerState, seats: i64) -> i64:
    """Return the most chips that one of ``seats`` has put in."""
    most: i64 = 0
    for seat in range(state.n_players):
        if seats >> seat & 1 and state.paid[seat] > most:
            most = state.paid[seat]
    return most


def _start_street(state: PokerState, street: i64, to_match: i64) -> None:
    state.phase = street
    state.acted = 0
    state.to_match = to_match
    state.matched = to_match
    state.step = state.big_blind


def _announce_street(state: PokerState) -> None:
    """Announce the cards that are new on the board."""
    cards = _names(state.board()[ON_BOARD[state.phase - 1] :])
    words = f"the {STREETS[state.phase]}: {{items}}"
    state.announce(Event("revealed", -1, 0.0, cards, ("board", "deck"), "", words))


def _names(cards: list[int]) -> tuple[str, ...]:
    return tuple([NAMES[card] for card in cards])


def _show_down(state: PokerState) -> None:
    """Show all hands and pay the pots: each has a layer of the chips of all who have put in as much."""
    state.shown = state.live
    contenders = state.live
    strengths = _strengths(state)
    if state.recording:
        _announce_hands(state, strengths)
    settled: i64 = 0
    while contenders:
        level = _least_paid(state, contenders)
        pot: i64 = 0
        for seat in range(state.n_players):
            paid: i64 = state.paid[seat]
            pot += max(min(paid, level) - settled, 0)
        winners = _winners(state, strengths, contenders)
        _pay_pot(state, pot, winners, _reason(strengths, winners, contenders) if state.recording else "")
        for seat in range(state.n_players):
            if state.paid[seat] <= level:
                contenders &= ~BIT[seat]
        settled = level


def _announce_hands(state: PokerState, strengths: list[int]) -> None:
    """Announce the cards that are shown, and what they make with the board."""
    for seat in range(state.n_players):
        if state.live >> seat & 1:
            cards = _names(state.cards[HOLE_CARDS * seat : HOLE_CARDS * seat + HOLE_CARDS])
            made = CATEGORIES[strengths[seat] >> CATEGORY_BIT]
            words = f"{{player}} shows {{items}}: {made}"
            state.announce(Event("revealed", seat, float(strengths[seat]), cards, (f"hand of {seat}",), "", words))


def _reason(strengths: list[int], winners: i64, contenders: i64) -> str:
    """Return why a pot goes to ``winners`` out of ``contenders``."""
    if contenders & (contenders - 1) == 0:
        return "no one has called them"
    best = max(strengths)
    made = [strength for seat, strength in enumerate(strengths) if winners >> seat & 1]
    rivals = [strength for seat, strength in enumerate(strengths) if contenders >> seat & 1 and not winners >> seat & 1]
    hand = CATEGORIES[made[0] >> CATEGORY_BIT]
    how = "best hand" if made[0] == best else "best hand for a side pot"
    if rivals and max(rivals) >> CATEGORY_BIT == made[0] >> CATEGORY_BIT:
        hand = f"{hand} by rank"
    return f"the {how}, {hand}" if len(made) == 1 else f"equal hands, {hand}"


def _strengths(state: PokerState) -> list[int]:
    """Return the strength of each hand that is still in."""
    board = state.board_set()
    return [int(strength(board | state.hole(seat))) if state.live >> seat & 1 else 0 for seat in range(state.n_players)]


def _least_paid(state: PokerState, seats: i64) -> i64:
    """Return the fewest chips that one of ``seats`` has put in."""
    least: i64 = state.pot
    for seat in range(state.n_players):
        if seats >> seat & 1 and state.paid[seat] < least:
            least = state.paid[seat]
    return least


def _winners(state: PokerState, strengths: list[int], seats: i64) -> i64:
    """Return the ``seats`` with the best hand."""
    best: i64 = -1
    winners: i64 = 0
    for seat in range(state.n_players):
        if seats >> seat & 1:
            hand: i64 = strengths[seat]
            if hand > best:
                best = hand
                winners = 0
            if hand == best:
                winners |= BIT[seat]
    return winners


def _pay_pot(state: PokerState, chips: i64, winners: i64, reason: str) -> None:
    """Share a pot; odd chips go one by one to the first winners left of the button. Listeners are told the reason."""
    sharers: i64 = 0
    for seat in range(state.n_players):
        if winners >> seat & 1:
            sharers += 1
    share = chips // sharers
    odd = chips % sharers
    seat = state.button
    for _winner in range(sharers):
        seat = _next_seat(state, seat, winners)
        state.stacks[seat] += int(share)
        extra: i64 = 1 if odd > 0 else 0
        if odd > 0:
            state.stacks[seat] += 1
            odd -= 1
        if state.recording and share + extra > 0:
            words = "{player} gets {value} chips"
            state.announce(Event("pot won", seat, float(share + extra), (), (f"stack of {seat}",), reason, words))


def _take_out(state: PokerState, seat: i64) -> None:
    """Let a player without chips lose; who had more at the start of the hand stands above others of the same hand."""
    busts = list(state.busts)
    busts[seat] = int((state.round + 1) << _CHIP_BITS | state.paid[seat])
    state.busts = tuple(busts)
    state.set_result(seat, LOSE)
