"""Wiring of the services of the trust tools."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from sourcewright.wiring.pages import PageWiring
from sourcewright.wiring.papers import PaperWiring
from sourcewright.wiring.parts import SharedParts
from sourcewright.wiring.records import RecordWiring
from sourcewright.wiring.scholar import ScholarWiring
from sourcewright.wiring.search import SearchWiring
from sourcewright.wiring.sessions import SessionWiring

if TYPE_CHECKING:
    # Imported for type checking only; each service is imported where it is built.
    from sourcewright.services.trust.archive_source import SourceArchiver
    from sourcewright.services.trust.audit_bibliography import BibliographyAuditor
    from sourcewright.services.trust.claim_check import ClaimChecker
    from sourcewright.services.trust.earlier_answers import EarlierAnswers
    from sourcewright.services.trust.format_bibliography import BibliographyFormatter
    from sourcewright.services.trust.integrity import IntegrityChecker
    from sourcewright.services.trust.lookup import CitationLookup
    from sourcewright.services.trust.reference_files import ReferenceFiles
    from sourcewright.services.trust.retraction_list import RetractionLists
    from sourcewright.services.trust.verify_citation import CitationVerifier
    from sourcewright.services.trust.verify_recommendation import RecommendationAuditor


@dataclass(eq=False, kw_only=True)
class TrustWiring:
    """Builds each service on first use."""

    parts: SharedParts
    papers: PaperWiring
    pages: PageWiring
    search: SearchWiring
    scholar: ScholarWiring
    sessions: SessionWiring
    records: RecordWiring

    @cached_property
    def bibliography(self) -> "BibliographyFormatter":
        from sourcewright.services.trust.format_bibliography import BibliographyFormatter

        return BibliographyFormatter(
            resolver=self.papers.resolver,
            sessions=self.sessions.research_session,
            now=self.parts.timestamp,
        )

    @cached_property
    def integrity(self) -> "IntegrityChecker":
        from sourcewright.services.trust.integrity import IntegrityChecker

        return IntegrityChecker(
            requests=self.scholar.requests,
            retractions=self.parts.retraction_list,
            clock=self.parts.clock,
            now=self.parts.timestamp,
        )

    @cached_property
    def lookup(self) -> "CitationLookup":
        from sourcewright.domain.capabilities import ConvertsPubmedIds, LocatesDois
        from sourcewright.services.trust.court_cases import CourtCases
        from sourcewright.services.trust.identifiers import IdentifierLookup
        from sourcewright.services.trust.lookup import CitationLookup
        from sourcewright.services.trust.questions import PatientQuestions

        sources = self.papers.sources
        locators, converters = sources.having(LocatesDois), sources.having(ConvertsPubmedIds)
        questions = PatientQuestions(
            requests=self.scholar.requests,
            locator=next(iter(locators.values()), None),
            converter=next(iter(converters.values()), None),
            clock=self.parts.clock,
        )
        return CitationLookup(
            questions=questions,
            identifiers=IdentifierLookup(questions=questions, integrity=self.integrity),
            court_cases=CourtCases(search=self.records.legal_search),
        )

    @cached_property
    def auditor(self) -> "BibliographyAuditor":
        from sourcewright.services.trust.audit_bibliography import (
            BibliographyAuditor,
            OnlineParts,
        )

        online = OnlineParts(
            links=self.pages.link_checker,
            claims=self.claims,
            sessions=self.sessions.research_session,
            earlier=self.earlier_answers,
        )
        return BibliographyAuditor(lookup=self.lookup, now=self.parts.timestamp, online=online)

    @cached_property
    def offline_auditor(self) -> "BibliographyAuditor":
        """Asks nobody: it has no part that could open a connection."""
        from sourcewright.services.trust.audit_bibliography import BibliographyAuditor
        from sourcewright.services.trust.integrity import IntegrityChecker
        from sourcewright.services.trust.offline_lookup import OfflineLookup

        integrity = IntegrityChecker(
            requests=None,
            retractions=self.parts.retraction_list,
            clock=self.parts.clock,
            now=self.parts.timestamp,
        )
        lookup = OfflineLookup(integrity=integrity, earlier=self.earlier_answers)
        return BibliographyAuditor(lookup=lookup, now=self.parts.timestamp)

    @cached_property
    def earlier_answers(self) -> "EarlierAnswers":
        from sourcewright.services.trust.earlier_answers import EarlierAnswers

        parts = self.parts
        return EarlierAnswers(store=parts.answers, scope=parts.scope, now=parts.timestamp)

    @cached_property
    def verifier(self) -> "CitationVerifier":
        from sourcewright.services.trust.verify_citation import CitationVerifier

        return CitationVerifier(
            lookup=self.lookup,
            links=self.pages.link_checker,
            reader=self.pages.reader,
            claims=self.claims,
        )

    @cached_property
    def claims(self) -> "ClaimChecker":
        from sourcewright.services.trust.claim_check import ClaimChecker

        return ClaimChecker(reader=self.pages.reader)

    @cached_property
    def reference_files(self) -> "ReferenceFiles":
        from sourcewright.services.trust.reference_files import ReferenceFiles

        return ReferenceFiles(self.parts.documents)

    @cached_property
    def retraction_lists(self) -> "RetractionLists":
        from sourcewright.net.fetch.data_files import DataFiles
        from sourcewright.services.trust.retraction_list import RetractionLists

        return RetractionLists(
            stored=self.parts.retraction_list,
            files=DataFiles(self.parts.network),
            now=self.parts.timestamp,
        )

    @cached_property
    def archiver(self) -> "SourceArchiver":
        from sourcewright.domain.capabilities import CapturesPages, FindsSnapshots
        from sourcewright.services.trust.archive_source import SourceArchiver

        parts, archives = self.parts, self.pages.archives
        return SourceArchiver(
            captures=archives.having(CapturesPages),
            archives=archives.having(FindsSnapshots),
            check_url=self.pages.visitor.check,
            clock=parts.clock,
            now=parts.timestamp,
            patient=parts.settings.sandbox_pace,
        )

    @cached_property
    def recommendations(self) -> "RecommendationAuditor":
        from sourcewright.services.trust.verify_recommendation import RecommendationAuditor

        search = self.search.web_search
        return RecommendationAuditor(
            links=self.pages.link_checker,
            scraper=self.pages.scraper,
            web_search=search,
            reputations=search.reputations,
            clock=self.parts.clock,
        )
