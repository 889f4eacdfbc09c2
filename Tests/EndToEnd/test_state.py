"""State safety and `herald state`, with the real binary and its emulator."""

import fcntl
import json
import os
import random
import re
import shlex
import shutil
import sqlite3
import stat
import threading

import pytest

from herald import SECRET, SOAK, STATE_HOME, Emulator, Project, eventually, run, token
from segments import packed

TOKENS = [token(n) for n in range(40)]
YAML = """\
version: 1  # the first
project: e2e
topics: { tides: {} }
environments:
  # ours
  bench: { emulator: {} }   # here
"""


@pytest.fixture
def bench(tmp_path):
    """A campaign to a list, one to a topic, a managed membership, and an emulator with phones."""
    project = Project(tmp_path / "project", topics=["tides"])
    project.write("herald.yaml", YAML)
    path = project.list("all", TOKENS)
    project.campaign("call", f"{{ registrations: {path} }}")
    project.campaign("tide", "{ topic: tides }")
    project.write("campaigns/anglers.yaml", f"audience: anglers\nregistrations: {path}\nsubscribe: [tides]\n")
    with Emulator(project) as emulator:
        emulator.install(TOKENS)
        project.emulator = emulator
        yield project


E = ("-e", "bench")


def state(project):
    return project.folder / ".herald/bench.sqlite"


def lineage(project):
    return project.rows("SELECT lineage FROM meta", "bench")[0][0]


def serial(project):
    return project.rows("SELECT serial FROM meta", "bench")[0][0]


def named(lineage):
    return YAML.replace("{ emulator: {} }", f'{{ emulator: {{}}, state: {{ lineage: "{lineage}" }} }}')


def stranger(project):
    """A machine that has seen no state."""
    return {"XDG_STATE_HOME": str(project.folder / "of-a-stranger")}


def initialised(project):
    project.herald("state", "init", *E).expect(0)
    return project


