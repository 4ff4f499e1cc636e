"""Ranking of merged works: reciprocal rank fusion, and the work that a query names first."""

import re
from collections.abc import Sequence

from rapidfuzz import fuzz

from sourcewright.base.text.unicode import fold_text
from sourcewright.domain.scholar.merge import MergedWork
from sourcewright.references.comparison.match import Fingerprint

RANK_CONSTANT = 60
"""The usual constant of reciprocal rank fusion: one first place does not outweigh several
second places."""

MIN_NAMED = 0.75
"""Share of a title's words that a query must contain to name that work, and share of the query's
words that the work must account for. A lost word, a cut subtitle or a misspelling stays above."""
MIN_NAME_WORDS = 3
MIN_WORD_SIMILARITY = 80.0
MAX_UNKNOWN = 0.34
"""Share of the words of a query that may be left out as misspelled."""
_STOP = re.compile(
    r"(?:a|an|and|as|at|by|for|from|in|into|is|it|its|of|on|or|over|the|to|via|with|et|al"
    r"|de|la|le|les|el|los|der|die|das|und|du|des|en|y)"
)


def rank_works(works: Sequence[MergedWork], query: str) -> list[MergedWork]:
    """The works, best first: those that the query names, then by reciprocal rank.

    The order depends only on the works and the query; equal works keep their order.
    """
    words = _content_words(fold_text(query))
    scores = [naming_score(work, words) for work in works]
    order = sorted(
        range(len(works)), key=lambda at: (-scores[at], -reciprocal_rank(works[at]), at)
    )
    return [works[at] for at in order]


def is_named(works: Sequence[MergedWork], query: str) -> bool:
    """Whether the query names one of the works."""
    words = _content_words(fold_text(query))
    return any(naming_score(work, words) for work in works)


def without_unknown_words(query: str, works: Sequence[MergedWork]) -> str | None:
    """The query without the words that no work has, which may be misspelled; None if none is left.

    An index that requires every word of a query finds nothing with a misspelled one.
    """
    known = {word for work in works for word in fold_text(work.record.title or "").split()}
    known |= {word for work in works for word in _people(work)}
    words = query.split()
    rest = [word for word in words if known.issuperset(_content_words(fold_text(word)))]
    lost = len(words) - len(rest)
    return " ".join(rest) if 0 < lost <= MAX_UNKNOWN * len(words) else None


def reciprocal_rank(work: MergedWork) -> float:
    """The sum over all indexes that found the work of 1 / (constant + its rank there)."""
    return sum(1 / (RANK_CONSTANT + rank) for rank in work.ranks.values())


def naming_score(work: MergedWork, query: Sequence[str]) -> float:
    """How well the words of a query name this work, from `MIN_NAMED` to 1; 0 if they do not."""
    side = Fingerprint(work.record)
    title = _content_words(side.words)
    if len(query) < MIN_NAME_WORDS or not title:
        return 0.0
    if side.label and side.label.split()[-1] not in query:
        return 0.0
    main = _content_words(fold_text(side.title.partition(": ")[0]))
    common = _common_words(title, query)
    share = sum(map(len, common)) / sum(map(len, title))
    if len(main) >= MIN_NAME_WORDS and len(main) < len(title):
        # A query without the subtitle names the work too, if only a little less well.
        share = max(share, 0.95 * sum(map(len, _common_words(main, query))) / sum(map(len, main)))
    if share < MIN_NAMED:
        return 0.0
    known = [*title, *_people(work), *_content_words(fold_text(work.record.venue or ""))]
    known += [str(work.record.year)] if work.record.year else []
    explained = sum(map(len, _common_words(query, known))) / sum(map(len, query))
    return round(share * explained, 2) if explained >= MIN_NAMED else 0.0


def _people(work: MergedWork) -> list[str]:
    return [word for author in work.record.authors[:50] for word in fold_text(author.name).split()]


def _content_words(folded: str) -> list[str]:
    return [word for word in folded.split() if not _STOP.fullmatch(word)]


def _common_words(words: Sequence[str], others: Sequence[str]) -> list[str]:
    """The words that the others contain, misspelled ones included."""
    known = set(others)
    return [word for word in words if word in known or _is_misspelled(word, others)]


def _is_misspelled(word: str, others: Sequence[str]) -> bool:
    if len(word) < 5:
        return False
    return any(
        abs(len(word) - len(other)) < 3 and fuzz.ratio(word, other) >= MIN_WORD_SIMILARITY
        for other in others
        if len(other) > 3
    )
