"""When lists are read: `read: at_send` when the send begins, `read: at_apply` by the apply that schedules the send.

Sends are read only from the emulator's log. $HERALD_NOW sets the clock.
"""

import json
import random

import pytest

from herald import Emulator, Project, token

BEFORE = "2037-03-20T08:00:00Z"
DUE = "2037-03-20T08:30:00Z"
PEOPLE = [token(n) for n in range(8)]


@pytest.fixture
def bench(tmp_path):
    """A project with a phone for each registration."""
    project = Project(tmp_path / "project", "timezone: UTC\n", ["tides"])
    project.devices(PEOPLE)
    return project


def call(project, path="later.txt", more="", name="call", read="at_send", message=None):
    """Writes a campaign to a list."""
    shown = json.dumps(message or {"notification": {"title": name}})
    project.write(
        f"campaigns/{name}.yaml",
        f"campaign: {name}\naudience: {{ registrations: {{ file: {path}, read: {read} }} }}\nmessage: {shown}\n{more}")


def rows(project, tokens, path="later.txt"):
    project.write(path, "".join(f"{text}\n" for text in tokens))


def at(time):
    return f'schedule: {{ at: "2037-03-20 {time}" }}\n'


def environment(project, settings):
    project.write(
        "herald.yaml", "version: 1\nproject: e2e\ntimezone: UTC\ntopics: { tides: { reach: 5 } }\n"
        f"environments: {{ local: {{ emulator: {{}}, {settings} }} }}\n")


def accepted(project):
    return dict(project.log.accepted())


def stored(project):
    return project.rows("SELECT count(*) FROM lists")[0][0]


# MARK: the plan


def test_the_plan_says_known_only_when_sent(bench):
    call(bench)
    for view in ("text", "markdown", "html"):
        bench.herald("plan", "--format", view).expect(0, "Known only when sent")
    plan = bench.plan()
    [action] = plan["campaigns"]
    assert (action["action"], action["requests"]) == ("send", None)
    assert action["audience"] == {"list": "later.txt", "read": "at_send", "registrations": None}
    assert plan["summary"]["requests"] == 0 and plan["requests"] == []
    assert plan["reviewed"]["campaigns"][0]["definition"]["list"] == {
        "read": "at_send", "path": "later.txt", "format": "text", "kind": "token"}


def test_the_digest_covers_the_definition_and_not_the_rows(bench):
    call(bench)
    missing = bench.plan()["digest"]
    rows(bench, PEOPLE[:2])
    assert bench.plan()["digest"] == missing
    rows(bench, ["not a registration"])
    assert bench.plan()["digest"] == missing
    call(bench, "other.txt")
    assert bench.plan()["digest"] != missing
    call(bench)
    rows(bench, PEOPLE[:3])
    bench.apply("--expect", missing).expect(0, "3 accepted")
    assert accepted(bench) == {text: 1 for text in PEOPLE[:3]}


def test_validate_still_reads_the_list(bench):
    call(bench)
    bench.herald("validate").expect(0)
    rows(bench, PEOPLE[:1] + ["not a registration"])
    bench.herald("validate").expect(65, "error[broken-list-line]", "later.txt:2")
    bench.herald("plan").expect(0, "Known only when sent")
    rows(bench, PEOPLE[:2])
    bench.herald("validate").expect(0)
    bench.herald("preview", "call").expect(0, "2 registrations")


def test_a_list_that_is_kept_subscribed_is_also_read_for_the_plan(bench):
    bench.write("campaigns/a.yaml",
                "audience: crew\nregistrations: { file: later.txt, read: at_send }\nsubscribe: [tides]\n"
                "---\ncampaign: call\naudience: crew\nmessage: { notification: { title: call } }\n")
    bench.herald("plan").expect(65, "cannot read the list later.txt")
    rows(bench, PEOPLE[:2])
    bench.herald("plan").expect(0, "subscribes 2 registrations", "Known only when sent")
    with Emulator(bench):
        bench.apply().expect(0, "2 joined", "2 accepted")


