"""`herald registrations check` asks FCM about each registration of a list, and sends nothing."""

import gzip
import json
import re
import signal
import time
from datetime import datetime

import jsonschema
import pytest

from herald import ROOT, Emulator, Project, token

SCHEMA = ROOT / "schemas/check.schema.json"
TOKENS = [token(n) for n in range(6)]


@pytest.fixture
def bench(tmp_path):
    project = Project(tmp_path / "project", topics=["tides"])
    with Emulator(project) as emulator:
        project.emulator = emulator
        yield project


def check(project, *arguments, **options):
    return project.herald("registrations", "check", *arguments, **options)


def audience(project, tokens, name="all"):
    project.write(f"campaigns/{name}-audience.yaml", f"audience: {name}\nregistrations: {project.list(name, tokens)}\n")


def faults(project, *rules):
    project.emulator.put("/emulator/v1/faults", {"seed": 7, "rules": list(rules)})


def only_validates(project, begin=0):
    """Every send that the emulator has logged since then asked for validation only."""
    sends = [entry for entry in project.log.requests(begin) if entry["path"].endswith("/messages:send")]
    assert sends and all(send["body"]["validate_only"] is True for send in sends)


def dead(project):
    return project.rows("SELECT count(*) FROM dead")[0][0]


def test_records_dead_registrations_and_sends_nothing(bench):
    tokens = [token(n) for n in range(200)]
    gone = set(tokens[::10])
    bench.emulator.install([text for text in tokens if text not in gone])
    audience(bench, tokens + ["not-a-token"])
    result = check(bench, "all").expect(
        0, "Checked 201 registrations: 180 valid, 20 unregistered, 1 invalid.",
        "Recorded 21 dead registrations", "`herald registrations prune all`")
    assert "Check 201 registrations of all with validate_only, within 10% of the quota. Sends nothing." in result.err
    assert "Destination: local" in result.err and "201 requests" in result.err
    assert "checking registrations" in result.err
    assert len(bench.log.sends()) == 201
    only_validates(bench)
    assert dead(bench) == 21
    # Dead registrations are neither checked nor sent to again.
    check(bench, "all").expect(0, "180 valid.", "21 were dead before and not checked.")
    assert len(bench.log.sends()) == 381
    bench.campaign("call", "all")
    bench.apply().expect(0, "180 accepted, 21 dead, not addressed")
    bench.herald("registrations", "prune", "all").expect(0, "201 registrations: 21 dead, 180 live.")


def test_the_chain_records_the_command_once(bench):
    audience(bench, TOKENS)
    bench.emulator.install(TOKENS[1:])
    for _ in range(2):
        check(bench, "all").expect(0)
    assert bench.rows("SELECT count(*) FROM chain WHERE content LIKE '%herald registrations check%'") == [(1,)]


# MARK: kinds of lists


def test_installation_ids_are_sent_as_such(bench):
    bench.emulator.install(TOKENS[:3])
    bench.write("people.csv", "registration\n" + "".join(f"{text}\n" for text in TOKENS[:4]))
    bench.write("campaigns/all.yaml", "audience: all\nregistrations: { file: people.csv, kind: fid }\n")
    check(bench, "all").expect(0, "3 valid, 1 unregistered.")
    sends = bench.log.sends()
    assert sorted(send["body"]["message"]["fid"] for send in sends) == sorted(TOKENS[:4])
    assert all("token" not in send["body"]["message"] for send in sends)
    only_validates(bench)


@pytest.mark.parametrize("name, data, keys", [
    ("l.csv", "user,phone\n" + "".join(f'"a, {n}",{text}\n' for n, text in enumerate(TOKENS)), "column: phone"),
    ("l.ndjson", "".join(json.dumps({"registration": text, "user": n}) + "\n" for n, text in enumerate(TOKENS)),
     "identity: user"),
    ("l.txt", "# mine\n" + "".join(f"{text}\r\n" for text in TOKENS), "kind: token"),
], ids=["csv", "ndjson", "text"])
def test_described_lists_of_every_format_plain_and_compressed(bench, name, data, keys):
    bench.emulator.install(TOKENS[:5])
    for path, content in ((name, data.encode()), (name + ".gz", gzip.compress(data.encode()))):
        (bench.folder / path).write_bytes(content)
        bench.write("campaigns/all.yaml", f"audience: all\nregistrations: {{ file: {path}, {keys} }}\n")
        check(bench, "all").expect(0, "5 valid")
        # The path of the file has the same description.
        check(bench, path).expect(0, "5 valid.", "1 were dead before and not checked.")
    assert dead(bench) == 1
    only_validates(bench)


def test_a_pattern_is_one_list(bench):
    bench.emulator.install(TOKENS[:4])
    for number, text in enumerate(TOKENS):
        bench.write(f"lists/part-{number}.txt", f"{text}\n")
    bench.write("campaigns/all.yaml", 'audience: all\nregistrations: "lists/part-*.txt"\n')
    result = check(bench, "all").expect(0, "4 valid, 2 unregistered.", "Recorded 2 dead registrations")
    assert "prune" not in result.out, "prune needs one file"


