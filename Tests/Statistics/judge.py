"""Judges the intervals and verdicts of simulated experiments, and the forecasts."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

import references
import worlds
from program import COLUMNS

# The shares that issue and documentation promise.
MOST_DECLARED, LEAST_COVERED, LEAST_POWER = 0.05, 0.945, 0.8
MOST_MISMATCHES = 0.001
# One stratum breaks a promise if its count has a smaller probability than this under the promise.
SURE = 1e-3
MINIMUM_SIZE = 50


@dataclass
class Check:
    name: str
    is_kept: bool
    text: str

    def __str__(self):
        return f"  {'' if self.is_kept else 'BROKEN: '}{self.name}: {self.text}"


class Experiments:
    """The looks of a stratum, as arrays (experiments, days, arms - 1)."""

    def __init__(self, program, stratum, random):
        self.stratum = stratum
        looks = stratum.draw(random)
        answers = program.evaluate(looks.lines)
        shape = (stratum.count, worlds.DAYS, len(stratum.sizes) - 1)
        # Kept apart from what the program says: the intervals that a page shows, and those that it would show.
        shown = answers.numbers[:, :, COLUMNS.index("shown_lower"):COLUMNS.index("shown_upper") + 1]
        always = answers.numbers[:, :, COLUMNS.index("lower"):COLUMNS.index("upper") + 1]
        self.truth = looks.truth
        self.is_shown = ~np.isnan(shown[..., 0]).reshape(shape)
        self.misses = self.outside(shown, shape)
        self.would_miss = self.outside(always, shape)
        self.declared = answers.is_verdict("better", "worse").reshape(shape)
        self.better = answers.is_verdict("better").reshape(shape)
        self.mismatch = answers.is_verdict("ratioMismatch").reshape(shape)
        self.too_early = answers.is_verdict("tooEarly").reshape(shape)

    def outside(self, intervals, shape):
        lower, upper = (intervals[..., side].reshape(shape) for side in (0, 1))
        return (self.truth < lower) | (self.truth > upper)

    @staticmethod
    def ever(looks):
        """The number of experiments with at least one such look of one arm."""
        return int(looks.any(axis=(1, 2)).sum())

    def row(self):
        count = self.stratum.count
        power = f"{self.ever(self.better) / count:6.1%}" if self.stratum.is_sized else "     -"
        return (f"  {self.stratum.name:66} {count:5} {self.ever(self.declared) / count:8.1%} "
                f"{1 - self.ever(self.misses) / count:7.1%} {power} {self.ever(self.is_shown) / count:6.0%} "
                f"{1 - self.ever(self.would_miss) / count:12.1%}")


HEAD = f"  {'stratum':66} count declared covered  power  shown  ungated cover"


def simulate(program, strata, random, show=True):
    if show:
        print(HEAD)
    found = []
    for stratum in strata:
        found.append(Experiments(program, stratum, random))
        if show:
            print(found[-1].row(), flush=True)
    return found


def significantly(count, total, promised, alternative):
    return stats.binomtest(count, total, promised, alternative=alternative).pvalue < SURE


def judge_no_difference(experiments):
    """At most 5 % of all experiments are ever declared, and no stratum has clearly more."""
    total = sum(one.stratum.count for one in experiments)
    declared = sum(one.ever(one.declared) for one in experiments)
    mismatches = sum(one.ever(one.mismatch) for one in experiments)
    return [
        Check("experiments without a difference that are ever declared", declared <= MOST_DECLARED * total,
              f"{declared} of {total} ({declared / total:.1%}, promised at most {MOST_DECLARED:.0%})"),
        *worst(experiments, "declared in", lambda one: one.ever(one.declared), MOST_DECLARED, "greater"),
        Check("experiments without a mismatch of sizes that are ever said to have one",
              not significantly(mismatches, total, MOST_MISMATCHES, "greater"),
              f"{mismatches} of {total} (promised at most {MOST_MISMATCHES:.1%})"),
    ]


def judge_coverage(experiments, kind):
    """The true difference is in all shown intervals of at least 94.5 % of the experiments."""
    total = sum(one.stratum.count for one in experiments)
    covered = total - sum(one.ever(one.misses) for one in experiments)
    return [
        Check(f"{kind} whose intervals contain the true difference at all looks", covered >= LEAST_COVERED * total,
              f"{covered} of {total} ({covered / total:.1%}, promised at least {LEAST_COVERED:.1%})"),
        *worst(experiments, "covered in", lambda one: one.stratum.count - one.ever(one.misses), LEAST_COVERED, "less"),
    ]


def judge_power(experiments):
    sized = [one for one in experiments if one.stratum.is_sized]
    total = sum(one.stratum.count for one in sized)
    found = sum(one.ever(one.better) for one in sized)
    return [
        Check(f"differences found with {worlds.SIZE_RATIO} times the fixed-horizon size", found >= LEAST_POWER * total,
              f"{found} of {total} ({found / total:.1%}, promised at least {LEAST_POWER:.0%})"),
        *worst(sized, "found in", lambda one: one.ever(one.better), LEAST_POWER, "less"),
    ]


def judge_too_early(experiments):
    small = [one for one in experiments if one.stratum.is_too_small]
    shown = [one.stratum.name for one in small if not one.too_early.all()]
    return [Check("strata with too few events are too early at every look", bool(small) and not shown,
                  f"{len(small)} strata" if not shown else f"an interval is shown in {shown}")]


def worst(experiments, verb, count, promised, alternative):
    """One check for each stratum that clearly breaks a promise."""
    return [Check(one.stratum.name, False, f"{verb} {count(one)} of {one.stratum.count} (promised {promised:.1%})")
            for one in experiments if significantly(count(one), one.stratum.count, promised, alternative)]


def judge_mismatch(program, random):
    stratum = worlds.mismatch()
    found = Experiments(program, stratum, random)
    count = int(found.mismatch[:, -1].any(axis=-1).sum())
    return [Check("1,000,000 subjects in 50.5 % and 49.5 % instead of halves are a mismatch", count == stratum.count,
                  f"in {count} of {stratum.count}")]


def judge_agreement(program, random, sets=references.SETS):
    return [Check(f"agrees with the reference on {sets} data sets: {name}", error <= references.TOLERANCE,
                  f"largest relative error {error:.1e}")
            for name, error in references.compare(program, random, sets).items()]


def judge_forecasts(program, random):
    """The forecast difference is found with the forecast power, and by the forecast day."""
    checks = []
    for base, size in ((0.001, 400_000), (0.05, 20_000), (0.5, 200)):
        line = f"forecast {worlds.ALPHA} 1 rate {base} {size} {size} {worlds.DAYS}"
        ratio, difference, _ = map(float, program.lines([f"{line} 0.1"])[0].split())
        larger = min(0.4, 1.5 * difference)
        day = int(float(program.lines([f"{line} {larger!r}"])[0].split()[2]))
        for added, until in ((difference, worlds.DAYS), (larger, day)):
            stratum = worlds.replace(worlds.rate(size, base, base + added), count=600)
            found = int(Experiments(program, stratum, random).better[:, :until].any(axis=(1, 2)).sum())
            share = found / stratum.count
            near = 0.74 <= share <= 0.88
            checks.append(Check(f"forecast for a rate of {base:.1%} and arms of {size:,}", near and ratio <= 1.8,
                                f"+{added:.3%} by day {until} is found in {share:.1%} of {stratum.count} (forecast 80 %); "
                                f"{ratio:.2f} times the fixed-horizon size"))
    return checks