# MARK: the send


def test_sends_to_the_rows_of_the_due_time(bench):
    call(bench, more=at("08:30"))
    rows(bench, PEOPLE[:2])
    bench.apply(now=BEFORE).expect(0)
    assert stored(bench) == 0
    rows(bench, PEOPLE[2:5])
    with Emulator(bench):
        bench.apply(now=DUE).expect(0, "3 accepted")
    assert accepted(bench) == {text: 1 for text in PEOPLE[2:5]}
    assert stored(bench) == 0


def test_a_rule_reads_its_list_for_each_slot(bench):
    call(bench, more='schedule: { cron: "30 * * * *" }\n')
    bench.apply(now=BEFORE).expect(0)
    with Emulator(bench):
        for hour, tokens in [("08", PEOPLE[:2]), ("09", PEOPLE[1:4]), ("10", PEOPLE[4:])]:
            rows(bench, tokens)
            bench.apply(now=f"2037-03-20T{hour}:30:00Z").expect(0, f"{len(tokens)} accepted")
    assert accepted(bench) == {text: 1 + (text == PEOPLE[1]) for text in PEOPLE}


def test_personal_text_is_that_of_the_due_time(bench):
    bench.write("campaigns/a.yaml",
                "audience: people\nregistrations: { file: 'people-*.csv', read: at_send }\n"
                "columns: { boat: { default: your boat } }\n"
                "---\ncampaign: call\naudience: people\n"
                "message: { notification: { title: 'Hello {{name}}', body: '{{boat}} is ready' } }\n")
    bench.herald("plan").expect(
        0, "Each row must have a value for “name”; if one has none", "Rows without a value for “boat” get “your boat”.")
    bench.write("people-1.csv", f"registration,name,boat\n{PEOPLE[0]},Ana,Brisa\n")
    bench.write("people-2.csv", f"registration,name,boat\n{PEOPLE[1]},Bo,\n")
    with Emulator(bench):
        bench.apply().expect(0, "2 accepted")
    shown = {m["token"]: m["notification"] for m in (entry["body"]["message"] for entry in bench.log.sends())}
    assert shown == {PEOPLE[0]: {"title": "Hello Ana", "body": "Brisa is ready"},
                     PEOPLE[1]: {"title": "Hello Bo", "body": "your boat is ready"}}


@pytest.mark.parametrize("text, fragments", [
    (None, ["the list later.csv cannot be read", "no such file"]),
    ("registration,name\n", ["the list later.csv contains no registrations"]),
    (f"registration,name\n{token(0)},Ana\n{token(1)} x,Bo\n", ["later.csv:3 is not a registration", "byte"]),
    (f"registration,name\n{token(0)},Ana\n{token(1)},\n", ["1 row has no `name`, the first at later.csv:3", "fix: fill"]),
    (f"registration,nickname\n{token(0)},Ana\n", ["later.csv has no column `name`"]),
    (f"registration,name\n{token(0)},Ana\n{token(0)},Bo\n", ["later.csv:3 repeats the registration of line 2"]),
    (f"registration,name\n{token(0)},{'a' * 5000}\n", ["in the row at later.csv:2, which is too large"]),
])
def test_a_list_that_cannot_be_used_refuses_only_its_send(bench, text, fragments):
    call(bench, "later.csv", message={"notification": {"title": "Hello {{name}}"}})
    bench.campaign("other", "{ topic: tides }")
    if text is not None:
        bench.write("later.csv", text)
    with Emulator(bench):
        bench.apply().expect(3, "refused", "call/once/1", *fragments, "1 accepted, 1 send refused")
        assert accepted(bench) == {"tides": 1}
        assert bench.rows("SELECT campaign FROM occurrences") == [("other",)]
        bench.herald("history", "1").expect(0, "sends whose list was refused: 1")
        bench.write("later.csv", f"registration,name\n{token(0)},Ana\n")
        bench.apply().expect(0, "1 accepted")
    assert accepted(bench) == {"tides": 1, token(0): 1}


