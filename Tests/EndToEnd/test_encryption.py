"""Encryption at rest: who finds the files finds nobody, and who lost the key is told so."""

import base64
import hashlib
import hmac
import json
import os
import re
import resource
import signal
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from herald import DEADLINE, SECRET, Emulator, Project, Result, binary, checked, token, variables
from traces import strace

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
    """A project whose emulator has another folder: its own hides nothing from anybody."""

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
        """As Documentation/Operations/Encryption.md says, by another implementation."""
        lineage, wrapped = self.rows("SELECT lineage, keys FROM meta")[0]
        return opened_keys(lineage, wrapped, key)[32:]

    def members(self, key=KEY):
        """The registrations of memberships, opened by another implementation."""
        lineage, wrapped = self.rows("SELECT lineage, keys FROM meta")[0]
        data_key = opened_keys(lineage, wrapped, key)[:32]
        rows = self.rows("SELECT scope, fingerprint, registration, sealed FROM memberships")
        assert {row[2] for row in rows} == {""}
        return {fingerprint: opened(data_key, b"member " + scope.to_bytes(8, "big") + fingerprint, sealed)
                for scope, fingerprint, _, sealed in rows}


def derived(key, use, length):
    return HKDF(SHA256(), length, salt=None, info=use).derive(key)


def opened_keys(lineage, wrapped, key):
    assert wrapped[:1] == b"\1" and wrapped[1:9] == derived(key, b"herald state: id of a key", 8)
    box = AESGCM(derived(key, b"herald state: wrapping", 32))
    return box.decrypt(wrapped[9:21], wrapped[21:], wrapped[:9] + lineage.encode())


def opened(data_key, place, sealed):
    assert sealed[:1] == b"\1"
    box = AESGCM(hmac.new(data_key, place, hashlib.sha256).digest())
    return box.decrypt(sealed[1:13], sealed[13:], place).decode()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """One emulator for all scenes, far from their folders."""
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
    """A state with memberships, a list of which some are unknown, and a pause; only looked at."""
    scene = Scene(tmp_path_factory.mktemp("done"), server)
    faults(server, LOST)
    scene.apply(now=NOW, env=environment()).expect(4, "45 joined")
    scene.herald("pause", "call", now=NOW, env=environment()).expect(0)
    faults(server)
    return scene


def hits(scene, paths):
    """How many lines of which files have a registration or a name of the lists, by grep."""
    patterns = scene.folder.parent / "patterns"
    patterns.write_text("\n".join([*scene.tokens, *NAMES, SECRET]) + "\n")
    found = {}
    for path in paths:
        counted = subprocess.run(["grep", "-acF", "-f", patterns, path], capture_output=True, text=True, timeout=DEADLINE)
        assert counted.returncode in (0, 1), counted.stderr
        if int(counted.stdout):
            found[path.name] = int(counted.stdout)
    return found


