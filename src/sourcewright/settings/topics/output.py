"""Settings of what a person sees."""

from sourcewright.settings import kinds
from sourcewright.settings.table import setting

_OUTPUT = "Output"


class OutputSettings:
    """What is said besides answers, and how."""

    log_level: str = setting(
        "LOG_LEVEL",
        kind=kinds.one_of("debug", "info", "warn", "warning", "error"),
        group=_OUTPUT,
        default="info",
        help="How much is said on standard error.",
    )
    no_color: bool = setting(
        "NO_COLOR",
        kind=kinds.PRESENCE,
        group=_OUTPUT,
        default=False,
        default_words="not set",
        help="Set to anything, it keeps colours off the terminal.",
    )
