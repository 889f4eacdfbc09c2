"""The delivery model, observed through the emulator's API and after a restart."""

import json
import urllib.error

import pytest

from herald import Emulator, run

CLOCK = ["--clock", "virtual", "--at", "2037-03-20T07:30:00Z"]
PHONE = [{"name": "phone", "platform": "android", "registration": "phone", "package": "org.tidewatch", "topics": ["tides"]}]


def send(emulator, target=None, **message):
    try:
        return emulator.post(
            "/v1/projects/e2e/messages:send", {"message": {**(target or {"token": "phone"}), **message}})["name"]
    except urllib.error.HTTPError as error:
        details = json.load(error)["error"]["details"]
        return error.code, next(detail["errorCode"] for detail in details if "errorCode" in detail)


def inbox(emulator, name="phone"):
    return emulator.get(f"/emulator/v1/devices/{name}/inbox")


def advance(emulator, seconds):
    emulator.put("/emulator/v1/clock", {"advance": f"{seconds}s"})


@pytest.fixture
def emulator(project, request):
    with Emulator(project, arguments=[*CLOCK, *getattr(request, "param", [])]) as emulator:
        emulator.post("/emulator/v1/devices", PHONE)
        yield emulator


def started_with(*arguments):
    return pytest.mark.parametrize("emulator", [arguments], indirect=True, ids=lambda each: " ".join(each))


@pytest.mark.covers("C45", "C57")
def test_doze_delays_normal_priority_across_a_restart(project, emulator):
    answer = emulator.patch("/emulator/v1/devices/phone", {"dozing": True})
    assert (answer["dozing"], answer["foreground"]) == (True, False)
    send(emulator, data={"a": "1"})
    send(emulator, data={"a": "2"}, android={"priority": "high"})
    assert [message["waits_for"] for message in inbox(emulator)["waiting"]] == ["delayedDeviceDoze"]
    run("emulator", "inboxes", "-C", project.folder).expect(0, "online · in Doze", "1 waiting: until Doze ends")
    before = emulator.get("/emulator/v1/inboxes")
    emulator.kill()
    with Emulator(project, arguments=CLOCK) as again:
        assert again.get("/emulator/v1/inboxes") == before
        snapshot = again.get("/emulator/v1/snapshot")
        again.post("/emulator/v1/reset")
        again.put("/emulator/v1/snapshot", snapshot)
        assert again.get("/emulator/v1/inboxes") == before
        assert again.get("/emulator/v1/snapshot") == snapshot
        again.patch("/emulator/v1/devices/phone", {"dozing": False})
        assert [message["delay"] for message in inbox(again)["received"]] == ["deliveredNoDelay", "delayedDeviceDoze"]


def test_tap_returns_the_data(emulator):
    name = send(emulator, notification={"title": "High water"}, data={"screen": "tides"})
    assert inbox(emulator)["tray"] == [1]
    tap = {"message_id": name.rsplit("/", 1)[1]}
    assert emulator.post("/emulator/v1/devices/phone/taps", tap)["data"] == {"screen": "tides"}
    after = inbox(emulator)
    assert (after["tray"], after["foreground"], "opened_at" in after["received"][0]) == ([], True, True)
    with pytest.raises(urllib.error.HTTPError, match="400"):
        emulator.post("/emulator/v1/devices/phone/taps", tap)


@pytest.mark.covers("C70")
def test_rejects_the_241st_message_of_a_minute(emulator):
    assert all(isinstance(send(emulator, data={"a": "1"}), str) for _ in range(240))
    assert send(emulator, data={"a": "1"}) == (429, "QUOTA_EXCEEDED")
    advance(emulator, 59)
    assert send(emulator, data={"a": "1"}) == (429, "QUOTA_EXCEEDED")
    advance(emulator, 1)
    assert isinstance(send(emulator, data={"a": "1"}), str)
    assert len(inbox(emulator)["received"]) == 241


@pytest.mark.covers("C67")
def test_delays_the_21st_collapsible_message_by_3_minutes(emulator):
    for _ in range(21):
        send(emulator, notification={"title": "High water"})
    assert [message["waits_for"] for message in inbox(emulator)["waiting"]] == ["delayedMessageThrottled"]
    advance(emulator, 179)
    assert len(inbox(emulator)["received"]) == 20
    advance(emulator, 1)
    assert inbox(emulator)["received"][-1]["delay"] == "delayedMessageThrottled"


