"""The progress output of apply: events for programs, request lines, and progress lines for people."""

import json

import jsonschema
import pytest

from herald import SECRET, Emulator, Project, schema, token

TOKENS = [token(n) for n in range(60)]


@pytest.fixture
def bench(tmp_path):
    project = Project(tmp_path / "project", topics=["tides"])
    people = project.list("all", TOKENS)
    project.write("campaigns/people.yaml",
                  f"audience: people\nregistrations: {people}\nsubscribe: [tides]\n")
    project.campaign("call", "people")
    project.campaign("news", "{ topic: tides }")
    with Emulator(project) as emulator:
        emulator.install(TOKENS)
        project.emulator = emulator
        yield project


def events(result):
    """Returns the events. Each line must be an event, and the schema must name all of its members."""
    described = json.loads(schema("events"))
    found = [json.loads(line) for line in result.out.splitlines()]
    for event in found:
        jsonschema.validate(event, described)
        assert set(event) <= set(described["definitions"][event["event"]]["properties"]), event
    return found


def test_json_events_report_each_phase(bench):
    bench.emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "SEND"}, "when": {"nth": 5}, "answer": {"error": "SENDER_ID_MISMATCH"}}]})
    # A rejected registration that is not dead is a shortfall.
    result = bench.apply("--json").expect(3)
    reported = events(result)
    kinds = [e["event"] for e in reported if e["event"] not in ("phase-progressed", "settling")]
    phase = ["phase-began", "phase-ended"]
    assert kinds == ["plan", "run-began", *phase, *phase, "sending", *phase, "sending", "result"]
    digest = json.loads(bench.herald("history", "1", "--format", "json").expect(0).out)["run"]["digest"]
    plan = reported[0]
    assert plan["digest"].split("@")[0] == digest and (plan["joins"], plan["sends"]) == (60, 2)
    joined, called = [e for e in reported if e["event"] == "phase-ended"][:2]
    assert (joined["phase"], joined["done"], joined["audience"], joined["topic"]) == ("joining", 60, "people", "tides")
    assert called["counts"] == {"done": 59, "refused": 1, "unknown": 0}
    sending = next(e for e in reported if e["event"] == "sending")
    assert sending["occurrence"] == "call/once/1"
    assert (sending["counts"]["accepted"], sending["counts"]["rejected"]) == (59, 1)
    last = reported[-1]
    assert (last["exit_code"], last["joined"], last["counts"]["accepted"]) == (3, 60, 60)
    # The text for people goes to standard error.
    assert "Applied: 60 joined, 60 accepted, 1 rejected" in result.err


def test_last_event_always_has_the_exit_code(bench):
    bench.herald("apply", "--json").expect(64, "--yes")
    bench.emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "SEND", "topic": "tides"}, "answer": {"error": "UNAVAILABLE"}}]})
    reported = events(bench.apply("--json").expect(4))
    assert reported[-1]["event"] == "result" and reported[-1]["exit_code"] == 4
    reported = events(bench.apply("--json").expect(4))
    assert reported[-1]["exit_code"] == 4 and reported[-1]["counts"]["accepted"] == 0
    bench.write("campaigns/bad.yaml", "campaign: bad\n")
    reported = events(bench.apply("--json").expect(65))
    assert [e["event"] for e in reported] == ["result"] and reported[0]["error"]


def test_verbose_prints_every_request_without_secrets(bench):
    result = bench.apply("--verbose", "--json").expect(0)
    lines = [line for line in result.err.splitlines() if line.startswith(("POST ", "GET "))]
    logged = bench.log.requests()
    assert len(lines) == len(logged)
    requests = [e for e in events(result) if e["event"] == "request"]
    assert len(requests) == len(logged) and {e["status"] for e in requests} == {200}
    assert any("/v1/projects/e2e/messages:send 200 " in line for line in lines)
    names = bench.fingerprints(TOKENS)
    infos = [line.split("/iid/info/")[1].split("?")[0] for line in lines if "/iid/info/" in line]
    assert len(infos) == 60 and set(infos) == set(names)
    assert "owner" not in result.err and SECRET not in result.err + result.out
    bench.herald("plan", "--refresh", "--verbose").expect(0, "GET ", "/iid/info/")
    bench.herald("validate", "--online", "--verbose").expect(0, "POST ", "messages:send 200")


def test_prints_one_line_per_phase_without_a_terminal(bench):
    result = bench.apply().expect(0)
    lines = [line for line in result.err.splitlines() if line.startswith(("people ", "call:", "news:"))]
    assert lines[0].startswith("people joins tides: 60 of 60 in "), result.err
    assert lines[1].startswith("call: 60 of 60 in ") and lines[1].endswith("; 60 accepted")
    assert lines[2].startswith("news: 1 of 1 in ")
    bench.campaign("more", "people")
    assert " of 60 in " not in bench.apply("--quiet").expect(0).err
