"""The exporter: sends spans to the operator's collector, from a thread of the OpenTelemetry SDK.

A collector that does not answer costs spans and never a call.
"""

import logging
from collections.abc import Mapping, Sequence

import httpx2
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

from sourcewright.net.traces.otlp import encode_spans

logger = logging.getLogger(__name__)

_TIMEOUT_SECONDS = 5.0


class CollectorExporter(SpanExporter):
    """Sends spans to one URL, which the operator has chosen: the guard has no say in it."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self._url = url
        own = {"content-type": "application/json", "user-agent": "sourcewright"}
        self._client = httpx2.Client(
            headers={**headers, **own},
            timeout=_TIMEOUT_SECONDS,
            trust_env=False,
            follow_redirects=False,
        )
        self._is_failing = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        try:
            status = self._client.post(self._url, content=encode_spans(spans)).status_code
            problem = None if status < 300 else f"HTTP {status}"
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            problem = type(error).__name__
        self._report(problem)
        return SpanExportResult.FAILURE if problem else SpanExportResult.SUCCESS

    def shutdown(self) -> None:
        self._client.close()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:  # noqa: ARG002 -- the SDK's name
        return True

    def _report(self, problem: str | None) -> None:
        """Say that traces are lost, once until they arrive again."""
        if problem and not self._is_failing:
            logger.warning("traces are lost: the collector does not take them (%s)", problem)
        self._is_failing = problem is not None
