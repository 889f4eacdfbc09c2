"""A running emulator: the one at HERALD_EMULATOR_URL, or a process that this module starts."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.parse
import urllib.request

from .errors import EmulatorError, ExpectationError
from .project import Project

START_DEADLINE = 30
# Longer than the longest wait for a message.
DEADLINE = 90
# The status of a wait or an assertion with a wrong number of matches.
UNMET = 412


class Emulator:
    """An emulator at a URL. `token` is needed if it listens beyond loopback."""

    def __init__(self, url, token=None):
        self.url, self.token = url.rstrip("/"), token
        self._process = self._folder = None

    @classmethod
    def start(cls, binary=None, arguments=()):
        """Starts `herald emulator` on a free port, in a temporary directory.

        The program is `binary`, the one that HERALD names, or `herald` on the PATH.
        """
        program = binary or os.environ.get("HERALD") or shutil.which("herald")
        if not program:
            raise EmulatorError(
                "There is no program `herald` on the PATH. Install Herald, or set HERALD to its path or "
                "HERALD_EMULATOR_URL to a running emulator.")
        folder = tempfile.mkdtemp(prefix="herald-emulator-")
        try:
            process = subprocess.Popen(
                [program, "emulator", "--port", "0", "-C", folder, *arguments],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True)
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise EmulatorError(f"{program} cannot be started: {error.strerror}") from error
        lines = []
        for line in process.stdout:
            lines.append(line)
            found = re.search(r"FCM emulator on (http://\S+)", line)
            if found:
                emulator = cls(found[1])
                emulator._process, emulator._folder = process, folder
                return emulator
        process.wait(START_DEADLINE)
        shutil.rmtree(folder, ignore_errors=True)
        raise EmulatorError(f"`herald emulator` ended with {process.returncode}: {''.join(lines)}")

    @classmethod
    def connect(cls):
        """Returns the emulator at HERALD_EMULATOR_URL, or starts one."""
        url = os.environ.get("HERALD_EMULATOR_URL")
        return cls(url, os.environ.get("HERALD_EMULATOR_TOKEN")) if url else cls.start()

    def stop(self):
        """Ends the process, if this object started one."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(START_DEADLINE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        shutil.rmtree(self._folder, ignore_errors=True)
        self._process = None

    def __enter__(self):
        return self

    def __exit__(self, *details):
        self.stop()

    def project(self, project_id):
        """Returns a project with separate devices, messages, faults, quota and clock."""
        return Project(self, project_id)

    def call(self, method, path, body=None, query=None, bearer=None, headers=None):
        """Sends a request and returns the JSON of its answer; raises EmulatorError for a refusal."""
        __tracebackhide__ = True  # pytest shows the line of the test instead.
        given = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        text = urllib.parse.urlencode(given)
        request = urllib.request.Request(f"{self.url}{path}{'?' + text if text else ''}", method=method)
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        if bearer or self.token:
            request.add_header("Authorization", f"Bearer {bearer or self.token}")
        for name, value in (headers or {}).items():
            request.add_header(name, value)
        try:
            with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            content = error.read()
            try:
                answer = json.loads(content)
            except ValueError:
                answer = content.decode(errors="replace")
            kind = ExpectationError if error.code == UNMET else EmulatorError
            raise kind(_reason(answer) or str(error), error.code, answer) from None
        except urllib.error.URLError as error:
            raise EmulatorError(f"The emulator at {self.url} cannot be reached: {error.reason}") from None


def _reason(answer):
    error = answer.get("error") if isinstance(answer, dict) else None
    return error.get("message") if isinstance(error, dict) else error


def _text(value):
    return str(value).lower() if isinstance(value, bool) else value
