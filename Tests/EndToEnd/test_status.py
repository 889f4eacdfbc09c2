"""`herald status`, `history`, `resolve` and `pause`, with the real binary."""

import json
import os
import re
import signal
import stat

import jsonschema
import pytest

from herald import ROOT, Emulator, Project, obey_file_modes, token

SCHEMA = json.loads((ROOT / "schemas/status.schema.json").read_text())
COUNT = 400
TOKENS = [token(n) for n in range(COUNT)]
# FCM accepts the message but the answer is lost, so the outcome is unknown.
LOST = {"match": {"service": "SEND"}, "when": {"every": 50}, "accepted": True,
        "delivery": {"reset_connection": True}}
LOST_TO_TOPICS = {"match": {"service": "SEND", "topic": "tides"}, "accepted": True,
                  "answer": {"error": "UNAVAILABLE"}}
DEAD = {"match": {"service": "SEND"}, "when": {"every": 77}, "answer": {"error": "UNREGISTERED"}}


@pytest.fixture
def bench(tmp_path):
    """A campaign to a list, and a running emulator with a phone for each registration."""
    project = Project(tmp_path / "project", "timezone: Atlantic/Azores\n", ["tides"])
    project.campaign("call", f"{{ registrations: {project.list('all', TOKENS)} }}")
    with Emulator(project) as emulator:
        emulator.install(TOKENS)
        project.emulator = emulator
        yield project


def faults(project, *rules):
    project.emulator.put("/emulator/v1/faults", {"rules": list(rules)})


def status(project, *arguments):
    document = json.loads(project.herald("status", "--format", "json", *arguments).expect(0).out)
    jsonschema.validate(document, SCHEMA)
    return document


def occurrence(project, name="call/once/1", *arguments):
    return next(o for o in status(project, *arguments)["occurrences"] if o["occurrence"] == name)


def assert_adds_up(occurrence):
    assert sum(occurrence["counts"].values()) == occurrence["requests"]
    assert len(occurrence["unknown"]) + occurrence["unknown_left_out"] == occurrence["counts"]["unknown"]


# MARK: status


def test_reports_a_missing_state_and_creates_none(project):
    project.herald("status").expect(0, "There is no state of local yet: nothing was applied.")
    assert status(project)["state"] is None
    project.herald("history").expect(0, "No run has written to this state yet.")
    project.herald("resolve", "call", "sent").expect(1, "there is no state of local yet")
    assert not (project.folder / ".herald").exists()


def test_status_works_during_an_apply_and_names_its_process(bench):
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(100)
        apply.signal(signal.SIGSTOP)
        shown = bench.herald("status").expect(0, "In progress", f"process {apply.process.pid}", "in flight")
        assert "unknown" not in shown.out
        going = occurrence(bench)
        assert going["phase"] == "under_way" and going["counts"]["in_flight"] > 0
        assert_adds_up(going)
        assert status(bench)["writer"]["process"] == apply.process.pid
        bench.herald("history").expect(0, "1  running ")
        apply.signal(signal.SIGCONT).finish().expect(0)
    ended = occurrence(bench)
    assert ended["phase"] == "finished" and ended["counts"]["accepted"] == COUNT
    bench.herald("status").expect(0, "Lock: not held", "Ended: 1 finished")


def test_status_lists_unknown_requests_of_a_killed_apply(bench):
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(100)
        bench.emulator.stop_with_unread_requests()
        apply.kill()
        bench.emulator.process.send_signal(signal.SIGCONT)
    bench.log.settle()
    shown = bench.herald("status", "--all", "call").expect(
        0, "Lock: not held", "Interrupted; the next apply resumes", "herald resolve call/once/1 sent|resend|drop")
    names = bench.fingerprints(TOKENS)
    listed = re.findall(r"^      unknown  ([0-9a-f]{16})  cut off$", shown.out, re.MULTILINE)
    cut_off = occurrence(bench)
    assert len(set(listed)) == len(listed) == cut_off["counts"]["unknown"] and set(listed) <= set(names)
    assert_adds_up(cut_off)
    sent = bench.log.accepted()
    assert all(sent[t] == 1 for t in sent)
    assert len(sent) <= cut_off["counts"]["accepted"] + len(listed)
    bench.herald("history").expect(0, "1  cut off ")
    if len(listed) > 10:
        short = bench.herald("status").expect(0, f"… and {len(listed) - 10} more; --all shows them")
        assert len(re.findall(r"^      unknown ", short.out, re.MULTILINE)) == 10
    # The next run also knows which of these were not written, and which answers were read.
    unknown = re.findall(r"^  unknown   call/once/1  ([0-9a-f]{16})  cut off$", bench.apply().expect(4).out, re.MULTILINE)
    assert 1 <= len(set(unknown)) and set(unknown) <= set(listed)
    bench.herald("history", 1).expect(0, "Run 1  cut off", "call/once/1  to 400 registrations")
    bench.herald("history", 2).expect(0, "an earlier run was cut off", f"{len(set(unknown))} unknown")