@pytest.mark.parametrize("version", [2, 3, 99])
def test_state_of_another_format_is_refused_and_unchanged(bench, version):
    bench.apply(*E).expect(0)
    with sqlite3.connect(state(bench)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    before = state(bench).read_bytes()
    for command in ["plan"], ["apply", "--yes"], ["status"], ["history"]:
        refused = bench.herald(*command, *E).expect(1, f"has format {version}; this Herald supports 1")
        assert "use the version of Herald that wrote it" in refused.err
    assert state(bench).read_bytes() == before


def remove(project):
    for path in project.folder.glob(".herald/bench.sqlite*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def snapshot(project):
    path = project.folder / "copy.sqlite"
    project.herald("state", "pull", path, *E).expect(0)
    return path


def advice(result):
    """Returns the commands that an error's help names, in order."""
    help = result.err.split("help: ", 1)[1]
    return [shlex.split(text)[1:] for text in re.findall(r"`(herald [^`]*)`", help)]


def follow(project, result, word, copy=None):
    """Runs the command of the help that contains this word."""
    command = next(command for command in advice(result) if word in command)
    return project.herald(*[str(copy) if part == "FILE" else part for part in command])


def sent_once(project):
    """Checks in the emulator's log that no message was sent twice."""
    assert set(project.log.accepted().values()) <= {1}, project.log.accepted()


def phases(project):
    rows = json.loads(project.herald("status", "--format", "json", *E).expect(0).out)["occurrences"]
    return {row["campaign"]: (row["phase"], row.get("counts", {}).get("unknown", 0)) for row in rows}


# MARK: herald state init


def test_init_adds_the_lineage_and_keeps_the_rest_of_the_file(bench):
    result = bench.herald("state", "init", *E).expect(0, "created", "Commit it")
    text = (bench.folder / "herald.yaml").read_text()
    assert text == YAML.replace("{ emulator: {} }", f'{{ emulator: {{}}, state: {{ lineage: "{lineage(bench)}" }} }}')
    assert lineage(bench) in result.out
    bench.herald("state", "init", *E).expect(0, "already exists", "names it already")
    assert (bench.folder / "herald.yaml").read_text() == text
    bench.herald("validate").expect(0)
    bench.apply(*E).expect(0)


def test_init_writes_the_built_in_environment(project):
    project.herald("state", "init").expect(0)
    text = (project.folder / "herald.yaml").read_text()
    assert text.endswith("  local: { emulator: {}, state: { lineage: \"%s\" } }\n"
                         % project.rows("SELECT lineage FROM meta")[0][0])


def test_init_refuses_if_another_state_is_named(bench):
    initialised(bench)
    remove(bench)
    bench.herald("state", "init", *E).expect(1, "missing: herald.yaml names lineage")
    bench.write("herald.yaml", YAML)
    bench.herald("state", "init", *E).expect(1, "missing: this machine has seen it there")
    bench.herald("plan", *E, env=stranger(bench)).expect(0)
    other = lineage(bench)
    bench.write("herald.yaml", named("abc"))
    bench.herald("state", "init", *E).expect(1, other, "herald.yaml names lineage abc")


def test_init_keeps_a_file_that_it_cannot_edit_safely(bench):
    text = YAML.replace("bench: {", "bench: &b {") + "  other: *b\n"
    bench.write("herald.yaml", text)
    result = bench.herald("state", "init", *E).expect(1, "was not changed", "yourself")
    assert f'lineage: "{lineage(bench)}"' in result.err
    assert (bench.folder / "herald.yaml").read_text() == text


def test_init_encrypts_a_plain_state_if_a_key_is_configured(bench):
    bench.apply(*E).expect(0)
    keyed = YAML.replace("{ emulator: {} }", "{ emulator: {}, state: { encryption: { key: env:K } } }")
    bench.write("herald.yaml", keyed)
    env = {"K": "5a" * 32}
    bench.herald("status", *E, env=env).expect(1)
    bench.herald("state", "init", *E, env=env).expect(0, "now encrypted")
    assert "lineage:" in (bench.folder / "herald.yaml").read_text()
    bench.apply(*E, env=env).expect(0)
    assert TOKENS[3].encode() not in b"".join(
        p.read_bytes() for p in bench.folder.glob(".herald/bench.sqlite*") if p.is_file())
    sent_once(bench)


# MARK: refusals and their fixes

COMMANDS = [
    ["plan"], ["apply", "--yes"], ["status"], ["history"], ["pause"], ["resolve", "call", "sent"],
    ["state", "list"], ["state", "show", "call"], ["state", "pull", "x.sqlite"], ["state", "init"],
]


def refused(project, *fragments):
    """Every command refuses, and nothing is sent."""
    count = project.log.count()
    for command in COMMANDS:
        result = project.herald(*command, *E).expect(1, *fragments)
    assert project.log.count() == count
    return result


@pytest.mark.parametrize("is_empty", [False, True])
def test_recovers_a_missing_state_without_duplicates(bench, is_empty):
    initialised(bench).apply(*E).expect(0)
    name, before = lineage(bench), serial(bench)
    remove(bench)
    if is_empty:
        state(bench).touch()
    result = refused(bench, "bench.sqlite", "state recover")
    follow(bench, result, "recover").expect(
        4, "call/once/1", "40 unknown", "tide/once/1", "No longer known")
    assert lineage(bench) == name and serial(bench) > before
    assert phases(bench) == {"call": ("finished", 40), "tide": ("stopped", 1)}
    bench.apply(*E).expect(4)
    sent_once(bench)
    bench.herald("resolve", "call", "drop", "--yes", *E).expect(0)
    bench.herald("resolve", "tide", "sent", "--yes", *E).expect(0)
    bench.apply(*E).expect(0)
    bench.herald("plan", "--detailed-exitcode", *E)
    sent_once(bench)
    assert bench.log.accepted()["tides"] == 1


def test_missing_known_state_is_an_error_without_a_lineage_in_the_file(bench):
    """herald.yaml names no lineage, but this machine has seen the state, so a missing state is not treated as new."""
    bench.apply(*E).expect(0)
    name, before = lineage(bench), serial(bench)
    remove(bench)
    result = refused(bench, "bench.sqlite is missing: this machine has seen it there", name, "herald emulator reset")
    assert not state(bench).exists()
    follow(bench, result, "recover").expect(4, "call/once/1", "40 unknown")
    assert lineage(bench) == name and serial(bench) > before
    bench.apply(*E).expect(4)
    sent_once(bench)


def test_another_state_is_refused_without_a_lineage_in_the_file(bench, tmp_path):
    bench.apply(*E).expect(0)
    other = Project(tmp_path / "other", topics=["tides"])
    other.write("herald.yaml", YAML)
    other.herald("plan", *E).expect(0)
    own, copy, foreign = lineage(bench), snapshot(bench), snapshot(other)
    remove(bench)
    shutil.copy(foreign, state(bench))
    result = refused(bench, f"has lineage {lineage(other)}, but this machine has seen it with lineage {own}")
    bench.herald("state", "recover", *E).expect(1, "this machine has seen it with lineage")
    follow(bench, result, "push", copy).expect(0, "kept as")
    bench.apply(*E).expect(0)
    sent_once(bench)


def test_each_project_that_links_to_a_missing_state_reports_it(bench, tmp_path):
    """First one project loses its link, and then both lose the state."""
    (bench.folder / ".herald").rename(tmp_path / "shared")
    (bench.folder / ".herald").symlink_to(tmp_path / "shared")
    other = Project(tmp_path / "other", topics=["tides"])
    other.write("herald.yaml", YAML)
    (other.folder / ".herald").symlink_to(tmp_path / "shared")
    for project in (bench, other):
        project.allow_path(tmp_path / "shared")
        project.herald("plan", *E).expect(0)
    (other.folder / ".herald").unlink()
    other.herald("plan", *E).expect(1, "is missing: this machine has seen it there")
    remove(bench)
    (tmp_path / "third").mkdir()
    third = Project(tmp_path / "third/project", topics=["tides"])
    third.write("herald.yaml", YAML)
    (third.folder / ".herald").symlink_to(tmp_path / "shared")
    third.allow_path(tmp_path / "shared")
    for project in (bench, third):
        project.herald("plan", *E).expect(1, "is missing: this machine has seen it there")


def test_older_copy_is_refused_after_a_killed_run(bench):
    """Herald stores the run's serial before the first request, so the kill does not matter."""
    bench.herald("plan", *E).expect(0)
    copy = snapshot(bench)
    bench.emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "SEND"}, "accepted": True, "delivery": {"delay_milliseconds": 20_000}}]})
    with bench.start("apply", "--yes", *E) as apply:
        bench.log.wait_for(1)
        apply.kill()
    bench.log.settle()
    bench.emulator.put("/emulator/v1/faults", {"rules": []})
    count = bench.log.count()
    remove(bench)
    shutil.copy(copy, state(bench))
    refused(bench, "older than one seen here: its serial is 0, the highest seen is 1")
    assert bench.log.count() == count
    bench.herald("state", "recover", *E).expect(4)
    bench.apply(*E).expect(4)
    sent_once(bench)


