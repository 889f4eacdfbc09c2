"""Encryption at rest: the files reveal no registration, and every command reports a missing key."""

import base64
import hashlib
import hmac
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from herald import DEADLINE, ROOT, SECRET, Emulator, Project, binary, fingerprint, token, variables
from segments import memberships, packed

KEY, OTHER = bytes(range(32)), bytes(range(100, 132))
NOW = "2037-03-20T09:00:00Z"
NAMES = ["Amália Rodrigues", "Carlos do Carmo", "Maria Teresa de Noronha"]
LOST = {"match": {"service": "SEND"}, "when": {"every": 50}, "accepted": True,
        "delivery": {"reset_connection": True}}
SLOW = {"match": {"service": "SEND"}, "delivery": {"delay_milliseconds": 20}}


def text(key):
    return base64.b64encode(key).decode()


def environment(key=KEY, **more):
    return {"STATE_KEY": text(key), **more} if key else more


class Scene(Project):
    """A project that uses an emulator in another directory, because the emulator's log contains registrations."""

    def __init__(self, folder, server, reference="env:STATE_KEY"):
        self.url = server.url
        super().__init__(folder / "project")
        self.tokens = [token(n, folder.name) for n in range(600)]
        server.install(self.tokens)
        self.declare(reference)
        self.campaign("call", f"{{ registrations: {self.list('all', self.tokens)} }}")
        self.write("campaigns/crew.yaml", "audience: crew\nsubscribe: [tides]\n"
                   f"registrations: {self.list('crew', self.tokens[:40])}\n")
        self.write("campaigns/hands.yaml", "audience: hands\ntest: true\nsubscribe: [azores]\n"
                   f"registrations: {json.dumps(self.tokens[40:45])}\n")

    def declare(self, reference, previous=None):
        former = f", previous: {json.dumps(previous)}" if previous else ""
        state = f"state: {{ encryption: {{ key: {json.dumps(reference)}{former} }} }}" if reference else ""
        self.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {}, azores: {} }\nenvironments:\n"
                   f"  local: {{ emulator: {{ url: '{self.url}' }}, {state} }}\n")

    def state(self):
        return self.folder / ".herald/local.sqlite"

    def key_of_fingerprints(self, key=KEY):
        """Derives the fingerprint key independently, as Documentation/Operations/Encryption.md describes."""
        lineage, wrapped = self.rows("SELECT lineage, keys FROM meta")[0]
        return opened_keys(lineage, wrapped, key)[32:]

    def members(self, key=KEY):
        """Decrypts the registrations of memberships independently."""
        lineage, wrapped = self.rows("SELECT lineage, keys FROM meta")[0]
        data_key = opened_keys(lineage, wrapped, key)[:32]
        with sqlite3.connect(f"file:{self.state()}?mode=ro", uri=True) as connection:
            rows = memberships(connection, lambda place, sealed: opened(data_key, place, sealed))
        return {fingerprint: registration for _, fingerprint, _, registration in rows}


def derived(key, use, length):
    return HKDF(SHA256(), length, salt=None, info=use).derive(key)


def opened_keys(lineage, wrapped, key):
    assert wrapped[:1] == b"\1" and wrapped[1:9] == derived(key, b"herald state: id of a key", 8)
    box = AESGCM(derived(key, b"herald state: wrapping", 32))
    return box.decrypt(wrapped[9:21], wrapped[21:], wrapped[:9] + lineage.encode())


def opened(data_key, place, sealed):
    assert sealed[:1] == b"\1"
    box = AESGCM(hmac.new(data_key, place, hashlib.sha256).digest())
    return box.decrypt(sealed[1:13], sealed[13:], place)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """One emulator for all scenes, outside of their directories."""
    with Emulator(Project(tmp_path_factory.mktemp("fcm"))) as emulator:
        yield emulator


def faults(server, *rules):
    server.put("/emulator/v1/faults", {"rules": rules})


@pytest.fixture(autouse=True)
def quiet(server):
    yield
    faults(server)


@pytest.fixture(scope="module")
def done(tmp_path_factory, server):
    """A read-only state with memberships, a list with unknown outcomes, and a pause."""
    scene = Scene(tmp_path_factory.mktemp("done"), server)
    faults(server, LOST)
    scene.apply(now=NOW, env=environment()).expect(4, "45 joined")
    scene.herald("pause", "call", now=NOW, env=environment()).expect(0)
    faults(server)
    return scene


