"""`corrects` in a campaign: the reviewed recall with a new text."""

import json

from herald import Emulator, eventually, token
from services import Service, apply_earlier, due_campaign
from test_postgres_state import E, database  # noqa: F401
from test_recall import (  # noqa: F401
    DEAD, PHONES, SALE, WRONG, addressed, apply, call, configure, local, occurrence, project, sends, set_online, tokens, trays, write)
from test_terminal import Terminal

RIGHT = "The pier is open."


def correct(project, corrected="sale", text=RIGHT, name="fix", more=""):
    project.write(
        f"campaigns/{name}.yaml",
        f"campaign: {name}\ncorrects: {corrected}\nmessage: {{ notification: {{ title: Correction, body: {text} }} }}\n{more}")


def plan(project, *more):
    return json.loads(call(project, "plan", "--format", "json", *more).expect(0).out)


def action(project, name="fix"):
    [found] = [each for each in plan(project)["campaigns"] if each["campaign"] == name]
    return found


def test_plans_and_sends_the_new_text_to_exactly_those_who_got_the_wrong_one(project):
    write(project, addressed(project, [*PHONES, *DEAD]))
    offline = PHONES[:9]
    with Emulator(project) as emulator:
        emulator.install(PHONES)
        set_online(emulator, offline, False)
        apply(project)
        before = tokens(sends(project, WRONG))
        correct(project)
        shown = call(project, "plan").expect(
            0, f"fix corrects {SALE}: 30 accepted get the new text", "Android: waiting", "Apple: waiting", "Web: shown", RIGHT)
        assert "No changes" not in shown.out and not sends(project, RIGHT)
        planned = plan(project)
        [entry] = [each for each in planned["campaigns"] if each["campaign"] == "fix"]
        assert entry["action"] == "correct" and entry["occurrence"] == SALE and entry["requests"] == 30, entry
        assert (entry["accepted"], entry["unknown"], entry["unsent"], entry["left"]) == (30, 0, 0, [])
        assert entry["replaced"] == ["android", "apple", "web"] and not entry["handed_over"]
        [request] = [each for each in planned["requests"] if each.get("campaign") == "fix"]
        assert request["registrations"]["count"] == 30
        [part] = planned["reviewed"]["campaigns"]
        assert part["corrects"] == [SALE] and part["definition"]["message"] == {
            "notification": {"title": "Correction", "body": RIGHT}}
        for form in ("markdown", "html"):
            assert RIGHT in call(project, "plan", "--format", form).expect(0).out
        apply(project).expect(0)
        assert tokens(sends(project, RIGHT)) == before
        set_online(emulator, offline, True)
        for registration, tray in trays(emulator).items():
            assert len(tray) == 1 and RIGHT in tray[0] and WRONG not in tray[0], (registration, tray)
        row = occurrence(project)
        assert row["phase"] == "finished" and row["counts"]["accepted"] == 30, row
        call(project, "plan").expect(0, "No changes.", "2 campaigns are up to date")
        apply(project).expect(0)
        assert len(sends(project, RIGHT)) == 30, "a correction is sent once"
        # Another text is not sent, and the plan ends.
        correct(project, text="Never mind.")
        assert action(project)["reason"] == "already_recalled"
        call(project, "plan").expect(0, f"fix has nothing to correct: {SALE} was already recalled")
        apply(project).expect(0)
        call(project, "plan").expect(0, "No changes.")
        assert len(sends(project)) == 60


def test_the_digest_pins_text_and_occurrence(local):
    write(local, addressed(local, PHONES[:3]))
    with Emulator(local) as emulator:
        emulator.install(PHONES)
        apply(local).expect(0)
        correct(local)
        digest = plan(local)["digest"]
        correct(local, text="Another text.")
        call(local, "apply", "--yes", "--expect", digest).expect(5, "campaign fix: message.notification.body")
        assert len(sends(local)) == 3
        correct(local)
        call(local, "apply", "--expect", digest).expect(0)
        assert tokens(sends(local, RIGHT)) == sorted(PHONES[:3])
        call(local, "apply", "--expect", digest).expect(0)
        assert len(sends(local, RIGHT)) == 3


def test_ends_an_interrupted_send(project):
    many = [token(number, "many") for number in range(600)]
    write(project, addressed(project, many))
    with Emulator(project) as emulator:
        emulator.install(many)
        emulator.put("/emulator/v1/faults", {"rules": [{"match": {"service": "SEND"}, "delivery": {"delay_milliseconds": 30}}]})
        with project.start("apply", "--yes", *E, env=project.env) as running:
            project.log.wait_for(100)
            running.kill()
        project.log.settle()
        emulator.put("/emulator/v1/faults", {"rules": []})
        first = tokens(sends(project, WRONG))
        correct(project)
        apply(project).expect(4, "An earlier run was interrupted")
        assert tokens(sends(project, WRONG)) == first, "the rest is cancelled"
        reached = set(tokens(sends(project, RIGHT)))
        assert set(first) <= reached and len(reached) <= len(first) + 40
        assert occurrence(project, "once")["phase"] == "cancelled"


