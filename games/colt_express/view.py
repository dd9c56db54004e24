"""Positions of Colt Express for people, learners and analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from games.colt_express.data import (
    ACTION_NAMES,
    BANDIT_NAMES,
    BITS,
    BULLET,
    CARD_NAMES,
    CARDS,
    CHOOSE,
    COVER,
    DOWN,
    EVENT_NAMES,
    KIND_BITS,
    MARSHAL,
    N_ACTIONS,
    NO_EVENT,
    NOWHERE,
    PLAN,
    PLAYER_SHIFT,
    RESERVE,
    STEAL,
    TURN_NAMES,
    UNCHOSEN,
    count,
    listed,
    size,
)
from tag.components import (
    HIDDEN_TO_ALL,
    VISIBLE_TO_OWNER,
    Component,
    Counter,
    Deck,
    PartiallyObservableDeck,
    Token,
    shared,
)

if TYPE_CHECKING:
    from games.colt_express.state import ColtExpressState

_PURSE: Final = "purse"
_JEWEL: Final = "jewel"
_STRONGBOX: Final = "strongbox"


def loot_kind(state: ColtExpressState, token: i64) -> str:
    """Return what a piece of loot is."""
    if state.purses & BITS[token]:
        return _PURSE
    return _JEWEL if state.jewels & BITS[token] else _STRONGBOX


def loot_text(state: ColtExpressState, token: i64, viewer: i64) -> str:
    """Return a piece of loot, with its value where ``viewer`` (-1: sees all) knows it."""
    kind = loot_kind(state, token)
    is_known = viewer < 0 or state.known[viewer] & BITS[token]
    return f"{kind} ${state.values[token]}" if is_known else kind


def card_text(state: ColtExpressState, player: i64, kind: i64) -> str:
    """Return an action card of ``player``, with the bandit's name where there are two."""
    action = kind % N_ACTIONS
    if state.per == 1 or action == MARSHAL:
        return ACTION_NAMES[action]
    bandit = player * 2 + kind // N_ACTIONS
    return f"{ACTION_NAMES[action]} ({bandit_name(state, bandit)})"


def bandit_name(state: ColtExpressState, bandit: i64) -> str:
    """Return the name of a bandit."""
    character = state.characters[bandit]
    return f"bandit {bandit}" if character == UNCHOSEN else BANDIT_NAMES[character]


def text_of(state: ColtExpressState, viewer: i64) -> str:
    """Return the table as ``viewer`` sees it, what is hidden as question marks."""
    lines = [_round_text(state)]
    if state.phase != CHOOSE:
        lines += [_car_text(state, car, viewer) for car in range(state.cars)]
    for player in range(state.n_players):
        lines.append(_player_text(state, player, viewer))
    if state.pile:
        lines.append(f"pile: {_pile_text(state, viewer)}")
    return "\n".join(lines)


def _round_text(state: ColtExpressState) -> str:
    shown = "over" if state.is_terminal else f"player {state.current_player} to decide"
    if not state.turns:
        return f"Before the first round, {shown}"
    event = "" if state.event == NO_EVENT else f", then {EVENT_NAMES[state.event]}"
    turns = ", ".join([TURN_NAMES[turn] for turn in state.turns])
    number = state.round if state.is_terminal else state.round + 1
    return f"Round {number} ({state.title}: {turns}{event}), {shown}"


def _car_text(state: ColtExpressState, car: i64, viewer: i64) -> str:
    name = "caboose" if car == 0 else "locomotive" if car == state.cars - 1 else f"car {car}"
    parts = []
    for spot, place in ((2 * car + 1, "roof"), (2 * car, "inside")):
        there = [bandit_name(state, b) for b in range(len(state.spots)) if state.seen_spot(b, viewer) == spot]
        if spot == 2 * state.marshal:
            there.append("the Marshal")
        there += [loot_text(state, token, viewer) for token in _tokens(state.floor[spot])]
        if there:
            parts.append(f"{place}: {', '.join(there)}")
    return f"{name}  {'; '.join(parts)}".rstrip()


def _player_text(state: ColtExpressState, player: i64, viewer: i64) -> str:
    parts = []
    for bandit in range(player * state.per, (player + 1) * state.per):
        loot = ", ".join([loot_text(state, token, viewer) for token in _tokens(state.held[bandit])]) or "no loot"
        parts.append(f"{bandit_name(state, bandit)}: {loot}, {state.bullets[bandit]} bullets")
    hand = state.hands[player]
    if viewer < 0 or viewer == player:
        cards = ", ".join([_short(state, player, kind) for kind in listed(hand)]) or "none"
    else:
        cards = f"{size(hand)} cards"
    parts.append(f"hand {cards}, deck {size(state.decks[player])}, hit {state.wounds[player]} times")
    if state.money[player]:
        parts.append(f"${state.money[player]} beside")
    return f"player {player}  {'; '.join(parts)}"


def _short(state: ColtExpressState, player: i64, kind: i64) -> str:
    return "Bullet" if kind == len(CARDS) - 1 else card_text(state, player, kind)


def _pile_text(state: ColtExpressState, viewer: i64) -> str:
    shown = []
    for index in range(len(state.pile)):
        card = state.seen_card(index, viewer)
        player, kind = card >> PLAYER_SHIFT, card & KIND_BITS
        text = "?" if kind == KIND_BITS else card_text(state, player, kind)
        marks = (" face down" if card & DOWN else "") + (" (due)" if index == state.done else "")
        shown.append(f"{player} {text}{marks}")
    return ", ".join(shown)


