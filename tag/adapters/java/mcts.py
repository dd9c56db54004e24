"""MCTS in TAG's files: MCTSParams and BasicMCTSParams."""

from __future__ import annotations

from math import sqrt
from typing import Final

from tag.adapters.java.entries import Entries
from tag.adapters.java.heuristics import add_heuristic

#: A rollout of so many actions goes on to the end, in TAG and here.
_TO_THE_END: Final = 1000
_END: Final = 1_000_000
#: From this urgency on, an untried action always comes first; here it is the greatest.
_ALWAYS_FIRST: Final = 1000.0
#: From this temperature on, TAG's actions have no priors.
_NO_PRIORS: Final = 10_000.0
#: From this threshold on, TAG's MaxMC is the mean.
_NO_MAXIMUM: Final = 1_000_000

#: Entries that mean nothing here: memory, ties, seeds, keys of tables, and the default of what can be restricted.
_SILENT: Final = (
    *("epsilon", "randomSeed", "resetSeedEachGame", "maintainMasterState", "discardStateAfterEachIteration"),
    *("MASTDefaultValue", "MASTActionKey", "actionHeuristicRecalculation", "useActionHeuristicForMoveOrdering"),
    *("instantiationClass", "rolloutClass", "MCGSStateKey", "MCGSExpandAfterClash", "omaVisits"),
)


def mcts(entries: Entries) -> None:
    """Translate MCTSParams."""
    has_priors = _add_action_heuristic(entries)
    _add_tree_policy(entries, has_priors)
    _add_trees(entries)
    _add_rollouts(entries)
    _add_backup(entries)
    add_heuristic(entries, default="game")
    entries.same("maxTreeDepth", "max_tree_depth", 1000)
    entries.same("normaliseRewards", "normalise", True)
    entries.same("reuseTree", "reuse_tree", False)
    entries.only(
        actionSpaceStructure="Default",
        actionSpaceFlexibility="Default",
        actionSpaceContext="Default",
        actionRestriction=None,
    )
    entries.silent(*_SILENT)


def basic_mcts(entries: Entries) -> None:
    """Translate BasicMCTSParams: raw rewards, its own value, and minus that where others move."""
    entries.values.update(
        opponents="paranoid", information="closed_loop", normalise=False, tree_policy="ucb1", selection="visits"
    )
    entries.same("K", "k", sqrt(2.0))
    entries.same("rolloutLength", "rollout_length", 10)
    entries.same("maxTreeDepth", "max_tree_depth", 100)
    add_heuristic(entries, default="game")
    if entries.take("budgetType", "BUDGET_FM_CALLS") == "BUDGET_FM_CALLS":
        entries.near("budgetType", "TAG also counts the steps through the tree")
    entries.silent("epsilon", "randomSeed", "resetSeedEachGame")


def _add_action_heuristic(entries: Entries) -> bool:
    """Read the entries that need values of actions; say whether the file has them, which no agent here can use."""
    has = entries.take("actionHeuristic") is not None
    if has:
        entries.lost("actionHeuristic", "values of actions by TAG's features are not here")
    widening = entries.take("progressiveWideningConstant", 0.0)
    for name in ("progressiveBias", "initialiseVisits"):
        if entries.take(name, 0) and has:
            entries.lost(name, "needs values of actions")
    if widening >= 1.0 and has:
        entries.lost("progressiveWideningConstant", "needs values of actions")
    entries.silent("progressiveWideningExponent")
    if entries.take("useMASTAsActionHeuristic", False):
        entries.lost("useMASTAsActionHeuristic")
    temperature = entries.take("pUCTTemperature", _NO_PRIORS + 1.0)
    return has and temperature < _NO_PRIORS


def _add_tree_policy(entries: Entries, has_priors: bool) -> None:
    """Translate the choice in the tree with its exploration, and the final choice."""
    policy = str(entries.take("treePolicy", "UCB")).replace("-", "_")
    k, urgency = entries.take("K", 1.0), float(entries.take("FPU", 1e6))
    entries.same("exploreEpsilon", "exploration", 0.1, lambda share: max(share, 0.001))
    entries.chosen("selectionPolicy", "selection", "SIMPLE", SIMPLE="value", ROBUST="visits")
    if policy == "UCB":
        entries.exact("treePolicy", tree_policy="ucb1", k=1.0)
        if k != 1.0:
            entries.near("K", "TAG's UCB takes 1, whatever is given", k=1.0)
    elif policy == "UCB_Tuned":
        entries.exact("treePolicy", tree_policy="ucb_tuned")
        entries.exact("K", k=k)
    elif policy == "AlphaGo":
        ours = {"tree_policy": "puct", "k": k, "priors": "null", "prior_weight": "one", "prior_visits": 0.0}
        if has_priors:
            entries.lost("treePolicy", "its priors are values of actions; all have the weight 1", **ours)
        else:
            entries.exact("treePolicy", **ours)
    elif policy in _OTHER_POLICIES:
        entries.exact("treePolicy", tree_policy=_OTHER_POLICIES[policy])
        if policy == "RegretMatching":
            entries.near("selectionPolicy", "TAG draws from the average policy", selection="average_policy")
    else:
        note = "TAG's is a softmax of mean values" if policy == "EXP3" else "has no counterpart"
        entries.lost("treePolicy", note, tree_policy="exp3" if policy == "EXP3" else "ucb1")
    if urgency < _ALWAYS_FIRST:
        _add_urgency(entries, policy, urgency)


