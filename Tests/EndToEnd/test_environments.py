"""Environments with their own lists, defaults and campaigns: nothing meant for one reaches the other."""

import json

import pytest

from herald import Emulator, Project, token

STAGING, PRODUCTION = token(1), token(2)


@pytest.fixture
def other(tmp_path):
    """The emulator that stands for production."""
    with Emulator(Project(tmp_path / "other")) as emulator:
        emulator.install([PRODUCTION])
        yield emulator


@pytest.fixture
def coast(tmp_path, other):
    """A project with an environment per emulator. Staging has its own list and defaults."""
    project = Project(tmp_path / "project", topics=["tides"])
    project.list("beta", [PRODUCTION])
    project.list("staging", [STAGING])
    with Emulator(project) as own:
        own.install([STAGING])
        environments(project, other.url)
        project.write("campaigns/beta.yaml", "audience: beta\nregistrations: campaigns/registrations/beta.txt\n")
        project.write(
            "campaigns/alert.yaml",
            "campaign: alert\nlabels: { stage: ready }\naudience: beta\nmessage: { notification: { title: High water } }\n")
        project.write(
            "campaigns/idea.yaml",
            "campaign: idea\nenvironments: [local]\naudience: beta\nmessage: { notification: { title: An idea } }\n")
        yield project


def environments(project, url, lists="{ beta: campaigns/registrations/staging.txt }", ttl="1h"):
    project.write("herald.yaml", f"""\
version: 1
project: e2e
topics: {{ tides: {{}} }}
defaults: {{ delivery: {{ ttl: 4h, priority: high }} }}
environments:
  local:
    emulator: {{}}
    lists: {lists}
    defaults: {{ delivery: {{ ttl: {ttl} }}, message: {{ android: {{ priority: NORMAL }} }} }}
  production:
    emulator: {{ url: '{url}' }}
    protected: true
    only: {{ labels: {{ stage: ready }} }}
""")


def test_each_environment_gets_its_own_campaigns_values_and_list(coast, other):
    coast.apply().expect(0, "2 accepted")
    assert coast.log.accepted() == {STAGING: 2} and other.project.log.sends() == []
    plan = coast.plan("-e", "production")
    assert plan["elsewhere"] == ["idea"] and [one["campaign"] for one in plan["campaigns"]] == ["alert"]
    coast.herald("plan", "-e", "production").expect(0, "1 campaign does not belong to production: idea.")
    coast.apply("-e", "production", "--expect", plan["digest"]).expect(0, "1 accepted")
    assert other.project.log.accepted() == {PRODUCTION: 1}
    assert coast.log.accepted() == {STAGING: 2}, "production does not reach the testers"
    for log, expected in ((coast.log, ("3600s", "NORMAL")), (other.project.log, ("14400s", "HIGH"))):
        found = {(one["ttl"], one["priority"]) for one in (e["body"]["message"]["android"] for e in log.sends())}
        assert found == {expected}


def test_every_plan_begins_with_its_destination(coast, other):
    for name, endpoint, protection in (
            ("local", "built-in emulator", "not protected"),
            ("production", f"emulator at {other.url}", "protected")):
        words = f"Destination: {name}, project ID e2e, {endpoint}, {protection}"
        text = coast.herald("plan", "-e", name).expect(0, words).out
        assert text.startswith("Destination: ")
        comment = coast.herald("plan", "-e", name, "--format", "markdown").expect(0).out.splitlines()
        assert comment[1] == f"Destination: `{name}`, project ID `e2e`, `{endpoint}`, **{protection}**. " \
            "An emulator receives the messages: no real device does."
        page = coast.herald("plan", "-e", name, "--format", "html").expect(0).out
        assert page.index("Destination: ") < page.index("<h1>")
        destination = {
            "environment": name, "project_id": "e2e", "protected": protection == "protected",
            "endpoint": "emulator" if name == "local" else other.url}
        plan = coast.plan("-e", name)
        assert next(iter(plan)) == "destination" and plan["destination"] == destination
        events = coast.herald("apply", "-e", name, "--expect", plan["digest"], "--json").expect(0).out.splitlines()
        assert json.loads(events[0])["destination"] == destination
        empty = coast.herald("plan", "-e", name).expect(0, words, "No changes.")
        assert empty.out.startswith("Destination: ")


