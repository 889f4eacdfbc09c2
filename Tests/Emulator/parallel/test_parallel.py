"""200 tests that use the same topic, registration, device and fault names, each in its own project.

pytest runs them 8 at a time against one emulator. Each test requires the exact number of messages in its project, so
a message, a fault or a clock of another project makes it fail.
"""

import os
import uuid

import pytest

from herald_emulator import EmulatorError

TESTS = int(os.environ.get("HERALD_PARALLEL_TESTS", "200"))
PHONE, TOPIC, RULE = "shared:registration", "news", "busy"


def sends(project, count):
    title = uuid.uuid4().hex
    for _ in range(count):
        project.send({"topic": TOPIC, "notification": {"title": title}})
    return title


@pytest.mark.parametrize("number", range(TESTS))
def test_project_sees_only_its_own(fcm_project, number):
    count = 1 + number % 5
    fcm_project.device("phone", registration=PHONE, topics=[TOPIC])
    title = sends(fcm_project, count)
    assert [one["title"] for one in fcm_project.wait(count=count)] == [title] * count
    fcm_project.assert_messages(count, topic=TOPIC)
    if number % 2:
        fcm_project.faults({"id": RULE, "answer": {"error": "UNAVAILABLE"}, "when": {"times": 1}})
        with pytest.raises(EmulatorError) as refused:
            sends(fcm_project, 1)
        assert refused.value.status == 503
    if number % 3 == 0:
        hour = f"20{40 + number % 50}-01-01T00:00:00Z"
        fcm_project.clock(mode="frozen", at=hour)
        last = sends(fcm_project, 1)
        count += 1
        found, = fcm_project.messages(title=last)
        assert found["received_at"].startswith(hour[:-1])
    batch = {"to": f"/topics/own-{number}", "registration_tokens": [PHONE]}
    answer = fcm_project.emulator.call("POST", "/iid/v1:batchAdd", batch, bearer=fcm_project.bearer)
    assert answer == {"results": [{}]}
    topics = fcm_project.control("GET", "/memberships")["memberships"]
    assert {one["topic"] for one in topics} == {TOPIC, f"own-{number}"}
    fcm_project.assert_messages(count)