def hits(scene, paths):
    """Returns the files that contain a registration or a listed name, and how many.

    Counts the lines that grep finds, and the registrations in the form of memberships.
    """
    patterns = scene.folder.parent / "patterns"
    patterns.write_text("\n".join([*scene.tokens, *NAMES, SECRET]) + "\n")
    found = {}
    for path in paths:
        counted = subprocess.run(["grep", "-acF", "-f", patterns, path], capture_output=True, text=True, timeout=DEADLINE)
        assert counted.returncode in (0, 1), counted.stderr
        content = path.read_bytes()
        count = int(counted.stdout) + sum(packed(registration) in content for registration in scene.tokens)
        if count:
            found[path.name] = count
    return found


def files(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


# MARK: no secrets in files


@pytest.mark.parametrize("key", [KEY, None], ids=["encrypted", "plain"])
def test_no_file_contains_a_registration_at_any_time_of_a_send(tmp_path, server, key):
    scene = Scene(tmp_path, server, "env:STATE_KEY" if key else None)
    env, found = environment(key), {}
    log = server.project.log
    faults(server, SLOW)
    with scene.start("apply", "--yes", "--parallelism", 8, env=env) as apply:
        log.wait_for(log.count() + 100)
        apply.signal(signal.SIGSTOP)
        names = {path.name for path in files(scene.folder / ".herald")}
        assert {"local.sqlite", "local.sqlite-wal", "local.sqlite-shm"} <= names
        found["stopped"] = hits(scene, files(scene.folder / ".herald"))
        apply.signal(signal.SIGCONT).kill()
    faults(server)
    found["killed"] = hits(scene, files(scene.folder / ".herald"))
    for number, command in enumerate([
            ["plan", "--out", tmp_path / "said-plan"], ["plan", "--format", "json"], ["apply", "--yes"], ["status", "--all"], ["history"], ["history", "1"]]):
        done = subprocess.run([binary(), *command, "-C", scene.folder], env=variables(**env), capture_output=True)
        assert done.returncode in (0, 4), done.stderr
        (tmp_path / f"said-{number}").write_bytes(done.stdout + done.stderr)
    assert hits(scene, tmp_path.glob("said-*")) == {}
    scene.herald("state", "pull", tmp_path / "copy.sqlite", env=env).expect(0)
    found["pulled"] = hits(scene, [tmp_path / "copy.sqlite"])
    found["ended"] = hits(scene, files(scene.folder / ".herald"))
    assert {stage: bool(found) for stage, found in found.items()} == dict.fromkeys(found, key is None), found


def test_decrypts_independently_and_fingerprints_use_the_key(done):
    key = done.key_of_fingerprints()
    wanted = done.tokens[:45]
    assert done.members() == {fingerprint(key, t): t for t in wanted}
    shown = json.loads(done.herald("status", "--all", "--format", "json", now=NOW, env=environment()).expect(0).out)
    unknown = re.findall(r"\b[0-9a-f]{16}\b", json.dumps(shown["occurrences"]))
    names = {fingerprint(key, t).hex()[:16] for t in done.tokens}
    assert len(unknown) == 12 and set(unknown) <= names


LIST = "{ file: campaigns/registrations/guests.csv, column: device, identity: guest }"
USES = {
    "an audience": "audience: guests\nsubscribe: [azores]\nregistrations: %s\n",
    "a campaign": "campaign: hello\naudience: { registrations: %s }\nmessage: { notification: { title: t } }\n",
    "a text": 'campaign: hello\naudience: { registrations: %s }\nmessage: { notification: { title: "Hi {{guest}}" } }\n',
}


@pytest.mark.parametrize("use", USES)
def test_no_file_contains_names_from_a_list_with_columns(tmp_path, server, use):
    """The encrypted state stores the values that a message uses; nothing else may contain them."""
    scene = Scene(tmp_path, server)
    scene.apply(env=environment()).expect(0)
    rows = [f'"{name}",{each}' for name, each in zip(NAMES, scene.tokens)]
    scene.write("campaigns/registrations/guests.csv", "\n".join(["guest,device", *rows, ""]))
    scene.write("campaigns/guests.yaml", USES[use] % LIST)
    output = []
    for command in ["validate"], ["validate", "--format", "json"], ["plan"], ["plan", "--format", "json"], ["apply", "--yes"], [
            "status", "--all"], ["history", "2"]:
        output.append(scene.herald(*command, now=NOW, env=environment()).expect(0))
    (tmp_path / "said").write_text("".join(each.out + each.err for each in output))
    assert hits(scene, [tmp_path / "said", *files(scene.folder / ".herald")]) == {}
    # The list itself contains the names that are searched for.
    assert hits(scene, [scene.folder / "campaigns/registrations/guests.csv"]) == {"guests.csv": len(NAMES)}


# MARK: core files


def test_disables_core_dumps_before_reading_a_key(done, tmp_path):
    """This also covers kernels that pipe core files to a program, and attached debuggers."""
    library = tmp_path / "opened_files.so"
    subprocess.run(
        ["clang", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library,
         ROOT / "Tests/EndToEnd/opened_files.c"], check=True)
    key = tmp_path / "key"
    key.write_text(KEY.hex())
    key.chmod(0o600)
    done.declare(str(key))
    opened = tmp_path / "opened"
    recording = {"LD_PRELOAD": str(library), "OPENED_FILES": str(opened)}
    done.herald("status", "--allow-path", tmp_path, env=recording).expect(0)
    done.declare("env:STATE_KEY")
    assert protections(opened, key) == [["0", "0", "0"]]
    # Another program that reads the key can be dumped. The protection is therefore Herald's own.
    opened.unlink()
    subprocess.run([sys.executable, "-c", f"open({str(key)!r})"], check=True, env=recording)
    assert [dumpable for dumpable, *_ in protections(opened, key)] == ["1"]


def protections(opened, path):
    """Returns what the preloaded library recorded at each opening of a file: PR_GET_DUMPABLE and two limits."""
    files = [line.split(" ", 3) for line in opened.read_text().splitlines()]
    return [file[:3] for file in files if file[3] == str(path)]


# MARK: without the key


COMMANDS = [
    ["plan"], ["plan", "--format", "json"], ["apply", "--yes"], ["apply", "--dry-run"], ["status"],
    ["status", "--format", "json"], ["history"], ["history", "1"], ["resolve", "call", "sent", "--yes"],
    ["pause"], ["pause", "call"], ["resume"], ["state", "init"], ["state", "list"], ["state", "show", "crew"],
    ["state", "pull", "copy.sqlite"], ["state", "push", __file__], ["state", "forget", "-"],
    ["state", "recover"], ["registrations", "fingerprint", "campaigns/registrations/crew.txt"],
]
WAYS = {
    "unset": ("env:STATE_KEY", {}, "STATE_KEY is not set"),
    "empty": ("env:STATE_KEY", {"STATE_KEY": ""}, "STATE_KEY is not set"),
    "undeclared": (None, environment(), "is encrypted, but there is no key for it"),
    "wrong": ("env:STATE_KEY", environment(OTHER), "encrypted with another key"),
    "short": ("env:STATE_KEY", {"STATE_KEY": KEY.hex()[:-1]}, "the value of STATE_KEY is not a state key"),
    "missing": ("keys/state", {}, "keys/state: No such file"),
    "failing": ("command:echo locked >&2; exit 3", {}, "printed no state key: it failed", "--allow-commands"),
}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: " ".join(words[:2]))
def test_every_command_reports_a_missing_key_and_exits_1(done, command):
    before = done.state().read_bytes()
    done.declare("env:STATE_KEY")
    done.herald(*command, now=NOW).expect(1, "STATE_KEY is not set", "the state is encrypted")
    assert done.state().read_bytes() == before


