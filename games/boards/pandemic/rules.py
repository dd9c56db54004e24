"""The rules of Pandemic: set-up, the graph of the rules of a turn, and what a player can do in it."""

from __future__ import annotations

from typing import cast

from mypy_extensions import i64

from tag import AnyAction, GameState, GameType, Rng, Vocabulary
from tag.engine.rules import (
    Condition,
    EndRound,
    EndTurn,
    GameOverCondition,
    PlayerAction,
    Rule,
    RuleGraph,
    RuleGraphForwardModel,
)
from tag.games.boards.pandemic import telling
from tag.games.boards.pandemic.actions import (
    BUILD,
    CHARTERED,
    CURE,
    DIRECT,
    END_ACTIONS,
    EXPERT,
    MOVES,
    REBUILD,
    SHARE,
    TAKE_EVENT,
    TREAT,
    Options,
    add_events,
    check_hand,
    open_window,
    vocabulary,
)
from tag.games.boards.pandemic.data import (
    ALL_CITIES,
    BIT,
    BITS,
    COLOURS,
    CONTINGENCY_PLANNER,
    DISPATCHER,
    DRIVES,
    EPIDEMIC,
    FIRST_EVENT,
    FULL,
    MEDIC,
    N_CITIES,
    N_COLOURS,
    N_EVENTS,
    N_ROLES,
    NONE,
    OPERATIONS_EXPERT,
    OUT_OF_CARDS,
    POPULATIONS,
    QUARANTINE_SPECIALIST,
    RESEARCHER,
    START,
    PandemicParameters,
    card_set,
    packed_cards,
)
from tag.games.boards.pandemic.state import PandemicState
from tag.games.boards.pandemic.values import PandemicFeatures, PandemicHeuristic, PandemicMetric


def add_turn_actions(state: PandemicState, options: Options) -> None:
    """Add the actions of the player whose turn it is, the own events, and ending the actions."""
    me = state.turn_player
    role: i64 = state.roles[me]
    city: i64 = state.pawns[me]
    cards = card_set(state.hands[me]) & ALL_CITIES
    _add_moves(state, me, role, cards, options)
    if options.has_found():
        return  # the rest would take as long again
    _add_treatments(state.cubes[city], options)
    if state.stations >> city & 1:
        _add_station_actions(state, me, role, options)
    elif role == OPERATIONS_EXPERT or cards >> city & 1:
        _add_building(state, options)
    _add_sharing(state, me, city, options)
    if role == CONTINGENCY_PLANNER and state.stored == NONE:
        for card in state.discards:
            if card >= FIRST_EVENT:
                options.add(TAKE_EVENT, card - FIRST_EVENT)
    if state.holds_event(me):
        add_events(state, me, options)
    options.add_all(END_ACTIONS)


def _add_moves(state: PandemicState, me: i64, role: i64, cards: i64, options: Options) -> None:
    """Add the ways to move the own pawn, or as the Dispatcher any one, also to where another is."""
    if role != DISPATCHER:
        _add_moves_of(state, me, cards, 0, options)
        return
    meeting: i64 = 0
    for city in state.pawns:
        meeting |= BIT[city]
    for pawn in range(state.n_players):
        _add_moves_of(state, pawn, cards, meeting, options)


def _add_moves_of(state: PandemicState, pawn: i64, cards: i64, meeting: i64, options: Options) -> None:
    """Add the ways to move a pawn: for no card, also to the cities ``meeting``; and for one of the city ``cards``."""
    city: i64 = state.pawns[pawn]
    here: i64 = BIT[city]
    targets: i64 = DRIVES[city]
    if state.stations & here:
        targets |= state.stations
    options.add_set(MOVES[pawn], (targets | meeting) & ~here)
    if cards & here:
        options.add_set(DIRECT[pawn], cards & (here - 1))
        options.add_all(CHARTERED[pawn][city])
        cards &= -2 * here
    options.add_set(DIRECT[pawn], cards)


def _add_treatments(packed: i64, options: Options) -> None:
    colour: i64 = 0
    while packed:
        if packed & FULL:
            options.add(TREAT, colour)
        packed >>= BITS
        colour += 1


