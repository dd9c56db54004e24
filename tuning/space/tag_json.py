"""Search spaces of the TAG framework in Java: its agents, parameters and heuristics under its names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tag.engine.parameters import Spec
from tag.engine.text_files import read_json
from tag.errors import DataError, ParameterError, UnknownNameError
from tag.tuning.space import BaseSpecs, SearchSpace, agent_space, has_effect, without_effect
from tag.tuning.space.ranges import read_range, value_text

# --- tag names ----------------------------------------------------------------------------------------------------------
#
# Names here of TAG's agents, parameters and heuristics, and translations of their values.


#: Function that returns the parameters here, with values, for a value in TAG; None where there is no counterpart.
Translation = Callable[[Any], Mapping[str, Any] | None]


def _same(name: str) -> Translation:
    return lambda value: {name: value}


def _choices(name: str, **values: str) -> Translation:
    return lambda value: {name: values[str(value)]} if str(value) in values else None


def _only(right: object) -> Translation:
    """Return the translation of a parameter with a single possible value here, and therefore no name."""
    return lambda value: {} if value == right else None


def _crossover(value: object) -> Mapping[str, Any] | None:
    if value == "ONE_POINT" or value == "TWO_POINT":
        return {"crossover": "n_point", "crossover_points": 1 if value == "ONE_POINT" else 2}
    return {"crossover": "uniform"} if value == "UNIFORM" else None


def _trees(value: object) -> Mapping[str, Any] | None:
    """Map the trees to the model of the others, and whether each player has a tree of their own."""
    opponents = {"OneTree": "max_n", "MultiTree": "max_n", "SelfOnly": "self_only", "paranoid": "paranoid"}
    if str(value) not in opponents:
        return None
    return {"opponents": opponents[str(value)], "trees": "by_player" if value == "MultiTree" else "shared"}


def _first_play_urgency(value: object) -> Mapping[str, Any]:
    """Map greater urgencies to the greatest here, which no action outdoes."""
    return {"fpu": min(value, 1000.0) if isinstance(value, int | float) else value}


def _widening(value: object) -> Mapping[str, Any]:
    return {"widening": False} if value == 0 else {"widening": True, "widening_constant": value}


#: Parameters of all agents that search.
_SEARCH: Final[dict[str, Translation]] = {
    "budget": _same("budget"),
    "budgetType": _choices(
        "budget_type",
        BUDGET_TIME="cpu_ms",
        BUDGET_ITERATIONS="iterations",
        BUDGET_FM_CALLS="forward_model_calls",
        BUDGET_COPY_CALLS="copies",
    ),
    "breakMS": _only(0),
    "useMAST": _only(False),
    "heuristic": _same("heuristic"),
}
_HORIZON: Final[dict[str, Translation]] = {
    **_SEARCH,
    "horizon": _same("horizon"),
    "discountFactor": _same("discount"),
    "shiftLeft": _same("shift_buffer"),
}
_RHEA: Final[dict[str, Translation]] = {
    **_HORIZON,
    "populationSize": _same("population_size"),
    "eliteCount": _same("elite_count"),
    "childCount": _same("offspring_count"),
    "mutationCount": _same("mutation_count"),
    "selectionType": _choices("selection", TOURNAMENT="tournament", RANK="rank"),
    "tournamentSize": _same("tournament_size"),
    "crossoverType": _crossover,
}
_MCTS: Final[dict[str, Translation]] = {
    **_SEARCH,
    "K": _same("k"),
    "rolloutLength": _same("rollout_length"),
    "rolloutLengthPerPlayer": _only(False),
    "rolloutTermination": _only("EXACT"),
    "rolloutType": _choices("rollout_policy", RANDOM="random", MAST="mast"),
    "maxTreeDepth": _same("max_tree_depth"),
    "information": _choices(
        "information", Information_Set="information_set", Open_Loop="open_loop", Closed_Loop="closed_loop"
    ),
    "selectionPolicy": _choices("selection", SIMPLE="value", ROBUST="visits"),
    "treePolicy": _choices(
        "tree_policy",
        UCB="ucb1",
        UCB_Tuned="ucb_tuned",
        AlphaGo="puct",
        EXP3="exp3",
        RegretMatching="regret_matching",
    ),
    "exploreEpsilon": _same("exploration"),
    "opponentTreePolicy": _trees,
    "oppModelType": _only("DEFAULT"),
    "backupPolicy": _only("MonteCarlo"),
    "MASTGamma": _same("mast_gamma"),
    "MASTBoltzmann": _same("mast_temperature"),
    "FPU": _first_play_urgency,
    "progressiveWideningConstant": _widening,
    "progressiveWideningExponent": _same("widening_exponent"),
    "progressiveBias": _same("progressive_bias"),
    "normaliseRewards": _same("normalise"),
    "reuseTree": _same("reuse_tree"),
}

#: The agents by the last part of their classes' names, with the translations of their parameters.
AGENTS: Final[dict[str, tuple[str, dict[str, Translation]]]] = {
    "MCTSParams": ("mcts", _MCTS),
    "OSLAParameters": ("osla", _SEARCH),
    "OSLAPlayer": ("osla", _SEARCH),
    "RHEAParams": ("rhea", _RHEA),
    "RMHCParams": ("rmhc", _HORIZON),
}

#: The heuristics that one parameter of `CoarseTunableHeuristic` chooses from.
COARSE: Final = {
    "HEURISTIC": "game",
    "LEADER": "leader",
    "ORDINAL": "ordinal",
    "SCORE_ONLY": "score",
    "WIN_ONLY": "win",
}

#: The heuristics by the last part of their classes' names, with the translations of their weights.
HEURISTICS: Final[dict[str, tuple[str, dict[str, str]]]] = {
    "GameDefaultHeuristic": ("game", {}),
    "LeaderHeuristic": ("leader", {}),
    "NullHeuristic": ("null", {}),
    "OrdinalPosition": ("ordinal", {}),
    "PureScoreHeuristic": ("score", {}),
    "WinOnlyHeuristic": ("win", {}),
    "ColtExpressHeuristic": (
        "colt_express",
        {
            "LOOT": "loot",
            "maxLoot": "max_loot",
            "BULLET_CARDS": "bullet_cards",
            "BULLETS_PLAYER": "bullets_left",
            "BULLETS_ENEMY": "bullets_enemy",
        },
    ),
    "ExplodingKittensHeuristic": (
        "exploding_kittens",
        {
            "explodingValue": "exploding",
            "defuseValue": "defuse",
            "attackValue": "attack",
            "skipValue": "skip",
            "favorValue": "favor",
            "shuffleValue": "shuffle",
            "seeFutureValue": "see_the_future",
            "nopeValue": "nope",
            "regularValue": "regular",
        },
    ),
    "LoveLetterHeuristic": (
        "love_letter",
        {
            "FACTOR_CARDS": "cards",
            "FACTOR_AFFECTION": "affection",
            "FACTOR_GUARD": "guard",
            "FACTOR_PRIEST": "priest",
            "FACTOR_BARON": "baron",
            "FACTOR_HANDMAID": "handmaid",
            "FACTOR_PRINCE": "prince",
            "FACTOR_KING": "king",
            "FACTOR_COUNTESS": "countess",
            "FACTOR_PRINCESS": "princess",
            "FACTOR_HIDDEN": "hidden",
            "FACTOR_ADVANTAGE": "advantage",
        },
    ),
    "PandemicHeuristic": (
        "pandemic",
        {
            "FACTOR_CURES": "cures",
            "FACTOR_CUBES": "cubes",
            "FACTOR_CARDS_IN_PILE": "deck",
            "FACTOR_OUTBREAKS": "outbreaks",
            "FACTOR_RS": "stations",
        },
    ),
    "UnoHeuristic": (
        "uno",
        {"FACTOR_PLAYER": "player", "FACTOR_OPPONENT": "opponent", "FACTOR_N_CARDS": "cards"},
    ),
}


# --- tag json -----------------------------------------------------------------------------------------------------------
#
# Search spaces of the TAG framework in Java: a JSON object with the class of an agent's parameters and their values.
#
#     {"class": "players.rhea.RHEAParams", "horizon": [1, 3, 5], "budget": 100, "heuristic": {"class": …, …}}
#
# Arrays are searched, single values are fixed, objects are nested or have dotted names.


_CLASS: Final = "class"
_HEURISTIC: Final = "heuristic"
_COARSE: Final = "CoarseTunableHeuristic"

Given = dict[str, list[Any]]
Found = dict[str, list[Any]]


@dataclass(frozen=True)
class TagSearchSpace:
    """Content of a TAG file, with the names used here, and its entries without a counterpart, each with the reason."""

    base: str
    search: tuple[str, ...]
    left_out: tuple[str, ...]

    def space(self) -> SearchSpace:
        """Return the search space."""
        return agent_space([self.base], self.search)


def read_tag_json(path: Path) -> TagSearchSpace:
    """Read a TAG search space for an agent.

    Raises:
        TagError: the file cannot be read, is of an agent that is not here, or leaves nothing to search.
    """
    given = _flat(_content(path))
    agent, names = _agent(given, path)
    translator = _Translator(names, given)
    bases = BaseSpecs("agent", [str(Spec(agent, dict(_single(translator.found, _HEURISTIC))))])
    found = {name: translator.checked(bases, name, values) for name, values in translator.found.items()}
    base = str(Spec(agent, {name: values[0] for name, values in found.items() if len(values) == 1}))
    many = {name: [value_text(value) for value in values] for name, values in found.items() if len(values) > 1}
    search = translator.with_effect(BaseSpecs("agent", [base]), many)
    if not search:
        raise DataError(f"nothing is left to search in {str(path)!r}: {'; '.join(translator.left_out)}")
    return TagSearchSpace(base, search, tuple(translator.left_out))


class _Translator:
    """Collects the translations of a file's values.

    Attributes:
        found: values of parameters here, by name.
        left_out: values without a counterpart.
    """

    def __init__(self, names: Mapping[str, Translation], given: Given) -> None:
        self.found: Found = {}
        self.left_out: list[str] = []
        self._said: dict[tuple[str, str], str] = {}
        for name, values in _merged(given).items():
            if name.startswith(f"{_HEURISTIC}.") or name == _HEURISTIC:
                self._heuristic(given, name, values)
            elif name in names:
                for value in values:
                    self._add(name, value, names[name](value))
            else:
                self.left_out.append(f"{name} has no counterpart")

    def checked(self, bases: BaseSpecs, name: str, values: list[Any]) -> list[Any]:
        """Return the values that the parameter can have here; the others are left out."""
        right = []
        for value in values:
            try:
                right.append(bases.dimensions[name].read(str(value)))
            except ParameterError as error:
                self.left_out.append(f"{self._said[name, str(value)]}: {error}")
        return right

    def with_effect(self, bases: BaseSpecs, many: Mapping[str, list[str]]) -> tuple[str, ...]:
        """Return the search entries, without parameters that have no effect beside the rest."""
        ranges = {name: read_range(bases.dimensions[name], texts) for name, texts in many.items()}
        for name in many:
            if not has_effect(bases, ranges, name):
                self.left_out.append(str(without_effect(bases, name)))
        return tuple(f"{name}={','.join(texts)}" for name, texts in many.items() if has_effect(bases, ranges, name))

    def _heuristic(self, given: Given, name: str, values: list[Any]) -> None:
        cls = str(given.get(f"{_HEURISTIC}.{_CLASS}", [""])[0]).rpartition(".")[2]
        heuristic, weights = HEURISTICS.get(cls, ("", {}))
        own = name.rpartition(".")[2]
        for value in values:
            if own == _CLASS:
                stands_for = {_HEURISTIC: heuristic} if heuristic else {} if cls == _COARSE else None
            elif cls == _COARSE and own == "heuristicType":
                stands_for = {_HEURISTIC: COARSE[str(value)]} if str(value) in COARSE else None
            else:
                stands_for = {f"{_HEURISTIC}.{weights[own]}": value} if own in weights else None
            self._add(name, value, stands_for)

    def _add(self, name: str, value: object, stands_for: Mapping[str, Any] | None) -> None:
        if stands_for is None:
            self.left_out.append(f"{name}={value_text(value)} has no counterpart")
            return
        for mine, what in stands_for.items():
            self._said[mine, str(what)] = f"{name}={value_text(value)}"
            values = self.found.setdefault(mine, [])
            if what not in values:
                values.append(what)


def _content(path: Path) -> dict[str, Any]:
    content = read_json(path, "search space")
    if not isinstance(content, dict) or not isinstance(content.get(_CLASS), str):
        raise DataError(f"the search space {str(path)!r} has no 'class'")
    return content


def _flat(content: Mapping[str, Any]) -> Given:
    """Return all values by dotted names, single ones as lists."""
    return {name: value if isinstance(value, list) else [value] for name, value in _pairs(content, "")}


def _pairs(content: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, value in content.items():
        if isinstance(value, dict):
            yield from _pairs(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _agent(given: Given, path: Path) -> tuple[str, Mapping[str, Translation]]:
    """Take the class out and return its agent here, with the translations of its parameters."""
    name = str(given.pop(_CLASS)[0])
    known = AGENTS.get(name.rpartition(".")[2])
    if known is None:
        raise UnknownNameError.of(f"counterpart of TAG's class in {str(path)!r}", name, AGENTS)
    return known


def _merged(given: Given) -> Given:
    """Return the values with ``paranoid`` as one of the opponent models, as it is here."""
    is_paranoid = given.get("paranoid", [False])
    found = {name: values for name, values in given.items() if name != "paranoid"}
    if True in is_paranoid:
        trees = given.get("opponentTreePolicy", ["OneTree"])
        pairs = [(tree, paranoid) for tree in trees for paranoid in is_paranoid]
        found["opponentTreePolicy"] = list(
            dict.fromkeys("paranoid" if paranoid and tree == "OneTree" else tree for tree, paranoid in pairs)
        )
    return found


def _single(found: Found, name: str) -> Iterator[tuple[str, Any]]:
    if len(found.get(name, [])) == 1:
        yield name, found[name][0]
