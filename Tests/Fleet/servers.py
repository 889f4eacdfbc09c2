"""A PostgreSQL server that may crash, and pgbouncer in front of it."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEnd"))
from herald import DEADLINE, eventually  # noqa: E402
from postgres_programs import program, server_user  # noqa: E402

USER = "herald"
SETTINGS = """
listen_addresses = ''
max_connections = 200
max_wal_size = '256MB'
log_lock_waits = on
"""
# Without `server_login_retry`, pgbouncer waits for 15 s before it connects again to a server that was down.
POOL = """
[databases]
* = host={server}
[pgbouncer]
listen_addr =
listen_port = 5432
unix_socket_dir = {folder}
auth_type = trust
auth_file = {folder}/users
pool_mode = transaction
default_pool_size = 60
max_client_conn = 400
server_login_retry = 0.2
"""


def environment():
    return {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}


class Server:
    """A server with its data in memory if possible; there, `fsync` costs nothing.

    It listens only on a Unix socket in its folder.
    """

    def __init__(self):
        base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else "/tmp"
        self.folder = Path(tempfile.mkdtemp(prefix="herald-fleet-", dir=base))
        self.user = server_user(self.folder)
        self.data, self.path = self.folder / "data", self.folder / "server.log"
        self.is_up = False

    def __enter__(self):
        self.run(program("initdb"), "-D", self.data, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
        self.run("tee", "-a", self.data / "postgresql.conf", input=f"{SETTINGS}unix_socket_directories = '{self.folder}'\n")
        self.start()
        return self

    def __exit__(self, *_):
        if self.is_up:
            self.crash()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *command, input=""):
        done = subprocess.run(
            [str(word) for word in command], cwd=self.folder, input=input.encode(), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=DEADLINE * 2, env=environment(), **self.user)
        assert done.returncode == 0, f"{command} failed\n{done.stdout.decode(errors='replace')}\n{self.log()}"

    def log(self):
        return self.path.read_text(errors="replace")[-5_000:] if self.path.exists() else ""

    def start(self):
        # The server keeps the streams of pg_ctl open, so they must not be pipes.
        with open(self.folder / "pg_ctl.log", "ab") as out:
            done = subprocess.run(
                [program("pg_ctl"), "start", "-w", "-t", str(DEADLINE), "-D", self.data, "-l", self.path], cwd=self.folder,
                stdin=subprocess.DEVNULL, stdout=out, stderr=out, timeout=DEADLINE * 2, env=environment(), **self.user)
        assert done.returncode == 0, self.log()
        self.is_up = True

    def crash(self):
        """Ends all processes of the server at once; the next start recovers from its log."""
        self.is_up = False
        self.run(program("pg_ctl"), "stop", "-w", "-t", str(DEADLINE), "-m", "immediate", "-D", self.data)

    def psql(self, sql, database="postgres"):
        """Returns the output of one column and row as text."""
        done = subprocess.run(
            [program("psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U", USER, "-d", database, "-A", "-t",
             "-c", sql], capture_output=True, text=True, timeout=DEADLINE, env=environment())
        assert done.returncode == 0, f"{sql}\n{done.stderr}"
        return done.stdout.strip()

    @property
    def socket(self):
        return self.folder / ".s.PGSQL.5432"

    def url(self, database):
        """Returns the address for commands that use no relay."""
        return f"postgresql://{USER}@/{database}?host={self.folder}"


class Pool:
    """pgbouncer in transaction mode."""

    def __init__(self, server, folder):
        self.server = server
        # A socket's path is short, and the server's user must enter the folder.
        self.folder = Path(tempfile.mkdtemp(prefix="pool-", dir=server.folder))
        self.log = Path(folder) / "pgbouncer.log"
        (self.folder / "users").write_text(f'"{USER}" ""\n')
        (self.folder / "pgbouncer.ini").write_text(POOL.format(server=server.folder, folder=self.folder))
        self.user = server_user(self.folder)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.crash()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [program("pgbouncer"), "-q", self.folder / "pgbouncer.ini"], cwd=self.folder, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, env=environment(), **self.user)
        eventually(lambda: self.socket.exists() or self.process.poll() is not None, "pgbouncer's socket")
        assert self.process.poll() is None, self.log.read_text()

    def crash(self):
        self.process.kill()
        self.process.wait(DEADLINE)
        self.socket.unlink(missing_ok=True)

    def restart(self):
        self.start()

    @property
    def socket(self):
        return self.folder / ".s.PGSQL.5432"
