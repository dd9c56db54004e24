"""Descriptions of games, agents, heuristics and learners, from their declarations and docstrings.

The command line prints them and the documentation's pages are made from them, so neither can differ from the code.
Docstrings are read from source: compiled modules keep none at run time, but their sources are installed beside them.

A docstring opens with a paragraph that says what the thing is. Paragraphs that begin with certain words open sections:

    Rules. …                                    how it is played
    Where the printed rules are silent: …       how that was ruled
    Variants (`UnoParameters`): …               what the parameters change
    What a player knows, for observations: …    what is dealt again, and what is remembered
    Unlike TAG's Java version, …                where the two differ
    Source: …                                   where an agent was published
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from tag.catalogue.models.shipped import shipped_counts
from tag.catalogue.registry import (
    agent_class,
    game_class,
    game_of_bot,
    has_heuristic,
    heuristic_class,
    learner_class,
    module_of,
)
from tag.engine.forward_model import GameType, players_text
from tag.engine.parameters import Condition, Dimension, Parameters, Spec


def class_doc(cls: type) -> str:
    """Return the docstring of ``cls``, from its source; empty for none."""
    return _docs(_source(cls.__module__)).get(cls.__name__, "")


def file_doc(cls: type) -> str:
    """Return the docstring of the file or package named after ``cls``; empty for none.

    A game or agent that is a package is explained by its ``__init__``, not by the module of its rules.
    """
    return _docs(_source(module_of(cls))).get("", "")


@lru_cache(maxsize=128)
def _docs(source: str) -> dict[str, str]:
    """Return the docstrings of a module's classes by name, the first of each; of the module itself under ``""``."""
    tree = ast.parse(source)
    found = {"": ast.get_docstring(tree) or ""}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and (doc := ast.get_docstring(node)):
            found.setdefault(node.name, doc)
    return found


def _source(module_name: str) -> str:
    module = sys.modules[module_name]
    file = Path(module.__file__ or "")
    if file.suffix != ".py":
        file = file.with_name(f"{file.name.partition('.')[0]}.py")
    return file.read_text(encoding="utf-8")


#: Openings of a section's first paragraph; the section's title replaces the matching text.
_SECTIONS: Final = (
    (re.compile(r"Rules[.:] "), "Rules"),
    (re.compile(r"(?=Where the )"), "Rulings"),
    (re.compile(r"Variants(?: \(`\w+`\))?: "), "Variants"),
    (re.compile(r"What a player knows(?:, for observations)?: "), "What a player knows"),
    (re.compile(r"(?=Unlike TAG)"), "Unlike TAG"),
    (re.compile(r"Sources?: "), "Source"),
)


@dataclass
class Description:
    """A game, an agent or a heuristic, explained.

    Attributes:
        name: its name in specs.
        text: the docstring, in plain text or Markdown.
        parameters_text: the docstring of the parameters; empty where there are none.
        parameters: its parameters.
    """

    name: str
    text: str
    parameters_text: str
    parameters: list[Dimension]

    @property
    def summary(self) -> str:
        """The first paragraph, as one line."""
        return self.text.partition("\n\n")[0].replace("\n", " ")

    def sections(self) -> dict[str, str]:
        """Return the text after the first paragraph by title, in order; text before any title is under ``""``."""
        found = {"": ""}
        title = ""
        for paragraph in self.text.split("\n\n")[1:]:
            opened, body = _opened(paragraph)
            title = opened or title
            found[title] = f"{found[title]}\n\n{body}" if found.get(title) else body
        return {title: text for title, text in found.items() if text}

    def parameter_rows(self) -> list[dict[str, Any]]:
        """Return a row for each parameter."""
        return [
            {
                "parameter": dimension.name,
                "default": dimension.default,
                "range": dimension.range_text(),
                "meaning": dimension.text,
                "only with": _condition(dimension.active_if),
            }
            for dimension in self.parameters
        ]

    def example(self) -> str:
        """Return a spec that sets the first parameter, or the bare name; a budget of 0 would say nothing."""
        first = {dimension.name: dimension.default for dimension in self.parameters[:1]}
        return str(
            Spec(self.name, {name: value or (1000 if name == "budget" else value) for name, value in first.items()})
        )


