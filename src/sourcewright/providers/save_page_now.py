"""Save Page Now: requests a copy of a page from the Wayback Machine.

Docs: https://docs.google.com/document/d/1Nsv52MvSjbLb2PCpHlat0gkzw0EvtSgpKHu4mk0MnrA (SPN2). It
answers `GET /save/<url>`, the way of browsers, with 404 or 429, and only `POST /save` with the keys
of an account with a job, as measured in https://github.com/MikkoParkkola/mcp-gateway/pull/240
(2026-06-08) and https://github.com/MKRWW/wortlaut/issues/108 (2026-08-27).
Silent on: whether the copy shows what a reader sees; a page that needs a login is copied without.
"""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urljoin

from sourcewright.base.errors import Refused
from sourcewright.base.formats.json_values import Record, record_of, require_value, text_of
from sourcewright.base.formats.parsers import json_object_in
from sourcewright.base.links import Capture, Snapshot
from sourcewright.base.snapshots import snapshot_at, snapshot_time
from sourcewright.domain.options import Option
from sourcewright.net.sources.upstream import Receipt
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit

_NAME = "save_page_now"
_ARCHIVE = "https://web.archive.org"
_JOB = re.compile(r"spn2-[0-9A-Za-z-]{8,64}")
_JOB_ON_PAGE = re.compile(rb"watchJob\(\s*[\"'](spn2-[0-9A-Za-z-]{8,64})[\"']")


class SavePageNow(Provider):
    """Requests copies of pages, and polls the status of jobs."""

    info = ProviderInfo(
        name=_NAME,
        title="Save Page Now",
        home=f"{_ARCHIVE}/save",
        base_url=_ARCHIVE,
        rate=RateLimit(starts=1, per_seconds=1.0, at_once=2),
        allowed_hosts=("web.archive.org",),
        options=(
            Option(
                name="access_key",
                env=("IA_ACCESS_KEY",),
                help="Access key of an Internet Archive account; without it and IA_SECRET_KEY, Save Page Now refuses most captures.",
                kind="secret",
            ),
            Option(
                name="secret_key",
                env=("IA_SECRET_KEY",),
                help="Secret key that belongs to IA_ACCESS_KEY.",
                kind="secret",
            ),
        ),
    )

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        if not _has_account(options):
            return {}
        keys = f"{options['access_key']}:{options['secret_key']}"
        return {"authorization": f"LOW {keys}", "accept": "application/json"}

    async def capture(self, url: str) -> Capture:
        """Post the URL with the keys of an account; without them, try the way of browsers."""
        if _has_account(self.options):
            return await self.upstream.submit("/save", form={"url": url}, read=read_receipt)
        return await self.upstream.submit(f"/save/{url}", read=read_receipt)

    async def capture_status(self, job_id: str) -> Capture:
        return await self.upstream.submit(f"/save/status/{job_id}", read=read_status)


def _has_account(options: Mapping[str, Any]) -> bool:
    return bool(options.get("access_key") and options.get("secret_key"))


def read_receipt(receipt: Receipt) -> Capture:
    """A copy that was made at once, or the job that makes it.

    Raises:
        Refused: The archive says that it does not copy this page.
        ValueError: It is neither.
    """
    for place in (receipt.url, urljoin(receipt.url, receipt.content_location or "")):
        snapshot = snapshot_at(place)
        if snapshot is not None:
            return Capture(snapshot=snapshot, http_status=receipt.http_status)
    answer = json_object_in(receipt.body)
    if answer.get("status") == "error":
        raise _refusal(answer)
    on_page = _JOB_ON_PAGE.search(receipt.body)
    job = text_of(answer.get("job_id")) or (on_page[1].decode() if on_page else "")
    if not _JOB.fullmatch(job):
        raise ValueError("neither a snapshot nor a job")
    return Capture(job_id=job, http_status=receipt.http_status)


def read_status(receipt: Receipt) -> Capture:
    """The copy that a job made, or the job if it is not done yet.

    Raises:
        Refused: The job failed.
        ValueError: It is not a status.
    """
    answer = record_of(json_object_in(receipt.body))
    job_id = require_value(text_of(answer["job_id"]), "job_id")
    if answer["status"] == "pending":
        return Capture(job_id=job_id, http_status=receipt.http_status)
    if answer["status"] == "error":
        raise _refusal(answer)
    if answer["status"] != "success":
        raise ValueError("not a status of a job")
    stamp = require_value(text_of(answer["timestamp"]), "timestamp")
    page = require_value(text_of(answer["original_url"]), "original_url")
    snapshot = Snapshot(url=f"{_ARCHIVE}/web/{stamp}/{page}", taken_at=snapshot_time(stamp))
    return Capture(snapshot=snapshot, http_status=receipt.http_status)


def _refusal(answer: Record) -> Refused:
    words = text_of(answer.get("message")) or text_of(answer.get("status_ext")) or "no reason"
    return Refused(_NAME, f"the page was not copied: {words[:300]}")
