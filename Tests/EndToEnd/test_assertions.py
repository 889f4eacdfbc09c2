"""PyJWT and the emulator agree on service account assertions: Herald's and each other's."""

import json
import threading
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import jwt
import pytest
import requests

from accounts import BEARER, DAMAGES, GOOGLE, MESSAGING, claims, damaged, make_key, private_pem, public_pem, signed
from herald import DEADLINE, Emulator, Project

CAMPAIGN = "campaign: one\naudience: { topic: tides }\nmessage: { notification: { title: One } }\n"


def ask(url, assertion, path="/token", **fields):
    return requests.post(
        url + path, data={"grant_type": BEARER, "assertion": assertion} | fields, timeout=DEADLINE)


class Forwarder:
    """Forwards each request to an emulator under the host name that the client used, and records it."""

    def __init__(self, emulator):
        seen = self.seen = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                connection = HTTPConnection("127.0.0.1", emulator.port, timeout=DEADLINE)
                connection.request("POST", self.path, body, dict(self.headers))
                answer = connection.getresponse()
                reply = answer.read()
                connection.close()
                seen.append((self.path, dict(self.headers), body.decode(), reply.decode()))
                self.send_response(answer.status)
                self.send_header("Content-Length", str(len(reply)))
                self.end_headers()
                self.wfile.write(reply)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.host = self.url.removeprefix("http://")

    def __enter__(self):
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture(scope="module")
def herald_session(tmp_path_factory):
    """Runs Herald with a service account and returns its assertion and the surrounding data."""
    project = Project(tmp_path_factory.mktemp("asks") / "project", topics=["tides"])
    with Emulator(project) as emulator, Forwarder(emulator) as between:
        _, account = make_key(project)
        project.write("herald.yaml", f"""\
version: 1
project: e2e
topics: {{ tides: {{}} }}
environments:
  bench: {{ emulator: {{ url: "{between.url}", credentials: robot.json }} }}
""")
        project.write("campaigns/one.yaml", CAMPAIGN)
        applied = project.herald("apply", "--yes", "-e", "bench")
        applied.expect(0)
        (path, _, form, reply), send = between.seen
        assert path == "/token"
        fields = parse_qs(form, strict_parsing=True)
        yield {
            "emulator": emulator, "between": between, "account": account, "project": project,
            "assertion": fields["assertion"][0], "fields": fields, "reply": json.loads(reply), "send": send,
            "output": applied.out + applied.err,
        }


def pyjwt_accepts(asks, assertion):
    return jwt.decode(
        assertion, public_pem(asks["account"]["private_key"]), algorithms=["RS256"],
        audience=asks["between"].url + "/token", issuer=asks["account"]["client_email"],
        options={"require": ["iss", "aud", "iat", "exp", "scope"]})


def test_pyjwt_accepts_heralds_assertion(herald_session):
    assertion, account = herald_session["assertion"], herald_session["account"]
    payload = pyjwt_accepts(herald_session, assertion)
    assert payload == {
        "iss": account["client_email"], "scope": MESSAGING, "aud": herald_session["between"].url + "/token",
        "iat": payload["iat"], "exp": payload["iat"] + 3600}
    assert isinstance(payload["iat"], int)
    assert jwt.get_unverified_header(assertion) == {
        "alg": "RS256", "typ": "JWT", "kid": account["private_key_id"]}
    assert herald_session["fields"] == {"grant_type": [BEARER], "assertion": [assertion]}


def test_herald_sends_with_its_token_and_never_shows_it(herald_session):
    reply, (path, headers, _, _) = herald_session["reply"], herald_session["send"]
    assert path == "/v1/projects/e2e/messages:send"
    assert headers["Authorization"] == "Bearer " + reply["access_token"]
    assert (reply["expires_in"], reply["token_type"]) == (3599, "Bearer")
    log = herald_session["project"].log.bytes().decode()
    for secret in (reply["access_token"], herald_session["assertion"], herald_session["assertion"].split(".")[2]):
        assert secret not in herald_session["output"] + log


# PyJWT does not check whether `exp` fits `iat`, which scopes exist, or the token's subject.
BEYOND_PYJWT = {"exp-too-far", "exp-before-iat", "no-scope", "unknown-scope", "known-and-unknown-scope",
                "for-somebody-else", "unknown-kid"}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_herald_assertions_are_rejected(herald_session, damage):
    text, code, words = damaged(herald_session["account"], herald_session["assertion"])[damage]
    answer = ask(herald_session["between"].url, text)
    assert answer.json() == {"error": code, "error_description": words}
    assert answer.status_code == (401 if code == "unauthorized_client" else 400)
    if damage not in BEYOND_PYJWT:
        with pytest.raises(jwt.InvalidTokenError):
            pyjwt_accepts(herald_session, text)
    assert ask(herald_session["between"].url, herald_session["assertion"]).status_code == 200


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    project = Project(tmp_path_factory.mktemp("served") / "project")
    with Emulator(project) as emulator:
        yield emulator, make_key(project)[1]


