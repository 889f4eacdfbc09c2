"""Encrypted messages: only the phone with the key reads them; pyhpke opens each envelope that Herald makes."""

import base64
import json
import random
import signal
import sqlite3

import pytest

from envelopes import Key, base64url, decoded
from herald import Emulator, Project, device, token

KEY = base64.b64encode(bytes(range(32))).decode()
COUNT = 60
NOW = "2037-03-20T07:00:00Z"


class Bench(Project):
    """A project with an encrypted state and a list whose rows have keys. Its emulator's phones have the private keys."""

    def __init__(self, folder, server, count=COUNT):
        super().__init__(folder / "project")
        self.server, self.log = server, server.project.log
        self.begin = len(self.log.bytes())
        self.tokens = [token(n, folder.name) for n in range(count)]
        self.keys = [Key(f"{folder.name} {n}") for n in range(count)]
        server.post("/emulator/v1/devices", [
            {"name": device(text), "platform": ("android", "apple", "web")[n % 3], "registration": text,
             "message_keys": [key.private_text]}
            for n, (text, key) in enumerate(zip(self.tokens, self.keys))])
        self.declare()
        self.list_rows()
        self.write("campaigns/anglers.yaml",
                   "audience: anglers\ntest: true\nregistrations: { file: anglers.csv, public_key: key }\n")

    def declare(self, state="state: { encryption: { key: env:STATE_KEY } }"):
        self.write("herald.yaml", "version: 1\nproject: tidewatch\nenvironments:\n"
                   f"  local: {{ emulator: {{ url: '{self.server.url}' }}, {state} }}\n")

    def list_rows(self, keys=None, codes=None, columns="registration,key,code"):
        keys = keys or [key.public_text for key in self.keys]
        codes = codes or [f"code {n}" for n in range(len(self.tokens))]
        rows = [f"{text},{key},{code}\n" for text, key, code in zip(self.tokens, keys, codes)]
        self.write("anglers.csv", columns + "\n" + "".join(rows))

    def call(self, message, encrypt="{}", audience="anglers", more=""):
        self.write("campaigns/call.yaml", f"campaign: call\naudience: {audience}\nmessage: {json.dumps(message)}\n"
                   f"delivery: {{ ttl: 4h, collapse: catch }}\nencrypt: {encrypt}\n{more}")

    def herald(self, *arguments, **options):
        return super().herald(*arguments, **options | {"env": {"STATE_KEY": KEY} | (options.get("env") or {})})

    def sent(self):
        """Returns the accepted messages of this project by registration, in the order of the log."""
        found = {}
        for entry in self.log.requests(self.begin):
            if entry["path"].endswith("/messages:send") and entry["status"] == 200:
                message = entry["body"]["message"]
                found.setdefault(message["token"], []).append(message)
        return found

    def opened(self):
        """Returns the contents that pyhpke reads, by registration; each registration got one message."""
        sent = self.sent()
        assert sorted(sent) == sorted(self.tokens) and all(len(messages) == 1 for messages in sent.values())
        return {text: key.opened(sent[text][0]["data"]) for text, key in zip(self.tokens, self.keys)}

    def received(self, number=0):
        return self.server.get(f"/emulator/v1/devices/{device(self.tokens[number])}/inbox")["received"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Emulator(Project(tmp_path_factory.mktemp("fcm"))) as emulator:
        yield emulator


@pytest.fixture
def bench(tmp_path, server):
    yield Bench(tmp_path, server)
    server.put("/emulator/v1/faults", {"rules": []})


DATA = {"data": {"screen": "catches", "code": "{{code}}", "note": "only for you: \"{{code}}\""}}


def content(n):
    return {"data": {"screen": "catches", "code": f"code {n}", "note": f"only for you: \"code {n}\""}}


@pytest.mark.covers("C18")
def test_each_recipient_reads_its_own_message_and_the_log_contains_none(bench):
    bench.call(DATA)
    bench.herald("validate").expect(0)
    bench.apply().expect(0)
    assert bench.opened() == {text: content(n) for n, text in enumerate(bench.tokens)}
    contexts = {messages[0]["data"]["herald_context"] for messages in bench.sent().values()}
    assert contexts == {"tidewatch/call/once/1"}
    assert len({messages[0]["data"]["herald_envelope"] for messages in bench.sent().values()}) == COUNT
    # The phones decrypt; nothing that they show is in the log.
    assert [bench.received(n)[0]["decrypted"] for n in range(3)] == [content(n) for n in range(3)]
    requests = bench.log.bytes()[bench.begin:]
    assert b"herald_envelope" in requests and b"code 7" not in requests and b"catches" not in requests
    message = bench.sent()[bench.tokens[0]][0]
    assert message["android"] == {"ttl": "14400s", "collapse_key": "catch"} and "notification" not in message


def test_a_placeholder_stands_for_the_notification(bench):
    bench.call({"notification": {"title": "Your code is {{code}}", "body": "Open"}, "data": {"a": "1"}},
               encrypt="{ placeholder: { title: New message, body: Open the app } }")
    bench.apply().expect(0)
    message = bench.sent()[bench.tokens[1]][0]
    assert message["notification"] == {"title": "New message", "body": "Open the app"}
    assert message["apns"]["payload"]["aps"]["mutable-content"] == 1
    assert message["android"]["notification"]["tag"] == "catch"
    assert bench.opened()[bench.tokens[1]] == {
        "notification": {"title": "Your code is code 1", "body": "Open"}, "data": {"a": "1"}}
    shown = bench.received(1)[0]
    assert (shown["title"], shown["decrypted"]["notification"]["title"]) == ("New message", "Your code is code 1")


def test_phones_open_envelopes_of_pyhpke_and_no_changed_one(bench):
    key, text = bench.keys[0], bench.tokens[0]

    def send(data):
        bench.server.post("/v1/projects/tidewatch/messages:send", {"message": {"token": text, "data": data}})
        return bench.received()[-1]
    for number in range(20):
        sent = {"data": {"number": str(number), "text": "é🌊" * number}}
        assert send(key.sealed(sent, f"tidewatch/call/once/{number}"))["decrypted"] == sent
    sealed, chance = key.sealed({"data": {"secret": "yes"}}, "tidewatch/call/once/1"), random.Random(4)
    whole = decoded(sealed["herald_envelope"])
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 1 << chance.randrange(8)
        shown = send(sealed | {"herald_envelope": base64url(bytes(changed))})
        assert "decrypted" not in shown and shown["not_decrypted"] in ("malformed", "unknown_key", "tampered")
    for context in ("tidewatch/call/once/2", "tidewatch/other/once/1", "pier/call/once/1"):
        assert send(sealed | {"herald_context": context})["not_decrypted"] == "tampered"
    assert send({"herald_envelope": base64url(whole[:41]), "herald_context": ""})["not_decrypted"] == "malformed"
    assert b"secret" not in bench.log.bytes()[bench.begin:]


def test_a_new_key_in_the_row_is_used_from_the_next_send_on(bench):
    bench.call(DATA)
    bench.apply().expect(0)
    former = bench.sent()[bench.tokens[5]][0]["data"]
    fresh = Key("fresh")
    bench.list_rows(keys=[fresh.public_text if n == 5 else key.public_text for n, key in enumerate(bench.keys)])
    bench.call(DATA, more="revision: 2\n")
    bench.apply().expect(0)
    latest = bench.sent()[bench.tokens[5]][1]["data"]
    assert fresh.opened(latest) == content(5) and latest["herald_context"] == "tidewatch/call/once/2"
    assert bench.received(5)[-1]["not_decrypted"] == "unknown_key"
    # The phone keeps the former key until its messages have expired.
    bench.server.post("/emulator/v1/devices", [
        {"name": device(bench.tokens[5]), "platform": "web", "registration": bench.tokens[5],
         "message_keys": [bench.keys[5].private_text, fresh.private_text]}])
    assert [message["decrypted"] for message in bench.received(5)] == [content(5)] * 2
    assert bench.keys[5].opened(former) == content(5)


def test_a_repeat_is_a_new_envelope_of_the_same_message(bench):
    bench.call(DATA)
    bench.server.put("/emulator/v1/faults", {"rules": [
        {"id": "late", "match": {"service": "SEND"}, "when": {"nth": 1}, "answer": {"error": "QUOTA_EXCEEDED", "retry_after_seconds": 1}}]})
    bench.apply().expect(0)
    entries = [e for e in bench.log.requests(bench.begin) if e["path"].endswith("/messages:send")]
    refused = next(e["body"]["message"] for e in entries if e["status"] == 429)
    accepted = bench.sent()[refused["token"]][0]
    key = bench.keys[bench.tokens.index(refused["token"])]
    assert refused["data"]["herald_envelope"] != accepted["data"]["herald_envelope"]
    assert key.opened(refused["data"]) == key.opened(accepted["data"])
    assert refused["data"]["herald_context"] == accepted["data"]["herald_context"]


def test_an_interrupted_send_continues_with_the_stored_keys_and_values(bench):
    bench.call(DATA)
    bench.server.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "SEND"}, "delivery": {"delay_milliseconds": 30}}]})
    before = bench.log.count()
    with bench.start("apply", "--yes", "--parallelism", "2", env={"STATE_KEY": KEY}) as apply:
        bench.log.wait_for(before + 20)
        apply.signal(signal.SIGKILL)
    bench.server.put("/emulator/v1/faults", {"rules": []})
    bench.list_rows(keys=[Key("other").public_text] * COUNT, codes=["changed"] * COUNT)
    bench.herald("apply", "--yes").expect(4)
    for text, key, n in zip(bench.tokens, bench.keys, range(COUNT)):
        for message in bench.sent().get(text, []):
            assert key.opened(message["data"]) == content(n)