def test_the_list_of_an_environment(bench):
    bench.emulator.install(TOKENS[:4])
    bench.write("herald.yaml", "version: 1\nproject: e2e\nenvironments:\n"
                f"  staging: {{ emulator: {{ url: '{bench.emulator.url}' }}, lists: {{ all: staging.txt }} }}\n")
    bench.write("staging.txt", f"{TOKENS[3]}\n{TOKENS[4]}\n")
    audience(bench, TOKENS[:2])
    check(bench, "all", "-e", "staging").expect(0, "1 valid, 1 unregistered.")
    assert bench.rows("SELECT count(*) FROM dead", "staging") == [(1,)]


def test_a_source_is_read_once_and_only_with_consent(bench):
    bench.emulator.install(TOKENS[:5])
    bench.write("export", "#!/bin/sh\necho run >> ran\ncat rows\n")
    (bench.folder / "export").chmod(0o755)
    bench.write("rows", "".join(f"{text}\n" for text in TOKENS))
    bench.write("herald.yaml", "version: 1\nproject: e2e\nsources:\n"
                "  vips: { command: [./export], format: text }\n  others: { command: [./missing], format: text }\n")
    bench.write("campaigns/all.yaml", "audience: all\nregistrations: { source: vips }\n---\n"
                "audience: others\nregistrations: { source: others }\n")
    check(bench, "all").expect(6, "herald.yaml asks to read the source `vips`, which you have not allowed")
    assert not (bench.folder / "ran").exists() and bench.log.requests() == []
    result = check(bench, "all", "--allow-sources").expect(0, "5 valid, 1 unregistered.")
    assert (bench.folder / "ran").read_text() == "run\n" and "prune" not in result.out
    only_validates(bench)


def test_a_list_outside_of_the_project_needs_consent(bench, tmp_path):
    bench.emulator.install(TOKENS)
    outside = tmp_path / "outside.txt"
    outside.write_text(f"{TOKENS[0]}\n")
    bench.write("campaigns/all.yaml", f"audience: all\nregistrations: {outside}\n")
    check(bench, "all").expect(65, "it is outside of the project, which needs --allow-path DIR")
    check(bench, "all", "--allow-path", tmp_path).expect(0, "1 valid.")
    # The user may name any file.
    check(bench, f"@{outside}").expect(0, "1 valid.")


def test_a_file_of_the_user_and_a_broken_list(bench):
    bench.emulator.install(TOKENS[:2])
    bench.write("phones.txt", "".join(f"{text}\n" for text in TOKENS[:3]))
    check(bench, f"@{bench.folder}/phones.txt").expect(0, "2 valid, 1 unregistered.")
    begin = len(bench.log.bytes())
    bench.write("broken.txt", f"{TOKENS[0]}\nnot a registration\n")
    check(bench, "broken.txt").expect(65, "broken.txt:2")
    bench.write("empty.txt", "\n")
    check(bench, "empty.txt").expect(65, "contains no registrations")
    check(bench, "nothing").expect(64, "there is no audience or file `nothing`")
    for share in ("0%", "101%", "10"):
        check(bench, "phones.txt", "--share", share).expect(64, "--share")
    assert bench.log.requests(begin) == []


# MARK: lists that look wrong


def test_a_list_without_live_registrations_is_not_recorded(bench):
    audience(bench, [token(n) for n in range(1_200)])
    check(bench, "all").expect(
        3, "are unregistered, invalid or of another Firebase project", "none of them was recorded as dead")
    assert dead(bench) == 0
    only_validates(bench)


def test_registrations_of_another_project_are_never_dead(bench):
    tokens = [token(n) for n in range(40)]
    bench.emulator.install(tokens)
    audience(bench, tokens)
    faults(bench, {"match": {"service": "SEND"}, "answer": {"error": "SENDER_ID_MISMATCH"}})
    check(bench, "all").expect(3, "of another Firebase project", "none of them was recorded as dead")
    faults(bench, {"match": {"registration_share": 0.5}, "answer": {"error": "SENDER_ID_MISMATCH"}})
    check(bench, "all").expect(
        0, "of another Firebase project", "Registrations of another Firebase project are not recorded as dead.")
    assert dead(bench) == 0


def test_a_complete_check_releases_a_held_send(bench):
    tokens = [token(n) for n in range(1_000)]
    bench.emulator.install(tokens)
    audience(bench, tokens)
    bench.campaign("call", "all")
    faults(bench, {"match": {"registration_share": 0.4}, "answer": {"error": "UNREGISTERED"}})
    bench.apply().expect(3, "held      call/once/1")
    bench.apply().expect(3)
    # Another list does not cover the send.
    bench.write("other.txt", "".join(f"{text}\n" for text in tokens[:400]))
    assert "Released" not in check(bench, "other.txt").expect(0).out
    begin = len(bench.log.bytes())
    check(bench, "all").expect(0, "Released call/once/1: `herald apply` resumes it.")
    only_validates(bench, begin)
    bench.apply().expect(0)
    accepted = bench.log.accepted()
    living = [text for text in tokens if accepted[text]]
    assert len(living) == 1_000 - dead(bench)
    sent = [e["body"]["message"]["token"] for e in bench.log.sends() if not e["body"].get("validate_only")]
    assert all(sent.count(text) == 1 for text in living)


