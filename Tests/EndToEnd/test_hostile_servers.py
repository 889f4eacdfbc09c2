"""Failing servers and networks: each send ends in time, open requests become unknown, and nothing is sent twice.

The emulator's request log is the reference. If the emulator cannot fail this badly, a Python server and its log
are
used.
"""

import datetime
import json
import re
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from accounts import make_key
from herald import Emulator, Project, token
from hostile_servers import BareHTTP2, Middleman, make_certificate

COUNT = 600
TOKENS = [token(n) for n in range(COUNT)]
# Time limit for a request and its answer, in seconds.
LIMIT = 2
# Time limit for the rest of a run: 600 sends, pauses, and a slow machine.
REST = 20
# The number of requests that are open at once.
OPEN = 64


class Bench:
    def __init__(self, project, emulator, protocol):
        self.project, self.emulator, self.protocol = project, emulator, protocol
        running = json.loads((project.folder / ".herald/emulator/running.json").read_text())
        self.port = int(running["tls_url" if protocol == "h2" else "url"].rsplit(":", 1)[1])
        self.reach(self.port)

    def reach(self, port):
        emulator = {"h2": f"url: 'https://127.0.0.1:{port}', ca: .herald/emulator/ca.pem",
                    "http/1.1": f"url: 'http://127.0.0.1:{port}'"}[self.protocol]
        self.project.write("herald.yaml",
                           f"version: 1\nproject: e2e\nenvironments: {{ far: {{ emulator: {{ {emulator} }} }} }}\n")

    def faults(self, *rules):
        self.emulator.put("/emulator/v1/faults", {"rules": [{"match": {"service": "SEND"}, **rule} for rule in rules]})

    def apply(self):
        """Applies. Every send ends within its deadline plus five seconds, and so does the run."""
        begin = time.monotonic()
        result = self.project.apply("-e", "far", "--request-timeout", f"{LIMIT}s", "--parallelism", OPEN)
        assert time.monotonic() - begin < LIMIT + 5 + REST
        return result

    def judge(self, result, most_unknown):
        """Checks that no message was accepted twice, and that all others are listed as unknown and few."""
        unknown = len(re.findall(r"^  unknown   call/once/1  ", result.out, re.MULTILINE))
        accepted = self.project.log.accepted()
        assert unknown <= most_unknown, result
        result.expect(4 if unknown else 0, f"{COUNT - unknown} accepted")
        assert max(accepted.values()) == 1
        assert COUNT - unknown <= len(accepted) <= COUNT
        return unknown


def on_both(tmp_path, scene):
    """Runs the scenario over HTTP/2 with TLS and over plain HTTP/1.1 in parallel, because most of it is waiting."""
    def play(protocol):
        project = Project(tmp_path / protocol.replace("/", "-") / "project")
        project.campaign("call", f"{{ registrations: {project.list('all', TOKENS)} }}")
        with Emulator(project, arguments=["--tls-port", "0"]) as emulator:
            emulator.install(TOKENS)
            scene(Bench(project, emulator, protocol))

    for protocol in ("h2", "http/1.1"):
        (tmp_path / protocol.replace("/", "-")).mkdir()
    with ThreadPoolExecutor() as pool:
        list(pool.map(play, ("h2", "http/1.1")))


def test_survives_a_goaway_every_200_requests(tmp_path):
    def scene(bench):
        bench.faults({"when": {"every": 200}, "delivery": {"go_away": {}}})
        bench.judge(bench.apply(), 0)
    on_both(tmp_path, scene)


def test_survives_refused_streams(tmp_path):
    """Over HTTP/1.1 the connection is reset, so the request's fate is unknown."""
    def scene(bench):
        bench.faults({"when": {"every": 250}, "delivery": {"reset_stream": "REFUSED_STREAM"}})
        assert bench.judge(bench.apply(), 2) == {"h2": 0, "http/1.1": 2}[bench.protocol]
    on_both(tmp_path, scene)


def test_survives_a_peer_that_vanishes(tmp_path):
    def scene(bench):
        bench.faults({"when": {"nth": 300}, "delivery": {"half_open": True}})
        assert bench.judge(bench.apply(), {"h2": OPEN, "http/1.1": 1}[bench.protocol]) > 0
    on_both(tmp_path, scene)


