"""People at a terminal: whole games, undo and redo, hints, saved games, and what no person may see."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import run_tag
from hypothesis import given, settings
from hypothesis import strategies as st

from tag import Rng
from tag.catalogue.registry import game_class, game_names
from tag.cli.people.session import Session, found_actions
from tag.cli.terminal import in_columns
from tag.engine.snapshot import state_hash
from tag.errors import ContractError, DataError
from tag.orders import GameOrder, new_game
from tag.playing.inspection import InspectedGame
from tag.table.game import Start, TableGame
from tag.table.seats import Thinkers
from tag.table.tree import GameTree, SavedGame

pytestmark = pytest.mark.flow

#: Agents that remember something from one decision to the next.
THOUGHTFUL = ("mcts:budget=60,reuse_tree=true", "rhea:budget=60,shift_buffer=true")
HIDDEN = [name for name in game_names() if game_class(name).game_type.hidden_information]


class FakeConsole:
    """People who say what ``answer`` returns for each prompt; what they are shown is in ``lines``."""

    columns = 80

    def __init__(self, answer):
        self.answer = answer
        self.lines = []

    def say(self, text="", *, is_heading=False):
        self.lines += text.split("\n")

    def ask(self, prompt, words):
        said = self.answer(prompt, words)
        self.lines.append(prompt + said)
        return said

    def wait(self, text):
        pass

    def hide(self):
        self.lines.append("(hidden)")

    @property
    def text(self):
        return "\n".join(self.lines)


def scripted(*words):
    """Return people who say these words, and then end the input."""
    rest = list(words)

    def answer(_prompt, _words):
        if not rest:
            raise EOFError
        said = rest.pop(0)
        if isinstance(said, BaseException):
            raise said
        return said

    return answer


class Choosing:
    """People who choose at random, by number; Enter where they are asked for it."""

    def __init__(self, seed=1):
        self.rng = Rng(seed)
        self.session = None

    def __call__(self, prompt, words):
        return str(self.rng.below(len(self.session.game.table.actions))) if prompt == "> " else ""


def short(name, players=None):
    kind = game_class(name).game_type
    spec = ":".join(filter(None, (name, kind.check_parameters)))
    return Start(spec, kind.min_players if players is None else players, 5)


def seats_of(start, people=(0,), agent="random"):
    return tuple("human" if seat in people else agent for seat in range(start.players))


def session_of(start, seats, answer, file=None, thinking=None):
    console = FakeConsole(answer)
    saved = SavedGame(start, seats)
    session = Session(saved, Thinkers(start, seats) if thinking is None else thinking, console, file)
    if isinstance(answer, Choosing):
        answer.session = session
    return session, console


def hash_of(session):
    return state_hash(session.game.table.state)


# --- whole games ----------------------------------------------------------------------------------------------------------


def test_people_are_told_what_follows_from_actions_as_far_as_they_may_know():
    start = Start("love_letter", 3, 5)
    session, console = session_of(start, seats_of(start), Choosing(2))
    session.run()
    followed = [line.strip() for line in console.lines if line.startswith("      ")]
    names = ("player 0 (you)", "player 1 (random)", "player 2 (random)")
    assert followed
    assert all(line.startswith((*names, "round ")) for line in followed)
    assert any(re.fullmatch(r"player 0 \(you\) draws [A-Z][a-z]+", line) for line in followed)
    assert any(re.fullmatch(r"player [12] \(random\) is out of the round: .+", line) for line in followed)
    assert not any(re.fullmatch(r"player [12] \(random\) draws [A-Z].*", line) for line in followed)


@pytest.mark.parametrize("name", game_names())
def test_a_person_plays_a_whole_game_of_every_kind(name):
    start = short(name)
    session, console = session_of(start, seats_of(start), Choosing())
    session.run()
    game = session.game
    assert game.is_over
    assert state_hash(TableGame(start, game.saved.line).state) == hash_of(session)
    assert f"\n   1. player {game.table.taken[0].player}" in console.text
    assert "your choice:" in console.text
    assert re.search(r"player 0 \(you\): \w+, place \d, score [-\d.]+$", console.text, re.MULTILINE)
    told = [line for line in console.lines if re.match(r" *\d+\. player ", line)]
    assert len(told) == len(game.saved.line)


@pytest.mark.parametrize("name", ["love_letter", "connect_four", "diamant", "exploding_kittens"])
def test_people_sit_in_any_seats(name):
    start = short(name, min(3, game_class(name).game_type.max_players))
    for people in [*[(seat,) for seat in range(start.players)], (0, 1), tuple(range(start.players))]:
        session, console = session_of(start, seats_of(start, people), Choosing(2))
        session.run()
        assert session.game.is_over
        secret = len(people) > 1 and game_class(name).game_type.hidden_information
        assert ("(hidden)" in console.lines) == secret


def test_agents_play_as_in_a_game_without_people():
    """People repeat what agents chose; the agents beside them then choose what they chose in that game."""
    seats = (*THOUGHTFUL, "osla")
    game = new_game(GameOrder("", "love_letter:tokens_3=2", seats, 3))
    final = game.play()
    table = TableGame(Start("love_letter:tokens_3=2", 3, 3))
    line = choices_of(seats, table.start)
    start = table.start
    for person in range(3):
        mixed = tuple("human" if seat == person else spec for seat, spec in enumerate(seats))
        session, _console = session_of(start, mixed, None)
        _console.answer = lambda _prompt, _words, one=session: str(line[len(one.game.saved.line)])
        session.run()
        assert session.game.saved.line == line
        assert hash_of(session) == state_hash(final)


def choices_of(seats, start):
    """Return the line of a game that only agents play."""
    table, thinkers = TableGame(start), Thinkers(start, seats)
    while table.actions:
        table.play(thinkers.choose(table.line, 0).choice)
    return table.line


def test_an_agent_that_fails_is_told_and_the_game_goes_on(tmp_path):
    file = tmp_path / "faulty.py"
    file.write_text(
        "from tag import Agent\n\n\nclass Faulty(Agent):\n    def act(self, observation, actions):\n"
        "        raise ValueError('out of ideas')\n"
    )
    start = Start("tic_tac_toe", 2)
    session, console = session_of(start, ("human", f"{file}:Faulty"), Choosing())
    session.run()
    assert session.game.is_over
    assert "out of ideas" in console.text


# --- undo, redo, save -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["love_letter", "connect_four", "uno", "pandemic", "dominion"])
@pytest.mark.parametrize("people", [(0,), (0, 1)])
def test_undo_to_the_start_and_redo_lead_through_the_same_positions(name, people):
    kind = game_class(name).game_type
    start = short(name, max(2, kind.min_players))
    session, console = session_of(start, seats_of(start, people), None)
    hashes = {}
    script = iter([*["0"] * 3, *["undo"] * 4, *["redo"] * 3, "redo"])

    def answer(prompt, _words):
        if prompt != "> ":
            return ""
        ply = len(session.game.saved.line)
        assert hashes.setdefault(ply, hash_of(session)) == hash_of(session)
        said = next(script, None)
        if said is None:
            raise EOFError
        return said

    console.answer = answer
    session._file = Path("/dev/null/x")
    with pytest.raises(DataError, match="cannot be written"):
        session.run()
    assert len(hashes) == 4
    assert console.text.count("back to where") == 3
    assert "no choice of yours can be taken back" in console.text
    assert console.text.count("forward to where") == 3
    assert "nothing was taken back that can be played again" in console.text


def test_agents_moves_are_taken_back_with_the_persons():
    start = Start("connect_four", 2)
    session, console = session_of(start, ("human", "random"), scripted("3", "3", "undo", "undo", "2", "quit"))
    console_file = Path("unused")
    session._save = lambda rest: None
    session._stored = lambda: console_file
    session.run()
    assert console.text.count("back to where 2 actions had been played") == 1
    assert console.text.count("back to where 0 actions had been played") == 1
    assert session.game.saved.line[0] == 2
    assert len(session.game.saved.tree) > len(session.game.saved.line) + 1


@pytest.mark.parametrize("name", ["love_letter:tokens_2=2", "connect_four"])
def test_a_game_that_is_saved_and_continued_ends_like_one_played_through(name, tmp_path):
    start = Start(name, 2, 4)
    for agent in THOUGHTFUL:
        seats = ("human", agent)
        whole, _console = session_of(start, seats, FirstChoice())
        whole.run()
        file = tmp_path / "game.json"
        part, _console = session_of(start, seats, scripted(*["0"] * 3), file)
        part.run()
        assert not part.game.is_over
        while not part.game.is_over:
            saved = SavedGame.load(file)
            part = Session(saved, Thinkers(start, seats), FakeConsole(FirstChoice(4)), file)
            part.run()
        assert hash_of(part) == hash_of(whole)
        file.unlink()


class FirstChoice:
    """People who play action 0, so often, and then end the input."""

    def __init__(self, often=10_000):
        self.left = often

    def __call__(self, _prompt, _words):
        if self.left == 0:
            raise EOFError
        self.left -= 1
        return "0"


@pytest.mark.parametrize(
    ("words", "since"),
    [(["3", "3", "2", "undo", "undo", "4", "4"], 2), (["3", "undo", "3"], 0), (["3", "undo", "redo"], 2)],
)
def test_undone_choices_are_saved_and_agents_begin_anew_where_they_did(words, since, tmp_path):
    start, seats = Start("connect_four", 2, 4), ("human", THOUGHTFUL[0])
    file = tmp_path / "game.json"
    whole, _console = session_of(start, seats, scripted(*words, "0"), tmp_path / "whole.json")
    whole.run()
    part, _console = session_of(start, seats, scripted(*words), file)
    part.run()
    saved = SavedGame.load(file)
    assert saved.since == since
    part = Session(saved, Thinkers(start, seats), FakeConsole(scripted("0")), file)
    part.run()
    assert SavedGame.load(file).to_json() == SavedGame.load(tmp_path / "whole.json").to_json()


def test_a_saved_game_whose_undone_actions_do_not_exist_says_so(tmp_path):
    saved = SavedGame(Start("tic_tac_toe", 2), ("human", "random"), GameTree.of_line((4, 70)), 1)
    console = FakeConsole(scripted("0", "undo", "undo"))
    saved.position = 0
    saved.tree.play(0, 70)
    session = Session(saved, Thinkers(saved.start, saved.seats), console, tmp_path / "x.json")
    console.answer = scripted("redo", "2")
    session.run()
    assert "this cannot be played again: action 1 cannot be number 70; there are 0 to 8" in console.text
    assert len(session.game.saved.line) == 2


def test_other_files_are_not_overwritten(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.txt").write_text("mine")
    (tmp_path / "nim-5.json").write_text("mine, too")
    start = Start("nim", 2, 5)
    words = ("save mine.txt", "save", "save no/folder", "save bad\0name", "save a game.json", "save a game.json", "0")
    session, console = session_of(start, ("human", "human:name=Ada"), scripted(*words))
    session.run()
    assert "'mine.txt' exists; name another file" in console.text
    assert "'no/folder' cannot be written: No such file or directory" in console.text
    assert "save needs the name of a file" in console.text
    assert console.text.count("go on with: tag play --continue 'a game.json'") == 3
    assert SavedGame.load(tmp_path / "a game.json").seats == ("human", "human:name=Ada")
    session, console = session_of(start, ("human", "human"), scripted("quit"))
    session.run()
    assert console.lines[-1] == "The game is saved; go on with: tag play --continue nim-5-2.json"
    assert {path.read_text() for path in (tmp_path / "mine.txt", tmp_path / "nim-5.json")} == {"mine", "mine, too"}


# --- what people see ------------------------------------------------------------------------------------------------------


#: Plies after which something is hidden, where that takes long.
LATE = {"catan": (200, 300)}


@pytest.mark.parametrize("name", HIDDEN)
def test_nothing_that_is_shown_depends_on_what_the_person_cannot_know(name, monkeypatch):
    """Two positions that the person cannot tell apart give the same output of show, show log, help and hint."""
    kind = game_class(name).game_type
    start = Start(name, max(kind.min_players, min(3, kind.max_players)), 2)
    monkeypatch.setattr("tag.cli.people.hints._duration", lambda _seconds: "some time")
    differed = 0
    words = ("show", "show log", "hint osla", "hint mcts:budget=40", "zz", "redo")
    for plies in (0, 4, 5, 8, 13, 16, *LATE.get(name, ())):
        table = played(start, plies)
        if not table.actions:
            continue
        person = int(table.state.current_player)
        twin = table.state.observation(person, Rng(77))
        differed += state_hash(twin) != state_hash(table.state)
        saved = SavedGame(start, seats_of(start, (person,)), GameTree.of_line(table.line), plies, plies)
        true_lines, twin_lines = (shown_lines(saved, words, one, monkeypatch) for one in (None, twin))
        assert true_lines == twin_lines
    assert differed


def played(start, plies):
    table, rng = TableGame(start), Rng(3)
    while table.actions and len(table.line) < plies:
        table.play(rng.below(len(table.actions)))
    return table


def shown_lines(saved, words, twin, monkeypatch):
    """Return what a session shows; with ``twin``, where that is the position."""
    console = FakeConsole(scripted(*words))
    session = Session(saved, Thinkers(saved.start, saved.seats), console, Path("x.json"))
    session._write = lambda _file: None
    decide = InspectedGame.decide

    def decide_in_twin(game, **options):
        if twin is not None:
            game.state = twin.copy()
        return decide(game, **options)

    with monkeypatch.context() as patched:
        patched.setattr(InspectedGame, "decide", decide_in_twin)
        if twin is not None:
            session.game.table._game.state = twin
        if session.game.asks_person:
            session.run()
    return console.lines


def test_hands_of_others_are_hidden_between_turns():
    start = Start("love_letter", 2, 3)
    session, console = session_of(start, ("human:name=Ada", "human:name=Bo"), None)
    choosing, told = Choosing(), []
    choosing.session = session

    def answer(prompt, words):
        state, player = session.game.table.state, session.game.player
        shown = console.text.rpartition("(hidden)")[2]
        if prompt == "> ":
            assert state.text(player) in shown
            told.append(player)
        else:
            assert shown == ""
            assert prompt == f"player {player} ({('Ada', 'Bo')[player]}), press Enter: "
        assert state.text(1 - player) not in shown
        return choosing(prompt, words)

    console.answer = answer
    session.run()
    assert set(told) == {0, 1}


def test_actions_are_grouped_by_kind_and_in_columns():
    start = Start("love_letter", 2, 3)
    session, console = session_of(start, ("human", "random"), scripted())
    session._stored = lambda: Path("x.json")
    session.run()
    assert "prince:\n  0 Prince on player 0   1 Prince on player 1\nguard:\n" in console.text
    for cells in (["1 a"] * 50, ["1 " + "long " * 8] * 3, ["1 " + "x" * 200], []):
        rows = in_columns(cells, 80)
        assert all(len(row) <= 80 or row.strip() in cells for row in rows)
        assert sum(row.count("1 ") for row in rows) == len(cells)


# --- what people say ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("2", [2]),
        ("002", [2]),
        ("9", []),
        ("play 1", [0]),
        ("PLAY 1", [0]),
        ("play 2", [2]),
        ("play", [0, 1, 2]),
        ("pa", [3, 4]),
        ("٣", []),
        ("", []),
        ("1" * 5000, []),
    ],
)
def test_actions_by_number_text_or_beginning(said, found):
    assert found_actions(said, ["play 1", "play 10", "play 2", "pass", "pass"]) == found


def test_mistakes_are_one_sentence_and_change_nothing():
    words = ("9", "", "x", "b", "hint mtcs", "hint human", "hint mcts:budget=-1", "show cards", "UNDO", "help")
    session, console = session_of(Start("tic_tac_toe", 2), ("human", "random"), scripted(*words))
    session._stored = lambda: Path("x.json")
    session.run()
    assert session.game.saved.line == ()
    for sentence in (
        "there is no action 9; they are 0 to 8",
        "type the number of an action, or help",
        "there is no action 'x'; type a number from 0 to 8, or help",
        "'b' can be any of the actions 1, 4, 7; type the number of one",
        "no agent named 'mtcs'; did you mean 'mcts'?",
        "human can only be played in tag play and tag table; elsewhere no person can be asked",
        "mcts: budget cannot be -1",
        "no choice of yours can be taken back",
        "a number, an action, or the beginning of one",
    ):
        assert sentence in console.text


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=12),
            st.sampled_from(["undo", "redo", "show", "show log", "help", "0", "1", "hint random", "hint human"]),
            st.text(max_size=5).map(lambda text: f"hint {text}"),
            st.just(KeyboardInterrupt()),
        ),
        max_size=12,
    )
)
def test_nonsense_never_breaks_a_session(words):
    start = Start("love_letter:tokens_3=1", 3, 6)
    session, console = session_of(start, ("human", "random", "human"), scripted(*words))
    session._write = lambda _file: None
    session.run()
    assert console.lines[-1].startswith(("The game is saved", "player 2"))


# --- Ctrl-C ---------------------------------------------------------------------------------------------------------------


class Interrupted(Thinkers):
    """Agents whose searches are interrupted so often, or whose process ends."""

    def __init__(self, start, seats, errors):
        super().__init__(start, seats)
        self.errors = list(errors)
        self.asked = []

    def choose(self, line, since):
        self.asked.append((len(line), since))
        if self.errors:
            raise self.errors.pop(0)
        return super().choose(line, since)

    def advise(self, spec, line):
        raise KeyboardInterrupt


def test_an_interrupted_agent_thinks_again_or_the_move_is_taken_back(tmp_path):
    start, seats = Start("tic_tac_toe", 2), ("human", "osla")
    errors = [KeyboardInterrupt(), ContractError("the process has ended"), KeyboardInterrupt(), KeyboardInterrupt()]
    words = ("4", "zz", "hint", "show", "show log", "", "undo", "0", "", "hint", "quit")
    session, console = session_of(
        start, seats, scripted(*words), tmp_path / "x.json", Interrupted(start, seats, [*errors])
    )
    session.run()
    for sentence in (
        "player 1 (osla) was interrupted",
        "'zz' can be said when it is your turn; press Enter, or type help",
        "a hint can be had when it is your turn",
        "player 1 (osla) cannot play: the process has ended",
        "back to where 0 actions had been played",
        "The game is saved; go on with: ",
    ):
        assert sentence in console.text
    saved = SavedGame.load(tmp_path / "x.json")
    assert saved.line[0] == 0


def test_an_agent_thinks_again_about_its_earlier_moves_until_it_is_interrupted(tmp_path):
    start, seats = Start("connect_four", 2, 4), ("human", "osla")
    first, _console = session_of(start, seats, scripted("0", "0"), tmp_path / "game.json")
    first.run()
    saved = SavedGame.load(tmp_path / "game.json")
    assert len(saved.line) == 4
    thinkers = Interrupted(start, seats, [KeyboardInterrupt()])
    Session(saved, thinkers, FakeConsole(scripted("0", "")), tmp_path / "game.json").run()
    assert thinkers.asked == [(5, 0), (5, 5)]


@pytest.mark.parametrize("leaving", [EOFError(), KeyboardInterrupt(), "quit"])
@pytest.mark.parametrize("at_curtain", [False, True])
def test_leaving_saves_the_game(leaving, at_curtain, tmp_path):
    words = [leaving] if at_curtain else ["", "0", "", leaving]
    start, seats = Start("love_letter", 2, 3), ("human", "human")
    session, console = session_of(start, seats, scripted(*words), tmp_path / "x.json")
    session.run()
    assert console.lines[-1] == f"The game is saved; go on with: tag play --continue {tmp_path / 'x.json'}"
    assert len(SavedGame.load(tmp_path / "x.json").line) == (0 if at_curtain else 1)


# --- the command ----------------------------------------------------------------------------------------------------------


def run(*arguments, said=""):
    return run_tag("play", *arguments, input=said)


def test_the_command_plays_saves_and_continues(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arguments = ("connect_four", "--agent", "human", "--agent", "mcts:budget=50", "--seed", 3)
    first = run(*arguments, said="d\nhint random\nc\n")
    assert first.exit_code == 0
    assert first.stdout.endswith("The game is saved; go on with: tag play --continue connect_four-3.json\n")
    second = run("--continue", "connect_four-3.json", said="0\nquit\n")
    assert second.exit_code == 0
    assert second.stdout.endswith("tag play --continue connect_four-3.json\n")
    assert len(SavedGame.load(Path("connect_four-3.json")).line) == 6


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "GAME is missing; tag games lists the games"),
        (["nim", "--agent", "human", "--json"], "--json cannot be given with --agent human; leave it out"),
        (["nim", "--agent", "human", "--view", "0"], "--view cannot be given with --agent human; leave it out"),
        (["nim", "--agent", "human", "--seed", "-1"], "--seed cannot be -1; the least is 0"),
        (["nim", "--agent", "human:nmae=A"], "human: no parameter named 'nmae'; did you mean 'name'?"),
        (["nim", "--agent", "restricted:agent=human"], "human can only be played in tag play and tag table; "),
        (["nim", "--continue", "x.json"], "GAME cannot be given with --continue; leave it out"),
        (["--seed", "2", "--continue", "x.json"], "--seed cannot be given with --continue; leave it out"),
        (["--continue", "x.json"], "cannot read 'x.json': No such file or directory"),
    ],
)
def test_mistakes_on_the_command_line_are_one_sentence(arguments, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"tag: {sentence}")
    assert result.stderr.count("\n") == 1


def test_a_saved_game_of_agents_alone_or_with_a_wrong_spec_is_refused(tmp_path):
    file = tmp_path / "x.json"
    for seats, sentence in (
        (("random", "random"), "x.json has no seat of human; tag play goes on with games of people only"),
        (("human", "mtcs"), "no agent named 'mtcs'; did you mean 'mcts'?"),
    ):
        SavedGame(Start("nim", 2), seats).save(file)
        result = run("--continue", file)
        assert result.exit_code == 2
        assert sentence in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["inspect", "nim", "--agent", "human"],
        ["tournament", "nim", "--agent", "human", "--agent", "random", "--no-ray", "--no-tracking", "--blocks", "1"],
        ["tournament", "nim", "--agent", "restricted:agent=human", "--agent", "random", "--no-ray", "--no-tracking"],
        ["check", "human"],
        ["tournament", "nim", "tic_tac_toe", "--agent", "human", "--agent", "random", "--no-ray", "--no-tracking"],
        ["noise", "nim", "--agent", "human", "--workers", "1"],
        ["tune", "osla", "--game", "nim", "--versus", "human", "--games", "100", "--no-ray", "--no-tracking"],
        ["balance", "nim", "--agent", "human", "--search", "heaps", "--target", "first_seat=0±0.1", "--games", "100"],
        ["analyse", "nim", "--agent", "human", "--workers", "1"],
        ["exploit", "nim:heaps=2,size=2", "--agent", "human"],
        ["train", "td_ntuple", "--game", "nim", "--episodes", "10", "--evaluate", "human", "--no-ray"],
    ],
)
@pytest.mark.system
def test_other_commands_refuse_people(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run_tag(*arguments)
    assert result.exit_code == 2
    assert "human can only be played in tag play and tag table; " in result.stderr
    assert list(tmp_path.iterdir()) == []