def test_an_uncovered_locale_refuses_the_send(bench):
    bench.write("campaigns/call.yaml",
                "campaign: call\naudience: { registrations: { file: later.csv, read: at_send } }\n"
                "message: { notification: { title: Hello } }\nlocales: { pt: { notification: { title: Olá } } }\n")
    plan = bench.plan()
    assert [(text["locale"], text["registrations"]) for text in plan["campaigns"][0]["locales"]] == [
        (None, None), ("pt", None)]
    bench.write("later.csv", f"registration,locale\n{PEOPLE[0]},pt-PT\n{PEOPLE[1]},de\n{PEOPLE[2]},de\n")
    with Emulator(bench):
        bench.apply().expect(3, "no text covers the locale `de`, the first at later.csv:3 (2 rows in all)")
        assert bench.log.sends() == []
        bench.write("later.csv", f"registration,locale\n{PEOPLE[0]},pt-PT\n{PEOPLE[1]},pt\n")
        bench.apply().expect(0, "2 accepted")


def test_the_refusal_of_a_list_is_an_event(bench):
    call(bench)
    with Emulator(bench):
        lines = bench.apply("--json").expect(3).out.splitlines()
    result = json.loads(lines[-1])
    assert (result["event"], result["exit_code"]) == ("result", 3)
    [refused] = result["refused_sends"]
    assert (refused["occurrence"], refused["guard"]) == ("call/once/1", False)
    assert "later.txt" in refused["reason"]


# MARK: guards


def test_guards_count_the_list_when_it_is_read(bench):
    environment(bench, "guard: { max_recipients: 3 }")
    call(bench)
    bench.campaign("other", "{ topic: tides }")
    bench.write("campaigns/other.yaml", (bench.folder / "campaigns/other.yaml").read_text()
                + "acknowledge: { reach: 5, reason: known }\n")
    rows(bench, PEOPLE[:4])
    bench.herald("plan").expect(0, "Known only when sent")
    with Emulator(bench):
        bench.apply().expect(
            6, "refused", "call/once/1", "max-recipients: reaches up to 4 devices; max_recipients is 3",
            "acknowledge: { reach: 4", "--dangerous-max-recipients", "1 accepted, 1 send refused")
        assert accepted(bench) == {"tides": 1}
        bench.apply("--dangerous-max-recipients").expect(0, "4 accepted", "bypassed max-recipients: call")
    assert accepted(bench) == {"tides": 1, **{text: 1 for text in PEOPLE[:4]}}


def test_a_list_is_compared_with_that_of_the_last_send(bench):
    environment(bench, "guard: { max_change: 30% }")
    people = [token(n) for n in range(10)]
    bench.devices(people)
    call(bench, more='schedule: { cron: "30 * * * *" }\n')
    bench.apply(now=BEFORE).expect(0)
    with Emulator(bench):
        rows(bench, people)
        bench.apply(now="2037-03-20T08:30:00Z").expect(0, "10 accepted")
        rows(bench, people[:6])
        bench.apply(now="2037-03-20T09:30:00Z").expect(
            6, "shrunk-list: the list shrank from 10 registrations to 6", "acknowledge: { change: 4")
        rows(bench, people[:7])
        bench.apply(now="2037-03-20T09:31:00Z").expect(0, "7 accepted")
    assert sum(accepted(bench).values()) == 17


def test_max_sends_per_run_counts_lists_that_are_read(bench):
    environment(bench, "guard: { max_sends_per_run: 5 }")
    call(bench, name="a")
    call(bench, name="b")
    rows(bench, PEOPLE[:3])
    with Emulator(bench):
        bench.apply().expect(6, "b/once/1", "max-sends-per-run: sends 6 messages in one apply", "3 accepted")
        bench.apply().expect(0, "3 accepted")
    assert accepted(bench) == {text: 2 for text in PEOPLE[:3]}


# MARK: sources


