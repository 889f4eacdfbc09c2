"""Two `herald run` on one state: one sends, and the other is its standby. An `apply` gets the lock of a busy service."""

import fcntl
import json
import signal
import time
from datetime import datetime, timedelta, timezone

import jsonschema
import pytest

from herald import Emulator, Project, eventually, schema, token
from services import Service, apply_earlier, checked_metrics, due_campaign
from test_service_status import Manager

TOKENS = [token(n) for n in range(40)]
# The promise, and what a busy machine may add.
LAG = 2 + 3


@pytest.fixture
def bench(tmp_path):
    project = Project(tmp_path / "project", "timezone: UTC\nenvironments: { local: { emulator: {} } }\n", ["tides", "winds"])
    project.devices(TOKENS)
    with Emulator(project) as emulator:
        project.emulator = emulator
        yield project


def soon(project, name, audience="{ topic: tides }", seconds=3, options=()):
    """Applies a campaign that is due in this many seconds and then once a minute; returns the due time."""
    due = datetime.now(timezone.utc).replace(microsecond=0) + timedelta(seconds=seconds)
    project.write(
        f"campaigns/{name}.yaml",
        f"campaign: {name}\naudience: {audience}\nmessage: {{ notification: {{ title: {name} }} }}\non_unknown: skip\n"
        f'schedule: {{ rrule: "FREQ=MINUTELY;BYSECOND={due.second}", from: "{due - timedelta(minutes=1):%Y-%m-%d %H:%M}" }}\n')
    project.apply(*options).expect(0)
    return due.timestamp()


def slow(project, milliseconds):
    """Makes FCM answer late."""
    rule = {"id": "slow", "match": {"service": "SEND"}, "delivery": {"delay_milliseconds": milliseconds}}
    project.emulator.put("/emulator/v1/faults", {"rules": [rule]})


def stands_by(service, active):
    """Waits until a service says everywhere that it is the standby of another one."""
    def said():
        status, _, body = service.get("/readyz")
        answer = json.loads(body)
        return (status, answer["status"], answer["problems"], answer["active"]["process"]) == (200, "standby", [], active)

    eventually(lambda: "Standby:" in service.err, f"the standby says so\n{service.err}")
    eventually(said, f"/readyz says so: {service.get('/readyz')}")
    assert f"process {active}, since" in " ".join(service.err.split())
    assert (service.metric("herald_standby"), service.metric("herald_ready")) == ("1", "1")


@pytest.fixture
def pair(bench):
    """An active service and its standby, on a state with something scheduled later."""
    bench.campaign("later", "{ topic: winds }", schedule="2037-03-21 08:30")
    bench.apply().expect(0)
    with Service(bench) as active:
        active.until_ready()
        with Service(bench) as standby:
            stands_by(standby, active.running.process.pid)
            yield bench, active, standby


def test_the_status_names_the_standby(pair):
    bench, active, standby = pair
    processes = {service.running.process.pid: service is standby for service in (active, standby)}

    def runners():
        return json.loads(bench.herald("status", "--format", "json").expect(0).out)["runners"]

    eventually(lambda: {runner["process"]: runner["standby"] for runner in runners()} == processes, "both are recorded")
    text = " ".join(bench.herald("status").expect(0).out.split())
    assert "Standby: `herald run` on" in text and f"process {standby.running.process.pid}, last seen" in text
    active.running.signal(signal.SIGTERM).process.wait(LAG)
    own = standby.running.process.pid
    eventually(lambda: (own, False) in [(runner["process"], runner["standby"]) for runner in runners()], "it takes over")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["SIGKILL", "SIGTERM"])
def test_a_standby_takes_over(pair, number):
    bench, active, standby = pair
    assert active.metric("herald_standby") == "0"
    checked_metrics(standby.get("/metrics")[2])
    active.running.signal(number).process.wait(LAG)
    began = time.monotonic()
    eventually(lambda: "No longer a standby" in " ".join(standby.err.split()), "the standby takes over")
    assert time.monotonic() - began < LAG
    due = soon(bench, "tide")
    eventually(lambda: bench.log.accepted() == {"tides": 1}, "the send")
    assert time.time() - due < LAG
    assert (standby.metric("herald_standby"), standby.problems()) == ("0", [])


