"""The numbers at the end of a citation string: year, volume, issue and pages, in any style."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sourcewright.references.model import Span

_YEAR = r"(?P<year>(?:1[5-9]|20)\d\d)[a-z]?"
_PAGE = r"(?:[A-Za-z]{0,3}\d{1,7}[A-Za-z]?|[ivxlc]{1,7}|[A-Z]{2}\d{1,6})"
_DASH = r"\s{0,2}(?:[-\u2010-\u2015\u2212]{1,2}|-{2,3})\s{0,2}"
_PAGES = rf"(?P<pages>{_PAGE}(?:{_DASH}{_PAGE})?(?:,\s\d{{1,5}}{_DASH}\d{{1,5}})?)(?![\w(])"
_ROMAN = r"(?=[CLXVI])(?:C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})(?![\w])"
_VOLUME = r"(?P<volume>[A-Z]{0,2}-?\d{1,5}[A-Za-z]?(?:[-\u2013/]\d{1,4}[A-Za-z]?)?|" + _ROMAN + ")"
_ISSUE = r"\(\s?(?:no\.?|iss(?:ue)?\.?|nr\.?|n\.?o?)?\s?(?P<issue>(?!(?:1[5-9]|20)\d\d\))[^()]{1,30}?)\s?\)"
_MONTH = r"(?:(?:\d{1,2}\s)?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Spring|Summer|Autumn|Fall|Winter)[a-z]{0,6}\.?(?:\s\d{1,2})?(?:[-\u2013/][A-Z][a-z]{2,8}\.?)?,?\s{0,2})"
_NUMBER_OR_MONTH = (
    r"(?P<issue>\d[\w\u2013/-]{0,12}|[A-Z][a-z]{2,8}\.?(?:[-\u2013/][A-Z][a-z]{2,8}\.?)?)"
)
_RANGE = rf"(?P<pages>\d{{1,6}}{_DASH}\d{{1,6}})"
_BEFORE = r"(?<![\w.\u2013-])"
_PAGES_ALONE = rf"(?<=,\s)(?P<pages>[A-Za-z]?\d{{1,6}}{_DASH}[A-Za-z]?\d{{1,6}})(?=\s?(?:[.,;]|$))"
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        # MLA 7: 28.5 (2017): 1197-1205
        rf"{_BEFORE}(?P<volume>\d{{1,5}})\.(?P<issue>[\w\u2013/-]{{1,12}})\s\({_MONTH}?{_YEAR}\)(?::\s?(?:{_PAGES}|n\.\spag))?",
        # Chicago notes: 28, no. 5 (May 2017): 1197-1205
        rf"{_BEFORE}{_VOLUME},?\s(?:[Nn]o|[Nn]r|[Ii]ss(?:ue)?|[Hh])\.?\s{_NUMBER_OR_MONTH}\s\({_MONTH}?{_YEAR}\)(?:[,:]\s{{0,2}}(?:pp?\.?\s?)?{_PAGES})?",
        # Fields in a fixed order: 2012. 33. 3. 227-230
        rf"(?<=\.\s){_YEAR}\.\s(?P<volume>[\w-]{{0,12}})\.\s(?P<issue>[^.]{{0,20}})\.\s{{0,2}}(?:{_PAGES})?",
        # Vancouver: 2018 Mar 1;7(2):e32822, and ACS: 2014, 51 (3), 1-12
        rf"{_BEFORE}{_YEAR}(?:\s[A-Z][a-z]{{2,8}}\.?(?:\s\d{{1,2}})?)?\s?[;,]\s{{0,2}}{_VOLUME}\s?(?:{_ISSUE})?\s?[:,]\s{{0,2}}{_PAGES}",
        # APA, Chicago: 12(3), 340-345
        rf"{_BEFORE}{_VOLUME}\s?,?\s?{_ISSUE}(?:\s?\({_MONTH}?{_YEAR}\))?\s{{0,2}}[,:;.]\s{{0,2}}(?:pp?\.?\s?)?{_PAGES}",
        # ACM: 12, 3 (2015), 340-345
        rf"{_BEFORE}(?P<volume>\d{{1,5}}),\s{_NUMBER_OR_MONTH}\s\({_MONTH}?{_YEAR}\),\s{_PAGES}",
        # AIP, Nature: 79, 321 (2018)
        rf"{_BEFORE}{_VOLUME}\s?(?:{_ISSUE})?\s?[,:]\s{{0,2}}(?:pp?\.?\s?)?(?:{_PAGES})?\s?,?\s?\(\s?{_MONTH}?{_YEAR}\s?\)",
        rf"{_BEFORE}{_VOLUME}\s?,\s{{0,2}}(?P<pages>{_PAGE})\s?\(\s?(?:{_YEAR}|[\w ]{{3,6}})\s?\)(?=\W{{0,9}}\w?\W{{0,9}}$)",
        # Elsevier: 26 (2015) 671
        rf"{_BEFORE}{_VOLUME}\s?(?:{_ISSUE})?\s?\({_MONTH}?{_YEAR}\)(?:[,:]?\s?(?:pp?\.?\s?)?{_PAGES})?",
        # Springer: 12:340-345
        rf"{_BEFORE}{_VOLUME}\s?(?:{_ISSUE})?:\s?{_PAGES}",
        # APA without pages: 12(3)
        rf"(?<=,\s)(?P<volume>\d{{1,5}})\s?{_ISSUE}(?=[.,]|$)",
        # APA without issue: 12, 340-345
        rf"(?<=[,.]\s){_VOLUME},\s{{0,2}}{_PAGES}(?=\s?(?:[.,;]|$))",
        rf"(?<=[^\W\d_.)]\s)(?P<volume>(?!(?:1[5-9]|20)\d\d,)\d{{1,5}}),\s{_PAGES}(?=[\s.;,]{{0,2000}}$)",
        # A page range after the year in brackets: (2010) 155-164, and before it: 219 (2010)
        rf"(?<=\s)\({_YEAR}\):?\s{_PAGES}(?=\s?(?:[.,;]|$))",
        rf"{_BEFORE}{_PAGES}\s?\({_YEAR}\)(?=\s?(?:[.,;]|$))",
        # Pages before the publisher: 2348-2359 (Harbour Press, 2021); after the year: 2026. 1641-51
        rf"(?<=\s){_RANGE}\s\([^()\d]{{3,100}},\s{_YEAR}\)",
        rf"{_BEFORE}{_YEAR}\.\s{_RANGE}(?=\s?(?:[.,;]|$))",
        # ACS without pages: 2018, 9, without a volume: 2005, 211-221
        rf"{_BEFORE}{_YEAR},\s(?P<volume>\d{{1,4}})(?=[\s.;,]{{0,2000}}$)",
        rf"{_BEFORE}{_YEAR},\s{_PAGES}(?=\s?(?:[.;]|$))",
        # APA with a volume only: Journal, 68
        r"(?<=,\s)(?P<volume>(?!(?:1[5-9]|20)\d\d)\d{1,4})(?=[\s.;,]{0,2000}$)",
        # APA: Journal, 162-172
        _PAGES_ALONE,
    )
)
_LABELLED = {
    "volume": re.compile(
        rf"(?<![\w])(?:[Vv]ol(?:ume|s)?\b\.?|Jg\.|Jahrgang|\u0422\.)\s{{0,2}}(?P<value>[A-Z]?\d{{1,5}}[A-Za-z]?|{_ROMAN})(?![\w:])"
    ),
    "issue": re.compile(
        r"(?<![\w])(?<!Art\.\s)(?<!Article\s)(?:(?:[Nn]o|[Nn]r|[Ii]ss(?:ue)?|[Nn]umber|[Nn]\u00famero|[Nn][u\u00fa]m|Heft|\u0412\u044b\u043f)\b\.?|[NnH][.\u00b0\u00ba]|\u2116)\s{0,2}(?P<value>\d[\w\u2013/-]{0,12})(?![\w])"
    ),
    "pages": re.compile(
        rf"(?<![\w])(?:[Pp]p?|[Pp]ages?|[Ss]eiten?|[S\u0421\u0441]|Art(?:icle)?\.?(?:\s(?:[Nn]o|[Nn]umber|ID)\.?)?)(?:\.\s{{0,2}}|\s{{1,2}}){_PAGES}"
    ),
}
_SHORT_VOLUME = re.compile(
    rf"(?<![\w])(?:[Vv]|[Bb]d|[Tt])\.\s{{0,2}}(?P<value>\d{{1,5}}[A-Za-z]?|{_ROMAN})(?![\w:]|\.\d)"
)
"""A volume in Portuguese, German or French, which is one only before labelled pages."""
_UNLABELLED = re.compile(_PAGES_ALONE)
_PLAIN_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_ANY_YEAR = re.compile(rf"(?<![\w./:\u2013-]){_MONTH}?{_YEAR}(?![\w/\u2013])(?!-\d)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """Year, volume, issue and pages with their positions, and where the first of them begins."""

    start: int
    """Where the numbers begin, which is where the venue ends."""
    end: int = 0
    values: Mapping[str, str] = field(default_factory=dict)
    spans: Mapping[str, Span] = field(default_factory=dict)

    @property
    def has_place(self) -> bool:
        """Whether there is a volume or pages, as for an article in a journal."""
        return bool({"volume", "pages"} & set(self.values))


def read_numbers(text: str, start: int, *, has_year: bool) -> Numbers:
    """The numbers in the text after `start`, without a year if that is elsewhere."""
    labelled = _labelled_numbers(text, start)
    numbers = labelled or _numbers_by_shape(text, start)
    if has_year:
        return _from_repeated_year(text, start, numbers or Numbers(start=len(text), end=len(text)))
    if numbers is not None and labelled is None:
        numbers = _with_year_as_volume(text, numbers)
    if numbers is None:
        year = _last_year(text, start)
        if year is None:
            return Numbers(start=len(text), end=len(text))
        return _numbers_of(year, ("year",))
    return _with_year(text, start, numbers)


def _from_repeated_year(text: str, start: int, numbers: Numbers) -> Numbers:
    """The numbers with a year before them that was already given after the authors."""
    year = _YEAR_BEFORE.search(text, start, numbers.start)
    return replace(numbers, start=year.start()) if year and numbers.values else numbers


_YEAR_BEFORE = re.compile(r"(?<=[.,]\s)(?:1[5-9]|20)\d\d[.,]\s{0,2}$")


def _with_year_as_volume(text: str, numbers: Numbers) -> Numbers:
    """The numbers with a year that has the place of a volume: `Harbour Press, 2019: 12-15`."""
    volume = numbers.values.get("volume", "")
    if not _PLAIN_YEAR.fullmatch(volume) or {"issue", "year"} & set(numbers.values):
        return numbers
    if _ANY_YEAR.search(text, numbers.end):
        return numbers
    names = {"volume": "year"}
    return replace(
        numbers,
        values={names.get(name, name): value for name, value in numbers.values.items()},
        spans={names.get(name, name): span for name, span in numbers.spans.items()},
    )


def _labelled_numbers(text: str, start: int) -> Numbers | None:
    """Numbers after `vol.`, `no.` and `pp.`, if there are any."""
    matches = {
        name: match
        for name, pattern in _LABELLED.items()
        if (match := _last(pattern, text, start)) is not None
    }
    if not {"volume", "pages"} & set(matches):
        return None
    if "volume" not in matches and (
        short := _last(_SHORT_VOLUME, text[: matches["pages"].start()], start)
    ):
        matches["volume"] = short
    if "pages" not in matches and (pages := _last(_UNLABELLED, text, matches["volume"].end())):
        matches["pages"] = pages
    groups = {name: "pages" if name == "pages" else "value" for name in matches}
    numbers = Numbers(
        start=min(match.start() for match in matches.values()),
        end=max(match.end() for match in matches.values()),
        values={name: match[groups[name]] for name, match in matches.items()},
        spans={name: match.span(groups[name]) for name, match in matches.items()},
    )
    return numbers if "volume" in matches else _with_volume_before(text, start, numbers)


def _with_volume_before(text: str, start: int, numbers: Numbers) -> Numbers:
    """Adds the shape of a volume before labelled pages: `12(3), pp. 1-9`, `45, pp. 1-9`."""
    before = _numbers_by_shape(text[: numbers.end].replace("pp.", "   "), start)
    if before and "volume" in before.values and before.end >= numbers.end - 1:
        return before
    shape = _VOLUME_AND_ISSUE.search(text, start, numbers.start)
    if shape is None:
        return numbers
    groups = {"volume": "volume", "issue": "number" if shape["number"] else "issue"}
    groups = {name: group for name, group in groups.items() if shape[group]}
    return Numbers(
        start=shape.start(),
        end=numbers.end,
        values={**numbers.values, **{name: shape[group] for name, group in groups.items()}},
        spans={**numbers.spans, **{name: shape.span(group) for name, group in groups.items()}},
    )


_VOLUME_AND_ISSUE = re.compile(
    rf"(?<=\s)(?P<volume>(?!(?:19|20)\d\d\b)\d{{1,4}})\s?(?:(?:{_ISSUE})?\s?(?:\((?:1[5-9]|20)\d\d\))?[,.:]?\s{{0,2}}"
    rf"|\((?P<number>\d[\w\u2013/-]{{0,12}})\),\s\(?(?:1[5-9]|20)\d\d\)?,?\s{{0,2}})$"
)
"""A volume before labelled pages: `12`, `12(3),`, `12 (1978),` or `12 (3), 1978,`."""


def _numbers_by_shape(text: str, start: int) -> Numbers | None:
    for pattern in _PATTERNS:
        match = _last(pattern, text, start)
        if match is not None:
            names = [name for name, value in match.groupdict().items() if value]
            if not _is_year_alone(text, start, match):
                return _numbers_of(match, tuple(names))
    return None


def _is_year_alone(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether a number that looks like a volume or page is the only year."""
    groups = {name: value for name, value in match.groupdict().items() if value}
    if "year" in groups:
        return False
    last = groups.get("pages") or groups.get("volume") or ""
    return bool(_PLAIN_YEAR.fullmatch(last)) and all(
        match.start() <= year.start() < match.end() for year in _ANY_YEAR.finditer(text, start)
    )


