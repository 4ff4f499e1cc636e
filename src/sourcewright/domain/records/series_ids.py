"""The form of a series id, which differs between statistics offices."""

import re

_FORMS = (
    ("oecd", re.compile(r"[\w.]+,[\w@.]+(?:,[\w.]*)?")),
    ("worldbank", re.compile(r"[A-Z0-9]+(?:\.[A-Z0-9]+)+")),
    ("eurostat", re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")),
    ("fred", re.compile(r"[A-Z][A-Z0-9_]*")),
)


def office_of(series_id: str) -> str | None:
    """The office whose ids have this form: `NY.GDP.MKTP.CD` is one of the World Bank."""
    return next((office for office, form in _FORMS if form.fullmatch(series_id)), None)
