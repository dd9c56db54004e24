"""Forests: a tree for each of several deals, whose first actions are summed."""

import pytest
from mypy_extensions import i64
from play.tree_games import HiddenCard, PathState, decide, figures, go, searcher

from tag import AnyAction, GameState, GameType, Rng, make_game
from tag.agents.search.mcts.forest import Forest


class Draw(HiddenCard):
    """Take a half, or the worth of a card face down: 0, 1 or 2."""

    game_type = GameType("Draw", 1, 1, heuristic=HiddenCard.game_type.heuristic)

    def _available_actions(self, state: PathState) -> list[AnyAction]:
        return [go("half"), go("card")]

    def _after_action(self, state: PathState, action: AnyAction, rng: Rng) -> None:
        state.finish((0.5 if str(action) == "half" else float(state.card),))


def dealt(seed: i64, options: str) -> tuple[dict[str, tuple[int, float]], Forest]:
    """Return the figures of a decision, and the forest."""
    model = Draw()
    state = model.setup(1, Rng(seed))
    agent = searcher(f"mcts:budget=60,budget_type=iterations,{options}", model, state, seed)
    decide(agent, state, seed)
    assert isinstance(agent._search, Forest)
    return figures(agent), agent._search


@pytest.mark.parametrize("information", ["open_loop", "closed_loop"])
@pytest.mark.parametrize("deals", [2, 5, 20])
def test_visits_and_values_are_those_of_all_deals(information: str, deals: int) -> None:
    cards: set[int] = set()
    for seed in range(6):
        found, forest = dealt(seed, f"information={information},deals={deals}")
        assert len(forest.searches) == deals
        visits, total, halves = 0, 0.0, 0
        for search in forest.searches:
            start: GameState = search.root.state if information == "closed_loop" else search.start  # type: ignore[attr-defined]
            assert isinstance(start, PathState)
            cards.add(start.card)
            for child in search.root.children():
                if str(child.action) == "card":
                    visits += child.visits
                    total += child.visits * start.card
                else:
                    halves += child.visits
            assert search.root.visits == 60 // deals
        assert found["card"] == (visits, pytest.approx(total / visits))
        assert found["half"] == (halves, 0.5)
        assert visits + halves == 60
    assert cards == {0, 1, 2}


def test_more_deals_than_iterations_are_not_drawn() -> None:
    found, forest = dealt(1, "information=open_loop,deals=1000")
    assert sum(visits for visits, _value in found.values()) == 60
    assert forest.n_begun == 60


@pytest.mark.parametrize("kind", ["forward_model_calls", "copies", "iterations"])
@pytest.mark.parametrize("information", ["open_loop", "closed_loop"])
def test_forests_keep_to_their_budget(kind: str, information: str) -> None:
    model = make_game("love_letter")
    for budget in (1, 2, 3, 50):
        state = model.setup(2, Rng(budget))
        agent = searcher(f"mcts:budget={budget},budget_type={kind},information={information},deals=7", model, state)
        decide(agent, state)
        spent = agent.sim.budget
        units = {
            "forward_model_calls": spent.forward_model_calls,
            "copies": spent.copies,
            "iterations": spent.iterations,
        }
        assert units[kind] <= budget
        figures_of_all = agent.statistics()
        assert figures_of_all["reused_visits"] == 0
        tree = agent.search_tree()
        assert tree is not None
        assert tree.visits == figures_of_all["iterations"]


def test_several_deals_change_the_search_where_there_is_something_to_deal() -> None:
    for name, differs in (("love_letter", True), ("connect_four", False)):
        model = make_game(name)
        state = model.setup(2, Rng(2))
        found = []
        for deals in (1, 10):
            agent = searcher(f"mcts:budget=300,information=open_loop,deals={deals}", model, state)
            decide(agent, state)
            found.append(figures(agent))
        assert (found[0] != found[1]) == differs
