"""Exit codes of the commands: the meaning of each, and the error codes mapped to it."""

from collections.abc import Mapping
from types import MappingProxyType

from sourcewright.domain.codes import Code

DONE = 0
FAILED = 1
MISUSE = 2
REFUSED = 3
NOT_WRITTEN = 4
RETRACTED = 5
UNCHECKED = 6
TIMED_OUT = 124
INTERRUPTED = 130
OUTPUT_CLOSED = 141

MEANINGS: Mapping[int, str] = MappingProxyType(
    {
        DONE: "Success. This includes a paper whose record was stored although no open copy is known.",
        FAILED: "Not obtained: it does not exist, no open copy is known, a source failed, or it could not be checked. For several papers, at least one was not obtained; the output names each and the reason.",
        MISUSE: "The command line, a reference, a file of references or a setting is invalid.",
        REFUSED: "Refused by a source or by the rules of this server, or a key or a URL is missing.",
        NOT_WRITTEN: "The library, a log, a file or the output could not be read or written.",
        RETRACTED: "`sourcewright retractions check`: a work was retracted, withdrawn or removed.",
        UNCHECKED: "`sourcewright audit --fail-on`: no entry has one of the flags, but an entry could not be checked for one of them.",
        TIMED_OUT: "A source did not answer in time.",
        INTERRUPTED: "Interrupted with Ctrl-C, or ended by SIGTERM or SIGHUP. Completed work is kept.",
        OUTPUT_CLOSED: "The program that reads the output, such as `head`, ended first.",
    }
)
"""Every exit code in use. 124, 130 and 141 follow `timeout` and shells."""

EXIT_CODES: Mapping[Code, int] = MappingProxyType(
    {
        "INVALID_REF": MISUSE,
        "NO_OA_AVAILABLE": FAILED,
        "RATE_LIMITED": FAILED,
        "NETWORK_ERROR": FAILED,
        "NOT_FOUND": FAILED,
        "AMBIGUOUS": MISUSE,
        "STORE_ERROR": NOT_WRITTEN,
        "LOG_ERROR": NOT_WRITTEN,
        "CAPABILITY_DENIED": REFUSED,
        "FETCH_TIMEOUT": TIMED_OUT,
        "SCHEMA_TOO_NEW": FAILED,
        "LOCK_TIMEOUT": FAILED,
        "INTERNAL_ERROR": FAILED,
        "NOT_IMPLEMENTED": FAILED,
        "TEXT_UNAVAILABLE": FAILED,
    }
)

RESEARCH_EXIT_CODES: Mapping[str, int] = MappingProxyType(
    {
        "validation": MISUSE,
        "config": REFUSED,
        "auth_required": REFUSED,
        "blocked": REFUSED,
        "browser_unavailable": REFUSED,
        "rate_limited": FAILED,
        "network": FAILED,
        "upstream_unavailable": FAILED,
        "not_found": FAILED,
        "content_empty": FAILED,
        "session_not_found": FAILED,
        "internal": FAILED,
    }
)
"""Exit codes for errors of the research tools, by error kind."""