# MARK: pace, interruptions and other runs


def paced(project, sends_per_minute):
    project.write("herald.yaml", "version: 1\nproject: e2e\nenvironments:\n"
                  f"  bench: {{ emulator: {{ url: '{project.emulator.url}' }}, "
                  f"pace: {{ sends_per_minute: {sends_per_minute} }} }}\n")


def test_stays_within_its_share_and_stops_in_order(bench):
    tokens = [token(n) for n in range(3_000)]
    paced(bench, 60_000)
    bench.emulator.install(tokens[1:])
    audience(bench, tokens)
    with bench.start("registrations", "check", "all", "-e", "bench") as running:
        bench.log.wait_for(150)
        # Another run may write the state in the meantime.
        bench.herald("registrations", "revive", "0123456789abcdef", "-e", "bench").expect(0)
        result = running.signal(signal.SIGINT).finish().expect(130, "Stopping: no new requests", "Checked ")
    sends = bench.log.sends()
    assert 150 <= len(sends) < 3_000
    only_validates(bench)
    # 10 % of 1,000 per second, and a burst of a quarter of a second.
    times = sorted(datetime.fromisoformat(send["time"]) for send in sends)
    assert len(times) <= 25 + 110 * ((times[-1] - times[0]).total_seconds() + 0.2)
    checked = int(re.search(r"Checked ([0-9,]+) registration", result.out)[1].replace(",", ""))
    assert checked == len(sends)
    # An interrupted check records what it has found.
    assert "1 unregistered" in result.out
    assert bench.rows("SELECT count(*) FROM dead", "bench") == [(1,)]


def test_waits_as_long_as_fcm_asks_for(bench):
    bench.emulator.install(TOKENS)
    audience(bench, TOKENS)
    faults(bench, {"match": {"service": "SEND"}, "when": {"nth": 1},
                   "answer": {"error": "QUOTA_EXCEEDED", "retry_after_seconds": 3}})
    begin = time.monotonic()
    check(bench, "all").expect(0, "6 valid.")
    assert time.monotonic() - begin >= 3
    assert [send["status"] for send in bench.log.sends()].count(429) == 1


def test_the_lock_is_needed_only_at_the_end(bench):
    tokens = [token(n) for n in range(400)]
    paced(bench, 6_000)
    bench.emulator.install(tokens)
    audience(bench, tokens)
    bench.campaign("call", "all")
    with bench.start("apply", "--yes", "-e", "bench") as running:
        bench.log.wait_for(5)
        bench.write("other.txt", f"{token(9_000)}\n{tokens[0]}\n")
        check(bench, "other.txt", "-e", "bench", "--lock-timeout", "0", "--share", "100%").expect(
            7, "another run is writing this state")
        running.signal(signal.SIGINT).finish().expect(130)
    assert bench.rows("SELECT count(*) FROM dead", "bench") == [(0,)]
    check(bench, "other.txt", "-e", "bench", "--share", "100%").expect(0, "1 valid, 1 unregistered.")


def test_a_server_that_stops_answering_is_an_error(bench):
    tokens = [token(n) for n in range(300)]
    paced(bench, 6_000)
    bench.emulator.install(tokens)
    audience(bench, tokens)
    with bench.start("registrations", "check", "all", "-e", "bench", "--share", "50%") as running:
        bench.log.wait_for(40)
        faults(bench, {"match": {"service": "SEND"}, "answer": {"error": "EXPIRED_TOKEN"}})
        result = running.finish().expect(3, "FCM refuses access", "fix the cause and run the command again")
    assert "without a conclusive answer" in result.out
    bench.emulator.kill()
    check(bench, "all", "-e", "bench").expect(1, "the server cannot be reached")


# MARK: output for programs


def test_json_matches_its_schema(bench):
    bench.emulator.install(TOKENS[:4])
    audience(bench, TOKENS)
    for options in (["--json"], ["--format", "json"]):
        document = json.loads(check(bench, "all", *options).expect(0).out)
        jsonschema.validate(document, json.loads(SCHEMA.read_text()))
    assert document == {
        "format_version": "1.0", "environment": "local", "list": "all", "end": "complete", "registrations": 6,
        "dead_before": 2, "unanswered": 0, "valid": 4, "unregistered": 0, "invalid": 0, "mismatched": 0, "refused": 0,
        "recorded": 0, "released": []}
    audience(bench, [token(n) for n in range(9_000, 9_040)])
    document = json.loads(check(bench, "all", "--json").expect(3, "none of them was recorded as dead").out)
    jsonschema.validate(document, json.loads(SCHEMA.read_text()))
    assert (document["end"], document["recorded"]) == ("suspicious", 0)
