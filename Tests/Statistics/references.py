"""Compares 500 data sets with confseq, scipy and statsmodels."""

import gc
import math

import numpy as np
import statsmodels.api as sm
from confseq.boundaries import normal_log_mixture, normal_mixture_bound
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW

SETS = 500
TOLERANCE = 1e-6
CONCENTRATIONS = (1e1, 1e2, 1e3, 1e4, 1e5, 1e6)


class DataSet:
    """One look at an experiment with two to four arms."""

    def __init__(self, random, number):
        self.kind = ("proportion", "mean", "history", "proportion")[number % 4]
        self.arms = int(random.integers(2, 5))
        self.alpha = float(random.choice([0.01, 0.05, 0.1]))
        self.weights = random.choice([1, 1, 2, 9], self.arms)
        most = 4 if self.kind == "history" else 7
        self.audience = int(10 ** random.uniform(math.log10(200), most)) * self.arms
        sizes = random.multinomial(self.audience, self.weights / self.weights.sum())
        # Half of the data sets have sizes that fit the weights.
        share = random.uniform(0.05, 1, self.arms if number % 2 else 1)
        self.sizes = np.maximum(2, (sizes * share).astype(int))
        self.rate = 10 ** random.uniform(-3, math.log10(0.5))
        getattr(self, f"draw_{self.kind}")(random)

    def draw_proportion(self, random):
        self.variance = self.rate * (1 - self.rate)
        rates = np.minimum(0.9, self.rate * random.uniform(0.8, 1.3, self.arms))
        self.successes = random.binomial(self.sizes, rates)
        self.texts = [f"p {k} {n}" for k, n in zip(self.successes, self.sizes)]

    def draw_mean(self, random):
        """Amounts with at most 30 different values, so that arms of 10,000,000 subjects are counts."""
        self.values = np.sort(random.choice(100_000, 30, replace=False))
        self.values[0] = 0
        chances = random.dirichlet(np.ones(30) * 0.3) * self.rate
        chances[0] += 1 - self.rate
        self.counts = [random.multinomial(n, chances) for n in self.sizes]
        mean = chances @ self.values
        self.variance = float(chances @ (self.values - mean) ** 2)
        self.texts = [f"m {n} " + " ".join(str(sum(int(c) * int(v) ** k for c, v in zip(counts, self.values)))
                                           for k in (1, 2, 3)) for n, counts in zip(self.sizes, self.counts)]

    def draw_history(self, random):
        self.x = [np.rint(random.lognormal(4, 1, n)).astype(int) for n in self.sizes]
        noise = random.uniform(5, 200)
        self.y = [np.maximum(0, np.rint(0.5 * x + noise * random.standard_normal(len(x)))).astype(int) for x in self.x]
        self.variance = float(np.var(np.concatenate(self.y))) or 1.0
        self.texts = [f"c {x.sum()} {(x * x).sum()} {(x * y).sum()} m {len(y)} {y.sum()} {(y * y).sum()} {(y**3).sum()}"
                      for x, y in zip(self.x, self.y)]

    @property
    def line(self):
        return (f"look {self.alpha} {self.variance!r} {self.variance ** 0.5!r} {self.audience} {self.arms} "
                + " ".join(map(str, self.weights)) + " " + " ".join(self.texts))

    # What an arm has, calculated without the module's formulas for sums.

    def theta(self):
        if self.kind != "history":
            return math.nan
        groups = np.repeat(np.arange(self.arms), self.sizes)
        columns = np.column_stack([np.concatenate(self.x), groups[:, None] == np.arange(self.arms)])
        return float(sm.OLS(np.concatenate(self.y), columns.astype(float)).fit().params[0])

    def arm(self, index, theta):
        """The mean, the regularized variance of one subject, and the description for statsmodels."""
        n = int(self.sizes[index])
        if self.kind == "proportion":
            k = int(self.successes[index])
            shrunken = (k + 1) / (n + 2)
            return k / n, shrunken * (1 - shrunken), (k, n)
        if self.kind == "mean":
            described = DescrStatsW(self.values.astype(float), weights=self.counts[index].astype(float))
            squares = described.sumsquares
        else:
            raw = self.y[index].astype(float)
            described = DescrStatsW(raw - theta * self.x[index])
            squares = described.sumsquares
        # No adjustment takes more than all but an n-th of the variance.
        unadjusted = self.raw_squares(index)
        return described.mean, max(squares + self.variance, (unadjusted + self.variance) / n) / n, described

    def raw_squares(self, index):
        """The sum of squared deviations before an adjustment."""
        if self.kind == "mean":
            return DescrStatsW(self.values.astype(float), weights=self.counts[index].astype(float)).sumsquares
        return DescrStatsW(self.y[index].astype(float)).sumsquares


