"""A session with everything in it that a report shows, some of it hostile."""

from dataclasses import replace
from typing import Any

from sourcewright.base.links import LinkCheck, Snapshot
from sourcewright.base.works import Notice
from sourcewright.domain.users.sessions import (
    Branch,
    Gap,
    Head,
    Owner,
    Session,
    SessionSource,
    Step,
    Subject,
)
from sourcewright.domain.web.lenses import Reputation
from sourcewright.services.sessions.report import Report

HOSTILE = "<script>alert(1)</script> <img src=x onerror=alert(2)> [x](javascript:alert(3))"
GOAL = f"Do turbines harm eels? {HOSTILE}"
PAPER = "https://www.nature.com/articles/1"
DEAD = "https://www.harbour-times.example/2014/gone"
ARCHIVED = f"https://web.archive.org/web/20190615083000/{DEAD}"
RETRACTION = Notice(
    kind="retraction", source="crossref", date="2021-05-04", asserted_by="publisher"
)


def at(minute: int) -> str:
    return f"2026-11-16T18:{minute:02}:00Z"


def step(number: int, description: str = "", **more: Any) -> Step:
    return Step(number=number, description=description or f"step {number}", at=at(number), **more)


def session(**changes: Any) -> Session:
    """Seven steps: a branch from step 2, a branch from that, and a revision of step 1."""
    whole = Session(
        owner=Owner(tenant="default", user="anonymous"),
        head=Head(id="0b9d6bcd-1", started_at=at(0), step_count=7, source_count=5),
        subject=Subject(goal=GOAL, summary="So far:\n# nothing is settled", summary_step=5),
        steps=(
            step(1, "Survey", reasoning="To begin with", confidence="low", opens_gap=1),
            step(2, HOSTILE, rejected_approaches=("Brochures", "<b>bold</b>")),
            step(3, "Fish", branch="ecology", opens_gap=2),
            step(4, "Eels", branch="eels <i>only</i>", confidence="medium"),
            step(5, "Survey again", revises=1, closes_gap=1, confidence="high"),
            step(6, "Fish ladders", branch="ecology"),
            step(7, "مسح للأدبيات"),
        ),
        branches=(
            Branch(id="ecology", from_step=2, first_step=3),
            Branch(id="eels <i>only</i>", from_step=3, first_step=4),
        ),
        gaps=(
            Gap(number=1, description="How many are there?", found_in=1, closed_in=5),
            Gap(number=2, description=f"What of eels? {HOSTILE}", found_in=3),
        ),
        sources=(
            SessionSource(
                url=PAPER,
                title="Turbines and fish",
                author="A. Morel",
                date="2020-03-01",
                doi="10.1038/1",
                tag="scraped",
                use="used",
                source_type="peer_reviewed",
                found_in=1,
            ),
            SessionSource(
                url="https://a.example/2",
                title="Harmless",
                doi="10.5555/2",
                notice=RETRACTION,
                use="used",
                found_in=3,
            ),
            SessionSource(url="javascript:alert(4)", title=HOSTILE, use="used", found_in=3),
            SessionSource(url=DEAD, title="Severn [report](javascript:5)", use="used", found_in=2),
            SessionSource(url="https://reader:secret@b.example/", title="", use="used"),
        ),
    )
    return replace(whole, **changes)


def report(**changes: Any) -> Report:
    return Report(session=session(), exported_at="2026-11-16T19:00:00Z", **changes)


def checked_report() -> Report:
    """With ratings, a notice that only the library knows, and links that were checked."""
    return report(
        ratings={PAPER: Reputation(tier="high", basis="a journal with <editors>")},
        notices={"10.1038/1": [Notice(kind="correction", source="crossref")]},
        checks={
            PAPER: LinkCheck(state="refused", http_status=403),
            "https://a.example/2": LinkCheck(state="unchecked", problem="no answer <in> time"),
            DEAD: LinkCheck(
                state="dead",
                http_status=404,
                snapshot=Snapshot(url=ARCHIVED, taken_at="2019-06-15T08:30:00Z"),
            ),
        },
    )
