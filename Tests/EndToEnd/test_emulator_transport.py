"""Connections to the emulator: HTTP/1.1 and HTTP/2, with and without TLS, and through its proxy."""

import json
import re
import socket
import ssl
import stat
import subprocess
import urllib.parse

import pytest
import requests

from herald import DEADLINE, Emulator, Project, run, variables

PHONE = "phone"
SEND = "/v1/projects/demo/messages:send"
BODY = json.dumps({"message": {"token": PHONE, "data": {"a": "1"}}})
HOSTS = [
    "fcm.googleapis.com", "iid.googleapis.com", "oauth2.googleapis.com", "sts.googleapis.com",
    "iamcredentials.googleapis.com", "fcmdata.googleapis.com", "www.googleapis.com",
    "accounts.google.com", "metadata.google.internal",
]


def running(project):
    return json.loads((project.folder / ".herald/emulator/running.json").read_text())


def curl(*arguments, code=0):
    done = subprocess.run(
        ["curl", "--silent", "--max-time", str(DEADLINE), *map(str, arguments)],
        capture_output=True, text=True, env=variables())
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    return done.stdout


def send(url, *arguments):
    """Returns the HTTP version and the status of a send."""
    return curl(
        "--output", "/dev/null", "--write-out", "%{http_version} %{http_code}", "--data", BODY,
        "--header", "Authorization: Bearer owner", *arguments, url + SEND)


@pytest.fixture
def emulator(project, request):
    with Emulator(project, arguments=getattr(request, "param", ["--tls-port", "0"])) as emulator:
        emulator.post("/emulator/v1/devices", [{"name": "phone", "platform": "android", "registration": PHONE}])
        emulator.ca = running(project).get("ca")
        emulator.tls = running(project).get("tls_url")
        emulator.proxy = running(project).get("proxy_url")
        yield emulator


def with_arguments(*arguments):
    return pytest.mark.parametrize("emulator", [arguments], indirect=True, ids=lambda each: " ".join(each))


def test_speaks_both_http_versions_with_and_without_tls(emulator):
    trust = ["--cacert", emulator.ca]
    assert send(emulator.url) == "1.1 200"
    assert send(emulator.url, "--http2-prior-knowledge") == "2 200"
    assert send(emulator.tls, *trust) == "2 200"
    assert send(emulator.tls, *trust, "--http1.1") == "1.1 200"
    assert send(emulator.tls, *trust, "--no-alpn") == "1.1 200"
    assert len(emulator.project.log.sends()) == 5


@with_arguments()
def test_tls_is_off_by_default(emulator):
    assert sorted(running(emulator.project)) == ["pid", "url"]
    assert not (emulator.project.folder / ".herald/emulator/ca.pem").exists()


@pytest.mark.parametrize("host", [*HOSTS, "localhost", "127.0.0.1", "[::1]"])
def test_certificate_is_valid_for_each_host_that_sdks_use(emulator, host):
    port = urllib.parse.urlsplit(emulator.tls).port
    url = f"https://{host}:{port}"
    assert send(url, "--cacert", emulator.ca, "--connect-to", f"::127.0.0.1:{port}") == "2 200"


def test_certificate_is_invalid_for_other_hosts(emulator):
    port = urllib.parse.urlsplit(emulator.tls).port
    # curl exit code 60: the peer's certificate is not trusted.
    curl("--cacert", emulator.ca, "--connect-to", f"::127.0.0.1:{port}", f"https://example.com:{port}/", code=60)


def test_certificate_authority_is_limited_to_the_emulators_names(emulator):
    text = subprocess.run(
        ["openssl", "x509", "-in", emulator.ca, "-noout", "-ext", "basicConstraints,keyUsage,nameConstraints"],
        capture_output=True, text=True, check=True).stdout
    assert "CA:TRUE, pathlen:0" in text
    assert re.findall(r"DNS:(\S+)", text) == ["localhost", *HOSTS]
    assert re.findall(r"IP:(\S+)", text)[0] == "127.0.0.1/255.255.255.255"
    assert "Excluded" not in text


