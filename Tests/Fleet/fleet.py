"""One run: a project and an emulator, a state in PostgreSQL, workers, and the faults that were drawn for it."""

import heapq
import itertools
import math
import os
import re
import shutil
import signal
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import samples
from outcome import Outcome
from samples import Interruption
from servers import USER, Pool
from ways import Namespace, Way
from worker import E, Worker

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEnd"))
from herald import DEADLINE, Emulator, Project, eventually  # noqa: E402
from postgres_programs import program  # noqa: E402
from tail import Tail  # noqa: E402

# A message that no repeat may replace, because no platform displays it.
CONTENT = '{{ data: {{ campaign: "{name}" }} }}'
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


class Run:
    """`stop`: an event that ends the run early."""

    def __init__(self, drawing, folder, server, name, stop):
        self.drawing, self.folder, self.server, self.name, self.stop = drawing, Path(folder), server, name, stop
        self.outcome = Outcome(drawing.seed, faults=drawing.faults)
        self.database = f"run_{drawing.seed}_{os.getpid()}"
        self.host = Project(self.folder / "emulator")
        self.log = self.host.log
        self.project = Project(self.folder / "project")
        self.workers, self.processes = [], []
        self.samples, self.interruptions, self.kills = [], [], []
        self.agenda, self.numbers = [], itertools.count()
        # Processes that need not end in order.
        self.expected = set()

    def check(self, condition, problem):
        if not condition:
            self.outcome.problems.append(problem)
        return condition

    def url(self):
        return {"STATE_URL": self.server.url(self.database)}

    def herald(self, *arguments):
        return self.project.herald(*arguments, *E, env=self.url())

    # MARK: The project

    def write_project(self, url):
        drawing = self.drawing
        self.project.write("herald.yaml", SETTINGS.format(
            url=url, max_unknown=drawing.max_unknown, sends_per_minute=drawing.sends_per_minute))
        for campaign in drawing.campaigns:
            # Numbered rows, which `herald history` joins with message IDs.
            rows = "".join(f"{text},{number}\n" for number, text in enumerate(campaign.registrations))
            self.project.write(f"campaigns/{campaign.name}.csv", f"registration,row\n{rows}")
            more = "record: ids\n" if campaign.keeps_ids else ""
            self.project.write(
                f"campaigns/{campaign.name}.yaml",
                f"campaign: {campaign.name}\naudience: {{ registrations: campaigns/{campaign.name}.csv }}\n"
                f"message: {CONTENT.format(name=campaign.name)}\n{more}")

    # MARK: The run

    def play(self, judge):
        """`judge` reads what is left when everything has ended, while the servers still run."""
        begin = time.monotonic()
        with ExitStack() as stack:
            emulator = stack.enter_context(Emulator(self.host))
            emulator.install(self.drawing.tokens)
            self.write_project(emulator.url)
            self.server.psql(f"CREATE DATABASE {self.database}")
            stack.callback(self.drop)
            self.pool = stack.enter_context(Pool(self.server, self.folder)) if self.drawing.is_pooled else None
            for number in range(self.drawing.options.workers):
                self.workers.append(Worker(self, number, stack.enter_context(self.way(number, emulator.port))))
            stack.callback(self.end_processes)
            emulator.put("/emulator/v1/faults", self.drawing.script)
            self.herald("apply", "--yes").expect(0, "handed over to the service")
            if self.drawing.broken:
                self.server.psql(self.drawing.broken, self.database)
            for worker in self.workers:
                worker.start()
            self.log.wait_for(1)
            self.play_faults()
            self.finish()
            judge(self)
        self.outcome.seconds = time.monotonic() - begin

    def way(self, number, port):
        namespace = Namespace(f"{self.name}-{number}") if self.drawing.options.has_namespaces else None
        return Way((self.pool or self.server).socket, port, namespace)

    def end_processes(self):
        for running in self.processes:
            running.__exit__()

    def drop(self):
        if not self.server.is_up:
            self.server.start()
        if self.outcome.problems:
            self.server.run(program("pg_dump"), "-h", self.server.folder, "-U", USER, "-d", self.database, "-f",
                            self.server.folder / "state.sql")
            shutil.move(self.server.folder / "state.sql", self.folder / "state.sql")
        self.server.psql(f"DROP DATABASE IF EXISTS {self.database} WITH (FORCE)")

    # MARK: The faults

    def later(self, seconds, action):
        heapq.heappush(self.agenda, (time.monotonic() + seconds, next(self.numbers), action))

    def play_faults(self):
        waiting = list(self.drawing.faults)
        total = sum(len(campaign.registrations) for campaign in self.drawing.campaigns)
        tail, count, moved = Tail(self.log.path, b"messages:send"), 0, time.monotonic()
        while waiting and not self.has_ended():
            if (seen := tail.look()) != count:
                count, moved = seen, time.monotonic()
            # Only one at a time waits for the log to grow.
            if count >= waiting[0].share * total or time.monotonic() - moved > waiting[0].patience:
                fault, moved = waiting.pop(0), time.monotonic()
                self.begin_fault(fault)
            self.go_on()
        # Faults that have begun end in their time.
        while self.agenda:
            self.go_on()

    def go_on(self):
        """Does what is due, and returns whether everything has ended."""
        if self.stop.is_set():
            raise InterruptedError("stopped by a signal")
        self.restart()
        if self.agenda and self.agenda[0][0] <= time.monotonic():
            heapq.heappop(self.agenda)[2]()
        time.sleep(0.02)
        return self.has_ended() and not self.agenda

    def begin_fault(self, fault):
        worker = self.workers[fault.worker]
        if fault.is_busy and self.server.is_up:
            self.samples.append(samples.take(self.server, self.database))
            busy = [each for each in self.workers if self.samples[-1].units.get(each.pid)]
            worker = busy[fault.worker % len(busy)] if busy else worker
        self.outcome.played.append(fault.kind)
        getattr(self, f"do_{fault.kind}")(fault, worker)

    def interrupt(self, what, workers, seconds=math.inf, **more):
        """Records that workers cannot do their work for this time."""
        now = time.monotonic()
        self.interruptions += [
            Interruption(worker.pid, f"{what} of worker {worker.number}", now, now + seconds, **more)
            for worker in workers if worker.running]

    def do_kill(self, fault, worker):
        if worker.running is None:
            return
        self.interrupt("kill", [worker])
        self.outcome.kills += 1
        self.kills.append(time.time())
        self.expected.add(worker.running)
        worker.ends().process.kill()
        self.later(fault.length, worker.start)

    def do_drain(self, fault, worker):
        if worker.running is None or worker.is_stopped:
            return
        self.interrupt("drain", [worker], 1, is_drain=True)
        worker.ends().signal(signal.SIGTERM)
        self.later(fault.length, worker.start)

    def do_stop(self, fault, worker):
        if worker.running is None or worker.is_stopped:
            return
        self.interrupt("stop", [worker], fault.length)
        stopped = worker.running.signal(signal.SIGSTOP)
        worker.is_stopped = True

        def go_on():
            if stopped is worker.running:
                worker.is_stopped = False
            if stopped.process.poll() is None:
                stopped.signal(signal.SIGCONT)

        self.later(fault.length, go_on)

    def do_crash(self, fault, _):
        if not self.server.is_up:
            return
        self.interrupt("crash of the server", self.workers, fault.length + 2)
        self.server.crash()
        self.later(fault.length, self.server.start)

    def do_pool(self, fault, _):
        self.interrupt("end of the pool", self.workers, fault.length + 1)
        self.pool.crash()
        self.later(fault.length, self.pool.restart)

    def do_cut(self, fault, worker):
        """Cuts the connections, in half of the cases again and again."""
        count = 1 if fault.length < 2 else 5
        self.interrupt("cut", [worker], fault.length + 1)
        for number in range(count):
            self.later(number * fault.length / count, lambda: worker.way.say("cut"))

    def do_hold(self, fault, worker):
        """Nothing passes for a time. Then what was held arrives late, or gets lost with its connections."""
        self.interrupt("hold", [worker], fault.length + 1)
        worker.way.say("hold")
        self.later(fault.length, lambda: worker.way.say("pass" if fault.is_late else "cut"))

    def do_delay(self, fault, worker):
        self.interrupt("delay", [worker], fault.length + 1)
        worker.way.say("delay", fault.value)
        self.later(fault.length, lambda: worker.way.say("pass"))

    def do_lose(self, fault, worker):
        self.interrupt("loss", [worker], fault.length + 2)
        worker.way.namespace.lose(fault.value)
        self.later(fault.length, lambda: worker.way.namespace.lose(0))

    def restart(self):
        """Starts processes again that ended by themselves, as a service manager does."""
        for worker in self.workers:
            code = worker.running and worker.running.process.poll()
            if code is not None:
                self.outcome.ended += 1
                self.check(worker.could_not_start() or self.drawing.options.restarts,
                           f"worker {worker.number} ended by itself with {code}: {worker.printed()}")
                self.interrupt("end", [worker])
                self.expected.add(worker.ends())
                self.later(1, worker.start)

    # MARK: The end

    def sample(self):
        """Reads the state if the last sample is old. Returns the last one."""
        last = self.samples[-1] if self.samples else None
        if self.server.is_up and (last is None or time.monotonic() - last.time > samples.INTERVAL):
            self.samples.append(samples.take(self.server, self.database))
        return self.samples[-1] if self.samples else None

    def has_ended(self):
        sample = self.sample()
        return sample is not None and sample.open == 0 and sample.count == len(self.drawing.campaigns)

    def finish(self):
        """Ends all faults, waits until all occurrences have ended, and ends the workers."""
        for worker in self.workers:
            worker.way.heal()
            worker.start()
        healed = time.monotonic()
        try:
            eventually(self.go_on, "the end of all occurrences", deadline=self.drawing.options.patience)
        except AssertionError:
            self.check(False, f"not ended {self.drawing.options.patience:g} s after the last fault: {self.samples[-1]}\n"
                       + self.herald("status").out)
        self.outcome.rest = time.monotonic() - healed
        # A worker that was stopped until now must notice what happened since then.
        time.sleep(1)
        self.restart()
        for worker in self.workers:
                worker.running.signal(signal.SIGTERM)
        for running in set(self.processes) - self.expected:
            code = running.process.wait(DEADLINE)
            self.check(code == DRAINED, f"a worker ended with {code}: {running.texts()[1][-1_000:]}")
        self.log.settle()

    def figures(self):
        """Returns what the workers printed about themselves, for a run that failed."""
        return [re.sub(r"\s+", " ", running.texts()[1])[-2_000:] for running in self.processes]
