"""Checks of the deals of observations: different, blind to what is hidden, as likely as in games, and possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import Any, Final

from tag.check.evidence.deals import Deals, Twin, observations
from tag.check.evidence.moves import game_seed, random_position
from tag.check.evidence.samples import compare
from tag.check.evidence.values import difference, differences, leaves
from tag.check.report import shorten
from tag.check.subject import GameCheck, GameSubject, Position
from tag.engine.forward_model import ForwardModel
from tag.engine.rng import Rng, derive_seed
from tag.engine.state import GameState
from tag.errors import ContractError

#: Observations drawn until every value of a twin has appeared; most appear in the first dozens. If a value of six in 600
#: set-ups (`Deals.is_common`) is as likely in observations, all of these lack it with probability 1e-10.
_PATIENCE: Final = 20_000

#: Draws after which only common values are waited for.
_LONG: Final = 300

#: If other values have come up less often than this, one may be missing by chance.
_OFTEN: Final = 5

#: Games of the first sample for impossible combinations; then the most values of positions in fresh games, and in
#: observations, before no further twin is examined.
_FIRST_GAMES: Final = 300
_MOST_VALUES: Final = 600_000

#: A combination is suspicious if no true position of the first sample holds it, but so many observations do; and how many
#: combinations are tested.
_SUSPICIOUS: Final = 4
_TESTED: Final = 10

#: How many times as often as in true positions a combination may be dealt; a test errs with probability (5 / 6)**105 = 5e-9.
_ODDS: Final = 5
_CERTAIN: Final = 105

#: A test is given up when it is so many cases short of ending in time.
_SLACK: Final = 20

#: Set-ups compared with observations of others, at first.
_SET_UPS: Final = 256

_OPEN: Final = "the game type declares that nothing is hidden; information_declared checks that observations are exact"


class DealCheck(GameCheck):
    """The base of checks that compare many deals; they need a game that hides something."""

    untested = "no two positions were found that a player cannot tell apart"

    def finish(self, subject: GameSubject) -> None:
        """Look at deals for some numbers of players."""
        if not subject.model.game_type.hidden_information:
            self.untested = _OPEN
            return
        for n_players in subject.some_counts():
            self.look(subject, n_players, subject.deals(n_players))
        self.where = None

    def look(self, subject: GameSubject, n_players: int, deals: Deals) -> None:
        """Look at the deals for ``n_players``."""
        raise NotImplementedError


class ObservationVaries(DealCheck):
    """Observations deal all that a player cannot know, in every way that fits the player's knowledge."""

    text = "observations deal all that is hidden, in every way that is possible"

    def __init__(self) -> None:
        super().__init__()
        self.hides = False
        self.varies = False

    def at(self, position: Position) -> None:
        state = position.state
        self.hides = self.hides or type(state).redeterminise is not GameState.redeterminise
        if not self.varies and not state.is_terminal:
            seen = state.observation(state.current_player, position.rng("varies"))
            self.varies = seen.snapshot() != state.snapshot()

    def finish(self, subject: GameSubject) -> None:
        super().finish(subject)
        if self.hides and not self.varies:
            raise ContractError("redeterminise deals nothing again: every observation is the true position")

    def look(self, subject: GameSubject, n_players: int, deals: Deals) -> None:
        """Draw observations of a position until every value of its twin has appeared."""
        looked_at = 0
        twins, more = subject.twins(n_players)
        others_made = [twin for twin in twins if not twin.may_be_rare]
        for number, twin in enumerate([*others_made, *more]):
            if looked_at > _MOST_VALUES // (1 if number < len(others_made) else 4):
                return
            rng = Rng(derive_seed(subject.seed, "varies", n_players, number))
            values, source = leaves(twin.other), twin.source or deals
            wanted = {path: there for path, _, there in differences(twin.state, twin.other) if path in values}
            self.where = twin.where
            self.cases += 1
            others: dict[str, Counter[object]] = {path: Counter() for path in wanted}
            for draw in range(_PATIENCE):
                if draw == _LONG and not twin.is_by_action:
                    wanted = {path: value for path, value in wanted.items() if source.is_common(path, value)}
                seen = leaves(twin.state.observation(twin.player, rng))
                looked_at += len(seen)
                wanted = {path: value for path, value in wanted.items() if seen.get(path) != value}
                if not wanted:
                    break
                for path in wanted:
                    others[path][seen.get(path)] += 1
            wanted = {path: value for path, value in wanted.items() if min(others[path].values()) >= _OFTEN}
            if wanted and not source.is_doubtful(twin):
                path, value = next(iter(wanted.items()))
                raise ContractError(
                    f"player {twin.player} cannot tell {_named(twin)}; {path} is {shorten(value, 40)} in the second, but no "
                    "observation of the first deals that; redeterminise must be able to, or knowledge differ"
                )


