"""Every metric that fits a game measures what it declares, in finite numbers, under names that nothing else has."""

from math import isfinite

import pytest
from transcripts import measures, tables

from tag.catalogue.registry import game_names, metric_class, metrics_for
from tag.playing.metrics import METRICS
from tag.tournaments.results.analysis.luck import LUCK
from tag.tournaments.results.analysis.skill import SKILL
from tag.tournaments.results.measures import _OF_THE_LEDGER

pytestmark = pytest.mark.flow


@pytest.mark.parametrize("metric", sorted({name for game in game_names() for name in metrics_for(game)}))
def test_every_measure_has_a_line_for_people(metric):
    about = metric_class(metric).measures
    assert about
    for name, line in about.items():
        assert name.isidentifier()
        assert name == name.lower()
        assert line
        assert not line.endswith(".")


@pytest.mark.parametrize("game", game_names())
def test_no_two_metrics_of_a_game_measure_under_one_name(game):
    names = [name for metric in metrics_for(game) for name in metric_class(metric).measures]
    names += [*_OF_THE_LEDGER, *SKILL, *LUCK]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(("game", "n_players"), tables())
def test_metrics_measure_what_they_declare(game, n_players):
    for metric, values in measures(game, n_players).items():
        assert values.keys() <= metric_class(metric).measures.keys()
        assert all(isinstance(value, float) and isfinite(value) for found in values.values() for value in found)
        if metric not in METRICS:
            assert values.keys() == metric_class(metric).measures.keys()
