"""The rules of 7 Wonders: ages, choices that happen at once, wonders, conflicts, and the end."""

from __future__ import annotations

from typing import Final, cast

from mypy_extensions import i64

from tag import AnyAction, Event, ForwardModel, GameType, Rng, Vocabulary
from tag.engine.forward_model.game_type import SIMULTANEOUS
from tag.engine.state import NOBODY
from tag.games.drafts.seven_wonders.actions import ACTIONS, NO_RECOVERY, RECOVERIES, Recover, vocabulary
from tag.games.drafts.seven_wonders.data import (
    AGES,
    BASE,
    CATEGORIES,
    COIN_COST,
    DIG,
    HOME_MADE,
    LAST,
    LATE,
    LEFT_SHIFT,
    MADE,
    MAX_PLAYERS,
    MIN_PLAYERS,
    N_WONDERS,
    NAMES,
    NO_CHOICE,
    NUMBER_MASK,
    PAY_MASK,
    RIGHT_SHIFT,
    ROMAN,
    SELL,
    STAGE,
    STAGE_COINS,
    STAGE_POWER,
    TOUCHED,
    UNIT_BITS,
    UNITS,
    USE_BITS,
    WITH_POWER,
    SevenWondersParameters,
    age_deck,
    kinds_in,
    stage_of,
)
from tag.games.drafts.seven_wonders.state import CHOOSE, LAST_CARD, RECOVER, SevenWondersState
from tag.games.drafts.seven_wonders.values import SevenWondersFeatures, SevenWondersHeuristic, SevenWondersMetric

_USE_MASK: Final = 7
_DIGGER: Final = (12, 13)


