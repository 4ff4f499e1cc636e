"""Reasons of several failures as one text; that this computer is offline is said once."""

from collections.abc import Iterable

from sourcewright.base.errors import UpstreamError


def joined_reasons(failures: Iterable[Exception]) -> str:
    """The failures, separated by semicolons; the sources that were offline stand together."""
    offline: list[UpstreamError] = []
    reasons: list[str] = []
    for failure in failures:
        if isinstance(failure, UpstreamError) and failure.cause == "offline":
            offline.append(failure)
        else:
            reasons.append(str(failure))
    if offline:
        names = ", ".join(dict.fromkeys(failure.source for failure in offline))
        reasons.insert(0, f"{offline[0].detail}, so nobody was asked ({names})")
    return "; ".join(reasons)
