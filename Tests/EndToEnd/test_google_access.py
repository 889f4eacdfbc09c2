"""Environments with `fcm:`: every credential type, token renewal, refusals, and connections to Google's hosts.

The emulator replaces Google, either as `endpoint` or behind its own proxy. No request leaves loopback.
"""

import http.server
import json
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

from accounts import MESSAGING, PROVIDER, Identities, make_key, private_pem
from herald import Emulator, Project, token

NAME = "harbour-b5ae1"
USER = {"type": "authorized_user", "client_id": "cli.apps.example", "client_secret": "s3cret-of-the-client",
        "refresh_token": "1//refresh-me"}
JOB = "of-the-job"


class Google:
    """A project with a Firebase environment whose endpoint is an emulator."""

    def __init__(self, folder, *arguments):
        self.project = Project(folder / "project", topics=["tides"])
        self.project.campaign("note", "{ topic: tides }")
        self.emulator = Emulator(self.project, arguments=["--require-tokens", *arguments])

    def __enter__(self):
        self.emulator.__enter__()
        self.key, self.robot = make_key(self.project, f"robot@{NAME}.iam.gserviceaccount.com")
        return self

    def __exit__(self, *_):
        self.emulator.__exit__()

    def write(self, name, content):
        path = self.project.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    def environments(self, is_named=True, **environments):
        """Writes environments with the given `fcm` settings and, if `is_named`, a lineage. The emulator is the
        endpoint unless a setting overrides it. A credential that is a file is named in the environment instead."""
        for name, fcm in environments.items():
            if fcm["credentials"] != "application-default" and not fcm["credentials"].startswith("env:"):
                self.project.credentials[name] = fcm["credentials"]
                environments[name] = fcm | {"credentials": "application-default"}
        rest = "".join(
            f"  {name}: {{ fcm: {json.dumps(ours | fcm)}, settle: 0s }}\n" for name, fcm in environments.items()
            for ours in [{"project_id": NAME} | ({} if "endpoint" in fcm else {"endpoint": self.emulator.url})])
        rest = rest.replace('"endpoint": null, ', "").replace(', "endpoint": null', "")
        self.project.write(
            "herald.yaml", f"version: 1\nproject: e2e\ntopics: {{ tides: {{}} }}\nenvironments:\n{rest}")
        if is_named:
            self.project.name_states(*environments)

    def apply(self, environment, *arguments, **env):
        result = self.project.apply("-e", environment, *arguments, env={"NO_GCE_CHECK": "true"} | env)
        assert self.no_secret(str(result))
        return result

    def no_secret(self, text):
        secrets = [self.robot["private_key"].splitlines()[1], USER["client_secret"], USER["refresh_token"], JOB,
                   "ya29.", "eyJ"]
        return not [secret for secret in secrets if secret in text]

    def owners(self):
        return {t["account"] for t in self.emulator.get("/emulator/v1/auth/tokens")["tokens"]}

    def sends(self):
        return [entry["status"] for entry in self.project.log.sends()]

    def generate(self, email=None):
        return self.emulator.url + f"/v1/projects/-/serviceAccounts/{email or self.robot['client_email']}:generateAccessToken"


@pytest.fixture
def google(tmp_path):
    with Google(tmp_path) as google:
        yield google


@contextmanager
def forge(identity):
    """Issues identities as GitHub Actions does: requires the job's token and takes an audience."""
    identity_requests = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            identity_requests.append(self.path)
            allowed = self.headers["Authorization"] == "Bearer " + JOB
            body = json.dumps({"count": 1, "value": identity} if allowed else {"message": JOB}).encode()
            self.send_response(200 if allowed else 401)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/idtoken/1?api-version=2.0&audience=x", identity_requests
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


PRINCIPAL = PROVIDER.split("/providers")[0].replace("//iam", "principal://iam") + "/subject/repo:harbour"