def test_a_stopped_service_keeps_its_role_and_is_named(pair):
    bench, active, standby = pair
    process = active.running.process.pid
    active.running.signal(signal.SIGSTOP)
    eventually(lambda: standby.problems() == ["lock"], "the stopped service is noticed")
    assert "is stopped, for example by SIGSTOP" in " ".join(standby.err.split())
    answer = json.loads(standby.get("/readyz")[2])
    assert (answer["active"]["process"], answer["active"]["stopped"]) == (process, True)
    due = soon(bench, "tide", seconds=4)
    time.sleep(max(0, due + 2 - time.time()))
    assert bench.log.accepted() == {}
    began = time.monotonic()
    active.running.signal(signal.SIGCONT)
    eventually(lambda: bench.log.accepted() == {"tides": 1}, "the send")
    assert time.monotonic() - began < LAG
    stands_by(standby, process)
    assert standby.running.process.poll() is None


def test_a_stopped_service_that_is_killed_is_replaced(pair):
    bench, active, standby = pair
    active.running.signal(signal.SIGSTOP)
    eventually(lambda: standby.problems() == ["lock"], "the stopped service is noticed")
    due = soon(bench, "tide", seconds=4)
    time.sleep(max(0, due - time.time()))
    began = time.monotonic()
    active.running.kill()
    eventually(lambda: bench.log.accepted() == {"tides": 1}, "the send")
    assert time.monotonic() - began < LAG
    eventually(lambda: standby.problems() == [], "the problem ends")


def test_a_standby_resumes_an_interrupted_send(pair):
    bench, active, standby = pair
    slow(bench, 400)
    soon(bench, "tide", f"{{ registrations: {bench.list('all', TOKENS)} }}")
    eventually(lambda: bench.log.count() > 0, "the send has begun")
    active.running.kill()
    eventually(lambda: "No longer a standby" in " ".join(standby.err.split()), "the standby takes over")
    # 2 is finished.
    sent = "SELECT accepted, unknown FROM occurrences JOIN units ON unit = units.id WHERE campaign = 'tide' AND status = 2"
    [counts] = eventually(lambda: bench.rows(sent), "the end of the send")
    assert sum(counts) == len(TOKENS)
    accepted = bench.log.accepted()
    assert set(accepted.values()) == {1}
    assert counts[0] <= len(accepted) <= len(TOKENS)


def test_a_standby_ends_on_sigterm(pair):
    bench, active, standby = pair
    standby.running.signal(signal.SIGTERM).finish().expect(130)
    assert active.running.process.poll() is None
    with Service(bench) as another:
        stands_by(another, active.running.process.pid)


def test_logs_in_json_name_the_holder(pair):
    bench, active, _ = pair
    validator = jsonschema.Draft7Validator(json.loads(schema("log")))
    with Service(bench, "--log-format", "json") as standby:
        eventually(lambda: '"event":"standby"' in standby.err, "the standby says so")
        result = standby.running.signal(signal.SIGTERM).finish()
    lines = [json.loads(line) for line in result.err.splitlines()]
    for line in lines:
        validator.validate(line)
    [line] = [line for line in lines if line["event"] == "standby"]
    assert (line["level"], line["holder"]["command"], line["holder"]["process"], line["holder"]["stopped"]) == (
        "info", "herald run", active.running.process.pid, False)
    assert {"user", "host", "since"} <= line["holder"].keys()


def test_a_standby_is_started_for_the_service_manager(pair, tmp_path):
    bench, _, _ = pair
    with Manager(str(tmp_path / "notify")) as manager, Service(bench, env={"NOTIFY_SOCKET": manager.name}):
        manager.wait_for("STATUS=Standby:")
        manager.wait_for("READY=1")


