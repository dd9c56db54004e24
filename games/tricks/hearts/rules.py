"""The rules of Hearts: the deal, passing, tricks, and points."""

from __future__ import annotations

from typing import Final, cast

from mypy_extensions import i64

from tag import AnyAction, Event, ForwardModel, GameType, Rng, Vocabulary, bit_count, bit_place, interned
from tag.engine.rules.hidden_deals import deal_hidden
from tag.engine.rules.trick_state import PlayCard, actions_for
from tag.engine.rules.tricks import ALL_CARDS, CARD_NAMES, N_CARDS, card_names, card_of, owner, taker
from tag.engine.state import EVERYBODY
from tag.games.tricks.hearts.actions import PassCard, vocabulary
from tag.games.tricks.hearts.data import (
    ACROSS,
    HOLD,
    LEFT,
    MOST_PLAYERS,
    PASSING,
    PLAYING,
    POINTS,
    HeartsParameters,
    points_of,
)
from tag.games.tricks.hearts.state import HeartsState
from tag.games.tricks.hearts.values import HeartsFeatures, HeartsHeuristic, HeartsMetric

_WAYS: Final[list[str]] = ["to the left", "to the right", "across"]


class Hearts(ForwardModel[HeartsState]):
    """The rules.

    >>> from tag import Rng, make_game
    >>> model = make_game("hearts:passing=none")
    >>> state = model.setup(4, Rng(1))
    >>> [str(action) for action in model.available_actions(state)]
    ['play 2c']
    """

    game_type = GameType(
        "Hearts",
        3,
        MOST_PLAYERS,
        HeartsParameters,
        categories=("cards",),
        mechanics=("trick taking", "hand management", "hidden information"),
        check_parameters="ranks=4,pass_cards=1,goal=12",
        heuristic=HeartsHeuristic,
        features=HeartsFeatures,
        metric=HeartsMetric,
    )

    def __init__(self, parameters: HeartsParameters | None = None) -> None:
        """Make the actions once."""
        super().__init__(parameters)
        self.rules = cast("HeartsParameters", self.parameters)
        self.max_rounds = self.rules.hands
        self.passes: list[AnyAction] = [interned(PassCard(card)) for card in range(N_CARDS)]
        self.plays: list[AnyAction] = [interned(PlayCard(card)) for card in range(N_CARDS)]

    def vocabulary(self, n_players: i64) -> Vocabulary:
        return vocabulary(self.rules, int(n_players))

    def _setup(self, n_players: i64, rng: Rng) -> HeartsState:
        zeros = (0,) * int(n_players)
        state = HeartsState(n_players, self.rules, list(zeros), list(zeros))
        state.deck = self.rules.deck(int(n_players))
        state.points = zeros
        self._deal(state, rng)
        return state

    def announce_setup(self, state: HeartsState) -> None:
        """Announce the hands, each to its player."""
        self._announce_hands(state)

    def _announce_hands(self, state: HeartsState) -> None:
        for seat in range(state.n_players):
            places = (f"hand of {seat}", f"taken by {seat}")
            cards = card_names(state.hands[seat])
            state.announce(Event("dealt", seat, 0.0, cards, places, seen_by=1 << seat))
        if state.phase == PLAYING:
            self._announce_lead(state)

    def _announce_lead(self, state: HeartsState) -> None:
        words = f"player {state.current_player} has the {CARD_NAMES[card_of(state.opening())]} and leads it"
        state.announce(Event("lead", state.current_player, words=words))

    def _deal(self, state: HeartsState, rng: Rng) -> None:
        """Deal all cards, and begin with passing or with the first trick."""
        n = int(state.n_players)
        number = int(bit_count(state.deck)) // n
        state.hands = deal_hidden(state.deck, [number] * n, [ALL_CARDS] * n, rng)
        zeros = (0,) * n
        state.begin_hand()
        state.passed = zeros
        state.taken = zeros
        directions = self.rules.directions(n)
        way = directions[state.round % len(directions)]
        if way == HOLD:
            state.shift = 0
            self._begin_tricks(state)
        else:
            state.shift = 1 if way == LEFT else n // 2 if way == ACROSS else n - 1
            state.phase = PASSING
            first = state.round % n
            state.turn_player = first
            state.current_player = first

    def _begin_tricks(self, state: HeartsState) -> None:
        """Give the lead to who has the lowest club."""
        state.phase = PLAYING
        holder = owner(state.hands, state.opening())
        state.turn_player = holder
        state.current_player = holder

    def _available_actions(self, state: HeartsState) -> list[AnyAction]:
        actions = self.passes if state.phase == PASSING else self.plays
        return actions_for(state.legal(), actions)

    def random_action(self, state: HeartsState, rng: Rng) -> AnyAction:
        """Choose without a list."""
        legal = state.legal()
        card = bit_place(legal, rng.below(bit_count(legal)), 1)
        return self.passes[card] if state.phase == PASSING else self.plays[card]

    def _after_action(self, state: HeartsState, action: AnyAction, rng: Rng) -> None:
        if state.phase == PASSING:
            self._after_pass(state)
        elif bit_count(state.trick) < state.n_players:
            self.end_player_turn(state)
        else:
            self._take_trick(state, rng)

    def _after_pass(self, state: HeartsState) -> None:
        """Ask for the next card; once all have chosen, pass the cards.

        Another player is asked first in each hand, as a search in one tree takes players asked later to react.
        """
        number = self.rules.passed(int(state.n_players))
        if bit_count(state.passed[state.current_player]) < number:
            return
        following = self._next_player(state)
        if bit_count(state.passed[following]) < number:
            self.give_turn(state, following)
            return
        passed, hands = state.passed, state.hands
        for seat in range(state.n_players):
            hands[seat] = int(hands[seat] ^ passed[seat] | passed[state.source(seat)])
        state.turn += 1
        self._begin_tricks(state)
        if state.recording:
            for seat in range(state.n_players):
                target = state.target(seat)
                places = (f"chosen by {seat}", f"hand of {target}")
                words = f"{{player}} passes {{items}} to player {target}"
                cards = card_names(passed[seat])
                seers = 1 << seat | 1 << target
                state.announce(Event("passed", seat, 0.0, cards, places, words=words, seen_by=seers))
            self._announce_lead(state)

    def _take_trick(self, state: HeartsState, rng: Rng) -> None:
        """Give the trick to who takes it, and go on with the next one or the next hand."""
        trick = state.trick
        winner = owner(state.played, taker(trick, state.led))
        taken = state.taken
        state.taken = (*taken[:winner], int(taken[winner] | trick), *taken[winner + 1 :])
        state.end_trick()
        if state.recording:
            value = float(points_of(trick, self.rules.queen, self.rules.jack))
            places = ("trick", f"taken by {winner}")
            words = "{player} takes the trick: {items}"
            state.announce(Event("trick taken", winner, value, card_names(trick), places, words=words))
        if state.hands[winner]:
            self.give_turn(state, winner)
        else:
            self._end_hand(state, rng)

    def _end_hand(self, state: HeartsState, rng: Rng) -> None:
        """Count the points of a hand; the game is over, or another hand is dealt."""
        found = hand_points(self.rules, state.taken, state.deck)
        state.points = tuple([before + new for before, new in zip(state.points, found, strict=True)])
        state.passed = (0,) * int(state.n_players)
        if state.recording:
            for seat in range(state.n_players):
                self._announce_points(state, seat, found[seat])
        is_over = max(state.points) >= self.rules.goal
        if is_over and self.rules.play_on:
            is_over = state.points.count(min(state.points)) == 1
        if is_over:
            state.round += 1
            state.end_by_score()
            return
        self.end_round(state, self._next_player(state), rng)
        if not state.is_terminal:
            self._deal(state, rng)
            if state.recording:
                state.announce(Event("round begun", words=f"hand {state.round + 1} begins"))
                self._announce_hands(state)

    def _announce_points(self, state: HeartsState, seat: i64, points: i64) -> None:
        if has_all(state.taken[seat], state.deck):
            words = "{player} has shot the moon"
            state.announce(Event("moon", seat, words=words, told_to=EVERYBODY if self.rules.moon != "none" else 0))
        reason = f"{state.points[seat]} in all"
        state.announce(Event("scored", seat, float(points), (), (f"points of {seat}",), reason))


def has_all(taken: i64, deck: i64) -> bool:
    """Say whether the cards taken are all hearts and the queen of spades."""
    return deck & POINTS & ~taken == 0


def hand_points(rules: HeartsParameters, taken: tuple[int, ...], deck: i64) -> list[int]:
    """Return the points of each player after a hand."""
    found = [int(points_of(cards, rules.queen, rules.jack)) for cards in taken]
    if rules.moon == "none":
        return found
    moon = int(points_of(deck & POINTS, rules.queen, rules.jack))
    for seat in range(len(taken)):
        if has_all(taken[seat], deck):
            for other in range(len(taken)):
                if rules.moon == "own":
                    found[other] -= 2 * moon if other == seat else 0
                else:
                    found[other] += -moon if other == seat else moon
    return found
