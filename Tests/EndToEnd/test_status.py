"""What `herald status`, `history`, `resolve` and `pause` show and do, with the real binary."""

import json
import os
import re
import signal
import stat
import subprocess

import pytest

from herald import Emulator, Project, token

COUNT = 400
TOKENS = [token(n) for n in range(COUNT)]
# The answer is lost after the work was done: nobody can say whether FCM took it.
LOST = {"match": {"service": "SEND"}, "when": {"every": 50}, "accepted": True,
        "delivery": {"reset_connection": True}}
LOST_TO_TOPICS = {"match": {"service": "SEND", "topic": "tides"}, "accepted": True,
                  "answer": {"error": "UNAVAILABLE"}}
DEAD = {"match": {"service": "SEND"}, "when": {"every": 77}, "answer": {"error": "UNREGISTERED"}}


@pytest.fixture
def bench(tmp_path):
    """A campaign to a list and a running emulator with a phone for each."""
    project = Project(tmp_path / "project", "timezone: Atlantic/Azores\n", ["tides"])
    project.campaign("call", f"{{ registrations: {project.list('all', TOKENS)} }}")
    with Emulator(project) as emulator:
        emulator.install(TOKENS)
        project.emulator = emulator
        yield project


def faults(project, *rules):
    project.emulator.put("/emulator/v1/faults", {"rules": list(rules)})


def status(project, *arguments):
    return json.loads(project.herald("status", "--format", "json", *arguments).expect(0).out)


def occurrence(project, name="call/once/1", *arguments):
    return next(o for o in status(project, *arguments)["occurrences"] if o["occurrence"] == name)


def assert_adds_up(occurrence):
    assert sum(occurrence["counts"].values()) == occurrence["requests"]
    assert len(occurrence["unknown"]) + occurrence["unknown_left_out"] == occurrence["counts"]["unknown"]


# MARK: status


def test_a_missing_state_says_so_and_none_is_made(project):
    project.herald("status").expect(0, "There is no state of local yet: nothing was applied.")
    assert status(project)["state"] is None
    project.herald("history").expect(0, "No run has written to this state yet.")
    project.herald("resolve", "call", "sent").expect(1, "there is no state of local yet")
    assert not (project.folder / ".herald").exists()


def test_status_works_while_an_apply_runs_and_names_it(bench):
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(100)
        apply.signal(signal.SIGSTOP)
        shown = bench.herald("status").expect(0, "Under way", f"process {apply.process.pid}", "in flight")
        assert "unknown" not in shown.out
        going = occurrence(bench)
        assert going["phase"] == "under_way" and going["counts"]["in_flight"] > 0
        assert_adds_up(going)
        assert status(bench)["writer"]["process"] == apply.process.pid
        bench.herald("history").expect(0, "1  running ")
        apply.signal(signal.SIGCONT).finish().expect(0)
    ended = occurrence(bench)
    assert ended["phase"] == "finished" and ended["counts"]["accepted"] == COUNT
    bench.herald("status").expect(0, "Writing: nobody", "Ended: 1 finished")


def test_a_killed_apply_leaves_unknown_requests_that_status_lists_by_fingerprint(bench):
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(100)
        apply.kill()
    shown = bench.herald("status", "--all", "call").expect(
        0, "Writing: nobody", "Begun; the next apply goes on", "herald resolve call/once/1 sent|resend|drop")
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
    bench.apply().expect(4)
    bench.herald("history", 1).expect(0, "Run 1  cut off", "call/once/1  to 400 registrations")
    bench.herald("history", 2).expect(0, "an earlier run was cut off", f"{len(listed)} unknown")


def test_status_reads_a_state_that_cannot_be_written(bench):
    bench.apply().expect(0)
    state = bench.folder / ".herald/local.sqlite"
    folder = state.parent
    before = {path: path.stat().st_mode for path in [folder, state]}
    os.chmod(state, stat.S_IRUSR)
    os.chmod(folder, stat.S_IRUSR | stat.S_IXUSR)
    # Modes do not bind root; the immutable flag does, where the file system has it.
    if os.geteuid() == 0:
        subprocess.run(["chattr", "+i", folder, state], capture_output=True)
    try:
        bench.herald("status").expect(0, "Ended: 1 finished")
        bench.herald("history").expect(0, "400 accepted")
        bench.herald("pause").expect(1, "can't be written")
    finally:
        if os.geteuid() == 0:
            subprocess.run(["chattr", "-i", folder, state], capture_output=True)
        for path, mode in before.items():
            os.chmod(path, mode)