def test_a_deleted_file_of_the_role_doubles_nothing(pair):
    bench, _, standby = pair
    (bench.folder / ".herald/local.sqlite.service").unlink()
    eventually(lambda: "No longer a standby" in " ".join(standby.err.split()), "both are active")
    soon(bench, "tide")
    eventually(lambda: bench.log.accepted() == {"tides": 1}, "the send")
    time.sleep(2)
    assert bench.log.accepted() == {"tides": 1}


# MARK: the lock


def test_a_service_sends_as_soon_as_the_lock_is_free(bench):
    due_campaign(bench, "tide", "{ topic: tides }")
    apply_earlier(bench).expect(0)
    with open(bench.folder / ".herald/local.sqlite", "rb") as state:
        fcntl.flock(state, fcntl.LOCK_EX)
        with Service(bench, "--lock-timeout", "1") as service:
            eventually(lambda: service.problems() == ["lock"], "the lock is missed")
            assert "Due sends wait: another process is writing this state." in " ".join(service.err.split())
            time.sleep(2)
            fcntl.flock(state, fcntl.LOCK_UN)
            began = time.monotonic()
            eventually(lambda: bench.log.accepted() == {"tides": 1}, "the send")
            assert time.monotonic() - began < LAG
            service.until_ready()


def test_a_service_names_a_stopped_holder_of_the_lock(bench):
    slow(bench, 500)
    due_campaign(bench, "tide", "{ topic: tides }")
    apply_earlier(bench).expect(0)
    bench.campaign("call", f"{{ registrations: {bench.list('all', TOKENS)} }}")
    with bench.start("apply", "--yes", "--parallelism", "1") as apply:
        # The second request and later ones are those of the list.
        bench.log.wait_for(3)
        apply.signal(signal.SIGSTOP)
        seen = bench.log.count()
        with Service(bench) as service:
            eventually(lambda: service.problems() == ["lock"], "the stopped apply is noticed")
            text = " ".join(service.err.split())
            assert f"process {apply.process.pid}, since" in text and "is stopped, for example by SIGSTOP" in text
            assert bench.log.count() <= seen + 1
            apply.signal(signal.SIGCONT).finish().expect(0)
            service.until_ready()


def test_an_apply_gets_the_lock_of_a_service_that_always_sends(bench):
    """Every second, a send begins that takes three seconds, so the window of the service never ends by itself."""
    bench.write("herald.yaml", "version: 1\nproject: e2e\ntimezone: UTC\ntopics: { tides: {}, winds: {} }\n"
                "environments: { local: { emulator: {}, sends: run } }\n")
    slow(bench, 3_000)
    begin = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M")
    path = bench.list("all", TOKENS[:2])
    for second in range(60):
        bench.write(
            f"campaigns/second-{second:02}.yaml",
            f"campaign: second-{second:02}\naudience: {{ registrations: {path} }}\n"
            "message: { notification: { title: Low water } }\n"
            f'schedule: {{ rrule: "FREQ=MINUTELY;BYSECOND={second}", from: "{begin}" }}\n')
    bench.apply().expect(0)
    with Service(bench) as service:
        service.until_ready()
        bench.log.wait_for(8)
        bench.campaign("later", "{ topic: winds }", schedule="2037-03-21 08:30")
        began = time.monotonic()
        bench.apply("--lock-timeout", "30").expect(0)
        assert time.monotonic() - began < 25
        seen = bench.log.count()
        eventually(lambda: bench.log.count() > seen, "the service continues")
        assert service.problems() == []


# MARK: settings


def test_a_running_service_uses_the_settings_of_the_last_apply(bench):
    bench.campaign("later", "{ topic: winds }", schedule="2037-03-21 08:30")
    bench.apply().expect(0)
    with Service(bench) as service:
        service.until_ready()
        bench.write(
            "herald.yaml", "version: 1\nproject: e2e\ntimezone: UTC\ntopics: { tides: {}, winds: {} }\n"
            "environments: { local: { emulator: {}, guard: { require_reviewed_plan: true } } }\n")
        soon(bench, "tide", options=["--dangerous-reviewed-plan"])
        eventually(lambda: "tide is not sent" in "".join(service.running.texts()), "the service requires a review")
        assert bench.log.accepted() == {}
