"""Snapshots in the Wayback Machine: their URLs and timestamps."""

import re

from sourcewright.base.links import Snapshot

_TIMESTAMP = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})")
_SNAPSHOT = re.compile(r"https?://(web\.archive\.org/web/([0-9]{14})(?:[a-z]{2}_)?/.+)", re.DOTALL)


def snapshot_at(url: str) -> Snapshot | None:
    """The snapshot that a URL leads to, over https; None if it is no URL of one."""
    match = _SNAPSHOT.fullmatch(url)
    if match is None:
        return None
    return Snapshot(url=f"https://{match[1]}", taken_at=snapshot_time(match[2]))


def snapshot_time(timestamp: str) -> str:
    """The time of a snapshot, RFC 3339.

    Raises:
        ValueError: It is not a timestamp of the archive.
    """
    match = _TIMESTAMP.fullmatch(timestamp)
    if match is None:
        raise ValueError(f"not a timestamp: {timestamp!r:.40}")
    year, month, day, hour, minute, second = match.groups()
    return f"{year}-{month}-{day}T{hour}:{minute}:{second}Z"


def snapshot_list_url(url: str) -> str:
    """The page that lists all snapshots of a URL."""
    return f"https://web.archive.org/web/*/{url}"
