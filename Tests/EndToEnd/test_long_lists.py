"""Lists that are too long for the state's file are in files next to it, and nothing about them is lost."""

import json
import shutil
import sqlite3

import pytest

from herald import SECRET, Emulator, Project, token
from segments import packed
from traces import strace

# About 370 KB when packed; a list of more than 256 KiB has a file.
TOKENS = [token(n, "p" * 120) for n in range(3_000)]
YAML = """\
version: 1
project: e2e
environments:
  bench: { emulator: {} }
"""
KEYED = YAML.replace("{ emulator: {} }", "{ emulator: {}, state: { encryption: { key: env:STATE_KEY } } }")
KEY = {"STATE_KEY": "5a" * 32}
E = ("-e", "bench")
STOP = {"match": {"service": "SEND"}, "when": {"nth": 10}, "answer": {"error": "SERVICE_DISABLED"}}


@pytest.fixture
def bench(tmp_path):
    """A campaign to a long list, and an emulator in another directory, whose log contains registrations."""
    with Emulator(Project(tmp_path / "fcm")) as emulator:
        emulator.install(TOKENS)
        project = Project(tmp_path / "project")
        project.campaign("call", f"{{ registrations: {project.list('all', TOKENS)} }}")
        project.emulator = emulator
        declare(project, YAML)
        yield project


def declare(project, text):
    project.write("herald.yaml", text.replace("emulator: {}", f"emulator: {{ url: '{project.emulator.url}' }}"))


def state(project):
    return project.folder / ".herald/bench.sqlite"


def list_files(project):
    folder = project.folder / ".herald/bench.lists"
    return sorted(folder.iterdir()) if folder.exists() else []


def accepted(project):
    return project.emulator.project.log.accepted()


def interrupt(project, env=None):
    """Sends to fewer than 30 registrations, and leaves the rest of the list in the state."""
    project.emulator.put("/emulator/v1/faults", {"rules": [STOP]})
    project.apply("--parallelism", "1", *E, env=env)
    project.emulator.put("/emulator/v1/faults", {"rules": []})
    assert 0 < accepted(project).total() < 30


def expect_sent_once(project, but=()):
    assert accepted(project) == {text: 1 for text in TOKENS if text not in but}


def occurrences(project, text):
    """Returns how often the files of the state contain a registration, as text or packed."""
    paths = [*state(project).parent.glob("bench.sqlite*"), *list_files(project)]
    content = [path.read_bytes() for path in paths if path.is_file() and not path.name.endswith("-shm")]
    return sum(data.count(form) for data in content for form in (text.encode(), packed(text)))


def test_a_long_list_has_a_file_until_its_last_send(bench):
    interrupt(bench)
    (path,) = list_files(bench)
    assert path.stat().st_mode & 0o777 == 0o600
    bench.apply(*E).expect(0)
    expect_sent_once(bench)
    assert list_files(bench) == []


def test_a_kill_before_the_commit_leaves_a_file_that_the_next_apply_removes(bench, tmp_path):
    """The file and its name are on the disk, but the state does not name it yet."""
    folder = bench.folder / ".herald/bench.lists"
    folder.mkdir(parents=True, mode=0o700)
    trace = tmp_path / "trace"
    with pytest.raises(AssertionError, match="ended by signal"):
        strace(bench, "-y", "-o", trace, "-P", folder, "-e", "trace=fsync", "-e", "inject=fsync:signal=SIGKILL",
               command=("apply", "--yes", *E))
    assert "SIGKILL" in trace.read_text()
    (left,) = list_files(bench)
    with sqlite3.connect(state(bench)) as connection:
        assert connection.execute("SELECT count(*) FROM lists").fetchone() == (0,)
    assert accepted(bench).total() == 0
    bench.apply(*E).expect(0)
    expect_sent_once(bench)
    assert left not in list_files(bench) and list_files(bench) == []


def test_a_pulled_state_contains_long_lists(bench, tmp_path):
    interrupt(bench)
    copy = tmp_path / "copy.sqlite"
    bench.herald("state", "pull", copy, *E).expect(0)
    for path in state(bench).parent.glob("bench.sqlite*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.rmtree(bench.folder / ".herald/bench.lists")
    bench.herald("state", "push", copy, *E).expect(0)
    assert list_files(bench) == []
    bench.apply(*E).expect(0)
    expect_sent_once(bench)


@pytest.mark.parametrize("damage", ["missing", "changed", "truncated"])
def test_a_damaged_file_stops_the_send_and_is_reported(bench, damage):
    interrupt(bench)
    before = accepted(bench)
    (path,) = list_files(bench)
    content = bytearray(path.read_bytes())
    if damage == "missing":
        path.unlink()
    elif damage == "changed":
        content[-100] ^= 1
        path.write_bytes(content)
    else:
        path.write_bytes(content[:-100])
    bench.apply(*E).expect(1, "a part of a stored list is missing or damaged", "state recover")
    sent = accepted(bench)
    assert set(sent.values()) == {1} and set(before) <= set(sent)
    assert TOKENS[-1] not in sent


def test_encrypting_a_state_encrypts_its_long_lists(bench):
    interrupt(bench)
    assert occurrences(bench, TOKENS[2_000]) == 1
    declare(bench, KEYED)
    bench.herald("state", "init", *E, env=KEY).expect(0, "now encrypted")
    assert list_files(bench) == []
    assert occurrences(bench, TOKENS[2_000]) == 0
    bench.apply(*E, env=KEY).expect(0)
    expect_sent_once(bench)


def test_the_file_of_an_encrypted_state_is_encrypted(bench):
    declare(bench, KEYED)
    interrupt(bench, env=KEY)
    (path,) = list_files(bench)
    content = path.read_bytes()
    assert SECRET.encode() not in content
    assert not any(packed(text)[3:] in content for text in TOKENS[::100])
    bench.apply(*E, env=KEY).expect(0)
    expect_sent_once(bench)


@pytest.mark.parametrize("env", [None, KEY])
def test_forget_reaches_long_lists(bench, env):
    if env:
        declare(bench, KEYED)
    interrupt(bench, env=env)
    gone = [TOKENS[1_500], TOKENS[2_999]]
    bench.herald("state", "forget", "-", *E, env=env, input="\n".join(gone)).expect(
        0, "2 of 2", "2 × place in stored lists", "call/once/1: 2 requests never sent (forgotten)")
    assert list_files(bench) == []
    assert [occurrences(bench, text) for text in gone] == [0, 0]
    bench.apply(*E, env=env).expect(0)
    expect_sent_once(bench, but=gone)
    shown = bench.herald("state", "show", "call", "--format", "json", *E, env=env).expect(0)
    counts = json.loads(shown.out)["occurrences"][0]["counts"]
    assert (counts["accepted"], counts["suppressed"]) == (2_998, 2)
