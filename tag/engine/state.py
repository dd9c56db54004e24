"""States of games with the events that they announce, the actions that change them, and chains of linked decisions."""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from mypy_extensions import i64, mypyc_attr

from tag.engine.kept_actions import is_kept, keep
from tag.engine.results import DISQUALIFIED, DRAW, LOSE, ONGOING, TIMEOUT, WIN
from tag.engine.rng import Rng
from tag.engine.snapshot import field_values, guard, restored, snapshot
from tag.errors import ContractError

if TYPE_CHECKING:
    from collections.abc import Hashable

    from tag.components._component import Component


#: All players, as a set with a bit for each.
EVERYBODY: Final = -1
#: No player: an event told to nobody is a figure for metrics.
NOBODY: Final = 0


@mypyc_attr(allow_interpreted_subclasses=True)
class Event:
    """A consequence of an action, and its reason (`GameState.announce`): data for logs, learners and metrics.

    All players are told of it unless the game says otherwise. Who is not in ``seen_by`` learns how many items there are, but
    neither them nor the value; who is not in ``told_to`` learns nothing. Both are sets of players with a bit for each.
    Listeners get the whole event, and pass on what `known_to` leaves.

    Examples:
        >>> Event("shuffled"), Event("knocked out", player=1)
        (Event('shuffled', -1, 0), Event('knocked out', 1, 0))
        >>> drawn = Event("drawn", 1, items=("Guard",), places=("deck", "hand of 1"), seen_by=1 << 1)
        >>> drawn.known_to(1).items, drawn.known_to(0).items
        (('Guard',), (None,))

    Attributes:
        name: what happened; `tag.table.events.SENTENCES` has sentences for common names (drawn, paid, eliminated …).
        player: the player concerned, -1 for none.
        value: a number, such as chips.
        items: the things concerned, as texts or numbers, such as cards or the faces of dice; None for one that is not seen.
        places: the names of the components that look different afterwards, as `GameState.components` has them; a place on
            a board may follow: ``board/c4``.
        reason: why it happened, in a few words, where the action and the rules leave a doubt.
        words: the event as a sentence, in which ``{player}``, ``{items}``, ``{value}`` and ``{places}`` stand for these;
            empty for the usual sentence. Other players are called ``player 2``.
        back: what an item is called by who does not see it, in the singular.
        seen_by: the players who see items and value.
        told_to: the players who are told of the event.
    """

    __slots__ = ("back", "items", "name", "places", "player", "reason", "seen_by", "told_to", "value", "words")
    name: str
    player: i64
    value: float
    items: tuple[str | int | None, ...]
    places: tuple[str, ...]
    reason: str
    words: str
    back: str
    seen_by: i64
    told_to: i64

    def __init__(
        self,
        name: str,
        player: i64 = -1,
        value: float = 0.0,
        items: tuple[str | int | None, ...] = (),
        places: tuple[str, ...] = (),
        reason: str = "",
        words: str = "",
        back: str = "card",
        seen_by: i64 = EVERYBODY,
        told_to: i64 = EVERYBODY,
    ) -> None:
        """Name the event."""
        self.name = name
        self.player = player
        self.value = value
        self.items = items
        self.places = places
        self.reason = reason
        self.words = words
        self.back = back
        self.seen_by = seen_by
        self.told_to = told_to

    def known_to(self, viewer: i64) -> Event | None:
        """Return the event as ``viewer`` (-1: sees everything) may know it, None if the viewer is not told of it."""
        if viewer < 0 or (self.told_to >> viewer & 1 and self.seen_by >> viewer & 1):
            return self
        if self.told_to >> viewer & 1 == 0:
            return None
        hidden: tuple[None, ...] = (None,) * len(self.items)
        return Event(self.name, self.player, 0.0, hidden, self.places, self.reason, self.words, self.back)

    def __repr__(self) -> str:
        """Return the event for people: the name, the player, the value, and the items if there are any."""
        items = f", {self.items!r}" if self.items else ""
        return f"Event({self.name!r}, {self.player}, {self.value:g}{items})"


@mypyc_attr(allow_interpreted_subclasses=True)
class History:
    """Actions taken so far, newest first: a chain that copies of a state share."""

    __slots__ = ("action", "earlier", "player")
    earlier: History | None
    player: i64
    action: AnyAction

    def __init__(self, earlier: History | None, player: i64, action: AnyAction) -> None:
        """Add ``action`` of ``player`` to ``earlier``."""
        self.earlier = earlier
        self.player = player
        self.action = action

    def __reduce__(self) -> Any:
        """Pickle as a flat tuple, oldest first: a chain of hundreds of entries would nest too deeply."""
        entries: list[tuple[int, AnyAction]] = []
        entry: History | None = self
        while entry is not None:
            entries.append((int(entry.player), entry.action))
            entry = entry.earlier
        return (_chained, (tuple(reversed(entries)),))


