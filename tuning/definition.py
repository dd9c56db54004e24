"""The definition of a tuning study: agents, a game, a search space, opponents and a budget, with its options."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from tag.catalogue.options import check_ranges, option
from tag.catalogue.registry import agent_names, file_sources, make_agent
from tag.catalogue.user_code import is_path, source_of, split_path
from tag.engine.parameters import parse_spec
from tag.errors import ParameterError, SpecError, UnknownNameError
from tag.playing.agent import BUDGET_TYPES, Budget
from tag.tournaments.definition import (
    Rules,
    TournamentDefinition,
    canonical_agent,
    define,
    has_score,
    is_cooperative_game,
    sources_of,
)
from tag.tournaments.ledger import folder as folders
from tag.tuning import samplers
from tag.tuning.objectives import OBJECTIVES, PANELS, RATES, check_objectives, range_of
from tag.tuning.space import SearchSpace, agent_space
from tag.tuning.study import (
    AUTO,
    FEWEST_BLOCKS,
    FEWEST_SCORES,
    OF_SEVERAL,
    SAMPLERS,
    Manifest,
    Study,
    distinct_agents,
    read_manifest_of,
)

# --- definition ---------------------------------------------------------------------------------------------------------
#
# A tuning study: agents, a game, a search space, opponents and a budget, which together decide all its games.


RECOMMENDATION: Final = "recommendation.json"

#: Separate seeds, so that the recommendation plays games that the search has not seen.
SEARCH: Final = "search"
VALIDATION: Final = "validation"
HELD_OUT: Final = "held out"
EQUAL_TIME: Final = "equal time"
#: The stream of the games that measure the time per decision of a budget.
CALIBRATION: Final = "calibration"
#: Number of chance seeds of these games, for either side.
CALIBRATION_BLOCKS: Final = 50
#: The games that show which changes of a recommendation are in vain: which change no game, by so many chance seeds at most,
#: and whose gain is not shown, by parts of at least so many games.
REVERSION: Final = "reversion"
REVERSION_BLOCKS: Final = 5
REVERSION_PART: Final = 200
#: The opponent of self-play: the incumbent.
INCUMBENT: Final = "incumbent"


@dataclass(frozen=True, kw_only=True)
class StudyDefinition(Study):
    """A tuning study, with its specs in canonical form. Make one with `tag.tuning.definition.define_study`.

    Attributes beside those of `Study` and `StudyOptions`:
        agents: the specs of the agents whose parameters are searched; the first with its values is the default.
        versus: the opponents, who take turns; none if the agent alone is the team of a co-operative game.
        generations: the number of parts of the budget, each against the recommendation of the part before, the first against
            the default; 0 for opponents that stay.
        objective: as in `tag.tuning.objectives`; of several, joined by commas, the first decides the recommendation.
        sampler: by name, never ``auto``; a class as ``file.py:Class``, and an object by its class, ``Class()``.
        pruner: the class of an object that drops trials instead of the race, ``Class()``; empty for the race.
        games_per_trial: the games of a configuration that is not pruned.
    """

    kind: ClassVar[str] = "tune"
    verdict: ClassVar[str] = RECOMMENDATION

    agents: tuple[str, ...]
    versus: tuple[str, ...]
    held_out: tuple[str, ...]
    generations: int
    objective: str
    panel: str
    sampler: str
    games_per_trial: int
    decision_ms_limit: float
    live: int
    race: bool
    equal_time_games: int | None = None
    enqueue: tuple[str, ...] = ()
    warm_start: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    pruner: str = ""

    @cached_property
    def space(self) -> SearchSpace:
        """The search space."""
        return agent_space(self.agents, self.search)

    @property
    def default(self) -> str:
        """The spec that the recommendation is compared with."""
        return self.space.base

    @property
    def objectives(self) -> tuple[str, ...]:
        """The names of the objectives."""
        return tuple(self.objective.split(","))

    @property
    def measuring(self) -> tuple[str, ...]:
        """The opponents in the comparison of the recommendation with the default."""
        return self.versus or ((self.default,) if self.generations else ())

    @property
    def round_games(self) -> int:
        """Number of games with one chance seed, against all opponents in all seats."""
        return (self.players if self.measuring else 1) * max(len(self.measuring), 1)

    @property
    def games_at_most(self) -> int:
        """Most games of the study, with those of the recommendation and the default in all validations."""
        validations = 2 * self.validation * (1 + bool(self.held_out)) + self.games_at_equal_time
        return self.games + self.reversion_games + validations

    @property
    def reversion_games(self) -> int:
        """Most games of the checks of changes to the default; 0 without a validation, or where times count."""
        if (
            not self.validation
            or self.decision_ms_limit
            or any(one == "decision_ms" or is_path(one) for one in self.objectives)
        ):
            return 0
        agents = 1 + len(self.space.configurations.distributions)
        alike = agents * REVERSION_BLOCKS * max(len(self.measuring), 1) * self.players
        return alike + 2 * self.games_in_pairs + 3 * self.games_to_compare

    @property
    def budget_text(self) -> str:
        """The games of all stages in a sentence without full stop; empty if there are none beside the search."""
        parts = {
            "to take back changes without a gain": self.reversion_games,
            "for the validation": 2 * self.validation,
            "for opponents held out": 2 * self.validation * bool(self.held_out),
            "at equal time": self.games_at_equal_time,
        }
        more = ", ".join(f"{games:,} {why}" for why, games in parts.items() if games)
        return more and f"beside the {self.games:,} games of the search there are at most {more}"

    @property
    def games_at_equal_time(self) -> int:
        """Most games of both sides of the validation at equal time, with those that scale the budget."""
        games = self.validation_at_equal_time
        return 2 * (games + CALIBRATION_BLOCKS * max(len(self.measuring), 1) * self.players) if games else 0

    @property
    def games_to_compare(self) -> int:
        """Most games of each of the three sides of comparisons without changes; 0 where these could show too little.

        It is a quarter of the search, and half of the games of either side in the validation at most.
        """
        part = min(self.games // 4, self.validation // 2)
        return part if part >= max(REVERSION_PART, FEWEST_SCORES * self.round_games) else 0

    @property
    def games_in_pairs(self) -> int:
        """Most games of either side in pairs with random halves of the changes; none of a panel that is not a mean."""
        return self.games_to_compare if self.panel == PANELS[0] or len(self.measuring) < 2 else 0

    @property
    def validation_at_equal_time(self) -> int:
        """Most games of the validation at equal time; 0 if the default has no budget to scale."""
        if not self.validation or why_not_scaled(self.default):
            return 0
        return self.validation if self.equal_time_games is None else self.equal_time_games

    @property
    def everyone(self) -> tuple[str, ...]:
        """The specs of all agents of the definition."""
        return (*self.agents, *self.versus, *self.held_out, *self.enqueue)

    def sources(self) -> dict[str, str]:
        """Return the text of users' files by name, as `Study.sources`."""
        return {
            **self._played_sources(),
            **dict(source_of(name) for name in self.objectives if is_path(name)),
            **(file_sources(self.sampler) if is_path(self.sampler) else {}),
        }

    def unplayed_sources(self) -> frozenset[str]:
        """Return the files of objectives, which only read games that have been played."""
        files = {split_path(name)[0] for name in self.objectives if is_path(name)}
        return frozenset(files.difference(self._played_sources(), split_path(self.sampler)[:1]))

    def _played_sources(self) -> dict[str, str]:
        return sources_of(self.game, self.everyone, self.metrics)

    def to_json(self) -> dict[str, Any]:
        """Return the definition as plain values, pruner and games at equal time only where they are given."""
        found = super().to_json()
        given = {"pruner": bool(self.pruner), "equal_time_games": self.equal_time_games is not None}
        return {name: value for name, value in found.items() if given.get(name, True)}

    def said(self) -> dict[str, Any]:
        """Return the options that define the same study again: without objects, and in self-play with ``incumbent``."""
        found = {**super().said(), **({"versus": [INCUMBENT]} if self.generations else {})}
        found.pop("pruner", None)
        return found

    def difference(self, other: Self) -> str:
        """Return the first reason why ``other`` is not this study with more games; empty if it is."""
        found = super().difference(other)
        if not found and self.generations and other.games != self.games:
            return (
                f"games is {self.games:,} there and cannot be {other.games:,}, as opponents in self-play follow from it"
            )
        return found


