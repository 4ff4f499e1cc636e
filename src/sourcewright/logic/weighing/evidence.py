"""The evidence that a text holds about a claim: which sentences, and how close they come."""

from sourcewright.domain.claims import ClaimEvidence, Coverage, KeySentence
from sourcewright.logic.signalling import sentences_of, terms_in

_MOST = 5
_WHOLE, _WINDOW = 20, 4
_ENOUGH = 0.6


def evidence_for(text: str, claim: str) -> ClaimEvidence:
    """What the text says about the claim. Never raises, whatever the text is."""
    wanted = terms_in(claim)
    found: list[tuple[KeySentence, set[str]]] = []
    at = 0
    for sentence in sentences_of(text):
        start = text.index(sentence, at)
        at = start + len(sentence)
        shared = terms_in(sentence) & wanted
        score = float(len(shared))
        found.append((KeySentence(text=sentence, start=start, end=at, score=score), shared))
    coverage = _coverage([shared for _, shared in found], wanted)
    best = sorted((one for one, _ in found if one.score), key=lambda one: -one.score)[:_MOST]
    return ClaimEvidence(
        coverage=coverage,
        status=_status(coverage, wanted),
        key_sentences=tuple(sorted(best, key=lambda one: one.start)),
        signal=best[0] if best else None,
    )


def _coverage(shared: list[set[str]], wanted: set[str]) -> float:
    size = len(shared) if len(shared) <= _WHOLE else _WINDOW
    windows = (shared[at : at + size] for at in range(max(1, len(shared) - size + 1)))
    most = max(len(set().union(*window)) for window in windows)
    return most / len(wanted) if wanted else 0.0


def _status(coverage: float, wanted: set[str]) -> Coverage:
    if wanted and not coverage:
        return "not_addressed"
    return "addressed" if coverage >= _ENOUGH else "partially_addressed"
