"""The contract of every provider; a new one is tested without being listed here."""

import ast
import inspect
import re
from dataclasses import asdict, replace
from functools import cache
from http.client import HTTPConnection
from pathlib import Path
from typing import get_args
from urllib.parse import urlsplit

import pytest
from capability_questions import FURTHER, NOBODYS, RECORDS, UNKNOWN

from sourcewright import manifest, providers
from sourcewright.base.errors import (
    BadAnswer,
    Denied,
    NotFound,
    RateLimited,
    Refused,
    Unavailable,
    UpstreamError,
)
from sourcewright.domain import capabilities
from sourcewright.domain.papers.scholar import (
    CitationPage,
    IndexResults,
    Publisher,
    WorkIds,
    WorkQuery,
)
from sourcewright.domain.records.economy import Catalogue, ObservationQuery
from sourcewright.domain.records.patents import PatentResults
from sourcewright.domain.web.hits import EngineResults
from sourcewright.domain.web.queries import Query
from sourcewright.world import sites

pytestmark = pytest.mark.anyio

KINDS = providers.discover()

ENGINES = {"search_web", "search_images", "search_news"}
INDEXES = {"search_works"}
BATCHES = {"describe_works", "describe_preprints", "describe_pmids"}
TITLES = {"find_titles"}
CATALOGUES = {"list_series"}
"""Whole catalogues: asked for nothing in particular, they are never empty."""
SEARCHES = {
    "find_notices",
    "search_title",
    *BATCHES,
    *ENGINES,
    *INDEXES,
    *TITLES,
    *RECORDS,
    *CATALOGUES,
}
EITHER = {"find_copies", "find_preprints"}
FILES = {"deliver", "deliver_arxiv"}
"""Known by their first bytes, so that our own rules refuse whatever else comes."""
SITES = {"read_site", "describe_patent"}
"""Asked of the one that takes the address; whether a page is absent only the page itself may know."""
CAPTURES = {"capture_status"}
"""Say why they made no copy, which says nothing about whether there is such a page."""
RELAYS = {"relay_page"}
"""Say that they could not read a page, which says nothing about whether there is one."""
PAGES_FIRST = {name for name, kind in KINDS.items() if kind.info.mirror}
"""These say on a page where their file is, and a page may begin in any way."""


def _words_of(thing):
    if isinstance(thing, WorkIds | tuple):
        return NOBODYS
    if isinstance(thing, ObservationQuery):
        return f"{thing.series_id}-{thing.country}"
    return getattr(thing, "text", thing) or "a record"


class Filled:
    """Equal to every catalogue with an entry."""

    def __eq__(self, other):
        return isinstance(other, Catalogue) and bool(other.series)

    __hash__ = None


def put(question, method, thing):
    """Call a method; one that lists a whole catalogue takes no subject."""
    subject = () if thing is None else (thing,)
    return question(*subject, **FURTHER.get(method, {}))


def _is_for(kind, method, thing):
    """Whether a question is one of those that a source answers."""
    return method != "read_site" or kind(None, {}).accepts(thing)


QUESTIONS = [
    pytest.param(name, *question, id=f"{name}-{question[0]}-{_words_of(question[1])}")
    for name, kind in KINDS.items()
    for capability, questions in UNKNOWN.items()
    if issubclass(kind, getattr(capabilities, capability))
    for question in questions
    if _is_for(kind, *question)
]
ABOUT_DOIS = [
    param
    for param in QUESTIONS
    if param.values[2] in (NOBODYS, WorkIds(doi=NOBODYS)) and param.values[1] != "deliver"
]
SAMPLE_OPTIONS = {
    "email": "reader@uni.edu",
    "secret": "s3cret",
    "login": "reader:s3cret",
    "headers": "x-team: blue",
    "text": "x",
    "flag": "1",
    "agreement": "1",
}
"""A value for each kind of option; an address is one that the world has."""