StudyManifest = Manifest[StudyDefinition]


def read_study_manifest(folder: Path) -> StudyManifest:
    """Return the manifest of the tuning study in ``folder``; `DataError` where there is none, or it is damaged."""
    return read_manifest_of(StudyDefinition, folder)


def why_not_scaled(default: str) -> str:
    """Say why the budget of the default cannot be scaled; empty where it can be."""
    values = make_agent(default).parameters.values()
    if not isinstance(values.get("budget"), int):
        return f"{parse_spec(default).name} has no budget to scale"
    if not Budget(1, str(values.get("budget_type", BUDGET_TYPES[0]))).is_deterministic:
        return "the budget is time already"
    return ""


# --- options of a tuning study, checked and completed to a `StudyDefinition` --------------------------------------------


_GENERATIONS: Final = 4
#: Agents have numbers of 16 bits in a ledger.
_MOST_TRIALS: Final = 32_000
_OPPONENTS: Final = "Opponents"
_VALIDATION: Final = "Validation"
_OBJECTIVES: Final = "; ".join(f"{name}: {about}" for name, about in OBJECTIVES.items())
_WHY_SEVERAL: Final = f"{OF_SEVERAL[0]}: of several objectives, it finds the best front in few trials"
#: The sampler for panels other than the mean, and how many chance seeds its trials have against each opponent, in all seats.
_FOR_PANELS: Final = "bgp"
_PANEL_ROUNDS: Final = 4
#: Fewer rounds where the study would have fewer trials than this.
_TRIALS_OF_PANELS: Final = 20
#: Trials in play at once, and of how many trials at least one is: a sampler that is asked for all at once learns nothing.
MOST_LIVE: Final = 16
_TRIALS_PER_LIVE: Final = 5


