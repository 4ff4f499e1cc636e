"""Use case of `verify_citation`: checks existence, fields, notices and link of one citation."""

import re
from dataclasses import dataclass, field, replace

from sourcewright.base.doi_prefix import DOI_PREFIX
from sourcewright.base.errors import InvalidInput, ResearchError
from sourcewright.base.identifiers import ArxivId, Doi, Pmcid, Pmid, parse_reference
from sourcewright.base.links import LinkCheck
from sourcewright.base.works import Notice
from sourcewright.domain.papers.integrity import WorkIntegrity
from sourcewright.domain.sources.detected_doi import detected_doi
from sourcewright.domain.web.claims import ClaimOutcome
from sourcewright.references.checks import CitationCheck, CitationStatus, InputType, TitleMatch
from sourcewright.references.comparison.beside_doi import (
    MIN_TITLE_WORDS,
    title_beside_doi,
    title_without_other_fields,
)
from sourcewright.references.comparison.check import check_citation
from sourcewright.references.comparison.string_check import check_string, linked_record
from sourcewright.references.comparison.titles import content_words
from sourcewright.references.model import Reference, UnreadableReference
from sourcewright.references.reader import read_references
from sourcewright.references.strings.reference import read_reference
from sourcewright.services.pages.link_check import LinkChecker
from sourcewright.services.pages.reader import PageReader
from sourcewright.services.trust.cases import CitationCase, case_of
from sourcewright.services.trust.claim_check import ClaimChecker
from sourcewright.services.trust.lookup import CitationLookup
from sourcewright.services.trust.notice_outcome import (
    notice_of,
    title_without_weight,
    with_notices,
)
from sourcewright.services.trust.questions import DOI_SYSTEM
from sourcewright.services.trust.source_urls import source_urls

