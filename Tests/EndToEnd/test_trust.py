"""What the operator allows a project's files to do, with options and with a file outside of the project."""

import json
import os
import subprocess

import pytest

from accounts import make_key
from herald import DEADLINE, Project, token

YAML = """\
version: 1
project: e2e
topics: {{ tides: {{}} }}
environments: {{ local: {{ emulator: {{}}, {} }} }}
"""
# The operator's consent to everything that can be allowed.
EVERYTHING = ("--allow-commands", "--allow-path", "/", "--allow-host", "sts.example", "--allow-variable", "GATEWAY")
# 32 bytes in base64.
KEY = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="


@pytest.fixture
def outside(tmp_path):
    folder = tmp_path / "outside"
    folder.mkdir()
    return folder


def with_key(project, reference):
    project.write("herald.yaml", YAML.format(f"state: {{ encryption: {{ key: '{reference}' }} }}"))


def trusting(tmp_path, project, text):
    """Writes the user's file and returns the variables that lead to it."""
    file = tmp_path / "config/herald/trust.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"projects:\n  {project.folder.resolve()}:\n    {text}\n")
    file.chmod(0o600)
    return {"XDG_CONFIG_HOME": str(tmp_path / "config")}


def test_commands_need_consent(project, tmp_path):
    with_key(project, f"command:touch ran; echo {KEY}")
    project.herald("plan").expect(6, "asks to run `touch ran; echo", "--allow-commands", "trust.yaml")
    assert not (project.folder / "ran").exists()
    project.herald("plan", "--allow-commands").expect(0)
    assert (project.folder / "ran").exists()
    project.herald("plan", env=trusting(tmp_path, project, "allow-commands: false")).expect(6)
    project.herald("plan", env=trusting(tmp_path, project, "allow-commands: true")).expect(0)


def test_the_file_is_about_one_project(project, tmp_path):
    with_key(project, f"command:echo {KEY}")
    env = trusting(tmp_path, Project(tmp_path / "another"), "allow-commands: true")
    project.herald("plan", env=env).expect(6, "--allow-commands")


def test_files_outside_of_the_project_need_consent(project, tmp_path, outside):
    (outside / "key").write_text(KEY)
    (outside / "key").chmod(0o600)
    with_key(project, f"{outside}/key")
    project.herald("plan").expect(6, "outside of the project", f"--allow-path {outside}")
    project.herald("plan", "--allow-path", outside).expect(0)
    project.herald("plan", env=trusting(tmp_path, project, f"allow-path: [{outside}]")).expect(0)
    project.herald("plan", "--allow-path", outside / "other").expect(6)


def test_a_linked_folder_of_states_needs_consent_to_its_target(project, outside):
    (project.folder / ".herald").symlink_to(outside)
    # The directory that contains the link is the project itself, so allowing that would change nothing.
    project.herald("plan").expect(6, ".herald is outside of the project", f"--allow-path {outside},")
    assert not list(outside.iterdir())
    project.herald("plan", "--allow-path", project.folder).expect(6)
    project.herald("plan", "--allow-path", outside).expect(0)
    assert (outside / "local.sqlite").exists()


def test_a_linked_key_needs_consent_to_its_targets_directory(project, outside):
    (outside / "key").write_text(KEY)
    (outside / "key").chmod(0o600)
    (project.folder / "keys").symlink_to(outside)
    with_key(project, "keys/key")
    project.herald("plan").expect(6, "outside of the project", f"--allow-path {outside},")
    project.herald("plan", "--allow-path", outside).expect(0)


def test_a_link_does_not_bring_a_list_into_the_project(project, outside):
    (outside / "list.txt").write_text(f"{token(1)}\n")
    project.campaign("call", "{ registrations: 'lists/list.txt' }")
    (project.folder / "lists").symlink_to(outside)
    project.herald("validate").expect(65, "outside of the project", "--allow-path DIR")
    project.herald("validate", "--allow-path", outside).expect(0)
    (project.folder / "lists").unlink()
    (project.folder / "lists").mkdir()
    (project.folder / "lists/list.txt").symlink_to("real.txt")
    (project.folder / "lists/real.txt").write_text(f"{token(1)}\n")
    project.herald("validate").expect(65, "it is a symbolic link")


def test_consents_are_recorded_with_the_run(project, outside):
    (outside / "list.txt").write_text(f"{token(1)}\n")
    project.campaign("call", f"{{ registrations: '{outside}/list.txt' }}")
    project.herald("plan").expect(65, "outside of the project")
    assert project.apply("--allow-path", outside).code in (0, 3)
    project.herald("history", "1").expect(0, f"--allow-path {outside}")


