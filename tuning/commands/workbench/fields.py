"""The options of a kind of runs as fields of a form, from their declarations."""

from __future__ import annotations

from dataclasses import Field
from typing import Any, Final

from tag.catalogue.options import LARGEST, Option
from tag.tournaments.designs.by_name import DESIGNS
from tag.tuning.commands.workbench.kinds import KINDS, RunKind
from tag.tuning.study.definition import SAMPLERS

_KINDS: Final = {"int": "integer", "float": "real", "bool": "flag", "tuple[str, ...]": "lines"}
#: Fields in which games, agents or learners are chosen with their parameters; others are typed.
_CHOSEN: Final = {
    ("tournament", "game"): "games",
    ("tournament", "agents"): "agents",
    ("study", "agents"): "agents",
    ("study", "game"): "games",
    ("study", "versus"): "agents",
    ("balancing study", "game"): "game",
    ("balancing study", "agents"): "agents",
    ("training", "learner"): "learner",
    ("training", "game"): "game",
}
#: Names that typed fields suggest; some take parameters.
_SUGGESTED: Final = {"design": tuple(DESIGNS), "sampler": SAMPLERS}
#: Chosen fields that may be empty, and what stands in the others at first.
_MAY_BE_EMPTY: Final = ("versus",)
_AT_FIRST: Final = {
    ("tournament", "game"): ["love_letter"],
    ("study", "game"): ["love_letter"],
    ("tournament", "agents"): ["osla", "random"],
    ("study", "agents"): ["rhea"],
    ("balancing study", "agents"): ["osla"],
    ("balancing study", "game"): ["love_letter"],
    ("training", "learner"): ["td_ntuple"],
    ("training", "game"): ["tic_tac_toe"],
}


def options_form(kind: RunKind) -> list[dict[str, Any]]:
    """Return the fields of a kind: those on top without a heading, the others under that of ``--help``."""
    return [_field(kind, one, about) for one, about in kind.options()]


def forms() -> list[dict[str, Any]]:
    """Return the forms of all kinds, in the order in which they are offered."""
    return [{"name": kind.name, "fields": options_form(kind), "grows": list(kind.grows)} for kind in KINDS.values()]


def _default(one: Field[Any], about: Option) -> Any:
    """Return the first content of a field: empty where the default is no value, as the 0 of a needed number."""
    default: Any = one.default
    is_none = default is None or isinstance(default, tuple)
    is_unsaid = about.range is not None and not is_none and bool(about.range.refusal(default))
    return "" if is_none or is_unsaid else default


def _field(kind: RunKind, one: Field[Any], about: Option) -> dict[str, Any]:
    type_name = str(one.type).removesuffix(" | None")
    chosen = _CHOSEN.get((kind.name, one.name))
    found: dict[str, Any] = {
        "name": one.name,
        "text": about.help,
        "heading": "" if one.name in kind.first else about.heading,
        "kind": chosen or ("choice" if about.choices else _KINDS.get(type_name, "text")),
        "default": _default(one, about),
        "example": about.example.strip('"[]').replace('", "', " ") if not chosen else "",
    }
    if kind.name == "tournament" and one.name == "players":
        found |= {"kind": "text", "example": "2", "text": f"{about.help} Several, such as 2,3,4, make several events."}
    elif about.range is not None:
        low = 0 if about.range.zero else about.range.least
        found |= {"low": low, "high": about.range.most if about.range.most < LARGEST else None}
    if one.name in _SUGGESTED:
        found["suggested"] = list(_SUGGESTED[one.name])
    if about.choices:
        found["choices"] = list(about.choices)
    if chosen:
        found |= {"chosen": _AT_FIRST.get((kind.name, one.name), []), "may_be_empty": one.name in _MAY_BE_EMPTY}
    return found
