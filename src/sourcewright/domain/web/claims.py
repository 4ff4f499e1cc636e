"""Evidence about a claim in a text: sentences with their positions; never a verdict."""

from dataclasses import dataclass
from typing import Literal

from sourcewright.base.language.quantities import NumberAgreement

Coverage = Literal["addressed", "partially_addressed", "not_addressed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeySentence:
    """A sentence that shares terms with a claim, and its position in the text."""

    text: str
    start: int
    """In characters; `text[start:end]` of the whole text is the sentence."""
    end: int
    score: float
    """Comparable only between sentences of one text."""
    contrast: bool = False
    """Whether it is about the claim and denies it or states the opposite."""
    numbers: NumberAgreement | None = None
    """How its numbers compare with the claim's; None if they are not comparable."""
    section: str | None = None
    """The nearest heading above it; in a PDF, its page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimEvidence:
    """How much of a claim a text addresses, and in which sentences."""

    coverage: float
    """The share of the claim's terms that occur in nearby sentences, from 0 to 1."""
    status: Coverage
    key_sentences: tuple[KeySentence, ...] = ()
    """The sentences that share most, in the order of the text; the signals are among them."""
    signal: KeySentence | None = None
    """The sentence that shares most."""
    contrast_signal: KeySentence | None = None
    """The best contrasting sentence, if its score is close to that of `signal`."""
    number_signal: KeySentence | None = None
    """The best sentence with a comparable number, if the number differs and the score is close."""


ClaimSupport = Coverage | Literal["source_unavailable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimOutcome:
    """How much of a claim a source addresses; never whether it supports it."""

    claim: str
    support: ClaimSupport
    evidence: ClaimEvidence | None = None
    url: str | None = None
    problem: str | None = None
