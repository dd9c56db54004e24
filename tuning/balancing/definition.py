"""The definition of a balancing study: a game, its search space, the targets, and the agents that play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final

import pandas as pd

from tag.catalogue.options import Range, check_ranges, option
from tag.catalogue.registry import file_sources
from tag.catalogue.user_code import is_path
from tag.engine.parameters import parse_spec
from tag.engine.rng import derive_seed
from tag.engine.text_files import read_text
from tag.errors import ParameterError, PlayersError, SpecError, TagError, UnknownNameError
from tag.tournaments.definition import Rules, canonical_agent, define, sources_of
from tag.tournaments.designs.design import Seats
from tag.tournaments.designs.games import Pairing, game_id_of
from tag.tournaments.designs.matchups import FixedMatchups, Ladder, RoundRobin, round_robin
from tag.tournaments.ledger import reading as readers
from tag.tuning import samplers
from tag.tuning.balancing.estimation import CandidateGames, Estimate
from tag.tuning.balancing.measures import ladder, read_wanted, restricted
from tag.tuning.balancing.targets import Goal, Target, estimates, goals_of, needed_metrics, read_target
from tag.tuning.definition import MOST_LIVE, CommonOptions, StudyDefinition, define_study, live_of, stored_options
from tag.tuning.space import SearchSpace, game_space
from tag.tuning.study import AUTO, FEWEST_BLOCKS, OF_SEVERAL, SAMPLERS, Study, distinct_agents

if TYPE_CHECKING:
    from tag.tournaments.ledger.rows import PlayedGame

# --- match-ups of a candidate: they follow from the targets -------------------------------------------------------------
#
# Most measures are about the game itself (its length, its seats, its draws): for these each agent of the panel plays
# itself, one game per chance seed. Others compare agents. These meet as the target needs: all pairs, neighbours on a
# ladder of budgets, or an agent and its copy without an action. Games that several targets need are played once, and all
# with the same chance seeds.


_MEETINGS: Final = ("win_rate", "match_ups", "luck")
_LADDERS: Final = ("skill_area", "skill_slope")
_RESTRICTIONS: Final = ("restriction", "restriction_spread")
_RESTRICTED: Final = "restricted"


class Mirror(FixedMatchups):
    """Each agent in all seats of a game."""

    about = "each agent against copies of itself only"

    def _matchups(self) -> list[Seats]:
        return [(agent,) * self.n_players for agent in range(self.n_agents)]


class FirstAgainstEach(FixedMatchups):
    """The first agent against each of the others alone, who share the seats as evenly as can be."""

    about = "the first agent against each of the others alone"

    def _matchups(self) -> list[Seats]:
        shared = round_robin(2, self.n_players)
        return [tuple(other * which for which in seats) for other in range(1, self.n_agents) for seats in shared]


@dataclass(frozen=True)
class Group:
    """Agents that meet by a design, and the numbers of the targets that their games measure."""

    agents: tuple[str, ...]
    design: FixedMatchups
    targets: tuple[int, ...]


@dataclass(frozen=True)
class _Group:
    """The roster of one candidate's games of a group, as estimators look at them."""

    entries: tuple[str, ...]
    game: str

    def game_of(self, _pairing: Pairing) -> str:
        return self.game