@started_with("--fan-outs", "1", "--fan-out-rate", "1")
def test_rejects_excess_fan_outs(emulator):
    emulator.post("/emulator/v1/devices", [{**PHONE[0], "name": "other", "registration": "other"}])
    tides = {"topic": "tides"}
    assert isinstance(send(emulator, tides), str)
    assert send(emulator, tides) == (429, "QUOTA_EXCEEDED")
    assert isinstance(send(emulator), str)
    assert [len(each["received"]) for each in emulator.get("/emulator/v1/inboxes")["devices"]] == [2, 0]
    snapshot = emulator.get("/emulator/v1/snapshot")
    assert [fan_out["recipients"] for fan_out in snapshot["fan_outs"]] == [["other"]]
    emulator.put("/emulator/v1/snapshot", snapshot)
    advance(emulator, 1)
    assert len(inbox(emulator, "other")["received"]) == 1
    assert isinstance(send(emulator, tides), str)


@started_with(
    "--fan-outs", "1", "--fan-out-rate", "1", "--excess-fan-outs", "defer", "--topic-propagation", "10",
    "--background-delay", "60", "--delay-seed", "5", "--lower-priority", "--no-device-limits")
def test_options_survive_a_replay_and_reset_with_the_next_start(project, emulator):
    assert emulator.get("/emulator/v1/delivery-options") == {
        "topic_propagation": "10s", "background_delay": "60s", "seed": "5", "lower_priority": True,
        "device_limits": False, "fan_out_rate": 1, "fan_outs": 1, "excess_fan_outs": "defer"}
    tides = {"topic": "tides"}
    send(emulator, tides, data={"a": "1"})
    advance(emulator, 10)
    for number in range(40):
        send(emulator, tides, data={"a": str(number)})
    assert inbox(emulator)["pending"] + len(inbox(emulator)["received"]) <= 100
    before = emulator.get("/emulator/v1/inboxes")
    emulator.kill()
    with Emulator(project, arguments=CLOCK) as again:
        assert again.get("/emulator/v1/inboxes") == before
        assert again.get("/emulator/v1/delivery-options")["fan_out_rate"] == 10_000


def test_rejects_impossible_device_states(emulator):
    emulator.post("/emulator/v1/devices", [{"name": "iphone", "platform": "apple", "registration": "iphone"}])
    for name, change in [("iphone", {"dozing": True}), ("phone", {"last_seen": "2037-01-01T00:00:00Z"}),
                         ("phone", {"dozing": True, "foreground": True})]:
        with pytest.raises(urllib.error.HTTPError, match="400"):
            emulator.patch(f"/emulator/v1/devices/{name}", change)


@pytest.mark.covers("C62", "C63")
def test_silent_device_loses_messages_and_its_registration(emulator):
    emulator.patch("/emulator/v1/devices/phone", {"online": False, "last_seen": "2037-02-01T00:00:00Z"})
    assert isinstance(send(emulator, data={"a": "1"}), str)
    assert inbox(emulator)["outcomes"] == {"droppedDeviceInactive": 1}
    advance(emulator, 270 * 86_400)
    assert send(emulator, data={"a": "1"}) == (404, "UNREGISTERED")


def test_phones_start_in_the_declared_state(project):
    path = project.folder / "campaigns/phones.yaml"
    path.write_text(
        "devices: phones\nphones:\n"
        "  - { name: sleeper, platform: android, registration: s, doze: true }\n"
        "  - { name: stopped, platform: android, registration: t, force_stopped: true }\n")
    with Emulator(project) as emulator:
        found = {each["name"]: each for each in emulator.get("/emulator/v1/devices")["devices"]}
        assert found["sleeper"]["dozing"] and found["stopped"]["force_stopped"]


@pytest.mark.covers("C30", "M06")
def test_collapse_shows_one_notification_on_each_platform(project):
    """The second message replaces the first on the screen, although every device was online for both."""
    project.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {} }\n")
    for name, delivery in (("first", "{ collapse: tide }"), ("second", "{ collapse: tide }"), ("other", "{}")):
        project.write(f"campaigns/{name}.yaml", (
            f"campaign: {name}\naudience: {{ topic: tides }}\nmessage: {{ notification: {{ title: {name} }} }}\n"
            f"delivery: {delivery}\n"))
    with Emulator(project) as emulator:
        emulator.post("/emulator/v1/devices", [
            {"name": platform, "platform": platform, "registration": platform, "topics": ["tides"]}
            for platform in ("android", "apple", "web")])
        for name in ("first", "second", "other"):
            project.apply("--only", name).expect(0, "1 accepted")
        for platform in ("android", "apple", "web"):
            shown = inbox(emulator, platform)
            titles = {message["number"]: message["title"] for message in shown["received"]}
            assert list(titles.values()) == ["first", "second", "other"]
            assert [titles[number] for number in shown["tray"]] == ["second", "other"], platform
