"""Search spaces in TAG's JSON."""

from __future__ import annotations

import json

import pytest

from tag.engine.parameters import parse_spec
from tag.errors import TagError
from tag.tuning.space.tag_json import read_tag_json


def read(path, content):
    """Write a file and read it."""
    file = path / "space.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    return read_tag_json(file)


def test_rolling_horizon_evolution(tmp_path):
    found = read(
        tmp_path,
        {
            "class": "players.rhea.RHEAParams",
            "horizon": [1, 3, 5, 10],
            "discountFactor": 0.95,
            "crossoverType": ["NONE", "UNIFORM", "TWO_POINT"],
            "budget": 100,
            "budgetType": "BUDGET_FM_CALLS",
            "mutationProbability": 0.5,
            "populationSize": [4, 8],
        },
    )
    fixed = parse_spec(found.base).values
    given = {"discount": "0.95", "crossover_points": "2", "budget": "100", "population_size": "8"}
    assert given.items() <= fixed.items()
    assert (fixed["tournament_size"], fixed["elite_count"], fixed["fitness"]) == ("4", "2", "differences"), "TAG's"
    assert found.search == ("horizon=1,3,5,10", "crossover=none,uniform,n_point")
    assert found.left_out == (
        "mutationProbability=0.5 is unknown to TAG, too",
        "populationSize=4: population_size cannot be 4; the range is 6..20, the nearest value 6",
    )
    space = found.space()
    spec = parse_spec(space.spec({"horizon": 3, "crossover": "n_point"})).values
    assert {"horizon": "3", "crossover": "n_point", "crossover_points": "2"}.items() <= spec.items()


def test_tree_search(tmp_path):
    found = read(
        tmp_path,
        {
            "class": "players.mcts.MCTSParams",
            "K": [0.01, 1.0, 100.0],
            "FPU": [0.5, 1000000.0],
            "treePolicy": ["UCB", "AlphaGo", "NoAveragingRM"],
            "opponentTreePolicy": ["OneTree", "MultiTree"],
            "selectionPolicy": "SIMPLE",
            "reuseTree": [False, True],
            "progressiveWideningConstant": [0.0, 0.5, 1.0],
            "budget": -999,
        },
    )
    fixed = parse_spec(found.base).values
    assert {"opponents": "max_n", "selection": "value", "rollout_length": "1000000"}.items() <= fixed.items()
    assert "budget" not in fixed
    assert found.search == (
        "tree_policy=ucb1,puct,regret_matching",
        "trees=shared,by_player",
        "reuse_tree=false,true",
        "k=1.0,0.01,100.0",
        "fpu=0.5,1000.0",
    )
    assert found.left_out == ("budget=-999: the caller sets it",)
    assert any(text.startswith("K=0.01") for text in found.changed), "with UCB, TAG takes 1"
    assert found.space().configurations.conditions == {
        "k": ("tree_policy", ("ucb1", "puct")),
        "fpu": ("tree_policy", ("ucb1",)),
    }


@pytest.mark.parametrize(
    ("trees", "paranoid", "opponents"),
    [
        (["SelfOnly", "OneTree"], [False, True], "opponents=self_only,max_n,paranoid"),
        (["SelfOnly", "OneTree"], False, "opponents=self_only,max_n"),
        (["SelfOnly", "OneTree"], True, "opponents=self_only,paranoid"),
    ],
)
def test_paranoid_is_a_way_to_model_opponents(tmp_path, trees, paranoid, opponents):
    content = {"class": "players.mcts.MCTSParams", "opponentTreePolicy": trees, "paranoid": paranoid}
    assert read(tmp_path, content).search == (opponents,)


def test_weights_nested_and_dotted(tmp_path):
    found = read(
        tmp_path,
        {
            "class": "players.rmhc.RMHCParams",
            "heuristic": {"class": "games.loveletter.LoveLetterHeuristic", "FACTOR_CARDS": [0.0, 0.5], "ODD": 1},
            "heuristic.FACTOR_HIDDEN": [0.1, 0.7, 5],
            "heuristic.FACTOR_KING": 0.25,
        },
    )
    fixed = parse_spec(found.base).values
    assert (fixed["heuristic"], fixed["heuristic.king"]) == ("love_letter", "0.25")
    assert found.search == ("heuristic.cards=0.0,0.5", "heuristic.hidden=0.1,0.7")
    assert [text.partition(":")[0] for text in found.left_out] == [
        "heuristic.ODD=1 is unknown to TAG, too",
        "heuristic.FACTOR_HIDDEN=5",
    ]
    assert "heuristic=(love_letter:king=0.25)" in found.space().base


def test_heuristics_to_choose_from(tmp_path):
    coarse = {
        "class": "players.heuristics.CoarseTunableHeuristic",
        "heuristicType": ["WIN_ONLY", "WIN_PLUS", "LEADER", "LLM"],
    }
    found = read(tmp_path, {"class": "players.simple.OSLAParameters", "heuristic": coarse})
    assert (found.base, found.search) == ("osla", ("heuristic=win,game,(leader:end_factor=1.5)",))
    assert found.left_out == ("heuristic.heuristicType=LLM has no counterpart",)
    assert len(found.changed) == 1
    assert "cuts it" in found.changed[0]


def test_what_has_no_effect_is_left_out(tmp_path):
    content = {"class": "RHEAParams", "horizon": [1, 3], "selectionType": "RANK", "tournamentSize": [2, 4]}
    found = read(tmp_path, content)
    assert found.search == ("horizon=1,3",)
    assert found.left_out == ("tournament_size cannot be searched; it has an effect only with selection=tournament",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "has no 'class'"),
        ({"class": "players.maxn.MaxNSearchParams"}, "named 'players.maxn.MaxNSearchParams'"),
        ({"class": "players.rhea.RHEAParams", "horizon": 3}, "nothing is left to search in"),
        (
            {"class": "players.rhea.RHEAParams", "horizon": ["a", None, [1]]},
            "horizon is 'a' in a player of TAG's",
        ),
        ({"class": "players.mcts.MCTSParams", "FPU": ["x"], "information": [{}]}, "information={} has no counterpart"),
        (
            {"class": "players.mcts.MCTSParams", "heuristic": ["a.json", {"class": "b"}]},
            "heuristic=a.json: a.json has no counterpart",
        ),
    ],
)
def test_what_cannot_be_read(tmp_path, content, message):
    with pytest.raises(TagError, match=message.replace("(", r"\(").replace("{", r"\{")):
        read(tmp_path, content)


def test_what_is_no_file(tmp_path):
    with pytest.raises(TagError, match="cannot read the search space .*: No such file"):
        read_tag_json(tmp_path / "missing.json")
    (tmp_path / "space.json").write_text("{", encoding="utf-8")
    with pytest.raises(TagError, match="is not JSON"):
        read_tag_json(tmp_path / "space.json")
