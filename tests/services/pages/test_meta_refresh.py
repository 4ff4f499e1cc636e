"""Meta refresh: pages that only redirect to another."""

import pytest

from sourcewright.reading.interstitials import meta_refresh_target

URL = "https://a.example/docs/old.html"


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=new.html", "https://a.example/docs/new.html"),
        ("0;URL='https://b.example/x'", "https://b.example/x"),
        ("5; /en/", "https://a.example/en/"),
        ("1.5, url = &quot;/q?a=1&amp;b=2&quot;", "https://a.example/q?a=1&b=2"),
        ("0; url=#top", None),
        ("0; url=old.html", None),
        ("0", None),
        ("", None),
        ("600; url=/later", None),
        ("0; url=javascript:alert(1)", None),
        ("0; url=http://[broken", None),
        ("soon; url=/x", None),
    ],
)
def test_a_signpost_names_its_target(content, target):
    page = f'<html><head><META HTTP-EQUIV="Refresh" content="{content}"></head></html>'

    assert meta_refresh_target(page.encode(), URL) == target


@pytest.mark.parametrize(
    "page",
    [
        b'<noscript><meta http-equiv="refresh" content="0; url=/nojs"></noscript>',
        b'<!-- <meta http-equiv="refresh" content="0; url=/x"> -->',
        b"<script>\"<meta http-equiv=refresh content='0; url=/x'>\"</script>",
        b"<meta http-equiv=refresh content=\"5; URL='/?bm-verify=AAQ'\">",
        b'<meta http-equiv="refresh" content="0; url=/x">' + b"<p>Much to say.</p>" * 2000,
    ],
)
def test_what_is_no_signpost_leads_nowhere(page):
    assert meta_refresh_target(page, URL) is None
