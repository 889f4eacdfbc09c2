"""The requests of the Node, Go, Java and .NET SDKs' public tests are answered as these SDKs expect.

A plain HTTP client plays them; Tests/EndToEnd/sdk-requests/README.md says where they are from.
"""

import http.client
import json
import re
from pathlib import Path

import pytest

from herald import DEADLINE, Emulator, Project, token
from sdk_readings import READERS, reading

FOLDER = Path(__file__).parent / "sdk-requests"
FILES = {path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}
REQUESTS = [(sdk, request) for sdk, file in FILES.items() for request in file["requests"]]
REGISTRATION, UNKNOWN = token(1), token(2)


@pytest.fixture(scope="module")
def emulator(tmp_path_factory):
    with Emulator(Project(tmp_path_factory.mktemp("sdk-requests") / "project")) as emulator:
        emulator.install([REGISTRATION])
        yield emulator


def played(emulator, sdk, request):
    """Status, header fields and body of the answer to a request as its SDK sends it."""
    headers = {key: value for key, value in FILES[sdk]["headers"].items() if key not in request.get("drops", [])}
    headers |= request.get("headers", {}) | {"Authorization": "Bearer owner"}
    body = json.dumps(request["body"]).replace("{registration}", REGISTRATION).replace("{unknown}", UNKNOWN)
    connection = http.client.HTTPConnection("127.0.0.1", emulator.port, timeout=DEADLINE)
    connection.request("POST", request.get("path", "/v1/projects/e2e/messages:send"), body, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, answer.headers, text


def test_every_sdk_has_its_requests():
    assert set(FILES) == set(READERS)
    assert all(len(file["requests"]) > 10 for file in FILES.values())


@pytest.mark.parametrize("sdk, request_", REQUESTS, ids=[f"{sdk}-{n}" for n, (sdk, _) in enumerate(REQUESTS)])
def test_an_sdks_request_is_answered_as_the_sdk_expects(emulator, sdk, request_):
    path = request_.get("path", "/v1/projects/e2e/messages:send")
    status, headers, text = played(emulator, sdk, request_)
    assert status == request_["status"], f"{request_['test']}\n{text}"
    assert headers["Content-Type"].startswith("application/json")
    assert "Content-Encoding" not in headers
    assert reading(sdk, path, status, text, request_["body"]) == request_["reading"], f"{request_['test']}\n{text}"


def test_what_is_accepted_is_received_under_the_name_of_the_answer(emulator):
    """Each accepted message to the registration, and no dry run, is in the device's inbox."""
    ids = []
    for sdk, request in REQUESTS:
        message = request["body"].get("message", {})
        if "{registration}" not in (message.get("token"), message.get("fid")):
            continue
        status, _, text = played(emulator, sdk, request)
        name = json.loads(text)["name"]
        assert re.fullmatch(r"projects/e2e/messages/[^/]+", name)
        if not request["body"].get("validate_only"):
            ids.append(name.split("/")[-1])
    inbox = emulator.get("/emulator/v1/inboxes")["devices"][0]
    assert len(ids) > 10 and "fake_message_id" not in ids
    counts = [sum(message["message_id"] == text for message in inbox["received"]) for text in ids]
    shown = sum(counts) + inbox["nothing_for_platform"]
    assert set(counts) <= {0, 1} and shown >= len(ids)
