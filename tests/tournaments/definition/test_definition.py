"""Definitions, settings and the folder of a tournament: what is right, and one sentence for what is wrong."""

from __future__ import annotations

import json
import tomllib
from dataclasses import fields, replace
from math import inf
from pathlib import Path

import pytest

from tag.catalogue.options import options_in
from tag.cluster.workers import InProcess, RayWorkers
from tag.errors import DataError, ParameterError, TagError
from tag.tournaments.commands.settings import HEADINGS, RunSettings, Settings, read_toml
from tag.tournaments.definition import Rules, TournamentDefinition, define, user_sources
from tag.tournaments.ledger.folder import Folder, read_manifest
from tag.tuning.commands.settings import BalanceSettings, StudySettings, TrainingSettings

AGENT = """
from tag import Agent

class First(Agent):
    def act(self, observation, actions):
        return actions[0]
"""


def small(blocks: int = 3, seed: int = 1) -> TournamentDefinition:
    return define("tic_tac_toe", ("random", "random"), blocks, seed=seed)


class TestDefine:
    def test_specs_become_canonical(self) -> None:
        definition = define("tic_tac_toe:size=3", ("random", "random"), 2)
        assert definition.game == "tic_tac_toe"
        assert definition.players == 2
        assert definition.labels == ("random", "random#2")

    def test_json_there_and_back(self) -> None:
        definition = define("tic_tac_toe:size=4", ("random", "random"), 2, seed=9, rules=Rules(decision_seconds=0.5))
        plain = json.loads(json.dumps(definition.to_json()))
        assert plain["decision_seconds"] == 0.5
        assert TournamentDefinition.from_json(plain) == definition

    @pytest.mark.parametrize(
        ("changes", "sentence"),
        [
            ({"game": "tic_tac_too"}, "no game named 'tic_tac_too'; did you mean 'tic_tac_toe'?"),
            ({"game": "tic_tac_toe:sise=4"}, "tic_tac_toe: no parameter named 'sise'; did you mean 'size'?"),
            (
                {"game": "tic_tac_toe:size=99"},
                "tic_tac_toe: size cannot be 99; the range is 2..10, the nearest value 10",
            ),
            ({"agents": ("random", "rendom")}, "no agent named 'rendom'; did you mean 'random'?"),
            ({"agents": ()}, "a tournament needs agents; name each with --agent"),
            ({"metrics": ("leed",)}, "no metric named 'leed'; did you mean 'lead'?"),
            ({"agents": ("random", "./no_such.py:A")}, "cannot read './no_such.py': No such file or directory"),
            ({"players": 3}, "Tic-tac-toe is for 2 players, not 3; the nearest number is 2"),
            ({"blocks": 0}, "blocks cannot be 0; the least is 1"),
            ({"rules": Rules(on_illegal="forfit")}, "no policy for on_illegal named 'forfit'; did you mean 'forfeit'?"),
            ({"rules": Rules(decision_seconds=-1.0)}, "decision_seconds cannot be -1; the least is 0"),
        ],
    )
    def test_a_mistake_is_one_sentence(self, changes: dict[str, object], sentence: str) -> None:
        arguments = {"game": "tic_tac_toe", "agents": ("random", "random"), "blocks": 1, **changes}
        with pytest.raises(TagError) as error:
            define(**arguments)  # type: ignore[arg-type]
        assert str(error.value) == sentence

    def test_a_file_that_does_not_import(self, tmp_path: Path) -> None:
        file = tmp_path / "broken.py"
        file.write_text("import no_such_module_anywhere\n")
        with pytest.raises(TagError, match="cannot import .*No module named 'no_such_module_anywhere'"):
            define("tic_tac_toe", ("random", f"{file}:A"), 1)

    def test_a_game_that_cannot_be_set_up(self, tmp_path: Path) -> None:
        file = tmp_path / "bad_game.py"
        file.write_text("from tag.engine.forward_model import ForwardModel\n\nclass Bad(ForwardModel):\n    pass\n")
        with pytest.raises(TagError, match="the game cannot be set up: NotImplementedError"):
            define(f"{file}:Bad", ("random", "random"), 1)

    def test_sources_are_those_of_all_files_named_also_within_specs(self, tmp_path: Path) -> None:
        agent, heuristic = tmp_path / "first.py", tmp_path / "mine.py"
        agent.write_text(AGENT)
        heuristic.write_text("from tag.engine.values import StateHeuristic\n\nclass Mine(StateHeuristic):\n    pass\n")
        agents = ("random", f"{agent}:First", f"osla:heuristic=({heuristic}:Mine)")
        assert user_sources(define("tic_tac_toe", agents, 1)) == {
            str(agent): AGENT,
            str(heuristic): heuristic.read_text(),
        }


