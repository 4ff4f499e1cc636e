"""Error responses of `paper_*` tools: Markdown with the sources tried and suggestions."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pydantic import BaseModel, Field

from sourcewright.base.errors import (
    Denied,
    InvalidInput,
    NotConfigured,
    ReaderUnavailable,
    ResearchError,
    UpstreamError,
)
from sourcewright.base.identifiers import ArxivId, Doi, parse_reference
from sourcewright.domain.codes import Code, code_of, disposition_of
from sourcewright.domain.evidence import AttemptOutcome, NoSourceAnswered, SourceAttempt
from sourcewright.tools._results import FailedCall, OmittedIfNone, ToolResult, as_json

VERIFY = "Verify that the {kind} is correct{where}."
DIAGNOSE = "Use `paper_metadata` with the same identifier to see what is known about it."
RETRY = "Try again{wait}: this does not mean that the paper does not exist."


class SourceTried(BaseModel):
    """A source and its outcome."""

    source: str
    said: str


class DownloadFailure(BaseModel):
    """Error response of every `paper_*` tool."""

    error: str
    detail: str
    code: Code = Field(description="Error code, as in the doiget_* tools.")
    identifier: str | None = None
    doi: str | None = None
    checked: list[SourceTried] = Field(default_factory=list)
    not_asked: list[SourceTried] = Field(default_factory=list)
    suggestions: list[str]
    retryable: bool
    available_sources: OmittedIfNone[list[str]] = None


class _Advice(NamedTuple):
    headline: str
    about_metadata: str
    suggestions: tuple[str, ...]


_RETRY_LATER = _Advice(
    "Paper could not be downloaded", "Metadata could not be checked", (RETRY, DIAGNOSE)
)
_NOT_SAVED = _Advice(
    "The file could not be saved",
    "Metadata could not be recorded",
    ("Check that the folder is writable and that there is enough disk space.",),
)
_SETUP = _Advice(
    "Setup needed",
    "Setup needed",
    (
        "Set CONTACT_EMAIL to your own e-mail address, if none is set: Unpaywall requires one.",
        "See the setup instructions in the README, and `sourcewright doctor`.",
    ),
)
_NO_READER = _Advice(
    "No file could be checked",
    "Metadata could not be read",
    (
        "Run `sourcewright doctor`: it tests the processes that read documents, and shows the error.",
    ),
)
_ASK_LIBRARY = "Ask your library, or the authors, who can often share a copy."
_BLOCKED = _Advice(
    "Paper could not be downloaded",
    "Metadata could not be checked",
    ("Open the URL in a browser: you may have access that this server does not have.", DIAGNOSE),
)
_REFUSED = _Advice(
    "Paper could not be downloaded", "Metadata could not be checked", (_ASK_LIBRARY, DIAGNOSE)
)
"""Refused by our own rules: no suggestion to bypass them."""
_SOURCES_MISSING = _Advice(
    "Paper not available from the queried sources",
    "Metadata could not be checked",
    ("Configure what is missing, so that every source can be queried.", _ASK_LIBRARY, DIAGNOSE),
)
_FOLDER = "Use a folder inside the working directory, your home folder, or PAPER_ALLOWED_DIRS."


def _invalid(suggestion: str) -> _Advice:
    return _Advice("Invalid input", "Invalid input", (suggestion,))


_ARGUMENT_ADVICE = {
    "output_dir": _invalid(_FOLDER),
    "identifiers": _invalid(
        "Give a list of 1 to 50 DOIs or URLs, and split a longer one into multiple smaller batches."
    ),
}
"""Advice by argument; validation messages start with the name of the argument."""
_ADVICE: Mapping[Code, _Advice] = {
    "NOT_FOUND": _Advice(
        "Paper not found in any source", "Metadata not available", (VERIFY, DIAGNOSE)
    ),
    "NO_OA_AVAILABLE": _Advice(
        "Paper not available from any source",
        "Metadata not available",
        (_ASK_LIBRARY, DIAGNOSE),
    ),
    "INVALID_REF": _invalid(
        "Give a DOI such as 10.1038/nature12373, or the URL of the paper's page."
    ),
    "CAPABILITY_DENIED": _Advice("This is not allowed", "This is not allowed", (_FOLDER,)),
    "RATE_LIMITED": _RETRY_LATER,
    "NETWORK_ERROR": _RETRY_LATER,
    "FETCH_TIMEOUT": _RETRY_LATER,
    "STORE_ERROR": _NOT_SAVED,
    "LOG_ERROR": _NOT_SAVED,
    "LOCK_TIMEOUT": _NOT_SAVED,
}
_DEFAULT_ADVICE = _Advice(
    "Paper could not be downloaded", "Metadata could not be read", ("See the server's log.",)
)
_OUTCOMES: Mapping[AttemptOutcome, str] = {
    "consulted_no_record": "no record",
    "consulted_not_open_access": "no open copy",
    "consulted_resolved": "answered",
}


def download_failure(error: ResearchError, failed: FailedCall) -> ToolResult:
    """Build the error response of a `paper_*` tool."""
    code = code_of(error)
    advice = _advice_on(error)
    identifier = failed.text_argument("identifier")
    doi = doi_of(error, identifier)
    as_metadata = failed.text_form == "json"
    attempts = error.attempts if isinstance(error, NoSourceAnswered) else ()
    failure = DownloadFailure(
        error=advice.about_metadata if as_metadata else advice.headline,
        detail=str(error),
        code=code,
        identifier=identifier,
        doi=doi,
        checked=list(source_outcomes(one for one in attempts if one.consulted)),
        not_asked=list(
            source_outcomes(one for one in attempts if one.outcome == "not_consulted_disabled")
        ),
        suggestions=[
            _suggestion(text, error, doi)
            for text in advice.suggestions
            if not (as_metadata and text == DIAGNOSE)
        ],
        retryable=disposition_of(error) == "retry_after",
        available_sources=[] if as_metadata else None,
    )
    structured = as_json(failure.model_dump(mode="json", exclude_none=True))
    prose = None if as_metadata else _markdown(failure)
    return ToolResult(structured_json=structured, prose=prose, is_error=True)


def reason_of(error: ResearchError) -> str:
    """Return one line on why a paper of a batch could not be downloaded."""
    return f"{_advice_on(error).headline}: {error}"


def _advice_on(error: ResearchError) -> _Advice:
    code = code_of(error)
    decisive = _decisive(error)
    if isinstance(decisive, NotConfigured):
        return _SOURCES_MISSING if _is_partial(error) else _SETUP
    if isinstance(decisive, ReaderUnavailable):
        return _NO_READER
    if isinstance(error, NoSourceAnswered) and code == "CAPABILITY_DENIED":
        return _REFUSED if isinstance(decisive, Denied) else _BLOCKED
    if isinstance(error, InvalidInput):
        return _ARGUMENT_ADVICE.get(_first_word(str(error)), _ADVICE[code])
    return _ADVICE.get(code, _DEFAULT_ADVICE)


def _is_partial(error: ResearchError) -> bool:
    """Whether some source was consulted, though not all."""
    return isinstance(error, NoSourceAnswered) and any(one.consulted for one in error.attempts)


def _first_word(text: str) -> str:
    return re.split(r"[ :.]", text, maxsplit=1)[0]


def _decisive(error: ResearchError) -> ResearchError:
    return error.decisive if isinstance(error, NoSourceAnswered) else error


def _markdown(failure: DownloadFailure) -> str:
    parts = [f"# {failure.error}", failure.detail]
    parts += markdown_list(
        "Sources checked", [f"{one.source}: {one.said}" for one in failure.checked]
    )
    parts += markdown_list(
        "Not queried", [f"{one.source}: {one.said}" for one in failure.not_asked]
    )
    parts += markdown_list("What to do next", failure.suggestions)
    return "\n\n".join(parts)


def markdown_list(title: str, lines: Sequence[str]) -> list[str]:
    return [f"{title}:", "\n".join(f"- {line}" for line in lines)] if lines else []


def source_outcomes(attempts: Iterable[SourceAttempt]) -> Iterator[SourceTried]:
    """Yield each source with its outcome, without duplicates."""
    outcomes = ((one.source, _outcome_text(one)) for one in attempts)
    for source, outcome in dict.fromkeys(outcomes):
        yield SourceTried(source=source, said=outcome)


def _outcome_text(attempt: SourceAttempt) -> str:
    # "No record" without an error is a page that names no paper: its detail says more.
    has_more = attempt.outcome == "consulted_no_record" and attempt.error is None
    words = None if has_more else _OUTCOMES.get(attempt.outcome)
    if attempt.outcome == "consulted_resolved" and attempt.detail:
        return f"answered ({attempt.detail})"
    return words or attempt.detail or "did not answer"


def _suggestion(text: str, error: ResearchError, doi: str | None) -> str:
    decisive = _decisive(error)
    seconds = decisive.retry_after if isinstance(decisive, UpstreamError) else None
    wait = f" in {seconds:.0f} s" if seconds else " later"
    kind, where = ("DOI", f", for example at {Doi(doi).url}") if doi else ("identifier", "")
    return text.format(wait=wait, kind=kind, where=where)


def doi_of(error: ResearchError, identifier: str | None) -> str | None:
    """The DOI of the paper that could not be had: the one written, or found for what was."""
    if error.paper is not None:
        return error.paper
    try:
        reference = parse_reference(identifier or "")
    except InvalidInput:
        return None
    if isinstance(reference, ArxivId):
        reference = reference.doi
    return str(reference) if isinstance(reference, Doi) else None
