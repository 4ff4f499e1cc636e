"""OTLP: spans in the JSON form that every OpenTelemetry collector reads."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from opentelemetry.sdk.trace import ReadableSpan

_KIND = {"INTERNAL": 1, "SERVER": 2, "CLIENT": 3}
_STATUS = {"UNSET": 0, "OK": 1, "ERROR": 2}


def encode_spans(spans: Sequence[ReadableSpan]) -> bytes:
    """Return the body of one request; the spans have one resource and one scope."""
    resource = spans[0].resource.attributes if spans else {}
    scope = spans[0].instrumentation_scope if spans else None
    about = {"name": scope.name, "version": scope.version or ""} if scope else {}
    scoped = {"scope": about, "spans": [_span(span) for span in spans]}
    one = {"resource": {"attributes": _attributes(resource)}, "scopeSpans": [scoped]}
    return json.dumps({"resourceSpans": [one]}).encode()


def _span(span: ReadableSpan) -> dict[str, Any]:
    context = span.get_span_context()
    fields: dict[str, Any] = {
        "traceId": f"{context.trace_id:032x}" if context else "",
        "spanId": f"{context.span_id:016x}" if context else "",
        "name": span.name,
        "kind": _KIND.get(span.kind.name, 0),
        "startTimeUnixNano": str(span.start_time),
        "endTimeUnixNano": str(span.end_time),
        "attributes": _attributes(span.attributes or {}),
        "status": {"code": _STATUS[span.status.status_code.name]},
    }
    if span.parent:
        fields["parentSpanId"] = f"{span.parent.span_id:016x}"
    return fields


def _attributes(attributes: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": _value(value)} for key, value in attributes.items()]


def _value(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return {"arrayValue": {"values": [_value(one) for one in value]}}
    return {"stringValue": str(value)}
