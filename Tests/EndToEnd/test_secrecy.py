"""No value of a list and no registration is outside of the list, the encrypted state and the requests."""

import base64
import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from herald import DEADLINE, SECRET, Emulator, Project, binary, token, variables
from secrets_search import Search
from segments import packed

KEY = base64.b64encode(bytes(range(32))).decode()
# Every value of the list contains it: in columns that messages use, in those that the list's description names, and in
# the others. It is short enough for a subtag of a locale.
MARK = "vq7mwert"
COLUMNS = ["user", "name", "boat", "note", "unused"]
COUNT = 400
SLOW = {"match": {"service": "SEND"}, "delivery": {"delay_milliseconds": 20}}
LOST = {"id": "lost", "match": {"service": "SEND"}, "when": {"every": 40}, "accepted": True,
        "delivery": {"reset_connection": True}}
DEAD = {"id": "dead", "match": {"service": "SEND"}, "when": {"every": 23}, "answer": {"error": "UNREGISTERED"}}
# Everything that prints something about the project, in order.
COMMANDS = [
    ["validate"], *(["validate", "--format", form] for form in ("json", "sarif", "github")),
    ["plan", "-v", "--refresh"], ["plan", "--out", "plan.out"],
    *(["plan", "--format", form] for form in ("markdown", "html", "json")),
    ["preview", "call"], ["preview", "call", "--locale", "pt-PT"], ["preview", "call", "--format", "json"],
    ["apply", "--dry-run", "-v"], ["apply", "--yes", "-v", "--refresh", "--format", "json"], ["apply", "--yes", "-v"],
    ["status", "--all"], ["status", "--all", "--format", "json"], ["history"], ["history", "--format", "ndjson"],
    ["history", "1"], ["history", "2", "--format", "json"], ["history", "2", "--ids"], ["doctor"],
    *(["calendar", "--format", form] for form in ("text", "json", "html", "ics")),
    ["state", "list"], ["state", "show", "crew"], ["state", "pull", "pulled.sqlite"],
    ["registrations", "fingerprint", "people.txt"], ["simulate", "--devices", "50"],
]


class Scene(Project):
    """A project whose messages use columns of a list. Its emulator is in another directory."""

    def __init__(self, folder, server, key):
        super().__init__(folder / "project")
        self.around = folder
        (folder / "temporary").mkdir()
        self.key = {"STATE_KEY": KEY} if key else {}
        self.tokens = [token(n, folder.name) for n in range(COUNT)]
        self.search = Search([MARK, SECRET], map(packed, self.tokens))
        server.install(self.tokens)
        state = "state: { encryption: { key: env:STATE_KEY } }" if key else ""
        self.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {}, azores: {} }\nenvironments:\n"
                   f"  local: {{ emulator: {{ url: '{server.url}' }}, {state} }}\n")
        rows = [[registration, f"{'pt' if n % 2 else 'en'}-x-{MARK}", *(f"{MARK} {column} {n}" for column in COLUMNS)]
                for n, registration in enumerate(self.tokens)]
        self.write("people.csv", "".join(",".join(row) + "\n" for row in [["registration", "locale", *COLUMNS], *rows]))
        self.write("people.txt", "".join(f"{registration}\n" for registration in self.tokens[:3]))
        self.write("campaigns/audiences.yaml",
                   "audience: people\nregistrations: { file: people.csv, identity: user, locale: locale }\n---\n"
                   "audience: crew\nregistrations: people.csv\nsubscribe: [tides]\n---\n"
                   "audience: hands\nregistrations: people.txt\nsubscribe: [azores]\ntransport: per_registration\n")
        message = {"notification": {"title": "Hello {{name}}"}, "data": {"boat": "{{boat}}"}}
        locales = {"pt": {"notification": {"title": "Oi {{note}}"}}, "*": {}}
        self.write("campaigns/call.yaml", f"campaign: call\naudience: people\nrecord: ids\nmessage: {json.dumps(message)}\n"
                   f"locales: {json.dumps(locales)}\n")

    def command(self, *words):
        """Returns the command line, and the other options with which it is started."""
        places = {"TMPDIR": str(self.around / "temporary"), "XDG_STATE_HOME": str(self.around / "seen")}
        return [binary(), *words, "-C", self.folder], {
            "env": variables(**self.key, **places), "cwd": self.around, "stdin": subprocess.DEVNULL}

    def hits(self):
        """Returns what is found in the files that herald wrote: the state and those next to it, and others."""
        return self.search.files(self.written())

    def written(self):
        folders = (self.folder / ".herald", self.around / "temporary", self.around / "seen")
        return [path for folder in folders for path in folder.rglob("*") if path.is_file()]


