"""Whether what was read of a page is the page, or a wall, a shell, or next to nothing."""

import re
from typing import Literal
from urllib.parse import urlsplit

Verdict = Literal["ok", "empty", "wall", "login", "shell"]

_LEAST_LETTERS = 100
_LONGEST_WALL = 2048
_LONGEST_DENIAL = 600
_SHELL_BYTES = 2048
_SHELL_RATIO = 20
_LOOK = 4096
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u9fff]")
_WALLS = re.compile(
    r"checking (?:if the site connection is secure|your browser)"
    r"|verify(?:ing)? (?:that )?you are (?:a )?human|are you a robot|complete the captcha"
    r"|enable javascript and cookies to continue|please enable (?:cookies|javascript) to continue"
    r"|access to this page has been denied|unusual traffic from your"
    r"|ddos protection by|performance (?:&|and) security by cloudflare"
    r"|making sure you.re not a bot|proof.of.work challenge|press (?:&|and) hold to confirm"
    r"|request unsuccessful\. incapsula|please turn javascript on and reload",
    re.IGNORECASE,
)
_DENIALS = re.compile(
    r"just a moment\W|attention required|access denied|bot protection|you have been blocked",
    re.IGNORECASE,
)
"""Words that an article may have as well, and that only a very short page is judged by."""

_LOGIN_STEPS = frozenset(
    {"login", "log-in", "log_in", "logon", "signin", "sign-in", "sign_in", "sso", "authenticate"}
)
_LOGIN_HOSTS = frozenset({"login", "signin", "sso", "auth", "accounts"})


def judge(text: str, *, markup_bytes: int, asked: str = "", found: str = "") -> Verdict:
    """What the text of a page of so many bytes amounts to. Any script counts alike.

    `asked` and `found` are the address that was asked for and the one where the page was.
    """
    if len(text) <= _LONGEST_WALL and _WALLS.search(text):
        return "wall"
    if len(text) <= _LONGEST_DENIAL and _DENIALS.search(text):
        return "wall"
    if len(text) <= _LONGEST_WALL and _leads_to_login(asked, found):
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


def _leads_to_login(asked: str, found: str) -> bool:
    """Whether somebody who asked for a page was sent to log in first."""
    return _is_login(found) and not _is_login(asked)


def _is_login(url: str) -> bool:
    try:
        parts = urlsplit(url)
        first = (parts.hostname or "").partition(".")[0]
    except ValueError:
        return False
    steps = (step.partition(".")[0] for step in parts.path.lower().split("/"))
    return first in _LOGIN_HOSTS or any(step in _LOGIN_STEPS for step in steps)
