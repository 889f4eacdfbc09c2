"""`herald doctor` reports a healthy environment and each possible problem."""

import json
import socket

import pytest

from accounts import OTHER_KEY, make_key
from herald import Emulator, Project, eventually, run, token
from hostile_servers import Listener

CHECKS = ["files", "state", "credentials", "project", "token", "sender", "proxy",
          "connection", "clock", "send", "memberships"]
DEVICE_HOSTS = [
    "mtalk.google.com", "mtalk4.google.com", "mtalk-staging.google.com", "mtalk-dev.google.com",
    "alt1-mtalk.google.com", "alt2-mtalk.google.com", "alt3-mtalk.google.com", "alt4-mtalk.google.com",
    "alt5-mtalk.google.com", "alt6-mtalk.google.com", "alt7-mtalk.google.com", "alt8-mtalk.google.com",
    "android.apis.google.com", "device-provisioning.googleapis.com", "firebaseinstallations.googleapis.com",
]
SENDER_HOSTS = [f"{name}.googleapis.com" for name in ("fcm", "iid", "oauth2", "accounts", "sts", "iamcredentials")]
PORTS = [5228, 5229, 5230, 443]


class Checkup:
    def __init__(self, result):
        self.result, self.json = result, json.loads(result.out)
        self.checks = {check["check"]: check for check in self.json["checks"]}

    def verdict(self, check):
        return self.checks[check]["verdict"]

    def words(self, check):
        return f"{self.checks[check]['seen']} {self.checks[check]['way_out']}"

    def assert_others_healthy(self, *but):
        assert {name: check["verdict"] for name, check in self.checks.items()
                if name not in but and check["verdict"] not in ("ok", "skipped")} == {}


def doctor(project, *arguments, code=0, **options):
    return Checkup(project.herald("doctor", "--format", "json", *arguments, **options).expect(code))


@pytest.fixture
def emulator(tmp_path):
    project = Project(tmp_path / "project", topics=["tides"])
    project.campaign("call", "{ topic: tides }")
    with Emulator(project, arguments=["--tls-port", "0"]) as emulator:
        yield emulator


def environment(emulator, text):
    emulator.project.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {} }\n"
                           f"environments: {{ far: {{ emulator: {{ {text} }} }} }}\n")


def faults(emulator, *rules):
    emulator.put("/emulator/v1/faults", {"rules": list(rules)})


def test_reports_no_problem_for_a_healthy_project(emulator):
    emulator.project.herald("doctor").expect(
        0, "Environment local", "  ok       files        1 campaign, no problems", "the emulator accepts any token",
        "HTTP/1.1 to http://127.0.0.1:", "FCM accepts a message to a topic (validate_only", "No problems found.")
    # Requests to this machine never use a proxy.
    checkup = doctor(emulator.project, env={"http_proxy": "http://robot:hunter2@proxy.example:3128"})
    assert "none is used for this machine" in checkup.words("proxy") and "hunter2" not in checkup.result.out
    assert list(checkup.checks) == CHECKS
    assert (checkup.json["environment"], checkup.json["problems"], checkup.json["warnings"]) == ("local", 0, 0)
    checkup.assert_others_healthy()
    # Nothing was sent, and no subscription was changed.
    assert all(entry["body"].get("validate_only") for entry in emulator.project.log.sends())
    assert all(entry["path"] == "/iid/v1:batchRemove" for entry in emulator.project.log.changes()
               if "messages:send" not in entry["path"])


def test_uses_http2_over_tls_and_reports_untrusted_certificates(emulator):
    url = json.loads((emulator.project.folder / ".herald/emulator/running.json").read_text())["tls_url"]
    environment(emulator, f"url: '{url}', ca: .herald/emulator/ca.pem")
    assert "HTTP/2 to https://" in doctor(emulator.project, "-e", "far").words("connection")
    environment(emulator, f"url: '{url}'")
    checkup = doctor(emulator.project, "-e", "far", code=1)
    assert checkup.verdict("connection") == "problem" and "verification cannot be switched off" in checkup.words("connection")
    assert {checkup.verdict(name) for name in ("clock", "send", "memberships")} == {"skipped"}


def test_reports_invalid_files_and_checks_the_rest(emulator):
    emulator.project.write("campaigns/broken.yaml", "campaign: broken\naudience: { topic: tide }\n")
    checkup = doctor(emulator.project, code=1)
    assert checkup.verdict("files") == "problem" and "herald validate" in checkup.words("files")
    emulator.project.write("herald.yaml", "version: [\n")
    assert {check["verdict"] for check in doctor(emulator.project, code=1).checks.values()} == {"problem", "skipped"}


