"""A result is beyond every position that is not one: heuristics of all games, and one-step look-ahead, decline no win."""

from collections import deque

import pytest

from tag import Rng, make_agent, make_game
from tag.catalogue.registry import game_class, game_names
from tag.engine.results import DRAW, ONGOING, WIN
from tag.orders.set_up import is_one_team
from tag.playing.agent import Simulator

pytestmark = pytest.mark.flow

#: Rules under which games are short, so that ends are met often, and rules with other ends.
_RULES = {
    "blackjack": [f"blackjack:rounds=2{more}" for more in ("", ",goal=dealer", ",hole_card=false,surrender=true")],
    "cant_stop": ["cant_stop:columns=1", "cant_stop"],
    "colt_express": ["colt_express:rounds=1"],
    "dominion": ["dominion:piles=1,kingdom=random"],
    "hanabi": ["hanabi", "hanabi:fuses=10,colours=2"],
    "hex": ["hex:size=5"],
    "love_letter": ["love_letter:tokens_2=1,tokens_3=1,tokens_4=1", "love_letter"],
    "poker": ["poker:hands=3"],
    "sim": ["sim", "sim:coalition=true"],
    "uno": ["uno:goal=50", "uno:scoring=lowest,goal=50", "uno:scoring=elimination,goal=50", "uno:scoring=single"],
}
_GAMES = 6
#: The last positions of a game are looked at, and of the others one in so many.
_LAST = 25
_ONE_IN = 12
#: Deals and outcomes in which a win has to happen to be called certain.
_DEALS = 8
_DEALS_OF_ROUNDS = 40

#: Specs with a number of players: two or the fewest, three, and the most.
CASES = [
    (spec, n_players)
    for name in game_names()
    for spec in _RULES.get(name, [name])
    for n_players in sorted({max(2, game_class(name).game_type.min_players), 3, game_class(name).game_type.max_players})
    if n_players > 1 and game_class(name).game_type.min_players <= n_players <= game_class(name).game_type.max_players
]


def positions(model, n_players, seed, one_in=_ONE_IN):
    """Yield copies of positions of random games."""
    rng = Rng(seed)
    for _game in range(_GAMES):
        state = model.setup(n_players, rng)
        last = deque(maxlen=_LAST)
        while not state.is_terminal:
            if len(last) == _LAST and state.tick % one_in == 0:
                yield last[0]
            last.append(state.copy())
            model.next(state, model.random_action(state, rng), rng)
        yield from last
        yield state


def test_all_games_for_several_players_are_looked_at():
    several = [name for name in game_names() if game_class(name).game_type.max_players > 1]
    assert {spec.partition(":")[0] for spec, _players in CASES} == set(several)
    assert len(several) > 15


@pytest.mark.parametrize(("spec", "n_players"), CASES)
def test_values_of_games_that_go_on_are_between_those_of_results(spec, n_players):
    model = make_game(spec)
    kind = model.game_type
    found = {ONGOING: 0, WIN: 0}
    for heuristic in [model.heuristic(), *([kind.solution()] if kind.solution else [])]:
        for state in positions(model, n_players, 7):
            values = [0.0] * n_players
            heuristic.value_all(state, values)
            for player in range(n_players):
                result = int(state.result(player))
                found[result] = found.get(result, 0) + 1
                assert values[player] == heuristic.value(state, player)
                if result == DRAW and is_one_team(state):
                    assert values[player] == values[0], "by points"
                    assert -1.0 < values[player] < 1.0
                elif state.is_terminal or result != ONGOING:
                    assert values[player] == state.result_value(player)
                else:
                    assert -1.0 < values[player] < 1.0, f"player {player}\n{state}"
    assert found[ONGOING] > 20
    assert sum(found.values()) > found[ONGOING]