def test_a_service_sends_from_the_state_alone(bench):
    bench.call(DATA, more="schedule: { at: \"2037-03-20 08:00\" }\n")
    bench.herald("apply", "--yes", now=NOW).expect(0)
    for name in ("campaigns/call.yaml", "campaigns/anglers.yaml", "anglers.csv"):
        (bench.folder / name).unlink()
    bench.herald("run", "--once", now="2037-03-20T08:00:10Z").expect(0, f"{COUNT} accepted")
    assert bench.opened() == {text: content(n) for n, text in enumerate(bench.tokens)}


def test_locales_variants_and_defaults_are_encrypted(bench):
    bench.list_rows(columns="registration,key,code", codes=["" if n % 2 else f"code {n}" for n in range(COUNT)])
    bench.write("campaigns/anglers.yaml",
                "audience: anglers\nregistrations: { file: anglers.csv, public_key: key }\n"
                "columns: { code: { default: nothing } }\n")
    bench.call({"data": {"code": "{{code}}"}}, more=(
        "variants:\n  short: { weight: 1, message: { data: { text: s } } }\n"
        "  long: { weight: 1, message: { data: { text: \"long {{code}}\" } } }\n"))
    bench.apply().expect(0)
    for n, text in enumerate(bench.tokens):
        code = "nothing" if n % 2 else f"code {n}"
        assert bench.opened()[text]["data"] in ({"code": code, "text": "s"}, {"code": code, "text": f"long {code}"})


