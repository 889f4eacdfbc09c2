"""A disk that fails: a clear message, the right exit code, and nothing sent that is not recorded.

strace makes system calls fail. What was sent is read from the emulator's log, what is recorded by
Python's sqlite3.
"""

import itertools
import os
import shutil
import sqlite3
import subprocess

import pytest

from herald import SOAK, Emulator, Project, Result, binary, checked, forget_seen, token, variables
from traces import strace

COUNT, MANY = 220, 700
TOKENS = [token(n) for n in range(MANY)]
INTENDED, ACCEPTED, UNKNOWN = 0, 1, 3
# The calls with which the state is written, and how often an apply makes each at most. strace counts
# by thread, and two threads make them: one makes at least half of them, and may make all.
WRITES = {"pwrite64": 130, "fdatasync": 26, "fsync": 3, "ftruncate": 8}


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    """220 single sends: more than are released at once."""
    project = Project(tmp_path_factory.mktemp("disk") / "project")
    project.campaign("call", f"{{ registrations: {project.list('all', TOKENS[:COUNT])} }}")
    with Emulator(project) as emulator:
        emulator.install(TOKENS[:COUNT])
        yield project


@pytest.fixture
def apart(bench):
    """The project without a state, and the sends that are the test's own."""
    yield Attempt(bench)
    Attempt(bench)


class Attempt:
    """From a missing or a given state on: what was sent, and what the state says of it."""

    def __init__(self, project, state=None, keeping=False):
        self.project = project
        self.folder = project.folder / ".herald"
        for path in () if keeping else self.folder.glob("local.*"):
            path.unlink()
        if state is not None:
            forget_seen()
            self.state.write_bytes(state)
        self.begin = len(project.log.bytes())

    @property
    def state(self):
        return self.folder / "local.sqlite"

    def sent(self):
        """The registrations that the emulator accepted a message to, each as often as it did."""
        return [e["body"]["message"]["token"] for e in self.project.log.requests(self.begin)
                if e["path"].endswith("/messages:send") and e["status"] == 200]

    def recorded(self, folder):
        """The registrations that the state owns up to: accepted, unknown, or released and open."""
        if not self.state.exists():
            return set()
        copy = folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        for path in self.folder.glob("local.sqlite*"):
            if not path.name.endswith("-shm"):
                shutil.copy(path, copy)
        connection = sqlite3.connect(copy / self.state.name)
        try:
            outcomes = {unit: [0] * count for unit, count in connection.execute("SELECT id, count FROM units")}
            for unit, chunk, size, blob in connection.execute(
                    "SELECT unit, chunk, block, outcomes FROM outcome_chunks JOIN units ON units.id = unit"):
                outcomes[unit][chunk * size:chunk * size + len(blob)] = blob
            return {
                TOKENS[number]
                for unit, released in connection.execute("SELECT id, released FROM units")
                for number, outcome in enumerate(outcomes[unit])
                if outcome in (ACCEPTED, UNKNOWN) or outcome == INTENDED and number < released}
        finally:
            connection.close()

    def expect_the_truth(self, result, folder, spot):
        """What was sent is recorded, and further applies send the rest: to nobody twice."""
        if result.code:
            assert result.code in (1, 3, 4), (spot, result)
            assert "error: the " in result.err and ".herald" in result.err, (spot, result)
            self.project.log.settle()
        sent = self.sent()
        assert set(sent) <= self.recorded(folder), spot
        second = self.project.apply()
        assert second.code in (0, 4), (spot, second)
        self.project.apply().expect(0, "No changes.")
        sent = self.sent()
        assert len(sent) == len(set(sent)), spot
        (accepted, unknown), = self.project.rows("SELECT accepted, unknown FROM units")
        assert accepted + unknown == COUNT and unknown <= 128, spot
        assert accepted <= len(sent) <= COUNT, spot
        assert (result.code == 0) <= (unknown == 0 and len(sent) == COUNT), spot