def test_digest_covers_the_values_of_its_environment(coast, other):
    digests = {name: coast.plan("-e", name)["digest"] for name in ("local", "production")}
    environments(coast, other.url, ttl="2h")
    assert coast.plan("-e", "production")["digest"] == digests["production"]
    assert coast.plan()["digest"] != digests["local"]
    environments(coast, other.url)
    assert coast.plan()["digest"] == digests["local"]
    coast.list("staging", [STAGING, token(3)])
    assert coast.plan()["digest"] != digests["local"]


def test_missing_list_is_an_error_in_its_environment_only(coast, other):
    environments(coast, other.url, lists="{}")
    for command in (["validate"], ["plan"], ["apply", "--yes"], ["preview", "alert"]):
        coast.herald(*command).expect(
            65, "error[environment-list]", "campaigns/beta.yaml:1:11",
            "audience `beta` has no list in the environment `local`",
            "add `beta: FILE` to `lists` of `environments.local`")
    coast.herald("plan", "-e", "production").expect(0)
    assert coast.log.sends() == [] and other.project.log.sends() == []


def test_validate_checks_every_environment_and_names_it(coast, other):
    environments(coast, other.url, lists="{ beta: campaigns/registrations/gone.txt }")
    coast.herald("validate").expect(65, "campaigns/registrations/gone.txt", "in the environment `local`")
    coast.herald("plan", "-e", "production").expect(0)


def test_a_finding_of_several_environments_names_each(project):
    """The lists share a registration in staging and in production, but not in preview and not without an environment."""
    for name, number in (("anglers", 1), ("divers", 2)):
        path = project.list(name, [token(number)])
        project.list(f"all-{name}", [token(3)])
        project.write(f"campaigns/{name}.yaml", f"audience: {name}\nregistrations: {path}\n")
        project.campaign(f"to-{name}", name)
    shared = "{ anglers: campaigns/registrations/all-anglers.txt, divers: campaigns/registrations/all-divers.txt }"
    project.write("herald.yaml", f"""\
version: 1
project: e2e
environments:
  staging:
    emulator: {{}}
    lists: {shared}
  preview:
    emulator: {{}}
    lists: {{ anglers: campaigns/registrations/anglers.txt, divers: campaigns/registrations/divers.txt }}
  production:
    emulator: {{}}
    lists: {shared}
""")
    report = json.loads(project.herald("validate", "--format", "json").expect(0).out)
    [finding] = [one for one in report["findings"] if one["rule"] == "reached-twice-at-once"]
    assert finding["message"] == "1 registration would get `to-anglers` and `to-divers` at the same time"
    places = [(place["message"], place["path"], place["line"]) for place in finding["related"]]
    assert places[1:] == [
        ("in the environment `staging`", "herald.yaml", 4), ("in the environment `production`", "herald.yaml", 10)]
    annotations = project.herald("validate", "--format", "github").expect(0).out.splitlines()
    [annotation] = [line for line in annotations if "title=reached-twice-at-once" in line]
    assert annotation.startswith("::warning file=campaigns/to-divers.yaml,line=2,")
    assert "%0Ain the environment `staging` (herald.yaml:4)%0Ain the environment `production` (herald.yaml:10)%0A" in annotation