_DOI = re.compile(DOI_PREFIX + r"/[^\s\"<>{}|\\^`]+", re.IGNORECASE)
_URL = re.compile(r"https?://\S+", re.IGNORECASE)
_URL_WITHOUT_SCHEME = re.compile(
    r"(?=www\.|[^\s/]+/)(?:[a-z0-9-]++\.)+[a-z]{2,}(?::[0-9]{1,5})?(?:[/?#]\S*)?", re.IGNORECASE
)
_DOI_URL = re.compile(r"https?://(?:dx\.|www\.)?doi\.org/", re.IGNORECASE)
_ENTRY = re.compile(r"\s*(?:@\w{1,40}\s{0,9}[{(]|TY {1,2}- |[\[{]\s*[\"{])")
_MAX_CASE = 1_000
_NO_RECORD = "has no record of the identifier"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenanceStep:
    """How one piece of evidence was obtained."""

    evidence: str
    source: str
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """The result for one citation."""

    citation: str
    input_type: InputType
    case: CitationCase
    check: CitationCheck
    title_match: TitleMatch = "not_checked"
    detected_doi: str | None = None
    link: LinkCheck | None = None
    claim: ClaimOutcome | None = None
    notice: Notice | None = None
    steps: tuple[ProvenanceStep, ...] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationVerifier:
    """Checks single citations."""

    lookup: CitationLookup
    links: LinkChecker
    reader: PageReader
    claims: ClaimChecker

    async def verify(self, citation: str, claim: str | None = None) -> Verification:
        """Check a DOI, a URL, a reference string or an entry of a bibliography."""
        text = citation.strip()
        if _URL_WITHOUT_SCHEME.fullmatch(text):
            verification = await self.verify(f"https://{text}", claim)
            return replace(verification, citation=text)
        reference = read_citation(text)
        if _URL.fullmatch(text) and not _DOI_URL.match(text):
            verification = await self._verify_url(text, reference)
        elif (case := _court_case(text)) is not None:
            verification = await self._verify_reference(text, case)
        elif (parsed := _parsed_string(text, reference)) is not None:
            verification = await self._verify_string(text, parsed)
        else:
            verification = await self._verify_reference(text, reference)
        return await self._with_claim(verification, claim) if claim else verification

    async def _verify_reference(self, text: str, reference: Reference) -> Verification:
        case = (await self.lookup.collect([reference]))[0]
        kind: InputType = "doi" if reference.doi or _DOI.search(text) else "reference"
        check, title = case.check, reference.title
        if title and case.descriptions and not _ENTRY.match(text):
            title = title_without_other_fields(title, case.descriptions[0])
            check = check_citation(replace(case.reference, title=title), case.evidence)
        return _verification(text, kind, case, check, title)

    async def _verify_string(self, text: str, parsed: Reference) -> Verification:
        """A reference as text: compared with the records of its identifiers, words and title."""
        case = await self._string_case(parsed)
        parsed = case.reference
        check = check_string(parsed, case.evidence)
        if check.record is None and not (parsed.doi or parsed.arxiv_id):
            check = _unlinked(check, case)
        await self.lookup.identifiers.check_notices([(case, check.record)])
        kind: InputType = "doi" if parsed.doi else "reference"
        return _verification(text, kind, case, check, parsed.title if parsed.doi else None)

    async def _string_case(self, parsed: Reference) -> CitationCase:
        """The evidence about a string: by its words first, and by its fields if they differ."""
        if case_of(parsed).ids is not None:
            case = (await self.lookup.collect([parsed]))[0]
            parsed = case.reference
            if not check_string(parsed, case.evidence).differing and case.check.record:
                return case
            case.include(await self.lookup.search_string(parsed.text, parsed))
            return case
        case = await self.lookup.search_string(parsed.text, parsed)
        linked = linked_record(parsed.text, case.evidence)
        if (linked and not check_string(parsed, case.evidence).differing) or not parsed.title:
            return case
        closest = (await self.lookup.collect([parsed]))[0]
        if linked or check_string(parsed, closest.evidence).record is not None:
            closest.include(case)
            return closest
        case.note_sources(closest)
        return case

    async def _verify_url(self, url: str, identifiers: Reference) -> Verification:
        """A page: its link, and the work that it presents or that its URL names."""
        link = (await self.links.check([url]))[url]
        title, doi = None, identifiers.doi
        problem: str | None = f"not read, because the link is {link.state}"
        if link.state in ("live", "refused"):
            try:
                read = (await self.reader.read(url)).value
                doi = (
                    detected_doi(url, read.reading) or detected_doi(read.url, read.reading) or doi
                )
                title, problem = read.reading.title, None
            except ResearchError as error:
                problem = str(error)
        reference = replace(
            identifiers, text=url, kind="webpage", url=url, doi=doi, title=title if doi else None
        )
        case = (await self.lookup.collect([reference]))[0]
        verification = _verification(url, "url", case, _url_check(case, link), reference.title)
        page = ProvenanceStep(
            evidence="page", source=url, outcome=problem or (doi or "no DOI detected")
        )
        probe = ProvenanceStep(evidence="link", source=url, outcome=link.problem or link.state)
        return replace(
            verification,
            detected_doi=doi,
            link=link,
            steps=(probe, page, *verification.steps),
        )

    async def _with_claim(self, verification: Verification, claim: str) -> Verification:
        url = verification.case.reference.url
        urls = source_urls(url, verification.link, verification.check.record)
        title = title_without_weight(verification.check, verification.case.integrity)
        outcome = await self.claims.check(claim, urls, without=title)
        step = ProvenanceStep(
            evidence="claim", source=outcome.url or "", outcome=outcome.problem or outcome.support
        )
        return replace(verification, claim=outcome, steps=(*verification.steps, step))


def read_citation(text: str) -> Reference:
    """A citation in any form as a reference; a plain string has no fields but identifiers."""
    if _ENTRY.match(text):
        entries = read_references(text)
        first = entries[0] if entries else None
        if isinstance(first, UnreadableReference):
            raise InvalidInput(f"citation: the entry could not be read: {first.reason}")
        if first is not None:
            return first
    try:
        return _identified(text)
    except InvalidInput:
        pass
    match = _DOI.search(text)
    if match is None:
        return Reference(text=text)
    title = title_beside_doi(text, match)
    return Reference(text=text, doi=_doi_of(match[0]), title=title)


def _identified(text: str) -> Reference:
    identifier = parse_reference(text)
    match identifier:
        case Doi():
            return Reference(text=text, doi=identifier.value)
        case ArxivId():
            return Reference(text=text, arxiv_id=identifier.value)
        case Pmid():
            return Reference(text=text, pmid=identifier.value)
        case Pmcid():
            return Reference(text=text, pmcid=identifier.value)


def _doi_of(text: str) -> str:
    try:
        identifier = parse_reference(text)
    except InvalidInput:
        return text
    return identifier.value if isinstance(identifier, Doi) else text


def _court_case(text: str) -> Reference | None:
    """The reference, if the text is that of a court case."""
    if _ENTRY.match(text) or len(text) > _MAX_CASE:
        return None
    parsed = read_reference(text)
    return parsed if parsed.kind == "case" and parsed.case_citation else None


