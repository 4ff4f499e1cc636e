"""Tone of voice: what brand guidelines say under that heading, verbatim."""

import re
from collections.abc import Sequence

from sourcewright.domain.records.brands import ToneOfVoice
from sourcewright.services.brands.markup import Line

_SUBJECT = re.compile(
    r"tone of voice|voice (?:and|&) tone|tone (?:and|&) voice|(?:brand|our) (?:voice|tone)"
    r"|\Avoice\Z|\Atone\Z|how we (?:speak|sound|write|talk)|brand personality",
    re.IGNORECASE,
)
_DOS = re.compile(r"(?:the )?do(?:.?s)?:?", re.IGNORECASE)
_DONTS = re.compile(r"(?:the )?(?:don.?ts?(?:.?s)?|do not|avoid):?", re.IGNORECASE)
_DO_ITEM = re.compile(r"do:? (\S.*)", re.IGNORECASE)
_DONT_ITEM = re.compile(r"(?:don.?t|do not|avoid|never):? (\S.*)", re.IGNORECASE)
_MAX_SUMMARY = 600
_MAX_ATTRIBUTE = 80
_MAX_ITEM = 300
_MAX_ITEMS = 20


def stated_voice(lines: Sequence[Line]) -> ToneOfVoice:
    """What the lines under a heading about the tone of voice say."""
    section = _section(lines)
    summary = next((one.text for one in section if not one.heading and not one.item), None)
    lists: dict[str, list[str]] = {"attributes": [], "dos": [], "donts": []}
    current = "attributes"
    for line in section:
        if _DONTS.fullmatch(line.text):
            current = "donts"
        elif _DOS.fullmatch(line.text):
            current = "dos"
        elif line.heading:
            current = "attributes"
            _add(lists["attributes"], line.text, _MAX_ATTRIBUTE)
        elif line.item:
            _add_item(lists, current, line.text)
    return ToneOfVoice(
        summary=summary[:_MAX_SUMMARY] if summary else None,
        **{name: tuple(values) for name, values in lists.items()},
    )


def _section(lines: Sequence[Line]) -> list[Line]:
    """The lines below the first heading about the voice, up to the next one of its level."""
    section: list[Line] = []
    level = 0
    for line in lines:
        if level and line.heading and line.heading <= level:
            break
        if level:
            section.append(line)
        elif line.heading and _SUBJECT.search(line.text):
            level = line.heading
    return section


def _add_item(lists: dict[str, list[str]], current: str, text: str) -> None:
    dont, do = _DONT_ITEM.fullmatch(text), _DO_ITEM.fullmatch(text)
    if current == "attributes" and dont:
        _add(lists["donts"], dont[1], _MAX_ITEM)
    elif current == "attributes" and do:
        _add(lists["dos"], do[1], _MAX_ITEM)
    else:
        _add(lists[current], text, _MAX_ATTRIBUTE if current == "attributes" else _MAX_ITEM)


def _add(items: list[str], text: str, limit: int) -> None:
    """Keep a text that is short enough to be an item; a cut one would not be verbatim."""
    if len(text) <= limit and len(items) < _MAX_ITEMS and text not in items:
        items.append(text)
