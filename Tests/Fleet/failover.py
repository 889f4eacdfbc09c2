#!/usr/bin/python3
"""Kills the primary of a replicated state while a fleet sends, and judges the emulator's log.

    Tests/Fleet/failover.py                                     30 failovers, 10 of them asynchronous
    Tests/Fleet/failover.py --failovers 5 --asynchronous 2      what CI runs

Three PostgreSQL servers run under Patroni with etcd and HAProxy. In the asynchronous failovers, replication is cut some
time before the kill, so that the new primary has lost the last commits. In some failovers, a worker is killed, too.

The exit code is 1 if a send was lost, if a possible double is not named, if more than one of ten failovers ended with a held
occurrence, if a failover was not the one that the test wants, or if the judge accepts a wrong record.
"""

import argparse
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import wrong_failovers
from phase import HELD, Phase

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEnd"))
from herald import binary  # noqa: E402
from postgres_programs import program  # noqa: E402


def check_tools():
    """Ends with the name of a missing tool."""
    if binary() is None:
        sys.exit("the herald binary is missing: build it, or name it in $HERALD")
    for name in ("etcd", "haproxy", "patroni", "postgres", "psql"):
        try:
            program(name)
        except AssertionError:
            sys.exit(f"{name} is missing: Scripts/install-packages.sh patroni")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--failovers", type=int, default=30)
    options.add_argument("--asynchronous", type=int, default=10, help="how many of them lose commits")
    options.add_argument("--registrations", type=int, default=40_000, help="of the list that each campaign addresses")
    options.add_argument("--short", type=int, default=500, help="registrations of another list that is sent at the same time")
    options.add_argument("--own", type=int, default=300, help="registrations of the list that the service sends itself")
    options.add_argument("--workers", type=int, default=4)
    options.add_argument("--ttl", type=int, default=5, help="seconds after which Patroni elects another primary")
    options.add_argument("--restarts", action="store_true", help="a worker may end by itself, and is started again")
    options.add_argument("--seed", type=int, default=int(time.time()))
    chosen = options.parse_args()
    check_tools()
    # `finally` and `with` end the servers.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    folder = Path(tempfile.mkdtemp(prefix="herald-failover-")).resolve()
    begin = time.monotonic()
    counts = {True: chosen.failovers - chosen.asynchronous, False: chosen.asynchronous}
    phases = [Phase(chosen, folder, is_synchronous, count) for is_synchronous, count in counts.items() if count]
    for phase in phases:
        phase.play()
    held = sum(phase.held_failovers for phase in phases)
    problems = [f"the judge is wrong: {missed}" for missed in wrong_failovers.hunt()]
    problems += [problem for phase in phases for problem in phase.problems]
    if held > HELD * chosen.failovers:
        problems.append(f"{held} of {chosen.failovers} failovers ended with a held occurrence")
    for problem in problems[:30]:
        print(f"  problem: {problem}")
    print(f"{chosen.failovers} failovers, {held} with a held occurrence, {len(problems)} problems, after "
          f"{time.monotonic() - begin:.0f} s; seed {chosen.seed}")
    if problems:
        print(f"the files are in {folder}")
        sys.exit(1)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
