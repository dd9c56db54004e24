"""Game types: descriptions of games' rules."""

from __future__ import annotations

from dataclasses import dataclass

from tag.parameters import Parameters


@dataclass
class GameType:
    """The rules of a game, described: declared as ``game_type`` on its forward model.

    Attributes:
        title: the name on the box.
        min_players: the fewest players.
        max_players: the most players.
        parameters: the class of the game's parameters.
        categories: the kinds of game (``cooperative``, ``cards``, ``deduction`` …), for searching.
        mechanics: the mechanics of play (``hand management``, ``grid movement`` …), for searching.
        version: changes when the behaviour changes, so that ledgers of different rules are never mixed.
        hidden_information: whether anything is hidden from a player; without it observations are exact copies.
        chance: whether an action's outcome can depend on chance (the set-up may do so all the same).
        forgets: facts that observations forget on purpose although certain from the start, in a few words; deals of set-ups
            need not be as likely as the set-up makes them then.
        check_parameters: parameters as in a spec (``max_rounds=1,hand_size=3``) with which `tag check` plays, so that games
            are short and different deals often look the same to a player; the defaults if empty.
    """

    title: str
    min_players: int
    max_players: int
    parameters: type[Parameters] = Parameters
    categories: tuple[str, ...] = ()
    mechanics: tuple[str, ...] = ()
    version: int = 1
    hidden_information: bool = True
    chance: bool = True
    forgets: str = ""
    check_parameters: str = ""
