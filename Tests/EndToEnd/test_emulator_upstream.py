"""Messages from the emulator's phones to app servers: over XMPP to `herald listen`, slixmpp and bytes in a test."""

import json
import signal
import subprocess
import sys
import textwrap

import pytest

from app_server import AppServer
from herald import DEADLINE, Emulator, Project, device, eventually, token
from listeners import Listener, inbox
from test_upstream import AUDIENCE, RULES
from xmpp_servers import KEY, SENDER

HEADER = ("environments: { local: { emulator: {}, "
          f'upstream: {{ sender_id: "{SENDER}", server_key: env:UPSTREAM_SERVER_KEY }} }} }}\n')
ADDRESS = f"{SENDER}@gcm.googleapis.com"
PHONES = [token(n) for n in range(12)]
# Android, Apple and web.
ANDROID, APPLE, WEB = PHONES[:3]
LEAVER, OTHER = PHONES[3], PHONES[4]


def project_of(folder):
    project = Project(folder / "project", header=HEADER, topics=["tides", "azores"])
    project.list("anglers", PHONES)
    project.write("campaigns/anglers.yaml", AUDIENCE.format(rejoin="false"))
    project.write("campaigns/rules.yaml", RULES)
    return project


@pytest.fixture
def project(tmp_path):
    return project_of(tmp_path)


@pytest.fixture
def emulator(project, request):
    arguments = ["--xmpp-port", "0", *getattr(request, "param", [])]
    with Emulator(project, arguments=arguments, env={"UPSTREAM_SERVER_KEY": KEY}) as emulator:
        emulator.install(PHONES)
        yield emulator


def upstream(registration):
    return f"/emulator/v1/devices/{device(registration)}/upstream"


def reply(emulator, registration, message_id, **fields):
    """Makes the app on a phone call `sendMessage`."""
    body = {"message": {"answer": "yes"}, "message_id": message_id} | fields
    return emulator.post(upstream(registration), body)


def states(emulator, registration):
    return {one["message_id"]: one["state"] for one in emulator.get(upstream(registration))["messages"]}


def has_state(emulator, registration, message_id, state):
    eventually(lambda: states(emulator, registration)[message_id] == state, f"{message_id} is {state}")


def listener_of(project, emulator):
    running = json.loads((project.folder / ".herald/emulator/running.json").read_text())
    return Listener(project, "--server", running["xmpp"], "--ca-file", running["ca"])


# From a phone to herald's inbox

@pytest.mark.covers("U05", "U06", "U08", "U09", "U14", "U15")
def test_a_message_of_a_phone_is_stored_acknowledged_and_reported_to_its_app(project, emulator):
    with listener_of(project, emulator):
        emulator.post(upstream(ANDROID), {
            "message": {"answer": "yes", "number": 3, "list": []}, "to": ADDRESS, "message_id": "m-1",
            "time_to_live": 3600, "category": "com.example.tidewatch"})
        has_state(emulator, ANDROID, "m-1", "acknowledged")
    assert inbox(project) == [{
        "sender": SENDER, "from": ANDROID, "id": "m-1", "category": "com.example.tidewatch", "ttl": 3600,
        "data": {"answer": "yes"}}]

    def callbacks():
        return emulator.get(upstream(ANDROID))["messages"][0]["callbacks"]

    assert [one["callback"] for one in eventually(callbacks, "the app learns of it")] == ["success"]
    events = emulator.get(f"/emulator/v1/devices/{device(ANDROID)}/log")["events"]
    assert [(one["event"], one["message_id"]) for one in events] == [("send_message", "m-1"), ("send_success", "m-1")]


