"""The rules of Dominion.

Each decision offers slots of cards, and as a rule the choice against all (`offers`). What follows is a matter of the phase
(`_resolve`). A card is carried out at once as far as there is nothing to decide (`_carry_out`); attacks, and cards that look
at the deck, in ``attacks_and_decks``.
"""

from __future__ import annotations

from typing import Final, cast

from mypy_extensions import i64

from tag import AnyAction, Event, ForwardModel, GameType, Rng, Vocabulary
from tag.games.cards.dominion.actions import ACTIONS, REFUSALS, gainable, offers, random_choice, vocabulary
from tag.games.cards.dominion.attacks_and_decks import (
    answer_attack,
    ask,
    attack,
    choose_of_deck,
    discard_top,
    fill_hand,
    look_at_two,
)
from tag.games.cards.dominion.data import (
    ACTION,
    ALL_TREASURES,
    ARTISAN,
    BASIC_FROM,
    BITS,
    BUY,
    CELLAR,
    CHAPEL,
    COPPER,
    COSTS,
    COUNCIL_ROOM,
    DISCARD_FOR_CELLAR,
    DISCARD_FOR_POACHER,
    DISCARDS,
    ESTATE,
    FROM_HAND,
    GAIN_FOR_ARTISAN,
    GAIN_FOR_MINE,
    GAIN_FOR_REMODEL,
    GAIN_FOR_WORKSHOP,
    GARDENS,
    GOLD,
    HAND,
    HARBINGER,
    HIGHEST_COST,
    IS_ATTACK,
    KINGDOM_FROM,
    KNOWN,
    LIBRARY,
    MASK,
    MERCHANT,
    MINE,
    MOAT,
    MONEYLENDER,
    N_BASIC,
    N_KINDS,
    N_KINGDOM,
    N_SLOTS,
    NAMES,
    OWNED,
    PILE,
    PLAY_FOR_VASSAL,
    PLAY_TWICE,
    PLUS_ACTIONS,
    PLUS_BUYS,
    PLUS_CARDS,
    PLUS_COINS,
    POACHER,
    PROVINCE,
    PUT_FOR_ARTISAN,
    PUT_FOR_HARBINGER,
    PUT_FOR_SENTRY,
    REMODEL,
    REVEAL_MOAT,
    SENTRY,
    SHIFT,
    SILVER,
    SPAN,
    THRONE_ROOM,
    TRASH_FOR_CHAPEL,
    TRASH_FOR_MINE,
    TRASH_FOR_MONEYLENDER,
    TRASH_FOR_REMODEL,
    UNIT,
    VASSAL,
    WORKSHOP,
    DominionParameters,
    listed,
    size,
    without,
)
from tag.games.cards.dominion.state import DominionState
from tag.games.cards.dominion.values import DominionFeatures, DominionHeuristic, DominionMetric

_MOST_TRASHED_BY_CHAPEL: Final = 4
_COINS_OF_MONEYLENDER: Final = 3
_REMODEL_ADDS: Final = 2
_MINE_ADDS: Final = 3
_WORKSHOP_LIMIT: Final = 4
_ARTISAN_LIMIT: Final = 5


