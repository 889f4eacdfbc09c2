"""Acts on the messages of devices: opt-outs, subscriptions and answers, with plan, guards, ledger and history."""

import csv
import json

import pytest

from herald import Emulator, Project, device, token
from upstream import HEADER, listening

PHONES = [token(n) for n in range(12)]
LEAVER, OTHER = PHONES[3], PHONES[4]

RULES = """
upstream: leave-everything
match: { data: { action: opt-out } }
opt_out: true
---
upstream: azores-tides
match: { data: { action: join-azores } }
subscribe: [azores]
---
upstream: no-azores
match: { category: com.example.tidewatch, data: { action: part-azores } }
unsubscribe: [azores]
"""

# A rule about answers to the campaign `call`.
SEEN = """---
upstream: seen
match: { data: { action: seen } }
event: seen
campaign: call
"""

AUDIENCE = """
audience: anglers
registrations: campaigns/registrations/anglers.txt
subscribe: [tides]
rejoin: {rejoin}
"""


@pytest.fixture
def bench(tmp_path):
    project = Project(tmp_path / "project", header=HEADER, topics=["tides", "azores"])
    project.list("anglers", PHONES)
    project.write("campaigns/anglers.yaml", AUDIENCE.format(rejoin="false"))
    project.write("campaigns/rules.yaml", RULES)
    with Emulator(project) as emulator:
        project.emulator = emulator
        emulator.install(PHONES)
        yield project


def sends(project, begin):
    """Returns the targets of the sends since a place in the log."""
    return [e["body"]["message"] for e in project.log.requests(begin) if e["path"].endswith("/messages:send")]


def addressed(project, begin):
    return sorted(message["token"] for message in sends(project, begin))


def call(project, name, audience="anglers"):
    """Declares a campaign, applies it, and returns its result and the place in the log before it."""
    project.campaign(name, audience)
    begin = len(project.log.bytes())
    return project.apply(), begin


def test_opt_out_leaves_topics_and_every_list(bench):
    bench.apply().expect(0)
    assert all("tides" in bench.emulator.topics(phone) for phone in PHONES)
    with listening(bench) as phones:
        phones.tell(LEAVER, {"action": "opt-out"})
    bench.herald("plan").expect(0, "1 member left topic tides with a message (upstream)", "1 leave")
    result, begin = call(bench, "call")
    result.expect(0, "1 of 12 registrations opted out with a message (upstream) and is skipped",
                  "11 accepted, 1 opted out, not addressed")
    assert addressed(bench, begin) == sorted(set(PHONES) - {LEAVER})
    assert "tides" not in bench.emulator.topics(LEAVER)
    details = bench.rows("SELECT count, accepted, suppressed FROM occurrences JOIN units ON units.id = unit "
                         "WHERE campaign = 'call'")
    assert details == [(12, 11, 1)]
    bench.herald("history", "2").expect(0, "1 left (upstream)")
    run = json.loads(bench.herald("history", "2", "--format", "json").expect(0).out)
    assert run["run"]["memberships"] == [
        {"audience": "anglers", "topic": "tides", "joined": 0, "left": 1, "refused": 0, "left_upstream": 1}]
    # Neither a new list nor `rejoin` brings the registration back.
    bench.write("campaigns/anglers.yaml", AUDIENCE.format(rejoin="true"))
    result, begin = call(bench, "again", f"{{ registrations: {bench.list('others', PHONES[::-1])} }}")
    result.expect(0, "11 accepted")
    assert LEAVER not in addressed(bench, begin)
    assert "tides" not in bench.emulator.topics(LEAVER)
    # The topic reaches all phones but this one.
    result, _ = call(bench, "tide", "{ topic: tides }")
    result.expect(0)
    received = {phone: json.dumps(bench.emulator.get(f"/emulator/v1/devices/{device(phone)}/inbox"))
                for phone in (LEAVER, OTHER)}
    assert '"tide"' in received[OTHER]
    assert '"tide"' not in received[LEAVER]
    # Only a person's command ends it.
    named = next(name for name, phone in bench.fingerprints(PHONES).items() if phone == LEAVER)
    bench.herald("registrations", "opt-in", named).expect(0, "Ended the opt-out of 1 registration")
    bench.herald("registrations", "opt-in", named).expect(0, "None of the given registrations has opted out")
    result, begin = call(bench, "welcome")
    result.expect(0, "12 accepted")
    assert LEAVER in addressed(bench, begin)
    assert "tides" in bench.emulator.topics(LEAVER)


