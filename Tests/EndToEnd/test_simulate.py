"""`herald simulate` plays the coming days over a population and reports as text, JSON and HTML."""

import json
import shutil
import subprocess
import sys
from datetime import datetime

import pytest

from chromium import Chromium
from herald import ROOT, Project, token
from test_plan_page import FAINT

NOW = "2027-01-15T08:00:00Z"
WIDTHS = (390, 1440)
EXAMPLE = ROOT / "populations/anglers.yaml"
LONG = "a-very-long-name-of-a-campaign-that-a-phone-can-hardly-show-0001"

FILES = f"""campaign: daily-tides
audience: {{ topic: tides }}
message: {{ notification: {{ title: Tides }} }}
delivery: {{ ttl: 6h }}
schedule: {{ cron: "30 6 * * *" }}
---
campaign: {LONG}
audience: {{ condition: "'tides' in topics && !('azores' in topics)" }}
message: {{ data: {{ sync: "1" }} }}
schedule: {{ at: "2027-01-18 22:00" }}
---
campaign: call
audience: {{ registrations: campaigns/registrations/all.txt }}
message: {{ notification: {{ title: Hello }} }}
"""


@pytest.fixture(scope="module")
def sea(tmp_path_factory):
    """A project with a topic of declared reach, one of unknown reach, and a list."""
    project = Project(tmp_path_factory.mktemp("sea") / "project")
    project.write("herald.yaml", "version: 1\nproject: sea\ntimezone: Atlantic/Azores\n"
                                 "topics: { tides: { reach: 800 }, azores: {} }\n")
    project.list("all", [token(n) for n in range(30)])
    project.write("campaigns/all.yaml", FILES)
    return project


def simulate(project, *arguments, now=NOW):
    return project.herald("simulate", "--devices", 1000, *arguments, now=now)


@pytest.mark.covers("M15")
def test_text_shows_the_outcome_of_each_campaign(sea):
    simulate(sea).expect(
        0, "7 days from 2027-01-15 07:00 Atlantic/Azores, seed 1: 1,000 devices",
        "assumed: 10 % of devices are subscribed to `azores`", "daily-tides 7 sends, ", "call 1 send, 30 devices",
        "delivered", "expired before the device reconnected", "dropped: the device was inactive for a month",
        "half within ", "A device gets ")
    assert not list(sea.folder.glob(".herald/*.ndjson")), "something was sent"


@pytest.mark.covers("M15")
def test_same_seed_gives_the_same_bytes_and_one_outcome_per_message(sea):
    first, again, other = (simulate(sea, "--format", "json", "--seed", seed).expect(0).out for seed in (1, 1, 2))
    assert first == again and first != other
    for text in (first, other):
        story = json.loads(text)
        assert story["start"] == "2027-01-15T08:00:00.000Z" and story["end"] == "2027-01-22T08:00:00.000Z"
        assert sum(story["devices"].values()) == sum(story["pressure"]["devices_by_messages"]) == 1000
        named = {campaign["campaign"]: campaign for campaign in story["campaigns"]}
        assert set(named) == {"call", "daily-tides", LONG}
        for campaign in story["campaigns"]:
            recipients = sum(send["recipients"] for send in campaign["sends"])
            assert sum(campaign["outcomes"].values()) == recipients > 0
            assert sum(campaign["delivered_by_hour"]) == campaign["outcomes"]["delivered"]
            assert len(campaign["delivered_by_hour"]) == 168
        delivered = [c["outcomes"]["delivered"] for c in story["campaigns"]]
        assert story["pressure"]["delivered"] == story["outcomes"]["delivered"] == sum(delivered)
        # A topic's reach, within random variation.
        assert all(abs(send["recipients"] - 800) < 60 for send in named["daily-tides"]["sends"])
        # 06:30 on the Azores, an hour behind UTC.
        assert named["daily-tides"]["sends"][0]["due"] == "2027-01-16T07:30:00.000Z"


def test_applies_the_environments_pace(sea):
    pace = "environments: { slow: { pace: { fan_out_rate: 10, sends_per_minute: 60 }, emulator: {} } }\n"
    slow = Project.of(sea.folder.parent / "slow")
    shutil.copytree(sea.folder, slow.folder)
    slow.write("herald.yaml", (sea.folder / "herald.yaml").read_text() + pace)
    story = json.loads(simulate(slow, "-e", "slow", "--format", "json").expect(0).out)
    first = {campaign["campaign"]: campaign["sends"][0] for campaign in story["campaigns"]}
    call, daily = first["call"], first["daily-tides"]
    # One request per second; ten devices per second.
    assert length(call) == 30
    assert abs(length(daily) - daily["recipients"] / 10) < 0.01


def length(send):
    """Returns the seconds between the first and the last recipient."""
    start, end = (datetime.fromisoformat(send[key]) for key in ("start", "end"))
    return (end - start).total_seconds()


def test_simulates_only_the_selection(sea):
    story = json.loads(simulate(sea, "--format", "json", "--only", "call", "--days", 1).expect(0).out)
    assert [c["campaign"] for c in story["campaigns"]] == ["call"]
    assert len(story["campaigns"][0]["delivered_by_hour"]) == 24


# MARK: population file