def test_an_opt_out_on_a_phone_ends_topic_and_list_sends(project, emulator):
    project.apply().expect(0)
    assert all("tides" in emulator.topics(phone) for phone in PHONES)
    with listener_of(project, emulator):
        reply(emulator, LEAVER, "m-1", message={"action": "opt-out"})
        has_state(emulator, LEAVER, "m-1", "acknowledged")
    project.herald("plan").expect(0, "1 member left topic tides with a message (upstream)", "1 leave")
    project.apply().expect(0)
    assert "tides" not in emulator.topics(LEAVER)
    project.campaign("tide", "{ topic: tides }")
    project.apply().expect(0)
    received = {phone: json.dumps(emulator.get(f"/emulator/v1/devices/{device(phone)}/inbox")) for phone in (LEAVER, OTHER)}
    assert '"tide"' in received[OTHER]
    assert '"tide"' not in received[LEAVER]
    project.write("campaigns/anglers.yaml", AUDIENCE.format(rejoin="true"))
    project.apply().expect(0)
    assert "tides" not in emulator.topics(LEAVER)
    project.herald("history", "2").expect(0, "1 left (upstream)")


@pytest.mark.covers("U07", "U12", "U13")
def test_an_apple_phone_sends_in_the_foreground(project, emulator):
    for number in range(30):
        assert reply(emulator, APPLE, f"m-{number}")["connected"] is False
    assert set(states(emulator, APPLE).values()) == {"waiting"}
    with listener_of(project, emulator):
        emulator.patch(f"/emulator/v1/devices/{device(APPLE)}", {"foreground": True})
        eventually(lambda: set(states(emulator, APPLE).values()) == {"acknowledged"}, "all 30 are acknowledged")
        emulator.patch(f"/emulator/v1/devices/{device(APPLE)}", {"foreground": False})
        reply(emulator, APPLE, "later")
        assert states(emulator, APPLE)["later"] == "waiting"
        emulator.patch(f"/emulator/v1/devices/{device(APPLE)}", {"direct_channel": False, "foreground": True})
        assert states(emulator, APPLE)["later"] == "waiting"
        emulator.patch(f"/emulator/v1/devices/{device(APPLE)}", {"direct_channel": True})
        has_state(emulator, APPLE, "later", "acknowledged")
    assert [row["id"] for row in inbox(project)] == [f"m-{number}" for number in range(30)] + ["later"]


@pytest.mark.covers("U13", "U15")
def test_an_android_phone_stores_20_waiting_messages(emulator):
    emulator.patch(f"/emulator/v1/devices/{device(ANDROID)}", {"online": False})
    for number in range(1, 22):
        reply(emulator, ANDROID, f"m-{number}")
    last = eventually(
        lambda: next((one for one in emulator.get(upstream(ANDROID))["messages"] if one["callbacks"]), None), "a callback")
    assert (last["message_id"], last["state"], last["error"]) == ("m-21", "failed", "TOO_MANY_MESSAGES")
    assert last["callbacks"][0]["error"] == "TOO_MANY_MESSAGES"
    counts = emulator.get("/emulator/v1/upstream")
    assert (counts["waiting"], counts["failed"]) == (20, 1)


@pytest.mark.covers("U11", "U16")
@pytest.mark.parametrize("emulator", [["--clock", "virtual", "--at", "2037-03-20T07:30:00Z"]], indirect=True)
def test_a_message_that_no_app_server_takes_expires_and_its_app_learns_of_it(emulator):
    reply(emulator, ANDROID, "m-1", time_to_live=60)
    assert states(emulator, ANDROID) == {"m-1": "sent"}
    emulator.put("/emulator/v1/clock", {"advance": "61s"})
    message = emulator.get(upstream(ANDROID))["messages"][0]
    assert (message["state"], message["error"], message["failed_at"]) == (
        "failed", "TTL_EXCEEDED", "2037-03-20T07:31:00.000Z")
    assert message["callbacks"] == [
        {"callback": "success", "at": "2037-03-20T07:30:01.000Z", "decided_at": "2037-03-20T07:30:00.000Z"},
        {"callback": "failure", "at": "2037-03-20T07:31:01.000Z", "decided_at": "2037-03-20T07:31:00.000Z",
         "error": "TTL_EXCEEDED"}]
    with AppServer(emulator) as server:
        assert server.is_silent()