def test_each_stage_of_a_rollout_is_encrypted_with_the_stored_keys(bench):
    bench.call(DATA, more="rollout: { stages: [20], pause: 1h }\n")
    bench.apply().expect(0)
    assert len(bench.sent()) == 20
    bench.herald("rollout", "continue", "call").expect(0, "continues")
    bench.apply().expect(0)
    assert bench.opened() == {text: content(n) for n, text in enumerate(bench.tokens)}


def test_a_place_a_number_and_a_variant_are_stored_next_to_the_key(bench):
    rows = [f"{text},{key.public_text},code {n},{n}\n" for n, (text, key) in enumerate(zip(bench.tokens, bench.keys))]
    bench.write("anglers.csv", "registration,key,code,bookings\n" + "".join(rows))
    bench.write("campaigns/anglers.yaml",
                "audience: anglers\nregistrations: { file: anglers.csv, public_key: key, covariate: bookings }\n")
    bench.call({"data": {"code": "{{code}}"}}, more=(
        "rollout: { stages: [20] }\nvariants:\n  short: { weight: 1, message: { data: { text: s } } }\n"
        "  long: { weight: 1, message: { data: { text: l } } }\n"))
    bench.apply().expect(0)
    opened = bench.opened()
    assert {text: found["data"]["code"] for text, found in opened.items()} == {
        text: f"code {n}" for n, text in enumerate(bench.tokens)}
    assert {found["data"]["text"] for found in opened.values()} == {"s", "l"}