def test_sends_unknown_occurrences_after_resolve_resend(bench):
    initialised(bench)
    remove(bench)
    bench.herald("state", "recover", *E).expect(4)
    bench.apply(*E).expect(4)
    assert not bench.log.sends()
    bench.herald("resolve", "call", "resend", "--yes", *E).expect(0)
    bench.herald("resolve", "tide", "resend", "--yes", *E).expect(0)
    bench.apply(*E).expect(0)
    assert bench.log.accepted() == {**{text: 1 for text in TOKENS}, "tides": 1}


def test_push_replaces_a_missing_state(bench):
    initialised(bench).apply(*E).expect(0)
    copy = snapshot(bench)
    remove(bench)
    follow(bench, refused(bench, "missing"), "push", copy).expect(0, "is now the state of bench,")
    bench.apply(*E).expect(0)
    sent_once(bench)
    assert stat.S_IMODE(state(bench).stat().st_mode) == 0o600


def test_refuses_the_state_of_another_project(bench, tmp_path):
    initialised(bench).apply(*E).expect(0)
    copy = snapshot(bench)
    other = Project(tmp_path / "other", topics=["tides"])
    other.write("herald.yaml", YAML)
    initialised(other)
    shutil.copy(state(other), state(bench))
    result = refused(bench, f"has lineage {lineage(other)}, but herald.yaml names lineage")
    bench.herald("state", "recover", *E).expect(1, "but herald.yaml names lineage")
    foreign = other.folder / "foreign.sqlite"
    other.herald("state", "pull", foreign, *E).expect(0)
    bench.herald("state", "push", foreign, *E).expect(1, "is another state", "nothing was changed")
    follow(bench, result, "push", copy).expect(0, "kept as")
    bench.apply(*E).expect(0)
    sent_once(bench)
    # With its lineage in herald.yaml, the other state is accepted, as the help states.
    assert f'write `lineage: "{lineage(other)}"` under' in result.err
    remove(bench)
    shutil.copy(state(other), state(bench))
    bench.write("herald.yaml", named(lineage(other)))
    bench.herald("plan", *E).expect(0)


@pytest.mark.parametrize("is_named", [True, False])
def test_refuses_and_recovers_an_older_copy(bench, is_named):
    if is_named:
        initialised(bench)
    bench.herald("plan", *E).expect(0)
    copy = snapshot(bench)
    bench.apply(*E).expect(0)
    before = serial(bench)
    remove(bench)
    shutil.copy(copy, state(bench))
    result = refused(bench, "older than one seen here")
    follow(bench, result, "recover").expect(4, "call/once/1", "with serial 0")
    assert serial(bench) > before
    bench.apply(*E).expect(4)
    sent_once(bench)


def test_pushing_an_older_copy_requires_dangerous_older(bench):
    initialised(bench)
    copy = snapshot(bench)
    bench.apply(*E).expect(0)
    before = serial(bench)
    result = bench.herald("state", "push", copy, *E).expect(1, "older than the state", f"the highest is {before}")
    bench.apply(*E).expect(0)
    assert not list(bench.folder.glob(".herald/*replaced*"))
    follow(bench, result, "--dangerous-older").expect(4, "kept as", "was an older copy", "call/once/1")
    assert [json.loads(row[0]) for row in bench.rows("SELECT bypasses FROM runs ORDER BY id", "bench")][-1] == [
        "--dangerous-older"]
    assert serial(bench) > before
    # A machine without known serials repeats nothing either.
    home = {"XDG_STATE_HOME": str(bench.folder / "new")}
    bench.apply(*E, env=home).expect(4)
    bench.apply(*E).expect(4)
    sent_once(bench)
    # Nothing was lost: the replaced state can be restored.
    kept, = bench.folder.glob(".herald/bench.sqlite.replaced-*")
    with sqlite3.connect(kept) as connection:
        assert connection.execute("SELECT serial FROM meta").fetchone()[0] == before


def test_push_of_an_older_copy_requires_valid_files(bench):
    initialised(bench)
    copy = snapshot(bench)
    bench.apply(*E).expect(0)
    before = state(bench).read_bytes()
    bench.write("campaigns/call.yaml", "campaign: call\n")
    bench.herald("state", "push", copy, "--dangerous-older", *E).expect(65)
    assert state(bench).read_bytes() == before


def test_push_does_not_replace_a_state_with_another_key(bench):
    keyed = YAML.replace("{ emulator: {} }", "{ emulator: {}, state: { encryption: { key: env:K } } }")
    bench.write("herald.yaml", keyed)
    for key in ("5a", "a5"):
        machine = {"XDG_STATE_HOME": str(bench.folder / key)}
        bench.herald("state", "init", *E, env={"K": key * 32} | machine).expect(0)
        state(bench).rename(bench.folder / f"{key}.sqlite")
        bench.write("herald.yaml", keyed)
    (bench.folder / "5a.sqlite").rename(state(bench))
    before = state(bench).read_bytes()
    bench.herald("state", "push", bench.folder / "a5.sqlite", *E, env={"K": "a5" * 32}).expect(
        1, "bench.sqlite is encrypted with another key")
    assert state(bench).read_bytes() == before


