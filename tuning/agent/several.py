"""Checks of the options of a study over several games."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Final

from tag.catalogue.presets import NONE, written_out
from tag.catalogue.registry import agent_names, game_names, game_of_bot, make_game
from tag.engine.parameters import Spec, parse_spec
from tag.errors import ParameterError
from tag.orders.opening import is_opening_text
from tag.orders.set_up import is_cooperative_game
from tag.tuning.agent.across import POINTS
from tag.tuning.agent.definition import INCUMBENT, LEAST_ROUNDS
from tag.tuning.agent.events import ALL, StudyEvent, read_events
from tag.tuning.agent.objectives import ACROSS, PANELS, WORST
from tag.tuning.agent.options import StudyOptions

#: A trial has so many chance seeds or more by default, so that all trials have the same.
_SEEDS: Final = 10
#: Fewer where a study would have fewer trials than this.
_TRIALS: Final = 20


def check_several(said: StudyOptions) -> None:
    """Refuse options that are for studies of one game."""
    wrong = {
        "objective": (said.objective, said.objective not in ("", POINTS), f"games are compared by {POINTS}"),
        "panel": (said.panel, said.panel != PANELS[0], f"opponents count by their {PANELS[0]}"),
        "decision_ms_limit": (said.decision_ms_limit, said.decision_ms_limit > 0.0, "games take different times"),
        "versus": (INCUMBENT, INCUMBENT in said.versus, "there is no self-play"),
        "generations": (said.generations, said.generations != 0, "there is no self-play"),
        "warm_start": (said.warm_start[:1], bool(said.warm_start), "trials of other games say something else"),
        "equal_time_games": (said.equal_time_games, bool(said.equal_time_games), "each game has a budget of its own"),
        "opening": (said.opening, bool(said.opening) and not is_opening_text(said.opening), "a file is for one game"),
        "search": ("budget", any("budget" in one for one in said.search), "each game has a budget of its own"),
    }
    for name, (value, is_wrong, why) in wrong.items():
        if is_wrong:
            raise ParameterError(f"{name} cannot be {_text(value)} in several games: {why}; leave it out")
    if said.portfolio and not said.validation:
        raise ParameterError(
            f"portfolio cannot be {said.portfolio} without a validation, in which it plays; leave it out"
        )
    if said.across not in ACROSS:
        raise ParameterError(f"across cannot be {said.across!r}; it is {' or '.join(ACROSS)}")


def check_one(said: StudyOptions) -> None:
    """Refuse options that are for studies of several games."""
    if said.across != ACROSS[0]:
        raise ParameterError(f"across cannot be {said.across!r} in one game; leave it out, or name more with --game")
    if said.portfolio:
        raise ParameterError(
            f"portfolio cannot be {said.portfolio} in one game; leave it out, or name more with --game"
        )
    for text in said.held_out:
        name = parse_spec(text).name
        if name in game_names() and name not in agent_names():
            raise ParameterError(f"held_out cannot be the game {text!r} in a study of one game; name more with --game")


def _text(value: object) -> str:
    return repr(value[0]) if isinstance(value, tuple) else repr(value)


def events_and_held_out(
    games: Sequence[str], said: StudyOptions
) -> tuple[tuple[StudyEvent, ...], tuple[StudyEvent, ...]]:
    """Return the events of a study, and those that only its recommendation plays.

    Raises:
        TagError: a game is unknown, there twice, no game of points between players, or has no opponent.
    """
    held_out = read_events([_game(text) for text in said.held_out], said.players)
    names = {event.name for event in held_out}
    events = tuple(event for event in _competitive(games, said) if not (event.name in names and ALL in games))
    for event in held_out:
        if event in events:
            raise ParameterError(f"held_out cannot be {event.name}, a game of the search; name another")
    if said.across == WORST and any(event.weight != 1.0 for event in (*events, *held_out)):
        raise ParameterError(f"weight is for across={ACROSS[0]!r}; with {WORST!r} the worst game counts alone")
    if len(events) < 2:
        raise ParameterError("a study over several games needs two; name another with --game")
    for event in (*events, *held_out):
        if said.versus and not event.opponents(said.versus):
            raise ParameterError(f"versus has no opponent that plays {event.name}; name one with --versus")
    return events, held_out


def _game(text: str) -> str:
    name = parse_spec(text).name
    if name in agent_names() or game_of_bot(name):
        raise ParameterError(f"held_out cannot be the agent {text!r} in a study over several games; name games")
    return text


def _competitive(games: Sequence[str], said: StudyOptions) -> tuple[StudyEvent, ...]:
    """Return the events of games, without those that ``all`` brings and that no players contest."""
    found = read_events(games, said.players)
    wrong = [event for event in found if event.players < 2 or is_cooperative_game(event.game, event.players)]
    if wrong and ALL not in games:
        raise ParameterError(f"game cannot be {wrong[0].name} beside others: nobody plays against anybody there")
    return tuple(event for event in found if event not in wrong)


def without_presets(agents: Sequence[str], events: Sequence[StudyEvent]) -> tuple[str, ...]:
    """Return the agents with no presets of games, where one of them has some: one agent is tuned for all."""
    models = [make_game(event.game) for event in events]

    def takes(spec: Spec) -> bool:
        return any(str(written_out(spec, model)) != str(spec) for model in models)

    specs = [parse_spec(text) for text in agents]
    return tuple(str(spec.with_value("preset", NONE) if takes(spec) else spec) for spec in specs)


def games_per_trial(said: StudyOptions, usual: int, round_games: int, n_events: int) -> int:
    """Return the games of a trial: whole rounds, at least two, of which each has a chance seed of every game.

    Args:
        said: the options.
        usual: as many as suit the sampler.
        round_games: the games of a round.
        n_events: the games.

    Raises:
        ParameterError: there are too few games.
    """
    least = LEAST_ROUNDS * round_games
    if said.games_per_trial is not None and said.games_per_trial < least:
        raise ParameterError(
            f"games_per_trial cannot be {said.games_per_trial} in several games; the least is {least}, with two chance "
            "seeds of each game"
        )
    if said.games < least:
        raise ParameterError(f"games cannot be {said.games}; one configuration plays {least} in these games")
    if said.games_per_trial is not None:
        return min(said.games_per_trial, said.games) // round_games * round_games
    most = max(said.games // _TRIALS // round_games, LEAST_ROUNDS)
    rounds = max(usual // round_games, min(ceil(_SEEDS / n_events), most), LEAST_ROUNDS)
    return min(rounds, said.games // round_games) * round_games
