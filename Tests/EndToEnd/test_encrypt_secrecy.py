"""No clear text of an encrypted message is outside of the list, the campaign's file, the encrypted state and the phone."""

import json
import re
import signal
import subprocess

import pytest

from envelopes import Key
from herald import DEADLINE, SECRET, Emulator, Project, device, token
from secrets_search import Search
from segments import packed
from test_secrecy import KEY, LOST, MARK, SLOW, Scene, shown_of

# In the text of the campaign, which reviewers see.
TEXT = "rt5pwqzk"
COMMANDS = [
    ["validate"], ["validate", "--online"], ["validate", "--format", "json"],
    ["plan", "-v"], ["plan", "--out", "plan.out"], *(["plan", "--format", form] for form in ("markdown", "html", "json")),
    ["preview", "call"], ["preview", "call", "--row", "3"], ["preview", "call", "--row", "3", "--format", "json"],
    ["apply", "--dry-run", "-v"], ["apply", "--yes", "-v", "--format", "json"], ["apply", "--yes", "-v"],
    ["status", "--all"], ["history"], ["history", "2", "--format", "json"], ["calendar", "--format", "json"],
    ["state", "list"], ["state", "show", "call"], ["state", "pull", "pulled.sqlite"], ["simulate", "--devices", "50"],
]
# These show the template to a reviewer.
REVIEWED = {"plan", "preview", "apply"}


class EncryptedScene(Scene):
    """A project that encrypts its messages, with marks in the values of the list and in the text of the campaign."""

    def __init__(self, folder, server):
        Project.__init__(self, folder / "project")
        self.around = folder
        (folder / "temporary").mkdir()
        self.key = {"STATE_KEY": KEY}
        self.tokens = [token(n, folder.name) for n in range(400)]
        self.keys = [Key(f"{folder.name} {n}") for n in range(400)]
        self.search = Search([MARK, TEXT, SECRET], map(packed, self.tokens))
        server.post("/emulator/v1/devices", [
            {"name": device(text), "platform": "android", "registration": text, "message_keys": [key.private_text]}
            for text, key in zip(self.tokens, self.keys)])
        self.write("herald.yaml", "version: 1\nproject: e2e\nenvironments:\n"
                   f"  local: {{ emulator: {{ url: '{server.url}' }}, state: {{ encryption: {{ key: env:STATE_KEY }} }} }}\n")
        rows = [f"{text},{key.public_text},{MARK} {n}\n" for n, (text, key) in enumerate(zip(self.tokens, self.keys))]
        self.write("people.csv", "registration,key,name\n" + "".join(rows))
        message = {"notification": {"title": f"{TEXT} {{{{name}}}}"}, "data": {"note": f"{TEXT} for {{{{name}}}}"}}
        self.write("campaigns/call.yaml", f"campaign: call\nmessage: {json.dumps(message)}\non_unknown: retry\n"
                   "audience: { registrations: { file: people.csv, public_key: key } }\n"
                   "encrypt: { placeholder: { title: New message } }\n")


@pytest.fixture
def server(tmp_path_factory):
    with Emulator(Project(tmp_path_factory.mktemp("fcm"))) as emulator:
        yield emulator


def logged(server, search):
    """Returns what is found in all files of the emulator, without the registrations of the requests."""
    found = search.files(path for path in (server.project.folder / ".herald").rglob("*") if path.is_file())
    return {hit for hits in found.values() for hit in hits if hit.split()[0] in (MARK, TEXT)}


def test_no_clear_text_is_in_requests_and_state(tmp_path, server):
    scene, log, found = EncryptedScene(tmp_path, server), server.project.log, {}
    before = log.count()
    server.put("/emulator/v1/faults", {"rules": [LOST, SLOW]})
    command, place = scene.command("apply", "--yes", "-v", "--parallelism", "8")
    with open(tmp_path / "said-first", "wb") as output:
        with subprocess.Popen(command, stdout=output, stderr=output, **place) as apply:
            log.wait_for(before + 100)
            apply.send_signal(signal.SIGSTOP)
            found["stopped"] = scene.hits()
            shown = shown_of(apply.pid)
            apply.kill()
    assert {name: scene.search.hits(text) for name, text in shown.items()} == dict.fromkeys(shown, [])
    found["killed"] = scene.hits()
    server.put("/emulator/v1/faults", {"rules": [LOST]})
    said = {}
    for words in COMMANDS:
        command, place = scene.command(*words)
        done = subprocess.run(command, capture_output=True, timeout=DEADLINE, **place)
        assert done.returncode in (0, 3, 4), (words, done.stdout, done.stderr)
        said[" ".join(words)] = done.stdout + done.stderr
    said["the plan's file"] = (tmp_path / "plan.out").read_bytes()
    for words, text in said.items():
        hits = {hit.split()[0] for hit in scene.search.hits(text)}
        assert hits <= ({TEXT} if words.split()[0] in REVIEWED or "file" in words else set()), words
    assert any(TEXT.encode() in said[words] for words in said)
    found["ended"] = scene.hits() | scene.search.files([tmp_path / "pulled.sqlite"])
    assert found == dict.fromkeys(found, {})
    assert logged(server, scene.search) == set()
    # The phones show both, so that the search would find them.
    inbox = json.dumps(server.get(f"/emulator/v1/devices/{device(scene.tokens[5])}/inbox"))
    assert {f"{MARK} in UTF-8", f"{TEXT} in UTF-8"} <= set(scene.search.hits(inbox.encode()))
    sends = log.sends()
    # Requests that the kill cut off may not have left the process; their outcomes are unknown.
    cut_off = re.search(rb"(\d+) unknown", said["status --all"])
    missing = set(scene.tokens) - {entry["body"]["message"]["token"] for entry in sends}
    assert len(missing) <= (int(cut_off[1]) if cut_off else 0), missing
    assert all("herald_envelope" in entry["body"]["message"]["data"] for entry in sends)


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT])
def test_a_crash_leaves_no_clear_text(tmp_path, server, number):
    scene, log, cores = EncryptedScene(tmp_path, server), server.project.log, tmp_path / "cores"
    cores.mkdir()
    server.put("/emulator/v1/faults", {"rules": [SLOW]})
    command, place = scene.command("apply", "--yes", "-v", "--parallelism", "8")
    before = log.count()
    with open(tmp_path / "said", "wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, **place | {"cwd": cores})
        log.wait_for(before + 50)
        process.send_signal(number)
        assert process.wait(DEADLINE) == -number
    assert list(cores.iterdir()) == [] and scene.hits() == {}
    hits = {hit.split()[0] for hit in scene.search.hits((tmp_path / "said").read_bytes())}
    assert hits <= {TEXT}