def test_open_sends_of_an_older_copy_are_unknown(bench):
    """The rest of the occurrence may have been sent since."""
    bench.emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "SEND", "topic": "tides"}, "accepted": True, "answer": {"error": "UNAVAILABLE"}}]})
    bench.write("campaigns/call.yaml", (bench.folder / "campaigns/call.yaml").read_text() + "on_unknown: stop\n")
    bench.herald("pause", "call", *E).expect(0)
    bench.apply(*E).expect(4)
    copy = snapshot(bench)
    bench.herald("resolve", "tide", "resend", "--yes", *E).expect(0)
    bench.emulator.put("/emulator/v1/faults", {"rules": []})
    bench.apply(*E)
    count = bench.log.accepted()["tides"]
    remove(bench)
    shutil.copy(copy, state(bench))
    bench.herald("state", "recover", *E).expect(4)
    bench.herald("resume", "call", *E).expect(0)
    bench.apply(*E).expect(4)
    assert bench.log.accepted()["tides"] == count
    assert sum(bench.log.accepted()[text] for text in TOKENS) == 0


# MARK: herald emulator reset


@pytest.mark.parametrize("loss", ["none", "missing", "older", "damaged", "foreign"])
@pytest.mark.parametrize("is_named", [True, False])
def test_the_projects_own_emulator_is_reset_on_purpose(project, loss, is_named):
    phones = TOKENS[:3]
    project.write("herald.yaml", YAML)
    project.devices(phones)
    project.campaign("call", f"{{ registrations: {project.list('all', phones)} }}")
    if is_named:
        initialised(project)
    project.herald("plan", *E).expect(0)
    older, name = snapshot(project), lineage(project)
    project.apply(*E).expect(0, "3 accepted")
    newer = project.folder / "newer.sqlite"
    project.herald("state", "pull", newer, *E).expect(0)
    if loss != "none":
        remove(project)
    if loss == "older":
        shutil.copy(older, state(project))
    elif loss == "damaged":
        state(project).write_bytes(b"not a database" * 1000)
    elif loss == "foreign":
        with sqlite3.connect(older) as connection:
            connection.execute("UPDATE meta SET lineage = 'ffff'")
        connection.close()
        shutil.copy(older, state(project))
    if loss != "none":
        result = project.herald("plan", *E).expect(1, "`herald emulator reset -e bench` starts from scratch")
        follow(project, result, "reset").expect(0, "are empty", lineage(project))
    else:
        project.herald("emulator", "reset", *E).expect(0, "are empty")
    assert (lineage(project) == name) == is_named
    assert project.log.sends() == []
    assert "call" not in project.herald("emulator", "inboxes").expect(0).out
    project.apply(*E).expect(0, "3 accepted")
    assert project.log.accepted() == dict.fromkeys(phones, 1)
    # The state from before the reset counts as older.
    remove(project)
    shutil.copy(newer, state(project))
    words = "older than one seen here" if is_named else "this machine has seen it with lineage"
    project.herald("plan", *E).expect(1, words)


def test_nothing_but_the_projects_own_emulator_is_reset(bench):
    bench.apply(*E).expect(0)
    bytes = state(bench).read_bytes()
    bench.herald("emulator", "reset", *E).expect(1, "another emulator uses", "stop it")
    lock = open(state(bench), "rb")
    fcntl.flock(lock, fcntl.LOCK_EX)
    bench.herald("emulator", "reset", "--lock-timeout", "0", *E).expect(7)
    lock.close()
    for endpoint in (f"emulator: {{ url: '{bench.emulator.url}' }}", "fcm: { project_id: harbour-b5ae1 }"):
        bench.write("herald.yaml", YAML.replace("emulator: {}", endpoint))
        bench.herald("emulator", "reset", *E).expect(
            64, "bench does not use the project's own emulator", "`herald state recover -e bench`")
    assert state(bench).read_bytes() == bytes and bench.log.accepted().total() == 41


def test_an_emulator_elsewhere_is_not_reset_after_a_loss(bench):
    bench.write("herald.yaml", YAML.replace("emulator: {}", f"emulator: {{ url: '{bench.emulator.url}' }}"))
    bench.apply(*E).expect(0)
    remove(bench)
    assert "emulator reset" not in refused(bench, "this machine has seen it there").err


def test_recreated_project_is_not_missing_a_state(tmp_path):
    folder = tmp_path / "push"
    for _ in range(2):
        run("init", folder).expect(0)
        made = Project.of(folder)
        made.apply().expect(0)
        shutil.rmtree(folder)
    # A folder that `init` did not create may have lost its state.
    made.write("herald.yaml", "version: 1\nproject: push\n")
    made.herald("plan").expect(1, "is missing: this machine has seen it there")


# MARK: damage


def test_recovers_the_readable_part_of_a_damaged_state(bench):
    initialised(bench).apply(*E).expect(0)
    bytes = bytearray(state(bench).read_bytes())
    middle = len(bytes) // 2 // 4096 * 4096
    bytes[middle:middle + 3 * 4096] = b"\x5a" * 3 * 4096
    remove(bench)
    state(bench).write_bytes(bytes)
    result = bench.herald("plan", *E).expect(1, "damaged", "state recover")
    result = follow(bench, result, "recover")
    assert result.code in (0, 4), result
    result.expect(result.code, "Kept:", "kept as")
    kept, = bench.folder.glob(".herald/bench.sqlite.damaged-*")
    assert kept.read_bytes() == bytes
    assert stat.S_IMODE(state(bench).stat().st_mode) == 0o600
    settle(bench)
    sent_once(bench)


