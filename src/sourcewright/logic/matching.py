"""Decides whether a PDF is the paper that was asked for, and says by which signs."""

from sourcewright.domain.files import Excerpt, FileCheck, FileStatus
from sourcewright.domain.identifiers import ArxivId, Doi
from sourcewright.domain.works import Work
from sourcewright.logic.attesting import evidence_of, found_instead
from sourcewright.logic.claiming import Standing, wanted_of
from sourcewright.logic.leafing import leaves_of
from sourcewright.logic.spotting import ENOUGH_TEXT, Signs, signs_of

LONG_TITLE = 40
"""Letters. A title this long that heads a file is probably the file's even without the author."""


def check_file(work: Work, excerpt: Excerpt, *, reference: Doi | ArxivId) -> FileCheck:
    """Compare the first pages of a PDF with the work that was asked for.

    `confirmed` takes an identifier that is the file's own beside the title or the author, or
    title, first author and year together. `probable` is good and incomplete. `mismatch` means
    that the file is something else, or shows nothing of the work. `unreadable` means that there
    is no text to judge by.
    """
    leaves = leaves_of(excerpt)
    signs = signs_of(work, excerpt, leaves, wanted_of(work, reference))
    status = _status(signs)
    found = found_instead(signs, excerpt, leaves) if status == "mismatch" else None
    return FileCheck(status=status, evidence=tuple(evidence_of(signs, excerpt)), found=found)


def _status(signs: Signs) -> FileStatus:
    if not signs.amount:
        return "unreadable"
    status = _judgement(signs)
    return "unreadable" if status == "mismatch" and signs.amount < ENOUGH_TEXT else status


def _judgement(signs: Signs) -> FileStatus:
    claims, rival = signs.claims, signs.claims.rival
    if signs.sight.grade == "derived" or signs.is_notice:
        return "mismatch"
    if rival and rival.id in signs.wanted.opposed and rival.standing >= Standing.ALONE:
        return "mismatch"
    if claims.stamps and signs.wanted.arxiv:
        return _by_stamp(signs)
    return _by_doi(signs) if claims.own else _by_title(signs)


def _by_stamp(signs: Signs) -> FileStatus:
    if not signs.stamped:
        return "mismatch"
    version = signs.wanted.version
    if version and all(stamp.version != version for stamp in signs.claims.stamps):
        return "probable"
    return "confirmed" if signs.named or signs.author else "probable"


def _by_doi(signs: Signs) -> FileStatus:
    own, rival = signs.claims.own, signs.claims.rival
    standing = own.standing if own else Standing.MENTIONED
    # A paper's own DOI stands first; those of its data and of others' works come later.
    if rival and own and (rival.place < own.place or not standing):
        return _by_title(signs)
    if not standing:
        same = signs.sight.grade == "same" and signs.author and not signs.title.is_short
        return "confirmed" if same else _by_title(signs)
    certain = signs.named or (signs.author and standing >= Standing.ALONE and not rival)
    return "confirmed" if certain else "probable"


def _by_title(signs: Signs) -> FileStatus:
    same = signs.sight.grade == "same"
    if signs.claims.rival:
        return "probable" if same and signs.author and not signs.title.is_short else "mismatch"
    if same:
        return _by_same_title(signs)
    if not signs.title.letters:
        return "probable" if signs.full_name and signs.year and signs.venue else "mismatch"
    if signs.named or signs.sight.grade == "inside":
        return "probable" if signs.author and signs.heads else "mismatch"
    return "mismatch"


def _by_same_title(signs: Signs) -> FileStatus:
    if signs.author and signs.year:
        return "probable" if signs.title.is_short else "confirmed"
    if signs.author or signs.coauthor:
        return "probable"
    if signs.title.is_short:
        return "probable" if not signs.has_authors and signs.year and signs.venue else "mismatch"
    long = len(signs.title.letters) >= LONG_TITLE
    return "probable" if long or signs.year or not signs.is_described else "mismatch"
