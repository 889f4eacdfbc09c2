"""Bad input and failures: each gets a clear message with a fix and the right exit code, and the state is unchanged."""

import os
import resource
import signal
import socket
import sqlite3
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from herald import DEADLINE, Emulator, Project, binary, run, token, variables

TOKENS = [token(n) for n in range(4)]
COMMANDS = [
    ["validate"], ["preview", "call"], ["plan"], ["plan", "--format", "json"], ["apply", "--yes"]]


@pytest.fixture
def bench(tmp_path):
    """A project with one campaign to a list of four registrations, each with a phone."""
    project = Project(tmp_path / "project", "environments: { staging: { emulator: { url: \"http://127.0.0.1:1\" } } }\n", ["tides"])
    project.devices(TOKENS)
    project.campaign("call", f"{{ registrations: {project.list('all', TOKENS)} }}")
    return project


def refused(project, *fragments):
    """Every command fails with 65, and nothing is sent."""
    for command in COMMANDS:
        project.herald(*command).expect(65, *fragments)
    assert project.log.sends() == []


# MARK: files


def test_names_a_missing_project_file(tmp_path):
    for command in COMMANDS:
        run(*command, "-C", tmp_path).expect(65, "herald.yaml", "there is no such file")
    assert list(tmp_path.iterdir()) == []


def test_rejects_a_missing_project_directory(tmp_path):
    for command in COMMANDS:
        run(*command, "-C", tmp_path / "nowhere").expect(65, "herald.yaml")
    assert list(tmp_path.iterdir()) == []


def test_reports_a_missing_list_at_its_use(bench):
    (bench.folder / "campaigns/registrations/all.txt").unlink()
    refused(bench, "campaigns/call.yaml:2:", "campaigns/registrations/all.txt", "no such file")


def test_rejects_a_list_that_is_a_directory(bench):
    path = bench.folder / "campaigns/registrations/all.txt"
    path.unlink()
    path.mkdir()
    refused(bench, "campaigns/registrations/all.txt", "is a directory")


def test_names_a_list_that_cannot_be_opened(bench):
    """A symbolic link may lead out of the project."""
    path = bench.folder / "campaigns/registrations/all.txt"
    path.unlink()
    path.symlink_to(path)
    refused(bench, "campaigns/registrations/all.txt", "it is a symbolic link")


@pytest.mark.parametrize("text", ["", "\n\n", "# nobody\n"])
def test_rejects_an_empty_list(bench, text):
    bench.write("campaigns/registrations/all.txt", text)
    refused(bench, "empty-list", "at least one registration")


@pytest.mark.covers("C86")
def test_reports_a_broken_line_by_number_without_its_content(bench):
    bench.write("campaigns/registrations/all.txt", f"{TOKENS[0]}\n# fine\n{TOKENS[1]} {TOKENS[2]}\n\"{TOKENS[3]}\"\n")
    refused(bench, "broken-list-line", "all.txt:3", "(column ", "line 4")


def test_reports_lines_that_are_too_long_or_not_utf8(bench):
    path = bench.folder / "campaigns/registrations/all.txt"
    path.write_bytes(b"\xff\xfe\n" + b"A" * 2_000_000 + b"\n")
    refused(bench, "all.txt:1", "UTF-8", "(column 1, byte 1)", "line 2", "longer than 1 MiB", "(column 1, byte 4)")


def test_reports_both_lines_of_a_duplicate_registration(bench):
    bench.list("all", [*TOKENS, TOKENS[1]])
    refused(bench, "duplicate-registration", "all.txt:5", "line 2")


def test_marks_a_duplicate_inline_registration_without_showing_it(bench):
    bench.campaign("call", f'{{ registrations: ["{TOKENS[0]}", "{TOKENS[1]}", "{TOKENS[0]}"] }}')
    refused(bench, "duplicate-registration", "campaigns/call.yaml:2")


@pytest.mark.covers("C86")
def test_marks_an_invalid_inline_registration_without_showing_it(bench):
    bench.campaign("call", f'{{ registrations: ["{TOKENS[0]} {TOKENS[1]}"] }}')
    refused(bench, "invalid-registration", "campaigns/call.yaml:2")


def test_finding_next_to_an_inline_registration_hides_it(bench):
    bench.campaign("call", f'{{ registrations: ["{TOKENS[0]}"], topik: x }}')
    refused(bench, "topik")


def test_finding_next_to_a_device_registration_hides_it(bench):
    bench.write("campaigns/devices.yaml", f'devices: d\nphones:\n  - {{ name: x, platfrom: web, registration: "{TOKENS[0]}" }}\n')
    refused(bench, "platfrom")