BASE = "population: some\nsize: 100\n"
MISTAKES = [
    (BASE + "platform: { android: 100% }\n", ["p.yaml:3:1", "platforms"]),
    (BASE + "platforms: { android: 60%, web: 30.5% }\n", ["p.yaml:3:", "add up to 90.50%", "make them add up to 100%"]),
    (BASE + "online: { always: 120% }\n", ["p.yaml:3:", "120%"]),
    ("population: some\nsize: 0\n", ["p.yaml:2:7", "0 is out of range", "from 1 to 10000000"]),
    ("population: some\n", ["p.yaml:1:1", "needs the key `size`"]),
    (BASE + 'topics: { "bad topic": 10% }\n', ["p.yaml:3:", "bad topic"]),
    (": [\n", ["yaml-syntax", "p.yaml:1:1"]),
    ("", ["p.yaml does not contain a population", "write `population: NAME` and `size: 10000`"]),
    (None, ["p.yaml cannot be read: there is no such file"]),
]


@pytest.mark.parametrize("text, fragments", MISTAKES, ids=range(len(MISTAKES)))
def test_reports_the_location_of_population_mistakes(sea, text, fragments):
    path = sea.folder / "p.yaml"
    path.unlink(missing_ok=True)
    if text is not None:
        path.write_text(text)
    result = sea.herald("simulate", "--population", "p.yaml", now=NOW, cwd=sea.folder)
    result.expect(65, "nothing is simulated", "herald schema population", *fragments)
    assert result.out == ""


@pytest.mark.parametrize("arguments", [
    ["--days", 0], ["--days", 61], ["--devices", 0], ["--devices", 10_000_001], ["--seed", "x"], ["--format", "pdf"],
    ["--devices", 5, "--population", EXAMPLE]], ids=range(7))
def test_reports_usage_errors(sea, arguments):
    assert sea.herald("simulate", *arguments, now=NOW).expect(64).out == ""


def test_simulates_the_example_and_matches_the_schema(tmp_path):
    shutil.copytree(ROOT / "campaigns", tmp_path / "campaigns")
    shutil.copy(ROOT / "herald.yaml", tmp_path)
    small = tmp_path / "anglers.yaml"
    small.write_text(EXAMPLE.read_text().replace("size: 40000", "size: 4000"))
    project = Project.of(tmp_path)
    project.herald("simulate", "--population", small, now="2037-03-14T08:00:00Z").expect(0, "4,000 devices", "tide-alert")
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(BASE + "platform: { android: 100% }\n")
    check = [sys.executable, "-m", "check_jsonschema", "--schemafile", ROOT / "schemas/population.schema.json"]
    done = subprocess.run([*check, EXAMPLE, wrong], capture_output=True, text=True)
    assert done.returncode == 1
    assert "wrong.yaml" in done.stdout and "anglers.yaml" not in done.stdout, done.stdout


# MARK: page

@pytest.fixture(scope="module")
def page(sea):
    path = sea.folder.parent / "week.html"
    path.write_text(simulate(sea, "--format", "html").expect(0).out, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def chromium():
    with Chromium() as browser:
        yield browser


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_page_is_readable_and_sends_no_requests(chromium, page, width, dark):
    with chromium.open(page, width=width, dark=dark) as tab:
        assert tab.requests() == [] and tab.complaints() == []
        assert tab.run("document.documentElement.scrollWidth") <= width, "it scrolls horizontally"
        assert tab.run(FAINT) == [], "a contrast below 4.5 to 1"
        # One square per hour of the week for each of three campaigns, all of them visible.
        squares = "[...document.querySelectorAll('.strip:not(.axis) span')]"
        assert tab.run(f"{squares}.length") == 3 * 168
        assert tab.run(f"{squares}.every(s => s.getBoundingClientRect().width >= 1)")
        assert tab.run("[...document.querySelectorAll('.bar')].every(b => b.children.length === 50)")
        names = [name for role, name in tab.tree() if role == "heading"]
        assert names[0] == "Simulation" and {"daily-tides", "call", LONG} < set(names)


def test_hostile_names_are_escaped(sea, tmp_path):
    hostile = Project.of(tmp_path / "hostile")
    shutil.copytree(sea.folder, hostile.folder)
    hostile.write("campaigns/all.yaml", FILES.replace("campaign: call", "campaign: '<script>alert(1)</script>'"))
    assert simulate(hostile, "--format", "html").expect(65, "invalid-name").out == ""


EXPERIMENT = """campaign: sale
audience: { registrations: lists/readers.txt }
message: { notification: { title: Sale } }
delivery: { ttl: 4h }
holdout: 20%
variants: { short: { weight: 1 }, long: { weight: 3, message: { notification: { body: Long } } } }
schedule: { cron: "30 6 * * *" }
"""


def test_variants_and_held_out_devices_are_counted(tmp_path):
    project = Project(tmp_path / "project")
    project.write("lists/readers.txt", "".join(token(n) + "\n" for n in range(500)))
    project.write("campaigns/sale.yaml", EXPERIMENT)
    planned, = json.loads(project.herald("plan", "--format", "json", now=NOW).expect(0).out)["campaigns"]
    planned = {entry["variant"]: entry["registrations"] for entry in planned["locales"]}
    campaign, = json.loads(simulate(project, "--days", 2, "--format", "json").expect(0).out)["campaigns"]
    assert {arm["variant"]: sum(arm["outcomes"].values()) for arm in campaign["arms"]} == {
        name: 2 * count for name, count in planned.items()}
    assert campaign["held_out"] == 2 * (500 - sum(planned.values()))
    assert [send["recipients"] for send in campaign["sends"]] == 2 * [sum(planned.values())]
    for outcome, count in campaign["outcomes"].items():
        assert sum(arm["outcomes"][outcome] for arm in campaign["arms"]) == count
    simulate(project, "--days", 2).expect(
        0, f"variant short: {2 * planned['short']} messages, ", f"held out: {campaign['held_out']} messages not sent")
    simulate(project, "--days", 2, "--format", "html").expect(0, "variant long: ", "not sent, for comparison")
