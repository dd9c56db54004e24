"""The process of rules and agents: ``python -P -m tag.tournaments.web.tables.engine`` answers requests in lines of JSON.

A request names all that its answer depends on: a game's definition and the numbers of the actions played. What a process
keeps are caches. So it can be ended at any time, and another one answers the same; only an agent that decides along a game
begins anew (`Engine.choose`).
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import sqrt
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, NamedTuple, TypeVar

from tag.catalogue import process_ends
from tag.catalogue.registry import check_game, make_agent
from tag.catalogue.trust import asking
from tag.catalogue.user_code import provide_source
from tag.components import Area, Component, Container
from tag.engine.results import WIN
from tag.engine.rng import Rng, derive_seed
from tag.engine.state import AnyAction, GameState
from tag.errors import ContractError, ParameterError, TagError, sentence_of
from tag.playing.inspection import InspectedDecision
from tag.playing.recording import Recording
from tag.playing.search_tree import SearchNode
from tag.table.game import EVERYTHING, Adviser, Start, TableGame, is_human
from tag.table.public import PUBLIC, public_view
from tag.table.view import plain_figures, seen_by, view
from tag.tournaments.web.forms import catalogue, form_of
from tag.tournaments.web.tables.board import board_html, template_of
from tag.tournaments.web.tables.rules import rules_of

T = TypeVar("T")
K = TypeVar("K")

#: So many games, agents along games, and decisions are kept.
_GAMES: Final = 64
_ADVISERS: Final = 256
_DECISIONS: Final = 4096
#: Trees are told to this depth, without nodes with a smaller share of the visits.
_DEPTH: Final = 8
_SHARE: Final = 0.005
#: Over longer games, the chances are those of so many positions, evenly spread.
_MOST_PLIES: Final = 100
#: The agent that plays on unless another one is named.
RANDOM: Final = "random"
#: A game that is played on is given up, without a winner, after so many actions.
_LONGEST: Final = 5_000
_NO_DEALS: Final = "deals are a number from 1 to 1000, not {}"
#: A normal variable is within as many standard deviations in 95 % of cases.
_Z: Final = 1.96


class _Decision(NamedTuple):
    """An agent's decision, with its search tree in plain values, if it has one."""

    decision: InspectedDecision
    tree: dict[str, Any] | None


