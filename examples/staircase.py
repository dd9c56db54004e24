"""Staircase, a co-operative game of the guide: lay rising cards that you cannot see, by hints.

Rules: cards have the numbers 1 to ``cards``. Each player holds one card that only the others see.
By turns, a player lays its own card, or tells another player whether that player's card is at
least some number. A card above the last one is a step; a lower one is a mistake. A player who has
laid a card draws another. The team wins with the last step. It loses with one mistake too many,
or when no card is left to draw.
"""

from __future__ import annotations

from dataclasses import dataclass

from tag import (
    LOSE,
    WIN,
    Action,
    Actions,
    AnyAction,
    Event,
    ForwardModel,
    GameState,
    GameType,
    Parameters,
    Rng,
    Vocabulary,
    integer,
    interned,
)
from tag.errors import ParameterError


@dataclass
class StaircaseParameters(Parameters):
    """The size of the game, and how hard it is."""

    cards: int = integer(20, 10, 60, "cards")
    steps: int = integer(5, 1, 15, "steps that win")
    hints: int = integer(8, 0, 30, "hints that the team may give")
    mistakes: int = integer(1, 0, 10, "mistakes that the team survives")

    def check(self) -> None:
        """Reject staircases of more than half of the cards."""
        most = self.cards // 2
        if self.steps > most:
            raise ParameterError(f"steps cannot be {self.steps}; the nearest value is {most}")


class StaircaseState(GameState):
    """The card of each player, what each was told about it, the deck and what has been laid."""

    def __init__(self, n_players: int, cards: list[int], hints: int) -> None:
        """Deal one of the ``cards`` to each player; the others are the deck."""
        super().__init__(n_players)
        self.hands = cards[:n_players]
        self.deck = cards[n_players:]
        self.hints = hints
        self.n_cards = len(cards)
        self.low = [1] * n_players
        self.high = [self.n_cards] * n_players
        self.laid: tuple[int, ...] = ()
        self.top = 0
        self.steps = 0
        self.mistakes = 0

    def copy(self) -> StaircaseState:
        """Copy everything."""
        other = StaircaseState(self.n_players, [], self.hints)
        self.copy_to(other)
        other.hands = self.hands[:]
        other.deck = self.deck[:]
        other.n_cards = self.n_cards
        other.low = self.low[:]
        other.high = self.high[:]
        other.laid = self.laid
        other.top = self.top
        other.steps = self.steps
        other.mistakes = self.mistakes
        return other

    def knowledge(self, player: int) -> tuple[object, ...]:
        """Return everything but the player's own card and the order of the deck."""
        others = tuple(self.hands[:player] + self.hands[player + 1 :])
        told = (tuple(self.low), tuple(self.high), self.fits_hints(player, self.hands[player]))
        return (player, self.tick, others, told, self.laid, self.hints, self.mistakes)

    def fits_hints(self, player: int, card: int) -> bool:
        """Say whether the hints that ``player`` has got allow ``card``."""
        return self.low[player] <= card <= self.high[player]

    def redeterminise(self, player: int, rng: Rng) -> None:
        """Deal the player's own card and the deck again; the hints must allow the card."""
        if not self.hands[player]:
            return
        unseen = [*self.deck, self.hands[player]]
        own = rng.choice([card for card in unseen if self.fits_hints(player, card)])
        unseen.remove(own)
        rng.shuffle(unseen)
        self.hands[player] = own
        self.deck = unseen

    def team(self, player: int) -> int:
        """Return the same team for all."""
        return 0

    def score(self, player: int) -> float:
        """Return the number of steps."""
        return float(self.steps)

    def text(self, viewer: int) -> str:
        """Show the cards that ``viewer`` may see, and its own as a range."""
        cards = [str(card) for card in self.hands]
        if viewer >= 0:
            cards[viewer] = f"{self.low[viewer]}-{self.high[viewer]}"
        left = f"{self.hints} hints, {self.mistakes} mistakes"
        return f"cards {' '.join(cards)}, {self.steps} steps up to {self.top}, {left}"


class Lay(Action[StaircaseState]):
    """Lay your own card."""

    def execute(self, state: StaircaseState, rng: Rng) -> None:
        """Take the step or make the mistake, and draw."""
        player = state.current_player
        card = state.hands[player]
        state.laid = (*state.laid, card)
        is_step = card > state.top
        if is_step:
            state.top = card
            state.steps += 1
        else:
            state.mistakes += 1
        if state.recording:
            what = "a step" if is_step else "a mistake"
            words = f"{{player}} lays {{items}}, {what}"
            state.announce(Event("laid", player, items=(card,), words=words))
        state.hands[player] = state.deck.pop() if state.deck else 0
        state.low[player] = 1
        state.high[player] = state.n_cards

    def __str__(self) -> str:
        """Return the word for people."""
        return "lay"


class Tell(Action[StaircaseState]):
    """Tell a player whether its card is at least some number."""

    def __init__(self, player: int, number: int) -> None:
        """Take the player who is told, and the number."""
        self.player = player
        self.number = number

    def execute(self, state: StaircaseState, rng: Rng) -> None:
        """Narrow what the player knows of its card."""
        state.hints -= 1
        if state.hands[self.player] >= self.number:
            state.low[self.player] = self.number
        else:
            state.high[self.player] = self.number - 1

    def __str__(self) -> str:
        """Return the action in words."""
        return f"tell player {self.player} about {self.number}"


class Staircase(ForwardModel[StaircaseState]):
    """The rules."""

    game_type = GameType(
        "Staircase",
        min_players=2,
        max_players=5,
        parameters=StaircaseParameters,
        categories=("cards", "cooperative"),
        mechanics=("limited communication",),
        check_parameters="cards=10,steps=4,hints=3",
    )

    def __init__(self, parameters: StaircaseParameters | None = None) -> None:
        """Make the actions once."""
        chosen = StaircaseParameters() if parameters is None else parameters
        super().__init__(chosen)
        self.cards = chosen.cards
        self.steps = chosen.steps
        self.hints = chosen.hints
        self.mistakes = chosen.mistakes
        self.lay = interned(Lay())
        numbers = range(chosen.cards + 1)
        self.tell = [[interned(Tell(player, number)) for number in numbers] for player in range(5)]

    def vocabulary(self, n_players: int) -> Vocabulary:
        """Return all actions, numbered."""
        tell = Actions(Tell, player=range(n_players), number=range(self.cards + 1))
        return Vocabulary(Actions(Lay), tell)

    def _setup(self, n_players: int, rng: Rng) -> StaircaseState:
        cards = list(range(1, self.cards + 1))
        rng.shuffle(cards)
        return StaircaseState(n_players, cards, self.hints)

    def _available_actions(self, state: StaircaseState) -> list[AnyAction]:
        actions: list[AnyAction] = [self.lay]
        if state.hints:
            for player in range(state.n_players):
                if player != state.current_player:
                    actions += self.tell[player][state.low[player] + 1 : state.high[player] + 1]
        return actions

    def _after_action(self, state: StaircaseState, action: AnyAction, rng: Rng) -> None:
        if state.steps == self.steps:
            state.end_for_all(WIN)
        elif state.mistakes > self.mistakes or not all(state.hands):
            state.end_for_all(LOSE)
        else:
            self.end_player_turn(state)
