"""Crossref, against the simulated site and in its rules about notices."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sourcewright.base.errors import BadAnswer, RateLimited
from sourcewright.base.text.plain import plain_text
from sourcewright.providers.crossref import (
    Crossref,
    notices_params,
    read_answer,
    read_notices,
    read_work,
)

pytestmark = pytest.mark.anyio

HOST = "api.crossref.org"
DOI = "10.5555/tide"


def update(kind, doi="10.5555/notice", **more):
    return {"DOI": doi, "type": kind, "label": kind.title(), "source": "publisher", **more}


def listing(*items, total=None):
    message = {"items": list(items), "total-results": len(items) if total is None else total}
    return {"status": "ok", "message-type": "work-list", "message": message}


async def test_a_work_is_described_in_full(provide):
    work = await (await provide("crossref")).describe_doi("10.5555/fine-paper")

    assert work.title == "Tidal mixing and the memory of estuaries"
    assert [author.name for author in work.authors][:2] == ["Adaeze Okonkwo", "Åsa Lindqvist"]
    assert (work.year, work.published) == (2019, "2019-03-05")
    assert (work.volume, work.issue, work.pages) == ("14", "2", "101-119")
    assert (work.doi, work.type) == ("10.5555/fine-paper", "journal-article")
    assert work.raw["DOI"] == work.doi


async def test_every_work_of_the_corpus_is_read_as_it_was_written(provide, internet):
    crossref = await provide("crossref")

    for written in internet.corpus.of_agency("crossref"):
        read = await crossref.describe_doi(written.key)

        assert read.doi == written.key
        whole = f"{written.title}: {written.subtitle}" if written.subtitle else written.title
        assert read.title == (plain_text(whole) or None)
        assert read.year == written.year
        assert [author.name for author in read.authors] == [a.full_name for a in written.authors]
        assert (read.notices is None) == (not written.updated_by)


@pytest.mark.parametrize(
    ("doi", "kinds"),
    [
        ("10.5555/retracted-paper", {"retraction"}),
        ("10.5555/corrected-paper", {"correction"}),
        ("10.5555/concern-paper", {"expression_of_concern"}),
        ("10.5555/partly-retracted-paper", {"partial_retraction"}),
        ("10.5555/withdrawn-paper", {"withdrawal"}),
        ("10.5555/removed-paper", {"removal"}),
        ("10.5555/corrected-then-retracted", {"correction", "retraction"}),
        ("10.5555/glacier-retraction", None),
        ("10.5555/fine-paper", None),
        ("10.5555/unlisted-retraction", None),
    ],
)
async def test_a_record_says_what_was_published_against_it(provide, doi, kinds):
    notices = (await (await provide("crossref")).describe_doi(doi)).notices

    assert (None if notices is None else {notice.kind for notice in notices}) == kinds


@pytest.mark.parametrize(
    ("doi", "found"),
    [
        ("10.5555/unlisted-retraction", [("retraction", "10.5555/unlisted-retraction-notice")]),
        ("10.5555/UNLISTED-retraction", [("retraction", "10.5555/unlisted-retraction-notice")]),
        ("10.5555/fine-paper", []),
        ("10.5555/new-version", []),
        ("10.5555/glacier-retraction", []),
    ],
)
async def test_notices_that_a_record_omits_are_found(provide, doi, found):
    notices = await (await provide("crossref")).find_notices(doi)

    assert [(notice.kind, notice.doi) for notice in notices] == found


@pytest.mark.promise("evidence.words-prove-nothing")
async def test_a_notice_is_not_itself_retracted(provide):
    notice = await (await provide("crossref")).describe_doi("10.5555/retraction-notice")

    assert notice.notice_for == ("10.5555/retracted-paper",)
    assert notice.notices is None


@pytest.mark.parametrize(
    ("changes", "query"),
    [
        ({"CROSSREF_EMAIL": "reader@uni.edu"}, "mailto=reader%40uni.edu"),
        ({"CONTACT_EMAIL": ""}, ""),
    ],
)
async def test_an_address_goes_along_only_where_there_is_one(provide, internet, changes, query):
    await (await provide("crossref", **changes)).describe_doi("10.5555/fine-paper")

    [seen] = internet.requests_to(HOST)
    assert seen.query == query


@pytest.mark.parametrize(
    ("options", "records", "lists", "at_once"),
    [({}, 5, 1, 1), ({"mailto": "reader@uni.edu"}, 10, 3, 3)],
)
def test_each_pool_has_limits_of_its_own_for_records_and_for_lists(
    options, records, lists, at_once
):
    lookups = Crossref.rate(options) or Crossref.info.rate
    searches = Crossref.search_rate(options) or Crossref.info.search_rate

    assert [(one.starts, one.per_seconds, one.at_once) for one in (lookups, searches)] == [
        (records, 1.0, at_once),
        (lists, 1.0, at_once),
    ]


async def test_a_limit_of_lists_does_not_keep_a_record_from_being_read(provide, internet):
    internet.breaks(HOST, path="/works", status=429, retry_after=600)
    crossref = await provide("crossref")

    with pytest.raises(RateLimited):
        await crossref.find_notices("10.5555/fine-paper")

    assert (await crossref.describe_doi("10.5555/fine-paper")).doi == "10.5555/fine-paper"


@pytest.mark.parametrize(
    "doi",
    [
        "10.99006/(sici)2999-0080(199905/06)7:3<101::aid-old42>3.0.co;2-x",
        "10.5555/slashes/in/the/suffix",
        "10.5555/question?mark#hash+plus",
    ],
)
async def test_a_doi_with_odd_characters_arrives_whole(provide, doi):
    assert (await (await provide("crossref")).describe_doi(doi)).doi == doi


def test_a_comma_in_a_doi_cannot_become_another_filter():
    with pytest.raises(BadAnswer):
        notices_params("10.1001/jama.251.19.2504,2509")


KINDS = [
    ("retraction", "retraction"),
    ("partial_retraction", "partial_retraction"),
    ("withdrawal", "withdrawal"),
    ("removal", "removal"),
    ("expression_of_concern", "expression_of_concern"),
    ("correction", "correction"),
    ("corrigendum", "correction"),
    ("erratum", "correction"),
    ("addendum", "correction"),
    ("clarification", "correction"),
    ("Expression-of-Concern", "expression_of_concern"),
    ("new_version", None),
    ("new_edition", None),
    ("interim", None),
    ("", None),
]


@pytest.mark.parametrize(("kind", "expected"), KINDS)
def test_an_update_is_what_its_type_says(kind, expected):
    notices = read_work({"DOI": DOI, "updated-by": [update(kind)]}).notices

    assert [notice.kind for notice in notices] == ([expected] if expected else [])


@settings(deadline=None)
@given(st.permutations([update(kind, f"10.5555/n{at}") for at, (kind, _) in enumerate(KINDS)]))
def test_the_order_of_the_updates_changes_nothing(entries):
    notices = read_work({"DOI": DOI, "updated-by": entries}).notices

    assert notices == read_work({"DOI": DOI, "updated-by": entries[::-1]}).notices
    assert notices[0].kind == "retraction"
    assert len(notices) == 11


@pytest.mark.promise("evidence.words-prove-nothing")
@pytest.mark.parametrize("kind", ["retraction", "correction", "new_version"])
def test_an_update_by_itself_says_nothing(kind):
    entry = update(kind, DOI.upper())

    work = read_work({"DOI": DOI, "updated-by": [entry], "update-to": [entry]})

    assert work.notices == ()
    assert work.notice_for == ()


def test_retraction_watch_may_name_a_notice_that_took_the_place_of_the_article():
    entry = update("retraction", DOI, source="retraction-watch")

    work = read_work({"DOI": DOI, "updated-by": [entry], "update-to": [entry]})

    assert [notice.kind for notice in work.notices] == ["retraction"]
    assert work.notice_for == ()


@pytest.mark.promise("evidence.words-prove-nothing")
@pytest.mark.parametrize("kind", ["retraction", "expression_of_concern", "correction"])
def test_a_notice_for_another_work_has_no_notice_against_itself(kind):
    record = {"DOI": DOI, "title": ["Retraction: Tides"], "update-to": [update(kind, "10.5555/X")]}

    work = read_work(record)

    assert work.notice_for == ("10.5555/x",)
    assert work.notices is None


def test_an_update_without_a_doi_still_counts():
    [notice] = read_work({"DOI": DOI, "updated-by": [{"type": "retraction", "DOI": None}]}).notices

    assert (notice.kind, notice.doi) == ("retraction", None)


def test_notices_in_a_list_count_only_for_the_doi_that_they_name():
    one = {
        "DOI": "10.5555/a",
        "update-to": [update("retraction", DOI), update("correction", "10.5555/o")],
    }
    other = {"DOI": "10.5555/b", "update-to": [update("removal", "10.5555/other")]}

    notices = read_notices(listing(one, other), DOI.upper())

    assert [(notice.kind, notice.doi) for notice in notices] == [("retraction", "10.5555/a")]


@pytest.mark.parametrize(
    "answer",
    [
        listing({"DOI": "10.5555/a", "update-to": [update("retraction", "10.5555/other")]}),
        listing({"DOI": "10.5555/a"}),
        listing(total=3),
        listing(total="0"),
        {"status": "ok", "message-type": "work-list", "message": {"items": []}},
        {"status": "ok", "message-type": "work-list", "message": {"total-results": 0}},
        {"status": "failed", "message-type": "work-list", "message": {}},
    ],
)
def test_a_list_that_does_not_answer_the_question_is_not_an_empty_one(answer):
    with pytest.raises((ValueError, KeyError, TypeError)):
        read_notices(answer, DOI)


@pytest.mark.parametrize(
    ("dates", "year"),
    [
        (
            {"issued": [[2013]], "published-print": [[2013, 1]], "published-online": [[2012, 7]]},
            2012,
        ),
        ({"issued": [[None]], "published-online": [[2012]]}, 2012),
        ({"issued": [[]]}, None),
        ({"issued": [[None]], "created": [[2007]]}, None),
        ({"issued": [[9999]], "published": [[2001]]}, 2001),
    ],
)
def test_the_year_is_that_of_the_first_publication(dates, year):
    parts = {name: {"date-parts": value} for name, value in dates.items()}

    assert read_work({"DOI": DOI, **parts}).year == year


CC_BY, HOUSE = "https://creativecommons.org/licenses/by/4.0/", "https://a.example/terms"


@pytest.mark.parametrize(
    ("licences", "expected"),
    [
        ([("tdm", HOUSE), ("vor", CC_BY)], "cc-by-4.0"),
        ([("am", CC_BY), ("vor", HOUSE)], HOUSE),
        ([("vor", HOUSE), ("vor", CC_BY)], "cc-by-4.0"),
        ([("unspecified", CC_BY), ("am", HOUSE)], "cc-by-4.0"),
        ([("tdm", CC_BY), ("stm-asf", HOUSE)], None),
        ([], None),
    ],
)
def test_the_licence_is_that_of_the_version_of_record(licences, expected):
    entries = [{"content-version": version, "URL": url} for version, url in licences]

    assert read_work({"DOI": DOI, "license": entries}).licence == expected


@pytest.mark.parametrize(
    ("author", "name"),
    [
        ({"given": "Ada", "family": "Byron"}, "Ada Byron"),
        ({"given": "Ada", "family": "Byron", "suffix": "Jr."}, "Ada Byron Jr."),
        ({"family": "Neha"}, "Neha"),
        ({"name": "The Tides Consortium"}, "The Tides Consortium"),
        ("Ada Byron", "Ada Byron"),
        ({"given": "J&uuml;rgen", "family": "M&amp;uuml;ller"}, "Jürgen Müller"),
    ],
)
def test_an_author_is_read_in_every_form(author, name):
    [read] = read_work({"DOI": DOI, "author": [None, author, {}]}).authors

    assert read.name == name


@pytest.mark.parametrize(
    ("title", "read"), [("A", "A"), (["", "B"], "B"), ([], None), (None, None)]
)
def test_a_title_is_read_in_every_form(title, read):
    assert read_work({"DOI": DOI, "title": title}).title == read


def test_an_alias_answers_with_the_doi_that_took_its_place():
    record = {"DOI": "10.5555/primary", "aliases": ["10.5555/Alias"]}
    answer = {"status": "ok", "message-type": "work", "message": record}

    work = read_answer(answer, "10.5555/alias")

    assert (work.doi, work.aliases) == ("10.5555/primary", ("10.5555/alias",))


@pytest.mark.parametrize("aliases", [None, [], ["10.5555/third"], "10.5555/third", [None, 5]])
def test_a_record_of_another_doi_that_names_no_such_alias_is_refused(aliases):
    record = {"DOI": "10.5555/primary", "aliases": aliases}
    answer = {"status": "ok", "message-type": "work", "message": record}

    with pytest.raises(ValueError, match=r"about 10\.5555/primary"):
        read_answer(answer, "10.5555/alias")
