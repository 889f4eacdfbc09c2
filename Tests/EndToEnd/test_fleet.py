"""Several services send one list together, with the state in PostgreSQL."""

import contextlib
import json
import signal
import time
from collections import Counter

import pytest

from herald import Emulator, Project, eventually, fingerprint, token
from postgres import free_port
from services import Service, apply_earlier, due_campaign
from test_postgres_state import IN_POSTGRES, Database, E, database, herald, phases  # noqa: F401

# A part of 250, one of 750, and the rest in two work units.
COUNT = 12_000
TOKENS = [token(n) for n in range(COUNT)]


@pytest.fixture
def fleet(tmp_path, database):  # noqa: F811
    """A campaign to a long list, which is due as soon as a service runs."""
    with prepared(tmp_path, database) as project:
        yield project


@pytest.fixture
def slow(tmp_path, database):  # noqa: F811
    """The same, but it takes 20 seconds."""
    with prepared(tmp_path, database, pace=36_000) as project:
        yield project


@contextlib.contextmanager
def prepared(tmp_path, database, pace=600_000, installed=TOKENS, tokens=TOKENS):  # noqa: F811
    project = Project(tmp_path / "project")
    # An emulator with an address: otherwise each service could start one of its own.
    port = free_port()
    project.write("herald.yaml",
                  "version: 1\nproject: e2e\nenvironments:\n"
                  f"  bench: {{ emulator: {{ url: 'http://127.0.0.1:{port}' }}, sends: run, pace: {{ sends_per_minute: {pace} }}{IN_POSTGRES} }}\n")
    due_campaign(project, "ferry", f"{{ registrations: {project.list('all', tokens)} }}")
    with Emulator(project, port) as emulator:
        emulator.install(installed)
        project.emulator = emulator
        project.database = database
        apply_earlier(project, "--yes", *E, env=database.env).expect(0)
        yield project


@contextlib.contextmanager
def services(project, count):
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(Service(project, *E, env=project.database.env)) for _ in range(count)]


def addressed(project):
    """Returns how often each registration was addressed, by the emulator's log."""
    return Counter(entry["body"]["message"]["token"] for entry in project.log.each_send())


def has_ended(project, database):  # noqa: F811
    return phases(project, database) == {"ferry": "finished"}


def test_three_services_send_each_request_once(fleet, database):  # noqa: F811
    with services(fleet, 3) as running:
        eventually(lambda: has_ended(fleet, database), "the send ends")
        texts = [service.err for service in running]
        for service in running:
            service.running.signal(signal.SIGTERM).finish().expect(130)
    assert addressed(fleet) == dict.fromkeys(TOKENS, 1), texts
    assert database.psql("SELECT count(*) FROM fleet_occurrences") == "0"
    assert database.psql("SELECT count(*) FROM fleet_workers") == "0"
    # The attempts of all work units are still in the log: one of 250 requests, one of 750, and two of the rest.
    assert database.psql("SELECT count(DISTINCT work_unit) FROM attempt_log") == "4"


def sent(project):
    return project.log.count()


def until_sent(project, count):
    eventually(lambda: sent(project) >= count, f"{count} requests")


def unknown(project, database):  # noqa: F811
    result = herald(project, database, "status", "--format", "json", *E).expect(0)
    [row] = json.loads(result.out)["occurrences"]
    return row["counts"]["unknown"]


def test_a_killed_worker_leaves_few_requests_unknown(slow, database):  # noqa: F811
    with services(slow, 3) as running:
        until_sent(slow, 3_000)
        for service in running[1:]:
            service.running.kill()
        eventually(lambda: has_ended(slow, database), "the send ends", deadline=60)
        times = addressed(slow)
        assert max(times.values()) == 1, times.most_common(5)
        lost = set(TOKENS) - set(times)
        left = unknown(slow, database)
        # Two of the three parts of `max_unknown`, which is 4,000.
        assert len(lost) <= left <= 2_667, (len(lost), left)
        running[0].running.signal(signal.SIGTERM).finish().expect(130)


def test_when_the_service_that_plans_is_killed_another_one_goes_on(slow, database):  # noqa: F811
    with services(slow, 3) as running:
        until_sent(slow, 3_000)
        [active] = [service for service in running if "standby" not in service.err.lower()]
        active.running.kill()
        eventually(lambda: has_ended(slow, database), "the send ends", deadline=90)
        times = addressed(slow)
        assert max(times.values()) == 1, times.most_common(5)
        assert len(set(TOKENS) - set(times)) <= unknown(slow, database) <= 1_000


