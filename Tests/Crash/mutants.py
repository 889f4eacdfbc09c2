"""Thirteen deliberate faults in Herald. Each must be detected, and the build without them must pass."""

import os
from concurrent.futures import ThreadPoolExecutor

import commands
import runs
from runs import Spec

# The kind of run that shows each fault best; run numbers start at FIRST.
FIRST = 9_000
HUNTS = {
    "ledger-after-send": ("http1", 64, "forget-release", "smooth"),
    "outcome-before-answer": ("http1", 64, "random", "withheld"),
    "released-is-intended": ("http1", 64, "random", "smooth"),
    "503-is-undelivered": ("http1", 64, "random", "unavailable"),
    "post-fields": ("http1", 64, "random", "cut"),
    "no-lock": ("http1", 64, "two", "smooth"),
    "mark-ignored": ("http1", 64, "random", "smooth"),
    "synchronous-normal": ("http1", 64, "forget", "smooth"),
    "unnoted-write": ("http1", 64, "random", "smooth"),
    "repeats-data": ("http1", 64, "random", "unavailable"),
    "wrong-locale": ("http1", 64, "random", "locales"),
}
# Faults that no kill shows, and the check of one command that does.
CHECKS = {"first-topic-only": commands.test_topic_problems, "unsynced-plan": commands.plan_file_problems}
# Problems that prove a violated guarantee. A run that stops for another reason (a time limit, a trap) proves nothing.
PROOFS = ("lost silently", "accepted twice and not listed", "recorded as accepted, but never accepted",
          "repeated against the policy", "sent with another text")
# The number of runs after which a mutant counts as not caught.
TRIES = 6


def hunt(bench, binary):
    """Returns true if each mutant is caught and the same runs find nothing in the same build without a mutant."""
    before = os.environ.get("HERALD")
    if has_mutants(runs.binary()) or not has_mutants(binary):
        print("  the build without mutants has them, or the one with them has none", flush=True)
        return False
    os.environ["HERALD"] = str(binary)
    try:
        if ("http1", 64) not in bench.calibration:
            bench.calibrate("http1", 64)
        with ThreadPoolExecutor(bench.workers) as pool:
            caught = list(pool.map(lambda item: chase(bench, *item), enumerate(HUNTS.items())))
        caught += [examine(bench, *item) for item in CHECKS.items()]
    finally:
        os.environ.pop("HERALD")
        if before:
            os.environ["HERALD"] = before
    return all(caught)


def examine(bench, mutant, find_problems):
    innocent = find_problems(bench.folder / f"{mutant}-off")
    found = find_problems(bench.folder / f"{mutant}-on", mutant)
    if innocent:
        print(f"  {mutant:22} not examined, because the build without it fails: {innocent[0][:110]}", flush=True)
    else:
        print(f"  {mutant:22} " + (f"caught: {found[0][:110]}" if found else "NOT caught"), flush=True)
    return bool(found) and not innocent


def has_mutants(binary):
    return b"outcome-before-answer" in binary.read_bytes()


def chase(bench, place, item):
    mutant, kind = item
    for number in range(TRIES):
        spec = Spec(FIRST + 10 * place + number, *kind)
        innocent = bench.play(spec)
        if innocent.problems:
            return False
        found = bench.play(spec, mutant)
        proof = [problem for problem in found.problems if problem.startswith(PROOFS)]
        if proof:
            print(f"  {mutant:22} caught by run {spec}: {proof[0][:110]}", flush=True)
            return True
    print(f"  {mutant:22} NOT caught in {TRIES} runs like {Spec(FIRST + 10 * place, *kind)}", flush=True)
    return False