def test_status_needs_no_campaign_file_that_is_right(bench):
    bench.apply().expect(0)
    bench.write("campaigns/broken.yaml", "campaign: [\n")
    bench.herald("status").expect(0, "Ended: 1 finished")
    bench.herald("pause", "call").expect(0, "Paused: nothing of call")
    bench.write("herald.yaml", "version: [\n")
    bench.herald("status").expect(0, "Ended: 1 finished")
    bench.herald("status", "-e", "other").expect(65, "herald validate")
    (bench.folder / "herald.yaml").unlink()
    bench.herald("status").expect(1, "there is no herald.yaml here")


def test_status_shows_what_is_scheduled_in_local_time(project):
    project.write("herald.yaml", "version: 1\nproject: e2e\ntimezone: Atlantic/Azores\ntopics: { tides: {} }\n")
    project.campaign("later", "{ topic: tides }", schedule="2037-03-20 07:30")
    project.apply(now="2037-03-20T05:30:00Z").expect(0)
    project.herald("status", now="2037-03-20T05:30:00Z").expect(
        0, "Scheduled", "later/once/1  2037-03-20 07:30 Atlantic/Azores (2037-03-20T08:30:00Z, in 3 h)")


def test_an_unknown_campaign_or_environment_is_wrong_use(bench):
    bench.apply().expect(0)
    bench.herald("status", "cal").expect(64, "did you mean `call`?")
    bench.herald("pause", "cal").expect(64, "did you mean `call`?")
    bench.herald("status", "-e", "lokal").expect(64, "did you mean `local`?")
    bench.herald("resolve", "cal", "sent").expect(64, "did you mean `call`?")
    bench.herald("resolve", "call", "perhaps").expect(64)
    bench.herald("history", 9).expect(64, "the newest is 1")
    bench.herald("history", "--limit", 0).expect(64)
    bench.herald("history", "--ids").expect(64)


# MARK: resolve


def lose_some(project):
    """Applies with answers that get lost; gives how many are unknown."""
    faults(project, LOST, DEAD)
    project.apply().expect(4)
    project.emulator.ask("DELETE", "/emulator/v1/faults")
    count = occurrence(project)["counts"]["unknown"]
    assert count > 0
    return count


def test_what_is_resent_is_sent_once_more_by_the_next_apply(bench):
    count = lose_some(bench)
    unknown = {p["registration"] for p in occurrence(bench, "call/once/1", "--all")["unknown"]}
    names = bench.fingerprints(TOKENS)
    shown = bench.herald("resolve", "call", "resend", "--yes")
    shown.expect(0, f"{count} unknown request", "will be sent again", f"Resolved call/once/1: {count} request")
    before = bench.log.accepted()
    bench.apply().expect(0, "goes on where it stopped", f"{count} accepted")
    again = bench.log.accepted() - before
    assert again == {names[fingerprint]: 1 for fingerprint in unknown}
    bench.apply().expect(0, "Nothing to do")
    assert occurrence(bench)["counts"]["unknown"] == 0


@pytest.mark.parametrize("resolution, outcome", [("sent", "accepted"), ("drop", "cancelled")])
def test_what_is_settled_without_sending_sends_nothing(bench, resolution, outcome):
    count = lose_some(bench)
    before, counts = bench.log.bytes(), occurrence(bench)["counts"]
    bench.herald("resolve", "call/once/1", resolution, "--yes").expect(0, "Resolved call/once/1")
    bench.apply().expect(0, "Nothing to do")
    assert [e for e in bench.log.requests(len(before)) if e["path"].endswith("messages:send")] == []
    after = occurrence(bench)["counts"]
    assert after["unknown"] == 0 and after[outcome] == counts[outcome] + count
    bench.herald("history").expect(0, f"herald resolve call/once/1 {resolution}")
    bench.herald("resolve", "call/once/1", "sent", "--yes").expect(1, "nothing of call/once/1 is unknown")
    bench.herald("resolve", "call", "sent", "--yes").expect(1, "nothing of call is unknown or held")


def test_a_topic_that_stopped_goes_on_or_ends_as_resolved(bench):
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


def test_nobody_is_asked_without_a_terminal(bench):
    lose_some(bench)
    before = occurrence(bench)
    for arguments in [(), ("--no-input",)]:
        bench.herald("resolve", "call", "drop", *arguments).expect(64, "give --yes to resolve without asking")
    assert occurrence(bench) == before