@pytest.mark.parametrize("text, reason", [
    ("projects: []\n", ":1: write a mapping"),
    ("project: {}\n", ":1: `project` is not one of `projects`"),
    ("projects:\n  /a:\n    allow-command: true\n", ":3: `allow-command` is not one of `allow-commands`"),
    ("projects:\n  /a:\n    allow-commands: yes\n", ":3: write `true` or `false`"),
    ("projects: {\n", "trust.yaml: "),
])
def test_a_malformed_file_is_an_error_with_its_place(project, tmp_path, text, reason):
    env = trusting(tmp_path, project, "allow-commands: true")
    (tmp_path / "config/herald/trust.yaml").write_text(text)
    project.herald("plan", env=env).expect(1, reason)


def test_a_file_that_others_can_change_is_refused(project, tmp_path):
    env = trusting(tmp_path, project, "allow-commands: true")
    file = tmp_path / "config/herald/trust.yaml"
    file.chmod(0o664)
    project.herald("plan", env=env).expect(1, "can be changed by other users", "chmod go-w")
    file.chmod(0o600)
    project.herald("plan", env=env).expect(0)
    if os.getuid() == 0:  # Only root can give a file away.
        os.chown(file, 65_534, -1)
        project.herald("plan", env=env).expect(1, "can be changed by other users")
        os.chown(file, 0, -1)
    file.rename(tmp_path / "real")
    file.symlink_to(tmp_path / "real")
    project.herald("plan", env=env).expect(1, "trust.yaml cannot be read")


# MARK: credentials


def fcm(project, credentials, more=""):
    project.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {} }\n"
                  f"environments: {{ local: {{ fcm: {{ project_id: harbour-b5ae1, credentials: {credentials}{more} }} }} }}\n")


def doctor(project, *arguments, **env):
    return project.herald("doctor", *arguments, env=env)


def test_a_credential_in_the_project_is_refused_for_fcm(project, outside):
    make_key(project, "robot@harbour-b5ae1.iam.gserviceaccount.com")
    fcm(project, "robot.json")
    for consents in ((), EVERYTHING):
        doctor(project, *consents).expect(
            1, "herald.yaml names the credential robot.json", "GOOGLE_APPLICATION_CREDENTIALS")
    fcm(project, "application-default")
    text = doctor(project, GOOGLE_APPLICATION_CREDENTIALS=str(project.folder / "robot.json")).out
    assert "robot.json" in text and "names the credential" not in text
    (project.folder / "robot.json").rename(outside / "robot.json")
    fcm(project, f"'{outside}/robot.json'")
    doctor(project).expect(1, "outside of the project", "--allow-path")
    assert "outside of the project" not in doctor(project, "--allow-path", outside).out


def test_a_credential_that_git_contains_is_refused(project):
    make_key(project, "robot@harbour-b5ae1.iam.gserviceaccount.com")
    fcm(project, "application-default")
    named = {"GOOGLE_APPLICATION_CREDENTIALS": str(project.folder / "robot.json")}
    for command in (["init", "--quiet"], ["add", "--force", "robot.json"]):
        assert "Git repository" not in doctor(project, **named).out
        subprocess.run(["git", *command], cwd=project.folder, check=True, timeout=DEADLINE, env={"PATH": os.environ["PATH"]})
    for consents in ((), EVERYTHING):
        doctor(project, *consents, **named).expect(
            1, "robot.json is a credential in the project's Git repository", "rotate the key")


def test_identities_go_only_to_google_this_machine_and_allowed_hosts(project, tmp_path, outside):
    make_key(project, "robot@harbour-b5ae1.iam.gserviceaccount.com")
    key = json.loads((project.folder / "robot.json").read_text())
    fcm(project, "application-default")

    def named(url):
        (outside / "robot.json").write_text(json.dumps(key | {"token_uri": url}))
        return {"GOOGLE_APPLICATION_CREDENTIALS": str(outside / "robot.json")}

    refusal = "sends its identity to"
    for url in ("https://sts.example/token", "https://googleapis.com.example/token", "https://127.0.0.2/token"):
        doctor(project, **named(url)).expect(1, refusal, "--allow-host")
    for url in ("https://oauth2.googleapis.com/token", "http://127.0.0.1:1/token", "https://sts.mtls.googleapis.com/v1"):
        assert refusal not in doctor(project, **named(url)).out
    assert refusal not in doctor(project, "--allow-host", "STS.example", **named("https://sts.example/token")).out
    env = trusting(tmp_path, project, "allow-host: sts.example") | named("https://sts.example/token")
    assert refusal not in doctor(project, **env).out


# MARK: variables


def test_the_value_of_a_variable_is_not_shown(project, tmp_path):
    fcm(project, "application-default", ", endpoint: 'https://${GATEWAY}'")
    project.campaign("call", "{ topic: tides }")
    env = {"GATEWAY": "Gate.Secret-host.example"}
    plan = project.herald("plan", env=env).expect(0, "https://${GATEWAY}")
    assert "secret-host" not in (plan.out + plan.err).lower()
    project.herald("plan", "--allow-variable", "GATEWAY", env=env).expect(0, "gate.secret-host.example")
    project.herald("plan", env=env | trusting(tmp_path, project, "allow-variable: GATEWAY")).expect(
        0, "gate.secret-host.example")
