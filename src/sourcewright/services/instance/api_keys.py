"""API keys of the HTTP server: made once, shown once, stored as a digest."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import InvalidInput
from sourcewright.domain.ports import AuditRecorder
from sourcewright.domain.users.credentials import ApiKey, CredentialStore
from sourcewright.domain.users.sessions import Owner, is_owner_name

PREFIX = "sw_"
_TOKEN_SECONDS = 100 * 365 * 86_400.0
"""How long a revocation is kept: nobody knows until when the token would be valid."""
_MAX_KEY = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKeys:
    """Makes, checks and revokes API keys, and records that. A key is `sw_ID_SECRET`."""

    store: CredentialStore
    clock: Clock
    auditor: AuditRecorder

    async def create(
        self,
        owner: Owner,
        *,
        scopes: tuple[str, ...] = (),
        label: str = "",
        days: int | None = None,
    ) -> tuple[ApiKey, str]:
        """Store a new key; return it with its text, which is known only now.

        Raises:
            InvalidInput: The tenant or the user has a name that cannot be used.
            ResearchError: It cannot be stored or recorded.
        """
        for name in (owner.tenant, owner.user):
            if not is_owner_name(name):
                raise InvalidInput("tenant and user must have 1 to 256 printable characters")
        secret, now = secrets.token_urlsafe(32), self.clock.now()
        key = ApiKey(
            id=secrets.token_hex(8),
            owner=owner,
            digest=_digest(secret),
            scopes=scopes,
            label=label,
            created_at=now,
            expires_at=None if days is None else now + days * 86_400,
        )
        await self.auditor.check()
        await self.store.add(key)
        await self._record("api_key.create", key)
        return key, f"{PREFIX}{key.id}_{secret}"

    async def check(self, text: str) -> ApiKey | None:
        """Return the key with this text if it is valid; the time taken says nothing about it."""
        key_id, _, secret = text[:_MAX_KEY].removeprefix(PREFIX).partition("_")
        key = await self.store.find(key_id)
        matches = hmac.compare_digest(_digest(secret), key.digest if key else bytes(32))
        return key if key and matches and key.is_valid(self.clock.now()) else None

    async def revoke(self, key_id: str) -> ApiKey | None:
        """Refuse the key with this id from now on, and return it; None if there is none."""
        key = await self.store.find(key_id)
        if key is None or not await self.store.revoke(key_id, self.clock.now()):
            return None
        await self._record("api_key.revoke", key)
        return key

    async def revoke_token(self, token_id: str) -> None:
        """Refuse the access token whose `jti` this is from now on.

        Raises:
            InvalidInput: No token has such an id.
            ResearchError: It cannot be stored or recorded.
        """
        if not token_id or not token_id.isprintable():
            raise InvalidInput("the id of a token (jti) must have printable characters")
        await self.store.revoke_token(token_id, forget_at=self.clock.now() + _TOKEN_SECONDS)
        about = {"token_id": token_id}
        event = {"event_type": "token.revoke", "success": True, "metadata": about}
        await self.auditor.audit(event)

    async def _record(self, event: str, key: ApiKey) -> None:
        about = {"success": True, "metadata": {"key_id": key.id, "scopes": list(key.scopes)}}
        who = {"tenant_id": key.owner.tenant, "user_id": key.owner.user}
        await self.auditor.audit({"event_type": event, **who, **about})


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
