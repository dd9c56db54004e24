"""Checks of hidden information: observations, knowledge, and views for people and learners."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from math import isfinite
from typing import Any, Final

from tag.check.evidence.deals import Deals, Twin, compare, observations
from tag.check.evidence.moves import game_seed, random_position
from tag.check.evidence.states import Truth, difference, differences, leaves, places, put, value_at, value_difference
from tag.check.report import shorten
from tag.check.subject import GameCheck, GameSubject, Position
from tag.engine.forward_model import ForwardModel
from tag.engine.rng import Rng, derive_seed
from tag.engine.state import GameState
from tag.engine.values import Features
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


# --- observations at a position -----------------------------------------------------------------------------------------


class ObservationKnowledge(GameCheck):
    """Nothing that a player knows gets lost or becomes false."""

    text = "an observation keeps all that its player knows, as a hashable value"

    def at(self, position: Position) -> None:
        state = position.state
        for player in position.players:
            known = state.knowledge(player)
            self.cases += 1
            try:
                hash(known)
            except TypeError as error:
                raise ContractError(f"knowledge({player}) cannot be hashed: {error}; make it of tuples") from None
            for seen in position.drawn(player):
                if seen.knowledge(player) != known:
                    raise ContractError(_lost(state, seen, player))


def _lost(state: GameState, seen: GameState, player: int) -> str:
    """Return the part of a player's knowledge that an observation changed: the field, if it is one value."""
    before, after = state.knowledge(player), seen.knowledge(player)
    if before == state.snapshot():
        return (
            f"knowledge({player}) is the whole position, and in an observation {difference(state, seen)}; "
            "implement knowledge for what is hidden"
        )
    text = f"in an observation of player {player}, {value_difference(f'knowledge({player})', before, after)}"
    culprit = _culprit(state, seen, player)
    return f"{text}, because {culprit}" if culprit else text


def _culprit(state: GameState, seen: GameState, player: int) -> str:
    """Return the first difference that changes the player's knowledge by itself, as text, or nothing."""
    theirs = places(seen)
    named = [text for text in [difference(state, seen)] if text]
    for path, value in places(state).items():
        if path in theirs and theirs[path] != value:
            try:
                changed = state.copy()
                put(changed, path, value_at(seen, path))
                if changed.knowledge(player) != state.knowledge(player):
                    return difference(state, changed)
            except Exception:  # noqa: BLE001  half of a change may be nonsense to the game
                return named[0]
    return named[0] if named else ""


class ObservationDetached(GameCheck):
    """An agent may change its observation in any way; the true game must not change by it."""

    text = "an observation reaches no mutable object of the true game: state, rules, parameters, tables"

    def __init__(self) -> None:
        super().__init__()
        self.truth: Truth | None = None

    def at(self, position: Position) -> None:
        state = position.state
        self.truth = self.truth or Truth(state, position.model)
        rng = position.rng("detached")
        player = rng.below(state.n_players)
        self.cases += 1
        found = self.truth.held_by(state.observation(player, rng), state)
        if found:
            raise ContractError(f"an observation of player {player} holds {found}")


class ObservationActions(GameCheck):
    """An agent chooses in an observation, and the choice is played in the game."""

    text = "the available actions of the player to move depend on nothing hidden from that player"

    def at(self, position: Position) -> None:
        model, state = position.model, position.state
        player = state.current_player
        actions = model.available_actions(state)
        for seen in position.drawn(player):
            found = model.available_actions(seen)
            self.cases += 1
            if found != actions:
                text = value_difference("available_actions", tuple(actions), tuple(found))
                if len(found) != len(actions):
                    odd = [action for action in [*actions, *found] if (action in actions) != (action in found)]
                    text = f"there are {len(found)} actions instead of {len(actions)}; {shorten(odd, 80)} differ"
                raise ContractError(f"in an observation of player {player}, who is to move, {text}")


