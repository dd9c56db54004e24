"""Targets as text and as value, what is refused, and what is met or violated."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tag.errors import ParameterError, SpecError, TagError, UnknownNameError
from tag.tuning.balancing import Estimate, Target, measures_of, needed_metrics, read_target


def read(text: str, game: str = "love_letter", players: int = 4) -> Target:
    return read_target(text, game, players)


@pytest.mark.parametrize(
    ("text", "target", "canonical"),
    [
        ("seat_spread=0±0.02", Target("seat_spread", -0.02, 0.02), "seat_spread=-0.02..0.02"),
        (" seat_spread = 0 +- 0.02 ", Target("seat_spread", -0.02, 0.02), "seat_spread=-0.02..0.02"),
        ("length=60+/-10", Target("length", 50.0, 70.0), "length=50..70"),
        ("length=50..70", Target("length", 50.0, 70.0), "length=50..70"),
        ("draws<=0.05", Target("draws", -inf, 0.05), "draws<=0.05"),
        ("skill_area>=0.3", Target("skill_area", 0.3, inf), "skill_area>=0.3"),
        ("skill_slope=-0.1±0.05", Target("skill_slope", -0.15, -0.05), "skill_slope=-0.15..-0.05"),
        ("win_rate(mcts)=0.6±0.05", Target("win_rate", 0.55, 0.65, "mcts"), "win_rate(mcts)=0.55..0.65"),
        ("minutes(20)<=45", Target("minutes", -inf, 45.0, "20"), "minutes(20)<=45"),
        (
            "win_rate(rhea:opponent=(mcts:budget=50),horizon=3)>=0.5",
            Target("win_rate", 0.5, inf, "rhea:opponent=(mcts:budget=50),horizon=3"),
            "win_rate(rhea:opponent=(mcts:budget=50),horizon=3)>=0.5",
        ),
        ("drama=0.1..0.2", Target("drama", 0.1, 0.2), "drama=0.1..0.2"),
        ("restriction(Guard)=0±0.1", Target("restriction", -0.1, 0.1, "Guard"), "restriction(Guard)=-0.1..0.1"),
    ],
)
def test_reads_and_writes(text: str, target: Target, canonical: str) -> None:
    assert read(text) == target
    assert str(target) == canonical
    assert read(canonical) == target


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.booleans(), st.booleans())
def test_any_band_comes_back_as_it_was(low: float, width: float, has_low: bool, has_high: bool) -> None:
    target = Target("skill_slope", low if has_low or not has_high else -inf, low + width if has_high else inf)
    again = str(target)
    parts = read_target(again.replace("skill_slope", "heuristic"), "love_letter", 2)  # which may be any number
    assert (parts.low, parts.high) == (target.low, target.high)


@pytest.mark.parametrize(
    ("text", "game", "kind", "sentence"),
    [
        (
            "winrate(mcts)=0.6±0.05",
            "love_letter",
            UnknownNameError,
            "no measure named 'winrate'; did you mean 'win_rate'?",
        ),
        ("seat-spread=0±0.1", "love_letter", SpecError, "'seat-spread=0±0.1' is no target; write one like seat_spread"),
        ("length", "love_letter", SpecError, "'length' is no target; write one like seat_spread=0±0.02"),
        ("length=long±1", "love_letter", SpecError, "'long' in the target 'length=long±1' is no number"),
        ("length=nan±1", "love_letter", SpecError, "'nan' in the target"),
        (
            "length=60",
            "love_letter",
            ParameterError,
            "'length=60' has no width, and games are never so sure; write =60±",
        ),
        ("length=70..50", "love_letter", ParameterError, "is upside down; write length=50..70"),
        ("length=60±-10", "love_letter", ParameterError, "is upside down; write length=50..70"),
        ("length=60±0", "love_letter", ParameterError, "the band of 'length=60±0' is empty"),
        ("draws=1.5±0.2", "love_letter", ParameterError, "'draws=1.5±0.2' cannot be met: draws is 0 to 1"),
        ("length<=-3", "love_letter", ParameterError, "'length<=-3' cannot be met: length is at least 0"),
        (
            "win_rate=0.5±0.1",
            "love_letter",
            ParameterError,
            "win_rate needs to know which agent; write win_rate(agent)",
        ),
        ("draws(mcts)<=0.1", "love_letter", ParameterError, "draws takes no argument, not 'mcts'; write draws=…"),
        (
            "minutes(fast)<=9",
            "love_letter",
            ParameterError,
            "minutes cannot be for 'fast' seconds; it is a number above 0",
        ),
        ("minutes(-2)<=9", "love_letter", ParameterError, "minutes cannot be for '-2' seconds; it is a number above 0"),
        (
            "success=0.4±0.05",
            "love_letter",
            ParameterError,
            "love_letter has no success: it is about teams that win or",
        ),
        (
            "seat_spread=0±0.1",
            "pandemic",
            ParameterError,
            "pandemic has no seat_spread: it is about who does better, and",
        ),
        ("drama>=0.1", "pandemic", ParameterError, "pandemic has no drama: it is about who does better"),
        ("uno=0±1", "uno", UnknownNameError, "no measure named 'uno'"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(text: str, game: str, kind: type[TagError], sentence: str) -> None:
    with pytest.raises(kind) as caught:
        read(text, game)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_measures_are_those_of_any_game_and_the_games_own() -> None:
    known = measures_of("uno")
    assert {"seat_spread", "luck", "branching", "single_actions", "lead_changes", "stability", "length_p95"} <= set(
        known
    )
    own = [name for name, one in known.items() if one.metric == "uno"]
    assert own
    assert not set(own) & set(measures_of("love_letter"))
    for one in known.values():
        assert one.about
        assert one.least < one.greatest
    targets = [read_target(text, "uno", 3) for text in ("drama>=0", "length<=9", f"{own[0]}>=0", "stability<=1")]
    assert needed_metrics(targets, "uno") == ("lead", "uno")


@pytest.mark.parametrize(
    ("low", "high", "is_met", "is_missed"),
    [(0.41, 0.49, True, False), (0.4, 0.5, True, False), (0.39, 0.45, False, False), (0.51, 0.6, False, True)],
)
def test_met_is_the_whole_interval_within(low: float, high: float, is_met: bool, is_missed: bool) -> None:
    target, estimate = Target("draws", 0.4, 0.5), Estimate((low + high) / 2, 0.01, low, high, 100)
    assert target.is_met(estimate) is is_met
    assert target.is_missed(estimate) is is_missed


def test_what_is_not_known_is_neither_met_nor_missed() -> None:
    target, estimate = Target("drama", 0.0, 1.0), Estimate.unknown()
    assert not target.is_met(estimate)
    assert not target.is_missed(estimate)
    assert target.violation(estimate) == inf
    assert Target("draws", -inf, 0.1).is_met(Estimate(0.05, 0.02, 0.01, 0.09, 9))


@pytest.mark.parametrize(("truth", "within"), [(0.9, 0.03), (0.62, 0.03), (0.5, 0.13), (0.45, 0.1), (0.2, 0.03)])
def test_violation_has_no_bias_of_noise(truth: float, within: float) -> None:
    """Seen through noise of 0.05, squared excesses average the true ones, within a part of the noise's square."""
    target, error, rng = Target("draws", 0.3, 0.5), 0.05, np.random.default_rng(1)
    seen = truth + error * rng.standard_normal(40_000)
    mean = np.mean([target.violation(Estimate(value, error, value, value, 1)) for value in seen.tolist()])
    raw = np.mean(np.maximum(np.maximum(0.3 - seen, seen - 0.5), 0.0) ** 2)
    excess = max(0.3 - truth, truth - 0.5, 0.0)
    assert abs(mean - excess**2) < within * error**2 + 3 * 2 * (excess + error) * error / 200
    if truth in (0.9, 0.62, 0.2):
        assert raw - excess**2 > 0.7 * error**2