def test_sends_with_each_credential_type(google, tmp_path):
    identities = Identities(google.emulator)
    google.emulator.post("/emulator/v1/auth/authorized-users", {k: v for k, v in USER.items() if k != "type"})
    at = {"token_uri": google.emulator.url + "/token"}
    external = {
        "type": "external_account", "audience": PROVIDER, "token_url": google.emulator.url + "/v1/token",
        "subject_token_type": "urn:ietf:params:oauth:token-type:jwt"}
    user = google.write("user.json", USER | at)
    (tmp_path / "gcloud").mkdir()
    (tmp_path / "gcloud/application_default_credentials.json").write_text(json.dumps(USER | at))
    (tmp_path / "identity").write_text(identities.token() + "\n")
    robot, target = google.robot["client_email"], f"target@{NAME}.iam.gserviceaccount.com"
    make_key(google.project, target, "target.json")
    default = {"credentials": "application-default"}
    with forge(identities.token()) as (url, identity_requests):
        google.write("build.json", external | {
            "credential_source": {"url": url, "headers": {"Authorization": "Bearer " + JOB},
                                  "format": {"type": "json", "subject_token_field_name": "value"}},
            "service_account_impersonation_url": google.generate()})
        google.write("file.json", external | {"credential_source": {"file": str(tmp_path / "identity")}})
        google.write("acting.json", {
            "type": "impersonated_service_account", "service_account_impersonation_url": google.generate(target),
            "delegates": [robot], "source_credentials": json.loads(user.read_text())})
        google.environments(
            key={"credentials": "robot.json"}, variable={"credentials": "env:FCM_KEY"}, user=default, gcloud=default,
            build={"credentials": "build.json"}, file={"credentials": "file.json"},
            acting={"credentials": "acting.json"}, machine=default)
        place = google.emulator.url.removeprefix("http://")
        kinds = {
            "key": ({}, robot), "variable": ({"FCM_KEY": google.key.read_text()}, robot),
            "user": ({"GOOGLE_APPLICATION_CREDENTIALS": str(user)}, USER["client_id"]),
            "gcloud": ({"CLOUDSDK_CONFIG": str(tmp_path / "gcloud")}, USER["client_id"]),
            "build": ({}, robot), "file": ({}, PRINCIPAL), "acting": ({}, target),
            "machine": ({"GCE_METADATA_HOST": place, "NO_GCE_CHECK": "", "HOME": str(tmp_path)}, robot)}
        for count, (name, (env, owner)) in enumerate(kinds.items(), start=1):
            google.apply(name, **env).expect(0, "1 accepted")
            assert google.sends() == [200] * count, name
            assert owner in google.owners(), name
        assert identity_requests == ["/idtoken/1?api-version=2.0&audience=x"]
    assert {entry["path"] for entry in google.project.log.sends()} == {f"/v1/projects/{NAME}/messages:send"}


def test_protected_environment_validates_plans_and_applies(google):
    """Every request to FCM uses a token of the configured credential."""
    phone = token(1)
    google.emulator.install([phone])
    people = google.project.list("all", [phone])
    google.project.write("campaigns/people.yaml", f"audience: people\nregistrations: {people}\nsubscribe: [tides]\n")
    google.environments(production={"credentials": "robot.json", "sender_id": "1029384756"})
    text = (google.project.folder / "herald.yaml").read_text()
    google.project.write("herald.yaml", text.replace("settle: 0s", "settle: 0s, protected: true"))
    google.project.herald("validate", "--online", "-e", "production").expect(0)
    google.apply("production", "--dry-run").expect(0, "Nothing was sent or recorded")
    assert {entry["body"]["validate_only"] for entry in google.project.log.sends()} == {True}
    google.apply("production").expect(6, "the environment is protected")
    plan = google.project.plan("-e", "production")
    google.project.herald("apply", "--expect", plan["digest"], "-e", "production").expect(0, "1 accepted", "1 joined")
    google.project.herald("plan", "--refresh", "-e", "production").expect(0)
    google.project.herald("doctor", "-e", "production").expect(0, f"a service account key ({google.robot['client_email']})", NAME)
    [batch] = google.project.log.batches("batchAdd")
    assert batch == {"to": "/topics/tides", "registration_tokens": [phone]} and google.project.log.asked()
    assert set(google.sends()) == {200} and google.owners() == {google.robot["client_email"]}


