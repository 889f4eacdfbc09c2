"""`herald history RUN --delivery` shows accepted, delivered and opened messages."""

import json

import jsonschema

from accounts import make_key
from herald import ROOT, Emulator, Project, token

SCHEMA = ROOT / "schemas/history.schema.json"
MESSAGE = 'message:\n  notification: {{ title: {name} }}\n{more}'


def write(project, name, audience, more="", settings=""):
    message = MESSAGE.format(name=name, more=more)
    project.write(f"campaigns/{name}.yaml", f"campaign: {name}\naudience: {audience}\n{settings}{message}")


def test_shows_each_occurrence_from_acceptance_to_opening(tmp_path):
    project = Project(tmp_path / "project", topics=["tides"])
    tokens = [token(n) for n in range(4)]
    whole_list = f"{{ registrations: {project.list('all', tokens)} }}"
    project.devices(tokens)
    with Emulator(project) as emulator:
        emulator.patch("/emulator/v1/devices/phone-3", {"online": False})
        for n in range(3):
            emulator.post(f"/emulator/v1/devices/phone-{n}/subscriptions", {"topic": "tides"})
        write(project, "fan-out", "{ topic: tides }")
        write(project, "kept", whole_list, settings="record: ids\n")
        write(project, "labelled", whole_list, more="  fcm_options: { analytics_label: springtide }\n")
        write(project, "unknown", whole_list)
        project.apply("--quiet").expect(0)
        inbox = emulator.get("/emulator/v1/devices/phone-1/inbox")["received"]
        for title in ("fan-out", "labelled"):
            shown = next(message for message in inbox if message["title"] == title)
            emulator.post("/emulator/v1/devices/phone-1/taps", {"message_id": shown["message_id"]})
        text = project.herald("history", 1, "--delivery").expect(0)
        report = json.loads(project.herald("history", 1, "--delivery", "--format", "json").expect(0).out)
    text.expect(
        0, "1 accepted → 3 of 3 devices delivered, 3 shown → 1 opened",
        "4 accepted → 3 of 4 devices delivered, 3 shown → 0 opened", "1 collapsed",
        "all with label springtide → 3 of 4 devices delivered, 3 shown → 1 opened", "delivery unknown")
    jsonschema.validate(report, json.loads(SCHEMA.read_text()))
    rows = {row["occurrence"].split("/")[0]: row for row in report["delivery"]}
    assert {name: row["by"] for name, row in rows.items()} == {
        "fan-out": "ids", "kept": "ids", "labelled": "label", "unknown": None}
    assert rows["kept"]["outcomes"] == {"delivered": 3, "collapsed": 1}
    assert rows["labelled"]["opened"] == 1 and rows["unknown"]["devices"] is None
    # The devices keep this data after the emulator has stopped.
    project.herald("history", 1, "--delivery").expect(0, "1 accepted → 3 of 3 devices delivered")


def test_queries_a_local_endpoint_as_an_emulator_but_not_google(tmp_path):
    project = Project(tmp_path / "project", topics=["tides"])
    write(project, "fan-out", "{ topic: tides }")
    with Emulator(project) as emulator:
        emulator.post("/emulator/v1/devices", [{
            "name": "phone", "platform": "android", "registration": token(0), "topics": ["tides"]}])
        _, robot = make_key(project, "robot@harbour-b5ae1.iam.gserviceaccount.com")
        (project.folder / "robot.json").write_text(json.dumps(robot))
        project.credentials["near"] = "robot.json"
        fcm = "fcm: {{ project_id: harbour-b5ae1, credentials: application-default{} }}, settle: 0s"
        near = fcm.format(f", endpoint: '{emulator.url}'")
        project.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {} }\nenvironments:\n"
                      f"  near: {{ {near} }}\n")
        project.name_states("near")
        project.apply("-e", "near", "--quiet").expect(0)
        project.herald("history", 1, "--delivery", "-e", "near").expect(0, "1 accepted → 1 of 1 device")
        project.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {} }\nenvironments:\n"
                      f"  near: {{ {fcm.format('')} }}\n")
        project.herald("history", 1, "--delivery", "-e", "near").expect(1, "near has none", "analytics labels")


def test_delivery_requires_a_run_and_excludes_other_views(project):
    project.herald("history", "--delivery").expect(64, "--delivery requires the number of a run")
    project.herald("history", 1, "--delivery", "--format", "csv").expect(64, "--delivery cannot be combined with")
