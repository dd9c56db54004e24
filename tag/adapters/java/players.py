"""Players in TAG's JSON, as specs of agents: with TAG's defaults where an entry is left out, and each loss named.

    {"class": "players.mcts.MCTSParams", "K": 1.0, "rolloutLength": 10, "heuristic": {"class": …}, …}

Mapping and defaults: TAG as of May 2026, players/ and evaluation/.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tag.adapters.java.entries import Entries, Entry, changed
from tag.adapters.java.evolution import rhea, rmhc
from tag.adapters.java.heuristics import add_heuristic
from tag.adapters.java.mcts import basic_mcts, mcts
from tag.adapters.java.paths import file_beside
from tag.engine.parameters import Spec
from tag.engine.text_files import read_json
from tag.errors import DataError, UnknownNameError

#: What TAG's files call a player: the key of its class.
CLASS: Final = "class"
#: A budget that the caller sets.
_GIVEN_LATER: Final = -999


@dataclass(frozen=True)
class JavaPlayer:
    """A player of TAG's as an agent.

    Attributes:
        spec: the agent with TAG's values; it plays as `preset=none`, since all parameters are given.
        entries: what the file's entries have become, and what TAG takes by default where that is not quite the same here.
    """

    spec: Spec
    entries: tuple[Entry, ...]

    @property
    def differences(self) -> tuple[Entry, ...]:
        """The entries that mean something else here, or nothing."""
        return changed(self.entries)


def read_player(path: Path, budget: int | None = None, *, is_to_play: bool = True) -> JavaPlayer:
    """Read a player of TAG's from a JSON file.

    Args:
        path: the file. Files that it names are sought beside it and in the folders above.
        budget: takes the place of the file's; needed where that is -999, set by the caller.
        is_to_play: whether a missing budget is an error, or an entry like others.

    Raises:
        TagError: the file cannot be read, is of a class that is not here, or has no budget.

    Examples:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     file = Path(folder, "osla.json")
        ...     _written = file.write_text('{"class": "players.rmhc.RMHCParams", "horizon": 5, "budget": 200}')
        ...     str(read_player(file).spec).startswith("rmhc:horizon=5,")
        True
    """
    content = read_json(path, "player of TAG's")
    if not is_player(content):
        raise DataError(f"the player of TAG's {str(path)!r} has no 'class'")
    return translated(with_files(content, path), budget, repr(str(path)), is_to_play=is_to_play)


def is_player(content: object) -> bool:
    """Say whether the content of a JSON file may be a player of TAG's: an object with a class."""
    return isinstance(content, dict) and isinstance(content.get(CLASS), str)


def translated(content: Mapping[str, Any], budget: int | None, where: str, *, is_to_play: bool = True) -> JavaPlayer:
    """Return the player that an object of TAG's describes, in the file ``where``.

    Raises:
        TagError: its class is not here, or it has no budget.
    """
    name = str(content[CLASS]).rpartition(".")[2]
    if name not in _PLAYERS:
        raise UnknownNameError.of(f"counterpart of the class in {where}", str(content[CLASS]), _PLAYERS)
    several = next((key for key, value in content.items() if isinstance(value, list)), None)
    if several is not None:
        raise DataError(f"{where} has several values of {several}: it is a search space, for tag tune --tag-space")
    agent, translate = _PLAYERS[name]
    entries = Entries({key: value for key, value in content.items() if key != CLASS})
    translate(entries)
    if agent != "random" and agent != "osla":
        _add_budget(entries, budget, where if is_to_play else "")
    entries.close()
    return JavaPlayer(entries.spec(agent), tuple(entries.read))


def with_files(content: Any, path: Path) -> Any:
    """Return the content with the objects of the JSON files that it names, sought beside ``path`` and in the folders above.

    A string that ends in ``.json`` where an object is wanted is a file in TAG; names that no file has stay.
    """
    if isinstance(content, dict):
        return {key: with_files(value, path) for key, value in content.items()}
    if isinstance(content, str) and content.endswith(".json"):
        file = file_beside(path, content)
        if file is not None and file.is_file() and file.resolve() != path.resolve():
            return with_files(read_json(file, "file of TAG's"), file)
    return content


def _osla(entries: Entries) -> None:
    """Translate one-step look-ahead, which has no budget in TAG."""
    add_heuristic(entries, default="game")
    entries.silent("budget", "budgetType", "breakMS", "epsilon", "randomSeed")


def _random(entries: Entries) -> None:
    """Translate the player who has no parameters."""
    entries.silent("budget", "budgetType", "breakMS", "epsilon", "randomSeed")


def _add_budget(entries: Entries, budget: int | None, where: str) -> None:
    """Translate the budget; one from outside comes before the file's, and the file ``where`` may leave it to the caller."""
    unit = entries.chosen(
        "budgetType",
        "budget_type",
        "BUDGET_FM_CALLS",
        BUDGET_TIME="cpu_ms",
        BUDGET_ITERATIONS="iterations",
        BUDGET_FM_CALLS="forward_model_calls",
        BUDGET_COPY_CALLS="copies",
    )
    amount = entries.take("budget", 4000)
    pause = entries.take("breakMS", 0)
    if budget is not None:
        entries.values["budget"] = budget
        return
    if amount == _GIVEN_LATER and not where:
        entries.lost("budget", "the caller sets it")
        return
    if amount == _GIVEN_LATER:
        raise DataError(
            f"the budget in {where} is -999, which the caller sets; give one after its name, FILE.json:budget=40"
        )
    entries.exact("budget", budget=max(1, amount - pause) if unit == "BUDGET_TIME" else amount)


#: Agents and translations of their parameters, by the last part of the class's name.
_PLAYERS: Final[dict[str, tuple[str, Callable[[Entries], None]]]] = {
    "BasicMCTSParams": ("mcts", basic_mcts),
    "MCTSParams": ("mcts", mcts),
    "OSLAHeuristic": ("osla", _osla),
    "OSLAParameters": ("osla", _osla),
    "OSLAPlayer": ("osla", _osla),
    "RHEAParams": ("rhea", rhea),
    "RMHCParams": ("rmhc", rmhc),
    "RandomPlayer": ("random", _random),
}
