"""The rules of Sushi Go!: choosing, showing, passing, and points."""

from __future__ import annotations

from typing import Any, cast

from mypy_extensions import i64

from tag import AnyAction, Event, ForwardModel, GameType, Rng, Vocabulary
from tag.engine.state import EVERYBODY, NOBODY
from tag.games.cards.sushi_go.actions import ACTIONS, vocabulary
from tag.games.cards.sushi_go.data import (
    BITS,
    CHOPSTICKS,
    DIPPED,
    DUMPLING,
    EGG,
    MOST_PLAYERS,
    N_KINDS,
    NIGIRI,
    NO_CHOICE,
    SALMON,
    SASHIMI,
    SQUID,
    TEMPURA,
    WASABI,
    SushiGoParameters,
    can_take_two,
    count,
    double_choices,
    first_of,
    maki_in,
    packed,
    points_of,
    points_text,
    random_choice,
    second_of,
    unit,
)
from tag.games.cards.sushi_go.state import SushiGoState
from tag.games.cards.sushi_go.values import SushiGoFeatures, SushiGoHeuristic, SushiGoMetric


class SushiGo(ForwardModel[SushiGoState]):
    """The rules.

    >>> from tag import Rng, make_game
    >>> model = make_game("sushi_go")
    >>> state = model.setup(2, Rng(1))
    >>> model.next(state, model.available_actions(state)[0], Rng(1))
    >>> state.is_unresolved(), int(state.current_player)
    (True, 1)
    """

    game_type = GameType(
        "Sushi Go!",
        2,
        MOST_PLAYERS,
        SushiGoParameters,
        categories=("cards", "food"),
        mechanics=("closed drafting", "set collection", "simultaneous action selection", "hand management", "rounds"),
        check_parameters="rounds=2,hand_2=4,hand_3=4,hand_4=4,hand_5=4,chopsticks=12",
        heuristic=SushiGoHeuristic,
        features=SushiGoFeatures,
        metric=SushiGoMetric,
    )

    def __init__(self, parameters: SushiGoParameters | None = None) -> None:
        super().__init__(parameters)
        self.rules = cast("SushiGoParameters", self.parameters)
        self.max_rounds = self.rules.rounds

    def vocabulary(self, n_players: i64) -> Vocabulary:
        return vocabulary()

    def _setup(self, n_players: i64, rng: Rng) -> SushiGoState:
        state = SushiGoState(n_players, [0] * n_players, [NO_CHOICE] * n_players, [0] * n_players, [0] * n_players)
        state.puddings = (0,) * n_players
        state.prices = self.rules.prices()
        state.dealt = self.rules.hand_size(int(n_players))
        state.deck = packed(self.rules.deck())
        state.deck_size = sum(self.rules.deck())
        self._start_round(state, rng)
        return state

    def announce_setup(self, state: SushiGoState) -> None:
        """Announce the hands, each to its player."""
        state.announce_hands()

    def _start_round(self, state: SushiGoState, rng: Rng) -> None:
        state.direction = -1 if self.rules.both_ways and state.round % 2 == 1 else 1
        state.deal(rng)

    def _available_actions(self, state: SushiGoState) -> list[AnyAction]:
        player = state.current_player
        hand: i64 = state.hands[player]
        table: i64 = state.tables[player]
        actions: list[Any] = ACTIONS
        found: list[AnyAction] = []
        for kind in range(N_KINDS):
            if count(hand, kind):
                found.append(actions[kind + 1])
        if can_take_two(hand, table):
            for choice in double_choices(hand, table):
                found.append(actions[choice])
        return found

    def random_action(self, state: SushiGoState, rng: Rng) -> AnyAction:
        """Choose a kind of card by its place among those in hand."""
        player = state.current_player
        return cast("AnyAction", ACTIONS[random_choice(state.hands[player], state.tables[player], rng)])

    def rollout(self, state: SushiGoState, depth: i64, rng: Rng) -> i64:
        """Choose without actions, which only store a number."""
        if type(self) is not SushiGo or state.recording:
            return super().rollout(state, depth, rng)
        chosen, hands, tables = state.chosen, state.hands, state.tables
        played: i64 = 0
        while played < depth and not state.is_terminal:
            player = state.current_player
            chosen[player] = random_choice(hands[player], tables[player], rng)
            state.tick += 1
            played += 1
            self._go_on(state, rng)
        return played

    def _after_action(self, state: SushiGoState, action: AnyAction, rng: Rng) -> None:
        self._go_on(state, rng)

    def _go_on(self, state: SushiGoState, rng: Rng) -> None:
        """Ask the next player who has not chosen; once all have, show what they chose.

        Another player is asked first in each turn. The order changes no result, but a search in one tree takes players
        asked later to react to the choice of the first.
        """
        chosen = state.chosen
        seat = state.current_player
        for _seat in range(state.n_players - 1):
            seat = seat + 1 if seat + 1 < state.n_players else 0
            if chosen[seat] == NO_CHOICE:
                state.current_player = seat
                return
        self._show(state)
        if state.cards == 1:
            self._show_last(state)
            self._end_round(state, rng)
        else:
            self.end_player_turn(state)

    def _show(self, state: SushiGoState) -> None:
        """Play all that was chosen, put used chopsticks back, and pass the hands."""
        hands, chosen, tables = state.hands, state.chosen, state.tables
        for seat in range(state.n_players):
            choice: i64 = chosen[seat]
            chosen[seat] = NO_CHOICE
            first, second = first_of(choice), second_of(choice)
            state.lay(seat, first)
            taken = unit(first)
            if second >= 0:
                state.lay(seat, second)
                taken += unit(second) - unit(CHOPSTICKS)
                table: i64 = tables[seat]
                tables[seat] = table - unit(CHOPSTICKS)
            hand: i64 = hands[seat]
            hands[seat] = hand - taken
            if second >= 0 or first == CHOPSTICKS:
                _count_put_back(state, seat, first, second)
                if state.recording and second >= 0:
                    places = (f"table of {seat}", f"hand of {seat}")
                    words = "{player} puts the chopsticks back into the hand"
                    state.announce(Event("chopsticks", seat, places=places, words=words))
        state.cards -= 1
        state.pass_hands()
        if state.recording:
            hands_passed = tuple([f"hand of {seat}" for seat in range(state.n_players)])
            words = f"the hands go to the {'next' if state.direction > 0 else 'previous'} player"
            state.announce(Event("hands passed", places=hands_passed, words=words))

    def _show_last(self, state: SushiGoState) -> None:
        """Play the last card of each hand, which is no choice."""
        hands = state.hands
        for seat in range(state.n_players):
            card: i64 = 0
            last: i64 = hands[seat]
            while last > 1:
                last >>= BITS
                card += 1
            state.lay(seat, card)
            hands[seat] = 0
        state.cards = 0

    def _end_round(self, state: SushiGoState, rng: Rng) -> None:
        """Compare maki rolls, and deal another round or end the game."""
        maki = [int(maki_in(table)) for table in state.tables]
        prizes = most_and_second(maki, self.rules.maki_most, self.rules.maki_second)
        for seat in range(len(prizes)):
            state.points[seat] += prizes[seat]
        if state.recording:
            self._announce(state)
            _announce_prizes(state, "maki rolls", maki, prizes, "second most")
            places = tuple([f"table of {seat}" for seat in range(state.n_players)])
            words = f"round {state.round + 1} is over"
            state.announce(Event("round over", -1, float(state.round + 1), (), ("discards", *places), "", words))
        state.clear_tables()
        self.end_round(state, self._next_player(state), rng)
        if not state.is_terminal:
            self._start_round(state, rng)
            if state.recording:
                state.announce_hands()

    def _on_round_limit(self, state: SushiGoState, rng: Rng) -> None:
        """Compare puddings; most points win."""
        prizes = most_and_fewest(state.puddings, self.rules.pudding_most, self.rules.pudding_fewest)
        for seat in range(len(prizes)):
            state.points[seat] += prizes[seat]
        if state.recording:
            _announce_prizes(state, "puddings", list(state.puddings), prizes, "fewest")
        state.end_by_score()

    def _announce(self, state: SushiGoState) -> None:
        """Announce to metrics the points of each player in a round, by their reason, and cards without effect."""
        for seat in range(state.n_players):
            table = state.tables[seat]
            found = {"tempura": (TEMPURA,), "sashimi": (SASHIMI,), "dumplings": (DUMPLING,), "nigiri": NIGIRI}
            for name, places in found.items():
                points = sum([int(points_of(state.prices, table, place)) for place in places])
                state.announce(Event(name, seat, float(points), told_to=NOBODY))
            tempura, sashimi = count(table, TEMPURA), count(table, SASHIMI)
            state.announce(Event("set cards", seat, float(tempura + sashimi), told_to=NOBODY))
            state.announce(Event("lone set cards", seat, float(tempura % 2 + sashimi % 3), told_to=NOBODY))
            dipped = sum([int(count(table, kind + DIPPED)) for kind in (EGG, SALMON, SQUID)])
            state.announce(Event("wasabi", seat, float(dipped + count(table, WASABI)), told_to=NOBODY))
            state.announce(Event("dipped", seat, float(dipped), told_to=NOBODY))


