"""Dates of a page: published, as declared or shown near the headline, and modified."""

import re
from collections.abc import Iterator
from functools import partial
from itertools import chain, islice
from urllib.parse import unquote, urlsplit

from sourcewright.logic.html.document import Node, first_elements
from sourcewright.logic.html.metadata.headline import TextLine
from sourcewright.logic.html.metadata.page_sources import (
    PageSources,
    first_contents,
    text_of,
)
from sourcewright.logic.text.dates import find_date

_PUBLISHED_TAG_LIST = (
    "article:published_time citation_publication_date citation_date citation_online_date "
    "datepublished date dc.date dc.date.issued dcterms.created dcterms.date pubdate publishdate "
    "publish-date publication_date parsely-pub-date sailthru.date og:article:published_time "
    "article.published cxenseparse:recs:publishtime og:published_time"
)
_PUBLISHED_TAGS = _PUBLISHED_TAG_LIST.split()
_OTHER_PUBLISHED_TAG = re.compile(
    r"(?:.{0,30}[._:-])?(?:publi(?:sh|shed|cation)|pub|release|issued?|posted|created?)"
    r"[._:-]?(?:date|time|at|on)(?:[._:-].{0,20})?"
    r"|(?:.{0,30}[._:-])?date[._:-]?(?:published|issued|posted|created)"
)
_MODIFIED_TAG_LIST = (
    "article:modified_time og:updated_time datemodified last-modified dcterms.modified "
    "dc.date.modified lastmod article:modified"
)
_MODIFIED_TAGS = _MODIFIED_TAG_LIST.split()
_PUBLISHED_PROPERTIES = frozenset(
    ("datePublished", "dateCreated", "published-date", "uploadDate", "pubdate", "dc:date")
)
_DATE_CLASS = re.compile(
    r"(?<![a-zA-Z])(?:date|published|pubdate|datetime|timestamp|posted|postdate|posted[_-]?on)(?![a-z])"
    r"|[a-z](?:Date|Published)(?![a-z])"
)
_MODIFIED_WORD = re.compile(
    r"updat|modif|revis|review|edited|accessed|aktualisiert|mis à jour|modifié|actualiz|atualiz"
    r"|aggiornat|bijgewerkt|uppdater|oppdater|opdater|zaktualiz|обновл|измен|更新|修改|최종|수정",
    re.IGNORECASE,
)
_OTHER_WORD = re.compile(
    r"joined|registered|member since|copyright|©|expire|deadline|until|begins?\b|starts?\b|ends?\b"
    r"|born\b|since\b|est\.|founded|version|release\b|due\b|sale|offer|event|valid",
    re.IGNORECASE,
)
_MAX_LINE = 80
_MAX_LETTERS, _MAX_SMALL_WORDS = 48, 5
"""Letters and words in lower case in a line with a date; a line with more is a sentence."""
_PATH_DATE = re.compile(
    r"(?<!\d)((?:19|20)\d\d)([/-])(0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])(?!\d)"
)
_PATH_COMPACT = re.compile(r"(?<!\d)(20[0-3]\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)")
_PATH_MONTH = re.compile(r"/((?:19|20)\d\d)/(0[1-9]|1[0-2])(?=/|$)")
_DAY_FIRST_REGIONS = frozenset(
    [
        "gb",
        "uk",
        "ie",
        "au",
        "nz",
        "za",
        "in",
        "sg",
        "my",
        "ke",
        "ng",
        "gh",
        "pk",
        "bd",
        "lk",
        "mt",
        "cy",
        "hk",
        "jm",
        "tt",
        "zm",
        "zw",
        "ug",
        "tz",
    ]
)


def published_date(sources: PageSources) -> str | None:
    """When the page was published; never when it was modified."""
    read = partial(find_date, day_first=_is_day_first(sources))
    declared = chain(
        sources.works.texts("datePublished", "dateCreated", "uploadDate"),
        first_contents(sources.metas, _PUBLISHED_TAGS),
        _other_tags(sources),
        map(_date_value, _property_elements(sources, _PUBLISHED_PROPERTIES)),
    )
    visible = (
        _near_headline(sources),
        iter([_date_in_path(sources.url)]),
        _elsewhere(sources),
        _month(sources),
    )
    values = chain(declared, *(() if sources.is_home_page else visible))
    return next((date for date in map(read, values) if date), None)


def modified_date(sources: PageSources) -> str | None:
    """When the page was last modified, as it declares."""
    declared = chain(
        sources.works.texts("dateModified"),
        first_contents(sources.metas, _MODIFIED_TAGS),
        map(_date_value, _property_elements(sources, frozenset(["dateModified"]))),
    )
    return next((date for date in map(find_date, declared) if date), None)


