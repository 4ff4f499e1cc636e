"""Expands a short description of a work into a complete one: journal, dates, copies, notices."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from random import Random
from typing import Any

from sourcewright.world.corpus.works import (
    Author,
    Journal,
    Location,
    Manuscript,
    Update,
    Work,
)

Spec = Mapping[str, Any]

LABELS = {
    "retraction": "Retraction",
    "partial_retraction": "Partial retraction",
    "withdrawal": "Withdrawal",
    "removal": "Removal",
    "expression_of_concern": "Expression of concern",
    "correction": "Correction",
    "corrigendum": "Corrigendum",
    "erratum": "Erratum",
    "new_version": "New version",
}
ARXIV_PREFIX = "10.48550/arxiv."
REPOSITORY = "repository.meridian.example"
MIRRORED_BEFORE = 2021


def read_table(name: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / name).read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Stock:
    """The tables from which works are built."""

    journals: Mapping[str, Journal]
    people: tuple[str, ...]
    organisations: tuple[str, ...]
    affiliations: tuple[str, ...]
    topics: Mapping[str, list[str]]
    prose: Mapping[str, list[str]]

    @classmethod
    def load(cls) -> "Stock":
        tables = read_table("tables.toml")
        journals = [
            Journal(**{**row, "issn": tuple(row.get("issn", ()))}) for row in tables["journals"]
        ]
        people = tables["people"]
        return cls(
            journals={journal.key: journal for journal in journals},
            people=tuple(people["names"]),
            organisations=tuple(people["organisations"]),
            affiliations=tuple(people["affiliations"]),
            topics=tables["topics"],
            prose=tables["prose"],
        )


def make(spec: Spec, stock: Stock) -> Iterator[Work]:
    """The described work, and the notices published about it."""
    work = _work(spec, stock)
    yield work
    for notice in spec.get("notices", ()):
        yield _notice(notice, work)


def _work(spec: Spec, stock: Stock) -> Work:
    # Each work has its own randomness, so that adding one changes no other.
    luck = Random(f"sourcewright:{spec['doi']}")
    journal = stock.journals[spec["journal"]]
    prefix = spec["doi"].partition("/")[0]
    work = Work(
        doi=spec["doi"],
        agency=spec.get("agency", "datacite" if prefix == "10.48550" else "crossref"),
        type=spec.get("type", "Preprint" if journal.key == "arxiv" else "journal-article"),
        title=spec["title"],
        subtitle=spec.get("subtitle", ""),
        authors=tuple(_authors(spec, stock, luck)),
        date=tuple(spec["date"]),
        date_field=luck.choice(("published-print", "published-online")),
        journal=journal,
        oa=spec.get("oa", journal.oa),
        abstract=abstract(stock, luck) if spec.get("abstract", True) else "",
        preprint=spec.get("preprint", ""),
        published_as=spec.get("published_as", ""),
        known_to=tuple(spec.get("known_to", {}).items()),
        handle_url=spec.get("handle_url", True),
        updated_by=tuple(_updates(spec)),
    )
    work = replace(work, mirrored=spec.get("mirrored", _mirrored(work)))
    return _placed(_self_updated(_numbered(work, spec, luck), spec), spec)


def _mirrored(work: Work) -> str:
    """Mirrors have the works published before their collection ended, and no preprints."""
    taken_in = work.agency == "crossref" and work.type != "posted-content"
    return "embed" if taken_in and work.year and work.year < MIRRORED_BEFORE else ""


def _authors(spec: Spec, stock: Stock, luck: Random) -> Iterator[Author]:
    for number, text in enumerate(spec.get("authors", ())):
        if text.startswith("="):
            yield Author(name=text[1:])
        else:
            family, _, given = text.partition(", ")
            yield Author(
                given=given,
                family=family,
                orcid=_orcid(luck) if number % 2 == 0 else "",
                affiliation=luck.choice(stock.affiliations) if number % 3 == 0 else "",
            )
    for number in range(spec.get("crowd", 0)):
        family = luck.choice(stock.people).partition(", ")[0]
        yield Author(given=f"{chr(65 + number % 26)}. {number + 1}", family=family)


def _orcid(luck: Random) -> str:
    """A well-formed ORCID iD from a block that ORCID does not assign."""
    digits = f"0000000{luck.randrange(10**8):08d}"
    total = 0
    for digit in digits:
        total = (total + int(digit)) * 2
    check = (12 - total % 11) % 11
    digits += "X" if check == 10 else str(check)
    return "-".join(digits[at : at + 4] for at in range(0, 16, 4))


def abstract(stock: Stock, luck: Random) -> str:
    """Two or three paragraphs about something that does not exist."""
    names = {
        "thing": luck.choice(stock.topics["things"]),
        "place": luck.choice(stock.topics["places"]),
    }
    sentences = [luck.choice(stock.prose["openings"])]
    sentences += luck.sample(stock.prose["middles"], 3)
    sentences.append(luck.choice(stock.prose["closings"]))
    written = [
        sentence.format(**names, n=luck.randrange(12, 900), m=luck.randrange(3, 12))
        for sentence in sentences
    ]
    return " ".join(written[:2]) + "\n\n" + " ".join(written[2:])


def _numbered(work: Work, spec: Spec, luck: Random) -> Work:
    if not work.journal.issn:
        return work
    first = luck.randrange(1, 900)
    return replace(
        work,
        volume=spec.get("volume", str(luck.randrange(1, 60))),
        issue=spec.get("issue", str(luck.randrange(1, 12))),
        pages=spec.get("pages", f"{first}-{first + luck.randrange(4, 30)}"),
    )


def _updates(spec: Spec) -> Iterator[Update]:
    for notice in spec.get("notices", ()):
        if notice.get("listed", True):
            for source in notice.get("sources", ("publisher",)):
                yield _update(notice, notice["doi"], source)


def _update(notice: Spec, doi: str, source: str) -> Update:
    luck = Random(f"sourcewright:{notice['doi']}")
    return Update(
        doi=doi,
        kind=notice["kind"],
        label=LABELS[notice["kind"]],
        source=source,
        date=tuple(notice["date"]),
        record_id=str(luck.randrange(1000, 60000)) if source == "retraction-watch" else "",
    )


def _self_updated(work: Work, spec: Spec) -> Work:
    kind = spec.get("self_update")
    if not kind:
        return work
    update = Update(doi=work.doi, kind=kind, label=LABELS[kind], date=work.date)
    return replace(work, updated_by=(update,), update_to=(update,))


def _placed(work: Work, spec: Spec) -> Work:
    """The work with its URLs: the landing page of its DOI, and its copies."""
    landing = f"https://{work.journal.host}/invented/article/{work.slug}"
    manuscript = None
    if "arxiv" in spec:
        arxiv = spec["arxiv"]
        listed = {name: tuple(arxiv[name]) for name in ("versions", "categories")}
        manuscript = Manuscript(**{**arxiv, **listed})
        landing = f"https://arxiv.org/abs/{manuscript.id}"
    placed = replace(work, landing=landing, manuscript=manuscript)
    if work.agency != "crossref":
        return replace(placed, licence="cc-by-4.0")
    placed = replace(placed, elsewhere=tuple(_elsewhere(placed, spec)))
    locations = tuple(_locations(placed, spec))
    licences = [location.licence for location in locations if location.licence]
    return replace(placed, locations=locations, licence=licences[0] if licences else "")


def _locations(work: Work, spec: Spec) -> Iterator[Location]:
    serves = spec.get("serves", "paper")
    if work.type == "posted-content":
        yield _publisher_copy(work, serves, host_type="repository", version="submittedVersion")
    elif work.oa in {"gold", "hybrid", "bronze"}:
        yield _publisher_copy(work, serves)
    elif work.oa == "green":
        yield _repository_copy(work)
    if "also" in spec:
        yield _repository_copy(work)


def _elsewhere(work: Work, spec: Spec) -> Iterator[Location]:
    for source in spec.get("elsewhere", ()):
        yield Location(
            url=f"https://{REPOSITORY}/{source}/{work.slug}.pdf",
            landing=f"https://{REPOSITORY}/{source}/{work.slug}",
            host_type="repository",
            version="acceptedVersion",
            licence="cc-by",
            known_to=source,
        )


def _publisher_copy(
    work: Work, serves: str, *, host_type: str = "publisher", version: str = "publishedVersion"
) -> Location:
    return Location(
        url=f"https://{work.journal.host}/invented/pdf/{work.slug}.pdf",
        landing=work.landing,
        host_type=host_type,
        version=version,
        licence="" if work.oa == "bronze" else "cc-by",
        serves=serves,
    )


def _repository_copy(work: Work) -> Location:
    if work.preprint.lower().startswith(ARXIV_PREFIX):
        identifier = work.preprint[len(ARXIV_PREFIX) :]
        return Location(
            url=f"https://arxiv.org/pdf/{identifier}",
            landing=f"https://arxiv.org/abs/{identifier}",
            host_type="repository",
            version="submittedVersion",
        )
    return Location(
        url=f"https://{REPOSITORY}/bitstream/{work.slug}.pdf",
        landing=f"https://{REPOSITORY}/handle/{work.slug}",
        host_type="repository",
        version="acceptedVersion",
    )


def _notice(notice: Spec, work: Work) -> Work:
    sources = notice.get("sources", ("publisher",))
    record = Work(
        doi=notice["doi"],
        title=f"{LABELS[notice['kind']]}: {work.title}",
        authors=work.authors,
        date=tuple(notice["date"]),
        journal=work.journal,
        volume=work.volume,
        update_to=tuple(_update(notice, work.doi, source) for source in sources),
    )
    return replace(record, landing=f"https://{work.journal.host}/invented/article/{record.slug}")
