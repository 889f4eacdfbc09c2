"""How the Python Admin SDK gets to the emulator: its credentials, TLS, and not changed at all."""

import json
import re
import textwrap

import pytest

from admin_sdk import NOTE, RELEASES, AdminSDK, driven, received, service_account
from herald import Emulator, token

PHONE = token(1)
SEND = ["send", {"message": {"token": PHONE, "notification": NOTE}}]
SEND_LATER = ["send_each_async", {"messages": [{"token": PHONE, "notification": NOTE}], "dry_run": False}]


def taken(answers):
    """The ids of messages that were all taken on."""
    flat = [one for answer in answers for one in answer.get("responses", [answer])]
    return [one["name"].split("/")[-1] for one in flat]


def assert_received_once(emulator, ids):
    assert received(emulator) == {(PHONE, text): 1 for text in ids}


def exchanges(project):
    """How many access tokens were asked for, by status."""
    return [entry["status"] for entry in project.log.requests() if entry["path"] == "/token"]


@pytest.fixture(params=RELEASES)
def release(request):
    return request.param


@pytest.fixture
def strict(project):
    """An emulator that takes only the access tokens that it gave."""
    with Emulator(project, arguments=("--require-tokens",)) as emulator:
        emulator.install([PHONE])
        yield emulator


@pytest.mark.parametrize("credential", ["owner", "anonymous"])
def test_without_an_account_it_takes_any_token_and_none_from_nobody(release, project, credential):
    with Emulator(project) as emulator:
        emulator.install([PHONE])
        answers = AdminSDK(release, emulator, credential).calls(SEND, SEND_LATER)
        if credential == "owner":
            assert_received_once(emulator, taken(answers))
        else:
            # Anonymous credentials send no token at all, and can't get one when they are asked for it.
            assert answers[0]["error"] == "InvalidOperation"
            assert not received(emulator)


def test_a_service_account_gets_its_token_once_and_sends_with_it(release, strict, project):
    answers = AdminSDK(release, strict, service_account(strict)).calls(SEND, SEND, SEND_LATER)
    assert_received_once(strict, taken(answers))
    assert exchanges(project) == [200]


def test_an_expired_token_is_exchanged_and_the_message_sent_once(release, strict, project):
    strict.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "SEND"}, "when": {"times": 1}, "answer": {"error": "EXPIRED_TOKEN"}}]})
    answers = AdminSDK(release, strict, service_account(strict)).calls(SEND)
    assert_received_once(strict, taken(answers))
    assert [entry["status"] for entry in project.log.sends()] == [401, 200]
    assert exchanges(project) == [200, 200]


def test_an_account_that_is_not_known_gets_no_token(release, strict, project):
    key = service_account(strict)
    key["client_email"] = "stranger@e2e.iam.gserviceaccount.com"
    answer = AdminSDK(release, strict, key).call(*SEND[:1], **SEND[1])
    assert answer["error"] == "RefreshError" and "invalid_grant" in answer["message"]
    assert exchanges(project)[0] == 400 and not project.log.sends()


def test_a_token_that_was_not_given_here_is_refused(release, strict, project):
    answer = AdminSDK(release, strict, "owner").call(*SEND[:1], **SEND[1])
    # google-auth would refresh it, and has nothing to do so with.
    assert answer["error"] == "RefreshError"
    assert [entry["status"] for entry in project.log.sends()] == [401]


def test_application_default_credentials_are_a_file_or_a_metadata_server(release, strict, project, tmp_path):
    file = tmp_path / "key.json"
    file.write_text(json.dumps(service_account(strict)))
    place = f"127.0.0.1:{strict.port}"
    surroundings = [
        {"GOOGLE_APPLICATION_CREDENTIALS": str(file)},
        {"GCE_METADATA_HOST": place, "GCE_METADATA_IP": place, "NO_GCE_CHECK": "false", "HOME": str(tmp_path)}]
    ids = []
    for env in surroundings:
        order = {"project": "e2e", "address": strict.url, "credential": "application default", "calls": [SEND]}
        ids += taken(driven(release, "driver.py", order, env)["answers"])
    assert_received_once(strict, ids)


def test_the_sdk_works_unchanged_behind_the_emulators_proxy(release, project):
    """No address is changed: HTTPS_PROXY and REQUESTS_CA_BUNDLE lead it here."""
    with Emulator(project, arguments=("--tls-intercept",)) as emulator:
        emulator.install([PHONE])
        running = json.loads((project.folder / ".herald/emulator/running.json").read_text())
        key = service_account(emulator, token_uri="https://oauth2.googleapis.com/token")
        order = {"project": "e2e", "credential": key, "calls": [
            SEND, ["send_each", {"messages": [SEND[1]["message"]] * 2}],
            ["subscribe_to_topic", {"tokens": [PHONE], "topic": "tides"}],
            ["send", {"message": {"topic": "tides", "notification": NOTE}}]]}
        env = {"HTTPS_PROXY": running["proxy_url"], "REQUESTS_CA_BUNDLE": running["ca"]}
        single, each, joined, to_topic = driven(release, "driver.py", order, env)["answers"]
        assert joined["success_count"] == 1
        assert_received_once(emulator, taken([single, each, to_topic]))
    assert exchanges(project) == [200]


def test_the_asynchronous_client_speaks_http_2_with_tls(release, project):
    with Emulator(project, arguments=("--tls-port", "0", "--no-device-limits")) as emulator:
        emulator.install([PHONE])
        running = json.loads((project.folder / ".herald/emulator/running.json").read_text())
        messages = [SEND[1]["message"]] * 500
        order = {"project": "e2e", "address": running["tls_url"], "credential": "owner",
                 "calls": [["send_each_async", {"messages": messages, "dry_run": False}]]}
        done = driven(release, "driver.py", order, {"SSL_CERT_FILE": running["ca"]})
        assert done["protocols"] == ["HTTP/2"]
        ids = taken(done["answers"])
        assert len(ids) == 500
        assert_received_once(emulator, ids)


def test_what_print_setup_says_of_python_is_enough(release, project, tmp_path):
    with Emulator(project) as emulator:
        emulator.install([PHONE])
        setup = project.herald("emulator", "--print-setup").expect(0).out
        own = re.search(r"^Python \(firebase-admin\).*\n((?:  .*\n)+)", setup, re.MULTILINE)[1]
        script = tmp_path / "setup.py"
        script.write_text(textwrap.dedent(own) + textwrap.dedent(f"""
            import json, warnings
            warnings.simplefilter("ignore")
            joined = messaging.subscribe_to_topic("{PHONE}", "tides").success_count
            print(json.dumps([joined, messaging.send(messaging.Message(topic="tides", data={{"a": "b"}}))]))
            """))
        joined, name = driven(release, script)
        assert joined == 1
        assert_received_once(emulator, [name.split("/")[-1]])
