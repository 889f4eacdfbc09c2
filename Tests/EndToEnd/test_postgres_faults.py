"""States in PostgreSQL whose server refuses, fails or is far away. The emulator's log shows that nothing is repeated."""

import copy
import json
import subprocess

import pytest

from herald import SOAK, Emulator, Project, eventually, token
from postgres import postgres, program  # noqa: F401 (fixture)
from relays import Relay
from test_postgres_state import (  # noqa: F401 (fixtures)
    IN_POSTGRES, PASSWORD, TOKENS, E, bench, database, herald, phases, yaml)

# Too many for the sends that are recorded together.
MANY = [token(n, "tablet") for n in range(60)]


def through(database, relay):  # noqa: F811
    """Returns the same database, reached through a relay."""
    other = copy.copy(database)
    other.url = f"postgresql://herald:{PASSWORD}@127.0.0.1:{relay.port}/{database.name}"
    other.env = {"STATE_URL": other.url}
    return other


def relay(database, **options):  # noqa: F811
    return Relay(f"{database.folder}/.s.PGSQL.5432", **options)


@pytest.mark.parametrize("lost", ["answer", "commit"])
def test_a_commit_that_is_cut_off_is_neither_repeated_nor_lost(bench, database, lost):  # noqa: F811
    with relay(database, lost=lost) as way:
        herald(bench, through(database, way), "apply", "--yes", *E).expect(0)
        assert way.cuts > 0
    assert bench.log.accepted() == dict.fromkeys(TOKENS, 1) | {"tides": 1}
    assert phases(bench, database) == {"call": "finished", "tide": "finished"}
    herald(bench, database, "history", *E).expect(0)
    herald(bench, database, "apply", "--yes", *E).expect(0, "No changes")


def test_a_server_with_half_a_second_of_latency_is_slow_but_right(tmp_path, database):  # noqa: F811
    """Half a second in `make soak`, and a tenth elsewhere."""
    project = Project(tmp_path / "project", topics=["tides"])
    project.write("herald.yaml", yaml(IN_POSTGRES))
    project.campaign("tide", "{ topic: tides }")
    with Emulator(project), relay(database, delay=0.25 if SOAK > 1 else 0.05) as way:
        with project.start("apply", "--yes", *E, env=through(database, way).env) as running:
            running.finish(deadline=600).expect(0, "1 accepted")
    assert project.log.accepted() == {"tides": 1}
    assert phases(project, database) == {"tide": "finished"}


# MARK: Statements that fail


@pytest.fixture
def sender(tmp_path, database):  # noqa: F811
    """A campaign to a list, in a project whose state has its tables."""
    project = Project(tmp_path / "project", topics=["tides"])
    project.write("herald.yaml", yaml(IN_POSTGRES))
    project.campaign("tide", "{ topic: tides }")
    with Emulator(project) as emulator:
        emulator.install(MANY)
        herald(project, database, "apply", "--yes", *E).expect(0)
        project.campaign("many", f"{{ registrations: {project.list('many', MANY)} }}")
        yield project


def break_inserts(database, table, action):  # noqa: F811
    database.psql(f"""
        CREATE FUNCTION herald.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {action}; RETURN NULL; END $$;
        CREATE TRIGGER failing AFTER INSERT ON herald.{table} FOR EACH ROW EXECUTE FUNCTION herald.fail()""")


def repair_inserts(database, table):  # noqa: F811
    database.psql(f"DROP TRIGGER failing ON herald.{table}; DROP FUNCTION herald.fail()")


def stopped(result, *words):
    """Requests without a recorded outcome may be unknown already."""
    assert result.code in (1, 3, 4), result
    return result.expect(result.code, *words)


def check_nothing_repeated(sender, database, was_sent):  # noqa: F811
    """Applies again: what may have been sent is unknown, and the rest is sent."""
    result = herald(sender, database, "apply", "--yes", *E)
    accepted, unknown = map(int, database.psql(
        "SELECT accepted, unknown FROM herald.units ORDER BY id DESC LIMIT 1").split("|"))
    sent = {text: count for text, count in sender.log.accepted().items() if text != "tides"}
    assert set(sent.values()) == {1} and set(sent) <= set(MANY)
    assert accepted + unknown == len(MANY) and accepted <= len(sent)
    assert result.code == (4 if unknown else 0), result
    assert was_sent or unknown == 0


@pytest.mark.parametrize("table, was_sent", [("runs", False), ("outcome_log", True)])
def test_a_full_disk_stops_the_apply(sender, database, table, was_sent):  # noqa: F811
    """A trigger answers as a server whose disk is full."""
    break_inserts(database, table, "RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'")
    stopped(herald(sender, database, "apply", "--yes", *E), "the disk of the server of", "is full")
    assert (len(sender.log.accepted()) > 1) == was_sent
    repair_inserts(database, table)
    check_nothing_repeated(sender, database, was_sent)


