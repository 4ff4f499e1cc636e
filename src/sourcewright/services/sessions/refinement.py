"""Refinement queries: follow-up searches for what a research session lacks.

They consist of content words, because the whole goal as a phrase would find nothing.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from sourcewright.base.language.lexicon import detect_language, stop_words
from sourcewright.base.text.words import UNSPACED, fold_for_search
from sourcewright.domain.users.sessions import Gap
from sourcewright.services.sessions.coverage import Coverage
from sourcewright.services.sessions.summaries import one_line

MAX_QUERIES = 6
_GOAL_TERMS = 5
_GAP_TERMS = 6
_UNSPACED_CHARACTERS = 24
_QUERY_CHARACTERS = 200
_SCANNED = 2000
_TOKEN = re.compile(r"[^\W_][\w'\u2019.+#/-]*", re.UNICODE)
_UNSPACED_TEXT = re.compile(f"[{UNSPACED}]")
_ASKING = (
    "what which who whom whose when where why how does did do is are was were can could should "
    "would find out research investigate determine identify understand compare evaluate assess "
    "explore learn know missing unclear unknown need needs needed no any data information "
    "evidence details sources source more about whether per compared versus vs between"
)
"""Question words and other words without content."""

_OTHER_TYPES = {
    "peer_reviewed": "news",
    "academic": "news",
    "news_publication": "research paper",
    "government": "independent review",
    "official_docs": "experience report",
}
_REVIEWED = "peer-reviewed study"


class Refinement(NamedTuple):
    """A suggested query, and why."""

    query: str
    reason: str


def refinements(goal: str, gaps: Sequence[Gap], coverage: Coverage) -> list[Refinement]:
    """Suggest queries for open gaps first, then for thin coverage."""
    subject = key_terms(goal, _GOAL_TERMS)
    suggested = [
        # Words of two writing systems in one query find pages in neither.
        _for_gap(subject if _is_unspaced(gap.description) == _is_unspaced(goal) else (), gap)
        for gap in gaps
    ]
    if coverage.dominant_domain:
        suggested.append(
            Refinement(
                _joined([*subject, f"-site:{coverage.dominant_domain}"]),
                f"most sources are on {coverage.dominant_domain}",
            )
        )
    [only_type, *others] = coverage.source_types or ("",)
    if coverage.source_count and not others:
        addition = _OTHER_TYPES.get(only_type, _REVIEWED)
        suggested.append(Refinement(_joined([*subject, addition]), "sources of one type only"))
    if coverage.source_count == 0 and not gaps:
        suggested.append(Refinement(_joined(subject), "no sources yet"))
    unique = {fold_for_search(one.query): one for one in reversed(suggested) if one.query}
    ordered = dict.fromkeys(fold_for_search(one.query) for one in suggested if one.query)
    return [unique[key] for key in ordered][:MAX_QUERIES]


def _for_gap(subject: Sequence[str], gap: Gap) -> Refinement:
    known = {fold_for_search(term) for term in subject}
    fresh = [
        one for one in key_terms(gap.description, _GAP_TERMS) if fold_for_search(one) not in known
    ]
    return Refinement(_joined([*subject, *fresh]), f"gap {gap.number} is open")


def key_terms(text: str, most: int) -> list[str]:
    """The content words of a text, unchanged and in order."""
    text = text[:_SCANNED]
    if _is_unspaced(text):
        # Such scripts have no spaces between words; engines segment them better.
        return [one_line(text, _UNSPACED_CHARACTERS).rstrip("\u2026")]
    ignored = stop_words(detect_language(text, "")) | stop_words("en") | set(_ASKING.split())
    terms: dict[str, str] = {}
    for token in _TOKEN.findall(text):
        word = token.rstrip("'\u2019.+/-") if not token.endswith(("++", "#")) else token
        folded = fold_for_search(word)
        if folded not in ignored and (len(folded) > 1 or folded.isdigit()):
            terms.setdefault(folded, word)
    return list(terms.values())[:most]


def _is_unspaced(text: str) -> bool:
    scanned = text[:_SCANNED]
    return len(_UNSPACED_TEXT.findall(scanned)) * 2 > len(scanned)


def _joined(terms: Sequence[str]) -> str:
    return one_line(" ".join(terms), _QUERY_CHARACTERS).rstrip("\u2026")
