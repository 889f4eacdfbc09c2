"""A project in the emulator, which no other project sees."""

import uuid


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
        return self.emulator.call(method, f"/emulator/v1{path}", body, (query or {}) | {"project": self.id})

    def device(self, name="phone", platform="android", registration=None, topics=(), **conditions):
        """Adds a device and returns its registration."""
        registration = registration or f"{name}-{uuid.uuid4().hex}"
        device = {"name": name, "platform": platform, "registration": registration, "topics": list(topics)}
        self.control("POST", "/devices", [device | conditions])
        return registration

    def change(self, name, **conditions):
        """Changes conditions of a device: `online`, `foreground`, `installed`, `dozing` and others."""
        return self.control("PATCH", f"/devices/{name}", conditions)

    def tap(self, name, message_id):
        """Taps a notification and returns what the app receives."""
        return self.control("POST", f"/devices/{name}/taps", {"message_id": message_id})

    def send(self, message, **more):
        """Sends a message of the v1 API and returns its name."""
        path = f"/v1/projects/{self.id}/messages:send"
        return self.emulator.call("POST", path, {"message": message} | more, bearer=self.bearer)["name"]

    def messages(self, **conditions):
        """Returns the matching messages on all devices, newest first."""
        return self.control("GET", "/search/messages", query=conditions)["messages"]

    def requests(self, **conditions):
        """Returns the matching requests, newest first."""
        return self.control("GET", "/search/requests", query=conditions)["requests"]

    def wait(self, count=1, timeout=10, **conditions):
        """Waits for messages and returns them, newest first; raises EmulatorError after the timeout."""
        query = {"count": count, "timeout": f"{timeout}s"} | conditions
        return self.control("GET", "/wait", query=query)["messages"]

    def wait_for_requests(self, count=1, timeout=10, **conditions):
        """Waits for requests and returns them, newest first."""
        query = {"for": "requests", "count": count, "timeout": f"{timeout}s"} | conditions
        return self.control("GET", "/wait", query=query)["requests"]

    def assert_messages(self, count, **conditions):
        """Raises EmulatorError unless exactly `count` messages match."""
        self.control("GET", "/assert", query={"count": count} | conditions)

    def faults(self, *rules, seed=None):
        """Replaces the fault rules, for example `{"answer": {"error": "UNAVAILABLE"}, "when": {"times": 1}}`."""
        script = {"rules": list(rules)} | ({} if seed is None else {"seed": seed})
        return self.control("PUT", "/faults", script)

    def clock(self, **setting):
        """Sets the clock, for example `clock(mode="frozen", at="2040-01-01T00:00:00Z")`."""
        return self.control("PUT", "/clock", setting)

    def drop(self):
        """Drops the project's state in one call."""
        self.emulator.call("DELETE", f"/emulator/v1/projects/{self.id}")

    def __enter__(self):
        self.emulator.call("PUT", f"/emulator/v1/projects/{self.id}", {})
        return self

    def __exit__(self, *details):
        self.drop()