def _add_station_actions(state: PandemicState, me: i64, role: i64, options: Options) -> None:
    """Add the actions that need a research station: cures, and the Operations Expert's flights."""
    held = packed_cards(state.hands[me])
    needed = state.cards_needed(me)
    colour: i64 = 0
    left = held
    while left:
        if left & FULL >= needed and not state.cured >> colour & 1:
            options.add(CURE, colour)
        left >>= BITS
        colour += 1
    if role == OPERATIONS_EXPERT and held and not state.flown:
        options.add_all(EXPERT[state.pawns[me]])


def _add_building(state: PandemicState, options: Options) -> None:
    if state.stations_left:
        options.add_all(BUILD)
    else:
        options.add_set(REBUILD, state.stations)


def _add_sharing(state: PandemicState, me: i64, city: i64, options: Options) -> None:
    """Add giving to and taking from each player in the same city."""
    mine = _gifts(state, me, city)
    for other in range(state.n_players):
        if other != me and state.pawns[other] == city:
            if mine:
                options.add_set(SHARE[me][other], mine)
            theirs = _gifts(state, other, city)
            if theirs:
                options.add_set(SHARE[other][me], theirs)


def _gifts(state: PandemicState, giver: i64, city: i64) -> i64:
    """Return the cards that a player can give away in ``city``, as a set: that of the city, or all of a Researcher's."""
    cards = card_set(state.hands[giver])
    return cards & (ALL_CITIES if state.roles[giver] == RESEARCHER else BIT[city])


class StartTurn(Rule[PandemicState]):
    """A turn has four actions."""

    def apply(self, state: PandemicState, rng: Rng) -> None:
        state.actions_left = state.rules.actions
        state.flown = False


class AskHolders(Rule[PandemicState]):
    """Holders of events can play them at any time.

    Attributes:
        first: 1 where the player whose turn it is is asked for an action next, which can be an event; else 0.
        in_epidemic: whether only Resilient Population can be played.
        always: whether to ask also where the parameters do not ask always.
    """

    def __init__(
        self, name: str, following: str, first: i64 = 0, in_epidemic: bool = False, always: bool = True
    ) -> None:
        super().__init__(name, following)
        self.first = first
        self.in_epidemic = in_epidemic
        self.always = always

    def apply(self, state: PandemicState, rng: Rng) -> None:
        if self.always or state.rules.ask_always:
            open_window(state, self.first, self.in_epidemic)


class Act(PlayerAction[PandemicState]):
    """The player whose turn it is takes an action, or plays an event."""

    def available_actions(self, state: PandemicState) -> list[AnyAction]:
        options = Options([])
        add_turn_actions(state, options)
        return options.found


class ActionsLeft(Condition[PandemicState]):
    """A player may do less than four actions."""

    def holds(self, state: PandemicState) -> bool:
        return state.actions_left > 0


class OutOfCards(GameOverCondition[PandemicState]):
    """The players lose when there are not enough cards to draw; in a variant also when none would be left."""

    def holds(self, state: PandemicState) -> bool:
        left = len(state.player_deck) - state.rules.cards_drawn
        return left < 0 or (left == 0 and state.rules.empty_deck_loses)

    def finish(self, state: PandemicState) -> None:
        state.end(OUT_OF_CARDS)


class DrawCards(Rule[PandemicState]):
    """The player draws two cards together; epidemics are resolved one after the other, and go out of the game."""

    def apply(self, state: PandemicState, rng: Rng) -> None:
        drawn: tuple[int, ...] = ()
        for _card in range(state.rules.cards_drawn):
            card = state.player_deck.pop()
            if state.recording:
                drawn += (card,)
            if card == EPIDEMIC:
                state.due += 1
            else:
                state.gain(state.turn_player, card)
        if state.recording:
            state.announce(telling.drawn(state.turn_player, drawn))


class EpidemicDue(Condition[PandemicState]):
    """Each epidemic drawn happens."""

    def holds(self, state: PandemicState) -> bool:
        return state.due > 0


