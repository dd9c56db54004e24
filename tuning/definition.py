"""What a tuning study is: agents, a game, a search space, opponents and a budget, which together decide all of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

from tag.errors import DataError, ParameterError, SpecError, UnknownNameError
from tag.rng import derive_seed
from tournaments.definition import Rules, canonical_agent, define, is_cooperative_game
from tournaments.folder import MANIFEST, read_manifest
from tuning.objectives import PANELS, RATES, check_objectives
from tuning.samplers import AUTO, SamplerChoice, make_sampler
from tuning.search_space import SearchSpace, agent_space
from tuning.validation import FEWEST_BLOCKS

#: Seeds of these are apart, so that what is recommended is tried on games that the search has not seen.
SEARCH: Final = "search"
VALIDATION: Final = "validation"
HELD_OUT: Final = "held out"

_LISTS: Final = ("agents", "search", "versus", "held_out", "enqueue", "warm_start", "metrics")

#: The opponent that is whatever is recommended so far.
INCUMBENT: Final = "incumbent"
_GENERATIONS: Final = 4
#: The sampler for several objectives.
_FOR_SEVERAL: Final = "nsgaii"


@dataclass(frozen=True)
class StudyDefinition:
    """A tuning study, with its specs in canonical form. Make one with `define_study`.

    Attributes:
        agents: the specs of the agents whose parameters are searched; the first with its values is the default.
        game: the spec of the game type.
        players: the seats of each game.
        search: what is searched, as `tuning.search_space.agent_space` has it; all that the specs do not fix by default.
        versus: the specs of the opponents, which take turns; none for a team of the agent alone in a co-operative game.
        held_out: the specs of opponents that only what is recommended meets, beside the default.
        games: the budget of the search.
        generations: in how many parts the budget is spent, each against what the one before recommends, the first against
            the default; 0 for opponents that stay.
        objective: what is made as large, or as small, as it can be (`tuning.objectives`); several are separated by commas,
            and the first decides what is recommended.
        panel: how the values against several opponents become one.
        sampler: by name, never ``auto``.
        games_per_trial: how many games a configuration has, if it is not dropped.
        decision_ms_limit: a configuration that takes longer per decision, in milliseconds, counts as one that loses; 0 for
            no limit.
        live: how many configurations are in play at once.
        race: whether configurations are dropped that fall behind.
        validation: how many games may be spent, by either side, on whether what is recommended is better.
        seed: decides everything, with deterministic budgets.
        enqueue: specs of configurations that are tried first.
        warm_start: the folders of earlier studies of the same, whose trials are known from the beginning.
        rules: faults and clocks.
        metrics: the names of what measures each game.
    """

    agents: tuple[str, ...]
    game: str
    players: int
    search: tuple[str, ...]
    versus: tuple[str, ...]
    held_out: tuple[str, ...]
    generations: int
    games: int
    objective: str
    panel: str
    sampler: str
    games_per_trial: int
    decision_ms_limit: float
    live: int
    race: bool
    validation: int
    seed: int
    enqueue: tuple[str, ...] = ()
    warm_start: tuple[str, ...] = ()
    rules: Rules = field(default_factory=Rules)
    metrics: tuple[str, ...] = ()

    @cached_property
    def space(self) -> SearchSpace:
        """The search space."""
        return agent_space(self.agents, self.search)

    @property
    def default(self) -> str:
        """The spec that what is recommended is compared with."""
        return self.space.base

    @property
    def objectives(self) -> tuple[str, ...]:
        """The names of the objectives."""
        return tuple(self.objective.split(","))

    @property
    def measuring(self) -> tuple[str, ...]:
        """The opponents against whom what is recommended is compared with the default."""
        return self.versus or ((self.default,) if self.generations else ())

    @property
    def games_at_most(self) -> int:
        """How many games may be played, with validation and opponents held out: by what is recommended and the default."""
        return self.games + 2 * self.validation * (1 + bool(self.held_out))

    @property
    def everyone(self) -> tuple[str, ...]:
        """The specs of all agents that are named."""
        return (*self.agents, *self.versus, *self.held_out, *self.enqueue)

    def stream(self, name: str) -> int:
        """Return the seed of the search, of the validation, or of the games against opponents held out."""
        return derive_seed(self.seed, "study", name)

    def to_json(self) -> dict[str, Any]:
        """Return the definition as plain values: one flat object with the keys of `tuning.settings`."""
        plain = asdict(self)
        rules = plain.pop("rules")
        return {**plain, **{name: list(getattr(self, name)) for name in _LISTS}, **rules}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_json` returned.

        Raises:
            DataError: it is no definition.
        """
        rest = dict(values)
        try:
            rules = Rules(**{one.name: rest.pop(one.name) for one in fields(Rules) if one.name in rest})
            rest |= {name: tuple(rest[name]) for name in _LISTS}
            return cls(rules=rules, **rest)
        except (KeyError, TypeError) as error:
            raise DataError(f"this is no definition of a study: {error}") from None

    def difference(self, other: StudyDefinition) -> str:
        """Say first why ``other`` is not this study with more games; empty if it is."""
        in_space = self.space.difference(other.space)
        if in_space:
            return in_space
        mine, theirs = self.to_json(), other.to_json()
        for name, value in mine.items():
            if name not in ("games", "validation", "search") and value != theirs[name]:
                return f"{name} is {_text(value)} there, not {_text(theirs[name])}"
        if other.games < self.games:
            return f"games is {self.games:,} there and can only grow, not shrink to {other.games:,}"
        return ""


