"""Actions: the choices of a player; and extended sequences: chains of linked decisions."""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from mypy_extensions import i64, mypyc_attr

from tag.engine.kept_actions import is_kept, keep
from tag.engine.rng import Rng
from tag.engine.snapshot import field_values, guard, restored, snapshot
from tag.engine.state import GameState
from tag.errors import ContractError

if TYPE_CHECKING:
    from collections.abc import Hashable

S = TypeVar("S", bound=GameState)

_INTERNED: Final[dict[tuple[type, tuple[object, ...]], Any]] = {}
#: The names of the constructor's arguments, by class of action.
_ARGUMENTS: Final[dict[type, tuple[str, ...]]] = {}


@mypyc_attr(allow_interpreted_subclasses=True)
class Action(Generic[S]):
    """A move of a player that changes a state.

    An action is immutable and holds ids and plain values, never parts of a state. Each distinct action is *one* object,
    made with `interned`. So equality and hash are those of the object's identity, which makes search two to three times
    faster. A pickled action comes back as the same object.
    """

    __slots__ = ()

    def execute(self, state: S, rng: Rng) -> None:
        """Apply the action to ``state`` in place.

        Called by `ForwardModel.next` only, with an action that was available. Consequences of all actions (turn and round
        ends, the end of the game) belong in the forward model's ``_after_action``.
        """
        raise NotImplementedError

    def key(self) -> tuple[object, ...]:
        """Return the arguments of the constructor, which distinguish this action from others of its class.

        By default these are the fields named like the arguments.

        Raises:
            ContractError: an argument is kept in no field of its name.
        """
        return tuple([_field(self, name) for name in argument_names(type(self))])

    def text(self, state: S, viewer: i64) -> str:
        """Return the action in words for ``viewer`` (a player, or -1 for one who may see everything).

        Override it if the plain ``str`` would reveal hidden information to a viewer.
        """
        return str(self)

    def __reduce__(self) -> Any:
        """Pickle by class and key, so that loading finds the one object."""
        return (_rebuilt, (type(self), self.key()))

    def __repr__(self) -> str:
        """Return the class with its key: ``Play(3, 1)``."""
        return f"{type(self).__name__}({', '.join([repr(part) for part in self.key()])})"


def argument_names(cls: type) -> tuple[str, ...]:
    """Return the names of the arguments of the constructor of ``cls``."""
    found = _ARGUMENTS.get(cls)
    if found is None:
        found = _ARGUMENTS[cls] = tuple(signature(cls).parameters)
    return found


def _field(action: AnyAction, name: str) -> object:
    try:
        return getattr(action, name)
    except AttributeError:
        raise ContractError(
            f"{type(action).__name__}({', '.join(argument_names(type(action)))}) has no field {name!r}; "
            f"set self.{name}, or override key()"
        ) from None


guard(Action, is_kept)

AnyAction = Action[Any]
A = TypeVar("A", bound=AnyAction)


def interned(action: A) -> A:
    """Return the one object that stands for ``action``: the first equal one that was interned."""
    one: A = _INTERNED.setdefault((type(action), action.key()), action)
    if one is action:
        keep(one)
    return one


def is_among(action: object, actions: list[AnyAction]) -> bool:
    """Say whether ``action`` is one of ``actions``; quicker than ``in``, which calls ``==`` of other types."""
    for one in actions:  # noqa: SIM110  a loop over identities compiles to pointer comparisons
        if one is action:
            return True
    return False


def _rebuilt(cls: type, key: tuple[object, ...]) -> Any:
    found = _INTERNED.get((cls, key))
    return interned(cls(*key)) if found is None else found


@mypyc_attr(allow_interpreted_subclasses=True)
class DoNothing(Action[GameState]):
    """Pass."""

    __slots__ = ()

    def execute(self, state: GameState, rng: Rng) -> None:
        """Change nothing."""

    def __str__(self) -> str:
        """Return the text for people."""
        return "pass"


DO_NOTHING: Final = interned(DoNothing())


# --- extended sequences: chains of linked decisions that take over the flow until they are complete ----------------------


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

    def is_unresolved(self, state: S) -> bool:
        """Say whether a player has made a simultaneous choice that has not happened yet (`GameState.is_unresolved`)."""
        return False

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
