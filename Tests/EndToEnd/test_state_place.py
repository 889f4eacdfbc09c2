"""A run whose state is moved, linked, copied or locked loses no request, and repeats none."""

import fcntl
import os
import shutil
import signal

import pytest

from herald import DEADLINE, Emulator, Project, token

COUNT = 1_200
TOKENS = [token(n) for n in range(COUNT)]
DISPLACED = "is not in its place any more"


@pytest.fixture
def bench(tmp_path):
    """A project with 1,200 single sends, and a running emulator with a phone for each."""
    project = Project(tmp_path / "project")
    project.campaign("call", f"{{ registrations: {project.list('all', TOKENS)} }}")
    with Emulator(project) as emulator:
        emulator.install(TOKENS)
        project.emulator = emulator
        yield project


def state(project, end=""):
    return project.folder / f".herald/local.sqlite{end}"


# MARK: the lock


def test_the_lock_survives_every_removal_of_names_next_to_the_state(bench):
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(50)
        for end in (".writer", ".lock"):
            state(bench, end).unlink(missing_ok=True)
        bench.apply("--lock-timeout", "0").expect(7, "another run is writing this state")
        apply.finish().expect(0)
    assert bench.log.accepted() == dict.fromkeys(TOKENS, 1)


@pytest.mark.parametrize("way", ["linked folder", "linked file", "second name"])
def test_no_second_apply_reaches_the_state_another_way(bench, tmp_path, way):
    """The other project sends the same campaign from the same state."""
    other = Project(tmp_path / "other")
    shutil.copytree(bench.folder / "campaigns", other.folder / "campaigns", dirs_exist_ok=True)
    other.write("herald.yaml", "version: 1\nproject: e2e\nenvironments:\n"
                f"  local: {{ emulator: {{ url: '{bench.emulator.url}' }} }}\n")
    bench.write("herald.yaml", (other.folder / "herald.yaml").read_text())
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(50)
        if way == "linked folder":
            (other.folder / ".herald").symlink_to(bench.folder / ".herald")
            other.apply("--lock-timeout", "0").expect(6, "outside of the project", "--allow-path")
            other.apply("--lock-timeout", "0", "--allow-path", bench.folder).expect(7)
        else:
            (other.folder / ".herald").mkdir()
            place = state(other)
            if way == "linked file":
                place.symlink_to(state(bench))
                other.apply().expect(1, "cannot be used: it is a symbolic link")
            else:
                os.link(state(bench), place)
                other.apply().expect(1, "cannot be used: the file has 2 names")
        result = apply.finish()
    if way == "second name":
        # 4 if requests were open, because their outcomes cannot be recorded any more.
        result.expect(4 if "unknown" in result.out else 1, DISPLACED, "removed or got another name")
        place.unlink()
        bench.apply()
    else:
        result.expect(0)
    assert max(bench.log.accepted().values()) == 1


def test_stopped_holder_keeps_the_lock(bench):
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(50)
        apply.signal(signal.SIGSTOP)
        bench.apply("--lock-timeout", "0").expect(7, "`herald apply` by ")
        apply.signal(signal.SIGCONT).finish().expect(0)
    assert bench.log.accepted() == dict.fromkeys(TOKENS, 1)


def test_the_lock_is_a_lock_of_the_state_itself(bench):
    bench.apply().expect(0)
    bench.campaign("second", "{ registrations: campaigns/registrations/all.txt }")
    with open(state(bench), "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        bench.apply("--lock-timeout", "0").expect(7)


# MARK: copies without a log


def test_a_copy_of_only_the_main_file_repeats_nothing(bench):
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(300)
        shutil.copy(state(bench), bench.folder / "copy.sqlite")
        apply.kill()
    bench.log.settle()
    sent = bench.log.accepted()
    for end in ("-wal", "-shm"):
        state(bench, end).unlink(missing_ok=True)
    (bench.folder / "copy.sqlite").replace(state(bench))
    for arguments in (["plan"], ["apply", "--yes"], ["status"]):
        bench.herald(*arguments).expect(1, "is damaged: run 1 has not ended", "state recover")
    assert bench.log.accepted() == sent
    recovered = bench.herald("state", "recover")
    assert recovered.code in (0, 4), recovered
    finish(bench)
    assert max(bench.log.accepted().values()) == 1


def test_removed_log_after_a_kill_repeats_nothing(bench):
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(300)
        apply.kill()
    state(bench, "-wal").unlink()
    bench.apply().expect(1, "its write-ahead log is missing")
    assert bench.herald("state", "recover").code in (0, 4)
    finish(bench)
    assert max(bench.log.accepted().values()) == 1


def test_a_log_that_was_removed_during_a_run_is_recovered_from(bench):
    """The run ends in order, so its state is as new as the newest state that was seen, and yet incomplete."""
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(300)
        for end in ("-wal", "-shm"):
            state(bench, end).unlink()
        apply.process.wait(DEADLINE)
    bench.apply().expect(1, "its write-ahead log is missing", "state recover")
    bench.herald("state", "recover").expect(4, "call/once/1", "unknown")
    bench.apply().expect(0, "No changes.")
    assert max(bench.log.accepted().values()) == 1


def test_readers_after_a_kill_keep_the_log(bench):
    """The last process that closes the state would otherwise delete it."""
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(300)
        apply.kill()
    bench.log.settle()
    for command in (["status"], ["history"], ["plan"]):
        assert bench.herald(*command).code in (0, 4)
        assert state(bench, "-wal").stat().st_size > 0
    last = bench.apply()
    assert last.code in (0, 4) and "An earlier run was interrupted" in last.out, last
    bench.apply().expect(0)
    assert max(bench.log.accepted().values()) == 1
    assert not state(bench, "-wal").exists()


def test_copy_that_was_pulled_during_a_run_is_older(bench):
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(300)
        bench.herald("state", "pull", bench.folder / "copy.sqlite").expect(0)
        apply.finish().expect(0)
    push = ("state", "push", bench.folder / "copy.sqlite")
    bench.herald(*push).expect(1, "was made during a run and lacks what the run did afterwards", "--dangerous-older")
    assert bench.herald(*push, "--dangerous-older").code in (0, 4)
    finish(bench)
    assert bench.log.accepted() == dict.fromkeys(TOKENS, 1)


def finish(project):
    """Recovers the state if it is refused, and applies until nothing is left."""
    for _ in range(4):
        result = project.apply()
        if result.code == 1:
            assert "state recover" in result.err, result
            recovered = project.herald("state", "recover")
            assert recovered.code in (0, 4), recovered
        elif "No changes." in result.out:
            return
    raise AssertionError(f"the project does not settle\n{result}")
