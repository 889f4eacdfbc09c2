"""Sends the messages of devices to `herald listen --http`."""

import contextlib
import hashlib
import hmac
import json
import re
import time
import urllib.error
import urllib.request
import uuid

from herald import DEADLINE, eventually

SENDER = "1029384756"
APP = "com.example.tidewatch"
KEY = "upstream-test-key"
# The local environment with an app server.
HEADER = f'environments: {{ local: {{ emulator: {{}}, upstream: {{ sender_id: "{SENDER}" }} }} }}\n'


class Phones:
    """The phones of a project, which send to a listener."""

    def __init__(self, url):
        self.url = url
        self.sent = 0
        self.began = int(time.time())

    def send(self, registration, data, message_id=None):
        """Sends a message, and returns the status and the text of the answer."""
        self.sent += 1
        body = json.dumps({"from": registration, "message_id": message_id or uuid.uuid4().hex, "category": APP,
                           "data": data}).encode()
        # A signature counts once, so that the same message needs another time.
        now = str(self.began - self.sent % 100)
        code = hmac.new(KEY.encode(), now.encode() + b"." + body, hashlib.sha256).hexdigest()
        request = urllib.request.Request(self.url, body, {
            "Content-Type": "application/json", "Herald-Timestamp": now, "Herald-Signature": f"v1={code}"})
        try:
            with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def tell(self, registration, data, **options):
        """Sends a message that has to be stored."""
        status, text = self.send(registration, data, **options)
        assert status == 202, text


@contextlib.contextmanager
def listening(project, env=None):
    """Runs `herald listen --http` of a project."""
    arguments = ["listen", "--http", "--port", "0", "--hmac-key", "env:UPSTREAM_KEY"]
    with project.start(*arguments, env={"UPSTREAM_KEY": KEY} | (env or {})) as listener:
        def address():
            found = re.search(r"Receiving messages at (http://\S+/messages)", "".join(listener.texts()))
            return found and found[1]

        yield Phones(eventually(address, "the listener's address"))
        listener.signal(15)
        assert listener.finish().code == 130
