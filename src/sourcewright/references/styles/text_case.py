"""Text case of CSL: title case with English stop words, capital first letter, lower case."""

import re

from sourcewright.references.styles.styled_text import END_NO_CASE, NO_CASE

_SMALL_WORDS = (
    "a about above across after against al al. along alongside amid amidst among amongst an and "
    "apropos around as aside astride at atop barring before behind below beneath beside besides "
    "between beyond but by c ca circa de despite down during et except for from given in inside "
    "into lest like near next nor notwithstanding of off on onto or out over per plus pro qua "
    "sans since so than the through throughout thru till to toward towards under underneath "
    "until unto up upon v v. van versus via vis-à-vis von vs vs. with within without yet"
)
_STOP_WORDS = frozenset(_SMALL_WORDS.split())
"""Articles, conjunctions and prepositions of English, and particles of names."""
_CHUNK = re.compile(f"{NO_CASE}.*?{END_NO_CASE}|[^\\s{NO_CASE}]+|\\s+|.", re.DOTALL)
_MARKER = "[\ue000-\ue0ff]"
_FIRST_LETTER = re.compile("((?:[\ue000-\ue0ff(\\[{\u00a1\u00bf])*)(.)", re.DOTALL)
_ELISION = re.compile(f"{_MARKER}*\\w[\u2019']\\w")
_MARKERS = re.compile(_MARKER)
_MIXED = re.compile(f"{_MARKER}*[^\\W\\d_][^\\W\\d_A-Z]{{0,20}}[A-Z]")
"""A word that has a capital inside, such as arXiv."""
_BREAKS = (":", "?", "!")
"""After these, a stop word has a capital."""
_PUNCTUATION = re.compile("[-\u2013\u2014/.,;?!:()\\[\\]\"'\u2018\u2019\u201c\u201d\ue000-\ue0ff]")
_PARTS = re.compile("([-/:\u2013\u2014])")
_GREEK_LETTER = re.compile("[\u0370-\u03ff]")


def apply_case(text: str, text_case: str | None) -> str:
    if text_case == "title":
        return title_case(text)
    if text_case == "capitalize-first":
        return text if text.startswith(NO_CASE) or _MIXED.match(text) else _capitalize(text)
    if text_case in ("lowercase", "uppercase"):
        return text.lower() if text_case == "lowercase" else text.upper()
    return text


def title_case(text: str) -> str:
    """Every word with a capital, without stop words inside; words with capitals stay."""
    chunks = _CHUNK.findall(_with_first_compound(text))
    words = [n for n, chunk in enumerate(chunks) if not chunk.isspace()]
    for order, place in enumerate(words):
        word = chunks[place]
        if word.startswith(NO_CASE):
            continue
        is_first = order == 0 or _MARKERS.sub("", chunks[words[order - 1]]).endswith(_BREAKS)
        chunks[place] = _title_word(word, is_first=is_first, is_last=order == len(words) - 1)
    return "".join(chunks)


def _with_first_compound(text: str) -> str:
    """Give `E-mail` its capital, as citeproc-js does before any other punctuation."""
    mark = _PUNCTUATION.search(text)
    if not mark or mark[0] != "-":
        return text
    before, space, word = text[: mark.start()].rpartition(" ")
    word = _title_part(word, is_first=True, is_last=False)
    return f"{before}{space}{word}{text[mark.start() :]}"


def _title_word(word: str, *, is_first: bool, is_last: bool) -> str:
    if _ELISION.match(word) and not is_first:
        return word
    parts = _PARTS.split(word)
    return "".join(
        _title_part(
            part,
            is_first=parts[number - 1] == ":" if number else is_first,
            is_last=is_last and number == len(parts) - 1,
        )
        for number, part in enumerate(parts)
    )


def _title_part(part: str, *, is_first: bool, is_last: bool) -> str:
    bare = _MARKERS.sub("", part).lstrip("([{").rstrip("!?:,;)]}")
    # A Greek letter alone is a symbol, as before the hyphen in the name of a protein.
    if part != part.lower() or _GREEK_LETTER.fullmatch(bare):
        return part
    is_small = len(bare.rstrip(".")) < 2 or (bare in _STOP_WORDS and not is_last)
    return part if is_small and not is_first else _capitalize(part)


def _capitalize(text: str) -> str:
    return _FIRST_LETTER.sub(lambda match: match[1] + match[2].upper(), text, count=1)
