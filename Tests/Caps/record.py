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
# The difference of herald's clock and the emulator's, at most.
SKEW = 1


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


@dataclass(slots=True)
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
    # The runs in which it was due, and its order among all sends of all runs, by their first requests.
    launches: list = field(default_factory=list)
    orders: list = field(default_factory=list)
    # By registration; the topic's own name for a topic.
    sent: dict = field(default_factory=dict)
    # Herald's own counts, at the end.
    status: dict = field(default_factory=dict)
    # Registrations that a kill left unknown for herald, whether their requests are in the log or not.
    cut_off: set = field(default_factory=set)

    @property
    def is_incomplete(self):
        """Whether people may be without a message because it expired, or because the wrong-list check stopped the send."""
        return self.campaign.expires or self.status.get("phase") == "held"

    def order_at(self, time):
        """Returns the order of the run in which a request was sent."""
        return next(order for launch, order in zip(reversed(self.launches), reversed(self.orders))
                    if launch.start - SKEW <= time)


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
        self.order = 0
        # The time of the last run.
        self.end = None
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
        begun = set()
        for entry in self.entries():
            message = entry["body"]["message"]
            name = message["notification"]["title"]
            target = message.get("token") or message["topic"]
            occurrence = self.occurrences.get(launch.due.get(name))
            if occurrence is None:
                self.strangers += 1
                continue
            self.note_order(occurrence, begun)
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
            self.note_order(self.occurrences[name], begun)

    def note_order(self, occurrence, begun):
        if occurrence.name not in begun:
            begun.add(occurrence.name)
            self.order += 1
            occurrence.orders.append(self.order)
