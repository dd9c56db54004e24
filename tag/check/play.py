"""Checks of hidden information in play: what is dealt, chosen in secret, seen and remembered."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import pairwise
from typing import Any, Final

from tag.check.evidence.deals import Deals, RandomMove, same_to
from tag.check.evidence.moves import deals_anew, hiding_moves, random_moves, random_position
from tag.check.evidence.samples import Difference, Sampler, compare
from tag.check.evidence.values import leaves
from tag.check.information import DealCheck
from tag.check.report import shorten
from tag.check.subject import GameCheck, GameSubject, Position
from tag.engine.forward_model import ForwardModel
from tag.engine.rng import Rng, derive_seed
from tag.engine.state import GameState
from tag.engine.values import Features
from tag.errors import ContractError

#: Samples of each side at first: of moves in which chance has a part, which may be deals, and of others.
_FIRST_SAMPLE: Final = 128
_FIRST_SAMPLE_OF_DEALS: Final = 256

#: Moves that must differ, and their share of all compared, before a game as a whole deals otherwise in play; at most half of
#: them differ in games that interpret what a move reveals.
_MANY: Final = 4
_MOST: Final = 0.8

#: Pairs of secret actions compared at a position.
_PAIRS: Final = 3

#: Pairs of a hidden and an open place that are watched; the games that show which places these are; the games of the first
#: sample, and the values of their positions between; and the observations of it that make a pair suspicious.
_PAIRED: Final = 300
_SHOWN_BY: Final = 40
_FEWEST_FIRST: Final = 300
_MOST_FIRST: Final = 1000
_FIRST_VALUES: Final = 40_000
_SUSPICIOUS: Final = 4

#: Fields that reach this number may hold several marks, one in each bit.
_MARKS: Final = 4

#: Games in which an observation alone must have a suspicious pair; the most games of a test, and of all; and how many cases
#: a test may be short of ending in time before it is given up. A test errs with probability (5 / 6)**80 = 5e-7.
_CERTAIN: Final = 80
_LONGEST_TEST: Final = 1200
_MOST_GAMES: Final = 2500
_SLACK: Final = 6

#: Places with more values than this in the games that show them are left out: a pair with one of them is too rare.
_VALUES: Final = 12

_NOTHING: Final = object()

#: A hidden place with its value, and an open one with its value.
_Pair = tuple[str, object, str, object]

#: Moves with which memory is tested, for each number of players; exchanges tried for each; and the draws that show what
#: is seen.
_MEMORIES: Final = 150
_EXCHANGES: Final = 3
_LOOKS: Final = 6


class ObservationFairInPlay(DealCheck):
    """Deals in play are as likely in observations as the rules make them.

    A move is played from observations of the position before it: its player has chosen it, so that it tells this player
    nothing, and the same cards must be as likely in the position that it leads to and in an observation of that. In a deal
    of all that is hidden, such as that of a new round, a single difference is a failure, unless the game declares that
    observations forget something (`GameType.forgets`). Elsewhere games may interpret or forget what a move has revealed, so
    that nearly all moves compared must differ.
    """

    text = "after a move or deal in play, observations deal each arrangement as often as the move does"
    untested = "no move was found after which something is hidden"

    def look(self, subject: GameSubject, n_players: int, deals: Deals) -> None:
        rng = Rng(derive_seed(subject.seed, "play", n_players))
        compared, differing = 0, []
        for move in hiding_moves(subject.model, deals, partial(subject.where, n_players), rng):
            compared += 1
            self.cases += 1
            found = compare(*self._ways(subject, move), rng, _FIRST_SAMPLE_OF_DEALS if move.draws else _FIRST_SAMPLE)
            if found:
                differing.append((move, found))
                if not subject.model.game_type.forgets and deals_anew(subject.model, move, rng):
                    self._fail(move, found)
        if len(differing) >= max(_MANY, compared * _MOST):
            self._fail(*differing[0])

    def _ways(self, subject: GameSubject, move: RandomMove) -> tuple[Sampler, Sampler]:
        """Return two ways to deal what the move leads to: by playing it, and by an observation of its outcome."""
        player = move.state.current_player

        def played(rng: Rng) -> GameState:
            after = move.state.observation(player, rng)
            subject.model.next(after, move.action, rng)
            return after

        def dealt(rng: Rng) -> dict[str, object]:
            return leaves(played(rng).observation(player, rng))

        return lambda rng: leaves(played(rng)), dealt

    def _fail(self, move: RandomMove, found: Difference) -> None:
        self.where = move.where
        state = move.state
        ways = ("positions", f"observations of player {state.current_player}")
        raise ContractError(f"after {move.action!r}, at tick {state.tick} of a random game, {found.text(*ways)}")


class SecretsKept(GameCheck):
    """An author who hides a choice in the texts means it to be secret."""

    text = "an action that the texts hide from a player is in no knowledge or features of that player"
    untested = "the texts hide no action from a player"

    def at(self, position: Position) -> None:
        """Compare actions whose texts are the same to another player, and not to their own."""
        model, state = position.model, position.state
        if state.is_terminal:
            return
        rng = position.rng("secrets")
        actions, mover = model.available_actions(state), state.current_player
        rng.shuffle(actions)
        others = [player for player in position.players if player != mover]
        for one, other in pairwise(actions[: _PAIRS + 1]):
            hidden = [player for player in others if one.text(state, player) == other.text(state, player)]
            if not hidden or one.text(state, mover) == other.text(state, mover):
                continue
            chance = rng.next32()
            left, right = state.copy(), state.copy()
            model.next(left, one, Rng(chance))
            model.next(right, other, Rng(chance))
            for player in hidden:
                self._compare(model.features(), left, right, player, f"{one!r} and {other!r}")

    def _compare(self, features: Features | None, left: GameState, right: GameState, player: int, pair: str) -> None:
        if left.text(player) != right.text(player) or left.is_terminal or right.is_terminal:
            return
        self.cases += 1
        ways: dict[str, tuple[object, object]] = {"knowledge": (left.knowledge(player), right.knowledge(player))}
        if features is not None:
            ways["features"] = (features.values(left, player), features.values(right, player))
        for name, (here, there) in ways.items():
            if here != there:
                raise ContractError(
                    f"the texts of {pair} are the same to player {player}, but {name}({player}) differs"
                )


class MarksKept(DealCheck):
    """Observations deal no value that a public mark rules out, wherever the mark is kept.

    The hypothesis is that of `ObservationPossible`: nothing is dealt more than five times as often as true positions hold
    it. Here it is about a set of pairs, each of a value that is dealt and an open one. In a first sample, observations have
    these pairs and true positions lack them. Fresh games test whether observations alone go on having any of them. A pair
    that a true position holds leaves the set, and the test begins anew.
    """

    text = "observations deal no hidden value that an open value, such as a hint, rules out"
    untested = "no hidden value is dealt while an open value varies"

    def __init__(self) -> None:
        super().__init__()
        self.pairs: list[tuple[str, str]] = []
        self.marked: set[str] = set()

    def look(self, subject: GameSubject, n_players: int, deals: Deals) -> None:
        if n_players != subject.counts[0]:
            return  # marks and hands are the same for more players, and their pairs rarer
        rng = Rng(derive_seed(subject.seed, "marks", n_players))
        self.pairs = self._watched(subject.model, deals, rng)
        real: set[_Pair] = set()
        dealt: Counter[_Pair] = Counter()
        for _game in range(min(max(_FIRST_VALUES // len(leaves(deals.states[0])), _FEWEST_FIRST), _MOST_FIRST)):
            true, given = self._combinations(subject.model, deals, rng)
            real |= true
            dealt.update(given - true)
        suspects = {pair for pair, count in dealt.most_common() if count >= _SUSPICIOUS and pair not in real}
        self._test(subject, n_players, suspects, rng)

    def _test(self, subject: GameSubject, n_players: int, suspects: set[_Pair], rng: Rng) -> None:
        """Count fresh games in which an observation alone holds one of the ``suspects``, as long as there are enough."""
        games, all_games, found = 0, 0, Counter[_Pair]()
        while suspects and all_games < _MOST_GAMES and found.total() >= games * _CERTAIN // _LONGEST_TEST - _SLACK:
            true, given = self._combinations(subject.model, subject.deals(n_players), rng)
            games += 1
            all_games += 1
            if true & suspects:
                suspects, games, found = suspects - true, 0, Counter()
            elif given & suspects:
                found[min(given & suspects, key=repr)] += 1
            if found.total() == _CERTAIN:
                path, value, mark, other = found.most_common(1)[0][0]
                raise ContractError(
                    f"observations deal {path} the value {shorten(value, 40)} where {mark} is {shorten(other, 40)}, and "
                    f"similar pairs, in {_CERTAIN} of {games} games with {n_players} players; no true one has them"
                )

    def _watched(self, model: ForwardModel[Any], deals: Deals, rng: Rng) -> list[tuple[str, str]]:
        """Return pairs of a place that observations deal again and an open one whose value varies, a random part of all.

        Fields with open numbers that may hold several marks are noted.
        """
        hidden: dict[str, None] = {}
        values: dict[str, set[str]] = {}
        for _game in range(_SHOWN_BY):
            true, seen = self._views(model, deals, rng)
            dealt = [path for path, value in true.items() if seen.get(path, value) != value and " byte " not in path]
            hidden.update(dict.fromkeys(dealt))
            for path, value in true.items():
                values.setdefault(path, set()).add(repr(value))
                if type(value) is int and value >= _MARKS:
                    self.marked.add(path.partition("[")[0])
        varying = [path for path, held in values.items() if len(held) > 1 and path not in hidden]
        pairs = [(path, beside) for path in hidden if len(values.get(path, ())) <= _VALUES for beside in varying]
        rng.shuffle(pairs)
        return pairs[:_PAIRED]

    def _views(self, model: ForwardModel[Any], deals: Deals, rng: Rng) -> tuple[dict[str, object], dict[str, object]]:
        """Return the values of a random position, and of an observation of it."""
        state = random_position(model, deals, rng)
        return leaves(state), leaves(state.observation(rng.below(deals.n_players), rng))

    def _combinations(self, model: ForwardModel[Any], deals: Deals, rng: Rng) -> tuple[set[_Pair], set[_Pair]]:
        """Return the watched pairs of values of a random position, and those of an observation of it."""
        true, seen = self._views(model, deals, rng)
        real: set[_Pair] = set()
        dealt: set[_Pair] = set()
        for path, beside in self.pairs:
            if path in true and beside in true and true[beside] == seen.get(beside, _NOTHING):
                marks = self._marks(beside, true[beside])
                real.update([(path, true[path], *mark) for mark in marks])
                if seen.get(path, true[path]) != true[path]:
                    dealt.update([(path, seen[path], *mark) for mark in marks])
        self.cases += bool(dealt)
        return real, dealt

    def _marks(self, path: str, value: object) -> list[tuple[str, object]]:
        """Return an open value and, of a number that may hold several marks, the bits that are set."""
        marks = [(path, value)]
        if type(value) is int and value > 0 and path.partition("[")[0] in self.marked:
            marks += [(f"bit {bit} of {path}", 1) for bit in range(value.bit_length()) if value >> bit & 1]
        return marks


class ObservationRemembers(DealCheck):
    """A player remembers what has been seen.

    Two positions differ in a value that a player sees in both. The same action is played in both; the value stays. If the
    player cannot tell the positions apart afterwards, the rules or the knowledge have forgotten the value. A game may want
    that, where people forget; this is a warning only.
    """

    text = "after an action, players still know what they saw before, unless it has changed"
    untested = "no two positions were found that differ in what a player sees"
    only_warns = True

    def look(self, subject: GameSubject, n_players: int, deals: Deals) -> None:
        if subject.model.game_type.forgets:
            return
        rng = Rng(derive_seed(subject.seed, "memory", n_players))
        for number, move in enumerate(random_moves(subject.model, deals, partial(subject.where, n_players), rng)):
            if number == _MEMORIES:
                return
            for _exchange in range(_EXCHANGES):
                changed = deals.exchanged_at(move.state, rng)
                if changed is not None:
                    self._remember(subject, move, rng.below(n_players), changed, rng)

    def _remember(self, subject: GameSubject, move: RandomMove, player: int, changed: GameState, rng: Rng) -> None:
        """Compare a position with one that is changed in what ``player`` may have seen."""
        try:
            pair = self._pair(subject, move, player, changed, rng.next32())
        except Exception:  # noqa: BLE001  the exchange may have been nonsense
            return
        if pair is None:
            return
        self.cases += 1
        state, (left, right) = move.state, pair
        if left.is_terminal or not same_to(player, left, right):
            return
        here, there, now, then = leaves(state), leaves(changed), leaves(left), leaves(right)
        for path, value in here.items():
            if path in there and there[path] != value and (now.get(path), then.get(path)) == (value, there[path]):
                looks = [leaves(state.observation(player, rng)).get(path) for _look in range(_LOOKS)]
                others = [leaves(changed.observation(player, rng)).get(path) for _look in range(_LOOKS)]
                if set(map(repr, looks)) == {repr(value)} and set(map(repr, others)) == {repr(there[path])}:
                    self.where = move.where
                    raise ContractError(
                        f"player {player} sees at tick {state.tick} that {path} is {shorten(value, 40)}, and after "
                        f"{move.action!r} cannot tell it from {shorten(there[path], 40)}, although it has stayed"
                    )

    def _pair(
        self, subject: GameSubject, move: RandomMove, player: int, changed: GameState, chance: int
    ) -> tuple[GameState, GameState] | None:
        """Return both positions after the move; None if ``player`` cannot tell them apart before, or it is impossible."""
        model, state = subject.model, move.state
        if state.knowledge(player) == changed.knowledge(player) or move.action not in model.available_actions(changed):
            return None
        left, right = state.copy(), changed.copy()
        model.next(left, move.action, Rng(chance))
        model.next(right, move.action, Rng(chance))
        return left, right
