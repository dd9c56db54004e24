"""Positions of The Resistance with given roles, and play by short words."""

from tag import Rng
from tag.games.roles.resistance import Resistance, ResistanceParameters
from tag.games.roles.resistance.data import ROLE_NAMES, SPY


def bits(*seats):
    return sum(1 << seat for seat in seats)


def position(n_players=5, spies=(3, 4), leader=0, named=(), **rules):
    """Return rules, and a first position with these spies and leader; ``named`` are pairs of a seat and a role's name."""
    model = Resistance(ResistanceParameters(**rules))
    state = model.setup(n_players, Rng(1))
    roles = [SPY if seat in spies else 0 for seat in range(n_players)]
    for seat, name in named:
        roles[seat] = ROLE_NAMES.index(name)
    state.roles = tuple(roles)
    state.spies = bits(*spies)
    state.leader = state.first_player = state.turn_player = state.current_player = leader
    return model, state


def act(model, state, text):
    """Have the player to move take the action with this text."""
    by_text = {str(action): action for action in model.available_actions(state)}
    assert text in by_text, f"{text!r} is not among {sorted(by_text)}"
    model.next(state, by_text[text], Rng(1))


def propose(model, state, *team):
    """Have the leader propose a team."""
    action = next(one for one in model.available_actions(state) if one.team == bits(*team))
    model.next(state, action, Rng(1))


def vote(model, state, *approving):
    """Have all vote, these players for the team."""
    for _seat in range(state.n_players):
        act(model, state, "approve" if state.current_player in approving else "reject")


def send(model, state, team, failing=(), approving=None):
    """Have a team be proposed and approved, by all or by some, and play its cards."""
    propose(model, state, *team)
    vote(model, state, *(range(state.n_players) if approving is None else approving))
    for _seat in team:
        act(model, state, "play fail" if state.current_player in failing else "play success")


def reject(model, state, times=1):
    """Have so many teams be rejected by all."""
    for _time in range(times):
        model.next(state, model.available_actions(state)[0], Rng(1))
        vote(model, state)
