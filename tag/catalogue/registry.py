"""Registries by folder: a game, agent or heuristic is found by the name of its file, without any registration.

    make_game("connect_four:width=8")      the class ConnectFour of games/abstract/connect_four.py
    make_agent("mcts:budget=500")          the class Mcts of agents/search/mcts/
    make_agent("dominion:big_money")       the class BigMoney of games/cards/dominion/bots.py, a bot of that game
    make_heuristic("love_letter")          the heuristic in the game type of love_letter, or a generic one
    metric_class("pandemic")               the metric in the game type of pandemic, or a generic one
    make_learner("td_ntuple", …)           the class TdNtuple of agents/learners/td_ntuple.py

Third parties add theirs with entry points (groups ``tag.games`` and ``tag.agents``, naming the class), or by path.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Final, TypeVar, cast

from tag.catalogue.heuristics import HEURISTICS
from tag.catalogue.imports import declared_files
from tag.catalogue.models import model_source, part_source
from tag.catalogue.user_code import guarded, is_path, load_class, split_path, texts_of
from tag.engine.forward_model import ForwardModel, GameType
from tag.engine.parameters import OPEN_SPIEL, Dimension, FileName, Parameters, Spec, SpecOf, parse_spec
from tag.engine.values import StateHeuristic
from tag.errors import ParameterError, SpecError, UnknownNameError
from tag.playing.agent import Agent
from tag.playing.learning import Learner
from tag.playing.metrics import METRICS, Metric

T = TypeVar("T")

_LEARNERS: Final = "agents.learners"
#: The module of a game's bots in its package; beside a game of one module, the folder of such modules, by the game's name.
_BOTS: Final = "bots"


@cache
def _folder(package: str) -> Mapping[str, str]:
    """Return the modules of a package of this distribution by name, sorted; families are packages of such modules."""
    home = f"tag.{package}"
    parent = import_module(home)
    families = [f"{home}.{family}" for family in getattr(parent, "FAMILIES", ())]
    not_named = (f"tag.{_LEARNERS}", *(f"{family}.{_BOTS}" for family in families))
    found: dict[str, str] = {}
    for folder in (home, *families):
        for module in iter_modules(import_module(folder).__path__):
            path = f"{folder}.{module.name}"
            if not module.name.startswith("_") and path not in (*families, *not_named):
                found[module.name] = path
    return dict(sorted(found.items()))


@cache
def _plug_ins(group: str) -> dict[str, Any]:
    return {entry.name: entry for entry in entry_points(group=group)}


def built_in(package: str, spec: str) -> bool:
    """Say whether the game or agent of a ``spec`` is in ``package`` of this distribution, and no user's code."""
    name = parse_spec(spec).name
    return name in _folder(package) or (package == "agents" and bool(game_of_bot(name)))


def module_of(cls: type) -> str:
    """Return the name of the module that is named after the game or agent of ``cls``, which may be a package."""
    package = cls.__module__.removeprefix("tag.").partition(".")[0]
    paths = _folder(package).values() if package in ("games", "agents") else ()
    return next((path for path in paths if f"{cls.__module__}.".startswith(f"{path}.")), cls.__module__)


def game_file(game: type[ForwardModel[Any]], name: str) -> Path | None:
    """Return where the file or folder ``name`` of a game is, whether it is there or not; None for games of users.

    In the package of a game it has this name. For a game of one module it is in a folder of the family.

    Examples:
        >>> game_file(game_class("diamant"), "presets.toml").parts[-3:]
        ('cards', 'diamant', 'presets.toml')
        >>> game_file(game_class("nim"), "presets.toml").parts[-3:]
        ('abstract', 'presets', 'nim.toml')
    """
    place = module_of(game)
    if not place.startswith("tag.games."):
        return None
    module = import_module(place)
    folder = Path(str(module.__file__)).parent
    if hasattr(module, "__path__"):
        return folder / name
    stem, dot, suffix = name.partition(".")
    return folder / stem / f"{place.rpartition('.')[2]}{dot}{suffix}"


def import_agents() -> None:
    """Import the agents of this distribution."""
    for path in _folder("agents").values():
        import_module(path)


def game_names() -> list[str]:
    """Return the names of all games.

    Examples:
        >>> len(game_names()), game_names()[:3]
        (31, ['backgammon', 'battlelore', 'blackjack'])
    """
    return sorted({*_folder("games"), *_plug_ins("tag.games")})


