"""The JSON plan conforms to schemas/plan.schema.json for every type of action.

check-jsonschema validates the plans. In addition, the schema must name every member, although it allows more
members for later versions.
"""

import json
import re
import subprocess
import sys
from collections import Counter

import pytest

from herald import ROOT, SECRET, Project, Witness, token

PEOPLE = [token(n) for n in range(25)]
ACTIONS = {"send", "resume", "lapse", "paused", "held", "rename", "schedule", "reschedule", "expire", "skip", "miss",
           "unschedule", "redefine", "already_sent", "lowered", "ended", "stopped", "cancel", "retire", "unchanged",
           "hand_over", "correct", "nothing_to_correct", "answer"}


def schema():
    return json.loads((ROOT / "schemas/plan.schema.json").read_text())


def answer_by_title(seen):
    """Answers according to the message's title; `cut` is rejected from its second request on."""
    def answer(body):
        title = body["message"]["notification"]["title"]
        seen[title] += 1
        if title == "held":
            error = {"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": "INVALID_ARGUMENT"}
            return 400, {"error": {"code": 400, "status": "INVALID_ARGUMENT", "details": [error]}}
        if title == "stopped":
            return 500, {"error": {"code": 500, "status": "INTERNAL"}}
        if title == "cut" and seen[title] > 1:
            return 403, {"error": {"code": 403, "status": "PERMISSION_DENIED"}}
        return 200, {"name": f"projects/e2e/messages/{seen[title]}"}
    return answer


def write(project, name, audience="{ topic: tides }", title=None, more=""):
    project.write(f"campaigns/{name}.yaml", f"campaign: {name}\naudience: {audience}\n"
                  f"message: {{ notification: {{ title: {title or name} }} }}\n{more}")


def remove(project, *names):
    for name in names:
        (project.folder / f"campaigns/{name}.yaml").unlink()


def at(day, more=""):
    return f'schedule: {{ at: "2037-01-{day:02} 09:00"{more} }}\n'


@pytest.fixture(scope="module")
def plans(tmp_path_factory):
    """Plans over a week in which every type of action occurs."""
    project = Project(tmp_path_factory.mktemp("plan") / "project")
    seen = Counter()
    with Witness(project, answer_by_title(seen)):
        plans = []

        def plan(now):
            result = project.herald("plan", "-e", "bench", "--format", "json", now=f"2037-01-{now}:00Z").expect(0)
            plans.append(json.loads(result.out))

        def apply(now, *arguments):
            return project.apply("-e", "bench", "--parallelism", "1", *arguments, now=f"2037-01-{now}:00Z")

        people, few = project.list("all", PEOPLE), project.list("few", PEOPLE[:3])
        write(project, "once")
        write(project, "twice", more="revision: 2\n")
        write(project, "named")
        write(project, "sent")
        write(project, "gone")
        for name in ("moved", "reworded", "late", "skipped", "dropped"):
            write(project, name, more=at(3, ", late: skip" if name == "skipped" else ""))
        write(project, "daily", more='schedule: { cron: "0 9 * * *" }\n')
        write(project, "ending", more='schedule: { cron: "0 10 * * *", until: "2037-01-02 12:00" }\n')
        write(project, "changing", more='schedule: { cron: "0 11 * * *" }\n')
        write(project, "held", f"{{ registrations: {people} }}")
        write(project, "stopped", "{ topic: azores }")
        write(project, "zz-cut", f"{{ registrations: {few} }}", "cut", "delivery: { ttl: 1h }\n")
        project.write("campaigns/all.yaml", f"audience: everyone\nregistrations: {few}\nsubscribe: [tides]\n")
        plan("01T12:00")
        (project.folder / "campaigns/all.yaml").unlink()
        apply("01T12:00")
        project.herald("pause", "-e", "bench", now="2037-01-01T12:10:00Z").expect(0)
        write(project, "waits")
        plan("01T12:10")
        project.herald("resume", "-e", "bench", now="2037-01-01T12:10:00Z").expect(0)
        remove(project, "waits", "named", "gone", "dropped")
        write(project, "renamed", title="named", more="moved_from: named\n")
        write(project, "twice")
        write(project, "sent", title="other")
        write(project, "moved", more=at(4))
        write(project, "reworded", title="words", more=at(3))
        write(project, "changing", more='schedule: { cron: "0 12 * * *" }\n')
        plan("01T12:20")
        plan("02T12:20")
        plan("05T12:00")
        seen["cut"] = 0
        apply("02T12:20")
        write(project, "ending", title="over", more='schedule: { cron: "0 10 * * *", until: "2037-01-02 12:00" }\n')
        plan("02T12:30")
        path = project.folder / "herald.yaml"
        path.write_text(path.read_text().replace("{ emulator:", "{ sends: run, emulator:"))
        write(project, "handed")
        for name, corrected in (("fix", "sent"), ("fix-later", "moved")):
            project.write(f"campaigns/{name}.yaml", f"campaign: {name}\ncorrects: {corrected}\nmessage: {{ notification: {{ body: No }} }}\n")
        project.write("campaigns/help.yaml", "upstream: help\nmatch: { data: { action: help } }\n"
                      "reply: { notification: { title: Call 112 } }\n")
        plan("02T12:40")
        yield plans