def test_recall_skips_who_has_opted_out(bench):
    call(bench, "call")[0].expect(0, "12 accepted")
    with listening(bench) as phones:
        phones.tell(LEAVER, {"action": "opt-out"})
    begin = len(bench.log.bytes())
    bench.herald("recall", "call/once/1", "--confirm", "call/once/1").expect(0)
    assert addressed(bench, begin) == sorted(set(PHONES) - {LEAVER})


def test_flood_of_opt_outs_holds_the_leaves_and_not_the_skipping(bench):
    bench.write("herald.yaml", (bench.folder / "herald.yaml").read_text().replace(
        "emulator: {},", "emulator: {}, guard: { max_change: 30% },"))
    bench.apply().expect(0)
    with listening(bench) as phones:
        for phone in PHONES[:6]:
            phones.tell(phone, {"action": "opt-out"})
    result, begin = call(bench, "call")
    result.expect(6, "max_change")
    assert sends(bench, begin) == []
    assert all("tides" in bench.emulator.topics(phone) for phone in PHONES)
    # The opt-outs are recorded anyway: a send to a list that needs no leave skips them.
    bench.campaign("other", f"{{ registrations: {bench.list('others', PHONES)} }}")
    begin = len(bench.log.bytes())
    bench.apply("--only", "other").expect(0, "6 accepted")
    assert addressed(bench, begin) == sorted(PHONES[6:])
    bench.apply("--dangerous-max-change").expect(0)
    assert [phone for phone in PHONES if "tides" in bench.emulator.topics(phone)] == PHONES[6:]


def test_messages_subscribe_and_unsubscribe(bench):
    bench.apply().expect(0)
    with listening(bench) as phones:
        phones.tell(OTHER, {"action": "join-azores"})
        phones.tell(LEAVER, {"action": "join-azores"})
    bench.herald("plan").expect(0, "2 joins")
    bench.apply().expect(0)
    joined = [phone for phone in PHONES if "azores" in bench.emulator.topics(phone)]
    assert joined == [LEAVER, OTHER]
    bench.apply().expect(0, "No changes")
    with listening(bench) as phones:
        phones.tell(LEAVER, {"action": "part-azores"})
    bench.herald("plan").expect(0, "1 member left topic azores with a message (upstream)")
    bench.apply().expect(0)
    assert "azores" not in bench.emulator.topics(LEAVER)
    assert "tides" in bench.emulator.topics(LEAVER)
    bench.apply().expect(0, "No changes")
    with listening(bench) as phones:
        phones.tell(LEAVER, {"action": "join-azores"})
    bench.apply().expect(0)
    assert "azores" in bench.emulator.topics(LEAVER)


def test_each_message_is_acted_on_once(bench):
    bench.campaign("call", "anglers", schedule="2037-03-20 07:00")
    bench.write("campaigns/rules.yaml", RULES + SEEN)
    bench.apply().expect(0)
    with listening(bench) as phones:
        phones.tell(LEAVER, {"action": "opt-out"}, message_id="same")
        phones.tell(LEAVER, {"action": "opt-out"}, message_id="same")
        # The same ID with other content is not stored.
        assert phones.send(LEAVER, {"action": "seen"}, message_id="same")[0] == 409
    result, _ = call(bench, "first")
    result.expect(0, "11 accepted")
    assert bench.rows("SELECT count(*) FROM upstream_answers") == [(0,)]
    named = next(name for name, phone in bench.fingerprints(PHONES).items() if phone == LEAVER)
    bench.herald("registrations", "opt-in", named).expect(0)
    # The redelivery is acknowledged again, and does not opt out again.
    with listening(bench) as phones:
        phones.tell(LEAVER, {"action": "opt-out"}, message_id="same")
    result, begin = call(bench, "later")
    result.expect(0, "12 accepted")


def test_a_state_moves_only_after_a_run_has_acted_on_all_messages(bench):
    def migrate():
        return bench.herald("state", "migrate", "--to", "postgres://herald@127.0.0.1:1/push")

    bench.apply().expect(0)
    with listening(bench) as phones:
        phones.tell(LEAVER, {"action": "opt-out"})
    migrate().expect(1, "no run has acted on 1 message of devices", "run `herald apply`")
    bench.apply().expect(0)
    assert "no run has acted" not in migrate().expect(1, "127.0.0.1").err