def agent_names() -> list[str]:
    """Return the names of all agents.

    Examples:
        >>> agent_names()[:4]
        ['expectimax', 'flat_mc', 'human', 'learned']
    """
    return sorted({*_folder("agents"), *_plug_ins("tag.agents")})


def bot_names(game: str) -> list[str]:
    """Return the names of the bots of the game of this name, agents that play no other; none for a user's game.

    Examples:
        >>> bot_names("goofspiel")
        ['goofspiel:match', 'goofspiel:one_higher']
    """
    return [f"{game}:{name}" for name in sorted(_bots(game))]


def agents_of(game: str) -> list[str]:
    """Return the names of all agents that can be named for a game: those of any game, and its bots, last.

    Examples:
        >>> agents_of("goofspiel")[-3:]
        ['rmhc', 'goofspiel:match', 'goofspiel:one_higher']
    """
    return [*agent_names(), *bot_names(game)]


def game_of_bot(name: str) -> str:
    """Return the game of the bot ``name``, empty if the name is not that of a bot.

    Examples:
        >>> game_of_bot("dominion:big_money"), game_of_bot("mcts"), game_of_bot("./my_agent.py:Mine")
        ('dominion', '', '')
    """
    game, colon, _bot = name.partition(":")
    return game if colon and name in bot_names(game) else ""


@cache
def _bots(game: str) -> Mapping[str, type[Agent]]:
    """Return the public agents in the module of a game's bots, by the part of their names after the colon."""
    path = _folder("games").get(game, "")
    if not path:
        return {}
    home = path.rpartition(".")[0]
    place = f"{path}.{_BOTS}" if hasattr(import_module(path), "__path__") else f"{home}.{_BOTS}.{game}"
    if find_spec(place) is None:
        return {}
    with guarded(f"import the bots of {game!r}"):
        module = import_module(place)
    return {
        _snake_case(name): value
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Agent) and value.__module__ == place and name[0] != "_"
    }


def learner_names() -> list[str]:
    """Return the names of all learners."""
    return sorted(_folder(_LEARNERS))


def heuristic_names() -> list[str]:
    """Return the names of all heuristics: the generic ones, then the agents and games with one of their own."""
    agents = [name for name in _folder("agents") if _agent_has_heuristic(name)]
    return [*HEURISTICS, *agents, *_games_with(_heuristic_of)]


def has_heuristic(game: str) -> bool:
    """Say whether the game of this name has a heuristic of its own, found by the same name."""
    return game in _folder("games") and _heuristic_of(game_class(game).game_type) is not None


def game_class(name: str) -> type[ForwardModel[Any]]:
    """Return the forward model's class of the game ``name`` (or path).

    Raises:
        UnknownNameError: there is no such game.
    """
    return _class("game", "games", name, "", ForwardModel)


@cache
def dealt_sides(game: str) -> tuple[str, ...]:
    """Return the names of the sides that each game of a spec deals.

    There are none in other games, nor in users' files, which are not run for it.
    """
    name = game.partition(":")[0]
    if name in _folder("games"):
        cls: type[ForwardModel[Any]] = _own_class("games", name, "")
        return cls.game_type.sides
    return game_class(name).game_type.sides if name in _plug_ins("tag.games") else ()


def agent_class(name: str) -> type[Agent]:
    """Return the class of the agent ``name``, ``game:bot``, or path.

    Raises:
        UnknownNameError: there is no such agent.
    """
    game, colon, bot = name.partition(":")
    if colon and game in _folder("games") and not is_path(name):
        if bot not in _bots(game):
            raise UnknownNameError.of("bot", name, bot_names(game))
        return _bots(game)[bot]
    return _class("agent", "agents", name, "", Agent)


def heuristic_class(name: str) -> type[StateHeuristic]:
    """Return the class of the heuristic ``name``: a generic one, an agent's or game's own by its name, or a path.

    Raises:
        UnknownNameError: there is no such heuristic.
    """
    if name in HEURISTICS:
        return HEURISTICS[name]
    if is_path(name):
        return load_class(name, StateHeuristic)
    if _agent_has_heuristic(name):
        return _class("heuristic", "agents", name, "Heuristic", StateHeuristic)
    return _of_a_game("heuristic", name, _heuristic_of, heuristic_names)


