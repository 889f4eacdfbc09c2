"""What the long tests of the service share: a project, its sends, and the emulator's log.

Sends are judged from the emulator's log on disk only, and unknown outcomes from `herald status`.
"""

import json
import sys
from datetime import datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEnd"))
from herald import Project, token  # noqa: E402

MINUTE = 60
PEOPLE = [token(number) for number in range(3)]


def project(folder):
    """Makes a project whose sends all go to the same three registrations."""
    made = Project(folder, "timezone: UTC\nenvironments: { local: { emulator: {} } }\n")
    made.devices(PEOPLE)
    made.list("all", PEOPLE)
    return made


def campaign(made, name, schedule):
    """Writes a campaign; `schedule` is YAML. Its title is its name, so that the log shows it."""
    made.write(
        f"campaigns/{name}.yaml",
        f"campaign: {name}\naudience: {{ registrations: campaigns/registrations/all.txt }}\n"
        f"message: {{ notification: {{ title: {name} }} }}\non_unknown: skip\nschedule: {schedule}\n")


def sends(made):
    """Returns the campaign, the registration, the time and the status of each request."""
    found = []
    for entry in made.log.each_send():
        message = entry["body"]["message"]
        time = datetime.fromisoformat(entry["time"].replace("Z", "+00:00")).timestamp()
        found.append((message["notification"]["title"], message["token"], time, entry["status"]))
    return found


def unknown(made):
    """Returns campaign, slot and registration of each request with an unknown outcome."""
    output = made.herald("status", "--all", "--format", "json").expect(0).out
    names = made.fingerprints(PEOPLE)
    found = set()
    for occurrence in json.loads(output)["occurrences"]:
        assert not occurrence.get("unknown_left_out"), occurrence
        for problem in occurrence.get("unknown", []):
            found.add((occurrence["campaign"], occurrence["slot"], names[problem["registration"]]))
    return found


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0


class Problems:
    """Collects what is wrong, so that one run shows everything."""

    def __init__(self):
        self.found = []

    def check(self, condition, problem):
        if not condition:
            self.found.append(problem)
        return condition

    def end(self, folder):
        """Prints the problems and returns the exit code."""
        for problem in self.found[:20]:
            print(f"  problem: {problem}")
        if self.found:
            print(f"{len(self.found)} problems; the files are in {folder}")
        return 1 if self.found else 0
