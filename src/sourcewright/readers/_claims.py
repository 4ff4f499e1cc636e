"""What documents say of themselves, without what programs put there when nobody says anything."""

import re

_PROGRAM = re.compile(r"^Microsoft (?:Word|PowerPoint|Excel) - ", re.IGNORECASE)
_NO_TITLE = re.compile(
    r"untitled.*|.*\.(?:docx?|pdf|dvi|tex|indd|qxd|pptx?|xlsx?|rtf|ps|eps|fm)|[\W\d_]*"
    r"|(?:PowerPoint )?presentation|(?:document|slide|book|sheet|presentation)[ _-]?\d{1,4}"
    r"|\W?anonymous\W?|no title|word document",
    re.IGNORECASE,
)
_NO_AUTHOR = re.compile(
    r"\W?(?:anonymous|unknown|unspecified|user|owner|admin|administrator)\W?|openpyxl|python-docx"
    r"|[\W\d_]*",
    re.IGNORECASE,
)
_LONGEST = 2_000


def title_of(said: str | None) -> str | None:
    """A title that somebody gave."""
    title = _PROGRAM.sub("", (said or "")[:_LONGEST]).strip()
    return None if _NO_TITLE.fullmatch(title) else title


def author_of(said: str | None) -> str | None:
    """An author with a name."""
    author = (said or "")[:_LONGEST].strip()
    return None if _NO_AUTHOR.fullmatch(author) else author
