"""`herald emulator messages`, `requests`, `wait` and `assert`, and the search of the control API."""

import json
import time

import pytest

from herald import Emulator, device, run, token

TOKENS = [token(n) for n in range(3)]


@pytest.fixture
def emulator(project):
    with Emulator(project) as emulator:
        emulator.install(TOKENS)
        for text in TOKENS[:2]:
            emulator.subscribe(text)
        send(emulator, {"topic": "tides", "notification": {"title": "High water", "body": "At 7"},
                        "android": {"notification": {"sound": "bell", "notification_count": 3}},
                        "apns": {"payload": {"aps": {"sound": "horn", "badge": 7}}}})
        send(emulator, {"token": TOKENS[2], "data": {"pier": "north"}})
        yield emulator


def send(emulator, message):
    return emulator.post("/v1/projects/demo/messages:send", {"message": message})


def asked(project, *arguments):
    return json.loads(project.herald("emulator", *arguments, "--json").expect(0).out)


def test_messages_finds_what_each_device_received(emulator):
    found = asked(emulator.project, "messages", "--topic", "tides")["messages"]
    assert {one["device"]: (one["sound"], one["badge"], one["from"]) for one in found} == {
        device(TOKENS[0]): ("bell", 3, "/topics/tides"), device(TOKENS[1]): ("horn", 7, "/topics/tides")}
    text = emulator.project.herald("emulator", "messages", "--title", "High water").expect(0).out
    assert text.count("High water — At 7") == 2 and "sound: bell" in text


def test_requests_finds_sends_and_refusals(emulator):
    found = asked(emulator.project, "requests", "--topic", "tides", "--path", "/v1")["requests"]
    assert [one["title"] for one in found] == ["High water"]
    assert asked(emulator.project, "requests", "--error", "UNREGISTERED")["requests"] == []
    text = emulator.project.herald("emulator", "requests", "--text", "PIER").expect(0).out
    assert "/v1/projects/demo/messages:send" in text and "pier=north" in text


def test_output_has_fingerprints_and_no_registrations(emulator):
    # `herald` fails the test if the output contains a registration.
    found = asked(emulator.project, "messages", "--data", "pier=north")["messages"]
    mark = found[0]["fingerprint"]
    assert len(asked(emulator.project, "messages", "--registration", mark)["messages"]) == 1
    file = emulator.project.folder / "one.txt"
    file.write_text(TOKENS[2] + "\n")
    assert asked(emulator.project, "messages", "--registration", f"@{file}")["messages"] == found
    requests = asked(emulator.project, "requests", "--registration", mark, "--path", "/v1")["requests"]
    assert [one["target"] for one in requests] == [{"fingerprint": mark}]


def test_conditions_for_sound_and_badge(emulator):
    found = asked(emulator.project, "messages", "--sound", "horn", "--badge", "7")["messages"]
    assert [one["device"] for one in found] == [device(TOKENS[1])]
    emulator.project.herald("emulator", "assert", "--sound", "bell", "--badge", "7", "--count", "0").expect(0)


def test_requests_leaves_out_control_requests(emulator):
    paths = {one["path"] for one in asked(emulator.project, "requests")["requests"]}
    assert paths and not any(path.startswith("/emulator/") for path in paths)
    every = {one["path"] for one in asked(emulator.project, "requests", "--control")["requests"]}
    assert any(path.startswith("/emulator/") for path in every) and paths < every


def test_wait_ends_when_the_message_arrives(emulator):
    project = emulator.project
    with project.start("emulator", "wait", "--title", "Late", "--timeout", "30s", "--json") as waiting:
        time.sleep(0.5)
        assert waiting.process.poll() is None
        send(emulator, {"token": TOKENS[0], "notification": {"title": "Late"}})
        answer = json.loads(waiting.finish().expect(0).out)
    assert [one["device"] for one in answer["messages"]] == [device(TOKENS[0])]