def test_hides_a_registration_that_two_devices_share(bench):
    bench.devices([TOKENS[0], TOKENS[0]])
    for result in [bench.apply(), bench.herald("emulator", "--port", 0)]:
        result.expect(65, "duplicate device's registration", "the first", "the second")
    assert bench.log.sends() == []


# MARK: command line


def test_suggests_a_similar_environment_name(bench):
    for command in (["plan"], ["apply", "--yes"]):
        bench.herald(*command, "-e", "stagin").expect(64, "no environment `stagin`", "did you mean `staging`?")
        bench.herald(*command, "-e", "zzz").expect(64, "local", "staging")
    assert not (bench.folder / ".herald").exists()


@pytest.mark.parametrize("arguments", [
    ["nonsense"], ["plan", "--nonsense"], ["plan", "extra"], ["plan", "--format", "xml"], ["apply", "--lock-timeout", "x"],
    ["apply", "--lock-timeout=-1"], ["apply", "--drain-timeout", "1e9"], ["emulator", "--port", "70000"],
    ["emulator", "--port", "x"], ["plan", "--color", "pink"], ["plan", "-e"], ["emulator", "inboxes", "--format", "xml"]])
def test_wrong_usage_exits_with_64(bench, arguments):
    result = bench.herald(*arguments).expect(64)
    assert result.out == "" and result.err.strip() != ""


def test_apply_requires_yes_without_a_terminal(bench):
    for arguments in ([], ["--no-input"]):
        bench.herald("apply", *arguments, input="yes\n").expect(64, "--yes")
    assert bench.log.requests() == []


@pytest.mark.parametrize("now", ["tomorrow", "2037-03-20", "2037-03-20 08:30", "2037-13-20T08:30:00Z", "\x1b[31m"])
def test_rejects_an_invalid_herald_now(bench, now):
    for command in (["plan"], ["apply", "--yes"]):
        result = bench.herald(*command, now=now).expect(64, "HERALD_NOW")
        assert "\x1b" not in result.out + result.err
    assert bench.log.requests() == []


@pytest.mark.parametrize("command", [["plan"], ["plan", "--format", "json"], ["validate"], ["apply", "--yes"], ["emulator", "inboxes"]])
def test_survives_a_closed_standard_output(bench, command):
    """Like `herald plan | head -0`: the reader closes before the first byte."""
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.Popen(
        [binary(), *command, "-C", bench.folder], stdin=subprocess.DEVNULL, stdout=writing,
        stderr=subprocess.PIPE, env=variables())
    os.close(writing)
    errors = process.communicate(timeout=DEADLINE)[1].decode()
    assert process.returncode >= 0 or -process.returncode == signal.SIGPIPE, errors
    assert "Fatal" not in errors and "Traceback" not in errors
    bench.apply()
    bench.apply().expect(0, "No changes.")
    assert bench.log.accepted() == {t: 1 for t in TOKENS}


# MARK: the emulator


def test_names_a_port_in_use_and_the_fix(bench):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        bench.herald("emulator", "--port", port).expect(1, f"port {port} is in use", "--port")
    with Emulator(bench):
        bench.apply().expect(0)


def test_second_emulator_names_the_first(bench):
    with Emulator(bench) as first:
        bench.herald("emulator", "--port", 0).expect(1, "another emulator", f"process {first.process.pid}")
        bench.apply().expect(0, "4 accepted")
        assert sum(len(d["received"]) for d in first.get("/emulator/v1/inboxes")["devices"]) == 4


def test_names_and_keeps_a_damaged_request_log(bench):
    bench.apply().expect(0)
    path = bench.folder / ".herald/emulator/requests.ndjson"
    damaged = b"nonsense\n" + path.read_bytes()
    path.write_bytes(damaged)
    bench.herald("emulator", "--port", 0).expect(1, "requests.ndjson:1", "move the file away")
    assert path.read_bytes() == damaged


def test_apply_does_nothing_until_the_server_is_reachable(bench):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    bench.write("herald.yaml", f'version: 1\nproject: e2e\nenvironments: {{ staging: {{ emulator: {{ url: "http://127.0.0.1:{port}" }} }} }}\n')
    bench.herald("plan", "-e", "staging").expect(0, "1 campaign sent now")
    bench.apply("-e", "staging").expect(1, "cannot be reached", "nothing was sent")
    assert bench.rows("SELECT count(*) FROM occurrences", "staging") == [(0,)]
    with Emulator(bench, port=port):
        bench.apply("-e", "staging").expect(0, "4 accepted")
    assert bench.log.accepted() == {t: 1 for t in TOKENS}


