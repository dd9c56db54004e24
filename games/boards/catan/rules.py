"""The rules of Catan: set-up, rolls, the robber, building, trade, and the end of the game."""

from __future__ import annotations

from typing import Final, cast

from mypy_extensions import i64

from tag import AnyAction, Event, ForwardModel, GameType, Rng, Vocabulary, bit_count, interned
from tag.games.boards.catan.actions import (
    MOST_OFFERED,
    AcceptOffer,
    BuyDevelopment,
    DeclineOffer,
    DiscardResource,
    FinishTurn,
    MoveRobber,
    OfferTrade,
    PlaceCity,
    PlaceRoad,
    PlaceSettlement,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    RollDice,
    TradeWithBank,
    TradeWithPlayer,
    WithdrawOffer,
    vocabulary,
)
from tag.games.boards.catan.data import (
    ANSWER,
    APART,
    BANK,
    BEFORE_ROLL,
    CARD_COST,
    CARD_NAMES,
    CHOOSE,
    CITY_COST,
    CORNER_HEXES,
    CORNER_PATHS,
    DESERT,
    DISC_ORDERS,
    DISCARD,
    DISCS,
    FEW_POINTS,
    FREE_ROADS,
    FRIENDLY,
    HARBOURS,
    HEX_SETS,
    ISLAND,
    KNIGHT,
    MAIN,
    MASK,
    MAX_PLAYERS,
    MIN_PLAYERS,
    MONOPOLY,
    N_CITIES,
    N_CORNERS,
    N_HEXES,
    N_KINDS,
    N_PATHS,
    N_SETTLEMENTS,
    NEIGHBOURS,
    NO_PLAYER,
    OFFERS,
    ONE,
    OVER,
    PAVE,
    PLENTY,
    ROAD_COST,
    ROADS,
    ROBBER,
    ROBBERS,
    ROW,
    SETTLE,
    SETTLEMENT_COST,
    SEVEN,
    SPIRAL,
    TERRAIN,
    TRADING,
    CatanParameters,
    has,
    names_of,
    size_of,
)
from tag.games.boards.catan.state import CatanState
from tag.games.boards.catan.values import CatanFeatures, CatanHeuristic, CatanMetric

_FACES: Final = 6
_ROLL: Final = interned(RollDice())
_FINISH: Final = interned(FinishTurn())
_BUY: Final = interned(BuyDevelopment())
_KNIGHT: Final = interned(PlayKnight())
_ROAD_BUILDING: Final = interned(PlayRoadBuilding())
_ACCEPT: Final = interned(AcceptOffer())
_DECLINE: Final = interned(DeclineOffer())
_WITHDRAW: Final = interned(WithdrawOffer())
_ROADS: Final[list[AnyAction]] = [interned(PlaceRoad(path)) for path in range(N_PATHS)]
_SETTLEMENTS: Final[list[AnyAction]] = [interned(PlaceSettlement(corner)) for corner in range(N_CORNERS)]
_CITIES: Final[list[AnyAction]] = [interned(PlaceCity(corner)) for corner in range(N_CORNERS)]
_MONOPOLIES: Final[list[AnyAction]] = [interned(PlayMonopoly(kind)) for kind in range(N_KINDS)]
_DISCARDS: Final[list[AnyAction]] = [interned(DiscardResource(kind)) for kind in range(N_KINDS)]
_PARTNERS: Final[list[AnyAction]] = [interned(TradeWithPlayer(seat)) for seat in range(MAX_PLAYERS)]
#: By hex and victim, with none last.
_ROBBERIES: Final[list[list[AnyAction]]] = [
    [interned(MoveRobber(place, victim)) for victim in (*range(MAX_PLAYERS), NO_PLAYER)] for place in range(N_HEXES)
]
_PLENTIES: Final[list[PlayYearOfPlenty]] = [
    interned(PlayYearOfPlenty(first, second)) for first in range(N_KINDS) for second in range(first, N_KINDS)
]
_SINGLES: Final[list[AnyAction]] = [interned(PlayYearOfPlenty(kind, NO_PLAYER)) for kind in range(N_KINDS)]
#: By both resources; the middle of offers is the number, from one.
_BANK_TRADES: Final[list[list[AnyAction]]] = [
    [interned(TradeWithBank(gives, gets)) for gets in range(N_KINDS)] for gives in range(N_KINDS)
]
_OFFERS: Final[list[list[list[AnyAction]]]] = [
    [[interned(OfferTrade(gives, n, gets)) for gets in range(N_KINDS)] for n in range(1, MOST_OFFERED + 1)]
    for gives in range(N_KINDS)
]


