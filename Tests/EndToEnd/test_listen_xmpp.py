"""`herald listen` over XMPP: a server that is written out byte by byte, and Prosody with a component of slixmpp."""

import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import time

import pytest

from herald import binary, eventually
from listeners import Listener, inbox, listening_project, post, signed
from xmpp_component import Component
from xmpp_servers import COMPONENT, DOMAIN, KEY, NAMESPACE, SENDER, DirectServer, Prosody, certificate, stanza, upstream

DRAINING = {"message_type": "control", "control_type": "CONNECTION_DRAINING"}


@pytest.fixture
def project(tmp_path):
    return listening_project(tmp_path / "project")


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    return certificate(tmp_path_factory.mktemp("certificates"))


def arguments(server, paths, *more):
    return ("--server", f"127.0.0.1:{server.port}", "--ca-file", paths[0], *more)


@pytest.fixture
def server(paths):
    with DirectServer(paths) as running:
        yield running


@pytest.fixture
def listener(project, server, paths):
    with Listener(project, *arguments(server, paths)) as running:
        yield running


def ids(project):
    return [item["id"] for item in inbox(project)]


# The stanzas of the documents

@pytest.mark.covers("U01", "U04", "U17", "U18", "U19")
def test_the_documented_stanza_is_stored_and_acknowledged_byte_for_byte(project, server, listener):
    link = server.link()
    # "Send upstream messages on iOS": FCM adds `category` and `from`.
    link.send('<message id="">\n  <gcm xmlns="google:mobile:data">\n  {\n'
              '      "category":"com.example.yourapp", \n'
              '      "data":\n      {\n          "hello":"world"\n      },\n'
              '      "message_id":"m-123",\n      "from":"REGID"\n  }\n  </gcm>\n</message>')
    link.wait(lambda it: it.ids() == ["m-123"])
    assert link.received.endswith(
        b'<message id=""><gcm xmlns="google:mobile:data">'
        b'{"to":"REGID","message_id":"m-123","message_type":"ack"}</gcm></message>')
    assert inbox(project) == [{"sender": SENDER, "from": "REGID", "id": "m-123", "category": "com.example.yourapp",
                               "data": {"hello": "world"}}]


def test_the_stream_is_that_of_the_documents(server, listener):
    server.link()
    assert len(server.auths) == 1
    auth = server.auths[0]
    assert 'mechanism="PLAIN"' in auth and 'xmlns="urn:ietf:params:xml:ns:xmpp-sasl"' in auth


def test_a_receipt_is_stored_and_acknowledged_to_its_sender(project, server, listener):
    link = server.link()
    receipt = {"category": "com.example.yourapp",
               "data": {"message_status": "MESSAGE_SENT_TO_DEVICE", "original_message_id": "m-1366082849205",
                        "device_registration_id": "REGISTRATION_ID", "message_sent_timestamp": "1430277821658"},
               "message_id": "dr2:m-1366082849205", "message_type": "receipt", "from": "gcm.googleapis.com"}
    link.send(stanza(receipt))
    link.wait(lambda it: it.acknowledged == [
        {"to": "gcm.googleapis.com", "message_id": "dr2:m-1366082849205", "message_type": "ack"}])
    assert inbox(project)[0]["from"] == "REGISTRATION_ID"


@pytest.mark.parametrize("code", [
    "INVALID_JSON", "BAD_REGISTRATION", "DEVICE_UNREGISTERED", "BAD_ACK", "SERVICE_UNAVAILABLE", "INTERNAL_SERVER_ERROR",
    "DEVICE_MESSAGE_RATE_EXCEEDED", "TOPICS_MESSAGE_RATE_EXCEEDED"])
def test_a_nack_is_named_and_counted(server, listener, code):
    server.link().send(stanza({"message_type": "nack", "message_id": "m-1", "from": "REGID", "error": code,
                               "error_description": "because"}))
    listener.wait_for(f"The XMPP server refused a stanza: {code} (because)")
    assert listener.metric("herald_xmpp_refused_total", code=code) == 1


def test_a_stanza_error_is_named_and_counted(server, listener):
    server.link().send('<message id="3" type="error"><gcm xmlns="google:mobile:data">x</gcm><error code="400" type="modify">'
                       '<bad-request xmlns="urn:ietf:params:xml:ns:xmpp-stanzas"/>'
                       '<text xmlns="urn:ietf:params:xml:ns:xmpp-stanzas">InvalidJson: JSON_PARSING_ERROR</text>'
                       "</error></message>")
    listener.wait_for("stanza error 400 (InvalidJson: JSON_PARSING_ERROR)")
    assert listener.metric("herald_xmpp_refused_total", code="stanza_error") == 1