#: The heading of options of the search in ``--help``.
_SEARCH: Final = "Search"


@dataclass(frozen=True, kw_only=True)
class CommonOptions:
    """Options of all kinds of studies: attributes of the definition in any form.

    By default all tunable parameters are searched; the sampler and the games of a configuration are chosen.
    """

    games: int = option(0, "The budget of the search in games; needed.", _SEARCH, example="20000", least=1)
    players: int | None = option(
        None, "Seats of each game; if omitted, the game's fewest.", "Who plays what", example="4", least=1
    )
    search: tuple[str, ...] = option(
        (),
        "What is searched, or a narrower range, horizon=2..12; if omitted, all that the spec does not fix.",
        _SEARCH,
        metavar="NAME[=VALUES],...",
        example='["horizon", "population_size=1..20"]',
    )
    held_out: tuple[str, ...] = option(
        (),
        "An agent met only by the final recommendation.",
        "Validation",
        metavar="SPEC",
        example='["mcts:budget=1000"]',
    )
    sampler: str = AUTO  # each kind of studies has an option with its samplers
    games_per_trial: int | None = option(
        None, "Games of each trial; if omitted, as many as suit the sampler.", _SEARCH, example="100", least=1
    )
    live: int | None = option(
        None,
        "Trials in play at once; if omitted 16, or a fifth of the trials if that is less.",
        _SEARCH,
        example="16",
        least=1,
    )
    seed: int = option(
        1, "Random seed; studies with the same seed are identical; 1 by default.", _SEARCH, example="1", least=0
    )
    enqueue: tuple[str, ...] = option((), "A spec to try first.", _SEARCH, metavar="SPEC", example='["rhea:horizon=8"]')


