"""The keys of the identity provider (JWKS): cached, and fetched again for an unknown key."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import jwt

from sourcewright.domain.errors import ResearchError
from sourcewright.domain.ports import Clock

logger = logging.getLogger(__name__)

_UNKNOWN_SECONDS = 60.0
"""The least time between two fetches for unknown keys: anybody can invent the name of one."""
_FAILED_SECONDS = 5.0
_MAX_KEYS = 100
_MIN_RSA_BITS = 2048
_ALGORITHMS = {("RSA", None): "RS256", ("EC", "P-256"): "ES256", ("OKP", "Ed25519"): "EdDSA"}
"""The one algorithm of each kind of key, whatever a token says."""

FetchKeys = Callable[[], Awaitable[list[dict[str, Any]]]]


@dataclass(frozen=True, slots=True)
class VerificationKey:
    """A public key, and the only algorithm that it is used with."""

    key: Any
    algorithm: str


class KeySet:
    """Finds keys by their id."""

    def __init__(self, fetch: FetchKeys, *, clock: Clock, refresh_seconds: float) -> None:
        self._fetch = fetch
        self._clock = clock
        self.refresh_seconds = refresh_seconds
        self._keys: Mapping[str, VerificationKey] | None = None
        self._fetched = self._tried = float("-inf")
        self._lock = asyncio.Lock()

    async def find(self, key_id: str) -> VerificationKey | None:
        """Return the key with this id; None if the provider has none.

        Raises:
            ResearchError: The keys were never fetched, and cannot be fetched now.
        """
        async with self._lock:
            if self._is_due(key_id):
                await self._refresh()
        return (self._keys or {}).get(key_id)

    def _is_due(self, key_id: str) -> bool:
        now = self._clock.monotonic()
        if self._keys is None:
            return True
        wait = _UNKNOWN_SECONDS if key_id not in self._keys else self.refresh_seconds
        return now - self._fetched >= wait and now - self._tried >= _FAILED_SECONDS

    async def _refresh(self) -> None:
        """Fetch the keys; those of before are used on if that fails."""
        self._tried = self._clock.monotonic()
        try:
            self._keys = _usable(await self._fetch())
        except ResearchError as error:
            logger.warning("the keys of the identity provider were not fetched: %s", error)
            if self._keys is None:
                raise
        else:
            self._fetched = self._clock.monotonic()


def _usable(keys: Iterable[Mapping[str, Any]]) -> dict[str, VerificationKey]:
    """Return the keys for signatures by their id; an id that occurs twice stands for none."""
    usable: dict[str, VerificationKey] = {}
    seen = set[str]()
    for one in list(keys)[:_MAX_KEYS]:
        key_id, key = one.get("kid"), _verification_key(one)
        if not isinstance(key_id, str) or key_id in seen:
            usable.pop(str(key_id), None)
        elif key is not None:
            usable[key_id] = key
        seen.add(str(key_id))
    return usable


def _verification_key(one: Mapping[str, Any]) -> VerificationKey | None:
    algorithm = _ALGORITHMS.get((str(one.get("kty")), one.get("crv")))
    is_signing = one.get("use", "sig") == "sig" and one.get("alg", algorithm) == algorithm
    if algorithm is None or not is_signing or "verify" not in one.get("key_ops", ["verify"]):
        return None
    # Only the public members: a provider must not publish others, and they are not used.
    public = {name: one[name] for name in ("kty", "crv", "n", "e", "x", "y") if name in one}
    try:
        key = jwt.PyJWK.from_dict(public, algorithm=algorithm).key
    except (jwt.PyJWTError, ValueError, TypeError):
        return None
    if algorithm == "RS256" and key.key_size < _MIN_RSA_BITS:
        return None
    return VerificationKey(key, algorithm)
