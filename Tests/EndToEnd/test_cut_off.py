"""Whatever is killed, cut off or interrupted: nothing is repeated or dropped without a word."""

import random
import re
import signal

import pytest

from herald import SOAK, Emulator, Project, token

COUNT = 2_000
TOKENS = [token(n) for n in range(COUNT)]
# Twice the requests that may be open at once.
MOST_UNKNOWN = 128


@pytest.fixture
def bench(tmp_path):
    """2,000 single sends, and a running emulator with a phone for each."""
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
    """The registrations that herald's output lists as unknown, each at most once."""
    found = unknown_fingerprints(text)
    assert len(found) == len(set(found))
    names = project.fingerprints(TOKENS)
    return {names[fingerprint] for fingerprint in found}


def assert_nobody_is_lost_or_sent_to_twice(project, unknown):
    """`unknown`: the registrations that an apply listed as unknown; the log decides."""
    accepted = project.log.accepted()
    assert {t for t, times in accepted.items() if times > 1} == set()
    assert set(TOKENS) - set(accepted) <= unknown
    assert set(accepted) <= set(TOKENS)


def assert_the_ledger_adds_up(project, unknown):
    """Every registration is in exactly one state: accepted, or unknown and listed."""
    rows = project.rows("SELECT count, accepted, unknown, intended, returned FROM units")
    assert rows == [(COUNT, COUNT - len(unknown), len(unknown), 0, 0)]


# MARK: the emulator is killed


@pytest.mark.parametrize("seed", range(3 * SOAK))
def test_an_emulator_killed_and_restarted_at_once_leaves_only_what_was_in_flight_unknown(bench, seed):
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(random.Random(seed).randint(200, 1_500))
        bench.emulator.kill()
        with Emulator(bench, port=bench.emulator.port):
            first = apply.finish()
            # Where nothing was on its way at that moment, nothing is lost.
            assert first.code in (0, 3, 4), first
            unknown = unknown_tokens(bench, first.out)
            assert len(unknown) <= MOST_UNKNOWN
            assert (first.code == 4) == bool(unknown)
            if "the server stopped answering" in first.err:
                # More connections were cut than a run takes for an accident: the next one goes on.
                bench.apply().expect(4 if unknown else 0, "goes on where it stopped")
            bench.apply().expect(0, "Nothing to do")
    assert_nobody_is_lost_or_sent_to_twice(bench, unknown)
    assert_the_ledger_adds_up(bench, unknown)


def test_an_emulator_that_stays_away_ends_the_apply_with_a_clear_error_and_the_next_finishes(bench):
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(random.Random(7).randint(200, 1_500))
        bench.emulator.kill()
        first = apply.finish()
    assert first.code in (3, 4), first
    assert "error: the server stopped answering" in first.err and "apply again" in first.err, first
    unknown = unknown_tokens(bench, first.out)
    assert (first.code == 4) == bool(unknown) and len(unknown) <= MOST_UNKNOWN
    with Emulator(bench, port=bench.emulator.port):
        second = bench.apply()
        # Of the sending that went on.
        assert second.code == (4 if unknown else 0), second
        assert unknown_tokens(bench, second.out) <= unknown
        bench.apply().expect(0, "Nothing to do")
    assert_nobody_is_lost_or_sent_to_twice(bench, unknown)
    assert_the_ledger_adds_up(bench, unknown)


# MARK: herald is killed


@pytest.mark.parametrize("seed", range(2 * SOAK))
def test_herald_killed_again_and_again_sends_to_nobody_twice_and_lists_what_it_cannot_know(bench, seed):
    chance = random.Random(seed)
    unknown = set()
    for kill in range(5):
        before = bench.log.settle()
        with bench.start("apply", "--yes") as apply:
            bench.log.wait_for(before + chance.randint(1, 300))
            out, _ = apply.kill()
        if kill > 0:
            unknown |= newly_unknown(bench, out, unknown)
    last = bench.apply()
    unknown |= newly_unknown(bench, last.out, unknown)
    last.expect(4, "An earlier run was interrupted")
    bench.apply().expect(0, "Nothing to do")
    assert_nobody_is_lost_or_sent_to_twice(bench, unknown)
    assert_the_ledger_adds_up(bench, unknown)


def newly_unknown(project, text, before):
    """What the run after a kill lists beside what was listed before."""
    head = text.split("Plan for")[0]
    assert "An earlier run was interrupted" in head, text
    found = unknown_tokens(project, head)
    assert 1 <= len(found - before) <= MOST_UNKNOWN
    return found