def test_registrations_that_die_before_a_service_takes_over_are_left_out_and_no_others(tmp_path, database):  # noqa: F811
    tokens = TOKENS[:2_500]
    dead = tokens[2_000:2_020]
    with prepared(tmp_path, database, pace=6_000, tokens=tokens) as project, services(project, 1) as [first]:
        # The second part, which one unit has, takes 7 seconds.
        until_sent(project, 260)
        with services(project, 1):
            first.running.kill()
            runs = int(database.psql("SELECT max(id) FROM runs"))
            eventually(lambda: int(database.psql("SELECT max(id) FROM runs")) > runs, "another service sends", deadline=60)
            # It has planned the rest, and waits for the second part.
            assert database.psql("SELECT count(*) FROM fleet_occurrences") == "1"
            mark_dead(database, dead)
            eventually(lambda: has_ended(project, database), "the send ends", deadline=90)
            times = addressed(project)
            assert max(times.values()) == 1, times.most_common(5)
            assert not set(dead) & set(times)
            assert len(set(tokens) - set(times) - set(dead)) <= unknown(project, database)
            assert database.psql("SELECT suppressed FROM units") == str(len(dead))


def mark_dead(database, tokens):  # noqa: F811
    """Marks registrations as other campaigns do after FCM's answer."""
    key = bytes.fromhex(database.psql("SELECT encode(fingerprint_key, 'hex') FROM meta"))
    rows = ", ".join(f"('\\x{fingerprint(key, each).hex()}', extract(epoch FROM now())::bigint)" for each in tokens)
    database.psql(f"INSERT INTO dead (fingerprint, since) VALUES {rows}")


def test_a_pause_holds_all_workers(slow, database):  # noqa: F811
    with services(slow, 3):
        until_sent(slow, 2_000)
        herald(slow, database, "pause", "ferry", *E).expect(0)
        eventually(lambda: database.psql("SELECT count(*) FROM fleet_occurrences") == "0", "the recall", deadline=5)
        count = sent(slow)
        time.sleep(2)
        assert sent(slow) == count < COUNT
        herald(slow, database, "resume", "ferry", *E).expect(0)
        eventually(lambda: has_ended(slow, database), "the send ends", deadline=60)
        assert addressed(slow) == dict.fromkeys(TOKENS, 1)


def test_services_that_stop_give_everything_back(slow, database):  # noqa: F811
    with services(slow, 2) as running:
        until_sent(slow, 2_000)
        for service in running:
            service.running.signal(signal.SIGTERM)
        for service in running:
            service.running.finish().expect(130)
    assert sent(slow) < COUNT
    assert database.psql("SELECT count(*) FROM fleet_workers") == "0"
    assert database.psql("SELECT count(*) FROM work_units WHERE owner IS NOT NULL") == "0"
    # A run without a fleet takes back what is left, and sends it.
    herald(slow, database, "run", "--once", *E).expect(0)
    assert has_ended(slow, database)
    assert addressed(slow) == dict.fromkeys(TOKENS, 1)


def test_a_wrong_list_is_held_after_its_first_requests(tmp_path, database):  # noqa: F811
    with prepared(tmp_path, database, installed=TOKENS[:20]) as project, services(project, 2):
        eventually(lambda: phases(project, database) == {"ferry": "held"}, "the hold")
        assert sent(project) in (250, 1_000)


def test_a_refused_project_stops_the_fleet_and_is_named(tmp_path, database):  # noqa: F811
    with prepared(tmp_path, database) as project:
        refusal = {"match": {"service": "SEND"}, "answer": {"error": "SERVICE_DISABLED"}}
        project.emulator.put("/emulator/v1/faults", {"rules": [refusal]})
        with services(project, 2) as running:
            eventually(lambda: any("403 PERMISSION_DENIED" in service.err for service in running), "the refusal")
            assert sent(project) < COUNT
            project.emulator.put("/emulator/v1/faults", {"rules": []})
            eventually(lambda: has_ended(project, database), "the send ends", deadline=90)
        assert project.log.accepted() == dict.fromkeys(TOKENS, 1)
