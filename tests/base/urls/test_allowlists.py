"""Allowlists of hosts for open copies, and the change that would admit another host."""

import pytest

from sourcewright.base.errors import Denial
from sourcewright.base.urls.allowlists import (
    ACADEMIC_REPOS,
    OA_PUBLISHER_HOSTS,
    OA_REGISTRIES,
    RESOLVER_HOSTS,
    host_matches,
    oa_publisher_hosts,
    remediations,
)


def refused(host, **facts):
    plain = {
        "reason": "redirect_not_in_allowlist",
        "source": "oa-publisher",
        "expected": ("x.org",),
    }
    return Denial(**(plain | {"attempted": host} | facts))


def suggested(host, **facts):
    return [(one.kind, one.value) for one in remediations(refused(host, **facts))]


def hosts(*values):
    return [("additional_host", value) for value in values]


@pytest.mark.parametrize(
    ("host", "pattern", "permitted"),
    [
        ("arxiv.org", "arxiv.org", True),
        ("ARXIV.org", "arxiv.org", True),
        ("export.arxiv.org", "arxiv.org", False),
        ("export.arxiv.org", "*.arxiv.org", True),
        ("arxiv.org", "*.arxiv.org", True),
        ("a.b.arxiv.org", "*.arxiv.org", True),
        ("notarxiv.org", "*.arxiv.org", False),
        ("arxiv.org.evil.example", "*.arxiv.org", False),
        ("", "*.arxiv.org", False),
    ],
)
def test_a_pattern_stands_for_one_host_or_for_a_name_and_all_below_it(host, pattern, permitted):
    assert host_matches(host, [pattern]) is permitted


def test_without_more_trust_only_the_known_publishers_are_allowed():
    assert (
        oa_publisher_hosts((), trust_academic=False, trust_registries=False) == OA_PUBLISHER_HOSTS
    )


@pytest.mark.parametrize(
    ("trust", "host"),
    [
        ({"trust_academic": True, "trust_registries": False}, "eprints.lyonesse.ac.uk"),
        ({"trust_academic": False, "trust_registries": True}, "zenodo.org"),
    ],
)
def test_trust_adds_its_own_list_and_no_other(trust, host):
    none = oa_publisher_hosts((), trust_academic=False, trust_registries=False)
    one = oa_publisher_hosts((), **trust)

    added = ACADEMIC_REPOS if trust["trust_academic"] else OA_REGISTRIES
    assert set(one) - set(none) == set(added)
    assert (host_matches(host, none), host_matches(host, one)) == (False, True)


def test_a_host_of_the_user_is_added_once():
    given = oa_publisher_hosts(
        ("repo.example.org", "*.plos.org"), trust_academic=False, trust_registries=False
    )

    assert given == (*OA_PUBLISHER_HOSTS, "repo.example.org")


def test_resolvers_are_on_no_list():
    everything = oa_publisher_hosts((), trust_academic=True, trust_registries=True)

    assert not any(host_matches(host, everything) for host in RESOLVER_HOSTS)


@pytest.mark.parametrize(
    ("host", "suggestions"),
    [
        ("pdf.lakeside.example", hosts("pdf.lakeside.example", "*.lakeside.example", "lakeside.example")),
        ("PDF.Lakeside.Example.", hosts("pdf.lakeside.example", "*.lakeside.example", "lakeside.example")),
        ("lakeside.example", hosts("lakeside.example", "*.lakeside.example")),
        ("a.b.lakeside.example", hosts("a.b.lakeside.example", "*.b.lakeside.example", "b.lakeside.example")),
        ("lakeside.co.uk", hosts("lakeside.co.uk")),
        ("lakeside.or.jp", hosts("lakeside.or.jp")),
        ("pdf.lakeside.co.uk", hosts("pdf.lakeside.co.uk", "*.lakeside.co.uk", "lakeside.co.uk")),
        ("lakeside.co.example", hosts("lakeside.co.example", "*.co.example", "co.example")),
    ],
)  # fmt: skip
def test_the_narrowest_change_comes_first_and_no_shared_domain_is_suggested(host, suggestions):
    assert suggested(host) == suggestions


@pytest.mark.parametrize(
    ("host", "flag"),
    [
        ("eprints.lyonesse.ac.uk", "SOURCEWRIGHT_TRUST_ACADEMIC_REPOS"),
        ("files.zenodo.org", "SOURCEWRIGHT_TRUST_OA_REGISTRIES"),
    ],
)
def test_a_host_of_a_curated_list_is_also_let_in_by_its_flag(host, flag):
    assert suggested(host)[-1] == ("trust_flag", flag)
    assert suggested(host)[0] == ("additional_host", host)


@pytest.mark.parametrize(
    "facts",
    [
        {"reason": "insecure_scheme"},
        {"reason": "ssrf_private_address"},
        {"reason": "content_type_mismatch"},
        {"reason": "host_in_block_list", "expected": None},
        {"source": "crossref"},
        {"attempted": None},
        {"attempted": "127.0.0.1"},
        {"attempted": "lakeside.example:8443"},
        {"attempted": "localhost"},
        {"attempted": "doi.org"},
        {"attempted": "*.example.org"},
    ],
)
def test_what_no_longer_list_would_change_gets_no_suggestion(facts):
    assert remediations(refused("pdf.lakeside.example")) != ()
    assert remediations(refused("pdf.lakeside.example", **facts)) == ()


def test_every_suggested_host_would_let_the_refused_one_in():
    for host in ("pdf.lakeside.example", "lakeside.example", "x.ac.uk"):
        narrow, *wide = (value for kind, value in suggested(host) if kind == "additional_host")

        assert host_matches(host, [narrow])
        assert all(host_matches(host, [one]) for one in wide if one.startswith("*."))
