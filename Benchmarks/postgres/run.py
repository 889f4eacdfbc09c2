#!/usr/bin/python3
r"""Measures a list in PostgreSQL: run.py LOAD FOLDER [--count N] [--sealed]

Run it through Scripts/with-postgres.sh, with HERALD_POSTGRES_FOLDER on a disk. LOAD checks a list of N registrations
(default: 30,000,000) of 163 characters and stores it in the server, as `herald apply` does. The size is that of the list's
tables with their indexes. `--sealed` encrypts the state.

In the same run, `\copy` of psql stores the same bytes: the rows of the list's table are exported in the binary format, and
copied into an empty table with the same columns, index and storage.

FOLDER must be on a disk, too. 30,000,000 registrations need 15 GB there and 15 GB for the server. The limits are
proportional to N. The exit code is 1 if a limit is exceeded.
"""

import argparse
import importlib.util
import os
import sys
import tempfile
from pathlib import Path

FULL = 30_000_000
# For 30,000,000 registrations.
SECONDS, BYTES = 120, 4.5e9

sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("memberships", Path(__file__).parent.with_name("memberships") / "run.py")
memberships = importlib.util.module_from_spec(spec)
sys.modules["memberships"] = memberships
spec.loader.exec_module(memberships)


class Server:
    def __init__(self, address: str, folder: Path):
        self.address, self.folder = address, folder

    def run(self, *commands: str) -> memberships.Run:
        """Runs SQL and commands of psql, each in a transaction of its own."""
        options = [part for command in commands for part in ("-c", command)]
        return memberships.run("psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", self.address, *options,
                               folder=self.folder)

    def number(self, sql: str) -> int:
        return int(self.run(sql).output)


def store(server: Server, load: Path, count: int, sealed: bool) -> tuple[memberships.Run, float, int]:
    """Returns the process, its seconds without its start, and the bytes of the tables."""
    path = server.folder / "list.txt"
    memberships.write(path, count, seed=1)
    server.run("CHECKPOINT")
    stored = memberships.run(load, server.address, path, *(["sealed"] if sealed else []), folder=server.folder)
    path.unlink()
    found, seconds = stored.output.split()
    rows = server.number("SELECT sum(list_chunks.count) FROM herald.lists JOIN herald.list_chunks ON list = lists.id "
                         f"WHERE lists.count = {count}")
    if (int(found), rows) != (count, count):
        sys.exit(f"{found} registrations were read and {rows} were stored instead of {count}")
    size = server.number("SELECT pg_total_relation_size('herald.lists') + pg_total_relation_size('herald.list_chunks')")
    return stored, float(seconds), size


def peer(server: Server) -> float:
    r"""Stores the same bytes with `\copy` of psql; returns the seconds."""
    rows = server.number("SELECT count(*) FROM herald.list_chunks")
    export = server.folder / "rows"
    server.run("CREATE TABLE public.copied (LIKE herald.list_chunks INCLUDING ALL)",
               rf"\copy herald.list_chunks TO '{export}' (FORMAT binary)", "SET client_min_messages = warning",
               "DROP SCHEMA herald CASCADE", "CHECKPOINT")
    wall = server.run(rf"\copy public.copied FROM '{export}' (FORMAT binary)").wall
    export.unlink()
    copied = server.number("SELECT count(*) FROM public.copied")
    server.run("DROP TABLE public.copied")
    if copied != rows:
        sys.exit(f"psql copied {copied} of {rows} rows")
    return wall


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("load", "folder"):
        parser.add_argument(name, type=lambda text: Path(text).resolve())
    parser.add_argument("--count", type=int, default=FULL)
    parser.add_argument("--sealed", action="store_true")
    given = parser.parse_args()
    address = os.environ.get("HERALD_TEST_POSTGRES")
    if not address:
        sys.exit("run it through Scripts/with-postgres.sh")
    given.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="postgres-", dir=given.folder) as name:
        server = Server(address, Path(name))
        stored, seconds, size = store(server, given.load, given.count, given.sealed)
        copied = peer(server)
    print(f"{given.count:,} registrations of {memberships.LENGTH} characters{', encrypted' if given.sealed else ''}\n")
    print("| stored s | load CPU s | load MB | tables GB | psql s | of psql × |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    print(f"| {seconds:.1f} | {stored.cpu:.1f} | {stored.megabytes:.0f} | {size / 1e9:.2f} | {copied:.1f} "
          f"| {seconds / copied:.2f} |\n")
    share = given.count / FULL
    holds = [memberships.verdict("store seconds", seconds, SECONDS * share),
             memberships.verdict("tables GB", size / 1e9, BYTES / 1e9 * share)]
    return 0 if all(holds) else 1


if __name__ == "__main__":
    sys.exit(main())
