"""A relay between two servers that a test can cut."""

import socket
import threading


class Link:
    """Forwards connections from its loopback port to another one, until it is cut.

    Bytes that a receiver has not read yet may be lost with a cut, as on a network that fails.
    """

    def __init__(self, port, target):
        self.target = target
        self.lock = threading.Lock()
        self.is_cut = False
        self.sockets = set()
        self.listener = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self.accept, daemon=True).start()

    def close(self):
        # A thread that waits in accept() keeps a closed listener open.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.cut()

    def cut(self):
        """Ends all connections. Later ones end at once, until `restore`."""
        with self.lock:
            self.is_cut = True
            sockets, self.sockets = self.sockets, set()
        for each in sockets:
            shut(each)

    def restore(self):
        with self.lock:
            self.is_cut = False

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.connect, args=(client,), daemon=True).start()

    def connect(self, client):
        try:
            server = socket.create_connection(("127.0.0.1", self.target))
        except OSError:
            client.close()
            return
        with self.lock:
            is_cut = self.is_cut
            if not is_cut:
                self.sockets |= {client, server}
        if is_cut:
            client.close()
            server.close()
            return
        back = threading.Thread(target=forward, args=(server, client), daemon=True)
        back.start()
        forward(client, server)
        back.join()
        with self.lock:
            self.sockets -= {client, server}
        client.close()
        server.close()


def forward(source, target):
    try:
        while data := source.recv(1 << 16):
            target.sendall(data)
    except OSError:
        pass
    shut(source)
    shut(target)


def shut(each):
    try:
        each.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
