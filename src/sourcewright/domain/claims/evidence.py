"""Evidence for a claim: ranks the sentences of a text by the terms they share with the claim.

Terms are weighted by rarity as in BM25; coverage is the share of the claim's terms in the text.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest

from sourcewright.base.language.sentences import Span, blank_markup, is_heading, sentence_spans
from sourcewright.base.language.terms import fold_for_matching
from sourcewright.domain.claims.claim import Claim, SentenceComparison, parse_claim
from sourcewright.domain.claims.reference_lists import reference_spans
from sourcewright.domain.web.claims import ClaimEvidence, Coverage, KeySentence
from sourcewright.reading.markdown.sections import heading_above

_SHORT_TEXT, _WINDOW = 20, 4
"""Coverage of a text of up to 20 sentences counts all of them; of a longer one, 4 in a row."""
_NUMBER_WEIGHT = 1.5
"""Weight of a shared number relative to a shared word."""
_LENGTH_PENALTY = 0.3
"""BM25's b, the length penalty; low, because sentences have similar lengths."""
_SATURATION = 1.2
"""BM25's k1."""


def coverage_of(masks: Sequence[int], size: int) -> float:
    """Return the largest share of the terms in nearby sentences; a mask has a bit per term."""
    width = len(masks) if len(masks) <= _SHORT_TEXT else _WINDOW
    best = 0
    for at, mask in enumerate(masks):
        if mask:
            combined = mask
            for other in masks[at + 1 : at + width]:
                combined |= other
            best = max(best, combined.bit_count())
    return best / size if size else 0.0


class TermWeights:
    """Term weights as in BM25: the rarer a term is in this text, the higher."""

    def __init__(self, sentences: int, words: int) -> None:
        self._sentences, self._words = sentences, words
        self._sentence_counts: Counter[int] = Counter()
        self._weight_cache: dict[int, float] = {}

    def count(self, masks: Iterable[int]) -> None:
        """Count in how many sentences each term occurs."""
        for mask, times in Counter(masks).items():
            for bit in _bits(mask):
                self._sentence_counts[bit] += times
        self._weight_cache = {}

    def score(self, mask: int, length: float) -> float:
        """Score a sentence with these terms; `length` is relative to the average."""
        weight = self._weight_cache.get(mask)
        if weight is None:
            weight = self._weight_cache[mask] = sum(map(self._term_weight, _bits(mask)))
        norm = 1 - _LENGTH_PENALTY + _LENGTH_PENALTY * length
        return weight * (_SATURATION + 1) / (1 + _SATURATION * norm)

    def _term_weight(self, bit: int) -> float:
        # Smoother than BM25's formula: in a text about the claim its words are in most sentences,
        # and must still separate a sentence with all of them from one with none.
        rarity = math.log(1 + self._sentences / max(1, self._sentence_counts[bit]))
        return rarity * (_NUMBER_WEIGHT if bit >= self._words else 1.0)


