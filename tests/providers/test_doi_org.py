"""The DOI system, against the simulated site and with unusual answers."""

import pytest

from sourcewright.base.errors import BadAnswer, NotFound
from sourcewright.providers.doi_org import read_answer

pytestmark = pytest.mark.anyio

DOI = "10.5555/tides"


def handle(code=1, **more):
    return {"responseCode": code, "handle": DOI.upper(), **more}


def url_value(url, kind="URL", form="string"):
    return {"index": 1, "type": kind, "data": {"format": form, "value": url}}


async def test_every_registered_doi_is_located(provide, internet):
    doi_org = await provide("doi_org")

    for written in internet.corpus.works:
        found = await doi_org.locate_doi(written.key)

        assert found.doi == written.key
        assert found.url == (written.landing if written.handle_url else None)


def test_the_address_is_the_first_of_type_url():
    values = [url_value("admin", "HS_ADMIN"), url_value("https://a.example/x")]

    assert read_answer(handle(values=values), DOI).url == "https://a.example/x"


@pytest.mark.parametrize(
    "values", [None, [], [url_value("javascript:x")], [url_value({"a": 1}, form="admin")]]
)
def test_a_doi_without_a_usable_address_is_registered_all_the_same(values):
    found = read_answer(handle(values=values), DOI)

    assert (found.doi, found.url) == (DOI, None)


def test_a_handle_without_values_is_registered():
    assert read_answer(handle(200), DOI).doi == DOI


def test_no_such_handle_is_absence_also_under_another_status():
    with pytest.raises(NotFound):
        read_answer(handle(100), DOI)


@pytest.mark.parametrize("code", [0, 2, 3, 101, True, "1", None, 1.5])
def test_any_other_code_is_neither_presence_nor_absence(code):
    with pytest.raises((ValueError, TypeError)):
        read_answer(handle(code), DOI)


def test_an_answer_about_another_doi_is_not_the_answer():
    with pytest.raises(ValueError):
        read_answer(handle(), "10.5555/other")


async def test_that_another_handle_is_unknown_says_nothing_about_this_doi(provide, internet):
    denial = {"responseCode": 100, "handle": "10.5555/other"}
    internet.says("doi.org", denial, status=404)

    with pytest.raises(BadAnswer):
        await (await provide("doi_org")).locate_doi(DOI)
