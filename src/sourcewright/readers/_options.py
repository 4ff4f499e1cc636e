"""How pages are shown, as far as it can be chosen."""

from dataclasses import dataclass

from sourcewright.readers._chromium import PROCESS_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What may differ from one browser to another."""

    quiet_seconds: float = 0.5
    """For how long nothing may have changed in a page that is taken for finished."""
    patient_seconds: float = 2.0
    """The same, for a page that is known to build itself slowly."""
    pages_at_once: int = 2
    idle_seconds: float = 300.0
    images: bool = False
    """Whether pictures are really fetched; a page's text does not need them."""
    unplugged: bool = True
    """Whether the browser gets an empty network from the system, where that can be had."""
    pages_per_browser: int = 200
    """After so many it is replaced, so that what it leaks stays small."""
    process_bytes: int = PROCESS_BYTES
    """How much memory one page may take."""
