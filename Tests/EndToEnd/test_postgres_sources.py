"""Lists from PostgreSQL queries, with a real server."""

import json

import pytest

from herald import Project, eventually, token
from postgres import free_port, postgres  # noqa: F401 (fixture)

TOKENS = [token(n) for n in range(40)]
NAMES = ["Ana", "O'Brien", 'say "hi"', "a,b", "two\nlines", "\r", "مرحبا", "👩‍👧", "{{name}}", "\\", " padded ", "NULL"]


def literal(text):
    escapes = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r"}
    return "E'" + "".join(escapes.get(each, each) for each in text) + "'"


@pytest.fixture
def bench(tmp_path, postgres):  # noqa: F811
    project = Project(tmp_path / "project", topics=["tides"])
    project.devices(TOKENS)
    postgres.psql("""
        DROP SCHEMA IF EXISTS app CASCADE; DROP SEQUENCE IF EXISTS counter;
        CREATE SCHEMA app; CREATE TABLE app.anglers (token text, name text); CREATE SEQUENCE counter;
    """)
    values = ", ".join(f"('{text}', {literal(NAMES[n % len(NAMES)])})" for n, text in enumerate(TOKENS))
    postgres.psql(f"INSERT INTO app.anglers VALUES {values}")
    return project


def query(project, text, more="", columns=""):
    project.write(
        "herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {} }\nsources:\n  lapsed:\n"
        f"    postgres: '${{LISTS_URL}}'\n    query: {json.dumps(text)}\n{more}")
    project.campaign("call", f"{{ registrations: {{ source: lapsed{columns} }} }}")


def allowed(project, server, *arguments, url=None, **env):
    return project.herald(*arguments, "--allow-sources", env={"LISTS_URL": url or server.url(), **env})


SELECT = "SELECT token AS registration, name FROM app.anglers"


def test_sends_to_the_rows_of_a_query(bench, postgres):  # noqa: F811
    query(bench, SELECT)
    bench.campaign("call", "{ registrations: { source: lapsed } }", title="Hello {{name}}")
    before = postgres.log().count("FETCH FORWARD")
    allowed(bench, postgres, "plan").expect(0, "40 requests")
    assert postgres.log().count("FETCH FORWARD") > before
    allowed(bench, postgres, "apply", "--yes").expect(0, "40 accepted")
    titles = {send["body"]["message"]["token"]: send["body"]["message"]["notification"]["title"] for send in bench.log.sends()}
    assert titles == {text: f"Hello {NAMES[n % len(NAMES)]}" for n, text in enumerate(TOKENS)}


def test_a_null_is_a_missing_value(bench, postgres):  # noqa: F811
    query(bench, "SELECT token AS registration, NULLIF(name, 'Ana') AS name FROM app.anglers")
    bench.campaign("call", "{ registrations: { source: lapsed } }", title="Hello {{name}}")
    allowed(bench, postgres, "plan").expect(65, "rows have no `name`, the first at source lapsed:")


def test_all_blocks_of_a_large_result_are_read(bench, postgres):  # noqa: F811
    query(bench, "SELECT format('phone-%s:APA91b-x', n) AS registration FROM generate_series(1, 25001) n")
    allowed(bench, postgres, "plan").expect(0, "25,001 requests")


@pytest.mark.parametrize("text", [
    "DELETE FROM app.anglers", "TRUNCATE app.anglers", "DROP TABLE app.anglers",
    "SELECT 1; DELETE FROM app.anglers", "SELECT 1; COMMIT; DELETE FROM app.anglers",
    "COPY app.anglers TO PROGRAM 'touch /tmp/herald-pwned'",
    "SELECT 1) TO PROGRAM 'touch /tmp/herald-pwned'",
    "WITH gone AS (DELETE FROM app.anglers RETURNING token) SELECT token AS registration FROM gone",
    "SELECT token AS registration INTO app.copy FROM app.anglers",
    "SELECT nextval('counter')::text AS registration",
    "SELECT set_config('transaction_read_only', 'off', false) AS registration UNION ALL SELECT nextval('counter')::text",
    "EXPLAIN ANALYZE DELETE FROM app.anglers", "DO $$ BEGIN DELETE FROM app.anglers; END $$",
    "SELECT 1 -- \n; DELETE FROM app.anglers",
])
def test_a_query_changes_nothing(bench, postgres, text):  # noqa: F811
    query(bench, text)
    for command in (["plan"], ["apply", "--yes"]):
        allowed(bench, postgres, *command).expect(1, "the source `lapsed` failed", "must be one SELECT that changes nothing")
    assert postgres.value("SELECT count(*) FROM app.anglers") == "40"
    assert postgres.value("SELECT is_called FROM counter") == "f"
    assert postgres.value("SELECT to_regclass('app.copy') IS NULL") == "t"
    assert bench.log.sends() == []