class Engine:
    """Answers requests; each method with a request's name takes its values and returns plain ones.

    A game is given by ``start``, a list of the fields of `tag.table.game.Start`, and ``line``, the numbers of the actions
    played.
    """

    def __init__(self) -> None:
        """Know nothing yet."""
        self._games: OrderedDict[tuple[Start, tuple[int, ...]], TableGame] = OrderedDict()
        self._advisers: OrderedDict[tuple[str, int, str], Adviser] = OrderedDict()
        self._decisions: OrderedDict[tuple[str, int, str, tuple[int, ...]], _Decision] = OrderedDict()

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a request; mistakes, also of users' games and agents, as ``error``, in one sentence."""
        values = dict(request)
        try:
            name = values.pop("request")
            assert name in _REQUESTS  # noqa: S101  the server's own mistake
            with asking(values.pop("typed", None)):
                return {"answer": getattr(self, name)(**values)}
        except TagError as error:
            return {"error": str(error)}
        except BaseException as error:  # noqa: BLE001  a user's game may raise anything, and the next request is another's
            return {"error": f"the game or agent failed with {sentence_of(error)}"}

    def game(self, start: Start, line: tuple[int, ...]) -> TableGame:
        """Return the game in the position after these actions; it goes on from a known one where there is one."""
        game = self._games.pop((start, line), None) or self._games.pop((start, line[:-1]), None) or TableGame(start)
        game.go(line)
        return _keep(self._games, (start, line), game, _GAMES)

    def check(self, start: Sequence[Any], seats: Sequence[str]) -> dict[str, Any]:
        """Check a new table's game and agents; return the game's title, and whether it hides information."""
        definition = _start(start)
        model = definition.model()
        if len(seats) != definition.players:
            raise ParameterError(f"a table of {definition.players} players has as many seats, not {len(seats)}")
        for spec in seats:
            if is_human(spec):
                make_agent(spec)  # wrong parameters are refused
            else:
                check_game(spec, model, definition.players)
        return {"title": model.game_type.title, "is_hidden": bool(model.game_type.hidden_information)}

    def views(self, start: Sequence[Any], line: Sequence[int], viewers: Sequence[int]) -> dict[str, Any]:
        """Return who decides in a position, -1 at the end, and what each viewer sees, with the board as HTML.

        ``last`` has the last action in words for each player, then for watchers (-2), and last for one who sees everything.
        """
        return self._shown(self.game(_start(start), tuple(line)), viewers)

    def play(self, start: Sequence[Any], line: Sequence[int], number: int, viewers: Sequence[int]) -> dict[str, Any]:
        """Return the same for the position after one more action."""
        return self.views(start, [*line, number], viewers)

    def tree(self, start: Sequence[Any], parents: Sequence[int], choices: Sequence[int]) -> list[int]:
        """Return who decides in each position of a tree, -1 at the end; an action that is not available is a mistake."""
        definition = _start(start)
        game = TableGame(definition)
        lines: list[tuple[int, ...]] = [()]
        found = [_decider(game.state)]
        for parent, choice in zip(parents, choices, strict=True):
            lines.append((*lines[parent], choice))
            game.go(lines[-1])
            found.append(_decider(game.state))
        return found

    def placed(self, start: Sequence[Any]) -> dict[str, Any]:
        """Return a position set up by hand, for an editor; without cells in ``start``, the game's own set-up.

        Its ``cells`` have values below ``values`` each, and lie on the board in ``rows``.

        Raises:
            TagError: the game has no such position.
        """
        definition = _start(start)
        own = self.game(replace(definition, cells=(), to_move=0), ())
        declared = own.model.cells(definition.players)
        if declared is not None and not definition.cells:
            definition = replace(definition, cells=tuple(own.state.cell_values()), to_move=_decider(own.state))
        if declared is None or not definition.cells:
            raise ParameterError(f"positions of {own.model.game_type.title} cannot be set up by hand")
        shown = self._shown(self.game(definition, ()), [EVERYTHING])
        return {
            "cells": list(definition.cells),
            "values": int(declared.n_values),
            "rows": [list(row) for row in declared.rows],
            "to_move": definition.to_move,
            "board": shown["views"][str(EVERYTHING)]["board"],
        }

    def _shown(self, game: TableGame, viewers: Sequence[int]) -> dict[str, Any]:
        if not game.state.is_terminal and not game.actions:
            raise ContractError("the game offers no action although it is not over")
        template = template_of(game.start.game)
        views: dict[str, Any] = {}
        for viewer in viewers:
            found = public_view(game) if viewer == PUBLIC else view(game, viewer)
            views[str(viewer)] = {**found, "board": board_html(found, template)}
        last = [*game.taken[-1].texts[:-1], game.taken[-1].public, game.taken[-1].texts[-1]] if game.taken else []
        return {"player": _decider(game.state), "views": views, "last": last}

    def recorded(self, folder: str, game_id: str) -> dict[str, Any]:
        """Return a game of a tournament: ``start``, ``seats`` and ``line``; agents play it again if it was not recorded."""
        from tag.tournaments.ledger.replay import replay_of  # noqa: PLC0415  most processes read no ledger

        replay = replay_of(Path(folder), game_id)
        recording = replay.recorded()
        if recording.opening_seed >= 0:
            raise ParameterError(
                f"{game_id} has an opening with its own deal, which no table shows; see tag replay {folder} {game_id}"
            )
        start = [recording.game, recording.players, recording.seed, (), 0, recording.chance_seeds]
        return {"start": start, "seats": replay.order.agents, "line": [int(choice) for choice in recording.choices]}

    def record(
        self, start: Sequence[Any], line: Sequence[int], seats: Sequence[str], seconds: Sequence[float], folder: str
    ) -> str:
        """Add a game to the ledgers of games with people in a folder, and return its place there."""
        from tag.tournaments.ledger.people import record_game  # noqa: PLC0415

        game, players, seed, _cells, _to_move, _chance_seeds = start
        return record_game(Path(folder), Recording("", game, players, seed, line), seats, seconds)

    def feedback(self, folder: str, place: str, seat: int, agent: str, rating: int, note: str) -> None:
        """Add a person's rating and note of a game to the ledger that has it, at its place in a folder."""
        from tag.tournaments.ledger.feedback import Feedback  # noqa: PLC0415
        from tag.tournaments.ledger.people import record_feedback  # noqa: PLC0415

        ledger, _, game_id = place.partition("/")
        record_feedback(Path(folder), ledger, Feedback(game_id, seat, agent, rating, note))

    def choose(
        self, start: Sequence[Any], line: Sequence[int], table: str, seat: int, spec: str
    ) -> dict[str, int | str | None]:
        """Return the ``choice`` of the agent in a seat, or its ``fault``.

        It remembers the game from the first position in which this process asked it. It begins anew where the game was gone
        back to and goes another way: to repeat all its decisions up to there would take as long as they took.
        """
        decision = self._decision(table, _start(start), tuple(line), seat, spec).decision
        return {"choice": decision.choice, "fault": decision.fault}

    def ask(
        self, start: Sequence[Any], line: Sequence[int], table: str, viewer: int, seat_spec: str, spec: str
    ) -> dict[str, Any]:
        """Return the figures of an agent for each available action; those of the seat's agent are from when it chose."""
        definition, at = _start(start), tuple(line)
        game = self.game(definition, at)
        if not game.actions:
            raise ParameterError("the game is over; there is nothing to decide")
        seat = int(game.state.current_player)
        check_game(spec, game.model, definition.players)
        # An agent that is no seat's is asked in this position alone.
        asked_for = table if spec == seat_spec else f"{table} {at}"
        decision, tree = self._decision(asked_for, definition, at, seat, spec)
        actions = [
            {**plain_figures(row), "number": number, "text": action.text(game.state, viewer)}
            for number, (row, action) in enumerate(zip(decision.by_action, game.actions, strict=True))
        ]
        return {
            "agent": spec,
            "choice": decision.choice,
            "tree": tree,
            "figures": plain_figures(decision.figures),
            "actions": actions,
            "seconds": decision.seconds,
            "fault": decision.fault,
        }

    def _decision(self, table: str, start: Start, line: tuple[int, ...], seat: int, spec: str) -> _Decision:
        asked = (table, seat, spec, line)
        if asked in self._decisions:
            return self._decisions[asked]
        adviser = self._advisers.pop(asked[:3], None)
        if adviser is None or not adviser.goes_on_to(line):
            adviser = self.adviser(start, spec, len(line), seat)
        decision = adviser.decision(line)
        _keep(self._advisers, asked[:3], adviser, _ADVISERS)
        tree = None
        if decision.tree is not None:
            game = self.game(start, line)
            texts = {action: action.text(game.state, seat) for action in game.actions}
            tree = _tree(decision.tree, "", texts, _SHARE * (decision.tree.visits or 0), _DEPTH)
            decision.tree = None  # it can have thousands of nodes, and the adviser keeps its decisions
        return _keep(self._decisions, asked, _Decision(decision, tree), _DECISIONS)

    def adviser(self, start: Start, spec: str, since: int, seat: int) -> Adviser:
        """Return a new agent for a seat, to be asked after so many actions."""
        return Adviser(start, spec, since, seat=seat, with_trees=True)

    def beliefs(self, start: Sequence[Any], line: Sequence[int], viewer: int, deals: int) -> dict[str, Any]:
        """Return, for each component with hidden items, the shares that items have of its hidden places over many deals."""
        definition = _start(start)
        state = self.game(definition, tuple(line)).state
        seen = _hidden(seen_by(state, viewer), viewer)
        shares = [Counter[str]() for _place in seen]
        for deal in range(_deals(deals) if seen else 0):
            dealt = state.observation(viewer, self.stream(definition, "beliefs", deal))
            for counts, (container, indices) in zip(shares, _hidden(dealt, viewer), strict=True):
                counts.update([container.item_text(index, EVERYTHING) for index in indices])
        places = [
            {
                "component": container.name,
                "owner": int(container.owner),
                "shares": [{"item": item, "share": n / counts.total()} for item, n in counts.most_common()],
            }
            for (container, _indices), counts in zip(seen, shares, strict=True)
        ]
        return {"deals": deals, "places": places}

    def chances(
        self, start: Sequence[Any], line: Sequence[int], viewer: int, deals: int, agent: str = RANDOM
    ) -> dict[str, Any]:
        """Return each player's share of wins where an agent in all seats plays on from positions as the viewer sees them.

        Where information is hidden, positions in which another player decides are left out: what is dealt to that player
        need not allow the decision, such as to lay down one more card.
        """
        definition, count = _start(start), _deals(deals)
        check_game(agent, self.game(definition, ()).model, definition.players)
        every = max(1, -(-(len(line) + 1) // _MOST_PLIES))
        plies = []
        for ply in (*range(0, len(line), every), len(line)):
            game = self.game(definition, tuple(line[:ply]))
            is_playable = viewer in (EVERYTHING, _decider(game.state)) or game.state.is_terminal
            if game.model.game_type.hidden_information and not is_playable:
                continue
            wins = self._wins(game, viewer, count, agent)
            ends = [_interval(won, count) for won in wins]
            plies.append(
                {
                    "ply": ply,
                    "shares": [won / count for won in wins],
                    "low": [low for low, _high in ends],
                    "high": [high for _low, high in ends],
                }
            )
        return {"players": definition.players, "deals": count, "plies": plies}

    def stream(self, start: Start, purpose: str, number: int) -> Rng:
        """Return a stream of the game's seed, which no viewer knows.

        What a game deals again may depend on the true order of the cards, as a shuffle does. With known draws, a viewer
        could compute that order from the deal.
        """
        return Rng(derive_seed(start.seed, "table", purpose, number))

    def _wins(self, game: TableGame, viewer: int, deals: int, agent: str) -> list[int]:
        """Return how many of so many games each player wins that ``agent`` plays on."""
        wins = [0] * game.start.players
        for deal in range(deals):
            rng = self.stream(game.start, "chances", deal)
            state = game.state.copy() if viewer == EVERYTHING else game.state.observation(viewer, rng)
            if agent == RANDOM:
                game.model.rollout(state, _LONGEST, rng)  # the same as by the agent, and many times as fast
            else:
                state = _played_on(game, state, agent, rng)
            for player in range(game.start.players):
                wins[player] += int(state.result(player)) == WIN
        return wins

    def forms(self, kind: str, name: str) -> dict[str, Any]:
        """Return a game (``kind`` is ``game``) or agent with the declared parameters as fields of a form."""
        return form_of(kind, name)

    def rules(self, game: str) -> dict[str, Any]:
        """Return the rules of the game with this name (`tag.tournaments.web.tables.rules`)."""
        return rules_of(game)

    def catalogue(self) -> dict[str, Any]:
        """Return the names of the agents of any game, and all games with titles, numbers of players, families and bots."""
        return catalogue()


_REQUESTS: Final = frozenset(
    {
        *("check", "views", "play", "placed", "tree", "recorded", "record", "feedback"),
        *("choose", "ask", "beliefs", "chances", "forms", "rules", "catalogue"),
    }
)


def _played_on(game: TableGame, state: GameState, agent: str, rng: Rng) -> GameState:
    """Return how a game ends that goes on from ``state`` with an agent in all seats; where it fails, it draws an action."""
    played = replace(game.start, seed=int(rng.below(1 << 31))).new_game(game.model, agent)
    played.state = state
    for _action in range(_LONGEST):
        if played.state.is_terminal:
            break
        choice = played.decide().choice
        played.take(rng.below(len(game.model.available_actions(played.state))) if choice is None else choice)
    return played.state


def _start(values: Sequence[Any]) -> Start:
    game, players, seed, cells, to_move, chance_seeds = values
    return Start(game, players, seed, tuple(cells), to_move, tuple(map(tuple, chance_seeds)))


def _keep(cache: OrderedDict[K, T], key: K, value: T, most: int) -> T:
    """Put a value at the end of a cache, and drop the oldest where there are too many."""
    cache[key] = value
    cache.move_to_end(key)
    if len(cache) > most:
        cache.popitem(last=False)
    return value


def _decider(state: GameState) -> int:
    return -1 if state.is_terminal else int(state.current_player)


def _deals(deals: int) -> int:
    if not 1 <= deals <= 1000:
        raise ParameterError(_NO_DEALS.format(deals))
    return deals


def _hidden(state: GameState, viewer: int) -> list[tuple[Container[Any], list[int]]]:
    """Return the containers with items that the viewer does not see, and their places."""
    found = []
    for container in _containers(state.components()):
        places = range(len(container.contents()))
        unseen = [place for place in places if viewer >= 0 and not container.is_item_visible(place, viewer)]
        if unseen:
            found.append((container, unseen))
    return found


def _containers(components: Sequence[Component]) -> Iterator[Container[Any]]:
    for component in components:
        if isinstance(component, Area):
            yield from _containers(component.parts())
        elif isinstance(component, Container):
            yield component


def _interval(wins: int, games: int) -> tuple[float, float]:
    """Return the ends of Wilson's 95 % interval of a share."""
    share, z2 = wins / games, _Z * _Z
    middle = share + z2 / (2 * games)
    half = _Z * sqrt(share * (1 - share) / games + z2 / (4 * games * games))
    return max((middle - half) / (1 + z2 / games), 0.0), min((middle + half) / (1 + z2 / games), 1.0)


def _tree(node: SearchNode, text: str, texts: Mapping[AnyAction, str], least: float, depth: int) -> dict[str, Any]:
    """Return a search tree without rarely visited nodes; ``texts`` are those of the actions at the root."""
    kept = [child for child in node.children if depth > 0 and (child.visits is None or child.visits >= least)]
    return {
        "text": text,
        "player": int(node.player),
        "visits": node.visits,
        "value": plain_figures(node.value),
        "children": [_tree(child, texts.get(child.action, child.text()), {}, least, depth - 1) for child in kept],
    }


def serve(engine: Engine) -> None:
    """Answer requests on standard input until it ends.

    Users' code may print and read: what it prints goes to standard error, and what it reads is empty.
    """
    process_ends.never_refuse()
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    with open(os.devnull) as nothing:  # noqa: PTH123  a file descriptor is needed
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    waiting: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_read, args=(requests, waiting), daemon=True).start()
    while True:
        answer = engine.answer(json.loads(waiting.get()))
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _read(requests: Any, waiting: SimpleQueue[str]) -> None:
    """Queue the requests; end the process, also while it computes, where the server is gone."""
    for line in requests:
        waiting.put(line)
    os._exit(0)


def provide_sources(folders: Sequence[str]) -> None:
    """Let users' files be what they were when the tournaments in these folders began."""
    from tag.tournaments.ledger.folder import read_manifest  # noqa: PLC0415  most processes have none

    for folder in folders:
        for file, text in read_manifest(Path(folder)).sources.items():
            provide_source(file, text)


if __name__ == "__main__":
    if sys.argv[1:]:
        provide_sources(sys.argv[1:])
    serve(Engine())
