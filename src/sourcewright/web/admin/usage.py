"""`/admin/cache`, `/admin/sessions` and `/admin/analytics`: what the server keeps, and its use."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sourcewright.base.errors import InvalidInput, NotConfigured
from sourcewright.domain.cache_usage import ClearableStore, LayerUsage
from sourcewright.domain.ports import AuditRecorder
from sourcewright.domain.users.sessions import Owner
from sourcewright.services.instance.statistics import ServerStatistics, TenantStatistics
from sourcewright.services.teams.consent import check_names
from sourcewright.stores.logs.chain import timestamp
from sourcewright.stores.sessions.store import RecordedSessions
from sourcewright.web.admin.endpoints import AdminEndpoint
from sourcewright.web.admin.requests import AdminAsk, Name
from sourcewright.wiring.parts import DEFAULT_TENANT


class SessionsAsk(AdminAsk):
    """Whose sessions are erased; those of everybody without a user."""

    tenant_id: Name | None = None
    user_id: Name | None = None

    def owner(self) -> Owner | None:
        if self.user_id is None:
            # One that is null is the user whom a program did not find, and never everybody.
            if self.model_fields_set:
                raise InvalidInput(
                    "user_id: must name a user; the sessions of everybody are erased only by a"
                    " request without any parameter"
                )
            return None
        owner = Owner(tenant=self.tenant_id or DEFAULT_TENANT, user=self.user_id)
        check_names(owner)
        return owner


class TenantAsk(AdminAsk):
    """Which tenant; all of them without one."""

    tenant_id: Name | None = None


def cache_endpoints(
    store: ClearableStore | None,
    usage: Callable[[], Sequence[LayerUsage] | None],
    auditor: AuditRecorder,
) -> Sequence[AdminEndpoint]:
    async def read(_ask: AdminAsk) -> Mapping[str, Any]:
        layers = usage()
        return {"enabled": layers is not None, "layers": [asdict(one) for one in layers or ()]}

    async def clear(_ask: AdminAsk) -> Mapping[str, Any]:
        if store is None:
            raise NotConfigured("there is no cache: SOURCEWRIGHT_CACHE is false")
        count = await store.clear()
        await _record(auditor, "cache.clear", count)
        return {"cleared": True, "entries": count}

    return (
        AdminEndpoint(method="GET", path="/cache", ask=AdminAsk, run=read),
        AdminEndpoint(method="DELETE", path="/cache", ask=AdminAsk, run=clear),
    )


def session_endpoints(store: RecordedSessions, auditor: AuditRecorder) -> Sequence[AdminEndpoint]:
    async def erase(ask: SessionsAsk) -> Mapping[str, Any]:
        owner = ask.owner()
        count = await (store.erase(owner) if owner else store.erase_all())
        who = {"tenant_id": owner.tenant, "user_id": owner.user} if owner else {}
        await _record(auditor, "sessions.erase", count, **who)
        return {"erased": count}

    return (AdminEndpoint(method="DELETE", path="/sessions", ask=SessionsAsk, run=erase),)


def analytics_endpoints(statistics: ServerStatistics) -> Sequence[AdminEndpoint]:
    async def read(ask: TenantAsk) -> Mapping[str, Any]:
        tenants = [
            _tenant(name, one)
            for name, one in statistics.tenants()
            if ask.tenant_id in (None, name)
        ]
        return {"since": timestamp(statistics.started_at), "tenants": tenants}

    return (AdminEndpoint(method="GET", path="/analytics", ask=TenantAsk, run=read),)


def _tenant(name: str, tenant: TenantStatistics) -> dict[str, Any]:
    totals = {"calls": tenant.calls, "errors": tenant.errors}
    return {"tenant_id": name, **totals, "tools": tenant.statistics.tools()}


async def _record(auditor: AuditRecorder, event: str, count: int, **who: str) -> None:
    about = {"success": True, "metadata": {"count": count}}
    await auditor.audit({"event_type": event, **who, **about})
