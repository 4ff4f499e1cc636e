"""Recommendations: signs of self-promotion and of an author's stake in what is recommended.

Both prefer missing a case to a false accusation: a sign needs the brand's own name at rank 1, or a
present stake that the author's own biography states next to the name.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from sourcewright.base.urls.canonical import host_of
from sourcewright.base.urls.suffixes import registrable_domain
from sourcewright.domain.sources.classification import source_type

StakeKind = Literal["employment", "funding", "equity"]

_MAX_TEXT = 200_000
_MAX_BIO = 5_000
_MIN_BRAND = 3
_PLATFORMS = frozenset({"blog", "forum", "social_media", "wiki"})
_FIRST = re.compile(
    r"^[ \t>*_#|-]{0,12}(?:#[ \t]?1\b|no\.?[ \t]?1\b|number[ \t]1\b|1(?=[.):\u2013\u2014-]))"
    r"[.):\u2013\u2014-]{0,2}[ \t*_\[]{0,6}(?P<name>[^\n]{1,120})",
    re.IGNORECASE | re.MULTILINE,
)
_PICK = re.compile(
    r"^[ \t>*_#|-]{0,12}(?:best overall|(?:our |editor'?s )?top pick|our pick|editor'?s choice)"
    r"[ \t*_]{0,4}[:\u2013\u2014-][ \t*_\[]{0,6}(?P<name>[^\n]{1,120})",
    re.IGNORECASE | re.MULTILINE,
)
_RANK = re.compile(r"^\s*(?:#\s?[0-9]{1,3}\b[.):]?|[0-9]{1,3}[.):])\s+")
_WORD = re.compile(r"[^\W_]+(?:['\u2019&.][^\W_]+)*")
_NAME = re.compile(r"[A-Z0-9][\w'\u2019&.+-]*(?: [A-Z0-9][\w'\u2019&.+-]*){0,4}")
_ORDINARY = re.compile(
    r"an?|and|apps?|at|best|by|for|from|guide|how|in|is|list|new|no|not|number|of|on|our|picks?"
    r"|plan|platforms?|plus|pro|reviews?|services?|software|the|tools?|top|ultimate|use|using|vs"
    r"|what|why|with|your?|great|good|first|choice|overall|edition",
    re.IGNORECASE,
)
_ROLES = (
    r"(?:co-?)?founder|owner|c[etfomi]o|chief \w+ officer|president|vice president|vp|director"
    r"|head|lead|manager|engineer|developer|designer|employee|scientist|researcher|analyst"
    r"|marketer|strategist|evangelist|advocate|partner|writer|editor|specialist|associate"
)
_OWNS = (
    r"(?:investor|invests|invested|shareholder|stakeholder|stake|shares|stock|equity"
    r"|board member|on the board|board of directors)(?: \w+){0,2} (?:in|of|at)"
)
_IS_PAID = (
    r"(?:funded|sponsored|paid|supported|commissioned|compensated) by|grants? from|funding from"
    r"|(?:advis[eo]r|consultant|ambassador|affiliate|spokesperson)(?: \w+)? (?:to|for|of|with)"
    r"|advises|consults for|advising|consulting for"
)
_WORKS = (
    r"(?:works?|working|employed|job|role|position|career|team) (?:at|for|by|with)"
    rf"|(?:{_ROLES})(?: [\w,&-]+){{0,5}}? (?:at|of|for)|founder|co-?founder|runs|founded|at"
)
_BEFORE: tuple[tuple[StakeKind, str], ...] = (
    ("equity", _OWNS),
    ("funding", _IS_PAID),
    ("employment", _WORKS),
)
_AFTER: tuple[tuple[StakeKind, str], ...] = (
    ("employment", rf"(?:['\u2019]s )?(?:{_ROLES})\b"),
    ("equity", r"(?:investor|shareholder|board member)\b"),
    ("funding", r"(?:ambassador|affiliate|advis[eo]r|consultant)\b"),
)
_PAST_OR_NONE = re.compile(
    r"\b(?:former|formerly|previously|ex|past|once|used to|until|left|quit|never|not|no|without|"
    r"nor|independent of|unaffiliated)\b[^.;]{0,60}$",
    re.IGNORECASE,
)
_COMPANY_FORM = re.compile(
    r"(?:inc|corp|corporation|ltd|llc|gmbh|ag|plc|co|group|sa|bv)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfPromotion:
    """A list on a brand's own site that puts the brand first."""

    brand: str
    evidence: str
    """The line that puts it first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stake:
    """What an author's biography says about a stake in what is recommended."""

    kind: StakeKind
    entity: str
    evidence: str


