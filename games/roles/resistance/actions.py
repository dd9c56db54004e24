"""The actions of The Resistance: to propose a team, to vote, to play a mission card, and to name Merlin."""

from __future__ import annotations

from mypy_extensions import i64

from tag import Action, Actions, Event, Rng, Vocabulary
from tag.games.roles.resistance.data import (
    MISSION_NAMES,
    SUBSETS,
    VOTE_NAMES,
    ResistanceParameters,
    seat_names,
)
from tag.games.roles.resistance.state import ResistanceState


class Propose(Action[ResistanceState]):
    """Propose the team of a mission; the leader may leave himself out."""

    def __init__(self, team: i64) -> None:
        """Take the players of the team as a set of bits."""
        self.team = team

    def execute(self, state: ResistanceState, rng: Rng) -> None:
        state.proposed = self.team
        if state.recording:
            state.announce(Event("placed", state.current_player, places=("team",)))

    def __str__(self) -> str:
        return f"propose {seat_names(self.team)}"


class _Secret(Action[ResistanceState]):
    """Choose in secret between two cards, which are shown, or counted, when all have chosen."""

    def __init__(self, is_second: bool) -> None:
        self.is_second = is_second

    def execute(self, state: ResistanceState, rng: Rng) -> None:
        player = state.current_player
        bit: i64 = 1 << player
        state.asked |= bit
        if self.is_second:
            state.choices |= bit
        if state.recording:
            item = (self.name(),)
            state.announce(Event("played", player, 0.0, item, (f"card of {player}",), seen_by=1 << player))

    def name(self) -> str:
        """Return the name of the card."""
        raise NotImplementedError

    def text(self, state: ResistanceState, viewer: i64) -> str:
        """Name the card only to the player who chooses it."""
        return str(self) if viewer < 0 or viewer == state.current_player else "choose in secret"


class Vote(_Secret):
    """Approve or reject the team; all votes are shown at once."""

    def __init__(self, approves: bool) -> None:
        super().__init__(approves)
        self.approves = approves

    def name(self) -> str:
        """Return the name of the card."""
        return VOTE_NAMES[self.approves]

    def __str__(self) -> str:
        return self.name()


class PlayMissionCard(_Secret):
    """Play a success, or as a spy a fail; only the number of fails is seen."""

    def __init__(self, fails: bool) -> None:
        super().__init__(fails)
        self.fails = fails

    def name(self) -> str:
        """Return the name of the card."""
        return MISSION_NAMES[self.fails]

    def __str__(self) -> str:
        return f"play {self.name()}"


class Assassinate(Action[ResistanceState]):
    """Name a player as Merlin: the spies win if it is true, and else the resistance."""

    def __init__(self, target: i64) -> None:
        """Take the player who is named."""
        self.target = target

    def execute(self, state: ResistanceState, rng: Rng) -> None:
        """Change nothing: the rules compare the role."""

    def __str__(self) -> str:
        return f"name player {self.target} as Merlin"


def vocabulary(rules: ResistanceParameters, n_players: i64) -> Vocabulary:
    """Return all actions of a game."""
    sizes = sorted(set(rules.sizes(int(n_players))[: 2 * rules.goal - 1]))
    teams = [team for size in sizes for team in SUBSETS[n_players][size]]
    named = [Actions(Assassinate, target=range(int(n_players)))] if rules.merlin else []
    both = (False, True)
    return Vocabulary(
        Actions(Propose, team=teams), Actions(Vote, approves=both), Actions(PlayMissionCard, fails=both), *named
    )
