"""Draws approvals: half of them good, half broken in one way each."""

import dataclasses
import random
import struct
from dataclasses import dataclass

import keys
from keys import string

NOW = "2027-03-01T12:00:00Z"
EXPIRES = "2027-03-02T00:00:00Z"
KINDS = ["ed25519", "nistp256", "nistp384", "nistp521", "rsa2048", "rsa3072", "sk-ed25519", "sk-nistp256"]


@dataclass(frozen=True)
class Subject:
    """What is approved: the values of the expected text."""

    digest: str
    lineage: str
    environment: str = "local"

    def text(self, principal, expires=EXPIRES):
        return (f"herald-approval 1\ndigest {self.digest}\nlineage {self.lineage}\n"
                f"environment {self.environment}\nprincipal {principal}\nexpires {expires}\n")


@dataclass(frozen=True)
class Sample:
    """An approval: the text that it shows, and its signature."""

    way: str
    principal: str
    # What the approval says that it is about.
    shown: str
    signature: str
    is_good: bool

    @property
    def file(self):
        return (f"-----BEGIN HERALD APPROVAL-----\n{self.shown}{self.signature.rstrip()}\n"
                "-----END HERALD APPROVAL-----\n")


class Signers:
    """The keys of a project, its file of signers and its file of revoked keys."""

    def __init__(self, folder):
        self.folder = folder
        self.good, self.lines = [], ["# Approvers", ""]
        for number, kind in enumerate(KINDS):
            for place, option in enumerate(["", 'namespaces="herald"', 'namespaces="git,her*"']):
                key = self.make(f"good-{kind}-{place}", kind)
                principal = f"person{number}{place}@example.com"
                self.good.append((principal, key))
                self.add(principal, key, option)
        self.several = self.make("several", "ed25519")
        self.add("!mallory@ops.example.com,*@ops.example.com,ann", self.several,
                 'valid-after="20260101Z",valid-before="20300101000000Z"')
        self.good += [("eve@ops.example.com", self.several), ("ann", self.several)]
        self.limited = {
            "expired": self.limit("expired", 'valid-before="20270228Z"'),
            "not yet valid": self.limit("later", 'valid-after="202703011201Z"'),
            "for other namespaces": self.limit("git", 'namespaces="git,file,!herald"'),
        }
        self.revoked = [self.make(f"revoked-{kind}", kind) for kind in KINDS]
        for place, key in enumerate(self.revoked):
            self.add(f"former{place}@example.com", key)
        self.strangers = [self.make(f"stranger-{kind}", kind) for kind in KINDS]

    def make(self, name, kind):
        key = keys.make_keys(name, kind)
        if not key.application:
            key.store(self.folder)
        return key

    def add(self, principal, key, options=""):
        self.lines.append(" ".join(part for part in (principal, options, key.line, "a comment") if part))

    def limit(self, name, options):
        key = self.make(name, "ed25519")
        self.add(f"{name}@example.com", key, options)
        return f"{name}@example.com", key

    @property
    def allowed_text(self):
        return "\n".join(self.lines) + "\n"

    @property
    def revoked_text(self):
        return "# Lost\n" + "".join(f"{key.line} lost\n" for key in self.revoked)