def source(project, script, more=""):
    project.write("export", f"#!/bin/sh\necho run >> ran\n{script}\n")
    (project.folder / "export").chmod(0o755)
    project.write("herald.yaml", "version: 1\nproject: e2e\ntimezone: UTC\ntopics: { tides: {} }\n"
                  "sources: { vips: { command: [./export], format: text } }\n")
    project.write("campaigns/call.yaml",
                  "campaign: call\naudience: { registrations: { source: vips, read: at_send } }\n"
                  f"message: {{ notification: {{ title: call }} }}\n{more}")


def runs(project):
    path = project.folder / "ran"
    return len(path.read_text().splitlines()) if path.exists() else 0


def test_a_source_runs_only_when_its_send_begins(bench):
    source(bench, "cat rows", more=at("08:30"))
    bench.herald("plan", now=BEFORE).expect(0, "Known only when sent")
    bench.apply(now=BEFORE).expect(0)
    bench.herald("plan", "--allow-sources", now=DUE).expect(0)
    assert runs(bench) == 0
    rows(bench, PEOPLE[:3], "rows")
    with Emulator(bench):
        bench.apply(now=DUE).expect(
            6, "call/once/1", "the output of the source `vips`, which was not read", "--allow-sources")
        assert runs(bench) == 0 and bench.log.sends() == []
        bench.apply("--allow-sources", now=DUE).expect(0, "3 accepted")
    assert runs(bench) == 1
    assert accepted(bench) == {text: 1 for text in PEOPLE[:3]}
    assert "--allow-sources" in bench.rows("SELECT bypasses FROM runs ORDER BY id DESC LIMIT 1")[0][0]


def test_a_source_of_an_audience_that_is_kept_subscribed_is_read_again_for_the_send(bench):
    source(bench, 'if [ "$(wc -l < ran)" -eq 1 ]; then cat first; else cat second; fi')
    bench.write("campaigns/call.yaml",
                "audience: crew\nregistrations: { source: vips, read: at_send }\nsubscribe: [tides]\n"
                "---\ncampaign: call\naudience: crew\nmessage: { notification: { title: call } }\n")
    rows(bench, PEOPLE[:2], "first")
    rows(bench, PEOPLE[2:5], "second")
    with Emulator(bench):
        bench.apply("--allow-sources").expect(0, "2 joined", "3 accepted")
    assert runs(bench) == 2
    assert accepted(bench) == {text: 1 for text in PEOPLE[2:5]}


def test_a_source_that_fails_refuses_only_its_send(bench):
    source(bench, "echo no rows today >&2; exit 3")
    bench.campaign("other", "{ topic: tides }")
    with Emulator(bench):
        bench.apply("--allow-sources").expect(
            3, "call/once/1", "the source `vips` failed", "exited with code 3", "no rows today", "1 accepted")
    assert accepted(bench) == {"tides": 1}


# MARK: interruptions


@pytest.mark.parametrize("seed", range(3))
def test_a_killed_send_continues_with_the_rows_of_its_first_reading(bench, seed):
    """After a kill, the list has other rows. The next apply sends the rest of the first ones, and no others."""
    people = [token(n, "crowd") for n in range(1_000)]
    call(bench)
    rows(bench, people)
    with Emulator(bench) as emulator:
        emulator.install(people)
        with bench.start("apply", "--yes", "--parallelism", "64") as apply:
            bench.log.wait_for(random.Random(seed).randint(1, 600))
            apply.kill()
        bench.log.settle()
        rows(bench, [token(n, "new") for n in range(20)])
        bench.apply()
    sent = accepted(bench)
    assert set(sent) <= set(people) and set(sent.values()) == {1}
    [(count, done, unknown)] = bench.rows("SELECT count, accepted, unknown FROM units")
    assert count == len(people) and done + unknown == count and len(sent) >= done


# MARK: runs from the state alone


