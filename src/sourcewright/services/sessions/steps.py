"""Rules of the steps of a research session: numbers, revisions, branches, gaps."""

from dataclasses import dataclass, replace

from sourcewright.base.errors import InvalidInput
from sourcewright.base.text.phrases import count_phrase
from sourcewright.domain.users.sessions import (
    Branch,
    Confidence,
    Gap,
    Head,
    SessionChange,
    SessionReader,
    Step,
    Subject,
)
from sourcewright.services.sessions.summaries import one_line

_GOAL_CHARACTERS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDraft:
    """A step as the caller gave it."""

    number: int
    description: str
    is_last: bool
    goal: str | None = None
    reasoning: str | None = None
    confidence: Confidence | None = None
    rejected_approaches: tuple[str, ...] = ()
    summary: str | None = None
    total_steps_estimate: int | None = None
    is_revision: bool = False
    revises: int | None = None
    branch: str | None = None
    branch_from: int | None = None
    gap: str | None = None
    closes_gap: int | None = None


def first_step(draft: StepDraft, *, session_id: str, now: str) -> SessionChange:
    """The change that begins a session.

    Raises:
        InvalidInput: It refers to steps or gaps, of which there are none yet.
    """
    refers = {
        "isRevision": draft.is_revision,
        "revisesStep": draft.revises,
        "branchFromStep": draft.branch_from,
        "branchId": draft.branch,
        "closesGap": draft.closes_gap,
    }
    for name, value in refers.items():
        if value:
            raise InvalidInput(f"{name}: step 1 starts a session, so there is no earlier step")
    subject = Subject(
        goal=draft.goal or one_line(draft.description, _GOAL_CHARACTERS),
        summary=draft.summary,
        summary_step=1 if draft.summary else 0,
    )
    head = Head(id=session_id, started_at=now)
    return _with_step(draft, head, subject, None, now)


def next_step(
    draft: StepDraft, session: SessionReader, *, most_steps: int, now: str
) -> SessionChange:
    """The change for a further step; without a step if the session is full.

    Raises:
        InvalidInput: It is out of order, or refers to something that does not exist.
    """
    head = session.head
    following = head.step_count + 1
    if draft.number != following and not draft.number > most_steps <= head.step_count:
        raise InvalidInput(_out_of_order(draft.number, head))
    _check_earlier("revisesStep", draft.revises, head)
    _check_earlier("branchFromStep", draft.branch_from, head)
    if draft.is_revision and draft.revises is None:
        raise InvalidInput("revisesStep: a revision must name the step that it revises")
    branch = _branch(draft, session)
    closed = _closed_gap(draft, session)
    if head.step_count >= most_steps:
        return SessionChange(head=replace(head, completed_at=now if draft.is_last else None))
    subject = session.subject
    if draft.summary:
        subject = replace(subject, summary=draft.summary, summary_step=draft.number)
    change = _with_step(draft, head, subject if draft.summary else None, branch, now)
    return change if closed is None else replace(change, gaps=(*change.gaps, closed))


def _with_step(
    draft: StepDraft, head: Head, subject: Subject | None, branch: Branch | None, now: str
) -> SessionChange:
    opened = head.gap_count + 1 if draft.gap else None
    step = Step(
        number=draft.number,
        description=draft.description,
        at=now,
        reasoning=draft.reasoning,
        confidence=draft.confidence,
        rejected_approaches=draft.rejected_approaches,
        revises=draft.revises,
        branch=branch.id if branch else None,
        opens_gap=opened,
        closes_gap=draft.closes_gap,
    )
    is_new_branch = branch is not None and branch.first_step == draft.number
    gap = (
        Gap(number=opened, description=draft.gap, found_in=draft.number)
        if (opened and draft.gap)
        else None
    )
    return SessionChange(
        head=replace(
            head,
            step_count=draft.number,
            branch_count=head.branch_count + is_new_branch,
            gap_count=opened or head.gap_count,
            total_steps_estimate=draft.total_steps_estimate or head.total_steps_estimate,
            completed_at=now if draft.is_last else None,
        ),
        subject=subject,
        steps=(step,),
        branches=(branch,) if branch is not None and is_new_branch else (),
        gaps=(gap,) if gap else (),
    )


def _out_of_order(number: int, head: Head) -> str:
    so_far = count_phrase(head.step_count, "step")
    problem = "is already recorded" if number <= head.step_count else "is out of order"
    hint = "; omit sessionId to start a new session" if number == 1 else ""
    return (
        f"stepNumber: step {number} {problem}: the session has {so_far}, "
        f"so the next one is {head.step_count + 1}{hint}"
    )


def _check_earlier(name: str, number: int | None, head: Head) -> None:
    if number is not None and not 1 <= number <= head.step_count:
        raise InvalidInput(
            f"{name}: there is no step {number}; the session has steps 1 to {head.step_count}"
        )


def _branch(draft: StepDraft, session: SessionReader) -> Branch | None:
    """The branch that the step is on, which may begin with it."""
    if draft.branch is None and draft.branch_from is None:
        return None
    head = session.head
    name = draft.branch or f"branch-{head.branch_count + 1}"
    known = session.branch(name)
    if known is None:
        departs_from = head.step_count if draft.branch_from is None else draft.branch_from
        return Branch(id=name, from_step=departs_from, first_step=draft.number)
    if draft.branch_from not in (None, known.from_step) and draft.branch is not None:
        raise InvalidInput(
            f"branchFromStep: the branch {name} starts at step {known.from_step}; use another branchId for another branch"
        )
    return known


def _closed_gap(draft: StepDraft, session: SessionReader) -> Gap | None:
    if draft.closes_gap is None:
        return None
    gap = session.gap(draft.closes_gap)
    if gap is not None and gap.is_open:
        return replace(gap, closed_in=draft.number)
    if gap is not None:
        raise InvalidInput(
            f"closesGap: gap {gap.number} was already closed by step {gap.closed_in}"
        )
    count = session.head.gap_count
    known = [session.gap(number) for number in range(1, count + 1)]
    still_open = ", ".join(str(one.number) for one in known if one and one.is_open) or "none"
    raise InvalidInput(f"closesGap: there is no gap {draft.closes_gap}; open gaps: {still_open}")