def files(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


# MARK: nothing is found


@pytest.mark.parametrize("key", [KEY, None], ids=["encrypted", "plain"])
def test_no_file_holds_a_registration_at_any_moment_of_a_sending(tmp_path, server, key):
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
    assert {moment: bool(found) for moment, found in found.items()} == dict.fromkeys(found, key is None), found


def test_what_is_sealed_opens_as_documented_and_fingerprints_are_those_of_the_key(done):
    key = done.key_of_fingerprints()
    wanted = done.tokens[:45]
    assert done.members() == {hmac.new(key, t.encode(), hashlib.sha256).digest()[:16]: t for t in wanted}
    shown = json.loads(done.herald("status", "--all", "--format", "json", now=NOW, env=environment()).expect(0).out)
    unknown = re.findall(r"\b[0-9a-f]{16}\b", json.dumps(shown["occurrences"]))
    names = {hmac.new(key, t.encode(), hashlib.sha256).hexdigest()[:16] for t in done.tokens}
    assert len(unknown) == 12 and set(unknown) <= names


LIST = "{ file: campaigns/registrations/guests.csv, column: device, identity: guest }"
USES = {
    "an audience": ("audience: guests\nsubscribe: [azores]\nregistrations: %s\n", "not built yet"),
    "a campaign": ("campaign: hello\naudience: { registrations: %s }\nmessage: { notification: { title: t } }\n",
                   "not built yet"),
}


@pytest.mark.parametrize("use", USES)
def test_no_file_holds_a_name_of_a_list_with_columns(tmp_path, server, use):
    """Nothing is sent to such a list yet, nor is anybody of it subscribed: every use is refused, and
    its names must not get anywhere on the way there. `validate` reads every row."""
    scene = Scene(tmp_path, server)
    document, words = USES[use]
    scene.apply(env=environment()).expect(0)
    rows = [f'"{name}",{each}' for name, each in zip(NAMES, scene.tokens)]
    scene.write("campaigns/registrations/guests.csv", "\n".join(["guest,device", *rows, ""]))
    scene.write("campaigns/guests.yaml", document % LIST)
    scene.herald("validate", now=NOW, env=environment()).expect(0, words)
    said = []
    for command in ["validate"], ["validate", "--format", "json"], ["plan"], ["apply", "--yes"], ["status", "--all"]:
        said.append(scene.herald(*command, now=NOW, env=environment()))
        if command[0] in ("plan", "apply"):
            said[-1].expect(65, words)
    (tmp_path / "said").write_text("".join(each.out + each.err for each in said))
    assert hits(scene, [tmp_path / "said", *files(scene.folder / ".herald")]) == {}
    # What is looked for is what the list has.
    assert hits(scene, [scene.folder / "campaigns/registrations/guests.csv"]) == {"guests.csv": len(NAMES)}


# MARK: core files


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT])
@pytest.mark.parametrize("key", [KEY, None], ids=["encrypted", "plain"])
def test_a_process_that_crashes_in_the_middle_leaves_no_core_file(tmp_path, server, key, number):
    scene = Scene(tmp_path, server, "env:STATE_KEY" if key else None)
    cores = tmp_path / "cores"
    cores.mkdir()
    faults(server, SLOW)
    log = server.project.log
    limit = resource.getrlimit(resource.RLIMIT_CORE)[1]
    # Swift's own look at a crash, which shows some of the memory, is left on where it must not come.
    env = environment(key) if key else {"SWIFT_BACKTRACE": "enable=no"}
    with open(tmp_path / "said", "wb") as said:
        process = subprocess.Popen(
            [binary(), "apply", "--yes", "--parallelism", "8", "-C", scene.folder], cwd=cores, env=variables(**env),
            stdin=subprocess.DEVNULL, stdout=said, stderr=said,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (limit, limit)))
    log.wait_for(log.count() + 50)
    process.send_signal(number)
    assert process.wait(DEADLINE) == -number
    assert b"backtrace" not in (tmp_path / "said").read_bytes().lower()
    pattern = Path("/proc/sys/kernel/core_pattern").read_text().strip()
    leaves = key is None and limit == resource.RLIM_INFINITY and "/" not in pattern
    assert bool(hits(scene, files(cores) + [tmp_path / "said"])) == leaves
    assert bool(files(cores)) == leaves


def test_the_kernel_dumps_no_memory_once_a_key_is_named(done, tmp_path):
    """Also where the kernel gives core files to a program, and to whoever looks into the process."""
    key = tmp_path / "key"
    key.write_text(KEY.hex())
    key.chmod(0o600)
    done.declare(str(key))
    strace(done, "-o", tmp_path / "trace", "-e", "trace=prctl,openat,setrlimit,prlimit64", command=("status",)).expect(0)
    done.declare("env:STATE_KEY")
    calls = (tmp_path / "trace").read_text()
    before = calls[:calls.index(f'"{key}"')]
    assert re.search(r"prctl\(PR_SET_DUMPABLE, (0|SUID_DUMP_DISABLE).*= 0", before)
    assert re.search(r"RLIMIT_CORE, \{rlim_cur=0, rlim_max=0\}.*= 0", before)


# MARK: without the key


COMMANDS = [
    ["plan"], ["plan", "--format", "json"], ["apply", "--yes"], ["apply", "--dry-run"], ["status"],
    ["status", "--format", "json"], ["history"], ["history", "1"], ["resolve", "call", "sent", "--yes"],
    ["pause"], ["pause", "call"], ["pause", "--off"], ["state", "init"], ["state", "list"], ["state", "show", "crew"],
    ["state", "pull", "copy.sqlite"], ["state", "push", __file__], ["state", "forget", "-"],
    ["state", "recover"], ["registrations", "fingerprint", "campaigns/registrations/crew.txt"],
]
WAYS = {
    "unset": ("env:STATE_KEY", {}, "STATE_KEY is not set"),
    "empty": ("env:STATE_KEY", {"STATE_KEY": ""}, "STATE_KEY is not set"),
    "undeclared": (None, environment(), "is encrypted, and no key to it is there"),
    "wrong": ("env:STATE_KEY", environment(OTHER), "encrypted under another key"),
    "short": ("env:STATE_KEY", {"STATE_KEY": KEY.hex()[:-1]}, "what STATE_KEY holds is no key"),
    "missing": ("keys/state", {}, "keys/state: No such file"),
    "failing": ("command:echo locked >&2; exit 3", {}, "gives no key of the state: it failed"),
}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: " ".join(words[:2]))
def test_every_command_says_that_the_key_is_missing_and_ends_with_1(done, command):
    before = done.state().read_bytes()
    done.declare("env:STATE_KEY")
    done.herald(*command, now=NOW).expect(1, "STATE_KEY is not set", "the state is encrypted")
    assert done.state().read_bytes() == before