def test_a_run_without_the_files_names_the_send_and_leaves_it_to_an_apply(bench):
    call(bench, more=at("08:30"))
    bench.campaign("other", "{ topic: tides }", schedule="2037-03-20 08:30")
    rows(bench, PEOPLE[:3])
    bench.apply(now=BEFORE).expect(0)
    bench.apply(now=BEFORE).expect(0, "No changes")
    bench.herald("apply", "--due", now=BEFORE).expect(0, "Nothing is due.")
    with Emulator(bench):
        bench.herald("apply", "--due", now=DUE).expect(
            6, "call is not sent: its list is read when the send begins", "--lists DIR", "herald apply", "1 accepted")
        assert accepted(bench) == {"tides": 1}
        bench.apply(now=DUE).expect(0, "3 accepted")
    assert accepted(bench) == {"tides": 1, **{text: 1 for text in PEOPLE[:3]}}


def test_a_run_without_the_files_resumes_a_killed_send(bench):
    people = [token(n, "crowd") for n in range(1_000)]
    call(bench)
    rows(bench, people)
    with Emulator(bench) as emulator:
        emulator.install(people)
        with bench.start("apply", "--yes", "--parallelism", "64") as apply:
            bench.log.wait_for(200)
            apply.kill()
        bench.log.settle()
        (bench.folder / "later.txt").unlink()
        bench.herald("apply", "--due")
    sent = accepted(bench)
    assert set(sent) <= set(people) and set(sent.values()) == {1}
    [(count, done, unknown)] = bench.rows("SELECT count, accepted, unknown FROM units")
    assert count == len(people) and done + unknown == count


# MARK: read at the apply


@pytest.mark.parametrize("is_deleted", [False, True])
def test_a_run_without_the_files_sends_the_stored_list(bench, is_deleted):
    call(bench, "later.csv", more=at("08:30"), read="at_apply", message={"notification": {"title": "Hello {{name}}"}})
    bench.write("later.csv", f"registration,name\n{PEOPLE[0]},Ana\n{PEOPLE[1]},Bo\n")
    bench.apply(now=BEFORE).expect(0)
    assert stored(bench) == 1
    if is_deleted:
        (bench.folder / "later.csv").unlink()
        bench.herald("plan", now=DUE).expect(65, "error[unreadable-file]")
    else:
        bench.write("later.csv", f"registration,name\n{PEOPLE[2]},Cleo\n")
    with Emulator(bench):
        bench.herald("apply", "--due", now=DUE).expect(0, "2 accepted")
    shown = {m["token"]: m["notification"]["title"] for m in (entry["body"]["message"] for entry in bench.log.sends())}
    assert shown == {PEOPLE[0]: "Hello Ana", PEOPLE[1]: "Hello Bo"}
    assert stored(bench) == 0


def test_an_apply_treats_an_edited_list_as_a_change(bench):
    call(bench, more=at("08:30"), read="at_apply")
    rows(bench, PEOPLE[:3])
    bench.apply(now=BEFORE).expect(0)
    reviewed = bench.plan(now=DUE)["digest"]
    rows(bench, PEOPLE[3:5])
    plan = bench.plan(now=DUE)
    assert [change["path"] for change in plan["campaigns"][0]["changes"]] == ["list.count", "list.id"]
    assert plan["digest"] != reviewed
    with Emulator(bench):
        bench.herald("apply", "--expect", reviewed, now=DUE).expect(5)
        bench.apply("--expect", plan["digest"], now=DUE).expect(0, "2 accepted")
    assert accepted(bench) == {text: 1 for text in PEOPLE[3:5]}


def test_an_apply_before_the_due_time_replaces_the_stored_list(bench):
    call(bench, more=at("08:30"), read="at_apply")
    rows(bench, PEOPLE[:3])
    bench.apply(now=BEFORE).expect(0)
    rows(bench, PEOPLE[3:5])
    bench.apply(now=BEFORE).expect(0, "changed; it is now scheduled")
    assert stored(bench) == 1
    call(bench, more=at("08:30"))
    bench.apply(now=BEFORE).expect(0, "changed; it is now scheduled")
    assert stored(bench) == 0
