"""google-auth's credentials get tokens from the emulator and send with them; tokens expire and can be attributed."""

import hashlib
import http.server
import json
import os
import stat
import subprocess
import sys
import threading

import google.auth
import pytest
import requests
from google.auth import identity_pool, impersonated_credentials
from google.auth.transport.requests import Request
from google.oauth2 import credentials, service_account

from accounts import CLOUD, MESSAGING, PROVIDER, Identities, claims, make_key, private_pem, public_pem, signed
from herald import DEADLINE, Emulator, Project, run

MESSAGE = {"message": {"topic": "tides", "data": {"a": "1"}}}
REALM = 'Bearer realm="https://accounts.google.com/"'
EXPECTED = ("Expected OAuth 2 access token, login cookie or other valid authentication credential. "
            "See https://developers.google.com/identity/sign-in/web/devconsole-project.")
INVALID = "Request had invalid authentication credentials. " + EXPECTED
MISSING = "Request is missing required authentication credential. " + EXPECTED


class StrictEmulator(Emulator):
    """`herald emulator --require-tokens`."""

    arguments = ["--require-tokens"]


@pytest.fixture(autouse=True)
def nothing_beyond_loopback(monkeypatch):
    """Blocks google-auth's implicit requests to Google."""
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def strict(project):
    with StrictEmulator(project) as emulator:
        yield emulator


def send(emulator, authorization):
    headers = {"Authorization": authorization} if authorization else {}
    return requests.post(
        emulator.url + "/v1/projects/demo/messages:send", json=MESSAGE, headers=headers, timeout=DEADLINE)


def refused(answer, message, reason, challenge, code=401, status="UNAUTHENTICATED"):
    error = {"code": code, "message": message, "status": status}
    if reason:
        error["details"] = [{
            "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "domain": "googleapis.com",
            "metadata": {"method": "google.firebase.fcm.v1.FcmService.SendMessage", "service": "fcm.googleapis.com"}}]
    assert answer.json() == {"error": error}
    assert answer.status_code == code
    assert answer.headers["WWW-Authenticate"] == REALM + challenge


def refresh(emulator, credential):
    """Gets a token and sends with it."""
    credential.refresh(Request())
    assert send(emulator, "Bearer " + credential.token).status_code == 200
    return credential.token


def owner(emulator, token):
    """Returns the account and scopes for which the emulator issued the token."""
    digest = "sha256:" + hashlib.sha256(token.encode()).hexdigest()
    [found] = [t for t in emulator.get("/emulator/v1/auth/tokens")["tokens"] if t["access_token"] == digest]
    return found["account"], found["scopes"]


def at(emulator, file, **changes):
    """Returns a service account file whose tokens this emulator issues."""
    return file | {"token_uri": emulator.url + "/token"} | changes


def test_service_account_gets_a_token(strict, project):
    _, robot = make_key(project)
    assert robot["token_uri"] == strict.url + "/token"
    credential = service_account.Credentials.from_service_account_info(robot, scopes=[MESSAGING])
    assert owner(strict, refresh(strict, credential)) == (robot["client_email"], [MESSAGING])


def test_impersonates_a_service_account(strict, project):
    _, robot = make_key(project)
    _, target = make_key(project, "target@demo.iam.gserviceaccount.com", "target.json")
    _, middle = make_key(project, "middle@demo.iam.gserviceaccount.com", "middle.json")
    source = service_account.Credentials.from_service_account_info(robot, scopes=[CLOUD])

    def impersonated(name, **more):
        return impersonated_credentials.Credentials(
            source, name, [MESSAGING], iam_endpoint_override=strict.url
            + f"/v1/projects/-/serviceAccounts/{name}:generateAccessToken", **more)

    credential = impersonated(target["client_email"], lifetime=120, delegates=[middle["client_email"]])
    assert owner(strict, refresh(strict, credential)) == (target["client_email"], [MESSAGING])
    with pytest.raises(google.auth.exceptions.RefreshError, match="Gaia id not found for email stranger@demo.example"):
        impersonated("stranger@demo.example").refresh(Request())


