"""Learned values against exact ones by dynamic programming, in small games of chance that are drawn at random."""

from itertools import product
from math import prod

import pytest

from tag import (
    LOSE,
    WIN,
    Action,
    Actions,
    Cells,
    Features,
    ForwardModel,
    GameState,
    GameType,
    Rng,
    Vocabulary,
    interned,
)
from tag.agents.learners.td_ntuple import TdNtuple
from tag.catalogue.registry import make_learner

pytestmark = pytest.mark.flow

LAYERS, WIDTH, ACTIONS = 5, 3, 2
EPSILON = 0.7
EPISODES = 4000


class Place(GameState):
    """A place of a layer, where chance decides between two ends of the last action if one is open."""

    def __init__(self, n_players):
        super().__init__(n_players)
        self.layer = self.place = 0
        self.action = -1
        self.points = [0.0] * n_players

    def copy(self):
        other = Place(self.n_players)
        self.copy_to(other)
        other.layer, other.place, other.action, other.points = self.layer, self.place, self.action, self.points[:]
        return other

    def score(self, player):
        return self.points[player]

    def cell_values(self):
        return bytes([self.layer, self.place, self.action + 1])


EVERY_PLACE = list(product(range(LAYERS + 1), range(WIDTH), range(-1, ACTIONS)))


class PlaceFeatures(Features):
    """One number for each position, so that a linear function is a table."""

    def names(self, n_players):
        return tuple(f"{one}" for one in EVERY_PLACE)

    def values(self, state, player):
        return [float(one == (state.layer, state.place, state.action)) for one in EVERY_PLACE]


class Choose(Action):
    def __init__(self, number):
        self.number = number

    def key(self):
        return (self.number,)

    def execute(self, state, rng):
        state.action = self.number


CHOICES = [interned(Choose(number)) for number in range(ACTIONS)]


class RandomGame(ForwardModel):
    """Five decisions, taken in turn, of two actions; each has two outcomes, with points. The rules are drawn."""

    game_type = GameType("Random game", 1, 2, hidden_information=False, features=PlaceFeatures)

    def __init__(self, seed=0):
        super().__init__()
        rng = Rng(seed, 5)
        self.results = [1.0, -1.0, 0.0]
        rng.shuffle(self.results)
        #: For each decision and action its outcomes: their probability, the next place, and the points.
        self.ends = {}
        for key in product(range(LAYERS), range(WIDTH), range(ACTIONS)):
            first = rng.choice([0.125, 0.875])
            self.ends[key] = [(share, rng.below(WIDTH), round(rng.uniform(), 2)) for share in (first, 1 - first)]

    def vocabulary(self, n_players):
        return Vocabulary(Actions(Choose, number=range(ACTIONS)))

    def cells(self, n_players):
        return Cells(3, LAYERS + 1, tuples={"all": [(0, 1, 2)]})

    def _setup(self, n_players, rng):
        return Place(n_players)

    def _available_actions(self, state):
        return CHOICES

    def afterstate(self, state, action):
        other = state.copy()
        action.execute(other, None)
        return other

    def resolve_chance(self, afterstate, rng):
        state = afterstate
        first, second = self.ends[state.layer, state.place, state.action]
        _share, place, points = first if rng.below(8) < 8 * first[0] else second
        player = state.current_player
        state.points[player] += points
        state.layer, state.place, state.action = state.layer + 1, place, -1
        if state.layer < LAYERS:
            self.end_player_turn(state)
        elif self.results[place] == 0:
            state.end_with_draw()
        elif state.n_players == 2:
            state.end_with_winner(player if self.results[place] > 0 else 1 - player)
        else:
            state.end_for_all(WIN if self.results[place] > 0 else LOSE)

    def _after_action(self, state, action, rng):
        self.resolve_chance(state, rng)