@pytest.mark.parametrize("table, was_sent", [("runs", False), ("outcome_log", True)])
def test_a_cancelled_statement_stops_the_apply(sender, database, table, was_sent):  # noqa: F811
    break_inserts(database, table, "PERFORM pg_sleep(60)")
    cancelled = []
    with sender.start("apply", "--yes", *E, env=database.env) as running:

        def is_over():
            cancelled.append(int(database.psql("""
                SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event = 'PgSleep'""")))
            return running.process.poll() is not None

        eventually(is_over, "the end of the apply")
        result = stopped(running.finish(), "the server stopped a statement", "canceling statement due to user request")
    assert sum(cancelled) > 0 and PASSWORD not in str(result)
    assert (len(sender.log.accepted()) > 1) == was_sent
    repair_inserts(database, table)
    check_nothing_repeated(sender, database, was_sent)


# MARK: Servers that cannot be trusted, and passwords


def certificate(server, name):
    """Lets the server use a certificate for a name; returns the path of it."""
    key, path = (server.data / f"{name}.{kind}" for kind in ("key", "pem"))
    server.run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}",
               "-addext", f"subjectAltName=DNS:{name}", "-keyout", key, "-out", path)
    server.psql(f"""
        ALTER SYSTEM SET ssl_cert_file = '{path}'; ALTER SYSTEM SET ssl_key_file = '{key}'; ALTER SYSTEM SET ssl = on;
        SELECT pg_reload_conf()""")
    eventually(lambda: server.value("SHOW ssl_cert_file") == str(path), "the server's certificate")
    return path


def test_a_state_is_read_only_from_a_server_that_proves_its_name(bench, postgres, tmp_path):  # noqa: F811
    def apply(more=""):
        url = f"{postgres.url(host='db.example')}?hostaddr=127.0.0.1{more}"
        result = bench.herald("apply", "--yes", *E, env={"STATE_URL": url})
        assert postgres.password not in str(result)
        return result

    apply().expect(1, "is not secure", "sslrootcert")
    own = tmp_path / "own.pem"
    own.write_bytes(certificate(postgres, "db.example").read_bytes())
    apply().expect(1, "is not secure", "certificate")
    other = certificate(postgres, "other.example")
    apply(f"&sslrootcert={own}").expect(1, "is not secure", "certificate verify failed")
    own.write_bytes(other.read_bytes())
    apply(f"&sslrootcert={own}").expect(1, "is not secure", "does not match host name")
    own.write_bytes(certificate(postgres, "db.example").read_bytes())
    # Now Herald reads the server's settings. This server of the tests does not wait for its disk.
    apply(f"&sslrootcert={own}").expect(1, "can lose what it has confirmed: fsync is off")
    assert bench.log.sends() == []


def test_a_refused_password_is_in_no_output_and_no_log(bench, postgres):  # noqa: F811
    url = postgres.url(password=PASSWORD)
    for command in (["plan"], ["apply", "--yes"], ["status"], ["run", "--once", "--log-format", "json"], ["doctor"]):
        result = bench.herald(*command, *E, env={"STATE_URL": url})
        assert result.code == 1 and "password authentication failed" in " ".join(str(result).split()), result
        assert PASSWORD not in str(result)
    assert PASSWORD not in postgres.log()
    # `doctor` asks FCM to validate a message.
    assert [entry for entry in bench.log.sends() if not entry["body"].get("validate_only")] == []


# MARK: Standbys


def standbys(project, database):  # noqa: F811
    result = herald(project, database, "doctor", "--format", "json", *E).expect(0)
    return next(check for check in json.loads(result.out)["checks"] if check["check"] == "standbys")


def test_the_doctor_warns_if_no_standby_is_synchronous(bench, database, tmp_path):  # noqa: F811
    """A program that receives the server's log is like a standby to the server."""
    herald(bench, database, "apply", "--yes", *E).expect(0)
    found = standbys(bench, database)
    assert (found["verdict"], found["seen"]) == ("ok", "no standby is connected")
    (tmp_path / "wal").mkdir()
    receiver = subprocess.Popen(
        [program("pg_receivewal"), "-h", database.folder, "-U", "herald", "-D", tmp_path / "wal", "--no-loop"],
        stdin=subprocess.DEVNULL)
    try:
        streaming = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"
        eventually(lambda: database.psql(streaming) == "1", "the receiver")
        found = standbys(bench, database)
        assert found["verdict"] == "warning" and "synchronous_standby_names" in found["way_out"]
        assert "a failover can lose commits" in found["seen"]
        herald(bench, database, "doctor", *E).expect(0, "warning standbys", "1 standby is connected, and none is synchronous")
    finally:
        receiver.terminate()
        receiver.wait()
