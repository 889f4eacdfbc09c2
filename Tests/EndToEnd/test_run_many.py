"""A due run sends many occurrences at once, according to the emulator's log."""

import base64
import re
import signal
import subprocess
import time
from collections import Counter
from datetime import datetime

import pytest

from herald import ROOT, Emulator, Project, eventually, token

BEFORE = "2037-03-01T12:00:00Z"
DUE = "2037-03-20T08:30:00Z"
SCHEDULE = "2037-03-20 08:30"
A = [token(n) for n in range(1_000)]
B = [token(n) for n in range(1_000, 2_000)]
SLOW = {"match": {"service": "SEND"}, "delivery": {"delay_milliseconds": 100}}


def project_of(folder, environment="{ emulator: {} }"):
    project = Project(
        folder / "project", f"timezone: UTC\nenvironments: {{ local: {environment} }}\n", ["tides", "winds"])
    return project


@pytest.fixture
def bench(tmp_path):
    """A project with an emulator whose answers to sends take 100 ms."""
    with running(project_of(tmp_path)) as project:
        yield project


class running:
    def __init__(self, project, rules=(SLOW,)):
        self.project, self.rules = project, list(rules)

    def __enter__(self):
        self.emulator = Emulator(self.project).__enter__()
        self.emulator.install(A + B)
        self.emulator.put("/emulator/v1/faults", {"seed": 7, "rules": self.rules})
        self.project.emulator = self.emulator
        return self.project

    def __exit__(self, *error):
        self.emulator.__exit__(*error)


def schedule(project, name, tokens, at=SCHEDULE):
    project.campaign(name, f"{{ registrations: {project.list(name, tokens)} }}", schedule=at)


def times(project):
    """Returns the times of the sends of each campaign, in seconds."""
    times = {}
    for entry in project.log.sends():
        title = entry["body"]["message"]["notification"]["title"]
        times.setdefault(title, []).append(datetime.fromisoformat(entry["time"]).timestamp())
    return times


def due(project, *arguments):
    return project.herald("apply", "--due", *arguments, now=DUE)


def test_sends_that_are_due_together_overlap(bench):
    schedule(bench, "a", A[:80])
    schedule(bench, "b", B[:80])
    bench.campaign("tide", "{ topic: tides }", schedule=SCHEDULE)
    bench.apply(now=BEFORE).expect(0)
    due(bench, "--parallelism", "8").expect(0)
    assert bench.log.accepted() == dict.fromkeys(A[:80] + B[:80], 1) | {"tides": 1}
    at = times(bench)
    # In turn, one list would end before the other begins, and the topic would come last.
    assert max(at["a"][0], at["b"][0], at["tide"][0]) < min(at["a"][39], at["b"][39])
    assert bench.rows("SELECT count(*) FROM runs WHERE command = 'herald apply --due'") == [(1,)]
    assert bench.rows("SELECT status FROM runs ORDER BY id DESC LIMIT 1") == [(1,)]


def test_events_name_the_occurrence_that_progresses(bench):
    schedule(bench, "a", A[:80])
    schedule(bench, "b", B[:40])
    bench.apply(now=BEFORE).expect(0)
    done = due(bench, "--parallelism", "8", "--json").expect(0)
    ended = re.findall(r'"event":"phase-ended".*?"occurrence":"(\w+)/once/1","total":(\d+),"done":(\d+)', done.out)
    assert sorted(ended) == [("a", "80", "80"), ("b", "40", "40")]


def test_a_paused_send_does_not_stop_the_others(bench):
    schedule(bench, "a", A[:200])
    schedule(bench, "b", B[:200])
    bench.apply(now=BEFORE).expect(0)
    with bench.start("apply", "--due", "--parallelism", "8", now=DUE) as run:
        bench.log.wait_for(40)
        bench.herald("pause", "a", now=DUE).expect(0)
        run.finish().expect(3, "paused")
    accepted = bench.log.accepted()
    assert all(accepted[each] == 1 for each in B[:200])
    assert 0 < sum(accepted[each] for each in A[:200]) < 200
    bench.herald("resume", "a", now=DUE).expect(0)
    due(bench).expect(0)
    assert bench.log.accepted() == dict.fromkeys(A[:200] + B[:200], 1)


def test_the_pace_holds_for_the_sum(tmp_path):
    with running(project_of(tmp_path, "{ emulator: {}, pace: { sends_per_minute: 6000 } }"), rules=[]) as project:
        schedule(project, "a", A[:90])
        schedule(project, "b", B[:90])
        project.apply(now=BEFORE).expect(0)
        due(project).expect(0)
        at = times(project)
        # 24 requests at once, then 99 per second: 156 / 99.
        assert max(at["a"] + at["b"]) - min(at["a"] + at["b"]) > 1.5
        assert max(at["a"][0], at["b"][0]) < min(at["a"][-1], at["b"][-1])


