"""Health, metrics, logs and the service manager of `herald run`."""

import contextlib
import fcntl
import json
import os
import re
import signal
import socket
import subprocess
import time
from pathlib import Path

import jsonschema
import pytest

from accounts import make_key
from herald import DEADLINE, Emulator, Project, binary, eventually, schema, token, variables
from services import FUTURE, Receiver, Service, apply_earlier, checked_metrics, due_campaign

TOKENS = [token(n) for n in range(4)]


@pytest.fixture
def bench(tmp_path):
    project = Project(tmp_path / "project", "timezone: UTC\n", ["tides", "winds"])
    project.devices(TOKENS)
    return project


@pytest.fixture
def waiting(bench):
    """A project with a send in the far future."""
    with Emulator(bench):
        bench.campaign("tide", "{ topic: tides }", schedule=FUTURE)
        bench.apply().expect(0)
        yield bench


@pytest.fixture
def due(bench):
    """A project with a send that a service performs at once."""
    with Emulator(bench):
        due_campaign(bench, "tide", "{ topic: tides }")
        apply_earlier(bench).expect(0)
        yield bench


def test_serves_health_and_metrics_while_it_waits(waiting):
    with Service(waiting) as service:
        service.until_ready()
        status, headers, body = service.get("/healthz")
        assert (status, json.loads(body)) == (200, {"status": "ok"})
        assert headers["Content-Type"] == "application/json"
        status, headers, body = service.get("/metrics")
        assert (status, headers["Content-Type"]) == (200, "text/plain; version=0.0.4; charset=utf-8")
        checked_metrics(body)
        assert service.metric("herald_ready", environment="local") == "1"
        assert service.metric("herald_pending_occurrences", state="scheduled") == "1"
        assert service.metric("herald_due_lag_seconds") == "0"
        assert service.metric("herald_next_due_timestamp_seconds") == "2121237000"
        assert float(service.metric("herald_loop_silence_seconds")) < 30
        assert service.metric("herald_last_run_timestamp_seconds") is None


def test_serves_nothing_else(waiting):
    with Service(waiting) as service:
        assert service.get("/")[0] == 404
        assert service.get("/metrics", method="HEAD")[::2] == (200, "")
        status, headers, _ = service.get("/metrics", method="DELETE")
        assert (status, headers["Allow"]) == (405, "GET, HEAD")


def test_listens_only_on_this_machine_unless_told_otherwise(waiting):
    """The local addresses are those that proc_net_tcp(5) describes."""
    free = socket.create_server(("127.0.0.1", 0))
    port = free.getsockname()[1]
    free.close()
    with waiting.start("run", "--listen", port) as service:
        def addresses():
            lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
            return {fields[1] for fields in lines if fields[3] == "0A" and fields[1].endswith(f":{port:04X}")}

        assert eventually(addresses, f"the port is open\n{service.texts()}") == {f"0100007F:{port:04X}"}


def test_counts_what_it_sends(due):
    with Service(due) as service:
        eventually(lambda: service.metric("herald_occurrences_total", result="finished") == "1", "the send is counted")
        assert due.log.accepted() == {"tides": 1}
        assert service.metric("herald_requests_total", outcome="accepted") == "1"
        assert service.metric("herald_requests_total", outcome="rejected") == "0"
        assert service.metric("herald_windows_total", result="complete") == "1"
        assert service.metric("herald_open_requests") == "0"
        assert abs(float(service.metric("herald_last_run_timestamp_seconds")) - time.time()) < DEADLINE
        checked_metrics(service.get("/metrics")[2])


def test_metrics_name_no_campaign_and_no_registration(due):
    due_campaign(due, "call", f"{{ registrations: {due.list('all', TOKENS)} }}")
    apply_earlier(due).expect(0)
    with Service(due) as service:
        eventually(lambda: service.metric("herald_occurrences_total", result="finished") == "2", "both sends")
        text = service.get("/metrics")[2]
        assert {name for name in ("tide", "call", "phone-", *TOKENS) if name in text} == set()


def test_a_port_in_use_ends_the_start(waiting):
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"
        waiting.herald("run", "--listen", address).expect(1, f"another process listens on http://{address}", "--listen")


def test_once_serves_nothing(waiting):
    waiting.herald("run", "--once", "--listen", "0").expect(64, "--listen needs a service")
    waiting.herald("run", "--listen", "nowhere").expect(64)


