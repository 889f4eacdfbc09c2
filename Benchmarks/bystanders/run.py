#!/usr/bin/env python3
"""Shows that other campaigns cost nothing: run.py HERALD

A project of 10,000 campaigns is applied and does not change. Each round sends 200 campaigns to topics, resumes an
interrupted list, resolves an unknown outcome and prints the status: once in a project with nothing else, and once in
a project that also has the 10,000. `herald plan` of the 10,000 alone is measured in the same round, because every
apply has to compare all files with the state once.

CPU is user and system time of the process (getrusage of the child); the emulator is another process.
In the project with the 10,000, `apply` may take at most 1.3 times the sum of the same command alone and the plan of
the 10,000; `resolve` and `status` may take at most 1.3 times as long as alone. The values are medians of all rounds.
The exit code is 1 if a limit is broken.
"""

import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

MAKE_PROJECT = Path(__file__).resolve().parent.parent / "lint/make-project.py"
BYSTANDERS, SENDS, LISTED, STOPPED_AT = 10_000, 200, 400, 100
ROUNDS, LIMIT = 5, 1.3
# Whether the command compares all files with the state.
COMMANDS = {"apply": True, "resumed apply": True, "resolve": False, "status": False}


class Project:
    """A folder with campaigns, and an emulator that they are sent to."""

    def __init__(self, herald, folder):
        self.herald, self.folder = herald, folder
        self.emulator = self.url = None

    def run(self, *arguments, code=0):
        """CPU seconds of one command."""
        # Each round begins with an older copy of the state, which a machine that has seen a newer one refuses.
        with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryDirectory() as seen:
            process = subprocess.Popen(
                [self.herald, *arguments, "-C", self.folder], env=os.environ | {"XDG_STATE_HOME": seen},
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            text = output.read()
        if process.returncode != code:
            sys.exit(f"herald {' '.join(arguments)} ended with {process.returncode}:\n{text[-2000:]}")
        return usage.ru_utime + usage.ru_stime

    def start(self):
        self.emulator = subprocess.Popen(
            [self.herald, "emulator", "--port", "0", "-C", self.folder], stdout=subprocess.PIPE, text=True)
        self.url = self.emulator.stdout.readline().split()[-1]
        self.ask("POST", "devices", [
            {"name": f"phone-{n}", "platform": "android", "registration": registration(n), "online": True,
             "foreground": False, "topics": []} for n in range(LISTED)])

    def stop(self):
        self.emulator.terminate()
        self.emulator.wait()

    def ask(self, method, path, body):
        request = urllib.request.Request(
            f"{self.url}/emulator/v1/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"},
            method=method)
        urllib.request.urlopen(request, timeout=60).close()

    def faults(self, *rules):
        self.ask("PUT", "faults", {"rules": list(rules)})

    def campaign(self, name, audience, revision):
        (self.folder / f"campaigns/{name}.yaml").write_text(
            f"campaign: {name}\nrevision: {revision}\naudience: {{ {audience} }}\n"
            "message: { notification: { title: Low water, body: Mind the rocks. } }\n")

    def accepted(self, where):
        """The number of requests that the ledger records as accepted."""
        with sqlite3.connect(self.folder / ".herald/local.sqlite") as state:
            [(count,)] = state.execute(
                f"SELECT sum(accepted) FROM occurrences JOIN units ON units.id = unit WHERE {where}")
        return count


def registration(number):
    return f"phone-{number:05}-of-a-bench"


def declare(folder):
    """Topics for the sends, in a registry that already has a thousand others."""
    with (folder / "herald.yaml").open("a") as registry:
        for name in [f"send-{n:03}" for n in range(SENDS)] + ["doubt"]:
            registry.write(f"  {name}: {{ about: Chose {name} in the app }}\n")
    (folder / "campaigns/phones.txt").write_text("".join(f"{registration(n)}\n" for n in range(LISTED)))


