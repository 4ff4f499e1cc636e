"""Whether what was read of a page is the page, or a wall, a shell, or next to nothing."""

import re
from typing import Literal
from urllib.parse import urlsplit

from sourcewright.logic.walling import WALLS, asks_consent, is_walled

Verdict = Literal["ok", "empty", "wall", "consent", "login", "shell"]

_LEAST_LETTERS = 100
_LONGEST_WALL = 2048
_LONGEST_DENIAL = 600
_LONGEST_CONSENT = 8192
_SHELL_BYTES = 2048
_SHELL_RATIO = 20
_LOOK = 4096
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
_CONSENT = (_CONSENT_HOSTS, _CONSENT_STEPS)


def judge(
    text: str, *, markup_bytes: int, markup: bytes = b"", asked: str = "", found: str = ""
) -> Verdict:
    """What the text of a page of so many bytes amounts to. Any script counts alike.

    `asked` and `found` are the address that was asked for and the one where the page was.
    """
    if _is_in_front(text, markup):
        return "wall"
    if _is_question(text, markup) or _leads_to(_CONSENT, asked, found):
        return "consent"
    if len(text) <= _LONGEST_WALL and _leads_to(_LOGIN, asked, found):
        return "login"
    letters = _weight(text[:_LOOK])
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
