"""Refused plans are neither sent nor recorded (exit 6), according to the emulator's log and the state's serial."""

import json
import os
import pty
import subprocess
import sys

import pytest

from herald import DEADLINE, ROOT, Emulator, Project, binary, token, variables

sys.path.insert(0, str(ROOT / "Tests/Crash"))
import commands  # noqa: E402

PEOPLE = [token(n) for n in range(20)]


def environment(project, settings, topics="tides: { reach: 101 }, azores: {}, beta: { test: true, reach: 3 }"):
    """Writes a project with these settings in the environment `local`."""
    project.write(
        "herald.yaml", f"version: 1\nproject: e2e\ntopics: {{ {topics} }}\n"
        f"environments: {{ local: {{ emulator: {{}}, {settings} }} }}\n")


@pytest.fixture
def guarded(tmp_path):
    return Project(tmp_path / "project", topics=["tides"])


def serial(project):
    return project.rows("SELECT serial FROM meta")[0][0]


def bypasses(project):
    return [json.loads(row[0]) for row in project.rows("SELECT bypasses FROM runs ORDER BY id")]


def refused(project, *fragments, arguments=(), **options):
    """Runs an apply that a guard refuses. No request is sent to FCM and nothing is recorded."""
    project.herald("plan", **options).expect(0)
    before = serial(project), len(project.log.requests())
    result = project.apply(*arguments, **options).expect(6, "nothing was sent or recorded", *fragments)
    assert (serial(project), len(project.log.requests())) == before
    return result


def test_max_recipients_can_be_acknowledged_or_bypassed(guarded):
    environment(guarded, "guard: { max_recipients: 100 }")
    guarded.campaign("tide", "{ topic: tides }")
    guarded.campaign("storm", "{ topic: azores }")
    with Emulator(guarded):
        refused(
            guarded, "refused max-recipients: storm", "refused max-recipients: tide", "refused by 2 guards",
            "acknowledge: { reach: 101", "declare the topic's `reach`", "--dangerous-max-recipients")
        path = guarded.folder / "campaigns/tide.yaml"
        for number in (100, 101):
            text = path.read_text().split("acknowledge")[0]
            path.write_text(f"{text}acknowledge: {{ reach: {number}, reason: the board wants it }}\n")
            guards = {one["campaign"]: one["outcome"] for one in guarded.plan()["guards"]}
            assert guards == {"tide": "refused" if number == 100 else "acknowledged", "storm": "refused"}
        refused(guarded, "refused by 1 guard")
        guarded.apply("--dangerous-max-recipients", "--dangerous-max-change").expect(
            0, "bypassed max-recipients: storm", "acknowledged max-recipients: tide", "--dangerous-max-change was not needed")
    assert len(guarded.log.sends()) == 2
    assert bypasses(guarded)[-1] == ["--dangerous-max-recipients", "--dangerous-max-change"]
    history = guarded.herald("history").expect(0).out.splitlines()
    assert "   with --dangerous-max-recipients, --dangerous-max-change" in history


def test_max_change_limits_membership_changes(guarded):
    environment(guarded, "guard: { max_change: 30% }")

    def members(*numbers):
        path = guarded.list("all", [PEOPLE[n] for n in numbers])
        guarded.write("campaigns/all.yaml", f"audience: all\nregistrations: {path}\nsubscribe: [tides]\n")

    members(*range(10))
    with Emulator(guarded) as emulator:
        emulator.install(PEOPLE)
        guarded.apply().expect(0)
        members(*range(4, 10))
        refused(guarded, "refused max-change: all: 4 registrations leave topic tides, which has 10 recorded members")
        assert all(emulator.topics(one) for one in PEOPLE[:10])
        members(*range(3, 10))
        guarded.apply().expect(0)
        assert not any(emulator.topics(one) for one in PEOPLE[:3])
        members(*range(20))
        guarded.apply("--dangerous-max-change").expect(0)
        members()
        guarded.apply().expect(65, "the list contains no registrations", "subscribe: []")
        guarded.write("campaigns/all.yaml", "removed: { audience: all, members: unsubscribe }\n")
        refused(guarded, "20 registrations leave topic tides", "acknowledge: { change: 20, reason: … }` to the audience's document")


