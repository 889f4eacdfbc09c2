"""The FCM side of an XMPP server as a component, written with slixmpp: an independent implementation of XMPP."""

import asyncio
import json
import threading
from xml.etree import ElementTree

from slixmpp.componentxmpp import ComponentXMPP
from slixmpp.xmlstream.handler import Callback
from slixmpp.xmlstream.matcher import MatchXPath

from xmpp_servers import COMPONENT, NAMESPACE, Prosody


class Component:
    """Sends messages to the connections of an app server, and records its acknowledgements.

    A connection announces itself by a directed presence; its address has a resource.
    """

    def __init__(self, prosody):
        self.prosody = prosody
        self.connections, self.gone = [], []
        # Of (address, JSON, XML of the stanza).
        self.received = []
        self.changed = threading.Condition()
        self.ready = threading.Event()

    def __enter__(self):
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()
        assert self.ready.wait(30), "the component is not connected"
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.stream.abort)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)

    def _run(self):
        self.loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self.loop)
        self.stream = ComponentXMPP(COMPONENT, Prosody.secret, "127.0.0.1", self.prosody.component)
        self.stream.loop = self.loop
        self.stream.auto_authorize = self.stream.auto_subscribe = None
        self.stream.add_event_handler("session_start", lambda _: self.ready.set())
        path = "{%s}message/{%s}gcm" % (self.stream.default_ns, NAMESPACE)
        self.stream.register_handler(Callback("gcm", MatchXPath(path), self._message))
        path = "{%s}presence" % self.stream.default_ns
        self.stream.register_handler(Callback("presence", MatchXPath(path), self._presence))
        self.stream.connect("127.0.0.1", self.prosody.component)
        self.loop.run_forever()
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.run_until_complete(asyncio.sleep(0))

    def _message(self, stanza):
        element = stanza.xml.find("{%s}gcm" % NAMESPACE)
        with self.changed:
            self.received.append((str(stanza["from"]), json.loads(element.text), ElementTree.tostring(stanza.xml)))
            self.changed.notify_all()

    def _presence(self, stanza):
        with self.changed:
            kind, address = stanza.xml.get("type"), str(stanza["from"])
            if kind is None:
                self.connections.append(address)
            elif kind == "unavailable":
                self.gone.append(address)
            self.changed.notify_all()

    def send(self, address, message):
        """Sends a message as slixmpp writes it."""
        def sending():
            stanza = self.stream.make_message(mto=address, mfrom=COMPONENT)
            element = ElementTree.Element("{%s}gcm" % NAMESPACE)
            element.text = message if isinstance(message, str) else json.dumps(message)
            stanza.append(element)
            stanza.send()
        self.loop.call_soon_threadsafe(sending)

    def wait(self, condition, seconds=30):
        with self.changed:
            assert self.changed.wait_for(lambda: condition(self), seconds), (self.connections, self.received[-5:])

    def connection(self, number=1):
        """The address of the connection with a number, counted from 1, when it has announced itself."""
        self.wait(lambda it: len(it.connections) >= number)
        return self.connections[number - 1]

    def acknowledged(self, address):
        """The IDs that a connection acknowledged, in order."""
        return [json["message_id"] for sender, json, _ in self.received if sender == address]
