"""What players of Pandemic know, what positions are worth, and the data file."""

import json
from collections import Counter
from importlib.resources import files
from itertools import pairwise

import pytest
from pandemic_positions import BLUE, BLUE_FIVE, FILLER, card, cards, end_turn, place_names, play, position, random_games
from play.valuing import features_of, heuristic_of

from tag.engine.rng import Rng
from tag.errors import DataError
from tag.games.boards.pandemic import Pandemic, PandemicHeuristic, PandemicHeuristicParameters
from tag.games.boards.pandemic.data import EPIDEMIC, load_world


def observations(state, number, player=0):
    rng = Rng(7)
    return [state.observation(player, rng) for _draw in range(number)]


def epidemics_by_pile(state):
    bounds = [min(start, len(state.player_deck)) for start in [*state.piles, len(state.player_deck)]]
    return [state.player_deck[low:high].count(EPIDEMIC) for low, high in pairwise(bounds)]


def layers(state):
    """Return the cards of each layer of the infection deck, as sets."""
    bounds = [*state.layers, len(state.infection_deck)]
    return [set(state.infection_deck[low:high]) for low, high in pairwise(bounds)]


# --- observations ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_players", [2, 4])
def test_each_pile_keeps_its_epidemic(n_players):
    for state in random_games(n_players, 2, seed=n_players):
        for seen in observations(state, 2):
            assert epidemics_by_pile(seen) == epidemics_by_pile(state)
            assert Counter(seen.player_deck) == Counter(state.player_deck)


@pytest.mark.parametrize("n_players", [2, 4])
def test_layers_of_the_infection_deck_keep_their_cards(n_players):
    for state in random_games(n_players, 3, seed=n_players):
        assert state.layers[0] == 0
        assert list(state.layers) == sorted(set(state.layers))
        assert all(layer for layer in layers(state)) or not state.infection_deck
        for seen in observations(state, 2):
            assert layers(seen) == layers(state)


def test_epidemic_can_be_anywhere_in_its_pile():
    state = Pandemic().setup(2, Rng(1))
    top = state.piles[-1]
    places = Counter(seen.player_deck.index(EPIDEMIC, top) for seen in observations(state, 400))
    assert set(places) == set(range(top, len(state.player_deck)))


def test_epidemic_drawn_is_not_dealt_into_its_pile_again():
    state = Pandemic().setup(2, Rng(1))
    place = state.player_deck.index(EPIDEMIC, state.piles[-1])
    del state.player_deck[place:]
    assert all(epidemics_by_pile(seen)[-1] == 0 for seen in observations(state, 20))


def test_cards_put_back_by_an_epidemic_are_known_to_be_on_top():
    model, state = position(deck=[*FILLER, "Epidemic", "Seoul"], infection_discards=["Paris", "Lima", "Cairo", "Delhi"])
    end_turn(model, state)
    left = 5 - 2
    known = set(state.infection_deck[-left:])
    assert all(set(seen.infection_deck[-left:]) == known for seen in observations(state, 20))
    assert len({tuple(seen.infection_deck[-left:]) for seen in observations(state, 60)}) == 6


def test_card_at_the_bottom_is_not_known():
    _model, state = position()
    assert len({seen.infection_deck[0] for seen in observations(state, 300)}) > 20


def test_forecast_is_known_in_its_order():
    model, state = position(hands=[["Forecast"], []])
    play(model, state, "play Forecast")
    assert all(seen.infection_deck[-6:] == state.infection_deck[-6:] for seen in observations(state, 5, player=1))
    assert len({tuple(seen.infection_deck[:-6]) for seen in observations(state, 5)}) == 5


def test_forecast_of_cards_in_a_layer_leaves_the_rest_of_the_layer():
    model, state = position(hands=[["Forecast"], []])
    state.layers = (0, 40)
    play(model, state, "play Forecast")
    assert layers(state)[:2] == [set(state.infection_deck[:40]), set(state.infection_deck[40:42])]
    assert len(state.layers) == 8


def test_bottom_card_drawn_moves_the_layers_down():
    _model, state = position()
    state.layers = (0, 1, 2, 40)
    deck = list(state.infection_deck)
    state.draw_bottom(Rng(1))
    assert state.layers == (0, 1, 39)
    assert state.infection_deck == deck[1:]


def test_knowledge_is_all_but_the_order_of_the_decks():
    _model, state = position()
    other = state.copy()
    other.infection_deck.reverse()
    other.player_deck.reverse()
    assert state.knowledge(1) == other.knowledge(1)
    other.hands[0] = cards(["Paris"])
    assert state.knowledge(1) != other.knowledge(1)


def test_infection_deck_that_runs_out_is_made_of_the_discards():
    model, state = position()
    state.infection_discards = tuple(range(48))
    state.infection_deck = []
    end_turn(model, state)
    assert (len(state.infection_deck), len(state.infection_discards)) == (46, 2)


# --- values and texts -----------------------------------------------------------------------------------------------


