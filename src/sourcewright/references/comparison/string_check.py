"""The check of a citation string: its parsed fields compared with the record that it means.

A parser may misplace the end of a title or a venue. What the string contains word for word is
therefore taken as the record spells it; everything else is compared as it was parsed.
"""

import re
from dataclasses import replace
from typing import Final

from sourcewright.base.authors import author_from_parts
from sourcewright.base.doi_prefix import DOI_PREFIX
from sourcewright.base.text.unicode import fold_text
from sourcewright.base.works import WorkRecord
from sourcewright.references.checks import CitationCheck, Evidence
from sourcewright.references.comparison.candidates import reference_identifiers
from sourcewright.references.comparison.check import check_against_record, check_citation
from sourcewright.references.comparison.people import compare_authors
from sourcewright.references.comparison.strings import MIN_LINK, best_record
from sourcewright.references.comparison.titles import SAME, prepare_title, title_agreement
from sourcewright.references.comparison.venues import same_venue
from sourcewright.references.model import Reference, Span

_LINK: Final = re.compile(r"https?://\S+|\b" + DOI_PREFIX + r"/\S+", re.IGNORECASE)
_BEFORE_TITLE: Final = (".", ",", ":", ").", '"', "\u201c")
_AFTER_TITLE: Final = (".", ",", "?", "!", '"', "\u201d", "[")
_WORD: Final = re.compile(r"[^\W_]+")
_SPACE: Final = " \t\r\n_*"
_FEWEST_PARTS: Final = 2
_SAME_AUTHORS: Final = ("match", "variant")
_MIN_LETTERS: Final = 15
"""Shorter titles may be part of other texts."""


def check_string(parsed: Reference, evidence: Evidence) -> CitationCheck:
    """Compare a string with the records: those that its fields fit, and the one that its words fit.

    Without an identifier or a record that its words fit, one field at most may differ: authors
    and place alone fit other works too.
    """
    checks = [check_citation(parsed, evidence)]
    if (match := checks[0].record) is not None:
        checks.append(check_citation(as_written(parsed, match), evidence))
        if not reference_identifiers(parsed):
            checks = [one for one in checks if is_described(one)]
    if (linked := linked_record(parsed.text, evidence)) is not None:
        record, probability = linked
        check = check_against_record(as_written(parsed, record), evidence, record)
        risk = max(check.risk, round(1.0 - probability, 3))
        checks.append(replace(check, risk=risk))
    known = [one for one in checks if one.record is not None]
    if not known:
        return check_citation(parsed, replace(evidence, records=()))
    return min(known, key=lambda one: (len(one.differing), one.risk))


def is_described(check: CitationCheck) -> bool:
    """Whether a parsed string describes the work that was found: at most one field is wrong."""
    return check.confidence in ("high", "medium") and len(check.differing) <= 1


def linked_record(text: str, evidence: Evidence) -> tuple[WorkRecord, float] | None:
    """The record that the words of a string mean, with the probability; None if there is none."""
    best = best_record(text, evidence.records)
    return best if best is not None and best[1] >= MIN_LINK else None


def as_written(parsed: Reference, record: WorkRecord) -> Reference:
    """The parsed string, with title and venue as in the record if the string contains them."""
    parsed = _with_inverted_first_author(parsed, record)
    title = record.title if _has_title(parsed, record.title or "") else parsed.title
    if title and parsed.venue and parsed.venue.startswith((f"{title}. ", f"{title}, ")):
        # A title of one word that was taken for the beginning of the journal.
        parsed = replace(parsed, venue=parsed.venue[len(title) + 2 :])
    if _has_venue(parsed, title, record.venue or ""):
        return replace(parsed, title=title, venue=record.venue)
    if parsed.venue and fold_text(parsed.venue) == fold_text(record.publisher or ""):
        return replace(parsed, title=title, venue=None, publisher=parsed.venue)
    if _is_part_of_venue(title, record.venue or "") and _has_venue(parsed, "", record.venue or ""):
        # The style has no titles, and the name of the venue was divided.
        return replace(parsed, title=None, venue=record.venue)
    return replace(parsed, title=title)


