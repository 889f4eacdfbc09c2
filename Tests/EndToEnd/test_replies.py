"""Replies to messages of devices: sends of the ledger, one per message, with the text of the last apply."""

import json
from collections import Counter

import pytest

from herald import Emulator, Project, eventually, token
from test_postgres_state import database  # noqa: F401
from upstream import HEADER, SENDER, listening

PHONES = [token(n) for n in range(4)]
FIRST, SECOND, THIRD, LAST = PHONES
ASK = {"action": "ask"}

RULES = """upstream: help
about: Where help is
match: {{ data: {{ action: ask }} }}
reply: {{ notification: {{ title: {title} }} }}
---
upstream: leave-everything
match: {{ data: {{ action: opt-out }} }}
opt_out: true
"""


def rules(project, title="Call 112"):
    project.write("campaigns/rules.yaml", RULES.format(title=title))


@pytest.fixture
def bench(tmp_path):
    project = Project(tmp_path / "project", header=HEADER, topics=["tides"])
    rules(project)
    with Emulator(project) as emulator:
        project.emulator = emulator
        emulator.install(PHONES)
        yield project


def replies(project):
    """Returns the registration and the title of each reply that FCM accepted."""
    messages = [e["body"]["message"] for e in project.log.sends() if e["status"] == 200]
    return [(message["token"], message["notification"]["title"]) for message in messages]


def recorded(project):
    return project.rows("SELECT slot, status, count, accepted, unknown, suppressed FROM occurrences "
                        "JOIN units ON units.id = unit WHERE campaign = 'help' ORDER BY unit")


def test_a_reply_is_reviewed_and_goes_to_the_sender_once(bench):
    bench.herald("plan").expect(0, "help answers messages of devices with this text from now on", "Call 112")
    bench.herald("plan", "--format", "html").expect(0, "Where help is")
    bench.herald("preview", "help").expect(0, "help to each registration", "Call 112")
    bench.apply().expect(0)
    bench.apply().expect(0, "No changes")
    assert replies(bench) == []
    with listening(bench) as phones:
        phones.tell(FIRST, ASK, message_id="1")
        phones.tell(SECOND, ASK, message_id="2")
        phones.tell(FIRST, ASK, message_id="3")
        phones.tell(THIRD, {"action": "other"})
    bench.herald("plan").expect(0, "2 registrations get its reply to a message (upstream)")
    notices = bench.plan()["notices"]
    assert notices == [{"notice": "replies", "campaign": "help", "count": 2}]
    assert replies(bench) == []
    bench.apply().expect(0, "2 accepted")
    assert sorted(replies(bench)) == [(FIRST, "Call 112"), (SECOND, "Call 112")]
    [(slot, *counts)] = recorded(bench)
    assert counts == [2, 2, 2, 0, 0]
    # Neither a second run nor a redelivery replies again; a new message does.
    bench.apply().expect(0, "No changes")
    with listening(bench) as phones:
        phones.tell(FIRST, ASK, message_id="1")
    bench.apply().expect(0, "No changes")
    assert len(replies(bench)) == 2
    with listening(bench) as phones:
        phones.tell(FIRST, ASK, message_id="4")
    bench.apply().expect(0, "1 accepted")
    assert Counter(phone for phone, _ in replies(bench)) == {FIRST: 2, SECOND: 1}
    sendings = [row["sendings"] for row in
                (json.loads(bench.herald("history", str(run), "--format", "json").expect(0).out)["run"]
                 for run in range(1, bench.rows("SELECT max(id) FROM runs")[0][0] + 1))]
    named = [sending["occurrence"] for of_run in sendings for sending in of_run]
    assert named[0] == f"help/{slot}/1" and len(named) == 2
    bench.herald("status").expect(0, "2 finished")


def test_another_text_counts_from_its_apply_on(bench):
    bench.apply().expect(0)
    with listening(bench) as phones:
        phones.tell(FIRST, ASK)
    rules(bench, title="Call 911")
    bench.herald("plan").expect(0, "Call 911", "1 registration gets its reply")
    bench.apply().expect(0)
    assert replies(bench) == [(FIRST, "Call 112")]
    with listening(bench) as phones:
        phones.tell(SECOND, ASK)
    bench.apply().expect(0)
    assert replies(bench) == [(FIRST, "Call 112"), (SECOND, "Call 911")]
    # Without the rule, there is no reply.
    (bench.folder / "campaigns/rules.yaml").unlink()
    bench.herald("plan").expect(0, "help")
    bench.apply().expect(0)
    with listening(bench) as phones:
        phones.tell(THIRD, ASK)
    bench.apply().expect(0)
    assert len(replies(bench)) == 2


def test_messages_before_the_first_apply_of_a_reply_get_none(bench):
    (bench.folder / "campaigns/rules.yaml").unlink()
    bench.apply().expect(0)
    with listening(bench) as phones:
        phones.tell(FIRST, ASK)
    rules(bench)
    bench.apply().expect(0)
    bench.apply().expect(0, "No changes")
    assert replies(bench) == []


def test_an_opt_out_always_wins(bench):
    bench.apply().expect(0)
    with listening(bench) as phones:
        phones.tell(FIRST, ASK)
        phones.tell(FIRST, {"action": "opt-out"})
        phones.tell(SECOND, ASK)
    bench.apply().expect(0, "1 accepted, 1 opted out, not addressed")
    assert replies(bench) == [(SECOND, "Call 112")]
    assert [row[1:] for row in recorded(bench)] == [(2, 2, 1, 0, 1)]
    bench.write("campaigns/rules.yaml", RULES.format(title="Bye") + "reply: { notification: { title: Bye } }\n")
    bench.herald("validate").expect(65, "error[conflicting-keys]", "`reply` has no effect")


