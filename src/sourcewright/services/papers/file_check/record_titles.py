"""The title of a record, prepared for finding it in a PDF."""

import re
from dataclasses import dataclass

from sourcewright.base.text.plain import plain_text
from sourcewright.base.text.unicode import fold_heading, strip_tex
from sourcewright.base.works import Work
from sourcewright.references.document_labels import document_label, line_suffix
from sourcewright.services.papers.file_check.kinds import DocumentKind, kinds_of

SHORT_TITLE_LETTERS = 18
"""Letters; an ideograph counts as three. A shorter title can occur in any text, so it counts only as
whole lines, and is never enough without an identifier."""

_MAX_TITLE_LENGTH = 600
_GENERIC = re.compile(
    r"(?:guest )?editorial(?: board| note)?|introduction(?: to (?:the|this) special \w+)?|preface|"
    r"foreword|book reviews?|letters? to the editors?|obituary|conclusions?|discussion|abstracts?|"
    r"in this issue|front matter|back matter|news(?: and notes)?|announcements?|contents|index|"
    r"corrections and clarifications|instructions for authors|list of reviewers|acknowledge?ments?"
)
_OPENING = re.compile(r"(?:(?:on|towards?) )?(?:the |an? )?")
"""Words that the title in the file may have before that of the record, or the other way round."""
_STATUS_AHEAD = re.compile(
    r"\W{0,2}(?:retracted|withdrawn)(?: article| paper)?\W{0,3}[:\]]\s*", re.IGNORECASE
)
_SECTION_AHEAD = re.compile(
    r"(?:(?:original|research|review|full|short|regular|rapid|brief|invited|technical|mini|"
    r"systematic)[ -]){0,3}(?:article|paper|research|review|letter|communication|report|"
    r"perspective|note|viewpoint|opinion)\s?[:\u2013\u2014]\s",
    re.IGNORECASE,
)
_TITLE_START = re.compile(r"^[\W_]{0,9}(?:(?:to|for|on|of|about) )?[\W_]{0,9}")


@dataclass(frozen=True, slots=True)
class PreparedTitle:
    """A title prepared for comparison."""

    words: str
    letters: str
    main: str
    """The letters before the subtitle; empty when there is none."""
    label: str
    kinds: frozenset[DocumentKind]
    """The kinds of document that the work is; their labels do not speak against a file."""
    unlabelled: str = ""
    """The title of which this is a correction, a supplement or the like, as it is written."""

    @property
    def is_short(self) -> bool:
        return _letter_weight(self.letters) < SHORT_TITLE_LETTERS or bool(
            _GENERIC.fullmatch(self.words)
        )


def _letter_weight(letters: str) -> int:
    return sum(3 if letter >= "\u2e80" else 1 for letter in letters)


def prepare_title(work: Work) -> PreparedTitle:
    plain = strip_tex(plain_text((work.title or "")[:_MAX_TITLE_LENGTH]))
    kinds = kinds_of(work, plain)
    label = document_label(plain)
    for ahead in (_STATUS_AHEAD, _SECTION_AHEAD):
        match = ahead.match(plain)
        if match and _letter_weight(letters_of(plain[match.end() :])) >= SHORT_TITLE_LETTERS:
            plain = plain[match.end() :]
    return prepared_title(plain, label if document_label(plain) else "", kinds)


def prepared_title(plain: str, label: str, kinds: frozenset[DocumentKind]) -> PreparedTitle:
    head, colon, _ = plain.partition(": ")
    main = letters_of(head) if colon else ""
    words = fold_heading(plain)
    opening = _OPENING.match(words)
    core = words[opening.end() :] if opening else words
    words = core if _letter_weight(core) >= SHORT_TITLE_LETTERS else words
    rest = line_suffix(plain, len(words.replace(" ", "")) - len(label.replace(" ", "")))
    return PreparedTitle(
        words=words,
        letters=words.replace(" ", ""),
        main=main if _letter_weight(main) >= SHORT_TITLE_LETTERS else "",
        label=label,
        kinds=kinds,
        unlabelled=_TITLE_START.sub("", rest) if label else "",
    )


def letters_of(text: str) -> str:
    return fold_heading(text).replace(" ", "")
