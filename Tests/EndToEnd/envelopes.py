"""Envelopes of encrypted messages, made and opened by pyhpke, which shares no code with Herald."""

import base64
import hashlib
import json

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from pyhpke import AEADId, CipherSuite, KDFId, KEMId, KEMKey

SUITE = CipherSuite.new(KEMId.DHKEM_X25519_HKDF_SHA256, KDFId.HKDF_SHA256, AEADId.AES256_GCM)
INFO = b"herald envelope 1"
# Version, key ID and encapsulated key.
HEAD = 1 + 8 + 32


def base64url(content):
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Key:
    """The key pair of one app."""

    def __init__(self, number=None):
        content = hashlib.sha256(f"key {number}".encode()).digest()
        self.private = X25519PrivateKey.generate() if number is None else X25519PrivateKey.from_private_bytes(content)
        raw = serialization.Encoding.Raw
        self.public = self.private.public_key().public_bytes(raw, serialization.PublicFormat.Raw)
        self.id = hashlib.sha256(self.public).digest()[:8]

    @property
    def public_text(self):
        return base64url(self.public)

    @property
    def private_text(self):
        return base64url(self.private.private_bytes(
            serialization.Encoding.Raw, serialization.PrivateFormat.Raw, serialization.NoEncryption()))

    def opened(self, data):
        """Returns the content of an encrypted message by its `data`, and checks the form of the envelope."""
        assert sorted(data) == ["herald_context", "herald_envelope"]
        content = decoded(data["herald_envelope"])
        assert base64url(content) == data["herald_envelope"] and content[0] == 1 and content[1:9] == self.id
        recipient = SUITE.create_recipient_context(
            content[9:HEAD], KEMKey.from_pyca_cryptography_key(self.private), info=INFO)
        return json.loads(recipient.open(content[HEAD:], aad=data["herald_context"].encode() + self.id))

    def sealed(self, content, context):
        """Returns the `data` of a message with this content."""
        encapsulated, sender = SUITE.create_sender_context(
            KEMKey.from_pyca_cryptography_key(self.private.public_key()), info=INFO)
        sealed = sender.seal(json.dumps(content).encode(), aad=context.encode() + self.id)
        return {"herald_context": context, "herald_envelope": base64url(b"\1" + self.id + encapsulated + sealed)}