class Exact:
    """Values by backward induction, of play that is random with probability `EPSILON` and otherwise best by these values.

    What a player earns up to its next decision is not discounted.

    Args:
        of_states: whether positions after chance have values, and players compare outcomes that they draw; else actions.
        backs_up_best: whether the best action is backed up in place of the one that is played.
    """

    def __init__(self, game, n_players, is_score, gamma, of_states, backs_up_best):
        self.game, self.n_players, self.is_score, self.gamma = game, n_players, is_score, gamma
        self.of_states, self.backs_up_best = of_states, backs_up_best
        self.known = {}

    def earned(self, player, layer, end):
        _share, place, points = end
        mine = player == layer % self.n_players
        if self.is_score:
            return points if mine else 0.0
        result = self.game.results[place] if layer == LAYERS - 1 else 0.0
        return result if mine else -result

    def end_value(self, player, layer, end):
        """Return what ``player`` earns with an outcome of a decision in ``layer``, and the value beyond."""
        earned = self.earned(player, layer, end)
        if layer == LAYERS - 1:
            return earned
        decider = (layer if self.of_states else layer + 1) % self.n_players
        return earned + (self.gamma if decider == player else 1.0) * self.position(player, layer + 1, end[1])

    def action(self, player, layer, place, action):
        return sum(end[0] * self.end_value(player, layer, end) for end in self.game.ends[layer, place, action])

    def best(self, layer, place):
        """Return the probability of each action in best play, by its value or by a drawn outcome of each."""
        mover = layer % self.n_players
        shares = [0.0] * ACTIONS
        if not self.of_states:
            values = [self.action(mover, layer, place, action) for action in range(ACTIONS)]
            shares[values.index(max(values))] = 1.0
            return shares
        for ends in product(*[self.game.ends[layer, place, action] for action in range(ACTIONS)]):
            values = [self.end_value(mover, layer, end) for end in ends]
            first = [action for action, value in enumerate(values) if value > max(values) - 1e-9]
            for action in first:
                shares[action] += prod(end[0] for end in ends) / len(first)
        return shares

    def position(self, player, layer, place):
        key = (player, layer, place)
        if key not in self.known:
            self.known[key] = self._position(*key)
        return self.known[key]

    def _position(self, player, layer, place):
        shares = self.best(layer, place)
        if not (self.backs_up_best and player == layer % self.n_players):
            shares = [(1 - EPSILON) * share + EPSILON / ACTIONS for share in shares]
        return sum(share * self.action(player, layer, place, action) for action, share in enumerate(shares))

    def values(self):
        """Return the values to be learned, by player and cells."""
        found = {}
        for layer, place in product(range(LAYERS), range(WIDTH)):
            if self.of_states and layer > 0:
                player = (layer - 1) % self.n_players
                found[player, bytes([layer, place, 0])] = self.position(player, layer, place)
            if not self.of_states:
                player = layer % self.n_players
                for action in range(ACTIONS):
                    found[player, bytes([layer, place, action + 1])] = self.action(player, layer, place, action)
        return found


def visits(game, n_players):
    """Return how often each cells are met in a game at random, after an action and after its chance."""
    found, reached = {}, {(0, 0): 1.0}
    for layer, place, action in product(range(LAYERS), range(WIDTH), range(ACTIONS)):
        often = reached.get((layer, place), 0.0) / ACTIONS
        found[bytes([layer, place, action + 1])] = often
        for share, to, _points in game.ends[layer, place, action]:
            reached[layer + 1, to] = reached.get((layer + 1, to), 0.0) + share * often
    return found | {bytes([layer, place, 0]): often for (layer, place), often in reached.items()}


def learned(spec, seed, n_players):
    """Return a learner after its games."""
    rates = f"epsilon={EPSILON},epsilon_final={EPSILON},alpha=0.3,alpha_final=0.005"
    learner = make_learner(f"{spec},{rates}", RandomGame(seed), n_players, EPISODES, seed)
    while learner.episodes < EPISODES:
        learner.play_episode()
    return learner


def error(learner, exact):
    """Return the mean error of the values of what is met in one game of 20 at least."""
    often = visits(learner.model, learner.n_players)
    errors = [
        abs(learned_value(learner, player, cells) - value)
        for (player, cells), value in exact.values().items()
        if often.get(cells, 0.0) >= 0.05
    ]
    assert len(errors) >= 8
    return sum(errors) / len(errors)


def learned_value(learner, player, cells):
    if learner.values().is_of_actions():
        before = bytes([cells[0], cells[1], 0])
        return learner.function.value(player, (before, cells[2] - 1))
    if isinstance(learner, TdNtuple):
        return learner.function.value(player, cells)
    state = Place(learner.n_players)
    state.layer, state.place, state.action = cells[0], cells[1], cells[2] - 1
    return learner.function.value(player, learner.function.look(state, player))


TARGETS = ("learns=afterstates", "learns=states", "learns=sarsa", "learns=q", "td")
REPLAYS = ("replay=0", "replay=3000,replay_batch=20")
TRACES = ("trace=0", "trace=0.8,horizon=2", "trace=0.8,horizon=10")
#: What else may matter, dealt out over the combinations: reward, players, gamma, and whether random moves are learned from.
OTHERS = list(product(("result", "score"), (1, 2), (1.0, 0.7), (True, False)))
CASES = [
    (*combination, OTHERS[(7 * number + 3 * (number // 6)) % len(OTHERS)])
    for number, combination in enumerate(product(TARGETS, REPLAYS, TRACES))
]
#: Of these games, drawn like all others, the value of the best action differs most from that of the one played.
SEEDS = (70, 61)
LARGEST_ERROR = 0.08


@pytest.mark.heavy
@pytest.mark.parametrize(("target", "replay", "trace", "other"), CASES)
def test_every_target_is_learned_with_and_without_replay_and_trace(target, replay, trace, other):
    """Values are those of the best action where it is the target, not those of the one that is played, or the reverse."""
    reward, n_players, gamma, from_random = other
    from_random = from_random or target == "learns=q"
    table = "td" if target == "td" else f"td_ntuple:tuples=all,rates=constant,{target}"
    changes = f"{replay},{trace},reward={reward},gamma={gamma}"
    if not from_random:
        changes += ",learns_from_random=false"
    backs_up_best = target == "learns=q" or not from_random
    for seed in SEEDS:
        exact, other_way = (
            Exact(RandomGame(seed), n_players, reward == "score", gamma, target == "learns=states", best)
            for best in (backs_up_best, not backs_up_best)
        )
        learner = learned(f"{table}{',' if ':' in table else ':'}{changes}", seed, n_players)
        assert error(learner, exact) < min(LARGEST_ERROR, error(learner, other_way) / 2)
