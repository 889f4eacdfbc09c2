"""Lists from programs, which run only with the operator's consent."""

import json
import os
import re
import stat
import time

import pytest

from herald import Emulator, Project, eventually, token

TOKENS = [token(n) for n in range(20)]


@pytest.fixture
def bench(tmp_path):
    """A project with a phone for each registration."""
    project = Project(tmp_path / "project", topics=["tides"])
    project.devices(TOKENS)
    return project


def declare(project, sources, more=""):
    project.write("herald.yaml", f"version: 1\nproject: e2e\ntopics: {{ tides: {{}}, members: {{}} }}\nsources:\n{sources}{more}")


def export(project, script, name="export"):
    """Writes a program of the project. Each run appends a line to `ran`."""
    project.write(name, f"#!/bin/sh\necho run >> ran\n{script}\n")
    (project.folder / name).chmod(0o755)


def vips(project, script, form="text", more="", audience="{ registrations: { source: vips } }"):
    export(project, script)
    declare(project, f"  vips:\n    command: [./export]\n    format: {form}\n{more}")
    project.campaign("call", audience)


def runs(project):
    path = project.folder / "ran"
    return len(path.read_text().splitlines()) if path.exists() else 0


def printing(tokens):
    return "".join(f"echo '{text}'\n" for text in tokens)


def allowed(project, *arguments, **options):
    return project.herald(*arguments, "--allow-sources", **options)


def apply(project, *arguments, **options):
    return project.apply("--allow-sources", *arguments, **options)


def trusting(tmp_path, project, text):
    file = tmp_path / "config/herald/trust.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"projects:\n  {project.folder.resolve()}:\n    {text}\n")
    file.chmod(0o600)
    return {"XDG_CONFIG_HOME": str(tmp_path / "config")}


# MARK: consent


def test_sends_to_the_output_of_a_program(bench):
    vips(bench, printing(TOKENS))
    allowed(bench, "plan").expect(0, "20 requests")
    assert runs(bench) == 1
    apply(bench).expect(0, "20 accepted")
    assert runs(bench) == 2, "the source runs once per command"
    assert dict(bench.log.accepted()) == {text: 1 for text in TOKENS}
    bench.herald("history", "1").expect(0, "--allow-sources")


def test_no_command_runs_a_source_without_consent(bench, tmp_path):
    vips(bench, printing(TOKENS))
    bench.herald("plan").expect(
        0, "source vips", "was not read, so campaign call is not planned", "requires `--allow-sources`",
        "1 campaign is not planned, because 1 source was not read: vips.")
    refusal = ("herald.yaml asks to read the source `vips`, which you have not allowed", "give --allow-sources", "trust.yaml")
    bench.apply().expect(6, *refusal)
    bench.herald("apply", "--dry-run").expect(6, *refusal)
    bench.herald("plan", env=trusting(tmp_path, bench, "allow-sources: false")).expect(0, "was not read")
    bench.herald("plan", env=trusting(tmp_path, bench, "allow-commands: true")).expect(0, "was not read")
    env = trusting(tmp_path, bench, "allow-sources: true")
    bench.herald("plan", "--no-allow-sources", env=env).expect(0, "was not read")
    assert runs(bench) == 0 and bench.log.sends() == []
    bench.herald("plan", env=env).expect(0, "20 requests")
    comment = bench.herald("plan", "--format", "markdown", env=env).expect(0).out
    assert re.search(r"`herald apply --expect [0-9a-f]+@[0-9]+ --allow-sources`", comment)
    assert runs(bench) == 2


def test_a_plan_without_the_state_never_runs_a_source(bench, tmp_path):
    vips(bench, printing(TOKENS))
    env = trusting(tmp_path, bench, "allow-sources: true")
    bench.herald("plan", "--without-state", env=env).expect(0, "source vips", "was not read", "Planned without the state")
    bench.herald("plan", "--without-state", "--allow-sources").expect(64, "never reads sources, so omit --allow-sources")
    assert runs(bench) == 0
    bench.herald("plan", env=env).expect(0, "20 requests")
    assert runs(bench) == 1


def test_validate_never_runs_a_source(bench):
    vips(bench, printing(TOKENS))
    bench.write("campaigns/more.yaml", "audience: vips\nregistrations: { source: vips }\nsubscribe: [tides]\n")
    done = allowed(bench, "validate").expect(0, "the source `vips` was not read, so its lists are not checked")
    assert (done.out + done.err).count("was not read") == 1
    allowed(bench, "validate", "--online", "-e", "local").expect(0)
    allowed(bench, "preview", "call").expect(0)
    allowed(bench, "doctor")
    assert runs(bench) == 0