class IncreaseAndInfect(Rule[PandemicState]):
    """An epidemic raises the infection rate, then the bottom infection card's city gets three cubes."""

    def apply(self, state: PandemicState, rng: Rng) -> None:
        state.due -= 1
        state.epidemics += 1
        city = state.draw_bottom(rng.source("infections"))
        if state.recording:
            state.announce(telling.epidemic(city, state.infection_rate()))
        state.infect(city, COLOURS[city], state.rules.epidemic_cubes)


class Intensify(Rule[PandemicState]):
    """An epidemic ends with the infection discards shuffled and put on top of the infection deck."""

    def apply(self, state: PandemicState, rng: Rng) -> None:
        state.intensify(rng.source("infections"))


class CheckHand(Rule[PandemicState]):
    """A player with more than seven cards discards, or plays events."""

    def apply(self, state: PandemicState, rng: Rng) -> None:
        check_hand(state, state.turn_player)


class StartInfections(Rule[PandemicState]):
    """As many infection cards are drawn as the infection rate says, none in a quiet night."""

    def apply(self, state: PandemicState, rng: Rng) -> None:
        state.infections_left = 0 if state.quiet else state.infection_rate()
        if state.recording and state.quiet:
            state.announce(telling.quiet_night())
        state.quiet = False


class InfectionsLeft(Condition[PandemicState]):
    """Infection cards are drawn one after the other."""

    def holds(self, state: PandemicState) -> bool:
        return state.infections_left > 0


class Infect(Rule[PandemicState]):
    """The top infection card's city gets a cube."""

    def apply(self, state: PandemicState, rng: Rng) -> None:
        state.infections_left -= 1
        city = state.draw_infection(rng.source("infections"))
        state.infect(city, COLOURS[city], state.rules.infection_cubes)


class IsLastPlayer(Condition[GameState]):
    """A round is over when each player has had a turn."""

    def holds(self, state: GameState) -> bool:
        return (state.turn_player + 1) % state.n_players == state.first_player


class SameFirstPlayer(EndRound):
    """The player who started the game starts every round."""

    def first_player(self, state: GameState) -> i64:
        return state.first_player


