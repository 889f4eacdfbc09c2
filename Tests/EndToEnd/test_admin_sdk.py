"""Google's Admin SDK for Python works with the emulator if only the address is changed.

Sends are counted in the emulator's log on disk and in the inboxes of its devices.
"""

from collections import Counter

import pytest

from admin_sdk import CURRENT, NOTE, RELEASES, AdminSDK, received
from herald import Emulator, token


@pytest.fixture
def emulator(project):
    with Emulator(project) as emulator:
        yield emulator


@pytest.fixture(params=RELEASES)
def sdk(request, emulator):
    return AdminSDK(request.param, emulator)


def message_id(answer):
    project, text = answer["name"].split("/messages/")
    assert project == "projects/e2e", answer
    return text


def to(registration, **more):
    return {"token": registration, "notification": NOTE} | more


@pytest.mark.covers("A38")
def test_each_send_function_delivers_once_under_the_returned_id(sdk, emulator, project):
    phones = [token(n) for n in range(8)]
    emulator.install(phones)
    answers = sdk.calls(
        ["send", {"message": to(phones[0])}],
        ["send_each", {"messages": [to(phones[1]), to(phones[2], android={"ttl": 3.5, "priority": "high"})]}],
        ["send_each_for_multicast", {"multicast_message": {"tokens": phones[3:5], "notification": NOTE}}],
        ["send_each_async", {"messages": [to(phones[5]), to(phones[6])], "dry_run": False}],
        ["send_each_for_multicast_async",
         {"multicast_message": {"tokens": phones[7:], "notification": NOTE}, "dry_run": False}])
    assert [answer.get("success_count") for answer in answers] == [None, 2, 2, 2, 1]
    named = [answers[0], *(one for answer in answers[1:] for one in answer["responses"])]
    ids = [message_id(answer) for answer in named]
    assert len(set(ids)) == 8
    assert received(emulator) == Counter(zip(phones, ids))
    sends = project.log.sends()
    assert [entry["status"] for entry in sends] == [200] * 8
    assert Counter(entry["answer"]["name"] for entry in sends) == Counter(answer["name"] for answer in named)


def test_dry_run_delivers_nothing_but_reports_dead_registrations(sdk, emulator):
    phones = [token(n) for n in range(2)]
    emulator.install(phones[:1])
    single, each, later = sdk.calls(
        ["send", {"message": to(phones[0]), "dry_run": True}],
        ["send_each", {"messages": [to(phones[0]), to(phones[1])], "dry_run": True}],
        ["send_each_async", {"messages": [to(phones[0]), to(phones[1])], "dry_run": True}])
    assert single == {"name": "projects/e2e/messages/fake_message_id"}
    for batch in (each, later):
        assert [one.get("name") or one["error"] for one in batch["responses"]] == [single["name"], "UnregisteredError"]
    assert not received(emulator)


def test_500_concurrent_messages_arrive_once_each(sdk, emulator, project):
    phones = [token(n) for n in range(100)]
    emulator.install(phones)
    messages = [to(phones[n % 100], data={"number": str(n)}) for n in range(500)]
    for function in ("send_each", "send_each_async"):
        begin = len(project.log.sends())
        before = received(emulator)
        answer = sdk.call(function, messages=messages, dry_run=False)
        assert answer["success_count"] == 500
        ids = [message_id(one) for one in answer["responses"]]
        assert len(set(ids)) == 500
        assert received(emulator) - before == Counter(
            (phones[n % 100], text) for n, text in enumerate(ids))
        entries = project.log.sends()[begin:]
        assert {entry["body"]["message"]["data"]["number"]: entry["answer"]["name"] for entry in entries} == {
            str(n): one["name"] for n, one in enumerate(answer["responses"])}