@pytest.mark.covers("F1.1-permission")
def test_reports_a_disabled_api_and_a_missing_permission(emulator):
    faults(emulator, {"match": {"service": "SEND"}, "answer": {"error": "SERVICE_DISABLED"}})
    checkup = doctor(emulator.project, code=1)
    assert checkup.verdict("send") == "problem" and "enable the Firebase Cloud Messaging API: https://" in checkup.words("send")
    denied = {"error": {"code": 403, "status": "PERMISSION_DENIED", "message": "Permission denied on resource", "details": []}}
    faults(emulator, {"match": {"service": "SEND"}, "answer": {"status": 403, "json": denied}})
    checkup = doctor(emulator.project, code=1)
    assert "cloudmessaging.messages.create" in checkup.words("send")
    checkup.assert_others_healthy("send")
    emulator.project.herald("doctor").expect(1, "problem  send", "1 problem.")


@pytest.mark.covers("F2.2-permission")
def test_reports_which_membership_api_is_available(emulator):
    not_found = {"match": {"service": "MEMBERSHIP"}, "answer": {"status": 404, "text": "<h1>Not Found</h1>", "content_type": "text/html"}}
    faults(emulator, not_found)
    checkup = doctor(emulator.project)
    assert checkup.verdict("memberships") == "ok" and "transport: per_registration" in checkup.words("memberships")
    everything = {"match": {"service": "ANY"}, "answer": {"status": 403, "json": {"error": "Forbidden"}}}
    faults(emulator, everything)
    checkup = doctor(emulator.project, code=1)
    assert checkup.verdict("memberships") == "problem"
    assert "cloudmessaging.topicSubscriptions.create and .update" in checkup.words("memberships")


def test_reports_a_wrong_clock(emulator):
    faults(emulator, {"match": {"service": "SEND"}, "answer": {
        "status": 200, "json": {"name": "projects/e2e/messages/1"}, "headers": {"Date": "Fri, 20 Mar 2037 08:30:00 GMT"}}})
    for now, verdict, words in [
            ("2037-03-20T08:30:59Z", "ok", "59 s ahead of the server"),
            ("2037-03-20T08:28:30Z", "warning", "90 s behind the server"),
            ("2037-03-20T08:40:00Z", "problem", "600 s ahead of the server")]:
        checkup = doctor(emulator.project, now=now, code=1 if verdict == "problem" else 0)
        assert checkup.verdict("clock") == verdict and words in checkup.words("clock")
        checkup.assert_others_healthy("clock")


def test_reports_an_unreachable_server(emulator):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        environment(emulator, f"url: 'http://127.0.0.1:{free.getsockname()[1]}'")
        checkup = doctor(emulator.project, "-e", "far", code=1)
    assert checkup.verdict("connection") == "problem" and "the server runs" in checkup.words("connection")


def test_reports_a_missing_key_and_accepts_a_key_without_leaking_it(emulator):
    environment(emulator, f"url: '{emulator.url}', credentials: robot.json")
    checkup = doctor(emulator.project, "-e", "far", code=1)
    assert checkup.verdict("credentials") == "problem" and "robot.json cannot be read" in checkup.words("credentials")
    assert {checkup.verdict(name) for name in CHECKS[3:]} == {"skipped"}
    _, robot = make_key(emulator.project)
    checkup = doctor(emulator.project, "-e", "far")
    assert robot["client_email"] in checkup.words("credentials")
    assert "obtained" in checkup.words("token")
    assert robot["private_key"].splitlines()[1] not in checkup.result.out


def test_warns_about_a_state_that_another_run_writes(emulator):
    emulator.project.apply().expect(0)
    assert "at serial" in doctor(emulator.project).words("state")
    faults(emulator, {"match": {"service": "SEND"}, "when": {"times": 1}, "delivery": {"never": True}})
    emulator.project.campaign("second", "{ topic: tides }")
    before = emulator.project.log.count()
    with emulator.project.start("apply", "--yes") as apply:
        emulator.project.log.wait_for(before + 1)
        checkup = doctor(emulator.project)
        assert checkup.verdict("state") == "warning" and f"process {apply.process.pid}" in checkup.words("state")
        apply.kill()


# MARK: Firebase


NUMBER = "1029384756"


@pytest.fixture
def firebase(tmp_path):
    """A Firebase environment whose endpoint is an emulator that verifies tokens."""
    project = Project(tmp_path / "project")
    phones = [token(n) for n in range(2)]
    project.campaign("call", f"{{ registrations: {project.list('all', phones)} }}")
    with Emulator(project, arguments=["--require-tokens"]) as emulator:
        _, emulator.robot = make_key(project, "robot@harbour-b5ae1.iam.gserviceaccount.com")
        emulator.phones = phones
        yield emulator