class ObservationBlind(DealCheck):
    """Deals must not depend on hidden values, or search would learn these by repeated observation."""

    text = "the deals of observations depend on nothing hidden, neither on values nor on their order"

    def look(self, subject: GameSubject, n_players: int, deals: Deals) -> None:
        for number, twin in enumerate(subject.twins(n_players)[0]):
            rng = Rng(derive_seed(subject.seed, "blind", n_players, number))
            self.where = twin.where
            self.cases += 1
            one, other = observations(twin.state, twin.player), observations(twin.other, twin.player)
            found = compare(one, other, rng)
            if found and not (twin.source or deals).is_doubtful(twin):
                ways = ("observations of the first", "of the second")
                raise ContractError(f"player {twin.player} cannot tell {_named(twin)}, but {found.text(*ways)}")


def _named(twin: Twin) -> str:
    return f"two positions apart (the second is {twin.how})"


class ObservationFair(DealCheck):
    """At the start, only the rules of the deal decide the probabilities."""

    text = "observations of set-ups deal each arrangement as often as set-ups do"

    untested = "set-ups hide nothing that varies"

    def look(self, subject: GameSubject, n_players: int, deals: Deals) -> None:
        forgets = subject.model.game_type.forgets
        if forgets:
            self.untested = f"the game type declares that observations forget {forgets}"
            return
        for player in (0, n_players - 1) if n_players == subject.counts[0] else (n_players - 1,):
            rng = Rng(derive_seed(subject.seed, "fair", n_players, player))

            def deal(rng: Rng) -> dict[str, object]:
                return leaves(deals.deal(game_seed(rng)))

            def observe(rng: Rng, player: int = player) -> dict[str, object]:
                return leaves(deals.deal(game_seed(rng)).observation(player, rng))

            self.where = deals.wheres[0]
            if not difference(deals.states[0], deals.states[0].observation(player, rng)):
                continue
            self.cases += 1
            names = ("set-ups", f"observations of player {player}")
            found = compare(deal, observe, rng, _SET_UPS)
            if found:
                raise ContractError(found.text(*names))


