"""Interstitials: bot challenges (captcha), consent forms, JavaScript-only pages, meta refresh.

Recognises them by their text, their markup and their URLs, and finds the target of a meta
refresh.
"""

import re
from functools import partial
from typing import Literal
from urllib.parse import urljoin, urlsplit

from sourcewright.base.challenges import _MAX_MARKUP, has_challenge_markup
from sourcewright.base.text.consent import consent_ideas
from sourcewright.base.urls.canonical import host_of, is_on_site, strip_anchor
from sourcewright.reading.html.tags import tags

CHALLENGE_TEXT = re.compile(
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
"""Phrases of bot challenges; applied to short pages only."""


_CONSENT_FORM = re.compile(
    rb"<form[^>]{0,500}action=[\"']?https://consent\.[a-z]{1,30}\.", re.IGNORECASE
)


def has_consent_form(markup: bytes) -> bool:
    """Whether the markup has a cookie consent form, in any language."""
    return bool(_CONSENT_FORM.search(markup[:_MAX_MARKUP]))


PageVerdict = Literal["ok", "empty", "wall", "consent", "age", "login", "shell", "sparse"]

_MIN_LETTERS = 100
# A longer text is an article that mentions such phrases.
_MAX_WALL_TEXT = 2048
_MAX_DENIAL_TEXT = 600
_MAX_CONSENT_TEXT = 8192
_MAX_COOKIE_TEXT, _MAX_IDEA_TEXT = 2000, 250
"""Characters of a text that asks for consent to cookies, and for each of its ideas."""
_MAX_SPARSE_BYTES = 2048
_MIN_SPARSE_RATIO = 20
"""A page with so little text in so much markup may have more in a browser; most have not."""
_COUNTED_CHARACTERS = 4096
_SCRIPTS_WITHOUT_SPACES = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u9fff]"
)
_DENIALS = re.compile(
    r"just a moment\W|attention required|access denied|bot protection|you have been blocked"
    r"|enter the characters you see below|before you continue to (?:google|youtube)"
    r"|enable javascript before you are allowed to see",
    re.IGNORECASE,
)
"""Phrases that an article may contain as well; applied to very short pages only."""

_AGE = re.compile(
    r"(?<!\d)(?:18|21)\s{0,3}-?(?:\+|years?|yrs|jahren?|ans|años|anos|anni|jaar|år|lat|let|roků|év"
    r"|ani|vuotta|yaş|лет|років|ετών|tahun|tuổi)"
    r"|(?<!\d)(?:18|19|20)\s{0,3}(?:歳|才|岁|歲|세|ปี)"
    r"|(?:over|above|under|über|unter|plus de|mayor de|maior de|sopra i|boven de|满|滿)"
    r"\s{0,3}(?:18|21|eighteen)(?![\da-z])"
    r"|\b(?:adults only|age (?:verification|check|gate)|(?:verify|confirm) your age"
    r"|legal drinking age|altersprüfung|volljährig|maggiorenne)\b",
    re.IGNORECASE,
)
"""An age that visitors must have; applied to very short pages only."""
_CHOICE = re.compile(
    r"\b(?:enter|leave|exit|yes|no|continue|i am|ja|nein|oui|non|entrer|sortir|quitter|sí|salir"
    r"|entrar|sair|sì|esci|entra|nee|verlassen|eintreten|betreten|bestätigen|confirm|да|нет|войти"
    r"|выйти)\b|はい|いいえ|进入|離開|离开|進入|예|아니",
    re.IGNORECASE,
)
_MAX_AGE_TEXT, _MAX_LABELS = 400, 500
_BUTTON_TYPES = frozenset(("submit", "button"))

_LOGIN_SEGMENTS = frozenset(
    {
        *("login", "log-in", "log_in", "logon", "signin", "sign-in", "sign_in", "sso"),
        *("authenticate", "authwall"),
    }
)
_LOGIN_HOSTS = frozenset({"login", "signin", "sso", "auth", "accounts"})
_CONSENT_SEGMENTS = frozenset(
    {"consent", "collectconsent", "cookie-consent", "cookiewall", "cookie-wall", "privacywall"}
)
_CONSENT_HOSTS = frozenset({"consent", "cookiewall", "guce", "myprivacy", "privacywall"})
_AGE_SEGMENTS = frozenset(
    {"over18", "agecheck", "age-check", "agegate", "age-gate", "age-verification", "age_gate"}
)
_AGE_URLS = (frozenset[str](), _AGE_SEGMENTS)
_LOGIN_URLS = (_LOGIN_HOSTS, _LOGIN_SEGMENTS)
_CONSENT_URLS = (_CONSENT_HOSTS, _CONSENT_SEGMENTS)


def classify_page(
    text: str,
    *,
    markup_bytes: int,
    markup: bytes = b"",
    requested_url: str = "",
    final_url: str = "",
) -> PageVerdict:
    """Classify a page by its text, its markup and its size, independent of the language.

    `final_url` is the URL after redirects.
    """
    moved = partial(_redirected_to, requested=requested_url, final=final_url)
    is_short = len(text) <= _MAX_WALL_TEXT
    interstitials: tuple[tuple[PageVerdict, bool], ...] = (
        ("wall", _is_bot_challenge(text, markup)),
        ("consent", _is_consent_page(text, markup) or moved(_CONSENT_URLS)),
        ("age", _is_age_check(text, markup) or (is_short and moved(_AGE_URLS))),
        ("login", is_short and moved(_LOGIN_URLS)),
    )
    interstitial = next((verdict for verdict, holds in interstitials if holds), None)
    return interstitial or _amount_of_text(text, markup_bytes)


