"""Evidence for a claim: which sentences of a text speak about it, and how closely.

How much each term of a claim is worth in a text, and how much of the claim it speaks of.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest

from sourcewright.domain.claims import ClaimEvidence, Coverage, KeySentence
from sourcewright.logic.claims.claim import Claim, Likeness, claim_of
from sourcewright.logic.claims.reference_lists import reference_spans
from sourcewright.logic.language.sentences import Span, is_heading, section_at, spans_of, visible
from sourcewright.logic.language.terms import comparable

_WHOLE, _WINDOW = 20, 4
"""Up to so many sentences a text is one place; in a longer one, so many stand close together."""
_NUMBER_WORTH = 1.5
"""A number that recurs says more than a word that does."""
_LENGTH = 0.3
"""How far the length of a sentence counts against it: BM25's b, low, for sentences are alike."""
_SATURATION = 1.2
"""BM25's k1."""


def coverage_of(masks: Sequence[int], size: int) -> float:
    """The largest share of the terms that stand close together; masks have a bit for each."""
    width = len(masks) if len(masks) <= _WHOLE else _WINDOW
    most = 0
    for at, mask in enumerate(masks):
        if mask:
            together = mask
            for other in masks[at + 1 : at + width]:
                together |= other
            most = max(most, together.bit_count())
    return most / size if size else 0.0


class Weights:
    """What terms are worth: the rarer in this text, the more, as in BM25."""

    def __init__(self, sentences: int, words: int) -> None:
        self._sentences, self._words = sentences, words
        self._having: Counter[int] = Counter()
        self._known: dict[int, float] = {}

    def count(self, masks: Iterable[int]) -> None:
        """Take note of which sentences have which terms."""
        for mask, times in Counter(masks).items():
            for bit in _bits(mask):
                self._having[bit] += times
        self._known = {}

    def score(self, mask: int, length: float) -> float:
        """What a sentence with these terms is worth; `length` is relative to the average."""
        worth = self._known.get(mask)
        if worth is None:
            worth = self._known[mask] = sum(map(self._worth, _bits(mask)))
        norm = 1 - _LENGTH + _LENGTH * length
        return worth * (_SATURATION + 1) / (1 + _SATURATION * norm)

    def _worth(self, bit: int) -> float:
        # Smoother than BM25's own: in a text about the claim its words are everywhere, and must
        # still tell a sentence with all of them from one with none.
        rarity = math.log(1 + self._sentences / max(1, self._having[bit]))
        return rarity * (_NUMBER_WORTH if bit >= self._words else 1.0)


