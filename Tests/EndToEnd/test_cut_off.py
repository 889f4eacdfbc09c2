"""After any kill, disconnect or interrupt, no request is repeated or dropped silently."""

import json
import random
import re
import signal

import pytest

from herald import SOAK, Emulator, Project, token

COUNT = 2_000
TOKENS = [token(n) for n in range(COUNT)]
# Twice the number of requests that may be open at once.
MOST_UNKNOWN = 128


@pytest.fixture
def bench(tmp_path):
    """A project with 2,000 single sends, and a running emulator with a phone for each."""
    project = Project(tmp_path / "project")
    project.campaign("call", f"{{ registrations: {project.list('all', TOKENS)} }}")
    with Emulator(project) as emulator:
        emulator.install(TOKENS)
        project.emulator = emulator
        yield project
        emulator = project.emulator
    if emulator.process.poll() is None:
        emulator.__exit__()


def unknown_fingerprints(text):
    return re.findall(r"^  unknown   call/once/1  ([0-9a-f]{16})  ", text, re.MULTILINE)


def unknown_tokens(project, text):
    """Returns the registrations that herald's output lists as unknown. Each may appear only once."""
    found = unknown_fingerprints(text)
    assert len(found) == len(set(found))
    names = project.fingerprints(TOKENS)
    return {names[fingerprint] for fingerprint in found}


def unknown_of_interrupted(project, result):
    """Returns what an apply after a killed one lists as unknown.

    It may be nothing: between two commits, no request is open.
    """
    unknown = unknown_tokens(project, result.out.split("Plan for")[0])
    result.expect(4 if unknown else 0, "An earlier run was interrupted")
    return unknown


def assert_no_loss_and_no_duplicate(project, unknown):
    """Checks the emulator's log. `unknown` has the registrations that an apply listed as unknown."""
    accepted = project.log.accepted()
    assert {t for t, times in accepted.items() if times > 1} == set()
    assert set(TOKENS) - set(accepted) <= unknown
    assert set(accepted) <= set(TOKENS)


def assert_ledger_adds_up(project, unknown):
    """Checks that every registration is either accepted, or unknown and listed."""
    rows = project.rows("SELECT count, accepted, unknown, intended, returned FROM units")
    assert rows == [(COUNT, COUNT - len(unknown), len(unknown), 0, 0)]


# MARK: kill the emulator


@pytest.mark.parametrize("seed", range(3 * SOAK))
def test_emulator_restart_leaves_only_requests_in_flight_unknown(bench, seed):
    with bench.start("apply", "--yes", "--parallelism", "64") as apply:
        bench.log.wait_for(random.Random(seed).randint(200, 1_500))
        bench.emulator.kill()
        with Emulator(bench, port=bench.emulator.port):
            first = apply.finish()
            # Nothing is lost if no request was in flight at the kill.
            assert first.code in (0, 3, 4), first
            unknown = unknown_tokens(bench, first.out)
            assert len(unknown) <= MOST_UNKNOWN
            assert (first.code == 4) == bool(unknown)
            if "the server stopped answering" in first.err:
                # The run stopped because too many connections were cut; the next run resumes it.
                bench.apply().expect(4 if unknown else 0, "resumes with its original message")
            bench.apply().expect(0, "No changes.")
    assert_no_loss_and_no_duplicate(bench, unknown)
    assert_ledger_adds_up(bench, unknown)


def test_next_apply_finishes_after_an_unreachable_emulator(bench):
    with bench.start("apply", "--yes", "--parallelism", "64") as apply:
        bench.log.wait_for(random.Random(7).randint(200, 1_500))
        bench.emulator.kill()
        first = apply.finish()
    assert first.code in (3, 4), first
    assert "error: the server stopped answering" in first.err and "apply again" in first.err, first
    unknown = unknown_tokens(bench, first.out)
    assert (first.code == 4) == bool(unknown) and len(unknown) <= MOST_UNKNOWN
    with Emulator(bench, port=bench.emulator.port):
        second = bench.apply()
        # Unknown requests are among those of the resumed send.
        assert second.code == (4 if unknown else 0), second
        assert unknown_tokens(bench, second.out) <= unknown
        bench.apply().expect(0, "No changes.")
    assert_no_loss_and_no_duplicate(bench, unknown)
    assert_ledger_adds_up(bench, unknown)


# MARK: kill herald


