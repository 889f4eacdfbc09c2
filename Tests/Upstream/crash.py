#!/usr/bin/python3
"""Kills `herald listen`, cuts its connections and drains them while messages arrive, and checks the fate of each.

    .venv/bin/python Tests/Upstream/crash.py                 20,000 messages, 100 kills, 100 cuts, 50 orders to drain
    .venv/bin/python Tests/Upstream/crash.py --messages 2000 --kills 10     what CI runs
    .venv/bin/python Tests/Upstream/crash.py --seed 7        the same faults at the same numbers of acknowledgements

Debian's Prosody without offline storage passes the messages of a component on, which slixmpp writes. A relay between
herald-listen and Prosody cuts connections. After each kill, the inbox is compared with what was acknowledged until then.

The exit code is 1 if a promise is broken, or if the judge accepts a wrong record.
"""

import argparse
import random
import socket
import sys
import tempfile
import threading
import time
from collections import Counter, deque
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEnd"))
from judge import Record, judge, wrong_records  # noqa: E402
from listeners import Listener, inbox, listening_project  # noqa: E402
from xmpp_component import Component  # noqa: E402
from xmpp_servers import COMPONENT, Prosody, certificate, upstream  # noqa: E402

DRAINING = {"message_type": "control", "control_type": "CONNECTION_DRAINING"}
WINDOW = 100


class Relay:
    """Passes bytes on, and cuts connections."""

    def __init__(self, port):
        self.target = port
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        self.pairs, self.lock = [], threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self.listening.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self.target))
            for end in (near, far):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self.lock:
                self.pairs.append((near, far))
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self._copy, args=(source, sink), daemon=True).start()

    def _copy(self, source, sink):
        try:
            while data := source.recv(65_536):
                sink.sendall(data)
        except OSError:
            pass
        self._end((source, sink))

    def _end(self, pair):
        for end in pair:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self, choose):
        with self.lock:
            open_pairs = [pair for pair in self.pairs if pair[0].fileno() >= 0]
            self.pairs = open_pairs[-16:]
            pair = choose(self.pairs) if self.pairs else None
        if pair:
            self._end(pair)

    def close(self):
        self.listening.close()


class Sender:
    """Keeps up to 100 unacknowledged messages on each connection, and sends those of a lost one again."""

    def __init__(self, component, count):
        self.component = component
        self.record = Record(messages={f"m-{n}": upstream(n) for n in range(count)})
        self.queue = deque(self.record.messages)
        # By connection: IDs that were sent and not acknowledged.
        self.open = {}
        self.drained, self.seen = set(), 0
        self.done = set()
        self.connections = self.gone = 0

    def turn(self):
        """Takes what the component received, and sends what there is room for."""
        component = self.component
        with component.changed:
            component.changed.wait(0.02)
            received = component.received[self.seen:]
            self.seen += len(received)
            new, lost = component.connections[self.connections:], component.gone[self.gone:]
            self.connections += len(new)
            self.gone += len(lost)
        for address in new:
            self.open[address] = set()
        for address, message, _ in received:
            name = message["message_id"]
            assert message["message_type"] == "ack", message
            self.record.acknowledged.append((address, name))
            self.done.add(name)
            self.open.get(address, set()).discard(name)
        for address in lost:
            again = self.open.pop(address, set()) - self.done
            self.queue.extendleft(again)
        for address, names in self.open.items():
            while address not in self.drained and len(names) < WINDOW and self.queue:
                name = self.queue.popleft()
                if name in self.done:
                    continue
                names.add(name)
                self.record.sent.append((address, name))
                component.send(address, self.record.messages[name])

    def drain(self, choose):
        ready = [address for address in self.open if address not in self.drained]
        if not ready:
            return
        address = choose(ready)
        self.drained.add(address)
        self.component.send(address, DRAINING)


class Faults:
    """Decides by the number of acknowledgements when the next fault comes."""

    def __init__(self, options, seed):
        self.random = random.Random(seed)
        kinds = ["kill"] * options.kills + ["cut"] * options.cuts + ["drain"] * options.drains
        self.random.shuffle(kinds)
        # All faults come before the last tenth of the messages.
        places = sorted(self.random.sample(range(20, options.messages * 9 // 10), len(kinds)))
        self.plan = deque(zip(places, kinds))
        self.counts = Counter()

    def due(self, acknowledged):
        if self.plan and self.plan[0][0] <= acknowledged:
            kind = self.plan.popleft()[1]
            self.counts[kind] += 1
            return kind
        return None


def play(options, seed, folder):
    paths = certificate(folder)
    project = listening_project(Path(folder) / "project")
    servers = Path(folder) / "prosody"
    servers.mkdir()
    with Prosody(servers, paths) as prosody, Component(prosody) as component:
        relay = Relay(prosody.port)
        arguments = ("--server", f"127.0.0.1:{relay.port}", "--ca-file", paths[0], "--announce", COMPONENT,
                     "--connections", options.connections)
        sender, faults = Sender(component, options.messages), Faults(options, seed)
        record = sender.record
        listener = Listener(project, *arguments, status=False)
        limit = time.monotonic() + options.limit
        try:
            while len(sender.done) < options.messages:
                if time.monotonic() > limit:
                    break
                sender.turn()
                kind = faults.due(len(sender.done))
                if kind == "cut":
                    relay.cut(faults.random.choice)
                elif kind == "drain":
                    sender.drain(faults.random.choice)
                elif kind == "kill":
                    listener.running.kill()
                    sender.turn()
                    record.kills.append((set(sender.done), {row["id"] for row in inbox(project)}))
                    listener = Listener(project, *arguments, status=False)
            listener.stop()
        finally:
            listener.__exit__(None, None, None)
            relay.close()
        record.inbox = inbox(project)
    return record, faults.counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--messages", type=int, default=20_000)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--cuts", type=int, default=None, help="(default: as many as kills)")
    parser.add_argument("--drains", type=int, default=None, help="(default: half as many)")
    parser.add_argument("--connections", type=int, default=4)
    parser.add_argument("--limit", type=int, default=1_800, help="seconds of a run")
    options = parser.parse_args()
    options.cuts = options.kills if options.cuts is None else options.cuts
    options.drains = options.kills // 2 if options.drains is None else options.drains

    failures = 0
    for seed in range(options.seed, options.seed + options.runs):
        started = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="herald-upstream-") as folder:
            record, counts = play(options, seed, folder)
        problems = judge(record)
        if not problems:
            problems += [f"the judge accepts a wrong record: {name}"
                         for name, wrong in wrong_records(record) if not judge(wrong)]
        resent = len(record.sent) - len(record.messages)
        print(f"seed {seed}: {len(record.messages)} messages, {len(record.inbox)} stored, {resent} sent again, "
              f"{counts['kill']} kills, {counts['cut']} cuts, {counts['drain']} drained, "
              f"{time.monotonic() - started:.0f} s: {'broken' if problems else 'kept'}", flush=True)
        for problem in problems[:10]:
            print(f"  {problem}")
        failures += bool(problems)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