def spots(most):
    """Every call for `make soak`; for `make test` a few that one thread makes for certain."""
    return range(1, most + 1) if SOAK > 1 else [most // 16, most // 6, most // 4, 2 * most // 5]


ALL = list(itertools.product(WRITES, ["ENOSPC", "EIO"], ["once", "for good"]))
SLICE = [("pwrite64", "ENOSPC", "for good"), ("pwrite64", "EIO", "once"), ("fdatasync", "EIO", "once")]


@pytest.mark.parametrize("call, error, stays", ALL if SOAK > 1 else SLICE)
def test_a_write_that_fails_loses_nothing_and_sends_nothing_unrecorded(apart, tmp_path, call, error, stays):
    failed = []
    for number in spots(WRITES[call]):
        attempt = Attempt(apart.project)
        when = f"{number}{'+' if stays == 'for good' else ''}"
        result = strace(
            apart.project, "-o", tmp_path / "trace", "-e", f"trace={call}",
            "-e", f"inject={call}:error={error}:when={when}")
        attempt.expect_the_truth(result, tmp_path, (call, error, when))
        failed.append("(INJECTED)" in (tmp_path / "trace").read_text())
    if SOAK == 1:
        assert all(failed), failed
    else:
        assert all(failed[:len(failed) // 3]), failed
        assert not failed[-1], "an apply makes more of these calls than are tried"


# MARK: a state that is broken


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """A project whose apply was killed in the middle, the bytes of its state, and whom that knows to
    be sent to."""
    folder = tmp_path_factory.mktemp("begun")
    project = Project(folder / "project")
    project.campaign("call", f"{{ registrations: {project.list('all', TOKENS)} }}")
    with Emulator(project) as emulator:
        emulator.install(TOKENS)
        with project.start("apply", "--yes") as first:
            project.log.wait_for(200)
            first.kill()
        project.log.settle()
        attempt = Attempt(project, keeping=True)
        connection = sqlite3.connect(attempt.state)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (accepted, released), = connection.execute("SELECT accepted, released FROM units").fetchall()
        connection.close()
        # The mark is at most 128 ahead of what is recorded.
        assert 200 - 128 <= accepted < released < MANY
        yield project, attempt.state.read_bytes(), attempt.recorded(folder)


def positions(size):
    """Places in a file of pages: a header, the first page's schema, and in each page its own header,
    its pointers, its middle and its end."""
    pages = range(0, size, 4_096)
    every = [16, 24, 59, 99] + [page + place for page in pages for place in (101, 103, 108, 700, 2_500, 4_000, 4_095)]
    return every if SOAK > 1 else every[::41]


def expect_refusal_or_the_truth(attempt, folder, known, result, where):
    assert result.code in (0, 1, 3, 4), (where, result)
    if result.code == 1:
        assert "error: the state" in result.err and "local.sqlite" in result.err, (where, result)
        assert attempt.sent() == [], where
    else:
        attempt.project.log.settle()
        assert set(attempt.sent()) <= attempt.recorded(folder), where
        assert not set(attempt.sent()) & known, where


def test_a_state_with_a_flipped_bit_is_refused_or_goes_on_truthfully(begun, tmp_path):
    project, whole, known = begun
    refused = 0
    for count, position in enumerate(positions(len(whole))):
        flipped = bytearray(whole)
        flipped[position] ^= 1 << count % 8
        attempt = Attempt(project, flipped)
        result = project.apply()
        expect_refusal_or_the_truth(attempt, tmp_path, known, result, (position, count % 8))
        refused += result.code == 1
    assert refused > 0


@pytest.mark.parametrize("more", [0, 100])
def test_a_truncated_state_is_refused(begun, tmp_path, more):
    project, whole, known = begun
    pages = range(0, len(whole), 4_096)
    for size in pages if SOAK > 1 else pages[::9]:
        attempt = Attempt(project, whole[:size + more])
        result = project.apply()
        assert result.code == 1, (size, result)
        expect_refusal_or_the_truth(attempt, tmp_path, known, result, size)


def test_a_state_that_cant_be_written_is_named_and_nothing_is_sent(begun):
    """In a folder that is mounted read-only, as modes do not bind root."""
    project, whole, _ = begun
    attempt = Attempt(project, whole)
    folder = project.folder / ".herald"
    mount = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"'
    before = ["unshare", "--mount", "sh", "-c", mount, "sh", folder] if os.geteuid() == 0 else []
    folder.chmod(0o500)
    try:
        for command, code in ((["plan"], 0), (["apply", "--yes"], 1)):
            done = subprocess.run(
                [*before, binary(), *command, "-C", project.folder], env=variables(), capture_output=True, text=True)
            result = checked(Result(done.returncode, done.stdout, done.stderr))
            result.expect(code)
    finally:
        folder.chmod(0o700)
    result.expect(1, "error: the state", "local.sqlite", "can't be written")
    assert attempt.sent() == [] and attempt.state.read_bytes() == whole
