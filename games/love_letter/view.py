"""Positions of Love Letter for people, learners and analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from games.love_letter.data import CARDS, N_KINDS, NAMES, NO_CARD
from tag.components import HIDDEN_TO_ALL, VISIBLE_TO_OWNER, Card, Component, Counter, Deck, PartiallyObservableDeck

if TYPE_CHECKING:
    from games.love_letter.state import LoveLetterState


def features_of(state: LoveLetterState, player: i64) -> dict[str, float]:
    """Return own cards, cards out of play, and for each player (0: oneself, 1: the next …) what can be seen."""
    mine = [state.hands[player], int(state.drawn) if state.current_player == player else NO_CARD]
    gone = [*state.face_up]
    for pile in state.discards:
        gone.extend(pile)
    found = {"deck": float(len(state.deck)), "my_turn": float(state.current_player == player)}
    for card in range(1, N_KINDS + 1):
        found[f"hand_{NAMES[card].lower()}"] = float(mine.count(card))
        found[f"gone_{NAMES[card].lower()}"] = float(gone.count(card))
    for offset in range(state.n_players):
        seat = (player + offset) % state.n_players
        found[f"tokens_{offset}"] = float(state.tokens[seat]) / float(state.goal)
        found[f"alive_{offset}"] = float(state.alive >> seat & 1)
        found[f"protected_{offset}"] = float(state.protected >> seat & 1)
        found[f"discarded_{offset}"] = float(sum(state.discards[seat]))
        if offset:
            found[f"known_{offset}"] = float(state.seen_hand(seat, player))
            found[f"knows_me_{offset}"] = float(state.knows(seat, player))
    return found


def components_of(state: LoveLetterState) -> list[Component]:
    """Return the cards in their places, and the tokens."""
    removed = [int(state.removed)] if state.removed != NO_CARD else []
    found: list[Component] = [
        Deck("deck", _cards(state.deck), visibility=HIDDEN_TO_ALL),
        Deck("removed", _cards(removed), visibility=HIDDEN_TO_ALL),
        Deck("face up", _cards([*state.face_up])),
    ]
    for player in range(state.n_players):
        found.append(_hand(state, player))
        found.append(Deck(f"discards of {player}", _cards([*state.discards[player]]), player))
        found.append(Counter(f"tokens of {player}", state.tokens[player], owner=player))
    return found


def _hand(state: LoveLetterState, player: i64) -> Component:
    """Return the cards in hand, each with who knows it."""
    cards = [state.hands[player]] if state.hands[player] != NO_CARD else []
    knowers = sum([1 << viewer for viewer in range(int(state.n_players)) if state.knows(viewer, player)])
    seen = [knowers] * len(cards)
    if state.drawn != NO_CARD and player == state.current_player:
        cards.append(int(state.drawn))
        seen.append(1 << int(player))
    hand = PartiallyObservableDeck(f"hand of {player}", _cards(cards), state.n_players, player, VISIBLE_TO_OWNER)
    hand.seen = seen
    return hand


def text_of(state: LoveLetterState, viewer: i64) -> str:
    """Return the table as ``viewer`` sees it, unknown cards as question marks."""
    shown = "over" if state.is_terminal else f"player {state.current_player} to play"
    lines = [f"Round {state.round + 1}, {shown}; {len(state.deck)} cards in the deck"]
    if state.face_up:
        lines[0] += f"; removed: {_names(state.face_up)}"
    for player in range(state.n_players):
        lines.append(_player_text(state, player, viewer))
    return "\n".join(lines)


def _player_text(state: LoveLetterState, player: i64, viewer: i64) -> str:
    hand = "out"
    if state.hands[player] != NO_CARD:
        hand = _name(state.seen_hand(player, viewer))
        if player == state.current_player and state.drawn != NO_CARD:
            hand += f" + {_name(state.drawn if viewer < 0 or viewer == player else NO_CARD)}"
    text = f"player {player}  tokens {state.tokens[player]}/{state.goal}  hand {hand}"
    if state.protected >> player & 1 and state.alive >> player & 1:
        text += " (protected)"
    return f"{text}  discards {_names(state.discards[player])}"


def _name(card: i64) -> str:
    return "?" if card == NO_CARD else NAMES[card]


def _names(cards: tuple[int, ...]) -> str:
    return ", ".join([NAMES[card] for card in cards]) if cards else "none"


def _cards(values: list[int]) -> list[Card]:
    return [CARDS[value] for value in values]