@pytest.fixture(scope="module")
def bearers(tmp_path_factory):
    """An emulator, one of its accounts, and tokens by scope."""
    project = Project(tmp_path_factory.mktemp("bearers") / "project")
    with Emulator(project) as emulator:
        _, robot = make_key(project)
        tokens = {"owner": "owner"}
        for scope in (CLOUD, MESSAGING, "https://www.googleapis.com/auth/iam"):
            credential = service_account.Credentials.from_service_account_info(robot, scopes=[scope])
            credential.refresh(Request())
            tokens[scope] = credential.token
        yield emulator, robot, tokens


@pytest.mark.parametrize("body, code", [
    ({"scope": [MESSAGING]}, 200), ({"scope": [MESSAGING], "lifetime": "3600s"}, 200),
    ({"scope": [MESSAGING], "lifetime": "3601s"}, 400), ({"scope": [MESSAGING], "lifetime": 60}, 400),
    ({"scope": []}, 400), ({"scope": ["everything"]}, 400), ({}, 400), ([], 400),
    ({"scope": [MESSAGING], "delegates": ["projects/-/serviceAccounts/stranger@demo.example"]}, 404)])
@pytest.mark.parametrize("bearer, refusal", [
    (CLOUD, None), ("https://www.googleapis.com/auth/iam", None), (MESSAGING, 403), (None, 401), ("owner", 401)])
def test_impersonation_requires_scopes_and_a_suitable_token(bearers, body, code, bearer, refusal):
    emulator, robot, tokens = bearers
    headers = {"Authorization": "Bearer " + tokens[bearer]} if bearer else {}
    answer = requests.post(
        emulator.url + f"/v1/projects/-/serviceAccounts/{robot['client_email']}:generateAccessToken",
        json=body, headers=headers, timeout=DEADLINE)
    assert answer.status_code == (refusal or code), answer.text
    if answer.status_code == 200:
        assert set(answer.json()) == {"accessToken", "expireTime"}


@pytest.fixture
def identities(strict):
    return Identities(strict)


def external(strict, source, **more):
    return identity_pool.Credentials.from_info({
        "type": "external_account", "audience": PROVIDER, "token_url": strict.url + "/v1/token",
        "subject_token_type": "urn:ietf:params:oauth:token-type:jwt", "credential_source": source} | more,
        scopes=[MESSAGING])


PRINCIPAL = PROVIDER.split("/providers")[0].replace("//iam", "principal://iam") + "/subject/repo:harbour"


def test_external_account_reads_its_identity_from_a_file(strict, identities, tmp_path):
    (tmp_path / "token").write_text(identities.token())
    credential = external(strict, {"file": str(tmp_path / "token")})
    assert owner(strict, refresh(strict, credential)) == (PRINCIPAL, [MESSAGING])


