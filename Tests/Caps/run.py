#!/usr/bin/python3
"""Sends 40 campaigns in 30 virtual days under a frequency cap, and judges the emulator's log.

    Tests/Caps/run.py                      100,000 people
    Tests/Caps/run.py --people 10000       what CI runs

Two virtual clocks run side by side: that of herald's process and that of the emulator. At each due time, `herald apply
--due` or `herald run --once` sends, and the emulator rejects, loses and delays some messages. Some sends last beyond
midnight or into quiet hours, and some are killed. Then the judge counts what each person got.

The exit code is 1 if a person was over the cap, was suppressed under it, or got a message in quiet hours, if herald's
counts differ from the log, or if a judge with a wrong rule finds nothing.
"""

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

import judge
from driver import Driver, text
from herald import Project, binary
from record import ACCEPTED, NOT_SENT, REJECTED, UNKNOWN
from world import CAP, DAYS, START, World

# The people that a wrong judge looks at, at least; a person in so many.
SAMPLE = 1_500
# The largest share of decisions about which the log leaves open on which day they fall.
OPEN_SHARE = 0.02


def knows_zones(folder):
    """Returns whether quiet hours may wait for lists with a `timezone` column."""
    world = World(0, 10, DAYS, by_recipient=True)
    project = Project(Path(folder) / "probe")
    world.write(project, 0)
    done = project.herald("plan", now=text(START))
    refused = "does not support quiet hours in the recipients' zones" in done.err
    return not refused and bool(done.expect(0))


def print_figures(driver, record, findings):
    kinds, figures = record.kinds, findings.figures
    print(f"{len(record.occurrences)} occurrences in {len(record.launches)} runs of {driver.seconds:.0f} s; "
          f"requests: {kinds[ACCEPTED]:,} accepted, {kinds[REJECTED]:,} rejected, {kinds[UNKNOWN]:,} unknown, "
          f"{kinds[NOT_SENT]:,} refused for quota; {len(record.dead):,} dead registrations")
    cut_off = sum(len(o.cut_off) for o in record.occurrences.values())
    print(f"{figures['addressed']:,} times a person was addressed, {figures['suppressed']:,} times suppressed; "
          f"{cut_off:,} requests cut off by kills; {figures['crossed']:,} people addressed after midnight in a send that "
          f"began before; {figures['outside quiet hours']:,} sends that waited for quiet hours")
    print(f"the emulator needed {driver.emulator_memory:.0f} MB")


def judged(world, record):
    """Prints what the judge found. Returns whether Herald kept every promise, and the findings."""
    findings = judge.Judge(world, record).judge()
    problems = [*judge.missing(world, record), *judge.count_mismatches(world, record), *findings.violations]
    figures = findings.figures
    share = figures["open"] / max(1, figures["addressed"] + figures["suppressed"])
    if share > OPEN_SHARE:
        problems.append(f"the log leaves {share:.1%} of the decisions open")
    for problem in problems[:20]:
        print(f"  {problem}")
    print(f"{len(problems):,} violations; a cap of {CAP['day']} a day and {CAP['week']} a week")
    return not problems, findings


def hunt(world, record):
    """Judges with wrong rules. Returns whether each of them finds violations."""
    caught = True
    print("judges with a wrong rule:")
    sample = max(1, world.count // SAMPLE)
    for name, rules in judge.MUTANTS.items():
        count = (len(judge.Judge(world, record, rules, sample).judge().violations)
                 or len(judge.Judge(world, record, rules).judge().violations))
        caught = caught and count > 0
        print(f"  {name}: {count:,} violations" + ("" if count else ", so this run shows nothing about the rule"))
    return caught


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--people", type=int, default=100_000)
    options.add_argument("--days", type=int, default=DAYS)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--folder", default=None, help="the folder of the project; kept after a failure")
    options.add_argument("--no-wrong-rules", action="store_true", help="do not check that wrong rules are noticed")
    chosen = options.parse_args()
    if binary() is None:
        sys.exit("the herald binary is missing: build it, or name it in $HERALD")
    folder = Path(tempfile.mkdtemp(prefix="herald-caps-", dir=chosen.folder)).resolve()
    begin = time.monotonic()
    by_recipient = knows_zones(folder)
    world = World(chosen.seed, chosen.people, chosen.days, by_recipient)
    print(f"{chosen.people:,} people, {world.registrations / chosen.people:.2f} devices each, {len(world.campaigns)} "
          f"campaigns, {chosen.days} days, seed {chosen.seed}; quiet hours of the "
          + ("recipients" if by_recipient else "campaigns"), flush=True)
    driver = Driver(world, folder)
    try:
        record = driver.play()
    except BaseException:
        print(f"failed on {driver.now:%Y-%m-%d %H:%M}; the files are in {folder}")
        raise
    is_good, findings = judged(world, record)
    print_figures(driver, record, findings)
    if not chosen.no_wrong_rules:
        is_good = hunt(world, record) and is_good
    print(f"caps: {'every promise held' if is_good else 'FAILED'}, after {time.monotonic() - begin:.0f} s")
    shutil.rmtree(folder) if is_good else print(f"again: --people {chosen.people} --days {chosen.days} --seed "
                                                f"{chosen.seed}; the files are in {folder}")
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