def _parsed_string(text: str, reference: Reference) -> Reference | None:
    """The parts of a text that is a whole reference; None for an entry, an identifier or a title."""
    if reference.title is None and any(
        (reference.doi, reference.arxiv_id, reference.pmid, reference.pmcid)
    ):
        return None
    if reference.title is not None and (reference.doi is None or _ENTRY.match(text)):
        return None
    parsed = read_reference(text)
    is_long = len(content_words(parsed.title or "")) >= MIN_TITLE_WORDS
    is_whole = parsed.title is not None and (parsed.authors or (parsed.year and is_long))
    return parsed if reference.doi is None or is_whole else None


def _unlinked(check: CitationCheck, case: CitationCase) -> CitationCheck:
    """The outcome for a string that no record matches."""
    return replace(
        check,
        status="unconfirmed",
        exists=None,
        confidence="low" if case.records else "none",
        fields=(),
        reason=_no_match(case),
    )


def _no_match(case: CitationCase) -> str:
    if not case.failures:
        return "No record matches the reference."
    names = ", ".join(sorted(case.failures))
    return f"No record was found so far, but {names} did not answer."


def _url_check(case: CitationCase, link: LinkCheck) -> CitationCheck:
    """The check of the work that a page presents, or of the page alone if none is known."""
    page, work = _page_check(link), case.check
    if work.record is not None or (work.exists and not page.exists):
        return work
    if case.reference.doi is None:
        return page
    # The page says more about itself than a DOI that may be misread from its URL.
    status: CitationStatus = "unconfirmed" if work.status == "not_found" else work.status
    return replace(
        work, status=status, exists=page.exists, reason=f"{page.reason} {work.reason}".strip()
    )


def _page_check(link: LinkCheck) -> CitationCheck:
    """The check of a page that is not a scholarly work, by its link alone."""
    alive = link.state in ("live", "refused")
    reasons = {
        "live": "The page answers.",
        "refused": "The server refused to show the page, so that only its address was checked.",
    }
    return CitationCheck(
        status="verified" if link.state == "live" else "unconfirmed",
        exists=True if alive else None if link.state == "unchecked" else False,
        confidence="none",
        risk=0.05 if alive else 0.5,
        reason=reasons.get(link.state, f"The link is {link.state}."),
    )


def _verification(
    text: str, kind: InputType, case: CitationCase, check: CitationCheck, title: str | None
) -> Verification:
    return Verification(
        citation=text,
        input_type=kind,
        case=case,
        check=with_notices(check, case.integrity),
        title_match=_title_match(title, check),
        notice=notice_of(case.integrity),
        steps=_steps(case),
    )


def _title_match(title: str | None, check: CitationCheck) -> TitleMatch:
    if not title or check.record is None or not check.record.title:
        return "not_checked"
    check_of_title = next((one for one in check.fields if one.field == "title"), None)
    if check_of_title is not None and check_of_title.status == "match":
        return "match"
    missing = content_words(title) - content_words(check.record.title)
    return "mismatch" if len(missing) >= MIN_TITLE_WORDS else "not_checked"


def _steps(case: CitationCase) -> tuple[ProvenanceStep, ...]:
    work = case.integrity
    rows: list[tuple[str, str, str]] = []
    if work is not None:
        rows += [("record", name, _record_outcome(work, name)) for name in work.answered]
    rows += [_answer_row(case, name) for name in case.answered]
    rows += [("record", name, str(error)) for name, error in case.failures.items()]
    if work is not None:
        rows += [
            ("notices", name, _notice_outcome(work, name)) for name in work.integrity.checked_by
        ]
        rows += [("notices", name, str(error)) for name, error in work.failures.items()]
    return tuple(
        ProvenanceStep(evidence=evidence, source=source, outcome=outcome)
        for evidence, source, outcome in dict.fromkeys(rows)
    )


def _answer_row(case: CitationCase, name: str) -> tuple[str, str, str]:
    """The DOI system has no records: it says whether a DOI is registered."""
    if name != DOI_SYSTEM:
        return "record", name, "answered"
    return "registration", name, "registered" if case.registered else _NO_RECORD


def _notice_outcome(work: WorkIntegrity, name: str) -> str:
    record = work.records.get(name)
    return "sent no notices" if record is not None and record.notices is None else "answered"


def _record_outcome(work: WorkIntegrity, name: str) -> str:
    return "answered" if name in work.records else _NO_RECORD
