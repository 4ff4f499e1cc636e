r"""LaTeX sources: which bibliographies a `.tex` file uses, and which entries it cites."""

import re

_COMMENT = re.compile(r"(?<!\\)%[^\n]{0,5000}")
_BIBLIOGRAPHY = re.compile(
    r"\\(?:bibliography|addbibresource|addglobalbib|addsectionbib)\s{0,9}(?:\[[^\[\]]{0,400}\])?\s{0,9}\{([^{}]{1,2000})\}"
)
_CITATION = re.compile(
    r"\\(?:[A-Za-z]{0,20}cite[A-Za-z]{0,20}|nocite)\*?\s{0,9}(?:\[[^\[\]]{0,400}\]\s{0,9}){0,2}\{([^{}]{1,5000})\}"
)
_OTHER_FILE = re.compile(r"\\(?:input|include|subfile|import)\s{0,9}\{")
_ENTRIES = re.compile(r"\\bibitem\b")


def has_bibitems(text: str) -> bool:
    r"""Whether the entries stand in the file itself, after `\bibitem`."""
    return _ENTRIES.search(text) is not None


def bibliography_names(text: str) -> tuple[str, ...]:
    """The names of the `.bib` files that a source uses, in order, each with its extension."""
    names = (
        name.strip()
        for match in _BIBLIOGRAPHY.finditer(_COMMENT.sub("", text))
        for name in match[1].split(",")
    )
    return tuple(
        dict.fromkeys(name if name.endswith(".bib") else f"{name}.bib" for name in names if name)
    )


def cited_keys(text: str) -> tuple[str, ...] | None:
    r"""The keys that a source cites, in order; None if it may cite others too.

    That is so with `\nocite{*}`, without any citation, and if it includes other files.
    """
    content = _COMMENT.sub("", text)
    keys = dict.fromkeys(
        key.strip() for match in _CITATION.finditer(content) for key in match[1].split(",")
    )
    keys.pop("", None)
    if not keys or "*" in keys or _OTHER_FILE.search(content):
        return None
    return tuple(keys)