def test_survives_a_connection_that_dies_while_idle(tmp_path):
    def scene(bench):
        # Longer than Herald assumes an idle connection to be alive.
        pause = {"h2": 2, "http/1.1": 3}[bench.protocol]
        bench.faults({"when": {"nth": 300}, "answer": {"error": "QUOTA_EXCEEDED", "retry_after_seconds": pause}})
        with Middleman(bench.port, idle=0.7) as middleman:
            bench.reach(middleman.port)
            bench.judge(bench.apply(), 0)
            assert middleman.dead > 0
    on_both(tmp_path, scene)


def test_survives_a_server_that_stops_reading(tmp_path):
    def scene(bench):
        # The first HTTP/1.1 connection only checks that the server is reachable.
        after, number = {"h2": (20_000, 0), "http/1.1": (1_000, 1)}[bench.protocol]
        with Middleman(bench.port, after=after, mortal=lambda connection: connection == number) as middleman:
            bench.reach(middleman.port)
            bench.judge(bench.apply(), {"h2": OPEN, "http/1.1": 1}[bench.protocol])
            assert middleman.dead == 1
    on_both(tmp_path, scene)


def bare(tmp_path, lasts, tokens=TOKENS[:40], size=2_500, hold=1):
    """A minimal server instead of an emulator, and a project with messages of this size for it."""
    project = Project(tmp_path / "project")
    project.write("campaigns/call.yaml",
                  f"campaign: call\naudience: {{ registrations: {project.list('all', tokens)} }}\n"
                  f"message: {{ data: {{ text: {'x' * size} }} }}\n")
    server = BareHTTP2(make_certificate(project.folder, "server", lasts), tmp_path / "server.ndjson", hold)
    project.write("herald.yaml", "version: 1\nproject: e2e\nenvironments: { far: { emulator: "
                  f"{{ url: 'https://127.0.0.1:{server.port}', ca: server.pem }} }} }}\n")
    return project, server, tokens


def test_survives_a_server_that_never_widens_its_window(tmp_path):
    project, server, tokens = bare(tmp_path, datetime.timedelta(days=20))
    with server:
        project.apply("-e", "far").expect(0, "40 accepted")
    entries = server.entries()
    assert Counter(entry["body"]["message"]["token"] for entry in entries) == {t: 1 for t in tokens}
    taken = Counter()
    for entry in entries:
        taken[entry["connection"]] += entry["bytes"]
    # 40 messages exceed the initial connection window of 65,535 bytes (RFC 9113, section 6.9.2).
    assert len(taken) == 2 and max(taken.values()) <= 65_535


def test_a_connection_carries_at_most_100_requests(tmp_path):
    """The server allows more, and answers nothing before all 250 requests are open."""
    tokens = [token(n) for n in range(250)]
    project, server, _ = bare(tmp_path, datetime.timedelta(days=20), tokens, size=10, hold=250)
    with server:
        project.apply("-e", "far", "--parallelism", "250").expect(0, "250 accepted")
    carried = Counter(entry["connection"] for entry in server.entries())
    assert sum(carried.values()) == 250 and len(carried) == 3 and max(carried.values()) == 100


def test_reports_an_expired_certificate(tmp_path):
    project, server, _ = bare(tmp_path, datetime.timedelta(days=9))
    with server:
        project.apply("-e", "far").expect(1, "cannot be reached", "certificate has expired")
    assert server.entries() == []
    # Nothing was started, so all work remains.
    assert project.plan("-e", "far")["campaigns"][0]["action"] == "send"


def test_reports_an_unresolvable_host_name(tmp_path):
    """The failure occurs before any work starts. `.invalid` is reserved (RFC 6761)."""
    project = Project(tmp_path / "project")
    project.campaign("call", f"{{ registrations: {project.list('all', TOKENS[:3])} }}")
    with Emulator(project, arguments=["--require-tokens"]) as emulator:
        make_key(project, "robot@harbour-b5ae1.iam.gserviceaccount.com")
        project.credentials["far"] = "robot.json"
        project.write("herald.yaml", "version: 1\nproject: e2e\nenvironments: { far: { fcm: { project_id: harbour-b5ae1, "
                      "credentials: application-default, endpoint: 'https://nowhere.invalid' } } }\n")
        project.name_states("far")
        project.apply("-e", "far", "--dangerous-endpoint").expect(1, "cannot be reached", "nowhere.invalid")
        assert emulator.project.log.count() == 0
    assert project.plan("-e", "far")["campaigns"][0]["action"] == "send"