def test_while_somebody_writes_he_is_asked_and_does_it_before_he_ends(bench):
    count = lose_some(bench)
    bench.campaign("second", f"{{ registrations: {bench.list('second', TOKENS)} }}")
    begun = bench.log.count()
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(begun + 50)
        # The apply waits for answers, and not in the middle of a write.
        bench.emulator.process.send_signal(signal.SIGSTOP)
        bench.herald("resolve", "call", "drop", "--yes").expect(
            0, "Asked for call/once/1", f"process {apply.process.pid}")
        bench.herald("resolve", "call", "sent", "--yes").expect(1, "is to be resolved already: drop")
        bench.herald("status").expect(0, "Asked for; the run that is writing does it", "call/once/1  drop of")
        assert status(bench)["resolutions"][0]["unknown"] == count
        bench.emulator.process.send_signal(signal.SIGCONT)
        ended = apply.finish()
        ended.expect(0, f"resolved  call/once/1  {count} unknown request")
    assert occurrence(bench)["counts"]["cancelled"] == count
    assert status(bench)["resolutions"] == []


def test_what_still_changes_is_not_settled(bench):
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


def test_what_a_dead_writer_was_asked_for_the_next_apply_does(bench):
    count = lose_some(bench)
    bench.campaign("second", f"{{ registrations: {bench.list('second', TOKENS)} }}")
    begun = bench.log.count()
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(begun + 50)
        # The apply waits for answers, and not in the middle of a write.
        bench.emulator.process.send_signal(signal.SIGSTOP)
        bench.herald("resolve", "call", "sent", "--yes").expect(0, "Asked for call/once/1")
        apply.kill()
    bench.emulator.process.send_signal(signal.SIGCONT)
    bench.herald("status").expect(0, "Asked for; the next apply does it")
    bench.apply().expect(4, f"resolved  call/once/1  {count} unknown request")
    assert occurrence(bench)["counts"]["unknown"] == 0


def test_a_message_that_outlived_its_time_is_not_sent_again(bench):
    bench.write("campaigns/call.yaml", (bench.folder / "campaigns/call.yaml").read_text() + "delivery: { ttl: 1h }\n")
    faults(bench, LOST)
    bench.apply(now="2037-03-20T08:00:00Z").expect(4)
    bench.herald("resolve", "call", "resend", "--yes", now="2037-03-20T10:00:00Z").expect(
        1, "has outlived its time, so nothing would be sent", "`sent` or `drop`")
    bench.herald("resolve", "call", "drop", "--yes", now="2037-03-20T10:00:00Z").expect(0)


# MARK: pause


def test_a_pause_keeps_everything_from_being_sent_until_it_is_lifted(bench):
    bench.herald("pause").expect(0, "Paused: nothing is sent until `herald pause --off`.")
    bench.herald("pause").expect(0, "Paused already, by")
    bench.herald("status").expect(0, "Paused: everything, by", "`herald pause --off`")
    bench.apply().expect(3)
    assert bench.log.accepted() == {}
    bench.herald("pause", "--off").expect(0, "The pause of everything is lifted")
    bench.herald("pause", "--off").expect(0, "There is no pause of everything.")
    bench.apply().expect(0, "400 accepted")
    assert bench.log.accepted() == {t: 1 for t in TOKENS}


def test_a_pause_stops_a_running_apply_and_the_next_goes_on(bench):
    bench.emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "SEND"}, "delivery": {"delay_milliseconds": 150}}]})
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(64)
        bench.herald("pause", "call").expect(0, "Paused: nothing of call is sent")
        apply.finish().expect(3)
    sent = bench.log.accepted()
    assert 0 < len(sent) < COUNT
    stopped = occurrence(bench)
    assert stopped["paused"] and stopped["counts"]["unknown"] == 0
    assert_adds_up(stopped)
    bench.herald("status").expect(0, "Begun; the next apply goes on", "not sent  paused")
    bench.emulator.ask("DELETE", "/emulator/v1/faults")
    bench.herald("pause", "--off", "call").expect(0, "The pause of call is lifted: the next apply goes on.")
    bench.apply().expect(0, "goes on where it stopped")
    assert bench.log.accepted() == {t: 1 for t in TOKENS}


def test_a_pause_of_a_campaign_leaves_the_others_alone(bench):
    bench.campaign("tide", "{ topic: tides }")
    bench.herald("pause", "call").expect(0)
    bench.apply().expect(3)
    assert bench.log.accepted() == {"tides": 1}


# MARK: history


def test_a_run_keeps_what_was_refused_and_not_answered_with_their_fingerprints(bench):
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


def test_a_run_that_stopped_keeps_its_cause(bench):
    faults(bench, {"match": {"service": "SEND"}, "when": {"from": 5}, "answer": {"error": "SERVICE_DISABLED"}})
    bench.apply().expect(3)
    bench.herald("history").expect(0, "stopped ", "FCM refuses access: 403")


def test_ids_are_kept_where_the_campaign_says_so(bench):
    bench.campaign("plain", f"{{ registrations: {bench.list('few', TOKENS[:3])} }}")
    bench.apply().expect(0)
    bench.herald("history", 1, "--ids").expect(1, "recorded no ids", "`record: ids`")
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