@pytest.mark.parametrize("way", WAYS)
def test_a_key_that_is_none_is_said_and_never_shown(done, way):
    reference, env, words = WAYS[way]
    before = done.state().read_bytes()
    done.declare(reference)
    for command in ["plan"], ["status"], ["apply", "--yes"]:
        said = done.herald(*command, now=NOW, env=env).expect(1, words)
        assert not any(value and value in said.out + said.err for value in env.values())
    done.declare("env:STATE_KEY")
    assert done.state().read_bytes() == before


def test_a_plain_state_is_refused_for_a_key_until_state_init_encrypts_it(tmp_path, server):
    scene = Scene(tmp_path, server, None)
    faults(server, LOST)
    scene.apply(now=NOW).expect(4, "45 joined")
    faults(server)
    shown = [["status", "--all", "--format", "json"], ["history", "1", "--format", "json"]]

    def told(**more) -> list[dict]:
        found = [json.loads(scene.herald(*command, now=NOW, **more).expect(0).out) for command in shown]
        # Encrypting is a deed of its own in the chain of the history.
        return [{key: value for key, value in each.items() if key != "chain"} for each in found]

    before = told()
    assert hits(scene, files(scene.folder / ".herald"))
    scene.declare("env:STATE_KEY")
    scene.herald("plan", env=environment()).expect(1, "is not encrypted", "`herald state init` encrypts it")
    scene.herald("state", "init", env=environment()).expect(0, "encrypted now")
    assert hits(scene, files(scene.folder / ".herald")) == {}
    assert told(env=environment()) == before
    assert len(scene.members()) == 45
    scene.herald("resolve", "call", "resend", "--yes", now=NOW, env=environment()).expect(0)
    scene.apply(now=NOW, env=environment()).expect(0, "12 accepted")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_key_file_that_others_may_read_is_refused(done, tmp_path, mode):
    key = tmp_path / "key"
    key.write_text(KEY.hex() + "\n")
    key.chmod(mode)
    done.declare(str(key))
    done.herald("status").expect(1, "others may read the state's key", f"chmod 600 {key}")
    key.chmod(0o600)
    done.herald("status").expect(0)
    done.declare("env:STATE_KEY")


def test_a_command_gives_the_key_in_the_projects_folder_and_validate_never_runs_it(done):
    done.write("keys/name", "STATE")
    done.declare('command:touch ran; test "$(cat keys/name)" = STATE && echo "$HELD"')
    done.herald("validate").expect(0)
    assert not (done.folder / "ran").exists()
    done.herald("status", env={"HELD": text(KEY)}).expect(0)
    assert (done.folder / "ran").exists()
    done.declare("env:STATE_KEY")


def test_a_key_in_herald_yaml_itself_is_an_error_that_does_not_show_it(done):
    for key in text(KEY), KEY.hex():
        done.declare(key)
        said = done.herald("validate").expect(65, "this is a key, not the source of a key")
        assert key not in said.out + said.err
    done.declare("env:STATE_KEY")


# MARK: another key


def test_after_a_rotation_everything_works_and_fingerprints_are_the_same(tmp_path, server):
    scene = Scene(tmp_path, server)
    faults(server, LOST)
    scene.apply(now=NOW, env=environment()).expect(4)
    faults(server)
    ask = [["status", "--all", "--format", "json"], ["plan", "--format", "json"], ["history", "1", "--format", "json"]]
    before = [scene.herald(*command, now=NOW, env=environment()).out for command in ask]
    members = scene.members(KEY)
    scene.declare("env:NEW_KEY", "env:STATE_KEY")
    both = environment(NEW_KEY=text(OTHER))
    # Whoever only looks opens it with either key, and leaves it as it is.
    assert [scene.herald(*command, now=NOW, env=both).out for command in ask] == before
    wrapped = scene.rows("SELECT keys FROM meta")
    said = scene.apply("--quiet", now=NOW, env=both).expect(0, "under the new key now: `previous` can go")
    assert said.err.count("under the new key") == 1
    assert scene.rows("SELECT keys FROM meta") != wrapped
    assert "new key" not in scene.apply(now=NOW, env=both).expect(0).err
    scene.declare("env:NEW_KEY")
    only = {"NEW_KEY": text(OTHER)}
    assert [scene.herald(*command, now=NOW, env=only).out for command in ask] == before
    assert scene.members(OTHER) == members
    scene.declare("env:STATE_KEY")
    scene.herald("status", env=environment()).expect(1, "under another key", "`previous`")
    scene.declare("env:NEW_KEY")
    scene.list("crew", scene.tokens[10:50])
    scene.apply(now=NOW, env=only).expect(0, "10 joined", "10 left")
    scene.herald("resolve", "call", "resend", "--yes", now=NOW, env=only).expect(0)
    scene.apply(now=NOW, env=only).expect(0, "12 accepted")