# Connections

def test_draining_opens_a_connection_and_finishes_on_the_old_one(project, server, listener):
    first = server.link()
    first.send(stanza(upstream(1)), stanza(DRAINING), stanza(upstream(2)))
    second = server.link(2)
    second.send(stanza(upstream(3)))
    first.send(stanza(upstream(4)))
    first.wait(lambda it: it.ids() == ["m-1", "m-2", "m-4"])
    second.wait(lambda it: it.ids() == ["m-3"])
    assert sorted(ids(project)) == ["m-1", "m-2", "m-3", "m-4"]
    assert listener.metric("herald_xmpp_drained_total") == 1


@pytest.mark.covers("U03", "U20")
def test_a_redelivery_is_acknowledged_again_and_stored_once(project, server, listener):
    first = server.link()
    first.send(stanza(upstream(1)))
    first.wait(lambda it: it.ids() == ["m-1"])
    first.cut()
    second = server.link(2)
    second.send(stanza(upstream(1)))
    second.wait(lambda it: it.ids() == ["m-1"])
    assert ids(project) == ["m-1"]
    assert listener.metric("herald_upstream_messages_total", transport="xmpp", result="duplicate") == 1


def test_another_content_of_an_id_is_reported(project, server, listener):
    link = server.link()
    link.send(stanza(upstream(1)), stanza(upstream(1, data={"answer": "another"})))
    listener.wait_for("have the ID of a stored message and other content")
    assert [item["data"] for item in inbox(project)] == [{"answer": "yes 1"}]


def test_keeps_the_wanted_number_of_connections(project, server, paths):
    with Listener(project, *arguments(server, paths, "--connections", "4")) as listener:
        server.link(4)
        eventually(lambda: listener.metric("herald_xmpp_connections") == 4, "4 connections")
        server.link(2).cut()
        server.link(5)
        eventually(lambda: listener.metric("herald_xmpp_connections") == 4, "4 connections again")
        assert server.attempts == 5


def test_holds_at_most_100_unacknowledged_messages(project, server, listener):
    """A server that ignores the limit loses nothing: what is not acknowledged, it sends again."""
    link = server.link()
    blocked = project.folder / ".herald/local.inbox.sqlite"
    with sqlite3.connect(blocked, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        link.send(*[stanza(upstream(n)) for n in range(1, 151)])
        listener.wait_for("more than 100 unacknowledged messages")
        second = server.link(2)
        other.execute("ROLLBACK")
    link.wait(lambda it: len(it.ids()) == 100)
    second.send(*[stanza(upstream(n)) for n in range(101, 151)])
    second.wait(lambda it: len(it.ids()) == 50)
    assert len(set(ids(project))) == 150


# Bad input

BAD = [
    ("{", "not_json"),
    ("", "not_json"),
    ("[]", "not_an_object"),
    (json.dumps(upstream(1, message_id="")), "empty_member"),
    (json.dumps(upstream(1, **{"from": ""})), "empty_member"),
    (json.dumps(upstream(1, data={"n": 1})), "not_a_string_pair"),
    (json.dumps(upstream(1, to="999@gcm.googleapis.com")), "foreign_sender"),
    (json.dumps(upstream(1)).ljust(4_097), "too_large"),
    ("[" * 4_000, "not_json"),
    ('{"from":"a","from":"b"}', "repeated_key"),
    (json.dumps({"message_type": "receipt", "message_id": "dr2:1", "from": "gcm.googleapis.com", "category": "c",
                 "data": {"device_registration_id": "not a registration"}}), "invalid_registration"),
]


@pytest.mark.parametrize("text, name", BAD)
def test_bad_messages_are_named_counted_and_not_acknowledged(project, server, listener, text, name):
    link = server.link()
    link.send(stanza(text), stanza(upstream(2)))
    link.wait(lambda it: it.ids() == ["m-2"])
    listener.wait_for(f"Refused a message over XMPP: {name}")
    assert listener.metric("herald_upstream_refused_total", transport="xmpp", reason=name) == 1
    assert ids(project) == ["m-2"] and link.ids() == ["m-2"]


def test_100_refused_messages_do_not_block_a_connection(project, server, listener):
    link = server.link()
    link.send(*[stanza("{")] * 100)
    listener.wait_for("100 messages on connection 1 are refused")
    second = server.link(2)
    second.send(stanza(upstream(1)))
    second.wait(lambda it: it.ids() == ["m-1"])


def test_stanzas_without_a_meaning_are_ignored(project, server, listener):
    link = server.link()
    link.send("<message><body>hello</body></message>", "<presence/>", '<iq type="get" id="x"><ping xmlns="urn:xmpp:ping"/></iq>',
              stanza({"message_type": "later"}), stanza(upstream(1)))
    link.wait(lambda it: it.ids() == ["m-1"])
    eventually(lambda: listener.metric("herald_xmpp_ignored_total") == 2, "ignored stanzas")


@pytest.mark.parametrize("xml", ["<not><closed></wrong>", f'<message id=""><gcm xmlns="{NAMESPACE}">&unknown;</gcm></message>',
                                 "<message \x01/>"])
def test_broken_xml_ends_the_connection_by_name(project, server, listener, xml):
    first = server.link()
    first.send(stanza(upstream(1)))
    first.wait(lambda it: it.ids() == ["m-1"])
    first.send(xml)
    listener.wait_for("the server sent XML that cannot be read")
    second = server.link(2)
    second.send(stanza(upstream(2)))
    second.wait(lambda it: it.ids() == ["m-2"])


def test_an_entity_bomb_is_refused_at_once(project, paths):
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "lol"}">' for n in range(10))
    with DirectServer(paths, prologue=f'<?xml version="1.0"?><!DOCTYPE bomb [{entities}]>') as server:
        with Listener(project, *arguments(server, paths)) as listener:
            listener.wait_for("the server sent XML that cannot be read")
            assert listener.get("/readyz") == (503, '{"status":"not ready","problem":"unreachable"}\n')
            started = time.monotonic()
            listener.stop().expect(130)
            assert time.monotonic() - started < 5
    assert inbox(project) == []


