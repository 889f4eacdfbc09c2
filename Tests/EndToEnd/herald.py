"""Runs the built herald as a separate process, and reads the files that it and the emulator leave on disk."""

import atexit
import ctypes
import hashlib
import hmac
import json
import os
import re
import select
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time
import urllib.request
from collections import Counter
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from segments import memberships

ROOT = Path(__file__).resolve().parents[2]
# Every registration of these tests and of the example project contains it, and nothing else does.
SECRET = "APA91b"
DEADLINE = 60
LIBC = ctypes.CDLL(None, use_errno=True)
# The factor for the number of generated test cases; `make soak` raises it.
SOAK = int(os.environ.get("HERALD_SOAK", "1"))
# Keeps the tests' known serials apart from the user's.
STATE_HOME = tempfile.mkdtemp(prefix="herald-seen-")
atexit.register(shutil.rmtree, STATE_HOME, ignore_errors=True)


def binary():
    path = Path(os.environ.get("HERALD") or ROOT / ".build/release/herald").absolute()
    return path if os.access(path, os.X_OK) else None


def token(number, family="phone"):
    """Returns a registration in FCM's format."""
    return f"{family}-{number:05}:{SECRET}-{hashlib.sha256(f'{family}{number}'.encode()).hexdigest()[:16]}"


def device(registration):
    """Returns the name of the phone that `Emulator.install` creates for a registration."""
    return f"d-{hashlib.sha1(registration.encode()).hexdigest()[:12]}"


def variables(now=None, **more):
    inherited = {key: os.environ[key] for key in ("PATH", "HOME", "TZDIR", "LANG") if key in os.environ}
    return inherited | {"XDG_STATE_HOME": STATE_HOME, "XDG_CONFIG_HOME": STATE_HOME} | ({"HERALD_NOW": now} if now else {}) | more


def forget_seen():
    """Resets known serials, for tests that restore an earlier state for another purpose."""
    shutil.rmtree(Path(STATE_HOME) / "herald", ignore_errors=True)


def obey_file_modes():
    """For `preexec_fn`: makes file modes apply to the started program, even if root runs it.

    Needs no capability: a process may always drop its own capabilities, and with `no_new_privs` it
    does not regain them when it executes a program.
    """
    version_3, overrides = 0x20080522, ~(1 << 1 | 1 << 2)  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
    header, sets = (ctypes.c_uint32 * 2)(version_3, 0), (ctypes.c_uint32 * 6)()
    no_new_privileges = 38
    if LIBC.capget(header, sets) == 0:
        sets[:3] = [held & overrides for held in sets[:3]]
        if LIBC.capset(header, sets) == 0 and LIBC.prctl(no_new_privileges, 1, 0, 0, 0) == 0:
            return
    raise OSError(ctypes.get_errno(), "cannot give up a capability")


def eventually(condition, what, deadline=DEADLINE):
    """Polls until the condition is true and returns its value.

    A condition may run a program. The pauses are twice as long as the condition takes, so that most of the time is left
    to the processes that it waits for.
    """
    begin = time.monotonic()
    end = begin + deadline
    while begin < end:
        if value := condition():
            return value
        now = time.monotonic()
        time.sleep(max(0.002, min(2 * (now - begin), end - now)))
        begin = time.monotonic()
    if value := condition():
        return value
    raise AssertionError(f"not within {deadline} s: {what}")


@dataclass
class Result:
    code: int
    out: str
    err: str

    def expect(self, code, *fragments):
        """Fails unless the exit code matches and the output contains each fragment, regardless of line breaks."""
        assert self.code == code, f"exit {self.code}, not {code}\n{self}"
        text = self.out + self.err
        flat = " ".join(text.split())
        for fragment in fragments:
            assert fragment in text or fragment in flat, f"no {fragment!r} in\n{self}"
        return self

    def __str__(self):
        return f"exit {self.code}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"


def checked(result):
    """Checks that the run shows no registration and does not crash."""
    assert SECRET not in result.out + result.err, f"a registration is shown\n{result}"
    assert result.code >= 0, f"ended by signal {-result.code}\n{result}"
    assert "Fatal error" not in result.err, result
    return result


def run(*arguments, cwd=None, now=None, env=None, input="", **options):
    done = subprocess.run(
        [binary(), *map(str, arguments)], cwd=cwd, env=variables(now, **(env or {})),
        input=input.encode(), capture_output=True, timeout=DEADLINE * 2, **options)
    return checked(Result(done.returncode, done.stdout.decode(), done.stderr.decode()))


def schema(kind):
    """Returns the output of `herald schema`. One of its patterns contains the marker of registrations."""
    return subprocess.run(
        [binary(), "schema", kind], env=variables(), capture_output=True, timeout=DEADLINE, check=True).stdout.decode()


