"""Invented court cases, as a collection of opinions has them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One case and its opinion."""

    number: int
    name: str
    citations: tuple[str, ...]
    court: str
    court_id: str
    abbreviation: str
    filed: str
    docket: str
    cited: int
    text: str = ""
    status: str = "Published"


_SUPREME = {
    "court": "Supreme Court of the United States",
    "court_id": "scotus",
    "abbreviation": "SCOTUS",
}
_NINTH = {
    "court": "Court of Appeals for the Ninth Circuit",
    "court_id": "ca9",
    "abbreviation": "9th Cir.",
}

VERDICTS = (
    Verdict(
        number=9000001,
        name="Kelpworth v. Harbour Authority",
        citations=("86 S. Ct. 9602", "1966 U.S. LEXIS 92817", "984 U.S. 436", "16 L. Ed. 2d 9694"),
        filed="1966-06-13",
        docket="759",
        cited=60125,
        text="The right to be told of the tide before questioning.",
        **_SUPREME,
    ),
    Verdict(
        number=9000002,
        name="Kelpworth v. Harbour Authority Pension Fund",
        citations=("812 F.3d 9120",),
        filed="2016-02-01",
        docket="14-55555",
        cited=4,
        text="Pensions of harbour pilots, citing Kelpworth v. Harbour Authority.",
        **_NINTH,
    ),
    Verdict(
        number=9000003,
        name="In Re Driftwood",
        citations=("982 P.3d 513", "76 Cal. Rptr. 9d 172", "43 Cal. 9th 541"),
        court="California Supreme Court",
        court_id="cal",
        abbreviation="Cal.",
        filed="2008-05-05",
        docket="S163905",
        cited=19,
        text="Driftwood on a public beach belongs to nobody.",
    ),
    Verdict(
        number=9000004,
        name="United States v. Lantern",
        citations=(),
        court="District Court, D. Maine",
        court_id="med",
        abbreviation="D. Me.",
        filed="2021-09-30",
        docket="2:20-cr-00012",
        cited=0,
        text="A motion on driftwood evidence.",
        status="Unpublished",
    ),
    *(
        Verdict(
            number=9100000 + count,
            name=f"Barnacle {count} v. Hull Company",
            citations=(f"{900 + count} F.2d {100 + count}",),
            filed=f"{1970 + count}-01-15",
            docket=f"{70 + count}-1{count:03}",
            cited=count,
            text="Whether a barnacle may be removed from a hull.",
            **_NINTH,
        )
        for count in range(1, 30)
    ),
)