def settle(project):
    """Drops unknown requests, then checks that nothing is left to do."""
    for campaign, (_, unknown) in phases(project).items():
        if unknown:
            project.herald("resolve", campaign, "drop", "--yes", *E).expect(0)
    project.apply(*E).expect(0)
    project.herald("plan", "--detailed-exitcode", *E).expect(0)


def test_no_broken_page_causes_duplicates(bench):
    initialised(bench).apply(*E).expect(0)
    original = state(bench).read_bytes()
    pages = range(1, len(original) // 4096, 1 if SOAK > 1 else 4)
    assert len(pages) >= 6
    for page in pages:
        bytes = bytearray(original)
        bytes[page * 4096 + 10:(page + 1) * 4096] = random.Random(page).randbytes(4086)
        remove(bench)
        state(bench).write_bytes(bytes)
        result = bench.herald("state", "recover", *E)
        assert result.code in (0, 4), result
        bench.apply(*E)
        settle(bench)
        sent_once(bench)


def test_damaged_outcomes_of_an_open_send_are_unknown(bench):
    initialised(bench)
    bench.emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "SEND"}, "when": {"nth": 10}, "answer": {"error": "SERVICE_DISABLED"}}]})
    bench.apply("--parallelism", "1", *E)
    assert 0 < bench.log.accepted().total() < 40
    with sqlite3.connect(state(bench)) as connection:
        connection.execute("UPDATE outcome_chunks SET outcomes = zeroblob(length(outcomes))")
    connection.close()
    result = bench.apply(*E).expect(1, "damaged", "state recover")
    follow(bench, result, "recover").expect(4, "40 requests with a lost outcome, now unknown")
    bench.apply(*E)
    sent_once(bench)
    settle(bench)


@pytest.mark.parametrize("page", [None, 5, 12])
def test_recovers_an_encrypted_state_with_its_key(bench, page):
    keyed = YAML.replace("{ emulator: {} }", "{ emulator: {}, state: { encryption: { key: env:K } } }")
    bench.write("herald.yaml", keyed)
    env = {"K": "5a" * 32}
    bench.herald("state", "init", *E, env=env).expect(0)
    bench.apply(*E, env=env).expect(0)
    bytes = bytearray(state(bench).read_bytes())
    remove(bench)
    if page:
        bytes[page * 4096 + 10:(page + 1) * 4096] = random.Random(page).randbytes(4086)
        state(bench).write_bytes(bytes)
    bench.herald("state", "recover", *E).expect(1)
    assert bool(page) == state(bench).exists()
    assert bench.herald("state", "recover", *E, env=env).code in (0, 4)
    bench.herald("status", *E).expect(1)
    bench.apply(*E, env=env)
    for name in ("call", "tide"):
        bench.herald("resolve", name, "sent", "--yes", *E, env=env)
    bench.apply(*E, env=env).expect(0)
    sent_once(bench)
    assert grep(bench.folder / ".herald", *TOKENS) == ["requests.ndjson"]


