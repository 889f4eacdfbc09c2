"""A failover that loses commits while a process sends requests itself. The emulator's log shows that nothing is repeated.

The tables are set back to what a standby had, and the server shows another timeline.
"""

from collections import Counter

import pytest

from herald import Emulator, Project, eventually, token
from services import Service, apply_earlier, due_campaign
from test_postgres_faults import stopped
from test_postgres_state import IN_POSTGRES, E, database, herald, phases  # noqa: F401 (fixtures)

MANY = [token(n, "tablet") for n in range(200)]
# So slow that a part is sent before the loss, and so few at a time that the mark rises many times.
SLOW = "max_unknown: 10, pace: { sends_per_minute: 1800 }"
# What the requests of a send change.
CHANGED = ("units", "outcome_log", "outcome_details", "worker", "writer")


def yaml(more=""):
    return ("version: 1\nproject: e2e\ntopics: { tides: {} }\nenvironments:\n"
            f"  bench: {{ emulator: {{}}, {SLOW}{more}{IN_POSTGRES} }}\n")


@pytest.fixture
def sender(tmp_path, database):  # noqa: F811
    """A campaign to a list that takes seven seconds."""
    project = Project(tmp_path / "project", topics=["tides"])
    project.write("herald.yaml", yaml())
    project.campaign("many", f"{{ registrations: {project.list('many', MANY)} }}")
    with Emulator(project) as emulator:
        emulator.install(MANY)
        yield project


def sent(project):
    """Returns how often each target was addressed."""
    messages = [entry["body"]["message"] for entry in project.log.each_send()]
    return Counter(each.get("token") or each["topic"] for each in messages)


def wait_for_sends(project, count):
    eventually(lambda: project.log.path.exists() and sum(sent(project).values()) >= count, f"{count} sends")


def replicate(database):  # noqa: F811
    """Keeps what the standby has."""
    copies = "".join(f"CREATE TABLE kept_{table} AS TABLE {table};" for table in CHANGED)
    database.psql(f"BEGIN ISOLATION LEVEL REPEATABLE READ; SET LOCAL search_path = herald; {copies} COMMIT")


def fail_over(database):  # noqa: F811
    """Loses what was committed since then. The rows are locked in the order in which a commit locks them."""
    tally = ", ".join(f"{name} = k.{name}" for name in (
        "commits", "released", "intended", "accepted", "rejected", "unknown", "expired", "suppressed", "cancelled", "returned"))
    database.psql(f"""
        BEGIN; SET LOCAL search_path = herald;
        UPDATE units u SET {tally} FROM kept_units k WHERE u.id = k.id;
        DELETE FROM outcome_log WHERE number NOT IN (SELECT number FROM kept_outcome_log);
        DELETE FROM outcome_details d WHERE NOT EXISTS (
            SELECT FROM kept_outcome_details k WHERE (k.unit, k.request) = (d.unit, d.request));
        UPDATE worker w SET commits = k.commits, incarnation = k.incarnation FROM kept_worker k WHERE k.id = w.id;
        UPDATE writer w SET (epoch, token, expires, holder) = (k.epoch, k.token, k.expires, k.holder) FROM kept_writer k;
        CREATE OR REPLACE FUNCTION fleet_timeline() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT 2::bigint';
        COMMIT""")


def lose(project, database):  # noqa: F811
    """Loses a part of a send that is in progress. Returns how many requests were sent before."""
    wait_for_sends(project, 40)
    replicate(database)
    wait_for_sends(project, 100)
    fail_over(database)
    return sum(sent(project).values())


def unit(database):  # noqa: F811
    """Returns the accepted and the unknown requests of the last unit."""
    row = database.psql("SELECT accepted, unknown FROM herald.units ORDER BY id DESC LIMIT 1")
    return [int(number) for number in row.split("|")]


def test_apply_ends_after_a_failover_that_lost_commits(sender, database):  # noqa: F811
    with sender.start("apply", "--yes", *E, env=database.env) as running:
        lose(sender, database)
        stopped(running.finish(), "failed over and lost the last commits of this process", "is recorded again")
    before = sum(sent(sender).values())
    assert before < len(MANY)
    result = herald(sender, database, "apply", "--yes", *E)
    # A failover leaves no more unknown requests than a crash.
    accepted, unknown = unit(database)
    assert accepted + unknown == len(MANY) and unknown <= 10
    result.expect(4 if unknown else 0)
    assert max(sent(sender).values()) == 1


def test_what_a_killed_apply_may_have_sent_is_held(sender, database):  # noqa: F811
    with sender.start("apply", "--yes", *E, env=database.env) as running:
        wait_for_sends(sender, 40)
        replicate(database)
        wait_for_sends(sender, 100)
        running.kill()
    fail_over(database)
    count = sum(sent(sender).values())
    # The former holder of the lock has 15 seconds more than its lease.
    database.psql("UPDATE herald.writer SET expires = clock_timestamp() - interval '1 s'")
    herald(sender, database, "apply", "--yes", "--lock-timeout", "0", *E).expect(7)
    database.psql("UPDATE herald.writer SET expires = clock_timestamp() - interval '16 s'")
    herald(sender, database, "apply", "--yes", *E)
    herald(sender, database, "status", *E).expect(0, "\nHeld\n  many/once/1", "a worker is gone", "resolve many/once/1 resend")
    assert phases(sender, database) == {"many": "held"}
    assert sum(sent(sender).values()) == count


@pytest.fixture
def service(tmp_path, database):  # noqa: F811
    """A campaign that the service sends itself, because it stops at unknown outcomes, and a topic."""
    project = Project(tmp_path / "project", topics=["tides"])
    project.write("herald.yaml", yaml(", sends: run"))
    due_campaign(project, "many", f"{{ registrations: {project.list('many', MANY)} }}")
    with open(project.folder / "campaigns/many.yaml", "a") as file:
        file.write("on_unknown: stop\n")
    with Emulator(project) as emulator:
        emulator.install(MANY)
        apply_earlier(project, "--yes", *E, env=database.env).expect(0)
        yield project


def test_a_service_restores_what_it_sent_itself(service, database):  # noqa: F811
    with Service(service, *E, env=database.env) as running:
        lose(service, database)

        eventually(lambda: unit(database)[1] > 0, "the send stops at unknown requests")
        assert "lost the last commits" in running.err
    accepted, unknown = unit(database)
    counts = sent(service)
    assert max(counts.values()) == 1
    assert accepted + unknown >= sum(counts.values()) >= accepted


def test_an_idle_service_restores_what_it_sent_before(tmp_path, database):  # noqa: F811
    """The whole occurrence is lost, so that it would be due again."""
    project = Project(tmp_path / "project", topics=["tides"])
    project.write("herald.yaml", yaml(", sends: run"))
    due_campaign(project, "tide", "{ topic: tides }")
    with Emulator(project):
        apply_earlier(project, "--yes", *E, env=database.env).expect(0)
        with Service(project, *E, env=database.env):
            eventually(lambda: phases(project, database) == {"tide": "finished"}, "the first send ends")
            database.psql("""
                BEGIN; SET LOCAL search_path = herald;
                UPDATE occurrences SET status = 0, unit = NULL, message = NULL;
                DELETE FROM outcome_final; DELETE FROM outcome_log; DELETE FROM outcome_details; DELETE FROM units;
                DELETE FROM run_sendings;
                UPDATE worker SET commits = 1;
                CREATE OR REPLACE FUNCTION fleet_timeline() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT 2::bigint';
                COMMIT""")
            eventually(lambda: phases(project, database) == {"tide": "finished"}, "the send is recorded again")
    assert sent(project) == {"tides": 1}