FAILURES = {
    500: Unavailable,
    401: Refused,
    502: Unavailable,
    403: Refused,
    503: Unavailable,
    418: BadAnswer,
    504: Unavailable,
    451: Refused,
    408: Unavailable,
    429: RateLimited,
}
"""In an order in which no source is given up: failures in a row or a rate limit would do that."""
FILTERS = {
    "time_range": "week",
    "safe": "high",
    "language": "de",
    "country": "de",
    "sites": ("de.wikipedia.org",),
    "exact_terms": "kelp forests",
    "exclude_terms": "urchins",
    "sort_by": "date",
    "size": "large",
    "type": "photo",
    "color_type": "gray",
    "dominant_color": "red",
    "file_type": "png",
}
"""A value other than the default for each filter of a query."""
WORK_FILTERS = {
    "year_from": 2010,
    "year_to": 2012,
    "source": "ieee",
    "open_access": True,
    "sort_by": "date",
}
"""A value other than the default for each filter of a search for works."""
BY_NATURE = {
    "arxiv": {"open_access", "source=arxiv"},
    "biorxiv": {"open_access"},
    "doaj": {"open_access"},
    "ncbi": {"source=pubmed"},
}
"""Filters that every record of an index passes, so that nothing has to be asked."""
SEARCHES_OF_INDEXES = [param for param in QUESTIONS if param.values[1] in INDEXES]
SEARCHES_OF_ENGINES = [param for param in QUESTIONS if param.values[1] in ENGINES]
PAGE = b"<!DOCTYPE html><html><head><title>Error</title></head><body>404 Not Found</body></html>"
NONSENSE = {
    "an empty object": {},
    "an empty list": [],
    "null": None,
    "a text": "x",
    "a number": 42,
    "a truth": True,
    "an error": {"error": "maintenance"},
    "an error beside the data": {"status": "error", "message": "maintenance", "data": None},
    "an empty message": {"status": "ok", "message-type": "work", "message": {}},
    "empty data": {"data": {"type": "dois", "attributes": {}}},
    "nulls": {"status": "ok", "message": None, "data": None, "doi": None, "handle": None},
    "an HTML page": PAGE,
    "a cut-off JSON": b'{"status": "ok", "message": {"DOI": "10.5',
    "two JSON": b"{}{}",
    "nothing": b"",
    "blanks": b" \r\n ",
    "zeros": b"\x00" * 64,
    "no UTF-8": b'{"doi": "\xff\xfe"}',
    "a deep nest": b"[" * 100_000,
    "a feed of another kind": b"<?xml version='1.0'?><feed/>",
    "a feed without a count": b"<feed xmlns='http://www.w3.org/2005/Atom'><title>x</title></feed>",
    "a cut-off feed": b"<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>http",
    "a document type": b"<!DOCTYPE a [<!ENTITY b 'c'>]><feed xmlns='http://www.w3.org/2005/Atom'>&b;</feed>",
    "a polite refusal": b"Rate exceeded.",
}

ROLES = {
    method: capabilities.roles_of(getattr(capabilities, capability))[0]
    for capability, questions in UNKNOWN.items()
    for method, _ in questions
}
"""The role in which a question is asked."""
EMPTY_HANDED = {
    "gdelt": {"an empty object"},
    "opencitations": {"an empty list"},
    "hackernews_pages": {"null"},
}
"""What would be nonsense from others and is how this source says that it found nothing."""


def address_of(name):
    """The provider's base URL; for some only the operator knows it, and the world invents one."""
    own = f"{sites.__name__}.{name}"
    places = [host for host, site in sites.discover().items() if site.__module__ == own]
    return KINDS[name].info.base_url or f"https://{places[0]}"


def host_of(name):
    return urlsplit(address_of(name)).hostname


def sample_for(name, option):
    """A value for an option; URLs are needed only by providers without a default one."""
    if option.kind in ("url", "origins"):
        return address_of(name) if option.required else None
    return SAMPLE_OPTIONS[option.kind]


def hosts_of(name, method):
    """Every host that the provider may send requests to; files may be on others than records."""
    hosts = KINDS[name].info_for(ROLES[method]).allowed_hosts or (host_of(name),)
    return [host for host in hosts if not host.startswith("*.")]


def reported_name(name, method):
    return KINDS[name].info_for(ROLES[method]).reported_name


def nothing_from(name, method):
    """The outcomes by which a source reports that it has no record."""
    found_none = EngineResults(hits=()) if method in ENGINES else ()
    absent = (NotFound, reported_name(name, method))
    if method in CATALOGUES:
        return [Filled()]
    if method in RECORDS:
        # Some sources of patents have a status of their own for a search that finds nothing.
        others = [PatentResults(patents=()), absent] if method == "search_patents" else []
        return [RECORDS[method], *others]
    if method in INDEXES or method in TITLES:
        return [IndexResults(records=(), total=0), IndexResults(records=())]
    if method in FURTHER:
        return [CitationPage(citations=()), CitationPage(citations=(), total=0), absent]
    if method in SEARCHES:
        return [{} if method in BATCHES else found_none]
    lost = [(BadAnswer, reported_name(name, method))] if method in FILES | SITES | RELAYS else []
    lost += [(Refused, reported_name(name, method))] if method in CAPTURES else []
    return [*([found_none] if method in EITHER else []), absent, *lost]