KEYED = YAML.replace("{ emulator: {} }", "{ emulator: {}, state: { encryption: { key: env:K } } }")
BYTES = "CAST(substr({0}, 1, 60) || x'0001' || substr({0}, 63) AS BLOB)"
DAMAGES = {
    "a page of registrations": (f"UPDATE registration_pages SET registrations = {BYTES.format('registrations')} "
                                "WHERE id = (SELECT max(id) FROM registration_pages)", 0, "40 members with"),
    "the keys": (f"UPDATE meta SET keys = {BYTES.format('keys')}", 0, "40 members with"),
    "the lineage": ("UPDATE meta SET lineage = 'ffff'", 0, "Kept:"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_recovers_damaged_encrypted_values(bench, damage):
    change, code, words = DAMAGES[damage]
    bench.write("herald.yaml", KEYED)
    env = {"K": "5a" * 32}
    bench.herald("state", "init", *E, env=env).expect(0)
    bench.apply(*E, env=env).expect(0)
    with sqlite3.connect(state(bench)) as connection:
        connection.execute(change)
    connection.close()
    bench.list("all", TOKENS[:-1])
    bench.herald("state", "recover", *E, env={"K": "a5" * 32}).expect(1)
    result = bench.herald("state", "recover", *E, env=env).expect(code, "damaged", words, "kept as")
    assert ".new-" not in str(result)
    bench.apply(*E, env=env).expect(code)
    bench.herald("state", "recover", *E, env=env).expect(0, "is intact")
    sent_once(bench)


def test_recreates_a_file_that_is_not_a_database(bench):
    initialised(bench).apply(*E).expect(0)
    name = lineage(bench)
    remove(bench)
    state(bench).write_bytes(b"not a database" * 1000)
    bench.herald("plan", *E).expect(1, "damaged")
    bench.herald("state", "recover", *E).expect(4, "nothing could be read", "call/once/1")
    assert lineage(bench) == name
    settle(bench)
    sent_once(bench)


def test_intact_state_needs_no_recovery(bench):
    initialised(bench).apply(*E).expect(0)
    bytes = state(bench).read_bytes()
    bench.herald("state", "recover", *E).expect(0, "is intact", "nothing to recover")
    assert state(bench).read_bytes() == bytes


def test_recovery_with_invalid_files_changes_nothing(bench):
    initialised(bench)
    remove(bench)
    bench.write("campaigns/call.yaml", "campaign: call\n")
    bench.herald("state", "recover", *E).expect(65)
    assert not state(bench).exists() and not list(bench.folder.glob(".herald/*.new-*"))


def test_rules_create_only_slots_after_the_recovery(bench):
    bench.write("campaigns/daily.yaml",
                "campaign: daily\naudience: { topic: tides }\nmessage: { notification: { title: d } }\n"
                'schedule: { cron: "0 7 * * *", late: send }\n')
    initialised(bench)
    remove(bench)
    bench.herald("state", "recover", *E, now="2037-03-20T12:00:00Z").expect(4, "Schedules continue from now", "daily")
    for campaign in ("call", "tide"):
        bench.herald("resolve", campaign, "drop", "--yes", *E).expect(0)
    bench.apply(*E, now="2037-03-20T23:00:00Z").expect(0)
    assert not bench.log.sends()
    bench.apply(*E, now="2037-03-21T07:00:05Z").expect(0)
    assert bench.log.accepted() == {"tides": 1}


# MARK: the highest serial seen


def seen(home):
    lines = (home / "herald/seen").read_text().splitlines()
    return dict(line.split()[:2] for line in lines if not line.startswith("at "))


def test_stores_the_highest_serial_of_each_state(project, tmp_path):
    home = tmp_path / "seen home"
    env = {"XDG_STATE_HOME": str(home)}
    project.campaign("a", "{ topic: tides }")
    project.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {} }\n")
    project.apply(env=env).expect(0)
    (name, number), = project.rows("SELECT lineage, serial FROM meta")
    assert seen(home) == {name: str(number)}
    assert f"at {name} {project.folder}/.herald/local.sqlite\n" in (home / "herald/seen").read_text()
    with open(home / "herald/seen", "a") as file:
        file.write("no line\nffff 7\n")
    project.herald("plan", "-e", "local", env=env).expect(0)
    assert seen(home)["ffff"] == "7"


def test_concurrent_processes_keep_all_known_serials(tmp_path):
    env = {"XDG_STATE_HOME": str(tmp_path)}
    projects = [Project(tmp_path / f"p{n}/project") for n in range(8)]
    threads = [threading.Thread(target=lambda p=p: p.herald("pause", env=env).expect(0)) for p in projects]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen(tmp_path) == {p.rows("SELECT lineage FROM meta")[0][0]: "0" for p in projects}


@pytest.mark.parametrize("env", [{"XDG_STATE_HOME": "", "HOME": ""}, {"XDG_STATE_HOME": "/proc/nowhere"}])
def test_warns_and_continues_if_serials_cannot_be_stored(project, env):
    result = project.herald("pause", env=env).expect(0, "warning: the highest serial seen cannot be stored")
    assert result.err.count("warning") == 1


def test_tests_do_not_touch_the_users_known_serials(project):
    project.herald("pause").expect(0)
    assert project.rows("SELECT lineage FROM meta")[0][0] in (open(f"{STATE_HOME}/herald/seen").read())


# MARK: pull and push


def test_pull_copies_a_consistent_state_during_a_write(bench):
    bench.apply(*E).expect(0)
    copy = bench.folder / "copy.sqlite"
    with sqlite3.connect(state(bench), isolation_level=None) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("UPDATE meta SET serial = serial + 100")
        bench.herald("state", "pull", copy, *E).expect(0, "Without the message IDs")
        writer.execute("ROLLBACK")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with sqlite3.connect(copy) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("SELECT serial FROM meta").fetchone()[0] == serial(bench)
    bench.herald("state", "pull", copy, *E).expect(1, "already exists", "--force")
    bench.herald("state", "pull", copy, "--force", *E).expect(0)
    bench.herald("state", "pull", state(bench), "--force", *E).expect(64, "is the state itself")
    bench.herald("state", "pull", bench.folder / "no/folder.sqlite", *E).expect(1)


def test_push_rejects_an_invalid_copy(bench):
    initialised(bench).apply(*E).expect(0)
    before = state(bench).read_bytes()
    copy = snapshot(bench)
    broken = bench.folder / "broken.sqlite"
    broken.write_bytes(copy.read_bytes()[:-8192])
    bench.herald("state", "push", broken, *E).expect(1, "not an intact state", "nothing was changed")
    broken.write_bytes(b"")
    bench.herald("state", "push", broken, *E).expect(1, "not an intact state")
    bench.herald("state", "push", bench.folder / "nothing.sqlite", *E).expect(1)
    newer = bench.folder / "newer.sqlite"
    shutil.copy(copy, newer)
    with sqlite3.connect(newer) as connection:
        connection.execute("PRAGMA user_version = 99")
    bench.herald("state", "push", newer, *E).expect(1, "has format 99")
    (bench.folder / "newer.sqlite-wal").write_bytes(b"x")
    bench.herald("state", "push", newer, *E).expect(1, "in use", "state pull")
    assert state(bench).read_bytes() == before
    assert not list(bench.folder.glob(".herald/*.new-*"))


def test_push_waits_for_the_lock(bench):
    initialised(bench).apply(*E).expect(0)
    copy = snapshot(bench)
    lock = open(state(bench), "rb")
    fcntl.flock(lock, fcntl.LOCK_EX)
    bench.herald("state", "push", copy, "--lock-timeout", "0", *E).expect(7)
    bench.herald("state", "recover", "--lock-timeout", "0", *E).expect(7)
    bench.herald("state", "forget", "-", "--lock-timeout", "0", *E, input=TOKENS[0]).expect(7)
    lock.close()
    bench.herald("state", "push", copy, *E).expect(0)


def test_waiting_apply_does_not_write_to_a_replaced_state(bench):
    initialised(bench)
    copy = snapshot(bench)
    with open(state(bench), "rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        waiting = bench.start("apply", "--yes", *E)
        eventually(lambda: "Waiting for another run" in waiting.texts()[1], "the apply waits for the lock")
        for end in ("-wal", "-shm"):
            state(bench).with_name(f"bench.sqlite{end}").unlink(missing_ok=True)
        copy.replace(state(bench))
    waiting.finish().expect(1, "was replaced while this command waited", "run the command again")
    assert not bench.log.sends()
    bench.apply(*E).expect(0)
    sent_once(bench)


# MARK: list and show


def test_lists_and_shows_the_state(bench):
    bench.apply(*E).expect(0)
    text = bench.herald("state", "list", *E).expect(0).out
    for line in (r"definition  call", r"occurrence  call/once/1  finished, due .*, 40 registrations  40 accepted",
                 r"membership  anglers in tides  40 joined", r"dead        0", r"run         1  .*herald apply, complete"):
        assert re.search(f"^{line}", text, re.M), (line, text)
    listed = json.loads(bench.herald("state", "list", "--format", "json", *E).expect(0).out)
    assert [d["campaign"] for d in listed["definitions"]] == ["call", "tide"]
    assert listed["state"] == {"lineage": lineage(bench), "serial": serial(bench)}
    shown = bench.herald("state", "show", "call", *E).expect(0, "40 accepted").out
    assert '"title"' in shown and "tide/once" not in shown
    audience = json.loads(bench.herald("state", "show", "anglers", "--format", "json", *E).expect(0).out)
    assert audience["memberships"][0]["counts"]["joined"] == 40
    bench.herald("state", "show", "cal", *E).expect(64, "did you mean `call`?")


def test_state_commands_report_a_missing_state(bench):
    for command in (["list"], ["show", "call"], ["pull", "x"], ["forget", "@x"]):
        bench.herald("state", *command, *E).expect(1, "there is no state of bench yet")
    assert not state(bench).exists()


# MARK: forget


def grep(folder, *texts):
    """Returns the files below a directory that contain one of the texts, also as a registration of a membership."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    forms = [text.encode() for text in texts] + [packed(text) for text in texts if SECRET in text]
    return [path.name for path in files if any(form in path.read_bytes() for form in forms)]


@pytest.mark.parametrize("by_fingerprint", [False, True])
def test_forget_erases_registrations_completely(bench, by_fingerprint):
    gone = TOKENS[5:8]
    bench.emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "SEND", "registration": gone[0]}, "answer": {"error": "UNREGISTERED"}}]})
    bench.herald("pause", "call", *E).expect(0)
    bench.campaign("early", "{ registrations: campaigns/registrations/all.txt }")
    bench.apply(*E).expect(3)
    every = {text: short for short, text in bench.fingerprints(TOKENS, "bench").items()}
    # A page of registrations also has the highest fingerprint in its head.
    highest = max(TOKENS, key=every.get)
    gone = [*gone, highest] if highest not in gone else gone
    names = {text: every[text] for text in gone}
    (bench.folder / "people.txt").write_text("".join(
        f"{names[text] if by_fingerprint else text}\n" for text in gone) + "\n" + ("0" * 16) + "\n")
    count = len(gone)
    result = bench.herald("state", "forget", f"@{bench.folder}/people.txt", *E).expect(
        0, f"{count} of {count + 1} registrations found", f"{count} × membership", "1 × dead registration", "Not erased")
    for name in names.values():
        assert name not in str(result)
    (bench.folder / "people.txt").unlink()
    folder = bench.folder / ".herald"
    shutil.rmtree(folder / "emulator")
    bench.herald("state", "list", *E).expect(0, f"{40 - count} joined", "state forget")
    assert grep(folder, *gone, *names.values()) == []
    records = [bytes.fromhex(name) for name in names.values()]
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert [path.name for path in files if any(record in path.read_bytes() for record in records)] == []


def test_forget_suppresses_open_requests(tmp_path):
    """The stored list keeps their positions, and nothing is sent to them."""
    project = Project(tmp_path / "project")
    project.write("herald.yaml", YAML)
    project.campaign("call", f"{{ registrations: {project.list('all', TOKENS)} }}")
    gone = TOKENS[30:33]
    with Emulator(project) as emulator:
        emulator.install(TOKENS)
        emulator.put("/emulator/v1/faults", {"rules": [
            {"match": {"service": "SEND"}, "when": {"nth": 10}, "answer": {"error": "SERVICE_DISABLED"}}]})
        project.apply("--parallelism", "1", *E)
        before = project.log.accepted()
        assert 0 < sum(before.values()) < 30
        project.herald("state", "forget", "-", *E, input="\n".join(gone)).expect(
            0, "3 of 3", "3 × place in stored lists", "call/once/1: 3 requests never sent (forgotten)")
        emulator.put("/emulator/v1/faults", {"rules": []})
        project.apply(*E).expect(0)
        assert project.log.accepted() == {text: 1 for text in TOKENS if text not in gone}
        shown = project.herald("status", *E).expect(0).out
        assert json.loads(project.herald("state", "show", "call", "--format", "json", *E).out)[
            "occurrences"][0]["counts"] == {
                "not_sent": 0, "in_flight": 0, "accepted": 37, "rejected": 0, "unknown": 0, "expired": 0,
                "suppressed": 3, "cancelled": 0}, shown
        # The same list is stored again, because the team's file still contains the registrations.
        project.campaign("again", "{ registrations: campaigns/registrations/all.txt }")
        project.apply(*E).expect(0)
        assert project.log.accepted()[gone[0]] == 1
    runs = project.herald("history", *E).out
    assert "state forget" in runs


def test_forget_works_during_a_concurrent_read(bench):
    bench.apply(*E).expect(0)
    with sqlite3.connect(state(bench), isolation_level=None) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM meta").fetchall()
        bench.herald("state", "forget", "-", *E, input=TOKENS[0]).expect(
            0, "1 of 1 registration found", "1 × membership", "warning: another process is reading the state")
        bench.herald("history", *E).expect(0, "registrations were erased")
        reader.execute("ROLLBACK")
    reader.close()
    bench.campaign("news", "{ topic: tides }")
    bench.apply(*E).expect(0)
    assert bench.rows("SELECT unswept FROM meta", "bench") == [(0,)]


def test_forget_deletes_or_names_leftover_copies(bench):
    bench.apply(*E).expect(0)
    draft, kept = (state(bench).with_name(f"bench.sqlite.{word}") for word in ("new-17", "replaced-20370320T083000Z"))
    for path in draft, kept:
        shutil.copy(state(bench), path)
    bench.herald("state", "forget", "-", *E, input=TOKENS[0]).expect(0, kept.name, "digests of lists")
    assert kept.exists() and not draft.exists()
    bench.write("herald.yaml", KEYED)
    bench.herald("state", "init", *E, env={"K": "5a" * 32}).expect(0, "now encrypted", f"Not encrypted: the earlier copy {kept.name}")


@pytest.mark.parametrize(("argument", "text", "code"), [
    (TOKENS[0], "", 64), ("-", "", 64), ("-", "not one", 64), ("@missing.txt", "", 64)])
def test_forget_never_echoes_its_input(bench, argument, text, code):
    bench.apply(*E).expect(0)
    # Even if the shell's history already contains it.
    result = run("state", "forget", argument.replace("APA91b", "secret"), "-C", bench.folder, *E, input=text)
    result.expect(code)
    assert "secret" not in str(result) and "not one" not in str(result)


# MARK: retain


def test_compaction_keeps_the_counts_of_old_outcomes(bench):
    bench.write("herald.yaml", YAML.replace("{ emulator: {} }", "{ emulator: {}, state: { retain: 90d } }"))
    bench.write("campaigns/call.yaml", (bench.folder / "campaigns/call.yaml").read_text() + "record: ids\n")
    bench.apply(*E, now="2037-03-20T08:00:00Z").expect(0)
    bench.herald("history", "1", "--ids", *E).expect(0)
    bench.apply(*E, now="2037-06-18T08:00:00Z").expect(0)
    assert bench.rows("SELECT count(*) FROM outcome_chunks", "bench") == [(2,)]
    bench.apply(*E, now="2037-06-18T08:10:00Z").expect(0, "Compacted 2 occurrences")
    assert bench.rows("SELECT (SELECT count(*) FROM outcome_chunks), (SELECT count(*) FROM outcome_details), "
                      "(SELECT count(*) FROM lists)", "bench") == [(0, 0, 0)]
    assert not any(path.is_file() for path in bench.folder.glob(".herald/bench.ids/*"))
    bench.herald("status", *E).expect(0, "2 finished", "2 compacted to counts")
    assert {o["compacted"] for o in json.loads(bench.herald("status", "--format", "json", *E).out)["occurrences"]} == {
        "2037-06-18T08:10:00Z"}
    bench.herald("history", "1", *E).expect(0, "40 accepted", "compacted 2037-06-18")
    bench.herald("history", "1", "--ids", *E).expect(1, "was compacted")
    bench.herald("state", "list", *E).expect(0, "40 accepted, compacted")
    bench.herald("state", "recover", *E).expect(0, "is intact")
    bench.apply(*E, now="2037-06-18T09:00:00Z").expect(0)
    sent_once(bench)


def test_unknown_outcomes_are_never_compacted(bench):
    bench.write("herald.yaml", YAML.replace("{ emulator: {} }", "{ emulator: {}, state: { retain: 1d } }"))
    bench.emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "SEND"}, "when": {"every": 7}, "accepted": True, "delivery": {"reset_connection": True}}]})
    bench.apply(*E, now="2037-03-20T08:00:00Z")
    unknown = sum(unknown for _, unknown in phases(bench).values())
    assert unknown
    bench.apply(*E, now="2037-06-20T08:00:00Z")
    assert sum(unknown for _, unknown in phases(bench).values()) == unknown
    bench.herald("resolve", "call", "sent", "--yes", *E, now="2037-06-20T08:00:00Z").expect(0)
    bench.apply(*E, now="2037-06-21T08:00:00Z")
    assert bench.rows("SELECT count(*) FROM units WHERE kind = 2 AND compacted IS NOT NULL", "bench") == [(0,)]
    bench.apply(*E, now="2037-06-21T08:00:10Z")
    assert bench.rows("SELECT count(*) FROM units WHERE kind = 2 AND compacted IS NOT NULL", "bench") == [(1,)]
