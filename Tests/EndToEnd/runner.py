"""Simulates the runners of GitHub and GitLab: runs action.yml and CI/gitlab.yml against a local API."""

import json
import os
import re
import subprocess
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import yaml

from herald import DEADLINE, ROOT, Result, checked, variables

TOKEN = "ghs-of-this-run"
BOT = "github-actions[bot]"
# The longest comment that GitHub takes, in characters.
LONGEST_COMMENT = 65_536


class Forge:
    """The parts of the GitHub or GitLab API that the script uses. Records comments and requests."""

    def __init__(self):
        self.comments, self.merged, self.asked = [], {}, []
        # The e-mail addresses of authors and committers of the request's commits, and the author of the request.
        self.commits, self.author = [], None
        self.failing = None
        forge = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_request(self):
                length = int(self.headers.get("Content-Length") or 0)
                body = json.loads(self.rfile.read(length)) if length else None
                status, answer = forge.answer(self.command, self.path, self.headers, body)
                text = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_PATCH = do_PUT = handle_request

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def answer(self, method, target, headers, body):
        url = urlsplit(target)
        if headers.get("Authorization") != f"Bearer {TOKEN}" and headers.get("PRIVATE-TOKEN") != TOKEN:
            return 401, {"message": "Bad credentials"}
        self.asked.append((method, url.path))
        if self.failing == method:
            return 500, {"message": "down"}
        page = {key: int(value[0]) for key, value in parse_qs(url.query).items()}
        start = (page.get("page", 1) - 1) * page.get("per_page", 30)
        if method == "GET":
            found = self.listed(url.path)
            return (200, found[start:start + page.get("per_page", 30)] if isinstance(found, list) else found) \
                if found is not None else (404, {"message": "Not Found"})
        if len(body["body"]) > LONGEST_COMMENT:
            return 422, {"message": "Validation Failed"}
        return self.written(method, url.path, body["body"])

    def comment(self, author, body):
        self.comments.append({"id": 1_000 + len(self.comments), **self.by(author), "body": body})
        return self.comments[-1]

    def changed(self, number, body):
        comment = next(each for each in self.comments if each["id"] == int(number))
        comment["body"] = body
        return 200, comment

    def writes(self):
        return [method for method, _ in self.asked if method != "GET"]


class GitHub(Forge):
    def by(self, author):
        return {"user": {"login": author}}

    def listed(self, path):
        if path == "/repos/club/push/issues/7/comments":
            return self.comments
        if found := re.fullmatch("/repos/club/push/commits/([0-9a-f]{40})/pulls", path):
            return self.merged.get(found[1], [])
        if path == "/repos/club/push/pulls/7/commits":
            return [{"commit": {"author": {"email": author}, "committer": {"email": committer}}}
                    for author, committer in self.commits]
        if path == "/repos/club/push/pulls/7" and self.author:
            return {"number": 7, "user": {"login": self.author["username"], "id": self.author["id"]}}
        return None

    def written(self, method, path, body):
        if (method, path) == ("POST", "/repos/club/push/issues/7/comments"):
            return 201, self.comment(BOT, body)
        found = re.fullmatch("/repos/club/push/issues/comments/([0-9]+)", path)
        return self.changed(found[1], body) if method == "PATCH" and found else (404, {})


class GitLab(Forge):
    def by(self, author):
        return {"author": {"username": author}}

    def listed(self, path):
        if path == "/user":
            return {"username": BOT}
        if path == "/projects/12/merge_requests/7/notes":
            return self.comments
        if found := re.fullmatch("/projects/12/repository/commits/([0-9a-f]{40})/merge_requests", path):
            return self.merged.get(found[1], [])
        if path == "/projects/12/merge_requests/7/commits":
            return [{"author_email": author, "committer_email": committer} for author, committer in self.commits]
        if path == "/projects/12/merge_requests/7" and self.author:
            return {"iid": 7, "author": {key: self.author[key] for key in ("id", "username")}}
        if self.author and path == f"/users/{self.author['id']}":
            return self.author
        return None

    def written(self, method, path, body):
        if (method, path) == ("POST", "/projects/12/merge_requests/7/notes"):
            return 201, self.comment(BOT, body)
        found = re.fullmatch("/projects/12/merge_requests/7/notes/([0-9]+)", path)
        return self.changed(found[1], body) if method == "PUT" and found else (404, {})


@dataclass
class Done(Result):
    """A finished run of the action, with its parsed output files and log."""

    outputs: dict = field(default_factory=dict)
    summary: str = ""

    @property
    def annotations(self):
        """Returns the log commands that create annotations, as the runner parses them."""
        found, silence = [], None
        for line in self.out.splitlines():
            line = line.lstrip()
            if silence:
                silence = None if line == f"::{silence}::" else silence
            elif command := re.match("::stop-commands::(.+)", line):
                silence = command[1]
            elif re.match("::(error|warning|notice)\\b", line):
                found.append(line)
            else:
                assert not re.match("::|##\\[", line), f"the runner would take this for a command: {line!r}"
        return found