@mypyc_attr(allow_interpreted_subclasses=True)
class GameState:
    """One position: everything that changes during a game, and no rules.

    A game's own state adds its fields, calls ``super().__init__`` and implements `copy`; with hidden information also
    `redeterminise` and `knowledge`; with points `score`; for people ``__str__`` or `text`; for analysis
    `components`. Fields are flat (ints, and one list of ints per thing), because search
    copies states millions of times. No random generator lives here.

    Examples:
        >>> from tag import Rng, make_game
        >>> model = make_game("love_letter")
        >>> state = model.setup(2, Rng(1))
        >>> print(state.text(0))
        Round 1, player 0 to play; 9 cards in the deck; removed: Priest, Priest, King
        player 0  tokens 0/7  hand Prince + Countess  discards none
        player 1  tokens 0/7  hand ?  discards none

    Attributes:
        n_players: the number of seats.
        current_player: the player who decides now.
        turn_player: the player whose turn it is; differs from ``current_player`` where others decide: within
            extended sequences, or when a game asks for reactions.
        first_player: the player who started the round.
        tick: forward-model calls so far.
        turn: turns ended so far.
        round: rounds ended so far.
        phase: a game's own number for the kind of decision that is due.
        is_terminal: whether the game is over.
        results: one of the constants of `tag.engine.results` per player.
        sequences: the stack of extended sequences in progress, the top one last.
        recording: whether `history` and `announce` keep anything; on for the played state, off in copies.
        history: the latest entry of the history, when recording.
        announced: the game's own events since they were last fetched, when recording.
    """

    __slots__ = (
        "announced",
        "current_player",
        "first_player",
        "history",
        "is_terminal",
        "n_players",
        "phase",
        "recording",
        "results",
        "round",
        "sequences",
        "tick",
        "turn",
        "turn_player",
    )
    n_players: i64
    current_player: i64
    turn_player: i64
    first_player: i64
    tick: i64
    turn: i64
    round: i64
    phase: i64
    is_terminal: bool
    recording: bool
    results: tuple[int, ...]
    sequences: tuple[AnySequence, ...]
    history: History | None
    announced: tuple[Event, ...]

    def __init__(self, n_players: i64) -> None:
        """Make the state of a game that has not started."""
        self.n_players = n_players
        self.current_player = 0
        self.turn_player = 0
        self.first_player = 0
        self.tick = 0
        self.turn = 0
        self.round = 0
        self.phase = 0
        self.is_terminal = False
        self.recording = False
        self.results = ()
        self.sequences = ()
        self.history = None
        self.announced = ()

    def copy(self) -> GameState:
        """Return an exact, independent copy that shares only immutable things.

        Make a new state, call `copy_to` for the common fields, then copy your own.

        Examples:
            >>> from tag import Rng, make_game
            >>> model = make_game("tic_tac_toe")
            >>> state = model.setup(2, Rng(1))
            >>> other = state.copy()
            >>> model.next(other, model.available_actions(other)[0], Rng(1))
            >>> state.tick, other.tick
            (0, 1)
        """
        raise NotImplementedError

    def copy_to(self, other: GameState) -> None:
        """Copy the common fields to ``other``; copies do not record."""
        other.current_player = self.current_player
        other.turn_player = self.turn_player
        other.first_player = self.first_player
        other.tick = self.tick
        other.turn = self.turn
        other.round = self.round
        other.phase = self.phase
        other.is_terminal = self.is_terminal
        other.results = self.results
        other.history = self.history
        sequences = self.sequences
        if sequences:
            other.sequences = tuple([sequence.copy() for sequence in sequences])

    def redeterminise(self, player: i64, rng: Rng) -> None:
        """Deal again, in place, all that ``player`` cannot know, consistently with the player's knowledge.

        Every consistent deal must be possible, and the result must not depend on hidden values. Leaves available actions of
        ``player``, scores and the end of the game as they are. The default is for games without hidden information.
        """

    def match_chance(self, seen: GameState, player: i64) -> float:
        """Have chance decide, in place, what the last action has shown ``player`` in ``seen``, and return how likely it was.

        Beliefs follow a deal from one position to the next. Cards that were drawn or turned up there, in ``seen``, change
        places with those here; all that others hold stays. Return a number in proportion to the probability of that, 0 where
        it is impossible. By default nothing is changed, so that only deals fit in which chance has shown the same.
        """
        return 1.0

    def observation(self, player: i64, rng: Rng) -> GameState:
        """Return the observation of ``player``: a copy with all that the player cannot know dealt again.

        Examples:
            >>> from tag import Rng, make_game
            >>> state = make_game("love_letter").setup(3, Rng(1))
            >>> hands = {tuple(state.observation(0, Rng(seed)).hands) for seed in range(200)}
            >>> {hand[0] for hand in hands} == {state.hands[0]}, len({hand[1] for hand in hands})
            (True, 8)
        """
        seen = self.copy()
        seen.history = None
        seen.redeterminise(player, rng)
        for sequence in seen.sequences:
            sequence.redeterminise(seen, player, rng)
        return seen

    def knowledge(self, player: i64) -> Hashable:
        """Return all that ``player`` knows, as a hashable value: equal for positions that the player cannot tell apart.

        The default, for games without hidden information, is the whole state.

        Examples:
            >>> from tag import Rng, make_game
            >>> state = make_game("love_letter").setup(2, Rng(1))
            >>> other = state.observation(0, Rng(2))
            >>> state.snapshot() == other.snapshot(), state.knowledge(0) == other.knowledge(0)
            (False, True)
        """
        return self.snapshot()

    def basic_knowledge(self, player: i64) -> tuple[object, ...]:
        """Return the part of `knowledge` that all games have: who observes, whose turn it is, results, and sequences.

        The number of forward-model calls is no part of it.
        """
        sequences: tuple[object, ...] = ()
        if self.sequences:
            sequences = tuple([sequence.knowledge(player) for sequence in self.sequences])
        players = (int(player), int(self.current_player), int(self.turn_player), int(self.first_player))
        return (players, int(self.turn), int(self.round), int(self.phase), self.is_terminal, self.results, sequences)

    def snapshot(self) -> tuple[object, ...]:
        """Return the whole position (without the history) as a hashable value, the same for equal positions."""
        return snapshot(self)

    def is_unresolved(self) -> bool:
        """Say whether a player has made a simultaneous choice that has not happened yet, as others are still to choose.

        Players who choose at the same time are asked one after another. Agents value positions once the choices have
        happened, so that it makes no difference who is asked first. By default the sequences tell; a game that keeps
        such choices in fields of its own implements it.
        """
        for sequence in self.sequences:  # noqa: SIM110  compiled code makes a generator for `any`
            if sequence.is_unresolved(self):
                return True
        return False

    def score(self, player: i64) -> float:
        """Return the game's own points of ``player``; by default 1 for a win, 0.5 for a draw and 0 otherwise."""
        result = self.result(player)
        return 1.0 if result == WIN else 0.5 if result == DRAW else 0.0

    def result_value(self, player: i64) -> float:
        """Return 1 for a win, -1 for a loss or worse, 0 for a draw or while the game goes on."""
        results = self.results
        if not results:
            return 0.0
        result = results[player]
        return 1.0 if result == WIN else -1.0 if result < 0 else 0.0

    def tiebreak(self, player: i64, tier: i64) -> float:
        """Return a value to separate players of equal score, greater is better, in ``tier`` 0, 1, … < `tiebreak_tiers`."""
        return 0.0

    def tiebreak_tiers(self) -> i64:
        """Return how many tiers `tiebreak` has."""
        return 0

    def result(self, player: i64) -> i64:
        """Return the result of ``player`` so far (a constant of `tag.engine.results`)."""
        results = self.results
        return results[player] if results else ONGOING

    def is_ahead(self, player: i64, other: i64) -> bool:
        """Say whether ``player`` stands above ``other``: by result, then score, then the tiebreaks."""
        mine, theirs = self.result(player), self.result(other)
        if mine != theirs:
            return mine > theirs
        return self._scores_above(player, other)

    def _scores_above(self, player: i64, other: i64) -> bool:
        mine, theirs = self.score(player), self.score(other)
        tier: i64 = 0
        while mine == theirs and tier < self.tiebreak_tiers():
            mine, theirs = self.tiebreak(player, tier), self.tiebreak(other, tier)
            tier += 1
        return mine > theirs

    def ordinal(self, player: i64) -> i64:
        """Return the place of ``player``, from 1; players who cannot be separated share the better place.

        Examples:
            >>> from tag import Rng, make_game
            >>> state = make_game("uno").setup(3, Rng(1))
            >>> state.end_with_winner(1)
            >>> [state.ordinal(player) for player in range(3)], [state.result_value(player) for player in range(3)]
            ([2, 1, 2], [-1.0, 1.0, -1.0])
        """
        place: i64 = 1
        for other in range(self.n_players):
            if self.is_ahead(other, player):
                place += 1
        return place

    def team(self, player: i64) -> i64:
        """Return the team of ``player``; by default each player is a team.

        Players with the same number win and lose together, and have the same `score` and tiebreaks.
        """
        return player

    def known_team(self, player: i64, viewer: i64) -> i64:
        """Return the team of ``player`` as far as ``viewer`` can tell, -1 where it is hidden; by default all know it.

        A game with hidden teams implements it. ``viewer`` is a player, -1 for one who sees everything, or ``n_players`` for
        one who has no seat.
        """
        return self.team(player)

    def start_sequence(self, sequence: AnySequence) -> None:
        """Let ``sequence`` take over the flow until it is complete."""
        sequences = self.sequences
        self.sequences = (*sequences, sequence) if sequences else (sequence,)

    def count_turns(self, played: i64, player: i64) -> None:
        """Count ``played`` actions of a rollout, one in each turn; the last turn is that of ``player``, and lasts."""
        self.tick += played
        self.turn += played - 1
        self.turn_player = player
        self.current_player = player

    def set_result(self, player: i64, result: i64) -> None:
        """Set the result of one player, for instance of one who is out of the game."""
        results = list(self.results or (ONGOING,) * self.n_players)
        results[player] = int(result)
        self.results = tuple(results)

    def end_with_winner(self, winner: i64) -> None:
        """End the game with a win for the team of ``winner``, and a loss for all others."""
        team = self.team(winner)
        self._end([WIN if p == winner or self.team(p) == team else LOSE for p in range(self.n_players)])

    def end_with_draw(self) -> None:
        """End the game with a draw for all players."""
        self._end([DRAW] * self.n_players)

    def end_for_all(self, result: i64) -> None:
        """End the game with the same ``result`` for all players, as in co-operative games."""
        self._end([int(result)] * self.n_players)

    def end_by_score(self) -> None:
        """End the game by score and tiebreaks: first place wins, a first place of several teams is a draw.

        The team of a player who is out by a fault does not win.
        """
        out = {self.team(p) for p in range(self.n_players) if self.result(p) < LOSE}
        contenders = [p for p in range(self.n_players) if self.result(p) >= ONGOING and self.team(p) not in out]
        best = [p for p in contenders if not any([self._scores_above(q, p) for q in contenders])]
        teams = {self.team(p) for p in best}
        top = WIN if len(teams) == 1 else DRAW
        self._end([top if self.team(p) in teams else LOSE for p in range(self.n_players)])

    def _end(self, results: list[int]) -> None:
        """End the game; players who were disqualified or timed out keep that result."""
        earlier = self.results
        for player in range(len(earlier)):
            if earlier[player] == DISQUALIFIED or earlier[player] == TIMEOUT:
                results[player] = earlier[player]
        self.results = tuple(results)
        self.is_terminal = True
        self.sequences = ()

    def announce(self, event: Event) -> None:
        """Publish an event of the game's own to the listeners; does nothing in copies.

        Rules that are searched ask first whether anyone listens, so that search makes no event:
        ``if state.recording: state.announce(Event("bust", player))``.
        """
        if self.recording:
            self.announced = (*self.announced, event)

    def text(self, viewer: i64) -> str:
        """Return the position for people, with information hidden from ``viewer`` left out (-1 may see everything)."""
        return str(self)

    def __str__(self) -> str:
        """Return `text` for one who may see everything; a game implements one of the two."""
        return object.__repr__(self) if type(self).text is GameState.text else self.text(-1)

    def components(self) -> list[Component]:
        """Return the components on the table, with their visibility; games with flat fields build them here.

        No card may vanish from the decks: one that leaves the game lies in a deck, too.
        """
        return []

    def cell_values(self) -> bytes:
        """Return the contents of the cells that the forward model declares (`ForwardModel.cells`), a byte for each.

        It does not depend on who looks: learners have tables of values for each player. Nothing hidden may be in it.
        """
        raise NotImplementedError

    def __reduce__(self) -> Any:
        """Pickle by fields (mypyc's own pickling loses those of interpreted subclasses)."""
        return (restored, (type(self), field_values(self)))


def _chained(entries: tuple[tuple[int, AnyAction], ...]) -> History | None:
    history: History | None = None
    for player, action in entries:
        history = History(history, player, action)
    return history


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

    Examples:
        >>> from tag.games.abstract.nim import Take
        >>> action = Take(0, 3)
        >>> action.key(), action == Take(0, 3), str(action)
        ((0, 3), False, 'take 3 from heap 1')
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
    """Return the one object that stands for ``action``: the first equal one that was interned.

    Examples:
        >>> from tag.games.abstract.nim import Take
        >>> Take(0, 3) is Take(0, 3), interned(Take(0, 3)) is interned(Take(0, 3))
        (False, True)
    """
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
