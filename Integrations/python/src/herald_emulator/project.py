"""A project in the emulator, which no other project sees."""

import itertools
import math
import urllib.parse
import uuid

from .errors import EmulatorError

NOT_FOUND = 404


class Project:
    """A project with separate state. Use it as a context manager to drop the state at the end."""

    def __init__(self, emulator, project_id):
        self.emulator, self.id = emulator, project_id

    @property
    def bearer(self):
        """A bearer token that belongs to the project, for APIs without a project in their path."""
        return f"project:{self.id}"

    def control(self, method, path, body=None, query=None):
        """Calls the control API, for example `control("GET", "/devices")`."""
        __tracebackhide__ = True
        return self.emulator.call(method, f"/emulator/v1{path}", body, (query or {}) | {"project": self.id})

    def device(self, name=None, platform="android", registration=None, topics=(), **conditions):
        """Adds a device and returns its registration.

        Without a name, the devices are `phone`, `phone-2`, `phone-3` and so on. A name can be used once.
        """
        __tracebackhide__ = True
        if isinstance(topics, str) or not all(isinstance(topic, str) for topic in topics):
            raise TypeError(f'topics must be a list of names, such as ["tides"], not {topics!r}')
        if name is None:
            name = next(name for name in _default_names() if not self._has(name))
        elif self._has(name):
            raise ValueError(f'The project already has a device "{name}". Choose another name, or use change().')
        registration = registration or f"{name}-{uuid.uuid4().hex}"
        device = {"name": name, "platform": platform, "registration": registration, "topics": list(topics)}
        self.control("POST", "/devices", [device | conditions])
        return registration

    def _has(self, device):
        __tracebackhide__ = True
        try:
            self.control("GET", _path(device))
        except EmulatorError as error:
            if error.status != NOT_FOUND:
                raise
            return False
        return True

    def change(self, name, **conditions):
        """Changes conditions of a device: `online`, `foreground`, `installed`, `dozing` and others."""
        __tracebackhide__ = True
        return self.control("PATCH", _path(name), conditions)

    def tap(self, name, message_id):
        """Taps a notification and returns what the app receives."""
        __tracebackhide__ = True
        return self.control("POST", f"{_path(name)}/taps", {"message_id": message_id})

    def send(self, message, **more):
        """Sends a message of the v1 API and returns its name."""
        __tracebackhide__ = True
        path = f"/v1/projects/{self.id}/messages:send"
        return self.emulator.call("POST", path, {"message": message} | more, bearer=self.bearer)["name"]

    def messages(self, **conditions):
        """Returns the matching messages on all devices, newest first."""
        __tracebackhide__ = True
        return self.control("GET", "/search/messages", query=conditions)["messages"]

    def requests(self, **conditions):
        """Returns the matching requests of senders, newest first; with `control=True`, also those of this module."""
        __tracebackhide__ = True
        return self.control("GET", "/search/requests", query=conditions)["requests"]

    def wait(self, count=1, timeout=10, **conditions):
        """Waits up to `timeout` seconds, at most 60, for `count` messages and returns them, newest first.

        Raises ExpectationError, an AssertionError, after the timeout.
        """
        __tracebackhide__ = True
        query = {"count": count, "timeout": _seconds(timeout)} | conditions
        return self.control("GET", "/wait", query=query)["messages"]

    def wait_for_requests(self, count=1, timeout=10, **conditions):
        """Like `wait`, for requests of senders."""
        __tracebackhide__ = True
        query = {"for": "requests", "count": count, "timeout": _seconds(timeout)} | conditions
        return self.control("GET", "/wait", query=query)["requests"]

    def assert_messages(self, count=None, **conditions):
        """Raises ExpectationError unless exactly `count` messages match, or from `at_least` to `at_most`."""
        __tracebackhide__ = True
        self.control("GET", "/assert", query={"count": count} | conditions)

    def assert_requests(self, count=None, **conditions):
        """Like `assert_messages`, for requests of senders."""
        __tracebackhide__ = True
        self.control("GET", "/assert", query={"for": "requests", "count": count} | conditions)

    def faults(self, *rules, seed=None):
        """Replaces the fault rules, for example `{"answer": {"error": "UNAVAILABLE"}, "when": {"times": 1}}`."""
        __tracebackhide__ = True
        script = {"rules": list(rules)} | ({} if seed is None else {"seed": seed})
        return self.control("PUT", "/faults", script)

    def clock(self, **setting):
        """Sets the clock, for example `clock(mode="frozen", at="2040-01-01T00:00:00Z")`."""
        __tracebackhide__ = True
        return self.control("PUT", "/clock", setting)

    def drop(self):
        """Drops the project's state in one call."""
        __tracebackhide__ = True
        self.emulator.call("DELETE", f"/emulator/v1/projects/{self.id}")

    def __enter__(self):
        self.emulator.call("PUT", f"/emulator/v1/projects/{self.id}", {})
        return self

    def __exit__(self, *details):
        self.drop()


def _seconds(timeout):
    # The emulator counts whole seconds.
    return f"{math.ceil(timeout)}s"


def _default_names():
    return itertools.chain(["phone"], (f"phone-{number}" for number in itertools.count(2)))


def _path(device):
    return f"/devices/{urllib.parse.quote(device, safe='')}"