# MARK: Review

def test_reviewers_see_the_template_and_no_value(bench):
    bench.call(DATA)
    text = bench.herald("plan", "-v").expect(0, "encrypted.data.code", "{{code}}", "catches").out
    plan = bench.herald("plan", "--format", "json").expect(0).out
    markdown = bench.herald("plan", "--format", "markdown").expect(0).out
    row = bench.herald("preview", "call", "--row", "8").expect(0, "encrypted for each recipient", "{{code}}").out
    shown = json.loads(bench.herald("preview", "call", "--row", "8", "--format", "json").expect(0).out)
    assert shown["encrypted"] == DATA and "encrypted" in plan
    for output in (text, plan, markdown, row, json.dumps(shown)):
        assert "code 7" not in output and bench.keys[7].public_text not in output


def test_another_text_is_another_plan(bench):
    bench.call(DATA)
    digest = bench.plan()["digest"]
    bench.call({"data": {"screen": "harbour", "code": "{{code}}"}})
    bench.herald("apply", "--expect", digest).expect(5)
    assert bench.plan()["digest"] != digest


def test_a_test_send_is_encrypted_with_the_key_of_the_row(bench):
    bench.call(DATA)
    bench.write("to.txt", bench.tokens[3] + "\n")
    bench.herald("send", "call", "--to", f"@{bench.folder}/to.txt").expect(0)
    message = bench.sent()[bench.tokens[3]][0]
    assert bench.keys[3].opened(message["data"])["data"]["code"] == "‹code›"
    assert message["data"]["herald_context"] == "tidewatch/call/test/1"
    bench.herald("validate", "--online").expect(0)
    assert b"catches" not in bench.log.bytes()[bench.begin:]


def test_the_state_contains_no_text_of_the_message(bench):
    bench.call({"data": {"text": "unmistakable words"}}, more="schedule: { at: \"2037-03-20 08:00\" }\n")
    bench.herald("apply", "--yes", now=NOW).expect(0)
    bench.herald("run", "--once", now="2037-03-20T08:00:10Z").expect(0)
    with sqlite3.connect(f"file:{bench.folder}/.herald/local.sqlite?mode=ro", uri=True) as connection:
        stored = connection.execute("SELECT message FROM occurrences").fetchall()
        stored += connection.execute("SELECT sending FROM definitions").fetchall()
    assert stored and all(list(json.loads(text)) == ["sealed"] for (text,) in stored)
    for path in (bench.folder / ".herald").rglob("*"):
        assert not path.is_file() or b"unmistakable" not in path.read_bytes(), path


# MARK: Refusals

