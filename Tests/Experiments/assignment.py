#!/usr/bin/python3
"""Sends an experiment to 1,000,000 people from two machines, and compares each person's arm with Python's hashlib.

    Scripts/with-postgres.sh Tests/Experiments/assignment.py HERALD SINK                    1,000,000 people
    Scripts/with-postgres.sh Tests/Experiments/assignment.py HERALD SINK --people 10000     what CI runs

Two working folders stand for two machines: one has its state in SQLite, the other one in PostgreSQL
(HERALD_TEST_POSTGRES). Each plans and sends the same experiment with three variants, a hold-out and a global
hold-out. SINK, the sink of the benchmark of sending, writes down which registration got which title. Then a variant of
weight 0 is added, and everything is planned and sent again.

The exit code is 1 if a registration got another title than the hash gives, or none, or two; if a share differs from its
weight by more than 0.5 %; if a plan or `herald results` counts differently; or if `herald results` needs too much
memory.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/EndToEnd"))
from postgres_programs import program  # noqa: E402

PROJECT, EXPERIMENT = "tides", "spring"
# Every tenth person has a second registration.
SECOND = 10
WEIGHTS = {"plain": 2, "short": 1, "long": 1}
HOLDOUT, GLOBAL_HOLDOUT = 0.1, 0.05
# The largest difference between a share and its weight, as a share of all people.
SHARE_ERROR = 0.005
# `herald results` may need so many megabytes more than for a tenth of the people.
GROWTH = 60
LONGEST = 900
TITLES = {"plain": "High tide", "short": "Tide!", "long": "The tide comes in"}


def point(experiment, subject):
    return int.from_bytes(hashlib.sha256(f"{PROJECT}\0{experiment}\0{subject}".encode()).digest()[:8], "big") / 2**64


def arm(subject):
    """Returns the variant of a person, `holdout`, or `global_holdout`."""
    if point("global_holdout", subject) < GLOBAL_HOLDOUT:
        return "global_holdout"
    place, end = point(EXPERIMENT, subject), HOLDOUT
    if place < end:
        return "holdout"
    for name, weight in WEIGHTS.items():
        end += (1 - HOLDOUT) * weight / sum(WEIGHTS.values())
        if place < end:
            return name
    return name


def resident_peak(process):
    """Returns the most memory that a process has had, in megabytes; None after its end.

    The usage that the kernel reports after its end also has the memory of Python, before it became another program.
    """
    try:
        text = Path(f"/proc/{process}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    found = re.search(r"^VmHWM:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) / 1_000 if found else None


class People:
    """The people of the list, and the arm of each one."""

    def __init__(self, count):
        self.rows, self.arms = {}, {}
        for number in range(count):
            person = f"user-{number}"
            self.arms[person] = arm(person)
            for place in range(1 + (number % SECOND == 0)):
                self.rows[f"phone-{number}-{place}:APA91b-{number * 0x9E3779B97F4A7C15 % (1 << 64):016x}"] = person

    def write(self, path):
        with open(path, "w", encoding="ascii") as file:
            file.write("registration,user\n")
            file.writelines(f"{registration},{person}\n" for registration, person in self.rows.items())

    def titles(self):
        """Returns the title of each registration that gets a message."""
        return {registration: TITLES[self.arms[person]] for registration, person in self.rows.items()
                if self.arms[person] in TITLES}

    def shares(self):
        """Returns the largest difference between the share of an arm and its weight."""
        counts, total = Counter(self.arms.values()), len(self.arms)
        rest = 1 - GLOBAL_HOLDOUT
        wanted = {"global_holdout": GLOBAL_HOLDOUT, "holdout": rest * HOLDOUT} | {
            name: rest * (1 - HOLDOUT) * weight / sum(WEIGHTS.values()) for name, weight in WEIGHTS.items()}
        return max(abs(counts[name] / total - share) for name, share in wanted.items())


class Sink:
    """A sink that writes down the title of each send."""

    def __init__(self, path, folder):
        self.folder = folder
        folder.mkdir()
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=127.0.0.1", "-out", folder / "certificate.pem", "-keyout", folder / "key.pem"],
            check=True, capture_output=True)
        self.process = subprocess.Popen([path, folder, "titles"], stdout=subprocess.PIPE, text=True)
        self.url = f"http://127.0.0.1:{self.process.stdout.readline().split()[0]}"

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    def sends(self, start):
        """Returns the registrations with their titles from a byte offset on, and the new offset."""
        with open(self.folder / "titles", encoding="utf-8") as file:
            file.seek(start)
            lines = file.read()
        return [line.split(" ", 1) for line in lines.splitlines()], start + len(lines)


class Machine:
    """A working folder with its own copies of the project and of what Herald remembers."""

    def __init__(self, name, herald, sink, folder, database=None):
        self.name, self.herald, self.folder = name, herald, folder / name
        self.environment = {"PATH": os.environ["PATH"], "XDG_STATE_HOME": str(folder / f"{name}-seen")}
        state = ""
        if database:
            self.environment["HERALD_STATE_URL"] = database
            state = '\n    state: { postgres: "${HERALD_STATE_URL}" }'
        (self.folder / "campaigns").mkdir(parents=True)
        (self.folder / "herald.yaml").write_text(
            f"version: 1\nproject: {PROJECT}\ntimezone: UTC\nglobal_holdout: {GLOBAL_HOLDOUT:.0%}\nenvironments:\n"
            f"  bench:\n    emulator: {{ url: '{sink.url}' }}\n    pace: {{ sends_per_minute: 100000000 }}{state}\n")
        self.write(revision=1)

    def write(self, revision, more=""):
        variants = "".join(
            f"  {name}: {{ weight: {weight}, message: {{ notification: {{ title: {TITLES[name]!r} }} }} }}\n"
            for name, weight in WEIGHTS.items())
        (self.folder / "campaigns/spring.yaml").write_text(
            f"campaign: {EXPERIMENT}\nrevision: {revision}\n"
            "audience: { registrations: { file: people.csv, identity: user } }\n"
            f"message: {{ notification: {{ title: None }} }}\nholdout: {HOLDOUT:.0%}\nvariants:\n{more}{variants}")

    def run(self, *arguments, codes=(0,)):
        """Returns the output and the megabytes that the process needed."""
        with open(self.folder / "out", "w+", encoding="utf-8") as out, \
                open(self.folder / "err", "w+", encoding="utf-8") as errors:
            process = subprocess.Popen(
                [self.herald, *arguments, "-e", "bench", "-C", self.folder], stdin=subprocess.DEVNULL, stdout=out,
                stderr=errors, env=self.environment)
            peak = 0
            while process.poll() is None:
                peak = resident_peak(process.pid) or peak
                time.sleep(0.005)
            out.seek(0), errors.seek(0)
            text = out.read()
            if process.returncode not in codes:
                sys.exit(f"{self.name}: herald {' '.join(arguments)} ended with {process.returncode}:\n"
                         f"{(text + errors.read())[-3000:]}")
        return text, peak

    def planned(self):
        """Returns the numbers of registrations per arm that a plan shows."""
        plan = json.loads(self.run("plan", "--format", "json")[0])
        send, = plan["campaigns"]
        counts = {one["variant"]: one["registrations"] for one in send["locales"]}
        return counts | {"held out": send["held_out"]}


class Judge:
    def __init__(self, people):
        self.people, self.problems = people, []
        self.titles = people.titles()
        self.planned = Counter(people.arms[person] for person in people.rows.values() if people.arms[person] in TITLES)
        self.planned["held out"] = len(people.rows) - len(self.titles)
        self.subjects = Counter(people.arms.values())

    def require(self, what, holds, detail=""):
        if not holds:
            self.problems.append(f"{what}{': ' if detail else ''}{detail}")
        print(f"  {'' if holds else 'WRONG: '}{what}", flush=True)

    def judge_plan(self, machine, more):
        found = {name: count for name, count in machine.planned().items() if count or name in self.planned}
        self.require(f"{machine.name}: the plan{more} has the numbers of the hash", found == dict(self.planned),
                     f"{found} instead of {dict(self.planned)}")

    def judge_sends(self, name, sends):
        found = dict(sends)
        wrong = sum(found.get(registration) != title for registration, title in self.titles.items())
        added = len(found.keys() - self.titles.keys())
        self.require(
            f"{name}: {len(sends):,} sends, each with the title of its person's arm",
            not wrong and not added and len(sends) == len(found),
            f"{wrong:,} wrong or missing, {added:,} to held-out people, {len(sends) - len(found):,} repeated")

    def judge_results(self, machine, sends):
        text, megabytes = machine.run("results", "--format", "json", "--no-record")
        result, = json.loads(text)["results"]
        names = {"held_out": "holdout", "held_out_globally": "global_holdout"}
        found = {names.get(one["kind"], one["name"]): one["subjects"] for one in result["arms"] if one["subjects"]}
        self.require(f"{machine.name}: the results count the people of each arm, with {megabytes:.0f} MB",
                     found == dict(self.subjects), f"{found} instead of {dict(self.subjects)}")
        self.require(f"{machine.name}: the results are of {sends} sends", result["sends"] == sends, f"of {result['sends']}")
        return megabytes


def play(herald, sink, people, folder, database):
    """Returns the problems, and the most megabytes that `herald results` needed."""
    judge = Judge(people)
    # Four standard deviations, if there are few people.
    error = max(SHARE_ERROR, 2 / len(people.arms)**0.5)
    judge.require(f"each arm has its share of {len(people.arms):,} people within {error:.1%}",
                  people.shares() <= error, f"{people.shares():.2%}")
    machines = [Machine("sqlite", herald, sink, folder), Machine("postgresql", herald, sink, folder, database)]
    megabytes, place = 0.0, 0
    for machine in machines:
        people.write(machine.folder / "people.csv")
        machine.run("state", "init") if machine.name == "postgresql" else None
    for revision, more in ((1, ""), (2, "  later: { weight: 0, message: { notification: { title: Later } } }\n")):
        for machine in machines:
            begin = time.monotonic()
            machine.write(revision, more)
            judge.judge_plan(machine, " with a variant of weight 0" if more else "")
            machine.run("apply", "--yes")
            sends, place = sink.sends(place)
            judge.judge_sends(f"{machine.name}, send {revision}", sends)
            megabytes = max(megabytes, judge.judge_results(machine, revision))
            print(f"  {machine.name}: {time.monotonic() - begin:.0f} s", flush=True)
    return judge.problems, megabytes


def new_database(address):
    """Creates a database; returns its address."""
    name = f"experiments_{os.getpid()}_{time.monotonic_ns()}"
    subprocess.run([program("psql"), "-X", "-q", address, "-c", f'CREATE DATABASE "{name}"'], check=True)
    return address.replace("/postgres?", f"/{name}?")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("herald", type=Path)
    options.add_argument("sink", type=Path)
    options.add_argument("--people", type=int, default=1_000_000)
    options.add_argument("--folder", default=None, help="for temporary files")
    chosen = options.parse_args()
    address = os.environ.get("HERALD_TEST_POSTGRES")
    if not address:
        sys.exit("HERALD_TEST_POSTGRES is not set: run this through Scripts/with-postgres.sh")
    folder = Path(tempfile.mkdtemp(prefix="herald-experiments-", dir=chosen.folder)).resolve()
    begin, problems, needed = time.monotonic(), [], []
    # A tenth of the people first, so that the growth of memory is known.
    for count in (chosen.people // 10, chosen.people):
        print(f"{count:,} people:", flush=True)
        place = folder / str(count)
        place.mkdir()
        sink = Sink(chosen.sink.absolute(), place / "sink")
        try:
            found, megabytes = play(chosen.herald.absolute(), sink, People(count), place, new_database(address))
        finally:
            sink.close()
        problems += found
        needed.append(megabytes)
    if needed[1] - needed[0] > GROWTH:
        problems.append(f"`herald results` needs {needed[1]:.0f} MB, and {needed[0]:.0f} MB for a tenth of the people")
    print(*problems, sep="\n", end="\n" if problems else "")
    print(f"assignment: {'FAILED' if problems else 'every promise held'}, after {time.monotonic() - begin:.0f} s")
    print(f"the files are in {folder}") if problems else shutil.rmtree(folder)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