def _numbers_of(match: re.Match[str], names: tuple[str, ...]) -> Numbers:
    return Numbers(
        start=match.start(),
        end=match.end(),
        values={name: match[name].strip() for name in names if match[name].strip()},
        spans={name: match.span(name) for name in names},
    )


def _with_year(text: str, start: int, numbers: Numbers) -> Numbers:
    if "year" in numbers.values:
        return numbers
    year = _last_year(text, start, tuple(numbers.spans.values()))
    if year is None:
        return numbers
    return Numbers(
        start=_start_with_year(text, year, numbers.start),
        end=max(numbers.end, year.end()),
        values={**numbers.values, "year": year["year"]},
        spans={**numbers.spans, "year": year.span("year")},
    )


def _start_with_year(text: str, year: re.Match[str], start: int) -> int:
    """Where the numbers begin if the year is directly before them."""
    between = text[year.end() : start]
    return (
        year.start()
        if year.end() <= start and not between.strip(" ,;:.()[]-\u2013\u2014")
        else start
    )


def _last_year(text: str, start: int, taken: tuple[Span, ...] = ()) -> re.Match[str] | None:
    """The last year that is not part of another number."""
    last = None
    for match in _ANY_YEAR.finditer(text, start):
        if not any(begin <= match.start("year") < end for begin, end in taken):
            last = match
    return last


def _last(pattern: re.Pattern[str], text: str, start: int) -> re.Match[str] | None:
    last = None
    for match in pattern.finditer(text, start):
        last = match
    return last
