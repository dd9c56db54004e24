"""What players are told of an action, in words."""

from tag import Rng
from tag.check.events import played
from tag.table.events import event_texts


def told(model, state, action, viewer=-1, rng=None):
    """Return the sentences that a viewer is told after an action, which is played in a copy of the position.

    Args:
        model: the rules.
        state: the position; it is left as it is.
        action: the action, or its text.
        viewer: the player, -1 for one who sees everything.
        rng: the chance.
    """
    if isinstance(action, str):
        action = {str(one): one for one in model.available_actions(state)}[action]
    _after, events = played(model, state, action, rng or Rng(1))
    return event_texts(events, viewer)
