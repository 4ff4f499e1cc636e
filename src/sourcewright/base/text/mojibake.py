"""Mojibake: repairs UTF-8 that was read as Windows-1252 and stored so, as in `youâ€™ve`."""

import re

_HIGH = bytes(range(0x80, 0x100)).decode("cp1252", "replace")
# Windows-1252 leaves five bytes undefined; those who read them keep them as control characters.
_CHARACTERS = [chr(0x80 + at) if letter == "\ufffd" else letter for at, letter in enumerate(_HIGH)]
_BYTES = {ord(letter): 0x80 + at for at, letter in enumerate(_CHARACTERS)}
_CONTINUATION = "[" + re.escape("".join(_CHARACTERS[:0x40])) + "\xa0-\xbf]"
_SEQUENCE = re.compile(
    f"[\xc2-\xdf]{_CONTINUATION}|[\xe0-\xef]{_CONTINUATION}{{2}}|[\xf0-\xf4]{_CONTINUATION}{{3}}"
)
# A first byte and the beginning of a second, in UTF-8: ten times as fast as the search in text.
_SUSPECTS = re.compile(rb"\xc3[\x82-\xb4][\xc2\xc5\xc6\xcb\xe2]")
_NON_ASCII = re.compile("[^\x00-\x7f]")
_MIN_SEQUENCES = 3
_MAX_TIMES = 2
"""Some texts were stored wrongly twice."""
_MIN_SHARE = 0.5
"""Share of the characters beyond ASCII that must be such sequences: a page about mojibake, or one
foreign name, is left as it is."""


def repair_mojibake(text: str) -> str:
    """Return the text with misread sequences as the characters that were meant."""
    for _ in range(_MAX_TIMES):
        if not _is_misread(text):
            break
        text = _SEQUENCE.sub(lambda match: _intended_characters(match[0]), text)
    return text


def _is_misread(text: str) -> bool:
    if len(_SUSPECTS.findall(text.encode("utf-8", "surrogatepass"))) < _MIN_SEQUENCES:
        return False
    misread = sum(map(len, _SEQUENCE.findall(text)))
    return misread >= _MIN_SHARE * len(_NON_ASCII.findall(text))


def _intended_characters(sequence: str) -> str:
    try:
        return bytes(_BYTES[ord(letter)] for letter in sequence).decode("utf-8")
    except UnicodeDecodeError:
        return sequence
