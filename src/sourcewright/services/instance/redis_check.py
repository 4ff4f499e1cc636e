"""The doctor's check of Redis: it answers, and does not delete or forget what it acknowledged."""

from sourcewright.domain.shared_stores import ExaminesRedis, RedisStatus
from sourcewright.services.instance.doctor import Finding
from sourcewright.services.instance.health import redis_status

_SUBJECT = "Redis"
_KEEPS_ALL = "noeviction"
_RESTORE = "until then nobody signs in, and nothing is saved; nothing in it was changed"


async def examine_redis(server: ExaminesRedis) -> list[Finding]:
    """Check whether Redis answers, and report settings under which it loses what it keeps."""
    status = await redis_status(server)
    if isinstance(status, str):
        advice = "start it, or correct REDIS_URL; servers that run use it again by themselves"
        return [_problem(status, advice)]
    version = f", version {status.version}" if status.version else ""
    answers = Finding(subject=_SUBJECT, grade="ok", detail=f"{server.name} answers{version}")
    return [answers, *_risks(status)]


def _risks(status: RedisStatus) -> list[Finding]:
    risks = [_problem(status.loss, _RESTORE)] if status.loss else []
    if status.eviction is None or status.appends is None:
        detail = "it does not tell its settings, so whether it keeps everything is unknown"
        risks.append(_note(detail, "allow this user the INFO command"))
    if status.eviction not in (None, _KEEPS_ALL):
        detail = f"when its memory is full it deletes data ({status.eviction}), sessions included"
        risks.append(_problem(detail, f"set maxmemory-policy {_KEEPS_ALL} in redis.conf"))
    if status.appends is False:
        detail = "it forgets the latest changes when it is restarted or loses power"
        risks.append(_note(detail, "set appendonly yes (and appendfsync always) in redis.conf"))
    return risks


def _problem(detail: str, advice: str | None) -> Finding:
    return Finding(subject=_SUBJECT, grade="problem", detail=detail, advice=advice)


def _note(detail: str, advice: str) -> Finding:
    return Finding(subject=_SUBJECT, grade="note", detail=detail, advice=advice)
