"""A fleet of `herald run` processes that send to the sink of the benchmark of sending."""

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from server import Database

sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("sending", Path(__file__).parents[1] / "send" / "run.py")
sending = importlib.util.module_from_spec(spec)
sys.modules["sending"] = sending
spec.loader.exec_module(sending)

# What `apply` needs before a campaign is due, and each registration of its list.
LEAD, LEAD_EACH = 5, 2e-5
# How long to wait for something that a fleet does without sending.
PATIENCE = 60


@dataclass(frozen=True)
class Settings:
    """The settings of the environment and the processes; `delay`: the milliseconds until the sink answers."""

    delay: int = 50
    pace: int = sending.PACE
    parallel: int = 100
    max_unknown: int = 4_000


def text(moment: float) -> str:
    return datetime.fromtimestamp(moment, timezone.utc).strftime("%Y-%m-%d %H:%M:%S")


def write_list(path: Path, first: int, count: int) -> None:
    """Writes registrations of 163 characters; those of different numbers are distinct."""
    with open(path, "w", encoding="ascii") as file:
        for number in range(first, first + count):
            mixed = f"{number * 0x9E3779B97F4A7C15 % (1 << 64):016x}"
            file.write(f"phone{number:07}:APA91b{'r' * 128}{mixed}\n")


class Worker:
    def __init__(self, command: list[object], log: Path, environment: dict[str, str]):
        self.log = log
        with open(log, "w", encoding="utf-8") as file:
            self.process = subprocess.Popen(
                [*sending.first(), *map(str, command)], stdin=subprocess.DEVNULL, stdout=file, stderr=file, env=environment)

    def check(self) -> None:
        if self.process.poll() is not None:
            sys.exit(f"a worker ended with {self.process.returncode}:\n{self.log.read_text()[-2000:]}")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def drain(self) -> None:
        self.process.send_signal(signal.SIGTERM)

    def wait(self) -> None:
        # 130: ended by a signal, in good order.
        if self.process.wait() not in (0, 130):
            sys.exit(f"a worker ended with {self.process.returncode}:\n{self.log.read_text()[-2000:]}")


class Fleet:
    """A project with a state in a database, the sink, and the workers."""

    def __init__(self, herald: Path, sink: sending.Sink, database: Database, folder: Path, settings: Settings):
        self.herald, self.sink, self.database, self.settings = herald, sink, database, settings
        self.folder = folder / "project"
        self.environment = os.environ | {
            "XDG_STATE_HOME": str(folder / "seen"), "HERALD_STATE_URL": database.url}
        self.workers: list[Worker] = []
        self.started = self.killed = self.registrations = 0
        for path in (self.folder, folder / "seen"):
            shutil.rmtree(path, ignore_errors=True)
        (self.folder / "campaigns").mkdir(parents=True)
        shutil.copy(folder / "certificate.pem", self.folder / "ca.pem")
        sending.account_key(self.folder, "key.json")
        (self.folder / "herald.yaml").write_text(
            "version: 1\nproject: bench\ntimezone: UTC\nenvironments:\n"
            f"  bench:\n    emulator: {{ url: '{sink.secure}', ca: ca.pem, credentials: key.json }}\n"
            '    state: { postgres: "${HERALD_STATE_URL}" }\n'
            f"    pace: {{ sends_per_minute: {settings.pace} }}\n    max_unknown: {settings.max_unknown}\n")

    def command(self, *arguments: object) -> list[object]:
        return [self.herald, *arguments, "-e", "bench", "-C", self.folder]

    def apply(self, name: str, count: int) -> int:
        """Schedules a campaign to a new list, and returns when it is due.

        It is due again in a year, so that the list stays in the state.
        """
        write_list(self.folder / f"{name}.txt", self.registrations, count)
        self.registrations += count
        due = int(time.time() + LEAD + count * LEAD_EACH)
        (self.folder / f"campaigns/{name}.yaml").write_text(
            sending.CAMPAIGN.replace("campaign: tides", f"campaign: {name}").replace("list.txt", f"{name}.txt")
            + f"schedule: {{ rrule: FREQ=YEARLY, from: '{text(due)}' }}\non_unknown: skip\n")
        ended = subprocess.run(
            self.command("apply", "--yes", "--quiet"), capture_output=True, text=True, env=self.environment, check=False)
        if ended.returncode != 0:
            sys.exit(f"herald apply ended with {ended.returncode}:\n{(ended.stdout + ended.stderr)[-2000:]}")
        return due

    def start(self) -> None:
        self.started += 1
        self.workers.append(Worker(
            self.command("run", "--parallelism", self.settings.parallel), self.folder / f"worker-{self.started}.log",
            self.environment))

    def kill_oldest(self) -> None:
        self.workers.pop(0).kill()
        self.killed += 1

    @contextmanager
    def running(self, count: int, due: int):
        """Starts workers, waits until all are registered, and drains them at the end."""
        for _ in range(count):
            self.start()
        try:
            self.wait_for_workers(count)
            if time.time() > due - 1:
                sys.exit("the campaign was due before all workers were registered")
            yield
            for worker in self.workers:
                worker.check()
                worker.drain()
            for worker in self.workers:
                worker.wait()
            # The rows of killed workers stay until another worker claims.
            if (rows := int(self.database.value("SELECT count(*) FROM herald.fleet_workers"))) > self.killed:
                sys.exit(f"{rows} workers are registered after all have ended")
        finally:
            for worker in self.workers:
                worker.kill()

    def wait_for_workers(self, count: int) -> None:
        end = time.time() + PATIENCE
        while (found := int(self.database.value("SELECT count(*) FROM herald.fleet_workers"))) != count:
            for worker in self.workers:
                worker.check()
            if time.time() > end:
                sys.exit(f"{found} instead of {count} workers are registered after {PATIENCE} s")
            time.sleep(0.1)

    def wait_for_sends(self, due: int, rate: float) -> None:
        """Waits for one request to each registration; `rate`: the least that is expected, per second."""
        end = due + self.registrations / rate + PATIENCE
        while self.sink.account()[0] < self.registrations:
            for worker in self.workers:
                worker.check()
            if time.time() > end:
                sys.exit(f"the sink has {self.sink.account()[0]:,} of {self.registrations:,} sends")
            time.sleep(0.05)

    def wait_for_record(self) -> None:
        """Waits until the state has the outcome of each request, and checks that none was sent twice."""
        end = time.time() + PATIENCE
        sql = "SELECT coalesce(sum(accepted), 0) FROM herald.units WHERE released = count AND intended = 0"
        while (accepted := int(self.database.value(sql))) != self.registrations:
            if time.time() > end:
                sys.exit(f"the state has {accepted:,} of {self.registrations:,} requests as accepted")
            time.sleep(0.1)
        sends, distinct, _, _ = self.sink.account()
        if (sends, distinct) != (self.registrations, self.registrations):
            sys.exit(f"{self.registrations:,} were to be sent; the sink has {sends:,}, of which {distinct:,} distinct")

    def times(self) -> list[float]:
        """Returns when each request arrived at the sink, in seconds."""
        lines = (self.sink.folder / "log").read_text().split("\n")[:-1]
        return [int(line.split(" ", 1)[0]) / 1e9 for line in lines]


@contextmanager
def fleet(herald: Path, sink: Path, database: Database, folder: Path, settings: Settings):
    with sending.sink(sink, folder, "log", f"delay={settings.delay}") as running:
        yield Fleet(herald, running, database, folder, settings)