def make(herald, folder):
    """The project without the 10,000, the project with them, and the 10,000 alone, which are applied."""
    beside, others = folder / "beside", folder / "others"
    subprocess.run([sys.executable, MAKE_PROJECT, beside, str(BYSTANDERS)], check=True)
    for path in (beside / "campaigns").rglob("*.yaml"):
        # Their due times have passed, so nothing is left to do for them.
        path.write_text(path.read_text().replace('at: "2037-', 'at: "2021-'))
    declare(beside)
    alone = folder / "alone"
    (alone / "campaigns").mkdir(parents=True)
    for name in ("herald.yaml", "campaigns/phones.txt"):
        shutil.copy(beside / name, alone / name)
    Project(herald, beside).run("apply", "--yes", "--quiet", code=3)
    shutil.copytree(beside, others)
    return Project(herald, alone), Project(herald, beside), Project(herald, others)


def measure(project, number):
    """CPU seconds of each command in one round."""
    cpu = {}
    for send in range(SENDS):
        project.campaign(f"send-{send:03}", f"topic: send-{send:03}", number)
    cpu["apply"] = project.run("apply", "--yes", "--quiet")
    if project.accepted(f"campaign LIKE 'send-%' AND revision = {number}") != SENDS:
        sys.exit("the ledger does not have every send")

    project.campaign("listed", "registrations: campaigns/phones.txt", number)
    project.faults({"match": {"service": "SEND"}, "when": {"from": STOPPED_AT + 1},
                    "answer": {"error": "SERVICE_DISABLED"}})
    project.run("apply", "--yes", "--quiet", code=3)
    project.faults()
    if project.accepted(f"campaign = 'listed' AND revision = {number}") >= LISTED:
        sys.exit("the list was not stopped")
    cpu["resumed apply"] = project.run("apply", "--yes", "--quiet")
    if project.accepted(f"campaign = 'listed' AND revision = {number}") != LISTED:
        sys.exit("the ledger does not have the whole list")

    project.campaign("doubt", "topic: doubt", number)
    project.faults({"match": {"topic": "doubt"}, "answer": {"error": "UNAVAILABLE"}})
    project.run("apply", "--yes", "--quiet", code=4)
    project.faults()
    cpu["resolve"] = project.run("resolve", f"doubt/once/{number}", "sent", "--yes")
    cpu["status"] = project.run("status")
    return cpu


def main():
    herald = Path(sys.argv[1]).resolve()
    rounds = []
    with tempfile.TemporaryDirectory(prefix="herald-bench-") as folder:
        alone, beside, others = make(herald, Path(folder))
        try:
            alone.start()
            beside.start()
            for number in range(1, ROUNDS + 2):
                rounds.append((measure(alone, number), measure(beside, number), others.run("plan")))
        finally:
            for project in (alone, beside):
                if project.emulator:
                    project.stop()
    held = True
    plan = statistics.median(plan for _, _, plan in rounds[1:])
    print(f"CPU seconds, medians of {ROUNDS} rounds; plan of {BYSTANDERS:,} campaigns: {plan:.2f}\n")
    print("| command | alone | next to others | limit |")
    print("| --- | ---: | ---: | ---: |")
    # The first round fills the page cache.
    for command, plans in COMMANDS.items():
        values = [(a[command], b[command], LIMIT * (a[command] + p * plans)) for a, b, p in rounds[1:]]
        cells = [statistics.median(column) for column in zip(*values)]
        print(f"| {command} | " + " | ".join(f"{cell:.3f}" for cell in cells) + " |")
    print()
    for command, plans in COMMANDS.items():
        ratio = statistics.median(b[command] / (a[command] + p * plans) for a, b, p in rounds[1:])
        holds = ratio <= LIMIT
        held &= holds
        print(f"{command} × {ratio:.2f} of at most {LIMIT:g}: {'holds' if holds else 'fails'}")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