@pytest.mark.covers("A28", "A29", "A30", "F2.2-sdks")
def test_subscribes_and_unsubscribes_and_reports_failures(sdk, emulator, project):
    phones = [token(n) for n in range(3)]
    emulator.install(phones)
    unregistered = token(99)
    # The new API returns FCM error codes; the old API returns Instance ID error codes.
    gone_is = "UNREGISTERED" if sdk.release == CURRENT else "NOT_FOUND"
    joined, again, sent, left, after = sdk.calls(
        ["subscribe_to_topic", {"tokens": [phones[0], unregistered, phones[1]], "topic": "tides"}],
        ["subscribe_to_topic", {"tokens": phones[:2], "topic": "/topics/tides"}],
        ["send", {"message": {"topic": "tides", "notification": NOTE}}],
        ["unsubscribe_from_topic", {"tokens": [unregistered, phones[1], phones[2]], "topic": "tides"}],
        ["send", {"message": {"condition": "'tides' in topics || 'azores' in topics", "notification": NOTE}}])
    assert (joined["success_count"], joined["failure_count"]) == (2, 1)
    assert joined["errors"] == [[1, gone_is]]
    assert (again["success_count"], again["failure_count"]) == (2, 0)
    assert left["errors"] == [[0, gone_is]]
    assert [emulator.topics(phone) for phone in phones] == [{"tides"}, set(), set()]
    assert received(emulator) == Counter([
        (phones[0], message_id(sent)), (phones[1], message_id(sent)), (phones[0], message_id(after))])
    new = [entry for entry in project.log.requests() if "/topicSubscriptions" in entry["path"]]
    old = [entry for entry in project.log.requests() if entry["path"].startswith("/iid/v1:batch")]
    assert (len(new), len(old)) == ((8, 0) if sdk.release == CURRENT else (0, 3))


@pytest.mark.covers("A31")
def test_one_call_subscribes_a_thousand_registrations(sdk, emulator, project):
    phones = [token(n) for n in range(1_001)]
    emulator.install(phones)
    alone, joined, too_many, sent = sdk.calls(
        ["subscribe_to_topic", {"tokens": phones[:1], "topic": "alone"}],
        ["subscribe_to_topic", {"tokens": phones[:1_000], "topic": "tides"}],
        ["subscribe_to_topic", {"tokens": phones, "topic": "azores"}],
        ["send", {"message": {"topic": "tides", "notification": NOTE}}])
    assert (joined["success_count"], joined["failure_count"]) == (1_000, 0)
    assert alone == joined | {"success_count": 1}
    # The Instance ID release leaves this check to the server.
    assert too_many["error"] == ("ValueError" if sdk.release == CURRENT else "InvalidArgumentError")
    assert received(emulator) == Counter((phone, message_id(sent)) for phone in phones[:1_000])


def test_async_and_legacy_topic_functions_work(project):
    phones = [token(n) for n in range(3)]
    with Emulator(project) as emulator:
        emulator.install(phones)
        answers = AdminSDK(CURRENT, emulator).calls(
            ["subscribe_to_topic_async", {"tokens": phones, "topic": "tides"}],
            ["subscribe_to_topic_legacy", {"tokens": phones[:1], "topic": "azores"}],
            ["unsubscribe_from_topic_async", {"tokens": phones[1:2], "topic": "tides"}],
            ["unsubscribe_from_topic_legacy", {"tokens": phones[2:], "topic": "tides"}])
        assert [answer["success_count"] for answer in answers] == [3, 1, 1, 1]
        assert [emulator.topics(phone) for phone in phones] == [{"tides", "azores"}, set(), set()]


def test_reports_topic_errors_per_call_or_per_registration(sdk, emulator):
    phones = [token(n) for n in range(2)]
    emulator.install(phones)
    call = ["subscribe_to_topic", {"tokens": phones, "topic": "tides"}]
    answers = {}
    for error in ("QUOTA_EXCEEDED", "SERVICE_DISABLED", "TOO_MANY_TOPICS"):
        emulator.put("/emulator/v1/faults", {"rules": [
            {"match": {"service": "MEMBERSHIP"}, "answer": {"error": error}}]})
        answers[error] = sdk.calls(call)[0]
    emulator.put("/emulator/v1/faults", {})
    if sdk.release == CURRENT:
        # Each registration has a separate request and a separate error.
        reasons = {error: [reason for _, reason in answer["errors"]] for error, answer in answers.items()}
        assert reasons["QUOTA_EXCEEDED"] == ["QUOTA_EXCEEDED"] * 2
        assert reasons["SERVICE_DISABLED"] == ["PERMISSION_DENIED"] * 2
    else:
        assert answers["QUOTA_EXCEEDED"]["error"] == "ResourceExhaustedError"
        assert answers["SERVICE_DISABLED"]["error"] == "PermissionDeniedError"
        assert answers["TOO_MANY_TOPICS"]["errors"] == [[0, "TOO_MANY_TOPICS"], [1, "TOO_MANY_TOPICS"]]
    assert [emulator.topics(phone) for phone in phones] == [set(), set()]


