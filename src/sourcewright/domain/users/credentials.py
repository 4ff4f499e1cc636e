"""Credentials of the HTTP server: API keys, revoked tokens, and the store's port."""

from dataclasses import dataclass
from typing import Protocol

from sourcewright.domain.users.sessions import Owner


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """An API key as it is stored: its secret is not known any more."""

    id: str
    owner: Owner
    digest: bytes
    """The SHA-256 of the secret, which is random and long enough not to be guessed."""
    scopes: tuple[str, ...] = ()
    label: str = ""
    created_at: float
    expires_at: float | None = None
    revoked_at: float | None = None

    def is_valid(self, now: float) -> bool:
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


class CredentialStore(Protocol):
    """Where API keys and revocations are kept. Every method may raise StoreError or LockTimeout."""

    async def add(self, key: ApiKey) -> None: ...

    async def find(self, key_id: str) -> ApiKey | None: ...

    async def keys(self) -> list[ApiKey]:
        """Return all keys, oldest first."""
        ...

    async def keys_of(self, owner: Owner) -> list[ApiKey]:
        """Return all keys of one user, also those that are accepted no more."""
        ...

    async def erase(self, owner: Owner) -> int:
        """Erase all keys of one user, and return how many there were."""
        ...

    async def revoke(self, key_id: str, now: float) -> bool:
        """Revoke a key; return whether there is one with this id."""
        ...

    async def revoke_token(self, token_id: str, *, forget_at: float) -> None:
        """Refuse the token with this `jti` until it would have expired anyway."""
        ...

    async def is_token_revoked(self, token_id: str) -> bool: ...

    async def aclose(self) -> None: ...
