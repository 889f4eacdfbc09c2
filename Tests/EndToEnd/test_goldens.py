"""Herald sends exactly the JSON messages that FCM's documentation prints.

Herald adds the occurrence's key to display messages. The documentation has no such key, so the tests add it to
the printed messages.
"""

import copy
import hashlib
import json
import shutil

import pytest

from herald import ROOT, Emulator, Project

DOCUMENTS = ROOT / "Tests/Goldens/documents"
GOLDENS = sorted(path.stem for path in (DOCUMENTS / "wire").glob("*.json"))
TOKEN = "bk3RNwTe3H0:CI2k_HHwgIpoDKCIZvvDMExUdFQ3P1..."


@pytest.fixture(scope="module")
def wire(tmp_path_factory):
    """Returns the send of each campaign of the golden project, by campaign."""
    folder = tmp_path_factory.mktemp("goldens") / "documents"
    shutil.copytree(DOCUMENTS, folder)
    project = Project.of(folder)
    project.write(
        "campaigns/devices.yaml",
        f'devices: documents\nphones: [{{ name: phone, platform: android, registration: "{TOKEN}" }}]\n')
    with Emulator(project):
        plan = project.plan()
        project.apply().expect(0)
    # Sends with the same due time go by name.
    names = sorted(campaign["campaign"] for campaign in plan["campaigns"])
    sends = project.log.sends()
    assert len(sends) == len(names), "each campaign is one request"
    return dict(zip(names, sends))


def test_every_campaign_has_a_golden_file(wire):
    assert len(GOLDENS) >= 6
    assert sorted(wire) == GOLDENS


# These are data messages. They are not displayed, so no key is added.
DATA = {"condition-go", "data", "time-to-live", "topic-data", "topic-data-prefixed"}


def keyed(name, message, platforms=("android", "apple", "web")):
    """Returns a documented message with the key that Herald adds."""
    message = copy.deepcopy(message)
    if name in DATA:
        return message
    key = hashlib.sha256(f"{name}/once/1".encode()).hexdigest()[:16]
    paths = {"android": ("android", "notification", "tag"), "apple": ("apns", "headers", "apns-collapse-id"),
             "web": ("webpush", "notification", "tag")}
    for platform in platforms:
        block, inner, field = paths[platform]
        message.setdefault(block, {}).setdefault(inner, {})[field] = key
    return message


def with_key(name, printed):
    return {**printed, "message": keyed(name, printed["message"])}


@pytest.mark.covers(
    "A42", "A43", "A46", "A48", "A50", "A56", "A57", "A58", "C06", "C09", "C11", "C13",
    "C16", "C21", "C29", "C46", "C54", "F1.3-notification", "F1.3-platforms", "F1.6-headers", "M05")
@pytest.mark.parametrize("name", GOLDENS)
def test_sends_the_json_that_the_documentation_prints(wire, name):
    printed = json.loads((DOCUMENTS / "wire" / f"{name}.json").read_text())
    assert wire[name]["body"] == with_key(name, printed)
    assert wire[name]["status"] == 200


# MARK: herald preview


@pytest.fixture(scope="module")
def preview(tmp_path_factory):
    """Runs `herald preview` on the golden project, which has no state. No state may be created."""
    folder = tmp_path_factory.mktemp("goldens") / "documents"
    shutil.copytree(DOCUMENTS, folder)
    project = Project.of(folder)
    yield lambda *arguments: project.herald("preview", *arguments)
    assert not (folder / ".herald").exists()


@pytest.mark.parametrize("name", GOLDENS)
def test_preview_shows_the_json_that_the_documentation_prints(preview, name):
    printed = json.loads((DOCUMENTS / "wire" / f"{name}.json").read_text())
    if "token" in printed["message"]:
        assert printed["message"]["token"] == TOKEN
        printed["message"]["token"] = "<registration>"
    printed = with_key(name, printed)
    result = preview(name, "--format", "json").expect(0)
    shown = json.loads(result.out)
    assert shown["campaign"] == name
    assert shown["request"] == {
        "method": "POST", "path": "/v1/projects/documents/messages:send", "body": printed}
    text = preview(name).expect(0, name, "POST /v1/projects/documents/messages:send").out
    assert request_of(text) == printed
    assert TOKEN not in result.out + text


def request_of(text):
    """Returns the first JSON object of a text preview."""
    return json.JSONDecoder().raw_decode(text[text.index("\n{") + 1:])[0]


# Firebase documentation, About FCM messages: the common fields apply to all platforms. Android and the web keep the
# message for a day. It opens an activity on Android, and has priority 5 and a category on Apple platforms.
SHOWN = {"title": "Match update", "body": "Arsenal goal in added time, score is now 3-0"}
MEANT = {
    "android": {
        "notification": SHOWN,
        "android": {"ttl": "86400s", "notification": {"click_action": "OPEN_ACTIVITY_1"}}},
    "apple": {
        "notification": SHOWN,
        "apns": {
            "headers": {"apns-priority": "5"},
            "payload": {"aps": {"category": "NEW_MESSAGE_CATEGORY"}}}},
    "web": {"notification": SHOWN, "webpush": {"headers": {"TTL": "86400"}}},
}
# title 5 + 12, body 4 + 44; click_action 12 + 15; category 8 + 20; tag 3 + 16
BYTES = {"android": 111, "apple": 93, "web": 84}
KEYS = {"android": "android.notification.tag", "apple": "apns.headers.apns-collapse-id",
        "web": "webpush.notification.tag"}


@pytest.mark.parametrize("platform", MEANT)
def test_each_platform_gets_the_documented_message(preview, platform):
    shown = json.loads(
        preview("platform-options", "--platform", platform, "--format", "json").expect(0).out)
    assert list(shown["platforms"]) == [platform]
    got = shown["platforms"][platform]
    meant = keyed("platform-options", MEANT[platform], [platform])
    assert got["message"] == meant
    assert got["kind"] == "notification"
    assert (got["bytes"], got["limit"]) == (BYTES[platform], 4000)
    origins = {field["field"]: field["origin"] for field in got["fields"]}
    assert origins.pop(KEYS[platform]) == "the occurrence"
    assert set(origins.values()) == set(origins)
    text = preview("platform-options", "--platform", platform).expect(
        0, f"{platform}  notification, {BYTES[platform]} of 4,000 bytes").out
    assert request_of(text) == meant
    others = {"android", "apple", "web"} - {platform}
    assert not any(f"\n{other}  " in text for other in others)


def test_preview_names_the_origin_of_each_field(preview):
    fields = json.loads(preview("time-to-live", "--format", "json").expect(0).out)["platforms"]
    origins = {
        field["field"]: field["origin"] for platform in fields.values() for field in platform["fields"]}
    assert origins["android.ttl"] == origins["webpush.headers.TTL"] == "delivery.ttl"
    assert origins["apns.headers.apns-expiration"] == "apns.headers.apns-expiration"
    assert origins["data.Nick"] == "data.Nick"


def test_suggests_a_similar_campaign(preview):
    preview("magazin").expect(64, "no campaign `magazin`", "did you mean `magazine`?")
    result = preview("zz\x1b").expect(64, "no campaign `zz\\u{1B}`", "use one of ")
    assert result.out == ""
    preview("magazine", "--platform", "ios").expect(64)