def new_requests(internet):
    """The requests since the last call of this function."""
    requests = [(seen.host, seen.path, seen.query, seen.body) for seen in internet.seen]
    internet.forget()
    return requests


async def outcome_of(question):
    """The answer of a call, or the kind of its failure and the source that failed."""
    try:
        return await question
    except UpstreamError as error:
        return type(error), error.source
    except Denied as error:
        return Denied, error.denial.source


def about(thing, doi):
    """The same question about another DOI."""
    return WorkIds(doi=doi) if isinstance(thing, WorkIds) else doi


async def request_answered(internet, question):
    """The request that returned the first record of a work in the world."""
    for work in internet.corpus.works:
        internet.forget()
        answer = await outcome_of(question(work.doi))
        failed = isinstance(answer, tuple) and answer and isinstance(answer[0], type)
        if answer and not failed:
            doi = work.doi.lower().encode()
            requests = [seen for seen in internet.seen if doi in replayed(internet, seen).lower()]
            return requests[0] if requests else None
    raise LookupError("the world has nothing that this source could tell")


def replayed(internet, seen):
    """What the world answers to the same request again."""
    connection = HTTPConnection(urlsplit(internet.url).netloc)
    try:
        path = f"{seen.path}?{seen.query}" if seen.query else seen.path
        headers = {**seen.headers, "accept-encoding": "identity"}
        connection.request(seen.method, path, seen.body, headers)
        return connection.getresponse().read()
    finally:
        connection.close()


@pytest.fixture
def ready(provide, application):
    """A provider whose options are all set."""

    async def build(name, method):
        samples = {one.env[0]: sample_for(name, one) for one in KINDS[name].info.options}
        changes = {env: sample for env, sample in samples.items() if sample is not None}
        if KINDS[name].info.mirror:
            [mirror] = (await application(**changes)).services.papers.mirrors
            return mirror
        return await provide(name, role=ROLES[method], **changes)

    return build


@pytest.fixture
def ask(ready):
    """Calls one method of a provider."""

    async def run(name, method, thing):
        question = getattr(await ready(name, method), method)
        return await put(question, method, thing)

    return run


def test_every_capability_has_a_question():
    known = {name for name in capabilities.__all__ if inspect.isclass(getattr(capabilities, name))}

    assert known == UNKNOWN.keys()


def test_every_capability_belongs_to_one_role():
    roles = {name: capabilities.roles_of(getattr(capabilities, name)) for name in UNKNOWN}

    assert {name for name, given in roles.items() if len(given) != 1} == set()


@pytest.mark.parametrize("name", KINDS)
def test_the_manifest_lists_it_under_each_role_that_its_methods_give_it(name):
    kind = KINDS[name]
    roles = [role for role in get_args(capabilities.Role) if name in manifest.providers(role)]

    assert roles == list(kind.roles())
    assert kind.info_in.keys() <= set(roles)


@pytest.mark.parametrize("name", KINDS)
def test_it_can_do_something(name):
    assert any(param.values[0] == name for param in QUESTIONS)


@pytest.mark.parametrize("name", KINDS)
def test_it_is_declared_in_full(name):
    info = KINDS[name].info

    assert info.name == name
    assert info.title
    assert info.home.startswith("https://")
    assert info.base_url == "" or re.fullmatch(
        r"https://[a-z0-9.-]+(/[^?#]*[^/?#])?", info.base_url
    )
    assert info.rate.starts > 0
    assert info.rate.per_seconds > 0
    assert info.rate.gap_seconds >= 0
    assert info.tier in {1, 2, 3, None}


@pytest.mark.parametrize("name", [name for name in KINDS if not KINDS[name].info.base_url])
def test_an_address_that_is_not_its_own_is_set_by_the_operator(name):
    address = address_of(name)
    given = {"url": address, "origins": (address,)}
    options = KINDS[name].info.options
    sample = {one.name: given[one.kind] for one in options if one.required}

    assert KINDS[name].base_url(sample) == address