def account(emulator, project="harbour-b5ae1", credentials="robot.json", endpoint=None):
    emulator.project.credentials.pop("far", None)
    if credentials.endswith(".json"):
        emulator.project.credentials["far"], credentials = credentials, "application-default"
    emulator.project.write("herald.yaml", "version: 1\nproject: e2e\nenvironments:\n  far: { fcm: "
                           f"{{ project_id: {project}, sender_id: '{NUMBER}', credentials: {credentials}, "
                           f"endpoint: '{endpoint or emulator.url}' }} }}\n")
    emulator.project.name_states("far")


def owned_by(emulator, number):
    """Registers the first registration of the list to the app of this project."""
    emulator.post("/emulator/v1/devices", [
        {"name": "phone", "platform": "android", "registration": emulator.phones[0], "project": number}])


@pytest.mark.covers("C87")
def test_reports_registrations_of_another_project(firebase):
    account(firebase)
    owned_by(firebase, "777")
    checkup = doctor(firebase.project, "-e", "far", code=1)
    assert checkup.verdict("sender") == "problem"
    assert all(word in checkup.words("sender") for word in ("777", NUMBER, "SENDER_ID_MISMATCH"))
    checkup.assert_others_healthy("sender")


def test_reports_no_problem_for_a_healthy_firebase_project(firebase):
    account(firebase)
    owned_by(firebase, NUMBER)
    checkup = doctor(firebase.project, "-e", "far")
    assert list(checkup.checks) == CHECKS
    checkup.assert_others_healthy()
    assert "service account key (robot@harbour-b5ae1.iam.gserviceaccount.com), from " in checkup.words("credentials")
    assert "valid for" in checkup.words("token") and "confirmed by FCM" in checkup.words("sender")
    assert firebase.robot["private_key"].splitlines()[1] not in checkup.result.out and "ya29." not in checkup.result.out


def test_reports_a_missing_credential_or_one_of_another_project(firebase):
    account(firebase, project="other-b5ae2")
    checkup = doctor(firebase.project, "-e", "far", code=1)
    assert checkup.verdict("project") == "problem" and "harbour-b5ae1" in checkup.words("project")
    account(firebase, credentials="application-default")
    checkup = doctor(firebase.project, "-e", "far", code=1, env={"NO_GCE_CHECK": "true"})
    assert checkup.verdict("credentials") == "problem" and "gcloud auth application-default login" in checkup.words("credentials")
    assert {checkup.verdict(name) for name in CHECKS[3:]} == {"skipped"}


def test_names_a_missing_credential_once(firebase):
    account(firebase, credentials="application-default")
    done = firebase.project.herald("doctor", "-e", "far", env={"NO_GCE_CHECK": "true"}).expect(
        1, "skipped project, token, sender, proxy, connection, clock, send, memberships: there is no credential")
    assert done.out.count("there are no application default credentials") == 1
    assert done.out.count("there is no credential") == 1
    assert done.out.count("skipped") == 1


def test_reports_a_replaced_key(firebase):
    account(firebase)
    wrong = firebase.robot | {"private_key": OTHER_KEY}
    (firebase.project.folder / "robot.json").write_text(json.dumps(wrong))
    checkup = doctor(firebase.project, "-e", "far", code=1)
    assert checkup.verdict("token") == "problem" and "Invalid JWT Signature" in checkup.words("token")
    assert {checkup.verdict(name) for name in CHECKS[5:]} == {"skipped"}


def test_contacts_other_endpoints_only_with_the_option(firebase):
    """127.0.0.2 is not this machine's usual address, and no server listens there."""
    account(firebase, endpoint="https://127.0.0.2:1")
    checkup = doctor(firebase.project, "-e", "far", code=1)
    assert checkup.verdict("token") == "problem" and "--dangerous-endpoint" in checkup.words("token")
    checkup = doctor(firebase.project, "-e", "far", "--dangerous-endpoint", code=1)
    assert checkup.verdict("token") == "ok" and checkup.verdict("connection") == "problem"


# MARK: the network


class Silent(Listener):
    """Accepts connections and sends nothing until it receives data. Then it sends a TLS alert and closes."""

    def talk(self, connection, number):
        connection.settimeout(0.05)
        while not self.ending.is_set():
            try:
                if connection.recv(1024):
                    connection.sendall(b"\x15\x03\x01\x00\x02\x02\x46")
                return
            except TimeoutError:
                continue


def network(*arguments, code=0):
    """Runs `doctor --network`, which needs no project."""
    return Checkup(run("doctor", "--network", "--format", "json", *arguments).expect(code))


@pytest.fixture(scope="module")
def silent():
    with Silent() as silent:
        yield silent


@pytest.fixture
def everywhere(silent):
    return ["--connect-to", f"::127.0.0.1:{silent.port}"]