def test_the_plan_names_everything_that_it_could_not_plan(bench):
    export(bench, printing(TOKENS))
    declare(bench, "  vips: { command: [./export], format: text }\n  crew: { command: [./export], format: text }\n")
    bench.campaign("call", "{ registrations: { source: vips } }")
    bench.campaign("shout", "{ registrations: { source: crew } }")
    bench.campaign("news", "{ topic: tides }")
    bench.write("campaigns/a.yaml", "audience: fans\nregistrations: { source: vips }\nsubscribe: [members]\n")
    plan = bench.plan()
    unread = [notice for notice in plan["notices"] if notice["notice"] == "unread-source"]
    assert [(n["source"], n["campaigns"], n["audiences"]) for n in unread] == [
        ("crew", ["shout"], []), ("vips", ["call"], ["fans"])]
    assert [each["campaign"] for each in plan["campaigns"]] == ["news"]
    bench.apply().expect(6, "the sources `crew` and `vips`")
    # A campaign needs the list of an audience that keeps its topic, and no other list.
    bench.campaign("late", "{ topic: members }")
    bench.apply("--only", "late").expect(6, "the source `vips`")
    bench.apply("--only", "news").expect(0)
    assert len(bench.log.sends()) == 1 and runs(bench) == 0


def test_a_list_by_name_is_not_read_by_other_commands(bench):
    vips(bench, printing(TOKENS))
    bench.write("campaigns/a.yaml", "audience: fans\nregistrations: { source: vips }\n")
    apply(bench).expect(0)
    before = runs(bench)
    allowed(bench, "registrations", "fingerprint", "fans").expect(1, "output of the source `vips`, which was not read")
    allowed(bench, "registrations", "prune", "fans").expect(64, "output of the source `vips`, not a file")
    assert runs(bench) == before


# MARK: contents


@pytest.mark.parametrize("form, rows", [
    ("csv", ['name,registration', *(f'"B, {n}",{text}' for n, text in enumerate(TOKENS))]),
    ("ndjson", [json.dumps({"registration": text, "name": f"B, {n}"}) for n, text in enumerate(TOKENS)]),
])
def test_columns_of_a_source_are_sent(bench, form, rows):
    (bench.folder / "rows").write_text("".join(f"{row}\n" for row in rows))
    vips(bench, "cat rows", form)
    bench.campaign("call", "{ registrations: { source: vips, column: registration } }", title="Hello {{name}}")
    apply(bench).expect(0, "20 accepted")
    titles = {send["body"]["message"]["token"]: send["body"]["message"]["notification"]["title"] for send in bench.log.sends()}
    assert titles == {text: f"Hello B, {n}" for n, text in enumerate(TOKENS)}


@pytest.mark.parametrize("form, script, fragments", [
    ("csv", f"printf 'registration\\n{TOKENS[0]}\\n{TOKENS[1]},x\\n'", ["source vips:3", "it has 2 fields"]),
    ("text", f"printf '{TOKENS[0]}\\nno registration\\n'", ["source vips:2", "is not a registration"]),
    ("text", f"printf '{TOKENS[0]}\\n{TOKENS[1]}\\000\\n'", ["source vips:2", "NUL"]),
    ("text", f"printf '{TOKENS[0]}\\n{TOKENS[0]}\\n'", ["source vips", "line 1"]),
    ("text", ":", ["the list contains no registrations"]),
    ("csv", "printf 'token\\nx\\n'", ["source vips", "no column `registration`"]),
    ("text", "head -c 2000000 /dev/zero | tr '\\0' a", ["source vips:1", "longer than 1 MiB"]),
], ids=["ragged", "spaces", "NUL", "repeated", "empty", "column", "row"])
def test_an_output_is_checked_as_strictly_as_a_file(bench, form, script, fragments):
    vips(bench, script, form)
    for command in (["plan"], ["apply", "--yes"]):
        allowed(bench, *command).expect(65, *fragments)
    assert bench.log.sends() == []


