"""The rules of Pandemic: set-up, and the graph of the rules of a turn."""

from __future__ import annotations

from mypy_extensions import i64

from games.pandemic.board import COLOURS, POPULATIONS
from games.pandemic.cards import EPIDEMIC, FIRST_EVENT, N_CITIES, N_EVENTS, N_ROLES, NONE
from games.pandemic.nodes import (
    Act,
    ActionsLeft,
    AskHolders,
    CheckHand,
    DrawCards,
    EpidemicDue,
    IncreaseAndInfect,
    Infect,
    InfectionsLeft,
    Intensify,
    IsLastPlayer,
    OutOfCards,
    StartInfections,
    StartTurn,
)
from games.pandemic.parameters import PandemicParameters
from games.pandemic.state import PandemicState
from tag.game_type import GameType
from tag.rng import Rng
from tag.rules import EndRound, EndTurn, RuleGraph, RuleGraphForwardModel
from tag.state import GameState


class SameFirstPlayer(EndRound):
    """The player who started the game starts every round."""

    __slots__ = ()

    def first_player(self, state: GameState) -> i64:
        """Return who started this one."""
        return state.first_player


class Pandemic(RuleGraphForwardModel[PandemicState]):
    """The rules."""

    game_type = GameType(
        "Pandemic",
        2,
        4,
        PandemicParameters,
        categories=("cooperative", "medical"),
        mechanics=("action points", "hand management", "point to point movement", "set collection", "variable powers"),
        version=2,
    )

    def __init__(self, parameters: PandemicParameters | None = None) -> None:
        """Take the parameters."""
        self.chosen = PandemicParameters() if parameters is None else parameters
        super().__init__(self.chosen)

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
                IncreaseAndInfect("increase and infect", "resilient population"),
                AskHolders("resilient population", "intensify", in_epidemic=True),
                Intensify("intensify", "another epidemic"),
                EpidemicDue("another epidemic", "events between epidemics", "hand limit"),
                AskHolders("events between epidemics", "increase and infect"),
                CheckHand("hand limit", "events before infecting"),
                AskHolders("events before infecting", "start infecting"),
                StartInfections("start infecting", "infections left"),
                InfectionsLeft("infections left", "infect", "last player"),
                Infect("infect", "events between infections"),
                AskHolders("events between infections", "infections left", always=False),
                IsLastPlayer("last player", "end the round", "end the turn"),
                EndTurn("end the turn", "start the turn"),
                SameFirstPlayer("end the round", "start the turn"),
            ]
        )

    # --- set-up ------------------------------------------------------------------------------------------------------

    def _setup(self, n_players: i64, rng: Rng) -> PandemicState:
        state = PandemicState(self.chosen, self._deal_roles(n_players, rng))
        self._infect_cities(state, rng)
        self._deal_cards(state, rng)
        state.first_player = _most_populous(state)
        state.turn_player = state.first_player
        state.current_player = state.first_player
        return state

    def _deal_roles(self, n_players: i64, rng: Rng) -> tuple[int, ...]:
        """Give every seat its role, or a random one of those that are left."""
        roles = self.chosen.roles()[:n_players]
        left = [role for role in range(N_ROLES) if role not in roles]
        rng.shuffle(left)
        return tuple([left.pop() if role == NONE else role for role in roles])

    def _infect_cities(self, state: PandemicState, rng: Rng) -> None:
        """Place three, two and one cubes; nobody's role prevents that."""
        state.infection_deck = list(range(N_CITIES))
        rng.shuffle(state.infection_deck)
        for level in range(self.chosen.setup_levels, 0, -1):
            for _card in range(self.chosen.setup_cards):
                city = state.draw_infection(rng)
                colour = COLOURS[city]
                state.place(city, colour, min(level, state.supply[colour]))

    def _deal_cards(self, state: PandemicState, rng: Rng) -> None:
        """Deal the hands, and stack the rest in piles with an epidemic each, larger piles on top."""
        cards = list(range(FIRST_EVENT + N_EVENTS))
        rng.shuffle(cards)
        for _card in range(self.chosen.hand(int(state.n_players))):
            for seat in range(state.n_players):
                state.gain(seat, cards.pop())
        epidemics = self.chosen.epidemics
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