# MARK: not ready


def test_is_not_ready_while_another_process_holds_the_lock(due):
    with open(due.folder / ".herald/local.sqlite", "rb") as state:
        fcntl.flock(state, fcntl.LOCK_EX)
        with Service(due, "--lock-timeout", "1") as service:
            eventually(lambda: service.problems() == ["lock"], "the lock is missed")
            assert service.get("/healthz")[0] == 200
            assert service.metric("herald_problem", problem="lock") == "1"
            assert float(service.metric("herald_due_lag_seconds")) >= 60
            fcntl.flock(state, fcntl.LOCK_UN)
            service.running.signal(signal.SIGHUP)
            service.until_ready()
            eventually(lambda: due.log.accepted() == {"tides": 1}, "the send")


def test_is_not_ready_while_the_clock_is_before_the_last_run(bench):
    bench.campaign("tide", "{ topic: tides }", schedule=FUTURE)
    bench.apply(now="2037-03-20T08:30:00Z").expect(0)
    with Service(bench) as service:
        eventually(lambda: service.problems() == ["clock"], "the clock is noticed")
        assert "2037-03-20T08:30:00Z" in service.get("/readyz")[2]


def test_is_not_ready_without_its_state(waiting):
    with Service(waiting) as service:
        service.until_ready()
        (waiting.folder / ".herald/local.sqlite").rename(waiting.folder / "elsewhere")
        eventually(lambda: service.problems() == ["state"], "the state is missed")
        assert service.running.process.poll() is None


