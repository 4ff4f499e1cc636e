"""The DOI system, over every recorded answer."""

import pytest

from sourcewright.base.errors import BadAnswer, Unavailable

pytestmark = pytest.mark.anyio

HOST = "doi.org"
DOI = "10.5438/mcnv-ga6n"


@pytest.mark.parametrize(
    ("name", "url"),
    [
        (
            "api-handles-10-5438-mcnv-ga6n-index-1.json",
            "https://blog.datacite.org/re3data-science-europe/",
        ),
        ("api-handles-10-5438-mcnv-ga6n.json", None),
    ],
)
async def test_a_recorded_handle_is_a_registration(recorded, provide, internet, name, url):
    [file] = [one for one in recorded("doi_org") if one.name == name]
    internet.says(HOST, file.read_bytes())

    found = await (await provide("doi_org")).locate_doi(DOI)

    assert (found.doi, found.url) == (DOI, url)


async def test_no_other_recorded_answer_is_a_registration(recorded, provide, internet):
    doi_org = await provide("doi_org")
    others = [one for one in recorded("doi_org") if "mcnv-ga6n" not in one.name]

    for file in others:
        internet.mends()
        internet.says(HOST, file.read_bytes(), content_type="text/html")

        with pytest.raises(BadAnswer):
            await doi_org.locate_doi(DOI)

    assert len(others) == 37


@pytest.mark.parametrize(
    ("start", "status", "error"),
    [
        ("err500-api-handles", 500, Unavailable),
        ("err404-10", 404, BadAnswer),
        ("err404-adsfs", 404, BadAnswer),
    ],
)
async def test_a_recorded_failure_is_never_absence(
    recorded, provide, internet, start, status, error
):
    [file] = [one for one in recorded("doi_org") if one.name.startswith(start)]
    internet.says(HOST, file.read_bytes(), status=status)

    with pytest.raises(error):
        await (await provide("doi_org")).locate_doi(DOI)
