"""Draws a run from its seed: campaigns, limits, the emulator's faults, and the faults of the fleet."""

import random
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEnd"))
from herald import token  # noqa: E402

# What happens to a worker, to the server, and to the connections between them. Each run begins with another one.
KINDS = ("kill", "stop", "crash", "cut", "hold", "drain", "kill", "delay", "lose", "pool")
# Kinds with nothing to act on: without a namespace or a pool, another one is drawn.
NEEDS_NAMESPACE, NEEDS_POOL = "lose", "pool"
# The server counts a worker as gone after 15 s. In most runs, faults are shorter or end before that.
LONGEST_STOP = 25

# Everything must end this many seconds after the last fault: the leases of 15 s, the retries of a service after 30 s, and
# what is left to send.
PATIENCE = 120


@dataclass(frozen=True)
class Fault:
    """Begins when a share of the requests is in the log, or when the log has not grown for some seconds."""

    share: float
    patience: float
    kind: str
    # A worker's number, or with `is_busy` the number of one that has work units.
    worker: int
    is_busy: bool
    # Seconds until it ends, or until a new process starts.
    length: float
    # Seconds of a delay, or the share of lost packets.
    value: float = 0.0
    # What was held arrives late; otherwise it gets lost.
    is_late: bool = False

    def __str__(self):
        who = "" if self.kind in ("crash", "pool") else f" {'busy ' if self.is_busy else ''}{self.worker}"
        value = f" of {self.value:.2f}" if self.value else ""
        return f"{self.kind}{who}{value} at {self.share:.0%} or after {self.patience:.0f} s, for {self.length:.1f} s"


@dataclass(frozen=True)
class Campaign:
    name: str
    registrations: tuple
    keeps_ids: bool


@dataclass(frozen=True)
class Options:
    workers: int = 4
    has_namespaces: bool = False
    # The most requests of a run, and the longest stop of a worker in seconds.
    requests: int = 36_000
    longest: float = LONGEST_STOP
    # Whether a process may end by itself: a service manager starts it again.
    restarts: bool = False
    patience: float = PATIENCE


class Drawing:
    def __init__(self, seed, options):
        self.seed, self.options = seed, options
        self.chance = chance = random.Random(f"fleet {seed}")
        self.is_pooled = seed % 2 == 1
        self.max_unknown = chance.choice((200, 400, 1_000))
        self.sends_per_minute = chance.choice((600_000, 1_200_000, 2_400_000))
        # The permits of one of four workers make about 1,500 requests per second.
        self.latency = round(0.15 * self.max_unknown)
        self.campaigns = self.draw_campaigns()
        self.script = self.draw_script()
        self.faults = self.draw_faults()
        # A statement that breaks a rule of the protocol.
        self.broken = None

    def __str__(self):
        sizes = " + ".join(f"{len(campaign.registrations):,}" for campaign in self.campaigns)
        return (f"{sizes} registrations, max_unknown {self.max_unknown}, answers after {self.latency} ms"
                + (", pgbouncer" if self.is_pooled else ""))

    def draw_campaigns(self):
        """Returns one to three campaigns, whose lists share some registrations."""
        chance = self.chance
        total = chance.randint(self.options.requests * 2 // 3, self.options.requests)
        count = chance.randint(1, 3)
        size = total // count
        everybody = [token(number, f"fleet{self.seed}") for number in range(total)]
        self.tokens = everybody
        found = []
        for number in range(count):
            start = number * size * 4 // 5
            found.append(Campaign(f"call-{number + 1}", tuple(everybody[start:start + size]), chance.random() < 0.3))
        return found

    def draw_script(self):
        chance, rules = self.chance, []

        def send(name, when=None, **more):
            rules.append({"id": name, "match": {"service": "SEND"}, **({"when": when} if when else {}), **more})

        late = {"delay_milliseconds": self.latency}
        if chance.random() < 0.4:
            # Everything is paused for a second, and the refused request is sent again.
            send("quota", {"nth": chance.randint(500, 20_000)}, answer={"error": "QUOTA_EXCEEDED", "retry_after_seconds": 1})
        if chance.random() < 0.3:
            send("503", {"share": 0.0005}, accepted=chance.random() < 0.5, answer={"error": "UNAVAILABLE"}, delivery=late)
        rules.append({"id": "gone", "match": {"service": "SEND", "registration_share": 0.01},
                      "answer": {"error": "UNREGISTERED"}, "delivery": late})
        send("late", {"share": 0.3}, delivery={"delay_milliseconds": self.latency * 3 // 2})
        send("usual", delivery=late)
        return {"seed": self.seed + 1, "rules": rules}

    def draw_faults(self):
        chance = self.chance
        # Two runs each, because every second one has a pool.
        kinds = [self.kind(KINDS[self.seed // 2 % len(KINDS)])]
        kinds += [self.kind(chance.choice(KINDS)) for _ in range(chance.randint(1, 4))]
        return sorted((self.fault(kind) for kind in kinds), key=lambda fault: fault.share)

    def kind(self, name):
        if name == NEEDS_NAMESPACE and not self.options.has_namespaces or name == NEEDS_POOL and not self.is_pooled:
            return self.chance.choice(("kill", "cut", "hold", "crash"))
        return name

    def fault(self, kind):
        chance, longest = self.chance, self.options.longest
        worker = chance.randrange(self.options.workers)
        length, value = chance.uniform(0.3, 4), 0.0
        if kind in ("stop", "hold"):
            # A third outlasts the lease of 15 s if it may.
            length = chance.uniform(15, longest) if longest > 15 and chance.random() < 0.35 else chance.uniform(0.5, min(12, longest))
        elif kind == "delay":
            value = chance.uniform(0.02, 0.5)
        elif kind == "lose":
            length, value = chance.uniform(2, 8), chance.uniform(0.01, 0.2)
        # One in five hits the first requests, which one worker sends while the others wait.
        share = chance.uniform(0, 0.03) if chance.random() < 0.2 else chance.uniform(0.03, 0.95)
        return Fault(share, chance.uniform(1, 12), kind, worker, chance.random() < 0.8, length, value, chance.random() < 0.5)