def test_accepts_every_message_field_on_each_platform(sdk, emulator):
    phones = [token(n) for n in range(3)]
    emulator.install(phones)
    message = {
        "notification": NOTE | {"image": "https://tidewatch.example/tide.png"},
        "data": {"area": "azores"}, "fcm_options": {"analytics_label": "spring-tide"},
        "android": {
            "collapse_key": "tide", "priority": "high", "ttl": 3600.5, "data": {"area": "horta"},
            "direct_boot_ok": True,
            "notification": {
                "title": "Android tide", "body": "b", "icon": "wave", "color": "#112233", "sound": "surf", "tag": "t",
                "click_action": "OPEN", "body_loc_key": "bk", "body_loc_args": ["1"], "title_loc_key": "tk",
                "title_loc_args": ["2"], "channel_id": "tides", "image": "https://tidewatch.example/a.png",
                "ticker": "tick", "sticky": True, "event_timestamp": "2026-03-20T09:00:00+00:00", "local_only": True,
                "priority": "high", "vibrate_timings_millis": [100, 250], "default_vibrate_timings": False,
                "default_sound": False, "default_light_settings": False, "visibility": "public",
                "notification_count": 3, "proxy": "if_priority_lowered",
                "light_settings": {
                    "color": "#33669966", "light_on_duration_millis": 100, "light_off_duration_millis": 200}},
            "fcm_options": {"analytics_label": "android"}},
        "apns": {
            "headers": {"apns-priority": "10", "apns-expiration": "1900000000"},
            "payload": {"aps": {
                "alert": {"title": "Apple tide", "subtitle": "s", "body": "b", "loc_key": "lk", "loc_args": ["1"]},
                "badge": 3, "sound": {"name": "siren", "critical": True, "volume": 0.5}, "content_available": True,
                "category": "TIDE", "thread_id": "tides", "mutable_content": True, "custom_data": {"k": 1}}},
            "fcm_options": {"analytics_label": "apple", "image": "https://tidewatch.example/i.png"}},
        "webpush": {
            "headers": {"TTL": "3600", "Urgency": "high"}, "data": {"area": "web"},
            "notification": {
                "title": "Web tide", "body": "b", "icon": "wave.png", "direction": "rtl", "language": "pt",
                "require_interaction": True, "vibrate": [100, 200], "timestamp_millis": 1900000000000,
                "actions": [{"action": "chart", "title": "Chart", "icon": "chart.png"}],
                "custom_data": {"k": "v"}},
            "fcm_options": {"link": "https://tidewatch.example/tides"}},
    }
    answers = sdk.calls(*(["send", {"message": message | {"token": phone}}] for phone in phones))
    assert received(emulator) == Counter(zip(phones, map(message_id, answers)))
    inboxes = {device["platform"]: device["received"][0] for device in emulator.get("/emulator/v1/inboxes")["devices"]}
    android, apple, web = (inboxes[platform] for platform in ("android", "apple", "web"))
    assert (android["title"], apple["title"], web["title"]) == ("Android tide", "Apple tide", "Web tide")
    assert (android["data"]["area"], apple["data"]["area"], web["data"]["area"]) == ("horta", "azores", "web")
    assert (android["priority"], android["tag"], android["click_action"]) == ("HIGH", "t", "OPEN")
    assert (apple["category"], web["link"]) == ("TIDE", "https://tidewatch.example/tides")


def test_sends_to_an_installation_id(sdk, emulator):
    phones = [token(n) for n in range(2)]
    emulator.install(phones)
    single, each, unknown = sdk.calls(
        ["send", {"message": {"fid": phones[0], "notification": NOTE}}],
        ["send_each_for_multicast", {"multicast_message": {"fids": phones[1:], "notification": NOTE}}],
        ["send", {"message": {"fid": "not-a-fid", "notification": NOTE}}])
    assert unknown["error"] == "UnregisteredError"
    assert received(emulator) == Counter([
        (phones[0], message_id(single)), (phones[1], message_id(each["responses"][0]))])
