"""Drives headless Chromium over its DevTools protocol.

The protocol uses two pipes (`--remote-debugging-pipe`). Each message is JSON followed by a zero byte, so
no library, port or web socket is needed.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

DEADLINE = 30


class Chromium:
    """A browser with a temporary profile that is deleted on exit."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="herald-chromium-")
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()

        def pipes():
            """Makes the browser read from descriptor 3 and write to descriptor 4."""
            spare_in, spare_out = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(spare_in, 3)
            os.dup2(spare_out, 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--disable-extensions", "--hide-scrollbars", "--force-color-profile=srgb", f"--user-data-dir={self.profile}",
             "about:blank"],
            preexec_fn=pipes, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.input, self.output = ours_in, ours_out
        self.buffer, self.count, self.events = b"", 0, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.send("Browser.close")
            self.process.wait(DEADLINE)
        except (AssertionError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait(DEADLINE)
        os.close(self.input)
        os.close(self.output)
        shutil.rmtree(self.profile, ignore_errors=True)

    def send(self, method, session=None, **parameters):
        """Sends a command and returns its answer. Events that arrive first are kept."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters} | ({"sessionId": session} if session else {})
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.output, data):]
        return self.receive(lambda m: m.get("id") == self.count)

    def receive(self, is_wanted):
        end = time.monotonic() + DEADLINE
        while True:
            message = self.next(end)
            if is_wanted(message):
                assert "error" not in message, message
                return message.get("result", message)
            self.events.append(message)

    def next(self, end):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.input], [], [], max(0, end - time.monotonic()))
            assert ready, "Chromium does not answer"
            part = os.read(self.input, 1 << 20)
            assert part, "Chromium has ended"
            self.buffer += part
        line, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(line)

    def open(self, path, width=1280, height=900, dark=False):
        return Page(self, path, width, height, dark)


class Page:
    """A tab that shows one file or address, and the requests that it made."""

    def __init__(self, browser, path, width, height, dark):
        self.browser = browser
        self.address = path if str(path).startswith("http") else Path(path).resolve().as_uri()
        self.target = browser.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.send("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime", "Accessibility"):
            self.send(f"{domain}.enable")
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.emulate_media(dark)
        self.send("Page.navigate", url=self.address)
        self.wait_for("Page.loadEventFired")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.browser.send("Target.closeTarget", targetId=self.target)

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def events(self, *methods):
        return [e["params"] for e in self.browser.events if e.get("sessionId") == self.session and e.get("method") in methods]

    def wait_for(self, method):
        if not self.events(method):
            self.browser.receive(lambda m: m.get("sessionId") == self.session and m.get("method") == method)

    def emulate_media(self, dark=False, media="screen"):
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.send("Emulation.setEmulatedMedia", media=media, features=features)

    def run(self, expression):
        """Evaluates a JavaScript expression. The page's content security policy does not apply to the debugger."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def requests(self):
        """Returns the URL of every request, allowed or blocked, except the page itself."""
        self.run("0")
        urls = [e["request"]["url"] for e in self.events("Network.requestWillBeSent")]
        assert self.address in urls, "no request for the page itself"
        return [url for url in urls if url != self.address]

    def complaints(self):
        """Returns the browser's log entries and exceptions, such as policy violations."""
        self.run("0")
        return [e["entry"]["text"] for e in self.events("Log.entryAdded")] + self.events("Runtime.exceptionThrown")

    def press(self, key, code=None, text=None, modifiers=0):
        known = {"Tab": 9, "Enter": 13, " ": 32, "Escape": 27, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38,
                 "ArrowRight": 39, "ArrowDown": 40}
        event = {"key": key, "code": code or key, "windowsVirtualKeyCode": known.get(key) or ord(key.upper()), "modifiers": modifiers}
        self.send("Input.dispatchKeyEvent", type="keyDown", **event, **({"text": text} if text else {}))
        self.send("Input.dispatchKeyEvent", type="keyUp", **event)

    def tree(self):
        """Returns the role and name of each node of the accessibility tree, in order."""
        nodes = self.send("Accessibility.getFullAXTree")["nodes"]
        by_id = {node["nodeId"]: node for node in nodes}
        listed = []

        def walk(node):
            if not node.get("ignored"):
                listed.append((node["role"]["value"], node.get("name", {}).get("value", "")))
            for child in node.get("childIds", []):
                if child in by_id:
                    walk(by_id[child])

        walk(nodes[0])
        return listed

    def picture(self, path, whole=True):
        """Takes a PNG of the whole page, or of the visible part."""
        data = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        Path(path).write_bytes(base64.b64decode(data))