@pytest.mark.parametrize("name", [name for name in KINDS if KINDS[name].info.allowed_hosts])
def test_its_own_host_and_only_named_ones_may_answer(name):
    for info in (KINDS[name].info, *KINDS[name].info_in.values()):
        hosts = info.allowed_hosts

        assert urlsplit(info.base_url).hostname in hosts
        assert all(re.fullmatch(r"(\*\.)?([a-z0-9-]+\.)+[a-z]{2,}", host) for host in hosts)


@pytest.mark.parametrize("name", KINDS)
def test_its_options_say_what_they_are_for(name):
    for option in KINDS[name].info.options:
        assert option.name.isidentifier()
        assert option.env
        assert all(re.fullmatch(r"[A-Z][A-Z0-9_]+", env) for env in option.env)
        assert option.help.endswith(".")


@pytest.mark.parametrize("name", KINDS)
def test_it_states_facts_and_reads_answers_and_nothing_else(name):
    """No session, no status, no environment, no catching: those are the network's."""
    source = Path(inspect.getfile(KINDS[name])).read_text(encoding="utf-8")
    tree = ast.parse(source)

    imported = {
        alias.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }

    assert not any(isinstance(node, ast.Try | ast.TryStar) for node in ast.walk(tree))
    assert not {part.partition(".")[0] for part in imported} & {"os", "httpx2", "asyncio", "time"}
    assert not re.search(r"\.status\b|status_code|environ", source)
    assert len(source.splitlines()) <= 200
    assert "\nDocs: https://" in ast.get_docstring(tree)
    assert "\nSilent on: " in ast.get_docstring(tree)


@pytest.mark.parametrize(("name", "method", "thing"), QUESTIONS)
async def test_what_nobody_has_is_absent_only_where_the_source_says_so(
    ask, internet, name, method, thing
):
    outcome = await outcome_of(ask(name, method, thing))

    assert outcome in nothing_from(name, method)
    assert {seen.host for seen in internet.seen} <= set(hosts_of(name, method))


@pytest.mark.promise("absence.failure-is-no-absence")
@pytest.mark.parametrize(("name", "method", "thing"), QUESTIONS)
async def test_a_failing_source_is_never_an_empty_result(ready, internet, name, method, thing):
    question = getattr(await ready(name, method), method)
    outcomes = {}

    for status in FAILURES:
        internet.mends()
        for host in hosts_of(name, method):
            internet.breaks(host, status=status)
        try:
            outcomes[status] = await put(question, method, thing)
        except UpstreamError as error:
            outcomes[status] = type(error), error.source, error.status

    source = reported_name(name, method)
    assert outcomes == {status: (kind, source, status) for status, kind in FAILURES.items()}


@pytest.mark.promise("absence.searches-cannot-deny")
@pytest.mark.parametrize(("name", "method", "thing"), QUESTIONS)
async def test_a_bare_404_is_absence_for_a_lookup_at_most(ready, internet, name, method, thing):
    question = getattr(await ready(name, method), method)
    outcomes = {}

    for status in (404, 410):
        internet.mends()
        for host in hosts_of(name, method):
            internet.breaks(host, status=status)
        outcomes[status] = await outcome_of(put(question, method, thing))

    kinds = (BadAnswer,) if method in SEARCHES else (BadAnswer, NotFound)
    allowed = [(kind, reported_name(name, method)) for kind in kinds]
    assert {status: one for status, one in outcomes.items() if one not in allowed} == {}


@pytest.mark.parametrize(("name", "method", "thing"), QUESTIONS)
async def test_a_404_as_a_web_page_is_never_absence(ready, internet, name, method, thing):
    """Such a page comes from a proxy or a gateway, which cannot know."""
    question = getattr(await ready(name, method), method)
    kinds = ["text/html", "application/json", "text/plain"]
    outcomes = {}

    for kind in kinds:
        internet.mends()
        for host in hosts_of(name, method):
            internet.breaks(host, status=404, body=PAGE, content_type=kind)
        outcomes[kind] = await outcome_of(put(question, method, thing))

    assert outcomes == dict.fromkeys(kinds, (BadAnswer, reported_name(name, method)))


