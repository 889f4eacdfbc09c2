"""The failovers of one cluster, while a fleet sends."""

import random
import time
from dataclasses import dataclass

from cluster import DATABASE, Cluster
from commits import Commits
from failover_judge import HELD, RECENT, FailoverJudge, FailoverReader, pause, times_of
from member import Settings
from processes import eventually
from world import Load, World

# Seconds between the cut of the replication and the kill.
CUT = (0.3, 1.5)
# Sends between the return of the former primary and the next kill.
SENDS = (200, 3_000)
# The share of the failovers that come as soon as the cluster is complete, whether anything is sent or not.
AT_ONCE = 0.15
# The share of the failovers whose former primary returns only when something was sent without it.
LATE = 0.2
# The shares of the failovers with which a worker is killed. Without synchronous replication, its occurrence is held.
KILLS = {True: 0.2, False: 0.1}
# Everything must end this many seconds after the last failover.
PATIENCE = 300


@dataclass
class Result:
    failover: object
    # When the primary was killed, as seconds since 1970.
    kill: float
    # Seconds without a commit.
    gap: float
    back: float
    # Acknowledged commits of a client that the new primary does not have.
    lost: int
    # Sends between the cut of the replication and the kill; None without a cut.
    cut: int | None
    is_at_once: bool
    kills_worker: bool

    def __str__(self):
        return (f"{self.failover.former} -> {self.failover.primary} in {self.failover.seconds:.1f} s, commits in {self.gap:.1f} s, "
                f"standby again in {self.back:.1f} s; lost {self.failover.lost} bytes, {self.lost} commits"
                + ("" if self.cut is None else f"; {self.cut} sends since the cut") + ("; at once" if self.is_at_once else "")
                + ("; worker killed" if self.kills_worker else ""))