# Bytes of the protocol

@pytest.mark.covers("U05", "U17", "U18")
def test_the_stanza_is_that_of_the_documents(emulator):
    with AppServer(emulator) as server:
        reply(emulator, ANDROID, "m-1", message={"hello": "<world> & \"more\""}, category="com.example.yourapp",
              time_to_live=60)
        server.until("</message>")
        assert server.received.endswith(
            b'<message id=""><gcm xmlns="google:mobile:data">{"category":"com.example.yourapp",'
            b'"data":{"hello":"&lt;world&gt; &amp; \\"more\\""},"time_to_live":60,"message_id":"m-1",'
            b'"from":"' + ANDROID.encode() + b'"}</gcm></message>')


@pytest.mark.covers("F4-xmpp")
def test_a_connection_holds_100_unacknowledged_messages(emulator):
    for number in range(130):
        reply(emulator, ANDROID, f"m-{number}")
    with AppServer(emulator) as server:
        messages = server.messages(100)
        assert [one["message_id"] for one in messages] == [f"m-{number}" for number in range(100)]
        assert server.is_silent()
        server.acknowledge(*messages[:30])
        assert [one["message_id"] for one in server.messages(30)] == [f"m-{number}" for number in range(100, 130)]
    eventually(lambda: emulator.get("/emulator/v1/upstream")["acknowledged"] == 30, "30 acknowledged")


@pytest.mark.covers("U19", "U20")
def test_what_a_lost_connection_did_not_acknowledge_is_sent_again(emulator):
    for number in range(3):
        reply(emulator, ANDROID, f"m-{number}")
    with AppServer(emulator) as server:
        server.acknowledge(server.messages(3)[1])
        has_state(emulator, ANDROID, "m-1", "acknowledged")
    with AppServer(emulator) as server:
        again = server.messages(2)
        assert [one["message_id"] for one in again] == ["m-0", "m-2"]
        with AppServer(emulator) as other:
            # Only the connection of a message may acknowledge it.
            other.acknowledge(again[0])
            nack = other.messages(1)[0]
            assert (nack["message_type"], nack["error"], nack["message_id"]) == ("nack", "BAD_ACK", "m-0")
        assert states(emulator, ANDROID)["m-0"] == "sent"
        server.acknowledge(*again)
        has_state(emulator, ANDROID, "m-2", "acknowledged")


def test_draining_moves_the_messages_to_another_connection(emulator):
    with AppServer(emulator) as old:
        reply(emulator, ANDROID, "m-1")
        first = old.messages(1)[0]
        emulator.post("/emulator/v1/upstream/drain")
        assert old.messages(1) == [{"message_type": "control", "control_type": "CONNECTION_DRAINING"}]
        reply(emulator, ANDROID, "m-2")
        with AppServer(emulator) as new:
            assert new.messages(1)[0]["message_id"] == "m-2"
            old.acknowledge(first)
            has_state(emulator, ANDROID, "m-1", "acknowledged")
            assert old.closed().endswith("</stream:stream>")


def test_a_restart_keeps_messages_and_acknowledgements(project, emulator):
    for name in ("m-1", "m-2"):
        reply(emulator, ANDROID, name)
    with AppServer(emulator) as server:
        server.acknowledge(server.messages(2)[0])
        has_state(emulator, ANDROID, "m-1", "acknowledged")
    emulator.kill()
    with Emulator(project, arguments=["--xmpp-port", "0"]) as again:
        assert states(again, ANDROID) == {"m-1": "acknowledged", "m-2": "sent"}
        with AppServer(again) as server:
            assert server.messages(1)[0]["message_id"] == "m-2"
            assert server.is_silent()


@pytest.mark.parametrize("emulator", [["--server-key", "env:UPSTREAM_SERVER_KEY"]], indirect=True)
def test_a_wrong_password_is_refused(emulator):
    assert "<not-authorized/></failure>" in AppServer(emulator, key="wrong").login().closed()
    assert "<not-authorized/></failure>" in AppServer(emulator, sender="someone").login().closed()
    with AppServer(emulator):
        assert emulator.get("/emulator/v1/upstream")["connections"] == 1


