"""Rollouts that several services send together, with the state in PostgreSQL: stages, pauses, stops and kills."""

import contextlib
import json
from collections import Counter

import pytest

from herald import Emulator, Project, eventually, token
from postgres import free_port
from services import Service, apply_earlier, moment
from test_postgres_state import IN_POSTGRES, E, database, herald, phases  # noqa: F401
from test_rollout import CODE, fail, point, repair, times

COUNT = 12_000
TOKENS = [token(number) for number in range(COUNT)]
UNKNOWN = 400
# 50% of the list are more than a service keeps for itself.
HALF = {text for text in TOKENS if point(text) < 0.5}
STAGES = [HALF, set(TOKENS) - HALF]


@contextlib.contextmanager
def prepared(tmp_path, database, rollout, pace=600_000):  # noqa: F811
    project = Project(tmp_path / "project")
    port = free_port()
    project.write(
        "herald.yaml",
        "version: 1\nproject: e2e\ntimezone: UTC\nenvironments:\n"
        f"  bench: {{ emulator: {{ url: 'http://127.0.0.1:{port}' }}, sends: run, max_unknown: {UNKNOWN}, "
        f"pace: {{ sends_per_minute: {pace} }}{IN_POSTGRES} }}\n")
    project.write(
        "campaigns/log.yaml",
        f"campaign: log\naudience: {{ registrations: {project.list('all', TOKENS)} }}\n"
        f"message: {{ notification: {{ title: Log }} }}\non_unknown: skip\nrollout: {rollout}\n"
        f'schedule: {{ at: "{moment(-2)[0]}", late_after: 12h }}\n')
    with Emulator(project, port) as emulator:
        emulator.install(TOKENS)
        project.emulator, project.database = emulator, database
        yield project


def begin(project):
    apply_earlier(project, "--yes", *E, env=project.database.env).expect(0)


@contextlib.contextmanager
def services(project, count=3):
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(Service(project, *E, env=project.database.env)) for _ in range(count)]


def addressed(project):
    return Counter(entry["body"]["message"]["token"] for entry in project.log.each_send())


def status(project):
    output = herald(project, project.database, "rollout", "status", "log", "--format", "json", *E).expect(0).out
    [rollout] = json.loads(output)["rollouts"]
    return rollout


def unknown(project):
    output = herald(project, project.database, "status", "--all", "--format", "json", *E).expect(0).out
    [row] = json.loads(output)["occurrences"]
    return row["counts"]["unknown"]


def is_used(project):
    """Whether the fleet has requests of the rollout."""
    return project.database.psql("SELECT count(*) FROM fleet_occurrences") != "0"


def has_ended(project):
    return phases(project, project.database) == {"log": "finished"}


@pytest.mark.parametrize("stop", ["", ", stop_when: { rejected: 5%, held: true }"])
def test_no_worker_sends_a_stage_before_it_begins(tmp_path, database, stop):  # noqa: F811
    with prepared(tmp_path, database, f"{{ stages: [50%], pause: 3s{stop} }}") as project:
        begin(project)
        with services(project):
            eventually(lambda: is_used(project), "the fleet's part")
            eventually(lambda: has_ended(project), "the rollout ends", deadline=120)
        assert addressed(project) == dict.fromkeys(TOKENS, 1)
        (_, end), (second, _) = times(project, STAGES)
        # The clock of a pause shows whole seconds.
        assert second - end >= 2, (end, second)
        assert database.psql("SELECT count(*) FROM fleet_occurrences") == "0"


def test_a_fleet_stops_within_max_unknown_and_continues_after_the_repair(tmp_path, database):  # noqa: F811
    first = COUNT * 8 // 100
    with prepared(tmp_path, database, "{ stages: [50%], stop_when: { rejected: 5% } }", pace=120_000) as project:
        fail(project.emulator, first)
        begin(project)
        with services(project):
            eventually(lambda: phases(project, database) == {"log": "held"}, "the stop", deadline=60)
            count = project.log.settle()
            # 5% of the answers, and then at most `max_unknown` more.
            assert first <= count <= first * 1.06 + UNKNOWN, count
            stopped = status(project)
            assert stopped["stage"] == 0 and stopped["stop"]["reason"] == "rejected" and stopped["stop"]["code"] == CODE
            assert not is_used(project)
            repair(project.emulator)
            herald(project, database, "rollout", "continue", "log", *E).expect(0)
            eventually(lambda: has_ended(project), "the rollout ends", deadline=120)
        assert addressed(project) == dict.fromkeys(TOKENS, 1)


def test_when_the_service_that_plans_is_killed_no_stage_is_overrun(tmp_path, database):  # noqa: F811
    with prepared(tmp_path, database, "{ stages: [50%], pause: 3s }", pace=36_000) as project:
        begin(project)
        with services(project) as running:
            eventually(lambda: project.log.count() >= len(HALF) // 2, "half of the stage", deadline=60)
            [active] = [service for service in running if "standby" not in service.err.lower()]
            active.running.kill()
            eventually(lambda: has_ended(project), "the rollout ends", deadline=120)
        counts = addressed(project)
        assert max(counts.values()) == 1, counts.most_common(5)
        assert len(set(TOKENS) - set(counts)) <= unknown(project) <= UNKNOWN
        (_, end), (second, _) = times(project, STAGES)
        assert second - end >= 2, (end, second)


def test_a_person_ends_a_rollout_that_a_fleet_sends(tmp_path, database):  # noqa: F811
    with prepared(tmp_path, database, "{ stages: [50%], pause: 1h }", pace=36_000) as project:
        begin(project)
        with services(project):
            eventually(lambda: project.log.count() >= 2_000, "2,000 requests", deadline=60)
            herald(project, database, "rollout", "abort", "log", *E).expect(0)
            eventually(lambda: phases(project, database) == {"log": "cancelled"}, "the end", deadline=30)
            count = project.log.settle()
        assert count < len(HALF)
        assert project.log.settle() == count
        assert not set(addressed(project)) - HALF
