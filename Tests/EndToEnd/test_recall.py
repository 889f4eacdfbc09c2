"""`herald recall`: what trays show after it, who gets it, interruptions, and what cannot be taken back."""

import json
import signal

import pytest

from herald import Emulator, Project, device, eventually, token
from services import Service, apply_earlier, due_campaign
from test_postgres_state import IN_POSTGRES, E, database  # noqa: F401

WRONG, RIGHT = "Everything is free", "Please ignore the previous message"
PHONES = [token(number) for number in range(30)]
DEAD = [token(number, "dead") for number in range(4)]
SALE = "sale/once/1"


@pytest.fixture(params=["sqlite", "postgres"])
def project(request, tmp_path):
    project = Project(tmp_path / "project")
    project.env, state = {}, ""
    if request.param == "postgres":
        project.env, state = request.getfixturevalue("database").env, IN_POSTGRES
    configure(project, state)
    return project


@pytest.fixture
def local(tmp_path):
    project = Project(tmp_path / "project")
    project.env = {}
    configure(project)
    return project


def configure(project, state="", more=""):
    project.state = state
    project.write(
        "herald.yaml",
        "version: 1\nproject: e2e\ntimezone: UTC\ntopics: { tides: {} }\n" + more
        + f"environments:\n  bench: {{ emulator: {{}}, max_unknown: 40{state} }}\n")


def write(project, audience, more="", message=None):
    project.write(
        "campaigns/sale.yaml",
        f"campaign: sale\naudience: {audience}\nmessage: {message or f'{{ notification: {{ title: {WRONG} }} }}'}\n"
        f"delivery: {{ ttl: 4h }}\n{more}")


def addressed(project, tokens):
    return f"{{ registrations: {project.list('all', tokens)} }}"


def call(project, *arguments, **options):
    return project.herald(*arguments, *E, env=project.env, **options)


def apply(project):
    return call(project, "apply", "--yes")


def recall(project, occurrence=SALE, *more):
    return call(project, "recall", occurrence, "--confirm", occurrence, *more)


def serve(project):
    return Service(project, *E, env=project.env)


def texts(message):
    """Returns everything that a message shows on any platform."""
    blocks = [
        message.get("notification", {}), message.get("android", {}).get("notification", {}),
        message.get("apns", {}).get("payload", {}).get("aps", {}).get("alert", {}),
        message.get("webpush", {}).get("notification", {})]
    return {text for block in blocks for text in (block.get("title"), block.get("body")) if text}


def sends(project, text=None):
    """Returns the accepted messages that show a text."""
    messages = [entry["body"]["message"] for entry in project.log.sends() if entry["status"] == 200]
    return [message for message in messages if text is None or text in texts(message)]


def tokens(messages):
    return sorted(message["token"] for message in messages)


def tray(emulator, registration):
    """Returns the texts of the notifications that the device shows."""
    [inbox] = [each for each in emulator.get("/emulator/v1/inboxes")["devices"] if each["name"] == device(registration)]
    by_number = {message["number"]: message for message in inbox["received"]}
    return [json.dumps(by_number[number]) for number in inbox["tray"]]


def trays(emulator, registrations=PHONES):
    return {registration: tray(emulator, registration) for registration in registrations}


def set_online(emulator, registrations, is_online):
    for registration in registrations:
        emulator.patch(f"/emulator/v1/devices/{device(registration)}", {"online": is_online})


def occurrence(project, slot="recall:once"):
    output = call(project, "status", "--all", "--format", "json").expect(0).out
    return next((row for row in json.loads(output)["occurrences"] if row["slot"] == slot), None)


def test_replaces_shown_and_waiting_notifications_of_exactly_those_who_got_it(project):
    write(project, addressed(project, [*PHONES, *DEAD]))
    offline, tapped = PHONES[:9], PHONES[9:12]
    with Emulator(project) as emulator:
        emulator.install(PHONES)
        set_online(emulator, offline, False)
        apply(project)
        for registration in tapped:
            shown = json.loads(tray(emulator, registration)[0])
            emulator.post(f"/emulator/v1/devices/{device(registration)}/taps", {"message_id": shown["message_id"]})
            emulator.patch(f"/emulator/v1/devices/{device(registration)}", {"foreground": False})
        before = tokens(sends(project, WRONG))
        assert before == sorted(PHONES)
        plan = call(project, "recall", SALE, "--plan").expect(
            0, "30 registrations (30 accepted)", "rejected and unsent ones get nothing", "Android: waiting", "Apple: waiting",
            "web: shown", RIGHT)
        assert "Recall of" in plan.out and not sends(project, RIGHT)
        recall(project).expect(0)
        assert tokens(sends(project, RIGHT)) == before, "exactly those who got the first one get the second"
        assert len(project.log.sends()) == len(PHONES) * 2 + len(DEAD)
        set_online(emulator, offline, True)
        for registration, shown in trays(emulator).items():
            assert len(shown) == 1 and RIGHT in shown[0] and WRONG not in shown[0], (registration, shown)
        # The key of the first message is that of the second.
        first, second = ({message["token"]: message for message in sends(project, text)} for text in (WRONG, RIGHT))
        for registration in PHONES:
            assert first[registration]["android"]["notification"]["tag"] == second[registration]["android"]["notification"]["tag"]
            headers = [each[registration]["apns"]["headers"] for each in (first, second)]
            assert headers[0]["apns-collapse-id"] == headers[1]["apns-collapse-id"]
            # They expire together, to a second or two between the requests.
            assert 0 <= int(headers[0]["apns-expiration"]) - int(headers[1]["apns-expiration"]) <= 60
        row = occurrence(project)
        assert row["phase"] == "finished" and row["counts"]["accepted"] == 30 and row["counts"]["suppressed"] == len(DEAD), row
        call(project, "history").expect(0, f"herald recall {SALE}", "30 accepted, 4 suppressed")
        call(project, "history", "2").expect(0, "sale/recall:once/1")
        call(project, "status", "sale").expect(0, f"recalled: {SALE}, by", "30 accepted, 4 suppressed")
        apply(project).expect(0)
        assert len(project.log.sends()) == len(PHONES) * 2 + len(DEAD), "nothing is sent again"
        recall(project).expect(1, "was already recalled")