def learner_class(name: str) -> type[Learner]:
    """Return the class of the learner ``name`` (or path).

    Raises:
        UnknownNameError: there is no such learner.
    """
    return _class("learner", _LEARNERS, name, "", Learner)


def metric_class(name: str) -> type[Metric]:
    """Return the class of the metric ``name``: a generic one, a game's own by the game's name, or a path.

    Raises:
        UnknownNameError: there is no such metric.
    """
    if name in METRICS:
        return METRICS[name]
    if is_path(name):
        return load_class(name, Metric)
    return _of_a_game("metric", name, _metric_of, lambda: [*METRICS, *_games_with(_metric_of)])


def metrics_for(game: str) -> list[str]:
    """Return the names of all metrics that fit the game type of that name or path: the generic ones and its own, if any.

    That of a user's game is in the game's file.

    Examples:
        >>> metrics_for("love_letter")
        ['action_space', 'branching', 'lead', 'reward', 'table', 'turns', 'love_letter']
    """
    own = _metric_of(game_class(game).game_type)
    if own is None:
        return list(METRICS)
    return [*METRICS, f"{split_path(game)[0]}:{own.__name__}" if is_path(game) else game]


def make_game(text: str | Spec) -> ForwardModel[Any]:
    """Return the forward model that a spec describes.

    Examples:
        >>> model = make_game("connect_four:width=8")
        >>> model.game_type.title, model.parameters.width
        ('Connect Four', 8)
        >>> make_game("conect_four")
        Traceback (most recent call last):
            ...
        tag.errors.UnknownNameError: no game named 'conect_four'; did you mean 'connect_four'?

    Raises:
        TagError: the spec, its name or a parameter is wrong; the message says how.
    """
    spec = spec_of(text)
    cls = game_class(spec.name)
    with guarded(f"make the game {spec.name!r}"):
        return cls(parameters_of(spec, cls.game_type.parameters))


def make_agent(text: str | Spec) -> Agent:
    """Return a new agent as a spec describes it.

    Examples:
        >>> make_agent("mcts:budget=500,k=1.2").parameters.k
        1.2
        >>> make_agent("mcts:budgett=500")
        Traceback (most recent call last):
            ...
        tag.errors.UnknownNameError: mcts: no parameter named 'budgett'; did you mean 'budget'?

    Raises:
        TagError: the spec, its name or a parameter is wrong; the message says how.
    """
    spec = spec_of(text)
    cls = agent_class(spec.name)
    with guarded(f"make the agent {spec.name!r}"):
        return cls(parameters_of(spec, cls.parameters_class))


def make_heuristic(text: str | Spec) -> StateHeuristic:
    """Return the state heuristic that a spec describes.

    Examples:
        >>> from tag import Rng
        >>> state = make_game("love_letter").setup(2, Rng(1))
        >>> make_heuristic("win").value(state, 0)
        0.5

    Raises:
        TagError: the spec, its name or a parameter is wrong; the message says how.
    """
    spec = spec_of(text)
    cls = heuristic_class(spec.name)
    with guarded(f"make the heuristic {spec.name!r}"):
        return cls(parameters_of(spec, cls.parameters_class))


def make_learner(text: str | Spec, model: ForwardModel[Any], n_players: int, n_episodes: int, seed: int = 1) -> Learner:
    """Return the learner that a spec describes, untrained.

    Examples:
        >>> model = make_game("tic_tac_toe")
        >>> learner = make_learner("td", model, 2, n_episodes=5)
        >>> for _game in range(5):
        ...     learner.play_episode()
        >>> learner.episodes
        5

    Args:
        text: the spec.
        model: the rules of the game to be learned.
        n_players: the number of players.
        n_episodes: the games to be played in all, over which rates may change.
        seed: decides everything.

    Raises:
        TagError: the spec, its name or a parameter is wrong, or does not fit the game; the message says how.
    """
    spec = spec_of(text)
    cls = learner_class(spec.name)
    model.check_players(n_players)
    with guarded(f"make the learner {spec.name!r}"):
        return cls(model, n_players, parameters_of(spec, cls.parameters_class), n_episodes, seed)


def check_game(agent: str | Spec, model: ForwardModel[Any], n_players: int) -> None:
    """Check that an agent, with the agents and heuristics in its spec, can play a game.

    Raises:
        TagError: it cannot, or its spec is wrong; the message says how.
    """
    check_agents([agent], model, n_players)


