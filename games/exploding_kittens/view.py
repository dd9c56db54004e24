"""The position for people, learners and analysis, with what a viewer must not see hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from games.exploding_kittens.data import CARDS, DEFUSE, EXPLODING_KITTEN, N_KINDS, NAMES, count, listed, names
from tag.components import HIDDEN_TO_ALL, VISIBLE_TO_OWNER, Component, Deck, PartiallyObservableDeck

if TYPE_CHECKING:
    from games.exploding_kittens.state import ExplodingKittensState

#: The places under the top of the pile that the features tell of.
_TOP: Final = 3


def text_of(state: ExplodingKittensState, viewer: i64) -> str:
    """Return the table as ``viewer`` sees it, unknown cards as question marks."""
    shown = "over" if state.is_terminal else f"player {state.current_player} to decide"
    if not state.is_terminal and state.due > 1:
        shown += f" (player {state.turn_player} takes {state.due} turns)"
    kittens = state.n_players - len(state.out) - 1 - (1 if state.exploding >= 0 else 0)
    lines = [f"{shown}; {len(state.deck)} cards in the pile, {kittens} of them kittens"]
    if state.exploding >= 0:
        lines[0] += f"; player {state.exploding} has drawn a kitten"
    pile = _pile_text(state, viewer)
    if pile:
        lines.append(f"pile from the top: {pile}")
    numbers = [int(count(state.discards, kind)) for kind in range(N_KINDS)]
    discards = [f"{numbers[kind]} {NAMES[kind]}" for kind in range(N_KINDS) if numbers[kind]]
    lines.append(f"discards: {', '.join(discards) if discards else 'none'}")
    for player in range(state.n_players):
        lines.append(_hand_text(state, player, viewer))
    return "\n".join(lines)


def _pile_text(state: ExplodingKittensState, viewer: i64) -> str:
    """Return the pile down to the deepest card that ``viewer`` knows, nothing if there is none."""
    cards = [state.seen_card(place, viewer) for place in range(len(state.deck) - 1, -1, -1)]
    while cards and cards[-1] < 0:
        cards.pop()
    return ", ".join([NAMES[card] if card >= 0 else "?" for card in cards])


def _hand_text(state: ExplodingKittensState, player: i64, viewer: i64) -> str:
    if not state.alive >> player & 1:
        return f"player {player}  exploded as number {state.out.index(int(player)) + 1}"
    cards = state.known_cards(player, viewer)
    unknown = int(state.size(player)) - len(cards)
    hidden = f"{unknown} unknown" if unknown else ""
    seen = names(cards) if cards or not unknown else ""
    return f"player {player}  {', '.join([part for part in (seen, hidden) if part])}"


def features_of(state: ExplodingKittensState, player: i64) -> dict[str, float]:
    """Return own cards, discards, the pile, and for each player (0: oneself, 1: the next …) what can be seen."""
    found = {
        "deck": float(len(state.deck)),
        "kittens": float(state.n_players - len(state.out) - 1 - (1 if state.exploding >= 0 else 0)),
        "my_turn": float(state.turn_player == player),
        "due": float(state.due),
        "exploding": float(state.exploding == player),
    }
    for kind in range(DEFUSE, N_KINDS):
        name = NAMES[kind].lower().replace(" ", "_")
        found[f"hand_{name}"] = float(state.count(player, kind))
        found[f"discarded_{name}"] = float(count(state.discards, kind))
    for depth in range(_TOP):
        place = len(state.deck) - 1 - depth
        card = state.seen_card(place, player) if place >= 0 else -1
        found[f"top_{depth}_seen"] = float(card >= 0)
        found[f"top_{depth}_kitten"] = float(card == EXPLODING_KITTEN)
    for offset in range(state.n_players):
        seat = (player + offset) % state.n_players
        found[f"alive_{offset}"] = float(state.alive >> seat & 1)
        found[f"cards_{offset}"] = float(state.size(seat))
        if offset:
            known = state.known_cards(seat, player)
            found[f"known_{offset}"] = float(len(known))
            found[f"known_defuses_{offset}"] = float(known.count(DEFUSE))
    return found


def components_of(state: ExplodingKittensState) -> list[Component]:
    """Return the cards in their places, each with who knows it."""
    n = int(state.n_players)
    pile = PartiallyObservableDeck("pile", [CARDS[card] for card in state.deck], n, -1, HIDDEN_TO_ALL)
    pile.seen = [
        sum([1 << viewer for viewer in range(n) if state.seen_card(place, viewer) >= 0])
        for place in range(len(state.deck))
    ]
    discards = [CARDS[kind] for kind in listed(state.discards)]
    found: list[Component] = [pile, Deck("discards", discards)]
    for player in range(n):
        found.append(_hand_of(state, player))
    if state.exploding >= 0:
        found.append(Deck("kitten drawn", [CARDS[EXPLODING_KITTEN]], state.exploding))
    return found


def _hand_of(state: ExplodingKittensState, player: int) -> Component:
    n = int(state.n_players)
    cards = state.known_cards(player, player)
    hand = PartiallyObservableDeck(f"hand of {player}", [CARDS[card] for card in cards], n, player, VISIBLE_TO_OWNER)
    left = [state.known_cards(player, viewer) for viewer in range(n)]
    seen: list[int] = []
    for card in cards:
        mask = 0
        for viewer in range(n):
            if card in left[viewer]:
                left[viewer].remove(card)
                mask |= 1 << viewer
        seen.append(mask)
    hand.seen = seen
    return hand