def weighed(state, **weights):
    names = [one.name for one in PandemicHeuristicParameters.dimensions()]
    chosen = PandemicHeuristicParameters(**{name: weights.get(name, 0.0) for name in names})
    return PandemicHeuristic(chosen).value(state, 0)


def test_terms_of_the_heuristic():
    _model, state = position(
        ["Medic", "Scientist"],
        hands=[["Paris", "Milan"], ["Essen", "Lima"]],
        cubes={"Cairo": 3, "Lagos": 1},
        cured=(3,),
    )
    state.outbreaks = 2
    assert weighed(state, cures=1.0) == pytest.approx(0.25)
    assert weighed(state, cubes=0.5) == pytest.approx(0.5 * 92 / 96)
    assert weighed(state, deck=1.0) == pytest.approx(6 / 57)
    # blue 2 of 5, yellow 1 of 4 (the Scientist's), black none, red cured
    assert weighed(state, hands=1.0) == pytest.approx((0.4 + 0.25 + 0 + 1) / 4)
    assert weighed(state, outbreaks=-1.0) == pytest.approx(-0.25)
    assert weighed(state, stations=1.0) == pytest.approx(1 / 6)
    # all 96 cubes in full cities count 32 times 1 + 2 + 3
    assert weighed(state, threat=-1.0) == pytest.approx(-(1 + 2 + 3 + 1) / (32 * 6))
    # Cairo is five drives from Atlanta, Lagos four
    assert weighed(state, threat=-1.0, reach=0.1) == pytest.approx(-(6 * 1.5 + 1 * 1.4) / (32 * 6))


@pytest.mark.parametrize(("city", "drives"), [("Atlanta", 0), ("Miami", 1), ("New York", 2), ("Madrid", 3)])
def test_way_is_that_of_the_nearest_player_with_all_cards(city, drives):
    roles = ["Medic", "Scientist"]
    _model, state = position(roles, hands=[BLUE_FIVE, ["Lima"] * 3], pawns=[city, "Atlanta"])
    assert weighed(state, way=1.0) == pytest.approx(1 / (1 + drives) / 4)
    _model, state = position(roles, hands=[BLUE_FIVE[:4], []], pawns=[city, "Atlanta"])
    assert weighed(state, way=1.0) == 0
    _model, state = position(roles, hands=[BLUE_FIVE, BLUE_FIVE[:4]], pawns=[city, "Atlanta"])
    assert weighed(state, way=1.0) == pytest.approx(1 / 4)
    _model, state = position(roles, hands=[BLUE_FIVE, []], pawns=[city, "Atlanta"], cured=(BLUE,))
    assert weighed(state, way=1.0) == pytest.approx(1 / 4)


def test_every_step_towards_a_cure_is_worth_more():
    def value(cards, city, **others):
        return heuristic_of(
            position(["Medic", "Researcher"], hands=[cards, []], pawns=[city, "Sydney"], **others)[1], 0
        )

    steps = [value(BLUE_FIVE[:number], "Madrid") for number in range(6)]
    steps += [value(BLUE_FIVE, city) for city in ("New York", "Washington", "Atlanta")]
    steps.append(value([], "Atlanta", cured=(BLUE,)))
    assert steps == sorted(set(steps))


def test_every_step_towards_an_outbreak_is_worth_less():
    def value(cubes, city="Paris"):
        return heuristic_of(position(["Medic", "Researcher"], cubes=cubes, pawns=[city, "Sydney"])[1], 0)

    steps = [value({}), value({"Paris": 1}), value({"Paris": 1, "Milan": 1}), value({"Paris": 2}), value({"Paris": 3})]
    steps += [value({"Paris": 3}, city) for city in ("Madrid", "New York", "Washington", "Atlanta")]
    assert steps == sorted(set(steps), reverse=True)


def test_heuristic_is_that_of_the_defaults():
    _model, state = position(hands=[["Paris"], []], cubes={"Cairo": 2})
    assert heuristic_of(state, 0) == PandemicHeuristic().value(state, 1)


@pytest.mark.parametrize("needed", [2, 5])
def test_no_position_is_worth_as_much_as_a_win_or_as_little_as_a_loss(needed):
    for state in random_games(4, 3, seed=needed, cards_for_cure=needed):
        value = heuristic_of(state, 0)
        assert abs(value) < 1 or state.is_terminal
        assert [heuristic_of(seen, 1) for seen in observations(state, 1)] == [value]


def test_features_name_what_is_there():
    _model, state = position(["Medic", "Scientist"], hands=[["Paris"], ["Lima"]], cubes={"Cairo": 3}, cured=(BLUE,))
    mine, theirs = features_of(state, 0), features_of(state, 1)
    assert mine["cubes_Cairo"] == 1
    assert mine["cured_blue"] == 1
    assert (mine["holds_0_Paris"], mine["holds_1_Lima"], theirs["holds_0_Lima"]) == (1, 1, 1)
    assert (mine["role_0_2"], theirs["role_1_2"]) == (1, 1)
    assert list(mine) == list(theirs)


