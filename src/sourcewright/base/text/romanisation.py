"""Romanisation (transliteration): Cyrillic and Greek names in Latin letters, however spelled."""

import re

_ALPHABETS = {
    "абвгдежзиклмнопрстуфхцчшщыэюяіїєґ": (
        "a b v g d e zh z i k l m n o p r s t u f kh ts ch sh shch i e iu ia i i e g"
    ),
    "αβγδεζηθικλμνξοπρσςτυφχψω": "a v g d e z i th i k l m n x o p r s s t i f ch ps o",
}
_TABLE = str.maketrans(
    {
        **{
            letter: spelling
            for letters, spellings in _ALPHABETS.items()
            for letter, spelling in zip(letters, spellings.split(), strict=True)
        },
        "ъ": "",
        "ь": "",
    }
)
_SPELLINGS = tuple(
    (re.compile(pattern), spelling)
    for pattern, spelling in (
        (r"shch|sch|sh|sz", "s"),
        (r"tch|tsch|ch|cz", "c"),
        (r"zh", "z"),
        (r"kh|h", "x"),
        (r"tz|ts", "c"),
        (r"ks", "x"),
        (r"ph", "f"),
        (r"[yj]", "i"),
        (r"w|b", "v"),
        (r"ou", "u"),
        (r"i+(?=[aeou])", ""),
        (r"(.)\1+", r"\1"),
        (r"(?<=.)i$", ""),
    )
)
_OTHER_SCRIPT = re.compile("[\u0370-\u052f]")


def has_other_alphabet(word: str) -> bool:
    """Whether a word has Cyrillic or Greek letters."""
    return _OTHER_SCRIPT.search(word) is not None


def romanised(word: str) -> str:
    """A folded name in one Latin spelling: `kovalev` for Ковалёв, Kovalyov and Kovalev."""
    text = word.replace("\u03bf\u03c5", "ou").translate(_TABLE)
    for pattern, spelling in _SPELLINGS:
        text = pattern.sub(spelling, text)
    return text
