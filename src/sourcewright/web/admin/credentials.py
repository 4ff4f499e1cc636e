"""`/admin/keys` and `/admin/tokens/revoke`: API keys, and tokens that are refused from now on."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from sourcewright.base.errors import NotFound
from sourcewright.domain.users.credentials import ApiKey
from sourcewright.services.instance.api_keys import ApiKeys
from sourcewright.stores.logs.chain import timestamp
from sourcewright.web.admin.endpoints import AdminEndpoint
from sourcewright.web.admin.requests import AdminAsk, UserAsk
from sourcewright.web.signin.tokens import MAX_TOKEN

Scope = Annotated[str, StringConstraints(pattern=r"^[\x21\x23-\x5b\x5d-\x7e]{1,128}$")]


class NewKeyAsk(UserAsk):
    """Whom a new key stands for, and what it allows."""

    scopes: Annotated[tuple[Scope, ...], Field(max_length=50)] = ()
    label: Annotated[str, StringConstraints(max_length=200)] = ""
    days: Annotated[int, Field(ge=1, le=3650)] | None = None


class KeyAsk(AdminAsk):
    """Names one key by its id."""

    key_id: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{1,64}$")]


class TokenAsk(AdminAsk):
    """Names a token by its `jti`."""

    token_id: Annotated[str, StringConstraints(min_length=1, max_length=MAX_TOKEN)]


def credential_endpoints(keys: ApiKeys, *, accepted: bool) -> Sequence[AdminEndpoint]:
    """`accepted`: whether the server accepts API keys at all."""

    async def listed(_ask: AdminAsk) -> Mapping[str, Any]:
        entries = await keys.store.keys()
        return {"accepted": accepted, "keys": [_fields(one) for one in entries]}

    async def create(ask: NewKeyAsk) -> Mapping[str, Any]:
        key, text = await keys.create(
            ask.owner(), scopes=ask.scopes, label=ask.label, days=ask.days
        )
        return {"accepted": accepted, "key": text, **_fields(key)}

    async def revoke(ask: KeyAsk) -> Mapping[str, Any]:
        key = await keys.revoke(ask.key_id)
        if key is None:
            raise NotFound("credentials", f"there is no API key {ask.key_id}")
        return {"key_id": key.id, "revoked": True}

    async def revoke_token(ask: TokenAsk) -> Mapping[str, Any]:
        await keys.revoke_token(ask.token_id)
        return {"token_id": ask.token_id, "revoked": True}

    return (
        AdminEndpoint(method="GET", path="/keys", ask=AdminAsk, run=listed),
        AdminEndpoint(method="POST", path="/keys", ask=NewKeyAsk, run=create),
        AdminEndpoint(method="DELETE", path="/keys", ask=KeyAsk, run=revoke),
        AdminEndpoint(method="POST", path="/tokens/revoke", ask=TokenAsk, run=revoke_token),
    )


def _fields(key: ApiKey) -> dict[str, Any]:
    return {
        "key_id": key.id,
        "tenant_id": key.owner.tenant,
        "user_id": key.owner.user,
        "scopes": list(key.scopes),
        "label": key.label,
        "created_at": _timestamp(key.created_at),
        "expires_at": _timestamp(key.expires_at),
        "revoked_at": _timestamp(key.revoked_at),
    }


def _timestamp(seconds: float | None) -> str | None:
    return None if seconds is None else timestamp(seconds)
