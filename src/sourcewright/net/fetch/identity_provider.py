"""The identity provider (OpenID Connect): its discovery document and its keys (JWKS)."""

from typing import Any

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import BadAnswer
from sourcewright.base.http_messages import Request
from sourcewright.net.http.answers import parse_json, refusal_in, retryable_error_in
from sourcewright.net.http.exchange import MEBIBYTE, Policy, Sends

SOURCE = "identity provider"
_DISCOVERY = "/.well-known/openid-configuration"
_POLICY = Policy(
    source=SOURCE,
    max_bytes=MEBIBYTE,
    connect_seconds=5.0,
    read_seconds=10.0,
    total_seconds=15.0,
)


class IdentityProvider:
    """Fetches the keys with which the provider signs its tokens."""

    def __init__(self, client: Sends, issuer: str, clock: Clock) -> None:
        self._client = client
        self._issuer = issuer
        self._clock = clock

    async def keys(self) -> list[dict[str, Any]]:
        """Return the keys in the format of a JWKS.

        Raises:
            Denied: The keys are at an address that may not be requested.
            UpstreamError: The provider did not return them.
        """
        metadata = await self._get(self._issuer.rstrip("/") + _DISCOVERY)
        if metadata.get("issuer") != self._issuer:
            issuer = str(metadata.get("issuer"))[:200]
            raise BadAnswer(
                SOURCE, f"it names itself {issuer}: set OAUTH_ISSUER_URL to exactly that"
            )
        place = metadata.get("jwks_uri")
        if not isinstance(place, str):
            raise BadAnswer(SOURCE, "it does not say where its keys are", cause="shape")
        keys = (await self._get(place)).get("keys")
        if not isinstance(keys, list):
            raise BadAnswer(SOURCE, "it has no list of keys", cause="shape")
        return [key for key in keys if isinstance(key, dict)]

    async def _get(self, url: str) -> dict[str, Any]:
        request = Request(url=url, headers={"accept": "application/json"})
        answer = await self._client.send(request, _POLICY)
        problem = retryable_error_in(answer, _POLICY, self._clock.now()) or refusal_in(
            answer, SOURCE
        )
        if problem is not None:
            raise problem
        try:
            value = parse_json(answer.body)
        except ValueError as error:
            raise BadAnswer(SOURCE, "it did not answer with JSON", cause="shape") from error
        if answer.status != 200 or not isinstance(value, dict):
            raise BadAnswer(SOURCE, "unexpected answer", status=answer.status, cause="shape")
        return value