class Dominion(ForwardModel[DominionState]):
    """The rules.

    >>> from tag import Rng, make_game
    >>> model = make_game("dominion")
    >>> state = model.setup(2, Rng(1))
    >>> [str(action) for action in model.available_actions(state)][:4]
    ['buy Copper', 'buy Silver', 'buy Estate', 'buy Duchy']
    """

    game_type = GameType(
        "Dominion",
        2,
        4,
        DominionParameters,
        categories=("cards", "medieval"),
        mechanics=("deck building", "hand management", "take that", "variable set-up"),
        chance_sources=("kingdom", "first shuffle", "shuffles"),
        check_parameters="start_copper=4,start_estates=2,copper=20,victory_2=3,victory_3=3,kingdom_cards=3,max_rounds=12",
        heuristic=DominionHeuristic,
        features=DominionFeatures,
        metric=DominionMetric,
    )

    def __init__(self, parameters: DominionParameters | None = None) -> None:
        super().__init__(parameters)
        self.rules = cast("DominionParameters", self.parameters)
        self.max_rounds = self.rules.max_rounds
        self.piles: i64 = self.rules.piles

    def vocabulary(self, n_players: i64) -> Vocabulary:
        return vocabulary()

    def _setup(self, n_players: i64, rng: Rng) -> DominionState:
        rules = self.rules
        kingdom = rules.kingdom_kinds() or _random_kingdom(rng.source("kingdom"))
        kinds = (*range(N_BASIC), *kingdom)
        slots = tuple([kinds.index(kind) if kind in kinds else -1 for kind in range(N_KINDS)])
        state = DominionState(n_players, [0] * (SPAN * int(n_players)), kinds, slots)
        state.affordable = tuple(
            [
                sum([UNIT[slot] for slot in range(N_BASIC, N_SLOTS) if COSTS[kinds[slot]] <= coins])
                for coins in range(HIGHEST_COST + 1)
            ]
        )
        state.action_mask = sum([MASK << SHIFT[slot] for slot in range(N_BASIC, N_SLOTS) if kinds[slot] != GARDENS])
        state.gardens = slots[GARDENS]
        state.moat = slots[MOAT]
        state.hand_size = rules.hand_size
        state.breaks_ties = rules.turns_break_ties
        state.tops = ((),) * int(n_players)
        self._fill_supply(state)
        for player in range(n_players):
            start = rules.start_copper * UNIT[COPPER] + rules.start_estates * UNIT[ESTATE]
            state.cards[SPAN * player + PILE] = start
            state.cards[SPAN * player + OWNED] = start
            state.draw(player, state.hand_size, rng)
        self._begin_turn(state)
        return state

    def announce_setup(self, state: DominionState) -> None:
        """Announce the kingdom, the hands, and the treasures of the first player."""
        kingdom = tuple([NAMES[kind] for kind in state.kinds[N_BASIC:]])
        state.announce(Event("revealed", -1, 0.0, kingdom, ("supply",), "", "the kingdom is {items}"))
        for player in range(state.n_players):
            at = SPAN * player + HAND
            basic = state.cards[at] + (state.play_basic if player == state.turn_player else 0)
            state.announce_cards("dealt", player, listed(state.kinds, basic, state.cards[at + 1]))
        if state.phase == BUY:
            _announce_treasures(state, state.play_basic)

    def _fill_supply(self, state: DominionState) -> None:
        rules = self.rules
        players = int(state.n_players)
        victory = rules.victory_cards(players)
        curses = rules.curses * (players - 1)
        numbers = [
            rules.copper - players * rules.start_copper,
            rules.silver,
            rules.gold,
            victory,
            victory,
            victory,
            curses,
        ]
        state.absent = 1 if curses == 0 else 0
        numbers += [victory if slot == state.gardens else rules.kingdom_cards for slot in range(N_BASIC, N_SLOTS)]
        state.supply_basic = sum([numbers[slot] << SHIFT[slot] for slot in range(N_BASIC)])
        state.supply_kingdom = sum([numbers[slot] << SHIFT[slot] for slot in range(N_BASIC, N_SLOTS)])

    def _available_actions(self, state: DominionState) -> list[AnyAction]:
        basic, kingdom, may_refuse = offers(state)
        actions = ACTIONS[state.phase]
        kinds = state.kinds
        found: list[AnyAction] = []
        slot: i64 = 0
        while basic:
            if basic & 1:
                found.append(actions[slot])
            basic >>= BITS
            slot += 1
        slot = N_BASIC
        while kingdom:
            if kingdom & 1:
                found.append(actions[kinds[slot]])
            kingdom >>= BITS
            slot += 1
        if may_refuse:
            found.append(REFUSALS[state.phase])
        return found

    def random_action(self, state: DominionState, rng: Rng) -> AnyAction:
        """Choose a card by its place among those offered."""
        slot = random_choice(state, rng)
        return REFUSALS[state.phase] if slot < 0 else ACTIONS[state.phase][state.kinds[slot]]

    def rollout(self, state: DominionState, depth: i64, rng: Rng) -> i64:
        """Choose without actions, which only store a slot."""
        if type(self) is not Dominion or state.recording:
            return super().rollout(state, depth, rng)
        played: i64 = 0
        while played < depth and not state.is_terminal:
            slot = random_choice(state, rng)
            state.tick += 1
            played += 1
            self._resolve(state, slot, rng)
        return played

    def _after_action(self, state: DominionState, action: AnyAction, rng: Rng) -> None:
        slot = state.chosen
        state.chosen = -1
        self._resolve(state, slot, rng)

    def _resolve(self, state: DominionState, slot: i64, rng: Rng) -> None:
        """Carry out the decision for the card of a slot, or with -1 against all."""
        phase = state.phase
        if phase == BUY:
            self._buy(state, slot, rng)
        elif phase == ACTION:
            if slot < 0:
                _play_treasures(state)
            else:
                state.actions -= 1
                self._play_from_hand(state, slot, rng)
        elif phase <= TRASH_FOR_CHAPEL or phase == DISCARD_FOR_POACHER:
            self._choose_several(state, slot, rng)
        elif phase <= PUT_FOR_ARTISAN:
            self._choose_of_hand(state, slot, rng)
        elif phase <= GAIN_FOR_ARTISAN:
            self._gain_chosen(state, slot, rng)
        elif phase <= PUT_FOR_SENTRY:
            self._choose_of_deck(state, slot, rng)
        else:
            self._react(state, slot, rng)

    def _begin_turn(self, state: DominionState) -> None:
        state.actions = 1
        state.buys = 1
        state.coins = 0
        state.merchants = 0
        _ask_for_action(state)

    def _go_on(self, state: DominionState, rng: Rng) -> None:
        """Go on after a card: play it again for a Throne Room, or ask for another action, or begin the buy phase."""
        state.current_player = state.turn_player
        stack = state.stack
        if stack:
            if state.recording:
                words = f"{{player}} plays {NAMES[state.kinds[stack[-1]]]} again"
                state.announce(Event("played again", state.turn_player, words=words))
            state.stack = stack[:-1]
            self._play(state, stack[-1], rng)
        else:
            _ask_for_action(state)

    def _buy(self, state: DominionState, slot: i64, rng: Rng) -> None:
        """Buy a card, or end the turn."""
        if slot >= 0:
            state.coins -= COSTS[state.kinds[slot]]
            state.buys -= 1
            state.gain_to_discards(state.turn_player, slot)
            if state.buys > 0:
                return
        self._end_turn(state, rng)

    def _end_turn(self, state: DominionState, rng: Rng) -> None:
        """Clean up, and end the game or begin the next turn."""
        player = state.turn_player
        state.clean_up(player)
        over = state.supply_basic >> BITS * PROVINCE & MASK == 0 or state.empty_piles() >= self.piles
        if over:
            if state.recording:
                has_province = state.supply_basic >> BITS * PROVINCE & MASK != 0
                words = f"{state.empty_piles()} piles are empty" if has_province else "no Province is left"
                state.announce(Event("game over", words=words))
            self.end_player_turn(state)
            state.end_by_score()
            return
        state.draw(player, state.hand_size, rng)
        if player == state.n_players - 1:
            self.end_round(state, 0, rng)
            if state.is_terminal:
                return
        else:
            self.end_player_turn(state)
        self._begin_turn(state)

    def _play_from_hand(self, state: DominionState, slot: i64, rng: Rng) -> None:
        player = state.turn_player
        state.take(player, HAND, slot)
        state.show(player, slot)
        state.play_kingdom += UNIT[slot]
        if state.recording:
            state.announce_moved(player, slot, "hand", "in play")
        self._play(state, slot, rng)

    def _play(self, state: DominionState, slot: i64, rng: Rng) -> None:
        """Play a card that is in play; before an attack others may reveal Moats."""
        state.card = slot
        state.immune = 0
        if state.moat >= 0 and IS_ATTACK[state.kinds[slot]]:
            state.phase = REVEAL_MOAT
            state.current_player = self._next_player(state)
            return
        self._carry_out(state, rng)

    def _carry_out(self, state: DominionState, rng: Rng) -> None:
        """Carry the card out until there is something to decide."""
        player = state.turn_player
        kind: i64 = state.kinds[state.card]
        state.actions += PLUS_ACTIONS[kind]
        state.buys += PLUS_BUYS[kind]
        state.coins += PLUS_COINS[kind]
        if PLUS_CARDS[kind]:
            state.draw(player, PLUS_CARDS[kind], rng)
        if IS_ATTACK[kind]:
            asks = attack(state, kind, self._next_player(state), rng)
        elif kind == COUNCIL_ROOM:
            for other in range(1, state.n_players):
                state.draw((player + other) % state.n_players, 1, rng)
            asks = False
        elif kind == VASSAL:
            asks = discard_top(state, rng)
        elif kind == LIBRARY:
            asks = fill_hand(state, rng)
        elif kind == SENTRY:
            asks = look_at_two(state, rng)
        else:
            asks = self._asks(state, kind)
        if not asks:
            self._go_on(state, rng)

    def _asks(self, state: DominionState, kind: i64) -> bool:
        """Begin the decision that a card asks for, and return whether there is any."""
        at = SPAN * state.turn_player
        basic: i64 = state.cards[at + HAND]
        kingdom: i64 = state.cards[at + HAND + 1]
        in_hand = basic | kingdom
        state.floor = 0
        if kind == CELLAR:
            state.left = 0
            return ask(state, DISCARD_FOR_CELLAR, in_hand)
        if kind == CHAPEL:
            state.left = _MOST_TRASHED_BY_CHAPEL
            return ask(state, TRASH_FOR_CHAPEL, in_hand)
        if kind == POACHER:
            state.left = min(state.empty_piles(), size(basic) + size(kingdom))
            return ask(state, DISCARD_FOR_POACHER, state.left)
        if kind == HARBINGER:
            return ask(state, PUT_FOR_HARBINGER, state.cards[at + DISCARDS] | state.cards[at + DISCARDS + 1])
        if kind == MERCHANT:
            state.merchants += 1
            return False
        if kind == REMODEL:
            return ask(state, TRASH_FOR_REMODEL, in_hand)
        if kind == THRONE_ROOM:
            return ask(state, PLAY_TWICE, kingdom & state.action_mask)
        return self._asks_for_money(state, kind, basic)

    def _asks_for_money(self, state: DominionState, kind: i64, basic: i64) -> bool:
        """Begin the decision about a treasure of the hand, or a card of the supply, and return whether there is any."""
        if kind == MONEYLENDER:
            return ask(state, TRASH_FOR_MONEYLENDER, basic & MASK)
        if kind == MINE:
            return ask(state, TRASH_FOR_MINE, basic & ALL_TREASURES)
        if kind == WORKSHOP:
            state.limit = _WORKSHOP_LIMIT
            return _ask_for_gain(state, GAIN_FOR_WORKSHOP)
        if kind == ARTISAN:
            state.limit = _ARTISAN_LIMIT
            return _ask_for_gain(state, GAIN_FOR_ARTISAN) or self._asks_what_to_put_back(state)
        return False

    def _choose_several(self, state: DominionState, slot: i64, rng: Rng) -> None:
        """Discard for a Cellar or Poacher or trash for a Chapel, card after card."""
        player = state.turn_player
        if slot >= 0:
            state.floor = slot
            if state.phase == TRASH_FOR_CHAPEL:
                state.trash_from_hand(player, slot)
                state.left -= 1
            else:
                state.discard(player, slot)
                state.left += 1 if state.phase == DISCARD_FOR_CELLAR else -1
            is_over = state.left == 0 and state.phase != DISCARD_FOR_CELLAR
            if not is_over and _has_from_floor(state, player):
                return
        if state.phase == DISCARD_FOR_CELLAR:
            state.draw(player, state.left, rng)
        self._go_on(state, rng)

    def _choose_of_hand(self, state: DominionState, slot: i64, rng: Rng) -> None:
        """Trash or put back one card, or play it twice."""
        player = state.turn_player
        phase = state.phase
        if slot < 0:
            self._go_on(state, rng)
        elif phase == PLAY_TWICE:
            state.stack = (*state.stack, int(slot))
            self._play_from_hand(state, slot, rng)
        elif phase == PUT_FOR_ARTISAN:
            state.take(player, HAND, slot)
            state.put_on_deck(player, slot, FROM_HAND)
            self._go_on(state, rng)
        else:
            state.trash_from_hand(player, slot)
            asks = False
            if phase == TRASH_FOR_MONEYLENDER:
                state.coins += _COINS_OF_MONEYLENDER
            else:
                state.limit = COSTS[state.kinds[slot]] + (_REMODEL_ADDS if phase == TRASH_FOR_REMODEL else _MINE_ADDS)
                asks = _ask_for_gain(state, GAIN_FOR_REMODEL if phase == TRASH_FOR_REMODEL else GAIN_FOR_MINE)
            if not asks:
                self._go_on(state, rng)

    def _gain_chosen(self, state: DominionState, slot: i64, rng: Rng) -> None:
        """Gain the card chosen: to the hand for a Mine or an Artisan."""
        player = state.turn_player
        if state.phase == GAIN_FOR_MINE or state.phase == GAIN_FOR_ARTISAN:
            state.gain(player, slot)
            state.add(player, HAND, slot)
            state.add(player, KNOWN, slot)
            if state.recording:
                state.announce_moved(player, slot, "hand")
            if state.phase == GAIN_FOR_ARTISAN and self._asks_what_to_put_back(state):
                return
        else:
            state.gain_to_discards(player, slot)
        self._go_on(state, rng)

    def _asks_what_to_put_back(self, state: DominionState) -> bool:
        at = SPAN * state.turn_player + HAND
        return ask(state, PUT_FOR_ARTISAN, state.cards[at] | state.cards[at + 1])

    def _choose_of_deck(self, state: DominionState, slot: i64, rng: Rng) -> None:
        """Play the card that a Vassal discarded, or decide about others of the deck or the discard pile."""
        if state.phase == PLAY_FOR_VASSAL and slot >= 0:
            state.take(state.turn_player, DISCARDS, slot)
            state.play_kingdom += UNIT[slot]
            if state.recording:
                state.announce_moved(state.turn_player, slot, "discards", "in play")
            self._play(state, slot, rng)
        elif not choose_of_deck(state, slot, rng):
            self._go_on(state, rng)

    def _react(self, state: DominionState, slot: i64, rng: Rng) -> None:
        """Carry out the decision of a player who is attacked."""
        if state.phase == REVEAL_MOAT:
            self._answer_with_moat(state, slot, rng)
        elif not answer_attack(state, slot, rng):
            self._go_on(state, rng)

    def _answer_with_moat(self, state: DominionState, slot: i64, rng: Rng) -> None:
        """Make a player who reveals a Moat immune; once all have been asked, carry the attack out."""
        victim = state.current_player
        if slot >= 0:
            state.immune |= 1 << int(victim)
            if state.count(victim, KNOWN, slot) == 0:
                state.add(victim, KNOWN, slot)
            if state.recording:
                state.announce_moved(victim, slot, "hand")
        state.current_player = (victim + 1) % state.n_players
        if state.current_player == state.turn_player:
            self._carry_out(state, rng)