class Draw:
    """Draws samples for one subject."""

    def __init__(self, signers, subject, seed):
        self.signers, self.subject = signers, subject
        self.random = random.Random(seed)

    def samples(self, count):
        ways = sorted(name for name in dir(self) if name.startswith("break_"))
        drawn = [self.good() for _ in range(count // 2)]
        # Each way occurs, however few samples there are.
        drawn += [getattr(self, ways[place % len(ways)])() for place in range(count - count // 2)]
        self.random.shuffle(drawn)
        return drawn

    # Good ones

    def signer(self, kinds=None):
        suited = [(principal, key) for principal, key in self.signers.good
                  if kinds is None or any(kind in key.name for kind in kinds)]
        return self.random.choice(suited)

    def signed(self, key, message, **options):
        """By ssh-keygen if it can, otherwise by hand."""
        options = {"digest": self.random.choice(["sha256", "sha512"]), **options}
        if key.application:
            return keys.sign_by_hand(key, message, **options).text
        return keys.sign_with_ssh_keygen(self.signers.folder / key.name, message, **options)

    def good(self):
        principal, key = self.signer()
        text = self.subject.text(principal)
        by_hand = self.random.random() < 0.3
        if by_hand:
            algorithm = self.random.choice(["rsa-sha2-256", "rsa-sha2-512"]) if "rsa" in key.kind else None
            made = keys.sign_by_hand(key, text.encode(), algorithm=algorithm)
            # Neither is signed: a reader ignores the one, and accepts earlier versions.
            reserved, version = self.random.choice([b"", b"reserved"]), self.random.choice([0, 1, 1])
            signature = dataclasses.replace(made, reserved=reserved, version=version).text
        else:
            signature = self.signed(key, text.encode())
        return Sample("good", principal, text, signature, True)

    # Broken ones

    def broken(self, way, principal, signature, shown=None):
        return Sample(way, principal, shown or self.subject.text(principal), signature, False)

    def parts(self, kinds=None):
        principal, key = self.signer(kinds)
        return principal, key, keys.sign_by_hand(key, self.subject.text(principal).encode())

    def break_namespace(self):
        principal, key = self.signer()
        message = self.subject.text(principal).encode()
        other = self.random.choice(["file", "git", "herald ", "heral", "Herald", "herald.example"])
        return self.broken("other namespace", principal, self.signed(key, message, namespace=other))

    def break_named_namespace(self):
        principal, key, made = self.parts()
        other = keys.sign_by_hand(key, self.subject.text(principal).encode(), namespace="file")
        return self.broken("namespace renamed", principal, dataclasses.replace(made, raw=other.raw).text)

    def break_subject(self):
        principal, key = self.signer()
        field = self.random.choice(["digest", "lineage", "environment"])
        value = getattr(self.subject, field)
        other = dataclasses.replace(self.subject, **{field: ("0" if value[0] != "0" else "1") + value[1:]})
        signature = self.signed(key, other.text(principal).encode())
        shown = self.random.choice([self.subject, other]).text(principal)
        return self.broken(f"other {field}", principal, signature, shown)

    def break_expiry(self):
        principal, key = self.signer()
        signature = self.signed(key, self.subject.text(principal, "2027-03-01T13:00:00Z").encode())
        return self.broken("other expiry", principal, signature)

    def break_principal(self):
        principal, key = self.signer()
        others = ["mallory@ops.example.com", "nobody@example.com", principal + ".example", principal[1:]]
        other = self.random.choice(others)
        return self.broken("other principal", other, self.signed(key, self.subject.text(other).encode()))

    def break_key(self):
        principal, _ = self.signer()
        key = self.random.choice(self.signers.strangers)
        return self.broken("unlisted key", principal, self.signed(key, self.subject.text(principal).encode()))

    def break_revoked(self):
        place = self.random.randrange(len(self.signers.revoked))
        principal = f"former{place}@example.com"
        signature = self.signed(self.signers.revoked[place], self.subject.text(principal).encode())
        return self.broken("revoked", principal, signature)

    def break_validity(self):
        way = self.random.choice(sorted(self.signers.limited))
        principal, key = self.signers.limited[way]
        return self.broken(way, principal, self.signed(key, self.subject.text(principal).encode()))

    def break_truncated(self):
        principal, _, made = self.parts()
        cut = self.random.randrange(len(made.blob))
        return self.broken("truncated", principal, keys.armored(made.blob[:cut]))

    def break_truncated_text(self):
        principal, _, made = self.parts()
        # Without the last digits, padding does not match, or bytes are missing.
        lines = made.text.split("\n")
        place = self.random.randrange(1, len(lines) - 2)
        lines[place] = lines[place][:-self.random.randrange(1, 4)]
        return self.broken("text truncated", principal, "\n".join(lines))

    def break_byte(self):
        principal, _, made = self.parts()
        blob = bytearray(made.blob)
        # Neither in the version nor in the length of the reserved part, which nothing signs.
        start = 10 + len(string(made.key)) + len(string(made.namespace.encode()))
        place = self.random.choice([*range(6), *range(10, start), *range(start + 4, len(blob))])
        blob[place] ^= 1 << self.random.randrange(8)
        return self.broken("flipped bit", principal, keys.armored(bytes(blob)))

    def break_trailing(self):
        principal, _, made = self.parts()
        if self.random.random() < 0.5:
            return self.broken("trailing bytes", principal, keys.armored(made.blob + b"\0"))
        return self.broken("trailing bytes", principal, dataclasses.replace(made, raw=made.raw + b"\0").text)

    def break_key_kind(self):
        principal, key, made = self.parts()
        others = [other for _, other in self.signers.good if other.kind != key.kind]
        other = self.random.choice(others)
        changes = self.random.choice([{"key": other.blob}, {"raw": self.renamed(made.raw, other.kind)},
                                      {"key": self.renamed(made.key, other.kind)}])
        return self.broken("other kind of key", principal, dataclasses.replace(made, **changes).text)

    @staticmethod
    def renamed(content, name):
        length = struct.unpack(">I", content[:4])[0]
        return string(name.encode()) + content[4 + length:]

    def break_hash(self):
        principal, _, made = self.parts()
        digest = self.random.choice(["sha256", "sha1", "md5", ""])
        return self.broken("other hash", principal, dataclasses.replace(made, digest=digest).text)

    def break_version(self):
        principal, _, made = self.parts()
        version = self.random.choice([2, 256, 2**31])
        return self.broken("other version", principal, dataclasses.replace(made, version=version).text)

    def break_sha1(self):
        principal, key = self.signer(["rsa"])
        made = keys.sign_by_hand(key, self.subject.text(principal).encode(), algorithm="ssh-rsa")
        return self.broken("SHA-1", principal, made.text)

    def break_numbers(self):
        principal, key, made = self.parts(["good-nistp", "good-sk-nistp256"])
        numbers = self.random.choice([(0, 0), (0, 1), (1, 0), (1, 1), (2**256 - 1, 1), (1 << 600, 1)])
        content = b"".join(map(keys.number, numbers))
        if self.random.random() < 0.3:
            content = string(b"\xff" * 32) * 2
        tail = made.raw[-5:] if key.application else b""
        raw = string(key.kind.encode()) + string(content) + tail
        return self.broken("invalid numbers", principal, dataclasses.replace(made, raw=raw).text)

    def break_device(self):
        principal, key, made = self.parts(["good-sk"])
        raw = bytearray(made.raw)
        raw[-self.random.randrange(1, 6)] ^= 4
        changes = {"raw": bytes(raw)}
        if self.random.random() < 0.5:
            changes = {"key": dataclasses.replace(key, application=b"ssh:other").blob}
        return self.broken("other device data", principal, dataclasses.replace(made, **changes).text)

    def break_armour(self):
        principal, _, made = self.parts()
        text = self.random.choice([
            made.text.replace(keys.HEADER, keys.HEADER.replace("SSH", "PGP")),
            made.text.replace(keys.FOOTER, keys.FOOTER.replace("END", "ENDE")),
            made.text.replace(keys.HEADER + "\n", ""), made.text.replace("\n", "\n*", 2),
            "x" + made.text, keys.HEADER + "\n" + keys.FOOTER + "\n", "\n",
        ])
        return self.broken("armour", principal, text)