@pytest.mark.parametrize("seen", [200, 900])
def test_a_kill_leaves_no_more_unknown_than_one_send_would(bench, seen):
    schedule(bench, "a", A)
    schedule(bench, "b", B)
    bench.emulator.put("/emulator/v1/faults", {"seed": 7, "rules": [
        {"match": {"service": "SEND"}, "delivery": {"delay_milliseconds": 20}}]})
    bench.apply(now=BEFORE).expect(0)
    notes = bench.folder / ".herald/local.sqlite.flight"
    with bench.start("apply", "--due", "--parallelism", "16", now=DUE) as run:
        bench.log.wait_for(seen)
        run.kill()
    assert sorted(each.name for each in notes.iterdir()) == ["1", "2"]
    bench.log.settle()
    second = due(bench)
    unknown = bench.rows("SELECT sum(unknown) FROM units")[0][0]
    assert second.code == (4 if unknown else 0), second
    # Twice the number of requests that may be open, over both sends.
    assert unknown <= 32
    assert not notes.exists()
    rows = bench.rows("SELECT count, accepted + unknown, intended, returned FROM units ORDER BY id")
    assert rows == [(1_000, 1_000, 0, 0)] * 2
    accepted = bench.log.accepted()
    assert set(accepted.values()) == {1}
    assert len(A + B) - len(accepted) <= unknown
    listed = set(re.findall(r"^  unknown   [ab]/once/1  ([0-9a-f]{16})  ", second.out, re.MULTILINE))
    names = bench.fingerprints(A + B)
    assert set(A + B) - set(accepted) <= {names[each] for each in listed}


@pytest.fixture(scope="module")
def clocks(tmp_path_factory):
    library = tmp_path_factory.mktemp("clocks") / "shifted_clocks.so"
    subprocess.run(
        ["clang", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library,
         ROOT / "Tests/EndToEnd/shifted_clocks.c"], check=True)
    start = datetime.fromisoformat("2037-03-20T08:29:57+00:00").timestamp()
    return {"LD_PRELOAD": str(library), "CLOCK_START": f"{start:.0f}", "CLOCK_SPEED": "20"}


def test_a_long_send_does_not_delay_what_becomes_due_meanwhile(tmp_path, clocks):
    # At most seven open requests, each for 100 ms: 600 take 8 s, which are 160 s of the service.
    with running(project_of(tmp_path, "{ emulator: {}, max_unknown: 8 }")) as project:
        schedule(project, "long", A[:600])
        project.campaign("tide", "{ topic: tides }", schedule="2037-03-20 08:31")
        project.campaign("wind", "{ topic: winds }", schedule="2037-03-20 08:32")
        project.apply(now=BEFORE).expect(0)
        with project.start("run", env=clocks) as service:
            eventually(lambda: project.log.accepted()["winds"] == 1, "both topics")
            accepted = project.log.accepted()
            assert accepted["tides"] == 1
            assert sum(accepted[each] for each in A[:600]) < 600
            eventually(lambda: len(project.log.accepted()) == 602, "the long send")
            assert service.process.poll() is None
        assert set(project.log.accepted().values()) == {1}
        assert project.rows("SELECT count(*) FROM runs WHERE command = 'herald run'") == [(1,)]


def test_many_small_sends_are_sent_once_each(tmp_path):
    names = [f"c{n:03}" for n in range(150)]
    with running(project_of(tmp_path), rules=[]) as project:
        for n, name in enumerate(names):
            schedule(project, name, [A[n]])
        project.apply(now=BEFORE).expect(0)
        began = time.monotonic()
        due(project).expect(0)
        assert time.monotonic() - began < 60
        assert project.log.accepted() == Counter(A[:150])
        assert project.rows("SELECT count(*) FROM units WHERE accepted = 1") == [(150,)]
        assert not (project.folder / ".herald/local.sqlite.flight").exists()


def test_a_kill_of_many_small_sends_leaves_each_known_or_listed(tmp_path):
    """Their notes share a file."""
    names = [f"c{n:03}" for n in range(400)]
    with running(project_of(tmp_path)) as project:
        project.emulator.put("/emulator/v1/faults", {"seed": 7, "rules": [
            {"match": {"service": "SEND"}, "delivery": {"delay_milliseconds": 20}}]})
        for n, name in enumerate(names):
            schedule(project, name, [A[n]])
        project.apply(now=BEFORE).expect(0)
        with project.start("apply", "--due", "--parallelism", "16", now=DUE) as run:
            project.log.wait_for(150)
            run.kill()
        assert (project.folder / ".herald/local.sqlite.flight/short-0").exists()
        project.log.settle()
        second = due(project)
        unknown = project.rows("SELECT sum(unknown) FROM units")[0][0]
        assert second.code == (4 if unknown else 0), second
        assert unknown <= 32
        rows = project.rows("SELECT count(*) FROM units WHERE accepted + unknown = 1 AND returned = 0")
        assert rows == [(400,)]
        accepted = project.log.accepted()
        assert set(accepted.values()) == {1}
        listed = set(re.findall(r"^  unknown   c\d+/once/1  ([0-9a-f]{16})  ", second.out, re.MULTILINE))
        known = project.fingerprints(A[:400])
        assert set(A[:400]) - set(accepted) <= {known[each] for each in listed}