_OTHER_POLICIES: Final = {
    "Greedy": "greedy",
    "NoAveragingRM": "regret_matching",
    "RegretMatching": "regret_matching",
    "Uniform": "uniform",
}


def _add_urgency(entries: Entries, policy: str, urgency: float) -> None:
    """Translate a first-play urgency below that which always comes first."""
    if policy in ("UCB", "UCB_Tuned"):
        note = "TAG takes this or the exploration after no visit, whichever is greater"
        entries.near("FPU", note, fpu=max(urgency, 0.01))
    elif policy == "AlphaGo":
        entries.lost("FPU", "untried actions have a bound of their own in puct")


def _add_trees(entries: Entries) -> None:
    """Translate deals, trees, and what others want."""
    deals = entries.take("numDeterminizations", 1)
    options = {"Information_Set": "information_set", "Open_Loop": "open_loop", "Closed_Loop": "closed_loop"}
    entries.chosen("information", "information", "Information_Set", **options)
    how = entries.take("perfectInformationPolicy", "AverageValue")
    tree = str(entries.take("opponentTreePolicy", "OneTree"))
    is_paranoid = bool(entries.take("paranoid", False))
    opponents = "paranoid" if is_paranoid else "max_n"
    if tree == "SelfOnly":
        entries.exact("opponentTreePolicy", opponents="self_only", trees="shared")
    elif tree == "OneTree" or (tree == "MultiTree" and deals > 1):
        entries.exact("opponentTreePolicy", opponents=opponents, trees="shared")
    elif tree == "MultiTree":
        entries.exact("opponentTreePolicy", opponents=opponents, trees="by_player")
    else:
        entries.lost("opponentTreePolicy", opponents=opponents, trees="shared")
    found = entries.values
    if found["information"] == "closed_loop" and (found["opponents"] == "self_only" or found["trees"] == "by_player"):
        entries.near("information", "nodes keep no positions with such trees", information="open_loop")
    if deals > 1:
        entries.near(
            "numDeterminizations",
            f"visits and values of the trees are added; TAG's {how} may differ",
            deals=deals,
            information="open_loop",
        )


def _add_rollouts(entries: Entries) -> None:
    """Translate the play after the tree."""
    length = entries.take("rolloutLength", _TO_THE_END)
    entries.exact("rolloutLength", rollout_length=_END if length >= _TO_THE_END else length)
    entries.same("rolloutLengthPerPlayer", "rollout_per_player", False)
    entries.chosen("rolloutIncrementType", "rollout_unit", "TICK", TICK="actions", TURN="turns", ROUND="rounds")
    entries.chosen(
        "rolloutTermination",
        "rollout_end",
        "EXACT",
        EXACT="exact",
        DEFAULT="exact",
        END_TURN="turn_end",
        END_ROUND="round_end",
        END_ACTION="own_end",
        START_ACTION="own_start",
    )
    kind = str(entries.take("rolloutType", "RANDOM"))
    policy = entries.take("rolloutPolicyParams") or {}
    mast = str(entries.take("MAST", "Both"))
    gamma, temperature = entries.take("MASTGamma", 0.0), entries.take("MASTBoltzmann", 0.1)
    if kind == "MAST":
        entries.exact("rolloutType", rollout_policy="mast", mast_gamma=gamma)
        note = "TAG's temperature is on raw values, ours on values from 0 to 1"
        entries.near("MASTBoltzmann", note, mast_temperature=max(temperature, 0.01))
        if mast in ("Rollout", "Tree"):
            entries.lost("MAST", "values are learned in the tree and after it")
    elif kind == "RANDOM" or (kind == "PARAMS" and float(policy.get("epsilon", 0.0)) >= 1.0):
        entries.exact("rolloutType", rollout_policy="random")
    else:
        entries.lost("rolloutType", "values of actions by TAG's features are not here", rollout_policy="random")
    model = str(entries.take("oppModelType", "DEFAULT"))
    if model != "DEFAULT" and not (model == "RANDOM" and entries.values["rollout_policy"] == "random"):
        entries.lost("oppModelType", "others play after the tree as the searcher does")
    entries.silent("oppModelParams", "oppModelClass")


def _add_backup(entries: Entries) -> None:
    """Translate the back-up of values."""
    threshold, share = entries.take("maxBackupThreshold", _NO_MAXIMUM), entries.take("backupLambda", 1.0)
    policy = str(entries.take("backupPolicy", "MonteCarlo"))
    if policy == "MonteCarlo" or (policy == "MaxMC" and threshold >= _NO_MAXIMUM):
        entries.exact("backupPolicy", backup="mean")
    elif policy == "MaxMC":
        entries.exact("backupPolicy", backup="max_mc")
        entries.exact("maxBackupThreshold", backup_threshold=threshold)
    elif policy in ("Lambda", "MaxLambda"):
        entries.exact("backupPolicy", backup="lambda" if policy == "Lambda" else "max_lambda")
        entries.exact("backupLambda", backup_lambda=share)
    else:
        entries.lost("backupPolicy", backup="mean")
