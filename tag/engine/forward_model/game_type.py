"""Game types: descriptions of games' rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tag.engine.parameters import Parameters
from tag.engine.values import Features, ResultHeuristic, StateHeuristic

#: The mechanic that games with simultaneous choices declare (`GameType.mechanics`).
SIMULTANEOUS: Final = "simultaneous action selection"


@dataclass
class GameType:
    """The rules of a game, described: declared as ``game_type`` on its forward model.

    Examples:
        >>> from tag import make_game
        >>> kind = make_game("love_letter").game_type
        >>> kind.title, kind.min_players, kind.max_players, kind.hidden_information, kind.chance
        ('Love Letter', 2, 4, True, True)

    Attributes:
        title: the name on the box.
        min_players: the fewest players.
        max_players: the most players.
        parameters: the class of the game's parameters.
        categories: the kinds of game (``cooperative``, ``cards``, ``deduction`` …), for searching.
        mechanics: the mechanics of play (``hand management``, ``grid movement`` …), for searching.
        version: changes when the behaviour changes, so that ledgers of different rules are never mixed.
        hidden_information: whether anything is hidden from a player; without it observations are exact copies.
        determinises: whether hidden information can be dealt again, as agents need that look ahead. Where it cannot,
            observations only tell what a player knows, and the rules do not apply to them.
        chance: whether an action's outcome can depend on chance (the set-up may do so all the same).
        chance_sources: the names of its sources of chance where there are several (``rounds``, ``cards``), each of which
            can be held fixed: all that the rules draw comes from `Rng.source` with one of them then.
        forgets: facts that observations forget on purpose although known from the start, in a few words; what a set-up, or a
            move, deals anew need not be as likely in observations as there then.
        check_parameters: parameters as in a spec (``max_rounds=1,hand_size=3``) with which `tag check` plays, so that games
            are short and different deals often look the same to a player; the defaults if empty.
        heuristic: the class of the heuristic that values positions where nothing else is asked for: 1 is a win, -1 a loss,
            and all positions of a game that goes on are between (`tag.PlayerHeuristic` sees to that). A game for one player
            may go by score also at the end, a co-operative one where it ends with a draw for all.
        solution: the class of a heuristic that plays by the theory of the game; it has the game's name in specs, and is
            used only where it is named. None where the name stands for ``heuristic``.
        features: the class of the features, None without.
        metric: the class of the game's own metric (`tag.Metric`), None without.
        sides: the names of the teams 0, 1, … where each game deals who is of which; results show how agents do on each.
    """

    title: str
    min_players: int
    max_players: int
    parameters: type[Parameters] = Parameters
    categories: tuple[str, ...] = ()
    mechanics: tuple[str, ...] = ()
    version: int = 1
    hidden_information: bool = True
    determinises: bool = True
    chance: bool = True
    chance_sources: tuple[str, ...] = ()
    forgets: str = ""
    check_parameters: str = ""
    heuristic: type[StateHeuristic] = ResultHeuristic
    solution: type[StateHeuristic] | None = None
    features: type[Features] | None = None
    metric: type[Any] | None = None
    sides: tuple[str, ...] = ()


def players_text(kind: GameType) -> str:
    """Return the range of players for people: ``2-4``, or ``2``.

    Examples:
        >>> from tag import make_game
        >>> players_text(make_game("uno").game_type), players_text(make_game("othello").game_type)
        ('2-10', '2')
    """
    low, high = kind.min_players, kind.max_players
    return f"{low}" if low == high else f"{low}-{high}"
