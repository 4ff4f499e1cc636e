"""The list of authors at the beginning of a citation string, in any order of its names."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from sourcewright.base.text.name_particles import (
    CONNECTORS,
    JOINED_PATTERN,
    PARTICLE_PATTERN,
    has_joined_particle,
    is_particle_before,
)
from sourcewright.base.works import Author
from sourcewright.references.field_values import author_from_text, organisation, person
from sourcewright.references.limits import MAX_AUTHORS
from sourcewright.references.model import Span
from sourcewright.references.strings.sentences import is_abbreviation, is_boundary_after_name

_UPPER = r"(?=[\0-\u2e7f\U00010000-\U0010ffff])[^\W\d_a-z\u00df-\u00f6\u00f8-\u00ff]"
_WORD = rf"(?:{JOINED_PATTERN})?{_UPPER}[^\W\d_]{{0,40}}(?:['\u2019\u2018\u02bc.]?[-\u2010\u2011\u2013'\u2019\u2018\u02bc][^\W\d_]{{1,40}}){{0,4}}"
_PARTICLE = PARTICLE_PATTERN
_INNER_PARTICLE = rf"(?:{_PARTICLE}|[yYie])"
"""Between two family names also `y` and `e`, which mean `and` everywhere else."""
_FAMILY = rf"(?:{_PARTICLE}\s){{0,3}}{_WORD}(?:\s(?:{_INNER_PARTICLE}\s){{0,2}}{_WORD}){{0,3}}?"
_INITIAL = rf"(?!Ste?\.){_UPPER}[a-z\u00df-\u00ff]?\."
_INITIALS = rf"(?:{_INITIAL}|{_UPPER}(?=-{_INITIAL}))(?:\s{{0,2}}-?\s?{_INITIAL}|-[^\W\d_]\.|\s[a-z]\.(?=\s{_INITIAL}|,)){{0,6}}"
_SUFFIX = r"(?:,?\s{1,2}(?P<suffix>[JS]r\.?|I{2,3}|IV)(?![\w]))?"
_INVERTED = re.compile(
    rf"(?P<family>{_FAMILY}),\s{{0,2}}(?P<given>{_INITIALS}(?:\s{{1,2}}(?:(?![A-Z]){_PARTICLE}(?=[\s.,;]|$)|{_PARTICLE}(?=[.,;]|$))(?:\s{_INITIAL})?){{0,3}})"
    rf"{_SUFFIX}"
)
_AND = r"(?:and|&|und(?!\szum?\s)|et|y|e|with|ve|och|og|\u00e9s|oraz|\u0438)"
_CONNECTOR = r"[eyi]"
"""`and` in Portuguese, Spanish and Catalan, which also joins two family names of one person."""
_INITIALS_FIRST = re.compile(
    rf"(?P<given>{_INITIALS})\s{{0,2}}(?P<family>{_FAMILY})(?=\s?(?:[,;.:(\d\"\u201c]|$|\s(?!{_CONNECTOR}\s){_AND}\s|\s{_CONNECTOR}\s{_INITIAL})){_SUFFIX}"
)
_VANCOUVER = re.compile(
    rf"(?P<family>{_FAMILY})\s(?P<given>(?:{_UPPER}{{1,4}}(?:-{_UPPER})?|{_UPPER}(?:\s{_UPPER}){{1,3}})(?:\s(?![A-Z]){_PARTICLE}){{0,3}})(?=[,.;:(]|\s\(|\s{_AND}\s|\s(?:1[5-9]|20)\d\d\b|$){_SUFFIX}"
)
_INITIALS_LAST = re.compile(
    rf"(?P<family>{_FAMILY})\s(?P<given>(?:{_UPPER}\.[\s-]{{0,2}}){{0,3}}{_UPPER}\.)(?=[,;:]|\s{_AND}\s|\s\(|\s(?!{_INITIAL}){_UPPER}|$){_SUFFIX}"
)
_IDEOGRAPHIC_NAME = re.compile(
    rf"(?P<family>[\u2e80-\u9fff\uac00-\ud7a3]{{2,6}})(?P<given>)(?P<suffix>)(?=\s?(?:[,;.:(]|$)|\s{_AND}\s)"
)
"""A Chinese, Japanese or Korean name, which has no space, in a list of others."""
_FORMS = (_INVERTED, _INITIALS_FIRST, _VANCOUVER, _INITIALS_LAST)
_VOLUME_AFTER_NAME = re.compile(r"\.?\s(?!(?:1[5-9]|20)\d\d\b)\d{1,5}\s?[,:(]")
"""What follows the name of a journal that looks like that of an author: `Z. Phys. 3, 5`."""
_LAST = re.compile(rf"(?<!\w){_AND}(?!\w)")
"""What stands before the last author of a list."""
_NAME_LIST = re.compile(
    rf"{_FAMILY}(?:,\s{_WORD}|,\s{_FAMILY}|\s(?:and|&)\s{_FAMILY})?(?:[.,]|\s\((?:1[5-9]|20)\d\d|\s(?:and|&|et)\s)"
)
_SEPARATOR = re.compile(
    rf"\s{{0,1}}(?:[,;]{{1,2}}\s{{0,2}}(?P<gap>(?:\u2026|\.\s?\.\s?\.)\s{{0,2}})?(?:{_AND}(?![a-z]))?\s{{0,2}}|\s{_AND}\s{{0,2}}(?={_UPPER}|{_PARTICLE}\s|[\u2e80-\ud7a3]))"
)
_ET_AL = re.compile(
    r"[,;]?\s{0,2}(?:(?<![^\W_])(?:and|&)\s)?(?:et\.?\s?al(?![\w])\.?|others(?=[.,]|$))"
    r"|[,;\s]\s{0,2}(?:\u0438\s\u0434\u0440\.?|\u7b49|\u4ed6|\u307b\u304b|u\.\s?a\.)(?=\s{0,2}(?:[.,:(\[]|$))",
    re.IGNORECASE,
)
_EDITORS = re.compile(r",?\s{0,2}\(?(?<!\w)(?:eds?|editors?|hrsg)\b\.?\)?[.,:]?", re.IGNORECASE)
_AND_WORD = re.compile(r"(?:,\s{0,2}|\s)(?:[aA]nd|AND|&|und(?!\szum?\s)|et|with)\s")
_AND_OR_CONNECTOR = re.compile(r"(?:,\s{0,2}|\s)y\s|(?:,\s{0,2}|(?<=\.)\s)e\s")
_COMPOUND = re.compile(rf"(?:{_PARTICLE}\s){{0,3}}{_WORD}\s{_CONNECTOR}\s{_WORD}(?=,\s)")
"""Two family names before the given name: `Ortega y Gasset, José`."""
_YEAR_OR_QUOTE = re.compile(
    r"[(\[]?(?:1[5-9]|20)\d\d[a-z]?[)\].,:]|[\"\u201c\u201e\u00ab]|\(n\.d\.\)"
)
_LOWER_WORD = re.compile(r"(?<![\w'\u2019-])[a-z\u0430-\u045f]\w{0,40}")
_SMALL_WORDS = frozenset(("al", "and", "do", "dos", "et", "for", "in", "of", "on", "the"))
"""Words in the names of organisations, and between names, besides particles."""
_CONTINUATION = re.compile(rf"\s{_WORD}(?:[,.]|\s(?:et\sal|and|&)\b)")
_MORE_INITIALS = re.compile(rf"\.\s{_INITIAL},\s{_UPPER}")
"""Initials that stand last, and another name: `Mallikarjun B. R., Ayush Tewari`."""
_JOURNAL_AND_NUMBER = re.compile(r"(?:\s[^\W\d_a-z][^\W\d_]{0,20}\.?){1,8}[,.]?\s\d")
"""An abbreviated journal before its number, after a title of one word: `Moreau, P. Tides.`"""
_COLLABORATION = re.compile(
    r",?\s{0,2}[\[(](?P<name>[^\[\]()]{2,80}\s(?:Collaboration|Group|Consortium|Team))[\])]"
)
_DIGIT = re.compile(r"\d")
_ONLY_INITIALS = re.compile(
    rf"{_INITIALS}(?:\s(?![A-Z]){_PARTICLE}){{0,2}}|{_UPPER}{{1,3}}|[\u2e80-\u9fff\uac00-\ud7a3]\.?"
)
_COMMA = re.compile(r",\s")
_EDGES = " .,:;&"
_MAX_LIST = 6_000
"""Characters of a list of authors at most, if their names are given in full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorList:
    """The authors, where the list ends, and how its names are written."""

    span: Span
    authors: tuple[Author, ...] = field(default=())
    truncated: bool = False
    has_initials: bool = False
    initials_first: bool = False
    semicolons: bool = False
    is_complete: bool = False
    """Whether `and` stands before the last author."""