def check_agents(agents: Iterable[str | Spec], model: ForwardModel[Any], n_players: int) -> None:
    """Check that each agent can play a game, as `check_game` does; what is in several of their specs is checked once.

    Raises:
        TagError: one cannot, or its spec is wrong; the message says how.
    """
    checked = set[tuple[str, str]]()
    for agent in agents:
        _check_game("agent", agent, model, n_players, checked)


def _check_game(
    registry: str, text: str | Spec, model: ForwardModel[Any], n_players: int, checked: set[tuple[str, str]]
) -> None:
    thing: Agent | StateHeuristic = make_agent(text) if registry == "agent" else make_heuristic(text)
    if registry == "agent":
        _check_bot(spec_of(text).name, model)
    with guarded(f"use {spec_of(text).name!r}"):
        thing.check_game(model, n_players)
    for dimension in thing.parameters.dimensions():
        if isinstance(dimension, SpecOf) and dimension.registry != "learner":  # agents check those that they use
            inner = (dimension.registry, str(getattr(thing.parameters, dimension.name)))
            if inner not in checked:
                _check_game(*inner, model, n_players, checked)
                checked.add(inner)


def _check_bot(name: str, model: ForwardModel[Any]) -> None:
    """Refuse a bot in another game than its own; that of a user may be derived from it."""
    game = game_of_bot(name)
    if game and not isinstance(model.undecorated(), game_class(game)):
        raise ParameterError(
            f"{name} plays {game} only, not {model.game_type.title}; agents such as osla play any game"
        )


def sources_in(registry: str, text: str | Spec) -> dict[str, str]:
    """Return the text of users' files and the digests of models that a spec names, also within it, by the file's name.

    They are for `tag.catalogue.user_code.provide_source` in another process.

    Args:
        registry: the spec's: ``game``, ``agent``, ``heuristic`` or ``learner``.
        text: the spec.

    Raises:
        TagError: the spec is wrong, or a file cannot be read.
    """
    spec = spec_of(text)
    parameters = parameters_of(spec, _parameters_class(registry, spec.name))
    found = file_sources(spec.name) if is_path(spec.name) else {}
    for dimension in parameters.dimensions():
        value = str(getattr(parameters, dimension.name))
        if isinstance(dimension, SpecOf):
            found |= sources_in(dimension.registry, value)
        elif isinstance(dimension, FileName) and value:
            found |= dict([model_source(value)])
    for file in parameters.own_files():
        found |= dict([part_source(file)])
    return found


def file_sources(name: str) -> dict[str, str]:
    """Return the parts of a user's file, by path.

    These are its text, those of the modules that it imports from its folder, and the digests of other files that it
    declares.

    Raises:
        UserCodeError: a file cannot be read.
    """
    file, _class_name = split_path(name)
    found = texts_of(name)
    return found | dict(part_source(part) for part in declared_files(file, found[file]))


def dimensions_of(text: str | Spec, parameters_class: type[Parameters]) -> list[Dimension]:
    """Return all tunable parameters of a spec: its own and, by dotted names, those of specs in it.

    Raises:
        TagError: the spec, a name in it or a parameter is wrong.
    """
    spec = spec_of(text)
    values = parameters_of(spec, parameters_class).values()
    found: list[Dimension] = []
    for dimension in parameters_class.dimensions():
        found.append(dimension)
        if isinstance(dimension, SpecOf):
            inner = parse_spec(str(values[dimension.name]))
            for part in dimensions_of(inner, _parameters_class(dimension.registry, inner.name)):
                found.append(part.named(f"{dimension.name}.{part.name}"))
    return found


def _parameters_class(registry: str, name: str) -> type[Parameters]:
    if registry == "game":
        return game_class(name).game_type.parameters
    if registry == "learner":
        return learner_class(name).parameters_class
    return agent_class(name).parameters_class if registry == "agent" else heuristic_class(name).parameters_class


def canonical(text: str | Spec, parameters_class: type[Parameters]) -> str:
    """Return a spec as text with only the parameters that differ from their defaults, in order of declaration.

    Examples:
        >>> canonical("connect_four:length=5,width=7", game_class("connect_four").game_type.parameters)
        'connect_four:length=5'
    """
    spec = spec_of(text)
    return str(Spec(spec.name, dict(parameters_of(spec, parameters_class).changes())))