def reference(data):
    """The numbers that the program must print, in the order of its columns, without verdicts."""
    theta = data.theta()
    control = data.arm(0, theta)
    level = data.alpha / (data.arms - 1)
    planned = data.audience * data.weights / data.weights.sum()
    rows = []
    for index in range(1, data.arms):
        arm = data.arm(index, theta)
        n, m = int(data.sizes[0]), int(data.sizes[index])
        harmonic = n * m / (n + m)
        difference = arm[0] - control[0]
        v = harmonic**2 * (arm[1] / m + control[1] / n)
        v_opt = data.variance * planned[0] * planned[index] / (planned[0] + planned[index])
        half = normal_mixture_bound(v, level, v_opt, level, False) / harmonic
        p = min(1.0, math.exp(-normal_log_mixture(harmonic * difference, v, v_opt, level, False)))
        rows.append([difference, p, difference - half, difference + half, *fixed(data, arm[2], control[2])])
    return theta, ratios(data), np.array(rows)


def fixed(data, arm, control):
    if data.kind == "proportion":
        return confint_proportions_2indep(*arm, *control, method="wald", compare="diff", alpha=data.alpha)
    if arm.sumsquares == control.sumsquares == 0:
        # statsmodels divides 0 by 0.
        return (arm.mean - control.mean,) * 2
    return CompareMeans(arm, control).tconfint_diff(alpha=data.alpha, usevar="unequal")


def ratios(data):
    shares = data.weights / data.weights.sum()
    total = int(data.sizes.sum())
    null = stats.multinomial.logpmf(data.sizes, total, shares)
    logs = [stats.dirichlet_multinomial.logpmf(data.sizes, shares * c, total) - null for c in CONCENTRATIONS]
    evidence = np.logaddexp.reduce(logs) - math.log(len(logs))
    return min(1.0, math.exp(-evidence)), stats.chisquare(data.sizes, shares * total).pvalue


def errors(data, answers):
    """The largest errors by kind of number: of intervals relative to their width, of p values relative."""
    theta, (sequential, chi_square), rows = reference(data)
    numbers = {name: answers.column(name)[0] for name in
               ("estimate", "p", "adjusted", "lower", "upper", "fixed_lower", "fixed_upper", "size")}
    width = rows[:, 3] - rows[:, 2]
    fixed_width = np.where(rows[:, 5] > rows[:, 4], rows[:, 5] - rows[:, 4], 1)
    # The procedure of Holm runs on what is not too early.
    seen = np.where(numbers["size"] >= 50, rows[:, 1], 1.0)
    holm = multipletests(seen, method="holm")[1]
    return {
        "estimate": np.abs(numbers["estimate"] - rows[:, 0]) / width,
        "sequence": np.maximum(np.abs(numbers["lower"] - rows[:, 2]), np.abs(numbers["upper"] - rows[:, 3])) / width,
        "anytime p value": relative(numbers["p"], rows[:, 1]),
        "Holm": relative(numbers["adjusted"], holm),
        "fixed-horizon interval": np.maximum(np.abs(numbers["fixed_lower"] - rows[:, 4]),
                                             np.abs(numbers["fixed_upper"] - rows[:, 5])) / fixed_width,
        "sequential ratio check": relative(answers.head[0, 0], sequential),
        "chi-square": relative(answers.head[0, 1], chi_square),
        "CUPED's theta": relative(answers.head[0, 2], theta) if data.kind == "history" else 0.0,
    }


def relative(found, expected):
    """The relative error; p values below 1e-12 count as that, because no page shows them."""
    return np.abs(found - expected) / np.maximum(np.abs(expected), 1e-12)


def compare(program, random, sets=SETS):
    """Returns the largest error of each kind of number over all data sets."""
    largest = {}
    # statsmodels collects garbage at each call, which takes long with the many objects of the simulations.
    gc.freeze()
    every = [DataSet(random, number) for number in range(sets)]
    for arms in (2, 3, 4):
        chosen = [data for data in every if data.arms == arms]
        answers = program.evaluate([data.line for data in chosen])
        for row, data in enumerate(chosen):
            one = type(answers)(answers.head[row:row + 1], answers.numbers[row:row + 1], answers.verdicts[row:row + 1])
            for name, error in errors(data, one).items():
                # What is not a number does not agree.
                largest[name] = max(largest.get(name, 0.0), float(np.max(np.nan_to_num(error, nan=np.inf))))
    return largest
