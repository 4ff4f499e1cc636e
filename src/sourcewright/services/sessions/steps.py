"""Rules of the steps of a research session: numbers, revisions, branches, gaps."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

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
    used_sources: tuple[str, ...] = ()
    """URLs or DOIs."""
    rejected_sources: tuple[str, ...] = ()


class StepTaken(NamedTuple):
    """What a further step changes in its session, and what the caller should know about that."""

    change: SessionChange
    repeated: bool = False
    """Whether the same step was recorded before, so that it is not recorded again."""
    warnings: tuple[str, ...] = ()


class _Line(NamedTuple):
    """Where a step belongs: a branch, or the main line."""

    branch: Branch | None = None
    is_new: bool = False

    @property
    def id(self) -> str | None:
        return self.branch.id if self.branch else None


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
    return _with_step(draft, head, subject, _Line(), None, now)


def next_step(draft: StepDraft, session: SessionReader, *, most_steps: int, now: str) -> StepTaken:
    """Record a further step; one that was recorded before is not recorded again.

    Numbers may be left out, as the contract's server allows, and each branch has its own. A full
    session takes no step.

    Raises:
        InvalidInput: Another step has its number, or it refers to something that does not exist.
    """
    head = session.head
    same = _recorded_before(draft, session)
    if same is not None:
        return StepTaken(_repetition(draft, same, session, now), repeated=True)
    line = _line(draft, session)
    taken = session.step(line.id, draft.number)
    if taken is not None:
        raise InvalidInput(_number_is_taken(draft.number, line, session))
    if draft.is_revision and draft.revises is None:
        raise InvalidInput("revisesStep: a revision must name the step that it revises")
    revised = None
    if draft.revises is not None:
        revised = _named(session, draft.revises, "revisesStep", line.branch).position
    closed = _closed_gap(draft, session)
    completed = now if draft.is_last else None
    if head.step_count >= most_steps:
        limit = f"session_limit_reached: the session has {count_phrase(most_steps, 'step')}, the maximum; step {draft.number} was not recorded."
        return StepTaken(
            SessionChange(head=replace(head, completed_at=completed)), warnings=(limit,)
        )
    subject = session.subject
    if draft.summary:
        subject = replace(subject, summary=draft.summary, summary_step=head.step_count + 1)
    change = _with_step(draft, head, subject if draft.summary else None, line, revised, now)
    if closed is not None:
        change = replace(change, gaps=(*change.gaps, closed))
    return StepTaken(change, warnings=tuple(_left_out(draft.number, head)))


def _with_step(
    draft: StepDraft,
    head: Head,
    subject: Subject | None,
    line: _Line,
    revises: int | None,
    now: str,
) -> SessionChange:
    position = head.step_count + 1
    opened = head.gap_count + 1 if draft.gap else None
    step = Step(
        number=draft.number,
        description=draft.description,
        at=now,
        reasoning=draft.reasoning,
        confidence=draft.confidence,
        rejected_approaches=draft.rejected_approaches,
        revises=revises,
        branch=line.id,
        opens_gap=opened,
        closes_gap=draft.closes_gap,
        position=position,
    )
    gap = (
        Gap(number=opened, description=draft.gap, found_in=position)
        if (opened and draft.gap)
        else None
    )
    return SessionChange(
        head=replace(
            head,
            step_count=position,
            branch_count=head.branch_count + line.is_new,
            gap_count=opened or head.gap_count,
            total_steps_estimate=draft.total_steps_estimate or head.total_steps_estimate,
            completed_at=now if draft.is_last else None,
            highest_number=max(draft.number, _highest(head)),
        ),
        subject=subject,
        steps=(step,),
        branches=(line.branch,) if line.branch is not None and line.is_new else (),
        gaps=(gap,) if gap else (),
    )


def _highest(head: Head) -> int:
    return head.highest_number or head.step_count


def _left_out(number: int, head: Head) -> Iterator[str]:
    following = _highest(head) + 1
    if number == following + 1:
        yield f"Step {following} is not recorded."
    elif number > following:
        yield f"Steps {following} to {number - 1} are not recorded."


def _recorded_before(draft: StepDraft, session: SessionReader) -> Step | None:
    """The same step as it was recorded, if it was: a client that got no answer sends it again."""
    if draft.branch is None and draft.branch_from is not None:
        # The branch got its name when its first step was recorded.
        lines: list[str | None] = [
            _unnamed(number) for number in range(1, session.head.branch_count + 1)
        ]
    else:
        lines = [draft.branch]
    candidates = [session.step(line, draft.number) for line in lines]
    return next((one for one in candidates if one and _is_same(draft, one, session)), None)


def _is_same(draft: StepDraft, step: Step, session: SessionReader) -> bool:
    """Whether a step says what is recorded, and refers to the same steps and gaps."""
    gap = session.gap(step.opens_gap) if step.opens_gap else None
    if (
        draft.description,
        draft.reasoning,
        draft.confidence,
        draft.rejected_approaches,
        draft.closes_gap,
        draft.gap,
    ) != (
        step.description,
        step.reasoning,
        step.confidence,
        step.rejected_approaches,
        step.closes_gap,
        gap.description if gap else None,
    ):
        return False
    branch = session.branch(step.branch) if step.branch is not None else None
    if branch and draft.branch_from not in (None, _number_at(session, branch.from_step)):
        return False
    revised = None if draft.revises is None else _find(session, draft.revises, branch)
    return (revised.position if revised else None) == step.revises


def _repetition(draft: StepDraft, step: Step, session: SessionReader, now: str) -> SessionChange:
    """The change by a step that is recorded: what it says about the session beside itself."""
    head, subject = session.head, session.subject
    if draft.is_last and step.position == head.step_count:
        head = replace(head, completed_at=head.completed_at or now)
    if draft.summary and subject.summary_step <= step.position:
        subject = replace(subject, summary=draft.summary, summary_step=step.position)
    return SessionChange(head=head, subject=None if subject == session.subject else subject)


def _number_is_taken(number: int, line: _Line, session: SessionReader) -> str:
    place = f" on branch {line.id}" if line.id is not None else ""
    highest = max(one.number for one in session.steps() if one.branch == line.id)
    hint = "; omit sessionId to start a new session" if number == 1 and not place else ""
    return (
        f"stepNumber: step {number} is already recorded{place} with other content; "
        f"the next one is {highest + 1}, and revisesStep supersedes a step{hint}"
    )


def _line(draft: StepDraft, session: SessionReader) -> _Line:
    """The branch that the step is on, which may begin with it; else the main line."""
    if draft.branch is None and draft.branch_from is None:
        return _Line()
    head = session.head
    name = draft.branch or _unnamed(head.branch_count + 1)
    known = session.branch(name)
    if known is None:
        departs_from = head.step_count
        if draft.branch_from is not None:
            departs_from = _named(session, draft.branch_from, "branchFromStep", None).position
        return _Line(Branch(id=name, from_step=departs_from, first_step=head.step_count + 1), True)
    number = _number_at(session, known.from_step)
    if draft.branch_from not in (None, number) and draft.branch is not None:
        raise InvalidInput(
            f"branchFromStep: the branch {name} starts at step {number}; use another branchId for another branch"
        )
    return _Line(known)


def _number_at(session: SessionReader, position: int) -> int:
    step = session.step_at(position)
    return step.number if step else position


def _unnamed(number: int) -> str:
    """The name of a branch to which the caller gave none."""
    return f"branch-{number}"


def _named(session: SessionReader, number: int, argument: str, branch: Branch | None) -> Step:
    """The step that an argument names.

    Raises:
        InvalidInput: There is none.
    """
    step = _find(session, number, branch)
    if step is None:
        raise InvalidInput(
            f"{argument}: there is no step {number}; "
            f"the session has {count_phrase(session.head.step_count, 'step')}, "
            f"the highest number is {_highest(session.head)}"
        )
    return step


def _find(session: SessionReader, number: int, branch: Branch | None) -> Step | None:
    """The step with this number: on the branch, on those that it departs from, or on any."""
    while branch is not None:
        if (step := session.step(branch.id, number)) is not None:
            return step
        origin = session.step_at(branch.from_step)
        parent = origin.branch if origin else None
        branch = None if parent in (None, branch.id) else session.branch(str(parent))
    step = session.step(None, number)
    if step is not None or number > _highest(session.head):
        return step
    return next((one for one in session.steps() if one.number == number), None)


def _at(session: SessionReader, position: int) -> Step | None:
    return next((one for one in session.steps() if one.position == position), None)


def _closed_gap(draft: StepDraft, session: SessionReader) -> Gap | None:
    if draft.closes_gap is None:
        return None
    gap = session.gap(draft.closes_gap)
    if gap is not None and gap.is_open:
        return replace(gap, closed_in=session.head.step_count + 1)
    if gap is not None:
        raise InvalidInput(
            f"closesGap: gap {gap.number} was already closed by step {_number_at(session, gap.closed_in or 0)}"
        )
    count = session.head.gap_count
    known = [session.gap(number) for number in range(1, count + 1)]
    still_open = ", ".join(str(one.number) for one in known if one and one.is_open) or "none"
    raise InvalidInput(f"closesGap: there is no gap {draft.closes_gap}; open gaps: {still_open}")