# A pace that admits all requests of these tests at once.
FAST = "pace: { sends_per_minute: 100000000 }"


def schedule_short(project, count, tokens=A, size=3):
    """Schedules campaigns to lists of `size` registrations, and returns their registrations."""
    for n in range(count):
        schedule(project, f"c{n:03}", tokens[size * n:size * n + size])
    return tokens[:size * count]


def tallies(project):
    """Returns how often each combination of accepted, rejected, unknown and suppressed requests occurs."""
    return Counter(project.rows("SELECT accepted, rejected, unknown, suppressed FROM units"))


def test_short_sends_are_started_together(tmp_path):
    with running(project_of(tmp_path, f"{{ emulator: {{}}, {FAST} }}"), rules=[]) as project:
        all_of_them = schedule_short(project, 300)
        project.apply(now=BEFORE).expect(0)
        done = due(project, "--json").expect(0)
        assert project.log.accepted() == Counter(all_of_them)
        assert tallies(project) == {(3, 0, 0, 0): 300}
        assert project.rows("SELECT DISTINCT released, count FROM units") == [(3, 3)]
        assert project.rows("SELECT DISTINCT status FROM occurrences") == project.rows(
            "SELECT status FROM occurrences WHERE campaign = 'c000'")
        assert project.rows("SELECT count(*), sum(accepted) FROM run_sendings") == [(300, 900)]
        assert not (project.folder / ".herald/local.sqlite.flight").exists()
        ended = re.findall(r'"event":"phase-ended".*?"occurrence":"(\w+)/once/1","total":(\d+),"done":(\d+)', done.out)
        assert sorted(ended) == [(f"c{n:03}", "3", "3") for n in range(300)]
        project.herald("history").expect(0)
        due(project).expect(0, "Nothing")
        assert project.log.accepted() == Counter(all_of_them)


@pytest.mark.parametrize("options", [[], ["--parallelism", "64"]], ids=["unlimited", "64"])
@pytest.mark.parametrize("seen", [1, 150, 500])
def test_a_kill_in_a_batch_leaves_each_request_known_or_listed(tmp_path, options, seen):
    with running(project_of(tmp_path, f"{{ emulator: {{}}, {FAST} }}")) as project:
        all_of_them = schedule_short(project, 300)
        project.apply(now=BEFORE).expect(0)
        with project.start("apply", "--due", *options, now=DUE) as run:
            project.log.wait_for(seen)
            run.kill()
        project.log.settle()
        second = due(project)
        unknown = project.rows("SELECT sum(unknown) FROM units")[0][0]
        assert second.code == (4 if unknown else 0), second
        if options:
            assert unknown <= 128
        assert project.rows("SELECT count(*), sum(accepted + unknown), sum(intended + returned) FROM units") == [
            (300, 900, 0)]
        accepted = project.log.accepted()
        assert set(accepted.values()) == {1}
        listed = set(re.findall(r"^  unknown   c\d+/once/1  ([0-9a-f]{16})  ", second.out, re.MULTILINE))
        known = project.fingerprints(all_of_them)
        assert set(all_of_them) - set(accepted) <= {known[each] for each in listed}


def test_a_dead_registration_in_a_batch_is_reported_and_then_skipped(tmp_path):
    with running(project_of(tmp_path), rules=[]) as project:
        # The emulator does not know the last one.
        tokens = [*A[:64], token(5_000), *A[65:90]]
        schedule_short(project, 30, tokens)
        for n in range(30):
            schedule(project, f"d{n:03}", tokens[3 * n:3 * n + 3], at="2037-03-20 09:30")
        project.apply(now=BEFORE).expect(0)
        due(project).expect(0)
        assert tallies(project) == {(3, 0, 0, 0): 29, (2, 1, 0, 0): 1}
        assert project.rows("SELECT count(*) FROM dead") == [(1,)]
        project.herald("apply", "--due", now="2037-03-20T09:30:00Z").expect(0)
        assert project.log.accepted() == Counter({each: 2 for each in tokens if each != token(5_000)})
        assert tallies(project) == {(3, 0, 0, 0): 58, (2, 1, 0, 0): 1, (2, 0, 0, 1): 1}
        assert [entry["status"] for entry in project.log.sends()].count(404) == 1


