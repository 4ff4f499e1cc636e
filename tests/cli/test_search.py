"""`sourcewright search` and `sourcewright lenses`, as a person runs them."""

import json
from typing import get_args
from urllib.parse import parse_qsl

import pytest

from sourcewright.cli.exit_codes import RESEARCH_EXIT_CODES
from sourcewright.cli.render import RESEARCH_ADVICE
from sourcewright.tools._failures.research import Action, Kind

BRAVE = "api.search.brave.com"
KEY = {"BRAVE_API_KEY": "an-invented-key-of-brave"}
ONE = {"SEARCH_PROVIDER": "brave", **KEY}
LONG = "Slow water turns a wheel, and the wheel turns slow water into light. " * 5
PAGE = {
    "title": "Tides at work",
    "url": "https://www.tides.example/a?b=c",
    "description": LONG,
    "page_age": "2024-03-01T10:00:00",
}


def params_of(seen):
    return dict(parse_qsl(seen.query))


@pytest.fixture
def brave(internet):
    """Lets Brave find these pages."""

    def finds(*pages):
        listing = {"type": "search", "query": {"original": "x"}, "web": {"results": list(pages)}}
        internet.says(BRAVE, listing)

    return finds


def test_a_page_of_which_nothing_is_quoted_has_no_empty_line(cli, brave):
    brave({**PAGE, "description": ""})

    lines = cli("search", "tides", **ONE).stdout.splitlines()

    assert len(lines) == 3
    assert all(line.strip() for line in lines)


def test_pages_are_numbered_with_address_host_date_and_a_wrapped_snippet(cli, brave):
    brave(PAGE, {**PAGE, "title": "Second", "url": "https://b.example/"})

    done = cli("search", "tides", "work", COLUMNS="50", **ONE)

    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[:3] == [
        "  1. Tides at work",
        "     https://www.tides.example/a?b=c",
        "     www.tides.example, 2024-03-01",
    ]
    second = lines.index("  2. Second")
    assert " ".join(line.strip() for line in lines[3:second]) == LONG.strip()
    assert second > 8
    assert max(map(len, lines)) <= 50


def test_wide_letters_are_wrapped_by_the_room_that_they_take(cli, brave):
    brave({**PAGE, "description": "潮" * 60})

    done = cli("search", "tides", COLUMNS="50", **ONE)

    wide = [line.strip() for line in done.stdout.splitlines() if "潮" in line]
    assert "".join(wide) == "潮" * 60
    assert max(map(len, wide)) == 22


def test_reputation_and_the_claims_signal_stand_with_the_page(cli, brave, tmp_path):
    rating = {"tier": "mixed", "basis": "an invented rule"}
    rated = tmp_path / "rated.json"
    rated.write_text(json.dumps({"domains": {"tides.example": rating}}), encoding="utf-8")
    brave({**PAGE, "description": "Nobody rows. A wheel turns water into light."})

    done = cli(
        *("search", "tides", "--claim", "a wheel turns water into light"),
        SOURCEWRIGHT_REPUTATION_PATH=str(rated),
        **ONE,
    )

    assert "reputation mixed (an invented rule)" in done.stdout
    assert "closest to the claim: A wheel turns water into light." in done.stdout


def test_the_structured_form_is_what_a_client_gets(cli, brave):
    brave(PAGE)

    done = cli("search", "tides", "work", "--json", **ONE)

    answer = json.loads(done.stdout)
    assert answer["query"] == "tides work"
    assert answer["urls"] == ["https://www.tides.example/a?b=c"]
    assert answer["trust"] == "untrusted-external-content"


def test_no_page_can_act_on_a_terminal(cli, brave):
    brave({**PAGE, "title": "red \x1b[31m \u202e backwards", "description": "\x9b2J gone \x07"})

    done = cli("search", "tides", **ONE)

    assert "backwards" in done.stdout
    assert not set(done.stdout) & set("\x1b\x9b\u202e\x07")


def test_every_option_reaches_the_engine_in_its_own_words(cli, internet):
    words = "--site arxiv.org --time-range month --language de --country gb --safe high -n 3"

    cli("search", "tides", *words.split(), "--exact", "slow water", "--exclude", "wind", **ONE)

    [requests] = internet.requests_to(BRAVE)
    params = params_of(requests)
    assert {"site:arxiv.org", '"slow', 'water"', "-wind"} <= set(params["q"].split())
    assert (params["freshness"], params["safesearch"], params["count"]) == ("pm", "strict", "3")
    assert (params["search_lang"], params["country"]) == ("de", "GB")


def test_articles_and_pictures_have_lists_of_their_own(cli, internet):
    news = cli("search", "tidal", "--news", "--time-range", "year", "--safe", "high", **ONE)
    images = cli("search", "tidal", "--images", **ONE)

    assert news.stdout.startswith("  1. ")
    assert images.stdout.startswith("  1. ")
    assert ".jpg\n" in images.stdout
    assert " x " in images.stdout
    assert "     on https://" in images.stdout
    requests = [(one.path, params_of(one)["safesearch"]) for one in internet.requests_to(BRAVE)]
    assert requests == [("/res/v1/news/search", "strict"), ("/res/v1/images/search", "strict")]


@pytest.mark.parametrize("kind", [(), ("--news", "--time-range", "year"), ("--images",)])
def test_without_any_key_something_is_found(cli, kind):
    done = cli("search", "tidal", "energy", *kind)

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("  1. ")


