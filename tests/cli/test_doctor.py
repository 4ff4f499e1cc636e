"""What `sourcewright doctor` shows first, what it folds, and what it calls configured."""

import json

import pytest


def findings_of(cli, *words, **changes):
    done = cli("doctor", "--json", *words, **changes)
    return {one["subject"]: one for one in json.loads(done.stdout)["findings"]}


def test_what_is_optional_is_one_paragraph_and_all_of_it_is_listed_on_request(cli):
    brief = cli("doctor").stdout
    short, long = cli("doctor", "--all").stdout, cli("doctor", "--verbose").stdout

    assert "set SEARXNG_URL to use it" not in brief
    assert brief.count("searxng") == 1
    assert "`sourcewright doctor --all` says what turns each on" in brief
    assert len(brief.splitlines()) < 12
    assert short == long
    assert "set SEARXNG_URL to use it" in short
    assert len(short.splitlines()) > 60


def test_what_costs_the_user_most_comes_before_what_is_optional(cli, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")

    done = cli("doctor", CONTACT_EMAIL="", DOIGET_STORE_ROOT=str(blocked / "papers"))

    places = [
        done.stdout.index(part)
        for part in ("problem   library", "note      downloads", "optional sources", "ok  ")
    ]
    assert done.returncode == 1
    assert places == sorted(places)


@pytest.mark.parametrize(
    "key", ["your-api-key", "YOUR_API_KEY", "<key>", "xxxxxxxx", "changeme", "API_KEY", "****"]
)
def test_a_placeholder_is_no_key(cli, internet, key):
    for words in ((), ("--online",)):
        brave = findings_of(cli, *words, BRAVE_API_KEY=key)["brave"]

        assert brave["grade"] == "problem"
        assert brave["detail"] == "BRAVE_API_KEY is a placeholder, so no request can succeed"
    assert "api.search.brave.com" not in {seen.host for seen in internet.seen}


def test_a_key_is_set_until_it_was_tested(cli, internet):
    untested = findings_of(cli, SERPER_API_KEY="a4-b7")["serper"]
    accepted = findings_of(cli, "--online", SERPER_API_KEY="a4-b7")["serper"]
    internet.breaks("google.serper.dev", status=403)
    refused = findings_of(cli, "--online", SERPER_API_KEY="a4-b7")["serper"]

    assert "not tested" in untested["detail"]
    assert "--online" in untested["detail"]
    assert (accepted["grade"], accepted["detail"]) == ("ok", "answers")
    assert refused["grade"] == "problem"
    assert "403" in refused["detail"]


def test_sources_of_every_kind_are_asked_and_the_others_say_that_they_were_not(cli):
    rows = findings_of(cli, "--online", SOURCEWRIGHT_OSM="1", FRED_API_KEY="f3d")

    for name in ("wikipedia", "gdelt", "courtlistener", "clinicaltrials", "fred", "openstreetmap"):
        assert rows[name]["detail"] == "answers", name
    assert rows["youtube"]["detail"] == "configured; there is no test request for it"
