"""Complete studies of a made-up game, played once: tests copy what they change."""

from __future__ import annotations

import pytest
from komi_studies import komi, untracked

from tuning.balance import BalanceResults


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> BalanceResults:
    """Two parameters, two targets, an agent held out."""
    definition = komi(games=800, search=("komi", "turns"), held_out=("osla",))
    return untracked(definition, tmp_path_factory.mktemp("small") / "study")


@pytest.fixture(scope="session")
def met(tmp_path_factory: pytest.TempPathFactory) -> BalanceResults:
    """Agents that meet: by a table of scores that are wanted, and on a ladder."""
    folder = tmp_path_factory.mktemp("met")
    wanted = folder / "wanted.csv"
    wanted.write_text(",random,osla\nrandom,,0.5\nosla,,\n", encoding="utf-8")
    definition = komi(
        targets=(f"match_ups({wanted})<=0.2", "skill_area=0±0.5", "first_seat=0±0.25"),
        agents=("random", "osla"),
        search=("komi=3..5",),
        games=200,
        games_per_trial=60,
        validation=300,
    )
    return untracked(definition, folder / "study")