def test_a_killed_correction_resumes_with_the_same_digest(project):
    many = [token(number, "many") for number in range(600)]
    write(project, addressed(project, many))
    with Emulator(project) as emulator:
        emulator.install(many)
        apply(project).expect(0)
        correct(project)
        digest = plan(project)["digest"]
        begin = project.log.count()
        emulator.put("/emulator/v1/faults", {"rules": [{"match": {"service": "SEND"}, "delivery": {"delay_milliseconds": 50}}]})
        with project.start("apply", "--expect", digest, *E, env=project.env) as running:
            project.log.wait_for(begin + 100)
            running.kill()
        project.log.settle()
        emulator.put("/emulator/v1/faults", {"rules": []})
        # The requests in flight were unknown until the recall was sent to them again.
        call(project, "apply", "--expect", digest).expect(4, "Already applied")
        second = tokens(sends(project, RIGHT))
        assert set(second) == set(many) and len(second) - len(many) <= 40


def test_a_service_makes_the_correction(project):
    project.list("all", PHONES)
    project.write("campaigns/audiences.yaml", "audience: anglers\nregistrations: campaigns/registrations/all.txt\n")
    due_campaign(project, "sale", "anglers")
    file = project.folder / "herald.yaml"
    with Emulator(project) as emulator:
        emulator.install(PHONES)
        apply_earlier(project, *E, env=project.env).expect(0)
        file.write_text(file.read_text().replace("bench: { ", "bench: { sends: run, "))
        with Service(project, *E, env=project.env):
            eventually(lambda: len(sends(project)) == len(PHONES), "the campaign is sent")
            correct(project)
            call(project, "plan").expect(0, "Handed over to the service", "which corrects")
            assert action(project)["handed_over"]
            call(project, "apply", "--yes").expect(0)
            eventually(lambda: tokens(sends(project, RIGHT)) == sorted(PHONES), "the service corrects it")


def test_a_topic_gets_one_message(local):
    write(local, "{ topic: tides }")
    with Emulator(local) as emulator:
        emulator.install(PHONES)
        for registration in PHONES[:12]:
            emulator.subscribe(registration)
        apply(local).expect(0)
        correct(local)
        call(local, "plan").expect(0, "the topic tides gets the new text", "subscribed now")
        apply(local).expect(0)
        assert [message["topic"] for message in sends(local, RIGHT)] == ["tides"]
        eventually(lambda: all(RIGHT in "".join(trays(emulator, [each])[each]) for each in PHONES[:12]), "the fan-out")


def test_corrects_an_occurrence_and_acts_once(local):
    write(local, addressed(local, PHONES[:3]))
    with Emulator(local) as emulator:
        emulator.install(PHONES)
        apply(local).expect(0)
        write(local, addressed(local, PHONES[:3]), "revision: 2\n")
        apply(local).expect(0)
        correct(local)
        assert action(local)["occurrence"] == "sale/once/2"
        correct(local, SALE)
        assert action(local)["occurrence"] == SALE
        apply(local).expect(0)
        assert len(sends(local, RIGHT)) == 3
        # What is sent later stays as it is.
        write(local, addressed(local, PHONES[:3]), "revision: 3\n")
        apply(local).expect(0)
        call(local, "plan").expect(0, "No changes.")
        assert len(sends(local, RIGHT)) == 3


def test_names_why_there_is_nothing_to_correct_and_does_not_fail_forever(local):
    with Emulator(local) as emulator:
        emulator.install(PHONES)
        write(local, addressed(local, PHONES), 'schedule: { at: "2037-03-21 08:30" }\n')
        apply(local).expect(0)
        correct(local)
        call(local, "plan").expect(0, "fix has nothing to correct: sale was not sent yet")
        assert action(local)["reason"] == "not_sent"
        apply(local).expect(0)
        call(local, "plan").expect(0, "No changes.")
        # It was recorded, so what is sent now is not taken back.
        write(local, addressed(local, PHONES))
        apply(local).expect(0)
        call(local, "plan").expect(0, "No changes.")
        write(local, addressed(local, PHONES), "revision: 2\n", "{ data: { screen: tides } }")
        apply(local).expect(0)
        correct(local, "sale/once/2", name="fix")
        assert action(local)["reason"] == "shows_nothing"
        write(local, addressed(local, DEAD), "revision: 3\n")
        apply(local)
        correct(local, "sale/once/3")
        assert action(local)["reason"] == "nothing_accepted"
        correct(local, "sale/once/1")
        call(local, "plan", now="2037-05-01T00:00:00Z").expect(0, "fix has nothing to correct: the message of sale/once/1 expired")
        local.list("all", PHONES)
        call(local, "recall", SALE, "--confirm", SALE).expect(0)
        assert action(local)["reason"] == "already_recalled"
        assert not sends(local, RIGHT)


