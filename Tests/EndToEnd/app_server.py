"""An app server that is written out byte by byte, for the XMPP port of the emulator."""

import base64
import contextlib
import json
import re
import socket
import ssl
import time

from herald import DEADLINE
from xmpp_servers import KEY, NAMESPACE, SENDER, escaped, unescaped

HEADER = ("<?xml version='1.0'?><stream:stream to='fcm.googleapis.com' version='1.0' xmlns='jabber:client' "
          "xmlns:stream='http://etherx.jabber.org/streams'>")
STANZA = re.compile(rb'<message id=""><gcm xmlns="google:mobile:data">([^<]*)</gcm></message>')


class AppServer:
    """One connection of an app server. It acknowledges only what a test acknowledges."""

    def __init__(self, emulator, sender=SENDER, key=KEY):
        running = json.loads((emulator.project.folder / ".herald/emulator/running.json").read_text())
        host, port = running["xmpp"].rsplit(":", 1)
        # The default domain of `herald listen`.
        context = ssl.create_default_context(cafile=running["ca"])
        plain = socket.create_connection((host, int(port)), DEADLINE)
        self.socket = context.wrap_socket(plain, server_hostname="fcm.googleapis.com")
        self.socket.settimeout(DEADLINE)
        self.sender, self.key = sender, key
        self.received = b""
        self.taken = 0

    def __enter__(self):
        return self.connect()

    def __exit__(self, *_):
        self.cut()

    def cut(self):
        with contextlib.suppress(OSError):
            self.socket.close()

    def say(self, text):
        self.socket.sendall(text.encode())

    def until(self, mark, deadline=DEADLINE):
        """Reads until a text has arrived."""
        end = time.monotonic() + deadline
        while mark.encode() not in self.received:
            assert time.monotonic() < end, self.received[-500:]
            data = self.socket.recv(65_536)
            assert data, f"the emulator closed the connection after {self.received[-500:]}"
            self.received += data
        return self

    def closed(self):
        """Reads until the emulator closes the connection, and returns everything."""
        with contextlib.suppress(OSError):
            while data := self.socket.recv(65_536):
                self.received += data
        return self.received.decode()

    def login(self):
        proof = base64.b64encode(f"\0{self.sender}@gcm.googleapis.com\0{self.key}".encode()).decode()
        self.say(HEADER)
        self.until("</stream:features>")
        self.say(f"<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>{proof}</auth>")
        return self

    def connect(self):
        self.login().until("<success")
        self.received = b""
        self.say(HEADER)
        self.until("</stream:features>")
        self.received = b""
        self.say("<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>")
        return self.until("</iq>")

    def messages(self, count, deadline=DEADLINE):
        """The next `count` messages, when they have arrived."""
        end = time.monotonic() + deadline
        while True:
            found = STANZA.findall(self.received)
            if len(found) >= self.taken + count:
                texts = found[self.taken:self.taken + count]
                self.taken += count
                return [json.loads(unescaped(text.decode())) for text in texts]
            assert time.monotonic() < end, (len(found) - self.taken, self.received[-500:])
            self.received += self.socket.recv(65_536)

    def is_silent(self, seconds=1.0):
        """Whether nothing arrives for a time."""
        self.socket.settimeout(seconds)
        try:
            self.received += self.socket.recv(65_536)
            return False
        except TimeoutError:
            return True
        finally:
            self.socket.settimeout(DEADLINE)

    def send(self, message, stanza_id=""):
        text = message if isinstance(message, str) else json.dumps(message)
        self.say(f'<message id="{stanza_id}"><gcm xmlns="{NAMESPACE}">{escaped(text)}</gcm></message>')

    def acknowledge(self, *messages):
        for message in messages:
            self.send({"to": message["from"], "message_id": message["message_id"], "message_type": "ack"})