@pytest.mark.parametrize("way", WAYS)
def test_reports_an_invalid_key_without_showing_it(done, way):
    reference, env, words, *consent = WAYS[way]
    before = done.state().read_bytes()
    done.declare(reference)
    for command in ["plan"], ["status"], ["apply", "--yes"]:
        output = done.herald(*command, *consent, now=NOW, env=env).expect(1, words)
        assert not any(value and value in output.out + output.err for value in env.values())
    done.declare("env:STATE_KEY")
    assert done.state().read_bytes() == before


def test_plain_state_is_refused_until_state_init_encrypts_it(tmp_path, server):
    scene = Scene(tmp_path, server, None)
    faults(server, LOST)
    scene.apply(now=NOW).expect(4, "45 joined")
    faults(server)
    shown = [["status", "--all", "--format", "json"], ["history", "1", "--format", "json"]]

    def shown_data(**more) -> list[dict]:
        found = [json.loads(scene.herald(*command, now=NOW, **more).expect(0).out) for command in shown]
        # Encrypting the state adds an entry to the history's chain.
        return [{key: value for key, value in each.items() if key != "chain"} for each in found]

    before = shown_data()
    assert hits(scene, files(scene.folder / ".herald"))
    scene.declare("env:STATE_KEY")
    scene.herald("plan", env=environment()).expect(1, "is not encrypted", "encrypt it with `herald state init`")
    scene.herald("state", "init", env=environment()).expect(0, "now encrypted")
    assert hits(scene, files(scene.folder / ".herald")) == {}
    assert shown_data(env=environment()) == before
    assert len(scene.members()) == 45
    scene.herald("resolve", "call", "resend", "--yes", now=NOW, env=environment()).expect(0)
    scene.apply(now=NOW, env=environment()).expect(0, "12 accepted")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_rejects_a_key_file_that_others_can_read(done, tmp_path, mode):
    key = tmp_path / "key"
    key.write_text(KEY.hex() + "\n")
    key.chmod(mode)
    done.declare(str(key))
    status = ("status", "--allow-path", tmp_path)
    done.herald(*status).expect(1, "other users can read the state key", f"chmod 600 {key}")
    key.chmod(0o600)
    done.herald(*status).expect(0)
    done.declare("env:STATE_KEY")


