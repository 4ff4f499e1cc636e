"""Suggests corrections for a reference that could not be parsed."""

import re

from sourcewright.base.doi_prefix import DOI_PREFIX
from sourcewright.base.landing_pages import identifier_in_url
from sourcewright.base.spellings import quoted_for_message, strip_trailing_punctuation

_DOI_INSIDE = re.compile(DOI_PREFIX + r"/\S+")
_NO_SLASH = re.compile(r"(" + DOI_PREFIX + r")[\s:;,_|\\-]+([a-z0-9]\S*)")
_WORD = re.compile(r"[^\W\d_]{2,}")
_ARTICLE_ID = re.compile(r"[a-z0-9.-]{5,40}")
_MIN_TITLE_WORDS = 3


def suggestion_for(text: str) -> str:
    """Return the end of an error message that suggests what to try; empty if nothing fits."""
    doi = _likely_doi(text)
    if doi:
        return f"; did you mean {quoted_for_message(doi)}?"
    if len(_WORD.findall(text)) >= _MIN_TITLE_WORDS:
        return (
            "; if it is a title, look up its DOI first, because several papers may share a title"
        )
    return ""


def _likely_doi(text: str) -> str | None:
    inside, without_slash = _DOI_INSIDE.search(text), _NO_SLASH.fullmatch(text)
    if inside and _DOI_INSIDE.fullmatch(strip_trailing_punctuation(inside[0])):
        return strip_trailing_punctuation(inside[0])
    if without_slash:
        return f"{without_slash[1]}/{without_slash[2]}"
    # Nature's article numbers are often cited without the DOI prefix.
    is_article_id = _ARTICLE_ID.fullmatch(text) and any(map(str.isdigit, text))
    return identifier_in_url(f"https://www.nature.com/articles/{text}") if is_article_id else None
