"""Wayback Machine: archived snapshots of web pages, by the availability API.

Docs: https://archive.org/help/wayback_api.php
Silent on: whether a page without a snapshot ever existed.
"""

from dataclasses import replace
from typing import Any

from sourcewright.domain.web.links import Snapshot
from sourcewright.logic.formats.json_values import record_of, require_value, text_of, url_of
from sourcewright.logic.pages.snapshots import snapshot_at, snapshot_time
from sourcewright.net.http.answers import not_found
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit


class Wayback(Provider):
    """Finds the newest snapshot of a page with a successful response."""

    info = ProviderInfo(
        name="wayback",
        title="Wayback Machine",
        home="https://web.archive.org",
        base_url="https://archive.org",
        rate=RateLimit(starts=2, per_seconds=1.0),
        allowed_hosts=("archive.org",),
    )

    async def find_snapshot(self, url: str) -> Snapshot:
        return await self.upstream.search("/wayback/available", {"url": url}, read=read_snapshot)


def read_snapshot(answer: Any) -> Snapshot:
    closest = record_of(record_of(answer)["archived_snapshots"]).get("closest")
    if closest is None:
        raise not_found("wayback", "snapshot of it")
    record = record_of(closest)
    if record["available"] is not True:
        raise not_found("wayback", "available snapshot of it")
    snapshot = snapshot_at(require_value(url_of(record["url"]), "url"))
    if snapshot is None:
        raise ValueError(f"not a URL in the archive: {record['url']!r:.100}")
    return replace(
        snapshot, taken_at=snapshot_time(require_value(text_of(record["timestamp"]), "timestamp"))
    )