class SevenWonders(ForwardModel[SevenWondersState]):
    """The rules.

    >>> from tag import Rng, make_game
    >>> model = make_game("seven_wonders")
    >>> state = model.setup(3, Rng(1))
    >>> model.next(state, model.available_actions(state)[0], Rng(1))
    >>> state.is_unresolved(), int(state.current_player)
    (True, 1)
    """

    game_type = GameType(
        "7 Wonders",
        MIN_PLAYERS,
        MAX_PLAYERS,
        SevenWondersParameters,
        categories=("cards", "ancient", "city building", "civilization"),
        mechanics=("closed drafting", SIMULTANEOUS, "set collection", "hand management", "neighbour scope"),
        check_parameters="hand=3,ages=2",
        heuristic=SevenWondersHeuristic,
        features=SevenWondersFeatures,
        metric=SevenWondersMetric,
    )

    def __init__(self, parameters: SevenWondersParameters | None = None) -> None:
        super().__init__(parameters)
        self.rules = cast("SevenWondersParameters", self.parameters)
        self.max_rounds = self.rules.ages
        self.victories: list[int] = list(self.rules.victories())

    def vocabulary(self, n_players: i64) -> Vocabulary:
        return vocabulary()

    def _setup(self, n_players: i64, rng: Rng) -> SevenWondersState:
        boards = list(range(N_WONDERS))
        rng.shuffle(boards)
        wonders: list[int] = []
        for seat in range(n_players):
            side = rng.below(2) if self.rules.sides == "random" else 1 if self.rules.sides == "b" else 0
            wonders.append(int(2 * boards[seat] + side))
        state = SevenWondersState(self.rules, tuple(wonders))
        number = int(n_players)
        state.hands = [0] * number
        state.chosen = [NO_CHOICE] * number
        state.coins = [self.rules.coins] * number
        state.early = [0] * number
        state.late = [0] * number
        state.stages = [0] * number
        state.made = [HOME_MADE[wonder] for wonder in wonders]
        state.touched = [0] * number
        state.victories = [0] * number
        state.defeats = [0] * number
        state.decks = tuple([age_deck(age, number) for age in range(AGES)])
        for seat in range(n_players):
            if wonders[seat] in _DIGGER:
                state.digger = seat
        state.deal(rng)
        return state

    def announce_setup(self, state: SevenWondersState) -> None:
        """Announce the hands, each to its player."""
        state.announce_hands()

    def _available_actions(self, state: SevenWondersState) -> list[AnyAction]:
        player = state.current_player
        if state.phase == RECOVER:
            return [NO_RECOVERY, *[RECOVERIES[kind] for kind in state.recoverable(player)]]
        found: list[AnyAction] = []
        for choice in state.options(player):
            found.append(ACTIONS[choice & NUMBER_MASK])
        return found

    def random_action(self, state: SevenWondersState, rng: Rng) -> AnyAction:
        """Choose without a list of actions."""
        if state.phase == RECOVER:
            actions = self._available_actions(state)
            return actions[rng.below(len(actions))]
        options = state.options(state.current_player)
        return ACTIONS[options[rng.below(len(options))] & NUMBER_MASK]

    def rollout(self, state: SevenWondersState, depth: i64, rng: Rng) -> i64:
        """Choose without actions, which only store a number."""
        if type(self) is not SevenWonders or state.recording:
            return super().rollout(state, depth, rng)
        played: i64 = 0
        while played < depth and not state.is_terminal:
            if state.phase == RECOVER:
                self.next(state, self.random_action(state, rng), rng)
            else:
                player = state.current_player
                options = state.options(player)
                state.chosen[player] = options[rng.below(len(options))]
                state.tick += 1
                self._go_on(state, rng)
            played += 1
        return played

    def _after_action(self, state: SevenWondersState, action: AnyAction, rng: Rng) -> None:
        if state.phase == RECOVER:
            self._recover(state, action)
            if state.cards:
                self._pass(state)
            else:
                self._end_age(state, rng)
        else:
            self._go_on(state, rng)

    def _go_on(self, state: SevenWondersState, rng: Rng) -> None:
        """Ask the next player who has not chosen; once all have, let their choices happen.

        Another player is asked first in each turn; the order changes no result.
        """
        if state.phase == CHOOSE:
            chosen = state.chosen
            seat = state.current_player
            for _seat in range(state.n_players - 1):
                seat = state.left_of(seat)
                if chosen[seat] == NO_CHOICE:
                    state.current_player = seat
                    return
            state.cards -= 1
        self._resolve(state)
        if state.cards == 1:
            babylon = self._seat_with_last(state) if state.phase == CHOOSE else -1
            if babylon >= 0:
                state.phase = LAST_CARD
                self.give_turn(state, babylon)
                return
            self._discard_last(state)
        if state.is_digging and state.recoverable(state.digger):
            state.phase = RECOVER
            state.look_through()
            if state.recording:
                self._announce_discards(state)
            self.give_turn(state, state.digger)
        elif state.cards:
            self._pass(state)
        else:
            self._end_age(state, rng)

    def _seat_with_last(self, state: SevenWondersState) -> i64:
        """Return the seat that may play its last card, -1 for none."""
        for seat in range(state.n_players):
            if state.powers(seat) & LAST:
                return seat
        return -1

    def _pass(self, state: SevenWondersState) -> None:
        """Pass the hands, and begin the next turn."""
        state.phase = CHOOSE
        state.is_digging = False
        state.pass_hands()
        if state.recording:
            places = tuple([f"hand of {seat}" for seat in range(state.n_players)])
            words = f"the hands go to the {'left' if state.direction(state.age) > 0 else 'right'}"
            state.announce(Event("hands passed", places=places, words=words))
        state.first_player = state.left_of(state.first_player)
        self.give_turn(state, state.first_player)

    # Choices.
    def _resolve(self, state: SevenWondersState) -> None:
        """Let all choices happen at once: payments, then structures and stages, then coins that they bring."""
        chosen = state.chosen
        income = [0] * int(state.n_players)
        for seat in range(state.n_players):
            if chosen[seat] != NO_CHOICE:
                self._pay(state, seat, chosen[seat], income)
        for seat in range(state.n_players):
            if income[seat]:
                state.coins[seat] += income[seat]
        gained = [0] * int(state.n_players)
        for seat in range(state.n_players):
            if chosen[seat] != NO_CHOICE:
                self._place(state, seat, chosen[seat], gained)
        for seat in range(state.n_players):
            choice: i64 = chosen[seat]
            if choice == NO_CHOICE:
                continue
            chosen[seat] = NO_CHOICE
            if choice & _USE_MASK <= WITH_POWER:
                self._gain(state, seat, state.coins_for(seat, (choice & NUMBER_MASK) >> USE_BITS))
            else:
                self._gain(state, seat, gained[seat])

    def _pay(self, state: SevenWondersState, seat: i64, choice: i64, income: list[int]) -> None:
        """Pay the neighbours, who get the coins after all have paid, and the bank."""
        left, right = choice >> LEFT_SHIFT & PAY_MASK, choice >> RIGHT_SHIFT & PAY_MASK
        use = choice & _USE_MASK
        kind = (choice & NUMBER_MASK) >> USE_BITS
        to_bank: i64 = COIN_COST[kind] if use < WITH_POWER else 0
        coins: i64 = state.coins[seat]
        state.coins[seat] = int(coins - left - right - to_bank)
        if left:
            income[state.left_of(seat)] += int(left)
            if state.recording:
                _announce_payment(state, seat, state.left_of(seat), left)
        if right:
            income[state.right_of(seat)] += int(right)
            if state.recording:
                _announce_payment(state, seat, state.right_of(seat), right)
        if to_bank and state.recording:
            state.announce(Event("paid", seat, float(to_bank), (), (f"coins of {seat}",)))

    def _place(self, state: SevenWondersState, seat: i64, choice: i64, gained: list[int]) -> None:
        """Take the card out of the hand, and put it where it goes."""
        use = choice & _USE_MASK
        kind = (choice & NUMBER_MASK) >> USE_BITS
        hand: i64 = state.hands[seat]
        state.hands[seat] = int(hand - UNITS[kind - BASE[state.age]])
        if use == SELL:
            state.lay_down(seat, kind, False)
            gained[seat] = self.rules.sale
        elif use >= STAGE:
            state.lay_down(seat, kind, True)
            stage = stage_of(state.wonders[seat], state.stages[seat])
            state.stages[seat] += 1
            gained[seat] = STAGE_COINS[stage]
            if STAGE_POWER[stage] & DIG:
                state.is_digging = True
        else:
            _build(state, seat, kind)
            if use == WITH_POWER:
                state.is_free_used = True
        if state.recording:
            _announce_use(state, seat, kind, use)

    def _gain(self, state: SevenWondersState, seat: i64, coins: i64) -> None:
        if coins:
            before: i64 = state.coins[seat]
            state.coins[seat] = int(before + coins)
            if state.recording:
                state.announce(Event("received", seat, float(coins), (), (f"coins of {seat}",)))

    def _discard_last(self, state: SevenWondersState) -> None:
        """Discard the last card of each hand."""
        for seat in range(state.n_players):
            hand: i64 = state.hands[seat]
            if hand:
                kind = kinds_in(state.age, hand)[0]
                state.hands[seat] = 0
                state.lay_down(seat, kind, False)
                if state.recording:
                    places = (f"hand of {seat}", "discards")
                    words = "{player} discards the last card: {items}"
                    state.announce(Event("discarded", seat, 0.0, (NAMES[kind],), places, "", words, seen_by=1 << seat))
        state.cards = 0

    def _announce_discards(self, state: SevenWondersState) -> None:
        """Announce the discards to the player who looks through them."""
        pile = tuple([NAMES[kind] for kind in state.discarded()])
        words = "{player} looks through the discards: {items}"
        digger = state.digger
        state.announce(Event("looked", digger, 0.0, pile, ("discards",), "", words, seen_by=1 << digger))

    def _recover(self, state: SevenWondersState, action: AnyAction) -> None:
        """Build a card of the discards."""
        seat = state.digger
        state.is_digging = False
        if not isinstance(action, Recover):
            return
        kind = action.card
        discarder = state.take_discard(kind)
        _build(state, seat, kind)
        if state.recording:
            places = ("discards", f"city of {seat}")
            reason = f"discarded by player {discarder}"
            words = "{player} builds {items} from the discards"
            state.announce(Event("recovered", seat, 0.0, (NAMES[kind],), places, reason, words))
        self._gain(state, seat, state.coins_for(seat, kind))

    # Ages.
    def _end_age(self, state: SevenWondersState, rng: Rng) -> None:
        """Compare armies, and deal the next age or end the game."""
        state.phase = CHOOSE
        state.is_digging = False
        won: i64 = self.victories[state.age]
        for seat in range(state.n_players):
            left = state.left_of(seat)
            own, other = state.shields(seat), state.shields(left)
            if own != other:
                winner, loser = (seat, left) if own > other else (left, seat)
                state.victories[winner] += int(won)
                state.defeats[loser] += 1
                if state.recording:
                    places = (f"victories of {winner}", f"defeats of {loser}")
                    words = f"{{player}} beats player {loser}, {max(own, other)} to {min(own, other)}"
                    state.announce(Event("conflict", winner, float(won), (), places, "", words))
        if state.recording:
            words = f"Age {ROMAN[state.age]} is over"
            state.announce(Event("round over", -1, float(state.age + 1), words=words))
        self.end_round(state, state.left_of(state.first_player), rng)
        if not state.is_terminal:
            state.age += 1
            state.is_free_used = False
            state.deal(rng)
            if state.recording:
                state.announce_hands()

    def _on_round_limit(self, state: SevenWondersState, rng: Rng) -> None:
        """Count points; most points win, then most coins."""
        state.end_by_score()
        if state.recording:
            for seat in range(state.n_players):
                points = state.points(seat)
                parts = [f"{number} {name}" for number, name in zip(points, CATEGORIES, strict=True) if number]
                words = f"{{player}} has {sum(points)} points: {', '.join(parts)}"
                state.announce(Event("counted", seat, float(sum(points)), words=words))
                for number, name in zip(points, CATEGORIES, strict=True):
                    state.announce(Event(name, seat, float(number), told_to=NOBODY))