@pytest.fixture(scope="module")
def emulator(tmp_path_factory):
    with Emulator(Project(tmp_path_factory.mktemp("fcm"))) as emulator:
        yield emulator


@pytest.fixture
def server(emulator):
    """The emulator, without faults afterwards."""
    yield emulator
    emulator.put("/emulator/v1/faults", {"rules": []})


def shown_of(process):
    """Returns what the process list shows of a running process, and what else is in /proc without its memory."""
    folder = Path(f"/proc/{process}")
    names = ["cmdline", "environ", "comm", "status", "stat", "maps", "limits"]
    names += [f"task/{thread.name}/comm" for thread in (folder / "task").iterdir()]
    opened = []
    for each in (folder / "fd").iterdir():
        # The process may close a file meanwhile.
        with contextlib.suppress(FileNotFoundError):
            opened.append(os.readlink(each))
    files = {"fd": "\n".join(opened).encode()}
    return files | {name: (folder / name).read_bytes() for name in names}


@pytest.mark.parametrize("key", [True, False], ids=["encrypted", "plain"])
def test_no_value_and_no_registration_is_shown_or_in_the_clear(tmp_path, server, key):
    scene, log, found = Scene(tmp_path, server, key), server.project.log, {}
    begin, before = log.path.stat().st_size, log.count()
    server.put("/emulator/v1/faults", {"rules": [LOST, DEAD, SLOW]})
    command, place = scene.command("apply", "--yes", "-v", "--parallelism", "8")
    with open(tmp_path / "said-first", "wb") as output:
        with subprocess.Popen(command, stdout=output, stderr=output, **place) as apply:
            log.wait_for(before + 100)
            apply.send_signal(signal.SIGSTOP)
            names = {path.name for path in scene.written()} | {path.parent.name for path in scene.written()}
            assert {"local.sqlite", "local.sqlite-wal", "local.sqlite-shm", "local.sqlite.flight"} <= names
            found["stopped"] = scene.hits()
            shown = shown_of(apply.pid)
            apply.kill()
    assert str(scene.folder).encode() in shown["cmdline"]
    assert {name: scene.search.hits(content) for name, content in shown.items()} == dict.fromkeys(shown, [])
    found["killed"] = scene.hits()
    server.put("/emulator/v1/faults", {"rules": [LOST]})
    for number, words in enumerate(COMMANDS):
        command, place = scene.command(*words)
        done = subprocess.run(command, capture_output=True, timeout=DEADLINE, **place)
        assert done.returncode in (0, 3, 4), (words, done.stdout, done.stderr)
        (tmp_path / f"said-{number}").write_bytes(done.stdout + done.stderr)
    said = [*tmp_path.glob("said-*"), tmp_path / "plan.out"]
    # With `-v`, each request is shown, also those with a registration in their address.
    shown = b"".join(path.read_bytes() for path in said)
    assert b"/messages:send 200" in shown and b"/iid/info/" in shown and b"topicSubscriptions" in shown
    assert len(said) == len(COMMANDS) + 2 and scene.search.files(said) == {}
    found["ended"] = scene.hits() | scene.search.files([tmp_path / "pulled.sqlite"])
    if key:
        assert found == dict.fromkeys(found, {})
    else:
        # The same search finds both in a state that is not encrypted, where registrations are packed, and in no other file.
        texts = [{hit.split()[0] for hits in files.values() for hit in hits} for files in found.values()]
        assert {MARK, "a"} <= texts[0] and all(texts), found
        assert {name for files in found.values() for name in files} <= {"local.sqlite", "local.sqlite-wal", "pulled.sqlite"}
    assert {f"{MARK} in UTF-8", f"{SECRET} in UTF-8"} <= set(scene.search.hits(log.bytes()[begin:]))