def test_a_plan_after_a_kill_sends_nothing_and_says_what_goes_on(bench):
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(300)
        apply.kill()
    bench.log.settle()
    before = bench.log.bytes()
    bench.herald("plan", "--detailed-exitcode").expect(2, "goes on")
    assert bench.log.bytes() == before


# MARK: a person interrupts


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_apply_ends_with_130_and_the_next_sends_the_rest(bench, number):
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(random.Random(number).randint(100, 1_000))
        stopped = apply.signal(number).finish(15).expect(130, "interrupted")
    assert unknown_fingerprints(stopped.out) == []
    sent = bench.log.accepted()
    assert 100 <= sum(sent.values()) < COUNT
    second = bench.apply().expect(0, "Applied")
    assert "cut off" not in second.out and "unknown" not in second.out
    bench.apply().expect(0, "Nothing to do")
    assert bench.log.accepted() == {t: 1 for t in TOKENS}


def test_a_second_interrupt_leaves_at_once_and_the_ledger_still_tells_the_truth(bench):
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(300)
        bench.emulator.process.send_signal(signal.SIGSTOP)
        apply.signal(signal.SIGINT)
        while "Stopping" not in apply.texts()[1]:
            assert apply.process.poll() is None
        apply.signal(signal.SIGINT)
        code = apply.process.wait(5)
        bench.emulator.process.send_signal(signal.SIGCONT)
    assert code == 130
    last = bench.apply().expect(4, "An earlier run was interrupted")
    unknown = unknown_tokens(bench, last.out.split("Plan for")[0])
    assert 1 <= len(unknown) <= MOST_UNKNOWN
    assert_nobody_is_lost_or_sent_to_twice(bench, unknown)


def test_an_interrupt_gives_up_on_what_is_in_flight_after_the_drain_timeout(bench):
    """The emulator is stopped: what was written to it may still be taken, so it is unknown."""
    with bench.start("apply", "--yes", "--drain-timeout", 1) as apply:
        bench.log.wait_for(300)
        bench.emulator.process.send_signal(signal.SIGSTOP)
        stopped = apply.signal(signal.SIGINT).finish(10).expect(130)
        bench.emulator.process.send_signal(signal.SIGCONT)
    unknown = unknown_tokens(bench, stopped.out)
    assert 1 <= len(unknown) <= MOST_UNKNOWN
    bench.apply()
    bench.apply().expect(0, "Nothing to do")
    assert_nobody_is_lost_or_sent_to_twice(bench, unknown)


# MARK: two at once


def test_a_second_apply_is_told_who_holds_the_lock_and_another_waits_for_it(bench):
    with bench.start("apply", "--yes") as holder:
        bench.log.wait_for(200)
        holder.signal(signal.SIGSTOP)
        bench.apply("--lock-timeout", 1).expect(
            7, "another run is writing this state", f"process {holder.process.pid}", "--lock-timeout")
        with bench.start("apply", "--yes", "--lock-timeout", 60) as waiting:
            holder.signal(signal.SIGCONT)
            holder.finish().expect(0, "Applied")
            waiting.finish().expect(0, "Nothing to do")
    assert bench.log.accepted() == {t: 1 for t in TOKENS}


def test_a_killed_holder_does_not_block(bench):
    with bench.start("apply", "--yes") as holder:
        bench.log.wait_for(200)
        holder.signal(signal.SIGSTOP).kill()
    last = bench.apply("--lock-timeout", 0).expect(4, "An earlier run was interrupted")
    unknown = unknown_tokens(bench, last.out.split("Plan for")[0])
    assert_nobody_is_lost_or_sent_to_twice(bench, unknown)


def test_an_apply_that_waits_goes_ahead_when_the_holder_is_killed(bench):
    with bench.start("apply", "--yes") as holder:
        bench.log.wait_for(200)
        holder.signal(signal.SIGSTOP)
        with bench.start("apply", "--yes", "--lock-timeout", 60) as waiting:
            bench.apply("--lock-timeout", 1).expect(7, f"process {holder.process.pid}")
            assert waiting.process.poll() is None
            holder.kill()
            last = waiting.finish().expect(4, "An earlier run was interrupted")
    unknown = unknown_tokens(bench, last.out.split("Plan for")[0])
    assert len(unknown) <= MOST_UNKNOWN
    bench.apply().expect(0, "Nothing to do")
    assert_nobody_is_lost_or_sent_to_twice(bench, unknown)
    assert_the_ledger_adds_up(bench, unknown)


def test_a_plan_does_not_wait_for_the_lock(bench):
    with bench.start("apply", "--yes") as holder:
        bench.log.wait_for(200)
        holder.signal(signal.SIGSTOP)
        bench.herald("plan").expect(0, "goes on")
        holder.signal(signal.SIGCONT)
        holder.finish().expect(0)