def brand_of(url: str) -> str | None:
    """The registered name of a site: `shopify` in `blog.shopify.com`.

    None for a platform with the pages of many users.
    """
    domain = registrable_domain(host_of(url))
    if source_type(f"https://{domain}/", None) in _PLATFORMS:
        return None
    label = domain.partition(".")[0]
    return label if len(label) >= _MIN_BRAND and not label.isdecimal() else None


def self_promotion(text: str, url: str) -> SelfPromotion | None:
    """Whether a text ranks the brand of its own site first."""
    brand = brand_of(url)
    if brand is None:
        return None
    part = text[:_MAX_TEXT]
    for match in (*_FIRST.finditer(part), *_PICK.finditer(part)):
        if _starts_with(match["name"], brand):
            return SelfPromotion(brand=brand, evidence=match[0].strip()[:200])
    return None


def stake(text: str, bio: str) -> Stake | None:
    """The author's stake in something that the text names; None if the biography states none."""
    biography = bio[:_MAX_BIO]
    for entity in _entities(text[:_MAX_TEXT]):
        for match in re.finditer(rf"(?<![\w-]){re.escape(entity)}(?![\w-])", biography):
            interest = _stake_at(biography, match.start(), match.end())
            if interest is not None:
                kind, evidence = interest
                return Stake(kind=kind, entity=entity, evidence=evidence)
    return None


def without_rank(title: str) -> str:
    """The title without its number in the list, as in `1. ` or `#1: `."""
    return _RANK.sub("", title, count=1) or title


def _starts_with(name: str, brand: str) -> bool:
    """Whether an item is named after the brand, in one word or in up to three."""
    words = [match[0].lower() for match in _WORD.finditer(name[:120])][:3]
    brand_letters = brand.lower().replace("-", "")
    return any("".join(words[:count]) == brand_letters for count in range(1, len(words) + 1))


def _entities(text: str) -> Iterator[str]:
    """The names in a text: runs of capitalised words, and the first word of each."""
    seen: set[str] = set()
    for match in list(_NAME.finditer(without_rank(text)))[:50]:
        words = match[0].rstrip(".,").split(" ")
        while words and _ORDINARY.fullmatch(words[0]):
            words = words[1:]
        while words and _ORDINARY.fullmatch(words[-1]):
            words = words[:-1]
        for name in (" ".join(words), words[0] if words else ""):
            usable = len(name) >= _MIN_BRAND and not name.replace(".", "").isdecimal()
            if usable and name not in seen:
                seen.add(name)
                yield name


def _stake_at(bio: str, start: int, end: int) -> tuple[StakeKind, str] | None:
    before, after = bio[max(0, start - 120) : start], bio[end : end + 60]
    if _PAST_OR_NONE.search(before) or _is_longer_name(after):
        return None
    for kind, words in _BEFORE:
        if re.search(rf"(?:^|[^\w])(?:{words})(?: the)? $", before, re.IGNORECASE):
            return kind, _sentence(bio, start, end)
    for kind, words in _AFTER:
        if re.match(rf"\s?{words}", after, re.IGNORECASE):
            return kind, _sentence(bio, start, end)
    return None


def _is_longer_name(after: str) -> bool:
    """Whether the name is part of a longer one: `Square` in `Square Enix`."""
    following = after[1:] if after[:1] == " " else ""
    return (
        following[:1].isupper() and not _COMPANY_FORM.match(following) and not _is_role(following)
    )


def _is_role(text: str) -> bool:
    return bool(re.match(rf"(?:{_ROLES})\b", text, re.IGNORECASE))


def _sentence(bio: str, start: int, end: int) -> str:
    left = max(bio.rfind(mark, 0, start) for mark in ".;\n") + 1
    ends = [at for mark in ".;\n" if (at := bio.find(mark, end)) != -1]
    return bio[left : min(ends, default=len(bio))].strip()[:300]