def _bits(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


MAX_CLAIM_LENGTH = 2000
"""Characters; the rest of a longer claim is ignored."""
_MAX_KEY_SENTENCES = 5
_MIN_ADDRESSED = 0.6
_MAX_COMPARED = 400
"""Sentences that are compared in detail: those that share most words, then those with digits."""
_MIN_REPORTED = 0.25
"""Share of the best score below which a sentence is not reported."""
_MIN_SIGNAL = 0.5
"""Share of the best score below which a sentence is no contrast or number signal: in papers,
sentences with half the words of a short claim gave false alarms beside the one with all of them."""
_HEADING_FACTOR = 0.7
"""Score factor of a heading, which names a subject but states nothing about it."""
_RUNNING_PAGES = 3
"""How often a short sentence stands in a text from which it is a running head and no statement."""
_MAX_RUNNING_HEAD = 200
"""Characters of a running head: two lines of a journal's name, a short title and a page number."""
_NUMBER = re.compile(r"\d+")
_DIGIT = re.compile(r"\d")
_SEPARATOR = "\x1e"


@dataclass(frozen=True, slots=True)
class _SplitText:
    """A text with its sentences, without reference lists."""

    original: str
    visible_text: str
    spans: list[Span]
    average_length: float
    """Average characters of a sentence."""

    def sentence(self, at: int) -> str:
        start, end = self.spans[at]
        return self.visible_text[start:end]


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A sentence that was compared in detail, by index, and the result."""

    at: int
    comparison: SentenceComparison
    score: float = 0.0


def evidence_for(text: str, claim: str, *, without: str | None = None) -> ClaimEvidence:
    """Find the evidence about a claim in a Markdown text, in any script; never a verdict.

    Sentences that are or hold the title `without` are left out, and so are running heads.
    """
    parsed, split = parse_claim(claim[:MAX_CLAIM_LENGTH], text), _split(text, without or "")
    masks = _masks(parsed, split)
    ranked = _ranked(parsed, split, masks)
    coverage = coverage_of(masks, parsed.size)
    signals = _signals(ranked, parsed)
    passages = {one.at: one for one in (*filter(None, signals), *_best_distinct(ranked, split))}
    selected = sorted([*passages][:_MAX_KEY_SENTENCES])
    sentences = {at: _key_sentence(passages[at], split) for at in selected}
    signal, contrast, number = (sentences[one.at] if one else None for one in signals)
    return ClaimEvidence(
        coverage=coverage,
        status=_status(coverage, parsed),
        key_sentences=tuple(sentences.values()),
        signal=signal,
        contrast_signal=contrast,
        number_signal=number,
    )


def best_sentence(text: str, claim: str) -> str:
    """Return the sentence that shares most with the claim; empty if none shares anything."""
    signal = evidence_for(text, claim).signal
    return signal.text if signal else ""


def _split(text: str, title: str) -> _SplitText:
    visible_text = blank_markup(text)
    spans = _without_references(sentence_spans(visible_text), reference_spans(text))
    spans = _without_repeats(visible_text, spans, title)
    length = sum(end - start for start, end in spans)
    return _SplitText(text, visible_text, spans, average_length=length / max(1, len(spans)))


def _without_references(spans: list[Span], references: list[Span]) -> list[Span]:
    """Remove the reference lists, unless the text has nothing else."""
    rest = spans
    for first, last in references:
        rest = [(start, end) for start, end in rest if end <= first or start >= last]
    return rest or spans


def _without_repeats(text: str, spans: list[Span], title: str) -> list[Span]:
    """Remove running heads, which stand on every page with other numbers, and the given title.

    A text that has nothing but repeated sentences keeps them.
    """
    if not spans:
        return spans
    folded = fold_for_matching(_SEPARATOR.join(text[start:end] for start, end in spans))
    keys = [" ".join(_NUMBER.sub(" ", one).split()) for one in folded.split(_SEPARATOR)]
    counts = Counter(keys)
    whole = " ".join(_NUMBER.sub(" ", fold_for_matching(title)).split())
    pairs = list(zip(spans, keys, strict=True))
    once = [
        (span, key)
        for span, key in pairs
        if counts[key] < _RUNNING_PAGES or not _may_be_running_head(text, span)
    ]
    return [span for span, key in once or pairs if not (whole and whole in key)]


def _may_be_running_head(text: str, span: Span) -> bool:
    """Whether a sentence is short, a line of its own, and does not end as sentences do."""
    start, end = span
    is_alone = text[start - 1 : start] in ("", "\n") and text[end : end + 1] in ("", "\n")
    is_open = text[end - 1] not in ".!?\u3002\uff01\uff1f\u061f\u0964"
    return is_alone and is_open and end - start <= _MAX_RUNNING_HEAD


def _masks(claim: Claim, text: _SplitText) -> list[int]:
    """Return the bit mask of the claim's words for each sentence; folds all sentences at once."""
    if not text.spans:
        return []
    folded = fold_for_matching(_SEPARATOR.join(map(text.sentence, range(len(text.spans)))))
    return [claim.words.mask_of(sentence) for sentence in folded.split(_SEPARATOR)]


def _ranked(claim: Claim, text: _SplitText, masks: list[int]) -> list[_Candidate]:
    """Return the sentences that share a term, best first; adds their numbers to the masks."""
    weights = TermWeights(len(masks), claim.words.size)
    weights.count(masks)
    compared = [
        _Candidate(at, claim.comparison(text.sentence(at), masks[at]))
        for at in _to_compare(claim, text, masks, weights)
    ]
    weights.count(one.comparison.mask ^ masks[one.at] for one in compared)
    for one in compared:
        masks[one.at] = one.comparison.mask
    sharing = [one for one in compared if one.comparison.mask]
    scored = [replace(one, score=_score(one, text, weights)) for one in sharing]
    return sorted(scored, key=lambda one: (-one.score, one.at))


def _to_compare(
    claim: Claim, text: _SplitText, masks: list[int], weights: TermWeights
) -> list[int]:
    """Return the indices of the sentences to compare in detail."""
    has_numbers = bool(claim.quantities)
    candidates = (
        at
        for at, mask in enumerate(masks)
        if mask or (has_numbers and _DIGIT.search(text.sentence(at)))
    )
    return nlargest(_MAX_COMPARED, candidates, key=lambda at: (weights.score(masks[at], 1.0), -at))


def _score(one: _Candidate, text: _SplitText, weights: TermWeights) -> float:
    start, end = text.spans[one.at]
    score = weights.score(one.comparison.mask, (end - start) / text.average_length)
    return score * _HEADING_FACTOR if is_heading(text.visible_text, start) else score


def _signals(ranked: list[_Candidate], claim: Claim) -> tuple[_Candidate | None, ...]:
    """Return the best, the best contrasting, and the best with a different number if none agrees."""
    close = [one for one in ranked if one.score >= _MIN_SIGNAL * ranked[0].score]
    number = next((one for one in close if one.comparison.numbers), None)
    different = number if number and number.comparison.numbers == "different" else None
    return ranked[0] if ranked else None, _contrast(close, claim), different


def _contrast(close: list[_Candidate], claim: Claim) -> _Candidate | None:
    """A sentence that only states the opposite counts if no better one has all of the claim."""
    has_full_match = False
    for one in close:
        if one.comparison.contrast and not (has_full_match and one.comparison.is_reversed):
            return one
        has_full_match = has_full_match or claim.share_of(one.comparison.mask) == 1.0
    return None


def _best_distinct(ranked: list[_Candidate], text: _SplitText) -> list[_Candidate]:
    """Return the best sentences without exact duplicates."""
    min_score = _MIN_REPORTED * ranked[0].score if ranked else 0.0
    distinct: dict[str, _Candidate] = {}
    for one in ranked:
        if one.score < min_score or len(distinct) == _MAX_KEY_SENTENCES:
            break
        distinct.setdefault(" ".join(text.sentence(one.at).split()), one)
    return [*distinct.values()]


def _key_sentence(one: _Candidate, text: _SplitText) -> KeySentence:
    start, end = text.spans[one.at]
    return KeySentence(
        text=text.original[start:end],
        start=start,
        end=end,
        score=one.score,
        contrast=one.comparison.contrast,
        numbers=one.comparison.numbers,
        section=heading_above(text.original, start),
    )


def _status(coverage: float, claim: Claim) -> Coverage:
    if claim.size and not coverage:
        return "not_addressed"
    return "addressed" if coverage >= _MIN_ADDRESSED else "partially_addressed"