def evaluated(text, context):
    """Evaluates the expressions that action.yml uses: paths of names."""

    def value(found):
        place = context
        for name in found[1].strip().split("."):
            place = place[name]
        return place

    return re.sub(r"\$\{\{(.*?)\}\}", value, text)


@dataclass
class GitHubRunner:
    """A machine with an installed herald and a clone of the repository."""

    root: object
    clone: object
    forge: GitHub
    folder: object
    runs: int = 0
    # Variables of the job.
    more: dict = field(default_factory=dict)

    def run(self, event, commit, **inputs):
        self.runs += 1
        folder = self.folder / f"run-{self.runs}"
        folder.mkdir()
        (folder / "event.json").write_text(json.dumps(event))
        for name in ("output", "summary"):
            (folder / name).touch()
        action = yaml.safe_load((ROOT / "action.yml").read_text())
        assert set(inputs) <= set(action["inputs"])
        # The program of the machine; test_releases.py installs one.
        inputs = {"version": "installed"} | inputs
        context = {"github": {"token": TOKEN, "action_repository": "club/herald"}, "steps": {}}
        context["inputs"] = {
            name: evaluated(inputs.get(name, entry.get("default", "")), context) for name, entry in action["inputs"].items()}
        environment = {
            "CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_API_URL": self.forge.url, "GITHUB_REPOSITORY": "club/push",
            "GITHUB_SHA": commit, "GITHUB_EVENT_PATH": str(folder / "event.json"), "GITHUB_OUTPUT": str(folder / "output"),
            "GITHUB_STEP_SUMMARY": str(folder / "summary"), "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_WORKSPACE": str(self.clone), "RUNNER_TEMP": str(folder),
            "PATH": f"{self.root / 'bin'}:{os.environ['PATH']}"}
        done = Done(0, "", "")
        for step in action["runs"]["steps"]:
            assert step["shell"] == "bash" and set(step) - {"id", "if"} == {"shell", "run", "env"}
            assert step.get("if", "") in ("", "inputs.command != 'install'")
            if "if" in step and context["inputs"]["command"] == "install":
                context["steps"][step["id"]] = {"outputs": Absent()}
                continue
            assert "${{" not in step["run"], "text from a pull request would become part of a script"
            (folder / "step.sh").write_text(step["run"])
            own = {name: evaluated(value, context) for name, value in step["env"].items()}
            result = started(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", folder / "step.sh"], self.clone,
                environment | self.more | own)
            done.code, done.out, done.err = result.code, done.out + result.out, done.err + result.err
            written = (folder / "output").read_text().splitlines()
            if "id" in step:
                context["steps"][step["id"]] = {"outputs": Absent(line.split("=", 1) for line in written)}
            if done.code:
                break
        done.outputs = {name: evaluated(entry["value"], context) for name, entry in action["outputs"].items()}
        done.summary = (folder / "summary").read_text()
        return done


class Absent(dict):
    """Outputs. A missing output is an empty string."""

    def __missing__(self, _):
        return ""


def included(**inputs):
    """Returns the jobs that including CI/gitlab.yml with these inputs adds to a pipeline, by name."""
    header, text = (ROOT / "CI/gitlab.yml").read_text().split("\n---\n")
    defaults = {name: entry["default"] for name, entry in yaml.safe_load(header)["spec"]["inputs"].items()}
    assert defaults == {
        "directory": ".", "environment": "local", "only": "", "except": "", "refresh": "false", "deny-warnings": "false",
        "allow-sources": "false", "stage": "deploy"}
    assert set(inputs) <= set(defaults)
    values = defaults | inputs
    return yaml.safe_load(re.sub(r"\$\[\[ inputs\.([\w-]+) \]\]", lambda found: values[found[1]], text))


@dataclass
class GitLabRunner:
    root: object
    clone: object
    forge: GitLab

    def run(self, job, environment, settings=None, **more):
        """Runs a job of CI/gitlab.yml for an environment. `settings` are further inputs."""
        jobs = included(environment=environment, **(settings or {}))
        job = f"{job} {environment}"
        given = jobs[jobs[job]["extends"]]["variables"] | {
            "CI": "true", "GITLAB_CI": "true", "CI_API_V4_URL": self.forge.url, "CI_PROJECT_ID": "12",
            "CI_SERVER_HOST": "gitlab.example.com", "HERALD_CI_TOKEN": TOKEN, "PATH": f"{self.root / 'bin'}:{os.environ['PATH']}"}
        result = started(["bash", "-eo", "pipefail", "-c", "\n".join(jobs[job]["script"])], self.clone, given | more)
        done = Done(result.code, result.out, result.err)
        if (self.clone / "herald.env").exists():
            done.outputs = Absent(line.split("=", 1) for line in (self.clone / "herald.env").read_text().splitlines())
        return done


def started(command, folder, environment):
    done = subprocess.run(
        command, cwd=folder, env=variables() | environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=DEADLINE * 2)
    assert TOKEN not in done.stdout + done.stderr
    return checked(Result(done.returncode, done.stdout, done.stderr))
