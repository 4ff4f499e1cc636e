"""What the application takes from its machine: the clock, and the Python of its processes."""

import sys
from dataclasses import dataclass, field

from sourcewright.base.clocks import Clock, SystemClock


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """The machine that the application runs on."""

    clock: Clock = field(default_factory=SystemClock)
    interpreter: str = field(default_factory=lambda: sys.executable)
    """The program that runs the processes which read documents."""