def test_external_account_impersonates_with_an_identity_from_a_url(strict, identities, project):
    _, robot = make_key(project)
    token = identities.token()

    class Handler(http.server.BaseHTTPRequestHandler):
        """Issues identities as GitHub Actions does."""

        def do_GET(self):
            assert self.headers["Authorization"] == "Bearer of-the-job"
            body = json.dumps({"value": token}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        credential = external(
            strict,
            {"url": f"http://127.0.0.1:{server.server_port}/?audience=x", "headers": {"Authorization": "Bearer of-the-job"},
             "format": {"type": "json", "subject_token_field_name": "value"}},
            service_account_impersonation_url=strict.url
            + f"/v1/projects/-/serviceAccounts/{robot['client_email']}:generateAccessToken")
        assert owner(strict, refresh(strict, credential)) == (robot["client_email"], [MESSAGING])
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


STS = {
    "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "audience": PROVIDER, "scope": CLOUD,
    "requested_token_type": "urn:ietf:params:oauth:token-type:access_token",
    "subject_token_type": "urn:ietf:params:oauth:token-type:jwt"}


def exchange(emulator, token, as_json=False, **changes):
    fields = {name: value for name, value in (STS | {"subject_token": token} | changes).items() if value is not None}
    if not as_json:
        return requests.post(emulator.url + "/v1/token", data=fields, timeout=DEADLINE)
    camel = {"".join(part.title() if n else part for n, part in enumerate(name.split("_"))): value
             for name, value in fields.items()}
    return requests.post(emulator.url + "/v1/token", json=camel, timeout=DEADLINE)


@pytest.mark.parametrize("as_json", [False, True], ids=["form", "json"])
def test_token_exchange_accepts_forms_and_json(strict, identities, as_json):
    answer = exchange(strict, identities.token(), as_json)
    assert answer.status_code == 200, answer.text
    assert answer.json() == {
        "access_token": answer.json()["access_token"], "token_type": "Bearer", "expires_in": 3599,
        "issued_token_type": "urn:ietf:params:oauth:token-type:access_token"}


@pytest.mark.parametrize("claims_, changes, code, words", [
    ({"iss": "https://other.example"}, {}, "invalid_grant", "The issuer in ID Token https://other.example does not"),
    ({"aud": "https://elsewhere.example"}, {}, "invalid_grant",
     "The audience in ID Token [https://elsewhere.example] does not match the expected audience."),
    ({"iat": 1, "exp": 600}, {}, "invalid_grant", "ID Token issued at 1 is stale to sign-in."),
    ({"sub": None}, {}, "invalid_grant", "google.subject"),
    ({"key": "other"}, {}, "invalid_grant", "Error verifying the signature"),
    ({}, {"subject_token": "a.b"}, "invalid_grant", "Unable to parse the ID Token."),
    ({}, {"subject_token": None}, "invalid_request", "Missing required parameter: subject_token"),
    ({}, {"subject_token_type": "urn:ietf:params:oauth:token-type:saml2"}, "invalid_request", "subject_token_type"),
    ({}, {"requested_token_type": "x"}, "invalid_request", "requested_token_type"),
    ({}, {"grant_type": "refresh_token"}, "unsupported_grant_type", "Invalid grant_type: refresh_token"),
    ({}, {"scope": "everything"}, "invalid_scope", "Invalid OAuth scope"),
    ({}, {"audience": "forge"}, "invalid_request", 'Invalid value for "audience". This value should be the full'),
    ({}, {"audience": PROVIDER + "-2"}, "invalid_target", 'The target service indicated by the "audience" parameters'),
], ids=lambda value: None if isinstance(value, (str,)) else json.dumps(value)[:40])
def test_token_exchange_rejects_invalid_requests(strict, identities, claims_, changes, code, words):
    claims_ = claims_ | ({"key": private_pem()} if claims_.get("key") else {})
    answer = exchange(strict, identities.token(**claims_), **changes)
    assert (answer.status_code, answer.json()["error"]) == (400, code)
    assert words in answer.json()["error_description"]


def test_provider_can_set_audiences_and_publish_a_key_set(strict):
    from jwt.algorithms import RSAAlgorithm
    key = private_pem()
    jwk = json.loads(RSAAlgorithm.to_jwk(RSAAlgorithm(RSAAlgorithm.SHA256).prepare_key(public_pem(key))))
    identities = Identities(
        strict, public_key=None, jwks={"keys": [jwk | {"kid": "forge-1"}]}, allowed_audiences=["harbour"])
    assert exchange(strict, identities.token(key=key, aud="harbour")).status_code == 200
    assert exchange(strict, identities.token(key=key)).json()["error"] == "invalid_grant"


USER = {"client_id": "cli.apps.example", "client_secret": "s3cret-of-the-client", "refresh_token": "1-refresh-me"}


def test_authorized_user_gets_a_token(strict):
    strict.post("/emulator/v1/auth/authorized-users", USER)

    def user(scopes=None, **changes):
        return credentials.Credentials.from_authorized_user_info(
            USER | {"token_uri": strict.url + "/token"} | changes, scopes=scopes)

    credential = user()
    # By default, google-auth uses Google's address for files of this type.
    credential._token_uri = strict.url + "/token"
    assert owner(strict, refresh(strict, credential))[0] == USER["client_id"]
    for changes, error in [
            ({"client_id": "x"}, "invalid_client: The OAuth client was not found."),
            ({"client_secret": "x"}, "invalid_client: Unauthorized"),
            ({"refresh_token": "x"}, "invalid_grant: Bad Request")]:
        wrong = user(**changes)
        wrong._token_uri = strict.url + "/token"
        with pytest.raises(google.auth.exceptions.RefreshError, match=error):
            wrong.refresh(Request())
    wider = user(scopes=["https://www.googleapis.com/auth/pubsub"])
    wider._token_uri = strict.url + "/token"
    with pytest.raises(google.auth.exceptions.RefreshError, match="invalid_scope"):
        wider.refresh(Request())
    assert USER["client_secret"] not in strict.project.log.bytes().decode()
    assert USER["refresh_token"] not in strict.project.log.bytes().decode()


def test_google_cloud_machine_uses_the_metadata_server(strict, tmp_path):
    """google.auth.default finds the metadata server, its project and its token."""
    host = strict.url.removeprefix("http://")
    program = (
        "import google.auth, google.auth.transport.requests as t\n"
        "c, project = google.auth.default()\n"
        "c.refresh(t.Request())\n"
        "print(type(c).__module__, project, c.service_account_email, c.token)\n")
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=DEADLINE, check=True,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "GCE_METADATA_HOST": host, "GCE_METADATA_IP": host})
    module, project, email, token = done.stdout.split()
    assert (module, project) == ("google.auth.compute_engine.credentials", "demo-herald")
    assert email == "default@demo-herald.iam.gserviceaccount.com"
    assert send(strict, "Bearer " + token).status_code == 200
    assert owner(strict, token) == (email, [CLOUD])


