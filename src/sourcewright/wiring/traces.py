"""Wiring of traces (OpenTelemetry): nothing of it is imported unless they are sent."""

import logging
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from sourcewright._about import __version__
from sourcewright.settings import Settings

if TYPE_CHECKING:
    # Imported for type checking only: its library takes long to import.
    from sourcewright.net.traces.spans import Traces
    from sourcewright.wiring.application import Application

logger = logging.getLogger(__name__)

_PATH = "/v1/traces"


def build_traces(settings: Settings) -> "Traces | None":
    """Build what sends traces; None if that is not set up, which is logged if it was tried."""
    base = settings.otel_endpoint
    url = settings.otel_traces_endpoint or (base and base.rstrip("/") + _PATH)
    if not url or settings.otel_sdk_disabled:
        return None
    if urlsplit(url).scheme not in {"http", "https"}:
        logger.warning("no traces are sent: OTEL_EXPORTER_OTLP_ENDPOINT must be an http(s) URL")
        return None
    try:
        from sourcewright.net.traces.spans import Traces
    except ImportError:
        logger.warning(
            "no traces are sent: OTEL_EXPORTER_OTLP_ENDPOINT needs a library that is not"
            " installed: pip install 'sourcewright[traces]'"
        )
        return None
    return Traces(
        url,
        headers=_headers(settings.otel_headers or ""),
        service_name=settings.otel_service_name,
        version=__version__,
    )


def send_traces(application: "Application") -> None:
    """Let the application send traces, if the operator has named a collector."""
    traces = build_traces(application.services.parts.settings)
    if traces:
        application.trace_with(traces)


def _headers(text: str) -> dict[str, str]:
    """Return the headers of a text such as `a=1,b=2`, as OpenTelemetry writes them."""
    pairs = [part.partition("=") for part in text.split(",")]
    return {name.strip(): unquote(value.strip()) for name, equals, value in pairs if equals}
