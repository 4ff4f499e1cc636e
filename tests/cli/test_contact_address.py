"""An address that nobody has: what sends none works, and what would send it says what is wrong."""

import json

import pytest

PLACEHOLDER, MALFORMED = "me@example.org", "a professor"
PAPER = "10.5555/fine-paper"


@pytest.mark.parametrize("address", [PLACEHOLDER, MALFORMED])
@pytest.mark.parametrize(
    "words",
    [
        ("log", "verify"),
        ("library", "search", "ice"),
        ("lenses",),
        ("config", "show"),
        ("bib", "--all"),
        ("capabilities",),
        ("search", "harbour bells"),
    ],
)
def test_a_command_that_needs_no_address_works(cli, words, address):
    done = cli(*words, CONTACT_EMAIL=address)

    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["CONTACT_EMAIL", "UNPAYWALL_EMAIL", "SCIHUB_CLI_EMAIL"])
def test_the_address_of_a_download_is_refused_by_its_name(cli, internet, name):
    done = cli("download", PAPER, **{"CONTACT_EMAIL": "", name: PLACEHOLDER})

    assert done.returncode == 3
    assert f"{name} (environment): is the placeholder '{PLACEHOLDER}'" in done.stderr
    assert internet.seen == []


def test_a_tool_whose_source_requires_an_address_says_what_is_wrong_with_it(cli):
    done = cli("filings", "annual report", CONTACT_EMAIL=PLACEHOLDER)

    assert done.returncode == 3
    assert (
        f"correct CONTACT_EMAIL (environment): is the placeholder '{PLACEHOLDER}'" in done.stderr
    )


def test_sources_that_take_any_caller_are_queried_without_it_and_the_user_is_told(cli, internet):
    done = cli("resolve", PAPER, CONTACT_EMAIL=PLACEHOLDER)

    assert done.returncode == 0, done.stderr
    assert "it was sent to no source" in done.stderr
    hosts = {seen.host for seen in internet.seen}
    assert "api.crossref.org" in hosts
    assert "api.unpaywall.org" not in hosts
    assert not any("example.org" in str(seen) for seen in internet.seen)


def test_without_its_copies_unpaywall_is_named_with_the_reason(cli):
    done = cli("fetch", "10.5555/closed-paper", "--json", CONTACT_EMAIL=PLACEHOLDER)

    assert "placeholder" in done.stdout
    assert json.loads(done.stdout)["pdf"]["status"] != "no_oa_url"


def test_the_doctor_reports_the_address_as_a_problem(cli):
    done = cli("doctor", CONTACT_EMAIL=PLACEHOLDER)

    assert done.returncode == 1
    assert "is the placeholder" in done.stdout


def test_an_entry_of_a_client_is_refused_with_it(cli):
    done = cli("setup", "cursor", "--print", "--env", f"CONTACT_EMAIL={PLACEHOLDER}")

    assert done.returncode == 2
    assert "placeholder" in done.stderr


def test_a_server_starts_with_a_placeholder_and_says_that_it_is_not_sent(cli):
    done = cli("serve", CONTACT_EMAIL=PLACEHOLDER)

    assert done.returncode == 0, done.stderr
    assert "it is sent to no source" in done.stderr


def test_a_server_of_downloads_alone_does_not_start_with_it(cli):
    done = cli("serve", "--toolset", "downloads", CONTACT_EMAIL=PLACEHOLDER)

    assert done.returncode == 2
    assert "placeholder" in done.stderr
