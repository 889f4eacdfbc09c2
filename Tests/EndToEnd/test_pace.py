"""How fast apply sends, and what it does about a refusal, by the emulator's log."""

from datetime import datetime

import pytest

from herald import Emulator, Project, token


def moments(sends):
    return [datetime.fromisoformat(entry["time"]).timestamp() for entry in sends]


def project_of(folder, pace, topics=""):
    project = Project(folder / "project")
    project.write(
        "herald.yaml",
        f"version: 1\nproject: e2e\ntopics: {{ {topics} }}\n"
        f"environments: {{ local: {{ emulator: {{}}, pace: {pace} }} }}\n")
    return project


def test_no_second_has_more_than_the_pace_allows(tmp_path):
    tokens = [token(n) for n in range(180)]
    project = project_of(tmp_path, "{ sends_per_minute: 6000 }")
    project.campaign("call", f"{{ registrations: {project.list('all', tokens)} }}")
    with Emulator(project) as emulator:
        emulator.install(tokens)
        project.apply().expect(0)
    times = moments(project.log.sends())
    assert project.log.accepted() == dict.fromkeys(tokens, 1)
    # 24 at once, then 99 a second: 156 / 99.
    assert max(times) - min(times) > 1.5


def test_nothing_is_sent_before_a_refusals_time_and_the_run_goes_on_by_itself(tmp_path):
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
    refused, = [at for at, entry in zip(moments(sends), sends) if entry["status"] == 429]
    # What was under way when the refusal was answered comes within moments.
    assert not [at for at in moments(sends) if refused + 0.4 < at < refused + 1]


@pytest.mark.parametrize("arguments", [[], ["--no-wait"]])
def test_a_topic_waits_until_the_one_before_was_reached_unless_nobody_wants_to(tmp_path, arguments):
    reach = "{ reach: 1500 }"
    project = project_of(tmp_path, "{ fan_out_rate: 1000 }", f"tides: {reach}, winds: {reach}")
    for topic in ("tides", "winds"):
        project.campaign(topic, f"{{ topic: {topic} }}")
    notices = [notice for notice in project.plan()["notices"] if notice["notice"] == "waits-for-fan-out"]
    assert [(notice["occurrence"], notice["seconds"]) for notice in notices] == [("winds/once/1", 1)]
    with Emulator(project):
        project.apply(*arguments).expect(0)
    first, second = moments(project.log.sends())
    assert second - first >= 1.5 or arguments
    assert project.log.accepted() == {"tides": 1, "winds": 1}
