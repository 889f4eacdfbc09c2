"""States in PostgreSQL, with the server that `Scripts/with-postgres.sh` starts."""

import json
import os
import re
import subprocess
import uuid

import pytest

from herald import DEADLINE, Emulator, Project, eventually, token
from postgres import program
from services import Service, apply_earlier, due_campaign

TOKENS = [token(n) for n in range(20)]
PASSWORD = "hunter2-of-the-state"
E = ("-e", "bench")


def yaml(state=""):
    return ("version: 1\nproject: e2e\ntopics: { tides: {} }\nenvironments:\n"
            f"  bench: {{ emulator: {{}}{state} }}\n")


IN_POSTGRES = ', state: { postgres: "${STATE_URL}" }'


class Database:
    """An empty database of its own in the server of the tests."""

    def __init__(self, server):
        self.name = f"state_{uuid.uuid4().hex[:12]}"
        self.server = server
        self.psql(f'CREATE DATABASE "{self.name}"', database="postgres")
        self.folder = re.search(r"host=([^&]+)", server)[1]
        self.url = f"postgresql://herald:{PASSWORD}@/{self.name}?host={self.folder}"
        self.env = {"STATE_URL": self.url}

    def psql(self, sql, database=None):
        url = re.sub(r"///\w+", f"///{database or self.name}", self.server)
        done = subprocess.run(
            [program("psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-A", "-t", "-d", url, "-c", sql],
            capture_output=True, text=True, timeout=DEADLINE)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


@pytest.fixture
def database():
    server = os.environ.get("HERALD_TEST_POSTGRES")
    assert server, "run the tests through Scripts/with-postgres.sh"
    return Database(server)


@pytest.fixture
def bench(tmp_path, database):
    """A campaign to a list, one to a topic and a managed membership, with the state in PostgreSQL."""
    project = Project(tmp_path / "project", topics=["tides"])
    project.write("herald.yaml", yaml(IN_POSTGRES))
    path = project.list("all", TOKENS)
    project.campaign("call", f"{{ registrations: {path} }}")
    project.campaign("tide", "{ topic: tides }")
    project.write("campaigns/anglers.yaml", f"audience: anglers\nregistrations: {path}\nsubscribe: [tides]\n")
    with Emulator(project) as emulator:
        emulator.install(TOKENS)
        yield project


def herald(project, database, *arguments, **options):
    """Runs a command with the address of the state, which it must not show."""
    env = options.pop("env", {}) | database.env
    result = project.herald(*arguments, env=env, **options)
    assert PASSWORD not in result.out + result.err, result
    return result


def phases(project, database):
    result = herald(project, database, "status", "--format", "json", *E).expect(0)
    return {row["campaign"]: row["phase"] for row in json.loads(result.out)["occurrences"]}


# MARK: Configuration


def test_a_state_in_postgresql_is_applied_once(bench, database):
    herald(bench, database, "plan", *E).expect(0)
    herald(bench, database, "apply", "--yes", *E).expect(0)
    herald(bench, database, "apply", "--yes", *E).expect(0, "No changes")
    assert bench.log.accepted() == dict.fromkeys(TOKENS, 1) | {"tides": 1}
    assert phases(bench, database) == {"call": "finished", "tide": "finished"}
    for command in (["state", "list"], ["state", "show", "call"], ["history"], ["doctor"]):
        herald(bench, database, *command, *E)
    assert not list(bench.folder.glob(".herald/bench.sqlite*"))


def test_the_address_is_stored_nowhere(bench, database):
    herald(bench, database, "apply", "--yes", *E).expect(0)
    dump = subprocess.run(
        [program("pg_dump"), "--schema=herald", "-d", database.url], capture_output=True, text=True, timeout=DEADLINE, check=True)
    assert "CREATE TABLE herald.meta" in dump.stdout
    assert PASSWORD not in dump.stdout and database.folder not in dump.stdout
    for path in bench.folder.rglob("*"):
        assert not path.is_file() or PASSWORD.encode() not in path.read_bytes(), path


def test_an_unset_variable_is_named(bench, database):
    for command in (["plan"], ["status"], ["apply", "--yes"], ["state", "init"], ["run", "--once"]):
        bench.herald(*command, *E).expect(65, "the environment variable `STATE_URL` is not set")
    assert not list(bench.folder.glob(".herald/bench.sqlite*"))


def test_other_environments_need_no_variable(bench, database):
    bench.write("herald.yaml", yaml(IN_POSTGRES) + "  other: { emulator: {} }\n")
    bench.herald("plan", "-e", "other").expect(0)
    bench.herald("status", "-e", "other").expect(0)


@pytest.mark.parametrize("url, code, words", [
    ("postgres://nobody.invalid/db", 1, "cannot be reached"),
    ("postgres://herald@127.0.0.1:1/db", 1, "cannot be reached"),
    ("mysql://db", 65, "this is not a PostgreSQL address"),
    ("postgres://herald:" + PASSWORD + "@h%zz/db", 1, "is not a PostgreSQL connection string")])
def test_an_unusable_address_is_explained(bench, url, code, words):
    result = bench.herald("plan", *E, env={"STATE_URL": url}).expect(code, words)
    assert PASSWORD not in str(result)


def test_a_branch_cannot_send_values_to_another_server(bench, database):
    for address in ("postgres://u:${SECRET}@db.invalid/x", "postgres://db.invalid/x", "postgres://127.0.0.1,db.invalid/x"):
        bench.write("herald.yaml", yaml(f', state: {{ postgres: "{address}" }}'))
        result = bench.herald("plan", *E, env={"SECRET": PASSWORD}).expect(
            6, "which is not this machine", "--allow-host db.invalid")
        assert PASSWORD not in str(result)
    bench.herald("plan", *E, "--allow-host", "db.invalid").expect(1)


def test_options_name_a_server(bench, database):
    due_campaign(bench, "tide", "{ topic: tides }")
    (bench.folder / "campaigns/call.yaml").unlink()
    apply_earlier(bench, *E, env=database.env).expect(0)
    (bench.folder / "herald.yaml").unlink()
    for name in ("${STATE_URL}", database.url):
        herald(bench, database, "calendar", "--state", name).expect(0)
    herald(bench, database, "run", "--once", "--state", "${OTHER}").expect(64, "`OTHER` is not set")
    herald(bench, database, "run", "--once", "--state", "${STATE_URL}").expect(0, "1 accepted")
    herald(bench, database, "apply", "--due", "--state", database.url).expect(0, "Nothing is due.")
    assert bench.log.accepted() == {"tides": 1}


def test_a_service_finds_the_server_in_the_project_file(bench, database):
    due_campaign(bench, "tide", "{ topic: tides }")
    apply_earlier(bench, *E, env=database.env).expect(0)
    with Service(bench, *E, env=database.env) as first:
        eventually(lambda: "tides" in bench.log.accepted(), "the send of the service")
        with Service(bench, *E, env=database.env) as second:
            eventually(lambda: "Standby" in second.err, "the standby")
            assert PASSWORD not in first.err + second.err
            first.running.signal(15).finish()
            eventually(lambda: "No longer a standby" in second.err, "the next service")


# MARK: Safety


def test_a_lost_state_is_not_created_again(bench, database):
    herald(bench, database, "apply", "--yes", *E).expect(0)
    database.psql("DROP SCHEMA herald CASCADE")
    result = herald(bench, database, "apply", "--yes", *E).expect(1, "is missing: this machine has seen it")
    assert "PostgreSQL's tools" in result.err
    assert database.psql("SELECT to_regclass('herald.meta') IS NULL") == "t"


def test_an_older_state_is_refused(bench, database):
    herald(bench, database, "apply", "--yes", *E).expect(0)
    database.psql("UPDATE herald.meta SET serial = 0")
    result = herald(bench, database, "plan", *E).expect(1, "is older than one seen here")
    assert "state push" not in result.err


def test_an_older_backup_is_recovered(bench, database):
    herald(bench, database, "apply", "--yes", *E).expect(0)
    backup = subprocess.run(
        [program("pg_dump"), "--schema=herald", "-d", database.url], capture_output=True, text=True, timeout=DEADLINE, check=True)
    herald(bench, database, "state", "recover", *E).expect(0, "nothing to recover")
    bench.campaign("later", "{ topic: tides }")
    herald(bench, database, "apply", "--yes", *E).expect(0)
    database.psql("DROP SCHEMA herald CASCADE")
    subprocess.run([program("psql"), "-q", "-d", database.url], input=backup.stdout, text=True, timeout=DEADLINE, check=True,
                   stdout=subprocess.DEVNULL)
    herald(bench, database, "plan", *E).expect(1, "is older than one seen here")
    herald(bench, database, "state", "recover", *E).expect(4, "later/once/1")
    herald(bench, database, "apply", "--yes", *E).expect(4)
    assert bench.log.accepted() == dict.fromkeys(TOKENS, 1) | {"tides": 2}


def test_commands_for_files_are_refused_by_name(bench, database):
    herald(bench, database, "apply", "--yes", *E).expect(0)
    for command, words in {
        "state pull copy.sqlite": "`herald state pull` works only on files",
        "state push copy.sqlite": "`herald state push` works only on files",
        "emulator reset": "`herald emulator reset` works only on files",
    }.items():
        herald(bench, database, *command.split(), *E).expect(64, words, database.name, "help: ")
    key = ', encryption: { key: "env:KEY" }'
    bench.write("herald.yaml", yaml(IN_POSTGRES.replace(" }", key + " }")))
    herald(bench, database, "state", "init", *E, env={"KEY": "5a" * 32}).expect(
        64, "encrypting an existing state works only on files")
    bench.write("herald.yaml", yaml(IN_POSTGRES))
    assert phases(bench, database) == {"call": "finished", "tide": "finished"}


def test_registrations_are_erased_on_the_server(bench, database):
    herald(bench, database, "apply", "--yes", *E).expect(0)
    herald(bench, database, "state", "forget", "-", *E, input=TOKENS[0]).expect(0)
    herald(bench, database, "apply", "--yes", *E)
    assert bench.log.accepted()[TOKENS[0]] == 1


# MARK: herald state migrate


def migrate(project, database, to):
    return herald(project, database, "state", "migrate", "--to", to, *E)


def test_an_address_in_another_form_is_not_taken_for_a_path(bench, database):
    bench.write("herald.yaml", yaml())
    herald(bench, database, "apply", "--yes", *E).expect(0)
    for to in (f"host=db.invalid dbname=push password={PASSWORD}", f"mysql://ada:{PASSWORD}@db.invalid/push"):
        migrate(bench, database, to).expect(64, "neither a path nor the address of a PostgreSQL server")
        herald(bench, database, "run", "--once", "--state", to).expect(64, "neither a path nor the address")
    migrate(bench, database, f"postgres://ada:x/{PASSWORD}@db.invalid/push").expect(1, "percent-encode")
    herald(bench, database, "apply", "--yes", *E).expect(0, "No changes")


def test_a_state_moves_to_the_server_and_back(bench, database):
    bench.write("herald.yaml", yaml())
    herald(bench, database, "apply", "--yes", *E).expect(0)
    before = herald(bench, database, "state", "list", "--format", "json", *E).expect(0).out
    path = bench.folder / ".herald/bench.sqlite"
    migrate(bench, database, "${STATE_URL}").expect(0, "Moved the state of bench", database.name)
    herald(bench, database, "apply", "--yes", *E).expect(1, "was moved to", database.name)
    herald(bench, database, "pause", *E).expect(1, "was moved to")
    bench.write("herald.yaml", yaml(IN_POSTGRES))
    assert herald(bench, database, "state", "list", "--format", "json", *E).expect(0).out == before
    herald(bench, database, "history", *E).expect(0)
    bench.campaign("later", "{ topic: tides }")
    herald(bench, database, "apply", "--yes", *E).expect(0, "1 accepted")

    migrate(bench, database, path).expect(0, "Moved the state of bench")
    herald(bench, database, "plan", *E).expect(1, "was moved to", str(path))
    bench.write("herald.yaml", yaml())
    herald(bench, database, "apply", "--yes", *E).expect(0, "No changes")
    herald(bench, database, "history", *E).expect(0)
    assert bench.log.accepted() == dict.fromkeys(TOKENS, 1) | {"tides": 2}
    # Again, over what the first move left there.
    migrate(bench, database, "${STATE_URL}").expect(0)
    bench.write("herald.yaml", yaml(IN_POSTGRES))
    herald(bench, database, "apply", "--yes", *E).expect(0, "No changes")


def test_an_encrypted_state_moves_with_its_key(bench, database):
    key = ', state: { encryption: { key: "env:KEY" } }'
    env = {"KEY": "5a" * 32}
    bench.write("herald.yaml", yaml(key))
    herald(bench, database, "apply", "--yes", *E, env=env).expect(0)
    herald(bench, database, "state", "migrate", "--to", "${STATE_URL}", *E, env=env).expect(0)
    bench.write("herald.yaml", yaml(IN_POSTGRES))
    herald(bench, database, "plan", *E).expect(1, "is encrypted, but there is no key")
    bench.write("herald.yaml", yaml(IN_POSTGRES.replace(" }", ', encryption: { key: "env:KEY" } }')))
    herald(bench, database, "apply", "--yes", *E, env=env).expect(0, "No changes")


def test_an_occupied_place_is_refused(bench, database):
    herald(bench, database, "apply", "--yes", *E).expect(0)
    bench.write("herald.yaml", yaml())
    bench.campaign("other", "{ topic: tides }")
    herald(bench, database, "apply", "--yes", *E).expect(0)
    migrate(bench, database, "${STATE_URL}").expect(1, "already has a state", "nothing was changed")
    herald(bench, database, "apply", "--yes", *E).expect(0, "No changes")
    migrate(bench, database, "copy.sqlite").expect(64, "from a file to PostgreSQL or back")
    bench.write("herald.yaml", yaml(IN_POSTGRES))
    path = bench.folder / ".herald/bench.sqlite"
    migrate(bench, database, path).expect(1, "already has a state", "nothing was changed")
    for name in ("new", "replaced"):
        assert not list(bench.folder.glob(f".herald/bench.sqlite.{name}-*"))


def test_an_interrupted_move_is_completed_by_the_next_one(bench, database):
    bench.write("herald.yaml", yaml())
    herald(bench, database, "apply", "--yes", *E).expect(0)
    path = str((bench.folder / ".herald").resolve() / "bench.sqlite")
    migrate(bench, database, "${STATE_URL}").expect(0)
    # As if the command had ended before it put the copy into use.
    database.psql(f"UPDATE herald.meta SET moved = '{path}'")
    bench.write("herald.yaml", yaml(IN_POSTGRES))
    herald(bench, database, "plan", *E).expect(1, "was moved to", path)
    bench.write("herald.yaml", yaml())
    herald(bench, database, "plan", *E).expect(1, "was moved to", database.name)
    migrate(bench, database, "${STATE_URL}").expect(0)
    bench.write("herald.yaml", yaml(IN_POSTGRES))
    herald(bench, database, "apply", "--yes", *E).expect(0, "No changes")


def test_a_move_that_is_not_in_the_history_is_completed_by_the_next_one(bench, database):
    bench.write("herald.yaml", yaml())
    herald(bench, database, "apply", "--yes", *E).expect(0)
    # The last change of the command fails.
    database.psql("""
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused by a test'; END $$;
        CREATE FUNCTION guard() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
            IF NOT EXISTS (SELECT 1 FROM pg_trigger WHERE tgname = 'refuse') AND to_regclass('herald.chain') IS NOT NULL THEN
                CREATE TRIGGER refuse BEFORE INSERT ON herald.chain FOR EACH ROW
                WHEN (NEW.content LIKE '%state migrate%') EXECUTE FUNCTION public.refuse();
            END IF;
        END $$;
        CREATE EVENT TRIGGER guard ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION guard()""")
    migrate(bench, database, "${STATE_URL}").expect(1, "refused by a test")
    database.psql("DROP EVENT TRIGGER guard; DROP FUNCTION refuse() CASCADE")
    herald(bench, database, "plan", *E).expect(1, "was moved to", database.name)
    migrate(bench, database, "${STATE_URL}").expect(0, "Moved the state of bench")
    assert database.psql("SELECT count(*) FROM herald.chain WHERE content LIKE '%state migrate%'") == "1"
    # Now it is complete.
    migrate(bench, database, "${STATE_URL}").expect(1, "was moved to", database.name)
    bench.write("herald.yaml", yaml(IN_POSTGRES))
    herald(bench, database, "apply", "--yes", *E).expect(0, "No changes")
    herald(bench, database, "history", *E).expect(0)


def test_a_move_that_fails_leaves_the_file_in_use(bench, database):
    bench.write("herald.yaml", yaml())
    herald(bench, database, "apply", "--yes", *E).expect(0)
    database.psql("CREATE SCHEMA herald; CREATE TABLE herald.chain (n int)")
    migrate(bench, database, "${STATE_URL}").expect(1)
    herald(bench, database, "apply", "--yes", *E).expect(0, "No changes")
    database.psql("DROP SCHEMA herald CASCADE")
    migrate(bench, database, "${STATE_URL}").expect(0)