def test_max_change_can_be_acknowledged_in_the_files(guarded):
    environment(guarded, "guard: { max_change: 30% }")

    def members(*numbers, change=0):
        path = guarded.list("all", [PEOPLE[n] for n in numbers])
        known = f"acknowledge: {{ change: {change}, reason: the season has ended }}\n" if change else ""
        guarded.write("campaigns/all.yaml", f"audience: all\nregistrations: {path}\nsubscribe: [tides]\n{known}")

    def removed(change):
        guarded.write("campaigns/all.yaml", "removed: { audience: all, members: unsubscribe }\n"
                      f"acknowledge: {{ change: {change}, reason: the pier is closed }}\n")

    members(*range(20))
    with Emulator(guarded) as emulator:
        emulator.install(PEOPLE)
        guarded.apply().expect(0, "20 joined")
        members(*range(10), change=9)
        refused(guarded, "refused max-change: all: 10 registrations leave topic tides")
        members(*range(10), change=10)
        guarded.apply().expect(0, "acknowledged max-change: all", "the season has ended", "10 left")
        removed(9)
        refused(guarded, "refused max-change: all: 10 registrations leave topic tides", "acknowledge: { change: 10, reason: … }")
        unreviewed = guarded.plan()["digest"]
        removed(10)
        plan = guarded.plan()
        [guard] = plan["guards"]
        assert (guard["outcome"], guard["audience"], guard["acknowledged"]) == ("acknowledged", "all", "the pier is closed")
        guarded.apply("--expect", unreviewed).expect(5)
        guarded.apply("--expect", plan["digest"]).expect(0, "acknowledged max-change: all", "10 left")
        assert not any(emulator.topics(one) for one in PEOPLE)
    assert [b for b in bypasses(guarded) if b] == []


def test_a_list_without_its_dead_registrations_can_be_acknowledged(guarded):
    environment(guarded, "guard: { max_change: 30% }")
    path = guarded.list("all", PEOPLE[:10])
    text = f"campaign: call\naudience: {{ registrations: {path} }}\nmessage: {{}}\n"
    guarded.write("campaigns/call.yaml", text)
    with Emulator(guarded) as emulator:
        emulator.install(PEOPLE[:3])
        guarded.apply().expect(0, "3 accepted, 7 rejected")
        guarded.herald("registrations", "prune", path, "--output", guarded.folder / path, "--force").expect(0, "7 dead, 3 live")
        guarded.write("campaigns/call.yaml", f"{text}revision: 2\n")
        refused(guarded, "refused shrunk-list: call: the list shrank from 10 registrations to 3",
                "acknowledge: { change: 7, reason: … }` to the campaign")
        guarded.write("campaigns/call.yaml", f"{text}revision: 2\nacknowledge: {{ change: 7, reason: pruned }}\n")
        guarded.apply().expect(0, "acknowledged shrunk-list: call", "(pruned)", "3 accepted")
    assert len(guarded.log.sends()) == 13


def test_refuses_a_shrunk_list(guarded):
    environment(guarded, "guard: { max_change: 30% }")
    path = guarded.list("all", PEOPLE[:10])
    guarded.write("campaigns/call.yaml", f"campaign: call\naudience: {{ registrations: {path} }}\nmessage: {{}}\n")
    with Emulator(guarded) as emulator:
        emulator.install(PEOPLE)
        guarded.apply().expect(0)
        guarded.list("all", PEOPLE[:6])
        with open(guarded.folder / "campaigns/call.yaml", "a", encoding="utf-8") as file:
            file.write("revision: 2\n")
        refused(guarded, "refused shrunk-list: call: the list shrank from 10 registrations to 6")
        guarded.apply("--dangerous-shrunk-list").expect(0)
    assert len(guarded.log.sends()) == 16