class Plan:
    """Plan of the games of a candidate; the same for all candidates.

    Attributes:
        game: the name of the game type.
        players: the seats of each game.
        agents: the specs of all agents that play, by number.
        targets: the targets to estimate.
        block_games: how many games a candidate plays with each chance seed.
        metrics: the names of the metrics that measure each game.
    """

    def __init__(self, game: str, players: int, agents: Sequence[str], targets: Sequence[Target]) -> None:
        """Plan for a panel of ``agents``; `TagError` where a target is about agents that are missing, or too few."""
        self.game = parse_spec(game).name
        self.players = players
        self.targets = tuple(targets)
        self.groups = _groups(players, tuple(agents), self.targets)
        self.agents = tuple(dict.fromkeys(agent for group in self.groups for agent in group.agents))
        self.block_games = sum(group.design.n_matchups * group.design.n_seatings for group in self.groups)
        self.metrics = needed_metrics(self.targets, game)
        self._numbers = {agent: number for number, agent in enumerate(self.agents)}
        #: Of each match-up its group and its number in that.
        self._matchups = [(group, number) for group in self.groups for number in range(group.design.n_matchups)]
        self._check()

    @property
    def width(self) -> int:
        """Number of match-ups of a candidate."""
        return len(self._matchups)

    def games(self, candidate: int, blocks: range, seed: int) -> list[Pairing]:
        """Return the games of a candidate by number, in some blocks of the stream of ``seed``, in order."""
        found = []
        for block in blocks:
            chance = derive_seed(seed, "block", block)
            for matchup, (group, _own) in enumerate(self._matchups, candidate * self.width):
                for seating in range(group.design.n_seatings):
                    seats = self.seats(block, matchup, seating) or ()
                    found.append(Pairing(game_id_of(block, matchup, seating), block, matchup, seating, seats, chance))
        return found

    def seats(self, block: int, matchup: int, seating: int) -> tuple[int, ...] | None:
        """Return the number of the agent in each seat of a game of any candidate; None where there is no such game."""
        group, own = self._matchups[matchup % self.width]
        if seating >= group.design.n_seatings:
            return None
        return tuple(self._numbers[group.agents[one]] for one in group.design.agents(block, own, seating))

    def estimates(self, game: str, games: Sequence[PlayedGame]) -> tuple[Estimate, ...]:
        """Return the estimates from the games of the candidate ``game``, by target."""
        found: dict[int, Estimate] = {}
        for group, view in self.views(game, games):
            mine = [self.targets[number] for number in group.targets]
            found |= zip(group.targets, estimates(mine, view, game), strict=True)
        return tuple(found[number] for number in range(len(self.targets)))

    def views(self, game: str, games: Sequence[PlayedGame]) -> Iterator[tuple[Group, CandidateGames]]:
        """Yield each group with its part of the games of the candidate ``game``, as estimators look at them."""
        for group in self.groups:
            yield group, self._view(game, group, games)

    def _view(self, game: str, group: Group, games: Iterable[PlayedGame]) -> CandidateGames:
        """Return the games of a group with match-ups and agents numbered as if there were no others."""
        mine = [
            played._replace(pairing=self._local(played.pairing))
            for played in games
            if self._matchups[played.pairing.matchup % self.width][0] is group
        ]
        measures = [
            (played.pairing.game_id, measure, value)
            for played in mine
            for measure, values in played.record.measures
            for value in values
        ]
        frames = readers.frames_of(mine, _Group(group.agents, game))
        return CandidateGames(*frames, pd.DataFrame(measures, columns=["game_id", "measure", "value"]))

    def _local(self, pairing: Pairing) -> Pairing:
        group, own = self._matchups[pairing.matchup % self.width]
        return pairing._replace(matchup=own, agents=group.design.agents(pairing.block, own, pairing.seating))

    def _check(self) -> None:
        for group in self.groups:
            nobody = _nothing_played(group.agents)
            for target in (self.targets[number] for number in group.targets):
                for agent in _named(target):
                    nobody.agent(agent)


def _groups(players: int, agents: tuple[str, ...], targets: tuple[Target, ...]) -> tuple[Group, ...]:
    kinds: dict[tuple[str, str], list[int]] = {}
    for number, target in enumerate(targets):
        kinds.setdefault(_kind(target), []).append(number)
    without = [target.argument for target in targets if target.measure == _RESTRICTIONS[0]]
    return tuple(
        _group(kind, argument, players, _those(kind, argument, agents, without), tuple(numbers))
        for (kind, argument), numbers in kinds.items()
    )


