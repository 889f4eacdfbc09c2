#!/usr/bin/python3
"""Kills herald repeatedly and checks the fate of every message in the emulator's log.

    make crash                                         all runs
    Tests/Crash/crash.py --run 137:http1:64:random:mixed:1     one run again
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import forgetting
import mutants
import runs
from runs import KILLS, SYSCALLS, TRANSPORTS, Run, Spec

# Of a hundred runs, the number that is killed in each way.
WAYS = {"random": 34, "pwrite64": 11, "fdatasync": 10, "sendto": 11, "recvfrom": 12, "forget": 10, "forget-sync": 7, "forget-release": 2, "two": 3}


def specs(count, transports, levels):
    """Returns every configuration in turn, with each way of killing in its proportion."""
    ways = [way for way, share in WAYS.items() for _ in range(share)]
    found = []
    for number in range(count):
        # 61 and 100 have no common divisor: all ways occur, well mixed.
        way = ways[number * 61 % len(ways)]
        transport = transports[number % len(transports)]
        level = levels[number // len(transports) % len(levels)]
        kills = 2 + number % 3 if number % 7 == 0 else 1
        found.append(Spec(number, transport, level, way, "mixed", kills))
    return found


class Bench:
    def __init__(self, folder, workers, seconds):
        self.folder, self.workers = Path(folder), workers
        self.end = time.monotonic() + seconds
        self.library = forgetting.build(self.folder)
        self.calibration = {}

    def calibrate(self, transport, level):
        """Performs a run without a kill. It must last long enough, and shows when each system call is made."""
        spec = Spec(0, transport, level, "random", "smooth")
        folder = self.folder / f"calibration-{transport}-{level}"
        # The build with mutants is calibrated a second time.
        shutil.rmtree(folder, ignore_errors=True)
        figures = runs.calibrate(spec, folder)
        self.calibration[transport, level] = figures
        spread = ", ".join("{} to {} {}".format(*figures[name], name) for name in SYSCALLS)
        print(f"  {transport:7} {level:3} open: {figures['sends']} sends in {figures['span']:.1f} s; calls {spread}", flush=True)
        assert figures["span"] >= runs.faults.SECONDS and figures["sends"] >= runs.faults.SENDS, "too short to prove anything"

    def play(self, spec, mutant=None):
        folder = self.folder / f"run-{spec.number}{'-' + mutant if mutant else ''}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        result = Run(spec, folder, self.library, mutant, self.calibration).play()
        if result.problems and not mutant:
            print(f"\nrun {spec} failed; its files are in {folder}", *result.problems,
                  f"again: {again(spec)}", sep="\n  ", flush=True)
        else:
            shutil.rmtree(folder, ignore_errors=True)
        return result

    def play_all(self, todo):
        """Performs as many runs as time allows, in parallel. The first runs come first."""
        done = []

        def one(spec):
            if time.monotonic() < self.end:
                done.append(self.play(spec))
                if len(done) % 50 == 0:
                    print(f"  {len(done)} runs", flush=True)

        with ThreadPoolExecutor(self.workers) as pool:
            list(pool.map(one, todo))
        return done


def again(spec):
    herald = f"HERALD={os.environ['HERALD']} " if "HERALD" in os.environ else ""
    return f"{herald}Tests/Crash/crash.py --run {spec}"


def table(results):
    rows = defaultdict(list)
    for result in results:
        rows[result.spec.configuration].append(result)
    print(f"\n  {'':7} open  {'killed at':12} runs seconds kills inside  unknown most  twice allowed  forbidden  writes lost")
    for key in sorted(rows, key=lambda key: (key[0], key[1], KILLS.index(key[2]))):
        transport, level, way = key
        part = rows[key]
        print(f"  {transport:7} {level:4}  {way:12} {len(part):4} {sum(r.seconds for r in part) / len(part):7.1f} {sum(r.kills for r in part):5} "
              f"{sum(r.inside for r in part):6}  {max(r.unknown for r in part):12}  {sum(r.repeated for r in part):13}  "
              f"{sum('twice' in p for r in part for p in r.problems):9}  {sum(r.lost_writes for r in part):11}")


def verdict(results, wanted):
    """Prints the totals. Returns true if all requirements are met."""
    failed = [result for result in results if result.problems]
    kills, inside = sum(r.kills for r in results), sum(r.inside for r in results)
    killed = sum(r.kills > 0 for r in results)
    share = 100 * inside / max(1, kills)
    edits = Counter(r.edited for r in results if r.edited)
    has_edits = {"texts", "locales", "patches"} <= edits.keys() or not wanted
    is_enough = killed >= wanted and share >= 80 and has_edits
    print(f"\n{killed} runs killed {kills} times, {share:.0f} % of the kills between the first and the last request "
          f"(at least 80 % must be); {sum(r.sends for r in results)} sends, {sum(r.unknown for r in results)} unknown, "
          f"{sum(r.repeated for r in results)} accepted twice and listed; {len(failed)} runs failed"
          + ("" if killed >= wanted else f"; {wanted} runs must be killed"))
    print(f"{sum(r.is_localized for r in results)} runs with locales; edited before the recovery: {dict(edits)}"
          + ("" if has_edits else "; texts, locales and patches must be"))
    return is_enough and not failed


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=580, help="maximum number of runs")
    options.add_argument("--wanted", type=int, default=500, help="runs that must have been killed")
    options.add_argument("--first", type=int, default=0, help="the number of the first run")
    options.add_argument("--seconds", type=float, default=1_500, help="start no run after this time")
    options.add_argument("--workers", type=int, default=12, help="runs in parallel; a run mostly waits")
    options.add_argument("--folder", default=None)
    options.add_argument("--run", type=Spec.of, default=None, metavar="SPEC", help="one run, as printed by a failure")
    options.add_argument("--mutant", default=None, help="a mutant for --run; requires the build with mutants")
    options.add_argument("--mutants", default=None, metavar="BINARY", help="the build with mutants; all of them must be caught")
    options.add_argument("--transports", default=",".join(TRANSPORTS))
    chosen = options.parse_args()
    if runs.binary() is None:
        sys.exit("the herald binary is missing: build it, or name it in $HERALD")
    folder = Path(chosen.folder or tempfile.mkdtemp(prefix="herald-crash-")).resolve()
    bench = Bench(folder, chosen.workers, chosen.seconds)
    transports = chosen.transports.split(",")
    levels = (1, 8, 64)
    if chosen.run:
        if chosen.run.kill in (*SYSCALLS, "forget-sync", "forget-release"):
            bench.calibrate(chosen.run.transport, chosen.run.parallelism)
        result = bench.play(chosen.run, chosen.mutant)
        print(result)
        sys.exit(1 if result.problems else 0)
    is_good = True
    if chosen.runs:
        print("without a kill:", flush=True)
        for transport in transports:
            for level in levels:
                bench.calibrate(transport, level)
        if "tls-h2" in transports:
            runs.prove_version(Spec(0, "tls-h2", 64, "random", "refused"), folder / "version")
        results = bench.play_all(specs(chosen.first + chosen.runs, transports, levels)[chosen.first:])
        table(results)
        is_good = verdict(results, chosen.wanted)
    if chosen.mutants:
        print("mutants:", flush=True)
        is_good = mutants.hunt(bench, Path(chosen.mutants).resolve()) and is_good
    shutil.rmtree(folder, ignore_errors=True) if is_good else print(f"failed runs are in {folder}")
    print("crash: " + ("every promise held" if is_good else "FAILED"))
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
