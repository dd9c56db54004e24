"""Checks of ends: games come to one, with results that fit each other and the heuristic."""

from __future__ import annotations

from math import isfinite

from tag.check.evidence.traces import (
    LONGEST,
)
from tag.check.subject import GameCheck, GameSubject, Position
from tag.engine.results import DISQUALIFIED, DRAW, LOSE, ONGOING, TIMEOUT, WIN, result_name
from tag.engine.rng import Rng
from tag.engine.state import GameState
from tag.errors import ContractError, PlayersError

_FINAL = (WIN, DRAW, LOSE, TIMEOUT, DISQUALIFIED)


class Plays(GameCheck):
    """Random games with every number of players end; errors of the game in them are noted here."""

    text = f"random games with every number of players end, within {LONGEST} actions"

    def at(self, position: Position) -> None:
        self.cases += 1

    def finish(self, subject: GameSubject) -> None:
        """Try numbers of players that the game does not seat."""
        kind = subject.model.game_type
        for n_players in (kind.min_players - 1, kind.max_players + 1):
            try:
                subject.model.setup(n_players, Rng(subject.seed))
            except PlayersError:
                continue
            raise ContractError(f"{kind.min_players} to {kind.max_players} play, but {n_players} get a game as well")


class ResultsFinal(GameCheck):
    """Results come at the end, for every player."""

    text = "every player has a result at the end, and none has won or drawn before"
    untested = "no game came to an end"

    def at(self, position: Position) -> None:
        state = position.state
        self.cases += state.is_terminal
        for player in range(state.n_players):
            result = state.result(player)
            if state.is_terminal and result not in _FINAL:
                raise ContractError(f"the game is over, but the result of player {player} is {result}")
            if not state.is_terminal and result > ONGOING:
                raise ContractError(f"player {player} has a {result_name(result)} although the game is not over")
        if state.is_terminal and len(state.results) != state.n_players:
            raise ContractError(f"there are {len(state.results)} results for {state.n_players} players")
        if state.is_terminal and state.sequences:
            raise ContractError("the game is over, but a sequence is still open")


class ResultsOrdered(GameCheck):
    """Results, places and scores agree."""

    text = "places go by result, then score; a better result is a better place; ties and teams share a place"

    def at(self, position: Position) -> None:
        state = position.state
        self.cases += 1
        places = [int(state.ordinal(player)) for player in range(state.n_players)]
        for place in places:
            before = len([other for other in places if other < place])
            if before != place - 1:
                raise ContractError(f"the places are {places}; place {place} needs {place - 1} players before it")
        for player in range(state.n_players):
            if not isfinite(state.score(player)):
                raise ContractError(f"the score of player {player} is {state.score(player)}")
            for other in range(state.n_players):
                _check_pair(state, places, player, other)
        if state.is_terminal:
            _check_draw(state)


def _check_pair(state: GameState, places: list[int], player: int, other: int) -> None:
    mine, theirs = state.result(player), state.result(other)
    if mine > theirs and places[player] >= places[other]:
        raise ContractError(
            f"player {player} has a {result_name(mine)} and place {places[player]}, "
            f"player {other} a {result_name(theirs)} and place {places[other]}"
        )
    score, rival = state.score(player), state.score(other)
    if mine == theirs and score > rival and places[player] > places[other]:
        raise ContractError(
            f"player {player} with score {score:g} has place {places[player]}, "
            f"player {other} with {rival:g} has place {places[other]}"
        )
    if player != other and state.team(player) == state.team(other):
        _check_team(state, places, player, other)


def _check_team(state: GameState, places: list[int], player: int, other: int) -> None:
    """Compare two players of a team; a fault is one player's alone, and so is being out before the end."""
    mine, theirs = int(state.result(player)), int(state.result(other))
    if state.is_terminal and mine != theirs and min(mine, theirs) >= LOSE:
        raise ContractError(
            f"players {player} and {other} are a team, with a {result_name(mine)} and a {result_name(theirs)}"
        )
    if mine == theirs and (places[player] != places[other] or state.score(player) != state.score(other)):
        raise ContractError(
            f"players {player} and {other} are a team, with places {places[player]} and {places[other]} and scores "
            f"{state.score(player):g} and {state.score(other):g}"
        )


def _check_draw(state: GameState) -> None:
    results = [state.result(player) for player in range(state.n_players)]
    if results.count(DRAW) == 1 and state.n_players > 1:
        raise ContractError(f"player {results.index(DRAW)} has a draw with no other player")
    if DRAW in results and WIN in results:
        raise ContractError(f"player {results.index(WIN)} has a win beside the draw of player {results.index(DRAW)}")


class HeuristicInRange(GameCheck):
    """Search compares the values of the game's own heuristic with those of finished games.

    A game for one may value its end by score instead, as search compares it with other games of the same player only.
    """

    text = (
        "the game's heuristic is 1 for a win, -1 for a loss and between them before the end, and value_all gives each "
        "player's"
    )

    def at(self, position: Position) -> None:
        state = position.state
        self.cases += 1
        heuristic = position.model.heuristic()
        values = [0.0] * state.n_players
        heuristic.value_all(state, values)
        for player in range(state.n_players):
            value = heuristic.value(state, player)
            if value != values[player]:
                raise ContractError(f"value_all gives player {player} {values[player]}, value {value}")
            if not -1.0 <= value <= 1.0:
                raise ContractError(f"the heuristic of player {player} is {value}")
            wanted = state.result_value(player)
            if not state.is_terminal and state.result(player) == ONGOING and state.n_players > 1 and abs(value) >= 1.0:
                raise ContractError(f"the heuristic of player {player} is {value}, that of a result, before the end")
            if state.is_terminal and state.n_players > 1 and wanted and value != wanted:
                name = result_name(state.result(player))
                raise ContractError(f"the heuristic of player {player} is {value} after a {name}, not {wanted}")