def test_a_slow_query_is_stopped_on_the_server(bench, postgres):  # noqa: F811
    query(bench, "SELECT pg_sleep(600)::text AS registration", more="    timeout: 1s\n")
    allowed(bench, postgres, "plan").expect(1, "its query was stopped after 1 s", "raise `timeout`")
    active = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'herald' AND state = 'active'"
    eventually(lambda: postgres.value(active) == "0", "the server stops the query", deadline=10)


def test_a_failure_in_the_middle_is_no_list(bench, postgres):  # noqa: F811
    query(bench, "SELECT 'phone-' || (1 / (20000 - n)) || ':x' AS registration FROM generate_series(1, 30000) n")
    allowed(bench, postgres, "plan").expect(1, "division by zero", "SQLSTATE 22012")


def test_connection_errors_show_no_password(bench, postgres):  # noqa: F811
    query(bench, SELECT)
    wrong = postgres.url(password="wrong-password")
    for url, fragments in (
        (wrong, ["cannot be reached", "password authentication failed"]),
        (f"postgresql://owner:wrong-password@127.0.0.1:{free_port()}/postgres", ["cannot be reached"]),
        ("postgresql://owner:wrong-password@127.0.0.1:1/postgres?nonsense=wrong-password", ["contains no PostgreSQL"]),
        ("wrong-password", ["contains no PostgreSQL connection string"]),
    ):
        done = allowed(bench, postgres, "plan", url=url).expect(1, *fragments)
        assert "wrong-password" not in done.out + done.err
    bench.herald("plan", "--allow-sources").expect(1, "needs the environment variable `LISTS_URL`, which is not set")


def test_another_machine_must_prove_its_name(bench, postgres):  # noqa: F811
    """The server has no certificate. 127.0.0.1 is given as the address of a name that is not this machine's."""
    query(bench, SELECT)
    named = f"host=db.example hostaddr=127.0.0.1 port={postgres.port} user=owner password={postgres.password} dbname=postgres"
    done = allowed(bench, postgres, "plan", url=named).expect(1, "cannot be reached")
    assert "certificate" in done.err or "SSL" in done.err
    allowed(bench, postgres, "plan", url=named + " sslmode=disable").expect(0, "40 requests")
    allowed(bench, postgres, "plan", url=named, PGSSLMODE="disable").expect(0, "40 requests")
    socket = f"host={postgres.folder} port={postgres.port} user=owner password={postgres.password} dbname=postgres"
    allowed(bench, postgres, "plan", url=socket).expect(0, "40 requests")


def test_rows_are_checked_as_strictly_as_a_file(bench, postgres):  # noqa: F811
    for text, fragments in (
        ("SELECT token, name FROM app.anglers", ["source lapsed", "no column `registration`"]),
        ("SELECT token AS registration, name AS registration FROM app.anglers", ["header line has", "twice"]),
        ("SELECT 'no registration' AS registration", ["source lapsed:2"]),
        ("SELECT NULL AS registration", ["source lapsed:2", "it has no `registration`"]),
        ("SELECT token AS registration FROM app.anglers WHERE false", ["the list contains no registrations"]),
        ("SELECT repeat('a', 2000000) AS registration", ["source lapsed:2", "longer than 1 MiB"]),
    ):
        query(bench, text)
        allowed(bench, postgres, "plan").expect(65, *fragments)


def test_values_of_the_database_appear_nowhere(bench, postgres):  # noqa: F811
    postgres.psql("UPDATE app.anglers SET name = 'Secretname'")
    query(bench, SELECT)
    bench.campaign("call", "{ registrations: { source: lapsed } }", title="Hello {{name}}")
    done = allowed(bench, postgres, "plan", "--out", bench.folder / "plan.json").expect(0)
    texts = done.out + done.err + (bench.folder / "plan.json").read_text()
    assert "Secretname" not in texts and postgres.password not in texts
    assert "${LISTS_URL}" in (bench.folder / "plan.json").read_text()


def test_without_libpq_the_package_is_named(bench, postgres, tmp_path):  # noqa: F811
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / "libpq.so.5").write_bytes(b"")
    query(bench, SELECT)
    allowed(bench, postgres, "plan", LD_LIBRARY_PATH=str(folder)).expect(
        1, "needs libpq (Debian package libpq5), which cannot be loaded", "apt-get install libpq5")
