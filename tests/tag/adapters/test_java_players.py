"""Players in TAG's JSON: what becomes of their entries."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tag.adapters.java import EXACT, LOST, NEAR, UNKNOWN, read_player
from tag.adapters.java.players import translated
from tag.catalogue.registry import agent_class, canonical, parameters_of
from tag.catalogue.trust import asking
from tag.errors import DataError, TagError, TrustError, UnknownNameError
from tag.orders import GameOrder, play_order

MCTS = "players.mcts.MCTSParams"


def player(**content):
    """Return the translation of an object of MCTS, or of the ``class_`` that is given."""
    name = content.pop("class_", MCTS)
    budget = content.pop("from_outside", None)
    return translated({"class": name, **content}, budget, "a file")


def values(translation):
    """Return all parameters of the agent, those that are not in its spec by default."""
    spec = translation.spec
    return parameters_of(spec, agent_class(spec.name).parameters_class).values()


def test_what_is_left_out_has_the_defaults_of_tag():
    """They are others than ours: 4,000 calls, rollouts to the end, the choice by values, one tree per information set."""
    found = values(player())
    expected = {
        "budget": 4000,
        "budget_type": "forward_model_calls",
        "k": 1.0,
        "tree_policy": "ucb1",
        "selection": "value",
        "information": "information_set",
        "opponents": "max_n",
        "trees": "shared",
        "rollout_length": 1_000_000,
        "rollout_policy": "random",
        "backup": "mean",
        "heuristic": "game",
        "reuse_tree": False,
    }
    assert {name: found[name] for name in expected} == expected
    assert not player().differences


def test_a_player_whose_values_are_all_our_defaults_takes_no_preset():
    assert "preset" not in player().spec.values or values(player())["preset"] == "none"


@pytest.mark.parametrize(
    ("content", "ours"),
    [
        ({"K": 0.5}, {"k": 1.0}),
        ({"K": 0.5, "treePolicy": "UCB_Tuned"}, {"k": 0.5, "tree_policy": "ucb_tuned"}),
        ({"treePolicy": "UCB-Tuned"}, {"tree_policy": "ucb_tuned"}),
        ({"treePolicy": {"enum": "players.mcts.MCTSEnums$TreePolicy", "value": "Uniform"}}, {"tree_policy": "uniform"}),
        ({"treePolicy": "AlphaGo", "K": 3}, {"tree_policy": "puct", "k": 3.0, "prior_weight": "one"}),
        ({"treePolicy": "RegretMatching"}, {"tree_policy": "regret_matching", "selection": "average_policy"}),
        (
            {"treePolicy": "NoAveragingRM", "exploreEpsilon": 0.3},
            {"tree_policy": "regret_matching", "selection": "value", "exploration": 0.3},
        ),
        ({"FPU": 5000.0}, {"fpu": 1000.0}),
        ({"FPU": 0.5}, {"fpu": 0.5}),
        ({"selectionPolicy": "ROBUST"}, {"selection": "visits"}),
        ({"opponentTreePolicy": "MultiTree"}, {"opponents": "max_n", "trees": "by_player"}),
        ({"opponentTreePolicy": "MultiTree", "paranoid": True}, {"opponents": "paranoid", "trees": "by_player"}),
        ({"opponentTreePolicy": "SelfOnly", "paranoid": True}, {"opponents": "self_only", "trees": "shared"}),
        ({"rolloutLength": 30, "rolloutLengthPerPlayer": True}, {"rollout_length": 30, "rollout_per_player": True}),
        ({"rolloutLength": 1000}, {"rollout_length": 1_000_000}),
        ({"rolloutLength": 3, "rolloutTermination": "END_TURN"}, {"rollout_length": 3, "rollout_end": "turn_end"}),
        ({"rolloutTermination": "DEFAULT"}, {"rollout_end": "exact"}),
        ({"rolloutType": "MAST"}, {"rollout_policy": "mast", "mast_gamma": 0.0, "mast_temperature": 0.1}),
        ({"rolloutType": "PARAMS", "rolloutPolicyParams": {"epsilon": 1.0}}, {"rollout_policy": "random"}),
        ({"backupPolicy": "MaxMC"}, {"backup": "mean"}),
        ({"backupPolicy": "MaxMC", "maxBackupThreshold": 10}, {"backup": "max_mc", "backup_threshold": 10}),
        ({"backupPolicy": "Lambda", "backupLambda": 0.3}, {"backup": "lambda", "backup_lambda": 0.3}),
        ({"numDeterminizations": 5, "opponentTreePolicy": "MultiTree"}, {"deals": 5, "trees": "shared"}),
        ({"budget": 40, "budgetType": "BUDGET_TIME", "breakMS": 3}, {"budget": 37, "budget_type": "cpu_ms"}),
        ({"heuristic": {"class": "players.heuristics.WinOnlyHeuristic"}}, {"heuristic": "win"}),
        ({"heuristic": {"class": "x.CoarseTunableHeuristic", "heuristicType": "SCORE_ONLY"}}, {"heuristic": "score"}),
        ({"heuristic": {"class": "x.CoarseTunableHeuristic"}}, {"heuristic": "win"}),
        ({"heuristic": {"class": "players.heuristics.LeaderHeuristic"}}, {"heuristic": "leader:end_factor=1.5"}),
        (
            {"heuristic": {"class": "x.CoarseTunableHeuristic", "heuristicType": "SCORE_PLUS"}},
            {"heuristic": "score:win_factor=1.5,loss_factor=0.5"},
        ),
        (
            {"heuristic": {"class": "games.uno.UnoHeuristic", "FACTOR_PLAYER": 0.25}},
            {"heuristic": "uno:player=0.25"},
        ),
    ],
)
def test_entries_of_mcts(content, ours):
    found = values(player(**content))
    assert {name: found[name] for name in ours} == ours


@pytest.mark.parametrize(
    ("content", "ours"),
    [
        ({"class_": "players.rhea.RHEAParams"}, {"heuristic": "score", "tournament_size": 4, "elite_count": 2}),
        ({"class_": "players.rhea.RHEAParams"}, {"fitness": "differences", "pooling": 0.0, "determinisation": "one"}),
        ({"class_": "players.rhea.RHEAParams", "crossoverType": "TWO_POINT"}, {"crossover_points": 2}),
        ({"class_": "players.rmhc.RMHCParams", "horizon": 5}, {"heuristic": "game", "horizon": 5}),
        ({"class_": "players.simple.OSLAHeuristic"}, {"heuristic": "game", "samples": 1}),
        ({"class_": "players.basicMCTS.BasicMCTSParams"}, {"opponents": "paranoid", "normalise": False, "k": 2**0.5}),
    ],
)
def test_entries_of_other_players(content, ours):
    found = values(player(**content))
    assert {name: found[name] for name in ours} == ours


@pytest.mark.parametrize(
    ("content", "name", "kind", "words"),
    [
        ({"treePolicy": "EXP3"}, "treePolicy", LOST, "softmax"),
        ({"opponentTreePolicy": "OMA"}, "opponentTreePolicy", LOST, "no counterpart"),
        ({"actionHeuristic": {"class": "a.LogisticActionHeuristic"}}, "actionHeuristic", LOST, "features"),
        ({"rolloutType": "MAST", "oppModelType": "RANDOM"}, "oppModelType", LOST, "as the searcher"),
        ({"rolloutType": "MAST", "MAST": "Rollout"}, "MAST", LOST, "in the tree"),
        ({"heuristic": {"class": "players.heuristics.MultiLeaderHeuristic"}}, "heuristic", NEAR, "over all others"),
        ({"heuristic": {"class": "a.LinearStateHeuristic", "coefficients": {}}}, "heuristic", LOST, "not here"),
        ({"K": 0.1}, "K", NEAR, "whatever"),
        ({"treePolicy": "AlphaGo", "FPU": 1.0}, "FPU", LOST, "puct"),
        ({"expansionPolicy": "RANDOM"}, "expansionPolicy", UNKNOWN, "unknown to TAG"),
        ({"class_": "players.rhea.RHEAParams", "useMAST": True}, "useMAST", LOST, "no counterpart"),
    ],
)
def test_what_differs_is_named_once(content, name, kind, words):
    found = [entry for entry in player(**content).differences if entry.name == name]
    assert [entry.kind for entry in found] == [kind]
    assert words in found[0].note


def test_a_learned_heuristic_falls_back_as_tag_does():
    learned = {
        "class": "players.heuristics.LinearStateHeuristic",
        "features": {"underlyingState": {"class": "games.poker.metrics.PokerHandFeatures"}},
        "defaultHeuristic": {"class": "players.heuristics.LeaderHeuristic"},
    }
    found = player(heuristic=learned)
    assert values(found)["heuristic"] == "leader:end_factor=1.5"
    assert "PokerHandFeatures" in found.differences[0].note


@pytest.mark.parametrize("kind", ["players.mcts.MCTSParams", "players.rhea.RHEAParams", "players.rmhc.RMHCParams"])
def test_a_budget_that_the_caller_sets_is_asked_for(kind):
    with pytest.raises(DataError, match="-999, which the caller sets"):
        player(class_=kind, budget=-999)
    assert values(player(from_outside=70, class_=kind, budget=-999))["budget"] == 70


@pytest.mark.parametrize(
    ("content", "error", "words"),
    [
        ({"class_": "games.pickomino.PickominoGreedyAgent"}, UnknownNameError, "MCTSParams"),
        ({"K": [0.1, 1.0]}, DataError, "--tag-space"),
        ({"K": "much"}, DataError, "K is 'much'"),
        ({"reuseTree": 1}, DataError, "true or false"),
    ],
)
def test_files_that_are_refused(content, error, words):
    with pytest.raises(error, match=words):
        player(**content)


def test_files_within_files_are_sought_beside_and_above(tmp_path):
    inner = tmp_path / "json" / "heuristic.json"
    inner.parent.mkdir()
    inner.write_text('{"class": "players.heuristics.NullHeuristic"}', encoding="utf-8")
    outer = tmp_path / "json" / "players" / "own.json"
    outer.parent.mkdir()
    outer.write_text(json.dumps({"class": MCTS, "heuristic": "json/heuristic.json"}), encoding="utf-8")
    assert values(read_player(outer))["heuristic"] == "null"
    outer.write_text(json.dumps({"class": MCTS, "heuristic": "own.json"}), encoding="utf-8")
    assert [entry.kind for entry in read_player(outer).differences] == [LOST]


def test_a_translated_player_plays():
    spec = str(player(budget=60, rolloutType="MAST", backupPolicy="MaxMC", maxBackupThreshold=3).spec)
    record = play_order(GameOrder("java", "connect_four", (spec, "random"), 3))
    assert not record.faults
    assert record.decisions[0] > 0


#: Values that TAG's own files have, and others of the same kinds.
ENTRIES = {
    "K": st.sampled_from([0.01, 1, 100.0]),
    "FPU": st.sampled_from([0.5, 1.0, 100, 1e6]),
    "treePolicy": st.sampled_from(
        ["UCB", "UCB_Tuned", "AlphaGo", "EXP3", "RegretMatching", "NoAveragingRM", "Uniform", "Greedy"]
    ),
    "selectionPolicy": st.sampled_from(["SIMPLE", "ROBUST", "TREE"]),
    "information": st.sampled_from(["Information_Set", "Open_Loop", "Closed_Loop"]),
    "opponentTreePolicy": st.sampled_from(["OneTree", "MultiTree", "SelfOnly", "OMA", "MCGS"]),
    "paranoid": st.booleans(),
    "rolloutLength": st.sampled_from([0, 1, 10, 300, 1000]),
    "rolloutType": st.sampled_from(["RANDOM", "MAST", "PARAMS", "CLASS"]),
    "rolloutTermination": st.sampled_from(["EXACT", "END_TURN", "START_ACTION"]),
    "oppModelType": st.sampled_from(["DEFAULT", "RANDOM"]),
    "MAST": st.sampled_from(["None", "Both", "Rollout", "Tree"]),
    "backupPolicy": st.sampled_from(["MonteCarlo", "MaxMC", "Lambda", "MaxLambda"]),
    "maxBackupThreshold": st.sampled_from([3, 10, 1_000_000]),
    "numDeterminizations": st.sampled_from([1, 10]),
    "maxTreeDepth": st.sampled_from([1, 1000]),
    "reuseTree": st.booleans(),
    "unheardOf": st.integers(),
}


@pytest.mark.flow
@given(st.fixed_dictionaries({}, optional=ENTRIES))
def test_any_entries_together_make_an_agent_and_all_are_told_or_mean_nothing(content):
    found = player(**content)
    canonical(found.spec, agent_class("mcts").parameters_class)
    told = {entry.name for entry in found.entries}
    assert all(entry.kind in (EXACT, NEAR, LOST, UNKNOWN) for entry in found.entries)
    # What bears on rollouts or priors alone is silent where there are none.
    silent = {"paranoid", "MAST", "maxBackupThreshold", "oppModelType", "K", "FPU", "numDeterminizations"}
    assert content.keys() - told <= silent
    assert ("unheardOf" in content) == any(entry.kind == UNKNOWN for entry in found.entries)


@pytest.mark.flow
@given(
    st.dictionaries(st.sampled_from(sorted(ENTRIES)), st.none() | st.text() | st.integers() | st.lists(st.integers()))
)
def test_wrong_values_are_refused_in_a_sentence_or_named(content):
    """Any other exception fails this."""
    with suppress(TagError):
        canonical(player(**content).spec, agent_class("mcts").parameters_class)


def test_a_file_within_a_player_is_not_sought_outside_of_its_folders(tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/win.json").write_text(json.dumps({"class": "players.heuristics.WinOnlyHeuristic"}))
    (tmp_path / "here").mkdir()
    file = tmp_path / "here/player.json"
    file.write_text(json.dumps({"class": MCTS, "heuristic": "../outside/win.json"}))
    with (
        asking(["tag", "agents", str(file), "x=../outside"]),
        pytest.raises(TrustError, match="outside of its folders"),
    ):
        read_player(file)
    assert values(read_player(file))["heuristic"] == "win"
