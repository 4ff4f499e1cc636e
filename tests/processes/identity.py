"""An identity provider: its documents are in the simulated world, its private keys are here."""

import json
import time
from base64 import urlsafe_b64encode
from functools import cache
from typing import Any

import jwt
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa

HOST = "login.example.org"
ISSUER = f"https://{HOST}/realm"
AUDIENCE = "https://research.example.org/mcp"
SIGN_IN = {"OAUTH_ISSUER_URL": ISSUER, "OAUTH_AUDIENCE": AUDIENCE}


@cache
def private_key(kind: str) -> Any:
    """A private key; the word after the kind only makes it another one."""
    if kind.startswith("RS256"):
        return rsa.generate_private_key(public_exponent=65537, key_size=2048)
    if kind.startswith("weak"):
        return rsa.generate_private_key(public_exponent=65537, key_size=1024)
    if kind.startswith("ES256"):
        return ec.generate_private_key(ec.SECP256R1())
    return ed25519.Ed25519PrivateKey.generate()


def public_jwk(kind: str, **changes: Any) -> dict[str, Any]:
    algorithm = "RS256" if kind.startswith("weak") else kind.split(maxsplit=1)[0]
    public = private_key(kind).public_key()
    jwk = jwt.get_algorithm_by_name(algorithm).to_jwk(public, as_dict=True)
    return {**jwk, "kid": kind, "use": "sig", "alg": algorithm, **changes}


class IdentityProvider:
    """Publishes keys in the world, and signs tokens with them."""

    def __init__(self, internet: Any) -> None:
        self._internet = internet
        self.publish(*map(public_jwk, ("RS256 a", "ES256 a", "EdDSA a")))

    def publish(self, *keys: dict[str, Any], **discovery: Any) -> None:
        metadata = {"issuer": ISSUER, "jwks_uri": f"https://{HOST}/keys", **discovery}
        self._internet.mends(HOST)
        path = "/realm/.well-known/openid-configuration"
        self._internet.says(HOST, metadata, path=path)
        self._internet.says(HOST, {"keys": list(keys)}, path="/keys")

    @property
    def fetches(self) -> int:
        return len([one for one in self._internet.requests_to(HOST) if one.path == "/keys"])


def claims(**changes: Any) -> dict[str, Any]:
    """The claims of an access token without scopes: it names its client."""
    now = int(time.time())
    usual = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "tenant_id": "north", "jti": "t1"}
    payload = {**usual, "client_id": "reader", "iat": now, "nbf": now, "exp": now + 600, **changes}
    return {name: value for name, value in payload.items() if value is not ...}


def token(kind: str = "RS256 a", *, headers: dict[str, Any] | None = None, **changes: Any) -> str:
    """A token; `...` as a value leaves a claim out."""
    head, body = {"kid": kind, **(headers or {})}, claims(**changes)
    if not kind.startswith("weak"):
        return jwt.encode(body, private_key(kind), kind.partition(" ")[0], head)
    # The library would not sign with a key that is too short.
    text = f"{part({**head, 'alg': 'RS256'})}.{part(body)}"
    signature = private_key(kind).sign(text.encode(), padding.PKCS1v15(), hashes.SHA256())
    return f"{text}.{part(signature)}"


def part(value: Any) -> str:
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    return urlsafe_b64encode(body).rstrip(b"=").decode()