def test_certificate_passes_strict_verification(emulator):
    """Python 3.13 and later use this check by default."""
    context = ssl.create_default_context(cafile=emulator.ca)
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    context.set_alpn_protocols(["h2"])
    port = urllib.parse.urlsplit(emulator.tls).port
    with socket.create_connection(("127.0.0.1", port), DEADLINE) as plain:
        with context.wrap_socket(plain, server_hostname="fcm.googleapis.com") as secured:
            assert secured.selected_alpn_protocol() == "h2"
            assert secured.version() == "TLSv1.3"


def test_creates_the_certificate_authority_once(project):
    authority, key = [project.folder / ".herald/emulator" / name for name in ("ca.pem", "ca-key.pem")]
    seen = set()
    for _ in range(2):
        with Emulator(project, arguments=["--tls-port", "0"]):
            seen.add((authority.read_bytes(), key.read_bytes()))
            url = running(project)["tls_url"]
            curl("--fail", "--cacert", authority, url + "/emulator/v1/health")
    assert len(seen) == 1
    assert stat.S_IMODE(authority.stat().st_mode) == 0o644
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_names_and_keeps_a_damaged_certificate_authority(project):
    with Emulator(project, arguments=["--tls-port", "0"]):
        pass
    key = project.folder / ".herald/emulator/ca-key.pem"
    key.write_text("no key")
    project.herald("emulator", "--port", "0", "--tls-port", "0").expect(1, "ca.pem or its key is damaged")
    assert key.read_text() == "no key"


@with_arguments("--no-content-length")
def test_can_omit_content_length(emulator):
    modern = curl("--include", "--http1.1", emulator.url + "/emulator/v1/health")
    assert "content-length" not in modern
    assert "transfer-encoding: chunked" in modern
    second = curl("--include", "--http2-prior-knowledge", emulator.url + "/emulator/v1/health")
    assert second.startswith("HTTP/2 200")
    assert "content-length" not in second
    assert second.splitlines()[-1] == modern.splitlines()[-1]


@pytest.mark.covers("F4-streams")
@pytest.mark.parametrize(
    "emulator, limit", [([], 100), (["--max-streams", "7"], 7)], indirect=["emulator"], ids=["default", "7"])
def test_announces_the_maximum_number_of_streams(emulator, limit):
    text = subprocess.run(
        ["nghttp", "--null-out", "--verbose", emulator.url + "/emulator/v1/health"],
        capture_output=True, text=True, check=True, timeout=DEADLINE).stdout
    assert f"[SETTINGS_MAX_CONCURRENT_STREAMS(0x03):{limit}]" in text


@with_arguments("--tls-port", "0", "--no-device-limits")
def test_answers_and_logs_every_request_of_a_tls_flood(emulator, tmp_path):
    body = tmp_path / "body.json"
    body.write_text(BODY)
    text = subprocess.run(
        ["h2load", "--requests", "3000", "--clients", "50", "--max-concurrent-streams", "20", "--data", body,
         "--header", "authorization: Bearer owner", emulator.tls + SEND],
        capture_output=True, text=True, check=True, timeout=DEADLINE).stdout
    assert "3000 succeeded, 0 failed, 0 errored" in text, text
    assert "3000 2xx" in text, text
    assert len(emulator.project.log.sends()) == 3_000


intercepting = with_arguments("--tls-intercept")


@intercepting
def test_proxy_serves_googles_hosts(emulator):
    for host in HOSTS:
        through = ["--proxy", emulator.proxy, "--cacert", emulator.ca]
        assert send(f"https://{host}", *through) == "2 200"
        assert send(f"https://{host}", *through, "--http1.1") == "1.1 200"


@intercepting
def test_unmodified_python_program_works_behind_the_proxy(emulator, monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", emulator.proxy)
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", emulator.ca)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    answer = requests.post(
        "https://fcm.googleapis.com" + SEND, data=BODY, headers={"Authorization": "Bearer owner"}, timeout=DEADLINE)
    assert answer.status_code == 200
    assert answer.json()["name"].startswith("projects/demo/messages/")
    with pytest.raises(requests.exceptions.ProxyError, match="403"):
        requests.get("https://example.com/", timeout=DEADLINE)