def test_wait_and_assert_fail_with_the_number_of_matches(emulator):
    project = emulator.project
    project.herald("emulator", "wait", "--title", "Never", "--timeout", "1s").expect(1, "found 0 after 1s")
    project.herald("emulator", "assert", "--topic", "tides", "--count", "2").expect(0)
    project.herald("emulator", "assert", "--topic", "tides", "--count", "3").expect(1, "Expected exactly 3")
    project.herald("emulator", "assert", "--requests", "--path", "/v1", "--at-most", "2").expect(0)
    project.herald("emulator", "assert", "--requests", "--path", "/v1", "--at-least", "3").expect(1, "found 2")
    text = project.herald("emulator", "assert", "--topic", "tides", "--count", "2").expect(0).out
    assert text == "2 matching messages.\n"


def test_failure_shows_the_conditions_and_what_arrived(emulator):
    project = emulator.project
    failed = project.herald("emulator", "wait", "--title", "Low water", "--timeout", "1s", "--json").expect(
        1, 'with title="Low water"', "The project has 3 messages:", "High water - At 7", "help: print all with")
    answer = json.loads(failed.out)
    assert answer["matches"] == 0 and answer["expected"] == {"at_least": 1} and answer["messages"] == []
    assert len(answer["newest_messages"]) == 3
    failed = project.herald("emulator", "assert", "--topic", "tides", "--count", "3", "--json").expect(1)
    answer = json.loads(failed.out)
    assert answer["matches"] == len(answer["messages"]) == 2


def test_unknown_options_and_misplaced_conditions_come_first(emulator):
    project = emulator.project
    project.herald("emulator", "assert", "--topic", "tides", "--sounds", "x").expect(64, "Unknown option '--sounds'")
    project.herald("emulator", "messages", "--status", "404").expect(64, "--status", "`herald emulator requests`")
    project.herald("emulator", "requests", "--device", "x").expect(64, "--device", "`herald emulator messages`")
    project.herald("emulator", "wait", "--status", "404").expect(64, "use it with --requests")
    project.herald("emulator", "wait", "--count", "0").expect(64, "--count must be at least 1")
    project.herald("emulator", "wait", "--timeout", "2m").expect(64, "--timeout must be at most 60s")
    project.herald("emulator", "messages", "--platform", "ios").expect(64, "must be one of android, apple, web.")


@pytest.mark.parametrize("arguments", [
    ["assert"], ["assert", "--count", "1", "--at-most", "2"], ["assert", "--count", "1", "--status", "200"],
    ["wait", "--requests", "--device", "pixel"], ["wait", "--timeout", "2m"], ["wait", "--outcome", "lost"],
    ["messages", "--since", "yesterday"], ["messages", "--limit", "0"],
], ids=" ".join)
def test_wrong_conditions_are_usage_errors(emulator, arguments):
    emulator.project.herald("emulator", *arguments).expect(64)


def test_searches_a_project_with_separate_state(emulator):
    emulator.post("/emulator/v1/devices?project=other", [
        {"name": "lone", "platform": "web", "registration": "lone", "topics": ["tides"]}])
    emulator.post("/v1/projects/other/messages:send", {"message": {"topic": "tides", "data": {"a": "1"}}})
    found = asked(emulator.project, "messages", "--project-id", "other", "--topic", "tides")["messages"]
    assert [one["device"] for one in found] == ["lone"]


def test_reads_the_stopped_emulator_of_a_project_and_a_running_one_by_url(emulator, project):
    elsewhere = run("emulator", "assert", "--url", emulator.url, "--topic", "tides", "--count", "2")
    elsewhere.expect(0)
    emulator.__exit__()
    assert len(asked(project, "messages", "--topic", "tides")["messages"]) == 2
    project.herald("emulator", "wait", "--topic", "tides").expect(1, "no emulator is running")


def test_says_that_there_is_no_emulator(tmp_path):
    run("emulator", "messages", "-C", str(tmp_path)).expect(1, "there is no emulator")
