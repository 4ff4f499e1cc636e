"""Headings of lists of references and of the sections after them, and what entries have."""

import re

from sourcewright.base.doi_prefix import DOI_PREFIX

_HEADINGS = frozenset(
    (
        *(
            "references",
            "reference",
            "bibliography",
            "workscited",
            "literaturecited",
            "literature",
        ),
        *("citedliterature", "referencelist", "referencesandnotes", "listofreferences"),
        *("notesandreferences", "referencescited", "selectedbibliography", "citedreferences"),
        *("literaturverzeichnis", "literatur", "quellenverzeichnis", "r\u00e9f\u00e9rences"),
        *("bibliographie", "referencias", "referenciasbibliogr\u00e1ficas", "bibliograf\u00eda"),
        *("refer\u00eancias", "refer\u00eanciasbibliogr\u00e1ficas", "bibliografia"),
        *(
            "riferimentibibliografici",
            "literatuur",
            "\u53c2\u8003\u6587\u732e",
            "\u53c3\u8003\u6587\u737b",
        ),
        *(
            "\ucc38\uace0\ubb38\ud5cc",
            "\u0441\u043f\u0438\u0441\u043e\u043a\u043b\u0438\u0442\u0435\u0440\u0430\u0442\u0443\u0440\u044b",
            "\u043b\u0438\u0442\u0435\u0440\u0430\u0442\u0443\u0440\u0430",
        ),
    )
)
"""Headings of lists of references, without spaces, in lower case."""
_HEADING_MARKUP = re.compile(
    r"^[\s#*_>]{0,20}(?:\d{1,2}(?:\.\d{1,2}){0,2}\.?\s{1,9}|[IVX]{1,5}\.\s{1,9}|[A-Z]\.\s{1,9})?"
)
_NEXT_SECTION = re.compile(
    r"^[\s#*_]{0,20}(?:(?:\d{1,2}|[A-Z]|[IVX]{1,5})\.?\s{1,9})?(?:appendi(?:x|ces)\b|acknowledge?ments?\b"
    r"|supplement(?:ary|al)\b|supporting information\b|author (?:contributions|information|biograph)"
    r"|about the authors?\b|affiliations?\b|biograph(?:y|ies)\b|figure (?:legends|captions)\b|conflicts? of interest\b"
    r"|index$|list of (?:figures|tables)\b|anhang\b)[^.]{0,60}$",
    re.IGNORECASE,
)
_YEAR_OR_LINK = re.compile(
    r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)|" + DOI_PREFIX + r"|https?:|arxiv", re.IGNORECASE
)


def is_heading(line: str) -> bool:
    """Whether a line is the heading of a list of references."""
    if len(line) > 100:
        return False
    bare = _HEADING_MARKUP.sub("", line).strip(" *_#:.\t").casefold()
    return "".join(bare.split()) in _HEADINGS


def begins_next_section(line: str) -> bool:
    """Whether a line is a heading that follows a list of references, such as "Appendix"."""
    return _NEXT_SECTION.match(line) is not None


def has_date(text: str) -> bool:
    """Whether a text has a year, a DOI or a link, as most references do."""
    return _YEAR_OR_LINK.search(text) is not None
