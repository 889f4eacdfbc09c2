"""`herald send` sends a campaign's message to test registrations and records it only in the history."""

import json

import pytest

from accounts import make_key
from herald import Emulator, Project, Witness, token

PHONES = [token(n) for n in range(3)]
CAMPAIGN = """\
campaign: tide
audience: { topic: tides }
message: { notification: { title: Spring tide }, data: { station: horta } }
delivery: { ttl: 60s }
"""


@pytest.fixture
def bench(tmp_path):
    project = Project(tmp_path / "project", topics=["tides"])
    project.devices(PHONES)
    project.write("campaigns/tide.yaml", CAMPAIGN)
    return project


def file(project, *tokens):
    project.write("phones.txt", "".join(f"{text}\n" for text in tokens))
    return f"@{project.folder / 'phones.txt'}"


def history(project, run):
    return json.loads(project.herald("history", str(run), "--format", "json").expect(0).out)["run"]


def test_sends_the_message_of_apply_and_records_it_in_the_history(bench):
    sent = bench.herald("send", "tide", "--to", file(bench, PHONES[1])).expect(
        0, "accepted", "Sent to 1 of 1 registration as tide/test/1, run 1")
    name = {text: name for name, text in bench.fingerprints(PHONES).items()}[PHONES[1]]
    send, = bench.log.sends()
    assert name in sent.out and send["answer"]["name"] in sent.out
    message = send["body"]["message"]
    assert message["token"] == PHONES[1] and message["android"]["ttl"] == "60s"
    assert "validate_only" not in send["body"]
    assert message["notification"] == {"title": "Spring tide"} and message["data"] == {"station": "horta"}
    run = history(bench, 1)
    assert run["status"] == "complete" and run["command"] == "herald send"
    sending, = run["sendings"]
    assert sending["occurrence"] == "tide/test/1" and sending["counts"]["accepted"] == 1
    assert bench.rows("SELECT count(*) FROM occurrences") == [(0,)]
    # The test does not affect the campaign's own send.
    bench.apply().expect(0, "1 accepted")
    # The fingerprint works, too.
    bench.herald("send", "tide", "--to", name).expect(0, "run 3")
    assert [e["body"]["message"].get("token") for e in bench.log.sends()] == [PHONES[1], None, PHONES[1]]


def test_an_installation_id_of_a_list_is_sent_as_such(bench):
    fid = "fid0000000000000000001"
    bench.devices([*PHONES, fid])
    bench.write("people.csv", f"registration\n{fid}\n")
    bench.write("campaigns/people.yaml", "audience: people\nregistrations: { file: people.csv, kind: fid }\n")
    bench.herald("send", "tide", "--to", file(bench, PHONES[1], fid)).expect(0, "Sent to 2 of 2 registrations")
    messages = [send["body"]["message"] for send in bench.log.sends()]
    assert [(m.get("token"), m.get("fid")) for m in messages] == [(PHONES[1], None), (None, fid)]


def test_dry_run_validates_and_records_nothing(bench):
    bench.herald("send", "tide", "--to", file(bench, PHONES[0]), "--dry-run").expect(
        0, "fake_message_id", "nothing was sent or recorded")
    assert bench.log.sends()[0]["body"]["validate_only"] is True
    assert bench.rows("SELECT count(*) FROM runs") == [(0,)]


def test_reports_rejections_without_marking_registrations_dead(bench):
    stranger = token(77)
    result = bench.herald("send", "tide", "--to", "-", input=f"{PHONES[0]}\n# mine\n{stranger}\n")
    result.expect(3, "accepted", "rejected", "UNREGISTERED", "Sent to 1 of 2 registrations")
    assert bench.rows("SELECT count(*) FROM dead") == [(0,)]
    assert history(bench, 1)["sendings"][0]["problems"][0]["reason"] == "UNREGISTERED"
    bench.herald("send", "tide", "--to", file(bench, stranger)).expect(1, "Sent to 0 of 1")


def test_failed_request_is_unknown(bench):
    with Emulator(bench) as emulator:
        emulator.put("/emulator/v1/faults", {"rules": [{"answer": {"error": "UNAVAILABLE"}}]})
        bench.herald("send", "tide", "--to", file(bench, PHONES[0])).expect(4, "unknown", "503")
    assert history(bench, 1)["sendings"][0]["counts"]["unknown"] == 1


@pytest.mark.covers("C86-inline")
def test_rejects_registrations_as_arguments(bench):
    bench.herald("send", "tide", "--to", PHONES[0].replace("APA91b", "APA9lb")).expect(
        64, "not a fingerprint", "@FILE")
    bench.herald("send", "tide", "--to", "0123456789abcdef").expect(64, "no list or device", "fingerprint")
    bench.herald("send", "tid", "--to", "0123456789abcdef").expect(64, "did you mean `tide`?")
    assert bench.log.sends() == []


def test_protected_environment_requires_confirmation(bench):
    with Witness(bench, lambda _: (200, {"name": "projects/e2e/messages/1"})) as fcm:
        bench.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {} }\nenvironments:\n"
                    f"  bench: {{ emulator: {{ url: '{fcm.url}' }}, protected: true }}\n")
        argument = file(bench, PHONES[0])
        bench.herald("send", "tide", "-e", "bench", "--to", argument).expect(6, "protected")
        assert fcm.bodies == []
        bench.herald("send", "tide", "-e", "bench", "--to", argument, "--dangerous-protected").expect(0)
        assert len(fcm.bodies) == 1
    run = json.loads(bench.herald("history", "1", "-e", "bench", "--format", "json").expect(0).out)["run"]
    assert run["bypasses"] == ["--dangerous-protected"]


def test_real_environments_send_only_to_test_audiences(bench):
    strangers = bench.list("everybody", [token(88)])
    bench.write("campaigns/lists.yaml", f"""\
audience: lab
registrations: {bench.list("lab", [PHONES[2]])}
test: true
---
audience: everybody
registrations: {strangers}
""")
    with Emulator(bench, arguments=["--require-tokens"]) as emulator:
        make_key(bench, "robot@tides-1.iam.gserviceaccount.com")
        bench.credentials["real"] = "robot.json"
        bench.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {} }\nenvironments:\n"
                    f"  real: {{ fcm: {{ project_id: tides-1, credentials: application-default, endpoint: '{emulator.url}' }} }}\n")
        for stranger in (token(88), PHONES[0]):
            bench.herald("send", "tide", "-e", "real", "--to", file(bench, PHONES[2], stranger)).expect(
                6, "is not in an audience with `test: true`")
        names = {text: name for name, text in bench.fingerprints([token(88)], "real").items()}
        bench.herald("send", "tide", "-e", "real", "--to", names[token(88)]).expect(6, names[token(88)])
        assert bench.log.sends() == [] and bench.rows("SELECT count(*) FROM runs", "real") == [(0,)]
        bench.herald("send", "tide", "-e", "real", "--to", file(bench, PHONES[2])).expect(0, "accepted", "tide/test/1")
        assert [e["body"]["message"]["token"] for e in bench.log.sends()] == [PHONES[2]]


def test_only_a_connection_needs_libcurl(bench, tmp_path):
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/libcurl.so.4").write_bytes(b"")
    broken = {"LD_LIBRARY_PATH": str(tmp_path / "broken")}
    bench.herald("validate", env=broken).expect(0)
    bench.herald("send", "tide", "--to", file(bench, PHONES[0]), env=broken).expect(
        1, "libcurl (Debian package libcurl4) cannot be loaded", "libcurl.so.4: file too short")
    assert bench.log.sends() == []