@intercepting
@pytest.mark.parametrize("target", [
    "CONNECT example.com:443", "CONNECT fcm.googleapis.com:80", "CONNECT fcm.googleapis.com.example.com:443",
    "CONNECT 127.0.0.1:443", "CONNECT fcm.googleapis.com", "GET http://fcm.googleapis.com/",
])
def test_proxy_rejects_other_targets(emulator, target):
    address = urllib.parse.urlsplit(emulator.proxy)
    with socket.create_connection((address.hostname, address.port), DEADLINE) as connection:
        connection.sendall(f"{target} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert answer.startswith(b"HTTP/1.1 403 ")
    assert emulator.project.log.requests() == []


@intercepting
def test_proxy_rejects_an_endless_header(emulator):
    address = urllib.parse.urlsplit(emulator.proxy)
    with socket.create_connection((address.hostname, address.port), DEADLINE) as connection:
        connection.sendall(b"CONNECT fcm.googleapis.com:443 HTTP/1.1\r\nx: " + b"y" * 20_000)
        assert connection.recv(65_536).startswith(b"HTTP/1.1 431 ")


@with_arguments("--tls-intercept", "--tls-port", "0")
def test_print_setup_shows_how_to_connect_other_programs(emulator):
    text = run("emulator", "--print-setup", "-C", emulator.project.folder).expect(0).out
    for needed in (
            f'FCM_URL = "{emulator.url}/v1/projects/{{0}}/messages:send"', f"HTTPS_PROXY={emulator.proxy}",
            f"REQUESTS_CA_BUNDLE={emulator.ca}", f'WithEndpoint("{emulator.url}/v1")'):
        assert needed in text
    command = re.search(r"^curl\n((?:  .*\n)+)", text, re.MULTILINE)[1]
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=DEADLINE, env=variables())
    assert json.loads(done.stdout)["name"].startswith("projects/demo/messages/")


@pytest.mark.parametrize("options", [
    ["--tls-intercept"], ["--tls-port", "443"], ["--port", "1"], ["--max-streams", "7"], ["--seed", "7"],
    ["--require-tokens"], ["--apple-rate", "3"], ["--clock", "real"], ["--no-content-length", "--verbose"]])
def test_rejects_options_that_the_running_emulator_lacks(project, options):
    names = [option for option in options if option.startswith("--")]
    with Emulator(project) as emulator:
        project.herald("emulator", "--print-setup", *options).expect(
            1, "an emulator is already running on " + emulator.url, *names, "stop it first")


@with_arguments("--tls-intercept", "--tls-port", "0")
def test_accepts_options_that_the_running_emulator_has(emulator):
    port = str(emulator.port)
    text = emulator.project.herald(
        "emulator", "--print-setup", "--tls-intercept", "--tls-port", "0", "--port", port).expect(0).out
    assert f"HTTPS_PROXY={emulator.proxy}" in text
    assert "start the emulator with --tls-intercept" not in text


def test_print_setup_quotes_paths_for_the_shell(tmp_path):
    project = Project(tmp_path / "it's a project")
    with Emulator(project, arguments=["--tls-intercept"]):
        text = project.herald("emulator", "--print-setup").expect(0).out
        line = re.search(r"^  (export SSL_CERT_FILE=.*?)  ", text, re.MULTILINE)[1]
        shown = subprocess.run(["bash", "-c", line + '; echo -n "$SSL_CERT_FILE"'], capture_output=True, text=True)
        assert shown.stdout == running(project)["ca"]


def test_print_setup_without_tls_shows_how_to_enable_it(project):
    with Emulator(project):
        text = project.herald("emulator", "--print-setup").expect(0).out
    assert "--tls-intercept" in text
    assert "export" not in text


@pytest.mark.parametrize("arguments, problem", [
    (["--tls-port", "65536"], "a port must be from 0 to 65535"),
    (["--proxy-port", "0"], "--proxy-port requires --tls-intercept"),
    (["--max-streams", "0"], "--max-streams must be from 1 to 1000000"),
])
def test_rejects_invalid_option_values(project, arguments, problem):
    project.herald("emulator", *arguments).expect(64, problem)