@pytest.mark.covers("C89")
def test_a_wrong_server_key_is_named(project, server, paths):
    with Listener(project, *arguments(server, paths), env={"UPSTREAM_SERVER_KEY": "another key"}) as listener:
        listener.wait_for("the XMPP server refused the sender ID or the server key")
        assert listener.get("/readyz") == (503, '{"status":"not ready","problem":"credential"}\n')
        assert listener.metric("herald_xmpp_ended_total", end="denied") == 1
        # An operator has to change something: no attempt follows within seconds.
        time.sleep(2)
        assert server.attempts == 1
        assert "another key" not in listener.log


@pytest.mark.parametrize("name, days, reason", [(DOMAIN, -1, "cert has expired"), ("other.example", 30, "hostname mismatch")])
def test_a_wrong_certificate_is_named(project, tmp_path, name, days, reason):
    wrong = certificate(tmp_path, name, days)
    with DirectServer(wrong) as server, Listener(project, *arguments(server, wrong)) as listener:
        listener.wait_for(f"certificate or handshake is refused ({reason})")
        assert listener.get("/readyz") == (503, '{"status":"not ready","problem":"certificate"}\n')
        assert server.links == []


def test_an_unknown_authority_is_named(project, server):
    with Listener(project, "--server", f"127.0.0.1:{server.port}") as listener:
        listener.wait_for("certificate or handshake is refused (depth zero self signed cert)")


def test_a_server_that_is_not_there_is_named(project, paths):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        with Listener(project, "--server", f"127.0.0.1:{port}") as listener:
            listener.wait_for("the XMPP server cannot be reached (Connection refused)")