def test_guards_and_selection_apply(local):
    write(local, addressed(local, PHONES))
    with Emulator(local) as emulator:
        emulator.install(PHONES)
        apply(local).expect(0)
        correct(local, more="labels: { kind: correction }\n")
        local.write("herald.yaml", (local.folder / "herald.yaml").read_text().replace(
            "max_unknown: 40", "max_unknown: 40, guard: { max_recipients: 20 }"))
        call(local, "apply", "--yes").expect(6, "max-recipients", "fix")
        call(local, "apply", "--yes", "--except", "fix").expect(0)
        assert not sends(local, RIGHT)
        more = "acknowledge: { reach: 30, reason: A sale for all }\n"
        write(local, addressed(local, PHONES), more)
        call(local, "apply", "--yes", "--only", "label:kind=correction").expect(0)
        assert tokens(sends(local, RIGHT)) == sorted(PHONES)


def test_refuses_what_is_not_a_correction(local):
    write(local, addressed(local, PHONES))
    correct(local, "sales")
    local.herald("validate").expect(65, "error[unknown-value]", "did you mean `sale`?", "campaigns/fix.yaml:2:11")
    correct(local, more="delivery: { ttl: 1h }\n")
    local.herald("validate").expect(65, "error[conflicting-keys]", "cannot have both `corrects` and `delivery`")
    correct(local)
    correct(local, "fix", name="again")
    local.herald("validate").expect(65, "`fix` is a correction, which cannot be corrected")
    correct(local, SALE, name="again")
    local.herald("validate").expect(65, "two campaigns correct `sale`")
    (local.folder / "campaigns/again.yaml").unlink()
    local.write("campaigns/fix.yaml", "campaign: fix\ncorrects: sale\nmessage: { data: { a: b } }\n")
    local.herald("validate").expect(65, "a correction cannot have `data` in its message")
    local.write("campaigns/fix.yaml", "campaign: fix\ncorrects: sale\nmessage: { notification: { body: 'No {{name}}' } }\n")
    local.herald("validate").expect(65, "error[unrendered-placeholder]")


def test_a_dropped_list_must_be_in_the_files(local):
    write(local, addressed(local, PHONES[:3]))
    with Emulator(local) as emulator:
        emulator.install(PHONES)
        apply(local).expect(0)
        local.list("all", PHONES[:2])
        correct(local)
        assert action(local)["reason"] == "lost_list"
        local.list("all", PHONES[:3])
        apply(local).expect(0)
        assert tokens(sends(local, RIGHT)) == sorted(PHONES[:3])


def test_previews_what_a_correction_sends(local):
    write(local, addressed(local, PHONES[:3]))
    correct(local, more="about: Calms the anglers\n")
    shown = call(local, "preview", "fix").expect(0, "fix to the recipients of sale", RIGHT).out
    assert WRONG not in shown
    call(local, "plan", "--format", "markdown").expect(0, "Calms the anglers")
    document = json.loads(call(local, "preview", "fix", "--format", "json").expect(0).out)
    message = document["request"]["body"]["message"]
    assert message["android"]["notification"]["body"] == RIGHT and message["token"] == "<registration>"
    with Emulator(local) as emulator:
        emulator.install(PHONES)
        apply(local)
        [tag] = {sent["android"]["notification"]["tag"] for sent in sends(local, WRONG)}
    assert message["android"]["notification"]["tag"] == tag, "the first occurrence is known"
    origins = {field["field"]: field["origin"] for field in document["platforms"]["android"]["fields"]}
    assert origins["notification.body"] != "sale" and origins["android.notification.tag"] == "sale"
    call(local, "preview", "fix", "--row", "1").expect(64, "has the same text for all recipients")
    write(local, addressed(local, PHONES[:3]), message="{ data: { a: b } }")
    call(local, "preview", "fix").expect(64, "shows no notification that a correction can replace")


def test_a_recall_with_another_text_during_the_confirmation_is_not_the_correction(project):
    write(project, addressed(project, PHONES))
    with Emulator(project) as emulator:
        emulator.install(PHONES)
        apply(project).expect(0)
        correct(project)
        with Terminal(project, "apply", *E, env=project.env) as terminal:
            terminal.read_until("yes")
            with project.start("recall", SALE, "--confirm", SALE, *E, env=project.env) as recall:
                eventually(lambda: action(project).get("reason") == "already_recalled", "the recall is requested")
                terminal.type("yes\n").finish().expect(5, "the state changed since the plan was shown")
                recall.finish().expect(0)
        assert not sends(project, RIGHT)
        assert action(project)["reason"] == "already_recalled"
        call(project, "plan").expect(0, f"fix has nothing to correct: {SALE} was already recalled")