METADATA = {"Metadata-Flavor": "Google"}


def metadata(emulator, path, headers=METADATA):
    return requests.get(f"{emulator.url}/computeMetadata/v1/{path}", headers=headers, timeout=DEADLINE)


def test_metadata_server_answers_like_googles(strict, project):
    root = requests.get(strict.url + "/", timeout=DEADLINE)
    assert (root.status_code, root.headers["Metadata-Flavor"]) == (200, "Google")
    _, robot = make_key(project)
    for path, text in [
            ("instance/service-accounts/default/email", robot["client_email"]), ("project/project-id", "demo"),
            ("universe/universe-domain", "googleapis.com"),
            ("instance/service-accounts/", f"default/\n{robot['client_email']}/\n")]:
        answer = metadata(strict, path)
        assert (answer.status_code, answer.text, answer.headers["Metadata-Flavor"]) == (200, text, "Google")
        assert answer.headers["Content-Type"] == "application/text"
        for headers in ({}, {"Metadata-Flavor": "Other"}):
            answer = metadata(strict, path, headers)
            assert (answer.status_code, answer.headers["Metadata-Flavor"]) == (403, "Google")
    assert metadata(strict, "instance/service-accounts/default/?recursive=true").json() == {
        "aliases": ["default"], "email": robot["client_email"], "scopes": [CLOUD]}
    token = metadata(strict, f"instance/service-accounts/default/token?scopes={MESSAGING}").json()
    assert owner(strict, token["access_token"]) == (robot["client_email"], [MESSAGING])
    assert metadata(strict, "instance/service-accounts/default/token?scopes=everything").status_code == 400
    assert metadata(strict, "instance/service-accounts/other@demo.example/token").status_code == 404
    assert metadata(strict, "instance/attributes/x").status_code == 404


