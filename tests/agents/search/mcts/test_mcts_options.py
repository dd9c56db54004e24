"""Every value of every parameter of MCTS changes the search, in every kind of tree and with every policy that reads it."""

from collections.abc import Iterator
from functools import cache

import pytest
from mypy_extensions import i64
from play.tree_games import PathHeuristic, PathState, decide, go, searcher

from tag import AnyAction, ForwardModel, GameType, Rng
from tag.agents.search.mcts.parameters import MctsParameters
from tag.engine.parameters import COSTS
from tag.errors import ParameterError

pytestmark = pytest.mark.flow

# --- games in which everything matters ----------------------------------------------------------------------------------


class Garden(ForwardModel[PathState]):
    """Three players take ways that are worth something to each of them: eighteen, two in each turn."""

    game_type = GameType("Garden", 3, 3, hidden_information=False, chance=False, heuristic=PathHeuristic)

    def _setup(self, n_players: i64, rng: Rng) -> PathState:
        return PathState(n_players)

    def _available_actions(self, state: PathState) -> list[AnyAction]:
        return [go(name) for name in "abcde"]

    def _after_action(self, state: PathState, action: AnyAction, rng: Rng) -> None:
        worth = Rng(int.from_bytes("".join(state.path[-3:]).encode()), state.card)
        values = [value + worth.uniform() - 0.5 for value in state.values]
        state.values = values
        if state.tick == 17:
            state.end_with_winner(values.index(max(values)))
        elif state.tick % 6 == 5:
            self.end_round(state, 0, rng)
        elif state.tick % 2 == 1:
            self.give_turn(state, (state.tick + 1) // 2 % 3)


class DiceGarden(Garden):
    """A die decides, too, what a way is worth."""

    game_type = GameType("Dice garden", 3, 3, hidden_information=False, heuristic=PathHeuristic)

    def _after_action(self, state: PathState, action: AnyAction, rng: Rng) -> None:
        state.path = (*state.path, str(rng.below(2)))
        super()._after_action(state, action, rng)


class CardGarden(Garden):
    """A card that no one sees decides, too, what a way is worth, and closes some."""

    game_type = GameType("Card garden", 3, 3, heuristic=PathHeuristic)

    def _setup(self, n_players: i64, rng: Rng) -> PathState:
        state = PathState(n_players)
        state.cards = 3
        state.card = int(rng.below(3))
        return state

    def _available_actions(self, state: PathState) -> list[AnyAction]:
        return super()._available_actions(state)[state.card if state.path else 0 :]


#: Each kind of tree, with a game that needs it.
TREES: dict[str, ForwardModel] = {
    "information=closed_loop": Garden(),
    "information=closed_loop,solver=true": Garden(),
    "information=chance_nodes,solver=true": DiceGarden(),
    "information=open_loop": CardGarden(),
    "information=information_set": CardGarden(),
    "trees=by_player": CardGarden(),
    "opponents=self_only": CardGarden(),
}

# --- settings and what they are compared with ---------------------------------------------------------------------------

#: What a parameter needs beside it, where that is not its condition (`active_if`).
BESIDE = {
    "selection": "tree_policy=exp3",
    "backup": "backup_threshold=0",
    "prior_temperature": "tree_policy=puct,priors=game",
    "prior_visits": "tree_policy=puct,priors=game",
    "selection_errors": "root_policy=halving",
    "widening_constant": "tree_policy=ucb1",
    "widening_exponent": "tree_policy=ucb1",
}
#: Values between those of the range at which two searches are too much alike.
BETWEEN = {
    "k": (0.3, 3.0),
    "mast_gamma": (0.1,),
    "prior_temperature": (0.05,),
    "heuristic": ("score", "win"),
    "priors": ("game",),
    "opponent_agent": ("osla",),
    "rollout_agent": ("osla",),
    "selection_agent": ("osla",),
    "rollout_heuristic": ("score", "win"),
}
#: Settings that change nothing in a kind of tree, with the reason.
INERT = {
    ("trees=by_player", "information=information_set"): "auto is the same in this game",
    ("trees=by_player", "solver=True"): "positions are not kept, so that none is proven",
    ("opponents=self_only", "information=information_set"): "auto is the same in this game",
    ("opponents=self_only", "solver=True"): "positions are not kept, so that none is proven",
    ("information=information_set", "belief_deals=1000"): "the budget pays for fewer than the default",
    ("trees=by_player", "belief_deals=1000"): "the budget pays for fewer than the default",
    ("opponents=self_only", "belief_deals=1000"): "the budget pays for fewer than the default",
    ("information=chance_nodes,solver=true", "implicit_minimax=1.0"): "outcomes of chance have no minimax",
    **{
        (under, "selection_factor=1000.0"): "no action has three times the visits of the advice"
        for under in (
            "information=chance_nodes,solver=true",
            "information=information_set",
            "trees=by_player",
            "opponents=self_only",
        )
    },
    **{
        (f"information={tree}", setting): "iterations deal nothing again, so that there are no beliefs"
        for tree in ("closed_loop", "closed_loop,solver=true", "chance_nodes,solver=true", "open_loop")
        for setting in ("belief_deals=5", "belief_deals=1000", "belief_temperature=0.01", "belief_temperature=10.0")
    },
}


def settings() -> Iterator[tuple[str, str]]:
    """Yield each value of each parameter, after the settings under which it has an effect."""
    for dimension in MctsParameters.dimensions():
        name = dimension.name
        if name in COSTS:  # a preset is of other games
            continue
        if dimension.kind in ("int", "float"):
            values = {dimension.low, dimension.high, *BETWEEN.get(name, ())} - {dimension.default}  # type: ignore[attr-defined]
        elif dimension.kind == "bool":
            values = {not dimension.default}
        else:
            values = set(getattr(dimension, "options", BETWEEN.get(name))) - {dimension.default}
        under = [""]
        if dimension.active_if is not None and isinstance(dimension.active_if[1], tuple):  # for others see BESIDE
            under = [f"{dimension.active_if[0]}={one}" for one in dimension.active_if[1]]
        for condition in under:
            for value in sorted(values, key=str):
                yield ",".join(filter(None, (condition, BESIDE.get(name)))), f"{name}={value}"


def decisions(model: ForwardModel, options: str, seed: int) -> Iterator[object]:
    """Yield what the searches of player 0 in a game find and choose."""
    rng = Rng(seed)
    state = model.setup(3, rng)
    agent = searcher(f"mcts:{options},budget=60,budget_type=iterations", model, state, seed)
    while not state.is_terminal:
        if state.current_player == 0:
            action = decide(agent, state)
            agent.watched = []
            yield str(action), agent.statistics()["actions"]
        else:
            agent.watched.append(state.observation(0, Rng(seed, state.tick)))
            action = rng.choice(model.available_actions(state))
        model.next(state, action, rng)


class Plain:
    """The decisions without a setting, which many are compared with, as far as they were asked for."""

    def __init__(self, model: ForwardModel, options: str, seed: int) -> None:
        self._known: list[object] = []
        self._coming = decisions(model, options, seed)

    def __iter__(self) -> Iterator[object]:
        yield from self._known
        for one in self._coming:
            self._known.append(one)
            yield one


plain_decisions = cache(Plain)


def changes(model: ForwardModel, base: str, setting: str) -> bool:
    """Say whether ``setting`` changes a decision in six games beside the settings of ``base``, or is refused."""
    try:
        return any(
            one != other
            for seed in range(6)
            for one, other in zip(
                decisions(model, f"{base},{setting}", seed), plain_decisions(model, base, seed), strict=False
            )
        )
    except ParameterError:
        return True


@pytest.mark.parametrize("tree", TREES)
def test_every_setting_changes_the_search(tree: str) -> None:
    """The kind of tree takes the place of the settings that it is made of."""
    taken = {part.split("=")[0] for part in tree.split(",")}
    inert = []
    tried = 0
    for beside, setting in settings():
        if setting.split("=")[0] in taken or beside.split("=")[0] in taken:
            continue
        tried += 1
        if not changes(TREES[tree], ",".join(filter(None, (tree, beside))), setting):
            inert.append((beside, setting))
    assert tried > 50
    assert {setting for _beside, setting in inert} == {setting for place, setting in INERT if place == tree}
