"""The keys of the identity provider (JWKS): cached, and fetched again for an unknown key."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import jwt

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import ResearchError

logger = logging.getLogger(__name__)

_UNKNOWN_SECONDS = 60.0
"""The least time between two fetches for unknown keys: anybody can invent the name of one."""
_FAILED_SECONDS = 5.0
"""The least time after a fetch that failed: tokens of strangers must not repeat it at will."""
_PATIENCE_SECONDS = 2.0
"""How long a request waits for a new fetch if its key is known from the one before."""
_MAX_KEYS = 100
_MIN_RSA_BITS = 2048
_ALGORITHMS: Mapping[tuple[Any, Any], str] = {
    ("RSA", None): "RS256",
    ("EC", "P-256"): "ES256",
    ("OKP", "Ed25519"): "EdDSA",
}
"""The one algorithm of each kind of key, whatever a token says."""

FetchKeys = Callable[[], Awaitable[list[dict[str, Any]]]]


@dataclass(frozen=True, slots=True)
class VerificationKey:
    """A public key, and the only algorithm that it is used with."""

    key: Any
    algorithm: str


class KeySet:
    """Finds keys by their id. All requests wait for one fetch, and none for long if it has a key."""

    def __init__(self, fetch: FetchKeys, *, clock: Clock, refresh_seconds: float) -> None:
        self._fetch = fetch
        self._clock = clock
        self.refresh_seconds = refresh_seconds
        self._keys: Mapping[str, VerificationKey] | None = None
        self._fetched = self._tried = float("-inf")
        self._failure: ResearchError | None = None
        self._refreshing: asyncio.Task[None] | None = None

    async def find(self, key_id: str) -> VerificationKey | None:
        """Return the key with this id; None if the provider has none.

        Raises:
            ResearchError: It is not among the known keys, and the last fetch failed.
        """
        if self._is_due(key_id):
            is_known = key_id in (self._keys or {})
            refresh = self._refresh()
            await asyncio.wait({refresh}, timeout=_PATIENCE_SECONDS if is_known else None)
            if refresh.done():
                refresh.result()
        key = (self._keys or {}).get(key_id)
        if key is None and self._failure is not None:
            # It may be a new key: only a provider that answered can lack it.
            raise self._failure
        return key

    def _is_due(self, key_id: str) -> bool:
        now = self._clock.monotonic()
        keys = self._keys or {}
        wait = _UNKNOWN_SECONDS if key_id not in keys else self.refresh_seconds
        if now - self._fetched < wait:
            return False
        return self._refreshing is not None or now - self._tried >= _FAILED_SECONDS

    def _refresh(self) -> asyncio.Task[None]:
        """Return the fetch in progress, or begin one."""
        if self._refreshing is None:
            self._tried = self._clock.monotonic()
            self._refreshing = asyncio.create_task(self._replace_keys())
        return self._refreshing

    async def _replace_keys(self) -> None:
        """Fetch the keys; those of before are used on if that fails."""
        try:
            self._keys = _usable(await self._fetch())
        except ResearchError as error:
            logger.warning("the keys of the identity provider were not fetched: %s", error)
            self._failure = error
        else:
            self._fetched = self._clock.monotonic()
            self._failure = None
        finally:
            self._tried = self._clock.monotonic()
            self._refreshing = None


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


def _verification_key(given: Mapping[str, Any]) -> VerificationKey | None:
    # Some providers write a member that a key does not have as null.
    one = {name: value for name, value in given.items() if value is not None}
    algorithm = _algorithm(one)
    # Only the public members: a provider must not publish others, and they are not used.
    public: dict[str, Any] = {
        name: one[name] for name in ("kty", "crv", "n", "e", "x", "y") if name in one
    }
    if algorithm is None or not _is_for_signatures(one, algorithm):
        return None
    try:
        key = jwt.PyJWK.from_dict(public, algorithm=algorithm).key
    except (jwt.PyJWTError, ValueError, TypeError):
        return None
    if algorithm == "RS256" and key.key_size < _MIN_RSA_BITS:
        return None
    return VerificationKey(key, algorithm)


def _algorithm(key: Mapping[str, Any]) -> str | None:
    kind, curve = key.get("kty"), key.get("crv")
    is_text = isinstance(kind, str) and isinstance(curve, str | None)
    return _ALGORITHMS.get((kind, curve)) if is_text else None


def _is_for_signatures(key: Mapping[str, Any], algorithm: str) -> bool:
    uses = key.get("key_ops", ["verify"])
    is_verifying = isinstance(uses, list) and "verify" in uses
    return (
        is_verifying and key.get("use", "sig") == "sig" and key.get("alg", algorithm) == algorithm
    )