@pytest.mark.covers("F1.1-scopes", "C89-refused", "F1.7-401")
def test_lax_emulator_accepts_any_token_except_expired_ones(project):
    with Emulator(project) as emulator:
        _, robot = make_key(project)
        for bearer in ("Bearer owner", "bearer anything"):
            assert send(emulator, bearer).status_code == 200
        for nothing in (None, "key=AAAAdemo:APA9", "Basic b3duZXI6", "Bearer", "Bearer  "):
            refused(send(emulator, nothing), MISSING, "CREDENTIALS_MISSING", "")
        requests.patch(
            emulator.url + "/emulator/v1/auth", json={"token_lifetime_seconds": 1}, timeout=DEADLINE).raise_for_status()
        credential = service_account.Credentials.from_service_account_info(robot, scopes=[MESSAGING])
        token = refresh(emulator, credential)
        requests.delete(emulator.url + "/emulator/v1/auth/tokens", timeout=DEADLINE).raise_for_status()
        refused(send(emulator, "Bearer " + token), INVALID, "ACCESS_TOKEN_EXPIRED", ', error="invalid_token"')
        requests.patch(
            emulator.url + "/emulator/v1/auth", json={"token_lifetime_seconds": 600}, timeout=DEADLINE).raise_for_status()
        credential = service_account.Credentials.from_service_account_info(
            robot, scopes=["https://www.googleapis.com/auth/datastore"])
        credential.refresh(Request())
        refused(
            send(emulator, "Bearer " + credential.token), "Request had insufficient authentication scopes.",
            "ACCESS_TOKEN_SCOPE_INSUFFICIENT", f', error="insufficient_scope", scope="{MESSAGING} {CLOUD}"',
            code=403, status="PERMISSION_DENIED")


def test_strict_emulator_rejects_unknown_tokens_everywhere(strict):
    refused(send(strict, "Bearer owner"), INVALID, None, ', error="invalid_token"')
    refused(send(strict, None), MISSING, "CREDENTIALS_MISSING", "")
    for path in ("/iid/v1:batchAdd", "/iid/v1:batchRemove"):
        answer = requests.post(
            strict.url + path, json={"to": "/topics/tides", "registration_tokens": ["a"]},
            headers={"Authorization": "Bearer owner"}, timeout=DEADLINE)
        assert answer.status_code == 401
    info = requests.get(strict.url + "/iid/info/a", headers={"Authorization": "Bearer owner"}, timeout=DEADLINE)
    assert info.status_code == 401
    assert requests.get(strict.url + "/emulator/v1/health", timeout=DEADLINE).status_code == 200


def test_restart_keeps_accounts_and_tokens_without_logging_secrets(project):
    with StrictEmulator(project) as emulator:
        _, robot = make_key(project)
        emulator.post("/emulator/v1/auth/authorized-users", USER)
        identities = Identities(emulator)
        live = service_account.Credentials.from_service_account_info(robot, scopes=[MESSAGING])
        live.refresh(Request())
        federated = exchange(emulator, identities.token()).json()["access_token"]
        before = emulator.get("/emulator/v1/auth"), emulator.get("/emulator/v1/auth/tokens")
        emulator.kill()
    with StrictEmulator(project, port=0) as emulator:
        assert (emulator.get("/emulator/v1/auth"), emulator.get("/emulator/v1/auth/tokens")) == before
        for token in (live.token, federated):
            assert send(emulator, "Bearer " + token).status_code == 200
        assert send(emulator, "Bearer owner").status_code == 401
        again = service_account.Credentials.from_service_account_info(at(emulator, robot), scopes=[MESSAGING])
        refresh(emulator, again)
        log = project.log.bytes().decode()
        for secret in (live.token, federated, again.token, robot["private_key"].split("\n")[5], *list(USER.values())[1:]):
            assert secret not in log
        # Every JWT starts with this encoding of `{"`, so the log contains no JWT.
        assert "eyJ" not in log


def test_loads_an_account_from_a_file(project, tmp_path):
    key = {"type": "service_account", "client_email": "mine@demo.iam.gserviceaccount.com", "private_key_id": "m1",
           "private_key": private_pem()}
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(key))

    class WithAccount(Emulator):
        arguments = ["--require-tokens", "--service-account", str(path)]

    for _ in range(2):
        with WithAccount(project) as emulator:
            answer = requests.post(emulator.url + "/token", timeout=DEADLINE, data={
                "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": signed(key, claims(key))})
            assert answer.status_code == 200
    assert project.log.bytes().count(b"service-accounts") == 1
    assert key["private_key"].split("\n")[5] not in project.log.bytes().decode()
    for text, words in [("{", "it is not JSON"), ('{"client_email": "a@b.example"}', "it has no key"),
                        ('{"type": "authorized_user"}', "type is not service_account")]:
        path.write_text(text)
        project.herald("emulator", "--port", "0", "--service-account", path).expect(1, words)
    project.herald("emulator", "--port", "0", "--service-account", tmp_path / "none.json").expect(1, "cannot be read")