@pytest.mark.promise("absence.failure-is-no-absence")
@pytest.mark.parametrize(("name", "method", "thing"), QUESTIONS)
async def test_a_changed_answer_is_never_an_empty_result(ready, internet, name, method, thing):
    question = getattr(await ready(name, method), method)
    outcomes = {}

    strange = {
        k: v
        for k, v in NONSENSE.items()
        if k not in EMPTY_HANDED.get(reported_name(name, method), ())
    }
    for label, nonsense in strange.items():
        internet.mends()
        for host in hosts_of(name, method):
            internet.says(host, nonsense)
        outcomes[label] = await outcome_of(put(question, method, thing))

    refusal = Denied if method in FILES and name not in PAGES_FIRST else BadAnswer
    assert outcomes == dict.fromkeys(strange, (refusal, reported_name(name, method)))


@pytest.mark.promise("evidence.the-work-asked-for")
@pytest.mark.parametrize(("name", "method", "thing"), ABOUT_DOIS)
async def test_a_record_of_another_work_is_no_answer(ready, internet, name, method, thing):
    question = getattr(await ready(name, method), method)
    answered = await request_answered(
        internet, lambda doi: question(about(thing, doi), **FURTHER.get(method, {}))
    )
    if answered is None:
        pytest.skip("its answers do not say which work they are about")

    internet.says(answered.host, replayed(internet, answered))

    assert await outcome_of(question(thing, **FURTHER.get(method, {}))) in [
        (BadAnswer, reported_name(name, method)),
        *nothing_from(name, method),
    ]


@pytest.mark.parametrize(("name", "method", "thing"), QUESTIONS)
async def test_a_source_that_is_unplugged_or_cut_off_is_unavailable(
    ready, internet, name, method, thing
):
    question = getattr(await ready(name, method), method)
    outcomes = {}

    for fault in (internet.unplugs, internet.cuts):
        internet.mends()
        for host in hosts_of(name, method):
            fault(host)
        outcomes[fault.__name__] = await outcome_of(put(question, method, thing))

    unavailable = Unavailable, reported_name(name, method)
    assert outcomes == {"unplugs": unavailable, "cuts": unavailable}


@cache
def endless_list():
    """More than most answers may have; one text for all tests, because it is large.

    Its space takes no memory where an answer may be larger still, and is parsed.
    """
    return b"[" + b" " * (21 * 1024 * 1024)


@pytest.mark.parametrize(("name", "method", "thing"), QUESTIONS)
async def test_an_endless_answer_is_given_up(ask, internet, name, method, thing):
    for host in hosts_of(name, method):
        internet.says(host, endless_list())

    with pytest.raises((Denied, UpstreamError)) as caught:
        await ask(name, method, thing)

    assert not isinstance(caught.value, NotFound)


REDIRECTS = {
    "https://169.254.169.254/latest/meta-data/": "ssrf_private_address",
    "https://elsewhere.example/": "redirect_not_in_allowlist",
}
"""Where no source may send us, and why."""


@pytest.mark.parametrize(("name", "method", "thing"), QUESTIONS)
async def test_a_redirect_into_a_private_network_or_to_a_stranger_is_not_followed(
    ready, internet, name, method, thing
):
    question = getattr(await ready(name, method), method)
    is_bound = bool(KINDS[name].info.allowed_hosts)
    tried = {
        url: reason
        for url, reason in REDIRECTS.items()
        if is_bound or reason == "ssrf_private_address"
    }
    reasons = {}

    for url in tried:
        internet.mends()
        for host in hosts_of(name, method):
            internet.redirects(host, url)
        try:
            reasons[url] = await put(question, method, thing)
        except Denied as error:
            reasons[url] = error.denial.reason

    assert reasons == tried
    assert {seen.host for seen in internet.seen} <= set(hosts_of(name, method))


@pytest.mark.parametrize(("name", "method", "thing"), QUESTIONS)
async def test_a_source_that_recovers_is_asked_again_unless_that_costs(
    ask, internet, name, method, thing
):
    for host in hosts_of(name, method):
        internet.breaks(host, status=503, times=1)

    outcome = await outcome_of(ask(name, method, thing))

    failed, *again = [(seen.method, seen.host, seen.path, seen.query) for seen in internet.seen]
    if failed[0] == "POST":  # which may be billed
        assert outcome == (Unavailable, reported_name(name, method))
        assert not again
    else:
        assert outcome in nothing_from(name, method)
        assert again[0] == failed


def test_every_filter_has_a_value_to_be_tried_with():
    query = Query(kind="web", text="x", limit=5, **FILTERS)

    assert query.filters() == FILTERS


