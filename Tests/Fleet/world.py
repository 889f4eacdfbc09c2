"""What the failovers interrupt: a project with its state behind HAProxy, an emulator, and workers that send all the time."""

import json
import signal
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from processes import DEADLINE, eventually

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEnd"))
from herald import Emulator, Project, token  # noqa: E402

E = ("-e", "bench")
SETTINGS = """\
version: 1
project: e2e
environments:
  bench:
    emulator: {{ url: '{url}' }}
    sends: run
    state: {{ postgres: "${{STATE_URL}}" }}
    max_unknown: {max_unknown}
    pace: {{ sends_per_minute: {sends_per_minute} }}
"""
# The exit code of a service after SIGTERM.
DRAINED = 130


@dataclass(frozen=True)
class Campaign:
    name: str
    registrations: tuple
    keeps_ids: bool = False
    # Whether it stops at an unknown request.
    stops: bool = False


@dataclass(frozen=True)
class Load:
    """What is sent: one campaign after another to the same list, and two to its first registrations with each.

    The service sends one of them itself, because it stops at unknown requests. It takes a second for 20 requests.
    """

    registrations: int
    short: int = 500
    own: int = 0
    workers: int = 4
    # Whether a worker that ended by itself is started again, as a service manager does.
    restarts: bool = False
    max_unknown: int = 1_000
    sends_per_minute: int = 60_000
    # Milliseconds until an answer, so that requests are open when the primary is killed.
    latency: int = 100


class Tail:
    """Counts the sends in the emulator's log as it grows."""

    def __init__(self, log):
        self.path, self.place, self.count = log.path, 0, 0

    def read(self):
        """Returns the number of sends so far."""
        with open(self.path, "rb") as file:
            file.seek(self.place)
            data = file.read()
        self.place += len(data)
        self.count += data.count(b"/messages:send")
        return self.count


class World:
    """`drawing`, `server` and `database` are what the reader of the record expects of a run."""

    # The rule of the emulator's fault script that delays all answers.
    RULE = "usual"
    # The list that the service sends itself.
    OWN = "own"

    def __init__(self, folder, cluster, database, load):
        self.folder, self.server, self.database, self.load = Path(folder), cluster, database, load
        self.host = Project(self.folder / "emulator")
        self.log = self.host.log
        self.project = Project(self.folder / "project")
        tokens = tuple(token(number) for number in range(load.registrations))
        counts = {"call": load.registrations, "short": load.short, self.OWN: load.own}
        self.lists = {name: tokens[:count] for name, count in counts.items() if count}
        self.campaigns = []
        self.drawing = self
        self.workers, self.processes = [], []
        self.restarts, self.is_over = 0, threading.Event()

    def herald(self, *arguments, **options):
        return self.project.herald(*arguments, *E, env=self.environment(), **options)

    def status(self):
        return json.loads(self.herald("status", "--all", "--format", "json").expect(0).out)

    def environment(self, name="judge"):
        return {"STATE_URL": self.server.url, "XDG_STATE_HOME": str(self.folder / name)}

    def __enter__(self):
        self.emulator = Emulator(self.host).__enter__()
        try:
            self.emulator.install(self.lists["call"])
            self.emulator.put("/emulator/v1/faults", {"rules": [
                {"id": self.RULE, "match": {"service": "SEND"}, "delivery": {"delay_milliseconds": self.load.latency}}]})
            self.write_project()
            self.apply()
            for _ in range(self.load.workers):
                self.start_worker()
            if self.load.restarts:
                self.thread = threading.Thread(target=self.restart, daemon=True)
                self.thread.start()
            self.tail = Tail(self.log)
            eventually(lambda: self.log.path.exists() and self.tail.read() > 0, self.texts)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.is_over.set()
        for running in self.processes:
            running.__exit__()
        self.emulator.__exit__()

    def write_project(self):
        load = self.load
        self.project.write("herald.yaml", SETTINGS.format(
            url=self.emulator.url, max_unknown=load.max_unknown, sends_per_minute=load.sends_per_minute))
        for name, tokens in self.lists.items():
            # Numbered rows, which `herald history` joins with the outcomes. It reads the list of the first campaign.
            rows = "".join(f"{text},{number}\n" for number, text in enumerate(tokens))
            self.project.write(f"campaigns/{name}-00.csv", f"registration,row\n{rows}")

    def apply(self):
        """Hands the next campaigns over to the service."""
        number = len(self.campaigns) // len(self.lists)
        for name, tokens in self.lists.items():
            campaign = Campaign(f"{name}-{number:02}", tokens, stops=name == self.OWN)
            self.campaigns.append(campaign)
            self.project.write(
                f"campaigns/{campaign.name}.yaml",
                f"campaign: {campaign.name}\naudience: {{ registrations: campaigns/{name}-00.csv }}\n"
                f'message: {{ data: {{ campaign: "{campaign.name}" }} }}\n'
                + "on_unknown: stop\n" * campaign.stops)
        results = []
        # A failover may come between. Other occurrences may be held, or have unknown requests.
        eventually(lambda: results.append(self.herald("apply", "--yes")) or results[-1].code in (0, 3, 4), lambda: str(results[-1]))

    # Workers

    def start_worker(self):
        self.workers.append(self.start_process())

    def start_process(self):
        running = self.project.start("run", *E, env=self.environment(f"worker-{len(self.processes)}"))
        self.processes.append(running)
        return running

    def restart(self):
        """Starts workers again that ended by themselves, until the end."""
        while not self.is_over.wait(1):
            for place, running in enumerate(self.workers):
                if running.process.poll() is not None:
                    self.restarts += 1
                    self.workers[place] = self.start_process()

    def kill_worker(self, number):
        self.workers.pop(number).kill()

    def texts(self):
        return "\n".join(running.texts()[1][-2_000:] for running in self.processes)

    def end_workers(self):
        """Drains the workers, and restarts none. Returns the exit codes that differ from those of a drained service."""
        self.is_over.set()
        if self.load.restarts:
            self.thread.join()
        for worker in self.workers:
            worker.signal(signal.SIGTERM)
        codes = [worker.process.wait(DEADLINE) for worker in self.workers]
        return [code for code in codes if code != DRAINED]

    def ended_workers(self):
        """Returns the exit codes of the workers that ended by themselves."""
        return [code for worker in self.workers if (code := worker.process.poll()) is not None]

    # Progress

    def count(self, condition):
        """Returns the number of occurrences for which a condition of SQL is true."""
        sql = f"SELECT count(*) FROM herald.occurrences WHERE {condition}"
        return int(self.server.psql(sql, self.database))

    def has_ended(self):
        stopped = f"campaign LIKE '{self.OWN}-%' AND unit IN (SELECT id FROM herald.units WHERE unknown > 0)"
        return self.count(f"status IN (2, 3, 4) OR hold IS NOT NULL OR {stopped}") == len(self.campaigns)

    def wait_for_sends(self, count, deadline=DEADLINE):
        """Waits until this many more sends are in the log. If nothing is left to send, it applies the next campaigns."""
        wanted = self.tail.read() + count
        last = time.monotonic()

        def is_reached():
            nonlocal last
            if time.monotonic() - last > 1:
                if self.has_ended():
                    self.apply()
                last = time.monotonic()
            return self.tail.read() >= wanted

        eventually(is_reached, lambda: f"{count} more sends\n{self.texts()}", deadline)