def define_study(
    agents: str | tuple[str, ...],
    game: str,
    *,
    games: int,
    players: int | None = None,
    search: tuple[str, ...] = (),
    versus: tuple[str, ...] = (),
    held_out: tuple[str, ...] = (),
    generations: int = 0,
    objective: str = "",
    panel: str = PANELS[0],
    sampler: str = "auto",
    games_per_trial: int | None = None,
    decision_ms_limit: float = 0.0,
    live: int = 16,
    race: bool = True,
    validation: int = 1_000,
    seed: int = 1,
    enqueue: tuple[str, ...] = (),
    warm_start: tuple[str, ...] = (),
    rules: Rules | None = None,
    metrics: tuple[str, ...] = (),
) -> StudyDefinition:
    """Return the study that the specs describe, checked down to a set-up of the game.

    The arguments are the attributes of `StudyDefinition`, specs in any form that people write. By default the opponent is
    the agent with its default parameters, or in a co-operative game nobody; the objective is the win rate, or the success of
    the team. ``versus`` may name the folder of a tournament, for all of its agents, or be ``incumbent`` for self-play.

    Raises:
        TagError: something is wrong; the message says what.
    """
    tuned = (agents,) if isinstance(agents, str) else agents
    if not tuned:
        raise SpecError("a study needs an agent")
    space = agent_space(tuned, search)
    is_self_play = INCUMBENT in versus
    named = () if is_self_play else tuple(one for text in versus for one in _opponents(text))
    table = define(game, (space.base, *named, *held_out), 1, players=players, seed=seed, rules=rules, metrics=metrics)
    is_cooperative = is_cooperative_game(table.game, table.players, seed)
    _check_self_play(versus, generations, is_cooperative)
    if not named and not is_cooperative and not is_self_play:
        named = (space.base,)
    chosen = objective or ("success" if is_cooperative else "win_rate")
    check_objectives(chosen.split(","), is_cooperative)
    if decision_ms_limit and chosen.split(",")[0] not in RATES:
        raise ParameterError(
            f"decision_ms_limit needs an objective that can be lost, such as 'win_rate', not {chosen!r}"
        )
    least = {"games": 1, "live": 1, "validation": 0, "decision_ms_limit": 0.0}
    for name, value in (
        ("games", games),
        ("live", live),
        ("validation", validation),
        ("decision_ms_limit", decision_ms_limit),
    ):
        if not value >= least[name]:
            raise ParameterError(f"{name} cannot be {value}; the least is {least[name]:g}")
    if panel not in PANELS:
        raise UnknownNameError.of("panel", panel, PANELS)
    parts = (generations or _GENERATIONS) if is_self_play else 0
    budget = games // max(parts, 1)
    choice = _sampler(sampler, space, budget, seed, len(chosen.split(",")))
    round_games = (table.players if named or is_self_play else 1) * max(len(named), 1)
    per_trial = _whole(choice.games_per_trial if games_per_trial is None else games_per_trial, round_games)
    if not 1 <= per_trial <= budget:
        raise ParameterError(
            f"games cannot be {games}; {'a generation has ' + str(budget) + ', and ' if parts else ''}"
            f"one configuration plays {per_trial}"
        )
    _check_validation(validation, round_games)
    return StudyDefinition(
        agents=tuple(map(canonical_agent, tuned)),
        game=table.game,
        players=table.players,
        search=space.search,
        versus=tuple(map(canonical_agent, named)),
        held_out=tuple(map(canonical_agent, held_out)),
        generations=parts,
        games=games,
        objective=chosen,
        panel=panel,
        sampler=choice.name,
        games_per_trial=per_trial,
        decision_ms_limit=decision_ms_limit,
        live=live,
        race=race,
        validation=validation,
        seed=seed,
        enqueue=tuple(space.spec(space.configuration(text)) for text in enqueue),
        warm_start=warm_start,
        rules=table.rules,
        metrics=metrics,
    )


def _sampler(name: str, space: SearchSpace, games: int, seed: int, objectives: int) -> SamplerChoice:
    """Return the sampler of that name; of several objectives, only evolution finds the front."""
    if objectives > 1 and name not in (AUTO, _FOR_SEVERAL):
        raise ParameterError(f"the sampler {name!r} knows one objective; take {_FOR_SEVERAL!r} for {objectives}")
    return make_sampler(_FOR_SEVERAL if objectives > 1 else name, space.configurations, games, seed)


def _check_self_play(versus: tuple[str, ...], generations: int, is_cooperative: bool) -> None:
    """Refuse self-play beside other opponents, in a team, or in no generations."""
    if INCUMBENT in versus and (len(versus) > 1 or is_cooperative):
        why = "in a co-operative game" if is_cooperative else "beside other opponents"
        raise ParameterError(f"versus cannot be {INCUMBENT!r} {why}; leave it out")
    if generations < 0 or (generations and INCUMBENT not in versus):
        raise ParameterError(f"generations cannot be {generations}; they are for --versus {INCUMBENT}, and at least 1")


def _check_validation(games: int, round_games: int) -> None:
    """Refuse a validation that could not show anything."""
    if games and games < FEWEST_BLOCKS * round_games:
        raise ParameterError(f"validation cannot be {games}; the least is {FEWEST_BLOCKS * round_games}, or 0 for none")


def _whole(games: int, round_games: int) -> int:
    """Return a number of games with which each opponent is met in each seat equally often, or less than one such round."""
    return games if games < round_games else games // round_games * round_games


def _opponents(text: str) -> tuple[str, ...]:
    """Return the agent of a spec, or those of the tournament in a folder."""
    return read_manifest(Path(text)).definition.agents if (Path(text) / MANIFEST).is_file() else (text,)


def _text(value: object) -> str:
    return (", ".join(map(str, value)) if isinstance(value, list) else json.dumps(value)) or "none"
