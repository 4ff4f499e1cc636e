"""Bylines: the names in them, without "By", roles, badges, dates and e-mail addresses."""

import re
from collections.abc import Iterable, Iterator, Sequence

from sourcewright.base.text.name_particles import is_particle
from sourcewright.base.text.prose_dates import find_date

_MAX_LENGTH = 120
_MAX_WORDS = 6
_SURE_PREFIX_LIST = (
    r"(?:(?:written|posted|published|authored|reported|contributed|created|submitted|started|story"
    r"|text|words|article|report|guest post|a guest post)\s+)?by\b"
    r"|authors?\b|from the desk of"
    r"|(?:ein(?:e)?\s+(?:beitrag|artikel|kommentar|gastbeitrag)|geschrieben|verfasst)\s+von\b"
    r"|autor(?:in|en|innen|a|es|as|e|i|zy|ka)?\b|verfasser(?:in)?\b"
    r"|(?:écrit|publié|rédigé|propos recueillis)\s+par\b|auteure?s?\b"
    r"|(?:escrito|publicado)\s+por\b|(?:scritto|a cura)\s+d[ai]\b|geschreven door\b"
    r"|skrevet av\b|skriven av\b|skrevet af\b|írta\b|yazan\b|yazar\b|oleh\b|tác giả\b|bởi\b"
    r"|автор(?:ы|ка)?\b|текст\b|作者|撰文|著者|執筆者?|筆者|取材・文|記者|记者|글|작성자|지은이"
    r"|بقلم|الكاتب|כתב|מאת|लेखक"
)
_SURE_PREFIX = re.compile(rf"\s*(?:{_SURE_PREFIX_LIST})\s*[:\uff1a\uff0f|/]?\s*", re.IGNORECASE)
_SHORT_PREFIX = re.compile(
    r"\s*(?:von|par|por|di|door|av|af|text|tekst|文|by|de)(?:\s*[:\uff1a\uff0f/]\s*|\s+)",
    re.IGNORECASE,
)
"""Words that may also be part of a name: removed only if two words follow."""
_SUFFIX = re.compile(r"(?<!\s)\s*+(?:선임|수습|인턴|전문|객원)?(?:기자|특파원)\s*+=?$")
"""Korean words for a reporter, which follow the name."""
_NAME_BEFORE_SUFFIX = re.compile(rf"[가-힣]{{2,4}}{_SUFFIX.pattern}")
_EMAIL = re.compile(
    r"(?:(?<!\s)\s*+(?:[(<\[]\s*+)?)?[^\s()<>\[\]@]{1,64}+@[^\s()<>\[\]@]{1,255}+\s*+[)>\]]?"
)
_BREAKS = re.compile(r"[|\u2022\u00b7;\u2016\u30fb\n]|(?<!\s)\s++(?:[\u2013\u2014/-]|//)\s")
_CONNECTIVES = re.compile(
    r"(?:,\s*)?(?<!\w)(?:and|und|et|y|e|en|och|og|with|&|\u548c)(?!\w)", re.IGNORECASE
)
_CONNECTIVE_OR_COMMA = re.compile(rf"{_CONNECTIVES.pattern}|[,\u3001\uff0c]", re.IGNORECASE)
_ENDS = " \t,;:.|\u2022\u00b7\u2013\u2014-\u2192\u203a\u00bb\u00ab/\u200b\"'"
_DEGREE = re.compile(r"(?:[A-Z][a-z]{0,3}\.?){1,5}(?:\s*\([^)]{1,30}\))?|Ph\.?\s?D\.?|Jr\.?|Sr\.?")
_ROLE_LIST = (
    "senior staff writer editor editors contributor contributing contributors reporter reporters "
    "correspondent author authors guest freelance freelancer journalist columnist chief deputy "
    "managing executive associate assistant lead in the of head content marketing manager "
    "director producer analyst specialist strategist ceo cto cfo coo cmo founder co-founder "
    "president vice vp engineer developer publisher blogger administrator admin moderator member "
    "newbie veteran master guru expert owner photographer intern fellow professor researcher "
    "verified certified at op level rank online offline user users anonymous reviewer expert "
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri "
    "sat sun january february march april june july august september october november december "
    "jan feb mar apr may jun jul aug sep sept oct nov dec am pm"
)
_ROLES = frozenset(_ROLE_LIST.split())
"""Words that stand beside names: roles, badges, parts of dates."""
_NOT_NAME_LIST = (
    "about above account all also article articles back best blog bookmark buy by category "
    "check click close comment comments contact contents continue copy copyright credit date "
    "disclosure edit edited email facebook fact filed follow get home how image in instagram "
    "joined last leave linkedin listen loading log login menu min minute minutes modified more "
    "new newsletter next no on our photo photos pinterest posted posts previous print publish "
    "published read reading register registered related reply report review reviewed reviews "
    "save search see share shop show sign skip source subscribe table tags this time to topics "
    "twitter update updated view views visit watch what when where whatsapp why with you your"
)
_NOT_NAMES = frozenset(_NOT_NAME_LIST.split())
"""Words that start labels and buttons, not names."""
_USER_NAME = re.compile(r"\S{2,40}(?: \S{1,40}){0,3}")
_UNCASED = re.compile(
    "[\u0590-\u06ff\u0900-\u0dff\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)
_URL = re.compile(r"https?:|www\.|@", re.IGNORECASE)
_DIGITS = re.compile(r"[0-9]{2}")
_FULL_STOP = "\u3002"
"""Of Chinese and Japanese; other full stops may end initials."""


def without_prefix(text: str) -> str:
    """The text without "By", "Written by", "Von", "作者:" and the like at its start."""
    sure = _SURE_PREFIX.match(text)
    if sure:
        return text[sure.end() :]
    short = _SHORT_PREFIX.match(text)
    rest = text[short.end() :] if short else ""
    return rest if " " in rest.strip() or (rest and ":" in text[: len(text) - len(rest)]) else text


def is_byline_line(text: str) -> bool:
    """Whether a text starts like a byline, is nothing but such a start, or ends like one."""
    return (
        without_prefix(text) != text
        or bool(_SHORT_PREFIX.fullmatch(f"{text} "))
        or bool(_NAME_BEFORE_SUFFIX.fullmatch(_EMAIL.sub("", text)))
    )


def clean_name(text: str) -> str:
    """A name without a byline's prefix, e-mail addresses and punctuation at its ends."""
    plain = _EMAIL.sub("", " ".join(text[: 4 * _MAX_LENGTH].split()))
    name = _SUFFIX.sub("", without_prefix(plain)).strip(_ENDS)
    return f"{name}." if plain.endswith((f"{name}.",)) and _ends_with_initial(name) else name


def _ends_with_initial(name: str) -> bool:
    last = name.rpartition(" ")[2]
    return len(last) == 1 or last in ("Jr", "Sr")


def names_in(segments: Iterable[str], *, is_marked: bool = False) -> list[str]:
    """The names at the start of a byline that is given as its runs of text.

    In a byline that is marked as such a single word may be a name, as of a user.
    """
    names: list[str] = []
    line = list(segments)
    if line and line[-1].rstrip().endswith(_FULL_STOP):
        return names  # a sentence that begins like a byline, such as "Reporters asked ..."
    for part in _parts(line):
        if (is_user_name if is_marked else is_person_name)(part):
            names.append(part)
        elif names and not _DEGREE.fullmatch(part):
            break
    return list(dict.fromkeys(names))


def _parts(segments: Iterable[str]) -> Iterator[str]:
    for segment in segments:
        text = without_prefix(_EMAIL.sub("", segment[: 4 * _MAX_LENGTH]))
        for piece in _BREAKS.split(text):
            for part in _split_names(piece):
                if name := clean_name(part):
                    yield name


def _split_names(text: str) -> Sequence[str]:
    """The names that connectives or commas separate; `Doe, Jane` is one name."""
    parts = [part for part in _CONNECTIVE_OR_COMMA.split(text) if part.strip(_ENDS)]
    is_inverted = len(parts) == 2 and "," in text and len(text.split()) == 2
    # `Linny and Peter` is how two people call themselves; `Health and Safety` is no byline.
    is_pair = len(parts) == 2 and all(len(part.split()) == 1 for part in parts)
    return [text] if is_inverted or is_pair else parts


def is_person_name(text: str) -> bool:
    """Whether a text has the shape of a person's full name."""
    words = text.split()
    if not _may_be_name(text, words):
        return False
    if _UNCASED.search(text):
        return len(text) <= 30 and not _DIGITS.search(text)
    if len(words) < 2 or _DIGITS.search(text):
        return False
    return all(is_particle(word) or word[0].isupper() or not word[0].isalpha() for word in words)


def is_user_name(text: str) -> bool:
    """Whether a text in an element for names may be one: a full name, or a user's."""
    is_initials = len(text) < 3 and text.isupper()
    return (
        not is_initials and _may_be_name(text, text.split()) and bool(_USER_NAME.fullmatch(text))
    )


def _stands_beside_names(word: str) -> bool:
    return word in _ROLES or not any(map(str.isalpha, word))


def _may_be_name(text: str, words: Sequence[str]) -> bool:
    if not 1 < len(text) <= _MAX_LENGTH or len(words) > _MAX_WORDS:
        return False
    lower = [word.strip(_ENDS).lower() for word in words]
    is_label = lower[0] in _NOT_NAMES or all(map(_stands_beside_names, lower))
    has_letter = any(character.isalpha() for character in text)
    # A number of its own is part of a date, in any language.
    has_number = len(words) > 1 and any(map(str.isdigit, words))
    return (
        has_letter
        and not (is_label or has_number)
        and not _URL.search(text)
        and not find_date(text)
    )
