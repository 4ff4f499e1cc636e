"""Summaries of research sessions: one line per step, and a text for the whole."""

from functools import lru_cache
from itertools import islice

from sourcewright.base.text.unicode import clusters
from sourcewright.domain.users.sessions import Session, Step

ONE_LINE = 120
_PROGRESS_LINE = 80
_PROGRESS_STEPS = 5
_ELLIPSIS = "\u2026"
_SCANNED = 20
"""Maximum code points per cluster; ordinary text has fewer."""


def one_line(text: str, most: int = ONE_LINE) -> str:
    """The beginning of a text on one line, of at most this many characters as a reader counts.

    A character with its accents or joined parts is never split.
    """
    scanned = text[: most * _SCANNED]
    return _one_line(scanned, most, is_whole=len(scanned) == len(text))


# Every answer about a session has the same lines for its earlier steps.
@lru_cache(maxsize=1024)
def _one_line(text: str, most: int, *, is_whole: bool) -> str:
    line = " ".join(text.split())
    if is_whole and len(line) <= most:
        return line
    # In ASCII every character stands alone, but for line ends, which are gone.
    parts = list(line[: most + 1] if line.isascii() else islice(clusters(line), most + 1))
    if len(parts) <= most:
        if is_whole:
            return line
        # The last character may have been cut.
        parts.pop()
    return "".join(parts[: most - 1]).rstrip() + _ELLIPSIS


def summary_of(session: Session) -> str:
    """The caller's summary and the steps after it, or else the goal and the latest steps."""
    subject = session.subject
    if subject.summary is None:
        return _with_progress(subject.goal, "Progress", session.steps)
    later = [step for step in session.steps if step.position > subject.summary_step]
    return _with_progress(
        subject.summary, f"Since step {session.number_at(subject.summary_step)}", later
    )


def _with_progress(text: str, label: str, steps: list[Step] | tuple[Step, ...]) -> str:
    if not steps:
        return text
    lines = "; ".join(
        one_line(step.description, _PROGRESS_LINE) for step in steps[-_PROGRESS_STEPS:]
    )
    stop = "" if text.endswith((".", "!", "?", "\u3002")) else "."
    return f"{text}{stop} {label}: {lines}"
