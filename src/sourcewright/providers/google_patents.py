"""Google Patents: the public detail page of a publication.

Docs: https://support.google.com/faqs/answer/7049475
Silent on: whether a number exists; it has no search that may be used without a browser.
"""

from collections.abc import Iterator, Sequence

from sourcewright.base.formats.json_values import abstract_of, require_value, text_of, url_of
from sourcewright.base.text.dates import date_of
from sourcewright.domain.records.assignees import clean_name
from sourcewright.domain.records.patent_numbers import parse_patent_number, patent_page
from sourcewright.domain.records.patents import Patent
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit
from sourcewright.reading.html.tags import Tag, tags


class GooglePatents(Provider):
    """Reads the detail page of one publication."""

    info = ProviderInfo(
        name="google_patents",
        title="Google Patents",
        home="https://patents.google.com",
        base_url="https://patents.google.com",
        rate=RateLimit(starts=2, per_seconds=1.0, at_once=2),
        allowed_hosts=("patents.google.com",),
    )

    async def describe_patent(self, number: str) -> Patent:
        return await self.upstream.search(
            f"/patent/{number}/en", read=lambda page: read_page(page, number), parse=_tags
        )


def _tags(body: bytes) -> tuple[Tag, ...]:
    return tuple(tags(body))


def read_page(page: Sequence[Tag], number: str) -> Patent:
    """The patent on a page.

    Raises:
        ValueError: It is not the page of this publication.
    """
    metas = [tag.attributes for tag in page if tag.name == "meta"]
    numbers = [_number(one.get("content", "")) for one in metas if _is_number(one.get("name", ""))]
    # The metadata of a granted US patent have no kind; the first number in the text is the page's.
    numbers.insert(0, next(_texts(page, ("publicationNumber",)), ""))
    requested = parse_patent_number(number)
    own = next((one for one in map(parse_patent_number, numbers) if one), None)
    if own is None or requested is None or not own.is_same(requested):
        raise ValueError(f"not the page of {number}")
    assignee = next(_texts(page, ("assigneeCurrent", "assigneeOriginal")), None)
    assignee = assignee or _meta(metas, "dc.contributor", "assignee")
    return Patent(
        number=str(own if own.kind else requested),
        title=require_value(_meta(metas, "dc.title"), "title"),
        url=patent_page(str(own if own.kind else requested)),
        abstract=abstract_of(_meta(metas, "dc.description")),
        assignee=clean_name(assignee) if assignee else None,
        inventor=_meta(metas, "dc.contributor", "inventor"),
        filed=next(_times(page, "filingDate"), None) or _day(metas, "dateSubmitted"),
        granted=_grant(page) or (_day(metas, "issue") if own.is_grant else None),
        published=next(_times(page, "publicationDate"), None),
        priority=next(_times(page, "priorityDate"), None),
        pdf=url_of(_meta(metas, "citation_pdf_url")),
    )


def _is_number(name: str) -> bool:
    return name in ("citation_patent_publication_number", "citation_patent_number")


def _number(content: str) -> str:
    return content.replace(":", "")


def _meta(
    metas: Sequence[dict[str, str]] | Sequence[object], name: str, scheme: str = ""
) -> str | None:
    values = (
        text_of(one.get("content"))
        for one in metas
        if isinstance(one, dict)
        and one.get("name", "").lower() == name
        and (not scheme or one.get("scheme") == scheme)
    )
    return next(filter(None, values), None)


def _day(metas: Sequence[object], scheme: str) -> str | None:
    return date_of(_meta(metas, "dc.date", scheme))


def _texts(page: Sequence[Tag], names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        for tag in page:
            text = text_of(tag.text) if tag.attributes.get("itemprop") == name else None
            if text:
                yield text


def _times(page: Sequence[Tag], name: str) -> Iterator[str]:
    for tag in page:
        if tag.name == "time" and tag.attributes.get("itemprop") == name:
            date = date_of(tag.attributes.get("datetime"))
            if date:
                yield date


def _grant(page: Sequence[Tag]) -> str | None:
    """The date of the event by which the patent was granted."""
    date = None
    for tag in page:
        if tag.name == "time" and tag.attributes.get("itemprop") == "date":
            date = date_of(tag.attributes.get("datetime"))
        if tag.attributes.get("itemprop") == "type" and tag.text.strip().lower() == "granted":
            return date
    return None
