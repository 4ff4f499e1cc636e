"""Questions for every capability of providers, and the answers that hold nothing.

The one place in the tests that a new capability needs: the suites derive what they ask from here.
"""

from typing import Any

from sourcewright.base.identifiers import Pmcid, Pmid
from sourcewright.domain.papers.scholar import WorkIds, WorkQuery
from sourcewright.domain.records.answers import GroundedAnswer, StructuredQuery, StructuredResults
from sourcewright.domain.records.cases import CaseQuery, CaseResults
from sourcewright.domain.records.economy import ObservationQuery, SeriesResults
from sourcewright.domain.records.filings import FilerMatches, FilingPage, FilingQuery
from sourcewright.domain.records.patents import PatentQuery, PatentResults
from sourcewright.domain.records.places import PlaceQuery, Places
from sourcewright.domain.records.trials import TrialPage, TrialQuery
from sourcewright.domain.web.queries import Query

NOBODYS = "10.5555/nobody.registered.this"
NOWHERE = "Xyzzy quux frobnicates plugh"
# Questions for each capability that nobody has an answer to. A search that finds nothing is an
# answer; a lookup that finds nothing is an absence; some sources do the one, some the other.
UNKNOWN: dict[str, list[tuple[str, Any]]] = {
    "DescribesDois": [("describe_doi", NOBODYS)],
    "DescribesArxivPapers": [("describe_arxiv", "2312.99999")],
    "FindsNotices": [("find_notices", NOBODYS)],
    "LocatesDois": [("locate_doi", NOBODYS)],
    "FindsCopies": [("find_copies", NOBODYS)],
    "FindsPreprints": [("find_preprints", NOBODYS)],
    "FindsPreprintsByTitle": [("search_title", NOWHERE)],
    "ConvertsPubmedIds": [("doi_of", Pmid("99999999")), ("doi_of", Pmcid("PMC99999999"))],
    "ListsReferences": [("cited_by_doi", NOBODYS), ("cited_by_id", "W9999999999")],
    "DeliversPapers": [("deliver", NOBODYS)],
    "DeliversArxivPapers": [("deliver_arxiv", "2312.99999")],
    "SearchesWeb": [("search_web", Query(kind="web", text=NOWHERE, limit=5))],
    "SearchesImages": [("search_images", Query(kind="images", text=NOWHERE, limit=5))],
    "SearchesNews": [("search_news", Query(kind="news", text=NOWHERE, limit=5))],
    "ReadsSites": [
        ("read_site", "https://github.com/nobody/made-this"),
        ("read_site", "https://news.ycombinator.com/item?id=999999999"),
        ("read_site", "https://www.youtube.com/watch?v=nobodysfilm"),
        ("read_site", "https://www.reddit.com/r/nobody/comments/nobody1/wrote_this/"),
        ("read_site", "https://bsky.app/profile/nobody.example/post/3nobody"),
        ("read_site", "https://bsky.app/profile/nobody.example"),
        ("read_site", "https://x.com/nobody/status/999999999"),
        ("read_site", "https://x.com/nobody"),
        ("read_site", "https://arxiv.org/abs/2312.99999"),
        ("read_site", "https://pubmed.ncbi.nlm.nih.gov/99999999/"),
    ],
    "FindsSnapshots": [("find_snapshot", "https://nobody.example/never-copied")],
    "CapturesPages": [("capture_status", "spn2-0123456789abcdef-nobody-example")],
    "RelaysPages": [("relay_page", "https://pages.meridian.example/unreadable")],
    "SearchesWorks": [("search_works", WorkQuery(text=NOWHERE, limit=5))],
    "DescribesWorks": [("describe_works", (NOBODYS,))],
    "DescribesPreprints": [("describe_preprints", ("2312.99999",))],
    "DescribesPubmedRecords": [("describe_pmids", ("99999999",))],
    "FindsTitles": [("find_titles", (NOWHERE,))],
    "ListsCitingWorks": [("list_citing", WorkIds(doi=NOBODYS))],
    "ListsCitedWorks": [("list_cited", WorkIds(doi=NOBODYS))],
    "SearchesSeries": [("search_series", NOWHERE)],
    "ListsSeries": [("list_series", None)],
    "ObservesSeries": [
        ("observe_series", ObservationQuery(series_id="NOBODYS", limit=5)),
        ("observe_series", ObservationQuery(series_id="NOBODYS", limit=5, country="DE")),
    ],
    "FindsFilers": [("match_filers", NOWHERE)],
    "SearchesFilings": [
        ("list_filings", FilingQuery(cik="0099999999", limit=5)),
        ("search_filings", FilingQuery(text=NOWHERE, limit=5)),
    ],
    "ReportsFacts": [("report_facts", "0099999999")],
    "SearchesCases": [("search_cases", CaseQuery(text=NOWHERE, limit=5))],
    "SearchesPatents": [("search_patents", PatentQuery(text=NOWHERE, limit=5))],
    "DescribesPatents": [("describe_patent", "US99999999B2")],
    "SearchesTrials": [("search_trials", TrialQuery(text=NOWHERE, limit=5))],
    "SearchesPlaces": [("search_places", PlaceQuery(text=NOWHERE, limit=5))],
    "AnswersQuestions": [("answer_question", NOWHERE)],
    "ExtractsFields": [("search_structured", StructuredQuery(text=NOWHERE, limit=5))],
}
FURTHER: dict[str, dict[str, Any]] = {
    "list_citing": {"limit": 5},
    "list_cited": {"limit": 5},
    "search_series": {"limit": 5},
}
"""What has to be said beside the question."""
RECORDS: dict[str, Any] = {
    "search_trials": TrialPage(trials=(), total=0, next_token=None),
    "search_places": Places(places=()),
    "search_structured": StructuredResults(items=(), cost_usd=0.005),
    "answer_question": GroundedAnswer(
        text="I could not find an answer to this question.", citations=(), cost_usd=0.005
    ),
    "search_series": SeriesResults(series=(), total=0),
    "match_filers": FilerMatches(filers=()),
    "search_filings": FilingPage(filings=(), total=0),
    "search_cases": CaseResults(cases=(), total=0),
    "search_patents": PatentResults(patents=(), total=0),
}
"""Searches for primary records and questions to answer engines, with the answer that has none."""
UNANSWERED: dict[str, Any] = {
    "capture": "https://nobody.example/never-copied",
    "list_filers": None,
}
"""Further questions, to which every answer is something."""


def things_for(method: str) -> list[Any]:
    """Every subject for a method; None if it takes no subject."""
    things = [
        thing for questions in UNKNOWN.values() for name, thing in questions if name == method
    ]
    return things or [UNANSWERED[method]]
