"""Ridge regression on features, linear or logistic, with products of features chosen by an information criterion.

Logistic models are fitted by Newton's method (iteratively reweighted least squares), linear ones by its first step. The
normal equations are solved by Cholesky decomposition.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, log, log1p
from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from tag.agents.learners._linear_algebra import (
    LEAST_VARIANCE,
    add_outer,
    decompose,
    decompose_row,
    mean_and_deviation,
    solve,
)
from tag.engine.snapshot import Copyable

LINEAR: Final = "linear"
LOGISTIC: Final = "logistic"

AIC: Final = "aic"
BIC: Final = "bic"
EBIC: Final = "ebic"
#: Newton's method ends with a step that gains less log-likelihood per row than this, or after so many steps.
_LEAST_GAIN: Final = 1e-12
_MOST_STEPS: Final = 50
_HALVINGS: Final = 30
#: Rows from which products are chosen, at most, and products of which the exact statistic is computed.
_ROWS_TO_CHOOSE: Final = 30_000
_CANDIDATES: Final = 20


@dataclass
class FitSettings:
    """Settings of a fit.

    Attributes:
        link: `LINEAR` or `LOGISTIC`.
        ridge: penalty on half the squared coefficients of standardised features, per row.
        products: the most products of two features, squares included, to add.
        criterion: penalty of a product: `AIC`, `BIC` or `EBIC` (Chen and Chen 2008, with gamma 1).
    """

    link: str = LOGISTIC
    ridge: float = 0.001
    products: int = 0
    criterion: str = EBIC


@final
class Rows(Copyable):
    """Training data: features and a target for each row, in groups.

    Attributes:
        n_features: the number of features.
        features: the features of all rows, one row after the other.
        targets: one per row.
        firsts: the first row of each group. Rows of a group, such as the positions of a game, may depend on each other.
    """

    def __init__(self, n_features: i64) -> None:
        """Start empty."""
        self.n_features: i64 = n_features
        self.features = vec[float]()
        self.targets = vec[float]()
        self.firsts = vec[i64]()

    def start_group(self) -> None:
        """Let the next rows be a group of their own."""
        self.firsts = append(self.firsts, len(self.targets))

    def add(self, features: list[float], target: float) -> None:
        """Add a row to the last group."""
        if len(features) != self.n_features:
            raise AssertionError(f"a row of {len(features)} features among rows of {self.n_features}")
        row = self.features
        for value in features:
            row = append(row, value)
        self.features = row
        self.targets = append(self.targets, target)

    def last_groups(self, number: i64) -> Rows:
        """Return the last ``number`` groups."""
        n_groups: i64 = len(self.firsts)
        found = Rows(self.n_features)
        start = max(n_groups - number, 0)
        if start == n_groups:
            return found
        begin = self.firsts[start]
        for group in range(start, n_groups):
            found.firsts = append(found.firsts, self.firsts[group] - begin)
        for place in range(begin * self.n_features, len(self.features)):
            found.features = append(found.features, self.features[place])
        for row in range(begin, len(self.targets)):
            found.targets = append(found.targets, self.targets[row])
        return found


@final
class FittedModel(Copyable):
    """A polynomial of the second degree in features, whose value is between -1 and 1.

    Attributes:
        link: `LINEAR` (cut off at -1 and 1) or `LOGISTIC` (twice the probability, less 1).
        bias: the constant.
        used: the features with weights, by number.
        weights: one for each of them.
        firsts: the first factor of each product of features, by number; ``seconds`` the second one.
        product_weights: one for each product.
    """

    def __init__(self, link: str) -> None:
        """Start with the value 0 for all rows."""
        self.link = link
        self.bias = 0.0 if link == LOGISTIC else 0.5
        self.used = vec[i64]()
        self.weights = vec[float]()
        self.firsts = vec[i64]()
        self.seconds = vec[i64]()
        self.product_weights = vec[float]()
        self._is_logistic = link == LOGISTIC

    def value(self, features: list[float]) -> float:
        """Return the value of a row."""
        total = self.bias
        used = self.used
        weights = self.weights
        for number in range(len(used)):
            total += weights[number] * features[used[number]]
        firsts = self.firsts
        if len(firsts) > 0:
            seconds = self.seconds
            weights = self.product_weights
            for number in range(len(firsts)):
                total += weights[number] * features[firsts[number]] * features[seconds[number]]
        if self._is_logistic:
            return 2.0 * _probability(total) - 1.0
        return max(-1.0, min(1.0, 2.0 * total - 1.0))


def fit(rows: Rows, low: float, high: float, settings: FitSettings) -> FittedModel:
    """Fit a model to ``rows``, whose targets are scaled so that ``low`` is -1 and ``high`` is 1.

    Features that are constant, or collinear with earlier ones, get no weight. A product is added where its score test
    exceeds the penalty of the criterion. The test's variance is that of the sums over groups, so that dependent rows
    do not count as more evidence than they are.
    """
    model = FittedModel(settings.link)
    if len(rows.targets) == 0:
        return model
    design = _Design(rows, low, high, settings)
    design.optimise()
    criterion = settings.criterion
    for _product in range(settings.products):
        if not design.add_product(criterion):
            break
        design.optimise()
    design.write(model)
    return model


def _probability(total: float) -> float:
    if total >= 0.0:
        return 1.0 / (1.0 + exp(-total))
    odds = exp(total)
    return odds / (1.0 + odds)


@final
class _Design(Copyable):
    """The standardised features of the rows, the coefficients, and products that were added.

    Column 0 is the constant 1. Columns are stored row by row, with room for all products.
    """

    def __init__(self, rows: Rows, low: float, high: float, settings: FitSettings) -> None:
        """Standardise the features that vary and that earlier ones do not explain."""
        n: i64 = len(rows.targets)
        self.n: i64 = n
        self.is_logistic = settings.link == LOGISTIC
        self.ridge = settings.ridge * float(n)
        self.targets = vec[float]()
        for row in range(n):
            self.targets = append(self.targets, (rows.targets[row] - low) / (high - low))
        self.firsts = rows.firsts
        self.features: list[i64] = []
        self.means: list[float] = []
        self.scales: list[float] = []
        self._choose_features(rows)
        self.n_linear: i64 = len(self.features)
        self.n_columns: i64 = self.n_linear + 1
        width = self.n_columns + settings.products
        self.width: i64 = width
        self.columns = vec[float]([0.0] * int(n * width))
        columns = self.columns
        for row in range(n):
            columns[row * width] = 1.0
        for number in range(self.n_linear):
            feature = self.features[number]
            mean, scale = self.means[number], self.scales[number]
            for row in range(n):
                columns[row * width + number + 1] = (rows.features[row * rows.n_features + feature] - mean) / scale
        #: The columns that each product multiplies, and its mean and scale.
        self.products: list[tuple[i64, i64, float, float]] = []
        self.weights = vec[float]([0.0] * int(width))
        self.residuals = vec[float]([0.0] * int(n))
        self.curvatures = vec[float]([1.0] * int(n))
        self._gram = vec[float]([0.0] * int(width * width))

    def _choose_features(self, rows: Rows) -> None:
        """Leave out features without variance, and those whose variance earlier ones explain, by Cholesky decomposition."""
        n = self.n
        n_features = rows.n_features
        kept: list[i64] = []
        for feature in range(n_features):
            mean, scale = mean_and_deviation(rows.features, feature, n_features, n)
            if scale > 1e-9 * (1.0 + abs(mean)):
                kept.append(feature)
                self.means.append(mean)
                self.scales.append(scale)
        size: i64 = len(kept)
        gram = vec[float]([0.0] * int(size * size))
        row_values = vec[float]([0.0] * int(size))
        for row in range(n):
            for number in range(size):
                row_values[number] = (
                    rows.features[row * n_features + kept[number]] - self.means[number]
                ) / self.scales[number]
            add_outer(gram, row_values, 0, size, size, 1.0 / float(n))
        chosen: list[i64] = []
        for number in range(size):
            if decompose_row(gram, size, number, chosen):
                chosen.append(number)
        self.features = [kept[number] for number in chosen]
        self.means = [self.means[number] for number in chosen]
        self.scales = [self.scales[number] for number in chosen]

    def optimise(self) -> None:
        """Maximise the penalised log-likelihood from the coefficients there are."""
        size = self.n_columns
        loss = self._update()
        for _step in range(_MOST_STEPS):
            self._sum_gram()
            step = self._gradient()
            gradient = vec[float]([step[column] for column in range(size)])
            solve(self._gram, self.width, size, step)
            gain = 0.0
            for column in range(size):
                gain += gradient[column] * step[column]
            before = self.weights
            is_last = gain <= _LEAST_GAIN * float(self.n)
            share = 1.0
            for _halving in range(_HALVINGS):
                self.weights = vec[float]([before[column] for column in range(self.width)])
                for column in range(size):
                    self.weights[column] += share * step[column]
                after = self._update()
                if after < loss or is_last:
                    break
                share *= 0.5
            else:
                self.weights = before
                self._update()
                return
            if is_last:
                return
            loss = after

    def _update(self) -> float:
        """Set residuals and curvatures by the coefficients and return the loss."""
        size = self.n_columns
        width = self.width
        weights = self.weights
        columns = self.columns
        loss = 0.0
        for column in range(1, size):
            loss += 0.5 * self.ridge * weights[column] * weights[column]
        for row in range(self.n):
            total = 0.0
            start = row * width
            for column in range(size):
                total += weights[column] * columns[start + column]
            target = self.targets[row]
            if self.is_logistic:
                chance = _probability(total)
                loss += max(total, 0.0) + log1p(exp(-abs(total))) - target * total
                self.residuals[row] = target - chance
                self.curvatures[row] = chance * (1.0 - chance)
            else:
                self.residuals[row] = target - total
                loss += 0.5 * (target - total) * (target - total)
        return loss

    def _gradient(self) -> vec[float]:
        size = self.n_columns
        width = self.width
        columns = self.columns
        found = vec[float]([0.0] * int(size))
        for row in range(self.n):
            residual = self.residuals[row]
            start = row * width
            for column in range(size):
                found[column] += residual * columns[start + column]
        for column in range(1, size):
            found[column] -= self.ridge * self.weights[column]
        return found

    def _sum_gram(self) -> None:
        """Sum the curvature of the penalised loss, and decompose it."""
        size = self.n_columns
        gram = self._gram
        for place in range(len(gram)):
            gram[place] = 0.0
        for row in range(self.n):
            add_outer(gram, self.columns, row * self.width, size, self.width, self.curvatures[row])
        for column in range(1, size):
            gram[column * self.width + column] += self.ridge
        decompose(gram, self.width, size)

    def add_product(self, criterion: str) -> bool:
        """Add a column for the product that the data call for most; return False if none is worth its penalty."""
        n_groups = max(1, min(len(self.firsts), len(self.firsts) * _ROWS_TO_CHOOSE // self.n))
        end = self.n if n_groups == len(self.firsts) else self.firsts[n_groups]
        candidates = self._candidates(end)
        n_candidates = float(self.n_linear * (self.n_linear + 1) // 2)
        penalty = 2.0
        if criterion != AIC:
            penalty = log(float(n_groups))
        if criterion == EBIC:
            penalty += 2.0 * log(max(n_candidates, 1.0))
        self._sum_gram()
        best = penalty
        chosen: tuple[i64, i64] | None = None
        for pair in candidates:
            statistic = self._statistic(pair[0], pair[1], n_groups, end)
            if statistic > best:
                best = statistic
                chosen = pair
        if chosen is None:
            return False
        first, second = chosen
        values = self._product(first, second, self.n)
        mean, scale = mean_and_deviation(values, 0, 1, self.n)
        column = self.n_columns
        for row in range(self.n):
            self.columns[row * self.width + column] = (values[row] - mean) / scale
        self.products.append((first, second, mean, scale))
        self.n_columns += 1
        return True

    def _candidates(self, end: i64) -> list[tuple[i64, i64]]:
        """Return the products with the greatest score statistics, as if they depended on no other column."""
        size = self.n_linear
        width = self.width
        columns = self.columns
        moments = vec[float]([0.0] * int(3 * size * size))
        mass = 0.0
        for row in range(end):
            residual = self.residuals[row]
            curvature = self.curvatures[row]
            mass += curvature
            start = row * width + 1
            for first in range(size):
                value = columns[start + first]
                place = 3 * first * size
                for second in range(first + 1):
                    product = value * columns[start + second]
                    weighed = curvature * product
                    moments[place] += residual * product
                    moments[place + 1] += weighed
                    moments[place + 2] += weighed * product
                    place += 3
        known = {(first, second) for first, second, _mean, _scale in self.products}
        found: list[tuple[float, i64, i64]] = []
        for first in range(size):
            for second in range(first + 1):
                place = 3 * (first * size + second)
                variance = moments[place + 2] - moments[place + 1] * moments[place + 1] / mass
                if variance > LEAST_VARIANCE * mass and (first + 1, second + 1) not in known:
                    found.append((-(moments[place] * moments[place]) / variance, first + 1, second + 1))
        found.sort()
        return [(first, second) for _statistic, first, second in found[:_CANDIDATES]]

    def _product(self, first: i64, second: i64, end: i64) -> vec[float]:
        found = vec[float]([0.0] * int(end))
        for row in range(end):
            start = row * self.width
            found[row] = self.columns[start + first] * self.columns[start + second]
        return found

    def _statistic(self, first: i64, second: i64, n_groups: i64, end: i64) -> float:
        """Return the score statistic of a product beside all columns, with the variance of sums over groups."""
        size = self.n_columns
        width = self.width
        columns = self.columns
        values = self._product(first, second, end)
        shares = vec[float]([0.0] * int(size))
        for row in range(end):
            weighed = self.curvatures[row] * values[row]
            start = row * width
            for column in range(size):
                shares[column] += weighed * columns[start + column]
        scale = float(self.n) / float(end)
        for column in range(size):
            shares[column] *= scale
        solve(self._gram, width, size, shares)
        left = 0.0
        mass = 0.0
        total = 0.0
        squares = 0.0
        for group in range(n_groups):
            of_group = 0.0
            last = self.firsts[group + 1] if group + 1 < len(self.firsts) else self.n
            for row in range(self.firsts[group], last):
                value = values[row]
                start = row * width
                for column in range(size):
                    value -= shares[column] * columns[start + column]
                of_group += self.residuals[row] * value
                left += self.curvatures[row] * value * value
                mass += self.curvatures[row]
            total += of_group
            squares += of_group * of_group
        if left <= LEAST_VARIANCE * mass or squares == 0.0:
            return -inf
        return total * total / squares

    def write(self, model: FittedModel) -> None:
        """Give the coefficients to ``model``, for features that are not standardised."""
        weights = self.weights
        bias = weights[0]
        linear: list[float] = []
        for number in range(self.n_linear):
            linear.append(weights[number + 1] / self.scales[number])
            bias -= linear[number] * self.means[number]
        for number in range(len(self.products)):
            first, second, mean, scale = self.products[number]
            first -= 1
            second -= 1
            weight = weights[self.n_linear + 1 + number] / scale
            bias -= weight * mean
            weight /= self.scales[first] * self.scales[second]
            bias += weight * self.means[first] * self.means[second]
            linear[first] -= weight * self.means[second]
            linear[second] -= weight * self.means[first]
            model.firsts = append(model.firsts, self.features[first])
            model.seconds = append(model.seconds, self.features[second])
            model.product_weights = append(model.product_weights, weight)
        for number in range(self.n_linear):
            model.used = append(model.used, self.features[number])
            model.weights = append(model.weights, linear[number])
        model.bias = bias
