"""`delivery.expires`: each send carries the remaining lifetime, and nothing is sent after the expiry time."""

import time
from datetime import datetime, timedelta, timezone

import pytest

from herald import Witness, token

CAMPAIGN = """\
campaign: invitation
audience: {audience}
message: {{ notification: {{ title: Dinner }} }}
delivery: {{ expires: "{expires}" }}
schedule: {{ at: "2037-03-20 07:30", timezone: Atlantic/Azores }}
"""
END = int(datetime(2037, 3, 20, 19, 0, tzinfo=timezone.utc).timestamp())  # 18:00 in the Azores


@pytest.fixture
def bench(project):
    project.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {} }\n")
    project.write("campaigns/a.yaml", CAMPAIGN.format(audience="{ topic: tides }", expires="2037-03-20 18:00"))
    return project


@pytest.mark.covers("C51", "C51-expires")
def test_sends_the_remaining_lifetime_to_each_platform(bench):
    bench.apply(now="2037-03-20T08:35:00Z").expect(0)
    [send] = bench.log.sends()
    message = send["body"]["message"]
    assert message["android"]["ttl"] == "37500s"  # 10 h 25 min
    assert message["webpush"]["headers"]["TTL"] == "37500"
    assert message["apns"]["headers"]["apns-expiration"] == str(END)
    assert send["status"] == 200


@pytest.mark.covers("C51")
def test_never_sends_an_expired_message(bench):
    bench.write("campaigns/a.yaml", CAMPAIGN.format(audience="{ topic: tides }", expires="2037-03-20 07:35"))
    bench.herald("plan", now="2037-03-20T08:35:00Z").expect(0, "has expired; nothing is sent", "2037-03-20 07:35")
    bench.apply(now="2037-03-20T08:35:00Z").expect(3, "expired", "invitation/once/1")
    bench.apply(now="2037-03-20T08:36:00Z").expect(0, "No changes.")
    assert bench.log.sends() == []


def test_plan_and_preview_show_the_expiry_time(bench):
    bench.herald("plan", now="2037-03-20T08:35:00Z").expect(0, "kept until 2037-03-20T19:00:00Z")
    bench.herald("preview", "invitation").expect(0, "seconds until 2037-03-20T19:00:00Z", "delivery.expires")


@pytest.mark.covers("C51")
def test_list_send_stops_at_the_expiry_time(bench):
    registrations = [token(n) for n in range(600)]
    bench.list("many", registrations)

    def slowly(_):
        time.sleep(0.4)
        return 200, {"name": "projects/e2e/messages/1"}

    with Witness(bench, slowly) as fcm:
        end = datetime.now(timezone.utc).replace(microsecond=0) + timedelta(seconds=3)
        bench.write("campaigns/a.yaml", (
            "campaign: invitation\naudience: { registrations: campaigns/registrations/many.txt }\n"
            f"message: {{ notification: {{ title: Dinner }} }}\ndelivery: {{ expires: \"{end:%Y-%m-%d %H:%M:%S}\" }}\n"))
        bench.apply("-e", "bench", "--parallelism", "64").expect(3, "expired")
        bench.apply("-e", "bench").expect(0, "No changes.")
    sent = [body["message"]["token"] for body in fcm.bodies]
    assert 0 < len(sent) < len(registrations) and len(set(sent)) == len(sent)
    assert max(fcm.times) < end.timestamp() + 1
    assert all(int(body["message"]["webpush"]["headers"]["TTL"]) <= 3 for body in fcm.bodies)
