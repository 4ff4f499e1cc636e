"""Use case of `research_export`: a session as Markdown, JSON or an HTML page."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sourcewright.base.errors import LockTimeout, StoreError
from sourcewright.base.links import LinkCheck
from sourcewright.base.works import Notice
from sourcewright.domain.users.sessions import Session
from sourcewright.domain.web.lenses import KnowsReputations
from sourcewright.services.artifacts import Artifacts
from sourcewright.services.pages.link_check import LinkChecker
from sourcewright.services.sessions.report import Report, safe_link
from sourcewright.services.sessions.report_html import html_report
from sourcewright.services.sessions.report_json import session_object
from sourcewright.services.sessions.report_markdown import markdown_report
from sourcewright.services.sessions.research_session import ResearchSessions
from sourcewright.services.sessions.selection import SourceSelection, select_sources

ExportFormat = Literal["markdown", "json", "html"]
Document = str | dict[str, Any]
KnownNotices = Callable[[str], Awaitable[Sequence[Notice]]]
"""Returns the locally stored notices about a DOI, without a request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """An exported session."""

    session: Session
    exported_at: str
    selection: SourceSelection
    document: Document


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionExporter:
    """Exports the caller's sessions; it changes nothing in them."""

    sessions: ResearchSessions
    links: Callable[[], LinkChecker]
    """Built on first use: most exports check no link."""
    reputations: KnowsReputations
    known_notices: KnownNotices
    artifacts: Artifacts
    now: Callable[[], str]
    link_bytes: int
    """Documents of at least this size are stored as artifacts."""

    async def export(
        self, session_id: str, export_format: ExportFormat, *, verify_links: bool
    ) -> Export:
        """Render a session.

        Raises:
            SessionNotFound: The caller has no such session.
            StoreError, LockTimeout: It could not be read.
        """
        report = await self.report(session_id, verify_links=verify_links)
        # In a thread, because a long session takes time and must not block other calls.
        document = await asyncio.to_thread(render_report, report, export_format)
        return Export(
            session=report.session,
            exported_at=report.exported_at,
            selection=report.selection,
            document=document,
        )

    async def report(self, session_id: str, *, verify_links: bool) -> Report:
        """Return a session with the status of its sources; raises the errors of `export`."""
        session = await self.sessions.read(session_id)
        checks = await self._check_links(session) if verify_links else {}
        notices, problem = await self._notices(session)
        return Report(
            session=session,
            exported_at=self.now(),
            ratings={
                source.url: rating
                for source in session.sources
                if (rating := self.reputations.rating_of(source.url)) is not None
            },
            notices=notices,
            notice_problem=problem,
            checks=checks,
        )

    async def _check_links(self, session: Session) -> Mapping[str, LinkCheck]:
        selected = select_sources(session.sources).sources
        urls = [source.url for source in selected if safe_link(source.url)]
        return await self.links().check(urls)

    async def _notices(self, session: Session) -> tuple[dict[str, Sequence[Notice]], str | None]:
        """Return the library's notices by DOI, and the reason if it could not be read."""
        dois = dict.fromkeys(source.doi for source in session.sources if source.doi)
        try:
            return {
                doi: notices for doi in dois if (notices := await self.known_notices(doi))
            }, None
        except (StoreError, LockTimeout) as error:
            return {}, f"the library's notices could not be read: {error}"


_RENDERERS: Mapping[ExportFormat, Callable[[Report], Document]] = {
    "markdown": markdown_report,
    "json": session_object,
    "html": html_report,
}


def render_report(report: Report, export_format: ExportFormat) -> Document:
    return _RENDERERS[export_format](report)


def document_text(document: Document) -> str:
    """The document as the text of a file."""
    if isinstance(document, str):
        return document
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
