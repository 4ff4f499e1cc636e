"""Settings of traces (OpenTelemetry), by the names that OpenTelemetry gives them."""

from sourcewright.settings import kinds
from sourcewright.settings.table import setting


class TraceSettings:
    """Where the HTTP server sends traces of its calls."""

    _group = "Traces"

    otel_endpoint: str | None = setting(
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        kind=kinds.TEXT,
        help="If set, the HTTP server sends traces of tool calls and their requests to the OpenTelemetry collector at this URL (OTLP over HTTP), under /v1/traces. Needs `pip install 'sourcewright[traces]'`.",
    )
    otel_traces_endpoint: str | None = setting(
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
        kind=kinds.TEXT,
        help="The whole URL that traces are sent to, instead of one under OTEL_EXPORTER_OTLP_ENDPOINT.",
    )
    otel_headers: str | None = setting(
        "OTEL_EXPORTER_OTLP_HEADERS",
        kind=kinds.SECRET,
        help="Headers for the collector, such as `api-key=abc,team=blue`; values may be percent-encoded.",
    )
    otel_service_name: str = setting(
        "OTEL_SERVICE_NAME",
        kind=kinds.TEXT,
        default="sourcewright",
        help="The name of this server in traces.",
    )
    otel_sdk_disabled: bool = setting(
        "OTEL_SDK_DISABLED",
        kind=kinds.FLAG,
        default=False,
        help="If true, no traces are sent.",
    )
