"""A research session as a JSON object, in the field names of the session tools."""

from typing import Any

from sourcewright.base.notices import most_serious_notice
from sourcewright.base.works import Notice
from sourcewright.domain.users.sessions import Gap, Outcome, Session, Step
from sourcewright.services.sessions.report import Report, ReportSource

JsonObject = dict[str, Any]


def session_object(report: Report) -> JsonObject:
    """The whole session; empty fields are left out."""
    session, superseded = report.session, report.session.superseded_by()
    head = session.head
    return _without_none(
        id=session.id,
        tenantId=session.owner.tenant,
        researchGoal=session.subject.goal,
        summary=session.subject.summary,
        totalStepsEstimate=head.total_steps_estimate or None,
        createdAt=head.started_at,
        completed=session.is_complete,
        completedAt=head.completed_at,
        steps=[_step(session, step, superseded.get(step.position)) for step in session.steps],
        branches=[
            {
                "branchId": branch.id,
                "branchFromStep": session.number_at(branch.from_step),
                "firstStep": session.number_at(branch.first_step),
            }
            for branch in session.branches
        ],
        gaps=[_gap(session, gap) for gap in session.gaps],
        sourceSelection=report.selection.basis,
        sources=[_source(source, report) for source in report.sources],
        otherSources=[_source(source, report) for source in report.other_sources] or None,
        omittedSources=head.omitted_sources or None,
        outcomes=[_outcome(session, outcome) for outcome in session.outcomes],
    )


def _step(session: Session, step: Step, superseded_by: int | None) -> JsonObject:
    branch = session.branch_of(step)
    opened = next((gap for gap in session.gaps if gap.number == step.opens_gap), None)
    return _without_none(
        stepNumber=step.number,
        description=step.description,
        reasoning=step.reasoning,
        confidence=step.confidence,
        rejectedApproaches=list(step.rejected_approaches) or None,
        isRevision=step.is_revision,
        revisesStep=session.number_at(step.revises),
        branchId=step.branch,
        branchFromStep=session.number_at(branch.from_step) if branch else None,
        knowledgeGap=opened.description if opened else None,
        closesGap=step.closes_gap,
        supersededBy=session.number_at(superseded_by),
        timestamp=step.at,
    )


def _gap(session: Session, gap: Gap) -> JsonObject:
    return _without_none(
        id=gap.number,
        description=gap.description,
        foundInStep=session.number_at(gap.found_in),
        closedInStep=session.number_at(gap.closed_in),
    )


def _source(listed: ReportSource, report: Report) -> JsonObject:
    source, check, rating = listed.source, listed.check, listed.rating
    checked = check is not None and check.state != "unchecked"
    return _without_none(
        url=source.url,
        title=source.title,
        relevance=source.tag,
        use=source.use,
        author=source.author,
        date=source.date,
        doi=source.doi,
        language=source.language,
        sourceType=source.source_type,
        sourceReputation={"tier": rating.tier, "basis": rating.basis} if rating else None,
        retraction=_notice(worst) if (worst := most_serious_notice(listed.notices)) else None,
        notices=[_notice(one) for one in listed.notices] or None,
        foundInStep=report.session.number_at(source.found_in),
        httpStatus=check.http_status if check else None,
        verified=check.state != "dead" if check and checked else None,
        verifiedAt=report.exported_at if checked else None,
        archivedUrl=check.snapshot.url if check and check.snapshot else None,
        linkNote=listed.link_note if check and check.state != "live" else None,
    )


def _notice(notice: Notice) -> JsonObject:
    return _without_none(
        kind=notice.kind, date=notice.date, noticeDoi=notice.doi, source=notice.source
    )


def _outcome(session: Session, outcome: Outcome) -> JsonObject:
    return _without_none(
        tool=outcome.tool,
        provider=outcome.provider,
        success=outcome.success,
        errorKind=outcome.error_kind,
        url=outcome.url,
        stepNumber=session.number_at(outcome.step),
        timestamp=outcome.at or None,
    )


def _without_none(**fields: Any) -> JsonObject:
    return {name: value for name, value in fields.items() if value is not None}