def _kind(target: Target) -> tuple[str, str]:
    """Return the design by which agents meet for a target, and the agents if not all."""
    if target.measure in _LADDERS:
        return "ladder", target.argument
    for kind, measures in (("meetings", _MEETINGS), ("comparison", _RESTRICTIONS)):
        if target.measure in measures:
            return kind, ""
    return "mirror", ""


def _those(kind: str, name: str, agents: tuple[str, ...], without: list[str]) -> tuple[str, ...]:
    if kind == "ladder":
        return ladder(_nothing_played(agents), name)
    if kind == "comparison":
        full = next((one for one in agents if parse_spec(one).name != _RESTRICTED), agents[0])
        mine = [one for one in agents if parse_spec(one).name == _RESTRICTED]
        return tuple(dict.fromkeys([full, *(restricted(full, words) for words in without), *mine]))
    return agents


def _nothing_played(agents: tuple[str, ...]) -> CandidateGames:
    return CandidateGames(pd.DataFrame(), pd.DataFrame({"agent": pd.Categorical([], categories=list(agents))}))


def _group(kind: str, name: str, players: int, agents: tuple[str, ...], targets: tuple[int, ...]) -> Group:
    least = 1 if kind == "mirror" else 2
    if len(agents) < least:
        of = f" named {name}" if name else ""
        raise PlayersError(f"this target needs {least} agents{of} that meet, not {len(agents)}; name each with --agent")
    design = {"mirror": Mirror, "meetings": RoundRobin, "ladder": Ladder, "comparison": FirstAgainstEach}[kind]
    return Group(agents, design(len(agents), players, 0), targets)


def _named(target: Target) -> list[str]:
    if target.measure == "match_ups":
        return sorted({agent for pair in read_wanted(target.argument) for agent in pair})
    return [target.argument] if target.measure in ("win_rate", "success", "score") and target.argument else []


def playable(game: str, players: int, agents: Sequence[str], targets: Sequence[Target]) -> Plan | None:
    """Return a plan for the targets that agents outside the panel can measure too; None if there are none."""
    found = []
    for target in targets:
        try:
            Plan(game, players, agents, [target])
        except TagError:
            continue
        found.append(target)
    return Plan(game, players, agents, found) if found else None


# --- definition of a balancing study ------------------------------------------------------------------------------------


BALANCE: Final = "balance.json"

#: Separate seeds, so that the chosen game is measured on games that the search has not seen.
SEARCH: Final = "search"
VALIDATION: Final = "validation"
HELD_OUT: Final = "held out"
RETUNED: Final = "retuned"

#: The sampler for bands.
BANDS: Final = "bands"


@dataclass(frozen=True, kw_only=True)
class BalanceDefinition(Study):
    """A balancing study, with its specs in canonical form. Make one with `tag.tuning.balancing.definition.define_balance`.

    Attributes beside those of `Study` and `BalanceOptions`:
        targets: measures with their bands (`tag.tuning.balancing.targets`).
        weights: costs of misses of some targets, ``name=number``; 1 by default.
        agents: the specs of the panel.
        sampler: by name, never ``auto``.
        games_per_trial: how many games a candidate plays each time that it is asked for.
        near_printed: the cost of changing every parameter from one end of its range to the other.
        finalists: how many of the best candidates are measured again on unseen seeds, each with ``validation`` games at
            most, until one meets all targets.
        retune: the spec of an agent that is tuned to the chosen rules, and measures them again; empty for none.
    """

    kind: ClassVar[str] = "balance"
    verdict: ClassVar[str] = BALANCE

    targets: tuple[str, ...]
    weights: tuple[str, ...]
    agents: tuple[str, ...]
    held_out: tuple[str, ...]
    sampler: str
    games_per_trial: int
    live: int
    near_printed: float
    pareto: bool
    finalists: int
    retune: str
    retune_games: int
    enqueue: tuple[str, ...] = ()

    @cached_property
    def space(self) -> SearchSpace:
        """The search space."""
        return game_space(self.game, self.search)

    @cached_property
    def goals(self) -> tuple[Goal, ...]:
        """The targets with the costs of their misses."""
        bands = [read_target(text, self.game, self.players) for text in self.targets]
        return goals_of(self.game, bands, self.weights)

    @property
    def bands(self) -> tuple[Target, ...]:
        """The targets."""
        return tuple(goal.target for goal in self.goals)

    @cached_property
    def plan(self) -> Plan:
        """The plan of a candidate's games."""
        return Plan(self.game, self.players, self.agents, self.bands)

    @property
    def games_at_most(self) -> int:
        """Most games of the search and the validation, with those of held-out agents."""
        sides = self.finalists + 1 + 2 * (bool(self.held_out) + bool(self.retune))
        return self.games + self.validation * sides

    def sources(self) -> dict[str, str]:
        """Return the text of users' files by name, also within targets, as `Study.sources`."""
        retuned = (self.retune,) if self.retune else ()
        wanted = [target.argument for target in self.bands if target.measure == "match_ups"]
        return {
            **sources_of(self.game, (*self.plan.agents, *self.held_out, *retuned), self.plan.metrics),
            **{path: read_text(path) for path in wanted},
            **(file_sources(self.sampler) if is_path(self.sampler) else {}),
        }