def read_authors(text: str, start: int, limit: int | None = None) -> AuthorList | None:
    """The list of authors that begins at `start`; None if there are no names.

    `limit` is where the list must end, if what follows it is known.
    """
    lists = [names for form in _FORMS if (names := _read_form(text, start, form))]
    best = max(lists, key=lambda names: names.span[1], default=None)
    if limit is not None:
        is_whole = best is not None and not text[best.span[1] : limit].strip(_EDGES)
        return best if is_whole else _read_segment(text, (start, limit)) or best
    if best is None or (not best.truncated and _continues_as_full_name(text, best.span[1])):
        return _read_segment(text, (start, _end_of_sentence(text, start))) or best
    goes_on = not best.is_complete and _COMMA.match(text, best.span[1]) is not None
    return _with_full_names(text, best) if goes_on else best


def _with_full_names(text: str, best: AuthorList) -> AuthorList:
    """The list with names in full after those with initials, if its sentence has only names."""
    end = _end_of_sentence(text, best.span[0])
    if text[end - 1 : end] != "." or not text[end:].strip() or _VOLUME_AFTER_NAME.match(text, end):
        return best
    if is_abbreviation(text[best.span[1] : end - 1].rpartition(" ")[2]):
        return best
    longer = _read_segment(text, (best.span[0], end))
    if longer is None or len(longer.authors) <= len(best.authors):
        return best
    are_persons = all(author.family and author.given for author in longer.authors)
    is_same = (best.authors[0].family or "").endswith(longer.authors[0].family or "")
    return longer if are_persons and is_same and not longer.truncated else best


