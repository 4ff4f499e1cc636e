"""Settings of memory, workspaces and analytics, which are all off by default."""

from sourcewright.settings import kinds
from sourcewright.settings.table import setting

_MAX_SECONDS = 3650 * 24 * 3600


def _read_retention(value: object) -> int:
    seconds = kinds.read_duration(value)
    if not 60 <= seconds <= _MAX_SECONDS:
        raise kinds.InvalidValue(f"must be from 1m to ten years (87600h), got {kinds.echo(value)}")
    return seconds


_RETENTION = kinds.Kind("duration, such as 720h", _read_retention)


class TeamSettings:
    """What is kept of users, with their consent, and for how long."""

    _group = "Memory, workspaces and analytics"

    memory_enabled: bool = setting(
        "MEMORY_ENABLED",
        kind=kinds.FLAG,
        default=False,
        lists_tools=True,
        help="Whether users may keep findings for later sessions: lists memory_save and memory_recall.",
    )
    memory_retention: int = setting(
        "MEMORY_RETENTION",
        kind=_RETENTION,
        default=2160 * 3600,
        help="How long a finding is kept in a user's memory.",
    )
    user_analytics_enabled: bool = setting(
        "USER_ANALYTICS_ENABLED",
        kind=kinds.FLAG,
        default=False,
        lists_tools=True,
        help="Whether calls of users who consented are counted: lists get_my_analytics.",
    )
    workspaces_enabled: bool = setting(
        "WORKSPACES_ENABLED",
        kind=kinds.FLAG,
        default=False,
        lists_tools=True,
        help="Whether users may share findings: lists workspace_contribute and workspace_read.",
    )
    workspace_ttl: int = setting(
        "WORKSPACE_TTL",
        kind=_RETENTION,
        default=720 * 3600,
        help="How long a contribution is kept in a workspace. Members stay until they are removed.",
    )