def test_the_first_apply_asks_for_a_lineage(google):
    """Without one in herald.yaml, another machine would take a lost state for a new one."""
    google.environments(is_named=False, production={"credentials": "robot.json"})
    google.project.herald("plan", "-e", "production").expect(0, "1 campaign sent now")
    (lineage,), = google.project.rows("SELECT lineage FROM meta", "production")
    google.apply("production").expect(
        1, "herald.yaml names no lineage for production", "help: run `herald state init -e production`",
        f'state: {{ lineage: "{lineage}" }}')
    google.project.herald("doctor", "-e", "production").expect(1, "problem  state", "names no lineage")
    assert all(entry["body"].get("validate_only") for entry in google.project.log.sends())
    assert google.project.rows("SELECT count(*) FROM runs", "production") == [(0,)]
    google.apply("production", "--dry-run").expect(0, "Nothing was sent or recorded")
    google.project.name_states("production")
    google.apply("production").expect(0, "1 accepted")


@pytest.mark.covers("C88")
def test_renews_the_token_during_a_long_run(google):
    """Tokens are valid for 2 s, but the answers report 1 s. The sends take more than 2.5 s."""
    tokens = [token(n) for n in range(80)]
    google.emulator.install(tokens)
    google.project.campaign("note", f"{{ registrations: {google.project.list('all', tokens)} }}")
    google.environments(production={"credentials": "robot.json"})
    google.emulator.patch("/emulator/v1/auth", {"token_lifetime_seconds": 2})
    google.emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "SEND"}, "delivery": {"delay_milliseconds": 130}}]})
    with google.project.start("apply", "--yes", "-e", "production", "--parallelism", "4") as running:
        google.project.log.wait_for(4)
        shown = Path(f"/proc/{running.process.pid}/cmdline").read_bytes().decode()
        assert google.no_secret(shown) and "production" in shown
        result = running.finish().expect(0, "80 accepted")
    assert google.no_secret(str(result))
    assert google.sends() == [200] * 80
    assert google.project.log.accepted() == {t: 1 for t in tokens}
    exchanges = [entry["status"] for entry in google.project.log.requests() if entry["path"] == "/token"]
    assert 3 <= len(exchanges) <= 6 and set(exchanges) == {200}


def test_withdrawn_key_stops_the_run_and_keeps_the_rest_intended(google):
    tokens = [token(n) for n in range(60)]
    google.emulator.install(tokens)
    google.project.campaign("note", f"{{ registrations: {google.project.list('all', tokens)} }}")
    google.environments(production={"credentials": "robot.json"})
    google.emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "SEND"}, "when": {"from": 21}, "answer": {"error": "EXPIRED_TOKEN"}},
        {"match": {"service": "TOKEN"}, "when": {"from": 2}, "answer": {"error": "INVALID_GRANT"}}]})
    google.apply("production", "--parallelism", "5").expect(
        3, "issued no new access token", "invalid_grant", "20 accepted, 40 not sent")
    statuses = google.sends()
    assert statuses.count(200) == 20 and set(statuses[20:]) == {401} and len(statuses) <= 25
    assert [e["status"] for e in google.project.log.requests() if e["path"] == "/token"] == [200, 400]
    accepted = set(google.project.log.accepted())
    google.emulator.put("/emulator/v1/faults", {"rules": []})
    # The rejected requests are intended again, so the next apply sends exactly those.
    google.apply("production").expect(0, "40 accepted")
    assert google.project.log.accepted() == {t: 1 for t in tokens} and len(accepted) == 20


