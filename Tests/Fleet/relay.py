#!/usr/bin/python3
"""Relays connections of one worker, in a process of its own: relay.py NAMESPACE PORT=TARGET...

NAMESPACE is the file of the network namespace in which it listens, or `-`. PORT is a port of the loopback address, 0 for
a free one. TARGET is the path of a Unix socket, or a port of the loopback address of the caller's namespace. It prints
the ports. Then it reads commands, one in each line, for the relay with that number:

    0 pass             forward everything (what was held goes first)
    0 delay SECONDS    forward everything in each direction that much later
    0 hold             keep everything: neither side notices that the other one is gone
    0 cut              close all connections; what is held or late gets lost
    0 refuse           as `cut`, and new connections are closed, until the next command

A client that closes its connection does not take back what it wrote: the relay still forwards it, as a network would.
"""

import ctypes
import os
import selectors
import socket
import struct
import sys
import time
from collections import deque

READ = 1 << 16
NEW_NETWORK = 0x40000000  # CLONE_NEWNET


class Side:
    """One of the two sockets of a connection, with what will be written to it."""

    def __init__(self, sock):
        self.sock = sock
        # Due times and bytes; None at the end of the direction.
        self.pieces = deque()
        self.is_over = False
        self.is_blocked = False


class Relay:
    def __init__(self, loop, listener, target):
        self.loop, self.listener, self.target = loop, listener, target
        self.delay, self.is_held, self.is_refused = 0.0, False, False
        self.pairs = set()
        # Sides with pieces that are held or not yet due, with their pairs.
        self.waiting = {}
        listener.setblocking(False)
        loop.register(listener, selectors.EVENT_READ, self.accept)

    def accept(self, _):
        try:
            client, _ = self.listener.accept()
        except OSError:
            return
        is_path = self.target.startswith("/")
        server = socket.socket(socket.AF_UNIX if is_path else socket.AF_INET)
        try:
            if self.is_refused:
                raise ConnectionRefusedError
            server.connect(self.target if is_path else ("127.0.0.1", int(self.target)))
        except OSError:
            client.close()
            server.close()
            return
        if not is_path:
            server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        pair = Pair(self, Side(client), Side(server))
        self.pairs.add(pair)

    def command(self, name, *values):
        if name in ("cut", "refuse"):
            for pair in list(self.pairs):
                pair.reset()
        self.is_refused = name == "refuse"
        self.is_held = name == "hold"
        self.delay = float(values[0]) if name == "delay" else 0.0

    def flush(self, now):
        """Writes what is due, and returns the time until the next piece is due."""
        if self.is_held:
            return None
        waits = [wait for side, pair in list(self.waiting.items()) if (wait := pair.write(side, now)) is not None]
        return min(waits, default=None)


class Pair:
    def __init__(self, relay, client, server):
        self.relay, self.sides = relay, (client, server)
        self.other = {client: server, server: client}
        for side in self.sides:
            side.sock.setblocking(False)
            self.watch(side)

    def watch(self, side):
        """Reads until the end of the direction; writes only if the socket did not take everything."""
        wanted = (0 if side.is_over else selectors.EVENT_READ) | (selectors.EVENT_WRITE if side.is_blocked else 0)
        loop, ready = self.relay.loop, lambda mask: self.ready(side, mask)
        if side.sock in loop.get_map():
            loop.modify(side.sock, wanted, ready) if wanted else loop.unregister(side.sock)
        elif wanted:
            loop.register(side.sock, wanted, ready)

    def ready(self, side, mask):
        if mask & selectors.EVENT_WRITE:
            side.is_blocked = False
            self.watch(side)
            if not self.relay.is_held:
                self.write(side, time.monotonic())
        if mask & selectors.EVENT_READ and self in self.relay.pairs:
            self.read(side)

    def read(self, side):
        try:
            data = side.sock.recv(READ)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        target, now = self.other[side], time.monotonic()
        target.pieces.append((now + self.relay.delay, data or None))
        if not data:
            side.is_over = True
            self.watch(side)
        if self.relay.is_held:
            self.relay.waiting[target] = self
        else:
            self.write(target, now)

    def write(self, side, now):
        """Returns the time until the next piece is due."""
        while side.pieces and not side.is_blocked:
            due, data = side.pieces[0]
            if due > now:
                self.relay.waiting[side] = self
                return due - now
            if data is None:
                # PostgreSQL and herald end both directions together.
                self.close()
                return None
            try:
                sent = side.sock.send(data)
            except BlockingIOError:
                sent = 0
            except OSError:
                self.close()
                return None
            side.pieces.popleft()
            if sent < len(data):
                side.pieces.appendleft((due, data[sent:]))
                side.is_blocked = True
                self.watch(side)
        self.relay.waiting.pop(side, None)
        return None

    def close(self):
        if self in self.relay.pairs:
            self.relay.pairs.discard(self)
            for side in self.sides:
                self.relay.waiting.pop(side, None)
                if side.sock in self.relay.loop.get_map():
                    self.relay.loop.unregister(side.sock)
                side.sock.close()

    def reset(self):
        for side in self.sides:
            if side.sock.family == socket.AF_INET:
                side.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()


def listeners(namespace, ports):
    """Returns sockets that belong to the namespace; those that are made later belong to the caller's again."""
    libc = ctypes.CDLL(None, use_errno=True)

    def enter(path):
        with open(path) as file:
            if libc.setns(file.fileno(), NEW_NETWORK):
                raise OSError(ctypes.get_errno(), f"cannot enter {path}")

    with open("/proc/self/ns/net") as own:
        if namespace != "-":
            enter(namespace)
        made = [socket.create_server(("127.0.0.1", port), backlog=1_024) for port in ports]
        if namespace != "-" and libc.setns(own.fileno(), NEW_NETWORK):
            raise OSError(ctypes.get_errno(), "cannot leave the namespace")
    return made


def main():
    namespace, *relays = sys.argv[1:]
    ports, targets = zip(*(each.split("=", 1) for each in relays))
    loop = selectors.DefaultSelector()
    made = [Relay(loop, each, target) for each, target in zip(listeners(namespace, map(int, ports)), targets)]
    print(*(relay.listener.getsockname()[1] for relay in made), flush=True)
    commands = bytearray()

    def command(_):
        data = os.read(0, READ)
        if not data:
            sys.exit()
        commands.extend(data)
        while b"\n" in commands:
            line, _, rest = bytes(commands).partition(b"\n")
            commands[:] = rest
            number, *words = line.decode().split()
            made[int(number)].command(*words)
            print("done", flush=True)

    loop.register(0, selectors.EVENT_READ, command)
    while True:
        waits = [wait for relay in made if (wait := relay.flush(time.monotonic())) is not None]
        for key, mask in loop.select(min(waits, default=None)):
            # An earlier event of the same round may have closed this connection.
            if key.fileobj == 0 or key.fileobj.fileno() >= 0:
                key.data(mask)


if __name__ == "__main__":
    main()
