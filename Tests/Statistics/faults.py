"""Deliberate faults of the module. The judge must catch each of them."""

import numpy as np

import judge
import worlds

FIXED_HORIZON = [
    ("Difference.swift", "        let bound = mixture.bound(at: sum.variance, alpha: alpha)\n"
     "        return Interval(around: estimate, halfWidth: bound / harmonicSize)",
     "        fixedHorizonInterval(alpha: alpha)"),
    ("Difference.swift", "        mixture.pValue(sum: sum.value, variance: sum.variance)",
     "        2 * NormalDistribution.cumulative(-abs(estimate) / variance.squareRoot())"),
]
NEVER_TOO_EARLY = [
    ("Difference.swift", "minimumEffectiveSize = 50.0", "minimumEffectiveSize = 0.0"),
    ("Arm.swift", "Double(successes + 1) / Double(subjects + 2)", "Double(successes) / Double(subjects)"),
]
CHI_SQUARE = [("RatioCheck.swift", "pValue <= Self.limit", "fixedHorizonPValue <= Self.limit")]
UNADJUSTED = [("Holm.swift", "Double(pValues.count - rank) * pValues[index]", "Double(min(1, rank + 1)) * pValues[index]"),
              ("Design.swift", "alpha / Double(split.comparisons)", "alpha")]
# The variance of an adjusted outcome without that of the covariate's part.
CUPED = [("CUPED.swift", "(2 * covariate.products - theta * covariate.squares)", "2 * covariate.products")]


def no_difference(program, random):
    strata = [one for one in worlds.without_difference() if one.kind == "arrivals"]
    return judge.judge_no_difference(judge.simulate(program, strata, random, show=False))


def coverage(program, random):
    strata = [one for one in worlds.with_difference() if one.kind == "arrivals"]
    return judge.judge_coverage(judge.simulate(program, strata, random, show=False), "experiments with a difference")


def few_events(program, random):
    return judge.judge_coverage(judge.simulate(program, worlds.few_events(), random, show=False),
                                "experiments with too few events")


def agreement(program, random):
    return judge.judge_agreement(program, random, sets=60)


FAULTS = {
    "fixed-horizon intervals, experiments without a difference": (FIXED_HORIZON, no_difference),
    "fixed-horizon intervals, experiments with one": (FIXED_HORIZON, coverage),
    "intervals that are never too early": (NEVER_TOO_EARLY, few_events),
    "a chi-square test of the sizes at every look": (CHI_SQUARE, no_difference),
    "no adjustment for several arms": (UNADJUSTED, agreement),
    "too small a variance after CUPED": (CUPED, agreement),
}


def hunt(build, seed, names):
    """Returns whether every fault of these names breaks a promise. `build`: compiles the module with edits."""
    caught = True
    programs = {}
    for name in names:
        edits, judged = FAULTS[name]
        key = id(edits)
        programs[key] = programs.get(key) or build(edits)
        broken = [check for check in judged(programs[key], np.random.default_rng(seed)) if not check.is_kept]
        caught = caught and bool(broken)
        print(f"  {name}: {f'caught, {broken[0].name}: {broken[0].text}' if broken else 'NOT caught'}", flush=True)
    return caught