@pytest.mark.parametrize("text", [MARK, SECRET])
def test_the_search_finds_each_form_at_any_place(text):
    search = Search([text])
    for name, encoded in [("UTF-8", text.encode()), ("UTF-16 LE", text.encode("utf-16-le")), ("UTF-16 BE", text.encode("utf-16-be"))]:
        for length in range(4):
            content = os.urandom(length) + encoded + os.urandom(7 - length)
            assert f"{text} in {name}" in search.hits(content)
            for form, change in (("hex", bytes.hex), ("HEX", lambda each: each.hex().upper())):
                assert f"{text} in {form} of {name}" in search.hits(change(content).encode())
            for form, change in (("base64", base64.b64encode), ("base64url", base64.urlsafe_b64encode)):
                assert any(hit.startswith(f"{text} in {form} of {name}") for hit in search.hits(change(content)))
    assert search.hits(os.urandom(1_000_000)) == []


# MARK: core files

# Reads a text and waits.
OTHER = "import sys, time; text = sys.stdin.readline(); print(flush=True); time.sleep(60)"


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT])
@pytest.mark.parametrize("key", [True, False], ids=["encrypted", "plain"])
def test_a_crash_leaves_no_core_file(tmp_path, server, key, number):
    scene, log, cores = Scene(tmp_path, server, key), server.project.log, tmp_path / "cores"
    cores.mkdir()
    server.put("/emulator/v1/faults", {"rules": [SLOW]})
    limit = resource.getrlimit(resource.RLIMIT_CORE)[1]
    command, place = scene.command("apply", "--yes", "-v", "--parallelism", "8")
    place |= {"cwd": cores, "preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_CORE, (limit, limit))}
    # Swift's crash backtrace reveals memory. It stays enabled with a key, where Herald must suppress it.
    place["env"] |= {} if key else {"SWIFT_BACKTRACE": "enable=no"}
    before = log.count()
    with open(tmp_path / "said", "wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, **place)
        log.wait_for(before + 50)
        limits = shown_of(process.pid)["limits"].decode()
        process.send_signal(number)
        assert process.wait(DEADLINE) == -number
    # The process has given up the right to a core file, which also covers kernels that pipe it to a program.
    core = next(line for line in limits.splitlines() if line.startswith("Max core file size"))
    assert core.split()[4:6] == ["0", "0"]
    assert b"backtrace" not in (tmp_path / "said").read_bytes().lower()
    assert scene.search.files([tmp_path / "said"]) == {} and list(cores.iterdir()) == []
    # Another program that is killed in the same way leaves a file with its memory, if the system writes it there.
    other = subprocess.Popen([sys.executable, "-c", OTHER], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             cwd=cores, preexec_fn=place["preexec_fn"])
    with other:
        other.stdin.write(f"{MARK} {scene.tokens[0]}\n".encode())
        other.stdin.flush()
        other.stdout.readline()
        other.send_signal(number)
    pattern = Path("/proc/sys/kernel/core_pattern").read_text().strip()
    is_written = limit == resource.RLIM_INFINITY and "/" not in pattern and "|" not in pattern
    left = {text for hits in scene.search.files(cores.iterdir()).values() for text in hits}
    assert left & {f"{MARK} in UTF-8", f"{SECRET} in UTF-8"} == ({f"{MARK} in UTF-8", f"{SECRET} in UTF-8"} if is_written else set())