def _build(state: SevenWondersState, seat: i64, kind: i64) -> None:
    """Add a structure to a city."""
    if kind >= LATE:
        late: i64 = state.late[seat]
        state.late[seat] = int(late | UNIT_BITS[kind - LATE])
        return
    early: i64 = state.early[seat]
    state.early[seat] = int(early | UNIT_BITS[kind])
    if MADE[kind]:
        made: i64 = state.made[seat]
        state.made[seat] = int(made + MADE[kind])
    if TOUCHED[kind]:
        touched: i64 = state.touched[seat]
        state.touched[seat] = int(touched + TOUCHED[kind])


def _announce_payment(state: SevenWondersState, seat: i64, to: i64, coins: i64) -> None:
    places = (f"coins of {seat}", f"coins of {to}")
    words = f"{{player}} pays {coins} to player {to}"
    state.announce(Event("bought", seat, float(coins), (), places, "", words))


def _announce_use(state: SevenWondersState, seat: i64, kind: i64, use: i64) -> None:
    """Announce where a card goes; others do not see one that lies face down."""
    card = (NAMES[kind],)
    hand = f"hand of {seat}"
    if use == SELL:
        state.announce(Event("discarded", seat, 0.0, card, (hand, "discards"), seen_by=1 << seat))
    elif use >= STAGE:
        words = f"{{player}} builds stage {state.stages[seat]} with {{items}}"
        state.announce(Event("stage", seat, 0.0, card, (hand, f"wonder of {seat}"), "", words, seen_by=1 << seat))
    else:
        reason = "free of cost by Olympia" if use == WITH_POWER else ""
        words = "{player} builds {items}"
        state.announce(Event("built", seat, float(kind), card, (hand, f"city of {seat}"), reason, words))