def test_errors_in_a_batch_are_handled_as_in_any_send(tmp_path):
    rules = [
        {"match": {"service": "SEND"}, "when": {"nth": 40},
         "answer": {"error": "PROJECT_QUOTA_EXCEEDED", "retry_after_seconds": 1}},
        {"match": {"service": "SEND"}, "when": {"nth": 80}, "answer": {"error": "UNAVAILABLE", "retry_after_seconds": 1}},
    ]
    with running(project_of(tmp_path), rules=rules) as project:
        all_of_them = schedule_short(project, 60)
        project.apply(now=BEFORE).expect(0)
        done = due(project)
        unknown = project.rows("SELECT sum(unknown) FROM units")[0][0]
        assert done.code == (4 if unknown else 0), done
        assert unknown <= 1
        accepted = project.log.accepted()
        assert set(accepted.values()) == {1}
        assert len(set(all_of_them) - set(accepted)) == unknown
        assert project.rows("SELECT sum(accepted + unknown) FROM units") == [(180,)]
        # Only the refused requests were repeated.
        assert 181 <= project.log.count() <= 182


def test_pauses_hold_for_short_sends(tmp_path):
    with running(project_of(tmp_path), rules=[]) as project:
        all_of_them = schedule_short(project, 40)
        project.apply(now=BEFORE).expect(0)
        project.herald("pause", "c007", now=BEFORE).expect(0)
        due(project).expect(3, "paused")
        assert project.log.accepted() == Counter(all_of_them[:21] + all_of_them[24:])
        project.herald("resume", "c007", now=DUE).expect(0)
        due(project).expect(0)
        assert project.log.accepted() == Counter(all_of_them)


def test_a_pause_during_a_batch_stops_what_waits_for_a_repeat(tmp_path):
    rules = [{"match": {"service": "SEND"}, "when": {"nth": 50},
              "answer": {"error": "PROJECT_QUOTA_EXCEEDED", "retry_after_seconds": 8}}]
    with running(project_of(tmp_path), rules=rules) as project:
        all_of_them = schedule_short(project, 40)
        project.apply(now=BEFORE).expect(0)
        with project.start("apply", "--due", now=DUE) as run:
            eventually(lambda: len(project.log.accepted()) == 119, "all other requests")
            project.herald("pause", now=DUE).expect(0)
            run.finish().expect(3, "paused")
        assert len(project.log.accepted()) == 119
        assert tallies(project)[(3, 0, 0, 0)] == 39
        project.herald("resume", now=DUE).expect(0)
        due(project).expect(0)
        assert project.log.accepted() == Counter(all_of_them)


def test_small_limits_hold_for_short_sends(tmp_path):
    with running(project_of(tmp_path, "{ emulator: {}, max_unknown: 40 }")) as project:
        all_of_them = schedule_short(project, 40)
        project.apply(now=BEFORE).expect(0)
        with project.start("apply", "--due", now=DUE) as run:
            project.log.wait_for(20)
            run.kill()
        project.log.settle()
        second = due(project)
        unknown = project.rows("SELECT sum(unknown) FROM units")[0][0]
        assert unknown <= 40
        assert second.code == (4 if unknown else 0), second
        accepted = project.log.accepted()
        assert set(accepted.values()) == {1}
        assert len(set(all_of_them) - set(accepted)) <= unknown


def test_short_sends_of_an_encrypted_state(tmp_path):
    key = {"STATE_KEY": base64.b64encode(bytes(range(32))).decode()}
    environment = "{ emulator: {}, state: { encryption: { key: 'env:STATE_KEY' } } }"
    with running(project_of(tmp_path, environment), rules=[]) as project:
        all_of_them = schedule_short(project, 60)
        project.apply(now=BEFORE, env=key).expect(0)
        project.herald("apply", "--due", now=DUE, env=key).expect(0)
        assert project.log.accepted() == Counter(all_of_them)
        assert tallies(project) == {(3, 0, 0, 0): 60}


def test_a_terminated_service_leaves_no_short_send_unknown(tmp_path):
    with running(project_of(tmp_path, f"{{ emulator: {{}}, {FAST} }}")) as project:
        all_of_them = schedule_short(project, 300)
        project.apply(now=BEFORE).expect(0)
        with project.start("apply", "--due", now=DUE) as run:
            project.log.wait_for(10)
            run.signal(signal.SIGTERM)
            run.finish()
        assert project.rows("SELECT sum(unknown), sum(released - accepted - returned) FROM units") == [(0, 0)]
        due(project).expect(0)
        assert project.log.accepted() == Counter(all_of_them)
