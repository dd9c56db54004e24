"""Moves of random games, and those among them that deal all that is hidden anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from tag.check.evidence.deals import Deals, RandomMove
from tag.check.evidence.values import difference, leaves
from tag.check.report import Where
from tag.engine.forward_model import ForwardModel
from tag.engine.rng import Rng
from tag.engine.state import GameState

#: Random games in search of moves, their actions, and moves of each kind.
_GAMES: Final = 12
_LONGEST: Final = 200
_OF_A_KIND: Final = 2

#: The most and the fewest moves compared, and the values of their positions between.
_MOST: Final = 10
_FEWEST: Final = 5
_COMPARED_VALUES: Final = 500

#: A random position comes after fewer actions than this.
_LATEST: Final = 40

#: Draws that show what a move decides, and what an observation deals again.
_DRAWS: Final = 20


def random_moves(
    model: ForwardModel[Any], deals: Deals, where: Callable[[int], Where], rng: Rng
) -> Iterator[RandomMove]:
    """Play random games and yield their moves, but for those that end a game; ``where`` names the game with a seed."""
    for _game in range(_GAMES):
        seed = game_seed(rng)
        state = deals.deal(seed)
        while state.tick < _LONGEST and not state.is_terminal:
            before, action = state.copy(), model.random_action(state, rng)
            chance = Rng(rng.next32())
            unused = chance.snapshot()
            model.next(state, action, chance)
            if not state.is_terminal:
                yield RandomMove(before, action, where(seed), chance.snapshot() != unused)


def random_position(model: ForwardModel[Any], deals: Deals, rng: Rng) -> GameState:
    """Play a game at random for less than `_LATEST` actions, most often for a few, and return its position.

    If the game is over by then, it is the last position before.
    """
    state = deals.deal(game_seed(rng))
    for _action in range(1 + rng.below(1 + rng.below(_LATEST))):
        after: GameState = state.copy()
        model.next(after, model.random_action(state, rng), rng)
        if after.is_terminal:
            break
        state = after
    return state


def game_seed(rng: Rng) -> int:
    """Draw the seed of a game."""
    return int(rng.next32()) << 31 | int(rng.next32() >> 1)


def hiding_moves(model: ForwardModel[Any], deals: Deals, where: Callable[[int], Where], rng: Rng) -> list[RandomMove]:
    """Return moves after which something is hidden: one of each kind first, those with chance before others."""
    found: dict[tuple[object, ...], list[RandomMove]] = {}
    for move in random_moves(model, deals, where, rng):
        after = move.state.copy()
        model.next(after, move.action, rng)
        if after.is_terminal:
            continue
        kind = (type(move.action), move.draws, after.round != move.state.round, after.phase)
        held = found.setdefault(kind, [])
        if len(held) < _OF_A_KIND and difference(after, after.observation(move.state.current_player, rng)):
            held.append(move)
    kinds = [held for held in found.values() if held]
    rng.shuffle(kinds)
    kinds.sort(key=_is_certain)
    most = min(max(_COMPARED_VALUES // len(leaves(deals.states[0])), _FEWEST), _MOST)
    return [held[number] for number in range(_OF_A_KIND) for held in kinds if len(held) > number][:most]


def _is_certain(moves: list[RandomMove]) -> bool:
    return not moves[0].draws


def deals_anew(model: ForwardModel[Any], move: RandomMove, rng: Rng) -> bool:
    """Say whether a move deals all that is hidden after it."""
    if not move.draws:
        return False
    decided: list[dict[str, object]] = []
    for _draw in range(_DRAWS):
        after = move.state.copy()
        model.next(after, move.action, rng)
        decided.append(leaves(after))
    hidden = [leaves(after.observation(move.state.current_player, rng)) for _draw in range(_DRAWS)]
    return _varying([decided[-1], *hidden]) <= _varying(decided)


def _varying(samples: list[dict[str, object]]) -> set[str]:
    """Return the paths whose values are not the same in all samples."""
    paths = dict.fromkeys([path for sample in samples for path in sample])
    return {path for path in paths if len({repr(sample.get(path)) for sample in samples}) > 1}
