"""Invented statistics: series of four offices, with figures that are the same in every run."""

from dataclasses import dataclass
from itertools import product
from zlib import crc32

LAST_YEAR = 2025
FIRST_YEAR = 1996


@dataclass(frozen=True, slots=True, kw_only=True)
class Indicator:
    """One series of one figure per period."""

    id: str
    title: str
    units: str
    frequency: str
    """`A`, `Q`, `M` or `D`."""
    popularity: int = 10
    decimals: int = 3
    missing: tuple[str, ...] = ()
    """Periods without a figure."""
    notes: str = "Invented for the simulated world."

    def periods(self) -> list[str]:
        """The first day of each period."""
        months = {"A": (1,), "Q": (1, 4, 7, 10), "M": tuple(range(1, 13)), "D": (1, 2, 3)}
        years = range(FIRST_YEAR, LAST_YEAR + 1)
        if self.frequency == "D":
            return [f"{LAST_YEAR}-{m:02}-{d:02}" for m in range(1, 13) for d in range(1, 29)]
        return [f"{year}-{month:02}-01" for year in years for month in months[self.frequency]]

    def figure(self, period: str, area: str = "") -> str | None:
        return None if period in self.missing else figure(self.id, period, area, self.decimals)


def figure(*notes: object) -> str:
    """A figure that depends only on its subject; the last value is its number of decimals."""
    *subject, decimals = notes
    digits = f"{crc32('|'.join(map(str, subject)).encode()):010}"
    places = int(str(decimals))
    whole = int(digits[-3:]) + 1
    return f"{whole}.{(digits * 2)[:places]}" if places else str(int(digits) + 1)


FRED_SERIES = (
    Indicator(
        id="TIDEGDP",
        title="Gross Domestic Product of the Tidal Isles",
        units="Billions of Tidal Crowns",
        frequency="Q",
        popularity=93,
        missing=("1996-01-01",),
    ),
    Indicator(
        id="KELPCPI",
        title="Consumer Price Index: Kelp in the Tidal Isles",
        units="Index 2015=100",
        frequency="M",
        popularity=80,
        missing=("2025-10-01",),
    ),
    Indicator(
        id="TIDERATE",
        title="Unemployment Rate of Lighthouse Keepers",
        units="Percent",
        frequency="M",
        popularity=70,
        decimals=1,
    ),
    Indicator(
        id="BUOYFX",
        title="Tidal Crowns to Driftwood Spot Exchange Rate",
        units="Tidal Crowns to One Driftwood",
        frequency="D",
        decimals=4,
    ),
)

