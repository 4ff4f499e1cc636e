"""Court cases: citations and case names in a query, preferred reporters, Bluebook citations."""

import re
from collections.abc import Sequence

from sourcewright.domain.records.cases import Case

# Reporters as the Bluebook (T1) abbreviates them, in the order in which one of several parallel
# citations is preferred: official or federal ones first, then the regional ones.
_REPORTERS = (
    *("U.S.", "S. Ct.", "L. Ed. 2d", "L. Ed."),
    *("F.4th", "F.3d", "F.2d", "F.", "F. App'x"),
    *("F. Supp. 3d", "F. Supp. 2d", "F. Supp.", "F.R.D.", "B.R.", "Fed. Cl.", "T.C."),
    *("A.3d", "A.2d", "A.", "N.E.3d", "N.E.2d", "N.E.", "N.W.2d", "N.W."),
    *("P.3d", "P.2d", "P.", "S.E.2d", "S.E.", "S.W.3d", "S.W.2d", "S.W."),
    *("So. 3d", "So. 2d", "So."),
)


def _key(text: str) -> str:
    """A spelling in which `F. 3d` and `F.3d` are the same."""
    return re.sub(r"[^a-z0-9]", "", text.casefold())


_RANKS = {_key(name): (rank, name) for rank, name in enumerate(_REPORTERS)}
_UNOFFICIAL = re.compile(r"LEXIS|\bWL\b", re.IGNORECASE)
_CITATION = re.compile(
    r"(?<![\w.])(\d{1,4})\s{1,3}([A-Z][A-Za-z0-9.' ]{0,30}?)\s{1,3}(\d{1,6})(?!\w)", re.ASCII
)
_OLD_REPORTER = re.compile(
    r" \(\d{1,2} (?:Dall|Cranch|Wheat|Pet|How|Black|Wall)(?:as|aton|ers|ard|ace)?\.?\) "
)
_PARTIES = re.compile(r"(?<=\S)\s{1,3}(?:v|vs|versus)\.?\s{1,3}(?=\S)", re.IGNORECASE)
_ONE_PARTY = re.compile(r"(?:in re|ex parte|matter of|estate of)\s", re.IGNORECASE)
_MAX_NAME = 200


def citation_in(text: str) -> str | None:
    """The reporter citation in a text, in its usual spelling: `384 US 436` is 384 U.S. 436.

    The old reporters of the Supreme Court are left out: `5 U.S. (1 Cranch) 137` is 5 U.S. 137.
    """
    for match in _CITATION.finditer(_OLD_REPORTER.sub(" ", text)):
        reporter = match[2].strip()
        known = _RANKS.get(_key(reporter))
        if known is None and "." not in reporter:
            continue  # `9 Circuits 2020` is not a citation
        return f"{match[1]} {known[1] if known else reporter} {match[3]}"
    return None


def case_name_in(text: str) -> str | None:
    """The case name, if a text is one, without a citation or year after it."""
    plain = re.split(r",\s{0,3}\d|\(\d{4}\)", text, maxsplit=1)[0].strip(" ,")
    if len(plain) > _MAX_NAME:
        return None
    if _ONE_PARTY.match(plain):
        return plain
    parties = _PARTIES.split(plain)
    return " v. ".join(parties) if len(parties) == 2 else None


def same_citation(one: str, other: str) -> bool:
    return _key(one) == _key(other)


def same_name(one: str, other: str) -> bool:
    return _key(_PARTIES.sub(" v ", one)) == _key(_PARTIES.sub(" v ", other))


def preferred_first(citations: Sequence[str]) -> tuple[str, ...]:
    """Parallel citations in the order of the Bluebook; those of databases come last."""
    return tuple(sorted(dict.fromkeys(citations), key=_preference))


def _preference(citation: str) -> tuple[bool, int]:
    match = _CITATION.fullmatch(citation)
    rank = _RANKS.get(_key(match[2]), (len(_REPORTERS), ""))[0] if match else len(_REPORTERS)
    return bool(_UNOFFICIAL.search(citation)), rank


def bluebook(case: Case) -> str | None:
    """The full citation, as in `Miranda v. Arizona, 384 U.S. 436 (1966)`; None without a reporter."""
    year = (case.date_filed or "")[:4]
    if not case.citations:
        return None
    citation = case.citations[0]
    # The reporter of the Supreme Court already names the court.
    court = None if case.court_id == "scotus" else case.court_abbreviation
    inside = " ".join(filter(None, (court, year)))
    return f"{case.name}, {citation}" + (f" ({inside})" if inside else "")


def best_first(
    cases: Sequence[Case], *, name: str | None, citation: str | None
) -> tuple[Case, ...]:
    """Move the named case to the front; the others keep their order."""

    def others(case: Case) -> bool:
        if citation is not None:
            return not any(same_citation(one, citation) for one in case.citations)
        return name is not None and not same_name(case.name, name)

    return tuple(sorted(cases, key=others))
