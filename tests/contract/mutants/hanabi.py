"""A small Hanabi for tests: two colours, ranks 1 to 3, hands of three; everybody sees all hands but the own.

A hint marks the cards of one colour or rank in another player's hand. Beyond its marks nothing is remembered of it.
"""

from __future__ import annotations

from tag import LOSE, WIN, Action, ForwardModel, GameState, GameType, Rng, interned

RANKS = 3
COLOURS = 2
CARDS = [
    RANKS * colour + rank for colour in range(COLOURS) for rank, count in enumerate((2, 2, 1)) for _ in range(count)
]
HAND = 3
UNKNOWN = -1


class HanabiState(GameState):
    """Cards as colour * 3 + rank; for each card in hand the colour and the rank that its holder was told, or -1."""

    def __init__(self, n_players):
        super().__init__(n_players)
        self.deck = CARDS[:]
        self.hands = [[] for _player in range(n_players)]
        self.colours = [[] for _player in range(n_players)]
        self.ranks = [[] for _player in range(n_players)]
        self.fireworks = [0] * COLOURS
        self.discards = []
        self.hints = 4
        self.lives = 2
        self.last = -1

    def copy(self):
        other = type(self)(self.n_players)
        self.copy_to(other)
        other.deck = self.deck[:]
        other.hands = [hand[:] for hand in self.hands]
        other.colours = [told[:] for told in self.colours]
        other.ranks = [told[:] for told in self.ranks]
        other.fireworks = self.fireworks[:]
        other.discards = self.discards[:]
        other.hints = self.hints
        other.lives = self.lives
        other.last = self.last
        return other

    def knowledge(self, player):
        hands = [() if seat == player and not self.is_terminal else tuple(hand) for seat, hand in enumerate(self.hands)]
        told = [tuple(hand) for hand in (*self.colours, *self.ranks)]
        table = (tuple(self.fireworks), tuple(self.discards), self.hints, self.lives, self.last)
        return (player, self.tick, self.is_terminal, tuple(hands), len(self.hands[player]), tuple(told), table)

    def fits(self, player, hand):
        """Say whether a hand fits what ``player`` was told."""
        told = zip(hand, self.colours[player], self.ranks[player], strict=True)
        return all(
            colour in (UNKNOWN, card // RANKS) and rank in (UNKNOWN, card % RANKS) for card, colour, rank in told
        )

    def redeterminise(self, player: int, rng: Rng) -> None:
        if self.is_terminal:
            return
        size = len(self.hands[player])
        pool = [*self.deck, *self.hands[player]]
        while True:
            rng.shuffle(pool)
            if self.fits(player, pool[:size]):
                break
        self.hands[player] = pool[:size]
        self.deck = pool[size:]

    def draw(self, player):
        if self.deck:
            self.hands[player].append(self.deck.pop())
            self.colours[player].append(UNKNOWN)
            self.ranks[player].append(UNKNOWN)

    def take(self, player, place):
        del self.colours[player][place]
        del self.ranks[player][place]
        return self.hands[player].pop(place)

    def score(self, player):
        return float(sum(self.fireworks))

    def team(self, player):
        return 0

    def text(self, viewer):
        hands = [hand if seat != viewer or self.is_terminal else len(hand) for seat, hand in enumerate(self.hands)]
        return f"hands {hands}, told {self.colours} {self.ranks}, fireworks {self.fireworks}, discards {self.discards}"


class _OnePlace(Action[HanabiState]):
    def __init__(self, place):
        self.place = place

    def key(self):
        return (self.place,)


class PlayCard(_OnePlace):
    def execute(self, state, rng):
        card = state.take(state.current_player, self.place)
        if state.fireworks[card // RANKS] == card % RANKS:
            state.fireworks[card // RANKS] += 1
        else:
            state.lives -= 1
            state.discards.append(card)
        state.draw(state.current_player)


class DiscardCard(_OnePlace):
    def execute(self, state, rng):
        state.discards.append(state.take(state.current_player, self.place))
        state.hints += 1
        state.draw(state.current_player)


class Hint(Action[HanabiState]):
    """Tell ``player`` which cards are of a colour (0, 1) or a rank (2, 3, 4)."""

    def __init__(self, player, what):
        self.player = player
        self.what = what

    def key(self):
        return (self.player, self.what)

    def execute(self, state, rng):
        state.hints -= 1
        for place, card in enumerate(state.hands[self.player]):
            if self.what == card // RANKS:
                state.colours[self.player][place] = self.what
            if self.what - COLOURS == card % RANKS:
                state.ranks[self.player][place] = self.what - COLOURS


class Hanabi(ForwardModel[HanabiState]):
    """The rules."""

    game_type = GameType("small Hanabi", 2, 2)
    state_class = HanabiState

    def _setup(self, n_players, rng):
        state = self.state_class(n_players)
        rng.shuffle(state.deck)
        for player in range(n_players):
            for _card in range(HAND):
                state.draw(player)
        return state

    def _available_actions(self, state):
        player = state.current_player
        places = range(len(state.hands[player]))
        actions = [interned(kind(place)) for kind in (PlayCard, DiscardCard) for place in places]
        others = [other for other in range(state.n_players) if other != player] if state.hints else []
        return actions + [interned(Hint(other, what)) for other in others for what in range(COLOURS + RANKS)]

    def _after_action(self, state, action, rng):
        self.end_player_turn(state)
        if not state.deck and state.last < 0:
            state.last = state.tick + state.n_players
        if sum(state.fireworks) == COLOURS * RANKS:
            state.end_for_all(WIN)
        elif state.lives == 0 or state.tick == state.last:
            state.end_for_all(LOSE)