def test_status_reads_a_read_only_state(bench):
    bench.apply().expect(0)
    state = bench.folder / ".herald/local.sqlite"
    folder = state.parent
    before = {path: path.stat().st_mode for path in [folder, state]}
    os.chmod(state, stat.S_IRUSR)
    os.chmod(folder, stat.S_IRUSR | stat.S_IXUSR)
    try:
        bench.herald("status", preexec_fn=obey_file_modes).expect(0, "Ended: 1 finished")
        bench.herald("history", preexec_fn=obey_file_modes).expect(0, "400 accepted")
        bench.herald("pause", preexec_fn=obey_file_modes).expect(1, "cannot be written")
    finally:
        for path, mode in before.items():
            os.chmod(path, mode)


def test_status_works_with_invalid_campaign_files(bench):
    bench.apply().expect(0)
    bench.write("campaigns/broken.yaml", "campaign: [\n")
    bench.herald("status").expect(0, "Ended: 1 finished")
    bench.herald("pause", "call").expect(0, "Paused: call is not sent")
    bench.write("herald.yaml", "version: [\n")
    bench.herald("status").expect(0, "Ended: 1 finished")
    bench.herald("status", "-e", "other").expect(65, "herald validate")
    (bench.folder / "herald.yaml").unlink()
    bench.herald("status").expect(1, "there is no herald.yaml here")


def test_status_shows_scheduled_occurrences_in_local_time(project):
    project.write("herald.yaml", "version: 1\nproject: e2e\ntimezone: Atlantic/Azores\ntopics: { tides: {} }\n")
    project.campaign("later", "{ topic: tides }", schedule="2037-03-20 07:30")
    project.apply(now="2037-03-20T05:30:00Z").expect(0)
    project.herald("status", now="2037-03-20T05:30:00Z").expect(
        0, "Scheduled", "later/once/1  2037-03-20 07:30 Atlantic/Azores (2037-03-20T08:30:00Z, in 3 h)")


def test_unknown_campaign_or_environment_exits_with_64(bench):
    bench.apply().expect(0)
    bench.herald("status", "cal").expect(64, "did you mean `call`?")
    bench.herald("pause", "cal").expect(64, "did you mean `call`?")
    bench.herald("status", "-e", "lokal").expect(64, "did you mean `local`?")
    bench.herald("resolve", "cal", "sent").expect(64, "did you mean `call`?")
    bench.herald("resolve", "call", "perhaps").expect(64)
    bench.herald("history", 9).expect(64, "the newest run is 1")
    bench.herald("history", "--limit", 0).expect(64)
    bench.herald("history", "--ids").expect(64)


# MARK: resolve


def lose_some(project):
    """Applies with lost answers and returns the number of unknown requests."""
    faults(project, LOST, DEAD)
    project.apply().expect(4)
    project.emulator.ask("DELETE", "/emulator/v1/faults")
    count = occurrence(project)["counts"]["unknown"]
    assert count > 0
    return count


def test_next_apply_sends_requests_resolved_as_resend_once(bench):
    count = lose_some(bench)
    unknown = {p["registration"] for p in occurrence(bench, "call/once/1", "--all")["unknown"]}
    names = bench.fingerprints(TOKENS)
    shown = bench.herald("resolve", "call", "resend", "--yes")
    shown.expect(0, f"{count} unknown request", "will be sent again", f"Resolved call/once/1: {count} request")
    before = bench.log.accepted()
    bench.apply().expect(0, "resumes with its original message", f"{count} accepted")
    again = bench.log.accepted() - before
    assert again == {names[fingerprint]: 1 for fingerprint in unknown}
    bench.apply().expect(0, "No changes.")
    assert occurrence(bench)["counts"]["unknown"] == 0


@pytest.mark.parametrize("resolution, outcome", [("sent", "accepted"), ("drop", "cancelled")])
def test_resolving_as_sent_or_drop_sends_nothing(bench, resolution, outcome):
    count = lose_some(bench)
    before, counts = bench.log.bytes(), occurrence(bench)["counts"]
    bench.herald("resolve", "call/once/1", resolution, "--yes").expect(0, "Resolved call/once/1")
    bench.apply().expect(0, "No changes.")
    assert [e for e in bench.log.requests(len(before)) if e["path"].endswith("messages:send")] == []
    after = occurrence(bench)["counts"]
    assert after["unknown"] == 0 and after[outcome] == counts[outcome] + count
    bench.herald("history").expect(0, f"herald resolve call/once/1 {resolution}")
    bench.herald("resolve", "call/once/1", "sent", "--yes").expect(1, "call/once/1 has no unknown outcomes")
    bench.herald("resolve", "call", "sent", "--yes").expect(1, "call has no unknown outcomes and is not held")