def test_a_server_that_vanishes_between_store_and_ack(project, server, listener):
    """The message is stored; the redelivery is acknowledged and not stored again."""
    first = server.link()
    eventually((project.folder / ".herald/local.inbox.sqlite").exists, "the inbox")
    with sqlite3.connect(project.folder / ".herald/local.inbox.sqlite", isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        first.send(stanza(upstream(1)))
        time.sleep(0.3)
        first.cut()
        time.sleep(0.3)
        other.execute("ROLLBACK")
    second = server.link(2)
    second.send(stanza(upstream(1)))
    second.wait(lambda it: it.ids() == ["m-1"])
    assert ids(project) == ["m-1"] and first.ids() == []


# Options and ends

def test_xmpp_needs_herald_listen_next_to_herald(project, server, paths, tmp_path):
    alone = tmp_path / "bin/herald"
    alone.parent.mkdir()
    shutil.copy(binary(), alone)
    result = subprocess.run([alone, "listen", *map(str, arguments(server, paths)), "-C", project.folder],
                            capture_output=True, text=True, timeout=60, env={"PATH": os.environ["PATH"]})
    assert result.returncode == 1
    text = " ".join(result.stderr.split())
    assert f"{alone.parent}/herald-listen cannot be started: No such file or directory" in text
    assert "install herald-listen next to herald" in text


def test_herald_has_no_libstrophe():
    for name, expected in (("herald", False), ("herald-listen", True)):
        linked = subprocess.run(["ldd", binary().parent / name], capture_output=True, text=True, check=True).stdout
        assert ("libstrophe" in linked) == expected


def test_a_missing_server_key_is_named(project, server, paths, tmp_path):
    project.herald("listen", *arguments(server, paths), env={}).expect(1, "UPSTREAM_SERVER_KEY is not set")
    bare = listening_project(tmp_path / "bare")
    text = (bare.folder / "herald.yaml").read_text()
    bare.write("herald.yaml", re.sub(r', server_key: "[^"]*"', "", text))
    bare.herald("listen", *arguments(server, paths)).expect(64, "does not declare `upstream.server_key`")


def test_sigterm_acknowledges_what_is_stored_and_exits_with_130(project, server, listener):
    link = server.link()
    link.send(*[stanza(upstream(n)) for n in range(100)])
    link.wait(lambda it: len(it.ids()) > 0)
    listener.running.signal(signal.SIGTERM)
    listener.running.finish().expect(130)
    link.wait(lambda it: it.closed)
    assert set(link.ids()) <= set(ids(project))


def test_one_process_receives_over_both(project, server, paths):
    with Listener(project, *arguments(server, paths), "--http", "--port", "0", "--hmac-key", "env:INTAKE_KEY") as listener:
        server.link().send(stanza(upstream(1)))
        body = json.dumps(upstream(2))
        assert post(listener.messages_url, body, signed(body))[0] == 202
        server.link().wait(lambda it: it.ids() == ["m-1"])
        assert sorted(ids(project)) == ["m-1", "m-2"]


# Prosody, with slixmpp as an independent peer

@pytest.fixture
def component(tmp_path, paths):
    folder = tmp_path / "prosody"
    folder.mkdir()
    with Prosody(folder, paths) as prosody, Component(prosody) as running:
        yield running


@pytest.mark.covers("U14")
def test_through_prosody_each_connection_acknowledges_its_own_messages(project, component, paths):
    server = component.prosody
    with Listener(project, *arguments(server, paths, "--connections", "2", "--announce", COMPONENT)):
        first, second = component.connection(1), component.connection(2)
        component.send(first, upstream(1))
        component.send(second, upstream(2))
        component.wait(lambda it: it.acknowledged(first) == ["m-1"] and it.acknowledged(second) == ["m-2"])
        component.send(first, DRAINING)
        third = component.connection(3)
        for number in range(10, 110):
            component.send(third, upstream(number))
        component.send(first, upstream(3))
        component.wait(lambda it: len(it.acknowledged(third)) == 100 and it.acknowledged(first) == ["m-1", "m-3"])
    component.wait(lambda it: set(it.gone) >= {first, second, third})
    assert len(ids(project)) == 103


@pytest.mark.covers("U21")
def test_slixmpp_writes_and_reads_the_documented_stanzas(project, component, paths):
    server = component.prosody
    message = upstream(1, data={"quote": "\"<&>' ]]>", "unicode": "Grüße 🌊"})
    with Listener(project, *arguments(server, paths, "--announce", COMPONENT)):
        address = component.connection()
        component.send(address, message)
        component.wait(lambda it: it.acknowledged(address) == ["m-1"])
    sender, acknowledgement, xml = component.received[0]
    assert acknowledgement == {"to": message["from"], "message_id": "m-1", "message_type": "ack"}
    assert b"google:mobile:data" in xml and b'id=""' in xml
    assert inbox(project)[0]["data"] == message["data"]


@pytest.mark.covers("C89")
def test_prosody_refuses_a_wrong_server_key(project, component, paths):
    with Listener(project, *arguments(component.prosody, paths), env={"UPSTREAM_SERVER_KEY": KEY + "x"}) as listener:
        listener.wait_for("the XMPP server refused the sender ID or the server key")
