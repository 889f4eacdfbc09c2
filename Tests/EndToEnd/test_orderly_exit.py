"""Whatever asks a run to end, it drains, records, releases, and says why."""

import json
import os
import resource
import signal
import subprocess

import pytest

from herald import DEADLINE, SECRET, Emulator, Project, binary, token, variables

pytestmark = pytest.mark.usefixtures("hangup")
COUNT = 2_000
TOKENS = [token(n) for n in range(COUNT)]


@pytest.fixture
def bench(hangup, tmp_path):
    """A project with 2,000 single sends, and a running emulator with a phone for each."""
    project = Project(tmp_path / "project")
    project.campaign("call", f"{{ registrations: {project.list('all', TOKENS)} }}")
    with Emulator(project) as emulator:
        emulator.install(TOKENS)
        project.emulator = emulator
        yield project


def assert_everything_is_recorded(project):
    """Checks that no request is unknown, and that the ledger counts what the emulator counted."""
    sent = project.log.accepted()
    rows = project.rows("SELECT count, accepted, unknown FROM units")
    assert rows == [(COUNT, len(sent), 0)]
    assert project.rows("SELECT status FROM runs ORDER BY id DESC LIMIT 1") != [("running",)]
    project.apply().expect(0)
    assert project.log.accepted() == dict.fromkeys(TOKENS, 1)


@pytest.mark.parametrize("number, reason", [
    (signal.SIGHUP, "The terminal was closed. Stopping: no new requests"),
    (signal.SIGTERM, "Received SIGTERM. Stopping: no new requests"),
    (signal.SIGINT, "Stopping: no new requests"),
])
def test_a_signal_ends_a_run_in_order(bench, number, reason):
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(100)
        apply.signal(number).finish().expect(130, reason)
    assert 100 <= len(bench.log.accepted()) < COUNT
    assert_everything_is_recorded(bench)


def test_a_closing_terminal_sends_more_than_one_signal(bench):
    with bench.start("apply", "--yes") as apply:
        bench.log.wait_for(100)
        for _ in range(3):
            apply.signal(signal.SIGHUP)
        apply.finish().expect(130)
    assert_everything_is_recorded(bench)


def test_nohup_keeps_a_run_alive(bench):
    out = bench.folder.parent / "nohup.out"
    with open(out, "wb") as file:
        apply = subprocess.Popen(
            ["nohup", binary(), "apply", "--yes", "-C", bench.folder], stdin=subprocess.DEVNULL, stdout=file,
            stderr=file, env=variables())
        bench.log.wait_for(100)
        apply.send_signal(signal.SIGHUP)
        assert apply.wait(DEADLINE) == 0, out.read_text()
    assert bench.log.accepted() == dict.fromkeys(TOKENS, 1)


def test_a_reader_that_leaves_ends_a_run_in_order(bench):
    """As `herald apply --json | head -1` does."""
    apply = subprocess.Popen(
        [binary(), "apply", "--yes", "--json", "-C", bench.folder], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=variables())
    first = json.loads(apply.stdout.readline())
    apply.stdout.close()
    error = apply.stderr.read().decode()
    assert apply.wait(DEADLINE) == 130, error
    assert "Standard output cannot be written: Broken pipe. Stopping: no new requests" in error
    assert first["event"] and SECRET not in error
    assert_everything_is_recorded_or_not_begun(bench)


def assert_everything_is_recorded_or_not_begun(project):
    if project.log.accepted():
        return assert_everything_is_recorded(project)
    project.apply().expect(0)
    assert project.log.accepted() == dict.fromkeys(TOKENS, 1)


def test_a_full_disk_behind_the_output_ends_a_run_in_order(bench):
    with open("/dev/full", "wb") as full:
        apply = subprocess.run(
            [binary(), "apply", "--yes", "-C", bench.folder], stdin=subprocess.DEVNULL, stdout=full,
            stderr=subprocess.PIPE, env=variables(), timeout=DEADLINE)
    assert apply.returncode == 130, apply.stderr
    assert b"Standard output cannot be written: No space left on device" in apply.stderr
    assert_everything_is_recorded_or_not_begun(bench)


@pytest.mark.parametrize("command", ["plan", "validate", "status"])
def test_an_unwritable_output_is_an_error(bench, command):
    # Of `validate`, only findings go to standard output.
    bench.campaign("call", "{ registrations: campaigns/registrations/all.txt }", title=" ")
    assert "empty-title" in bench.herald("validate").expect(0).out
    bench.herald("plan").expect(0)
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [binary(), command, "-C", bench.folder], stdout=full, stderr=subprocess.PIPE, env=variables(),
            timeout=DEADLINE)
    assert done.returncode == 1
    assert b"error: standard output cannot be written: No space left on device" in done.stderr


def test_too_few_descriptors_are_refused_before_anything_is_sent(bench):
    def few():
        resource.setrlimit(resource.RLIMIT_NOFILE, (96, 96))
    bench.apply(preexec_fn=few).expect(1, "may open 96 files", "ulimit -n 192", "--parallelism 16")
    assert not bench.log.sends()
    bench.apply("--parallelism", "16", preexec_fn=few).expect(0)
    assert bench.log.accepted() == dict.fromkeys(TOKENS, 1)


def test_a_low_limit_is_raised_if_that_is_allowed(bench):
    def low():
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 1_024))
    bench.apply(preexec_fn=low).expect(0)


def test_the_emulator_ends_when_its_terminal_is_closed(project):
    emulator = Emulator(project)
    with emulator:
        emulator.process.send_signal(signal.SIGHUP)
        assert emulator.process.wait(DEADLINE) == 0


# MARK: what the process leaves


def test_no_core_dump_and_no_key_log(bench, tmp_path):
    """`PR_SET_DUMPABLE` gives the files in /proc to root, and removes the right to trace the process."""
    keys = tmp_path / "keys"
    with bench.start("apply", "--yes", env={"SSLKEYLOGFILE": str(keys)}) as apply:
        bench.log.wait_for(100)
        limits = open(f"/proc/{apply.process.pid}/limits").read()
        core = next(line for line in limits.splitlines() if line.startswith("Max core file size"))
        assert core.split()[4:6] == ["0", "0"]
        if os.getuid() != 0:
            assert os.stat(f"/proc/{apply.process.pid}/environ").st_uid == 0
        apply.finish().expect(0)
    assert not keys.exists()


def test_tls_keys_are_written_only_on_request(tmp_path):
    project = Project(tmp_path / "project", topics=["tides"])
    project.campaign("tide", "{ topic: tides }")
    keys = tmp_path / "keys"
    with Emulator(project, arguments=["--tls-port", "0"]):
        running = json.loads((project.folder / ".herald/emulator/running.json").read_text())
        project.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {} }\nenvironments:\n"
                      f"  local: {{ emulator: {{ url: '{running['tls_url']}', ca: .herald/emulator/ca.pem }} }}\n")
        project.apply(env={"SSLKEYLOGFILE": str(keys)}).expect(0)
        assert not keys.exists()
        project.campaign("second", "{ topic: tides }")
        project.apply("--allow-key-log", env={"SSLKEYLOGFILE": str(keys)}).expect(0)
        assert "CLIENT_TRAFFIC_SECRET_0" in keys.read_text()
        assert len(project.log.sends()) == 2