@pytest.mark.parametrize("text", [
    "<!DOCTYPE x [<!ENTITY a 'b'>]>", "<message>&bomb;</message>", "<message></iq>", "<!-- x -->",
    "<message>" + "x" * 70_000])
def test_forbidden_xml_ends_the_stream(emulator, text):
    with AppServer(emulator) as server:
        server.say(text)
        assert "<stream:error>" in server.closed()
    with AppServer(emulator):
        pass


@pytest.mark.parametrize("text", ["random text", "[]", '{"message_id": "m-1"}', '{"message_type": "what"}'])
def test_unusable_json_is_answered_with_a_stanza_error(emulator, text):
    with AppServer(emulator) as server:
        server.send(text, stanza_id="s-7")
        server.until("</message>")
        assert b'<message id="s-7" type="error">' in server.received
        assert b'<error code="400" type="modify"><bad-request' in server.received


def test_a_message_to_a_phone_is_acknowledged_or_refused(emulator):
    with AppServer(emulator) as server:
        server.send({"to": ANDROID, "message_id": "s-1", "data": {"answer": "thanks"}, "time_to_live": 60})
        assert server.messages(1) == [{"from": ANDROID, "message_id": "s-1", "message_type": "ack"}]
        server.send({"to": "nobody:token", "message_id": "s-2", "data": {}})
        nack = server.messages(1)[0]
        assert (nack["message_type"], nack["error"], nack["message_id"]) == ("nack", "DEVICE_UNREGISTERED", "s-2")
    received = emulator.get(f"/emulator/v1/devices/{device(ANDROID)}/inbox")["received"]
    assert [one["data"] for one in received] == [{"answer": "thanks"}]


def test_a_receipt_follows_the_delivery_and_is_sent_until_it_is_acknowledged(project, emulator):
    emulator.patch(f"/emulator/v1/devices/{device(ANDROID)}", {"online": False})
    request = {"to": ANDROID, "message_id": "s-1", "data": {"answer": "thanks"}, "delivery_receipt_requested": True}
    with AppServer(emulator) as server:
        server.send(request)
        assert server.messages(1)[0]["message_type"] == "ack"
        assert server.is_silent()
        emulator.patch(f"/emulator/v1/devices/{device(ANDROID)}", {"online": True})
        receipt = server.messages(1)[0]
        assert receipt["data"].pop("message_sent_timestamp").isdigit()
        assert receipt == {
            "category": "com.example.app", "message_id": "dr2:s-1", "message_type": "receipt", "from": "gcm.googleapis.com",
            "data": {"message_status": "MESSAGE_SENT_TO_DEVICE", "original_message_id": "s-1",
                     "device_registration_id": ANDROID}}
    with listener_of(project, emulator) as listener:
        listener.wait_for("Connection 1 is open")
        eventually(lambda: [row["id"] for row in inbox(project)] == ["dr2:s-1"], "herald stores the receipt")
        # It acknowledges what it has stored before it ends.
        listener.running.signal(signal.SIGTERM)
        listener.running.process.wait(DEADLINE)
    with AppServer(emulator) as server:
        assert server.is_silent()


@pytest.mark.covers("F4-xmpp")
@pytest.mark.parametrize("emulator", [["--clock", "virtual", "--at", "2037-03-20T07:30:00Z"]], indirect=True)
def test_the_401st_connect_of_a_minute_is_refused(emulator):
    for _ in range(400):
        AppServer(emulator).connect().cut()
    refused = AppServer(emulator).login().until("<success")
    refused.received = b""
    refused.say("<stream:stream to='fcm.googleapis.com' version='1.0' xmlns='jabber:client' "
                "xmlns:stream='http://etherx.jabber.org/streams'>"
                "<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>")
    assert "more than 400 connects in a minute" in refused.closed()
    emulator.put("/emulator/v1/clock", {"advance": "60s"})
    with AppServer(emulator):
        pass


