"""Access tokens (JWT): signature, issuer, audience, times, and whom they stand for."""

import re
from dataclasses import dataclass
from typing import Any

import jwt

from sourcewright.base.clocks import Clock
from sourcewright.domain.users.sessions import Owner, is_owner_name
from sourcewright.web.signin.key_set import KeySet

DEFAULT_TENANT = "default"
MAX_TOKEN = 16 * 1024
_SKEW_SECONDS = 60
_ACCESS_TYPES = frozenset({"at+jwt", "application/at+jwt"})
_TYPES = _ACCESS_TYPES | {"jwt"}
_ACCESS_CLAIMS = frozenset({("typ", "bearer"), ("token_use", "access")})
"""How Keycloak and Cognito mark access tokens in the claims; other values mark other tokens."""
_SCOPE_CLAIMS = ("scope", "scp")
_ID_CLAIMS = frozenset({"nonce", "at_hash", "c_hash", "s_hash"})
"""What only an ID token has (OpenID Connect Core 1.0, 2 and 3.3.2.11)."""
_FORM = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")
_NUMBERS = ("exp", "nbf", "iat")


class InvalidToken(Exception):
    """The token is not accepted; the reason is for the server's own log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Whom a credential stands for, and what it allows."""

    owner: Owner
    scopes: frozenset[str]
    credential: str
    """The id of the token or API key; empty if it has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenChecker:
    """Accepts the tokens of one issuer for one audience."""

    issuer: str
    audience: str
    tenant_claim: str
    keys: KeySet
    clock: Clock

    async def check(self, token: str) -> Identity:
        """Return whom the token stands for.

        Raises:
            InvalidToken: It is not accepted.
            ResearchError: The keys of the issuer cannot be fetched.
        """
        key_id = _key_id(token)
        key = await self.keys.find(key_id)
        if key is None:
            raise InvalidToken("unknown key")
        try:
            claims = jwt.decode(
                token,
                key.key,
                algorithms=[key.algorithm],
                audience=self.audience,
                issuer=self.issuer,
                leeway=_SKEW_SECONDS,
                options={"require": ["exp", "iss", "aud", "sub"]},
            )
        except (jwt.PyJWTError, ValueError, TypeError, OverflowError, RecursionError) as error:
            raise InvalidToken(type(error).__name__) from error
        if not _is_access_token(jwt.get_unverified_header(token), claims):
            raise InvalidToken("not an access token, perhaps an ID token")
        return self._identity(claims)

    def _identity(self, claims: dict[str, Any]) -> Identity:
        for name in _NUMBERS:
            value = claims.get(name, 0)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise InvalidToken(f"{name} is not a number")
        # The leeway is for clocks that are ahead; a token that has expired is not used any more.
        if claims["exp"] <= self.clock.now():
            raise InvalidToken("expired")
        tenant, user = claims.get(self.tenant_claim, DEFAULT_TENANT), claims["sub"]
        if not is_owner_name(tenant) or not is_owner_name(user):
            raise InvalidToken("the name of the tenant or the user cannot be used")
        token_id = claims.get("jti", "")
        if not isinstance(token_id, str) or not token_id.isprintable():
            # Nobody could write it down to revoke the token.
            raise InvalidToken("jti is not a printable text")
        return Identity(
            owner=Owner(tenant=tenant, user=user),
            scopes=_scopes(claims),
            credential=token_id,
        )


def _key_id(token: str) -> str:
    """Return the id of the key that the token names; nothing else in its header is believed."""
    if len(token) > MAX_TOKEN or not _FORM.fullmatch(token):
        raise InvalidToken("not a token")
    try:
        header = jwt.get_unverified_header(token)
    except (jwt.PyJWTError, ValueError, RecursionError) as error:
        raise InvalidToken("unreadable header") from error
    if "crit" in header or str(header.get("typ", "jwt")).lower() not in _TYPES:
        raise InvalidToken("another kind of token")
    key_id = header.get("kid")
    if not isinstance(key_id, str) or not 1 <= len(key_id) <= 256:
        raise InvalidToken("no key id")
    return key_id


def _is_access_token(header: dict[str, Any], claims: dict[str, Any]) -> bool:
    """Whether a token says that it opens something: an ID token only says who signed in.

    Its provider signs both with the same keys. The type in the header (RFC 9068) or in the claims
    decides; without one, an access token has scopes or the client that it was given to.
    """
    kind = str(header.get("typ", "")).lower()
    marks = {(name, str(claims[name]).lower()) for name in ("typ", "token_use") if name in claims}
    if kind in _ACCESS_TYPES or marks:
        return marks <= _ACCESS_CLAIMS
    has_scopes = any(isinstance(claims.get(name), str | list) for name in _SCOPE_CLAIMS)
    has_client = isinstance(claims.get("client_id"), str)
    return (has_scopes or has_client) and not _ID_CLAIMS & claims.keys()


def _scopes(claims: dict[str, Any]) -> frozenset[str]:
    """Return the scopes in `scope` (words) and `scp` (words or a list)."""
    words = list[str]()
    for value in map(claims.get, _SCOPE_CLAIMS):
        if isinstance(value, str):
            words += value.split()
        elif isinstance(value, list):
            words += [one for one in value if isinstance(one, str)]
    return frozenset(words)
