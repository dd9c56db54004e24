"""Extended sequences: chains of linked decisions that take over the flow until they are complete."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic

from mypy_extensions import i64, mypyc_attr

from tag.engine.action import AnyAction, S
from tag.engine.rng import Rng
from tag.engine.snapshot import field_values, restored, snapshot

if TYPE_CHECKING:
    from collections.abc import Hashable


@mypyc_attr(allow_interpreted_subclasses=True)
class ExtendedSequence(Generic[S]):
    """A multi-step action, a reaction window or an interrupt, with decisions of its own.

    An action starts one with `GameState.start_sequence`. From then on the sequence on top of the stack names the player to
    decide and the actions. After each action taken under it `after_action` is called; once `is_complete` it leaves
    the stack. A sequence is part of the state: it holds plain values, never parts of the state, and can be copied.
    """

    __slots__ = ()

    def current_player(self, state: S) -> i64:
        """Return the player who decides next."""
        raise NotImplementedError

    def available_actions(self, state: S) -> list[AnyAction]:
        """Return the actions of that player; at least one."""
        raise NotImplementedError

    def random_action(self, state: S, rng: Rng) -> AnyAction:
        """Return ``rng.choice`` of these actions; a sequence may find the same one without the list of all."""
        actions = self.available_actions(state)
        return actions[rng.below(len(actions))]

    def after_action(self, state: S, action: AnyAction, rng: Rng) -> None:
        """Process ``action``, which this sequence offered and which has just been executed."""
        raise NotImplementedError

    def is_complete(self, state: S) -> bool:
        """Say whether no decisions are left."""
        raise NotImplementedError

    def copy(self) -> ExtendedSequence[S]:
        """Return an independent copy."""
        raise NotImplementedError

    def redeterminise(self, state: S, player: i64, rng: Rng) -> None:
        """Deal the parts of the sequence hidden from ``player`` again; the default hides nothing.

        Called after ``state``, which contains the sequence, has been redeterminised itself.
        """

    def knowledge(self, player: i64) -> Hashable:
        """Return the knowledge of ``player`` about the sequence, for `GameState.knowledge`; by default all of it."""
        return snapshot(self)

    def __reduce__(self) -> Any:
        """Pickle by fields (mypyc's own pickling loses those of interpreted subclasses)."""
        return (restored, (type(self), field_values(self)))


AnySequence = ExtendedSequence[Any]
