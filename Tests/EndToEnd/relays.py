"""A relay in front of a PostgreSQL server, with a long way to it, or one on which commits get lost."""

import queue
import socket
import threading
import time

# The end of the answers outside of a transaction (PostgreSQL documentation, Message Formats, ReadyForQuery).
READY = b"Z\0\0\0\5I"


class Relay:
    """Forwards connections from a loopback port to a Unix socket.

    `delay`: seconds for each direction. `lost`: what happens to every third commit of a change: its `answer` gets lost, or
    the `commit` itself, with the connection.
    """

    def __init__(self, path, delay=0, lost=None):
        self.path, self.delay, self.lost = path, delay, lost
        self.commits = self.cuts = 0
        self.lock = threading.Lock()

    def __enter__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.sockets = []
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        for each in [self.listener, *self.sockets]:
            close(each)

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(self.path)
            self.sockets += [client, server]
            Connection(self, client, server)

    def is_cut(self):
        """Counts a commit; returns whether it gets lost."""
        with self.lock:
            self.commits += 1
            if self.lost is None or self.commits % 3:
                return False
            self.cuts += 1
            return True


class Connection:
    def __init__(self, relay, client, server):
        self.relay, self.client, self.server = relay, client, server
        self.is_silent = False
        self.sent = b""
        self.forward(client, server, self.asked)
        self.forward(server, client, self.answered)

    def forward(self, source, target, passed):
        """`passed` returns what is forwarded; None ends the connection."""
        pieces = queue.SimpleQueue()
        threading.Thread(target=self.read, args=(source, pieces), daemon=True).start()
        threading.Thread(target=self.write, args=(pieces, target, passed), daemon=True).start()

    def read(self, source, pieces):
        data = b"begin"
        while data:
            try:
                data = source.recv(1 << 16)
            except OSError:
                data = b""
            pieces.put((time.monotonic() + self.relay.delay, data))

    def write(self, pieces, target, passed):
        while True:
            due, data = pieces.get()
            time.sleep(max(0, due - time.monotonic()))
            data = passed(data) if data else None
            try:
                if data is None:
                    break
                target.sendall(data)
            except OSError:
                break
        close(self.client)
        close(self.server)

    def asked(self, data):
        # Transactions that read have no fence, and there is nothing to lose.
        self.sent = self.sent[-(1 << 16):] + data
        if b"SELECT fence(" not in self.sent or b"COMMIT\0" not in self.sent:
            return data
        self.sent = b""
        if not self.relay.is_cut():
            return data
        if self.relay.lost == "commit":
            return None
        self.is_silent = True
        return data

    def answered(self, data):
        if not self.is_silent:
            return data
        return None if data.endswith(READY) else b""


def close(each):
    try:
        each.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    each.close()
