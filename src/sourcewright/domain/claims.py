"""Evidence that a text holds about a claim, with positions; never a verdict."""

from dataclasses import dataclass
from typing import Literal

Coverage = Literal["addressed", "partially_addressed", "not_addressed"]
Numbers = Literal["same", "different"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeySentence:
    """A sentence that shares something with a claim, and where it stands in the text."""

    text: str
    start: int
    """In characters; `text[start:end]` of what was weighed is the sentence."""
    end: int
    score: float
    """Only good for comparing sentences of one text."""
    contrast: bool = False
    """Whether it is about the claim and denies it, or says the opposite."""
    numbers: Numbers | None = None
    """How its numbers compare with the claim's; None where that tells nothing."""
    section: str | None = None
    """The nearest heading above it; of a PDF, its page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimEvidence:
    """How much of a claim a text speaks of, and in which sentences."""

    coverage: float
    """The share of the claim's terms that stand close together in the text, from 0 to 1."""
    status: Coverage
    key_sentences: tuple[KeySentence, ...] = ()
    """The few that share most, in the order of the text; the signals are among them."""
    signal: KeySentence | None = None
    """The one that shares most."""
    contrast_signal: KeySentence | None = None
    """The strongest one in contrast, if it comes close to the one that shares most."""
    number_signal: KeySentence | None = None
    """The strongest one with a number to compare, if that is another one and it comes close."""