class TestSettings:
    def test_toml_says_what_options_say(self, tmp_path: Path) -> None:
        file = tmp_path / "my.toml"
        file.write_text('game = "tic_tac_toe"\nagents = ["random", "random"]\nblocks = 4\nclock_seconds = 5\n')
        settings = Settings.from_values(read_toml(file), "my.toml")
        assert settings.definition() == define("tic_tac_toe", ("random", "random"), 4, rules=Rules(clock_seconds=5.0))

    @pytest.mark.parametrize(
        ("values", "sentence"),
        [
            ({"bloks": 3}, "no key in my.toml named 'bloks'; did you mean 'blocks'?"),
            ({"agents": "random"}, "agents in my.toml cannot be 'random'; it is a list of texts"),
            ({"blocks": True}, "blocks in my.toml cannot be True; it is a whole number"),
            ({"players": "2"}, "players in my.toml cannot be '2'; it is a whole number"),
            ({"decision_seconds": "1"}, "decision_seconds in my.toml cannot be '1'; it is a number"),
        ],
    )
    def test_a_wrong_key_or_type(self, values: dict[str, object], sentence: str) -> None:
        with pytest.raises(TagError) as error:
            Settings.from_values(values, "my.toml")
        assert str(error.value) == sentence

    def test_a_missing_value(self) -> None:
        with pytest.raises(TagError, match="^a tournament needs a game$"):
            Settings.from_values({}, "my.toml").definition()

    def test_a_senseless_value(self) -> None:
        with pytest.raises(TagError, match="^workers cannot be 0; the least is 1$"):
            Settings.from_values({"workers": 0}, "my.toml").make_workers()

    @pytest.mark.parametrize("kind", [Settings, StudySettings, BalanceSettings, TrainingSettings])
    def test_every_key_has_an_example_that_can_be_read(self, kind: type[RunSettings]) -> None:
        values = tomllib.loads("\n".join(f"{field.name} = {option.example}" for field, option in options_in(kind)))
        assert values.keys() == {field.name for field in fields(kind)}
        game = kind.from_values(values, "the reference").game  # type: ignore[attr-defined]
        assert game == (("love_letter",) if kind is StudySettings else "love_letter")

    @pytest.mark.parametrize("kind", [Settings, StudySettings, BalanceSettings, TrainingSettings])
    def test_every_help_is_a_sentence(self, kind: type[RunSettings]) -> None:
        for field, option in options_in(kind):
            assert option.help.endswith("."), field.name
            assert option.heading in HEADINGS, field.name

    def test_toml_that_is_none(self, tmp_path: Path) -> None:
        file = tmp_path / "my.toml"
        file.write_text("game = ")
        with pytest.raises(DataError, match="is not TOML"):
            read_toml(file)
        with pytest.raises(DataError, match="cannot read"):
            read_toml(tmp_path / "none.toml")

    def test_the_default_folder_depends_on_the_definition_but_not_on_the_blocks(self) -> None:
        settings = Settings(game="tic_tac_toe", agents=("random", "random"))
        folders = [
            changed.folder(changed.definition())
            for changed in (settings, replace(settings, blocks=99), replace(settings, seed=2))
        ]
        assert folders[0] == folders[1] != folders[2]

    def test_one_worker_on_this_machine_needs_no_ray(self) -> None:
        assert isinstance(Settings(workers=2).make_workers(), RayWorkers)
        assert isinstance(Settings(workers=1).make_workers(), InProcess)
        assert isinstance(Settings(workers=2, ray=False).make_workers(), InProcess)
        assert isinstance(Settings(workers=1, address="auto").make_workers(), RayWorkers)
        with pytest.raises(
            ParameterError, match="^address cannot be 'auto' without Ray; leave out --address or --no-ray$"
        ):
            Settings(address="auto", ray=False).make_workers()