def _amount_of_text(text: str, markup_bytes: int) -> PageVerdict:
    letters = _letter_count(text[:_COUNTED_CHARACTERS])
    if letters < _MIN_LETTERS:
        return "empty" if letters < _MIN_LETTERS // 4 else "shell"
    return "sparse" if is_sparse(text, markup_bytes) else "ok"


def is_sparse(text: str, markup_bytes: int) -> bool:
    """Whether there is little text in much markup."""
    size = len(text.encode())
    return size <= _MAX_SPARSE_BYTES and markup_bytes >= _MIN_SPARSE_RATIO * size


def _letter_count(text: str) -> int:
    """Number of letters and digits; those of scripts without spaces count four times."""
    unspaced = len(_SCRIPTS_WITHOUT_SPACES.findall(text))
    return sum(character.isalnum() for character in text) + 3 * unspaced


def _is_bot_challenge(text: str, markup: bytes) -> bool:
    """Whether this is a bot challenge."""
    if len(text) <= _MAX_WALL_TEXT and CHALLENGE_TEXT.search(text):
        return True
    return len(text) <= _MAX_DENIAL_TEXT and (
        bool(_DENIALS.search(text)) or has_challenge_markup(text, markup)
    )


def _is_consent_page(text: str, markup: bytes) -> bool:
    if len(text) <= _MAX_COOKIE_TEXT and "cookie" in text.lower():
        ideas = consent_ideas(f"{text} {_labels_of_controls(markup)}")
        if len(text) < _MAX_IDEA_TEXT * ideas:
            return True
    return len(text) <= _MAX_CONSENT_TEXT and has_consent_form(markup)


def _is_age_check(text: str, markup: bytes) -> bool:
    """Whether a page asks for the visitor's age and offers to enter or leave, and nothing more."""
    if len(text) > _MAX_AGE_TEXT or not _AGE.search(text):
        return False
    words = f"{text} {_labels_of_controls(markup)}"
    return len({match.casefold() for match in _CHOICE.findall(words)}) > 1


def _labels_of_controls(markup: bytes) -> str:
    """The texts of buttons, which are choices of the visitor and no part of the page's text."""
    labels: list[str] = []
    is_inside = False
    for tag in tags(markup[:_MAX_MARKUP]):
        is_inside = (is_inside or tag.name == "button") and tag.name != "/button"
        if is_inside:
            labels.append(tag.text)
        elif tag.name == "input" and tag.attributes.get("type") in _BUTTON_TYPES:
            labels.append(tag.attributes.get("value", ""))
    return " ".join(labels)[:_MAX_LABELS]


def _redirected_to(
    patterns: tuple[frozenset[str], frozenset[str]], requested: str, final: str
) -> bool:
    """Whether a redirect led to a URL with these hosts or path segments."""
    return _matches_url(patterns, final) and not _matches_url(patterns, requested)


def _matches_url(patterns: tuple[frozenset[str], frozenset[str]], url: str) -> bool:
    hosts, segments = patterns
    try:
        parts = urlsplit(url)
        first = (parts.hostname or "").partition(".")[0]
    except ValueError:
        return False
    path = (segment.partition(".")[0] for segment in parts.path.lower().split("/"))
    return first in hosts or any(segment in segments for segment in path)


_MAX_REFRESH_PAGE = 16 * 1024
"""The largest page whose meta refresh is followed; a larger one has content of its own."""
_MAX_REFRESH_SECONDS = 10
# Possessive quantifiers: no backtracking, so that long white space takes linear time.
_REFRESH = re.compile(
    r"\s*+([0-9]{1,5}+)(?:\.[0-9]*+)?+\s*+[;,]\s*+(?:url\s*+=\s*+)?+[\"']?+\s*+([^\"'\s][^\"']*+)",
    re.IGNORECASE,
)
_WEB_URL = re.compile(r"https?://", re.IGNORECASE)


def meta_refresh_target(markup: bytes, url: str) -> str | None:
    """The target of a meta refresh within 10 seconds; None without one, or if it is `url`."""
    if len(markup) > _MAX_REFRESH_PAGE or has_challenge_markup("", markup):
        return None
    for tag in tags(markup):
        if tag.name == "meta" and tag.attributes.get("http-equiv", "").lower() == "refresh":
            return _refresh_target(tag.attributes.get("content", ""), url)
    return None


def _refresh_target(content: str, url: str) -> str | None:
    match = _REFRESH.match(content)
    if match is None or int(match[1]) > _MAX_REFRESH_SECONDS:
        return None
    try:
        target = urljoin(url, match[2].strip())
    except ValueError:
        return None
    is_other = strip_anchor(target) != strip_anchor(url)
    return target if is_other and _WEB_URL.match(target) else None


_SCRIPTED_SITES = (
    *("bsky.app", "dev.to", "facebook.com", "frontify.com", "go.dev", "instagram.com"),
    *("linkedin.com", "medium.com", "news.google.com", "patents.google.com"),
    *("scholar.google.com", "threads.net", "tiktok.com", "trends.google.com", "youtube.com"),
)
_SCRIPTED_LABELS = frozenset(
    ("app", "brand", "brandbook", "design", "identity", "newsroom", "portal", "press", "style")
)


def needs_javascript(url: str) -> bool:
    """Whether the site is known to render its pages with JavaScript."""
    first, _, rest = host_of(url).partition(".")
    return is_on_site(url, _SCRIPTED_SITES) or (first in _SCRIPTED_LABELS and "." in rest)
