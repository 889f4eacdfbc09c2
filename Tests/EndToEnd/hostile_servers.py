"""Servers and proxies that imitate network failures: they vanish, stop reading or stop accepting data."""

import datetime
import ipaddress
import json
import select
import socket
import ssl
import struct
import threading

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from herald import DEADLINE


class Listener:
    """Accepts connections on a loopback port until exit. Each connection has a thread."""

    def __init__(self, receive_buffer=None):
        self.listening = socket.socket()
        if receive_buffer:
            self.listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.listening.bind(("127.0.0.1", 0))
        self.listening.listen(256)
        self.port = self.listening.getsockname()[1]
        self.ending = threading.Event()
        self.count = 0

    def __enter__(self):
        self.threads = [threading.Thread(target=self.accept)]
        self.threads[0].start()
        return self

    def accept(self):
        while not self.ending.is_set():
            if not select.select([self.listening], [], [], 0.05)[0]:
                continue
            connection, _ = self.listening.accept()
            thread = threading.Thread(target=self.serve, args=(connection, self.count))
            self.count += 1
            self.threads.append(thread)
            thread.start()

    def serve(self, connection, number):
        try:
            with connection:
                self.talk(connection, number)
        except OSError:
            pass

    def talk(self, connection, number):
        raise NotImplementedError

    def __exit__(self, *_):
        self.ending.set()
        self.threads[0].join(DEADLINE)
        self.listening.close()
        for thread in self.threads:
            thread.join(DEADLINE)


class Middleman(Listener):
    """Forwards bytes between a client and a server until a connection is made to fail.

    A failed connection is neither closed nor read.
    `mortal` returns whether the connection with this number may fail.
    `idle`: the connection fails after this many seconds without traffic.
    `after`: the proxy stops reading from the client after this many bytes; answers still pass.
    """

    def __init__(self, port, idle=None, after=None, mortal=lambda number: True):
        super().__init__(receive_buffer=4096 if after else None)
        self.target, self.idle, self.after, self.mortal = port, idle, after, mortal
        self.dead = 0

    def talk(self, client, number):
        with socket.create_connection(("127.0.0.1", self.target)) as server:
            if self.carry(client, server, self.mortal(number)):
                self.ending.wait()

    def carry(self, client, server, mortal):
        """Returns whether the connection failed instead of closing."""
        taken, readable = 0, [client, server]
        while not self.ending.is_set():
            ready = select.select(readable, [], [], self.idle if mortal and self.idle else 0.05)[0]
            if mortal and self.idle and not ready:
                self.dead += 1
                return True
            for source in ready:
                piece = source.recv(65536)
                if not piece:
                    return False
                (server if source is client else client).sendall(piece)
                taken += len(piece) if source is client else 0
                if mortal and self.after and taken >= self.after and client in readable:
                    readable.remove(client)
                    self.dead += 1
        return False


def make_certificate(folder, name, lasts):
    """Creates a self-signed certificate for 127.0.0.1 that is valid for `lasts`, starting ten days ago."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    begin = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=10)
    made = (
        x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(begin).not_valid_after(begin + lasts)
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True).sign(key, hashes.SHA256()))
    files = folder / f"{name}.pem", folder / f"{name}-key.pem"
    files[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    return files


class BareHTTP2(Listener):
    """A minimal HTTP/2 server with TLS: it logs and accepts each send, answers PING, and never widens a window.

    It allows any number of streams. It answers nothing before `hold` requests are open in all.
    """

    SETTINGS, PING, HEADERS, DATA = 4, 6, 1, 0

    def __init__(self, certificate, log, hold=1):
        super().__init__()
        self.hold, self.open = hold, 0
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(*certificate)
        self.context.set_alpn_protocols(["h2"])
        self.log, self.lock, self.seq = log, threading.Lock(), 0
        self.log.write_text("")

    def talk(self, connection, number):
        connection.settimeout(0.05)
        with self.context.wrap_socket(connection, server_side=True) as stream:
            self.read(stream, 24)
            self.send(stream, self.SETTINGS, 0, 0, b"")
            bodies, waiting = {}, []

            def answer():
                while waiting and self.open >= self.hold:
                    self.answer(stream, *waiting.pop(0))

            while True:
                answer()
                head = self.read(stream, 9, answer)
                size, kind, flags, name = int.from_bytes(head[:3], "big"), head[3], head[4], struct.unpack(">I", head[5:])[0]
                payload = self.read(stream, size)
                if kind in (self.SETTINGS, self.PING) and not flags & 1:
                    self.send(stream, kind, 1, 0, payload if kind == self.PING else b"")
                if kind == self.DATA:
                    bodies[name] = bodies.get(name, b"") + payload
                    if flags & 1:
                        waiting.append((name, number, bodies.pop(name)))
                        with self.lock:
                            self.open += 1

    def read(self, stream, count, idle=lambda: None):
        taken = b""
        while len(taken) < count:
            if self.ending.is_set():
                raise OSError("over")
            try:
                piece = stream.recv(count - len(taken))
            except TimeoutError:
                idle()
                continue
            if not piece:
                raise OSError("closed")
            taken += piece
        return taken

    def send(self, stream, kind, flags, name, payload):
        stream.sendall(len(payload).to_bytes(3, "big") + bytes([kind, flags]) + struct.pack(">I", name) + payload)

    def answer(self, stream, name, connection, body):
        with self.lock:
            self.seq += 1
            entry = {"seq": self.seq, "connection": connection, "bytes": len(body), "body": json.loads(body)}
            with open(self.log, "a") as file:
                file.write(json.dumps(entry) + "\n")
        # `:status: 200` is the eighth entry of HPACK's static table.
        self.send(stream, self.HEADERS, 4, name, b"\x88")
        self.send(stream, self.DATA, 1, name, json.dumps({"name": f"projects/e2e/messages/{self.seq}"}).encode())

    def entries(self):
        return [json.loads(line) for line in self.log.read_text().splitlines()]