def begins_with_name(line: str) -> bool:
    """Whether a line begins with the name of an author, as the first line of a reference does."""
    head = line[:200]
    return any(form.match(head) for form in _FORMS) or _NAME_LIST.match(head) is not None


def _read_form(text: str, start: int, form: re.Pattern[str]) -> AuthorList | None:
    """A list whose names all have the same form, with initials."""
    authors: list[Author] = []
    position, truncated, semicolons, is_last = start, False, False, False
    end = start
    while len(authors) < MAX_AUTHORS and (
        item := form.match(text, position) or _other_form(text, position, form, authors)
    ):
        if authors and _is_journal(text, item):
            break
        authors.append(person(item["family"], item["given"], item["suffix"] or ""))
        end = item.end()
        if others := _ET_AL.match(text, end):
            end, truncated = others.end(), True
            break
        separator = _SEPARATOR.match(text, end)
        if separator is None or (is_last and not _LAST.search(separator[0])):
            break
        is_last = is_last or _LAST.search(separator[0]) is not None
        semicolons = semicolons or ";" in separator[0]
        truncated = truncated or separator["gap"] is not None
        position = separator.end()
    if not authors or (form is _INITIALS_LAST and _continues(text, end)):
        return None
    if group := _COLLABORATION.match(text, end):
        authors.append(organisation(group["name"]))
        end = group.end()
    return AuthorList(
        span=(start, _past_editors(text, end)),
        authors=tuple(authors),
        truncated=truncated,
        has_initials=True,
        initials_first=form is _INITIALS_FIRST,
        semicolons=semicolons,
        is_complete=is_last,
    )


