"""The history: the origin of each run's files, its tamper-evident chain, and its recipients."""

import csv
import hashlib
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys

import jsonschema
import pytest

from herald import ROOT, SECRET, Emulator, Project, token

NOW = "2037-01-02T07:30:00Z"
SHA = "0123456789abcdef0123456789abcdef01234567"
SCHEMA = ROOT / "schemas/history.schema.json"


# MARK: the origin of the files


def git(folder, *arguments):
    identity = ["-c", "user.name=ada", "-c", "user.email=ada@tidewatch.example"]
    done = subprocess.run(["git", *identity, "-C", folder, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def commit(folder):
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "files")
    return git(folder, "rev-parse", "HEAD")


def later(project, title="tide"):
    """Writes a campaign that can be recorded without a server."""
    project.campaign("later", "{ topic: tides }", schedule="2037-06-01 08:00", title=title)


def history(project, *arguments, code=0):
    return json.loads(project.herald("history", "--format", "json", *arguments).expect(code).out)


def ran(project, title, **options):
    """Applies a change and returns its run from the history."""
    later(project, title)
    project.apply(now=NOW, **options).expect(0)
    return history(project)["runs"][0]


@pytest.fixture
def tides(tmp_path):
    return Project(tmp_path / "project", topics=["tides"])


def test_run_records_the_commit_and_local_changes(tides):
    later(tides)
    tides.write(".gitignore", "*.tmp\n")
    git(tides.folder, "init", "--quiet")
    clean = commit(tides.folder)
    tides.write("scratch.tmp", "ignored")
    tides.apply(now=NOW).expect(0)
    run = history(tides)["runs"][0]
    # The project does not ignore Herald's own directory.
    assert (run["commit"], run["dirty"]) == (clean, False)
    run = ran(tides, "changed")
    assert (run["commit"], run["dirty"]) == (clean, True)
    tides.herald("history", run["run"]).expect(0, f"commit {clean}, with local changes")
    git(tides.folder, "checkout", "--quiet", "campaigns/later.yaml")
    tides.write("campaigns/new.yaml", "")
    assert ran(tides, "tide, anew")["dirty"] is True
    tides.campaign("other", "{ topic: tides }", schedule="2037-06-01 08:00")
    head = commit(tides.folder)
    tides.apply(now=NOW).expect(0)
    run = history(tides)["runs"][0]
    assert (run["commit"], run["dirty"]) == (head, False)


def test_ignores_changes_outside_of_the_project(tmp_path):
    project = Project(tmp_path / "repository/push/project", topics=["tides"])
    later(project)
    git(tmp_path / "repository", "init", "--quiet")
    commit(tmp_path / "repository")
    (tmp_path / "repository/push/other.txt").write_text("somebody else's")
    project.apply(now=NOW).expect(0)
    assert history(project)["runs"][0]["dirty"] is False


def test_works_without_a_repository_a_commit_or_git(tides):
    assert {ran(tides, "one")[key] for key in ("commit", "dirty")} == {None}
    git(tides.folder, "init", "--quiet")
    assert {ran(tides, "two")[key] for key in ("commit", "dirty")} == {None}
    commit(tides.folder)
    run = ran(tides, "three", env={"PATH": "/nowhere"})
    assert {run[key] for key in ("commit", "dirty")} == {None}


def wrapped_git(folder, lines):
    """Installs a `git` wrapper and returns a PATH that finds it first."""
    folder.mkdir()
    path = folder / "git"
    path.write_text(f"#!/bin/sh\nreal={shutil.which('git')}\n{lines}\n")
    path.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def test_does_not_wait_for_a_slow_or_failing_git(tides, tmp_path):
    git(tides.folder, "init", "--quiet")
    head = commit(tides.folder)
    refusing = wrapped_git(tmp_path / "refusing", 'GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec $real "$@"')
    assert ran(tides, "one", env={"PATH": refusing})["commit"] is None
    # The wrapper and its child process both keep the pipe open.
    slow = wrapped_git(tmp_path / "slow", 'case "$*" in *status*) sleep 77 & sleep 77;; *) exec $real "$@";; esac')
    run = ran(tides, "two", env={"PATH": slow})
    assert (run["commit"], run["dirty"]) == (head, None)


def test_hostile_repository_runs_no_commands(tides, tmp_path):
    later(tides)
    tides.write(".gitattributes", "* text\n")
    git(tides.folder, "init", "--quiet")
    head = commit(tides.folder)
    mark = tmp_path / "mark"
    hook = tmp_path / "hook"
    hook.write_text(f"#!/bin/sh\ntouch {mark}\n")
    hook.chmod(0o755)
    for key, value in {"core.fsmonitor": hook, "core.hooksPath": tmp_path, "core.pager": hook, "core.sshCommand": hook,
                       "diff.external": hook, "credential.helper": hook}.items():
        git(tides.folder, "config", key, value)
    (tmp_path / "post-index-change").symlink_to(hook)
    assert ran(tides, "one")["commit"] == head
    # `git status` would run a clean filter on a changed file, so Herald does not check whether the file is dirty.
    git(tides.folder, "config", "filter.evil.clean", hook)
    git(tides.folder, "config", "filter.evil.process", hook)
    (tides.folder / ".git/info/attributes").write_text("* filter=evil\n")
    run = ran(tides, "two")
    assert (run["commit"], run["dirty"]) == (head, None)
    assert not mark.exists()
    # Proves that the test can fail: git itself runs the hooks.
    subprocess.run(["git", "-C", tides.folder, "status"], capture_output=True)
    assert mark.exists()


SYSTEMS = {
    "github": (
        {"GITHUB_ACTIONS": "true", "GITHUB_RUN_ID": "77", "GITHUB_RUN_ATTEMPT": "2", "GITHUB_ACTOR": "ada",
         "GITHUB_SERVER_URL": "https://github.example", "GITHUB_REPOSITORY": "tide/watch", "GITHUB_SHA": SHA},
        "https://github.example/tide/watch/actions/runs/77/attempts/2", "ada"),
    "github-again": (
        {"GITHUB_ACTIONS": "true", "GITHUB_RUN_ID": "77", "GITHUB_ACTOR": "ada", "GITHUB_TRIGGERING_ACTOR": "bob",
         "GITHUB_SHA": SHA},
        "GitHub Actions 77/1", "bob"),
    "gitlab": (
        {"GITLAB_CI": "true", "CI_PIPELINE_ID": "5", "CI_JOB_URL": "https://gitlab.example/t/-/jobs/9",
         "GITLAB_USER_LOGIN": "ada", "CI_COMMIT_SHA": SHA},
        "https://gitlab.example/t/-/jobs/9", "ada"),
    "jenkins": (
        {"JENKINS_URL": "https://ci.example/", "BUILD_URL": "https://ci.example/job/push/12/", "BUILD_TAG": "push-12",
         "BUILD_USER_ID": "ada", "GIT_COMMIT": SHA},
        "https://ci.example/job/push/12/", "ada"),
    "circle": (
        {"CIRCLECI": "true", "CIRCLE_BUILD_URL": "https://circleci.example/t/3", "CIRCLE_USERNAME": "ada",
         "CIRCLE_SHA1": SHA},
        "https://circleci.example/t/3", "ada"),
    "buildkite": (
        {"BUILDKITE": "true", "BUILDKITE_BUILD_URL": "https://buildkite.example/t/4",
         "BUILDKITE_BUILD_CREATOR": "Ada L", "BUILDKITE_COMMIT": SHA},
        "https://buildkite.example/t/4", "Ada L"),
    "azure": (
        {"TF_BUILD": "True", "BUILD_BUILDID": "8", "SYSTEM_COLLECTIONURI": "https://dev.azure.example/t/",
         "SYSTEM_TEAMPROJECT": "Tide Watch", "BUILD_REQUESTEDFOR": "Ada L", "BUILD_SOURCEVERSION": SHA},
        "https://dev.azure.example/t/Tide%20Watch/_build/results?buildId=8", "Ada L"),
    "bitbucket": (
        {"BITBUCKET_BUILD_NUMBER": "6", "BITBUCKET_GIT_HTTP_ORIGIN": "https://bitbucket.example/t/push",
         "BITBUCKET_STEP_TRIGGERER_UUID": "{ada}", "BITBUCKET_COMMIT": SHA},
        "https://bitbucket.example/t/push/pipelines/results/6", "{ada}"),
}


def test_recognizes_each_ci_system_by_its_variables(tides):
    for name, (variables, number, actor) in SYSTEMS.items():
        run = ran(tides, name, env=variables | {"PATH": "/nowhere"})
        assert (run["ci_run"], run["ci_actor"], run["commit"], run["dirty"]) == (number, actor, SHA, None), name
    # Git's commit takes precedence over a variable, and a branch name is not a commit.
    git(tides.folder, "init", "--quiet")
    head = commit(tides.folder)
    assert ran(tides, "git", env=SYSTEMS["github"][0])["commit"] == head
    assert ran(tides, "none", env={"BUILDKITE": "true", "BUILDKITE_COMMIT": "HEAD", "PATH": "/"})["commit"] is None


def test_ci_variables_are_escaped_and_truncated(tides):
    evil = "ada\x1b[2J\u202e" + "a" * 5_000
    ran(tides, "one", env={"GITHUB_ACTIONS": "1", "GITHUB_RUN_ID": evil, "GITHUB_ACTOR": evil, "USER": evil})
    run = history(tides)["runs"][0]
    assert run["ci_actor"] == run["user"] == evil[:500]
    for arguments in [(), ("--format", "json"), ("--format", "ndjson"), (1,)]:
        shown = tides.herald("history", *arguments).expect(0).out
        assert "\x1b" not in shown and "\u202e" not in shown and "a" * 600 not in shown


def test_history_fits_80_columns_and_plan_does_not_run_git(tides, tmp_path):
    git(tides.folder, "init", "--quiet")
    commit(tides.folder)
    ran(tides, "one", env=SYSTEMS["github-again"][0])
    for arguments in [(), (1,)]:
        assert max(map(len, tides.herald("history", *arguments).expect(0).out.splitlines())) <= 80
    mark = tmp_path / "asked"
    path = wrapped_git(tmp_path / "wrapped", f'touch {mark}; exec $real "$@"')
    tides.herald("plan", env={"PATH": path}).expect(0)
    tides.herald("history", env={"PATH": path}).expect(0)
    assert not mark.exists()


# MARK: tampering


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A project whose state has every type of history record."""
    project = Project(tmp_path_factory.mktemp("written") / "project", topics=["tides"])
    tokens = [token(n) for n in range(30)]
    project.write("campaigns/folk.yaml", f"audience: folk\nregistrations: {project.list('folk', tokens)}\n"
                  "subscribe: [tides]\n")
    project.campaign("call", f"{{ registrations: {project.list('call', tokens)} }}")
    with Emulator(project) as emulator:
        emulator.install(tokens)
        emulator.put("/emulator/v1/faults", {"rules": [
            {"match": {"service": "SEND"}, "when": {"every": 7}, "answer": {"error": "UNREGISTERED"}},
            {"match": {"service": "SEND"}, "when": {"nth": 5}, "accepted": True,
             "delivery": {"reset_connection": True}}]})
        project.apply(env=SYSTEMS["github"][0]).expect(4)
        project.herald("pause").expect(0)
        project.herald("pause", "call").expect(0)
        project.herald("resume").expect(0)
        project.herald("resolve", "call", "drop", "--yes").expect(0)
    later(project)
    project.apply(now=NOW).expect(0)
    return project


class Copy(Project):
    """A project that uses a separate store of known serials, so that its older serial is accepted."""

    def herald(self, *arguments, **options):
        options["env"] = {"XDG_STATE_HOME": str(self.folder / ".herald/seen")} | (options.get("env") or {})
        return super().herald(*arguments, **options)


def edited(written, folder, *statements):
    """Copies the project and edits the copy's state with SQL."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / ".herald").mkdir(parents=True)
    shutil.copy(written.folder / "herald.yaml", folder)
    with sqlite3.connect(written.folder / ".herald/local.sqlite") as source:
        with sqlite3.connect(folder / ".herald/local.sqlite") as copy:
            source.backup(copy)
            for statement in statements:
                assert copy.execute(statement).rowcount != 0, statement
        copy.close()
    source.close()
    return Copy.of(folder)


def rows(project, sql):
    return project.rows(sql)


def test_unedited_history_is_intact(written, tmp_path):
    chain = history(written)["chain"]
    assert chain["intact"] and chain["differences"] == [] and chain["runs_before"] == 0
    assert chain["head"].split("@")[0] == str(rows(written, "SELECT count(*) FROM chain")[0][0])
    assert "EDITED" not in written.herald("history").expect(0).out
    # Independent check: each hash covers the previous hash and the content.
    lineage, = rows(written, "SELECT lineage FROM meta")[0]
    previous = hashlib.sha256(lineage.encode()).digest()
    for content, digest in rows(written, "SELECT content, hash FROM chain ORDER BY number"):
        previous = hashlib.sha256(previous + content.encode()).digest()
        assert previous == digest
    assert chain["head"].split("@")[1] == previous.hex()
    assert edited(written, tmp_path / "copy").herald("history").expect(0)


CHAINED = {
    "runs": ["status", "command", "user", "host", "process", "began", "ended", "cause", "commit_id", "dirty", "ci_run",
             "ci_actor", "digest", "bypasses", "approvals", "serial", "intended", "accepted", "rejected", "unknown",
             "expired", "suppressed", "cancelled", "returned"],
    "run_sendings": ["campaign", "slot", "revision", "intended", "accepted", "rejected", "unknown", "expired",
                     "suppressed", "cancelled", "returned", "repeated", "capped", "problems"],
    "run_memberships": ["audience", "topic", "joins", "leaves", "refusals", "upstream"],
}
# New values for columns that cannot be edited by adding 1 or a letter.
OTHER = {"status": "2", "dirty": "1 - ifnull(dirty, 0)", "bypasses": "'[\"dangerous-x\"]'", "problems": "'[]'",
         "cause": "'because'", "approvals": "'[\"x\"]'", "digest": "'abc'", "commit_id": "'abc'", "slot": "'once2'", "topic": "'azores'"}
NUMBERS = {"process", "began", "ended", "serial", "revision", "repeated", "joins", "leaves", "refusals", "upstream",
           "intended", "accepted", "rejected", "unknown", "expired", "suppressed", "cancelled", "returned", "capped"}


def test_chain_covers_every_column(written):
    """Every column of the history is part of the chain, or listed here as an exception."""
    for table, columns in CHAINED.items():
        there = [row[1] for row in rows(written, f"PRAGMA table_info({table})")]
        assert set(there) - {"id", "run"} == set(columns)


@pytest.mark.parametrize("table", CHAINED)
def test_detects_every_edit_of_a_row(written, tmp_path, table):
    key = "id" if table == "runs" else "run"
    for column in CHAINED[table]:
        value = OTHER.get(column) or (f"ifnull({column}, 0) + 1" if column in NUMBERS else f"ifnull({column}, '') || 'x'")
        copy = edited(written, tmp_path / column, f"UPDATE {table} SET {column} = {value} WHERE {key} = 1")
        verdict = history(copy, code=1)
        assert not verdict["chain"]["intact"]
        assert [run["chain"] for run in verdict["runs"]] == ["intact"] * (len(verdict["runs"]) - 1) + ["differs"], column
        if column not in ("campaign", "slot", "revision", "audience", "topic"):
            difference, = verdict["chain"]["differences"]
            assert [value["name"] for value in difference["values"]] == [column]
            assert difference["values"][0]["written"] != difference["values"][0]["found"]


def test_detects_deleted_and_forged_rows(written, tmp_path):
    newest = rows(written, "SELECT max(id) FROM runs")[0][0]
    added = ("INSERT INTO runs (status, command, user, host, process, began, serial) "
             "VALUES (1, 'herald apply', 'eve', 'desk', 1, 1, 99)")
    cases = {
        (1, "sending", "gone"): ["DELETE FROM run_sendings WHERE run = 1"],
        (1, "membership", "gone"): ["DELETE FROM run_memberships WHERE run = 1"],
        (newest, "run", "gone"): [f"DELETE FROM runs WHERE id = {newest}"],
        (newest + 1, "run", "added"): [added],
        (newest + 2, "run", "added"): ["UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'runs'", added],
        (newest, "sending", "added"): [
            f"INSERT INTO run_sendings SELECT {newest}, campaign, slot, revision, intended, accepted, rejected, unknown, "
            "expired, suppressed, cancelled, returned, repeated, capped, problems FROM run_sendings WHERE run = 1"],
        (None, "pause", "gone"): ["DELETE FROM pauses"],
        (None, "pause", "changed"): ["UPDATE pauses SET user = 'eve'"],
        (None, "pause", "added"): ["INSERT INTO pauses VALUES ('', 1, 'eve', 'desk')"],
        (None, "resolution", "added"): ["INSERT INTO resolutions VALUES (9, 'call', 'once', 1, 0, 1, 'eve', 'desk', 1)"],
        (None, "serial", "changed"): ["UPDATE meta SET serial = serial + 1"],
    }
    for number, (expected, statements) in enumerate(cases.items()):
        copy = edited(written, tmp_path / str(number), *statements)
        difference, = history(copy, code=1)["chain"]["differences"]
        assert (difference["run"], difference["subject"], difference["finding"]) == expected


def test_detects_every_edit_of_the_chain(written, tmp_path):
    count = rows(written, "SELECT count(*) FROM chain")[0][0]
    first = "THE HISTORY WAS EDITED"
    for number in range(1, count + 1):
        for place, statement in enumerate([
                "UPDATE chain SET content = replace(content, '}}', ',\"x\":1}}') WHERE number = {}",
                "UPDATE chain SET hash = zeroblob(32) WHERE number = {}", "DELETE FROM chain WHERE number = {}",
                "UPDATE chain SET run = ifnull(run, 0) + 1 WHERE number = {}"]):
            # Every entry gets the first edit; the others are tried at both ends and in the middle. Deleting only the
            # last entry is detected through the row that it covers.
            if number not in (1, 2, count // 2, count) and place:
                continue
            copy = edited(written, tmp_path / f"{number}-{place}", statement.format(number))
            assert copy.herald("history").expect(1).out.startswith(first), (number, statement)
    # Editing a row together with its chain entry breaks the chain at that entry.
    copy = edited(written, tmp_path / "both", "UPDATE runs SET user = 'eve' WHERE id = 1",
                  "UPDATE chain SET content = json_set(content, '$.row.user', 'eve') WHERE number = 2")
    difference, = history(copy, code=1)["chain"]["differences"]
    assert (difference["run"], difference["subject"], difference["finding"]) == (1, "entry", "broken")


def test_rejects_the_chain_of_another_state(written, tmp_path):
    copy = edited(written, tmp_path / "copy", "UPDATE meta SET lineage = '00112233445566778899aabbccddeeff'")
    assert copy.herald("history").expect(1).out.startswith("THE HISTORY WAS EDITED")


def test_known_head_detects_a_truncated_or_rewritten_history(written, tmp_path):
    head = history(written)["chain"]["head"]
    count = int(head.split("@")[0])
    assert written.herald("history").expect(0).out.endswith(f"\nHead {head}\n")
    written.herald("history", "--head", head).expect(0)
    last = rows(written, "SELECT max(run) FROM chain")[0][0]
    # The end of the history is removed so thoroughly that only the known head reveals it.
    cut = edited(written, tmp_path / "cut", f"DELETE FROM chain WHERE run = {last}", "PRAGMA foreign_keys = OFF",
                 f"DELETE FROM runs WHERE id = {last}", "UPDATE meta SET serial = serial - 1")
    shorter = history(cut)["chain"]
    assert shorter["intact"] and int(shorter["head"].split("@")[0]) < count
    shown = cut.herald("history", "--head", head).expect(1, f"of {count} entries seen before")
    assert shown.out.startswith("THE HISTORY WAS EDITED")
    cut.herald("history", "--head", shorter["head"]).expect(0)
    written.herald("history", "--head", shorter["head"]).expect(0)
    cut.herald("history", "--head", f"1@{'0' * 64}").expect(1, "entry 1 differs from the one seen before")
    cut.herald("history", "--head", "7").expect(64, "COUNT@HASH")


def test_missing_known_head_is_reported_until_accepted(written, tmp_path):
    head = history(written)["chain"]["head"]
    last = rows(written, "SELECT max(run) FROM chain")[0][0]
    cut = edited(written, tmp_path / "cut")
    cut.herald("history").expect(0)
    seen = cut.folder / ".herald/seen/herald/seen"
    assert seen.read_text().splitlines()[0].split()[1:] == [str(last), head]
    # The history is rewritten: another user lifted the pause, and all later hashes match.
    with sqlite3.connect(cut.folder / ".herald/local.sqlite") as state:
        first, content = state.execute("SELECT number, content FROM chain WHERE content LIKE '{\"kind\":\"lift\"%'").fetchone()
        state.execute("UPDATE chain SET content = ? WHERE number = ?",
                      (content.replace('"user":"', '"user":"not '), first))
        previous, = state.execute("SELECT hash FROM chain WHERE number = ?", (first - 1,)).fetchone()
        for number, content in state.execute("SELECT number, content FROM chain WHERE number >= ? ORDER BY number",
                                             (first,)).fetchall():
            previous = hashlib.sha256(previous + content.encode()).digest()
            state.execute("UPDATE chain SET hash = ? WHERE number = ?", (previous, number))
    state.close()
    for _ in range(2):
        shown = cut.herald("history").expect(1, "This machine has seen a different history", "`herald history --accept`")
        assert shown.out.startswith(f"THE HISTORY WAS EDITED: entry {head.split('@')[0]} differs from the one seen before")
        assert history(cut, code=1)["chain"]["intact"]
    cut.herald("history", "--accept").expect(0)
    cut.herald("history").expect(0)


def test_every_view_reports_a_difference_before_its_output(written, tmp_path):
    copy = edited(written, tmp_path / "copy", "UPDATE runs SET user = 'eve\x1b[2J' WHERE id = 1")
    for arguments in [(), (1,), (2,)]:
        shown = copy.herald("history", *arguments).expect(1).out
        assert shown.startswith("THE HISTORY WAS EDITED: run 1") and "herald " in shown
        assert "is `eve\\u{1B}[2J`" in shown
    lines = copy.herald("history", "--format", "ndjson").expect(1, "THE HISTORY WAS EDITED: run 1")
    assert [json.loads(line)["chain"] for line in lines.out.splitlines()] == ["intact"] * (
        len(lines.out.splitlines()) - 1) + ["differs"]
    copy.herald("history", 1, "--ids").expect(1, "THE HISTORY WAS EDITED")


def test_crash_and_rename_are_not_reported_as_edits(tmp_path):
    project = Project(tmp_path / "project", topics=["tides"])
    tokens = [token(n) for n in range(400)]
    project.campaign("call", f"{{ registrations: {project.list('all', tokens)} }}")
    with Emulator(project) as emulator:
        emulator.install(tokens)
        with project.start("apply", "--yes") as apply:
            project.log.wait_for(100)
            apply.kill()
        project.herald("history").expect(0, "1  cut off ")
        # The kill can come when no request is open.
        again = project.apply()
        assert again.code in (0, 4), again
        assert history(project)["chain"]["intact"]
        (project.folder / "campaigns/call.yaml").unlink()
        project.write("campaigns/cry.yaml", "campaign: cry\nmoved_from: call\n"
                      "audience: { registrations: campaigns/registrations/all.txt }\n"
                      "message: { notification: { title: call } }\n")
        project.apply().expect(0, "is renamed from call and keeps its history")
        if again.code == 4:
            project.herald("resolve", "cry", "sent", "--yes").expect(0)
    assert history(project)["chain"]["differences"] == []
    assert {s["occurrence"] for s in history(project, 1)["run"]["sendings"]} == {"cry/once/1"}
    copy = edited(project, tmp_path / "copy", "UPDATE run_sendings SET accepted = accepted + 1 WHERE run = 1")
    difference, = history(copy, code=1)["chain"]["differences"]
    assert (difference["run"], difference["name"]) == (1, "cry/once/1")


# MARK: formats


def check(kind, text):
    document = json.loads(text)
    schema = json.loads(SCHEMA.read_text())
    jsonschema.validate(document, {"$ref": f"#/definitions/{kind}", "definitions": schema["definitions"]})
    return document


def test_json_output_matches_the_schema(written, project, tmp_path):
    tool = [sys.executable, "-m", "check_jsonschema", "--schemafile"]
    subprocess.run([sys.executable, "-m", "check_jsonschema", "--check-metaschema", SCHEMA], check=True)
    project.write("herald.yaml", "version: 1\nproject: e2e\n")
    bad = edited(written, tmp_path / "bad", "UPDATE runs SET cause = 'x' WHERE id = 2", "DELETE FROM pauses")
    texts = [
        written.herald("history", "--format", "json").out, written.herald("history", 1, "--format", "json").out,
        written.herald("history", 1, "--format", "json", "--join", "campaigns/registrations/call.txt").out,
        bad.herald("history", "--format", "json").out, project.herald("history", "--format", "json").expect(0).out]
    files = [tmp_path / f"{number}.json" for number in range(len(texts))]
    for file, text in zip(files, texts):
        file.write_text(text)
    subprocess.run([*tool, SCHEMA, *files], check=True)
    (tmp_path / "wrong.json").write_text(texts[0].replace('"complete"', '"done"'))
    assert subprocess.run([*tool, SCHEMA, tmp_path / "wrong.json"], capture_output=True).returncode == 1
    runs = [check("line", line) for line in written.herald("history", "--format", "ndjson").expect(0).out.splitlines()]
    assert [run["run"] for run in runs] == [run["run"] for run in json.loads(texts[0])["runs"]]
    one = [check("line", line) for line in written.herald("history", 1, "--format", "ndjson").expect(0).out.splitlines()]
    assert [line["kind"] for line in one[:3]] == ["run", "membership", "sending"]
    assert {line["outcome"] for line in one[3:]} == {"rejected", "unknown"} and {line["run"] for line in one} == {1}


def test_limit_sets_the_number_of_runs(written):
    runs = rows(written, "SELECT count(*) FROM runs")[0][0]
    assert len(history(written)["runs"]) == runs
    assert [run["run"] for run in history(written, "--limit", 2)["runs"]] == [runs, runs - 1]
    assert len(written.herald("history", "--limit", 1, "--format", "ndjson").out.splitlines()) == 1


def test_reports_wrong_usage_of_history(written):
    for arguments, words in {
        ("--join", "x.csv"): "requires the number of a run", ("1", "--columns", "a"): "--join", ("--format", "csv"): "--format csv requires --join",
        ("1", "--ids", "--join", "x"): "--ids cannot be combined with --format or --join", ("1", "--ids", "--format", "json"): "combined with --format",
        ("1", "--join", "fork"): "there is no audience or file `fork`",
        ("1", "--join", "campaigns/registrations/call.txt", "--columns", "a"): "has no columns",
    }.items():
        written.herald("history", *arguments).expect(64, words)


# MARK: join with the team's own IDs


def table(project, name, rows, columns=("user", "registration", "note")):
    text = io.StringIO()
    csv.writer(text).writerows([columns, *rows])
    project.write(name, text.getvalue())
    return name


def joined(project, run, name, *arguments, code=0):
    shown = project.herald("history", run, "--join", name, "--format", "csv", *arguments).expect(code)
    return list(csv.DictReader(io.StringIO(shown.out)))


@pytest.fixture(scope="module")
def two_lists(tmp_path_factory):
    """A run that sent to two lists. An unknown outcome keeps the list of `open` stored.

    A second run sent to a list that stays stored because its campaign records message IDs.
    """
    project = Project(tmp_path_factory.mktemp("joined") / "project", topics=["tides"])
    project.shut = [token(n, "shut") for n in range(6)]
    project.open = [token(n, "open") for n in range(8)]
    project.campaign("shut", f"{{ registrations: {project.list('shut', project.shut)} }}")
    project.campaign("open", f"{{ registrations: {project.list('open', project.open)} }}")
    with Emulator(project) as emulator:
        emulator.install(project.shut + project.open[1:])
        emulator.put("/emulator/v1/faults", {"rules": [
            {"match": {"service": "SEND"}, "when": {"nth": 4}, "accepted": True,
             "delivery": {"reset_connection": True}}]})
        project.apply("--parallelism", 1).expect(4)
        path = project.list("kept", project.open[1:4])
        project.write("campaigns/kept.yaml", f"campaign: kept\nrecord: ids\naudience: {{ registrations: {path} }}\n"
                      "message: { notification: { title: a } }\n")
        project.apply().expect(0)
    return project


def test_joins_a_stored_list_in_any_order(two_lists):
    names = {registration: name for name, registration in two_lists.fingerprints(two_lists.open).items()}
    # The file has another order, lacks one registration, and has an extra one. Of two rows for one registration,
    # the first counts.
    kept = [two_lists.open[n] for n in (7, 3, 0, 5, 1, 2, 4)]
    people = [(f"u-{t[5:10]}", t, "é,\"x\"") for t in kept] + [("stranger", token(99), ""), ("twin", kept[0], "")]
    found = joined(two_lists, 1, table(two_lists, "people.csv", people), "--columns", "note,user")
    ours = [row for row in found if row["occurrence"] == "open/once/1"]
    assert [row["registration"] for row in ours] == [names[t] for t in two_lists.open]
    assert [row["request"] for row in ours] == [str(n + 1) for n in range(8)]
    assert [row["user"] for row in ours] == [f"u-{n:05}" if n != 6 else "" for n in range(8)]
    assert [row["note"] for row in ours] == ["é,\"x\"" if n != 6 else "" for n in range(8)]
    outcomes = [row["outcome"] for row in ours]
    assert outcomes[0] == "rejected" and ours[0]["detail"] == "UNREGISTERED"
    assert outcomes.count("unknown") == 1 and outcomes.count("accepted") == 6
    # For the other list only the outcomes are known.
    rest = [row for row in found if row["occurrence"] == "shut/once/1"]
    assert len(rest) == 6 and {row["registration"] + row["user"] for row in rest} == {""}
    two_lists.herald("history", 1, "--join", "people.csv").expect(
        0, "The list of shut/once/1 is no longer stored, and people.csv is a different list")


def test_joins_a_deleted_list_with_an_identical_list(two_lists):
    people = [(f"u{n}", t, "") for n, t in enumerate(two_lists.shut)]
    shown = two_lists.herald("history", 1, "--join", table(two_lists, "same.csv", people), "--columns", "user",
                             "--format", "json").expect(0)
    assert shown.err == ""
    requests = check("join", shown.out)["requests"]
    ours = [request for request in requests if request["occurrence"] == "shut/once/1"]
    names = two_lists.fingerprints(two_lists.shut)
    assert [names[request["registration"]] for request in ours] == two_lists.shut
    assert [request["columns"] for request in ours] == [{"user": f"u{n}"} for n in range(6)]
    assert {(request["outcome"], request["message"]) for request in ours} == {("accepted", None)}
    others = [request for request in requests if request["occurrence"] == "open/once/1"]
    assert len(others) == 8 and {request["columns"]["user"] for request in others} == {""}


def test_joins_recorded_message_ids(two_lists):
    found = joined(two_lists, 2, table(two_lists, "kept.csv", [("u", two_lists.open[3], "")]), "--columns", "user")
    ids = [line.split() for line in two_lists.herald("history", 2, "--ids").expect(0).out.splitlines()]
    assert [[row["registration"], row["message"]] for row in found] == ids and len(ids) == 3
    assert [row["user"] for row in found] == ["", "", "u"]


def test_cannot_join_a_deleted_list_with_another_list(two_lists):
    """The second list is deleted, too, because its unknown outcome is resolved."""
    project = Copy.of(two_lists.folder.parent / "settled")
    shutil.copytree(two_lists.folder, project.folder)
    project.herald("resolve", "open", "sent", "--yes").expect(0)
    people = [("u", t, "") for t in reversed(two_lists.shut)]
    shown = project.herald("history", 1, "--join", table(project, "other.csv", people), "--columns", "user")
    shown.expect(1, "no request of run 1 could be joined with other.csv", "the same registrations in the same order")
    assert len(shown.out.splitlines()) == 14
    project.herald("history", 1, "--join", "campaigns/registrations/shut.txt").expect(0)


def test_cannot_join_compacted_outcomes(two_lists):
    copy = edited(two_lists, two_lists.folder.parent / "compacted", "UPDATE units SET compacted = 1800000000")
    (copy.folder / "campaigns/registrations").mkdir(parents=True)
    shutil.copy(two_lists.folder / "campaigns/registrations/shut.txt", copy.folder / "campaigns/registrations")
    shown = copy.herald("history", 1, "--join", "campaigns/registrations/shut.txt")
    shown.expect(1, "shut/once/1 was compacted: only its counts are kept", "open/once/1 was compacted", "no list sends with stored outcomes")
    assert shown.out == ""


def test_join_never_prints_a_registration_in_any_format(two_lists):
    # Neither a column that repeats the registration nor the registration column itself is shown.
    people = [(f"u\x1b{n}", t, f"see {t}") for n, t in enumerate(two_lists.open)]
    table(two_lists, "evil.csv", people)
    two_lists.write("evil.ndjson", "".join(
        json.dumps({"registration": t, "user": u, "note": n, "age": 7, "tags": ["a"]}) + "\n" for u, t, n in people))
    for name in ("evil.csv", "evil.ndjson"):
        for format in ("text", "csv", "json", "ndjson"):
            shown = two_lists.herald("history", 1, "--join", name, "--columns", "user,note", "--format", format)
            shown.expect(0, "<redacted>")
            assert "\x1b" not in shown.out
        two_lists.herald("history", 1, "--join", name, "--columns", "registration").expect(64, "cannot be shown")
        two_lists.herald("history", 1, "--join", name, "--columns", "usr").expect(1, "did you mean `user`?")
    lines = two_lists.herald("history", 1, "--join", "evil.ndjson", "--columns", "age,tags", "--format", "ndjson").out
    assert check("line", lines.splitlines()[0])["columns"] == {"age": "7", "tags": '["a"]'}
    text = two_lists.herald("history", 1, "--join", "evil.csv", "--columns", "user").out.splitlines()
    assert [line.count("\t") for line in text] == [6] * 14


# MARK: fingerprints


def test_fingerprints_match_other_commands(two_lists):
    names = two_lists.fingerprints(two_lists.open)
    shown = two_lists.herald("registrations", "fingerprint", "campaigns/registrations/open.txt").expect(0).out
    assert [names[line] for line in shown.splitlines()] == two_lists.open
    # They include the fingerprints of the run's problems.
    problems = [p["registration"] for s in history(two_lists, 1)["run"]["sendings"] for p in s["problems"]]
    assert problems and set(problems) <= set(names)
    typed = two_lists.herald("registrations", "fingerprint", "-", input="\n".join(two_lists.open) + "\n").expect(0)
    assert typed.out == shown
    people = [(f"u{n}", t, f"see {t}") for n, t in enumerate(two_lists.open)]
    table(two_lists, "phones.csv", people)
    with_columns = two_lists.herald("registrations", "fingerprint", "phones.csv", "--columns", "user,note").expect(0).out
    assert with_columns == "".join(f"{name}\tu{n}\t<redacted>\n" for n, name in enumerate(shown.split()))
    two_lists.write("lines.csv", two_lists.open[0] + "\n")
    assert two_lists.herald("registrations", "fingerprint", f"@{two_lists.folder}/lines.csv").expect(0).out == (
        shown.splitlines()[0] + "\n")
    lines = two_lists.herald("registrations", "fingerprint", "phones.csv", "--columns", "user", "--format", "ndjson").out
    assert json.loads(lines.splitlines()[1]) == {"registration": shown.split()[1], "columns": {"user": "u1"}}


def test_fingerprints_an_audience_and_reports_wrong_usage(written, project):
    shown = written.herald("registrations", "fingerprint", "folk").expect(0).out
    assert len(shown.splitlines()) == 30 and set(shown.split()) == set(written.fingerprints([token(n) for n in range(30)]))
    written.herald("registrations", "fingerprint", "fork").expect(64, "did you mean `folk`?")
    written.herald("registrations", "fingerprint", "-", "--columns", "a").expect(64, "--columns requires a list with columns")
    written.herald("registrations", "fingerprint", "-", input="no registration\n").expect(1, "line 1 is not a registration")
    written.herald("registrations", "fingerprint", "folk", "-e", "nowhere").expect(64)
    project.list("all", [token(1)])
    project.herald("registrations", "fingerprint", "campaigns/registrations/all.txt").expect(
        1, "there is no state of local yet")
    assert not (project.folder / ".herald").exists()


def test_history_contains_no_registration(written):
    """The chain stores the same data as the history shows."""
    for content, in rows(written, "SELECT content FROM chain"):
        assert SECRET not in content
