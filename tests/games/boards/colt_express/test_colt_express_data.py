"""Colt Express: its parameters and data files, right and wrong."""

import copy
from pathlib import Path

import pytest

from tag.components.data import Fields, load_fields
from tag.engine.rng import Rng
from tag.errors import DataError, ParameterError
from tag.games.boards.colt_express import ColtExpress, ColtExpressParameters, data
from tag.games.boards.colt_express.data import ROUNDS, read_rounds, read_train

TRAIN_FILE = load_fields(Path(data.__file__).with_name("train.json")).content
ROUNDS_FILE = load_fields(Path(data.__file__).with_name("round_cards.json")).content


def changed(content, *path_and_value):
    """Return a copy of ``content`` with a value changed, or taken away where it is ``None``."""
    *path, key, value = path_and_value
    whole = copy.deepcopy(content)
    part = whole
    for step in path:
        part = part[step]
    if value is None:
        del part[key]
    else:
        part[key] = value
    return whole


def test_there_are_seven_round_cards_and_three_stations():
    assert len(ROUNDS.small) == len(ROUNDS.large) == 7
    assert len(ROUNDS.stations) == 3
    assert sum(len(card.turns) for card in ROUNDS.small) == 4 + 4 + 4 + 4 + 5 + 5 + 3
    assert sum(len(card.turns) for card in ROUNDS.large) == 3 + 3 + 4 + 3 + 4 + 4 + 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("cars", []), "cars: six players need 6 cars"),
        (("cars", 0, "purses", -1), "cars[0].purses: it cannot be -1; the nearest value is 0"),
        (("cars", 0, "purses", "two"), "cars[0].purses: it has to be a whole number"),
        (("cars", 0, "name", None), "cars[0] has no field 'name'"),
        (("cars", 0, "gold", 1), "cars[0].gold"),
        (("cars", 0, "purses", 9), "purses: the cars and six bandits need 26 purses, not 18"),
        (("cars", 0, "jewels", 9), "jewels.count: the cars need 15 jewels, not 6"),
        (("purses", 0, "count", 3), "first_purse: six bandits need 6 purses of 250, not 3"),
        (("jewels", "count", 50), "purses: there can be 60 pieces of loot in all, not 70"),
        (("strongboxes", None), "has no field 'strongboxes'"),
        (("jewels", "value", 0), "jewels.value: it cannot be 0; the nearest value is 1"),
    ],
)
def test_wrong_trains_are_refused_with_file_and_field(change, message):
    with pytest.raises(DataError) as error:
        read_train(Fields(changed(TRAIN_FILE, *change), "train.json"))
    assert str(error.value).startswith("train.json: ")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("rounds", 0, "event", "angry marshall"), "did you mean 'angry marshal'?"),
        (("rounds", 0, "event", "hostage"), "rounds[0].event: no event is named 'hostage'"),
        (("stations", 0, "event", "braking"), "stations[0].event: no event is named 'braking'"),
        (("rounds", 1, "turns_2_4", ["tunel"]), "no turn is named 'tunel'; did you mean 'tunnel'?"),
        (("rounds", 1, "turns_5_6", []), "rounds[1].turns_5_6: a round has 1 to 8 turns, not 0"),
        (("rounds", 1, "turns_5_6", [["tunnel"]]), "no turn is named ['tunnel']"),
        (("rounds", []), "rounds: there has to be a round card"),
        (("stations", []), "stations: there has to be a station"),
        (("rounds", 1, "name", None), "rounds[1] has no field 'name'"),
    ],
)
def test_wrong_round_cards_are_refused_with_file_and_field(change, message):
    with pytest.raises(DataError) as error:
        read_rounds(Fields(changed(ROUNDS_FILE, *change), "round_cards.json"))
    assert str(error.value).startswith("round_cards.json: ")
    assert message in str(error.value)


def test_deck_without_cards_is_refused():
    with pytest.raises(ParameterError, match="a deck of 0 action cards cannot be played"):
        ColtExpressParameters(moves=0, floor_changes=0, shots=0, robberies=0, marshals=0, punches=0)


def test_more_rounds_than_cards_are_refused():
    with pytest.raises(ParameterError, match="rounds cannot be 9; the range is 1..8, the nearest value 8"):
        ColtExpressParameters(rounds=9)


@pytest.mark.parametrize("seed", range(25))
def test_games_with_random_parameters_end(seed):
    rng = Rng(seed)
    model = ColtExpress(ColtExpressParameters.sample(rng))
    state = model.setup(2 + seed % 5, rng)
    for _action in range(5000):
        if state.is_terminal:
            break
        model.next(state, rng.choice(model.available_actions(state)), rng)
    assert state.is_terminal
    assert state.round == model.max_rounds
