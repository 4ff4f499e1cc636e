"""Assignees of patents: names without legal forms, and patents grouped by owner and family."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from sourcewright.base.text.unicode import fold_text
from sourcewright.domain.records.patent_numbers import parse_patent_number
from sourcewright.domain.records.patents import Patent

_FORMS: Final = frozenset(
    [
        "ab",
        "ag",
        "aktiengesellschaft",
        "as",
        "asa",
        "bv",
        "co",
        "company",
        "corp",
        "corporation",
        "gmbh",
        "inc",
        "incorporated",
        "kg",
        "kk",
        "limited",
        "llc",
        "llp",
        "lp",
        "ltd",
        "nv",
        "oy",
        "oyj",
        "plc",
        "pte",
        "pty",
        "sa",
        "sarl",
        "sas",
        "se",
        "spa",
        "srl",
    ]
)
_COUNTRY: Final = re.compile(r"\[[A-Z]{2}\]$")
_WORD: Final = re.compile(r"[^\s,;&()]+")
_MAX_LENGTH: Final = 500


@dataclass(frozen=True, slots=True)
class AssigneeCluster:
    """How many of the patents an assignee has."""

    assignee: str
    count: int


def clean_name(name: str) -> str:
    """The name without the country that some sources append, and without extra spaces."""
    one_line = " ".join(name[:_MAX_LENGTH].split())
    return _COUNTRY.sub("", one_line).rstrip(" ,;")


def without_legal_form(name: str) -> str:
    """The name without Inc, LLC, Ltd and the like at its end; the whole name if nothing is left."""
    clean = clean_name(name)
    words = list(_WORD.finditer(clean))
    end = len(words)
    while end > 1 and _folded(words[end - 1].group()) in _FORMS:
        end -= 1
    return clean[: words[end - 1].end()].rstrip(" .,;&") if words else clean


def _folded(word: str) -> str:
    return word.replace(".", "").casefold()


def assignee_key(name: str | None) -> str:
    """A key that is the same for all spellings of one company; empty without a name."""
    return fold_text(without_legal_form(name)) if name else ""


def one_per_family(patents: Iterable[Patent]) -> list[Patent]:
    """The first publication of each family.

    Where a source has no families, publications with the same number, or with the same title,
    owner, first inventor and first date are of one family.
    """
    known: set[str] = set()
    firsts = []
    for patent in patents:
        keys = _family_keys(patent)
        if known.isdisjoint(keys):
            firsts.append(patent)
        known |= keys
    return firsts


def _family_keys(patent: Patent) -> set[str]:
    if patent.family_id:
        return {f"family {patent.family_id}"}
    number = parse_patent_number(patent.number)
    keys = {f"{number.office}{number.digits}" if number else patent.number}
    owner, inventor = assignee_key(patent.assignee), fold_text(patent.inventor or "")
    if owner and inventor:
        invention = f"{fold_text(patent.title)}|{owner}|{inventor}"
        office = number.office if number else ""
        # Two applications at one office on one day, or anywhere with one priority.
        keys |= {f"{invention}|{office} {patent.filed}"} if patent.filed else set()
        keys |= {f"{invention}|priority {patent.priority}"} if patent.priority else set()
    return keys


def by_assignee(patents: Sequence[Patent]) -> tuple[list[Patent], tuple[AssigneeCluster, ...]]:
    """Sort the patents by frequency of their assignee, those without one last; also the counts."""
    keys = [assignee_key(patent.assignee) for patent in patents]
    counts = Counter(key for key in keys if key)
    first = {key: at for at, key in reversed(list(enumerate(keys)))}
    order = sorted(
        range(len(patents)),
        key=lambda at: (not keys[at], -counts[keys[at]], first[keys[at]], at),
    )
    clusters = [
        AssigneeCluster(clean_name(patents[first[key]].assignee or ""), count)
        for key, count in counts.most_common()
    ]
    return [patents[at] for at in order], tuple(clusters)
