"""Random games of Catan beside a separate implementation of the printed rules: moves, cards, points and ends."""

from collections import Counter

import pytest
from printed_catan import KINDS, LAND, PATHS, PrintedCatan

from tag import WIN, Rng, make_game
from tag.games.boards.catan.actions import (
    AcceptOffer,
    BuyDevelopment,
    DeclineOffer,
    DiscardResource,
    FinishTurn,
    MoveRobber,
    OfferTrade,
    PlaceCity,
    PlaceRoad,
    PlaceSettlement,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    RollDice,
    TradeWithBank,
    TradeWithPlayer,
    WithdrawOffer,
)
from tag.games.boards.catan.data import ANSWER, CARD_NAMES, HEXES, ISLAND, counts_of

AROUND = ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1))
PAIRS, POINTS = ISLAND.paths, ISLAND.points
PLAIN = {
    AcceptOffer: "accept",
    BuyDevelopment: "buy",
    DeclineOffer: "decline",
    FinishTurn: "end",
    PlayKnight: "knight",
    PlayRoadBuilding: "road building",
    RollDice: "roll",
    WithdrawOffer: "withdraw",
}


def hexes_around(point):
    """Return the three hexes whose centres are around a corner, those of the sea included."""
    y, x = point
    centres = [(x + dx, y + dy) for dx, dy in AROUND]
    return frozenset(((cx - cy // 3) // 2, cy // 3) for cx, cy in centres if cy % 3 == 0 and (cx - cy // 3) % 2 == 0)


CORNER = [hexes_around(point) for point in POINTS]
PATH = [CORNER[start] & CORNER[end] for start, end in PAIRS]


WORDS = {
    PlaceRoad: lambda one: ("road", PATH[one.path]),
    PlaceSettlement: lambda one: ("settlement", CORNER[one.corner]),
    PlaceCity: lambda one: ("city", CORNER[one.corner]),
    MoveRobber: lambda one: ("robber", HEXES[one.place], one.victim if one.victim >= 0 else None),
    DiscardResource: lambda one: ("discard", KINDS[one.kind]),
    PlayMonopoly: lambda one: ("monopoly", KINDS[one.kind]),
    PlayYearOfPlenty: lambda one: ("plenty", frozenset(named(one.cards()).items())),
    TradeWithBank: lambda one: ("bank", KINDS[one.gives], KINDS[one.gets]),
    OfferTrade: lambda one: ("offer", KINDS[one.gives], one.number, KINDS[one.gets]),
    TradeWithPlayer: lambda one: ("partner", one.player),
}


def in_words(action):
    """Return an action as the oracle calls it."""
    if type(action) in PLAIN:
        return (PLAIN[type(action)],)
    return WORDS[type(action)](action)


def named(cards, names=KINDS):
    return +Counter(dict(zip(names, counts_of(cards), strict=True)))


def oracle_of(state, **rules):
    names = (*KINDS, "desert")
    terrain = {place: names[kind] for place, kind in zip(HEXES, state.terrain, strict=True)}
    discs = dict(zip(HEXES, state.discs, strict=True))
    harbours = [(*KINDS, "any")[kind] for kind in state.harbours]
    return PrintedCatan(terrain, discs, harbours, state.current_player, state.n_players, **rules)


def compare(state, other):
    """Compare all that is on the table."""
    assert +other.bank == named(state.bank)
    for seat in range(state.n_players):
        assert +other.hands[seat] == named(state.hands[seat])
        assert +other.cards[seat] == named(state.cards[seat], CARD_NAMES)
        assert other.points(seat) == state.points(seat)
        assert other.knights[seat] == state.knights[seat]
        assert {path for path, owner in other.roads.items() if owner == seat} == {
            PATH[path] for path in range(len(PATH)) if state.roads[path] == seat
        }
    assert (other.longest, other.army) == tuple(
        None if holder < 0 else holder for holder in (state.road_holder, state.army_holder)
    )
    assert HEXES[state.robber] == other.robber


def chance_in(state):
    """Return what chance has decided in the last action: the card drawn or stolen, and the sum of the dice."""
    kinds = {event.name: event.items for event in state.announced}
    return {
        "dice": state.first_die + state.second_die,
        "card": kinds.get("drawn", (None,))[0],
        "stolen": kinds.get("stolen", (None,))[0],
    }


def asked_for(state):
    """Return the players who are asked for an answer, the first included."""
    if state.phase != ANSWER:
        return []
    due = [seat for seat in range(state.n_players) if state.due >> seat & 1]
    return [state.current_player, *sorted(due, key=lambda seat: (seat - state.turn_player) % state.n_players)]


def weigh(actions, rng):
    """Choose an action at random, offers and ends of turns less often, so that games are built and ended."""
    quiet = [action for action in actions if not isinstance(action, (OfferTrade, FinishTurn))]
    if quiet and rng.below(4):
        return quiet[rng.below(len(quiet))]
    return actions[rng.below(len(actions))]


def check_legal(state, actions, other):
    """Compare the legal moves; offers are left out for cards that no other player can have."""
    words = {in_words(action) for action in actions}
    legal = other.legal()
    assert len(words) == len(actions)
    assert words <= legal
    for missing in legal - words:
        assert missing[0] == "offer"
        assert not any(other.hands[seat][missing[3]] for seat in range(state.n_players) if seat != other.mover)
    assert state.current_player == other.mover


def side_by_side(spec, n_players, least, **rules):
    """Play at least so many actions at random, and compare after each; return how often each kind of move was made."""
    model, played, moves, seed = make_game(spec), 0, Counter(), 0
    while played < least:
        seed += 1
        rng = Rng(seed)
        state = model.setup(n_players, rng)
        state.recording = True
        other = oracle_of(state, **rules)
        while not state.is_terminal:
            actions = model.available_actions(state)
            check_legal(state, actions, other)
            action = weigh(actions, rng)
            state.announced = ()
            model.next(state, action, rng)
            asked = asked_for(state) if isinstance(action, OfferTrade) else []
            other.move(*in_words(action), chance=chance_in(state), asked=asked)
            compare(state, other)
            moves[in_words(action)[0]] += 1
            moves["longest road"] += state.road_holder >= 0
            played += 1
        winners = [seat for seat in range(n_players) if state.result(seat) == WIN]
        assert other.winner == winners[0] or state.round == model.max_rounds
    return moves


ALL = {
    *PLAIN.values(),
    "road",
    "settlement",
    "city",
    "robber",
    "discard",
    "monopoly",
    "plenty",
    "bank",
    "offer",
    "partner",
}


def test_corners_and_paths_are_those_of_three_and_two_hexes():
    assert len(set(CORNER)) == 54
    assert set(PATH) == PATHS
    assert set(HEXES) == LAND


@pytest.mark.flow
@pytest.mark.parametrize("n_players", [3, 4])
def test_games_are_those_of_the_printed_rules(n_players):
    side_by_side("catan", n_players, 1_500)


@pytest.mark.flow
def test_so_are_games_with_a_scarce_bank():
    side_by_side("catan:bank=12,offers=1,hand_limit=20", 4, 1_500, bank=12, offers=1, limit=20)


@pytest.mark.slow
@pytest.mark.parametrize("n_players", [3, 4])
def test_100000_actions_are_those_of_the_printed_rules(n_players):
    moves = side_by_side("catan", n_players, 40_000)
    moves += side_by_side("catan:trading=bank,bank=14", n_players, 15_000, bank=14, offers=0)
    assert all(moves[kind] > 50 for kind in ALL), moves
