"""Bot challenges: whether the markup of a page is one."""

import re

_MAX_MARKUP = 100_000


_MAX_CHALLENGE_TEXT = 200


_CHALLENGE_MARKUP = re.compile(
    rb"_cf_chl_opt|cf-browser-verification|challenge-error-text"
    rb"|captcha-delivery\.com|px-captcha|_Incapsula_Resource\?[A-Z]WUDNSAI"
    rb"|awsWafCookieDomainList|AwsWafIntegration|bm-verify=|/_sec/verify\?provider="
    rb"|KPSDK|sucuri_cloudproxy_js|/\.within\.website/|ddos-guard/js-challenge"
)
"""Markup of bot challenges; large pages behind one may contain some of it too."""


_CHALLENGE_TITLE = re.compile(
    rb"<title>\s{0,20}(?:just a moment|attention required! \| cloudflare|ddos-guard"
    rb"|checking your browser|access denied \| .{1,80} used cloudflare)",
    re.IGNORECASE,
)


def is_challenge_response(markup: bytes) -> bool:
    """Whether the body of a failed response is a bot challenge, and not the failure itself."""
    start = markup[:_MAX_MARKUP]
    return bool(_CHALLENGE_TITLE.search(start)) or has_challenge_markup("", markup)


def has_challenge_markup(text: str, markup: bytes) -> bool:
    """Whether a small page with almost no text has the markup of a bot challenge."""
    is_small = len(text) <= _MAX_CHALLENGE_TEXT and len(markup) <= _MAX_MARKUP
    return is_small and bool(_CHALLENGE_MARKUP.search(markup))