# --- options of a balancing study, checked and completed to a `BalanceDefinition` ---------------------------------------


_MOST_TRIALS: Final = 100
#: The headings of the options below in ``--help``.
_BALANCED: Final = "What is balanced"
_VALIDATION: Final = "Validation"


@dataclass(frozen=True, kw_only=True)
class BalanceOptions(CommonOptions):
    """Options of a study beside its game: the attributes of `BalanceDefinition` in any form.

    By default everything is searched that the game does not fix, and each candidate plays a hundredth of the games.
    """

    sampler: str = option(
        AUTO,
        f"The sampler that proposes candidates: {', '.join((AUTO, BANDS, *SAMPLERS[1:]))}; with --pareto "
        f"{', '.join(OF_SEVERAL)}; file.py:Class for your own; auto by default.",
        "Search",
        metavar="NAME",
        example='"auto"',
    )
    targets: tuple[str, ...] = option(
        (),
        "What the game should be: seat_spread=0±0.02, length=50..70, draws<=0.05 (docs/balancing.md lists them); needed.",
        _BALANCED,
        flag="--target",
        metavar="MEASURE=BAND",
        example='["seat_spread=0±0.02", "length=60±10"]',
    )
    agents: tuple[str, ...] = option(
        (), "An agent that plays the candidates; needed.", _BALANCED, flag="--agent", metavar="SPEC", example='["osla"]'
    )
    weights: tuple[str, ...] = option(
        (),
        "What missing a target costs; 1 by default.",
        _BALANCED,
        flag="--weight",
        metavar="MEASURE=NUMBER",
        example='["length=2"]',
    )
    near_printed: float = option(
        0.1, "What being far from the printed rules costs, at most; 0.1 by default.", _BALANCED, example="0.1", least=0
    )
    pareto: bool = option(
        False, "Search the targets side by side: what each candidate changes and gains.", "Search", example="false"
    )
    finalists: int = option(
        3, "How many of the best are measured again on unseen seeds; 3 by default.", _VALIDATION, example="3", least=1
    )
    validation: int = option(
        2_000, "Most games for each finalist; 2000 by default.", _VALIDATION, example="2000", least=1
    )
    retune: str = option(
        "",
        "An agent to tune to the chosen rules, to measure them again.",
        _VALIDATION,
        metavar="SPEC",
        example='"mcts:budget=50"',
    )
    retune_games: int = option(
        2_000, "The budget of that in games; 2000 by default.", _VALIDATION, example="2000", least=1
    )