class ObservationPossible(DealCheck):
    """Observations deal only possible combinations: no blue card where the player knows it to be red.

    The hypothesis: at a random position of a random game, no combination of values is dealt more than `_ODDS` times as
    often as the true position holds it. Where observations are as likely as positions, the odds are 1. The rest allows for
    information in actions, which observations may leave out. One position and one observation are taken from a game, as
    positions of one game share its deal. Take the games in which only one of the two holds a combination. There it is the
    observation with probability at most ``_ODDS / (_ODDS + 1)``, and `_CERTAIN` times in a row with probability 5e-9. A
    first sample suggests at most `_TESTED` combinations, which are tested on fresh games. Falls in the
    order of hidden items are tested the other way round: observations that sort never deal them.
    """

    text = (
        "observations deal only what occurs in play: values, their order, and values beside open ones of the same index"
    )
    untested = "observations deal no value again"

    def look(self, subject: GameSubject, n_players: int, deals: Deals) -> None:
        """Count in how many games each combination is dealt, until the first true position that holds it."""
        rng = Rng(derive_seed(subject.seed, "possible", n_players))
        real: set[Hashable] = set()
        dealt: Counter[Hashable] = Counter()
        for _game in range(_FIRST_GAMES):
            found = self._combinations_of(subject.model, deals, rng)
            real |= found[0]
            dealt.update(found[1] - found[0])
        often = [value for value, count in dealt.most_common() if count >= _SUSPICIOUS and value not in real]
        tested = {value: 0 for value in often[:_TESTED]}
        most = _MOST_VALUES // len(leaves(deals.states[0]))
        for game in range(1, most + 1):
            tested = {value: count for value, count in tested.items() if count >= game * _CERTAIN // most - _SLACK}
            if not tested:
                return
            found = self._combinations_of(subject.model, deals, rng)
            tested = {value: count + (value in found[1]) for value, count in tested.items() if value not in found[0]}
            for value, count in tested.items():
                if count == _CERTAIN:
                    self.where = None
                    raise ContractError(
                        f"{_text_of(value)}, in {count} of {game} games with {n_players} players; none shows the reverse"
                    )

    def _combinations_of(self, model: ForwardModel[Any], deals: Deals, rng: Rng) -> tuple[set[Hashable], set[Hashable]]:
        """Play a game to a random position and return its combinations and those of an observation of it."""
        state = random_position(model, deals, rng)
        seen = state.observation(rng.below(deals.n_players), rng)
        true, given = leaves(state), leaves(seen)
        real, dealt = _combinations(true, given)
        self.cases += bool(dealt)
        phase = int(state.tick).bit_length()
        return real | _falls(given, true, phase), dealt | _falls(true, given, phase)


def _falls(one: dict[str, object], other: dict[str, object], phase: int) -> set[Hashable]:
    """Return the lists with an item that is smaller in ``one`` than the one before it, where ``other`` has other items.

    They come with a ``phase`` of the game, because observations may begin to sort late.
    """
    found: set[Hashable] = set()
    before, last = "", 0
    for path, value in one.items():
        name = path.rpartition("[")[0]
        if not isinstance(value, int) or other.get(path, value) == value:
            before = ""
            continue
        if name and name == before and value < last:
            found.add((name.partition("[")[0], phase, "falls"))
        before, last = name, value
    return found


def _combinations(true: dict[str, object], seen: dict[str, object]) -> tuple[set[Hashable], set[Hashable]]:
    """Return single values, and pairs with an open value of the same index: those that are true, and those dealt."""
    real: set[Hashable] = set()
    dealt: set[Hashable] = set()
    beside: dict[str, list[tuple[str, object]]] = {}
    for path, value in true.items():
        if path in seen and seen[path] == value:
            name, _bracket, index = path.partition("[")
            steps = index.split("[") if index else []
            for depth in range(1, len(steps) + 1):
                inner = "".join([f"[{step}" for step in steps[depth:]])
                beside.setdefault("[".join(steps[:depth]), []).append((f"{name}[…]{inner}", value))
    for path, value in true.items():
        if path in seen and " byte " not in path:
            name, _bracket, index = path.partition("[")
            pairs = beside.get(index, ())
            real.add((name, value))
            real.update([(name, value, *pair) for pair in pairs])
            if seen[path] != value:
                dealt.add((name, seen[path]))
                dealt.update([(name, seen[path], *pair) for pair in pairs])
    return real, dealt


def _text_of(event: Any) -> str:
    """Return a combination that is dealt but never occurs, or the other way round, as text."""
    name, dealt, *beside = event
    if len(beside) == 1:
        return f"observations never deal {name} with a smaller value after a larger one, as true positions have it"
    text = f"observations deal {name} the value {shorten(dealt, 40)}"
    if beside:
        text = f"{text} where {beside[0]} has {shorten(beside[1], 40)} at the same index"
    return f"{text}, as no true position has it"