class RedirectHandler(BaseHTTPRequestHandler):
    """Redirects every request, as a captive portal does."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(302)
        self.send_header("Location", "http://127.0.0.1:1/")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def test_non_fcm_server_stops_the_apply_with_the_cause(bench):
    with ThreadingHTTPServer(("127.0.0.1", 0), RedirectHandler) as server:
        port = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        bench.write("herald.yaml", f'version: 1\nproject: e2e\nenvironments: {{ staging: {{ emulator: {{ url: "http://127.0.0.1:{port}" }} }} }}\n')
        bench.apply("-e", "staging").expect(1, "302", "nothing more was sent")
        server.shutdown()
    with Emulator(bench, port=port):
        bench.apply("-e", "staging").expect(0, "4 accepted")
    assert bench.log.accepted() == {t: 1 for t in TOKENS}


# MARK: the state


@pytest.mark.parametrize("damage", ["text", "truncated", "header", "zeros"])
def test_names_a_damaged_state_and_leaves_it_unchanged(bench, damage):
    bench.apply().expect(0)
    path = bench.folder / ".herald/local.sqlite"
    whole = path.read_bytes()
    harm = {"text": b"this is not a database\n" * 500, "truncated": whole[:len(whole) // 2],
            "header": b"X" * 100 + whole[100:], "zeros": b"\0" * len(whole)}
    path.write_bytes(harm[damage])
    before = bench.log.bytes()
    bench.campaign("more", "{ topic: tides }")
    for command in (["plan"], ["apply", "--yes"]):
        bench.herald(*command).expect(1, "local.sqlite", "damaged", "restore a copy")
    assert path.read_bytes() == harm[damage]
    assert bench.log.bytes() == before
    path.write_bytes(whole)
    bench.apply().expect(0, "1 accepted")


def test_never_writes_to_another_programs_database(bench):
    (bench.folder / ".herald").mkdir()
    path = bench.folder / ".herald/local.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    before = path.read_bytes()
    bench.apply().expect(1, "local.sqlite")
    assert path.read_bytes() == before and bench.log.sends() == []


def test_names_a_state_directory_that_is_a_file(bench):
    bench.write(".herald", "")
    for command in (["plan"], ["apply", "--yes"]):
        bench.herald(*command).expect(1, ".herald")
    with_emulator = bench.herald("emulator", "--port", 0).expect(1, ".herald")
    assert with_emulator.out == ""


def test_only_the_owner_can_access_state_and_log(bench):
    bench.apply().expect(0)
    files = [path for path in (bench.folder / ".herald").rglob("*") if path.is_file()]
    assert len(files) >= 3
    assert {path.name: oct(path.stat().st_mode & 0o777) for path in files} == {path.name: "0o600" for path in files}


# MARK: the disk


def limited(size):
    """Limits the size of the files that a process can write: writes fail, as on a full disk."""
    def prepare():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return {"preexec_fn": prepare, "restore_signals": False}


@pytest.mark.parametrize("size", [0, 4_096, 20_000, 40_000, 60_000, 90_000])
def test_never_sends_requests_that_cannot_be_recorded(tmp_path, size):
    """600 single sends with little disk space: the log and the state agree whenever the run stops."""
    project = Project(tmp_path / "project")
    tokens = [token(n) for n in range(600)]
    project.campaign("call", f"{{ registrations: {project.list('all', tokens)} }}")
    with Emulator(project) as emulator:
        emulator.install(tokens)
        first = project.apply(**limited(size))
        assert first.code in (1, 3, 4), first
        assert "error: the state" in first.err and "local.sqlite" in first.err, first
        sent = project.log.accepted()
        last = project.apply()
        assert last.code in (0, 4), last
        project.apply().expect(0, "No changes.")
    (accepted, unknown), = project.rows("SELECT accepted, unknown FROM units")
    assert accepted + unknown == 600 and unknown <= 128
    assert set(project.log.accepted().values()) == {1}
    assert accepted <= len(project.log.accepted())
    listed = {line.split()[2] for line in last.out.splitlines() if line.startswith("  unknown ")}
    names = project.fingerprints(tokens)
    missing = set(tokens) - set(project.log.accepted())
    assert missing <= {names[fingerprint] for fingerprint in listed}
    assert len(listed) == unknown, (len(listed), unknown, len(sent))
