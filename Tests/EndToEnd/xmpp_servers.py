"""XMPP servers for `herald listen`: Prosody with a component, and a server that is written out byte by byte."""

import base64
import contextlib
import datetime
import json
import re
import socket
import ssl
import subprocess
import threading
import time
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DOMAIN = "fcm.googleapis.com"
COMPONENT = "gcm.googleapis.com"
SENDER = "1029384756"
KEY = "AAAA-the-server-key"
NAMESPACE = "google:mobile:data"


def certificate(folder, name=DOMAIN, days=30, stem="server"):
    """Writes a self-signed certificate and its key, and returns their paths. Negative `days`: it has expired."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.timezone.utc)
    begin, end = now - datetime.timedelta(days=60), now + datetime.timedelta(days=days)
    built = (x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key())
             .serial_number(x509.random_serial_number()).not_valid_before(begin).not_valid_after(end)
             .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
             .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
             .sign(key, hashes.SHA256()))
    paths = Path(folder) / f"{stem}.pem", Path(folder) / f"{stem}.key"
    paths[0].write_bytes(built.public_bytes(serialization.Encoding.PEM))
    paths[1].write_bytes(key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    return paths


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def unescaped(text):
    return (text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&apos;", "'")
            .replace("&amp;", "&"))


def stanza(message, to=None):
    """A message with its JSON, as a server sends it."""
    address = f' to="{to}"' if to else ""
    text = message if isinstance(message, str) else json.dumps(message, separators=(",", ":"))
    return f'<message id=""{address}><gcm xmlns="{NAMESPACE}">{escaped(text)}</gcm></message>'


def upstream(number, **changes):
    """The message of a device, without `message_type`."""
    return {"category": "com.example.yourapp", "data": {"answer": f"yes {number}"},
            "message_id": f"m-{number}", "from": f"REGID-{number % 97:04}"} | changes


ACK = re.compile(rb'<message id=""[^>]*><gcm xmlns="google:mobile:data">(\{[^<]*\})</gcm></message>')


class Link:
    """One connection of an app server, after its authentication. Its reader is a thread."""

    def __init__(self, server, connection, number):
        self.server, self.socket, self.number = server, connection, number
        self.received = b""
        self.acknowledged = []
        self.changed = threading.Condition()
        self.closed = False
        self.reader = threading.Thread(target=self._read, daemon=True)

    def send(self, *texts):
        self.socket.sendall("".join(texts).encode())

    def cut(self):
        """Ends the connection without a word."""
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()

    def _read(self):
        rest = b""
        while True:
            try:
                data = self.socket.recv(65536)
            except OSError:
                data = b""
            with self.changed:
                if not data:
                    self.closed = True
                    self.changed.notify_all()
                    return
                self.received += data
                rest += data
                end = 0
                for found in ACK.finditer(rest):
                    self.acknowledged.append(json.loads(unescaped(found[1].decode())))
                    end = found.end()
                rest = rest[end:]
                self.changed.notify_all()
                if b"</stream:stream>" in rest:
                    with contextlib.suppress(OSError):
                        self.socket.sendall(b"</stream:stream>")

    def wait(self, condition, seconds=20):
        """Waits until the condition holds; fails after the time."""
        with self.changed:
            assert self.changed.wait_for(lambda: condition(self), seconds), (self.acknowledged, self.received[-500:])

    def ids(self):
        return [item["message_id"] for item in self.acknowledged]


class DirectServer:
    """A server of FCM's XMPP protocol that is written out: TLS from the first byte, SASL PLAIN, one resource each.

    `mechanisms`: what it offers. `prologue`: text before the stream's header, such as a document type. `reading`:
    whether a thread reads what arrives on each link.
    """

    def __init__(self, paths, key=KEY, prologue="", mechanisms=("PLAIN",), reading=True):
        self.key, self.prologue, self.mechanisms = key, prologue, mechanisms
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*map(str, paths))
        self.context, self.reading = context, reading
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.links, self.attempts, self.refused, self.auths = [], 0, 0, []
        self.changed = threading.Condition()
        self.closing = False
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.closing = True
        self.listener.close()
        for link in self.links:
            link.cut()

    def _accept(self):
        while not self.closing:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._greet, args=(connection,), daemon=True).start()

    def _greet(self, connection):
        with self.changed:
            self.attempts += 1
            self.changed.notify_all()
        try:
            secured = self.context.wrap_socket(connection, server_side=True)
            if not self._authenticate(secured):
                secured.close()
                return
        except (OSError, ValueError):
            connection.close()
            return
        with self.changed:
            link = Link(self, secured, len(self.links) + 1)
            self.links.append(link)
            if self.reading:
                link.reader.start()
            self.changed.notify_all()

    def _until(self, connection, mark):
        text = b""
        while mark not in text:
            data = connection.recv(4096)
            if not data:
                raise ValueError("closed")
            text += data
        return text.decode()

    def _header(self, number, features):
        return (f'{self.prologue}<?xml version="1.0"?>' if not self.prologue else self.prologue) + (
            f'<stream:stream from="{DOMAIN}" id="s{number}" version="1.0" xmlns="jabber:client" '
            f'xmlns:stream="http://etherx.jabber.org/streams"><stream:features>{features}</stream:features>')

    def _authenticate(self, connection):
        self._until(connection, b"version=\"1.0\"")
        offered = "".join(f"<mechanism>{name}</mechanism>" for name in self.mechanisms)
        connection.sendall(self._header(
            1, f'<mechanisms xmlns="urn:ietf:params:xml:ns:xmpp-sasl">{offered}</mechanisms>').encode())
        auth = self._until(connection, b"</auth>")
        self.auths.append(auth)
        name, user, password = base64.b64decode(re.search(r">([^<>]*)</auth>", auth)[1]).decode().split("\0")
        if (user.split("@")[0], password) != (SENDER, self.key):
            with self.changed:
                self.refused += 1
                self.changed.notify_all()
            connection.sendall(b'<failure xmlns="urn:ietf:params:xml:ns:xmpp-sasl"><not-authorized/></failure>'
                               b"</stream:stream>")
            return False
        connection.sendall(b'<success xmlns="urn:ietf:params:xml:ns:xmpp-sasl"/>')
        self._until(connection, b"version=\"1.0\"")
        connection.sendall(self._header(
            2, '<bind xmlns="urn:ietf:params:xml:ns:xmpp-bind"/>').encode())
        request = self._until(connection, b"</iq>")
        number = re.search(r'<iq[^>]* id="([^"]*)"', request)[1]
        connection.sendall(
            f'<iq id="{number}" type="result"><bind xmlns="urn:ietf:params:xml:ns:xmpp-bind">'
            f"<jid>{SENDER}@{DOMAIN}/r{time.monotonic_ns()}</jid></bind></iq>".encode())
        return True

    def link(self, number=1, seconds=20):
        """The connection with a number, counted from 1, when it exists."""
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.links) >= number, seconds), f"{self.attempts} attempts"
            return self.links[number - 1]

    def wait(self, condition, seconds=20):
        with self.changed:
            assert self.changed.wait_for(lambda: condition(self), seconds)


PROSODY = """
run_as_root = true
daemonize = false
pidfile = "{folder}/prosody.pid"
data_path = "{folder}/data"
plugin_paths = {{}}
interfaces = {{ "127.0.0.1" }}
c2s_ports = {{}}
legacy_ssl_ports = {{}}
c2s_direct_tls_ports = {{ {port} }}
c2s_direct_tls_interfaces = {{ "127.0.0.1" }}
s2s_ports = {{}}
s2s_direct_tls_ports = {{}}
http_ports = {{}}
https_ports = {{}}
component_ports = {{ {component} }}
component_interfaces = {{ "127.0.0.1" }}
modules_enabled = {{ "saslauth" }}
modules_disabled = {{ "offline", "s2s", "http", "limits", "smacks" }}
authentication = "internal_plain"
disable_sasl_mechanisms = {{ "SCRAM-SHA-1", "SCRAM-SHA-1-PLUS", "SCRAM-SHA-256", "SCRAM-SHA-256-PLUS", "DIGEST-MD5" }}
storage = "internal"
c2s_direct_tls_ssl = {{ certificate = "{certificate}"; key = "{key}" }}
ssl = {{ certificate = "{certificate}"; key = "{key}" }}
log = {{ info = "{folder}/prosody.log" }}
VirtualHost "{domain}"
Component "{address}"
    component_secret = "{secret}"