READABLE = {
    "notification": ({"notification": {"title": "Hi"}, "data": {"a": "1"}}, "{}", "a notification is readable"),
    "no notification": (DATA, "{ placeholder: { title: Hi } }", "stands for no notification"),
    "value in the placeholder": (
        {"notification": {"title": "Hi"}}, "{ placeholder: { title: '{{code}}' } }", "would contain values"),
    "android data": (DATA | {"android": {"data": {"a": "1"}}}, "{}", "`android.data` is not encrypted"),
    "alert": (DATA | {"apns": {"payload": {"aps": {"alert": "Hi"}}}}, "{}", "`apns.payload.aps.alert` is not"),
    "key of the app": (DATA | {"apns": {"payload": {"own": "1"}}}, "{}", "`apns.payload.own` is not encrypted"),
    "web": (DATA | {"webpush": {"notification": {"title": "Hi"}}}, "{}", "`webpush.notification.title` is not"),
    "value outside": (DATA | {"android": {"collapse_key": "{{code}}"}}, "{}", "`android.collapse_key` is not"),
    "nothing": ({}, "{}", "has no `data` to encrypt"),
}


@pytest.mark.parametrize("message, encrypt, said", READABLE.values(), ids=READABLE)
def test_readable_parts_are_refused(bench, message, encrypt, said):
    bench.call(message, encrypt=encrypt)
    bench.herald("validate").expect(65, "error[encrypted-message]", said)
    bench.herald("apply", "--yes").expect(65)
    assert bench.sent() == {}


@pytest.mark.parametrize("audience, said", [
    ("{ topic: tides }", "error[needs-list]"),
    ("{ registrations: anglers.csv }", "the list has no keys to encrypt with")])
def test_only_lists_with_keys_get_encrypted_messages(bench, audience, said):
    bench.write("herald.yaml", (bench.folder / "herald.yaml").read_text() + "topics: { tides: {} }\n")
    bench.call({"data": {"a": "1"}}, audience=audience)
    bench.herald("validate").expect(65, said)


def test_an_encrypted_message_needs_an_encrypted_state(bench):
    bench.declare(state="")
    bench.call(DATA)
    for command in (["plan"], ["apply", "--yes"]):
        bench.herald(*command).expect(65, "has `encrypt`, but the state of local is not encrypted", "state: { encryption")
    assert bench.sent() == {}


INFO = bytes.fromhex("302a300506032b6570032100")
BROKEN = {
    "text": ("not a key", "is not base64"),
    "short": (base64url(bytes(31)), "has 31 bytes instead of the 32 of an X25519 key"),
    "P-256": (base64url(b"\4" + bytes(64)), "is a key of P-256"),
    "Ed25519": (base64.b64encode(INFO + bytes(range(32))).decode(), "is a key of Ed25519"),
    "zero": (base64url(bytes(32)), "is a point of small order"),
    "order 8": ("4Ot6fDtBuK4WVuP68Z_EatoJjeucMrH9hmIFFl9JuAA", "is a point of small order"),
}


@pytest.mark.parametrize("key, said", BROKEN.values(), ids=BROKEN)
def test_an_invalid_key_is_refused_by_its_place(bench, key, said):
    bench.call(DATA)
    bench.list_rows(keys=[key if n == 6 else good.public_text for n, good in enumerate(bench.keys)])
    done = bench.herald("validate").expect(65, "error[broken-list-line]", "anglers.csv:8", "`key`", said)
    assert key not in done.out + done.err
    bench.herald("apply", "--yes").expect(65)
    assert bench.sent() == {}


def test_a_row_without_a_key_is_refused_only_if_its_message_is_encrypted(bench):
    bench.list_rows(keys=["" if n in (6, 9) else key.public_text for n, key in enumerate(bench.keys)])
    bench.call(DATA)
    bench.herald("validate").expect(65, "2 rows have no `public_key`, the first at anglers.csv:8")
    bench.write("campaigns/call.yaml", "campaign: call\naudience: anglers\nmessage: { data: { a: \"1\" } }\n")
    bench.herald("validate").expect(0)


