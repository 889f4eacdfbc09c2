#!/usr/bin/python3
"""Measures a fleet on PostgreSQL: run.py HERALD SINK FOLDER [PART ...]

Run it through Scripts/with-postgres.sh, with HERALD_POSTGRES_FOLDER on a disk. SINK, the sink of the benchmark of
sending, counts the requests and logs when each one arrives. It answers after 50 ms. Each worker is a `herald run`
process with 100 open requests. Each round has a new database.

- scale: 40,000 registrations for each worker, with 1, 2 and 4 workers. The rate is that between 10 % and 90 % of
  the send.
- commit: the rate of one worker, without and with a server that delays each synchronous commit by 5 ms
  (`commit_delay`).
- server: 1,000,000 sends at marks of 1,000. The kernel counts the processor time of all server processes from 5 s
  before the due time, when the list is read for the first time, until the state has each outcome, and pg_walinspect
  the bytes of the write-ahead log. A checkpoint is made before. The limit of the processor time is that of the
  connection whose transactions claim units, raise marks and record outcomes. The others are shown beside it: the
  list is read by the connection of the state, and slices, the division of the quota and beats cost the same each
  second, at any rate.
- quota: four workers with 120,000 sends per minute, for 110 s; then the same, while the oldest worker is killed
  every 10 s and another one started.
- bloat: two workers send 20 campaigns to 20,000 registrations each, one after the other. pgstattuple measures dead
  and free space after a VACUUM; then the tables are rewritten by VACUUM FULL.

The exit code is 1 if a limit is exceeded.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from server import Database, Server, Session  # noqa: E402
from workers import Settings, fleet, sending  # noqa: E402

PARTS = ["scale", "commit", "server", "quota", "bloat"]
# The limits: of the rate of one worker, µs and bytes per send, shares of the quota, and a share of the tables.
OF_ONE = {2: 1.9, 4: 3.6}
OF_FAST_COMMITS, COMMIT_MS, COMMITS = 0.9, 5, 50
CPU, WAL = 0.5, 3
USED, USED_WITH_KILLS, MINUTE = 0.95, 0.8, 60
BLOAT = 0.1

EACH = 40_000
# A mark may be raised again a little later than after 1,000 sends.
SERVER_SENDS, MARK = 1_000_000, 1_100
# The service reads a list before it is due.
PREPARATION = 5
# Answers at once, because beats and divisions cost the same each second.
AT_MARKS = Settings(delay=0, parallel=500, max_unknown=4_000)
QUOTA, WORKERS, SETTLED, SPAN, KILLS_EVERY = 120_000, 4, 20, 90, 10
CAMPAIGNS, CAMPAIGN_SIZE, BLOAT_WORKERS = 20, 20_000, 2
# The least rate for which a round waits.
SLOWEST = 500


def steady_rate(times: list[float]) -> float:
    """Returns the requests per second between 10 % and 90 % of them."""
    first, last = len(times) // 10, len(times) * 9 // 10
    return (last - first) / (times[last] - times[first])


def most_within(times: list[float], seconds: float) -> int:
    """Returns the most requests in any period of this length."""
    most = first = 0
    for last, at in enumerate(times):
        while times[first] <= at - seconds:
            first += 1
        most = max(most, last - first + 1)
    return most


def shares(times: list[float], start: float) -> list[float]:
    """Returns the used share of the quota in each 10 s of the measured time."""
    counts = [0] * (SPAN // 10)
    for at in times:
        if start <= at < start + SPAN:
            counts[int(at - start) // 10] += 1
    return [count / (QUOTA / MINUTE * 10) for count in counts]


class Bench:
    def __init__(self, arguments: argparse.Namespace, server: Server, folder: Path):
        self.herald, self.sink = arguments.herald.absolute(), arguments.sink.absolute()
        self.server, self.folder = server, folder
        self.holds: list[bool] = []
        sending.certificate(folder)

    def check(self, what: str, value: float, sign: str, limit: float) -> None:
        self.holds.append(sending.verdict(what, value, sign, limit))

    @contextmanager
    def fleet(self, settings: Settings, **server_settings: object):
        with self.server.database(**server_settings) as database, \
                fleet(self.herald, self.sink, database, self.folder, settings) as running:
            yield running, database

    def rate(self, workers: int, count: int, settings: Settings, **server_settings: object) -> tuple[float, int, float]:
        """Sends to one list; returns the rate, the most open requests, and the milliseconds of a commit."""
        with self.fleet(settings, **server_settings) as (running, database):
            milliseconds = commit_milliseconds(database)
            due = running.apply("tides", count)
            with running.running(workers, due):
                running.wait_for_sends(due, SLOWEST)
                running.wait_for_record()
            times = running.times()
        return steady_rate(times), most_within(times, settings.delay / 1e3), milliseconds

    # MARK: Parts

    def scale(self) -> None:
        print("\n| workers | registrations | sends per second | of one × | most open | a commit, ms |\n"
              "| ---: | ---: | ---: | ---: | ---: | ---: |")
        settings, rates, opened = Settings(), {}, {}
        for workers in (1, 2, 4):
            rates[workers], opened[workers], commit = self.rate(workers, workers * EACH, settings)
            print(f"| {workers} | {workers * EACH:,} | {rates[workers]:,.0f} | {rates[workers] / rates[1]:.2f} "
                  f"| {opened[workers]:,} | {commit:.1f} |", flush=True)
        print()
        for workers, limit in OF_ONE.items():
            self.check(f"scale: {workers} workers, of one ×", rates[workers] / rates[1], "least", limit)
        self.check("scale: open requests of a worker", max(most / workers for workers, most in opened.items()), "most",
                   settings.parallel)

    def commit(self) -> None:
        print("\n| a commit, ms | sends per second |\n| ---: | ---: |")
        rates, milliseconds = [], 0.0
        for delay in (0, COMMIT_MS):
            rate, _, milliseconds = self.rate(1, EACH, Settings(), commit_delay=delay * 1_000, commit_siblings=0)
            rates.append(rate)
            print(f"| {milliseconds:.1f} | {rate:,.0f} |", flush=True)
        print()
        self.check("commit: milliseconds", milliseconds, "least", COMMIT_MS)
        self.check("commit: of the rate with fast commits ×", rates[1] / rates[0], "least", OF_FAST_COMMITS)

    def server_load(self) -> None:
        with self.fleet(AT_MARKS) as (running, database):
            due = running.apply("tides", SERVER_SENDS)
            with running.running(1, due):
                # Otherwise, autovacuum does this for the new list during the send.
                database.vacuum("ANALYZE")
                # A worker that waits for the due time costs the server the same each second.
                time.sleep(max(0, due - PREPARATION - time.time()))
                database.rows("CHECKPOINT")
                start, cpu, former = database.position(), database.processor_seconds(), database.connection_seconds()
                running.wait_for_sends(due, SLOWEST)
                running.wait_for_record()
                cpu, end = database.processor_seconds() - cpu, database.flushed()
                connections = {name: seconds - former.get(name, 0)
                               for name, seconds in database.connection_seconds().items()}
                commits = int(database.value("SELECT sum(commits) FROM herald.fleet_workers"))
            rate, log, total = steady_rate(running.times()), database.log(start, end), database.distance(start, end)
        print("\n| WAL | records | bytes per send | page images, bytes per send |\n| --- | ---: | ---: | ---: |")
        for part in log:
            if part.records + part.images > SERVER_SENDS / 1_000:
                print(f"| {part.name} | {part.count:,} | {part.records / SERVER_SENDS:.3f} | {part.images / SERVER_SENDS:.3f} |")
        print("\n| connection | CPU, µs per send |\n| --- | ---: |")
        connections["other processes of the server"] = cpu - sum(connections.values())
        for name, seconds in sorted(connections.items()):
            print(f"| {name} | {seconds / SERVER_SENDS * 1e6:.3f} |")
        images = sum(part.images for part in log)
        print(f"\nserver: {SERVER_SENDS:,} sends, {rate:,.0f} per second; page images after the checkpoint: "
              f"{images / SERVER_SENDS:.2f} bytes per send", flush=True)
        self.check("server: sends per commit of the worker", SERVER_SENDS / commits, "most", MARK)
        print(f"server: CPU µs per send in all {cpu / SERVER_SENDS * 1e6:.2f}")
        self.check("server: CPU µs per send of marks", connections["herald ledger"] / SERVER_SENDS * 1e6, "most", CPU)
        self.check("server: WAL bytes per send, without page images", (total - images) / SERVER_SENDS, "most", WAL)

    def quota(self) -> None:
        for name, kills, limit in (("steady", False, USED), ("kills", True, USED_WITH_KILLS)):
            with self.fleet(Settings(pace=QUOTA)) as (running, _):
                count = QUOTA * (SETTLED + SPAN + 20) // MINUTE
                due = running.apply("tides", count)
                with running.running(WORKERS, due):
                    self.send_for(running, due, kills)
                    sends, distinct, _, _ = running.sink.account()
                times = running.times()
            if sends != distinct:
                sys.exit(f"quota, {name}: {sends - distinct} of {sends:,} requests were sent twice")
            start = times[0] + SETTLED
            used = shares(times, start)
            print(f"\nquota, {name}: {len(times):,} requests, {running.killed} workers killed; used in each 10 s: "
                  + ", ".join(f"{share:.0%}" for share in used), flush=True)
            self.check(f"quota, {name}: requests in any 60 s", most_within(times, MINUTE), "most", QUOTA)
            self.check(f"quota, {name}: used", statistics.mean(used), "least", limit)

    def send_for(self, running, due: int, kills: bool) -> None:
        """Waits for the first request and then for the measured time."""
        while running.sink.account()[0] == 0:
            if time.time() > due + 30:
                sys.exit("no request arrived within 30 s after the due time")
            time.sleep(0.01)
        # Requests that arrive now still have their whole time in the log.
        start = running.sink.account()[2] / 1e9
        while (now := time.monotonic()) < start + SETTLED + SPAN + 1:
            is_due = now >= start + SETTLED + running.killed * KILLS_EVERY
            if kills and is_due and running.killed < SPAN // KILLS_EVERY:
                running.kill_oldest()
                running.start()
            for worker in running.workers:
                worker.check()
            time.sleep(0.05)

    def bloat(self) -> None:
        with self.fleet(Settings()) as (running, database):
            due = running.apply("tides-01", CAMPAIGN_SIZE)
            with running.running(BLOAT_WORKERS, due):
                for number in range(1, CAMPAIGNS + 1):
                    if number > 1:
                        due = running.apply(f"tides-{number:02}", CAMPAIGN_SIZE)
                    running.wait_for_sends(due, SLOWEST)
                    running.wait_for_record()
            before = {table.name: table for table in database.tables()}
            database.vacuum()
            tables, size = database.tables(), database.size()
            database.vacuum("FULL")
            rewritten = database.size()
        print("\n| table | KB | dead and free, KB | KB before VACUUM | dead and free, KB before VACUUM |\n"
              "| --- | ---: | ---: | ---: | ---: |")
        for table in tables:
            old = before[table.name]
            if old.size > 8192:
                print(f"| {table.name}{', with room for updates' if table.is_loose else ''} | {table.size / 1024:,.0f} "
                      f"| {table.unused / 1024:,.0f} | {old.size / 1024:,.0f} | {old.unused / 1024:,.0f} |")
        dense = [table for table in tables if not table.is_loose]
        rest = sum(table.unused for table in tables if table.name != "list_chunks")
        print(f"\nbloat: {size:,} bytes of tables and indexes, {rewritten:,} after VACUUM FULL; dead and free space "
              f"without that of the lists: {rest / CAMPAIGNS / CAMPAIGN_SIZE:.2f} bytes per send", flush=True)
        self.check("bloat: dead and free space of the tables", sum(table.unused for table in dense)
                   / sum(table.size for table in dense), "most", BLOAT)
        self.check("bloat: what a rewrite frees", 1 - rewritten / size, "most", BLOAT)


def commit_milliseconds(database: Database) -> float:
    """Returns the median of the time that a commit of one row takes, in a new session with the database's settings."""
    session, times = Session(database.url), []
    session.rows("CREATE TABLE public.commits (number int)")
    for number in range(COMMITS):
        start = time.perf_counter()
        session.rows(f"INSERT INTO public.commits VALUES ({number})")
        times.append(time.perf_counter() - start)
    session.rows("DROP TABLE public.commits")
    session.end()
    return statistics.median(times) * 1e3


def main() -> int:
    sending.enter_namespace()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("herald", "sink", "folder"):
        parser.add_argument(name, type=Path)
    parser.add_argument("parts", nargs="*", default=[], metavar="PART")
    arguments = parser.parse_args()
    if unknown := set(arguments.parts) - set(PARTS):
        parser.error(f"unknown parts: {', '.join(sorted(unknown))}")
    address = os.environ.get("HERALD_TEST_POSTGRES")
    if not address:
        sys.exit("run it through Scripts/with-postgres.sh")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="fleet-", dir=arguments.folder.absolute()) as folder:
        bench = Bench(arguments, Server(address), Path(folder))
        for part in arguments.parts or PARTS:
            getattr(bench, "server_load" if part == "server" else part)()
    return 0 if all(bench.holds) else 1


if __name__ == "__main__":
    sys.exit(main())
