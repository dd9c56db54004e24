"""RHEA and RMHC in TAG's files."""

from __future__ import annotations

from tag.adapters.java.entries import Entries
from tag.adapters.java.heuristics import add_heuristic


def rhea(entries: Entries) -> None:
    """Translate RHEAParams; where it names no heuristic, TAG takes the score."""
    _plans(entries)
    add_heuristic(entries, default="score")
    entries.same("populationSize", "population_size", 10)
    entries.same("eliteCount", "elite_count", 2)
    entries.same("childCount", "offspring_count", 10)
    entries.same("mutationCount", "mutation_count", 1)
    entries.chosen("selectionType", "selection", "TOURNAMENT", TOURNAMENT="tournament", RANK="rank")
    entries.same("tournamentSize", "tournament_size", 4)
    _crossover(entries)
    entries.near("algorithm", "TAG mutates parents as well as their children")


def rmhc(entries: Entries) -> None:
    """Translate RMHCParams."""
    _plans(entries)
    add_heuristic(entries, default="game")
    if entries.take("budgetType") == "BUDGET_TIME":
        entries.near("algorithm", "TAG stops after one mutation with a budget of time, whose clock it never starts")


def _plans(entries: Entries) -> None:
    """Translate plans, their fitness, and the model of the others, for both."""
    entries.same("horizon", "horizon", 10)
    entries.same("discountFactor", "discount", 0.9)
    entries.values.update(fitness="differences", pooling=0.0, determinisation="one")
    entries.same("shiftLeft", "shift_buffer", False)
    entries.only(useMAST=False)
    entries.silent("epsilon", "randomSeed", "resetSeedEachGame")


def _crossover(entries: Entries) -> None:
    kind = str(entries.take("crossoverType", "UNIFORM"))
    if kind == "ONE_POINT" or kind == "TWO_POINT":
        points = 1 if kind == "ONE_POINT" else 2
        note = "TAG's points are fixed, ours are drawn"
        entries.near("crossoverType", note, crossover="n_point", crossover_points=points)
    elif kind == "UNIFORM" or kind == "NONE":
        entries.exact("crossoverType", crossover=kind.lower())
    else:
        entries.lost("crossoverType", crossover="uniform")