def test_make_key_works_offline_and_never_overwrites_a_file(project):
    path, key = make_key(project)
    assert key["token_uri"] == "http://127.0.0.1:9099/token"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with Emulator(project) as emulator:
        service_account.Credentials.from_service_account_info(at(emulator, key), scopes=[MESSAGING]).refresh(Request())
        run("emulator", "make-key", key["client_email"], path, "-C", project.folder).expect(1, "cannot be written")
        run("emulator", "make-key", "nobody", project.folder / "x", "-C", project.folder).expect(1, "not an email address")


KEY = private_pem()
BROKEN = [
    ("{", "it is not a JSON object"), ("[]", "it is not a JSON object"), ("{}", "it has no type"),
    ({"type": "authorized_user"}, "client_id is missing"), ({"type": "api_key"}, "its type, api_key, is unknown"),
    ({"client_email": None}, "client_email is missing"), ({"client_email": "robot"}, "client_email is malformed"),
    ({"private_key": None}, "private_key is missing"), ({"private_key": "PRIVATE"}, "private_key is not an RSA key"),
    ({"private_key_id": None}, "private_key_id is missing"), ({"token_uri": None}, "token_uri is missing"),
    ({"token_uri": "http://tokens.example/token"}, "token_uri is not an https:// address"),
]


@pytest.mark.parametrize("change, words", BROKEN, ids=[words for _, words in BROKEN])
def test_herald_reports_what_is_wrong_with_a_key(project, change, words):
    key = {"type": "service_account", "client_email": "robot@demo.example", "private_key_id": "1",
           "private_key": KEY, "token_uri": "https://oauth2.googleapis.com/token"}
    if isinstance(change, dict):
        change = json.dumps({name: value for name, value in (key | change).items() if value is not None})
    project.write("campaigns/one.yaml", "campaign: one\naudience: { topic: tides }\nmessage: { data: { a: b } }\n")
    project.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {} }\nenvironments:\n"
                  '  bench: { emulator: { url: "http://127.0.0.1:1", credentials: "env:KEY" } }\n')
    result = project.herald("apply", "--yes", "-e", "bench", env={"KEY": change})
    result.expect(1, "KEY does not contain a usable credential", words)
    assert "PRIVATE" not in result.out + result.err


def test_herald_sends_nothing_if_it_gets_no_token(project):
    with Emulator(project) as emulator:
        _, key = make_key(project)
        requests.delete(
            f"{emulator.url}/emulator/v1/auth/service-accounts/{key['client_email']}", timeout=DEADLINE).raise_for_status()
        project.write("campaigns/one.yaml", "campaign: one\naudience: { topic: tides }\nmessage: { data: { a: b } }\n")
        project.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {} }\nenvironments:\n"
                      f'  bench: {{ emulator: {{ url: "{emulator.url}", credentials: robot.json }} }}\n')
        project.apply("-e", "bench").expect(
            1, "issued no access token: invalid_grant: Invalid grant: account not found", "the account was deleted")
        assert project.log.count() == 0
        stranger = {"type": "service_account", "client_email": key["client_email"], "private_key_id": "x",
                    "private_key": private_pem(), "token_uri": "https://oauth2.googleapis.com/token"}
        make_key(project, file="other.json")
        project.write("robot.json", json.dumps(stranger))
        project.apply("-e", "bench").expect(1, "invalid_grant: Invalid JWT Signature.", "the key was deleted or replaced")
        assert project.log.count() == 0


def test_credentials_require_the_url_of_an_emulator(project):
    project.write("herald.yaml", "version: 1\nproject: e2e\nenvironments:\n  bench: { emulator: { credentials: robot.json } }\n")
    project.herald("validate").expect(65, "`credentials` needs `url`")
    project.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {} }\nenvironments:\n"
                  '  bench: { emulator: { url: "http://127.0.0.1:1", credentials: application-default } }\n')
    project.write("campaigns/one.yaml", "campaign: one\naudience: { topic: tides }\nmessage: { data: { a: b } }\n")
    project.apply("-e", "bench").expect(65, "not application default credentials")
