"""Results of experiments with the state in PostgreSQL: several services, and a user that only reads."""

import contextlib
import json
import signal

import pytest

from herald import Emulator, Project, eventually, run, token
from postgres import free_port
from services import Service, apply_earlier, due_campaign
from test_postgres_state import IN_POSTGRES, E, database, herald, phases  # noqa: F401
from test_results import AFTER, VARIANTS, arm, users

PEOPLE = 12_000


@pytest.fixture
def fleet(tmp_path, database):  # noqa: F811
    """An experiment that is due as soon as a service runs, and lasts 20 seconds."""
    project = Project(tmp_path / "project")
    port = free_port()
    project.write("herald.yaml",
                  "version: 1\nproject: e2e\nenvironments:\n"
                  f"  bench: {{ emulator: {{ url: 'http://127.0.0.1:{port}' }}, sends: run, "
                  f"pace: {{ sends_per_minute: 36000 }}{IN_POSTGRES} }}\n")
    tokens = [token(number) for number in range(PEOPLE)]
    project.write("people.csv", "registration,user\n" + "".join(
        f"{text},{user}\n" for text, user in zip(tokens, users(PEOPLE))))
    due_campaign(project, "sale", "{ registrations: { file: people.csv, identity: user } }")
    path = project.folder / "campaigns/sale.yaml"
    path.write_text(path.read_text() + VARIANTS)
    with Emulator(project, port) as emulator:
        emulator.install(tokens)
        project.database = database
        apply_earlier(project, "--yes", *E, env=database.env).expect(0)
        yield project


def counts(text):
    result, = json.loads(text)["results"]
    assert result["sends"] == 1
    return {one["name"]: one["subjects"] for one in result["arms"]}


def expected():
    arms = [arm(user) for user in users(PEOPLE)]
    return {name: arms.count(name) for name in ("no message", "short", "long")}


def test_a_fleet_records_the_arms_once(fleet, database):  # noqa: F811
    with contextlib.ExitStack() as stack:
        running = [stack.enter_context(Service(fleet, *E, env=database.env)) for _ in range(3)]
        eventually(lambda: fleet.log.count() >= 2_000, "2,000 requests")
        # The service that opened the occurrence, and recorded the arms.
        active, = [service for service in running if "standby" not in service.err.lower()]
        active.running.kill()
        # Results can be read while the others send.
        found = counts(herald(fleet, database, "results", "--format", "json", *E).expect(0).out)
        assert found == expected()
        eventually(lambda: phases(fleet, database) == {"sale": "finished"}, "the send ends", deadline=90)
        for service in running:
            if service is not active:
                service.running.signal(signal.SIGTERM).finish().expect(130)
    assert database.psql("SELECT count(*) FROM exposures") == "1"
    assert database.psql("SELECT sum(length(arms)) FROM exposure_chunks") == str(PEOPLE)
    text = herald(fleet, database, "results", "--format", "json", *E).expect(0).out
    assert counts(text) == expected()
    result, = json.loads(text)["results"]
    for one in result["arms"]:
        sent = sum(one[kind] for kind in ("accepted", "unknown"))
        assert (sent, one["held_out"]) == ((0, one["subjects"]) if one["name"] == "no message" else (one["subjects"], 0))


def test_a_reader_gets_results_without_a_record(fleet, database):  # noqa: F811
    with Service(fleet, *E, env=database.env) as service:
        eventually(lambda: phases(fleet, database) == {"sale": "finished"}, "the send ends", deadline=90)
        service.running.signal(signal.SIGTERM).finish().expect(130)
    fleet.write("sales.csv", "identity,time\n" + "".join(f"{user},{AFTER}\n" for user in users(600)))
    herald(fleet, database, "results", "import", "sales.csv", *E, cwd=fleet.folder).expect(0, "600 new outcomes")
    role = f"results_{database.name}"
    database.psql(f"CREATE ROLE {role} LOGIN")
    database.psql(run("state", "grants", "results", role).expect(0).out)
    reader = {"STATE_URL": database.url.replace("//herald:", f"//{role}:")}
    read = fleet.herald("results", *E, env=reader)
    read.expect(0, "Who won", "This look was not recorded, because you may not write to the state")
    assert database.psql("SELECT count(*) FROM result_looks") == "0"
    herald(fleet, database, "results", "--baseline", "6%", *E).expect(0, "Who won")
    assert database.psql("SELECT count(*) FROM result_looks") == "1"
    fleet.herald("results", *E, env=reader).expect(0, "6 % of the control have the outcome", "was not recorded")
    fleet.herald("results", "--no-record", *E, env=reader).expect(0, "Who won")
    fleet.herald("results", "import", "sales.csv", *E, env=reader, cwd=fleet.folder).expect(1, "permission")