def test_is_not_ready_while_the_disk_is_full(due, tmp_path):
    """strace makes writes of the state fail. The service does not lose the send."""
    log = tmp_path / "service.err"
    with open(log, "wb") as err:
        process = subprocess.Popen(
            ["strace", "-f", "-qq", "-o", tmp_path / "trace", "-P", due.folder / ".herald/local.sqlite-wal",
             "-e", "trace=pwrite64", "-e", "inject=pwrite64:error=ENOSPC", binary(), "run", "--listen", "0", "-C", due.folder],
            env=variables(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err)
    try:
        service = Service.__new__(Service)
        found = eventually(
            lambda: re.search(r"http://127\.0\.0\.1:\d+", log.read_text()), "the address of the service")
        service.url = found[0]
        eventually(lambda: service.problems() == ["disk"], "the full disk is noticed")
        assert due.log.accepted() == {}
    finally:
        process.kill()
        process.wait(DEADLINE)
        # strace leaves the service behind.
        for line in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                if str(due.folder).encode() in line.read_bytes().split(b"\0"):
                    os.kill(int(line.parent.name), signal.SIGKILL)
    with Service(due) as service:
        service.until_ready()
        eventually(lambda: due.log.accepted() == {"tides": 1}, "the send")


def test_a_credential_stops_working_at_night_and_nothing_is_lost(tmp_path):
    project = Project(tmp_path / "project")
    with Emulator(project) as emulator, Receiver() as receiver:
        make_key(project)
        project.write(
            "herald.yaml",
            "version: 1\nproject: e2e\ntimezone: UTC\ntopics: { tides: {} }\nenvironments:\n"
            f"  bench: {{ emulator: {{ url: '{emulator.url}', credentials: robot.json }}, "
            "notify: { webhook: env:HOOK } }\n")
        due_campaign(project, "tide", "{ topic: tides }")
        apply_earlier(project, "-e", "bench", env={"HOOK": receiver.url}).expect(0)
        fault = {"match": {"service": "TOKEN"}, "answer": {"error": "INVALID_GRANT"}}
        emulator.put("/emulator/v1/faults", {"rules": [fault]})
        with Service(project, "-e", "bench", env={"HOOK": receiver.url}) as service:
            eventually(lambda: service.problems() == ["credential"], "the credential is missed")
            eventually(lambda: receiver.events() == ["credential_failed"], "the notification")
            assert "invalid_grant" in receiver.notifications()[0]["text"]
            assert project.log.sends() == []
            assert service.running.process.poll() is None
            emulator.put("/emulator/v1/faults", {"rules": []})
            service.running.signal(signal.SIGHUP)
            service.until_ready()
            eventually(lambda: project.log.accepted() == {"tides": 1}, "the send")
            eventually(lambda: set(receiver.events()) == {"credential_failed", "credential_recovered", "finished"},
                       "the notifications")
            eventually(lambda: service.metric("herald_credential_reloads_total") == "1", "the reload is counted")


# MARK: logs


def test_json_logs_are_one_object_per_line(due):
    validator = jsonschema.Draft7Validator(json.loads(schema("log")))
    with Service(due, "--log-format", "json") as service:
        eventually(lambda: due.log.accepted() == {"tides": 1}, "the send")
        eventually(lambda: '"event":"finished"' in service.err, "the end of the send")
        service.running.signal(signal.SIGHUP)
        eventually(lambda: '"event":"reloading"' in service.err, "the reload")
        result = service.running.signal(signal.SIGTERM).finish()
    assert (result.code, result.out) == (130, "")
    lines = [json.loads(line) for line in result.err.splitlines()]
    for line in lines:
        validator.validate(line)
    events = [line["event"] for line in lines]
    assert events[:2] == ["started", "listening"]
    assert {"sent", "finished", "waiting", "reloading", "message"} <= set(events)
    finished = next(line for line in lines if line["event"] == "finished")
    assert finished["occurrence"] == "tide/once/1"
    assert (finished["counts"]["accepted"], finished["level"], finished["environment"]) == (1, "info", "local")
    assert any("SIGTERM" in line["message"] for line in lines)


def test_json_logs_contain_failures_of_the_start(bench):
    result = bench.herald("run", "--log-format", "json")
    assert (result.code, result.out) == (1, "")
    line, = [json.loads(line) for line in result.err.splitlines()]
    assert (line["event"], line["level"]) == ("failed", "error")
    assert "there is no state at" in line["message"]


# MARK: the service manager


class Manager:
    """The receiving end of sd_notify(3)."""

    def __init__(self, name):
        self.messages = []
        self.name = name
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + name[1:] if name.startswith("@") else name)
        self.socket.setblocking(False)

    def all(self):
        with contextlib.suppress(BlockingIOError):
            while True:
                self.messages.append(self.socket.recv(65_536).decode())
        return self.messages

    def wait_for(self, beginning, times=1):
        return eventually(
            lambda: [m for m in self.all() if m.startswith(beginning)][times - 1:],
            f"{times} messages {beginning!r}: {self.messages}")[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()


@pytest.mark.parametrize("abstract", [False, True], ids=["path", "abstract"])
def test_tells_the_service_manager_how_it_is(waiting, tmp_path, abstract):
    name = f"@herald-test-{tmp_path}" if abstract else str(tmp_path / "notify")
    with Manager(name[:100]) as manager:
        env = {"NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "400000"}
        with Service(waiting, env=env) as service:
            manager.wait_for("READY=1")
            assert "2037-03-21T08:30:00Z" in manager.wait_for("STATUS=Waiting. The next send is due at")
            began = time.monotonic()
            manager.wait_for("WATCHDOG=1", times=len([m for m in manager.all() if m == "WATCHDOG=1"]) + 5)
            assert 0.6 < time.monotonic() - began < 30
            service.running.signal(signal.SIGHUP)
            reloading = manager.wait_for("RELOADING=1")
            now = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
            assert 0 < int(re.fullmatch(r"RELOADING=1\nMONOTONIC_USEC=(\d+)", reloading)[1]) <= now
            manager.wait_for("READY=1", times=2)
            service.running.signal(signal.SIGTERM).finish().expect(130)
            manager.wait_for("STOPPING=1")
        kinds = [message.split("=")[0] for message in manager.all()]
        assert kinds.index("READY") < kinds.index("RELOADING") < kinds.index("STOPPING")


def test_no_pings_for_another_process(waiting, tmp_path):
    with Manager(str(tmp_path / "notify")) as manager:
        env = {"NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "100000", "WATCHDOG_PID": "1"}
        with Service(waiting, env=env) as service:
            manager.wait_for("STATUS=Waiting")
            service.running.signal(signal.SIGTERM).finish().expect(130)
        assert "WATCHDOG=1" not in manager.all()


def test_a_one_off_run_ignores_the_service_manager(waiting, tmp_path):
    with Manager(str(tmp_path / "notify")) as manager:
        waiting.herald("run", "--once", env={"NOTIFY_SOCKET": manager.name}).expect(0)
        assert manager.all() == []
