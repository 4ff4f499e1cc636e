"""Invented clinical studies of a registry."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """One registration."""

    nct: str
    title: str
    status: str
    conditions: tuple[str, ...]
    treatments: tuple[str, ...]
    sponsor: str
    start: str | None
    end: str | None
    phases: tuple[str, ...] = ()
    kind: str = "INTERVENTIONAL"
    participants: int | None = None
    has_results: bool = False
    summary: str = ""


STUDIES = (
    Study(
        nct="NCT90000001",
        title="Inhaled Kelp Extract in Adults With Tidal Asthma",
        status="COMPLETED",
        conditions=("Tidal Asthma", "Asthma"),
        treatments=("Kelp extract", "Placebo"),
        sponsor="Meridian University Hospital",
        start="2016-04-29",
        end="2020-07",
        phases=("PHASE2", "PHASE3"),
        participants=312,
        has_results=True,
        summary="A randomised study of inhaled kelp extract &amp; placebo.",
    ),
    Study(
        nct="NCT90000002",
        title="Sea Air for Tidal Asthma in Children",
        status="RECRUITING",
        conditions=("Tidal Asthma",),
        treatments=("Sea air",),
        sponsor="Harbour Institute of Paediatrics",
        start="2024-02",
        end="2027-12-31",
        phases=("PHASE3",),
        participants=80,
    ),
    Study(
        nct="NCT90000003",
        title="A Registry of Lighthouse Keepers With Fog Fever",
        status="ACTIVE_NOT_RECRUITING",
        conditions=("Fog Fever",),
        treatments=(),
        sponsor="Coastal Health Agency",
        start="2019",
        end=None,
        kind="OBSERVATIONAL",
        participants=4100,
    ),
    Study(
        nct="NCT90000004",
        title="Driftwood Oil Against Fog Fever",
        status="TERMINATED",
        conditions=("Fog Fever",),
        treatments=("Driftwood oil",),
        sponsor="Brine Pharmaceuticals, Inc.",
        start=None,
        end=None,
        phases=("EARLY_PHASE1",),
    ),
    *(
        Study(
            nct=f"NCT9100{number:04}",
            title=f"Part {number} of the Long Study of Barnacle Rash",
            status="COMPLETED" if number % 2 else "UNKNOWN",
            conditions=("Barnacle Rash",),
            treatments=("Lotion",),
            sponsor="Meridian University Hospital",
            start=f"{1990 + number % 30}-0{1 + number % 9}",
            end=None,
            phases=("PHASE1",) if number % 3 else ("NA",),
            participants=number,
        )
        for number in range(1, 131)
    ),
)
