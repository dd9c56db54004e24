"""Positions of Catan on an island without surprises, and play by short words."""

from tag import Rng, make_game
from tag.games.boards.catan.actions import MoveRobber, TradeWithPlayer
from tag.games.boards.catan.data import CARD_NAMES, CORNER_PATHS, ENDS, ISLAND, MAIN, RESOURCES, STARTS, pack

#: By hex: its resource and its number. Row by row; the desert is in the middle.
TERRAIN = (0, 1, 2, 3, 4, 0, 1, 2, 3, 5, 4, 0, 1, 2, 3, 4, 0, 2, 3)
DISCS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 0, 12, 11, 10, 9, 8, 6, 5, 4, 3)
HARBOURS = (0, 5, 1, 5, 2, 5, 3, 5, 4)
MIDDLE = 9


def cards(**numbers):
    """Return resource cards as a set: ``cards(lumber=1, ore=2)``."""
    return pack([numbers.get(name, 0) for name in RESOURCES])


def position(n_players=3, rolled=True, **rules):
    """Return rules, and the first turn of player 0 on an island where nothing is built."""
    text = ",".join(f"{name}={value}" for name, value in rules.items())
    model = make_game(f"catan:{text}" if text else "catan")
    state = model.setup(n_players, Rng(1))
    state.terrain, state.discs, state.harbours, state.robber = TERRAIN, DISCS, HARBOURS, MIDDLE
    state.first_player = state.turn_player = state.current_player = 0
    state.turn, state.phase, state.has_rolled = 2 * n_players, MAIN, rolled
    return model, state


def give(state, seat, **numbers):
    """Give cards from the bank, for all to see."""
    state.gain(seat, cards(**numbers))


def take_from_bank(state, seat, kind, left):
    """Give a player all cards of a kind but so many."""
    there = state.bank >> 6 * RESOURCES.index(kind) & 63
    give(state, seat, **{kind: there - left})


def hold(state, seat, *names):
    """Give development cards that were bought earlier."""
    for name in names:
        card = pack([int(name == one) for one in CARD_NAMES])
        state.deck -= card
        state.cards[seat] += card


def held(state, seat):
    """Return the resource cards of a player by name."""
    return {
        name: state.hands[seat] >> 6 * kind & 63
        for kind, name in enumerate(RESOURCES)
        if state.hands[seat] >> 6 * kind & 63
    }


def texts(model, state):
    """Return the available actions in words."""
    return [str(action) for action in model.available_actions(state)]


def act(model, state, text, rng=None):
    """Have the player to move take the action with this text."""
    by_text = {str(action): action for action in model.available_actions(state)}
    assert text in by_text, f"{text!r} is not among {sorted(by_text)}"
    model.next(state, by_text[text], Rng(1) if rng is None else rng)


def dice(total):
    """Return a stream whose first two dice have this sum."""
    for seed in range(1_000):
        number = Rng(seed).below(36)
        if number // 6 + number % 6 + 2 == total:
            return Rng(seed)
    raise AssertionError(total)


def end_turn(model, state, total):
    """End the turn; the next player rolls this sum."""
    act(model, state, "end turn", dice(total))
    if not state.is_terminal and "roll" in texts(model, state):
        act(model, state, "roll", dice(total))


def walk(start, length, avoid=()):
    """Return so many paths in a row from a corner, and the corner where they end."""
    ways = [([], start)]
    while ways:
        paths, corner = ways.pop()
        if len(paths) == length:
            return paths, corner
        for path in CORNER_PATHS[corner]:
            other = STARTS[path] + ENDS[path] - corner
            seen = {end for one in paths for end in ISLAND.paths[one]} | {start, *avoid}
            if other not in seen:
                ways.append(([*paths, path], other))
    raise AssertionError("there is no such way")


def corners(place):
    """Return the corners of a hex."""
    return ISLAND.hex_corners[place]


def partners(model, state):
    """Return the players with whom a trade is possible."""
    return [action.player for action in model.available_actions(state) if isinstance(action, TradeWithPlayer)]


def robberies(model, state):
    """Return the moves of the robber as pairs of a hex and a victim."""
    return [(one.place, one.victim) for one in model.available_actions(state) if isinstance(one, MoveRobber)]