def test_what_is_sent_is_what_was_checked(bench):
    """The second run of the program would write other rows."""
    first, second = TOKENS[:10], TOKENS[10:]
    vips(bench, f"if [ $(wc -l < ran) = 1 ]; then\n{printing(first)}else\n{printing(second)}fi")
    apply(bench).expect(0, "10 accepted")
    assert runs(bench) == 1
    assert set(bench.log.accepted()) == set(first)


def test_an_interrupted_send_continues_with_its_stored_rows(tmp_path):
    tokens = [token(n) for n in range(1_500)]
    project = Project(tmp_path / "project", topics=["tides"])
    with Emulator(project) as emulator:
        emulator.install(tokens)
        (project.folder / "rows").write_text("".join(f"{text}\n" for text in tokens))
        vips(project, "cat rows", more="    max_drift: 1%\n")
        digest = json.loads(allowed(project, "plan", "--format", "json").expect(0).out)["digest"]
        with project.start("apply", "--allow-sources", "--expect", digest, "--parallelism", "16") as running:
            project.log.wait_for(200)
            running.kill()
        (project.folder / "rows").write_text("".join(f"{text}\n" for text in tokens[5:]))
        done = allowed(project, "apply", "--expect", digest)
        assert done.code in (0, 4), done
        assert len(set(project.log.accepted())) >= 1_400
        assert all(count == 1 for count in project.log.accepted().values())


# MARK: failures


@pytest.mark.parametrize("script, fragments", [
    ("echo 'no such table' >&2; exit 3", ["`./export` exited with code 3", "| no such table"]),
    ("kill -9 $$", ["`./export` was ended by signal 9"]),
    ("for n in $(seq 30); do echo \"line $n\" >&2; done; exit 1", ["| line 21", "| line 30"]),
    ("printf 'a\\033[31mred\\007\\n' >&2; exit 1", ["| a\\u{1B}[31mred\\u{7}"]),
    (f"echo 'token {TOKENS[0]}' >&2; exit 1", ["| ", "****"]),
], ids=["exit", "signal", "long", "control", "secret"])
def test_a_failed_program_shows_the_end_of_its_errors(bench, script, fragments):
    vips(bench, printing(TOKENS) + script)
    for command in (["plan"], ["apply", "--yes"]):
        done = allowed(bench, *command).expect(1, "the source `vips` failed", *fragments)
        assert "| line 20" not in done.err and "\x1b" not in done.err
    assert bench.log.sends() == []


def test_a_missing_program_is_named(bench):
    declare(bench, "  vips: { command: [./missing], format: text }\n")
    bench.campaign("call", "{ registrations: { source: vips } }")
    allowed(bench, "plan").expect(1, "`./missing` exited with code 127", "check `command` in `sources.vips`")


@pytest.mark.parametrize("script, fragments", [
    ("exec sleep 600", ["was stopped after 1 s", "raise `timeout`"]),
    ("trap '' TERM INT HUP\nwhile :; do sleep 0.1; done", ["was stopped after 1 s"]),
    ("sleep 600 &\nexit 0", ["another process kept its output open and was stopped after 1 s"]),
    ("while :; do echo endless; sleep 0.01; done", ["was stopped after 1 s"]),
    ("while :; do echo endless >&2; sleep 0.01; done", ["was stopped after 1 s", "| endless"]),
    ("(trap '' TERM INT HUP; while :; do sleep 0.1; done) &\nwait", ["was stopped after 1 s"]),
], ids=["silent", "deaf", "grandchild", "endless", "errors", "deaf grandchild"])
def test_a_program_has_a_time_limit_and_leaves_nothing_behind(bench, script, fragments):
    marker = f"herald-source-{os.getpid()}-{time.monotonic_ns()}"
    vips(bench, f"export MARK={marker}\n{script}", more="    timeout: 1s\n")
    allowed(bench, "plan").expect(1, "the source `vips` failed", *fragments)

    def is_gone():
        for entry in os.scandir("/proc"):
            if entry.name.isdigit():
                try:
                    with open(f"/proc/{entry.name}/environ", "rb") as file:
                        if marker.encode() in file.read():
                            return False
                except OSError:
                    pass
        return True

    eventually(is_gone, "all processes of the program end", deadline=10)


def test_a_killed_herald_leaves_no_output_behind(bench):
    vips(bench, printing(TOKENS) + "echo ready > ready; sleep 5")
    with bench.start("plan", "--allow-sources") as plan:
        eventually(lambda: (bench.folder / "ready").exists(), "the program runs")
        assert sorted(p.name for p in (bench.folder / ".herald").iterdir() if "unnamed" in p.name) == []
        plan.kill()
    assert not [p for p in (bench.folder / ".herald").rglob("*") if "unnamed" in p.name]


