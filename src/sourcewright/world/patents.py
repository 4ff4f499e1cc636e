"""Invented patents: publications of several offices, some of one family."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """One publication."""

    office: str
    digits: str
    """As DOCDB writes them."""
    kind: str
    title: str
    applicant: str
    inventor: str
    filed: str
    published: str
    granted: str | None
    family: int
    cpc: str
    application: str
    abstract: str

    @property
    def number(self) -> str:
        """As Google writes it: serial numbers of the US have seven digits."""
        digits = self.digits
        if self.office == "US" and len(digits) == 10:
            digits = digits[:4] + digits[4:].zfill(7)
        return f"{self.office}{digits}{self.kind}"

    def matches(self, words: list[str]) -> bool:
        text = f"{self.title} {self.abstract}".lower()
        return all(word.lower() in text for word in words)


_TURBINE = "A turbine with folding blades turns in tidal streams of either direction."
_KELP = "Kelp is dried by the waste heat of a lighthouse lamp."

PUBLICATIONS = (
    Publication(
        office="US",
        digits="2016142694",
        kind="A1",
        title="Tidal turbine with folding blades",
        applicant="Meridian Tidal Power, Inc.",
        inventor="Ada Harbour",
        filed="2014-11-20",
        published="2016-05-26",
        granted=None,
        family=51000001,
        cpc="F03B13/26",
        application="14549001",
        abstract=_TURBINE,
    ),
    Publication(
        office="US",
        digits="10165245",
        kind="B2",
        title="Tidal turbine with folding blades",
        applicant="Meridian Tidal Power, Inc.",
        inventor="Ada Harbour",
        filed="2014-11-20",
        published="2018-12-25",
        granted="2018-12-25",
        family=51000001,
        cpc="F03B13/26",
        application="14549001",
        abstract=_TURBINE,
    ),
    Publication(
        office="EP",
        digits="3020964",
        kind="A1",
        title="Tidal turbine with folding blades",
        applicant="MERIDIAN TIDAL POWER INC",
        inventor="Ada Harbour",
        filed="2015-11-19",
        published="2016-05-18",
        granted=None,
        family=51000001,
        cpc="F03B13/26",
        application="15195312",
        abstract=_TURBINE,
    ),
    Publication(
        office="EP",
        digits="2400812",
        kind="B1",
        title="Mooring for a tidal turbine",
        applicant="Driftwood Moorings GmbH",
        inventor="Bela Anker",
        filed="2010-06-25",
        published="2013-12-25",
        granted="2013-12-25",
        family=43000002,
        cpc="B63B21/50",
        application="10167380",
        abstract="A mooring holds a tidal turbine without chains.",
    ),
    Publication(
        office="WO",
        digits="2009085664",
        kind="A2",
        title="Drying kelp at a lighthouse",
        applicant="Kelp Works Ltd",
        inventor="Cleo Fog",
        filed="2008-12-17",
        published="2009-07-09",
        granted=None,
        family=40000003,
        cpc="F26B3/00",
        application="2008086000",
        abstract=_KELP,
    ),
    Publication(
        office="JP",
        digits="2006147056",
        kind="A",
        title="Gate of a tidal basin",
        applicant="Meridian Tidal Power, Inc.",
        inventor="Dan Quay",
        filed="2005-05-26",
        published="2006-06-08",
        granted=None,
        family=36000004,
        cpc="E02B7/20",
        application="2005154000",
        abstract="The gate of a tidal basin opens by the tide itself.",
    ),
)
