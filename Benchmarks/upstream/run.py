#!/usr/bin/python3
"""Measures how many messages a second `herald listen` stores and acknowledges: run.py HERALD

The sender speaks the stanzas directly: 16 connections with TLS, each with up to 100 unacknowledged messages. It runs on
the same machine. The latency is that from the send of a message to its acknowledgement. With --prosody, Prosody and a
component are measured beside it. The exit code is 1 if the rate is below 20,000 a second, the p99 latency is 50 ms or
more, or the inbox does not contain each message once.

    .venv/bin/python Benchmarks/upstream/run.py .build/static/release/herald
"""

import argparse
import json
import os
import re
import selectors
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Tests/EndToEnd"))
from xmpp_servers import (  # noqa: E402
    COMPONENT, KEY, SENDER, DirectServer, Prosody, certificate, stanza, upstream)

WINDOW = 100
IDS = re.compile(rb'"message_id":"m-(\d+)"')


class Load:
    """Sends prepared messages over open connections, without threads."""

    def __init__(self, links, count, rate=None):
        self.rate = rate
        self.sockets = [link.socket for link in links]
        self.messages = [stanza(upstream(number)).encode() for number in range(count)]
        self.sent = [0.0] * count
        self.latencies = [0.0] * count
        self.open = {socket: 0 for socket in self.sockets}
        self.rest = {socket: b"" for socket in self.sockets}
        self.next = 0
        self.selector = selectors.DefaultSelector()
        for socket in self.sockets:
            socket.setblocking(False)
            self.selector.register(socket, selectors.EVENT_READ)

    def fill(self, socket):
        """Sends as many messages as the window and the rate allow."""
        room = WINDOW - self.open[socket]
        if self.rate:
            room = min(room, int((time.monotonic() - self.began) * self.rate) - self.next)
        batch = self.messages[self.next:self.next + max(0, room)]
        if not batch:
            return
        data = b"".join(batch)
        now = time.monotonic()
        for number in range(self.next, self.next + len(batch)):
            self.sent[number] = now
        self.next += len(batch)
        self.open[socket] += len(batch)
        socket.setblocking(True)
        socket.sendall(data)
        socket.setblocking(False)

    def read(self, socket):
        parts = [self.rest[socket]]
        try:
            while data := socket.recv(65_536):
                parts.append(data)
        except (ssl.SSLWantReadError, BlockingIOError):
            pass
        text = b"".join(parts)
        end, now, count = 0, time.monotonic(), 0
        for found in IDS.finditer(text):
            number = int(found[1])
            self.latencies[number] = now - self.sent[number]
            end, count = found.end(), count + 1
        self.rest[socket] = text[end:]
        self.open[socket] -= count
        return count

    def run(self):
        """Returns the seconds from the first send to the last acknowledgement."""
        self.began = time.monotonic()
        done = 0
        while done < len(self.messages):
            for socket in self.sockets:
                self.fill(socket)
            for key, _ in self.selector.select(0.002):
                done += self.read(key.fileobj)
            if time.monotonic() - self.began > 120:
                raise SystemExit(f"run.py: only {done} messages were acknowledged in 120 s")
        return time.monotonic() - self.began


def project(folder):
    folder.mkdir()
    (folder / "campaigns").mkdir()
    (folder / "herald.yaml").write_text(
        "version: 1\nproject: bench\ntimezone: UTC\ntopics: {}\n"
        f'environments: {{ local: {{ emulator: {{}}, upstream: {{ sender_id: "{SENDER}", '
        'server_key: "env:UPSTREAM_SERVER_KEY" } } }\n')
    return folder


def start(herald, folder, *arguments):
    return subprocess.Popen(
        [herald, "listen", "-C", folder, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=open(folder.parent / "listen.log", "wb"), env=os.environ | {"UPSTREAM_SERVER_KEY": KEY})


def stored(folder):
    with sqlite3.connect(f"file:{folder}/.herald/local.inbox.sqlite?mode=ro", uri=True) as connection:
        return connection.execute("SELECT count(*), count(DISTINCT identity) FROM inbox").fetchone()


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def direct(options):
    """The rate without a limit, and the latency at the rate that is required."""
    results = {}
    for name, rate in (("full", None), ("paced", options.rate)):
        with tempfile.TemporaryDirectory(prefix="herald-bench-") as root:
            paths = certificate(root)
            folder = project(Path(root) / "project")
            # The readers of the links would take what the load reads.
            with DirectServer(paths, reading=False) as server:
                process = start(options.herald, folder, "--server", f"127.0.0.1:{server.port}", "--ca-file", paths[0],
                                "--connections", options.connections)
                try:
                    links = [server.link(number) for number in range(1, options.connections + 1)]
                    load = Load(links, options.messages, rate)
                    before = os.times()
                    seconds = load.run()
                    used = os.times()
                finally:
                    process.terminate()
                    process.wait(30)
            count, distinct = stored(folder)
        results[name] = {
            "messages": options.messages, "rate": round(options.messages / seconds),
            "p50_ms": round(percentile(load.latencies, 0.5) * 1_000, 2),
            "p99_ms": round(percentile(load.latencies, 0.99) * 1_000, 2),
            "sender_cpu_s": round(used.user + used.system - before.user - before.system, 2),
            "complete": count == distinct == options.messages}
    return results


def through_prosody(options):
    from xmpp_component import Component
    with tempfile.TemporaryDirectory(prefix="herald-bench-") as root:
        paths = certificate(root)
        folder = project(Path(root) / "project")
        (Path(root) / "prosody").mkdir()
        with Prosody(Path(root) / "prosody", paths) as prosody, Component(prosody) as component:
            process = start(options.herald, folder, "--server", f"127.0.0.1:{prosody.port}", "--ca-file", paths[0],
                            "--announce", COMPONENT, "--connections", options.connections)
            try:
                addresses = [component.connection(n) for n in range(1, options.connections + 1)]
                count, sent = options.messages // 10, 0
                began = time.monotonic()
                while len(component.received) < count:
                    while sent < count and sent - len(component.received) < options.connections * WINDOW // 2:
                        component.send(addresses[sent % len(addresses)], upstream(sent))
                        sent += 1
                    time.sleep(0.001)
                seconds = time.monotonic() - began
            finally:
                process.terminate()
                process.wait(30)
    return {"messages": count, "rate": round(count / seconds)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("herald")
    parser.add_argument("--messages", type=int, default=200_000)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--rate", type=int, default=20_000, help="the rate at which the latency is measured")
    parser.add_argument("--prosody", action="store_true", help="measure Prosody, too")
    options = parser.parse_args()
    results = direct(options)
    if options.prosody:
        results["prosody"] = through_prosody(options)
    print(json.dumps(results, indent=2))
    full, paced = results["full"], results["paced"]
    is_good = full["complete"] and paced["complete"] and full["rate"] >= options.rate and paced["p99_ms"] < 50
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