def test_text_names_what_is_there():
    model, state = position(
        ["Contingency Planner", "Medic"], hands=[["Paris"], []], cubes={"Cairo": 3}, stored="Airlift"
    )
    text = state.text(1)
    assert "player 0  Contingency Planner in Atlanta  cards Paris  stored Airlift" in text
    assert "Cairo 3 black" in text
    play(model, state, "play Airlift", "choose player 1")
    assert "stored" not in state.text(0)


def test_components_count_cubes_and_cards():
    _model, state = position(hands=[["Paris"], []], cubes={"Cairo": 3})
    found = {component.name for component in state.components()}
    assert {"black in Cairo", "station in Atlanta", "hand of 0", "infection deck", "player deck"} <= found


# --- the data file --------------------------------------------------------------------------------------------------


@pytest.fixture
def world():
    return json.loads(files("tag.games.boards.pandemic").joinpath("world.json").read_text(encoding="utf-8"))


def refused(tmp_path, world):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(world), encoding="utf-8")
    with pytest.raises(DataError) as error:
        load_world(path)
    return str(error.value)


def test_unknown_city_is_refused(tmp_path, world):
    world["graph_boards"][0]["nodes"][3]["neighbours"][0] = "Chicagoo"
    assert refused(tmp_path, world) == (
        "mine.json: graph_boards[0].nodes[3].neighbours: no node is named 'Chicagoo'; did you mean 'Chicago'?"
    )


def test_unknown_city_at_the_other_end_of_an_edge_is_refused(tmp_path, world):
    world["graph_boards"][0]["nodes"][2]["name"] = "Atlantis"
    assert "nodes[1].neighbours: no node is named 'Atlanta'; did you mean 'Atlantis'?" in refused(tmp_path, world)


def test_unknown_property_of_a_city_is_refused(tmp_path, world):
    properties = world["graph_boards"][0]["nodes"][5]["properties"]
    properties["populaton"] = properties.pop("population")
    assert refused(tmp_path, world) == (
        "mine.json: graph_boards[0].nodes[5].properties: no property is named 'populaton'; did you mean 'population'?"
    )


def test_negative_count_is_refused(tmp_path, world):
    world["decks"][0]["cards"][2]["count"] = -1
    assert refused(tmp_path, world) == ("mine.json: decks[0].cards[2].count: it cannot be -1; the nearest value is 0")


@pytest.mark.parametrize(("deck", "kind"), [(0, "roles"), (1, "events")])
@pytest.mark.parametrize("count", [0, 2])
def test_role_and_event_that_are_not_there_once_are_refused(tmp_path, world, deck, kind, count):
    world["decks"][deck]["cards"][1]["count"] = count
    assert f"mine.json: {kind}.cards: each of these has to be there once: " in refused(tmp_path, world)


def test_unknown_role_is_refused(tmp_path, world):
    world["decks"][0]["cards"][2]["name"] = "Medik"
    assert refused(tmp_path, world) == "mine.json: roles.cards[2].name: no role is named 'Medik'; did you mean 'Medic'?"


def test_unknown_colour_and_negative_numbers_are_refused(tmp_path, world):
    node = world["graph_boards"][0]["nodes"][5]
    node["properties"]["population"] = -1
    assert "nodes[5].properties.population: it cannot be -1" in refused(tmp_path, world)
    node["properties"]["colour"] = "blu"
    assert "nodes[5].properties.colour: no colour is named 'blu'; did you mean 'blue'?" in refused(tmp_path, world)


def test_wrong_infection_rate_is_refused(tmp_path, world):
    world["grid_boards"][0]["cells"] = [[2, 2, 2, 3, 3, 4, -4]]
    assert "an infection rate cannot be -4; the nearest value is 0" in refused(tmp_path, world)
    world["grid_boards"][0]["cells"] = [[2, 2]]
    assert "the infection rate has 7 steps, not 2" in refused(tmp_path, world)


def test_missing_parts_are_refused(tmp_path, world):
    nodes = world["graph_boards"][0]["nodes"]
    gone = nodes.pop()["name"]
    for node in nodes:
        node["neighbours"] = [name for name in node["neighbours"] if name != gone]
    assert "the map has 48 cities, not 47" in refused(tmp_path, world)
    for part, message in [("graph_boards", "the map is missing"), ("decks", "there is no deck 'roles'")]:
        assert message in refused(tmp_path, {**_full(), part: []})


def _full():
    return json.loads(files("tag.games.boards.pandemic").joinpath("world.json").read_text(encoding="utf-8"))


def test_too_many_cities_of_a_colour_are_refused(tmp_path, world):
    world["graph_boards"][0]["nodes"][0]["properties"]["colour"] = "red"
    assert "12 cities have to be blue" in refused(tmp_path, world)


def test_names_of_all_cities_can_be_read():
    assert place_names([card("São Paulo")]) == ["São Paulo"]
