"""Boards as HTML: a general view of every component, and views of games, which are jinja2 templates beside their modules.

A view of a game sees nothing but the plain values of `tag.table.view`. It runs in jinja2's sandbox with limits on its
steps and its size. Where it fails, the general view is drawn, under a sentence about the mistake.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from jinja2 import PackageLoader, StrictUndefined, Template, TemplateError, nodes
from jinja2.exceptions import SecurityError
from jinja2.runtime import Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment

from tag.catalogue.registry import game_class, module_of
from tag.catalogue.user_code import is_path, split_path
from tag.engine.parameters import parse_spec
from tag.errors import one_line

#: The name of a view beside the module of a game that is a package.
VIEW_FILE: Final = "view.jinja"
#: A game's view may take so many steps of loops and macros, and write so many characters.
_MOST_STEPS: Final = 100_000
_MOST_CHARACTERS: Final = 1_000_000
#: The largest factor of a multiplication, and exponent of a power.
_LARGEST_FACTOR: Final = 1_000_000
_LARGEST_EXPONENT: Final = 64
#: The template of the general view, which views of games may extend.
_GENERAL: Final = "board.jinja"
#: Larger graphs are laid out in rows.
_LARGEST_CIRCLE: Final = 24


def board_html(view: Mapping[str, Any], template: str = "") -> str:
    """Return the board of a view (`tag.table.view.view`) as HTML.

    Args:
        view: the view; nothing else is in the board.
        template: the source of the game's own view; without one, the general view is drawn.
    """
    mistake = ""
    if template:
        try:
            return _rendered(_compiled(template), view, mistake)
        except Exception as error:  # noqa: BLE001  any mistake that a template can make
            mistake = _sentence(error)
    return _rendered(_environment().get_template(_GENERAL), view, mistake)


def template_of(game: str) -> str:
    """Return the source of the own view of the game with this spec; empty where it has none.

    It is the file ``view.jinja`` in the package of a game. For a module it has the module's name, as ``my_game.jinja``,
    and stands beside it or in a folder ``views`` there.
    """
    name = parse_spec(game).name
    cls = game_class(name)
    module = Path(split_path(name)[0] if is_path(name) else sys.modules[module_of(cls)].__file__ or "")
    stem = module.name.partition(".")[0]  # compiled modules have longer suffixes
    file_name = VIEW_FILE if stem == "__init__" else f"{stem}.jinja"
    files = [module.with_name(file_name), module.parent / "views" / file_name]
    return next((file.read_text("utf-8") for file in files if file.is_file()), "")


def _sentence(error: Exception) -> str:
    line = getattr(error, "lineno", None) or _line_in_template(error)
    place = f", line {line}" if line else ""
    return f"This game's own view has a mistake{place}: {one_line(str(error)) or type(error).__name__}"


def _line_in_template(error: Exception) -> int:
    """Return the line of a game's template in which an error was raised, 0 where that is unknown."""
    trace, found = error.__traceback__, 0
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<template>":
            found = trace.tb_lineno
        trace = trace.tb_next
    return found


_steps: ContextVar[list[int]] = ContextVar("_steps")