@pytest.mark.parametrize("audience", [
    GOOGLE, "https://www.googleapis.com/oauth2/v4/token", "https://accounts.google.com/o/oauth2/token",
    "http://HOST/token", "https://HOST/token", "http://HOST/oauth2/v4/token"])
@pytest.mark.parametrize("path", ["/token", "/oauth2/v4/token", "/o/oauth2/token"])
def test_pyjwt_assertion_gets_a_token_for_each_audience(served, audience, path):
    emulator, account = served
    audience = audience.replace("HOST", emulator.url.removeprefix("http://"))
    answer = ask(emulator.url, signed(account, claims(account, aud=audience)), path)
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert list(body) == ["access_token", "expires_in", "token_type"]
    assert (body["expires_in"], body["token_type"]) == (3599, "Bearer")


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_pyjwt_assertions_are_rejected(served, damage):
    emulator, account = served
    text, code, words = damaged(account, signed(account, claims(account)))[damage]
    assert ask(emulator.url, text).json() == {"error": code, "error_description": words}


@pytest.mark.parametrize("changes", [
    {"sub": "robot@demo.iam.gserviceaccount.com"}, {"scope": f"{MESSAGING} https://www.googleapis.com/auth/firebase"},
    {"iat": "-10"}, {"iat": "+290"}, {"exp": "digits"}])
def test_accepts_deviations_that_google_tolerates(served, changes):
    emulator, account = served
    payload = claims(account)
    if changes.get("iat", "").startswith(("-", "+")):
        shift = int(changes["iat"])
        changes = {"iat": payload["iat"] + shift, "exp": payload["iat"] + 3000}
    elif "exp" in changes:
        changes = {"exp": str(payload["exp"])}
    # PyJWT refuses to encode these times, so its payload check is bypassed.
    text = jwt.api_jws.encode(
        json.dumps(payload | changes).encode(), account["private_key"], algorithm="RS256",
        headers={"kid": account["private_key_id"]})
    assert ask(emulator.url, text).status_code == 200


def test_account_can_have_several_keys_and_can_be_deleted(served):
    emulator, account = served
    second = {"client_email": account["client_email"], "private_key_id": "second", "private_key": private_pem()}
    registered = emulator.post("/emulator/v1/auth/service-accounts", {
        "client_email": second["client_email"], "private_key_id": "second",
        "public_key": public_pem(second["private_key"])})
    assert "private_key" not in json.dumps(registered).replace("private_key_id", "")
    for each in (account, second):
        assert ask(emulator.url, signed(each, claims(each))).status_code == 200
    stranger = {"client_email": "new@demo.iam.gserviceaccount.com", "private_key_id": "n", "private_key": private_pem()}
    emulator.post("/emulator/v1/auth/service-accounts", stranger)
    assert ask(emulator.url, signed(stranger, claims(stranger))).status_code == 200
    path = f"{emulator.url}/emulator/v1/auth/service-accounts/{stranger['client_email']}"
    assert requests.delete(path, timeout=DEADLINE).status_code == 200
    assert ask(emulator.url, signed(stranger, claims(stranger))).json()["error_description"] == \
        "Invalid grant: account not found"
    assert requests.delete(path, timeout=DEADLINE).status_code == 404


@pytest.mark.parametrize("grant", ["", "password", "urn:ietf:params:oauth:grant-type:token-exchange"])
def test_rejects_unsupported_grant_types(served, grant):
    emulator, account = served
    answer = ask(emulator.url, signed(account, claims(account)), grant_type=grant)
    assert answer.status_code == 400
    assert answer.json() == {"error": "unsupported_grant_type", "error_description": f"Invalid grant_type: {grant}"}


@pytest.mark.parametrize("text", [
    "nothing", "{}", '{"type": "authorized_user"}',
    '{"type": "service_account", "client_email": "robot@demo.example", "private_key": "PRIVATE", "private_key_id": "1"}',
    '{"client_email": "nobody", "private_key_id": "1"}'])
def test_rejects_an_invalid_account_without_echoing_it(served, text):
    emulator, _ = served
    answer = requests.post(
        emulator.url + "/emulator/v1/auth/service-accounts", data=text, timeout=DEADLINE)
    assert answer.status_code == 400
    assert answer.json()["error"]["status"] == "INVALID_ARGUMENT"
    assert '"PRIVATE"' not in answer.text + emulator.project.log.bytes().decode()
