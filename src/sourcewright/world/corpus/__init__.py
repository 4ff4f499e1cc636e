"""The corpus of invented works, from which every simulated site builds its own records."""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from threading import Lock
from urllib.parse import urlsplit

from sourcewright.world.corpus.citation_graph import references
from sourcewright.world.corpus.descriptions import ARTICLES, invent
from sourcewright.world.corpus.expansion import Spec, Stock, make, read_table
from sourcewright.world.corpus.ids import merged_id, numbers
from sourcewright.world.corpus.works import Work

__all__ = ["Corpus", "Document", "Work", "build", "load", "rank", "words"]

Highlight = tuple[str, str, str]
_BUILDING = Lock()
_ABSENT: Highlight = (
    "a DOI nobody registered",
    "10.5555/never-registered-2019",
    "does not exist, said by doi.org, Crossref and DataCite alike",
)


@dataclass(frozen=True, slots=True)
class Document:
    """The document at a URL: a work, and the form in which it is served."""

    work: Work
    serves: str


class Corpus:
    """All works, with the indexes by which sites look them up."""

    def __init__(self, works: Iterable[Work], highlights: Iterable[Highlight]) -> None:
        self.works = tuple(works)
        self._highlights = [*highlights, _ABSENT]
        self._by_doi = {work.key: work for work in self.works}
        self._by_arxiv = {
            work.manuscript.id: work for work in self.works if work.manuscript is not None
        }
        self._by_number = {number: work for work in self.works for number in numbers(work)}
        self._merged = {merged_id(work): work for work in self.works}
        self._documents = dict(_documents(self.works))
        self._references: dict[str, tuple[str, ...]] = {}

    def by_doi(self, doi: str) -> Work | None:
        return self._by_doi.get(doi.lower())

    def by_arxiv(self, identifier: str) -> Work | None:
        """By an arXiv id without its version."""
        return self._by_arxiv.get(identifier)

    def by_number(self, number: str) -> Work | None:
        """By the id of any catalogue: OpenAlex, Semantic Scholar, PubMed, PMC."""
        return self._by_number.get(number)

    def by_merged_number(self, number: str) -> Work | None:
        """The work to which OpenAlex redirects the id of a merged duplicate."""
        return self._merged.get(number) if number else None

    def references(self, work: Work) -> tuple[str, ...]:
        """The OpenAlex ids of the works that a work cites."""
        if work.key not in self._references:
            self._references[work.key] = references(work, self.works)
        return self._references[work.key]

    def cites(self, work: Work) -> tuple[Work, ...]:
        """The cited works that are still in the corpus."""
        return self._cited.get(work.key, ())

    def cited_by(self, work: Work) -> tuple[Work, ...]:
        """The works that cite a work, in the order of the corpus."""
        return self._citing.get(work.key, ())

    @cached_property
    def _cited(self) -> Mapping[str, tuple[Work, ...]]:
        cited: dict[str, tuple[Work, ...]] = {}
        for work in self.works:
            ids = self.references(work)
            works = (self._by_number.get(one) or self._merged.get(one) for one in ids)
            cited[work.key] = tuple(one for one in works if one is not None)
        return cited

    @cached_property
    def _citing(self) -> Mapping[str, tuple[Work, ...]]:
        citing: dict[str, list[Work]] = {}
        for work in self.works:
            for cited in self._cited[work.key]:
                citing.setdefault(cited.key, []).append(work)
        return {key: tuple(works) for key, works in citing.items()}

    def document(self, host: str, path: str) -> Document | None:
        return self._documents.get((host, path))

    def of_agency(self, agency: str) -> list[Work]:
        return [work for work in self.works if work.agency == agency]

    def agencies(self) -> Mapping[str, str]:
        """The registration agency of each prefix."""
        return {work.key.partition("/")[0]: work.agency for work in self.works}

    def highlights(self) -> list[Highlight]:
        """References to try: a label, the reference, and the expected result."""
        return list(self._highlights)


def load() -> Corpus:
    """The corpus, built on first use and then kept."""
    # A hundred first requests at once would otherwise build it a hundred times.
    with _BUILDING:
        return _built()


@cache
def _built() -> Corpus:
    return build()


def build(articles: int = ARTICLES) -> Corpus:
    """A corpus with this many journal articles besides the works of the tables."""
    stock = Stock.load()
    special: list[Spec] = [
        spec for table in ("special", "downloads") for spec in read_table(f"{table}.toml")["works"]
    ]
    specs = [*special, *invent(stock, articles)]
    works = [work for spec in specs for work in make(spec, stock)]
    return Corpus(works, [highlight for spec in special for highlight in _highlights(spec)])


def _highlights(spec: Spec) -> Iterable[Highlight]:
    for described in (spec, *spec.get("notices", ())):
        if "highlight" in described:
            label, expectation = described["highlight"]
            yield label, described.get("ref", described["doi"]), expectation


def _documents(works: Iterable[Work]) -> Iterable[tuple[tuple[str, str], Document]]:
    for work in works:
        yield _place(work.landing), Document(work, "landing")
        for location in (*work.locations, *work.elsewhere):
            yield _place(location.landing), Document(work, "landing")
            if location.serves != "landing":
                yield _place(location.url), Document(work, location.serves)
        yield from ((_place(url), Document(work, "paper")) for url in _elsewhere(work))


def _elsewhere(work: Work) -> Iterable[str]:
    """URLs that only one archive lists, and every version on a preprint server."""
    yield from (link for _, link in work.known_to if link.startswith("https://"))
    if work.type == "posted-content":
        for number in range(1, work.revisions + 1):
            yield f"https://{work.journal.host}/content/{work.key}v{number}.full.pdf"


def _place(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.netloc, parts.path


@lru_cache(maxsize=4096)
def words(text: str) -> frozenset[str]:
    """The words of a text as a search engine compares them: without case and accents."""
    flat = unicodedata.normalize("NFKD", text).casefold()
    letters = (c if c.isalnum() else " " for c in flat if not unicodedata.combining(c))
    return frozenset("".join(letters).split())


def rank(works: Iterable[Work], query: str) -> list[tuple[Work, float]]:
    """Works that share a word with the query, best first."""
    query_words = words(query)
    scored = [
        (work, len(query_words & _haystack(work)) / max(len(query_words), 1)) for work in works
    ]
    hits = [(work, score) for work, score in scored if score > 0]
    return sorted(hits, key=lambda hit: -hit[1])


@lru_cache(maxsize=4096)
def _haystack(work: Work) -> frozenset[str]:
    names = " ".join(author.full_name for author in work.authors[:50])
    return words(f"{work.plain_title} {work.subtitle} {names} {work.doi}")
