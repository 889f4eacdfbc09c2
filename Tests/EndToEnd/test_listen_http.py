"""`herald listen --http`: messages that an app or its server posts."""

import json
import signal
import ssl
import time
from concurrent.futures import ThreadPoolExecutor

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from herald import eventually, token
from listeners import Listener, inbox, listening_project, post, signed
from xmpp_servers import SENDER, certificate

HTTP = ("--http", "--port", "0", "--hmac-key", "env:INTAKE_KEY")


def message(number=1, **changes):
    return {"category": "com.example.tides", "data": {"answer": "yes"}, "message_id": f"m-{number}",
            "from": token(number)} | changes


def text(number=1, **changes):
    return json.dumps(message(number, **changes))


@pytest.fixture
def project(tmp_path):
    return listening_project(tmp_path / "project")


@pytest.fixture
def listener(project):
    with Listener(project, *HTTP) as running:
        yield running


def send(listener, body, **options):
    return post(listener.messages_url, body, signed(body, **options))


def refusal(answer):
    status, _, body = answer
    return status, body["error"]["code"]


def test_stores_a_signed_message_before_it_answers(project, listener):
    status, headers, body = send(listener, text(to=f"{SENDER}@fcm.googleapis.com", time_to_live=60))
    assert (status, body) == (202, {"message_id": "m-1", "result": "stored"})
    assert headers["Content-Type"] == "application/json"
    assert inbox(project) == [{"sender": SENDER, "from": token(1), "id": "m-1", "category": "com.example.tides", "ttl": 60,
                               "data": {"answer": "yes"}}]
    assert listener.metric("herald_upstream_messages_total", transport="http", result="stored") == 1


def test_a_message_is_stored_once(project, listener):
    body = text()
    assert send(listener, body)[0] == 202
    again = send(listener, body, seconds=int(time.time()) - 1)
    assert (again[0], again[2]["result"]) == (202, "duplicate")
    other = text(data={"answer": "no"})
    assert refusal(send(listener, other)) == (409, "conflicting_content")
    assert [item["data"] for item in inbox(project)] == [{"answer": "yes"}]
    assert listener.metric("herald_upstream_messages_total", transport="http", result="duplicate") == 1
    assert listener.metric("herald_upstream_messages_total", transport="http", result="conflict") == 1


def test_a_copy_of_a_request_is_refused(project, listener):
    body, headers = text(), signed(text())
    assert post(listener.messages_url, body, headers)[0] == 202
    assert refusal(post(listener.messages_url, body, headers)) == (409, "replayed")
    capital = {**headers, "Herald-Signature": "v1=" + headers["Herald-Signature"][3:].upper()}
    assert refusal(post(listener.messages_url, body, capital)) == (409, "replayed")
    assert len(inbox(project)) == 1


def test_a_message_needs_a_proof(project, listener):
    body = text()
    now = int(time.time())
    wrong = [
        ({}, "no_proof"),
        ({"Authorization": "Bearer x.y.z"}, "no_proof"),
        (signed(body, key="another key"), "wrong_signature"),
        (signed(text(2)), "wrong_signature"),
        (signed(body, seconds=now - 302), "signature_time"),
        (signed(body, seconds=now + 310), "signature_time"),
        (signed(body) | {"Herald-Signature": "v2=00"}, "invalid_signature_form"),
        (signed(body) | {"Herald-Timestamp": "today"}, "invalid_signature_form"),
    ]
    for headers, code in wrong:
        assert refusal(post(listener.messages_url, body, headers)) == (401, code)
        assert listener.metric("herald_upstream_refused_total", transport="http", reason=code) > 0
    assert inbox(project) == []


@pytest.mark.parametrize("body, expected", [
    ("{", (400, "not_json")),
    ("", (400, "not_json")),
    (b"\xff{}", (400, "not_json")),
    ("[]", (400, "not_an_object")),
    (text(message_id=""), (400, "empty_member")),
    (text(**{"from": ""}), (400, "empty_member")),
    (text(data={"count": 1}), (400, "not_a_string_pair")),
    (text(data="yes"), (400, "wrong_type")),
    (text(time_to_live=2_419_201), (400, "time_to_live_out_of_range")),
    (text(message_type="ack"), (400, "other_type")),
    (text(**{"from": "not a registration"}), (400, "invalid_registration")),
    (text(to="999@fcm.googleapis.com"), (403, "foreign_sender")),
    ('{"from":"a","from":"b"}', (400, "repeated_key")),
    ("[" * 4_000, (400, "not_json")),
    (text().ljust(4_097), (413, "too_large")),
    ("x" * 65_536, (413, "too_large")),
])
def test_bad_messages_are_named_and_not_stored(project, listener, body, expected):
    assert refusal(send(listener, body)) == expected
    listener.wait_for(expected[1])
    assert listener.metric("herald_upstream_refused_total", transport="http", reason=expected[1]) == 1
    assert inbox(project) == []


def test_accepts_4096_bytes(project, listener):
    assert send(listener, text().ljust(4_096))[0] == 202


def test_a_body_that_is_much_too_long_ends_the_connection(project, listener):
    status, headers, body = send(listener, "x" * 70_000)
    assert (status, headers["Connection"], body) == (413, "close", None)


def test_other_paths_and_methods(listener):
    url = listener.messages_url
    assert refusal(post(url + "/more", text())) == (404, "unknown_path")
    status, headers, body = post(url, "", method="PUT")
    assert (status, headers["Allow"], body["error"]["code"]) == (405, "POST", "wrong_method")