def _announce_prizes(state: SushiGoState, name: str, counts: list[int], prizes: list[int], other: str) -> None:
    """Announce the points for the most of something, and for what ``other`` says; metrics get those without, too."""
    most = max(counts)
    for seat in range(state.n_players):
        points = prizes[seat]
        which = "most" if counts[seat] == most else other
        number = points_text(abs(points))
        words = f"{{player}} {'loses' if points < 0 else 'gets'} {number} for the {which} {name}"
        told_to: i64 = EVERYBODY if points else NOBODY
        state.announce(Event(name, seat, float(points), (), (f"points of {seat}",), "", words, told_to=told_to))


def most_and_second(counts: list[int], most: i64, second: i64) -> list[int]:
    """Return the points for the most and the second most, shared by those who are equal, rounded down.

    Several with the most leave nothing for the second most. A player with none gets nothing.
    """
    prizes = [0] * len(counts)
    best: i64 = max(counts)
    if best == 0:
        return prizes
    if _award(prizes, counts, best, most) > 1:
        return prizes
    runner_up: i64 = max([number for number in counts if number != best], default=0)
    if runner_up:
        _award(prizes, counts, runner_up, second)
    return prizes


def most_and_fewest(counts: tuple[int, ...], most: i64, fewest: i64) -> list[int]:
    """Return the points for the most, less those for the fewest among three or more; none if all have the same."""
    prizes = [0] * len(counts)
    numbers = list(counts)
    best: i64 = max(numbers)
    worst: i64 = min(numbers)
    if best != worst:
        _award(prizes, numbers, best, most)
        if len(numbers) > 2:
            _award(prizes, numbers, worst, -fewest)
    return prizes


def _award(prizes: list[int], counts: list[int], number: i64, points: i64) -> i64:
    """Share ``points`` among the players who have ``number``, ignoring the remainder, and return how many they are."""
    sharers: i64 = counts.count(int(number))
    share = points // sharers if points >= 0 else -(-points // sharers)
    for seat in range(len(counts)):
        if counts[seat] == number:
            prizes[seat] += int(share)
    return sharers


def _count_put_back(state: SushiGoState, seat: i64, first: i64, second: i64) -> None:
    """Count the chopsticks that are certain to be in a hand after two cards, or chopsticks, were taken from it."""
    certain: i64 = state.put_back[seat]
    if first == CHOPSTICKS and certain:
        certain -= 1
    if second == CHOPSTICKS and certain:
        certain -= 1
    if second >= 0:
        certain += 1
    put_back = state.put_back
    state.put_back = (*put_back[:seat], int(certain), *put_back[seat + 1 :])
