"""Makes keys, assertions and identities without Herald, and registers them with the emulator."""

import base64
import functools
import json
import time

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from herald import run

GOOGLE = "https://oauth2.googleapis.com/token"
MESSAGING = "https://www.googleapis.com/auth/firebase.messaging"
CLOUD = "https://www.googleapis.com/auth/cloud-platform"
BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
PROVIDER = ("//iam.googleapis.com/projects/1029384756/locations/global/"
            "workloadIdentityPools/builds/providers/forge")
ISSUER = "https://token.forge.example"


def private_pem():
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()


@functools.cache
def loaded(private):
    """Loads a key only once, because loading checks the key, which takes much longer than signing."""
    return serialization.load_pem_private_key(private.encode(), None)


def public_pem(private):
    return loaded(private).public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()


def make_key(project, email="robot@demo.iam.gserviceaccount.com", file="robot.json"):
    """Runs `herald emulator make-key` and returns the path of the key file and its content."""
    path = project.folder / file
    run("emulator", "make-key", email, path, "-C", project.folder).expect(0)
    return path, json.loads(path.read_text())


OTHER_KEY = private_pem()


def claims(account, **changes):
    now = int(time.time())
    usual = {"iss": account["client_email"], "scope": MESSAGING, "aud": GOOGLE, "iat": now, "exp": now + 3600}
    return {name: value for name, value in (usual | changes).items() if value is not None}


def signed(account, payload, key=None, **header):
    return jwt.encode(
        payload, loaded(key or account["private_key"]), algorithm="RS256",
        headers={"kid": account["private_key_id"]} | header)


def encoded(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def flipped(assertion):
    """Returns the assertion with one bit of its signature flipped."""
    head, body, signature = assertion.split(".")
    bytes_ = bytearray(base64.urlsafe_b64decode(signature + "=" * (-len(signature) % 4)))
    bytes_[100] ^= 1
    return ".".join([head, body, base64.urlsafe_b64encode(bytes_).rstrip(b"=").decode()])


def damaged(account, assertion):
    """Returns damaged assertions by kind, each with the expected error code and description."""
    good = jwt.decode(assertion, options={"verify_signature": False})
    again = lambda **changes: signed(  # noqa: E731
        account, {k: v for k, v in (good | changes).items() if v is not None})
    kid = {"typ": "JWT", "kid": account["private_key_id"]}
    body = assertion.split(".")[1]
    public = public_pem(account["private_key"]).encode()
    head = encoded({"alg": "HS256"} | kid)
    mac = jwt.algorithms.HMACAlgorithm(jwt.algorithms.HMACAlgorithm.SHA256).sign(f"{head}.{body}".encode(), public)
    hs256 = f"{head}.{body}.{base64.urlsafe_b64encode(mac).rstrip(b'=').decode()}"
    signature = ("invalid_grant", "Invalid JWT Signature.")
    times = ("invalid_grant", "Invalid JWT: Token must be a short-lived token (60 minutes) and in a "
             "reasonable timeframe. Check your iat and exp values in the JWT claim.")
    scope = ("invalid_scope", "Invalid OAuth scope or ID token audience provided.")
    now = int(time.time())
    return {
        "flipped-bit": (flipped(assertion), *signature),
        "other-key": (signed(account, good, key=OTHER_KEY), *signature),
        "unknown-kid": (signed(account, good, kid="0" * 40), *signature),
        "other-payload": (".".join([assertion.split(".")[0], encoded(good | {"scope": CLOUD}),
                                    assertion.split(".")[2]]), *signature),
        "alg-none": (f"{encoded({'alg': 'none'} | kid)}.{body}.", *signature),
        "alg-none-signed": (f"{encoded({'alg': 'none'} | kid)}.{body}.{assertion.split('.')[2]}", *signature),
        "hs256-with-the-public-key": (hs256, *signature),
        "other-iss": (again(iss="stranger@demo.iam.gserviceaccount.com"),
                      "invalid_grant", "Invalid grant: account not found"),
        "no-iss": (again(iss=None), "invalid_grant", "Invalid grant: account not found"),
        "exp-too-far": (again(exp=good["iat"] + 3601), *times),
        "expired": (again(iat=now - 4000, exp=now - 400), *times),
        "from-the-future": (again(iat=now + 400, exp=now + 3000), *times),
        "exp-before-iat": (again(iat=now, exp=now - 10), *times),
        "no-iat": (again(iat=None), "invalid_grant", "Invalid JWT: iat (issued at) is not set."),
        "no-exp": (again(exp=None), "invalid_grant", "Invalid JWT: exp (expiration time) is not set."),
        "other-aud": (again(aud="https://tokens.example/token"),
                      "invalid_grant", "Invalid JWT: Failed audience check."),
        "no-aud": (again(aud=None), "invalid_grant", "Invalid JWT: Failed audience check."),
        "no-scope": (again(scope=None), *scope),
        "unknown-scope": (again(scope=MESSAGING + "s"), *scope),
        "known-and-unknown-scope": (again(scope=f"{MESSAGING} everything"), *scope),
        "for-somebody-else": (again(sub="boss@harbour.example"), "unauthorized_client",
                              "Client is unauthorized to retrieve access tokens using this method, or client "
                              "not authorized for any of the scopes requested."),
        "two-parts": (".".join(assertion.split(".")[:2]), "invalid_request", "Bad Request"),
        "no-json": ("YQ.YQ.YQ", "invalid_request", "Bad Request"),
        "nothing": ("", "invalid_request", "Bad Request"),
    }


DAMAGES = list(damaged(
    sample := {"client_email": "a@b.example", "private_key_id": "1", "private_key": OTHER_KEY},
    signed(sample, claims(sample))))


class Identities:
    """An external identity provider that the emulator is configured to trust."""

    def __init__(self, emulator, **more):
        self.key = private_pem()
        emulator.post("/emulator/v1/auth/identity-providers", {
            "audience": PROVIDER, "issuer": ISSUER, "key_id": "forge-1", "public_key": public_pem(self.key)} | more)

    def token(self, key=None, **changes):
        now = int(time.time())
        usual = {"iss": ISSUER, "aud": "https:" + PROVIDER, "sub": "repo:harbour", "iat": now, "exp": now + 600}
        payload = {name: value for name, value in (usual | changes).items() if value is not None}
        return jwt.encode(payload, loaded(key or self.key), algorithm="RS256", headers={"kid": "forge-1"})
