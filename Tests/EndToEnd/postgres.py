"""A PostgreSQL server of a test, which an ordinary user runs on a socket and a loopback port."""

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from herald import DEADLINE
from postgres_programs import free_port, program, server_user


class Postgres:
    """A server with the superuser `owner` and the password `secret-of-the-owner`."""

    password = "secret-of-the-owner"

    def __enter__(self):
        # Not below pytest's folders, which another user may not enter; a socket's path is short.
        self.folder = Path(tempfile.mkdtemp(prefix="herald-pg-", dir="/tmp"))
        self.data, self.port = self.folder / "data", free_port()
        (self.folder / "password").write_text(self.password)
        # initdb and the server refuse to run as root.
        self.user = server_user(self.folder, self.folder / "password")
        self.run(program("initdb"), "-D", self.data, "-U", "owner", "-A", "scram-sha-256", "-E", "UTF8",
                 "--pwfile", self.folder / "password", "--no-sync")
        settings = f"listen_addresses = '127.0.0.1'\nport = {self.port}\nunix_socket_directories = '{self.folder}'\n" \
            "fsync = off\nlog_statement = 'all'\nlogging_collector = off\n"
        self.run("tee", "-a", self.data / "postgresql.conf", input=settings)
        log = open(self.folder / "log", "wb")
        with log:
            self.process = subprocess.Popen(
                [program("postgres"), "-D", self.data], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log,
                stderr=subprocess.STDOUT, env={"PATH": os.environ["PATH"]}, **self.user)
        end = time.monotonic() + DEADLINE
        while self.psql("SELECT 1", check=False).returncode:
            assert time.monotonic() < end and self.process.poll() is None, self.log()
            time.sleep(0.05)
        return self

    def __exit__(self, *_):
        # A fast shutdown; the data is deleted anyway.
        self.process.send_signal(2)
        try:
            self.process.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(DEADLINE)
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *command, input=""):
        done = subprocess.run(
            [str(word) for word in command], cwd=self.folder, input=input.encode(), capture_output=True, timeout=DEADLINE,
            env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}, **self.user)
        assert done.returncode == 0, (command, done.stdout, done.stderr)

    def psql(self, sql, check=True):
        """Runs SQL as the owner."""
        done = subprocess.run(
            [program("psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", str(self.folder), "-p", str(self.port), "-U", "owner",
             "-d", "postgres", "-A", "-t", "-f", "-"],
            input=sql.encode(), capture_output=True, timeout=DEADLINE,
            env={"PATH": os.environ["PATH"], "PGPASSWORD": self.password, "PGCLIENTENCODING": "UTF8"})
        if check:
            assert done.returncode == 0, done.stderr.decode()
        return done

    def value(self, sql):
        return self.psql(sql).stdout.decode().strip()

    def log(self):
        """Returns every statement that the server received."""
        return (self.folder / "log").read_text(errors="replace")

    def url(self, user="owner", password=None, host="127.0.0.1"):
        return f"postgresql://{user}:{password or self.password}@{host}:{self.port}/postgres"


@pytest.fixture(scope="module")
def postgres():
    with Postgres() as server:
        yield server