class ObservationEnd(GameCheck):
    """Redeterminising deals cards, it decides no games."""

    text = "an observation keeps turn, end, results, scores and places, and drops the history"

    def at(self, position: Position) -> None:
        state = position.state
        before = _standing(state)
        for player in position.players:
            for seen in position.drawn(player):
                self.cases += 1
                after = _standing(seen)
                for name, value in before.items():
                    if after[name] != value:
                        raise ContractError(f"{name}: {value} becomes {after[name]} in an observation of {player}")
                if seen.history is not None:
                    raise ContractError(f"an observation of player {player} holds the history, with hidden actions")
                if seen.recording:
                    raise ContractError(f"an observation of player {player} goes on recording")


def _standing(state: GameState) -> dict[str, object]:
    players = range(state.n_players)
    return {
        "n_players": state.n_players,
        "current_player": state.current_player,
        "turn_player": state.turn_player,
        "tick": state.tick,
        "turn": state.turn,
        "round": state.round,
        "is_terminal": state.is_terminal,
        "results": [state.result(player) for player in players],
        "scores": [state.score(player) for player in players],
        "ordinals": [state.ordinal(player) for player in players],
    }


# --- deals of observations ------------------------------------------------------------------------------------------------


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


# --- views for people and learners ----------------------------------------------------------------------------------------


class ViewsBlind(GameCheck):
    """A learner or a person sees no more than the player."""

    text = "text and features of a player depend on nothing hidden from that player"

    def at(self, position: Position) -> None:
        state = position.state
        features = position.model.features()
        for player in position.players:
            views = _views(state, features, player)
            for seen in position.drawn(player)[:1]:
                self.cases += 1
                for name, view in _views(seen, features, player).items():
                    if view != views[name]:
                        text = value_difference(name, views[name], view)
                        raise ContractError(f"{name} shows player {player} what is hidden: in an observation {text}")


def _views(state: GameState, features: Features | None, player: int) -> dict[str, object]:
    found: dict[str, object] = {f"text({player})": tuple(state.text(player).splitlines())}
    if features is not None:
        found[f"features({player})"] = tuple(
            zip(features.names(state.n_players), features.values(state, player), strict=False)
        )
    return found


class ViewsSteady(GameCheck):
    """Views have the same numbers in the same places for learners and words for people, and change nothing."""

    text = "features keep their names and length, are finite, and looking changes nothing"

    def __init__(self) -> None:
        super().__init__()
        self.names: dict[int, tuple[str, ...]] = {}

    def at(self, position: Position) -> None:
        state = position.state
        before = state.snapshot()
        self.cases += 1
        features = position.model.features()
        if features is not None:
            for player in position.players:
                self._check_features(features, state, player)
        self._look(position)
        if state.snapshot() != before:
            raise ContractError("computing features, texts or components changes the state")

    def _check_features(self, features: Features, state: GameState, player: int) -> None:
        names, values = tuple(features.names(state.n_players)), features.values(state, player)
        first = self.names.setdefault(int(state.n_players), names)
        if len(values) != len(names):
            raise ContractError(f"player {player} has {len(values)} values of {len(names)} features")
        if names != first or len(set(names)) < len(names):
            odd = sorted(set(names) ^ set(first)) or [name for name in names if names.count(name) > 1] or list(names)
            raise ContractError(f"the features have other names than at first, or some twice: {shorten(odd)}")
        if not all([isfinite(number) for number in values]):
            raise ContractError(f"features of player {player} are not finite numbers")

    def _look(self, position: Position) -> None:
        """Ask for all views for people and analysis."""
        state = position.state
        state.components()
        actions = position.model.available_actions(state)
        for viewer in (-1, *position.players):
            if not isinstance(state.text(viewer), str):
                raise ContractError(f"text({viewer}) is {shorten(state.text(viewer))}, not text")
            for action in actions:
                if not action.text(state, viewer):
                    raise ContractError(f"the text of {action!r} for viewer {viewer} is empty")


class InformationDeclared(GameCheck):
    """Games declared without hidden information have exact observations: search then never redeterminises."""

    text = "if the game type declares that nothing is hidden, observations are exact copies"
    untested = "the game type declares hidden information"

    def at(self, position: Position) -> None:
        if position.model.game_type.hidden_information:
            return
        state = position.state
        for player in position.players:
            self.cases += 1
            found = difference(state, state.observation(player, position.rng("declared")))
            if found:
                raise ContractError(f"hidden_information is declared False, but in an observation {found}")
