"""Games of OpenSpiel as game types: they agree with OpenSpiel itself, repeat, and refuse in a sentence."""

from __future__ import annotations

import pickle
import re
import sys
from pathlib import Path

import pytest
from commands import run_tag

from tag import Rng, make_game
from tag.check.evidence.traces import HASH_SEEDS
from tag.errors import ContractError, ParameterError, TagError
from tag.tournaments import define, run_tournament
from tag.tournaments.ledger.replay import replays_of

pytestmark = pytest.mark.flow


@pytest.fixture(autouse=True)
def _one_other_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare with one process; tests of mutants do so with one of each hash seed."""
    monkeypatch.setattr("tag.check.rules.seeds.HASH_SEEDS", HASH_SEEDS[-1:])


pyspiel = pytest.importorskip("pyspiel")

#: Games and the number of random games of each.
COMPARED = {
    "connect_four": 3,
    "tic_tac_toe": 10,
    "kuhn_poker": 20,
    "kuhn_poker(players=3)": 20,
    "leduc_poker": 10,
    "hearts": 2,
    "backgammon": 2,
    "misere(game=tic_tac_toe())": 5,
    "zerosum(game=leduc_poker())": 5,
    "cached_tree(game=kuhn_poker())": 5,
    "add_noise(epsilon=0.1,game=kuhn_poker(),seed=1)": 5,
    "python_tic_tac_toe": 3,
    "goofspiel(num_cards=4,points_order=descending)": 10,
    "turn_based_simultaneous_game(game=goofspiel(num_cards=4,points_order=descending))": 3,
    "matrix_rps": 5,
    "oshi_zumo(coins=5)": 3,
}


def follow(reference, history: list[int]) -> None:
    """Draw in ``reference`` the chance outcomes that were drawn in the wrapped game."""
    while reference.is_chance_node():
        outcome = history[len(reference.history())]
        assert outcome in [possible for possible, probability in reference.chance_outcomes() if probability > 0]
        reference.apply_action(outcome)


@pytest.mark.parametrize("name", COMPARED)
def test_random_games_agree_with_open_spiel_at_every_ply(name: str) -> None:
    game, loaded = make_game(f"open_spiel:{name}"), pyspiel.load_game(name)
    if loaded.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        loaded = pyspiel.convert_to_turn_based(loaded)
    for seed in range(COMPARED[name]):
        rng = Rng(seed)
        state, reference = game.setup(loaded.num_players(), rng), loaded.new_initial_state()
        follow(reference, state.position.spiel.history())
        while not reference.is_terminal():
            assert not state.is_terminal
            assert state.current_player == reference.current_player()
            actions = game.available_actions(state)
            assert [action.number for action in actions] == reference.legal_actions()
            action = rng.choice(actions)
            game.next(state, action, rng)
            reference.apply_action(action.number)
            follow(reference, state.position.spiel.history())
            assert [state.score(player) for player in range(state.n_players)] == reference.returns()
            assert str(state.position.spiel) == str(reference)
        assert state.is_terminal
        ahead = [value == max(reference.returns()) for value in reference.returns()]
        assert [state.ordinal(player) == 1 for player in range(state.n_players)] == ahead


def test_simultaneous_choices_are_hidden_from_those_who_choose_later() -> None:
    game = make_game("open_spiel:goofspiel(num_cards=4,points_order=descending)")
    assert game.game_type.hidden_information
    known, texts = set(), set()
    for choice in range(4):
        rng = Rng(1)
        state = game.setup(2, rng)
        action = game.available_actions(state)[choice]
        texts.add(action.text(state, 1))
        game.next(state, action, rng)
        known.add(state.knowledge(1))
        assert state.knowledge(1) == state.observation(1, rng).knowledge(1)
        texts.add(state.text(1))
    assert len(known) == 1
    assert len(texts) == 2


def test_chance_is_drawn_with_its_probabilities() -> None:
    game = make_game("open_spiel:kuhn_poker")
    deals = [tuple(game.setup(2, Rng(seed)).position.spiel.history()) for seed in range(1_200)]
    assert len(set(deals)) == 6
    assert all(abs(deals.count(deal) - 200) < 65 for deal in set(deals))  # five standard deviations


@pytest.mark.system
@pytest.mark.slow
@pytest.mark.usefixtures("local_ray")
@pytest.mark.parametrize("name", ["kuhn_poker", "tic_tac_toe"])
def test_two_workers_write_the_same_ledger(name: str, tmp_path: Path) -> None:
    definition = define(f"open_spiel:{name}", ("random", "mcts:budget=50"), 5)
    one = run_tournament(definition, tmp_path / "one", tracking=False)
    two = run_tournament(definition, tmp_path / "two", tracking=False, workers=2)
    assert one.content_hash == two.content_hash


@pytest.mark.parametrize("name", ["kuhn_poker", "tic_tac_toe"])
def test_a_tournament_repeats(name: str, tmp_path: Path) -> None:
    definition = define(f"open_spiel:{name}", ("random", "mcts:budget=50"), 5)
    hashes = {run_tournament(definition, tmp_path / part, tracking=False).content_hash for part in ("a", "b")}
    assert len(hashes) == 1


def listed() -> list[str]:
    """Return the games of which the guide says that they pass."""
    page = (Path(__file__).parents[3] / "docs" / "coming_from_openspiel.md").read_text(encoding="utf-8")
    said, names = re.findall(r"these (\d+) games pass with their default parameters: ([\w, ]+)\.", page)[0]
    found = names.split(", ")
    assert len(found) == int(said)
    return found


CHECKED = ("tic_tac_toe", "connect_four", "kuhn_poker", "leduc_poker")
CHECKED_SLOWLY = [pytest.param(name, marks=pytest.mark.slow) for name in listed() if name not in CHECKED]


@pytest.mark.parametrize("name", [*CHECKED, *CHECKED_SLOWLY])
def test_tag_check_finds_no_failure(name: str) -> None:
    done = run_tag("check", f"open_spiel:{name}", "--games", "2")
    assert done.exit_code == 0, done.output
    assert f"open_spiel:{name}: " in done.output


# --- games whose hidden information cannot be dealt again ---------------------------------------------------------------


def not_dealt_again() -> list[str]:
    """Return the games of which the guide says that agents play them which do not look ahead."""
    page = (Path(__file__).parents[3] / "docs" / "coming_from_openspiel.md").read_text(encoding="utf-8")
    said, names = re.findall(r"these (\d+) are played by agents that do not look ahead: ([\w, ]+)\.", page)[0]
    found = names.split(", ")
    assert len(found) == int(said)
    return found


def answering(folder: Path) -> str:
    """Return a program that plays the last action of those it is told of, and writes down its messages."""
    file = folder / "last.py"
    file.write_text(
        f"#!{sys.executable}\n"
        + """if True:
        import json, sys
        said = open(sys.argv[1], "a")
        for line in sys.stdin:
            asked = json.loads(line)
            said.write(line)
            said.flush()
            answer = {"id": asked["id"], "protocol": 1, "name": "last"}
            if asked["type"] == "act":
                answer["index"] = len(asked["actions"]) - 1
            print(json.dumps(answer), flush=True)
    """
    )
    return f"process:command={sys.executable} {file} {folder / 'said.txt'}"


QUICK = ("phantom_ttt", "liars_dice", "tiny_hanabi", "deep_sea")


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in not_dealt_again()]
)
def test_agents_that_do_not_look_ahead_play_what_is_not_dealt_again(name: str, tmp_path: Path) -> None:
    game = f"open_spiel:{name}"
    players = int(make_game(game).game_type.min_players)
    agents = ("random", answering(tmp_path))[:players]
    definition = define(game, agents, 2, players=players, record_actions=True)
    found = run_tournament(definition, tmp_path / "run", tracking=False)
    assert sum(one.faults for one in found.standings) == 0
    assert [replay.play_recorded() for replay in replays_of(tmp_path / "run")] == [[]] * found.games
    assert players == 1 or "actions" in (tmp_path / "said.txt").read_text()


def test_agents_that_look_ahead_are_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(
        ParameterError, match="looks ahead, and hidden information of Phantom Tic Tac Toe cannot be dealt"
    ):
        define("open_spiel:phantom_ttt", ("random", "mcts"), 1)
    done = run_tag("check", "open_spiel:phantom_ttt")
    assert done.exit_code == 2
    assert "cannot be checked" in done.output


@pytest.mark.parametrize("name", ["phantom_ttt", "liars_dice", "dark_hex", "tiny_hanabi"])
def test_observations_are_equal_where_the_player_cannot_tell_and_are_not_played_on(name: str) -> None:
    """Of many random games; observations have the bytes of all others with the same information set."""
    game = make_game(f"open_spiel:{name}")
    seen: dict[tuple[int, str, int, int], set[bytes]] = {}
    for seed in range(300):
        rng = Rng(seed)
        state = game.setup(2, rng)
        while not state.is_terminal and state.tick < 6:
            player = int(state.current_player)
            observation = state.observation(player, rng)
            where = (player, state.position.known_to(player), int(state.tick), int(state.turn))
            seen.setdefault(where, set()).add(pickle.dumps(observation))
            actions = game.available_actions(observation)
            assert actions == game.available_actions(state)
            with pytest.raises(ContractError, match="cannot be played on"):
                game.next(observation.copy(), actions[0], rng)
            game.next(state, rng.choice(actions), rng)
    assert {len(found) for found in seen.values()} == {1}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gin_rummy", "colored_trails"])
def test_tag_check_finds_what_these_games_leak(name: str) -> None:
    done = run_tag("check", f"open_spiel:{name}", "--games", "2")
    assert done.exit_code == 1, done.output
    assert "FAILED     observation_blind" in done.output


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("kuhn_pocker", "kuhn_poker"),
        ("kuhn_poker(players=99)", "cannot play open_spiel:kuhn_poker(players=99): "),
        ("kuhn_poker(cards=3)", "cannot play open_spiel:kuhn_poker(cards=3): "),
        ("mfg_crowd_modelling", "it is a mean-field game"),
        ("negotiation", "its chance is not explicit"),
        ("misere", "Missing parameter game"),
        ("misere(game=nope())", "Unknown game 'nope'"),
        ("efg_game(filename=/nope.efg)", "a file that it names, is missing or wrong"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(name: str, sentence: str) -> None:
    with pytest.raises(TagError) as refusal:
        make_game(f"open_spiel:{name}")
    assert sentence in str(refusal.value)
    assert "\n" not in str(refusal.value)
