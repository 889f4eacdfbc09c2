"""Keys of every kind that may approve, and signatures of ssh-keygen's format made by hand.

ssh-keygen signs with all keys except security keys, which need a device: those are held here and sign as a device
does (OpenSSH, PROTOCOL.u2f and PROTOCOL.sshsig).
"""

import base64
import hashlib
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils

HEADER = "-----BEGIN SSH SIGNATURE-----"
FOOTER = "-----END SSH SIGNATURE-----"
CURVES = {"nistp256": (ec.SECP256R1, hashes.SHA256), "nistp384": (ec.SECP384R1, hashes.SHA384),
          "nistp521": (ec.SECP521R1, hashes.SHA512)}
DIGESTS = {"sha256": hashlib.sha256, "sha512": hashlib.sha512}


def string(content):
    return struct.pack(">I", len(content)) + content


def number(value):
    """A positive number of SSH's protocol."""
    return string(value.to_bytes(value.bit_length() // 8 + 1, "big") if value else b"")


def armored(blob):
    text = base64.b64encode(blob).decode()
    lines = [text[place:place + 70] for place in range(0, len(text), 70)]
    return "\n".join([HEADER, *lines, FOOTER, ""])


def dearmored(text):
    return base64.b64decode("".join(text.strip().split("\n")[1:-1]))


@dataclass(frozen=True)
class Key:
    """A private key and its public form."""

    name: str
    kind: str
    private: object
    # What a security key signs for; empty for other keys.
    application: bytes = b""

    @property
    def blob(self):
        public = self.private.public_key()
        if isinstance(public, ed25519.Ed25519PublicKey):
            raw = serialization.Encoding.Raw, serialization.PublicFormat.Raw
            content = string(public.public_bytes(*raw))
        elif isinstance(public, rsa.RSAPublicKey):
            numbers = public.public_numbers()
            content = number(numbers.e) + number(numbers.n)
        else:
            point = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
            content = string(self.curve.encode()) + string(public.public_bytes(*point))
        if self.application:
            content += string(self.application)
        return string(self.kind.encode()) + content

    @property
    def curve(self):
        return {256: "nistp256", 384: "nistp384", 521: "nistp521"}[self.private.curve.key_size]

    @property
    def line(self):
        return f"{self.kind} {base64.b64encode(self.blob).decode()}"

    def store(self, folder):
        """Writes the private key where ssh-keygen finds it."""
        path = Path(folder) / self.name
        path.write_bytes(self.private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, serialization.NoEncryption()))
        path.chmod(0o600)
        return path


def make_keys(name, kind):
    """A new key of a kind: `ed25519`, `nistp256`, `rsa2048`, `sk-ed25519`, `sk-nistp256` and so on."""
    if kind.endswith("ed25519"):
        private = ed25519.Ed25519PrivateKey.generate()
    elif kind.startswith("rsa"):
        private = rsa.generate_private_key(65_537, int(kind[3:]))
    else:
        private = ec.generate_private_key(CURVES[kind.removeprefix("sk-")][0]())
    names = {"ed25519": "ssh-ed25519", "sk-ed25519": "sk-ssh-ed25519@openssh.com",
             "sk-nistp256": "sk-ecdsa-sha2-nistp256@openssh.com"}
    form = names.get(kind) or ("ssh-rsa" if kind.startswith("rsa") else f"ecdsa-sha2-{kind}")
    return Key(name, form, private, b"ssh:" if kind.startswith("sk-") else b"")


def sign_by_hand(key, message, namespace="herald", digest="sha512", algorithm=None):
    """The parts of a signature, as ssh-keygen makes them."""
    signed = (b"SSHSIG" + string(namespace.encode()) + string(b"") + string(digest.encode())
              + string(DIGESTS[digest](message).digest()))
    return Signature(key.blob, namespace, digest, raw_signature(key, signed, algorithm))


def raw_signature(key, signed, algorithm=None):
    tail = b""
    if key.application:
        # User presence, and a counter.
        tail = b"\x01" + struct.pack(">I", 7)
        signed = hashlib.sha256(key.application).digest() + tail + hashlib.sha256(signed).digest()
    private = key.private
    if isinstance(private, ed25519.Ed25519PrivateKey):
        content = private.sign(signed)
    elif isinstance(private, rsa.RSAPrivateKey):
        algorithm = algorithm or "rsa-sha2-512"
        kind = {"ssh-rsa": hashes.SHA1, "rsa-sha2-256": hashes.SHA256, "rsa-sha2-512": hashes.SHA512}[algorithm]
        content = private.sign(signed, padding.PKCS1v15(), kind())
    else:
        both = utils.decode_dss_signature(private.sign(signed, ec.ECDSA(CURVES[key.curve][1]())))
        content = b"".join(map(number, both))
    return string((algorithm or key.kind).encode()) + string(content) + tail


@dataclass(frozen=True)
class Signature:
    """What the armour contains."""

    key: bytes
    namespace: str
    digest: str
    raw: bytes
    version: int = 1
    reserved: bytes = b""

    @property
    def blob(self):
        return (b"SSHSIG" + struct.pack(">I", self.version) + string(self.key) + string(self.namespace.encode())
                + string(self.reserved) + string(self.digest.encode()) + string(self.raw))

    @property
    def text(self):
        return armored(self.blob)


def sign_with_ssh_keygen(path, message, namespace="herald", digest="sha512"):
    """The armoured signature that `ssh-keygen -Y sign` makes."""
    made = subprocess.run(
        ["ssh-keygen", "-q", "-Y", "sign", "-f", path, "-n", namespace, "-O", f"hashalg={digest}"],
        input=message, capture_output=True, check=True, timeout=60)
    return made.stdout.decode()