WORLD_AREAS = {
    "WLD": ("1W", "World"),
    "TID": ("TI", "Tidal Isles"),
    "MER": ("MR", "Meridian"),
    "DRI": ("DW", "Driftwood Coast"),
}
WORLD_INDICATORS = (
    Indicator(
        id="TI.GDP.MKTP.CD",
        title="Tidal GDP (current US$)",
        units="",
        frequency="A",
        decimals=9,
        missing=("2025-01-01",),
    ),
    Indicator(
        id="TI.GDP.MKTP.KD.ZG", title="Tidal GDP growth (annual %)", units="", frequency="A"
    ),
    Indicator(
        id="TI.GDP.PCAP.CD",
        title="Tidal GDP per capita (current US$)",
        units="",
        frequency="A",
    ),
    Indicator(
        id="TI.KLP.FRST.K2",
        title="Kelp forest area (sq. km)",
        units="",
        frequency="A",
        decimals=0,
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One dimension of a data set."""

    id: str
    label: str
    categories: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSet:
    """A data set of several dimensions, the last of which is time."""

    code: str
    title: str
    axes: tuple[Axis, ...]
    frequency: str
    agency: str = "TIDAL"
    version: str = "1.0"
    updated: str = "26.06.2026"
    provisional: tuple[str, ...] = ()
    """Periods whose figures are provisional."""
    absent: tuple[tuple[str, str], ...] = ()
    """Areas without a figure in a period."""
    is_large: bool = False
    """Whether its office refuses to sort its observations, which are too many."""

    def periods(self) -> list[str]:
        years = range(2015, LAST_YEAR + 1)
        if self.frequency == "M":
            return [f"{year}-{month:02}" for year in years for month in range(1, 13)]
        if self.frequency == "Q":
            return [f"{year}-Q{quarter}" for year in years for quarter in range(1, 5)]
        return [str(year) for year in years]

    def places(self) -> list[dict[str, str]]:
        """The codes of each series."""
        ids = [axis.id for axis in self.axes]
        codes = ([code for code, _ in axis.categories] for axis in self.axes)
        return [dict(zip(ids, one, strict=True)) for one in product(*codes)]

    def figure(self, place: dict[str, str], period: str) -> str | None:
        if any((code, period) in self.absent for code in place.values()):
            return None
        return figure(self.code, *place.values(), period, 1)


_SEXES = Axis(id="sex", label="Sex", categories=(("T", "Total"), ("F", "Females"), ("M", "Males")))
_GEO = Axis(
    id="geo",
    label="Geopolitical entity (reporting)",
    categories=(("TI", "Tidal Isles"), ("MR", "Meridian"), ("EL", "Elsewhere")),
)
_UNITS = Axis(
    id="unit",
    label="Unit of measure",
    categories=(
        ("PC_ACT", "Percentage of population in the labour force"),
        ("THS_PER", "Thousand persons"),
    ),
)


def _frequency(code: str, label: str) -> Axis:
    return Axis(id="freq", label="Time frequency", categories=((code, label),))


EUROSTAT_SETS = (
    DataSet(
        code="une_tide_m",
        title="Unemployment of lighthouse keepers by sex - monthly data",
        axes=(_frequency("M", "Monthly"), _UNITS, _SEXES, _GEO),
        frequency="M",
        provisional=("2025-11", "2025-12"),
        absent=(("EL", "2025-12"),),
    ),
    DataSet(
        code="nama_tide_gdp",
        title="GDP and main components of tidal economies",
        axes=(_frequency("A", "Annual"), _GEO),
        frequency="A",
    ),
    DataSet(
        code="tide_huge",
        title="Every wave by beach",
        axes=(_frequency("A", "Annual"), _GEO),
        frequency="A",
    ),
)

_AREA = Axis(
    id="REF_AREA",
    label="Reference area",
    categories=(("TID", "Tidal Isles"), ("MER", "Meridian"), ("DRI", "Driftwood Coast")),
)
_MEASURE = Axis(
    id="MEASURE",
    label="Measure",
    categories=(("GDP", "Gross domestic product"), ("CPI", "Consumer prices")),
)
_UNIT_MEASURE = Axis(
    id="UNIT_MEASURE", label="Unit of measure", categories=(("XTC", "Tidal crowns"),)
)

OECD_FLOWS = (
    DataSet(
        code="DSD_TIDE@DF_QNA",
        title="Quarterly GDP and its growth in tidal economies",
        agency="OECD.SDD.TID",
        version="1.1",
        axes=(
            Axis(id="FREQ", label="Frequency", categories=(("Q", "Quarterly"),)),
            _AREA,
            _MEASURE,
            _UNIT_MEASURE,
        ),
        frequency="Q",
        provisional=("2025-Q4",),
        absent=(("DRI", "2025-Q4"),),
    ),
    DataSet(
        code="DSD_KELP@DF_PRICES",
        title="Prices of kelp",
        agency="OECD.SDD.TID",
        axes=(Axis(id="FREQ", label="Frequency", categories=(("A", "Annual"),)), _AREA),
        frequency="A",
    ),
    DataSet(
        code="DSD_BUOYS@DF_TRADE",
        title="Trade in buoys by product",
        agency="OECD.SDD.TID",
        axes=(Axis(id="FREQ", label="Frequency", categories=(("A", "Annual"),)), _AREA),
        frequency="A",
        is_large=True,
    ),
)
