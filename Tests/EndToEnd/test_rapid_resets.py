"""An HTTP/2 server that omits content-length and drops clients that reset too many streams.

It is nghttpx with its protection against rapid resets (CVE-2023-44487) in front of an emulator. libcurl resets
every stream whose answer came without content-length, so the server drops it. Herald has its own HTTP/2
implementation. `make soak` sends 50,000 requests.
"""

import datetime
import socket
import subprocess
import time

import pytest

from herald import DEADLINE, SOAK, Emulator, Project, token
from hostile_servers import make_certificate

TOKENS = [token(n) for n in range(5_000 * SOAK)]
# The server drops a client after a burst of 1,000 resets.
RESETS = 3_000


class Guard:
    """nghttpx between clients and a plain-text server."""

    def __init__(self, folder, port):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.certificate, key = make_certificate(folder, "guard", datetime.timedelta(days=20))
        self.log = folder / "guard.log"
        self.command = [
            "nghttpx", "--conf", "/dev/null", "--no-ocsp", "--workers", "1", "--errorlog-file", "/dev/null",
            "--accesslog-file", self.log, "--accesslog-format", "$remote_port",
            "--frontend", f"127.0.0.1,{self.port}", "--backend", f"127.0.0.1,{port}", key, self.certificate]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL)
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end and self.process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            time.sleep(0.01)
        raise AssertionError("nghttpx does not listen")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(DEADLINE)

    def connections(self):
        """Returns the number of connections that carried requests, according to nghttpx's log."""
        return len(set(self.log.read_text().split()))


@pytest.fixture
def bench(tmp_path):
    project = Project(tmp_path / "project")
    project.campaign("call", f"{{ registrations: {project.list('all', TOKENS)} }}")
    with Emulator(project, arguments=["--no-content-length"]) as emulator:
        for begin in range(0, len(TOKENS), 1_000):
            emulator.install(TOKENS[begin:begin + 1_000])
        with Guard(project.folder, emulator.port) as guard:
            project.guard = guard
            project.write(
                "herald.yaml", "version: 1\nproject: e2e\nenvironments: { far: { emulator: "
                f"{{ url: 'https://127.0.0.1:{guard.port}', ca: guard.pem }} }} }}\n")
            yield project


def test_loses_and_duplicates_no_request_and_leaves_none_unknown(bench):
    # If more requests are open, because answers are slow, some of them use a second connection.
    bench.apply("-e", "far", "--parallelism", 64).expect(0, f"{len(TOKENS):,} accepted")
    assert bench.log.accepted() == {t: 1 for t in TOKENS}
    assert bench.rows("SELECT accepted, unknown, rejected FROM units", "far") == [(len(TOKENS), 0, 0)]
    assert bench.guard.connections() == 1


def test_same_server_drops_a_client_that_resets_streams(bench):
    """curl multiplexes on one connection while it has one, and often loses the requests that are open on it."""
    subprocess.run(
        ["curl", "--silent", "--parallel", "--parallel-max", "64", "--http2", "--cacert", bench.guard.certificate,
         "--header", "Authorization: Bearer owner", "--data", "{}", "--output", "/dev/null",
         f"https://127.0.0.1:{bench.guard.port}/v1/projects/e2e/messages:send?[1-{RESETS}]"], timeout=DEADLINE)
    assert bench.guard.connections() > 1