def test_the_size_is_that_of_the_envelope_of_the_longest_row(bench):
    """The payload counts the keys and values of `data`; a row of 2,900 bytes of clear text is near the limit."""
    def payload(length):
        bench.list_rows(codes=["x" * length if n == 4 else "y" for n in range(COUNT)])
        bench.call({"data": {"c": "{{code}}"}})
        clear = len('{"data":{"c":""}}') + length
        return len("herald_contexttidewatch/call/once/1herald_envelope") + -(-(57 + clear) * 4 // 3)
    fits = next(n for n in range(2_800, 3_100) if payload(n + 1) > 4_000)
    assert 2_850 < fits < 2_950
    payload(fits)
    bench.herald("validate").expect(0)
    payload(fits + 1)
    bench.herald("validate").expect(65, "error[payload-over-4000]", "anglers.csv:6")
    bench.write("herald.yaml", (bench.folder / "herald.yaml").read_text() + "rules: { payload-over-4000: warn }\n")
    bench.herald("validate").expect(0, "warning[payload-over-4000]", "anglers.csv:6")
    limit = next(n for n in range(2_800, 3_100) if payload(n + 1) > 4_096)
    payload(limit)
    bench.herald("apply", "--yes").expect(0)
    sent = bench.sent()[bench.tokens[4]][0]["data"]
    assert sum(len(key) + len(value) for key, value in sent.items()) == payload(limit) in range(4_090, 4_097)
    # A quotation mark needs two bytes in the clear text.
    bench.list_rows(codes=["\"" + "\"\"" * limit + "\"" if n == 4 else "y" for n in range(COUNT)])
    bench.herald("validate").expect(65, "error[payload-too-large]", "anglers.csv:6")


def test_make_phones_creates_phones_that_decrypt(bench):
    phones = Project(bench.folder.parent / "phones")
    phones.write("herald.yaml", "version: 1\nproject: tidewatch\nenvironments:\n"
                 "  local: { emulator: {}, state: { encryption: { key: env:STATE_KEY } } }\n")
    phones.herald("emulator", "make-phones", "3", str(phones.folder / "phones.csv")).expect(0)
    phones.herald("emulator", "make-phones", "3", str(phones.folder / "phones.csv")).expect(1)
    phones.write("campaigns/call.yaml", "campaign: call\nencrypt: {}\nmessage: { data: { a: hidden } }\n"
                 "audience: { registrations: { file: phones.csv, public_key: public_key } }\n")
    phones.herald("apply", "--yes", env={"STATE_KEY": KEY}).expect(0, "3 accepted")
    with Emulator(phones) as emulator:
        received = [one["received"] for one in emulator.get("/emulator/v1/inboxes")["devices"]]
    assert [[m["decrypted"] for m in messages] for messages in received if messages] == [[{"data": {"a": "hidden"}}]] * 3


def test_each_project_of_an_emulator_has_separate_keys(bench):
    key, text, project = bench.keys[0], bench.tokens[0], f"keys-{bench.folder.parent.name.replace('_', '-')[-20:]}"
    options = ("--project-id", project, "--url", bench.server.url)
    bench.herald("emulator", "make-phones", "2", str(bench.folder / "more.csv"), *options).expect(0)
    devices = bench.server.get(f"/emulator/v1/devices?project={project}")["devices"]
    assert [len(one["public_keys"]) for one in devices] == [1, 1]
    bench.server.post(f"/emulator/v1/devices?project={project}", [{"name": "keyless", "platform": "web", "registration": text}])
    sealed = key.sealed({"data": {"a": "hidden"}}, "tidewatch/call/once/1")
    for one in ("tidewatch", project):
        bench.server.post(f"/v1/projects/{one}/messages:send", {"message": {"token": text, "data": sealed}})
    assert bench.received()[-1]["decrypted"] == {"data": {"a": "hidden"}}
    found = json.loads(bench.herald("emulator", "messages", "--data", "herald_envelope", "--json", *options).expect(0).out)
    assert [(one["device"], one["not_decrypted"]) for one in found["messages"]] == [("keyless", "unknown_key")]