def test_history_counts_answers_per_campaign_and_variant(bench):
    bench.write("campaigns/call.yaml", """campaign: call
audience: anglers
message: { notification: { title: Call } }
variants:
  plain: { weight: 1 }
  urgent: { weight: 1, message: { notification: { title: Urgent } } }
""")
    bench.write("campaigns/rules.yaml", RULES + SEEN)
    begin = len(bench.log.bytes())
    bench.apply().expect(0)
    titles = {m["token"]: m["notification"]["title"] for m in sends(bench, begin)}
    assert set(titles) == set(PHONES)
    seen = PHONES[:7]
    with listening(bench) as phones:
        for phone in seen:
            phones.tell(phone, {"action": "seen"})
        phones.tell(seen[0], {"action": "seen"})
    bench.apply().expect(0)
    urgent = sum(titles[phone] == "Urgent" for phone in seen)
    bench.herald("history", "1").expect(
        0, f"answered  seen: 7 registrations (plain {7 - urgent}, urgent {urgent})")
    run = json.loads(bench.herald("history", "1", "--format", "json").expect(0).out)
    assert run["run"]["sendings"][0]["answers"] == [{"event": "seen", "registrations": 7, "arms": [
        {"arm": "plain", "registrations": 7 - urgent}, {"arm": "urgent", "registrations": urgent}]}]
    result = json.loads(bench.herald("results", "call", "--outcome", "seen", "--format", "json").expect(0).out)
    assert "seen" in json.dumps(result)
    stored = bench.rows("SELECT arm, count(DISTINCT subject), count(*) FROM subject_outcomes GROUP BY arm ORDER BY arm")
    assert stored == [(arm, count, total) for arm, count, total in
                      [(0, 7 - urgent, 7 - urgent + (titles[seen[0]] != "Urgent")),
                       (1, urgent, urgent + (titles[seen[0]] == "Urgent"))] if count]


def test_messages_are_appended_once_as_csv_and_ndjson(bench):
    bench.write("campaigns/rules.yaml", RULES + """---
upstream: answers
match: { data: { action: answer } }
append: answers.csv
---
upstream: all
match: { category: com.example.tidewatch }
append: all.ndjson
""")
    out = bench.folder.parent / "answers"
    out.mkdir()
    bench.apply("--out", out).expect(0)
    hostile = '=HYPERLINK("x"), "line\nbreak"'
    with listening(bench) as phones:
        phones.tell(OTHER, {"action": "answer", "text": hostile}, message_id='=1+1,"a"\n')
        phones.tell(OTHER, {"action": "seen"}, message_id="2")
    # Without the option, nothing is appended, and nothing is lost.
    bench.apply().expect(0)
    assert list(out.iterdir()) == []
    bench.apply("--out", out).expect(0, "Appended 1 message to answers.csv", "Appended 2 messages to all.ndjson")
    bench.apply("--out", out).expect(0)
    rows = list(csv.DictReader((out / "answers.csv").open(newline="")))
    name = next(name for name, phone in bench.fingerprints([OTHER]).items())
    assert [(r["registration"], r["message_id"], r["category"], json.loads(r["data"])) for r in rows] == [
        (name, "'=1+1,\"a\"\\u000a", "com.example.tidewatch", {"action": "answer", "text": hostile})]
    lines = [json.loads(line) for line in (out / "all.ndjson").read_text().splitlines()]
    assert [line["message_id"] for line in lines] == ['=1+1,"a"\n', "2"]
    # A line that a crash cut off is written again.
    whole = (out / "all.ndjson").read_bytes()
    (out / "all.ndjson").write_bytes(whole[:-7])
    bench.apply("--out", out).expect(0, "Appended 1 message to all.ndjson")
    assert (out / "all.ndjson").read_bytes() == whole
    # Neither a link nor a file with other content is written.
    (out / "answers.csv").rename(out / "moved.csv")
    (out / "answers.csv").symlink_to(out / "moved.csv")
    bench.apply("--out", out).expect(1, "answers.csv")
    (out / "answers.csv").unlink()
    (out / "answers.csv").write_text("name,age\nana,30\n")
    bench.apply("--out", out).expect(1, "its last line is not that of a message")
    assert (out / "answers.csv").read_text() == "name,age\nana,30\n"
    bench.apply("--out", out / "nowhere").expect(64, "it is not a directory")


def test_messages_stay_secret_in_output(bench):
    bench.apply().expect(0)
    with listening(bench) as phones:
        phones.tell(LEAVER, {"action": "\u001b[31mopt-out"})
    # `checked` fails if a registration is printed.
    bench.herald("plan").expect(0)
    bench.apply("--verbose").expect(0, "No changes")
