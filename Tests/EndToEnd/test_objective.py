"""Objectives: refused values, the verdict of the plan, and what the history says was reached."""

import pytest

from herald import Emulator, Project, token
from test_history import check

NOW = "2037-01-02T07:30:00Z"
TOKENS = [token(number) for number in range(40)]


def write(project, name, audience, objective):
    project.write(
        f"campaigns/{name}.yaml",
        f"campaign: {name}\naudience: {audience}\nmessage: {{ notification: {{ title: {name} }} }}\n"
        f"objective: {objective}\n")


@pytest.fixture
def project(tmp_path):
    project = Project(tmp_path / "project")
    project.write(
        "herald.yaml",
        "version: 1\nproject: e2e\n"
        "topics: { tides: { reach: 5000000 }, azores: {} }\n"
        "environments: { local: { emulator: {}, pace: { sends_per_minute: 1200 } } }\n")
    return project


@pytest.mark.parametrize(("objective", "rule", "way_out"), [
    ("90", "percentage", "write a share from `0.01%` to `100%`"),
    ("120% in 2m", "percentage", "write a share from `0.01%` to `100%`"),
    ("90% in 2 parsecs", "duration-syntax", "write `90% in`, and the time as `90s`, `30m` or `1h30m`"),
    ("90% in 0s", "number-out-of-range", "a time from 1s to 28d"),
    ("0% in 2m", "number-out-of-range", "a share above 0%"),
])
def test_bad_objective_is_refused_at_its_place(project, objective, rule, way_out):
    write(project, "call", "{ topic: tides }", objective)
    for command in ("validate", "plan"):
        result = project.herald(command, now=NOW).expect(65, way_out)
        text = result.out + result.err
        assert "campaigns/call.yaml:4:12" in text and rule in text
        assert f"`{objective}` is not an objective such as `90% in 2m`" in text


def test_plan_has_a_verdict_per_campaign(project):
    people = f"{{ registrations: {project.list('all', TOKENS)} }}"
    write(project, "a-list", people, "100% in 1s")
    write(project, "b-list", people, "50% in 1m")
    write(project, "c-topic", "{ topic: tides }", "90% in 2m")
    write(project, "d-topic", "{ topic: azores }", "90% in 2m")
    plan = project.plan(now=NOW)
    found = {entry["campaign"]: entry for entry in plan["objectives"]}
    assert {name: entry["verdict"] for name, entry in found.items()} == {
        "a-list": "unreachable", "b-list": "reachable", "c-topic": "unreachable", "d-topic": "unknown"}
    # 4 at once, then 19.8 per second: 36 requests in 1.8 s, and an answer. 0.9 s need 35 per second.
    assert found["a-list"]["predicted_seconds"] == 2 and found["a-list"]["recipients"] == 40
    assert found["a-list"]["needs"]== {"sends_per_minute": 2200}
    # 4,500,000 devices at 10,000 per second.
    assert found["c-topic"]["predicted_seconds"] == found["c-topic"]["topic_seconds"] == 451
    assert found["c-topic"]["needs"] == {"fan_out_rate": 37532}
    assert found["d-topic"]["predicted_seconds"] is None
    text = project.herald("plan", now=NOW).expect(0).out
    words = " ".join(text.split())
    assert "Objective 100% in 1 s: not reachable, predicted after about 2 s." in words
    assert "Objective 90% in 2 min: not predictable, because the reach is unknown." in words
    assert "For this audience, a topic is faster: about 7 min 31 s, and a list about" in words
    for form in ("markdown", "html"):
        shown = project.herald("plan", "--format", form, now=NOW).expect(0).out
        assert "not reachable, predicted after about 7 min 31 s" in shown


def test_history_says_what_was_reached(project):
    write(project, "list", f"{{ registrations: {project.list('all', TOKENS)} }}", "90% in 1h")
    few = project.list("few", [TOKENS[0], token(99)])
    write(project, "short", f"{{ registrations: {few} }}", "100% in 1h")
    write(project, "topic", "{ topic: tides }", "90% in 1h")
    with Emulator(project) as emulator:
        # One registration of the short list is dead.
        emulator.install(TOKENS)
        project.apply().expect(0)
    rows = dict(project.rows("SELECT campaign, reached FROM occurrences"))
    assert rows["list"] >= 0 and rows["short"] is None and rows["topic"] >= 0
    run = check("one", project.herald("history", 1, "--format", "json").expect(0).out)["run"]
    found = {sending["occurrence"].split("/")[0]: sending["objective"] for sending in run["sendings"]}
    assert found["list"] == {
        "objective": "90% in 1h", "status": "reached", "reached_after_seconds": rows["list"],
        "accepted": 40, "addressed": 40}
    assert found["short"] == {
        "objective": "100% in 1h", "status": "missed", "reached_after_seconds": None, "accepted": 1, "addressed": 2}
    assert found["topic"]["status"] == "fan_out" and found["topic"]["accepted"] == 1
    words = " ".join(project.herald("history", 1).expect(0).out.split())
    assert "objective 90% in 1 h: reached" in words
    assert "1 of 2 accepted; objective 100% in 1 h: not reached" in words
    assert "objective 90% in 1 h: unknown, because FCM does not report fan-outs" in words
