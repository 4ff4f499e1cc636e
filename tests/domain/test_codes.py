"""The table from errors to codes: complete, closed, and honest about absence."""

import itertools
from typing import get_args

import pytest

from sourcewright.base import errors
from sourcewright.cli.exit_codes import EXIT_CODES
from sourcewright.domain import codes
from sourcewright.domain.codes import DISPOSITIONS, Code, code_of
from sourcewright.domain.evidence import NoSourceAnswered

UPSTREAM = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, errors.UpstreamError)
]
PLAIN = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type)
    and issubclass(kind, errors.ResearchError)
    and not issubclass(kind, errors.UpstreamError | errors.Denied)
]


@pytest.mark.parametrize("kind", PLAIN)
def test_every_error_has_a_code(kind):
    assert code_of(kind("why")) in DISPOSITIONS


@pytest.mark.parametrize(
    ("kind", "cause"), list(itertools.product(UPSTREAM, [None, *get_args(errors.Cause)]))
)
def test_only_not_found_is_ever_called_not_found(kind, cause):
    code = code_of(kind("somewhere", "why", cause=cause))

    assert (code == "NOT_FOUND") == (kind is errors.NotFound)


@pytest.mark.parametrize("reason", get_args(errors.DenialReason))
def test_every_reason_to_deny_has_a_code(reason):
    assert code_of(errors.Denied("why", errors.Denial(reason=reason))) in DISPOSITIONS


def test_each_code_has_a_disposition_and_an_exit_code():
    assert set(get_args(Code)) == set(DISPOSITIONS) == set(EXIT_CODES)
    assert len(DISPOSITIONS) == 15


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.Unavailable("a", "slow", cause="timeout"), "FETCH_TIMEOUT"),
        (errors.Unavailable("a", "gone", cause="connect"), "NETWORK_ERROR"),
        (errors.Unavailable("a", "503", status=503, cause="status"), "NETWORK_ERROR"),
        (errors.RateLimited("a", "429", status=429), "RATE_LIMITED"),
        (errors.Refused("a", "451", status=451), "CAPABILITY_DENIED"),
        (errors.BadAnswer("a", "a page", cause="format"), "NETWORK_ERROR"),
        (errors.BadAnswer("a", "no title", cause="shape"), "INTERNAL_ERROR"),
        (errors.Unsupported("pmid"), "NOT_IMPLEMENTED"),
    ],
)
def test_what_a_source_did_decides_the_code(error, code):
    assert code_of(error) == code


def test_an_unanswered_question_has_the_code_of_the_error_that_decides():
    waits = errors.RateLimited("crossref", "wait", retry_after=3)

    error = NoSourceAnswered("could not be checked", decisive=waits, attempts=())

    assert code_of(error) == "RATE_LIMITED"
    assert codes.DISPOSITIONS[code_of(error)] == "retry_after"
