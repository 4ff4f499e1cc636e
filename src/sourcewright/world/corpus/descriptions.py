"""Generates descriptions of works, deterministically from a fixed seed."""

from collections.abc import Iterator
from random import Random
from typing import Any

from sourcewright.world.corpus.expansion import Spec, Stock

_SEED = "sourcewright world"
ARTICLES = 130
_MANUSCRIPTS = 20
_DEPOSITS = 16
_ELSEWHERE = 8
_VENUES = ("tides", "lakes", "clocks", "conference", "fog", "numbers")
_DECORATIONS = (
    "<i>{}</i>",
    "<jats:bold>{}</jats:bold>",
    "{} &amp; other waters",
    "{} at 10<sup>3</sup> K",
)
# Every so many articles one has a notice; the periods share no factor, so that they mix.
_NOTICE_EVERY = {
    17: "retraction",
    13: "correction",
    29: "expression_of_concern",
    31: "partial_retraction",
    37: "withdrawal",
    41: "erratum",
}


def invent(stock: Stock, articles: int = ARTICLES) -> Iterator[Spec]:
    """Descriptions for `making.make`."""
    inventor = _Inventor(stock)
    for number in range(1, articles + 1):
        yield from inventor.article(number)
    for number in range(1, _MANUSCRIPTS + 1):
        yield inventor.manuscript(number)
    for number in range(1, _DEPOSITS + 1):
        yield inventor.deposit(number)
    for number in range(1, _ELSEWHERE + 1):
        yield inventor.elsewhere(number)


class _Inventor:
    def __init__(self, stock: Stock) -> None:
        self._stock = stock
        self._luck = Random(_SEED)
        self._titles: set[str] = set()

    def article(self, number: int) -> Iterator[Spec]:
        """An article, preceded by its preprint if it has one."""
        venue = _VENUES[number % len(_VENUES)]
        date = self._date()
        prefix = self._stock.journals[venue].prefix
        spec: dict[str, Any] = {
            "doi": f"{prefix}/{venue}.{date[0]}.{number:04d}",
            "journal": venue,
            "title": self._decorated(number),
            "authors": self._people(number),
            "date": [] if number % 19 == 0 else date,
            "abstract": number % 5 != 0,
        }
        if venue == "conference":
            spec["type"] = "proceedings-article"
        if number % 7 == 0:
            yield self._preprint(spec, number)
        elif number % 10 == 3:
            yield self._manuscript_of(spec, number)
        spec["notices"] = self._notices(spec["doi"], date, number)
        yield spec

    def manuscript(self, number: int) -> Spec:
        date = self._date()
        stamp = f"{date[0] % 100:02d}{date[1]:02d}"
        identifier = (
            f"{stamp}.{99100 + number}" if date[0] >= 2015 else f"math/{stamp}{900 + number}"
        )
        return self._arxiv(identifier, date, self._title(), self._people(number))

    def deposit(self, number: int) -> Spec:
        date = self._date()
        return {
            "doi": f"10.99101/harbour.{date[0]}.{number:03d}",
            "journal": "harbour",
            "agency": "datacite",
            "type": ("Dataset", "Software", "Text", "Image")[number % 4],
            "title": f"Data for: {self._title()}",
            "authors": self._people(number),
            "date": date,
        }

    def elsewhere(self, number: int) -> Spec:
        """A work that neither Crossref nor DataCite has a record of."""
        venue, agency, prefix = (
            ("fiction", "jalc", "10.99201"),
            ("fantasia", "medra", "10.99202"),
        )[number % 2]
        date = self._date()
        return {
            "doi": f"{prefix}/{venue}.{date[0]}.{number:02d}",
            "journal": venue,
            "agency": agency,
            "title": self._title(),
            "authors": self._people(number),
            "date": date,
        }

    def _preprint(self, article: dict[str, Any], number: int) -> Spec:
        doi = f"10.99005/opendrift.{number:04d}"
        article["preprint"] = doi
        return {
            "doi": doi,
            "journal": "drift",
            "type": "posted-content",
            "title": article["title"],
            "authors": article["authors"],
            "date": self._date(),
            "published_as": article["doi"],
        }

    def _manuscript_of(self, article: dict[str, Any], number: int) -> Spec:
        date = [2015 + number % 9, 1 + number % 12, 1 + number % 28]
        identifier = f"{date[0] % 100:02d}{date[1]:02d}.{99500 + number}"
        spec = self._arxiv(identifier, date, article["title"], article["authors"])
        article["preprint"] = spec["doi"]
        return {**spec, "published_as": article["doi"]}

    def _arxiv(self, identifier: str, date: list[int], title: str, authors: list[str]) -> Spec:
        year, month, day = date
        last = self._luck.randrange(1, 4)
        versions = [f"{year + n}-{month:02d}-{day:02d}T12:{n:02d}:00Z" for n in range(last)]
        return {
            "doi": f"10.48550/arXiv.{identifier}",
            "journal": "arxiv",
            "title": title,
            "authors": authors,
            "date": date,
            "arxiv": {
                "id": identifier,
                "versions": versions,
                "categories": [self._luck.choice(("math.CO", "physics.ao-ph", "cs.DL"))],
            },
        }

    def _notices(self, doi: str, date: list[int], number: int) -> list[Spec]:
        return [
            {
                "doi": f"{doi}.n{every}",
                "kind": kind,
                "date": [date[0] + 1, date[1], date[2]],
                "sources": (["publisher"], ["retraction-watch"])[number % 2],
                "listed": number % 3 != 0,
            }
            for every, kind in _NOTICE_EVERY.items()
            if number % every == 0
        ]

    def _date(self) -> list[int]:
        luck = self._luck
        return [luck.randrange(1996, 2025), luck.randrange(1, 13), luck.randrange(1, 29)]

    def _people(self, number: int) -> list[str]:
        people = self._luck.sample(self._stock.people, self._luck.randrange(1, 7))
        if number % 23 == 0:
            people.append("=" + self._luck.choice(self._stock.organisations))
        return people

    def _decorated(self, number: int) -> str:
        title = self._title()
        return _DECORATIONS[number % 4].format(title) if number % 11 == 0 else title

    def _title(self) -> str:
        """A title that no other work has."""
        topics, choose = self._stock.topics, self._luck.choice
        while True:
            title = (
                f"{choose(topics['methods'])} {choose(topics['things'])} in "
                f"{choose(topics['places'])}{choose(topics['endings'])}"
            )
            if title not in self._titles:
                self._titles.add(title)
                return title