@pytest.mark.parametrize("seed", range(2 * SOAK))
def test_repeated_kills_never_duplicate_and_list_unknown_requests(bench, seed):
    chance = random.Random(seed)
    unknown = set()
    listed = set()
    for kill in range(5):
        before = bench.log.settle()
        with bench.start("apply", "--yes", "--parallelism", "64") as apply:
            bench.log.wait_for(before + chance.randint(1, 300))
            out, _ = apply.kill()
        if kill > 0:
            unknown |= newly_unknown(bench, out, unknown)
            assert unknown == listed
        # The status reads the notes of the killed run, as the next run does.
        listed = unknown_in_status(bench)
    last = bench.apply()
    unknown |= newly_unknown(bench, last.out, unknown)
    assert unknown == listed
    last.expect(4 if unknown else 0, "An earlier run was interrupted")
    bench.apply().expect(0, "No changes.")
    assert_no_loss_and_no_duplicate(bench, unknown)
    assert_ledger_adds_up(bench, unknown)


def unknown_in_status(project):
    status = json.loads(project.herald("status", "--all", "--format", "json").expect(0).out)
    [occurrence] = status["occurrences"]
    names = project.fingerprints(TOKENS)
    found = {names[problem["registration"]] for problem in occurrence["unknown"]}
    assert len(found) == len(occurrence["unknown"]) == occurrence["counts"]["unknown"]
    return found


def newly_unknown(project, text, before):
    """Returns what the run after a kill lists as unknown; nothing if all answers had been read."""
    head = text.split("Plan for")[0]
    assert "An earlier run was interrupted" in head, text
    found = unknown_tokens(project, head)
    count = len(found)
    left = f"left {count} request{'s' if count > 1 else ''} with an unknown outcome"
    assert (left if count else "The outcomes of all its requests are known.") in " ".join(head.split()), text
    assert count <= MOST_UNKNOWN and not found & before
    return found


def test_plan_after_a_kill_sends_nothing_and_lists_resumed_work(bench):
    with bench.start("apply", "--yes", "--parallelism", "64") as apply:
        bench.log.wait_for(300)
        apply.kill()
    bench.log.settle()
    before = bench.log.bytes()
    bench.herald("plan", "--detailed-exitcode").expect(2, "resumes with its original message")
    assert bench.log.bytes() == before


def test_plan_after_a_kill_counts_what_an_edited_list_does_not_change(bench):
    """The plan's numbers equal those of the requests that the emulator logs afterwards."""
    with bench.start("apply", "--yes", "--parallelism", "64") as apply:
        bench.log.wait_for(300)
        apply.kill()
    bench.log.settle()
    sent = set(bench.log.accepted())
    first, last = TOKENS[:2], TOKENS[-4:]
    assert set(first) <= sent and not sent & set(last)
    assert "edited-list" not in {notice["notice"] for notice in bench.plan()["notices"]}
    added = [token(n, "new") for n in range(5)]
    bench.emulator.install(added)
    bench.list("all", TOKENS[2:-4] + added)
    [notice] = [notice for notice in bench.plan()["notices"] if notice["notice"] == "edited-list"]
    names = bench.fingerprints(TOKENS)
    assert notice["occurrence"] == "call/once/1"
    assert [names[fingerprint] for fingerprint in notice["removed"]["fingerprints"]] == last
    assert notice["added"] == len(added)
    shown = ", ".join(f"`{fingerprint}`" for fingerprint in notice["removed"]["fingerprints"][:3])
    for view in ("text", "markdown"):
        bench.herald("plan", "--format", view).expect(
            0, f"its list has changed since the send began: {notice['remaining']:,} requests to the original list "
            f"remain, 4 of them to registrations that are no longer in the list ({shown} and 1 more); "
            "5 registrations are new in the list and get nothing")
    bench.herald("plan", "--format", "html").expect(
        0, f"<li>its list has changed since the send began: {notice['remaining']:,} requests to the original list")
    before = len(bench.log.bytes())
    unknown = unknown_tokens(bench, bench.apply().out.split("Plan for")[0])
    later = [entry["body"]["message"]["token"] for entry in bench.log.changes(before)]
    assert len(later) == len(set(later)) == notice["remaining"]
    assert set(last) <= set(later) and not set(later) & (sent | set(added))
    assert_no_loss_and_no_duplicate(bench, unknown)
    assert "edited-list" not in {notice["notice"] for notice in bench.plan()["notices"]}


