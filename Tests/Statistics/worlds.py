"""Draws experiments: strata of the same kind, each with many experiments that are looked at on 30 days."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from scipy.stats import norm

DAYS = 30
ALPHA, POWER = 0.05, 0.8
# How many times the fixed-horizon size an experiment has in which the power is judged.
SIZE_RATIO = 1.8


@dataclass(frozen=True)
class Stratum:
    name: str
    # The planned subjects of the control and of the other arms.
    sizes: tuple
    # The rate of each arm; for amounts, the share of subjects that have one.
    rates: tuple
    kind: str = "arrivals"
    # For amounts: the standard deviation of the logarithm, and what each subject of the other arms gets more.
    spread: float = 1.0
    extra: int = 0
    # The weights of the design, if they are not those of the subjects.
    weights: tuple = ()
    # The planned variance, relative to that of amounts or events of the control.
    planned: float = 1.0
    # Whether the experiment has SIZE_RATIO times the fixed-horizon size.
    is_sized: bool = False
    count: int = field(default=0, compare=False)

    @property
    def audience(self):
        return sum(self.sizes)

    @cached_property
    def variance(self):
        """The planned variance of one subject."""
        rate = self.rates[0]
        if self.kind in ("arrivals", "later"):
            return float(self.planned * rate * (1 - rate))
        return float(self.planned * amount_variance(self))

    @property
    def is_too_small(self):
        """Whether so few events are expected that every look must be too early."""
        return self.kind == "arrivals" and sum(n * p for n, p in zip(self.sizes, self.rates)) < 5

    def draw(self, random):
        return {"arrivals": arrivals, "later": later, "amounts": amounts, "history": history}[self.kind](self, random)


@dataclass
class Looks:
    """The looks of all experiments of a stratum, and the true differences."""

    lines: list
    # (days, arms - 1).
    truth: np.ndarray


def amount_variance(stratum):
    """The variance of amounts in cents: log-normal, of a share of the subjects."""
    rate, spread = stratum.rates[0], stratum.spread
    mean = rate * np.exp(spread**2 / 2)
    return 1e4 * (rate * np.exp(2 * spread**2) - mean**2)


def prefix(stratum):
    # A difference of half a standard deviation matters.
    smallest = 0.5 * stratum.variance**0.5
    weights = " ".join(map(str, stratum.weights or stratum.sizes))
    return f"look {ALPHA} {stratum.variance!r} {smallest!r} {stratum.audience} {len(stratum.sizes)} {weights}"


def shares(stratum):
    return np.array(stratum.sizes) / stratum.audience


def written(stratum, arms):
    """Lines of looks, by experiment and day. `arms`: per arm, a kind and arrays (experiments, days) of its numbers."""
    start = prefix(stratum)
    columns = [(kind, [np.asarray(numbers).ravel().tolist() for numbers in arrays]) for kind, *arrays in arms]
    count = len(columns[0][1][0])
    return [start + "".join(" " + kind.format(*(array[row] for array in arrays)) for kind, arrays in columns)
            for row in range(count)]


def arrivals(stratum, random):
    """New subjects every day; whether an event happens is known at once."""
    total = np.diff(np.linspace(0, stratum.audience, DAYS + 1).astype(int))
    subjects = random.multinomial(total, shares(stratum), size=(stratum.count, DAYS))
    successes = random.binomial(subjects, np.array(stratum.rates))
    subjects, successes = subjects.cumsum(1), successes.cumsum(1)
    arms = [("p {} {}", successes[:, :, arm], subjects[:, :, arm]) for arm in range(len(stratum.sizes))]
    truth = np.tile(np.array(stratum.rates[1:]) - stratum.rates[0], (DAYS, 1))
    return Looks(written(stratum, arms), truth)


def later(stratum, random):
    """All subjects on the first day; events follow, half of them in the first three days."""
    done = 1 - 0.5 ** (np.arange(1, DAYS + 1) / 3)
    done = done / done[-1]
    subjects = random.multinomial(stratum.audience, shares(stratum), size=stratum.count)
    events = np.zeros((stratum.count, DAYS, len(stratum.sizes)), int)
    rates = np.array(stratum.rates)
    so_far, before = np.zeros_like(subjects), 0.0
    for day in range(DAYS):
        chance = rates * (done[day] - before) / (1 - rates * before)
        so_far = so_far + random.binomial(subjects - so_far, chance)
        events[:, day], before = so_far, done[day]
    everyone = np.repeat(subjects[:, None, :], DAYS, axis=1)
    arms = [("p {} {}", events[:, :, arm], everyone[:, :, arm]) for arm in range(len(stratum.sizes))]
    return Looks(written(stratum, arms), np.outer(done, rates[1:] - rates[0]))


def by_day(stratum, random, values):
    """Sums by experiment, day and arm; `values` draws the columns of N subjects, whose arms it gets."""
    days = np.arange(stratum.audience) * DAYS // stratum.audience
    arms = len(stratum.sizes)
    rows = []
    for _ in range(stratum.count):
        arm = random.choice(arms, size=stratum.audience, p=shares(stratum))
        cell = days * arms + arm
        columns = [np.ones(stratum.audience), *values(arm)]
        sums = [np.bincount(cell, column, DAYS * arms).reshape(DAYS, arms).cumsum(0) for column in columns]
        rows.append(np.rint(sums).astype(np.int64))
    return np.moveaxis(np.array(rows), 1, 0)


def amounts(stratum, random):
    """An amount of cents for a share of the subjects, log-normal; the same sum more for everyone in the other arms."""
    def values(arm):
        drawn = np.exp(stratum.spread * random.standard_normal(len(arm))) * 100
        paid = np.rint(drawn) * (random.random(len(arm)) < np.array(stratum.rates)[arm])
        paid += stratum.extra * (arm > 0)
        return paid, paid**2, paid**3

    sums = by_day(stratum, random, values)
    arms = [("m {} {} {} {}", *sums[:, :, :, arm]) for arm in range(len(stratum.sizes))]
    return Looks(written(stratum, arms), np.full((DAYS, len(stratum.sizes) - 1), float(stratum.extra)))


def history(stratum, random):
    """Amounts that depend on an amount before the experiment."""
    def values(arm):
        before = np.rint(np.exp(stratum.spread * random.standard_normal(len(arm))) * 100)
        drawn = np.exp(stratum.spread * random.standard_normal(len(arm))) * 50
        paid = np.rint(0.7 * before + drawn) + stratum.extra * (arm > 0)
        return before, before**2, before * paid, paid, paid**2, paid**3

    sums = by_day(stratum, random, values)
    arms = [("c {1} {2} {3} m {0} {4} {5} {6}", *sums[:, :, :, arm]) for arm in range(len(stratum.sizes))]
    return Looks(written(stratum, arms), np.full((DAYS, len(stratum.sizes) - 1), float(stratum.extra)))


def rate(size, *rates, **more):
    """A stratum of rates; `size`: subjects of each arm, or of the control and of the other arm."""
    sizes = size if isinstance(size, tuple) else (size,) * len(rates)
    kind = "later events" if more.get("kind") == "later" else "rates"
    name = f"{kind} {' '.join(f'{p:.2%}' for p in rates)}, arms {' '.join(f'{n:,}' for n in sizes)}"
    return Stratum(name, sizes, rates, **more)


def sized(base, other):
    """A stratum of two rates with SIZE_RATIO times the fixed-horizon size."""
    z = norm.ppf(1 - ALPHA / 2) + norm.ppf(POWER)
    size = z**2 * (base * (1 - base) + other * (1 - other)) / (other - base) ** 2
    return rate(round(SIZE_RATIO * size), base, other, is_sized=True)


def sized_amounts(extra):
    start = Stratum(f"amounts, {extra} more", (1, 1), (1, 1), kind="amounts", extra=extra, is_sized=True)
    z = norm.ppf(1 - ALPHA / 2) + norm.ppf(POWER)
    size = round(SIZE_RATIO * z**2 * 2 * start.variance / extra**2)
    return replace(start, sizes=(size, size), name=f"{start.name}, arms {size:,}")


def amount(name, sizes, **more):
    name = f"{name}, arms {' '.join(f'{n:,}' for n in sizes)}"
    return Stratum(name, sizes, more.pop("rates", (1,) * len(sizes)), **more)


def without_difference():
    """4,000 experiments without a difference."""
    strata = [
        rate(200, 0.001, 0.001), rate(200, 0.01, 0.01), rate(200, 0.1, 0.1), rate(200, 0.5, 0.5),
        rate(10_000, 0.001, 0.001), rate(10_000, 0.01, 0.01), rate(10_000, 0.5, 0.5),
        rate(1_000_000, 0.001, 0.001), rate(10_000_000, 0.001, 0.001),
        rate((20_000, 180_000), 0.001, 0.001), rate((2_000, 198_000), 0.01, 0.01),
        rate((198_000, 2_000), 0.1, 0.1, planned=0.1),
        rate(20_000, 0.01, 0.01, 0.01, 0.01), rate(50_000, 0.01, 0.01, kind="later"),
        rate(1_000_000, 0.001, 0.001, kind="later", planned=0.2),
        amount("even amounts", (3_000, 3_000), kind="amounts", spread=0.5),
        amount("amounts", (3_000, 3_000), kind="amounts"),
        amount("rare amounts", (4_000, 16_000), kind="amounts", rates=(0.05, 0.05)),
        amount("amounts with history", (2_000, 2_000), kind="history"),
        amount("even amounts with history", (500, 4_500), kind="history", spread=0.5),
    ]
    return [replace(stratum, count=200) for stratum in strata]


def with_difference():
    """3,400 experiments with a difference, of which 2,800 have SIZE_RATIO times the fixed-horizon size."""
    powered = [
        sized(0.001, 0.0015), sized(0.01, 0.012), sized(0.1, 0.11), sized(0.5, 0.52), sized(0.5, 0.68),
        sized(0.02, 0.0215), sized_amounts(12),
    ]
    others = [
        rate(200, 0.001, 0.002), rate(200, 0.1, 0.15), rate(200, 0.5, 0.6), rate((2_000, 198_000), 0.001, 0.01),
        rate((20_000, 180_000), 0.001, 0.002), rate((198_000, 2_000), 0.01, 0.015),
        rate(20_000, 0.01, 0.01, 0.012), rate(50_000, 0.01, 0.012, kind="later"),
        amount("rare amounts", (4_000, 16_000), kind="amounts", rates=(0.05, 0.05), extra=2),
        amount("amounts with history", (2_000, 2_000), kind="history", extra=5),
    ]
    return [replace(stratum, count=400) for stratum in powered] + [replace(stratum, count=60) for stratum in others]


def mismatch():
    """Experiments whose arms should be of one size, and are 50.5 % and 49.5 %."""
    return replace(rate((505_000, 495_000), 0.1, 0.1), weights=(1, 1), count=20)


def few_events():
    """Experiments in which the normal approximation does not hold, planned for a tenth of the true variance."""
    strata = [rate((198_000, 2_000), 0.01, 0.01, planned=0.1),
              amount("rare amounts", (20_000, 1_000), kind="amounts", rates=(0.05, 0.05), planned=0.1)]
    return [replace(stratum, count=200) for stratum in strata]
