"""Transport errors (DNS, TLS, time-outs): maps the exceptions of the HTTP libraries to our errors."""

import h2.exceptions
import httpcore2

from sourcewright.base.errors import InvalidHttp, Unavailable, UpstreamError
from sourcewright.net.http.backend import Offline, TlsFailed

TRANSPORT_ERRORS = (
    httpcore2.TimeoutException,
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.ConnectionNotAvailable,
    h2.exceptions.H2Error,
)

# A parser's message may quote everything that it could not parse.
_MAX_DETAIL = 160


def transport_error(error: Exception, source: str, host: str, *, ended: bool) -> UpstreamError:
    """The error for an exception. `ended`: the server closed the connection."""
    detail = str(error)[:_MAX_DETAIL]
    if isinstance(error, httpcore2.TimeoutException):
        return Unavailable(source, f"{host} did not answer in time", cause="timeout")
    if isinstance(error, Offline):
        return Unavailable(source, f"this computer is offline ({detail})", cause="offline")
    if isinstance(error, TlsFailed):
        return Unavailable(source, f"no secure connection to {host} ({detail})", cause="tls")
    if isinstance(error, httpcore2.ConnectError):
        return Unavailable(source, f"no connection to {host} ({detail})", cause="connect")
    if ended or _is_cut(error):
        return Unavailable(
            source, f"{host} closed the connection before the response was complete", cause="cut"
        )
    return InvalidHttp(source, f"{host} sent an invalid HTTP response ({detail})", cause="format")


def _is_cut(error: Exception) -> bool:
    # A protocol error wraps a parser's exception, or only describes a lost connection.
    inner = error.args[0] if isinstance(error, httpcore2.ProtocolError) else error
    if isinstance(inner, h2.exceptions.InvalidBodyLengthError):
        return True
    if isinstance(inner, httpcore2.NetworkError | httpcore2.ConnectionNotAvailable):
        return True
    return not isinstance(inner, Exception)
