"""Checks of chance and of what learners read: sources, outcomes with probabilities, afterstates, cells, symmetries."""

from __future__ import annotations

from typing import Any, Final

from tag.catalogue.models.shipped import shipped_counts
from tag.catalogue.registry import make_heuristic
from tag.check.subject import GameCheck, GameSubject, Position
from tag.engine.encoding import Cells
from tag.engine.forward_model import ForwardModel
from tag.engine.rng import Draws, Rng, derive_seed
from tag.engine.state import GameState
from tag.errors import ContractError, TagError

#: Outcomes gone through at a position, and set-ups in search of the image of one.
_OUTCOMES: Final = 64
_SET_UPS: Final = 2000
_ROUNDING: Final = 1e-9
#: Symmetries of which all products are made, and with which games are played; of more, some are drawn.
_ALL_PRODUCTS: Final = 24
_PLAYED: Final = 8
_ACTIONS: Final = 60
#: Pairs of games for each number of players, and the most actions of each.
_PAIRS: Final = 5
_LONGEST: Final = 1000


class OutcomesPossible(GameCheck):
    """Expectimax goes through the outcomes of actions instead of drawing them."""

    text = "the probabilities of an action's outcomes add up to 1, and next leads to one of them"
    untested = "the game has no chance, or more outcomes than can be gone through"

    def at(self, position: Position) -> None:
        model, state = position.model, position.state
        if state.is_terminal or not model.game_type.chance:
            return
        rng = position.rng("outcomes")
        action = rng.choice(model.available_actions(state))
        before = state.snapshot()
        outcomes = model.outcomes(state, action, _OUTCOMES).all()
        if state.snapshot() != before:
            raise ContractError(f"outcomes of {action} changes the position that it is asked about")
        if not outcomes:
            return
        self.cases += len(outcomes) > 1
        total = sum(probability for probability, _after in outcomes)
        if abs(total - 1.0) > _ROUNDING or any(probability <= 0.0 for probability, _after in outcomes):
            raise ContractError(f"the probabilities of the {len(outcomes)} outcomes of {action} add up to {total:.6g}")
        possible = {after.snapshot() for _probability, after in outcomes}
        after = state.copy()
        model.next(after, action, rng)
        if after.snapshot() not in possible:
            raise ContractError(f"next leads to a position that is none of the {len(outcomes)} outcomes of {action}")


class AfterstatesEqual(GameCheck):
    """Learners value the position between a player's part of a move and its chance part."""

    text = "afterstate, then resolve_chance, do what next does, and draw the same numbers"
    untested = "the game has no afterstate"

    def at(self, position: Position) -> None:
        model, state = position.model, position.state
        if state.is_terminal or type(model).afterstate is ForwardModel.afterstate:
            return
        before = state.snapshot()
        for action in model.available_actions(state):
            self.cases += 1
            after = model.afterstate(state, action)
            if after is None:
                raise ContractError(f"there is no afterstate of {action}, and the game has them")
            if state.snapshot() != before:
                raise ContractError(f"afterstate of {action} changes the position that it is asked about")
            rng, other = position.rng("afterstate"), position.rng("afterstate")
            expected = state.copy()
            model.resolve_chance(after, rng)
            model.next(expected, action, other)
            if after.snapshot() != expected.snapshot():
                raise ContractError(f"afterstate and resolve_chance of {action} lead elsewhere than next")
            if rng.snapshot() != other.snapshot():
                raise ContractError(f"resolve_chance after {action} draws more or fewer numbers than next")


class ChanceFromSources(GameCheck):
    """An analysis holds the sources of chance fixed one by one, and asks how much each decides."""

    text = "all that the rules draw comes from the declared sources of chance"
    untested = "the game declares no sources of chance"

    def finish(self, subject: GameSubject) -> None:
        """Play pairs of games that have nothing in common but the seeds of their sources, and the actions."""
        names = subject.model.game_type.chance_sources
        for n_players in subject.some_counts() if names else []:
            for pair in range(_PAIRS):
                self.cases += 1
                seed = derive_seed(subject.seed, "sources", n_players, pair)
                self.where = subject.where(n_players, seed)
                _play_by_sources(subject.model, n_players, seed)


def _play_by_sources(model: ForwardModel[Any], n_players: int, seed: int) -> None:
    """Play a random game twice, with equal sources and other numbers in all else; raise where they part."""
    streams = [Rng(seed, 1), Rng(seed, 2)]
    for rng in streams:
        rng.set_apart({name: derive_seed(seed, name) for name in model.game_type.chance_sources})
    chooser = Rng(seed, 3)
    states = [model.setup(n_players, rng) for rng in streams]
    last = "the set-up"
    for _action in range(_LONGEST):
        first, second = states
        if first.snapshot() != second.snapshot():
            raise ContractError(f"{last} draws from no declared source of chance: equal sources give other positions")
        if first.is_terminal:
            return
        action = chooser.choice(model.available_actions(first))
        for state, rng in zip(states, streams, strict=True):
            model.next(state, action, rng)
        last = str(action)


