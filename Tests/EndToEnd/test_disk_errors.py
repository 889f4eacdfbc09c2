"""Disk failures produce a clear message and the right exit code, and nothing is sent without a record.

strace makes system calls fail. Sends are read from the emulator's log, and records with Python's sqlite3.
"""

import itertools
import shutil
import sqlite3
from pathlib import Path

import pytest

from herald import SOAK, Emulator, Project, forget_seen, obey_file_modes, token
from traces import strace

COUNT, MANY = 220, 700
TOKENS = [token(n) for n in range(MANY)]
INTENDED, ACCEPTED, UNKNOWN = 0, 1, 3
# The calls that write the state, and the maximum number of each in an apply. strace counts
# per thread, and two threads make these calls: one makes at least half of them, and possibly all.
WRITES = {"pwrite64": 130, "fdatasync": 26, "fsync": 16, "ftruncate": 8}


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    """220 single sends, more than are released at once."""
    project = Project(tmp_path_factory.mktemp("disk") / "project")
    project.campaign("call", f"{{ registrations: {project.list('all', TOKENS[:COUNT])} }}")
    with Emulator(project) as emulator:
        emulator.install(TOKENS[:COUNT])
        yield project


@pytest.fixture
def apart(bench):
    """The project without a state, so that the test counts only its own sends."""
    yield Attempt(bench)
    Attempt(bench)


class Attempt:
    """The sends and records of one attempt, which starts without a state or from a given one.

    `beside` has the content of the files next to the given state, by what their names add to its name.
    """

    def __init__(self, project, state=None, beside=None, keeping=False):
        self.project = project
        self.folder = project.folder / ".herald"
        for path in () if keeping else self.folder.glob("local.*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        if not keeping:
            forget_seen()
        if state is not None:
            for name, content in {"": state, **(beside or {})}.items():
                Path(f"{self.state}{name}").write_bytes(content)
        self.begin = len(project.log.bytes())

    @property
    def state(self):
        return self.folder / "local.sqlite"

    def sent(self):
        """Returns the registration of each accepted message, with repetitions."""
        return [e["body"]["message"]["token"] for e in self.project.log.requests(self.begin)
                if e["path"].endswith("/messages:send") and e["status"] == 200]

    def recorded(self, folder):
        """Returns the registrations that the state records as accepted, as unknown, or as released and open."""
        if not self.state.exists():
            return set()
        copy = folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        for path in self.folder.glob("local.sqlite*"):
            if path.is_file() and not path.name.endswith("-shm"):
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
        """Checks that every send is recorded, and that further applies send the rest without duplicates."""
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
    """Returns every call for `make soak`, and for `make test` a few that one thread is certain to make."""
    return range(1, most + 1) if SOAK > 1 else [most // 16, most // 6, most // 4, 2 * most // 5]


ALL = list(itertools.product(WRITES, ["ENOSPC", "EIO"], ["once", "for good"]))
SLICE = [("pwrite64", "ENOSPC", "for good"), ("pwrite64", "EIO", "once"), ("fdatasync", "EIO", "once")]


@pytest.mark.parametrize("call, error, stays", ALL if SOAK > 1 else SLICE)
def test_failed_write_loses_nothing_and_sends_nothing_unrecorded(apart, tmp_path, call, error, stays):
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
    """A project whose apply was killed in the middle, the bytes of its state and of the files next to it, and the
    registrations that the state records as sent.

    The run has not ended, so its state needs its write-ahead log. All of the log is also in the state.
    """
    folder = tmp_path_factory.mktemp("begun")
    project = Project(folder / "project")
    project.campaign("call", f"{{ registrations: {project.list('all', TOKENS)} }}")
    with Emulator(project) as emulator:
        emulator.install(TOKENS)
        with project.start("apply", "--yes", "--parallelism", "64") as first:
            project.log.wait_for(200)
            first.kill()
        project.log.settle()
        attempt = Attempt(project, keeping=True)
        connection = sqlite3.connect(attempt.state)
        connection.execute("PRAGMA wal_checkpoint(FULL)")
        beside = {name: Path(f"{attempt.state}{name}").read_bytes() for name in ("-wal", "-shm")}
        (accepted, released), = connection.execute("SELECT accepted, released FROM units").fetchall()
        connection.close()
        # The mark is at most 128 ahead of what is recorded.
        assert 200 - 128 <= accepted < released < MANY
        yield project, attempt.state.read_bytes(), beside, attempt.recorded(folder)


def positions(size):
    """Returns offsets in a file of pages: the header, the schema on the first page, and for each page its header,
    its pointers, its middle and its end."""
    pages = range(0, size, 4_096)
    every = [16, 24, 59, 99] + [page + place for page in pages for place in (101, 103, 108, 700, 2_500, 4_000, 4_095)]
    return every if SOAK > 1 else every[::41]


def without_log(beside):
    """Returns the files with only the header of the log, so that its pages do not replace damaged ones."""
    return beside | {"-wal": beside["-wal"][:32]}


def expect_refusal_or_the_truth(attempt, folder, known, result, where):
    assert result.code in (0, 1, 3, 4), (where, result)
    if result.code == 1:
        assert "error: the state" in result.err and "local.sqlite" in result.err, (where, result)
        assert attempt.sent() == [], where
    else:
        attempt.project.log.settle()
        assert set(attempt.sent()) <= attempt.recorded(folder), where
        assert not set(attempt.sent()) & known, where


def test_flipped_bit_is_refused_or_leaves_records_correct(begun, tmp_path):
    project, whole, beside, known = begun
    refused = 0
    for count, position in enumerate(positions(len(whole))):
        flipped = bytearray(whole)
        flipped[position] ^= 1 << count % 8
        attempt = Attempt(project, flipped, without_log(beside))
        result = project.apply()
        expect_refusal_or_the_truth(attempt, tmp_path, known, result, (position, count % 8))
        refused += result.code == 1
    assert refused > 0


@pytest.mark.parametrize("more", [0, 100])
def test_refuses_a_truncated_state(begun, tmp_path, more):
    project, whole, beside, known = begun
    pages = range(0, len(whole), 4_096)
    for size in pages if SOAK > 1 else pages[::9]:
        attempt = Attempt(project, whole[:size + more], without_log(beside))
        result = project.apply()
        assert result.code == 1, (size, result)
        expect_refusal_or_the_truth(attempt, tmp_path, known, result, size)


def test_read_only_state_is_named_and_nothing_is_sent(begun):
    project, whole, beside, _ = begun
    attempt = Attempt(project, whole, beside)
    folder = project.folder / ".herald"
    files = [path for path in folder.glob("local.*") if path.is_file()]
    for file in files:
        file.chmod(0o400)
    folder.chmod(0o500)
    try:
        project.herald("plan", preexec_fn=obey_file_modes).expect(0)
        refused = project.apply(preexec_fn=obey_file_modes)
    finally:
        folder.chmod(0o700)
        for file in files:
            file.chmod(0o600)
    refused.expect(1, "error: the state", "local.sqlite", "cannot be written")
    assert attempt.sent() == [] and attempt.state.read_bytes() == whole
