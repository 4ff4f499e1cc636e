"""The evidence that a text holds about a claim: which sentences, and how close they come."""

import re
from dataclasses import dataclass, replace
from heapq import nlargest

from sourcewright.domain.claims import ClaimEvidence, Coverage, KeySentence, Numbers
from sourcewright.logic.weighing.bibliographies import reference_spans
from sourcewright.logic.weighing.measures import quantities_in, without_quantities
from sourcewright.logic.weighing.negations import negates
from sourcewright.logic.weighing.quantities import Quantity, compared
from sourcewright.logic.weighing.splitting import Span, is_heading, section_at, spans_of, visible
from sourcewright.logic.weighing.stop_words import language_of
from sourcewright.logic.weighing.terms import Vocabulary, comparable, vocabulary_of
from sourcewright.logic.weighing.weights import Weights, coverage_of

LONGEST_CLAIM = 2000
"""Characters; what is beyond them is not looked for."""
_MOST = 5
_ENOUGH = 0.6
_LOOKED = 400
"""Sentences whose numbers are read: those that share most words, and the first with digits."""
_ABOUT = 0.5
"""The share of a claim's words that a sentence has which is about it."""
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
class _Claim:
    """A claim, taken apart."""

    words: Vocabulary
    quantities: list[Quantity]
    negated: bool

    @property
    def size(self) -> int:
        return self.words.size + len(self.quantities)

    def is_topic_of(self, mask: int) -> bool:
        """Whether a sentence with these terms is about the claim."""
        count = self.words.size
        shared = (mask & ((1 << count) - 1)).bit_count()
        return bool(count) and shared >= _ABOUT * count


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
    """A sentence that was looked at closely, and which of the claim's terms it has."""

    at: int
    mask: int
    numbers: Numbers | None = None
    score: float = 0.0
    contrast: bool = False


def evidence_for(text: str, claim: str) -> ClaimEvidence:
    """What a Markdown text says about a claim, in any script; never whether that is so."""
    about, read = _claim(claim[:LONGEST_CLAIM], text), _text(text)
    masks = _masks(about, read)
    ranked = _ranked(about, read, masks)
    coverage = coverage_of(masks, about.size)
    signals = _signals(ranked)
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


def _claim(claim: str, text: str) -> _Claim:
    seen = visible(claim)
    language = language_of(seen, text)
    return _Claim(
        words=vocabulary_of(without_quantities(seen, language), language),
        quantities=quantities_in(seen, language),
        negated=negates(seen, language),
    )


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


def _masks(about: _Claim, read: _Text) -> list[int]:
    """For each sentence, which words of the claim it has. All are folded in one go."""
    if not read.spans:
        return []
    folded = comparable(_APART.join(map(read.sentence, range(len(read.spans)))))
    return [about.words.mask_of(sentence) for sentence in folded.split(_APART)]


def _ranked(about: _Claim, read: _Text, masks: list[int]) -> list[_Candidate]:
    """The sentences that share something, best first; the numbers that they have join the masks."""
    weights = Weights(len(masks), about.words.size)
    weights.count(masks)
    found = [
        _looked_at(at, about, read, masks[at]) for at in _closest(about, read, masks, weights)
    ]
    weights.count(one.mask ^ masks[one.at] for one in found)
    for one in found:
        masks[one.at] = one.mask
    scored = [replace(one, score=_score(one, read, weights)) for one in found if one.mask]
    return sorted(scored, key=lambda one: (-one.score, one.at))


def _closest(about: _Claim, read: _Text, masks: list[int], weights: Weights) -> list[int]:
    """Which sentences are worth a closer look."""
    numbers = bool(about.quantities)
    may_have = (
        at
        for at, mask in enumerate(masks)
        if mask or (numbers and _DIGIT.search(read.sentence(at)))
    )
    return nlargest(_LOOKED, may_have, key=lambda at: (weights.score(masks[at], 1.0), -at))


def _looked_at(at: int, about: _Claim, read: _Text, mask: int) -> _Candidate:
    sentence = read.sentence(at)
    is_about = about.is_topic_of(mask)
    numbers: Numbers | None = None
    if about.quantities:
        found = quantities_in(sentence, about.words.language)
        same, numbers = compared(about.quantities, found)
        numbers = None if numbers == "different" and not is_about else numbers
        mask |= same << about.words.size
    contrast = is_about and not about.negated and negates(sentence, about.words.language)
    return _Candidate(at, mask, numbers, contrast=contrast)


def _score(one: _Candidate, read: _Text, weights: Weights) -> float:
    start, end = read.spans[one.at]
    worth = weights.score(one.mask, (end - start) / read.average)
    return worth * _HEADING if is_heading(read.seen, start) else worth


def _signals(ranked: list[_Candidate]) -> tuple[_Candidate | None, ...]:
    """The best, the best with a negation, and the best with another number where none agrees."""
    close = [one for one in ranked if one.score >= _CLOSE * ranked[0].score]
    contrast = next((one for one in close if one.contrast), None)
    number = next((one for one in close if one.numbers), None)
    other = number if number and number.numbers == "different" else None
    return ranked[0] if ranked else None, contrast, other


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
        contrast=one.contrast,
        numbers=one.numbers,
        section=section_at(read.given, start),
    )


def _status(coverage: float, about: _Claim) -> Coverage:
    if about.size and not coverage:
        return "not_addressed"
    return "addressed" if coverage >= _ENOUGH else "partially_addressed"
