#!/usr/bin/python3
"""Sends 40 campaigns in 30 virtual days with a global hold-out, and looks for held-out people in the emulator's log.

    Tests/Experiments/holdout.py                                 100,000 people
    Tests/Experiments/holdout.py --people 1500 --days 4          what CI runs

The world is that of Tests/Caps: lists by identity with several devices, frequency caps, quiet hours, rejected and lost
messages, killed runs, and lists that change. A third of the campaigns have variants, and another third a hold-out of
their own. Python's hashlib computes each person's arm.

The exit code is 1 if the log has a message to a person that the project or the campaign holds out, or one of another
variant; if other people got too little; or if a judge with a wrong rule finds nothing.
"""

import argparse
import hashlib
import json
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Caps"))
import world as caps  # noqa: E402
from driver import Driver  # noqa: E402
from herald import binary  # noqa: E402

PROJECT = "e2e"
GLOBAL_HOLDOUT, HOLDOUT = 0.1, 0.2
VARIANTS = {"plain": 1, "long": 3}
BODIES = {"plain": "Plain", "long": "Long"}
# The least share of the other people that get a message in the whole time. All are in the list of some campaigns.
REACHED = 0.9
# The least numbers of campaigns of each kind with sends.
FEWEST = 3


def point(experiment, subject, project=PROJECT):
    digest = hashlib.sha256(f"{project}\0{experiment}\0{subject}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


class World(caps.World):
    """The world of the caps without campaigns to topics, which a global hold-out does not allow."""

    def make_campaigns(self):
        caps.TOPICS = ()
        super().make_campaigns()
        self.kinds = {campaign.name: ("plain", "variants", "holdout")[number % 3]
                      for number, campaign in enumerate(self.campaigns)}

    def write(self, project, half):
        super().write(project, half)
        (project.folder / "campaigns/members.yaml").unlink()
        text = (project.folder / "herald.yaml").read_text()
        project.write("herald.yaml", f"{text}global_holdout: {GLOBAL_HOLDOUT:.0%}\n")

    def document(self, campaign):
        text, kind = super().document(campaign), self.kinds[campaign.name]
        if kind == "holdout":
            text += f"holdout: {HOLDOUT:.0%}\n"
        if kind == "variants":
            text += "variants:\n" + "".join(
                f"  {name}: {{ weight: {weight}, message: {{ notification: {{ body: {BODIES[name]} }} }} }}\n"
                for name, weight in VARIANTS.items())
        return text


class Rules:
    """What the judge believes about assignments; with other rules it must find violations."""

    def __init__(self, **changes):
        self.share = changes.get("share", GLOBAL_HOLDOUT)
        self.name = changes.get("name", "global_holdout")
        self.project = changes.get("project", PROJECT)
        self.holdout = changes.get("holdout", HOLDOUT)
        self.variants = changes.get("variants", VARIANTS)
        self.by_registration = changes.get("by_registration", False)

    def is_held_globally(self, subject):
        return point(self.name, subject, self.project) < self.share

    def body(self, kind, campaign, subject):
        """Returns the body that a person gets; None if the campaign holds the person out."""
        place = point(campaign, subject, self.project)
        if kind == "holdout":
            return None if place < self.holdout else ""
        if kind == "plain":
            return ""
        end = 0.0
        for name, weight in self.variants.items():
            end += weight / sum(self.variants.values())
            if place < end:
                return BODIES[name]
        return BODIES[name]


WRONG = {
    "the global hold-out is larger": Rules(share=GLOBAL_HOLDOUT + 0.05),
    "another experiment assigns the global hold-out": Rules(name="holdout"),
    "the hash is that of another project": Rules(project="other"),
    "the campaigns' hold-outs are larger": Rules(holdout=HOLDOUT + 0.05),
    "the variants have other weights": Rules(variants={"plain": 2, "long": 2}),
    "registrations are assigned, not people": Rules(by_registration=True),
}


class Judge:
    """Reads the log on disk, and nothing else."""

    def __init__(self, world, path):
        self.world = world
        self.sends = Counter()
        with open(path, "rb") as file:
            for line in file:
                if b"/messages:send" not in line:
                    continue
                message = json.loads(line)["body"]["message"]
                notification = message["notification"]
                self.sends[notification["title"], notification.get("body", ""), message["token"]] += 1

    def violations(self, rules):
        """Returns the numbers of wrong messages, by what is wrong with them."""
        found, arms = Counter(), {}
        for campaign, body, registration in self.sends:
            person = registration if rules.by_registration else self.world.owners[registration].name
            if person not in arms:
                arms[person] = rules.is_held_globally(person)
            if arms[person]:
                found["messages to people that the project holds out"] += 1
            wanted = rules.body(self.world.kinds[campaign], campaign, person)
            if wanted is None:
                found["messages to people that the campaign holds out"] += 1
            elif wanted != body:
                found["messages of another variant"] += 1
        return found

    def shortfalls(self, rules):
        """Returns what the log should have; otherwise a program that sends nothing would be right."""
        problems = []
        reached = {self.world.owners[registration].name for _, _, registration in self.sends}
        others = [person.name for person in self.world.people if not rules.is_held_globally(person.name)]
        share = sum(name in reached for name in others) / len(others)
        self.held = len(self.world.people) - len(others)
        if share < REACHED:
            problems.append(f"only {share:.1%} of the people that are not held out got a message")
        campaigns = Counter(self.world.kinds[name] for name in {campaign for campaign, _, _ in self.sends})
        problems += [f"only {campaigns[kind]} campaigns with {kind} have sent"
                     for kind in ("plain", "variants", "holdout") if campaigns[kind] < FEWEST]
        return problems


def judge(world, path):
    """Prints what the log has; returns whether every promise held."""
    found = Judge(world, path)
    problems = found.shortfalls(Rules())
    wrong = found.violations(Rules())
    print(f"{sum(found.sends.values()):,} requests; {found.held:,} of {len(world.people):,} people are held out globally")
    problems += [f"{count:,} {what}" for what, count in wrong.items()]
    for name, rules in WRONG.items():
        count = sum(found.violations(rules).values())
        print(f"  if {name}: {count:,} violations")
        if not count:
            problems.append(f"a judge with a wrong rule finds nothing: {name}")
    print(*problems, sep="\n", end="\n" if problems else "")
    return not problems


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--people", type=int, default=100_000)
    options.add_argument("--days", type=int, default=caps.DAYS)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--folder", default=None, help="the folder of the project; kept after a failure")
    chosen = options.parse_args()
    if binary() is None:
        sys.exit("the herald binary is missing: build it, or name it in $HERALD")
    folder = Path(tempfile.mkdtemp(prefix="herald-holdout-", dir=chosen.folder)).resolve()
    begin = time.monotonic()
    world = World(chosen.seed, chosen.people, chosen.days, by_recipient=True)
    print(f"{chosen.people:,} people, {len(world.campaigns)} campaigns, {chosen.days} days, seed {chosen.seed}", flush=True)
    driver = Driver(world, folder)
    try:
        driver.play()
    except BaseException:
        print(f"failed on {driver.now:%Y-%m-%d %H:%M}; the files are in {folder}")
        raise
    holds = judge(world, driver.project.log.path)
    print(f"hold-out: {'every promise held' if holds else 'FAILED'}, after {time.monotonic() - begin:.0f} s")
    shutil.rmtree(folder) if holds else print(f"again: --people {chosen.people} --days {chosen.days} --seed "
                                              f"{chosen.seed}; the files are in {folder}")
    sys.exit(0 if holds else 1)


if __name__ == "__main__":
    main()
