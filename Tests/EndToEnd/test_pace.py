"""The pace of apply and its reaction to rejected requests, according to the emulator's log."""

from datetime import datetime

import pytest

from herald import Emulator, Project, token


def send_times(sends):
    return [datetime.fromisoformat(entry["time"]).timestamp() for entry in sends]


def project_of(folder, pace, topics=""):
    project = Project(folder / "project")
    project.write(
        "herald.yaml",
        f"version: 1\nproject: e2e\ntopics: {{ {topics} }}\n"
        f"environments: {{ local: {{ emulator: {{}}, pace: {pace} }} }}\n")
    return project


def test_respects_the_pace_per_second(tmp_path):
    tokens = [token(n) for n in range(180)]
    project = project_of(tmp_path, "{ sends_per_minute: 6000 }")
    project.campaign("call", f"{{ registrations: {project.list('all', tokens)} }}")
    with Emulator(project) as emulator:
        emulator.install(tokens)
        project.apply().expect(0)
    times = send_times(project.log.sends())
    assert project.log.accepted() == dict.fromkeys(tokens, 1)
    # 24 requests at once, then 99 per second: 156 / 99.
    assert max(times) - min(times) > 1.5


def test_waits_for_retry_after_and_then_continues(tmp_path):
    tokens = [token(n) for n in range(400)]
    project = project_of(tmp_path, "{ sends_per_minute: 60000 }")
    for name in ("a", "b"):
        project.campaign(name, f"{{ registrations: {project.list('all', tokens)} }}")
    with Emulator(project) as emulator:
        emulator.install(tokens)
        rule = {"when": {"nth": 500}, "answer": {"error": "PROJECT_QUOTA_EXCEEDED", "retry_after_seconds": 1}}
        emulator.put("/emulator/v1/faults", {"seed": 7, "rules": [rule]})
        project.apply().expect(0)
    sends = project.log.sends()
    assert project.log.accepted() == dict.fromkeys(tokens, 2)
    refused, = [at for at, entry in zip(send_times(sends), sends) if entry["status"] == 429]
    # Requests in flight at the rejection arrive shortly after it.
    assert not [at for at in send_times(sends) if refused + 0.4 < at < refused + 1]


@pytest.mark.parametrize("arguments", [[], ["--no-wait"]])
def test_topic_send_waits_for_the_previous_fan_out_unless_no_wait(tmp_path, arguments):
    reach = "{ reach: 1500 }"
    project = project_of(tmp_path, "{ fan_out_rate: 1000 }", f"tides: {reach}, winds: {reach}")
    for topic in ("tides", "winds"):
        project.campaign(topic, f"{{ topic: {topic} }}")
    notices = [notice for notice in project.plan()["notices"] if notice["notice"] == "waits-for-fan-out"]
    assert [(notice["occurrence"], notice["seconds"]) for notice in notices] == [("winds/once/1", 1)]
    with Emulator(project):
        project.apply(*arguments).expect(0)
    first, second = send_times(project.log.sends())
    assert second - first >= 1.5 or arguments
    assert project.log.accepted() == {"tides": 1, "winds": 1}