def test_limits_the_messages_of_each_device(project):
    with Listener(project, *HTTP, "--rate", "3") as listener:
        answers = [send(listener, json.dumps(message(1) | {"message_id": f"m-{n}"})) for n in range(4)]
        assert [answer[0] for answer in answers] == [202, 202, 202, 429]
        assert 1 <= int(answers[3][1]["Retry-After"]) <= 60
        assert send(listener, text(2))[0] == 202
    assert len(inbox(project)) == 4


def test_another_machine_needs_tls(project, tmp_path):
    project.herald("listen", *HTTP, "--host", "0.0.0.0").expect(64, "needs --certificate")
    paths = certificate(tmp_path, "localhost")
    with Listener(project, *HTTP, "--host", "0.0.0.0", "--certificate", paths[0],
                  "--certificate-key", paths[1]) as listener:
        url = listener.messages_url.replace("0.0.0.0", "localhost")
        assert url.startswith("https://")
        trusting = ssl.create_default_context(cafile=paths[0])
        body = text()
        assert post(url, body, signed(body), context=trusting)[0] == 202


def test_wrong_options_are_named(project, tmp_path):
    project.herald("listen").expect(64, "give --server for XMPP, or --http, or both")
    project.herald("listen", "--http").expect(64, "--http needs --hmac-key")
    project.herald("listen", *HTTP, env={}).expect(1, "INTAKE_KEY is not set")
    keys = tmp_path / "keys.json"
    keys.write_text("{}")
    project.herald("listen", "--http", "--port", "0", "--token-keys", keys, "--token-project", "p").expect(
        1, "it contains no key")
    bare = listening_project(tmp_path / "bare")
    bare.write("herald.yaml", "version: 1\nproject: bare\ntimezone: UTC\n")
    bare.herald("listen", *HTTP, env={"INTAKE_KEY": "x"}).expect(64, "does not declare `upstream`")


def test_two_listeners_do_not_share_the_inbox_of_a_file(project, listener):
    listener.messages_url
    project.herald("listen", *HTTP, "--lock-timeout", "0", env={"INTAKE_KEY": "x"}).expect(7, "herald listen")


# ID tokens

@pytest.fixture(scope="module")
def issuer():
    return rsa.generate_private_key(public_exponent=65_537, key_size=2_048)


def identity(issuer, project="tides-app", keyid="k1", **changes):
    now = int(time.time())
    claims = {"iss": f"https://securetoken.google.com/{project}", "aud": project, "sub": "user-1", "iat": now - 5,
              "auth_time": now - 5, "exp": now + 600} | changes
    return {"Authorization": "Bearer " + jwt.encode(claims, issuer, algorithm="RS256", headers={"kid": keyid})}


@pytest.fixture
def verifier(project, issuer, tmp_path):
    public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(issuer.public_key()))
    keys = tmp_path / "keys.json"
    keys.write_text(json.dumps({"keys": [public | {"kid": "k1", "alg": "RS256"}]}))
    with Listener(project, "--http", "--port", "0", "--token-keys", keys, "--token-project", "tides-app") as running:
        yield running


def test_accepts_id_tokens_of_the_project(project, verifier, issuer):
    assert post(verifier.messages_url, text(), identity(issuer))[0] == 202
    assert [item["id"] for item in inbox(project)] == ["m-1"]


def test_other_tokens_are_refused_by_name(project, verifier, issuer):
    other = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
    now = int(time.time())
    wrong = [
        ({"Authorization": "Bearer nothing"}, "not_a_token"),
        (identity(issuer, keyid="k2"), "unknown_key"),
        (identity(other), "wrong_token_signature"),
        (identity(issuer, exp=now - 120), "expired_token"),
        (identity(issuer, iat=now + 600), "token_not_yet_valid"),
        (identity(issuer, project="other-app"), "wrong_project"),
        (signed(text()), "no_proof"),
    ]
    for headers, code in wrong:
        assert refusal(post(verifier.messages_url, text(), headers)) == (401, code)
    assert inbox(project) == []


# Ends

def test_sigterm_ends_with_130_and_keeps_what_was_acknowledged(project, listener):
    url = listener.messages_url
    acknowledged = []

    def one(number):
        body = text(number)
        try:
            if post(url, body, signed(body))[0] == 202:
                acknowledged.append(f"m-{number}")
        except OSError:
            pass

    with ThreadPoolExecutor(8) as pool:
        for number in range(400):
            pool.submit(one, number)
        eventually(lambda: len(acknowledged) > 50, "messages")
        listener.running.signal(signal.SIGTERM)
    listener.running.finish().expect(130)
    stored = {item["id"] for item in inbox(project)}
    assert set(acknowledged) <= stored


def test_a_killed_listener_loses_nothing_that_it_acknowledged(project):
    acknowledged, next_number = set(), 0
    for _ in range(5):
        with Listener(project, *HTTP) as listener:
            url = listener.messages_url

            def one(number, url=url):
                body = text(number)
                try:
                    if post(url, body, signed(body))[0] == 202:
                        acknowledged.add(f"m-{number}")
                except OSError:
                    pass

            with ThreadPoolExecutor(8) as pool:
                before = len(acknowledged)
                for number in range(next_number, next_number + 200):
                    pool.submit(one, number)
                eventually(lambda: len(acknowledged) > before + 20, "messages")
                listener.running.kill()
            next_number += 200
    stored = [item["id"] for item in inbox(project)]
    assert acknowledged <= set(stored)
    assert len(stored) == len(set(stored))


def test_health_of_a_listener(listener):
    assert listener.get("/healthz")[0] == 200
    assert listener.get("/readyz") == (200, '{"status":"ready"}\n')
    assert listener.metric("herald_ready") == 1
