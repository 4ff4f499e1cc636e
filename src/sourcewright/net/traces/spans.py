"""Spans of a tool call and of its requests to sources: names, numbers, and never what was asked."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from opentelemetry import context as otel_context
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, StatusCode, get_current_span
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from sourcewright.base.errors import ResearchError
from sourcewright.net.traces.exporter import CollectorExporter

_SCOPE = "sourcewright"
_CARRIED = ("traceparent", "tracestate")
_MAX_CARRIED = 1024


class Traces:
    """Makes spans, and sends them in the background."""

    def __init__(
        self, url: str, *, headers: Mapping[str, str], service_name: str, version: str
    ) -> None:
        about = {"service.name": service_name, "service.version": version}
        self._provider = TracerProvider(resource=Resource.create(about), shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(CollectorExporter(url, headers)))
        self._tracer = self._provider.get_tracer(_SCOPE, version)
        self._propagator = TraceContextTextMapPropagator()

    @contextmanager
    def tool_call(self, tool: str) -> Iterator[None]:
        """Make a span of a call; `note_call` adds how it ended."""
        attributes = {
            "mcp.method.name": "tools/call",
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": tool,
        }
        with self._tracer.start_as_current_span(
            f"tools/call {tool}",
            kind=SpanKind.SERVER,
            attributes=attributes,
            record_exception=False,
            set_status_on_exception=False,
        ):
            yield

    def note_call(self, _tool: str, _seconds: float, error: Mapping[str, Any] | None) -> None:
        """Add the error code of a call that has failed to the span of the call."""
        if error is not None:
            span = get_current_span()
            span.set_attribute("error.type", str(error["code"]))
            span.set_status(StatusCode.ERROR)

    @contextmanager
    def request(self, source: str, method: str, host: str) -> Iterator[Callable[[int], None]]:
        """Open a span for a request to a source; yield a function that records its status."""
        attributes = {
            "http.request.method": method,
            "server.address": host,
            "sourcewright.source": source,
        }
        # Neither the URL nor an exception: both can contain a query or a key.
        with self._tracer.start_as_current_span(
            f"{method} {source}",
            kind=SpanKind.CLIENT,
            attributes=attributes,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:

            def ended(status: int) -> None:
                span.set_attribute("http.response.status_code", status)
                if status >= 400:
                    span.set_attribute("error.type", str(status))
                    span.set_status(StatusCode.ERROR)

            try:
                yield ended
            except ResearchError as error:
                span.set_attribute("error.type", type(error).__name__)
                span.set_status(StatusCode.ERROR)
                raise

    @contextmanager
    def continuing(self, carrier: Mapping[str, Any]) -> Iterator[None]:
        """Continue the trace of a client inside, if it has sent one (W3C Trace Context)."""
        sent = {name: carrier.get(name) for name in _CARRIED}
        texts = {
            name: value
            for name, value in sent.items()
            if isinstance(value, str) and len(value) <= _MAX_CARRIED
        }
        if "traceparent" not in texts:
            yield
            return
        token = otel_context.attach(self._propagator.extract(texts))
        try:
            yield
        finally:
            otel_context.detach(token)

    async def aclose(self) -> None:
        """Send what is left; a collector that is away delays the end by a few seconds at most."""
        await asyncio.to_thread(self._provider.shutdown)