def test_an_interrupt_ends_the_program(bench):
    vips(bench, "trap 'exit 0' TERM\necho ready > ready\nwhile :; do sleep 0.1; done")
    with bench.start("plan", "--allow-sources") as plan:
        eventually(lambda: (bench.folder / "ready").exists(), "the program runs")
        result = plan.signal(2).finish()
    result.expect(130, "interrupted while the source `vips` was read; nothing was sent")


# MARK: surroundings


def test_a_program_gets_only_the_named_variables(bench):
    vips(bench, "env | cut -d= -f1 | sort > seen; pwd > where; readlink /proc/self/fd/0 > input; "
         f"ls /proc/self/fd > open\n{printing(TOKENS)}", more="    environment: [EXPORT_TOKEN]\n")
    env = {"EXPORT_TOKEN": "hidden-token", "OTHER_TOKEN": "x", "LANG": "C.UTF-8"}
    allowed(bench, "plan", env=env).expect(0)
    seen = set((bench.folder / "seen").read_text().split()) - {"PWD", "OLDPWD", "SHLVL", "_"}
    assert seen <= {"PATH", "HOME", "LANG", "TZ", "EXPORT_TOKEN"} and "EXPORT_TOKEN" in seen
    assert (bench.folder / "where").read_text().strip() == str(bench.folder.resolve())
    assert (bench.folder / "input").read_text().strip() == "/dev/null"
    # Three standard streams and the folder that `ls` reads.
    assert len((bench.folder / "open").read_text().split()) <= 4
    allowed(bench, "plan").expect(1, "needs the environment variable `EXPORT_TOKEN`, which is not set")


def test_the_value_of_a_passed_variable_is_not_shown(bench):
    vips(bench, "echo \"token $EXPORT_TOKEN\" >&2; exit 1", more="    environment: [EXPORT_TOKEN]\n")
    done = allowed(bench, "plan", env={"EXPORT_TOKEN": "hidden-token"}).expect(1, "| token ${EXPORT_TOKEN}")
    assert "hidden-token" not in done.out + done.err


def test_arguments_are_not_read_by_a_shell(bench):
    export(bench, 'printf "%s\\n" "$@" > arguments\n' + printing(TOKENS))
    declare(bench, '  vips: { command: [./export, "a b", "$(touch pwned)", "; touch pwned", "*"], format: text }\n')
    bench.campaign("call", "{ registrations: { source: vips } }")
    allowed(bench, "plan").expect(0)
    assert (bench.folder / "arguments").read_text().splitlines() == ["a b", "$(touch pwned)", "; touch pwned", "*"]
    assert not (bench.folder / "pwned").exists()


def test_the_output_is_stored_where_only_the_user_can_read_it(bench, tmp_path):
    missing = {"TMPDIR": str(tmp_path / "missing")}
    vips(bench, printing(TOKENS))
    allowed(bench, "plan", env=missing).expect(1, "cannot be stored in", "No such file or directory", "TMPDIR")
    if os.getuid() != 0:
        return  # Only root sees the files of a process that protects its memory.
    folder = tmp_path / "spool"
    folder.mkdir()
    vips(bench, printing(TOKENS) + "echo ready > ready; while [ ! -e go ]; do sleep 0.01; done")
    with bench.start("plan", "--allow-sources", env={"TMPDIR": str(folder)}) as plan:
        eventually(lambda: (bench.folder / "ready").exists(), "the program has written")
        files = []
        for entry in os.scandir(f"/proc/{plan.process.pid}/fd"):
            path = os.readlink(entry.path)
            if str(folder) in path:
                files.append((path, os.stat(entry.path)))
        (bench.folder / "go").touch()
        plan.finish().expect(0, "20 requests")
    [(path, status)] = files
    assert path.endswith("(deleted)") and stat.S_IMODE(status.st_mode) == 0o600 and status.st_nlink == 0


# MARK: review


def digest(project, *arguments):
    return json.loads(allowed(project, "plan", "--format", "json", *arguments).expect(0).out)["digest"]


def rows(project, tokens):
    (project.folder / "rows").write_text("".join(f"{text}\n" for text in tokens))