class TestFolder:
    def test_a_tournament_goes_on_and_may_grow(self, tmp_path: Path) -> None:
        with Folder.locked(tmp_path / "t", small(3)) as begun:
            assert read_manifest(tmp_path / "t") == begun.manifest
        with Folder.locked(tmp_path / "t", small(5)) as resumed:
            assert resumed.manifest.id == begun.manifest.id
            assert resumed.definition.blocks == 5
        assert read_manifest(tmp_path / "t").definition == small(5)

    def test_another_tournament_is_refused(self, tmp_path: Path) -> None:
        with Folder.locked(tmp_path / "t", small(3)):
            pass
        before = (tmp_path / "t" / "tournament.json").read_bytes()
        for other, reason in [
            (small(3, seed=2), "seed is 1 there, not 2"),
            (define("tic_tac_toe", ("random", "osla"), 3), "agents is random, random there, not random, osla"),
            (small(2), "blocks is 3 there and can only grow, not shrink to 2"),
        ]:
            with pytest.raises(DataError, match=reason), Folder.locked(tmp_path / "t", other):
                pass
        assert (tmp_path / "t" / "tournament.json").read_bytes() == before

    def test_a_folder_of_something_else_is_refused_and_left_alone(self, tmp_path: Path) -> None:
        (tmp_path / "thesis.tex").write_text("years of work")
        with pytest.raises(DataError, match="is not empty and holds no tournament"), Folder.locked(tmp_path, small()):
            pass
        assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
        with pytest.raises(DataError, match="is a file"), Folder.locked(tmp_path / "thesis.tex", small()):
            pass

    def test_two_at_once_are_refused(self, tmp_path: Path) -> None:
        with (
            Folder.locked(tmp_path / "t", small()),
            pytest.raises(DataError, match="another process is at work on"),
            Folder.locked(tmp_path / "t", small()),
        ):
            pass

    def test_a_user_file_that_has_changed_is_refused(self, tmp_path: Path) -> None:
        file = tmp_path / "first.py"
        file.write_text(AGENT)
        definition = define("tic_tac_toe", ("random", f"{file}:First"), 1)
        with Folder.locked(tmp_path / "t", definition) as folder:
            assert folder.manifest.sources == {str(file): AGENT}
        file.write_text(AGENT.replace("[0]", "[-1]"))
        with pytest.raises(DataError, match="has changed since"), Folder.locked(tmp_path / "t", definition):
            pass

    @pytest.mark.parametrize("name", ["tag", "game"])
    def test_another_version_is_refused(self, tmp_path: Path, name: str) -> None:
        with Folder.locked(tmp_path / "t", small()) as folder:
            replace(folder.manifest, versions={**folder.manifest.versions, name: "0.0"}).write(tmp_path / "t")
        with (
            pytest.raises(DataError, match=f"begun with version 0.0 of {name}"),
            Folder.locked(tmp_path / "t", small()),
        ):
            pass

    @pytest.mark.parametrize("text", ["", "[]", "{}", '{"labels": [], "definition": {}}'])
    def test_a_damaged_file_is_named(self, tmp_path: Path, text: str) -> None:
        (tmp_path / "tournament.json").write_text(text)
        with pytest.raises(DataError, match=r"tournament\.json' is damaged"):
            read_manifest(tmp_path)

    @pytest.mark.parametrize("name", ["players", "blocks", "seed"])
    @pytest.mark.parametrize("number", [inf, 2.5, True, "2"])
    def test_another_number_than_a_whole_one_is_named(self, tmp_path: Path, name: str, number: object) -> None:
        values = {**small().to_json(), name: number}
        with pytest.raises(DataError, match=f"this is no definition of a tournament: {name} is {number!r}"):
            TournamentDefinition.from_json(values)

    def test_no_tournament(self, tmp_path: Path) -> None:
        with pytest.raises(DataError, match="holds no tournament"):
            read_manifest(tmp_path / "nowhere")
