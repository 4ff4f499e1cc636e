"""The drawing of a session's branches: one row of SVG per step, beside the step's text."""

from collections.abc import Sequence
from dataclasses import dataclass

from sourcewright.domain.users.sessions import Session

ROW_HEIGHT = 36
_LANE_WIDTH = 18
_MAX_LANES = 6
"""Branches beyond these share the last lane."""
_MIDDLE = ROW_HEIGHT // 2


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchLine:
    """A branch, or the main line, from the row where it starts to the row of its last step."""

    lane: int
    departs: int
    """Row of the step where it starts; for the main line, its first row."""
    parent: int
    """Lane of that step."""
    ends: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchGraph:
    """The lane of each step, in order, and the lines through the rows."""

    lanes: tuple[int, ...]
    lines: tuple[BranchLine, ...]

    @property
    def width(self) -> int:
        return (max(self.lanes, default=0) + 1) * _LANE_WIDTH


def graph_of(session: Session) -> BranchGraph:
    """Assign every branch a lane that is free from its start to its last step."""
    branches = [step.branch for step in session.steps]
    rows: dict[str | None, list[int]] = {}
    for row, branch in enumerate(branches):
        rows.setdefault(branch, []).append(row)
    departures = {branch.id: branch.from_step - 1 for branch in session.branches}
    lane_of: dict[str | None, int] = {None: 0}
    busy_until: list[int] = []
    lines = []
    for branch, own in rows.items():
        departs = max(0, min(departures.get(branch or "", own[0]), own[0]))
        if branch is not None:
            lane_of[branch] = _free_lane(busy_until, departs, own[-1])
        parent = lane_of[branches[departs]] if branch is not None else 0
        start = own[0] if branch is None else departs
        lines.append(BranchLine(lane=lane_of[branch], departs=start, parent=parent, ends=own[-1]))
    return BranchGraph(lanes=tuple(lane_of[branch] for branch in branches), lines=tuple(lines))


def _free_lane(busy_until: list[int], departs: int, ends: int) -> int:
    for index, until in enumerate(busy_until):
        if until <= departs:
            busy_until[index] = ends
            return index + 1
    if len(busy_until) < _MAX_LANES - 1:
        busy_until.append(ends)
    return len(busy_until)


def svg_row(graph: BranchGraph, row: int, *, classes: Sequence[str]) -> str:
    """The drawing beside one step; decorative, because the text contains the same information."""
    lane = graph.lanes[row]
    paths = [path for line in graph.lines for path in _paths(line, row)]
    dot = (
        f'<circle class="{" ".join(["dot", f"l{lane}", *classes])}"'
        f' cx="{_x(lane)}" cy="{_MIDDLE}" r="5"/>'
    )
    return (
        f'<svg aria-hidden="true" focusable="false" width="{graph.width}" height="{ROW_HEIGHT}"'
        f' viewBox="0 0 {graph.width} {ROW_HEIGHT}">{"".join(paths)}{dot}</svg>'
    )


def _paths(line: BranchLine, row: int) -> list[str]:
    x, parent = _x(line.lane), _x(line.parent)
    if line.lane != line.parent and row == line.departs:
        # The branch leads from the step where it starts to its own lane.
        curve = f"M{parent} {_MIDDLE}C{parent} {ROW_HEIGHT} {x} {_MIDDLE} {x} {ROW_HEIGHT}"
        return [_path(line.lane, curve)] if row < line.ends else []
    if not line.departs <= row <= line.ends:
        return []
    top = 0 if row > line.departs else _MIDDLE
    bottom = ROW_HEIGHT if row < line.ends else _MIDDLE
    return [_path(line.lane, f"M{x} {top}V{bottom}")] if top < bottom else []


def _path(lane: int, shape: str) -> str:
    return f'<path class="l{lane}" d="{shape}"/>'


def _x(lane: int) -> int:
    return lane * _LANE_WIDTH + _LANE_WIDTH // 2
