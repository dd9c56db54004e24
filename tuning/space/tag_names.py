"""Names here of TAG's agents, parameters and heuristics, and translations of their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

#: Function that returns the parameters here, with values, for a value in TAG; None where there is no counterpart.
Translation = Callable[[Any], Mapping[str, Any] | None]


def _same(name: str) -> Translation:
    return lambda value: {name: value}


def _choices(name: str, **values: str) -> Translation:
    return lambda value: {name: values[str(value)]} if str(value) in values else None


def _only(right: object) -> Translation:
    """Return the translation of a parameter with a single possible value here, and therefore no name."""
    return lambda value: {} if value == right else None


def _crossover(value: object) -> Mapping[str, Any] | None:
    if value == "ONE_POINT" or value == "TWO_POINT":
        return {"crossover": "n_point", "crossover_points": 1 if value == "ONE_POINT" else 2}
    return {"crossover": str(value).lower()} if value in ("UNIFORM", "NONE") else None


def _trees(value: object) -> Mapping[str, Any] | None:
    """Map the trees to the model of the others, and whether each player has a tree of their own."""
    opponents = {"OneTree": "max_n", "MultiTree": "max_n", "SelfOnly": "self_only", "paranoid": "paranoid"}
    if str(value) not in opponents:
        return None
    return {"opponents": opponents[str(value)], "trees": "by_player" if value == "MultiTree" else "shared"}


def _first_play_urgency(value: object) -> Mapping[str, Any]:
    """Map greater urgencies to the greatest here, which no action outdoes."""
    return {"fpu": min(value, 1000.0) if isinstance(value, int | float) else value}


def _widening(value: object) -> Mapping[str, Any]:
    return {"widening": False} if value == 0 else {"widening": True, "widening_constant": value}


#: Parameters of all agents that search.
_SEARCH: Final[dict[str, Translation]] = {
    "budget": _same("budget"),
    "budgetType": _choices(
        "budget_type",
        BUDGET_TIME="cpu_ms",
        BUDGET_ITERATIONS="iterations",
        BUDGET_FM_CALLS="forward_model_calls",
        BUDGET_COPY_CALLS="copies",
    ),
    "breakMS": _only(0),
    "useMAST": _only(False),
    "heuristic": _same("heuristic"),
}
_HORIZON: Final[dict[str, Translation]] = {
    **_SEARCH,
    "horizon": _same("horizon"),
    "discountFactor": _same("discount"),
    "shiftLeft": _same("shift_buffer"),
}
_RHEA: Final[dict[str, Translation]] = {
    **_HORIZON,
    "populationSize": _same("population_size"),
    "eliteCount": _same("elite_count"),
    "childCount": _same("offspring_count"),
    "mutationCount": _same("mutation_count"),
    "selectionType": _choices("selection", TOURNAMENT="tournament", RANK="rank"),
    "tournamentSize": _same("tournament_size"),
    "crossoverType": _crossover,
}
_MCTS: Final[dict[str, Translation]] = {
    **_SEARCH,
    "K": _same("k"),
    "rolloutLength": _same("rollout_length"),
    "rolloutLengthPerPlayer": _same("rollout_per_player"),
    "rolloutIncrementType": _choices("rollout_unit", TICK="actions", TURN="turns", ROUND="rounds"),
    "rolloutTermination": _choices(
        "rollout_end",
        EXACT="exact",
        END_TURN="turn_end",
        END_ROUND="round_end",
        START_ACTION="own_start",
        END_ACTION="own_end",
    ),
    "rolloutType": _choices("rollout_policy", RANDOM="random", MAST="mast"),
    "maxTreeDepth": _same("max_tree_depth"),
    "information": _choices(
        "information", Information_Set="information_set", Open_Loop="open_loop", Closed_Loop="closed_loop"
    ),
    "selectionPolicy": _choices("selection", SIMPLE="value", ROBUST="visits"),
    "treePolicy": _choices(
        "tree_policy",
        UCB="ucb1",
        UCB_Tuned="ucb_tuned",
        AlphaGo="puct",
        EXP3="exp3",
        RegretMatching="regret_matching",
        Greedy="greedy",
        Uniform="uniform",
    ),
    "exploreEpsilon": _same("exploration"),
    "opponentTreePolicy": _trees,
    "oppModelType": _only("DEFAULT"),
    "backupPolicy": _choices("backup", MonteCarlo="mean", MaxMC="max_mc", Lambda="lambda", MaxLambda="max_lambda"),
    "maxBackupThreshold": _same("backup_threshold"),
    "backupLambda": _same("backup_lambda"),
    "MASTGamma": _same("mast_gamma"),
    "MASTBoltzmann": _same("mast_temperature"),
    "FPU": _first_play_urgency,
    "progressiveWideningConstant": _widening,
    "progressiveWideningExponent": _same("widening_exponent"),
    "progressiveBias": _same("progressive_bias"),
    "normaliseRewards": _same("normalise"),
    "reuseTree": _same("reuse_tree"),
}

#: The agents by the last part of their classes' names, with the translations of their parameters.
AGENTS: Final[dict[str, tuple[str, dict[str, Translation]]]] = {
    "MCTSParams": ("mcts", _MCTS),
    "OSLAParameters": ("osla", _SEARCH),
    "OSLAPlayer": ("osla", _SEARCH),
    "RHEAParams": ("rhea", _RHEA),
    "RMHCParams": ("rmhc", _HORIZON),
}

#: The heuristics that one parameter of `CoarseTunableHeuristic` chooses from.
COARSE: Final = {
    "HEURISTIC": "game",
    "LEADER": "leader",
    "ORDINAL": "ordinal",
    "SCORE_ONLY": "score",
    "WIN_ONLY": "win",
}

#: The heuristics by the last part of their classes' names, with the translations of their weights.
HEURISTICS: Final[dict[str, tuple[str, dict[str, str]]]] = {
    "GameDefaultHeuristic": ("game", {}),
    "LeaderHeuristic": ("leader", {}),
    "NullHeuristic": ("null", {}),
    "OrdinalPosition": ("ordinal", {}),
    "PureScoreHeuristic": ("score", {}),
    "WinOnlyHeuristic": ("win", {}),
    "ColtExpressHeuristic": (
        "colt_express",
        {
            "LOOT": "loot",
            "maxLoot": "max_loot",
            "BULLET_CARDS": "bullet_cards",
            "BULLETS_PLAYER": "bullets_left",
            "BULLETS_ENEMY": "bullets_enemy",
        },
    ),
    "ExplodingKittensHeuristic": (
        "exploding_kittens",
        {
            "explodingValue": "exploding",
            "defuseValue": "defuse",
            "attackValue": "attack",
            "skipValue": "skip",
            "favorValue": "favor",
            "shuffleValue": "shuffle",
            "seeFutureValue": "see_the_future",
            "nopeValue": "nope",
            "regularValue": "regular",
        },
    ),
    "LoveLetterHeuristic": (
        "love_letter",
        {
            "FACTOR_CARDS": "cards",
            "FACTOR_AFFECTION": "affection",
            "FACTOR_GUARD": "guard",
            "FACTOR_PRIEST": "priest",
            "FACTOR_BARON": "baron",
            "FACTOR_HANDMAID": "handmaid",
            "FACTOR_PRINCE": "prince",
            "FACTOR_KING": "king",
            "FACTOR_COUNTESS": "countess",
            "FACTOR_PRINCESS": "princess",
            "FACTOR_HIDDEN": "hidden",
            "FACTOR_ADVANTAGE": "advantage",
        },
    ),
    "PandemicHeuristic": (
        "pandemic",
        {
            "FACTOR_CURES": "cures",
            "FACTOR_CUBES": "cubes",
            "FACTOR_CARDS_IN_PILE": "deck",
            "FACTOR_OUTBREAKS": "outbreaks",
            "FACTOR_RS": "stations",
        },
    ),
    "UnoHeuristic": (
        "uno",
        {"FACTOR_PLAYER": "player", "FACTOR_OPPONENT": "opponent", "FACTOR_N_CARDS": "cards"},
    ),
}
