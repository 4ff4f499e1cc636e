"""What stands in front of pages: the words and the marks of those who keep machines out."""

import re

WALLS = re.compile(
    r"checking (?:if the site connection is secure|your browser)"
    r"|verify(?:ing)? (?:that )?you(?: are|.re) (?:a )?(?:human|not a (?:ro)?bot)"
    r"|(?:make|making) sure you.re not a (?:ro)?bot|are you a robot"
    r"|complet(?:e|ing) the (?:captcha|security check)|solve th(?:e|is) captcha"
    r"|made us think (?:that )?you (?:are|were|might be) a bot"
    r"|enable javascript and cookies to continue|please enable (?:cookies|javascript) to continue"
    r"|please enable js and disable any ad blocker|(?:we.re )?verifying your browser"
    r"|access to this page has been denied|unusual traffic from your"
    r"|blocked due to a network policy|vercel security checkpoint"
    r"|ddos protection by|performance (?:&|and) security by cloudflare"
    r"|proof.of.work challenge|press (?:&|and) hold to confirm"
    r"|request unsuccessful\. incapsula|please turn javascript on and reload",
    re.IGNORECASE,
)
"""What they write, of which a short page is judged."""

_LOOK = 100_000
_LONGEST = 200
_MARKS = re.compile(
    rb"_cf_chl_opt|cf-browser-verification|challenge-error-text"
    rb"|captcha-delivery\.com|px-captcha|_Incapsula_Resource\?[A-Z]WUDNSAI"
    rb"|awsWafCookieDomainList|AwsWafIntegration|bm-verify=|/_sec/verify\?provider="
    rb"|KPSDK|sucuri_cloudproxy_js|/\.within\.website/|ddos-guard/js-challenge"
)
"""What their scripts and forms are called; large pages behind them may have some of these too."""


_CONSENT = re.compile(
    rb"<form[^>]{0,500}action=[\"']?https://consent\.[a-z]{1,30}\.", re.IGNORECASE
)


def asks_consent(markup: bytes) -> bool:
    """Whether a form for consent to cookies is there, in whichever language."""
    return bool(_CONSENT.search(markup[:_LOOK]))


def is_walled(text: str, markup: bytes) -> bool:
    """Whether markup that shows next to nothing is there to find out who asks."""
    is_small = len(text) <= _LONGEST and len(markup) <= _LOOK
    return is_small and bool(_MARKS.search(markup))
