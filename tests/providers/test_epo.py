"""EPO's Open Patent Services, against the simulated site and every recorded answer."""

from urllib.parse import parse_qs

import pytest

from sourcewright.base.errors import NotFound, Refused
from sourcewright.base.formats.parsers import parse_xml
from sourcewright.domain.records.patents import PatentQuery
from sourcewright.providers.epo.biblio import read_documents, read_search
from sourcewright.providers.epo.queries import cql_of
from sourcewright.world.patents import PUBLICATIONS
from sourcewright.world.sites.epo import TOKEN, WRONG_KEY

pytestmark = pytest.mark.anyio

HOST = "ops.epo.org"
KEYS = {"EPO_OPS_CONSUMER_KEY": "an-invented-key", "EPO_OPS_CONSUMER_SECRET": "a-secret"}
LOGIN = "/3.2/auth/accesstoken"


@pytest.fixture
async def epo(provide):
    return await provide("epo", **KEYS)


def query(**fields):
    return PatentQuery(**({"text": "tidal turbine", "limit": 10} | fields))


def logins(internet):
    return [seen for seen in internet.requests_to(HOST) if seen.path == LOGIN]


async def test_every_publication_is_read_with_its_three_dates_apart(epo):
    for one in PUBLICATIONS:
        found = await epo.search_patents(query(number=one.number))
        [patent] = [read for read in found.patents if read.number == one.number]

        assert (patent.filed, patent.published) == (one.filed, one.published)
        assert patent.granted == one.granted
        assert (patent.title, patent.abstract) == (one.title, one.abstract)
        assert patent.assignee == one.applicant.upper()
        assert (patent.family_id, patent.cpc) == (str(one.family), (one.cpc,))


async def test_one_login_serves_many_requests(epo, internet):
    for _ in range(3):
        await epo.search_patents(query())

    [login] = logins(internet)
    assert login.method == "POST"
    assert login.body == b"grant_type=client_credentials"
    searches = [seen for seen in internet.requests_to(HOST) if seen.path != LOGIN]
    assert {seen.headers["authorization"] for seen in searches} == {f"Bearer {TOKEN}"}


async def test_a_token_that_is_no_longer_accepted_is_replaced_once(epo, internet):
    stale = b"<error><code>400</code><message>invalid_access_token</message></error>"
    await epo.search_patents(query())
    internet.breaks(
        HOST, status=400, path="/3.2/rest*", body=stale, content_type="application/xml", times=1
    )

    found = await epo.search_patents(query())

    assert found.patents
    assert len(logins(internet)) == 2


async def test_a_wrong_login_is_refused_without_a_search(provide, internet):
    epo = await provide("epo", **KEYS | {"EPO_OPS_CONSUMER_KEY": WRONG_KEY})

    with pytest.raises(Refused, match="the login was refused"):
        await epo.search_patents(query())

    assert [seen.path for seen in internet.requests_to(HOST)] == [LOGIN]


async def test_what_it_does_not_have_is_absent(epo):
    with pytest.raises(NotFound):
        await epo.search_patents(query(text="unicorns"))


async def test_a_year_of_filing_is_looked_for_among_many(epo, internet):
    await epo.search_patents(query(year_from=2015))

    requests = parse_qs(internet.requests_to(HOST)[-1].query)
    assert requests["Range"] == ["1-100"]
    assert "pd>=2015" in requests["q"][0]


@pytest.mark.parametrize(
    ("fields", "cql"),
    [
        ({}, 'ta all "tidal turbine"'),
        ({"text": 'a "b" (c)'}, 'ta all "a b c"'),
        ({"text": None, "assignee": "Siemens"}, 'pa all "Siemens"'),
        ({"inventor": "Ada", "office": "EP"}, 'ta all "tidal turbine" and in all "Ada" and pn=EP'),
        ({"cpc": "G06F"}, 'ta all "tidal turbine" and cpc="G06F"'),
        ({"number": "US20060142694A1"}, "pn=US2006142694"),
    ],
)
def test_a_query_is_written_in_cql(fields, cql):
    assert cql_of(query(**fields)) == cql


RECORDED = {
    ("EP1000000A1", "2000-05-17"): ("1999-11-08", None, "BEHEERMAATSCHAPPIJ DE BOER NIJMEGEN B.V"),
    ("EP1000000B1", "2003-02-12"): (
        *("1999-11-08", "2003-02-12", "BEHEERMAATSCHAPPIJ DE BOER NIJMEGEN B.V"),
    ),
    ("WO2010050748A2", "2010-05-06"): ("2009-10-28", None, "KANG, PIL-SIK"),
    ("WO2020081771A1", "2020-04-23"): ("2019-10-17", None, "UWM RESEARCH FOUNDATION, INC"),
    ("AU2013290010A1", "2015-02-05"): ("2013-07-12", None, "PRIMUS GREEN ENERGY INC"),
    ("US20060142694A1", "2006-06-29"): (
        *("2004-12-28", None, "ST. JUDE MEDICAL, ATRIAL FIBRILLATION DIVISION, INC"),
    ),
    ("EP2400812A1", "2011-12-28"): ("2010-06-24", None, "9SOLUTIONS OY"),
    ("EP2533477A1", "2012-12-12"): ("2011-06-09", None, "9SOLUTIONS OY"),
    ("EP2533477B1", "2014-03-05"): ("2011-06-09", "2014-03-05", "9SOLUTIONS OY"),
    ("AU2024270787A1", "2025-10-23"): ("2024-05-16", None, "SIEMENS GAMESA RENEWABLE ENERGY A/S"),
    ("AU2024265697A1", "2025-10-23"): ("2024-04-10", None, "SIEMENS ENERGY GLOBAL GMBH & CO. KG"),
    ("DK3740998T3", "2025-10-20"): ("2019-01-14", None, "Siemens Energy AS"),
    ("JP2005533465A", "2005-11-04"): ("2003-07-11", None, None),
}
"""Publications of the recordings by number and date: filed, granted, applicant."""


def test_every_recorded_publication_has_its_dates_and_its_applicant(recorded):
    read = {}
    for file in recorded("epo_ops"):
        body = file.read_bytes() if file.suffix == ".xml" else b""
        if b"<exchange-document " in body and b"<application-reference" in body:
            for one in read_documents(parse_xml(body)):
                read[one.number, one.published] = (one.filed, one.granted, one.assignee)

    assert read == RECORDED


def test_a_recorded_search_tells_how_many_there_are(recorded):
    [file] = [
        one
        for one in recorded("epo_ops")
        if "search-with-constituent" in one.name and "register" not in one.name
    ]

    patents, total = read_search(parse_xml(file.read_bytes()))

    assert (len(patents), total) == (3, 10000)
    assert patents[0].title == "MONITORING THE OPERATION OF A WIND TURBINE"
    assert patents[0].inventor == "NADERHOFF, Thorsten"
    assert patents[0].cpc[:2] == ("F03D17/006", "F03D17/021")


def test_what_is_no_search_is_not_read(recorded):
    [file] = [one for one in recorded("epo_ops") if one.name == "patentdev-get-family.xml"]

    with pytest.raises(ValueError, match="not a search result"):
        read_search(parse_xml(file.read_bytes()))