@pytest.mark.covers("C90")
def test_invalid_credential_stops_before_anything_is_recorded(google):
    google.write("wrong.json", google.robot | {"private_key": private_pem()})
    google.write("stranger.json", google.robot | {"client_email": f"stranger@{NAME}.iam.gserviceaccount.com"})
    google.write("http.json", google.robot | {"token_uri": "http://tokens.example/token"})
    google.write("bytes.json", "").write_bytes(b'{"type": "service_account", "client_email": "\xff\xfe"}')
    google.write("api.txt", "AIzaSyD-0123456789abcdefghijklmnopqrstuv")
    google.write("aws.json", {"type": "external_account", "audience": PROVIDER, "token_url": google.emulator.url,
                              "subject_token_type": "x", "credential_source": {"environment_id": "aws1"}})
    cases = {
        "wrong": ("wrong.json", "Invalid JWT Signature", "create a new one"),
        "stranger": ("stranger.json", "account not found", "was deleted"),
        "plain": ("http.json", "token_uri is not an https:// address", "the original file from the Google Cloud console"),
        "missing": ("nowhere.json", "nowhere.json cannot be read", ""),
        "folder": ("campaigns", "campaigns cannot be read: Is a directory", ""),
        "endless": ("/dev/zero", "/dev/zero cannot be read: it is larger than 4 MiB", ""),
        "bytes": ("bytes.json", "does not contain a usable credential", "bytes.json"),
        "api": ("api.txt", "it is an API key", "key of a service account"),
        "aws": ("aws.json", "comes from AWS", "credential_source with file or url"),
        "unset": ("env:FCM_KEY", "FCM_KEY is not set", ""),
        "nothing": ("application-default", "there are no application default credentials",
                    "gcloud auth application-default login")}
    google.environments(**{name: {"credentials": case[0]} for name, case in cases.items()})
    for name, (_, *words) in cases.items():
        result = google.apply(name, HOME=str(google.project.folder)).expect(1, *words)
        assert "AIza" not in str(result)
        assert google.project.rows("SELECT count(*) FROM runs", name) == [(0,)]
    result = google.apply("nothing", GOOGLE_APPLICATION_CREDENTIALS=google.key.read_text())
    result.expect(1, "GOOGLE_APPLICATION_CREDENTIALS contains a key")
    assert google.project.log.sends() == []


def test_project_and_credential_must_match(google):
    google.write("other.json", google.robot | {"project_id": "harbour-test"})
    google.environments(key={"credentials": "other.json"}, ours={"credentials": "robot.json"})
    both = (f"`{NAME}`", "`harbour-test`")
    google.apply("key").expect(1, *both, "other.json", f"GOOGLE_CLOUD_PROJECT={NAME}")
    google.apply("ours", GCLOUD_PROJECT="harbour-test").expect(1, *both, "GCLOUD_PROJECT")
    google.apply("ours", GCLOUD_PROJECT=NAME, GOOGLE_CLOUD_PROJECT="harbour-test").expect(1, *both)
    assert google.project.log.requests() == []
    google.apply("key", GOOGLE_CLOUD_PROJECT=NAME).expect(0, "1 accepted")


def test_explains_missing_credentials_outside_of_google_cloud(google, tmp_path):
    google.environments(machine={"credentials": "application-default"})
    with forge("x") as (url, _):
        place = url.split("/")[2]
        google.apply("machine", NO_GCE_CHECK="", HOME=str(tmp_path), GCE_METADATA_HOST=place).expect(
            1, "neither a file nor a Google metadata server", "gcloud auth application-default login")


