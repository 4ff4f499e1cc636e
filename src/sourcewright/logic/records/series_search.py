"""Search for series by words of their titles, in a catalogue that is kept as text."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from sourcewright.domain.economy import Catalogue, Series
from sourcewright.logic.formats.codec import Undecodable
from sourcewright.logic.text.unicode import fold_text

_FIELDS: Final = (
    "series_id",
    "title",
    "units",
    "frequency",
    "last_updated",
    "notes",
    "url",
    "data_from",
    "data_to",
)
_SEPARATORS: Final = re.compile(r"[\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")


def query_words(text: str) -> tuple[str, ...]:
    """The words of a query, folded; whatever is no letter or digit separates them."""
    return tuple(dict.fromkeys(fold_text(text).split()))


class CatalogueText:
    """A catalogue as lines of text: ten thousand of them are searched in a few milliseconds."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines

    def __len__(self) -> int:
        return len(self.lines)

    @classmethod
    def of(cls, catalogue: Catalogue) -> "CatalogueText":
        return cls([_line(series) for series in catalogue.series])

    def search(self, text: str) -> tuple[Series, ...]:
        """The series whose title has every word of the query, or whose id it is; best first."""
        words, exact = query_words(text), f"\t{text.strip().lower()}\t"
        found = []
        for line in self.lines:
            title, _, rest = line.partition("\t")
            if (words and all(word in title for word in words)) or (
                exact in line.lower() and rest.lower().startswith(exact[1:])
            ):
                found.append(_series(rest))
        return rank_series(found, text)


class CatalogueCodec:
    """Stores a catalogue in the cache."""

    def encode(self, value: CatalogueText) -> bytes:
        return "\n".join(value.lines).encode()

    def decode(self, data: bytes) -> CatalogueText:
        try:
            lines = data.decode().split("\n")
        except ValueError as error:
            raise Undecodable("not a catalogue") from error
        if any(line.count("\t") != len(_FIELDS) for line in (lines[0], lines[-1])):
            raise Undecodable("not a catalogue")
        return CatalogueText(lines)


def rank_series(series: Iterable[Series], text: str) -> tuple[Series, ...]:
    """Series by how well their title fits, then by popularity, then by the length of the title."""
    words, exact = query_words(text), text.strip().casefold()
    phrase = f" {' '.join(words)} "

    def place(one: Series) -> tuple[bool, int, bool, bool, int, int]:
        title = fold_text(one.title)
        return (
            one.series_id.casefold() != exact,
            sum(word not in title for word in words),
            phrase not in f" {title} ",
            not {*words} <= {*title.split()},
            -(one.popularity or 0),
            len(title),
        )

    return tuple(sorted(series, key=place))


def _line(series: Series) -> str:
    values = (getattr(series, name) or "" for name in _FIELDS)
    cells = [_SEPARATORS.sub(" ", value) for value in values]
    return "\t".join((_SEPARATORS.sub(" ", fold_text(series.title)), *cells))


def _series(cells: str) -> Series:
    pairs = zip(_FIELDS, cells.split("\t"), strict=True)
    values: dict[str, Any] = {name: value or None for name, value in pairs}
    return Series(**values)
