"""A running `herald run` with its health and metrics, and a webhook that records notifications."""

import json
import re
import subprocess
import threading
import urllib.error
import urllib.request
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from herald import DEADLINE, eventually

FUTURE = "2037-03-21 08:30"


def moment(minutes):
    """Returns the time in so many minutes, as schedules write it in UTC, and as HERALD_NOW does."""
    time = datetime.now(timezone.utc) + timedelta(minutes=minutes)
    return time.strftime("%Y-%m-%d %H:%M"), time.strftime("%Y-%m-%dT%H:%M:%SZ")


def due_campaign(project, name, audience):
    """Writes a campaign that a service sends at once after `apply_earlier`."""
    project.write(
        f"campaigns/{name}.yaml",
        f"campaign: {name}\naudience: {audience}\nmessage: {{ notification: {{ title: {name} }} }}\n"
        f'schedule: {{ at: "{moment(-2)[0]}", late_after: 12h }}\n')


def apply_earlier(project, *arguments, **options):
    """Applies an hour ago, before what `due_campaign` wrote was due."""
    return project.apply(*arguments, now=moment(-60)[1], **options)


class Service:
    """`herald run` with `--listen`. Streams and signals are those of the process."""

    def __init__(self, project, *arguments, **options):
        self.running = project.start("run", "--listen", "127.0.0.1:0", *arguments, **options)

    def __enter__(self):
        self.running.__enter__()
        self.url = eventually(self.found_url, f"the address of the service\n{self.running.texts()}")
        return self

    def __exit__(self, *details):
        self.running.__exit__(*details)

    def found_url(self):
        assert self.running.process.poll() is None, self.running.texts()
        found = re.search(r"http://127\.0\.0\.1:\d+", self.err)
        return found and found[0]

    @property
    def err(self):
        return self.running.texts()[1]

    def get(self, path, method="GET"):
        """Returns status, headers and body."""
        request = urllib.request.Request(self.url + path, method=method)
        try:
            with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read().decode()

    def problems(self):
        """Returns the problems in `/readyz`, after a check that its status matches."""
        status, _, body = self.get("/readyz")
        problems = json.loads(body)["problems"]
        assert status == (503 if problems else 200), body
        return [problem["problem"] for problem in problems]

    def metric(self, name, **labels):
        """Returns the value of the sample with these labels, as text; None if there is none."""
        for line in self.get("/metrics")[2].splitlines():
            found = re.fullmatch(r"(\w+)(?:\{(.*)\})? (\S+)", line)
            if found and found[1] == name:
                given = dict(re.findall(r'(\w+)="([^"]*)"', found[2] or ""))
                if labels.items() <= given.items():
                    return found[3]
        return None

    def until_ready(self):
        eventually(lambda: self.problems() == [], f"the service is ready\n{self.err}")
        return self


def checked_metrics(text):
    """Checks metrics with Prometheus' linter, and returns the names of their families."""
    done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, timeout=DEADLINE)
    assert (done.returncode, done.stdout + done.stderr) == (0, ""), f"{done.stdout}{done.stderr}\n{text}"
    return set(re.findall(r"^# TYPE (\w+) ", text, re.MULTILINE))


class Receiver:
    """A webhook. `answers` are the statuses of the first requests; all others get 204."""

    def __init__(self, answers=()):
        statuses = list(answers)
        requests = self.requests = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                requests.append((dict(self.headers), body))
                self.send_response(statuses.pop(0) if statuses else 204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/services/T0/SECRETPATH"

    def __enter__(self):
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def notifications(self):
        return [json.loads(body) for _, body in list(self.requests)]

    def events(self):
        return [notification["event"] for notification in self.notifications()]