def test_resolved_topic_send_is_sent_again(bench):
    bench.campaign("tide", "{ topic: tides }")
    faults(bench, LOST_TO_TOPICS)
    bench.apply().expect(4)
    bench.herald("status").expect(0, "Stopped at an unknown outcome", "tide/once/1  topic tides: 1 unknown",
                                  "503 UNAVAILABLE")
    bench.emulator.ask("DELETE", "/emulator/v1/faults")
    bench.herald("resolve", "tide", "resend", "--yes").expect(0)
    bench.apply().expect(0, "1 accepted")
    run = json.loads(bench.herald("history", "--format", "json").expect(0).out)["runs"][0]["run"]
    bench.herald("history", run).expect(0, "tide/once/1  to topic tides: 1 accepted", "message  projects/")
    assert bench.log.accepted()["tides"] == 1


def test_resolve_requires_yes_without_a_terminal(bench):
    lose_some(bench)
    before = occurrence(bench)
    for arguments in [(), ("--no-input",)]:
        bench.herald("resolve", "call", "drop", *arguments).expect(64, "give --yes to resolve without confirmation")
    assert occurrence(bench) == before


def test_running_apply_performs_a_requested_resolution(bench):
    count = lose_some(bench)
    bench.campaign("second", f"{{ registrations: {bench.list('second', TOKENS)} }}")
    begun = bench.log.count()
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(begun + 50)
        # The apply is waiting for answers, not in the middle of a write.
        bench.emulator.process.send_signal(signal.SIGSTOP)
        bench.herald("resolve", "call", "drop", "--yes").expect(
            0, "Requested for call/once/1", f"process {apply.process.pid}")
        bench.herald("resolve", "call", "sent", "--yes").expect(1, "already has a requested resolution: drop")
        bench.herald("status").expect(0, "Requested; the run with the lock performs it", "call/once/1  drop of")
        assert status(bench)["resolutions"][0]["unknown"] == count
        bench.emulator.process.send_signal(signal.SIGCONT)
        ended = apply.finish()
        ended.expect(0, f"resolved  call/once/1  {count} unknown request")
    assert occurrence(bench)["counts"]["cancelled"] == count
    assert status(bench)["resolutions"] == []


def test_cannot_resolve_an_occurrence_that_is_being_sent(bench):
    bench.emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "SEND"}, "when": {"nth": 20}, "delivery": {"reset_connection": True}}]})
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(300)
        bench.emulator.process.send_signal(signal.SIGSTOP)
        bench.herald("resolve", "call", "sent", "--yes").expect(1, "call/once/1 is being sent", "herald pause")
        bench.emulator.process.send_signal(signal.SIGCONT)
        apply.finish().expect(4)
    assert status(bench)["resolutions"] == []
    bench.herald("resolve", "call", "sent", "--yes").expect(0, "counted as accepted")


def test_next_apply_performs_the_resolution_after_a_kill(bench):
    count = lose_some(bench)
    bench.campaign("second", f"{{ registrations: {bench.list('second', TOKENS)} }}")
    begun = bench.log.count()
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(begun + 50)
        # The apply is waiting for answers, not in the middle of a write.
        bench.emulator.process.send_signal(signal.SIGSTOP)
        bench.herald("resolve", "call", "sent", "--yes").expect(0, "Requested for call/once/1")
        apply.kill()
    bench.emulator.process.send_signal(signal.SIGCONT)
    bench.herald("status").expect(0, "Requested; the next apply performs it")
    bench.apply().expect(4, f"resolved  call/once/1  {count} unknown request")
    assert occurrence(bench)["counts"]["unknown"] == 0


def test_cannot_resend_an_expired_message(bench):
    bench.write("campaigns/call.yaml", (bench.folder / "campaigns/call.yaml").read_text() + "delivery: { ttl: 1h }\n")
    faults(bench, LOST)
    bench.apply(now="2037-03-20T08:00:00Z").expect(4)
    bench.herald("resolve", "call", "resend", "--yes", now="2037-03-20T10:00:00Z").expect(
        1, "has expired, so nothing would be sent", "`sent` or `drop`")
    bench.herald("resolve", "call", "drop", "--yes", now="2037-03-20T10:00:00Z").expect(0)


