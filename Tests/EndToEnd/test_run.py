"""`herald run`: a service sends what becomes due, from the state alone."""

import signal
import time

import pytest

from herald import Emulator, Project, eventually, token

SCHEDULE = "2037-03-20 08:30"
DUE = "2037-03-20T08:30:00Z"
BEFORE = "2037-03-01T12:00:00Z"
TOKENS = [token(n) for n in range(4)]


@pytest.fixture
def bench(tmp_path):
    project = Project(tmp_path / "project", "timezone: UTC\n", ["tides", "winds"])
    project.devices(TOKENS)
    return project


@pytest.fixture(scope="module")
def serve(shifted_clocks):
    def start(project, *arguments, at="08:29:57", speed=1):
        """Starts a service whose wall clock begins at this time on the day of `SCHEDULE`, and then runs on.

        `speed`: how many times as fast its clocks run.
        """
        return project.start("run", *arguments, env=shifted_clocks(f"2037-03-20T{at}+00:00", speed))

    return start


def test_once_sends_what_is_due_and_exits(bench):
    bench.campaign("tide", "{ topic: tides }", schedule=SCHEDULE)
    bench.apply(now=BEFORE).expect(0)
    bench.herald("run", "--once", now=BEFORE).expect(0, "Nothing is due.")
    bench.herald("run", "--once", now=DUE).expect(0, "1 accepted")
    bench.herald("run", "--once", now=DUE).expect(0, "Nothing is due.")
    assert bench.log.accepted() == {"tides": 1}
    bench.herald("history", now=DUE).expect(0, "herald run")


def test_sends_when_the_time_comes_and_drains_on_sigterm(bench, serve):
    with Emulator(bench):
        bench.campaign("tide", "{ topic: tides }", schedule=SCHEDULE)
        bench.apply(now=BEFORE).expect(0)
        with serve(bench) as service:
            eventually(lambda: "Waiting. The next send is due" in "".join(service.texts()), "the service waits")
            assert bench.log.sends() == []
            eventually(lambda: bench.log.accepted() == {"tides": 1}, "the send")
            began = time.monotonic()
            service.signal(signal.SIGTERM).finish().expect(130, "Received SIGTERM")
            assert time.monotonic() - began < 6
    bench.herald("status", now=DUE).expect(0)


def test_ends_without_a_state(bench):
    bench.herald("run").expect(1, "there is no state at", "run `herald apply` first")


def test_an_apply_gets_the_lock_while_the_service_waits(bench, serve):
    with Emulator(bench):
        bench.campaign("tide", "{ topic: tides }", schedule="2037-03-21 08:30")
        bench.apply(now=BEFORE).expect(0)
        with serve(bench) as service:
            eventually(lambda: "Waiting." in "".join(service.texts()), "the service waits")
            bench.campaign("wind", "{ topic: winds }", schedule=SCHEDULE)
            began = time.monotonic()
            bench.apply(now=BEFORE).expect(0)
            assert time.monotonic() - began < 5
            eventually(lambda: bench.log.accepted() == {"winds": 1}, "the new send")


def test_a_pause_and_its_end_reach_the_service(bench, serve):
    with Emulator(bench):
        bench.campaign("tide", "{ topic: tides }", schedule=SCHEDULE)
        bench.apply(now=BEFORE).expect(0)
        bench.herald("pause", now=BEFORE).expect(0)
        with serve(bench) as service:
            eventually(lambda: "is paused" in "".join(service.texts()), "the pause")
            time.sleep(4)
            assert bench.log.sends() == []
            assert service.process.poll() is None
            bench.herald("resume", now=DUE).expect(0)
            eventually(lambda: bench.log.accepted() == {"tides": 1}, "the send after the pause")


def test_sighup_does_not_end_the_service(bench, serve):
    with Emulator(bench):
        bench.campaign("tide", "{ topic: tides }", schedule="2037-03-21 08:30")
        bench.apply(now=BEFORE).expect(0)
        with serve(bench) as service:
            eventually(lambda: "Waiting." in "".join(service.texts()), "the service waits")
            service.signal(signal.SIGHUP)
            eventually(lambda: "Received SIGHUP" in "".join(service.texts()), "the answer to SIGHUP")
            assert service.process.poll() is None


def test_survives_a_server_that_is_away(bench, serve):
    with Emulator(bench) as emulator:
        port = emulator.port
        bench.write("herald.yaml", "version: 1\nproject: e2e\ntimezone: UTC\ntopics: { tides: {}, winds: {} }\n"
                    f"environments: {{ bench: {{ emulator: {{ url: 'http://127.0.0.1:{port}' }} }} }}\n")
        bench.campaign("tide", "{ topic: tides }", schedule=SCHEDULE)
        bench.apply("-e", "bench", now=BEFORE).expect(0)
    with serve(bench, "-e", "bench", speed=10) as service:
        eventually(lambda: "The service tries again in 30 s" in "".join(service.texts()), "a failure")
        with Emulator(bench, port=port):
            eventually(lambda: bench.log.accepted() == {"tides": 1}, "the send")
        assert service.process.poll() is None


def test_sends_only_what_was_reviewed(bench, serve):
    bench.write(
        "herald.yaml", "version: 1\nproject: e2e\ntimezone: UTC\ntopics: { tides: {}, winds: {} }\n"
        "environments: { local: { emulator: {}, guard: { require_reviewed_plan: true } } }\n")
    with Emulator(bench):
        bench.campaign("seen", "{ topic: tides }", schedule=SCHEDULE)
        bench.herald("apply", "--expect", bench.plan(now=BEFORE)["digest"], now=BEFORE).expect(0)
        bench.campaign("unseen", "{ topic: winds }", schedule=SCHEDULE)
        bench.apply("--dangerous-reviewed-plan", now=BEFORE).expect(0)
        with serve(bench) as service:
            eventually(lambda: bench.log.accepted() == {"tides": 1}, "the reviewed send")
            eventually(lambda: "unseen is not sent" in "".join(service.texts()), "the refusal")
            time.sleep(2)
            assert service.process.poll() is None
    assert bench.log.accepted() == {"tides": 1}


def test_two_services_send_once(bench, serve):
    with Emulator(bench):
        bench.campaign("tide", "{ topic: tides }", schedule=SCHEDULE)
        bench.apply(now=BEFORE).expect(0)
        with serve(bench) as first, serve(bench) as second:
            eventually(lambda: bench.log.accepted() == {"tides": 1}, "the send")
            time.sleep(3)
            assert [first.process.poll(), second.process.poll()] == [None, None]
    assert bench.log.accepted() == {"tides": 1}