@pytest.mark.parametrize(("name", "method", "thing"), SEARCHES_OF_ENGINES)
async def test_a_filter_changes_what_is_asked_or_is_named_as_ignored(
    ready, internet, name, method, thing
):
    search = getattr(await ready(name, method), method)
    dropped = []

    await search(thing)
    plain = new_requests(internet)
    for filter_, value in (*FILTERS.items(), ("safe", "off")):
        findings = await search(replace(thing, **{filter_: value}))
        if new_requests(internet) == plain and filter_ not in findings.ignored:
            dropped.append(filter_)

    # What always filters, or never, need not be told so: one level of safety may change nothing.
    assert dropped in ([], ["safe"])


@pytest.mark.parametrize(("name", "method", "thing"), SEARCHES_OF_ENGINES)
async def test_a_search_is_one_request_and_its_hits_are_few_plain_and_lead_somewhere(
    ask, internet, name, method, thing
):
    findings = await ask(name, method, replace(thing, text="sea otter", limit=2))

    assert len(internet.seen) == 1
    assert 0 < len(findings.hits) <= 2
    for hit in findings.hits:
        fields = asdict(hit)
        assert re.fullmatch(r"https?://[^\s]+", fields.get("link") or fields["url"])
        assert fields["title"]
        assert not re.search(r"</?\w+>|&\w+;", fields["title"] + fields.get("snippet", ""))
        assert len(fields.get("snippet", "")) <= 500
        assert re.fullmatch(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)?", fields.get("published") or "")


def test_every_filter_of_a_search_for_works_has_a_value_to_be_tried_with():
    assert WorkQuery(text="x", limit=5, **WORK_FILTERS).filters() == WORK_FILTERS


@pytest.mark.parametrize(("name", "method", "thing"), SEARCHES_OF_INDEXES)
async def test_a_filter_of_works_changes_what_is_asked_or_is_named_as_ignored(
    ready, internet, name, method, thing
):
    search = getattr(await ready(name, method), method)
    wrong = {}

    await search(thing)
    plain = new_requests(internet)
    sources = {f"source={one}": ("source", one) for one in get_args(Publisher)}
    for label, (filter_, value) in (
        {one: (one, v) for one, v in WORK_FILTERS.items()} | sources
    ).items():
        findings = await search(replace(thing, **{filter_: value}))
        changed = new_requests(internet) != plain
        by_nature = label in BY_NATURE.get(name, ()) and filter_ not in findings.ignored
        if changed == (filter_ in findings.ignored) and not by_nature:
            wrong[label] = findings.ignored

    assert wrong == {}


@pytest.mark.parametrize(("name", "method", "thing"), SEARCHES_OF_INDEXES)
async def test_a_search_for_works_finds_few_plain_records_that_lead_somewhere(
    ask, internet, name, method, thing
):
    findings = await ask(name, method, replace(thing, text="the of and a", limit=2))

    assert len(internet.seen) <= 2
    assert 0 < len(findings.records) <= 2
    for record in findings.records:
        assert record.source == reported_name(name, method)
        assert record.title
        assert not re.search(r"</?\w+>|&\w+;", record.title + (record.abstract or ""))
        assert re.fullmatch(r"https?://[^\s]+", record.url)


@pytest.mark.parametrize(("name", "method", "thing"), SEARCHES_OF_INDEXES)
@pytest.mark.parametrize(
    "text",
    ['a "quoted phrase" of', 'an odd " quote', "[x] AND (y OR z) NOT w", "a:b*c?d~e/f\\g-h"],
)
async def test_no_query_is_syntax_to_an_index(ask, name, method, thing, text):
    """What looks like an operator is only words, which may be found or not."""
    findings = await ask(name, method, replace(thing, text=text))

    assert isinstance(findings, IndexResults)


@pytest.mark.parametrize("name", KINDS)
def test_what_a_source_cannot_know_is_declared_of_what_it_is_asked(name):
    kind = KINDS[name]
    for info in (kind.info, *map(kind.info_for, kind.roles())):
        assert all(
            issubclass(kind, capability) and part for capability, part in info.has_only.items()
        )


@pytest.mark.parametrize("name", KINDS)
def test_a_source_that_answers_nobody_without_a_key_requires_it(name):
    info = KINDS[name].info
    required = [option for option in info.options if option.kind == "secret" and option.required]

    assert required or not info.refuses_keyless
