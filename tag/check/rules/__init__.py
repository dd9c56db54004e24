"""Checks of the rules of a game: actions, copies, seeds, results and pickles."""

from __future__ import annotations

from tag.check.rules.actions import (
    ActionsDistinct,
    ActionsInterned,
    ActionsNumbered,
    ActionsPlayable,
    ActionsRandom,
    ActionsRepeatable,
    ActionsWhileItLasts,
    RolloutsEqual,
)
from tag.check.rules.copies import CardsKept, CopyEqual, CopyIndependent, CopyPlayable
from tag.check.rules.pickles import PickleOtherProcess, PickleState
from tag.check.rules.results import HeuristicInRange, Plays, ResultsFinal, ResultsOrdered
from tag.check.rules.seeds import ChanceDeclared, SeedOtherProcess, SeedRepeats, SeedUndisturbed

__all__ = [
    "ActionsDistinct",
    "ActionsInterned",
    "ActionsNumbered",
    "ActionsPlayable",
    "ActionsRandom",
    "ActionsRepeatable",
    "ActionsWhileItLasts",
    "CardsKept",
    "ChanceDeclared",
    "CopyEqual",
    "CopyIndependent",
    "CopyPlayable",
    "HeuristicInRange",
    "PickleOtherProcess",
    "PickleState",
    "Plays",
    "ResultsFinal",
    "ResultsOrdered",
    "RolloutsEqual",
    "SeedOtherProcess",
    "SeedRepeats",
    "SeedUndisturbed",
]
