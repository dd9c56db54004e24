"""Kinds of objects in states, and the fields that are no part of a position."""

from __future__ import annotations

from array import array
from collections import deque
from enum import Enum
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType

from tag.components import Component, Kind
from tag.engine.parameters import Parameters
from tag.engine.state import Action, ExtendedSequence, GameState

PLAIN = (bool, int, float, str, bytes, type(None))
CODE = (type, FunctionType, MethodType, BuiltinFunctionType, ModuleType)

#: One object for all states, by the engine's contract: actions, and the kinds of cards and tokens.
SHARED = (Action, Kind)

CONTAINERS = (list, dict, set, bytearray, array, deque)
FROZEN = (*CONTAINERS, frozenset, Enum)

#: Types whose objects always belong to one state alone.
OWNED = (*CONTAINERS, GameState, ExtendedSequence, Component)

#: Fields for the observers of a game; copies do not use them.
WATCHING = frozenset(["history", "announced"])
NOT_POSITION = WATCHING | {"recording"}

INTS = {int}

#: Types of which each value is one leaf; numbers may pack several, and subclasses are looked at one by one.
LEAVES = frozenset([bool, float, str, bytes, type(None)])
LEAVES_AND_INTS = LEAVES | INTS

#: What is searched for nothing mutable, and what is moved as a whole without a look at its parts.
OPAQUE = (*PLAIN, *CODE, *SHARED, Enum)
WHOLE = (*OPAQUE, Parameters, tuple, set, frozenset, bytearray, array)
