#!/usr/bin/env python3
"""Judges the statistics of experiments by reference implementations and by simulated experiments.

    make statistics                                   installs the references and runs this
    .venv-statistics/bin/python Tests/Statistics/run.py --seed 7
    .venv-statistics/bin/python Tests/Statistics/run.py --slice    a tenth of the experiments; what CI runs

A small Swift program, compiled from the module Statistics, evaluates experiments that NumPy draws. The exit code
is 1 if

- 500 data sets do not agree to 1e-6 with confseq, scipy and statsmodels
- more than 5 % of 4,000 experiments without a difference are declared at any of 30 daily looks
- the intervals of less than 94.5 % of 3,400 experiments contain the true difference at all looks
- less than 80 % of the differences are found with 1.8 times the fixed-horizon size
- an interval is shown for rates of 0.1 % in arms of 200
- a forecast difference is found clearly more or less often than forecast
- or the judge does not catch a module with a deliberate fault
"""

import argparse
import itertools
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

import faults
import judge
import references
import worlds
from program import Program

# What a slice compares and breaks.
SLICE_SETS = 60
SLICE_FAULTS = ("no adjustment for several arms",)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1, help="seed of all draws (default: 1)")
    parser.add_argument("--slice", action="store_true", help="a tenth of the experiments, few data sets, one fault")
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        numbers = itertools.count()

        def build(edits=()):
            place = Path(folder) / str(next(numbers))
            place.mkdir()
            return Program(place, edits)

        def drawn(strata):
            return [replace(one, count=max(10, one.count // 10)) for one in strata] if options.slice else strata

        program = build()
        print(f"seed {options.seed}; experiments without a difference:")
        same = judge.simulate(program, drawn(worlds.without_difference()), random)
        print("experiments with a difference:")
        different = judge.simulate(program, drawn(worlds.with_difference()), random)
        print("experiments with too few events:")
        few = judge.simulate(program, drawn(worlds.few_events()), random)
        checks = [
            *judge.judge_agreement(program, random, sets=SLICE_SETS if options.slice else references.SETS),
            *judge.judge_no_difference(same),
            *judge.judge_coverage(same, "experiments without a difference"),
            *judge.judge_coverage(different, "experiments with a difference"),
            *judge.judge_coverage(few, "experiments with too few events"), *judge.judge_power(different),
            *judge.judge_too_early(same + different), *judge.judge_mismatch(program, random),
            *([] if options.slice else judge.judge_forecasts(program, random)),
        ]
        print("checks:", *checks, sep="\n")
        print("modules with a deliberate fault:")
        caught = faults.hunt(build, options.seed, SLICE_FAULTS if options.slice else tuple(faults.FAULTS))
    kept = all(check.is_kept for check in checks)
    print(f"{'all promises are kept' if kept and caught else 'BROKEN PROMISES'}; {time.monotonic() - begin:.0f} s")
    return 0 if kept and caught else 1


if __name__ == "__main__":
    sys.exit(main())
