"""Access of the operator: refuses a wrong admin key, too many of them, and other origins."""

import logging
import math
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import Scope

from sourcewright.base.errors import ResearchError
from sourcewright.domain.ports import AuditRecorder
from sourcewright.web.admin.attempts import FailedAttempts
from sourcewright.web.admin.key import AdminKeys
from sourcewright.web.headers import client_address
from sourcewright.web.refusals import RefusalLog
from sourcewright.wiring.parts import SharedParts

logger = logging.getLogger(__name__)

KEY_HEADER = "X-Admin-Key"


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminAccess:
    """Lets the operator in. One for the whole server, which counts all wrong keys together."""

    keys: AdminKeys
    attempts: FailedAttempts
    auditor: AuditRecorder
    refusals: RefusalLog
    public_url: str | None
    behind_proxy: bool

    def address(self, scope: Scope) -> str | None:
        return client_address(scope, behind_proxy=self.behind_proxy)

    async def header_refusal(self, scope: Scope) -> Response | None:
        """Return the refusal of a request without the key in its header; None for the operator."""
        given = ", ".join(Headers(scope=scope).getlist(KEY_HEADER))
        return await self.refusal(scope, given or None)

    async def refusal(self, scope: Scope, given: str | None) -> Response | None:
        """Return the refusal of a request with this key; None for the operator.

        A request without a key is not an attempt to guess it, and the right key is accepted
        however many wrong ones were sent. The use of the previous key is recorded; one that
        cannot be recorded is refused.
        """
        if self.is_foreign(scope):
            return JSONResponse({"error": "cross_origin"}, 403)
        if not given:
            return _unauthorized()
        address = self.address(scope)
        try:
            wait = await self.attempts.wait(address)
            match = None if wait else self.keys.match(given)
            if match is None:
                wait = wait or await self.attempts.count(address)
        except ResearchError as error:
            logger.warning("attempts to use the admin key cannot be counted: %s", error)
            return JSONResponse({"error": "temporarily_unavailable"}, 503, {"Retry-After": "5"})
        if match is None:
            await self.refusals.record(scope, address, "wrong admin key")
            return _rate_limited(wait) if wait else _unauthorized()
        if match == "previous":
            return await self.recorded(scope, "auth.admin_key_prev_used")
        return None

    def is_foreign(self, scope: Scope) -> bool:
        """Whether a browser sends the request for a page of another origin."""
        headers = Headers(scope=scope)
        own = {headers.get("host", "").lower(), _place(self.public_url or "")} - {""}
        if headers.get("sec-fetch-site", "none") not in {"none", "same-origin"}:
            return True
        origins = headers.getlist("origin")
        return any(_place(origin) not in own for origin in origins)

    async def recorded(
        self, scope: Scope, event: str, metadata: dict[str, object] | None = None
    ) -> Response | None:
        """Record what the operator does; return the refusal of what cannot be recorded."""
        fields = {
            "event_type": event,
            "source_ip": self.address(scope),
            "request_id": scope["request_id"],
            "success": True,
            "metadata": metadata or {},
        }
        try:
            await self.auditor.check()
            await self.auditor.audit(fields)
        except ResearchError:
            return JSONResponse({"error": "audit_unavailable"}, 503, {"Retry-After": "5"})
        return None


def _unauthorized() -> Response:
    return JSONResponse({"error": "unauthorized"}, 401, {"WWW-Authenticate": "AdminKey"})


def _rate_limited(wait: float) -> Response:
    return JSONResponse({"error": "rate_limited"}, 429, {"Retry-After": str(math.ceil(wait))})


def _place(url: str) -> str:
    """Return host and port of a URL; empty if it has none."""
    try:
        return urlsplit(url).netloc.lower()
    except ValueError:
        return ""


def build_access(
    parts: SharedParts, refusals: RefusalLog, *, key: str | None = None
) -> AdminAccess | None:
    """Build the access of the operator, or by another key; None without a key: nobody has it."""
    settings, clock = parts.settings, parts.clock
    if not (key or settings.admin_api_key):
        return None
    previous = None if key else settings.admin_api_key_prev
    kind = "metrics" if key else "admin"
    return AdminAccess(
        keys=AdminKeys(key or settings.admin_api_key or "", previous),
        attempts=FailedAttempts(ledger=parts.quotas, clock=clock, key=kind),
        auditor=parts.auditor,
        refusals=refusals,
        public_url=settings.public_url,
        behind_proxy=settings.trust_proxy,
    )
