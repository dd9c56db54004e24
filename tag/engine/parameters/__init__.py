"""Parameters of games and agents: their declarations, their ranges, and the text that sets them (specs)."""

from __future__ import annotations

from tag.engine.parameters.conditions import Condition, MoreThan, OtherThan, Value, Wanted
from tag.engine.parameters.declarations import choice, dimension_of, file_name, flag, free_text, integer, real, spec_of
from tag.engine.parameters.dimensions import Choice, Dimension, FileName, Flag, Integer, Real, SpecOf, Text
from tag.engine.parameters.parameters import COSTS, Parameters
from tag.engine.parameters.specs import OPEN_SPIEL, Spec, add_file_reader, names_program, parse_spec, split_list

__all__ = [
    "COSTS",
    "OPEN_SPIEL",
    "Choice",
    "Condition",
    "Dimension",
    "FileName",
    "Flag",
    "Integer",
    "MoreThan",
    "OtherThan",
    "Parameters",
    "Real",
    "Spec",
    "SpecOf",
    "Text",
    "Value",
    "Wanted",
    "add_file_reader",
    "choice",
    "dimension_of",
    "file_name",
    "flag",
    "free_text",
    "integer",
    "names_program",
    "parse_spec",
    "real",
    "spec_of",
    "split_list",
]
