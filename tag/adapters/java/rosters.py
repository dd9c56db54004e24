"""The players of a RunGames file of TAG's: all JSON files of a folder, one file, or one of TAG's by its name.

Source: TAG as of May 2026, evaluation/RunGames.java and players/PlayerFactory.java.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tag.adapters.java.entries import LOST, NEAR, Entry
from tag.adapters.java.paths import file_beside, shown
from tag.adapters.java.players import CLASS, JavaPlayer, is_player, translated, with_files
from tag.engine.parameters import Spec
from tag.engine.text_files import read_json
from tag.errors import DataError, TagError

_BUDGET: Final = "budget"
#: The players to whom TAG's `budget` applies: those that implement IAnyTimePlayer.
_ANY_TIME: Final = ("MCTSParams", "RHEAParams")
#: Agents here without a budget.
_PLAIN: Final = ("random", "osla")
#: The budget of `osla` as in TAG: none.
_OF_OSLA: Final = 0
#: The players that TAG has by name, as files would have them. BasicMCTSPlayer sets a depth that its file would not.
BY_NAME: Final[dict[str, dict[str, Any]]] = {
    "mcts": {CLASS: "players.basicMCTS.BasicMCTSParams", "maxTreeDepth": 5},
    "osla": {CLASS: "players.simple.OSLAPlayer"},
    "random": {CLASS: "players.simple.RandomPlayer"},
    "rhea": {CLASS: "players.rhea.RHEAParams"},
    "rmhc": {CLASS: "players.rmhc.RMHCParams"},
}
#: Those that TAG takes where it is given none.
_USUAL: Final = ("mcts", "random", "rmhc", "osla")


@dataclass(frozen=True)
class Roster:
    """Players of TAG's as agents.

    Attributes:
        names: what TAG calls them, one each.
        specs: the agents.
        entries: those that are left out, and those that mean something else here.
    """

    names: tuple[str, ...] = ()
    specs: tuple[Spec, ...] = ()
    entries: tuple[Entry, ...] = ()

    def __add__(self, other: Roster) -> Roster:
        """Return the players of both, in order."""
        return Roster(self.names + other.names, self.specs + other.specs, self.entries + other.entries)


@dataclass(frozen=True)
class RosterReader:
    """Reads the players that a file of TAG's names.

    Attributes:
        path: the file.
        budget: of the players that TAG gives it to; 0 for that of their own files.
        leaves_budget: whether budgets are left out, as the caller gives them.
    """

    path: Path
    budget: int = 0
    leaves_budget: bool = False

    def usual(self) -> Roster:
        """Return the players that TAG takes where it is given none."""
        return sum(map(self._usual, _USUAL), Roster())

    def named(self, entry: str, name: str) -> Roster:
        """Return the players of a folder, of a file, or the one that TAG calls ``name``; ``entry`` is what names them.

        Raises:
            TagError: there are none.
        """
        if name.lower() in BY_NAME:  # before a folder of this name, which may be anywhere above
            return self._usual(name.lower())
        found = file_beside(self.path, name)
        if found is not None and found.is_dir():
            files = sorted(file for file in found.iterdir() if file.suffix == ".json")
            rosters = [
                self._in_folder(entry, file) for file in files if file_beside(self.path, str(Path(name, file.name)))
            ]
            if not rosters:
                raise DataError(f"{entry} in {str(self.path)!r} cannot be {name!r}, a folder without JSON files")
            return sum(rosters, Roster())
        if found is not None:
            return self._in_file(entry, found)
        known = ", ".join(BY_NAME)
        raise DataError(
            f"{entry} in {str(self.path)!r} cannot be {name!r}; it is a JSON file or a folder with some, beside it or "
            f"in the folders above, or one of {known}"
        )

    def _usual(self, name: str) -> Roster:
        """Return the player that TAG calls ``name``."""
        content = BY_NAME[name]
        player = self._translated(content, repr(str(self.path)))
        told = [Entry(f"{name}.{one.name}", one.value, one.ours, one.kind, one.note) for one in player.differences]
        return Roster((name,), (self._with_budget(player, repr(str(self.path))),), tuple(told))

    def _in_folder(self, entry: str, file: Path) -> Roster:
        """Return the player in one file of several; one that is not here is left out."""
        try:
            player = self._read(file)
        except TagError as error:
            return Roster(entries=(Entry(entry, file.name, "", LOST, f"is left out: {error}"),))
        return self._roster(entry, file, player)

    def _in_file(self, entry: str, file: Path) -> Roster:
        return self._roster(entry, file, self._read(file))

    def _read(self, file: Path) -> JavaPlayer:
        content = read_json(file, "player of TAG's")
        if not is_player(content):
            raise DataError(f"the player of TAG's {str(file)!r} has no 'class'")
        return self._translated(with_files(content, file), repr(str(file)))

    def _translated(self, content: Mapping[str, Any], where: str) -> JavaPlayer:
        """Return a player, with the budget for all if TAG gives it that."""
        is_any_time = str(content[CLASS]).rpartition(".")[2] in _ANY_TIME
        return translated(content, (self.budget or None) if is_any_time else None, where, is_to_play=False)

    def _roster(self, entry: str, file: Path, player: JavaPlayer) -> Roster:
        """Return a player with the name of its file, and one entry for all that means something else here."""
        names, specs = (file.name.partition(".")[0],), (self._with_budget(player, repr(str(file))),)
        n_changed = sum(not (self.leaves_budget and one.name == _BUDGET) for one in player.differences)
        if not n_changed:
            return Roster(names, specs)
        said = "an entry that means" if n_changed == 1 else f"{n_changed} entries that mean"
        note = f"has {said} something else here; tag agents {shown(file)} tells"
        return Roster(names, specs, (Entry(entry, file.name, "", NEAR, note),))

    def _with_budget(self, player: JavaPlayer, where: str) -> Spec:
        """Return the agent of a player, with the budget that is meant."""
        spec = player.spec
        if self.leaves_budget and has_budget(spec):
            return Spec(spec.name, {key: value for key, value in spec.values.items() if key != _BUDGET})
        if self.leaves_budget and spec.name == "osla":
            return spec.with_value(_BUDGET, _OF_OSLA)  # or it would have those of the caller, unlike in TAG
        if _BUDGET not in spec.values and has_budget(spec):
            raise DataError(
                f"the budget in {where} is -999, which the caller sets; add a budget to {str(self.path)!r}, or --budgets"
            )
        return spec


def has_budget(spec: Spec) -> bool:
    """Say whether an agent takes a budget."""
    return spec.name not in _PLAIN
