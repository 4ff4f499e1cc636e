"""Readiness: whether calls could be answered now, found out without making one."""

import asyncio
import json
from collections.abc import Awaitable

from sourcewright.base.errors import ResearchError
from sourcewright.domain.shared_stores import RedisStatus
from sourcewright.services.instance.health import redis_status
from sourcewright.web.health import Readiness
from sourcewright.wiring import Application


async def examine(application: Application) -> Readiness:
    """Return what keeps the server from answering calls, or some of them."""
    status = await asyncio.to_thread(application.services.instance.status.health)
    _, health = await application.views().read("diagnostics://health")
    problems = await _entry_problems(application)
    if json.loads(health)["status"] == "unhealthy":
        problems.append("every search source is unavailable")
    if not status.audit_ok:
        problems.append("the audit log cannot be written")
    if not status.log_writable:
        problems.append("the provenance log cannot be written")
    redis = application.services.parts.redis
    status_of_redis = await redis_status(redis) if redis else None
    if isinstance(status_of_redis, RedisStatus):
        status_of_redis = status_of_redis.loss
    degraded = [*status.storage_problems, *([status_of_redis] if status_of_redis else [])]
    return Readiness(problems=problems, degraded=degraded)


async def _entry_problems(application: Application) -> list[str]:
    """Return what would refuse every request before it reaches a tool."""
    parts = application.services.parts
    settings, problems = parts.settings, list[str]()
    limits = (
        settings.rate_limit_per_tenant,
        settings.rate_limit_global,
        settings.rate_limit_per_ip,
        settings.daily_quota_per_tenant,
    )
    # Counts nothing, and fails as counting would.
    if any(limits) and await _fails(parts.quotas.take([], None, parts.clock.now())):
        problems.append("requests cannot be counted")
    if settings.has_sign_in and await _fails(parts.credentials.is_token_revoked("")):
        problems.append("API keys and revoked tokens cannot be read")
    return problems


async def _fails(work: Awaitable[object]) -> bool:
    try:
        await work
    except ResearchError:
        return True
    return False