def test_max_cancellations_applies_without_configuration(guarded):
    for number in range(10):
        guarded.campaign(f"c{number}", "{ topic: tides }", schedule="2037-03-20 07:30")
    guarded.apply().expect(0)
    for number in range(4):
        (guarded.folder / f"campaigns/c{number}.yaml").unlink()
    refused(guarded, "refused max-cancellations: local: cancels 4 of 10 scheduled sends, more than 30%")
    guarded.apply("--except", "c0").expect(0, "1 campaign left out by --only or --except")
    guarded.apply("--dangerous-max-cancellations").expect(0)
    assert guarded.rows("SELECT count(*) FROM occurrences WHERE status = 0") == [(6,)]


def test_max_sends_per_run_limits_messages(guarded):
    environment(guarded, "guard: { max_sends_per_run: 1 }")
    guarded.campaign("a", "{ topic: tides }")
    guarded.campaign("b", "{ topic: tides }")
    with Emulator(guarded):
        refused(guarded, "refused max-sends-per-run: local: sends 2 messages in one apply")
        guarded.apply("--only", "a").expect(0)
        guarded.apply().expect(0)
    assert len(guarded.log.sends()) == 2


def test_refuses_the_state_of_another_project(guarded):
    guarded.campaign("a", "{ topic: tides }")
    with Emulator(guarded):
        guarded.apply().expect(0)
        guarded.campaign("b", "{ topic: tides }")
        path = guarded.folder / "herald.yaml"
        path.write_text(path.read_text().replace("project: e2e", "project: other"))
        refused(guarded, "refused project-id: local: the state belongs to project `e2e`")
        guarded.apply("--dangerous-project-id").expect(0)
        guarded.campaign("c", "{ topic: tides }")
        guarded.apply().expect(0)
    assert len(guarded.log.sends()) == 3


def test_refresh_is_refused_for_another_project(guarded):
    environment(guarded, "settle: 0")
    path = guarded.list("all", PEOPLE[:2])
    guarded.write("campaigns/all.yaml", f"audience: all\nregistrations: {path}\nsubscribe: [tides]\n")
    with Emulator(guarded) as emulator:
        emulator.install(PEOPLE[:2])
        guarded.apply().expect(0)
        path = guarded.folder / "herald.yaml"
        path.write_text(path.read_text().replace("project: e2e", "project: other"))
        before = len(guarded.log.requests())
        for command in (["plan", "--refresh"], ["apply", "--yes", "--refresh"], ["apply", "--dry-run", "--refresh"]):
            guarded.herald(*command).expect(6, "the state belongs to project `e2e`")
        assert len(guarded.log.requests()) == before


def test_protected_environment_requires_its_name_or_a_reviewed_plan(guarded):
    environment(guarded, "protected: true, guard: { require_reviewed_plan: true }")
    guarded.campaign("a", "{ topic: tides }")
    with Emulator(guarded):
        refused(guarded, "refused by 2 guards", "refused reviewed-plan", "refused protected", "--yes is not enough")
        guarded.apply("--dangerous-reviewed-plan").expect(6, "refused protected", "refused by 1 guard")
        digest = guarded.plan()["digest"]
        guarded.herald("apply", "--expect", digest).expect(0)
        guarded.apply().expect(0, "No changes.")
        guarded.campaign("b", "{ topic: tides }")
        guarded.apply("--dangerous-reviewed-plan", "--dangerous-protected").expect(
            0, "bypassed reviewed-plan: local", "bypassed protected: local")
    assert len(guarded.log.sends()) == 2