def define_balance(game: str, *, rules: Rules | None = None, **options: Any) -> BalanceDefinition:
    """Return the study that the specs describe, checked down to a set-up of the game.

    Args:
        game: the spec of the game type.
        rules: faults and clocks.
        options: the fields of `BalanceOptions`; ``targets``, ``agents`` and ``games`` are needed.

    Raises:
        TagError: an option is wrong; the message names it.
    """
    said = BalanceOptions(**options)
    if not said.targets:
        raise SpecError("a balancing study needs a target; say what the game should be with --target")
    if not said.agents:
        raise SpecError("a balancing study needs agents that play; name each with --agent")
    check_ranges(said)
    others = (*said.held_out, *((said.retune,) if said.retune else ()))
    table = define(game, (*said.agents, *others), 1, players=said.players, seed=said.seed, rules=rules)
    space = game_space(game, said.search)
    bands = _bands(said.targets, table.game, table.players)
    goals_of(table.game, bands, said.weights)
    panel, held_out = distinct_agents("agents", said.agents), distinct_agents("held_out", said.held_out)
    plan = Plan(table.game, table.players, panel, bands)
    if held_out and playable(table.game, table.players, held_out, bands) is None:
        raise ParameterError(f"no target is about agents like {held_out[0]!r} that are held out; leave them out")
    sampler, per_trial = _sampler(said, space), _per_trial(said, plan.block_games)
    completed = {
        "game": table.game,
        "players": table.players,
        "targets": tuple(map(str, bands)),
        "agents": panel,
        "held_out": held_out,
        "sampler": sampler,
        "games_per_trial": per_trial,
        "live": MOST_LIVE if sampler == BANDS and said.live is None else live_of(said.live, said.games // per_trial),
        "retune": canonical_agent(said.retune) if said.retune else "",
        "enqueue": tuple(space.spec(space.configuration(text)) for text in said.enqueue),
        "rules": table.rules,
    }
    found = BalanceDefinition(**{**stored_options(BalanceDefinition, said), **completed})
    _check_numbers(found, plan.block_games)
    if found.retune:
        retune_study(found, found.game)
    return found


def retune_study(definition: BalanceDefinition, game: str) -> StudyDefinition:
    """Return the study that tunes an agent to the rules of ``game``; `TagError` where there cannot be such a study."""
    return define_study(
        definition.retune,
        game,
        games=definition.retune_games,
        players=definition.players,
        seed=definition.stream(RETUNED),
        rules=definition.rules,
    )


def _bands(texts: tuple[str, ...], game: str, players: int) -> list[Target]:
    bands = [read_target(text, game, players) for text in texts]
    names = [band.name for band in bands]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ParameterError(f"there are two targets for {twice}; write one band")
    return bands


def _sampler(said: BalanceOptions, space: SearchSpace) -> str:
    name = said.sampler
    if name == AUTO:
        return OF_SEVERAL[0] if said.pareto else BANDS
    if said.pareto and name not in OF_SEVERAL and not is_path(name):
        raise UnknownNameError.of("sampler of several objectives", name, OF_SEVERAL)
    if name not in (BANDS, *SAMPLERS) and not is_path(name):
        raise UnknownNameError.of("sampler", name, (BANDS, *SAMPLERS))
    if name != BANDS:
        samplers.make_sampler(name, space.configurations, said.games, seed=0)  # another one plays
    return name


def _per_trial(said: BalanceOptions, block_games: int) -> int:
    """Return how many games a candidate plays: whole blocks, enough of them to know the error."""
    usual = max(said.games // _MOST_TRIALS, FEWEST_BLOCKS * block_games)
    wanted = usual if said.games_per_trial is None else said.games_per_trial
    return max(wanted // block_games, 1) * block_games


def _check_numbers(definition: BalanceDefinition, block_games: int) -> None:
    least = FEWEST_BLOCKS * block_games
    numbers = {
        "games": (definition.games, definition.games_per_trial),
        "games_per_trial": (definition.games_per_trial, least),
        "validation": (definition.validation, least),
    }
    for name, (value, smallest) in numbers.items():
        Range(smallest).check(name, value)