class CellsInRange(GameCheck):
    """n-tuples look up what the cells hold."""

    text = "a position has a value in range for each declared cell, and equal knowledge has equal cells"
    untested = "the game declares no cells"

    def __init__(self) -> None:
        super().__init__()
        self.declared: dict[tuple[ForwardModel[Any], int], Cells | None] = {}

    def at(self, position: Position) -> None:
        model, state = position.model, position.state
        key = (model, int(state.n_players))
        if key not in self.declared:
            self.declared[key] = model.cells(state.n_players)
        cells = self.declared[key]
        if cells is None:
            return
        self.cases += 1
        values = state.cell_values()
        if len(values) != cells.number:
            raise ContractError(f"cell_values has {len(values)} values, and {cells.number} cells are declared")
        if max(values) >= cells.n_values:
            raise ContractError(f"a cell holds {max(values)}, and values below {cells.n_values} are declared")
        for player in position.players:
            for drawn in position.drawn(player):
                if drawn.cell_values() != values:
                    raise ContractError(f"cell_values tells player {player} more than an observation does")


class LearnedValuesFit(GameCheck):
    """Learned values that come with a game were learned by one version of its rules, features and default parameters."""

    text = "the learned values that come with the game are of its present rules, features and default parameters"
    untested = "no learned values come with the game"

    def finish(self, subject: GameSubject) -> None:
        """Ask the heuristic that uses them."""
        cls = type(subject.model.undecorated())
        for n_players in shipped_counts(cls):
            self.cases += 1
            self.where = subject.where(n_players, subject.seed)
            try:
                make_heuristic("learned").check_game(cls(), n_players)
            except TagError as error:
                raise ContractError(str(error)) from None


class SymmetriesKept(GameCheck):
    """Learners take positions for the same that a symmetry maps to each other."""

    text = "symmetries of cells and actions form a group, and play is the same in a position and its images"
    untested = "the game declares no symmetries"

    def finish(self, subject: GameSubject) -> None:
        """Look at the group, then play games beside their images."""
        for n_players in subject.some_counts():
            cells = subject.model.cells(n_players)
            if cells is None or len(cells.symmetries) == 1:
                continue
            rng = Rng(derive_seed(subject.seed, "symmetries", n_players))
            _check_group(cells, rng)
            numbers = list(range(1, len(cells.symmetries)))
            rng.shuffle(numbers)
            for number in numbers[:_PLAYED]:
                self.cases += 1
                self.where = subject.where(n_players, subject.seed)
                _play_beside_image(subject.model, n_players, cells, number, rng)


def _check_group(cells: Cells, rng: Rng) -> None:
    """Raise if a product of two symmetries is none, of cells or of actions with them."""
    known = {symmetry: number for number, symmetry in enumerate(cells.symmetries)}
    if len(known) < len(cells.symmetries):
        raise ContractError("two symmetries are the same")
    n = len(cells.symmetries)
    pairs = [(first, second) for first in range(n) for second in range(n)]
    if n > _ALL_PRODUCTS:
        pairs = [(rng.below(n), rng.below(n)) for _pair in range(_ALL_PRODUCTS**2)]
    for first, second in pairs:
        product = _product(cells.symmetries[first], cells.symmetries[second])
        if product not in known:
            raise ContractError(f"symmetry {second} after symmetry {first} is no symmetry: they form no group")
        if cells.actions and _product(cells.actions[first], cells.actions[second]) != cells.actions[known[product]]:
            raise ContractError(
                f"symmetry {second} after symmetry {first} moves the actions otherwise than their product"
            )


def _product(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([second[place] for place in first])


def _play_beside_image(model: ForwardModel[Any], n_players: int, cells: Cells, number: int, rng: Rng) -> None:
    """Play a random game and its image, until chance has too many outcomes to find that of the image."""
    vocabulary = model.vocabulary(n_players)
    state: GameState = model.setup(n_players, rng)
    image = _image_of_set_up(model, n_players, cells.moved(state.cell_values(), number))
    for _action in range(_ACTIONS):
        if image is None or state.is_terminal or not cells.actions:
            return
        images = {
            action: vocabulary.action(cells.actions[number][vocabulary.index(action)])
            for action in model.available_actions(state)
        }
        if set(images.values()) != set(model.available_actions(image)):
            raise ContractError(f"symmetry {number} maps the available actions to others than those of the image")
        action = rng.choice(list(images))
        found = model.outcomes(state, action).all()
        if not found:
            return
        probability, after = found[rng.below(len(found))]
        there = {one.cell_values(): (p, one) for p, one in model.outcomes(image, images[action]).all()}
        expected, image = there.get(cells.moved(after.cell_values(), number), (0.0, None))
        if image is None or abs(expected - probability) > _ROUNDING:
            raise ContractError(f"after {action}, symmetry {number} leads where its image does not, or not as likely")
        if (after.results, after.current_player) != (image.results, image.current_player):
            raise ContractError(f"after {action}, symmetry {number} changes the results or who is to move")
        state = after


def _image_of_set_up(model: ForwardModel[Any], n_players: int, values: bytes) -> GameState | None:
    """Return a set-up in which the cells hold ``values``; None if it is not found soon."""
    draws = Draws()
    for _set_up in range(_SET_UPS):
        state: GameState = model.setup(n_players, draws.rng())
        if state.cell_values() == values:
            return state
        if not draws.is_exact or not draws.advance():
            break
    return None
