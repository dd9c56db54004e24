"""What tells actions apart: their keys, by default the arguments of their constructors."""

import pickle

import pytest

from tag import Action, Listener, interned, make_game
from tag.catalogue.registry import game_names
from tag.errors import ContractError
from tag.orders import GameOrder, new_game


class Plain(Action):
    pass


class Pair(Action):
    def __init__(self, one, other=0):
        self.other = other
        self.one = one


class Heir(Pair):
    pass


class Fixed(Pair):
    def __init__(self):
        super().__init__(3, 4)


class Renamed(Action):
    def __init__(self, card):
        self.value = card


def test_a_key_has_the_arguments_of_the_constructor_in_their_order():
    assert [action.key() for action in (Plain(), Pair(1), Heir(1, 2), Fixed())] == [(), (1, 0), (1, 2), ()]
    assert repr(Heir(1, 2)) == "Heir(1, 2)"


def test_actions_with_other_arguments_are_other_objects():
    actions = [interned(cls(one, other)) for cls in (Pair, Heir) for one in range(3) for other in range(3)]
    assert len(set(actions)) == 18
    assert [pickle.loads(pickle.dumps(action)) for action in actions] == actions


def test_an_argument_that_no_field_keeps_is_named():
    with pytest.raises(ContractError, match=r"Renamed\(card\) has no field 'card'; set self.card, or override key\(\)"):
        interned(Renamed(1))


class Watch(Listener):
    def __init__(self):
        self.seen = set()

    def on_action_chosen(self, state, player, action, actions, agent):
        self.seen.update(actions)


@pytest.mark.parametrize("game", game_names())
def test_the_actions_of_games_are_made_anew_from_their_keys(game):
    kind = make_game(game).game_type
    watch = Watch()
    spec = f"{game}:{kind.check_parameters}" if kind.check_parameters else game
    new_game(GameOrder("", spec, ("random",) * kind.min_players, 5), [watch]).play()
    assert len(watch.seen) > 1
    for action in watch.seen:
        assert interned(type(action)(*action.key())) is action
