"""Wayback Machine: archived snapshots of web pages, by the availability API and the CDX index.

Docs: https://archive.org/help/wayback_api.php and
https://github.com/internetarchive/wayback/tree/master/wayback-cdx-server. The availability API often
lists none of a page's snapshots (https://github.com/internetarchive/wayback/issues/296, 2025-09-23,
and https://github.com/icco/postmortems/pull/112, 2026-05-05), so that only the index denies them.
Silent on: whether a page without a snapshot ever existed.
"""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sourcewright.base.errors import NotFound
from sourcewright.base.formats.json_values import (
    list_of,
    record_of,
    require_value,
    text_of,
    url_of,
)
from sourcewright.base.links import Snapshot
from sourcewright.base.snapshots import snapshot_at, snapshot_time
from sourcewright.net.http.answers import not_found
from sourcewright.net.sources.partial_results import outcome
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit

_INDEX = "https://web.archive.org/cdx/search/cdx"
_FIELDS = ["timestamp", "original"]


class Wayback(Provider):
    """Finds the newest snapshot of a page with a successful response."""

    info = ProviderInfo(
        name="wayback",
        title="Wayback Machine",
        home="https://web.archive.org",
        base_url="https://archive.org",
        rate=RateLimit(starts=2, per_seconds=1.0),
        search_rate=RateLimit(starts=1, per_seconds=1.0, at_once=1),
        allowed_hosts=("archive.org", "web.archive.org"),
    )

    async def find_snapshot(self, url: str) -> Snapshot:
        """Look in the index if the availability API lists no snapshot."""
        snapshot = await outcome(
            self.upstream.search("/wayback/available", {"url": url}, read=read_snapshot)
        )
        if isinstance(snapshot, Snapshot):
            return snapshot
        if not isinstance(snapshot, NotFound):
            raise snapshot
        now = datetime.fromtimestamp(self.upstream.now(), UTC)
        return await self.searches.search(_INDEX, index_params(url, now), read=read_index)


def index_params(url: str, now: datetime) -> dict[str, str]:
    """The parameters of a search for the newest successful snapshots."""
    return {
        "url": url,
        "output": "json",
        "fl": ",".join(_FIELDS),
        "filter": "statuscode:200",
        "sort": "closest",
        "closest": f"{now:%Y%m%d%H%M%S}",
        "limit": "10",
    }


def read_index(answer: Any) -> Snapshot:
    """The newest of the snapshots, which follow the names of their fields.

    Raises:
        NotFound: There are none, so that even the names are missing.
    """
    rows = [list_of(row) for row in list_of(answer)]
    if not rows:
        raise not_found("wayback", "snapshot of it")
    names, *snapshots = rows
    if names != _FIELDS or not snapshots:
        raise ValueError(f"not a table of snapshots: {names!r:.100}")
    stamp, page = max(snapshots, key=lambda row: str(row[0]))
    snapshot = snapshot_at(f"https://web.archive.org/web/{stamp}/{page}")
    if snapshot is None:
        raise ValueError(f"not a snapshot: {stamp!r:.40}")
    return snapshot


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