class Running:
    """A running herald process. Its streams go to files, so no pipe can fill up.

    `prefix`: a command that executes herald in its place, such as `nsenter`.
    """

    def __init__(self, project, *arguments, now=None, env=None, prefix=()):
        project.runs += 1
        self.streams = [project.folder.parent / f"run-{project.runs}.{name}" for name in ("out", "err")]
        out, err = [open(path, "wb") for path in self.streams]
        with out, err:
            self.process = subprocess.Popen(
                [*prefix, binary(), *map(str, arguments), "-C", str(project.folder)],
                stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=variables(now, **(env or {})))

    def signal(self, number):
        self.process.send_signal(number)
        return self

    def kill(self):
        """Kills the process with SIGKILL; it must be alive."""
        assert self.process.poll() is None, f"it had ended before it was killed\n{self.texts()}"
        self.process.kill()
        self.process.wait(DEADLINE)
        return self.texts()

    def finish(self, deadline=DEADLINE):
        code = self.process.wait(deadline)
        return checked(Result(code, *self.texts()))

    def texts(self):
        texts = [path.read_text() for path in self.streams]
        assert SECRET not in "".join(texts), texts
        return texts

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
        self.process.wait(DEADLINE)


class Emulator:
    """`herald emulator` of a project, as a separate process."""

    arguments = ()

    def __init__(self, project, port=0, now=None, arguments=(), env=None):
        self.project, self.port, self.now, self.url, self.env = project, port, now, None, env or {}
        self.arguments = [str(argument) for argument in (*self.arguments, *arguments)]

    def __enter__(self):
        self.errors = open(self.project.folder.parent / "emulator.err", "ab")
        self.process = subprocess.Popen(
            [binary(), "emulator", "--port", str(self.port), "-C", str(self.project.folder), *self.arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors,
            env=variables(self.now, **self.env))
        ready, _, _ = select.select([self.process.stdout], [], [], DEADLINE)
        line = self.process.stdout.readline().decode() if ready else ""
        assert line.startswith("FCM emulator on http://127.0.0.1:"), f"the emulator says {line!r}"
        self.url = line.split()[-1]
        self.port = int(self.url.rsplit(":", 1)[1])
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
            assert self.process.wait(DEADLINE) in (0, 130)
        self.process.stdout.close()
        self.errors.close()

    def kill(self):
        self.process.kill()
        self.process.wait(DEADLINE)

    def stop_with_unread_requests(self):
        """Stops the process (SIGSTOP) and waits until a client has written to it."""
        self.process.send_signal(signal.SIGSTOP)
        deadline = time.monotonic() + DEADLINE
        while not self.has_unread_requests():
            assert time.monotonic() < deadline, "no client writes to the stopped emulator"
            time.sleep(0.01)

    def has_unread_requests(self):
        """Whether a connection to the port has bytes in its receive queue; see proc_net_tcp(5)."""
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
            _, local, _, state, queues, *_ = line.split()
            established = state == "01"
            if established and int(local.split(":")[1], 16) == self.port and int(queues.split(":")[1], 16) > 0:
                return True
        return False

    def ask(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else b"" if method == "POST" else None
        request = urllib.request.Request(
            self.url + path, data, method=method,
            headers={"Authorization": "Bearer owner", "Content-Type": "application/json"})
        return json.load(urllib.request.urlopen(request, timeout=DEADLINE))

    def post(self, path, body=None):
        return self.ask("POST", path, body)

    def put(self, path, body):
        return self.ask("PUT", path, body)

    def patch(self, path, body):
        return self.ask("PATCH", path, body)

    def get(self, path):
        return self.ask("GET", path)

    def install(self, tokens):
        """Creates a phone for each of these registrations."""
        platforms = ("android", "apple", "web")
        self.post("/emulator/v1/devices", [
            {"name": device(text), "platform": platforms[n % 3],
             "registration": text, "online": True, "foreground": False, "topics": []}
            for n, text in enumerate(tokens)])

    def subscribe(self, registration, topic="tides"):
        """Subscribes as the app does."""
        self.post(f"/emulator/v1/devices/{device(registration)}/subscriptions", {"topic": topic})

    def unsubscribe(self, registration, topic="tides"):
        """Unsubscribes as the app does."""
        self.ask("DELETE", f"/emulator/v1/devices/{device(registration)}/subscriptions/{topic}")

    def topics(self, registration):
        """Returns the registration's subscriptions according to the emulator."""
        info = self.get(f"/iid/info/{registration}?details=true")
        return set(info.get("rel", {}).get("topics", {}))


class Witness:
    """A Python server that answers each send as configured and records bodies and times.

    The project's environment `bench` sends to it.
    """

    def __init__(self, project, answer):
        bodies = self.bodies = []
        times = self.times = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                bodies.append(body)
                times.append(time.time())
                status, reply = answer(body)
                text = json.dumps(reply).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                pass

        class Server(ThreadingHTTPServer):
            request_queue_size = 256

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        project.write("herald.yaml", f"version: 1\nproject: e2e\ntopics: {{ tides: {{}}, azores: {{}} }}\n"
                      f"environments: {{ bench: {{ emulator: {{ url: '{self.url}' }} }} }}\n")

    def __enter__(self):
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


class Log:
    """The emulator's request log on disk, the only record of requests to FCM."""

    def __init__(self, path):
        self.path = Path(path)

    def bytes(self):
        return self.path.read_bytes() if self.path.exists() else b""

    def requests(self, begin=0):
        """Returns the requests to Google's APIs from a byte offset on, without control requests."""
        lines = self.bytes()[begin:].split(b"\n")[:-1]
        entries = [json.loads(line) for line in lines]
        return [entry for entry in entries if not entry["path"].startswith("/emulator/")]

    def changes(self, begin=0):
        """Returns the requests that send or change something, without queries."""
        return [entry for entry in self.requests(begin) if entry["method"] != "GET"]

    def asked(self, begin=0):
        """Returns the registrations whose memberships were queried, in order."""
        paths = [entry["path"] for entry in self.requests(begin) if entry["path"].startswith("/iid/info/")]
        return [path.removeprefix("/iid/info/").removesuffix("?details=true") for path in paths]

    def batches(self, name):
        """Returns the bodies of the successful `batchAdd` or `batchRemove` requests."""
        return [e["body"] for e in self.requests() if e["path"] == f"/iid/v1:{name}" and e["status"] == 200]

    def sends(self):
        return [e for e in self.requests() if e["path"].endswith("/messages:send")]

    def each_send(self):
        """Yields the sends, one in memory at a time. The last line may be in the middle of being written."""
        with open(self.path, "rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    return
                if b"/messages:send" in line and (entry := json.loads(line))["path"].endswith("/messages:send"):
                    yield entry

    def accepted(self):
        """Counts the accepted messages to each registration, topic or condition."""
        messages = [e["body"]["message"] for e in self.sends() if e["status"] == 200]
        return Counter(m.get("token") or m.get("topic") or m.get("condition") for m in messages)

    def count(self):
        return self.bytes().count(b"messages:send")

    def wait_for(self, count):
        eventually(lambda: self.count() >= count, f"{count} sends in the log")

    def settle(self):
        """Waits until the emulator has processed everything that a killed client had written to it."""
        seen = [(len(self.bytes()), time.monotonic())]

        def is_quiet():
            if len(self.bytes()) != seen[0][0]:
                seen[0] = (len(self.bytes()), time.monotonic())
            return time.monotonic() - seen[0][1] > 0.15

        eventually(is_quiet, "the log stops growing")
        return self.count()


def fingerprint(key, text):
    """Returns the 16 bytes of a fingerprint under the state's key, computed independently of herald."""
    return siphash(hmac.new(key, b"herald fingerprint", hashlib.sha256).digest()[:16], text.encode())


def siphash(key, data):
    """SipHash-2-4 with 128 bits, as its authors describe it."""
    mask = (1 << 64) - 1
    first, second = (int.from_bytes(part, "little") for part in (key[:8], key[8:]))
    v = [first ^ 0x736F6D6570736575, second ^ 0x646F72616E646F6D ^ 0xEE, first ^ 0x6C7967656E657261,
         second ^ 0x7465646279746573]

    def rotated(word, count):
        return (word << count | word >> (64 - count)) & mask

    def mix():
        v[0] = v[0] + v[1] & mask
        v[1] = rotated(v[1], 13) ^ v[0]
        v[0] = rotated(v[0], 32)
        v[2] = v[2] + v[3] & mask
        v[3] = rotated(v[3], 16) ^ v[2]
        v[0] = v[0] + v[3] & mask
        v[3] = rotated(v[3], 21) ^ v[0]
        v[2] = v[2] + v[1] & mask
        v[1] = rotated(v[1], 17) ^ v[2]
        v[2] = rotated(v[2], 32)

    def half():
        for _ in range(4):
            mix()
        return (v[0] ^ v[1] ^ v[2] ^ v[3]).to_bytes(8, "little")

    padded = data + bytes(-(len(data) + 1) % 8) + bytes([len(data) & 255])
    for place in range(0, len(padded), 8):
        word = int.from_bytes(padded[place:place + 8], "little")
        v[3] ^= word
        mix()
        mix()
        v[0] ^= word
    v[2] ^= 0xEE
    high = half()
    v[1] ^= 0xDD
    return high + half()


class Project:
    """A project in a separate directory, with its state."""

    def __init__(self, folder, header="", topics=()):
        self.folder = Path(folder)
        self.runs = 0
        # The operator's credential file of an environment.
        self.credentials = {}
        # The directory of the operator's trust.yaml, if there is one.
        self.trust = None
        registry = ", ".join(f'"{topic}": {{}}' for topic in topics)
        self.write("herald.yaml", f"version: 1\nproject: e2e\ntopics: {{ {registry} }}\n{header}")
        (self.folder / "campaigns").mkdir(exist_ok=True)
        self.log = Log(self.folder / ".herald/emulator/requests.ndjson")

    @classmethod
    def of(cls, folder):
        """Opens a project whose files already exist."""
        project = cls.__new__(cls)
        project.folder, project.runs, project.credentials, project.trust = Path(folder), 0, {}, None
        project.log = Log(project.folder / ".herald/emulator/requests.ndjson")
        return project

    def write(self, path, text):
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")

    def list(self, name, tokens):
        self.write(f"campaigns/registrations/{name}.txt", "".join(f"{text}\n" for text in tokens))
        return f"campaigns/registrations/{name}.txt"

    def devices(self, tokens):
        """Writes a `devices:` document with an Android phone for each registration."""
        phones = "".join(
            f'  - {{ name: phone-{n}, platform: android, registration: "{text}" }}\n'
            for n, text in enumerate(tokens))
        self.write("campaigns/devices.yaml", f"devices: bench\nphones:\n{phones}")

    def campaign(self, name, audience, schedule=None, title=None):
        """Writes a typical campaign document; `audience` is YAML."""
        at = f'schedule: {{ at: "{schedule}" }}\n' if schedule else ""
        self.write(
            f"campaigns/{name}.yaml",
            f"campaign: {name}\naudience: {audience}\n"
            f"message: {{ notification: {{ title: {json.dumps(title or name)} }} }}\n{at}")

    def herald(self, *arguments, **options):
        return run(*arguments, "-C", self.folder, **self.identified(arguments, options))

    def allow_path(self, folder):
        """Allows the project's files to refer to a folder outside of the project, as its operator does."""
        self.trust = self.folder.parent / f"{self.folder.name}-config"
        file = self.trust / "herald/trust.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"projects:\n  {self.folder.resolve()}:\n    allow-path: [{Path(folder).resolve()}]\n")
        file.chmod(0o600)

    def identified(self, arguments, options):
        """Returns the options with the operator's consents and with the credential of the environment that the
        arguments name.
        """
        named = arguments[arguments.index("-e") + 1:] if "-e" in arguments else ()
        file = self.credentials.get(named[0] if named else "local")
        key = {"GOOGLE_APPLICATION_CREDENTIALS": str(self.folder / file)} if file else {}
        trusting = {"XDG_CONFIG_HOME": str(self.trust)} if self.trust else {}
        return options | {"env": key | trusting | (options.get("env") or {})}

    def apply(self, *arguments, **options):
        return self.herald("apply", "--yes", *arguments, **options)

    def plan(self, *arguments, **options):
        return json.loads(self.herald("plan", "--format", "json", *arguments, **options).expect(0).out)

    def start(self, *arguments, **options):
        return Running(self, *arguments, **self.identified(arguments, options))

    def name_states(self, *environments):
        """Creates the states and writes their lineages into herald.yaml, which an environment with `fcm` requires."""
        for environment in environments:
            self.herald("state", "init", "-e", environment).expect(0, "Wrote to herald.yaml")

    def rows(self, sql, environment="local"):
        """Reads herald's state, which is not encrypted. The tests never write it.

        A statement may read `memberships`, one row per member, which is a temporary table.
        """
        path = self.folder / f".herald/{environment}.sqlite"
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None) as connection:
            if re.search(r"\bmemberships\b", sql):
                connection.execute("BEGIN")
                found = memberships(connection)
                connection.execute("CREATE TEMP TABLE memberships (scope, fingerprint, status, registration)")
                connection.executemany("INSERT INTO memberships VALUES (?, ?, ?, ?)", found)
            return connection.execute(sql).fetchall()

    def fingerprints(self, tokens, environment="local"):
        """Returns the registrations by fingerprint, computed independently of herald."""
        key = self.rows("SELECT fingerprint_key FROM meta", environment)[0][0]
        return {fingerprint(key, t).hex()[:16]: t for t in tokens}
