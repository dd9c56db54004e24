"""Tournaments simulated past this machine: driver, schedule, pool and ledger are real, workers and time are not."""

from tournaments.simulation.game_seconds import GameSeconds
from tournaments.simulation.simulate import Simulation, simulate
from tournaments.simulation.workers import Circumstances, SimulatedWorkers

__all__ = ["Circumstances", "GameSeconds", "SimulatedWorkers", "Simulation", "simulate"]