def _is_day_first(sources: PageSources) -> bool | None:
    """Whether 3/4/2020 is in April; None if neither language nor country decides it."""
    language, _, region = (sources.language or "").lower().partition("-")
    if language and language != "en":
        # In China, Japan, Korea, Hungary, Lithuania the year comes first: nothing is usual there.
        return None if language in ("zh", "ja", "ko", "hu", "lt", "sv", "fa") else True
    try:
        country = (urlsplit(sources.url).hostname or "").rpartition(".")[2]
    except ValueError:
        country = ""
    if region in _DAY_FIRST_REGIONS or country in _DAY_FIRST_REGIONS:
        return True
    return False if region == "us" and country not in _DAY_FIRST_REGIONS else None


def _other_tags(sources: PageSources) -> Iterator[str]:
    return (
        values[0]
        for name, values in sources.metas.items()
        if name not in _PUBLISHED_TAGS and _OTHER_PUBLISHED_TAG.fullmatch(name)
    )


def _property_elements(sources: PageSources, names: frozenset[str]) -> list[Node]:
    """The first elements that are marked up as such a date."""
    microdata = sources.marks.where("itemprop", names.__contains__)
    properties = sources.marks.where("property", lambda value: _local_name(value) in names)
    return first_elements([*microdata, *properties], 3)


def _local_name(name: str) -> str:
    return name.rpartition(":")[2]


def _near_headline(sources: PageSources) -> Iterator[str | None]:
    """Dates in the lines around the headline, but for those of a change or of something else."""
    lines = sources.surroundings.lines
    for at, line in enumerate(lines):
        label = lines[at - 1].text if at and len(lines[at - 1].text) < 30 else ""
        is_short = len(line.text) <= _MAX_LINE and not sources.is_named_aside(line.node)
        if is_short and not _is_other_date(f"{label} {line.text}", line.node):
            yield _line_date(line)


def _line_date(line: TextLine) -> str | None:
    """The date in a line that is hardly more than a date."""
    if value := _date_attribute(line.node):
        return value
    date = find_date(line.text)
    letters = sum(map(str.isalpha, line.text))
    small_words = sum(map(str.islower, line.text.split()))
    is_sentence = letters > _MAX_LETTERS or small_words > _MAX_SMALL_WORDS
    return None if date and is_sentence else line.text


def _is_other_date(text: str, node: Node) -> bool:
    names = f"{node.get('class') or ''} {_parent_class(node)}"
    return bool(_MODIFIED_WORD.search(text) or _OTHER_WORD.search(text)) or bool(
        _MODIFIED_WORD.search(names)
    )


def _parent_class(node: Node) -> str:
    parent = node.getparent()
    return (parent.get("class") or "") if parent is not None else ""


def _date_attribute(node: Node) -> str | None:
    """The date in an attribute of an element, where its text may be as vague as "last week"."""
    for place in islice((node, *node.iterancestors()), 3):
        for name, value in place.items():
            is_date = name in ("datetime", "title") or name.startswith(("data-", "aria-label"))
            if is_date and len(value) <= _MAX_LINE and find_date(value):
                return str(value)
    return None


def _elsewhere(sources: PageSources) -> Iterator[str | None]:
    """Dates of elements that are marked as times or dates, outside asides, cards and infoboxes."""
    all_times = islice(sources.root.iter("time"), 50)
    times = [node for node in all_times if not _is_other_time(sources, node)]
    marked = [node for node in times if "pubdate" in node.attrib]
    yield from (node.get("datetime") for node in [*marked[:3], *times[:3]])
    classed = sources.marks.where("class", _DATE_CLASS.search)
    near = (node for node in first_elements(classed, 20) if not _is_other_time(sources, node))
    yield from map(_short_text, islice(near, 5))
    yield from map(text_of, times[:5])


def _is_other_time(sources: PageSources, node: Node) -> bool:
    text = (text_of(node) or "")[:_MAX_LINE]
    return sources.is_aside(node) or _is_other_date(text, node)


def _short_text(node: Node) -> str | None:
    text = text_of(node) or ""
    return text if len(text) <= _MAX_LINE else None


def _date_value(node: Node) -> str | None:
    return node.get("datetime") or node.get("content") or text_of(node)


def _date_in_path(url: str) -> str | None:
    path = _path(url)
    match = _PATH_DATE.search(path)
    if match:
        return "-".join((match[1], match[3].zfill(2), match[4].zfill(2)))
    compact = _PATH_COMPACT.search(path)
    return "-".join(compact.groups()) if compact else None


def _month(sources: PageSources) -> Iterator[str]:
    match = _PATH_MONTH.search(_path(sources.url))
    if match:
        yield "-".join(match.groups())


def _path(url: str) -> str:
    try:
        return unquote(urlsplit(url).path[:1000])
    except ValueError:
        return ""