def test_a_message_reaches_the_app_servers_of_its_project(project, emulator):
    emulator.put("/emulator/v1/projects/second", {"sender_id": "7"})
    emulator.post("/emulator/v1/devices?project=second", [{"name": "phone", "platform": "android", "registration": "second:1"}])
    body = {"message": {"answer": "no"}, "message_id": "m-1"}
    foreign = emulator.post("/emulator/v1/devices/phone/upstream?project=second", body | {"to": ADDRESS, "message_id": "m-2"})
    assert foreign["message_id"] == "m-2"
    emulator.post("/emulator/v1/devices/phone/upstream?project=second", body)
    shown = emulator.get("/emulator/v1/devices/phone/upstream?project=second")["messages"]
    assert [(one["message_id"], one["state"], one.get("error")) for one in shown] == [
        ("m-2", "failed", "INVALID_PARAMETERS"), ("m-1", "sent", None)]
    with AppServer(emulator) as first, AppServer(emulator, sender="7") as second:
        message = second.messages(1)[0]
        assert (message["message_id"], message["from"]) == ("m-1", "second:1")
        second.acknowledge(message)
        eventually(lambda: emulator.get("/emulator/v1/upstream?project=second")["acknowledged"] == 1, "acknowledged")
        assert first.is_silent()
        assert emulator.get("/emulator/v1/upstream")["acknowledged"] == 0


def test_a_phone_that_was_offline_is_heard_after_later_messages_of_others(emulator):
    emulator.patch(f"/emulator/v1/devices/{device(ANDROID)}", {"online": False})
    reply(emulator, ANDROID, "first")
    with AppServer(emulator) as server:
        reply(emulator, LEAVER, "second")
        message = server.messages(1)[0]
        assert message["message_id"] == "second"
        server.acknowledge(message)
        emulator.patch(f"/emulator/v1/devices/{device(ANDROID)}", {"online": True})
        assert server.messages(1)[0]["message_id"] == "first"


def test_a_dropped_project_closes_its_connections_and_gets_nothing_of_others(emulator):
    phones = "/emulator/v1/devices?project=second"
    phone = [{"name": "phone", "platform": "android", "registration": "second:1"}]
    emulator.put("/emulator/v1/projects/second", {"sender_id": "7"})
    emulator.post(phones, phone)
    with AppServer(emulator, sender="7") as server:
        emulator.post("/emulator/v1/devices/phone/upstream?project=second", {"message": {"answer": "no"}, "message_id": "m-1"})
        server.acknowledge(*server.messages(1))
        emulator.ask("DELETE", "/emulator/v1/projects/second")
        reply(emulator, ANDROID, "of the default project")
        assert server.closed()
    assert states(emulator, ANDROID) == {"of the default project": "sent"}
    assert [one["default"] for one in emulator.get("/emulator/v1/projects")["projects"]] == [True]
    emulator.put("/emulator/v1/projects/second", {"sender_id": "7"})
    emulator.post(phones, phone)
    with AppServer(emulator, sender="7") as server:
        emulator.post("/emulator/v1/devices/phone/upstream?project=second", {"message": {"answer": "no"}, "message_id": "m-2"})
        assert [one["message_id"] for one in server.messages(1)] == ["m-2"]


@pytest.mark.parametrize("emulator", [["--project-id", "abc"], ["--require-tokens"]], indirect=True)
def test_a_message_reaches_a_phone_of_the_default_project(emulator):
    with AppServer(emulator) as server:
        server.send({"to": ANDROID, "message_id": "s-1", "data": {"answer": "thanks"}})
        assert server.messages(1)[0]["message_type"] == "ack"


# slixmpp, an independent implementation, as the app server