@pytest.mark.parametrize("answer, code", [("local", 0), ("yes", 1)])
def test_protected_environment_asks_for_its_name_despite_yes(guarded, answer, code):
    environment(guarded, "protected: true")
    guarded.campaign("a", "{ topic: tides }")
    with Emulator(guarded):
        ours, theirs = pty.openpty()
        with subprocess.Popen(
                [binary(), "apply", "--yes", "-C", str(guarded.folder)], env=variables(), stdin=theirs,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            os.close(theirs)
            os.write(ours, f"{answer}\n".encode())
            _, errors = process.communicate(timeout=DEADLINE)
        os.close(ours)
        assert "local is protected. Type its name" in errors.decode()
        assert process.returncode == code, errors
    assert len(guarded.log.sends()) == (1 if code == 0 else 0)


def test_protected_environment_rejects_herald_now(guarded):
    now = "2036-01-01T00:00:00Z"
    environment(guarded, "protected: true")
    guarded.campaign("a", "{ topic: tides }")
    with Emulator(guarded):
        refused(guarded, "refused clock", "unset HERALD_NOW", arguments=["--dangerous-protected"], now=now)
        for command in (["status"], ["history"], ["pause"]):
            guarded.herald(*command, now=now).expect(6, "HERALD_NOW")
        guarded.apply("--dangerous-protected", "--dangerous-clock", now=now).expect(0)
        guarded.herald("status").expect(0)


@pytest.mark.parametrize("audience", [
    "{ topic: beta }", "{ condition: \"'beta' in topics || 'tides' in topics\" }",
    "{ condition: \"'tides' in topics || 'beta' in topics\" }",
    "{ condition: \"'tides' in topics && ('azores' in topics || 'beta' in topics)\" }"])
def test_protected_environment_needs_allow_test_for_test_audiences(guarded, audience):
    environment(guarded, "protected: true")
    guarded.campaign("a", audience)
    with Emulator(guarded):
        refused(guarded, "refused test-audience: a: addresses test audience beta", arguments=["--dangerous-protected"])
        environment(guarded, "protected: true, guard: { allow_test: true }")
        guarded.apply("--dangerous-protected").expect(0)


def test_a_plan_refuses_a_test_topic_in_any_place_of_a_condition(tmp_path):
    assert commands.test_topic_problems(tmp_path) == []


def test_guard_refusal_takes_precedence_over_a_stale_plan(guarded):
    environment(guarded, "guard: { max_recipients: 100 }")
    guarded.campaign("a", "{ topic: tides }")
    with Emulator(guarded):
        digest = guarded.plan()["digest"]
        guarded.herald("apply", "--expect", digest).expect(6)
        guarded.campaign("b", "{ topic: tides }")
        guarded.herald("apply", "--expect", digest).expect(6, "refused by 2 guards")
        guarded.herald("apply", "--expect", digest, "--dangerous-max-recipients").expect(5, "campaign b")
        assert guarded.log.sends() == []
        (guarded.folder / "campaigns/b.yaml").unlink()
        guarded.herald("apply", "--expect", digest, "--dangerous-max-recipients").expect(0)
    assert len(guarded.log.sends()) == 1


def test_changed_reach_makes_a_reviewed_plan_stale(guarded):
    def reach(azores, more=""):
        topics = f"tides: {{ reach: 101 }}, azores: {{ reach: {azores} }}{more}"
        environment(guarded, "guard: { max_recipients: 100 }", topics)

    reach(50)
    guarded.campaign("a", "{ condition: \"'tides' in topics && 'azores' in topics\" }")
    guarded.campaign("b", "{ topic: azores }")
    guarded.campaign("c", f"{{ registrations: {guarded.list('people', PEOPLE)} }}")
    guarded.devices(PEOPLE)
    with Emulator(guarded):
        digest = guarded.plan()["digest"]
        # Still below the limit, so only the digest stops this apply.
        reach(60)
        text = guarded.herald("apply", "--expect", digest).expect(
            5, "campaign a: reach.azores: 50 → 60", "campaign b: reach.azores: 50 → 60").err
        assert "campaign c" not in text and guarded.log.sends() == []
        reach(50, ", madeira: { reach: 9 }")
        guarded.herald("apply", "--expect", digest).expect(0)
    assert len(guarded.log.sends()) == 2 + len(PEOPLE)


def test_help_explains_exit_code_6_and_lists_every_bypass(guarded):
    guarded.herald("--help").expect(0, "6 refused by a guard")
    text = guarded.herald("apply", "--help").expect(0).out
    names = {word for word in text.replace("\n", " ").split() if word.startswith("--dangerous-")}
    assert names == {f"--dangerous-{name}" for name in (
        "max-recipients", "max-change", "max-cancellations", "shrunk-list", "test-audience", "max-sends-per-run",
        "project-id", "endpoint", "clock", "reviewed-plan", "protected")}
