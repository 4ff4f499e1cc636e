"""Recognises a login, access-denied or error page that a site serves in place of a paper."""

import re

from sourcewright.reading.interstitials import CHALLENGE_TEXT
from sourcewright.services.papers.file_check.pages import PageText

SHORT_FILE_LETTERS = 1_500
"""Letters and digits. One phrase is enough in a file with at most this much text, because no paper
is that short. A longer file needs two: an article may well say "log in to" once."""
MAX_BARRIER_LETTERS = 6_000
"""Letters and digits. A longer file is an article, perhaps about signing in."""
MAX_BARRIER_PAGES = 3
"""The most pages that such a file has, terms of use included."""

# Matched against folded text: lower case, no accents, no punctuation.
_PHRASES = re.compile(
    r"\b(?:"
    r"access (?:to (?:this|the) (?:\w{1,20} ){0,3})?(?:is |was |has been )?"
    r"(?:denied|restricted|forbidden|blocked|not permitted)"
    r"|(?:please|you must|you need to|you have to|you can) (?:first )?(?:sign|log) ?in\b"
    r"|(?:sign|log) ?in (?:to|with|via|through|for|using|below|required|here)\b"
    r"|(?:sign|log)in required|not (?:logged|signed) in"
    r"|(?:you )?(?:do not|don t|does not) (?:currently )?have (?:\w{1,12} )?(?:access|permission|a subscription|entitlement)"
    r"|(?:not|isn t) (?:authori[sz]ed|entitled|allowed|permitted) to (?:access|view|read|download)"
    r"|subscription (?:is )?(?:required|needed)|requires a subscription"
    r"|(?:purchase|buy|rent) (?:instant |full |pdf |online |article )?(?:access|pdf|this|the)\b"
    r"|preview of (?:a )?(?:subscription|paid|licensed) content"
    r"|(?:get|gain|request|check|obtain) (?:full |instant )?access\b"
    r"|(?:access|log ?in|sign ?in) (?:through|via|with) your (?:institution|organi[sz]ation|library)"
    r"|institutional (?:log ?in|sign ?in)|openathens|shibboleth"
    r"|create an? (?:free )?account|forgot(?:ten)? (?:your )?password"
    r"|un ?authori[sz]ed (?:access|request)|(?:401 unauthori[sz]ed|403 forbidden|404 not found)"
    r"|(?:page|file|document|article|item) (?:could )?(?:was )?not (?:be )?found"
    r"|(?:file|document|article|item|content) (?:is )?(?:not|no longer|currently un) ?available"
    r"|session (?:has |is )?(?:expired|timed out)|service (?:temporarily )?unavailable"
    r"|internal server error|too many requests|captcha"
    r"|zugriff verweigert|bitte (?:melden sie sich|anmelden)|acces refuse|acces interdit"
    r"|veuillez vous (?:connecter|identifier)|acceso denegado|inici(?:e|ar) sesion"
    r"|acesso negado|accesso negato|доступ запрещен)\b"
    r"|访问被拒绝|拒绝访问|请登录|アクセスが拒否|ログインしてください"
)


def find_barrier_phrase(pages: tuple[PageText, ...], *, page_count: int, title: str) -> str | None:
    """Return the shortest phrase that shows the file is not a paper but an access page, or None.

    Phrases that occur in the work's own title (folded) do not count.
    """
    if page_count > MAX_BARRIER_PAGES:
        return None
    phrases = {
        match[0].strip()
        for page in pages
        for pattern, text in ((_PHRASES, page.words), (CHALLENGE_TEXT, " ".join(page.lines)))
        for match in pattern.finditer(text)
        if match[0] not in title
    }
    letters = sum(len(page.letters.text) for page in pages)
    if letters > MAX_BARRIER_LETTERS:
        return None
    needed = 1 if letters <= SHORT_FILE_LETTERS else 2
    return min(phrases, key=len) if len(phrases) >= needed else None