class Phase:
    def __init__(self, options, folder, is_synchronous, count):
        self.options, self.is_synchronous, self.count = options, is_synchronous, count
        self.name = "synchronous" if is_synchronous else "asynchronous"
        self.folder = folder / self.name
        self.chance = random.Random(f"failover {options.seed} {self.name}")
        self.killing = set(self.chance.sample(range(count), int(count * KILLS[is_synchronous])))
        # By campaign, the number of the failover after which it was held.
        self.results, self.problems, self.held = [], [], {}

    def check(self, condition, problem):
        if not condition:
            self.problems.append(f"{self.name}: {problem}")
        return condition

    @property
    def held_failovers(self):
        return len(set(self.held.values()))

    def play(self):
        load = Load(self.options.registrations, self.options.short, self.options.own, self.options.workers, self.options.restarts)
        begin = time.monotonic()
        with Cluster(Settings(self.is_synchronous, self.options.ttl), self.folder) as self.cluster:
            with World(self.folder, self.cluster, DATABASE, load) as self.world, Commits(self.cluster) as self.commits:
                print(f"{self.name}: ready after {time.monotonic() - begin:.1f} s", flush=True)
                try:
                    for number in range(self.count):
                        self.results.append(self.fail_over(number))
                        print(f"  {number + 1}: {self.results[-1]}", flush=True)
                    self.finish()
                except BaseException:
                    self.keep_tables()
                    raise
        self.check_failovers()
        print(f"{self.name}: {time.monotonic() - begin:.0f} s", flush=True)

    def keep_tables(self):
        """Writes what a failure leaves of the fleet and of the replication."""
        names = ("fleet_workers", "fleet_slices", "fleet_writer", "fleet_occurrences", "work_units", "fleet_doubled",
                 "occurrences", "units", "service", "writer")
        sources = [f"herald.{name}" for name in names] + ["pg_stat_replication", "pg_replication_slots", "pg_stat_activity"]
        with open(self.folder / "tables.txt", "w") as file:
            for source in ["now()", "fleet_server()", *sources]:
                print(f"{source}:", *self.rows_or_error(source), sep="\n  ", file=file)

    def rows_or_error(self, source):
        try:
            sql = f"SET search_path = herald; SELECT row_to_json(q) FROM {source} q"
            return [row[0] for row in self.cluster.attempt(sql, database=DATABASE)]
        except Exception as error:  # the failure before is what matters
            return [error]

    # The failovers

    def fail_over(self, number):
        is_at_once = number > 0 and number not in self.killing and self.chance.random() < AT_ONCE
        if not is_at_once:
            self.world.wait_for_sends(self.chance.randint(*SENDS))
        cut = None
        if not self.is_synchronous:
            sent = self.world.tail.read()
            self.cluster.cut_replication()
            time.sleep(self.chance.uniform(*CUT))
            cut = self.world.tail.read() - sent
        if number in self.killing:
            self.world.kill_worker(self.chance.randrange(len(self.world.workers)))
        begin, kill = time.monotonic(), time.time()
        failover = self.cluster.fail_over()
        gap, lost = self.commits.gap(begin), self.commits.lost(begin - 10)
        if number in self.killing:
            self.world.start_worker()
        if self.chance.random() < LATE:
            self.world.wait_for_sends(SENDS[1])
        back = self.cluster.bring_back(failover.former, is_empty=number % 3 == 2)
        self.note_held(number)
        return Result(failover, kill, gap, back, lost, cut, is_at_once, number in self.killing)

    def note_held(self, number):
        for row in FailoverReader(self.world).rows("SELECT campaign FROM occurrences WHERE hold IS NOT NULL"):
            self.held.setdefault(row["campaign"], number)

    def finish(self):
        begin = time.monotonic()
        eventually(self.has_ended, lambda: "the end of all occurrences", PATIENCE)
        print(f"  everything had ended {time.monotonic() - begin:.1f} s after the last failover", flush=True)
        shown = {each["campaign"] for each in self.world.status()["occurrences"] if each["phase"] == "held"}
        self.check(shown == set(self.held), f"`herald status` shows {shown} as held, and not {set(self.held)}")
        codes = self.world.end_workers()
        self.check(not codes, f"workers ended with {codes}")
        self.world.log.settle()
        record = FailoverReader(self.world).read(self.count)
        stopping = {campaign.name for campaign in self.world.campaigns if campaign.stops}
        judge = FailoverJudge(record, self.held, stopping)
        self.problems += [f"{self.name}: {problem}" for problem in judge.judge()]
        found, named = judge.doubles()
        print(f"  {dict(judge.counts())}; {found} requests were sent twice, {named} are named as possibly doubled; "
              f"held: {self.held or 'none'}; stopped: {len(judge.stopped())} of {len(stopping)} that the service sent itself; "
              f"{self.world.restarts} restarts", flush=True)

    def has_ended(self):
        codes = self.world.ended_workers()
        assert self.options.restarts or not codes, f"workers ended by themselves with {codes}\n{self.world.texts()}"
        time.sleep(0.5)
        self.note_held(self.count - 1)
        return self.world.has_ended()

    # Whether the failovers were those that the test wants

    def check_failovers(self):
        times, pauses = times_of(self.world.log), []
        for number, result in enumerate(self.results, 1):
            without, recent = pause(times, result.kill)
            if not result.is_at_once:
                pauses.append(without)
                self.check(recent < RECENT, f"failover {number}: no send in the {recent:.1f} s before the kill")
            if self.is_synchronous:
                self.check(result.lost == 0, f"failover {number}: {result.lost} acknowledged commits are lost")
            else:
                self.check(result.lost > 0 and result.failover.lost > 0, f"failover {number}: no commit was lost")
                self.check(result.cut > 0 or result.is_at_once, f"failover {number}: nothing was sent after the cut")
        pauses.sort()
        print(f"  no send for {pauses[len(pauses) // 2]:.1f} s (median), {pauses[-1]:.1f} s (most)", flush=True)