@dataclass(frozen=True, kw_only=True)
class StudyOptions(CommonOptions):
    """Options of a study beside its agents and its game: the attributes of `StudyDefinition` in any form.

    By default the opponent is the agent with its default parameters, or none in a co-operative game. The objective is
    the win rate, the success of the team, or the score in games for one player. ``versus`` may name the folder of a
    tournament, for all of its agents, or be ``incumbent`` for self-play.
    """

    sampler: str = option(
        AUTO,
        f"The sampler that proposes configurations: {', '.join(SAMPLERS)}; file.py:Class for your own; auto by default.",
        _SEARCH,
        metavar="NAME",
        example='"auto"',
    )
    versus: tuple[str, ...] = option(
        (),
        "An opponent; the folder of a tournament, for all of its agents; or incumbent for self-play. "
        "If omitted, the agent with its default parameters.",
        _OPPONENTS,
        metavar="SPEC",
        example='["osla"]',
    )
    generations: int = option(
        0, "With --versus incumbent, how many incumbents are met; 4 by default.", _OPPONENTS, example="4", least=1
    )
    objective: str = option(
        "",
        f"What is optimised: {_OBJECTIVES}; file.py:function for your own. By default win_rate, the success of a team, "
        "or the score of games for one player.",
        _SEARCH,
        metavar="NAME",
        example='"win_rate"',
    )
    panel: str = option(
        PANELS[0],
        "How the values against several opponents become one; mean by default.",
        _OPPONENTS,
        example='"mean"',
        choices=PANELS,
    )
    decision_ms_limit: float = option(
        0.0,
        "Count configurations that take more CPU milliseconds per decision as losing; 0, the default, for no limit.",
        _SEARCH,
        example="5.0",
        least=0,
    )
    race: bool = option(
        True,
        "--no-race plays all games of trials that fall behind, which are pruned otherwise.",
        _SEARCH,
        example="true",
    )
    validation: int = option(
        1_000,
        "Most games on unseen seeds, for either side; 1000 by default, 0 for none.",
        _VALIDATION,
        example="1000",
        least=1,
        zero="for none",
    )
    equal_time_games: int | None = option(
        None,
        "The same with the default's budget scaled to equal CPU time; if omitted as many as for --validation, 0 for none.",
        _VALIDATION,
        example="1000",
        least=1,
        zero="for none",
    )
    warm_start: tuple[str, ...] = option(
        (),
        "An earlier study, whose trials are known from the beginning.",
        _SEARCH,
        metavar="DIR",
        example='["studies/first"]',
    )
    metrics: tuple[str, ...] = option(
        (),
        "What measures each game for the ledger.",
        "What is recorded",
        flag="--metric",
        metavar="NAME",
        example='["lead"]',
    )


