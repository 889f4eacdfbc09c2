#!/usr/bin/python3
"""Kills, stops and cuts off the workers of a fleet, crashes its server, and checks the fate of every message.

    make crash-fleet                                   300 runs, with packet loss
    Tests/Fleet/crash.py --runs 5                      what CI runs
    Tests/Fleet/crash.py --runs 1 --seed 137           one run again

Each run has a project whose state is in PostgreSQL, an emulator, and several `herald run`. The seed determines the campaigns,
the limits, the faults and their times; processes of the machine do the rest, so a run is never quite the same again.

The exit code is 1 if a run breaks a promise, if too few kills hit a send in progress, if the judge accepts a wrong record, or
with --breaks if no run shows a broken rule.
"""

import argparse
import os
import queue
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import breaks
import wrong
from drawing import LONGEST_STOP, Drawing, Options
from fleet import Run
from judge import Judge, repeats, unexplained
from record import Reader, times
from servers import Server

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEnd"))
from herald import binary  # noqa: E402
from postgres_programs import program  # noqa: E402

# Of the kills, the share that must be between the first and the last request of their run.
INSIDE = 0.5


def judge(run):
    """Reads what a run left, and adds what is wrong."""
    record = Reader(run).read()
    outcome = run.outcome
    outcome.problems += Judge(record).judge()
    found = times(record)
    outcome.inside = sum(found[0] < kill < found[-1] for kill in run.kills)
    outcome.span = found[-1] - found[0]
    outcome.pause = max(later - earlier for earlier, later in pairwise(found))
    occurrences = record.occurrences.values()
    outcome.sends = sum(len(sent) for one in occurrences for sent in one.requests.values())
    outcome.unknown = len(unexplained(record))
    outcome.may_be_unknown = sum(source.most for source in record.sources)
    outcome.listed_twice = sum(len(repeats(one)) for one in occurrences)
    before = len(run.log.bytes())
    result = run.herald("apply", "--yes")
    run.check(result.code in (0, 4), f"a further apply: {result}")
    run.check(not run.log.requests(before), "a further apply sends")


class Bench:
    """Runs in parallel, each with a server of its own."""

    def __init__(self, options, folder, seconds):
        self.options, self.folder, self.end = options, folder, time.monotonic() + seconds
        self.slots = queue.SimpleQueue()
        self.stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self.stop.set())

    def play(self, drawing):
        """Returns nil if there is no time left."""
        if time.monotonic() > self.end or self.stop.is_set():
            return None
        slot, server = self.slots.get()
        folder = Path(tempfile.mkdtemp(prefix=f"run-{drawing.seed}-", dir=self.folder))
        run = Run(drawing, folder, server, f"herald-{os.getpid()}-{slot}", self.stop)
        try:
            run.play(judge)
        except Exception as error:  # the seed of a failed run must be printed
            run.outcome.problems.append(f"{type(error).__name__}: {str(error)[:3_000]}")
        finally:
            self.slots.put((slot, server))
        if drawing.broken:
            shutil.rmtree(folder)
        else:
            self.report(run)
        return run.outcome

    def find(self, name):
        """Returns whether a run shows a break."""
        expected = breaks.BREAKS[name].finding
        for seed in range(breaks.SEEDS):
            outcome = self.play(breaks.drawing(seed, replace(self.options, patience=40), name))
            found = [problem for problem in outcome.problems if expected in problem] if outcome else []
            if found:
                print(f"  {name}: {found[0][:200]}", flush=True)
                return True
        print(f"  {name}: not noticed; the last run says {outcome and [text[:300] for text in outcome.problems]}", flush=True)
        return False

    def report(self, run):
        one = run.outcome
        faults = ", ".join(map(str, one.faults))
        print(f"seed {one.seed}: {one.seconds:.0f} s, {one.sends:,} requests in {one.span:.0f} s, none for {one.pause:.0f} s, {one.kills} kills, "
              f"{one.ended} ends, {one.unknown} unknown of {one.may_be_unknown}, the rest took {one.rest:.0f} s; {run.drawing}; {faults}", flush=True)
        if not one.problems:
            shutil.rmtree(run.folder)
            return
        (run.folder / "problems.txt").write_text("\n\n".join([*one.problems, *run.figures()]))
        shutil.copy(run.server.path, run.folder / "server.log")
        print(f"run with seed {one.seed} failed; its files are in {run.folder}", *(text[:600] for text in one.problems[:10]),
              f"again: {again(one.seed, self.options)}", sep="\n  ", flush=True)

    def perform(self, function, inputs, parallel):
        """Calls the function for each input, with as many servers as calls at the same time."""
        with ExitStack() as stack:
            for slot in range(min(parallel, len(inputs))):
                self.slots.put((slot, stack.enter_context(Server())))
            with ThreadPoolExecutor(parallel) as pool:
                results = list(pool.map(function, inputs))
            while not self.slots.empty():
                self.slots.get()
        return results