@pytest.mark.parametrize("spec", ["cant_stop", "dominion", "love_letter", "uno", "virus"])
def test_weights_of_all_sizes_leave_results_beyond(spec):
    model, rng = make_game(spec), Rng(1)
    kind = type(model.heuristic())
    seen = list(positions(model, 3, 3))[::10]
    for _weights in range(20):
        heuristic = kind(kind.parameters_class.sample(rng))
        for state in seen:
            for player in range(3):
                assert state.is_terminal or -1.0 < heuristic.value(state, player) < 1.0


def is_certain(model, state, player, action, is_success, rng, deals):
    """Say whether ``action`` is a success of ``player`` in all of some deals and outcomes."""
    for _deal in range(deals):
        world = state.observation(player, rng)
        model.next(world, action, rng)
        if not is_success(world):
            return False
    return True


def declined(spec, n_players, seed, is_success, one_in=_ONE_IN, deals=_DEALS):
    """Return how often one-step look-ahead was offered a certain success in random games, and how often it declined."""
    model, rng = make_game(spec), Rng(seed)
    kind = model.game_type
    uncertain = kind.chance or kind.hidden_information
    agent = make_agent(f"osla:samples={deals if uncertain else 1},budget=1000000")
    offers = refused = 0
    for state in positions(model, n_players, seed, one_in):
        if state.is_terminal:
            continue
        player = int(state.current_player)
        succeeds = is_success(state, player)
        actions = model.available_actions(state)
        certain = [
            action
            for action in actions
            if len(actions) > 1 and is_certain(model, state, player, action, succeeds, rng, deals)
        ]
        if not certain:
            continue
        offers += 1
        agent.player = player
        agent.sim = Simulator(model, Rng(offers), agent.new_budget())
        seen = state.observation(player, rng)
        agent.start_game(seen)
        choice = agent.act(seen, model.available_actions(seen))
        values = {row["action"]: row["value"] for row in agent.statistics()["actions"]}
        as_good = [action for action in certain if values[str(action)] == values[str(choice)]]  # also by forced steps
        if choice not in certain and not as_good and values[str(choice)] < 1.0:
            refused += 1
    return offers, refused


def wins(state, player):
    """Return a test for positions in which ``player`` has won."""
    return lambda after: after.is_terminal and after.result(player) == WIN


def wins_a_round(state, player):
    """Return a test for positions in which ``player`` has one more token, as after a round of Love Letter."""
    before = state.tokens[player]
    return lambda after: after.tokens[player] > before


@pytest.mark.parametrize(("spec", "n_players"), CASES)
def test_one_step_look_ahead_takes_every_win(spec, n_players):
    assert declined(spec, n_players, 5, wins)[1] == 0


def test_wins_are_offered():
    """The test above looks at something."""
    for spec, n_players in (
        ("cant_stop:columns=1", 2),
        ("virus", 3),
        ("love_letter", 2),
        ("connect_four", 2),
        ("hex:size=5", 2),
    ):
        assert declined(spec, n_players, 5, wins)[0] > 0, spec


@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_one_step_look_ahead_takes_every_round_of_love_letter_that_is_won(n_players):
    offers, refused = declined("love_letter", n_players, 9, wins_a_round, one_in=1, deals=_DEALS_OF_ROUNDS)
    assert offers > 20
    assert refused == 0


@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_rounds_of_love_letter_won_and_lost_are_beyond_all_hands(n_players):
    """With the same tokens before, a round won is above every position of the round, and one lost below."""
    model, rng = make_game("love_letter"), Rng(4)
    heuristic = model.heuristic()
    rounds = 0
    state = model.setup(n_players, rng)
    while rounds < 60:
        if state.is_terminal:
            state = model.setup(n_players, rng)
        values, tokens = [], state.tokens[:]
        best = max(tokens)
        while state.tokens == tokens and not state.is_terminal:
            values.append([heuristic.value(state, player) for player in range(n_players)])
            model.next(state, model.random_action(state, rng), rng)
        for player in range(n_players):
            after = heuristic.value(state, player)
            if state.tokens[player] > tokens[player]:
                assert after > max(value[player] for value in values)
                rounds += 1
            elif max(state.tokens) > best:
                assert after < min(value[player] for value in values)