def define_study(
    agents: str | tuple[str, ...], game: str, *, rules: Rules | None = None, **options: Any
) -> StudyDefinition:
    """Return the study that the specs describe, checked down to a set-up of the game.

    Args:
        agents: the specs of the agents to tune.
        game: the spec of the game type.
        rules: faults and clocks.
        options: the fields of `StudyOptions`; ``games`` is needed.

    Raises:
        TagError: an option is wrong; the message names it.
    """
    said = StudyOptions(**options)
    tuned = (agents,) if isinstance(agents, str) else agents
    if not tuned:
        raise SpecError("a study needs an agent")
    space = agent_space(tuned, said.search)
    _check_numbers(said)
    table, versus = _table(space, game, said, rules)
    is_cooperative = is_cooperative_game(table.game, table.players, said.seed)
    if not versus and not is_cooperative and INCUMBENT not in said.versus:
        versus = (canonical_agent(space.base),)
    _check_self_play(said, is_cooperative)
    is_scored = has_score(table.game, table.players, said.seed)
    objective = said.objective or _default_objective(table.players, is_cooperative, is_scored)
    _check_objective(objective, said, is_cooperative, is_scored)
    held_out = distinct_agents("held_out", said.held_out)
    _check_held_out(held_out, versus)
    generations = (said.generations or _GENERATIONS) if INCUMBENT in said.versus else 0
    _check_panel(said, versus)
    choice = _sampler(said, space, objective, generations)
    round_games = (table.players if versus or generations else 1) * max(len(versus), 1)
    per_trial = _per_trial(said, choice, round_games, generations)
    fewest = _fewest_blocks(objective, table.players)
    _check_validation(said, fewest, max(round_games, table.players * len(held_out)))
    _check_equal_time(said, fewest * round_games, canonical_agent(space.base))
    completed = {
        "agents": tuple(map(canonical_agent, tuned)),
        "game": table.game,
        "players": table.players,
        "search": space.search,
        "versus": versus,
        "held_out": held_out,
        "generations": generations,
        "objective": objective,
        "sampler": choice.name,
        "sampler_reason": choice.reason,
        "games_per_trial": per_trial,
        "live": live_of(said.live, said.games // max(generations, 1) // per_trial),
        "enqueue": tuple(space.spec(space.configuration(text)) for text in said.enqueue),
        "rules": table.rules,
    }
    return StudyDefinition(**{**stored_options(StudyDefinition, said), **completed})


def live_of(said: int | None, trials: int) -> int:
    """Return how many of so many trials are in play at once, as the user ``said`` or by default."""
    return min(MOST_LIVE, max(trials // _TRIALS_PER_LIVE, 1)) if said is None else said


def stored_options(study: type[Study], said: CommonOptions) -> dict[str, Any]:
    """Return the options that are also attributes of a definition, by name, as the user gave them."""
    return {one.name: getattr(said, one.name) for one in fields(study) if hasattr(said, one.name)}


def _table(
    space: SearchSpace, game: str, said: StudyOptions, rules: Rules | None
) -> tuple[TournamentDefinition, tuple[str, ...]]:
    """Return a tournament between all agents of the study, which checks them and the game, and the opponents."""
    opponents = tuple(one for text in said.versus if text != INCUMBENT for one in _opponents(text))
    everyone = (space.base, *opponents, *said.held_out)
    table = define(game, everyone, 1, players=said.players, seed=said.seed, rules=rules, metrics=said.metrics)
    return table, distinct_agents("versus", opponents)


def _opponents(text: str) -> tuple[str, ...]:
    if (Path(text) / folders.MANIFEST).is_file():
        return tuple(dict.fromkeys(folders.read_manifest(Path(text)).definition.agents))
    name = parse_spec(text).name
    if not is_path(name) and name not in agent_names():
        raise UnknownNameError.of("agent", name, (*agent_names(), INCUMBENT))
    return (text,)


def _sampler(said: StudyOptions, space: SearchSpace, objective: str, generations: int) -> samplers.SamplerChoice:
    """Return the sampler; one for several objectives, or for a panel, where that was left to us."""
    several = objective.count(",") + 1
    if several > 1 and said.sampler not in (AUTO, *OF_SEVERAL) and not is_path(said.sampler):
        raise ParameterError(f"the sampler {said.sampler!r} knows one objective; take {OF_SEVERAL[0]!r} for {several}")
    name, reason = said.sampler, ""
    if name == AUTO and several > 1:
        name, reason = OF_SEVERAL[0], _WHY_SEVERAL
    elif name == AUTO and said.panel != PANELS[0]:
        name, reason = (
            _FOR_PANELS,
            f"{_FOR_PANELS}: the {said.panel} over opponents needs games against each in every trial",
        )
    games = said.games // max(generations, 1)
    choice = samplers.make_sampler(name, space.configurations, games, seed=0)  # another one plays
    return replace(choice, reason=reason) if reason else choice


def _per_trial(said: StudyOptions, choice: samplers.SamplerChoice, round_games: int, generations: int) -> int:
    """Return the games of a configuration: each opponent in each seat equally often, or less than one such round.

    Panels other than the mean need at least one.
    """
    games = choice.games_per_trial if said.games_per_trial is None else said.games_per_trial
    if said.panel != PANELS[0]:
        if said.games_per_trial is not None and games < round_games:
            raise ParameterError(
                f"games_per_trial cannot be {games} with panel {said.panel!r}, which needs a game against each opponent "
                f"in each seat; the least is {round_games}"
            )
        if said.games_per_trial is None:
            games = max(games, round_games, min(_PANEL_ROUNDS * round_games, said.games // _TRIALS_OF_PANELS))
    found = games if games < round_games else games // round_games * round_games
    if found < 1:
        raise ParameterError(f"games_per_trial cannot be {found}; the least is 1")
    budget = said.games // max(generations, 1)
    if found > budget:
        part = f"a generation has {budget}, and " if generations else ""
        raise ParameterError(f"games cannot be {said.games}; {part}one configuration plays {found}")
    if budget // found > _MOST_TRIALS:
        raise ParameterError(
            f"games_per_trial cannot be {found} with so many games; the least is {-(-budget // _MOST_TRIALS)}, for a ledger "
            f"has room for {_MOST_TRIALS:,} configurations"
        )
    return found


def _check_numbers(said: StudyOptions) -> None:
    check_ranges(said)
    if not said.games:
        raise ParameterError("games cannot be 0; the least is 1")
    if said.panel not in PANELS:
        raise UnknownNameError.of("panel", said.panel, PANELS)


def _default_objective(players: int, is_cooperative: bool, has_score: bool) -> str:
    """Return the objective of a study that names none."""
    if players == 1 and has_score:
        return "score"
    return "success" if is_cooperative else "win_rate"


def _check_objective(objective: str, said: StudyOptions, is_cooperative: bool, has_score: bool) -> None:
    check_objectives(objective.split(","), is_cooperative, has_score)
    if said.decision_ms_limit and objective.split(",", maxsplit=1)[0] not in RATES:
        raise ParameterError(
            f"decision_ms_limit needs an objective that can be lost, such as 'win_rate', not {objective!r}"
        )


def _check_held_out(held_out: tuple[str, ...], versus: tuple[str, ...]) -> None:
    for spec in held_out:
        if spec in versus:
            raise ParameterError(f"held_out cannot be {spec!r}, an opponent of the search; name another")


def _check_self_play(said: StudyOptions, is_cooperative: bool) -> None:
    """Refuse self-play beside other opponents, in a team, or in no generations."""
    if INCUMBENT in said.versus and (len(said.versus) > 1 or is_cooperative):
        why = "in a co-operative game" if is_cooperative else "beside other opponents"
        raise ParameterError(f"versus cannot be {INCUMBENT!r} {why}; leave it out")
    if said.generations < 0 or (said.generations and INCUMBENT not in said.versus):
        raise ParameterError(
            f"generations cannot be {said.generations}; they are for --versus {INCUMBENT}, and at least 1"
        )


def _check_panel(said: StudyOptions, versus: tuple[str, ...]) -> None:
    """Refuse a panel that is not needed, as there are no several opponents."""
    if said.panel != PANELS[0] and len(versus) < 2:
        raise ParameterError(
            f"panel cannot be {said.panel!r} against fewer than two opponents; leave it out, or name more with --versus"
        )


def _fewest_blocks(objective: str, players: int) -> int:
    """Return the fewest blocks of a validation: more where the first objective has no bound."""
    return FEWEST_BLOCKS if isfinite(range_of(objective.split(",", maxsplit=1)[0], players)[1]) else FEWEST_SCORES


def _check_equal_time(said: StudyOptions, least: int, default: str) -> None:
    """Refuse a validation at equal time that has too few games, no validation before it, or no budget to scale."""
    games = said.equal_time_games
    why_not = why_not_scaled(default)
    if games and why_not:
        raise ParameterError(f"equal_time_games cannot be {games}: {why_not}; leave it out")
    if games and (games < least or not said.validation):
        why = "" if said.validation else " without a validation, which measures the time"
        raise ParameterError(f"equal_time_games cannot be {games}{why}; the least is {least}, or 0 for none")


def _check_validation(said: StudyOptions, fewest: int, round_games: int) -> None:
    """Refuse a validation with fewer rounds than ``fewest``, and held-out opponents without a validation.

    A round has the games with one chance seed against all opponents, or against those held out if they are more.
    """
    least = fewest * round_games
    if said.validation >= least or (said.validation == 0 and not said.held_out):
        return
    why, none = (" with opponents held out, who are met only then", "") if said.held_out else ("", ", or 0 for none")
    raise ParameterError(f"validation cannot be {said.validation}{why}; the least is {least}{none}")