def again(seed, options):
    more = " --namespaces" * options.has_namespaces + f" --workers {options.workers} --longest {options.longest:g}"
    herald = f"HERALD={os.environ['HERALD']} " if "HERALD" in os.environ else ""
    return f"{herald}Tests/Fleet/crash.py --runs 1 --seed {seed}{more}"


def verdict(results, wanted, missed):
    """Prints the totals. Returns whether all requirements are met.

    `missed`: the wrong records that the judge accepts, and the breaks that no run shows.
    """
    failed = [one.seed for one in results if one.problems]
    kills, inside = sum(one.kills for one in results), sum(one.inside for one in results)
    kinds = Counter(kind for one in results for kind in one.played)
    print(f"\n{len(results)} runs, {sum(one.sends for one in results):,} requests; faults: "
          + ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()))
    print(f"{kills} kills, {inside} between the first and the last request; {sum(one.unknown for one in results)} requests unknown "
          f"of at most {sum(one.may_be_unknown for one in results)}; {sum(one.listed_twice for one in results)} sent twice and listed; "
          f"no requests for at most {max((one.pause for one in results), default=0):.0f} s; "
          f"everything ended {max((one.rest for one in results), default=0):.0f} s after the last fault at the latest")
    if len(results) < wanted:
        print(f"only {len(results)} of {wanted} runs were performed in time")
    is_good = not failed and not missed and len(results) == wanted and inside >= INSIDE * kills
    print("crash-fleet: " + ("every promise held" if is_good else f"FAILED; seeds of failed runs: {failed}"))
    return is_good


def check_tools(options):
    """Ends with the name of a missing tool."""
    if binary() is None:
        sys.exit("the herald binary is missing: build it, or name it in $HERALD")
    for name in ("postgres", "pgbouncer", *(("ip", "nft", "nsenter") if options.has_namespaces else ())):
        program(name)
    if options.has_namespaces and os.getuid() != 0:
        sys.exit("network namespaces need root")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the first run; each further one is higher by one")
    parser.add_argument("--namespaces", action="store_true", help="workers in network namespaces, with packet loss; needs root")
    parser.add_argument("--workers", type=int, default=4, help="processes of each fleet")
    parser.add_argument("--parallel", type=int, default=4, help="runs at the same time; a run mostly waits")
    parser.add_argument("--longest", type=float, default=LONGEST_STOP, help="seconds that a worker is stopped or cut off at most")
    parser.add_argument("--restarts", action="store_true", help="a worker may end by itself, and is started again")
    parser.add_argument("--breaks", action="store_true", help="first check that broken rules of the protocol are noticed")
    parser.add_argument("--seconds", type=float, default=7_200, help="start no run after this time")
    parser.add_argument("--folder", default=None, help="the folder of the runs; failed ones are kept")
    chosen = parser.parse_args()
    options = Options(chosen.workers, chosen.namespaces, longest=chosen.longest, restarts=chosen.restarts)
    check_tools(options)
    missed = wrong.hunt()
    print(f"{len(wrong.WRONG)} wrong records, of which the judge accepts {len(missed)}", *missed, sep="\n  ", flush=True)
    folder = Path(tempfile.mkdtemp(prefix="herald-fleet-", dir=chosen.folder)).resolve()
    print(f"{chosen.runs} runs from seed {chosen.seed}, {chosen.workers} workers", flush=True)
    bench = Bench(options, folder, chosen.seconds)
    if chosen.breaks:
        print("with a broken rule:", flush=True)
        names = list(breaks.BREAKS)
        missed += [name for name, found in zip(names, bench.perform(bench.find, names, chosen.parallel)) if not found]
    drawings = [Drawing(seed, options) for seed in range(chosen.seed, chosen.seed + chosen.runs)]
    results = [outcome for outcome in bench.perform(bench.play, drawings, chosen.parallel) if outcome]
    is_good = verdict(results, chosen.runs, missed)
    if not any(one.problems for one in results):
        shutil.rmtree(folder)
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
