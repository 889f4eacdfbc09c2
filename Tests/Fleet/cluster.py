"""Three PostgreSQL servers under Patroni, with etcd and HAProxy, all from Debian's packages and on loopback."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import psycopg2
from links import Links
from member import HERALD, OWNER, PASSWORDS, Member, Ports
from processes import DEADLINE, eventually, free_ports

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEnd"))
from postgres_programs import program, server_user  # noqa: E402

DATABASE = "push"


@dataclass(frozen=True)
class Failover:
    """`seconds`: from the kill to the first answer of the new primary through HAProxy.

    `lost`: bytes of the log that the former primary had stored and the new one does not have.
    """

    former: str
    primary: str
    timeline: int
    seconds: float
    lost: int


def position(text):
    """Returns a position in the log (`16/B374D848`) as a number."""
    high, low = text.split("/")
    return int(high, 16) << 32 | int(low, 16)


class Cluster:
    """`url`: the address of the primary for Herald, through HAProxy. `logs`: a folder for the logs of the programs."""

    def __init__(self, settings, logs):
        self.settings, self.logs = settings, Path(logs)
        self.processes = {}

    # Start and end

    def __enter__(self):
        self.logs.mkdir(parents=True, exist_ok=True)
        # In memory, syncing costs nothing, and a kill loses nothing that was synced.
        base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else "/tmp"
        self.folder = Path(tempfile.mkdtemp(prefix="herald-cluster-", dir=base))
        # The servers refuse to run as root.
        self.user = server_user(self.folder)
        self.etcd, self.peers, self.port, *ports = free_ports(12)
        self.members = [Member(self, f"pg{n + 1}", Ports(*ports[3 * n:3 * n + 3])) for n in range(3)]
        self.links = Links([(member.ports.link, member.ports.server) for member in self.members])
        self.url = f"postgresql://{HERALD}:{PASSWORDS[HERALD]}@127.0.0.1:{self.port}/{DATABASE}"
        try:
            self.start_etcd()
            for member in self.members:
                member.start()
            self.start_proxy()
            self.wait_until_complete(DEADLINE * 2)
            self.create_database()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for member in self.members:
            if member.process and member.process.poll() is None:
                member.kill()
        for process in self.processes.values():
            if process.poll() is None:
                process.kill()
            process.wait(DEADLINE)
        self.links.close()
        shutil.rmtree(self.folder)

    def spawn(self, name, *command):
        with open(self.log_path(name), "ab") as log:
            process = subprocess.Popen(
                [str(word) for word in command], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}, **self.user)
        self.processes[name] = process
        return process

    def log_path(self, name):
        return self.logs / f"{name}.log"

    def make_folder(self, path):
        path.mkdir(mode=0o700)
        server_user(path)

    def write(self, path, text):
        path.write_text(text)
        path.chmod(0o600)
        server_user(path)

    def start_etcd(self):
        clients, peers = f"http://127.0.0.1:{self.etcd}", f"http://127.0.0.1:{self.peers}"
        self.spawn(
            "etcd", program("etcd"), "--name=etcd", f"--data-dir={self.folder}/etcd", f"--listen-client-urls={clients}",
            f"--advertise-client-urls={clients}", f"--listen-peer-urls={peers}",
            f"--initial-advertise-peer-urls={peers}", f"--initial-cluster=etcd={peers}")

    def start_proxy(self):
        servers = "\n".join(
            f"    server {member.name} 127.0.0.1:{member.ports.server} check port {member.ports.api}" for member in self.members)
        self.write(self.folder / "haproxy.cfg", f"""\
global
    maxconn 500
defaults
    mode tcp
    timeout connect 1s
    timeout check 2s
    timeout client 1h
    timeout server 1h