def test_campaigns_that_share_no_environment_do_not_count_together(project):
    project.write("herald.yaml", "version: 1\nproject: e2e\nenvironments:\n  staging: { emulator: {} }\n  production: { emulator: {} }\n")
    path = {name: project.list(name, [token(1), token(number)]) for number, name in ((2, "one"), (3, "two"))}

    def rules(environments):
        for name, list in path.items():
            project.write(f"campaigns/{name}.yaml", f"""\
campaign: {name}
audience: {{ registrations: {list} }}
message: {{ notification: {{ title: High water }} }}
delivery: {{ ttl: 1h }}
environments: [{environments[name]}]
""")
        report = json.loads(project.herald("validate", "--format", "json").expect(0).out)
        return [finding["rule"] for finding in report["findings"]].count("reached-twice-at-once")

    assert rules({"one": "staging", "two": "production"}) == 0
    assert rules({"one": "staging, production", "two": "production"}) == 1
    project.herald("validate", "--deny-warnings").expect(65, "reached-twice-at-once")
    rules({"one": "staging", "two": "production"})
    project.herald("validate", "--deny-warnings").expect(0)


def test_preview_names_the_defaults_that_set_a_value(coast):
    fields = {}
    for name in ("local", "production"):
        shown = coast.herald("preview", "alert", "-e", name, "--format", "json").expect(0)
        platforms = json.loads(shown.out)["platforms"]
        fields[name] = {one["field"]: one["origin"] for one in platforms["android"]["fields"]}
    assert fields["local"]["android.ttl"] == "environments.local.defaults.delivery.ttl"
    assert fields["local"]["android.priority"] == "environments.local.defaults.message.android.priority"
    assert fields["local"]["notification.title"] == "notification.title"
    assert fields["production"]["android.ttl"] == "defaults.delivery.ttl"
    assert fields["production"]["android.priority"] == "defaults.delivery.priority"
    coast.herald("preview", "alert", "--platform", "android").expect(0, "3600s", "environments.local.defaults.delivery.ttl")
    coast.herald("preview", "alert", "-e", "produktion").expect(64, "production")


def test_plan_names_a_default_that_changes_several_campaigns(tmp_path):
    project = Project(tmp_path / "project", "defaults:\n  delivery:\n    ttl: 4h\n", ["tides"])
    names = ["one", "two", "three"]
    for name in names:
        project.campaign(name, "{ topic: tides }", schedule="2037-03-20 07:30")
    project.write("campaigns/own.yaml", (project.folder / "campaigns/one.yaml").read_text().replace("one", "own") + "delivery: { ttl: 4h }\n")
    now = "2037-03-19T08:00:00Z"
    project.apply(now=now).expect(0)
    files = project.folder / "herald.yaml", project.folder / "campaigns/own.yaml"
    for file in files:
        file.write_text(file.read_text().replace("ttl: 4h", "ttl: 2h"))
    line = files[0].read_text().splitlines().index("    ttl: 2h") + 1
    words = "changes how long FCM keeps it from up to 4h to up to 2h in 3 campaigns: one, three and two"
    project.herald("plan", now=now).expect(0, f"herald.yaml:{line}: `defaults.delivery.ttl` {words}")
    for form in ("markdown", "html"):
        project.herald("plan", "--format", form, now=now).expect(0, words, f"herald.yaml:{line}")


def test_campaign_of_another_environment_is_refused_by_name(coast):
    send = ["send", "idea", "--to", "0123456789abcdef", "--no-input"]
    for command in (["preview", "idea"], ["plan", "--only", "idea"], send):
        coast.herald(*command, "-e", "production").expect(64, "campaign `idea` does not belong to this environment")


def test_campaign_that_leaves_an_environment_is_cancelled_there(coast):
    coast.write(
        "campaigns/later.yaml",
        "campaign: later\naudience: beta\nmessage: { notification: { title: Later } }\nschedule: { at: 2037-03-20 07:30 }\n")
    now = "2037-03-19T08:00:00Z"
    coast.apply(now=now).expect(0)
    path = coast.folder / "campaigns/later.yaml"
    path.write_text(path.read_text() + "environments: [production]\n")
    coast.herald("plan", now=now).expect(0, "later does not belong to this environment")
    coast.apply(now=now).expect(0)
    coast.apply(now="2037-03-20T07:31:00Z").expect(0, "No changes.")
    assert "later" not in {entry["body"]["message"]["notification"]["title"].lower() for entry in coast.log.sends()}
