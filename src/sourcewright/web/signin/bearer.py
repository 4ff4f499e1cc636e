"""Bearer tokens and API keys: the Authorization header, and which tenant and user it stands for.

Without sign-in everybody is the same user, and a token or key is refused.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from sourcewright.base.errors import ResearchError
from sourcewright.domain.users.credentials import CredentialStore
from sourcewright.domain.users.sessions import Owner
from sourcewright.domain.users.tenants import Caller, calling_as
from sourcewright.services.instance.api_keys import PREFIX, ApiKeys
from sourcewright.web.headers import client_address
from sourcewright.web.refusals import RefusalLog
from sourcewright.web.signin.metadata import Challenge
from sourcewright.web.signin.tokens import Identity, InvalidToken, TokenChecker

logger = logging.getLogger(__name__)


class UncheckedCredential(InvalidToken):
    """A kind of credential that this server is not set up to check; its sender is told so."""

    def __init__(self, credential: str, header: str = "") -> None:
        is_key = credential.startswith(PREFIX) or header == "x-api-key"
        kind, setting = (
            ("API keys", "SOURCEWRIGHT_API_KEYS=true")
            if is_key
            else ("access tokens", "OAUTH_ISSUER_URL")
        )
        super().__init__(
            f"this server does not check {kind}: set {setting} on it, or send no credential"
        )

    def response(self, challenge: str) -> Response:
        body = {"error": "invalid_token", "message": str(self)}
        return JSONResponse(body, 401, {"WWW-Authenticate": challenge})


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIn:
    """What is accepted, and what every caller needs."""

    tokens: TokenChecker | None
    api_keys: ApiKeys | None
    credentials: CredentialStore
    required_scopes: frozenset[str]
    enforce_scopes: bool
    challenge: Challenge
    refusals: RefusalLog
    behind_proxy: bool

    async def identity(self, credential: str) -> Identity:
        """Return whom a token or an API key stands for.

        Raises:
            InvalidToken: It is not accepted.
            ResearchError: It cannot be checked now.
        """
        if self.api_keys is not None and credential.startswith(PREFIX):
            key = await self.api_keys.check(credential)
            if key is None:
                raise InvalidToken("unknown or revoked API key")
            return Identity(owner=key.owner, scopes=frozenset(key.scopes), credential=key.id)
        if self.tokens is None or credential.startswith(PREFIX):
            raise UncheckedCredential(credential)
        principal = await self.tokens.check(credential)
        token_id = principal.credential
        # One without an id cannot be revoked, whatever a store has under no id at all.
        if await self.credentials.is_token_revoked(token_id) and token_id:
            raise InvalidToken("revoked")
        return principal


class BearerCheck:
    """Answers 401 to a request without a valid credential, 403 to one without a scope."""

    def __init__(self, app: ASGIApp, sign_in: SignIn) -> None:
        self._app = app
        self._sign_in = sign_in

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        entry = await self._enter(scope)
        if isinstance(entry, Response):
            await entry(scope, receive, send)
            return
        with calling_as(entry):
            await self._app(scope, receive, send)

    async def _enter(self, scope: Scope) -> Caller | Response:
        """Return the caller, or the refusal, which says nothing about the reason."""
        sign_in = self._sign_in
        address = client_address(scope, behind_proxy=sign_in.behind_proxy)
        try:
            credential = _credential(Headers(scope=scope))
            if credential is None:
                return self._refusal(scope, 401)
            identity = await sign_in.identity(credential)
        except UncheckedCredential as reason:
            await sign_in.refusals.record(scope, address, str(reason))
            return reason.response(self._challenge(scope, "invalid_token"))
        except InvalidToken as reason:
            await sign_in.refusals.record(scope, address, str(reason))
            return self._refusal(scope, 401, "invalid_token")
        except ResearchError as error:
            logger.warning("nobody can sign in: %s", error)
            return JSONResponse({"error": "temporarily_unavailable"}, 503, {"Retry-After": "5"})
        if not sign_in.required_scopes <= identity.scopes:
            await sign_in.refusals.record(scope, address, "a required scope is missing")
            return self._refusal(scope, 403, "insufficient_scope")
        return Caller(
            owner=identity.owner,
            address=address,
            request_id=scope["request_id"],
            scopes=identity.scopes if sign_in.enforce_scopes else None,
        )

    def _refusal(self, scope: Scope, status: int, error: str = "") -> Response:
        body = {"error": error or "unauthorized"}
        headers = {"WWW-Authenticate": self._challenge(scope, error)}
        return JSONResponse(body, status, headers)

    def _challenge(self, scope: Scope, error: str) -> str:
        sign_in = self._sign_in
        return sign_in.challenge.header(scope, error, sign_in.required_scopes)


class AnonymousCallers:
    """Lets everybody in as one user, whose address and request id are logged.

    Who sends a key or a token means to be somebody: it is refused, because it would be ignored
    and the call would use the data of that one user.
    """

    def __init__(
        self,
        app: ASGIApp,
        owner: Callable[[], Owner],
        refusals: RefusalLog,
        *,
        behind_proxy: bool,
    ) -> None:
        self._app = app
        self._owner = owner
        self._refusals = refusals
        self._behind_proxy = behind_proxy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = client_address(scope, behind_proxy=self._behind_proxy)
        if unchecked := _unchecked(Headers(scope=scope)):
            await self._refusals.record(scope, address, str(unchecked))
            await unchecked.response('Bearer error="invalid_token"')(scope, receive, send)
            return
        caller = Caller(owner=self._owner(), address=address, request_id=scope["request_id"])
        with calling_as(caller):
            await self._app(scope, receive, send)


def _unchecked(headers: Headers) -> UncheckedCredential | None:
    """The first key or token of the request; other credentials may be meant for a proxy."""
    for given in headers.getlist("authorization"):
        scheme, _, text = given.strip().partition(" ")
        if scheme.lower() == "bearer" or given.strip().startswith(PREFIX):
            return UncheckedCredential(text.strip() or given.strip())
    keys = headers.getlist("x-api-key")
    return UncheckedCredential(keys[0], "x-api-key") if keys else None


def _credential(headers: Headers) -> str | None:
    """Return the token or key of the request; None if it has none.

    Raises:
        InvalidToken: It has several, or another kind of credential.
    """
    given = headers.getlist("authorization") + headers.getlist("x-api-key")
    if not given:
        return None
    scheme, _, text = (
        given[0].partition(" ") if headers.get("authorization") else ("", "", given[0])
    )
    if len(given) > 1 or scheme.lower() not in {"", "bearer"} or not text.strip().isascii():
        raise InvalidToken("several credentials, or one of another kind")
    return text.strip()