listen primary
    bind 127.0.0.1:{self.port}
    option httpchk OPTIONS /primary
    http-check expect status 200
    default-server inter {self.settings.health_check} fall 2 rise 1 on-marked-down shutdown-sessions
{servers}
""")
        self.spawn("haproxy", program("haproxy"), "-db", "-f", self.folder / "haproxy.cfg")

    def create_database(self):
        self.execute(f"CREATE ROLE {HERALD} LOGIN PASSWORD '{PASSWORDS[HERALD]}'")
        # Workers see how far the standbys are.
        self.execute(f"GRANT pg_read_all_stats TO {HERALD}")
        self.execute(f"CREATE DATABASE {DATABASE} OWNER {HERALD}")

    # SQL

    def connect(self, user=OWNER, database="postgres", port=None):
        """Connects to the primary through HAProxy, or to the server at another port."""
        connection = psycopg2.connect(
            host="127.0.0.1", port=port or self.port, user=user, password=PASSWORDS[user], dbname=database,
            connect_timeout=2)
        connection.autocommit = True
        return connection

    def attempt(self, sql, **options):
        """Returns the rows of a statement, [] if it has none."""
        connection = self.connect(**options)
        try:
            with connection.cursor() as cursor:
                cursor.execute(sql)
                return cursor.fetchall() if cursor.description else []
        finally:
            connection.close()

    def execute(self, sql, **options):
        """As `attempt`, again and again until a primary answers: a busy machine may elect another one at any time."""
        errors = []

        def rows():
            try:
                return (self.attempt(sql, **options),)
            except psycopg2.OperationalError as error:
                errors.append(str(error))
                return None

        return eventually(rows, lambda: f"{sql}\n{errors[-1]}\n{self.describe()}")[0]

    def psql(self, sql, database=DATABASE):
        """Returns the output of psql as text, connected as Herald through HAProxy."""
        def run():
            return subprocess.run(
                [program("psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", str(self.port), "-U", HERALD,
                 "-d", database, "-A", "-t", "-c", sql], capture_output=True, text=True, timeout=DEADLINE,
                env={"PATH": os.environ["PATH"], "PGPASSWORD": PASSWORDS[HERALD]})

        # psql exits with 2 if the connection fails.
        done = eventually(lambda: (found := run()).returncode != 2 and found, lambda: f"{sql}\n{self.describe()}")
        assert done.returncode == 0, f"{sql}\n{done.stderr}"
        return done.stdout.strip()

    # The state of the members

    def primary(self):
        """Returns the member that Patroni calls the primary; None if there is none."""
        for member in self.members:
            state = member.state()
            if state.get("role") in ("master", "primary") and state.get("state") == "running":
                return member
        return None

    def known_primary(self):
        return eventually(self.primary, self.describe)

    def is_complete(self):
        """Whether both standbys receive the primary's log, and one of them synchronously if that is configured."""
        primary = self.primary()
        if primary is None:
            return False
        standbys = [row for row in primary.state().get("replication", []) if row["state"] == "streaming"]
        synchronous = [row for row in standbys if row["sync_state"] == "sync"]
        return len(standbys) == 2 and len(synchronous) == self.settings.is_synchronous and self.is_elected(synchronous)

    def is_elected(self, synchronous):
        """Whether Patroni may promote exactly the synchronous standby, if there is one, and HAProxy knows the primary."""
        named = [row["name"] for row in self.members[0].state("/cluster").get("members", []) if row["role"] == "sync_standby"]
        return named == [row["application_name"] for row in synchronous] and self.timeline() is not None

    def timeline(self):
        """Returns the timeline of the server behind HAProxy; None if there is none."""
        try:
            return int(self.attempt("SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)")[0][0], 16)
        except psycopg2.Error:
            return None

    def wait_until_complete(self, deadline=DEADLINE):
        """Waits until all members work. Returns the seconds."""
        begin = time.monotonic()

        def is_complete():
            for name in ("etcd", "haproxy"):
                assert self.processes[name].poll() is None, f"{name} ended\n{self.log_path(name).read_text()[-3_000:]}"
            for member in self.members:
                # Patroni ends if etcd is slow when it starts. A service manager starts it again.
                if member.process.poll() is not None:
                    member.start()
            return self.is_complete()

        eventually(is_complete, self.describe, deadline)
        return time.monotonic() - begin

    def describe(self):
        """Returns the states of the members, and the ends of their logs, for the message of a failure."""
        return "\n".join(f"{each.name}: {each.state()}\n{each.log()[-2000:]}" for each in self.members)

    # Failovers

    def cut_replication(self):
        """Cuts the primary off from its standbys. Its clients notice nothing if replication is not synchronous."""
        self.links.cut(self.members.index(self.known_primary()))

    def place(self):
        """Returns the primary, its timeline, and the end of its log; None if there is none."""
        primary = self.primary()
        if primary is None:
            return None
        sql = "SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), pg_current_wal_flush_lsn()"
        try:
            timeline, end = self.attempt(sql, port=primary.ports.server)[0]
        except psycopg2.Error:
            return None
        return primary, int(timeline, 16), position(end)

    def fail_over(self):
        """Kills the primary, and waits for the next one. Returns the failover."""
        former, timeline, end = eventually(self.place, self.describe)
        begin = time.monotonic()
        former.kill()
        now = eventually(lambda: (found := self.timeline()) is not None and found > timeline and found, self.describe)
        seconds = time.monotonic() - begin
        history = self.execute(f"SELECT pg_read_file('pg_wal/{now:08X}.history')")[0][0]
        switch = position(next(line.split()[1] for line in history.splitlines() if line.split()[:1] == [str(timeline)]))
        for number in range(len(self.members)):
            self.links.restore(number)
        return Failover(former.name, self.known_primary().name, now, seconds, max(0, end - switch))

    def bring_back(self, name, is_empty=False):
        """Starts a killed member as a standby, by pg_rewind or with a new copy. Returns the seconds until it is one."""
        member = next(each for each in self.members if each.name == name)
        if is_empty:
            shutil.rmtree(member.data)
        member.start()
        return self.wait_until_complete()