@dataclass
class GameDescription(Description):
    """A game, explained.

    Attributes:
        game_type: its declared game type.
        heuristic: its own heuristic, if it has one.
        learned: the numbers of players for which learned values come with it.
    """

    game_type: GameType
    heuristic: Description | None
    learned: list[int]

    def facts(self) -> dict[str, Any]:
        """Return the declared facts of the game, for people."""
        kind = self.game_type
        return {
            "title": kind.title,
            "players": players_text(kind),
            "hidden information": "yes" if kind.hidden_information else "no",
            "chance": "yes" if kind.chance else "no",
            "categories": list(kind.categories),
            "mechanics": list(kind.mechanics),
            "version": kind.version,
        }


def describe_game(name: str) -> GameDescription:
    """Describe the game ``name`` (or path) by the docstring of its file.

    Examples:
        >>> describe_game("nim").summary
        'Nim, the traditional game for 2 players, with heaps of one size, and the form for 3 players of the GBG framework.'

    Raises:
        UnknownNameError: there is no such game.
    """
    cls = game_class(name)
    heuristic = describe_heuristic(name) if has_heuristic(name) else None
    text = file_doc(cls) or class_doc(cls)
    parameters = _parameters(cls.game_type.parameters)
    return GameDescription(name, text, *parameters, cls.game_type, heuristic, shipped_counts(cls))


def describe_agent(name: str) -> Description:
    """Describe the agent ``name`` (or path) by the docstring of its file, and that of its class after the first paragraph.

    A bot of a game is described by its class only.

    Examples:
        >>> found = describe_agent("osla")
        >>> found.name, found.example()
        ('osla', 'osla:budget=1000')

    Raises:
        UnknownNameError: there is no such agent.
    """
    cls = agent_class(name)
    return Description(name, class_doc(cls) if game_of_bot(name) else _text_of(cls), *_parameters(cls.parameters_class))


def describe_learner(name: str) -> Description:
    """Describe the learner ``name`` (or path), in the same way.

    Raises:
        UnknownNameError: there is no such learner.
    """
    cls = learner_class(name)
    return Description(name, _text_of(cls), *_parameters(cls.parameters_class))


def describe_heuristic(name: str) -> Description:
    """Describe the heuristic ``name`` (or path) by the docstring of its class.

    Raises:
        UnknownNameError: there is no such heuristic.
    """
    cls = heuristic_class(name)
    return Description(name, class_doc(cls), *_parameters(cls.parameters_class))


def text_table(rows: Iterable[Mapping[str, Any]], columns: list[str]) -> list[list[str]]:
    """Return the header and the rows as text; columns that are empty in all rows are left out."""
    cells = [[_cell(row[column]) for column in columns] for row in rows]
    used = [place for place in range(len(columns)) if any(row[place] for row in cells)]
    return [[row[place] for place in used] for row in (columns, *cells)]


def _text_of(cls: type) -> str:
    """Return the docstring of the file of ``cls`` with that of the class after the first paragraph."""
    first, _, rest = file_doc(cls).partition("\n\n")
    return "\n\n".join(part for part in (first, class_doc(cls), rest) if part)


def _opened(paragraph: str) -> tuple[str, str]:
    """Return the title of the section that a paragraph opens, or nothing, and the rest of the paragraph."""
    for begins, title in _SECTIONS:
        match = begins.match(paragraph)
        if match:
            body = paragraph[match.end() :]
            return title, body[:1].upper() + body[1:]
    return "", paragraph


def _parameters(cls: type[Parameters]) -> tuple[str, list[Dimension]]:
    dimensions = list(cls.dimensions())
    return (class_doc(cls) if dimensions else "", dimensions)


def _condition(active_if: Condition | None) -> str:
    if active_if is None:
        return ""
    name, values = active_if
    return f"{name} = {' | '.join(map(_cell, values))}" if isinstance(values, tuple) else f"{name} {values}"


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)
