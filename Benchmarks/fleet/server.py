"""The PostgreSQL server of a benchmark: its databases, and what its processes, log and tables use."""

import os
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")
# The line after the answer to a statement.
END = "-- end of the answer --"


class Session:
    """One connection of psql, whose own work does not count as the server's."""

    def __init__(self, url: str):
        self.process = subprocess.Popen(
            ["psql", "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-d", url], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.rows("SET client_min_messages = warning")
        self.backend = int(self.value("SELECT pg_backend_pid()"))

    def rows(self, sql: str) -> list[list[str]]:
        self.process.stdin.write(f"{sql};\n\\echo '{END}'\n")
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline()) != f"{END}\n":
            if not line:
                raise SystemExit(f"psql ended with {self.process.wait()} at: {sql}")
            lines.append(line.rstrip("\n").split("\t"))
        return lines

    def value(self, sql: str) -> str:
        [[value]] = self.rows(sql)
        return value

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait()


@dataclass
class Log:
    """What the write-ahead log contains about a table and its indexes, or records that belong to no table."""

    name: str
    count: int
    # In bytes.
    records: int
    images: int


@dataclass
class Table:
    name: str
    # Whether its pages have free space on purpose.
    is_loose: bool
    size: int
    unused: int


class Server:
    """Creates a database for each round. `address` is that of Scripts/with-postgres.sh."""

    def __init__(self, address: str):
        self.address = address
        self.session = Session(address)
        self.data = Path(self.session.value("SHOW data_directory"))
        self.postmaster = int((self.data / "postmaster.pid").read_text().split()[0])
        self.count = 0

    @contextmanager
    def database(self, **settings: str):
        self.count += 1
        name = f"fleet_{self.count}"
        self.session.rows(f"CREATE DATABASE {name}")
        for setting, value in settings.items():
            self.session.rows(f"ALTER DATABASE {name} SET {setting} = '{value}'")
        base, query = self.address.split("?")
        url = f"{base.rsplit('/', 1)[0]}/{name}?{query}"
        session = Session(url)
        try:
            yield Database(self, session, url)
        finally:
            session.end()
            self.session.rows(f"DROP DATABASE {name} WITH (FORCE)")


class Database:
    def __init__(self, server: Server, session: Session, url: str):
        self.server, self.session, self.url = server, session, url
        self.rows, self.value = session.rows, session.value

    def processor_seconds(self) -> float:
        """Returns the processor time of all server processes so far, without those of sessions of psql.

        Processes that have ended count in the children's time of the postmaster.
        """
        postmaster = self.server.postmaster
        fields = Path(f"/proc/{postmaster}/stat").read_text().rsplit(")", 1)[1].split()
        ended = sum(map(int, fields[13:15])) / TICK
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        own = {self.session.backend, self.server.session.backend}
        living = 0
        for process in [postmaster, *map(int, children)]:
            if process not in own:
                try:
                    living += int(Path(f"/proc/{process}/schedstat").read_text().split()[0])
                except (FileNotFoundError, ProcessLookupError):
                    continue
        return ended + living / 1e9

    def connection_seconds(self) -> dict[str, float]:
        """Returns the processor time of the processes of the open connections so far, by the connections' names."""
        rows = self.rows("SELECT pid, application_name FROM pg_stat_activity WHERE backend_type = 'client backend' "
                         "AND datname = current_database() AND application_name LIKE 'herald%'")
        seconds: dict[str, float] = {}
        for process, name in rows:
            spent = int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e9
            seconds[name] = seconds.get(name, 0) + spent
        return seconds

    def position(self) -> str:
        return self.value("SELECT pg_current_wal_insert_lsn()")

    def flushed(self) -> str:
        """Returns the end of the log, after a synchronous commit, which writes everything before it."""
        self.rows("SELECT pg_logical_emit_message(true, 'bench', '')")
        return self.value("SELECT pg_current_wal_flush_lsn()")

    def distance(self, start: str, end: str) -> int:
        return int(self.value(f"SELECT '{end}'::pg_lsn - '{start}'::pg_lsn"))

    def log(self, start: str, end: str) -> list[Log]:
        """Returns what the log contains between two positions, the largest first.

        A record counts for the table of its first page. Headers of pages of the log are not contained.
        """
        self.rows("CREATE EXTENSION IF NOT EXISTS pg_walinspect SCHEMA public")
        rows = self.rows(f"""
            WITH records AS (
                SELECT record_length, fpi_length, resource_manager, record_type,
                    substring(block_ref FROM 'rel [0-9]+/[0-9]+/([0-9]+)')::oid AS file
                FROM public.pg_get_wal_records_info('{start}', '{end}')),
            named AS (
                SELECT r.*, coalesce(
                    (SELECT o.relname FROM pg_class o WHERE o.reltoastrelid = coalesce(i.indrelid, c.oid)),
                    (SELECT o.relname FROM pg_class o WHERE o.oid = coalesce(i.indrelid, c.oid)),
                    lower(resource_manager || ' ' || record_type)) AS name
                FROM records r LEFT JOIN pg_class c ON pg_relation_filenode(c.oid) = file
                    LEFT JOIN pg_index i ON i.indexrelid = c.oid)
            SELECT name, count(*), sum(record_length - fpi_length), sum(fpi_length)
            FROM named GROUP BY 1 ORDER BY 3 DESC""")
        return [Log(name, int(count), int(records), int(images)) for name, count, records, images in rows]

    def tables(self) -> list[Table]:
        """Returns the tables of the state, each with its part for long values, by their size."""
        self.rows("CREATE EXTENSION IF NOT EXISTS pgstattuple SCHEMA public")
        rows = self.rows("""
            SELECT c.relname, c.reloptions::text LIKE '%fillfactor%' IS TRUE, sum(s.table_len),
                sum(s.dead_tuple_len + s.free_space)
            FROM pg_class c,
                LATERAL (SELECT unnest(ARRAY[c.oid, nullif(c.reltoastrelid, 0)]) AS part) p,
                LATERAL public.pgstattuple(p.part::regclass) s
            WHERE c.relnamespace = 'herald'::regnamespace AND c.relkind = 'r' AND p.part IS NOT NULL
            GROUP BY 1, 2 ORDER BY 3 DESC""")
        return [Table(name, loose == "t", int(size), int(unused)) for name, loose, size, unused in rows]

    def size(self) -> int:
        """Returns the bytes of all tables of the state with their indexes."""
        return int(self.value("""
            SELECT sum(pg_total_relation_size(oid)) FROM pg_class
            WHERE relnamespace = 'herald'::regnamespace AND relkind IN ('r', 'm')"""))

    def vacuum(self, option: str = "") -> None:
        for [name] in self.rows("""
                SELECT oid::regclass FROM pg_class
                WHERE relnamespace = 'herald'::regnamespace AND relkind = 'r'"""):
            self.rows(f"VACUUM {option} {name}")