def test_recall_of_a_running_send_cancels_the_rest(project):
    many = [token(number, "many") for number in range(3_000)]
    write(project, addressed(project, many))
    with Emulator(project) as emulator:
        emulator.install(many)
        emulator.put("/emulator/v1/faults", {"rules": [{"match": {"service": "SEND"}, "delivery": {"delay_milliseconds": 30}}]})
        with project.start("apply", "--yes", *E, env=project.env) as running:
            project.log.wait_for(200)
            recall(project).expect(0)
            running.finish().expect(3, "recalled sale/once/1 by another command")
        first, second = tokens(sends(project, WRONG)), tokens(sends(project, RIGHT))
        assert 200 <= len(first) < len(many), "the send was stopped"
        assert second == first
        row = occurrence(project, "once")
        assert row["phase"] == "cancelled" and row["counts"]["cancelled"] == len(many) - len(first), row
        apply(project)
        assert len(project.log.sends()) == 2 * len(first)


def test_a_service_performs_the_recall(project):
    project.list("all", PHONES)
    project.write("campaigns/audiences.yaml", "audience: anglers\nregistrations: campaigns/registrations/all.txt\n")
    due_campaign(project, "sale", "anglers")
    with Emulator(project) as emulator:
        emulator.install(PHONES)
        apply_earlier(project, *E, env=project.env).expect(0)
        with serve(project):
            eventually(lambda: len(sends(project)) == len(PHONES), "the campaign is sent")
            recall(project).expect(0)
        assert tokens(sends(project, RIGHT)) == sorted(PHONES)


def test_recall_resumes_after_a_kill_and_repeats_only_what_was_in_flight(project):
    many = [token(number, "many") for number in range(600)]
    write(project, addressed(project, many))
    with Emulator(project) as emulator:
        emulator.install(many)
        apply(project).expect(0)
        begin = project.log.count()
        emulator.put("/emulator/v1/faults", {"rules": [{"match": {"service": "SEND"}, "delivery": {"delay_milliseconds": 50}}]})
        with project.start("recall", SALE, "--confirm", SALE, *E, env=project.env) as running:
            project.log.wait_for(begin + 100)
            running.kill()
        project.log.settle()
        emulator.put("/emulator/v1/faults", {"rules": []})
        recall(project).expect(0)
        second = tokens(sends(project, RIGHT))
        assert set(second) == set(many)
        # Only what was in flight is sent again.
        assert len(second) - len(many) <= 40


def test_topics_and_conditions_get_one_message(project):
    write(project, "{ topic: tides }")
    with Emulator(project) as emulator:
        emulator.install(PHONES)
        for registration in PHONES[:12]:
            emulator.subscribe(registration)
        apply(project).expect(0)
        eventually(lambda: all(WRONG in "".join(tray(emulator, each)) for each in PHONES[:12]), "the fan-out")
        call(project, "recall", SALE, "--plan").expect(0, "one message to the topic tides", "subscribed now")
        recall(project).expect(0)
        assert [message["topic"] for message in sends(project, RIGHT)] == ["tides"]
        eventually(lambda: all(RIGHT in "".join(tray(emulator, each)) for each in PHONES[:12]), "the fan-out of the recall")
        assert not any(WRONG in "".join(shown) for shown in trays(emulator).values())


def test_silent_recall_sends_data_with_the_key(local):
    write(local, addressed(local, PHONES), "recall: { silent: true }\n")
    with Emulator(local) as emulator:
        emulator.install(PHONES)
        apply(local).expect(0)
        key = sends(local, WRONG)[0]["android"]["notification"]["tag"]
        call(local, "recall", SALE, "--plan").expect(
            0, "a waiting one may still appear", "APNs may delay or drop background pushes")
        recall(local).expect(0)
        silent = [message for message in sends(local) if not texts(message)]
        assert tokens(silent) == sorted(PHONES)
        for message in silent:
            assert message["android"]["data"] == {"herald_recall": key}
            assert message["webpush"]["data"] == {"herald_recall": key}
            assert message["apns"]["payload"] == {"aps": {"content-available": 1}, "herald_recall": key}
            assert message["apns"]["headers"]["apns-push-type"] == "background"
        # Data replaces no notification.
        assert all(WRONG in "".join(shown) for shown in trays(emulator).values())


