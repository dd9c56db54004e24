"""Command lines and TOML files of tournaments: the events that they ask for, of one game or of several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from tag.catalogue.registry import game_class
from tag.engine.parameters import parse_spec
from tag.errors import DataError, ParameterError, PlayersError
from tag.tournaments.commands.settings import Settings, definition_in, given_options, players_of
from tag.tournaments.definition import TournamentDefinition
from tag.tournaments.designs.agents import at_budgets, read_budgets
from tag.tournaments.designs.by_name import DEFAULT_DESIGN
from tag.tournaments.ledger import experiment as experiments
from tag.tournaments.ledger import folder as folders

#: Settings that an event of a TOML file may have of its own; the others are common to all.
_OF_AN_EVENT: Final = (
    *("game", "players", "agents", "blocks", "design", "draw", "hold", "opening", "metrics"),
    *("sprt", "precision", "compare"),
)
#: The design of events at tables for more than two, unless one is named: it takes further agents without a game again.
_SHARED: Final = "grid"


@dataclass(frozen=True)
class Asked:
    """The events that a command asks for, and their folder.

    Attributes:
        experiment: the events, with their seed.
        folder: of the experiment, or of its only event if that is a tournament by itself.
        settings: of the run: workers and tracking.
        is_one: whether it is a tournament by itself.
    """

    experiment: experiments.Experiment
    folder: Path
    settings: Settings
    is_one: bool

    @property
    def only(self) -> TournamentDefinition:
        """The tournament, if it is one by itself."""
        return next(iter(self.experiment.events.values()))


def asked(words: Sequence[str], options: Mapping[str, Any], *, extend: bool) -> Asked:
    """Read games, a TOML file or a folder together with options.

    Raises:
        TagError: a value is wrong or missing, or does not fit to the folder.
    """
    first, *more = words
    given = given_options(options)
    if (Path(first) / experiments.EXPERIMENT).is_file():
        return _of_experiment(first, more, given, extend=extend)
    if (Path(first) / folders.MANIFEST).is_file():
        if more:
            return _of_experiment(first, more, given, extend=extend)
        return _alone(_of_tournament(first, given, extend=extend))
    numbers = players_of(given.pop("players", ""))
    values: dict[str, object] = {}
    where = "the options"
    found = None if more else definition_in(first, given)
    if found is not None:
        values, where = found, repr(first)
        if "events" in values:
            if numbers:
                raise ParameterError(f"--players is for games on the command line; the events in {where} say theirs")
            return several(_events_of_file(values.pop("events"), first), values, given, where)
        words = [str(values.get("game", ""))] if len(numbers) > 1 else []
    if len(words) < 2 and len(numbers) < 2:
        event = {**({"game": words[0]} if words else {}), **({"players": numbers[0]} if numbers else {})}
        return _alone(Settings.from_values({**values, **event, **given}, where))
    return several(list(events_of(words, numbers)), values, given, where)


def _alone(settings: Settings) -> Asked:
    """Return a tournament by itself."""
    definition = settings.definition()
    folder = settings.folder(definition)
    seeded = replace(definition, seed=settings.seed_or(folders.read_seed(folder)))
    return Asked(experiments.Experiment.of([seeded]), folder, settings, True)


def several(
    events: Sequence[Mapping[str, object]], values: Mapping[str, object], given: Mapping[str, object], where: str
) -> Asked:
    """Return an experiment: ``events`` with what they say, ``values`` for all, and the options ``given``."""
    named = []
    for event in events:
        own = {**values, **event, **given}
        name, weight = str(own.pop("name", "")), own.pop("weight", 1.0)
        if not isinstance(weight, int | float) or isinstance(weight, bool):
            raise DataError(f"weight in {where} cannot be {weight!r}; it is a number")
        settings = Settings.from_values(own, where)
        definition = _with_default(settings, "design" in own).definition()
        named.append((name or folders.event_name(definition.game, definition.players), definition, float(weight)))
    first = Settings.from_values({**values, **given}, where)
    if first.part:
        raise ParameterError("part is for one tournament, and this is an experiment of several; leave it out")
    experiment = experiments.Experiment.named(named)
    plain = [{**event.to_json(), "blocks": 0, "seed": first.seed} for event in experiment.events.values()]
    folder = first.named_folder("runs", "experiment", {"events": plain})
    seed = first.seed_or(experiments.read_seed_of(folder))
    seeded = {name: replace(event, seed=seed) for name, event in experiment.events.items()}
    return Asked(replace(experiment, events=seeded), folder, first, False)


def _with_default(settings: Settings, is_said: bool) -> Settings:
    """Return the settings of an event with its design, if none ``is_said``: one that takes further agents later."""
    is_alone = len(settings.agents) < 2 and not settings.budgets
    if is_said or is_alone or not settings.game:
        return settings
    return replace(settings, design=_usual_design(settings.game, settings.players))


def _usual_design(game: str, players: int | None) -> str:
    seats = players or game_class(parse_spec(game).name).game_type.min_players
    return _SHARED if seats > 2 else DEFAULT_DESIGN


def events_of(games: Sequence[str], players: Sequence[int]) -> Iterator[Mapping[str, object]]:
    """Yield the events of games at numbers of players."""
    for game in games:
        kind = game_class(parse_spec(game).name).game_type
        seats = [n for n in players or (kind.min_players,) if kind.min_players <= n <= kind.max_players]
        if not seats:
            raise PlayersError(f"{kind.title} is not for {', '.join(map(str, players))} players; leave it out")
        for n in seats:
            yield {"game": game, "players": n}


def _events_of_file(events: object, file: str) -> list[Mapping[str, object]]:
    """Return the events of a TOML file, or raise the first error in them."""
    if not isinstance(events, list) or not events or not all(isinstance(event, dict) for event in events):
        raise DataError(f"{file!r} has no events; add [[events]] with a game each")
    known = {one.name for one in fields(Settings)}
    for event in events:
        for name in event:
            if name in known and name not in _OF_AN_EVENT:
                raise DataError(f"{name} in {file!r} is the same for all events; move it above [[events]]")
    return events


#: What a folder holds, in sentences.
_A: Final = {"tournament": "a tournament", "experiment": "an experiment"}
#: Options that make what a folder holds longer.
_LONGER: Final = ("blocks", "agents", "budgets")


def _of_tournament(folder: str, given: dict[str, Any], *, extend: bool) -> Settings:
    """Return the settings of the tournament in ``folder``, with the options of its run and its extension."""
    definition = folders.read_extended(Path(folder))
    blocks, agents = _extension(folder, "tournament", definition, given, extend=extend)
    longer = folders.extended(definition, blocks, agents)
    return Settings.from_values({**given, "out": folder}, folder, longer.to_json())


def _of_experiment(folder: str, games: Sequence[str], given: dict[str, Any], *, extend: bool) -> Asked:
    """Return the experiment in ``folder``, with the options of its run and its extension, also by further ``games``.

    A tournament is one with a single event.
    """
    is_one = experiments.holds_tournament(Path(folder))
    kind = "tournament" if is_one else "experiment"
    if is_one:
        known = experiments.Experiment.of([folders.read_extended(Path(folder))])
    else:
        known = experiments.read_extended(Path(folder))
    first = next(iter(known.events.values()))
    numbers = players_of(given.pop("players", "")) if games else ()
    if games and not extend:
        raise ParameterError(f"{folder!r} holds {_A[kind]} already; for more games, add --extend")
    blocks, agents = _extension(folder, kind, first, given, extend=extend)
    longer = known.extended(blocks, agents) if extend else known
    settings = Settings.from_values({**given, "out": folder}, folder)
    further = {}
    for event in events_of(games, numbers):
        definition = _like(next(iter(longer.events.values())), event)
        further[folders.event_name(definition.game, definition.players)] = definition
    return Asked(longer.with_events(further), Path(folder), settings, False)


def _extension(
    folder: str, kind: str, definition: TournamentDefinition, given: dict[str, Any], *, extend: bool
) -> tuple[int | None, Sequence[str]]:
    """Return the blocks and the further agents among the options ``given``, which lose them; others cannot change.

    Raises:
        ParameterError: an option would change what is in the folder.
    """
    new = {name: given.pop(name) for name in _LONGER if name in given}
    fixed = sorted(set(given).intersection({*definition.to_json(), "part"}))
    if fixed or (new and not extend):
        how = f"its {fixed[0]} cannot be changed" if fixed else f"for more {next(iter(new))}, add --extend"
        raise ParameterError(f"{folder!r} holds {_A[kind]} already; {how}")
    agents = new.get("agents", ())
    return new.get("blocks"), at_budgets(agents, read_budgets(new["budgets"])) if "budgets" in new else agents


def _like(first: TournamentDefinition, event: Mapping[str, object]) -> TournamentDefinition:
    """Return a further event with the settings of the ``first``, except what is for its game alone."""
    own = {**event, "draw": (), "hold": (), "opening": ""}
    if first.design in (DEFAULT_DESIGN, _SHARED):
        own["design"] = _usual_design(str(event["game"]), int(str(event["players"])))
    return Settings.from_values(own, "the options", first.to_json()).definition()
