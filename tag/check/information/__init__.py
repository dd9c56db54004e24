"""Checks of hidden information: observations, knowledge, and views for people and learners."""

from __future__ import annotations

from tag.check.information.deals import (
    DealCheck,
    ObservationBlind,
    ObservationFair,
    ObservationPossible,
    ObservationVaries,
)
from tag.check.information.observations import (
    ObservationActions,
    ObservationDetached,
    ObservationEnd,
    ObservationKnowledge,
)
from tag.check.information.views import InformationDeclared, ViewsBlind, ViewsSteady

__all__ = [
    "DealCheck",
    "InformationDeclared",
    "ObservationActions",
    "ObservationBlind",
    "ObservationDetached",
    "ObservationEnd",
    "ObservationFair",
    "ObservationKnowledge",
    "ObservationPossible",
    "ObservationVaries",
    "ViewsBlind",
    "ViewsSteady",
]