def test_message_of_the_campaign_or_else_of_the_project(local):
    text = "recall: { notification: { title: Sorry, body: That was wrong. } }\n"
    configure(local, more=text)
    write(local, addressed(local, PHONES[:3]))
    with Emulator(local) as emulator:
        emulator.install(PHONES)
        apply(local).expect(0)
        # The list file has changed since then; with `recall`, the state has kept the list.
        local.list("all", PHONES[5:])
        recall(local).expect(0)
        assert tokens(sends(local, "That was wrong.")) == sorted(PHONES[:3])
        write(local, addressed(local, PHONES[:3]), "revision: 2\nrecall: { notification: { body: Forget it. } }\n")
        apply(local).expect(0)
        recall(local, "sale/once/2").expect(0)
        assert tokens(sends(local, "Forget it.")) == sorted(PHONES[:3])


def test_without_the_key_the_list_must_be_in_the_files(local):
    write(local, addressed(local, PHONES[:3]))
    with Emulator(local) as emulator:
        emulator.install(PHONES)
        apply(local).expect(0)
        local.list("all", PHONES[:2])
        recall(local).expect(1, "no longer stored", "restore the list file")
        assert not sends(local, RIGHT)
        local.list("all", PHONES[:3])
        recall(local).expect(0)
        assert tokens(sends(local, RIGHT)) == sorted(PHONES[:3])


def test_goes_out_although_the_campaign_is_paused_or_it_is_night(local):
    write(local, addressed(local, PHONES))
    with Emulator(local) as emulator:
        emulator.install(PHONES)
        apply(local).expect(0)
        call(local, "pause", "sale").expect(0)
        local.write("herald.yaml", (local.folder / "herald.yaml").read_text().replace(
            "max_unknown: 40", 'max_unknown: 40, guard: { quiet_hours: { from: "00:00", to: "23:59" } }'))
        recall(local).expect(0)
        assert tokens(sends(local, RIGHT)) == sorted(PHONES)


def test_refuses_what_cannot_be_taken_back(local):
    with Emulator(local) as emulator:
        emulator.install(PHONES)
        call(local, "recall", "sale").expect(1)
        write(local, addressed(local, PHONES), 'schedule: { at: "2037-03-21 08:30" }\n')
        apply(local).expect(0)
        recall(local).expect(1, "was not sent yet")
        call(local, "recall", "sales").expect(64, "did you mean `sale`")
        write(local, addressed(local, DEAD), "revision: 2\n")
        apply(local)
        recall(local, "sale/once/2").expect(1, "FCM accepted no request")
        write(local, addressed(local, PHONES), "revision: 3\n", "{ data: { screen: tides } }")
        apply(local).expect(0)
        recall(local, "sale/once/3").expect(1, "shows no notification")
        assert not sends(local, RIGHT)


def test_refuses_if_another_campaign_has_replaced_the_notification(local):
    write(local, addressed(local, PHONES))
    text = (local.folder / "campaigns/sale.yaml").read_text().replace("ttl: 4h", "ttl: 4h, collapse: offers")
    local.write("campaigns/sale.yaml", text)
    with Emulator(local) as emulator:
        emulator.install(PHONES)
        apply(local).expect(0)
        local.write("campaigns/other.yaml", text.replace("campaign: sale", "campaign: other").replace(WRONG, "Other"))
        apply(local).expect(0)
        recall(local).expect(1, "other/once/1 was sent since then under the same key `offers`")
        recall(local, "other/once/1").expect(0)


def test_asks_for_the_name(local):
    write(local, addressed(local, PHONES))
    with Emulator(local) as emulator:
        emulator.install(PHONES)
        apply(local).expect(0)
        call(local, "recall", SALE).expect(64, "cannot ask for the name", f"--confirm {SALE}")
        call(local, "recall", SALE, "--confirm", "sale").expect(1, "nothing was recalled")
        assert not sends(local, RIGHT)
        call(local, "recall", "sale", "--yes").expect(0)
        assert tokens(sends(local, RIGHT)) == sorted(PHONES)


def test_an_interrupted_recall_resumes_with_the_next_apply(local):
    many = [token(number, "many") for number in range(600)]
    write(local, addressed(local, many))
    with Emulator(local) as emulator:
        emulator.install(many)
        apply(local).expect(0)
        begin = local.log.count()
        emulator.put("/emulator/v1/faults", {"rules": [{"match": {"service": "SEND"}, "delivery": {"delay_milliseconds": 50}}]})
        with local.start("recall", SALE, "--confirm", SALE, *E, env=local.env) as running:
            local.log.wait_for(begin + 100)
            running.signal(signal.SIGINT).finish()
        emulator.put("/emulator/v1/faults", {"rules": []})
        apply(local).expect(0)
        assert tokens(sends(local, RIGHT)) == sorted(many)
