"""The sites that need no key, refusing as the real ones do."""

from urllib.parse import urlencode

import pytest

WIKI = {"action": "query", "list": "search", "format": "json", "formatversion": "2"}
FILES = WIKI | {"generator": "search", "gsrnamespace": "6", "prop": "imageinfo"}


def wiki(visitor, host="en.wikipedia.org", **params):
    return visitor.ask(host, f"/w/api.php?{urlencode(WIKI | params)}")


def gdelt(visitor, **params):
    arguments = {"mode": "artlist", "format": "json"} | params
    return visitor.ask("api.gdeltproject.org", f"/api/v2/doc/doc?{urlencode(arguments)}")


def openverse(visitor, **params):
    return visitor.ask("api.openverse.org", f"/v1/images/?{urlencode(params)}")


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"srsearch": ""}, "missingparam"),
        ({"srsearch": "x" * 301}, "cirrussearch-query-too-long"),
        ({"srsearch": "x", "srlimit": "501"}, "badinteger"),
        ({"srsearch": "x", "action": "edit"}, "unknown_action"),
    ],
)
def test_a_wiki_complains_with_the_status_of_a_success(visitor, params, code):
    answer = wiki(visitor, **params)

    assert (answer.status, answer.json["error"]["code"]) == (200, code)


def test_every_edition_has_articles_in_its_own_language(visitor):
    english, german = (
        {
            one["title"]
            for one in wiki(visitor, host, srsearch="glacier otter").json["query"]["search"]
        }
        for host in ("en.wikipedia.org", "de.wikipedia.org")
    )

    assert english
    assert german
    assert not english & german


def test_commons_says_less_where_it_finds_nothing(visitor):
    host = "commons.wikimedia.org"

    found = visitor.ask(host, f"/w/api.php?{urlencode(FILES | {'gsrsearch': 'otter'})}").json
    nothing = visitor.ask(host, f"/w/api.php?{urlencode(FILES | {'gsrsearch': 'xyzzy'})}").json

    assert found["query"]["pages"][0]["title"].startswith("File:")
    assert nothing == {"batchcomplete": True}


@pytest.mark.parametrize(
    ("params", "status"),
    [
        ({"q": "otter", "page_size": "20"}, 200),
        ({"q": "otter", "page_size": "21"}, 401),
        ({"q": "otter", "page_size": "0"}, 400),
        ({"q": "otter", "size": "vast"}, 400),
    ],
)
def test_openverse_gives_twenty_to_strangers(visitor, params, status):
    assert openverse(visitor, **params).status == status


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("ab", "too short or too long"),
        ('"Iran"', "phrase is too short"),
        ("(otter)", "Parentheses"),
        ("otter OR seal", "surrounded by ()"),
        ("covid-19", "illegal character"),
    ],
)
def test_gdelt_refuses_in_words_with_the_status_of_a_success(visitor, query, words):
    answer = gdelt(visitor, query=query)

    assert (answer.status, answer.headers.get_content_type()) == (200, "text/html")
    assert words in answer.text


def test_gdelt_says_nothing_at_all_where_it_finds_nothing(visitor):
    assert gdelt(visitor, query="xyzzy plugh").json == {}
    assert gdelt(visitor, query="(otter OR glacier) sourcelang:eng").json["articles"]