def _tokens(loot: i64) -> list[int]:
    return [token for token in range(len(BITS)) if loot & BITS[token]]


# --- features --------------------------------------------------------------------------------------------------------


def features_of(state: ColtExpressState, player: i64) -> dict[str, float]:
    """Return the round, the own cards, and of each bandit (from the own ones on) where it is and what it has."""
    found = {
        "round": float(state.round),
        "phase": float(state.phase),
        "event": float(state.event),
        "slot": float(state.slot),
        "slots": float(len(state.turns)),
        "my_turn": float(state.current_player == player),
        "marshal": float(state.marshal),
        "neutral": float(state.neutral),
        "pile": float(len(state.pile)),
        "deck": float(size(state.decks[player])),
    }
    is_planning = state.phase == PLAN or state.phase == COVER
    for turn, name in enumerate(TURN_NAMES):
        found[name.replace(" ", "_")] = float(is_planning and state.turns[state.slot] == turn)
    for kind in range(N_ACTIONS * state.per):
        found[f"hand_{_feature(kind)}"] = float(count(state.hands[player], kind))
    found["hand_bullet"] = float(count(state.hands[player], BULLET))
    known = state.known[player]
    for offset in range(state.n_players):
        seat = (player + offset) % state.n_players
        found[f"loot_{offset}"] = state.loot_of(seat, known)
        found[f"wounds_{offset}"] = float(state.wounds[seat])
        found[f"shots_{offset}"] = float(state.shots[seat])
        found[f"cards_{offset}"] = float(size(state.hands[seat])) if state.phase >= RESERVE else 0.0
    for offset in range(len(state.spots)):
        _bandit_features(state, found, offset, player)
    for spot in range(len(state.floor)):
        found[f"purses_{spot}"] = float(_number(state.floor[spot] & state.purses))
        found[f"valuables_{spot}"] = float(_number(state.floor[spot] & ~state.purses))
    return found


def _bandit_features(state: ColtExpressState, found: dict[str, float], offset: i64, player: i64) -> None:
    """Add those of one bandit, counted from the own ones on."""
    bandit = (player * state.per + offset) % len(state.spots)
    spot = state.seen_spot(bandit, player)
    found[f"car_{offset}"] = float(spot >> 1) if spot != NOWHERE else -1.0
    found[f"roof_{offset}"] = float(spot & 1) if spot != NOWHERE else 0.0
    found[f"character_{offset}"] = float(state.characters[bandit])
    found[f"bullets_{offset}"] = float(state.bullets[bandit])
    found[f"pieces_{offset}"] = float(_number(state.held[bandit]))
    found[f"acting_{offset}"] = float(state.phase >= STEAL and state.acting == bandit)


def _feature(kind: i64) -> str:
    return CARD_NAMES[kind].lower().replace(" ", "_")


def _number(loot: i64) -> i64:
    """Return how many pieces of loot there are."""
    found: i64 = 0
    while loot:
        loot &= loot - 1
        found += 1
    return found


# --- components ------------------------------------------------------------------------------------------------------


def components_of(state: ColtExpressState) -> list[Component]:
    """Return what lies on the table, with who sees it."""
    found: list[Component] = [
        Counter("round", state.round),
        Counter("marshal", state.marshal),
        Counter("neutral bullets", state.neutral),
        _pile(state),
    ]
    for spot in range(len(state.floor)):
        place = "roof" if spot & 1 else "inside"
        found.append(_loot(state, f"{place} of car {spot >> 1}", state.floor[spot], -1))
    for bandit in range(len(state.spots)):
        owner = bandit // state.per
        found.append(Counter(f"spot of bandit {bandit}", state.spots[bandit], NOWHERE, owner=owner))
        found.append(Counter(f"bullets of bandit {bandit}", state.bullets[bandit], owner=owner))
        found.append(_loot(state, f"loot of bandit {bandit}", state.held[bandit], owner))
    for player in range(state.n_players):
        hand = [CARDS[kind] for kind in listed(state.hands[player])]
        deck = [CARDS[kind] for kind in listed(state.decks[player])]
        found.append(Deck(f"hand of {player}", hand, player, VISIBLE_TO_OWNER))
        found.append(Deck(f"deck of {player}", deck, player, HIDDEN_TO_ALL))
    return found


def _loot(state: ColtExpressState, name: str, loot: i64, owner: i64) -> Component:
    """Return pieces of loot, each with who knows its value."""
    tokens = _tokens(loot)
    found = [shared(Token(loot_kind(state, token), (("value", state.values[token]),))) for token in tokens]
    place = PartiallyObservableDeck(name, found, state.n_players, owner)
    place.seen = [_knowers(state, token) for token in tokens]
    return place


def _knowers(state: ColtExpressState, token: i64) -> int:
    return sum([BITS[player] for player in range(state.n_players) if state.known[player] & BITS[token]])


def _pile(state: ColtExpressState) -> Component:
    """Return the planned cards that have still to be played, each with who sees it; the others are back in the decks."""
    left = range(max(0, int(state.done)), len(state.pile))
    pile = PartiallyObservableDeck("pile", [CARDS[state.pile[index] & KIND_BITS] for index in left], state.n_players)
    everyone = sum(BITS[: state.n_players])
    pile.seen = [BITS[state.pile[index] >> PLAYER_SHIFT] if state.is_hidden(index) else everyone for index in left]
    return pile