def _is_journal(text: str, item: re.Match[str]) -> bool:
    """Whether what looks like a name is a journal: `Z. Phys. 3, 5`, `J. Soc. Policy`."""
    if _VOLUME_AFTER_NAME.match(text, item.end()):
        return True
    return text.startswith(". ", item.end()) and is_abbreviation(item["family"])


def _continues(text: str, end: int) -> bool:
    """Whether a list goes on with a name in another form, so that it was misread."""
    separator = _SEPARATOR.match(text, end)
    return separator is not None and text[separator.end() : separator.end() + 1].isalpha()


def _other_form(
    text: str, position: int, form: re.Pattern[str], authors: list[Author]
) -> re.Match[str] | None:
    """A name in reading order after inverted ones: `Civin, P., and B. Yood`; or one in Chinese."""
    if not authors:
        return None
    is_mixed = form is _INVERTED
    in_order = _INITIALS_FIRST.match(text, position) if is_mixed else None
    return in_order or _IDEOGRAPHIC_NAME.match(text, position)


def _past_editors(text: str, end: int) -> int:
    editors = _EDITORS.match(text, end)
    return editors.end() if editors else end


def _continues_as_full_name(text: str, end: int) -> bool:
    """Whether a given name follows an initial: `Molina, D. Kimberley, Neerman, Michael F.`."""
    if _MORE_INITIALS.match(text, end):
        return True
    given = _CONTINUATION.match(text, end) if text[end - 1 : end] == "." else None
    return given is not None and not _JOURNAL_AND_NUMBER.match(text, given.end())


def _read_segment(text: str, span: Span) -> AuthorList | None:
    """A list of names in full, or in several forms, that takes up a whole segment."""
    segment = html.unescape(text[slice(*span)]).strip(_EDGES)
    others = _ET_AL.search(segment)
    segment = segment[: others.start()].rstrip(_EDGES) if others else segment
    if editors := _EDITORS.search(segment):
        segment = segment[: editors.start()]
    names = tuple(_names_in(segment))
    comma = text.rfind(",", *span)
    if len(names) > 1 and comma > 0 and _is_first_of_journal(names[-1], text[span[1] - 1]):
        names, span = names[:-1], (span[0], comma)
    if not names or not all(map(_is_name, names)):
        return None
    return AuthorList(
        span=span,
        authors=tuple(author_from_text(name) for name in names[:MAX_AUTHORS]),
        truncated=others is not None,
        semicolons=";" in segment,
    )


def _is_first_of_journal(name: str, following: str) -> bool:
    """Whether the last name of a list begins a journal: `ATLAS Collaboration, Phys. Lett. B`."""
    return following == "." and is_abbreviation(name)


def _end_of_sentence(text: str, start: int) -> int:
    limit = min(len(text), start + _MAX_LIST)
    stop = _YEAR_OR_QUOTE.search(text, start, limit)
    limit = stop.start() if stop else limit
    for index in range(start, limit):
        if text[index] == ":" and text[index + 1 : index + 2] == " ":
            return index
        if text[index] == "." and _ends_names(text, start, index):
            return index + 1
    return limit


def _ends_names(text: str, start: int, index: int) -> bool:
    if is_boundary_after_name(text, index):
        return True
    # After an initial: a name goes on with one or two words and a comma, a title with more.
    if text[index + 1 : index + 2] == ".":
        return True
    following = re.match(r"\s([^.,;:]{1,200})", text[index + 1 : index + 202])
    if following is None or "," not in text[start:index]:
        return False
    words = following[1].split()
    return len(words) > 3 and any(word[:1].islower() for word in words)


