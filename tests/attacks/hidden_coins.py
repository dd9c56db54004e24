"""A game of hidden coins, where knowing the deal is everything, and agents that come to know it or do not."""

import gc
from typing import ClassVar

from tag.engine.forward_model import ForwardModel, GameType
from tag.engine.state import Action, GameState, interned
from tag.playing.agent import Agent

N_COINS = 5


class Coins(GameState):
    """Each player in turn guesses all coins; who has more right guesses wins.

    The table's number is all that is seen before the coins are shown in the end.
    """

    def __init__(self, n_players):
        super().__init__(n_players)
        self.table = 0
        self.coins = [0] * N_COINS
        self.right = [0] * n_players

    def copy(self):
        other = Coins(self.n_players)
        self.copy_to(other)
        other.table = self.table
        other.coins = self.coins[:]
        other.right = self.right[:]
        return other

    def redeterminise(self, player, rng):
        if not self.is_terminal:
            self.coins = [rng.below(2) for _coin in range(N_COINS)]

    def score(self, player):
        return float(self.right[player])


class Guess(Action):
    def __init__(self, coins):
        self.coins = coins

    def key(self):
        return (self.coins,)

    def execute(self, state, rng):
        right = sum((self.coins >> number & 1) == coin for number, coin in enumerate(state.coins))
        state.right[state.current_player] = right


class HiddenCoins(ForwardModel):
    game_type = GameType("Hidden coins", 2, 4)

    def _setup(self, n_players, rng):
        state = Coins(n_players)
        state.table = rng.next32()
        state.coins = [rng.below(2) for _coin in range(N_COINS)]
        return state

    def _available_actions(self, state):
        return [interned(Guess(coins)) for coins in range(1 << N_COINS)]

    def _after_action(self, state, action, rng):
        self.end_player_turn(state)
        if state.turn == state.n_players:
            state.end_by_score()


class Honest(Agent):
    def act(self, observation, actions):
        return actions[self.sim.rng.below(len(actions))]


class Remembers(Agent):
    """Writes down the coins that were shown."""

    seen: ClassVar = {}

    def start_game(self, observation):
        self.table = observation.table

    def act(self, observation, actions):
        known = self.seen.get(self.table)
        return actions[self.sim.rng.below(len(actions)) if known is None else known]

    def end_game(self, state):
        self.seen[self.table] = sum(coin << number for number, coin in enumerate(state.coins))


class Peeks(Agent):
    """Looks for the true position among all objects of its process, and guesses by it."""

    def act(self, observation, actions):
        for thing in gc.get_objects():
            if type(thing) is type(observation) and thing is not observation and thing.table == observation.table:
                return actions[sum(coin << number for number, coin in enumerate(thing.coins))]
        return actions[0]


class Rewrites(Honest):
    """Has positions count the other player's right guesses as its own, from now on."""

    def act(self, observation, actions):
        type(observation).score = lambda state, player: float(state.right[1 - player])
        return super().act(observation, actions)
