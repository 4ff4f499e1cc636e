"""Settings of terminal output: log level and colours."""

from sourcewright.settings import kinds
from sourcewright.settings.table import setting


class OutputSettings:
    """Log level on standard error, and whether output is coloured."""

    _group = "Output"

    log_level: str = setting(
        "LOG_LEVEL",
        kind=kinds.one_of("debug", "info", "warn", "warning", "error"),
        default="info",
        help="How much is said on standard error.",
    )
    no_color: bool = setting(
        "NO_COLOR",
        kind=kinds.PRESENCE,
        default=False,
        default_words="not set",
        help="Set to anything, it keeps colours off the terminal, whatever the others say.",
    )
    force_color: bool = setting(
        "FORCE_COLOR",
        kind=kinds.NOT_ZERO,
        default=False,
        default_words="not set",
        help="Set to anything but 0, it has colours also where the output is no terminal.",
    )
    clicolor: bool = setting(
        "CLICOLOR",
        kind=kinds.NOT_ZERO,
        default=True,
        default_words="not set",
        help="Set to 0, it keeps colours off the terminal.",
    )
    term: str = setting(
        "TERM",
        kind=kinds.TEXT,
        default="",
        default_words="not set",
        in_file=False,
        help="The kind of terminal; one that is `dumb` gets no colours.",
    )

    @property
    def colour(self) -> bool | None:
        """Whether to use colours; None means only on streams that are a terminal."""
        if self.no_color:
            return False
        if self.force_color:
            return True
        return None if self.clicolor and self.term != "dumb" else False