def _names_in(segment: str) -> Iterator[str]:
    """The names of a list: `Family, Given` in pairs, or the first inverted and the others not."""
    # A slash divides names in German style: `Berg, Ann/Lee, Bo`.
    if mark := next((one for one in ";/" if one in segment), None):
        yield from (part.strip(" ,&") for part in segment.split(mark) if part.strip(" ,&"))
        return
    sides = [side.strip(" ,") for side in _sides(segment) if side.strip(" ,")]
    if len(sides) > 1 and sides[-1].count(",") == 1 and all(side.count(",") % 2 for side in sides):
        # The last name is inverted, so that all others are.
        chunks = [chunk.strip() for side in sides for chunk in side.split(",")]
        yield from (", ".join(pair) for pair in zip(chunks[::2], chunks[1::2], strict=True))
        return
    chunks = [chunk.strip() for side in sides for chunk in side.split(",") if chunk.strip()]
    is_inverted = "," in sides[0] if sides else False
    yield from _paired(chunks, has_and=len(sides) > 1, is_inverted=is_inverted)


def _sides(segment: str) -> list[str]:
    """The parts of a list between its "and"s.

    Beside another "and", and in a family name before its given name, `y` and `e` are none.
    """
    sides = _AND_WORD.split(segment)
    if len(sides) > 1:
        return sides
    compound = _COMPOUND.match(segment)
    start = compound.end() if compound else 0
    first, *rest = _AND_OR_CONNECTOR.split(segment[start:])
    return [segment[:start] + first, *rest]


def _paired(chunks: list[str], *, has_and: bool, is_inverted: bool) -> Iterator[str]:
    """Names from the parts between commas."""
    if _are_surnames(chunks):
        yield from chunks
        return
    in_pairs = _are_pairs(chunks, has_and=has_and)
    index = 0
    while index < len(chunks):
        following = chunks[index + 1] if index + 1 < len(chunks) else ""
        is_first = index == 0 and is_inverted and _is_first_inverted(chunks)
        if following and (in_pairs or is_first or _ONLY_INITIALS.fullmatch(following)):
            yield f"{chunks[index]}, {following}"
            index += 2
        else:
            yield chunks[index]
            index += 1


def _are_surnames(chunks: list[str]) -> bool:
    """Whether every name is a surname alone: an odd number of words, and no initials."""
    is_odd = len(chunks) > 2 and len(chunks) % 2 == 1
    return is_odd and all(_is_single(one) and not _ONLY_INITIALS.fullmatch(one) for one in chunks)


def _are_pairs(chunks: list[str], *, has_and: bool) -> bool:
    """Whether every name is `Family, Given`, as nothing but commas separates them."""
    if has_and or len(chunks) % 2:
        return False
    families, given = chunks[::2], chunks[1::2]
    most = max(sum(map(_is_single, families)), sum(map(_is_single, given)))
    return 2 * most >= len(families)


def _is_first_inverted(chunks: list[str]) -> bool:
    """Whether the first name alone is `Family, Given`, as in MLA and Chicago."""
    return len(chunks) > 1 and (_is_single(chunks[0]) or _is_single(chunks[1]))


def _is_single(chunk: str) -> bool:
    # Chinese, Japanese and Korean names have no space, so one part is a whole name.
    return " " not in _without_particles(chunk) and chunk[0] < "\u2e80"


def _without_particles(chunk: str) -> str:
    words = chunk.split()
    return " ".join(
        word for at, word in enumerate(words) if word[0].isupper() or not _is_inner(words, at)
    )


def _is_inner(words: list[str], at: int) -> bool:
    """Whether a word belongs to a particle, or joins two family names."""
    return words[at].casefold() in CONNECTORS or is_particle_before(words, at)


def is_full_name(text: str) -> bool:
    """Whether a text is the full name of a person or of a collaboration: two to six words."""
    return 2 <= len(text.split()) <= 6 and _is_name(text) and ":" not in text


def _is_name(name: str) -> bool:
    """Whether a text may be the name of a person or an organisation."""
    if len(name) > 120 or len(name.split()) > 9 or _DIGIT.search(name):
        return False
    if not any(character.isalpha() for character in name):
        return False
    words = name.split()
    small = (at for at, word in enumerate(words) if _LOWER_WORD.search(word))
    return not [
        at
        for at in small
        if not (
            words[at] in _SMALL_WORDS or has_joined_particle(words[at]) or _is_inner(words, at)
        )
    ]