class _Sandbox(ImmutableSandboxedEnvironment):
    """A sandbox for views of games, which end."""

    intercepted_binops = frozenset(("*", "**"))

    @property
    def count_step(self) -> None:
        """Count a step of a loop or macro; templates read it without knowing: a call would take ten times as long."""
        steps = _steps.get()
        steps[0] += 1
        if steps[0] > _MOST_STEPS:
            raise SecurityError(f"a view takes {_MOST_STEPS:,} steps at most")

    def call(self, context: Any, called: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Call macros directly; they are safe, and jinja2's inspection of what is called takes longer than most of them."""
        if type(called) is Macro:
            kwargs.pop("_loop_vars", None)
            kwargs.pop("_block_vars", None)
            return called(*args, **kwargs)
        return super().call(context, called, *args, **kwargs)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Refuse to multiply texts and lists, and powers that take long."""
        most = _LARGEST_EXPONENT if operator == "**" else _LARGEST_FACTOR
        if not all(isinstance(value, (int, float)) for value in (left, right)) or abs(right) > most:
            raise SecurityError(f"a view multiplies numbers only, up to {_LARGEST_FACTOR:,}")
        return super().call_binop(context, operator, left, right)


@cache
def _environment() -> _Sandbox:
    found = _Sandbox(
        loader=PackageLoader("tag.tournaments.web", "templates/tables"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals |= {"hex_centres": hex_centres, "ring": ring, "rows": rows}
    found.filters |= {"piles": piles, "plain": plain, "short": short_name, "hue": hue, "rest": rest}
    return found


@lru_cache(maxsize=64)
def _compiled(source: str) -> Template:
    """Return a game's template with a counter in every loop and macro."""
    environment = _environment()
    tree = environment.parse(source)
    repeated: Any = tree.find_all((nodes.For, nodes.Macro, nodes.CallBlock))
    for node in repeated:
        step = nodes.EnvironmentAttribute("count_step")
        node.body.insert(0, nodes.ExprStmt(step).set_lineno(node.lineno))  # outputs are left out where it extends
    tree.set_environment(environment)
    return environment.from_string(tree)


def _rendered(template: Template, view: Mapping[str, Any], mistake: str) -> str:
    groups = list(dict.fromkeys(action["group"] for action in view["actions"] or []))
    names = {"view": view, "mistake": mistake, "groups": groups, **_finders(view)}
    names["draw"] = _environment().get_template("pieces.jinja").make_module(names)
    token = _steps.set([0])
    try:
        parts: list[str] = []
        size = 0
        for part in template.generate(names):
            size += len(part)
            if size > _MOST_CHARACTERS:
                raise TemplateError(f"a view has {_MOST_CHARACTERS:,} characters at most")
            parts.append(part)
        return "".join(parts)
    finally:
        _steps.reset(token)


def _finders(view: Mapping[str, Any]) -> dict[str, Callable[..., Any]]:
    """Return the functions by which templates look into a view."""
    components: dict[str, Any] = {}
    for component in view["components"]:
        components.setdefault(component["name"], component)
    texts = [action["text"] for action in view["actions"] or []]
    numbers = {text: number for number, text in reversed(list(enumerate(texts)))}
    said = "\n".join(texts)

    @cache
    def can_pick(label: str, owner: int = -1) -> bool:
        """Say whether an available action mentions the label as whole words; of another player's things, the player too."""
        if label not in said:
            return False
        mentions = _mentions(label)
        if owner in (-1, view["player"]):
            return mentions(said) is not None
        names_owner = _mentions(f"player {owner}")
        return any(mentions(text) and names_owner(text) for text in texts)

    def named(prefix: str) -> dict[str, Any]:
        """Return the components whose names begin so, by the rest of the name."""
        return {name.removeprefix(prefix): one for name, one in components.items() if name.startswith(prefix)}

    return {"component": components.get, "action": numbers.get, "can_pick": can_pick, "named": named}


def _mentions(label: str) -> Callable[[str], re.Match[str] | None]:
    """Return a search for the label as whole words."""
    return re.compile(rf"(?<!\w){re.escape(label)}(?!\w)").search


def hex_centres(coordinates: Sequence[Sequence[int]]) -> list[tuple[float, float]]:
    """Return the centres of hexagons with a corner on top and sides of 1, from their axial coordinates."""
    width = math.sqrt(3)
    return [(round(width * (q + r / 2), 3), 1.5 * r) for q, r in coordinates]


def ring(count: int, radius: float = 1.0) -> list[tuple[float, float]]:
    """Return so many points on a circle around the origin, from the top clockwise."""
    turns = [2 * math.pi * number / max(count, 1) for number in range(count)]
    return [(round(radius * math.sin(turn), 3), round(-radius * math.cos(turn), 3)) for turn in turns]


def rows(count: int, distance: float = 1.0) -> list[tuple[float, float]]:
    """Return the points of a graph's nodes: on a ring, or in rows where they are many."""
    if count <= _LARGEST_CIRCLE:
        return ring(count, distance * max(count, 3) / 6)
    width = math.ceil(math.sqrt(1.5 * count))
    return [(distance * (number % width), distance * (number // width)) for number in range(count)]


def piles(items: Sequence[Any]) -> list[tuple[Any, int]]:
    """Return different items with how many there are of each, in the order of their first ones."""
    found: dict[Any, int] = {}
    for item in items:
        found[item] = found.get(item, 0) + 1
    return list(found.items())


def plain(value: float) -> str:
    """Return a number without needless digits."""
    return f"{value:.4g}" if abs(value) < 1000 else f"{value:.0f}"


def rest(
    components: Sequence[Mapping[str, Any]], drawn: Sequence[str], still: Sequence[str] = ()
) -> list[Mapping[str, Any]]:
    """Return the components whose names begin with none of ``drawn``; those that begin so with ``still`` as lying still."""
    left = [component for component in components if not component["name"].startswith(tuple(drawn))]
    return [{**one, "still": True} if one["name"].startswith(tuple(still)) else one for one in left]


def short_name(component: Mapping[str, Any]) -> str:
    """Return the name of a component without its owner, who is named beside it."""
    owner = component["owner"]
    ending = rf"(?: (?:of|by|in|for))?(?: player| bandit)? {owner}(?= |$)"
    return re.sub(ending, "", component["name"]) if owner >= 0 else str(component["name"])


def hue(item: object) -> str:
    """Return the name of a colour that a card's text mentions; empty for none."""
    found = re.search(r"\b(red|yellow|green|blue|black|wild)\b", str(item))
    return found.group() if found else ""