def spec_of(text: str | Spec) -> Spec:
    """Return the result of `tag.engine.parameters.parse_spec`, read once for each text that names no file.

    Raises:
        TagError: the text is no spec, or its file cannot be read.
    """
    if isinstance(text, Spec):
        return text
    return parse_spec(text) if text.strip().endswith(".json") else _parsed(text)


@lru_cache(maxsize=1024)
def _parsed(text: str) -> Spec:
    return parse_spec(text)


def parameters_of(spec: Spec, cls: type[Parameters]) -> Parameters:
    """Return the parameters of a spec; refusals begin with its name.

    Raises:
        UnknownNameError: there is no such parameter.
        ParameterError: a value is out of range.
    """
    try:
        return cls.from_values(spec.values)
    except (UnknownNameError, ParameterError) as error:
        raise type(error)(f"{spec.name}: {error}") from None


def _agent_has_heuristic(name: str) -> bool:
    """Say whether a heuristic is beside the agent ``name``, named like it."""
    agents = _folder("agents")
    return name in agents and hasattr(import_module(agents[name]), f"{_camel_case(name)}Heuristic")


def _of_a_game(
    kind: str, game: str, declared: Callable[[GameType], type[T] | None], names: Callable[[], list[str]]
) -> type[T]:
    """Return the class of that kind that the game type ``game`` declares; an error tells the nearest of ``names``."""
    found = declared(game_class(game).game_type) if game in game_names() else None
    if found is None:
        raise UnknownNameError.of(kind, game, names())
    return found


def _games_with(declared: Callable[[GameType], object]) -> list[str]:
    """Return the names of the games of this distribution whose game type declares something."""
    return [name for name in _folder("games") if declared(game_class(name).game_type) is not None]


def _heuristic_of(kind: GameType) -> type[StateHeuristic] | None:
    """Return the heuristic that a game's name stands for.

    A heuristic without parameters is that of ``game`` only, and has no second name.
    """
    own = kind.heuristic if list(kind.heuristic.parameters_class.dimensions()) else None
    return kind.solution or own


def _metric_of(kind: GameType) -> type[Metric] | None:
    return kind.metric


def _class(kind: str, package: str, name: str, suffix: str, base: type[T]) -> type[T]:
    if is_path(name):
        return load_class(name, base)
    found: Any
    if package == "games" and f"{name}:".startswith(OPEN_SPIEL):
        adapter: Any = import_module("tag.adapters.open_spiel")  # only where it is asked for: it needs an extra
        found = adapter.game_class_of(name)
        return cast("type[T]", found)
    group = f"tag.{package}"
    is_ours = name in _folder(package)
    _check_pair(kind, name, [*_folder(package), *_plug_ins(group)])
    if not is_ours and name not in _plug_ins(group):
        raise UnknownNameError.of(kind, name, [*_folder(package), *_plug_ins(group)])
    if is_ours:
        found = _own_class(package, name, suffix)
    else:
        with guarded(f"import the {kind} {name!r}"):
            found = _plug_ins(group)[name].load()
    if not (isinstance(found, type) and issubclass(found, base)):
        raise UnknownNameError(
            f"{package.replace('.', '/')}/{name} has no class {_camel_case(name)}{suffix} of kind {base.__name__}"
        )
    return found


def _own_class(package: str, name: str, suffix: str) -> Any:
    """Return the class of a game or agent of this distribution, None if its module has none."""
    return getattr(import_module(_folder(package)[name]), f"{_camel_case(name)}{suffix}", None)


def _check_pair(kind: str, name: str, known: Collection[str]) -> None:
    """Refuse ``mcts:budget``, which is written as a bot of a game, and ``domino:big_money``, with the nearest game.

    Raises:
        TagError: the name is one of these.
    """
    first, colon, rest = name.partition(":")
    if not colon or name in known:
        return
    if first in known:
        raise SpecError(f"{rest!r} in the spec {name!r} is not key=value")
    if kind == "agent":
        raise UnknownNameError.of("game", first, game_names())


def _snake_case(name: str) -> str:
    """Return ``rule_of_28`` of ``RuleOf28``."""
    return "_".join(part.lower() for part in re.findall(r"[A-Z][a-z]*|\d+", name))


def _camel_case(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
