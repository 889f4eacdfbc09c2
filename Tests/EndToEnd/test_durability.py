"""No request is sent before its release is synced, according to the system calls alone."""

import re
import sqlite3
import sys
from pathlib import Path

import pytest

import traces
from herald import ROOT, STATE_HOME, Emulator, Project, token
from traces import FILE_CALLS, SEND, SENT, TEXT, Disk, calls, unescaped

sys.path.insert(0, str(ROOT / "Tests/Crash"))
import commands  # noqa: E402

TOKENS = [token(n) for n in range(300)]
NUMBER = {text.encode(): number for number, text in enumerate(TOKENS)}
REGISTRATION = re.compile(rb'"token": ?"([^"]+)"')


@pytest.fixture(scope="module")
def trace(tmp_path_factory):
    """The trace of 300 single sends and one topic send. The state existed before."""
    folder = tmp_path_factory.mktemp("durability")
    project = Project(folder / "project", topics=["tides"])
    project.campaign("call", f"{{ registrations: {project.list('all', TOKENS)} }}")
    project.campaign("news", "{ topic: tides }")
    with Emulator(project) as emulator:
        emulator.install(TOKENS)
        project.plan()
        state = project.folder / ".herald/local.sqlite"
        disk = Disk(state)
        traces.trace(
            project, f"{FILE_CALLS},?rename,?renameat,?renameat2,sendto,sendmsg,write,writev", folder / "trace",
            "-s", 70_000).expect(0, "301 accepted")
    assert project.log.count() == 301
    return state, disk.synced, list(calls(folder / "trace"))


def judge(state, synced, calls):
    """Returns the number of sends, and the sends that started before the synced state had released them."""
    disk = Disk(state)
    disk.given = {path: bytearray(content) for path, content in synced.items()}
    disk.synced = dict(synced)
    released = {}
    begun, early = 0, []
    for name, rest in calls:
        if disk.see(name, rest):
            released = dict(disk.query("SELECT kind, released FROM units"))
        elif (sent := SENT.match(rest)) and name in ("sendto", "sendmsg", "write", "writev"):
            text = unescaped(sent["text"])
            begun += text.count(SEND)
            if begun > sum(released.values()):
                early.append((begun, released))
            early += [
                (number, released) for found in REGISTRATION.findall(text)
                if (number := NUMBER[found]) >= released.get(2, 0)]
    return begun, early


def test_no_send_starts_before_its_release_is_synced(trace):
    begun, early = judge(*trace)
    assert begun == 301
    assert early == []


def test_syncs_are_proportional_to_marks(trace):
    """There is one mark per 64 answers, plus a bounded number of syncs per apply."""
    *_, all_calls = trace
    syncs = [rest for name, rest in all_calls if name == "fdatasync" and "local.sqlite-wal" in rest]
    assert 300 / 64 <= len(syncs) <= 300 / 64 + 25


def test_serial_is_synced_before_the_first_send(trace):
    """The file with the run's serial, its new name and its directory are synced before the first byte leaves."""
    state, _, all_calls = trace
    first = next(place for place, (_, rest) in enumerate(all_calls) if SEND.decode() in rest)
    seen = Path(STATE_HOME) / "herald/seen"
    draft = f"<{seen.parent}/.herald-new-"
    with sqlite3.connect(state) as connection:
        lineage, = connection.execute("SELECT lineage FROM meta").fetchone()
    steps = []
    for name, rest in all_calls[:first]:
        if name == "write" and draft in rest:
            steps = [f"serial {line.split()[1]}" for line in written(rest) if line.startswith(lineage)]
        elif name == "fsync" and draft in rest:
            steps.append("synced")
        elif name.startswith("rename") and f'"{seen}")' in rest:
            steps.append("named")
        elif name == "fsync" and f"<{seen.parent}>" in rest:
            steps.append("name synced")
    assert steps == ["serial 1", "synced", "named", "name synced"]


def test_a_plan_file_is_synced_before_it_replaces_another(tmp_path):
    assert commands.plan_file_problems(tmp_path) == []


def written(rest):
    return unescaped(re.search(TEXT, rest)["text"]).decode().splitlines()


@pytest.mark.parametrize("kept", [0, 3])
def test_detects_a_send_before_its_sync(trace, kept):
    """If only the first syncs of the trace are kept, sends are too early."""
    state, synced, all_calls = trace
    seen = 0
    fewer = []
    for name, rest in all_calls:
        seen += name == "fdatasync" and "local.sqlite-wal" in rest
        if name not in ("fdatasync", "fsync") or seen <= kept:
            fewer.append((name, rest))
    begun, early = judge(state, synced, fewer)
    assert begun == 301
    assert early != []