def _random_kingdom(rng: Rng) -> tuple[int, ...]:
    """Draw ten kingdom cards, each set as likely."""
    kinds = list(range(N_BASIC, N_KINDS))
    rng.shuffle(kinds)
    return tuple(sorted(kinds[:N_KINGDOM]))


def _ask_for_action(state: DominionState) -> None:
    """Ask for an action to play, or begin the buy phase if there can be none."""
    state.phase = ACTION
    if state.actions == 0 or state.cards[SPAN * state.turn_player + HAND + 1] & state.action_mask == 0:
        _play_treasures(state)


def _ask_for_gain(state: DominionState, phase: i64) -> bool:
    """Begin the decision about a card to gain, if there is any."""
    basic, kingdom = gainable(state, phase)
    return ask(state, phase, basic | kingdom)


def _play_treasures(state: DominionState) -> None:
    """Begin the buy phase: play all treasures of the hand, and count the Merchants if there is a Silver."""
    at = SPAN * state.turn_player
    cards = state.cards
    hand: i64 = cards[at + HAND]
    known: i64 = cards[at + KNOWN]
    treasures = hand & ALL_TREASURES
    silver = treasures >> BITS * SILVER & MASK
    state.coins += (treasures & MASK) + 2 * silver + 3 * (treasures >> BITS * GOLD & MASK)
    if silver:
        state.coins += state.merchants
        state.merchants = 0
    cards[at + HAND] = hand - treasures
    if known:
        cards[at + KNOWN] = without(known, treasures)
    state.play_basic += treasures
    state.phase = BUY
    if state.recording:
        _announce_treasures(state, treasures)


def _announce_treasures(state: DominionState, treasures: i64) -> None:
    """Announce the treasures played at the beginning of the buy phase, and the coins."""
    player = state.turn_player
    cards = tuple([NAMES[kind] for kind in listed(state.kinds, treasures, 0)])
    words = "{player} plays {items}" if cards else "{player} has no treasure"
    coins = f"{state.coins} coins" if state.coins != 1 else "1 coin"
    state.announce(
        Event("treasures", player, float(state.coins), cards, (f"hand of {player}", "in play"), coins, words)
    )


def _has_from_floor(state: DominionState, player: i64) -> bool:
    """Say whether the hand has a card from the last slot chosen on."""
    at = SPAN * player + HAND
    return (state.cards[at] & BASIC_FROM[state.floor]) | (state.cards[at + 1] & KINGDOM_FROM[state.floor]) != 0
