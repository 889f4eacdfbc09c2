"""One run: a fresh project and emulator, a rollout that fails and is repaired, and a kill in every stage."""

import hashlib
import json
import random
import signal
import sys
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from judge import Record, Sent, Stop

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEnd"))
from herald import Emulator, Project, eventually, token  # noqa: E402
from services import apply_earlier, moment  # noqa: E402

E = ("-e", "bench")
# The canary and the shares of the list.
SHARES = (0.05, 0.3, 1.0)
STAGES = 1 + len(SHARES)
STAFF = 24
# The failures begin at this share of the list.
BEGIN = 0.08
CODE = "THIRD_PARTY_AUTH_ERROR"
SHARE = 0.05
# Within a stage, a share of fewer answers is not judged.
FEWEST = 20
PAUSE = 2
UNKNOWN = 12
OPEN = 8
# More processes than this would mean that the rollout never ends.
MOST_STARTS = 60
# The longest time that a process may need for what remains of a stage.
PATIENCE = 300
# If the log does not grow for this many seconds after it has grown, nothing more comes.
STILL = 0.6


@dataclass(frozen=True)
class Spec:
    """The parameters of a run; the rest depends on the seed and on time."""

    seed: int
    store: str
    command: str

    @classmethod
    def of(cls, seed, store=None, command=None):
        return cls(seed, store or ("sqlite", "postgres")[seed // 2 % 2], command or ("apply", "run")[seed % 2])

    def __str__(self):
        return f"seed {self.seed}, {self.command} with {self.store}"


def seconds(entry):
    return datetime.fromisoformat(entry["time"].replace("Z", "+00:00")).timestamp()


class Stillness:
    """Finds out how long a log has not grown."""

    def __init__(self, log):
        self.log, self.count, self.since = log, log.count(), None

    def lasts(self, length):
        if (count := self.log.count()) != self.count:
            self.count, self.since = count, time.monotonic()
        return self.since is not None and time.monotonic() - self.since > length


class Run:
    def __init__(self, spec, folder, server):
        self.spec, self.folder = spec, folder
        self.chance = random.Random(f"rollout {spec.seed}")
        self.problems, self.stops, self.deaths = [], [], []
        # The stage of each kill, and the number of kills that hit a stage in progress.
        self.kills, self.inside, self.unknown, self.starts = [], 0, 0, 0
        self.project = Project(folder / "project")
        self.log = self.project.log
        self.env, state = {}, ""
        if spec.store == "postgres":
            name = f"rollout_{spec.seed}_{int(time.time())}"
            server.psql(f'CREATE DATABASE "{name}"')
            self.env, state = {"STATE_URL": server.url(name)}, ', state: { postgres: "${STATE_URL}" }'
        self.write(state)

    def write(self, state):
        self.people = [token(number, f"run{self.spec.seed}") for number in range(self.chance.randint(300, 500))]
        self.staff = [token(number, f"staff{self.spec.seed}") for number in range(STAFF)]
        self.project.write(
            "herald.yaml",
            "version: 1\nproject: e2e\ntimezone: UTC\nenvironments:\n"
            f"  bench: {{ emulator: {{}}, max_unknown: {UNKNOWN}{state} }}\n")
        self.project.write("campaigns/audiences.yaml", (
            f"audience: anglers\nregistrations: {self.project.list('anglers', self.people)}\n---\n"
            f"audience: staff\nregistrations: {self.project.list('staff', self.staff)}\ntest: true\n"))
        shares = ", ".join(f"{share:.0%}" for share in SHARES)
        schedule = "" if self.spec.command == "apply" else f'schedule: {{ at: "{moment(-2)[0]}", late_after: 12h }}\n'
        self.project.write(
            "campaigns/log.yaml",
            "campaign: log\naudience: anglers\nmessage: { notification: { title: Log } }\non_unknown: skip\n"
            f"rollout: {{ canary: staff, stages: [{shares}], pause: {PAUSE}s, stop_when: {{ rejected: {SHARE:.0%}, held: true }} }}\n"
            + schedule)
        self.failing_from = STAFF + round(BEGIN * len(self.people))

    def stages(self):
        """Computes the stages as the documentation describes them."""
        found, left = [set(self.staff)], set(self.people)
        for share in SHARES:
            part = {name for name in left if self.point(name) < share}
            found.append(part)
            left -= part
        return tuple(found)

    def point(self, name):
        digest = hashlib.sha256("\0".join(["e2e", "log#rollout", name]).encode()).digest()
        return int.from_bytes(digest[:8], "big") / 2**64

    def herald(self, *arguments):
        return self.project.herald(*arguments, *E, env=self.env)

    def status(self):
        """Returns what herald says about the rollout; None before it begins."""
        result = self.herald("rollout", "status", "log", "--format", "json")
        rollouts = json.loads(result.out)["rollouts"] if result.code == 0 else []
        return rollouts[0] if rollouts else None

    def phase(self):
        output = self.herald("status", "--all", "--format", "json").expect(0).out
        # A kill can come before the state exists.
        rows = json.loads(output).get("occurrences", [])
        self.unknown = sum(row["counts"]["unknown"] for row in rows if "counts" in row)
        return rows[0]["phase"] if rows else "scheduled"

    def faults(self, fails):
        rules = [{"match": {"service": "SEND"}, "delivery": {"delay_milliseconds": self.chance.randint(20, 60)}}]
        if fails:
            rules.insert(0, {"match": {"service": "SEND"}, "when": {"from": self.failing_from + 1}, "answer": {"error": CODE}})
        self.emulator.put("/emulator/v1/faults", {"seed": self.spec.seed, "rules": rules})

    def play(self):
        with Emulator(self.project) as self.emulator:
            self.emulator.install([*self.people, *self.staff])
            self.faults(fails=True)
            # The log's number of requests at which each stage ends.
            sizes = [len(stage) for stage in self.stages()]
            self.ends = [sum(sizes[:number + 1]) for number in range(STAGES)]
            if self.spec.command == "run":
                apply_earlier(self.project, *E, env=self.env).expect(0)
            self.unkilled = set(range(STAGES))
            while self.starts == 0 or self.phase() not in ("finished", "expired", "cancelled"):
                self.starts += 1
                assert self.starts <= MOST_STARTS, f"the rollout does not end: {self.status()}"
                self.launch()
            before = self.log.settle()
            is_ended = self.herald("apply", "--yes").code in (0, 4) and self.log.settle() == before
        sent = tuple(Sent(entry["body"]["message"]["token"], seconds(entry), entry["status"]) for entry in self.log.each_send())
        assert self.phase() == "finished", self.status()
        return Record(
            self.stages(), sent, tuple(self.stops), tuple(self.deaths), self.unknown, PAUSE, UNKNOWN, SHARE, FEWEST, CODE,
            is_ended)

    # One process

    def launch(self):
        """Starts a process, and kills it in the present stage if that was not done yet."""
        arguments = ("apply", "--yes") if self.spec.command == "apply" else ("run", "--listen", "127.0.0.1:0")
        with self.project.start(*arguments, "--parallelism", str(OPEN), *E, env=self.env) as running:
            stage = self.stage()
            if stage in self.unkilled:
                self.unkilled.discard(stage)
                if self.kill(running, stage):
                    return
            self.follow(running)
        rollout = self.status()
        if rollout and rollout.get("stop"):
            self.repair(rollout)
        elif self.spec.command == "apply":
            self.wait(rollout)

    def stage(self):
        """Returns the stage that is sent next, from the number of requests."""
        count = self.log.count()
        return next((number for number, end in enumerate(self.ends) if count < end), STAGES - 1)

    def kill(self, running, stage):
        """Kills the process at a random moment of a stage; returns whether it was still running."""
        begin = self.log.count()
        end = self.ends[stage]
        # A part of the kills hits the end of the stage or the pause.
        target = end if self.chance.random() < 0.2 else self.chance.randint(begin, max(begin, end - 1))
        # Requests that an earlier kill made unknown are missing in the log.
        still = Stillness(self.log)
        eventually(lambda: self.log.count() >= target or still.lasts(STILL) or self.is_over(running), f"{target} requests",
                   deadline=PATIENCE)
        time.sleep(self.chance.uniform(0, 0.03 if target < end else PAUSE / 2))
        if running.process.poll() is not None:
            return False
        running.process.send_signal(signal.SIGKILL)
        running.process.wait(PATIENCE)
        self.deaths.append(time.time())
        self.kills.append(stage)
        self.inside += self.log.settle() < end
        return True

    def is_over(self, running):
        """Whether the process ended, or the rollout stopped under `run`."""
        return running.process.poll() is not None or self.is_stopped()

    def is_stopped(self):
        """Looks at herald's state only if the log has enough failures, because that takes time."""
        if self.stops or self.log.count() <= self.failing_from:
            return False
        rollout = self.status()
        return bool(rollout and rollout.get("stop"))

    def follow(self, running):
        """Waits until the process ends or, under `run`, until a stop, the end or an unkilled stage."""
        if self.spec.command == "apply":
            running.process.wait(PATIENCE)
            return
        eventually(lambda: self.is_over(running) or self.stage() in self.unkilled or self.has_ended(), "the next stage",
                   deadline=PATIENCE)
        if self.stage() in self.unkilled and running.process.poll() is None and not self.is_stopped():
            stage = self.stage()
            self.unkilled.discard(stage)
            if self.kill(running, stage):
                return
        if running.process.poll() is None:
            running.signal(signal.SIGTERM).process.wait(PATIENCE)

    def has_ended(self):
        time.sleep(0.1)
        return self.phase() in ("finished", "expired", "cancelled")

    def repair(self, rollout):
        count = self.log.settle()
        stop = rollout["stop"]
        self.stops.append(Stop(stop["reason"], stop.get("code"), rollout["stage"], count, time.time()))
        result = self.herald("apply", "--yes")
        assert result.code in (3, 4), result
        assert self.log.settle() == count, "a stopped rollout sends"
        self.faults(fails=False)
        self.herald("rollout", "continue", "log").expect(0)

    def wait(self, rollout):
        """Waits for the end of a pause."""
        if rollout:
            since = datetime.fromisoformat(rollout["since"].replace("Z", "+00:00")).timestamp()
            time.sleep(max(0, min(PAUSE, since - time.time())))

    def figures(self):
        return (f"{self.log.count()} requests, {len(self.kills)} kills, {self.starts} processes, {self.unknown} unknown, "
                f"{len(self.stops)} stops")