def test_key_command_runs_in_the_project_but_not_for_validate(done):
    done.write("keys/name", "STATE")
    done.declare('command:touch ran; test "$(cat keys/name)" = STATE && echo "$HELD"')
    done.herald("validate").expect(0)
    assert not (done.folder / "ran").exists()
    done.herald("status", "--allow-commands", env={"HELD": text(KEY)}).expect(0)
    assert (done.folder / "ran").exists()
    done.declare("env:STATE_KEY")


def test_rejects_a_literal_key_in_herald_yaml_without_showing_it(done):
    for key in text(KEY), KEY.hex():
        done.declare(key)
        output = done.herald("validate").expect(65, "this is a key, not the source of a key")
        assert key not in output.out + output.err
    done.declare("env:STATE_KEY")


# MARK: another key


def test_key_rotation_keeps_data_and_fingerprints(tmp_path, server):
    scene = Scene(tmp_path, server)
    faults(server, LOST)
    scene.apply(now=NOW, env=environment()).expect(4)
    faults(server)
    ask = [["status", "--all", "--format", "json"], ["plan", "--format", "json"], ["history", "1", "--format", "json"]]
    before = [scene.herald(*command, now=NOW, env=environment()).out for command in ask]
    members = scene.members(KEY)
    scene.declare("env:NEW_KEY", "env:STATE_KEY")
    both = environment(NEW_KEY=text(OTHER))
    # Read-only commands accept either key and leave the state unchanged.
    assert [scene.herald(*command, now=NOW, env=both).out for command in ask] == before
    wrapped = scene.rows("SELECT keys FROM meta")
    output = scene.apply("--quiet", now=NOW, env=both).expect(0, "with the new key; remove `previous`")
    assert output.err.count("with the new key") == 1
    assert scene.rows("SELECT keys FROM meta") != wrapped
    assert "new key" not in scene.apply(now=NOW, env=both).expect(0).err
    scene.declare("env:NEW_KEY")
    only = {"NEW_KEY": text(OTHER)}
    assert [scene.herald(*command, now=NOW, env=only).out for command in ask] == before
    assert scene.members(OTHER) == members
    scene.declare("env:STATE_KEY")
    scene.herald("status", env=environment()).expect(1, "with another key", "`previous`")
    scene.declare("env:NEW_KEY")
    scene.list("crew", scene.tokens[10:50])
    scene.apply(now=NOW, env=only).expect(0, "10 joined", "10 left")
    scene.herald("resolve", "call", "resend", "--yes", now=NOW, env=only).expect(0)
    scene.apply(now=NOW, env=only).expect(0, "12 accepted")