SLIXMPP = textwrap.dedent("""
    import asyncio, json, ssl, sys
    from xml.etree import ElementTree
    from slixmpp import ClientXMPP
    from slixmpp.xmlstream.handler import Callback
    from slixmpp.xmlstream.matcher import MatchXPath
    sender, key, host, port, authority, count = sys.argv[1:]

    class Server(ClientXMPP):
        def __init__(self):
            super().__init__(f"{sender}@fcm.googleapis.com", key)
            self.ca_certs, self.received = authority, []
            self.done = asyncio.get_event_loop().create_future()
            path = "{jabber:client}message/{google:mobile:data}gcm"
            self.register_handler(Callback("gcm", MatchXPath(path), self.take))

        def take(self, stanza):
            message = json.loads(stanza.xml.find("{google:mobile:data}gcm").text)
            self.received.append(message)
            answer = self.make_message(mto="gcm.googleapis.com")
            element = ElementTree.Element("{google:mobile:data}gcm")
            element.text = json.dumps({"to": message["from"], "message_id": message["message_id"], "message_type": "ack"})
            answer.append(element)
            answer.send()
            if len(self.received) == int(count):
                self.done.set_result(None)

    async def main():
        server = Server()
        server.enable_direct_tls, server.enable_starttls, server.enable_plaintext = True, False, False
        server.connect(host, int(port))
        await asyncio.wait_for(server.done, 30)
        await asyncio.sleep(0.5)
        print(json.dumps(server.received))

    asyncio.run(main())
""")


@pytest.mark.covers("U05", "U19")
def test_slixmpp_receives_and_acknowledges_messages(project, emulator):
    for number in range(5):
        reply(emulator, ANDROID, f"m-{number}", message={"text": "Olá <&> \"ç\""})
    running = json.loads((project.folder / ".herald/emulator/running.json").read_text())
    host, port = running["xmpp"].rsplit(":", 1)
    answer = subprocess.run(
        [sys.executable, "-c", SLIXMPP, SENDER, KEY, host, port, running["ca"], "5"],
        capture_output=True, text=True, timeout=60)
    assert answer.returncode == 0, answer.stderr
    received = json.loads(answer.stdout)
    assert [one["message_id"] for one in received] == [f"m-{number}" for number in range(5)]
    assert received[0]["data"] == {"text": "Olá <&> \"ç\""}
    eventually(lambda: set(states(emulator, ANDROID).values()) == {"acknowledged"}, "all are acknowledged")


# The command and the options

def test_the_command_sends_a_message(project, emulator):
    name = device(ANDROID)
    project.herald("emulator", "send-upstream", name, "answer=a=b", "--message-id", "m-1").expect(
        0, "Message m-1 was passed to FCM.")
    project.herald("emulator", "send-upstream", device(APPLE), "answer=yes", "--message-id", "m-2").expect(
        0, "Message m-2 waits on the device, whose app has no connection.")
    message = emulator.get(upstream(ANDROID))["messages"][0]
    assert (message["data"], message["time_to_live"]) == ({"answer": "a=b"}, 2_419_200)
    project.herald("emulator", "send-upstream", device(WEB), "answer=yes").expect(64, "Web apps cannot send messages")
    project.herald("emulator", "send-upstream", "pixel-9", "answer=yes").expect(1, "no device")
    project.herald("emulator", "send-upstream", name, "answer").expect(64, "`answer` is not KEY=VALUE")


@pytest.mark.parametrize("arguments, words", [
    (["--xmpp-port", "65536"], "a port must be from 0 to 65535"),
    (["--server-key", "env:UPSTREAM_SERVER_KEY"], "--server-key requires --xmpp-port"),
    (["--xmpp-port", "0", "--host", "0.0.0.0"], "--xmpp-port with --host 0.0.0.0 needs --server-key"),
    (["--xmpp-port", "0", "--server-key", "env:NO_SUCH_VARIABLE"], "NO_SUCH_VARIABLE"),
])
def test_wrong_options_are_refused(project, arguments, words):
    project.herald("emulator", "--port", "0", *arguments).expect(64, words)