# MARK: interrupt herald


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_apply_exits_130_and_the_next_sends_the_rest(bench, number):
    with bench.start("apply", "--yes", "--parallelism", "64") as apply:
        bench.log.wait_for(random.Random(number).randint(100, 1_000))
        stopped = apply.signal(number).finish(15).expect(130, "interrupted")
    assert unknown_fingerprints(stopped.out) == []
    sent = bench.log.accepted()
    assert 100 <= sum(sent.values()) < COUNT
    second = bench.apply().expect(0, "Applied")
    assert "cut off" not in second.out and "unknown" not in second.out
    bench.apply().expect(0, "No changes.")
    assert bench.log.accepted() == {t: 1 for t in TOKENS}


def test_second_interrupt_exits_at_once_with_a_correct_ledger(bench):
    with bench.start("apply", "--yes", "--parallelism", "64") as apply:
        bench.log.wait_for(300)
        bench.emulator.stop_with_unread_requests()
        apply.signal(signal.SIGINT)
        while "Stopping" not in apply.texts()[1]:
            assert apply.process.poll() is None
        apply.signal(signal.SIGINT)
        code = apply.process.wait(5)
        bench.emulator.process.send_signal(signal.SIGCONT)
    assert code == 130
    unknown = unknown_of_interrupted(bench, bench.apply())
    assert 1 <= len(unknown) <= MOST_UNKNOWN
    assert_no_loss_and_no_duplicate(bench, unknown)


def test_interrupt_abandons_requests_after_the_drain_timeout(bench):
    """The stopped emulator may still accept requests in its buffers, so they are unknown."""
    with bench.start("apply", "--yes", "--drain-timeout", 1) as apply:
        bench.log.wait_for(300)
        bench.emulator.stop_with_unread_requests()
        stopped = apply.signal(signal.SIGINT).finish(10).expect(130)
        bench.emulator.process.send_signal(signal.SIGCONT)
    unknown = unknown_tokens(bench, stopped.out)
    assert 1 <= len(unknown) <= MOST_UNKNOWN
    bench.apply()
    bench.apply().expect(0, "No changes.")
    assert_no_loss_and_no_duplicate(bench, unknown)


# MARK: run herald twice at once


def test_lock_timeout_reports_the_holder_or_waits_for_it(bench):
    with bench.start("apply", "--yes") as holder:
        bench.log.wait_for(200)
        holder.signal(signal.SIGSTOP)
        bench.apply("--lock-timeout", 1).expect(
            7, "another run is writing this state", f"process {holder.process.pid}", "--lock-timeout")
        with bench.start("apply", "--yes", "--lock-timeout", 60) as waiting:
            holder.signal(signal.SIGCONT)
            holder.finish().expect(0, "Applied")
            waiting.finish().expect(0, "No changes.")
    assert bench.log.accepted() == {t: 1 for t in TOKENS}


def test_killed_lock_holder_does_not_block(bench):
    with bench.start("apply", "--yes") as holder:
        bench.log.wait_for(200)
        holder.signal(signal.SIGSTOP).kill()
    unknown = unknown_of_interrupted(bench, bench.apply("--lock-timeout", 0))
    assert_no_loss_and_no_duplicate(bench, unknown)


def test_waiting_apply_proceeds_when_the_holder_is_killed(bench):
    with bench.start("apply", "--yes", "--parallelism", "64") as holder:
        bench.log.wait_for(200)
        holder.signal(signal.SIGSTOP)
        with bench.start("apply", "--yes", "--lock-timeout", 60) as waiting:
            bench.apply("--lock-timeout", 1).expect(7, f"process {holder.process.pid}")
            assert waiting.process.poll() is None
            holder.kill()
            last = waiting.finish()
    unknown = unknown_of_interrupted(bench, last)
    assert len(unknown) <= MOST_UNKNOWN
    bench.apply().expect(0, "No changes.")
    assert_no_loss_and_no_duplicate(bench, unknown)
    assert_ledger_adds_up(bench, unknown)


def test_plan_does_not_wait_for_the_lock(bench):
    with bench.start("apply", "--yes") as holder:
        bench.log.wait_for(200)
        holder.signal(signal.SIGSTOP)
        bench.herald("plan").expect(0, "resumes with its original message")
        holder.signal(signal.SIGCONT)
        holder.finish().expect(0)
