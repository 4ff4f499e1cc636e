"""Whether what was read of a page is the page, or a wall, a shell, or next to nothing."""

import re
from typing import Literal

Verdict = Literal["ok", "empty", "wall", "shell"]

_LEAST_LETTERS = 100
_LONGEST_WALL = 2048
_SHELL_BYTES = 2048
_SHELL_RATIO = 20
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u9fff]")
_WALLS = re.compile(
    r"checking (?:if the site connection is secure|your browser)|just a moment\W|attention required"
    r"|verify(?:ing)? (?:that )?you are (?:a )?human|are you a robot|complete the captcha"
    r"|enable javascript and cookies to continue|please enable (?:cookies|javascript) to continue"
    r"|access (?:to this page has been )?denied|unusual traffic from your|bot protection"
    r"|ddos protection by|performance (?:&|and) security by cloudflare|making sure you.re not a bot"
    r"|proof.of.work challenge|press (?:&|and) hold to confirm|request unsuccessful\. incapsula"
    r"|you have been blocked|please turn javascript on and reload",
    re.IGNORECASE,
)


def judge(text: str, *, markup_bytes: int) -> Verdict:
    """What the text of a page of so many bytes amounts to. Any script counts alike."""
    letters = _weight(text)
    if len(text) <= _LONGEST_WALL and _WALLS.search(text):
        return "wall"
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
