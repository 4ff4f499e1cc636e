"""Answers of the research_export tool."""

from typing import Any

from pydantic import Field

from sourcewright.base.text.phrases import count_phrase
from sourcewright.services.sessions.research_export import (
    Export,
    ExportFormat,
    SessionExporter,
    document_text,
)
from sourcewright.services.sessions.selection import Basis
from sourcewright.tools._answers.links import LinkedAnswer, store_linked
from sourcewright.tools._base import Answer
from sourcewright.tools._results import CAMEL, UNTRUSTED, Trust

MIME_TYPES: dict[ExportFormat, str] = {
    "markdown": "text/markdown",
    "json": "application/json",
    "html": "text/html",
}


class SessionExport(Answer):
    """An exported session."""

    model_config = CAMEL

    session_id: str
    format: ExportFormat
    research_goal: str
    step_count: int
    source_count: int
    source_selection: Basis = Field(description="Which sources the document lists.")
    listed_sources: int
    started_at: str
    exported_at: str
    tenant_id: str
    document: str | dict[str, Any]
    trust: Trust = UNTRUSTED


class LinkedExport(LinkedAnswer):
    """An exported session whose document is kept as a resource."""

    session_id: str
    format: ExportFormat
    research_goal: str
    step_count: int
    source_count: int
    source_selection: Basis = Field(description="Which sources the document lists.")
    listed_sources: int
    started_at: str
    exported_at: str
    tenant_id: str

    def link_name(self) -> str:
        return f"Research export: {self.research_goal}"


async def export_answer(
    export: Export, export_format: ExportFormat, exporter: SessionExporter
) -> SessionExport | LinkedExport:
    """Return the document, or a link to it if it is large and can be stored."""
    session = export.session
    fields: dict[str, Any] = {
        "session_id": session.id,
        "format": export_format,
        "research_goal": session.subject.goal,
        "step_count": len(session.steps),
        "source_selection": export.selection.basis,
        "listed_sources": len(export.selection.sources),
        "source_count": len(session.sources),
        "started_at": session.head.started_at,
        "exported_at": export.exported_at,
        "tenant_id": session.owner.tenant,
    }
    body = document_text(export.document).encode()
    if len(body) >= exporter.link_bytes:
        description = (
            f"with {count_phrase(fields['step_count'], 'step')} and"
            f" {count_phrase(fields['source_count'], 'source')}"
        )
        mime_type = MIME_TYPES[export_format]
        link = await store_linked(body, mime_type, exporter.artifacts, description=description)
        if link is not None:
            return LinkedExport(**link, **fields)
    return SessionExport(document=export.document, **fields)