@pytest.mark.covers("C80", "C82")
def test_checks_fifteen_hosts_at_four_ports(silent, everywhere):
    before = silent.count
    checkup = network(*everywhere)
    reached = {(host["host"], port["port"]): port["address"]
               for host in checkup.json["network"]["device_hosts"] for port in host["ports"]}
    assert reached == {(host, port): "127.0.0.1" for host in DEVICE_HOSTS for port in PORTS}
    assert len(reached) == 15 * 4
    assert [host["host"] for host in checkup.json["network"]["sender_hosts"]] == SENDER_HOSTS
    assert "60 of 60" in checkup.words("devices") and "6 of 6" in checkup.words("senders")
    eventually(lambda: silent.count - before == 66, "a connection for each pair, and for each of six hosts of senders")


@pytest.mark.covers("C80", "C82", "C83", "F4-network")
def test_prints_the_firewall_requirements(everywhere):
    sheet = run("doctor", "--network", *everywhere).expect(
        0, "ports 5228, 5229, 5230 and 443", "30 minutes or more", "update the list every month",
        "https://www.gstatic.com/ipranges/goog.json")
    for host in DEVICE_HOSTS + SENDER_HOSTS:
        assert f"    {host}\n" in sheet.out


def test_reports_closed_ports_and_unreachable_hosts(silent):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nowhere = closed.getsockname()[1]
        checkup = network("--connect-to", f":5229:127.0.0.1:{nowhere}", "--connect-to", f"alt3-mtalk.google.com::127.0.0.1:{nowhere}",
                          "--connect-to", f"::127.0.0.1:{silent.port}", code=1)
        hosts = {host["host"]: host for host in checkup.json["network"]["device_hosts"]}
        assert hosts["mtalk.google.com"]["verdict"] == "warning"
        assert [port.get("error") for port in hosts["mtalk.google.com"]["ports"]] == [None, "refused", None, None]
        assert hosts["alt3-mtalk.google.com"]["verdict"] == "problem"
        # This host is checked over HTTPS only.
        assert hosts["android.apis.google.com"]["verdict"] == "ok"
        assert checkup.verdict("devices") == "problem" and "alt3-mtalk.google.com" in checkup.words("devices")
        run("doctor", "--network", "--connect-to", f"::127.0.0.1:{nowhere}").expect(1, "443: refused", "2 problems")


@pytest.mark.covers("C81")
def test_checks_googles_address_list(tmp_path, everywhere):
    """The list's age follows its creationTime, and its prefixes must contain the reached addresses."""
    def written(made, prefix):
        (tmp_path / "goog.json").write_text(json.dumps(
            {"syncToken": "1", "creationTime": made, "prefixes": [{"ipv4Prefix": prefix}, {"ipv6Prefix": "2001:4860::/32"}]}))
        return [*everywhere, "--goog-json", tmp_path / "goog.json"]

    assert network(*written("2999-01-01T00:00:00.1", "127.0.0.0/8")).verdict("addresses") == "ok"
    assert network(*written("2020-01-01T00:00:00.1", "127.0.0.0/8")).verdict("addresses") == "warning"
    checkup = network(*written("2999-01-01T00:00:00.1", "8.8.4.0/24"), code=1)
    assert checkup.verdict("addresses") == "problem" and "they do not contain 127.0.0.1" in checkup.words("addresses")
    (tmp_path / "goog.json").write_text("{}")
    run("doctor", "--network", *everywhere, "--goog-json", tmp_path / "goog.json").expect(1, "is not Google's address list")


class Closing(Listener):
    """Closes each connection at once."""

    def talk(self, connection, number):
        pass


class Dead(Listener):
    """Accepts connections and never sends anything."""

    def talk(self, connection, number):
        self.ending.wait()


@pytest.mark.covers("C83")
def test_hold_tests_an_idle_connection(silent, everywhere):
    checkup = network(*everywhere, "--hold", "1s")
    assert checkup.verdict("idle") == "ok" and "`--hold 31m` checks it" in checkup.words("idle")
    with Dead() as dead:
        checkup = network("--connect-to", f"mtalk.google.com:5228:127.0.0.1:{dead.port}", *everywhere, "--hold", "1s", code=1)
        assert checkup.verdict("idle") == "problem" and "30 minutes or more" in checkup.words("idle")
    with Closing() as closing:
        checkup = network("--connect-to", f"mtalk.google.com:5228:127.0.0.1:{closing.port}", *everywhere, "--hold", "1m")
        assert checkup.verdict("idle") == "warning" and "was closed after 0 s" in checkup.words("idle")


def test_network_options_require_network():
    run("doctor", "--hold", "1m").expect(64, "--network")
    run("doctor", "--network", "--connect-to", "nowhere").expect(64, "HOST:PORT:HOST:PORT")
    run("doctor", "--network", "--connect-timeout", "0").expect(64, "1 to 60")
