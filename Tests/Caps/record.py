"""What the emulator's request log contains about each occurrence."""

import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEnd"))

# What an answer that Herald received, or did not receive, says about a message.
ACCEPTED, REJECTED, UNKNOWN, NOT_SENT = range(4)


def kind(entry):
    """Returns what the client learned about its message from an answer of the log."""
    status = entry["status"]
    if status == 200:
        return ACCEPTED
    if status == 429:
        return NOT_SENT
    return UNKNOWN if status == 0 or status >= 500 else REJECTED


def seconds(text):
    return datetime.fromisoformat(text).timestamp()


@dataclass
class Launch:
    """One run of herald. The occurrences that are due, by campaign."""

    command: str
    start: float
    half: int
    due: dict
    is_killed: bool = False
    end: float = 0.0


@dataclass
class Sent:
    """The attempts to send to one registration in one occurrence."""

    first: float
    last: float
    kind: int


@dataclass
class Occurrence:
    name: str
    campaign: object
    half: int
    # The runs in which it was due.
    launches: list = field(default_factory=list)
    # By registration; the topic's own name for a topic.
    sent: dict = field(default_factory=dict)
    # The order among all occurrences, by the first request.
    order: int = 0
    # Herald's own counts, at the end.
    status: dict = field(default_factory=dict)
    # Registrations that a kill left unknown for herald, whether their requests are in the log or not.
    cut_off: set = field(default_factory=set)


class Record:
    """Reads the log after each run, and remembers what belongs to which occurrence."""

    def __init__(self, world, log):
        self.world, self.log = world, log
        self.place = 0
        self.launches = []
        self.occurrences = {}
        # When the log says that a registration is dead.
        self.dead = {}
        self.kinds = Counter()
        self.campaigns = {campaign.name: campaign for campaign in world.campaigns}
        self.strangers = 0

    def begin(self, launch):
        self.launches.append(launch)
        for campaign, name in launch.due.items():
            occurrence = self.occurrences.setdefault(
                name, Occurrence(name, self.campaigns[campaign], launch.half))
            occurrence.launches.append(launch)

    def entries(self):
        """Yields the new sends of the log."""
        with open(self.log.path, "rb") as file:
            file.seek(self.place)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                self.place += len(line)
                if b"/messages:send" in line:
                    yield json.loads(line)

    def read(self, launch):
        order = sum(1 for o in self.occurrences.values() if o.order)
        for entry in self.entries():
            message = entry["body"]["message"]
            name = message["notification"]["title"]
            target = message.get("token") or message["topic"]
            occurrence = self.occurrences.get(launch.due.get(name))
            if occurrence is None:
                self.strangers += 1
                continue
            if not occurrence.order:
                order += 1
                occurrence.order = order
            time, what = seconds(entry["time"]), kind(entry)
            self.kinds[what] += 1
            if entry["status"] == 404:
                self.dead.setdefault(target, time)
            sent = occurrence.sent.get(target)
            if sent is None:
                occurrence.sent[target] = Sent(time, time, what)
            else:
                sent.last, sent.kind = time, what
        # Occurrences that sent nothing come last in their run.
        for name in launch.due.values():
            if not self.occurrences[name].order:
                order += 1
                self.occurrences[name].order = order