# MARK: pause


def test_pause_stops_all_sends_until_lifted(bench):
    bench.herald("pause").expect(0, "Paused: nothing is sent, joined or left until `herald resume`.")
    bench.herald("pause").expect(0, "Already paused, by")
    bench.herald("status").expect(0, "Paused: everything, by", "`herald resume`")
    bench.apply().expect(3)
    assert bench.log.accepted() == {}
    bench.herald("resume").expect(0, "The pause of everything is lifted")
    bench.herald("resume").expect(0, "Not paused: everything.")
    bench.apply().expect(0, "400 accepted")
    assert bench.log.accepted() == {t: 1 for t in TOKENS}


def test_pause_stops_a_running_apply_and_the_next_resumes(bench):
    bench.emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "SEND"}, "delivery": {"delay_milliseconds": 150}}]})
    # 25 rounds of 150 ms, so that a pause comes in time.
    with bench.start("apply", "--yes", "--parallelism", 16) as apply:
        bench.log.wait_for(64)
        bench.herald("pause", "call").expect(0, "Paused: call is not sent")
        apply.finish().expect(3)
    sent = bench.log.accepted()
    assert 0 < len(sent) < COUNT
    stopped = occurrence(bench)
    assert stopped["paused"] and stopped["counts"]["unknown"] == 0
    assert_adds_up(stopped)
    bench.herald("status").expect(0, "Interrupted; the next apply resumes", "not sent  paused")
    bench.emulator.ask("DELETE", "/emulator/v1/faults")
    bench.herald("resume", "call").expect(0, "The pause of call is lifted: the next apply resumes.")
    bench.apply().expect(0, "resumes with its original message")
    assert bench.log.accepted() == {t: 1 for t in TOKENS}


def test_pause_of_one_campaign_does_not_affect_others(bench):
    bench.campaign("tide", "{ topic: tides }")
    bench.herald("pause", "call").expect(0)
    bench.apply().expect(3, "paused    call/once/1  until `herald resume call`")
    assert bench.log.accepted() == {"tides": 1}
    quiet = bench.apply("--quiet").expect(3)
    assert quiet.out == ""
    assert quiet.err.endswith(
        "Not everything was done: 1 paused send (lift the pause with `herald resume call`). Details: `herald status`.\n")
    bench.herald("resume", "call").expect(0)
    bench.apply().expect(0, "400 accepted")


# MARK: history


def test_run_records_rejected_and_unknown_requests(bench):
    count = lose_some(bench)
    run = json.loads(bench.herald("history", 1, "--format", "json").expect(0).out)["run"]
    assert run["status"] == "complete" and run["counts"]["unknown"] == count
    problems = run["sendings"][0]["problems"]
    names = bench.fingerprints(TOKENS)
    unknown = [p["registration"] for p in problems if p["kind"] == "unknown"]
    assert len(unknown) == count and set(unknown) <= set(names)
    rejected = [p for p in problems if p["kind"] == "rejected"]
    assert {p["reason"] for p in rejected} == {"UNREGISTERED"}
    assert {p["registration"] for p in rejected} <= set(names)
    bench.herald("history", 1).expect(0, "Run 1  complete", "UNREGISTERED", f"  unknown    {unknown[0]}  ")


def test_stopped_run_records_its_cause(bench):
    faults(bench, {"match": {"service": "SEND"}, "when": {"from": 5}, "answer": {"error": "SERVICE_DISABLED"}})
    bench.apply().expect(3)
    bench.herald("history").expect(0, "stopped ", "FCM refuses access: 403")


def test_records_message_ids_if_the_campaign_requests_it(bench):
    bench.campaign("plain", f"{{ registrations: {bench.list('few', TOKENS[:3])} }}")
    bench.apply().expect(0)
    bench.herald("history", 1, "--ids").expect(1, "recorded no message IDs", "`record: ids`")
    bench.campaign("kept", f"{{ registrations: {bench.list('kept', TOKENS[:50])} }}")
    bench.write("campaigns/kept.yaml", (bench.folder / "campaigns/kept.yaml").read_text() + "record: ids\n")
    before = len(bench.log.bytes())
    bench.apply().expect(0, "50 accepted")
    lines = bench.herald("history", 2, "--ids").expect(0).out.splitlines()
    names = bench.fingerprints(TOKENS)
    found = {names[line.split()[0]]: line.split()[1] for line in lines}
    answered = {e["body"]["message"]["token"]: e["answer"]["name"] for e in bench.log.requests(before)
                if e["path"].endswith("messages:send")}
    assert found == answered and len(lines) == 50
