"""How the Python Admin SDK connects to the emulator: credentials, TLS, and an unmodified SDK behind a proxy."""

import json
import re
import textwrap

import pytest

from admin_sdk import NOTE, RELEASES, AdminSDK, driven, received, service_account
from herald import Emulator, token

PHONE = token(1)
SEND = ["send", {"message": {"token": PHONE, "notification": NOTE}}]
SEND_LATER = ["send_each_async", {"messages": [{"token": PHONE, "notification": NOTE}], "dry_run": False}]


def accepted_ids(answers):
    """Returns the ids of the messages, all of which must have been accepted."""
    flat = [one for answer in answers for one in answer.get("responses", [answer])]
    return [one["name"].split("/")[-1] for one in flat]


def assert_received_once(emulator, ids):
    assert received(emulator) == {(PHONE, text): 1 for text in ids}


def exchanges(project):
    """Returns the status of each request for an access token."""
    return [entry["status"] for entry in project.log.requests() if entry["path"] == "/token"]


@pytest.fixture(params=RELEASES)
def release(request):
    return request.param


@pytest.fixture
def strict(project):
    """An emulator that accepts only the access tokens that it issued."""
    with Emulator(project, arguments=("--require-tokens",)) as emulator:
        emulator.install([PHONE])
        yield emulator


@pytest.mark.parametrize("credential", ["owner", "anonymous"])
def test_lax_emulator_accepts_any_token_but_requires_one(release, project, credential):
    with Emulator(project) as emulator:
        emulator.install([PHONE])
        answers = AdminSDK(release, emulator, credential).calls(SEND, SEND_LATER)
        if credential == "owner":
            assert_received_once(emulator, accepted_ids(answers))
        else:
            # Anonymous credentials send no token, and they cannot fetch one.
            assert answers[0]["error"] == "InvalidOperation"
            assert not received(emulator)


def test_service_account_fetches_one_token_for_all_sends(release, strict, project):
    answers = AdminSDK(release, strict, service_account(strict)).calls(SEND, SEND, SEND_LATER)
    assert_received_once(strict, accepted_ids(answers))
    assert exchanges(project) == [200]


def test_replaces_an_expired_token_and_sends_once(release, strict, project):
    strict.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "SEND"}, "when": {"times": 1}, "answer": {"error": "EXPIRED_TOKEN"}}]})
    answers = AdminSDK(release, strict, service_account(strict)).calls(SEND)
    assert_received_once(strict, accepted_ids(answers))
    assert [entry["status"] for entry in project.log.sends()] == [401, 200]
    assert exchanges(project) == [200, 200]


def test_unknown_account_gets_no_token(release, strict, project):
    key = service_account(strict)
    key["client_email"] = "stranger@e2e.iam.gserviceaccount.com"
    answer = AdminSDK(release, strict, key).call(*SEND[:1], **SEND[1])
    assert answer["error"] == "RefreshError" and "invalid_grant" in answer["message"]
    assert exchanges(project)[0] == 400 and not project.log.sends()


def test_rejects_a_token_that_the_emulator_did_not_issue(release, strict, project):
    answer = AdminSDK(release, strict, "owner").call(*SEND[:1], **SEND[1])
    # google-auth tries to refresh the token, but has no credential for that.
    assert answer["error"] == "RefreshError"
    assert [entry["status"] for entry in project.log.sends()] == [401]


def test_default_credentials_use_a_file_or_the_metadata_server(release, strict, project, tmp_path):
    file = tmp_path / "key.json"
    file.write_text(json.dumps(service_account(strict)))
    place = f"127.0.0.1:{strict.port}"
    surroundings = [
        {"GOOGLE_APPLICATION_CREDENTIALS": str(file)},
        {"GCE_METADATA_HOST": place, "GCE_METADATA_IP": place, "NO_GCE_CHECK": "false", "HOME": str(tmp_path)}]
    ids = []
    for env in surroundings:
        order = {"project": "e2e", "address": strict.url, "credential": "application default", "calls": [SEND]}
        ids += accepted_ids(driven(release, "driver.py", order, env)["answers"])
    assert_received_once(strict, ids)


def test_unmodified_sdk_works_behind_the_emulators_proxy(release, project):
    """Only HTTPS_PROXY and REQUESTS_CA_BUNDLE are set; no address is changed."""
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
        assert_received_once(emulator, accepted_ids([single, each, to_topic]))
    assert exchanges(project) == [200]


def test_async_client_uses_http2_over_tls(release, project):
    with Emulator(project, arguments=("--tls-port", "0", "--no-device-limits")) as emulator:
        emulator.install([PHONE])
        running = json.loads((project.folder / ".herald/emulator/running.json").read_text())
        messages = [SEND[1]["message"]] * 500
        order = {"project": "e2e", "address": running["tls_url"], "credential": "owner",
                 "calls": [["send_each_async", {"messages": messages, "dry_run": False}]]}
        done = driven(release, "driver.py", order, {"SSL_CERT_FILE": running["ca"]})
        assert done["protocols"] == ["HTTP/2"]
        ids = accepted_ids(done["answers"])
        assert len(ids) == 500
        assert_received_once(emulator, ids)


def test_python_instructions_of_print_setup_are_sufficient(release, project, tmp_path):
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
