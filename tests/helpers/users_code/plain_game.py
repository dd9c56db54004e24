"""A game that declares neither actions nor features; a user's file."""

from tag import Action, ForwardModel, GameState, GameType, interned


class Heap(GameState):
    def __init__(self, n_players):
        super().__init__(n_players)
        self.left = 7

    def copy(self):
        other = Heap(self.n_players)
        self.copy_to(other)
        other.left = self.left
        return other

    def __str__(self):
        return f"{self.left} left"


class Take(Action):
    def __init__(self, number):
        self.number = number

    def key(self):
        return (self.number,)

    def execute(self, state, rng):
        state.left -= self.number


class Nim(ForwardModel):
    game_type = GameType("Nim", 2, 2)

    def _setup(self, n_players, rng):
        return Heap(n_players)

    def _available_actions(self, state):
        return [interned(Take(number)) for number in (1, 2) if number <= state.left]

    def _after_action(self, state, action, rng):
        if state.left == 0:
            state.end_with_winner(state.current_player)
        else:
            self.end_player_turn(state)