def test_a_filter_that_was_ignored_is_said_by_the_options_name(cli):
    images = cli("search", "tidal", "--images", "--dominant-color", "teal", **ONE)
    news = cli("search", "tidal", "--news", "--sort", "date", "--time-range", "year", **ONE)

    assert "filters ignored: --dominant-color\n" in images.stdout
    assert "filters ignored: --sort\n" in news.stdout


def test_a_number_out_of_range_is_moved_into_it_and_said(cli, internet):
    done = cli("search", "tidal", "-n", "99", **ONE)

    assert "--number 99 is out of range" in done.stdout
    assert params_of(internet.requests_to(BRAVE)[0])["count"] == "10"


def test_nothing_found_is_an_answer_with_what_to_try(cli):
    done = cli("search", "zyxwv", "--site", "nobody.example", "--exact", "zyx", **ONE)

    assert done.returncode == 0
    assert done.stdout.startswith("no results\n")
    assert "queried  brave" in done.stdout
    assert "try      without --exact zyx" in done.stdout
    assert "try      without --site nobody.example" in done.stdout
    assert "does not prove that nothing exists" in " ".join(done.stdout.split())
    assert "from memory" not in " ".join(done.stdout.split())


def test_the_second_answer_comes_from_the_cache_and_says_so(cli, internet):
    first, second = (cli("search", "tidal", **ONE) for _ in range(2))

    assert second.stdout == first.stdout
    assert "from the cache" not in first.stderr
    assert "from the cache" in second.stderr
    assert len(internet.requests_to(BRAVE)) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--news", "--size", "large"), "--size applies to images, not to a search for news"),
        (("--images", "--site", "a.org"), "--site applies to pages and news"),
        (("--sort", "date"), "--sort applies to news, not to a search for pages"),
        (("--images", "--claim", "it is so"), "--claim applies to pages"),
        (("--time-range", "hour"), "--time-range hour applies to news only"),
        (("--safe", "rather"), "'rather' is not one of 'off', 'medium', 'high'"),
    ],
)
def test_an_option_that_the_search_cannot_honour_is_refused_unasked(cli, internet, words, message):
    done = cli("search", "tidal", *words, **ONE)

    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert internet.seen == []


@pytest.mark.parametrize(
    ("words", "code", "kind"),
    [
        (("--lens", "monocle"), 2, "validation"),
        (("--images", "--size", "vast"), 2, "validation"),
        (("--provider", "altavista"), 2, "config"),
        (("--provider", "serper"), 3, "config"),
    ],
)
def test_a_question_that_cannot_be_asked_ends_with_its_kind(cli, words, code, kind):
    done = cli("search", "tidal", *words, **KEY)

    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith(f"error[{kind}]: ")
    assert "  = help: " in done.stderr


@pytest.mark.parametrize(
    ("status", "code", "kind", "advice"),
    [
        (401, 3, "auth_required", "check the API key"),
        (403, 3, "blocked", "change the request"),
        (429, 1, "rate_limited", "wait 60 seconds"),
        (500, 1, "upstream_unavailable", "--provider"),
    ],
)
def test_an_engine_that_fails_is_an_error_and_never_an_empty_list(
    cli, internet, status, code, kind, advice
):
    internet.breaks(BRAVE, status=status)

    done = cli("search", "tidal", **ONE)

    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith(f"error[{kind}]: brave")
    assert advice in done.stderr


def test_an_error_for_a_program_has_the_same_exit_code(cli, internet):
    internet.breaks(BRAVE, status=401)

    done = cli("search", "tidal", "--json", **ONE)

    assert done.returncode == 3
    assert json.loads(done.stdout)["error"]["suggestedAction"] == "check_api_key"


def test_a_failure_is_as_readable_when_the_tool_is_called_by_its_name(cli):
    done = cli("tool", "web_search", "--query", "tidal", "--lens", "monocle")

    assert done.returncode == 2
    assert done.stderr.startswith("error[validation]: unknown lens 'monocle'")


def test_everything_that_an_engine_needs_is_named(cli):
    both = "set GOOGLE_CUSTOM_SEARCH_API_KEY and GOOGLE_CUSTOM_SEARCH_ID"

    refused = cli("search", "tidal", "--provider", "google")
    doctor = cli("doctor", "--json")

    assert both in refused.stderr
    answer = {row["subject"]: row for row in json.loads(doctor.stdout)["findings"]}
    assert answer["google"]["advice"].startswith(both)
    assert answer["duckduckgo"]["detail"] == "configured"


def test_the_lenses_are_listed_and_one_of_the_operators_is_among_them(cli, tmp_path):
    folder = tmp_path / "lenses"
    folder.mkdir()
    lens = {"name": "harbours", "description": "Harbours", "domains": ["a.example", "b.example"]}
    (folder / "mine.json").write_text(json.dumps([lens]), encoding="utf-8")

    shown = cli("lenses", CUSTOM_LENSES_PATH=str(folder))
    listed = cli("lenses", "--json", CUSTOM_LENSES_PATH=str(folder))

    assert "harbours\t2\tHarbours" in shown.stdout.splitlines()
    catalog = json.loads(listed.stdout)["lenses"]
    assert len(catalog) == len(shown.stdout.splitlines()) - 1


def test_every_kind_has_an_exit_code_and_every_action_an_advice():
    assert set(RESEARCH_EXIT_CODES) == set(get_args(Kind))
    assert set(RESEARCH_ADVICE) == set(get_args(Action))
