"""Interstitials: bot challenges (captcha), consent forms, JavaScript-only pages, meta refresh.

What stands in front of pages: the words and the marks of those who keep machines out.
Finds where a page that is only a signpost sends its readers on.
Sites whose pages are built by their scripts, known by their address alone.
"""

import re
from typing import Literal
from urllib.parse import urljoin, urlsplit

from sourcewright.logic.html.tags import tags
from sourcewright.logic.urls.canonical import host_of, is_on, without_anchor

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


Verdict = Literal["ok", "empty", "wall", "consent", "login", "shell"]

_LEAST_LETTERS = 100
_LONGEST_WALL = 2048
_LONGEST_DENIAL = 600
_LONGEST_CONSENT = 8192
_SHELL_BYTES = 2048
_SHELL_RATIO = 20
_WEIGHED = 4096
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u9fff]")
_DENIALS = re.compile(
    r"just a moment\W|attention required|access denied|bot protection|you have been blocked"
    r"|enter the characters you see below|before you continue to (?:google|youtube)"
    r"|enable javascript before you are allowed to see",
    re.IGNORECASE,
)
"""Words that an article may have as well, and that only a very short page is judged by."""

_LOGIN_STEPS = frozenset(
    {
        *("login", "log-in", "log_in", "logon", "signin", "sign-in", "sign_in", "sso"),
        *("authenticate", "authwall"),
    }
)
_LOGIN_HOSTS = frozenset({"login", "signin", "sso", "auth", "accounts"})
_CONSENT_STEPS = frozenset(
    {"consent", "collectconsent", "cookie-consent", "cookiewall", "cookie-wall", "privacywall"}
)
_CONSENT_HOSTS = frozenset({"consent", "cookiewall", "guce", "myprivacy", "privacywall"})
_LOGIN = (_LOGIN_HOSTS, _LOGIN_STEPS)
_CONSENT_URLS = (_CONSENT_HOSTS, _CONSENT_STEPS)


def judge(
    text: str, *, markup_bytes: int, markup: bytes = b"", asked: str = "", found: str = ""
) -> Verdict:
    """What the text of a page of so many bytes amounts to. Any script counts alike.

    `asked` and `found` are the address that was asked for and the one where the page was.
    """
    if _is_in_front(text, markup):
        return "wall"
    if _is_question(text, markup) or _leads_to(_CONSENT_URLS, asked, found):
        return "consent"
    if len(text) <= _LONGEST_WALL and _leads_to(_LOGIN, asked, found):
        return "login"
    letters = _weight(text[:_WEIGHED])
    if letters < _LEAST_LETTERS:
        return "empty" if letters < _LEAST_LETTERS // 4 else "shell"
    size = len(text.encode())
    if size <= _SHELL_BYTES and markup_bytes >= _SHELL_RATIO * size:
        return "shell"
    return "ok"


def _weight(text: str) -> int:
    """Letters and digits; of scripts without spaces each says as much as several of ours."""
    unspaced = len(_UNSPACED.findall(text))
    return sum(character.isalnum() for character in text) + 3 * unspaced


def _is_in_front(text: str, markup: bytes) -> bool:
    """Whether this is what guards of sites show to whoever they take for a machine."""
    if len(text) <= _LONGEST_WALL and WALLS.search(text):
        return True
    return len(text) <= _LONGEST_DENIAL and (
        bool(_DENIALS.search(text)) or is_walled(text, markup)
    )


def _is_question(text: str, markup: bytes) -> bool:
    return len(text) <= _LONGEST_CONSENT and asks_consent(markup)


def _leads_to(signs: tuple[frozenset[str], frozenset[str]], asked: str, found: str) -> bool:
    """Whether somebody who asked for a page was sent to another first that has these signs."""
    return _has(signs, found) and not _has(signs, asked)


def _has(signs: tuple[frozenset[str], frozenset[str]], url: str) -> bool:
    hosts, known = signs
    try:
        parts = urlsplit(url)
        first = (parts.hostname or "").partition(".")[0]
    except ValueError:
        return False
    steps = (step.partition(".")[0] for step in parts.path.lower().split("/"))
    return first in hosts or any(step in known for step in steps)


_LARGEST = 16 * 1024
"""A signpost needs no more; a larger page has something to say itself."""
_SOON_SECONDS = 10
# Nothing is tried in two ways, so that no row of blanks takes longer than its length.
_REFRESH = re.compile(
    r"\s*+([0-9]{1,5}+)(?:\.[0-9]*+)?+\s*+[;,]\s*+(?:url\s*+=\s*+)?+[\"']?+\s*+([^\"'\s][^\"']*+)",
    re.IGNORECASE,
)
_WEB = re.compile(r"https?://", re.IGNORECASE)


def sends_on_to(markup: bytes, url: str) -> str | None:
    """The address that a page at `url` leads to soon; None where it stays, or renews itself."""
    if len(markup) > _LARGEST or is_walled("", markup):
        return None
    for tag in tags(markup):
        if tag.name == "meta" and tag.attributes.get("http-equiv", "").lower() == "refresh":
            return _target(tag.attributes.get("content", ""), url)
    return None


def _target(content: str, url: str) -> str | None:
    found = _REFRESH.match(content)
    if found is None or int(found[1]) > _SOON_SECONDS:
        return None
    try:
        target = urljoin(url, found[2].strip())
    except ValueError:
        return None
    is_other = without_anchor(target) != without_anchor(url)
    return target if is_other and _WEB.match(target) else None


_SITES = (
    *("bsky.app", "dev.to", "facebook.com", "frontify.com", "go.dev", "instagram.com"),
    *("linkedin.com", "medium.com", "news.google.com", "patents.google.com"),
    *("scholar.google.com", "threads.net", "tiktok.com", "trends.google.com", "youtube.com"),
)
_FIRST_LABELS = frozenset(
    ("app", "brand", "brandbook", "design", "identity", "newsroom", "portal", "press", "style")
)


def builds_itself(url: str) -> bool:
    """Whether a page there is known to show little before its scripts have run."""
    first, _, rest = host_of(url).partition(".")
    return is_on(url, _SITES) or (first in _FIRST_LABELS and "." in rest)
