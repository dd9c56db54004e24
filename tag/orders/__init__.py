"""Playing games by order: text and numbers in, text and numbers out, so that any process can do it."""

from __future__ import annotations

from tag.orders.budgets import Cost, costs_of, with_game_budget
from tag.orders.opening import Opening, Openings
from tag.orders.order import Conditions, GameOrder
from tag.orders.playing import forget_user_code, new_game, opening_choices, play_order, play_recording
from tag.orders.record import GameRecord
from tag.orders.speed import Speed, own_speed

__all__ = [
    "Conditions",
    "Cost",
    "GameOrder",
    "GameRecord",
    "Opening",
    "Openings",
    "Speed",
    "costs_of",
    "forget_user_code",
    "new_game",
    "opening_choices",
    "own_speed",
    "play_order",
    "play_recording",
    "with_game_budget",
]