def _bits(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


LONGEST_CLAIM = 2000
"""Characters; what is beyond them is not looked for."""
_MOST = 5
_ENOUGH = 0.6
_LOOKED = 400
"""Sentences whose numbers are read: those that share most words, and the first with digits."""
_FAINT = 0.25
"""A sentence with a smaller share of the best one's score is no evidence beside it."""
_CLOSE = 0.5
"""A sentence with a smaller share of it denies and corrects nothing: in papers, sentences with
half the words of a short claim raised false alarms beside the one that has them all."""
_HEADING = 0.7
"""What a heading is worth: it names a thing, and says nothing about it."""
_DIGIT = re.compile(r"\d")
_APART = "\x1e"


@dataclass(frozen=True, slots=True)
class _Text:
    """A text as its reader sees it, and its sentences; lists of references are no part of it."""

    given: str
    seen: str
    spans: list[Span]
    average: float
    """Characters of a sentence."""

    def sentence(self, at: int) -> str:
        start, end = self.spans[at]
        return self.seen[start:end]


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A sentence that was looked at closely, and what it has of the claim."""

    at: int
    likeness: Likeness
    score: float = 0.0


def evidence_for(text: str, claim: str) -> ClaimEvidence:
    """What a Markdown text says about a claim, in any script; never whether that is so."""
    about, read = claim_of(claim[:LONGEST_CLAIM], text), _text(text)
    masks = _masks(about, read)
    ranked = _ranked(about, read, masks)
    coverage = coverage_of(masks, about.size)
    signals = _signals(ranked, about)
    kept = {one.at: one for one in (*filter(None, signals), *_strongest(ranked, read))}
    chosen = sorted([*kept][:_MOST])
    sentences = {at: _sentence(kept[at], read) for at in chosen}
    signal, contrast, number = (sentences[one.at] if one else None for one in signals)
    return ClaimEvidence(
        coverage=coverage,
        status=_status(coverage, about),
        key_sentences=tuple(sentences.values()),
        signal=signal,
        contrast_signal=contrast,
        number_signal=number,
    )


def signal_in(text: str, claim: str) -> str:
    """The sentence that shares most with the claim; empty when none shares anything."""
    signal = evidence_for(text, claim).signal
    return signal.text if signal else ""


def _text(text: str) -> _Text:
    seen = visible(text)
    spans = _said_here(spans_of(seen), reference_spans(text))
    length = sum(end - start for start, end in spans)
    return _Text(text, seen, spans, average=length / max(1, len(spans)))


def _said_here(spans: list[Span], references: list[Span]) -> list[Span]:
    """Without the lists of references, unless the text is nothing else."""
    kept = spans
    for first, last in references:
        kept = [(start, end) for start, end in kept if end <= first or start >= last]
    return kept or spans


def _masks(about: Claim, read: _Text) -> list[int]:
    """For each sentence, which words of the claim it has. All are folded in one go."""
    if not read.spans:
        return []
    folded = comparable(_APART.join(map(read.sentence, range(len(read.spans)))))
    return [about.words.mask_of(sentence) for sentence in folded.split(_APART)]


def _ranked(about: Claim, read: _Text, masks: list[int]) -> list[_Candidate]:
    """The sentences that share something, best first; the numbers that they have join the masks."""
    weights = Weights(len(masks), about.words.size)
    weights.count(masks)
    found = [
        _Candidate(at, about.likeness(read.sentence(at), masks[at]))
        for at in _closest(about, read, masks, weights)
    ]
    weights.count(one.likeness.mask ^ masks[one.at] for one in found)
    for one in found:
        masks[one.at] = one.likeness.mask
    shared = [one for one in found if one.likeness.mask]
    scored = [replace(one, score=_score(one, read, weights)) for one in shared]
    return sorted(scored, key=lambda one: (-one.score, one.at))


def _closest(about: Claim, read: _Text, masks: list[int], weights: Weights) -> list[int]:
    """Which sentences are worth a closer look."""
    numbers = bool(about.quantities)
    may_have = (
        at
        for at, mask in enumerate(masks)
        if mask or (numbers and _DIGIT.search(read.sentence(at)))
    )
    return nlargest(_LOOKED, may_have, key=lambda at: (weights.score(masks[at], 1.0), -at))


def _score(one: _Candidate, read: _Text, weights: Weights) -> float:
    start, end = read.spans[one.at]
    worth = weights.score(one.likeness.mask, (end - start) / read.average)
    return worth * _HEADING if is_heading(read.seen, start) else worth


def _signals(ranked: list[_Candidate], about: Claim) -> tuple[_Candidate | None, ...]:
    """The best, the best in contrast, and the best with another number where none agrees."""
    close = [one for one in ranked if one.score >= _CLOSE * ranked[0].score]
    number = next((one for one in close if one.likeness.numbers), None)
    other = number if number and number.likeness.numbers == "different" else None
    return ranked[0] if ranked else None, _contrast(close, about), other


def _contrast(close: list[_Candidate], about: Claim) -> _Candidate | None:
    """What only turns the claim round counts where nothing that comes closer says it all."""
    agreed = False
    for one in close:
        if one.likeness.contrast and not (agreed and one.likeness.turned):
            return one
        agreed = agreed or about.share_of(one.likeness.mask) == 1.0
    return None


def _strongest(ranked: list[_Candidate], read: _Text) -> list[_Candidate]:
    """The best; what a page says again in the same words stands for itself once."""
    least = _FAINT * ranked[0].score if ranked else 0.0
    distinct: dict[str, _Candidate] = {}
    for one in ranked:
        if one.score < least or len(distinct) == _MOST:
            break
        distinct.setdefault(" ".join(read.sentence(one.at).split()), one)
    return [*distinct.values()]


def _sentence(one: _Candidate, read: _Text) -> KeySentence:
    start, end = read.spans[one.at]
    return KeySentence(
        text=read.given[start:end],
        start=start,
        end=end,
        score=one.score,
        contrast=one.likeness.contrast,
        numbers=one.likeness.numbers,
        section=section_at(read.given, start),
    )


def _status(coverage: float, about: Claim) -> Coverage:
    if about.size and not coverage:
        return "not_addressed"
    return "addressed" if coverage >= _ENOUGH else "partially_addressed"
