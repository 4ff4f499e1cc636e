"""Request limits: 429 with the time to wait, for an address, a tenant, or everybody."""

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import ResearchError
from sourcewright.domain.users.quotas import DailyQuota, QuotaLedger, RequestRate
from sourcewright.domain.users.tenants import current_caller
from sourcewright.settings import Settings
from sourcewright.web.headers import client_address, client_network

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestQuotas:
    """The limits, and where requests are counted."""

    ledger: QuotaLedger
    clock: Clock
    settings: Settings

    async def refusal(
        self, rates: Sequence[RequestRate], quota: DailyQuota | None = None
    ) -> Response | None:
        """Count a request; return the refusal of one too many."""
        if not rates and quota is None:
            return None
        try:
            wait = await self.ledger.take(rates, quota, self.clock.now())
        except ResearchError as error:
            logger.warning("requests cannot be counted: %s", error)
            return JSONResponse({"error": "temporarily_unavailable"}, 503, {"Retry-After": "1"})
        if not wait:
            return None
        retry_after = {"Retry-After": str(math.ceil(wait))}
        return JSONResponse({"error": "rate_limited"}, 429, retry_after)

    def of_tenant(self, tenant: str) -> tuple[list[RequestRate], DailyQuota | None]:
        """Return the limits of one tenant."""
        name, daily = f"tenant {tenant}", self.settings.daily_quota_per_tenant
        rate = _rate(name, self.settings.rate_limit_per_tenant, 60.0)
        quota = DailyQuota(name=name, requests=daily) if daily else None
        return [rate] if rate else [], quota


class AddressLimit:
    """Limits the requests from one address, before anybody signs in.

    Where nobody does, all belong to one tenant, and its limits are counted at once.
    """

    def __init__(
        self, app: ASGIApp, quotas: RequestQuotas, only_tenant: Callable[[], str] | None = None
    ) -> None:
        self._app = app
        self._quotas = quotas
        self._only_tenant = only_tenant

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        settings = self._quotas.settings
        address = client_address(scope, behind_proxy=settings.trust_proxy)
        limits = (
            _rate(f"address {client_network(address)}", settings.rate_limit_per_ip, 60.0),
            _rate("everybody", settings.rate_limit_global, 1.0),
        )
        rates, quota = (
            self._quotas.of_tenant(self._only_tenant()) if self._only_tenant else ([], None)
        )
        refusal = await self._quotas.refusal([*filter(None, limits), *rates], quota)
        await (refusal or self._app)(scope, receive, send)


class TenantLimit:
    """Limits the requests of one tenant."""

    def __init__(self, app: ASGIApp, quotas: RequestQuotas) -> None:
        self._app = app
        self._quotas = quotas

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        caller = current_caller.get()
        limits = self._quotas.of_tenant(caller.owner.tenant if caller else "")
        refusal = await self._quotas.refusal(*limits)
        await (refusal or self._app)(scope, receive, send)


@lru_cache(maxsize=1024)
def _rate(name: str, requests: int, seconds: float) -> RequestRate | None:
    return RequestRate(name=name, requests=requests, seconds=seconds) if requests else None
