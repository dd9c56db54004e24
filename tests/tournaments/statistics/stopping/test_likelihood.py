"""The exact log-likelihood ratio: the published figures, and an independent computation from the published formulas."""

from __future__ import annotations

from math import fsum, log, sqrt

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, NonlinearConstraint, minimize

from tag.errors import ParameterError
from tag.tournaments.statistics.stopping.block_scores import (
    EXTREMES,
    PENTANOMIAL,
    ScoreDistribution,
    mean_and_variance,
)
from tag.tournaments.statistics.stopping.elo_scales import LogisticElo, NormalizedElo
from tag.tournaments.statistics.stopping.likelihood_ratios import (
    log_likelihood_ratio,
    normal_log_likelihood_ratio,
    with_mean,
    with_t_value,
)

CLASSES = {3: (0.0, 0.5, 1.0), 5: PENTANOMIAL}

#: Results of real tests, lowest score first, with the ratio their server showed (tests.stockfishchess.org; normalised Elo).
FISHTEST = [
    ((19, 4020, 10316, 4215, 24), -1.75, 0.25, 2.94),
    ((103, 3851, 8316, 3728, 98), 0, 2, -2.03),
    ((291, 10353, 21899, 10175, 306), 0, 2, -3.08),
    ((99, 3323, 8399, 3606, 109), 0, 2, 2.98),
    ((2, 40, 72, 14, 0), 0, 2, -0.36),
    ((326, 12015, 26044, 12357, 362), 0, 2, 2.93),
    ((59, 6427, 15570, 6693, 91), 0, 2, 2.94),
    ((328, 12094, 26412, 11964, 338), 0, 2, -2.93),
    ((900, 30596, 67292, 30899, 809), 0, 2, -2.96),
    ((45, 8506, 25934, 8883, 57), 0.5, 2.5, 2.94),
    ((14, 6935, 20257, 7273, 30), 0.5, 2.5, 2.95),
    ((105, 19880, 51075, 20005, 108), 0.5, 2.5, -2.94),
    ((68, 15448, 39104, 15441, 94), 0.5, 2.5, -2.94),
    ((41, 5118, 12924, 5334, 31), -1.75, 0.25, 2.94),
    ((36, 5804, 14811, 5986, 39), -1.75, 0.25, 2.94),
    ((365, 16618, 36229, 16974, 390), 0, 2, 2.25037),
]
#: Of fastchess's own tests of its SPRT: counts, elo0, elo1, scale, ratio.
FASTCHESS = [
    ((127, 4883, 10712, 5150, 104), -1.75, 0.25, NormalizedElo(), 3.01),
    ((0, 0, 0, 0, 5550), 0, 5, NormalizedElo(), 111.82),
    ((223, 9863, 21279, 10037, 246), 0.5, 2.5, LogisticElo(), -3.07),
    ((871, 26175, 55983, 26678, 821), 0, 2, LogisticElo(), -4.98),
    ((36027, 68692, 36433), 0, 2, NormalizedElo(games=1), 0.92),
    ((10650, 20431, 10871), -1.75, 0.25, NormalizedElo(games=1), 2.30),
    ((0, 0, 4250), 0, 10, NormalizedElo(games=1), 120.56),
    ((21184, 40708, 21404), 0.5, 2.5, LogisticElo(), -1.57),
    ((57030, 106593, 57433), 0, 2, LogisticElo(), -2.59),
]


def ratio(counts, elo0, elo1, scale):
    """The ratio as the package computes it, empty classes at 1e-3 as in the published test."""
    weights = np.maximum(np.array(counts, dtype=float), 1e-3)
    values, observed = np.array(CLASSES[len(counts)]), weights / weights.sum()
    return log_likelihood_ratio(weights, *(scale.likeliest(values, observed, elo) for elo in (elo0, elo1)))


# --- the same from the formulas alone: plain floats, bisection, no code shared ----------------------------------------


def bisected(function, low, high):
    """The root of a falling function, to the last bit."""
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return middle
        low, high = (middle, high) if function(middle) > 0 else (low, middle)


def tilted(shares, constraint):
    """pᵢ = p̂ᵢ / (1 + θ aᵢ), with the θ that makes Σ pᵢ aᵢ = 0."""
    inside = 1 - 1e-15
    ends = (-1 / max(constraint) * inside, -1 / min(constraint) * inside)
    theta = bisected(lambda x: fsum(p * a / (1 + x * a) for p, a in zip(shares, constraint, strict=True)), *ends)
    return [p / (1 + theta * a) for p, a in zip(shares, constraint, strict=True)]


def published(counts, elo0, elo1, is_normalized):
    """The pentanomial (or trinomial) ratio of support_MLE_multinomial and normalized_elo_practical, section 4.1."""
    weights = [count or 1e-3 for count in counts]
    values = [k / (len(counts) - 1) for k in range(len(counts))]
    shares = [weight / fsum(weights) for weight in weights]
    fits = []
    for elo in (elo0, elo1):
        if is_normalized:
            t = elo * log(10) / 800 * sqrt((len(counts) - 1) / 2)
            fit = [1 / len(values)] * len(values)
            for _ in range(60):
                mean = fsum(p * v for p, v in zip(fit, values, strict=True))
                sigma = sqrt(fsum(p * (v - mean) ** 2 for p, v in zip(fit, values, strict=True)))
                fit = tilted(shares, [v - 0.5 - t * sigma * (1 + ((mean - v) / sigma) ** 2) / 2 for v in values])
        else:
            fit = tilted(shares, [v - 1 / (1 + 10 ** (-elo / 400)) for v in values])
        fits.append(fit)
    return fsum(weight * (log(p1) - log(p0)) for weight, p0, p1 in zip(weights, *fits, strict=True))