def test_plans_contain_every_type_of_action(plans):
    found = {action["action"] for plan in plans for action in plan["campaigns"]}
    assert found == ACTIONS
    described = {part["if"]["properties"]["action"]["const"]
                 for part in schema()["properties"]["campaigns"]["items"]["allOf"]}
    assert described == ACTIONS


def test_plans_conform_to_the_schema(plans, tmp_path):
    files = []
    for number, plan in enumerate(plans):
        files.append(tmp_path / f"{number}.json")
        files[-1].write_text(json.dumps(plan))
        assert SECRET not in files[-1].read_text()
    check = [sys.executable, "-m", "check_jsonschema", "--schemafile", ROOT / "schemas/plan.schema.json"]
    goldens = sorted((ROOT / "Tests/Goldens/plans").glob("*.json"))
    assert len(goldens) >= 7
    done = subprocess.run([*check, *files, *goldens], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    broken = []
    for key in plans[0]:
        broken.append(tmp_path / f"without-{key}.json")
        broken[-1].write_text(json.dumps({name: value for name, value in plans[0].items() if name != key}))
    done = subprocess.run([*check, "--output-format", "json", *broken], capture_output=True, text=True)
    refused = {error["filename"] for error in json.loads(done.stdout)["errors"]}
    assert refused == {str(path) for path in broken}


def test_schema_names_every_member(plans):
    def unnamed(value, schema, path):
        if isinstance(value, list) and "items" in schema:
            return [found for one in value for found in unnamed(one, schema["items"], path)]
        if not isinstance(value, dict) or not isinstance(schema, dict) or "properties" not in schema:
            return []
        known = schema["properties"]
        return [f"{path}.{key}" for key in value if key not in known] + [
            found for key in value if key in known for found in unnamed(value[key], known[key], f"{path}.{key}")]

    assert {found for plan in plans for found in unnamed(plan, schema(), "")} == set()


def test_version_equals_the_schemas_version(plans):
    assert {plan["format_version"] for plan in plans} == {"2.0"}
    assert schema()["properties"]["format_version"]["pattern"] == "^2\\.[0-9]+$"


def test_documentation_has_a_row_for_each_member():
    page = (ROOT / "Documentation/Reference/Formats/plan.md").read_text()
    table = page.split("| member | value |")[1].split("\n\n")[0]
    named = re.findall("`([a-z_]+)`", " ".join(row.split("|")[1] for row in table.splitlines()[2:]))
    assert sorted(named + ["format_version"]) == sorted(schema()["properties"])