def _with_inverted_first_author(parsed: Reference, record: WorkRecord) -> Reference:
    """The string with `Ferreira de Almeida, Maria` as one author, if the record has that one."""
    if len(parsed.authors) < _FEWEST_PARTS or not record.authors:
        return parsed
    family, given, *rest = parsed.authors
    first = author_from_parts(family=family.name, given=given.name)
    authors = (first, *rest) if first else parsed.authors
    as_parsed, inverted = (
        compare_authors(
            some,
            record.authors,
            et_al=parsed.authors_truncated,
            known_truncated=record.authors_truncated,
        )
        for some in (parsed.authors, authors)
    )
    is_better = as_parsed not in _SAME_AUTHORS and inverted in _SAME_AUTHORS
    return replace(parsed, authors=authors) if is_better else parsed


def _has_title(parsed: Reference, title: str) -> bool:
    given, known = parsed.title or "", prepare_title(title)
    agreement = title_agreement(given, title)
    goes_on = agreement == "shortened" and len(prepare_title(given).letters) > len(known.letters)
    if agreement in SAME and not goes_on:
        return False
    if len(known.letters) < _MIN_LETTERS:
        return _is_delimited(title, parsed.text)
    is_same_kind = prepare_title(given).fingerprint.label == known.fingerprint.label
    is_contained = is_same_kind and known.letters in prepare_title(parsed.text).letters
    return is_contained and not _has_words_beside(title, parsed)


def _has_words_beside(title: str, parsed: Reference) -> bool:
    """Whether the string has the title only with further words before or after it."""
    words = map(re.escape, _WORD.findall(title[:1000]))
    # A bracket at its end is no mark behind the title.
    bracket = r"[)\]]?" if title.endswith((")", "]")) else ""
    pattern = r"[\W_]{1,9}".join(words) + bracket
    places = list(re.finditer(pattern, parsed.text, re.IGNORECASE))
    return bool(places) and not any(_stands_alone(place.span(), parsed) for place in places)


def _stands_alone(place: Span, parsed: Reference) -> bool:
    """Whether a part of a string begins and ends at a mark, a number or another field."""
    before, after = parsed.text[: place[0]], parsed.text[place[1] :]
    head, tail = before.rstrip(_SPACE), after.lstrip(_SPACE)
    starts, ends = zip(*parsed.spans.values(), strict=True) if parsed.spans else ((), ())
    begins = len(head) in ends or _is_mark(head[-1:], is_joined=head == before)
    # A colon before the title ends a part of a longer one, and a question may go on.
    begins = begins and not (head.endswith(":") and len(head) - 1 not in ends)
    goes_on = tail[:1] in ("?", "!") and tail[1:].lstrip()[:1].islower()
    is_end = len(parsed.text) - len(tail) in starts or _is_mark(tail[:1], is_joined=tail == after)
    return begins and is_end and not goes_on


def _is_mark(character: str, *, is_joined: bool) -> bool:
    """Whether a character ends a field; a hyphen that is joined to a word does not."""
    return not character.isalpha() and not (is_joined and character == "-")


def _is_delimited(title: str, text: str) -> bool:
    """Whether a text contains a short title between punctuation marks."""
    return bool(title) and any(
        text[match.start() - 2 : match.start()].strip(" ") in _BEFORE_TITLE
        and text[match.end() : match.end() + 1] in _AFTER_TITLE
        for match in re.finditer(re.escape(title), text, re.IGNORECASE)
    )


def _is_part_of_venue(title: str | None, venue: str) -> bool:
    return bool(title) and f" {fold_text(title or '')} " in f" {fold_text(venue)} "


def _has_venue(parsed: Reference, title: str | None, venue: str) -> bool:
    words = fold_text(venue)
    if not words or (parsed.venue and same_venue(parsed.venue, venue)):
        return False
    # A DOI such as 10.48550/arXiv.2101.00001 names no venue.
    text = fold_text(_LINK.sub(" ", parsed.text))
    beside_title = f" {text} ".replace(fold_text(title or ""), " ", 1)
    return f" {words} " in beside_title
