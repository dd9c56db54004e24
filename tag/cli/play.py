"""``tag play``: one game, printed, or played by people."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import click
from click.core import ParameterSource

from tag.catalogue.registry import canonical, check_game, game_class, make_agent, make_game
from tag.cli.numbers import PLAYERS, SEED, VIEWER, check_viewer
from tag.cli.people.session import Session
from tag.cli.people.thinking import ThinkersApart
from tag.cli.process import interrupted_by, print_json
from tag.cli.terminal import Terminal
from tag.engine.parameters import parse_spec
from tag.engine.results import result_name
from tag.engine.state import AnyAction, Event, GameState
from tag.errors import DataError, ParameterError, PlayersError
from tag.orders import GameOrder, GameRecord, Opening, Openings, opening_choices, play_order
from tag.playing.agent import Agent
from tag.playing.listener import Listener
from tag.table.events import event_texts
from tag.table.game import Start, is_human
from tag.table.openings import canonical_openings
from tag.table.seats import Thinkers
from tag.table.tree import SavedGame


class GamePrinter(Listener):
    """Prints a game during play, for a viewer who sees everything or for one player."""

    def __init__(self, viewer: int, names: tuple[str, ...]) -> None:
        """Tell the game to ``viewer`` (a player, or -1 for one who may see everything)."""
        self.viewer = viewer
        self.names = names

    def on_start(self, state: GameState) -> None:
        """Print the set-up."""
        for seat, name in enumerate(self.names):
            click.echo(f"player {seat}: {name}")
        click.echo(f"\n{state.text(self.viewer)}\n")

    def on_action_chosen(
        self, state: GameState, player: int, action: AnyAction, actions: list[AnyAction], agent: Agent | None
    ) -> None:
        """Print the action."""
        alone = "" if len(actions) > 1 else " (nothing else possible)"
        click.echo(f"{state.tick + 1:>4}. player {player}: {action.text(state, self.viewer)}{alone}")

    def on_game_event(self, state: GameState, event: Event) -> None:
        """Print the event, as the viewer is told of it."""
        for text in event_texts([event], self.viewer):
            click.echo(f"      {text}")

    def on_turn_over(self, state: GameState) -> None:
        """Print the position after each turn."""
        if not state.is_terminal:
            click.echo(f"\n{state.text(self.viewer)}\n")

    def on_end(self, state: GameState) -> None:
        """Print the final position."""
        click.echo(f"\n{state.text(-1)}\n")


@click.command()
@click.argument("game", required=False)
@click.option(
    "--agent",
    "agents",
    multiple=True,
    metavar="SPEC",
    help="The agent of a seat; once per seat, in order. human, or human:name=Ada, is a person at this terminal.",
)
@click.option("--players", type=PLAYERS, help="Number of players; a single agent sits in every seat.")
@click.option(
    "--seed", type=SEED, default=1, show_default=True, help="Random seed; runs with the same seed are identical."
)
@click.option(
    "--view",
    "viewer",
    type=VIEWER,
    default=-1,
    show_default=True,
    help="Print the position as this player sees it; -1: everything.",
)
@click.option("--quiet", is_flag=True, help="Print the result only.")
@click.option("--json", "as_json", is_flag=True, help="Print the record as JSON.")
@click.option(
    "--opening",
    default="",
    metavar="random:N|FILE",
    help="Begin with random decisions, or the first opening of a file.",
)
@click.option(
    "--continue", "saved", type=click.Path(path_type=Path), metavar="FILE", help="Go on with a game that people saved."
)
@click.pass_context
def play(
    context: click.Context,
    game: str | None,
    agents: tuple[str, ...],
    players: int | None,
    seed: int,
    viewer: int,
    quiet: bool,
    as_json: bool,
    opening: str,
    saved: Path | None,
) -> None:
    """Play one game of GAME and print it.

    Example: tag play tic_tac_toe --agent mcts --agent random --seed 7

    People play in the seats of human. They type actions or their numbers, and undo, redo, hint, show, save, quit or help.

    Example: tag play love_letter --players 4 --agent human --agent mcts --agent osla --agent rhea
    """
    if saved is not None:
        _refuse(context, "--continue", ("game", "agents", "players", "seed", "viewer", "quiet", "as_json", "opening"))
        _continue(saved)
        return
    if game is None:
        raise ParameterError("GAME is missing; tag games lists the games")
    seats = _seats(game, agents, players)
    order = GameOrder("play", game, seats, seed, opening=_opening(opening, game, len(seats), seed))
    if any(is_human(spec) for spec in seats):
        _refuse(context, "--agent human", ("viewer", "quiet", "as_json"))
        _play_with_people(_begun(order), None)
        return
    check_viewer(viewer, len(seats))
    record = play_order(order, [] if quiet or as_json else [GamePrinter(viewer, seats)])
    if as_json:
        print_json({"agents": seats, **asdict(record)}, indent=None)
    else:
        _print_result(seats, record)


def _opening(text: str, game: str, players: int, seed: int) -> Opening | None:
    """Return the first of the openings that a text describes."""
    spec = parse_spec(game)
    named = canonical(spec, game_class(spec.name).game_type.parameters)
    return Openings.parse(canonical_openings(text, named, players)).of_block(0, seed)


def _begun(order: GameOrder) -> SavedGame:
    """Return a game of people after its opening, which they may take back."""
    own_seed = -1 if order.opening is None else order.opening.own_seed
    start = Start(order.game, len(order.agents), order.seed if own_seed < 0 else own_seed)
    saved = SavedGame(start, order.agents)
    for choice in opening_choices(order):
        saved.position = saved.tree.play(saved.position, choice)
    saved.since = len(saved.line)
    return saved


def _refuse(context: click.Context, option: str, names: Sequence[str]) -> None:
    """Refuse the parameters of these names if they were given beside an option."""
    for parameter in context.command.params:
        name = parameter.name or ""
        if name in names and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            said = parameter.opts[0] if parameter.param_type_name == "option" else parameter.human_readable_name
            raise ParameterError(f"{said} cannot be given with {option}; leave it out")


def _continue(file: Path) -> None:
    saved = SavedGame.load(file)
    if not any(is_human(spec) for spec in saved.seats):
        raise DataError(f"{file} has no seat of human; tag play goes on with games of people only")
    _seats(saved.start.game, saved.seats, saved.start.players)
    _play_with_people(saved, file)


def _play_with_people(saved: SavedGame, file: Path | None) -> None:
    """Play with the people at this terminal, until the game is over or they leave."""
    thinking = ThinkersApart(Thinkers(saved.start, saved.seats))
    with closing(thinking), interrupted_by(signal.SIGHUP, signal.SIGTERM):  # a lost connection saves the game, too
        Session(saved, thinking, Terminal(), file).run()


def _seats(game: str, agents: tuple[str, ...], players: int | None) -> tuple[str, ...]:
    """Return an agent per seat, or raise a `TagError` that says what does not fit."""
    kind = game_class(parse_spec(game).name).game_type
    model = make_game(game)
    given = agents or ("random",)
    wanted = players or (len(given) if len(given) > 1 else kind.min_players)
    seats = given * wanted if len(given) == 1 else given
    if len(seats) != wanted:
        raise PlayersError(f"{len(seats)} agents cannot take the seats of {wanted} players; give one agent per seat")
    model.check_players(len(seats))
    for text in given:
        if is_human(text):
            make_agent(text)
        else:
            check_game(text, model, len(seats))
    return tuple(seats)


def _print_result(seats: tuple[str, ...], record: GameRecord) -> None:
    for fault in record.faults:
        click.echo(f"{fault.kind} of player {fault.player} at action {fault.tick + 1}: {fault.message}")
    for seat, name in enumerate(seats):
        decided = record.decisions[seat]
        pace = f", {1000 * record.seconds[seat] / decided:.1f} ms per decision" if decided else ""
        click.echo(
            f"player {seat} ({name}): {result_name(record.results[seat])}, place {record.ordinals[seat]}, "
            f"score {record.scores[seat]:g}{pace}"
        )
