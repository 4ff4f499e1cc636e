"""scrape_page at bot challenges, consent forms and logins."""

import pytest

pytestmark = pytest.mark.anyio

HOST = "pages.meridian.example"


@pytest.fixture
def refused(answer):
    """Reads a page that must be refused; returns the error."""

    async def read(path):
        result = await answer("scrape_page", {"url": f"https://{HOST}/{path}"})
        assert result.is_error
        return result.structured["error"]

    return read


@pytest.mark.parametrize("status", [200, 202, 403, 405, 429, 503])
async def test_a_challenge_is_a_wall_whatever_its_status_and_asked_for_once_each_way(
    refused, internet, status
):
    error = await refused(f"challenge/{status}")

    assert (error["kind"], error["retryable"]) == ("blocked", False)
    assert "uses bot detection" in error["detail"]
    assert "stealth: bot challenge" in error["detail"]
    assert len(internet.requests_to(HOST)) == 2


async def test_a_question_about_cookies_is_no_page(refused):
    error = await refused("cookies")

    assert error["kind"] == "blocked"
    assert "answered HTTP 200, a cookie consent page." in error["detail"]


async def test_a_refusal_that_no_standard_knows_is_one_all_the_same(refused, internet):
    internet.breaks(HOST, status=999)

    error = await refused("article")

    assert error["kind"] == "blocked"
    assert "stealth: HTTP 999, html: HTTP 999" in error["detail"]
    assert len(internet.requests_to(HOST)) == 2