def random_vectors(n):
    rng = np.random.default_rng(2)
    for _ in range(n):
        classes = int(rng.choice([3, 5]))
        counts = rng.multinomial(rng.integers(1, 5_000), rng.dirichlet(np.full(classes, 0.7)))
        elo0 = float(rng.normal(scale=20))
        yield tuple(int(count) for count in counts), elo0, elo0 + float(rng.uniform(0.5, 60))


VECTORS = [(c, e0, e1) for c, e0, e1, _ in FISHTEST] + [(c, e0, e1) for c, e0, e1, _, _ in FASTCHESS]


@pytest.mark.parametrize(("counts", "elo0", "elo1"), [*VECTORS, *random_vectors(40)])
@pytest.mark.parametrize("is_normalized", [False, True])
def test_the_ratio_equals_the_published_formulas(counts, elo0, elo1, is_normalized):
    scale = NormalizedElo(games=(len(counts) - 1) // 2) if is_normalized else LogisticElo()
    expected = published(counts, elo0, elo1, is_normalized)
    assert ratio(counts, elo0, elo1, scale) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("counts", "elo0", "elo1", "expected"), FISHTEST)
def test_the_ratio_is_what_the_server_showed(counts, elo0, elo1, expected):
    digits = 5e-6 if expected == 2.25037 else 5.1e-3
    assert ratio(counts, elo0, elo1, NormalizedElo()) == pytest.approx(expected, abs=digits)


@pytest.mark.parametrize(("counts", "elo0", "elo1", "scale", "expected"), FASTCHESS)
def test_the_ratio_is_what_fastchess_expects_of_itself(counts, elo0, elo1, scale, expected):
    assert ratio(counts, elo0, elo1, scale) == pytest.approx(expected, abs=5.1e-3, rel=2e-3)


# --- what makes it the likeliest ------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_t", [False, True])
def test_no_other_distribution_is_likelier(is_t):
    values, observed = np.array([0.0, 0.2, 0.5, 0.9, 1.0]), np.array([0.1, 0.3, 0.25, 0.2, 0.15])
    target = 0.3 if is_t else 0.55

    def statistic(p):
        mean, variance = mean_and_variance(values, p)
        return (mean - 0.4) / sqrt(variance) if is_t else mean

    found = with_t_value(values, observed, 0.4, target) if is_t else with_mean(values, observed, target)
    best = minimize(
        lambda p: -observed @ np.log(p),
        observed,
        method="SLSQP",
        bounds=[(1e-6, 1)] * 5,
        constraints=[LinearConstraint(np.ones(5), 1, 1), NonlinearConstraint(statistic, target, target)],
        options={"ftol": 1e-14},
    )
    assert found.sum() == pytest.approx(1, abs=1e-12)
    assert statistic(found) == pytest.approx(target, abs=1e-9)
    assert found == pytest.approx(best.x, abs=1e-5)


def test_the_normal_approximation_is_near_where_the_hypotheses_are():
    counts = np.array(FISHTEST[0][0], dtype=float)
    mean, variance = mean_and_variance(np.array(PENTANOMIAL), counts / counts.sum())
    scale = LogisticElo()
    near = normal_log_likelihood_ratio(counts.sum(), mean, variance, scale.score(-1, 0), scale.score(3, 0))
    assert near == pytest.approx(ratio(tuple(counts), -1, 3, scale), rel=1e-3)
    assert near != ratio(tuple(counts), -1, 3, scale)


# --- distributions and scales ---------------------------------------------------------------------------------------


def test_classes_named_in_advance_and_others():
    found = ScoreDistribution(PENTANOMIAL)
    for score in (0.5, 1 / 3, 0.1 + 0.2 + 0.2, 1 / 3 + 1e-12, 1.0):
        found.add(score)
    assert found.values == pytest.approx([0, 0.25, 1 / 3, 0.5, 0.75, 1])
    assert found.counts == pytest.approx([1e-3, 1e-3, 2, 2, 1e-3, 1])
    assert found.blocks == 5


@pytest.mark.parametrize("classes", [(), (0.0, 0.5), (0.5, 1.0), (0.0, 1.0, 1.5)])
def test_classes_reach_from_0_to_1(classes):
    with pytest.raises(ParameterError, match="the lowest is 0 and the highest 1"):
        ScoreDistribution(classes)


@pytest.mark.parametrize("score", [-0.1, 1.5, float("nan")])
def test_scores_are_shares(score):
    with pytest.raises(ParameterError, match=r"scores are in \[0, 1\]"):
        ScoreDistribution(EXTREMES).add(score)


@pytest.mark.parametrize("scale", [LogisticElo(), LogisticElo(0.25), NormalizedElo(), NormalizedElo(0.2, games=5)])
def test_scales_are_there_and_back(scale):
    assert scale.score(0, 0.3) == pytest.approx(scale.par)
    for elo in (-200.0, -1.0, 30.0):
        assert scale.elo(scale.score(elo, 0.3), 0.3) == pytest.approx(elo)


def test_logistic_elo_is_the_chance_to_come_first():
    assert LogisticElo().score(400, 0) == pytest.approx(10 / 11)
    assert LogisticElo(0.25).score(400, 0) == pytest.approx(10 / 13)
    assert (LogisticElo().elo(1, 0), LogisticElo().elo(-0.1, 0)) == (float("inf"), float("-inf"))


@pytest.mark.parametrize("par", [0.0, 1.0, -1.0, float("nan")])
def test_par_is_a_share(par):
    with pytest.raises(ParameterError, match="par cannot be"):
        LogisticElo(par)