def test_a_reply_ignores_quiet_hours_and_waits_for_the_end_of_a_pause(bench):
    text = (bench.folder / "herald.yaml").read_text()
    bench.write("herald.yaml", text.replace(
        "emulator: {},", 'emulator: {}, guard: { quiet_hours: { from: "00:00", to: "23:59" } },'))
    bench.apply().expect(0)
    bench.herald("pause", "help").expect(0)
    with listening(bench) as phones:
        phones.tell(FIRST, ASK)
    bench.apply().expect(0)
    assert replies(bench) == []
    bench.herald("status").expect(0, "replies to messages of devices (upstream)", "paused")
    bench.herald("resume", "help").expect(0)
    bench.apply().expect(0, "1 accepted")
    assert replies(bench) == [(FIRST, "Call 112")]


def test_a_text_needs_the_reviewed_plan(bench):
    text = (bench.folder / "herald.yaml").read_text()
    bench.write("herald.yaml", text.replace("emulator: {},", "emulator: {}, guard: { require_reviewed_plan: true },"))
    bench.apply().expect(6)
    digest = bench.plan()["digest"]
    rules(bench, title="Call 911")
    bench.herald("apply", "--expect", digest).expect(5)
    rules(bench)
    bench.herald("apply", "--expect", digest).expect(0)
    with listening(bench) as phones:
        phones.tell(FIRST, ASK)
    rules(bench, title="Call 911")
    bench.apply().expect(6)
    rules(bench)
    bench.apply().expect(0, "1 accepted")
    assert replies(bench) == [(FIRST, "Call 112")]


def test_a_killed_run_repeats_no_reply(tmp_path):
    phones = [token(n) for n in range(60)]
    header = HEADER.replace("emulator: {},", "emulator: {}, max_unknown: 6,")
    project = Project(tmp_path / "project", header=header, topics=["tides"])
    rules(project)
    with Emulator(project) as emulator:
        emulator.install(phones)
        project.apply().expect(0)
        with listening(project) as senders:
            for phone in phones:
                senders.tell(phone, ASK)
        emulator.put("/emulator/v1/faults", {
            "rules": [{"match": {"service": "SEND"}, "delivery": {"delay_milliseconds": 30}}]})
        for goal in (5, 20, 35):
            with project.start("apply", "--yes") as running:
                project.log.wait_for(goal)
                running.kill()
            project.log.settle()
        emulator.put("/emulator/v1/faults", {"rules": []})
        project.herald("status").expect(0, "help/reply:", "replies to messages of devices (upstream)")
        project.apply().expect(4, "unknown")
        seen = Counter(phone for phone, _ in replies(project))
        assert max(seen.values()) == 1
        [(slot, status, count, accepted, unknown, _)] = recorded(project)
        assert (status, count, accepted + unknown) == (2, 60, 60)
        assert 0 < unknown <= 3 * 6
        assert accepted <= len(seen)
        # Only a person repeats what may have been sent.
        project.herald("resolve", f"help/{slot}/1", "drop", "--yes").expect(0)
        project.apply().expect(0, "No changes")
        assert Counter(phone for phone, _ in replies(project)) == seen


def test_a_service_replies_without_a_due_send(bench):
    bench.apply().expect(0)
    with listening(bench) as phones, bench.start("run") as service:
        eventually(lambda: "Waiting" in "".join(service.texts()), "the service waits")
        phones.tell(FIRST, ASK)
        eventually(lambda: replies(bench) == [(FIRST, "Call 112")], "the reply")
        phones.tell(SECOND, {"action": "opt-out"})
        phones.tell(SECOND, ASK)
        phones.tell(LAST, ASK)
        eventually(lambda: len(replies(bench)) == 2, "the second reply")
        assert replies(bench)[1] == (LAST, "Call 112")
        service.signal(15)
        assert service.finish().code == 130
    assert sum(row[-1] for row in recorded(bench)) == 1


def test_an_apply_leaves_replies_to_the_service(bench):
    text = (bench.folder / "herald.yaml").read_text()
    bench.write("herald.yaml", text.replace("emulator: {},", "emulator: {}, sends: run,"))
    bench.apply().expect(0)
    with listening(bench) as phones:
        phones.tell(FIRST, ASK)
    bench.apply().expect(0)
    assert replies(bench) == []
    bench.herald("run", "--once").expect(0, "1 accepted")
    assert replies(bench) == [(FIRST, "Call 112")]


def test_replies_with_the_state_in_postgresql(tmp_path, database):  # noqa: F811
    project = Project(tmp_path / "project", topics=["tides"], header=(
        'environments: { local: { emulator: {}, state: { postgres: "${STATE_URL}" }, '
        f'upstream: {{ sender_id: "{SENDER}" }} }} }}\n'))
    rules(project)
    with Emulator(project) as emulator:
        emulator.install(PHONES)
        project.apply(env=database.env).expect(0)
        with listening(project, env=database.env) as phones:
            phones.tell(FIRST, ASK)
            phones.tell(FIRST, ASK)
            phones.tell(SECOND, ASK)
        project.apply(env=database.env).expect(0, "2 accepted")
        project.apply(env=database.env).expect(0, "No changes")
        assert sorted(replies(project)) == [(FIRST, "Call 112"), (SECOND, "Call 112")]