class Pandemic(RuleGraphForwardModel[PandemicState]):
    """The rules.

    >>> from tag import Rng, make_game
    >>> state = make_game("pandemic").setup(2, Rng(1))
    >>> print(state.text(0).splitlines()[0])
    Turn 1 of player 1, 4 actions left, player 0 to decide
    >>> [state.team(player) for player in range(2)]
    [0, 0]
    """

    game_type = GameType(
        "Pandemic",
        2,
        4,
        PandemicParameters,
        categories=("cooperative", "medical"),
        mechanics=("action points", "hand management", "point to point movement", "set collection", "variable powers"),
        version=3,
        chance_sources=("roles", "infections", "cards"),
        heuristic=PandemicHeuristic,
        features=PandemicFeatures,
        metric=PandemicMetric,
    )

    def __init__(self, parameters: PandemicParameters | None = None) -> None:
        super().__init__(parameters)
        self.rules = cast("PandemicParameters", self.parameters)

    def _graph(self) -> RuleGraph:
        return RuleGraph(
            [
                StartTurn("start the turn", "events before acting"),
                AskHolders("events before acting", "act", first=1),
                Act("act", "actions left"),
                ActionsLeft("actions left", "events between actions", "events before drawing"),
                AskHolders("events between actions", "act", first=1, always=False),
                AskHolders("events before drawing", "out of cards"),
                OutOfCards("out of cards", "draw"),
                DrawCards("draw", "epidemic"),
                EpidemicDue("epidemic", "increase and infect", "hand limit"),
                IncreaseAndInfect("increase and infect", "resilient population", ends_game=True),
                AskHolders("resilient population", "intensify", in_epidemic=True),
                Intensify("intensify", "another epidemic"),
                EpidemicDue("another epidemic", "events between epidemics", "hand limit"),
                AskHolders("events between epidemics", "increase and infect"),
                CheckHand("hand limit", "events before infecting"),
                AskHolders("events before infecting", "start infecting"),
                StartInfections("start infecting", "infections left"),
                InfectionsLeft("infections left", "infect", "last player"),
                Infect("infect", "events between infections", ends_game=True),
                AskHolders("events between infections", "infections left", always=False),
                IsLastPlayer("last player", "end the round", "end the turn"),
                EndTurn("end the turn", "start the turn"),
                SameFirstPlayer("end the round", "start the turn"),
            ]
        )

    def random_action(self, state: PandemicState, rng: Rng) -> AnyAction:
        """Count the actions of a turn, choose a number, and go through them again up to it."""
        if state.sequences:
            return super().random_action(state, rng)
        options = Options()
        add_turn_actions(state, options)
        options.draw(rng)
        add_turn_actions(state, options)
        return options.action

    def vocabulary(self, n_players: i64) -> Vocabulary:
        return vocabulary(int(n_players))

    def _setup(self, n_players: i64, rng: Rng) -> PandemicState:
        rules = self.rules
        roles = self._deal_roles(n_players, rng.source("roles"))
        n = int(n_players)
        state = PandemicState(rules, roles, [START] * n, [()] * n, [0] * N_CITIES, [rules.cubes] * N_COLOURS, [], [])
        state.medic = roles.index(MEDIC) if MEDIC in roles else NONE
        state.specialist = roles.index(QUARANTINE_SPECIALIST) if QUARANTINE_SPECIALIST in roles else NONE
        state.stations = BIT[START]
        state.stations_left = rules.stations - 1
        self._infect_cities(state, rng.source("infections"))
        self._deal_cards(state, rng.source("cards"))
        state.first_player = _most_populous(state)
        state.turn_player = state.first_player
        state.current_player = state.first_player
        return state

    def announce_setup(self, state: PandemicState) -> None:
        """Announce roles, hands, the first infections, and who begins."""
        for seat in range(state.n_players):
            state.announce(telling.role(seat, state.roles[seat]))
            state.announce(telling.dealt(seat, state.hands[seat]))
        for city in state.infection_discards:
            state.announce(telling.infected(city, COLOURS[city], state.count(city, COLOURS[city])))
        state.announce(telling.begins(state.first_player))

    def _deal_roles(self, n_players: i64, rng: Rng) -> tuple[int, ...]:
        """Give every seat its role, or a random one of those that are left."""
        roles = self.rules.roles()[:n_players]
        left = [role for role in range(N_ROLES) if role not in roles]
        rng.shuffle(left)
        return tuple([left.pop() if role == NONE else role for role in roles])

    def _infect_cities(self, state: PandemicState, rng: Rng) -> None:
        """Place three, two and one cubes; roles do not prevent that."""
        state.infection_deck = list(range(N_CITIES))
        rng.shuffle(state.infection_deck)
        for level in range(self.rules.setup_levels, 0, -1):
            for _card in range(self.rules.setup_cards):
                city = state.draw_infection(rng)
                colour = COLOURS[city]
                state.place(city, colour, min(level, state.supply[colour]))

    def _deal_cards(self, state: PandemicState, rng: Rng) -> None:
        """Deal the hands, and stack the rest in piles with an epidemic each, larger piles on top."""
        cards = list(range(FIRST_EVENT + N_EVENTS))
        rng.shuffle(cards)
        for _card in range(self.rules.hand(int(state.n_players))):
            for seat in range(state.n_players):
                state.gain(seat, cards.pop())
        epidemics = self.rules.epidemics
        n_piles = max(epidemics, 1)
        small, larger = divmod(len(cards), n_piles)
        starts: list[int] = []
        for pile in range(n_piles):
            size = small + (1 if pile >= n_piles - larger else 0)
            dealt = [cards.pop() for _card in range(size)]
            if epidemics:
                dealt.append(EPIDEMIC)
                rng.shuffle(dealt)
            starts.append(len(state.player_deck))
            state.player_deck.extend(dealt)
        state.piles = tuple(starts)


def _most_populous(state: PandemicState) -> i64:
    """Return who holds the card of the city with the most inhabitants; without city cards the first seat."""
    best: i64 = 0
    most: i64 = 0
    for seat in range(state.n_players):
        for card in state.hands[seat]:
            if card < FIRST_EVENT and POPULATIONS[card] > most:
                most = POPULATIONS[card]
                best = seat
    return best