def test_a_reviewed_plan_allows_the_drift_of_its_source(bench):
    vips(bench, "cat rows", more="    max_drift: 10%\n")
    rows(bench, TOKENS[:10])
    reviewed = digest(bench)
    rows(bench, TOKENS[:12])
    apply(bench, "--expect", reviewed).expect(
        5, "list source vips of campaign call: 10 registrations → 12 registrations", "more than the `max_drift` of 10%")
    assert bench.log.sends() == []
    rows(bench, TOKENS[3:14])
    apply(bench, "--expect", reviewed).expect(0, "11 accepted")
    assert set(bench.log.accepted()) == set(TOKENS[3:14])
    rows(bench, TOKENS[:10])
    apply(bench, "--expect", reviewed).expect(0, "Already applied")
    assert len(bench.log.sends()) == 11


def test_a_changed_definition_needs_another_review(bench):
    vips(bench, "cat rows", more="    max_drift: 10%\n")
    rows(bench, TOKENS[:10])
    reviewed = digest(bench)
    vips(bench, "cat rows", more="    max_drift: 20%\n")
    apply(bench, "--expect", reviewed).expect(5, "the source's definition differs")
    assert bench.log.sends() == []


def test_a_plan_without_consent_is_not_the_plan_with_it(bench):
    vips(bench, "cat rows")
    rows(bench, TOKENS[:10])
    partial = bench.plan()["digest"]
    apply(bench, "--expect", partial).expect(5)
    assert bench.log.sends() == []


def test_joins_of_a_source_drift_within_the_limit(bench):
    export(bench, "cat rows")
    declare(bench, "  vips: { command: [./export], format: text, max_drift: 20% }\n")
    bench.write("campaigns/a.yaml", "audience: fans\nregistrations: { source: vips }\nsubscribe: [tides]\n")
    rows(bench, TOKENS[:10])
    reviewed = digest(bench)
    rows(bench, TOKENS[:12])
    apply(bench, "--expect", reviewed).expect(0, "12 joined")
    rows(bench, TOKENS[:13])
    apply(bench, "--expect", reviewed).expect(0, "Already applied")
    later = digest(bench)
    rows(bench, TOKENS[:14])
    apply(bench, "--expect", later).expect(0, "2 joined")


# MARK: sets


def excluding(project, drift):
    """Writes a campaign to all registrations but those that the source prints."""
    export(project, "cat rows")
    declare(project, f"  gone: {{ command: [./export], format: text, max_drift: {drift} }}\n")
    project.write("all.txt", "".join(f"{text}\n" for text in TOKENS))
    project.write("campaigns/lists.yaml", "audience: all\nregistrations: all.txt\n---\n"
                  "audience: gone\nregistrations: { source: gone }\n")
    project.write("campaigns/call.yaml", "campaign: call\naudience: all\nexclude: [gone]\nmessage: { data: { k: v } }\n")


def test_a_campaign_excludes_the_output_of_a_program(bench):
    excluding(bench, "0%")
    rows(bench, TOKENS[:5])
    bench.herald("validate").expect(0, "the source `gone` was not read, so its lists are not checked")
    bench.herald("plan").expect(0, "source gone", "was not read, so campaign call is not planned")
    bench.apply().expect(6, "the source `gone`")
    assert runs(bench) == 0 and bench.log.sends() == []
    allowed(bench, "plan").expect(
        0, "The list is all, except gone, compared by registration: 20 − 5 of gone = 15 registrations.")
    apply(bench).expect(0, "15 accepted")
    assert set(bench.log.accepted()) == set(TOKENS[5:])


def test_the_size_of_a_set_drifts_with_its_source(bench):
    excluding(bench, "20%")
    rows(bench, TOKENS[:5])
    reviewed = digest(bench)
    rows(bench, TOKENS[:7])
    apply(bench, "--expect", reviewed).expect(
        5, "list all of campaign call: 15 registrations → 13 registrations (gone differs)")
    bench.write("all.txt", "".join(f"{text}\n" for text in reversed(TOKENS)))
    rows(bench, TOKENS[:5])
    apply(bench, "--expect", reviewed).expect(5, "15 registrations → 15 registrations (all differs)")
    assert bench.log.sends() == []
    bench.write("all.txt", "".join(f"{text}\n" for text in TOKENS))
    rows(bench, TOKENS[1:7])
    apply(bench, "--expect", reviewed).expect(0, "14 accepted")
    assert set(bench.log.accepted()) == set(TOKENS) - set(TOKENS[1:7])