class Catan(ForwardModel[CatanState]):
    """The rules.

    >>> from tag import Rng, make_game
    >>> model = make_game("catan")
    >>> state = model.setup(3, Rng(1))
    >>> len(model.available_actions(state)), str(model.available_actions(state)[0])
    (54, 'settlement on c1')
    """

    game_type = GameType(
        "Catan",
        MIN_PLAYERS,
        MAX_PLAYERS,
        CatanParameters,
        categories=("negotiation", "economic", "dice"),
        mechanics=("trading", "dice rolling", "network building", "hand management", "hidden information"),
        chance_sources=("island", "dice", "deck", "steals"),
        check_parameters="points=8,max_rounds=30,hand_limit=20,trading=bank",
        heuristic=CatanHeuristic,
        features=CatanFeatures,
        metric=CatanMetric,
    )

    def __init__(self, parameters: CatanParameters | None = None) -> None:
        super().__init__(parameters)
        self.rules = cast("CatanParameters", self.parameters)
        self.max_rounds = self.rules.max_rounds
        self.goal: i64 = self.rules.points
        self.trading: i64 = TRADING.index(self.rules.trading)
        self.offers: i64 = self.rules.offers
        self.is_friendly = self.rules.robber == ROBBERS[FRIENDLY]
        self.hand_limit: i64 = self.rules.hand_limit

    def vocabulary(self, n_players: i64) -> Vocabulary:
        return vocabulary(self.rules, n_players)

    # Set-up

    def _setup(self, n_players: i64, rng: Rng) -> CatanState:
        source = rng.source("island")
        state = CatanState(n_players, self.rules)
        terrain = list(TERRAIN)
        source.shuffle(terrain)
        harbours = list(HARBOURS)
        source.shuffle(harbours)
        state.terrain = tuple(terrain)
        state.harbours = tuple(harbours)
        state.discs = tuple(self._discs(terrain, source))
        state.robber = terrain.index(DESERT)
        first = source.below(n_players)
        state.first_player = state.turn_player = state.current_player = first
        return state

    def _discs(self, terrain: list[int], rng: Rng) -> list[int]:
        """Return the number disc of each hex."""
        order = DISC_ORDERS.index(self.rules.discs)
        places = ISLAND.spirals[rng.below(6)] if order == SPIRAL else list(range(N_HEXES))
        places = [place for place in places if terrain[place] != DESERT]
        discs = list(DISCS)
        while True:
            if order != SPIRAL:
                rng.shuffle(discs)
            found = [0] * N_HEXES
            for place, disc in zip(places, discs, strict=True):
                found[place] = disc
            if order != APART or not are_red_together(found):
                return found

    # Actions

    def _available_actions(self, state: CatanState) -> list[AnyAction]:
        phase = state.phase
        if phase == MAIN:
            return self._main_actions(state)
        if phase == SETTLE:
            return [_SETTLEMENTS[corner] for corner in range(N_CORNERS) if state.taken >> corner & 1 == 0]
        if phase == PAVE:
            return [_ROADS[path] for path in CORNER_PATHS[state.last_corner] if state.roads[path] < 0]
        if phase == BEFORE_ROLL:
            return [_ROLL, *self._card_actions(state)]
        if phase == DISCARD:
            hand = state.hands[state.current_player]
            return [_DISCARDS[kind] for kind in range(N_KINDS) if hand >> ROW * kind & MASK]
        if phase == ROBBER:
            return self._robber_actions(state)
        if phase == FREE_ROADS:
            return [_ROADS[path] for path in state.road_paths(state.current_player)]
        if phase == ANSWER:
            holds = state.hands[state.current_player] >> ROW * state.gets & MASK
            return [_DECLINE, _ACCEPT] if holds else [_DECLINE]
        return [_WITHDRAW, *[_PARTNERS[seat] for seat in range(state.n_players) if state.accepted >> seat & 1]]

    def _main_actions(self, state: CatanState) -> list[AnyAction]:
        player = state.current_player
        hand: i64 = state.hands[player]
        found: list[AnyAction] = [_FINISH]
        if has(hand, ROAD_COST) and state.roads_left(player):
            for path in state.road_paths(player):
                found.append(_ROADS[path])
        settlements: i64 = state.settlements[player]
        if has(hand, SETTLEMENT_COST) and bit_count(settlements) < N_SETTLEMENTS:
            free: i64 = state.reach[player] & ~state.taken
            _add(found, _SETTLEMENTS, free)
        if has(hand, CITY_COST) and bit_count(state.cities[player]) < N_CITIES:
            _add(found, _CITIES, settlements)
        if has(hand, CARD_COST) and state.deck:
            found.append(_BUY)
        if state.cards[player]:
            found += self._card_actions(state)
        if self.trading >= BANK and hand:
            self._add_trades(state, hand, found)
        return found

    def _card_actions(self, state: CatanState) -> list[AnyAction]:
        """Return the development cards that can be played: one a turn, and none that was bought in it."""
        found: list[AnyAction] = []
        if state.has_played:
            return found
        player = state.current_player
        cards: i64 = state.cards[player] - state.fresh
        if cards >> ROW * KNIGHT & MASK:
            found.append(_KNIGHT)
        if cards >> ROW * ROADS & MASK and state.roads_left(player) and state.road_paths(player):
            found.append(_ROAD_BUILDING)
        if cards >> ROW * PLENTY & MASK:
            if size_of(state.bank) == 1:
                found += [_SINGLES[kind] for kind in range(N_KINDS) if state.bank >> ROW * kind & MASK]
            for action in _PLENTIES:
                if has(state.bank, action.cards()):
                    found.append(action)
        if cards >> ROW * MONOPOLY & MASK:
            found += _MONOPOLIES
        return found

    def _add_trades(self, state: CatanState, hand: i64, found: list[AnyAction]) -> None:
        """Add trades with the bank, and offers of cards for those that another player may have."""
        player = state.current_player
        wanted: i64 = 0
        if self.trading == OFFERS and state.offers < self.offers:
            for other in range(state.n_players):
                if other != player:
                    wanted |= state.most_of(other)
        for gives in range(N_KINDS):
            number = hand >> ROW * gives & MASK
            if number >= state.rate(player, gives):
                _add_kinds(found, _BANK_TRADES[gives], gives, state.bank)
            for offered in range(min(number, MOST_OFFERED)):
                _add_kinds(found, _OFFERS[gives][offered], gives, wanted)

    def _robber_actions(self, state: CatanState) -> list[AnyAction]:
        """Return the moves of the robber with each victim who has cards."""
        player = state.turn_player
        spared: i64 = 0
        if self.is_friendly:
            for other in range(state.n_players):
                if other != player and state.open_points(other) <= FEW_POINTS:
                    spared |= state.built(other)
        found: list[AnyAction] = []
        for place in range(N_HEXES):
            there: i64 = HEX_SETS[place]
            if place == state.robber or there & spared:
                continue
            before = len(found)
            for victim in range(state.n_players):
                if victim != player and there & state.built(victim) and state.hands[victim]:
                    found.append(_ROBBERIES[place][victim])
            if len(found) == before:
                found.append(_ROBBERIES[place][MAX_PLAYERS])
        if not found:  # every other hex is of a player who is spared
            found = [_ROBBERIES[place][MAX_PLAYERS] for place in range(N_HEXES) if place != state.robber]
        return found

    # What follows

    def _after_action(self, state: CatanState, action: AnyAction, rng: Rng) -> None:
        phase = state.phase
        if phase == MAIN:
            self._after_main(state, action, rng)
        elif phase <= PAVE:
            self._after_placing(state, rng)
        elif phase == ANSWER:
            self._next_answer(state)
        elif phase == CHOOSE:
            state.phase = MAIN
        else:
            self._after_card_or_seven(state, action, rng)
        if not state.is_terminal and state.points(state.turn_player) >= self.goal:
            self._win(state)

    def _after_placing(self, state: CatanState, rng: Rng) -> None:
        """Go on with the set-up."""
        if state.phase == PAVE:
            self._next_settler(state, rng)
            return
        if state.turn >= state.n_players:
            self._yield(state)
        state.phase = PAVE

    def _after_card_or_seven(self, state: CatanState, action: AnyAction, rng: Rng) -> None:
        """Go on before the roll, while players discard, and after the robber or a free road."""
        phase = state.phase
        if phase == DISCARD:
            self._next_discard(state)
        elif phase == ROBBER:
            self._resume(state, rng)
        elif phase == FREE_ROADS:
            state.left -= 1
            if state.left == 0 or not state.road_paths(state.turn_player):
                state.left = 0
                self._resume(state, rng)
        elif isinstance(action, RollDice):
            self._roll(state, rng)
        else:
            self._after_card(state, action, rng)

    def _after_main(self, state: CatanState, action: AnyAction, rng: Rng) -> None:
        if isinstance(action, FinishTurn):
            self._finish_turn(state, rng)
        elif isinstance(action, OfferTrade):
            self._ask(state)
        else:
            self._after_card(state, action, rng)

    def _after_card(self, state: CatanState, action: AnyAction, rng: Rng) -> None:
        """Go on after a development card, or anything else that needs nothing more."""
        if isinstance(action, PlayKnight):
            state.phase = ROBBER
        elif isinstance(action, PlayRoadBuilding):
            state.phase = FREE_ROADS
        else:
            self._resume(state, rng)

    def _resume(self, state: CatanState, rng: Rng) -> None:
        """Go on with the turn: trade and build, or roll, as no second card can be played before."""
        state.current_player = state.turn_player
        if state.has_rolled or state.points(state.turn_player) >= self.goal:
            state.phase = MAIN
        else:
            self._roll(state, rng)

    def _yield(self, state: CatanState) -> None:
        """Give a card for each hex at the second settlement."""
        cards: i64 = 0
        for place in CORNER_HEXES[state.last_corner]:
            kind = state.terrain[place]
            if kind != DESERT:
                cards += ONE[kind]
        self._receive(state, state.current_player, cards)

    def _receive(self, state: CatanState, player: i64, cards: i64) -> None:
        state.gain(player, cards)
        if state.recording and cards:
            places = (f"hand of {player}", "bank")
            state.announce(Event("yield", player, 0.0, names_of(cards), places, words="{player} gets {items}"))

    def _next_settler(self, state: CatanState, rng: Rng) -> None:
        """Let the next player settle, in reverse order the second time; then the first turn begins."""
        number = state.n_players
        placed = state.turn + 1
        if placed == 2 * number:
            self.give_turn(state, state.first_player)
            self._begin_turn(state, rng)
            return
        offset = placed if placed < number else 2 * number - 1 - placed
        state.phase = SETTLE
        self.give_turn(state, (state.first_player + offset) % number)

    def _begin_turn(self, state: CatanState, rng: Rng) -> None:
        """Roll at once where no card can be played before: a player has none."""
        state.has_played = state.has_rolled = False
        state.fresh = state.offers = 0
        player = state.turn_player
        if state.points(player) >= self.goal:
            self._win(state)
        elif state.cards[player]:
            state.phase = BEFORE_ROLL
        else:
            self._roll(state, rng)

    def _finish_turn(self, state: CatanState, rng: Rng) -> None:
        player = state.turn_player
        state.shown[player] = int(state.open_points(player))
        state.fresh = 0
        following = self._next_player(state)
        if following == state.first_player:
            self.end_round(state, following, rng)
            if state.is_terminal:
                return
        else:
            self.give_turn(state, following)
        self._begin_turn(state, rng)

    def _on_round_limit(self, state: CatanState, rng: Rng) -> None:
        state.phase = OVER
        state.end_by_score()
        self._show_all(state)

    def _win(self, state: CatanState) -> None:
        """End the game for the player whose turn it is."""
        player = state.turn_player
        state.phase = OVER
        state.current_player = player
        state.end_with_winner(player)
        if state.recording:
            words = "{player} has {value} points"
            state.announce(Event("won", player, float(state.points(player)), (), (), words=words))
        self._show_all(state)

    def _show_all(self, state: CatanState) -> None:
        """Announce the cards of all players at the end."""
        if state.recording:
            for seat in range(state.n_players):
                items = (*names_of(state.hands[seat]), *names_of(state.cards[seat], CARD_NAMES))
                places = (f"hand of {seat}", f"cards of {seat}")
                words = "{player} shows {items}" if items else "{player} has no cards"
                state.announce(Event("shown", seat, 0.0, items, places, words=words))

    # Rolls

    def _roll(self, state: CatanState, rng: Rng) -> None:
        """Roll the dice: all get what their hexes yield, or by a seven hands are halved and the robber moves."""
        number = rng.source("dice").below(_FACES * _FACES)
        state.first_die = number // _FACES + 1
        state.second_die = number % _FACES + 1
        state.has_rolled = True
        state.phase = MAIN
        if state.recording:
            dice = (int(state.first_die), int(state.second_die))
            state.announce(Event("rolled", state.turn_player, 0.0, dice, ("die 1", "die 2")))
        total = state.first_die + state.second_die
        if total == SEVEN:
            self._seven(state)
        else:
            self._produce(state, total)

    def _produce(self, state: CatanState, total: i64) -> None:
        """Give all cards that are due; of a kind of which there are too few only to a single player, all of them."""
        due: list[int] = []
        needed: i64 = 0
        for player in range(state.n_players):
            cards = state.production(player, total)
            due.append(int(cards))
            needed += cards
        if needed == 0:
            return
        if not has(state.bank, needed):
            self._ration(state.bank, needed, due)
        for player in range(state.n_players):
            if due[player]:
                self._receive(state, player, due[player])

    def _ration(self, bank: i64, needed: i64, due: list[int]) -> None:
        """Reduce the cards due of kinds of which the bank has too few."""
        for kind in range(N_KINDS):
            shift = ROW * kind
            there = bank >> shift & MASK
            if needed >> shift & MASK > there:
                receivers = [player for player in range(len(due)) if due[player] >> shift & MASK]
                left = there if len(receivers) == 1 else 0
                for player in receivers:
                    due[player] = int(due[player] - (due[player] >> shift & MASK) * ONE[kind] + left * ONE[kind])

    def _seven(self, state: CatanState) -> None:
        """Have all who hold too many cards discard, then the robber be moved."""
        state.due = 0
        for player in range(state.n_players):
            if size_of(state.hands[player]) > self.hand_limit:
                state.due |= 1 << player
        state.left = 0
        self._next_discard(state)

    def _next_discard(self, state: CatanState) -> None:
        """Let the player discard on, or the next one begin to discard half; after the last one the robber moves."""
        if state.left:
            return
        player = self._next_due(state)
        if player < 0:
            state.phase = ROBBER
            state.current_player = state.turn_player
        else:
            state.phase = DISCARD
            state.current_player = player
            state.left = size_of(state.hands[player]) // 2

    def _next_due(self, state: CatanState) -> i64:
        """Return the next player who is due, from the one whose turn it is, and no longer count them; -1 for none."""
        for offset in range(state.n_players):
            player = (state.turn_player + offset) % state.n_players
            if state.due >> player & 1:
                state.due &= ~(1 << player)
                return player
        return NO_PLAYER

    # Offers

    def _ask(self, state: CatanState) -> None:
        """Ask all players for an answer who may have the card."""
        state.due = 0
        for player in range(state.n_players):
            if player != state.turn_player and state.most_of(player) >> ROW * state.gets & MASK:
                state.due |= 1 << player
        state.phase = ANSWER
        self._next_answer(state)

    def _next_answer(self, state: CatanState) -> None:
        """Ask the next player; then the offerer chooses among those who accept."""
        player = self._next_due(state)
        if player >= 0:
            state.current_player = player
        else:
            state.current_player = state.turn_player
            state.phase = CHOOSE if state.accepted else MAIN


def are_red_together(discs: list[int]) -> bool:
    """Say whether a 6 or 8 is next to another."""
    for place in range(N_HEXES):
        if discs[place] in (6, 8):
            for other in NEIGHBOURS[place]:
                if discs[other] in (6, 8):
                    return True
    return False


def _add(found: list[AnyAction], actions: list[AnyAction], corners: i64) -> None:
    """Add the actions of a set of corners."""
    for corner in range(N_CORNERS):
        if corners >> corner & 1:
            found.append(actions[corner])


def _add_kinds(found: list[AnyAction], actions: list[AnyAction], gives: i64, there: i64) -> None:
    """Add the trades for each other kind of which there are cards."""
    for gets in range(N_KINDS):
        if gets != gives and there >> ROW * gets & MASK:
            found.append(actions[gets])
