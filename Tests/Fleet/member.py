"""A PostgreSQL server under Patroni."""

import json
import os
import signal
import sys
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from processes import DEADLINE, children, eventually, is_alive

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEnd"))
from postgres_programs import program  # noqa: E402

OWNER, REPLICATOR, HERALD = "owner", "replicator", "herald"
PASSWORDS = {OWNER: "secret-of-the-owner", REPLICATOR: "secret-of-the-standbys", HERALD: "secret-of-the-state"}


@dataclass(frozen=True)
class Settings:
    """`ttl`: seconds after the last sign of life of a primary until another one is elected.

    They are much shorter than an operator should choose, so that a failover takes seconds.
    """

    is_synchronous: bool
    ttl: int = 5
    loop_wait: int = 1
    retry_timeout: int = 2
    health_check: str = "250ms"

    def patroni(self):
        """Returns the settings that all members share, in etcd."""
        return {
            "ttl": self.ttl, "loop_wait": self.loop_wait, "retry_timeout": self.retry_timeout,
            # A standby whose replication was cut may be elected, although it lost commits.
            "maximum_lag_on_failover": 1 << 40,
            # A primary that reaches its standbys keeps its role if etcd is slow.
            "failsafe_mode": True,
            "synchronous_mode": self.is_synchronous,
            # Without a standby, commits wait.
            "synchronous_mode_strict": self.is_synchronous,
            "postgresql": {
                "use_slots": True, "use_pg_rewind": True, "remove_data_directory_on_rewind_failure": True,
                "parameters": {
                    "max_connections": 200, "max_wal_senders": 12, "max_replication_slots": 12, "hot_standby": True,
                    "wal_level": "replica", "wal_keep_size": "512MB", "wal_retrieve_retry_interval": "200ms",
                    # In the data folder, so that nothing of a killed server is left elsewhere.
                    "dynamic_shared_memory_type": "mmap", "shared_buffers": "64MB",
                    "logging_collector": False, "log_line_prefix": "%m [%p] ", "timezone": "UTC"}}}


@dataclass(frozen=True)
class Ports:
    """`link`: of the relay through which other members reach the server at `server`. `api`: of Patroni."""

    server: int
    api: int
    link: int


class Member:
    """A Patroni process with its PostgreSQL server."""

    def __init__(self, cluster, name, ports):
        self.cluster, self.name, self.ports = cluster, name, ports
        self.folder = cluster.folder / name
        self.data = self.folder / "data"
        self.process = None
        cluster.make_folder(self.folder)
        self.configuration = self.folder / "patroni.yml"
        # YAML contains JSON.
        cluster.write(self.configuration, json.dumps(self.settings(), indent=1))

    def settings(self):
        users = {"superuser": OWNER, "replication": REPLICATOR, "rewind": OWNER}
        api = f"127.0.0.1:{self.ports.api}"
        return {
            "scope": "fleet", "name": self.name, "restapi": {"listen": api, "connect_address": api},
            # The shortest times leave no room for one.
            "watchdog": {"mode": "off"},
            "etcd3": {"hosts": f"127.0.0.1:{self.cluster.etcd}"},
            "bootstrap": {
                "dcs": self.cluster.settings.patroni(),
                "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "data-checksums", "no-sync"]},
            "postgresql": {
                "listen": f"127.0.0.1:{self.ports.server}", "connect_address": f"127.0.0.1:{self.ports.link}",
                "data_dir": str(self.data), "bin_dir": str(Path(program("postgres")).parent),
                "pgpass": str(self.folder / "pgpass"),
                "authentication": {
                    role: {"username": user, "password": PASSWORDS[user]} for role, user in users.items()},
                "parameters": {"unix_socket_directories": str(self.folder)},
                "basebackup": [{"checkpoint": "fast"}, "no-sync"],
                "pg_hba": [f"host {database} all 127.0.0.1/32 scram-sha-256" for database in ("all", "replication")]}}

    def start(self):
        self.process = self.cluster.spawn(self.name, program("patroni"), self.configuration)

    def postmaster(self):
        """Returns the process id of the server; None if it has none."""
        try:
            pid = int((self.data / "postmaster.pid").read_text().split()[0])
        except (FileNotFoundError, IndexError):
            return None
        return pid if is_alive(pid) else None

    def kill(self):
        """Ends Patroni, the server and its backends at once, as a power failure does."""
        pids = [pid for pid in (self.process.pid, self.postmaster()) if pid]
        # A stopped parent starts no other process.
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        pids += [child for pid in pids for child in children(pid)]
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        self.process.wait(DEADLINE)
        eventually(lambda: not any(map(is_alive, pids)), lambda: f"the processes of {self.name} end")

    def state(self, path="/patroni"):
        """Returns what Patroni reports about the member, or with `/cluster` about all; {} if it does not answer."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.ports.api}{path}", timeout=2) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return json.loads(error.read() or "{}")
        except (OSError, ValueError):
            return {}

    def log(self):
        return self.cluster.log_path(self.name).read_text(errors="replace")
