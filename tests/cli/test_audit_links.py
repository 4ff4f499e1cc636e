"""`sourcewright audit` of links: dead, blocked, leading to a home page and moved are told apart."""

import json

import pytest

NEWS = "https://www.harbour-times.example"
HOME = "https://museum.faro.example/"
LIST = """@misc{gone, title={A page that is gone}, url={https://www.harbour-times.example/2014/gone}}
@misc{home, title={A page that leads home}, url={https://signposts.example/article/1}}
@misc{moved, title={A page that has moved}, url={https://signposts.example/article/2}}
@misc{blocked, title={A page behind a wall}, url={https://signposts.example/article/3}}
"""


@pytest.fixture
def listed(tmp_path, internet):
    path = tmp_path / "links.bib"
    path.write_text(LIST, encoding="utf-8")
    internet.redirects("signposts.example", to=HOME, path="/article/1")
    internet.says("museum.faro.example", b"<p>home</p>", path="/", content_type="text/html")
    internet.redirects("signposts.example", to=f"{NEWS}/tides", path="/article/2")
    internet.says(
        "www.harbour-times.example", b"<p>here</p>", path="/tides", content_type="text/html"
    )
    internet.breaks("signposts.example", status=403, path="/article/3")
    return str(path)


def test_each_state_of_a_link_is_named_in_the_structured_result(cli, listed):
    entries = json.loads(cli("audit", listed, "--json").stdout)["entries"]

    states = {one["key"]: one["linkState"] for one in entries}
    assert states == {
        "gone": "dead",
        "home": "front_page",
        "moved": "moved",
        "blocked": "blocked",
    }
    by_key = {one["key"]: one for one in entries}
    assert by_key["gone"]["archivedUrl"].startswith("https://web.archive.org/")
    assert by_key["home"]["archivedUrl"].startswith("https://web.archive.org/")
    assert by_key["home"]["finalUrl"] == HOME
    assert by_key["moved"]["finalUrl"] == f"{NEWS}/tides"
    assert [one["key"] for one in entries if "dead_link" in one["flags"]] == ["gone"]
    assert by_key["blocked"]["linkLive"] is True


def test_a_person_sees_each_state_and_what_to_do(cli, listed):
    table = cli("audit", listed).stdout

    for words in ("dead link (404)", "link leads to a home page", "link has moved"):
        assert words in table
    assert "link refused the check (403)" in table
    assert "cite the archived copy" in table
    assert f"{NEWS}/tides" in table


def test_reports_show_each_state(cli, listed):
    page = cli("audit", listed, "--html").stdout
    log = json.loads(cli("audit", listed, "--sarif").stdout)

    assert "link leads to a home page" in page
    assert "web.archive.org" in page
    found = [(one["ruleId"], one["level"]) for one in log["runs"][0]["results"]]
    for finding in (
        ("dead_link", "warning"),
        ("front_page_link", "warning"),
        ("moved_link", "note"),
        ("blocked_link", "note"),
    ):
        assert finding in found
