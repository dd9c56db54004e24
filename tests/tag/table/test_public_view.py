"""What watchers see: what is public, nothing hidden, and in each game enough to follow it."""

from __future__ import annotations

from typing import Any

import pytest

from tag.catalogue.registry import game_class, game_names
from tag.engine.rng import Rng
from tag.engine.snapshot import state_hash
from tag.table.game import UNSEEN, Start, TableGame
from tag.table.public import PUBLIC, public_view
from tag.table.view import view
from tag.tournaments.web.tables.board import board_html, template_of

HIDDEN = [name for name in game_names() if game_class(name).game_type.hidden_information]


def random_games(name: str, games: int, actions: int = 40) -> list[TableGame]:
    """Random games with two and three players, each in the position after so many actions."""
    kind = game_class(name).game_type
    found = []
    for seed in range(games):
        game, rng = TableGame(Start(name, max(kind.min_players, min(2 + seed % 2, kind.max_players)), seed)), Rng(seed)
        while game.actions and len(game.line) < actions * (seed + 1) // games:
            game.play(rng.below(len(game.actions)))
        found.append(game)
    return found


def dealt_again(game: TableGame, seed: int) -> Any:
    """Another position that no watcher can tell from this one: for each player all that the player cannot know is drawn."""
    state = game.state
    for viewer in range(game.state.n_players):
        state = state.observation(viewer, Rng(100 * seed + viewer))
    return state


@pytest.mark.parametrize("name", HIDDEN)
def test_what_watchers_see_depends_on_no_hand(name):
    different = 0
    for seed, game in enumerate(random_games(name, 16)):
        if game.state.is_terminal:
            continue
        seen, inner = public_view(game), game._game  # type: ignore[attr-defined]
        true, inner.state = inner.state, dealt_again(game, seed)
        different += state_hash(true) != state_hash(inner.state)
        assert public_view(game) == seen, (name, seed)
    assert different


@pytest.mark.parametrize("name", game_names())
def test_watchers_see_a_board_without_mistakes_and_what_all_players_see(name):
    for game in random_games(name, 6):
        seen = public_view(game)
        board = board_html(seen, template_of(name))
        assert 'class="mistake"' not in board
        assert "data-pick" not in board
        views = [view(game, player) for player in range(game.state.n_players)]
        assert (seen["viewer"], seen["actions"], seen["player"]) == (PUBLIC, None, views[0]["player"])
        assert [one["name"] for one in seen["components"]] == [one["name"] for one in views[0]["components"]]
        for number, entry in enumerate(seen["log"]):
            told = {one["log"][number]["text"] for one in views}
            assert entry["text"] == UNSEEN or told == {entry["text"]}
        if name not in HIDDEN:
            assert seen["components"] == views[0]["components"]
            assert [entry["text"] for entry in seen["log"]] == [entry["text"] for entry in views[0]["log"]]


def test_a_card_that_both_players_know_is_not_public():
    """In Love Letter for two, the Priest shows a hand to the only other player."""
    for seed in range(200):
        game = TableGame(Start("love_letter", 2, seed))
        texts = [action.text(game.state, 0) for action in game.actions]
        number = next((at for at, text in enumerate(texts) if text.startswith("Priest on player 1")), None)
        if number is None or game.state.current_player != 0:
            continue
        game.play(number)
        hands = [{one["name"]: one for one in view(game, viewer)["components"]}["hand of 1"] for viewer in (0, 1)]
        assert all(any(hand["items"] or []) for hand in hands)
        seen = public_view(game)
        (hand,) = [one for one in seen["components"] if one["name"] == "hand of 1"]
        assert hand["items"] is None
        shown = next(event for event in seen["log"][-1]["events"] if event["name"] == "revealed")
        assert shown["items"] == [None]
        return
    pytest.fail("no game begins with a Priest")


class Odd:
    """An action that looks the viewer up among the players, as no guest is."""

    def text(self, state: Any, viewer: int) -> str:
        return ["a", "b"][viewer]


def test_an_action_that_has_no_words_for_guests_is_a_hidden_choice():
    from tag.table.game import public_text

    state = TableGame(Start("nim", 2)).state
    assert public_text(Odd(), state) == UNSEEN  # type: ignore[arg-type]
