"""All that can be said about a balancing study, on the command line or in a TOML file with the same words.

    game = "love_letter"                # a spec: the printed rules; needed
    players = 4                         # seats of each game; the game's fewest by default
    search = ["guards=3..6", "princes"] # what may be changed; all that the spec does not fix by default
    targets = ["seat_spread=0±0.02", "length=60±10"]  # what the game should be; needed
    weights = ["length=2"]              # what a miss of a target costs; 1 by default
    agents = ["osla", "mcts:budget=50"] # the panel that plays; needed
    held_out = ["rhea:budget=50"]       # agents that only the choice meets, beside the printed rules
    games = 5000                        # the budget of the search; needed
    sampler = "auto"                    # or bands, bgp, ntbea, tpe, … (tag balance --help), ./my_file.py:MySampler
    games_per_trial = 50                # how many games a candidate plays each time; a hundredth of all by default
    live = 16                           # candidates in play at once
    near_printed = 0.1                  # what it costs to change everything from one end of its range to the other
    pareto = false                      # true: targets side by side, and a table of what each candidate changes and gains
    finalists = 3                       # so many of the best are measured again, until one meets all targets
    validation = 2000                   # games on unseen seeds that this may take for each of them
    retune = "mcts:budget=50"           # an agent that is tuned to the chosen rules, to measure them again; none by default
    retune_games = 2000                 # the budget of that
    enqueue = ["love_letter:guards=4"]  # candidates that are tried first
    seed = 1                            # decides everything
    out = "studies/love_letter"         # the folder; by default one that is named after all of the above
    workers = 2                         # processes that play; as many as there are cores by default
    ray = true                          # false: play in the process itself
    address = "10.0.0.1:6379"           # the address of a Ray cluster; by default a Ray of its own on this machine
    tracking = true                     # false: no MLflow run
    tracking_uri = "http://host:5000"   # any MLflow store; by default mlflow.db beside the folder

and on_illegal to calibrate as in `tournaments.commands.settings`. Files and folders are relative to where the command runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tag.errors import ParameterError, SpecError
from tuning.balance.definition import BalanceDefinition, BalanceOptions, define_balance
from tuning.commands.settings import CommonSettings


@dataclass(frozen=True, kw_only=True)
class BalanceSettings(CommonSettings, BalanceOptions):
    """What was said about a study; the module's docstring is the list. Unset ones take their defaults."""

    study: ClassVar = BalanceDefinition

    game: str = ""

    def definition(self) -> BalanceDefinition:
        """Return the study, checked.

        Raises:
            TagError: something is wrong or missing; the message says what.
        """
        if not self.game:
            raise SpecError("a balancing study needs a game")
        if not self.games:
            raise ParameterError("a balancing study needs a budget; say how many games with --games")
        known = self._about_the_study()
        return define_balance(known.pop("game"), **known)

    def folder(self, definition: BalanceDefinition) -> Path:
        """Return where to work; by default a folder of its own for each definition, whatever its budgets."""
        return self._folder(f"balance_{definition.game}", definition)