def test_reaches_googles_hosts_through_a_proxy(tmp_path):
    """Uses unchanged addresses: the emulator's proxy answers for Google's hosts over TLS."""
    phone = token(1)
    with Google(tmp_path, "--tls-intercept") as google:
        google.emulator.install([phone])
        running = json.loads((google.project.folder / ".herald/emulator/running.json").read_text())
        google.write("robot.json", google.robot | {"token_uri": "https://oauth2.googleapis.com/token"})
        people = google.project.list("all", [phone])
        google.project.write(
            "campaigns/people.yaml", f"audience: people\nregistrations: {people}\nsubscribe: [tides]\n")
        names = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        google.environments(**{name.replace("PROXY", "p2"): {"credentials": "robot.json", "endpoint": None}
                               for name in names})
        for count, name in enumerate(names, start=1):
            certificates = {"SSL_CERT_FILE": running["ca"]}
            result = google.apply(name.replace("PROXY", "p2"), **{name: running["proxy_url"]}, **certificates)
            result.expect(0, "1 accepted")
            assert google.sends() == [200] * count
        assert len(google.project.log.batches("batchAdd")) == 1 and google.project.log.asked() == [phone] * len(names)
        before = len(google.project.log.requests())
        google.project.campaign("second", "{ topic: tides }")
        google.apply("https_proxy", https_proxy=running["proxy_url"]).expect(1, "certificate", "SSL_CERT_FILE")
        assert len(google.project.log.requests()) == before


def test_other_endpoints_require_dangerous_endpoint(tmp_path):
    """127.0.0.2 is not this machine's usual address, and no server listens there."""
    with Google(tmp_path, "--tls-intercept", "--tls-port", "0") as google:
        running = json.loads((google.project.folder / ".herald/emulator/running.json").read_text())
        port = running["tls_url"].rsplit(":", 1)[1]
        address = f"https://127.0.0.2:{port}"
        google.environments(gateway={"credentials": "robot.json", "endpoint": address},
                            named={"credentials": "robot.json", "endpoint": f"https://gateway.localhost:{port}"},
                            ours={"credentials": "robot.json"})
        google.project.herald("plan", "-e", "gateway").expect(0, "refused endpoint", address)
        google.apply("gateway").expect(6, "refused endpoint", address, "--dangerous-endpoint")
        team = ["groups", "create", "team", "--list", google.project.list("one", [token(1)])]
        for command in (["validate", "--online"], ["apply", "--dry-run", "--yes"], team):
            google.project.herald(*command, "-e", "gateway").expect(6, address, "--dangerous-endpoint")
        assert google.project.log.requests() == []
        for extra in (["validate"], ["plan"]):
            google.project.herald(*extra, "--dangerous-endpoint").expect(64)
        # The endpoint is reached through the proxy unless `no_proxy` excludes it, and its certificate must match
        # its name.
        bypass = ("--dangerous-endpoint",)
        certificates = {"SSL_CERT_FILE": running["ca"], "https_proxy": running["proxy_url"]}
        google.apply("gateway", *bypass, **certificates).expect(1, "403")
        google.apply("gateway", *bypass, no_proxy="127.0.0.2", **certificates).expect(1, "onnect")
        google.apply("named", *bypass, **certificates).expect(1, "no alternative certificate subject name")
        assert google.project.log.sends() == []
        google.apply("ours", *bypass).expect(0, "--dangerous-endpoint was not needed")
        google.project.herald("history", "-e", "ours", "1").expect(0, "--dangerous-endpoint")
        google.emulator.install([token(1)])
        google.project.herald(*team, "-e", "ours", *bypass).expect(0, "team: 1 registration")
        google.project.herald("history", "-e", "ours", "2").expect(0, "groups create", "--dangerous-endpoint")


@pytest.mark.parametrize("endpoint", [
    "http://fcm.googleapis.com", "http://gateway.example", "ftp://127.0.0.1", "https://user:pass@gateway.example",
    "https://gateway.example/v1", "127.0.0.1:9099"])
def test_rejects_invalid_endpoints(project, endpoint):
    project.write("herald.yaml", "version: 1\nproject: e2e\nenvironments:\n"
                  f"  production: {{ fcm: {{ project_id: {NAME}, endpoint: '{endpoint}' }} }}\n")
    project.herald("validate").expect(65, "error[invalid-url]", "the address of a server")
