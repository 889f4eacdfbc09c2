#!/usr/bin/python3
"""Kills herald in every stage of a rollout, and judges the emulator's log.

    make crash-rollout                                        100 runs
    Tests/Rollout/crash.py --runs 5 --seed 7                  what CI runs
    Tests/Rollout/crash.py --runs 1 --seed 137                one run again

Each run sends a list in four stages with pauses, under `herald apply` or `herald run`, with the state in SQLite or PostgreSQL.
From 8 % of the list on, the emulator rejects every request. The rollout must stop, and continues after the repair. The process is
killed (SIGKILL) at a random moment of every stage, and started again.

The judge reads the emulator's log on disk, and from herald only the number of unknown outcomes and why the rollout stopped:

- No registration is addressed twice. One that was never addressed is among the unknown outcomes.
- No request of a stage comes before the last request of the stage before it, or before the pause after that.
- After the failures met `stop_when`, at most `max_unknown` further requests were sent. The stop names FCM's code.
- Nothing is sent after the end.

The exit code is 1 if a run breaks a promise, if too few kills hit a stage in progress, or if the judge accepts a wrong record.
"""

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path

import judge
from rollout import STAGES, Run, Spec

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEnd"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Fleet"))
from herald import binary  # noqa: E402
from servers import Server  # noqa: E402

# Of the kills, the share that must hit a stage in progress.
INSIDE = 0.5


class Bench:
    def __init__(self, folder, server, keeps):
        self.folder, self.server, self.keeps = Path(folder), server, keeps

    def play(self, spec):
        run = Run(spec, Path(tempfile.mkdtemp(prefix=f"run-{spec.seed}-", dir=self.folder)), self.server)
        begin = time.monotonic()
        try:
            record = run.play()
            run.problems += judge.judge(record)
            run.problems += judge.accepted_wrong(record)
        except Exception as error:  # the seed of a failed run must be printed
            run.problems.append(f"{type(error).__name__}: {str(error)[:3_000]}")
        print(f"{spec}: {time.monotonic() - begin:.0f} s, {run.figures()}", flush=True)
        if run.problems:
            print(f"run with seed {spec.seed} failed; its files are in {run.folder}", *(text[:600] for text in run.problems[:10]),
                  f"again: Tests/Rollout/crash.py --runs 1 --seed {spec.seed}", sep="\n  ", flush=True)
        elif not self.keeps:
            shutil.rmtree(run.folder)
        return run


def verdict(runs):
    """Prints the totals. Returns true if all requirements are met."""
    failed = [run for run in runs if run.problems]
    kills = Counter(stage for run in runs for stage in run.kills)
    inside, all_kills = sum(run.inside for run in runs), sum(kills.values())
    unhit = set(range(STAGES)) - kills.keys() if len(runs) >= 5 else set()
    print(f"\n{len(runs)} runs with {all_kills} kills, {inside} of them with requests in flight or to come in their stage; "
          f"kills by stage: {', '.join(f'{stage + 1}: {kills[stage]}' for stage in sorted(kills))}; "
          f"{sum(run.unknown for run in runs)} unknown outcomes; {len(failed)} runs failed")
    if unhit:
        print(f"no kill hit the stages {sorted(stage + 1 for stage in unhit)}")
    return not failed and not unhit and inside >= INSIDE * all_kills


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=100)
    options.add_argument("--seed", type=int, default=1, help="the seed of the first run; each further run adds one")
    options.add_argument("--parallel", type=int, default=5, help="runs at the same time; a run mostly waits")
    options.add_argument("--store", choices=("sqlite", "postgres"), default=None)
    options.add_argument("--command", choices=("apply", "run"), default=None)
    options.add_argument("--keep", action="store_true", help="keep the files of all runs")
    chosen = options.parse_args()
    if binary() is None:
        sys.exit("the herald binary is missing: build it, or name it in $HERALD")
    folder = Path(tempfile.mkdtemp(prefix="herald-rollout-"))
    specs = [Spec.of(seed, chosen.store, chosen.command) for seed in range(chosen.seed, chosen.seed + chosen.runs)]
    needs_server = any(spec.store == "postgres" for spec in specs)
    with Server() if needs_server else nullcontext() as server:
        bench = Bench(folder, server, chosen.keep)
        with ThreadPoolExecutor(chosen.parallel) as pool:
            runs = list(pool.map(bench.play, specs))
    is_good = verdict(runs)
    if is_good and not chosen.keep:
        shutil.rmtree(folder)
    else:
        print(f"files are in {folder}")
    print("crash-rollout: " + ("every promise held" if is_good else f"FAILED; the seed is {chosen.seed}"))
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
