"""Tournaments on workers that there are not: how long they would take, and how the driver would bear it."""

from __future__ import annotations

from tag.tournaments.simulation.tournament import Simulation, definition_of, simulate, simulated_plan
from tag.tournaments.simulation.workers import Circumstances, DriverClock, GameSeconds, SimulatedActors

__all__ = [
    "Circumstances",
    "DriverClock",
    "GameSeconds",
    "SimulatedActors",
    "Simulation",
    "definition_of",
    "simulate",
    "simulated_plan",
]