"""


class Prosody:
    """Debian's Prosody without offline storage, with one account and one component."""

    secret = "component-secret"

    def __init__(self, folder, paths, key=KEY):
        self.folder = Path(folder)
        self.port, self.component = free_port(), free_port()
        accounts = self.folder / "data" / re.sub(r"[^A-Za-z0-9]", lambda found: f"%{ord(found[0]):02x}", DOMAIN) / "accounts"
        accounts.mkdir(parents=True)
        (accounts / f"{SENDER}.dat").write_text(f'return {{ ["password"] = "{key}"; }};\n')
        self.configuration = self.folder / "prosody.cfg.lua"
        self.configuration.write_text(PROSODY.format(
            folder=self.folder, port=self.port, component=self.component, certificate=paths[0], key=paths[1],
            domain=DOMAIN, address=COMPONENT, secret=self.secret))

    def __enter__(self):
        self.process = subprocess.Popen(
            ["prosody", "--config", str(self.configuration)], stdin=subprocess.DEVNULL,
            stdout=open(self.folder / "output.txt", "wb"), stderr=subprocess.STDOUT, cwd=self.folder)
        limit = time.monotonic() + 30
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.component), 1):
                with socket.create_connection(("127.0.0.1", self.port), 1):
                    return self
            assert self.process.poll() is None, (self.folder / "output.txt").read_text()
            assert time.monotonic() < limit, "Prosody does not listen"
            time.sleep(0.1)

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
